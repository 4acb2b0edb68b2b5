"""The shapes that Blender makes of the bounds of an object, and which of them a shape of ours is.

Blender puts them around the origin of the object, however its mesh lies.
Source: rigidbody_validate_sim_shape() in Blender's blenkernel/intern/rigidbody.cc.
"""

from __future__ import annotations

import math
from typing import Final

from ...axes import Axes
from ...geometry.scaled_shapes import exact, of_same_volume, resized
from ...model.shapes import Box, Capsule, Cylinder, Geometry, Sphere

Half = tuple[float, float, float]  # Half of the bounds along the axes of the object, in Blender.

OF_MESHES: Final = {"CONVEX_HULL": "CONVEX", "MESH": "TRIMESH"}
_AXES: Final = Axes()
_ONE: Final = (1.0, 1.0, 1.0)
_LEAST: Final = 1e-3  # Of a size, m: ours are above zero.
_CLOSE: Final = 1e-4  # Relative; 32-bit bounds are no more precise.


def is_flat(kind: str, half: Half) -> bool:
    """Whether a size of Blender's shape is zero, which ours cannot be."""
    if kind == "SPHERE":
        return max(half) < _LEAST / 2.0
    if kind == "BOX":
        return min(half) < _LEAST / 2.0
    return kind not in OF_MESHES and (max(half[:2]) < _LEAST / 2.0 or half[2] < _LEAST / 2.0)


def geometry_of(kind: str, half: Half) -> Geometry:
    """Our shape for a shape of Blender's that has one made of bounds.

    Args:
        kind: BOX, SPHERE, CAPSULE, CYLINDER or CONE.

    Raises:
        ValueError: Blender makes no shape of that kind of bounds.
    """
    x, y, z = half
    radius, height = _least(max(x, y)), _least(2.0 * z)
    if kind == "BOX":
        return Box(size=_AXES.size_to_gltf((_least(2.0 * x), _least(2.0 * y), _least(2.0 * z))))
    if kind == "SPHERE":
        return Sphere(radius=_least(max(half)))
    if kind == "CYLINDER":
        return Cylinder(height=height, radius_bottom=radius, radius_top=radius)
    if kind == "CONE":
        return Cylinder(height=height, radius_bottom=radius, radius_top=0.0)
    if kind != "CAPSULE":
        raise ValueError(f"{kind} is not made of bounds")
    between = 2.0 * (z - max(x, y))
    if between < _LEAST:
        return Sphere(radius=radius)
    return Capsule(height=between, radius_bottom=radius, radius_top=radius)


def played(kind: str, half: Half, scale: Half) -> Geometry:
    """Our shape for what Blender plays of an object with a scale.

    It takes the radius of spheres and cylinders along X and of capsules along Y, and that of cones
    as the mean of both.
    Source: setLocalScaling() of Bullet's shapes.
    """
    shape = geometry_of(kind, half)
    x, y, z = (abs(size) for size in scale)
    if isinstance(shape, Box):
        return of_same_volume(shape, _AXES.size_to_gltf((x, y, z)))
    across = {"CAPSULE": y, "CONE": (x + y) / 2.0}.get(kind, x)
    return _resized(shape, across, z)


def taken(kind: str, half: Half, scale: Half) -> Geometry:
    """Our shape of an object with a scale, under which it gets the size that Blender plays."""
    shape = geometry_of(kind, half)
    x, y, z = (abs(size) for size in scale)
    even = math.cbrt(x * y * z)
    if even == 0.0 or exact(shape, _AXES.size_to_gltf((x, y, z))) is not None:
        return shape
    return _resized(played(kind, half, scale), 1.0 / even, 1.0 / even)


def _resized(shape: Geometry, across: float, along: float) -> Geometry:
    if isinstance(shape, Sphere):
        return Sphere(radius=shape.radius * across)
    return resized(shape, across, along) if isinstance(shape, (Capsule, Cylinder)) else shape


def kind_of(geometry: Geometry, half: Half, scale: Half = _ONE) -> str:
    """Which of Blender's shapes of an object with a scale is the same as one of ours in the world.

    Empty for none.
    """
    if isinstance(geometry, Box):
        kinds = ("BOX",)
    elif isinstance(geometry, Sphere):
        kinds = ("SPHERE", "CAPSULE")
    elif isinstance(geometry, Capsule):
        kinds = ("CAPSULE",)
    elif isinstance(geometry, Cylinder):
        kinds = ("CYLINDER", "CONE")
    else:
        return ""
    return next((k for k in kinds if _same(geometry, played(k, half, scale))), "")


def native_kind(geometry: Geometry) -> str:
    """Which of Blender's shapes an object with the right bounds has for ours; empty for none."""
    half = bounds_of(geometry)
    return "" if half is None else kind_of(geometry, half)


def bounds_of(geometry: Geometry) -> Half | None:
    """Half of the bounds of a shape along Blender's axes; None for what is not a simple solid."""
    if isinstance(geometry, Box):
        x, y, z = _AXES.size_to_blender(geometry.size)
        return (x / 2.0, y / 2.0, z / 2.0)
    if isinstance(geometry, Sphere):
        return (geometry.radius, geometry.radius, geometry.radius)
    if not isinstance(geometry, (Capsule, Cylinder)):
        return None
    radius = max(geometry.radius_bottom, geometry.radius_top)
    ends = geometry.radius_bottom + geometry.radius_top if isinstance(geometry, Capsule) else 0.0
    return (radius, radius, (geometry.height + ends) / 2.0)


def _least(size: float) -> float:
    return max(size, _LEAST)


def _same(first: Geometry, second: Geometry) -> bool:
    if type(first) is not type(second):
        return False
    return all(
        math.isclose(a, b, rel_tol=_CLOSE, abs_tol=_LEAST / 10.0)
        for a, b in zip(_numbers(first), _numbers(second), strict=True)
    )


def _numbers(geometry: Geometry) -> tuple[float, ...]:
    if isinstance(geometry, Box):
        return geometry.size
    return tuple(value for value in vars(geometry).values() if isinstance(value, float))
