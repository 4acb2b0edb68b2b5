"""Scenes as documents: what belongs to them."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_addon.blender.scene import scene_document


@pytest.mark.parametrize("world", [False, True])
def test_the_gravity_of_the_world_is_there_where_it_is_asked_for(world):
    scene = bpy.context.scene
    scene.omi_physics.use_world_gravity = True
    found = scene_document.read(scene, (), world=world).document.world_gravity
    assert (found is not None) is world
