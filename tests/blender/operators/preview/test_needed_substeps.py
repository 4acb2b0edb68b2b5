"""The button beside what needs more substeps sets them."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_addon.blender.preview import player
from tests.blender.preview.test_fast_bodies import shots, wall
from tests.blender.support.preview_scenes import gravity


@pytest.fixture(autouse=True)
def _stopped(stopped_preview: None) -> None:
    gravity(0.0)


def test_as_many_substeps_as_are_told_are_set_and_the_list_is_made_anew() -> None:
    scene = bpy.context.scene
    wall("BOX", 0.02)
    shots("BOX", 0.1, 40.0)
    bpy.ops.scene.omi_physics_preview_check()
    (told,) = (each for each in player.kept_limitations(scene.name) if each.substeps)
    assert told.substeps == 12
    assert bpy.ops.scene.omi_physics_preview_set_substeps(substeps=told.substeps) == {"FINISHED"}
    assert scene.omi_physics.preview.substeps == 12
    assert not any(each.substeps for each in player.kept_limitations(scene.name))


def test_substeps_are_not_set_while_a_preview_runs() -> None:
    shots("BOX", 0.1, 40.0)
    player.start(bpy.context.scene)
    assert not bpy.ops.scene.omi_physics_preview_set_substeps.poll()
