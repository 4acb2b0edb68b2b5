"""Which solids overlap, and which points are in them.

Every solid is the hull of some points, each with a ball or a disc across Y around it: a box has
eight points, a ball one, a capsule two with balls, a cylinder two with discs, a mesh its corners.
That is all that GJK needs to know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Final

import numpy as np

from ..geometry.arrays import Array, Flags, Indices
from ..geometry.fit.placed_shape import box_around
from ..geometry.hull import convex_hull
from ..geometry.inside import beyond, half_spaces
from ..geometry.small_systems import solved
from ..model.shapes import Box, Cylinder, Plane, Primitive, Sphere
from .world import Form, Mesh

_ROUNDS: Final = 32  # GJK takes a handful; what is still open then touches as well as not.
_NEAR: Final = 1e-9  # Relative distance below which solids touch.
_ENDLESS: Final = 1e4  # m, the length that stands for one without end.
_DEPTH: Final = 1e3  # m, how deep the half space below a plane is.


@dataclass(frozen=True, eq=False)
class Hull:
    """One solid in its own axes.

    Attributes:
        points: (k, 3), m.
        ball: (k,), m, radius of the ball around each point.
        disc: (k,), m, radius of the disc across Y around each point.
        normals, offsets: (f, 3) and (f,), half spaces n·x <= d whose common part it is; none for
            round and for flat ones.
    """

    points: Array
    ball: Array
    disc: Array
    normals: Array = field(default_factory=lambda: np.zeros((0, 3)))
    offsets: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def inner(self) -> Array:
        """A point (3,) of the solid."""
        return self.points.mean(axis=0)

    @property
    def reach(self) -> float:
        """How far from its inner point a solid goes, m."""
        around = np.linalg.norm(self.points - self.inner, axis=1) + self.ball + self.disc
        return float(around.max())


def hull_of(form: Form) -> Hull:
    """The convex solid that stands for a form.

    A mesh is taken as its hull. A plane is a box below it, thin if it is double-sided.
    """
    if isinstance(form, Box):
        return _box(np.array(form.size) / 2.0, 0.0)
    if isinstance(form, Sphere):
        return _round([(0.0, form.radius)], flat=False)
    if isinstance(form, Plane):
        sizes = [_ENDLESS if size is None else size for size in (form.size_x, form.size_z)]
        deep = 0.0 if form.double_sided else _DEPTH
        return _box(np.array([sizes[0], deep, sizes[1]]) / 2.0, -deep / 2.0)
    if isinstance(form, Mesh):
        return _hull_of_points(form.corners)
    half = form.height / 2.0
    ends = [(-half, form.radius_bottom), (half, form.radius_top)]
    return _round(ends, flat=isinstance(form, Cylinder))


def _box(half: Array, height: float) -> Hull:
    center = np.array([0.0, height, 0.0])
    corners = np.array(list(product((-1.0, 1.0), repeat=3))) * half + center
    normals = np.concatenate([np.eye(3), -np.eye(3)])
    offsets = normals @ center + np.concatenate([half, half])
    return Hull(corners, np.zeros(8), np.zeros(8), normals, offsets)


def _round(ends: Sequence[tuple[float, float]], *, flat: bool) -> Hull:
    points = np.array([(0.0, y, 0.0) for y, _ in ends])
    radii = np.array([radius for _, radius in ends])
    nothing = np.zeros(len(radii))
    ball, disc = (nothing, radii) if flat else (radii, nothing)
    return Hull(points, ball, disc)


def _hull_of_points(points: Array) -> Hull:
    found = convex_hull(points)
    corners = points if found is None else found[0]
    planes = () if found is None else half_spaces(*found)  # GJK does without those of what is flat.
    nothing = np.zeros(len(corners))
    return Hull(corners, nothing, nothing, *planes)


def thinnest(form: Form) -> float:
    """Half of the least side of the box around a form, m; of a plane, 0."""
    if isinstance(form, Plane):
        return 0.0
    if isinstance(form, Mesh):
        return float(np.ptp(form.corners, axis=0).min()) / 2.0 if len(form.corners) else 0.0
    return min(box_around(form)) / 2.0


def contains(form: Form, hull: Hull, points: Array) -> Flags:
    """Which points (n, 3) are in a form, in its own axes; the surface counts.

    Args:
        hull: of the form, from `hull_of`. Flat meshes contain nothing.
    """
    if len(hull.offsets):
        return (points @ hull.normals.T <= hull.offsets).all(axis=1)
    if isinstance(form, Primitive):
        return beyond(form, points) <= 0.0
    return np.zeros(len(points), dtype=np.bool_)


class Hulls:
    """Some solids, in arrays padded to the largest."""

    def __init__(self, hulls: Sequence[Hull]) -> None:
        """Take solids in their own axes."""
        most = max((len(hull.points) for hull in hulls), default=1)
        count = len(hulls)
        self._points = np.zeros((count, most, 3))
        self._radii = np.zeros((2, count, most))
        for at, hull in enumerate(hulls):
            fill = np.minimum(np.arange(most), len(hull.points) - 1)  # Repeats do no harm.
            self._points[at] = hull.points[fill]
            self._radii[0, at], self._radii[1, at] = hull.ball[fill], hull.disc[fill]
        self.reach: Array = np.array([hull.reach for hull in hulls])
        self.inner = np.array([hull.inner for hull in hulls]).reshape(count, 3)

    def farthest(self, which: Indices, rotations: Array, directions: Array) -> Array:
        """The points (k, 3) of solids that lie farthest along directions (k, 3).

        Args:
            which: (k,), indices of solids.
            rotations: (k, 3, 3), from their axes to those of the directions and of the answer.
        """
        local = np.einsum("nji,nj->ni", rotations, directions)
        along = local / np.maximum(np.linalg.norm(local, axis=1, keepdims=True), 1e-300)
        flat = local * (1.0, 0.0, 1.0)
        out = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-300)
        points, ball, disc = self._points[which], *self._radii[:, which]
        height = np.einsum("nki,ni->nk", points, along) + ball
        height += disc * np.einsum("ni,ni->n", out, along)[:, None]
        best = np.argmax(height, axis=1)
        at = np.arange(len(which))
        found = points[at, best] + ball[at, best, None] * along + disc[at, best, None] * out
        return np.einsum("nij,nj->ni", rotations, found)

    def bounds(self, placed: Placed) -> tuple[Array, Array]:
        """The lowest and the highest corners (k, 3) of boxes along the world's axes around them."""
        count = len(placed.which)
        ends: list[Array] = []
        for axis in (*-np.eye(3), *np.eye(3)):
            far = self.farthest(placed.which, placed.rotation, np.tile(axis, (count, 1)))
            ends.append((far + placed.place)[:, np.abs(axis) > 0.0])
        return np.concatenate(ends[:3], axis=1), np.concatenate(ends[3:], axis=1)


@dataclass(frozen=True, eq=False)
class Placed:
    """Where k solids are.

    Attributes:
        which: (k,), indices of solids.
        rotation: (k, 3, 3), from their axes to the world's.
        place: (k, 3), m.
    """

    which: Indices
    rotation: Array
    place: Array

    def centers(self, hulls: Hulls) -> Array:
        """Where their inner points are, (k, 3)."""
        inner = np.einsum("nij,nj->ni", self.rotation, hulls.inner[self.which])
        return self.place + inner

    def take(self, at: Indices) -> Placed:
        """Some of them."""
        return Placed(self.which[at], self.rotation[at], self.place[at])


def overlapping(hulls: Hulls, left: Placed, right: Placed, ways: Array | None = None) -> Flags:
    """Which of k pairs of solids overlap; touching counts.

    Args:
        ways: (k, 3), m, along which the left ones go without a turn; all that they come through
            counts. None where they stay.

    Source: Gilbert, Johnson and Keerthi 1988, "A fast procedure for computing the distance
    between complex objects in three-dimensional space", for all pairs at once.
    """
    count = len(left.which)
    result = np.zeros(count, dtype=np.bool_)
    open_ = np.arange(count)
    nearest = left.centers(hulls) - right.centers(hulls)
    simplex = np.zeros((count, 4, 3))
    size = np.zeros(count, dtype=np.int64)
    ways = np.zeros((count, 3)) if ways is None else ways
    reach = hulls.reach[left.which] + hulls.reach[right.which] + np.linalg.norm(ways, axis=1)
    scale = reach**2 + 1e-300
    for _ in range(_ROUNDS):
        if not len(open_):
            return result
        a, b = left.take(open_), right.take(open_)
        toward = -nearest[open_]
        point = _difference(hulls, a, b, toward)
        far = np.einsum("ni,ni->n", toward, ways[open_]) > 0.0
        point += np.where(far[:, None], ways[open_], 0.0)
        # A plane across the nearest point with all of the difference beyond it parts them.
        apart = np.einsum("ni,ni->n", point, nearest[open_]) > 0.0
        open_, point = open_[~apart], point[~apart]
        simplex[open_, size[open_]] = point
        size[open_] += 1
        nearest[open_], simplex[open_], size[open_] = _reduced(simplex[open_], size[open_])
        length = np.einsum("ni,ni->n", nearest[open_], nearest[open_])
        met = (length <= _NEAR**2 * scale[open_]) | (size[open_] == 4)
        result[open_[met]] = True
        open_ = open_[~met]
    result[open_] = True
    return result


def _difference(hulls: Hulls, left: Placed, right: Placed, directions: Array) -> Array:
    """The farthest points (k, 3) of the differences of pairs along directions (k, 3)."""
    one = hulls.farthest(left.which, left.rotation, directions) + left.place
    other = hulls.farthest(right.which, right.rotation, -directions) + right.place
    return one - other


_SUBSETS: Final = {
    size: [
        np.array(chosen)
        for many in range(1, size + 1)
        for chosen in combinations(range(size), many)
    ]
    for size in range(1, 5)
}


def _reduced(simplex: Array, size: Indices) -> tuple[Array, Array, Indices]:
    """The points of simplices (k, 4, 3) nearest to the origin, and the corners that span them."""
    count = len(simplex)
    nearest, corners = np.zeros((count, 3)), np.zeros((count, 4, 3))
    sizes = np.zeros(count, dtype=np.int64)
    for many, subsets in _SUBSETS.items():
        rows = np.flatnonzero(size == many)
        if not len(rows):
            continue
        best = np.full(len(rows), np.inf)
        for subset in subsets:
            points = simplex[rows][:, subset]
            found, inside = _on_corners(points)
            length = np.einsum("ni,ni->n", found, found)
            better = inside & (length < best)
            best[better] = length[better]
            chosen = rows[better]
            nearest[chosen], sizes[chosen] = found[better], len(subset)
            corners[chosen, : len(subset)] = points[better]
    return nearest, corners, sizes


def _on_corners(points: Array) -> tuple[Array, Flags]:
    """The point of the flat through corners (k, m, 3) nearest to the origin; is it between them.

    Source: the weights that solve for the foot of the perpendicular, as in Ericson 2005,
    "Real-Time Collision Detection", chapter 9.5.
    """
    start = points[:, 0]
    edges = points[:, 1:] - start[:, None]
    many = edges.shape[1]
    if not many:
        return start, np.ones(len(points), dtype=np.bool_)
    gram = edges @ edges.transpose(0, 2, 1)
    size = np.einsum("nii->n", gram)[:, None, None]
    solid = np.linalg.det(gram / np.maximum(size, 1e-300)) > 1e-14
    safe = np.where(solid[:, None, None], gram, np.eye(many))
    across: Array = -np.einsum("nmi,ni->nm", edges, start)
    weights: Array = solved(safe, across[:, :, None])[:, :, 0]
    found = start + np.einsum("nm,nmi->ni", weights, edges)
    inside: Flags = solid & (weights >= 0.0).all(axis=1) & (weights.sum(axis=1) <= 1.0)
    return found, inside
