"""The world of a document whose nodes stand in a tree of a codec, without Blender."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

import numpy as np

from ..model.document import NewNode, PhysicsDocument
from .body_solids import ReadMesh
from .build import build
from .world import Engine, Node, World


class NodeTree(Protocol):
    """Who is above whom, and where everything stands; `codec/values/node_tree.py` has one."""

    children: Sequence[Sequence[int]]
    parents: dict[int, int]

    def world(self, node: int) -> Sequence[float]:
        """The matrix of a node in the scene, 16 numbers column by column."""
        ...

    def upward(self, node: int) -> Iterator[int]:
        """A node and those above it."""
        ...

    def place_new(self, index: int, new: NewNode) -> None:
        """Let `world` know a node that the file does not have."""
        ...


def world_of(
    document: PhysicsDocument,
    tree: NodeTree,
    read_mesh: ReadMesh,
    *,
    engine: Engine = "OMI",
    animated: Collection[int] = (),
) -> World:
    """The bodies of a document at the places that a tree has for them.

    Args:
        read_mesh: corners and triangles of a mesh of the document; None where it has none.
        engine: whose engines decide what the specifications leave open.
        animated: nodes that an animation moves.
    """
    count = len(tree.children)
    moving = set(animated)
    nodes: list[Node] = []
    for i in range(count):
        matrix = np.array(tree.world(i), dtype=np.float64).reshape(4, 4).T
        carried = bool(moving) and not moving.isdisjoint(tree.upward(i))
        nodes.append(Node(tree.parents.get(i, -1), matrix, carried))
    for i, new in enumerate(document.new_nodes, count):  # Which older forms need.
        tree.place_new(i, new)
        nodes.append(Node(new.parent, np.array(tree.world(i), dtype=np.float64).reshape(4, 4).T))
    return build(document, nodes, read_mesh, engine=engine)
