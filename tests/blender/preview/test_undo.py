"""Undo and redo while a preview runs, and into steps that were made while one ran."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.stage import stage
from tests.blender.support.preview_scenes import body, play

PLACES = (1.0, 2.0, 3.0)


def push(text: str) -> None:
    bpy.ops.ed.undo_push(message=text)


def box() -> Any:
    return bpy.data.objects["box"]


def place() -> float:
    return box().location.x


@pytest.fixture
def scene() -> str:
    """The name of a scene, in which a box was moved to each place."""
    body("box")
    push("Made")
    for x in PLACES:
        box().location.x = x
        push("Moved")
    return bpy.context.scene.name


def ended(scene: str) -> bool:
    shown = bpy.context.window.scene.name
    return player.running() is None and not stage.is_left() and shown == scene


def test_undo_ends_the_preview_and_keeps_the_last_step(scene: str) -> None:
    play().step(10)
    bpy.ops.ed.undo()
    assert ended(scene)
    assert player.message == "Undo ended the preview"
    assert place() == 3.0
    bpy.ops.ed.undo()
    assert place() == 2.0
    bpy.ops.ed.redo()
    assert place() == 3.0


def test_what_was_changed_since_the_last_step_is_kept(scene: str) -> None:
    box().location.x = 7.0
    play().step(10)
    bpy.ops.ed.undo()
    assert ended(scene)
    assert place() == 3.0
    bpy.ops.ed.redo()
    assert place() == 7.0


def test_playing_takes_no_step_and_no_redo(scene: str) -> None:
    bpy.ops.ed.undo()
    assert place() == 2.0
    play().step(10)
    player.stop()
    bpy.ops.ed.redo()
    assert place() == 3.0
    for x in (2.0, 1.0, 0.0):
        bpy.ops.ed.undo()
        assert place() == x


def test_redo_ends_the_preview_and_redoes(scene: str) -> None:
    bpy.ops.ed.undo()
    play().step(10)
    bpy.ops.ed.redo()
    assert ended(scene)
    assert player.message == "Redo ended the preview"
    assert place() == 3.0


def test_steps_made_meanwhile_bring_no_preview_back(scene: str) -> None:
    """A number changed in the sidebar makes an undo step, with all that the preview made."""
    other = bpy.data.scenes.new("A First One").name
    window = bpy.context.window
    scenes: Any = bpy.data.scenes
    layer = scenes[scene].view_layers.new("Second").name
    window.view_layer = scenes[scene].view_layers[layer]
    count = len(bpy.data.objects)
    play().step(10)
    for mass in (2.0, 3.0):
        box().omi_physics.motion.mass = mass
        push("Mass")
    player.stop()
    push("After")
    for undo, mass in ((bpy.ops.ed.undo, 3.0), (bpy.ops.ed.undo, 2.0), (bpy.ops.ed.redo, 3.0)):
        undo()
        assert box().omi_physics.motion.mass == mass
        assert ended(scene)
        assert window.view_layer.name == "Second"
        assert len(bpy.data.objects) == count
    assert other in bpy.data.scenes


def test_undo_of_steps_made_meanwhile(scene: str) -> None:
    session = play()
    session.step(10)
    for mass in (2.0, 3.0):
        box().omi_physics.motion.mass = mass
        push("Mass")
    session.step(10)
    masses: list[float] = []
    for _ in range(3):
        bpy.ops.ed.undo()
        assert ended(scene)
        masses.append(box().omi_physics.motion.mass)
    assert masses == [3.0, 2.0, 1.0]
    play().step(10)
