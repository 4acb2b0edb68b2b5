"""The lines that show what a joint allows and does.

Everything is in the frame of the joint, in the axes its settings are in. Limits are measured as
KHR_physics_rigid_bodies says: along one axis the offset, along two the distance from the line of
the third, along three the distance; about one axis the twist, about two the angle of the third,
about three the whole angle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np

from ...model.joints import JointDrive, JointLimit, JointSettings
from . import curves
from .curves import TURN
from .wireframe import Lines, box_lines, dashed

_RADIUS: Final = 0.8  # Of the arcs, as all below as a part of the size of the mark.
_STOP: Final = 0.12  # Of the stops at the ends of a range.
_HEAD: Final = 0.15  # Of arrows.
_TARGET: Final = 0.09  # Of the mark of a position target.
_DASH: Final = 0.05  # Of soft limits, and of the gaps between.
_TURNED: Final = 0.6  # Radius of the arrows of angular drives.
_REACH: Final = 1.5 * math.pi  # How far an arc without an end goes, rad.
# Length of each axis of a frame, and the dash and gap it is drawn with.
_AXES: Final = ((1.0, 0.0, 0.0), (0.8, 0.1, 0.06), (0.6, 0.03, 0.05))


def frame_lines(size: float, *, connected: bool = False) -> Lines:
    """The axes of a frame: X long and whole, Y dashed, Z short and dotted.

    In the origin is an octahedron, or for the connected frame, which is smaller, a box.
    """
    scale = 0.6 * size if connected else size
    parts: list[Lines] = []
    for axis, (length, dash, gap) in enumerate(_AXES):
        shaft = curves.line((0.0, 0.0, 0.0), curves.unit(axis, length * scale))
        parts.append(dashed(shaft, dash * scale, gap * scale) if dash and scale else shaft)
    parts.append(second_mark(size) if connected else curves.octahedron(0.08 * size))
    return curves.joined(parts)


def second_mark(size: float) -> Lines:
    """The box in the origin of the connected frame."""
    return box_lines((0.1 * size,) * 3)


def link_lines(end: tuple[float, float, float], size: float) -> Lines:
    """A dotted line from the origin to another place."""
    if not size > 0.0:
        return curves.line((0.0, 0.0, 0.0), end)
    return dashed(curves.line((0.0, 0.0, 0.0), end), 0.06 * size, 0.06 * size)


@lru_cache(maxsize=4096)
def limit_lines(settings: JointSettings, size: float) -> Lines:
    """Every limit of some settings, those with a spring dashed, and what is left free.

    Args:
        size: of the marks that stand for angles and for what has no end, m; distances are true.
    """
    parts: list[Lines] = []
    for limit in settings.limits:
        drawn = curves.joined(list(_limit(limit, size)))
        soft = limit.stiffness is not None and size > 0.0
        parts.append(dashed(drawn, _DASH * size, _DASH * size) if soft else drawn)
    parts.extend(_free(settings, size))
    lines = curves.joined(parts)
    lines.flags.writeable = False
    return lines


@lru_cache(maxsize=4096)
def drive_lines(settings: JointSettings, size: float) -> Lines:
    """An arrow to the target of every drive, with a mark at positions and two heads for speeds."""
    parts: list[Lines] = []
    for drive in settings.drives:
        if drive.type == "linear":
            parts.extend(_linear_drive(drive, size))
        elif drive.type == "angular":
            parts.extend(_angular_drive(drive, size))
    lines = curves.joined(parts)
    lines.flags.writeable = False
    return lines


def _limit(limit: JointLimit, size: float) -> Iterator[Lines]:
    low, high = limit.ends
    if low == -math.inf and high == math.inf:
        return
    # Files may have both kinds of axes in one limit.
    for axes, functions in (
        (limit.linear_axes, (_bar, _distances, _distances)),
        (limit.angular_axes, (_fan, _cones, _turns)),
    ):
        if axes:
            yield from functions[len(axes) - 1](axes, low, high, size)


def _free(settings: JointSettings, size: float) -> Iterator[Lines]:
    """Arrows along and rings about axes that no limit speaks of, unless none speaks of any."""
    linear = {axis for limit in settings.limits for axis in limit.linear_axes}
    angular = {axis for limit in settings.limits for axis in limit.angular_axes}
    if not linear and not angular:
        return
    for axis in range(3):
        if axis not in linear:
            yield from _bar((axis,), -math.inf, math.inf, size)
        if axis not in angular:
            yield curves.ring(axis, _RADIUS * size)


def _bar(axes: tuple[int, ...], low: float, high: float, size: float) -> Iterator[Lines]:
    """A bar with a stop at each end of the range, and a head where it has none."""
    (axis,) = axes
    ends = _shown_ends(low, high, size)
    yield curves.line(*(curves.unit(axis, end) for end in ends))
    for end, shown, sign in ((low, ends[0], -1.0), (high, ends[1], 1.0)):
        place = curves.unit(axis, shown)
        if math.isfinite(end):
            yield curves.square(axis, _STOP * size) + place.astype(np.float32)
        else:
            yield _head(axis, shown, sign * _HEAD * size)


def _shown_ends(low: float, high: float, size: float) -> tuple[float, float]:
    """The ends of what is shown of a range, which may have none."""
    shown_low = low if math.isfinite(low) else min(0.0, high) - size
    shown_high = high if math.isfinite(high) else max(0.0, low) + size
    return shown_low, shown_high


def _head(axis: int, place: float, length: float) -> Lines:
    """The barbs of an arrow along an axis whose tip is at a place."""
    tip = curves.unit(axis, place)
    back = curves.on_circle(axis, np.arange(4) * (TURN / 4.0), abs(length) / 2.0)
    back[:, axis] = place - length
    return curves.joined([curves.line(tip, corner) for corner in back])


def _distances(axes: tuple[int, ...], low: float, high: float, size: float) -> Iterator[Lines]:
    """What is at the least and the largest distance: balls, or circles about the third axis."""
    low = max(low, 0.0)
    ends = [high] if math.isfinite(high) and high > 0.0 else []
    for radius in [*ends, low] if low > 0.0 and low != high else ends:
        if len(axes) == 3:
            yield curves.ball(radius)
        else:
            (axis,) = {0, 1, 2} - set(axes)
            yield curves.ring(axis, radius)
    if high <= 0.0:
        yield _cross(axes, size)
    if high == math.inf:
        for axis in axes:
            for sign in (-1.0, 1.0):
                end = sign * (low + size)
                yield curves.line(curves.unit(axis, sign * low), curves.unit(axis, end))
                yield _head(axis, end, sign * _HEAD * size)


def _cross(axes: tuple[int, ...], size: float) -> Lines:
    """Short lines along axes that cannot move."""
    half = _STOP * size
    ends = [(curves.unit(axis, -half), curves.unit(axis, half)) for axis in axes]
    return curves.joined([curves.line(*pair) for pair in ends])


def _fan(axes: tuple[int, ...], low: float, high: float, size: float) -> Iterator[Lines]:
    """An arc over the range, with a spoke at each end, and a head where it has none."""
    (axis,) = axes
    radius = _RADIUS * size
    head = _HEAD * size
    if high == math.inf:
        yield curves.curved_arrow(axis, low, low + _REACH, radius, head)
    elif low == -math.inf:
        yield curves.curved_arrow(axis, high, high - _REACH, radius, head)
    else:
        yield curves.arc(axis, low, high, radius)
    for end in dict.fromkeys(end for end in (low, high) if math.isfinite(end)):
        out, past = curves.on_circle(axis, [end], radius), curves.on_circle(axis, [end], size)
        yield curves.line((0.0, 0.0, 0.0), past[0])
        across = curves.unit(axis, _STOP * size / 2.0)
        yield curves.line(out[0] - across, out[0] + across)


def _cones(axes: tuple[int, ...], low: float, high: float, size: float) -> Iterator[Lines]:
    """Round cones about the third axis, at the least and the largest angle it may lean."""
    (axis,) = {0, 1, 2} - set(axes)
    for angle in _angles(low, high):
        yield from _cone(axis, angle, _RADIUS * size)


def _cone(axis: int, angle: float, radius: float) -> Iterator[Lines]:
    """A rim, four sides, and two arcs over the cap."""
    rim = curves.on_circle(axis, np.arange(4) * (TURN / 4.0), radius * math.sin(angle))
    rim[:, axis] = radius * math.cos(angle)
    yield curves.ring(axis, radius * math.sin(angle)) + curves.unit(axis, rim[0, axis])
    yield curves.joined([curves.line((0.0, 0.0, 0.0), corner) for corner in rim])
    # From an axis across, a quarter turn leads to the cone's axis or away from it.
    yield curves.arc((axis + 1) % 3, TURN / 4.0 - angle, TURN / 4.0 + angle, radius)
    yield curves.arc((axis + 2) % 3, -angle, angle, radius)


def _turns(axes: tuple[int, ...], low: float, high: float, size: float) -> Iterator[Lines]:
    """On a ball, how far it may turn about each axis both ways; a turn about others is alike."""
    radius = _RADIUS * size
    least = min(max(low, 0.0), math.pi)
    most = min(max(high, 0.0), math.pi)
    for axis in axes:
        for sign in (-1.0, 1.0):
            yield curves.arc(axis, sign * least, sign * most, radius)
            for end in dict.fromkeys((least, most) if least else (most,)):
                (place,) = curves.on_circle(axis, [sign * end], radius)
                across = curves.unit(axis, _STOP * size)
                yield curves.line(place - across, place + across)


def _angles(low: float, high: float) -> list[float]:
    """The ends of a range of angles without a sign, but for those that hold nothing back."""
    ends = [max(high, 0.0)] if high < math.pi else []
    return [*ends, low] if low > 0.0 and low != high else ends


def _linear_drive(drive: JointDrive, size: float) -> Iterator[Lines]:
    place = drive.position_target or 0.0
    at = curves.unit(drive.axis, place)
    if drive.position_target is not None:
        yield curves.arrows([(0.0, 0.0, 0.0)], [at], min(0.25, _HEAD * size / (abs(place) or 1.0)))
        yield curves.octahedron(_TARGET * size) + at.astype(np.float32)
    if drive.velocity_target:
        way = curves.readable(drive.velocity_target) * size
        yield curves.line(at, at + curves.unit(drive.axis, way))
        for behind in (0.0, 0.6):
            head = math.copysign(_HEAD * size, way)
            yield _head(drive.axis, place + way - behind * head, head)


def _angular_drive(drive: JointDrive, size: float) -> Iterator[Lines]:
    radius, head = _TURNED * size, _HEAD * size
    place = drive.position_target or 0.0
    (at,) = curves.on_circle(drive.axis, [place], radius)
    if drive.position_target is not None:
        yield curves.line((0.0, 0.0, 0.0), at)
        yield curves.curved_arrow(drive.axis, 0.0, place, radius, head)
        yield curves.octahedron(_TARGET * size) + at.astype(np.float32)
    if drive.velocity_target:
        sweep = curves.readable(drive.velocity_target)
        wide = radius + _TARGET * size
        for behind in (0.0, 0.6 * math.copysign(head / wide, sweep)):
            yield curves.curved_arrow(drive.axis, place, place + sweep - behind, wide, head)
