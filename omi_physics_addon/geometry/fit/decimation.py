"""Triangle meshes with few triangles that still look like the one they are made of."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..arrays import Array, Flags, Indices, face_normals

_BORDER: Final = 10.0  # How much a border weighs against the faces beside it.
_EVEN: Final = 1e-6  # Of the trace: what keeps corners of what is flat where they are.
_TURN: Final = 0.2  # Cosine of the angle by which a face may turn at most.
_SOLVABLE: Final = 1e-10  # Determinant, of the cube of the trace, from which on a place is sure.
_PASSES: Final = 3  # In which edges of a round are looked for; more find few.
_FEW: Final = 64  # Edges all of which are looked at.
_ROUNDS: Final = 1000  # Each makes the mesh smaller, or is the last.


def decimate(points: Array, triangles: Indices, most: int) -> tuple[Array, Indices]:
    """A mesh with no more triangles than that, where its form allows it; else as few as it does.

    In each round, the edges that cost least among all near them shrink to a point, so that none
    knows of another. What turns a face around, or makes a surface meet itself, is left.

    Args:
        points: (n, 3), m; those at one place count as one.
        triangles: (m, 3), indices of points.

    Returns:
        The points that are used (k, 3) and the triangles (j, 3).

    Source: Garland and Heckbert 1997, "Surface simplification using quadric error metrics"; its
    queue is replaced by rounds. Links of edges: Dey et al. 1999, "Topology preserving edge
    contraction".
    """
    points, triangles = _welded(points, triangles)
    if len(triangles) <= most:
        return points, triangles
    middle, size = points.mean(axis=0), float(np.ptp(points, axis=0).max()) or 1.0
    points = (points - middle) / size
    quadrics = _quadrics(points, triangles)
    refused = np.zeros(0, dtype=np.int64)
    for _ in range(_ROUNDS):
        spare = len(triangles) - most
        if spare <= 0:
            break
        edges, uses = _edges(triangles, len(points))
        chosen, places = _cheapest(points, quadrics, edges, refused)
        pairs = edges[chosen]
        allowed = _faces_up(points, triangles, pairs, places) & _linked(edges, uses, chosen)
        refused = np.union1d(refused, _keys(pairs[~allowed], len(points)))
        needed = (spare + 1) // 2  # An edge inside of a surface takes two triangles with it.
        pairs, places = pairs[allowed][:needed], places[allowed][:needed]
        if not len(pairs):
            if not len(chosen):
                break
            continue
        refused = refused[~_near(refused, pairs, triangles, len(points))]
        keep, gone = pairs.T
        points[keep] = places
        quadrics[keep] += quadrics[gone]
        target = np.arange(len(points))
        target[gone] = keep
        triangles = target[triangles]
        triangles = triangles[_is_whole(triangles)]
    points, triangles = _used(points, triangles)
    return points * size + middle, triangles


def _welded(points: Array, triangles: Indices) -> tuple[Array, Indices]:
    places, index = np.unique(points, axis=0, return_inverse=True)
    joined = index.reshape(-1)[triangles]
    return _used(places.astype(np.float64), joined[_is_whole(joined)])


def _is_whole(triangles: Indices) -> Flags:
    a, b, c = triangles.T
    return (a != b) & (b != c) & (c != a)


def _used(points: Array, triangles: Indices) -> tuple[Array, Indices]:
    used, index = np.unique(triangles, return_inverse=True)
    return points[used], index.reshape(-1, 3).astype(np.int64)


def _quadrics(points: Array, triangles: Indices) -> Array:
    """For each point the squared distances from the planes around it, as matrices (n, 4, 4)."""
    normals = face_normals(points, triangles)
    areas = np.linalg.norm(normals, axis=1)
    units = normals / np.where(areas > 0.0, areas, 1.0)[:, None]
    quadrics = np.zeros((len(points), 4, 4))
    _add_planes(quadrics, points, triangles, units, points[triangles[:, 0]], areas)
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    owners = np.tile(np.arange(len(triangles)), 3)
    keys = _keys(np.sort(sides, axis=1), len(points))
    _values, index, counts = np.unique(keys, return_inverse=True, return_counts=True)
    border = np.flatnonzero(counts[index] == 1)
    along = points[sides[border, 1]] - points[sides[border, 0]]
    walls = np.cross(along, units[owners[border]])
    lengths = np.linalg.norm(walls, axis=1)
    walls /= np.where(lengths > 0.0, lengths, 1.0)[:, None]
    weights = _BORDER * lengths * lengths
    _add_planes(quadrics, points, sides[border], walls, points[sides[border, 0]], weights)
    return quadrics


def _add_planes(
    quadrics: Array, points: Array, rows: Indices, units: Array, at: Array, weights: Array
) -> None:
    """Add planes through points to all points that they belong to."""
    offsets = -np.einsum("ki,ki->k", units, at)
    planes = np.concatenate([units, offsets[:, None]], axis=1)
    flat = (weights[:, None, None] * planes[:, :, None] * planes[:, None, :]).reshape(-1, 16)
    sums = quadrics.reshape(-1, 16)
    for column in rows.T:
        for entry in range(16):
            sums[:, entry] += np.bincount(column, flat[:, entry], len(points))


def _edges(triangles: Indices, count: int) -> tuple[Indices, Indices]:
    """The edges (k, 2), lower end first, in order, and of how many triangles each is a side."""
    a, b, c = triangles.T
    low = np.concatenate([np.minimum(a, b), np.minimum(b, c), np.minimum(c, a)])
    high = np.concatenate([np.maximum(a, b), np.maximum(b, c), np.maximum(c, a)])
    keys, uses = np.unique(low * count + high, return_counts=True)
    return np.stack([keys // count, keys % count], axis=1), uses


def _keys(pairs: Indices, count: int) -> Indices:
    return pairs[:, 0] * count + pairs[:, 1]


def _cheapest(
    points: Array, quadrics: Array, edges: Indices, refused: Indices
) -> tuple[Indices, Array]:
    """Edges that cost less than all near them, the cheapest first, and where they shrink to."""
    sums = quadrics[edges[:, 0]] + quadrics[edges[:, 1]]
    places = _places(points, edges, sums)
    at = np.concatenate([places, np.ones((len(places), 1))], axis=1)
    costs = np.maximum(np.einsum("ki,kij,kj->k", at, sums, at), 0.0)
    lengths = np.square(points[edges[:, 0]] - points[edges[:, 1]]).sum(axis=1)
    costs += _EVEN * lengths * np.trace(sums[:, :3, :3], axis1=1, axis2=2)
    costs[np.isin(_keys(edges, len(points)), refused, assume_unique=True)] = np.inf
    ranks = np.empty(len(edges), dtype=np.int64)
    order = np.argsort(costs, kind="stable")
    ranks[order] = np.arange(len(edges))
    chosen = _apart(edges, np.where(np.isfinite(costs), ranks, len(edges)), len(points))
    return chosen, places[chosen]


def _apart(edges: Indices, ranks: Indices, count: int) -> Indices:
    """Edges of low ranks of which no triangle knows two, the lowest first."""
    cheap = np.flatnonzero(ranks < min(max(len(edges) // 2, _FEW), len(edges)))
    is_taken = np.zeros(len(edges), dtype=bool)
    for _ in range(_PASSES):
        lowest = np.full(count, len(edges))
        for end in edges[cheap].T:
            np.minimum.at(lowest, end, ranks[cheap])
        around = lowest.copy()
        for one, other in (edges.T, edges.T[::-1]):
            np.minimum.at(around, one, lowest[other])
        ends = edges[cheap]
        found = (around[ends[:, 0]] == ranks[cheap]) & (around[ends[:, 1]] == ranks[cheap])
        is_taken[cheap[found]] = True
        is_held = np.zeros(count, dtype=bool)
        is_held[edges[is_taken]] = True
        is_near = is_held.copy()
        for one, other in (edges.T, edges.T[::-1]):
            is_near[one[is_held[other]]] = True
        cheap = cheap[~is_near[edges[cheap]].any(axis=1)]
    taken = np.flatnonzero(is_taken)
    return taken[np.argsort(ranks[taken])]


def _places(points: Array, edges: Indices, sums: Array) -> Array:
    """The best place for each edge: where that is not sure, its middle."""
    a, b = points[edges[:, 0]], points[edges[:, 1]]
    places = (a + b) / 2.0
    matrices, right = sums[:, :3, :3], -sums[:, :3, 3]
    traces = np.trace(matrices, axis1=1, axis2=2)
    sure = np.flatnonzero(np.linalg.det(matrices) > _SOLVABLE * traces**3)
    found = np.linalg.solve(matrices[sure], right[sure][..., None])[..., 0]
    reach = np.square(a[sure] - b[sure]).sum(axis=1)
    near = np.square(found - places[sure]).sum(axis=1) <= 4.0 * reach
    places[sure[near]] = found[near]
    return places


def _linked(edges: Indices, uses: Indices, chosen: Indices) -> Flags:
    """Whether ends of edges share no more neighbors than the edges have triangles."""
    both = np.concatenate([edges, edges[:, ::-1]])
    order = np.argsort(both[:, 0], kind="stable")
    starts, others = both[order, 0], both[order, 1]
    owners: list[Indices] = []
    near: list[Indices] = []
    ends: list[Indices] = [edges[chosen, side] for side in (0, 1)]
    for end in ends:
        first: Indices = np.searchsorted(starts, end)
        last: Indices = np.searchsorted(starts, end, side="right")
        owner = np.repeat(np.arange(len(chosen)), last - first)
        counts: Indices = last - first
        shift = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        owners.append(owner)
        near.append(others[first[owner] + shift])
    count = int(edges.max()) + 1 if len(edges) else 1
    keys, seen = np.unique(
        np.concatenate(owners) * count + np.concatenate(near), return_counts=True
    )
    shared = np.bincount(keys[seen == 2] // count, minlength=len(chosen))
    return (shared == uses[chosen]) & (uses[chosen] <= 2)


def _faces_up(points: Array, triangles: Indices, pairs: Indices, places: Array) -> Flags:
    """Whether no triangle beside edges that shrink turns too far, or falls onto another."""
    owner = np.full(len(points), -1)
    owner[pairs[:, 0]] = owner[pairs[:, 1]] = np.arange(len(pairs))
    owners = owner[triangles]
    rows = np.flatnonzero((owners >= 0).sum(axis=1) == 1)
    before = points[triangles[rows]]
    if not len(rows):
        return np.ones(len(pairs), dtype=bool)
    after = np.where((owners[rows] >= 0)[..., None], places[owners[rows].clip(0)], before)
    old = np.cross(before[:, 1] - before[:, 0], before[:, 2] - before[:, 0])
    new = np.cross(after[:, 1] - after[:, 0], after[:, 2] - after[:, 0])
    lengths = np.linalg.norm(old, axis=1) * np.linalg.norm(new, axis=1)
    turned = (np.einsum("ki,ki->k", old, new) <= _TURN * lengths) & (lengths > 0.0)
    target = np.arange(len(points))
    target[pairs[:, 1]] = pairs[:, 0]
    a, b, c = np.sort(target[triangles[rows]], axis=1).T
    keys: Indices = (a * len(points) + b) * len(points) + c
    _values, index, counts = np.unique(keys, return_inverse=True, return_counts=True)
    flags = np.ones(len(pairs), dtype=bool)
    flags[owners[rows[turned | (counts[index] > 1)]].max(axis=1)] = False
    return flags


def _near(refused: Indices, pairs: Indices, triangles: Indices, count: int) -> Flags:
    """Which refused edges are near to what changed, and may be asked again."""
    changed = np.zeros(count, dtype=bool)
    changed[pairs] = True
    touched = changed[triangles].any(axis=1)
    changed[triangles[touched]] = True
    return changed[refused // count] | changed[refused % count]
