"""Objects that show instances of others, for tests."""

from __future__ import annotations

from typing import Any

import bpy

from tests.blender.support.scenes import add


def line_mesh(count: int, step: float = 3.0) -> bpy.types.Mesh:
    """Points along X without edges."""
    mesh = bpy.data.meshes.new("Points")
    mesh.from_pydata([(i * step, 0.0, 0.0) for i in range(count)], [], [])
    return mesh


def by_nodes(name: str, shown: Any, count: int = 2, step: float = 3.0, **options: Any) -> Any:
    """An object whose Geometry Nodes show an object, a collection or, for None, a mesh cube."""
    group: Any = bpy.data.node_groups.new(name, "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    out = group.nodes.new("NodeGroupOutput")
    line = group.nodes.new("GeometryNodeMeshLine")
    line.inputs["Count"].default_value = count
    line.inputs["Offset"].default_value = (step, 0.0, 0.0)
    on_points = group.nodes.new("GeometryNodeInstanceOnPoints")
    group.links.new(line.outputs[0], on_points.inputs["Points"])
    if shown is None:
        source = group.nodes.new("GeometryNodeMeshCube").outputs[0]
    elif isinstance(shown, bpy.types.Object):
        info = group.nodes.new("GeometryNodeObjectInfo")
        info.inputs["Object"].default_value = shown
        info.inputs["As Instance"].default_value = True
        source = info.outputs["Geometry"]
    else:
        info = group.nodes.new("GeometryNodeCollectionInfo")
        info.inputs["Collection"].default_value = shown
        source = info.outputs[0]
    group.links.new(source, on_points.inputs["Instance"])
    group.links.new(on_points.outputs[0], out.inputs[0])
    obj = add(name, line_mesh(1), **options)
    obj.modifiers.new("Nodes", "NODES").node_group = group
    return obj


def by_vertices(name: str, child: Any, count: int = 2, **options: Any) -> Any:
    """An object that shows its child on each of its vertices."""
    obj = add(name, line_mesh(count), **options)
    obj.instance_type = "VERTS"
    child.parent = obj
    return obj


def by_faces(name: str, child: Any, mesh: bpy.types.Mesh) -> Any:
    """An object that shows its child on each of its faces."""
    obj = add(name, mesh)
    obj.instance_type = "FACES"
    child.parent = obj
    return obj


def by_particles(name: str, shown: Any, mesh: bpy.types.Mesh, count: int = 3) -> Any:
    """An object that shows another one in place of each hair."""
    obj = add(name, mesh)
    obj.modifiers.new("Particles", "PARTICLE_SYSTEM")
    settings = obj.particle_systems[0].settings
    settings.type, settings.count = "HAIR", count
    settings.render_type, settings.instance_object = "OBJECT", shown
    return obj
