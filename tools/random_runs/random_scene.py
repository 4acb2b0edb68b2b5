"""The scene of a random run: something of each kind that a preview plays, and more beside it."""

from __future__ import annotations

import math
from typing import Any, Final

import bpy as stubbed_bpy  # noqa: TID251

bpy: Any = stubbed_bpy
_CORNERS: Final = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
_FACES: Final = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def add(name: str, data: Any = None, place: Any = (0.0, 0.0, 0.0), parent: Any = None) -> Any:
    """An object in the scene."""
    obj = bpy.data.objects.new(name, data)
    obj.location, obj.parent = place, parent
    bpy.context.scene.collection.objects.link(obj)
    return obj


def body(name: str, place: Any, shape: str = "BOX", kind: str = "DYNAMIC") -> Any:
    """A cube that is a body."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(_CORNERS, [], _FACES)
    obj = add(name, mesh, place)
    group = obj.omi_physics
    group.use_collider = group.use_motion = True
    group.collider.shape.type = shape
    group.motion.type = kind
    return obj


def fill(*, needs_copies: bool = True, has_own_world: bool = True) -> None:
    """Make the file that is open the scene, which has no objects yet.

    Args:
        needs_copies: whether there is something that a preview shows only in a copy of the scene.
        has_own_world: whether the artist has rigid bodies of Blender's own, too.
    """
    scene = bpy.context.scene
    scene.omi_physics.preview.rate = 60
    render_quickly()
    floor = body("Floor", (0.0, 0.0, -0.5), kind="STATIC")
    floor.scale = (30.0, 30.0, 1.0)
    for i in range(6):
        body(f"Box {i}", (1.5 * i - 4.0, 3.0, 1.0 + 0.4 * i), ("BOX", "SPHERE", "CONVEX")[i % 3])
    smooth = body("Smooth", (0.0, 6.0, 3.0), "CONVEX")
    smooth.modifiers.new("Smooth", "SUBSURF").levels = 2
    body("Spinning", (4.0, 6.0, 3.0)).omi_physics.motion.angular_velocity = (1.0, 2.0, 3.0)
    _add_door()
    _add_ship()
    _add_zone()
    _add_lift()
    if has_own_world:
        add_own_world(12.0)
    _add_others()
    if needs_copies:
        _add_what_needs_copies()
    else:
        _add_crates()
    bpy.context.view_layer.update()


def render_quickly() -> None:
    """Let all scenes render in an instant: a step renders, and there may be no graphics card."""
    for scene in bpy.data.scenes:
        scene.render.resolution_percentage = 5
        scene.eevee.taa_render_samples = 1
        scene.eevee.taa_samples = 1


def _add_door() -> None:
    """A joint with limits and a drive."""
    post, door = body("Post", (-6.0, 0.0, 1.0), kind="STATIC"), body("Door", (-4.5, 0.0, 1.5))
    hinge = add("Hinge", None, (-0.75, 0.0, 0.0), door)
    other = add("Hinge Post", None, (0.75, 0.0, 0.5), post)
    group = hinge.omi_physics
    group.use_joint = True
    group.joint.connected_object = other
    entry = bpy.context.scene.omi_physics.joint_settings.add()
    entry.name = group.joint.settings = "Hinge"
    for kind, axes in (("LINEAR", "XYZ"), ("ANGULAR", "XY"), ("ANGULAR", "Z")):
        limit = entry.limits.add()
        limit.kind, limit.axes = kind, tuple(letter in axes for letter in "XYZ")
        limit.use_min = limit.use_max = True
        if axes == "Z":
            limit.min_angle, limit.max_angle = -1.0, 1.0
    drive = entry.drives.add()
    drive.type, drive.axis = "ANGULAR", "Z"
    drive.use_position_target, drive.position_angle = True, 0.6
    drive.stiffness, drive.damping = 30.0, 5.0


def _add_ship() -> None:
    ship = body("Ship", (0.0, -4.0, 2.0))
    ship.omi_physics.use_vehicle_body = True
    ship.omi_physics.vehicle_body.gyro_torque = (5.0, 5.0, 5.0)
    nozzle = add("Nozzle", None, (0.0, 0.5, 0.0), ship)
    nozzle.omi_physics.use_thruster = True
    nozzle.omi_physics.thruster.max_force = 20.0


def _add_zone() -> None:
    """A trigger that pulls to its middle."""
    zone = add("Zone", None, (8.0, -6.0, 3.0))
    group = zone.omi_physics
    group.use_trigger = group.use_gravity = True
    group.trigger.shape.type = "SPHERE"
    group.trigger.shape.sphere.radius = 3.0
    group.gravity.type = "POINT"
    body("Falling", (8.5, -5.0, 4.0), "SPHERE")


def _add_lift() -> None:
    """Something that keyframes move, with a value that has no key yet."""
    lift = body("Lift", (10.0, 0.0, 0.5), kind="KINEMATIC")
    for frame, height in ((1, 0.5), (40, 3.0)):
        lift.location.z = height
        lift.keyframe_insert("location", frame=frame)
    bpy.context.view_layer.update()
    lift.location.x = 10.5


def add_own_world(y: float) -> None:
    """Rigid bodies of the artist's own at a place along Y, with a baked cache."""
    scene = bpy.context.scene
    bpy.ops.rigidbody.world_add()
    group = bpy.data.collections.new("RigidBodyWorld")
    for name, place in (("Own", (0.0, y, 5.0)), ("Own Floor", (0.0, y, 0.0))):
        obj = body(name, place)
        obj.omi_physics.use_motion = obj.omi_physics.use_collider = False
        group.objects.link(obj)
    scene.rigidbody_world.collection = group
    bpy.data.objects["Own Floor"].rigid_body.type = "PASSIVE"
    cache = scene.rigidbody_world.point_cache
    cache.frame_start, cache.frame_end = 1, 20
    with bpy.context.temp_override(scene=scene, point_cache=cache):
        bpy.ops.ptcache.bake(bake=True)


def _add_waving() -> None:
    """A body with keyframes of a shape key and of a material."""
    waving = body("Waving", (-2.0, 9.0, 2.0))
    waving.shape_key_add(name="Basis")
    owner, material = waving.shape_key_add(name="Up"), bpy.data.materials.new("Glow")
    waving.data.materials.append(material)
    for frame, value in ((1, 0.0), (30, 1.0)):
        owner.value = material.metallic = value
        owner.keyframe_insert("value", frame=frame)
        material.keyframe_insert("metallic", frame=frame)


def _add_rig() -> None:
    """Two bones; keyframes move the first one, the second one has a body and a mesh."""
    rig = add("Rig", bpy.data.armatures.new("Rig"), (5.0, 9.0, 1.0))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for i, name in enumerate(("Low", "High")):
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = (0.0, 0.0, i), (0.0, 0.0, i + 1.0), above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for frame, x in ((1, 0.0), (30, 0.6)):
        rig.pose.bones["Low"].rotation_quaternion.x = x
        rig.pose.bones["Low"].keyframe_insert("rotation_quaternion", frame=frame)
    skin = add("Skin", bpy.data.meshes["Waving"].copy(), (0.0, 0.0, 0.0), rig)
    skin.vertex_groups.new(name="High").add(range(8), 1.0, "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    hand = body("Hand", (0.0, 0.0, 0.0), kind="KINEMATIC")
    hand.parent, hand.parent_type, hand.parent_bone = rig, "BONE", "High"


def _add_crates() -> None:
    """Instances of geometry nodes, on the corners of a body."""
    group: Any = bpy.data.node_groups.new("Crates", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    begin, end = (group.nodes.new(f"NodeGroup{way}") for way in ("Input", "Output"))
    place, crate = (
        group.nodes.new(f"GeometryNode{kind}") for kind in ("InstanceOnPoints", "MeshCube")
    )
    crate.inputs["Size"].default_value = (0.2, 0.2, 0.2)
    group.links.new(begin.outputs[0], place.inputs["Points"])
    group.links.new(crate.outputs["Mesh"], place.inputs["Instance"])
    group.links.new(place.outputs[0], end.inputs[0])
    owner = body("Crates", (-2.0, 9.0, 2.0))
    owner.modifiers.new("Crates", "NODES").node_group = group


def _add_others() -> None:
    """A camera, a light, another view layer and another scene."""
    scene = bpy.context.scene
    scene.camera = add("Camera", bpy.data.cameras.new("Camera"), (14.0, -14.0, 10.0))
    scene.camera.rotation_euler = (math.radians(62.0), 0.0, math.radians(45.0))
    add("Lamp", bpy.data.lights.new("Lamp", "SUN"), (0.0, 0.0, 10.0))
    scene.view_layers.new("Second")
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(bpy.data.objects["Box 1"])


def _add_what_needs_copies() -> None:
    """Keyframes of a light, a material and a shape, bones, and an instance."""
    lamp = bpy.data.lights["Lamp"]
    lamp.keyframe_insert("energy", frame=1)
    lamp.energy = 3.0
    _add_waving()
    _add_rig()
    group = bpy.data.collections.new("Crate")
    member = body("Member", (0.0, 0.0, 0.0))
    bpy.context.scene.collection.objects.unlink(member)
    group.objects.link(member)
    instance = add("Instance", None, (-8.0, -6.0, 4.0))
    instance.instance_type, instance.instance_collection = "COLLECTION", group
