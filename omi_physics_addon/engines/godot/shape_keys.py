"""Reports shape keys that begin at 0 in Godot, whatever a file says.

Its editor applies the animation named RESET when it imports a file (seen with Godot 4.6).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...codec.values.node_tree import Tree
from ...issues import Issues
from .codes import GodotCode

RESET: Final = "RESET"
_NAMED: Final = 3  # Nodes that are named where there are many.


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
        f"Godot starts the shape keys of {words} at 0; in its editor the animation {RESET} "
        "sets their values"
    )
    issues.add(GodotCode.ZEROES_SHAPE_KEYS, place(nodes[0]), why)
