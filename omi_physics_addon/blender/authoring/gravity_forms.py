"""Starting values of gravity volumes, and world gravity told in words."""

from __future__ import annotations

from typing import Any, Final

import bpy
import numpy as np
from mathutils import Vector

from ...axes import Axes
from ...geometry.fit import placed_shape
from ..base import groups
from ..base.groups import of_scene, scene_gravity
from ..base.mesh_arrays import Points
from ..scene.feature_reader import curve_points
from ..translations import pgettext_iface
from .fitting import PRIMITIVES, fit_shape, stored_shape

# What a volume without a mesh has, m.
_ROOM: Final = 10.0  # Edge of a box.
_REACH: Final = 5.0  # Radius of a ball, a disc or a circle; half the length of a line.
_SOLID: Final = 2.0  # Edge of the shape whose surface attracts.
_AROUND: Final = 1.5  # A volume around a form is so many times as large.
_MARGIN: Final = 0.25  # Between a line and the end of its volume, of the length of the line.
_SMALLEST: Final = 1e-3  # m.
_SNUG: Final = frozenset({"DIRECTIONAL", "POINT"})  # Their triggers end where the mesh does.


def start_gravity(
    obj: Any, kind: str, points: Points, factor: float = 1.0, *, around: bool = False
) -> None:
    """Give a gravity volume its type, the sizes of the mesh, and a trigger where it has none.

    Args:
        kind: the identifier of a type of gravity that has fields.
        points: (n, 3), of the mesh in the object's space; none for the usual size.
        factor: of that usual size.
        around: the mesh is solid, so the trigger must be larger.
    """
    group = groups.of_object(obj)
    gravity = group.gravity
    gravity.type = kind
    if kind == "DISC":
        _, gravity.disc.radius = _rings(points, factor)
    elif kind == "TORUS":
        gravity.torus.radius = sum(_rings(points, factor)) / 2.0
    elif kind == "LINE":
        _start_line(obj, gravity.line, points, factor)
    elif kind == "SHAPED":
        _fit_box(gravity.shaped.shape, points, _SOLID * factor)
    if not group.use_trigger:
        add_trigger(obj, points, factor, around=around)


def add_trigger(obj: Any, points: Points, factor: float = 1.0, *, around: bool = False) -> None:
    """Give a gravity volume a trigger that holds the mesh and what the gravity is about.

    Args:
        points, factor, around: see `start_gravity`.
    """
    group = groups.of_object(obj)
    group.use_trigger = True
    shape, gravity, kind = group.trigger.shape, group.gravity, group.gravity.type
    if kind == "POINT":
        _hold_ball(shape, points, factor)
    elif kind in ("DISC", "TORUS"):
        _hold_round(getattr(gravity, kind.lower()).radius, shape, points, factor)
    elif kind == "LINE":
        _hold_line(obj, gravity.line, shape, points, factor)
    elif kind == "SHAPED":
        _hold_shaped(gravity.shaped, shape, points, factor)
    else:
        _fit_box(shape, points, _ROOM * factor)
    if around and kind in _SNUG:
        shape.sphere.radius *= _AROUND
        shape.box.size = (Vector(shape.box.size) * _AROUND).to_tuple()


def _start_line(obj: Any, line: Any, points: Points, factor: float) -> None:
    """A curve gives its own points; else the line runs through what is longest."""
    ends = np.array([(-_REACH, 0.0, 0.0), (_REACH, 0.0, 0.0)], dtype=np.float32) * factor
    if len(points):
        low, high = points.min(axis=0), points.max(axis=0)
        longest = int(np.argmax(high - low))
        ends[:] = (low + high) / 2.0
        ends[0, longest], ends[1, longest] = low[longest], high[longest]
    if obj.type == "CURVE":
        line.curve = obj
    elif not line.points:
        for place in ends.tolist():
            line.points.add().location = place


def _hold_ball(shape: Any, points: Points, factor: float) -> None:
    if len(points):
        fit_shape(shape, "SPHERE", points)
    else:
        shape.type = "SPHERE"
        shape.sphere.radius = _REACH * factor


def _hold_round(own: float, shape: Any, points: Points, factor: float) -> None:
    """A flat cylinder around a disc or a circle of a radius."""
    radius = max(own, _rings(points, factor)[1] if len(points) else 0.0) or _REACH * factor
    shape.type = "CYLINDER"
    shape.cylinder.radius_bottom = shape.cylinder.radius_top = radius * _AROUND
    shape.cylinder.height = radius


def _hold_line(obj: Any, line: Any, shape: Any, points: Points, factor: float) -> None:
    if line.curve is None:
        own = [tuple(point.location) for point in line.points]
    else:
        into = obj.matrix_world.inverted_safe() @ line.curve.matrix_world
        own = [tuple(into @ point) for point in curve_points(line.curve.data)]
    places = np.array([*own, *points.tolist()], dtype=np.float32).reshape(-1, 3)
    if not len(places):
        _fit_box(shape, points, _ROOM * factor)
        return
    low, high = places.min(axis=0), places.max(axis=0)
    size = high - low
    _set_box(shape, size + 2.0 * _MARGIN * float(size.max()), (low + high) / 2.0)


def _hold_shaped(shaped: Any, shape: Any, points: Points, factor: float) -> None:
    """A box around the shape, turned as it is; around the mesh for a shape without a size."""
    if not shaped.use_shape or shaped.shape.type not in PRIMITIVES:
        _fit_box(shape, points, _SOLID * factor)
        shape.box.size = (Vector(shape.box.size) * _AROUND).to_tuple()
        return
    solid = shaped.shape
    size = Axes().size_to_blender(placed_shape.box_around(stored_shape(solid).geometry))
    _set_box(shape, np.array(size) * _AROUND, np.array(solid.location))
    if any(solid.rotation):
        shape.rotation = solid.rotation


def _fit_box(shape: Any, points: Points, edge: float) -> None:
    if len(points):
        fit_shape(shape, "BOX", points)
    else:
        _set_box(shape, np.full(3, edge), np.zeros(3))


def _set_box(shape: Any, size: Any, center: Any) -> None:
    shape.type = "BOX"
    shape.box.size = np.maximum(size, _SMALLEST).tolist()
    if center.any():
        shape.location = center.tolist()


def _rings(points: Points, factor: float) -> tuple[float, float]:
    """How near to the Z axis a mesh comes and how far from it, m."""
    if not len(points):
        return _REACH * factor, _REACH * factor
    away = np.hypot(points[:, 0], points[:, 1])
    return float(away.min()), max(float(away.max()), _SMALLEST)


# Gravity at the surface of well-known worlds, m/s².
_WORLDS: Final = (
    ("{size:.2f} m/s², as on Earth", 9.81),
    ("{size:.2f} m/s², as on the Moon", 1.62),
    ("{size:.2f} m/s², as on Mars", 3.73),
)
_NEARLY: Final = 0.01  # Relative difference that makes no other world of it.
_STRAIGHT: Final = 0.9999  # Cosine of an angle that still counts as along an axis.


def world_gravity(scene: bpy.types.Scene) -> tuple[float, Vector]:
    """The world gravity that a scene exports: strength in m/s², direction in Blender's axes."""
    world = of_scene(scene).world_gravity
    if world.source == "VALUE":
        return world.gravity, Vector(world.direction)
    vector = scene_gravity(scene)
    return vector.length, vector.normalized()


def in_words(strength: float, direction: Vector) -> tuple[str, str]:
    """A gravity in words: how strong, and where to.

    Args:
        strength: m/s²; negative ones push against the direction.
        direction: in Blender's axes, of any length.
    """
    if not strength or not direction.length:
        return pgettext_iface("Weightless"), ""
    size = abs(strength)
    text = "{size:.2f} m/s²"
    for likeness, value in _WORLDS:
        if abs(size - value) <= _NEARLY * value:
            text = likeness
    toward = direction.normalized() * (1.0 if strength > 0.0 else -1.0)
    return pgettext_iface(text).format(size=size), _where(toward)


def _where(direction: Vector) -> str:
    if abs(direction.z) >= _STRAIGHT:
        return pgettext_iface("Things fall up" if direction.z > 0.0 else "Things fall down")
    place = ", ".join(f"{number:.2f}" for number in direction)
    for axis, name in enumerate("XY"):
        if abs(direction[axis]) >= _STRAIGHT:
            place = f"{'+' if direction[axis] > 0.0 else '-'}{name}"
    return pgettext_iface("Things fall toward {word}").format(word=place)
