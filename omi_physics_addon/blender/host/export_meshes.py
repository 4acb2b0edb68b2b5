"""The meshes that an export writes for shapes."""

from __future__ import annotations

import functools
from typing import Any

import bpy

from ...axes import Axes
from ...model.document import NewMesh
from ..base import compat, mesh_arrays
from ..scene.mesh_sources import MeshIndices, Slots, is_joined, source_of


class ExportMeshes:
    """The host's meshes of shapes, by index in the document.

    Attributes:
        meshes: the host's mesh for each index.
    """

    def __init__(self, settings: dict[str, Any]) -> None:
        """Take the host's settings."""
        self.meshes: list[Any] = []
        self._settings = settings
        self._surfaces = MeshIndices[compat.Surface]()  # What `meshes` are made of.
        self._joined: dict[Any, bpy.types.Mesh] = {}  # Meshes made for this export alone.

    def find(self, obj: Any, shape: Any, own: Any) -> int | None:
        """The index of the mesh of a shape of an object; None where there is none.

        Args:
            own: the host's mesh of the object's node.
        """
        if shape.mesh_source == "OWN" and obj.type != "META":  # The host makes none of these.
            return self._index(own)
        source = source_of(obj, shape)
        if source is None:
            return None
        if isinstance(source, bpy.types.Mesh):
            return self._index(self._export(source))
        if is_joined(shape) and source in self._children:
            return self._index(self._export_joined(source))
        return self._index(self._export_object(source))

    def find_part(self, obj: Any, shape: Any, slots: Slots) -> int | None:
        """The index of the mesh of the faces of some slots."""
        source = source_of(obj, shape)
        data = getattr(source, "data", source)
        apply = self._settings["gltf_apply"] and len(getattr(source, "modifiers", ())) > 0
        key = (source if apply else data, slots)
        if key not in self._joined:
            depsgraph = bpy.context.evaluated_depsgraph_get() if apply else None
            with mesh_arrays.temporary_mesh(source, depsgraph) as mesh:
                assert mesh is not None  # It has faces in these slots.
                points, faces = mesh_arrays.triangles(mesh, slots)
            name = f"{data.name} {min(slots) + 1}"
            self._joined[key] = mesh_arrays.new_mesh(name, points, faces.tolist())
        return self._index(self._export(self._joined[key]))

    def add(self, new: NewMesh, axes: Axes) -> int:
        """The index of a mesh that is made for this export."""
        made = self._joined[new] = bpy.data.meshes.new(new.name)
        made.from_pydata([axes.point_to_blender(at) for at in new.corners], [], list(new.triangles))
        plain = {**self._settings, "gltf_normals": False}  # Nobody sees it.
        index = self._index(compat.export_mesh(made, (), None, plain))
        assert index is not None
        return index

    def triangles(self, index: int) -> Any:
        """The corners (n, 3) and triangles (m, 3) of a mesh, in the axes of the file."""
        return compat.triangles(self._surfaces.found[index])

    def count(self, index: int) -> int:
        """How many triangles a mesh has; -1 for none of ours."""
        known = 0 <= index < len(self.meshes)
        return compat.count_triangles(self._surfaces.found[index]) if known else -1

    def remove_joined(self) -> None:
        """Remove the meshes that were made for the export."""
        compat.remove_data(self._joined.values())
        self._joined.clear()

    def _index(self, mesh: Any) -> int | None:
        if mesh is None:
            return None
        index = self._surfaces.index(id(mesh), lambda: compat.surface(mesh))
        if index == len(self.meshes):
            self.meshes.append(mesh)
        return index

    @functools.cached_property
    def _children(self) -> dict[Any, list[Any]]:
        return mesh_arrays.children_of_all()

    def _export(self, mesh: bpy.types.Mesh) -> Any:
        return compat.export_mesh(mesh, tuple(mesh.materials), None, self._settings)

    def _export_object(self, obj: bpy.types.Object) -> Any:
        """The mesh of an object, with its modifiers when the export applies them.

        None when the object is of a kind without one.
        """
        apply = self._settings["gltf_apply"] and len(obj.modifiers) > 0
        if isinstance(obj.data, bpy.types.Mesh) and not apply:
            materials = tuple(slot.material for slot in obj.material_slots)
            return compat.export_mesh(obj.data, materials, None, self._settings)
        depsgraph = bpy.context.evaluated_depsgraph_get() if apply else None
        modifiers = obj.modifiers if apply else None
        with mesh_arrays.temporary_mesh(obj, depsgraph) as mesh:
            if mesh is None:
                return None
            materials = tuple(mesh.materials)
            return compat.export_mesh(mesh, materials, obj.data, self._settings, modifiers)

    def _export_joined(self, obj: bpy.types.Object) -> Any:
        """The meshes of an object and of all below it as one, in the space of the object."""
        if obj not in self._joined:
            apply = bool(self._settings["gltf_apply"])
            self._joined[obj] = mesh_arrays.joined(obj, self._children, apply)
        return self._export(self._joined[obj])
