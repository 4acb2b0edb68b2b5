"""Copy a record to and from the property group that has a property for each of its fields."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator
from typing import Any, Final, TypeVar

import numpy as np

from ...axes import Axes
from ...model import fields
from ...model.fields import INDEX_TYPES, FieldInfo, Quantity
from ..base import groups

R = TypeVar("R")

_MOST: Final = 65536  # Records whose properties are remembered.
_CARRIED: Final = "kept"  # The property that shows `carried`, by the name that files have saved.


def read(group: Any, record: type[R], axes: Axes, **known: Any) -> R:
    """The record that `group` shows; `known` are the fields that stand elsewhere.

    A field that may be left out is None where the group has a flag `use_<field>` that is off.
    """
    raw: list[Any] = []
    for name, is_vector, flag in _names(record, tuple(known), group.__class__):
        if flag and not getattr(group, flag):
            raw.append(None)
        else:
            raw.append(getattr(group, name)[:] if is_vector else getattr(group, name))
    return _record(record, axes, tuple(raw), tuple(known.items()))


@functools.cache
def _names(record: type, known: tuple[str, ...], kind: Any) -> tuple[tuple[str, bool, str], ...]:
    """The properties to read, the last of which is `carried`: whether a vector, flag or "".

    Args:
        kind: of the property group; some tell in another way what is left out, and have no flags.
    """
    flags = {info.name: _flag(info) for info in _simple(record, known)}
    there = {flag for flag in flags.values() if flag in kind.bl_rna.properties}
    shown = tuple(
        (info.name, bool(info.length), flags[info.name] if flags[info.name] in there else "")
        for info in _simple(record, known)
    )
    return (*shown, (_CARRIED, False, ""))


@functools.lru_cache(maxsize=_MOST)
def _record(
    record: type[Any], axes: Axes, raw: tuple[Any, ...], known: tuple[tuple[str, Any], ...]
) -> Any:
    """The record of what a group holds, cached because most bodies are alike."""
    values: dict[str, Any] = {"carried": raw[-1], **dict(known)}
    for info, value in zip(_simple(record, tuple(name for name, _ in known)), raw, strict=False):
        values[info.name] = None if value is None else _from_property(info, value, axes)
    return record(**values)


@functools.lru_cache(maxsize=_MOST)
def alike(record: Callable[..., Any], **values: Hashable) -> Any:
    """A record with these values, the same one for all that are alike."""
    return record(**values)


def write(record: Any, group: Any, axes: Axes, *skip: str) -> None:
    """Make `group` show `record`, but for the fields named by `skip` and the values of None.

    Properties that have the value already are not touched, so that they are not saved.
    """
    for name, value in _changes(record, group, axes, skip):
        setattr(group, name, value)


def write_new(record: Any, group: Any, axes: Axes) -> None:
    """The same for a group of which nothing was set before: alike records change the same."""
    for name, value in _new_changes(record, group.__class__, axes):
        setattr(group, name, value)


@functools.lru_cache(maxsize=_MOST)
def _new_changes(record: Any, kind: Any, axes: Axes) -> tuple[tuple[str, Any], ...]:
    """What of a new property group of a class must be set so that it shows a record."""
    return tuple(_changes(record, _defaults(kind), axes, ()))


@functools.cache
def _defaults(kind: Any) -> Any:
    return groups.Defaults(kind.bl_rna)


def _changes(
    record: Any, group: Any, axes: Axes, skip: tuple[str, ...]
) -> Iterator[tuple[str, Any]]:
    """What of a group must be set so that it shows a record."""
    for name, value, is_flag in _properties(record, axes, skip):
        # Groups that tell in another way what is left out have no flags.
        stored = getattr(group, name, value) if is_flag else getattr(group, name)
        if (stored[:] if isinstance(value, tuple) else stored) != value:
            yield name, value


@functools.lru_cache(maxsize=_MOST)
def _properties(
    record: Any, axes: Axes, skip: tuple[str, ...]
) -> tuple[tuple[str, Any, bool], ...]:
    """What a group must hold to show `record`: name, value, and whether it is a flag."""
    shown: list[tuple[str, Any, bool]] = []
    for info in _simple(record.__class__, skip):
        value = getattr(record, info.name)
        if _flag(info):
            shown.append((_flag(info), value is not None, True))
        if value is not None:
            shown.append((info.name, _to_property(info, value, axes), False))
    return (*shown, (_CARRIED, record.carried, False))


def _flag(info: FieldInfo) -> str:
    """The property that says whether a field is there; empty where it always is."""
    return f"use_{info.name}" if info.default is None else ""


@functools.lru_cache(maxsize=_MOST)
def shortest(value: float) -> float:
    """The shortest decimal that is the same 32-bit number; Blender stores no more than that."""
    return float(str(np.float32(value)))


def rounded(values: Any) -> tuple[float, ...]:
    """The shortest decimals of the numbers of a vector, quaternion or array."""
    return tuple(shortest(value) for value in values)


@functools.cache
def _simple(record: type, skip: tuple[str, ...]) -> tuple[FieldInfo, ...]:
    """The fields that a property of their name can show: no indices, no lists, none of `skip`."""
    return tuple(
        info
        for info in fields.table(record)
        if info.name not in skip and info.type not in INDEX_TYPES and info.item is None
    )


def _from_property(info: FieldInfo, value: Any, axes: Axes) -> Any:
    if info.words:
        return value.lower()
    if info.field.quantity is Quantity.ROTATION:
        w, x, y, z = map(shortest, value)
        return axes.to_gltf(info, (x, y, z, w))
    if info.length:
        return axes.to_gltf(info, tuple(map(shortest, value)))
    return shortest(value) if info.type is float else value


def _to_property(info: FieldInfo, value: Any, axes: Axes) -> Any:
    if info.words:
        return value.upper()
    value = axes.to_blender(info, value)
    if info.field.quantity is Quantity.ROTATION:
        x, y, z, w = value
        return (w, x, y, z)
    return value
