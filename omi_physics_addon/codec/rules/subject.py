"""What the rules over a whole document look at: the records, and the tree of their nodes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from ...issue_codes import Code
from ...issues import Issues
from ...model.bodies import Motion
from ...model.document import NodePhysics, PhysicsDocument
from ...model.fields import Vector3
from ...model.shapes import Geometry
from ..values.node_tree import Tree, scale_of

_UNKNOWN: Final = -1
_ONE: Final = (1.0, 1.0, 1.0)


def unknown_count(_mesh: int) -> int:
    """The triangle count of a mesh that is not known: -1."""
    return _UNKNOWN


@dataclass
class Subject:
    """What the rules look at, and where they put what they find.

    Attributes:
        place: words for messages about a node.
        entry: the same about an entry of a list of the document, by the list's name and index.
        families: that it is written in; some rules are of one family only.
        animated: nodes that an animation moves.
        laden: nodes that carry a mesh, a camera or a light.
        triangles: how many a mesh has; -1 for unknown.
    """

    document: PhysicsDocument
    tree: Tree
    issues: Issues
    place: Callable[[int], str] = "/nodes/{}".format
    entry: Callable[[str, int], str] = "{} {}".format
    families: Collection[str] = ("OMI",)
    animated: Collection[int] = frozenset[int]()
    laden: Collection[int] = frozenset[int]()
    triangles: Callable[[int], int] = unknown_count
    _scales: dict[int, Vector3] = field(default_factory=dict[int, Vector3])

    def add(self, code: Code, node: int, why: str) -> None:
        """Note what a node breaks."""
        self.issues.add(code, self.place(node), why)

    def nodes(self) -> Iterator[tuple[int, NodePhysics]]:
        """The nodes with physics, in their order."""
        for i in sorted(self.document.nodes):
            yield i, self.document.nodes[i]

    def motion(self, node: int | None) -> Motion | None:
        """The motion of a node."""
        physics = None if node is None else self.document.nodes.get(node)
        return None if physics is None else physics.motion

    def body_of(self, node: int) -> int | None:
        """The node whose body a node belongs to: itself, or the nearest above; None for none."""
        return next((i for i in self.tree.upward(node) if self.motion(i)), None)

    def scale(self, node: int) -> Vector3:
        """How a node is scaled in the world; 1 where it is sheared, which is another fault."""
        found = self._scales.get(node)
        if found is None:
            found = self._scales[node] = scale_of(self.tree.world(node)) or _ONE
        return found

    def is_sheared(self, node: int) -> bool:
        """Whether the axes of a node are not perpendicular in the world."""
        return scale_of(self.tree.world(node)) is None

    def geometry(self, shape: int | None) -> Geometry | None:
        """The geometry of an entry of the list of shapes."""
        shapes = self.document.shapes
        return shapes[shape].geometry if shape is not None and shape < len(shapes) else None

    @functools.cached_property
    def colliders(self) -> dict[int | None, list[int]]:
        """The nodes with colliders by their body; those of no body under None."""
        return self._by_body("collider")

    @functools.cached_property
    def triggers(self) -> dict[int | None, list[int]]:
        """The nodes with triggers by their body."""
        return self._by_body("trigger")

    def _by_body(self, part: str) -> dict[int | None, list[int]]:
        found: dict[int | None, list[int]] = {}
        for i, physics in self.nodes():
            if getattr(physics, part) is not None:
                found.setdefault(self.body_of(i), []).append(i)
        return found
