# pyright: reportInvalidTypeForm=false
"""What the operators that make parts of physics ask for."""

import math
from typing import Any

import bpy

from .declare import use_of
from .gravity import TYPES

GRAVITIES = tuple(item for item in TYPES if item[0] != "OTHER")

# Identifier, label, tooltip, icon; what the Add menu offers beside the kinds of gravity.
NEW_OBJECTS = (
    ("BODY", "Dynamic Body", "A cube with a dynamic body", "RIGID_BODY"),
    ("COLLIDER", "Static Collider", "A cube with a static body", "MESH_CUBE"),
    ("TRIGGER", "Trigger", "A box-shaped trigger that detects bodies", "SELECT_INTERSECT"),
    ("JOINT", "Joint", "A joint between two bodies", "RIGID_BODY_CONSTRAINT"),
    ("VEHICLE", "Vehicle", "A body that drives or flies; its front is -Y", "AUTO"),
    ("WHEEL", "Wheel", "A wheel of a vehicle", "MESH_TORUS"),
    ("THRUSTER", "Thruster", "A thruster that pushes along -Y", "FORCE_WIND"),
    (
        "HOVER_THRUSTER",
        "Hover Thruster",
        "A hover thruster, whose force decreases with height",
        "TRIA_UP_BAR",
    ),
    ("SEAT", "Seat", "A seat for a character", "USER"),
)
NEW_TEXTS = {
    **{word: text for word, _, text, _ in NEW_OBJECTS},
    **{f"{item[0]}_GRAVITY": f"{item[2]}, inside a trigger" for item in GRAVITIES},
}


class ComputedValue:
    """What a body takes from its shapes."""

    what: bpy.props.EnumProperty(
        name="Value",
        description="Values to compute from the shapes",
        items=(
            ("ALL", "All", "Mass, center of mass and inertia"),
            ("MASS", "Mass", "The volume of the shapes times the density"),
            ("CENTER", "Center of Mass", "The combined center of the shapes"),
            ("INERTIA", "Inertia", "The moments of the shapes for the mass of the body"),
        ),
        default="ALL",
    )


class GravityType:
    """Which kind of gravity."""

    type: bpy.props.EnumProperty(
        name="Type",
        description="Direction in which gravity pulls",
        items=GRAVITIES,
        default="DIRECTIONAL",
    )


class VehicleMass:
    """How heavy a vehicle is that was no body."""

    mass: bpy.props.FloatProperty(
        name="Mass",
        description="Mass of new bodies; zero estimates the mass from the size",
        min=0.0,
        unit="MASS",
        options={"SKIP_SAVE"},
    )


class HoverHeight:
    """How high hover thrusters lift."""

    height: bpy.props.FloatProperty(
        name="Height",
        description="Height above the ground at which half of the energy carries the vehicle",
        default=1.0,
        min=0.001,
        soft_max=100.0,
        unit="LENGTH",
    )


class CharacterSize:
    """How large the character is that sits."""

    size: bpy.props.FloatProperty(
        name="Size",
        description="Size of the character; 1 is an adult of average size",
        default=1.0,
        min=0.01,
        soft_max=10.0,
    )


def _chassis_collider() -> Any:
    return bpy.props.BoolProperty(
        name="Collider",
        description="Fit the simplest collider to the chassis if no shape is on it or below it",
        default=True,
    )


def _front(label: str, text: str) -> Any:
    """The axis that points forward; label and text are of the one that is found."""
    sides = ((side, side, f"The {side} axis of the chassis") for side in ("-Y", "+Y", "-X", "+X"))
    return bpy.props.EnumProperty(
        name="Front",
        description=(
            "Axis of the chassis that points forward. If it is not -Y, the front in glTF, a "
            "rotated parent empty becomes the vehicle"
        ),
        items=(("AUTO", label, text), *sides),
        default="AUTO",
    )


class WheelRoles:
    """Which wheels drive and steer, and what the chassis gets."""

    drive: bpy.props.EnumProperty(
        name="Drive",
        description="Which wheels the motor turns",
        items=(
            ("FRONT", "Front", "Wheels in front of the vehicle's center"),
            ("REAR", "Rear", "Wheels behind the vehicle's center"),
            ("ALL", "All", "Every wheel"),
        ),
        default="REAR",
    )
    steering: bpy.props.FloatProperty(
        name="Steering",
        description="Maximum steering angle of the front wheels",
        default=math.radians(35.0),
        min=0.0,
        max=math.radians(90.0),
        subtype="ANGLE",
    )
    use_collider: _chassis_collider()


class VehicleStand:
    """Whether new wheels go where their vehicle rests on them as it is modeled."""

    use_stand: bpy.props.BoolProperty(
        name="Keep Ride Height",
        description=(
            "Raise new wheels so the vehicle keeps its height when the springs compress. "
            "When off, the vehicle rises in the preview"
        ),
        default=True,
    )


class VehicleFront:
    """Where a vehicle drives to."""

    front: _front("From Axles", "-Y, or +X if the wheels rotate about the Y axis")


# Identifier, label, tooltip.
VEHICLE_KINDS = (
    ("AUTO", "Automatic", "A motorcycle, car or truck, by the number of wheels and the length"),
    ("CAR", "Car", "Rear wheels drive, front wheels steer"),
    ("TRUCK", "Truck", "Like a car, but heavier and slower"),
    ("MOTORCYCLE", "Motorcycle", "Two wheels, and a gyroscope that keeps the vehicle upright"),
    ("HOVERCRAFT", "Hovercraft", "Four hover thrusters below, thrusters at the rear and the front"),
    ("ROCKET", "Rocket", "A thruster at the tail, controlled by a throttle"),
    ("SPACESHIP", "Spaceship", "Thrusters in all six directions, and a gyroscope for rotation"),
)


class RiggedVehicle(VehicleStand, VehicleMass):
    """What a vehicle is made to be, and where it looks."""

    kind: bpy.props.EnumProperty(
        name="Kind", description="Type of the vehicle", items=VEHICLE_KINDS, default="AUTO"
    )
    front: _front(
        "Automatic",
        "Detect the front by names, steering wheel, spare wheel, and wheel positions and sizes; "
        "if unclear -Y, or +X if wheels rotate about Y",
    )
    use_collider: _chassis_collider()
    use_separate: bpy.props.BoolProperty(
        name="Separate Wheels",
        description="Give each wheel that is joined with others into one mesh an object of its own",
        options={"SKIP_SAVE"},
    )


class RagdollChoices:
    """How heavy a ragdoll is, and what becomes of its bones."""

    mass: bpy.props.FloatProperty(
        name="Mass", description="Total mass of all bodies", min=0.0, unit="MASS"
    )
    use_mass: use_of("mass", "Set the total mass of all bodies; if off, the density does", 75.0)
    density: bpy.props.FloatProperty(
        name="Density",
        description="Mass per volume if no mass is set; people have about the density of water",
        default=1000.0,
        min=0.001,
        soft_max=10000.0,
    )
    smallest: bpy.props.FloatProperty(
        name="Smallest Bone",
        description=(
            "Merge bones below this share of the figure's size into the parent bone's body; "
            "arms, legs, hands, feet and heads keep their own"
        ),
        default=0.07,
        min=0.0,
        max=0.5,
        subtype="FACTOR",
    )
    use_limits: bpy.props.BoolProperty(
        name="Limits",
        description=(
            "Limit joints like those of people, by bone names; when off, joints rotate freely"
        ),
        default=True,
    )
    steady: bpy.props.BoolProperty(
        name="Stabilize",
        description=(
            "Increase the inertia of parts, especially light ones, so joints stay stable "
            "when something heavy lands on them"
        ),
        default=True,
    )


def _forget_turn(operator: Any, _context: bpy.types.Context) -> None:
    """Take back the rotation of the view or the cursor."""
    if operator.align == "WORLD":
        operator.rotation = (0.0, 0.0, 0.0)


class Placement:
    """Where a new object goes, as Blender's own Add operators ask."""

    align: bpy.props.EnumProperty(
        name="Align",
        description="Rotation of the new object",
        items=(
            ("WORLD", "World", "Align with the world, or with the vehicle the object is added to"),
            ("VIEW", "View", "Align with the viewport"),
            ("CURSOR", "3D Cursor", "Align with the 3D cursor"),
        ),
        update=_forget_turn,
        options={"SKIP_SAVE"},
    )
    location: bpy.props.FloatVectorProperty(
        name="Location",
        description="Location of the new object",
        subtype="TRANSLATION",
        unit="LENGTH",
        options={"SKIP_SAVE"},
    )
    rotation: bpy.props.FloatVectorProperty(
        name="Rotation",
        description="Rotation of the new object",
        subtype="EULER",
        unit="ROTATION",
        options={"SKIP_SAVE"},
    )


class NewObject(Placement):
    """Which new object."""

    kind: bpy.props.EnumProperty(
        name="Kind",
        description="Kind of the new object",
        items=(
            *((word, label, text) for word, label, text, _ in NEW_OBJECTS),
            *((f"{item[0]}_GRAVITY", f"{item[1]} Gravity", item[2]) for item in GRAVITIES),
        ),
        default="BODY",
    )
    factor: bpy.props.FloatProperty(
        name="Size",
        description="Size of the new object; 1 is the default size",
        default=1.0,
        min=0.001,
        soft_max=100.0,
        options={"SKIP_SAVE"},
    )
    use_vehicle: bpy.props.BoolProperty(
        name="Parent to Vehicle",
        description=(
            "Parent the new object to the active vehicle, or to the vehicle above the active object"
        ),
        default=True,
    )


class PresetKind:
    """What a preset is of."""

    kind: bpy.props.EnumProperty(
        name="Preset Of",
        description="Kind of preset",
        items=(
            ("MATERIAL", "Physics Material", "Friction and bounce of a physics material"),
            ("BODY", "Body", "The mass and the motion of a body"),
            ("WHEEL", "Wheel", "The settings of a wheel"),
            ("VEHICLE", "Vehicle", "The settings of a vehicle"),
            ("FIT", "Fit", "The options of fits"),
            ("OVERLAY", "Overlay", "What the overlay shows"),
        ),
        default="MATERIAL",
    )
