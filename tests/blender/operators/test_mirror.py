"""Mirror images of objects with their physics: names, places, directions, signs, and motion."""

from __future__ import annotations

import math
import random
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from omi_physics_addon.blender.authoring.mirror.side_names import flipped, mirrored_name
from omi_physics_addon.blender.scene import joint_settings
from tests.blender.operators.test_every_operator import group
from tests.blender.support.operator_scenes import obj, physics, select
from tests.blender.support.preview_scenes import (
    body,
    drive,
    gravity,
    joint,
    limit,
    place,
    play,
    run,
)
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh


def mirror(*names: str, **options: Any) -> set[str]:
    select("")
    for name in names:
        obj(name).select_set(True)
    bpy.context.view_layer.objects.active = obj(names[-1])
    return bpy.ops.object.omi_physics_mirror(**options)


def test_how_many_are_told(capfd: Any) -> None:
    add_body(add("Arm.L", cube_mesh()))
    assert mirror("Arm.L") == {"FINISHED"}
    assert "Mirrored 1 object, 1 new" in capfd.readouterr().out
    add_body(add("Leg.L", cube_mesh()))
    assert mirror("Arm.L", "Leg.L") == {"FINISHED"}
    assert "Mirrored 2 objects, 1 new" in capfd.readouterr().out


def tie(name: str, on: Any, to: Any, *place: Any) -> Any:
    """A joint whose objects are of the left side; its settings."""
    entry = joint(name, on, to, *place)
    for end in "AB":
        obj(f"{name} {end}").name = f"{name} {end}.L"
    return entry


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Arm.L", "Arm.R"),
        ("arm_r", "arm_l"),
        ("L_arm", "R_arm"),
        ("arm_left", "arm_right"),
        ("Left Arm", "Right Arm"),
        ("LeftArm", "RightArm"),
        ("leftUpperArm", "rightUpperArm"),
        ("Hand.L to Arm.L", "Hand.R to Arm.R"),
        ("Arm.L to Torso", "Arm.R to Torso"),
        ("wheel_left_front", "wheel_right_front"),
        ("Wheel FL", "Wheel FR"),
        ("wheel_rr", "wheel_rl"),
        ("Arm.L.001", "Arm.R.001"),
        ("HAND LEFT", "HAND RIGHT"),
    ],
)
def test_names_of_sides(name, other):
    assert flipped(name) == other
    assert flipped(other) == name


@pytest.mark.parametrize("name", ["Upright", "Leftover", "Box", "Bright", "Ball", "L", "Tail.Long"])
def test_names_without_a_side(name):
    assert flipped(name) == name
    assert mirrored_name(mirrored_name(name)) == name


def wedge() -> Any:
    """A mesh that no mirror image is the same as."""
    mesh = cube_mesh("Wedge.L")
    for vertex in mesh.vertices:
        if vertex.co.x > 0.0 and vertex.co.y > 0.0:
            vertex.co.z *= 0.3
    return mesh


def everything() -> None:
    """Something with every part whose values have a direction, on one side and below each other."""
    top = add("Top.L", wedge(), location=(2.0, 1.0, 0.5))
    top.rotation_euler = (0.3, -0.2, 0.9)
    motion = add_body(top)
    motion.center_of_mass, motion.linear_velocity = (0.1, 0.2, 0.3), (1.0, 2.0, 3.0)
    motion.angular_velocity = (0.4, 0.5, 0.6)
    motion.inertia_mode = "VALUE"
    motion.inertia_orientation = (0.8, 0.36, 0.48, 0.0)
    shape = add_collider(top, "CYLINDER")
    shape.cylinder.radius_top = 0.1
    shape.location, shape.rotation = (0.1, 0.2, 0.3), (0.4, 0.5, 0.6)
    low = add("Low.L", cube_mesh(), location=(0.5, 0.3, -1.0), parent=top)
    low.rotation_euler = (0.0, 0.5, 0.2)
    add_body(low)
    add_collider(low, "TRIMESH")
    entry = tie("Knee", top, low, (2.5, 1.0, 0.0), (0.1, 0.2, 0.3))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "X", -0.2, 0.7)
    limit(entry, "ANGULAR", "Z", 0.1, 0.4)
    drive(entry, "ANGULAR", "Z", position=0.2, stiffness=4.0)
    part = add("Thruster.L", None, location=(0.0, 1.0, 0.0), parent=top)
    part.omi_physics.use_thruster = part.omi_physics.use_seat = True
    part.omi_physics.thruster.target_gimbal_ratio = (0.3, 0.4)
    part.omi_physics.seat.knee = (0.1, -0.3, 0.2)
    pull = add("Pull.L", None, location=(4.0, 0.0, 0.0))
    pull.omi_physics.use_gravity = pull.omi_physics.use_trigger = True
    pull.omi_physics.gravity.type = "DIRECTIONAL"
    pull.omi_physics.gravity.directional.direction = (0.6, 0.0, 0.8)


def state() -> dict[str, Any]:
    """All physics and places of the left side, with the numbers as 32 bits have them."""
    bpy.context.view_layer.update()
    found: dict[str, Any] = {}
    for each in bpy.context.scene.objects:
        if ".L" in each.name:
            numbers = [n for row in each.matrix_world for n in row]
            points = [c for v in each.data.vertices for c in v.co] if each.data else []
            above = each.parent and each.parent.name
            found[each.name] = (group(each.omi_physics), numbers, points, above)
    return found


def flat(data: Any) -> list[Any]:
    if isinstance(data, dict):
        return [x for key in sorted(data) for x in flat(data[key])]
    if isinstance(data, (list, tuple)):
        return [x for each in data for x in flat(each)]
    return [data]


@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
def test_mirrored_twice_is_the_original(axis):
    everything()
    before = state()
    assert mirror(*before, axis=axis, with_children=False) == {"FINISHED"}
    assert state() == before
    assert mirror(*map(flipped, before), axis=axis, with_children=False) == {"FINISHED"}
    after = state()
    for one, other in zip(flat(before), flat(after), strict=True):
        assert other == (pytest.approx(one, abs=2e-6) if isinstance(one, float) else one)
    assert len(bpy.context.scene.objects) == 2 * len(before)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_meshes_places_and_shapes_lie_on_the_other_side(axis):
    everything()
    mirror("Top.L", axis="XYZ"[axis])
    bpy.context.view_layer.update()
    for name in ("Top", "Low"):
        left, right = obj(f"{name}.L"), obj(f"{name}.R")
        wanted = np.array([left.matrix_world @ v.co for v in left.data.vertices])
        wanted[:, axis] *= -1.0
        found = np.array([right.matrix_world @ v.co for v in right.data.vertices])
        assert _same_points(found, wanted)
        assert right.matrix_world.determinant() > 0.0
        middle = right.data.polygons[0]
        assert middle.normal.dot(middle.center) > 0.0  # Seen from outside.
    wanted = obj("Top.L").matrix_world @ Vector((0.1, 0.2, 0.3))
    wanted[axis] *= -1.0
    shape = physics("Top.R").collider.shape
    found = obj("Top.R").matrix_world @ Vector(shape.location)
    assert tuple(found) == pytest.approx(tuple(wanted), abs=1e-5)
    ends = []
    for side in "LR":
        one = physics(f"Top.{side}").collider.shape
        ends.append(obj(f"Top.{side}").matrix_world.to_3x3() @ one.rotation.to_matrix().col[2])
    ends[0][axis] *= -1.0
    assert tuple(ends[1]) == pytest.approx(tuple(ends[0]), abs=1e-5)  # The thin end.


def _same_points(a: Any, b: Any) -> bool:
    a, b = (points[np.lexsort(np.round(points, 4).T)] for points in (a, b))
    return bool(np.abs(a - b).max() < 1e-4)


def test_references_go_to_the_other_side():
    everything()
    add("Outside.R", None)
    mirror("Top.L")
    knee = physics("Knee B.R").joint
    assert knee.connected_object == obj("Knee A.R")
    assert obj("Low.R").parent == obj("Top.R")
    assert knee.settings != physics("Knee B.L").joint.settings
    entries = bpy.context.scene.omi_physics.joint_settings
    shown = joint_settings.read_in_blender(entries[knee.settings])
    turns = {limit.angular_axes: (limit.min, limit.max) for limit in shown.limits}
    assert turns[0,] == (-0.2, 0.7)
    assert turns[2,] == (-0.4, -0.1)
    assert shown.drives[0].position_target == -0.2


def test_images_stand_in_the_order_of_their_originals():
    """Engines solve joints in that order, so that both sides play alike."""
    for number in range(4):
        add(f"Box {number}.L", None)
    mirror(*(f"Box {number}.L" for number in range(4)))
    names = [o.name for o in bpy.context.scene.objects if o.name.endswith(".R")]
    assert names == [f"Box {number}.R" for number in range(4)]


def test_even_meshes_and_settings_are_shared():
    body("A.L", (1.0, 0.0, 0.0))
    body("B.L", (2.0, 0.0, 0.0))
    limit(tie("Tie", obj("A.L"), obj("B.L"), (1.5, 0.0, 0.0)), "LINEAR", "XYZ", 0.0, 0.0)
    mirror("A.L", "B.L")
    assert obj("A.R").data == obj("A.L").data
    assert physics("Tie B.R").joint.settings == physics("Tie B.L").joint.settings


@pytest.mark.parametrize("scale", [(1.0, 2.0, 3.0), (-1.0, 2.0, 0.5)])
@pytest.mark.parametrize("names", [("Arm.L",), ("Torso", "Arm.L")])
@pytest.mark.parametrize("stays", [True, False])
def test_below_an_uneven_scale_images_lie_on_the_other_side(scale, names, stays):
    """With and without Keep Transform, and also where the parent is not mirrored."""
    torso = add("Torso", wedge())
    torso.scale, torso.rotation_euler = scale, (0.3, 0.2, 0.4)
    arm = add("Arm.L", wedge(), location=(2.0, 0.3, 0.4), parent=torso)
    arm.rotation_euler = (0.5, 0.7, 0.9)
    bpy.context.view_layer.update()
    if stays:
        arm.matrix_parent_inverse = torso.matrix_world.inverted()
        bpy.context.view_layer.update()
    mirror(*names, with_children=False)
    bpy.context.view_layer.update()
    wanted = np.array([arm.matrix_world @ v.co for v in arm.data.vertices]) * (-1.0, 1.0, 1.0)
    image = obj("Arm.R")
    assert _same_points(np.array([image.matrix_world @ v.co for v in image.data.vertices]), wanted)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("own_frame", [True, False])
def test_joints_to_what_is_not_mirrored_have_both_frames_on_the_other_side(axis, own_frame):
    """The other end is an empty below the torso, or the torso itself."""
    torso = body("Torso", (0.1, 0.2, 1.0))
    torso.rotation_euler = (0.0, 0.3, 0.4)
    arm = body("Arm.L", (1.0, 1.0, 1.0))
    bpy.context.view_layer.update()
    tie("Shoulder", torso, arm, (0.5, 0.5, 1.1), (0.3, 0.2, 0.1))
    if own_frame:
        physics("Shoulder B.L").joint.connected_object = torso
    mirror("Arm.L", axis="XYZ"[axis])
    bpy.context.view_layer.update()
    flip = np.eye(4)
    flip[axis, axis] = -1.0
    for _ in range(2):  # The second time, the empty that was made serves again.
        joint_of = physics("Shoulder B.R").joint
        assert joint_of.connected_object.parent == torso
        ends = (
            (obj("Shoulder B.L"), obj("Shoulder B.R")),
            (
                physics("Shoulder B.L").joint.connected_object,
                joint_of.connected_object,
            ),
        )
        for left, right in ends:
            wanted = flip @ np.array(left.matrix_world) @ flip
            assert np.allclose(wanted, right.matrix_world, atol=1e-5)
        count = len(bpy.data.objects)
        mirror("Arm.L", axis="XYZ"[axis])
        bpy.context.view_layer.update()
        assert len(bpy.data.objects) == count


def test_images_have_no_constraints_that_pull_them_back():
    arm = add("Arm.L", wedge())
    constraint = arm.constraints.new("COPY_LOCATION")
    constraint.target = add("Target", None, location=(1.0, 2.0, 3.0))
    bpy.context.view_layer.update()
    mirror("Arm.L")
    bpy.context.view_layer.update()
    assert tuple(obj("Arm.R").matrix_world.translation) == pytest.approx((-1.0, 2.0, 3.0))


def test_materials_and_shape_keys_of_even_meshes_are_mirrored():
    floor, face = cube_mesh(), cube_mesh()
    for name in ("Ice", "Grass"):
        floor.materials.append(bpy.data.materials.new(name))
    floor.polygons[1].material_index = 1
    add("Floor.L", floor)
    smile = add("Face.L", face)
    smile.shape_key_add(name="Basis")
    smile.shape_key_add(name="Smile").data[7].co.z += 1.0
    mirror("Floor.L", "Face.L")
    (ice,) = (p for p in obj("Floor.R").data.polygons if p.material_index == 1)
    assert tuple(ice.center) == pytest.approx(tuple(-c for c in floor.polygons[1].center))
    moved = [k.co for k in obj("Face.R").data.shape_keys.key_blocks["Smile"].data if k.co.z > 1.0]
    assert [tuple(co) for co in moved] == [(-0.5, 0.5, 1.5)]


def test_about_the_active_object_and_the_cursor():
    body("Chassis", (5.0, 0.0, 0.0))
    wheel = add("Wheel FL", cube_mesh(), location=(1.0, 0.0, 0.0), parent=obj("Chassis"))
    wheel.omi_physics.use_wheel = True
    wheel.omi_physics.wheel.target_steering_ratio = 0.5
    mirror("Wheel FL", "Chassis", about="ACTIVE")
    bpy.context.view_layer.update()
    other = obj("Wheel FR")
    assert tuple(other.matrix_world.translation) == pytest.approx((4.0, 0.0, 0.0))
    assert other.parent == obj("Chassis")
    assert other.omi_physics.wheel.target_steering_ratio == 0.5  # Both steer one vehicle.
    assert "Chassis Mirrored" not in bpy.data.objects
    bpy.context.scene.cursor.location = (0.0, 3.0, 0.0)
    mirror("Wheel FL", about="CURSOR", axis="Y")
    assert tuple(obj("Wheel FR").matrix_world.translation) == pytest.approx((6.0, 6.0, 0.0))


def test_a_whole_vehicle():
    body("Car.L", (5.0, 0.0, 0.0)).omi_physics.use_vehicle_body = True
    wheel = add("Wheel", cube_mesh(), location=(1.0, -2.0, 0.0), parent=obj("Car.L"))
    wheel.omi_physics.use_wheel = True
    wheel.omi_physics.wheel.target_steering_ratio = 0.5
    seat = add("Seat", None, location=(0.3, 0.0, 0.0), parent=obj("Car.L"))
    seat.omi_physics.use_seat = True
    vehicle = physics("Car.L").vehicle_body
    vehicle.pilot_seat = seat
    vehicle.linear_activation, vehicle.angular_activation = (0.1, 0.2, 0.3), (0.4, 0.5, 0.6)
    mirror("Car.L")
    other = physics("Car.R").vehicle_body
    assert other.pilot_seat == obj("Seat Mirrored")
    assert tuple(other.linear_activation) == pytest.approx((-0.1, 0.2, 0.3))
    assert tuple(other.angular_activation) == pytest.approx((0.4, -0.5, -0.6))
    assert physics("Wheel Mirrored").wheel.target_steering_ratio == -0.5


def test_both_sides_of_a_whole_get_images_of_their_own():
    """The right wheel of a car does not become the image of its left one, and so leave it."""
    body("Car", (5.0, 0.0, 0.0)).omi_physics.use_vehicle_body = True
    for name, side in (("Wheel FL", 1.0), ("Wheel FR", -1.0)):
        wheel = add(name, cube_mesh(), location=(side, -2.0, 0.0), parent=obj("Car"))
        wheel.omi_physics.use_wheel = True
    places = {"Wheel FL": (6.0, "Car"), "Wheel FR": (4.0, "Car")}
    images = {
        "Wheel FR Mirrored": (-6.0, "Car Mirrored"),
        "Wheel FL Mirrored": (-4.0, "Car Mirrored"),
    }
    for active in ("Car", "Car Mirrored"):  # There and back.
        mirror(active)
        bpy.context.view_layer.update()
        found = {
            o.name: (round(o.matrix_world.translation.x, 4), o.parent.name)
            for o in bpy.context.scene.objects
            if o.name.startswith("Wheel")
        }
        assert found == {**places, **images}
    mirror("Wheel FL", "Car", about="ACTIVE")  # Here the car stays, and its side becomes the other.
    assert len(bpy.context.scene.objects) == 6


def test_what_cannot_be_mirrored_is_told():
    add("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    add("Box.L", cube_mesh())
    assert mirror("Lamp") == {"CANCELLED"}
    assert mirror("Lamp", "Box.L") == {"FINISHED"}
    assert "Lamp Mirrored" not in bpy.data.objects


def test_a_name_that_another_scene_has_is_no_hindrance():
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(bpy.data.objects.new("Arm.R", cube_mesh()))
    arm = add("Arm.L", wedge(), location=(2.0, 0.0, 0.0))
    for source in ("Arm.L", "Arm.L", "Arm.R.001"):
        mirror(source)
        assert {each.name for each in bpy.context.scene.objects} == {"Arm.L", "Arm.R.001"}
    obj("Arm.R.001").location.x = -3.0
    mirror("Arm.R.001")
    assert tuple(arm.location) == pytest.approx((3.0, 0.0, 0.0))
    assert bpy.data.objects["Arm.R"].location.x == 0.0
    bpy.data.scenes.remove(other)


@pytest.mark.parametrize("length", [54, 55, 63, 250])
def test_long_names_lead_there_and_back(length):
    first = add("N" * length, cube_mesh(), location=(2.0, 0.0, 0.0)).name
    for _ in range(2):
        mirror(first)
        (image,) = (each.name for each in bpy.context.scene.objects if each.name != first)
    assert image.endswith(" Mirrored")
    mirror(image)
    assert {each.name for each in bpy.context.scene.objects} == {first, image}


@pytest.mark.usefixtures("stopped_preview")
@pytest.mark.parametrize("axis", [0, 1])
def test_a_mirrored_arm_plays_as_the_mirror_image(axis):
    """Three links with limits, a servo and a motor, tilted so that all axes matter."""
    gravity()
    chance = random.Random(axis)
    before = None
    for number in range(3):
        turn = [chance.uniform(-0.4, 0.4) for _ in range(3)]
        link = body(f"Link {number}.L", (3.0 + number, 3.0, 5.0), mass=2.0)
        link.rotation_euler = turn
        link.omi_physics.collider.shape.box.size = (0.9, 0.2, 0.3)
        link.omi_physics.motion.inertia_mode = "VALUE"
        link.omi_physics.motion.inertia_diagonal = (0.3, 0.5, 0.6)
        bpy.context.view_layer.update()
        hinge = (0.2, 0.3 + number, turn[2])
        entry = tie(f"Joint {number}", before, link, (2.5 + number, 3.0, 5.0), hinge)
        limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
        limit(entry, "ANGULAR", "XZ", 0.0, 0.0)
        limit(entry, "ANGULAR", "Y", -0.5, 0.2)
        if number == 1:
            drive(entry, "ANGULAR", "Y", position=0.1, stiffness=30.0, damping=1.0)
        before = link
    names = [o.name for o in bpy.context.scene.objects if o.name.endswith(".L")]
    mirror(*names, axis="XYZ"[axis], with_children=False)
    bpy.context.view_layer.update()
    session = play(rate=60, substeps=8, seconds=10.0)
    for _ in range(4):
        run(session, 0.5)
        for number in range(3):
            left, right = (place(session, f"Link {number}.{side}") for side in "LR")
            left[axis] *= -1.0
            assert right == pytest.approx(left, abs=0.01)
    start = np.array((5.0, 3.0, 5.0))
    assert math.dist(place(session, "Link 2.L"), start) > 0.2  # It has moved.
