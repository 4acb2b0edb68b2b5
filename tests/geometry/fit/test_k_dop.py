"""Hulls between planes of fixed directions."""

import itertools

import numpy as np
import pytest

from omi_physics_addon.geometry import inertia
from omi_physics_addon.geometry.fit.k_dop import k_dop
from omi_physics_addon.geometry.hull import convex_hull

RANDOM = np.random.default_rng(7)
BALL = RANDOM.normal(size=(2000, 3))
BALL /= np.linalg.norm(BALL, axis=1)[:, None]


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (1.0, 30.0, 0.1), (1e-4, 2e-4, 1e-4)])
def test_all_points_are_held_and_more_planes_are_nearer(scale):
    points = BALL * scale + np.array([3.0, 0.0, -1.0]) * scale
    volumes = []
    for planes in (10, 18, 26):
        found = k_dop(points, planes)
        a, b, c = (found.corners[found.triangles[:, i]] for i in range(3))
        normals = np.cross(b - a, c - a)
        keep = np.linalg.norm(normals, axis=1) > 1e-9 * np.linalg.norm(normals, axis=1).max()
        normals = normals[keep] / np.linalg.norm(normals[keep], axis=1)[:, None]
        over = (points @ normals.T - np.sum(normals * a[keep], axis=1)).max()
        assert over <= 1e-5 * np.ptp(points, axis=0).max()
        volumes.append(found.volume)
    box = float(np.prod(np.ptp(points, axis=0)))
    inner = inertia.measure_mesh(*convex_hull(points)).mass
    assert box > volumes[0] > volumes[1] > volumes[2] > inner


@pytest.mark.parametrize("planes", [10, 18, 26])
def test_a_box_stays_a_box(planes):
    box = np.array(list(itertools.product((0.0, 1.0), (0.0, 2.0), (0.0, 3.0))))
    found = k_dop(box, planes)
    assert found.volume == pytest.approx(6.0)
    assert len(found.corners) == 8


def test_ten_planes_cut_along_the_axis_for_which_it_is_smallest():
    turn = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False) + np.pi / 8.0
    for axis in range(3):
        ring = np.insert(np.stack([np.cos(turn), np.sin(turn)], axis=1), axis, 0.0, axis=1)
        prism = np.concatenate([ring, ring + np.eye(3)[axis]])
        exact = inertia.measure_mesh(*convex_hull(prism)).mass
        assert k_dop(prism, 10).volume == pytest.approx(exact)


def test_flat_points_have_none():
    assert k_dop(BALL * (1.0, 1.0, 0.0), 18) is None


def test_a_margin_moves_the_planes():
    assert k_dop(BALL, 26, 0.1).volume > k_dop(BALL, 26).volume * 1.25
