"""OMI_physics_joint as it was written from 2023-02 to 2024-11, read into today's records.

J1   `constraints` in the document; on a node, a list of their indices, `nodeA` and `nodeB`. A
     missing limit of a constraint meant fixed at zero, and later constraints overrode earlier
     ones on the same axis.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final, NewType, cast

from ...issue_codes import Code
from ...model.document import GltfFile, Interned, NewNode, NodePhysics, PhysicsDocument
from ...model.fields import JointIndex, NodeIndex, row
from ...model.joints import Joint, JointLimit, JointSettings
from ..values import carried
from ..values.json_values import BadValueError, convert, show
from ..values.node_tree import Tree
from ..values.records import Reading, read_items
from .omi_legacy import Legacy, OldConstraint, OldJoint

NAME: Final = "OMI_physics_joint"
_DAMPING: Final = 1.0  # The default of then.
_ConstraintIndex = NewType("_ConstraintIndex", int)


def read_document(extension: Any, reading: Reading, legacy: Legacy) -> None:
    """Read the constraints of the document's extension object, if it has any."""
    if not isinstance(extension, Mapping) or "constraints" not in extension:
        return
    pointer = f"/extensions/{NAME}/constraints"
    legacy.saw("J1", pointer)
    items = cast(Mapping[str, Any], extension)["constraints"]
    legacy.constraints = read_items(items, pointer, reading, _read_constraint)


def _read_constraint(json: Any, pointer: str, reading: Reading) -> OldConstraint:
    members = reading.mapping(json, pointer)
    if members is None:
        return OldConstraint()
    values: dict[str, Any] = {"min": 0.0, "max": 0.0, "damping": _DAMPING}
    rest: dict[str, Any] = {}
    for key, raw in members.items():
        name = _CONSTRAINT_FIELDS.get(key)
        if name is None:
            carried.add_unknown(rest, key, raw, pointer, reading.issues)
            continue
        try:
            values[name] = convert(row(JointLimit, name), raw, reading.counts)
        except BadValueError as error:
            reading.issues.add(error.code, f"{pointer}/{key}", f"{error}; the default is used")
            if error.repaired is not None:
                values[name] = error.repaired
    if values.get("stiffness") is None:
        values["damping"] = 0.0  # Damping acts only where a spring gives way.
    return OldConstraint(**values, carried=carried.pack(rest))


_CONSTRAINT_FIELDS: Final[dict[str, str]] = {
    "linearAxes": "linear_axes",
    "angularAxes": "angular_axes",
    "lowerLimit": "min",
    "upperLimit": "max",
    "stiffness": "stiffness",
    "damping": "damping",
}


def read_node(json: Mapping[str, Any], node: int, legacy: Legacy, reading: Reading) -> None:
    """Remember the joint of a node until the whole tree is known."""
    pointer = f"/nodes/{node}/extensions/{NAME}"
    legacy.saw("J1", pointer)
    ends = [_node(json, key, pointer, reading) for key in ("nodeA", "nodeB")]
    indices: list[int] = []
    raw = json.get("constraints")
    for i, item in enumerate(cast(list[Any], raw) if isinstance(raw, list) else []):
        if (
            isinstance(item, int)
            and not isinstance(item, bool)
            and 0 <= item < len(legacy.constraints)
        ):
            indices.append(item)
        else:
            why = (
                f"{show(item)} points beyond a list of {len(legacy.constraints)}, so it is ignored"
            )
            reading.issues.add(Code.INDEX_BEYOND_ARRAY, f"{pointer}/constraints/{i}", why)
    legacy.joints[node] = OldJoint(tuple(indices), ends[0], ends[1])


def _node(json: Mapping[str, Any], key: str, pointer: str, reading: Reading) -> int | None:
    if key not in json:
        reading.issues.add(Code.JOINT_WITHOUT_CONNECTION, pointer, f"no {key}")
        return None
    try:
        return convert(row(Joint, "connected_node"), json[key], reading.counts)
    except BadValueError as error:
        reading.issues.add(error.code, f"{pointer}/{key}", str(error))
        return None


def resolve(file: GltfFile, document: PhysicsDocument, legacy: Legacy, reading: Reading) -> None:
    """Turn old joints into today's: the joint below nodeA, what it connects to below nodeB."""
    settings = Interned(document.joint_settings)
    tree = Tree([node.children for node in file.nodes], ())
    for node, old in legacy.joints.items():
        constraints = [legacy.constraints[i] for i in old.constraints]
        index = JointIndex(settings.index(JointSettings(limits=_limits(constraints))))
        if old.node_a is None or old.node_b is None:
            lacking = carried.pack({"connectedNode": None})
            _put(document, node, Joint(joint=index, carried=lacking))
            continue
        name = f"joint {node}"
        holder = connected = node
        if old.node_a != node and not tree.is_below(node, old.node_a):
            holder = _new_node(file, document, NewNode(old.node_a, node, f"{name} A"))
        if old.node_b != node or holder == node:
            connected = _new_node(file, document, NewNode(old.node_b, node, f"{name} B"))
        _put(document, holder, Joint(joint=index, connected_node=NodeIndex(connected)))


def _new_node(file: GltfFile, document: PhysicsDocument, new: NewNode) -> int:
    document.new_nodes.append(new)
    return len(file.nodes) + len(document.new_nodes) - 1


def _put(document: PhysicsDocument, node: int, joint: Joint) -> None:
    physics = document.nodes.get(node, NodePhysics())
    document.nodes[node] = dataclasses.replace(physics, joint=joint)


def _limits(constraints: list[OldConstraint]) -> tuple[JointLimit, ...]:
    """Today's limits: of two constraints on one axis the later one counts."""
    last: dict[tuple[str, int], int] = {}
    for i, constraint in enumerate(constraints):
        for kind in ("linear_axes", "angular_axes"):
            for axis in getattr(constraint, kind):
                last[kind, axis] = i
    limits: list[JointLimit] = []
    for i, constraint in enumerate(constraints):
        for kind in ("linear_axes", "angular_axes"):
            axes = tuple(a for a in getattr(constraint, kind) if last[kind, a] == i)
            if axes:
                values = {
                    name: value
                    for name, value in vars(constraint).items()
                    if not name.endswith("_axes")
                }
                limits.append(JointLimit(**{kind: axes}, **values))
    return tuple(limits)
