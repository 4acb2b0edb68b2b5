"""Which bodies land on an edge or a corner, where Bullet's friction falls short.

What lands there begins to turn and to slip in the same moment. Bullet brakes a contact along one
direction only: along that in which it slipped before, or along an axis of the world where it did
not (`btSequentialImpulseConstraintSolver`, without SOLVER_USE_2_FRICTION_DIRECTIONS, which Blender
does not set). The blow across that direction goes unbraked. A cube of 1 m with a friction of 0.5
that falls by 1 m on a corner comes to rest 0.4 to 0.5 m away from where the equations of a rigid
body have it, with which other engines agree; without friction Bullet does, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from ...geometry.arrays import Array
from ...model.shapes import Box, Cylinder, Sphere
from ..joints.joint_rows import locked_axes
from ..near_pairs import pairs_across
from ..state import WORLD
from ..world import HUGE, Body, Mesh, World
from .bullet_shapes import as_box, points_of, rounded
from .convergence import Hanging
from .filled_meshes import filled

_CORNERS: Final = np.array(np.meshgrid((0, 1), (0, 1), (0, 1))).reshape(3, -1).T
_FLAT: Final = 5e-3  # Share of the size of a body by which it may be tilted and land flat.
_NEAR: Final = 0.02  # m, between boxes around bodies of which one rests on the other.
_TURNS: Final = 72  # Angles at which it is looked how high a body stands.
_TURNED: Final = 0.1  # rad, by which a body is turned while it falls by its size, and lands tilted.
_BALANCED: Final = 0.01  # Share of what would turn a lever by which its two sides may differ.
_STOPPED: Final = 0.02  # rad, from the end of its limit.
_SLOW: Final = 0.5  # m/s, along the ground, from which on a body slides some way.
_UPRIGHT: Final = 0.999  # Cosine of the angle by which an upright cylinder may lean.


def on_edges(bodies: Sequence[Body], chosen: Iterable[int], pull: Array) -> list[int]:
    """Those of the chosen bodies that tip over when they land, or when their spin turns them.

    They land as they stand at the start, or turned by their spin. What rests on something needs a
    spin that may lift its center of mass over an edge.

    Args:
        chosen: that move freely.
        pull: (n, 3), what accelerates each body at the start, m/s².
    """
    strength: Array = np.linalg.norm(pull, axis=1)
    sharp = [i for i in chosen if strength[i] and _brakes(bodies[i]) and not _is_ball(bodies[i])]
    turning = [i for i in sharp if _across(bodies[i].spin, pull[i]) > 0.0]
    resting = _resting(bodies, turning, pull) if turning else set[int]()
    turned = {i for i in turning if _is_turned(bodies[i], pull[i], is_resting=i in resting)}
    return [i for i in sharp if i in turned or (i not in turning and _tips(bodies[i], pull[i]))]


def lopsided(bodies: Sequence[Body], chosen: Iterable[int], pull: Array) -> list[int]:
    """Those of the chosen bodies that are balls and do not balance as they stand at the start.

    They have no edge, and begin to roll and to slip where they land.

    Args:
        chosen: that move freely.
        pull: (n, 3), what accelerates each body at the start, m/s².
    """
    return [i for i in chosen if _is_ball(b := bodies[i]) and _brakes(b) and _tips(b, pull[i])]


def _across(vector: Array, pull: Array) -> float:
    """How much of a vector (3,) is across what pulls a body; 0 where nothing does."""
    strength = float(np.linalg.norm(pull))
    return float(np.linalg.norm(np.cross(vector, pull / strength))) if strength else 0.0


def _resting(bodies: Sequence[Body], chosen: Sequence[int], pull: Array) -> set[int]:
    """Those of the chosen bodies that have something right below them at the start."""
    solid = [i for i, body in enumerate(bodies) if body.solids]
    low, high = _bounds([bodies[i] for i in solid])
    row = {i: at for at, i in enumerate(solid)}
    rows = [row[i] for i in chosen]
    found = set[int]()
    for a, b in zip(*pairs_across((low[rows], high[rows]), (low, high)), strict=True):
        one, other = rows[int(a)], int(b)
        place = (np.maximum(low[one], low[other]) + np.minimum(high[one], high[other])) / 2.0
        if one != other and _is_on(bodies[solid[one]], place, pull[solid[one]]):
            found.add(solid[one])
    return found


def _bounds(bodies: Iterable[Body]) -> tuple[Array, Array]:
    """The ends (n, 3) of boxes around bodies with solids, wider by what counts as near."""
    points = [points_of(body) for body in bodies]
    low = np.array([each.min(axis=0) for each in points]) - _NEAR / 2.0
    high = np.array([each.max(axis=0) for each in points]) + _NEAR / 2.0
    return low, high


def _is_turned(body: Body, pull: Array, *, is_resting: bool) -> bool:
    """Whether its spin across the pull makes a body land on an edge, or tips it over one."""
    strength = float(np.linalg.norm(pull))
    down = body.rotation.T @ pull / strength
    spin = body.rotation.T @ body.spin
    across = spin - down * (spin @ down)
    speed = float(np.linalg.norm(across))
    points, radii = rounded(body.solids)
    angles = np.linspace(0.0, 2.0 * np.pi, _TURNS, endpoint=False)[:, None]
    # Where down is for the body after each of these angles.
    ways = np.cos(angles) * down - np.sin(angles) * np.cross(across / speed, down)
    heights = ((points - body.center) @ ways.T + radii[:, None]).max(axis=0)
    size = float(heights.max())
    if np.ptp(heights) <= 2.0 * _FLAT * size:  # It is round, and rolls.
        return False
    if not is_resting:
        return speed * math.sqrt(2.0 * size / strength) > _TURNED
    rises = np.diff(heights) > 0.0
    top = heights[len(rises) if rises.all() else int(rises.argmin())]
    about = np.minimum(body.moments, HUGE) * (body.principal_axes.T @ across) ** 2
    return bool(about.sum() >= body.mass * strength * (top - heights[0]))


def _is_ball(body: Body) -> bool:
    return len(body.solids) == 1 and isinstance(body.solids[0].form, Sphere)


def on_triangles(bodies: Sequence[Body], chosen: Iterable[int], pull: Array) -> list[int]:
    """Those of the chosen bodies that come down flat on a mesh of triangles that stands still.

    Bullet finds one place where each triangle is touched, and a blow there turns what lies flat.

    Args:
        chosen: that move freely.
        pull: (n, 3), what accelerates each body at the start, m/s².
    """
    ground = [
        solid.form.corners @ (body.rotation @ solid.rotation).T
        + (body.rotation @ solid.place + body.place)
        for body in filled(bodies)
        if body.type == "static"
        for solid in body.solids
        if isinstance(solid.form, Mesh) and not solid.form.is_convex and len(solid.form.corners)
    ]
    if not ground:
        return []
    ends = np.array([(points.min(axis=0), points.max(axis=0)) for points in ground])
    corners = ends[:, _CORNERS, range(3)]
    return [i for i in chosen if _lies(bodies[i], pull[i]) and _below(bodies[i], pull[i], corners)]


def on_flat_ends(bodies: Sequence[Body], chosen: Iterable[int], pull: Array) -> list[int]:
    """Those of the chosen bodies that begin to slide on a flat side of a cylinder or a hull.

    Bullet finds one place at a time where these touch, and a body rests on the last four. Where
    one of them no longer carries, what it braked before in the same step stays (the solver skips
    its row in `solveSingleIteration`), so that friction is up to a tenth more. Boxes on boxes touch
    with all corners.

    Args:
        chosen: that move freely.
        pull: (n, 3), what accelerates each body at the start, m/s².
    """
    found = [
        i
        for i in chosen
        if _across(bodies[i].velocity, pull[i]) > _SLOW
        and _brakes(bodies[i])
        and _lies(bodies[i], pull[i])
        and _stands_on_rounds(bodies[i], pull[i])
    ]
    resting = _resting(bodies, found, pull) if found else set[int]()
    return [i for i in found if i in resting]


def _stands_on_rounds(body: Body, pull: Array) -> bool:
    """Whether the lowest side of a body is an end of a cylinder, or of a hull that is no box."""
    depths: list[float] = []
    down, _, _, size = _lowest(body, pull)
    for solid in body.solids:
        points, radii = rounded((solid,))
        depths.append(float((points @ down + radii).max()))
    return any(
        depth > max(depths) - _FLAT * size
        and not isinstance(as_box(solid).form, Box)
        and (not isinstance(solid.form, Cylinder) or abs(solid.rotation[:, 1] @ down) > _UPRIGHT)
        for solid, depth in zip(body.solids, depths, strict=True)
    )


def on_levers(
    world: World, chosen: Sequence[int], hung: Sequence[Hanging], pull: Array
) -> list[int]:
    """Those of the chosen bodies that rest on a part that swings, as on a see-saw, or near it.

    They slide on it and are thrown off where it hits something. A part swings if it hangs on what
    stands, if nothing else touches it, and if a drive or the weights on it turn it.

    Args:
        chosen: that move freely.
        hung: what `convergence.hanging` gives.
        pull: (n, 3), what accelerates each body at the start, m/s².
    """
    swinging = [each for each in hung if each.above == WORLD and world.bodies[each.body].solids]
    swinging = [each for each in swinging if not all(_locked(world, each)[3:])]
    if not (swinging and chosen):
        return []
    solid = [i for i, body in enumerate(world.bodies) if body.solids]
    low, high = _bounds(world.bodies[i] for i in solid)
    row = {i: at for at, i in enumerate(solid)}
    free, found = set(chosen), dict[int, None]()
    movable = [row[i] for i in {*chosen, *(each.body for each in swinging)}]
    beside: dict[int, dict[int, Array]] = {}
    for a, b in zip(*pairs_across((low[movable], high[movable]), (low, high)), strict=True):
        one, other = movable[int(a)], int(b)
        place = (np.maximum(low[one], low[other]) + np.minimum(high[one], high[other])) / 2.0
        beside.setdefault(solid[one], {})[solid[other]] = place
    for each in swinging:
        touched = beside[each.body]
        loads = {
            i: None
            for i, at in touched.items()
            if i in free and _is_on(world.bodies[i], at, pull[i])
        }
        if len(loads) == len(touched.keys() - {each.body, *world.joints[each.joint].bodies}):
            for load in [*loads]:
                loads |= dict.fromkeys(i for i in beside[load] if i in free)
            if _turns(world, each, [each.body, *loads], pull):
                found |= loads
    return sorted(found)


def _is_on(body: Body, place: Array, pull: Array) -> bool:
    """Whether a body is above a place (3,) where it touches another one."""
    return bool((body.position - place) @ pull < 0.0)


def _locked(world: World, hung: Hanging) -> tuple[bool, ...]:
    return locked_axes(world.joints[hung.joint].limits)


def _turns(world: World, hung: Hanging, loads: Sequence[int], pull: Array) -> bool:
    """Whether drives turn what hangs on a pin, or the weights of bodies, and no limit holds it."""
    joint = world.joints[hung.joint]
    if any(drive.type == "angular" for drive in joint.drives):
        return True
    first, second = (
        frame.axes if frame.body == WORLD else world.bodies[frame.body].rotation @ frame.axes
        for frame in joint.ends
    )
    masses = np.array([world.bodies[i].mass for i in loads])
    arms = np.array([world.bodies[i].position for i in loads]) - hung.pivot
    torques = np.cross(arms, masses[:, None] * pull[loads])
    turn = torques.sum(axis=0) @ first
    is_free = np.abs(turn) > _BALANCED * np.linalg.norm(torques, axis=1).sum()
    is_free &= ~np.array(_locked(world, hung)[3:])
    if np.allclose(first, second, atol=_STOPPED):  # Else it begins at another angle.
        turn = turn if joint.second.body == hung.body else -turn
        for limit in filter(lambda limit: limit.is_hard, joint.limits):
            low, high = (math.inf if side is None else side for side in (limit.min, limit.max))
            for axis in limit.angular_axes:
                is_free[axis] &= (high if turn[axis] > 0.0 else abs(low)) > _STOPPED
    return bool(is_free.any())


def _lies(body: Body, pull: Array) -> bool:
    """Whether at least three corners of a body would touch level ground at once."""
    if not np.linalg.norm(pull) or body.spin.any() or _tips(body, pull):
        return False
    _, under, radii, size = _lowest(body, pull)
    under = under[radii == 0.0]
    return len(under) > 2 and np.linalg.matrix_rank(under - under[0], tol=_FLAT * size) > 1


def _lowest(body: Body, pull: Array) -> tuple[Array, Array, Array, float]:
    """What of a body touches level ground first.

    Returns:
        The direction (3,) of what pulls it, middles (k, 3) and radii (k,) of balls, seen from the
        centre of mass along the axes of the body, and how high the body stands, m.
    """
    down = body.rotation.T @ pull / float(np.linalg.norm(pull))
    points, radii = rounded(body.solids)
    points = points - body.center
    depth = points @ down + radii
    size = float(depth.max() - (points @ down).min())
    is_low = depth > depth.max() - _FLAT * size
    return down, points[is_low], radii[is_low], size


def _below(body: Body, pull: Array, corners: Array) -> bool:
    """Whether any of some boxes with corners (m, 8, 3) is below a body."""
    down = pull / np.linalg.norm(pull)
    frame = np.linalg.svd(down[None])[2]  # The first axis is along it.
    frame[0] = down
    own = points_of(body) @ frame.T
    others = corners @ frame.T
    meets = (others.max(axis=1) > own.min(axis=0)) & (others.min(axis=1) < own.max(axis=0))
    return bool((meets[:, 1:].all(axis=1) & (others.max(axis=1)[:, 0] > own[:, 0].min())).any())


def _brakes(body: Body) -> bool:
    """Whether a body has any friction."""
    return any(one.material is None or one.material.dynamic_friction > 0.0 for one in body.solids)


def _tips(body: Body, pull: Array) -> bool:
    """Whether the centre of mass is beside all that touches level ground first."""
    if not np.linalg.norm(pull):
        return False
    down, points, _, size = _lowest(body, pull)
    beside = points - np.outer(points @ down, down)
    away = np.linalg.norm(beside, axis=1)
    if away.min() <= _FLAT * size:
        return False
    first: Array = beside[0] / away[0]
    second: Array = np.cross(down, first)
    angles: Array = np.sort(np.arctan2(beside @ second, beside @ first))
    around = np.concatenate([angles, angles[:1] + 2.0 * np.pi])
    return bool((np.diff(around) > np.pi + _FLAT).any())
