"""What is taken over, and where joints stand that Blender's constraints become."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_addon.blender.authoring.rigid import taking_over
from tests.blender.support.rigid_worlds import constraint, rigid
from tests.blender.support.scenes import add


@pytest.mark.parametrize("has_child", [False, True])
def test_an_empty_moves_below_its_body_unless_objects_are_below_it(has_child):
    ends = rigid("A"), rigid("B", (2.0, 0.0, 0.0))
    tie = constraint("Tie", "HINGE", ends, (1.0, 0.0, 0.0))
    if has_child:
        add("Child", parent=tie)
    bpy.context.view_layer.update()
    scene = bpy.context.scene
    taking_over.take_over(scene, *taking_over.chosen_of(scene, None))
    holder = bpy.data.objects["Tie Joint"] if has_child else tie
    bpy.context.view_layer.update()
    assert [obj for obj in scene.objects if obj.omi_physics.use_joint] == [holder]
    assert holder.parent == ends[0]
    assert tuple(holder.matrix_world.translation) == (1.0, 0.0, 0.0)
    assert tie.parent == (None if has_child else ends[0])


@pytest.mark.parametrize(
    ("selected", "found"),
    [
        ((), ""),
        (("Whole",), "Part Whole Deep"),  # With its parts, and no others.
        (("Deep",), "Deep"),
        (("Tie",), "Part Whole Deep Rest"),
    ],
)
def test_parts_and_ends_belong_to_what_is_selected(selected, found):
    part = rigid("Part", collision_shape="COMPOUND")
    whole = rigid("Whole", collision_shape="COMPOUND")
    part.parent = whole
    rigid("Deep", collision_shape="BOX").parent = part
    constraint("Tie", "HINGE", (whole, rigid("Rest")))
    rigid("Other")
    chosen = {bpy.data.objects[name] for name in selected}
    bodies, ties = taking_over.chosen_of(bpy.context.scene, chosen)
    assert {obj.name for obj in bodies} == set(found.split())
    assert [obj.name for obj in ties] == (["Tie"] if "Tie" in selected else [])
