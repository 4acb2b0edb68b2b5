"""Which bodies have come through others in a frame, although the engine should have stopped them.

Where a step of the engine is longer than half of both thicknesses, it may see two bodies on one
side of each other at its one end and on the other side at its other end; see `tunnelling`. So here
the way that the middle of a body has made, as the other one sees it, is held against that one. Only
bodies that went farther than half of their own thickness in a step can have passed anything, so a
scene of slow bodies costs no more than a look at how far each went.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from ..overlap import Hull, Hulls, Placed, hull_of, overlapping, thinnest
from ..state import Masses, State
from ..sweeps import comes_near, depth_behind, near_pairs
from ..world import Body, Form, Mesh, Solid
from .bullet_shapes import stopping

_CORE: Final = 0.6  # Share of half its thickness within which a body surely meets what is there.
_UNDISTURBED: Final = 0.05  # Share of its speed that a body keeps where nothing has stopped it.
_PAST, _INTO, _THROUGH = range(3)  # What the middle of a body does on its way.
_FRAMES: Final = 4  # What was fast a moment ago may be stuck half way.


@dataclass(frozen=True)
class Passed:
    """A body has come through another one, both as indices."""

    body: int
    through: int


class Passing:
    """Finds what bodies of a world pass through.

    Attributes:
        is_needed: whether there are two bodies that could meet.
    """

    def __init__(
        self, bodies: Sequence[Body], may_meet: Callable[[int, int, Solid], bool], *, substeps: int
    ) -> None:
        """Take the bodies of a world.

        Args:
            may_meet: whether a body may touch another one at a solid of that.
            substeps: how many the engine takes in a frame.
        """
        self._bodies, self._may_meet = bodies, may_meet
        self._forced = np.array([body.is_forced for body in bodies], dtype=np.bool_)
        self._substeps = substeps
        self._half = np.array([thickness(body) for body in bodies]).reshape(len(bodies))
        solid = np.array([bool(body.solids) for body in bodies], dtype=np.bool_)
        self.is_needed = bool((self._forced & solid).any()) and int(solid.sum()) > 1
        self._solid = solid
        # By body and solid: where the middle was, as the solid sees it, before it came in.
        self._inside: dict[tuple[int, int], Array] = {}
        self._fast = np.zeros(len(bodies), dtype=np.int64)  # Frames for which each still counts.
        self._last: Array | None = None  # The ways (n, 3) of the last frame.

    def is_open(self, ways: Array) -> bool:
        """Whether bodies that went ways (n, 3) in a frame may have passed anything."""
        far = np.einsum("ni,ni->n", ways, ways) > (self._half * self._substeps) ** 2
        self._fast = np.where(far & self._solid, _FRAMES, np.maximum(self._fast - 1, 0))
        if bool(self._fast.any()) or self._inside:
            return True
        self._last = ways
        return False

    def look(self, before: State, state: State, masses: Masses) -> list[Passed]:
        """Who came through whom between two moments, where `is_open`.

        Some are sure only a frame later.
        """
        ways = state.position - before.position
        last, self._last = self._last, ways
        sets = self._parts
        every = np.arange(len(ways))
        start = before.points(every, sets.middle, masses)
        end = state.points(every, sets.middle, masses)
        body, solid = self._near(self._fast > 0, start, end, before, state, masses)
        if self._inside:
            waiting = np.array(list(self._inside)).T
            both = np.concatenate([np.array([body, solid]), waiting], axis=1)
            body, solid = np.unique(both, axis=1)
        starts = self._seen(body, solid, start, before, masses)
        ends = self._seen(body, solid, end, state, masses)
        room = self._half[body, None]
        low, high = np.minimum(starts, ends) - room, np.maximum(starts, ends) + room
        close = ((low <= sets.high[solid]) & (high >= sets.low[solid])).all(axis=1)
        kept = [
            row
            for row in np.flatnonzero(close).tolist()
            if self._may_meet(int(body[row]), int(sets.owner[solid[row]]), sets.solids[solid[row]])
        ]
        self._inside = {
            pair: self._inside[pair]
            for pair in zip(body[kept].tolist(), solid[kept].tolist(), strict=True)
            if pair in self._inside
        }
        if not kept:
            return []
        undisturbed = self._undisturbed(last, ways)
        return self._passed((body[kept], solid[kept]), starts[kept], ends[kept], undisturbed)

    def _near(
        self, fast: Flags, start: Array, end: Array, before: State, state: State, masses: Masses
    ) -> tuple[Indices, Indices]:
        """Pairs of bodies and solids of others whose ways come near each other."""
        sets = self._parts
        centers = state.points(sets.owner, sets.center, masses)
        before_that = before.points(sets.owner, sets.center, masses)
        chosen = np.flatnonzero(self._forced & self._solid)
        quick = fast[sets.owner]
        none = np.zeros(0, dtype=np.int64)
        found = [(none, none)]
        for part, solids in (
            (chosen[fast[chosen]], np.arange(len(centers))),
            (chosen[~fast[chosen]], np.flatnonzero(quick)),
        ):
            i, s = near_pairs(
                (start[part], end[part], self._half[part]),
                (before_that[solids], centers[solids], sets.reach[solids]),
            )
            body, solid = part[i], solids[s]
            way = (end - start)[body] - (centers - before_that)[solid]
            gap = start[body] - before_that[solid]
            reach: Array = sets.reach[solid] + self._half[body]
            close = comes_near(gap, way, reach)
            close &= body != sets.owner[solid]
            found.append((body[close], solid[close]))
        return np.concatenate([i for i, _ in found]), np.concatenate([s for _, s in found])

    def _seen(
        self, body: Indices, solid: Indices, points: Array, state: State, masses: Masses
    ) -> Array:
        """Where the middles of bodies (k,) are as solids (k,) see them, (k, 3)."""
        sets = self._parts
        owner = sets.owner[solid]
        place = state.points(owner, sets.place[solid], masses)
        axes = state.frames(owner, sets.rotation[solid])
        return np.einsum("nji,nj->ni", axes, points[body] - place)

    def _passed(
        self, pairs: tuple[Indices, Indices], starts: Array, ends: Array, undisturbed: Flags
    ) -> list[Passed]:
        """Who of pairs of bodies and solids (k,) came through, from starts to ends (k, 3)."""
        body, solid = pairs
        several: list[tuple[int, int]] = list(zip(body.tolist(), solid.tolist(), strict=True))
        rows = list(enumerate(several))
        for row, pair in rows:
            starts[row] = self._inside.get(pair, starts[row])
        way, owner = ends - starts, self._parts.owner
        assert self._last is not None
        square = np.einsum("ni,ni->n", self._last, self._last)
        central, aside = self._through(body, solid, starts, way)
        aside &= undisturbed[body]
        found: dict[tuple[int, int], None] = {}
        forms = self._parts.forms
        for row, (i, s) in rows:
            self._inside.pop((i, s), None)
            form = forms[s]
            if isinstance(form, Mesh) and not form.is_convex:
                deep = depth_behind(starts[row], way[row], form.corners, form.triangles)
                passes = deep > self._half[i]  # Until then it may be thrown back.
                stays = 0.0 < deep <= self._half[i]
            else:
                stays = bool(central[row] == _INTO)
                passes = bool(central[row] == _THROUGH or aside[row])
            if stays:
                self._inside[i, s] = starts[row]
            if passes:
                other = int(owner[s])
                swapped = self._forced[other] and square[other] > square[i]
                found[(other, i) if swapped else (i, other)] = None
        return [Passed(*pair) for pair in found]  # The faster one passes the other.

    def _through(
        self, body: Indices, solid: Indices, starts: Array, way: Array
    ) -> tuple[Indices, Flags]:
        """What middles (k,) of bodies do on their ways, and whose core goes through what."""
        hulls, count = self._parts.hulls, len(body)
        upright = np.tile(np.eye(3), (count, 1, 1))
        things = Placed(solid, upright, np.zeros((count, 3)))

        def swept(which: Indices) -> tuple[Flags, Flags]:
            """Which come into the solids from outside, and which are in them at the end."""
            begun, ended = Placed(which, upright, starts), Placed(which, upright, starts + way)
            met = overlapping(hulls, begun, things, way) & ~overlapping(hulls, begun, things)
            return met, met & overlapping(hulls, ended, things)

        point = len(self._parts.forms)  # Behind the solids; behind it are the cores.
        meets, within = swept(np.full(count, point))
        grazes, touches = swept(point + 1 + body)
        central = np.where(within, _INTO, np.where(meets, _THROUGH, _PAST))
        return central, grazes & ~touches

    def _undisturbed(self, last: Array | None, ways: Array) -> Flags:
        """Which bodies (n,) went on as they came."""
        if last is None:
            return np.ones(len(ways), dtype=np.bool_)
        off = np.linalg.norm(ways - last, axis=1)
        return off <= _UNDISTURBED * np.linalg.norm(last, axis=1)

    @cached_property
    def _parts(self) -> _Parts:
        """Made when somebody is fast, as most scenes are slow."""
        return _Parts(self._bodies, self._half)


class _Parts:
    """The solids of all bodies, and the middles of the bodies.

    Attributes:
        owner: (m,), the body of each solid.
        middle: (n, 3), of the thickest solid of each body, in its node's axes.
        center: (m, 3), the same of each solid.
        reach: (m,), m, the radius of a ball around each.
        low, high: (m, 3), m, the corners of a box around each, in its own axes.
        hulls: the solids, a point, and the cores of the bodies.
    """

    def __init__(self, bodies: Sequence[Body], half: Array) -> None:
        pairs = [(at, solid) for at, body in enumerate(bodies) for solid in body.solids]
        self.solids = [solid for _, solid in pairs]
        self.owner = np.array([at for at, _ in pairs], dtype=np.int64)
        shown = [stopping(solid) for solid in self.solids]
        self.forms: tuple[Form, ...] = tuple(solid.form for solid in shown)
        count = len(pairs)
        self.rotation = np.array([s.rotation for s in self.solids]).reshape(count, 3, 3)
        self.place = np.array([solid.place for solid in shown]).reshape(count, 3)
        known: dict[Form, Hull] = {}
        hulls = [known.setdefault(form, hull_of(form)) for form in self.forms]
        inner = np.array([hull.inner for hull in hulls]).reshape(count, 3)
        self.center = self.place + np.einsum("nij,nj->ni", self.rotation, inner)
        self.reach: Array = np.array([hull.reach for hull in hulls])
        boxes = np.array([_box(hull) for hull in hulls]).reshape(count, 2, 3)
        self.low, self.high = boxes[:, 0], boxes[:, 1]
        self.middle = np.zeros((len(bodies), 3))
        for at, thick in zip(self.owner.tolist(), range(count), strict=True):
            if thinnest(self.solids[thick].form) >= half[at]:
                self.middle[at] = self.center[thick]
        self.hulls = Hulls([*hulls, _ball(0.0), *(_ball(_CORE * size) for size in half.tolist())])


def thickness(body: Body) -> float:
    """Half of how thick a body is, at the thickest of its solids, m."""
    return max((thinnest(solid.form) for solid in body.solids), default=0.0)


def _box(hull: Hull) -> tuple[Array, Array]:
    """The corners (3,) of the box around a solid, in its own axes."""
    around = (hull.ball + hull.disc)[:, None]
    return (hull.points - around).min(axis=0), (hull.points + around).max(axis=0)


def _ball(radius: float) -> Hull:
    return Hull(np.zeros((1, 3)), np.array([radius]), np.zeros(1))
