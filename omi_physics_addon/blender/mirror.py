"""Copy a record to and from the property group that has a property for each of its fields."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ..axes import Axes
from ..model import fields
from ..model.fields import INDEX_TYPES, FieldInfo, Quantity

R = TypeVar("R")


def read(group: Any, record: type[R], axes: Axes, **known: Any) -> R:
    """The record that `group` shows; `known` are the fields that stand elsewhere."""
    values = dict(known)
    for name, getter in _getters(record):
        if name not in known:
            values[name] = getter(getattr(group, name), axes)
    if "kept" not in known:
        values["kept"] = group.kept
    return record(**values)


def write(record: Any, group: Any, axes: Axes, *skip: str) -> None:
    """Make `group` show `record`, but for the fields named by `skip` and those of None.

    Properties that have the value already are not touched, so that they are not saved.
    """
    for info in _simple(record.__class__):
        value = getattr(record, info.name)
        if value is None or info.name in skip:
            continue
        value = _to_property(info, value, axes)
        if not _equal(getattr(group, info.name), value):
            setattr(group, info.name, value)
    if group.kept != record.kept:
        group.kept = record.kept


@functools.lru_cache(maxsize=65536)
def shortest(value: float) -> float:
    """The shortest decimal that is the same 32-bit number; Blender stores no more than that."""
    return float(str(np.float32(value)))


@functools.cache
def _simple(record: type) -> tuple[FieldInfo, ...]:
    """The fields that a property can show: no indices, no lists."""
    return tuple(
        info for info in fields.table(record) if info.type not in INDEX_TYPES and info.item is None
    )


@functools.cache
def _getters(record: type) -> tuple[tuple[str, Callable[[Any, Axes], Any]], ...]:
    return tuple((info.name, _getter(info)) for info in _simple(record))


def _getter(info: FieldInfo) -> Callable[[Any, Axes], Any]:
    if info.words:
        return lambda value, _: value.lower()
    if info.field.quantity is Quantity.ROTATION:
        return lambda value, axes: axes.to_gltf(
            info, tuple(shortest(value[i]) for i in (1, 2, 3, 0))
        )
    if info.length:
        return lambda value, axes: axes.to_gltf(info, tuple([shortest(v) for v in value]))
    if info.type is float:
        return lambda value, _: shortest(value)
    return lambda value, _: value


def _to_property(info: FieldInfo, value: Any, axes: Axes) -> Any:
    if info.words:
        return value.upper()
    value = axes.to_blender(info, value)
    if info.field.quantity is Quantity.ROTATION:
        x, y, z, w = value
        return (w, x, y, z)
    return value


def _equal(stored: Any, value: Any) -> bool:
    return tuple(stored) == value if isinstance(value, tuple) else stored == value
