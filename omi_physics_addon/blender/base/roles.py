"""The roles of objects in physics, with their words and icons, for lists and for selecting."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import bpy

from . import groups


@dataclass(frozen=True)
class Role:
    """One thing that an object can be.

    Attributes:
        has: whether a property group of an object makes it one.
    """

    label: str
    plural: str
    icon: str
    has: Callable[[Any], bool]


def _moves(kind: str) -> Callable[[Any], bool]:
    return lambda group: group.use_motion and group.motion.type == kind


def _uses(flag: str) -> Callable[[Any], bool]:
    return lambda group: getattr(group, flag)


# The most telling one first: it gives an object its icon.
ROLES: Final[dict[str, Role]] = {
    "VEHICLE": Role("Vehicle", "Vehicles", "AUTO", _uses("use_vehicle_body")),
    "STATIC": Role("Static Body", "Static Bodies", "PINNED", _moves("STATIC")),
    "KINEMATIC": Role("Kinematic Body", "Kinematic Bodies", "CON_FOLLOWPATH", _moves("KINEMATIC")),
    "DYNAMIC": Role("Dynamic Body", "Dynamic Bodies", "RIGID_BODY", _moves("DYNAMIC")),
    "JOINT": Role("Joint", "Joints", "RIGID_BODY_CONSTRAINT", _uses("use_joint")),
    "GRAVITY": Role("Gravity Volume", "Gravity Volumes", "FORCE_FORCE", _uses("use_gravity")),
    "WHEEL": Role("Wheel", "Wheels", "MESH_TORUS", _uses("use_wheel")),
    "THRUSTER": Role("Thruster", "Thrusters", "FORCE_WIND", _uses("use_thruster")),
    "HOVER_THRUSTER": Role(
        "Hover Thruster", "Hover Thrusters", "TRIA_UP_BAR", _uses("use_hover_thruster")
    ),
    "SEAT": Role("Seat", "Seats", "USER", _uses("use_seat")),
    "COLLIDER": Role("Collider", "Colliders", "MESH_CUBE", _uses("use_collider")),
    "TRIGGER": Role("Trigger", "Triggers", "SELECT_INTERSECT", _uses("use_trigger")),
    "COLLISION_ONLY": Role(
        "Collision-Only Mesh",
        "Collision-Only Meshes",
        "MOD_WIREFRAME",
        lambda group: group.is_collision_only and (group.use_collider or group.use_trigger),
    ),
}
# The flags of the parts that the roles stand for, in the order they are shown.
PARTS: Final[dict[str, tuple[str, str]]] = {
    "motion": ("Body", "RIGID_BODY"),
    "collider": ("Collider", "MESH_CUBE"),
    "trigger": ("Trigger", "SELECT_INTERSECT"),
    "joint": ("Joint", "RIGID_BODY_CONSTRAINT"),
    "gravity": ("Gravity", "FORCE_FORCE"),
    "vehicle_body": ("Vehicle", "AUTO"),
    "wheel": ("Wheel", "MESH_TORUS"),
    "thruster": ("Thruster", "FORCE_WIND"),
    "hover_thruster": ("Hover Thruster", "TRIA_UP_BAR"),
    "seat": ("Seat", "USER"),
}


def roles_of(obj: Any) -> tuple[str, ...]:
    """The roles of an object, the most telling first; nothing for an object without physics."""
    group = groups.read(obj)
    return tuple(name for name, role in ROLES.items() if role.has(group))


def having(objects: Iterable[Any], role: str) -> list[Any]:
    """The objects that have a role."""
    has = ROLES[role].has
    return [obj for obj in objects if has(groups.read(obj))]


def words(found: Iterable[str]) -> str:
    """The roles of an object as one line of text."""
    return ", ".join(ROLES[name].label for name in found)


def parts_of(obj: Any) -> list[str]:
    """The parts an object has, and those that are switched off and still have values."""
    if not groups.is_stored(obj):
        return []
    group = groups.read(obj)
    return [name for name in PARTS if getattr(group, f"use_{name}") or _is_set(group, name)]


def _is_set(group: Any, name: str) -> bool:
    """Whether a property has a value; Blender stores groups and lists that were only read."""
    prop = group.bl_rna.properties[name]
    # What is not saved shows another property.
    if name == "rna_type" or prop.is_skip_save or not group.is_property_set(name):
        return False
    value = getattr(group, name)
    if isinstance(value, bpy.types.PropertyGroup):
        return any(_is_set(value, prop.identifier) for prop in value.bl_rna.properties)
    if prop.type == "COLLECTION":
        return bool(len(value))
    return value is not None and value != ""  # Blender takes names of entries as always set.
