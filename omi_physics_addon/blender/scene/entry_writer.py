"""Puts the materials, filters and joint settings of a document into the lists of a scene."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ...axes import Axes
from ...issues import Issues
from ...model.bodies import CollisionFilter, PhysicsMaterial
from ...model.joints import JointSettings
from ..base import compat
from ..properties import entries
from . import joint_settings, property_records
from .entry_reader import read_filter, read_material

R = TypeVar("R", PhysicsMaterial, CollisionFilter, JointSettings)


def write_materials(listed: Any, records: Sequence[PhysicsMaterial]) -> list[Any]:
    """Data-blocks by index of the record, in a scene's list; see `_write`."""
    return _write(listed, records, read_material, _show_material, "Physics Material")


def write_filters(listed: Any, records: Sequence[CollisionFilter]) -> list[Any]:
    """Data-blocks by index of the record, in a scene's list; see `_write`."""
    return _write(listed, records, read_filter, show_filter, "Collision Filter")


def write_settings(
    listed: Any, records: Sequence[JointSettings], axes: Axes, *, per_axis: bool, issues: Issues
) -> list[Any]:
    """Data-blocks by index of the record, in a scene's list; see `_write`."""

    def read(entry: Any) -> JointSettings:
        return joint_settings.read_settings(entry, axes)

    def show(record: JointSettings, entry: Any) -> None:
        joint_settings.show_settings(record, entry, axes, per_axis=per_axis, issues=issues)

    sized = functools.partial(joint_settings.sized, axes=axes)
    return _write(listed, records, read, show, "Joint Settings", sized)


def _write(
    listed: Any,
    records: Sequence[R],
    read: Callable[[Any], R],
    show: Callable[[R, Any], None],
    otherwise: str,
    sized: Callable[[R], R] = lambda record: record,
) -> list[Any]:
    """The data-blocks of the entries that hold records; made where there are none yet.

    Of entries that a file would get the same for, one is enough, whatever they are called in
    Blender. Those of other contents stay apart, even of one name, and keep it in files.

    Args:
        otherwise: the name of an entry that has none in the file.
        sized: a record as `read` gives it, in the units of the scene.
    """
    if not records:
        return []
    known: dict[R, Any] = {}
    for entry in filter(_is_still, listed):
        known.setdefault(read(entry), entry.id_data)
    elsewhere: dict[R, Any] = {}
    for entry in filter(_is_still, listed.unlisted()):
        elsewhere.setdefault(read(entry), entry.id_data)
    expected = [sized(record) for record in records]
    missing: dict[R, R] = {}
    for record, read_back in zip(records, expected, strict=True):
        if read_back not in known:
            missing.setdefault(read_back, record)
    made = _make(listed.list_name, [r for b, r in missing.items() if b not in elsewhere], otherwise)
    surplus: list[Any] = []
    for read_back, record in missing.items():
        tree = elsewhere.get(read_back)
        if tree is None:
            tree = made[record]
            show(record, tree.data)
        stored = read(tree.data)  # With the numbers that Blender has room for.
        if stored in known:
            surplus.append(tree)
        else:
            known[stored] = tree
            listed.append(tree)
        known[read_back] = known[stored]
    compat.remove_data(surplus)
    return [known[read_back] for read_back in expected]


def _is_still(entry: Any) -> bool:
    return not entries.is_animated(entry.id_data)


def _make(list_name: str, records: Sequence[R], otherwise: str) -> dict[R, Any]:
    """A new data-block for each record.

    First come those with names, so that no made-up name takes one of them, and of these the
    first of each name; otherwise in the order of the names, in which Blender is fast.
    """
    first = {record.name: record for record in reversed(records) if record.name}
    made: dict[R, Any] = {}

    def order(record: R) -> tuple[bool, bool, str]:
        is_repeat = record.name in first and first[record.name] != record
        return not record.name, is_repeat, record.name.casefold()

    for record in sorted(records, key=order):
        tree = made[record] = entries.new(list_name, record.name or otherwise)
        if not record.name:
            tree.data.name_in_file = ""
    return made


def _show_material(record: PhysicsMaterial, entry: Any) -> None:
    property_records.write(record, entry, Axes(), "name")


def show_filter(record: CollisionFilter, entry: Any) -> None:
    """Fill an entry of the scene's list with a filter of the document."""
    for name in ("collision_systems", "collide_with_systems", "not_collide_with_systems"):
        getattr(entry, name).clear()
        for system in getattr(record, name):
            getattr(entry, name).add().name = system
    only, other = bool(record.collide_with_systems), bool(record.not_collide_with_systems)
    entry.mode = "BOTH" if only and other else "ONLY" if only else "NOT" if other else "ALL"
    entry.kept = record.carried
