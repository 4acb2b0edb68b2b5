"""Rigid-body worlds are made and left by operators that Blender does not log."""

from __future__ import annotations

from typing import Any

import bpy

from omi_physics_addon.blender.preview.stage import quiet
from tests.blender.support.scenes import add, cube_mesh


def test_what_is_done_for_a_preview_is_not_logged():
    scene: Any = bpy.context.scene
    assert scene.rigidbody_world is None
    bpy.ops.scene.omi_physics_add_rigid_world()
    assert scene.rigidbody_world is not None
    for cls in quiet.CLASSES:
        space, _, name = cls.bl_idname.partition(".")
        assert getattr(getattr(bpy.ops, space), name).bl_options == {"INTERNAL", "MACRO"}


def test_objects_leave_the_world():
    scene: Any = bpy.context.scene
    bpy.ops.scene.omi_physics_add_rigid_world()
    scene.rigidbody_world.collection = bodies = bpy.data.collections.new("Bodies")
    obj = add("Crate", cube_mesh())
    bodies.objects.link(obj)
    assert obj.rigid_body is not None
    with bpy.context.temp_override(selected_objects=[obj], object=obj):
        bpy.ops.scene.omi_physics_leave_rigid_world()
    assert obj.rigid_body is None
