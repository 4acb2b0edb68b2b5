"""Applies the scale of objects to their meshes and shapes, so that all looks as before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...axes import Axes
from ...geometry.scaled_shapes import enclosing
from ..base import groups
from ..base.hierarchy import Children, depth, is_moved_by_path, keep_off_path
from . import fitted_objects, fitting
from .following import refitting
from .starting_values import SEAT_POINTS

_SAME_SCALE: Final = 1e-5  # Difference of scales, against the largest, that counts as none.
_SAME_DIRECTION: Final = 1e-5  # Length of the difference of directions that counts as none.
# How much a number of a 3x3 matrix may differ from that of one without shear, against the scale.
_SHEAR: Final = 1e-4
_SCALED_DATA: Final = frozenset({"MESH", "CURVE", "SURFACE"})
_WITHOUT_SIZE: Final = frozenset({"EMPTY", "CAMERA", "LIGHT", "LIGHT_PROBE", "SPEAKER"})

_NO_SCALE: Final = "its scale is zero"
_SHEARED: Final = "the scale of a parent shears the object"
_KIND: Final = "objects of its type cannot be scaled themselves"
_OTHER_MESH: Final = "its shape is the mesh of another object"
_PLANE: Final = "its plane is turned, and the scale is uneven"
_BONE: Final = "it is parented to a bone or to vertices"
_SHOWS_OTHERS: Final = "it shows instances of other objects"
_ROUND_GRAVITY: Final = "its gravity is round, and the scale is uneven"
_IS_SHAPE: Final = "its mesh is the shape of another object"

_AXES: Final = Axes()


@dataclass
class Baked:
    """The outcome of a bake.

    Attributes:
        objects: those that were changed.
        problems: names of others, with the reasons.
        larger: how many shapes had to become larger than they looked.
    """

    objects: list[Any] = field(default_factory=list[Any])
    problems: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    larger: int = 0


def bake(objects: Sequence[Any], children: Children) -> Baked:
    """Set the scale of objects to 1; what is below them stays where it is.

    An object below another of them also takes over what the one above had.

    Args:
        children: of every object.
    """
    baked = Baked()
    fits = refitting.standing(objects, children)
    below = [child for obj in objects for child in children.get(obj, ())]
    on_paths = {obj: obj.matrix_world.copy() for obj in below if is_moved_by_path(obj)}
    sources = set(_sources(bpy.data.objects))
    scales: list[tuple[Any, Vector]] = []
    for obj in sorted(objects, key=depth):
        local = _local(obj)
        place, turn, scale = local.decompose()
        if all(abs(size - 1.0) <= _SAME_SCALE for size in scale):
            continue
        why = _IS_SHAPE if obj in sources else _obstacle(obj, local)
        if why:
            baked.problems.append((obj.name, why))
            continue
        _bake_shapes(obj, scale, baked)
        _place(obj, Matrix.LocRotScale(place, turn, None))
        for child in children.get(obj, ()):
            child.matrix_parent_inverse = _kept(child, obj, scale) @ child.matrix_parent_inverse
        scales.append((obj, scale))
        baked.objects.append(obj)
    _bake_data(scales)
    _put_back(on_paths, baked.objects)
    refitting.keep_standing(fits, children, {obj: max(_lengths(scale)) for obj, scale in scales})
    for obj in baked.objects:
        if groups.read(obj).is_fitted_part:
            fitted_objects.note(obj, fitted_objects.part_of(obj))
    return baked


def _sources(objects: Iterable[Any]) -> Iterator[Any]:
    """The objects whose meshes are the shapes of others."""
    for each in objects:
        for shape in _shapes(each):
            if shape.type in fitting.MESHES and shape.mesh_source == "OBJECT":
                yield shape.mesh_object


def _local(obj: Any) -> Matrix:
    """The matrix of an object against its parent, with its deltas, without its constraints."""
    basis = obj.matrix_basis
    return basis.copy() if obj.parent is None else obj.matrix_parent_inverse @ basis


def _obstacle(obj: Any, local: Matrix) -> str:
    """Why the scale of an object cannot be baked; empty where it can."""
    if obj.parent is not None and obj.parent_type != "OBJECT":
        return _BONE
    place, turn, scale = local.decompose()
    size = max(_lengths(scale))
    if min(_lengths(scale)) <= _SAME_SCALE * size:
        return _NO_SCALE
    again = np.array(Matrix.LocRotScale(place, turn, scale))
    if np.abs(again - np.array(local))[:3, :3].max() > _SHEAR * size:
        return _SHEARED
    if obj.type not in _SCALED_DATA | _WITHOUT_SIZE:
        return _KIND
    if obj.instance_type != "NONE":
        return _SHOWS_OTHERS
    uneven = max(_lengths(scale)) - min(_lengths(scale)) > _SAME_SCALE * size
    for shape in _shapes(obj):
        if shape.type in fitting.MESHES and shape.mesh_source == "OBJECT":
            return _OTHER_MESH
        if shape.type == "PLANE" and uneven and any(shape.rotation):
            return _PLANE
    return _ROUND_GRAVITY if uneven and _has_round_gravity(obj) else ""


def _field(obj: Any) -> Any:
    """The property group of the kind of gravity that an object has; None for none."""
    group = groups.of_object(obj)
    kind = group.gravity.type.lower()
    return getattr(group.gravity, kind, None) if group.use_gravity else None


def _has_round_gravity(obj: Any) -> bool:
    field = _field(obj)
    return hasattr(field, "radius") or bool(getattr(field, "unit_distance", 0.0))


def _lengths(scale: Vector) -> tuple[float, float, float]:
    """The scale without its sign."""
    return abs(scale.x), abs(scale.y), abs(scale.z)


def _shapes(obj: Any) -> list[Any]:
    """The property groups of the shapes that an object uses."""
    group = groups.of_object(obj)
    found = [group.collider.shape] if group.use_collider else []
    if group.use_trigger and group.trigger.mode == "SHAPE":
        found.append(group.trigger.shape)
    if group.use_gravity and group.gravity.type == "SHAPED" and group.gravity.shaped.use_shape:
        found.append(group.gravity.shaped.shape)
    return found


def _place(obj: Any, matrix: Matrix) -> None:
    """Put an object at a place without a scale; its way of turning stays."""
    if any(abs(size - 1.0) > _SAME_SCALE for size in obj.matrix_parent_inverse.to_scale()):
        obj.matrix_parent_inverse = Matrix()
    obj.delta_scale = (1.0, 1.0, 1.0)
    inverse = Matrix() if obj.parent is None else obj.matrix_parent_inverse.inverted()
    obj.matrix_basis = inverse @ matrix
    obj.scale = (1.0, 1.0, 1.0)  # Without the noise of the matrix.


def _kept(child: Any, obj: Any, scale: Vector) -> Matrix:
    """The matrix to put before the parent inverse of a child, so that it stays where it is."""
    matrix = Matrix.Diagonal(scale).to_4x4()
    if child.parent_type == "VERTEX":
        return Matrix()  # Blender takes the place of the vertex alone, and that stays.
    if child.parent_type != "VERTEX_3":
        return matrix
    points = _points(obj.data)
    corners = [points[i] if i < len(points) else Vector() for i in child.parent_vertices]
    after = _on_triangle([matrix @ corner for corner in corners])
    return after.inverted_safe() @ matrix @ _on_triangle(corners)


def _put_back(places: Mapping[Any, Matrix], baked: Sequence[Any]) -> None:
    """Let what is below curves stay in the world, as their paths have other sizes now."""
    moved = {obj: place for obj, place in places.items() if obj in baked or obj.parent in baked}
    if moved:
        cast("Any", bpy.context).view_layer.update()
    for obj, matrix in moved.items():
        place, turn, size = matrix.decompose()
        own = Matrix.LocRotScale(place, turn, None if obj in baked else size)
        obj.matrix_parent_inverse = Matrix()
        obj.matrix_basis = obj.parent.matrix_world.inverted_safe() @ own
        keep_off_path(obj)


def _points(data: Any) -> list[Any]:
    """The points that objects can be parented to, in Blender's order."""
    if isinstance(data, bpy.types.Mesh):
        return [vertex.co for vertex in data.vertices]
    splines: Any = getattr(data, "splines", ())
    return [
        Vector(point.co[:3])
        for spline in splines
        for point in (spline.bezier_points if spline.type == "BEZIER" else spline.points)
    ]


def _on_triangle(corners: Sequence[Any]) -> Matrix:
    """The frame in which Blender has what is parented to three vertices."""
    a, b, c = corners
    along, up = (b - a).normalized(), (b - a).cross(c - a).normalized()
    frame: Any = Matrix((along, up.cross(along), up)).transposed().to_4x4()
    frame.translation = (a + b + c) / 3.0
    return frame


def _bake_shapes(obj: Any, scale: Vector, baked: Baked) -> None:
    group = groups.of_object(obj)
    if group.use_motion and group.motion.center_of_mass_mode == "VALUE":
        center = Vector(group.motion.center_of_mass)
        if center.length:
            group.motion.center_of_mass = center * scale
    _bake_gravity(_field(obj), scale)
    if group.use_seat:
        for name in SEAT_POINTS:
            setattr(group.seat, name, Vector(getattr(group.seat, name)) * scale)
    for shape in _shapes(obj):
        if shape.type in fitting.PRIMITIVES:
            factors = _AXES.size_to_gltf((scale.x, scale.y, scale.z))
            found, exact = enclosing(fitting.stored_shape(shape), factors)
            fitting.write_stored(shape, found)
            baked.larger += not exact
        elif shape.type in fitting.MESHES:
            _bake_mesh_shape(shape, scale)
        else:
            _bake_plane(shape, scale)


def _bake_gravity(field: Any, scale: Vector) -> None:
    for name in ("radius", "unit_distance"):
        if getattr(field, name, 0.0):
            setattr(field, name, getattr(field, name) * max(_lengths(scale)))
    for point in getattr(field, "points", ()):
        point.location = Vector(point.location) * scale
    if hasattr(field, "direction"):
        toward = Vector(field.direction) * scale
        if (toward.normalized() - Vector(field.direction).normalized()).length > _SAME_DIRECTION:
            field.direction = toward.normalized()


def _bake_mesh_shape(shape: Any, scale: Vector) -> None:
    """Scale a mesh that only shapes use; that of the object is scaled with it."""
    matrix = Matrix.Diagonal(scale)
    turn = fitting.turn_of(shape)
    shape.location = matrix @ Vector(shape.location)
    if shape.mesh_source == "DATA" and shape.mesh is not None:
        if shape.mesh.users > 1 or shape.mesh.library is not None:
            shape.mesh = shape.mesh.copy()
        shape.mesh.transform((turn.inverted() @ matrix @ turn).to_4x4())


def _bake_plane(shape: Any, scale: Vector) -> None:
    if shape.type == "PLANE":
        shape.plane.size_x *= abs(scale.x)
        shape.plane.size_z *= abs(scale.y)
    shape.location = Vector(shape.location) * scale


def _bake_data(scales: Sequence[tuple[Any, Vector]]) -> None:
    """Scale meshes and curves; objects that keep their scale keep theirs."""
    users_of: dict[tuple[Any, tuple[float, ...]], list[Any]] = {}
    for obj, scale in scales:
        if obj.type in _SCALED_DATA:
            key = (obj.data, tuple(round(size, 6) for size in scale))
            users_of.setdefault(key, []).append(obj)
        elif obj.type == "EMPTY":
            obj.empty_display_size *= max(_lengths(scale))
    for (data, factors), users in users_of.items():
        own = data
        if data.users > len(users) or data.library is not None:
            own = data.copy()
        matrix = Matrix.Diagonal(factors).to_4x4()
        own.transform(matrix, shape_keys=True)
        if matrix.determinant() < 0.0 and users[0].type == "MESH":
            own.flip_normals()
        for obj in users:
            if obj.data != own:
                obj.data = own
