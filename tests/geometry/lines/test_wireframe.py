from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from omi_physics_addon.geometry.lines.wireframe import (
    MAX_DASHES,
    arrow_lines,
    box_lines,
    capsule_lines,
    cross_lines,
    cylinder_lines,
    dashed,
    mesh_lines,
    plane_lines,
    sphere_lines,
)
from tests.support import pace

Array = NDArray[np.float64]
Lines = NDArray[np.float32]

sizes = st.floats(0.05, 10.0)
radii = st.one_of(st.just(0.0), sizes)


def ends(lines: Lines) -> Array:
    return lines.astype(np.float64).reshape(-1, 2, 3)


def lengths(lines: Lines) -> Array:
    pairs = ends(lines)
    return np.linalg.norm(pairs[:, 1] - pairs[:, 0], axis=1)


def rounded(vertices: NDArray[np.floating[Any]]) -> list[tuple[float, ...]]:
    rows: list[list[float]] = (np.round(vertices, 5) + 0.0).tolist()
    return [tuple(row) for row in rows]


def assert_tidy(lines: Lines, size: float = 1.0) -> None:
    """Pairs of 32-bit vertices, no line twice, none without length."""
    assert lines.dtype == np.float32
    assert lines.ndim == 2
    assert lines.shape[1] == 3
    assert len(lines) % 2 == 0
    assert lengths(lines).min() > 1e-6 * size
    vertices = rounded(lines / size)
    uses = Counter(map(frozenset, zip(vertices[::2], vertices[1::2], strict=True)))
    assert max(uses.values()) == 1


def beyond_tapered(points: Array, height: float, bottom: float, top: float) -> Array:
    """Signed distance of points from the hull of two balls, by the tangent of their profile."""
    across, y = np.hypot(points[:, 0], points[:, 2]), points[:, 1]
    if abs(top - bottom) >= height:
        radius, center = (top, height / 2.0) if top > bottom else (bottom, -height / 2.0)
        return np.hypot(across, y - center) - radius
    sine = (bottom - top) / height
    cosine = math.sqrt(1.0 - sine * sine)
    # Seen along the side: how far along it a point is, from the foot of the bottom ball's normal.
    along = (y + height / 2.0) * cosine - across * sine
    side = (y + height / 2.0) * sine + across * cosine - bottom
    low = np.hypot(across, y + height / 2.0) - bottom
    high = np.hypot(across, y - height / 2.0) - top
    return np.where(along < 0.0, low, np.where(along > height * cosine, high, side))


class TestBox:
    def test_edges(self) -> None:
        lines = box_lines((2.0, 4.0, 6.0))
        assert_tidy(lines)
        assert lines.shape == (24, 3)
        np.testing.assert_allclose(np.abs(lines), np.broadcast_to([1.0, 2.0, 3.0], (24, 3)))
        assert sorted(lengths(lines)) == [2.0] * 4 + [4.0] * 4 + [6.0] * 4


class TestSphere:
    def test_three_great_circles(self) -> None:
        lines = sphere_lines(2.0)
        assert_tidy(lines)
        assert lines.shape == (3 * 32 * 2, 3)
        np.testing.assert_allclose(np.linalg.norm(lines, axis=1), 2.0, rtol=1e-6)
        for axis in range(3):
            assert np.sum(np.all(ends(lines)[:, :, axis] == 0.0, axis=1)) == 32
            assert lines[:, axis].max() == 2.0
            assert lines[:, axis].min() == -2.0


class TestCylinder:
    @settings(deadline=None)
    @given(sizes, radii, radii)
    def test_lies_on_the_surface(self, height: float, bottom: float, top: float) -> None:
        lines = cylinder_lines(height, bottom, top)
        if bottom or top:
            assert_tidy(lines, max(height, bottom, top))
        part = lines[:, 1].astype(np.float64) / height + 0.5
        radius = bottom + (top - bottom) * part
        np.testing.assert_allclose(np.hypot(lines[:, 0], lines[:, 2]), radius, atol=1e-5)
        np.testing.assert_allclose(np.abs(lines[:, 1]), height / 2.0, rtol=1e-6)

    @pytest.mark.parametrize(
        ("bottom", "top", "count"),
        [(1.0, 1.0, 68), (1.0, 0.5, 68), (1.0, 0.0, 36), (0.0, 1.0, 36), (0.0, 0.0, 1)],
    )
    def test_number_of_lines(self, bottom: float, top: float, count: int) -> None:
        lines = cylinder_lines(2.0, bottom, top)
        assert_tidy(lines)
        assert len(lines) == 2 * count

    def test_cone_points_up(self) -> None:
        lines = ends(cylinder_lines(2.0, 1.0, 0.0))
        tips = np.all(lines == [0.0, 1.0, 0.0], axis=2)
        assert tips.sum() == 4
        assert np.allclose(lines[np.any(tips, axis=1)][:, 0, 1], -1.0)


class TestCapsule:
    @settings(deadline=None)
    @given(sizes, radii, radii)
    def test_lies_on_the_surface(self, height: float, bottom: float, top: float) -> None:
        if bottom == top == 0.0:
            return
        lines = ends(capsule_lines(height, bottom, top))
        size = max(height, bottom, top)
        over = beyond_tapered(lines.reshape(-1, 3), height, bottom, top)
        np.testing.assert_allclose(over, 0.0, atol=1e-6 * size)

    @pytest.mark.parametrize(
        ("bottom", "top"), [(0.5, 0.5), (1.0, 0.5), (0.25, 1.5), (0.5, 0.0), (0.0, 1.0)]
    )
    def test_straight_sides_touch_both_balls(self, bottom: float, top: float) -> None:
        lines = capsule_lines(2.0, bottom, top)
        assert_tidy(lines)
        side = math.sqrt(4.0 - (bottom - top) ** 2)
        straight = ends(lines)[np.abs(lengths(lines) - side) < 1e-6]
        assert len(straight) == 4
        for part in (0.25, 0.5, 0.75):
            middle = straight[:, 0] + part * (straight[:, 1] - straight[:, 0])
            np.testing.assert_allclose(beyond_tapered(middle, 2.0, bottom, top), 0.0, atol=1e-6)

    @pytest.mark.parametrize(
        ("bottom", "top", "count"),
        [(0.5, 0.5, 132), (1.0, 0.5, 132), (1.0, 0.0, 68), (0.0, 1.0, 68), (0.0, 0.0, 1)],
    )
    def test_number_of_lines(self, bottom: float, top: float, count: int) -> None:
        lines = capsule_lines(2.0, bottom, top)
        assert_tidy(lines)
        assert len(lines) == 2 * count

    @settings(deadline=None)
    @given(sizes, sizes, sizes)
    def test_reaches_the_poles(self, height: float, bottom: float, top: float) -> None:
        lines = capsule_lines(height, bottom, top)
        if abs(top - bottom) < height:
            assert lines[:, 1].max() == pytest.approx(height / 2.0 + top, rel=1e-5)
            assert lines[:, 1].min() == pytest.approx(-height / 2.0 - bottom, rel=1e-5)

    def test_every_path_is_closed(self) -> None:
        for bottom, top in ((0.5, 0.5), (1.0, 0.5), (0.0, 0.5)):
            corners = Counter(rounded(capsule_lines(2.0, bottom, top)))
            assert all(uses % 2 == 0 for uses in corners.values())

    @pytest.mark.parametrize(
        ("height", "bottom", "top", "y"),
        [(1.0, 2.0, 0.5, -0.5), (1.0, 0.5, 2.0, 0.5), (1.0, 2.0, 1.0, -0.5), (0.0, 1.0, 1.0, 0.0)],
    )
    def test_one_ball_holds_the_other(
        self, height: float, bottom: float, top: float, y: float
    ) -> None:
        lines = capsule_lines(height, bottom, top)
        expected = sphere_lines(max(bottom, top)) + np.array([0.0, y, 0.0])
        np.testing.assert_allclose(lines, expected, atol=1e-6)

    def test_turned_over(self) -> None:
        one, other = capsule_lines(2.0, 1.0, 0.5), capsule_lines(2.0, 0.5, 1.0)
        flipped = other * np.array([1.0, -1.0, 1.0])
        apart = np.linalg.norm(one[:, None] - flipped[None], axis=2)
        assert apart.min(axis=0).max() < 1e-5
        assert apart.min(axis=1).max() < 1e-5


class TestMesh:
    def test_edges(self) -> None:
        lines = mesh_lines([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1], [1, 2]])
        assert_tidy(lines)
        np.testing.assert_array_equal(lines, [[0, 0, 0], [1, 0, 0], [1, 0, 0], [0, 1, 0]])

    def test_nothing(self) -> None:
        assert mesh_lines(np.zeros((0, 3)), np.zeros((0, 2), dtype=int)).shape == (0, 3)

    def test_wrong_index(self) -> None:
        with pytest.raises(IndexError):
            mesh_lines([[0, 0, 0]], [[0, 1]])


class TestMarks:
    def test_cross(self) -> None:
        lines = cross_lines(0.5)
        assert_tidy(lines)
        np.testing.assert_allclose(lengths(lines), 0.5)
        np.testing.assert_allclose(ends(lines).mean(axis=1), 0.0)

    @settings(deadline=None)
    @given(st.tuples(*[st.floats(-5.0, 5.0)] * 3), st.tuples(*[st.floats(-5.0, 5.0)] * 3))
    def test_arrow(self, start: tuple[float, ...], end: tuple[float, ...]) -> None:
        length = math.dist(start, end)
        if length < 1e-3:
            return
        lines = arrow_lines(start, end, head=0.25)
        assert lines.shape == (10, 3)
        np.testing.assert_allclose(lines[:2], [start, end], atol=1e-5)
        np.testing.assert_allclose(lines[2::2], np.broadcast_to(end, (4, 3)), atol=1e-5)
        barbs = (lines[3::2] - np.array(end)) / length
        along = barbs @ ((np.array(end) - start) / length)
        np.testing.assert_allclose(along, -0.25, atol=1e-2)
        np.testing.assert_allclose(np.linalg.norm(barbs, axis=1), math.hypot(0.25, 0.1), atol=1e-2)
        np.testing.assert_allclose(
            barbs.mean(axis=0) * length, -0.25 * (np.array(end) - start), atol=1e-5
        )

    @pytest.mark.parametrize("end", [(0, 0, 0.01), (0, 3, 0), (-2, 0, 0), (1, 1, 1)])
    def test_arrow_has_four_different_barbs(self, end: tuple[float, ...]) -> None:
        lines = arrow_lines((0.0, 0.0, 0.0), end)
        assert_tidy(lines, math.hypot(*end))

    def test_plane(self) -> None:
        pairs = {frozenset(map(tuple, pair)) for pair in plane_lines(4.0, 6.0).reshape(-1, 2, 3)}
        a, b, c, d = (-2.0, 0.0, -3.0), (2.0, 0.0, -3.0), (2.0, 0.0, 3.0), (-2.0, 0.0, 3.0)
        edges = {frozenset(pair) for pair in ((a, b), (b, c), (c, d), (d, a), (a, c), (b, d))}
        assert pairs == edges | {frozenset(((0.0, 0.0, 0.0), (0.0, 0.5, 0.0)))}

    @pytest.mark.parametrize("end", [(1.0, 2.0, 3.0), (math.inf, 2.0, 3.0), (math.nan, 2.0, 3.0)])
    def test_arrow_without_length(self, end: tuple[float, ...]) -> None:
        assert arrow_lines((1.0, 2.0, 3.0), end).shape == (0, 3)


class TestDashed:
    def test_one_line(self) -> None:
        pieces = ends(dashed([[0, 0, 0], [10, 0, 0]], 1.0, 0.5))
        np.testing.assert_allclose(pieces[:, 0, 0], np.arange(0.0, 10.0, 1.5), atol=1e-6)
        np.testing.assert_allclose(lengths(pieces.reshape(-1, 3).astype(np.float32)), 1.0)

    def test_last_dash_is_cut(self) -> None:
        pieces = dashed([[0, 0, 0], [0, 0, 2]], 1.0, 0.5)
        np.testing.assert_allclose(pieces[:, 2], [0.0, 1.0, 1.5, 2.0], atol=1e-6)

    @settings(deadline=None)
    @given(st.integers(1, 200), st.floats(0.05, 1.0), st.floats(0.05, 1.0))
    def test_pattern_runs_on(self, count: int, dash: float, gap: float) -> None:
        steps = np.linspace(0.0, 7.0, count + 1)
        lines = np.zeros((count, 2, 3))
        lines[:, 0, 0], lines[:, 1, 0] = steps[:-1], steps[1:]
        pieces = ends(dashed(lines.reshape(-1, 3), dash, gap))[:, :, 0]
        inside = np.linspace(0.0, 7.0, 500)
        phase = inside % (dash + gap)
        # Not within rounding of where a dash starts or stops.
        safe = np.minimum(np.minimum(phase, np.abs(phase - dash)), dash + gap - phase) > 1e-4
        covered = np.any(
            (inside[:, None] >= pieces[None, :, 0]) & (inside[:, None] <= pieces[None, :, 1]),
            axis=1,
        )
        np.testing.assert_array_equal(covered[safe], (phase < dash)[safe])

    @pytest.mark.parametrize("shape", ["box", "sphere", "capsule", "cylinder"])
    def test_keeps_half(self, shape: str) -> None:
        whole = {
            "box": box_lines((1.0, 2.0, 3.0)),
            "sphere": sphere_lines(1.0),
            "capsule": capsule_lines(2.0, 1.0, 0.5),
            "cylinder": cylinder_lines(2.0, 1.0, 0.5),
        }[shape]
        pieces = dashed(whole, 0.05, 0.05)
        assert lengths(pieces).sum() == pytest.approx(lengths(whole).sum() / 2.0, rel=0.02)
        assert pieces.dtype == np.float32

    def test_pieces_lie_on_the_sphere_lines(self) -> None:
        pieces = dashed(sphere_lines(1.0), 0.07, 0.03).astype(np.float64)
        off = np.linalg.norm(pieces, axis=1)
        assert off.max() <= 1.0 + 1e-6
        assert off.min() >= math.cos(math.pi / 32.0) - 1e-6

    def test_no_gap_keeps_the_lines(self) -> None:
        lines = box_lines((1.0, 1.0, 1.0))
        whole = dashed(lines, 0.1, 0.0)
        np.testing.assert_array_equal(whole, lines)
        assert whole is not lines

    def test_lines_without_length_vanish(self) -> None:
        lines = np.array([[1, 1, 1], [1, 1, 1], [0, 0, 0], [1, 0, 0]])
        assert len(dashed(lines, 2.0, 1.0)) == 2
        assert dashed(np.ones((4, 3)), 1.0, 1.0).shape == (0, 3)
        assert dashed(np.zeros((0, 3)), 1.0, 1.0).shape == (0, 3)

    def test_lines_that_are_not_finite_vanish(self) -> None:
        lines = np.array(
            [[0, 0, math.nan], [1, 1, 1], [0, 0, 0], [math.inf, 0, 0], [0, 0, 0], [1, 0, 0]]
        )
        np.testing.assert_allclose(dashed(lines, 2.0, 1.0), [[0, 0, 0], [1, 0, 0]])

    def test_number_of_pieces_is_limited(self) -> None:
        pieces = dashed([[0, 0, 0], [1e6, 0, 0]], 0.01, 0.01)
        assert MAX_DASHES <= len(pieces) / 2 <= MAX_DASHES + 1
        assert lengths(pieces).sum() == pytest.approx(5e5, rel=0.01)

    @pytest.mark.parametrize(
        ("dash", "gap"), [(0.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (math.nan, 1.0), (1.0, math.inf)]
    )
    def test_refuses(self, dash: float, gap: float) -> None:
        with pytest.raises(ValueError, match="dashes"):
            dashed([[0, 0, 0], [1, 0, 0]], dash, gap)


MAKERS: list[Callable[[], Lines]] = [
    lambda: box_lines((1.0, 2.0, 3.0)),
    lambda: sphere_lines(0.5),
    lambda: cylinder_lines(2.0, 0.5, 0.5),
    lambda: cylinder_lines(2.0, 0.5, 0.0),
    lambda: capsule_lines(1.0, 0.5, 0.5),
    lambda: capsule_lines(1.0, 0.5, 0.25),
    lambda: capsule_lines(1.0, 0.5, 2.0),
    lambda: cross_lines(0.1),
    lambda: arrow_lines((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
]


@pytest.mark.parametrize("make", MAKERS)
class TestEveryShape:
    def test_lines_belong_to_the_caller(self, make: Callable[[], Lines]) -> None:
        first = make()
        expected = first.copy()
        first += 1.0
        np.testing.assert_array_equal(make(), expected)

    def test_speed(self, make: Callable[[], Lines]) -> None:
        make()
        pace.check_takes(lambda: [make() for _ in range(200)], 200 * 200e-6)


def test_nonsense_does_not_raise() -> None:
    numbers = (math.nan, math.inf, -1.0, 0.0, 1.0)
    with np.errstate(all="ignore"):
        for height, bottom, top in itertools.product(numbers, repeat=3):
            capsule_lines(height, bottom, top)
            cylinder_lines(height, bottom, top)
            box_lines((height, bottom, top))
            arrow_lines((0.0, 0.0, 0.0), (height, bottom, top))
