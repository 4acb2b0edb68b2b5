"""Finds which bodies that forces move have hit each other, and where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from ...geometry.rotations import rotation_vectors, rotations_of_vectors, turned
from ...model.bodies import PhysicsMaterial
from ..near_pairs import all_near
from ..world import Body
from .bullet_shapes import reach
from .liveliness import material_of
from .materials import combined
from .pair_contacts import Contacts, Weights, ball_radius

_POSITION_TOLERANCE_M: Final = 3e-5  # m, how far from its expected place a body in flight may be.
_POSITION_TOLERANCE_SHARE: Final = 5e-7  # The same, of how far from the origin it is.
_LOOK_AHEAD: Final = 1.25  # Frames; Bullet stops bodies before they touch.
_TOUCH_M: Final = 5e-3  # m, how far apart balls may be that touch after a hit.
_OPPOSITE: Final = 0.3  # How much the two sides of a hit may differ.
_ALIKE: Final = 0.9  # Cosine of the angle between a normal seen and that between balls.


@dataclass(frozen=True, eq=False)
class Flight:
    """What was expected of bodies (k,) in a frame, and what came of it.

    Attributes:
        start, place: (k, 3), the centres of mass before and after it.
        turns: (k, 3, 3), how they turned in it.
        velocity, spin: (k, 3), at its start.
        pull, twist: (k, 3), the accelerations in it.
        weight: (k,), m/s², those without what throws bodies back.
        drift: what part of a frame's way an acceleration makes.
    """

    start: Array
    place: Array
    turns: Array
    velocity: Array
    spin: Array
    pull: Array
    twist: Array
    weight: Array
    drift: float

    def off(self, dt: float) -> Array:
        """How far (k, 3) bodies are from where they were expected, m."""
        way = self.velocity * dt + self.pull * (self.drift * dt * dt)
        return self.place - self.start - way


class PairHits:
    """Finds contacts of some bodies (k,).

    Attributes:
        others: how many of them are no balls.
    """

    def __init__(
        self, bodies: Sequence[Body], may_meet: Callable[[Indices, Indices], Flags]
    ) -> None:
        """Take the bodies, and what tells which pairs of their rows (p,), (p,) may touch at all."""
        self._may_meet = may_meet
        self._reach = np.array([reach(body) for body in bodies])
        self._radius = np.array([ball_radius(body) for body in bodies])
        self.others = int((self._radius == 0.0).sum())
        self._material: list[PhysicsMaterial] = [material_of(body) for body in bodies]

    def found(self, flight: Flight, weights: Weights, dt: float) -> Contacts:
        """Contacts of bodies that are not where they were expected to be.

        Args:
            weights: at the start of the frame.
        """
        place, start, off = flight.place, flight.start, flight.off(dt)
        size = np.linalg.norm(off, axis=1)
        noise = _POSITION_TOLERANCE_M + _POSITION_TOLERANCE_SHARE * np.abs(place).max(axis=1)
        rows = np.flatnonzero(size > noise)
        if len(rows) < 2:
            return Contacts.none()
        way = (np.linalg.norm(flight.velocity[rows], axis=1) + size[rows] / dt) * dt
        room: Array = self._reach[rows] + way + _TOUCH_M
        low, high = start[rows] - room[:, None], start[rows] + room[:, None]
        left, right = all_near(low, high, np.ones(len(rows), dtype=np.bool_))
        gap = np.linalg.norm(start[rows][left] - start[rows][right], axis=1)
        close = gap <= room[left] + room[right]
        first, second = rows[left[close]], rows[right[close]]
        kept = self._may_meet(first, second)
        first, second = first[kept], second[kept]
        balls = (self._radius[first] > 0.0) & (self._radius[second] > 0.0)
        found = self._between_balls((first[balls], second[balls]), flight, dt)
        seen = _seen((first[~balls], second[~balls]), flight, weights, dt)
        found = found.also(seen)
        counts = found.touched(len(place))
        alone = (counts[found.first] == 1) & (counts[found.second] == 1)
        is_ball = (self._radius[found.first] > 0.0) & (self._radius[found.second] > 0.0)
        found = found.only(alone | is_ball)
        for i in np.flatnonzero(alone[alone | is_ball]).tolist():
            self._look(found, i, off)
        return found

    def _between_balls(self, pairs: tuple[Indices, Indices], flight: Flight, dt: float) -> Contacts:
        """Contacts of balls that touched on their way."""
        (first, second), start, end = pairs, flight.start, flight.place
        radius = self._radius[first] + self._radius[second]
        gap = start[first] - start[second]
        speed = flight.velocity[first] - flight.velocity[second]
        speed = speed + (flight.pull[first] - flight.pull[second]) * (dt / 2.0)
        a, b = (speed * speed).sum(axis=1), (speed * gap).sum(axis=1)
        c = (gap * gap).sum(axis=1) - radius**2
        root = np.sqrt(np.maximum(b * b - a * c, 0.0))
        time = np.where(c <= 0.0, 0.0, (-b - root) / np.maximum(a, 1e-30))
        touches = (b * b >= a * c) & (b < 0.0) & (time <= _LOOK_AHEAD * dt)
        after = end[first] - end[second]
        later = np.linalg.norm(after, axis=1) <= radius + _TOUCH_M
        way = np.where(touches[:, None], gap + speed * time[:, None], after)
        chosen = touches | later
        normal = way[chosen] / np.linalg.norm(way[chosen], axis=1, keepdims=True)
        still = np.zeros_like(normal)
        return Contacts.of((first[chosen], second[chosen]), normal, (still, still))

    def _look(self, contacts: Contacts, i: int, off: Array) -> None:
        """Take the normal along which two balls without friction were stopped."""
        first, second = int(contacts.first[i]), int(contacts.second[i])
        if not (self._radius[first] and self._radius[second]):
            return
        mine, other = self._material[first], self._material[second]
        modes = (mine.friction_combine, other.friction_combine)
        if combined(mine.dynamic_friction, other.dynamic_friction, modes) > 0.0:
            return
        way = off[first] - off[second]
        way = way / max(float(np.linalg.norm(way)), 1e-30)
        if float(way @ contacts.normal[i]) > _ALIKE:
            contacts.normal[i] = way


def _seen(pairs: tuple[Indices, Indices], flight: Flight, weights: Weights, dt: float) -> Contacts:
    """Contacts of other bodies, from what they did to them."""
    (first, second), off, start = pairs, flight.off(dt), flight.start
    light = weights.inverse_mass
    push = off * weights.mass[:, None]
    apart = off[first] - off[second]
    size = np.linalg.norm(apart, axis=1)
    shared = np.linalg.norm(push[first] + push[second], axis=1)
    impulse = size / np.maximum(light[first] + light[second], 1e-30)
    held = (flight.weight / np.maximum(light, 1e-30))[:, None] * (dt * dt)
    slack = (held[first] + held[second])[:, 0]
    found = (size > _POSITION_TOLERANCE_M) & (shared <= _OPPOSITE * impulse + slack)
    # What keeps two from parting, as where they lie on each other, is no hit.
    found &= (apart * (start[first] - start[second])).sum(axis=1) > 0.0
    first, second, impulse = first[found], second[found], impulse[found]
    normal = apart[found] / size[found, None]
    both = np.unique(np.concatenate([first, second]))
    expected = rotations_of_vectors(
        flight.spin[both] * dt + flight.twist[both] * (flight.drift * dt * dt)
    )
    turn = np.zeros_like(off)
    turn[both] = rotation_vectors(flight.turns[both] @ expected.transpose(0, 2, 1))
    parts: list[Array] = []
    for rows in (first, second):
        about = turned(weights.inertia[rows], turn[rows]) / impulse[:, None]
        parts.append(about - normal * (about * normal).sum(axis=1, keepdims=True))
    return Contacts.of((first, second), normal, (parts[0], parts[1]))
