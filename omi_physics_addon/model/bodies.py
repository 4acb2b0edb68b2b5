"""Bodies, colliders, triggers, and the materials and filters they share.

Source: OMI_physics_body, KHR_physics_rigid_bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from ..issue_codes import Code
from .fields import (
    Carried,
    Field,
    FilterIndex,
    MaterialIndex,
    NodeIndex,
    Quantity,
    Quaternion,
    ShapeIndex,
    Vector3,
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

    type: Annotated[
        MotionType,
        Field(
            "Static bodies do not move, animation or code moves kinematic ones, the "
            "simulation moves dynamic ones",
            rule=Code.MOTION_TYPE_UNKNOWN,
        ),
    ] = "dynamic"
    mass: Annotated[
        float | None, Field("Mass of the body", "kg", minimum=0.0, rule=Code.MASS_NEGATIVE)
    ] = None
    center_of_mass: Annotated[
        Vector3 | None,
        Field(
            "Center of mass in local space",
            "m",
            Quantity.VECTOR,
            rule=Code.ARRAY_LENGTH_WRONG,
        ),
    ] = None
    inertia_diagonal: Annotated[
        Vector3 | None,
        Field(
            "Moments of inertia about the principal axes",
            "kg m²",
            Quantity.EXTENT,
            minimum=0.0,
            rule=Code.MOMENT_NEGATIVE,
        ),
    ] = None
    inertia_orientation: Annotated[
        Quaternion,
        Field(
            "Rotation of the principal axes", "", Quantity.ROTATION, rule=Code.ORIENTATION_NOT_UNIT
        ),
    ] = IDENTITY
    linear_velocity: Annotated[
        Vector3,
        Field("Velocity at the start", "m/s", Quantity.VECTOR, rule=Code.ARRAY_LENGTH_WRONG),
    ] = ZERO
    angular_velocity: Annotated[
        Vector3,
        Field(
            "Rotation per second at the start",
            "rad/s",
            Quantity.VECTOR,
            rule=Code.ARRAY_LENGTH_WRONG,
        ),
    ] = ZERO
    gravity_factor: Annotated[
        float, Field("Multiplies gravity; negative values make the body rise")
    ] = 1.0
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Collider:
    """What other bodies bump into. Source: OMI_physics_body, `collider`.

    Without a shape it groups the colliders below it.
    """

    shape: Annotated[ShapeIndex | None, Field("Shape of the collider")] = None
    physics_material: Annotated[
        MaterialIndex | None, Field("Friction and bounce of the surface")
    ] = None
    collision_filter: Annotated[FilterIndex | None, Field("Collision filter of the collider")] = (
        None
    )
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Trigger:
    """A volume that notices bodies. Source: OMI_physics_body, `trigger`.

    `nodes` make a compound of the triggers below. With neither shape nor nodes every trigger
    below belongs to it, as files of 2023 and those of Godot say it.
    """

    shape: Annotated[ShapeIndex | None, Field("Shape of the trigger")] = None
    nodes: Annotated[
        tuple[NodeIndex, ...],
        Field("Child triggers that form this compound trigger", rule=Code.TRIGGER_NODES_INVALID),
    ] = ()
    collision_filter: Annotated[FilterIndex | None, Field("Collision filter of the trigger")] = None
    carried: Carried = ""


ShapeUser = Collider | Trigger
SHAPE_USERS: Final = ("collider", "trigger")  # The attributes of a node that hold them.


@dataclass(frozen=True, kw_only=True)
class PhysicsMaterial:
    """Friction and bounce of a surface. Source: OMI_physics_body, `physicsMaterials[]`."""

    static_friction: Annotated[
        float,
        Field(
            "Friction while at rest, usually up to 1", minimum=0.0, rule=Code.SURFACE_VALUE_NEGATIVE
        ),
    ] = 0.6
    dynamic_friction: Annotated[
        float,
        Field(
            "Friction while sliding; engines with one friction take this one",
            minimum=0.0,
            rule=Code.SURFACE_VALUE_NEGATIVE,
        ),
    ] = 0.6
    restitution: Annotated[
        float,
        Field(
            "Bounciness: ratio of the speed after a bounce to the speed before",
            minimum=0.0,
            rule=Code.SURFACE_VALUE_NEGATIVE,
        ),
    ] = 0.0
    friction_combine: Annotated[
        CombineMode,
        Field("How the frictions of two surfaces are combined", rule=Code.COMBINE_MODE_UNKNOWN),
    ] = "average"
    restitution_combine: Annotated[
        CombineMode,
        Field("How the restitutions of two surfaces are combined", rule=Code.COMBINE_MODE_UNKNOWN),
    ] = "average"
    name: Annotated[str, Field("Name of the material")] = ""
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class CollisionFilter:
    """Which systems meet. Source: OMI_physics_body, `collisionFilters[]`."""

    collision_systems: Annotated[
        tuple[str, ...], Field("Names of the systems the object is part of")
    ] = ()
    collide_with_systems: Annotated[
        tuple[str, ...], Field("Systems to collide with; empty for all")
    ] = ()
    not_collide_with_systems: Annotated[tuple[str, ...], Field("Systems not to collide with")] = ()
    name: Annotated[str, Field("Name of the filter")] = ""
    carried: Carried = ""
