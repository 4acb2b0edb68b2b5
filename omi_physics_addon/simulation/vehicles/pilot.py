"""What keys tell a vehicle.

Vehicles face +Z, with +X to their left and +Y up. +X of the angular activation pitches down, +Y
yaws to the left, +Z rolls clockwise as the pilot sees it. Source: OMI_vehicle_body; the schemes
are those that the pilot seats of the Godot add-on of the same authors have.

| Scheme | W S | A D | Q E | R F | I K | J L | Shift Ctrl |
| --- | --- | --- | --- | --- | --- | --- | --- |
| car | drive | steer | slide | rise, sink | pitch | roll | |
| free, level | forward, back | left, right | roll | rise, sink | pitch | yaw | |
| throttle | pitch | yaw | roll | | rise, sink | left, right | throttle |

I pitches up; so does W with a throttle.

Space stops at once what was told, and the throttle with it.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import Final

import numpy as np

from ...geometry.arrays import Array

THROTTLE_RATE: Final = 0.5  # 1/s
STOP: Final = "SPACE"


class Scheme(Enum):
    """Which keys do what."""

    CAR = "car"
    FREE = "free"
    LEVEL = "level"  # As free, but forward and aside stay level, which suits hovercraft.
    THROTTLE = "throttle"


def scheme_of(*, use_throttle: bool, has_wheels: bool, has_hover: bool) -> Scheme:
    """The scheme that suits a vehicle with such parts."""
    if use_throttle:
        return Scheme.THROTTLE
    if has_wheels:
        return Scheme.CAR
    return Scheme.LEVEL if has_hover else Scheme.FREE


# For each scheme: angular X, Y, Z and linear X, Y, Z as the keys that lower and those that raise.
_KEYS: Final[dict[Scheme, tuple[tuple[str, str], ...]]] = {
    Scheme.CAR: (("I", "K"), ("D", "A"), ("J", "L"), ("E", "Q"), ("F", "R"), ("S", "W")),
    Scheme.FREE: (("I", "K"), ("L", "J"), ("Q", "E"), ("D", "A"), ("F", "R"), ("S", "W")),
    Scheme.THROTTLE: (
        ("W", "S"),
        ("D", "A"),
        ("Q", "E"),
        ("L", "J"),
        ("K", "I"),
        ("CTRL", "SHIFT"),
    ),
}
KEYS: Final = frozenset(key for rows in _KEYS.values() for pair in rows for key in pair) | {STOP}


def axes_of(scheme: Scheme, pressed: Collection[str]) -> tuple[Array, Array]:
    """Angular and linear input (3,) each, -1, 0 or 1, of the keys that are held down.

    Args:
        pressed: names such as "W", "SHIFT", "CTRL", "SPACE".
    """
    if STOP in pressed:
        return np.zeros(3), np.zeros(3)
    rows = _KEYS[Scheme.FREE if scheme is Scheme.LEVEL else scheme]
    values = np.array([float(high in pressed) - float(low in pressed) for low, high in rows])
    return values[:3], values[3:]


def activations(
    scheme: Scheme,
    pressed: Collection[str],
    linear: Array,
    rotation: Array,
    dt: float,
    *,
    use_throttle: bool,
) -> tuple[Array, Array]:
    """The angular and linear activation (3,) each that keys ask for.

    Args:
        linear: (3,), the linear activation until now; a throttle moves on from there.
        rotation: (3, 3), from the vehicle's axes to the world's.
        dt: s, since the last time.
    """
    angular, wanted = axes_of(scheme, pressed)
    if STOP in pressed:
        return angular, wanted
    if scheme is Scheme.LEVEL:
        wanted = _leveled(wanted, rotation)
    if use_throttle:
        wanted = np.clip(linear + THROTTLE_RATE * dt * wanted, -1.0, 1.0)
    return angular, wanted


def _leveled(wanted: Array, rotation: Array) -> Array:
    """The same movement along a vehicle that heads the same way, but is not tilted."""
    ahead = rotation[:, 2] * (1.0, 0.0, 1.0)
    length = float(np.linalg.norm(ahead))
    if length < 1e-6:
        return wanted
    ahead /= length
    up = np.array([0.0, 1.0, 0.0])
    heading = np.column_stack([np.cross(up, ahead), up, ahead])
    return rotation.T @ heading @ wanted
