"""The marks of gravity volumes: what attracts, and arrows inside the trigger."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import numpy as np
from mathutils import Euler, Matrix

from ...axes import matrices_to_gltf, points_to_blender, points_to_gltf
from ...geometry import gravity_field
from ...geometry.inside import Flags, Inside, in_hull, inside_of
from ...geometry.lines import curves, gravity_lines, wireframe
from ...geometry.nearest import Array, Nearest
from ...model.gravity import TYPES, GravityField, OtherGravity, ShapedGravity
from ...model.shapes import KHR_TYPES, Convex, Geometry, OtherGeometry, Plane, Primitive, Trimesh
from ..base import groups
from ..scene import property_records
from ..scene.feature_reader import curve_points
from .marks import AXES, Lines, Mark, MarkContext, ObjectMarks, Role
from .shape_meshes import ShapeMeshes, hull_surface, hull_triangles, surface

_WIDEST: Final = 20.0  # What is shown of a plane without an end, m.
_VOLUMES: Final = 8  # Triggers of a compound that get arrows.


def gravity_marks(
    obj: Any, group: Any, context: MarkContext, shown: ObjectMarks, meshes: ShapeMeshes
) -> Iterator[Mark]:
    """The lines of the gravity of an object, in its own space."""
    gravity = group.gravity
    field = _field(obj, gravity, shown)
    size = context.size_of(obj)
    yield Mark(Role.GRAVITY, points_to_blender(gravity_lines.source_lines(field, size)))
    target = None
    if isinstance(field, ShapedGravity) and gravity.shaped.use_shape:
        target = _surface(obj, gravity.shaped.shape, context, shown, meshes)
    pieces: list[Lines] = []
    volumes = _volumes(obj, group, context, shown, meshes)
    for (low, high, inside), matrix in islice(volumes, _VOLUMES):
        points, step = gravity_lines.sample(low, high, inside)
        places = points_to_gltf(_moved(points_to_blender(points), matrix))
        found = gravity_field.acceleration(field, gravity.gravity, places, target)
        pieces.append(gravity_lines.arrow_field(places, found, step))
    yield Mark(Role.GRAVITY, points_to_blender(curves.joined(pieces)))


def _field(obj: Any, gravity: Any, shown: ObjectMarks) -> GravityField:
    """The record of the field, in the space of the object and glTF's axes."""
    word = gravity.type.lower()
    if word not in TYPES:
        return OtherGravity(type=gravity.other_type)
    group, known = getattr(gravity, word), dict[str, Any]()
    if word == "line":
        known["points"] = _line(obj, group, shown)
    elif word == "shaped":
        known["shape"] = None
    return property_records.read(group, TYPES[word], AXES, **known)


def _line(obj: Any, line: Any, shown: ObjectMarks) -> tuple[tuple[float, float, float], ...]:
    if line.curve is None:
        found: list[Any] = [point.location for point in line.points]
    else:
        shown.places.add(obj.session_uid)
        shown.places.add(line.curve.session_uid)
        shown.depends |= {line.curve.session_uid, line.curve.data.session_uid}
        into = obj.matrix_world.inverted_safe() @ line.curve.matrix_world
        found = [into @ point for point in curve_points(line.curve.data)]
    return tuple(AXES.point_to_gltf(point) for point in found)


def _surface(
    obj: Any, shape: Any, context: MarkContext, shown: ObjectMarks, meshes: ShapeMeshes
) -> Nearest | None:
    """The nearest points on a shape of an object, in the object's space and glTF's axes."""

    def of_mesh(geometry: Convex | Trimesh) -> Nearest | None:
        function = hull_surface if isinstance(geometry, Convex) else surface
        return meshes.read(obj, shape, context, shown, function)

    found = gravity_field.surface_of(_geometry(shape), of_mesh)
    if found is None:
        return None
    rotation = np.array(Euler(shape.rotation).to_matrix())
    turned = matrices_to_gltf(rotation)
    return gravity_field.placed(found, turned, AXES.point_to_gltf(shape.location))


def _geometry(shape: Any) -> Geometry:
    """The record of a shape, without its mesh."""
    kind, word = shape.type, shape.type.lower()
    if word in KHR_TYPES:
        return property_records.read(getattr(shape, word), KHR_TYPES[word], AXES)
    return {"CONVEX": Convex(), "TRIMESH": Trimesh()}.get(kind, OtherGeometry())


Volume = tuple[Any, Any, Inside | None]  # Bounds (3,) in the shape's own glTF axes, and a test.


def _volumes(
    obj: Any, group: Any, context: MarkContext, shown: ObjectMarks, meshes: ShapeMeshes
) -> Iterator[tuple[Volume, Any]]:
    """The volumes of a trigger, each with the matrix to the space of the object."""
    into = None
    for part in _triggers(obj, group.trigger, shown):
        shape = groups.of_object(part).trigger.shape
        matrix = Matrix.LocRotScale(shape.location, Euler(shape.rotation), None)
        if part is not obj:
            into = into or obj.matrix_world.inverted_safe()
            shown.places.add(obj.session_uid)
            shown.places.add(part.session_uid)
            matrix = into @ part.matrix_world @ matrix
        volume = _volume(part, shape, context, shown, meshes)
        if volume is not None:
            yield volume, matrix


def _triggers(obj: Any, trigger: Any, shown: ObjectMarks) -> list[Any]:
    """The objects whose trigger shapes make up a trigger."""
    if trigger.mode == "SHAPE":
        return [obj]
    if trigger.mode == "LIST":
        below = [reference.object for reference in trigger.nodes]
    else:
        below = list(obj.children_recursive)
    found = [part for part in below if part is not None]
    shown.bodies.update(part.session_uid for part in found)
    return [part for part in found if _is_volume(part)]


def _is_volume(obj: Any) -> bool:
    group = groups.of_object(obj)
    return group.use_trigger and group.trigger.mode == "SHAPE"


def _volume(
    obj: Any, shape: Any, context: MarkContext, shown: ObjectMarks, meshes: ShapeMeshes
) -> Volume | None:
    geometry = _geometry(shape)
    if isinstance(geometry, Convex | Trimesh):
        hull = meshes.read(obj, shape, context, shown, hull_triangles)
        if hull is None:
            return None
        corners, triangles = hull

        def inside_hull(points: Array) -> Flags:
            return in_hull(points, corners, triangles)

        return corners.min(axis=0), corners.max(axis=0), inside_hull
    if not isinstance(geometry, Primitive | Plane):
        return None
    lines = wireframe.shape_lines(geometry, _WIDEST)
    if not len(lines) or not np.isfinite(lines).all():
        return None
    inside = None if isinstance(geometry, Plane) else inside_of(geometry)
    return lines.min(axis=0), lines.max(axis=0), inside


def _moved(points: Any, matrix: Any) -> Any:
    array = np.array(matrix, dtype=np.float64)
    return points @ array[:3, :3].T + array[:3, 3]
