"""The tagged datablocks of previews, and how they are removed."""

from __future__ import annotations

import time
from typing import Any, Final

import bpy

from ...base import compat
from .worlds import TAG, guarded

_EMPTY: Final = "omi_physics_empty"  # On an empty scene, which is no preview.
BLOCKS: Final = (
    "objects",
    "meshes",
    "collections",
    "scenes",
    "curves",
    "metaballs",
    "lights",
    "cameras",
    "materials",
    "worlds",
    "actions",
)

never_idle: bool = bpy.app.background  # Benchmarks and tests without a window say otherwise.
_FEW: Final = 500  # Objects that go, or that Blender looks through again, at once.
_WAIT: Final = 1.0  # s until Blender may be idle.
_STEP: Final = 0.1  # s, in which some of the others are removed,
_PAUSE: Final = 0.2  # s, until the next ones are.


def tagged(name: str) -> list[Any]:
    """The datablocks of a kind that previews made."""
    return [block for block in getattr(bpy.data, name) if block.get(TAG)]


def remove_all(*, at_once: bool = True) -> None:
    """Remove all tagged datablocks but scenes, which are gone by now.

    Args:
        at_once: whether hundreds of objects go now too, and not in steps while Blender is idle.
            Until then nothing uses them.
    """
    compat.remove_data(tagged("collections"))  # Which use the objects, and are few.
    objects = tagged("objects")
    left = set[Any]() if at_once or len(objects) <= _FEW else _alike(objects)
    if len(left) > _FEW:
        _let_go(left)
        left.update([obj.data for obj in left if obj.data is not None])
        _remove_later()
    else:
        left.clear()
    with guarded(objects if not left else [obj for obj in objects if obj not in left]):
        for name in BLOCKS if bpy.app.background else ():
            _remove_unseen(name, left)
        compat.remove_data(block for name in BLOCKS for block in tagged(name) if block not in left)


def remove_empty(scene: Any, artist: Any) -> None:
    """Remove an empty scene that windows showed while others went.

    After each removal Blender builds anew what depends on what in the scenes that are shown. So it
    waits for an idle moment where objects do, or where the artist has many.
    """
    is_waiting = bpy.app.timers.is_registered(remove_some)
    if is_waiting or (not never_idle and len(artist.objects) > _FEW):
        scene[TAG], scene[_EMPTY] = artist.name_full, True
        _remove_later()
    else:
        compat.remove_data([scene])


def _remove_later() -> None:
    """Have what is left removed while Blender is idle."""
    if not bpy.app.timers.is_registered(remove_some):
        bpy.app.timers.register(remove_some, first_interval=_WAIT)


def _alike(objects: list[Any]) -> set[Any]:
    """Those objects of previews that use nothing but meshes and other objects of previews."""
    found: set[Any] = set()
    for obj in objects:
        if obj.modifiers or obj.constraints or obj.instance_collection:
            continue
        if obj.data is not None and not obj.data.get(TAG):
            continue
        found.add(obj)
    return found


def _let_go(objects: set[Any]) -> None:
    """Let objects use no others, so that each of them can go before the others.

    For each constraint Blender marks the cache of the scene in the context as outdated, which would
    be the artist's.
    """
    scene = bpy.data.scenes.new("Removal")
    context: Any = bpy.context
    try:
        with context.temp_override(scene=scene):
            for obj in objects:
                held = obj.rigid_body_constraint
                if held is not None:
                    if held.object1 is not None:
                        held.object1 = None
                    held.object2 = None
                if obj.parent is not None:
                    obj.parent = None
    finally:
        bpy.data.scenes.remove(scene)


def remove_some() -> float | None:
    """Remove some of the objects that were left; seconds until the next ones, None for no more.

    For each of them Blender looks at all objects of all scenes, so many take seconds.
    """
    app: Any = bpy.app
    managers = bpy.data.window_managers
    is_busy = any(window.modal_operators for manager in managers for window in manager.windows)
    is_running = any(not scene.get(_EMPTY) for scene in tagged("scenes"))
    if is_busy or is_running or app.is_job_running("RENDER"):
        return _WAIT
    until = time.perf_counter() + _STEP
    objects: Any = bpy.data.objects
    # Names of previews come last.
    last = [obj for obj in objects[-_FEW:] if obj.get(TAG)] or tagged("objects")
    with guarded(last):
        while last and time.perf_counter() < until:
            objects.remove(last.pop(), do_unlink=False)
    if last or tagged("objects"):
        return _PAUSE
    remove_all()
    return None


def remove_rest() -> None:
    """Remove now what waits until Blender is idle."""
    if bpy.app.timers.is_registered(remove_some):
        bpy.app.timers.unregister(remove_some)
        remove_all()


def _remove_unseen(name: str, left: set[Any]) -> None:
    """Remove tagged blocks of a kind that nobody else uses, where there is no window, but for some.

    For each block that it removes, Blender looks through all its notes of changes. Windows read
    these and take them away; without one they pile up, and a stop takes longer by the square of
    the number of bodies. What nobody shows needs no such look. What remains is that Blender numbers
    the objects of all scenes anew for each object that goes (`BKE_main_collection_sync_remap`).
    """
    data: Any = bpy.data
    collection: Any = getattr(data, name)
    blocks = [block for block in tagged(name) if not block.users and block not in left]
    users: dict[Any, set[Any]] = data.user_map(subset=blocks) if blocks else {}
    gone: set[Any] = set()
    for block in reversed(blocks):  # What points to others was made behind them.
        if users[block] <= gone:
            gone.add(block)
    for block in reversed(blocks):
        if block in gone:
            collection.remove(block, do_unlink=False, do_ui_user=False)
