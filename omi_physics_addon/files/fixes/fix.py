"""What a fix is, and what many of them do with a draft of a document."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from ...codec.convert.draft import Draft
from ...codec.convert.merging import moved
from ...codec.values import carried
from ...codec.values.node_tree import scale_of
from ...geometry.mesh_solids import Triangles
from ...model.bodies import ShapeUser
from ...model.document import NewNode
from ...model.fields import FilterIndex, JointIndex, MaterialIndex, ShapeIndex, Vector3

R = TypeVar("R")

# The type of the indices into each list whose entries may be taken out.
_KINDS: Final[dict[str, Any]] = {
    "shapes": ShapeIndex,
    "physics_materials": MaterialIndex,
    "collision_filters": FilterIndex,
    "joint_settings": JointIndex,
}


@dataclass
class Patient:
    """A document that is being set right.

    Attributes:
        draft: what to change.
        read_mesh: the corners and triangles of a mesh; None where it cannot be read.
    """

    draft: Draft
    read_mesh: Callable[[int], Triangles | None]
    _gone: dict[str, set[int]] = field(default_factory=dict[str, set[int]])

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

    def drop_later(self, name: str, at: int) -> bool:
        """Take an entry out of its list when all fixes are done; what names it names nothing."""
        self._gone.setdefault(name, set()).add(at)
        return True

    def drop(self) -> None:
        """Take out what was to go."""
        for name, gone in self._gone.items():
            items: list[Any] = getattr(self.draft.document, name)
            left = [k for k in range(len(items)) if k not in gone]
            places: dict[int, int | None] = dict.fromkeys(gone)
            places.update((k, new) for new, k in enumerate(left))
            setattr(self.draft.document, name, [items[k] for k in left])
            moves = {_KINDS[name]: places}
            for i, physics in self.draft.nodes():
                self.draft.document.nodes[i] = moved(physics, moves)
            if name == "physics_materials":
                self.draft.document.wheels = [
                    dataclasses.replace(wheel, physics_material=places[wheel.physics_material])
                    if wheel.physics_material is not None
                    else wheel
                    for wheel in self.draft.document.wheels
                ]

    def use_shape(self, node: int, part: str, geometry: Any) -> bool:
        """Give the collider or trigger of a node another geometry; its old shape goes if unused."""
        user: ShapeUser | None = getattr(self.draft.of(node), part)
        if user is None or user.shape is None:
            return False
        shapes = self.draft.document.shapes
        shape = dataclasses.replace(shapes[user.shape], geometry=geometry)
        index = ShapeIndex(self.draft.add("shapes", shape))
        return self.change(node, part, shape=index)

    def shapes_of(self, node: int) -> Iterator[tuple[str, Any]]:
        """The parts of a node that have a shape, and its geometry."""
        for part in ("collider", "trigger"):
            user = getattr(self.draft.of(node), part)
            if user is not None and user.shape is not None:
                yield part, self.draft.document.shapes[user.shape].geometry

    def new_child(self, node: int, name: str, **place: Any) -> int:
        """A new node below one of the file, where that one stands."""
        return self.draft.add_node(NewNode(node, node, f"{name} {node}", **place))

    def scale(self, node: int) -> Vector3 | None:
        """How a node is scaled in the world; None where it is sheared or scaled to nothing."""
        found = scale_of(self.draft.world(node))
        return found if found is not None and all(found) else None


@dataclass(frozen=True)
class Fix:
    """How an issue is set right.

    Attributes:
        words: what is done, for a person.
        apply: does it at a node, or at an entry of `where`; whether there was something to do.
        where: the list that `apply` takes an index of; empty for nodes.
    """

    words: str
    apply: Callable[[Patient, int], bool]
    where: str = ""


def without(record: R, *keys: str) -> R:
    """A record without some of the members that it carries."""
    old = getattr(record, "carried", "")
    members = {k: v for k, v in carried.unpack(old).items() if k not in keys}
    return dataclasses.replace(record, carried=carried.pack(members))  # type: ignore[type-var]
