"""Keeps hulls, lines and surfaces of the meshes that shapes refer to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ...axes import points_to_gltf
from ...geometry.hull import convex_hull
from ...geometry.lines import wireframe
from ...geometry.nearest import MeshSurface
from ..base import mesh_arrays
from ..scene.mesh_sources import source_of
from .marks import Lines, MarkContext, ObjectMarks, frozen

T = TypeVar("T")
Triangles = tuple[Any, Any]  # Corners (n, 3) in glTF's axes, and triangles (m, 3) of them.


class ShapeMeshes:
    """Reads the meshes of shapes; objects that share a mesh share what was read."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, object], Any] = {}

    def forget(self, uids: set[int]) -> None:
        """Forget objects and meshes that changed."""
        for key in [key for key in self._known if key[0] in uids]:
            del self._known[key]

    def read(
        self,
        obj: Any,
        shape: Any,
        context: MarkContext,
        shown: ObjectMarks,
        function: Callable[[Any], T],
    ) -> T | None:
        """What a function makes of the mesh of a shape of an object; None without a mesh."""
        owner = source_of(obj, shape)
        if owner is None:
            return None
        shown.depends.add(owner.session_uid)
        if shape.mesh_source == "DATA":
            return self._remembered(owner.session_uid, function, lambda: function(owner))

        def evaluated() -> T | None:
            with mesh_arrays.temporary_mesh(owner, context.depsgraph) as mesh:
                return None if mesh is None else function(mesh)

        # Objects that share a mesh and do not change it share what is made of it.
        source = owner if owner.modifiers or owner.data is None else owner.data
        return self._remembered(source.session_uid, function, evaluated)

    def _remembered(self, uid: int, function: object, make: Callable[[], T]) -> T:
        key = (uid, function)
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]


def hull_lines(mesh: Any) -> Lines:
    """The edges of the hull of a mesh."""
    return frozen(wireframe.mesh_lines(*mesh_arrays.hull(mesh)))


def edge_lines(mesh: Any) -> Lines:
    """The edges of a mesh."""
    return frozen(wireframe.mesh_lines(mesh_arrays.points(mesh), mesh_arrays.edges(mesh)))


def hull_triangles(mesh: Any) -> Triangles | None:
    """The hull of a mesh; None where it is flat."""
    return convex_hull(points_to_gltf(mesh_arrays.hull(mesh)[0]))


def hull_surface(mesh: Any) -> MeshSurface | None:
    """What gives the nearest points on the hull of a mesh."""
    found = hull_triangles(mesh)
    return None if found is None else MeshSurface(*found)


def surface(mesh: Any) -> MeshSurface | None:
    """What gives the nearest points on the faces of a mesh."""
    mesh.calc_loop_triangles()
    triangles = mesh_arrays.values(mesh.loop_triangles, "vertices", np.int32, 3)
    if not len(triangles):
        return None
    return MeshSurface(points_to_gltf(mesh_arrays.points(mesh)), triangles)
