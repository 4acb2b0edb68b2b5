"""An object for each kind of handles, and which handles it must have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
from mathutils import Euler

from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

PLACE = (0.3, -0.2, 0.4)
TURN = Euler((0.2, 0.3, 0.5))


def _put(obj: Any) -> Any:
    """Somewhere, turned, so that nothing is right by chance."""
    obj.location, obj.rotation_euler = PLACE, TURN
    return obj


def _shape(kind: str, **sizes: Any) -> Any:
    obj = _put(add("Shape", cube_mesh()))
    shape = add_collider(obj, kind)
    for name, value in sizes.items():
        setattr(getattr(shape, kind.lower()), name, value)
    shape.location, shape.rotation = (0.2, 0.1, -0.1), (0.1, 0.2, 0.3)
    return obj


def box() -> Any:
    return _shape("BOX", size=(1.0, 1.5, 2.0))


def placed() -> Any:
    bpy.context.scene.omi_physics.overlay.placing = True
    return _shape("CONVEX")


def capsule() -> Any:
    return _shape("CAPSULE", height=1.5, radius_bottom=0.5, radius_top=0.5)


def trigger() -> Any:
    obj = _put(add("Trigger"))
    obj.omi_physics.use_trigger = True
    shape = obj.omi_physics.trigger.shape
    shape.type, shape.sphere.radius = "SPHERE", 1.25
    return obj


def joint(kind: str, axes: str, low: float, high: float, *, moved: bool = False) -> Any:
    """A joint with one limit, on an empty; with `moved` what it is connected to moves."""
    obj, other = _put(add("Joint")), _put(add("Other"))
    add_body(other if moved else add("Body")).mass = 1.0
    entry = bpy.context.scene.omi_physics.joint_settings.add("Limits")
    limit = entry.limits.add()
    limit.kind, limit.axes = kind, [letter in axes for letter in "XYZ"]
    limit.use_min = limit.use_max = True
    ends = ("min_distance", "max_distance") if kind == "LINEAR" else ("min_angle", "max_angle")
    for name, value in zip(ends, (low, high), strict=True):
        setattr(limit, name, value)
    group = obj.omi_physics
    group.use_joint = True
    group.joint.connected_object, group.joint.settings = other, entry.name
    return obj


def targets() -> Any:
    obj = joint("ANGULAR", "X", 0.0, 0.0)
    entry = bpy.context.scene.omi_physics.joint_settings["Limits"]
    for kind, axis in (("LINEAR", "Y"), ("ANGULAR", "Z")):
        drive = entry.drives.add()
        drive.type, drive.axis, drive.use_position_target = kind, axis, True
        drive.position_distance, drive.position_angle = 0.7, 0.8
    return obj


def wheel() -> Any:
    obj = _put(add("Wheel"))
    obj.omi_physics.use_wheel = True
    group = obj.omi_physics.wheel
    group.radius, group.width, group.suspension_travel = 1.0, 0.6, 1.4
    group.max_steering_angle = 0.6
    return obj


def thruster() -> Any:
    obj = _put(add("Thruster"))
    obj.omi_physics.use_thruster = True
    obj.omi_physics.thruster.max_gimbal = 0.5
    return obj


def hover() -> Any:
    obj = _put(add("Hover"))
    obj.omi_physics.use_hover_thruster = True
    obj.omi_physics.hover_thruster.max_gimbal = 0.5
    return obj


def seat() -> Any:
    obj = _put(add("Seat"))
    obj.omi_physics.use_seat = True
    return obj


def gravity(kind: str) -> Any:
    obj = _put(add("Gravity"))
    obj.omi_physics.use_gravity = True
    field = obj.omi_physics.gravity
    field.type = kind
    group = getattr(field, kind.lower())
    group.unit_distance = 0.6
    if kind == "LINE":
        for at in ((0.0, 0.0, 0.0), (1.0, 0.5, 0.0)):
            group.points.add().location = at
        group.points_index = 1
    elif kind != "POINT":
        group.radius = 1.1
    return obj


def mass() -> Any:
    bpy.context.scene.omi_physics.overlay.mass = True
    obj = _put(add("Body"))
    add_body(obj).center_of_mass_mode = "VALUE"
    return obj


_PIVOT = {f"pivot {axis}" for axis in range(3)}
_ENDS = {"limit 0 Min", "limit 0 Max", *_PIVOT}


def _of_shape(form: str, *kinds: str) -> set[str]:
    counts = {"size": 6, "offset": 3, "turn": 3}
    return {f"{form} {kind} {index}" for kind in kinds for index in range(counts[kind])}


# Scene → what makes it, and the keys of its handles.
SCENES: dict[str, tuple[Callable[[], Any], set[str]]] = {
    "box": (box, _of_shape("COLLIDER", "size")),
    "placed": (placed, _of_shape("COLLIDER", "offset", "turn")),
    "capsule": (capsule, _of_shape("COLLIDER", "size")),
    "trigger": (trigger, _of_shape("TRIGGER", "size")),
    "hinge": (lambda: joint("ANGULAR", "Z", -0.4, 1.2), _ENDS),
    "moved_hinge": (lambda: joint("ANGULAR", "Z", -0.4, 1.2, moved=True), _ENDS),
    "cone": (lambda: joint("ANGULAR", "YZ", 0.3, 0.9), _ENDS),
    "ball": (lambda: joint("ANGULAR", "XYZ", 0.3, 0.9), _ENDS),
    "slider": (lambda: joint("LINEAR", "X", -0.5, 1.0), _ENDS),
    "moved_slider": (lambda: joint("LINEAR", "X", -0.5, 1.0, moved=True), _ENDS),
    "disc": (lambda: joint("LINEAR", "XY", 0.4, 1.0), _ENDS),
    "rope": (lambda: joint("LINEAR", "XYZ", 0.4, 1.0), _ENDS),
    "targets": (targets, {"drive 0", "drive 1", *_PIVOT}),
    "wheel": (wheel, {f"wheel {n}" for n in ("radius", "width", "travel", "steering")}),
    "thruster": (thruster, {"thruster gimbal"}),
    "hover": (hover, {"hover gimbal"}),
    "seat": (
        seat,
        {f"seat {n} {axis}" for n in ("back", "knee", "foot") for axis in (1, 2)} | {"seat angle"},
    ),
    "point": (lambda: gravity("POINT"), {"gravity reach"}),
    "gravity_disc": (lambda: gravity("DISC"), {"gravity radius", "gravity reach"}),
    "torus": (lambda: gravity("TORUS"), {"gravity radius", "gravity reach"}),
    "line": (lambda: gravity("LINE"), {"point 0", "point 1 0", "point 1 1", "point 1 2"}),
    "mass": (mass, {"mass 0", "mass 1", "mass 2"}),
}


def build(name: str) -> Any:
    """The object of a scene, alone with what it needs, selected and active."""
    bpy.data.batch_remove([*bpy.data.objects, *bpy.data.meshes, *bpy.data.node_groups])
    settings = bpy.context.scene.omi_physics
    settings.joint_settings.clear()
    settings.overlay.placing = settings.overlay.mass = False
    obj = SCENES[name][0]()
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    return obj
