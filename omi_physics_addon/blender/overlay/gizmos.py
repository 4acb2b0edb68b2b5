"""Handles in the 3D Viewport that make the shapes of the active object larger and smaller."""

from __future__ import annotations

import itertools
from typing import Any, Final, cast

import bpy
from bpy_extras import view3d_utils
from mathutils import Matrix, Vector

from ..base import groups
from ..preview import player
from . import shape_handles

_SIZE: Final = 0.06  # Of a handle, against Blender's own arrows.
_LARGER: Final = 1.5  # Diamonds look smaller than cubes.
_STEP: Final = 0.1  # Of lengths while Ctrl is held, in the units of the object.
_FINE: Final = 0.1  # How much slower handles follow while Shift is held.
_ALONG_VIEW: Final = 1e-4  # Square of the sine of an angle at which nobody can pull.

_UP: Final = Vector((0.0, 0.0, 1.0))

Triangles = tuple[tuple[float, float, float], ...]


def _cube() -> Triangles:
    corners: list[tuple[float, float, float]] = []
    for axis, side in itertools.product(range(3), (-1.0, 1.0)):
        for u, v in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)):
            corner = [u, v]
            corner.insert(axis, side)
            corners.append((corner[0], corner[1], corner[2]))
    return tuple(corners)


def _diamond() -> Triangles:
    corners: list[tuple[float, float, float]] = []
    for x, y, z in itertools.product((-_LARGER, _LARGER), repeat=3):
        corners += [(x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)]
    return tuple(corners)


# Handles of colliders and triggers are told apart by their form, too.
_FORMS: Final = {"COLLIDER": _cube(), "TRIGGER": _diamond()}


class OMIPHYSICS_GT_shape_handle(bpy.types.Gizmo):
    """One handle of a shape."""

    bl_idname = "OMIPHYSICS_GT_shape_handle"
    __slots__ = ("begun", "form", "grip", "index", "line", "part")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the handle, equally large on the screen wherever it is."""
        self.draw_custom_shape(self.form)

    def draw_select(self, context: bpy.types.Context, select_id: int | None = None) -> None:
        """Draw the area where the mouse finds the handle."""
        self.draw_custom_shape(self.form, select_id=select_id)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Begin a pull; remember where the handle was gripped."""
        shape = self._shape(context)
        if shape is None:
            return {"CANCELLED"}
        handle = shape_handles.handles(shape)[self.index]
        self.begun = shape_handles.start(shape)
        self.line = line_of(context.object, handle)
        self.grip = along(context, event, *self.line)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event, tweak: Any) -> set[Any]:
        """Follow the mouse; Ctrl takes steps, Shift is slower, Alt moves both sides."""
        shape, at = self._shape(context), along(context, event, *self.line)
        if shape is None:
            return {"CANCELLED"}
        if at is None or self.grip is None:
            return {"RUNNING_MODAL"}
        fine = _FINE if "PRECISE" in tweak else 1.0
        by = (at - self.grip) * fine
        if "SNAP" in tweak:
            by = round(by / (_STEP * fine)) * _STEP * fine
        shape_handles.pull(shape, self.begun, self.index, by, even=event.alt)
        self._tell(context, shape)
        return {"RUNNING_MODAL"}

    def exit(self, context: bpy.types.Context, cancel: bool | None = None) -> None:
        """End the pull with one step of undo; go back where Esc was pressed."""
        area: Any = context.area
        area.header_text_set(None)
        shape = self._shape(context)
        if shape is None:
            return
        if cancel:
            shape_handles.go_back(shape, self.begun)
            _changed(context.object)
        elif shape_handles.start(shape) != self.begun:
            bpy.ops.ed.undo_push(message="Resize Physics Shape")

    def _shape(self, context: bpy.types.Context) -> Any:
        found = dict(shape_handles.shown(context.object, _settings(context)))
        return found.get(self.part)

    def _tell(self, context: bpy.types.Context, shape: Any) -> None:
        _changed(context.object)
        area: Any = context.area
        area.header_text_set(in_words(context.scene, shape_handles.handles(shape)[self.index]))


class OMIPHYSICS_GGT_shape(bpy.types.GizmoGroup):
    """The handles of the shapes of the active object."""

    bl_idname = "OMIPHYSICS_GGT_shape"
    bl_label = "Physics Shape"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D", "PERSISTENT", "SHOW_MODAL_ALL"}  # noqa: RUF012 - Blender reads it from here.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the overlay shows a shape of the active object that can be pulled."""
        settings, space, obj = _settings(context), context.space_data, context.object
        overlay: Any = getattr(space, "overlay", None)
        if not settings.enabled or not settings.handles or not overlay.show_overlays:
            return False
        if obj is None or obj.mode != "OBJECT" or not obj.select_get() or not obj.visible_get():
            return False
        if player.running() is not None or not groups.can_change(obj):
            return False
        return bool(shape_handles.shown(obj, settings))

    def setup(self, context: bpy.types.Context) -> None:
        """Make all handles that there can be."""
        preferences: Any = context.preferences
        theme = preferences.themes[0].user_interface
        colors = {"COLLIDER": theme.gizmo_primary, "TRIGGER": theme.gizmo_secondary}
        for part, form in _FORMS.items():
            for index in range(shape_handles.COUNT):
                gizmo: Any = self.gizmos.new(OMIPHYSICS_GT_shape_handle.bl_idname)
                gizmo.part, gizmo.index = part, index
                gizmo.form = gizmo.new_custom_shape("TRIS", form)
                gizmo.color, gizmo.alpha = colors[part][:3], 0.7
                gizmo.color_highlight, gizmo.alpha_highlight = theme.gizmo_hi[:3], 1.0
                gizmo.scale_basis = _SIZE
                gizmo.use_draw_modal = True

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Put the handles where the shapes are now; hide the others."""
        obj: Any = context.object
        found = {
            part: shape_handles.handles(shape)
            for part, shape in shape_handles.shown(obj, _settings(context))
        }
        for gizmo in cast(Any, self).gizmos:
            part: str = gizmo.part
            index: int = gizmo.index
            gizmo.hide = part not in found
            if part in found:
                place, direction, _ = line_of(obj, found[part][index])
                turn = _UP.rotation_difference(direction)
                gizmo.matrix_basis = Matrix.LocRotScale(place, turn, None)


def _settings(context: bpy.types.Context) -> Any:
    scene: Any = context.scene
    return groups.of_scene(scene).overlay


def _changed(obj: Any) -> None:
    obj.update_tag(refresh={"OBJECT", "DATA"})


def line_of(obj: Any, handle: shape_handles.Handle) -> tuple[Vector, Vector, float]:
    """Place and direction of a handle in the world, and how long a unit of the object is there."""
    matrix: Any = obj.matrix_world
    way = matrix.to_3x3() @ handle.direction
    length = way.length
    return matrix @ handle.place, way.normalized(), length


def along(
    context: bpy.types.Context, event: Any, place: Vector, direction: Vector, unit: float
) -> float | None:
    """How far along a line the mouse is, in units of the object; None where that says nothing."""
    region: Any = context.region
    view: Any = context.region_data
    mouse = (event.mouse_region_x, event.mouse_region_y)
    origin = view3d_utils.region_2d_to_origin_3d(region, view, mouse)
    ray = view3d_utils.region_2d_to_vector_3d(region, view, mouse)
    return nearest(place, direction, unit, origin, ray)


def nearest(
    place: Vector, direction: Vector, unit: float, origin: Vector, ray: Vector
) -> float | None:
    """Where a line comes nearest to the ray of the mouse, in units along it.

    None where the line runs toward the viewer, or is scaled to nothing.
    """
    cosine = direction.dot(ray)
    straight = 1.0 - cosine * cosine
    if straight < _ALONG_VIEW or not unit:
        return None
    between = origin - place
    return (between.dot(direction) - between.dot(ray) * cosine) / straight / unit


def in_words(scene: Any, handle: shape_handles.Handle) -> str:
    """What a handle has made of its shape, in the units of the scene."""
    units: Any = scene.unit_settings
    length = handle.value * units.scale_length
    text = bpy.utils.units.to_string(units.system, "LENGTH", length, precision=4)
    return f"{handle.label}: {text}"


CLASSES = (OMIPHYSICS_GT_shape_handle, OMIPHYSICS_GGT_shape)
