"""Puts the materials, filters and joint settings of a document into the lists of a scene."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ...axes import Axes
from ...issues import Issues
from ...model.bodies import CollisionFilter, PhysicsMaterial
from ...model.joints import JointSettings
from ..properties import names
from . import joint_settings, property_records
from .entry_reader import read_filter, read_material

R = TypeVar("R", PhysicsMaterial, CollisionFilter, JointSettings)


def write_materials(entries: Any, records: Sequence[PhysicsMaterial]) -> list[str]:
    """Names in a scene's list by index of the record; see `_write`."""
    return _write(entries, records, read_material, _show_material, "Physics Material")


def write_filters(entries: Any, records: Sequence[CollisionFilter]) -> list[str]:
    """Names in a scene's list by index of the record; see `_write`."""
    return _write(entries, records, read_filter, _show_filter, "Collision Filter")


def write_settings(
    entries: Any, records: Sequence[JointSettings], axes: Axes, *, per_axis: bool, issues: Issues
) -> list[str]:
    """Names in a scene's list by index of the record; see `_write`."""

    def read(entry: Any) -> JointSettings:
        return joint_settings.read_settings(entry, axes)

    def show(record: JointSettings, entry: Any) -> None:
        joint_settings.show_settings(record, entry, axes, per_axis=per_axis, issues=issues)

    sized = functools.partial(joint_settings.sized, axes=axes)
    return _write(entries, records, read, show, "Joint Settings", sized)


def _write(
    entries: Any,
    records: Sequence[R],
    read: Callable[[Any], R],
    show: Callable[[R, Any], None],
    otherwise: str,
    sized: Callable[[R], R] = lambda record: record,
) -> list[str]:
    """The names of the entries that hold records; made where there are none yet.

    Of entries that a file would get the same for, one is enough, whatever they are called in
    Blender. Those of other contents stay apart, even of one name, and keep it in files.

    Args:
        otherwise: the name of an entry that has none in the file.
        sized: a record as `read` gives it, in the units of the scene.
    """
    if not records:
        return []
    importer = names.Importer(entries, (record.name for record in records))
    known: dict[R, str] = {}
    for entry in entries:
        known.setdefault(read(entry), entry.name)
    elsewhere: dict[R, Any] = {}
    for entry in entries.unlisted():
        elsewhere.setdefault(read(entry), entry)
    expected = [sized(record) for record in records]
    for record, read_back in zip(records, expected, strict=True):
        if read_back in known:
            continue
        if read_back in elsewhere:
            entry = elsewhere[read_back]
            entries.append(entry.id_data)
            known[read_back] = entry.name
            continue
        entry = importer.add(record.name, otherwise)
        show(record, entry)
        stored = read(entry)  # With the numbers that Blender has room for.
        if stored in known:
            importer.remove_last(entry)
        else:
            known[stored] = entry.name
        known[read_back] = known[stored]
    return [known[read_back] for read_back in expected]


def _show_material(record: PhysicsMaterial, entry: Any) -> None:
    property_records.write(record, entry, Axes(), "name")


def _show_filter(record: CollisionFilter, entry: Any) -> None:
    for name in ("collision_systems", "collide_with_systems", "not_collide_with_systems"):
        for system in getattr(record, name):
            getattr(entry, name).add().name = system
    only, other = bool(record.collide_with_systems), bool(record.not_collide_with_systems)
    entry.mode = "BOTH" if only and other else "ONLY" if only else "NOT" if other else "ALL"
    entry.kept = record.carried
