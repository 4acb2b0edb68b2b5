# pyright: reportInvalidTypeForm=false
"""What a scene and a collection know of physics: their `omi_physics`."""

from typing import Any

import bpy

from ...engines import CONVENTIONS, TAGS, TARGETS
from ...model.targets import SPECIFICATION
from ..base import redraws
from . import entries
from .choices import FAMILIES
from .declare import hidden_text, kept
from .fits import OMIPHYSICS_PG_fit
from .gravity import OMIPHYSICS_PG_world_gravity
from .sidebar import OMIPHYSICS_PG_sidebar


def _redraw(_group: Any, _context: bpy.types.Context) -> None:
    redraws.redraw("VIEW_3D")


class OMIPHYSICS_PG_export(bpy.types.PropertyGroup):
    """How physics is written to glTF."""

    enabled: bpy.props.BoolProperty(
        name="OMI Physics", description="Write the physics of the scene", default=True
    )
    family: bpy.props.EnumProperty(
        name="Family",
        description="Which extensions to write",
        items=(
            *FAMILIES,
            ("BOTH", "Both", "Write both; importers that support both build two bodies", 2),
        ),
        default="OMI",
    )
    geometry: bpy.props.EnumProperty(
        name="KHR Geometry",
        description="How KHR_physics_rigid_bodies names the meshes of colliders",
        items=(
            ("MESH", "Mesh", "The draft of January 2026", 0),
            ("MESH_AND_NODE", "Mesh and Node", "For importers of the drafts of 2025 and 2026", 1),
            ("NODE", "Node", "The drafts of 2025", 2),
            ("COLLISION_SHAPES", "Collision Shapes", "KHR_collision_shapes of March 2024", 3),
            ("CORE", "glTF 2.1 Draft", "Shapes of glTF itself, which few importers read yet", 4),
        ),
        default="MESH",
    )
    old_vehicle_names: bpy.props.BoolProperty(
        name="2025 Vehicle Names",
        description="Also write the 2025 names of wheel and thruster settings, for older importers",
    )
    target: bpy.props.EnumProperty(
        name="Target",
        description="Engine to write files for",
        items=(
            (SPECIFICATION, "Specification", "Follow the current specifications", 0),
            *((row.id, row.name, row.text, row.number) for row in TARGETS.values()),
        ),
        default="SPECIFICATION",
    )
    repair: bpy.props.BoolProperty(
        name="Repair Imported Faults",
        description=(
            "Write corrected values instead of invalid ones of the imported file; when off, "
            "unchanged invalid values are written back"
        ),
    )
    write_anyway: bpy.props.BoolProperty(
        name="Allow Errors",
        description=(
            "Also write files with errors; when off, an export with errors is cancelled and "
            "existing files are kept"
        ),
    )
    names: bpy.props.EnumProperty(
        name="Node Name Suffixes",
        description=(
            "Suffixes or prefixes of node names, for importers without the extensions; "
            "importers that support both build bodies twice"
        ),
        items=(
            ("NONE", "None", "Nodes have the names of their objects", 0),
            *((row.id, f"For {row.engine}", row.text, row.number) for row in CONVENTIONS.values()),
        ),
        default="NONE",
    )
    include_hidden: bpy.props.BoolProperty(
        name="Hidden Colliders",
        description=(
            "Also write hidden colliders and triggers, without their meshes, if Visible "
            "Objects or Renderable Objects is on"
        ),
        default=True,
    )


class OMIPHYSICS_PG_collection(bpy.types.PropertyGroup):
    """How the exporters of a collection write physics."""

    use_own_export: bpy.props.BoolProperty(
        name="Own Settings",
        description="Use these settings for exporters of this collection instead of the scene's",
    )
    export: bpy.props.PointerProperty(type=OMIPHYSICS_PG_export)


class OMIPHYSICS_PG_import(bpy.types.PropertyGroup):
    """How physics is read from glTF."""

    enabled: bpy.props.BoolProperty(
        name="OMI Physics", description="Read the physics of the file", default=True
    )
    keyframes: bpy.props.BoolProperty(
        name="Physics Keyframes",
        description=(
            "Make keyframes of animated masses, velocities, friction, joint targets and vehicle "
            "controls; when off, their animation is kept for export"
        ),
    )
    by_names: bpy.props.BoolProperty(
        name="Physics by Names", description=f"Create colliders and bodies by object names: {TAGS}"
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
        "Selected Only", "Show the physics of selected objects only", default=False
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
        "Show a set center of mass as a sphere with a cross, and set moments of inertia as "
        "the equivalent box",
        default=False,
    )
    gravity: _switch(
        "Gravity", "Show the direction of gravity volumes, with longer arrows for stronger gravity"
    )
    vehicles: _switch(
        "Vehicles",
        "Show the front of vehicles, wheels with their travel and steering, and "
        "thrusters with their cone",
    )
    seats: _switch("Seats", "Show a character in every seat")
    handles: _switch(
        "Handles",
        "Show handles of the active object: shapes, joints, wheels, seats and gravity. Ctrl "
        "snaps, Shift is precise, Alt moves both sides, and numbers can be typed",
    )
    placing: _switch(
        "Offset and Turn",
        "Also show handles that move and rotate the shapes of the active object",
        default=False,
    )
    in_front: _switch("In Front", "Show lines through objects in front of them", default=False)
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
        description="Size of symbols such as joint axes; multiplied by the display size of empties",
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
        description="Playback speed; 1 is real time",
        default=1.0,
        min=0.01,
        soft_max=4.0,
        max=20.0,
    )
    rate: bpy.props.IntProperty(
        name="Rate",
        description="Preview steps per second; forces and the viewport update at each step",
        default=60,
        min=24,
        max=240,
    )
    substeps: bpy.props.IntProperty(
        name="Substeps",
        description="Solver steps for each preview step; more are more accurate but slower",
        default=4,
        min=1,
        max=50,
    )
    place: bpy.props.EnumProperty(
        name="Play In",
        description="How the preview is shown",
        items=(
            ("SCENE", "This Scene", "Show the objects themselves in motion", 0),
            ("COPY", "A Copy", "Show a temporary scene with copies of the objects", 1),
        ),
    )
    seconds: bpy.props.FloatProperty(
        name="Time Limit",
        description="Maximum simulated time of the preview",
        default=60.0,
        min=1.0,
        max=3600.0,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    engine_project: bpy.props.StringProperty(
        name="Project",
        description="Project to play the scene in; when empty, a temporary project with sky, "
        "light and camera",
        subtype="DIR_PATH",
    )
    engine_live: bpy.props.BoolProperty(
        name="Live",
        description="Export the scene again at each save while an engine plays it",
        default=True,
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
        description="Extensions of the imported file",
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
    imported_animations: hidden_text(
        "Imported Animations",
        "Physics animations of imported files, as JSON; an export reports which are lost",
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
