"""Our panels in the dialogs of Blender's glTF add-on."""

from __future__ import annotations

import sys
from typing import Any, Final

import bpy

from ..base import groups

_HOST: Final = "io_scene_gltf2"
# The name the add-on has in the preferences: Blender 4.2 fills the host's table by it on its own.
_KEY: Final = __name__.rpartition(".blender.")[0]


def draw_export(context: Any, layout: Any) -> None:
    """Draw how physics is written."""
    settings = groups.of_scene(context.scene).export
    body = _panel(layout, "OMI_PHYSICS_export", settings)
    if body:
        body.prop(settings, "family")
        body.prop(settings, "target")
        if settings.family != "KHR" and settings.target != "GODOT_4":  # Which has them anyway.
            body.prop(settings, "old_vehicle_names", text="Vehicles of 2025")
        if settings.family != "OMI":
            body.prop(settings, "geometry")
        body.prop(settings, "include_hidden")
        body.prop(settings, "repair", text="Repair Faults")
        body.prop(settings, "write_anyway")


def draw_import(context: Any, layout: Any) -> None:
    """Draw how physics is read."""
    settings = groups.of_scene(context.scene).import_
    body = _panel(layout, "OMI_PHYSICS_import", settings)
    if body:
        body.label(text="All physics of the file, and its lists")
        body.prop(settings, "by_names")


def _panel(layout: Any, idname: str, settings: Any) -> Any:
    """The body of a panel with a checkbox in its header; None while it is closed."""
    header, body = layout.panel(idname, default_closed=False)
    header.use_property_split = False
    header.prop(settings, "enabled", text="")
    header.label(text="OMI Physics")
    if body:
        body.active = settings.enabled
        body.use_property_split = True
        body.use_property_decorate = False
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
