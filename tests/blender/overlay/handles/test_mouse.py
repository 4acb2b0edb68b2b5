"""How far the mouse has pulled, from any side."""

from __future__ import annotations

import math

import pytest
from mathutils import Matrix, Vector

from omi_physics_addon.blender.overlay.handles import mouse
from omi_physics_addon.blender.overlay.handles.handle import Space

EYE = Vector((30.0, -40.0, 20.0))
MATRIX = Matrix.LocRotScale((5.0, 1.0, 0.0), Matrix.Rotation(0.7, 3, "Z"), (2.0, 3.0, 4.0))


def ray_to(place: Vector) -> Vector:
    return (place - EYE).normalized()


@pytest.mark.parametrize("axis", range(3))
def test_lines_are_measured_in_the_units_of_their_space(axis: int):
    way = Vector([float(i == axis) for i in range(3)])
    handle = Space(MATRIX).along("key", "Label", [], (0.1, 0.2, 0.3), way, value=0.0)
    target = handle.place + handle.way * 1.5
    assert mouse.far(handle, EYE, ray_to(target)) == pytest.approx(1.5, abs=1e-4)
    assert (target - MATRIX @ (Vector((0.1, 0.2, 0.3)) + way * 1.5)).length < 1e-5
    toward = handle.way.normalized()
    assert mouse.far(handle, handle.place + toward, -toward) is None


def test_a_line_of_no_length_cannot_be_pulled():
    handle = Space(Matrix.Diagonal((0.0, 1.0, 1.0, 1.0))).along(
        "key", "Label", [], (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), value=0.0
    )
    assert mouse.far(handle, EYE, ray_to(Vector())) is None


@pytest.mark.parametrize("mirrored", [False, True])
def test_angles_are_those_of_the_space(mirrored: bool):
    matrix = Matrix.Diagonal((-1.0 if mirrored else 1.0, 1.0, 1.0, 1.0)) @ Matrix.Translation(
        (1.0, 2.0, 3.0)
    )
    handle = Space(matrix).about("key", "Label", [], (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), value=0.0)
    turned = matrix @ (Matrix.Rotation(0.8, 3, "Z") @ Vector((1.0, 0.0, 0.0)))
    before, after = (mouse.far(handle, EYE, ray_to(place)) for place in (handle.place, turned))
    assert before is not None
    assert after is not None
    assert mouse.step(handle, before, after) == pytest.approx(0.8, abs=1e-4)


def test_a_turn_goes_on_over_the_half_turn():
    handle = Space(Matrix()).about("key", "Label", [], (1, 0, 0), (0, 0, 1), value=0.0)
    total, last = 0.0, None
    for i in range(25):
        place = Matrix.Rotation(math.radians(20.0 * i), 3, "Z") @ Vector((1.0, 0.0, 0.0))
        now = mouse.far(handle, EYE, ray_to(place))
        assert now is not None
        total += 0.0 if last is None else mouse.step(handle, last, now)
        last = now
    assert total == pytest.approx(math.radians(480.0), abs=1e-3)


def test_a_plane_that_is_seen_edge_on_is_still_turned():
    handle = Space(Matrix()).about("key", "Label", [], (1, 0, 0), (0, 0, 1), value=0.0)
    eye = Vector((0.3, -10.0, 0.0))
    ray = Vector((0.0, 1.0, 0.0))
    assert mouse.far(handle, eye, ray) is not None
