"""Hulls with few corners, volumes of meshes, and loose parts."""

import functools
import itertools
import math

import numpy as np
import pytest

from omi_physics_addon.geometry import inertia
from omi_physics_addon.geometry.fit import mesh_volumes
from omi_physics_addon.geometry.fit.loose_parts import loose_parts
from omi_physics_addon.geometry.fit.simple_hull import simple_hull
from omi_physics_addon.geometry.hull import convex_hull

RANDOM = np.random.default_rng(4)
CUBE = np.array(list(itertools.product((0.0, 1.0), repeat=3)))


def ball(count):
    points = RANDOM.normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1)[:, None]


CLOUDS = {
    "ball": ball(2000),
    "needle": ball(2000) * (1.0, 30.0, 0.1),
    "cloud": RANDOM.normal(size=(3000, 3)) + 1000.0,
    "grid": np.array(list(itertools.product(range(9), repeat=3)), dtype=float),
    "large": ball(12000) * (1.0, 2.0, 3.0) * 1e5,
    "tiny": ball(500) * 1e-5,
}


@functools.cache
def volume_of(name):
    """The volume of the hull of a cloud."""
    return inertia.measure_mesh(*convex_hull(CLOUDS[name])).mass


def outside(points, corners, triangles):
    """How far the farthest of the points is outside a convex mesh."""
    a, b, c = (corners[triangles[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return (points @ normals.T - (normals * a).sum(axis=1)).max()


@pytest.mark.parametrize("budget", [8, 17, 64, 256])
@pytest.mark.parametrize("name", CLOUDS)
def test_few_corners_hold_all_points(name, budget):
    points = CLOUDS[name]
    hull = simple_hull(points, budget)
    assert 4 <= len(hull.corners) <= budget
    assert len(hull.triangles) == 2 * len(hull.corners) - 4
    size = np.ptp(points, axis=0).max()
    assert outside(points, hull.corners, hull.triangles) <= 2e-6 * size
    assert hull.beyond <= 2e-6 * size
    whole = volume_of(name)
    assert whole * (1.0 - 1e-6) <= hull.volume <= whole * (1.0 + 12.0 / budget)


def test_more_corners_are_nearer():
    volumes_of = [simple_hull(CLOUDS["ball"], budget).volume for budget in (8, 32, 128, 256)]
    assert volumes_of == sorted(volumes_of, reverse=True)


def test_the_same_budget_gives_the_same_hull():
    one, two = (simple_hull(CLOUDS["cloud"], 24) for _ in range(2))
    assert one.corners.tolist() == two.corners.tolist()
    assert one.triangles.tolist() == two.triangles.tolist()


def test_corners_that_are_points_tell_how_far_others_stick_out():
    points = CLOUDS["ball"]
    hull = simple_hull(points, 32, hold_all=False)
    assert {tuple(corner) for corner in hull.corners} <= {tuple(point) for point in points}
    assert hull.beyond == pytest.approx(outside(points, hull.corners, hull.triangles))
    assert 0.01 < hull.beyond < 0.3


def test_a_budget_that_is_not_used_up_is_the_hull():
    hull = simple_hull(CUBE, 8)
    assert sorted(map(tuple, hull.corners)) == sorted(map(tuple, CUBE))
    assert (hull.volume, hull.beyond) == (pytest.approx(1.0), 0.0)
    assert simple_hull(CUBE).volume == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("budget", [None, 8, 16])
def test_a_margin_moves_every_face_outwards(seed, budget):
    chance = np.random.default_rng(seed)
    cloud = chance.normal(size=(60, 3)) * chance.uniform(0.5, 2.0, size=3)
    bare, hull = simple_hull(cloud, budget), simple_hull(cloud, budget, margin=0.1)
    assert bare is not None
    assert hull is not None
    assert hull.beyond < 0.0
    assert budget is None or len(hull.corners) <= budget
    a, b, c = (bare.corners[corner] for corner in bare.triangles.T)
    units = np.cross(b - a, c - a)
    middles = (a + b + c) / 3.0 + 0.05 * units / np.linalg.norm(units, axis=1)[:, None]
    assert simple_hull(np.concatenate((hull.corners, middles))).volume == pytest.approx(hull.volume)
    assert np.abs(hull.corners).max() < np.abs(bare.corners).max() + 0.4 + 1e-9


def test_a_margin_of_a_needle_holds_it_and_makes_no_spear():
    around = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    rim = np.stack((np.cos(around), np.sin(around), np.zeros(24)), axis=1)
    hull = simple_hull(np.concatenate((rim, [[0.0, 0.0, 40.0]])), margin=0.1)
    assert hull is not None
    assert hull.beyond < 0.0
    assert hull.corners[:, 2].max() == pytest.approx(40.4)


def test_a_margin_of_a_hull():
    assert simple_hull(CUBE, 8, margin=0.25).volume == pytest.approx(1.5**3)
    assert simple_hull(CUBE, 8, margin=-0.25).volume == pytest.approx(0.5**3)


def test_flat_points_have_no_hull():
    assert simple_hull(CUBE * (1, 0, 1), 8) is None


# Volumes


def test_closed_and_open_meshes():
    corners, triangles = convex_hull(CUBE)
    assert mesh_volumes.mesh_volume(corners, triangles) == pytest.approx(1.0)
    assert mesh_volumes.closed_volume(corners, triangles[1:]) is None
    assert mesh_volumes.mesh_volume(corners, triangles[1:]) == pytest.approx(1.0)
    assert mesh_volumes.mesh_volume(CUBE, np.zeros((0, 3), dtype=np.int64)) == pytest.approx(1.0)
    assert mesh_volumes.mesh_volume(CUBE * (1, 0, 1), np.zeros((0, 3), dtype=np.int64)) == 0.0
    assert mesh_volumes.mesh_volume(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)) == 0.0


def test_large_meshes_are_measured_alike(monkeypatch):
    corners, triangles = convex_hull(CLOUDS["ball"])
    small = mesh_volumes.closed_volume(corners, triangles)
    monkeypatch.setattr(mesh_volumes, "_MAX_INSPECTED_TRIANGLES", 0)
    assert mesh_volumes.closed_volume(corners, triangles) == pytest.approx(small)
    assert mesh_volumes.closed_volume(corners, triangles[1:]) is None
    turned = triangles.copy()
    turned[0] = turned[0, ::-1]
    assert mesh_volumes.closed_volume(corners, turned) is None


def test_very_many_points_are_measured_by_those_that_stand_out():
    volume = mesh_volumes.hull_volume(ball(40000))
    assert 4.0 / 3.0 * math.pi * 0.97 < volume < 4.0 / 3.0 * math.pi


# Loose parts


def parts(count, edges):
    found = loose_parts(count, np.array(edges, dtype=np.int32).reshape(-1, 2))
    return [part.tolist() for part in found]


@pytest.mark.parametrize(
    ("count", "edges", "found"),
    [
        (0, [], []),
        (3, [], [[0, 1, 2]]),
        (4, [(0, 1), (2, 3)], [[0, 1], [2, 3]]),
        (5, [(4, 0), (1, 3)], [[0, 4], [1, 3]]),
        (6, [(5, 4), (4, 3), (3, 2), (2, 1), (1, 0)], [[0, 1, 2, 3, 4, 5]]),
        (7, [(0, 6), (2, 4), (6, 2)], [[0, 2, 4, 6]]),
    ],
)
def test_loose_parts(count, edges, found):
    assert parts(count, edges) == found


def test_long_chains_in_any_order():
    order = RANDOM.permutation(30000)
    chain = np.stack([order[:-1], order[1:]], axis=1)
    cut = np.delete(chain, [9999, 19999], axis=0)
    found = loose_parts(30000, RANDOM.permutation(cut))
    assert sorted(len(part) for part in found) == [10000, 10000, 10000]
    assert sorted(found[0].tolist()) == found[0].tolist()
