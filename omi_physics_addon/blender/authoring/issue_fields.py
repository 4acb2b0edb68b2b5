"""Where on an object an issue belongs: the part, and the field that its panel shows."""

from __future__ import annotations

from typing import Final

import bpy

from ...issue_codes import Code
from ...issues import Issue
from ..base import groups, reports

# Code → the part and, behind a dot, the field of its property group.
_FIELDS: Final[dict[str, str]] = {
    Code.MASS_ZERO_IN_OMI: "motion.mass",
    Code.MASS_ZERO_IS_INFINITE: "motion.mass",
    Code.STATIC_BODY_MASS: "motion.type",
    Code.MASS_LEFT_TO_ENGINE: "motion.mass_mode",
    Code.DYNAMIC_BODY_ANIMATED: "motion.type",
    Code.DYNAMIC_BODY_ON_BONE: "motion.type",
    Code.TRIMESH_ON_DYNAMIC_BODY: "collider.type",
    Code.TRIMESH_ON_KINEMATIC_BODY: "collider.type",
    Code.TRIMESH_TRIGGER: "trigger.type",
    Code.MOMENT_TOO_LARGE: "motion.inertia_mode",
    Code.MOMENTS_PARTLY_ZERO: "motion.inertia_mode",
    Code.MOMENT_ZERO_IS_INFINITE: "motion.inertia_mode",
    Code.CENTER_OF_MASS_MOVED: "motion.center_of_mass_mode",
    Code.GRAVITY_FACTOR_UNUSUAL: "motion.gravity_factor",
    Code.STATIC_BODY_VELOCITY: "motion.type",
    Code.KINEMATIC_BODY_VELOCITY: "motion.linear_velocity",
    Code.AUTOMATIC_VALUE_FAILED: "motion.mass_mode",
    Code.CYLINDER_USED: "collider.type",
    Code.PLANE_ON_MOVING_BODY: "collider.type",
    Code.HULL_LARGE: "collider.type",
    Code.COLLISION_MESH_LARGE: "collider.type",
    Code.COLLISION_MESH_NOT_SOLID: "collider.type",
    Code.COLLISION_MESH_LOOKS_AWAY: "collider.type",
    Code.SHAPE_MESH_MISSING: "collider.type",
    Code.COLLISION_MESH_EMPTY: "collider.type",
    Code.CAPSULE_IS_SPHERE: "collider.height",
    Code.JOINT_WITHOUT_CONNECTION: "joint.connected_object",
    Code.JOINT_CONNECTED_TO_NO_BODY: "joint.connected_object",
    Code.JOINT_TO_WORLD: "joint.connected_object",
    Code.JOINT_WITHIN_ONE_BODY: "joint.connected_object",
    Code.JOINT_OF_IMMOVABLES: "joint.connected_object",
    Code.JOINT_CONNECTED_TO_ITSELF: "joint.connected_object",
    Code.JOINTS_OF_SAME_NODES: "joint.connected_object",
    Code.JOINT_UNFINISHED: "joint.connected_object",
    Code.JOINED_MASSES_DIFFER: "joint.connected_object",
    Code.JOINED_MASSES_UNEQUAL: "joint.connected_object",
    Code.JOINT_WITHOUT_SETTINGS: "joint.settings",
    Code.GRAVITY_ZERO: "gravity.gravity",
    Code.GRAVITY_CONSTANT: "gravity.unit_distance",
    Code.GRAVITY_ORDER_OPEN: "gravity.priority",
    Code.GRAVITY_STOP_BELOW_WORLD: "gravity.priority",
    Code.GRAVITY_REPLACES_AND_STOPS: "gravity.replace",
    Code.GRAVITY_DIRECTION_NOT_UNIT: "gravity.direction",
    Code.TRIGGER_VISIBLE: "trigger.type",
    Code.COMPOUND_TRIGGER_FILTER: "trigger.collision_filter",
    Code.VEHICLE_MAX_SPEED_ZERO: "vehicle_body.max_speed",
    Code.PILOT_SEAT_NO_SEAT: "vehicle_body.pilot_seat",
    Code.PILOT_SEAT_NOT_FORWARD: "vehicle_body.pilot_seat",
    Code.PILOT_SEAT_OUTSIDE: "vehicle_body.pilot_seat",
    Code.ACTIVATION_AT_START: "vehicle_body.linear_activation",
    Code.GYRO_TORQUE_NEGATIVE: "vehicle_body.gyro_torque",
    Code.THROTTLE_DRIVES_NOTHING: "vehicle_body.use_throttle",
    Code.WHEEL_BRAKES_BY_MOTOR: "wheel.braking_force",
    Code.WHEEL_MATERIAL_AMBIGUOUS: "wheel.physics_material",
    Code.THRUSTER_MAX_ZERO: "thruster.max_force",
    Code.HOVER_TOO_WEAK: "hover_thruster.max_hover_energy",
    Code.GIMBAL_RATIO_TOO_LONG: "thruster.target_gimbal_ratio",
    Code.SEAT_ANGLE_UNUSUAL: "seat.angle",
    Code.SEAT_SIZE_UNUSUAL: "seat.foot",
    Code.SEAT_POINTS_ON_LINE: "seat.knee",
}
# Letter of a code → the parts that it is about; the first that an object has.
_PARTS: Final = {
    "B": ("motion",),
    "C": ("collider", "trigger"),
    "S": ("collider", "trigger"),
    "T": ("trigger",),
    "J": ("joint",),
    "V": ("gravity", "trigger"),
    "H": ("vehicle_body",),
    "W": ("wheel", "thruster", "hover_thruster"),
    "R": ("thruster", "hover_thruster"),
    "E": ("seat",),
}


def of_object(obj: bpy.types.Object, scene: bpy.types.Scene, part: str = "") -> list[Issue]:
    """The issues of an object in the report of Check, those that it ignores left out.

    Args:
        part: only those of one part.
    """
    report = reports.of_scene("CHECK", scene)
    found = [] if report is None else report.of_object(obj.session_uid)
    return [issue for issue in found if not part or part_of(obj, issue) == part]


def part_of(obj: bpy.types.Object, issue: Issue) -> str:
    """The part of an object whose panel an issue belongs to; empty for none that it has."""
    group = groups.of_object(obj)
    named = _FIELDS.get(issue.code, "").partition(".")[0]
    parts = (*((named,) if named else ()), *_PARTS.get(issue.code[:1], ()))
    return next((part for part in parts if getattr(group, f"use_{part}")), "")


def field_of(issue: Issue) -> str:
    """The field that an issue is about; empty where it is about more than one."""
    return _FIELDS.get(issue.code, "").partition(".")[2]
