"""Find Joints: parts in Blender, joints that are made, and how they play."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion

from omi_physics_addon import api
from omi_physics_addon.blender.authoring.rigging import found_joints
from omi_physics_addon.blender.operators.joints import find_joints
from tests.blender.operators.test_bodies import can, run, select
from tests.blender.support.scenes import add, add_body, cube_mesh
from tests.support.assemblies import ASSEMBLIES, NONE

FIND = "object.omi_physics_find_joints"


def parts(name: str, place: Any = (0.0, 0.0, 0.0), table: Any = ASSEMBLIES) -> list[Any]:
    made: list[Any] = []
    for word, (points, triangles) in zip(("part", "base"), table[name][:2], strict=True):
        data: Any = bpy.data.meshes.new(word)
        data.from_pydata(points.tolist(), [], triangles.tolist())
        made.append(add(f"{name} {word}", data, location=place))
    return made


def joints() -> list[Any]:
    return [obj for obj in bpy.data.objects if obj.omi_physics.use_joint]


def test_all_assemblies_at_once_get_their_joints_and_no_other():
    wanted: dict[str, str] = {}
    for number, (name, (_, _, (kind, _, _))) in enumerate(ASSEMBLIES.items()):
        parts(name, (20.0 * number, 0.0, 0.0))
        wanted[name] = kind
    for number, name in enumerate(NONE):
        parts(name, (20.0 * number, 50.0, 0.0), NONE)
    select(*bpy.data.objects)
    assert run(FIND) == {"FINISHED"}
    found = {}
    for joint in joints():
        name = joint.parent.name.rpartition(" ")[0]
        assert joint.omi_physics.joint.connected_object.name.rpartition(" ")[0] == name
        found[name] = joint.omi_physics.joint.settings
    assert set(found) == set(wanted)
    for name, settings in found.items():
        assert wanted[name] in settings.lower().replace("_", " ")


def test_a_drawer_becomes_a_body_that_slides_as_far_as_it_may():
    drawer, cabinet = parts("drawer in a cabinet")
    select(drawer, cabinet)
    run(FIND)
    (joint,) = joints()
    assert (drawer.omi_physics.motion.type, cabinet.omi_physics.motion.type) == (
        "DYNAMIC",
        "STATIC",
    )
    assert joint.parent == drawer
    drawer.omi_physics.motion.linear_velocity = (0.0, -0.5, 0.0)
    bpy.context.view_layer.update()
    recording = api.simulate(2.0, fps=120, substeps=10)
    at = list(recording.names).index(drawer.name)
    way = np.array(recording.places)[:, at]
    moved = way[-1] - way[0]  # In glTF's axes, where the front is +Z.
    assert 0.35 < moved[2] < 0.42
    assert np.abs(moved[:2]).max() < 0.01


def test_a_dynamic_body_moves_though_it_is_larger():
    part, base = parts("gear on a shaft")
    add_body(part, "STATIC")
    add_body(base, "DYNAMIC")
    select(part, base)
    run(FIND)
    (joint,) = joints()
    assert joint.parent == base
    assert joint.omi_physics.joint.connected_object == part


def test_parts_that_are_turned_scaled_and_mirrored_are_found():
    part, base = parts("lever on a pin")
    turn = Matrix.LocRotScale((1.0, 2.0, 3.0), Quaternion((0.6, 0.0, 0.8, 0.0)), (2.0, 2.0, -2.0))
    for obj in (part, base):
        obj.matrix_world = turn
    select(part, base)
    run(FIND)
    (joint,) = joints()
    bpy.context.view_layer.update()
    axis = joint.matrix_world.col[2].xyz.normalized()
    along = (turn.to_3x3() @ Matrix.Identity(3).col[1]).normalized()
    assert abs(axis.dot(along)) > 0.9999


def test_bevels_hide_no_joint():
    """They lead smoothly from what is round to its ends."""
    for name, (_, _, (kind, _, _)) in ASSEMBLIES.items():
        made = parts(name)
        for obj in made:
            bevel = obj.modifiers.new("Bevel", "BEVEL")
            bevel.width, bevel.segments, bevel.angle_limit = 0.002, 2, 1.0
        bpy.context.view_layer.update()
        found = found_joints.find(bpy.context.evaluated_depsgraph_get(), made)
        assert [each.found.kind for each in found] == [kind], name
        assert found[0].found.confidence >= 0.75, name


def test_one_body_gets_no_joint_within_itself():
    part, base = parts("gear on a shaft")
    add_body(base)
    part.parent = base
    select(part, base)
    assert run(FIND) == {"CANCELLED"}
    assert not joints()


def test_what_is_unsure_is_offered_and_not_made():
    part, base = parts("cans on each other", table=NONE)
    select(part, base)
    (candidate,) = found_joints.find(
        bpy.context.evaluated_depsgraph_get(), list(bpy.context.selected_objects)
    )
    assert candidate.found.confidence == pytest.approx(0.5)
    assert run(FIND) == {"CANCELLED"}
    assert not joints()
    assert run(FIND, least=0.4) == {"FINISHED"}
    assert len(joints()) == 1


def test_rows_that_are_not_ticked_are_left_and_redo_takes_them():
    for number in range(2):
        parts("gear on a shaft", (20.0 * number, 0.0, 0.0))
    select(*bpy.data.objects)
    rows: list[Any] = []
    for each in found_joints.find(
        bpy.context.evaluated_depsgraph_get(), list(bpy.context.selected_objects)
    ):
        row = SimpleNamespace()
        find_joints._note(row, each, 0.75)
        rows.append(row)
    assert [row.use for row in rows] == [True, True]
    again = find_joints._candidate(rows[0])
    assert again is not None
    assert again.found.kind == "hinge"
    bpy.data.objects.remove(again.part)
    assert find_joints._candidate(rows[0]) is None


def test_it_needs_parts():
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    assert not can(FIND)
    select(add("A", cube_mesh()))
    assert not can(FIND)
    select(*(add(name, cube_mesh(), location=(9.0 * at, 0, 0)) for at, name in enumerate("BC")))
    assert run(FIND) == {"CANCELLED"}
