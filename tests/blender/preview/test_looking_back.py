"""The timeline of a copy shows what was played once more, as it was."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.session import Session
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body, floor, gravity, material, play, tied, volume

pytestmark = pytest.mark.usefixtures("standard_gravity")


def falls() -> None:
    body("ball", (0.0, 0.0, 3.0), "SPHERE")


def bounces() -> None:
    """Motors are put to the ball while it touches the floor."""
    material("rubber", body("ball", (0.0, 0.0, 2.0), "SPHERE"), floor(), restitution=0.8)


def is_pulled_aside() -> None:
    """Two motors push it, and the second comes while it falls."""
    gravity(0.0)
    body("ball", (0.0, 0.0, 2.0), "SPHERE")
    for place, direction in (((0.0, 0.0, 2.0), (0, 0, -1)), ((0.0, 0.0, -1.0), (1, 0, 0))):
        pull = volume("Gravity", "DIRECTIONAL", "BOX", gravity=6.0)
        pull.location, pull.omi_physics.trigger.shape.box.size = place, (2.0, 2.0, 2.0)
        pull.omi_physics.gravity.directional.direction = direction


def matrices(session: Session) -> Any:
    return session.bodies.matrices().copy()


@pytest.mark.parametrize(
    "build",
    [falls, bounces, is_pulled_aside],
    ids=lambda one: one.__name__,
)
def test_frames_are_seen_again_as_they_were(build: Callable[[], None]) -> None:
    build()
    session = play()
    there: dict[int, Any] = {}
    for _ in range(100):
        session.step(1)
        there[session.frame] = matrices(session)
    for frame in (1, *there):
        session.scene.frame_set(frame)
        if frame in there:
            assert np.array_equal(matrices(session), there[frame]), frame
    session.step(20)
    session.scene.frame_set(60)
    session.scene.frame_set(session.frame + 1)  # Which Bullet cannot make from there.
    assert session.frame == 121
    session.step(20)  # From the last one.
    went_on = matrices(session)
    player.stop()
    session = play()
    session.step(140)
    assert np.array_equal(matrices(session), went_on)


def stands_in_the_floor() -> None:
    """It is damped until it has come out."""
    body("box", (0.0, 0.0, 0.47))
    floor()


def thrown() -> None:
    body("ball", (0.0, 0.0, 3.0), "SPHERE", linear_velocity=(1.0, 0.0, 0.0))


def lifted() -> None:
    lift = scenes.add("Lift", scenes.cube_mesh())
    scenes.add_collider(lift)
    for frame, height in ((1, 0.0), (60, 2.0)):
        lift.location.z = height
        lift.keyframe_insert("location", frame=frame)
    body("Cargo", (0.0, 0.0, 1.0))


@pytest.mark.parametrize(
    "build", [stands_in_the_floor, thrown, lifted], ids=lambda one: one.__name__
)
def test_where_frames_are_not_kept_looking_back_ends_it(build: Callable[[], None]) -> None:
    """Blender would make them anew: without damping or velocity, and with the lift elsewhere."""
    build()
    session = play()
    session.step(30)
    session.scene.frame_set(session.frame)  # What is there already is no look back.
    session.step(1)
    assert session.error == ""
    session.scene.frame_set(10)
    assert session.error == player.LOOKED_BACK
    assert player.message == player.LOOKED_BACK


def test_bullet_takes_no_step_without_a_motor_that_was_removed() -> None:
    """It would crash Blender, most times."""
    is_pulled_aside()
    session = play(show=False)
    session.step(5)
    bpy.data.objects.remove(tied(session)[0].id_data)
    session.step(3)
    assert session.error == player.GONE
    assert not session.scene.rigidbody_world.enabled
    player.stop()


def test_what_is_over_pauses_at_its_end_and_not_when_it_is_seen_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    falls()
    session = play(seconds=1.0)
    asked: list[Any] = []
    monkeypatch.setattr(player, "_soon", asked.append)
    session.step(session.options.frames - 1)
    assert asked == [player.pause]
    for frame in range(1, session.frame):
        session.scene.frame_set(frame)
    assert asked == [player.pause]
    session.scene.frame_set(session.frame)
    assert asked == [player.pause] * 2


def test_a_drag_of_the_timeline_ends_before_the_preview_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It goes on with the scene that the end of a preview removes."""
    thrown()
    session = play()
    session.step(10)
    session.scene.frame_set(3)
    dragging = [SimpleNamespace(bl_idname="ANIM_OT_change_frame")]
    with monkeypatch.context() as patched:
        window = SimpleNamespace(modal_operators=dragging)
        patched.setattr(player, "windows", lambda: [window])
        assert player._stop_failed()
        assert player.running() is session
    assert player._stop_failed() is None
    assert player.running() is None
