from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.fit.placed_shape import Placed
from omi_physics_addon.model.shapes import Box, Capsule

TURN = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize(("low", "high"), [(-0.5, 0.5), (-0.2, 0.8)])
def test_a_capsule_within_points_ends_where_they_do(low: float, high: float) -> None:
    capsule = Capsule(height=2.0, radius_bottom=0.1, radius_top=0.2)
    points = np.array([[1.0, y, 0.05] for y in (low, 0.0, high)]) @ TURN.T
    found = Placed(capsule, TURN @ [1.0, 0.1, 0.0], TURN).within(points)
    assert isinstance(found.geometry, Capsule)
    assert found.geometry.height == pytest.approx(high - low - 0.3)
    x, y, _ = found.center @ TURN
    assert x == pytest.approx(1.0)
    assert y - found.geometry.height / 2.0 - 0.1 == pytest.approx(low)


def test_other_shapes_and_short_capsules_stay() -> None:
    points = np.array([[0.0, -0.1, 0.0], [0.0, 0.1, 0.0]])
    for shape in (Box(), Capsule(height=1.0, radius_bottom=0.1, radius_top=0.1)):
        placed = Placed(shape, np.zeros(3), np.eye(3))
        assert placed.within(points) is placed
