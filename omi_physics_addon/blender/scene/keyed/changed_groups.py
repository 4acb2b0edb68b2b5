"""A property group while one of its properties has another value, and what follows that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from ....model import fields
from ....model.fields import FieldInfo

R = TypeVar("R")

_VECTORS: Final = (3, 4)  # Lengths of vectors that pointers of animations lead to.
# Members that the object models of both families leave out, so that no animation moves them.
# Source: OMI_physics_gravity, OMI_physics_body and KHR_physics_rigid_bodies, "Object Model".
_FIXED: Final = frozenset(("collision_filter", "physics_material", "shape", "axis"))
_AWAY: Final = 1.0  # From a property, to see which numbers of a file it moves.


class At:
    """A property group while one of its properties has another value."""

    def __init__(self, group: Any, name: str, value: Any) -> None:
        self._group, self._name, self._value = group, name, value

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self._group.__class__

    def __getattr__(self, name: str) -> Any:
        return self._value if name == self._name else getattr(self._group, name)


def moved(record: R, group: Any, name: str, read: Callable[[Any], R]) -> list[FieldInfo]:
    """The numbers of a record that follow a property."""
    value: Any = getattr(group, name, None)
    if isinstance(value, float):
        other: Any = value + _AWAY
    elif value.__class__ is not str and hasattr(value, "__len__") and len(value) in _VECTORS:
        if not all(isinstance(item, float) for item in value):
            return []
        other = tuple(item + _AWAY * (i + 1) for i, item in enumerate(value))
    else:
        return []
    there = read(At(group, name, other))
    return [
        row
        for row in fields.table(record.__class__)
        if (row.type is float or row.length in _VECTORS)
        and row.name not in _FIXED
        and getattr(there, row.name) != getattr(record, row.name)
        and None not in (getattr(there, row.name), getattr(record, row.name))
    ]
