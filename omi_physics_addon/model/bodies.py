"""Bodies, colliders, triggers, and the materials and filters they share.

Source: OMI_physics_body, KHR_physics_rigid_bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from ..issue_codes import Code
from .fields import (
    Carried,
    FilterIndex,
    MaterialIndex,
    NodeIndex,
    Quantity,
    Quaternion,
    ShapeIndex,
    Vector3,
    described,
)

MotionType = Literal["static", "kinematic", "dynamic"]
CombineMode = Literal["average", "minimum", "maximum", "multiply"]

ZERO: Final[Vector3] = (0.0, 0.0, 0.0)
IDENTITY: Final[Quaternion] = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class Motion:
    """How a body moves. Source: OMI_physics_body, `motion`.

    A mass, center or inertia of None is left to the engine.
    """

    type: MotionType = described(
        "dynamic",
        "Static bodies do not move, animation or code moves kinematic ones, the "
        "simulation moves dynamic ones",
        rule=Code.MOTION_TYPE_UNKNOWN,
    )
    mass: float | None = described(
        None, "Mass of the body", "kg", minimum=0.0, rule=Code.MASS_NEGATIVE
    )
    center_of_mass: Vector3 | None = described(
        None, "Center of mass in local space", "m", Quantity.VECTOR, rule=Code.ARRAY_LENGTH_WRONG
    )
    inertia_diagonal: Vector3 | None = described(
        None,
        "Moments of inertia about the principal axes",
        "kg m²",
        Quantity.EXTENT,
        minimum=0.0,
        rule=Code.MOMENT_NEGATIVE,
    )
    inertia_orientation: Quaternion = described(
        IDENTITY,
        "Rotation of the principal axes",
        "",
        Quantity.ROTATION,
        rule=Code.ORIENTATION_NOT_UNIT,
    )
    linear_velocity: Vector3 = described(
        ZERO, "Velocity at the start", "m/s", Quantity.VECTOR, rule=Code.ARRAY_LENGTH_WRONG
    )
    angular_velocity: Vector3 = described(
        ZERO,
        "Rotation per second at the start",
        "rad/s",
        Quantity.VECTOR,
        rule=Code.ARRAY_LENGTH_WRONG,
    )
    gravity_factor: float = described(1.0, "Multiplies gravity; negative values make the body rise")
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Collider:
    """What other bodies bump into. Source: OMI_physics_body, `collider`.

    Without a shape it groups the colliders below it.
    """

    shape: ShapeIndex | None = described(None, "Shape of the collider")
    physics_material: MaterialIndex | None = described(None, "Friction and bounce of the surface")
    collision_filter: FilterIndex | None = described(None, "Collision filter of the collider")
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Trigger:
    """A volume that notices bodies. Source: OMI_physics_body, `trigger`.

    `nodes` make a compound of the triggers below. With neither shape nor nodes every trigger
    below belongs to it, as files of 2023 and those of Godot say it.
    """

    shape: ShapeIndex | None = described(None, "Shape of the trigger")
    nodes: tuple[NodeIndex, ...] = described(
        (), "Child triggers that form this compound trigger", rule=Code.TRIGGER_NODES_INVALID
    )
    collision_filter: FilterIndex | None = described(None, "Collision filter of the trigger")
    carried: Carried = ""


ShapeUser = Collider | Trigger
SHAPE_USERS: Final = ("collider", "trigger")  # The attributes of a node that hold them.


@dataclass(frozen=True, kw_only=True)
class PhysicsMaterial:
    """Friction and bounce of a surface. Source: OMI_physics_body, `physicsMaterials[]`."""

    static_friction: float = described(
        0.6,
        "Friction while at rest, usually up to 1",
        minimum=0.0,
        rule=Code.SURFACE_VALUE_NEGATIVE,
    )
    dynamic_friction: float = described(
        0.6,
        "Friction while sliding; engines with one friction take this one",
        minimum=0.0,
        rule=Code.SURFACE_VALUE_NEGATIVE,
    )
    restitution: float = described(
        0.0,
        "Bounciness: ratio of the speed after a bounce to the speed before",
        minimum=0.0,
        rule=Code.SURFACE_VALUE_NEGATIVE,
    )
    friction_combine: CombineMode = described(
        "average", "How the frictions of two surfaces are combined", rule=Code.COMBINE_MODE_UNKNOWN
    )
    restitution_combine: CombineMode = described(
        "average",
        "How the restitutions of two surfaces are combined",
        rule=Code.COMBINE_MODE_UNKNOWN,
    )
    name: str = described("", "Name of the material")
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class CollisionFilter:
    """Which systems meet. Source: OMI_physics_body, `collisionFilters[]`."""

    collision_systems: tuple[str, ...] = described((), "Names of the systems the object is part of")
    collide_with_systems: tuple[str, ...] = described((), "Systems to collide with; empty for all")
    not_collide_with_systems: tuple[str, ...] = described((), "Systems not to collide with")
    name: str = described("", "Name of the filter")
    carried: Carried = ""
