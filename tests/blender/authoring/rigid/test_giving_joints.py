"""Joints of ours become constraints of Blender's, and what these do not have is told."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_addon.blender.authoring.rigid.giving_back import give_back
from tests.blender.support.preview_scenes import joint, limit
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh


@pytest.mark.parametrize(
    ("is_soft", "turn", "losses"),
    [
        (False, 0.0, []),
        (False, 0.5, ["the rotation between its two frames"]),
        (True, 0.0, ["the softness of a limit"]),
        (True, 0.5, ["the rotation between its two frames", "the softness of a limit"]),
    ],
)
def test_a_slider_comes_with_all_that_it_loses(is_soft, turn, losses):
    rail, cart = (add(name, cube_mesh(name)) for name in ("Rail", "Cart"))
    for obj in (rail, cart):
        add_body(obj)
        add_collider(obj)
    settings = joint("Slider", rail, cart, (0.0, 0.0, 1.0))
    limit(settings, "LINEAR", "YZ", 0.0, 0.0)
    limit(settings, "ANGULAR", "XYZ", 0.0, 0.0)
    limit(settings, "LINEAR", "X", -1.0, 1.0)
    settings.limits[-1].use_stiffness = is_soft
    bpy.data.objects["Slider A"].rotation_euler.x = turn
    bpy.context.view_layer.update()
    given = give_back(bpy.context.scene, None)
    (tie,) = given.constraints
    held = tie.rigid_body_constraint
    assert held.type == "SLIDER"
    assert {held.object1, held.object2} == {rail, cart}
    told = [i.message for i in given.issues if "constraint does not have" in i.message]
    assert told == [f"Blender's constraint does not have {', '.join(losses)}"][: len(losses)]
