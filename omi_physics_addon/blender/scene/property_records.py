"""Copy a record to and from the property group that has a property for each of its fields."""

from __future__ import annotations

import functools
from typing import Any, TypeVar

import numpy as np

from ...axes import Axes
from ...model import fields
from ...model.fields import INDEX_TYPES, FieldInfo, Quantity

R = TypeVar("R")


def read(group: Any, record: type[R], axes: Axes, **known: Any) -> R:
    """The record that `group` shows; `known` are the fields that stand elsewhere."""
    raw = [
        getattr(group, name)[:] if is_vector else getattr(group, name)
        for name, is_vector in _names(record)
    ]
    return _record(record, axes, tuple(raw), tuple(known.items()))


@functools.cache
def _names(record: type) -> tuple[tuple[str, bool], ...]:
    """The properties to read, the last of which is `kept`; which of them are vectors."""
    fields_ = tuple((info.name, bool(info.length)) for info in _simple(record))
    return (*fields_, ("kept", False))


@functools.lru_cache(maxsize=65536)
def _record(
    record: type[Any], axes: Axes, raw: tuple[Any, ...], known: tuple[tuple[str, Any], ...]
) -> Any:
    """The record of what a group holds, cached because most bodies are alike."""
    values: dict[str, Any] = {"kept": raw[-1]}
    for info, value in zip(_simple(record), raw, strict=False):
        values[info.name] = _from_property(info, value, axes)
    values.update(known)
    return record(**values)


def write(record: Any, group: Any, axes: Axes, *skip: str) -> None:
    """Make `group` show `record`, but for the fields named by `skip` and those of None.

    Properties that have the value already are not touched, so that they are not saved.
    """
    for name, value in _properties(record, axes):
        stored = getattr(group, name)
        if (stored[:] if isinstance(value, tuple) else stored) != value and name not in skip:
            setattr(group, name, value)


@functools.lru_cache(maxsize=65536)
def _properties(record: Any, axes: Axes) -> tuple[tuple[str, Any], ...]:
    """What a group must hold to show `record`."""
    values = [(info, getattr(record, info.name)) for info in _simple(record.__class__)]
    shown = [(i.name, _to_property(i, value, axes)) for i, value in values if value is not None]
    return (*shown, ("kept", record.kept))


@functools.lru_cache(maxsize=65536)
def shortest(value: float) -> float:
    """The shortest decimal that is the same 32-bit number; Blender stores no more than that."""
    return float(str(np.float32(value)))


def rounded(values: Any) -> tuple[float, ...]:
    """The shortest decimals of the numbers of a vector, quaternion or array."""
    return tuple(shortest(value) for value in values)


@functools.cache
def _simple(record: type) -> tuple[FieldInfo, ...]:
    """The fields that a property can show: no indices, no lists."""
    return tuple(
        info for info in fields.table(record) if info.type not in INDEX_TYPES and info.item is None
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
