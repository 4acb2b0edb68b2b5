# pyright: reportInvalidTypeForm=false
"""What the operators that make parts of physics ask for."""

import math
from typing import Any

import bpy

from .declare import tick
from .gravity import TYPES

GRAVITIES = tuple(item for item in TYPES if item[0] != "OTHER")

# Identifier, label, tooltip, icon; what the Add menu offers beside the kinds of gravity.
NEW_OBJECTS = (
    ("BODY", "Dynamic Body", "A cube that is moved by the simulation", "RIGID_BODY"),
    ("COLLIDER", "Static Collider", "A cube that stays where it is", "MESH_CUBE"),
    ("TRIGGER", "Trigger", "A box that notices bodies", "SELECT_INTERSECT"),
    ("JOINT", "Joint", "A place where bodies hold together", "RIGID_BODY_CONSTRAINT"),
    ("VEHICLE", "Vehicle", "A body that drives or flies; its front is -Y", "AUTO"),
    ("WHEEL", "Wheel", "A wheel of a vehicle", "MESH_TORUS"),
    ("THRUSTER", "Thruster", "A push along -Y of the object", "FORCE_WIND"),
    ("HOVER_THRUSTER", "Hover Thruster", "A lift that gets weaker with the height", "TRIA_UP_BAR"),
    ("SEAT", "Seat", "A place where a character sits", "USER"),
)
NEW_TEXTS = {
    **{word: text for word, _, text, _ in NEW_OBJECTS},
    **{f"{item[0]}_GRAVITY": f"{item[2]}, inside a trigger" for item in GRAVITIES},
}


class ComputedValue:
    """What a body takes from its shapes."""

    what: bpy.props.EnumProperty(
        name="Value",
        description="What the bodies take from their shapes",
        items=(
            ("ALL", "All", "Mass, center of mass and inertia"),
            ("MASS", "Mass", "The volume of the shapes times the density"),
            ("CENTER", "Center of Mass", "The common center of the shapes"),
            ("INERTIA", "Inertia", "The moments of the shapes for the mass of the body"),
        ),
        default="ALL",
    )


class GravityType:
    """Which kind of gravity."""

    type: bpy.props.EnumProperty(
        name="Type", description="Where things fall", items=GRAVITIES, default="DIRECTIONAL"
    )


class VehicleMass:
    """How heavy a vehicle is that was no body."""

    mass: bpy.props.FloatProperty(
        name="Mass",
        description="Mass of those that become bodies; zero guesses it from their size",
        min=0.0,
        unit="MASS",
        options={"SKIP_SAVE"},
    )


class HoverHeight:
    """How high hover thrusters lift."""

    height: bpy.props.FloatProperty(
        name="Height",
        description="Height above the ground that half of the energy keeps the vehicle at",
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


class WheelRoles:
    """Which wheels drive and steer, and what the chassis gets."""

    drive: bpy.props.EnumProperty(
        name="Drive",
        description="Which wheels the motor turns",
        items=(
            ("FRONT", "Front", "Those before the middle of the vehicle"),
            ("REAR", "Rear", "Those behind the middle of the vehicle"),
            ("ALL", "All", "Every wheel"),
        ),
        default="REAR",
    )
    steering: bpy.props.FloatProperty(
        name="Steering",
        description="Largest angle that the front wheels steer",
        default=math.radians(35.0),
        min=0.0,
        max=math.radians(90.0),
        subtype="ANGLE",
    )
    use_collider: bpy.props.BoolProperty(
        name="Collider",
        description="Fit the simplest collider to the chassis where it has no shape yet, on it or "
        "below it",
        default=True,
    )


_SIDES = tuple((side, side, f"The {side} axis of the chassis") for side in ("-Y", "+Y", "-X", "+X"))


class VehicleStand:
    """Whether new wheels go where their vehicle rests on them as it is modeled."""

    use_stand: bpy.props.BoolProperty(
        name="Keep Ride Height",
        description="Put new wheels so high that under its weight the vehicle stands where it is "
        "now: springs press wheels down from where they are. Otherwise wheels stay, and the "
        "vehicle rises when it is played",
        default=True,
    )


class VehicleFront:
    """Where a vehicle drives to."""

    front: bpy.props.EnumProperty(
        name="Front",
        description="Axis of the chassis that points to where it drives. Where that is not -Y, the "
        "front of vehicles in glTF, a turned empty above the chassis becomes the vehicle",
        items=(
            ("AUTO", "From Axles", "-Y, or +X where the wheels are round about the Y axis"),
            *_SIDES,
        ),
        default="AUTO",
    )


# Identifier, label, tooltip.
VEHICLE_KINDS = (
    ("AUTO", "Automatic", "A motorcycle, car or truck, by the number of wheels and the length"),
    ("CAR", "Car", "Rear wheels drive, front wheels steer"),
    ("TRUCK", "Truck", "As a car, heavier and slower"),
    ("MOTORCYCLE", "Motorcycle", "Two wheels, and a gyroscope that holds it upright"),
    ("HOVERCRAFT", "Hovercraft", "Four hover thrusters below, thrusters at the rear and the front"),
    ("ROCKET", "Rocket", "A thruster at the tail that a throttle sets; its nose is its front"),
    ("SPACESHIP", "Spaceship", "Thrusters to all six sides, and a gyroscope that turns it"),
)


class RiggedVehicle(VehicleStand, VehicleMass):
    """What a vehicle is made to be, and where it looks."""

    kind: bpy.props.EnumProperty(
        name="Kind", description="What the vehicle is", items=VEHICLE_KINDS, default="AUTO"
    )
    front: bpy.props.EnumProperty(
        name="Front",
        description="Axis of the chassis that points to where it drives. Where that is not -Y, the "
        "front of vehicles in glTF, a turned empty above the chassis becomes the vehicle",
        items=(
            (
                "AUTO",
                "Found",
                "What names, a steering wheel, a spare wheel, the places and the sizes of wheels "
                "tell; -Y where they tell nothing, or +X where the wheels turn about the Y axis",
            ),
            *_SIDES,
        ),
        default="AUTO",
    )
    use_collider: bpy.props.BoolProperty(
        name="Collider",
        description="Fit the simplest collider to the chassis where it has no shape yet, on it or "
        "below it",
        default=True,
    )
    use_separate: bpy.props.BoolProperty(
        name="Separate Wheels",
        description="Give each wheel that is joined with others into one mesh an object of its own",
        options={"SKIP_SAVE"},
    )


class RagdollChoices:
    """How heavy a ragdoll is, and what becomes of its bones."""

    mass: bpy.props.FloatProperty(
        name="Mass",
        description="Mass of all bodies together",
        min=0.0,
        unit="MASS",
    )
    use_mass: tick("mass", "Give the mass of all bodies together; otherwise the density does", 75.0)
    density: bpy.props.FloatProperty(
        name="Density",
        description="Mass of a cubic meter, where no mass is given; people have that of water",
        default=1000.0,
        min=0.001,
        soft_max=10000.0,
    )
    smallest: bpy.props.FloatProperty(
        name="Smallest Bone",
        description="Bones that are smaller, in parts of the size of the figure, belong to the "
        "body of the bone above them; arms, legs, hands, feet and heads stay",
        default=0.07,
        min=0.0,
        max=0.5,
        subtype="FACTOR",
    )
    use_limits: bpy.props.BoolProperty(
        name="Limits",
        description="Bend as people do, by the names of the bones; else joints turn freely",
        default=True,
    )
    steady: bpy.props.BoolProperty(
        name="Stabilize",
        description="Make all parts harder to turn than their shapes are, above all light ones, so "
        "that engines hold their joints where something heavy lands on them",
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
        description="How the new object is turned",
        items=(
            ("WORLD", "World", "As the world, or as the vehicle it becomes a part of"),
            ("VIEW", "View", "As the viewport"),
            ("CURSOR", "3D Cursor", "As the 3D cursor"),
        ),
        update=_forget_turn,
        options={"SKIP_SAVE"},
    )
    location: bpy.props.FloatVectorProperty(
        name="Location",
        description="Where the new object is",
        subtype="TRANSLATION",
        unit="LENGTH",
        options={"SKIP_SAVE"},
    )
    rotation: bpy.props.FloatVectorProperty(
        name="Rotation",
        description="How the new object is turned",
        subtype="EULER",
        unit="ROTATION",
        options={"SKIP_SAVE"},
    )


class NewObject(Placement):
    """Which new object."""

    kind: bpy.props.EnumProperty(
        name="Kind",
        description="What the new object is",
        items=(
            *((word, label, text) for word, label, text, _ in NEW_OBJECTS),
            *((f"{item[0]}_GRAVITY", f"{item[1]} Gravity", item[2]) for item in GRAVITIES),
        ),
        default="BODY",
    )
    factor: bpy.props.FloatProperty(
        name="Size",
        description="How large it is; 1 is the usual size of such an object",
        default=1.0,
        min=0.001,
        soft_max=100.0,
        options={"SKIP_SAVE"},
    )
    use_vehicle: bpy.props.BoolProperty(
        name="Parent to Vehicle",
        description="Make it a part of the vehicle that is active, or above the active object",
        default=True,
    )


class PresetKind:
    """What a preset is of."""

    kind: bpy.props.EnumProperty(
        name="Preset Of",
        description="What the preset is of",
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
