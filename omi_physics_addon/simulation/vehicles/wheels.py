"""Wheels: rays with a spring, and grip where they meet the ground.

Source: OMI_vehicle_wheel. Where it leaves the way open, wheels do what those of the Godot add-on
of the same authors do, whose vehicles come from Bullet's ray-cast vehicle:

- The node is where the wheel is when its suspension is fully pressed. Unloaded, its centre hangs
  the travel below it, along its -Y; there the spring has no force. So it rests where the force
  stiffness * (travel - length) carries its load.
- A wheel steers by the square of the command, with its sign; one behind the body's origin the
  other way. It drives by the command times the cosine of its angle.
- Sideways forces act at a tenth of the height between ground and centre of mass, so that a car
  does not roll over in every bend.
- Without a material the friction is 1.

Tires give way sideways by a slip angle, as real ones do (Pacejka 2012, "Tire and Vehicle
Dynamics", chapter 1): rigid ones on one axle that steer by the same angle would brake each other.

Braking is the newer text of the specification: with linear dampeners, a wheel brakes while the
vehicle is told nothing or against its motion, with its braking force, which is that of its motor
if it is negative. A wheel pushes back on what it stands on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Indices
from ...model.bodies import PhysicsMaterial
from ...model.vehicles import Wheel
from ..joints.effective_mass import Mobility, inverted
from ..joints.joint_rows import Rows
from ..joints.oscillator import drift, modes
from ..state import Masses, State, Wrench
from .vehicle_control import Commands
from .vehicle_frames import Cast, Hits, Places, approach

BARE: Final = PhysicsMaterial(static_friction=1.0, dynamic_friction=1.0)
# Share of the height at which sideways forces act; Godot's roll influence.
_ROLL_INFLUENCE: Final = 0.1
_MIN_SUSPENSION_COSINE: Final = 0.1  # Cosine between ground and suspension that counts at least.
_MAX_ITERATIONS: Final = 30  # Of the solver of grip; wheels of one car agree within a percent.
_MAX_GRIP_SHARE: Final = 0.75  # Share of the sliding that a step may take away.
_CORNERING_STIFFNESS: Final = 20.0  # 1/rad, sideways force per load and slip angle.
_UP: Final = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class WheelNumbers:
    """The numbers of k wheels.

    Attributes:
        brake: (k,), N.
        static, dynamic: (k,), friction.
    """

    brake: Array
    propulsion: Array
    max_angle: Array
    force_rate: Array
    radius: Array
    steering_rate: Array
    compression: Array
    rebound: Array
    stiffness: Array
    travel: Array
    force_ratio: Array
    steering_ratio: Array
    static: Array
    dynamic: Array

    @classmethod
    def of(
        cls, wheels: Sequence[Wheel], materials: Sequence[PhysicsMaterial | None]
    ) -> WheelNumbers:
        """From the records of the file; None for a wheel without a material."""

        def column(name: str) -> Array:
            return np.array([getattr(wheel, name) for wheel in wheels], dtype=float)

        tires = [material or BARE for material in materials]
        return cls(
            brake=column("largest_brake"),
            propulsion=column("max_propulsion_force"),
            max_angle=column("max_steering_angle"),
            force_rate=column("propulsion_force_change_rate"),
            radius=column("radius"),
            steering_rate=column("steering_change_rate"),
            compression=column("suspension_damping_compression"),
            rebound=column("suspension_damping_rebound"),
            stiffness=column("suspension_stiffness"),
            travel=column("suspension_travel"),
            force_ratio=column("target_propulsion_force_ratio"),
            steering_ratio=column("target_steering_ratio"),
            static=np.array([tire.static_friction for tire in tires]),
            dynamic=np.array([tire.dynamic_friction for tire in tires]),
        )


@dataclass(frozen=True, eq=False)
class _Contacts:
    """The wheels of those k that stand on something.

    Attributes:
        wheel: (c,), which.
        normal, ahead, aside: (c, 3), directions of the ground, of rolling and of sliding.
        point: (c, 3), where they stand.
        pressed: (c,), m, how far the suspension is.
        ground: (c,), the body below.
    """

    wheel: Indices
    normal: Array
    ahead: Array
    aside: Array
    point: Array
    pressed: Array
    ground: Indices


class Wheels:
    """What k wheels do; they remember their steering, drive and place.

    Attributes:
        angle: (k,), rad, how they are steered now.
        drive: (k,), N, the force of the motor now.
        length: (k,), m, how far they hang below their nodes now.
        roll: (k,), rad, how far they have rolled.
        load: (k,), N, what they carried in the last step.
    """

    def __init__(self, places: Places, numbers: WheelNumbers, *, substeps: int = 1) -> None:
        """Take wheels that begin as the file says.

        Args:
            substeps: how many the integrator takes while forces stay the same.
        """
        self._places, self._numbers = places, numbers
        self._share = drift(substeps)
        self._rear = places.place[:, 2] < 0.0
        self.angle = np.clip(numbers.steering_ratio, -1.0, 1.0) * numbers.max_angle
        self.drive = np.clip(numbers.force_ratio, -1.0, 1.0) * numbers.propulsion
        self.length = numbers.travel.copy()
        self.roll = np.zeros(len(places))
        self.load = np.zeros(len(places))

    def axes_local(self) -> Array:
        """Their steered axes (k, 3, 3), in their bodies, for what is shown; they do not roll."""
        cosine, sine = np.cos(self.angle), np.sin(self.angle)
        x, y, z = self._places.axes.transpose(2, 0, 1)
        ahead = z * cosine[:, None] + x * sine[:, None]
        left = x * cosine[:, None] - z * sine[:, None]
        return np.stack([left, y, ahead], axis=2)

    def apply(
        self,
        state: State,
        masses: Masses,
        dt: float,
        wrench: Wrench,
        told: Commands,
        cast: Cast,
        falling: Array | None = None,
    ) -> None:
        """Follow the commands as fast as the rates allow; carry, drive, brake and hold the track.

        Args:
            falling: (n, 3), accelerations that the integrator itself adds, such as gravity.
        """
        if not len(self._places):
            return
        falling = np.zeros_like(state.position) if falling is None else falling
        brake = self._follow(told, dt)
        found = self._contacts(state, masses, cast)
        self.load = np.zeros(len(self._places))
        if not len(found.wheel):
            return
        mobility = Mobility(state, masses)
        self._carry(found, mobility, state, dt, wrench, falling)
        self._hold(found, mobility, state, dt, wrench, falling, brake)

    def _follow(self, told: Commands, dt: float) -> Array:
        """Steer and drive; gives the forces (k,) of the brakes."""
        numbers, places = self._numbers, self._places
        steering = places.told(told.steering, np.zeros(len(places)))
        squared = np.copysign(steering * steering, steering)
        squared = np.where(self._rear, -squared, squared)
        mine = places.vehicle >= 0
        ratio = np.clip(np.where(mine, squared, numbers.steering_ratio), -1.0, 1.0)
        self.angle = approach(self.angle, ratio * numbers.max_angle, numbers.steering_rate, dt)
        braking = places.told(told.braking.astype(np.float64), np.zeros(len(places))) > 0.0
        driving = places.told(told.driving, np.zeros(len(places))) * np.cos(self.angle)
        driving = np.where(mine, np.where(braking, 0.0, driving), numbers.force_ratio)
        target = np.clip(driving, -1.0, 1.0) * numbers.propulsion
        self.drive = approach(self.drive, target, numbers.force_rate, dt)
        return np.where(braking, numbers.brake, 0.0)

    def _contacts(self, state: State, masses: Masses, cast: Cast) -> _Contacts:
        """Send the rays: from as far above the node as the wheel is high, down to its reach."""
        places, numbers = self._places, self._numbers
        axes = state.frames(places.body, self.axes_local())
        left, up = axes[:, :, 0], axes[:, :, 1]
        points = places.points(state, masses)
        starts = points + up * numbers.radius[:, None]
        reach = numbers.travel + 2.0 * numbers.radius
        hits: Hits = cast(starts, -up, reach, places.body)
        on = np.flatnonzero(hits.distance <= reach)
        length = np.where(hits.distance <= reach, hits.distance, reach) - 2.0 * numbers.radius
        self.length = np.clip(length, 0.0, numbers.travel)
        normal = hits.normal[on]
        ahead = _unit(np.cross(left[on], normal), axes[on, :, 2])
        return _Contacts(
            on,
            normal,
            ahead,
            np.cross(normal, ahead),
            starts[on] - up[on] * hits.distance[on, None],
            (numbers.travel - self.length)[on],
            hits.body[on],
        )

    def _rows(self, found: _Contacts, directions: Array, points: Array) -> Rows:
        """Rows along directions (r, 3) at points (r, 3), one or several for each contact."""
        count = len(directions)
        ground, body = (
            np.resize(each, count) for each in (found.ground, self._places.body[found.wheel])
        )
        zero = np.zeros((count, 3))
        return Rows(np.arange(count), np.zeros(count), directions, zero, points, ground, body)

    def _carry(
        self,
        found: _Contacts,
        mobility: Mobility,
        state: State,
        dt: float,
        wrench: Wrench,
        falling: Array,
    ) -> None:
        """Push by the springs of the suspensions, along the ground's normal."""
        numbers, at = self._numbers, found.wheel
        rows = self._rows(found, found.normal, found.point)
        rate = rows.rates(state)
        up = state.directions(self._places.body[at], self._places.axes[at, :, 1])
        cosine = np.maximum(np.einsum("ni,ni->n", up, found.normal), _MIN_SUSPENSION_COSINE)
        # A slanted ground moves the suspension by more than itself, and feels more of its force.
        stiffness = numbers.stiffness[at] / cosine**2
        damping = np.where(rate < 0.0, numbers.compression[at], numbers.rebound[at]) / cosine**2
        response = mobility.response(rows)
        mass = inverted(response.inverse_mass)
        offset, speed = modes(stiffness, damping, response.inverse_mass, dt).gains(self._share)
        load = response.accelerations(wrench.force, wrench.torque, falling)
        wanted = mass * (offset * found.pressed * cosine - speed * rate)
        share = np.clip(1.0 - mass * offset / np.maximum(stiffness, 1e-300), 0.0, 1.0)
        ends = (np.zeros(len(at)), np.full(len(at), np.inf))
        force = response.settled(wanted, share, load, ends)
        self.load[at] = force
        rows.act(state, force, wrench)

    def _hold(
        self,
        found: _Contacts,
        mobility: Mobility,
        state: State,
        dt: float,
        wrench: Wrench,
        falling: Array,
        brake: Array,
    ) -> None:
        """Drive, brake, and keep from sliding, with no more than the friction.

        Wheels of one car share what is to be held, so they are solved together, by Jacobi's
        method with the sums of rows in place of the diagonal, which never diverges.
        """
        numbers, at = self._numbers, found.wheel
        count = len(at)
        directions = np.concatenate([found.ahead, found.aside])
        points = np.concatenate([found.point, self._roll_points(found, state)])
        rows = self._rows(found, directions, points)
        weight = self.load[at]
        drive = np.concatenate([self.drive[at], np.zeros(count)])
        most = np.concatenate([brake[at], np.full(count, np.inf)])
        grip = numbers.static[at] * weight
        response = mobility.response(rows)
        rates = rows.rates(state)
        # F = C·v/|u| with the speeds v aside and u ahead, as what a force leaves of the sliding.
        give = (
            _MAX_GRIP_SHARE
            / dt
            * np.abs(rates[:count])
            / (_CORNERING_STIFFNESS * np.maximum(weight, 1e-9))
        )
        give = np.concatenate([np.zeros(count), give])
        step = inverted(response.shared + give)
        sliding = rates * (_MAX_GRIP_SHARE / dt)
        sliding += response.accelerations(wrench.force, wrench.torque, falling)
        force, held = _cut(drive, grip), np.zeros_like(drive)
        for _ in range(_MAX_ITERATIONS):
            rest = sliding + response.to(force) + give * force
            held = np.clip(force - drive - step * rest, -most, most)
            force = _cut(drive + held, grip)
        asked = np.hypot(*(drive + held).reshape(2, count)) > grip
        slips = asked & (np.hypot(*force.reshape(2, count)) > 0.0)
        ratio = numbers.dynamic[at] / np.maximum(numbers.static[at], 1e-300)
        force *= np.tile(np.where(slips, np.minimum(ratio, 1.0), 1.0), 2)
        rows.act(state, force, wrench)
        self.roll[at] += rows.rates(state)[:count] * dt / numbers.radius[at]

    def _roll_points(self, found: _Contacts, state: State) -> Array:
        """Where sideways forces act: nearer to the height of the centre of mass."""
        body = self._places.body[found.wheel]
        up = state.directions(body, np.tile(_UP, (len(body), 1)))
        height = np.einsum("ni,ni->n", found.point - state.position[body], up)
        return found.point - up * (height * (1.0 - _ROLL_INFLUENCE))[:, None]


def _cut(forces: Array, grip: Array) -> Array:
    """Forces (2c,), ahead and aside, no larger together than the grip (c,)."""
    size = np.hypot(*forces.reshape(2, len(grip)))
    return forces * np.tile(np.minimum(grip / np.maximum(size, 1e-300), 1.0), 2)


def _unit(vectors: Array, spare: Array) -> Array:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(length > 1e-6, vectors / np.where(length > 1e-6, length, 1.0), spare)
