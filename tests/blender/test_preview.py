"""What the preview moves, against what physics says; all numbers in glTF's axes and SI units."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.options import Options
from omi_physics_addon.blender.preview.session import Session

from . import scenes

G = 9.81


@pytest.fixture(autouse=True)
def _stopped() -> Iterator[None]:
    yield
    player.stop()


def body(name: str, place: Any = (0.0, 0.0, 0.0), kind: str = "BOX", **values: Any) -> Any:
    """A dynamic body with a collider of its own, at a place in Blender's axes."""
    obj = scenes.add(name, scenes.cube_mesh(), location=place)
    scenes.add_collider(obj, kind)
    motion = scenes.add_body(obj)
    for key, value in values.items():
        setattr(motion, key, value)
    return obj


def play(**options: Any) -> Session:
    return player.start(bpy.context.scene, Options(**options))


def index(session: Session, name: str) -> int:
    """The body of an object."""
    read = [obj.name for obj in bpy.data.scenes[session.artist].objects]
    return session.world.body_of[read.index(name)]


def fall(time: float, step: float, substeps: int) -> float:
    """How far a thing falls in steps that first change the speed."""
    return 0.5 * G * time * (time + step / substeps)


def test_a_body_falls_as_it_should() -> None:
    bpy.context.scene.gravity = (0.0, 0.0, -G)
    body("ball", (1.0, 2.0, 50.0), "SPHERE")
    session = play()
    session.step(60)
    assert session.time == pytest.approx(1.0)
    place = session.poses().position[0]
    expected = (1.0, 50.0 - fall(1.0, 1 / 60, 4), -2.0)
    assert place == pytest.approx(expected, abs=1e-4)
    assert math.isclose(fall(1.0, 1 / 60, 4), 0.5 * G, rel_tol=5e-3)


def test_a_body_starts_with_its_velocity_and_spin() -> None:
    bpy.context.scene.gravity = (0.0, 0.0, 0.0)
    body("box", (0.0, 0.0, 0.0), linear_velocity=(1.0, 2.0, 3.0), angular_velocity=(0.0, 0.0, 2.0))
    session = play()
    session.step(62)
    assert session.time == pytest.approx(1.0)
    state = session.poses()
    assert state.position[0] == pytest.approx((1.0, 3.0, -2.0), abs=1e-4)
    turn = state.rotation[0] @ np.array([1.0, 0.0, 0.0])
    assert turn == pytest.approx((math.cos(2.0), 0.0, -math.sin(2.0)), abs=1e-4)


@pytest.mark.parametrize("factor", [-0.5, 0.0, 0.25, 3.0])
def test_gravity_factors_multiply_gravity(factor: float) -> None:
    bpy.context.scene.gravity = (0.0, 0.0, -G)
    body("ball", (0.0, 0.0, 0.0), "SPHERE", gravity_factor=factor, mass=7.0)
    session = play()
    session.step(60)
    place = session.poses().position[0]
    assert place == pytest.approx((0.0, -factor * fall(1.0, 1 / 60, 4), 0.0), abs=1e-4)
