"""Keys and the mouse in a running preview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import bpy
import numpy as np
from bpy_extras import view3d_utils

from ....axes import points_to_blender, points_to_gltf
from ...preview import player
from ..chosen_objects import unavailable

if TYPE_CHECKING:
    from ...preview.session import Session

_PAUSE: Final = frozenset({"P", "SPACE"})  # Space, unless that stops a vehicle.
_TYPING: Final = frozenset({"TEXT_EDITOR", "CONSOLE"})
_HEADERS: Final = frozenset({"HEADER", "TOOL_HEADER"})
# The beginnings of events that turn the view, or do nothing by themselves.
_LOOKS: Final = (
    *("NUMPAD", "NDOF", "WHEEL", "TRACKPAD", "MOUSE", "INBETWEEN", "WINDOW", "TIMER", "XR"),
    *("LEFT_", "RIGHT_", "OSKEY", "HOME", "MIDDLEMOUSE"),
)
_OVER: Final = frozenset({"UI", "TOOLS", "HEADER", "TOOL_HEADER", "ASSET_SHELF"})

# The stubs do not know what these return.
_utils: Any = view3d_utils


def handled(context: Any, event: Any, session: Session) -> bool:
    """Let an event drive or pull; whether it was for that."""
    if event.type == "WINDOW_DEACTIVATE":
        session.driver.let_go()
        session.grab.release()
        return False
    return _grabs(context, event, session) or _drives(context, event, session)


def pauses(context: Any, event: Any) -> bool:
    """Whether an event asks to hold the preview, or to let it go on."""
    if event.type not in _PAUSE or event.value != "PRESS" or event.is_repeat:
        return False
    if event.ctrl or event.alt or event.oskey:
        return False
    below = [a.type for a in context.window.screen.areas if _holds(a, event.mouse_x, event.mouse_y)]
    return not _TYPING & set(below)


def may_call(context: Any, event: Any) -> bool:
    """Whether an event may call an operator that looks where objects are, or open a menu.

    Clicks into a 3D Viewport select by what is seen, and numbers in panels may change live.
    """
    if event.value != "PRESS" or event.is_repeat or event.type.startswith(_LOOKS):
        return False
    return event.type != "LEFTMOUSE" or _is_over_header(context, event.mouse_x, event.mouse_y)


def _is_over_header(context: Any, x: int, y: int) -> bool:
    """Whether the pointer is over the header of an editor, or the bars of the window."""
    for area in context.window.screen.areas:
        if _holds(area, x, y):
            return any(r.type in _HEADERS and _holds(r, x, y) for r in area.regions)
    return True


def _drives(context: Any, event: Any, session: Session) -> bool:
    from ....simulation.vehicles.pilot import Scheme

    driver = session.driver
    if event.value == "RELEASE":
        return driver.key(event.type, is_down=False)
    if event.value != "PRESS" or event.alt or event.oskey:
        return False
    if event.ctrl and driver.scheme is not Scheme.THROTTLE:
        return False  # That is a shortcut.
    return _view(context, event, session) is not None and driver.key(event.type, is_down=True)


def _grabs(context: Any, event: Any, session: Session) -> bool:
    grab = session.grab
    if event.type == "LEFTMOUSE" and event.value == "CLICK_DRAG":
        # It met no body; Blender would select or move things by it. With Alt it turns views.
        return not (event.alt or event.oskey) and _view(context, event, session) is not None
    if event.type == "LEFTMOUSE" and event.value == "PRESS":
        view = _view(context, event, session)
        if view is None:
            return False
        found = grab.find(*_ray(*view), context.window.view_layer)
        if found is not None:
            grab.take(*found)
        return found is not None
    if grab.body < 0:
        return False
    if event.type == "LEFTMOUSE" and event.value == "RELEASE":
        grab.release()
        return True
    if event.type == "MOUSEMOVE":
        view = _view(context, event, session)
        if view is not None:
            region, data, at = view
            depth = points_to_blender(grab.to).tolist()
            place = _utils.region_2d_to_location_3d(region, data, at, depth)
            grab.to = points_to_gltf(np.array(place, dtype=np.float64))
            region.tag_redraw()
        return True
    return False


def _ray(region: Any, data: Any, at: tuple[float, float]) -> tuple[Any, Any]:
    """Where the line begins that leads into a view at a place, and its direction."""
    origin = _utils.region_2d_to_origin_3d(region, data, at)
    if data.view_perspective == "CAMERA" and not data.is_perspective:
        # Half way between the ends of what the camera sees.
        origin = origin - data.perspective_matrix.inverted().col[2].xyz
    return origin, _utils.region_2d_to_vector_3d(region, data, at)


def _view(
    context: Any, event: Any, session: Session
) -> tuple[Any, Any, tuple[float, float]] | None:
    """The 3D Viewport below the pointer that shows the preview, its view, and the place in it."""
    if context.window.scene.name != session.seen:
        return None
    x, y = event.mouse_x, event.mouse_y
    for area in context.window.screen.areas:
        if area.type != "VIEW_3D" or not _holds(area, x, y):
            continue
        if any(region.type in _OVER and _holds(region, x, y) for region in area.regions):
            return None
        for region in area.regions:
            if region.type == "WINDOW" and _holds(region, x, y):
                data = region.data or area.spaces.active.region_3d
                return region, data, (x - region.x, y - region.y)
    return None


def _holds(part: Any, x: int, y: int) -> bool:
    if part.width <= 1 or part.height <= 1:
        return False  # It is hidden.
    return 0 <= x - part.x < part.width and 0 <= y - part.y < part.height


class OMIPHYSICS_OT_preview_drive(bpy.types.Operator):
    """Chooses what the keys drive."""

    bl_idname = "scene.omi_physics_preview_drive"
    bl_label = "Drive"
    bl_description = "Drive this vehicle with the keys while the pointer is over the 3D Viewport"
    bl_options: Any = set[str]()  # noqa: RUF012 - Blender reads it from the class.

    vehicle: bpy.props.IntProperty(  # pyright: ignore[reportInvalidTypeForm]
        default=-1, min=-1, options={"HIDDEN"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a preview runs that has vehicles."""
        session = player.running()
        if session is None or not session.driver.names:
            return unavailable(cls, "No preview with vehicles is running")
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Let go of one vehicle, take the other."""
        session = player.running()
        me: Any = self
        if session is None or me.vehicle >= len(session.driver.names):
            return {"CANCELLED"}
        session.driver.choose(me.vehicle)
        return {"FINISHED"}
