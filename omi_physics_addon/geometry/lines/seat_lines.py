"""The lines that show a seat: a figure that sits in it, in glTF's axes."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ...model.seats import Seat
from ..arrays import Array
from . import curves
from .curves import TURN
from .wireframe import Lines

# Lengths of a body as parts of its height. Source: Drillis and Contini 1966, "Body segment
# parameters", as in Winter 2009, figure 4.1.
_LEG: Final = 0.530  # From the hip to the sole.
_SHOULDER: Final = 0.288  # From the hip.
_HEAD: Final = (0.405, 0.065)  # Middle above the hip, and radius.
_BREADTH: Final = 0.259  # Between the shoulders.
_HIPS: Final = 0.191  # Between the hips.
_UPPER_ARM: Final = 0.186
_FOREARM: Final = 0.146
_FOOT: Final = 0.152
_POINT: Final = 0.03  # Of the marks of the three points.


def seat_frame(seat: Seat) -> tuple[Array, Array, Array] | None:
    """Where forward, right and the spine point, as unit vectors; None where the points say nothing.

    Forward is from back to knee, right is across (foot - knee) and (knee - back), and the spine is
    forward turned about right by the angle. Source: OMI_seat.
    """
    back, foot, knee = (np.array(point) for point in (seat.back, seat.foot, seat.knee))
    across = np.cross(foot - knee, knee - back)
    length, reach = float(np.linalg.norm(across)), float(np.linalg.norm(knee - back))
    if not (0.0 < length < math.inf and reach > 0.0):
        return None
    forward, right = (knee - back) / reach, across / length
    spine = math.cos(seat.angle) * forward + math.sin(seat.angle) * np.cross(right, forward)
    return forward, right, spine


def seat_lines(seat: Seat) -> Lines:
    """The three points, and someone of the size that its thighs and shins have on them."""
    back, foot, knee = (np.array(point) for point in (seat.back, seat.foot, seat.knee))
    thigh, shin = knee - back, foot - knee
    height = float(np.linalg.norm(thigh) + np.linalg.norm(shin)) / _LEG
    if not 0.0 < height < math.inf:
        return np.zeros((0, 3), dtype=np.float32)
    mark = np.float32(_POINT * height)
    parts = [curves.octahedron(float(mark)) + np.float32(place) for place in (back, foot, knee)]
    frame = seat_frame(seat)
    if frame is None:
        return curves.joined([*parts, curves.line(back, knee, foot)])
    forward, right, spine = frame
    parts += _legs(back, knee, foot, right * (height * _HIPS / 2.0), forward * (height * _FOOT))
    parts += _torso(back, right, spine, height)
    return curves.joined(parts)


def _legs(back: Array, knee: Array, foot: Array, side: Array, toe: Array) -> list[Lines]:
    """Two legs beside the line of the points, and the hips between them."""
    legs = [
        curves.line(back + way, knee + way, foot + way, foot + way + toe) for way in (side, -side)
    ]
    return [*legs, curves.line(back - side, back + side)]


def _torso(back: Array, right: Array, spine: Array, height: float) -> list[Lines]:
    """The spine with shoulders and arms, and a head with a nose, from the front and the side."""
    front: Array = np.cross(spine, right)
    middle, radius = _HEAD[0] * height, _HEAD[1] * height
    neck, head = back + spine * (height * _SHOULDER), back + spine * middle
    shoulder = right * (height * _BREADTH / 2.0)
    parts = [
        curves.line(back, head - spine * radius),
        curves.line(neck - shoulder, neck + shoulder),
    ]
    for side in (shoulder, -shoulder):
        elbow = neck + side - spine * (height * _UPPER_ARM)
        parts.append(curves.line(neck + side, elbow, elbow + front * (height * _FOREARM)))
    angles = np.linspace(0.0, TURN, 25)[:, None]
    for across in (right, front):
        rim = head + radius * (np.cos(angles) * spine + np.sin(angles) * across)
        parts.append(curves.line(*rim))
    parts.append(curves.line(head + front * radius, head + front * (1.4 * radius)))
    return parts
