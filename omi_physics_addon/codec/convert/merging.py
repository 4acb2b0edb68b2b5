"""Merge the two documents of a file that has both families."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeVar, cast

from ...issue_codes import Code
from ...issues import Issues
from ...model.document import NodePhysics, PhysicsDocument
from ...model.fields import (
    INDEX_TYPES,
    FieldInfo,
    FilterIndex,
    JointIndex,
    MaterialIndex,
    ShapeIndex,
    table,
)
from ...model.joints import JointSettings
from ..values.joint_records import with_pairs

R = TypeVar("R")

# Of the lists that both families have: types of indices → attribute of the document.
SHARED: Final[dict[Any, str]] = {
    ShapeIndex: "shapes",
    MaterialIndex: "physics_materials",
    FilterIndex: "collision_filters",
    JointIndex: "joint_settings",
}
_SHARED_PARTS: Final = ("motion", "collider", "trigger", "joint")
# What OMI writes where it says nothing, because KHR leaves it to the engine.
_AUTOMATIC: Final = ("mass", "center_of_mass", "inertia_diagonal")

Moves = dict[Any, dict[int, int | None]]  # Index type → old index → new one, None for gone.


def merge(omi: PhysicsDocument, khr: PhysicsDocument, issues: Issues) -> PhysicsDocument:
    """One document with what either has, OMI's where they disagree; both are left as they are."""
    merged = dataclasses.replace(
        omi,
        nodes=dict(omi.nodes),
        carried={**khr.carried, **omi.carried},
        world_gravity=omi.world_gravity or khr.world_gravity,
        **{name: list(getattr(omi, name)) for name in SHARED.values()},
    )
    moves: Moves = {}
    for kind, name in SHARED.items():
        changed = _append(getattr(merged, name), getattr(khr, name))
        if changed:
            moves[kind] = changed
    for i, physics in khr.nodes.items():
        theirs = move(physics, moves) if moves else physics
        ours = merged.nodes.get(i)
        merged.nodes[i] = theirs if ours is None else _merge_node(i, ours, theirs, issues)
    return merged


def _append(target: list[Any], more: list[Any]) -> dict[int, int | None]:
    """Append the items that `target` lacks; returns the new index of each that has moved."""
    if not target:
        target.extend(more)
        return {}
    places: dict[Any, int] = {}
    wanted = set(more)
    for i, item in enumerate(target):
        places.setdefault(item, i)
    for i, item in enumerate(target):
        # KHR says the same in more words, which OMI takes as well.
        if isinstance(item, JointSettings) and with_pairs(item) in wanted:
            target[i] = with_pairs(item)
            places.setdefault(target[i], i)
    moves: dict[int, int | None] = {}
    for i, item in enumerate(more):
        if item not in places:
            places[item] = len(target)
            target.append(item)
        if places[item] != i:
            moves[i] = places[item]
    return moves


def move(record: R, moves: Moves) -> R:
    """A record with other indices, also in the records inside it; not those in lists."""
    changes: dict[str, Any] = {}
    for name, kind in _references(record.__class__):
        old = getattr(record, name)
        if old is not None and kind in moves and moves[kind].get(old, old) != old:
            changes[name] = moves[kind][old]
    for name, inner in _inner(record):
        new = move(inner, moves)
        if new is not inner:
            changes[name] = new
    return dataclasses.replace(cast(Any, record), **changes) if changes else record


def indices(record: Any, kind: Any) -> Iterator[int]:
    """The indices of one kind in the physics of a node, in the order of its parts."""
    for row in _rows(record):
        value = getattr(record, row.name)
        if row.type is kind and value is not None:
            yield value
    for _name, inner in _inner(record):
        yield from indices(inner, kind)


def collect(record: Any, found: Mapping[Any, set[int]]) -> None:
    """Add the indices in the physics of a node to those found, by their type."""
    for name, kind in _references(record.__class__):
        if kind in found and (value := getattr(record, name)) is not None:
            found[kind].add(value)
    for _name, inner in _inner(record):
        collect(inner, found)


@functools.cache
def _references(record: type) -> tuple[tuple[str, Any], ...]:
    """The fields of a record that are an index, with its type."""
    return tuple((row.name, row.type) for row in table(record) if row.type in INDEX_TYPES)


def _rows(record: Any) -> tuple[FieldInfo, ...]:
    return table(cast(type, record.__class__))


def _inner(record: Any) -> Iterator[tuple[str, Any]]:
    """The records that are the value of an attribute of another, as far as they may refer."""
    for name in holders(record.__class__):
        value = getattr(record, name)
        if value is not None and _refers(value.__class__):
            yield name, value


@functools.cache
def _refers(kind: type) -> bool:
    """Whether a record of a kind may hold an index, or one in it."""
    return is_record(kind) and bool(_references(kind) or holders(kind))


@functools.cache
def is_record(kind: type) -> bool:
    """Whether the values of a type are records."""
    return dataclasses.is_dataclass(kind)


@functools.cache
def holders(kind: type) -> tuple[str, ...]:
    """The attributes of a kind of records that may be records: none of those that JSON names."""
    plain = {row.name for row in table(kind)} | {"carried", "name"}
    return tuple(item.name for item in dataclasses.fields(kind) if item.name not in plain)


def _merge_node(i: int, ours: NodePhysics, theirs: NodePhysics, issues: Issues) -> NodePhysics:
    changes: dict[str, Any] = {}
    for name in _SHARED_PARTS:
        one, other = getattr(ours, name), getattr(theirs, name)
        if other is None:
            continue
        changes[name] = other if one is None else _merge_part(i, name, one, other, issues)
    carried = {**dict(theirs.carried), **dict(ours.carried)}
    return dataclasses.replace(ours, **changes, carried=tuple(carried.items()))


def _merge_part(i: int, name: str, ours: Any, theirs: Any, issues: Issues) -> Any:
    """A record with the fields of both; OMI's where they differ, which is reported."""
    changes: dict[str, Any] = {}
    differing: list[str] = []
    for row in _rows(ours):
        one, other = getattr(ours, row.name), getattr(theirs, row.name)
        if one == other or (other is None and (row.name in _AUTOMATIC or row.default is None)):
            continue
        if other == ():
            continue
        if one is None or one == ():
            changes[row.name] = other
        elif not (row.name == "inertia_orientation" and ours.inertia_diagonal is None):
            differing.append(row.key)
        else:
            changes[row.name] = other
    if differing:
        why = (
            f"OMI and KHR disagree on the {', '.join(differing)} of the {name}; the value of "
            "OMI is used"
        )
        issues.add(Code.FAMILIES_DISAGREE, f"/nodes/{i}", why)
    if not ours.carried and theirs.carried:
        changes["carried"] = theirs.carried
    return dataclasses.replace(ours, **changes) if changes else ours
