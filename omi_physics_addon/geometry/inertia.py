"""Mass, centre of mass and inertia tensor of shapes, meshes and bodies made of several."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.shapes import Box, Capsule, Primitive, Sphere
from .arrays import Array
from .rotations import least_rotation, rotation_matrix

# Principal moments closer than this, relative to the largest, count as equal: where vertices are
# 32-bit numbers, the axes between them would be noise.
_EQUAL_MOMENTS = 1e-6
_NOISE = 1e-12  # Place of a centre, relative to the size of the body, that counts as none.

# Gauss-Legendre with three nodes on -1..1 is exact for polynomials up to degree five
# (Abramowitz and Stegun, 25.4.29); the solids of revolution below need degree four.
_NODES = np.array([-math.sqrt(0.6), 0.0, math.sqrt(0.6)])
_WEIGHTS = np.array([5.0, 8.0, 5.0]) / 9.0


@dataclass(frozen=True, eq=False)
class MassProperties:
    """What rigid-body physics needs to know about a solid.

    The functions that measure a shape assume a density of 1 kg/m³, so `mass` is also its volume.

    Attributes:
        mass: kg.
        center: (3,), centre of mass, m.
        tensor: (3, 3), inertia about the centre of mass, kg m², symmetric, along the axes of
            `center`.
    """

    mass: float
    center: Array
    tensor: Array


@dataclass(frozen=True)
class Surface:
    """What a triangle mesh says about the solid inside it.

    Attributes:
        closed: no edge is a border: every edge belongs to an even number of triangles.
        oriented: triangles that share an edge run through it in opposite directions.
        inside_out: the enclosed volume is negative; false unless closed and oriented.
    """

    closed: bool
    oriented: bool
    inside_out: bool


def measure_primitive(shape: Primitive) -> MassProperties:
    """Mass properties of a box or round shape around the origin.

    Raises:
        ValueError: a size is negative or not finite.
    """
    if isinstance(shape, Box):
        return measure_box(shape.size)
    if isinstance(shape, Sphere):
        return measure_sphere(shape.radius)
    measure = measure_capsule if isinstance(shape, Capsule) else measure_cylinder
    return measure(shape.height, shape.radius_bottom, shape.radius_top)


def measure_box(size: ArrayLike) -> MassProperties:
    """Mass properties of a box around the origin.

    Args:
        size: (3,), full lengths, m.

    Raises:
        ValueError: a size is negative or not finite.
    """
    x, y, z = _checked_sizes(np.asarray(size, dtype=np.float64).tolist())
    mass = x * y * z
    moments = np.array([y * y + z * z, z * z + x * x, x * x + y * y]) * (mass / 12.0)
    return MassProperties(mass, np.zeros(3), np.diag(moments))


def measure_sphere(radius: float) -> MassProperties:
    """Mass properties of a ball around the origin, `radius` in metres.

    Raises:
        ValueError: the radius is negative or not finite.
    """
    (radius,) = _checked_sizes([radius])
    mass = 4.0 / 3.0 * math.pi * radius * radius * radius  # A power would raise beyond 1e308.
    return MassProperties(mass, np.zeros(3), np.eye(3) * (0.4 * mass * radius * radius))


def measure_capsule(height: float, radius_bottom: float, radius_top: float) -> MassProperties:
    """Mass properties of the convex hull of two balls along Y.

    Args:
        height: distance between the centres of the balls, which are at y = ±height / 2, m.
        radius_bottom: radius of the ball at -Y, m.
        radius_top: radius of the ball at +Y, m.

    Raises:
        ValueError: a size is negative or not finite.

    Source: the hull is a frustum between the circles where a common tangent cone touches the
    balls, and what the balls have beyond them; one ball is all if it holds the other.
    """
    height, bottom, top = _checked_sizes([height, radius_bottom, radius_top])
    if abs(top - bottom) >= height:
        radius, y = (top, height / 2.0) if top > bottom else (bottom, -height / 2.0)
        return place(measure_sphere(radius), np.eye(3), [0.0, y, 0.0])
    sine = (bottom - top) / height
    cosine = math.sqrt((1.0 - sine) * (1.0 + sine))
    low, high = -height / 2.0, height / 2.0
    low_ring, high_ring = low + bottom * sine, high + top * sine
    return _revolved(
        [
            _slice_ball(low - bottom, low_ring, low, bottom),
            _slice_frustum(low_ring, high_ring, bottom * cosine, top * cosine),
            _slice_ball(high_ring, high + top, high, top),
        ]
    )


def measure_cylinder(height: float, radius_bottom: float, radius_top: float) -> MassProperties:
    """Mass properties of a cylinder, frustum or cone along Y, half its height around the origin.

    Args:
        height: full height, m.
        radius_bottom: radius at -Y, m.
        radius_top: radius at +Y, m.

    Raises:
        ValueError: a size is negative or not finite.
    """
    height, bottom, top = _checked_sizes([height, radius_bottom, radius_top])
    return _revolved([_slice_frustum(-height / 2.0, height / 2.0, bottom, top)])


def measure_mesh(vertices: ArrayLike, triangles: ArrayLike) -> MassProperties:
    """Mass properties of the solid inside a closed triangle mesh.

    A mesh that is inside-out is measured as if it were not. Cavities and several shells are fine.

    Args:
        vertices: (n, 3), metres; vertices at exactly the same place count as one.
        triangles: (m, 3), indices of vertices, counter-clockwise seen from outside.

    Raises:
        ValueError: the mesh has no triangles, an index or number is wrong, or the mesh is not
            closed and consistently oriented (see `inspect_mesh`); its convex hull may serve then.

    Source: sum over signed tetrahedra; their second moments after Blow and Binstock 2004, "How to
    find the inertia tensor (or other mass properties) of a 3D solid body".
    """
    points, faces = _checked_mesh(vertices, triangles)
    surface = inspect_mesh(points, faces)
    if not (surface.closed and surface.oriented):
        flaw = "consistently oriented" if surface.closed else "closed"
        raise ValueError(f"a mesh that is not {flaw} encloses no volume")
    middle = _middle(points)
    corners = points[faces] - middle
    extent = float(np.abs(corners).max())
    sixfold = _sixfold_volumes(corners)
    volume = float(sixfold.sum()) / 6.0
    if abs(volume) <= 1e-14 * extent * extent * extent:
        return MassProperties(0.0, middle, np.zeros((3, 3)))
    sums = corners.sum(axis=1)
    center = sixfold @ sums / (24.0 * volume)
    spread = np.concatenate([corners.reshape(-1, 3), sums])
    weights = np.concatenate([np.repeat(sixfold, 3), sixfold]) / 120.0
    second = (spread * weights[:, None]).T @ spread - volume * np.outer(center, center)
    inertia = math.copysign(1.0, volume) * (np.trace(second) * np.eye(3) - second)
    whole = (inertia + inertia.T) / 2.0
    if np.linalg.eigvalsh(whole)[0] <= 0.0:  # As flat as its numbers are rounded.
        return MassProperties(0.0, middle, np.zeros((3, 3)))
    return MassProperties(abs(volume), middle + center, whole)


def inspect_mesh(vertices: ArrayLike, triangles: ArrayLike) -> Surface:
    """Whether a triangle mesh bounds a solid.

    Args:
        vertices: (n, 3), metres; vertices at exactly the same place count as one, because glTF
            splits them where normals or texture coordinates change.
        triangles: (m, 3), indices of vertices.

    Raises:
        ValueError: the mesh has no triangles, or an index or number is wrong.
    """
    points, faces = _checked_mesh(vertices, triangles)
    welded = weld(points)[faces]
    start, end = welded.ravel(), welded[:, [1, 2, 0]].ravel()
    real = start != end
    start, end = start[real], end[real]
    key = np.minimum(start, end) * len(points) + np.maximum(start, end)
    edge = np.unique(key, return_inverse=True)[1].reshape(-1)
    uses = np.bincount(edge)
    surplus = np.abs(np.bincount(edge, weights=np.where(start < end, 1.0, -1.0)))
    closed = bool(np.all(uses % 2 == 0))
    oriented = bool(np.all(surplus == uses % 2))
    volume = float(_sixfold_volumes(points[faces] - _middle(points)).sum())
    return Surface(closed, oriented, closed and oriented and volume < 0.0)


def place(part: MassProperties, rotation: ArrayLike, translation: ArrayLike) -> MassProperties:
    """The same solid, turned and then moved.

    Args:
        part: the solid in its own axes.
        rotation: (3, 3), from the axes of the part to the new ones; a mirror image is fine.
        translation: (3,), where the origin of the part is in the new axes, m.

    Raises:
        ValueError: the matrix scales or shears; measure the scaled shape instead.
    """
    matrix = np.asarray(rotation, dtype=np.float64)
    # Wide enough for matrices that come from 32-bit numbers.
    if matrix.shape != (3, 3) or not np.abs(matrix @ matrix.T - np.eye(3)).max() <= 1e-4:
        raise ValueError("the matrix is not a rotation")
    center = matrix @ part.center + np.asarray(translation, dtype=np.float64)
    return MassProperties(part.mass, center, matrix @ part.tensor @ matrix.T)


def combine(parts: Iterable[MassProperties]) -> MassProperties:
    """Mass properties of one rigid body made of several solids that share their axes.

    Args:
        parts: each in the axes of the body (see `place`); where they overlap, both count.

    Raises:
        ValueError: there are no parts.

    Source: parallel axis theorem.
    """
    solids = list(parts)
    if not solids:
        raise ValueError("there are no parts to combine")
    if len(solids) == 1:
        mass, center, whole = solids[0].mass, solids[0].center, solids[0].tensor
    else:
        masses = np.array([solid.mass for solid in solids])
        centers = np.stack([solid.center for solid in solids])
        mass = float(masses.sum())
        center = masses @ centers / mass if mass > 0.0 else centers.mean(axis=0)
        offsets = centers - center
        second = (offsets * masses[:, None]).T @ offsets
        own = np.sum([solid.tensor for solid in solids], axis=0)
        whole = own + np.trace(second) * np.eye(3) - second
    # Which digits of a sum of products are noise differs between processors.
    noise = _NOISE * math.sqrt(float(np.trace(whole)) / mass) if mass > 0.0 else 0.0
    return MassProperties(mass, np.where(np.abs(center) <= noise, 0.0, center), whole)


def with_mass(part: MassProperties, mass: float) -> MassProperties:
    """The same solid with another density, so that it weighs `mass` kilograms.

    Raises:
        ValueError: the solid has no volume.
    """
    if part.mass <= 0.0:
        raise ValueError("a solid without volume cannot be given a mass")
    return MassProperties(mass, part.center, part.tensor * (mass / part.mass))


def principal(tensor: ArrayLike) -> tuple[Array, Array]:
    """Principal moments of an inertia tensor, and the rotation of their axes.

    Of the many equivalent answers this is the one with the smallest rotation, so a diagonal tensor
    gives its diagonal and exactly the identity; moments that are equal to within a millionth leave
    their axes alone.

    Args:
        tensor: (3, 3), kg m²; only its symmetric part counts.

    Returns:
        The moments (3,), kg m², and the quaternion (4,), x, y, z, w with w > 0, that turns the
        principal axes into the axes of the tensor; see `tensor` for the way back.

    Raises:
        ValueError: a number is not finite.
    """
    matrix = np.asarray(tensor, dtype=np.float64)
    if matrix.shape != (3, 3) or not np.isfinite(matrix).all():
        raise ValueError("an inertia tensor has three by three finite numbers")
    matrix = (matrix + matrix.T) / 2.0
    if not matrix[~np.eye(3, dtype=bool)].any():  # What the rest would find, in more time.
        rotation = np.eye(3)
    else:
        rotation = _smallest_rotation(*np.linalg.eigh(matrix))
    diagonal = np.sum(rotation * (matrix @ rotation), axis=0)
    noise = 1e-14 * float(np.abs(diagonal).max())
    diagonal = np.where(np.abs(diagonal) <= noise, 0.0, diagonal)
    return diagonal, _quaternion(rotation)


def tensor(diagonal: ArrayLike, quaternion: ArrayLike) -> Array:
    """The inertia tensor (3, 3), kg m², with these principal moments: R · diag(D) · Rᵀ.

    Args:
        diagonal: (3,), principal moments, kg m².
        quaternion: (4,), x, y, z, w, from the principal axes to the axes of the result; need not
            have unit length.

    Raises:
        ValueError: the quaternion is zero or not finite.
    """
    matrix = rotation_matrix(quaternion)
    turned = (matrix * np.asarray(diagonal, dtype=np.float64)) @ matrix.T
    return (turned + turned.T) / 2.0


def _checked_sizes(sizes: list[float]) -> list[float]:
    if not all(math.isfinite(size) and size >= 0.0 for size in sizes):
        raise ValueError(f"sizes must be finite and not negative: {sizes}")
    return [float(size) for size in sizes]


def _slice_frustum(start: float, end: float, radius_start: float, radius_end: float) -> Array:
    """A part of a solid of revolution for `_revolved`, as is `_slice_ball`."""
    part = (_NODES + 1.0) / 2.0
    radii = radius_start + (radius_end - radius_start) * part
    heights = start + (end - start) * part
    return np.array([heights, _WEIGHTS * ((end - start) / 2.0), radii * radii])


def _slice_ball(start: float, end: float, center: float, radius: float) -> Array:
    heights = start + (end - start) * (_NODES + 1.0) / 2.0
    offsets = heights - center
    squares = (radius - offsets) * (radius + offsets)
    return np.array([heights, _WEIGHTS * ((end - start) / 2.0), squares])


def _revolved(slices: list[Array]) -> MassProperties:
    """Mass properties of a stack of discs: a disc has r⁴π/2 about Y and half of it about X.

    Args:
        slices: (3, 3) each: height of the three nodes, their weights, m, and the squared radius
            there, m², a polynomial of degree two at most in the height.
    """
    heights, weights, squares = np.concatenate(slices, axis=1)
    areas = math.pi * weights * squares
    mass = float(areas.sum())
    if mass <= 0.0:
        return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))
    middle = float(areas @ heights) / mass
    around = float(areas @ squares) / 2.0
    across = around / 2.0 + float(areas @ (heights - middle) ** 2)
    return MassProperties(mass, np.array([0.0, middle, 0.0]), np.diag([across, around, across]))


def _checked_mesh(vertices: ArrayLike, triangles: ArrayLike) -> tuple[Array, NDArray[np.int64]]:
    points = np.asarray(vertices, dtype=np.float64)
    faces = np.asarray(triangles)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise ValueError("vertices must be finite and have the shape (n, 3)")
    if faces.ndim != 2 or faces.shape[1] != 3 or len(faces) == 0:
        raise ValueError("triangles must have the shape (m, 3), m above zero")
    if not np.issubdtype(faces.dtype, np.integer):
        raise ValueError("triangles must be whole numbers")
    if faces.min() < 0 or faces.max() >= len(points):
        raise ValueError("a triangle refers to a vertex that does not exist")
    return points, faces.astype(np.int64)


def _middle(points: Array) -> Array:
    # Measuring from the middle of the mesh keeps the digits of meshes far from the origin.
    return points.min(axis=0) / 2.0 + points.max(axis=0) / 2.0


def weld(points: Array) -> NDArray[np.int64]:
    """For each vertex (n,) a number that all vertices at the same place share."""
    order = np.lexsort(points.T)
    ordered = points[order]
    first = np.ones(len(points), dtype=np.int64)
    first[1:] = np.any(ordered[1:] != ordered[:-1], axis=1)
    welded = np.empty(len(points), dtype=np.int64)
    welded[order] = np.cumsum(first) - 1
    return welded


def _sixfold_volumes(corners: Array) -> Array:
    """Six times the signed volume (m,) of the tetrahedra of the origin and triangles (m, 3, 3)."""
    normals = np.cross(corners[:, 1], corners[:, 2])
    return np.sum(corners[:, 0] * normals, axis=1)


def _smallest_rotation(moments: Array, axes: Array) -> Array:
    """The principal axes as columns (3, 3), right-handed and as close to X, Y, Z as they can be.

    Args:
        moments: (3,), ascending.
        axes: (3, 3), the eigenvectors as columns, in any hand.
    """
    tolerance = _EQUAL_MOMENTS * float(np.abs(moments).max())
    lower_equal, upper_equal = (np.diff(moments) <= tolerance).tolist()
    if lower_equal and upper_equal:
        return np.eye(3)
    if lower_equal or upper_equal:
        return _shortest_arc(axes[:, 2 if lower_equal else 0])
    turned = [_right_handed(axes[:, order]) for order in permutations(range(3))]
    # The trace is largest where the angle is smallest; rounding keeps noise from breaking ties.
    return max(turned, key=lambda rotation: round(float(np.trace(rotation)), 9))


def _right_handed(axes: Array) -> Array:
    """The same axes (3, 3) in a right hand, each as close to X, Y or Z as that allows."""
    nearness = np.diag(axes)
    signs = np.where(nearness < 0.0, -1.0, 1.0)
    if np.linalg.det(axes * signs) < 0.0:
        signs[np.argmin(np.abs(nearness))] *= -1.0
    return axes * signs


def _shortest_arc(axis: Array) -> Array:
    """The smallest rotation (3, 3) that turns one of X, Y, Z into ± a unit vector (3,)."""
    index = int(np.argmax(np.round(np.abs(axis), 9)))
    target = axis * math.copysign(1.0, float(axis[index]))
    return least_rotation(np.eye(3)[index], target)


def _quaternion(rotation: Array) -> Array:
    # The smallest rotation between two sets of axes is below 63°, so w is never small.
    w = math.sqrt(1.0 + float(np.trace(rotation))) / 2.0
    skew = (rotation - rotation.T) / (4.0 * w)
    # Adding zero turns -0.0 into 0.0.
    quaternion = np.array([skew[2, 1], skew[0, 2], skew[1, 0], w]) + 0.0
    return quaternion / np.linalg.norm(quaternion)
