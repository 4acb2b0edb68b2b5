"""What the rules over a whole document look at: the records, and the tree of their nodes."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ...geometry.scaled_shapes import is_one
from ...issue_codes import Code
from ...issues import Issues
from ...model.bodies import Motion
from ...model.document import NodePhysics, PhysicsDocument
from ...model.fields import Vector3
from ...model.targets import SPECIFICATION
from ..values.node_tree import Tree, scale_of

if TYPE_CHECKING:
    from ...geometry.arrays import Array, Indices
    from ...geometry.mesh_sides import Sides
    from ...geometry.mesh_solids import Hull, Triangles

_UNKNOWN: Final = -1
_first: Final = operator.itemgetter(0)


def unknown_count(_mesh: int) -> int:
    """The triangle count of a mesh that is not known: -1."""
    return _UNKNOWN


class Solids:
    """Finds what meshes are as solids, each once.

    Args:
        read: the corners (n, 3) and triangles (m, 3) of a mesh, None where it cannot be read.
        hull: what makes the hull of points; that of `geometry` when left out.
        is_part: whether a mesh is a part of a larger one, whose sides the whole would tell.
    """

    def __init__(
        self,
        read: Callable[[int], Triangles | None] | None = None,
        hull: Hull | None = None,
        is_part: Callable[[int], bool] = lambda _mesh: False,
    ) -> None:
        self._read, self._hull, self._is_part = read, hull, is_part
        self._corners: dict[int, int | None] = {}
        self._sides: dict[int, Sides | None] = {}

    def hull_corners(self, mesh: int) -> int | None:
        """How many corners the hull of a mesh has, 0 for a flat one; None as for `sides`."""
        if mesh not in self._corners:
            found = self._triangles(mesh)
            self._corners[mesh] = None if found is None else self._count(*found)
        return self._corners[mesh]

    def sides(self, mesh: int) -> Sides | None:
        """Which way its triangles look; None where it cannot be read, or has no triangle."""
        if mesh not in self._sides:
            from ...geometry.mesh_sides import look

            found = None if self._is_part(mesh) else self._triangles(mesh)
            self._sides[mesh] = None if found is None else look(*found)
        return self._sides[mesh]

    def _triangles(self, mesh: int) -> Triangles | None:
        found = None if self._read is None else self._read(mesh)
        return found if found is not None and len(found[1]) else None

    def _count(self, corners: Array, triangles: Indices) -> int:
        from ...geometry.hull import convex_hull

        used = corners[sorted(set(triangles.ravel().tolist()))]
        hull = (self._hull or convex_hull)(used)
        return 0 if hull is None else len(hull[0])


@dataclass
class Subject:
    """What the rules look at, and where they put what they find.

    Attributes:
        place: words for messages about a node.
        entry: the same about an entry of a list of the document, by the list's name and index.
        families: that it is written in; some rules are of one family only.
        target: whom it is for; the engines play scaled shapes as they are seen.
        animated: nodes that an animation moves.
        laden: nodes that carry a mesh, a camera or a light.
        triangles: how many a mesh has; -1 for unknown.
        listed_shapes: how many of the shapes stand in a list of the file, in its order.
        solids: what meshes are as solids.
    """

    document: PhysicsDocument
    tree: Tree
    issues: Issues
    place: Callable[[int], str] = "/nodes/{}".format
    entry: Callable[[str, int], str] = "{} {}".format
    families: Collection[str] = ("OMI",)
    target: str = SPECIFICATION
    animated: Collection[int] = frozenset[int]()
    laden: Collection[int] = frozenset[int]()
    triangles: Callable[[int], int] = unknown_count
    listed_shapes: int = 0
    solids: Solids = field(default_factory=lambda: Solids())
    _scales: dict[int, Vector3 | None] = field(default_factory=dict[int, Vector3 | None])
    _having: dict[str, list[tuple[int, NodePhysics]]] = field(
        default_factory=dict[str, list[tuple[int, NodePhysics]]]
    )

    def add(self, code: Code, node: int, why: str) -> None:
        """Note what a node breaks."""
        self.issues.add(code, self.place(node), why)

    @functools.cached_property
    def nodes(self) -> list[tuple[int, NodePhysics]]:
        """The nodes with physics, in their order."""
        return sorted(self.document.nodes.items(), key=_first)

    def having(self, *parts: str) -> list[tuple[int, NodePhysics]]:
        """The nodes that have any of some parts, in their order."""
        found: dict[int, NodePhysics] = {}
        for part in parts:
            if part not in self._having:
                self._having[part] = [at for at in self.nodes if getattr(at[1], part) is not None]
            found.update(self._having[part])
        return self._having[parts[0]] if len(parts) == 1 else sorted(found.items(), key=_first)

    def motion(self, node: int | None) -> Motion | None:
        """The motion of a node."""
        physics = None if node is None else self.document.nodes.get(node)
        return None if physics is None else physics.motion

    @functools.cached_property
    def body_of(self) -> Callable[[int], int | None]:
        """What finds the node whose body a node belongs to: itself, or the nearest above."""
        return self.tree.nearest(self.document.nodes, "motion")

    @functools.cached_property
    def vehicle_of(self) -> Callable[[int], int | None]:
        """What finds the nearest vehicle at or above a node."""
        return self.tree.nearest(self.document.nodes, "vehicle_body")

    def scale(self, node: int) -> Vector3 | None:
        """How a node is scaled in the world.

        None for not at all, and where it is sheared, which is another fault.
        """
        if node not in self._scales:
            found = scale_of(self.tree.world(node)) if self.tree.may_be_scaled(node) else None
            self._scales[node] = None if found is None or is_one(found) else found
        return self._scales[node]

    def is_sheared(self, node: int) -> bool:
        """Whether the axes of a node are not perpendicular in the world."""
        return self.tree.may_be_scaled(node) and scale_of(self.tree.world(node)) is None

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
        for i, _physics in self.having(part):
            found.setdefault(self.body_of(i), []).append(i)
        return found
