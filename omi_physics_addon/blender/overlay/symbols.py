"""A click on the symbol of an empty selects it: a joint, a volume, a wheel, a thruster, a seat."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..base import groups, selection
from ..preview import player
from . import overlay
from .line_cache import View

_REACH: Final = 10.0  # How near the middle of a symbol the mouse must be, in pixels.
_RING: Final = 9.0  # Radius of what shows which symbol is found, in pixels.
_BEHIND: Final = 1e-3  # How much further away than a mesh a symbol may be, as part of its distance.


class Found(NamedTuple):
    """A symbol below the mouse.

    Attributes:
        uid: session uid of its object.
        place: its middle in the world.
        pixel: where that is in the region.
    """

    uid: int
    place: Vector
    pixel: Vector


def nearest(
    view: View, to_clip: Any, size: tuple[float, float], mouse: tuple[float, float], reach: float
) -> Found | None:
    """The symbol of a view whose middle is next to the mouse; None where none is near.

    Args:
        to_clip: (4, 4), from the world to what the region shows, as `perspective_matrix`.
        size: of the region, in pixels.
        reach: how near it must be, in pixels.
    """
    places = {uid: place for chunk in view.chunks for uid, place in chunk.symbols.items()}
    if not places:
        return None
    points = np.array(list(places.values()), dtype=np.float64)
    clip = np.c_[points, np.ones(len(points))] @ np.array(to_clip, dtype=np.float64).T
    depth = clip[:, 3]
    with np.errstate(divide="ignore", invalid="ignore"):
        pixels = (clip[:, :2] / depth[:, None] + 1.0) / 2.0 * np.array(size)
    away = np.linalg.norm(pixels - np.array(mouse), axis=1)
    away[~(depth > 0.0) | ~np.isfinite(away)] = np.inf
    at = int(away.argmin())
    if not away[at] <= reach:
        return None
    return Found(list(places)[at], Vector(points[at]), Vector(pixels[at]))


def below(context: Any, mouse: tuple[float, float]) -> Found | None:
    """The symbol that a click would select: one that is seen, and not that of the active object."""
    view = overlay.view_of(context.space_data)
    if view is None:
        return None
    region, data = context.region, context.region_data
    reach = _REACH * context.preferences.system.ui_scale
    size = region.width, region.height
    found = nearest(view, data.perspective_matrix, size, mouse, reach)
    if found is None or _is_hidden(context, found):
        return None
    active = context.object
    is_active = active is not None and active.session_uid == found.uid and active.select_get()
    return None if is_active else found


def _is_hidden(context: Any, found: Found) -> bool:
    """Whether a mesh is before a symbol that does not show through it."""
    from bpy_extras import view3d_utils

    if groups.of_scene(context.scene).overlay.in_front:
        return False
    region, data = context.region, context.region_data
    origin = view3d_utils.region_2d_to_origin_3d(region, data, found.pixel)
    way = found.place - origin
    distance = way.length
    depsgraph = context.view_layer.depsgraph
    hit = context.scene.ray_cast(
        depsgraph, origin, way.normalized(), distance=distance * (1.0 - _BEHIND)
    )
    return bool(hit[0])


class OMIPHYSICS_GT_symbols(bpy.types.Gizmo):
    """All symbols that can be clicked: which one is, is found when the mouse moves."""

    bl_idname = "OMIPHYSICS_GT_symbols"
    __slots__ = ("extend", "found")

    def setup(self) -> None:
        """Nothing is found yet."""
        self.found: Found | None = None
        self.extend = False

    def draw(self, context: bpy.types.Context) -> None:
        """A ring about the symbol that a click would select."""
        if self.is_highlight and self.found is not None:
            preferences: Any = context.preferences
            size = _RING * preferences.system.ui_scale
            place = Matrix.Translation((*self.found.pixel, 0.0)) @ Matrix.Scale(size, 4)
            self.draw_preset_circle(place)

    def test_select(self, context: bpy.types.Context, location: Any) -> int:
        """Whether there is a symbol below the mouse: 0, or -1 for none."""
        self.found = below(context, tuple(location))
        return -1 if self.found is None else 0

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Wait until the button is let go."""
        self.extend = event.shift
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event, tweak: Any) -> set[Any]:
        """Wait on."""
        return {"RUNNING_MODAL"}

    def exit(self, context: bpy.types.Context, cancel: bool | None = None) -> None:
        """Select the object of the symbol; with Shift beside what is selected."""
        found, view_layer = self.found, context.view_layer
        if cancel or found is None:
            return
        objects: list[Any] = list(context.visible_objects)
        chosen = [obj for obj in objects if obj.session_uid == found.uid]
        if chosen and selection.select(view_layer, chosen, extend=self.extend):
            bpy.ops.ed.undo_push(message="Select Symbol")


class OMIPHYSICS_GGT_symbols(bpy.types.GizmoGroup):
    """What lets symbols be clicked."""

    bl_idname = "OMIPHYSICS_GGT_symbols"
    bl_label = "Physics Symbols"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"PERSISTENT"}  # noqa: RUF012 - Blender reads it from here.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether symbols are shown, and objects can be selected."""
        scene, space, view_layer = context.scene, context.space_data, context.view_layer
        shown: Any = getattr(space, "overlay", None)
        settings = groups.of_scene(scene).overlay
        if not settings.enabled or not settings.handles or not shown.show_overlays:
            return False
        return player.running() is None and selection.can_select(view_layer)

    def setup(self, context: bpy.types.Context) -> None:
        """One for all of them."""
        preferences: Any = context.preferences
        gizmo: Any = self.gizmos.new(OMIPHYSICS_GT_symbols.bl_idname)
        gizmo.color = gizmo.color_highlight = preferences.themes[0].user_interface.gizmo_hi[:3]
        gizmo.alpha = gizmo.alpha_highlight = 1.0
        gizmo.use_draw_modal = True
