"""What a preview says of instances that it does not play."""

from __future__ import annotations

import bpy

from omi_physics_addon.blender.preview import limitations
from tests.blender.support.instancers import by_nodes, by_particles, by_vertices
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh


def _named() -> list[str]:
    bpy.context.view_layer.update()
    found = limitations.of_scene(bpy.context.scene)
    return [name for each in found if "by Geometry Nodes" in each.text for name in each.objects]


def test_objects_whose_instances_have_no_physics_in_the_preview_are_named():
    by_nodes("Decor", add("Leaf", cube_mesh()))
    by_nodes("Bare", None)
    assert not _named()
    stone = add("Stone", cube_mesh())
    add_collider(stone)
    add_body(stone)
    inner = bpy.data.collections.new("Inner")
    by_nodes("Nodes", stone)
    by_particles("Hairs", stone, cube_mesh())
    by_nodes("Nested", stone, collection=inner)
    outer = add("Outer")
    outer.instance_type, outer.instance_collection = "COLLECTION", inner
    assert sorted(_named()) == ["Hairs", "Nested", "Nodes"]
    by_vertices("Vertices", stone)
    assert "Vertices" in _named()
