from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import ArrayLike, NDArray

from omi_physics_addon.geometry.fit.aligned_fits import (
    Axis,
    AxisChoice,
    Straight,
    Vector3,
    bounds,
    checked,
    fit_straight,
    smallest_ball,
)
from tests.support import pace

Array = NDArray[np.float64]


class FittedBox(NamedTuple):
    center: Vector3
    size: Vector3


class FittedSphere(NamedTuple):
    center: Vector3
    radius: float


def vector(array: Array) -> Vector3:
    x, y, z = array.tolist()
    return x, y, z


def fit_box(points: ArrayLike) -> FittedBox:
    center, half = bounds(checked(points))
    return FittedBox(vector(center), vector(2.0 * half))


def fit_sphere(points: ArrayLike) -> FittedSphere:
    center, radius = smallest_ball(checked(points))
    return FittedSphere(vector(center), radius)


def fit_capsule(points: ArrayLike, axis: AxisChoice = 1) -> Straight:
    return fit_straight(points, "capsule", axis)


def fit_cylinder(points: ArrayLike, axis: AxisChoice = 1) -> Straight:
    return fit_straight(points, "cylinder", axis)


Fit = Callable[[ArrayLike], FittedBox | FittedSphere | Straight]

AXES: tuple[Axis, ...] = (0, 1, 2)
FITS: list[Fit] = [fit_box, fit_sphere, fit_capsule, fit_cylinder]

clouds = arrays(
    np.float64,
    st.integers(1, 12).map(lambda count: (count, 3)),
    elements=st.floats(-10.0, 10.0),
)
# Whole numbers make many coincident, collinear, coplanar and cospherical points.
lattices = arrays(
    np.float64,
    array_shapes(min_dims=1, max_dims=1, min_side=1, max_side=9).map(lambda shape: (*shape, 3)),
    elements=st.integers(-2, 2).map(float),
)
shifts = arrays(np.float64, 3, elements=st.floats(-1000.0, 1000.0))
scales = st.floats(0.001, 1000.0)


def beyond_sphere(points: Array, ball: FittedSphere) -> Array:
    return np.linalg.norm(points - ball.center, axis=1) - ball.radius


def split(points: Array, axis: int, center: tuple[float, float, float]) -> tuple[Array, Array]:
    """Distance along the axis from the centre, and distance from the axis."""
    offsets = points - center
    return offsets[:, axis], np.linalg.norm(np.delete(offsets, axis, axis=1), axis=1)


def beyond_capsule(points: Array, capsule: Straight) -> Array:
    along, across = split(points, capsule.axis, capsule.center)
    over = np.maximum(np.abs(along) - capsule.height / 2.0, 0.0)
    return np.hypot(over, across) - capsule.radius


def beyond_cylinder(points: Array, cylinder: Straight) -> Array:
    along, across = split(points, cylinder.axis, cylinder.center)
    return np.maximum(np.abs(along) - cylinder.height / 2.0, across - cylinder.radius)


def smallest_radius(points: Array) -> float:
    """Radius of the smallest ball by trying every support, for few points."""
    best = np.inf
    for size in range(1, points.shape[1] + 2):
        for chosen in itertools.combinations(points, size):
            corners = np.array(chosen, dtype=np.float64)
            edges: Array = corners[1:] - corners[0]
            squares: Array = np.sum(edges * edges, axis=1) / 2.0
            center: Array = corners.mean(axis=0)
            if size > 1:
                center = corners[0] + np.linalg.lstsq(edges, squares, rcond=1e-12)[0]
            best = min(best, float(np.linalg.norm(points - center, axis=1).max()))
    return best


def fibonacci_sphere(count: int) -> Array:
    steps = np.arange(count) + 0.5
    polar, turn = np.arccos(1.0 - 2.0 * steps / count), np.pi * (1.0 + 5.0**0.5) * steps
    return np.stack(
        [np.cos(turn) * np.sin(polar), np.cos(polar), np.sin(turn) * np.sin(polar)], axis=1
    )


class TestBox:
    def test_off_centre(self) -> None:
        box = fit_box([[1.0, 2.0, 3.0], [2.0, 0.0, 9.0], [1.5, 1.0, 3.0]])
        assert box == FittedBox(center=(1.5, 1.0, 6.0), size=(1.0, 2.0, 6.0))

    @settings(deadline=None)
    @given(clouds)
    def test_holds_all_points_and_touches_them(self, points: Array) -> None:
        box = fit_box(points)
        over = np.abs(points - box.center) - np.array(box.size) / 2.0
        assert over.max() <= 1e-12
        np.testing.assert_allclose(over.max(axis=0), 0.0, atol=1e-12)


class TestSphere:
    @pytest.mark.parametrize(
        ("points", "center", "radius"),
        [
            ([[3, 4, 5]], (3, 4, 5), 0.0),
            ([[3, 4, 5]] * 7, (3, 4, 5), 0.0),
            ([[0, 0, 0], [2, 0, 0]], (1, 0, 0), 1.0),
            ([[0, 0, 0], [1, 1, 1], [2, 2, 2], [5, 5, 5]], (2.5, 2.5, 2.5), 2.5 * 3**0.5),
            ([[1, 7, 0], [-1, 7, 0], [0, 7, 1], [0, 7, -1], [0, 7, 0]], (0, 7, 0), 1.0),
            # An acute triangle rests on three points, an obtuse one on two.
            ([[0, 0, 0], [2, 0, 0], [1, 3**0.5, 0]], (1, 3**-0.5, 0), 2 * 3**-0.5),
            ([[0, 0, 0], [4, 0, 0], [2, 0.5, 0]], (2, 0, 0), 2.0),
            ([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], (0, 0, 0), 3**0.5),
            (list(itertools.product((4, 6), (0, 2), (-1, 1))), (5, 1, 0), 3**0.5),
        ],
        ids=[
            "one",
            "coincident",
            "two",
            "collinear",
            "coplanar",
            "acute",
            "obtuse",
            "tetrahedron",
            "cube",
        ],
    )
    def test_known(
        self, points: list[list[float]], center: tuple[float, ...], radius: float
    ) -> None:
        ball = fit_sphere(points)
        assert ball.center == pytest.approx(center, abs=1e-12)
        assert ball.radius == pytest.approx(radius, abs=1e-12)

    @settings(deadline=None)
    @given(clouds | lattices)
    def test_holds_all_points(self, points: Array) -> None:
        assert beyond_sphere(points, fit_sphere(points)).max() <= 1e-12

    @settings(deadline=None)
    @given(clouds | lattices)
    def test_is_not_larger_than_the_ball_around_the_box(self, points: Array) -> None:
        corner = float(np.linalg.norm(fit_box(points).size)) / 2.0
        assert fit_sphere(points).radius <= corner + 1e-12

    @settings(deadline=None, max_examples=60)
    @given((clouds | lattices).map(lambda points: points[:7]))
    def test_is_the_smallest(self, points: Array) -> None:
        assert fit_sphere(points).radius == pytest.approx(smallest_radius(points), abs=1e-10)

    def test_right_angles_that_are_a_little_off(self) -> None:
        # The radius grows by less than rounding shows when the third corner joins the support.
        random = np.random.default_rng(11)
        for count in [3, 4, 5, 6, 7] * 40:
            corners = np.round(random.normal(size=(count, 3)))
            points = corners + 1e-9 * random.normal(size=corners.shape)
            expected = smallest_radius(points)
            assert fit_sphere(points).radius == pytest.approx(expected, rel=1e-12)

    @pytest.mark.parametrize("shape", ["gauss", "cube", "sphere", "shell", "plane", "line"])
    def test_no_nearby_centre_is_better(self, shape: str) -> None:
        # The farthest distance is a convex function, so a local minimum is the minimum.
        random = np.random.default_rng(5)
        points = {
            "gauss": random.normal(size=(4000, 3)),
            "cube": random.random((4000, 3)),
            "sphere": fibonacci_sphere(4000),
            "shell": fibonacci_sphere(4000) * (1.0 + 1e-7 * random.random((4000, 1))),
            "plane": random.normal(size=(4000, 3)) * [1.0, 0.0, 2.0],
            "line": random.normal(size=(4000, 1)) * [[1.0, 2.0, -3.0]],
        }[shape] + [100.0, -20.0, 3.0]
        ball = fit_sphere(points)
        for step in (1e-2, 1e-4):
            for direction in fibonacci_sphere(100):
                moved = np.linalg.norm(points - ball.center - step * direction, axis=1).max()
                assert moved >= ball.radius - 1e-12

    @settings(deadline=None)
    @given(clouds, scales, shifts)
    def test_follows_scale_and_shift(self, points: Array, scale: float, shift: Array) -> None:
        here, there = fit_sphere(points), fit_sphere(points * scale + shift)
        tolerance = 1e-9 * (scale * 20.0 + 1000.0)
        np.testing.assert_allclose(
            there.center, np.array(here.center) * scale + shift, atol=1e3 * tolerance
        )
        assert there.radius == pytest.approx(here.radius * scale, abs=tolerance)

    @pytest.mark.parametrize("scale", [1e-150, 1e-30, 1e30, 1e150])
    def test_extreme_sizes(self, scale: float) -> None:
        ball = fit_sphere(fibonacci_sphere(500) * scale)
        assert ball.radius == pytest.approx(scale, rel=1e-3)

    def test_points_that_differ_by_next_to_nothing(self) -> None:
        points = np.array([[2.0, 0.0, 0.0], [2.0, 0.0, 1e-307]])
        assert fit_sphere(points).radius == pytest.approx(5e-308)
        assert fit_capsule(points, "auto").axis == 2

    def test_far_from_the_origin(self) -> None:
        ball = fit_sphere(fibonacci_sphere(2000) + 1e6)
        assert ball.center == pytest.approx((1e6, 1e6, 1e6), abs=1e-3)
        assert ball.radius == pytest.approx(1.0, abs=1e-6)


class TestCapsule:
    @pytest.mark.parametrize("axis", AXES)
    def test_finds_a_capsule_again(self, axis: Axis) -> None:
        points = fibonacci_sphere(4000) * 0.5
        points[:, 1] += np.where(points[:, 1] > 0.0, 1.0, -1.0)
        ring = [[0.5 * np.cos(a), y, 0.5 * np.sin(a)] for a in np.arange(12) for y in (-1, 1)]
        points = np.concatenate([points, ring, [[0.0, 1.5, 0.0], [0.0, -1.5, 0.0]]])
        points = np.roll(points, axis - 1, axis=1) + np.array([10.0, 20.0, 30.0])
        for choice in (axis, "auto"):
            capsule = fit_capsule(points, choice)
            assert capsule.axis == axis
            assert capsule.center == pytest.approx((10.0, 20.0, 30.0), abs=1e-5)
            assert capsule.radius == pytest.approx(0.5, abs=1e-9)
            assert capsule.height == pytest.approx(2.0, abs=1e-5)

    @pytest.mark.parametrize("axis", AXES)
    @settings(deadline=None)
    @given(points=clouds | lattices)
    def test_holds_all_points(self, axis: Axis, points: Array) -> None:
        assert beyond_capsule(points, fit_capsule(points, axis)).max() <= 1e-12

    @settings(deadline=None)
    @given(clouds | lattices)
    def test_is_not_too_high(self, points: Array) -> None:
        capsule = fit_capsule(points)
        if capsule.height == 0.0:
            return
        along, across = split(points, 1, capsule.center)
        for direction in (1.0, -1.0):
            over = direction * along - capsule.height / 2.0
            touching = np.abs(np.hypot(over, across) - capsule.radius) < 1e-9
            assert np.any(touching & (over >= -1e-9))

    @settings(deadline=None)
    @given(clouds | lattices)
    def test_is_as_wide_as_the_smallest_circle(self, points: Array) -> None:
        flat = points * [1.0, 0.0, 1.0]
        assert fit_capsule(points).radius == pytest.approx(fit_sphere(flat).radius, abs=1e-9)

    @settings(deadline=None)
    @given(clouds)
    def test_auto_takes_the_smallest_volume(self, points: Array) -> None:
        best = min(fit_capsule(points, axis).volume for axis in AXES)
        assert fit_capsule(points, "auto").volume == pytest.approx(best, abs=1e-6)

    @settings(deadline=None)
    @given(clouds, scales, shifts)
    def test_follows_scale_and_shift(self, points: Array, scale: float, shift: Array) -> None:
        here, there = fit_capsule(points), fit_capsule(points * scale + shift)
        tolerance = 1e-9 * (scale * 20.0 + 1000.0)
        assert there.radius == pytest.approx(here.radius * scale, abs=tolerance)
        # The height depends on the square root of the room beside the axis.
        assert beyond_capsule(points * scale + shift, there).max() <= tolerance
        assert there.height <= here.height * scale + (scale * 20.0 * tolerance) ** 0.5 * 10.0

    def test_ball_needs_no_height(self) -> None:
        points = np.concatenate([np.eye(3), -np.eye(3)]) + np.array([5.0, 6.0, 7.0])
        capsule = fit_capsule(points, "auto")
        assert capsule == Straight("capsule", (5.0, 6.0, 7.0), 1, 0.0, 1.0)

    def test_flat_points_fit_in_one_ball(self) -> None:
        capsule = fit_capsule([[0, 3, 0], [2, 3, 0], [1, 3.5, 0]])
        assert capsule.height == 0.0
        assert capsule.radius == pytest.approx(1.0)

    @pytest.mark.parametrize("axis", AXES)
    def test_line_is_a_capsule_along_it(self, axis: Axis) -> None:
        points = np.zeros((5, 3))
        points[:, axis] = range(5)
        capsule = fit_capsule(points, "auto")
        assert (capsule.axis, capsule.height, capsule.radius) == (axis, 4.0, 0.0)


class TestCylinder:
    @pytest.mark.parametrize("axis", AXES)
    def test_finds_a_cylinder_again(self, axis: Axis) -> None:
        angles = np.arange(64) * (np.pi / 32.0)
        ring = np.stack([2.0 * np.cos(angles), np.zeros(64), 2.0 * np.sin(angles)], axis=1)
        points = np.concatenate([ring, ring + np.array([0.0, 5.0, 0.0])])
        points = np.roll(points, axis - 1, axis=1) + np.array([1.0, 2.0, 3.0])
        center = np.array([1.0, 2.0, 3.0])
        center[axis] += 2.5
        for choice in (axis, "auto"):
            cylinder = fit_cylinder(points, choice)
            assert cylinder.axis == axis
            assert cylinder.center == pytest.approx(tuple(center))
            assert (cylinder.radius, cylinder.height) == pytest.approx((2.0, 5.0))

    @pytest.mark.parametrize("axis", AXES)
    @settings(deadline=None)
    @given(points=clouds | lattices)
    def test_holds_all_points(self, axis: Axis, points: Array) -> None:
        cylinder = fit_cylinder(points, axis)
        assert beyond_cylinder(points, cylinder).max() <= 1e-12
        assert cylinder.height == pytest.approx(fit_box(points).size[axis])

    @settings(deadline=None)
    @given(clouds)
    def test_auto_takes_the_smallest_volume(self, points: Array) -> None:
        best = min(fit_cylinder(points, axis).volume for axis in AXES)
        assert fit_cylinder(points, "auto").volume == pytest.approx(best, abs=1e-6)

    @settings(deadline=None)
    @given(clouds, scales, shifts)
    def test_follows_scale_and_shift(self, points: Array, scale: float, shift: Array) -> None:
        here, there = fit_cylinder(points), fit_cylinder(points * scale + shift)
        tolerance = 1e-9 * (scale * 20.0 + 1000.0)
        assert there.radius == pytest.approx(here.radius * scale, abs=tolerance)
        assert there.height == pytest.approx(here.height * scale, abs=tolerance)
        assert there.center[1] == pytest.approx(here.center[1] * scale + shift[1], abs=tolerance)

    def test_cube_stands_upright(self) -> None:
        assert fit_cylinder(list(itertools.product((0, 1), repeat=3)), "auto").axis == 1

    def test_disc_has_no_height(self) -> None:
        cylinder = fit_cylinder([[0, 5, 0], [2, 5, 0], [1, 5, 1]], "auto")
        assert (cylinder.axis, cylinder.height) == (1, 0.0)

    def test_tiny_and_huge_clouds_find_their_axis(self) -> None:
        points = np.array([[0, 0, 0], [9, 1, 0], [9, 0, 1], [0, 1, 1]], dtype=np.float64)
        for scale in (1e-120, 1e120):
            assert fit_cylinder(points * scale, "auto").axis == 0
            assert fit_capsule(points * scale, "auto").axis == 0


@pytest.mark.parametrize("fit", FITS)
class TestEveryFit:
    @pytest.mark.parametrize(
        "points",
        [
            np.zeros((0, 3)),
            np.zeros((4, 2)),
            np.zeros(3),
            np.array([[0.0, np.nan, 0.0]]),
            np.array([[0.0, 0.0, 0.0], [np.inf, 0.0, 0.0]]),
        ],
        ids=["none", "flat", "vector", "nan", "infinite"],
    )
    def test_refuses(self, fit: Fit, points: Array) -> None:
        with pytest.raises(ValueError, match="points"):
            fit(points)

    def test_one_point(self, fit: Fit) -> None:
        assert fit(np.array([[1.0, 2.0, 3.0]])).center == (1.0, 2.0, 3.0)

    def test_keeps_its_input(self, fit: Fit) -> None:
        points = np.array([[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]])
        points.flags.writeable = False
        fit(points)

    def test_takes_32_bit_points(self, fit: Fit) -> None:
        points = np.array([[0.1, 0.2, 0.3], [1.0, 1.0, 1.0]], dtype=np.float32)
        assert fit(points) == fit(points.astype(np.float64))

    def test_speed(self, fit: Fit) -> None:
        points = np.random.default_rng(1).normal(size=(100_000, 3))
        pace.check_takes(lambda: fit(points), 1.0)


@pytest.mark.parametrize("axis", [3, -1, "y"])
def test_no_such_axis(axis: AxisChoice) -> None:
    for fit in (fit_capsule, fit_cylinder):
        with pytest.raises(ValueError, match="axis"):
            fit([[0.0, 0.0, 0.0]], axis)
