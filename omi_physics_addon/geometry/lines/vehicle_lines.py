"""The lines that show vehicles and their parts, in glTF's axes: front is +Z, up is +Y."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ...model.vehicles import HoverThruster, Thruster, Wheel
from ..arrays import Array
from ..rotations import rotations_of_vectors
from . import curves
from .curves import TURN
from .wireframe import Lines, arrow_lines, dashed

_X: Final = 0
_Z: Final = 2
_SPOKES: Final = 4
_STOP: Final = 0.15  # Of the ends of the suspension, as a part of the radius of the wheel.
_NOZZLE: Final = ((0.1, 0.0), (0.22, -0.35))  # Radius and place of both rims, by the size.


def wheel_lines(wheel: Wheel) -> Lines:
    """Both rims, the travel of the suspension up and down, and how far and where it steers."""
    radius, half = wheel.radius, wheel.width / 2.0
    angles = np.arange(_SPOKES) * (TURN / _SPOKES)
    rim = curves.on_circle(_X, angles, radius)
    side = np.array([half, 0.0, 0.0])
    parts = [curves.ring(_X, radius) + np.float32(side), curves.ring(_X, radius) - np.float32(side)]
    parts += [curves.line(corner - side, corner + side) for corner in rim]
    parts.append(curves.line(-side, side))
    parts.extend(_suspension(wheel.suspension_travel, _STOP * radius))
    parts.extend(_steering(wheel, 1.25 * radius))
    return curves.joined(parts)


def _suspension(travel: float, stop: float) -> list[Lines]:
    """A line of the way it can go up and down from the node, with a stop at both ends."""
    if not travel > 0.0:
        return []
    parts = [curves.line((0.0, -travel, 0.0), (0.0, travel, 0.0))]
    for y in (-travel, travel):
        for way in ((stop, 0.0, 0.0), (0.0, 0.0, stop)):
            place = np.array([0.0, y, 0.0])
            parts.append(curves.line(place - way, place + way))
    return parts


def _steering(wheel: Wheel, reach: float) -> list[Lines]:
    """A fan to the front over all directions it can steer, and an arrow where it is told to."""
    most = wheel.max_steering_angle
    if not most > 0.0:
        return []
    # About Y angles count from Z to X, so left is positive.
    ends = curves.on_circle(1, [-most, most], reach)
    parts = [curves.arc(1, -most, most, reach)]
    parts += [curves.line((0.0, 0.0, 0.0), end) for end in ends]
    (told,) = curves.on_circle(1, [most * wheel.target_steering_ratio], 1.15 * reach)
    parts.append(arrow_lines((0.0, 0.0, 0.0), told, head=0.12))
    return parts


def thruster_lines(thruster: Thruster, size: float) -> Lines:
    """An arrow of the thrust, a nozzle behind, and the cone the thrust can turn in."""
    parts = _thrust(thruster, size)
    parts.append(_share(thruster.target_force_ratio, thruster, size))
    return curves.joined(parts)


def hover_thruster_lines(thruster: HoverThruster, size: float) -> Lines:
    """The same, and a dashed ray to the ground it pushes against, with a ring at its end."""
    parts = _thrust(thruster, size)
    parts.append(_share(thruster.target_hover_ratio, thruster, size))
    reach = 2.0 * size
    parts.append(dashed(curves.line((0.0, 0.0, 0.0), (0.0, 0.0, -reach)), size / 8.0, size / 12.0))
    ground = np.array([0.0, 0.0, -reach], dtype=np.float32)
    parts += [curves.ring(_Z, radius * size) + ground for radius in (0.3, 0.15)]
    return curves.joined(parts)


def _thrust(thruster: Thruster | HoverThruster, size: float) -> list[Lines]:
    turn = _gimbal_turn(thruster)
    tip = turn @ np.array([0.0, 0.0, size])
    (narrow, front), (wide, back) = _NOZZLE
    rims = [(narrow * size, front * size), (wide * size, back * size)]
    nozzle = [curves.ring(_Z, radius) + curves.unit(_Z, z) for radius, z in rims]
    angles = np.arange(4) * (TURN / 4.0)
    sides = [curves.on_circle(_Z, angles, radius) + curves.unit(_Z, z) for radius, z in rims]
    nozzle += [curves.line(*pair) for pair in zip(*sides, strict=True)]
    turned = (curves.joined(nozzle) @ turn.T).astype(np.float32)
    return [arrow_lines((0.0, 0.0, 0.0), tip, head=0.2), turned, *_gimbal_cone(thruster, size)]


def _gimbal_cone(thruster: Thruster | HoverThruster, size: float) -> list[Lines]:
    """All directions it can turn to: the ratios of both axes are at most 1 long together."""
    angle, radius = thruster.max_gimbal, 0.8 * size
    if not angle > 0.0:
        return []
    across, along = radius * math.sin(angle), radius * math.cos(angle)
    corners = curves.on_circle(_Z, np.arange(4) * (TURN / 4.0), across)
    corners[:, _Z] = along
    rim = curves.ring(_Z, across) + np.float32(curves.unit(_Z, along))
    sides = [curves.line((0.0, 0.0, 0.0), corner) for corner in corners]
    return [dashed(curves.joined([rim, *sides]), size / 20.0, size / 30.0)]


def _share(ratio: float, thruster: Thruster | HoverThruster, size: float) -> Lines:
    """A ring around the arrow, up to where the share in use reaches; none for none."""
    if not ratio > 0.0:
        return np.zeros((0, 3), dtype=np.float32)
    lines = curves.ring(_Z, 0.08 * size) + curves.unit(_Z, min(ratio, 1.0) * size)
    return (lines @ _gimbal_turn(thruster).T).astype(np.float32)


def _gimbal_turn(thruster: Thruster | HoverThruster) -> Array:
    """The rotation (3, 3) of the gimbal in use: about X and Y at once."""
    ratio = np.array([*thruster.target_gimbal_ratio, 0.0])
    vector = ratio / max(1.0, float(np.linalg.norm(ratio))) * thruster.max_gimbal
    is_sure = math.isfinite(float(np.linalg.norm(vector)))
    return rotations_of_vectors(vector[None])[0] if is_sure else np.eye(3)


def front_lines(start: float, size: float) -> Lines:
    """A broad flat arrow to the front of a vehicle, which begins where that ends, m."""
    shaft, wide, neck = 0.12 * size, 0.35 * size, start + 0.6 * size
    half = [(shaft, start), (shaft, neck), (wide, neck), (0.0, start + 1.2 * size)]
    other = [(-x, z) for x, z in reversed(half[:-1])]
    return curves.line(*((x, 0.0, z) for x, z in half + other), closed=True)
