"""The skins that bend nothing and whose bones are dynamic bodies, which files for Godot leave out.

Blender writes the skin of an armature without meshes, so that its bones come back as bones. Godot
makes a skeleton of each skin, whose bones stay where they are while the bodies on them move; what
no skin names is a body itself there, with all that hangs on it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from ...model.document import PhysicsDocument
from ..values.json_members import as_list, bones, member

_KEY: Final = "skins"

Json = dict[str, Any]


def take(json: Json, movers: Collection[int]) -> Json:
    """Take idle skins out of a parsed glTF, whose lists are replaced and not changed.

    Args:
        movers: the nodes with dynamic bodies.

    Returns:
        The skins, by their indices as texts.
    """
    skins, nodes = as_list(json.get(_KEY)), as_list(json.get("nodes"))
    used = {_skin(node) for node in nodes}
    moving = set(movers)
    taken = {
        str(k): skin
        for k, skin in enumerate(skins)
        if k not in used and not moving.isdisjoint(bones({_KEY: [skin]}))
    }
    if taken:
        kept = [k for k in range(len(skins)) if str(k) not in taken]
        json[_KEY] = [skins[k] for k in kept]
        json["nodes"] = _renumbered(nodes, {old: new for new, old in enumerate(kept)})
        if not kept:
            del json[_KEY]
    return taken


def put_back(json: Json, taken: Mapping[str, Any]) -> None:
    """Put skins into a parsed glTF where they were, whose lists are replaced and not changed."""
    if not taken:
        return
    skins = list(as_list(json.get(_KEY)))
    for k in sorted(map(int, taken)):
        skins.insert(k, taken[str(k)])
    kept = [k for k in range(len(skins)) if str(k) not in taken]
    json[_KEY] = skins
    json["nodes"] = _renumbered(as_list(json.get("nodes")), dict(enumerate(kept)))


def movers(document: PhysicsDocument) -> list[int]:
    """The nodes with dynamic bodies."""
    return [
        node
        for node, physics in sorted(document.nodes.items())
        if physics.motion is not None and physics.motion.type == "dynamic"
    ]


def _renumbered(nodes: Sequence[Any], numbers: Mapping[int, int]) -> list[Any]:
    """Nodes that refer to the same skins by other numbers."""
    return [
        {**node, "skin": numbers[skin]} if (skin := _skin(node)) in numbers else node
        for node in nodes
    ]


def _skin(node: Any) -> int:
    """The skin of a node; -1 for none."""
    found = member(node, "skin")
    return found if isinstance(found, int) else -1
