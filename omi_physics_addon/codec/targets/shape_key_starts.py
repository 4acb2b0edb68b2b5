"""Which shape keys begin at 0 in an engine that applies an animation when it imports a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..values.json_members import as_list, member, targets


def reshaped(
    begins: Iterable[Sequence[Any] | None],
    animations: Iterable[tuple[Any, Iterable[Any]]],
    reset: str,
) -> frozenset[int]:
    """The nodes whose shape keys begin elsewhere than at 0, and are not set by an animation.

    Args:
        begins: the values of the shape keys of each node.
        animations: the name of each, and the nodes whose shape keys it moves.
        reset: the name of the animation that is applied.
    """
    held = {node for name, nodes in animations if name == reset for node in nodes}
    return frozenset(i for i, keys in enumerate(begins) if keys and any(keys) and i not in held)


def reshaped_in(json: Mapping[str, Any], reset: str) -> frozenset[int]:
    """The same for a parsed glTF."""
    meshes, nodes = as_list(json.get("meshes")), as_list(json.get("nodes"))

    def begin(node: Any) -> list[Any]:
        own, mesh = as_list(member(node, "weights")), member(node, "mesh")
        known = isinstance(mesh, int) and 0 <= mesh < len(meshes)
        return own or (as_list(member(meshes[mesh], "weights")) if known else [])

    animations = (
        (
            member(animation, "name"),
            [at.get("node") for at in targets(animation) if at.get("path") == "weights"],
        )
        for animation in as_list(json.get("animations"))
    )
    return reshaped(map(begin, nodes), animations, reset)
