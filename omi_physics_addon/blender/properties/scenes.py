# pyright: reportInvalidTypeForm=false
"""What a scene and a collection know of physics: their `omi_physics`."""

from typing import Any

import bpy

from . import entries
from .declare import kept
from .fits import OMIPHYSICS_PG_fit
from .gravity import OMIPHYSICS_PG_world_gravity
from .sidebar import OMIPHYSICS_PG_sidebar


def _redraw(_group: Any, context: bpy.types.Context) -> None:
    manager: Any = context.window_manager
    for window in manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


class OMIPHYSICS_PG_export(bpy.types.PropertyGroup):
    """How physics is written to glTF."""

    enabled: bpy.props.BoolProperty(
        name="OMI Physics", description="Write the physics of the scene", default=True
    )
    family: bpy.props.EnumProperty(
        name="Family",
        description="Which extensions to write",
        items=(
            ("OMI", "OMI", "OMI_physics_body and the others of OMI", 0),
            ("KHR", "KHR", "KHR_physics_rigid_bodies, with gravity and seats of OMI", 1),
            ("BOTH", "Both", "Both; readers that know both build two bodies", 2),
        ),
        default="OMI",
    )
    geometry: bpy.props.EnumProperty(
        name="KHR Geometry",
        description="How KHR_physics_rigid_bodies names the meshes of colliders",
        items=(
            ("MESH", "Mesh", "As the draft of January 2026 does", 0),
            ("MESH_AND_NODE", "Mesh and Node", "For readers of 2025 and of 2026", 1),
            ("NODE", "Node", "As the drafts of 2025 did", 2),
            ("COLLISION_SHAPES", "Collision Shapes", "KHR_collision_shapes, as in March 2024", 3),
        ),
        default="MESH",
    )
    old_vehicle_names: bpy.props.BoolProperty(
        name="2025 Vehicle Names",
        description="Also write the 2025 names of wheel and thruster settings, for older importers",
    )
    target: bpy.props.EnumProperty(
        name="Target",
        description="Importer that the files are for",
        items=(
            (
                "SPECIFICATION",
                "Specification",
                "Follow the current specifications",
                0,
            ),
            (
                "GODOT_4",
                "Godot 4",
                "As Godot 4 and its OMI add-on read it, so that bodies, joints and vehicles "
                "do what was authored; tells what Godot does otherwise all the same",
                1,
            ),
            (
                "BABYLON",
                "Babylon.js",
                "As Babylon.js and its loader for KHR read it; tells what they do otherwise "
                "all the same",
                2,
            ),
        ),
        default="SPECIFICATION",
    )
    repair: bpy.props.BoolProperty(
        name="Repair Imported Faults",
        description="Write repaired values in place of faulty ones that were imported "
        "and not changed since; otherwise they are written back as they were",
    )
    write_anyway: bpy.props.BoolProperty(
        name="Allow Errors",
        description="Write files with errors, too; otherwise an export with errors writes nothing "
        "and leaves the files as they are",
    )
    names: bpy.props.EnumProperty(
        name="Node Name Suffixes",
        description="Names of nodes beside the extensions, for readers that know those alone; "
        "one that knows both builds bodies twice",
        items=(
            ("NONE", "None", "Nodes have the names of their objects", 0),
            (
                "GODOT",
                "For Godot",
                "-col, -convcol, -colonly, -convcolonly and -rigid behind the names of meshes "
                "with colliders",
                1,
            ),
            (
                "UNREAL",
                "For Unreal",
                "UBX_, USP_, UCP_ and UCX_ before the names of collision-only meshes that are "
                "below others",
                2,
            ),
        ),
        default="NONE",
    )
    include_hidden: bpy.props.BoolProperty(
        name="Hidden Colliders",
        description="With the options Visible Objects or Renderable Objects, write hidden "
        "colliders and triggers all the same, without their meshes",
        default=True,
    )


class OMIPHYSICS_PG_import(bpy.types.PropertyGroup):
    """How physics is read from glTF."""

    enabled: bpy.props.BoolProperty(
        name="OMI Physics", description="Read the physics of the file", default=True
    )
    by_names: bpy.props.BoolProperty(
        name="Physics by Names",
        description="Make colliders and bodies of objects whose names ask for it, as Godot's "
        "-col, -colonly, -convcol, -convcolonly and -rigid do, or Unreal's UBX_, USP_, UCP_ "
        "and UCX_",
    )


def _switch(name: str, description: str, *, default: bool = True) -> Any:
    """Something that the overlay shows or not."""
    return bpy.props.BoolProperty(
        name=name, description=description, default=default, update=_redraw
    )


class OMIPHYSICS_PG_overlay(bpy.types.PropertyGroup):
    """What the 3D Viewport shows of physics."""

    enabled: _switch("Physics", "Show the physics of objects")
    selected_only: _switch(
        "Selected Only",
        "Show the physics of selected objects only",
        default=False,
    )
    colliders: _switch(
        "Colliders",
        "Show the shapes of colliders: wide lines for dynamic bodies, long dashes "
        "for kinematic ones, a cross for groups, crosses on the bounds of collision-only meshes",
    )
    triggers: _switch("Triggers", "Show the shapes of triggers, in short dashes")
    joints: _switch(
        "Joints",
        "Show joints: X long, Y dashed, Z dotted, a line to the connected object, "
        "limits (dashed when soft), and arrows to the targets of drives",
    )
    velocities: _switch(
        "Velocities",
        "Show the velocities at the start: an arrow for moving, a bent one for turning",
    )
    mass: _switch(
        "Mass",
        "Show given centers of mass as a ball with a cross, and given moments of "
        "inertia as the even box that has them",
        default=False,
    )
    gravity: _switch(
        "Gravity",
        "Show where gravity volumes pull, with longer arrows where they pull harder",
    )
    vehicles: _switch(
        "Vehicles",
        "Show the front of vehicles, wheels with their travel and steering, and "
        "thrusters with their cone",
    )
    seats: _switch("Seats", "Show someone in every seat")
    handles: _switch(
        "Handles",
        "Show handles of the active object: sizes of shapes, limits, targets and pivots of joints, "
        "wheels, seats and gravity. Ctrl takes steps, Shift is slower, with Alt both sides move, "
        "and numbers can be typed",
    )
    placing: _switch(
        "Offset and Turn",
        "Show handles that move and turn the shapes of the active object, too",
        default=False,
    )
    in_front: _switch("In Front", "Show lines through what is before them", default=False)
    line_width: bpy.props.FloatProperty(
        name="Line Width",
        description="Width of the lines, in pixels",
        default=1.5,
        min=1.0,
        max=10.0,
        subtype="PIXEL",
        update=_redraw,
    )
    symbol_size: bpy.props.FloatProperty(
        name="Symbol Size",
        description="Size of marks that have none of their own, such as the axes of joints; "
        "on empties it is multiplied by their display size",
        default=0.5,
        min=0.001,
        soft_max=10.0,
        subtype="DISTANCE",
        update=_redraw,
    )


class OMIPHYSICS_PG_preview(bpy.types.PropertyGroup):
    """How the preview runs."""

    speed: bpy.props.FloatProperty(
        name="Speed",
        description="Seconds of the preview per second of yours",
        default=1.0,
        min=0.01,
        soft_max=4.0,
        max=20.0,
    )
    rate: bpy.props.IntProperty(
        name="Rate",
        description="Steps per second, in each of which forces are renewed and a picture is made",
        default=60,
        min=24,
        max=240,
    )
    substeps: bpy.props.IntProperty(
        name="Substeps",
        description="Steps of the solver for each of these; more are more exact and slower",
        default=4,
        min=1,
        max=50,
    )
    place: bpy.props.EnumProperty(
        name="Play In",
        description="Where the preview is seen",
        items=(
            ("SCENE", "This Scene", "The objects themselves are seen where bodies take them", 0),
            ("COPY", "A Copy", "Windows show a scene with copies of the objects", 1),
        ),
    )
    seconds: bpy.props.FloatProperty(
        name="Time Limit",
        description="How long the preview runs at most, in seconds of its own",
        default=60.0,
        min=1.0,
        max=3600.0,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )


class OMIPHYSICS_PG_scene(bpy.types.PropertyGroup):
    """The shared lists of a scene, and its settings for exchange and view."""

    physics_materials_slots: entries.slots("physics_materials")
    physics_materials_index: bpy.props.IntProperty(
        name="Active Physics Material", options={"HIDDEN"}
    )
    collision_filters_slots: entries.slots("collision_filters")
    collision_filters_index: bpy.props.IntProperty(
        name="Active Collision Filter", options={"HIDDEN"}
    )
    joint_settings_slots: entries.slots("joint_settings")
    joint_settings_index: bpy.props.IntProperty(name="Active Joint Settings", options={"HIDDEN"})
    use_world_gravity: bpy.props.BoolProperty(
        name="World Gravity",
        description="Write gravity for the whole world; for the main map of a game, not for props",
    )
    world_gravity: bpy.props.PointerProperty(type=OMIPHYSICS_PG_world_gravity)
    origin: bpy.props.EnumProperty(
        name="Origin",
        description="Family of the file that the physics of the scene was imported from",
        items=(
            ("NONE", "None", "Nothing was imported", 0),
            ("OMI", "OMI", "A file of OMI", 1),
            ("KHR", "KHR", "A file of KHR", 2),
            ("BOTH", "Both", "A file of both", 3),
        ),
        options={"HIDDEN"},
    )
    export: bpy.props.PointerProperty(type=OMIPHYSICS_PG_export)
    import_: bpy.props.PointerProperty(type=OMIPHYSICS_PG_import)
    overlay: bpy.props.PointerProperty(type=OMIPHYSICS_PG_overlay)
    preview: bpy.props.PointerProperty(type=OMIPHYSICS_PG_preview)
    fit: bpy.props.PointerProperty(type=OMIPHYSICS_PG_fit)
    sidebar: bpy.props.PointerProperty(type=OMIPHYSICS_PG_sidebar)
    imported_animations: bpy.props.StringProperty(
        name="Imported Animations",
        description="Those of physics that files had, as JSON; an export tells which are gone",
        options={"HIDDEN"},
    )
    kept: kept()

    @property
    def physics_materials(self) -> entries.Entries:
        """Frictions and bounces that colliders share."""
        return entries.Entries(self, "physics_materials")

    @property
    def collision_filters(self) -> entries.Entries:
        """Who meets whom, shared by colliders and triggers."""
        return entries.Entries(self, "collision_filters")

    @property
    def joint_settings(self) -> entries.Entries:
        """Limits and drives that joints share."""
        return entries.Entries(self, "joint_settings")


class OMIPHYSICS_PG_collection(bpy.types.PropertyGroup):
    """How the exporters of a collection write physics."""

    use_own_export: bpy.props.BoolProperty(
        name="Own Settings",
        description="Exporters of this collection write physics as is said here; otherwise as the "
        "scene says",
    )
    export: bpy.props.PointerProperty(type=OMIPHYSICS_PG_export)


CLASSES = (
    OMIPHYSICS_PG_export,
    OMIPHYSICS_PG_collection,
    OMIPHYSICS_PG_import,
    OMIPHYSICS_PG_overlay,
    OMIPHYSICS_PG_preview,
    OMIPHYSICS_PG_scene,
)
