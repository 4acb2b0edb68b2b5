"""What can be set right with a click, by the code of the issue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...issue_codes import Code
from ..base import groups
from ..base.mesh_arrays import Points
from ..properties import names
from .gravity_forms import add_trigger


def _to_convex(obj: Any) -> bool:
    group = groups.of_object(obj)
    found = False
    for part in ("collider", "trigger"):
        shape = getattr(group, part).shape
        if getattr(group, f"use_{part}") and shape.type == "TRIMESH":
            shape.type = "CONVEX"
            found = True
    return found


def _trigger_to_convex(obj: Any) -> bool:
    shape = groups.of_object(obj).trigger.shape
    if shape.type != "TRIMESH":
        return False
    shape.type = "CONVEX"
    return True


def _automatic_inertia(obj: Any) -> bool:
    groups.of_object(obj).motion.inertia_mode = "SHAPES"
    return True


def _no_velocity(obj: Any) -> bool:
    motion = groups.of_object(obj).motion
    motion.property_unset("linear_velocity")
    motion.property_unset("angular_velocity")
    return True


def _make_dynamic(obj: Any) -> bool:
    group = groups.of_object(obj)
    group.use_motion, group.motion.type = True, "DYNAMIC"
    return True


def _add_trigger(obj: Any, points: Points) -> bool:
    """Add a trigger; one that was only switched off comes back as it was."""
    group = groups.of_object(obj)
    if group.is_property_set("trigger") and group.trigger.shape.type != "NONE":
        group.use_trigger = True
    else:
        add_trigger(obj, points, around=group.use_motion or group.use_collider)
    return True


def _no_filter(obj: Any) -> bool:
    groups.of_object(obj).trigger.property_unset("collision_filter")
    return True


def _stop(obj: Any) -> bool:
    groups.of_object(obj).gravity.stop = True
    return True


def _priority_zero(obj: Any) -> bool:
    groups.of_object(obj).gravity.priority = 0
    return True


def _any_speed(obj: Any) -> bool:
    groups.of_object(obj).vehicle_body.property_unset("max_speed")
    return True


def _no_activation(obj: Any) -> bool:
    body = groups.of_object(obj).vehicle_body
    body.property_unset("angular_activation")
    body.property_unset("linear_activation")
    return True


def _no_unknown_names(obj: Any) -> bool:
    """Clear the names that no list of a scene with the object has."""
    group = groups.of_object(obj)
    found = False
    for list_name, referrers in names.REFERRERS.items():
        known = {
            entry.name
            for scene in obj.users_scene
            for entry in getattr(groups.of_scene(scene), list_name)
        }
        for part, attribute in referrers:
            holder = getattr(group, part)
            if getattr(holder, attribute) not in known and getattr(holder, attribute):
                setattr(holder, attribute, "")
                found = True
    return found


def _kinematic(obj: Any) -> bool:
    groups.of_object(obj).motion.type = "KINEMATIC"
    return True


# Code → what the button says, and what it does to one object.
FIXES: Final[dict[str, tuple[str, Callable[..., bool]]]] = {
    Code.MOMENT_TOO_LARGE: ("Take Inertia from Shapes", _automatic_inertia),
    Code.STATIC_BODY_VELOCITY: ("Clear Velocity", _no_velocity),
    Code.DYNAMIC_BODY_ANIMATED: ("Make Kinematic", _kinematic),
    Code.VEHICLE_WITHOUT_BODY: ("Make a Dynamic Body", _make_dynamic),
    Code.VEHICLE_NOT_DYNAMIC: ("Make Dynamic", _make_dynamic),
    Code.ACTIVATION_AT_START: ("Clear Activation", _no_activation),
    Code.VEHICLE_MAX_SPEED_ZERO: ("Allow Any Speed", _any_speed),
    Code.TRIMESH_ON_DYNAMIC_BODY: ("Make Convex", _to_convex),
    Code.TRIMESH_TRIGGER: ("Make Convex", _trigger_to_convex),
    Code.TRIMESH_ON_KINEMATIC_BODY: ("Make Convex", _to_convex),
    Code.COMPOUND_TRIGGER_FILTER: ("Remove Filter", _no_filter),
    Code.GRAVITY_WITHOUT_TRIGGER: ("Add Trigger", _add_trigger),
    Code.GRAVITY_STOP_BELOW_WORLD: ("Set Priority to 0", _priority_zero),
    Code.GRAVITY_ZERO: ("Stop Other Gravity", _stop),
    Code.NAME_NOT_IN_LIST: ("Clear Unknown Names", _no_unknown_names),
}
BY_FORM: Final = frozenset(
    {Code.GRAVITY_WITHOUT_TRIGGER}
)  # Those that want the points of the object, too.
