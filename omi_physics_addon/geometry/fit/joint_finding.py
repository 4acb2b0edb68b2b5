"""Which parts turn or slide on each other, by the surfaces with which they touch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from ..arrays import Array
from .joint_surfaces import Ball, Round, Surfaces
from .touching_flats import NEAR, contacts

FoundKind = Literal["hinge", "slider", "piston", "ball"]

SURE: Final = 0.75  # Confidence above which a joint is taken unless somebody says otherwise.
_PARALLEL: Final = math.cos(math.radians(2.0))
_BESIDE: Final = 0.1  # Of the smaller radius, between two axes that are one.
_TIGHT, _LOOSE = 0.97, 1.35  # Radius of a hole, of that of what turns in it.
_SAME: Final = 0.05  # Of a radius, between two that are the same.
_INSIDE: Final = 0.1  # Of a hole, how deep the end of a piston is in it, and how far out the other.
_ALIKE: Final = math.cos(math.radians(5.0))  # Between contacts that are one.
_THIN: Final = 0.15  # Length of what guides, of the size of the part, below which it hardly does.
_OUT: Final = 0.8  # Of what guides, how far a slider goes.
_SLACK: Final = 1.6  # Confidence that goes with each radius more that a hole has.
_SHALLOW: Final = 0.3  # Of the radius, how deep a lid at most sinks into what it stands on.
_HELD: Final = 0.55  # Of a turn, how far a hole must go about a shaft that cannot be lifted out.
_BALL: Final = 0.4  # Mean of the normals above which a ball does not reach around its widest place.
_FLUSH: Final = 0.05  # Of what guides, how far apart ends may be that were built as one.
_GUIDED: Final = 0.5  # Of a part at a stop, how much of it is guided at least.
_DOUBTFUL: Final = 0.6


@dataclass(frozen=True, eq=False)
class Found:
    """A joint that two parts seem to have.

    Attributes:
        kind: of the joint.
        place: (3,), m.
        axis: (3,) about which it turns or along which it slides; None for balls.
        confidence: 0 to 1.
        reach: how far the first part may go along the axis, m; None for as far as it likes.
    """

    kind: FoundKind
    place: Array
    axis: Array | None
    confidence: float
    reach: tuple[float, float] | None = None


def find(parts: Sequence[Surfaces]) -> list[tuple[int, int, Found]]:
    """The most likely joint of each pair of parts that have one, surest first.

    The first part of a pair is the smaller one, which moves.
    """
    found: list[tuple[int, int, Found]] = []
    for one, other in _touching(parts):
        a, b = sorted((one, other), key=lambda at: float(np.prod(parts[at].size)))
        best = joint_of(parts[a], parts[b])
        if best is not None:
            found.append((a, b, best))
    return sorted(found, key=lambda each: -each[2].confidence)


def joint_of(part: Surfaces, other: Surfaces) -> Found | None:
    """The most likely joint of a part with another one; None where they just touch, or do not."""
    turning = [*_balls(part, other), *_turns(part, other)]
    if turning:
        return _one_of(turning)
    return _slide(part, other)


def _touching(parts: Sequence[Surfaces]) -> Iterator[tuple[int, int]]:
    """Pairs of parts whose boxes touch."""
    if not parts:
        return
    room = [NEAR * float(part.size.max()) for part in parts]
    order = sorted(range(len(parts)), key=lambda at: parts[at].least[0] - room[at])
    alive: list[int] = []
    for at in order:
        low = parts[at].least - room[at]
        high = parts[at].greatest + room[at]
        alive = [each for each in alive if parts[each].greatest[0] + room[each] >= low[0]]
        for each in alive:
            if (parts[each].least - room[each] <= high).all() and (
                parts[each].greatest + room[each] >= low
            ).all():
                yield each, at
        alive.append(at)


def _balls(part: Surfaces, other: Surfaces) -> Iterator[Found]:
    for one in part.balls:
        for two in other.balls:
            if one.is_hole == two.is_hole:
                continue
            ball, socket = (two, one) if one.is_hole else (one, two)
            ratio = socket.radius / ball.radius
            apart = float(np.linalg.norm(one.center - two.center))
            if _TIGHT <= ratio <= _LOOSE and apart <= _BESIDE * ball.radius + socket.radius - (
                ball.radius
            ):
                yield Found("ball", ball.center, None, _ball_confidence(ball, ratio))


def _ball_confidence(ball: Ball, ratio: float) -> float:
    """Bowls lie in each other, too, and fruit in bowls."""
    tight = 0.95 - _SLACK * abs(ratio - 1.0)
    return tight if ball.dome < _BALL else min(tight, _DOUBTFUL)


def _turns(part: Surfaces, other: Surfaces) -> Iterator[Found]:
    """Round surfaces about one line."""
    for one in part.rounds:
        for two in other.rounds:
            if abs(float(one.axis @ two.axis)) < _PARALLEL:
                continue
            along, beside = _seen_from(one, two.center)
            if beside > _BESIDE * min(one.radius, two.radius):
                continue
            low, high = max(one.low, along + two.low), min(one.high, along + two.high)
            place = one.center + one.axis * (low + high) / 2.0
            found = _turn(part, other, (one, two), (low, high, along))
            if found is not None:
                kind, confidence, reach = found
                yield Found(kind, place, one.axis, confidence, reach)


def _seen_from(one: Round, place: Array) -> tuple[float, float]:
    """How far a place (3,) is from the center of a round surface, along and beside its axis, m."""
    offset = place - one.center
    along = float(offset @ one.axis)
    return along, float(np.linalg.norm(offset - along * one.axis))


def _turn(
    part: Surfaces, other: Surfaces, rounds: tuple[Round, Round], span: tuple[float, float, float]
) -> tuple[FoundKind, float, tuple[float, float] | None] | None:
    """What two round surfaces about one line make of two parts.

    Args:
        span: where both are along the axis of the first, and where the second has its center.
    """
    one, two = rounds
    low, high, along = span
    shorter = min(one.high - one.low, two.high - two.low)
    common = high - low
    if one.is_hole != two.is_hole:
        shaft, hole = (two, one) if one.is_hole else (one, two)
        ratio = hole.radius / shaft.radius
        if not _TIGHT <= ratio <= _LOOSE or common < 0.2 * shorter:
            return None
        confidence = 0.95 - _SLACK * abs(ratio - 1.0)
        inner, outer = (other, part) if one.is_hole else (part, other)
        way = _way(one, two, along) or _stroke(inner, one, two, along)
        if way is not None:
            confidence = min(confidence, 0.85)
        is_shallow = common < _SHALLOW * shaft.radius
        if hole.turn < _HELD or _stands(inner, outer, shaft, is_shallow=is_shallow):
            confidence = min(confidence, _DOUBTFUL)
        return ("hinge", confidence, None) if way is None else ("piston", confidence, way)
    if one.is_hole:
        return None
    if abs(one.radius - two.radius) <= _SAME * one.radius:
        if not -0.25 * shorter <= common <= 0.05 * shorter:
            return None
        # Knuckles take turns along their pin; two cans on each other do not.
        return "hinge", 0.9 if _interleave(part, other, one) else 0.5, None
    if common < 0.2 * shorter:
        return None
    # A wheel without a hole, with the end of its axle in it; or a table on its leg.
    is_wheel = max(one.radius, two.radius) > 1.5 * min(one.radius, two.radius)
    return "hinge", 0.7 if is_wheel else 0.5, None


def _stands(inner: Surfaces, outer: Surfaces, shaft: Round, *, is_shallow: bool) -> bool:
    """Whether what is in a hole stands on its end, as cups in each other do.

    What is hardly in it may stand on the edge around it as well, as lids do.
    """
    for normal, (points, _) in contacts(inner, outer):
        if abs(float(normal @ shaft.axis)) >= _PARALLEL:
            if is_shallow:
                return True
            offsets = points - shaft.center
            beside = offsets - (offsets @ shaft.axis)[:, None] * shaft.axis
            if float(np.linalg.norm(beside, axis=1).max()) <= (1.0 + _BESIDE) * shaft.radius:
                return True
    return False


def _way(one: Round, two: Round, along: float) -> tuple[float, float] | None:
    """How far a piston goes; None where what is in the hole is no piston."""
    (shaft_low, shaft_high), (hole_low, hole_high) = _spans(one, two, along)
    deep = _INSIDE * (hole_high - hole_low)
    if hole_high - hole_low < 2.0 * max(one.radius, two.radius):
        return None
    inner = (shaft_low > hole_low + deep, shaft_high < hole_high - deep)
    outer = (shaft_low < hole_low - deep, shaft_high > hole_high + deep)
    if inner[0] and outer[1]:  # It comes out upwards.
        out, back = _OUT * (hole_high - shaft_low), shaft_low - hole_low
        return (-out, back) if one.is_hole else (-back, out)
    if inner[1] and outer[0]:
        out, back = _OUT * (shaft_high - hole_low), hole_high - shaft_high
        return (-back, out) if one.is_hole else (-out, back)
    return None


def _spans(one: Round, two: Round, along: float) -> tuple[tuple[float, float], ...]:
    """Where a shaft and a hole begin and end along the axis of the first of them."""
    mine, theirs = (one.low, one.high), (along + two.low, along + two.high)
    return (theirs, mine) if one.is_hole else (mine, theirs)


def _stroke(inner: Surfaces, one: Round, two: Round, along: float) -> tuple[float, float] | None:
    """How far a piston goes that is in its cylinder as a whole and has a rod out of it."""
    (low, high), (start, end) = _spans(one, two, along)
    deep = _INSIDE * (end - start)
    if low < start or high > end or high - low > 0.5 * (end - start):
        return None
    for rod in inner.rounds:
        at, beside = _seen_from(one, rod.center)
        if abs(float(rod.axis @ one.axis)) < _PARALLEL or beside > _BESIDE * rod.radius:
            continue
        if not rod.is_hole and (at + rod.low < start - deep or at + rod.high > end + deep):
            back, out = low - start, end - high
            return (-out, back) if one.is_hole else (-back, out)
    return None


def _interleave(part: Surfaces, other: Surfaces, like: Round) -> bool:
    """Whether parts take turns along a line with their knuckles, three or more."""
    knuckles: list[tuple[float, int]] = []
    for owner, each in enumerate((part, other)):
        for one in each.rounds:
            along, beside = _seen_from(like, one.center)
            if (
                not one.is_hole
                and abs(float(one.axis @ like.axis)) >= _PARALLEL
                and beside <= _BESIDE * like.radius
                and abs(one.radius - like.radius) <= _SAME * like.radius
            ):
                knuckles.append((along, owner))
    owners = [owner for _, owner in sorted(knuckles)]
    return sum(a != b for a, b in itertools.pairwise(owners)) >= 2


def _one_of(found: Sequence[Found]) -> Found:
    """The surest, doubted where others turn about another line."""
    best = max(found, key=lambda each: each.confidence)
    for each in found:
        if not _agree(best, each):
            sure = min(best.confidence, 0.4)
            return Found(best.kind, best.place, best.axis, sure, best.reach)
    along = [each.place for each in found if each.kind == best.kind]
    return Found(best.kind, np.mean(along, axis=0), best.axis, best.confidence, best.reach)


def _agree(one: Found, other: Found) -> bool:
    """Whether two joints about lines have the same one."""
    if one.axis is None or other.axis is None:
        return one.axis is other.axis
    if abs(float(one.axis @ other.axis)) < _PARALLEL:
        return False
    offset = other.place - one.place
    beside = offset - (offset @ one.axis) * one.axis
    return float(np.linalg.norm(beside)) <= 1e-3 + 0.02 * float(np.linalg.norm(offset))


def _slide(part: Surfaces, other: Surfaces) -> Found | None:
    """A slider, where flats of the other part leave one direction free."""
    touching = list(contacts(part, other))
    normals: list[Array] = []
    for normal, _ in touching:
        if not any(float(normal @ each) > _ALIKE for each in normals):
            normals.append(normal)
    pairs = [n for n in normals if any(float(n @ each) < -_ALIKE for each in normals)]
    for guide in pairs[:1]:
        beside = next((n for n in normals if abs(float(n @ guide)) < 1.0 - _ALIKE), None)
        if beside is None:
            return None
        axis = np.cross(guide, beside)
        axis /= np.linalg.norm(axis)
        along = [n for n in normals if abs(float(n @ axis)) > 0.05]
        if any(float(a @ b) < 0.0 for a in along for b in along) or any(
            abs(float(n @ axis)) < _ALIKE for n in along
        ):
            return None  # It is held at both ends, or by what is askew.
        sides = [each for normal, each in touching if abs(float(normal @ axis)) < 0.05]
        low = max(float((flat @ axis).min()) for pair in sides for flat in pair)
        high = min(float((flat @ axis).max()) for pair in sides for flat in pair)
        length = high - low
        if length <= 0.0:
            return None
        both = any(float(beside @ each) < -_ALIKE for each in normals)
        confidence = 0.9 if both else 0.8
        if length < _THIN * float(part.size.max()):
            confidence = 0.4
        elif _is_built(sides, axis, length, stops=bool(along)):
            confidence = _DOUBTFUL
        elif not both and not along and _is_between(touching, guide):
            confidence = 0.7  # A crate in a hall is guided as well.
        every = np.concatenate([flat for flat, _ in sides])
        place = (every.min(axis=0) + every.max(axis=0)) / 2.0
        reach = (-_OUT * length, _OUT * length)
        if along:
            # The normal of the other part points to where there is room.
            free = float(along[0] @ axis) < 0.0
            reach = (0.0, _OUT * length) if free else (-_OUT * length, 0.0)
        return Found("slider", place, axis, confidence, reach)
    return None


def _is_built(
    sides: Sequence[tuple[Array, Array]], axis: Array, length: float, *, stops: bool
) -> bool:
    """Whether a part that is guided is rather a brick in a wall, or a post in a socket."""
    mine, theirs = (np.concatenate([pair[at] for pair in sides]) @ axis for at in (0, 1))
    if stops:
        return length < _GUIDED * float(np.ptp(mine))
    ends = (mine.min() - theirs.min(), mine.max() - theirs.max())
    return all(abs(float(end)) < _FLUSH * length for end in ends)


def _is_between(touching: Sequence[tuple[Array, tuple[Array, Array]]], guide: Array) -> bool:
    """Whether a part is between the flats that guide it, not around them."""
    ahead = [pair[0] @ guide for normal, pair in touching if float(normal @ guide) > _ALIKE]
    behind = [pair[0] @ guide for normal, pair in touching if float(normal @ guide) < -_ALIKE]
    return float(np.mean(np.concatenate(ahead))) > float(np.mean(np.concatenate(behind)))
