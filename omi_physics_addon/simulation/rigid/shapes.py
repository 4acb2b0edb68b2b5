"""The shapes that Blender makes of the bounds of an object, and which of them a shape of ours is.

Blender puts them around the origin of the object, however its mesh lies.
Source: rigidbody_validate_sim_shape() in Blender's blenkernel/intern/rigidbody.cc.
"""

from __future__ import annotations

import math
from typing import Final

from ...axes import Axes
from ...model.shapes import Box, Capsule, Cylinder, Geometry, Sphere

Half = tuple[float, float, float]  # Half of the bounds along the axes of the object, in Blender.

OF_MESHES: Final = {"CONVEX_HULL": "CONVEX", "MESH": "TRIMESH"}
_AXES: Final = Axes()
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


def kind_of(geometry: Geometry, half: Half) -> str:
    """Which of Blender's shapes is the same as one of ours; empty for none."""
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
    return next((k for k in kinds if _same(geometry, geometry_of(k, half))), "")


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
    return all(_near(a, b) for a, b in zip(_numbers(first), _numbers(second), strict=True))


def _near(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=_CLOSE, abs_tol=_LEAST / 10.0)


def _numbers(geometry: Geometry) -> tuple[float, ...]:
    if isinstance(geometry, Box):
        return geometry.size
    return tuple(value for value in vars(geometry).values() if isinstance(value, float))
