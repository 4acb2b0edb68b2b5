"""Sidebar > OMI Physics > Preview: play, drive, and what a preview does not do exactly."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ....engines import PLAYER
from ...base import groups, scene_outline
from ...operators.chosen_objects import split
from ...preview import player
from ..tabs import Closed, Section, SidebarTab
from ..texts import and_more, draw_lines, draw_text, pgettext_iface

_PASSED: Final = 5  # Of bodies that came through others, the last ones are shown.
_EVENTS: Final = 20  # Of triggers, the last ones are shown.
# Type of a drive → its title, and the end of the names of its targets.
_DRIVES: Final = {
    "ANGULAR": ("{name}, about {axis}", "angle"),
    "LINEAR": ("{name}, along {axis}", "distance"),
}
_NAMED: Final = 3  # Objects that are named before the rest is counted.


class OMIPHYSICS_PT_sidebar_preview(SidebarTab, bpy.types.Panel):
    """Plays the physics of the scene."""

    bl_label = "Preview"
    bl_order = 30

    def draw(self, context: bpy.types.Context) -> None:
        """How it runs, or what comes to rest."""
        layout: Any = self.layout
        session = player.running()
        if session is not None:
            slow = session.pace.words()
            layout.label(text=f"{session.time:.1f} s" + (slow and f", {slow}"), icon="TIME")
            if slow:
                layout.label(text="Fewer Substeps play faster", icon="INFO")
            if session.changes.is_outdated:
                layout.label(text="Restart to see changes", icon="FILE_REFRESH")
            _draw_passed(layout, session)
            if session.why_copies:
                draw_text(context, layout, session.why_copies, "INFO")
            return
        row = layout.row(align=True)
        row.enabled = _can_play(context)
        row.operator("object.omi_physics_settle", icon="SORT_ASC").only_selected = False
        chosen = row.row(align=True)
        chosen.enabled = any(groups.read(o).use_motion for o in context.selected_objects)
        chosen.operator("object.omi_physics_settle", text="Selected").only_selected = True
        column = layout.column(align=True)
        column.enabled = _can_play(context)
        column.operator("scene.omi_physics_play_in_browser", icon="URL")
        column.operator("scene.omi_physics_play_in_engine", icon="WINDOW")
        if player.message:
            draw_text(context, layout, player.message, "INFO")


def _can_play(context: bpy.types.Context) -> bool:
    """Whether the scene has anything that is played."""
    return bool(scene_outline.get(context.scene, context.view_layer).roles)


def _draw_passed(layout: Any, session: Any) -> None:
    """Who came through what should have stopped it, the last ones, the newest first."""
    from ...preview import recorder  # There already, while one runs.

    found = recorder.passed_by(session, _PASSED)
    if not found:
        return
    box = layout.box().column(align=True)
    box.label(text="Passed through: too fast", icon="ERROR")
    for each in reversed(found):
        row = box.split(factor=0.25)
        row.label(text=f"{each.time:.2f} s", translate=False)
        draw_lines(row, [each.body, each.through], "FORWARD")


class _Subpanel(SidebarTab):
    """A panel inside the one of the preview."""

    bl_parent_id = "OMIPHYSICS_PT_sidebar_preview"


class _StoppedSubpanel(Closed, _Subpanel):
    """One that is closed at first, and hidden while a preview runs."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """While nothing runs."""
        return player.running() is None


class OMIPHYSICS_PT_sidebar_preview_options(_StoppedSubpanel, bpy.types.Panel):
    """How fast, how long and how finely it plays."""

    bl_label = "Options"

    def draw(self, context: bpy.types.Context) -> None:
        """What the next preview starts with."""
        layout = split(self.layout)
        group = groups.of_scene(context.scene).preview
        column = layout.column(align=True)
        for name in ("speed", "seconds", "rate", "substeps", "place"):
            column.prop(group, name)


class OMIPHYSICS_PT_sidebar_preview_engine(_StoppedSubpanel, bpy.types.Panel):
    """How the scene is played in an engine."""

    bl_label = PLAYER.name

    def draw(self, context: bpy.types.Context) -> None:
        """The project it plays in, whether saves show there, and what installs the importer."""
        layout = split(self.layout)
        group = groups.of_scene(context.scene).preview
        layout.prop(group, "engine_project", text="Project")
        layout.prop(group, "engine_live")
        layout.operator("scene.omi_physics_install_importer", icon="IMPORT")


class OMIPHYSICS_PT_sidebar_preview_limits(Closed, Section, bpy.types.Panel):
    """What the preview does not do exactly."""

    bl_parent_id = "OMIPHYSICS_PT_sidebar_preview"
    bl_label = "Differences from Export"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry for each thing, with the objects it concerns."""
        layout: Any = self.layout
        text = "Check Preview"  # The section Check has a button for the scene.
        row = layout.row()
        row.enabled = _can_play(context)
        row.operator("scene.omi_physics_preview_check", text=text, icon="VIEWZOOM")
        scene: Any = context.scene
        found = player.kept_limitations(scene.name)
        if found is None:
            layout.label(text="Check to see what differs", icon="INFO")
            return
        if not found:
            layout.label(text="No differences", icon="CHECKMARK")
        for limitation in found:
            box = layout.box().column(align=True)
            draw_text(context, box, limitation.text)
            names = ", ".join(limitation.objects[:_NAMED])
            more = len(limitation.objects) - _NAMED
            names += " " + and_more(more) if more > 0 else ""
            draw_text(context, box, names, "OBJECT_DATA")
            if limitation.substeps:
                _draw_substeps(box, limitation.substeps)


def _draw_substeps(layout: Any, substeps: int) -> None:
    """A button that sets as many substeps as are needed."""
    text = pgettext_iface("Set {count} Substeps").format(count=substeps)
    button = layout.operator(
        "scene.omi_physics_preview_set_substeps", text=text, translate=False, icon="MOD_TIME"
    )
    button.substeps = substeps


class OMIPHYSICS_PT_sidebar_preview_drive(_Subpanel, bpy.types.Panel):
    """Which vehicle the keys drive."""

    bl_label = "Drive"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is anything to drive."""
        session = player.running()
        return session is not None and bool(session.driver.names)

    def draw(self, context: bpy.types.Context) -> None:
        """A button for each vehicle, and the keys."""
        layout: Any = self.layout
        session = player.running()
        if session is None:
            return
        driver = session.driver
        column = layout.column(align=True)
        for i, name in enumerate(("Nobody", *driver.names), -1):
            button = column.operator(
                "scene.omi_physics_preview_drive",
                text=name,
                translate=i < 0,
                depress=i == driver.at,
            )
            button.vehicle = i
        column = layout.column(align=True)
        for keys, what in driver.hints():
            row = column.split(factor=0.4)
            row.label(text=keys, translate=False)
            row.label(text=what)


class OMIPHYSICS_PT_sidebar_preview_triggers(_Subpanel, bpy.types.Panel):
    """Who enters and leaves triggers."""

    bl_label = "Triggers"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there are triggers."""
        session = player.running()
        return session is not None and bool(session.world.volumes)

    def draw(self, context: bpy.types.Context) -> None:
        """The last events, the newest first."""
        layout: Any = self.layout
        from ...preview import recorder  # There already, while one runs.

        session = player.running()
        if session is None:
            return
        found = recorder.passages(session, _EVENTS)
        if not found:
            layout.label(text="No trigger events yet", icon="INFO")
        for passage in reversed(found):
            row = layout.split(factor=0.25)
            row.label(text=f"{passage.time:.2f} s", translate=False)
            icon = "FORWARD" if passage.entered else "BACK"
            draw_lines(row, [passage.body, passage.trigger], icon)


class OMIPHYSICS_PT_sidebar_preview_drives(_Subpanel, bpy.types.Panel):
    """The drives of joints, to be changed while they run."""

    bl_label = "Joint Drives"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether any joint is driven."""
        session = player.running()
        return session is not None and any(joint.drives for joint in session.world.joints)

    def draw(self, context: bpy.types.Context) -> None:
        """The targets of all drives that the preview has."""
        session = player.running()
        if session is None:
            return
        layout = split(self.layout)
        for entry in session.changes.driven():
            for drive in entry.drives:
                if drive.use_position_target or drive.use_velocity_target:
                    _draw_drive(layout, entry.name, drive)


def _draw_drive(layout: Any, name: str, drive: Any) -> None:
    """What a drive of joint settings aims at, in the words that the settings have for it."""
    if drive.type not in _DRIVES:
        return
    text, unit = _DRIVES[drive.type]
    box = layout.box().column(align=True)
    box.label(text=pgettext_iface(text).format(name=name, axis=drive.axis), translate=False)
    for kind, label in (("position", "Position"), ("velocity", "Speed")):
        if getattr(drive, f"use_{kind}_target"):
            box.prop(drive, f"{kind}_{unit}", text=label)
    for each in ("stiffness", "damping"):
        box.prop(drive, each)
    if drive.use_max_force:
        box.prop(drive, "max_force")


class OMIPHYSICS_PT_sidebar_preview_keep(_StoppedSubpanel, bpy.types.Panel):
    """Keyframes and files."""

    bl_label = "Bake and Record"

    def draw(self, context: bpy.types.Context) -> None:
        """The buttons."""
        layout: Any = self.layout
        layout.enabled = _can_play(context)
        column = layout.column(align=True)
        # What a label ends with says that it asks first.
        column.operator("object.omi_physics_bake", text="Bake to Keyframes...", icon="KEYFRAME_HLT")
        column.operator("object.omi_physics_remove_bake", text="Remove Bake", icon="X")
        layout.operator("scene.omi_physics_record", text="Record to File...", icon="FILE_TICK")
