"""Fits shapes again as soon as the artist pauses, where their mesh has changed."""

from __future__ import annotations

import itertools
from typing import Any, Final

import bpy

from ..base import changes, groups
from ..base.hierarchy import ancestors, named
from ..preview import player
from ..preview.stage import stage
from .pauses import Pause

_UPDATES: Final = 4096  # Of one change; that is what a mesh may have that many objects share.
_OF_CHILDREN: Final = '"source": "CHILDREN"'  # In what is kept of a fit to all that is below.

_waiting: Final[dict[str, int]] = {}  # Names and uids of objects whose mesh was edited.


def run(scene: Any) -> list[Any]:
    """Fit what waits; the objects that got other shapes. What is edited still goes on waiting."""
    if not _waiting or not is_on(scene):
        _waiting.clear()
        return []
    objects: list[Any] = []
    there = named(_waiting)
    for name, uid in list(_waiting.items()):
        obj: Any = there.get(name)
        if obj is not None and obj.mode != "OBJECT":
            continue
        del _waiting[name]
        if obj is not None and obj.session_uid == uid and groups.can_change(obj):
            objects.append(obj)
    if not objects:
        return []
    from ..authoring.fit_destinations import Outcome
    from ..authoring.following import refitting

    depsgraph = bpy.context.evaluated_depsgraph_get()
    return refitting.refit(objects, depsgraph, Outcome()).objects


def is_on(scene: Any) -> bool:
    """Whether shapes of a scene follow their meshes."""
    return scene is not None and bool(groups.of_scene(scene).fit.follow)


def _work() -> bool:
    run(bpy.context.scene)
    return bool(_waiting)


_pause: Final = Pause(0.3, _work)


@bpy.app.handlers.persistent
def _after_update(scene: Any, depsgraph: Any) -> None:
    """Note which objects show other meshes now."""
    if not is_on(scene) or scene.get(stage.TAG) or player.running() is not None:
        return
    before = len(_waiting)
    for update in itertools.islice(depsgraph.updates, _UPDATES):
        if not isinstance(update.id, bpy.types.Object):
            continue
        obj: Any = update.id.original
        found = [obj] if update.is_updated_geometry and groups.read(obj).fit_recipe else []
        if update.is_updated_geometry or update.is_updated_transform:
            found += [a for a in ancestors(obj) if _OF_CHILDREN in groups.read(a).fit_recipe]
        _waiting.update((each.name, each.session_uid) for each in found)
    if len(_waiting) > before:
        _pause.wait()


@bpy.app.handlers.persistent
def _after_load(*_args: Any) -> None:
    _waiting.clear()


# What an undo brings back is as it was.
register, unregister = changes.watching(
    changes.after_edits(_after_update, _after_load, _after_load),
    timer=_pause.timer,
    forget=_after_load,
)
