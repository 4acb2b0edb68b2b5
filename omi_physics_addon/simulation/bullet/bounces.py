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

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Indices
from ...geometry.rotations import rotation_vectors
from ..joints.oscillator import drift
from ..pushes import Push
from ..state import WORLD, Masses, State, Wrench
from ..vehicles.vehicle_frames import Cast
from ..world import Body
from .liveliness import lively, material_of, restitution
from .undersides import Undersides
from .wall_bounces import MAX_FRAMES, WallBounce, turning

# m, how far a body in flight may be from where it was expected.
_POSITION_TOLERANCE_M: Final = 1e-4
# Bodies that hit with less than their weight does in such steps come to rest.
_REST_STEPS: Final = 2.0
_GROUND_DISTANCE_M: Final = 0.03  # m, how far from the ground a body may be that has hit it.
_MOST_WALLS: Final = 3  # That a body may hit at once.
_STOPPED_SHARE: Final = 0.5  # Of the way in a substep; who is off by less was not stopped.
_ASLANT: Final = 2.0  # How far the ground may be along the way that several walls push.
_SAME_WALL: Final = 0.5  # Cosine of the angle between normals of the same ground.


class Bounces:
    """Throws bodies back from what they hit.

    Attributes:
        which: (k,), the bodies that may bounce.
        begun: those that hit something in the last frame.
        carried: those of them that hit something that moves.
        left: with which velocities (3,) those of them leave that have hit other bodies, too.
    """

    def __init__(
        self, bodies: Sequence[Body], cast: Cast, anchors: Iterator[int], *, substeps: int
    ) -> None:
        """Take the bodies of a world.

        Args:
            cast: sends rays to what they do not move.
            anchors: numbers below 0 for what pushes lean on.
            substeps: how many the engine takes while forces stay the same.
        """
        self.which: Indices = np.flatnonzero(lively(bodies))
        self._bodies, self._cast = bodies, cast
        self._substeps, self._drift = substeps, drift(substeps)
        self._undersides = Undersides(bodies)
        self._row_of = {int(body): row for row, body in enumerate(self.which)}
        # By the body's row and the number of the bounce.
        self._going: dict[tuple[int, int], WallBounce] = {}
        self._anchors = anchors
        self._thrown: dict[int, Array] = {}  # By row, where bodies threw it.
        self.begun: set[int] = set()
        self.carried: set[int] = set()
        self.left: dict[int, Array] = {}
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
        self.begun, self.carried, self.left = set(), set(), dict[int, Array]()
        place = state.position[at]
        pull = falling[at] + wrench.force[at] * masses.inverse_mass[at, None]
        if self._before is None:
            velocity = state.velocity[at]
        else:
            velocity = self._follow(self._before, state, masses, place, dt)
        self._weight = np.linalg.norm(pull, axis=1)
        found: list[Push] = []
        self._thrown = {}
        for row, number in list(self._going):
            push = self._lift((row, number), state, masses, velocity[row], pull[row], dt)
            if push is not None:
                found.append(push)
                pull[row] += push.axis * (push.size * masses.inverse_mass[push.body])
        self._place, self._velocity, self._pull = place.copy(), velocity, pull
        self._before = state
        return found

    def forget(self, bodies: Indices, velocities: Array) -> None:
        """Stop to put right the bounces of bodies that have hit others; before `pushes`.

        Args:
            bodies: (h,).
            velocities: (h, 3), with which they leave those, if nothing else is hit.
        """
        for body, velocity in zip(bodies.tolist(), velocities, strict=True):
            if body in self._row_of:
                row = self._row_of[body]
                self._thrown[row] = velocity
                for key in [key for key in self._going if key[0] == row]:
                    del self._going[key]

    def stopped(self, body: int, velocity: Array | None) -> Array:
        """The velocity (3,) of one of `begun` while it lies on the ground.

        Args:
            velocity: (3,), without that; None for what was seen.
        """
        row = self._row_of[body]
        result = (self._velocity[row] if velocity is None else velocity).copy()
        for (mine, _), bounce in self._going.items():
            if mine == row and bounce.left == MAX_FRAMES - 1:
                result += bounce.normal * ((bounce.ground - result) @ bounce.normal)
        return result

    def expect(
        self, pushes: Iterable[Push], masses: Masses, dt: float, bodies: Indices, velocities: Array
    ) -> None:
        """Take what else throws bodies in the next frame; `pushes` comes before.

        Args:
            bodies: (h,), which hit others in the last frame.
            velocities: (h, 3), of these now.
        """
        for body, velocity in zip(bodies.tolist(), velocities, strict=True):
            if body in self._row_of:
                self._velocity[self._row_of[body]] = velocity
        for push in pushes:
            row = self._row_of.get(push.body)
            if row is not None and not push.turns:  # As if it had been thrown at once.
                change = push.axis * (push.size * dt * float(masses.inverse_mass[push.body]))
                self._velocity[row] += change
                self._place[row] -= change * ((1.0 - self._drift) * dt)

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
        # In a corner several stop it, each along its own normal.
        off = off.copy()
        for wall in range(_MOST_WALLS):
            sizes = np.linalg.norm(off[rows], axis=1)
            rows = rows[sizes > _POSITION_TOLERANCE_M]
            bodies = self.which[rows]
            ways = -off[rows] / np.linalg.norm(off[rows], axis=1, keepdims=True)
            origins = state.position[bodies]
            lengths = np.array([_ASLANT * self._undersides.size(i) for i in bodies.tolist()])
            lengths = lengths + _GROUND_DISTANCE_M
            found = self._cast(origins, ways, lengths, bodies)
            met, begun = np.isfinite(found.distance) & (found.body != WORLD), list[int]()
            for i in np.flatnonzero(met).tolist():
                point, normal = origins[i] + ways[i] * found.distance[i], found.normal[i]
                row = int(rows[i])
                ground = point, normal, float(off[row] @ normal)
                if self._begin(row, wall, state, masses, ground, int(found.body[i]), dt):
                    off[row] -= normal * (off[row] @ normal)
                    begun.append(row)
            rows = np.array(begun, dtype=np.int64)
            if not len(rows):
                break

    def _begin(
        self,
        row: int,
        wall: int,
        state: State,
        masses: Masses,
        ground: tuple[Array, Array, float],
        other: int,
        dt: float,
    ) -> bool:
        """Let a body bounce off the ground, if it does.

        Args:
            wall: which of those that it has hit at once.
            ground: a point and the normal, (3,), and how far the body is off along that.
        """
        body, (point, normal, off) = int(self.which[row]), ground
        arm = self._undersides.arm(body, state, normal)
        place = state.position[body]
        deep = float(np.linalg.norm(self._velocity[row])) * dt / self._substeps
        gap = float((place + arm - point) @ normal)
        if abs(gap) > _GROUND_DISTANCE_M + deep:
            return False
        sunk = max(-gap, 0.0)
        moving = state.point_velocities(np.array([other]), (place + arm)[None])[0]
        before = self._velocity[row] - moving
        if not self._came(row, place, moving, normal, dt):
            return False
        pull = float(self._pull[row] @ normal)
        way = float((place - self._place[row] - moving * dt) @ normal)
        start = float(before @ normal) + pull * dt / self._substeps / 2.0
        squared = start * start + 2.0 * pull * (way + sunk)
        speed = -float(before @ normal)
        if speed < _REST_STEPS * self._weight[row] * dt or squared <= 0.0:
            return False
        if wall and off < _STOPPED_SHARE * speed * dt / self._substeps:
            return False
        lever = np.cross(arm, normal) @ state.rotation[body]
        inverse = masses.inverse_inertia_local[body]
        levered = float(masses.mass[body] * (lever @ inverse @ lever))
        touch = speed - float(state.spin[body] @ np.cross(arm, normal))
        share = max(touch / speed, 0.0) / (1.0 + levered)
        bounce = restitution(material_of(self._bodies[body]), material_of(self._bodies[other]))
        out = bounce * min(share, 1.0) * float(np.sqrt(squared))
        aside = before - normal * (before @ normal)
        for (mine, _), last in self._going.items():
            if mine == row:  # Another wall has stopped it, and will throw it back.
                aside += last.normal * max(last.speed - float(aside @ last.normal), 0.0)
        most = squared + float(aside @ aside) + turning(state, masses, body, state.spin[body])
        if row in self._thrown:
            thrown = self.left.get(body, self._thrown[row])
            along = float((thrown - moving) @ normal)
            out = max(along, -bounce * along)
            self.left[body] = thrown + normal * (out - along)
            aside = thrown - moving
            most = float(aside @ aside) + turning(state, masses, body, state.spin[body])
        for key in [key for key in self._going if key[0] == row]:
            if float(self._going[key].normal @ normal) > _SAME_WALL:
                del self._going[key]
        self.begun.add(body)
        if moving.any():
            self.carried.add(body)
        place, number = place + sunk * normal, next(self._anchors)
        self._going[row, number] = WallBounce(normal, place, moving, out, most, number)
        return True

    def _came(self, row: int, place: Array, moving: Array, normal: Array, dt: float) -> bool:
        """Whether it came to the ground, and the ground threw it off its way."""
        expected = self._place[row] + self._velocity[row] * dt
        is_off = float((place - expected) @ normal) > 0.0
        return is_off and float((self._velocity[row] - moving) @ normal) < 0.0

    def _lift(
        self,
        key: tuple[int, int],
        state: State,
        masses: Masses,
        velocity: Array,
        pull: Array,
        dt: float,
    ) -> Push | None:
        """What brings a body on its way up that does not turn by its bounce."""
        bounce, body = self._going[key], int(self.which[key[0]])
        before = state if self._before is None else self._before
        turn = state.rotation[body] @ before.rotation[body].T
        spinning = turning(state, masses, body, rotation_vectors(turn[None])[0] / dt)
        place = state.position[body]
        added = bounce.added((place, velocity), spinning, pull, dt, self._substeps)
        if bounce.is_over(added):
            del self._going[key]
            return None
        size = added / dt * float(masses.mass[body])
        return Push(body, bounce.anchor, bounce.normal, place, size)
