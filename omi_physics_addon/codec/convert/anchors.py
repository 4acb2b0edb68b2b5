"""Static bodies that joints hang on, which KHR cannot say and readers of it need.

KHR has no static motion: a static body is colliders without a body. Babylon.js looks for a body
above the node of a joint and at its other end, and refuses the file where there is none. As a
kinematic body without velocity it is found, and stands as still. A role in the extras of its node
lets our import make it static again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Final

from ...model.bodies import ZERO
from ...model.document import GltfFile, PhysicsDocument
from ..values.node_tree import Tree

ROLE: Final = "static"  # What the extras of such a node say.


def may_be_in(document: PhysicsDocument) -> bool:
    """Whether a document has both joints and static bodies."""
    physics = document.nodes.values()
    return any(each.joint is not None for each in physics) and any(
        each.motion is not None and each.motion.type == "static" for each in physics
    )


def marked(document: PhysicsDocument, tree: Tree) -> PhysicsDocument:
    """A document that knows which of its static bodies joints hang on."""
    found = frozenset(_held(document, tree))
    return dataclasses.replace(document, anchors=found) if found else document


def _held(document: PhysicsDocument, tree: Tree) -> Iterator[int]:
    nearest = tree.nearest(document.nodes, "motion")

    def body_of(node: int) -> int | None:
        first = len(tree.children)
        at = document.new_nodes[node - first].parent if node >= first else node
        return None if at < 0 else nearest(at)

    for node, physics in document.nodes.items():
        joint = physics.joint
        for end in () if joint is None else (node, joint.connected_node):
            body = None if end is None else body_of(end)
            motion = None if body is None else document.nodes[body].motion
            if body is not None and motion is not None and motion.type == "static":
                yield body


def as_authored(document: PhysicsDocument, file: GltfFile) -> None:
    """Make bodies static that our export has written as kinematic for their joints."""
    for i, node in enumerate(file.nodes):
        physics = document.nodes.get(i) if node.role == ROLE else None
        motion = None if physics is None else physics.motion
        if physics is None or motion is None or motion.type != "kinematic":
            continue
        if (motion.linear_velocity, motion.angular_velocity) == (ZERO, ZERO):
            static = dataclasses.replace(motion, type="static")
            document.nodes[i] = dataclasses.replace(physics, motion=static)
