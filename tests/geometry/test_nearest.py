from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from omi_physics_addon.geometry import nearest
from omi_physics_addon.geometry.hull import convex_hull
from omi_physics_addon.geometry.nearest import MeshSurface

RANDOM = np.random.default_rng(5)
CLOUD = RANDOM.uniform(-2.0, 2.0, (60, 3))


def ring(profile: np.ndarray, around: int = 120) -> np.ndarray:
    """Points (n, 3) of a solid of revolution around Y, whose profile is (k, 2)."""
    angles = np.linspace(0.0, 2.0 * math.pi, around, endpoint=False)
    x = np.multiply.outer(np.cos(angles), profile[:, 0])
    z = np.multiply.outer(np.sin(angles), profile[:, 0])
    y = np.broadcast_to(profile[:, 1], x.shape)
    return np.stack([x, y, z], axis=-1).reshape(-1, 3)


def path(*corners: tuple[float, float], steps: int = 200) -> np.ndarray:
    pairs = itertools.pairwise(corners)
    return np.concatenate([np.linspace(a, b, steps) for a, b in pairs])


def distances(found: np.ndarray) -> np.ndarray:
    return np.linalg.norm(found - CLOUD, axis=1)


def to_samples(samples: np.ndarray) -> np.ndarray:
    """From every point of the cloud to the nearest of many samples of a surface."""
    return np.array([np.linalg.norm(samples - point, axis=1).min() for point in CLOUD])


def arc(y: float, radius: float, start: float, end: float) -> np.ndarray:
    angles = np.linspace(start, end, 400)
    return np.stack([radius * np.cos(angles), y + radius * np.sin(angles)], axis=1)


@pytest.mark.parametrize(
    ("height", "bottom", "top"), [(1.0, 0.5, 0.5), (2.0, 0.8, 0.2), (1.5, 0.0, 0.6)]
)
def test_a_capsule_against_samples_of_its_surface(height, bottom, top):
    lean = math.asin((bottom - top) / height)
    caps = [arc(-height / 2, bottom, -math.pi / 2, lean), arc(height / 2, top, lean, math.pi / 2)]
    side = path(tuple(caps[0][-1]), tuple(caps[1][0]))
    samples = ring(np.concatenate([*caps, side]))
    found = nearest.on_capsule(CLOUD, height, bottom, top)
    assert distances(found) == pytest.approx(to_samples(samples), abs=0.03)
    assert (distances(found) <= to_samples(samples) + 1e-9).all()


def test_a_capsule_whose_ball_holds_the_other_is_that_ball():
    found = nearest.on_capsule(CLOUD, 0.5, 0.2, 1.0)
    assert np.linalg.norm(found - (0.0, 0.25, 0.0), axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize(("bottom", "top"), [(0.5, 0.5), (1.0, 0.25), (0.8, 0.0)])
def test_a_cylinder_against_samples_of_its_surface(bottom, top):
    samples = ring(path((0.0, -1.0), (bottom, -1.0), (top, 1.0), (0.0, 1.0)))
    found = nearest.on_cylinder(CLOUD, 2.0, bottom, top)
    assert distances(found) == pytest.approx(to_samples(samples), abs=0.03)
    assert (distances(found) <= to_samples(samples) + 1e-9).all()


def test_a_box_from_outside_and_inside():
    points = np.array([(3.0, 0.0, 0.0), (3.0, 5.0, -7.0), (0.1, 1.5, 0.0), (-0.9, 0.0, 0.0)])
    found = nearest.on_box(points, (2.0, 4.0, 6.0))
    expected = [(1.0, 0.0, 0.0), (1.0, 2.0, -3.0), (0.1, 2.0, 0.0), (-1.0, 0.0, 0.0)]
    assert found == pytest.approx(np.array(expected))


def test_a_ball_a_circle_and_a_disc():
    points = np.array([(0.0, 3.0, 4.0), (0.3, 1.0, 0.4), (0.0, 2.0, 0.0)])
    assert nearest.on_sphere(points, 10.0)[0] == pytest.approx((0.0, 6.0, 8.0))
    assert nearest.on_circle(points, 2.0)[:2] == pytest.approx(
        np.array([(0.0, 0.0, 2.0), (1.2, 0.0, 1.6)])
    )
    assert np.linalg.norm(nearest.on_circle(points, 2.0)[2]) == pytest.approx(2.0)
    expected = [(0.0, 0.0, 2.0), (0.3, 0.0, 0.4), (0.0, 0.0, 0.0)]
    assert nearest.on_disc(points, 2.0) == pytest.approx(np.array(expected))


def test_a_plane_with_and_without_an_end():
    points = np.array([(5.0, 2.0, -9.0)])
    assert nearest.on_plane(points, None, None)[0] == pytest.approx((5.0, 0.0, -9.0))
    assert nearest.on_plane(points, 4.0, None)[0] == pytest.approx((2.0, 0.0, -9.0))
    assert nearest.on_plane(points, 4.0, 6.0)[0] == pytest.approx((2.0, 0.0, -3.0))


def test_segments_and_those_without_length():
    points = np.array([(0.5, 1.0, 0.0), (-1.0, 0.0, 0.0), (9.0, 9.0, 9.0)])
    starts, ends = [(0, 0, 0), (3, 3, 3)], [(1, 0, 0), (3, 3, 3)]
    found = nearest.on_segments(points, starts, ends)
    assert found == pytest.approx(np.array([(0.5, 0.0, 0.0), (0.0, 0.0, 0.0), (3.0, 3.0, 3.0)]))


def one_by_one(points: np.ndarray, corners: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Distances by trying many points of every triangle, then the nearest ones more finely."""
    best = np.full(len(points), np.inf)
    steps = np.linspace(0.0, 1.0, 60)
    u, v = (a.ravel() for a in np.meshgrid(steps, steps))
    u, v = u[u + v <= 1.0], v[u + v <= 1.0]
    for a, b, c in corners[triangles]:
        samples = a + np.multiply.outer(u, b - a) + np.multiply.outer(v, c - a)
        for i, point in enumerate(points):
            best[i] = min(best[i], np.linalg.norm(samples - point, axis=1).min())
    return best


def test_a_mesh_against_samples_of_its_triangles():
    found = convex_hull(RANDOM.normal(size=(12, 3)))
    assert found is not None
    corners, triangles = found
    points = CLOUD[:20]
    hit = MeshSurface(corners, triangles)(points)
    exact = np.linalg.norm(hit - points, axis=1)
    tried = one_by_one(points, corners, triangles)
    assert (exact <= tried + 1e-9).all()
    assert exact == pytest.approx(tried, abs=0.05)


def sphere_mesh(rings: int) -> tuple[np.ndarray, np.ndarray]:
    polar = np.linspace(0.0, math.pi, rings + 1)
    around = np.linspace(0.0, 2.0 * math.pi, 2 * rings, endpoint=False)
    a, b = (grid.ravel() for grid in np.meshgrid(polar, around, indexing="ij"))
    corners = np.stack([np.sin(a) * np.cos(b), np.cos(a), np.sin(a) * np.sin(b)], axis=1)
    side = 2 * rings
    i, j = (grid.ravel() for grid in np.meshgrid(range(rings), range(side), indexing="ij"))
    one, two = i * side + j, i * side + (j + 1) % side
    quads = np.stack([one, two, two + side, one + side], axis=1)
    return corners, np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]])


def test_a_fine_mesh_is_near_the_ball_it_stands_for():
    corners, triangles = sphere_mesh(60)  # 14 400 triangles, those at the poles without area.
    found = MeshSurface(corners, triangles)(CLOUD)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1.0, abs=2e-3)
    straight = np.abs(np.linalg.norm(CLOUD, axis=1) - 1.0)
    assert distances(found) == pytest.approx(straight, abs=2e-3)


def test_a_mesh_in_many_steps_is_the_same(monkeypatch):
    surface = MeshSurface(*sphere_mesh(10))
    whole = surface(CLOUD)
    monkeypatch.setattr(nearest, "_PAIRS_AT_ONCE", 100)
    assert surface(CLOUD) == pytest.approx(whole)


def test_a_mesh_without_triangles_is_refused():
    with pytest.raises(ValueError, match="triangle"):
        MeshSurface(np.zeros((3, 3)), np.zeros((0, 3)))
    assert MeshSurface(np.eye(3), [(0, 1, 2)])(np.zeros((0, 3))).shape == (0, 3)
