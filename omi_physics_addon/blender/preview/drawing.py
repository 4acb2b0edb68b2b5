"""Draws over a running preview: its triggers, the pull of the mouse, and the keys that drive.

What only a running preview needs is imported when it is drawn; Blender starts faster by that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

import blf as stubbed_blf
import bpy
import gpu as stubbed_gpu
import numpy as np
from gpu_extras import batch as stubbed_batch
from mathutils import Matrix

from ...axes import matrices_to_blender, points_to_blender
from ..base import groups
from ..translations import pgettext_iface
from . import player

if TYPE_CHECKING:
    from ...simulation.state import Array
    from .session import Session

# The stubs say that they return None.
blf: Any = stubbed_blf
gpu: Any = stubbed_gpu
gpu_batch: Any = stubbed_batch

# Told apart by width, too, for people who see colours differently.
_EMPTY: Final = ((0.95, 0.56, 0.80, 0.7), 1.5)
_HELD: Final = ((0.45, 1.0, 0.35, 1.0), 4.0)
_GRAB: Final = ((1.0, 1.0, 1.0, 0.9), 2.0)
_TEXT: Final = 13  # Points.
_LEFT: Final = 20  # Points from the side of the view to the text.
_BOTTOM: Final = 30

_handles: list[Any] = []
_batches: WeakKeyDictionary[Session, dict[int, Any]] = WeakKeyDictionary()  # By trigger.


def _shown(context: Any) -> Session | None:
    """The preview that a view shows."""
    session = player.running()
    if session is None or context.scene is None or context.scene.name != session.seen:
        return None
    if not session.is_whole:
        return None  # It ends with the next event.
    return session if context.space_data.overlay.show_overlays else None


def _draw_view() -> None:
    """Draw the lines of one view."""
    context: Any = bpy.context
    session = _shown(context)
    if session is None:
        return
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    gpu.state.blend_set("ALPHA")
    scale = context.preferences.system.ui_scale
    _draw_triggers(session, shader, scale)
    if session.grab.body >= 0:
        _style(shader, _GRAB, scale)
        grab = session.grab
        ends = points_to_blender([grab.point(), grab.to])
        gpu_batch.batch_for_shader(shader, "LINES", {"pos": ends.tolist()}).draw(shader)
    gpu.state.blend_set("NONE")


def _style(shader: Any, style: tuple[Any, float], scale: float) -> None:
    shader.uniform_float("color", style[0])
    shader.uniform_float("lineWidth", style[1] * scale)


def _draw_triggers(session: Session, shader: Any, scale: float) -> None:
    from ...simulation.bullet.solid_outlines import body_matrix
    from ...simulation.state import WORLD

    triggers = session.forces.triggers
    if triggers is None:
        return
    occupied = triggers.occupied()
    volumes = session.world.volumes
    moving = any(volume.frame.body != WORLD for volume in volumes)
    state = session.poses() if moving else session.state
    overlay: Any = None if session.display is None else groups.of_scene(bpy.context.scene).overlay
    is_drawn = overlay is not None and overlay.enabled and overlay.triggers
    for at, volume in enumerate(volumes):
        if is_drawn and not occupied[at]:
            continue  # The overlay has it.
        if not volume.solids:
            continue  # Such as one that lists nothing: Blender makes no batch of no lines.
        _style(shader, _HELD if occupied[at] else _EMPTY, scale)
        matrix = body_matrix(volume.frame.body, state, session.forces.masses)
        with gpu.matrix.push_pop():
            gpu.matrix.multiply_matrix(Matrix(matrices_to_blender(matrix).tolist()))
            _trigger_lines(session, at, shader).draw(shader)


def _trigger_lines(session: Session, at: int, shader: Any) -> Any:
    """The lines of a trigger, made once for each preview."""
    batches = _batches.setdefault(session, {})
    if at not in batches:
        from ...simulation.bullet.solid_outlines import volume_lines

        found: Array = points_to_blender(volume_lines(session.world.volumes[at]))
        lines = found.astype(np.float32)
        batches[at] = gpu_batch.batch_for_shader(shader, "LINES", {"pos": lines})
    return batches[at]


def _draw_text() -> None:
    """Write how slow it is, and the keys of what is driven, into the corner of one view."""
    context: Any = bpy.context
    session = _shown(context)
    if session is None:
        return
    driver = session.driver
    hints = driver.hints()
    slow = session.pace.words()
    if not (hints or slow):
        return
    scale = context.preferences.system.ui_scale
    size = _TEXT * scale
    blf.size(0, size)
    blf.enable(0, blf.SHADOW)
    blf.shadow(0, 5, 0.0, 0.0, 0.0, 0.9)
    left = _LEFT * scale + _covered(context)
    wide = max((blf.dimensions(0, keys)[0] for keys, _ in hints), default=0.0) + size
    rows = [(driver.names[driver.at], ""), *hints] if hints else []
    rows += [(slow, "")] if slow else []
    low = _BOTTOM * scale + _above_redo(context)
    for i, (keys, what) in enumerate(rows):
        y = low + (len(rows) - 1 - i) * size * 1.5
        is_down = any(key.upper() in driver.pressed for key in keys.split())
        blf.color(0, *((*_HELD[0][:3], 1.0) if is_down and what else (1.0, 1.0, 1.0, 0.9)))
        blf.position(0, left, y, 0)
        blf.draw(0, keys)
        blf.position(0, left + wide, y, 0)
        blf.draw(0, pgettext_iface(what) if what else "")
    blf.disable(0, blf.SHADOW)


def _covered(context: Any) -> int:
    """The width of the tool bar where it covers the left of a view, in pixels."""
    tools = [region for region in context.area.regions if region.type == "TOOLS"]
    overlapping = context.preferences.system.use_region_overlap
    return max((r.width for r in tools if overlapping and r.width > 1), default=0)


def register() -> None:
    """Start drawing; without a window there is nothing to draw in."""
    if bpy.app.background:
        return
    space: Any = bpy.types.SpaceView3D
    for function, when in ((_draw_view, "POST_VIEW"), (_draw_text, "POST_PIXEL")):
        _handles.append(space.draw_handler_add(function, (), "WINDOW", when))


def unregister() -> None:
    """Undo `register`."""
    for handle in _handles:
        bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    _handles.clear()
    _batches.clear()


def _above_redo(context: Any) -> int:
    """The height of the panel of the last operator, which lies at the lower left, in pixels.

    Blender keeps one that is not shown below the view.
    """
    panels = [region for region in context.area.regions if region.type == "HUD"]
    return max((0, *(r.y + r.height - context.region.y for r in panels if r.height > 1)))
