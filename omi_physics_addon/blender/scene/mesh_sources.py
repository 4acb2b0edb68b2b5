"""What the meshes of shapes are made of, their faces and surfaces, and their indices."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import bpy
import numpy as np
from mathutils import Euler, Vector

from ..base import compat, groups, mesh_arrays

T = TypeVar("T")
Slots = frozenset[int]  # Slots of Blender materials whose faces are meant.
_UP: Final = Vector((0.0, 0.0, 1.0))


def source_of(obj: Any, shape: Any) -> Any:
    """The mesh data or the object that the mesh of a shape of an object is made of.

    None where the artist has not chosen one.
    """
    if shape.mesh_source == "DATA":
        return shape.mesh
    return obj if shape.mesh_source == "OWN" else shape.mesh_object


def is_joined(shape: Any) -> bool:
    """Whether the meshes of what is below the source belong to it, too."""
    return shape.mesh_source == "OBJECT" and shape.use_children


def applies_modifiers(source: Any, apply: bool) -> bool:
    """Whether the mesh of an object is another one than its own where modifiers count."""
    return apply and len(source.modifiers) > 0


@contextmanager
def mesh_of(source: Any, apply: bool) -> Generator[bpy.types.Mesh | None]:
    """The mesh of mesh data or of an object; None where it has none.

    One that had to be made is gone afterwards.

    Args:
        apply: whether modifiers count.
    """
    data = getattr(source, "data", source)
    if isinstance(data, bpy.types.Mesh) and (
        data is source or not applies_modifiers(source, apply)
    ):
        yield data
        return
    depsgraph = bpy.context.evaluated_depsgraph_get() if apply else None
    with mesh_arrays.temporary_mesh(source, depsgraph) as mesh:
        yield mesh


def trimesh_data(obj: Any) -> bpy.types.Mesh | None:
    """The mesh data that the triangle mesh of a collider is made of; None where it is of none."""
    group = groups.of_object(obj)
    shape = group.collider.shape
    if not group.use_collider or shape.type != "TRIMESH" or is_joined(shape):
        return None
    source = source_of(obj, shape)
    data = getattr(source, "data", source)
    return data if isinstance(data, bpy.types.Mesh) else None


def faces_away(obj: Any, mesh: bpy.types.Mesh) -> list[int]:
    """The faces of the mesh of an object that are to be turned so that none looks away."""
    from ...geometry.mesh_sides import look

    corners, triangles = mesh_arrays.triangles(mesh)
    turn = Euler(groups.of_object(obj).collider.shape.rotation).to_matrix()
    up = (obj.matrix_world.to_3x3() @ turn).inverted_safe() @ _UP
    owners = mesh_arrays.values(mesh.loop_triangles, "polygon_index", np.int32)
    return np.unique(owners[look(corners, triangles).turned(up)]).tolist()


class MeshIndices(Generic[T]):
    """Gives meshes their indices in a document, in the order in which shapes ask for them.

    Attributes:
        found: what is known of each mesh, by index.
    """

    def __init__(self) -> None:
        self.found: list[T] = []
        self._indices: dict[Any, int] = {}

    def index(self, key: Any, make: Callable[[], T]) -> int:
        """The index of the mesh that a key identifies; makes what is known of a new one."""
        at = self._indices.get(key)
        if at is None:
            at = self._indices[key] = len(self.found)
            self.found.append(make())
        return at


@dataclass(frozen=True)
class Patch:
    """Faces of a mesh that have one physics material.

    Attributes:
        slots: of their Blender materials.
        tree: the data-block of the physics material; None for that of the collider.
        area: of the faces, in square units of the object.
    """

    slots: Slots
    tree: Any
    area: float


class Surfaces:
    """Looks at meshes once each, and at none where no Blender material has a surface."""

    def __init__(self, apply: bool) -> None:
        """Take what counts.

        Args:
            apply: whether modifiers count.
        """
        self._apply = apply
        self._are_there = any(tree_of(material) is not None for material in bpy.data.materials)
        self._areas: dict[Any, dict[int, float]] = {}

    def patches(self, obj: Any, shape: Any) -> list[Patch]:
        """The parts of what an object shows, the largest first; none without any surface."""
        if not self._are_there:
            return []
        source = source_of(obj, shape) if shape.type in ("CONVEX", "TRIMESH") else obj
        if source is None or is_joined(shape):
            return []
        trees = [tree_of(material) for material in self._materials(source)]
        if not any(trees):
            return []
        slots: dict[Any, set[int]] = {}
        areas: dict[Any, float] = {}
        for slot, area in self._slots(source).items():
            tree = trees[min(slot, len(trees) - 1)]
            slots.setdefault(tree, set()).add(slot)
            areas[tree] = areas.get(tree, 0.0) + area
        found = [Patch(frozenset(slots[tree]), tree, areas[tree]) for tree in slots]
        return sorted(found, key=lambda patch: (-patch.area, min(patch.slots)))

    def _materials(self, source: Any) -> list[Any]:
        """The materials of the slots; modifiers may have more of them than the object."""
        if isinstance(source, bpy.types.Mesh):
            return list(source.materials)
        if not applies_modifiers(source, self._apply):
            return [slot.material for slot in source.material_slots]
        shown = source.evaluated_get(bpy.context.evaluated_depsgraph_get())
        return [slot.material and slot.material.original for slot in shown.material_slots]

    def _slots(self, source: Any) -> dict[int, float]:
        """The slots that faces use, each with the area of these."""
        is_plain = getattr(source, "type", "") == "MESH" and not applies_modifiers(
            source, self._apply
        )
        key = source.data if is_plain else source
        if key not in self._areas:
            with mesh_of(source, self._apply) as mesh:
                self._areas[key] = {} if mesh is None else _used(mesh)
        return self._areas[key]


def tree_of(material: Any) -> Any:
    """The data-block of the physics material of a Blender material; None for none."""
    return None if material is None else getattr(material, compat.ATTRIBUTE).physics_material_entry


def _used(mesh: Any) -> dict[int, float]:
    slots = mesh_arrays.values(mesh.polygons, "material_index", np.int32)
    areas = mesh_arrays.values(mesh.polygons, "area", np.float32)
    sums: Sequence[float] = np.bincount(slots, areas).tolist() if len(slots) else []
    return {slot: sums[slot] for slot in np.unique(slots).tolist()}
