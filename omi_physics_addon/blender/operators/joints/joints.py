"""Sets what joints do: kinds by name, shared settings, copies of them."""

from __future__ import annotations

from typing import Any, Final, cast

import bpy

from ....model import joint_kinds, joint_words
from ...authoring import joint_texts
from ...authoring.joint_making import asked, fill, new_entry, settings_of, users
from ...base import groups
from ...properties import joint_choices, names
from ..chosen_objects import (
    active_entry,
    can_edit_scene,
    changed,
    done,
    has_targets,
    lists_changed,
    message,
    refuse,
    report,
    targets,
)
from ..copying import copy_group

_NO_JOINT: Final = "Select objects that are joints"


def joint_targets(context: bpy.types.Context) -> list[Any]:
    """The joints among the objects an operator works on."""
    return [obj for obj in targets(context) if groups.of_object(obj).use_joint]


class OnJoints:
    """An operator on the selected joints and the list of settings of the scene."""

    bl_options: Any = {"REGISTER", "UNDO"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the object that is shown is a joint, or another one is selected."""
        if not can_edit_scene(cls, context):
            return False
        shown: Any = context.object
        if shown is not None and groups.of_object(shown).use_joint and has_targets(context):
            return True
        if any(groups.of_object(obj).use_joint for obj in context.selected_editable_objects):
            return True
        message(cls, _NO_JOINT)
        return False


class Preset(joint_choices.JointPreset):
    """Shows of the properties of a kind of joint what counts."""

    def draw(self, context: bpy.types.Context) -> None:
        """Only what the kind has."""
        layout = cast(Any, self).layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        draw_kind(layout, self)


class OMIPHYSICS_OT_set_joint_kind(
    Preset, joint_choices.SettingsTarget, OnJoints, bpy.types.Operator
):
    """Makes the selected joints hinges, sliders or others."""

    bl_idname = "object.omi_physics_set_joint_kind"
    bl_label = "Set Joint Kind"
    bl_description = (
        "Make the selected joints hinges, sliders or others, by changing their settings"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Settings that joints share are changed for all of them, unless new ones are made."""
        found = joint_targets(context)
        if not found:
            return refuse(self, _NO_JOINT)
        chosen: Any = self
        scene: Any = context.scene
        kind = asked(self)
        settings = joint_kinds.make(kind)
        entries = {} if chosen.make_new else {each.name: each for each in _entries(found, scene)}
        for entry in entries.values():
            fill(entry, settings)
        lost = [obj for obj in found if groups.of_object(obj).joint.settings not in entries]
        if lost:
            name = new_entry(scene, settings, joint_words.NAMES[kind.kind]).name
            for obj in lost:
                groups.of_object(obj).joint.settings = name
        for obj in found:
            changed(obj)
        what = joint_words.joint(settings, joint_texts.speech(scene))
        one, many = "{count} joint: {what}", "{count} joints: {what}"
        return report(self, one, many, len(found), what=what)

    def draw(self, context: bpy.types.Context) -> None:
        """The kind, and whose settings change."""
        super().draw(context)
        cast(Any, self).layout.prop(self, "make_new")


def _entries(found: list[Any], scene: Any) -> list[Any]:
    entries = [settings_of(obj, scene) for obj in found]
    return [entry for entry in entries if entry is not None]


class OMIPHYSICS_OT_set_joint_settings_kind(Preset, bpy.types.Operator):
    """Makes the active joint settings those of a hinge, a slider or others."""

    bl_idname = "scene.omi_physics_set_joint_settings_kind"
    bl_label = "Set Joint Settings Kind"
    bl_description = "Make the active joint settings of the scene those of a hinge or another joint"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the scene can be edited."""
        return can_edit_scene(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Without an active entry there will be a new one."""
        kind = asked(self)
        settings = joint_kinds.make(kind)
        entry = active_entry(context, "joint_settings")
        if entry is None:
            entry = new_entry(context.scene, settings, joint_words.NAMES[kind.kind])
        else:
            fill(entry, settings)
        lists_changed(context)
        what = joint_texts.name_of_kind(entry, context.scene)
        return done(self, "{name}: {what}", name=entry.name, what=what)


class OMIPHYSICS_OT_single_user_joint_settings(OnJoints, bpy.types.Operator):
    """Gives each selected joint settings of its own."""

    bl_idname = "object.omi_physics_single_user_joint_settings"
    bl_label = "Make Joint Settings Single User"
    bl_description = (
        "Give each of the selected joints a copy of its settings that no other one uses"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Joints that share with nobody stay as they are."""
        scene = context.scene
        counts: dict[str, int] = {}
        for obj in names.objects_of(scene):
            group = groups.of_object(obj)
            if group.use_joint:
                counts[group.joint.settings] = counts.get(group.joint.settings, 0) + 1
        count = 0
        for obj in joint_targets(context):
            entry = settings_of(obj, scene)
            if entry is not None and counts[entry.name] > 1:
                counts[entry.name] -= 1
                groups.of_object(obj).joint.settings = copied(scene, entry).name
                changed(obj)
                count += 1
        if not count:
            return refuse(self, "The selected joints share their settings with no other one")
        one, many = "Gave {count} joint its own settings", "Gave {count} joints their own settings"
        return report(self, one, many, count)


class OMIPHYSICS_OT_unlink_joint_settings(OnJoints, bpy.types.Operator):
    """Lets the selected joints use no settings."""

    bl_idname = "object.omi_physics_unlink_joint_settings"
    bl_label = "Unlink Joint Settings"
    bl_description = "Let the selected joints use no settings; those stay in the list of the scene"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Joints without settings stay as they are."""
        found = [obj for obj in joint_targets(context) if groups.of_object(obj).joint.settings]
        if not found:
            return refuse(self, "The selected joints have no settings")
        for obj in found:
            groups.of_object(obj).joint.settings = ""
            changed(obj)
        one, many = "Unlinked {count} joint", "Unlinked {count} joints"
        return report(self, one, many, len(found))


class OMIPHYSICS_OT_duplicate_joint_settings(
    joint_choices.SettingsName, joint_choices.AssignCopy, bpy.types.Operator
):
    """Copies joint settings of the scene."""

    bl_idname = "scene.omi_physics_duplicate_joint_settings"
    bl_label = "Duplicate Joint Settings"
    bl_description = "Copy joint settings of the scene under a new name"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there are joint settings."""
        if can_edit_scene(cls, context) and groups.of_scene(context.scene).joint_settings:
            return True
        message(cls, "The scene has no joint settings")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """The copy becomes the active entry."""
        chosen: Any = self
        entry = entry_named(context, chosen.settings)
        if entry is None:
            return refuse(self, "The list has no active entry")
        name = copied(context.scene, entry).name
        if chosen.assign:
            for obj in joint_targets(context):
                groups.of_object(obj).joint.settings = name
                changed(obj)
        return done(self, "Added {name}", name=name)


class OMIPHYSICS_OT_copy_joint_settings(joint_choices.CopySettings, bpy.types.Operator):
    """Lets the selected joints do what the active one does."""

    bl_idname = "object.omi_physics_copy_joint_settings"
    bl_label = "Copy Joint Settings"
    bl_description = "Let the other selected joints use the settings of the active one, or copies"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active object is a joint with settings, and others are selected."""
        active: Any = context.object
        if not can_edit_scene(cls, context):
            return False
        if (
            active is None
            or not groups.of_object(active).use_joint
            or not groups.of_object(active).joint.settings
        ):
            message(cls, "The active object must be a joint with settings")
            return False
        selected = context.selected_editable_objects
        if any(obj != active and groups.of_object(obj).use_joint for obj in selected):
            return True
        message(cls, "Select the joints to copy to, and last the one to copy from")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those that use the settings already get copies if asked for."""
        chosen: Any = self
        active: Any = context.object
        entry = settings_of(active, context.scene)
        if entry is None:
            return refuse(self, "The settings of the active joint are missing in the scene")
        source: str = entry.name
        others = [obj for obj in joint_targets(context) if obj != active]
        for obj in others:
            name = source
            if chosen.make_copy:
                name = copied(context.scene, entry_named(context, source)).name
            groups.of_object(obj).joint.settings = name
            changed(obj)
        one, many = "{count} joint does as {name}", "{count} joints do as {name}"
        return report(self, one, many, len(others), name=active.name)


class OMIPHYSICS_OT_select_same_joint_settings(bpy.types.Operator):
    """Selects the joints that share the settings of the active one."""

    bl_idname = "object.omi_physics_select_same_joint_settings"
    bl_label = "Select Joints with Same Settings"
    bl_description = "Select the joints that use the same settings as the active one"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active object is a joint with settings."""
        active: Any = context.object
        if (
            active is not None
            and groups.of_object(active).use_joint
            and groups.of_object(active).joint.settings
        ):
            return True
        message(cls, "The active object must be a joint with settings")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Hidden ones cannot be selected."""
        active: Any = context.object
        found = set(users(context.scene, groups.of_object(active).joint.settings))
        view_layer: Any = context.view_layer
        count = 0
        for obj in view_layer.objects:
            if obj in found and obj.visible_get() and not obj.hide_select:
                obj.select_set(True)
                count += 1
        return report(self, "Selected {count} object", "Selected {count} objects", count)


def entry_named(context: bpy.types.Context, name: str) -> Any:
    """The entry of the scene's list with a name, the active one without; None for none."""
    if not name:
        return active_entry(context, "joint_settings")
    return groups.of_scene(context.scene).joint_settings.get(name)


def copied(scene: Any, entry: Any) -> Any:
    """A copy of an entry of the scene's list under a name of its own; it becomes the active one."""
    name: str = entry.name
    entries = groups.of_scene(scene).joint_settings
    copy = names.add(entries, name)
    own: str = copy.name
    copy_group(entries[name], copy)
    copy.known_as = own
    copy.name = own
    groups.of_scene(scene).joint_settings_index = len(entries) - 1
    return copy


# Which properties of `JointPreset` count for a kind, in the order they are shown.
_WAY: Final = ("use_range", "min_distance", "max_distance")
_TURN: Final = ("use_turn", "min_angle", "max_angle")
_OF_KIND: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "HINGE": (_TURN,),
    "SLIDER": (_WAY,),
    "PISTON": (_WAY, _TURN),
    "ROPE": (("", "length", "min_length"),),
    "CONE_TWIST": (("", "swing"), _TURN),
    "SIX_DOF": (("", "reach", "tilt"),),
}


def draw_kind(layout: Any, group: Any) -> None:
    """Draw the properties of `JointPreset` that count for the chosen kind."""
    layout.prop(group, "kind")
    if group.kind.lower() in joint_kinds.WITH_AXIS:
        layout.row().prop(group, "axis", expand=True)
    rows = _OF_KIND.get(group.kind, ())
    if group.kind in ("SERVO", "MOTOR"):
        layout.row().prop(group, "drive_type", expand=True)
        rows = (_TURN,) if group.drive_type == "ANGULAR" else (_WAY,)
    for flag, *values in rows:
        column = layout.column(align=True)
        if flag:
            column.prop(group, flag)
        if not flag or getattr(group, flag):
            for value in values:
                column.prop(group, value)
    column = layout.column(align=True)
    column.prop(group, "is_soft")
    if group.is_soft:
        column.prop(group, "stiffness")
        column.prop(group, "damping")
    if group.kind in ("SERVO", "MOTOR"):
        _draw_drive(layout, group)


def _draw_drive(layout: Any, group: Any) -> None:
    unit = "angle" if group.drive_type == "ANGULAR" else "distance"
    column = layout.column(align=True)
    column.prop(group, f"target_{unit}" if group.kind == "SERVO" else f"speed_{unit}")
    if group.kind == "SERVO":
        column.prop(group, "drive_stiffness")
    column.prop(group, "drive_damping")
    column.prop(group, "drive_mode")
    column.prop(group, "use_max_force")
    if group.use_max_force:
        column.prop(group, "max_force")


CLASSES = (
    OMIPHYSICS_OT_set_joint_kind,
    OMIPHYSICS_OT_set_joint_settings_kind,
    OMIPHYSICS_OT_single_user_joint_settings,
    OMIPHYSICS_OT_unlink_joint_settings,
    OMIPHYSICS_OT_duplicate_joint_settings,
    OMIPHYSICS_OT_copy_joint_settings,
    OMIPHYSICS_OT_select_same_joint_settings,
)
