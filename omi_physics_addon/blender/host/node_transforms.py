"""Writes the places of nodes as their objects hold them, so that round trips do not wear them.

The host takes the place of a node from the matrices of object and parent in the world, which
costs the last digits: a file that goes in and out again and again is a little different each time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

from ..scene.scene_nodes import SceneNode

# What the host may be off by: some of the smallest steps of 32-bit numbers as large as the place.
_STEPS: Final = 2e-6


def keep(nodes: Iterable[tuple[SceneNode, Any]], *, y_up: bool) -> None:
    """Give host nodes the numbers of their objects where both mean the same.

    Where they do not, because a constraint, a parent's inverse or anything else has a say, the
    host's stay.

    Args:
        nodes: with the host's node of each.
        y_up: whether the host turns the axes.
    """
    for node, host in nodes:
        obj = node.object
        if obj.parent is not None or host.rotation is not None:
            _keep(host, obj, node.matrix, y_up)


def _keep(host: Any, obj: Any, matrix: Any, y_up: bool) -> None:
    location, scale = obj.location[:], obj.scale[:]
    x, y, z = location
    sx, sy, sz = scale
    translation = [x, z, -y] if y_up else [x, y, z]
    sizes = [sx, sz, sy] if y_up else [sx, sy, sz]
    largest = max(1.0, *map(abs, matrix.translation), *map(abs, location))
    if not _is_close(host.translation or _ZERO, translation, largest) or not _is_close(
        host.scale or _ONE, sizes, max(map(abs, sizes))
    ):
        return
    rotation = None
    if host.rotation is not None:
        rotation = _rotation(obj, host.rotation, y_up)
        if rotation is None:
            return
    host.translation = _without_noise(translation) if host.translation else None
    host.scale = _without_noise(sizes, 1.0) if host.scale else None
    host.rotation = rotation


def _rotation(obj: Any, of_host: Sequence[float], y_up: bool) -> list[float] | None:
    """The quaternion of an object; None where it is not that of the host's node."""
    if obj.rotation_mode != "QUATERNION":
        return None
    w, x, y, z = obj.rotation_quaternion[:]
    rotation = [x, z, -y, w] if y_up else [x, y, z, w]
    if abs(math.hypot(*rotation) - 1.0) > _STEPS:
        return None
    turned = [-value for value in rotation]  # Says the same.
    if _is_close(of_host, rotation, 1.0) or _is_close(of_host, turned, 1.0):
        return _without_noise(rotation)
    return None


def _is_close(first: Sequence[float], second: Sequence[float], size: float) -> bool:
    return all(abs(a - b) <= _STEPS * size for a, b in zip(first, second, strict=True))


def _without_noise(values: list[float], target: float = 0.0) -> list[float]:
    """Numbers, with those next to the target on it, as the host has them; none is -0."""
    return [target if abs(value - target) <= _STEPS else value for value in values]


_ZERO: Final = (0.0, 0.0, 0.0)
_ONE: Final = (1.0, 1.0, 1.0)
