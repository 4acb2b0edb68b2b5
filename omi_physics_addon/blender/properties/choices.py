# pyright: reportInvalidTypeForm=false
"""What operators ask for: their properties, shown after they ran."""

import bpy

from ..base import roles
from .bodies import MOTION_TYPES
from .shapes import TYPES

FAMILIES = (
    ("OMI", "OMI", "OMI_physics_body and the others of OMI", 0),
    ("KHR", "KHR", "KHR_physics_rigid_bodies, with gravity and seats of OMI", 1),
)
REPORTS = (
    ("CHECK", "Check", "Of the last check of the scene", 0),
    ("EXPORT", "Export", "Of the last export", 1),
    ("IMPORT", "Import", "Of the last import", 2),
)
_VOXEL = (
    "VOXEL",
    "Voxels",
    "Boxes that together fill the mesh, on new child objects; for moving bodies, too",
    "VOLUME_DATA",
    max(item[4] for item in TYPES) + 2,
)
FITTED_SHAPES = [*(item for item in TYPES if item[0] not in ("NONE", "OTHER", "PLANE")), _VOXEL]
_SIMPLEST = (
    "SIMPLEST",
    "Simplest",
    "The simplest shape that fits the object closely",
    "SHADERFX",
    max(item[4] for item in TYPES) + 1,
)
_STARTING = [_SIMPLEST, *(item for item in TYPES if item[0] not in ("OTHER", "PLANE"))]


class BodyType:
    """Which type of body."""

    type: bpy.props.EnumProperty(
        name="Type", description="How the body moves", items=MOTION_TYPES, default="DYNAMIC"
    )


class BodyCollider:
    """Whether new bodies get colliders."""

    use_collider: bpy.props.BoolProperty(
        name="Collider",
        description="Fit the simplest collider to each object without a shape on it or below it",
        default=True,
    )
    skip_unseen: bpy.props.BoolProperty(
        name="Skip Cameras and Lights",
        description="Leave cameras, lights and speakers as they are if anything else is selected",
        options={"HIDDEN", "SKIP_SAVE"},
    )


class WithCollider:
    """Whether bodies lose their colliders."""

    use_collider: bpy.props.BoolProperty(
        name="Collider, Too",
        description="Also remove unchanged colliders that came with a body, and those of objects "
        "without a body",
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
        name="Type", description="Type of the shape", items=FITTED_SHAPES, default="BOX"
    )


SOLID_PARTS = (
    ("COLLIDER", "Collider", "The shape of the collider"),
    ("TRIGGER", "Trigger", "The shape of the trigger"),
)


class FittedPart:
    """Part that the shape is fitted for, and along which axis."""

    part: bpy.props.EnumProperty(
        name="Shape Of",
        description="Collider, trigger or gravity to fit the shape for",
        items=(*SOLID_PARTS, ("GRAVITY", "Gravity", "The shape of Shaped gravity")),
        default="COLLIDER",
    )
    along: bpy.props.EnumProperty(
        name="Along",
        description="Axis of the object along which capsules and cylinders are fitted",
        items=(
            ("AUTO", "Automatic", "The axis that gives the smallest volume"),
            ("X", "X", "The X axis of the object"),
            ("Y", "Y", "The Y axis of the object"),
            ("Z", "Z", "The Z axis of the object"),
        ),
        default="AUTO",
    )


class CopiedParts:
    """Which parts are copied: `use_<part>` for each of `PARTS`."""


_COPIED = {"gravity": "gravity volume", "vehicle_body": "settings of the vehicle"}
CopiedParts.__annotations__ = {
    f"use_{part}": bpy.props.BoolProperty(
        name=label, description=f"Copy the {_COPIED.get(part, label.lower())}", default=True
    )
    for part, (label, _icon) in roles.PARTS.items()
}


class NewEntry:
    """What happens to a new entry of a list of the scene."""

    assign: bpy.props.BoolProperty(
        name="Assign", description="Also assign the new entry to the selected objects"
    )


class Direction:
    """Where an entry of a list goes."""

    direction: bpy.props.EnumProperty(
        name="Direction",
        description="Direction to move the entry",
        items=(("UP", "Up", "One place up"), ("DOWN", "Down", "One place down")),
        default="UP",
    )


class Extend:
    """What happens to what is selected already."""

    extend: bpy.props.BoolProperty(name="Extend", description="Extend the selection")


class SystemList:
    """Which list of systems of the active collision filter."""

    systems: bpy.props.EnumProperty(
        name="List",
        description="List of collision systems",
        items=(
            ("collision_systems", "Member Of", "Systems the object is part of"),
            ("collide_with_systems", "Only", "Systems to collide with"),
            ("not_collide_with_systems", "All But", "Systems not to collide with"),
        ),
        default="collision_systems",
    )


class Index:
    """Which entry of a list."""

    index: bpy.props.IntProperty(
        name="Index", description="Position in the list", min=0, options={"HIDDEN"}
    )


class RecordedTime:
    """How long and how finely the preview is recorded."""

    seconds: bpy.props.FloatProperty(
        name="Seconds", description="Duration of the recording", default=5.0, min=0.1, max=3600.0
    )
    rate: bpy.props.IntProperty(
        name="Rate", description="Frames to record per second", default=60, min=1, max=960
    )
    substeps: bpy.props.IntProperty(
        name="Substeps", description="Solver steps for each frame", default=4, min=1, max=1000
    )


class NeededSubsteps:
    """How finely the preview runs from now on."""

    substeps: bpy.props.IntProperty(
        name="Substeps",
        description="Solver steps for each step of the preview",
        default=4,
        min=1,
        max=50,
    )


class BakedFrames:
    """Which frames get keys, and whose."""

    start: bpy.props.IntProperty(
        name="Start", description="Frame at which the simulation starts", default=1
    )
    end: bpy.props.IntProperty(name="End", description="Last frame with a keyframe", default=250)
    step: bpy.props.IntProperty(
        name="Step", description="Frames between keyframes", default=1, min=1, max=100
    )
    only_selected: bpy.props.BoolProperty(
        name="Only Selected",
        description="Write keyframes for selected objects only; all bodies are simulated",
    )


class Row:
    """Which row of the Physics Outliner."""

    uid: bpy.props.IntProperty(
        name="Object", description="Number of the object in this session", options={"HIDDEN"}
    )


class SelectedRow(Row):
    """What is selected besides a row."""

    extend: bpy.props.BoolProperty(
        name="Extend", description="Extend the selection", options={"SKIP_SAVE"}
    )
    below: bpy.props.BoolProperty(
        name="With Rows Below",
        description="Also select the objects in the child rows",
        options={"SKIP_SAVE"},
    )


class Folding:
    """Whether rows are folded."""

    fold: bpy.props.BoolProperty(name="Fold", description="Collapse or expand the rows")


class RoleChoice:
    """What objects are."""

    role: bpy.props.EnumProperty(
        name="Role",
        description="Physics role of the objects",
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
        name="Family", description="In which family of extensions", items=FAMILIES, default="OMI"
    )


class PastedText:
    """What is pasted."""

    text: bpy.props.StringProperty(
        name="Text",
        description="JSON to paste; the clipboard is used when empty",
        options={"HIDDEN", "SKIP_SAVE"},
    )


class ReportChoice:
    """Which report."""

    kind: bpy.props.EnumProperty(
        name="Report Of", description="Report to show", items=REPORTS, default="EXPORT"
    )


class ShownCheck:
    """Whether a check is shown at once."""

    show: bpy.props.BoolProperty(
        name="Show Report",
        description="Open the report if anything is wrong",
        options={"HIDDEN", "SKIP_SAVE"},
    )


class RunChoice:
    """Whose report."""

    source: bpy.props.EnumProperty(
        name="Issues Of", description="Source of the issues", items=REPORTS, default="CHECK"
    )


class IssueChoice(RunChoice):
    """Which issues of a report."""

    code: bpy.props.StringProperty(name="Code", description="Code of the rule")
    object_name: bpy.props.StringProperty(
        name="Object", description="Name of the object; empty for all objects with the issue"
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
        description="Ignore the issue on the objects, or report it again",
        default=True,
    )
