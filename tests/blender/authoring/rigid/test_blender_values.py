"""Objects leave Blender's rigid-body world."""

from __future__ import annotations

import bpy

from omi_physics_addon.blender.authoring.rigid import blender_values as blender
from tests.blender.support.rigid_worlds import constraint, rigid


def test_only_what_leaves_the_world_is_taken_out():
    ends = rigid("A"), rigid("B", (2.0, 0.0, 0.0))
    ties = [constraint(name, "HINGE", ends) for name in ("Tie", "Other")]
    scene = bpy.context.scene
    blender.leave_world(scene, ends[:1], ties[:1])
    assert blender.bodies_of(scene) == [ends[1]]
    assert blender.constraints_of(scene) == [ties[1]]
