"""What the artist changes in the scene while its preview runs or is paused."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from ....axes import Axes
from ....model.joints import JointDrive
from ....simulation.build import build
from ....simulation.bullet.proxies import HEAVIEST
from ....simulation.joints.drives import drives_of
from ....simulation.world_changes import structure
from ...base import groups
from ...scene.joint_settings import read_settings
from ..bodies.bodies import Bodies
from ..input import scene_input
from ..stage import worlds
from ..stage.windows import scene_of


class LiveChanges:
    """Takes over what the artist changes in the scene while its preview runs.

    Attributes:
        is_outdated: whether something changed that only a restart shows.
    """

    def __init__(self, bodies: Bodies, scene: Any) -> None:
        """Take the bodies of the artist's scene."""
        self._bodies = bodies
        self._artist: int = scene.session_uid
        driven = [joint.node for joint in bodies.world.joints if joint.drives]
        self._names = tuple(dict.fromkeys(self._settings_of(node) for node in driven))
        self.is_outdated = False
        self._seen: dict[str, tuple[JointDrive, ...]] | None = None
        self._structure: Any = None
        self._freed: int | None = None  # The frame in which joints were let go.

    def _settings_of(self, node: int) -> str:
        """The entry of the scene's list that a node's joint uses; empty for none."""
        return self._bodies.settings.get(node, "")

    def driven(self) -> Iterator[Any]:
        """The joint settings of the artist's scene whose drives the preview has, each once."""
        scene = scene_of(self._artist)
        if scene is None:
            return
        entries = {entry.name: entry for entry in groups.of_scene(scene).joint_settings}
        for name in self._names:
            if name in entries:
                yield entries[name]

    def before_push(self) -> None:
        """Take over what drives are set to now."""
        bodies = self._bodies
        if self._freed is not None and bodies.frame > self._freed:
            self._freed = None
            bodies.hold_again()
        if not self._names:
            return
        seen = {entry.name: read_settings(entry, Axes()).drives for entry in self.driven()}
        if self._seen is not None and seen != self._seen:
            self._retarget(seen)
        self._seen = seen

    def _retarget(self, seen: dict[str, tuple[JointDrive, ...]]) -> None:
        """Give the drives of joints the settings seen; those of other settings stay."""
        drives = [
            (i, drive)
            for i, joint in enumerate(self._bodies.world.joints)
            for drive in seen.get(self._settings_of(joint.node), joint.drives)
        ]
        if not self._bodies.forces.retarget(drives_of(drives)):
            self.is_outdated = True

    def resume(self) -> None:
        """Take over what changed during a pause; where that is too much, say that it is old."""
        bodies, scene = self._bodies, scene_of(self._artist)
        if scene is None:
            return
        if (scene_input.gravity_of(scene) != bodies.gravity).any():
            self.is_outdated = True
            return
        read = scene_input.read(scene)
        world = build(read.document, read.nodes, read.read_mesh, engine=bodies.world.engine)
        if self._structure is None:
            self._structure = structure(bodies.world, bodies.document)
        if structure(world, read.document) != self._structure:
            self.is_outdated = True
            return
        with worlds.unmarked():
            self.is_outdated = not bodies.relimit(world)
            self._freed = bodies.frame
            self._reweigh(world)

    def _reweigh(self, world: Any) -> None:
        """Give the bodies the masses of another world of the same structure."""
        bodies = self._bodies
        before, now = bodies.forces.masses, world.masses(HEAVIEST)
        for i in np.flatnonzero(before.mass != now.mass).tolist():
            if world.bodies[i].is_forced:
                bodies.actor(i).rigid_body.mass = max(float(now.mass[i]), 1e-3)
        for row in dataclasses.fields(now):
            getattr(before, row.name)[...] = getattr(now, row.name)
