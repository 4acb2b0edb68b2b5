"""The catalogue of issue codes: the names that code uses, and what users see of each.

Command lines load this in whatever Python they are started with, so it needs nothing of newer ones.
"""

from __future__ import annotations

import enum


class Severity(enum.Enum):
    """How bad an issue is."""

    ERROR = "ERROR"  # A rule of the specification is broken, or the thing cannot work.
    WARNING = "WARNING"  # Legal or disputed; some reader will do something else.
    INFO = "INFO"  # Worth knowing.


ERROR, WARNING, INFO = _E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO
# What the last word of a row says: an engine does so whatever the file says; or the sentence of a
# finding names one action that sets all of them right.
FACT, ACTION = "FACT", "ACTION"

# By the code that users see; engines add theirs, see `engines`.
CATALOGUE: dict[str, IssueCode] = {}


class IssueCode(str, enum.Enum):  # noqa: UP042 - old Pythons have no StrEnum.
    """What can be wrong; the value is the code that users see and files of tests name.

    Attributes:
        severity: how bad it is, unless the finding says otherwise.
        text: what is wrong, for users.
        is_fact: whether it is about an engine, and no fault of what it is told of.
        names_action: whether the sentence of a finding names one action that sets all of them
            right.
    """

    severity: Severity
    text: str
    is_fact: bool
    names_action: bool

    def __new__(cls, value: str, severity: Severity, text: str, kind: str = "") -> IssueCode:
        """A row of the catalogue.

        Raises:
            ValueError: the catalogue has the code.
        """
        if value in CATALOGUE:
            raise ValueError(f"the code {value} has two rows")
        code = CATALOGUE[value] = str.__new__(cls, value)
        code._value_ = value
        code.severity, code.text = severity, text
        code.is_fact, code.names_action = kind == FACT, kind == ACTION
        return code

    __str__ = str.__str__
    __format__ = str.__format__

    @property
    def is_derived(self) -> bool:
        """Whether no sentence of a specification states it, but mechanics and practice do."""
        return self.value in _DERIVED

    @property
    def is_of_engine(self) -> bool:
        """Whether it tells what an engine does with a file that is written for it."""
        named = ("ENGINE_LEAVES_", "ENGINE_SHIFTS_", "ENGINE_TAKES_")
        return not isinstance(self, Code) or self.name.startswith(named)


@enum.unique
class Code(IssueCode):
    """What can be wrong with files and scenes, whatever the engine.

    Codes of one or two letters and two digits that stand in the table of checks keep their
    meaning there; F (format), X (exchange) are ours.
    """

    MOTION_TYPE_MISSING = "B01", _E, "A motion has no type"
    MOTION_TYPE_UNKNOWN = "B02", _E, "A motion has an unknown type"
    BODY_WITHOUT_COLLIDER = "B03", _W, "A moving body has no collider"
    BODY_BELOW_BODY = "B04", _I, "A body is a child of another body and does not follow it"
    MASS_NEGATIVE = "B05", _E, "A mass is negative"
    MASS_ZERO_IN_OMI = "B05z", _W, "A mass is zero, which OMI leaves undefined"
    STATIC_BODY_MASS = "B06", _I, "A static body has a mass"
    MASS_ZERO_IS_INFINITE = "B07", _W, "A mass is zero, which means infinite"
    MOMENT_NEGATIVE = "B08", _E, "A principal moment of inertia is negative"
    MOMENT_TOO_LARGE = (
        "B09",
        _W,
        "A principal moment of inertia is larger than the sum of the others",
    )
    MOMENTS_PARTLY_ZERO = "B10", _W, "Some but not all principal moments of inertia are zero"
    MOMENT_ZERO_IS_INFINITE = (
        "B10k",
        _W,
        "A principal moment of inertia is zero, which means infinite",
    )
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
    MASS_LEFT_TO_ENGINE = "B20", _I, "A dynamic body has no mass, so each engine computes one"
    DYNAMIC_BODY_ON_BONE = "B21", _W, "A dynamic body is on a bone or below one"
    DYNAMIC_BODY_ONLY_TRIGGERS = "B22", _W, "A dynamic body has a trigger but no collider"
    ORIENTATION_ZERO = "B23", _E, "An orientation is a zero quaternion"
    JOINED_MASSES_DIFFER = "B24", _W, "A joint connects bodies of very different masses"
    BODIES_OVERLAP = "B25", _W, "Two bodies overlap at the start"
    COLLIDER_GROUP_EMPTY = "C01", _W, "A collider without a shape has no colliders below it"
    COLLIDER_WITHOUT_GEOMETRY = "C02", _E, "A collider has no geometry"
    COLLIDER_AND_TRIGGER = "C03", _W, "A collider and a trigger share a node"
    SURFACE_VALUE_NEGATIVE = "C04", _E, "A friction or restitution is negative"
    SURFACE_VALUE_ABOVE_ONE = "C05", _I, "A friction or restitution is above 1"
    COMBINE_MODE_UNKNOWN = "C06", _E, "A combine mode is unknown"
    DYNAMIC_FRICTION_ABOVE_STATIC = (
        "C07",
        _W,
        "A dynamic friction is higher than the static friction",
    )
    FILTER_ALLOWS_AND_FORBIDS = (
        "C08",
        _E,
        "A filter lists both systems to collide with and systems not to",
    )
    FILTER_EMPTY = "C09", _W, "A collision filter has no systems"
    FILTER_SYSTEM_UNUSED = "C10", _W, "A filter refers to a collision system without objects"
    SYSTEM_NAMES_ALIKE = "C11", _W, "Names of collision systems differ only in case or spaces"
    FILTER_LIST_EMPTY = "C12", _I, "A collision filter has an empty list"
    SURFACE_ENTRY_UNUSED = "C13", _I, "A physics material or collision filter is unused"
    TOO_MANY_SYSTEMS = "C14", _W, "There are more than 32 collision systems"
    COMBINE_MODE_MISSING = "C15", _I, "A physics material has no combine mode"
    TYPE_WRONG = "F01", _E, "A value has the wrong type"
    OUT_OF_BOUNDS = "F02", _E, "A value is outside its bounds"
    NESTED_TOO_DEEPLY = "F03", _E, "A value is nested too deeply"
    EXTENSION_NOT_LISTED = "G01", _E, "An extension is used but not listed"
    EXTENSION_NOT_USED = "G02", _I, "An extension is listed but not used"
    EXTENSION_REQUIRED = "G03", _W, "An extension of physics is required"
    NUMBER_NOT_FINITE = "G04", _E, "A number is not finite"
    INDEX_BEYOND_ARRAY = "G05", _E, "An index points beyond its array"
    INDEX_MINUS_ONE = "G06", _W, "An index is written as -1"
    KEY_UNKNOWN = "G07", _I, "An object has a key that no specification defines"
    FAMILIES_DISAGREE = "G08", _W, "OMI and KHR disagree on a node"
    DIALECT_OLD = "G09", _I, "The file uses an older form of the extensions"
    LIST_EMPTY = "G10", _E, "A list of the document is empty"
    GLTF_DRAFT = "G11", _I, "The file uses the draft of glTF 2.1"
    GLTF_VERSION_UNKNOWN = "G12", _W, "The version of glTF is unknown"
    SEAT_POINT_MISSING = "E01", _E, "A seat has no back, foot or knee point"
    SEAT_POINT_INVALID = "E02", _E, "A point of a seat is not three numbers"
    SEAT_POINTS_ON_LINE = "E03", _E, "The points of a seat are on one line"
    SEAT_ANGLE_UNUSUAL = "E04", _W, "The spine angle of a seat is not between 0 and half a turn"
    SEAT_WITHOUT_TRIGGER = "E05", _I, "A seat has no trigger to enter it"
    SEAT_SIZE_UNUSUAL = "E06", _W, "A seat is very large or very small"
    SEAT_SCALED = "E07", _W, "A seat is scaled"
    VEHICLE_WITHOUT_BODY = "H01", _E, "A vehicle has no body"
    VEHICLE_NOT_DYNAMIC = "H02", _W, "The body of a vehicle is not dynamic"
    PILOT_SEAT_NO_SEAT = "H03", _E, "The pilot seat of a vehicle refers to a node without a seat"
    PILOT_SEAT_NOT_FORWARD = "H04", _W, "A pilot seat does not face forward"
    PILOT_SEAT_OUTSIDE = "H05", _I, "A pilot seat is not below its vehicle"
    ACTIVATION_OUT_OF_RANGE = "H06", _W, "An activation of a vehicle is outside -1 to 1"
    ACTIVATION_AT_START = "H07", _I, "A vehicle has an activation at the start"
    VEHICLE_MAX_SPEED_ZERO = "H08", _W, "A vehicle has a maximum speed of zero"
    GYRO_TORQUE_NEGATIVE = "H09", _W, "A gyroscope has a negative torque"
    THROTTLE_DRIVES_NOTHING = (
        "H10",
        _W,
        "A vehicle uses a throttle but has no wheel or thruster with a force",
    )
    VEHICLE_WITHOUT_PROPULSION = "H11", _W, "A vehicle has no gyroscope, wheel or thruster"
    VEHICLE_ARRAY_LENGTH_WRONG = "H12", _E, "A list of a vehicle is not three numbers"
    JOINT_WITHOUT_SETTINGS = "J01", _E, "A joint has no settings"
    JOINT_WITHOUT_CONNECTION = "J02", _E, "A joint connects to nothing"
    JOINT_NOT_BELOW_DYNAMIC_BODY = "J03", _W, "A joint is not below a dynamic body"
    JOINT_CONNECTED_TO_NO_BODY = "J04", _E, "A joint is connected to a node without a body"
    JOINT_TO_WORLD = "J04k", _I, "A joint attaches a body to the world"
    JOINT_WITHIN_ONE_BODY = "J05", _E, "A joint connects a body to itself"
    JOINT_OF_IMMOVABLES = "J06", _E, "A joint connects two bodies that cannot move"
    JOINT_SHARES_NODE = "J07", _W, "A joint shares its node with other physics"
    JOINT_CONNECTED_TO_ITSELF = "J08", _E, "A joint is connected to its own node"
    JOINTS_OF_SAME_NODES = "J09", _W, "Two joints connect the same two nodes"
    JOINT_SETTINGS_EMPTY = "J10", _W, "Joint settings have neither limits nor drives"
    LIMIT_WITHOUT_AXIS = "J11", _E, "A limit has no axis"
    LIMIT_AXES_MIXED = "J12", _W, "A limit has linear and angular axes together"
    LIMIT_AXIS_INVALID = "J13", _E, "An axis is not 0, 1 or 2, or is listed twice"
    LIMIT_WITHOUT_RANGE = "J14", _W, "A limit has neither min nor max"
    LIMIT_MIN_ABOVE_MAX = "J15", _E, "A limit has a min above its max"
    LIMIT_DISTANCES_NEGATIVE = "J16", _E, "A limit allows only negative distances"
    LIMIT_MIN_DISTANCE_NEGATIVE = "J16i", _I, "A distance limit has a negative min"
    LIMIT_ANGLE_BEYOND_TURN = "J17", _W, "An angle of a limit is more than a full turn"
    LIMIT_STIFFNESS_NEGATIVE = "J18", _E, "A stiffness is negative"
    LIMIT_DAMPING_NEGATIVE = "J19", _E, "A damping is negative"
    LIMIT_DAMPING_WITHOUT_SPRING = "J20", _W, "A hard limit has damping"
    LIMITS_SHARE_AXIS = "J21", _W, "Two limits act on one axis"
    DRIVE_INCOMPLETE = "J22", _E, "A drive lacks its type, mode or axis"
    DRIVE_KIND_UNKNOWN = "J23", _E, "A drive has an unknown type or mode"
    DRIVE_AXIS_INVALID = "J24", _E, "A drive has an axis other than 0, 1, 2"
    DRIVE_POSITION_WITHOUT_STIFFNESS = "J25", _W, "A drive has a position target but no stiffness"
    DRIVE_STIFFNESS_WITHOUT_POSITION = "J26", _W, "A drive has stiffness but no position target"
    DRIVE_VELOCITY_WITHOUT_DAMPING = "J27", _W, "A drive has a velocity target but no damping"
    DRIVE_DAMPING_WITHOUT_VELOCITY = "J27b", _I, "A drive has damping but no velocity target"
    DRIVE_TARGET_OUTSIDE_LIMITS = "J28", _W, "A drive has a target outside the limits"
    DRIVE_ON_FIXED_AXIS = "J29", _W, "A drive acts on a locked axis"
    DRIVES_SHARE_AXIS = "J30", _W, "Two drives act on one axis"
    DRIVE_WITHOUT_FORCE = "J31", _W, "A drive has a maximum force of zero"
    DRIVE_MAX_FORCE_NEGATIVE = "J31n", _E, "A maximum force is negative"
    DRIVE_OF_ACCELERATION = "J32", _I, "A drive is in acceleration mode"
    FIXED_JOINT_ENDS_APART = "J33", _W, "The ends of a fixed joint are in different places"
    JOINT_SCALED = "J34", _W, "A joint is scaled or sheared"
    LIMIT_OF_DISTANCE = "J35", _I, "A limit over several axes is a distance or a cone"
    JOINT_SETTINGS_UNUSED = "J36", _I, "Joint settings are unused"
    LIMIT_SPLIT_BY_AXES = "J37", _I, "A limit was split because its axes convert differently"
    JOINT_ANIMATED = "J38", _W, "An end of a joint is animated"
    JOINT_ENDS_APART = "J39", _W, "The ends of a joint start outside its limits"
    JOINED_MASSES_UNEQUAL = (
        "J40",
        _I,
        "A joint connects bodies of which one is over ten times as heavy",
    )
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
        "OMI and KHR interpret the velocity of a kinematic body differently",
    )
    MASS_ESTIMATED = "L04", _W, "A mass left to the engine is written as an estimate"
    CENTER_OF_MASS_ESTIMATED = (
        "L05",
        _W,
        "A center of mass left to the engine is written as an estimate",
    )
    INFINITE_MASS_REPLACED = "L06", _W, "An infinite mass is written as kinematic or as a large one"
    INFINITE_MOMENT_REPLACED = "L07", _W, "An infinite moment of inertia is written as a large one"
    PLANE_AS_BOX = "L08", _W, "A plane is written as a box"
    COLLIDER_GROUP_LEFT_OUT = "L09", _I, "A collider that groups others is left out"
    COMPOUND_TRIGGER_LISTED = "L10", _I, "A compound trigger is written with the list of its parts"
    LIMIT_AXES_AMBIGUOUS = (
        "L11",
        _W,
        "A limit of several axes is a distance in KHR, but a range of each axis in OMI importers",
    )
    JOINT_END_ADDED = "L12", _I, "A static body or a node was added for the end of a joint"
    JOINT_SWAPPED = "L13", _I, "A joint is written with its ends swapped"
    JOINT_NOT_SWAPPABLE = "L14", _W, "The ends of a joint cannot be swapped"
    OMI_ONLY_LEFT_OUT = (
        "L15",
        _W,
        "Gravity, vehicles or vehicle parts are left out, because KHR has none",
    )
    PLANE_IN_OLD_FORM = "L16", _W, "A plane is written in a form without planes"
    NODE_GEOMETRY_AS_MESH = (
        "L17",
        _W,
        "A geometry that refers to a node is written as the node's mesh",
    )
    MESH_WITHOUT_OWN_NODE = (
        "L18",
        _W,
        "A geometry refers to a mesh, because no node has that mesh alone",
    )
    BODY_SWITCHED_OFF = "L19", _I, "A body that is switched off is not imported"
    SHAPE_SCALE_APPLIED = "L20", _I, "A scaled shape is written in its final size"
    SHAPE_SCALE_NOT_APPLIED = "L21", _W, "A scaled shape cannot be written in its final size"
    FILTER_SYSTEMS_AMBIGUOUS = (
        "L22",
        _I,
        "OMI and KHR interpret a filter with several systems differently",
    )
    DRIVE_GAIN_LEFT_OUT = "L23", _W, "A stiffness or damping without effect is left out of a drive"
    MOMENTS_LEFT_TO_ENGINE = "L24", _W, "Partly zero moments of inertia are left to the engine"
    MEMBERS_LEFT_OUT = "L25", _W, "Members without a place in the target family are left out"
    ANIMATION_TARGET_GONE = "L26", _W, "An animation targets a property that no longer exists"
    PLANE_IN_CORE = "L27", _I, "A plane of two sides is written in a form with one-sided planes"
    THRUSTER_MAX_INVALID = "R01", _E, "A thruster has no maximum force or energy, or a negative one"
    THRUSTER_MAX_ZERO = "R01z", _W, "A thruster has a force or energy of zero"
    HOVER_TOO_WEAK = "R02", _W, "Hover thrusters cannot lift their vehicle"
    GIMBAL_ANGLE_OUT_OF_RANGE = "R03", _E, "A gimbal angle is outside 0 to half a turn"
    GIMBAL_RATIO_TOO_LONG = "R05", _W, "A gimbal ratio is longer than 1"
    GIMBAL_ADJUSTMENT_OUT_OF_RANGE = "R06", _W, "A gimbal adjustment is outside 0 to 1"
    GIMBAL_CANNOT_TURN = "R07", _I, "A gimbal has a change rate of zero"
    SHAPE_TYPE_UNKNOWN = "S01", _E, "A shape has an unknown type"
    SHAPE_OBJECT_MISSING = "S02", _W, "A shape lacks the object with the values of its type"
    SHAPE_OBJECT_FOREIGN = "S03", _W, "A shape has the object of another type"
    BOX_SIZE_INVALID = "S04", _E, "A box size is not three positive numbers"
    SPHERE_RADIUS_NOT_POSITIVE = "S05", _E, "A sphere radius is not positive"
    SHAPE_HEIGHT_NOT_POSITIVE = "S06", _E, "A height is not positive"
    SHAPE_RADIUS_NEGATIVE = "S07", _E, "A radius is negative"
    SHAPE_RADII_ZERO = "S08", _E, "Both radii are zero"
    SHAPE_TAPERED = "S09", _I, "A capsule or cylinder is tapered"
    CAPSULE_IS_SPHERE = "S10", _W, "One end of a capsule contains the other"
    CYLINDER_USED = "S11", _I, "A cylinder is used, which some engines lack"
    SHAPE_MESH_MISSING = "S12", _E, "A convex or trimesh shape has no valid mesh"
    COLLISION_MESH_EMPTY = "S13", _E, "A collision mesh has no triangles"
    HULL_LARGE = "S14", _W, "A convex hull has more than 255 vertices"
    COLLISION_MESH_OF_PARTS = "S15", _W, "A collision mesh has several primitives"
    COLLISION_MESH_NOT_TRIANGLES = "S16", _E, "A collision mesh is not made of triangles"
    TRIMESH_ON_DYNAMIC_BODY = "S17", _W, "A trimesh is on a dynamic body"
    TRIMESH_TRIGGER = "S18", _W, "A trigger is a trimesh"
    TRIMESH_ON_KINEMATIC_BODY = "S19", _W, "A trimesh is on a kinematic body"
    SHAPE_SCALED = "S20", _W, "A shape is scaled"
    ROUND_SHAPE_SCALED_UNEVENLY = "S21", _W, "A round shape is scaled unevenly"
    SHAPE_SCALED_TO_NOTHING = "S22", _W, "A shape has a scale of zero"
    SHAPE_MIRRORED = "S23", _W, "A shape is mirrored"
    SHAPE_OLD_RADIUS = "S24", _W, "A capsule or cylinder has one radius, as in older files"
    SHAPE_UNUSED = "S25", _I, "A shape is unused"
    PLANE_SIZE_NOT_POSITIVE = "S26", _E, "A plane size is not positive"
    SHAPES_ALIKE = "S27", _I, "Two shapes are equal"
    GEOMETRY_REFERENCES_INVALID = (
        "S28",
        _E,
        "A geometry does not refer to exactly one of shape and mesh",
    )
    GEOMETRY_NODE_WITHOUT_MESH = "S29", _E, "A geometry refers to a node without a mesh"
    CONVEX_HULL_OF_NO_MESH = "S30", _I, "A shape without a mesh is set to convex hull"
    COLLISION_MESH_LARGE = "S31", _W, "A collision mesh has more than 10 000 triangles"
    GEOMETRY_NOT_PLAIN_MESH = "S32", _I, "A geometry refers to more than a plain mesh"
    PLANE_ON_MOVING_BODY = "S33", _W, "A plane is on a moving body"
    SHAPE_SCALED_IN_KHR = "S34", _I, "A shape is scaled, which KHR allows"
    COLLISION_MESH_NOT_SOLID = "S35", _W, "The convex hull of a collision mesh is flat"
    INSTANCE_SCALED = "S38", _W, "The scale of an instance reaches shapes in it"
    SHAPE_OUTDATED = "S36", _W, "A mesh has changed since a shape was fitted to it"
    COLLISION_MESH_LOOKS_AWAY = "S37", _W, "A trimesh has faces with inverted normals"
    TRIGGER_WITHOUT_SHAPE = "T01", _E, "A trigger has neither a shape nor nodes"
    TRIGGER_SHAPE_AND_NODES = "T02", _E, "A trigger has both a shape and nodes"
    TRIGGER_NODE_NOT_BELOW = "T03", _E, "A trigger lists a node that is not below it"
    TRIGGER_NODE_NO_TRIGGER = "T04", _E, "A trigger lists a node without a trigger"
    COMPOUND_TRIGGER_FILTER = "T05", _W, "A compound trigger has a collision filter"
    TRIGGER_NODES_INVALID = "T06", _E, "A trigger lists no node, or a node twice"
    COMPOUND_TRIGGER_NESTED = "T07", _W, "A compound trigger lists another compound trigger"
    TRIGGER_LISTS_ITSELF = "T08", _E, "A trigger lists itself"
    TRIGGER_NOT_LISTED = "T09", _W, "A trigger below a compound trigger is not listed"
    TRIGGER_VISIBLE = "T10", _W, "The mesh of a trigger is visible and has no material"
    GRAVITY_WITHOUT_TRIGGER = "V01", _E, "A gravity volume has no trigger"
    GRAVITY_ON_SOLID = "V02", _E, "A gravity volume is a body or a collider"
    GRAVITY_IN_COMPOUND = "V03", _E, "A part of a compound trigger has gravity of its own"
    GRAVITY_TYPE_UNKNOWN = "V04", _E, "A gravity has an unknown type"
    GRAVITY_STRENGTH_MISSING = "V05", _E, "A gravity volume has no strength"
    GRAVITY_OBJECT_MISSING = "V06", _W, "A gravity lacks the object with the values of its type"
    GRAVITY_OBJECT_FOREIGN = "V07", _W, "A gravity has the object of another type"
    GRAVITY_DIRECTION_NOT_UNIT = "V08", _W, "A gravity direction is zero or not of length 1"
    UNIT_DISTANCE_NEGATIVE = "V09", _E, "A unit distance is negative"
    GRAVITY_RADIUS_NOT_POSITIVE = "V10", _E, "A disc or torus has no size"
    LINE_POINTS_INVALID = "V11", _E, "A gravity line has too few points or incomplete ones"
    LINE_PIECE_WITHOUT_LENGTH = "V12", _W, "Two successive points of a gravity line are equal"
    GRAVITY_SHAPE_MISSING = "V13", _E, "Shaped gravity has no valid shape"
    GRAVITY_ORDER_OPEN = "V14", _W, "Gravity volumes of one priority overlap"
    PRIORITY_NOT_WHOLE = "V15", _E, "A priority is not a whole number"
    WORLD_GRAVITY_STRENGTH_MISSING = "V16", _E, "World gravity has no strength"
    WORLD_GRAVITY_DIRECTION_NOT_UNIT = "V17", _W, "A world gravity direction is not of length 1"
    GRAVITY_SCALED = "V18", _W, "A gravity volume is scaled"
    GRAVITY_STOP_BELOW_WORLD = (
        "V19",
        _W,
        "A gravity volume with a negative priority stops lower priorities",
    )
    GRAVITY_CONSTANT = "V20", _I, "Gravity has the same strength at every distance"
    GRAVITY_REPLACES_AND_STOPS = "V21", _I, "A gravity volume both replaces and stops other gravity"
    GRAVITY_ZERO = "V22", _W, "A gravity volume of strength zero has no effect"
    WORLD_GRAVITY_IN_PROP = "V23", _W, "A file of one moving body sets the gravity of the world"
    GRAVITY_ON_COMPOUND = "V24", _I, "A gravity volume has no shape of its own"
    VEHICLE_PART_WITHOUT_VEHICLE = "W01", _W, "A vehicle part has no vehicle above it"
    VEHICLE_PART_ON_VEHICLE = "W02", _E, "A vehicle part is on the vehicle itself"
    WHEEL_SIZE_NOT_POSITIVE = "W03", _E, "A wheel radius or width is not positive"
    SUSPENSION_OUT_OF_RANGE = "W04", _E, "A suspension value is out of range"
    STEERING_ANGLE_OUT_OF_RANGE = "W05", _E, "A steering angle is outside 0 to half a turn"
    STEERING_RATIO_OUT_OF_RANGE = "W06", _W, "A steering ratio is outside -1 to 1"
    PROPULSION_FORCE_NEGATIVE = "W07", _E, "A propulsion force is negative"
    VEHICLE_PART_OF_OTHER_BODY = "W08", _E, "A vehicle part is below another body than its vehicle"
    VEHICLE_PART_SCALED = "W09", _W, "A vehicle part is scaled"
    WHEEL_AXLE_NOT_ACROSS = "W10", _W, "The axle of a wheel does not point across its vehicle"
    VEHICLE_PART_OLD_KEYS = "W11", _W, "A vehicle part has property names of 2025"
    WHEEL_BRAKES_BY_MOTOR = "W12", _I, "A wheel brakes with the force of its motor"
    WHEEL_MATERIAL_AMBIGUOUS = "W13", _W, "OMI and KHR have different materials for a wheel"
    SHAPE_SIZE_AMBIGUOUS = "X01", _I, "Importers read the size of a capsule differently"
    TAPERED_SHAPE_UNSUPPORTED = "X02", _W, "A tapered shape cannot be written for the chosen engine"
    EXTENSION_NOT_READ = "X03", _I, "The file uses a physics extension that is not supported"
    REFERENCE_NOT_EXPORTED = "X04", _W, "A referenced object is not part of the export"
    NAME_NOT_IN_LIST = "X05", _W, "A shared entry is missing"
    AUTOMATIC_VALUE_FAILED = "X06", _W, "An automatic value could not be computed"
    EXPORT_OPTION_CHANGED = "X07", _W, "An export option was changed so that physics is not lost"
    FAULT_WRITTEN_BACK = "X08", _I, "A fault of the imported file was written back unchanged"
    NODE_WITHOUT_OBJECT = "X09", _W, "Physics of a node has no object in Blender"
    PHYSICS_ANIMATION_LOST = "X11", _W, "An animation of a physics property is lost"
    UNIT_SCALE_NOT_EXPORTED = "X12", _W, "The unit scale of the scene is not exported"
    SHAPE_LIST_MEMBERS_LEFT_OUT = (
        "X13",
        _W,
        "Members beside a list of shapes are left out, because the list has no shapes",
    )
    SHAPE_PLACE_NOT_EXPORTED = "X15", _W, "The location of a shape on its object is not exported"
    JOINT_UNFINISHED = "X16", _W, "A joint without settings or connection is not exported"
    REFERENCE_LEFT_OUT = "X17", _W, "A reference that led nowhere is left out"
    BOUNDING_VOLUMES_LOST = "X18", _W, "Bounding volumes of nodes are not imported"
    RIGID_BODY_VALUE_KEPT = (
        "X60",
        _I,
        "A value of Blender's rigid bodies has no counterpart in glTF",
    )
    RIGID_BODY_LEFT_OUT = "X61", _W, "A rigid body or constraint of Blender is left out"
    RIGID_BODY_CANNOT_SAY = "X62", _W, "Blender's rigid bodies lack a feature that is used"
    NAME_NOT_UNDERSTOOD = "X63", _W, "A name has an unknown prefix or suffix for physics"
    ENGINE_FILE_CHANGED = "X37", _I, "A file for an engine was edited after the export"
    ENGINE_TAKES_OTHERWISE = "X51", _W, "An engine interprets the physics differently", ACTION
    ENGINE_READS_OTHER_FAMILY = "X52", _W, "An engine does not read the family of the file", ACTION
    ENGINE_LEAVES_GYROSCOPIC_OUT = "X72", _W, "An engine ignores the gyroscopic torque of a body"
    ENGINE_SHIFTS_STACKS = "X86", _W, "An engine shifts a high stack of bodies"
    SCENE_GRAVITY_NOT_WRITTEN = "X65", _W, "The gravity of Blender's scene is not exported"
    PART_WITHOUT_BODY = "X66", _W, "Parts of a body are not exported below that body"
    FORMAT_LEAVES_OUT = (
        "X80",
        _W,
        "A feature is left out, because the format of the output lacks it",
    )
    FORMAT_APPROXIMATES = "X81", _W, "A feature is written as the nearest one that the format has"
    FORMAT_VALUE_KEPT = "X82", _I, "A value of a robot has no counterpart in glTF and is kept"
    MESH_FILE_NOT_READ = "X83", _W, "A mesh file of a robot is missing or cannot be read"
    LINK_WITHOUT_MASS = "X84", _W, "A moving link has no mass or no inertia"


# What no sentence of a specification states: mechanics, the habits of engines, common sense.
_DERIVED_CODES = (
    "B05z B09 B12 B21 B22 B24 B25 C07 C09 C10 C11 C13 C14 E04 E06 E07 G07 G08 G09 H08 H09 H10 H11 "
    "J05 J08 J09 J17 J20 J21 J28 J29 J30 J31 J34 J36 J39 J40 S10 S21 S25 S27 S33 S35 S36 S37 T07 "
    "T09 T10 V07 V10 V12 V18 V21 V22 V24 W08 W09"
)
_DERIVED = frozenset(_DERIVED_CODES.split())
