"""Checks what was edited as soon as the artist pauses, and renews its issues in the report.

Nothing is done while something is moved, played, previewed or rendered, and never more than what
was edited and what touches it.
"""

from __future__ import annotations

import itertools
from typing import Any, Final

import bpy

from ..base import changes, groups, redraws, reports
from ..preview import player
from ..preview.stage import stage
from ..scene import report_age
from ..scene.migrations import has_physics
from .neighbours import Near, Neighbours
from .pauses import Pause

_LOOKED_AT: Final = 64  # Edited objects that are checked together.
_UPDATES: Final = 4096  # Of one change; that is what a mesh may have that many objects share.
_RECENT: Final = 256  # Objects that are looked at again after an undo.
_NOTED: Final = 1024  # Edited objects whose neighbours are noted one by one.

_neighbours: Final = Neighbours()
_waiting: Final[dict[int, None]] = {}  # Uids of objects that were edited and not checked yet.
_recent: Final[dict[int, None]] = {}
_known: Final[set[int]] = set()  # Uids of objects whose issues were asked for, and are told.


def run(scene: Any) -> bool:
    """Check what waits; whether the issues in the report of the scene are other ones now."""
    edited = list(_waiting)
    _waiting.clear()
    if not edited or not is_on(scene):
        return False
    report, near = reports.of_scene("CHECK", scene), None
    if len(edited) <= _LOOKED_AT:
        near = _neighbours.near(edited)
    else:
        _known.clear()
    if report is not None and report.written_for != report_age.written_for(scene):
        near = None  # Issues of all the others are for another engine.
    if near is None:
        if report is not None:
            report.is_followed = False
        return False
    return _check(scene, near, report)


def look_at(obj: Any, scene: Any) -> None:
    """Have the issues of an object told that is shown, as after an edit of it."""
    uid = obj.session_uid
    if uid not in _known and is_on(scene) and has_physics(obj):
        _known.add(uid)
        _waiting[uid] = None
        _pause.wait()


def is_known(obj: Any, scene: Any) -> bool:
    """Whether the issues of an object are those that it has now."""
    return is_on(scene) and obj.session_uid in _known and obj.session_uid not in _waiting


def is_on(scene: Any) -> bool:
    """Whether edits of a scene are checked by themselves."""
    return scene is not None and bool(groups.of_scene(scene).sidebar.check_edits)


def _check(scene: Any, near: Near, report: reports.Report | None) -> bool:
    from ..scene import near_check  # All rules.

    there, told = near.objects, near.told
    if len(bpy.data.scenes) > 1:
        own = set(scene.objects)
        there, told = [obj for obj in there if obj in own], [obj for obj in told if obj in own]
    if not any(map(has_physics, there)) and report is None:
        return False
    found = near_check.check(scene, there, told)
    if report is None:
        if not found.issues:
            return False
        report = report_age.start("CHECK", scene, bpy.data.filepath)
        report.is_partial = True
    return report.renew(told, found.entries, found.issues, near_check.is_near)


def _work() -> bool:
    if run(bpy.context.scene):
        redraws.redraw(*redraws.EDITORS)
    return False


_pause: Final = Pause(0.2, _work)


@bpy.app.handlers.persistent
def _after_update(scene: Any, depsgraph: Any) -> None:
    """Note which objects were edited."""
    if not groups.file_has_physics() or not is_on(scene) or scene.get(stage.TAG):
        return
    if player.running() is not None:
        report = reports.of_scene("CHECK", scene)
        if report is not None and not all(obj.get(stage.TAG) for obj in _edited(depsgraph)):
            report.is_followed = False
        return
    edited = _edited(depsgraph)
    if len(edited) > _NOTED:  # As an import makes them; noting all costs more than looking anew.
        _neighbours.forget()
        edited = edited[-_RECENT:]
    else:
        for obj in edited:
            _neighbours.note(obj)
    for obj in edited:
        uid = obj.session_uid
        _waiting[uid] = None
        _recent.pop(uid, None)
        _recent[uid] = None
    while len(_recent) > _RECENT:
        del _recent[next(iter(_recent))]
    if edited:
        _pause.wait()


def _edited(depsgraph: Any) -> list[Any]:
    """The objects that an update is about, as far as they may matter.

    When a mesh is tagged, so are all objects that share it, which were not edited themselves. Of
    more than `_NOTED` the others are left out.
    """
    edited: list[Any] = []
    formed: list[Any] = []
    for update in itertools.islice(changes.updates(depsgraph), _UPDATES):
        moved = update.is_updated_transform
        if not moved and (not update.is_updated_geometry or len(formed) > _LOOKED_AT):
            continue
        data = update.id.original
        if isinstance(data, bpy.types.Object):
            (edited if moved else formed).append(data)
            if len(edited) > _NOTED:
                break
        elif report_age.is_shared(data) and depsgraph.view_layer.objects.active is not None:
            edited.append(depsgraph.view_layer.objects.active)  # It is edited at its user.
    return edited if len(formed) > _LOOKED_AT else edited + formed


@bpy.app.handlers.persistent
def _after_undo(scene: Any, *_args: Any) -> None:
    """Look again at what was edited lately, and at what has issues."""
    _neighbours.forget()
    _known.clear()
    report = reports.of_scene("CHECK", scene)
    if not is_on(scene) or report is None:
        return
    for uid in (*_recent, *(uid for issue in report.issues for uid in report.identities(issue))):
        _waiting[uid] = None
    _pause.wait()


@bpy.app.handlers.persistent
def _after_load(*_args: Any) -> None:
    _neighbours.forget()
    for noted in (_waiting, _recent, _known):
        noted.clear()


register, unregister = changes.watching(
    changes.after_edits(_after_update, _after_undo, _after_load),
    timer=_pause.timer,
    forget=_after_load,
)
