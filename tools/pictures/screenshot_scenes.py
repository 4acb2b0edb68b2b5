"""The scenes of the pictures of the overlay, one for each theme.

Every function builds into an empty scene and gives the distance to look at it from, in metres.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

Limit = tuple[str, str, "float | None", "float | None", bool]  # Kind, axes, ends, soft.
Drive = tuple[str, str, "float | None", "float | None"]  # Type, axis, targets.

_HELD: Final[Limit] = ("LINEAR", "XYZ", 0.0, 0.0, False)
_STIFF: Final[Limit] = ("ANGULAR", "XYZ", 0.0, 0.0, False)
_JOINTS: Final[dict[str, tuple[list[Limit], list[Drive]]]] = {
    "Hinge": (
        [_HELD, ("ANGULAR", "YZ", 0.0, 0.0, False), ("ANGULAR", "X", -0.7, 1.8, False)],
        [("ANGULAR", "X", 0.6, None)],
    ),
    "Motor": ([_HELD, ("ANGULAR", "YZ", 0.0, 0.0, False)], [("ANGULAR", "X", None, 3.0)]),
    "Cone": ([_HELD, ("ANGULAR", "XY", None, 0.6, False), ("ANGULAR", "Z", -0.5, 0.5, False)], []),
    "Pin": ([_HELD], []),
    "Slider": (
        [("LINEAR", "YZ", 0.0, 0.0, False), ("LINEAR", "X", -0.5, 1.0, False), _STIFF],
        [("LINEAR", "X", 0.6, None)],
    ),
    "Soft": ([_HELD, ("ANGULAR", "XZ", 0.0, 0.0, False), ("ANGULAR", "Y", -0.8, 0.8, True)], []),
    "Disc": ([("LINEAR", "XY", 0.3, 0.8, False), ("LINEAR", "Z", 0.0, 0.0, False), _STIFF], []),
    "Rope": ([("LINEAR", "XYZ", 0.0, 0.9, False)], []),
}


def _empty(bpy: Any, name: str, location: Any, above: Any = None, size: float = 2.0) -> Any:
    obj = bpy.data.objects.new(name, None)
    obj.location, obj.parent, obj.empty_display_size = location, above, size
    bpy.context.scene.collection.objects.link(obj)
    return obj


def _fill(entry: Any, limits: list[Limit], drives: list[Drive]) -> None:
    for kind, axes, low, high, soft in limits:
        limit = entry.limits.add()
        limit.kind, limit.axes = kind, [axis in axes for axis in "XYZ"]
        limit.use_stiffness, limit.use_min, limit.use_max = soft, low is not None, high is not None
        unit = "distance" if kind == "LINEAR" else "angle"
        setattr(limit, f"min_{unit}", low or 0.0)
        setattr(limit, f"max_{unit}", high or 0.0)
    for kind, axis, place, speed in drives:
        drive = entry.drives.add()
        drive.type, drive.axis = kind, axis
        drive.use_position_target, drive.use_velocity_target = place is not None, speed is not None
        unit = "distance" if kind == "LINEAR" else "angle"
        setattr(drive, f"position_{unit}", place or 0.0)
        setattr(drive, f"velocity_{unit}", speed or 0.0)


def joints(bpy: Any) -> float:
    """One joint of every kind, with the object that it holds."""
    for i, (name, (limits, drives)) in enumerate(_JOINTS.items()):
        entry = bpy.context.scene.omi_physics.joint_settings.add()
        entry.name = name
        _fill(entry, limits, drives)
        x, y = 2.6 * (i % 4) - 3.9, 1.4 - 2.8 * (i // 4)
        joint = _empty(bpy, name, (x, y, 0.4))
        held = _empty(bpy, f"{name} End", (x + 0.8, y - 0.8, 0.9), size=0.05)
        joint.omi_physics.use_joint = True
        joint.omi_physics.joint.settings = name
        joint.omi_physics.joint.connected_object = held
        joint.omi_physics.joint.pivot_at_joint = i % 2 == 1
    return 10.5


def gravity(bpy: Any) -> float:
    """A volume with gravity of every type but shaped, which needs a mesh, and that of a box."""
    kinds = ("DIRECTIONAL", "POINT", "DISC", "TORUS", "LINE", "SHAPED")
    for i, kind in enumerate(kinds):
        obj = _empty(bpy, kind.title(), (5.0 * (i % 3) - 5.0, 2.6 - 5.2 * (i // 3), 0.0), size=1.0)
        group = obj.omi_physics
        group.use_trigger = group.use_gravity = True
        shape = group.trigger.shape
        shape.type = "SPHERE" if kind in ("POINT", "TORUS") else "BOX"
        shape.sphere.radius, shape.box.size = 2.0, (3.6, 3.6, 3.0)
        group.gravity.type = kind
        group.gravity.point.unit_distance = 1.0
        group.gravity.torus.radius = group.gravity.disc.radius = 1.1
        for place in ((-1.5, -1.0, 0.0), (-0.5, 1.0, 0.5), (0.5, -1.0, -0.5), (1.5, 1.0, 0.0)):
            group.gravity.line.points.add().location = place
        group.gravity.shaped.shape.box.size = (1.2, 1.2, 1.2)
    return 15.0


def vehicles(bpy: Any) -> float:
    """A car with a driver, thrusters, and seats."""
    bpy.context.scene.omi_physics.overlay.mass = True
    car = _empty(bpy, "Car", (-1.6, 0.3, 0.5))
    group = car.omi_physics
    group.use_motion = group.use_vehicle_body = True
    group.motion.mass, group.motion.inertia_mode = 1000.0, "VALUE"
    group.motion.inertia_diagonal = (1400.0, 400.0, 1600.0)
    group.motion.linear_velocity = (0.0, -8.0, 0.0)
    group.motion.angular_velocity = (0.0, 0.0, 2.0)
    for x in (-0.9, 0.9):
        for y in (-1.4, 1.4):
            wheel = _empty(bpy, "Wheel", (x, y, -0.2), car, 0.1).omi_physics
            wheel.use_wheel = True
            wheel.wheel.radius, wheel.wheel.width = 0.35, 0.22
            wheel.wheel.max_steering_angle = 0.5 if y < 0.0 else 0.0
            wheel.wheel.target_steering_ratio = 0.6
    for parent, place in ((car, (0.4, 0.0, 0.1)), (None, (1.2, 1.8, 0.45))):
        _empty(bpy, "Seat", place, parent, 0.1).omi_physics.use_seat = True
    leaned = _empty(bpy, "Lounger", (2.6, 1.8, 0.45), None, 0.1).omi_physics
    leaned.use_seat = True
    leaned.seat.angle, leaned.seat.foot = 2.4, (0.0, -0.7, -0.2)
    thruster = _empty(bpy, "Thruster", (1.4, -1.0, 0.6)).omi_physics
    thruster.use_thruster = True
    thruster.thruster.max_gimbal, thruster.thruster.target_force_ratio = 0.4, 0.5
    thruster.thruster.target_gimbal_ratio = (0.5, 0.5)
    hover = _empty(bpy, "Hover Thruster", (3.0, -0.8, 1.6))
    hover.rotation_euler = (-math.pi / 2.0, 0.0, 0.0)
    hover.omi_physics.use_hover_thruster = True
    hover.omi_physics.hover_thruster.max_gimbal = 0.3
    return 7.5


SCENES: Final[dict[str, Callable[[Any], float]]] = {
    "joints": joints,
    "gravity": gravity,
    "vehicles": vehicles,
}
