"""Brings the report of an export or import to the front, in Blenders with a window."""

from __future__ import annotations

from typing import Any, Final

import bpy

from . import groups
from .reports import Kind, Report

_waiting: Final[list[Report]] = []


def bring_forward(report: Report) -> None:
    """Show a report as soon as the operator that made it has ended; the last of several."""
    if bpy.app.background:
        return
    _waiting[:] = [report]
    if not bpy.app.timers.is_registered(_show):
        bpy.app.timers.register(_show, first_interval=0.0)


def choose(scene: Any, kind: Kind) -> None:
    """Let the sidebar show the reports of a kind; not to change a scene is not to save it."""
    sidebar = groups.of_scene(scene).sidebar
    if sidebar.issues_of != kind:
        sidebar.issues_of = kind


def _show() -> None:
    if not _waiting:
        return
    report = _waiting.pop()
    manager: Any = bpy.context.window_manager
    windows = [window for window in manager.windows if not window.screen.is_temporary]
    windows.sort(key=lambda window: window.scene.session_uid != report.scene)
    for window in windows:
        area = max(window.screen.areas, key=lambda area: area.width * area.height, default=None)
        if area is None:
            continue
        choose(window.scene, report.kind)
        for each in window.screen.areas:
            each.tag_redraw()
        region = next(region for region in area.regions if region.type == "WINDOW")
        if not report.failed:  # Of which Blender shows a popup itself.
            with bpy.context.temp_override(window=window, area=area, region=region):
                ours: Any = bpy.ops.scene
                ours.omi_physics_report("INVOKE_DEFAULT", kind=report.kind)
        return


def unregister() -> None:
    """Show nothing that waits."""
    _waiting.clear()
    if bpy.app.timers.is_registered(_show):
        bpy.app.timers.unregister(_show)
