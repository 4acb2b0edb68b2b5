"""Which of two parts of a joint moves."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring.rigging import found_joints
from tests.blender.support.scenes import add, add_body
from tests.support.assemblies import ASSEMBLIES


@pytest.mark.parametrize(
    "kinds",
    [
        ("STATIC", "DYNAMIC"),
        ("KINEMATIC", "DYNAMIC"),
        (None, "DYNAMIC"),
        ("DYNAMIC", "STATIC"),
        (None, None),
    ],
)
def test_a_dynamic_body_moves_and_else_the_smaller_part(kinds):
    gear, shaft = (add(word, bpy.data.meshes.new(word)) for word in ("Gear", "Shaft"))
    for obj, (points, triangles), kind in zip(
        (gear, shaft), ASSEMBLIES["gear on a shaft"][:2], kinds, strict=True
    ):
        mesh: Any = obj.data
        mesh.from_pydata(points.tolist(), [], triangles.tolist())
        if kind:
            add_body(obj, kind)
    bpy.context.view_layer.update()
    (joint,) = found_joints.find(bpy.context.evaluated_depsgraph_get(), [gear, shaft])
    moves = shaft if kinds in (("STATIC", "DYNAMIC"), ("KINEMATIC", "DYNAMIC")) else gear
    assert (joint.part, joint.found.kind) == (moves, "hinge")
    assert {joint.part, joint.other} == {gear, shaft}
