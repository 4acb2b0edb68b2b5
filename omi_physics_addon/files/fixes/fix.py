"""What a fix is, and what many of them do with a draft of a document."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from ...codec.convert.draft import Draft
from ...codec.values import carried
from ...codec.values.node_tree import scale_of
from ...geometry.mesh_solids import Triangles
from ...model.bodies import ShapeUser
from ...model.document import LISTS, NewNode, NodePhysics
from ...model.fields import ShapeIndex, Vector3
from ...model.shapes import Geometry, Shape

R = TypeVar("R")

_KINDS: Final = {name: kind for kind, name in LISTS.items()}


@dataclass
class Patient:
    """A document that is being set right.

    Attributes:
        draft: what to change.
        read_mesh: the corners and triangles of a mesh; None where it cannot be read.
    """

    draft: Draft
    read_mesh: Callable[[int], Triangles | None]
    # Entries that are to go by their lists, each with the one that is named in its place.
    _gone: dict[str, dict[int, int | None]] = field(
        default_factory=dict[str, dict[int, "int | None"]]
    )
    _firsts: dict[Shape, int] = field(default_factory=dict[Shape, int])
    _users: dict[tuple[str, int], dict[int, None]] | None = None
    _priorities: dict[int, int] = field(default_factory=dict[int, int])

    def change(self, node: int, part: str, **values: Any) -> bool:
        """Change fields of a part of a node; whether there is such a part."""
        old = getattr(self.draft.of(node), part)
        if old is None:
            return False
        self.draft.change(node, **{part: dataclasses.replace(old, **values)})
        return True

    def swap_entry(self, name: str, at: int, record: Any) -> bool:
        """Put another record in the place of one of a list."""
        getattr(self.draft.document, name)[at] = record
        return True

    def drop_later(self, name: str, at: int, instead: int | None = None) -> bool:
        """Take an entry out of its list when all fixes are done.

        Args:
            instead: the entry, which stays, that is named in its place; None for nothing.
        """
        self._gone.setdefault(name, {})[at] = instead
        return True

    def gone(self, name: str) -> Collection[int]:
        """The entries of a list that are to go."""
        return self._gone.get(name, {}).keys()

    def drop(self) -> None:
        """Take out what was to go."""
        self.draft.drop({_KINDS[name]: gone for name, gone in self._gone.items()})

    def use_shape(self, node: int, part: str, geometry: Any) -> bool:
        """Give the collider or trigger of a node another geometry; its old shape goes if unused."""
        user: ShapeUser | None = getattr(self.draft.of(node), part)
        if user is None or user.shape is None:
            return False
        shapes = self.draft.document.shapes
        shape = dataclasses.replace(shapes[user.shape], geometry=geometry)
        index = ShapeIndex(self.draft.add("shapes", shape))
        return self.change(node, part, shape=index)

    def shapes_of(self, node: int) -> list[tuple[str, Geometry]]:
        """The parts of a node that have a shape, and its geometry."""
        rows = self.draft.document.shaped(self.draft.of(node))
        return [(part, shape.geometry) for part, _user, shape in rows]

    def new_child(self, node: int, name: str, **place: Any) -> int:
        """A new node below one of the file, where that one stands."""
        return self.draft.add_node(NewNode(node, node, f"{name} {node}", **place))

    def users(self, name: str, at: int) -> list[int]:
        """The nodes that name an entry of a list, or a node, and perhaps some that did before."""
        waiting = self.draft.changed
        if self._users is None:
            self._users, waiting = {}, list(self.draft.document.nodes)
        for node in waiting:
            for key in _named(self.draft.of(node)):
                self._users.setdefault(key, {})[node] = None
        self.draft.changed.clear()
        return sorted(self._users.get((name, at), ()))

    def first_alike(self, shape: Shape) -> int:
        """The first of the shapes that are like one of them."""
        if not self._firsts:
            for k, each in enumerate(self.draft.document.shapes):
                self._firsts.setdefault(each, k)
        return self._firsts[shape]

    def free_priority(self, priority: int) -> int:
        """The least priority, from one on, that no gravity volume has; it is taken by that."""
        known = self._priorities  # Each that is taken, and one above it up to which all are.
        if not known:
            volumes = (physics.gravity for _, physics in self.draft.nodes())
            known.update((g.priority, g.priority + 1) for g in volumes if g is not None)
        free, passed = priority, list[int]()
        while free in known:
            passed.append(free)
            free = known[free]
        known.update(dict.fromkeys((*passed, free), free + 1))
        return free

    def scale(self, node: int) -> Vector3 | None:
        """How a node is scaled in the world; None where it is sheared or scaled to nothing."""
        found = scale_of(self.draft.world(node))
        return found if found is not None and all(found) else None


Apply = Callable[[Patient, int], bool]


def setting(part: str, **values: Any) -> Apply:
    """What changes fields of a part of a node."""
    return lambda patient, node: patient.change(node, part, **values)


def removing(*parts: str) -> Apply:
    """What takes parts off a node."""
    return giving(**dict.fromkeys(parts))


def giving(**parts: Any) -> Apply:
    """What gives a node these parts."""

    def apply(patient: Patient, node: int) -> bool:
        patient.draft.change(node, **parts)
        return True

    return apply


def dropping(name: str) -> Apply:
    """What takes an entry out of a list."""
    return lambda patient, at: patient.drop_later(name, at)


@dataclass(frozen=True)
class Words:
    """What a fix is called in Blender.

    Attributes:
        label: what the button says.
        one, many: what is wrong with one object, and with several: {count}.
    """

    label: str
    one: str
    many: str


_SMALL: Final = (  # In labels.
    *("a", "an", "and", "from", "in", "into", "is", "kg", "m"),
    *("of", "on", "that", "the", "to", "with"),
)


def _titled(words: str) -> str:
    """Words as Blender writes labels."""
    first, *rest = (
        word if word in _SMALL else word[:1].upper() + word[1:] for word in words.split()
    )
    return " ".join((first[:1].upper() + first[1:], *rest))


@dataclass(frozen=True)
class Fix:
    """How an issue is set right.

    Attributes:
        words: what is done, for a person.
        apply: does it at a node, or at an entry of `where`; whether there was something to do.
        where: the list that `apply` takes an index of; empty for nodes.
        one, many: what is wrong with one object of Blender, and with several: {count}.
    """

    words: str
    apply: Apply
    where: str = ""
    one: str = ""
    many: str = ""

    def in_scenes(self, text: str) -> Words:
        """What buttons and sentences call it in Blender.

        Args:
            text: what is wrong, where there are no sentences for one and for several.
        """
        one, many = self.one or text, self.many or f"{text} ({{count}} times)"
        return Words(_titled(self.words), one, many)


def _named(physics: NodePhysics) -> Iterator[tuple[str, int]]:
    """The shapes and nodes that the physics of a node names."""
    trigger, joint, vehicle = physics.trigger, physics.joint, physics.vehicle_body
    field = None if physics.gravity is None else physics.gravity.field
    for user in (physics.collider, trigger, field):
        shape: int | None = getattr(user, "shape", None)
        if shape is not None:
            yield "shapes", shape
    for node in () if trigger is None else trigger.nodes:
        yield "nodes", node
    if joint is not None and joint.connected_node is not None:
        yield "nodes", joint.connected_node
    if vehicle is not None and vehicle.pilot_seat is not None:
        yield "nodes", vehicle.pilot_seat


def without(record: R, *keys: str) -> R:
    """A record without some of the members that it carries."""
    old = getattr(record, "carried", "")
    members = {k: v for k, v in carried.unpack(old).items() if k not in keys}
    return dataclasses.replace(record, carried=carried.pack(members))  # type: ignore[type-var]
