"""The ancestors of an object, and the body it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from . import groups

_MOBILITY: Final = {"STATIC": 0, "KINEMATIC": 1, "DYNAMIC": 2}


def ancestors(obj: Any) -> Iterator[Any]:
    """The parent of an object, the parent of that, and so on."""
    while obj.parent is not None:
        obj = obj.parent
        yield obj


def depth(obj: Any) -> int:
    """How many ancestors an object has."""
    return sum(1 for _ in ancestors(obj))


def body_of(obj: Any) -> Any:
    """The nearest body at or above an object; None for none."""
    while obj is not None and not groups.of_object(obj).use_motion:
        obj = obj.parent
    return obj


def connected_moves(joint: Any) -> bool:
    """Whether what a joint is connected to is what moves, rather than what the joint is below."""
    return _mobility(groups.of_object(joint).joint.connected_object) > _mobility(joint)


def _mobility(obj: Any) -> int:
    body = body_of(obj)
    return 0 if body is None else _MOBILITY[groups.of_object(body).motion.type]
