"""Writes the places of nodes as their objects hold them, so that round trips do not wear them.

The host takes the place of a node from the matrices of object and parent in the world, which
costs the last digits: a file that goes in and out again and again is a little different each time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

from ...axes import Axes
from ..scene.scene_nodes import SceneNode

# How far the host's number may be from the object's, of the size of the place: the rounding of
# some 32-bit calculations.
_ROUNDING: Final = 2e-6


def keep(nodes: Iterable[tuple[SceneNode, Any]], axes: Axes) -> None:
    """Give host nodes the exact numbers of their objects where both mean the same.

    Where they do not, because a constraint, a parent's inverse or anything else has a say, the
    host's stay.

    Args:
        nodes: with the host's node of each.
        axes: those of the export.
    """
    for node, host in nodes:
        obj = node.object
        if host.rotation is not None or obj.parent is not None:
            _keep(host, obj, node.matrix, axes)


def _keep(host: Any, obj: Any, matrix: Any, axes: Axes) -> None:
    location = obj.location[:]
    translation = list(axes.point_to_gltf(location))
    sizes = list(axes.size_to_gltf(obj.scale))
    largest = max(1.0, *map(abs, matrix.translation), *map(abs, location))
    if not _is_close(host.translation or _ZERO, translation, largest) or not _is_close(
        host.scale or _ONE, sizes, max(map(abs, sizes))
    ):
        return
    rotation = None
    if host.rotation is not None:
        rotation = _rotation(obj, host.rotation, axes)
        if rotation is None:
            return
    host.translation = _without_noise(translation) if host.translation else None
    host.scale = _without_noise(sizes, 1.0) if host.scale else None
    host.rotation = rotation


def _rotation(obj: Any, of_host: Sequence[float], axes: Axes) -> list[float] | None:
    """The quaternion of an object; None where it is not that of the host's node."""
    if obj.rotation_mode != "QUATERNION":
        return None
    w, x, y, z = obj.rotation_quaternion[:]
    rotation = list(axes.turn_to_gltf((x, y, z, w)))
    if abs(math.hypot(*rotation) - 1.0) > _ROUNDING:
        return None
    turned = [-value for value in rotation]  # Says the same.
    if _is_close(of_host, rotation, 1.0) or _is_close(of_host, turned, 1.0):
        return _without_noise(rotation)
    return None


def _is_close(first: Sequence[float], second: Sequence[float], size: float) -> bool:
    return all(abs(a - b) <= _ROUNDING * size for a, b in zip(first, second, strict=True))


def _without_noise(values: list[float], target: float = 0.0) -> list[float]:
    """Numbers, those next to the target replaced by it, as the host does; none is -0."""
    return [target if abs(value - target) <= _ROUNDING else value for value in values]


_ZERO: Final = (0.0, 0.0, 0.0)
_ONE: Final = (1.0, 1.0, 1.0)
