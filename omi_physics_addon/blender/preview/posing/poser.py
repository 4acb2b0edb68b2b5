"""Writes poses to the evaluated copies of the artist's objects, which views draw and select by.

Blender saves and undoes the objects themselves, and these stay as they are. Whenever Blender is
about to evaluate them, the copies are put back, so that it finds nothing of the preview, and are
posed again behind that. Blender does not promise that this works; tests look in each release.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ....simulation.state import Array, Indices
from ..stage.windows import layers_of, scene_of

Matrices = NDArray[np.float32]  # (n, 4, 4) as Blender has them: they move rows.


@dataclass(slots=True, eq=False)
class _Rows:
    """The evaluated objects of one view layer.

    Attributes:
        uids: (m,), of all of them.
        noted: (m,), where they are without the preview.
        at: (k,), which of them are posed.
        which: (k,), by which of the poses.
        linked: which of these come from another file; Blender leaves them out otherwise.
        order: (m,), all of them, those from another file last.
    """

    uids: Indices
    noted: Matrices
    at: Indices
    which: Indices
    linked: list[int]
    order: Indices


@dataclass(slots=True, eq=False)
class _Originals:
    """The posed objects themselves, among all of the file.

    Attributes:
        uids: (m,), of all objects of the file.
        at: (k,), which of them are posed.
        noted: (k,), where they are without the preview.
    """

    uids: Indices
    at: Indices
    noted: Matrices


class Poser:
    """Poses the objects of one scene, in all view layers that windows show.

    Attributes:
        is_stale: whether objects were evaluated while they were posed, so that where they are
            without the preview is known only once they are evaluated again.
    """

    def __init__(self, scene: Any, uids: Indices) -> None:
        """Take a scene that is evaluated, and the numbers of the objects to be posed."""
        self._scene: int = scene.session_uid
        self._column = {uid: i for i, uid in enumerate(uids.tolist())}
        self._uids = uids
        self._poses: Matrices | None = None
        self._rows: dict[str, _Rows] = {}
        self._originals: _Originals | None = None
        self._left: dict[int, Matrices] = {}  # Where those are that left the scene, by number.
        self._is_resting = True
        self._blocks = _blocks()
        self._gone: set[str] = set()  # View layers that may still have what was removed.
        self.is_stale = False

    def settle(self) -> None:
        """Let Blender take in what was removed; its graphs point to that and must not be read."""
        if self._is_intact() and not self._gone:
            return
        self.is_stale |= self._poses is not None and not self._is_resting
        for layer in self._layers():
            layer.update()
        self._gone.clear()
        self.note("")
        self.mend()

    def show(self, places: Array) -> set[int]:
        """Pose the objects at places (n, 4, 4); the numbers of those that have moved by that."""
        poses = places.transpose(0, 2, 1).astype(np.float32)
        self.settle()
        before, self._poses = self._poses, poses
        self._write()
        if before is None:
            return set(self._column)
        moved = (poses != before).any(axis=(1, 2))
        return set(self._uids[moved].tolist())

    def rest(self) -> None:
        """Put all back, as Blender is about to look at them; unless something was removed."""
        if self._poses is None or self._is_resting:
            return
        if not self._is_intact():
            self.is_stale = True
            return
        self._is_resting = True
        for name, graph in self._graphs():
            rows = self._rows.get(name)
            if rows is not None and len(graph.objects) == len(rows.uids):
                _put(graph, rows, rows.noted[rows.at])

    def note(self, layer: str) -> None:
        """Look where all is, behind an evaluation that has moved, made or removed objects.

        Args:
            layer: the view layer that was evaluated. Where something was removed, the others know
                objects that are gone, so they are left alone until they are evaluated, too.
        """
        if self._poses is None:
            return
        was_left = layer in self._gone
        self.is_stale |= was_left
        if not self._is_intact():
            self._gone = {each.name for each in self._layers()}
        self._gone.discard(layer)
        for name, graph in self._graphs():
            is_posed = not self._is_resting or (was_left and name == layer)
            self._rows[name] = self._read(graph, self._rows.get(name), is_posed=is_posed)
        self._originals = None
        self._blocks = _blocks()

    def pose_again(self) -> None:
        """Pose all again behind `rest`."""
        if self._poses is not None:
            self._write()

    def mend(self) -> None:
        """Take poses out of the objects themselves.

        From 4.5 on, Blender copies the places of the evaluated ones there, with each look at
        whether there is anything to evaluate; operators and scripts read them. To write to the
        objects of a scene would be such a thing again and again, so this goes through all objects.
        """
        if scene_of(self._scene) is None or self._poses is None:
            return
        every = bpy.data.objects
        uids = _uids(every)
        originals = self._originals
        if originals is None or not np.array_equal(originals.uids, uids):
            originals = self._originals = _originals(uids, self._rows, self._left)
        found = _matrices(every)
        if (found[originals.at] != originals.noted).any():
            found[originals.at] = originals.noted
            every.foreach_set("matrix_world", found.ravel())

    def stop(self) -> None:
        """Put all back for good."""
        self.settle()
        self.rest()
        self.mend()
        self._poses = None

    def _is_intact(self) -> bool:
        """Whether nothing was removed since the graphs were read."""
        now = _blocks()
        return np.array_equal(self._blocks, now) or bool(np.isin(self._blocks, now).all())

    def _layers(self) -> list[Any]:
        scene = scene_of(self._scene)
        return [] if scene is None else layers_of(scene)

    def _graphs(self) -> Iterator[tuple[str, Any]]:
        for layer in self._layers():
            if layer.name not in self._gone:
                yield layer.name, layer.depsgraph

    def _write(self) -> None:
        assert self._poses is not None
        for name, graph in self._graphs():
            rows = self._rows.get(name)
            if rows is None or len(rows.uids) != len(graph.objects):
                rows = self._rows[name] = self._read(graph, rows, is_posed=not self._is_resting)
                self._originals = None
            _put(graph, rows, self._poses[rows.which])
        self._is_resting = False

    def _read(self, graph: Any, before: _Rows | None, *, is_posed: bool) -> _Rows:
        """The rows of a view layer as it is now.

        Args:
            before: its rows up to now; what was posed is noted there.
            is_posed: whether its objects may still be.
        """
        originals = [obj.original for obj in graph.objects]
        uids = np.array([obj.session_uid for obj in originals], dtype=np.int64)
        noted = _matrices(graph.objects)
        pairs = [
            (i, self._column[uid]) for i, uid in enumerate(uids.tolist()) if uid in self._column
        ]
        at, which = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        if before is not None:
            known = dict(zip(before.uids[before.at].tolist(), before.at.tolist(), strict=True))
            if len(at) < len(known):
                left = known.keys() - set(uids[at].tolist())
                self._left |= {uid: before.noted[known[uid]] for uid in left}
            for i in at.tolist() if is_posed else ():
                if int(uids[i]) in known:
                    noted[i] = before.noted[known[int(uids[i])]]
        is_linked = np.array([obj.library is not None for obj in originals], dtype=bool)
        linked = np.flatnonzero(is_linked[at]).tolist()
        return _Rows(uids, noted, at, which, linked, np.argsort(is_linked, kind="stable"))


def _blocks() -> Indices:
    """The numbers of all datablocks."""
    rows: Any = bpy.data.bl_rna.properties
    names = (row.identifier for row in rows if row.type == "COLLECTION")
    return np.concatenate([_uids(getattr(bpy.data, name)) for name in names])


def _uids(blocks: Any) -> Indices:
    uids = np.empty(len(blocks), dtype=np.int32)
    blocks.foreach_get("session_uid", uids)
    return uids.astype(np.int64)


def _matrices(objects: Any) -> Matrices:
    flat = np.empty(16 * len(objects), dtype=np.float32)
    objects.foreach_get("matrix_world", flat)
    return flat.reshape(-1, 4, 4)


def _put(graph: Any, rows: _Rows, values: Matrices) -> None:
    """Give the posed rows of a view layer matrices (k, 4, 4)."""
    if not len(rows.at):
        return
    objects = graph.objects
    flat = np.empty(16 * len(rows.uids), dtype=np.float32)
    objects.foreach_get("matrix_world", flat)
    every = flat.reshape(-1, 4, 4)
    every[rows.at] = values
    if rows.linked:
        every = every[rows.order]  # Blender gives what it leaves out to the next one.
    objects.foreach_set("matrix_world", every.ravel())
    for k in rows.linked:
        objects[int(rows.at[k])].matrix_world = Matrix(values[k].T.tolist())


def _originals(uids: Indices, layers: dict[str, _Rows], left: dict[int, Matrices]) -> _Originals:
    """Which objects (m,) of the file view layers know the places of, or knew as they left."""
    noted = left | {
        uid: rows.noted[row]
        for rows in layers.values()
        for uid, row in zip(rows.uids[rows.at].tolist(), rows.at.tolist(), strict=True)
    }
    known = uids.tolist()
    at = [i for i, uid in enumerate(known) if uid in noted]
    places = np.array([noted[known[i]] for i in at], dtype=np.float32).reshape(-1, 4, 4)
    return _Originals(uids, np.array(at, dtype=np.int64), places)
