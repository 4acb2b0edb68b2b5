"""The gizmos that are the handles of the active object: see `handles`."""

from __future__ import annotations

import itertools
import math
from typing import Any, Final, cast

import bpy
from mathutils import Matrix, Vector

from ..base import groups
from ..preview import player
from .handles import handle as pulls
from .handles import mouse, table, words
from .handles.handle import Handle

_SIZE: Final = 0.06  # Of a handle, against Blender's own arrows.
_LARGER: Final = 1.5  # Diamonds look smaller than cubes.
_STEP: Final = 0.1  # Of lengths while Ctrl is held, in the units of the property.
_TURN: Final = math.radians(5.0)  # Of angles.
_FINE: Final = 0.1  # How much slower handles follow while Shift is held.
_MOST: Final = 64  # Handles that are shown at once.
_UP: Final = Vector((0.0, 0.0, 1.0))

Triangles = tuple[tuple[float, float, float], ...]
Corner = tuple[float, float, float]


def _cube() -> Triangles:
    corners: list[Corner] = []
    for axis, side in itertools.product(range(3), (-1.0, 1.0)):
        for u, v in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)):
            corner = [u, v]
            corner.insert(axis, side)
            corners.append((corner[0], corner[1], corner[2]))
    return tuple(corners)


def _diamond(size: float = _LARGER) -> Triangles:
    corners: list[Corner] = []
    for x, y, z in itertools.product((-size, size), repeat=3):
        corners += [(x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)]
    return tuple(corners)


def _around(count: int, radius: float, z: float) -> list[Corner]:
    angles = [2.0 * math.pi * i / count for i in range(count)]
    return [(radius * math.cos(angle), radius * math.sin(angle), z) for angle in angles]


def _lathe(rings: list[list[Corner]], *, closed: bool = False) -> Triangles:
    """The faces between circles of as many corners; with `closed` from the last to the first."""
    corners: list[Corner] = []
    pairs = itertools.pairwise([*rings, rings[0]] if closed else rings)
    for low, high in pairs:
        for i in range(len(low)):
            j = (i + 1) % len(low)
            corners += [low[i], low[j], high[j], low[i], high[j], high[i]]
    return tuple(corners)


def _arrow() -> Triangles:
    """A thin stem and a head, away from what it moves."""
    outline = ((0.0, 4.0), (0.25, 4.0), (0.25, 11.0), (1.3, 11.0), (0.0, 14.5))
    return _lathe([_around(10, radius, z) for radius, z in outline])


def _ring() -> Triangles:
    """A thin ring about what it turns."""
    outline = ((17.4, 0.0), (17.8, 0.4), (18.2, 0.0), (17.8, -0.4))
    return _lathe([_around(40, radius, z) for radius, z in outline], closed=True)


def _knob() -> Triangles:
    outline = [(1.4 * math.sin(a), -1.4 * math.cos(a)) for a in (i * math.pi / 6 for i in range(7))]
    return _lathe([_around(12, radius, z) for radius, z in outline])


# Handles are told apart by their form, too.
_FORMS: Final = {
    "COLLIDER": _cube(),
    "TRIGGER": _diamond(),
    "GRAVITY": _diamond(),
    "KNOB": _knob(),
    "ARROW": _arrow(),
    "RING": _ring(),
    "DOT": _diamond(1.0),
}


class OMIPHYSICS_GT_handle(bpy.types.Gizmo):
    """One handle of the active object."""

    bl_idname = "OMIPHYSICS_GT_handle"
    __slots__ = ("begun", "by", "found", "grip", "key", "shapes", "typed")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the handle, equally large on the screen wherever it is."""
        self.draw_custom_shape(self.shapes[self.found.form])

    def draw_select(self, context: bpy.types.Context, select_id: int | None = None) -> None:
        """Draw the area where the mouse finds the handle."""
        self.draw_custom_shape(self.shapes[self.found.form], select_id=select_id)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Begin a pull; remember where the handle was gripped."""
        handle = self._handle(context)
        if handle is None:
            return {"CANCELLED"}
        self.begun = pulls.start(handle)
        self.by, self.typed = 0.0, ""
        # Where it is gripped says how its line runs for the whole pull.
        self.found = handle._replace(fields=())
        self.grip = mouse.far(handle, *mouse.event_ray(context, event))
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event, tweak: Any) -> set[Any]:
        """Follow the mouse, or what is typed; Ctrl takes steps, Shift is slower, Alt pulls both.

        Args:
            tweak: SNAP and PRECISE, while the keys for them are held.
        """
        handle = self._handle(context)
        if handle is None:
            return {"CANCELLED"}
        if handle.form == "DOT":
            return {"RUNNING_MODAL"}
        if event.value == "PRESS":
            typed = words.edited(self.typed, event.type, event.unicode)
            self.typed = self.typed if typed is None else typed
        self._follow(mouse.far(self.found, *mouse.event_ray(context, event)), "PRECISE" in tweak)
        scene: Any = context.scene
        wanted = words.number(scene, handle, self.typed) if self.typed else None
        if wanted is not None:
            value = pulls.put(handle, self.begun, wanted, even=event.alt)
        elif self.typed:  # No number yet, such as a sign: it is as it was.
            value = pulls.pull(handle, self.begun, 0.0)
        else:
            by = self.by
            if "SNAP" in tweak:
                unit = _TURN if handle.center is not None else _STEP
                unit *= _FINE if "PRECISE" in tweak else 1.0
                by = round(by / unit) * unit
            value = pulls.pull(handle, self.begun, by, even=event.alt)
        _changed(context.object)
        area: Any = context.area
        area.header_text_set(words.in_words(scene, handle, value, self.typed))
        return {"RUNNING_MODAL"}

    def exit(self, context: bpy.types.Context, cancel: bool | None = None) -> None:
        """End the pull with one step of undo; go back where Esc was pressed."""
        area: Any = context.area
        area.header_text_set(None)
        handle = self._handle(context)
        if handle is None:
            return
        if not cancel and handle.form == "DOT":
            pulls.choose(handle)
        if cancel:
            pulls.go_back(handle, self.begun)
            _changed(context.object)
        elif pulls.start(handle)[1] != self.begun[1]:
            bpy.ops.ed.undo_push(message=handle.label)

    def _follow(self, far: float | None, precise: bool) -> None:
        """Add how far the mouse has gone on."""
        if far is None:
            return
        if self.grip is not None:
            self.by += mouse.step(self.found, self.grip, far) * (_FINE if precise else 1.0)
        self.grip = far

    def _handle(self, context: bpy.types.Context) -> Handle | None:
        """The handle as it is now."""
        return table.shown(context.object, _settings(context)).get(self.key)


class OMIPHYSICS_GGT_handles(bpy.types.GizmoGroup):
    """The handles of the active object."""

    bl_idname = "OMIPHYSICS_GGT_handles"
    bl_label = "Physics Handles"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D", "PERSISTENT", "SHOW_MODAL_ALL"}  # noqa: RUF012 - Blender reads it from here.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the overlay shows something of the active object that can be pulled."""
        settings, space, obj = _settings(context), context.space_data, context.object
        overlay: Any = getattr(space, "overlay", None)
        if not settings.enabled or not settings.handles or not overlay.show_overlays:
            return False
        if obj is None or obj.mode != "OBJECT" or not obj.select_get() or not obj.visible_get():
            return False
        if player.running() is not None or not groups.can_change(obj):
            return False
        return bool(table.drawn(obj, settings))

    def setup(self, context: bpy.types.Context) -> None:
        """Make as many gizmos as are ever shown."""
        shapes: dict[str, Any] | None = None
        for _ in range(_MOST):
            gizmo: Any = self.gizmos.new(OMIPHYSICS_GT_handle.bl_idname)
            if shapes is None:
                shapes = {
                    form: gizmo.new_custom_shape("TRIS", corners)
                    for form, corners in _FORMS.items()
                }
            gizmo.shapes, gizmo.key, gizmo.hide = shapes, "", True
            gizmo.scale_basis = _SIZE
            gizmo.use_draw_modal = True

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Put the handles where things are now; each keeps its gizmo, also while it is pulled."""
        preferences: Any = context.preferences
        theme = preferences.themes[0].user_interface
        gizmos: list[Any] = list(cast(Any, self).gizmos)
        pulled = {gizmo.key for gizmo in gizmos if gizmo.is_modal}
        found = {
            key: handle
            for key, handle in table.shown(context.object, _settings(context)).items()
            if not handle.locked or key in pulled
        }
        taken = {gizmo.key for gizmo in gizmos}
        new = (key for key in found if key not in taken)
        for gizmo in gizmos:
            if gizmo.key not in found:
                gizmo.key = next(new, "")
            gizmo.hide = not gizmo.key
            if gizmo.key:
                _show(gizmo, found[gizmo.key], theme)


def _show(gizmo: Any, handle: Handle, theme: Any) -> None:
    if not gizmo.is_modal:  # Which keeps what it was gripped by; nothing of Blender's is kept.
        gizmo.found = handle._replace(fields=())
    along = handle.center is None or handle.form == "RING"
    turn = _UP.rotation_difference(handle.way) if along and handle.way.length else None
    gizmo.matrix_basis = Matrix.LocRotScale(handle.place, turn, None)
    color = theme.gizmo_secondary if handle.form == "TRIGGER" else theme.gizmo_primary
    if handle.axis is not None:
        color = getattr(theme, f"axis_{'xyz'[handle.axis]}")
    gizmo.color, gizmo.alpha = color[:3], 0.7
    gizmo.color_highlight, gizmo.alpha_highlight = theme.gizmo_hi[:3], 1.0


def _settings(context: bpy.types.Context) -> Any:
    return groups.of_scene(context.scene).overlay


def _changed(obj: Any) -> None:
    obj.update_tag(refresh={"OBJECT", "DATA"})
