"""Checks how a world begins: what throws bodies apart or lets them fall before anything happens."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..geometry.arrays import Array, Flags, Indices
from ..issue_codes import Code
from ..issues import Issues
from ..model.document import PhysicsDocument
from ..model.filters import meets
from ..model.gravity import DOWN, EARTH
from ..model.joints import JointLimit
from .overlap import Hull, Hulls, Placed, hull_of, overlapping
from .state import WORLD
from .world import Engine, Form, Frame, JointFrames, Mesh, Solid, World

_KEPT: Final = 0.98  # Share of the size of solids that must overlap; resting ones touch.
_APART_M: Final = 1e-3
_TURNED_RAD: Final = 1e-2
_PAIRS: Final = 1 << 20  # Looked at together; they take memory.
_NAMED: Final = 3  # Of the bodies that one overlaps.


def check(
    world: World,
    document: PhysicsDocument,
    place: Callable[[int], str],
    issues: Issues,
    *,
    engine: Engine = "OMI",
) -> None:
    """Add what is wrong with the start of a world to the issues.

    Args:
        document: that the world was built of.
        place: words for messages about a node.
        engine: whose filters decide what meets.
    """
    _check_overlaps(world, place, issues, engine)
    _check_joints(world, place, issues)
    _check_hover(world, document, place, issues)
    _check_gravity(world, place, issues)


@dataclass(frozen=True, eq=False)
class _Thing:
    """A solid in the world, and the number of what it is part of."""

    owner: int
    solid: Solid
    rotation: Array
    place: Array


def _pose(world: World, frame: Frame) -> tuple[Array, Array]:
    """The axes (3, 3) and the place (3,) of a frame in the world."""
    if frame.body == WORLD:
        return frame.axes, frame.place
    body = world.bodies[frame.body]
    return body.rotation @ frame.axes, body.rotation @ frame.place + body.place


def _things(owner: int, solids: Iterable[Solid], axes: Array, origin: Array) -> Iterator[_Thing]:
    for solid in solids:
        if not (isinstance(solid.form, Mesh) and not solid.form.is_convex):
            yield _Thing(owner, solid, axes @ solid.rotation, axes @ solid.place + origin)


def _check_overlaps(
    world: World, place: Callable[[int], str], issues: Issues, engine: Engine
) -> None:
    bodies = world.bodies
    things = [
        thing
        for i, body in enumerate(bodies)
        for thing in _things(i, body.solids, body.rotation, body.place)
    ]
    dynamic = np.array([body.type == "dynamic" for body in bodies], dtype=np.bool_)
    apart = {
        frozenset((joint.first.body, joint.second.body))
        for joint in world.joints
        if not joint.enable_collision
    }
    owners = np.array([thing.owner for thing in things], dtype=np.int64)

    def may_meet(left: Indices, right: Indices) -> Flags:
        one, other = owners[left], owners[right]
        return (one != other) & (dynamic[one] | dynamic[other])

    met: dict[int, dict[int, None]] = {}
    for a, b in _overlapping(things, may_meet):
        one, other = things[a], things[b]
        if frozenset((one.owner, other.owner)) in apart:
            continue
        if meets(one.solid.filter, other.solid.filter, engine):
            first, second = sorted((one.owner, other.owner), key=lambda i: (not dynamic[i], i))
            met.setdefault(first, {})[second] = None
    for i in sorted(met):
        names = [place(bodies[other].node) for other in met[i]]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        why = f"it starts inside {', '.join(names[:_NAMED])}{more}, which throws them apart"
        issues.add(Code.BODIES_OVERLAP, place(bodies[i].node), why)


def _overlapping(
    things: Sequence[_Thing], may_meet: Callable[[Indices, Indices], Flags]
) -> Iterator[tuple[int, int]]:
    """The pairs of things that overlap by more than a little, in their order."""
    if not things:
        return
    known: dict[Form, Hull] = {}
    for thing in things:
        if thing.solid.form not in known:
            known[thing.solid.form] = _smaller(hull_of(thing.solid.form))
    hulls = [known[thing.solid.form] for thing in things]
    boxes = np.array([_bounds(thing, hull) for thing, hull in zip(things, hulls, strict=True)])
    low, high = boxes[:, 0], boxes[:, 1]
    for left, right in _near(low, high):
        allowed = may_meet(left, right)
        left, right = left[allowed], right[allowed]
        if not len(left):
            continue
        which, back = np.unique(np.concatenate([left, right]), return_inverse=True)
        chosen: list[int] = which.tolist()
        few = Hulls([hulls[at] for at in chosen])
        rotation: Array = np.array([things[at].rotation for at in chosen])
        origin: Array = np.array([things[at].place for at in chosen])
        numbers = back.astype(np.int64)
        one, other = numbers[: len(left)], numbers[len(left) :]
        hit = overlapping(
            few,
            Placed(one, rotation[one], origin[one]),
            Placed(other, rotation[other], origin[other]),
        )
        yield from zip(left[hit].tolist(), right[hit].tolist(), strict=True)


def _smaller(hull: Hull) -> Hull:
    """A solid without its outermost part, so that what rests on it does not count."""
    inner = hull.inner
    points = inner + (hull.points - inner) * _KEPT
    nothing = np.zeros(0)
    return replace(
        hull,
        points=points,
        ball=hull.ball * _KEPT,
        disc=hull.disc * _KEPT,
        normals=np.zeros((0, 3)),
        offsets=nothing,
    )


def _bounds(thing: _Thing, hull: Hull) -> Array:
    """The lowest and the highest corner (2, 3) of the box around a solid in the world."""
    points = hull.points @ thing.rotation.T + thing.place
    axle = thing.rotation[:, 1]
    across = np.sqrt(np.maximum(0.0, 1.0 - axle * axle))
    around = hull.ball[:, None] + hull.disc[:, None] * across
    return np.array([(points - around).min(axis=0), (points + around).max(axis=0)])


def _near(low: Array, high: Array) -> Iterator[tuple[Indices, Indices]]:
    """Pairs whose boxes overlap, some at a time.

    Sorted along the axis on which they are spread most, each is compared with those that begin
    before it ends.
    """
    axis = int(np.argmax(np.ptp(low, axis=0)))
    order = np.argsort(low[:, axis], kind="stable")
    low, high = low[order], high[order]
    ends = np.searchsorted(low[:, axis], high[:, axis], side="right")
    counts = np.maximum(ends - np.arange(len(order)) - 1, 0)
    sums = np.cumsum(counts)
    start = 0
    while start < len(order):
        before = sums[start - 1] if start else 0
        stop = max(int(np.searchsorted(sums, before + _PAIRS, side="right")), start + 1)
        left = np.repeat(np.arange(start, stop), counts[start:stop])
        first = np.repeat(sums[start:stop] - counts[start:stop], counts[start:stop])
        right = left + 1 + np.arange(before, before + len(left)) - first
        met = ((low[left] <= high[right]) & (low[right] <= high[left])).all(axis=1)
        one, other = order[left[met]], order[right[met]]
        yield np.minimum(one, other), np.maximum(one, other)
        start = stop


def _check_joints(world: World, place: Callable[[int], str], issues: Issues) -> None:
    for joint in world.joints:
        why = _misfit(world, joint)
        if why:
            issues.add(Code.JOINT_ENDS_APART, place(joint.node), why)


def _misfit(world: World, joint: JointFrames) -> str:
    """What a joint does not allow and is so at the start; empty for nothing."""
    axes, origin = _pose(world, joint.first)
    turn, end = _pose(world, joint.second)
    offset = axes.T @ (end - origin)
    hard = [limit for limit in joint.limits if limit.stiffness is None]
    noise = _APART_M + 1e-5 * float(np.abs([origin, end]).max())
    held = {int(axis) for limit in hard if _fixes(limit) for axis in limit.angular_axes}
    slid = {int(axis) for limit in hard if _fixes(limit) for axis in limit.linear_axes}
    if len(held) == len(slid) == 3:
        return ""  # What holds everything is looked at where the file is read.
    for limit in hard:
        if limit.linear_axes:
            chosen = offset[[int(axis) for axis in limit.linear_axes]]
            size = float(np.linalg.norm(chosen)) if len(chosen) > 1 else float(chosen[0])
            beyond = _beyond(limit, size)
            if beyond > noise:
                return f"its ends are {beyond:.3g} m further apart than it allows"
    wrong = _turned(axes.T @ turn, held)
    if wrong > _TURNED_RAD:
        return f"its ends are turned {math.degrees(wrong):.3g}° against each other"
    return ""


def _fixes(limit: JointLimit) -> bool:
    return limit.min == limit.max == 0.0 and limit.stiffness is None


def _beyond(limit: JointLimit, value: float) -> float:
    low = -math.inf if limit.min is None else limit.min
    high = math.inf if limit.max is None else limit.max
    return max(low - value, value - high)


def _turned(rotation: Array, held: set[int]) -> float:
    """The angle by which a rotation breaks what is held: all axes, or all but one."""
    if len(held) == 3:
        cosine = (float(np.trace(rotation)) - 1.0) / 2.0
    elif len(held) == 2:
        (free,) = {0, 1, 2} - held
        cosine = float(rotation[free, free])
    else:
        return 0.0
    return math.acos(min(1.0, max(-1.0, cosine)))


def _check_hover(
    world: World, document: PhysicsDocument, place: Callable[[int], str], issues: Issues
) -> None:
    """Whether hover thrusters lift what their vehicle has below them; one on wheels need not."""
    found: dict[int, list[tuple[float, Array]]] = {}
    rolling = {f.body for at, f in world.frames.items() if document.nodes[at].wheel is not None}
    for at, frame in world.frames.items():
        part = None if frame.body in rolling else document.nodes[at].hover_thruster
        if part is not None and part.hover_thruster is not None and frame.body != WORLD:
            energy = document.hover_thrusters[part.hover_thruster].max_hover_energy
            found.setdefault(frame.body, []).append((energy, _pose(world, frame)[1]))
    gravity = world.gravity
    down = np.array(DOWN if gravity is None else gravity.direction)
    strength = EARTH if gravity is None else gravity.gravity
    for i, thrusters in found.items():
        body, energy = world.bodies[i], sum(energy for energy, _ in thrusters)
        weight = body.mass * strength * body.gravity_factor
        if not (energy > 0.0 and 0.0 < weight < math.inf):
            continue
        bottom = max(
            (_depth(t, down) for t in _things(i, body.solids, body.rotation, body.place)),
            default=-math.inf,
        )
        below = bottom - float(np.mean([point @ down for _, point in thrusters]))
        if energy / weight < below:
            why = (
                f"they hold its {body.mass:g} kg {energy / weight:.2g} m above the ground, and it "
                f"reaches {below:.2g} m below them"
            )
            issues.add(Code.HOVER_TOO_WEAK, place(body.node), why)


def _depth(thing: _Thing, down: Array) -> float:
    """How far a solid goes along a direction, in the world, m."""
    hull = hull_of(thing.solid.form)
    across = math.sqrt(max(0.0, 1.0 - float(thing.rotation[:, 1] @ down) ** 2))
    points = (hull.points @ thing.rotation.T + thing.place) @ down
    return float((points + hull.ball + hull.disc * across).max())


def _check_gravity(world: World, place: Callable[[int], str], issues: Issues) -> None:
    """Whether volumes of one priority overlap where their order matters."""
    volumes = [volume for volume in world.volumes if volume.gravity is not None]
    things = [
        thing
        for i, volume in enumerate(volumes)
        for thing in _things(i, volume.solids, *_pose(world, volume.frame))
    ]
    priority = np.array([v.gravity.priority for v in volumes if v.gravity], dtype=np.float64)
    ends = np.array([v.gravity.stop or v.gravity.replace for v in volumes if v.gravity], np.bool_)
    owners = np.array([thing.owner for thing in things], dtype=np.int64)

    def may_meet(left: Indices, right: Indices) -> Flags:
        one, other = owners[left], owners[right]
        return (one != other) & (priority[one] == priority[other]) & (ends[one] | ends[other])

    told: set[tuple[int, int]] = set()
    for a, b in _overlapping(things, may_meet):
        pair = (things[a].owner, things[b].owner)
        if pair not in told:
            told.add(pair)
            first, second = (volumes[i].node for i in sorted(pair))
            why = f"{place(first)} overlaps it with the same priority, so their order is open"
            issues.add(Code.GRAVITY_ORDER_OPEN, place(second), why)
