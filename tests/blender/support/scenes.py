"""Objects for tests, made without operators."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import bpy

_CORNERS = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


@functools.cache
def _start_file() -> str:
    """An empty file of this release; Blender's own is of an older one, and takes twice as long."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    bpy.data.batch_remove([*bpy.data.objects, *bpy.data.meshes, *bpy.data.materials])
    bpy.data.batch_remove([*bpy.data.collections])
    path = str(Path(bpy.app.tempdir) / "empty.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    return path


def begin_empty() -> None:
    """Begin a new file without objects, meshes, materials and collections."""
    bpy.ops.wm.read_homefile(filepath=_start_file(), use_empty=True)


def cube_mesh(name: str = "Cube") -> bpy.types.Mesh:
    """A cube of edge length 1 around the origin."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(_CORNERS, [], _FACES)
    return mesh


def add(
    name: str,
    data: Any = None,
    *,
    location: tuple[float, float, float] = (0.0, 0.0, 0.0),
    parent: Any = None,
    collection: Any = None,
) -> Any:
    """An object in the scene, or in a collection."""
    obj = bpy.data.objects.new(name, data)
    obj.location = location
    obj.parent = parent
    (collection or bpy.context.scene.collection).objects.link(obj)
    return obj


def write_anyway() -> None:
    """Let exports of the scene write what has errors."""
    bpy.context.scene.omi_physics.export.write_anyway = True


def add_collider(obj: Any, kind: str = "BOX") -> Any:
    """Make `obj` a collider; returns its shape's group."""
    obj.omi_physics.use_collider = True
    obj.omi_physics.collider.shape.type = kind
    return obj.omi_physics.collider.shape


def add_body(obj: Any, kind: str = "DYNAMIC") -> Any:
    """Make `obj` a body; returns its motion's group."""
    obj.omi_physics.use_motion = True
    obj.omi_physics.motion.type = kind
    return obj.omi_physics.motion


def node(gltf: dict[str, Any], name: str) -> dict[str, Any]:
    """The one node of that name."""
    (found,) = [n for n in gltf["nodes"] if n["name"] == name]
    return found


def body(gltf: dict[str, Any], name: str) -> dict[str, Any]:
    """The OMI_physics_body object of the one node of that name."""
    return node(gltf, name)["extensions"]["OMI_physics_body"]


def shapes(gltf: dict[str, Any]) -> list[dict[str, Any]]:
    """The shapes of the file."""
    return gltf["extensions"]["OMI_physics_shape"]["shapes"]
