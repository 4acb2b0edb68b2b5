"""Shows a running preview in the artist's scene: poses, redraws, and the shadows that follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import bpy
import numpy as np

from ....simulation.state import Array
from ..stage.windows import scene_of, views_of, windows
from .backdrop import Backdrop
from .following import Following
from .poser import Poser

# In these kinds of shading EEVEE keeps shadows until Blender tells it that something moved.
_SHADED: Final = frozenset({"MATERIAL", "RENDERED"})
_TAGGED: Final = 100  # Objects in a frame; more take turns, as each costs an evaluation.
# What has a cache, or is looked at by such, which a tag would take for outdated.
_CACHED: Final = frozenset(
    {"CLOTH", "SOFT_BODY", "PARTICLE_SYSTEM", "COLLISION", "DYNAMIC_PAINT", "FLUID"}
)


class Display:
    """Shows one preview; keeps Blender's data by number only.

    Attributes:
        is_waiting: whether the scene is shown without the preview until somebody hears an event.
        moved: the numbers of the objects that have moved since somebody emptied this.
    """

    def __init__(self, scene: Any, following: Following, backdrop: Backdrop | None) -> None:
        """Take a scene that is evaluated, and what is drawn behind it."""
        self._scene: int = scene.session_uid
        self._following, self._backdrop = following, backdrop
        hidden = {} if backdrop is None else backdrop.hidden
        uids = np.array([*hidden], dtype=np.int64)
        self._hidden: Array = np.array([*hidden.values()]).reshape(-1, 4, 4)
        self._seen = ~np.isin(following.uids, uids)
        self._uids = np.concatenate([following.uids[self._seen], uids])
        self._poser = Poser(scene, self._uids)
        self._untagged = _with_caches(scene)
        self._waiting: set[int] = set()  # Those whose shadows are old.
        self._is_held = False
        self.is_waiting = False
        # Blender knows timers by identity.
        self._mending: Callable[[], float] = self._mend
        self._tick: Callable[[], float | None] | None = None
        self.moved: set[int] = set()
        self._handlers: tuple[tuple[str, Callable[..., None]], ...] = (
            ("depsgraph_update_pre", self._before_evaluation),
            ("frame_change_pre", self._before_evaluation),
            ("depsgraph_update_post", self._after_evaluation),
            ("frame_change_post", self._after_evaluation),
        )
        for name, function in self._handlers:
            getattr(bpy.app.handlers, name).append(function)
        if not bpy.app.background:
            bpy.app.timers.register(self._mending, first_interval=0.0)

    def show(self, actors: Array, time: float) -> None:
        """Pose the objects by where actors (k, 4, 4) are after some seconds."""
        self._is_held = self.is_waiting = False
        if self._backdrop is not None:
            self._backdrop.show(actors, time)
        places = self._following.places(actors, time)[self._seen]
        moved = self._poser.show(np.concatenate([places, self._hidden]))
        self.moved |= moved
        self._waiting |= moved - self._untagged
        self._redraw()

    def hold(self) -> None:
        """Show the scene without the preview to what runs now, until the next frame or event."""
        self._is_held = True
        self._poser.settle()
        self._poser.rest()
        self._poser.mend()

    def wait(self) -> None:
        """Show the scene without the preview until `go_on`: an operator may run, or a menu open."""
        self.hold()
        self.is_waiting = True
        self._hide_backdrop(True)
        self._redraw()

    def go_on(self) -> None:
        """Undo `wait`."""
        if self.is_waiting:
            self.is_waiting = False
            self._hide_backdrop(False)
            self._release()

    def _release(self) -> None:
        self._is_held = False
        self._poser.settle()
        self._poser.pose_again()
        self._redraw()

    def stop(self) -> None:
        """Show the scene as it is, for good."""
        self.pause()
        if bpy.app.timers.is_registered(self._mending):
            bpy.app.timers.unregister(self._mending)
        for name, function in self._handlers:
            handlers = getattr(bpy.app.handlers, name)
            if function in handlers:
                handlers.remove(function)
        self._poser.stop()
        if self._backdrop is not None:
            self._backdrop.stop()
        self._evaluate_stale()
        self.moved |= set(self._uids.tolist())
        self._waiting = self.moved - self._untagged
        self._redraw(len(self._waiting))

    @property
    def is_whole(self) -> bool:
        """Whether nobody has removed what is drawn behind the scene."""
        return self._backdrop is None or self._backdrop.is_whole

    def _hide_backdrop(self, is_hidden: bool) -> None:
        if self._backdrop is not None:
            self._backdrop.hide(is_hidden=is_hidden)

    # --- the timer ---

    @property
    def is_playing(self) -> bool:
        """Whether the timer runs."""
        return self._tick is not None and bpy.app.timers.is_registered(self._tick)

    def play(self, tick: Callable[[], float | None]) -> None:
        """Have a frame made again and again; `tick` tells after how many seconds."""
        self._tick = tick
        if not bpy.app.timers.is_registered(tick):
            bpy.app.timers.register(tick, first_interval=0.0)

    def pause(self) -> None:
        """Make no more frames."""
        if self._tick is not None and bpy.app.timers.is_registered(self._tick):
            bpy.app.timers.unregister(self._tick)
        self._tick = None

    # --- Blender ---

    def _before_evaluation(self, scene: Any, *_args: Any) -> None:
        if scene.session_uid == self._scene:
            self._poser.rest()

    def _after_evaluation(self, scene: Any, graph: Any) -> None:
        if scene.session_uid != self._scene:
            return
        self._poser.note(graph.view_layer.name)
        if not self._is_held:
            self._poser.pose_again()

    def _mend(self) -> float:
        """Look after the objects before each event that comes; seconds until the next time."""
        self._poser.mend()
        self._evaluate_stale()
        if self._is_held and not self.is_waiting:
            self._release()
        return 0.0

    def _evaluate_stale(self) -> None:
        scene = scene_of(self._scene)
        if not self._poser.is_stale or scene is None:
            return
        self._poser.is_stale = False
        wanted = set(self._uids.tolist()) - self._untagged
        for obj in scene.objects:
            if obj.session_uid in wanted:
                obj.update_tag(refresh={"OBJECT"})

    def _redraw(self, most: int = _TAGGED) -> None:
        scene = scene_of(self._scene)
        if scene is None:
            return
        for window in windows():
            for area in window.screen.areas if window.scene == scene else ():
                if area.type == "VIEW_3D":
                    area.tag_redraw()
        if self._waiting and any(view.shading.type in _SHADED for view in views_of(scene)):
            self._tag(scene, most)

    def _tag(self, scene: Any, most: int) -> None:
        """Tell Blender that some objects moved; it looks at them before it draws."""
        count = 0
        for obj in scene.objects:
            if obj.session_uid in self._waiting:
                obj.update_tag(refresh={"OBJECT"})
                self._waiting.discard(obj.session_uid)
                count += 1
                if count >= most:
                    return


def _with_caches(scene: Any) -> set[int]:
    """The numbers of the objects that a tag may cost a cache, and of what is above them."""
    found: set[int] = set()
    for obj in scene.objects:
        if _has_cache(obj):
            above = obj
            while above is not None and above.session_uid not in found:
                found.add(above.session_uid)
                above = above.parent
    return found


def _has_cache(obj: Any) -> bool:
    if obj.rigid_body is not None or obj.rigid_body_constraint is not None:
        return True
    if obj.field is not None and obj.field.type != "NONE":
        return True
    return any(modifier.type in _CACHED for modifier in obj.modifiers)
