"""The catalogue of issue codes: the names that code uses, and what users see of each."""

from __future__ import annotations

import enum
from typing import Final


class Severity(enum.Enum):
    """How bad an issue is."""

    ERROR = "ERROR"  # A rule of the specification is broken, or the thing cannot work.
    WARNING = "WARNING"  # Legal or disputed; some reader will do something else.
    INFO = "INFO"  # Worth knowing.


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO


@enum.unique
class Code(enum.StrEnum):
    """What can be wrong; the value is the code that users see and files of tests name.

    Codes of one or two letters and two digits that stand in the table of checks keep their
    meaning there; F (format), X (exchange) are ours.

    Attributes:
        severity: how bad it is, unless the finding says otherwise.
        text: what is wrong, for users.
    """

    severity: Severity
    text: str

    def __new__(cls, value: str, severity: Severity, text: str) -> Code:
        """A row of the catalogue."""
        code = str.__new__(cls, value)
        code._value_ = value
        code.severity, code.text = severity, text
        return code

    @property
    def is_derived(self) -> bool:
        """Whether no sentence of a specification states it, but mechanics and practice do."""
        return self.value in _DERIVED

    @property
    def is_fact(self) -> bool:
        """Whether it is about an engine, and no fault of what it is told of."""
        return self.value in _FACTS

    @property
    def names_action(self) -> bool:
        """Whether the sentence of a finding names one action that sets all of them right."""
        return self.value in _WITH_ACTION

    MOTION_TYPE_MISSING = "B01", _E, "A motion has no type"
    MOTION_TYPE_UNKNOWN = "B02", _E, "A motion has an unknown type"
    BODY_WITHOUT_COLLIDER = "B03", _W, "A moving body has no collider"
    BODY_BELOW_BODY = "B04", _I, "A body is below another one and does not follow it"
    MASS_NEGATIVE = "B05", _E, "A mass is negative"
    MASS_ZERO_IN_OMI = "B05z", _W, "A mass is zero, which OMI gives no meaning"
    STATIC_BODY_MASS = "B06", _I, "A static body has a mass"
    MASS_ZERO_IS_INFINITE = "B07", _W, "A mass is zero, which stands for infinite"
    MOMENT_NEGATIVE = "B08", _E, "A principal moment of inertia is negative"
    MOMENT_TOO_LARGE = "B09", _W, "A principal moment is larger than the sum of the others"
    MOMENTS_PARTLY_ZERO = "B10", _W, "Some but not all principal moments are zero"
    MOMENT_ZERO_IS_INFINITE = "B10k", _W, "A principal moment is zero, which stands for infinite"
    ORIENTATION_NOT_UNIT = "B11", _E, "An orientation is not a unit quaternion"
    INERTIA_ORIENTATION_ALONE = (
        "B12",
        _W,
        "An inertia orientation stands without an inertia diagonal",
    )
    ARRAY_LENGTH_WRONG = "B13", _E, "An array has the wrong length"
    STATIC_BODY_VELOCITY = "B14", _W, "A static body has a velocity"
    KINEMATIC_BODY_VELOCITY = "B15", _I, "A kinematic body has a velocity"
    CENTER_OF_MASS_MOVED = "B16", _I, "A center of mass is not at the origin of its body"
    GRAVITY_FACTOR_UNUSUAL = "B17", _I, "A body has a gravity factor other than 1"
    DYNAMIC_BODY_ANIMATED = "B18", _W, "A dynamic body is animated"
    BODY_SCALED = "B19", _W, "A body is scaled"
    MASS_LEFT_TO_ENGINE = "B20", _I, "A dynamic body leaves its mass to the engine"
    DYNAMIC_BODY_ON_BONE = "B21", _W, "A dynamic body is a bone or below one"
    DYNAMIC_BODY_ONLY_TRIGGERS = "B22", _W, "A dynamic body has a trigger and no collider"
    ORIENTATION_ZERO = "B23", _E, "An orientation is a zero quaternion"
    JOINED_MASSES_DIFFER = "B24", _W, "Bodies of very different masses are joined"
    BODIES_OVERLAP = "B25", _W, "Two bodies overlap at the start"
    COLLIDER_GROUP_EMPTY = "C01", _W, "A collider without a shape groups nothing"
    COLLIDER_WITHOUT_GEOMETRY = "C02", _E, "A collider has no geometry"
    COLLIDER_AND_TRIGGER = "C03", _W, "A collider and a trigger are on one node"
    SURFACE_VALUE_NEGATIVE = "C04", _E, "A friction or restitution is negative"
    SURFACE_VALUE_ABOVE_ONE = "C05", _I, "A friction or restitution is above 1"
    COMBINE_MODE_UNKNOWN = "C06", _E, "A combine mode is unknown"
    DYNAMIC_FRICTION_ABOVE_STATIC = "C07", _W, "A dynamic friction is above the static one"
    FILTER_ALLOWS_AND_FORBIDS = (
        "C08",
        _E,
        "A filter names systems to collide with and systems not to",
    )
    FILTER_EMPTY = "C09", _W, "A filter has no systems at all"
    FILTER_SYSTEM_UNUSED = "C10", _W, "A filter names a system that nothing is in"
    SYSTEM_NAMES_ALIKE = "C11", _W, "Names of systems differ only in case or spaces"
    FILTER_LIST_EMPTY = "C12", _I, "A filter has an empty list"
    SURFACE_ENTRY_UNUSED = "C13", _I, "A material or filter is used by nothing"
    TOO_MANY_SYSTEMS = "C14", _W, "There are more than 32 collision systems"
    COMBINE_MODE_MISSING = "C15", _I, "A material does not say how it combines with others"
    TYPE_WRONG = "F01", _E, "A value has the wrong type"
    OUT_OF_BOUNDS = "F02", _E, "A value is outside its bounds"
    NESTED_TOO_DEEPLY = "F03", _E, "A value is nested too deeply"
    EXTENSION_NOT_LISTED = "G01", _E, "An extension is used and not listed"
    EXTENSION_NOT_USED = "G02", _I, "An extension is listed and not used"
    EXTENSION_REQUIRED = "G03", _W, "An extension of physics is required"
    NUMBER_NOT_FINITE = "G04", _E, "A number is not finite"
    INDEX_BEYOND_ARRAY = "G05", _E, "An index points beyond its array"
    INDEX_MINUS_ONE = "G06", _W, "An index is written as -1"
    KEY_UNKNOWN = "G07", _I, "An object has a key that no specification names"
    FAMILIES_DISAGREE = "G08", _W, "OMI and KHR disagree on a node"
    DIALECT_OLD = "G09", _I, "The file is written in an older dialect"
    LIST_EMPTY = "G10", _E, "A list of the document is empty"
    SEAT_POINT_MISSING = "E01", _E, "A seat lacks one of its points"
    SEAT_POINT_INVALID = "E02", _E, "A point of a seat is not three numbers"
    SEAT_POINTS_ON_LINE = "E03", _E, "The points of a seat are on a line"
    SEAT_ANGLE_UNUSUAL = "E04", _W, "The angle of a seat is not between 0 and half a turn"
    SEAT_WITHOUT_TRIGGER = "E05", _I, "A seat has no trigger through which it is entered"
    SEAT_SIZE_UNUSUAL = "E06", _W, "A seat is very large or very small"
    SEAT_SCALED = "E07", _W, "A seat is scaled"
    VEHICLE_WITHOUT_BODY = "H01", _E, "A vehicle is no body"
    VEHICLE_NOT_DYNAMIC = "H02", _W, "A vehicle is no dynamic body"
    PILOT_SEAT_NO_SEAT = "H03", _E, "The pilot seat of a vehicle is no seat"
    PILOT_SEAT_NOT_FORWARD = "H04", _W, "A pilot seat does not face forward"
    PILOT_SEAT_OUTSIDE = "H05", _I, "A pilot seat is not below its vehicle"
    ACTIVATION_OUT_OF_RANGE = "H06", _W, "An activation of a vehicle is outside -1 to 1"
    ACTIVATION_AT_START = "H07", _I, "A vehicle starts with an activation"
    VEHICLE_MAX_SPEED_ZERO = "H08", _W, "A vehicle has a largest speed of zero"
    GYRO_TORQUE_NEGATIVE = "H09", _W, "A gyroscope has a negative torque"
    THROTTLE_DRIVES_NOTHING = "H10", _W, "A vehicle uses a throttle and nothing drives it"
    VEHICLE_WITHOUT_PROPULSION = "H11", _W, "A vehicle has nothing that moves it"
    VEHICLE_ARRAY_LENGTH_WRONG = "H12", _E, "A list of a vehicle is not three numbers"
    JOINT_WITHOUT_SETTINGS = "J01", _E, "A joint has no settings"
    JOINT_WITHOUT_CONNECTION = "J02", _E, "A joint connects to nothing"
    JOINT_NOT_BELOW_DYNAMIC_BODY = "J03", _W, "A joint is not below a dynamic body"
    JOINT_CONNECTED_TO_NO_BODY = "J04", _E, "A joint is connected to something without a body"
    JOINT_TO_WORLD = "J04k", _I, "A joint is held to the world"
    JOINT_WITHIN_ONE_BODY = "J05", _E, "A joint connects a body to itself"
    JOINT_OF_IMMOVABLES = "J06", _E, "A joint connects two things that cannot move"
    JOINT_SHARES_NODE = "J07", _W, "A joint is not on a node of its own"
    JOINT_CONNECTED_TO_ITSELF = "J08", _E, "A joint is connected to its own node"
    JOINTS_OF_SAME_NODES = "J09", _W, "Two joints connect the same two nodes"
    JOINT_SETTINGS_EMPTY = "J10", _W, "Joint settings have neither limits nor drives"
    LIMIT_WITHOUT_AXIS = "J11", _E, "A limit has no axis"
    LIMIT_AXES_MIXED = "J12", _W, "A limit has linear and angular axes together"
    LIMIT_AXIS_INVALID = "J13", _E, "An axis is none of 0, 1, 2 or is repeated"
    LIMIT_WITHOUT_RANGE = "J14", _W, "A limit has neither min nor max"
    LIMIT_MIN_ABOVE_MAX = "J15", _E, "A limit has a min above its max"
    LIMIT_DISTANCES_NEGATIVE = "J16", _E, "A limit allows only negative distances"
    LIMIT_MIN_DISTANCE_NEGATIVE = "J16i", _I, "A limit of a distance has a negative min"
    LIMIT_ANGLE_BEYOND_TURN = "J17", _W, "An angle of a limit is beyond a whole turn"
    LIMIT_STIFFNESS_NEGATIVE = "J18", _E, "A stiffness is negative"
    LIMIT_DAMPING_NEGATIVE = "J19", _E, "A damping is negative"
    LIMIT_DAMPING_WITHOUT_SPRING = "J20", _W, "A hard limit has a damping"
    LIMITS_SHARE_AXIS = "J21", _W, "Two limits hold for one axis"
    DRIVE_INCOMPLETE = "J22", _E, "A drive lacks its type, mode or axis"
    DRIVE_KIND_UNKNOWN = "J23", _E, "A drive has an unknown type or mode"
    DRIVE_AXIS_INVALID = "J24", _E, "A drive has an axis other than 0, 1, 2"
    DRIVE_POSITION_WITHOUT_STIFFNESS = "J25", _W, "A drive has a position target and no stiffness"
    DRIVE_STIFFNESS_WITHOUT_POSITION = "J26", _W, "A drive has a stiffness and no position target"
    DRIVE_VELOCITY_WITHOUT_DAMPING = "J27", _W, "A drive has a velocity target and no damping"
    DRIVE_DAMPING_WITHOUT_VELOCITY = "J27b", _I, "A drive has a damping and no velocity target"
    DRIVE_TARGET_OUTSIDE_LIMITS = "J28", _W, "A drive has a target outside the limits"
    DRIVE_ON_FIXED_AXIS = "J29", _W, "A drive acts on a fixed axis"
    DRIVES_SHARE_AXIS = "J30", _W, "Two drives act on one axis"
    DRIVE_WITHOUT_FORCE = "J31", _W, "A drive has no force"
    DRIVE_MAX_FORCE_NEGATIVE = "J31n", _E, "A largest force is negative"
    DRIVE_OF_ACCELERATION = "J32", _I, "A drive is scaled by the moved mass"
    FIXED_JOINT_ENDS_APART = "J33", _W, "A fixed joint does not fit where its ends are"
    JOINT_SCALED = "J34", _W, "A joint is scaled or sheared"
    LIMIT_OF_DISTANCE = "J35", _I, "A range over several axes is one of a distance or a cone"
    JOINT_SETTINGS_UNUSED = "J36", _I, "Joint settings are used by nothing"
    LIMIT_SPLIT_BY_AXES = "J37", _I, "A limit was split because its axes turn differently"
    JOINT_ANIMATED = "J38", _W, "A joint or what it is connected to is animated"
    JOINT_ENDS_APART = "J39", _W, "The ends of a joint are where it does not let them be"
    JOINED_MASSES_UNEQUAL = "J40", _I, "Bodies of which one is over ten times as heavy are joined"
    STATIC_BODY_AS_COLLIDERS = (
        "L01",
        _I,
        "A static body is written as colliders that belong to no body",
    )
    STATIC_BODY_AS_KINEMATIC = (
        "L02",
        _W,
        "A static body inside a moving one is written as kinematic",
    )
    KINEMATIC_VELOCITY_AMBIGUOUS = (
        "L03",
        _W,
        "The families take the velocity of a kinematic body differently",
    )
    MASS_ESTIMATED = "L04", _W, "A mass that the engine computes is written as an estimate"
    CENTER_OF_MASS_ESTIMATED = (
        "L05",
        _W,
        "A center of mass that the engine computes is written as an estimate",
    )
    INFINITE_MASS_REPLACED = "L06", _W, "An infinite mass is written as kinematic or as a large one"
    INFINITE_MOMENT_REPLACED = "L07", _W, "An infinite moment of inertia is written as a large one"
    PLANE_AS_BOX = "L08", _W, "A plane is written as a box"
    COLLIDER_GROUP_LEFT_OUT = "L09", _I, "A collider that groups others is left out"
    COMPOUND_TRIGGER_LISTED = "L10", _I, "A compound trigger is written with the list of its parts"
    LIMIT_AXES_AMBIGUOUS = (
        "L11",
        _W,
        "A limit of several axes holds for a distance or for each axis",
    )
    JOINT_END_ADDED = "L12", _I, "A joint got a static body or a node of its own to end on"
    JOINT_SWAPPED = "L13", _I, "A joint is written from its other side"
    JOINT_NOT_SWAPPABLE = "L14", _W, "A joint cannot be written from its dynamic side"
    OMI_ONLY_LEFT_OUT = "L15", _W, "Gravity, vehicles or their parts are left out, as KHR has none"
    PLANE_IN_OLD_FORM = "L16", _W, "A plane is written in a form that has none"
    NODE_GEOMETRY_AS_MESH = "L17", _W, "A geometry of a whole node is written as its mesh"
    MESH_WITHOUT_OWN_NODE = "L18", _W, "A mesh is named by itself, because no node carries it alone"
    BODY_SWITCHED_OFF = "L19", _I, "A body that is switched off is read as none"
    SHAPE_SCALE_APPLIED = "L20", _I, "A scaled shape is written with its scaled size"
    SHAPE_SCALE_NOT_APPLIED = "L21", _W, "A scaled shape cannot be written with its scaled size"
    FILTER_SYSTEMS_AMBIGUOUS = "L22", _I, "A filter with several systems is taken differently"
    DRIVE_GAIN_LEFT_OUT = "L23", _W, "A drive is written without a gain that has no effect"
    MOMENTS_LEFT_TO_ENGINE = "L24", _W, "Partly zero moments of inertia are left to the engine"
    MEMBERS_LEFT_OUT = "L25", _W, "Members that the other family has no place for are left out"
    ANIMATION_TARGET_GONE = "L26", _W, "Something points at a property that is no longer there"
    THRUSTER_MAX_INVALID = "R01", _E, "A thruster has no largest force or energy, or a negative one"
    THRUSTER_MAX_ZERO = "R01z", _W, "A thruster has no force or energy"
    HOVER_TOO_WEAK = "R02", _W, "Hover thrusters cannot lift their vehicle"
    GIMBAL_ANGLE_OUT_OF_RANGE = "R03", _E, "A gimbal angle is outside 0 to half a turn"
    GIMBAL_RATIO_TOO_LONG = "R05", _W, "A gimbal ratio is longer than 1"
    GIMBAL_ADJUSTMENT_OUT_OF_RANGE = "R06", _W, "A gimbal adjustment is outside 0 to 1"
    GIMBAL_CANNOT_TURN = "R07", _I, "A gimbal cannot turn after the start"
    SHAPE_TYPE_UNKNOWN = "S01", _E, "A shape has an unknown type"
    SHAPE_OBJECT_MISSING = "S02", _W, "A shape has no object named like its type"
    SHAPE_OBJECT_FOREIGN = "S03", _W, "A shape carries the object of another type"
    BOX_SIZE_INVALID = "S04", _E, "A box size is not three positive numbers"
    SPHERE_RADIUS_NOT_POSITIVE = "S05", _E, "A sphere radius is not positive"
    SHAPE_HEIGHT_NOT_POSITIVE = "S06", _E, "A height is not positive"
    SHAPE_RADIUS_NEGATIVE = "S07", _E, "A radius is negative"
    SHAPE_RADII_ZERO = "S08", _E, "Both radii are zero"
    SHAPE_TAPERED = "S09", _I, "A capsule or cylinder is tapered"
    CAPSULE_IS_SPHERE = "S10", _W, "One ball of a capsule swallows the other"
    CYLINDER_USED = "S11", _I, "A cylinder is used, which not all engines have"
    SHAPE_MESH_MISSING = "S12", _E, "A convex or trimesh shape has no valid mesh"
    COLLISION_MESH_EMPTY = "S13", _E, "A collision mesh has no triangle"
    HULL_LARGE = "S14", _W, "A hull has more than 255 corners"
    COLLISION_MESH_OF_PARTS = "S15", _W, "A collision mesh has several primitives"
    COLLISION_MESH_NOT_TRIANGLES = "S16", _E, "A collision mesh is not made of triangles"
    TRIMESH_ON_DYNAMIC_BODY = "S17", _W, "A trimesh is on a dynamic body"
    TRIMESH_TRIGGER = "S18", _W, "A trimesh is a trigger"
    TRIMESH_ON_KINEMATIC_BODY = "S19", _W, "A trimesh is on a kinematic body"
    SHAPE_SCALED = "S20", _W, "A shape is scaled"
    ROUND_SHAPE_SCALED_UNEVENLY = "S21", _W, "A round shape is scaled unevenly"
    SHAPE_SCALED_TO_NOTHING = "S22", _W, "A shape is scaled to nothing"
    SHAPE_MIRRORED = "S23", _W, "A shape is mirrored"
    SHAPE_OLD_RADIUS = "S24", _W, "A capsule or cylinder has the older single radius"
    SHAPE_UNUSED = "S25", _I, "A shape is used by nothing"
    PLANE_SIZE_NOT_POSITIVE = "S26", _E, "A plane size is not positive"
    SHAPES_ALIKE = "S27", _I, "Two shapes are the same"
    GEOMETRY_REFERENCES_INVALID = "S28", _E, "A geometry names not exactly one of shape and mesh"
    GEOMETRY_NODE_WITHOUT_MESH = "S29", _E, "A geometry names a node without a mesh"
    CONVEX_HULL_OF_NO_MESH = "S30", _I, "A convex hull is asked of a shape of no mesh"
    COLLISION_MESH_LARGE = "S31", _W, "A collision mesh has very many triangles"
    GEOMETRY_NOT_PLAIN_MESH = "S32", _I, "A geometry is more than one plain mesh"
    PLANE_ON_MOVING_BODY = "S33", _W, "A plane is on a moving body"
    SHAPE_SCALED_IN_KHR = "S34", _I, "A shape is scaled, which KHR allows"
    COLLISION_MESH_NOT_SOLID = "S35", _W, "The hull of a collision mesh is flat"
    SHAPE_OUTDATED = "S36", _W, "A shape was fitted to a mesh that has changed since"
    COLLISION_MESH_LOOKS_AWAY = "S37", _W, "A trimesh has faces that look away"
    TRIGGER_WITHOUT_SHAPE = "T01", _E, "A trigger has neither a shape nor nodes"
    TRIGGER_SHAPE_AND_NODES = "T02", _E, "A trigger has both a shape and nodes"
    TRIGGER_NODE_NOT_BELOW = "T03", _E, "A trigger lists a node that is not below it"
    TRIGGER_NODE_NO_TRIGGER = "T04", _E, "A trigger lists a node that is no trigger"
    COMPOUND_TRIGGER_FILTER = "T05", _W, "A compound trigger has a collision filter"
    TRIGGER_NODES_INVALID = "T06", _E, "A trigger lists no node, or one twice"
    COMPOUND_TRIGGER_NESTED = "T07", _W, "A compound trigger lists another one"
    TRIGGER_LISTS_ITSELF = "T08", _E, "A trigger lists itself"
    TRIGGER_NOT_LISTED = "T09", _W, "A trigger below a compound one is not listed"
    TRIGGER_VISIBLE = "T10", _W, "The mesh of a trigger is visible and has no material"
    GRAVITY_WITHOUT_TRIGGER = "V01", _E, "A gravity volume has no trigger"
    GRAVITY_ON_SOLID = "V02", _E, "A gravity volume is a body or a collider"
    GRAVITY_IN_COMPOUND = "V03", _E, "A part of a compound trigger has gravity of its own"
    GRAVITY_TYPE_UNKNOWN = "V04", _E, "A gravity has an unknown type"
    GRAVITY_STRENGTH_MISSING = "V05", _E, "A gravity volume has no strength"
    GRAVITY_OBJECT_MISSING = "V06", _W, "A gravity has no object named like its type"
    GRAVITY_OBJECT_FOREIGN = "V07", _W, "A gravity carries the object of another type"
    GRAVITY_DIRECTION_NOT_UNIT = "V08", _W, "A gravity direction is zero or not of length 1"
    UNIT_DISTANCE_NEGATIVE = "V09", _E, "A unit distance is negative"
    GRAVITY_RADIUS_NOT_POSITIVE = "V10", _E, "A disc or torus has no size"
    LINE_POINTS_INVALID = "V11", _E, "Line points are too few or not whole triples"
    LINE_PIECE_WITHOUT_LENGTH = "V12", _W, "A piece of a gravity line has no length"
    GRAVITY_SHAPE_MISSING = "V13", _E, "Shaped gravity has no valid shape"
    GRAVITY_ORDER_OPEN = "V14", _W, "Gravity volumes of one priority overlap"
    PRIORITY_NOT_WHOLE = "V15", _E, "A priority is not whole"
    WORLD_GRAVITY_STRENGTH_MISSING = "V16", _E, "World gravity has no strength"
    WORLD_GRAVITY_DIRECTION_NOT_UNIT = "V17", _W, "A world gravity direction is not of length 1"
    GRAVITY_SCALED = "V18", _W, "A gravity volume is scaled"
    GRAVITY_STOP_BELOW_WORLD = (
        "V19",
        _W,
        "A gravity volume stops others and has a negative priority",
    )
    GRAVITY_CONSTANT = "V20", _I, "Gravity has the same strength at every distance"
    GRAVITY_REPLACES_AND_STOPS = "V21", _I, "A gravity volume replaces and stops"
    GRAVITY_ZERO = "V22", _W, "A gravity volume of strength zero has no effect"
    WORLD_GRAVITY_IN_PROP = "V23", _W, "A file of one moving body sets the gravity of the world"
    GRAVITY_ON_COMPOUND = "V24", _I, "A gravity volume has no shape of its own"
    VEHICLE_PART_WITHOUT_VEHICLE = "W01", _W, "A vehicle part is below no vehicle"
    VEHICLE_PART_ON_VEHICLE = "W02", _E, "A vehicle part is on the vehicle itself"
    WHEEL_SIZE_NOT_POSITIVE = "W03", _E, "A wheel radius or width is not positive"
    SUSPENSION_OUT_OF_RANGE = "W04", _E, "A suspension value is out of range"
    STEERING_ANGLE_OUT_OF_RANGE = "W05", _E, "A steering angle is outside 0 to half a turn"
    STEERING_RATIO_OUT_OF_RANGE = "W06", _W, "A steering ratio is outside -1 to 1"
    PROPULSION_FORCE_NEGATIVE = "W07", _E, "A propulsion force is negative"
    VEHICLE_PART_OF_OTHER_BODY = "W08", _E, "A vehicle part is below another body than its vehicle"
    VEHICLE_PART_SCALED = "W09", _W, "A vehicle part is scaled"
    WHEEL_AXLE_NOT_ACROSS = "W10", _W, "The axle of a wheel is not across its vehicle"
    VEHICLE_PART_OLD_KEYS = "W11", _W, "A vehicle part has key names of 2025"
    WHEEL_BRAKES_BY_MOTOR = "W12", _I, "A wheel brakes with the force of its motor"
    WHEEL_MATERIAL_AMBIGUOUS = "W13", _W, "The families have other materials for a wheel"
    SHAPE_SIZE_AMBIGUOUS = "X01", _I, "Other readers take the size of this shape differently"
    TAPERED_SHAPE_UNSUPPORTED = "X02", _W, "A tapered shape cannot be written for the chosen engine"
    EXTENSION_NOT_READ = "X03", _I, "The file uses an extension that was not read"
    REFERENCE_NOT_EXPORTED = "X04", _W, "A referenced object is not part of the export"
    NAME_NOT_IN_LIST = "X05", _W, "A shared entry is missing"
    AUTOMATIC_VALUE_FAILED = "X06", _W, "An automatic value could not be computed"
    EXPORT_OPTION_CHANGED = "X07", _W, "An export option was changed so that physics is not lost"
    FAULT_WRITTEN_BACK = "X08", _I, "A fault of the imported file was written back unchanged"
    NODE_WITHOUT_OBJECT = "X09", _W, "Physics of a node has no object to live on"
    PHYSICS_ANIMATION_LOST = "X11", _W, "An animation of physics is not kept"
    UNIT_SCALE_NOT_EXPORTED = "X12", _W, "The unit scale of the scene is not exported"
    SHAPE_LIST_MEMBERS_LEFT_OUT = (
        "X13",
        _W,
        "Members beside a list of shapes are left out, as there are no shapes",
    )
    SHAPE_PLACE_NOT_EXPORTED = "X15", _W, "The place of a shape on its object is not exported"
    JOINT_UNFINISHED = "X16", _W, "An unfinished joint is not written"
    RIGID_BODY_VALUE_KEPT = "X60", _I, "A value of Blender's rigid bodies has no place in glTF"
    RIGID_BODY_LEFT_OUT = "X61", _W, "A rigid body or a constraint of Blender's is left out"
    RIGID_BODY_CANNOT_SAY = "X62", _W, "Blender's rigid bodies do something otherwise"
    NAME_NOT_UNDERSTOOD = "X63", _W, "A name asks for physics in a way that is not understood"
    GODOT_LEAVES_JOINT_OUT = "X20", _W, "Godot leaves a joint out"
    GODOT_DETACHES_COLLIDER = "X21", _W, "Godot takes a collider away from its body"
    GODOT_MOVES_BODY_ALONG = "X22", _W, "Godot moves a body with the body above it"
    GODOT_TURNS_VELOCITY = "X23", _W, "Godot takes a velocity along other axes"
    GODOT_IGNORES_INERTIA_ORIENTATION = (
        "X24",
        _W,
        "Godot does not read the orientation of an inertia",
    )
    GODOT_IGNORES_GRAVITY_FACTOR = "X25", _W, "Godot does not read a gravity factor"
    GODOT_IGNORES_SURFACES = "X26", _W, "Godot does not read materials and filters"
    GODOT_IGNORES_GRAVITY = "X27", _W, "Godot does not read gravity"
    GODOT_DISCONNECTS_WHEEL = "X28", _W, "Godot does not connect a wheel"
    GODOT_STARTS_THRUSTER_AT_ZERO = "X29", _W, "Godot starts a thruster otherwise"
    GODOT_MOVES_JOINT_FRAME = "X30", _W, "Godot holds a joint where its bodies are"
    GODOT_BREAKS_ON_JOINT = "X31", _W, "Godot breaks on a joint"
    GODOT_LOCKS_JOINT_TURN = "X32", _W, "Godot does not let a joint turn"
    GODOT_HARDENS_SOFT_LIMIT = "X33", _W, "Godot takes a soft limit for a hard one"
    GODOT_CHANGES_DRIVE = "X34", _W, "Godot takes a drive otherwise"
    GODOT_TAKES_ACCELERATION_AS_FORCE = "X35", _W, "Godot takes an acceleration for a force"
    GODOT_FLIPS_JOINT = "X36", _W, "Godot turns a joint the other way round"
    ENGINE_FILE_CHANGED = "X37", _I, "A file for an engine was changed since it was written"
    GODOT_DAMPS_BODIES = "X45", _I, "Godot slows bodies, unless its project says otherwise"
    GODOT_STOPS_KINEMATIC = "X46", _W, "Godot does not move a kinematic body by its velocity"
    GODOT_TURNS_MIRRORED = "X47", _W, "Godot turns a mirrored body"
    GODOT_SPLITS_RANGE = "X48", _W, "Godot holds a range over several axes on each of them"
    GODOT_GIVES_FRICTION = "X49", _I, "Godot gives all surfaces the same friction"
    GODOT_WEAKENS_WHEEL = "X50", _W, "Godot carries too little with a wheel"
    ENGINE_TAKES_OTHERWISE = "X51", _W, "An engine makes something else of it"
    ENGINE_READS_OTHER_FAMILY = "X52", _W, "An engine reads another family"
    GODOT_MIXES_ANGLES = "X53", _W, "Godot measures angles about several axes otherwise"
    GODOT_TAKES_OTHERWISE = "X57", _I, "Godot takes objects otherwise, unless written for it"
    GODOT_READS_NAME = "X68", _I, "Godot reads a name as a command, unless written for it"
    GODOT_LEAVES_BONES = "X69", _W, "Godot moves bodies on bones and leaves the bones"
    GODOT_ZEROES_SHAPE_KEYS = "X73", _I, "Godot begins shape keys at 0"
    GODOT_SHOWS_NO_MESH = "X74", _W, "Godot does not show what is on nodes with physics"
    BABYLON_IGNORES_TRIGGER = "X40", _W, "Babylon.js makes no trigger"
    BABYLON_SPEEDS_MOTOR = "X41", _W, "Babylon.js moves a motor too fast"
    BABYLON_SLOWS_SPIN = "X42", _I, "Babylon.js slows a spin"
    BABYLON_CONFUSES_SYSTEMS = "X43", _W, "Babylon.js confuses collision systems"
    BABYLON_CHANGES_TAPER = "X44", _W, "Babylon.js makes another shape of a tapered one"
    BABYLON_IGNORES_GRAVITY = "X54", _W, "Babylon.js does not read gravity"
    BABYLON_WEAKENS_DRIVE = "X55", _W, "Babylon.js takes a drive for any mass for a weak one"
    BABYLON_MIXES_ANGLES = "X56", _W, "Babylon.js measures angles about several axes otherwise"
    BABYLON_MULTIPLIES_INERTIA = "X58", _W, "Babylon.js multiplies moments of inertia by the mass"
    BABYLON_COMBINES_OTHERWISE = "X59", _W, "Babylon.js combines surfaces of two modes otherwise"
    GODOT_HOLDS_FRONT_ONLY = "X67", _W, "Godot may let bodies through a trimesh"
    BABYLON_TAKES_OTHERWISE = "X70", _I, "Babylon.js takes objects otherwise, unless written for it"
    BABYLON_LOSES_SHEARED = "X64", _W, "Babylon.js loses a sheared shape"
    GODOT_STIFFENS_MOTOR = "X71", _W, "Godot keeps the speed of a motor that yields"
    GODOT_ROLLS_VEHICLE = "X75", _W, "Godot drives or brakes a vehicle otherwise"
    ENGINE_LEAVES_GYROSCOPIC_OUT = "X72", _W, "An engine leaves out the gyroscopic torque of a body"
    SCENE_GRAVITY_NOT_WRITTEN = "X65", _W, "The gravity of Blender's scene is not written"
    PART_WITHOUT_BODY = "X66", _W, "Parts are not written below their body"


# What no sentence of a specification states: mechanics, the habits of engines, common sense.
_DERIVED_CODES: Final = (
    "B05z B09 B12 B21 B22 B24 B25 C07 C09 C10 C11 C13 C14 E04 E06 E07 G07 G08 G09 H08 H09 H10 H11 "
    "J05 J08 J09 J17 J20 J21 J28 J29 J30 J31 J34 J36 J39 J40 S10 S21 S25 S27 S33 S35 S36 S37 T07 "
    "T09 T10 V07 V10 V12 V18 V21 V22 V24 W08 W09"
)
_DERIVED: Final = frozenset(_DERIVED_CODES.split())
# What an engine never does, whatever the file says.
_FACTS: Final = frozenset(
    {
        Code.GODOT_IGNORES_INERTIA_ORIENTATION,
        Code.GODOT_IGNORES_GRAVITY_FACTOR,
        Code.GODOT_IGNORES_SURFACES,
        Code.GODOT_IGNORES_GRAVITY,
        Code.GODOT_STARTS_THRUSTER_AT_ZERO,
        Code.GODOT_DAMPS_BODIES,
        Code.GODOT_STOPS_KINEMATIC,
        Code.GODOT_GIVES_FRICTION,
        Code.BABYLON_IGNORES_TRIGGER,
        Code.BABYLON_SLOWS_SPIN,
        Code.BABYLON_IGNORES_GRAVITY,
    }
)
_WITH_ACTION: Final = frozenset(
    {
        Code.ENGINE_TAKES_OTHERWISE,
        Code.ENGINE_READS_OTHER_FAMILY,
        Code.GODOT_TAKES_OTHERWISE,
        Code.BABYLON_TAKES_OTHERWISE,
    }
)

# By the code that users see.
CATALOGUE: Final[dict[str, Code]] = {code.value: code for code in Code}
