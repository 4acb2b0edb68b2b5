"""Draws the physics of objects in 3D Viewports: shapes, joints, gravity, vehicles and the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import bpy
import gpu as stubbed_gpu
import numpy as np
from gpu_extras import batch as stubbed_batch
from mathutils import Matrix

from ..base import groups, preferences
from ..preview import player
from ..preview.stage import stage
from .line_cache import LineCache, Style, View
from .marks import Lines, Role

Color = tuple[float, float, float]

# The stubs say that they return None.
gpu: Any = stubbed_gpu
gpu_batch: Any = stubbed_batch

# Told apart by people who see colours differently, and none of them is Blender's own orange of
# selected objects. Source: Okabe and Ito, "Color Universal Design" (2008), with green and purple
# lighter, because their lines are broken; grey and the second half are ours. Where two are alike,
# the marks are not: arrows, fans, figures, wheels.
COLORS: Final[dict[Role, Color]] = {
    Role.STATIC: (0.34, 0.71, 0.91),
    Role.KINEMATIC: (0.0, 0.75, 0.55),
    Role.DYNAMIC: (0.94, 0.89, 0.26),
    Role.TRIGGER: (0.95, 0.56, 0.80),
    Role.GROUP: (0.8, 0.8, 0.8),
    Role.GRAVITY: (0.58, 0.70, 1.0),
    Role.SEAT: (0.86, 0.74, 0.58),
    Role.VEHICLE: (0.50, 0.86, 0.86),
    Role.MASS: (0.84, 0.76, 1.0),
    Role.VELOCITY: (0.74, 0.95, 0.52),
    Role.JOINT: (0.95, 0.95, 0.95),
    Role.LIMIT: (0.95, 0.50, 0.36),
    Role.DRIVE: (1.0, 0.74, 0.60),
}
# Besides the colour: bodies that fall and what pushes have wider lines; dashes are made by
# shape_lines, and frames, limits, rays and cones have theirs.
_WIDTHS: Final = {Role.DYNAMIC: 1.4, Role.LIMIT: 1.3, Role.DRIVE: 1.8, Role.VELOCITY: 1.8}
# The setting that shows a role; the others are shapes of colliders.
_TOGGLES: Final = {
    Role.TRIGGER: "triggers",
    Role.GRAVITY: "gravity",
    Role.SEAT: "seats",
    Role.VEHICLE: "vehicles",
    Role.MASS: "mass",
    Role.VELOCITY: "velocities",
    Role.JOINT: "joints",
    Role.LIMIT: "joints",
    Role.DRIVE: "joints",
}
_WIDER: Final = 1.8  # Lines of selected objects, against others.
_FAINT: Final = 0.8  # Opacity of objects that are not selected.
# What is mostly inside of meshes; where it is selected, it shows faintly through them.
_INSIDE: Final = frozenset({Role.MASS, Role.JOINT, Role.LIMIT, Role.DRIVE})
_HIDDEN: Final = 0.5  # Opacity of lines that show through meshes, against others.
_LIGHTER: Final = 0.45  # Share of white in the colour of selected objects.
_DARK: Final = 0.45  # Brightness of colours before a light background.
_LIFTED: Final = 0.3  # Share of white before a background that is neither light nor dark.
_LIGHT: Final = 0.5  # Brightness from which a background is light.
_MIDDLE: Final = 0.3  # Brightness up to which it is dark; Blender's Light theme has 0.4.
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
        and getattr(settings, _TOGGLES.get(style.role, "colliders"))
    ]


def seen_through(settings: Any) -> list[Style]:
    """Those of the styles that show through the meshes that hide them."""
    if settings.in_front:  # All do, as if nothing hid them.
        return []
    return [style for style in styles(settings) if style.selected and style.role in _INSIDE]


def color(
    style: Style, background: float = 0.0, colors: Mapping[Role, Color] | None = None
) -> tuple[float, float, float, float]:
    """The colour of a style, with its opacity.

    Args:
        background: its brightness, from 0 to 1; lines are darker before a light one, and brighter
            and opaque before one that is neither light nor dark.
        colors: of the roles; None for those that the artist prefers.
    """
    r, g, b = (colors or preferred_colors())[style.role]
    if background > _LIGHT:
        share = _DARK * (1.0 - _LIGHTER if style.selected else 1.0)
        return (r * share, g * share, b * share, 1.0)
    if background < _MIDDLE and not style.selected:
        return (r, g, b, _FAINT)
    white = _LIGHTER if style.selected else _LIFTED
    mix = 1.0 - white
    return (r * mix + white, g * mix + white, b * mix + white, 1.0)


def preferred_colors() -> Mapping[Role, Color]:
    """The colours that the artist prefers."""
    chosen = preferences.of_artist()
    if chosen is None:
        return COLORS
    return {
        role: tuple(getattr(chosen, preferences.COLOR.format(role.value.lower()))) for role in Role
    }


def brightness(blenders: Any) -> float:
    """How bright the theme's background of viewports is, from 0 to 1."""
    r, g, b = blenders.themes[0].view_3d.space.gradients.high_gradient
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def width(style: Style) -> float:
    """The width of the lines of a style, against that of the settings."""
    return _WIDTHS.get(style.role, 1.0) * (_WIDER if style.selected else 1.0)


def _draw() -> None:
    """Draw one region; Blender calls this for every 3D Viewport."""
    context: Any = bpy.context
    space, scene = context.space_data, context.scene
    settings = groups.of_scene(scene).overlay
    if not (settings.enabled and space.overlay.show_overlays and groups.file_has_physics()):
        return
    _cache.note_moved(player.take_moved())
    view = _cache.refresh(
        space.as_pointer(),
        context.visible_objects,
        context.selected_objects,
        context.view_layer.depsgraph,
        settings.symbol_size,
    )
    if view.chunks:
        _draw_view(view, settings, context.preferences)
    obj = context.object
    if settings.mass and obj is not None and obj.select_get() and player.running() is None:
        lines = computed_lines(scene, obj, settings.symbol_size)
        if lines is not None:
            _draw_computed(lines, settings, context.preferences)


def computed_lines(scene: Any, obj: Any, size: float) -> Lines | None:
    """The lines of what the shapes of a body weigh, in the world; None where it is no such body."""
    motion = groups.of_object(obj).motion
    if not groups.read(obj).use_motion or motion.type != "DYNAMIC":
        return None
    from ..authoring.following import body_masses
    from .object_marks import computed_marks

    found = body_masses.shown(scene, obj)
    if found is None:
        return None
    marks = computed_marks(motion, found, size)
    return np.concatenate([mark.placed(obj.matrix_world) for mark in marks])


def _draw_computed(lines: Lines, settings: Any, blenders: Any) -> None:
    """Thinner and fainter than what is given."""
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    style = Style(Role.MASS, True)
    r, g, b, alpha = color(style, brightness(blenders))
    shader.uniform_float("lineWidth", 0.5 * settings.line_width * blenders.system.ui_scale)
    shader.uniform_float("color", (r, g, b, alpha * _HIDDEN))
    gpu.state.blend_set("ALPHA")
    gpu_batch.batch_for_shader(shader, "LINES", {"pos": lines}).draw(shader)
    gpu.state.blend_set("NONE")


def view_of(space: Any) -> View | None:
    """What a 3D Viewport shows, as it was drawn last; None where it was not."""
    return _cache.view_of(space.as_pointer())


def _draw_view(view: View, settings: Any, blenders: Any) -> None:
    ui_scale, background = blenders.system.ui_scale, brightness(blenders)
    colors = preferred_colors()
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    gpu.state.blend_set("ALPHA")
    with gpu.matrix.push_pop_projection():
        gpu.matrix.load_projection_matrix(_nearer(gpu.matrix.get_projection_matrix()))
        for test, opacity, shown in (
            ("GREATER", _HIDDEN, seen_through(settings)),
            ("NONE" if settings.in_front else "LESS_EQUAL", 1.0, styles(settings)),
        ):
            gpu.state.depth_test_set(test)
            for style in shown:
                r, g, b, alpha = color(style, background, colors)
                shader.uniform_float("lineWidth", settings.line_width * ui_scale * width(style))
                shader.uniform_float("color", (r, g, b, alpha * opacity))
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
    if scene.get(stage.TAG) and player.running() is None:
        return  # It is on its way out, and thousands of objects change in it once more.
    if groups.file_has_physics() and groups.of_scene(scene).overlay.enabled:
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
