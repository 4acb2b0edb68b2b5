# pyright: reportInvalidTypeForm=false
"""What the operators of joints ask for: their properties, shown after they ran."""

import math

import bpy

from ...model.joints import JointDrive, JointLimit
from .bodies import MOTION_TEXTS
from .declare import number
from .joints import AXES

KINDS = (
    ("FIXED", "Fixed", "Holds both bodies together", "LOCKED", 0),
    (
        "BALL",
        "Ball",
        "Turns in every direction about one point, also called pin",
        "PIVOT_BOUNDBOX",
        1,
    ),
    ("HINGE", "Hinge", "Turns about one axis, as doors do", "DRIVER_ROTATIONAL_DIFFERENCE", 2),
    ("SLIDER", "Slider", "Moves along one axis, as drawers do", "DRIVER_DISTANCE", 3),
    ("PISTON", "Piston", "Moves along one axis and turns about it", "EMPTY_SINGLE_ARROW", 4),
    (
        "ROPE",
        "Rope",
        "Keeps both ends within a distance; written as OMI, engines hold each axis within it, so "
        "that the room is a box and no ball",
        "TRACKING",
        5,
    ),
    ("CONE_TWIST", "Cone-Twist", "Swings in a cone and twists, as shoulders do", "MESH_CONE", 6),
    ("SIX_DOF", "6-DOF", "Each axis has limits of its own", "EMPTY_ARROWS", 7),
    ("SERVO", "Servo", "A spring that turns or pushes to a position", "PREFERENCES", 8),
    ("MOTOR", "Motor", "Turns or pushes with a speed", "FORCE_MAGNETIC", 9),
)


class JointPreset:
    """Which kind of joint, and what is open about it."""

    kind: bpy.props.EnumProperty(
        name="Joint", description="What kind of joint it is", items=KINDS, default="HINGE"
    )
    axis: bpy.props.EnumProperty(
        name="Axis",
        description="Axis of the joint object about which it turns or along which it slides",
        items=AXES,
        default="Z",
    )
    use_range: bpy.props.BoolProperty(
        name="Limit Way", description="The way along the axis has ends"
    )
    min_distance: bpy.props.FloatProperty(
        name="Min", description="Lower end of the way", unit="LENGTH", default=0.0
    )
    max_distance: bpy.props.FloatProperty(
        name="Max", description="Upper end of the way", unit="LENGTH", default=0.5
    )
    use_turn: bpy.props.BoolProperty(
        name="Limit Turn", description="The turn about the axis has ends"
    )
    min_angle: bpy.props.FloatProperty(
        name="Min", description="Lower end of the turn", unit="ROTATION", default=-math.pi / 2.0
    )
    max_angle: bpy.props.FloatProperty(
        name="Max", description="Upper end of the turn", unit="ROTATION", default=math.pi / 2.0
    )
    length: bpy.props.FloatProperty(
        name="Length",
        description="Largest distance of both ends",
        unit="LENGTH",
        default=1.0,
        min=1e-4,
    )
    min_length: bpy.props.FloatProperty(
        name="Min Length",
        description="Smallest distance of both ends",
        unit="LENGTH",
        default=0.0,
        min=0.0,
    )
    swing: bpy.props.FloatProperty(
        name="Swing",
        description="How far the axis may tilt to each side",
        unit="ROTATION",
        default=math.pi / 4.0,
        min=1e-4,
        max=math.pi,
    )
    reach: bpy.props.FloatProperty(
        name="Reach",
        description="How far it may move to each side along each axis",
        unit="LENGTH",
        default=0.0,
        min=0.0,
    )
    tilt: bpy.props.FloatProperty(
        name="Tilt",
        description="How far it may turn to each side about each axis",
        unit="ROTATION",
        default=math.pi / 6.0,
        min=0.0,
    )
    is_soft: bpy.props.BoolProperty(
        name="Soft", description="A spring pulls back at the ends, instead of a hard stop"
    )
    stiffness: number(JointLimit, "stiffness", default=100.0)
    damping: number(JointLimit, "damping", default=20.0)  # Critical for 1 kg on that spring.
    drive_type: bpy.props.EnumProperty(
        name="Drive",
        description="What the drive does",
        items=(
            ("ANGULAR", "Turns", "The joint is a hinge, and the drive turns it"),
            ("LINEAR", "Pushes", "The joint is a slider, and the drive pushes it"),
        ),
    )
    drive_mode: bpy.props.EnumProperty(
        name="Mode",
        description="What the stiffness and damping of the drive act on",
        items=(
            ("FORCE", "Force", "Stiffness and damping give a force"),
            ("ACCELERATION", "Acceleration", "They give an acceleration, whatever the mass"),
        ),
    )
    target_angle: bpy.props.FloatProperty(
        name="Target", description="Where the spring rests", unit="ROTATION", default=0.0
    )
    target_distance: bpy.props.FloatProperty(
        name="Target", description="Where the spring rests", unit="LENGTH", default=0.0
    )
    speed_angle: bpy.props.FloatProperty(
        name="Speed", description="Speed per second", unit="ROTATION", default=math.pi
    )
    speed_distance: bpy.props.FloatProperty(
        name="Speed", description="Speed of the motor", unit="VELOCITY", default=1.0
    )
    drive_stiffness: number(JointDrive, "stiffness", default=100.0, label="Strength")
    drive_damping: number(JointDrive, "damping", default=10.0, label="Drive Damping")
    use_max_force: bpy.props.BoolProperty(
        name="Max Force", description="The drive has a largest force"
    )
    max_force: number(JointDrive, "max_force", default=100.0)


class ChainLink(JointPreset):
    """Which kind of joint holds the links of a chain."""

    kind: bpy.props.EnumProperty(
        name="Joint", description="What kind of joint it is", items=KINDS, default="BALL"
    )


for _preset in (JointPreset, ChainLink):
    for _each in _preset.__annotations__.values():
        # What a joint is, and not how a tool works: the next one starts from the defaults.
        _each.keywords["options"] = {"SKIP_SAVE"}


class SettingsTarget:
    """Whether settings that are there change."""

    make_new: bpy.props.BoolProperty(
        name="New Settings",
        description="Make new settings, instead of changing those that the joints have "
        "and may share with others",
    )


class JointPlace:
    """Where a new joint sits, and how it is turned."""

    pivot: bpy.props.EnumProperty(
        name="Pivot",
        description="Where the joint sits",
        items=(
            (
                "AUTO",
                "Automatic",
                "At what is selected in Edit Mode, or else where both objects meet",
            ),
            ("MIDPOINT", "Midpoint", "Between the origins of both objects"),
            ("ACTIVE", "Active", "At the origin of the active object"),
            ("SELECTED", "Selected", "At the origin of each selected object"),
            ("CURSOR", "3D Cursor", "At the 3D cursor"),
            (
                "ELEMENTS",
                "Faces or Edges",
                "At what is selected in Edit Mode: an edge or a ring of edges is the axis, "
                "a loop or a face turns about the line across it",
            ),
        ),
        default="AUTO",
    )
    orientation: bpy.props.EnumProperty(
        name="Orientation",
        description="How the axes of the joint lie; edges and faces turn its axis to theirs",
        items=(
            ("GLOBAL", "Global", "As the axes of the world"),
            ("ACTIVE", "Active", "As those of the active object"),
            ("SELECTED", "Selected", "As those of each selected object"),
            ("CURSOR", "3D Cursor", "As those of the 3D cursor"),
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
        description="Objects without a body of their own become bodies, dynamic ones but for the "
        "active object, and get the simplest collider that fits where they have no shape yet",
        default=True,
    )
    active_type: bpy.props.EnumProperty(
        name="Active Becomes",
        description="Type of the body that the active object becomes, if it has none",
        items=[(word.upper(), word.title(), text) for word, text in MOTION_TEXTS.items()],
        default="STATIC",
    )


class RowOrder:
    """The order of objects in a chain."""

    order: bpy.props.EnumProperty(
        name="Order",
        description="Which objects are neighbors",
        items=(
            ("ROW", "Along Row", "As they lie along the line that runs through them"),
            ("DISTANCE", "From Active", "By their distance from the active object"),
            ("NAME", "Name", "By their names"),
        ),
        default="ROW",
    )


class Rope:
    """How a curve becomes a rope."""

    divide_by: bpy.props.EnumProperty(
        name="Divide By",
        description="What the number of segments follows",
        items=(
            ("COUNT", "Count", "So many segments"),
            ("LENGTH", "Length", "Segments about so long"),
        ),
    )
    count: bpy.props.IntProperty(
        name="Segments", description="How many segments", default=10, min=1, soft_max=100, max=1000
    )
    segment_length: bpy.props.FloatProperty(
        name="Length", description="About how long", unit="LENGTH", default=0.2, min=1e-3
    )
    radius: bpy.props.FloatProperty(
        name="Radius", description="Half the thickness", unit="LENGTH", default=0.05, min=1e-4
    )
    mass: bpy.props.FloatProperty(
        name="Mass", description="Mass of the whole rope", unit="MASS", default=1.0, min=1e-6
    )
    use_swing: bpy.props.BoolProperty(
        name="Limit Bend", description="Each joint bends and twists only so far"
    )
    swing: bpy.props.FloatProperty(
        name="Bend",
        description="How far each joint may bend, and twist, to each side",
        unit="ROTATION",
        default=math.pi / 4.0,
        min=1e-4,
        max=math.pi,
    )
    hold_start: bpy.props.BoolProperty(
        name="Hold Start",
        description="Fix the start to the other selected object that is nearest, "
        "or to a static body where there is none",
        default=True,
    )
    hold_end: bpy.props.BoolProperty(
        name="Hold End",
        description="Fix the end to the other selected object that is nearest, "
        "or to a static body where there is none",
    )


class CopySettings:
    """Whether settings are shared."""

    make_copy: bpy.props.BoolProperty(
        name="Copy",
        description="Each joint gets a copy of its own, instead of sharing the settings",
    )


class SettingsName:
    """Whose limits and drives are edited."""

    settings: bpy.props.StringProperty(
        name="Settings",
        description="Name of the joint settings; without it the active ones of the scene",
        options={"HIDDEN", "SKIP_SAVE"},
    )


class JointItems:
    """Which of both lists of joint settings."""

    part: bpy.props.EnumProperty(
        name="List",
        description="Which list of the joint settings",
        items=(
            ("limits", "Limits", "What the joint holds back"),
            ("drives", "Drives", "What the joint moves"),
        ),
        options={"HIDDEN"},
    )


class AssignCopy:
    """Who uses the copy."""

    assign: bpy.props.BoolProperty(
        name="Assign", description="Let the selected joints use the copy"
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
