"""Which bodies are so fast that steps carry them through something thin, or find hits late.

Bullet looks for contacts at the ends of its steps only, unless it is told to follow bodies on
their way, which Blender has no setting for. Whoever is past the middle of a thing at the end of a
step is pushed out on its far side. So a body may pass where a step is longer than half of the
body's own thickness and half of that of the thing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Indices
from ...model.shapes import Capsule, Cylinder, Sphere
from ...model.tolerance import NEAR, SECONDS, SHARE
from ..sweeps import near_pairs
from ..world import Body, Form, Mesh, Solid
from .bullet_shapes import surface_points
from .liveliness import material_of, restitution
from .passing import thickness
from .proxies import edges

Extents = Mapping[Form, tuple[Array, Array]]  # What `_extent` gives of each.
_MIN_DISTANCE: Final = 1e-12
_PUSHED: Final = 0.2  # Of a depth, by which Bullet pushes bodies apart in a step,
_PUSHED_DEPTH: Final = 0.04  # m, down to which that is a speed that they keep.
_STEEP: Final = 0.5  # Share of what pulls a body that holds it to what it hits.


@dataclass(frozen=True, eq=False)
class _Block:
    """The box around a solid.

    Attributes:
        middle: (3,), in the world, m.
        axes: (3, 3), as columns, in the world.
        half: (3,), half of its sides, m.
        is_hollow: whether only its surface stops anything.
    """

    middle: Array
    axes: Array
    half: Array
    is_hollow: bool


def too_fast(
    bodies: Sequence[Body], pull: Array, step: float, may_touch: Callable[[int, int], bool]
) -> list[tuple[int, float]]:
    """Bodies that may pass through others, on their first way as these see it.

    That way is straight along the velocity of the start, or along what pulls; the speed is what it
    has then and gains so far. What joints and hits do on the way is not known.

    Args:
        pull: (n, 3), what accelerates each of them at the start, m/s².
        step: s, of the engine.
        may_touch: whether two bodies meet at all.

    Returns:
        The index of each, and the longest step, s, with which it passes nothing.
    """
    which: list[int] = [i for i, body in enumerate(bodies) if body.is_forced and body.solids]
    if not which:
        return []
    half = np.array([thickness(bodies[i]) for i in which])
    position = np.array([bodies[i].position for i in which])
    velocity = np.array([bodies[i].velocity for i in which])
    pulls = pull[which]
    least = np.full(len(which), math.inf)
    for other, block, rows in _passable(bodies, pull, half, (velocity, pulls), step):
        # As the block sees it.
        speed = velocity[rows] - bodies[other].velocity
        pulled = pulls[rows] - np.where(bodies[other].is_forced, pull[other], 0.0)
        # Bullet measures how deep edges are in triangles from where they are round.
        deep = half[rows] - edges(2.0 * half[rows]) if block.is_hollow else half[rows]
        place, found = position[rows], np.full(len(rows), math.inf)
        for way in (speed, pulled):
            found = np.minimum(found, _longest_step(block, place, speed, pulled, way, deep))
        for at in np.flatnonzero(found < np.minimum(least[rows], step)):
            row = int(rows[at])
            if may_touch(which[row], other):
                least[row] = found[at]
    return [(which[i], float(least[i])) for i in np.flatnonzero(least < step).tolist()]


def thrown_back(
    bodies: Sequence[Body], pull: Array, step: float, may_touch: Callable[[int, int], bool]
) -> tuple[set[int], set[int]]:
    """Bodies that their first hit may throw elsewhere, and those that may be hit after it.

    Bullet finds a hit up to a step too late, and pushes bodies apart by a speed of a fifth of the
    depth in a step (m_erp, btContactSolverInfo.h), which they keep. So a fifth of the speed of the
    hit, or nothing, is thrown back, with steps of any length. Ways are straight along the velocity
    of the start. Hits that are given a bounce are exact. What falls over reaches as far as it is
    long, and so does all that it hits in its turn.

    Args:
        pull: (n, 3), what accelerates each of them at the start, m/s².
        step: s, of the engine.
        may_touch: whether two bodies meet at all.
    """
    found: set[int] = set()
    hit: set[int] = set()
    for time, speed, normal, one, other in _first_hits(bodies, may_touch):
        pair = bodies[one], bodies[other]
        if restitution(*map(material_of, pair)) > 0.0:
            continue
        thrown = _PUSHED * min(speed, _PUSHED_DEPTH / step)
        allowed = NEAR + SHARE * time * float(np.linalg.norm(pair[0].velocity))
        lightness = [1.0 / body.mass if body.is_forced else 0.0 for body in pair]
        for i, share in zip((one, other), lightness, strict=True):
            strength = float(np.linalg.norm(pull[i]))
            if share and abs(float(pull[i] @ normal)) <= _STEEP * strength:
                own = thrown * share / sum(lightness)
                if _gets(bodies[i], own, strength, SECONDS - time) > allowed:
                    found.add(i)
                    hit |= {one, other}
    return found, _in_reach(bodies, hit) - found


def _in_reach(bodies: Sequence[Body], hit: set[int]) -> set[int]:
    """Which bodies that forces move are hit, or may be hit by what falls over then."""
    free = [i for i, body in enumerate(bodies) if body.is_forced and body.solids]
    if not hit.intersection(free):
        return set()
    place: Array = np.array([bodies[i].position for i in free])
    extents = _extents(bodies)
    size = np.array([_half_length(bodies[i], extents) for i in free])
    one, other = near_pairs((place, place, 2.0 * size), (place, place, size))
    is_near = np.linalg.norm(place[one] - place[other], axis=1) <= 2.0 * size[one] + size[other]
    beside: dict[int, list[int]] = {}
    for a, b in zip(one[is_near], other[is_near], strict=True):
        beside.setdefault(free[int(a)], []).append(free[int(b)])
    found: set[int] = set()
    coming = list(hit.intersection(free))
    while coming:
        at = coming.pop()
        if at not in found:
            found.add(at)
            coming += beside[at]
    return found


def _half_length(body: Body, extents: Extents) -> float:
    """How far the longest sides of the boxes around the solids of a body reach, m."""
    found = 0.0
    for solid in body.solids:
        middle, half = extents[solid.form]
        away = solid.rotation @ middle + solid.place - body.center
        found = max(found, float(np.linalg.norm(away) + half.max()))
    return found


def _gets(body: Body, speed: float, pull: float, seconds: float) -> float:
    """How far a speed takes a body; one that does not roll is braked by what pulls it down."""
    rolls = any(isinstance(solid.form, Sphere | Capsule | Cylinder) for solid in body.solids)
    brakes = 0.0 if rolls else material_of(body).dynamic_friction * pull
    far = speed * seconds
    return min(far, speed * speed / 2.0 / brakes) if brakes else far


def _first_hits(
    bodies: Sequence[Body], may_touch: Callable[[int, int], bool]
) -> Iterator[tuple[float, float, Array, int, int]]:
    """When bodies hit what is first on their straight ways, how fast, along what, and both."""
    velocity: Array = np.array([body.velocity for body in bodies]).reshape(-1, 3)
    is_fast = np.linalg.norm(velocity, axis=1) * SECONDS > NEAR
    fast = [i for i, body in enumerate(bodies) if is_fast[i] and body.is_forced and body.solids]
    if not fast:
        return
    parts = [(at, solid) for at, body in enumerate(bodies) for solid in body.solids]
    extents = _extents(bodies)
    blocks = [_block(bodies[at], solid, extents[solid.form]) for at, solid in parts]
    owner = np.array([at for at, _ in parts])
    start: Array = np.array([bodies[i].position for i in fast])
    half = np.array([thickness(bodies[i]) for i in fast])
    middle: Array = np.array([block.middle for block in blocks])
    size: Array = np.array([block.half for block in blocks])
    one, other = near_pairs(
        (start, start + velocity[fast] * SECONDS, half),
        (middle, middle + velocity[owner] * SECONDS, np.linalg.norm(size, axis=1)),
    )
    axes = np.array([block.axes for block in blocks])[other]
    way = np.einsum("nij,ni->nj", axes, velocity[fast][one] - velocity[owner[other]])
    away = np.einsum("nij,ni->nj", axes, middle[other] - start[one])
    way = np.where(np.abs(way) < _MIN_DISTANCE, _MIN_DISTANCE, way)
    sides = size[other] + half[one, None]
    first, last = _within(away, way, sides)
    side, time = first.argmax(axis=1), first.max(axis=1)
    meets = (time >= 0.0) & (time < SECONDS) & (last.min(axis=1) >= time)
    done: set[int] = set()
    for row in np.flatnonzero(meets)[np.argsort(time[meets])].tolist():
        mine, its = fast[int(one[row])], int(owner[other[row]])
        if mine not in done and may_touch(mine, its):
            done.add(mine)
            at = int(side[row])
            yield float(time[row]), abs(float(way[row, at])), axes[row, :, at], mine, its


def _within(away: Array, way: Array, sides: Array) -> tuple[Array, Array]:
    """When ways (k, 3) by the second come into and out of boxes (k, 3) that are away, by axis."""
    ends = np.stack([(away - sides) / way, (away + sides) / way])
    return ends.min(axis=0), ends.max(axis=0)


def _passable(
    bodies: Sequence[Body], pull: Array, half: Array, motion: tuple[Array, Array], step: float
) -> Iterator[tuple[int, _Block, Indices]]:
    """The bodies, the boxes around their solids, and who is fast enough to pass these.

    So a scene of many thick things, or of bodies that fall side by side, takes no longer.

    Args:
        motion: velocities and pulls (k, 3) of those that may pass them.
    """
    velocity, pulls = motion
    places = [body.position for body in bodies]
    extents = _extents(bodies)
    sizes = [float(np.linalg.norm(half)) for _, half in extents.values()]
    span = float(np.linalg.norm(np.ptp(np.array(places), axis=0))) + 2.0 * max(sizes, default=0.0)

    def speeds(own: Array, pulled: Array) -> Array:
        gain = 2.0 * np.linalg.norm(pulls - pulled, axis=1) * span
        return np.sqrt(np.square(velocity - own).sum(axis=1) + gain)

    nothing = np.zeros(3)
    still = speeds(nothing, nothing).max()
    # Twice as far from the mean as anybody is, no two differ by more.
    together = 2.0 * speeds(velocity.mean(axis=0), pulls.mean(axis=0)).max()
    for at, body in enumerate(bodies):
        own = float(np.linalg.norm(body.velocity))
        bound = together if body.is_forced else still + own
        for solid in body.solids:
            block = _block(body, solid, extents[solid.form])
            if _thin(block).min() + half.min() > bound * step:
                continue
            fast = speeds(body.velocity, pull[at] if body.is_forced else nothing)
            rows = np.flatnonzero(_thin(block).min() + half <= step * fast)
            if len(rows):
                yield at, block, rows


def _longest_step(
    block: _Block, position: Array, velocity: Array, pull: Array, way: Array, half: Array
) -> Array:
    """The steps (n,), s, with which bodies on their ways (n, 3) do not pass; inf if they miss."""
    length = np.linalg.norm(way, axis=1)
    direction = way / np.maximum(length, _MIN_DISTANCE)[:, None]
    local = direction @ block.axes
    local = np.where(np.abs(local) < _MIN_DISTANCE, _MIN_DISTANCE, local)
    away = (block.middle - position) @ block.axes
    comes, leaves = _within(away, local, block.half + half[:, None])
    first, last = comes.max(axis=1), leaves.min(axis=1)
    gain = 2.0 * np.einsum("ni,ni->n", pull, direction) * np.maximum(first, 0.0)
    speed = np.sqrt(np.maximum((velocity * velocity).sum(axis=1) + gain, 0.0))
    through = (_thin(block) + half[:, None]) / np.abs(local)
    meets = (length > 0.0) & (last >= np.maximum(first, 0.0))
    return np.where(meets, through.min(axis=1) / np.maximum(speed, _MIN_DISTANCE), math.inf)


def _thin(block: _Block) -> Array:
    """Half of the thickness (3,) along each axis of a block, m."""
    flat = block.half < 1e-3 * block.half.max(initial=0.0)
    return np.where(flat | (not flat.any()), 0.0, block.half) if block.is_hollow else block.half


def _extents(bodies: Sequence[Body]) -> Extents:
    return {form: _extent(form) for form in {s.form for body in bodies for s in body.solids}}


def _extent(form: Form) -> tuple[Array, Array]:
    """The middle (3,) and half of the sides (3,) of the box around a form, in its own axes."""
    points = surface_points(form)
    if not len(points):
        return np.zeros(3), np.zeros(3)
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2.0, (high - low) / 2.0


def _block(body: Body, solid: Solid, extent: tuple[Array, Array]) -> _Block:
    middle, half = extent
    axes = body.rotation @ solid.rotation
    place = body.rotation @ solid.place + body.place + axes @ middle
    is_hollow = isinstance(solid.form, Mesh) and not solid.form.is_convex
    return _Block(place, axes, half, is_hollow)
