from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from omi_physics_addon.geometry.lines import curves, joint_lines
from omi_physics_addon.geometry.lines.joint_lines import drive_lines, frame_lines, limit_lines
from omi_physics_addon.model.joints import JointDrive, JointLimit, JointSettings

Points = NDArray[np.float64]

RADIUS = 0.8  # Of the arcs of a mark of size 1.
X, Y, Z = 0, 1, 2
ALL = (0, 1, 2)
HELD = (JointLimit(linear_axes=ALL, min=0.0, max=0.0),)
STIFF = (JointLimit(angular_axes=ALL, min=0.0, max=0.0),)


def linear(*axes: int, low: float | None = None, high: float | None = None, **more: Any) -> Any:
    limit = JointLimit(linear_axes=axes, min=low, max=high, **more)
    free = tuple(axis for axis in ALL if axis not in axes)
    rest = (JointLimit(linear_axes=free, min=0.0, max=0.0),) if free else ()
    return JointSettings(limits=(limit, *rest, *STIFF))


def angular(*axes: int, low: float | None = None, high: float | None = None, **more: Any) -> Any:
    limit = JointLimit(angular_axes=axes, min=low, max=high, **more)
    free = tuple(axis for axis in ALL if axis not in axes)
    rest = (JointLimit(angular_axes=free, min=0.0, max=0.0),) if free else ()
    return JointSettings(limits=(limit, *rest, *HELD))


def only(settings: JointSettings) -> Points:
    """The points of the lines of the first limit alone."""
    lines = joint_lines._limit(settings.limits[0], 1.0)
    return curves.joined(list(lines)).astype(np.float64)


def turned(points: Points, axis: int) -> Points:
    """The angles about an axis of the points on the arcs."""
    u, v = points[:, (axis + 1) % 3], points[:, (axis + 2) % 3]
    on_arc = np.abs(np.hypot(u, v) - RADIUS) < 1e-5
    on_arc &= np.abs(points[:, axis]) < 1e-6
    return np.arctan2(v[on_arc], u[on_arc])


@pytest.mark.parametrize("axis", ALL)
@pytest.mark.parametrize(("low", "high"), [(-0.5, 1.25), (0.3, 2.0), (-1.0, -0.25)])
def test_an_arc_goes_from_min_to_max(axis, low, high):
    points = only(angular(axis, low=low, high=high))
    angles = turned(points, axis)
    assert (angles.min(), angles.max()) == pytest.approx((low, high), abs=1e-5)
    # Evenly, without a gap: the arc is whole.
    steps = np.diff(np.unique(np.round(angles, 4)))
    assert steps.max() < 0.25
    # The spokes lie at the ends, from the middle to beyond the arc.
    far = points[np.isclose(np.linalg.norm(points, axis=1), 1.0, atol=1e-5)]
    found = np.arctan2(far[:, (axis + 2) % 3], far[:, (axis + 1) % 3])
    assert sorted(found) == pytest.approx([low, high], abs=1e-5)


def test_a_free_axis_has_a_whole_ring_and_a_fixed_one_a_single_spoke():
    free = JointSettings(limits=(JointLimit(angular_axes=(Y, Z), min=0.0, max=0.0), *HELD))
    ring = curves.joined(list(joint_lines._free(free, 1.0))).astype(np.float64)
    angles = turned(ring, X)
    assert len(angles) == len(ring)
    assert np.unique(np.round(angles, 3)).size >= 32
    fixed = only(angular(X, low=0.5, high=0.5))
    far = fixed[np.isclose(np.linalg.norm(fixed, axis=1), 1.0, atol=1e-6)]
    assert far == pytest.approx(np.array([(0.0, math.cos(0.5), math.sin(0.5))]), abs=1e-6)


def test_an_arc_without_an_end_has_a_head_and_starts_at_the_other():
    for settings, way in ((angular(Z, low=0.4), 1.0), (angular(Z, high=0.4), -1.0)):
        points = only(settings)
        angles = turned(points, Z)
        tip = (0.4 + way * 1.5 * math.pi + math.pi) % (2 * math.pi) - math.pi
        assert np.abs(angles - tip).min() < 1e-5
        assert len(points[np.isclose(np.linalg.norm(points, axis=1), 1.0, atol=1e-5)]) == 1


@pytest.mark.parametrize("axis", ALL)
def test_a_cone_leans_by_max_whatever_way(axis):
    others = tuple(other for other in ALL if other != axis)
    points = only(angular(*others, low=0.25, high=1.9))
    points = points[np.linalg.norm(points, axis=1) > 1e-6]
    assert np.linalg.norm(points, axis=1) == pytest.approx(RADIUS, abs=1e-5)
    lean = np.arccos(np.clip(points[:, axis] / RADIUS, -1.0, 1.0))
    assert lean.max() == pytest.approx(1.9, abs=1e-4)
    # The rims are whole circles, at both angles: nothing about the cone is elliptic.
    for angle in (0.25, 1.9):
        rim = points[np.isclose(lean, angle, atol=1e-4)]
        around = np.unique(np.round(np.arctan2(rim[:, others[0]], rim[:, others[1]]), 3))
        assert around.size >= 32


def test_a_cone_of_half_a_turn_holds_nothing_back():
    assert len(only(angular(X, Y, high=math.pi))) == 0
    assert len(only(angular(X, Y, low=-1.0))) == 0


def test_a_whole_angle_is_marked_about_every_axis_both_ways():
    points = only(angular(*ALL, low=0.2, high=0.9))
    for axis in ALL:
        angles = np.abs(turned(points, axis))
        # The arcs of the other axes cross this plane, too.
        own = angles[(angles > 0.15) & (angles < 1.0)]
        assert (own.min(), own.max()) == pytest.approx((0.2, 0.9), abs=1e-4)


@pytest.mark.parametrize("axis", ALL)
def test_a_bar_goes_from_min_to_max_with_stops(axis):
    points = only(linear(axis, low=-0.5, high=3.0))
    assert points[:, axis].min() == pytest.approx(-0.5)
    assert points[:, axis].max() == pytest.approx(3.0)
    for end in (-0.5, 3.0):
        stop = points[np.isclose(points[:, axis], end)]
        assert np.linalg.norm(np.delete(stop, axis, axis=1), axis=1).max() == pytest.approx(0.12)


def test_a_bar_without_an_end_has_a_head_there():
    points = only(linear(X, low=-0.5))
    assert points[:, X].min() == pytest.approx(-0.5)
    assert points[:, X].max() == pytest.approx(1.0)  # The size of marks, beyond zero.
    assert np.isclose(points[:, X], 0.85).any()  # Where the barbs end.
    beyond = only(linear(X, low=2.0))
    assert beyond[:, X].max() == pytest.approx(3.0)


@pytest.mark.parametrize("axis", ALL)
def test_two_axes_are_a_distance_from_the_third(axis):
    others = tuple(other for other in ALL if other != axis)
    points = only(linear(*others, low=0.5, high=2.0))
    assert np.abs(points[:, axis]).max() < 1e-6
    assert set(np.round(np.linalg.norm(points, axis=1), 4)) == {0.5, 2.0}


def test_three_axes_are_a_distance():
    points = only(linear(*ALL, low=0.5, high=2.0))
    assert set(np.round(np.linalg.norm(points, axis=1), 4)) == {0.5, 2.0}
    rope = only(linear(*ALL, low=-1.0, high=2.0))  # A distance is never below zero.
    assert set(np.round(np.linalg.norm(rope, axis=1), 4)) == {2.0}


@pytest.mark.parametrize("axes", [(X, Y), ALL])
def test_distances_without_an_end_have_heads_all_around(axes):
    points = only(linear(*axes, low=0.5))
    for axis in axes:
        assert points[:, axis].max() == pytest.approx(1.5)
        assert points[:, axis].min() == pytest.approx(-1.5)


@pytest.mark.parametrize("make", [linear, angular])
def test_a_limit_with_a_spring_is_dashed(make):
    hard, soft = make(X, low=-1.0, high=1.0), make(X, low=-1.0, high=1.0, stiffness=10.0)
    whole, broken = limit_lines(hard, 1.0), limit_lines(soft, 1.0)

    def length(lines: Any) -> float:
        return float(np.linalg.norm(lines[1::2] - lines[::2], axis=1).sum())

    assert len(broken) > len(whole)
    assert length(broken) < 0.9 * length(whole)
    # Every dash lies within the bounds of the hard limit.
    assert np.abs(broken).max() <= np.abs(whole).max() + 1e-6


def test_limits_say_nothing_without_ends_and_nothing_is_free_without_limits():
    assert len(limit_lines(JointSettings(limits=(JointLimit(linear_axes=(X,)),)), 1.0)) > 0
    assert len(only(JointSettings(limits=(JointLimit(linear_axes=(X,)),)))) == 0
    assert len(limit_lines(JointSettings(), 1.0)) == 0


def test_the_marks_have_the_size_asked_for_and_distances_are_true():
    small = limit_lines(linear(X, low=-1.0, high=1.0), 0.1)
    assert np.abs(small[:, X]).max() == pytest.approx(1.0, abs=0.02)
    assert np.abs(small[:, Y]).max() < 0.11
    arcs = limit_lines(angular(X, low=-1.0, high=1.0), 0.1)
    assert np.linalg.norm(arcs, axis=1).max() == pytest.approx(0.1, abs=0.02)


def test_a_spring_is_marked_at_its_target():
    drive = JointDrive(axis=Y, position_target=-0.75)  # type: ignore[arg-type]
    points = drive_lines(JointSettings(drives=(drive,)), 1.0)
    mark = points[-24:]
    assert mark.mean(axis=0) == pytest.approx((0.0, -0.75, 0.0), abs=1e-6)
    assert np.isclose(points, (0.0, -0.75, 0.0), atol=1e-6).all(axis=1).any()
    angle = JointDrive(type="angular", axis=Z, position_target=2.0)  # type: ignore[arg-type]
    mark = drive_lines(JointSettings(drives=(angle,)), 1.0)[-24:].mean(axis=0)
    assert math.atan2(mark[Y], mark[X]) == pytest.approx(2.0, abs=1e-5)


def test_a_motor_points_where_it_goes_and_farther_when_faster():
    def reach(speed: float) -> float:
        drive = JointDrive(axis=X, velocity_target=speed)  # type: ignore[arg-type]
        points = drive_lines(JointSettings(drives=(drive,)), 1.0)[:, X]
        return float(points.max() if speed > 0.0 else points.min())

    assert 0.0 < reach(1.0) < reach(3.0) < reach(50.0)
    assert reach(-3.0) == pytest.approx(-reach(3.0))


def test_a_drive_without_targets_or_of_another_type_has_no_lines():
    drives = (JointDrive(), JointDrive(type="screw", position_target=1.0))
    assert len(drive_lines(JointSettings(drives=drives), 1.0)) == 0


def test_the_axes_of_a_frame_differ_in_length_and_in_their_breaks():
    points = frame_lines(1.0)
    ends = points.reshape(-1, 2, 3)
    counts, reach = [], []
    for axis in ALL:
        along = [pair for pair in ends if not np.delete(pair, axis, axis=1).any()]
        counts.append(len(along))
        reach.append(max(pair[:, axis].max() for pair in along))
    assert counts[X] == 1 < counts[Y] < counts[Z]
    assert reach[X] > reach[Y] > reach[Z]
    assert np.abs(frame_lines(1.0, connected=True)).max() == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("start", "end"),
    [(1.0, 1.0), (1.0, math.inf), (math.inf, -math.inf), (math.nan, 1.0), (1e308, -1e308)],
)
def test_angles_without_a_way_between_them_have_no_arrow(start, end):
    assert len(curves.curved_arrow(X, start, end, 1.0, 0.1)) == 0


@pytest.mark.parametrize("size", [0.0, 1e-6, 1e6])
def test_any_size_does_no_harm(size):
    settings = angular(X, low=-1.0, high=1.0, stiffness=1.0)
    for lines in (limit_lines(settings, size), frame_lines(size)):
        assert np.isfinite(lines).all()
