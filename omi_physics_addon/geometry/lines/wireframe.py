"""The lines that show physics shapes in a viewport.

Every function returns vertices (2k, 3) as 32-bit floats: vertices 2i and 2i + 1 are the ends of
line i. Shapes are centred on the origin, in their own glTF axes and in metres. The arrays belong to
the caller. Drawing must not fail because of a number an artist is still typing, so sizes are not
checked: nonsense in, nonsense out.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...model.shapes import Box, Capsule, Plane, Primitive, Sphere

Lines = NDArray[np.float32]

# Lines of a full circle, a multiple of four: smooth at the usual sizes.
SEGMENTS = 32

# More pieces than this, and more than four per line, would cost more than they show.
MAX_DASHES = 4096


def shape_lines(shape: Primitive | Plane, endless: float) -> Lines:
    """The lines of a shape; `endless`, in metres, is shown of what has no end."""
    if isinstance(shape, Box):
        return box_lines(shape.size)
    if isinstance(shape, Sphere):
        return sphere_lines(shape.radius)
    if isinstance(shape, Plane):
        x, z = (endless if size is None else size for size in (shape.size_x, shape.size_z))
        return plane_lines(x, z)
    function = capsule_lines if isinstance(shape, Capsule) else cylinder_lines
    return function(shape.height, shape.radius_bottom, shape.radius_top)


def box_lines(size: ArrayLike) -> Lines:
    """The twelve edges of a box of full size (3,)."""
    return _box_template() * np.asarray(size, dtype=np.float32)


def plane_lines(size_x: float, size_z: float) -> Lines:
    """The edges and diagonals of a rectangle across Y, and a short line up its upper side."""
    x, z = size_x / 2.0, size_z / 2.0
    corners = [(-x, 0.0, -z), (x, 0.0, -z), (x, 0.0, z), (-x, 0.0, z)]
    ends = [(i, (i + 1) % 4) for i in range(4)] + [(0, 2), (1, 3)]
    lines = [corners[i] for pair in ends for i in pair]
    up = min(x, z) / 4.0
    return np.array([*lines, (0.0, 0.0, 0.0), (0.0, up, 0.0)], dtype=np.float32)


def sphere_lines(radius: float) -> Lines:
    """Three great circles of a ball, `radius` in metres."""
    return _sphere_template() * np.float32(radius)


def cylinder_lines(height: float, radius_bottom: float, radius_top: float) -> Lines:
    """A ring at each end of a cylinder, frustum or cone along Y, and four lines up its side.

    An end whose radius is zero has no ring; a cylinder without any radius is one line.

    Args:
        height: full height, m.
        radius_bottom: radius at -Y, m.
        radius_top: radius at +Y, m.
    """
    template = _cylinder_template(radius_bottom != 0.0, radius_top != 0.0)
    sizes = np.array((radius_bottom, radius_top, height), dtype=np.float32)
    return (sizes @ template).reshape(-1, 3)


def capsule_lines(height: float, radius_bottom: float, radius_top: float) -> Lines:
    """Two outlines of the convex hull of two balls along Y, and a ring where each cap begins.

    The outlines are cut along the planes of X and Y and of Z and Y. Their straight sides and the
    rings lie on the cone that touches both balls. Where one ball holds the other, it is drawn
    alone; a ball of radius zero is a tip.

    Args:
        height: distance between the centres of the balls, which are at y = ±height / 2, m.
        radius_bottom: radius of the ball at -Y, m.
        radius_top: radius of the ball at +Y, m.
    """
    # Asked this way round, a number that is not finite does no harm either.
    if not abs(radius_top - radius_bottom) < height:
        return _largest_ball(height, radius_bottom, radius_top)
    # How far the normals of the side lean upwards: the caps begin where ball and cone share them.
    lean = math.asin((radius_bottom - radius_top) / height)
    outline = _capsule_outline(height, radius_bottom, radius_top, lean)
    circle = _circle()
    count, ring = len(outline), len(circle)
    ends = [(y, r) for y, r in ((-0.5, radius_bottom), (0.5, radius_top)) if r != 0.0]
    planes = 2 if ends else 1
    lines = np.zeros((planes * count + len(ends) * ring, 3), dtype=np.float32)
    lines[:count, :2] = outline
    if planes == 2:
        lines[count : 2 * count, 1:] = outline[:, ::-1]
    for index, (y, radius) in enumerate(ends):
        target = lines[2 * count + index * ring :][:ring]
        target[:, ::2] = circle * np.float32(radius * math.cos(lean))
        target[:, 1] = y * height + radius * math.sin(lean)
    return lines


def mesh_lines(vertices: ArrayLike, edges: ArrayLike) -> Lines:
    """The edges of a mesh.

    Args:
        vertices: (n, 3), metres.
        edges: (k, 2), indices of vertices; each edge once.

    Raises:
        IndexError: an edge refers to a vertex that does not exist.
    """
    points = np.asarray(vertices, dtype=np.float32).reshape(-1, 3)
    ends = np.asarray(edges, dtype=np.intp).reshape(-1)
    return points[ends]


def cross_lines(size: float) -> Lines:
    """Three lines of length `size` along X, Y and Z that cross in the origin."""
    return _cross_template() * np.float32(size)


def arrow_lines(start: ArrayLike, end: ArrayLike, *, head: float = 0.2) -> Lines:
    """A shaft and the four barbs of its head; no lines if its length is zero or not finite.

    Args:
        start: (3,), where the shaft begins, m.
        end: (3,), where the tip is, m.
        head: length of the head as a part of the whole, 0 to 1.
    """
    tail = np.asarray(start, dtype=np.float64)
    x, y, z = (np.asarray(end, dtype=np.float64) - tail).tolist()
    length = math.hypot(x, y, z)
    if not 0.0 < length < math.inf:
        return np.zeros((0, 3), dtype=np.float32)
    # A direction across the shaft: the cross product with the axis it follows least.
    least = min(((abs(x), (0.0, z, -y)), (abs(y), (-z, 0.0, x)), (abs(z), (y, -x, 0.0))))[1]
    stretch = length / math.hypot(*least)
    a, b, c = (each * stretch for each in least)
    side = ((y * c - z * b) / length, (z * a - x * c) / length, (x * b - y * a) / length)
    frame = np.array([(a, b, c), (x, y, z), side])
    return (_arrow_template(head) @ frame + tail).astype(np.float32)


def dashed(lines: ArrayLike, dash: float, gap: float) -> Lines:
    """The same lines, cut into dashes.

    The pattern runs on from each line to the next, so it neither starts anew at every line of a
    circle nor hides in meshes with short edges. It is stretched where it would have very many
    pieces (`MAX_DASHES`). Lines with a number that is not finite are left out.

    Args:
        lines: (2k, 3), pairs of ends, metres.
        dash: length of a dash, m, above zero.
        gap: length of a gap, m; zero leaves the lines whole.

    Raises:
        ValueError: a length is out of range or not finite.
    """
    if not (0.0 < dash < math.inf and 0.0 <= gap < math.inf):
        raise ValueError(f"there are no dashes of {dash} m with gaps of {gap} m")
    ends = np.array(lines, dtype=np.float32).reshape(-1, 2, 3)
    ends = ends[np.isfinite(ends).all(axis=(1, 2))]
    if gap == 0.0 or len(ends) == 0:
        return ends.reshape(-1, 3)
    ends = ends.astype(np.float64)
    direction = ends[:, 1] - ends[:, 0]
    lengths = np.sqrt(np.sum(direction * direction, axis=1))
    line, start, stop = _dashes(lengths, dash, gap)
    cuts = np.stack([start, stop], axis=1)[:, :, None]
    pieces = ends[line, None, 0] + direction[line, None] * cuts
    return pieces.reshape(-1, 3).astype(np.float32)


def _dashes(
    lengths: NDArray[np.float64], dash: float, gap: float
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Which line each dash is on, and the parts of it, 0 to 1, where the dash starts and stops.

    A dash that goes round a corner is one for each line it covers.
    """
    stops = np.cumsum(lengths)
    starts = stops - lengths
    most = max(MAX_DASHES, 4 * len(lengths))
    period = max(dash + gap, float(stops[-1]) / most)
    dash *= period / (dash + gap)
    first = np.floor((starts - dash) / period) + 1.0
    counts = np.maximum(np.ceil(stops / period) - first, 0.0).astype(np.intp)
    line = np.repeat(np.arange(len(lengths)), counts)
    before = np.cumsum(counts) - counts
    dash_start = (first[line] + (np.arange(len(line)) - before[line])) * period
    begin = np.maximum(dash_start, starts[line])
    finish = np.minimum(dash_start + dash, stops[line])
    # Rounding can leave a dash of no length at the end of a line.
    real = finish - begin > 1e-9 * period
    line, begin, finish = line[real], begin[real], finish[real]
    return line, (begin - starts[line]) / lengths[line], (finish - starts[line]) / lengths[line]


def _largest_ball(height: float, radius_bottom: float, radius_top: float) -> Lines:
    """The lines of a capsule whose larger ball holds the other."""
    lines = sphere_lines(max(radius_bottom, radius_top))
    lines[:, 1] += np.float32(height / 2.0 if radius_top > radius_bottom else -height / 2.0)
    return lines


def _capsule_outline(height: float, radius_bottom: float, radius_top: float, lean: float) -> Lines:
    """The closed outline (2k, 2) of a capsule in the plane of X and Y, counter-clockwise."""
    start, turn = _arcs()
    angles = start + turn * np.float32(lean)
    corners = np.empty((len(angles), 2), dtype=np.float32)
    np.cos(angles, out=corners[:, 0])
    np.sin(angles, out=corners[:, 1])
    count = len(angles) // 2
    for arc, y, radius in (
        (corners[:count], -height / 2.0, radius_bottom),
        (corners[count:], height / 2.0, radius_top),
    ):
        arc *= np.float32(radius)
        arc[:, 1] += np.float32(y)
    # A ball of radius zero is a single corner.
    first = count - 1 if radius_bottom == 0.0 else 0
    last = count + 1 if radius_top == 0.0 else 2 * count
    return corners[first:last][_loop(last - first)]


def _frozen(values: ArrayLike) -> Lines:
    """A template that no caller can change by mistake."""
    array = np.array(values, dtype=np.float32)
    array.flags.writeable = False
    return array


@lru_cache(maxsize=1)
def _circle() -> Lines:
    """The lines (2 * SEGMENTS, 2) of the unit circle."""
    angles = np.arange(SEGMENTS) * (2.0 * math.pi / SEGMENTS)
    # Rounded, so that the quarter points are exactly on the axes.
    corners = np.stack([np.cos(angles), np.sin(angles)], axis=1).round(12)
    return _frozen(corners[_loop(SEGMENTS)])


@lru_cache(maxsize=64)
def _loop(count: int) -> NDArray[np.intp]:
    """The corners of the lines of a closed path: 0, 1, 1, 2, ..., count - 1, 0."""
    if count == 2:
        return np.array([0, 1], dtype=np.intp)
    steps = np.arange(count, dtype=np.intp)
    return np.stack([steps, (steps + 1) % count], axis=1).reshape(-1)


@lru_cache(maxsize=1)
def _arcs() -> tuple[Lines, Lines]:
    """The angles of the corners of both caps, as start + turn * lean, bottom first.

    The bottom cap goes from the left side through -Y to the right one, the top cap through +Y back.
    """
    part = np.linspace(-1.0, 1.0, SEGMENTS // 2 + 1)
    quarter = math.pi / 2.0
    start = np.concatenate([quarter * (part - 1.0), quarter * (part + 1.0)])
    return _frozen(start), _frozen(np.concatenate([part, -part]))


@lru_cache(maxsize=1)
def _box_template() -> Lines:
    """The edges (24, 3) of the unit cube."""
    corners = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    edges = [(i, i | bit) for bit in (1, 2, 4) for i in range(8) if not i & bit]
    return _frozen(corners[np.array(edges)].reshape(-1, 3))


@lru_cache(maxsize=1)
def _cross_template() -> Lines:
    """Unit lines (6, 3) along the axes."""
    return _frozen(np.stack([np.eye(3) * -0.5, np.eye(3) * 0.5], axis=1).reshape(-1, 3))


@lru_cache(maxsize=1)
def _sphere_template() -> Lines:
    """Great circles (6 * SEGMENTS, 3) of the unit ball in the planes of XY, YZ and ZX."""
    circle = _circle()
    planes = np.zeros((3, len(circle), 3))
    for index in range(3):
        planes[index][:, [index, (index + 1) % 3]] = circle
    return _frozen(planes.reshape(-1, 3))


@lru_cache(maxsize=4)
def _cylinder_template(bottom: bool, top: bool) -> Lines:
    """What bottom radius, top radius and height (3,) add to each coordinate (3, 6k) of the lines.

    Every vertex depends on them linearly, so one product makes all the lines.
    """
    circle = _circle()
    sides = circle[:: SEGMENTS // 2] if bottom or top else circle[:1]
    parts: list[NDArray[np.float64]] = []
    for present, index, y in ((bottom, 0, -0.5), (top, 1, 0.5)):
        if present:
            ring = np.zeros((3, len(circle), 3))
            ring[index][:, ::2] = circle
            ring[2, :, 1] = y
            parts.append(ring)
    uprights = np.zeros((3, 2 * len(sides), 3))
    uprights[0, ::2, ::2] = sides
    uprights[1, 1::2, ::2] = sides
    uprights[2, :, 1] = np.tile([-0.5, 0.5], len(sides))
    return _frozen(np.concatenate([*parts, uprights], axis=1).reshape(3, -1))


@lru_cache(maxsize=32)
def _arrow_template(head: float) -> Lines:
    """An arrow (10, 3) from the origin along +Y, one metre long."""
    low, wide = 1.0 - head, 0.4 * head
    barbs = [(wide, low, 0.0), (-wide, low, 0.0), (0.0, low, wide), (0.0, low, -wide)]
    shaft = [(0.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
    return _frozen(shaft + [point for barb in barbs for point in ((0.0, 1.0, 0.0), barb)])
