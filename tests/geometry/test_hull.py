"""Hulls of points whose hulls are known, and of points that rounding makes hard."""

import itertools
import math

import numpy as np
import pytest

from omi_physics_addon.geometry import hull, inertia
from omi_physics_addon.geometry.hull import convex_hull
from omi_physics_addon.geometry.rotations import rotation_matrix

RANDOM = np.random.default_rng(7)
CORNERS = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
TURN = rotation_matrix((0.3, -0.5, 0.2, 0.8))


def measured(points):
    hull = convex_hull(points)
    assert hull is not None
    return inertia.measure_mesh(*hull)  # Which raises unless the hull is closed and oriented.


def grid(count):
    steps = np.linspace(0.0, 1.0, count)
    return np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)


def test_cube():
    corners, triangles = convex_hull(np.concatenate([CORNERS, [[0.5, 0.5, 0.5], [0.2, 1.0, 0.7]]]))
    assert sorted(map(tuple, corners)) == sorted(map(tuple, CORNERS))
    assert triangles.shape == (12, 3)
    assert not inertia.inspect_mesh(corners, triangles).inside_out


@pytest.mark.parametrize("scale", [(1, 1, 1), (1e-4, 1, 1), (3, 1e4, 0.02)])
@pytest.mark.parametrize("offset", [0.0, 1000.0])
def test_many_points_in_one_plane(scale, offset):
    points = (grid(12) * scale).astype(np.float32).astype(np.float64) + offset
    assert measured(points).mass == pytest.approx(math.prod(scale), rel=1e-5)


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_turned_grid_of_32_bit_numbers(size):
    points = (grid(14) @ TURN.T * size).astype(np.float32)
    part = measured(points)
    assert part.mass == pytest.approx(size**3, rel=1e-4)
    assert part.center == pytest.approx(TURN @ np.full(3, size / 2), rel=1e-4)


def test_ball():
    points = RANDOM.normal(size=(3000, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    corners, triangles = convex_hull(np.concatenate([points, points * 0.9]))
    assert len(corners) == 3000
    assert len(triangles) == 2 * 3000 - 4  # Euler's formula for triangles.
    mass = inertia.measure_mesh(corners, triangles).mass
    assert mass == pytest.approx(4 / 3 * math.pi, rel=5e-3)


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_outside(seed):
    random = np.random.default_rng(seed)
    points = random.normal(size=(200, 3)).round(1 + seed % 3) * random.uniform(0.01, 10.0, 3)
    corners, triangles = convex_hull(points)
    a, b, c = (corners[triangles[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    heights = points @ normals.T - (normals * a).sum(axis=1)
    assert heights.max() <= 2e-6 * np.ptp(points)
    assert measured(points).mass > 0.0


@pytest.mark.parametrize(
    "points",
    [
        np.zeros((0, 3)),
        CORNERS[:3],
        np.zeros((9, 3)),
        np.arange(30.0).reshape(-1, 3),  # In one line.
        grid(5) * (1, 1, 0),
        (grid(9) * (1, 1, 0) @ TURN.T).astype(np.float32),
    ],
    ids=["none", "three", "one place", "line", "plane", "turned plane"],
)
def test_flat_points_have_none(points):
    assert convex_hull(points) is None


@pytest.mark.parametrize(
    ("points", "flat"),
    [
        (CORNERS[:3], True),
        (np.ones((9, 3)), True),
        (np.full((9, 3), math.nan), True),
        (np.arange(30.0).reshape(-1, 3), True),
        (grid(5) * (1, 1, 0) @ TURN.T, True),
        (grid(5) * (1, 1, 1e-3) @ TURN.T, False),
        (CORNERS[[0, 1, 2, 4]] * 1e-9, False),
    ],
)
def test_points_of_one_plane_are_flat_however_it_is_turned(points, flat):
    assert hull.is_flat(points) is flat


@pytest.mark.parametrize("points", [[[1.0, 2.0]] * 5, [[math.nan] * 3] * 5, [1.0, 2.0, 3.0]])
def test_no_points(points):
    with pytest.raises(ValueError, match="points must be finite"):
        convex_hull(points)


def test_what_was_found_is_known(monkeypatch):
    made = []
    grow = hull._Quickhull.grow
    monkeypatch.setattr(hull._Quickhull, "grow", lambda *each: made.append(1) or grow(*each))
    monkeypatch.setattr(hull, "_memory", hull._Memory())
    monkeypatch.setattr(hull, "_MOST_KEPT", 30)
    first, second = RANDOM.normal(size=(2, 20, 3))
    corners, triangles = convex_hull(first)
    expected = corners.copy(), triangles.copy()
    corners *= 2.0  # What callers do to theirs is their own affair.
    triangles[:] = 0
    assert all(np.array_equal(*each) for each in zip(convex_hull(first), expected, strict=True))
    assert len(made) == 1
    assert len(convex_hull(first, 6)[0]) == 6
    assert len(made) == 2
    convex_hull(second * 2.0)
    convex_hull(second)
    convex_hull(first)  # Which is forgotten: it was the oldest.
    assert len(made) == 5
