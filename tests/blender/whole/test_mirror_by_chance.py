"""Mirror images of all parts together, with values, scales, turns and parents by chance."""

from __future__ import annotations

import math
import random
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Quaternion, Vector

from omi_physics_addon.blender.authoring.mirror.mirrored_physics import axis_of
from omi_physics_addon.blender.authoring.mirror.side_names import flipped
from omi_physics_addon.blender.base import groups
from omi_physics_addon.blender.scene import joint_settings
from tests.blender.operators.test_every_operator import group
from tests.blender.operators.test_mirror import mirror, wedge
from tests.blender.support.preview_scenes import drive, gravity, joint, limit, place, play, run
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

SEEDS = range(12)
FLAGS = (
    "use_motion", "use_collider", "use_trigger", "use_gravity", "use_vehicle_body", "use_wheel",
    "use_thruster", "use_hover_thruster", "use_seat",
)  # fmt: skip
# What an object does not say of itself alone.
ELSEWHERE = ("counterpart", "kept", "json", "settings", "connected_object", "mesh_object")


def fill(data: Any, chance: random.Random, objects: list[Any]) -> None:
    """Give a property group values by chance."""
    for prop in data.bl_rna.properties:
        name = prop.identifier
        if prop.is_readonly and prop.type not in ("POINTER", "COLLECTION"):
            continue
        if name in (*ELSEWHERE, *FLAGS) or name.startswith("rna_"):
            continue
        if prop.type == "FLOAT":
            low, high = max(prop.hard_min, -2.0), min(prop.hard_max, 2.0)
            if prop.array_length:
                values = [chance.uniform(low, high) for _ in range(prop.array_length)]
                whole = Quaternion(values).normalized() if len(values) == 4 else values
                setattr(data, name, whole)
            elif low < high:
                setattr(data, name, chance.uniform(low, high))
        elif prop.type == "BOOLEAN" and not prop.array_length:
            setattr(data, name, chance.random() < 0.5)
        elif prop.type == "ENUM" and not prop.is_enum_flag:
            setattr(data, name, chance.choice([item.identifier for item in prop.enum_items]))
        elif prop.type == "POINTER":
            value, kind = getattr(data, name), prop.fixed_type.identifier
            if isinstance(value, bpy.types.PropertyGroup):
                fill(value, chance, objects)
            elif kind == "Object" and name != "curve":
                setattr(data, name, chance.choice(objects))
        elif prop.type == "COLLECTION" and name in ("nodes", "points"):
            for _ in range(chance.randrange(3)):
                fill(getattr(data, name).add(), chance, objects)


def build(chance: random.Random) -> None:
    """Objects of the left side below each other, each with some of all parts."""
    objects: list[Any] = []
    for number in range(6):
        data = chance.choice([wedge, cube_mesh, lambda: None])()
        above = chance.choice([None, *objects])
        obj = add(f"Part {number}.L", data, parent=above)
        obj.location = [chance.uniform(-2.0, 2.0) for _ in range(3)]
        obj.rotation_euler = [chance.uniform(-3.0, 3.0) for _ in range(3)]
        size = chance.uniform(0.5, 2.0)
        # Below what is turned, scales that differ shear, which no object can say.
        obj.scale = (size, size, size)
        objects.append(obj)
    bpy.context.view_layer.update()
    for obj in objects:
        for flag in FLAGS:
            setattr(obj.omi_physics, flag, chance.random() < 0.4)
        fill(obj.omi_physics, chance, objects)
    for number in range(3):
        one, other = chance.sample(objects, 2)
        turn = [chance.uniform(-3.0, 3.0) for _ in range(3)]
        where = [chance.uniform(-2.0, 2.0) for _ in range(3)]
        entry = joint(f"Tie {number}", one, other, where, turn)
        for kind in ("LINEAR", "ANGULAR"):
            for axis in "XYZ":
                if chance.random() < 0.5:
                    low, high = sorted(chance.uniform(-1.0, 1.0) for _ in range(2))
                    limit(entry, kind, axis, low, high)
                if chance.random() < 0.3:
                    drive(entry, kind, axis, position=chance.uniform(-1.0, 1.0), stiffness=4.0)
        for end in "AB":
            bpy.data.objects[f"Tie {number} {end}"].name = f"Tie {number} {end}.L"
    bpy.context.view_layer.update()


def left() -> list[Any]:
    return [obj for obj in bpy.context.scene.objects if ".L" in obj.name]


def state() -> dict[str, Any]:
    """Physics and places of the left side; turns as matrices, as two sets of angles are one."""
    bpy.context.view_layer.update()
    found: dict[str, Any] = {}
    for obj in left():
        physics = group(obj.omi_physics)
        for shape in _shapes(physics):
            shape["rotation"] = [n for row in Euler(shape["rotation"]).to_matrix() for n in row]
        turn = Quaternion(physics["motion"]["inertia_orientation"])
        physics["motion"]["inertia_orientation"] = [n for row in turn.to_matrix() for n in row]
        name = physics["joint"].pop("settings")
        entry = groups.of_scene(bpy.context.scene).joint_settings.get(name) if name else None
        settings = entry and joint_settings.read_in_blender(entry)
        numbers = [n for row in obj.matrix_world for n in row]
        points = sorted(tuple(np.round(v.co, 4)) for v in obj.data.vertices) if obj.data else []
        found[obj.name] = (physics, settings, numbers, points, obj.parent and obj.parent.name)
    return found


def _shapes(data: Any) -> list[Any]:
    """The shapes in the values of a property group."""
    if not isinstance(data, dict):
        return []
    inner = [each for value in data.values() for each in _shapes(value)]
    return [data, *inner] if "rotation" in data and "mesh_source" in data else inner


def differences(one: Any, other: Any, path: str = "") -> list[str]:
    """Where values differ by more than 32 bits let them."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [d for key in one for d in differences(one[key], other[key], f"{path}/{key}")]
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        if len(one) != len(other):
            return [f"{path}: {one} and {other}"]
        return [
            d
            for number, pair in enumerate(zip(one, other, strict=True))
            for d in differences(*pair, f"{path}/{number}")
        ]
    same = one == pytest.approx(other, abs=2e-5) if isinstance(one, float) else one == other
    return [] if same else [f"{path}: {one} and {other}"]


@pytest.mark.parametrize("seed", SEEDS)
def test_mirrored_twice_is_the_original(seed: int) -> None:
    chance = random.Random(seed)
    build(chance)
    before = state()
    axis = chance.choice("XYZ")
    names = list(before)
    assert mirror(*names, axis=axis, with_children=False) == {"FINISHED"}
    assert differences(before, state()) == []
    assert mirror(*map(flipped, names), axis=axis, with_children=False) == {"FINISHED"}
    assert differences(before, state()) == []
    assert len(bpy.context.scene.objects) == 2 * len(names)


def seen(obj: Any) -> tuple[list[Any], list[Any]]:
    """What has a place or a direction in the world: points and arrows, and axes of turns."""
    physics = obj.omi_physics
    place, turn = obj.matrix_world, obj.matrix_world.to_3x3().normalized()
    motion, seat, gravity = physics.motion, physics.seat, physics.gravity
    arrows = [turn @ Vector(v) for v in (motion.linear_velocity, gravity.directional.direction)]
    inside = [motion.center_of_mass, seat.back, seat.foot, seat.knee]
    inside += [point.location for point in gravity.line.points]
    for shape in (physics.collider.shape, physics.trigger.shape, gravity.shaped.shape):
        inside.append(shape.location)
    if axis_of(obj, 1) == 0:  # A part with a front and an upper side.
        arrows += [turn.col[1], turn.col[2]]
    points = [place @ Vector(each) for each in inside]
    points += [place @ vertex.co for vertex in obj.data.vertices] if obj.data else []
    return [*points, *arrows], [turn @ Vector(motion.angular_velocity)]


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_all_that_has_a_direction_is_on_the_other_side(seed: int, axis: int) -> None:
    build(random.Random(seed))
    names = [obj.name for obj in left()]
    mirror(*names, axis="XYZ"[axis], with_children=False)
    bpy.context.view_layer.update()
    back = np.ones(3)
    back[axis] = -1.0
    for name in names:
        one, other = (seen(bpy.data.objects[each]) for each in (name, flipped(name)))
        for sign, mine, theirs in zip((1.0, -1.0), one, other, strict=True):
            # Vertices may come in another order.
            far = np.array(theirs)[:, None] * back * sign - np.array(mine)[None]
            assert np.linalg.norm(far, axis=2).min(axis=0).max() < 1e-4, name


@pytest.mark.usefixtures("stopped_preview")
@pytest.mark.parametrize("seed", range(2))
def test_a_mirrored_arm_of_any_kind_plays_as_the_mirror_image(seed: int) -> None:
    """Links with shapes below them, pushed by thrusters, on hinges with limits and drives.

    In small steps, and with ranges about one axis: what meets several at once, Bullet solves one
    after the other, and a chain that is pushed magnifies what differs.
    """
    gravity(3.0)
    chance = random.Random(seed)
    axis = seed % 2
    before = None
    for number in range(2):
        link = add(f"Link {number}.L", cube_mesh(), location=(3.0 + number, 3.0, 5.0))
        link.rotation_euler = turn = [chance.uniform(-0.4, 0.4) for _ in range(3)]
        motion = add_body(link)
        motion.mass = 2.0
        motion.center_of_mass = [chance.uniform(-0.1, 0.1) for _ in range(3)]
        motion.angular_velocity = [chance.uniform(-0.5, 0.5) for _ in range(3)]
        motion.inertia_mode, motion.inertia_diagonal = "VALUE", (0.3, 0.4, 0.5)
        motion.inertia_orientation = Euler(turn).to_quaternion()
        held = add(f"Shape {number}.L", None, location=(0.1, 0.0, 0.0), parent=link)
        held.scale = [chance.uniform(0.5, 1.0)] * 3
        shape = add_collider(held, "CYLINDER")
        shape.cylinder.height, shape.cylinder.radius_top = 0.6, 0.1
        shape.cylinder.radius_bottom = 0.2
        shape.rotation = [chance.uniform(-1.0, 1.0) for _ in range(3)]
        push = add(f"Push {number}.L", None, location=(0.2, 0.1, 0.3), parent=link)
        push.rotation_euler = [chance.uniform(-3.0, 3.0) for _ in range(3)]
        push.omi_physics.use_thruster = True
        thruster = push.omi_physics.thruster
        thruster.max_force, thruster.target_force_ratio = 6.0, 0.8
        thruster.max_gimbal, thruster.target_gimbal_ratio = 0.5, (0.5, -0.7)
        bpy.context.view_layer.update()
        hinge = [chance.uniform(-0.3, 0.3) for _ in range(3)]
        entry = joint(f"Joint {number}", before, link, (2.5 + number, 3.0, 5.0), hinge)
        limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
        limit(entry, "ANGULAR", "XZ", 0.0, 0.0)
        limit(entry, "ANGULAR", "Y", chance.uniform(-0.6, -0.1), chance.uniform(0.1, 0.6))
        drive(entry, "ANGULAR", "Y", position=0.1, stiffness=5.0, damping=1.0)
        for end in "AB":
            bpy.data.objects[f"Joint {number} {end}"].name = f"Joint {number} {end}.L"
        before = link
    mirror(*(obj.name for obj in left()), axis="XYZ"[axis], with_children=False)
    bpy.context.view_layer.update()
    session = play(rate=240, substeps=8, seconds=10.0)
    start = place(session, "Link 1.L")
    moved = 0.0
    for _ in range(4):
        run(session, 0.5)
        for number in range(2):
            one, other = (place(session, f"Link {number}.{side}") for side in "LR")
            one[axis] *= -1.0
            assert math.dist(one, other) < 0.01
        moved = max(moved, math.dist(place(session, "Link 1.L"), start))
    assert moved > 0.1
