"""Joint settings of older files measured as files do; they are lifted when they are opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.axes import Axes
from omi_physics_addon.blender.base import compat
from omi_physics_addon.blender.scene import joint_settings

PATH = 'omi_physics.joint_settings["Old"].drives[0].position_angle'


def old_settings() -> Any:
    """Settings as an older version had them, with a limit, a range of distance and a drive."""
    entry = bpy.context.scene.omi_physics.joint_settings.add()
    entry.name = "Old"
    turn, reach = entry.limits.add(), entry.limits.add()
    turn.kind, turn.axes = "ANGULAR", (False, False, True)
    turn.use_min, turn.min_angle, turn.use_max, turn.max_angle = True, -0.25, True, 1.5
    reach.axes, reach.use_max, reach.max_distance = (True, True, True), True, 2.0
    drive = entry.drives.add()
    drive.type, drive.axis = "ANGULAR", "Z"
    drive.use_position_target, drive.position_angle = True, 0.5
    drive.use_velocity_target, drive.velocity_angle = True, -1.0
    return entry


def stored(value: Any) -> Any:
    """What Blender stores of a value."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "to_list"):
        return value.to_list()
    return [stored(each) for each in value] if isinstance(value, list) else value


def as_older(path: Path) -> Path:
    """Save what is there as an older version would have: in a list, without a version."""
    group = bpy.context.scene.omi_physics
    (entry,) = group.joint_settings
    old = {key: stored(entry[key]) for key in entry.keys() if key != "version"}  # noqa: SIM118
    group["joint_settings"] = [{**old, "name": "Old"}]
    group.joint_settings.remove(0)
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def opened(path: Path) -> Any:
    bpy.ops.wm.open_mainfile(filepath=str(path), use_scripts=False)
    return bpy.context.scene.omi_physics.joint_settings["Old"]


def numbers(entry: Any) -> tuple[float, ...]:
    turn, reach = entry.limits
    (drive,) = entry.drives
    found = (turn.min_angle, turn.max_angle, reach.max_distance)
    return (*found, drive.position_angle, drive.velocity_angle)


@pytest.mark.usefixtures("_empty_file")
def test_an_older_file_says_what_it_said(tmp_path: Path) -> None:
    old_settings()
    entry = opened(as_older(tmp_path / "old.blend"))
    assert numbers(entry) == pytest.approx((-1.5, 0.25, 2.0, -0.5, 1.0))
    said = joint_settings.read_settings(entry, Axes(y_up=False))
    assert [(each.min, each.max) for each in said.limits] == [(-0.25, 1.5), (None, 2.0)]
    assert [each.position_target for each in said.drives] == [0.5]


@pytest.mark.usefixtures("_empty_file")
def test_what_is_lifted_once_stays(tmp_path: Path) -> None:
    old_settings()
    entry = opened(as_older(tmp_path / "old.blend"))
    before = numbers(entry)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "new.blend"))
    assert numbers(opened(tmp_path / "new.blend")) == before


@pytest.mark.usefixtures("_empty_file")
def test_settings_of_a_script_are_of_today(tmp_path: Path) -> None:
    before = numbers(old_settings())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "new.blend"))
    assert numbers(opened(tmp_path / "new.blend")) == before


@pytest.mark.usefixtures("_empty_file")
def test_keyframes_of_targets_are_lifted_with_them(tmp_path: Path) -> None:
    old_settings()
    scene = bpy.context.scene
    for frame, value in ((1, 0.5), (11, 1.0)):
        scene.gravity[0] = value
        scene.keyframe_insert("gravity", index=0, frame=frame)
    (curve,) = compat.curves(scene.animation_data)
    curve.data_path, curve.array_index = PATH, 0
    obj = bpy.data.objects.new("Joint", None)
    scene.collection.objects.link(obj)
    obj.omi_physics.joint["settings"] = "Old"
    entry = opened(as_older(tmp_path / "old.blend"))
    for frame, wanted in ((1, -0.5), (11, -1.0)):
        bpy.context.scene.frame_set(frame)
        assert entry.drives[0].position_angle == pytest.approx(wanted)
