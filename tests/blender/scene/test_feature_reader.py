"""Joints, gravity, vehicles and seats through Blender."""

from __future__ import annotations

import json
import math
from typing import Any

import bpy
import pytest
from mathutils import Matrix

from omi_physics_addon.blender.base import reports
from omi_physics_addon.codec.rules.file_check import check_file
from omi_physics_addon.issues import Issues
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, node

LIMITS = [
    {"linearAxes": [0], "min": -0.1, "max": 0.2, "stiffness": 30, "damping": 4},
    {"linearAxes": [1, 2], "min": 0, "max": 0},
    {"angularAxes": [2], "min": -0.5, "max": 0.25},
    {"angularAxes": [0], "max": 1.5},
    {"angularAxes": [1], "min": -1.25},
]
DRIVES = [
    {
        "type": "angular",
        "mode": "acceleration",
        "axis": 2,
        "maxForce": 7,
        "positionTarget": 0.5,
        "velocityTarget": -0.75,
        "stiffness": 11,
        "damping": 13,
    },
    {"type": "linear", "mode": "force", "axis": 1, "velocityTarget": 2, "damping": 1},
    {"type": "strange", "mode": "odd", "axis": 0, "extras": {"x": 1}},
]
WHEEL = {
    "brakingForce": 11,
    "maxPropulsionForce": 12,
    "maxSteeringAngle": 0.5,
    "physicsMaterial": 0,
    "propulsionForceChangeRate": 13,
    "radius": 0.3,
    "steeringChangeRate": 2,
    "suspensionDampingCompression": 1500,
    "suspensionDampingRebound": 1600,
    "suspensionStiffness": 17000,
    "suspensionTravel": 0.2,
    "targetPropulsionForceRatio": 0.25,
    "targetSteeringRatio": -0.5,
    "width": 0.25,
    "name": "Big",
}
THRUSTER = {
    "maxForce": 100,
    "forceChangeRate": 3,
    "gimbalChangeRate": 0.5,
    "linearGimbalAdjustRatio": 0.25,
    "maxGimbal": 0.75,
    "targetForceRatio": 0.5,
    "targetGimbalRatio": [0.25, -0.5],
}
HOVER = {
    "maxHoverEnergy": 200,
    "gimbalChangeRate": 2,
    "hoverEnergyChangeRate": 5,
    "linearGimbalAdjustRatio": 0.75,
    "maxGimbal": 0.25,
    "targetHoverRatio": 0.5,
    "targetGimbalRatio": [0.5, 0.25],
}
GRAVITIES = [
    {"type": "directional", "gravity": 3, "directional": {"direction": [0, 0, 1]}},
    {"type": "point", "gravity": -4, "priority": 7, "point": {"unitDistance": 2}},
    {"type": "disc", "gravity": 5, "replace": True, "disc": {"radius": 3, "unitDistance": 1.5}},
    {"type": "torus", "gravity": 6, "stop": True, "torus": {"radius": 4, "unitDistance": 0.5}},
    {
        "type": "line",
        "gravity": 7,
        "priority": -2,
        "line": {"points": [0, 0, 0, 1, 2, 3, 4, 5, 6], "unitDistance": 0.25},
    },
    {"type": "shaped", "gravity": 8, "shaped": {"shape": 0, "unitDistance": 3}},
    {"type": "swirl", "gravity": 9, "swirl": {"turns": 2}},
]
SEAT = {"back": [0.1, 0.2, -0.3], "foot": [0.1, -0.5, 0.3], "knee": [0.1, 0, 0.4], "angle": 1.25}
VEHICLE = {
    "angularActivation": [0.1, 0.2, 0.3],
    "linearActivation": [-0.1, 0.4, 0.5],
    "gyroTorque": [10, 20, 30],
    "maxSpeed": 42,
    "pilotSeat": 4,
    "angularDampeners": False,
    "linearDampeners": False,
    "useThrottle": True,
    "extras": {"fast": True},
}


def everything() -> dict[str, Any]:
    """A file with every OMI extension and no default."""
    trigger = {"OMI_physics_body": {"trigger": {"shape": 0}}}
    nodes: list[dict[str, Any]] = [
        {
            "name": "Car",
            "children": [1, 2, 3, 4, 5],
            "extensions": {
                "OMI_physics_body": {"motion": {"type": "dynamic", "mass": 900}},
                "OMI_vehicle_body": VEHICLE,
            },
        },
        {"name": "Wheel", "extensions": {"OMI_vehicle_wheel": {"wheel": 0, "extras": {"w": 1}}}},
        {"name": "Jet", "extensions": {"OMI_vehicle_thruster": {"thruster": 0}}},
        {"name": "Hover", "extensions": {"OMI_vehicle_hover_thruster": {"hoverThruster": 0}}},
        {"name": "Seat", "extensions": {"OMI_seat": SEAT}},
        {
            "name": "Joint",
            "translation": [1, 2, 3],
            "extensions": {
                "OMI_physics_joint": {
                    "joint": 0,
                    "connectedNode": 7,
                    "enableCollision": True,
                    "extras": {"j": 1},
                }
            },
        },
        {
            "name": "Trailer",
            "children": [7],
            "extensions": {"OMI_physics_body": {"motion": {"type": "static"}}},
        },
        {"name": "Anchor", "translation": [0, 1, 0]},
    ]
    for gravity in GRAVITIES:
        nodes.append(
            {
                "name": gravity["type"],
                "extensions": {**trigger, "OMI_physics_gravity": gravity},
            }
        )
    return {
        "scene": 0,
        "scenes": [{"nodes": [0, 6, *range(8, len(nodes))]}],
        "nodes": nodes,
        "extensionsUsed": ["OMI_physics_body"],
        "extensions": {
            "OMI_physics_shape": {"shapes": [{"type": "box", "box": {"size": [1, 2, 3]}}]},
            "OMI_physics_body": {"physicsMaterials": [{"name": "Tire", "staticFriction": 0.9}]},
            "OMI_physics_joint": {
                "physicsJoints": [{"limits": LIMITS, "drives": DRIVES, "name": "Hitch"}]
            },
            "OMI_physics_gravity": {"gravity": 1.625, "direction": [0, 0, -1]},
            "OMI_vehicle_wheel": {"wheels": [WHEEL]},
            "OMI_vehicle_thruster": {"thrusters": [THRUSTER]},
            "OMI_vehicle_hover_thruster": {"hoverThrusters": [HOVER]},
        },
    }


def approx(value: Any) -> Any:
    """Numbers as they come back from 32-bit storage."""
    if isinstance(value, dict):
        return {key: approx(item) for key, item in value.items()}
    if isinstance(value, list):
        return [approx(item) for item in value]
    return pytest.approx(value, rel=1e-6, abs=1e-7) if isinstance(value, float) else value


def sorted_axes(limits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Axes of a limit mean the same in any order."""
    return [
        {key: sorted(v) if isinstance(v, list) else v for key, v in limit.items()}
        for limit in limits
    ]


def test_round_trip_keeps_everything(import_json, export):
    source = everything()
    import_json(json.loads(json.dumps(source)))
    gltf = export()
    root = gltf["extensions"]
    joints = root["OMI_physics_joint"]["physicsJoints"]
    assert sorted_axes(joints[0].pop("limits")) == approx(LIMITS)
    assert joints == approx([{"drives": DRIVES, "name": "Hitch"}])
    assert root["OMI_physics_gravity"] == approx(source["extensions"]["OMI_physics_gravity"])
    assert root["OMI_vehicle_wheel"] == approx({"wheels": [WHEEL]})
    assert root["OMI_vehicle_thruster"] == approx({"thrusters": [THRUSTER]})
    assert root["OMI_vehicle_hover_thruster"] == approx({"hoverThrusters": [HOVER]})
    for old in source["nodes"]:
        written = node(gltf, old["name"]).get("extensions", {})
        expected = json.loads(json.dumps(old.get("extensions", {})))
        _point_at_names(written, gltf["nodes"])
        _point_at_names(expected, source["nodes"])
        assert written == approx(expected), old["name"]


def _point_at_names(extensions: dict[str, Any], nodes: list[dict[str, Any]]) -> None:
    for extension, key in (
        ("OMI_physics_joint", "connectedNode"),
        ("OMI_vehicle_body", "pilotSeat"),
    ):
        if extension in extensions:
            extensions[extension][key] = nodes[extensions[extension][key]]["name"]


def test_round_trips_give_the_same_bytes_from_the_second_on(import_json, export, tmp_path):
    import_json(everything())
    texts = []
    for i in range(4):
        export(f"{i}.gltf")
        texts.append((tmp_path / f"{i}.gltf").read_text())
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=str(tmp_path / f"{i}.gltf"))
    assert texts[2] == texts[1]
    assert texts[3] == texts[1]


def test_joint_axes_are_those_of_blender(import_json):
    import_json(everything())
    (entry,) = bpy.context.scene.omi_physics.joint_settings
    x, yz, y, bent, z = entry.limits
    assert (x.kind, tuple(x.axes)) == ("LINEAR", (True, False, False))
    assert (x.min_distance, x.max_distance) == pytest.approx((-0.2, 0.1))
    assert x.use_stiffness
    assert tuple(yz.axes) == (False, True, True)
    assert (y.kind, tuple(y.axes)) == ("ANGULAR", (False, True, False))
    assert (y.min_angle, y.max_angle) == (-0.5, 0.25)
    assert (bent.use_min, bent.min_angle, bent.use_max) == (True, -1.5, False)
    assert tuple(z.axes) == (False, False, True)
    motor, slide, strange = entry.drives
    assert (motor.type, motor.mode, motor.axis) == ("ANGULAR", "ACCELERATION", "Y")
    assert (motor.position_angle, motor.velocity_angle) == (0.5, -0.75)
    assert (slide.axis, slide.velocity_distance, slide.use_position_target) == ("Z", -2, False)
    assert (strange.type, strange.other_type, strange.other_mode) == ("OTHER", "strange", "odd")


def test_a_lopsided_limit_over_turned_axes_is_split_and_joined_again(import_json, export):
    source = everything()
    limit = {"angularAxes": [1, 2], "min": -0.5, "max": 1}
    source["extensions"]["OMI_physics_joint"]["physicsJoints"] = [{"limits": [limit]}]
    import_json(source)
    (entry,) = bpy.context.scene.omi_physics.joint_settings
    found = [(tuple(row.axes), row.min_angle, row.max_angle) for row in entry.limits]
    assert found == [((False, False, True), -1, 0.5), ((False, True, False), -0.5, 1)]
    assert "J37" in reports.latest("IMPORT").issues.codes()
    joints = export()["extensions"]["OMI_physics_joint"]["physicsJoints"]
    assert joints[0]["limits"] == [limit]


def test_seat_points_and_gravity_in_blender_axes(import_json):
    objects = import_json(everything())
    seat = objects["Seat"].omi_physics.seat
    assert tuple(seat.back) == pytest.approx((0.1, 0.3, 0.2))
    assert tuple(objects["directional"].omi_physics.gravity.directional.direction) == (0, -1, 0)
    line = objects["line"].omi_physics.gravity.line
    assert [tuple(p.location) for p in line.points] == [(0, 0, 0), (1, -3, 2), (4, -6, 5)]
    assert tuple(objects["shaped"].omi_physics.gravity.shaped.shape.box.size) == (1, 3, 2)
    car = objects["Car"].omi_physics.vehicle_body
    assert car.pilot_seat == objects["Seat"]
    assert tuple(car.gyro_torque) == (10, 30, 20)
    assert objects["Wheel"].omi_physics.wheel.physics_material == "Tire"
    world = bpy.context.scene.omi_physics.world_gravity
    assert (world.source, world.gravity) == ("VALUE", 1.625)
    assert tuple(world.direction) == (0, 1, 0)


def _placed_gravity() -> Any:
    obj = add("Rock", location=(5.0, 0.0, 0.0))
    group = obj.omi_physics
    group.use_gravity = group.use_trigger = True
    group.gravity.type, group.gravity.shaped.use_shape = "SHAPED", True
    solid = group.gravity.shaped.shape
    solid.type, solid.location, solid.rotation = "CAPSULE", (0.0, 0.0, 2.0), (0.0, 0.0, math.pi / 2)
    group.trigger.shape.type = "BOX"
    return obj


def test_gravity_toward_a_shape_is_where_its_shape_is(export):
    obj = _placed_gravity()
    obj.omi_physics.trigger.shape.location = (1.0, 0.0, 2.0)
    gltf = export()
    rock, gravity, trigger = (node(gltf, f"Rock{end}") for end in ("", " Gravity", " Trigger"))
    assert "extensions" not in rock
    assert gltf["nodes"][rock["children"][0]] == gravity
    assert gltf["nodes"][gravity["children"][0]] == trigger
    assert gravity["translation"] == pytest.approx([0.0, 2.0, 0.0])
    half = math.sqrt(0.5)
    assert gravity["rotation"] == pytest.approx([0.0, half, 0.0, half])
    assert trigger["translation"] == pytest.approx([0.0, 0.0, 1.0], abs=1e-6)
    assert trigger["rotation"] == pytest.approx([0.0, -half, 0.0, half])
    assert gravity["extensions"]["OMI_physics_gravity"]["type"] == "shaped"
    listed = gravity["extensions"]["OMI_physics_body"]["trigger"]["nodes"]
    assert [gltf["nodes"][i] for i in listed] == [trigger]
    assert "T03" not in reports.latest("EXPORT").issues.codes()


def test_gravity_and_trigger_in_one_place_are_one_node(export):
    obj = _placed_gravity()
    shape = obj.omi_physics.trigger.shape
    shape.location, shape.rotation = (0.0, 0.0, 2.0), (0.0, 0.0, math.pi / 2)
    gltf = export()
    assert sorted(n["name"] for n in gltf["nodes"]) == ["Rock", "Rock Gravity"]
    found = node(gltf, "Rock Gravity")["extensions"]
    assert "shape" in found["OMI_physics_body"]["trigger"]


def test_gravity_toward_a_shape_with_several_triggers_tells_its_place_is_lost(export):
    obj = _placed_gravity()
    obj.omi_physics.trigger.mode = "BELOW"
    below = add("Below", parent=obj)
    below.omi_physics.use_trigger = True
    gltf = export()
    assert "OMI_physics_gravity" in node(gltf, "Rock")["extensions"]
    assert "X15" in reports.latest("EXPORT").issues.codes()


def _joint() -> tuple[Any, Any, Any]:
    body = add("Body", cube_mesh(), location=(0.0, 0.0, 3.0))
    add_body(body)
    add_collider(body)
    frame = add("Frame", cube_mesh("Frame"), location=(2.0, 1.0, 0.0))
    frame.rotation_euler = (0.0, 0.0, math.pi / 2)
    frame.scale = (2.0, 2.0, 2.0)
    add_collider(frame)
    joint = add("Hinge", location=(1.0, 0.0, -1.0), parent=body)
    joint.omi_physics.use_joint = True
    entry = bpy.context.scene.omi_physics.joint_settings.add()
    entry.name = "Door"
    row = entry.limits.add()
    row.kind, row.axes = "ANGULAR", (False, True, False)
    row.use_min = row.use_max = True
    row.min_angle, row.max_angle = -0.25, 1.0
    joint.omi_physics.joint.settings = "Door"
    joint.omi_physics.joint.connected_object = frame
    bpy.context.view_layer.update()
    return body, frame, joint


@pytest.mark.parametrize("end", ["above", "connected"])
def test_joints_that_an_uneven_scale_turns_in_gltf_are_told(export, end):
    body, frame, joint = _joint()
    joint.omi_physics.joint.pivot_at_joint = True
    add_body(frame, "STATIC")
    frame.rotation_euler, frame.scale = (0.3, 0.5, 0.7), (2.0, 2.0, 2.0)
    world = joint.matrix_world.copy()
    export()
    assert "J34" not in reports.latest("EXPORT").issues.codes()
    scaled = body if end == "above" else frame
    scaled.rotation_euler, scaled.scale = (0.3, 0.5, 0.7), (1.0, 2.0, 3.0)
    bpy.context.view_layer.update()
    joint.matrix_parent_inverse = body.matrix_world.inverted()
    joint.matrix_basis = world
    bpy.context.view_layer.update()
    gltf = export("2.gltf")
    (issue,) = (i for i in reports.latest("EXPORT").issues if i.code == "J34")
    assert issue.pointer == "Hinge"
    assert f"the uneven scale of {scaled.name}" in issue.message
    in_file = Issues()
    check_file(gltf, in_file)
    (issue,) = (i for i in in_file if i.code == "J34")
    assert issue.pointer == f"/nodes/{gltf['nodes'].index(node(gltf, 'Hinge'))}"
    assert "sheared" in issue.message


def test_pivot_at_the_joint(export, import_json, tmp_path):
    _body, frame, joint = _joint()
    joint.omi_physics.joint.pivot_at_joint = True
    add_body(frame, "STATIC")
    first = export("1.gltf")
    index = node(first, "Hinge")["extensions"]["OMI_physics_joint"]["connectedNode"]
    pivot = first["nodes"][index]
    assert pivot["name"] == "Hinge Pivot"
    assert index in node(first, "Frame")["children"]
    # In the frame, which is turned by 90° about Z and twice as large.
    expected = frame.matrix_world.inverted() @ joint.matrix_world
    x, y, z = expected.translation
    assert pivot["translation"] == pytest.approx([x, z, -y], abs=1e-6)
    assert pivot["scale"] == pytest.approx([0.5, 0.5, 0.5])
    limits = first["extensions"]["OMI_physics_joint"]["physicsJoints"][0]["limits"]
    assert limits == [{"angularAxes": [2], "min": -0.25, "max": 1}]

    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "1.gltf"))
    assert "Hinge Pivot" not in bpy.data.objects
    shown = bpy.data.objects["Hinge"].omi_physics.joint
    assert shown.pivot_at_joint
    assert shown.connected_object.name == "Frame"
    second = export("2.gltf")
    assert len(second["nodes"]) == len(first["nodes"])
    assert node(second, "Hinge Pivot")["extras"] == {"omi_physics_addon": "pivot"}

    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "2.gltf"))
    # The host's own nodes drift in their last digits when they are turned and scaled.
    assert node(export("3.gltf"), "Hinge Pivot") == node(second, "Hinge Pivot")


def test_connected_object_that_is_not_exported_is_told(export):
    body, _frame, joint = _joint()
    body.select_set(True)
    joint.select_set(True)
    gltf = export(use_selection=True)
    assert "extensions" not in node(gltf, "Hinge")  # The format has no joint without other end.
    (issue,) = (i for i in reports.latest("EXPORT").issues if i.code == "X04")
    assert issue.pointer == "Hinge"
    assert issue.message.endswith("Frame is not exported; the joint is not written")


def test_settings_are_shared_by_name(export):
    _body, frame, joint = _joint()
    add_body(frame, "STATIC")
    other = add("Other hinge", parent=joint.parent)
    other.omi_physics.use_joint = True
    other.omi_physics.joint.settings = "Door"
    other.omi_physics.joint.connected_object = joint.omi_physics.joint.connected_object
    bpy.context.scene.omi_physics.joint_settings[0].name = "Gate"
    assert other.omi_physics.joint.settings == "Gate"
    gltf = export()
    assert len(gltf["extensions"]["OMI_physics_joint"]["physicsJoints"]) == 1


def test_world_gravity_can_be_that_of_the_scene(export):
    scene = bpy.context.scene
    scene.gravity = (0.0, 3.0, -4.0)
    scene.omi_physics.use_world_gravity = True
    gltf = export()
    assert gltf["extensions"]["OMI_physics_gravity"] == approx(
        {"gravity": 5, "direction": [0, -0.8, -0.6]}
    )


def test_gravity_beside_a_shifted_trigger_stands_on_a_compound(export):
    obj = add("Planet")
    obj.omi_physics.use_trigger = True
    obj.omi_physics.trigger.shape.location = (0.0, 0.0, 5.0)
    obj.omi_physics.use_gravity = True
    obj.omi_physics.gravity.type = "POINT"
    gltf = export()
    extensions = node(gltf, "Planet")["extensions"]
    assert extensions["OMI_physics_gravity"]["type"] == "point"
    (part,) = extensions["OMI_physics_body"]["trigger"]["nodes"]
    assert gltf["nodes"][part]["name"] == "Planet Trigger"


@pytest.mark.parametrize("kind", ["POLY", "BEZIER"])
def test_line_points_from_a_curve(export, kind):
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new(kind)
    points = spline.bezier_points if kind == "BEZIER" else spline.points
    points.add(1)
    spline.resolution_u = 4
    for i, point in enumerate(points):
        where = (0.0, 2.0 * i, 0.0)
        point.co = where if kind == "BEZIER" else (*where, 1.0)
        if kind == "BEZIER":
            point.handle_left_type = point.handle_right_type = "VECTOR"
    path = add("Path", curve, location=(1.0, 0.0, 0.0))
    obj = add("Tunnel", location=(0.0, 0.0, 1.0))
    obj.omi_physics.use_trigger = obj.omi_physics.use_gravity = True
    obj.omi_physics.gravity.type = "LINE"
    obj.omi_physics.gravity.line.curve = path
    bpy.context.view_layer.update()
    gltf = export()
    written = node(gltf, "Tunnel")["extensions"]["OMI_physics_gravity"]["line"]["points"]
    assert len(written) == 3 * (2 if kind == "POLY" else 5)
    assert written[:3] == approx([1.0, -1.0, 0.0])
    assert written[-3:] == approx([1.0, -1.0, -2.0])


def test_old_constraints_become_joints_with_new_nodes(import_json, export):
    gltf = {
        "scenes": [{"nodes": [0]}],
        "scene": 0,
        "nodes": [
            {"name": "Root", "children": [1, 2, 3]},
            {
                "name": "A",
                "translation": [0, 1, 0],
                "extensions": {"OMI_physics_body": {"type": "rigid"}},
            },
            {
                "name": "B",
                "translation": [2, 0, 0],
                "rotation": [0, 0, math.sqrt(0.5), math.sqrt(0.5)],
                "extensions": {"OMI_physics_body": {"type": "static"}},
            },
            {
                "name": "Old joint",
                "translation": [1, 1, 1],
                "extensions": {
                    "OMI_physics_joint": {"constraints": [0, 1], "nodeA": 1, "nodeB": 2}
                },
            },
        ],
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_joint"],
        "extensions": {
            "OMI_physics_joint": {
                "constraints": [
                    {"linearAxes": [0, 1, 2]},
                    {"angularAxes": [0], "lowerLimit": -1, "upperLimit": 0.5},
                ]
            }
        },
    }
    import_json(gltf)
    bpy.context.view_layer.update()
    ends = [obj for obj in bpy.data.objects if obj.parent and obj.parent.name in "AB"]
    assert {obj.parent.name for obj in ends} == {"A", "B"}
    place = bpy.data.objects["Old joint"].matrix_world
    for obj in ends:
        assert _close(obj.matrix_world, place)
    written = export()
    (holder,) = [n for n in written["nodes"] if "OMI_physics_joint" in n.get("extensions", {})]
    assert written["nodes"].index(holder) in node(written, "A")["children"]
    connected = holder["extensions"]["OMI_physics_joint"]["connectedNode"]
    assert connected in node(written, "B")["children"]
    (settings,) = written["extensions"]["OMI_physics_joint"]["physicsJoints"]
    assert settings["limits"] == [
        {"linearAxes": [0, 1, 2], "min": 0, "max": 0},
        {"angularAxes": [0], "min": -1, "max": 0.5},
    ]


def _close(first: Matrix, second: Matrix) -> bool:
    return all(
        abs(a - b) < 1e-5
        for row, other in zip(first, second, strict=True)
        for a, b in zip(row, other, strict=True)
    )


def test_physics_of_bones(import_json, export, tmp_path):
    armature = bpy.data.armatures.new("Rig")
    rig = add("Rig", armature, location=(1.0, 0.0, 0.0))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    upper = armature.edit_bones.new("Upper")
    upper.head, upper.tail = (0, 0, 1), (0.3, 0, 2)
    lower = armature.edit_bones.new("Lower")
    lower.head, lower.tail, lower.parent = (0.3, 0, 2), (0.3, 0.5, 3), upper
    bpy.ops.object.mode_set(mode="OBJECT")
    mesh = cube_mesh()
    skin = add("Skin", mesh, parent=rig)
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    skin.vertex_groups.new(name="Lower").add(range(8), 1.0, "REPLACE")
    plain = export("rig.gltf")
    bone = node(plain, "Lower")
    bone["extensions"] = {
        "OMI_physics_body": {
            "motion": {"type": "dynamic", "mass": 2, "linearVelocity": [1, 2, 3]},
            "collider": {"shape": 0},
        }
    }
    plain["extensions"] = {
        "OMI_physics_shape": {"shapes": [{"type": "box", "box": {"size": [1, 2, 3]}}]}
    }
    plain["extensionsUsed"] = ["OMI_physics_body", "OMI_physics_shape"]
    (tmp_path / "rig.gltf").write_text(json.dumps(plain))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "rig.gltf"))
    stand_in = bpy.data.objects["Lower Physics"]
    assert (stand_in.parent_bone, stand_in.omi_physics.is_bone_stand_in) == ("Lower", True)
    again = export("again.gltf")
    assert node(again, "Lower")["extensions"] == bone["extensions"]
    assert len(again["nodes"]) == len(plain["nodes"])
    assert node(again, "Lower")["translation"] == pytest.approx(bone["translation"], abs=1e-5)
