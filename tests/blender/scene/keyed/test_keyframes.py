"""Keyframes on physics are written as animations that point to the numbers of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import compat, reports
from tests.support.animations import Binary, Track

pytestmark = pytest.mark.usefixtures("_empty_file")


def thing(name: str, *parts: str) -> Any:
    obj = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(obj)
    for part in parts:
        setattr(obj.omi_physics, f"use_{part}", True)
    return obj


def key(group: Any, name: str, keys: dict[float, Any], how: str = "LINEAR") -> None:
    """Keyframes of one property of a group."""
    for frame, value in keys.items():
        setattr(group, name, value)
        group.keyframe_insert(name, frame=frame)
    path = f"{group.path_from_id()}.{name}"
    for curve in compat.curves(group.id_data.animation_data):
        if curve.data_path == path:
            for point in curve.keyframe_points:
                point.interpolation = how


def export(path: Path, **options: Any) -> dict[str, tuple[Track, tuple[float, ...]]]:
    """What the channels of a new file say, by the last step of their pointers."""
    bpy.ops.export_scene.gltf(filepath=str(path), **options)
    binary = Binary(path)
    found = {}
    for track in binary.tracks():
        for animation in binary.json["animations"]:
            for channel in animation["channels"]:
                pointer = channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"]
                if pointer == track.pointer:
                    output = animation["samplers"][channel["sampler"]]["output"]
                    found[pointer.rsplit("/", 1)[1]] = track, binary.numbers(output)
    return found


def told() -> list[tuple[str, str]]:
    return [(i.pointer, i.message) for i in reports.latest("EXPORT").issues if i.code == "X11"]


def body() -> Any:
    obj = thing("Crate", "motion", "collider")
    obj.omi_physics.collider.shape.type = "BOX"
    return obj


FAMILIES = {"OMI": "OMI_physics_body", "KHR": "KHR_physics_rigid_bodies"}


@pytest.mark.parametrize("family", FAMILIES)
def test_numbers_of_a_body_have_the_axes_of_the_file(family, tmp_path):
    motion = body().omi_physics.motion
    motion.inertia_mode = "VALUE"
    key(motion, "inertia_orientation", {0: (0.0, 1.0, 0.0, 0.0), 12: (0.0, 0.0, 1.0, 0.0)})
    key(motion, "mass", {0: 2.0, 24: 5.0})
    key(motion, "linear_velocity", {0: (1, 2, 3), 12: (4, 5, 6)}, "CONSTANT")
    bpy.context.scene.omi_physics.export.family = family
    found = export(tmp_path / "out.glb")
    track, numbers = found["mass"]
    assert track.pointer == f"/nodes/0/extensions/{FAMILIES[family]}/motion/mass"
    assert (track.rest[0], track.rest[1], track.rest[2]) == ("CrateAction", "LINEAR", (0.0, 1.0))
    assert numbers == (2.0, 5.0)
    track, numbers = found["linearVelocity"]
    assert (track.rest[1], track.rest[2]) == ("STEP", (0.0, 0.5))
    assert numbers == (1.0, 3.0, -2.0, 4.0, 6.0, -5.0)
    assert found["inertiaOrientation"][1] == (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0)
    assert not told()


def test_curves_are_sampled_where_glTF_has_none_like_them(tmp_path):  # noqa: N802
    motion = body().omi_physics.motion
    key(motion, "gravity_factor", {0: 0.0, 4: 1.0}, "BEZIER")
    track, numbers = export(tmp_path / "out.glb")["gravityFactor"]
    assert track.rest[1] == "LINEAR"
    assert track.rest[2] == pytest.approx([frame / 24 for frame in range(5)])
    assert numbers[::2] == pytest.approx((0.0, 0.5, 1.0))
    assert 0.0 < numbers[1] < 0.25 < 0.75 < numbers[3] < 1.0


def test_shared_entries_move_as_their_settings_are_written(tmp_path):
    crate, joint = body(), thing("Hinge", "joint")
    lists = bpy.context.scene.omi_physics
    lists.physics_materials.add().name = "Ice"
    crate.omi_physics.collider.physics_material = "Ice"
    key(crate.omi_physics.collider.physics_material_entry.data, "static_friction", {0: 0.5, 9: 1})
    lists.joint_settings.add().name = "Drive"
    joint.omi_physics.joint.settings = "Drive"
    joint.omi_physics.joint.connected_object = crate
    settings = joint.omi_physics.joint.settings_entry.data
    drive = settings.drives.add()
    drive.type, drive.axis, drive.use_velocity_target = "ANGULAR", "Z", True
    key(drive, "velocity_angle", {0: 0.0, 24: 2.0})
    limit = settings.limits.add()
    limit.axes, limit.use_min, limit.use_max = (True, False, False), True, True
    limit.max_distance = 1.0
    key(limit, "min_distance", {0: -1.0, 24: -2.0})
    found = export(tmp_path / "out.glb")
    lists_of_omi = "/extensions/OMI_physics_joint/physicsJoints/0"
    assert found["staticFriction"][1] == (0.5, 1.0)
    track, numbers = found["velocityTarget"]
    assert (track.pointer, numbers) == (f"{lists_of_omi}/drives/0/velocityTarget", (0.0, -2.0))
    track, numbers = found["max"]  # Files measure the connected node against the joint's.
    assert (track.pointer, numbers) == (f"{lists_of_omi}/limits/0/max", (1.0, 2.0))


def test_controls_of_vehicles_and_sizes_of_shapes(tmp_path):
    crate, thruster = body(), thing("Jet", "thruster")
    key(thruster.omi_physics.thruster, "target_force_ratio", {0: 0.0, 24: 1.0})
    key(crate.omi_physics.collider.shape.box, "size", {0: (1, 2, 3), 24: (2, 3, 4)})
    found = export(tmp_path / "out.glb")
    assert found["targetForceRatio"][0].pointer.startswith("/extensions/OMI_vehicle_thruster/")
    assert found["size"][1] == (1.0, 3.0, 2.0, 2.0, 4.0, 3.0)


def test_what_no_number_follows_is_told_once(tmp_path):
    obj = body()
    key(obj.omi_physics.motion, "density", {0: 1.0, 9: 2.0})
    key(obj.omi_physics.motion, "mass", {0: 1.0, 9: 2.0})
    obj.omi_physics.motion.mass_mode = "ENGINE"
    obj.keyframe_insert("location", frame=0)
    assert "mass" not in export(tmp_path / "out.glb")
    assert sorted(told()) == [
        ("Crate", f"keyframes of {name!r} are not written, because no number of glTF follows it")
        for name in ("density", "mass")
    ]


def test_drivers_and_strips_are_told_once(tmp_path):
    obj = body()
    key(obj.omi_physics.motion, "mass", {0: 1.0, 9: 2.0})
    compat.push_down(obj.animation_data)
    obj.omi_physics.motion.driver_add("gravity_factor").driver.expression = "2.0"
    export(tmp_path / "out.glb")
    why = "is not written; bake it into the active action"
    assert sorted(told()) == [
        ("Crate", f"a driver or NLA strip on {name!r} {why}") for name in ("gravity_factor", "mass")
    ]


def test_no_animations_are_written_without_blenders_own(tmp_path):
    key(body().omi_physics.motion, "mass", {0: 2.0, 24: 5.0})
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.glb"), export_animations=False)
    assert "animations" not in Binary(tmp_path / "out.glb").json


@pytest.mark.parametrize("is_on", [False, True])
def test_the_pointers_of_blender_stand_beside_ours(is_on, tmp_path):
    key(body().omi_physics.motion, "mass", {0: 2.0, 24: 5.0})
    found = export(tmp_path / "out.glb", export_pointer_animation=is_on)
    assert [*found] == ["mass"]
    used = Binary(tmp_path / "out.glb").json["extensionsUsed"]
    assert used.count("KHR_animation_pointer") == 1


def test_objects_that_share_settings_share_what_moves_them(tmp_path):
    lists = bpy.context.scene.omi_physics
    lists.physics_materials.add().name = "Ice"
    for _ in range(2):
        body().omi_physics.collider.physics_material = "Ice"
    entry = bpy.data.objects["Crate"].omi_physics.collider.physics_material_entry
    key(entry.data, "static_friction", {0: 0.5, 9: 1})
    export(tmp_path / "out.glb")
    binary = Binary(tmp_path / "out.glb")
    assert len(binary.tracks()) == 1
    assert len(binary.json["extensions"]["OMI_physics_body"]["physicsMaterials"]) == 1
