"""Draws the shapes of colliders and triggers in 3D Viewports."""

from __future__ import annotations

from typing import Any, Final

import bpy
import gpu as stubbed_gpu
from gpu_extras import batch as stubbed_batch
from mathutils import Matrix

from .line_cache import LineCache, Style, View
from .shape_lines import Role

Color = tuple[float, float, float]

# The stubs say that they return None.
gpu: Any = stubbed_gpu
gpu_batch: Any = stubbed_batch

# Told apart by people who see colours differently, and none of them is Blender's own orange of
# selected objects. Source: Okabe and Ito, "Color Universal Design" (2008), with green and purple
# lighter, because their lines are broken; grey is ours.
COLORS: Final[dict[Role, Color]] = {
    Role.STATIC: (0.34, 0.71, 0.91),
    Role.KINEMATIC: (0.0, 0.75, 0.55),
    Role.DYNAMIC: (0.94, 0.89, 0.26),
    Role.TRIGGER: (0.95, 0.56, 0.80),
    Role.GROUP: (0.8, 0.8, 0.8),
}
# Besides the colour: bodies that fall have wider lines; dashes are made by shape_lines.
_WIDTHS: Final = {Role.DYNAMIC: 1.4}
_WIDER: Final = 1.8  # Lines of selected objects, against others.
_FAINT: Final = 0.8  # Opacity of objects that are not selected.
_LIGHTER: Final = 0.45  # Share of white in the colour of selected objects.
# How much nearer lines count than the faces they lie on, in normalised device coordinates.
_NEARER: Final = 2e-5

# What is drawn first lies below.
_ORDER: Final = tuple(Style(role, selected) for selected in (False, True) for role in Role)

_cache: Final = LineCache()
_handle: Any = None


def styles(settings: Any) -> list[Style]:
    """The styles that the settings show, in the order they are drawn in."""
    return [
        style
        for style in _ORDER
        if (style.selected or not settings.selected_only)
        and (settings.triggers if style.role is Role.TRIGGER else settings.colliders)
    ]


def color(style: Style) -> tuple[float, float, float, float]:
    """The colour of a style, with its opacity."""
    r, g, b = COLORS[style.role]
    if not style.selected:
        return (r, g, b, _FAINT)
    mix = 1.0 - _LIGHTER
    return (r * mix + _LIGHTER, g * mix + _LIGHTER, b * mix + _LIGHTER, 1.0)


def width(style: Style) -> float:
    """The width of the lines of a style, against that of the settings."""
    return _WIDTHS.get(style.role, 1.0) * (_WIDER if style.selected else 1.0)


def _draw() -> None:
    """Draw one region; Blender calls this for every 3D Viewport."""
    context: Any = bpy.context
    space, scene = context.space_data, context.scene
    settings = scene.omi_physics.overlay
    if not settings.enabled or not space.overlay.show_overlays:
        return
    view = _cache.refresh(
        space.as_pointer(),
        context.visible_objects,
        context.selected_objects,
        context.view_layer.depsgraph,
    )
    if view.chunks:
        _draw_view(view, settings, context.preferences.system.ui_scale)


def _draw_view(view: View, settings: Any, ui_scale: float) -> None:
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE" if settings.in_front else "LESS_EQUAL")
    with gpu.matrix.push_pop_projection():
        gpu.matrix.load_projection_matrix(_nearer(gpu.matrix.get_projection_matrix()))
        for style in styles(settings):
            shader.uniform_float("lineWidth", settings.line_width * ui_scale * width(style))
            shader.uniform_float("color", color(style))
            _draw_style(view, style, shader)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _draw_style(view: View, style: Style, shader: Any) -> None:
    for chunk in view.chunks:
        lines = chunk.arrays.get(style)
        if lines is None:
            continue
        batch = chunk.batches.get(style)
        if batch is None:
            batch = chunk.batches[style] = gpu_batch.batch_for_shader(
                shader, "LINES", {"pos": lines}
            )
        batch.draw(shader)


def _nearer(projection: Matrix) -> Matrix:
    """A projection that puts things a little before those they lie on."""
    biased = projection.copy()
    biased[2] = biased[2] - _NEARER * biased[3]
    return biased


@bpy.app.handlers.persistent
def _after_change(scene: Any, depsgraph: Any) -> None:
    if scene.omi_physics.overlay.enabled:
        _cache.note(depsgraph)
    else:
        _cache.clear()  # What nobody sees is not worth keeping up to date.


@bpy.app.handlers.persistent
def _start_again(*_args: Any) -> None:
    _cache.clear()


def _handlers() -> list[tuple[Any, Any]]:
    """The lists of Blender's handlers, and what we put into them."""
    lists: Any = bpy.app.handlers
    return [
        (lists.depsgraph_update_post, _after_change),
        (lists.frame_change_post, _after_change),
        (lists.undo_post, _start_again),
        (lists.redo_post, _start_again),
        (lists.load_post, _start_again),
    ]


def register() -> None:
    """Start drawing; without a window there is nothing to draw in."""
    global _handle
    if bpy.app.background:
        return
    for handlers, function in _handlers():
        handlers.append(function)
    _handle = bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW")


def unregister() -> None:
    """Undo `register`."""
    global _handle
    if _handle is None:
        return
    bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
    _handle = None
    for handlers, function in _handlers():
        handlers.remove(function)
    _cache.clear()
