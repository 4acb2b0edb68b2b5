"""Makes joints hinges, sliders or others, by name."""

from __future__ import annotations

from typing import Any, Final, cast

import bpy

from ...base import groups
from ...properties import joint_choices
from ...properties.entries import is_editable
from ...properties.joints import units_of
from ..chosen_objects import (
    OnScene,
    active_entry,
    changed,
    done,
    lists_changed,
    pgettext_rpt,
    refuse,
    report,
    split,
)
from .chosen_joints import NO_JOINT, OnJoints, joint_targets


class Preset(joint_choices.JointPreset):
    """Shows of the properties of a kind of joint what counts."""

    def draw(self, context: bpy.types.Context) -> None:
        """Only what the kind has."""
        layout = split(cast(Any, self).layout)
        draw_kind(layout, self)


class OMIPHYSICS_OT_set_joint_kind(
    Preset, joint_choices.SettingsTarget, OnJoints, bpy.types.Operator
):
    """Makes the selected joints hinges, sliders or others."""

    bl_idname = "object.omi_physics_set_joint_kind"
    bl_label = "Set Joint Kind"
    bl_description = "Change the selected joints to hinges, sliders or another kind"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Settings that joints share are changed for all of them, unless new ones are made."""
        from ....model import joint_kinds, joint_words
        from ...authoring import joint_texts
        from ...authoring.joint_making import asked, new_entry
        from ...scene import joint_settings

        found = joint_targets(context)
        if not found:
            return refuse(self, NO_JOINT)
        scene: Any = context.scene
        kind = asked(self)
        settings = joint_kinds.make(kind)
        entries = {} if self.make_new else {each.name: each for each in _entries(found, scene)}
        for entry in entries.values():
            joint_settings.show_in_blender(settings, entry)
        lost = [obj for obj in found if groups.read(obj).joint.settings not in entries]
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
    from ...authoring.joint_making import settings_of

    entries = [settings_of(obj, scene) for obj in found]
    return [entry for entry in entries if entry is not None and is_editable(entry)]


class OMIPHYSICS_OT_set_joint_settings_kind(Preset, OnScene, bpy.types.Operator):
    """Makes the active joint settings those of a hinge, a slider or others."""

    bl_idname = "scene.omi_physics_set_joint_settings_kind"
    bl_label = "Set Joint Settings Kind"
    bl_description = "Change the active joint settings to those of a hinge or another kind"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Without an active entry of this file there will be a new one."""
        from ....model import joint_kinds, joint_words
        from ...authoring import joint_texts
        from ...authoring.joint_making import asked, new_entry
        from ...scene import joint_settings

        kind = asked(self)
        settings = joint_kinds.make(kind)
        entry = active_entry(context, "joint_settings")
        if entry is None or not is_editable(entry):
            entry = new_entry(context.scene, settings, joint_words.NAMES[kind.kind])
        else:
            joint_settings.show_in_blender(settings, entry)
        lists_changed(context)
        what = joint_texts.name_of_kind(entry, context.scene)
        return done(self, "{name}: {what}", name=entry.name, what=what)


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
    """Draw the properties of `JointPreset` that count for the chosen kind.

    What is off is gray and keeps its place: a redo panel grows upward, below the pointer.
    """
    from ....model import joint_kinds

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
        shown = column.column(align=True)
        shown.enabled = not flag or getattr(group, flag)
        for value in values:
            shown.prop(group, value)
    column = layout.column(align=True)
    column.prop(group, "is_soft")
    is_both = group.kind in ("PISTON", "SIX_DOF")  # Springs along axes and about them.
    ways = (False, True) if is_both else (_TURN in rows,)
    units = [", ".join(each) for each in zip(*map(units_of, ways), strict=True)]
    shown = column.column(align=True)
    shown.enabled = group.is_soft
    for name, unit in zip(("stiffness", "damping"), units, strict=False):
        _draw_with_unit(shown, group, name, name.title(), unit)
    if group.kind in ("SERVO", "MOTOR"):
        _draw_drive(layout, group)


def _draw_drive(layout: Any, group: Any) -> None:
    is_angular = group.drive_type == "ANGULAR"
    unit = "angle" if is_angular else "distance"
    stiffness, damping, force = units_of(is_angular, group.drive_mode)
    speed = {"text": "Speed (/s)"} if is_angular else {}
    column = layout.column(align=True)
    if group.kind == "SERVO":
        column.prop(group, f"target_{unit}")
        _draw_with_unit(column, group, "drive_stiffness", "Strength", stiffness)
    else:
        column.prop(group, f"speed_{unit}", **speed)
    _draw_with_unit(column, group, "drive_damping", "Drive Damping", damping)
    column.prop(group, "drive_mode")
    column.prop(group, "use_max_force")
    shown = column.column(align=True)
    shown.enabled = group.use_max_force
    _draw_with_unit(shown, group, "max_force", "Max Force", force)


def _draw_with_unit(layout: Any, group: Any, name: str, label: str, unit: str) -> None:
    layout.prop(group, name, text=f"{pgettext_rpt(label)} ({unit})", translate=False)
