"""Our panels in the dialogs of Blender's glTF add-on."""

from __future__ import annotations

import sys
from typing import Any, Final

import bpy

from ...engines import TARGETS
from ..base import groups, reports
from ..operators.chosen_objects import split
from .texts import draw_text

_LINES: Final = 8  # Lines of a report that are shown.
_HOST: Final = "io_scene_gltf2"
# The name the add-on has in the preferences: Blender 4.2 fills the host's table by it on its own.
_KEY: Final = __name__.rpartition(".blender.")[0]


def draw_export(context: Any, layout: Any) -> None:
    """Draw how physics is written, in the dialog and in the exporters of a collection."""
    settings = groups.of_scene(context.scene).export
    space = getattr(context, "space_data", None)
    if space is None or space.type != "PROPERTIES":
        body = _panel(layout, "OMI_PHYSICS_export", settings)
        if body:
            _draw_settings(body, settings)
        return
    own = groups.of_collection(context.collection)
    if own.use_own_export:
        settings = own.export
    body = _panel(layout, "OMI_PHYSICS_export", settings, can_switch=own.use_own_export)
    if body:
        body.prop(own, "use_own_export")
        column = body.column()
        column.enabled = own.use_own_export
        _draw_settings(column, settings)
        _draw_report(context, body)


def _draw_settings(layout: Any, settings: Any) -> None:
    families = groups.families_written(settings)
    row = layout.row()
    row.active = settings.family in (*families, "BOTH")
    row.prop(settings, "family")
    layout.prop(settings, "target")
    if not row.active:
        why = f"{TARGETS[settings.target].name} reads {families[0]}, which is written"
        layout.label(text=why, icon="INFO", translate=False)
    target = TARGETS.get(settings.target)
    if "OMI" in families and not (target and target.has_old_names):
        layout.prop(settings, "old_vehicle_names", text="2025 Names")
    if "KHR" in families:
        layout.prop(settings, "geometry")
    layout.prop(settings, "names", text="Suffixes")
    layout.prop(settings, "include_hidden")
    layout.prop(settings, "repair", text="Correct Values")
    layout.prop(settings, "write_anyway")


def _draw_report(context: Any, layout: Any) -> None:
    """What the exporter of the collection wrote last."""
    report = reports.of_collection(context.collection)
    if report is None:
        return
    draw_text(context, layout, report.title(), "INFO")
    lines = report.lines()
    for line in lines[:_LINES]:
        draw_text(context, layout, line.strip(), alert=report.failed)
    if len(lines) > _LINES:
        layout.label(text=f"… and {len(lines) - _LINES} more", translate=False)


def draw_import(context: Any, layout: Any) -> None:
    """Draw how physics is read."""
    settings = groups.of_scene(context.scene).import_
    body = _panel(layout, "OMI_PHYSICS_import", settings)
    if body:
        body.label(text="All physics of the file, and its lists")
        body.prop(settings, "keyframes")
        body.prop(settings, "by_names")


def _panel(layout: Any, idname: str, settings: Any, *, can_switch: bool = True) -> Any:
    """The body of a panel with a checkbox in its header; None while it is closed."""
    header, body = layout.panel(idname, default_closed=False)
    header.enabled = can_switch
    header.use_property_split = False
    header.prop(settings, "enabled", text="")
    header.label(text="OMI Physics")
    if body:
        split(body).active = settings.enabled
    return body


def _show() -> None:
    """Put our panel into the host's export dialog, which does not look for it since 4.3."""
    host: Any = sys.modules.get(_HOST)
    if host is not None:
        host.exporter_extension_layout_draw[_KEY] = draw_export


def register() -> None:
    """Show the panel now, and once all add-ons have started: the host may do so after us."""
    _show()
    if not bpy.app.background:
        bpy.app.timers.register(_show, first_interval=0.0, persistent=True)


def unregister() -> None:
    """Undo `register`."""
    if bpy.app.timers.is_registered(_show):
        bpy.app.timers.unregister(_show)
    host: Any = sys.modules.get(_HOST)
    if host is not None:
        host.exporter_extension_layout_draw.pop(_KEY, None)
        host.importer_extension_layout_draw.pop(_KEY, None)
