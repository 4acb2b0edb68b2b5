"""What vehicles tell their parts to do.

Source: OMI_vehicle_body. Where it leaves the way open, vehicles do what those of the Godot add-on
of the same authors do: dampeners ask for as much as the speed is, 1 for every m/s and 4 for every
rad/s; hovercraft with linear dampeners hold themselves up, at three quarters of their energy while
nothing is told; vehicles with wheels or hover thrusters right themselves with what can turn them.
Activations beyond -1 to 1 are cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from ...model.vehicles import VehicleBody
from ..state import Masses, State

LINEAR_RATE: Final = 1.0  # Share of thrust for every m/s.
ANGULAR_RATE: Final = 4.0  # Share of torque for every rad/s.
_IDLE_HOVER: Final = 0.75
_FADE_SHARE: Final = 0.02  # Share of the largest speed over which the drive is given up.
_ACTIVATION_TOLERANCE: Final = 1e-5  # Activations below that tell nothing.
_STANDING: Final = 0.01  # m/s, below which nothing moves against what is told.


@dataclass(eq=False)
class Vehicles:
    """The settings of m vehicles, and what their pilots tell them.

    Attributes:
        body: (m,), the body of each.
        angular_activation, linear_activation: (m, 3), to be set by whoever drives.
        gyro_torque: (m, 3), N m, the largest about each axis.
        max_speed: (m,), m/s; negative for any.
        angular_dampeners, linear_dampeners, use_throttle: (m,).
        has_wheels, has_hover: (m,), which parts they have.
    """

    body: Indices
    angular_activation: Array
    linear_activation: Array
    gyro_torque: Array
    max_speed: Array
    angular_dampeners: Flags
    linear_dampeners: Flags
    use_throttle: Flags
    has_wheels: Flags
    has_hover: Flags

    def __len__(self) -> int:
        return len(self.body)

    @classmethod
    def of(cls, vehicles: Sequence[tuple[int, VehicleBody]]) -> Vehicles:
        """Vehicles by their bodies' indices, with the activations that the file has."""
        records = [record for _, record in vehicles]
        count = len(records)

        def vectors(name: str) -> Array:
            return np.array([getattr(one, name) for one in records], dtype=float).reshape(count, 3)

        def flags(name: str) -> Flags:
            return np.array([getattr(one, name) for one in records], dtype=np.bool_)

        return cls(
            body=np.array([body for body, _ in vehicles], dtype=np.int64),
            angular_activation=vectors("angular_activation"),
            linear_activation=vectors("linear_activation"),
            gyro_torque=vectors("gyro_torque"),
            max_speed=np.array([one.max_speed for one in records], dtype=float),
            angular_dampeners=flags("angular_dampeners"),
            linear_dampeners=flags("linear_dampeners"),
            use_throttle=flags("use_throttle"),
            has_wheels=np.zeros(count, dtype=np.bool_),
            has_hover=np.zeros(count, dtype=np.bool_),
        )


@dataclass(frozen=True, eq=False)
class Commands:
    """What m vehicles tell their parts, along their own axes.

    Attributes:
        angular, linear: (m, 3), -1 to 1, with throttle, dampeners and largest speed.
        steering: (m,), -1 to 1, for wheels; these do not dampen turns, pointing straight does.
        driving: (m,), -1 to 1, for wheels, without dampeners.
        braking: (m,), whether wheels brake: with dampeners, told nothing or against the motion.
    """

    angular: Array
    linear: Array
    steering: Array
    driving: Array
    braking: Flags


def commands(
    vehicles: Vehicles, state: State, masses: Masses, gravity: Array, thrust: Array, dt: float
) -> Commands:
    """What the vehicles tell their parts now.

    Args:
        gravity: (n, 3), the gravity at all bodies; hovercraft and cars right themselves by it.
        thrust: (m, 2, 3), N, the most that thrusters of each vehicle push to the negative and to
            the positive sides of its axes; dampeners must not brake past a stop within a step.
    """
    body = vehicles.body
    back = state.rotation[body].transpose(0, 2, 1)
    velocity = np.einsum("nij,nj->ni", back, state.velocity[body])
    spin = np.einsum("nij,nj->ni", back, state.spin[body])
    down = np.einsum("nij,nj->ni", back, gravity[body])
    length = np.linalg.norm(down, axis=1, keepdims=True)
    up = -down / np.where(length > 0.0, length, 1.0)
    angular = np.clip(vehicles.angular_activation, -1.0, 1.0)
    linear = np.clip(vehicles.linear_activation, -1.0, 1.0)
    inverse_mass = masses.inverse_mass[body]
    driven = _driven(vehicles, linear, velocity)
    backwards = -np.sign(driven[:, 2]) * velocity[:, 2] > _STANDING
    return Commands(
        angular=_turned(vehicles, angular, spin, up, _moments(masses, body), dt),
        linear=_dampened(vehicles, linear, driven, velocity, up, thrust, inverse_mass, dt),
        steering=angular[:, 1],
        driving=driven[:, 2],
        braking=vehicles.linear_dampeners
        & ((np.abs(driven[:, 2]) <= _ACTIVATION_TOLERANCE) | backwards),
    )


def _moments(masses: Masses, body: Indices) -> Array:
    """The moments of inertia (m, 3) about the axes of the bodies; inf where nothing turns them."""
    inverse = np.einsum("nii->ni", masses.inverse_inertia_local[body])
    return np.where(inverse > 0.0, 1.0 / np.where(inverse > 0.0, inverse, 1.0), np.inf)


def _driven(vehicles: Vehicles, linear: Array, velocity: Array) -> Array:
    """What is left of linear activations (m, 3) by throttle and largest speed.

    With a throttle and a largest speed, the throttle is a share of that speed and the thrust is
    what is missing of it. Else thrust along the motion ends at the largest speed; it fades over
    the last two percent so that it does not flutter.
    """
    limited = vehicles.max_speed >= 0.0
    throttled = vehicles.use_throttle & limited
    most = np.where(limited, vehicles.max_speed, 1.0)[:, None]
    missing = np.where(most > 0.0, linear - velocity / np.where(most > 0.0, most, 1.0), 0.0)
    speed = np.linalg.norm(velocity, axis=1, keepdims=True)
    way = np.where(speed > 1e-9, velocity / np.maximum(speed, 1e-9), 0.0)
    along = np.maximum(np.einsum("ni,ni->n", linear, way), 0.0)[:, None] * way
    span = np.maximum(_FADE_SHARE * most, 1e-6)
    left = np.clip((most - speed) / span, 0.0, 1.0)
    capped = np.where(limited[:, None], linear - (1.0 - left) * along, linear)
    return np.clip(np.where(throttled[:, None], missing, capped), -1.0, 1.0)


def _dampened(
    vehicles: Vehicles,
    told: Array,
    driven: Array,
    velocity: Array,
    up: Array,
    thrust: Array,
    inverse_mass: Array,
    dt: float,
) -> Array:
    """Linear commands (m, 3), with dampeners where the pilot tells nothing."""
    throttled = vehicles.use_throttle & (vehicles.max_speed >= 0.0)
    dampens = (vehicles.linear_dampeners & ~throttled)[:, None]
    opposite = np.where(velocity > 0.0, thrust[:, 0], thrust[:, 1])
    pace = LINEAR_RATE * opposite * inverse_mass[:, None] * dt
    slowing = -LINEAR_RATE * velocity * _held_back(pace)
    linear = np.where(dampens & (np.abs(told) <= _ACTIVATION_TOLERANCE), slowing, driven)
    idle = ~(np.abs(told) > _ACTIVATION_TOLERANCE).any(axis=1)
    share = np.where(idle, _IDLE_HOVER, 1.0)[:, None]
    hovers = dampens & vehicles.has_hover[:, None]
    lift: Array = np.where(hovers, share * up, 0.0)
    return np.clip(linear + lift, -1.0, 1.0)


def _turned(
    vehicles: Vehicles, told: Array, spin: Array, up: Array, moments: Array, dt: float
) -> Array:
    """Angular commands (m, 3) with dampeners and the wish to stand upright."""
    dampens = vehicles.angular_dampeners[:, None]
    idle = np.abs(told) <= _ACTIVATION_TOLERANCE
    pace = ANGULAR_RATE * vehicles.gyro_torque / moments * dt
    slowing = -ANGULAR_RATE * spin * _held_back(pace)
    angular = np.where(dampens & idle, slowing, told)
    rights = dampens & (vehicles.has_wheels | vehicles.has_hover)[:, None]
    upright = rights & idle & np.array([True, False, True])
    rise: Array = np.where(upright, _to_upright(up), 0.0)
    return np.clip(angular + rise, -1.0, 1.0)


def _held_back(pace: Array) -> Array:
    """The mean of exp(-t) over a step of a decay, so that none overshoots: (1 - exp(-x)) / x."""
    small = pace < 1e-9
    return np.where(small, 1.0, -np.expm1(-pace) / np.where(small, 1.0, pace))


def _to_upright(up: Array) -> Array:
    """The vectors (m, 3) of the quaternions that turn the vehicles' Y to their local up (m, 3).

    Zero where nothing is up; the roll over where it is upside down.
    """
    across = np.cross([0.0, 1.0, 0.0], up)
    cosine = up[:, 1]
    found = across / np.sqrt(np.maximum(2.0 * (1.0 + cosine), 1e-6))[:, None]
    found[cosine < -1.0 + 1e-6] = (0.0, 0.0, 1.0)
    found[~up.any(axis=1)] = 0.0
    return found
