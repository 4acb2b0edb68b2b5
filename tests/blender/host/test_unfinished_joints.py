"""Joints that lack their settings or their other end, made here and imported."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.scene import scene_check
from omi_physics_addon.codec.rules.file_check import check_file
from omi_physics_addon.issues import Issues
from tests.blender.support.scenes import add, add_body, node

FAMILIES = ("OMI", "KHR", "BOTH")
EXTENSIONS = {"OMI": "OMI_physics_joint", "KHR": "KHR_physics_rigid_bodies"}


def joint_of(gltf: dict[str, Any], family: str = "OMI") -> Any:
    """The JSON of the joint of the node "Joint"; None for none."""
    found = node(gltf, "Joint").get("extensions", {}).get(EXTENSIONS[family], {})
    return (found or None) if family == "OMI" else found.get("joint")


def told(name: str = "Joint") -> dict[str, str]:
    """What the last export says of an object, by code."""
    return {i.code: i.message for i in reports.latest("EXPORT").issues if i.pointer == name}


def unfinished(settings: str, connected: bool) -> Any:
    """A joint below a body, with settings of the scene's list named Door, and a body beside."""
    above, beside = add("Above"), add("Beside")
    add_body(above)
    add_body(beside)
    entry = bpy.context.scene.omi_physics.joint_settings.add("Door")
    limit = entry.limits.add()
    limit.axes, limit.use_max = (True, False, False), True
    joint = add("Joint", parent=above)
    joint.omi_physics.use_joint = True
    joint.omi_physics.joint.settings = settings
    joint.omi_physics.joint.connected_object = beside if connected else None
    bpy.context.view_layer.update()
    return joint


CASES = {
    "nothing": ("", False, "X16", "connected to nothing and has no settings"),
    "no settings": ("", True, "X16", "has no settings"),
    "no other end": ("Door", False, "X16", "connected to nothing"),
    "settings that are not there": ("Gate", True, "X05", "'Gate' is not among"),
}


@pytest.mark.parametrize("pivot", [False, True])
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("case", CASES)
def test_an_unfinished_joint_is_told_instead_of_written(export, case, family, pivot):
    settings, connected, code, why = CASES[case]
    joint = unfinished(settings, connected)
    joint.omi_physics.joint.pivot_at_joint = pivot
    bpy.context.scene.omi_physics.export.family = family
    gltf = export()
    assert sorted(each["name"] for each in gltf["nodes"]) == ["Above", "Beside", "Joint"]
    assert "extensions" not in node(gltf, "Joint")
    assert "physicsJoints" not in str(gltf)
    message = told()[code]
    assert why in message
    assert message.endswith("the joint is not written")
    assert "joint" not in "".join(reports.latest("EXPORT").counts)
    issues = Issues()
    check_file(gltf, issues)
    assert issues.codes().keys().isdisjoint({"J01", "J02"})


def test_an_object_that_was_just_added_is_told_by_its_name(export):
    assert bpy.ops.object.omi_physics_new(kind="JOINT") == {"FINISHED"}
    gltf = export()
    assert "extensionsUsed" not in gltf
    assert "X16" in told("Joint")
    found = scene_check.check(bpy.context.scene)
    assert [(i.code, i.pointer) for i in found.issues if i.code == "X16"] == [("X16", "Joint")]


def test_a_finished_joint_is_written(export):
    unfinished("Door", True)
    gltf = export()
    assert joint_of(gltf) == {"joint": 0, "connectedNode": 2}
    assert told() == {}


def faulty(family: str, joint: dict[str, Any]) -> dict[str, Any]:
    """A glTF with a joint that lacks something."""
    names = {
        "OMI": ["OMI_physics_body", "OMI_physics_joint"],
        "KHR": ["KHR_physics_rigid_bodies"],
    }[family]
    settings = [{"limits": [{"linearAxes": [0], "min": 0, "max": 1}]}]
    if family == "OMI":
        motion = {"OMI_physics_body": {"motion": {"type": "dynamic", "mass": 1}}}
        own: dict[str, Any] = {"OMI_physics_joint": joint}
    else:
        motion = {"KHR_physics_rigid_bodies": {"motion": {"mass": 1}}}
        own = {"KHR_physics_rigid_bodies": {"joint": joint}}
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 2]}],
        "nodes": [
            {"name": "Above", "children": [1], "extensions": motion},
            {"name": "Joint", "extensions": own},
            {"name": "Beside", "extensions": motion},
        ],
        "extensions": {names[-1]: {"physicsJoints": settings}},
        "extensionsUsed": names,
    }


FAULTY = {
    "no settings": {"connectedNode": 2, "enableCollision": True},
    "no other end": {"joint": 0, "enableCollision": True},
    "nothing": {"enableCollision": True, "extras": {"mine": 1}},
}


def test_a_joint_that_points_beyond_the_file_travels_through(import_json, export):
    beyond = {"joint": 9, "connectedNode": 9, "enableCollision": True}
    import_json(faulty("OMI", beyond))
    assert joint_of(export()) == beyond
    assert "as in the imported file" in told()["X08"]  # Behind what says so of the joint.


@pytest.mark.parametrize("family", EXTENSIONS)
@pytest.mark.parametrize("case", FAULTY)
def test_a_joint_of_a_faulty_file_travels_through(import_json, export, case, family):
    import_json(faulty(family, FAULTY[case]))
    gltf = export()
    assert joint_of(gltf, family) == FAULTY[case]
    assert "as it was imported" in told()["X08"]
    assert "X16" not in told()


@pytest.mark.parametrize("case", FAULTY)
def test_it_is_no_fault_any_more_once_it_is_finished(import_json, export, case):
    joint = import_json(faulty("OMI", FAULTY[case]))["Joint"]
    if not joint.omi_physics.joint.settings:
        bpy.context.scene.omi_physics.joint_settings.add("Door").limits.add()
        joint.omi_physics.joint.settings = "Door"
    joint.omi_physics.joint.connected_object = bpy.data.objects["Beside"]
    found = joint_of(export())
    assert found == {**FAULTY[case], "joint": 0, "connectedNode": 2}
    assert "X08" not in told()


@pytest.mark.parametrize("case", FAULTY)
def test_repaired_it_is_not_written(import_json, export, case):
    import_json(faulty("OMI", FAULTY[case]))
    bpy.context.scene.omi_physics.export.repair = True
    assert joint_of(export()) is None
    assert "X16" in told()
