"""What is told of the two ends of a joint, and of its settings."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring import joint_making, joint_problems
from omi_physics_addon.model.joints import JointSettings
from tests.blender.support.scenes import add, add_body

MOVES, STANDS = "DYNAMIC", "STATIC"


def jointed() -> tuple[Any, Any, Any]:
    """A joint below one object, connected to another one, and these."""
    first, second = add("A"), add("B")
    joint = add("Joint", parent=first)
    joint.omi_physics.use_joint = True
    joint.omi_physics.joint.connected_object = second
    return joint, first, second


@pytest.mark.parametrize(
    ("mine", "other", "text"),
    [
        (MOVES, MOVES, ""),
        (MOVES, STANDS, ""),
        (MOVES, "", "B has no body, so the joint attaches to the world"),
        (STANDS, MOVES, "The body above the joint is not dynamic"),
        ("", MOVES, "No body is above the joint"),
        (STANDS, STANDS, "Neither body is dynamic"),
        (STANDS, "", "Neither body is dynamic"),
        ("", "", "Neither end has a body"),
    ],
)
def test_ends_without_bodies_that_move_are_told(mine, other, text):
    joint, *ends = jointed()
    for obj, kind in zip(ends, (mine, other), strict=True):
        if kind:
            add_body(obj, kind)
    found = joint_problems.of_ends(joint)
    assert (found is None) == (not text)
    if found is not None:
        assert found.text.format(name=found.name).startswith(text)
        assert found.can_swap == (other == MOVES)
        assert found.is_fault == (not text.startswith("B has no body"))


@pytest.mark.parametrize(
    ("end", "text"),
    [
        ("", "Choose the connected object"),
        ("Joint", "The joint is connected to itself"),
        ("A", "Both ends belong to A"),
        ("B", ""),
    ],
)
def test_an_end_that_is_none_or_the_same_is_told(end, text):
    joint, *ends = jointed()
    for obj in ends:
        add_body(obj)
    joint.omi_physics.joint.connected_object = bpy.data.objects.get(end)
    found = joint_problems.of_ends(joint)
    assert ("" if found is None else found.text.format(name=found.name)).startswith(text)
    assert (found is None) == (not text)


def test_settings_that_say_nothing_are_told():
    joint, scene = jointed()[0], bpy.context.scene
    assert joint_problems.of_settings(joint, scene).text.startswith("Choose settings")
    joint.omi_physics.joint.settings = "Gone"
    assert joint_problems.of_settings(joint, scene).name == "Gone"
    entry = joint_making.new_entry(scene, JointSettings(), "Empty")
    joint.omi_physics.joint.settings = "Empty"
    assert "No limits set" in joint_problems.of_settings(joint, scene).text
    entry.limits.add()
    assert joint_problems.of_settings(joint, scene) is None
