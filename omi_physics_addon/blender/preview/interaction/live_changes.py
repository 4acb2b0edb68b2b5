"""What the artist changes in the scene while its preview runs or is paused."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ....axes import Axes
from ....model.joints import JointDrive
from ....simulation.build import build
from ....simulation.bullet.proxies import HEAVIEST
from ....simulation.joints.drives import drives_of
from ....simulation.world_changes import structure
from ...base import groups
from ...scene.joint_settings import read_settings
from ..bodies.actors import forced
from ..input import scene_input

if TYPE_CHECKING:
    from ..session import Session


def _entries(session: Session) -> dict[str, Any]:
    scene = session.artist_scene
    if scene is None:
        return {}
    return {entry.name: entry for entry in groups.of_scene(scene).joint_settings}


def _name(session: Session, node: int) -> str:
    """The name of the settings of the joint of a node."""
    joint = session.document.nodes[node].joint
    at = None if joint is None else joint.joint
    return "" if at is None else session.document.joint_settings[at].name


def driven(session: Session) -> Iterator[Any]:
    """The joint settings of the artist's scene whose drives the preview has."""
    entries = _entries(session)
    for name in session.hands.live.names:
        if name in entries:
            yield entries[name]


class Live:
    """Follows what the artist changes.

    Attributes:
        is_old: whether something changed that only a restart shows.
        names: of the joint settings whose drives the preview has, each once.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        driven = [joint.node for joint in session.world.joints if joint.drives]
        self.names = tuple(dict.fromkeys(_name(session, node) for node in driven))
        self.is_old = False
        self._seen: dict[str, tuple[JointDrive, ...]] | None = None
        self._structure: Any = None
        self._freed: int | None = None  # The frame in which joints were let go.

    def before_push(self) -> None:
        """Take over what drives are set to now."""
        session = self._session
        if self._freed is not None and session.frame > self._freed:
            self._freed = None
            session.hold_again()
        if not self.names:
            return
        seen = {entry.name: read_settings(entry, Axes()).drives for entry in driven(session)}
        if self._seen is not None and seen != self._seen:
            self._retarget(seen)
        self._seen = seen

    def _retarget(self, seen: dict[str, tuple[JointDrive, ...]]) -> None:
        session = self._session
        joints = session.world.joints
        drives = [
            (i, drive)
            for i, joint in enumerate(joints)
            for drive in seen.get(_name(session, joint.node), joint.drives)
        ]
        if not session.forces.retarget(drives_of(drives)):
            self.is_old = True

    def resume(self) -> None:
        """Take over what changed during a pause; where that is too much, say that it is old."""
        session = self._session
        scene = session.artist_scene
        if scene is None:
            return
        if (scene_input.gravity_of(scene) != session.gravity).any():
            self.is_old = True
            return
        read = scene_input.read(scene)
        world = build(read.document, read.nodes, read.read_mesh, engine=session.engine)
        if self._structure is None:
            self._structure = structure(session.world, session.document)
        if structure(world, read.document) != self._structure:
            self.is_old = True
            return
        self.is_old = not session.relimit(world)
        self._freed = session.frame
        self._reweigh(world)

    def _reweigh(self, world: Any) -> None:
        """Give the bodies the masses of another world of the same structure."""
        session = self._session
        before, now = session.forces.masses, world.masses(HEAVIEST)
        for i in np.flatnonzero(before.mass != now.mass).tolist():
            if forced(world.bodies[i]):
                session.stand_in(i).rigid_body.mass = max(float(now.mass[i]), 1e-3)
        for row in dataclasses.fields(now):
            getattr(before, row.name)[...] = getattr(now, row.name)
