"""The nodes that a scene puts into a glTF file, before there is a file."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import bpy
from mathutils import Matrix, Quaternion, Vector

from ...axes import Axes
from ..base import groups

UPRIGHT: Final = frozenset({"CAPSULE", "CYLINDER", "PLANE"})  # Along Z here, along Y in glTF.
_PLAIN: Final = Axes(y_up=False)


@dataclass(slots=True)
class SceneNode:
    """A node of the glTF that stands for an object.

    Attributes:
        index: of the node in the document, which need not be its index in the file.
        matrix: of the node in the world, in Blender's axes.
        turned: whether the exporter turns the node into glTF's own frame of cameras and lights.
        instance: what it has in common with others shown by the same instance on a point, a face,
            a particle or of Geometry Nodes; None for what stands for itself.
        group: the property group of the object, to be read only; looked up once.
    """

    index: int
    object: bpy.types.Object
    matrix: Matrix
    turned: bool = False
    instance: Hashable | None = None
    group: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Look the group up."""
        self.group = groups.read(self.object)


@dataclass(frozen=True)
class Target:
    """An object that stands for a node of a file, and the axes its own numbers have."""

    object: bpy.types.Object
    axes: Axes


@dataclass(frozen=True)
class AddedNode:
    """A node that the export inserts, because a shape sits elsewhere than its object.

    Attributes:
        translation, rotation, scale: in glTF's axes; rotation x, y, z, w.
        role: what it is for; an import knows the nodes of some roles again.
    """

    index: int
    parent: int
    name: str
    translation: tuple[float, float, float]
    rotation: tuple[float, float, float, float]
    scale: tuple[float, float, float] | None = None
    role: str = "shape"

    def transform(self) -> dict[str, list[float]]:
        """The members that place it, without those that change nothing."""
        found = {"translation": list(self.translation)} if any(self.translation) else {}
        if any(self.rotation[:3]):
            found["rotation"] = list(self.rotation)
        if self.scale is not None:
            found["scale"] = list(self.scale)
        return found


class SceneTree:
    """The nodes of a scene by index, with those that are inserted."""

    def __init__(self, nodes: Sequence[SceneNode], parents: Sequence[int], axes: Axes) -> None:
        self.axes = axes
        self.nodes: dict[int, SceneNode] = {node.index: node for node in nodes}
        self.children: list[list[int]] = [[] for _ in parents]
        self.holders: dict[int, int] = {}  # Node → node that holds its trigger.
        self._parents = list(parents)
        for index, parent in enumerate(parents):
            if parent >= 0:
                self.children[parent].append(index)
        self._originals = nodes
        self._by_object: dict[Any, list[int]] | None = None
        self._shown: dict[tuple[Any, Hashable | None], int] = {}
        self._instances: dict[Any, dict[int, int]] = {}

    def new_index(self, parent: int, location: Any, rotation: Quaternion) -> int:
        """The index of a node inserted below `parent`."""
        index = len(self.children)
        self.children.append([])
        self.children[parent].append(index)
        self._parents.append(parent)
        above = self.nodes[parent]
        local = Matrix.LocRotScale(Vector(location), rotation, None)
        matrix = above.matrix @ local
        self.nodes[index] = SceneNode(index, above.object, matrix, above.turned, above.instance)
        return index

    def axes_of(self, node: SceneNode) -> Axes:
        """The axes that the numbers of a node have in the document."""
        return _PLAIN if node.turned else self.axes

    def above(self, index: int) -> SceneNode | None:
        """The node above another one; None at the top, and for bones and collections."""
        return self.nodes.get(self._parents[index])

    def find(self, obj: Any, near: int) -> int | None:
        """The node that holds the trigger of `obj`, of several instances the nearest to `near`."""
        nearest = self.find_node(obj, near)
        return None if nearest is None else self.holders.get(nearest, nearest)

    def is_only_shown(self, obj: Any) -> bool:
        """Whether an object that `find_node` did not find has nodes, all of them instances."""
        return any(obj == shown for shown, _ in self._shown)

    def find_node(self, obj: Any, near: int) -> int | None:
        """The node of `obj`, of several instances the nearest to `near`."""
        if self._by_object is None:
            self._by_object = {}
            for node in self._originals:
                if node.instance is None:
                    self._by_object.setdefault(node.object, []).append(node.index)
                else:
                    self._shown.setdefault((node.object, node.instance), node.index)
        beside = self._shown.get((obj, self.nodes[near].instance))
        if beside is not None:
            return beside
        found = self._by_object.get(obj, [])
        if not found:
            return None
        return found[0] if len(found) == 1 else self._nearest(obj, found, near)

    def _nearest(self, obj: Any, found: list[int], near: int) -> int:
        below = self._instances.get(obj)
        if below is None:  # Of every node, the first instance that is at or below it.
            below = self._instances[obj] = {}
            for i in found:
                for step in self._above(i):
                    below.setdefault(step, i)
        return next((below[step] for step in self._above(near) if step in below), found[0])

    def _above(self, index: int) -> dict[int, None]:
        """`index` and what is above it, nearest first."""
        chain: dict[int, None] = {}
        while index >= 0 and index not in chain:
            chain[index] = None
            index = self._parents[index]
        return chain
