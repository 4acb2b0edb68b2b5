"""Names of nodes that ask for physics, for readers that know names alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ..authoring.names import name_tags
from ..base import groups
from ..base.hierarchy import ancestors, body_of
from ..scene.scene_nodes import SceneNode


def rename(own: Iterable[SceneNode], nodes: Sequence[Any], convention: str) -> list[SceneNode]:
    """Give nodes with colliders the names that a convention has for them.

    Args:
        own: the nodes of objects.
        nodes: the exporter's, by the indices of these.
        convention: GODOT or UNREAL.

    Returns:
        Those that have another name now.
    """
    counts = Counter[str]()
    named: list[SceneNode] = []
    for each in own:
        node = nodes[each.index]
        group = groups.of_object(each.object)
        if not group.use_collider or getattr(node, "mesh", None) is None:
            continue
        before = node.name
        if convention == "GODOT":
            node.name = _for_godot(each.object, group, node.name)
        elif group.is_collision_only:
            node.name = _for_unreal(each.object, group, node.name, counts)
        if node.name != before:
            named.append(each)
    return named


def _for_godot(obj: Any, group: Any, name: str) -> str:
    """A static or a rigid body of the mesh; what a moving body has below it stays as it is."""
    body = body_of(obj)
    motion = "STATIC" if body is None else groups.read(body).motion.type
    if motion == "KINEMATIC" or (motion == "DYNAMIC" and body is not obj):
        return name
    return name_tags.suffixed(
        name, group.collider.shape.type, motion, is_collision_only=group.is_collision_only
    )


def _for_unreal(obj: Any, group: Any, name: str, counts: Counter[str]) -> str:
    """A collider of the mesh that it is below; one that is below none stays as it is."""
    owners = (a for a in ancestors(obj) if a.type == "MESH")
    owner = next((a for a in owners if not groups.read(a).is_collision_only), None)
    if owner is None:
        return name
    counts[owner.name] += 1
    return name_tags.prefixed(owner.name, group.collider.shape.type, counts[owner.name])
