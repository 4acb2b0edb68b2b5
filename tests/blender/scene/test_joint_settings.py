"""Every field of limits and drives: in a scene, in a file, in the overlay and in the panels."""

from __future__ import annotations

import dataclasses
from typing import Any

import bpy
import pytest

from omi_physics_addon.axes import Axes
from omi_physics_addon.blender.overlay.joint_marks import KnownSettings
from omi_physics_addon.blender.scene.joint_settings import is_reversed, read_settings, show_settings
from omi_physics_addon.codec.values.joint_records import write_settings
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.fields import AxisIndex, FieldInfo, Quantity, table
from omi_physics_addon.model.joints import JointDrive, JointLimit, JointSettings
from tests.blender.panels.test_panels import context, draw, panel
from tests.support.documents import writing

PLAIN = Axes(y_up=False)
BASE = {JointLimit: JointLimit(linear_axes=(AxisIndex(0),)), JointDrive: JointDrive()}
FIELDS = [(record, info) for record in BASE for info in table(record)]
WORDS = {"type": "angular", "mode": "acceleration"}
# No field of the file, or one that only shows what the file had.
NOT_SHOWN = {"rna_type", "name", "kept", "split_from"}

every_field = pytest.mark.parametrize(
    ("record", "info"), FIELDS, ids=lambda value: getattr(value, "__name__", None) or value.name
)


def other_value(info: FieldInfo) -> Any:
    """A value that is not the default."""
    if info.type is float:
        return 0.5
    if info.type is bool:
        return not info.default
    if info.type is AxisIndex:
        return AxisIndex(1)
    return (AxisIndex(1),) if info.item is AxisIndex else WORDS.get(info.name, "other")


def settings_with(record: type, info: FieldInfo) -> JointSettings:
    """Settings with one limit or drive, which has another value than usual in one field."""
    base: Any = BASE[record]
    if info.name == "angular_axes":
        base = dataclasses.replace(base, linear_axes=())
    row = dataclasses.replace(base, **{info.name: other_value(info)})
    return settings_of(row)


def settings_of(row: Any) -> JointSettings:
    """Settings with nothing but one limit or drive."""
    part = "limits" if isinstance(row, JointLimit) else "drives"
    return JointSettings(name="A", **{part: (row,)})


def shown(settings: JointSettings) -> Any:
    """A new entry of the scene's list that shows settings."""
    entry = bpy.context.scene.omi_physics.joint_settings.add()
    entry.name = settings.name
    show_settings(settings, entry, PLAIN, per_axis=False, issues=Issues())
    return entry


@every_field
def test_a_scene_gives_back_what_it_shows(record, info):
    settings = settings_with(record, info)
    assert read_settings(shown(settings), PLAIN) == settings


def test_equal_limits_of_two_axes_stay_two():
    limits = tuple(JointLimit(linear_axes=(AxisIndex(i),), min=-1.0) for i in range(2))
    settings = JointSettings(name="A", limits=limits)
    assert read_settings(shown(settings), PLAIN) == settings


@pytest.mark.parametrize(
    ("low", "high", "is_told"), [(-1.0, 1.0, False), (1.0, 1.0, False), (1.0, -1.0, True)]
)
def test_ends_in_the_wrong_order_are_told(low, high, is_told):
    (row,) = shown(settings_of(JointLimit(linear_axes=(AxisIndex(0),), min=low, max=high))).limits
    assert is_reversed(row) is is_told


@every_field
def test_a_file_has_the_key(record, info):
    out = write_settings(settings_with(record, info), "", writing())
    (row,) = out["limits"] if record is JointLimit else out["drives"]
    assert info.key in row


@every_field
def test_the_overlay_sees_a_change(record, info):
    scene = bpy.context.scene
    shown(settings_of(BASE[record]))
    known = KnownSettings()
    known.get("A")
    assert not known.changed(())
    scene.omi_physics.joint_settings.clear()
    shown(settings_with(record, info))
    assert known.changed(()) == {"A"}


@every_field
def test_has_no_direction(record, info):
    """`Axes` turns limits and drives by hand: a field with a direction must be added there."""
    assert info.field.quantity is Quantity.SCALAR


@pytest.mark.parametrize("part", ["limits", "drives"])
def test_the_panel_shows_every_property(part):
    entry = bpy.context.scene.omi_physics.joint_settings.add()
    row: Any = getattr(entry, part).add()
    drawn = set[str]()
    for kind in ("LINEAR", "ANGULAR", "OTHER") if part == "drives" else ("LINEAR", "ANGULAR"):
        if part == "drives":
            row.type, row.mode = kind, "OTHER"
        else:
            row.kind = kind
        for prop in row.bl_rna.properties:
            if prop.identifier.startswith("use_"):
                setattr(row, prop.identifier, True)
        layout: Any = draw(panel("joint_settings"), context())
        drawn |= {name for owner, name in layout.shown if owner == type(row).__name__}
    missing = {p.identifier for p in row.bl_rna.properties} - NOT_SHOWN - drawn
    assert not missing, f"panels/joints.py does not draw {missing}"
