"""Which lines show the physics of an object in a viewport, and in which role."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Euler, Matrix
from numpy.typing import NDArray

from ..axes import Axes
from ..geometry import wireframe
from ..model.bodies import Motion
from ..model.fields import row
from . import mesh_arrays
from .fitting import MESHES, PRIMITIVES

Lines = NDArray[np.float32]


class Role(enum.Enum):
    """What a shape is for; each has a colour and a kind of line of its own."""

    STATIC = "STATIC"
    KINEMATIC = "KINEMATIC"
    DYNAMIC = "DYNAMIC"
    TRIGGER = "TRIGGER"
    GROUP = "GROUP"  # A collider without a shape, which groups those below.


# Role → how much of each period of a line is drawn; a period is a part of the shape's size.
_DRAWN: Final = {Role.KINEMATIC: 0.75, Role.TRIGGER: 0.5}
_PERIOD: Final = {Role.KINEMATIC: 1.0 / 5.0, Role.TRIGGER: 1.0 / 12.0}
_GROUP_SIZE: Final = 0.5  # Of the cross that stands for a shape made of others, m.
_DEEPEST: Final = 4  # Levels of collection instances in each other.

_INFINITE: Final = 20.0  # What is shown of a plane without an end, m.
_TURNED_LINES: Final[dict[str, Callable[..., Lines]]] = {
    "CAPSULE": wireframe.capsule_lines,
    "CYLINDER": wireframe.cylinder_lines,
    "PLANE": wireframe.plane_lines,
}
_NONE: Final[Lines] = np.zeros((0, 3), dtype=np.float32)
_POINT: Final = row(Motion, "center_of_mass")  # How places change with the axes.
_AXES: Final = Axes()


@dataclass(slots=True)
class Part:
    """Lines (2k, 3) in the space of an object, in Blender's axes."""

    role: Role
    lines: Lines


@dataclass(slots=True)
class Shown:
    """What shows the physics of one object.

    Attributes:
        depends: session uids of what it was read from, besides the object: when one of these
            changes, it must be read again.
        instances: session uids of objects whose places are part of it.
    """

    parts: list[Part] = field(default_factory=list[Part])
    depends: set[int] = field(default_factory=set[int])
    instances: set[int] = field(default_factory=set[int])


class LineReader:
    """Reads objects into lines; remembers the lines of meshes."""

    def __init__(self) -> None:
        self._meshes: dict[tuple[int, str], Lines] = {}

    def forget(self, uids: set[int]) -> None:
        """Forget the lines of objects and meshes that changed."""
        for key in [key for key in self._meshes if key[0] in uids]:
            del self._meshes[key]

    def read(self, obj: Any, depsgraph: bpy.types.Depsgraph) -> Shown:
        """What shows the physics of an object, and of the collection it instances."""
        shown = Shown()
        shown.parts.extend(self._parts(obj, _role(obj, Role.STATIC, shown), depsgraph, shown))
        self._read_instances(obj, depsgraph, shown, Matrix(), _role(obj, Role.STATIC, shown), 0)
        return shown

    def _read_instances(
        self,
        obj: Any,
        depsgraph: bpy.types.Depsgraph,
        shown: Shown,
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
            shown.instances.add(member.session_uid)
            shown.depends.add(member.session_uid)
            own = _role(member, role, shown)
            matrix = above @ offset @ member.matrix_world
            for part in self._parts(member, own, depsgraph, shown):
                shown.parts.append(Part(part.role, transformed(part.lines, matrix)))
            self._read_instances(member, depsgraph, shown, matrix, own, depth + 1)

    def _parts(
        self, obj: Any, role: Role, depsgraph: bpy.types.Depsgraph, shown: Shown
    ) -> Iterator[Part]:
        group = obj.omi_physics
        if group.use_collider:
            shape = group.collider.shape
            if shape.type == "NONE":
                yield Part(Role.GROUP, _cross_lines(Role.GROUP))
            else:
                yield Part(role, self._shape_lines(obj, shape, role, depsgraph, shown))
        if group.use_trigger:
            trigger = group.trigger
            if trigger.mode != "SHAPE" or trigger.shape.type == "NONE":
                yield Part(Role.TRIGGER, _cross_lines(Role.TRIGGER))
            else:
                lines = self._shape_lines(obj, trigger.shape, Role.TRIGGER, depsgraph, shown)
                yield Part(Role.TRIGGER, lines)

    def _shape_lines(
        self, obj: Any, shape: Any, role: Role, depsgraph: bpy.types.Depsgraph, shown: Shown
    ) -> Lines:
        """The lines of a shape where it sits on its object."""
        kind = shape.type
        if kind in PRIMITIVES or kind == "PLANE":
            lines = _primitive_lines(kind, _sizes(shape, kind), role)
        elif kind in MESHES:
            lines = _dashed(self._mesh_lines(obj, shape, depsgraph, shown), role)
        else:
            return _NONE
        location, rotation = tuple(shape.location), tuple(shape.rotation)
        if any(location) or any(rotation):
            return transformed(lines, Matrix.LocRotScale(location, Euler(rotation), None))
        return lines

    def _mesh_lines(
        self, obj: Any, shape: Any, depsgraph: bpy.types.Depsgraph, shown: Shown
    ) -> Lines:
        """The edges of the mesh that a shape is made of, or of its hull."""
        if shape.mesh_source == "DATA":
            mesh = shape.mesh
            if mesh is None:
                return _NONE
            shown.depends.add(mesh.session_uid)
            return self._remembered(mesh.session_uid, shape.type, lambda read: read(mesh))
        owner = obj if shape.mesh_source == "OWN" else shape.mesh_object
        if owner is None:
            return _NONE
        shown.depends.add(owner.session_uid)

        def with_mesh(read: Callable[[Any], Lines]) -> Lines:
            with mesh_arrays.temporary_mesh(owner, depsgraph) as mesh:
                return _NONE if mesh is None else read(mesh)

        # Objects that share a mesh and do not change it share its lines.
        source = owner if owner.modifiers or owner.data is None else owner.data
        return self._remembered(source.session_uid, shape.type, with_mesh)

    def _remembered(
        self, uid: int, kind: str, with_mesh: Callable[[Callable[[Any], Lines]], Lines]
    ) -> Lines:
        lines = self._meshes.get((uid, kind))
        if lines is None:
            lines = with_mesh(_hull_lines if kind == "CONVEX" else _edge_lines)
            self._meshes[uid, kind] = lines
        return lines


def transformed(lines: Lines, matrix: Any) -> Lines:
    """Lines in the space that a matrix leads to."""
    array = np.array([value for line in matrix for value in line], dtype=np.float32).reshape(4, 4)
    return lines @ array[:3, :3].T + array[:3, 3]


def _role(obj: Any, default: Role, shown: Shown) -> Role:
    """The role of the nearest body at or above an object; notes what was looked at."""
    above = obj
    while above is not None:
        group = above.omi_physics
        if group.use_motion:
            return Role[group.motion.type]
        above = above.parent
        if above is not None:
            shown.depends.add(above.session_uid)
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
    if kind == "BOX":  # The same in all axes, as long as its sizes are.
        lines = wireframe.box_lines(sizes)
    elif kind == "SPHERE":
        lines = wireframe.sphere_lines(sizes[0])
    else:
        function = _TURNED_LINES[kind]
        lines = np.stack(_AXES.to_blender(_POINT, function(*sizes).T), axis=1)
    return _frozen(_dashed(lines, role))


@lru_cache(maxsize=2)
def _cross_lines(role: Role) -> Lines:
    return _frozen(_dashed(wireframe.cross_lines(_GROUP_SIZE), role))


def _dashed(lines: Lines, role: Role) -> Lines:
    """The lines in the style of a role."""
    if role not in _DRAWN or not len(lines):
        return lines
    size = float(np.ptp(lines, axis=0).max())
    if not 0.0 < size < np.inf:
        return lines
    period = _PERIOD[role] * size
    return wireframe.dashed(lines, _DRAWN[role] * period, (1.0 - _DRAWN[role]) * period)


def _hull_lines(mesh: bpy.types.Mesh) -> Lines:
    return _frozen(wireframe.mesh_lines(*mesh_arrays.hull(mesh)))


def _edge_lines(mesh: bpy.types.Mesh) -> Lines:
    return _frozen(wireframe.mesh_lines(mesh_arrays.points(mesh), mesh_arrays.edges(mesh)))


def _frozen(lines: Lines) -> Lines:
    """Lines that several objects share, so that none can change them."""
    lines.flags.writeable = False
    return lines
