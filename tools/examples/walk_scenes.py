"""First steps with the add-on, as an artist takes them: from a crate to a level with 50 props.

Each is a `Walk`: what is modelled before, what is done to it with our operators, and what must be
there afterwards. `walks.py` does the same with real clicks, in a Blender with a window.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import bpy as stubbed_bpy  # noqa: TID251

bpy: Any = stubbed_bpy
Vector = tuple[float, float, float]

OPENS: Final = math.radians(110.0)
WHEEL_RADIUS: Final = 0.4
WHEELS: Final = tuple(f"{end} {side}" for end in ("Front", "Back") for side in ("Left", "Right"))
WALLS: Final = ("Floor", "Left Wall", "Back Wall")
ZONE: Final = (2.0, 2.5, 1.0)  # Middle of the zone that notices.
RING: Final = 1.5  # Radius of the middle of the torus, m.
CLOSE: Final = 1e-4  # Of two numbers that count as equal.

# What a file is for, by the name of the engine that loads it.
TARGETS: Final = {"godot": ("OMI", "GODOT_4"), "babylon": ("KHR", "SPECIFICATION")}


@dataclass(frozen=True)
class Walk:
    """One of them.

    Attributes:
        model: makes the meshes, with Blender's own operators.
        act: makes physics of them, with ours.
        check: raises AssertionError where the scene is not as it must be.
    """

    model: Callable[[], None]
    act: Callable[[], None]
    check: Callable[[], None]


def clear() -> None:
    """Leave nothing in the scene, nor in its lists."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    bpy.data.batch_remove([mesh for mesh in bpy.data.meshes if not mesh.users])
    bpy.context.scene.omi_physics.joint_settings.clear()
    bpy.context.scene.cursor.location = (0.0, 0.0, 0.0)


def named(name: str) -> Any:
    """An object that must be there."""
    expect(name in bpy.data.objects, f"there is no {name}, only {sorted(bpy.data.objects.keys())}")
    return bpy.data.objects[name]


def select(*names: str) -> None:
    """Select objects, of which the last one is the active one."""
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj.name in names)
    bpy.context.view_layer.objects.active = named(names[-1])


def expect(holds: object, text: str) -> None:
    """Stop the walk where something does not hold."""
    if not holds:
        raise AssertionError(text)


def expect_near(what: str, found: Iterable[float], wanted: Iterable[float]) -> None:
    """Stop the walk where numbers are not as they must be."""
    found, wanted = tuple(found), tuple(wanted)
    near = all(abs(a - b) < CLOSE for a, b in zip(found, wanted, strict=True))
    expect(near, f"{what} is {found}, not {wanted}")


def export(path: Path, client: str) -> None:
    """Write the scene for an engine."""
    settings = bpy.context.scene.omi_physics.export
    settings.family, settings.target = TARGETS[client]
    expect(bpy.ops.export_scene.gltf(filepath=str(path)) == {"FINISHED"}, f"{path} was not written")


def _block(name: str, size: Vector, location: Vector) -> None:
    """A cube that is scaled, and whose scale stays, as beginners leave it."""
    scale = tuple(length / 2.0 for length in size)
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=location, scale=scale)
    bpy.context.object.name = name


# A door


def model_door() -> None:
    """A post and a door beside it."""
    _block("Post", (0.2, 0.2, 2.2), (0.0, 0.0, 1.1))
    _block("Door", (1.0, 0.06, 2.0), (0.6, 0.0, 1.1))


def act_door() -> None:
    """Join the door to the post."""
    select("Door", "Post")
    bpy.ops.object.omi_physics_connect_selected(
        kind="HINGE", use_turn=True, min_angle=0.0, max_angle=OPENS, is_soft=True
    )


def check_door() -> None:
    """A soft hinge where both meet, between a body that moves and one that does not."""
    post, door = named("Post"), named("Door")
    kinds = [obj.omi_physics.motion.type for obj in (post, door) if obj.omi_physics.use_motion]
    expect(kinds == ["STATIC", "DYNAMIC"], f"bodies are {kinds}")
    joint = named("Door to Post")
    expect(joint.parent == door, "the joint is not below the door")
    expect(joint.omi_physics.joint.connected_object == post, "the joint does not hold the post")
    bpy.context.view_layer.update()
    expect_near("the hinge", joint.matrix_world.translation, (0.1, 0.0, 1.1))
    entry = bpy.context.scene.omi_physics.joint_settings[joint.omi_physics.joint.settings]
    turns = [limit for limit in entry.limits if limit.kind == "ANGULAR" and limit.use_stiffness]
    expect(len(turns) == 1, "there is not one soft limit")
    expect(tuple(turns[0].axes) == (False, False, True), "the door does not turn about Z")
    expect_near("the limit", (turns[0].min_angle, turns[0].max_angle), (0.0, OPENS))


# A car


def model_car() -> None:
    """A chassis, four cylinders, and a ground."""
    _block("Chassis", (1.4, 3.6, 0.5), (0.0, 0.0, 0.7))
    for name in WHEELS:
        bpy.ops.mesh.primitive_cylinder_add(
            radius=WHEEL_RADIUS,
            depth=0.25,
            # The front of a vehicle is -Y, and its left +X.
            location=(
                0.9 if "Left" in name else -0.9,
                -1.2 if "Front" in name else 1.2,
                WHEEL_RADIUS,
            ),
            rotation=(0.0, math.pi / 2.0, 0.0),
        )
        bpy.context.object.name = name
    bpy.ops.mesh.primitive_plane_add(size=20.0)
    bpy.context.object.name = "Ground"


def act_car() -> None:
    """Make the vehicle, then the ground solid."""
    select(*WHEELS, "Chassis")
    bpy.ops.object.omi_physics_rig_vehicle()
    bpy.ops.object.omi_physics_make_rest_solid()


def check_car() -> None:
    """A vehicle with four wheels as large as their meshes; the front steers, the back drives."""
    chassis = named("Chassis").omi_physics
    expect(chassis.use_vehicle_body and chassis.use_motion, "the chassis is no vehicle")
    expect(chassis.use_collider, "the chassis is not solid")
    expect(named("Ground").omi_physics.use_collider, "the ground is not solid")
    for name in WHEELS:
        wheel = named(f"{name} Wheel")
        expect(wheel.parent == named("Chassis"), f"{name} is not below the chassis")
        expect(named(name).parent == wheel, f"the mesh of {name} is not below it")
        values = wheel.omi_physics.wheel
        expect_near(name, (values.radius, values.width), (WHEEL_RADIUS, 0.25))
        front = "Front" in name
        expect((values.max_steering_angle > 0.1) is front, f"{name} steers wrongly")
        expect((values.max_propulsion_force > 1.0) is not front, f"{name} drives wrongly")


# A room


def model_room() -> None:
    """A floor and two walls, a ball, and a ring in the air with a moon beside it."""
    _block("Floor", (8.0, 8.0, 0.2), (0.0, 0.0, -0.1))
    _block("Left Wall", (0.2, 8.0, 4.0), (-4.1, 0.0, 2.0))
    _block("Back Wall", (8.0, 0.2, 4.0), (0.0, 4.1, 2.0))
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.3, location=(2.0, -2.0, 1.5))
    bpy.context.object.name = "Ball"
    bpy.ops.mesh.primitive_torus_add(major_radius=RING, minor_radius=0.4, location=(-1.5, 1.5, 7.0))
    bpy.context.object.name = "Planet"
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.2, location=(-1.5 + RING, 1.5, 7.7))
    bpy.context.object.name = "Moon"
    bpy.context.scene.cursor.location = (2.0, -2.0, 3.0)


def act_room() -> None:
    """Solid walls and planet, bodies, a point that attracts, and a zone that notices."""
    select(*WALLS)
    bpy.ops.object.omi_physics_fit_shape(type="BOX", add_missing=True)
    select("Planet")
    bpy.ops.object.omi_physics_fit_shape(type="TRIMESH", add_missing=True)
    bpy.ops.object.omi_physics_add_gravity(type="TORUS")
    select("Ball", "Moon")
    bpy.ops.object.omi_physics_fit_shape(type="SPHERE", add_missing=True)
    bpy.ops.object.omi_physics_add_motion(type="DYNAMIC")
    bpy.ops.object.omi_physics_new(kind="POINT_GRAVITY", factor=0.4)
    bpy.context.scene.cursor.location = ZONE
    bpy.ops.object.omi_physics_new(kind="TRIGGER")


def check_room() -> None:
    """Two volumes of gravity, a trigger without any, bodies and walls."""
    for name in (*WALLS, "Planet", "Ball", "Moon"):
        expect(named(name).omi_physics.use_collider, f"{name} is not solid")
    for name in ("Ball", "Moon"):
        group = named(name).omi_physics
        expect(group.use_motion and group.motion.type == "DYNAMIC", f"{name} does not fall")
    volume = named("Planet Gravity")
    expect(volume.parent == named("Planet"), "the volume is not below the planet")
    gravity = volume.omi_physics.gravity
    expect(gravity.type == "TORUS", "the planet does not attract as a ring")
    expect_near("the ring", (gravity.torus.radius,), (RING,))
    point = named("Point Gravity").omi_physics
    expect(point.use_trigger and point.gravity.type == "POINT", "no point attracts")
    expect_near("its reach", (point.trigger.shape.sphere.radius,), (2.0,))
    zone = named("Trigger").omi_physics
    expect(zone.use_trigger and not zone.use_gravity, "there is no zone")


# A planet


def model_planet() -> None:
    """A ring, and a ball below its middle."""
    bpy.ops.mesh.primitive_torus_add()
    bpy.context.object.name = "Torus"
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.1, location=(0.0, 0.0, -0.5))
    bpy.context.object.name = "Ball"


def act_planet() -> None:
    """The ring attracts, and nothing else does."""
    select("Torus")
    bpy.ops.object.omi_physics_fit_shape(type="TRIMESH", add_missing=True)
    bpy.ops.object.omi_physics_add_gravity(type="TORUS")
    named("Torus Gravity").omi_physics.gravity.stop = True
    select("Ball")
    bpy.ops.object.omi_physics_add_motion(type="DYNAMIC")


def check_planet() -> None:
    """An empty that attracts to the ring in a cylinder, and a ball that may fall."""
    volume = named("Torus Gravity")
    expect(volume.type == "EMPTY", "the volume is no empty")
    expect(volume.omi_physics.trigger.shape.type == "CYLINDER", "the volume is no cylinder")
    expect(volume.omi_physics.gravity.stop, "the gravity of the world goes on")
    ball = named("Ball").omi_physics
    expect(ball.use_motion and ball.use_collider, "the ball does not fall")
    expect(ball.collider.shape.type == "SPHERE", "the ball is no sphere")


# A chest, a lamp on a chain, and a zone at a door

LINKS: Final = 3
LAMP: Final = (0.0, 1.5, 1.7)  # m.
LID: Final = (1.2, -1.5, 0.54)


def model_cellar() -> None:
    """A floor, a chest with a lid, a lamp below a hook, and a block where the door is."""
    _block("Floor", (6.0, 5.0, 0.2), (0.0, 0.0, -0.1))
    _block("Chest", (0.8, 0.5, 0.5), (1.2, -1.5, 0.25))
    _block("Lid", (0.8, 0.5, 0.08), LID)
    _block("Hook", (0.2, 0.2, 0.2), (0.0, 1.5, 2.7))
    for i in range(LINKS):
        place = (0.0, 1.5, 2.48 - 0.25 * i)
        bpy.ops.mesh.primitive_cylinder_add(radius=0.04, depth=0.24, location=place)
        bpy.context.object.name = f"Link {i + 1}"
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.15, location=LAMP)
    bpy.context.object.name = "Lamp"
    _block("Zone", (1.0, 1.0, 2.0), (-1.5, -1.0, 1.0))


def act_cellar() -> None:
    """A hinge with limits, a chain, a trigger; the floor is solid."""
    select("Lid", "Chest")
    bpy.ops.object.omi_physics_connect_selected(
        kind="HINGE", use_turn=True, min_angle=0.0, max_angle=OPENS
    )
    select("Lamp", *(f"Link {i + 1}" for i in range(LINKS)), "Hook")
    bpy.ops.object.omi_physics_connect_row()
    select("Zone")
    bpy.ops.object.omi_physics_add_trigger()
    bpy.ops.object.omi_physics_make_rest_solid()


def check_cellar() -> None:
    """The lid opens up about its back edge, the chain hangs, the zone is a box."""
    hinge = named("Lid to Chest")
    bpy.context.view_layer.update()
    expect_near("the hinge", hinge.matrix_world.translation, (1.2, -1.25, 0.5))
    expect_near("its axis", hinge.matrix_world.to_3x3().col[2], (-1.0, 0.0, 0.0))
    entry = bpy.context.scene.omi_physics.joint_settings[hinge.omi_physics.joint.settings]
    (turn,) = [each for each in entry.limits if tuple(each.axes) == (False, False, True)]
    expect_near("its range", (turn.min_angle, turn.max_angle), (0.0, OPENS))
    chain = [obj for obj in bpy.data.objects if obj.omi_physics.use_joint and obj != hinge]
    expect(len(chain) == LINKS + 1, f"the chain has {len(chain)} joints")
    kinds = [named(name).omi_physics.motion.type for name in ("Hook", "Link 1", "Lamp", "Chest")]
    expect(kinds == ["STATIC", "DYNAMIC", "DYNAMIC", "STATIC"], f"bodies are {kinds}")
    zone = named("Zone").omi_physics
    expect(zone.use_trigger and not zone.use_collider, "the zone is no trigger")
    expect(zone.trigger.shape.type == "BOX", "the zone is no box")
    expect(named("Floor").omi_physics.use_collider, "the floor is not solid")


# A crate


def model_crate() -> None:
    """A cube above a ground that is not solid yet."""
    _block("Crate", (1.0, 1.0, 1.0), (0.0, 0.0, 1.5))


def act_crate() -> None:
    """Let it fall."""
    select("Crate")
    bpy.ops.object.omi_physics_add_motion(type="DYNAMIC")


def check_crate() -> None:
    """A dynamic body with a box."""
    crate = named("Crate").omi_physics
    expect(crate.use_motion and crate.motion.type == "DYNAMIC", "the crate does not fall")
    expect(crate.use_collider and crate.collider.shape.type == "BOX", "the crate is no box")


# A car from its chassis


def act_rigged_car() -> None:
    """The chassis finds its wheels; then the ground becomes solid."""
    select("Chassis")
    bpy.ops.object.omi_physics_rig_vehicle()
    bpy.ops.object.omi_physics_make_rest_solid()


def check_rigged_car() -> None:
    """The same vehicle as from wheels that are chosen."""
    chassis = named("Chassis").omi_physics
    expect(chassis.use_vehicle_body and chassis.use_motion, "the chassis is no vehicle")
    expect(named("Ground").omi_physics.use_collider, "the ground is not solid")
    wheels = [obj.omi_physics.wheel for obj in bpy.data.objects if obj.omi_physics.use_wheel]
    expect(len(wheels) == len(WHEELS), f"there are {len(wheels)} wheels")
    for wheel in wheels:
        expect_near("a wheel", (wheel.radius, wheel.width), (WHEEL_RADIUS, 0.25))


# A ragdoll


# Bone → its parent, and its ends, m; those on the left have one on the right as well.
BONES: Final = {
    "Hips": ("", (0.0, 0.0, 1.0), (0.0, 0.0, 1.15)),
    "Spine": ("Hips", (0.0, 0.0, 1.15), (0.0, 0.0, 1.5)),
    "Head": ("Spine", (0.0, 0.0, 1.55), (0.0, 0.0, 1.8)),
    "LeftArm": ("Spine", (0.2, 0.0, 1.45), (0.5, 0.0, 1.45)),
    "LeftForeArm": ("LeftArm", (0.5, 0.0, 1.45), (0.8, 0.0, 1.45)),
    "LeftUpLeg": ("Hips", (0.1, 0.0, 0.95), (0.1, 0.0, 0.5)),
    "LeftLeg": ("LeftUpLeg", (0.1, 0.0, 0.5), (0.1, 0.0, 0.05)),
}


def model_ragdoll() -> None:
    """The skeleton of somebody who stands with arms to the sides."""
    bpy.ops.object.armature_add()
    skeleton = bpy.context.object
    skeleton.name = "Skeleton"
    bpy.ops.object.mode_set(mode="EDIT")
    bones = skeleton.data.edit_bones
    bones.remove(bones[0])
    for name, (parent, head, tail) in BONES.items():
        for side, sign in (("Left", 1.0), ("Right", -1.0)) if "Left" in name else (("", 1.0),):
            bone = bones.new(name.replace("Left", side))
            bone.head = (sign * head[0], *head[1:])
            bone.tail = (sign * tail[0], *tail[1:])
            if parent:
                bone.parent = bones[parent.replace("Left", side)]
    bpy.ops.object.mode_set(mode="OBJECT")


def act_ragdoll() -> None:
    """Bodies on bones, and joints between them."""
    select("Skeleton")
    bpy.ops.object.omi_physics_make_ragdoll()


def check_ragdoll() -> None:
    """A body for each large bone, all but one with a joint, which has limits."""
    bodies = [obj for obj in bpy.data.objects if obj.omi_physics.use_motion]
    joints = [obj.omi_physics.joint for obj in bpy.data.objects if obj.omi_physics.use_joint]
    expect(len(bodies) >= 11, f"there are {len(bodies)} bodies")
    expect(len(joints) == len(bodies) - 1, f"there are {len(joints)} joints")
    expect(all(joint.settings for joint in joints), "a joint has no limits")


# A level

PROPS: Final = 50


def model_level() -> None:
    """A hall without a roof, and crates in it."""
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(0.0, 0.0, 2.0), scale=(12.0, 8.0, 2.0))
    level = bpy.context.object
    level.name = level.data.name = "Level"  # Files name meshes of colliders by their data.
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.object.mode_set(mode="OBJECT")
    top = max(level.data.polygons, key=lambda face: face.center.z)
    top.select = True
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.delete(type="ONLY_FACE")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.flip_normals()
    bpy.ops.object.mode_set(mode="OBJECT")
    for i in range(PROPS):
        place = (-9.0 + 2.0 * (i % 10), -4.0 + 2.0 * (i // 10), 1.0)
        _block(f"Prop {i + 1:02}", (0.6, 0.6, 0.6), place)
    bpy.ops.object.select_all(action="DESELECT")


def act_level() -> None:
    """The hall is solid as it is, and everything else falls."""
    select("Level")
    bpy.ops.object.omi_physics_fit_shape(type="TRIMESH", add_missing=True)
    bpy.ops.object.select_all(action="INVERT")
    bpy.ops.object.omi_physics_add_motion(type="DYNAMIC")


def check_level() -> None:
    """A trimesh that stays, and 50 boxes that move."""
    level = named("Level").omi_physics
    expect(level.use_collider and not level.use_motion, "the hall is not solid")
    expect(level.collider.shape.type == "TRIMESH", "the hall is no trimesh")
    props = [obj.omi_physics for obj in bpy.data.objects if obj.name.startswith("Prop")]
    falling = [prop for prop in props if prop.use_motion and prop.motion.type == "DYNAMIC"]
    boxes = [prop for prop in props if prop.use_collider and prop.collider.shape.type == "BOX"]
    expect(len(falling) == len(boxes) == PROPS, f"{len(falling)} fall, {len(boxes)} are boxes")


WALKS: Final = {
    "door": Walk(model_door, act_door, check_door),
    "car": Walk(model_car, act_car, check_car),
    "room": Walk(model_room, act_room, check_room),
    "planet": Walk(model_planet, act_planet, check_planet),
    "cellar": Walk(model_cellar, act_cellar, check_cellar),
    "crate": Walk(model_crate, act_crate, check_crate),
    "rigged_car": Walk(model_car, act_rigged_car, check_rigged_car),
    "ragdoll": Walk(model_ragdoll, act_ragdoll, check_ragdoll),
    "level": Walk(model_level, act_level, check_level),
}
