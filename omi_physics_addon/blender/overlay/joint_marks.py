"""The marks of joints, and whether the settings they refer to changed."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np

from ...geometry.lines import curves, joint_lines
from ...model.joints import JointSettings, mirrored
from ..base import groups
from ..base.hierarchy import ancestors, connected_moves
from ..properties import entries
from ..scene import joint_settings
from .marks import ORIGIN, Lines, Mark, MarkContext, ObjectMarks, Role, rigid, transformed

_AT_ONCE: Final = 8  # Settings that are compared in one redraw, about 0.2 ms.


class KnownSettings:
    """The joint settings that marks were read from, to find those that changed.

    Blender tells when a number of an entry changes, but not when a script adds a limit or takes
    one away, so some are compared in every redraw in turn.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, JointSettings | None]] = {}
        self._next = 0

    def get(self, name: str) -> JointSettings | None:
        """The settings of a name, along and about Blender's axes; None where there are none."""
        if name not in self._known:
            self._known[name] = _record(name)
        return self._known[name][1]

    def changed(self, updated: Collection[int]) -> set[str]:
        """The names of settings that were not what they are now.

        Args:
            updated: identities of the data-blocks that Blender tells were updated.
        """
        names = list(self._known)
        if len(names) > _AT_ONCE:
            start = self._next % len(names)
            self._next = start + _AT_ONCE
            names = list(itertools.islice(itertools.cycle(names), start, start + _AT_ONCE))
            names += [name for name, (uid, _) in self._known.items() if uid in updated]
        different: set[str] = set()
        for name in names:
            now = _record(name)
            if now != self._known[name]:
                self._known[name] = now
                different.add(name)
        return different


def _record(name: str) -> tuple[int, JointSettings | None]:
    """Whose settings have a name, and what they say now, along and about Blender's axes."""
    entry = entries.named("joint_settings", name)
    if entry is None:
        return 0, None
    return entry.id_data.session_uid, JointSettings(
        limits=tuple(joint_settings.read_limit(group) for group in entry.limits),
        drives=tuple(joint_settings.read_drive(group) for group in entry.drives),
    )


def joint_marks(
    obj: Any, context: MarkContext, shown: ObjectMarks, known: KnownSettings
) -> Iterator[Mark]:
    """The frames of a joint, the line between them, its limits and its drives."""
    group = groups.of_object(obj).joint
    size = context.size_of(obj)
    yield Mark(Role.JOINT, _frame(size, False), ORIGIN)
    if group.connected_object is not None:
        yield Mark(Role.JOINT, _connection(obj, group, size, shown), ORIGIN)
    if not group.settings:
        return
    shown.settings.add(group.settings)
    settings = known.get(group.settings)
    if settings is None:
        return
    settings, frame = _of_what_moves(obj, group, settings, shown)
    parts = [(Role.LIMIT, joint_lines.limit_lines(settings, size))]
    if settings.drives:
        parts.append((Role.DRIVE, joint_lines.drive_lines(settings, size)))
    for role, lines in parts:
        yield Mark(role, lines if frame is None else transformed(lines, frame), ORIGIN)


def _of_what_moves(
    obj: Any, group: Any, settings: JointSettings, shown: ObjectMarks
) -> tuple[JointSettings, Any]:
    """The settings as the part that moves has them, and the frame it moves in; None for its own.

    Zero is where the two frames lie on each other, so lines are drawn in the frame of the other
    part, which stays.
    """
    connected = group.connected_object
    if connected is None:
        return settings, None
    for end in (obj, connected):
        shown.bodies.update(each.session_uid for each in (end, *ancestors(end)))
    if connected_moves(obj):
        return mirrored(settings), None
    if group.pivot_at_joint:
        return settings, None
    return settings, _into(obj, connected)


def _into(obj: Any, connected: Any) -> Any:
    """From the frame of the connected object to that of the joint."""
    return rigid(obj.matrix_world).inverted() @ rigid(connected.matrix_world)


@lru_cache(maxsize=256)
def _frame(size: float, connected: bool) -> Lines:
    return joint_lines.frame_lines(size, connected=connected)


def _connection(obj: Any, group: Any, size: float, shown: ObjectMarks) -> Lines:
    """The line to the connected object, and where the other frame is.

    With the pivot at the joint both frames are in the same place, and a ball marks the object.
    """
    connected = group.connected_object
    shown.places.add(obj.session_uid)
    shown.places.add(connected.session_uid)
    into = _into(obj, connected)
    x, y, z = into.translation
    link = joint_lines.link_lines((x, y, z), size)
    if not group.pivot_at_joint:
        return curves.joined([link, transformed(_frame(size, True), into)])
    ball = curves.ball(0.08 * size) + np.array([x, y, z], dtype=np.float32)
    return curves.joined([link, joint_lines.second_mark(size), ball])
