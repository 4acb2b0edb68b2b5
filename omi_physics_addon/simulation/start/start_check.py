"""Checks how a world begins: what throws bodies apart or lets them fall before anything happens."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from ...issue_codes import Code
from ...issues import Issues
from ...model.document import PhysicsDocument
from ...model.filters import meets
from ...model.gravity import DOWN, EARTH
from ...model.joints import JointLimit
from ..near_pairs import kinds_meeting
from ..overlap import hull_of
from ..state import WORLD
from ..world import JointFrames, World
from .start_overlaps import Overlaps, Thing, overlaps, things_of

_APART_M: Final = 1e-3
_TURNED_RAD: Final = 1e-2
_NAMED: Final = 3  # Of the bodies that one overlaps.


def check(
    world: World,
    document: PhysicsDocument,
    place: Callable[[int], str],
    issues: Issues,
) -> None:
    """Add what is wrong with the start of a world to the issues.

    Args:
        document: that the world was built of.
        place: words for messages about a node.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # Of shapes beyond all numbers.
        _check_overlaps(world, place, issues)
    _check_joints(world, place, issues)
    _check_hover(world, document, place, issues)
    _check_gravity(world, place, issues)


def _check_overlaps(world: World, place: Callable[[int], str], issues: Issues) -> None:
    bodies = world.bodies
    things = [
        thing
        for i, body in enumerate(bodies)
        for thing in things_of(i, body.solids, body.place, body.rotation)
    ]
    dynamic = np.array([body.type == "dynamic" for body in bodies], dtype=np.bool_)
    apart = {frozenset(joint.bodies) for joint in world.joints if not joint.enable_collision}
    filters = [thing.solid.filter for thing in things]
    meet = kinds_meeting(filters, lambda a, b: meets(a, b, world.engine))
    owners = np.array([thing.owner for thing in things], dtype=np.int64)

    def may_meet(left: Indices, right: Indices) -> Flags:
        one, other = owners[left], owners[right]
        allowed = (one != other) & (dynamic[one] | dynamic[other])
        allowed[allowed] = meet(left[allowed], right[allowed])
        return allowed

    def to_tell(one: int, other: int) -> int | None:
        if frozenset((one, other)) in apart:
            return None
        return min(one, other, key=lambda i: (not dynamic[i], i))

    found = overlaps(things, dynamic, to_tell, may_meet, _NAMED + 1)
    nodes = [body.node for body in bodies]
    why = "the body overlaps {} at the start, so engines push them apart abruptly; move them apart"
    _tell(found, nodes, place, Code.BODIES_OVERLAP, why, issues)


def _tell(
    found: Overlaps,
    nodes: Sequence[int],
    place: Callable[[int], str],
    code: Code,
    why: str,
    issues: Issues,
) -> None:
    """Tell what overlaps, and for whom not all was looked at.

    Args:
        nodes: of the owners, by their number.
        why: the sentence, with braces for the names of the others.
    """
    for owner, others in found.found.items():
        names = ", ".join(place(nodes[other]) for other in others[:_NAMED])
        more = " and more" if len(others) > _NAMED else ""
        issues.add(code, place(nodes[owner]), why.format(names + more))
    if found.unfinished:
        count = len(found.unfinished) - 1
        why = f"too many objects are close to this one and {count} others, so not all were compared"
        issues.add(code, place(nodes[found.unfinished[0]]), why)


def _check_joints(world: World, place: Callable[[int], str], issues: Issues) -> None:
    for joint in world.joints:
        why = _misfit(world, joint)
        if why:
            issues.add(Code.JOINT_ENDS_APART, place(joint.node), why)


def _misfit(world: World, joint: JointFrames) -> str:
    """What a joint does not allow and is so at the start; empty for nothing."""
    origin, axes = world.placed(joint.first)
    end, turn = world.placed(joint.second)
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
            low, high = limit.ends
            beyond = max(low - size, size - high)
            if beyond > noise:
                return (
                    f"the joint's ends are {beyond:.3g} m further apart than its limits "
                    "allow, so it snaps at the start; align them"
                )
    wrong = _turned(axes.T @ turn, held)
    if wrong > _TURNED_RAD:
        return (
            f"the joint's ends are rotated {math.degrees(wrong):.3g}° against each other, so "
            "it snaps at the start; align them"
        )
    return ""


def _fixes(limit: JointLimit) -> bool:
    return limit.min == limit.max == 0.0 and limit.stiffness is None


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
            found.setdefault(frame.body, []).append((energy, world.placed(frame)[0]))
    gravity = world.gravity
    down = np.array(DOWN if gravity is None else gravity.direction)
    strength = EARTH if gravity is None else gravity.gravity
    for i, thrusters in found.items():
        body, energy = world.bodies[i], sum(energy for energy, _ in thrusters)
        weight = body.mass * strength * body.gravity_factor
        if not (energy > 0.0 and 0.0 < weight < math.inf):
            continue
        bottom = max(
            (_depth(t, down) for t in things_of(i, body.solids, body.place, body.rotation)),
            default=-math.inf,
        )
        below = bottom - float(np.mean([point @ down for _, point in thrusters]))
        if energy / weight < below:
            why = (
                f"hover thrusters hold the vehicle's {body.mass:g} kg at "
                f"{energy / weight:.2g} m, but it reaches {below:.2g} m below them; raise "
                "their energy"
            )
            issues.add(Code.HOVER_TOO_WEAK, place(body.node), why)


def _depth(thing: Thing, down: Array) -> float:
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
        for thing in things_of(i, volume.solids, *world.placed(volume.frame))
    ]
    priority = np.array([v.gravity.priority for v in volumes if v.gravity], dtype=np.float64)
    ends = np.array([v.gravity.stop or v.gravity.replace for v in volumes if v.gravity], np.bool_)
    owners = np.array([thing.owner for thing in things], dtype=np.int64)

    def may_meet(left: Indices, right: Indices) -> Flags:
        one, other = owners[left], owners[right]
        return (one != other) & (priority[one] == priority[other]) & (ends[one] | ends[other])

    found = overlaps(things, np.ones(len(volumes), dtype=np.bool_), max, may_meet, _NAMED + 1)
    nodes = [volume.node for volume in volumes]
    why = (
        "the gravity volume overlaps {} with the same priority, so their order is undefined; "
        "use other priorities"
    )
    _tell(found, nodes, place, Code.GRAVITY_ORDER_OPEN, why, issues)
