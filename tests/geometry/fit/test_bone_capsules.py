"""Capsules of bones fit their points and keep clear of each other."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.fit.bone_capsules import (
    BoneCapsule,
    bone_capsule,
    capsule_of,
    extent_along,
    segment_distance,
    slimmed,
)

RANDOM = np.random.default_rng(18)


def limb(radius: float, length: float) -> np.ndarray:
    """Points on a tube along Y that begins at the origin."""
    turn, along = RANDOM.uniform(0.0, 2.0 * np.pi, 500), RANDOM.uniform(0.0, length, 500)
    return np.stack([radius * np.cos(turn), along, radius * np.sin(turn)], axis=1)


def test_a_capsule_fits_a_limb_and_a_few_stray_points_hardly_count() -> None:
    points = np.concatenate([limb(0.05, 0.4), [(1.0, 2.0, 0.0)] * 5])
    found = bone_capsule(points, 0.4)
    assert found.axis == 1
    assert found.radius == pytest.approx(0.05, rel=0.05)
    assert found.height + 2.0 * found.radius == pytest.approx(0.4, rel=0.1)
    np.testing.assert_allclose(found.center, (0.0, 0.2, 0.0), atol=0.02)


@pytest.mark.parametrize(("count", "extent"), [(3, 0.25), (4, 0.9), (500, 0.4)])
def test_a_few_points_tell_nothing_of_the_length_of_a_bone(count: int, extent: float) -> None:
    corners = np.array([(0.0, y, 0.0) for y in (0.0, 0.0, 0.9, 0.9)])
    points = limb(0.05, 0.4) if count == 500 else corners[:count]
    assert extent_along(points, 0.25) == pytest.approx(extent, rel=0.1)


def test_what_is_wider_than_its_bone_gets_a_capsule_across() -> None:
    points = limb(0.1, 0.5)[:, [1, 0, 2]]
    assert bone_capsule(points, 0.15).axis == 0


@pytest.mark.parametrize("volume", [1e-9, 1e-3, 0.0041887, 0.0041889, 0.1])
@pytest.mark.parametrize("width", [0.0, 0.2])
def test_a_capsule_of_a_volume_is_as_long_as_its_bone_or_a_ball(
    volume: float, width: float
) -> None:
    """A ball of 0.2 m has 0.0041888 m³."""
    found = capsule_of(volume, 0.15 if width else 0.2, width)
    assert found.axis == (0 if width else 1)
    assert found.volume == pytest.approx(volume, rel=2e-3)
    whole = found.height + 2.0 * found.radius
    assert whole == pytest.approx(max(0.2, 2.0 * found.radius), rel=1e-3)
    assert found.center[1] == pytest.approx(0.075 if width else 0.1)


def test_the_distance_of_segments_is_that_of_their_nearest_points() -> None:
    steps = np.linspace(0.0, 1.0, 60)[:, None]
    for _ in range(20):
        one, other = RANDOM.normal(size=(2, 2, 3))
        first, second = (ends[0] + steps * (ends[1] - ends[0]) for ends in (one, other))
        nearest = np.linalg.norm(first[:, None] - second, axis=2).min()
        assert nearest - 0.05 < segment_distance(one, other) <= nearest + 1e-9


def test_capsules_that_overlap_get_thinner_unless_a_joint_holds_them() -> None:
    thick = BoneCapsule(np.zeros(3), 1, 0.1, 1.0)
    places = [np.eye(4) for _ in range(3)]
    places[1][0, 3], places[2][0, 3] = 0.15, 5.0
    thin, left = slimmed([thick] * 3, places, set())
    assert left == []
    assert thin[0].radius == thin[1].radius == pytest.approx(0.0735)
    assert thin[2].radius == 0.1
    same, left = slimmed([thick] * 3, places, {frozenset((0, 1))})
    assert (same[0].radius, left) == (0.1, [])
    places[1][0, 3] = 0.05
    assert slimmed([thick] * 3, places, set())[1] == [(0, 1)]
