"""Plays until bodies rest, and takes where they are then as their new start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...axes import matrices_to_blender
from ...simulation.local_poses import moves
from ...simulation.rest import Rest
from ...simulation.state import Array
from ..base import groups
from ..base.local_transforms import keys_of, rotation_path, rotations_of
from . import player
from .session import Session, objects_by_uid
from .stage.options import PreviewOptions


@dataclass(frozen=True)
class Settled:
    """What has settled.

    Attributes:
        objects: names of those that have a new place.
        moving: of these, those that did not come to rest.
        skipped: of bodies that are left out, as they are in instances, stand for bones, or cannot
            be edited.
    """

    objects: tuple[str, ...]
    moving: tuple[str, ...]
    skipped: tuple[str, ...]


class Settle:
    """One run. Until `finish` nothing of the artist's changes."""

    def __init__(
        self, scene: Any, seconds: float, chosen: Sequence[Any] | None, *, show: bool = False
    ) -> None:
        """Start.

        Args:
            seconds: how long it plays at most.
            chosen: the objects that may move; None for all.
            show: whether somebody watches.

        Raises:
            ValueError: nothing can settle.
        """
        group = groups.of_scene(scene).preview
        options = PreviewOptions(
            rate=group.rate, substeps=group.substeps, seconds=seconds + 1.0, show=show, settles=True
        )
        self._session = player.start(scene, options)
        uids = None if chosen is None else {obj.session_uid for obj in chosen}
        try:
            self._find(uids)
        except BaseException:
            player.stop()
            raise
        self.count = max(1, round(seconds / options.step))
        self.done = 0
        self._rest = Rest(options.step)
        self._forced = self._session.world.forced
        self._start = self._session.poses()

    def _find(self, uids: set[int] | None) -> None:
        """Find who settles, and the others below that stay where they are."""
        session, objects = self._session, objects_by_uid()
        self._chosen: list[int] = []
        self._others: list[int] = []
        skipped: list[str] = []
        for i, body in enumerate(session.world.bodies):
            obj = objects.get(session.uids[body.node])
            if obj is None or body.is_animated:
                continue
            wanted = body.is_forced and (uids is None or obj.session_uid in uids)
            if session.can_place(body.node, obj):
                (self._chosen if wanted else self._others).append(i)
            elif wanted:
                skipped.append(session.names[body.node])
        self._skipped = tuple(skipped)
        if not self._chosen:
            raise ValueError("no selected object is a dynamic body")

    @property
    def is_over(self) -> bool:
        """Whether everything rests, or the time is over."""
        if self.done >= self.count:
            return True
        found = self._rest.reached
        return found is not None and bool(found[self._forced].all())

    def step(self) -> None:
        """Play one more frame; raises RuntimeError where the preview fails."""
        self._session.step()
        if self._session.error:
            raise RuntimeError(self._session.error)
        self.done += 1
        now = self._session.poses()
        self._rest.follow(now.position, now.rotation)

    def cancel(self) -> None:
        """Stop; everything is where it was."""
        player.stop()

    def finish(self) -> Settled:
        """Stop, and put the objects where their bodies are."""
        session, now, rests = self._session, self._session.poses(), self._rest.reached
        player.stop()
        paths = {
            i: matrices_to_blender(
                moves(
                    np.array([self._start.position[i], now.position[i]]),
                    np.array([self._start.rotation[i], now.rotation[i]]),
                )
            )
            for i in self._chosen
        }
        still = np.tile(np.eye(4), (2, 1, 1))
        paths.update(dict.fromkeys(self._others, still))
        self._write(session, paths)
        moving = [i for i in self._chosen if rests is None or not rests[i]]
        name = {i: session.names[session.world.bodies[i].node] for i in self._chosen}
        return Settled(tuple(name.values()), tuple(name[i] for i in moving), self._skipped)

    def _write(self, session: Session, paths: dict[int, Array]) -> None:
        """Give objects their transforms, those of others only where they would be carried along."""
        objects, chosen = objects_by_uid(), set(self._chosen)
        nodes = {session.world.bodies[i].node: i for i in paths}
        carried = _carried(session, nodes, {n for n, i in nodes.items() if i in chosen})
        found: list[tuple[Any, Any]] = []
        for node, i in nodes.items():
            obj = objects.get(session.uids[node])
            if obj is not None and (i in chosen or node in carried):
                above = carried.get(node)
                own = None if above is None else paths[nodes[above]]
                found.append((obj, keys_of(obj, paths[i], own)))
        for obj, keys in found:  # When all are read: parents that move take others along.
            obj.location = (keys.places[1] - np.array(obj.delta_location)).tolist()
            path, width = rotation_path(obj)
            setattr(obj, path, tuple(rotations_of(obj, keys.turns)[1])[:width])


def _carried(session: Session, nodes: dict[int, int], chosen: set[int]) -> dict[int, int]:
    """For every body that is below one that is put elsewhere, the nearest of these bodies."""
    found: dict[int, int] = {}
    for node in sorted(nodes, key=lambda node: len(session.above(node))):
        moved = [at for at in session.above(node) if at in chosen or at in found]
        if moved:
            found[node] = moved[0]
    return found
