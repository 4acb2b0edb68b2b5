"""Reports shape keys that begin at 0 in Godot, whatever a file says.

Its editor applies the animation named RESET when it imports a file (seen with Godot 4.6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from ...issue_codes import Code
from ...issues import Issues
from ..values.json_members import as_list, member
from ..values.node_tree import Tree

_RESET: Final = "RESET"
_NAMED: Final = 3  # Nodes that are named where there are many.


def reshaped(
    begins: Iterable[Sequence[Any] | None], animations: Iterable[tuple[Any, Iterable[Any]]]
) -> frozenset[int]:
    """The nodes whose shape keys begin elsewhere than at 0, and are not set by RESET.

    Args:
        begins: the values of the shape keys of each node.
        animations: the name of each, and the nodes whose shape keys it moves.
    """
    held = {node for name, nodes in animations if name == _RESET for node in nodes}
    return frozenset(i for i, keys in enumerate(begins) if keys and any(keys) and i not in held)


def reshaped_in(json: Mapping[str, Any]) -> frozenset[int]:
    """The same for a parsed glTF."""
    meshes, nodes = as_list(json.get("meshes")), as_list(json.get("nodes"))

    def begin(node: Any) -> list[Any]:
        own, mesh = as_list(member(node, "weights")), member(node, "mesh")
        known = isinstance(mesh, int) and 0 <= mesh < len(meshes)
        return own or (as_list(member(meshes[mesh], "weights")) if known else [])

    animations = (
        (
            member(animation, "name"),
            [
                member(target, "node")
                for channel in as_list(member(animation, "channels"))
                if member(target := member(channel, "target"), "path") == "weights"
            ],
        )
        for animation in as_list(json.get("animations"))
    )
    return reshaped(map(begin, nodes), animations)


def check(tree: Tree, issues: Issues, place: Callable[[int], str]) -> None:
    """Report once which shape keys begin otherwise in Godot."""
    nodes = sorted(tree.reshaped)
    if not nodes:
        return
    names = [place(node) for node in nodes[:_NAMED]]
    if len(nodes) > _NAMED:
        names.append(f"{len(nodes) - _NAMED} more")
    words = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    why = (
        f"Godot starts the shape keys of {words} at 0; in its editor the animation {_RESET} "
        "sets their values"
    )
    issues.add(Code.GODOT_ZEROES_SHAPE_KEYS, place(nodes[0]), why)
