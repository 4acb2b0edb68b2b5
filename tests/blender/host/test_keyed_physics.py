"""Animated physics of a file as keyframes in Blender, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import compat, reports
from tests.support.animations import Binary, channel

pytestmark = pytest.mark.usefixtures("_empty_file")
BODY = "/nodes/0/extensions/OMI_physics_body/motion"
SHAPE = "/extensions/OMI_physics_shape/shapes/0/box/size"
MATERIAL = "/extensions/OMI_physics_body/physicsMaterials/0/staticFriction"
JOINTS = "/extensions/OMI_physics_joint/physicsJoints/0"
THRUSTER = "/extensions/OMI_vehicle_thruster/thrusters/0/targetForceRatio"
# Pointer → interpolation, times, numbers.
MOVED: dict[str, tuple[str, list[float], list[float]]] = {
    f"{BODY}/mass": ("LINEAR", [0.0, 1.0], [2.0, 5.0]),
    f"{BODY}/linearVelocity": ("STEP", [0.0, 0.5], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    f"{BODY}/gravityFactor": ("CUBICSPLINE", [0.0, 1.0], [0.0, 1.0, 2.0, 0.0, 3.0, 0.0]),
    SHAPE: ("LINEAR", [0.0, 1.0], [1.0, 2.0, 3.0, 2.0, 3.0, 4.0]),
    MATERIAL: ("LINEAR", [0.0, 0.25, 1.0], [0.5, 0.25, 1.0]),
    f"{JOINTS}/drives/0/velocityTarget": ("LINEAR", [0.0, 1.0], [0.0, 2.0]),
    f"{JOINTS}/limits/0/max": ("LINEAR", [0.0, 1.0], [1.0, 3.0]),
    THRUSTER: ("LINEAR", [0.0, 2.0], [0.0, 1.0]),
}
KEPT = {SHAPE, f"{BODY}/gravityFactor"}  # Of which no keyframes are made.


def write(path: Path) -> None:
    """A file in which all of `MOVED` move."""
    binary = Binary(Path(__file__).parents[3] / "examples" / "joints.glb")
    motion = {"type": "dynamic", "mass": 2}
    drive = {"type": "angular", "mode": "force", "axis": 1, "velocityTarget": 1, "damping": 2}
    settings = {"limits": [{"linearAxes": [0], "min": -1, "max": 1}], "drives": [drive]}
    used = ("body", "joint", "shape")
    binary.json = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1, 2]}],
        "nodes": [
            {
                "name": "Crate",
                "extensions": {
                    "OMI_physics_body": {
                        "motion": motion,
                        "collider": {"shape": 0, "physicsMaterial": 0},
                    }
                },
            },
            {
                "name": "Hinge",
                "extensions": {"OMI_physics_joint": {"joint": 0, "connectedNode": 0}},
            },
            {"name": "Jet", "extensions": {"OMI_vehicle_thruster": {"thruster": 0}}},
        ],
        "extensions": {
            "OMI_physics_body": {"physicsMaterials": [{"name": "Ice", "staticFriction": 0.5}]},
            "OMI_physics_shape": {"shapes": [{"type": "box", "box": {"size": [1, 2, 3]}}]},
            "OMI_physics_joint": {"physicsJoints": [settings]},
            "OMI_vehicle_thruster": {"thrusters": [{"maxForce": 9}]},
        },
        "extensionsUsed": [
            *(f"OMI_physics_{name}" for name in used),
            "OMI_vehicle_thruster",
            "KHR_animation_pointer",
        ],
    }
    binary.data.clear()
    samplers, channels = [], []
    for i, (pointer, (how, times, values)) in enumerate(MOVED.items()):
        width = 3 if pointer.rsplit("/", 1)[1] in ("linearVelocity", "size") else 1
        samplers.append(
            {
                "input": binary.accessor(times, "SCALAR"),
                "output": binary.accessor(values, "VEC3" if width == 3 else "SCALAR"),
                "interpolation": how,
            }
        )
        channels.append(channel(pointer, i))
    binary.json["animations"] = [{"name": "Work", "samplers": samplers, "channels": channels}]
    binary.write(path)


def moved(path: Path) -> dict[str, tuple[str, list[float], list[float]]]:
    """What moves in a file, as `MOVED` has it."""
    binary = Binary(path)
    found = {}
    for animation in binary.json["animations"]:
        assert animation["name"] == "Work"
        for each in animation["channels"]:
            sampler = animation["samplers"][each["sampler"]]
            found[each["target"]["extensions"]["KHR_animation_pointer"]["pointer"]] = (
                sampler["interpolation"],
                list(binary.numbers(sampler["input"])),
                list(binary.numbers(sampler["output"])),
            )
    return found


def imported(path: Path, *, keyframes: bool = True) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    bpy.context.scene.omi_physics.import_.keyframes = keyframes
    bpy.ops.import_scene.gltf(filepath=str(path))


def keyed() -> set[str]:
    """The paths that keyframes move."""
    return {c.data_path for action in bpy.data.actions for c in compat.all_curves(action)}


def lost() -> list[str]:
    return [issue.message for issue in reports.latest("EXPORT").issues if issue.code == "X11"]


def test_keyframes_say_what_the_file_does_and_come_back(tmp_path):
    write(tmp_path / "in.glb")
    imported(tmp_path / "in.glb")
    assert keyed() == {
        "omi_physics.motion.mass",
        "omi_physics.motion.linear_velocity",
        "omi_physics.thruster.target_force_ratio",
        "data.static_friction",
        "data.drives[0].velocity_angle",
        "data.limits[0].min_distance",
    }
    motion = bpy.data.objects["Crate"].omi_physics.motion
    bpy.context.scene.frame_set(12)
    assert motion.mass == pytest.approx(3.5)
    assert tuple(motion.linear_velocity) == (4.0, -6.0, 5.0)
    bpy.context.scene.frame_set(0)
    assert tuple(motion.linear_velocity) == (1.0, -3.0, 2.0)
    settings = bpy.data.objects["Hinge"].omi_physics.joint.settings_entry.data
    bpy.context.scene.frame_set(24)
    assert settings.drives[0].velocity_angle == pytest.approx(-2.0)
    assert settings.limits[0].min_distance == pytest.approx(-3.0)
    bpy.context.scene.frame_set(0)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.glb"))
    found = moved(tmp_path / "out.glb")
    assert found.keys() == MOVED.keys()
    for pointer, (how, times, values) in MOVED.items():
        assert found[pointer] == (how, pytest.approx(times), pytest.approx(values, abs=1e-6))
    assert lost() == []


def test_an_edited_keyframe_is_written(tmp_path):
    write(tmp_path / "in.glb")
    imported(tmp_path / "in.glb")
    obj = bpy.data.objects["Crate"]
    for curve in compat.curves(obj.animation_data):
        if curve.data_path.endswith("mass"):
            curve.keyframe_points[1].co[1] = 7.0
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.glb"))
    assert moved(tmp_path / "out.glb")[f"{BODY}/mass"][2] == [2.0, 7.0]
    assert lost() == []


def test_without_the_option_all_is_kept_and_nothing_keyed(tmp_path):
    write(tmp_path / "in.glb")
    imported(tmp_path / "in.glb", keyframes=False)
    assert not bpy.data.actions
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.glb"))
    assert moved(tmp_path / "out.glb").keys() == MOVED.keys()


def test_what_moves_an_object_already_is_left_to_it(tmp_path):
    """One action of each is played; what another one moves stays as it was."""
    write(tmp_path / "in.glb")
    binary = Binary(tmp_path / "in.glb")
    places = binary.accessor([0.0] * 3 + [1.0] * 3, "VEC3")
    sampler: dict[str, Any] = {"input": binary.accessor([0.0, 1.0], "SCALAR"), "output": places}
    other = {"name": "Other", "samplers": [sampler]}
    other["channels"] = [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]
    binary.json["animations"].insert(0, other)
    binary.write(tmp_path / "in.glb")
    imported(tmp_path / "in.glb")
    assert "omi_physics.motion.mass" not in keyed()
    assert "data.static_friction" in keyed()
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.glb"))
    pointers = {
        each["target"].get("extensions", {}).get("KHR_animation_pointer", {}).get("pointer")
        for animation in Binary(tmp_path / "out.glb").json["animations"]
        for each in animation["channels"]
    }
    assert pointers >= MOVED.keys()
    assert lost() == []
