# pyright: reportInvalidTypeForm=false
"""Property groups of joints and of the settings they share."""

import bpy

from ...model.joints import Joint, JointDrive, JointLimit
from . import entries
from .declare import (
    RecordGroup,
    flag,
    kept,
    made_up_name,
    name_in_file,
    number,
    optional,
    to_object,
)

_KINDS = (
    ("LINEAR", "Linear", "Along axes", "CON_LOCLIMIT", 0),
    ("ANGULAR", "Angular", "About axes", "CON_ROTLIMIT", 1),
)
MODES = (
    ("FORCE", "Force", "Stiffness and damping produce a force", 0),
    (
        "ACCELERATION",
        "Acceleration",
        "Stiffness and damping produce an acceleration, independent of mass",
        1,
    ),
)
AXES = tuple((axis, axis, f"The {axis} axis of the joint", i) for i, axis in enumerate("XYZ"))


def units_of(is_angular: bool, mode: str = "FORCE") -> tuple[str, str, str]:
    """The units of stiffness, damping and force of a limit or a drive."""
    force = "N m" if is_angular else "N"
    if mode == "ACCELERATION":  # Whatever the mass.
        return "/s²", "/s", force
    return ("N m", "N m s", force) if is_angular else ("N/m", "N s/m", force)


class OMIPHYSICS_PG_found_joint(bpy.types.PropertyGroup):
    """A joint that two parts seem to have."""

    use: bpy.props.BoolProperty(name="Make", description="Create this joint")
    part: bpy.props.StringProperty(name="Part", description="Moving object")
    other: bpy.props.StringProperty(
        name="Other", description="Object that the moving object is attached to"
    )
    kind: bpy.props.StringProperty(name="Kind", description="Kind of joint")
    confidence: bpy.props.FloatProperty(
        name="Confidence",
        description="Confidence of the detection",
        subtype="FACTOR",
        min=0.0,
        max=1.0,
    )
    place: bpy.props.FloatVectorProperty(
        name="Place", description="Where the joint is", subtype="TRANSLATION", size=3
    )
    axis: bpy.props.FloatVectorProperty(
        name="Axis", description="Axis of the joint", subtype="DIRECTION", size=3
    )
    has_reach: bpy.props.BoolProperty(
        name="Limit Distance", description="Limit how far it can travel"
    )
    reach: bpy.props.FloatVectorProperty(
        name="Reach", description="Minimum and maximum along the axis", size=2
    )


class OMIPHYSICS_PG_joint_limit(bpy.types.PropertyGroup):
    """Shows a `JointLimit`, whose axes are those of Blender."""

    kind: bpy.props.EnumProperty(
        name="Kind", description="Limit translation or rotation", items=_KINDS
    )
    axes: bpy.props.BoolVectorProperty(
        name="Axes", description="Axes of the joint that are limited", size=3, subtype="XYZ"
    )
    use_min: bpy.props.BoolProperty(name="Use Min", description="Use a minimum")
    min_distance: number(JointLimit, "min", default=0.0, label="Min", unit="LENGTH")
    min_angle: number(JointLimit, "min", default=0.0, label="Min", unit="ROTATION")
    use_max: bpy.props.BoolProperty(name="Use Max", description="Use a maximum")
    max_distance: number(JointLimit, "max", default=0.0, label="Max", unit="LENGTH")
    max_angle: number(JointLimit, "max", default=0.0, label="Max", unit="ROTATION")
    use_stiffness: bpy.props.BoolProperty(
        name="Soft", description="Use a spring beyond the limits instead of a hard stop"
    )
    stiffness: number(JointLimit, "stiffness", default=100.0)
    damping: number(JointLimit, "damping")
    split_from: bpy.props.IntProperty(
        name="Split From",
        description="Limits with the same number (not zero) were one limit in the imported file",
        options={"HIDDEN"},
    )
    kept: kept()


class OMIPHYSICS_PG_joint_drive(RecordGroup, bpy.types.PropertyGroup):
    """Shows a `JointDrive`, whose axis is one of Blender."""

    type: bpy.props.EnumProperty(
        name="Type",
        description="Linear drives push, angular drives turn",
        items=(*_KINDS, ("OTHER", "Other", "An unknown type, kept for export", "QUESTION", 2)),
    )
    other_type: bpy.props.StringProperty(
        name="Other Type", description="Unknown drive type, kept for export"
    )
    mode: bpy.props.EnumProperty(
        name="Mode",
        description="How stiffness and damping are scaled",
        items=(*MODES, ("OTHER", "Other", "An unknown mode, kept for export", 2)),
    )
    other_mode: bpy.props.StringProperty(
        name="Other Mode", description="Unknown drive mode, kept for export"
    )
    axis: bpy.props.EnumProperty(
        name="Axis", description="Axis of the joint that the drive acts on", items=AXES
    )
    max_force: optional(JointDrive, "max_force", "Limit the force of the drive", 100.0)
    use_position_target: bpy.props.BoolProperty(
        name="Use Position Target", description="Use a spring that pulls to a position"
    )
    position_distance: number(
        JointDrive, "position_target", default=0.0, label="Position Target", unit="LENGTH"
    )
    position_angle: number(
        JointDrive, "position_target", default=0.0, label="Position Target", unit="ROTATION"
    )
    use_velocity_target: bpy.props.BoolProperty(
        name="Use Velocity Target", description="Use a motor that keeps a speed"
    )
    velocity_distance: number(
        JointDrive, "velocity_target", default=0.0, label="Velocity Target", unit="VELOCITY"
    )
    velocity_angle: number(
        JointDrive, "velocity_target", default=0.0, label="Velocity Target", unit="ROTATION"
    )
    stiffness: number(JointDrive, "stiffness")
    damping: number(JointDrive, "damping")
    kept: kept()


class OMIPHYSICS_PG_joint_settings(bpy.types.PropertyGroup):
    """Shows `JointSettings`."""

    name: entries.name("Name of the settings, one in the whole file")
    limits: bpy.props.CollectionProperty(
        name="Limits", description="Limits of the joint", type=OMIPHYSICS_PG_joint_limit
    )
    limits_index: bpy.props.IntProperty(name="Active Limit", options={"HIDDEN"})
    drives: bpy.props.CollectionProperty(
        name="Drives", description="Drives of the joint", type=OMIPHYSICS_PG_joint_drive
    )
    drives_index: bpy.props.IntProperty(name="Active Drive", options={"HIDDEN"})
    version: bpy.props.IntProperty(
        name="Version", description="Version of the units in the stored values", options={"HIDDEN"}
    )
    made_up_name: made_up_name()
    name_in_file: name_in_file()
    kept: kept()


class OMIPHYSICS_NT_joint_settings(entries.Holder, bpy.types.NodeTree):
    """Holds an entry of the list of its name."""

    bl_idname = "OMIPHYSICS_NT_joint_settings"
    bl_label = entries.LABELS["joint_settings"]
    bl_icon = "CONSTRAINT"
    data: entries.of_type(OMIPHYSICS_PG_joint_settings)


class OMIPHYSICS_PG_joint(bpy.types.PropertyGroup):
    """Shows a `Joint`."""

    settings_entry: entries.pointer(OMIPHYSICS_NT_joint_settings)
    settings: entries.reference(
        "joint_settings",
        "settings",
        "Settings",
        "Joint settings with the limits and drives of the joint",
    )
    connected_object: to_object("Connected", "Object that the joint connects to")
    pivot_at_joint: bpy.props.BoolProperty(
        name="Pivot at Joint",
        description=(
            "Attach the connected body at the joint's position: the export adds a node "
            "there, below the connected object"
        ),
    )
    enable_collision: flag(Joint, "enable_collision")
    kept: kept()
