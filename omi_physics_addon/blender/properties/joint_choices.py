# pyright: reportInvalidTypeForm=false
"""What the operators of joints ask for: their properties, shown after they ran."""

import math

import bpy

from ...model.joints import JointDrive, JointLimit
from .bodies import MOTION_TYPES
from .declare import number
from .joints import AXES, MODES

KINDS = (
    ("FIXED", "Fixed", "Locks both bodies together", "LOCKED", 0),
    ("BALL", "Ball", "Rotates freely about one point", "PIVOT_BOUNDBOX", 1),
    ("HINGE", "Hinge", "Rotates about one axis, like a door", "DRIVER_ROTATIONAL_DIFFERENCE", 2),
    ("SLIDER", "Slider", "Slides along one axis, like a drawer", "DRIVER_DISTANCE", 3),
    (
        "PISTON",
        "Piston",
        "Slides along one axis and rotates about that axis",
        "EMPTY_SINGLE_ARROW",
        4,
    ),
    (
        "ROPE",
        "Rope",
        "Keeps both ends within a distance; OMI engines limit each axis, so the allowed "
        "space is a box instead of a sphere",
        "TRACKING",
        5,
    ),
    ("CONE_TWIST", "Cone-Twist", "Swings in a cone and twists, like a shoulder", "MESH_CONE", 6),
    ("SIX_DOF", "6-DOF", "Separate limits for each axis", "EMPTY_ARROWS", 7),
    ("SERVO", "Servo", "A spring that pulls toward a position or angle", "PREFERENCES", 8),
    ("MOTOR", "Motor", "A motor that keeps a speed", "FORCE_MAGNETIC", 9),
)


class JointPreset:
    """Which kind of joint, and what is open about it."""

    kind: bpy.props.EnumProperty(
        name="Joint", description="Kind of joint", items=KINDS, default="HINGE"
    )
    axis: bpy.props.EnumProperty(
        name="Axis",
        description="Axis of the joint object for rotation and sliding",
        items=AXES,
        default="Z",
    )
    use_range: bpy.props.BoolProperty(
        name="Limit Way", description="Limit the distance along the axis"
    )
    min_distance: bpy.props.FloatProperty(
        name="Min", description="Minimum distance along the axis", unit="LENGTH", default=0.0
    )
    max_distance: bpy.props.FloatProperty(
        name="Max", description="Maximum distance along the axis", unit="LENGTH", default=0.5
    )
    use_turn: bpy.props.BoolProperty(
        name="Limit Turn", description="Limit the angle about the axis"
    )
    min_angle: bpy.props.FloatProperty(
        name="Min",
        description="Minimum angle about the axis",
        unit="ROTATION",
        default=-math.pi / 2.0,
    )
    max_angle: bpy.props.FloatProperty(
        name="Max",
        description="Maximum angle about the axis",
        unit="ROTATION",
        default=math.pi / 2.0,
    )
    length: bpy.props.FloatProperty(
        name="Length",
        description="Maximum distance between both ends",
        unit="LENGTH",
        default=1.0,
        min=1e-4,
    )
    min_length: bpy.props.FloatProperty(
        name="Min Length",
        description="Minimum distance between both ends",
        unit="LENGTH",
        default=0.0,
        min=0.0,
    )
    swing: bpy.props.FloatProperty(
        name="Swing",
        description="Maximum angle of the axis to each side",
        unit="ROTATION",
        default=math.pi / 4.0,
        min=1e-4,
        max=math.pi,
    )
    reach: bpy.props.FloatProperty(
        name="Reach",
        description="Maximum distance to each side along each axis",
        unit="LENGTH",
        default=0.0,
        min=0.0,
    )
    tilt: bpy.props.FloatProperty(
        name="Tilt",
        description="Maximum angle to each side about each axis",
        unit="ROTATION",
        default=math.pi / 6.0,
        min=0.0,
    )
    is_soft: bpy.props.BoolProperty(
        name="Soft", description="Use a spring at the limits instead of a hard stop"
    )
    stiffness: number(JointLimit, "stiffness", default=100.0)
    damping: number(JointLimit, "damping", default=20.0)  # Critical for 1 kg on that spring.
    drive_type: bpy.props.EnumProperty(
        name="Drive",
        description="Motion of the drive",
        items=(
            ("ANGULAR", "Turns", "Make the joint a hinge that the drive rotates"),
            ("LINEAR", "Pushes", "Make the joint a slider that the drive pushes"),
        ),
    )
    drive_mode: bpy.props.EnumProperty(
        name="Mode", description="How stiffness and damping of the drive are scaled", items=MODES
    )
    target_angle: bpy.props.FloatProperty(
        name="Target", description="Rest position of the spring", unit="ROTATION", default=0.0
    )
    target_distance: bpy.props.FloatProperty(
        name="Target", description="Rest position of the spring", unit="LENGTH", default=0.0
    )
    speed_angle: bpy.props.FloatProperty(
        name="Speed", description="Speed of the motor", unit="ROTATION", default=math.pi
    )
    speed_distance: bpy.props.FloatProperty(
        name="Speed", description="Speed of the motor", unit="VELOCITY", default=1.0
    )
    drive_stiffness: number(JointDrive, "stiffness", default=100.0, label="Strength")
    drive_damping: number(JointDrive, "damping", default=10.0, label="Drive Damping")
    use_max_force: bpy.props.BoolProperty(
        name="Max Force", description="Limit the force of the drive"
    )
    max_force: number(JointDrive, "max_force", default=100.0)


class ChainLink(JointPreset):
    """Which kind of joint holds the links of a chain."""

    kind: bpy.props.EnumProperty(
        name="Joint", description="Kind of joint", items=KINDS, default="BALL"
    )


for _preset in (JointPreset, ChainLink):
    for _each in _preset.__annotations__.values():
        # What a joint is, and not how a tool works: the next one starts from the defaults.
        _each.keywords["options"] = {"SKIP_SAVE"}


class SettingsTarget:
    """Whether settings that are there change."""

    make_new: bpy.props.BoolProperty(
        name="New Settings",
        description=(
            "Create new joint settings instead of changing the current ones, which other "
            "joints may share"
        ),
    )


class JointPlace:
    """Where a new joint sits, and how it is turned."""

    pivot: bpy.props.EnumProperty(
        name="Pivot",
        description="Where to place the joint",
        items=(
            (
                "AUTO",
                "Automatic",
                "At the selection in Edit Mode, at the long edge of a lid, or where both meet",
            ),
            ("MIDPOINT", "Midpoint", "Between the origins of both objects"),
            ("ACTIVE", "Active", "At the origin of the active object"),
            ("SELECTED", "Selected", "At the origin of each selected object"),
            ("CURSOR", "3D Cursor", "At the 3D cursor"),
            (
                "ELEMENTS",
                "Faces or Edges",
                "At the selection in Edit Mode: an edge or edge ring sets the axis; a loop "
                "or face sets the axis to its normal",
            ),
        ),
        default="AUTO",
    )
    orientation: bpy.props.EnumProperty(
        name="Orientation",
        description="Orientation of the joint; edges and faces align the axis with their own",
        items=(
            ("GLOBAL", "Global", "Align with the world axes"),
            ("ACTIVE", "Active", "Align with the active object"),
            ("SELECTED", "Selected", "Align with each selected object"),
            ("CURSOR", "3D Cursor", "Align with the 3D cursor"),
        ),
        default="GLOBAL",
    )
    enable_collision: bpy.props.BoolProperty(
        name="Enable Collision", description="The two connected bodies may collide with each other"
    )


class NewBodies:
    """What happens to objects without a body."""

    make_bodies: bpy.props.BoolProperty(
        name="Make Bodies",
        description=(
            "Make objects without a body dynamic bodies, and fit the simplest collider to "
            "objects without a shape; the active object gets the type below"
        ),
        default=True,
    )
    active_type: bpy.props.EnumProperty(
        name="Active Becomes",
        description="Body type for the active object if the object has no body",
        items=MOTION_TYPES,
        default="STATIC",
    )


class RowOrder:
    """The order of objects in a chain."""

    order: bpy.props.EnumProperty(
        name="Order",
        description="Order in which the objects are connected",
        items=(
            ("ROW", "Along Row", "By position along the line through the objects"),
            ("DISTANCE", "From Active", "By distance from the active object"),
            ("NAME", "Name", "By their names"),
        ),
        default="ROW",
    )


class Rope:
    """How a curve becomes a rope."""

    divide_by: bpy.props.EnumProperty(
        name="Divide By",
        description="How the number of segments is set",
        items=(
            ("COUNT", "Count", "Set the number of segments"),
            ("LENGTH", "Length", "Set the length of the segments"),
        ),
    )
    count: bpy.props.IntProperty(
        name="Segments", description="Number of segments", default=10, min=1, soft_max=100, max=1000
    )
    segment_length: bpy.props.FloatProperty(
        name="Length",
        description="Approximate length of a segment",
        unit="LENGTH",
        default=0.2,
        min=1e-3,
    )
    radius: bpy.props.FloatProperty(
        name="Radius", description="Radius of the rope", unit="LENGTH", default=0.05, min=1e-4
    )
    mass: bpy.props.FloatProperty(
        name="Mass", description="Mass of the whole rope", unit="MASS", default=1.0, min=1e-6
    )
    use_swing: bpy.props.BoolProperty(
        name="Limit Bend", description="Limit how far each joint bends and twists"
    )
    swing: bpy.props.FloatProperty(
        name="Bend",
        description="Maximum bend and twist of each joint to each side",
        unit="ROTATION",
        default=math.pi / 4.0,
        min=1e-4,
        max=math.pi,
    )
    hold_start: bpy.props.BoolProperty(
        name="Hold Start",
        description=(
            "Attach the start to the nearest other selected object, or to a new static body"
        ),
        default=True,
    )
    hold_end: bpy.props.BoolProperty(
        name="Hold End",
        description="Attach the end to the nearest other selected object, or to a new static body",
    )


class CopySettings:
    """Whether settings are shared."""

    make_copy: bpy.props.BoolProperty(
        name="Copy",
        description="Give each joint its own copy of the settings instead of sharing one",
    )


class SettingsName:
    """Whose limits and drives are edited."""

    settings: bpy.props.StringProperty(
        name="Settings",
        description="Name of the joint settings; empty for the active ones of the scene",
        options={"HIDDEN", "SKIP_SAVE"},
    )


class JointItems:
    """Which of both lists of joint settings."""

    part: bpy.props.EnumProperty(
        name="List",
        description="Limits or drives of the joint settings",
        items=(
            ("limits", "Limits", "Limits of the joint"),
            ("drives", "Drives", "Drives of the joint"),
        ),
        options={"HIDDEN"},
    )


class AssignCopy:
    """Who uses the copy."""

    assign: bpy.props.BoolProperty(
        name="Assign", description="Assign the copy to the selected joints"
    )


class PresetFile:
    """Which preset."""

    filepath: bpy.props.StringProperty(
        name="File",
        description="The file of the preset",
        subtype="FILE_PATH",
        options={"SKIP_SAVE"},
    )
    menu_idname: bpy.props.StringProperty(
        name="Menu", description="The menu that lists the preset", options={"HIDDEN", "SKIP_SAVE"}
    )
