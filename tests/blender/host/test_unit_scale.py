"""Scenes whose unit is not the metre: what is imported stays the same physical system."""

import base64
import json
import math
import struct

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from tests.blender.host.test_gltf_import import triangle
from tests.blender.support.scenes import add, add_collider, body

SCALES = (0.01, 100.0)
NAMES = (
    "OMI_physics_body",
    "OMI_physics_shape",
    "OMI_physics_joint",
    "OMI_physics_gravity",
    "OMI_vehicle_body",
    "OMI_vehicle_wheel",
    "OMI_vehicle_thruster",
    "OMI_vehicle_hover_thruster",
    "OMI_seat",
)


def file(u):
    """A file with something of every unit, were the metre u times as long as it is written.

    Lengths, speeds, accelerations and forces go with u, moments and torques with its square.
    """
    motion = {
        "type": "dynamic",
        "mass": 3,
        "centerOfMass": [0.1 * u, 0.2 * u, 0.3 * u],
        "inertiaDiagonal": [1 * u * u, 2 * u * u, 1.5 * u * u],
        "linearVelocity": [4 * u, 5 * u, 6 * u],
        "angularVelocity": [0.7, 0.8, 0.9],
        "gravityFactor": 0.5,
    }
    vehicle = {
        "angularActivation": [0.1, 0.2, 0.3],
        "gyroTorque": [7 * u * u, 8 * u * u, 9 * u * u],
        "maxSpeed": 33 * u,
    }
    wheel = {
        "brakingForce": 50 * u,
        "maxPropulsionForce": 60 * u,
        "maxSteeringAngle": 0.6,
        "propulsionForceChangeRate": 70 * u,
        "radius": 0.35 * u,
        "steeringChangeRate": 1.5,
        "suspensionDampingCompression": 1800,
        "suspensionDampingRebound": 1900,
        "suspensionStiffness": 21000,
        "suspensionTravel": 0.3 * u,
        "width": 0.15 * u,
    }
    thruster = {"maxForce": 90 * u, "forceChangeRate": 11 * u, "maxGimbal": 0.4}
    hover = {"maxHoverEnergy": 80 * u * u, "hoverEnergyChangeRate": 12 * u * u}
    limits = [
        {"linearAxes": [0], "min": -1.5 * u, "max": 2 * u, "stiffness": 30, "damping": 4},
        {
            "angularAxes": [1],
            "min": -0.5,
            "max": 0.6,
            "stiffness": 31 * u * u,
            "damping": 5 * u * u,
        },
    ]
    drives = [
        {
            "type": "linear",
            "mode": "force",
            "axis": 0,
            "maxForce": 13 * u,
            "positionTarget": 0.4 * u,
            "velocityTarget": 0.9 * u,
            "stiffness": 14,
            "damping": 15,
        },
        {
            "type": "angular",
            "mode": "force",
            "axis": 1,
            "maxForce": 16 * u * u,
            "positionTarget": 0.3,
            "velocityTarget": 0.2,
            "stiffness": 17 * u * u,
            "damping": 18 * u * u,
        },
        {
            "type": "angular",
            "mode": "acceleration",
            "axis": 2,
            "maxForce": 19 * u * u,
            "positionTarget": 0.1,
            "stiffness": 20,
            "damping": 21,
        },
    ]
    shapes = [
        {"type": "box", "box": {"size": [1.5 * u, 2 * u, 3 * u]}},
        {"type": "sphere", "sphere": {"radius": 0.7 * u}},
        {
            "type": "capsule",
            "capsule": {"height": 1.2 * u, "radiusBottom": 0.3 * u, "radiusTop": 0.4 * u},
        },
        {
            "type": "cylinder",
            "cylinder": {"height": 1.3 * u, "radiusBottom": 0.45 * u, "radiusTop": 0.55 * u},
        },
        {"type": "convex", "convex": {"mesh": 0}},
    ]
    seat = {
        "back": [0, 0.1 * u, -0.2 * u],
        "foot": [0, -0.5 * u, 0.6 * u],
        "knee": [0, 0.15 * u, 0.4 * u],
        "angle": 1.4,
    }
    gravities = [
        {"type": "point", "gravity": 8.5 * u, "point": {"unitDistance": 6 * u}},
        {
            "type": "line",
            "gravity": -7.5 * u,
            "line": {"points": [1 * u, 2 * u, 3 * u, 4 * u, 5 * u, 7 * u], "unitDistance": 5 * u},
        },
        {"type": "disc", "gravity": 6.5 * u, "disc": {"radius": 4 * u, "unitDistance": 3 * u}},
        {"type": "torus", "gravity": 5.5 * u, "torus": {"radius": 3 * u, "unitDistance": 2 * u}},
    ]
    collider = {"collider": {"shape": 4}}
    nodes = [
        {
            "omi": {
                "OMI_physics_body": {"motion": motion, **collider},
                "OMI_vehicle_body": vehicle,
            },
            "mesh": 0,
            "children": [1, 2, 3, 4, 5],
        },
        {"omi": {"OMI_vehicle_wheel": {"wheel": 0}}},
        {"omi": {"OMI_vehicle_thruster": {"thruster": 0}}},
        {"omi": {"OMI_vehicle_hover_thruster": {"hoverThruster": 0}}},
        {"omi": {"OMI_seat": seat}},
        {"omi": {"OMI_physics_joint": {"joint": 0, "connectedNode": 6}}},
        {"omi": {"OMI_physics_body": {"motion": {"type": "static"}}}},
        *(
            {
                "omi": {
                    "OMI_physics_body": {"trigger": {"shape": i}},
                    "OMI_physics_gravity": gravity,
                }
            }
            for i, gravity in enumerate(gravities)
        ),
    ]
    buffers = triangle()
    for key in ("min", "max"):
        buffers["accessors"][0][key] = [1.0 * u if key == "max" else 0.0] * 3
    return {
        **with_corners(buffers, u),
        "extensionsUsed": list(NAMES),
        "scene": 0,
        "scenes": [{"nodes": [0, *range(6, len(nodes))]}],
        "nodes": [
            {
                **{key: value for key, value in node.items() if key != "omi"},
                "name": f"Node {i:02}",
                "translation": [(i + 1) * u, 2 * u, 3 * u],
                "extensions": node["omi"],
            }
            for i, node in enumerate(nodes)
        ],
        "extensions": {
            "OMI_physics_shape": {"shapes": shapes},
            "OMI_physics_joint": {
                "physicsJoints": [{"name": "Settings", "limits": limits, "drives": drives}]
            },
            "OMI_physics_gravity": {"gravity": 3.7 * u, "direction": [0, -1, 0]},
            "OMI_vehicle_wheel": {"wheels": [wheel]},
            "OMI_vehicle_thruster": {"thrusters": [thruster]},
            "OMI_vehicle_hover_thruster": {"hoverThrusters": [hover]},
        },
    }


def with_corners(buffers, u):
    """The mesh of `triangle` with its corners u times as far out."""
    head, _comma, text = buffers["buffers"][0]["uri"].partition(",")
    raw = base64.b64decode(text)
    points = [u * number for number in struct.unpack_from("<12f", raw)]
    raw = struct.pack("<12f", *points) + raw[48:]
    buffers["buffers"][0]["uri"] = f"{head},{base64.b64encode(raw).decode()}"
    return buffers


def passed_through(path, scale, export):
    """What an empty scene with a unit scale exports of a file."""
    for blocks in (bpy.data.objects, bpy.data.meshes):
        for block in list(blocks):
            blocks.remove(block)
    scene = bpy.context.scene
    for entries in ("joint_settings", "physics_materials", "collision_filters"):
        getattr(scene.omi_physics, entries).clear()
    scene.unit_settings.scale_length = scale
    bpy.ops.import_scene.gltf(filepath=str(path))
    return export("out.gltf")


def written(path, gltf):
    path.write_text(json.dumps({"asset": {"version": "2.0"}, **gltf}))
    return path


def same(one, other, where=""):
    """Fail where two parsed files differ by more than what 32 bits do."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), where
        for key in one.keys() - {"uri"}:
            same(one[key], other[key], f"{where}/{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), where
        for i, pair in enumerate(zip(one, other, strict=True)):
            same(*pair, f"{where}/{i}")
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=2e-6, abs=1e-9), where
    else:
        assert one == other, where


@pytest.mark.parametrize("scale", SCALES)
def test_import_is_the_same_system_in_other_units(scale, export, tmp_path):
    """The exporter writes units as metres, so a file in those units comes out."""
    metres = written(tmp_path / "metres.gltf", file(1.0))
    units = written(tmp_path / "units.gltf", file(1.0 / scale))
    same(passed_through(metres, scale, export), passed_through(units, 1.0, export))


@pytest.mark.parametrize("scale", SCALES)
def test_way_back_is_exact(scale, export, tmp_path):
    metres = written(tmp_path / "metres.gltf", file(1.0))
    usual = passed_through(metres, 1.0, export)
    passed_through(metres, scale, lambda name: None)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "units.gltf"), export_format="GLTF_SEPARATE")
    same(passed_through(tmp_path / "units.gltf", 1.0 / scale, export), usual)


def test_usual_export_has_the_values_of_the_file(export, tmp_path):
    """Otherwise the tests above could compare nothing."""
    gltf = file(1.0)
    found = passed_through(written(tmp_path / "metres.gltf", gltf), 1.0, export)
    for name, value in gltf["extensions"].items():
        if name != "OMI_physics_shape":  # In another order.
            assert value.items() <= found["extensions"][name].items()
    assert body(found, "Node 00")["motion"]["inertiaDiagonal"] == [1, 2, 1.5]


@pytest.mark.parametrize("scale", SCALES)
def test_joint_settings_are_found_again(scale, tmp_path):
    path = written(tmp_path / "metres.gltf", file(1.0))
    bpy.context.scene.unit_settings.scale_length = scale
    for _ in range(2):
        bpy.ops.import_scene.gltf(filepath=str(path))
    assert [entry.name for entry in bpy.context.scene.omi_physics.joint_settings] == ["Settings"]


@pytest.mark.parametrize("scale", SCALES)
def test_fall_takes_as_long(scale, tmp_path):
    """Time is not scaled: distances and accelerations keep their ratio."""
    bpy.context.scene.unit_settings.scale_length = scale
    bpy.ops.import_scene.gltf(filepath=str(written(tmp_path / "metres.gltf", file(1.0))))
    height = bpy.data.objects["Node 00"].location.z  # 2 m in the file.
    gravity = bpy.context.scene.omi_physics.world_gravity.gravity
    assert math.sqrt(2 * height / gravity) == pytest.approx(math.sqrt(2 * 2 / 3.7))
    part = bpy.data.objects["Node 00"].omi_physics
    assert part.motion.mass == 3


def test_numbers_that_are_words_stay(tmp_path):
    bpy.context.scene.unit_settings.scale_length = 0.01
    gltf = file(1.0)
    gltf["nodes"][0]["extensions"]["OMI_vehicle_body"] = {"useThrottle": True}
    gltf["extensions"]["OMI_vehicle_wheel"]["wheels"] = [{"radius": 0.3}]
    gltf["extensions"]["OMI_vehicle_thruster"]["thrusters"] = [{"maxForce": 2}]
    bpy.ops.import_scene.gltf(filepath=str(written(tmp_path / "words.gltf", gltf)))
    assert bpy.data.objects["Node 00"].omi_physics.vehicle_body.max_speed == -1
    wheel = bpy.data.objects["Node 01"].omi_physics.wheel
    assert wheel.braking_force == wheel.propulsion_force_change_rate == -1
    assert wheel.width == pytest.approx(12.5)  # The default of the specification, 0.125 m.
    assert bpy.data.objects["Node 02"].omi_physics.thruster.force_change_rate == -1


def test_debug_axes_have_no_unit(tmp_path):
    """With this value the importer converts nothing, units neither."""
    bpy.context.scene.unit_settings.scale_length = 0.01
    bpy.app.debug_value = 100
    try:
        bpy.ops.import_scene.gltf(filepath=str(written(tmp_path / "metres.gltf", file(1.0))))
    finally:
        bpy.app.debug_value = 0
    obj = bpy.data.objects["Node 00"]
    assert tuple(obj.location) == (1, 2, 3)
    assert tuple(obj.omi_physics.motion.linear_velocity) == (4, 5, 6)


def codes():
    return reports.latest("EXPORT").issues.codes()


@pytest.mark.parametrize("scale", SCALES)
def test_export_tells_of_the_scale(scale, export):
    add_collider(add("Ball"), "SPHERE").sphere.radius = 0.3
    gltf = export()
    assert "X12" not in codes()
    bpy.context.scene.unit_settings.scale_length = scale
    scaled = export()
    assert codes()["X12"] == 1
    assert scaled["extensions"] == gltf["extensions"]


def test_export_without_physics_is_silent(export):
    bpy.context.scene.unit_settings.scale_length = 0.01
    add("Nothing")
    export()
    assert "X12" not in codes()
