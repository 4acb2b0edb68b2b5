"""What panels keep between redraws is made anew when something has changed."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring import issue_groups, joint_making, missing_colliders
from omi_physics_addon.blender.base.reports import Report
from omi_physics_addon.blender.properties import names
from omi_physics_addon.issue_codes import Code
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh


def joint(name: str, settings: str) -> Any:
    obj = add(name)
    obj.omi_physics.use_joint = True
    obj.omi_physics.joint.settings = settings
    bpy.context.view_layer.update()
    return obj


def count(name: str) -> int:
    return joint_making.count_users(bpy.context.scene, name)


def test_joints_are_counted_anew_after_a_change():
    bpy.context.scene.omi_physics.joint_settings.add("Hinge")
    first = joint("A", "Hinge")
    assert (count("Hinge"), count("Other")) == (1, 0)
    joint("B", "Hinge")
    assert count("Hinge") == 2
    bpy.ops.ed.undo_push(message="Two")
    bpy.context.view_layer.objects.active = first
    bpy.ops.object.omi_physics_unlink_joint_settings("EXEC_DEFAULT", True)
    bpy.context.view_layer.update()
    assert count("Hinge") == 1
    bpy.ops.ed.undo()
    assert count("Hinge") == 2


def test_joints_of_another_scene_are_not_counted():
    joint("A", "Hinge")
    assert count("Hinge") == 1
    other = bpy.data.scenes.new("Other")
    assert joint_making.count_users(other, "Hinge") == 0
    assert count("Hinge") == 1


def test_joints_are_looked_at_once_between_changes(monkeypatch: pytest.MonkeyPatch):
    joint("A", "Hinge")
    count("Hinge")
    monkeypatch.setattr(names, "objects_of", lambda _scene: pytest.fail("looked again"))
    assert count("Hinge") == 1


def test_renamed_objects_are_found():
    obj = joint("A", "")
    report = Report("CHECK", objects={"A": (obj.session_uid,)})
    for place in ("A", "B", "/nodes/1"):
        report.issues.add(Code.BODY_SCALED, place, "")
    assert issue_groups.names_of(report, report.issues) == {"A": "A"}
    obj.name = "B"
    obj.update_tag()
    bpy.context.view_layer.update()
    assert issue_groups.names_of(report, report.issues) == {"A": "B"}


# Bodies without colliders


def lacks(obj: Any) -> bool:
    bpy.context.view_layer.update()
    return missing_colliders.lacks_collider(obj, bpy.context.scene)


@pytest.mark.parametrize("kind", ["STATIC", "KINEMATIC", "DYNAMIC"])
def test_a_body_without_a_collider_is_known(kind):
    body = add("Body", cube_mesh())
    add_body(body, kind)
    assert lacks(body)
    add_collider(body)
    assert not lacks(body)


def test_colliders_below_count_but_for_those_of_other_bodies():
    body = add("Body")
    add_body(body)
    other = add("Other", parent=body)
    add_body(other)
    add_collider(other)
    assert lacks(body)
    add_collider(add("Hull", parent=add("Between", parent=body)))
    assert not lacks(body)


@pytest.mark.parametrize(("kind", "wanted"), [("STATIC", False), ("DYNAMIC", True)])
def test_what_carries_triggers_needs_no_collider_unless_it_falls(kind, wanted):
    body = add("Body")
    add_body(body, kind)
    add("Zone", parent=body).omi_physics.use_trigger = True
    assert lacks(body) is wanted


@pytest.mark.parametrize("below", [True, False])
def test_where_something_hangs_needs_no_collider(below):
    anchor, lamp = add("Anchor"), add("Lamp")
    add_body(anchor, "STATIC")
    add_body(lamp)
    held = add("Joint", parent=anchor if below else lamp)
    held.omi_physics.use_joint = True
    held.omi_physics.joint.connected_object = lamp if below else anchor
    assert not lacks(anchor)
    assert lacks(lamp)


def test_bodies_are_looked_at_once_between_changes(monkeypatch: pytest.MonkeyPatch):
    body = add("Body")
    add_body(body)
    assert lacks(body)
    monkeypatch.setattr(missing_colliders, "_look", lambda _scene: pytest.fail("looked again"))
    assert missing_colliders.lacks_collider(body, bpy.context.scene)
