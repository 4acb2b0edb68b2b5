"""Names of nodes that ask for physics, for readers that know names alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ...engines import CONVENTIONS, tag_of
from ...model.targets import NamedMesh
from ..base import groups
from ..base.hierarchy import ancestors, body_of
from ..scene.scene_nodes import SceneNode


def rename(own: Iterable[SceneNode], nodes: Sequence[Any], convention: str) -> list[SceneNode]:
    """Give nodes with colliders the names that a convention has for them.

    Args:
        own: the nodes of objects.
        nodes: the exporter's, by the indices of these.
        convention: one of `engines.CONVENTIONS`.

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
        before, owner = node.name, _owner(each.object)
        mesh = _mesh(each.object, group, owner, counts[owner] + 1)
        if tag_of(before) is None:
            node.name = CONVENTIONS[convention].name(before, mesh)
        if node.name != before:
            counts[owner] += 1
            named.append(each)
    return named


def _owner(obj: Any) -> str:
    """The mesh above an object that is not for collisions alone; empty for none."""
    owners = (a for a in ancestors(obj) if a.type == "MESH")
    return next((a.name for a in owners if not groups.read(a).is_collision_only), "")


def _mesh(obj: Any, group: Any, owner: str, number: int) -> NamedMesh:
    body = body_of(obj)
    return NamedMesh(
        group.collider.shape.type,
        "STATIC" if body is None else groups.read(body).motion.type,
        body is None or body is obj,
        group.is_collision_only,
        owner,
        number,
    )
