"""Counts the joints that share settings, once after each change and not at each redraw."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..base import changes, groups
from ..properties import names

_known: tuple[int, int, Counter[str]] | None = None  # Change, uid of the scene, joints by name.


def count(scene: Any, name: str) -> int:
    """How many joints of a scene use an entry of its list."""
    global _known
    key = changes.count(), scene.session_uid
    if _known is None or _known[:2] != key:
        _known = *key, _counted(scene)
    return _known[2][name]


def _counted(scene: Any) -> Counter[str]:
    physics = map(groups.of_object, names.objects_of(scene))
    return Counter(group.joint.settings for group in physics if group.use_joint)
