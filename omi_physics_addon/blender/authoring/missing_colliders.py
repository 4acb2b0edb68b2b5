"""Which bodies nothing can bump into; looked up once after each change, as panels ask often."""

from __future__ import annotations

from typing import Any

from ..base import changes, groups
from ..base.hierarchy import body_of


def lacks_collider(body: Any, scene: Any) -> bool:
    """Whether a body can touch nothing and an artist should know.

    A body that does not fall may well do without: one with triggers carries them around, one that
    a joint holds is where something hangs.
    """
    if groups.read(body).use_collider:
        return False
    found, uid = _of_scene(scene), body.session_uid
    if uid in found["collider"]:
        return False
    if groups.read(body).motion.type == "DYNAMIC":
        return True
    return uid not in found["trigger"] and uid not in found["joint"]


@changes.kept
def _of_scene(scene: Any) -> dict[str, set[int]]:
    return _look(scene)


def _look(scene: Any) -> dict[str, set[int]]:
    """By part, the uids of the bodies that have one, on them or below them or at its other end."""
    found: dict[str, set[int]] = {"collider": set(), "trigger": set(), "joint": set()}
    for obj in scene.objects:
        group = groups.read(obj)
        for part, bodies in found.items():
            if getattr(group, f"use_{part}"):
                _note(bodies, obj)
        if group.use_joint:
            _note(found["joint"], group.joint.connected_object)
    return found


def _note(bodies: set[int], obj: Any) -> None:
    body = body_of(obj)
    if body is not None:
        bodies.add(body.session_uid)
