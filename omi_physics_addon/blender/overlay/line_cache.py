"""Keeps the lines of a scene's physics in few large arrays, and rebuilds only what changed.

Nothing of Blender is kept here but session uids, so undo cannot leave anything dangling.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import bpy
import numpy as np

from ..base import instances
from .marks import Anchor, Lines, MarkContext, ObjectMarks, Role

if TYPE_CHECKING:
    from .shape_marks import LineReader

CHUNK: Final = 256  # Objects that share arrays: few draw calls, and little to rebuild.
# Roles of what an empty stands for.
_SYMBOLS: Final = frozenset({Role.JOINT, Role.GRAVITY, Role.VEHICLE, Role.SEAT, Role.TRIGGER})
_VIEWS: Final = 8  # Viewports whose arrays are kept.


class Style(NamedTuple):
    """The role of lines, and whether their object is selected."""

    role: Role
    selected: bool


@dataclass(slots=True, eq=False)
class _Entry:
    """The lines of one object; `world` are those of its marks in the world, None when it moved."""

    shown: ObjectMarks
    world: list[Lines] | None = None


@dataclass(slots=True, eq=False)
class Chunk:
    """Some objects of a view, and their lines in the world by style.

    Attributes:
        batches: what draws the arrays; whoever draws puts it there, and a rebuild clears it.
        symbols: uid of each empty that a symbol stands for → its middle in the world.
    """

    members: dict[int, None] = field(default_factory=dict[int, None])
    arrays: dict[Style, Lines] = field(default_factory=dict[Style, Lines])
    batches: dict[Style, Any] = field(default_factory=dict[Style, Any])
    symbols: dict[int, Anchor] = field(default_factory=dict[int, Anchor])


@dataclass(slots=True, eq=False)
class View:
    """What one viewport shows.

    Attributes:
        shown: session uid of each visible object → whether it is selected.
        stale: uids of objects that changed since.
        chunk_of: uid of each object that has lines → its chunk.
    """

    shown: dict[int, bool] = field(default_factory=dict[int, bool])
    stale: set[int] = field(default_factory=set[int])
    chunks: list[Chunk] = field(default_factory=list[Chunk])
    chunk_of: dict[int, Chunk] = field(default_factory=dict[int, Chunk])


class LineCache:
    """The lines of all visible objects, by viewport."""

    def __init__(self) -> None:
        self._moved: set[int] = set()
        self._changed: set[int] = set()
        self._edited: set[int] = set()
        self._touched: set[int] = set()
        self._size = 0.0
        self.clear()

    def clear(self) -> None:
        """Forget everything: after undo, or when a file was opened."""
        vars(self).pop("_reader", None)
        self._entries: dict[int, _Entry] = {}
        self._views: OrderedDict[int, View] = OrderedDict()
        self._moved.clear()
        self._changed.clear()
        self._edited.clear()
        self._touched.clear()

    def note(self, depsgraph: bpy.types.Depsgraph) -> None:
        """Remember what an evaluation changed; the next refresh looks at it.

        Blender marks place and geometry of what was edited, but only the geometry of objects that
        share its mesh; of those nothing is read again but what depends on meshes.
        """
        for update in depsgraph.updates:
            uid = _uid(update.id)
            moved, changed = update.is_updated_transform, update.is_updated_geometry
            if moved:
                self._moved.add(uid)
            if changed:
                self._changed.add(uid)
            if moved and changed:
                self._edited.add(uid)
            if not moved and not changed:
                self._touched.add(uid)

    def note_moved(self, uids: set[int]) -> None:
        """Remember objects that moved without an evaluation, as a preview moves them."""
        self._moved |= uids

    def refresh(
        self,
        viewport: int,
        visible: Sequence[Any],
        selected: Iterable[Any],
        depsgraph: bpy.types.Depsgraph,
        size: float = 0.5,
    ) -> View:
        """The view of a viewport, up to date.

        Args:
            viewport: what tells one viewport from another.
            visible: the objects it shows.
            size: of marks that stand for something without a size, m.
        """
        if size != self._size:
            self.clear()
            self._size = size
        self._sweep()
        context = MarkContext(depsgraph, size, cache(partial(instances.shown, depsgraph)))
        view = self._view(viewport)
        uids = [obj.session_uid for obj in visible]
        shown = dict.fromkeys(uids, False)
        for obj in selected:
            uid = obj.session_uid
            if uid in shown:
                shown[uid] = True
        if view.stale or shown != view.shown:
            self._update(view, shown, dict(zip(uids, visible, strict=True)), context)
        return view

    @cached_property
    def _reader(self) -> LineReader:
        from .shape_marks import LineReader  # Which only those need who draw.

        return LineReader()

    def _view(self, viewport: int) -> View:
        view = self._views.get(viewport)
        if view is None:
            view = self._views[viewport] = View()
            while len(self._views) > _VIEWS:
                self._views.popitem(last=False)
        self._views.move_to_end(viewport)
        return view

    def view_of(self, viewport: int) -> View | None:
        """The view of a viewport as it was drawn last; None where it was not."""
        return self._views.get(viewport)

    def _sweep(self) -> None:
        """Drop the entries that noted changes or other joint settings made outdated."""
        moved, changed, touched = self._moved, self._changed, self._touched
        settings = self._reader.settings.changed(changed | touched)
        if not (moved or changed or touched or settings):
            return
        edited = self._edited
        self._moved, self._changed, self._edited, self._touched = set(), set(), set(), set()
        if changed:
            self._reader.forget(changed)
        stale = set(moved)
        for uid, entry in list(self._entries.items()):
            shown = entry.shown
            if (
                uid in edited
                or not changed.isdisjoint(shown.depends)
                or not moved.isdisjoint(shown.places)
                or not edited.isdisjoint(shown.bodies)
                or not settings.isdisjoint(shown.settings)
                or (uid in touched and shown.follows_empty)
            ):
                del self._entries[uid]
                stale.add(uid)
            elif uid in moved:
                entry.world = None
        for view in self._views.values():
            view.stale |= stale

    def _update(
        self, view: View, shown: dict[int, bool], objects: dict[int, Any], context: MarkContext
    ) -> None:
        """Rebuild the chunks of the objects that differ from what the view has."""
        differing = {uid for uid, _ in shown.items() ^ view.shown.items()}
        dirty: dict[int, Chunk] = {}
        for uid in (view.stale & (shown.keys() | view.shown.keys())) | differing:
            old = view.chunk_of.get(uid)
            if old is not None:
                dirty[id(old)] = old
            new = self._sort(view, uid, objects, context)
            if new is not None:
                dirty[id(new)] = new
        view.shown = shown
        view.stale = set()
        for chunk in dirty.values():
            self._rebuild(chunk, shown, objects, context)
        view.chunks = [chunk for chunk in view.chunks if chunk.members]

    def _sort(
        self, view: View, uid: int, objects: dict[int, Any], context: MarkContext
    ) -> Chunk | None:
        """The chunk an object belongs to now; None when it has no lines or is not visible."""
        obj = objects.get(uid)
        if obj is None:
            self._entries.pop(uid, None)
        if obj is None or not self._entry(uid, obj, context).shown.marks:
            chunk = view.chunk_of.pop(uid, None)
            if chunk is not None:
                del chunk.members[uid]
            return None
        chunk = view.chunk_of.get(uid)
        if chunk is None:
            if not view.chunks or len(view.chunks[-1].members) >= CHUNK:
                view.chunks.append(Chunk())
            chunk = view.chunk_of[uid] = view.chunks[-1]
            chunk.members[uid] = None
        return chunk

    def _entry(self, uid: int, obj: Any, context: MarkContext) -> _Entry:
        entry = self._entries.get(uid)
        if entry is None:
            entry = self._entries[uid] = _Entry(self._reader.read(obj, context))
        if entry.world is None:
            matrix = obj.matrix_world
            entry.world = [mark.placed(matrix) for mark in entry.shown.marks]
        return entry

    def _rebuild(
        self, chunk: Chunk, shown: dict[int, bool], objects: dict[int, Any], context: MarkContext
    ) -> None:
        """Put the lines of the members together."""
        pieces: dict[Style, list[Lines]] = {}
        chunk.symbols.clear()
        for uid in chunk.members:
            obj = objects[uid]
            entry = self._entry(uid, obj, context)
            if obj.type == "EMPTY" and any(mark.role in _SYMBOLS for mark in entry.shown.marks):
                x, y, z = obj.matrix_world.translation
                chunk.symbols[uid] = x, y, z
            for mark, lines in zip(entry.shown.marks, entry.world or (), strict=True):
                pieces.setdefault(Style(mark.role, shown[uid]), []).append(lines)
        chunk.arrays = {style: np.concatenate(each) for style, each in pieces.items()}
        chunk.batches.clear()


def _uid(evaluated: Any) -> int:
    """The session uid of the original of an evaluated ID; the copy has none."""
    return evaluated.original.session_uid
