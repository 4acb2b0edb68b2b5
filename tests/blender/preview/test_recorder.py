"""Recording the preview to a file."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.recorder import Recorder
from omi_physics_addon.blender.preview.stage import stage
from tests.blender.support.preview_scenes import body, fall, play


def test_recording_writes_poses_and_leaves_the_scene(tmp_path: Path) -> None:
    box = body("box", (1.0, 2.0, 3.0), mass=2.0)
    path = tmp_path / "poses.json"
    result = bpy.ops.scene.omi_physics_record(filepath=str(path), seconds=0.5)
    assert result == {"FINISHED"}
    data = json.loads(path.read_text(encoding="utf-8"))
    found = data["bodies"][0]
    assert (found["name"], found["type"]) == ("box", "dynamic")
    assert len(data["times"]) == 31
    assert found["position"][30] == pytest.approx([1.0, 3.0 - fall(0.5), -2.0], abs=1e-4)
    assert tuple(box.location) == (1.0, 2.0, 3.0)
    assert player.running() is None
    assert not stage.is_left()


def test_initial_speeds_are_in_the_first_frame(tmp_path: Path) -> None:
    bpy.context.scene.gravity = (0.0, 0.0, 0.0)
    body("box", linear_velocity=(0.0, -1.0, 0.0), angular_velocity=(0.0, 0.0, 2.0))
    path = tmp_path / "poses.json"
    bpy.ops.scene.omi_physics_record(filepath=str(path), seconds=1.0)
    found = json.loads(path.read_text(encoding="utf-8"))["bodies"][0]
    assert found["position"][0] == pytest.approx([0.0, 0.0, 0.0], abs=1e-5)
    assert found["position"][60] == pytest.approx([0.0, 0.0, 1.0], abs=1e-3)
    for i in (0, 30, 60):
        assert found["linearVelocity"][i] == pytest.approx([0.0, 0.0, 1.0], abs=1e-3)
        assert found["angularVelocity"][i] == pytest.approx([0.0, 2.0, 0.0], abs=2e-3)


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no bodies"):
        bpy.ops.scene.omi_physics_record(filepath=str(tmp_path / "a.json"))
    body("box")
    assert bpy.ops.scene.omi_physics_record(filepath=str(tmp_path / "a.txt")) == {"CANCELLED"}
    with pytest.raises(RuntimeError):
        bpy.ops.scene.omi_physics_record(filepath=str(tmp_path / "no" / "a.json"), seconds=0.1)
    assert not stage.is_left()
    player.start(bpy.context.scene)
    assert not bpy.ops.scene.omi_physics_record.poll()
    player.stop()


@pytest.mark.parametrize("every", [1, 4])
@pytest.mark.parametrize("is_moving", [False, True])
def test_watching_records_what_stepping_does(every: int, is_moving: bool) -> None:
    """A window plays frames by itself, and recorders hear of them afterwards."""
    speed = (0.0, -1.0, 0.0) if is_moving else (0.0, 0.0, 0.0)
    body("box", linear_velocity=speed, angular_velocity=(0.0, 0.0, speed[1]))
    stepping = Recorder(play(), every)
    for _ in range(6):
        stepping.step()
    player.stop()
    session = play()
    watching = Recorder(session, every)
    while len(watching.recording) < 6:
        session.step()
        watching.watch()
        watching.watch()  # Nothing new.
    player.stop()
    assert watching.recording.times == pytest.approx(stepping.recording.times)
    for found, wanted in zip(
        watching.recording.stacked(), stepping.recording.stacked(), strict=True
    ):
        assert found == pytest.approx(wanted, abs=1e-6)
