"""How far Bullet's solver gets with joints and spins, and what would bring it on.

Bullet goes through all joints again and again and begins at nothing in every step. What it leaves
undone in a step is put right by a share of it in the next ones. Two things make it slow:

- A lever. A joint at a distance r from the centre of mass of a body with a radius of gyration k
  couples its rows; the largest of their eigenvalues is 1 + r²/k² times the smallest one.
- A load. Where N bodies of mass m hang on each other and carry M, that is about 2·N·M/m times.

A lever takes an iteration for each time. What is left of a load stretches a joint that carries M
by 4.35·g·h²·(M/m)/n with n iterations and steps of h seconds; found with chains of 12 bodies that
carry 10 to 1 000 times their mass, with 30 to 1 000 iterations and 4 or 10 steps a frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array
from ...geometry.gyroscopic_ways import PivotMotion, Turning
from ...geometry.rotations import crossed, rotations_of_vectors, skew
from ...model.joints import JointLimit
from ...model.tolerance import NEAR, SECONDS, SHARE
from ..joints.joint_rows import locked_axes
from ..state import WORLD
from ..world import Body, Frame, World
from .bullet_shapes import reach

_STRETCH: Final = 4.35
_HELD: Final = 0.002  # Share of its length by which a chain may give way.
_LOSS: Final = 54.0  # Of energy in ten seconds, for swings as fast as the angle of a step.
_ROPE_LOSS: Final = 45.0  # The same on a rope, for the angle of a step of forces.
_TIME: Final = 10.0  # s, over which losses count.
_PARTS: Final = 400  # Of that time, in which spins are followed.
_LEAST_STEP: Final = 1.0 / 960.0  # s; of smaller steps the error is in proportion to them.
_PULL: Final = 0.2  # Of the gap at a pin, that Bullet closes in a step.
_UNEVEN: Final = 0.01  # Relative difference of moments from which on there is a torque.


@dataclass(frozen=True, eq=False)
class Hanging:
    """What hangs on something that stands, by joints.

    Attributes:
        body: index.
        joint: that it hangs on.
        above: index of the body above; `WORLD` for what stands.
        pivot: (3,), where the joint is, in the world.
        carried: kg, of the body and of all below it.
        lightness: kg, of the lighter one of what the joint holds together.
    """

    body: int
    joint: int
    above: int
    pivot: Array
    carried: float
    lightness: float


def hanging(world: World) -> list[Hanging]:
    """What hangs by pins on what forces do not move; those above come first."""
    ends: dict[int, list[tuple[int, int]]] = {}
    for at, joint in enumerate(world.joints):
        if sum(locked_axes(joint.limits)[:3]) < 2:
            continue
        first, second = (_owner(world, frame) for frame in joint.ends)
        ends.setdefault(first, []).append((at, second))
        ends.setdefault(second, []).append((at, first))
    order: list[tuple[int, int, int]] = []
    known = {WORLD}
    waiting = [WORLD]
    for above in waiting:
        for at, body in ends.get(above, []):
            if body not in known:
                known.add(body)
                waiting.append(body)
                order.append((body, at, above))
    carried = {body: world.bodies[body].mass for body, _, _ in order}
    for body, _, above in reversed(order):
        if above != WORLD:
            carried[above] += carried[body]
    return [
        Hanging(
            body,
            at,
            above,
            world.placed(world.joints[at].first)[0],
            carried[body],
            2.0 / sum(1.0 / world.bodies[i].mass for i in (body, above) if i != WORLD),
        )
        for body, at, above in order
        if np.isfinite(carried[body])
    ]


def turning_sliders(world: World, hung: Sequence[Hanging]) -> list[int]:
    """Joints that slide along a part that turns.

    The general one of Bullet's joints takes levers there that end at different places for the two
    bodies, and gains energy at any substeps; those that can do nothing but slide do not.
    """
    turning: dict[int, int] = {WORLD: 0}
    found: list[int] = []
    for each in hung:
        locked = locked_axes(world.joints[each.joint].limits)
        above = turning.get(each.above, 3)
        if above > 0 and not all(locked[:3]):
            found.append(each.joint)
        turning[each.body] = above + 3 - sum(locked[3:])
    return found


def needed_iterations(world: World, gravity: float, step: float) -> float:
    """How often the solver should go through joints, so that levers and loads are held."""
    levers = [
        _lever(world.bodies[frame.body], frame.place)
        for joint in world.joints
        for frame in joint.ends
        if _owner(world, frame) != WORLD
    ]
    loads = stretch(world, hanging(world), gravity, step, 1.0)
    return max(max(levers, default=0.0), max(loads.values(), default=0.0) / _HELD)


def stretch(
    world: World, hung: Sequence[Hanging], gravity: float, step: float, iterations: float
) -> dict[int, float]:
    """By what share of the way down to each body its joints give way together.

    Of what hangs in its middle, such as a wheel on its axle, the way is as long as it reaches.

    Args:
        gravity: m/s².
        step: s, of the engine.
    """
    ways: dict[int, tuple[float, float, Array]] = {}
    found: dict[int, float] = {}
    for each in hung:
        off, length, start = ways.get(each.above, (0.0, 0.0, each.pivot))
        load = each.carried / each.lightness
        off += _STRETCH * gravity * step * step * load / max(iterations, 1.0)
        length += float(np.linalg.norm(each.pivot - start))
        ways[each.body] = off, length, each.pivot
        body = world.bodies[each.body]
        way = length + float(np.linalg.norm(body.position - each.pivot))
        if off > _HELD * way:
            way = max(way, reach(body))
        found[each.body] = off / max(way, 1e-9)
    return found


def swinging_losses(
    world: World, hung: Sequence[Hanging], gravity: Array, step: float
) -> dict[int, float]:
    """Which share of their energy pendulums lose in ten seconds.

    It is 54·ω⁴·h³ with the largest spin ω, rad/s, that they can get: where all of what hangs
    together gives its height to the last one. Found with pendulums of 0.5 and 2 m and with double
    ones, from 1 to 2.8 rad and with 2 to 8 steps a frame.
    """
    strength = float(np.linalg.norm(gravity))
    down = gravity / max(strength, 1e-12)
    top: dict[int, int] = {}
    energy: dict[int, float] = {}
    heights: dict[int, float] = {}
    for each in hung:
        body = world.bodies[each.body]
        first = top[each.body] = top.get(each.above, each.body)
        arm = body.position - each.pivot
        joint_drop = heights.get(each.above, 0.0)
        drop = joint_drop + float(np.linalg.norm(arm) - arm @ down)
        heights[each.body] = drop
        moving = 0.5 * body.mass * float(body.velocity @ body.velocity)
        energy[first] = energy.get(first, 0.0) + body.mass * strength * drop + moving
    found: dict[int, float] = {}
    for each in hung:
        body = world.bodies[each.body]
        arm = body.position - each.pivot
        inertia = body.mass * float(arm @ arm) + _least_moment(body)
        squared = 2.0 * energy[top[each.body]] / max(inertia, 1e-12)
        found[each.body] = _LOSS * squared * squared * step**3
    return found


def rope_losses(world: World, gravity: Array, step: float) -> dict[int, float]:
    """Which share of their energy what swings on hard ropes loses in ten seconds, by joint.

    A rope is a force, and gives way by its load as steps have it, with a damper. That takes
    45·ω⁴·h³, with the largest spin ω, rad/s, of what hangs on what stands. Found with ropes of 0.25
    to 2 m that swing by 1 rad, with 10 substeps; with fewer it is less.

    Args:
        gravity: (3,), m/s².
        step: s, of the forces.
    """
    found: dict[int, float] = {}
    for at, joint in enumerate(world.joints):
        lengths = [length for limit in joint.limits if (length := _rope(limit)) is not None]
        held, free = joint.ends
        if _owner(world, free) == WORLD:
            held, free = free, held
        if not lengths or _owner(world, held) != WORLD or _owner(world, free) == WORLD:
            continue
        body = world.bodies[free.body]
        arm = body.position - world.placed(held)[0]
        reach = min(lengths) + float(np.linalg.norm(body.position - world.placed(free)[0]))
        pull = gravity * body.gravity_factor
        height = float(np.linalg.norm(pull)) * reach - float(pull @ arm)
        squared = (2.0 * height + float(body.velocity @ body.velocity)) / reach**2
        found[at] = _ROPE_LOSS * squared * squared * step**3
    return found


def _rope(limit: JointLimit) -> float | None:
    """The length of a rope that does not stretch, m; None for other limits."""
    if not limit.is_hard or len(limit.linear_axes) < 2 or not limit.max or (limit.min or 0.0) > 0.0:
        return None
    return limit.max


def tumbling_losses(bodies: Sequence[Body], which: Sequence[int], step: float) -> dict[int, float]:
    """Which share of the energy of their spin free bodies lose in ten seconds.

    Bullet takes the gyroscopic torque t at the end of a step; so a step loses h²/2·t·I⁻¹·t, as
    every implicit step of Euler does, where t = ω x I·ω. The mean of it is taken on the way that
    Euler's equations lead.
    """
    if not which:
        return {}
    moments = np.array([bodies[i].moments for i in which])
    spin = np.array(
        [bodies[i].principal_axes.T @ bodies[i].rotation.T @ bodies[i].spin for i in which]
    )
    usable = np.isfinite(moments).all(axis=1) & (moments > 0.0).all(axis=1)
    moments = np.where(usable[:, None], moments, 1.0)
    dt = _TIME / _PARTS
    turns = np.linalg.norm(spin, axis=1)
    dt = np.minimum(dt, 0.2 / np.maximum(turns, 1e-9))[:, None]

    def change(omega: Array) -> Array:
        torque: Array = -np.cross(omega, moments * omega)
        return torque / moments

    energy = (moments * spin * spin).sum(axis=1)
    total = np.zeros(len(spin))
    for _ in range(_PARTS):
        a = change(spin)
        b = change(spin + dt / 2.0 * a)
        c = change(spin + dt / 2.0 * b)
        d = change(spin + dt * c)
        total += (moments * a * a).sum(axis=1)
        spin = spin + dt / 6.0 * (a + 2.0 * b + 2.0 * c + d)
    loss = step * total / _PARTS / np.maximum(energy, 1e-300) * _TIME
    return {i: float(one) for i, one, ok in zip(which, loss, usable, strict=True) if ok}


def spun(world: World, hung: Sequence[Hanging]) -> list[Hanging]:
    """What spins at the start and hangs on one pin, about which it turns freely."""
    ends = [body for joint in world.joints for body in joint.bodies]
    found: list[Hanging] = []
    for each in hung:
        body, joint = world.bodies[each.body], world.joints[each.joint]
        is_free = all(locked_axes(joint.limits)[:3]) and not (
            joint.drives or any(limit.angular_axes for limit in joint.limits)
        )
        moments = body.moments
        is_uneven = np.isfinite(moments).all() and np.ptp(moments) > _UNEVEN * moments.max()
        alone = each.above == WORLD and ends.count(each.body) == 1
        if alone and is_free and is_uneven and moments.min() > 0.0 and body.spin.any():
            found.append(each)
    return found


def sunk(
    world: World, which: Sequence[Hanging], gravity: Array, step: float
) -> dict[int, tuple[float, float]]:
    """How far from where they should be bodies get, and how far they may, m; only those beyond.

    Bullet's steps are done here as it does them, beside the equations of a rigid body: it takes the
    gyroscopic torque at the end of a step (implicit Euler, one step of Newton's method), then the
    weight, then the pin's impulse, and moves by the new speeds. Each takes a little of the spin, or
    of the way in which a top circles. A top of 60 rad/s gets 0.31 m away with 240 steps a second,
    as in the preview, and 0.13 m with 960. Source: `computeGyroscopicImpulseImplicit_Body`,
    btRigidBody.cpp.

    Args:
        which: from `spun`.
        gravity: (3,), m/s².
        step: s, of the engine.
    """
    if not which:
        return {}
    turning = _turning(world, which, gravity)
    h = max(step, _LEAST_STEP)
    exact, played = PivotMotion(turning), _Played(turning)
    before, way = turning.arm, np.zeros(len(which))
    worst, allowed = np.zeros(len(which)), np.full(len(which), NEAR)
    for _ in range(round(SECONDS / h)):
        exact.step(h)
        played.step(h)
        now = np.einsum("nij,nj->ni", exact.axes, turning.arm)
        way += np.linalg.norm(now - before, axis=1)
        before = now
        far = np.linalg.norm(played.place - now, axis=1) * (step / h)
        may = NEAR + SHARE * way
        more = far * allowed > worst * may
        worst, allowed = np.where(more, far, worst), np.where(more, may, allowed)
    over = zip(which, worst.tolist(), allowed.tolist(), strict=True)
    return {each.body: (far, may) for each, far, may in over if far > may}


def _owner(world: World, frame: Frame) -> int:
    """The body of an end of a joint; the world for what forces do not move."""
    at = frame.body
    return at if at != WORLD and world.bodies[at].is_forced else WORLD


def _least_moment(body: Body) -> float:
    finite = body.moments[np.isfinite(body.moments)]
    return float(finite.min(initial=np.inf)) if len(finite) else np.inf


def _lever(body: Body, place: Array) -> float:
    """1 + r²/k² of a joint at a place (3,) of a body."""
    arm = place - body.center
    least = _least_moment(body)
    if not np.isfinite(least) or not np.isfinite(body.mass) or least <= 0.0:
        return 1.0
    return 1.0 + body.mass * float(arm @ arm) / least


def _turning(world: World, which: Sequence[Hanging], gravity: Array) -> Turning:
    """Bodies along the axes of the world, with the speeds that their pins leave them."""
    bodies = [world.bodies[each.body] for each in which]
    mass = np.array([body.mass for body in bodies])
    axes = np.array([body.rotation @ body.principal_axes for body in bodies])
    moments = np.array([body.moments for body in bodies])
    tensor = (axes * moments[:, None, :]) @ axes.transpose(0, 2, 1)
    arm = np.array([b.position - each.pivot for b, each in zip(bodies, which, strict=True)])
    spin = np.array([body.spin for body in bodies])
    velocity = np.array([body.velocity for body in bodies])
    _, spin = _pinned(mass, np.linalg.inv(tensor), -arm, velocity, spin, np.zeros_like(arm))
    factor = np.array([body.gravity_factor for body in bodies])
    return Turning(mass, tensor, arm, spin, factor[:, None] * gravity, np.full(len(mass), np.inf))


def _pinned(
    mass: Array, lightness: Array, lever: Array, velocity: Array, spin: Array, wanted: Array
) -> tuple[Array, Array]:
    """Velocities and spins (n, 3) after impulses at levers (n, 3) that give these a speed."""
    across = skew(lever)
    rows = np.eye(3) / mass[:, None, None] - across @ lightness @ across
    missing = wanted - velocity - crossed(spin, lever)
    impulse = np.linalg.solve(rows, missing[:, :, None])[:, :, 0]
    turn = np.einsum("nij,nj->ni", lightness, crossed(lever, impulse))
    return velocity + impulse / mass[:, None], spin + turn


class _Played:
    """Bodies as Bullet moves them."""

    def __init__(self, turning: Turning) -> None:
        self._body, self._axes = turning, np.tile(np.eye(3), (len(turning.mass), 1, 1))
        self.place, self._spin = turning.arm, turning.spin
        self._velocity = crossed(turning.spin, turning.arm)

    def step(self, h: float) -> None:
        """Go on by h seconds."""
        body, axes = self._body, self._axes
        back = axes.transpose(0, 2, 1)
        own = np.einsum("nij,nj->ni", back, self._spin)
        momentum = np.einsum("nij,nj->ni", body.tensor, own)
        slope = body.tensor + h * (skew(own) @ body.tensor - skew(momentum))
        turn = np.linalg.solve(slope, (h * crossed(own, momentum))[:, :, None])[:, :, 0]
        spin = np.einsum("nij,nj->ni", axes, own - turn)
        lever = np.einsum("nij,nj->ni", axes, -body.arm)
        self._velocity, self._spin = _pinned(
            body.mass,
            axes @ np.linalg.inv(body.tensor) @ back,
            lever,
            self._velocity + h * body.weight,
            spin,
            -_PULL / h * (self.place + lever),
        )
        self.place = self.place + h * self._velocity
        self._axes = rotations_of_vectors(h * self._spin) @ axes
