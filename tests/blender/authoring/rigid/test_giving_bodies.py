"""Bodies of ours become rigid bodies of Blender's, with objects for what no mesh shows."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring.rigid.giving_back import give_back
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh


def given() -> list[str]:
    """The names of the objects that are made."""
    bpy.context.view_layer.update()
    return [obj.name for obj in give_back(bpy.context.scene, None).made]


def body(kind: str) -> Any:
    obj = add("Body", cube_mesh())
    add_body(obj)
    return add_collider(obj, kind)


def test_a_tapered_shape_gets_an_object_of_its_size():
    cone = body("CYLINDER").cylinder
    cone.height, cone.radius_bottom, cone.radius_top = 3.0, 1.0, 0.25
    assert given() == ["Body Shape"]
    part = bpy.data.objects["Body Shape"]
    assert part.rigid_body.collision_shape == "CONVEX_HULL"
    assert tuple(part.dimensions) == pytest.approx((2.0, 2.0, 3.0), rel=0.02)
    assert part.parent.rigid_body.collision_shape == "COMPOUND"


@pytest.mark.parametrize("between", ["", "group", "plain"])
def test_parts_of_a_compound_are_rigid_bodies_unless_something_else_is_between(between):
    body("NONE")
    above = bpy.data.objects["Body"]
    if between:
        above = add("Between", cube_mesh(), parent=above)
        if between == "group":
            add_collider(above, "NONE")
    part = add("Part", cube_mesh(), location=(3.0, 0.0, 0.0), parent=above)
    add_collider(part)
    assert given() == (["Body Shape"] if between == "plain" else [])
    assert (part.rigid_body is None) == (between == "plain")
    assert (above.rigid_body is None) == (between == "plain")
