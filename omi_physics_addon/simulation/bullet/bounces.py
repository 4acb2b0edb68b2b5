"""Bounces off what forces do not move, which Bullet gets wrong in steps as long as Blender's.

Bullet sees contacts ahead of the touch and slows a body down to reach it just then, which takes
from its bounce; where it sees them late it pushes the body out, which adds to it. So here the
engine stops bodies without any bounce, which it does well, and a force gives them in the next
frame what the restitution says: the speed, along the normal, with which they rise as high as
energy allows. The frames after it put right what contacts took from that.

With semi-implicit steps h and an acceleration a, (v + a·h/2)²/2 - a·x stays the same in flight;
that is the energy that is meant here. Source: the sums of v' = v + a·h, x' = x + v'·h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from ...geometry.rotations import rotation_vectors
from ...model.bodies import PhysicsMaterial
from ...model.shapes import Capsule, Sphere
from ..joints.oscillator import drift
from ..pushes import Push
from ..state import WORLD, Masses, State, Wrench
from ..vehicles.vehicle_frames import Cast
from ..world import Body, Solid
from .bullet_shapes import surface_points
from .materials import combined

_MAX_FRAMES: Final = 6  # Frames in which a bounce is put right.
# m, how far a body in flight may be from where it was expected.
_POSITION_TOLERANCE_M: Final = 1e-4
# Bodies that hit with less than their weight does in such steps come to rest.
_REST_STEPS: Final = 2.0
_GROUND_DISTANCE_M: Final = 0.03  # m, how far from the ground a body may be that has hit it.
# Of its size: parts of a body so near to the ground touch it, too.
_GROUND_DISTANCE_SHARE: Final = 0.02
_SPEED_TOLERANCE: Final = 1e-3  # m/s.


def lively(bodies: Sequence[Body], forced: Flags) -> Flags:
    """Which bodies (n,) that forces move bounce off some that these do not move."""
    ground = {material_of(body) for body, moves in zip(bodies, forced, strict=True) if not moves}
    known: dict[PhysicsMaterial, bool] = {}

    def bounces(body: Body) -> bool:
        mine = material_of(body)
        if mine not in known:
            known[mine] = any(restitution(mine, other) > 0.0 for other in ground)
        return bool(body.solids) and known[mine]

    return np.array([moves and bounces(b) for b, moves in zip(bodies, forced, strict=True)], bool)


def material_of(body: Body) -> PhysicsMaterial:
    """The material of a body, that of its first solid."""
    found = body.solids[0].material if body.solids else None
    return found or PhysicsMaterial()


def restitution(first: PhysicsMaterial, second: PhysicsMaterial) -> float:
    """The restitution that two materials make together."""
    modes = (first.restitution_combine, second.restitution_combine)
    return combined(first.restitution, second.restitution, modes)


@dataclass(eq=False)
class _Bounce:
    """One that is on its way.

    Attributes:
        normal: (3,), of the ground.
        place: (3,), of the centre of mass where it touched; moves with the ground.
        ground: (3,), the velocity of the ground, m/s.
        speed: with which it leaves along the normal, m/s, for steps without end.
        most: twice the energy of all its motion by its mass where it touched, (m/s)².
        left: frames to put it right.
    """

    normal: Array
    place: Array
    ground: Array
    speed: float
    most: float
    left: int = _MAX_FRAMES


class Bounces:
    """Throws bodies back from what they hit."""

    def __init__(self, bodies: Sequence[Body], forced: Flags, cast: Cast, *, substeps: int) -> None:
        """Take the bodies of a world.

        Args:
            forced: (n,), which of them forces move.
            cast: sends rays to what they do not move.
            substeps: how many the engine takes while forces stay the same.
        """
        self.which: Indices = np.flatnonzero(lively(bodies, forced))
        self._bodies, self._cast = bodies, cast
        self._substeps, self._drift = substeps, drift(substeps)
        self._under: dict[int, tuple[Array, Array]] = {}
        self._going: dict[int, _Bounce] = {}
        self._before: State | None = None
        nothing = np.zeros((len(self.which), 3))
        # At the start of the last frame, and what it was expected to bring.
        self._place, self._velocity, self._pull = nothing, nothing, nothing
        self._weight = np.zeros(len(self.which))  # By mass; without what throws it back.
        self._doubtful = np.zeros(len(self.which), dtype=np.bool_)

    def pushes(
        self, state: State, masses: Masses, dt: float, wrench: Wrench, falling: Array
    ) -> list[Push]:
        """What throws back bodies that hit something in the last frame.

        Args:
            wrench: what else pushes bodies in the next frame.
            falling: (n, 3), accelerations that the engine itself adds, such as gravity.
        """
        at = self.which
        place = state.position[at]
        pull = falling[at] + wrench.force[at] * masses.inverse_mass[at, None]
        if self._before is None:
            velocity = state.velocity[at]
        else:
            velocity = self._follow(self._before, state, masses, place, dt)
        self._weight = np.linalg.norm(pull, axis=1)
        found: list[Push] = []
        for row in list(self._going):
            push = self._lift(row, state, masses, velocity[row], pull[row], dt)
            if push is not None:
                found.append(push)
                pull[row] += push.axis * (push.size * masses.inverse_mass[push.body])
        self._place, self._velocity, self._pull = place.copy(), velocity, pull
        self._before = state
        return found

    def _follow(
        self, before: State, state: State, masses: Masses, place: Array, dt: float
    ) -> Array:
        """The velocities (k, 3) now; who has hit something begins to bounce."""
        mean = (place - self._place) / dt
        expected = self._place + self._velocity * dt + self._pull * (self._drift * dt * dt)
        off = place - expected
        size = np.linalg.norm(off, axis=1)
        velocity = mean + self._pull * ((1.0 - self._drift) * dt)
        weight = self._weight
        # What is held only, as by the ground below it, is off by what its weight would do.
        held = size < 1.3 * self._drift * dt * dt * weight + _POSITION_TOLERANCE_M
        doubtful = (size > _POSITION_TOLERANCE_M) & held & ~self._doubtful
        velocity[doubtful] = (self._velocity + self._pull * dt)[doubtful]
        self._doubtful = doubtful
        fast = np.maximum(np.linalg.norm(self._velocity, axis=1), size / dt)
        hits = np.flatnonzero(~held & (fast > _REST_STEPS * weight * dt))
        if len(hits):
            turned = State(state.position, before.rotation, state.velocity, before.spin)
            self._hit(hits, turned, masses, off, dt)
        return velocity

    def _hit(self, rows: Indices, state: State, masses: Masses, off: Array, dt: float) -> None:
        """Find out what bodies (h,) have hit that are off by (k, 3), and bounce.

        Args:
            state: with rotations and spins as they were before.
        """
        bodies = self.which[rows]
        ways = -off[rows] / np.linalg.norm(off[rows], axis=1, keepdims=True)
        origins = state.position[bodies]
        lengths = np.array([self._size(i) for i in bodies.tolist()]) + _GROUND_DISTANCE_M
        found = self._cast(origins, ways, lengths, bodies)
        met = np.flatnonzero(np.isfinite(found.distance) & (found.body != WORLD))
        for i in met.tolist():
            point = origins[i] + ways[i] * found.distance[i]
            self._begin(
                int(rows[i]), state, masses, (point, found.normal[i]), int(found.body[i]), dt
            )

    def _begin(
        self,
        row: int,
        state: State,
        masses: Masses,
        ground: tuple[Array, Array],
        other: int,
        dt: float,
    ) -> None:
        """Let a body bounce off the ground at a point with a normal, both (3,)."""
        body, (point, normal) = int(self.which[row]), ground
        arm = self._arm(body, state, normal)
        place = state.position[body]
        deep = float(np.linalg.norm(self._velocity[row])) * dt / self._substeps
        gap = float((place + arm - point) @ normal)
        if abs(gap) > _GROUND_DISTANCE_M + deep:
            return
        sunk = max(-gap, 0.0)
        moving = state.point_velocities(np.array([other]), (place + arm)[None])[0]
        before = self._velocity[row] - moving
        if not self._came(row, place, moving, normal, dt):
            return
        pull = float(self._pull[row] @ normal)
        way = float((place - self._place[row] - moving * dt) @ normal)
        start = float(before @ normal) + pull * dt / self._substeps / 2.0
        squared = start * start + 2.0 * pull * (way + sunk)
        speed = -float(before @ normal)
        if speed < _REST_STEPS * self._weight[row] * dt or squared <= 0.0:
            return
        lever = np.cross(arm, normal) @ state.rotation[body]
        inverse = masses.inverse_inertia_local[body]
        turning = float(masses.mass[body] * (lever @ inverse @ lever))
        touch = speed - float(state.spin[body] @ np.cross(arm, normal))
        share = max(touch / speed, 0.0) / (1.0 + turning)
        bounce = restitution(material_of(self._bodies[body]), material_of(self._bodies[other]))
        out = bounce * min(share, 1.0) * float(np.sqrt(squared))
        aside = before - normal * (before @ normal)
        most = squared + float(aside @ aside) + _turning(state, masses, body, state.spin[body])
        self._going[row] = _Bounce(normal, place + sunk * normal, moving, out, most)

    def _came(self, row: int, place: Array, moving: Array, normal: Array, dt: float) -> bool:
        """Whether it came to the ground, and the ground threw it off its way."""
        expected = self._place[row] + self._velocity[row] * dt
        is_off = float((place - expected) @ normal) > 0.0
        return is_off and float((self._velocity[row] - moving) @ normal) < 0.0

    def _lift(
        self, row: int, state: State, masses: Masses, velocity: Array, pull: Array, dt: float
    ) -> Push | None:
        """What brings a body on its way up that does not turn by its bounce."""
        bounce = self._going[row]
        body = int(self.which[row])
        place, normal = state.position[body], bounce.normal
        before = state if self._before is None else self._before
        turn = state.rotation[body] @ before.rotation[body].T
        spinning = _turning(state, masses, body, rotation_vectors(turn[None])[0] / dt)
        if bounce.left == _MAX_FRAMES:  # It lies on the ground.
            velocity += normal * ((bounce.ground - velocity) @ normal)
        else:
            bounce.place = bounce.place + bounce.ground * dt
        moving = velocity - bounce.ground
        along = float(moving @ normal)
        weight = float(pull @ normal)
        height = float((place - bounce.place) @ normal)
        # What has gone into its spin does not lift it.
        rest = bounce.most - float(moving @ moving) + along * along - spinning
        wanted = min(bounce.speed * bounce.speed, max(rest, 0.0))
        # With the speed z that is added: z²/2 + q·z + r = 0.
        speed = along + weight * dt + weight * dt / self._substeps / 2.0
        q = speed - weight * self._drift * dt
        risen = height + along * dt + weight * self._drift * dt * dt
        r = (speed * speed - wanted) / 2.0 - weight * risen
        added = -q + float(np.sqrt(max(q * q - 2.0 * r, 0.0)))
        bounce.left -= 1
        if bounce.left <= 0 or (abs(added) < _SPEED_TOLERANCE and bounce.left < _MAX_FRAMES - 1):
            del self._going[row]
            return None
        return Push(body, WORLD, normal, place, added / dt * float(masses.mass[body]))

    def _size(self, body: int) -> float:
        points, radii = self._points(body)
        center = self._bodies[body].center
        sizes: Array = np.sqrt(((points - center) ** 2).sum(axis=1)) + radii
        return float(sizes.max())

    def _arm(self, body: int, state: State, normal: Array) -> Array:
        """From the centre of mass to the middle of what is lowest, (3,)."""
        points, radii = self._points(body)
        arms = (points - self._bodies[body].center) @ state.rotation[body].T
        arms = arms - radii[:, None] * normal
        heights = arms @ normal
        low = heights - heights.min() <= _GROUND_DISTANCE_SHARE * self._size(body)
        result: Array = arms[low].mean(axis=0)
        return result

    def _points(self, body: int) -> tuple[Array, Array]:
        """The middles (p, 3), in the body, and radii (p,) of balls whose hull it is."""
        found = self._under.get(body)
        if found is None:
            parts = [_balls(solid) for solid in self._bodies[body].solids]
            points = np.concatenate([points for points, _ in parts])
            found = self._under[body] = points, np.concatenate([radii for _, radii in parts])
        return found


def _turning(state: State, masses: Masses, body: int, spin: Array) -> float:
    """Twice the energy of a spin (3,) by the mass of the body, (m/s)²."""
    local = spin @ state.rotation[body]
    return float(local @ masses.inertia_local[body] @ local / masses.mass[body])


def _balls(solid: Solid) -> tuple[Array, Array]:
    form = solid.form
    if isinstance(form, Sphere):
        points, radii = np.zeros((1, 3)), np.array([form.radius])
    elif isinstance(form, Capsule):
        high = form.height / 2.0
        points = np.array([[0.0, -high, 0.0], [0.0, high, 0.0]])
        radii = np.array([form.radius_bottom, form.radius_top])
    else:
        points = surface_points(form)
        radii = np.zeros(len(points))
    return points @ solid.rotation.T + solid.place, radii
