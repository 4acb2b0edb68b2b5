# pyright: reportInvalidTypeForm=false
"""What operators ask for: their properties, shown after they ran."""

import bpy

from ..base import roles
from .bodies import MOTION_TEXTS
from .shapes import TYPES

_VOXEL = (
    "VOXEL",
    "Voxels",
    "Boxes that together fill the mesh, on objects of their own below; they may move",
    "VOLUME_DATA",
    max(item[4] for item in TYPES) + 2,
)
FITTED_SHAPES = [
    *(item for item in TYPES if item[0] not in ("NONE", "OTHER", "PLANE")),
    _VOXEL,
]
_SIMPLEST = (
    "SIMPLEST",
    "Simplest",
    "The simplest shape that is not much larger than the object",
    "SHADERFX",
    max(item[4] for item in TYPES) + 1,
)
_STARTING = [_SIMPLEST, *(item for item in TYPES if item[0] not in ("OTHER", "PLANE"))]


class BodyType:
    """Which type of body."""

    type: bpy.props.EnumProperty(
        name="Type",
        description="How the body moves",
        items=[(word.upper(), word.title(), text) for word, text in MOTION_TEXTS.items()],
        default="DYNAMIC",
    )


class BodyCollider:
    """Whether new bodies get colliders."""

    use_collider: bpy.props.BoolProperty(
        name="Collider",
        description="Fit the simplest collider to each that has no shape yet, on it or below it",
        default=True,
    )


class WithCollider:
    """Whether bodies lose their colliders."""

    use_collider: bpy.props.BoolProperty(
        name="Collider, Too",
        description="Remove the colliders that came with the bodies, too, where nobody changed "
        "them, and those of objects that are no bodies",
        options={"SKIP_SAVE"},
    )


class StartingShape:
    """Which shape a new collider or trigger starts with."""

    shape_type: bpy.props.EnumProperty(
        name="Shape",
        description="The shape to start with, as large as the object",
        items=_STARTING,
        default="SIMPLEST",
    )


class FittedShape:
    """What is fitted."""

    type: bpy.props.EnumProperty(
        name="Type", description="What kind of shape it is", items=FITTED_SHAPES, default="BOX"
    )


class FittedPart:
    """Part that the shape is fitted for, and along which axis."""

    part: bpy.props.EnumProperty(
        name="Shape Of",
        description="Part that the shape is fitted for",
        items=(
            ("COLLIDER", "Collider", "The shape of the collider"),
            ("TRIGGER", "Trigger", "The shape of the trigger"),
            ("GRAVITY", "Gravity", "The shape to whose surface gravity of type Shaped pulls"),
        ),
        default="COLLIDER",
    )
    along: bpy.props.EnumProperty(
        name="Along",
        description="Axis of the object that a capsule or cylinder lies on",
        items=(
            ("AUTO", "Automatic", "The axis that gives the smallest volume"),
            ("X", "X", "The X axis of the object"),
            ("Y", "Y", "The Y axis of the object"),
            ("Z", "Z", "The Z axis of the object"),
        ),
        default="AUTO",
    )


class CopiedParts:
    """Which parts are copied."""

    use_motion: bpy.props.BoolProperty(name="Body", description="Copy the body", default=True)
    use_collider: bpy.props.BoolProperty(
        name="Collider", description="Copy the collider", default=True
    )
    use_trigger: bpy.props.BoolProperty(
        name="Trigger", description="Copy the trigger", default=True
    )
    use_joint: bpy.props.BoolProperty(name="Joint", description="Copy the joint", default=True)
    use_gravity: bpy.props.BoolProperty(
        name="Gravity", description="Copy the gravity volume", default=True
    )
    use_vehicle_body: bpy.props.BoolProperty(
        name="Vehicle", description="Copy the settings of the vehicle", default=True
    )
    use_wheel: bpy.props.BoolProperty(name="Wheel", description="Copy the wheel", default=True)
    use_thruster: bpy.props.BoolProperty(
        name="Thruster", description="Copy the thruster", default=True
    )
    use_hover_thruster: bpy.props.BoolProperty(
        name="Hover Thruster", description="Copy the hover thruster", default=True
    )
    use_seat: bpy.props.BoolProperty(name="Seat", description="Copy the seat", default=True)


class NewEntry:
    """What happens to a new entry of a list of the scene."""

    assign: bpy.props.BoolProperty(
        name="Assign", description="Give the new entry to the selected objects too"
    )


class Direction:
    """Where an entry of a list goes."""

    direction: bpy.props.EnumProperty(
        name="Direction",
        description="Where the entry goes",
        items=(("UP", "Up", "One place up"), ("DOWN", "Down", "One place down")),
        default="UP",
    )


class Extend:
    """What happens to what is selected already."""

    extend: bpy.props.BoolProperty(
        name="Extend", description="Keep what is selected, and select more"
    )


class SystemList:
    """Which list of systems of the active collision filter."""

    systems: bpy.props.EnumProperty(
        name="List",
        description="Which list of systems",
        items=(
            ("collision_systems", "Member Of", "Systems the object is part of"),
            ("collide_with_systems", "Only", "Systems that are met"),
            ("not_collide_with_systems", "All But", "Systems that are not met"),
        ),
        default="collision_systems",
    )


class Index:
    """Which entry of a list."""

    index: bpy.props.IntProperty(
        name="Index", description="Place in the list", min=0, options={"HIDDEN"}
    )


class RecordedTime:
    """How long and how finely the preview is recorded."""

    seconds: bpy.props.FloatProperty(
        name="Seconds", description="How long to play", default=5.0, min=0.1, max=3600.0
    )
    rate: bpy.props.IntProperty(
        name="Rate",
        description="Frames per second, all of which are recorded",
        default=60,
        min=1,
        max=960,
    )
    substeps: bpy.props.IntProperty(
        name="Substeps",
        description="Steps of the solver for each frame",
        default=4,
        min=1,
        max=1000,
    )


class NeededSubsteps:
    """How finely the preview runs from now on."""

    substeps: bpy.props.IntProperty(
        name="Substeps",
        description="Steps of the solver for each step of the preview",
        default=4,
        min=1,
        max=50,
    )


class BakedFrames:
    """Which frames get keys, and whose."""

    start: bpy.props.IntProperty(
        name="Start", description="Frame at which the physics begins", default=1
    )
    end: bpy.props.IntProperty(name="End", description="Last frame with a key", default=250)
    step: bpy.props.IntProperty(
        name="Step", description="Frames from one key to the next", default=1, min=1, max=100
    )
    only_selected: bpy.props.BoolProperty(
        name="Only Selected", description="Write keys for selected objects only; all bodies play"
    )


class Row:
    """Which row of the Physics Outliner."""

    uid: bpy.props.IntProperty(
        name="Object", description="Number of the object in this session", options={"HIDDEN"}
    )


class SelectedRow(Row):
    """What is selected besides a row."""

    extend: bpy.props.BoolProperty(
        name="Extend",
        description="Keep what is selected, and select more",
        options={"SKIP_SAVE"},
    )
    below: bpy.props.BoolProperty(
        name="With Rows Below",
        description="Select the objects of the rows below, too",
        options={"SKIP_SAVE"},
    )


class Folding:
    """Whether rows are folded."""

    fold: bpy.props.BoolProperty(name="Fold", description="Fold the rows, or unfold them")


class RoleChoice:
    """What objects are."""

    role: bpy.props.EnumProperty(
        name="Role",
        description="What the objects are in physics",
        items=[
            (name, role.plural, f"Objects that are: {role.label}", role.icon, i)
            for i, (name, role) in enumerate(roles.ROLES.items())
        ],
        default="COLLIDER",
    )


class Shared:
    """What objects have in common with the active one."""

    what: bpy.props.EnumProperty(
        name="Same",
        description="What the objects share with the active one",
        items=(
            ("MATERIAL", "Physics Material", "The same physics material", "MATERIAL", 0),
            ("FILTER", "Collision Filter", "The same collision filter", "FILTER", 1),
            ("JOINT", "Joint Settings", "The same joint settings", "RIGID_BODY_CONSTRAINT", 2),
            ("SHAPE", "Shape Type", "A shape of the same type", "MESH_CUBE", 3),
        ),
        default="MATERIAL",
    )


class System:
    """Which collision system."""

    system: bpy.props.StringProperty(name="System", description="Name of the collision system")


class RenamedSystem(System):
    """A collision system and its new name."""

    new_name: bpy.props.StringProperty(name="Name", description="New name of the system")


class Pair:
    """Two collision systems, and whether they hit each other."""

    one: bpy.props.StringProperty(name="System", description="One collision system")
    other: bpy.props.StringProperty(name="Other System", description="The other collision system")
    hits: bpy.props.BoolProperty(
        name="Hit", description="Whether objects of the two systems collide", default=True
    )


class JsonFamily:
    """In which family."""

    family: bpy.props.EnumProperty(
        name="Family",
        description="In which family of extensions",
        items=(
            ("OMI", "OMI", "OMI_physics_body and the others of OMI", 0),
            ("KHR", "KHR", "KHR_physics_rigid_bodies, with gravity and seats of OMI", 1),
        ),
        default="OMI",
    )


class PastedText:
    """What is pasted."""

    text: bpy.props.StringProperty(
        name="Text",
        description="The JSON to paste; what is in the clipboard where there is none",
        options={"HIDDEN", "SKIP_SAVE"},
    )


class ReportChoice:
    """Which report."""

    kind: bpy.props.EnumProperty(
        name="Report Of",
        description="What the report is of",
        items=(
            ("EXPORT", "Export", "Of the last export", 1),
            ("IMPORT", "Import", "Of the last import", 2),
        ),
        default="EXPORT",
    )


class RunChoice:
    """Whose report."""

    source: bpy.props.EnumProperty(
        name="Issues Of",
        description="Whose issues",
        items=(
            ("CHECK", "Check", "Of the last check of the scene", 0),
            ("EXPORT", "Export", "Of the last export", 1),
            ("IMPORT", "Import", "Of the last import", 2),
        ),
        default="CHECK",
    )


class IssueChoice(RunChoice):
    """Which issues of a report."""

    code: bpy.props.StringProperty(name="Code", description="Code of the rule")
    object_name: bpy.props.StringProperty(
        name="Object", description="The object; all that have the issue when empty"
    )


class AboutChoice(IssueChoice):
    """Which issues of an object: one, or all of a part."""

    part: bpy.props.StringProperty(
        name="Part", description="The part, where no code is given; all parts when empty"
    )


class IgnoreChoice(IssueChoice):
    """Which issues of a report, and whether they are to be ignored."""

    is_ignored: bpy.props.BoolProperty(
        name="Ignore",
        description="Whether the objects are to ignore it from now on, or no longer",
        default=True,
    )
