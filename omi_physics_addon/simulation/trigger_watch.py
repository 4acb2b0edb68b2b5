"""Which bodies are in which triggers, and when they enter and leave.

A trigger notices a body as soon as one of their solids overlaps, as engines do it. A trigger does
not notice the body that it is part of. Whatever moves is tested where it is at the moment; what a
fast body passes between two moments is found by the way between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..geometry.arrays import Array, Flags, Indices
from .overlap import Hulls, Placed, contains, hull_of, overlapping, thinnest
from .state import WORLD, Masses, State
from .sweeps import comes_near
from .world import Body, Form, Solid, Volume

_PAIRS = 1 << 22  # Pairs of triggers and bodies looked at together; they take memory.
_HALVINGS = 8  # Of a step, to find when a trigger was passed.


@dataclass(frozen=True)
class Event:
    """A body has entered or left a trigger.

    Attributes:
        late: share of a step that it came before the moment at which it was looked for.
    """

    trigger: int
    body: int
    entered: bool
    late: float = 0.0


class _Parts:
    """Solids on bodies: whose they are, and where on these."""

    def __init__(self, owners: Sequence[int], bodies: Sequence[int], solids: list[Solid]) -> None:
        count = len(solids)
        self.forms: list[Form] = [solid.form for solid in solids]
        self.owner = np.array(owners, dtype=np.int64).reshape(count)
        self.body = np.array(bodies, dtype=np.int64).reshape(count)
        self._rotation = np.array([solid.rotation for solid in solids]).reshape(count, 3, 3)
        self._place = np.array([solid.place for solid in solids]).reshape(count, 3)

    def placed(self, state: State, masses: Masses, first: int) -> Placed:
        """Where they are; the hulls are numbered from `first`."""
        which = np.arange(first, first + len(self.forms))
        rotation = state.frames(self.body, self._rotation)
        return Placed(which, rotation, self.centers(state, masses))

    def centers(self, state: State, masses: Masses) -> Array:
        """Where the origins of their forms are, (k, 3)."""
        return state.points(self.body, self._place, masses)


def _moved(solid: Solid, rotation: Array, place: Array) -> Solid:
    """A solid of a frame in the axes of the frame's body."""
    placed = rotation @ solid.place + place
    return replace(solid, rotation=rotation @ solid.rotation, place=placed)


class Triggers:
    """Knows for t triggers and n bodies who is in what."""

    def __init__(
        self, volumes: Sequence[Volume], bodies: Sequence[Body], allowed: Flags | None = None
    ) -> None:
        """Take the triggers and all bodies.

        Args:
            allowed: (t, n), which trigger may notice which body, by their filters; all unless
                given.
        """
        shape = (len(volumes), len(bodies))
        self._allowed = np.ones(shape, dtype=np.bool_) if allowed is None else allowed.copy()
        for at, volume in enumerate(volumes):
            if volume.frame.body != WORLD:
                self._allowed[at, volume.frame.body] = False
        owned = [
            (at, volume.frame.body, _moved(solid, volume.frame.axes, volume.frame.place))
            for at, volume in enumerate(volumes)
            for solid in volume.solids
        ]
        self._zones = _Parts(
            [o for o, _, _ in owned], [b for _, b, _ in owned], [s for *_, s in owned]
        )
        parts = [(at, solid) for at, body in enumerate(bodies) for solid in body.solids]
        indices = [at for at, _ in parts]
        self._things = _Parts(indices, indices, [solid for _, solid in parts])
        hulls = [hull_of(form) for form in (*self._zones.forms, *self._things.forms)]
        self._zone_hulls = hulls[: len(self._zones.forms)]
        self._hulls = Hulls(hulls)
        thick = 2.0 * np.array([thinnest(part.form) for _, part in parts])
        self._thick = np.full(len(bodies), np.inf)  # m, of the thinnest solid of each body.
        np.minimum.at(self._thick, np.array(indices, dtype=np.int64), thick)
        self._thin = 2.0 * np.array([thinnest(form) for form in self._zones.forms])
        self.inside: Flags = np.zeros(shape, dtype=np.bool_)
        # Which pairs never move, and, once they were looked at, which of these overlap.
        still = np.array([body.stands for body in bodies], bool)
        frames = [volume.frame.body for volume in volumes]
        held = np.array([at == WORLD or bool(still[at]) for at in frames], dtype=np.bool_)
        self._still: Flags = held[:, None] & still[None]
        self._settled: Flags | None = None

    def update(self, state: State, masses: Masses) -> list[Event]:
        """Look who is where now; `inside` (t, n) tells, and the events what has changed."""
        found = self.overlaps(state, masses)
        if self._settled is None:
            self._settled = found & self._still
            self._allowed &= ~self._still
        before, self.inside = self.inside, found | self._settled
        changed = np.argwhere(before != self.inside)
        return [
            Event(int(trigger), int(body), bool(self.inside[trigger, body]))
            for trigger, body in changed.tolist()
        ]

    def occupied(self) -> Flags:
        """Which triggers (t,) have something in them but what never comes nor goes."""
        return (self.inside & ~self._still).any(axis=1)

    def passed(self, before: State, state: State, masses: Masses) -> list[Event]:
        """Who came through what between two moments, and was in it at neither.

        To be called before `update`. Only who went farther than its own thickness can have.
        """
        if not len(state):
            return []
        fast = np.linalg.norm(state.position - before.position, axis=1) > self._thick
        zone_way = self._zones.centers(state, masses) - self._zones.centers(before, masses)
        quick = np.linalg.norm(zone_way, axis=1) > self._thin
        if not (fast.any() or quick.any()) or not len(self._things.forms):
            return []
        thing_way = self._things.centers(state, masses) - self._things.centers(before, masses)
        near = (quick[:, None] | fast[self._things.body]) & (
            self._allowed[self._zones.owner][:, self._things.owner]
        )
        near &= ~self.inside[self._zones.owner][:, self._things.owner]
        left, right = np.nonzero(near)
        zones = self._zones.placed(state, masses, 0).take(left)
        things = self._things.placed(state, masses, len(self._zones.forms)).take(right)
        ways = thing_way[right] - zone_way[left]
        gap = things.centers(self._hulls) - zones.centers(self._hulls)
        reach: Array = self._hulls.reach[things.which] + self._hulls.reach[zones.which]
        close = np.flatnonzero(comes_near(gap, -ways, reach))
        left, right, ways = left[close], right[close], ways[close]
        zones, things = zones.take(close), things.take(close)
        met = overlapping(self._hulls, things, zones, -ways)
        owner, body = self._zones.owner[left], self._things.owner[right]
        now = np.zeros_like(self.inside)
        still = np.flatnonzero(met)
        ends = overlapping(self._hulls, things.take(still), zones.take(still))
        now[owner[still[ends]], body[still[ends]]] = True
        rows = still[~now[owner[still], body[still]]]
        return self._moments(rows, owner, body, (things, zones), ways)

    def _moments(
        self,
        rows: Indices,
        owner: Indices,
        body: Indices,
        placed: tuple[Placed, Placed],
        ways: Array,
    ) -> list[Event]:
        """When bodies enter and leave what they pass; the last solid to leave counts."""
        things, zones = placed[0].take(rows), placed[1].take(rows)
        back = -ways[rows]
        # The shares of the step behind now at which the way from there on begins to touch, and
        # at which the way until there ends to.
        left, entered = np.zeros((2, len(rows)))
        for at in range(1, _HALVINGS + 1):
            part = 0.5**at
            tried = left + part
            free = ~overlapping(self._hulls, things, zones, back * tried[:, None])
            left = np.where(free, tried, left)
            moved = Placed(things.which, things.rotation, things.place + back)
            tried = entered + part
            free = ~overlapping(self._hulls, moved, zones, -back * tried[:, None])
            entered = np.where(free, tried, entered)
        found: dict[tuple[int, int], tuple[float, float]] = {}
        for at, row in enumerate(rows.tolist()):
            key = (int(owner[row]), int(body[row]))
            first, last = found.get(key, (0.0, 1.0))
            found[key] = max(first, 1.0 - float(entered[at])), min(last, float(left[at]))
        events = [
            Event(*key, entered, late)
            for key, times in found.items()
            for entered, late in zip((True, False), times, strict=True)
        ]
        return sorted(events, key=lambda event: -event.late)

    def overlaps(self, state: State, masses: Masses) -> Flags:
        """Which triggers and bodies overlap: (t, n)."""
        found = np.zeros_like(self.inside)
        if not len(self._zones.forms) or not len(self._things.forms):
            return found
        zones = self._zones.placed(state, masses, 0)
        things = self._things.placed(state, masses, len(self._zones.forms))
        left, right = self._close(zones, things)
        owner, body = self._zones.owner[left], self._things.owner[right]
        # Whose inner point is inside, or else the one farthest toward the zone, needs no closer
        # look, nor do the same body's other solids.
        centers = things.centers(self._hulls)
        met = self._holding(zones, left, centers[right])
        found[owner[met], body[met]] = True
        rest = np.flatnonzero(~found[owner, body])
        if len(rest):
            part = things.take(right[rest])
            toward = zones.centers(self._hulls)[left[rest]] - centers[right[rest]]
            tips = part.place + self._hulls.farthest(part.which, part.rotation, toward)
            hit = rest[self._holding(zones, left[rest], tips)]
            found[owner[hit], body[hit]] = True
            rest = rest[~found[owner[rest], body[rest]]]
        if len(rest):
            touching = overlapping(self._hulls, zones.take(left[rest]), things.take(right[rest]))
            hit = rest[touching]
            found[owner[hit], body[hit]] = True
        return found

    def _close(self, zones: Placed, things: Placed) -> tuple[Indices, Indices]:
        """Pairs of solids that may meet and whose balls around do, sorted by zone."""
        start, end = zones.centers(self._hulls), things.centers(self._hulls)
        reach_zone = self._hulls.reach[zones.which]
        reach_thing = self._hulls.reach[things.which]
        step = max(1, _PAIRS // len(end))
        left: list[Indices] = []
        right: list[Indices] = []
        for at in range(0, len(start), step):
            part = slice(at, at + step)
            gap = start[part, None] - end[None]
            far = reach_zone[part, None] + reach_thing[None]
            near = np.einsum("zti,zti->zt", gap, gap) <= far * far
            near &= self._allowed[self._zones.owner[part]][:, self._things.owner]
            zone, thing = np.nonzero(near)
            left.append(zone + at)
            right.append(thing)
        return np.concatenate(left), np.concatenate(right)

    def _holding(self, zones: Placed, zone_of: Indices, points: Array) -> Flags:
        """Which of points (k, 3) their zones (k,) contain; the zones are sorted."""
        met = np.zeros(len(zone_of), dtype=np.bool_)
        ends = np.searchsorted(zone_of, np.arange(len(self._zones.forms) + 1))
        occupied: list[int] = np.flatnonzero(np.diff(ends)).tolist()
        for zone in occupied:
            rows = slice(ends[zone], ends[zone + 1])
            away = (points[rows] - zones.place[zone]) @ zones.rotation[zone]
            met[rows] = contains(self._zones.forms[zone], self._zone_hulls[zone], away)
        return met
