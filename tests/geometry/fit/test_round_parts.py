"""What is round, and about which axle."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.fit.round_parts import round_part
from omi_physics_addon.geometry.rotations import rotation_matrix
from tests.support.vehicle_shapes import X, Y, box, ring

PLACE = np.array((3.0, -2.0, 1.0))


@pytest.mark.parametrize("corners", [8, 9, 12, 64])
@pytest.mark.parametrize("width", [0.05, 0.2, 0.7])
@pytest.mark.parametrize("is_given", [False, True])
def test_a_wheel_is_measured(corners: int, width: float, is_given: bool) -> None:
    axle = np.array((0.6, -0.48, 0.64))
    given = [axle] if is_given else np.eye(3)
    found = round_part(ring(0.35, width, axle, PLACE, corners), given)
    assert found is not None
    assert abs(found.axle @ axle) > np.cos(np.radians(0.5))
    assert found.radius == pytest.approx(0.35, rel=5e-3)
    assert found.width == pytest.approx(width, rel=0.02, abs=0.005)
    np.testing.assert_allclose(found.center, PLACE, atol=2e-3)


def test_a_wheel_with_uneven_vertices_is_measured() -> None:
    """Half of the rim is much finer, so that vertices alone do not tell the axle."""
    axle = np.array((0.6, -0.48, 0.64))
    fine = ring(0.35, 0.2, axle, PLACE, 128)
    half = fine[(fine - PLACE) @ np.array((0.64, 0.768, -0.024)) > 0.0]
    found = round_part(np.concatenate([half, ring(0.35, 0.2, axle, PLACE, 16)]))
    assert found is not None
    assert abs(found.axle @ axle) > np.cos(np.radians(1.0))
    assert found.radius == pytest.approx(0.35, rel=0.02)


def test_boxes_balls_and_rods_are_no_wheels() -> None:
    turns = np.random.default_rng(4).normal(size=(300, 3))
    ball = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    for points in (
        box((1.0, 1.0, 0.2), PLACE),
        ball,
        ring(0.1, 1.0, X, PLACE),
        ring(0.3, 0.1, Y, PLACE, 5),
        ring(0.3, 0.1, Y, PLACE) * (1.0, 1.0, 0.7),
        np.zeros((40, 3)),
        PLACE[None],
        np.full((40, 3), np.nan),
    ):
        assert round_part(points, np.eye(3)) is None


def test_a_wheel_is_the_same_in_any_size() -> None:
    turn = rotation_matrix((0.1, 0.7, 0.1, 0.7))
    for scale in (1e-3, 1.0, 1e4):
        found = round_part((ring(0.35, 0.2, X, (0, 0, 0)) @ turn.T + PLACE) * scale)
        assert found is not None
        assert found.radius == pytest.approx(0.35 * scale, rel=1e-3)
