"""Lines of motions, vehicles, seats and gravity."""

from __future__ import annotations

import math

import numpy as np
import pytest

from omi_physics_addon.geometry import inertia
from omi_physics_addon.geometry.inside import inside_of
from omi_physics_addon.geometry.lines import curves, gravity_lines, motion_lines
from omi_physics_addon.geometry.lines.seat_lines import seat_frame, seat_lines
from omi_physics_addon.geometry.lines.vehicle_lines import (
    front_lines,
    hover_thruster_lines,
    thruster_lines,
    wheel_lines,
)
from omi_physics_addon.model.gravity import (
    DirectionalGravity,
    DiscGravity,
    LineGravity,
    PointGravity,
    TorusGravity,
)
from omi_physics_addon.model.seats import Seat
from omi_physics_addon.model.shapes import Sphere
from omi_physics_addon.model.vehicles import HoverThruster, Thruster, Wheel

RANDOM = np.random.default_rng(11)


# Motions


def test_velocities_point_along_and_are_longer_when_faster():
    slow, fast, very = (motion_lines.velocity_lines((0.0, v, 0.0), 1.0) for v in (0.5, 5, 500))
    tips = [lines[:, 1].max() for lines in (slow, fast, very)]
    assert 0.0 < tips[0] < tips[1] < tips[2] < 10.0
    tip = motion_lines.velocity_lines((3.0, 0.0, -4.0), 1.0)[1]
    assert tip / np.linalg.norm(tip) == pytest.approx((0.6, 0.0, -0.8), abs=1e-6)
    for nothing in ((0.0, 0.0, 0.0), (math.nan, 0.0, 0.0), (math.inf, 0.0, 0.0)):
        assert len(motion_lines.velocity_lines(nothing, 1.0)) == 0
        assert len(motion_lines.spin_lines(nothing, 1.0)) == 0


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, -2.0, 0.0), (1.0, 2.0, -3.0)])
def test_a_spin_turns_about_its_axis_right_handed(axis):
    lines = motion_lines.spin_lines(axis, 1.0).astype(float)
    direction = np.array(axis) / np.linalg.norm(axis)
    assert lines[0] == pytest.approx(-direction, abs=1e-6)
    assert lines[1] == pytest.approx(direction, abs=1e-6)
    arc = lines[2:-4].reshape(-1, 2, 3)
    assert np.linalg.norm(arc, axis=2) == pytest.approx(0.7, abs=1e-6)
    turn = np.cross(arc[:, 0], arc[:, 1]) @ direction
    assert (turn > 0.0).all()
    swept = np.arcsin(turn / 0.49).sum()
    assert swept == pytest.approx(np.linalg.norm(axis) / 2.0, abs=1e-4)


def test_the_box_of_inertia_has_the_moments_it_was_made_of():
    size, mass = (0.5, 1.5, 3.0), 7.0
    box = inertia.with_mass(inertia.measure_box(size), mass)
    assert motion_lines.inertia_size(mass, np.diag(box.tensor)) == pytest.approx(size)
    quarter = (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))  # X becomes Y.
    lines = motion_lines.inertia_lines(mass, np.diag(box.tensor), quarter)
    assert np.ptp(lines, axis=0) == pytest.approx((1.5, 0.5, 3.0), abs=1e-5)


def test_moments_that_no_body_has_do_no_harm():
    assert motion_lines.inertia_size(1.0, (0.0, 0.0, 0.0)) is None
    assert motion_lines.inertia_size(0.0, (1.0, 1.0, 1.0)) is None
    assert motion_lines.inertia_size(1.0, (9.0, 1.0, 1.0))[0] == 0.0
    assert len(motion_lines.inertia_lines(1.0, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0))) == 0


# Vehicles


def test_a_wheel_is_a_cylinder_about_x():
    wheel = Wheel(radius=0.4, width=0.3, suspension_travel=0.0)
    points = wheel_lines(wheel)
    assert (points[:, 0].min(), points[:, 0].max()) == pytest.approx((-0.15, 0.15))
    away = np.hypot(points[:, 1], points[:, 2])
    assert away.max() == pytest.approx(0.4, abs=1e-6)
    assert np.isclose(away, 0.4, atol=1e-5).sum() > 64


def test_a_suspension_goes_up_and_down_by_its_travel():
    points = wheel_lines(Wheel(radius=0.1, suspension_travel=0.25))
    on_axle = points[np.abs(points[:, 0]) < 1e-6]
    assert (on_axle[:, 1].min(), on_axle[:, 1].max()) == pytest.approx((-0.25, 0.25))


def test_steering_to_the_left_is_positive_and_the_fan_has_both_ends():
    wheel = Wheel(radius=1.0, max_steering_angle=0.5, target_steering_ratio=1.0)
    points = wheel_lines(wheel)
    flat = points[np.abs(points[:, 1]) < 1e-6]
    fan = flat[np.isclose(np.linalg.norm(flat, axis=1), 1.25, atol=1e-5)]
    angles = np.arctan2(fan[:, 0], fan[:, 2])  # About Y from Z, the front, to X, the left.
    assert (angles.min(), angles.max()) == pytest.approx((-0.5, 0.5), abs=1e-5)
    tip = flat[np.argmax(np.linalg.norm(flat, axis=1))]
    assert math.atan2(tip[0], tip[2]) == pytest.approx(0.5, abs=1e-5)
    assert tip[0] > 0.0


def test_a_thruster_pushes_to_the_front_and_its_nozzle_is_behind():
    points = thruster_lines(Thruster(max_force=1.0), 2.0)
    assert points[:, 2].max() == pytest.approx(2.0)
    assert points[:, 2].min() == pytest.approx(-0.7)
    assert not points[0].any()


@pytest.mark.parametrize(
    ("ratio", "tip"),
    [
        ((1.0, 0.0), (0.0, -math.sin(0.3), math.cos(0.3))),  # About X, right-handed: down.
        ((0.0, 1.0), (math.sin(0.3), 0.0, math.cos(0.3))),  # About Y: left.
        ((3.0, 0.0), (0.0, -math.sin(0.3), math.cos(0.3))),  # No farther than the largest.
    ],
)
def test_a_gimbal_turns_the_thrust(ratio, tip):
    points = thruster_lines(Thruster(max_gimbal=0.3, target_gimbal_ratio=ratio), 1.0)
    assert points[1] == pytest.approx(tip, abs=1e-6)


@pytest.mark.parametrize("most", [0.0, 1e200])
def test_a_gimbal_of_no_sure_angle_leaves_the_thrust_as_it_is(most):
    with np.errstate(all="ignore"):
        points = thruster_lines(Thruster(max_gimbal=most, target_gimbal_ratio=(1.0, 0.0)), 1.0)
    assert points[1] == pytest.approx((0.0, 0.0, 1.0))


def test_the_cone_of_a_gimbal_has_its_angle():
    points = thruster_lines(Thruster(max_gimbal=0.4), 1.0)
    without = thruster_lines(Thruster(), 1.0)
    cone = points[len(without) :]
    far = cone[np.linalg.norm(cone, axis=1) > 0.5]
    lean = np.arctan2(np.hypot(far[:, 0], far[:, 1]), far[:, 2])
    assert lean == pytest.approx(0.4, abs=0.01)


def test_a_share_in_use_is_ringed_and_hovering_has_a_ray():
    plain, half = Thruster(), Thruster(target_force_ratio=0.5)
    ring = thruster_lines(half, 2.0)[len(thruster_lines(plain, 2.0)) :]
    assert ring[:, 2] == pytest.approx(1.0, abs=1e-6)
    hover = hover_thruster_lines(HoverThruster(), 1.0)
    assert hover[:, 2].min() == pytest.approx(-2.0)
    assert hover[:, 2].max() == pytest.approx(1.0)


def test_the_front_is_plus_z():
    points = front_lines(2.0, 1.0)
    assert points[np.argmax(points[:, 2])] == pytest.approx((0.0, 0.0, 3.2))
    assert points[:, 2].min() == pytest.approx(2.0)


# Seats

CHAIR = Seat(back=(0.0, 0.0, -0.25), foot=(0.0, -0.45, 0.25), knee=(0.0, 0.0, 0.25))


def test_who_sits_upright_looks_to_the_knees():
    forward, right, spine = seat_frame(CHAIR)
    assert forward == pytest.approx((0.0, 0.0, 1.0))
    assert right == pytest.approx((-1.0, 0.0, 0.0))  # Of someone who looks along +Z.
    assert spine == pytest.approx((0.0, 1.0, 0.0), abs=1e-9)


def test_a_larger_angle_leans_back():
    leaned = Seat(back=CHAIR.back, foot=CHAIR.foot, knee=CHAIR.knee, angle=2.0)
    frame = seat_frame(leaned)
    forward, _, spine = frame
    assert math.acos(forward @ spine) == pytest.approx(2.0)
    assert spine[1] > 0.0 > spine[2]


def test_the_figure_has_the_size_of_its_thighs_and_shins():
    lines = seat_lines(CHAIR)
    # Thigh 0.5 and shin 0.45: 1.79 m tall, so the top of the head is 0.84 m above the seat.
    assert lines[:, 1].max() == pytest.approx(0.95 / 0.53 * 0.47, abs=0.01)
    assert np.abs(lines[:, 0]).max() == pytest.approx(0.95 / 0.53 * 0.259 / 2, abs=0.01)
    above = lines[lines[:, 1] > 0.64, 2] - CHAIR.back[2]  # The head, with a nose to the knees.
    radius = 0.95 / 0.53 * 0.065
    assert (above.min(), above.max()) == pytest.approx((-radius, 1.4 * radius), abs=1e-3)
    for point in (CHAIR.back, CHAIR.knee, CHAIR.foot):
        near = np.linalg.norm(lines - np.float32(point), axis=1)
        assert np.isclose(near, 0.03 * 0.95 / 0.53, atol=1e-4).sum() >= 24


def test_points_in_a_line_show_only_themselves():
    flat = Seat(back=(0.0, 0.0, 0.0), knee=(0.0, 0.0, 1.0), foot=(0.0, 0.0, 2.0))
    assert seat_frame(flat) is None
    assert 0 < len(seat_lines(flat)) < len(seat_lines(CHAIR))
    none = Seat(back=(0.0, 0.0, 0.0), knee=(0.0, 0.0, 0.0), foot=(0.0, 0.0, 0.0))
    assert len(seat_lines(none)) == 0


# Gravity


def test_samples_are_inside_and_not_too_many():
    for shape in ((1.0, 1.0, 1.0), (500.0, 1.0, 1.0), (3.0, 0.0, 3.0), (1e-3, 2.0, 7.0)):
        half = np.array(shape) / 2.0
        points, step = gravity_lines.sample(-half, half, None)
        assert 8 < len(points) <= gravity_lines.MOST
        assert (np.abs(points) <= half).all()
        assert points.mean(axis=0) == pytest.approx(0.0, abs=1e-6)
        assert step > 0.0
    half = np.ones(3)
    points, _ = gravity_lines.sample(-half, half, inside_of(Sphere(radius=1.0)))
    assert 20 < len(points) < gravity_lines.MOST
    assert np.linalg.norm(points, axis=1).max() <= 1.0
    nowhere, step = gravity_lines.sample(np.zeros(3), np.zeros(3), None)
    assert (len(nowhere), step) == (0, 0.0)


def test_arrows_point_with_gravity_and_are_longer_where_it_is_stronger():
    points = np.array([(0.0, 0.0, 0.0), (5.0, 0.0, 0.0), (9.0, 0.0, 0.0)])
    pulls = np.array([(0.0, -1.0, 0.0), (0.0, -4.0, 0.0), (0.0, 0.0, 0.0)])
    arrows = gravity_lines.arrow_field(points, pulls, 1.0).reshape(2, -1, 3)  # None for nothing.
    shafts = arrows[:, 1] - arrows[:, 0]
    assert (shafts[:, 1] < 0.0).all()
    assert np.abs(shafts[:, [0, 2]]).max() < 1e-6
    assert -shafts[1, 1] == pytest.approx(0.85, abs=1e-5)
    assert shafts[1, 1] / shafts[0, 1] == pytest.approx(math.sqrt(3.7), rel=0.01)
    middles = (arrows[:, 1] + arrows[:, 0]) / 2.0
    assert middles == pytest.approx(points[:2], abs=1e-6)
    assert len(gravity_lines.arrow_field(points, np.zeros((3, 3)), 1.0)) == 0


def test_what_attracts_is_drawn():
    ring = gravity_lines.source_lines(TorusGravity(radius=2.0), 1.0)
    assert np.hypot(ring[:, 0], ring[:, 2]) == pytest.approx(2.0, abs=1e-5)
    disc = gravity_lines.source_lines(DiscGravity(radius=2.0), 1.0)
    assert len(disc) > len(ring)
    assert not disc[:, 1].any()
    line = gravity_lines.source_lines(LineGravity(points=((0, 0, 0), (1, 2, 3), (4, 5, 6))), 1.0)
    assert line[:4].tolist() == [[0, 0, 0], [1, 2, 3], [1, 2, 3], [4, 5, 6]]
    assert len(gravity_lines.source_lines(PointGravity(), 1.0)) > 0
    assert len(gravity_lines.source_lines(DirectionalGravity(), 1.0)) == 0
    assert len(gravity_lines.source_lines(LineGravity(), 1.0)) == 0


def test_many_arrows_are_each_as_alone():
    starts, vectors = RANDOM.normal(size=(5, 3)), RANDOM.normal(size=(5, 3))
    vectors[2] = 0.0
    lines = curves.arrows(starts, vectors, 0.25)
    assert len(lines) == 4 * 10
    first = lines[:10].astype(float)
    assert first[0] == pytest.approx(starts[0], abs=1e-6)
    assert first[1] == pytest.approx(starts[0] + vectors[0], abs=1e-6)
    back = (first[3::2] - first[1]) @ vectors[0] / (vectors[0] @ vectors[0])
    assert back == pytest.approx(-0.25, abs=1e-6)
