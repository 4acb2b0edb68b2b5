"""How far the mouse has pulled a handle: along a line, or about an axis."""

from __future__ import annotations

import math
from typing import Any, Final

from mathutils import Vector

from .handle import Handle

_ALONG_VIEW: Final = 1e-4  # Square of the sine of an angle at which nobody can pull.
_EDGE_ON: Final = 0.05  # Cosine of an angle between an axis and the view; below it is seen edge-on.


def far(handle: Handle, origin: Vector, ray: Vector) -> float | None:
    """How far along or about the way of a handle a ray is, in the units of its value.

    None where that says nothing. Angles begin anywhere: only their differences count.

    Args:
        origin: where the ray begins, in the world.
        ray: where to, of length 1.
    """
    if handle.center is not None:
        return angle(handle.center, handle.way, origin, ray)
    return nearest(handle.place, handle.way, origin, ray)


def nearest(place: Vector, way: Vector, origin: Vector, ray: Vector) -> float | None:
    """Where a line comes nearest to a ray, in lengths of `way` from a place.

    None where the line runs toward the viewer, or is scaled to nothing.
    """
    unit = way.length
    if not unit:
        return None
    direction = way / unit
    cosine = direction.dot(ray)
    straight = 1.0 - cosine * cosine
    if straight < _ALONG_VIEW:
        return None
    between = origin - place
    return (between.dot(direction) - between.dot(ray) * cosine) / straight / unit


def angle(center: Vector, axis: Vector, origin: Vector, ray: Vector) -> float | None:
    """At which angle about an axis a ray meets the plane across it, rad.

    Where the plane is seen edge-on, the ray is taken where it passes the center.
    """
    toward = axis.dot(ray)
    if abs(toward) > _EDGE_ON:
        met = origin + ray * ((center - origin).dot(axis) / toward)
    else:
        met = origin + ray * (center - origin).dot(ray)
    arm = met - center
    zero = axis.orthogonal().normalized()
    x, y = arm.dot(zero), arm.dot(axis.cross(zero))
    return math.atan2(y, x) if math.hypot(x, y) > 0.0 else None


def step(handle: Handle, before: float, now: float) -> float:
    """How much further the mouse is, the short way round."""
    by = now - before
    return math.remainder(by, 2.0 * math.pi) if handle.center is not None else by


def event_ray(context: Any, event: Any) -> tuple[Vector, Vector]:
    """The ray of the mouse in a 3D Viewport: its origin and where it goes, in the world."""
    from bpy_extras import view3d_utils

    region, view = context.region, context.region_data
    mouse = (event.mouse_region_x, event.mouse_region_y)
    origin = view3d_utils.region_2d_to_origin_3d(region, view, mouse)
    return origin, view3d_utils.region_2d_to_vector_3d(region, view, mouse)
