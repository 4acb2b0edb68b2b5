"""Places and axes of joints."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.fit import pivots

CIRCLE = np.array([(np.cos(t), 0.0, np.sin(t)) for t in np.linspace(0.0, 2 * np.pi, 9)[:-1]])


def test_one_edge_is_the_axis():
    found = pivots.of_edges(np.array([(1, 1, 2)]), np.array([(1, 1, 0)]))
    assert found.place == pytest.approx((1, 1, 1))
    assert found.axis == pytest.approx((0, 0, 1))


def test_a_loop_turns_about_the_line_across_it():
    found = pivots.of_edges(CIRCLE + (5, 6, 7), np.roll(CIRCLE, 1, axis=0) + (5, 6, 7))
    assert found.place == pytest.approx((5, 6, 7))
    assert found.axis == pytest.approx((0, 1, 0))


def test_a_ring_of_parallel_edges_has_their_direction_whichever_way_they_run():
    ends = np.where(np.arange(8)[:, None] % 2, CIRCLE + (0, 2, 0), CIRCLE)
    starts = np.where(np.arange(8)[:, None] % 2, CIRCLE, CIRCLE + (0, 2, 0))
    found = pivots.of_edges(starts, ends)
    assert found.place == pytest.approx((0, 1, 0))
    assert found.axis == pytest.approx((0, 1, 0))


def test_edges_without_length_have_no_axis():
    found = pivots.of_edges(np.ones((2, 3)), np.ones((2, 3)))
    assert found.place == pytest.approx((1, 1, 1))
    assert found.axis is None


def test_faces_count_by_their_area():
    centers, normals = np.array([(0, 0, 0), (4, 0, 0)]), np.array([(1, 0, 0), (0, 0, 1)])
    found = pivots.of_faces(centers, normals, np.array([1.0, 3.0]))
    assert found.place == pytest.approx((3, 0, 0))
    assert found.axis == pytest.approx(np.array((1, 0, 3)) / np.sqrt(10))
    flat = pivots.of_faces(centers, np.array([(0, 0, 1), (0, 0, -1)]), np.zeros(2))
    assert flat.place == pytest.approx((2, 0, 0))
    assert flat.axis is None


def test_corners():
    assert pivots.of_corners(np.array([(1, 2, 3)])).axis is None
    two = pivots.of_corners(np.array([(1, 2, 3), (1, 0, 3)]))
    assert (two.place, two.axis) == (pytest.approx((1, 1, 3)), pytest.approx((0, 1, 0)))


def test_a_row_starts_at_the_end_that_is_nearer():
    places = np.array([(3, 3.1, 0), (0, 0, 0), (2, 2, 0), (1, 1, 0.2)])
    assert pivots.in_row(places, 1) == [1, 3, 2, 0]
    assert pivots.in_row(places, 0) == [0, 2, 3, 1]
    assert pivots.in_row(places[:1], 0) == [0]


def test_evenly_along_a_bent_line():
    line = np.array([(0, 0, 0), (1, 0, 0), (1, 3, 0)])
    assert pivots.length(line) == 4.0
    assert pivots.evenly(line, 4) == pytest.approx(
        np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 2, 0), (1, 3, 0)])
    )


def test_the_mesh_of_a_capsule_is_closed_and_faces_out():
    corners, faces = pivots.capsule_mesh(2.0, 0.5, sides=32, rings=12)
    points = np.array(corners)
    edges = [(f[i], f[(i + 1) % len(f)]) for f in faces for i in range(len(f))]
    assert len(set(edges)) == len(edges)
    assert {(b, a) for a, b in edges} == set(edges)
    axis = points.copy()
    axis[:, 2] -= np.clip(axis[:, 2], -1.0, 1.0)
    assert np.linalg.norm(axis, axis=1) == pytest.approx(np.full(len(points), 0.5))
    volume = sum(
        np.dot(points[f[0]], np.cross(points[f[i]], points[f[i + 1]])) / 6.0
        for f in faces
        for i in range(1, len(f) - 1)
    )
    assert volume == pytest.approx(np.pi * 0.25 * 2.0 + 4.0 / 3.0 * np.pi * 0.125, rel=0.02)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        ((1.0, 0.0, 0.0), (3.0, 1.0, 1.0), (1.0, 0.5, 0.5)),  # Side by side.
        ((3.0, 0.0, 0.0), (4.0, 1.0, 1.0), (2.0, 0.5, 0.5)),  # Apart.
        ((0.5, 0.5, -9.0), (2.0, 2.0, 9.0), (0.75, 0.75, 0.5)),  # One through the other.
        ((0.2, 0.2, 0.2), (0.4, 0.4, 0.4), (0.3, 0.3, 0.3)),  # One in the other.
    ],
)
def test_between(low, high, expected):
    one = np.array([(0.0, 0.0, 0.0), (1.0, 1.0, 1.0)])
    for pair in ((one, np.array([low, high])), (np.array([high, low]), one)):
        assert pivots.between(*pair) == pytest.approx(expected)


def corners(low: tuple[float, ...], high: tuple[float, ...]) -> np.ndarray:
    return np.array(
        [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )


CHEST = corners((-2.0, -1.0, 0.0), (2.0, 1.0, 2.0))


@pytest.mark.parametrize("sink", [0.0, 0.1, -0.1])
def test_a_lid_opens_along_its_long_edge_at_the_back(sink):
    lid = corners((-2.1, -1.1, 2.0 - sink), (2.1, 1.1, 2.3))
    found = pivots.of_leaf(lid, CHEST)
    assert found is not None
    assert found.place == pytest.approx((0.0, 1.0, 2.0 - sink / 2.0))
    assert np.cross(found.axis, lid.mean(axis=0) - found.place)[2] > 0.5  # It goes up.
    turned = pivots.of_leaf(lid[:, (1, 0, 2)], CHEST[:, (1, 0, 2)])
    assert turned is not None
    assert turned.place == pytest.approx((1.0, 0.0, 2.0 - sink / 2.0))
    assert np.cross(turned.axis, lid[:, (1, 0, 2)].mean(axis=0) - turned.place)[2] > 0.5


@pytest.mark.parametrize(
    "other",
    [
        corners((2.0, -1.0, 0.0), (4.0, 1.0, 2.0)),  # Beside it, as a door.
        corners((-1.0, -1.0, 2.0), (1.0, 1.0, 2.2)),  # Square, as a turntable.
        corners((-2.0, -1.0, 0.5), (2.0, 1.0, 1.9)),  # Inside, as a drawer.
        corners((-2.0, -1.0, -0.2), (2.0, 1.0, 0.0)),  # Below.
        corners((2.0, -1.0, 2.0), (6.0, 1.0, 2.2)),  # Over an edge only, as a shelf.
    ],
)
def test_what_is_no_lid_has_no_edge(other):
    assert pivots.of_leaf(other, CHEST) is None


def opens(leaf: np.ndarray, pivot: pivots.Pivot | None) -> np.ndarray:
    """Where the middle of a leaf begins to go, as a direction."""
    assert pivot is not None
    assert pivot.axis is not None
    way = np.cross(pivot.axis, leaf.mean(axis=0) - pivot.place)
    return way / np.linalg.norm(way)


def test_a_square_lid_that_closes_its_chest_opens_at_the_back():
    chest = corners((-0.5, -0.5, 0.0), (0.5, 0.5, 0.5))
    lid = corners((-0.52, -0.52, 0.5), (0.52, 0.52, 0.75))
    found = pivots.of_leaf(lid, chest)
    assert found is not None
    assert found.place == pytest.approx((0.0, 0.5, 0.5))
    assert opens(lid, found)[2] > 0.5


@pytest.mark.parametrize(
    ("part", "place", "axis"),
    [
        # A hatch on a floor, smaller than that.
        (corners((-1.0, -0.5, 2.0), (1.0, 0.5, 2.1)), (0.0, 0.5, 2.0), (-1.0, 0.0, 0.0)),
        # A door before a cupboard, and one within its frame.
        (corners((-1.0, -1.1, 0.1), (0.0, -1.0, 1.9)), (-1.0, -1.0, 1.0), (0.0, 0.0, 1.0)),
        (corners((-0.5, 0.0, 0.0), (0.5, 0.1, 1.9)), (-0.5, 0.05, 0.95), (0.0, 0.0, 1.0)),
    ],
)
def test_leaves_turn_about_an_edge(part, place, axis):
    found = pivots.of_leaf(part, CHEST)
    assert found is not None
    assert found.place == pytest.approx(place)
    assert found.axis == pytest.approx(axis)


def test_a_plank_turns_about_what_it_rests_on():
    wedge = corners((-0.1, -0.4, 0.0), (0.1, 0.4, 0.5))
    found = pivots.of_leaf(corners((-1.5, -0.2, 0.5), (1.5, 0.2, 0.55)), wedge)
    assert found is not None
    assert found.place == pytest.approx((0.0, 0.0, 0.5))
    assert found.axis == pytest.approx((0.0, 1.0, 0.0))


@pytest.mark.parametrize(
    ("part", "base"),
    [
        (corners((-0.6, -0.4, 2.0), (0.6, 0.4, 2.4)), CHEST),  # A turret, too thick for a hatch.
        (corners((-0.5, -0.5, 0.6), (0.5, 0.5, 0.7)), corners((-0.1, -0.1, 0), (0.1, 0.1, 0.6))),
        (corners((-1.0, -1.1, 0.0), (1.0, -1.0, 2.0)), CHEST),  # A square wheel of fortune.
        (corners((-2.0, -1.0, 2.0), (2.0, 1.0, 4.0)), CHEST),  # A block on a block.
    ],
)
def test_what_turns_about_its_middle_is_no_leaf(part, base):
    assert pivots.of_leaf(part, base) is None


@pytest.mark.parametrize(
    ("part", "place", "axis"),
    [
        # A door beside its post, with and without a gap.
        (corners((0.1, -0.03, 0.1), (1.1, 0.03, 2.1)), (0.1, 0.0, 1.1), (0, 0, 1)),
        (corners((0.12, -0.03, 0.1), (1.1, 0.03, 2.1)), (0.11, 0.0, 1.1), (0, 0, 1)),
        # A sign below its beam, of which the directions are alike.
        (corners((-0.05, -0.8, -0.5), (0.05, 0.8, 0.0)), (0.0, 0.0, 0.0), (0, 1, 0)),
    ],
)
def test_a_seam_is_the_axis(part, place, axis):
    post = corners((-0.1, -1.0, 0.0), (0.1, 1.0, 2.2))
    found = pivots.of_seam(part, post)
    assert found is not None
    assert found.place == pytest.approx(place)
    assert found.axis == pytest.approx(axis)


@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2)])
def test_turning_lifts_a_bridge_beside_a_wall(side, order):
    wall = corners((-0.2, -2.0, 0.0), (0.2, 2.0, 3.0))[:, order]
    bridge = corners(*sorted(((side * 0.2, -1.5, 0.0), (side * 3.0, 1.5, 0.2))))
    bridge = bridge[:, order]
    assert opens(bridge, pivots.of_seam(bridge, wall))[2] > 0.5


@pytest.mark.parametrize(
    "part",
    [
        corners((2.0, -1.0, 0.0), (4.0, 1.0, 2.0)),  # A block beside a block.
        corners((-0.02, -0.02, 2.0), (0.02, 0.02, 3.0)),  # A rod on end.
        corners((3.0, 3.0, 0.0), (4.0, 4.0, 2.0)),  # Apart, across a corner.
        np.array([(0.5, 0.5, 1.0)]),  # An empty.
    ],
)
def test_wide_or_small_contacts_are_no_seams(part):
    assert pivots.of_seam(part, CHEST) is None
    assert pivots.of_leaf(part, CHEST) is None
