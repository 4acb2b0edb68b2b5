"""What overlaps at the start is pushed out, and not thrown.

In each substep Bullet moves what overlaps out by a share of the depth, and lets it keep the speed
of that: the shorter the substeps, the faster. Engines of today leave it no speed. So its speed is
taken from it until it has come out, and from what it touches, which it would throw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices, connected
from ..bullet.collision_groups import filters_of
from ..bullet.meetings import Meetings
from ..near_pairs import near_pairs, pairs_across
from ..overlap import Hull, Hulls, Placed, hull_of, overlapping
from ..world import Form, Mesh, World

_DEPTH: Final = 1e-3  # m; what overlaps by less is hardly thrown.
_NEAR: Final = 0.01  # m, from what overlaps, of what it would throw.
_SLOW: Final = 0.05  # m/s and rad/s, with which a body is at rest at the start.
_CALM: Final = 2e-4  # m, that a body still comes out in a frame when it is let go.
_FALLS: Final = 1.2  # How much more than what falls without a speed it may move besides.
_LONGEST: Final = 0.5  # s, after which all are let go.
# What is looked at, so that no scene takes minutes: pairs with triangles of one surface, and
# neighbors, some for each solid.
_MOST: Final = 1 << 18
_LEAST: Final = 10_000_000
_EACH: Final = 1000
_CORNERS: Final = 128  # Of a mesh that are all compared.
_WAYS: Final = np.array([way for way in product((-1.0, -0.5, 0.0, 0.5, 1.0), repeat=3) if any(way)])


class SoftStart:
    """Knows which bodies of a world are not to keep a speed, because they overlap something."""

    def __init__(self, world: World, meetings: Meetings, step: float, substeps: int) -> None:
        """Take a world at its start.

        Args:
            step: s, of a frame.
            substeps: in a frame.
        """
        speeds = np.array([(*body.velocity, *body.spin) for body in world.bodies]).reshape(-1, 6)
        at_rest = world.forced & (np.abs(speeds) < _SLOW).all(axis=1)
        self._heap = np.full(len(speeds), -1, dtype=np.int64)  # What is let go together.
        if at_rest.any():
            self._heap = _Start(world, meetings, at_rest).heaps()
        gravity = 0.0 if world.gravity is None else abs(world.gravity.gravity)
        self._calm = _CALM + _FALLS * gravity * step * step / substeps
        self._left = round(_LONGEST / step)
        self.is_open = bool((self._heap >= 0).any())

    def held(self, ways: Array | None) -> Flags:
        """Which bodies (n,) keep no speed in the next frame; after none, this is over.

        Args:
            ways: (n, 3), m, that they went in the last frame; None before they are let go.
        """
        if ways is not None:
            self._left -= 1
            comes_out = (self._heap >= 0) & (np.linalg.norm(ways, axis=1) > self._calm)
            if not self._left:
                comes_out[:] = False
            self._heap[~np.isin(self._heap, self._heap[comes_out])] = -1
        held: Flags = self._heap >= 0
        self.is_open = bool(held.any())
        return held


class _Start:
    """The solids of a world where they begin."""

    def __init__(self, world: World, meetings: Meetings, at_rest: Flags) -> None:
        parts = [(i, solid) for i, body in enumerate(world.bodies) for solid in body.solids]
        count = len(parts)
        self._forms = [solid.form for _, solid in parts]
        self._body = np.array([i for i, _ in parts], dtype=np.int64)
        self._at_rest, self._count = at_rest, len(world.bodies)
        turns = [world.bodies[i].rotation @ solid.rotation for i, solid in parts]
        places = [world.bodies[i].rotation @ s.place + world.bodies[i].place for i, s in parts]
        self._placed = Placed(
            np.arange(count),
            np.array(turns).reshape(count, 3, 3),
            np.array(places).reshape(count, 3),
        )
        surfaces = [isinstance(form, Mesh) and not form.is_convex for form in self._forms]
        self._is_surface = np.array(surfaces, dtype=np.bool_)
        self._meet = meetings.of_parts(self._body, [filters_of((solid,)) for _, solid in parts])

    def heaps(self) -> Indices:
        """Of bodies (n,) at rest that overlap something, and what is near these, a number; else -1.

        Those in one heap have the same number.
        """
        found = self._overlapping()
        if not found.any():
            return np.full(self._count, -1, dtype=np.int64)
        heap, wide = np.arange(self._count), Hulls(self._grown(_NEAR))
        moving = self._at_rest[self._body]
        for left, right in self._pairs(wide, moving):
            one, other = self._body[left], self._body[right]
            new = np.flatnonzero(
                self._at_rest[one] & self._at_rest[other] & (heap[one] != heap[other])
            )
            hit = new[self._meet_as(wide, left[new], right[new])]
            first, second = heap[one[hit]], heap[other[hit]]
            heap = connected(first, second, self._count)[heap]
        return np.where(np.isin(heap, heap[found]), heap, -1)

    def _overlapping(self) -> Flags:
        """Which bodies (n,) at rest overlap something."""
        found = np.zeros(self._count, dtype=np.bool_)
        small = self._grown(-_DEPTH)
        hulls, wanted = Hulls(small), self._at_rest[self._body]
        surfaces: list[tuple[Indices, Indices]] = []
        for left, right in self._pairs(hulls, wanted):
            is_solid = ~(self._is_surface[left] | self._is_surface[right])
            surfaces.append((left[~is_solid], right[~is_solid]))
            left, right = left[is_solid], right[is_solid]
            hit = self._meet_as(hulls, left, right)
            found[self._body[left[hit]]] = found[self._body[right[hit]]] = True
            wanted &= ~found[self._body]  # One that it overlaps is enough.
        for left, right in surfaces:
            found[self._through_surfaces(small, left, right)] = True
        return found & self._at_rest

    def _pairs(self, hulls: Hulls, wanted: Flags) -> Iterator[tuple[Indices, Indices]]:
        """Solids near each other that may touch, some at a time; `wanted` may change meanwhile."""
        to_do = _LEAST + _EACH * len(self._body)
        for number, left, right in near_pairs(*hulls.bounds(self._placed), wanted):
            meets = self._meet(left, right)
            yield left[meets], right[meets]
            to_do -= number
            if to_do < 0:
                return

    def _meet_as(self, hulls: Hulls, left: Indices, right: Indices) -> Flags:
        return overlapping(hulls, self._placed.take(left), self._placed.take(right))

    def _grown(self, more: float) -> list[Hull]:
        """The solids, larger on all sides by some m; the boxes around surfaces."""
        known = {form: _grown(form, more) for form in dict.fromkeys(self._forms)}
        return [known[form] for form in self._forms]

    def _through_surfaces(self, small: Sequence[Hull], left: Indices, right: Indices) -> list[int]:
        """The bodies of solids that triangles of others go through."""
        found: list[int] = []
        is_left = self._is_surface[left]
        surface, solid = np.where(is_left, left, right), np.where(is_left, right, left)
        movable = ~self._is_surface[solid] & self._at_rest[self._body[solid]]
        surface, solid = surface[movable], solid[movable]
        for number in map(int, np.unique(surface)):
            form, near = self._forms[number], np.unique(solid[surface == number])
            assert isinstance(form, Mesh)
            at = self._placed.take(np.array([number]))
            corners = (form.corners @ at.rotation[0].T + at.place[0])[form.triangles]
            there = self._placed.take(near)
            ends = Hulls(small).bounds(there)
            one, other = pairs_across(ends, (corners.min(axis=1), corners.max(axis=1)))
            if len(one) > _MOST:
                continue
            used, row = np.unique(other, return_inverse=True)
            hulls = [small[int(i)] for i in near]
            hulls += [Hull(each, np.zeros(3), np.zeros(3)) for each in corners[used]]
            axes = np.broadcast_to(np.eye(3), (len(one), 3, 3))
            still = Placed(len(near) + row, axes, np.zeros((len(one), 3)))
            here = Placed(one, there.rotation[one], there.place[one])
            hit = overlapping(Hulls(hulls), here, still)
            found += self._body[near[one[hit]]].tolist()
        return found


def _grown(form: Form, more: float) -> Hull:
    """A solid that is larger on all sides, m; of a mesh, some of its outermost corners."""
    if isinstance(form, Mesh) and len(form.corners):
        points = form.corners
        if not form.is_convex:
            points = np.array(list(product(*np.array([points.min(axis=0), points.max(axis=0)]).T)))
        elif len(points) > _CORNERS:
            points = points[np.unique(np.argmax(points @ _WAYS.T, axis=0))]
        hull = Hull(points, np.zeros(len(points)), np.zeros(len(points)))
    else:
        hull = hull_of(form)
    low, high = hull.points.min(axis=0), hull.points.max(axis=0)
    half, middle = (high - low) / 2.0, (high + low) / 2.0
    wanted = half if hull.ball.any() else np.maximum(half + more, 0.0)
    share = np.divide(wanted, half, out=np.ones(3), where=half > 0.0)
    ball, disc = (np.where(r > 0.0, np.maximum(r + more, 0.0), 0.0) for r in (hull.ball, hull.disc))
    return Hull((hull.points - middle) * share + middle, ball, disc)
