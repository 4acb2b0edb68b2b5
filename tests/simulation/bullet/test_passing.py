"""What bodies may have come through."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.model.shapes import Plane
from omi_physics_addon.simulation.bullet import passing
from omi_physics_addon.simulation.bullet.bullet_shapes import FAR, THICK
from tests.simulation.test_trigger_watch import body, solid


@pytest.mark.parametrize(
    ("plane", "size"),
    [
        (Plane(size_x=2.0, size_z=3.0), (2.0, THICK, 3.0)),
        (Plane(size_x=2.0), (2.0, THICK, FAR)),
        (Plane(size_z=3.0), (FAR, THICK, 3.0)),
        (Plane(), (FAR, THICK, FAR)),
    ],
)
def test_planes_stop_bodies_as_boxes_below_them(plane: Plane, size: tuple[float, float, float]):
    parts = passing._Parts([body(solid(plane, (0.0, 5.0, 0.0)))], np.zeros(1))
    assert parts.high - parts.low == pytest.approx(np.array([size]))
    assert parts.center == pytest.approx(np.array([[0.0, 5.0 - THICK / 2.0, 0.0]]))
