"""Scenes at the edge of what physics knows: nothing gives way, all want the same, all is thin."""

from __future__ import annotations

import math
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.preview import player
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import (
    axes,
    body,
    drive,
    gravity,
    joint,
    limit,
    place,
    play,
    run,
    shown,
)

pytestmark = pytest.mark.usefixtures("no_gravity")


def hinge(name: str, on: Any, to: Any, at: float) -> Any:
    """The settings of a hinge about Blender's Z."""
    entry = joint(name, on, to, (at, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XY", 0.0, 0.0)
    return entry


def angle(session: Any, name: str) -> float:
    x = axes(session, name)[:, 0]
    return math.atan2(x[1], x[0])


@pytest.mark.parametrize("mass", ["INFINITE", "VALUE"])
def test_a_drive_that_can_turn_nothing_stops_no_other(mass: str) -> None:
    first, second = body("first"), body("second", (3.0, 0.0, 0.0))
    first.omi_physics.motion.mass_mode = mass
    first.omi_physics.motion.inertia_mode = "INFINITE"
    servo = {"stiffness": 100.0, "damping": 50.0}
    drive(hinge("One", None, first, 0.0), "ANGULAR", "Z", position=1.0, **servo)
    drive(hinge("Two", first, second, 1.5), "ANGULAR", "Z", position=0.5, **servo)
    session = play()
    run(session, 4.0)
    assert player.running() is session
    assert not session.error
    assert angle(session, "first") == pytest.approx(0.0, abs=1e-3)
    assert angle(session, "second") == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("stiffness", [1e4, 1e30])
def test_two_drives_may_want_the_same(stiffness: float) -> None:
    first, second = body("first"), body("second", (3.0, 0.0, 0.0))
    hinge("One", None, first, 0.0)
    entry = hinge("Two", first, second, 1.5)
    for _ in range(2):
        drive(entry, "ANGULAR", "Z", stiffness=stiffness, damping=stiffness / 10.0, position=0.1)
    session = play()
    run(session, 2.0)
    assert not session.error
    between = angle(session, "second") - angle(session, "first")
    assert between == pytest.approx(0.1, abs=0.01)


def test_a_wide_floor_may_be_as_thin_as_paper() -> None:
    gravity()
    ground = scenes.add("ground", scenes.cube_mesh())
    scenes.add_collider(ground, "BOX")
    ground.scale = (1000.0, 1000.0, 0.0004)
    body("box", (0.0, 0.0, 0.52))
    session = play()
    run(session, 1.0)
    assert place(session, "box")[2] == pytest.approx(0.5, abs=5e-3)


def test_pictures_may_stand_in_the_scene() -> None:
    """Reference images are data that nothing can animate."""
    picture = scenes.add("picture", None)
    picture.empty_display_type = "IMAGE"
    picture.data = bpy.data.images.new("drawing", 4, 4)
    picture.empty_display_size, picture.empty_image_depth = 3.0, "BACK"
    picture.empty_image_offset = (-0.25, 0.0)
    picture.use_empty_image_alpha, picture.color = True, (1.0, 1.0, 1.0, 0.5)
    picture.image_user.frame_start = 7
    scenes.add("frame without a picture", None).empty_display_type = "IMAGE"
    body("box")
    copy = shown(play(), "picture")
    for name in ("data", "empty_display_size", "empty_image_depth", "use_empty_image_alpha"):
        assert getattr(copy, name) == getattr(picture, name)
    assert copy.empty_image_offset[:] == picture.empty_image_offset[:]
    assert copy.color[:] == picture.color[:]
    assert copy.image_user.frame_start == 7
