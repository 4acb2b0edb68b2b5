"""The marks of shapes, and those of an object with all that it is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np
from mathutils import Euler, Matrix

from ...axes import points_to_blender
from ...geometry.lines import wireframe
from ...model.shapes import Box, Capsule, Cylinder, Plane, Primitive, Sphere
from ..authoring.fitting import MESHES, PRIMITIVES
from ..base import groups, instances
from .gravity_marks import gravity_marks
from .joint_marks import KnownSettings, joint_marks
from .marks import Lines, Mark, MarkContext, ObjectMarks, Role, frozen, repeated, transformed
from .object_marks import object_marks
from .shape_meshes import ShapeMeshes, edge_lines, hull_lines

# Role → how much of each period of a line is drawn; a period is a part of the shape's size.
_DRAWN: Final = {Role.KINEMATIC: 0.75, Role.TRIGGER: 0.5}
_PERIOD: Final = {Role.KINEMATIC: 1.0 / 5.0, Role.TRIGGER: 1.0 / 12.0}
_GROUP_SIZE: Final = 0.5  # Of the cross that stands for a shape made of others, m.
# Roles whose marks have the size of the empty they are on.
_SIZED_BY_EMPTY: Final = frozenset(
    {Role.JOINT, Role.GRAVITY, Role.VEHICLE, Role.MASS, Role.VELOCITY}
)
_DEEPEST: Final = 4  # Levels of collection instances in each other.

_INFINITE: Final = 20.0  # What is shown of a plane without an end, m.
# Of the faces of bounds whose corners are in Blender's order.
_DIAGONALS: Final = [0, 2, 1, 3, 4, 6, 5, 7, 0, 5, 1, 4, 3, 6, 2, 7, 0, 7, 3, 4, 1, 6, 2, 5]
_NONE: Final[Lines] = np.zeros((0, 3), dtype=np.float32)


class LineReader:
    """Reads the marks of objects; remembers the lines of meshes."""

    def __init__(self) -> None:
        self._meshes = ShapeMeshes()
        self.settings = KnownSettings()

    def forget(self, uids: set[int]) -> None:
        """Forget the lines of objects and meshes that changed."""
        self._meshes.forget(uids)

    def read(self, obj: Any, context: MarkContext) -> ObjectMarks:
        """The marks of an object, and of what it shows instances of."""
        shown = ObjectMarks()
        role = _role(obj, Role.STATIC, shown)
        shown.marks.extend(self._marks(obj, role, context, shown))
        if _scatters(obj, 0):
            self._read_scattered(obj, context, shown, role)
        else:
            self._read_instances(obj, context, shown, Matrix(), role, 0)
        shown.marks = [mark for mark in shown.marks if len(mark.lines)]
        shown.follows_empty = obj.type == "EMPTY" and any(
            m.role in _SIZED_BY_EMPTY for m in shown.marks
        )
        return shown

    def _read_instances(
        self,
        obj: Any,
        context: MarkContext,
        shown: ObjectMarks,
        above: Matrix,
        role: Role,
        depth: int,
    ) -> None:
        """Add what the collection that `obj` instances holds; `above` takes it to the root."""
        collection = obj.instance_collection
        if collection is None or obj.instance_type != "COLLECTION" or depth == _DEEPEST:
            return
        shown.depends.add(collection.session_uid)
        offset = Matrix.Translation(-collection.instance_offset)
        for member in collection.all_objects:
            if member.hide_viewport:
                continue
            shown.places.add(member.session_uid)
            own = _role(member, role, shown)
            matrix = above @ offset @ member.matrix_world
            for mark in self._marks(member, own, context, shown):
                shown.marks.append(mark.below(matrix))
            self._read_instances(member, context, shown, matrix, own, depth + 1)

    def _read_scattered(
        self, obj: Any, context: MarkContext, shown: ObjectMarks, role: Role
    ) -> None:
        """Add what is on vertices, faces and particles, or from Geometry Nodes, at any depth."""
        shown.depends.add(obj.session_uid)
        if obj.instance_collection is not None:
            shown.depends.add(obj.instance_collection.session_uid)
        matrices: dict[Any, list[Matrix]] = {}
        for each in context.shown().get(obj, ()):
            if each.object is not None and not each.is_second:
                matrices.setdefault(each.object, []).append(each.matrix)
        for member, places in matrices.items():
            uid = member.session_uid
            shown.places.add(uid)
            shown.bodies.add(uid)
            for mark in self._marks(member, _role(member, role, shown), context, shown):
                shown.marks.extend(repeated(mark, places))

    def _marks(
        self, obj: Any, role: Role, context: MarkContext, shown: ObjectMarks
    ) -> Iterator[Mark]:
        group = groups.of_object(obj)
        if group.use_collider:
            shape = group.collider.shape
            if shape.type == "NONE":
                yield Mark(Role.GROUP, _cross_lines(Role.GROUP))
            else:
                yield Mark(role, self._shape_lines(obj, shape, role, context, shown))
                if group.is_collision_only:
                    yield Mark(role, _crossed_out(obj))
        if group.use_trigger:
            trigger = group.trigger
            if trigger.mode != "SHAPE" or trigger.shape.type == "NONE":
                yield Mark(Role.TRIGGER, _cross_lines(Role.TRIGGER))
            else:
                lines = self._shape_lines(obj, trigger.shape, Role.TRIGGER, context, shown)
                yield Mark(Role.TRIGGER, lines)
            if group.use_gravity:
                yield from self._gravity_marks(obj, group, context, shown)
        if group.use_joint:
            yield from joint_marks(obj, context, shown, self.settings)
        yield from object_marks(obj, group, context)

    def _gravity_marks(
        self, obj: Any, group: Any, context: MarkContext, shown: ObjectMarks
    ) -> Iterator[Mark]:
        yield from gravity_marks(obj, group, context, shown, self._meshes)
        shaped = group.gravity.shaped
        if group.gravity.type == "SHAPED" and shaped.use_shape:
            lines = self._shape_lines(obj, shaped.shape, Role.GRAVITY, context, shown)
            yield Mark(Role.GRAVITY, lines)

    def _shape_lines(
        self, obj: Any, shape: Any, role: Role, context: MarkContext, shown: ObjectMarks
    ) -> Lines:
        """The lines of a shape where it sits on its object."""
        kind = shape.type
        if kind in PRIMITIVES or kind == "PLANE":
            lines = _primitive_lines(kind, _sizes(shape, kind), role)
        elif kind in MESHES:
            read = hull_lines if kind == "CONVEX" else edge_lines
            found = self._meshes.read(obj, shape, context, shown, read)
            lines = _NONE if found is None else _dashed(found, role)
        else:
            return _NONE
        location, rotation = tuple(shape.location), tuple(shape.rotation)
        if any(location) or any(rotation):
            return transformed(lines, Matrix.LocRotScale(location, Euler(rotation), None))
        return lines


def _scatters(obj: Any, depth: int) -> bool:
    """Whether an object, or one in its collection, shows others in more ways than that."""
    if instances.scatters(obj):
        return True
    collection = obj.instance_collection
    if collection is None or obj.instance_type != "COLLECTION" or depth == _DEEPEST:
        return False
    return any(_scatters(member, depth + 1) for member in collection.all_objects)


def _role(obj: Any, default: Role, shown: ObjectMarks) -> Role:
    """The role of the nearest body at or above an object; notes what was looked at."""
    above = obj
    while above is not None:
        group = groups.of_object(above)
        if group.use_motion:
            return Role[group.motion.type]
        above = above.parent
        if above is not None:
            shown.bodies.add(above.session_uid)
    return default


def _sizes(shape: Any, kind: str) -> tuple[float, ...]:
    if kind == "BOX":
        return tuple(shape.box.size)
    if kind == "SPHERE":
        return (shape.sphere.radius,)
    if kind == "PLANE":
        plane = shape.plane
        return (
            plane.size_x if plane.use_size_x else _INFINITE,
            plane.size_z if plane.use_size_z else _INFINITE,
        )
    group = shape.capsule if kind == "CAPSULE" else shape.cylinder
    return (group.height, group.radius_bottom, group.radius_top)


@lru_cache(maxsize=16384)
def _primitive_lines(kind: str, sizes: tuple[float, ...], role: Role) -> Lines:
    lines = wireframe.shape_lines(_record(kind, sizes), _INFINITE)
    if kind not in ("BOX", "SPHERE"):  # Which are the same in all axes, as long as sizes are.
        lines = points_to_blender(lines)
    return frozen(_dashed(lines, role))


def _record(kind: str, sizes: tuple[float, ...]) -> Primitive | Plane:
    if kind == "BOX":
        x, y, z = sizes
        return Box(size=(x, y, z))
    if kind == "SPHERE":
        return Sphere(radius=sizes[0])
    if kind == "PLANE":
        return Plane(size_x=sizes[0], size_z=sizes[1])
    record = Capsule if kind == "CAPSULE" else Cylinder
    return record(height=sizes[0], radius_bottom=sizes[1], radius_top=sizes[2])


def _crossed_out(obj: Any) -> Lines:
    """Crosses on the faces of the bounds of a mesh that is not in the picture."""
    if obj.type != "MESH":
        return _NONE
    corners = np.array([tuple(corner) for corner in obj.bound_box], dtype=np.float32)
    return corners[_DIAGONALS] if np.ptp(corners, axis=0).any() else _NONE


@lru_cache(maxsize=2)
def _cross_lines(role: Role) -> Lines:
    return frozen(_dashed(wireframe.cross_lines(_GROUP_SIZE), role))


def _dashed(lines: Lines, role: Role) -> Lines:
    """The lines in the style of a role."""
    if role not in _DRAWN or not len(lines):
        return lines
    size = float(np.ptp(lines, axis=0).max())
    if not 0.0 < size < np.inf:
        return lines
    period = _PERIOD[role] * size
    return wireframe.dashed(lines, _DRAWN[role] * period, (1.0 - _DRAWN[role]) * period)
