"""Bodies of infinite mass, authored by hand and read from files of KHR."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, node

KHR = "KHR_physics_rigid_bodies"


@pytest.fixture
def flywheel():
    obj = add("Flywheel", cube_mesh())
    motion = add_body(obj)
    add_collider(obj)
    motion.mass_mode = motion.inertia_mode = "INFINITE"
    add_body(add("Ball", cube_mesh())).mass = 3.0
    return obj


def _motion(gltf, name, family):
    return node(gltf, name)["extensions"][family]["motion"]


def _codes():
    return {issue.code for issue in reports.latest("EXPORT").issues}


@pytest.mark.parametrize("family", ["KHR", "BOTH"])
def test_is_zero_in_khr(export, flywheel, family):
    bpy.context.scene.omi_physics.export.family = family
    gltf = export()
    motion = _motion(gltf, "Flywheel", KHR)
    assert (motion["mass"], motion["inertiaDiagonal"]) == (0, [0, 0, 0])
    assert _motion(gltf, "Ball", KHR)["mass"] == 3
    assert ("L06" in _codes()) is (family == "BOTH")
    assert "B05z" not in _codes()


@pytest.mark.parametrize("family", ["OMI", "BOTH"])
def test_is_kinematic_in_omi(export, flywheel, family):
    bpy.context.scene.omi_physics.export.family = family
    motion = _motion(export(), "Flywheel", "OMI_physics_body")
    assert motion == {"type": "kinematic", "mass": 1}


def test_is_large_in_omi_where_it_can_turn(export, flywheel):
    flywheel.omi_physics.motion.inertia_mode = "ENGINE"
    assert _motion(export(), "Flywheel", "OMI_physics_body")["mass"] == 3e6
    assert "L06" in _codes()


def test_shapes_do_not_make_it_easy_to_turn(export, flywheel):
    flywheel.omi_physics.motion.inertia_mode = "SHAPES"
    bpy.context.scene.omi_physics.export.family = "KHR"
    assert _motion(export(), "Flywheel", KHR)["inertiaDiagonal"] == [0, 0, 0]


@pytest.mark.parametrize("family", ["KHR", "OMI"])
def test_is_shown_after_import(export, import_json, family):
    """A file of KHR, which says it with zeros."""
    motion = {"mass": 0, "inertiaDiagonal": [0, 0, 0]}
    nodes = [{"name": "Flywheel", "extensions": {KHR: {"motion": motion}}}]
    found = import_json({"extensionsUsed": [KHR], "nodes": nodes, "scenes": [{"nodes": [0]}]})
    group = found["Flywheel"].omi_physics.motion
    assert (group.mass_mode, group.inertia_mode) == ("INFINITE", "INFINITE")
    bpy.context.scene.omi_physics.export.family = family
    gltf = export()
    if family == "KHR":
        assert _motion(gltf, "Flywheel", KHR) == motion
    else:
        assert _motion(gltf, "Flywheel", "OMI_physics_body") == {"type": "kinematic", "mass": 1}


def test_zero_of_omi_stays_a_zero(export, import_json):
    """OMI gives it no meaning, so it only travels through."""
    motion = {"type": "dynamic", "mass": 0}
    nodes = [{"name": "Odd", "extensions": {"OMI_physics_body": {"motion": motion}}}]
    found = import_json(
        {"extensionsUsed": ["OMI_physics_body"], "nodes": nodes, "scenes": [{"nodes": [0]}]}
    )
    assert found["Odd"].omi_physics.motion.mass_mode == "VALUE"
    assert _motion(export(), "Odd", "OMI_physics_body") == motion
