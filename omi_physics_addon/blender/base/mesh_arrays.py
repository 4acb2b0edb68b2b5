"""The vertices and edges of objects and meshes as arrays, in their own space and Blender's axes."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import bmesh
import bpy
import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hierarchy import Children, with_below

Points = NDArray[np.float32]
Edges = NDArray[np.int32]

# Types of objects that can have vertices.
MESHLIKE: Final = frozenset({"MESH", "CURVE", "SURFACE", "FONT", "META"})

_FLAT: Final = 1e-4  # Edges of a hull between faces that turn less than this are no edges, rad.


@contextmanager
def temporary_mesh(
    obj: Any, depsgraph: bpy.types.Depsgraph | None
) -> Generator[bpy.types.Mesh | None]:
    """The mesh of an object, None where it cannot have one; gone afterwards.

    Args:
        obj: mesh data stand for themselves.
        depsgraph: of which the mesh is taken with its modifiers; None to leave them out.
            Metaballs have no modifiers, and no mesh before they are evaluated.
    """
    if isinstance(obj, bpy.types.Mesh) or obj.type not in MESHLIKE:
        yield obj if isinstance(obj, bpy.types.Mesh) else None
        return
    if obj.type == "META" and depsgraph is None:
        depsgraph = bpy.context.evaluated_depsgraph_get()
    owner = obj if depsgraph is None else obj.evaluated_get(depsgraph)
    try:
        yield owner.to_mesh()
    finally:
        owner.to_mesh_clear()


def evaluated_points(obj: Any, depsgraph: bpy.types.Depsgraph) -> Points:
    """The vertices (n, 3) that an object shows; none for an empty mesh or an empty."""
    with temporary_mesh(obj, depsgraph) as mesh:
        return points(mesh) if mesh is not None else np.zeros((0, 3), dtype=np.float32)


def values(items: Any, name: str, kind: Any, width: int = 1) -> NDArray[Any]:
    """What all items of a mesh have for a property, (n,); (n, width) for vectors.

    Args:
        kind: type of the numbers, which should be that of Blender's.
    """
    array = np.empty(width * len(items), dtype=kind)
    items.foreach_get(name, array)
    return array if width == 1 else array.reshape(-1, width)


def points(mesh: bpy.types.Mesh) -> Points:
    """The vertices (n, 3) of a mesh."""
    return values(mesh.vertices, "co", np.float32, 3)


def moved(points: ArrayLike, matrix: Any) -> NDArray[np.float64]:
    """Points (n, 3) in the space that a matrix (4, 4) leads to."""
    array = np.array(matrix, dtype=np.float64)
    return np.asarray(points) @ array[:3, :3].T + array[:3, 3]


def edges(mesh: bpy.types.Mesh) -> Edges:
    """The edges (n, 2) of a mesh, as indices of its vertices."""
    return values(mesh.edges, "vertices", np.int32, 2)


def triangles(
    mesh: bpy.types.Mesh, slots: Collection[int] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The vertices (n, 3) and triangles (m, 3) of a mesh.

    Args:
        slots: of the materials whose faces are meant, with their corners only; None for all.
    """
    mesh.calc_loop_triangles()
    faces = values(mesh.loop_triangles, "vertices", np.int32, 3).astype(np.int64)
    places = points(mesh).astype(np.float64)
    if slots is None:
        return places, faces
    faces = faces[np.isin(material_indices(mesh), list(slots))]
    used, index = np.unique(faces, return_inverse=True)
    return places[used], index.reshape(-1, 3).astype(np.int64)


def material_indices(mesh: bpy.types.Mesh) -> NDArray[np.int32]:
    """The slot of the material of each triangle (m,), in the order of the loop triangles."""
    mesh.calc_loop_triangles()
    return values(mesh.loop_triangles, "material_index", np.int32)


def new_mesh(name: str, points: NDArray[Any], triangles: Sequence[Any]) -> bpy.types.Mesh:
    """New mesh data with these vertices (n, 3) and triangles (m, 3)."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points.tolist(), [], [tuple(each) for each in triangles])
    return mesh


@contextmanager
def edited(mesh: bpy.types.Mesh | None = None) -> Generator[Any]:
    """A BMesh that is freed afterwards.

    Args:
        mesh: that it is made of, and that becomes what it is in the end; None for a new one.
    """
    work: Any = bmesh.new()
    try:
        if mesh is not None:
            work.from_mesh(mesh)
        yield work
        if mesh is not None:
            work.to_mesh(mesh)
    finally:
        work.free()


def hull(mesh: bpy.types.Mesh) -> tuple[Points, Edges]:
    """The corners (n, 3) and edges (k, 2) of the convex hull of a mesh; none where it is flat."""
    with edited() as work:
        for corner in points(mesh).tolist():
            work.verts.new(corner)
        if len(work.verts) >= 3:
            bmesh.ops.convex_hull(work, input=list(work.verts), use_existing_faces=False)
        work.verts.index_update()
        corners = np.array([vert.co[:] for vert in work.verts], dtype=np.float32)
        ends = [[v.index for v in edge.verts] for edge in work.edges if _is_sharp(edge)]
    return corners.reshape(-1, 3), np.array(ends, dtype=np.int32).reshape(-1, 2)


def _is_sharp(edge: Any) -> bool:
    """Whether an edge of a hull is more than a seam between two triangles of one face."""
    return bool(edge.link_faces) and edge.calc_face_angle(np.pi) > _FLAT


def children_of_all() -> dict[Any, list[Any]]:
    """The children of every object that has any; Blender itself looks through all objects."""
    found: dict[Any, list[Any]] = {}
    for obj in bpy.data.objects:
        if obj.parent is not None:
            found.setdefault(obj.parent, []).append(obj)
    return found


def joined(obj: Any, children: Children, apply: bool) -> bpy.types.Mesh:
    """New mesh data with the meshes of an object and of all below it, in the object's space.

    Args:
        obj: need not have a mesh of its own.
        children: of every object, from `children_of_all`.
        apply: whether modifiers count.
    """
    with joined_faces(obj, children, apply) as faces:
        result = bpy.data.meshes.new(f"{obj.name} and below")
        faces.to_mesh(result)
    return result


@contextmanager
def joined_faces(obj: Any, children: Children, apply: bool) -> Generator[Any]:
    """The meshes of `joined` as a BMesh that is freed afterwards."""
    depsgraph = bpy.context.evaluated_depsgraph_get() if apply else None
    into = obj.matrix_world.inverted_safe()
    with edited() as work:
        for part in with_below(obj, children):
            with temporary_mesh(part, depsgraph) as mesh:
                if mesh is None:
                    continue
                before = len(work.verts)
                work.from_mesh(mesh)
                work.verts.ensure_lookup_table()
                bmesh.ops.transform(
                    work, matrix=into @ part.matrix_world, verts=work.verts[before:]
                )
        yield work
