"""Which bodies nothing can bump into; looked up once after each change, as panels ask often."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..base import changes, groups
from ..base.hierarchy import body_of


@dataclass
class _Found:
    """The bodies of a scene, by uid, that have something.

    Attributes:
        solid: a collider, on them or below them.
        noticing: a trigger.
        held: a joint.
    """

    solid: set[int] = field(default_factory=set[int])
    noticing: set[int] = field(default_factory=set[int])
    held: set[int] = field(default_factory=set[int])


def lacks_collider(body: Any, scene: Any) -> bool:
    """Whether a body can touch nothing and an artist should know.

    A body that does not fall may well do without: one with triggers carries them around, one that
    a joint holds is where something hangs.
    """
    if groups.read(body).use_collider:
        return False
    found, uid = _of_scene(scene), body.session_uid
    if uid in found.solid:
        return False
    if groups.read(body).motion.type == "DYNAMIC":
        return True
    return uid not in found.noticing and uid not in found.held


@changes.kept
def _of_scene(scene: Any) -> _Found:
    return _look(scene)


def _look(scene: Any) -> _Found:
    found = _Found()
    for obj in scene.objects:
        group = groups.read(obj)
        if group.use_collider:
            _note(found.solid, obj)
        if group.use_trigger:
            _note(found.noticing, obj)
        if group.use_joint:
            _note(found.held, obj)
            _note(found.held, group.joint.connected_object)
    return found


def _note(bodies: set[int], obj: Any) -> None:
    body = body_of(obj)
    if body is not None:
        bodies.add(body.session_uid)
