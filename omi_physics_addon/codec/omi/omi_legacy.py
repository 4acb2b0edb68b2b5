"""OMI physics as it was written from 2022-11 to 2023-09, read into today's records.

O1   OMI_collider: a list of flat colliders, `{collider: i}` on the node.
O1b  OMI_collider with the collider itself on the node.
O2   OMI_physics_body as one flat object with a `type`.
O3   OMI_physics_shape on the node, flat shapes; O4 the same with nested shapes.

In all of them colliders stand on nodes below their body, and what kind of body it is decides
whether they are colliders or triggers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Final, cast

from ...issue_codes import Code
from ...model.bodies import Collider, Motion, Trigger
from ...model.compounds import implied_nodes
from ...model.document import GltfFile, NodePhysics, PhysicsDocument
from ...model.fields import AxisIndex, Carried, NodeIndex, ShapeIndex, row, table
from ..values import carried
from ..values.json_members import as_list, as_object, member
from ..values.json_values import BadValueError, convert, show
from ..values.node_tree import Tree
from ..values.records import Reading, with_carried
from . import omi_physics_body, omi_physics_shape

COLLIDER: Final = "OMI_collider"
_BODY: Final = omi_physics_body.NAME
_SHAPE: Final = omi_physics_shape.NAME

DIALECTS: Final[dict[str, str]] = {
    "O1": "OMI_collider of 2022-12",
    "O1b": "OMI_collider written on the node",
    "O2": "OMI_physics_body with a type of 2022-11 to 2023-09",
    "O3": "OMI_physics_shape on the node, of 2023-06",
    "O5": "A trigger of 2023-09 that means all triggers below it",
    "J1": "OMI_physics_joint with constraints, of 2023-02 to 2024-11",
}


@dataclass(frozen=True, kw_only=True)
class OldConstraint:
    """One constraint of a joint of 2023, its numbers under today's names."""

    linear_axes: tuple[AxisIndex, ...] = ()
    angular_axes: tuple[AxisIndex, ...] = ()
    min: float | None = 0.0
    max: float | None = 0.0
    stiffness: float | None = None
    damping: float = 0.0
    carried: Carried = ""


@dataclass(frozen=True)
class OldJoint:
    """A joint of 2023: indices of its constraints, and the two nodes it joins."""

    constraints: tuple[int, ...]
    node_a: int | None
    node_b: int | None


@dataclass
class Legacy:
    """What the nodes of a file say in old words, until the whole tree is known."""

    bodies: dict[int, str] = dataclass_field(default_factory=dict[int, str])
    shapes: dict[int, int] = dataclass_field(default_factory=dict[int, int])
    members: dict[int, dict[str, Any]] = dataclass_field(default_factory=dict[int, dict[str, Any]])
    triggers: set[int] = dataclass_field(default_factory=set[int])
    constraints: list[OldConstraint] = dataclass_field(default_factory=list[OldConstraint])
    empty_triggers: dict[int, str] = dataclass_field(default_factory=dict[int, str])
    faulty_triggers: set[str] = dataclass_field(default_factory=set[str])
    joints: dict[int, OldJoint] = dataclass_field(default_factory=dict[int, OldJoint])
    dialects: dict[str, str] = dataclass_field(default_factory=dict[str, str])

    def saw(self, dialect: str, pointer: str) -> None:
        """Remember the first place a dialect was met."""
        self.dialects.setdefault(dialect, pointer)


def read_colliders(
    file: GltfFile, document: PhysicsDocument, legacy: Legacy, reading: Reading
) -> tuple[int, list[bool]]:
    """Append the document's list of OMI_collider to the shapes.

    Returns:
        The index of the first, and for each whether it is a trigger.
    """
    first = len(document.shapes)
    if COLLIDER not in file.extensions:
        return first, []
    extension = file.extensions[COLLIDER]
    pointer = f"/extensions/{COLLIDER}"
    legacy.saw("O1", pointer)
    omi_physics_shape.read(extension, pointer, reading, document, array="colliders")
    listed = as_list(member(extension, "colliders"))
    return first, [
        _is_trigger(item, f"{pointer}/colliders/{i}", reading) for i, item in enumerate(listed)
    ]


def _is_trigger(json: Any, pointer: str, reading: Reading) -> bool:
    flag: Any = as_object(json).get("isTrigger", False)
    if not isinstance(flag, bool):
        why = f"{show(flag)} is not true or false, so the trigger is ignored"
        reading.issues.add(Code.TYPE_WRONG, f"{pointer}/isTrigger", why)
    return flag is True


def read_collider(
    members: Mapping[str, Any],
    node: int,
    colliders: tuple[int, list[bool]],
    document: PhysicsDocument,
    legacy: Legacy,
    reading: Reading,
) -> None:
    """Read a node's OMI_collider, by index or written out."""
    pointer = f"/nodes/{node}/extensions/{COLLIDER}"
    first, flags = colliders
    if "type" in members:
        legacy.saw("O1b", pointer)
        legacy.shapes[node] = len(document.shapes)
        document.shapes.append(omi_physics_shape.read_shape(members, pointer, reading))
        is_trigger = _is_trigger(members, pointer, reading)
    else:
        index = _index(members.get("collider"), len(flags), f"{pointer}/collider", reading)
        if index is None:
            return
        legacy.shapes[node] = first + index
        legacy.members[node] = _foreign(members, {"collider"}, pointer, reading)
        is_trigger = flags[index]
    if is_trigger:
        legacy.triggers.add(node)


def read_node_shape(
    members: Mapping[str, Any], node: int, count: int, legacy: Legacy, reading: Reading
) -> None:
    """Read a node's OMI_physics_shape of 2023-06; `count` is the length of the shapes' list."""
    pointer = f"/nodes/{node}/extensions/{_SHAPE}"
    legacy.saw("O3", pointer)
    index = _index(members.get("shape"), count, f"{pointer}/shape", reading)
    if index is not None:
        legacy.shapes[node] = index
        legacy.members[node] = _foreign(members, {"shape", "isTrigger"}, pointer, reading)
        if _is_trigger(members, pointer, reading):
            legacy.triggers.add(node)


def _foreign(
    json: Mapping[str, Any], known: Collection[str], pointer: str, reading: Reading
) -> dict[str, Any]:
    """The members to carry with the collider or trigger that an old object became."""
    rest: dict[str, Any] = {}
    for key, value in json.items():
        if key not in known:
            carried.add_unknown(rest, key, value, pointer, reading.issues)
    return {key: value for key, value in rest.items() if key not in _TODAY}


_TODAY: Final = frozenset(info.key for record in (Collider, Trigger) for info in table(record))


def _index(raw: Any, count: int, pointer: str, reading: Reading) -> int | None:
    try:
        return convert(row(Collider, "shape"), raw, {ShapeIndex: count})
    except BadValueError as error:
        reading.issues.add(error.code, pointer, f"{error}, so the collider has no shape")
        return None


def read_flat_body(
    json: Mapping[str, Any], node: int, legacy: Legacy, reading: Reading
) -> NodePhysics:
    """A node's OMI_physics_body of 2022-11 to 2023-09."""
    pointer = f"/nodes/{node}/extensions/{_BODY}"
    legacy.saw("O2", pointer)
    word = cast(str, json["type"])
    legacy.bodies[node] = word
    if word == "trigger":
        # How it would move had no meaning and is left out.
        motion = {"type", "inertiaTensor"} | {info.key for info in table(Motion)}
        rest = carried.pack(_foreign(json, motion, pointer, reading))
        return NodePhysics(trigger=Trigger(carried=rest))
    tensor = json.get("inertiaTensor")
    members = {key: value for key, value in json.items() if key != "inertiaTensor"}
    members["type"] = omi_physics_body.OLD_TYPES.get(word, word)
    motion = omi_physics_body.read_motion(members, pointer, reading)
    if word in ("character", "vehicle"):
        motion = _with_note(motion, word)
    if "inertiaTensor" in json:
        motion = _with_tensor(motion, tensor, f"{pointer}/inertiaTensor", reading)
    return NodePhysics(motion=motion)


def _with_note(motion: Motion, word: str) -> Motion:
    """`motion` with the old word for it in its extras; nothing today says the same."""
    extras = carried.unpack(motion.carried).get("extras", {})
    if not isinstance(extras, dict):
        return motion
    noted = {**cast(dict[str, Any], extras)}
    noted.setdefault("type", word)
    return with_carried(motion, {"extras": noted})


def _with_tensor(motion: Motion, tensor: Any, pointer: str, reading: Reading) -> Motion:
    import numpy as np

    from ...geometry import inertia

    try:
        values: tuple[float, ...] = convert(_TENSOR, tensor, {})
        if max(map(abs, values)) > _LARGEST:
            raise BadValueError(
                Code.NUMBER_NOT_FINITE, "the numbers of the inertia tensor are too large"
            )
        moments, orientation = inertia.principal(np.array(values).reshape(3, 3))
        diagonal = convert(row(Motion, "inertia_diagonal"), moments.tolist(), {})
    except BadValueError as error:
        reading.issues.add(error.code, pointer, f"{error}, so the engine computes the inertia")
        return motion
    if not any(diagonal):
        return motion
    turn = tuple(orientation.tolist())
    motion = dataclasses.replace(motion, inertia_diagonal=diagonal, inertia_orientation=turn)
    return omi_physics_body.check_inertia(motion, pointer, reading)


_LARGEST: Final = 1e300  # kg m²; sums of products of more may be infinite.
_TENSOR: Final = dataclasses.replace(
    row(Motion, "center_of_mass"), type=tuple[(float,) * 9], key="inertiaTensor"
)


def resolve(file: GltfFile, document: PhysicsDocument, legacy: Legacy, reading: Reading) -> None:
    """Turn the shapes on nodes into colliders and triggers, now that all bodies are known."""
    tree = Tree([node.children for node in file.nodes], ())
    for node, shape in legacy.shapes.items():
        physics = document.nodes.get(node, NodePhysics())
        name, part = "collider", physics.collider or Collider()
        # The type of the body that the node is, or is below of.
        word = next((legacy.bodies[at] for at in tree.upward(node) if at in legacy.bodies), "")
        if node in legacy.triggers or word == "trigger":
            name, part = "trigger", physics.trigger or Trigger()
        shaped = dataclasses.replace(part, shape=ShapeIndex(shape))
        shaped = with_carried(shaped, legacy.members.get(node, {}))
        document.nodes[node] = dataclasses.replace(physics, **{name: shaped})
    _list_parts(document, legacy, tree.children, reading)


def _list_parts(
    document: PhysicsDocument, legacy: Legacy, children: Sequence[Sequence[int]], reading: Reading
) -> None:
    """Give trigger bodies without a shape the list of the triggers below them."""
    shaped = {i for i, p in document.nodes.items() if p.trigger and p.trigger.shape is not None}
    for node, word in legacy.bodies.items():
        physics = document.nodes[node]
        if word != "trigger" or physics.trigger is None or physics.trigger.shape is not None:
            continue
        parts = implied_nodes(node, children, shaped, legacy.bodies.keys())
        if not parts:  # As an empty trigger of 2023-09, which it is from now on.
            parts = implied_nodes(node, children, shaped, legacy.bodies.keys() - shaped)
        if not parts:
            pointer = f"/nodes/{node}/extensions/{_BODY}"
            why = "the trigger has no shape on it or below it, so it notices nothing; add a shape"
            reading.issues.add(Code.TRIGGER_WITHOUT_SHAPE, pointer, why)
        trigger = dataclasses.replace(physics.trigger, nodes=tuple(NodeIndex(p) for p in parts))
        document.nodes[node] = dataclasses.replace(physics, trigger=trigger)


def list_empty_triggers(
    file: GltfFile, document: PhysicsDocument, legacy: Legacy, reading: Reading
) -> None:
    """Give triggers that say nothing the list of the triggers below them."""
    nodes, children = document.nodes, [node.children for node in file.nodes]
    shaped = {i for i, p in nodes.items() if p.trigger and p.trigger.shape is not None}
    groups = {i for i, p in nodes.items() if p.trigger and p.trigger.shape is None}
    claiming = {i for i, p in nodes.items() if p.motion is not None} | groups
    for node, pointer in legacy.empty_triggers.items():
        trigger = nodes[node].trigger
        parts = implied_nodes(node, children, shaped, claiming)
        is_fault = pointer in legacy.faulty_triggers  # Which is told already.
        if trigger is None or not parts:
            why = (
                "the trigger has no shape, no nodes and no triggers below, so it notices "
                "nothing; add a shape"
            )
            if not is_fault:
                reading.issues.add(Code.TRIGGER_WITHOUT_SHAPE, pointer, why)
            continue
        members = carried.unpack(trigger.carried)
        members.pop("shape", None)  # Which led nowhere; a list of nodes allows none beside it.
        trigger = dataclasses.replace(
            trigger, nodes=tuple(NodeIndex(i) for i in parts), carried=carried.pack(members)
        )
        nodes[node] = dataclasses.replace(nodes[node], trigger=trigger)
        if not is_fault:
            legacy.saw("O5", pointer)


def report(legacy: Legacy, reading: Reading) -> None:
    """Say once for each which old dialects the file is written in."""
    for dialect, pointer in legacy.dialects.items():
        why = f"the file uses the older {DIALECTS[dialect]}; an export writes the current form"
        reading.issues.add(Code.DIALECT_OLD, pointer, why)
