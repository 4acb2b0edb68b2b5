"""The draft of a converted document."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from ...issue_codes import IssueCode, Severity
from ...issues import Issues
from ...model.bodies import Motion
from ...model.document import LISTS, NewMesh, NewNode, NodePhysics, PhysicsDocument
from ...model.fields import (
    JointIndex,
    MaterialIndex,
    MeshIndex,
    NodeIndex,
    ShapeIndex,
    WheelIndex,
    table,
)
from ...model.joints import Joint
from ...model.shapes import Plane
from ..values import carried
from ..values.node_tree import Matrix, Tree, from_above
from .merging import SHARED, Moves, collect, holders, is_record, move

if TYPE_CHECKING:
    from ...geometry.inertia import MassProperties
    from ...geometry.mesh_solids import Triangles

Weigh = Callable[[int], "MassProperties | None"]
ReadMesh = Callable[[int], "Triangles | None"]

R = TypeVar("R")

_NAMES: Final[dict[str, str]] = {
    "OMI_physics_body": "KHR_physics_rigid_bodies",
    "OMI_physics_joint": "KHR_physics_rigid_bodies",
    "OMI_physics_shape": "KHR_implicit_shapes",
}


# Into lists whose entries are replaced by others, so that old ones go.
_MADE_ANEW: Final = (ShapeIndex, JointIndex, WheelIndex)
_RECORDS: Final = ("limits", "drives")  # Fields that hold several records.


class Draft:
    """A copy of a document that a conversion changes; the original is left alone."""

    def __init__(
        self, document: PhysicsDocument, tree: Tree, issues: Issues, file_meshes: int = 0
    ) -> None:
        """Take what to change, and how many meshes the file has where some may be added."""
        lists = {
            item.name: list(getattr(document, item.name))
            for item in dataclasses.fields(document)
            if isinstance(getattr(document, item.name), list)
        }
        self.document = dataclasses.replace(
            document,
            nodes=dict(document.nodes),
            carried=dict(document.carried),
            moved_nodes=dict(document.moved_nodes),
            renamed_nodes=dict(document.renamed_nodes),
            **lists,
        )
        self.tree, self.issues = tree, issues
        self.file_nodes, self.file_meshes = len(tree.children), file_meshes
        self.is_shared = False  # Whether another document speaks of the same nodes.
        self.weigh: Weigh | None = None  # See `engines.repaired`.
        self.read_mesh: ReadMesh | None = None  # The same.
        self.changed: list[int] = []  # Nodes, as often as their physics was changed.
        self.moved_triggers: dict[int, int] = {}  # Nodes of triggers, and where these are now.
        self._bodies: dict[int, int | None] = {}
        self._places: dict[str, dict[Any, int]] = {}
        self._original = document.nodes

    def report(
        self, code: IssueCode, node: int, message: str, severity: Severity | None = None
    ) -> None:
        """Add a finding about a node; the severity is the catalogue's unless given."""
        self.issues.add(code, f"/nodes/{node}", message, severity)

    def nodes(self) -> list[tuple[int, NodePhysics]]:
        """Nodes and their physics as they are now, in the order of the file."""
        return sorted(self.document.nodes.items())

    def of(self, node: int) -> NodePhysics:
        """The physics of a node; empty where it has none."""
        return self.document.nodes.get(node, NodePhysics())

    def change(self, node: int, **parts: Any) -> None:
        """Replace parts of the physics of a node."""
        if "motion" in parts:
            self._bodies.clear()
        self.changed.append(node)
        physics = NodePhysics(**(vars(self.of(node)) | parts))
        if physics:
            self.document.nodes[node] = physics
        else:
            self.document.nodes.pop(node, None)

    def add_node(self, new: NewNode) -> int:
        """Add a node; returns its index."""
        self.document.new_nodes.append(new)
        index = self.file_nodes + len(self.document.new_nodes) - 1
        self.tree.place_new(index, new)
        return index

    def add_mesh(self, new: NewMesh) -> MeshIndex:
        """Add a mesh, unless one like it was added; returns its index."""
        return MeshIndex(self.file_meshes + self.add("new_meshes", new))

    def add(self, name: str, record: Any) -> int:
        """The index of a record in one of the document's lists, to which it is added if new."""
        items: list[Any] = getattr(self.document, name)
        places = self._places.get(name)
        if places is None:
            places = self._places[name] = {item: i for i, item in enumerate(items)}
        if record not in places:
            places[record] = len(items)
            items.append(record)
        return places[record]

    def upward(self, node: int) -> Iterator[int]:
        """A node and its ancestors, nearest first; new nodes, too."""
        seen: set[int] = set()
        while node >= 0 and node not in seen:
            yield node
            seen.add(node)
            node = self.parent_of(node)

    def parent_of(self, node: int) -> int:
        """The node above one of the file or a new one; -1 for none."""
        if node >= self.file_nodes:
            return self.document.new_nodes[node - self.file_nodes].parent
        moved = self.document.moved_nodes.get(node)
        return self.tree.parents.get(node, -1) if moved is None else moved

    def world(self, node: int) -> Matrix:
        """The matrix from the frame of a node to that of the scene; new nodes, too."""
        return self.tree.world(node)

    def move_node(self, node: int, parent: int) -> None:
        """Hang a node of the file below another one, -1 for none; it stays where it is."""
        self.document.moved_nodes[node] = parent
        self._bodies.clear()

    def body_of(self, node: int) -> tuple[int, Motion] | None:
        """The node itself or its nearest ancestor with a motion, and that motion."""
        at = from_above(node, self._bodies, self.parent_of, None, self._body_at)
        motion = None if at is None else self.of(at).motion
        return None if at is None or motion is None else (at, motion)

    def _body_at(self, node: int, above: int | None) -> int | None:
        return above if self.of(node).motion is None else node

    def is_dynamic(self, node: int) -> bool:
        """Whether a node belongs to a dynamic body."""
        body = self.body_of(node)
        return body is not None and body[1].type == "dynamic"

    def joined(self, node: int, joint: Joint) -> list[int]:
        """The bodies that the joint of a node connects, that of the node first."""
        ends = [node] if joint.connected_node is None else [node, joint.connected_node]
        return [body[0] for end in ends if (body := self.body_of(end)) is not None]

    def part_of(self, body: int) -> Iterator[int]:
        """A node and its descendants, without those that belong to other bodies."""
        seen = {body}
        waiting = [body]
        while waiting:
            node = waiting.pop()
            yield node
            for child in self.tree.children[node] if node < self.file_nodes else ():
                inside = 0 <= child < self.file_nodes and child not in seen
                if inside and self.of(child).motion is None:
                    seen.add(child)
                    waiting.append(child)

    def list_moved_triggers(self) -> None:
        """Let compound triggers list the nodes that their triggers moved to."""
        gone, self.moved_triggers = self.moved_triggers, {}
        for node, physics in self.nodes() if gone else ():
            trigger = physics.trigger
            if trigger is not None and not gone.keys().isdisjoint(trigger.nodes):
                nodes = tuple(NodeIndex(gone.get(at, at)) for at in trigger.nodes)
                self.change(node, trigger=dataclasses.replace(trigger, nodes=nodes))

    def strip_faults(self) -> None:
        """Drop the originals of repaired values, so that only the repaired ones are converted."""
        document = self.document
        for name in SHARED.values():
            setattr(document, name, [without_faults(item) for item in getattr(document, name)])
        for i, physics in self.nodes():
            self.document.nodes[i] = without_faults(physics)

    def rename_carried(self, *, to_khr: bool) -> None:
        """Move the carried members of extension objects to the extensions of the other family."""
        back = {
            "KHR_physics_rigid_bodies": "OMI_physics_body",
            "KHR_implicit_shapes": "OMI_physics_shape",
        }
        names = _NAMES if to_khr else back
        document = self.document
        document_texts: dict[str, str] = {}
        for name, text in document.carried.items():
            _put(document_texts, names.get(name, name), text)
        document.carried = document_texts
        for i, physics in self.nodes():
            texts: dict[str, str] = {}
            for name, text in physics.carried:
                if text != "{}":
                    _put(texts, names.get(name, name), text)
            if physics.carried:
                self.change(i, carried=tuple(texts.items()))

    def drop_orphans(self) -> None:
        """Remove shapes, joint settings and wheels that nothing uses any more."""
        nodes = self.document.nodes
        before = _uses(was for i, was in self._original.items() if nodes.get(i) is not was)
        if any(before.values()):
            now = _uses(nodes.values())
            self.drop({kind: dict.fromkeys(used - now[kind]) for kind, used in before.items()})
            self._original = dict(self.document.nodes)

    def drop_planes(self) -> None:
        """Remove planes, which OMI's list has no place for."""
        shapes = self.document.shapes
        planes = (i for i, shape in enumerate(shapes) if isinstance(shape.geometry, Plane))
        self.drop({ShapeIndex: dict.fromkeys(planes)})

    def drop(self, gone: Mapping[Any, Mapping[int, int | None]]) -> None:
        """Take entries out of lists.

        Args:
            gone: by the types of indices, each with the one that is named in its place, or None.
        """
        moves: Moves = {}
        for kind, instead in gone.items():
            if not instead:
                continue
            items: list[Any] = getattr(self.document, LISTS[kind])
            left = [k for k in range(len(items)) if k not in instead]
            places: dict[int, int | None] = {k: new for new, k in enumerate(left)}
            for k, to in instead.items():
                places[k] = None if to is None else places[to]
            moves[kind] = places
            setattr(self.document, LISTS[kind], [items[k] for k in left])
        for i, physics in self.nodes() if moves else ():
            self.document.nodes[i] = move(physics, moves)
        if MaterialIndex in moves:
            self.document.wheels = [move(wheel, moves) for wheel in self.document.wheels]


def _uses(nodes: Iterable[NodePhysics]) -> dict[Any, set[int]]:
    """The indices that nodes have, by their type."""
    found: dict[Any, set[int]] = {kind: set() for kind in _MADE_ANEW}
    for physics in nodes:
        collect(physics, found)
    return found


def _put(texts: dict[str, str], name: str, text: str) -> None:
    members = {**carried.unpack(text), **carried.unpack(texts.get(name, ""))}
    texts[name] = carried.pack(members)


def without_faults(record: R) -> R:
    """A record without the originals of its repaired values, also in the records inside it."""
    changes: dict[str, Any] = {}
    text = getattr(record, "carried", "")
    if text and isinstance(text, str):
        keys = {row.key for row in table(cast(type, record.__class__))}
        members = carried.unpack(text)
        left = carried.pack({k: v for k, v in members.items() if k not in keys})
        if left != text:
            changes["carried"] = left
    for name in holders(cast(type, record.__class__)):
        value = getattr(record, name)
        if value is None:
            continue
        new: Any = value
        if is_record(value.__class__):
            if value.carried or holders(value.__class__):
                new = without_faults(value)
        elif name in _RECORDS:
            new = tuple(without_faults(part) for part in cast(tuple[Any, ...], value))
        if new is not value and new != value:
            changes[name] = new
    return dataclasses.replace(cast(Any, record), **changes) if changes else record
