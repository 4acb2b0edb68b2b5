"""Wheels, thrusters, gyroscopes and dampeners against closed formulas, in steps of 1/60 s."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.model.bodies import PhysicsMaterial
from omi_physics_addon.model.vehicles import HoverThruster, Thruster, VehicleBody, Wheel
from omi_physics_addon.simulation.state import WORLD, Array, Masses, State, Wrench
from omi_physics_addon.simulation.vehicles.pilot import (
    KEYS,
    Scheme,
    activations,
    axes_of,
    scheme_of,
)
from omi_physics_addon.simulation.vehicles.thrusters import (
    Nozzles,
    gimbal_direction,
    gimbal_rotation,
)
from omi_physics_addon.simulation.vehicles.vehicle_control import Vehicles
from omi_physics_addon.simulation.vehicles.vehicle_forces import VehicleForces
from omi_physics_addon.simulation.vehicles.vehicle_frames import Hits, Places, approach
from omi_physics_addon.simulation.vehicles.wheels import WheelNumbers
from omi_physics_addon.simulation.world import Frame
from tests.support import pace
from tests.support.rigid_bodies import STEP, about, frame, resting, solids, step

WEIGHT = 10.0
FALLING = np.array([[0.0, -WEIGHT, 0.0]])
UPWARD = about((1, 0, 0), -math.pi / 2)  # A thruster whose +Z is the vehicle's +Y.


def plane(slope: float = 0.0) -> Any:
    """The ground through the origin, rising toward -X by an angle."""
    normal = np.array([math.sin(slope), math.cos(slope), 0.0])

    def cast(origins: Array, directions: Array, lengths: Array, ignored: Any) -> Hits:
        assert len(ignored) == len(origins)
        facing = -directions @ normal
        away = origins @ normal
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = np.where(facing > 0.0, away / facing, np.inf)
        meets = (distance >= 0.0) & (distance <= lengths)
        bodies = np.full(len(origins), WORLD)
        return Hits(np.where(meets, distance, np.inf), np.tile(normal, (len(origins), 1)), bodies)

    return cast


class Ride:
    """One body with parts, and what moves it."""

    def __init__(
        self,
        body: VehicleBody | None,
        *,
        wheels: Sequence[tuple[Frame, Wheel]] = (),
        thrusters: Sequence[tuple[Frame, Thruster | HoverThruster]] = (),
        mass: float = 1000.0,
        inertia: Sequence[float] = (1500.0, 1800.0, 600.0),
        height: float = 0.0,
        falling: Array | None = None,
        slope: float = 0.0,
        material: PhysicsMaterial | None = None,
    ) -> None:
        self.masses = solids([mass], [inertia])
        self.state = resting((0, height, 0))
        self.falling = np.zeros((1, 3)) if falling is None else falling
        self.vehicles = Vehicles.of([] if body is None else [(0, body)])
        rolling, firing = [one for _, one in wheels], [one for _, one in thrusters]
        self.forces = VehicleForces(
            self.vehicles,
            (Places.of([at for at, _ in thrusters], self.vehicles.body), Nozzles.of(firing)),
            (
                Places.of([at for at, _ in wheels], self.vehicles.body),
                WheelNumbers.of(rolling, [material] * len(rolling)),
            ),
            self.masses,
            lambda _state, _masses: self.falling,
            plane(slope),
            substeps=2,
        )

    def tell(self, linear: Sequence[float] = (0, 0, 0), angular: Sequence[float] = (0, 0, 0)):
        self.vehicles.linear_activation[0] = linear
        self.vehicles.angular_activation[0] = angular
        return self

    def go(self, seconds: float) -> Ride:
        for _ in range(round(seconds / STEP)):
            self.wrench = step(self.state, self.masses, [self.make], falling=self.falling)
        return self

    def make(self, state: State, masses: Masses, dt: float, wrench: Wrench) -> None:
        self.forces.apply(state, masses, dt, wrench, self.falling)


def car(front: Wheel | None = None, rear: Wheel | None = None, **how: Any) -> Ride:
    """A car with 3 m between the axles and 1.6 m between the wheels of each."""
    front = front or Wheel(max_steering_angle=0.4)
    rear = rear or Wheel(max_propulsion_force=2000.0)
    wheels = [
        (frame(0, (x, -0.2, z)), front if z > 0 else rear) for z in (1.5, -1.5) for x in (0.8, -0.8)
    ]
    body = how.pop("body", VehicleBody())
    return Ride(body, wheels=wheels, height=0.6, falling=FALLING, **how)


@pytest.mark.parametrize("stiffness", [15000.0, 60000.0])
def test_a_suspension_rests_where_its_springs_carry_the_weight(stiffness):
    """Pressed by weight / stiffness: the wheel hangs travel - 10000 / (4·k) below its node."""
    wheel = Wheel(suspension_stiffness=stiffness)
    ride = car(wheel, wheel).go(4.0)
    pressed = 1000.0 * WEIGHT / 4.0 / stiffness
    assert ride.forces.wheels.length == pytest.approx(np.full(4, 0.25 - pressed), abs=1e-4)
    assert ride.forces.wheels.load == pytest.approx(np.full(4, 2500.0), rel=1e-3)
    assert ride.state.position[0, 1] == pytest.approx(0.2 + 0.25 - pressed + 0.25, abs=1e-4)


def test_a_suspension_dampens_compression_and_rebound_by_their_own_numbers():
    wheel = Wheel(suspension_damping_compression=500.0, suspension_damping_rebound=4000.0)
    ride = car(wheel, wheel).go(4.0)
    for speed, damping in ((-0.01, 500.0), (0.01, 4000.0)):
        ride.state.velocity[0, 1] = speed
        wrench = Wrench.zero(1)
        ride.forces.apply(ride.state, ride.masses, 1e-6, wrench, ride.falling)
        assert wrench.force[0, 1] - 10000.0 == pytest.approx(-4.0 * damping * speed, rel=1e-2)


def test_a_wheel_in_the_air_hangs_by_its_travel_and_does_nothing():
    ride = car()
    ride.state.position[0, 1] = 5.0
    ride.tell(linear=(0, 0, 1)).go(STEP)
    assert not ride.wrench.force.any()
    assert ride.forces.wheels.length == pytest.approx(np.full(4, 0.25))


def test_a_car_accelerates_by_the_force_of_its_motors():
    ride = car().go(2.0)
    ride.tell(linear=(0, 0, 1)).go(3.0)
    assert ride.state.velocity[0] == pytest.approx([0.0, 0.0, 3.0 * 4000.0 / 1000.0], abs=0.01)
    assert ride.forces.wheels.roll[0] == pytest.approx(ride.state.position[0, 2] / 0.25, rel=0.02)


def test_a_motor_gains_force_by_its_rate():
    ride = car(rear=Wheel(max_propulsion_force=2000.0, propulsion_force_change_rate=500.0)).go(2.0)
    ride.tell(linear=(0, 0, 1)).go(2.0)
    assert ride.forces.wheels.drive == pytest.approx([0.0, 0.0, 1000.0, 1000.0])


def test_grip_ends_at_the_friction():
    """8000 N of motor on 5000 N of load: static 0.8 holds 4000, sliding leaves 0.5 of it."""
    tire = PhysicsMaterial(static_friction=0.8, dynamic_friction=0.5)
    weak = car(rear=Wheel(max_propulsion_force=1500.0), material=tire).go(3.0)
    strong = car(rear=Wheel(max_propulsion_force=4000.0), material=tire).go(3.0)
    weak.tell(linear=(0, 0, 1)).go(STEP)
    strong.tell(linear=(0, 0, 1)).go(STEP)
    assert weak.wrench.force[0, 2] == pytest.approx(3000.0, rel=1e-3)
    assert strong.wrench.force[0, 2] == pytest.approx(0.5 * 5000.0, rel=1e-2)


@pytest.mark.parametrize(("braking", "expected"), [(-1.0, 500.0), (800.0, 800.0), (0.0, 0.0)])
def test_brakes_have_their_force_or_that_of_the_motor(braking, expected):
    wheel = Wheel(max_propulsion_force=500.0, braking_force=braking)
    ride = car(wheel, wheel).go(3.0)
    ride.state.velocity[0, 2] = 10.0
    ride.go(1.0)
    assert ride.state.velocity[0, 2] == pytest.approx(10.0 - 4.0 * expected / 1000.0, abs=0.02)


def test_a_braked_car_stands_still_on_a_slope_and_a_loose_one_rolls():
    ride = car(Wheel(braking_force=3000.0), Wheel(braking_force=3000.0), slope=0.2)
    ride.state.rotation[0] = about((0, 0, 1), -0.2) @ about((0, 1, 0), math.pi / 2)
    ride.go(3.0)
    place = ride.state.position[0].copy()
    assert np.linalg.norm(ride.go(3.0).state.position[0] - place) < 0.01
    ride.vehicles.linear_dampeners[:] = False
    ride.go(1.0)
    assert np.linalg.norm(ride.state.velocity[0]) == pytest.approx(WEIGHT * math.sin(0.2), rel=0.03)


def test_what_stands_but_for_rounding_goes_at_once_and_what_rolls_back_brakes():
    """F/m in the first step; at 3 m/s backwards the brakes take more than the motor gives."""
    wheel = Wheel(max_propulsion_force=500.0, braking_force=800.0)
    rested = car(wheel, wheel).go(4.0)
    cases = ((-1e-8, 4.0 * 500.0), (-3.0, 4.0 * 800.0))
    for (speed, gained), told in itertools.product(cases, (1.0, -1.0)):
        ride = copy.deepcopy(rested)
        ride.state.velocity[0, 2] = told * speed
        before = told * ride.state.velocity[0, 2]
        ride.tell(linear=(0, 0, told)).go(STEP)
        after = told * ride.state.velocity[0, 2]
        assert after - before == pytest.approx(gained / 1000.0 * STEP, rel=0.02)


def test_wheels_hold_their_track_on_a_side_slope():
    ride = car(slope=0.2)
    ride.state.rotation[0] = about((0, 0, 1), -0.2)
    ride.go(3.0)
    place = ride.state.position[0].copy()
    assert np.linalg.norm(ride.go(3.0).state.position[0] - place) < 0.02


@pytest.mark.parametrize(("angle", "wider"), [(0.1, 0.005), (0.2, 0.01), (0.3, 0.02), (0.5, 0.08)])
def test_a_slow_car_turns_by_the_bicycle_model(angle, wider):
    """The middle of the rear axle runs on a circle of radius L / tan(δ), or wider, as is told."""
    ride = car(front=Wheel(max_steering_angle=angle), body=VehicleBody(linear_dampeners=False))
    ride.go(2.0)
    ride.state.velocity[0, 2] = 2.0
    ride.tell(angular=(0, 1, 0)).go(4.0)
    speed = ride.state.velocity[0] + np.cross(
        ride.state.spin[0], ride.state.rotation[0] @ (0.0, 0.0, -1.5)
    )
    radius = np.linalg.norm(speed[[0, 2]]) / ride.state.spin[0, 1]
    # Positive is to the left.
    assert radius == pytest.approx((1.0 + wider) * 3.0 / math.tan(angle), rel=0.01)


def test_steering_takes_its_time_and_rear_wheels_steer_against_it():
    wheel = Wheel(max_steering_angle=0.5, steering_change_rate=0.3)
    ride = car(wheel, wheel).tell(angular=(0, 1, 0)).go(1.0)
    assert ride.forces.wheels.angle == pytest.approx([0.3, 0.3, -0.3, -0.3])
    ride.tell(angular=(0, -0.5, 0)).go(5.0)
    assert ride.forces.wheels.angle == pytest.approx([-0.125, -0.125, 0.125, 0.125])
    left = ride.forces.wheels.axes_local()[2]
    assert left[:, 2] == pytest.approx([math.sin(0.125), 0.0, math.cos(0.125)])
    at_once = Wheel(max_steering_angle=0.5, steering_change_rate=-1.0)
    ride = car(at_once, at_once).tell(angular=(0, 1, 0)).go(STEP)
    assert ride.forces.wheels.angle[0] == 0.5


def test_a_car_ends_at_its_largest_speed():
    ride = car(body=VehicleBody(max_speed=8.0)).go(1.0)
    ride.tell(linear=(0, 0, 1)).go(12.0)
    assert ride.state.velocity[0, 2] == pytest.approx(8.0, rel=5e-3)


def test_wheels_of_plain_bodies_follow_the_file():
    wheel = Wheel(
        max_propulsion_force=250.0,
        target_propulsion_force_ratio=0.5,
        max_steering_angle=0.4,
        target_steering_ratio=-0.5,
    )
    parts = [(frame(0, (x, -0.2, z)), wheel) for z in (1.5, -1.5) for x in (0.8, -0.8)]
    ride = Ride(None, wheels=parts, height=0.6, falling=FALLING).go(1.0)
    assert ride.forces.wheels.angle == pytest.approx(np.full(4, -0.2))
    assert ride.forces.wheels.drive == pytest.approx(np.full(4, 125.0))
    assert ride.state.velocity[0, 0] < 0.0 < ride.state.velocity[0, 2]


def rocket(thruster: Thruster, place: Sequence[float] = (0, 0, -1), **how: Any) -> Ride:
    body = how.pop("body", VehicleBody(linear_dampeners=False, angular_dampeners=False))
    return Ride(body, thrusters=[(frame(0, place), thruster)], inertia=(500, 500, 100), **how)


def test_a_thruster_accelerates_by_its_force():
    ride = rocket(Thruster(max_force=3000.0)).tell(linear=(0, 0, 0.5)).go(2.0)
    assert ride.state.velocity[0] == pytest.approx([0.0, 0.0, 3.0])
    ride.tell(linear=(0, 0, -1)).go(1.0)  # It pushes one way only.
    assert ride.state.velocity[0] == pytest.approx([0.0, 0.0, 3.0])


def test_a_thruster_gains_force_by_its_rate():
    ride = rocket(Thruster(max_force=3000.0, force_change_rate=1000.0))
    ride.tell(linear=(0, 0, 1)).go(1.5)
    assert ride.forces.thrusters.power == pytest.approx([1500.0])
    assert ride.state.velocity[0, 2] == pytest.approx(0.5 * 1.5**2, rel=0.02)


def test_a_thruster_of_a_plain_body_follows_the_file():
    thruster = Thruster(
        max_force=2000.0, target_force_ratio=0.5, max_gimbal=0.2, target_gimbal_ratio=(0.0, 1.0)
    )
    ride = Ride(None, thrusters=[(frame(0, (0, 0, -2)), thruster)]).go(STEP)
    assert ride.wrench.force[0] == pytest.approx([1000 * math.sin(0.2), 0, 1000 * math.cos(0.2)])
    assert ride.wrench.torque[0] == pytest.approx([0.0, -2000 * math.sin(0.2), 0.0])


@pytest.mark.parametrize("place", [(0, 0, -1), (0, 0, 1)])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_gimbals_answer_angular_commands_from_behind_and_from_before(place, axis, sign):
    angular = np.zeros(3)
    angular[axis] = sign
    ride = rocket(Thruster(max_force=1000.0, max_gimbal=0.2), place)
    ride.tell(linear=(0, 0, 1), angular=angular).go(0.1)
    assert ride.state.spin[0, axis] * sign > 0.0
    assert np.linalg.norm(ride.forces.thrusters.gimbal) == pytest.approx(0.1)  # At 1 rad/s.
    ride.go(0.2)
    assert np.linalg.norm(ride.forces.thrusters.gimbal) == pytest.approx(0.2)


def test_gimbals_that_are_locked_or_turn_at_once():
    for rate, expected in ((0.0, 0.0), (-1.0, 0.2)):
        ride = rocket(Thruster(max_force=1.0, max_gimbal=0.2, gimbal_change_rate=rate))
        ride.tell(angular=(1, 0, 0)).go(STEP)
        assert np.linalg.norm(ride.forces.thrusters.gimbal) == pytest.approx(expected)


def test_linear_commands_use_their_share_of_the_gimbal():
    """A thruster that points up is turned toward what the vehicle is told: aside, by half."""
    thruster = Thruster(
        max_force=1.0, max_gimbal=0.2, gimbal_change_rate=-1.0, linear_gimbal_adjust_ratio=0.5
    )
    body = VehicleBody(linear_dampeners=False, angular_dampeners=False)
    ride = Ride(body, thrusters=[(frame(0, axes=UPWARD), thruster)]).tell(linear=(1, 0, 0)).go(STEP)
    direction = ride.forces.thrusters.directions_local()[0]
    assert direction == pytest.approx([math.sin(0.1), math.cos(0.1), 0.0])


def test_gimbal_rotations():
    """By |(a, b)| about (a, b, 0): X first turns +Z down, Y turns it to the left."""
    angles = np.array([[0.0, 0.0], [0.3, 0.0], [0.0, 0.3], [0.3, -0.4], [1e-12, 1e-12]])
    found = gimbal_rotation(angles)
    for rotation, (a, b) in zip(found, angles, strict=True):
        size = math.hypot(a, b)
        expected = about((a, b, 0.0), size) if size else np.eye(3)
        assert rotation == pytest.approx(expected)
    assert gimbal_direction(angles)[1] == pytest.approx([0.0, -math.sin(0.3), math.cos(0.3)])
    assert gimbal_direction(angles)[2] == pytest.approx([math.sin(0.3), 0.0, math.cos(0.3)])


def hovercraft(energy: float, **how: Any) -> Ride:
    body = how.pop("body", None)
    thruster = HoverThruster(max_hover_energy=energy, target_hover_ratio=1.0, **how)
    places = [(x, 0.0, z) for x in (1.0, -1.0) for z in (1.0, -1.0)]
    thrusters = [(frame(0, place, UPWARD), thruster) for place in places]
    return Ride(body, thrusters=thrusters, height=3.0, falling=FALLING)


def mean_height(ride: Ride, seconds: float) -> float:
    heights = []
    for _ in range(round(seconds / STEP)):
        heights.append(ride.go(STEP).state.position[0, 1])
    return float(np.mean(heights))


def test_hovering_rests_where_energy_over_height_is_the_weight():
    """h = ΣE / (m·g) = 4 · 8000 / 10000 = 3.2 m; there nothing pushes."""
    ride = hovercraft(8000.0)
    ride.state.position[0, 1] = 3.2
    ride.go(STEP)
    assert ride.wrench.force[0] == pytest.approx([0.0, 10000.0, 0.0], abs=1.0)
    ride.state.position[0, 1], ride.state.velocity[0] = 1.6, 0.0
    ride.go(STEP)
    assert ride.wrench.force[0, 1] == pytest.approx(20000.0, rel=1e-3)


def test_a_hovercraft_that_is_told_nothing_holds_three_quarters_of_that_height():
    """With dampeners; it swings about 0.75 · ΣE / (m·g), and its vertical speed is dampened."""
    ride = hovercraft(8000.0, body=VehicleBody())
    assert mean_height(ride.go(20.0), 5.0) == pytest.approx(0.75 * 3.2, rel=0.02)
    assert abs(ride.state.velocity[0, 1]) < 0.05
    assert ride.state.rotation[0] == pytest.approx(np.eye(3), abs=1e-3)


def test_hover_energy_changes_by_its_rate_and_ends_far_from_the_ground():
    ride = hovercraft(8000.0, body=VehicleBody(), hover_energy_change_rate=2000.0)
    ride.forces.thrusters.power[:] = 0.0
    ride.go(0.5)
    assert ride.forces.thrusters.power == pytest.approx(np.full(4, 1000.0), rel=1e-6)
    ride.state.position[0, 1] = 2000.0
    ride.go(STEP)
    assert ride.wrench.force[0] == pytest.approx([0.0, 0.0, 0.0])


def ship(**how: Any) -> Ride:
    """Six thrusters of 1000 N through the centre of mass, one for each way."""
    turns = [
        np.eye(3),
        about((0, 1, 0), math.pi),
        about((0, 1, 0), math.pi / 2),
        about((0, 1, 0), -math.pi / 2),
        UPWARD,
        about((1, 0, 0), math.pi / 2),
    ]
    force = how.pop("force", 1000.0)
    thrusters = [(frame(0, axes=turn), Thruster(max_force=force)) for turn in turns]
    return Ride(VehicleBody(**how), thrusters=thrusters)


def test_linear_dampeners_slow_what_is_not_told():
    """Thrust is 1 per m/s: above that the whole force, below exp(-F·t/m)."""
    ride = ship()
    ride.state.velocity[0] = (0.0, 3.0, 0.5)
    ride.go(1.0)
    assert ride.state.velocity[0] == pytest.approx([0.0, 2.0, 0.5 * math.exp(-1.0)], rel=1e-3)
    ride.tell(linear=(1, 0, 0)).go(1.0)
    assert ride.state.velocity[0, 0] == pytest.approx(1.0, rel=1e-3)
    free = ship(linear_dampeners=False)
    free.state.velocity[0] = (1.0, 2.0, 3.0)
    assert free.go(1.0).state.velocity[0] == pytest.approx([1.0, 2.0, 3.0])


def test_dampeners_with_much_more_force_than_mass_do_not_flutter():
    ride = ship(force=1e7, gyro_torque=(1e7, 1e7, 1e7))
    ride.state.velocity[0], ride.state.spin[0] = (0.5, -0.2, 0.1), (0.1, 0.2, -0.1)
    ride.go(1.0)
    assert ride.state.velocity[0] == pytest.approx(np.zeros(3), abs=1e-6)
    assert ride.state.spin[0] == pytest.approx(np.zeros(3), abs=1e-3)


def test_a_gyroscope_turns_with_its_torque_in_the_vehicles_axes():
    ride = ship(gyro_torque=(300.0, 500.0, 200.0), angular_dampeners=False)
    ride.state.rotation[0] = about((0, 0, 1), math.pi / 2)
    ride.tell(angular=(0, 0.5, 0)).go(STEP)
    assert ride.wrench.torque[0] == pytest.approx([-250.0, 0.0, 0.0])
    ride.tell(angular=(0, -7, 0)).go(STEP)
    assert ride.wrench.torque[0] == pytest.approx([500.0, 0.0, 0.0], rel=1e-3)


@pytest.mark.parametrize(("axis", "moment"), [(0, 1500.0), (1, 1800.0), (2, 600.0)])
def test_angular_dampeners_halve_a_turn_in_a_step_where_their_torque_does(axis, moment):
    """ω0 · exp(-4·T·dt/I), exactly, so that none turns the other way within a step."""
    torque = moment * math.log(2.0) / (4.0 * STEP)
    ride = ship(gyro_torque=(torque, torque, torque))
    ride.state.spin[0, axis] = 0.1
    assert ride.go(STEP).state.spin[0, axis] == pytest.approx(0.05)


def test_angular_dampeners_stop_turns_that_are_not_told():
    """Torque is gyro torque · 4 per rad/s: ω(t) = ω0 · exp(-4·T·t/I) while that is below 1."""
    ride = ship(gyro_torque=(300.0, 300.0, 300.0))
    ride.state.spin[0, 1] = 0.2
    ride.go(1.0)
    expected = 0.2 * math.exp(-4.0 * 300.0 / 1800.0)
    assert ride.state.spin[0, 1] == pytest.approx(expected, rel=1e-3)
    free = ship(gyro_torque=(300.0, 300.0, 300.0), angular_dampeners=False)
    free.state.spin[0, 1] = 0.2
    assert free.go(1.0).state.spin[0, 1] == pytest.approx(0.2)


def test_largest_speed_ends_own_drive_only():
    ride = ship(max_speed=3.0, linear_dampeners=False).tell(linear=(0, 0, 1)).go(8.0)
    assert ride.state.velocity[0, 2] == pytest.approx(3.0, rel=5e-3)
    ride.state.velocity[0, 2] = 9.0
    ride.go(1.0)
    assert ride.state.velocity[0, 2] == pytest.approx(9.0)  # Nothing slows it, either.
    ride.tell(linear=(0, 0, -1)).go(1.0)
    assert ride.state.velocity[0, 2] == pytest.approx(8.0)
    ride.state.velocity[0] = (0.0, 3.0, 0.0)
    ride.tell(linear=(1, 0, 0)).go(STEP)  # Across its motion it may still push.
    assert ride.wrench.force[0, 0] == pytest.approx(1000.0)


def test_a_throttle_is_a_share_of_the_largest_speed():
    ride = ship(max_speed=4.0, use_throttle=True).tell(linear=(0, 0, 0.5)).go(20.0)
    assert ride.state.velocity[0, 2] == pytest.approx(2.0, rel=0.01)
    ride.tell(linear=(0, 0, 0.25)).go(20.0)
    assert ride.state.velocity[0, 2] == pytest.approx(1.0, rel=0.01)


def test_a_throttle_without_a_largest_speed_is_a_share_of_thrust():
    ride = ship(use_throttle=True, linear_dampeners=False).tell(linear=(0, 0, 0.25)).go(2.0)
    assert ride.state.velocity[0, 2] == pytest.approx(0.5)


def test_cars_and_hovercraft_right_themselves():
    """Half-angle of the tilt times the torque, against it; not about Y, not without dampeners."""
    torque = (1000.0, 1000.0, 1000.0)
    for axis, expected in (((0, 0, 1), (0, 0, -1)), ((1, 0, 0), (-1, 0, 0))):
        ride = car(body=VehicleBody(gyro_torque=torque))
        ride.state.position[0, 1] = 50.0
        ride.state.rotation[0] = about(axis, 0.6)
        ride.go(STEP)
        found = ride.state.rotation[0].T @ ride.wrench.torque[0]
        assert found == pytest.approx(1000.0 * math.sin(0.3) * np.array(expected), rel=0.02)
    ride = ship(gyro_torque=torque)
    ride.state.rotation[0] = about((0, 0, 1), 0.6)
    assert not ride.go(STEP).wrench.torque.any()


def test_approach():
    rates = np.array([1.0, -1.0, 0.0, 100.0])
    found = approach(np.zeros(4), np.array([3.0, 3.0, 3.0, -3.0]), rates, 0.5)
    assert found.tolist() == [0.5, 3.0, 0.0, -3.0]
    vectors = approach(np.zeros((1, 2)), np.array([[3.0, 4.0]]), np.array([2.0]), 0.5)
    assert vectors[0] == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize(
    ("scheme", "keys", "angular", "linear"),
    [
        (Scheme.CAR, "WA", (0, 1, 0), (0, 0, 1)),
        (Scheme.CAR, "SD", (0, -1, 0), (0, 0, -1)),
        (Scheme.FREE, "WA", (0, 0, 0), (1, 0, 1)),
        (Scheme.FREE, "RE", (0, 0, 1), (0, 1, 0)),
        (Scheme.FREE, "FQ", (0, 0, -1), (0, -1, 0)),
        (Scheme.FREE, "KJ", (1, 1, 0), (0, 0, 0)),
        (Scheme.THROTTLE, "SAE", (1, 1, 1), (0, 0, 0)),
        (Scheme.THROTTLE, "WD", (-1, -1, 0), (0, 0, 0)),
        (Scheme.FREE, "WS", (0, 0, 0), (0, 0, 0)),
    ],
)
def test_keys(scheme, keys, angular, linear):
    turned, moved = axes_of(scheme, set(keys))
    assert turned.tolist() == list(angular)
    assert moved.tolist() == list(linear)
    assert set(keys) <= KEYS


def test_a_throttle_stays_where_keys_put_it_and_space_takes_it_back():
    eye, linear = np.eye(3), np.zeros(3)
    for _ in range(60):
        _, linear = activations(Scheme.THROTTLE, {"SHIFT"}, linear, eye, 1 / 60, use_throttle=True)
    assert linear == pytest.approx([0.0, 0.0, 0.5])
    _, linear = activations(Scheme.THROTTLE, set(), linear, eye, 1.0, use_throttle=True)
    assert linear == pytest.approx([0.0, 0.0, 0.5])
    _, linear = activations(Scheme.THROTTLE, {"SHIFT"}, linear, eye, 9.0, use_throttle=True)
    assert linear == pytest.approx([0.0, 0.0, 1.0])
    _, linear = activations(Scheme.THROTTLE, {"SPACE"}, linear, eye, 0.1, use_throttle=True)
    assert not linear.any()


def test_level_movement_of_a_tilted_hovercraft():
    tilted = about((0, 1, 0), 0.7) @ about((1, 0, 0), 0.4)
    _, linear = activations(Scheme.LEVEL, {"W"}, np.zeros(3), tilted, 0.1, use_throttle=False)
    assert tilted @ linear == pytest.approx([math.sin(0.7), 0.0, math.cos(0.7)])


def test_schemes():
    def scheme(throttle: bool, wheels: bool, hover: bool) -> Scheme:
        return scheme_of(use_throttle=throttle, has_wheels=wheels, has_hover=hover)

    assert scheme(True, True, True) is Scheme.THROTTLE
    assert scheme(False, True, True) is Scheme.CAR
    assert scheme(False, False, True) is Scheme.LEVEL
    assert scheme(False, False, False) is Scheme.FREE


def test_a_hundred_cars_take_less_than_40_ms():
    count = 100
    masses = solids([1000.0] * count, [[1500, 1800, 600]] * count)
    state = resting(*[(5.0 * at, 0.6, 0) for at in range(count)])
    vehicles = Vehicles.of([(at, VehicleBody()) for at in range(count)])
    frames = [
        frame(at, (x, -0.2, z)) for at in range(count) for z in (1.5, -1.5) for x in (0.8, -0.8)
    ]
    numbers = WheelNumbers.of([Wheel(max_propulsion_force=2000.0)] * 400, [None] * 400)
    falling = np.tile(FALLING, (count, 1))
    forces = VehicleForces(
        vehicles,
        (Places.of([], vehicles.body), Nozzles.of([])),
        (Places.of(frames, vehicles.body), numbers),
        masses,
        lambda _state, _masses: falling,
        plane(),
    )
    wrench = Wrench.zero(count)
    pace.check_takes(lambda: forces.apply(state, masses, STEP, wrench, falling), 0.04)
