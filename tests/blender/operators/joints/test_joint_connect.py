"""Joints between selected objects, rows and ropes of them, and their ends changing places."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from omi_physics_addon import api
from omi_physics_addon.blender.authoring import joint_making, joint_problems
from omi_physics_addon.blender.scene import joint_settings
from omi_physics_addon.model.joint_kinds import JointKind, make
from omi_physics_addon.model.joints import JointLimit, JointSettings, turned
from tests.blender.operators.joints.test_joint_set_kind import (
    add_joint,
    add_settings,
    entries,
    jointed,
    kind_of,
    scene,
    used,
)
from tests.blender.operators.test_bodies import can, run, select
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, node

CONNECT = "object.omi_physics_connect_selected"
ROW = "object.omi_physics_connect_row"
ROPE = "object.omi_physics_rope_from_curve"
SWAP = "object.omi_physics_swap_joint_ends"


def box(name: str, *place: float, parent: Any = None) -> Any:
    return add(name, cube_mesh(), location=place, parent=parent)


def joints() -> list[Any]:
    found = [obj for obj in scene().objects if obj.omi_physics.use_joint]
    return sorted(found, key=lambda obj: obj.name)


def place(obj: Any) -> tuple[float, ...]:
    bpy.context.view_layer.update()
    return tuple(obj.matrix_world.translation)


def axis(obj: Any, i: int) -> tuple[float, ...]:
    bpy.context.view_layer.update()
    return tuple(obj.matrix_world.to_3x3().col[i].normalized())


def connected(obj: Any) -> Any:
    return obj.omi_physics.joint.connected_object


# Connect Selected


def test_each_selected_object_is_joined_to_the_active_one():
    frame, left, right = box("Frame", 0, 0, 0), box("Left", -2, 0, 0), box("Right", 2, 0, 0)
    select(frame, left, right, active=frame)
    assert run(CONNECT, kind="HINGE", use_turn=True, min_angle=0.0, max_angle=1.0) == {"FINISHED"}
    made = joints()
    assert [obj.name for obj in made] == ["Left to Frame", "Right to Frame"]
    assert [obj.parent for obj in made] == [left, right]
    assert [connected(obj) for obj in made] == [frame, frame]
    assert [place(obj) for obj in made] == [(-1, 0, 0), (1, 0, 0)]
    assert entries() == ["Hinge"]
    assert kind_of("Hinge") == JointKind(kind="hinge", axis=2, turn_min=0.0, turn_max=1.0)
    assert all(obj.omi_physics.joint.pivot_at_joint for obj in made)
    assert all(joint_problems.of_ends(obj) is None for obj in made)
    assert set(bpy.context.selected_objects) == set(made)
    assert bpy.context.object == made[-1]


def test_objects_without_a_body_become_bodies():
    frame, door, lamp = box("Frame", 0, 0, 0), box("Door", 1, 0, 0), add("Lamp")
    add_collider(door, "SPHERE")
    select(frame, door, lamp, active=frame)
    run(CONNECT)
    motions = [obj.omi_physics.motion.type for obj in (frame, door, lamp)]
    assert motions == ["STATIC", "DYNAMIC", "DYNAMIC"]
    assert frame.omi_physics.collider.shape.type == "BOX"
    assert tuple(frame.omi_physics.collider.shape.box.size) == (1.0, 1.0, 1.0)
    assert door.omi_physics.collider.shape.type == "SPHERE"
    assert not lamp.omi_physics.use_collider


def test_colliders_below_count_and_bodies_above_stay():
    wall = box("Wall", 0, 0, 0)
    add_body(wall, "STATIC")
    frame = add("Frame", parent=wall)
    door = add("Door", location=(1, 0, 0))
    leaf = box("Leaf", 0, 0, 0, parent=door)
    add_collider(leaf)
    select(frame, door, active=frame)
    run(CONNECT)
    assert not frame.omi_physics.use_motion
    assert not wall.omi_physics.use_collider
    assert door.omi_physics.use_motion
    assert not door.omi_physics.use_collider
    assert connected(joints()[0]) == frame


def test_bodies_are_made_only_if_wanted():
    frame, door = box("Frame", 0, 0, 0), box("Door", 1, 0, 0)
    select(frame, door, active=frame)
    run(CONNECT, make_bodies=False)
    assert not frame.omi_physics.use_motion
    assert not door.omi_physics.use_motion
    assert len(joints()) == 1


def test_the_active_object_becomes_what_is_asked_for():
    frame, door = box("Frame", 0, 0, 0), box("Door", 1, 0, 0)
    select(frame, door, active=frame)
    run(CONNECT, active_type="KINEMATIC")
    assert frame.omi_physics.motion.type == "KINEMATIC"


def test_the_joint_stands_below_what_moves():
    frame, car = box("Wall", 0, 0, 0), box("Car", 1, 0, 0)
    add_body(frame, "STATIC")
    add_body(car)
    select(frame, car, active=car)
    run(CONNECT)
    (joint,) = joints()
    assert (joint.parent, connected(joint)) == (car, frame)
    assert joint.name == "Car to Wall"


def test_parts_of_one_body_are_told_or_become_bodies():
    chest = box("Chest", 0, 0, 0)
    add_body(chest)
    lid, lock = box("Lid", 0, 0, 1, parent=chest), box("Lock", 0, 1, 0, parent=chest)
    select(chest, lid, active=chest)
    assert run(CONNECT, make_bodies=False) == {"CANCELLED"}
    assert not joints()
    assert run(CONNECT) == {"FINISHED"}
    assert lid.omi_physics.use_motion
    assert joints()[0].parent == lid
    parts = [box(name, 0, 0, 0, parent=chest) for name in "AB"]
    select(*parts)
    assert run(CONNECT) == {"CANCELLED"}
    assert not lock.omi_physics.use_motion


def test_a_child_without_any_body_above_becomes_its_own():
    chest = box("Chest", 0, 0, 0)
    lid = box("Lid", 0, 0, 1, parent=chest)
    select(chest, lid, active=chest)
    run(CONNECT)
    assert [o.omi_physics.motion.type for o in (chest, lid)] == ["STATIC", "DYNAMIC"]
    assert joint_problems.of_ends(joints()[0]) is None


@pytest.mark.parametrize(
    ("pivot", "expected"),
    [
        ("MIDPOINT", (2, 1, 0)),
        ("ACTIVE", (1, 1, 0)),
        ("SELECTED", (3, 1, 0)),
        ("CURSOR", (7, 8, 9)),
    ],
)
def test_pivots(pivot, expected):
    frame, door = box("Frame", 1, 1, 0), box("Door", 3, 1, 0)
    door.scale = (2.0, 0.5, 3.0)
    door.rotation_euler = (0.4, 0.5, 0.6)
    scene().cursor.location = (7, 8, 9)
    select(frame, door, active=frame)
    run(CONNECT, pivot=pivot)
    (joint,) = joints()
    assert place(joint) == pytest.approx(expected, abs=1e-5)
    assert np.array(joint.matrix_world.to_3x3()) == pytest.approx(np.eye(3), abs=1e-5)
    assert tuple(joint.scale) == (1, 1, 1)


@pytest.mark.parametrize("name", ["connect_selected", "connect_row"])
def test_the_redo_panel_stays(name):
    """Blender shows it only of operators that could run once more."""
    frame, door = box("Frame", 0, 0, 0), box("Door", 1, 0, 0)
    select(frame, door, active=frame)
    operator = getattr(bpy.ops.object, f"omi_physics_{name}")
    operator()
    assert operator.poll()
    made = joints()
    assert operator() == {"CANCELLED"}  # On the new joint alone.
    assert joints() == made


def test_automatic_pivot_is_where_both_meet():
    """At the side of a door that touches its frame, however large both are."""
    post, door, lamp = box("Post", 0, 0, 1), box("Door", 0.6, 0, 1), add("Lamp")
    post.scale, door.scale = (0.2, 0.2, 2.0), (1.0, 0.06, 1.9)
    lamp.location = (0.3, 0.05, 4.0)
    select(post, door, lamp, active=post)
    run(CONNECT)
    places = {obj.parent.name: place(obj) for obj in joints()}
    assert places["Door"] == pytest.approx((0.1, 0.0, 1.0), abs=1e-5)
    assert places["Lamp"] == pytest.approx((0.2, 0.05, 3.0), abs=1e-5)  # In the gap.


@pytest.mark.parametrize("spin", [0.0, 0.5])
def test_a_lid_hangs_on_the_long_edge_at_its_back(spin):
    """And 0 to 110 degrees open it, in the axes of the chest, whichever way that is turned."""
    chest, lid = box("Chest", 0.0, 0.0, 0.5), box("Lid", 0.0, 0.0, 1.05)
    chest.scale, lid.scale = (2.0, 1.0, 1.0), (2.0, 1.0, 0.1)
    for obj in (chest, lid):
        obj.rotation_euler.z = spin
    select(chest, lid)
    bpy.ops.object.omi_physics_connect_selected(kind="HINGE")
    (joint,) = joints()
    back = (-0.5 * math.sin(spin), 0.5 * math.cos(spin), 1.0)
    assert place(joint) == pytest.approx(back, abs=1e-5)
    assert axis(joint, 2) == pytest.approx((-math.cos(spin), -math.sin(spin), 0.0), abs=1e-5)
    select(chest, lid)
    bpy.ops.object.omi_physics_connect_selected(kind="HINGE", pivot="MIDPOINT")
    assert axis(joints()[-1], 2) == pytest.approx((0.0, 0.0, 1.0), abs=1e-5)


@pytest.mark.parametrize("spin", [0.0, 0.5])
def test_a_square_lid_hangs_on_the_edge_at_its_back(spin):
    """As one does that is made of two default cubes."""
    chest, lid = box("Chest", 0.0, 0.0, 0.5), box("Lid", 0.0, 0.0, 1.1)
    lid.scale = (1.0, 1.0, 0.2)
    for obj in (chest, lid):
        obj.rotation_euler.z = spin
    select(lid, chest, active=chest)
    bpy.ops.object.omi_physics_connect_selected()
    (joint,) = joints()
    back = (-0.5 * math.sin(spin), 0.5 * math.cos(spin), 1.0)
    assert joint.parent == lid
    assert place(joint) == pytest.approx(back, abs=1e-5)
    assert axis(joint, 2) == pytest.approx((-math.cos(spin), -math.sin(spin), 0.0), abs=1e-5)


def test_a_door_turns_about_the_side_of_its_frame():
    """And not about its middle, where the frame is one object around it."""
    frame, door = box("Frame", 0.0, 0.0, 1.05), box("Door", 0.0, 0.0, 1.0)
    frame.scale, door.scale = (1.2, 0.2, 2.1), (1.0, 0.06, 2.0)
    select(door, frame, active=frame)
    bpy.ops.object.omi_physics_connect_selected()
    (joint,) = joints()
    assert place(joint) == pytest.approx((-0.5, 0.0, 1.0), abs=1e-5)
    assert axis(joint, 2) == pytest.approx((0.0, 0.0, 1.0), abs=1e-5)


def test_a_bridge_turns_about_the_line_where_it_meets_the_wall():
    wall, bridge = box("Wall", 0.0, 0.0, 1.0), box("Bridge", 0.0, -1.6, 0.1)
    wall.scale, bridge.scale = (4.0, 0.2, 2.0), (2.0, 3.0, 0.2)
    select(bridge, wall, active=wall)
    bpy.ops.object.omi_physics_connect_selected()
    (joint,) = joints()
    assert place(joint) == pytest.approx((0.0, -0.1, 0.1), abs=1e-5)
    assert axis(joint, 2) == pytest.approx((-1.0, 0.0, 0.0), abs=1e-5)


@pytest.mark.parametrize("orientation", ["GLOBAL", "ACTIVE", "SELECTED", "CURSOR"])
def test_orientations(orientation):
    frame, door = box("Frame", 0, 0, 0), box("Door", 2, 0, 0)
    turns = {"ACTIVE": (0.1, 0.2, 0.3), "SELECTED": (1.0, 0.2, 0.1), "CURSOR": (0.5, 0.6, 0.7)}
    frame.rotation_euler, door.rotation_euler = turns["ACTIVE"], turns["SELECTED"]
    scene().cursor.rotation_euler = turns["CURSOR"]
    select(frame, door, active=frame)
    run(CONNECT, orientation=orientation)
    (joint,) = joints()
    bpy.context.view_layer.update()
    expected = {
        "GLOBAL": Matrix(),
        "ACTIVE": frame.matrix_world,
        "SELECTED": door.matrix_world,
        "CURSOR": scene().cursor.matrix,
    }[orientation]
    found = np.array(joint.matrix_world.to_3x3())
    assert found == pytest.approx(np.array(expected.to_3x3()), abs=1e-5)


def edit(obj: Any, vertices: Callable[[Vector], bool], mode: str) -> None:
    """Select vertices of a mesh in Edit Mode, where they make edges or faces, those too."""
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_mode(type=mode)
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.object.mode_set(mode="OBJECT")
    mesh = obj.data
    for vert in mesh.vertices:
        vert.select = vertices(vert.co)
    for edge in mesh.edges:
        edge.select = mode != "VERT" and all(mesh.vertices[i].select for i in edge.vertices)
    for face in mesh.polygons:
        face.select = mode == "FACE" and all(mesh.vertices[i].select for i in face.vertices)
    bpy.ops.object.mode_set(mode="EDIT")


@pytest.mark.parametrize("chosen", ["X", "Y", "Z"])
def test_an_edge_is_the_axis_of_a_hinge(chosen):
    frame, door = box("Frame", 0, 0, 0), box("Door", 3, 0, 0)
    door.scale = (2.0, 0.2, 4.0)
    select(door, frame, active=frame)
    edit(door, lambda co: co.x < 0 and co.y < 0, "EDGE")
    bpy.context.view_layer.objects.active = frame
    assert run(CONNECT, pivot="ELEMENTS", axis=chosen) == {"FINISHED"}
    assert bpy.context.mode == "OBJECT"
    (joint,) = joints()
    assert place(joint) == pytest.approx((2.0, -0.1, 0.0), abs=1e-5)
    assert axis(joint, "XYZ".index(chosen)) == pytest.approx((0, 0, 1), abs=1e-5)
    assert joint.parent == door


def test_a_face_gives_its_middle_and_normal():
    frame, door = box("Frame", 0, 0, 0), box("Door", 3, 0, 0)
    door.rotation_euler = (0.0, 0.0, math.pi / 4.0)
    door.scale = (2.0, 1.0, 1.0)
    select(door, frame, active=door)
    edit(door, lambda co: co.x > 0, "FACE")
    bpy.context.view_layer.objects.active = frame
    run(CONNECT, pivot="ELEMENTS", axis="X")
    (joint,) = joints()
    half = math.sqrt(0.5)
    assert place(joint) == pytest.approx((3.0 + half, half, 0.0), abs=1e-5)
    assert axis(joint, 0) == pytest.approx((half, half, 0.0), abs=1e-5)


def test_a_vertex_gives_a_place_only():
    frame, door = box("Frame", 0, 0, 0), box("Door", 3, 0, 0)
    select(door, frame, active=door)
    edit(door, lambda co: min(co) > 0, "VERT")
    bpy.context.view_layer.objects.active = frame
    run(CONNECT, pivot="ELEMENTS")
    assert place(joints()[0]) == pytest.approx((3.5, 0.5, 0.5))
    assert axis(joints()[0], 2) == pytest.approx((0, 0, 1))


def test_nothing_selected_in_edit_mode_is_told():
    frame, door = box("Frame", 0, 0, 0), box("Door", 3, 0, 0)
    select(door, frame, active=frame)
    assert run(CONNECT, pivot="ELEMENTS") == {"CANCELLED"}
    edit(frame, lambda _co: False, "VERT")
    assert run(CONNECT, pivot="ELEMENTS") == {"CANCELLED"}
    assert bpy.context.mode == "EDIT_MESH"
    assert not frame.omi_physics.use_motion


def test_in_edit_mode_the_elements_are_the_first_choice():
    frame, door = box("Frame", 0, 0, 0), box("Door", 3, 0, 0)
    select(door, frame, active=frame)
    edit(frame, lambda co: co.x > 0 and co.z > 0, "EDGE")
    assert run(CONNECT) == {"FINISHED"}
    assert place(joints()[0]) == pytest.approx((0.5, 0.0, 0.5))


def test_equal_joints_share_their_settings():
    frame, door, gate = box("Frame", 0, 0, 0), box("Door", 3, 0, 0), box("Gate", 5, 0, 0)
    for obj in (door, gate):
        select(obj, frame, active=frame)
        run(CONNECT, kind="BALL")
    assert entries() == ["Ball"]
    select(door, frame, active=frame)
    run(CONNECT, kind="FIXED")
    assert entries() == ["Ball", "Fixed"]
    assert len(joints()) == 3


@pytest.mark.parametrize("where", ["settings", "limit"])
def test_settings_with_unknown_members_of_a_file_are_not_taken_for_new_joints(where):
    """Else the new joint would say what some other program meant for an old one."""
    add_settings("Imported", JointKind(kind="ball"))
    entry = scene().omi_physics.joint_settings["Imported"]
    holder = entry if where == "settings" else entry.limits[0]
    holder.kept = '{"extras":{"breakForce":7}}'
    select(box("Door", 1, 0, 0), box("Frame", -1, 0, 0))
    run(CONNECT, kind="BALL")
    assert entries() == ["Imported", "Ball"]
    holder.kept = ""
    scene().omi_physics.joint_settings.remove(1)
    select(box("Other", 5, 0, 0), bpy.data.objects["Frame"])
    run(CONNECT, kind="BALL")
    assert entries() == ["Imported"]


def test_connected_objects_are_in_the_file(export):
    frame, door = box("Frame", 0, 0, 0), box("Door", 2, 0, 0)
    frame.scale = (1.0, 3.0, 2.0)
    select(frame, door, active=frame)
    run(CONNECT, kind="HINGE")
    gltf = export()
    joint = node(gltf, "Door to Frame")
    assert joint["translation"] == [-1.0, 0.0, 0.0]
    index = joint["extensions"]["OMI_physics_joint"]["connectedNode"]
    assert index in node(gltf, "Frame")["children"]
    assert node(gltf, "Door")["extensions"]["OMI_physics_body"]["motion"]["type"] == "dynamic"
    assert gltf["extensions"]["OMI_physics_joint"]["physicsJoints"] == [
        {
            "name": "Hinge",
            "limits": [
                {"linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0},
                {"angularAxes": [0, 2], "min": 0.0, "max": 0.0},
            ],
        }
    ]


def test_the_joint_is_in_the_collection_of_its_body():
    home = bpy.data.collections.new("Home")
    scene().collection.children.link(home)
    frame, door = box("Frame", 0, 0, 0), add("Door", cube_mesh(), collection=home)
    select(frame, door, active=frame)
    run(CONNECT)
    assert list(joints()[0].users_collection) == [home]


def test_two_objects_are_needed():
    frame = box("Frame", 0, 0, 0)
    select(frame)
    assert not can(CONNECT)
    assert not can(ROW)
    select(frame, box("Door", 1, 0, 0))
    assert can(CONNECT)


# Rows


def test_a_row_is_joined_from_the_active_object():
    links = [box(f"Link {i}", 0.3 * i, 1.5 * i, 0) for i in (2, 0, 3, 1)]
    first = next(obj for obj in links if obj.name == "Link 0")
    select(*links, active=first)
    assert run(ROW, kind="BALL") == {"FINISHED"}
    made = joints()
    names = [(obj.parent.name, connected(obj).name) for obj in made]
    assert names == [("Link 1", "Link 0"), ("Link 2", "Link 1"), ("Link 3", "Link 2")]
    assert place(made[0]) == pytest.approx((0.15, 0.75, 0.0))
    types = {obj.name: obj.omi_physics.motion.type for obj in links}
    assert types.pop("Link 0") == "STATIC"
    assert set(types.values()) == {"DYNAMIC"}
    assert entries() == ["Ball"]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("DISTANCE", [("C", "B"), ("A", "C")]),
        ("NAME", [("B", "A"), ("C", "B")]),
        ("ROW", [("B", "C"), ("A", "B")]),
    ],
)
def test_orders_of_a_row(order, expected):
    a, b, c = box("A", 4, 0, 0), box("B", 0, 0, 0), box("C", -1, 0, 0)
    for obj in (a, b, c):
        add_body(obj)
    select(a, b, c, active=b)
    run(ROW, order=order)
    found = {(obj.parent.name, connected(obj).name) for obj in joints()}
    assert found == set(expected)


def test_the_file_of_a_row(export):
    links = [box(f"Link {i}", 0, 0, -1.5 * i) for i in range(4)]
    select(*links)
    run(ROW, kind="BALL", axis="Z")
    gltf = export()
    made = [n for n in gltf["nodes"] if "OMI_physics_joint" in n.get("extensions", {})]
    assert len(made) == 3
    assert {n["extensions"]["OMI_physics_joint"]["joint"] for n in made} == {0}
    for n in made:
        pivot = gltf["nodes"][n["extensions"]["OMI_physics_joint"]["connectedNode"]]
        assert n["translation"] == pytest.approx([0.0, 0.75, 0.0])
        assert pivot["translation"] == pytest.approx([0.0, -0.75, 0.0])


# Ropes


def curve(*points: tuple[float, float, float], kind: str = "POLY", closed: bool = False) -> Any:
    data = bpy.data.curves.new("Line", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new(kind)
    spline.points.add(len(points) - 1)
    for point, co in zip(spline.points, points, strict=True):
        point.co = (*co, 1.0)
    spline.use_cyclic_u = closed
    spline.use_endpoint_u = True
    return add("Line", data)


def segments() -> list[Any]:
    found = [o for o in scene().objects if o.name.startswith("Line ") and o.type == "MESH"]
    return sorted(found, key=lambda obj: int(obj.name.split()[1]))


def test_a_rope_hangs_from_a_static_body():
    line = curve((0, 0, 0), (2, 0, 0), (2, 0, -2))
    line.location = (1, 0, 0)
    select(line)
    assert run(ROPE, count=8, radius=0.05, mass=4.0) == {"FINISHED"}
    parts = segments()
    assert [place(obj) for obj in parts[:2]] == [(1.25, 0, 0), (1.75, 0, 0)]
    assert axis(parts[0], 2) == pytest.approx((1, 0, 0), abs=1e-6)
    assert axis(parts[-1], 2) == pytest.approx((0, 0, -1), abs=1e-6)
    assert len({obj.data for obj in parts}) == 1
    for obj in parts:
        shape = obj.omi_physics.collider.shape
        assert obj.omi_physics.motion.type == "DYNAMIC"
        assert obj.omi_physics.motion.mass == 0.5
        assert shape.capsule.height == pytest.approx(0.4)
        assert shape.capsule.radius_top == pytest.approx(0.05)
    made = {obj.parent: obj for obj in joints()}
    assert list(map(made.get, parts)).count(None) == 0
    assert [connected(made[obj]) for obj in parts[1:]] == parts[:-1]
    assert place(made[parts[4]]) == pytest.approx((3, 0, 0), abs=1e-6)
    anchor = connected(made[parts[0]])
    assert anchor.omi_physics.motion.type == "STATIC"
    assert place(anchor) == pytest.approx((1, 0, 0))
    assert all(joint_problems.of_ends(obj) is None for obj in joints())
    assert entries() == ["Ball"]


def test_the_ends_of_a_rope_hang_from_the_nearest_objects():
    line = curve((0, 0, 0), (4, 0, 0))
    right, left, far = box("Right", 4, 0, 1), box("Left", -1, 0, 0), box("Far", 0, 50, 0)
    add_body(right)
    select(line, right, left, far, active=line)
    run(ROPE, count=4, hold_end=True, use_swing=True, swing=0.5)
    ends = {obj.parent.name: connected(obj) for obj in joints() if connected(obj) not in segments()}
    assert ends == {"Line 1": left, "Line 4": right}
    assert not far.omi_physics.use_motion
    assert left.omi_physics.motion.type == "STATIC"
    assert right.omi_physics.motion.type == "DYNAMIC"
    expected = JointKind(kind="cone_twist", axis=2, swing=0.5, turn_min=-0.5, turn_max=0.5)
    assert kind_of("Cone-Twist") == expected


def test_a_rope_with_free_ends_and_segments_by_length():
    line = curve((0, 0, 0), (4, 0, 0))
    select(line)
    run(ROPE, divide_by="LENGTH", segment_length=0.5, radius=0.1, hold_start=False)
    assert len(segments()) == 8
    assert len(joints()) == 7


def test_the_redo_panel_of_a_rope_stays():
    line = curve((0, 0, 0), (4, 0, 0))
    select(line)
    run(ROPE, count=4)
    assert bpy.context.object == line
    assert set(bpy.context.selected_objects) == {line, *segments()}
    assert bpy.ops.object.omi_physics_rope_from_curve.poll()


def test_a_closed_curve_becomes_a_ring():
    line = curve((0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), closed=True)
    select(line)
    run(ROPE, count=8, radius=0.05)
    parts = segments()
    assert len(joints()) == 8
    assert {connected(obj) for obj in joints()} == set(parts)


@pytest.mark.parametrize("kind", ["BEZIER", "NURBS"])
def test_ropes_follow_curves(kind):
    if kind == "NURBS":
        line = curve((0, 0, 0), (1, 0, 2), (2, 0, 2), (3, 0, 0), kind="NURBS")
        line.data.bevel_depth = 0.2
    else:
        data = bpy.data.curves.new("Line", "CURVE")
        data.dimensions = "3D"
        spline = data.splines.new("BEZIER")
        spline.bezier_points.add(1)
        for point, x in zip(spline.bezier_points, (0.0, 3.0), strict=True):
            point.co = (x, 0, 0)
            point.handle_left, point.handle_right = (x, 0, 2), (x, 0, 2)
        line = add("Line", data)
    select(line)
    counts = len(bpy.data.curves), len(bpy.data.objects)
    run(ROPE, count=10, radius=0.02, hold_start=False)
    parts = segments()
    assert len(bpy.data.curves) == counts[0]
    assert len(bpy.data.objects) == counts[1] + 10 + 9
    heights = [place(obj)[2] for obj in parts]
    assert max(heights) == pytest.approx(1.5, abs=0.2)
    assert heights[0] == pytest.approx(heights[-1], abs=0.1)
    assert place(joints()[0].parent)[0] < 3.0


def test_ropes_that_cannot_be_are_told():
    line = curve((0, 0, 0), (0, 0, 0))
    select(line)
    assert run(ROPE) == {"CANCELLED"}
    select(add("Nothing", bpy.data.curves.new("Nothing", "CURVE")))
    assert run(ROPE) == {"CANCELLED"}
    assert not joints()
    select(box("Box", 0, 0, 0))
    assert not can(ROPE)


def test_segments_that_would_be_shorter_than_thick_are_thinner(capfd):
    select(curve((0, 0, 0), (1, 0, 0)))
    assert run(ROPE, count=20, radius=0.1) == {"FINISHED"}
    shapes = [obj.omi_physics.collider.shape.capsule for obj in segments()]
    assert len(shapes) == 20
    for shape in shapes:
        assert shape.radius_bottom == pytest.approx(0.0125, rel=1e-5)
        assert shape.height == pytest.approx(0.025, rel=1e-5)
    assert "were made thinner; use fewer" in capfd.readouterr().out


def test_the_file_of_a_rope(export):
    line = curve((0, 0, 0), (0, 0, -2))
    beam = box("Beam", 0, 0, 1)
    select(line, beam, active=line)
    run(ROPE, count=4, radius=0.05)
    gltf = export()
    made = [n for n in gltf["nodes"] if "OMI_physics_joint" in n.get("extensions", {})]
    assert len(made) == 4
    roots = [gltf["nodes"][i]["name"] for i in gltf["scenes"][0]["nodes"]]
    assert {"Line 1", "Line 2", "Line 3", "Line 4"} <= set(roots)
    names = [n["name"] for n in gltf["nodes"]]
    parents = {names[i]: n["name"] for n in gltf["nodes"] for i in n.get("children", ())}
    ends = {}
    for n in made:
        assert n["translation"] == pytest.approx([0.0, -0.25, 0.0])
        other = n["extensions"]["OMI_physics_joint"]["connectedNode"]
        ends[parents[n["name"]]] = parents[names[other]]
    assert ends == {"Line 1": "Beam", "Line 2": "Line 1", "Line 3": "Line 2", "Line 4": "Line 3"}
    (shape,) = [s for s in gltf["extensions"]["OMI_physics_shape"]["shapes"] if s["type"] != "box"]
    assert shape["capsule"]["height"] == pytest.approx(0.4)
    (settings,) = gltf["extensions"]["OMI_physics_joint"]["physicsJoints"]
    assert settings["limits"] == [{"linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0}]


# Swap Ends


def test_swapping_moves_the_joint_and_turns_its_limits():
    joint = jointed()
    door, frame = joint.parent, connected(joint)
    add_settings("Door", JointKind(kind="hinge", axis=2, turn_min=-0.5, turn_max=2.0))
    joint.omi_physics.joint.settings = "Door"
    joint.location = (1.0, 0.5, 0.0)
    joint.rotation_euler = (0.1, 0.2, 0.3)
    bpy.context.view_layer.update()
    before = joint.matrix_world.copy()
    select(joint)
    assert run(SWAP) == {"FINISHED"}
    bpy.context.view_layer.update()
    assert (joint.parent, connected(joint)) == (frame, door)
    assert np.array(joint.matrix_world) == pytest.approx(np.array(before), abs=1e-6)
    assert kind_of("Door") == JointKind(kind="hinge", axis=2, turn_min=-2.0, turn_max=0.5)
    run(SWAP)
    assert (joint.parent, connected(joint)) == (door, frame)
    assert kind_of("Door") == JointKind(kind="hinge", axis=2, turn_min=-0.5, turn_max=2.0)
    assert entries() == ["Door"]


def test_settings_of_others_stay_when_ends_are_swapped():
    joint = jointed()
    other = add_joint("Other", "Door")
    add_settings("Door", JointKind(kind="hinge", axis=2, turn_max=2.0))
    joint.omi_physics.joint.settings = "Door"
    select(joint)
    run(SWAP)
    assert (used(joint), used(other)) == ("Door.001", "Door")
    assert kind_of("Door") == JointKind(kind="hinge", axis=2, turn_max=2.0)
    assert kind_of("Door.001") == JointKind(kind="hinge", axis=2, turn_min=-2.0)


def test_symmetric_settings_are_not_copied():
    joint = jointed()
    add_joint("Other", "Ball")
    add_settings("Ball", JointKind(kind="ball"))
    joint.omi_physics.joint.settings = "Ball"
    select(joint)
    run(SWAP)
    assert entries() == ["Ball"]


def test_frames_apart_change_places():
    joint = jointed()
    door, frame = joint.parent, connected(joint)
    end = add("End", location=(0.0, 0.0, 5.0), parent=frame)
    joint.omi_physics.joint.connected_object = end
    joint.omi_physics.joint.pivot_at_joint = False
    here, there = place(joint), place(end)
    select(joint)
    assert run(SWAP) == {"FINISHED"}
    assert (joint.parent, end.parent, connected(joint)) == (frame, door, end)
    assert (place(joint), place(end)) == (there, here)


def test_a_body_keeps_its_place_when_ends_are_swapped():
    joint = jointed()
    door, frame = joint.parent, connected(joint)
    joint.omi_physics.joint.pivot_at_joint = False
    here, there = place(joint), place(frame)
    select(joint)
    run(SWAP)
    pivot = connected(joint)
    assert (joint.parent, pivot.parent) == (frame, door)
    assert (place(joint), place(pivot), place(frame)) == (there, here, there)


def on_bone(name: str, location: Any = (0.0, 0.0, 0.0)) -> Any:
    """An object parented to the bone of an armature, whose tip is at (3, 0, 2)."""
    armature = bpy.data.objects.get("Armature")
    if armature is None:
        armature = add("Armature", bpy.data.armatures.new("Armature"), location=(3.0, 0.0, 0.0))
        bpy.context.view_layer.update()
        bpy.context.view_layer.objects.active = armature
        bpy.ops.object.mode_set(mode="EDIT")
        bone = armature.data.edit_bones.new("Bone")
        bone.head, bone.tail = (0.0, 0.0, 1.0), (0.0, 0.0, 2.0)
        bpy.ops.object.mode_set(mode="OBJECT")
        armature.pose.bones["Bone"].rotation_euler = (0.3, 0.0, 0.2)
    obj = add(name, parent=armature)
    obj.parent_type, obj.parent_bone, obj.location = "BONE", "Bone", location
    bpy.context.view_layer.update()
    return obj


def holder(obj: Any) -> tuple[Any, ...]:
    return obj.parent, obj.parent_type, obj.parent_bone if obj.parent_type == "BONE" else ""


@pytest.mark.parametrize("apart", [False, True])
def test_a_joint_on_a_bone_swaps_with_what_stands_for_the_bone(apart, export):
    to, body = add("To", location=(1.0, 2.0, 3.0)), on_bone("Bone Body")
    for each in (to, body):
        add_body(each)
    body.omi_physics.is_bone_stand_in = True
    joint = on_bone("Joint", (0.2, 0.3, 0.4))
    joint.omi_physics.use_joint = True
    joint.omi_physics.joint.connected_object = to
    joint.omi_physics.joint.pivot_at_joint = not apart
    bpy.context.view_layer.update()
    bone, here, there = holder(joint), place(joint), place(to)
    select(joint)
    assert run(SWAP) == {"FINISHED"}
    assert holder(joint) == (to, "OBJECT", "")
    if apart:
        pivot = connected(joint)
        assert (holder(pivot), place(pivot)) == (bone, pytest.approx(here, abs=1e-6))
        assert place(joint) == there
    else:
        assert connected(joint) == body
        assert place(joint) == pytest.approx(here, abs=1e-6)
        assert run(SWAP) == {"FINISHED"}
        assert (holder(joint), connected(joint)) == (bone, to)
        assert place(joint) == pytest.approx(here, abs=1e-6)
    assert holder(body) == bone


def test_a_joint_on_a_bone_that_nothing_stands_for():
    to = add("To", location=(1.0, 2.0, 3.0))
    joint = on_bone("Joint", (0.2, 0.3, 0.4))
    joint.omi_physics.use_joint = joint.omi_physics.is_bone_stand_in = True
    joint.omi_physics.joint.connected_object = to
    joint.omi_physics.joint.pivot_at_joint = True
    bone, before = holder(joint), joint.matrix_world.copy()
    select(joint)
    assert run(SWAP) == {"FINISHED"}
    bpy.context.view_layer.update()
    pivot = connected(joint)
    assert (holder(joint), holder(pivot)) == ((to, "OBJECT", ""), bone)
    assert not joint.omi_physics.is_bone_stand_in  # It has left the bone.
    for each in (joint, pivot):
        assert np.array(each.matrix_world) == pytest.approx(np.array(before), abs=1e-6)


def test_a_joint_on_vertices_swaps_with_an_object_on_them():
    mesh, to = box("Mesh", 3, 0, 0), add("To")
    joint = add("Joint", parent=mesh, location=(0.2, 0.3, 0.4))
    joint.parent_type, joint.parent_vertices = "VERTEX", (5, 0, 0)
    joint.omi_physics.use_joint = True
    joint.omi_physics.joint.connected_object = to
    joint.omi_physics.joint.pivot_at_joint = True
    bpy.context.view_layer.update()
    here = place(joint)
    select(joint)
    assert run(SWAP) == {"FINISHED"}
    pivot = connected(joint)
    assert (pivot.parent, pivot.parent_type, pivot.parent_vertices[0]) == (mesh, "VERTEX", 5)
    assert place(pivot) == place(joint) == pytest.approx(here, abs=1e-6)


def test_what_stands_for_a_bone_stays_there_when_ends_are_swapped():
    joint, frame = jointed(), on_bone("Frame", (0.0, 0.0, 0.4))
    frame.omi_physics.is_bone_stand_in = True
    joint.omi_physics.joint.connected_object = frame
    joint.omi_physics.joint.pivot_at_joint = False
    bpy.context.view_layer.update()
    bone, door, there = holder(frame), joint.parent, place(frame)
    select(joint)
    assert run(SWAP) == {"FINISHED"}
    assert holder(frame) == holder(joint) == bone
    assert connected(joint).parent == door
    assert place(joint) == pytest.approx(there, abs=1e-6)


def test_a_frame_that_other_joints_use_stays_when_ends_are_swapped():
    ends = [box("Left", -2, 0, 0), box("Right", 2, 0, 0), box("Beam", 0, 0, 3)]
    for obj in ends:
        add_body(obj)
    frame = add("Frame", location=(0.0, 0.0, -1.0), parent=ends[2])
    made = [add(f"Joint {obj.name}", parent=obj, location=(0.0, 0.5, 0.0)) for obj in ends[:2]]
    for obj in made:
        obj.omi_physics.use_joint = True
        obj.omi_physics.joint.connected_object = frame
    select(made[0])
    assert run(SWAP) == {"FINISHED"}
    assert frame.parent == ends[2]
    assert (made[0].parent, connected(made[0]).parent) == (frame, ends[0])
    assert place(made[0]) == pytest.approx((0.0, 0.0, 2.0))
    assert place(connected(made[0])) == pytest.approx((-2.0, 0.5, 0.0))
    assert (made[1].parent, connected(made[1])) == (ends[1], frame)


def test_swaps_that_cannot_be():
    loose = add_joint("Loose", to=add("Other"))
    select(loose)
    assert run(SWAP) == {"CANCELLED"}
    select(add("Plain"))
    assert not can(SWAP)


def limit(kind: str, axes: tuple[int, ...], low: float | None, high: float | None) -> JointLimit:
    return JointLimit(**{f"{kind}_axes": axes}, min=low, max=high)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (limit("angular", (2,), -0.5, 2.0), [limit("angular", (2,), -2.0, 0.5)]),
        (limit("linear", (0,), None, 2.0), [limit("linear", (0,), -2.0, None)]),
        (limit("linear", (0, 1, 2), 0.5, 2.0), [limit("linear", (0, 1, 2), 0.5, 2.0)]),
        (limit("linear", (0, 1, 2), None, 2.0), [limit("linear", (0, 1, 2), None, 2.0)]),
        (limit("angular", (0, 1), -0.5, 0.5), [limit("angular", (0, 1), -0.5, 0.5)]),
        (
            limit("angular", (0, 1), -0.5, 1.0),
            [limit("angular", (0,), -1.0, 0.5), limit("angular", (1,), -1.0, 0.5)],
        ),
        (
            limit("linear", (0, 2), None, -1.0),
            [limit("linear", (0,), 1.0, None), limit("linear", (2,), 1.0, None)],
        ),
    ],
)
def test_what_a_limit_is_from_the_other_end(before, after):
    assert turned(JointSettings(limits=(before,))).limits == tuple(after)


def test_a_swapped_joint_that_slides_and_turns_otherwise_is_told(capfd):
    joint = jointed()
    slide = make(JointKind(kind="slider", axis=0, min=0.0, max=1.0))
    free = tuple(each for each in slide.limits if not each.angular_axes)
    joint_making.new_entry(scene(), JointSettings(limits=free), "Loose Slide")
    joint.omi_physics.joint.settings = "Loose Slide"
    select(joint)
    assert run(SWAP) == {"FINISHED"}
    assert "Loose Slide slide along axes" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("kind", "is_told"),
    [
        (JointKind(kind="six_dof", turn_min=-0.5, turn_max=0.5), True),
        (JointKind(kind="cone_twist", axis=0, swing=0.5, turn_min=-0.2, turn_max=0.2), True),
        (JointKind(kind="cone_twist", axis=0, swing=0.5), False),
        (JointKind(kind="hinge", axis=2, turn_min=-0.5, turn_max=2.0), False),
        (JointKind(kind="ball"), False),
    ],
)
def test_it_is_told_that_turns_about_several_axes_are_not_the_same_from_the_other_end(
    kind, is_told, capfd
):
    joint = jointed()
    add_settings("Hip", kind)
    joint.omi_physics.joint.settings = "Hip"
    select(joint)
    assert run(SWAP) == {"FINISHED"}
    assert ("Hip rotate about several axes" in capfd.readouterr().out) == is_told


def test_it_is_told_that_uneven_scales_turn_the_axes_of_new_joints(capfd):
    plate, lid, knob = box("Plate", 0, 0, 0), box("Lid", 3, 0, 0), box("Knob", 6, 0, 0)
    plate.scale, plate.rotation_euler = (1.0, 3.0, 0.5), (0.4, 0.3, 0.7)
    select(lid, plate, active=plate)
    assert run(CONNECT, orientation="GLOBAL") == {"FINISHED"}
    assert "uneven scale on Plate; apply the scale" in capfd.readouterr().out
    assert any(issue.code == "J34" for issue in api.check_scene().issues)
    select(knob, lid, active=lid)
    run(CONNECT, orientation="GLOBAL")
    assert "unevenly" not in capfd.readouterr().out
    plate.rotation_euler = (0.0, 0.0, 0.0)
    select(knob, plate, active=plate)
    run(CONNECT, orientation="GLOBAL")
    assert "unevenly" not in capfd.readouterr().out


# Undo, redo, and what cannot be changed


def snapshot() -> Any:
    """What objects and the lists of the scene say of joints, comparable across undo."""
    bpy.context.view_layer.update()
    objects = {}
    for obj in bpy.data.objects:
        group = obj.omi_physics
        to = group.joint.connected_object
        objects[obj.name] = (
            obj.parent.name if obj.parent else "",
            tuple(round(x, 4) for row in obj.matrix_world for x in row),
            group.use_motion,
            group.motion.type,
            group.use_collider,
            group.use_joint,
            group.joint.settings,
            to.name if to else "",
            obj.select_get(),
        )
    lists = bpy.context.scene.omi_physics
    settings = [
        (entry.name, joint_settings.read_in_blender(entry)) for entry in lists.joint_settings
    ]
    return objects, settings


def prepare() -> None:
    joint = jointed()
    add_settings("Door", JointKind(kind="hinge", axis=2, turn_max=2.0))
    joint_making.new_entry(scene(), make(JointKind(kind="ball")), "Ball")
    scene().omi_physics.joint_settings[0].limits_index = 1
    joint.omi_physics.joint.settings = "Door"
    more = [add_joint(name, "Door", to=connected(joint), parent=joint.parent) for name in "PQ"]
    more[1].omi_physics.joint.settings = "Ball"


def objects(*names: str) -> list[Any]:
    return [bpy.data.objects[name] for name in names]


DOOR = {"settings": "Door", "part": "limits"}
UNDOABLE: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    CONNECT: (("Frame", "Door"), {"kind": "ROPE"}),
    ROW: (("Frame", "Door"), {"kind": "ROPE"}),
    ROPE: (("Line",), {"radius": 0.01}),
    SWAP: (("Joint", "P"), {}),
    "object.omi_physics_set_joint_kind": (("Joint",), {"kind": "FIXED"}),
    "scene.omi_physics_set_joint_settings_kind": ((), {"kind": "FIXED"}),
    "object.omi_physics_single_user_joint_settings": (("Joint", "P"), {}),
    "object.omi_physics_unlink_joint_settings": (("Joint", "P"), {}),
    "scene.omi_physics_duplicate_joint_settings": ((), {"settings": "Door"}),
    "object.omi_physics_copy_joint_settings": (("Joint", "Q"), {}),
    "object.omi_physics_select_same_joint_settings": (("Joint",), {}),
    "scene.omi_physics_add_joint_settings": ((), {}),
    "scene.omi_physics_remove_joint_settings": ((), {}),
    "scene.omi_physics_move_joint_settings": ((), {}),
    "object.omi_physics_assign_joint_settings": (("Joint",), {}),
    "object.omi_physics_select_joint_settings": (("Joint",), {}),
    "scene.omi_physics_add_joint_item": ((), DOOR),
    "scene.omi_physics_remove_joint_item": ((), DOOR),
    "scene.omi_physics_duplicate_joint_item": ((), DOOR),
    "scene.omi_physics_move_joint_item": ((), DOOR),
}


@pytest.mark.parametrize("name", UNDOABLE)
def test_undo_and_redo(name):
    chosen, options = UNDOABLE[name]
    prepare()
    curve((0, 0, 0), (1, 0, 0))
    select(*objects(*chosen))
    bpy.ops.ed.undo_push(message="Before")
    before = snapshot()
    assert run(name, **options) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="After")
    after = snapshot()
    assert after != before
    bpy.ops.ed.undo()
    assert snapshot() == before
    bpy.ops.ed.redo()
    assert snapshot() == after


def link(tmp_path: Any, *names: str) -> list[Any]:
    library = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.objects = list(names)
    for obj in wanted.objects:
        scene().collection.objects.link(obj)
    return list(wanted.objects)


def test_linked_joints_are_refused(tmp_path):
    jointed()
    (linked,) = link(tmp_path, "Joint")
    add_settings("Door")
    select(linked)
    for name in ("set_joint_kind", "swap_joint_ends", "unlink_joint_settings"):
        assert not can(f"object.omi_physics_{name}"), name
    other = add_joint("Own", "Door")
    select(other, linked, active=other)
    assert not can("object.omi_physics_copy_joint_settings")
    run("object.omi_physics_set_joint_kind", kind="BALL")
    assert used(linked) == ""


def test_linked_objects_are_joined_only_as_the_other_end(tmp_path):
    box("Linked", 0, 0, 0)
    (linked,) = link(tmp_path, "Linked")
    door = box("Door", 2, 0, 0)
    select(door, linked, active=linked)
    assert run(CONNECT) == {"FINISHED"}
    assert not linked.omi_physics.use_motion
    assert connected(joints()[0]) == linked
    select(door, linked, active=door)
    assert not can(CONNECT)


def test_a_refusal_stays_in_edit_mode():
    chest = box("Chest", 0, 0, 0)
    add_body(chest)
    parts = [box(name, 0, 0, 0, parent=chest) for name in "AB"]
    select(*parts)
    edit(parts[0], lambda co: co.x > 0, "FACE")
    assert run(CONNECT) == {"CANCELLED"}
    assert bpy.context.mode == "EDIT_MESH"


def test_a_linked_part_of_the_body_of_a_local_object_is_told(tmp_path, capfd):
    box("Linked", 0, 0, 0)
    (linked,) = link(tmp_path, "Linked")
    over = linked.override_create(remap_local_usages=True)
    chest = box("Chest", 0, 0, 0)
    over.parent = chest
    select(chest, over, active=over)
    assert run(CONNECT) == {"FINISHED"}
    assert not joints()
    assert chest.omi_physics.use_motion
    assert "All selected objects belong to one body" in capfd.readouterr().out


def test_a_row_is_a_chain_of_balls():
    links = [add(f"Link {i}", cube_mesh(), location=(2.0 * i, 0.0, 0.0)) for i in range(3)]
    select(*links)
    assert bpy.ops.object.omi_physics_connect_row() == {"FINISHED"}
    (entry,) = bpy.context.scene.omi_physics.joint_settings
    assert entry.name == "Ball"


@pytest.mark.parametrize("name", ["connect_selected", "connect_row", "set_joint_kind"])
def test_the_next_joint_starts_from_the_defaults(name):
    found = getattr(bpy.ops.object, f"omi_physics_{name}").get_rna_type().properties
    for prop in ("kind", "use_turn", "min_angle", "max_angle", "is_soft", "stiffness", "max_force"):
        assert found[prop].is_skip_save, prop


def test_links_of_a_chain_collide_no_longer_than_they_are(capfd):
    links: list[Any] = []
    for i in range(3):
        bpy.ops.mesh.primitive_cylinder_add(radius=0.03, depth=0.25, location=(0.0, 0.0, -0.25 * i))
        links.append(bpy.context.object)
        links[-1].name = f"Link {i}"
    select(*links, active=links[0])
    run(ROW)
    told = capfd.readouterr().out
    assert "3 new bodies; fitted 3 capsules, 7.4 % smaller than the mesh" in told
    for link in links:
        shape = link.omi_physics.collider.shape
        capsule = shape.capsule
        assert shape.type == "CAPSULE"
        length = capsule.height + capsule.radius_bottom + capsule.radius_top
        assert length == pytest.approx(0.25, abs=1e-4)
        assert capsule.radius_bottom == pytest.approx(0.03, abs=1e-3)
        assert tuple(shape.location) == pytest.approx((0.0, 0.0, 0.0), abs=1e-5)
    links[0].data.transform(Matrix.Diagonal((1.0, 1.0, 2.0, 1.0)))
    select(links[0])
    assert run("object.omi_physics_refit") == {"FINISHED"}
    capsule = links[0].omi_physics.collider.shape.capsule
    assert capsule.height + 0.06 == pytest.approx(0.5, abs=1e-3)
