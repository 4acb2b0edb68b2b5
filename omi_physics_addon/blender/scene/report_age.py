"""Marks reports as outdated when physics of their scene is edited, and drops those of old files."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final

import bpy

from ..base import changes, groups, reports
from ..base.reports import Kind, Report
from ..properties import entries
from .migrations import has_physics

_LOOKED_AT: Final = 64  # Objects of one update; when it has more, one counts as physics.
_ENTRIES: Final = 1000  # More entries of lists are not compared: any edit of the scene counts.
_SETTLING: Final = 0.5  # Seconds in which Blender updates what a run has changed itself.
_PARTS: Final = (*entries.TREES, "use_world_gravity", "world_gravity", "export")

_settling: Final[list[Report]] = []  # Those whose own changes Blender has not seen yet.
_touched: Final[set[int]] = set()  # Identities of scenes with an edit of the scene itself.


def start(kind: Kind, scene: Any, file: str = "") -> Report:
    """A new report of a scene, that is watched from now on."""
    report = reports.start(kind, scene, file)
    if scene is not None:
        report.state = _state(scene)
        report.written_for = written_for(scene)
    if kind == "IMPORT":  # Which changes objects, and Blender tells of that after it.
        # A report is replaced by the next one of its scene; without a window nothing settles.
        _settling[:] = [each for each in _settling if each.scene != report.scene]
        _settling.append(report)
        if not bpy.app.background and not bpy.app.timers.is_registered(settle):
            bpy.app.timers.register(settle, first_interval=_SETTLING)
    return report


def written_for(scene: Any) -> tuple[str, ...]:
    """What changes the issues of all objects: the families that are written, and for whom."""
    export = groups.of_scene(scene).export
    return (*groups.families_written(export), export.target)


def settle() -> None:
    """From now on every edit is one of the artist."""
    for report in _settling:
        scene = _scene_of(report)
        if scene is not None:
            report.state = _state(scene)
    _settling.clear()


def is_outdated(report: Report) -> bool:
    """Whether physics of the scene was edited since; looks at the lists of the scene if need be."""
    if report.scene in _touched:
        _touched.discard(report.scene)
        for each in reports.of_scenes():
            scene = _scene_of(each) if each.scene == report.scene else None
            if scene is not None and each not in _settling:
                each.is_outdated |= each.state is None or each.state != _state(scene)
    return report.is_outdated


def _scene_of(report: Report) -> Any:
    return next((s for s in bpy.data.scenes if s.session_uid == report.scene), None)


def _state(scene: Any) -> Any:
    """All values of the lists and settings of a scene, its gravity, and how many objects it has.

    None where that is too much to compare.
    """
    group = groups.of_scene(scene)
    if sum(len(getattr(group, name)) for name in entries.TREES) > _ENTRIES:
        return None
    gravity = scene.use_gravity, tuple(scene.gravity)
    return len(scene.objects), gravity, [list(_values(getattr(group, part))) for part in _PARTS]


def _values(value: Any) -> Iterator[Any]:
    if isinstance(value, bpy.types.PropertyGroup):
        for prop in value.bl_rna.properties:
            if prop.identifier != "rna_type":
                yield from _values(getattr(value, prop.identifier))
    elif isinstance(value, (str, int, float)) or value is None:
        yield value
    elif isinstance(value, bpy.types.ID):
        yield value.session_uid
    else:
        for item in value:
            yield from _values(item)


def _fresh(scene: Any) -> list[Report]:
    uid = scene.session_uid
    return [
        report
        for report in reports.of_scenes()
        if report.scene == uid and not report.is_outdated and report not in _settling
    ]


@bpy.app.handlers.persistent
def _after_update(scene: Any, depsgraph: Any) -> None:
    """Look at a few of the objects that were edited; frames that play come by another handler."""
    fresh = _fresh(scene)
    if fresh and _is_edit(scene, depsgraph):
        for report in fresh:
            report.is_outdated = True


def is_shared(data: Any) -> bool:
    """Whether a data-block has what objects share: a scene, or one that holds an entry."""
    is_tree = isinstance(data, bpy.types.NodeTree)
    return isinstance(data, bpy.types.Scene) or (is_tree and entries.is_entry(data))


def _is_edit(scene: Any, depsgraph: Any) -> bool:
    """Whether an update changes physics; notes whether it changes the scene itself."""
    objects = 0
    for update in itertools.islice(depsgraph.updates, 4 * _LOOKED_AT):
        if not (update.is_updated_transform or update.is_updated_geometry):
            continue  # Selecting and looking do neither.
        data = update.id.original
        if is_shared(data):
            _touched.add(scene.session_uid)
        elif isinstance(data, bpy.types.Object):
            objects += 1
            if objects > _LOOKED_AT or has_physics(data):
                return True
    return False


@bpy.app.handlers.persistent
def _after_undo(scene: Any, *_args: Any) -> None:
    """What is undone may be anything, such as what is ignored."""
    for report in reports.of_scenes():
        report.set_aside()
    for report in _fresh(scene):
        report.is_outdated = True


@bpy.app.handlers.persistent
def _after_load(*_args: Any) -> None:
    reports.clear()
    _settling.clear()
    _touched.clear()


register, unregister = changes.watching(
    changes.after_edits(_after_update, _after_undo, _after_load),
    timer=settle,
    forget=_after_load,
)
