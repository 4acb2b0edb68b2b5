"""Properties > Physics and > Scene: a joint, and the settings that joints share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import bpy

from ..base import groups
from ..operators.chosen_objects import split
from ..properties.joints import units_of
from .lists import draw_chosen, draw_listed
from .scenes import draw_list
from .shapes import draw_kept
from .tabs import Part, Rows, SceneTab, draw_number, draw_optional
from .texts import draw_text, pgettext_iface

if TYPE_CHECKING:
    from ..authoring.joint_problems import Problem

_KIND_ICONS: Final = {"LINEAR": "CON_LOCLIMIT", "ANGULAR": "CON_ROTLIMIT", "OTHER": "QUESTION"}
_ITEM: Final = "scene.omi_physics_{}_joint_item"


class OMIPHYSICS_UL_joint_limits(Rows, bpy.types.UIList):
    """The limits of joint settings."""

    def draw_row(self, context: bpy.types.Context, layout: Any, item: Any) -> None:
        """What it does, in words."""
        from ..authoring import joint_texts
        from ..scene import joint_settings

        text = joint_texts.text_of_limit(item, context.scene)
        is_fault = joint_settings.is_reversed(item) or not any(item.axes)
        layout.label(
            text=text, icon="ERROR" if is_fault else _KIND_ICONS[item.kind], translate=False
        )


class OMIPHYSICS_UL_joint_drives(Rows, bpy.types.UIList):
    """The drives of joint settings."""

    def draw_row(self, context: bpy.types.Context, layout: Any, item: Any) -> None:
        """What it does, in words."""
        from ..authoring import joint_texts

        text = joint_texts.text_of_drive(item, context.scene)
        layout.label(text=text, icon=_KIND_ICONS[item.type], translate=False)


class OMIPHYSICS_UL_joint_settings(Rows, bpy.types.UIList):
    """The joint settings of a scene."""

    def draw_row(self, context: bpy.types.Context, layout: Any, item: Any) -> None:
        """The name, which can be changed in place, and what such joints are."""
        from ..authoring import joint_texts

        entry = draw_listed(layout, item, "CONSTRAINT")
        if entry is None:
            return
        words = layout.row()
        words.active = False
        words.alignment = "RIGHT"
        words.label(text=joint_texts.short_name(entry), translate=False)


class OMIPHYSICS_PT_joint(Part, bpy.types.Panel):
    """Which bodies the object joins, and how."""

    bl_label = "Joint"
    part = "joint"

    def draw_fields(self, context: bpy.types.Context, layout: Any, joint: Any) -> None:
        """The two ends, then the settings."""
        from ..authoring import joint_making, joint_problems

        obj: Any = context.object
        scene: Any = context.scene
        layout.prop(joint, "connected_object")
        draw_problem(context, layout, joint_problems.of_ends(obj))
        column = layout.column()
        column.prop(joint, "pivot_at_joint")
        column.prop(joint, "enable_collision")
        draw_kept(layout, joint, "kept")
        _draw_choice(layout, joint, groups.of_scene(scene))
        entry = joint_making.settings_of(obj, scene)
        draw_problem(context, layout, joint_problems.of_settings(obj, scene))
        if entry is None:
            row = layout.row(align=True)
            row.menu("OMIPHYSICS_MT_joint_kinds", text="New Settings")
            row.menu("OMIPHYSICS_MT_joint_presets", icon="PRESET", text="")
            return
        _draw_users(layout, scene, entry.name)
        draw_motion(context, layout, obj, entry)
        row = layout.row(align=True)
        row.operator("object.omi_physics_pose_joint", text="Pose...")
        row.operator("object.omi_physics_rest_joint")
        draw_settings(context, layout, entry, "OMIPHYSICS_MT_joint_kinds")


def _draw_choice(layout: Any, joint: Any, lists: Any) -> None:
    """A field for the name of settings, with buttons as Blender has them for materials."""
    row = layout.row(align=True)
    row.use_property_split = False
    missing = lists.joint_settings.get(joint.settings) is None
    row.alert = bool(joint.settings) and missing
    draw_chosen(row, joint, "settings", text="")
    if missing:
        row.operator("scene.omi_physics_add_joint_settings", text="", icon="ADD").assign = True
    else:
        copy = row.operator("scene.omi_physics_duplicate_joint_settings", text="", icon="DUPLICATE")
        copy.settings, copy.assign = joint.settings, True
    if joint.settings:
        row.operator("object.omi_physics_unlink_joint_settings", text="", icon="X")


def _draw_users(layout: Any, scene: Any, name: str) -> None:
    """How many joints share the settings, and a button to go alone."""
    from ..authoring import joint_making

    count = joint_making.count_users(scene, name)
    if count > 1:
        row = layout.row(align=True)
        text = pgettext_iface("{count} Joints").format(count=count)
        select = "object.omi_physics_select_same_joint_settings"
        row.operator(select, text=text, icon="LINKED", translate=False)
        row.operator("object.omi_physics_single_user_joint_settings", text="Make Single User")


def draw_motion(context: Any, layout: Any, obj: Any, entry: Any) -> None:
    """Draw who moves how against whom by a joint."""
    from ..authoring import joint_texts

    draw_text(context, layout, joint_texts.motion(obj, entry, context.scene), "CONSTRAINT")


def _draw_kind(context: Any, layout: Any, entry: Any) -> None:
    """Draw what joints with these settings are."""
    from ..authoring import joint_texts

    draw_text(context, layout, joint_texts.name_of_kind(entry, context.scene), "CONSTRAINT")


def draw_problem(context: Any, layout: Any, problem: Problem | None) -> None:
    """Draw what is the matter with a joint, and a button where one helps."""
    if problem is None:
        return
    column = layout.column(align=True)
    text = pgettext_iface(problem.text).format(name=problem.name)
    draw_text(context, column, text, "ERROR" if problem.is_fault else "INFO", problem.is_fault)
    if problem.can_swap:
        column.separator()
        column.operator("object.omi_physics_swap_joint_ends", icon="ARROW_LEFTRIGHT")


def draw_settings(context: Any, layout: Any, entry: Any, kinds: str) -> None:
    """Draw the settings of joints: a menu of kinds, then limits and drives.

    Args:
        kinds: the menu of kinds to choose from.
    """
    row = layout.row(align=True)
    row.menu(kinds)
    row.menu("OMIPHYSICS_MT_joint_presets", text="", icon="PRESET")
    draw_kept(layout, entry, "kept")
    _draw_items(layout, entry, "limits", "Limits", _draw_limit)
    _draw_items(layout, entry, "drives", "Drives", _draw_drive)


def _draw_items(
    layout: Any, entry: Any, part: str, label: str, draw_item: Callable[[Any, Any], None]
) -> None:
    """A list of limits or drives with its buttons, then the active one."""
    items, index = getattr(entry, part), getattr(entry, f"{part}_index")
    header, body = layout.panel(
        f"OMI_PHYSICS_joint_{part}", default_closed=part == "drives" and not items
    )
    count = pgettext_iface("{list} ({count})").format(list=pgettext_iface(label), count=len(items))
    header.label(text=count if items else label, translate=not items)
    if not body:
        return
    row = body.row()
    list_type = f"OMIPHYSICS_UL_joint_{part}"
    row.template_list(list_type, "", entry, part, entry, f"{part}_index", rows=4 if items else 2)
    column = row.column(align=True)
    _item_button(column, "add", "ADD", entry, part)
    if not items:
        return
    _item_button(column, "remove", "REMOVE", entry, part)
    _item_button(column, "duplicate", "DUPLICATE", entry, part)
    column.separator()
    _item_button(column, "move", "TRIA_UP", entry, part).direction = "UP"
    _item_button(column, "move", "TRIA_DOWN", entry, part).direction = "DOWN"
    if 0 <= index < len(items):
        draw_item(body, items[index])


def _item_button(layout: Any, verb: str, icon: str, entry: Any, part: str) -> Any:
    properties = layout.operator(_ITEM.format(verb), text="", icon=icon)
    properties.settings, properties.part = entry.name, part
    return properties


def _draw_limit(layout: Any, limit: Any) -> None:
    from ..scene import joint_settings

    row = layout.row()
    row.use_property_split = False
    row.prop(limit, "kind", expand=True)
    row = layout.row(heading="Axes", align=True)
    for i, axis in enumerate("XYZ"):
        row.prop(limit, "axes", index=i, text=axis, toggle=True)
    unit = "distance" if limit.kind == "LINEAR" else "angle"
    column = layout.column(align=True)
    draw_optional(column, limit, "Min", f"min_{unit}", "use_min")
    draw_optional(column, limit, "Max", f"max_{unit}", "use_max")
    if not any(limit.axes):
        layout.label(text="Choose the axes to limit", icon="ERROR")
    elif not (limit.use_min or limit.use_max):
        layout.label(text="Without min and max, no effect", icon="INFO")
    elif joint_settings.is_reversed(limit):
        layout.label(text="The min is above the max", icon="ERROR")
    column = layout.column(align=True)
    column.prop(limit, "use_stiffness")
    if limit.use_stiffness:
        stiffness, damping, _ = units_of(limit.kind == "ANGULAR")
        draw_number(column, limit, "stiffness", stiffness)
        draw_number(column, limit, "damping", damping)
        if limit.stiffness and not limit.damping:
            layout.label(text="Without damping, swings forever", icon="INFO")
    draw_kept(layout, limit, "kept")


def _draw_drive(layout: Any, drive: Any) -> None:
    column = layout.column()
    for name in ("type", "mode"):
        column.prop(drive, name)
        if getattr(drive, name) == "OTHER":
            column.prop(drive, f"other_{name}")
    layout.row().prop(drive, "axis", expand=True)
    is_angular = drive.type == "ANGULAR"
    unit = "angle" if is_angular else "distance"
    stiffness, damping, force = units_of(is_angular, drive.mode)
    column = layout.column(align=True)
    draw_optional(column, drive, "Position", f"position_{unit}", "use_position_target")
    if drive.use_position_target:
        draw_number(column, drive, "stiffness", stiffness)
    speed = "/s" if is_angular else ""
    draw_optional(column, drive, "Speed", f"velocity_{unit}", "use_velocity_target", speed)
    draw_number(column, drive, "damping", damping)
    draw_optional(layout.column(), drive, "Max Force", "max_force", "use_max_force", force)
    if not (drive.use_position_target or drive.use_velocity_target):
        layout.label(text="Choose a position, a speed or both", icon="INFO")
    elif drive.use_position_target and not drive.stiffness:
        layout.label(text="Without stiffness, no effect", icon="INFO")
    elif not drive.use_position_target and not drive.damping:
        layout.label(text="Without damping, no effect", icon="INFO")
    draw_kept(layout, drive, "kept")


class OMIPHYSICS_PT_joint_settings(SceneTab, bpy.types.Panel):
    """The joint settings of the scene, and the active ones."""

    bl_parent_id = "OMIPHYSICS_PT_scene"
    bl_label = "Joint Settings"

    def draw(self, context: bpy.types.Context) -> None:
        """The list, then the active entry."""
        entry = draw_list(self.layout, context, "joint_settings", "joint_settings")
        if entry is not None:
            layout = split(self.layout)
            _draw_kind(context, layout, entry)
            draw_settings(context, layout, entry, "OMIPHYSICS_MT_joint_settings_kinds")
