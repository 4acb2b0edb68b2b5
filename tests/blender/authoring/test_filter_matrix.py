"""Names of collision systems in the filters of a scene."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_addon.blender.authoring import filter_matrix


@pytest.mark.parametrize(
    ("new", "systems", "against"),
    [("Player", ["Player", "Wall"], ["Player"]), ("Wall", ["Wall"], ["Wall"])],
)
def test_a_system_that_is_renamed_is_so_everywhere(new, systems, against):
    row = bpy.context.scene.omi_physics.collision_filters.add("Filter")
    for name in ("Hero", "Wall"):
        row.collision_systems.add().name = name
    row.collide_with_systems.add().name = "Hero"
    filter_matrix.rename(bpy.context.scene, "Hero", new)
    assert [each.name for each in row.collision_systems] == systems
    assert [each.name for each in row.collide_with_systems] == against
