"""The triangles of the meshes of a glTF, from its accessors and buffers.

What is compressed, or does not fit together, cannot be read, and is no reason to fail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ...geometry.arrays import Array, Indices
from . import containers
from .containers import Container
from .limits import MOST_NUMBERS, LimitError

_TYPES: Final[dict[int, type[Any]]] = {
    5120: np.int8,
    5121: np.uint8,
    5122: np.int16,
    5123: np.uint16,
    5125: np.uint32,
    5126: np.float32,
}
_WIDTHS: Final = {"SCALAR": 1, "VEC3": 3}
_LARGEST: Final = 1e30  # Of a number that a file can mean.
_LIST, _STRIP, _FAN = 4, 5, 6


class MeshDataError(Exception):
    """A mesh cannot be read; the message says why."""


class MeshData:
    """The meshes of one parsed glTF."""

    def __init__(self, json: dict[str, Any], buffer: Callable[[int], bytes | None]) -> None:
        """Take the glTF, and what gives its buffers by their index, None for one not there."""
        self._json, self._buffer = json, buffer
        self._numbers = 0

    def triangles(self, mesh: int) -> tuple[Array, Indices] | None:
        """The corners (n, 3) and triangles (m, 3) of a mesh; None where it cannot be read.

        Raises:
            LimitError: there are too many numbers in all meshes that were asked for.

        Source: glTF 2.0, 3.6.2 Accessors and 3.7.2 Meshes. Lines and points have no triangles.
        """
        corners: list[Array] = [np.empty((0, 3))]
        faces: list[Indices] = [np.empty((0, 3), dtype=np.int64)]
        count = 0
        try:
            for primitive in self._item("meshes", mesh)["primitives"]:
                points, order = self._primitive(primitive)
                corners.append(points)
                faces.append(order + count)
                count += len(points)
        except (MeshDataError, KeyError, TypeError, ValueError, AttributeError):
            return None  # A wrong index, type, length or number; the file is what it is.
        return np.concatenate(corners), np.concatenate(faces)

    def _item(self, name: str, index: Any) -> dict[str, Any]:
        items = self._json.get(name)
        if not isinstance(items, list) or not isinstance(index, int):
            raise MeshDataError(f"{name} is no list")
        found = cast(list[Any], items)
        if not 0 <= index < len(found) or not isinstance(found[index], dict):
            raise MeshDataError(f"{name} {index} is not there")
        return found[index]

    def _primitive(self, primitive: dict[str, Any]) -> tuple[Array, Indices]:
        mode = primitive.get("mode", _LIST)
        if mode not in (_LIST, _STRIP, _FAN):
            return np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)
        points = self._accessor(primitive["attributes"]["POSITION"], "VEC3")
        if "indices" in primitive:
            order = self._accessor(primitive["indices"], "SCALAR").ravel().astype(np.int64)
        else:
            order = np.arange(len(points))
        if len(order) and int(order.max()) >= len(points):
            raise MeshDataError("an index points beyond the positions")
        if not (np.abs(points) < _LARGEST).all():
            raise MeshDataError("a position is not a number that a file can mean")
        return points, _faces(order, mode)

    def _accessor(self, index: Any, kind: str) -> Array:
        """The numbers (n, width) of an accessor."""
        accessor = self._item("accessors", index)
        count, code = accessor["count"], accessor["componentType"]
        if accessor["type"] != kind or not isinstance(count, int) or count < 0:
            raise MeshDataError("an accessor is of another kind, or has no length")
        sparse = accessor.get("sparse")
        if "bufferView" in accessor:
            start = accessor.get("byteOffset", 0)
            numbers = self._view(accessor["bufferView"], start, count, code, _WIDTHS[kind])
        elif sparse is not None:
            self._claim(count * _WIDTHS[kind])
            numbers = np.zeros((count, _WIDTHS[kind]))
        else:  # Zeros, or something compressed.
            raise MeshDataError("an accessor has no numbers")
        if sparse is not None:
            numbers = self._replaced(numbers, sparse, code)
        return _normalized(numbers, code) if accessor.get("normalized") else numbers

    def _claim(self, numbers: int) -> None:
        """Count numbers before there is memory for them.

        Raises:
            LimitError: they are too many.
        """
        self._numbers += numbers
        if self._numbers > MOST_NUMBERS:
            why = f"its collision meshes have {self._numbers} numbers or more"
            raise LimitError(f"{why}; {MOST_NUMBERS} are the most")

    def _replaced(self, numbers: Array, sparse: dict[str, Any], code: int) -> Array:
        """Numbers with those that an accessor says beside its buffer view."""
        at, new, count = sparse["indices"], sparse["values"], sparse["count"]
        rows = self._view(at["bufferView"], at.get("byteOffset", 0), count, at["componentType"], 1)
        values = self._view(
            new["bufferView"], new.get("byteOffset", 0), count, code, numbers.shape[1]
        )
        places = rows.ravel().astype(np.int64)
        if len(places) and int(places.max()) >= len(numbers):
            raise MeshDataError("a sparse index points beyond the numbers")
        numbers[places] = values
        return numbers

    def _view(self, index: Any, start: int, count: int, code: int, width: int) -> Array:
        view = self._item("bufferViews", index)
        data = self._buffer(view["buffer"])
        if data is None:
            raise MeshDataError("a buffer is not there")
        first = view.get("byteOffset", 0)
        part = memoryview(data)[first : first + view["byteLength"]]
        kind = np.dtype(_TYPES[code]).newbyteorder("<")
        row = width * kind.itemsize
        stride = view.get("byteStride", row)
        if min(first, start, count) < 0 or stride < row:
            raise MeshDataError("a length is negative")
        if count and start + stride * (count - 1) + row > len(part):
            raise MeshDataError("a buffer view is too short")
        if not count:
            return np.empty((0, width))
        self._claim(count * width)
        raw: NDArray[Any] = np.ndarray(
            (count, width), kind, buffer=part, offset=start, strides=(stride, kind.itemsize)
        )
        return raw.astype(np.float64)


def buffers_of(
    container: Container, beside: Callable[[str], bytes | None]
) -> Callable[[int], bytes | None]:
    """What gives the buffers of a file by their index, each read once when it is asked for.

    Args:
        beside: the content of a file by its address, None for one that cannot be read.
    """
    known: dict[int, bytes | None] = {}

    def buffer(index: int) -> bytes | None:
        if index not in known:
            known[index] = containers.buffer(container, index, beside)
        return known[index]

    return buffer


def of_file(container: Container, beside: Callable[[str], bytes | None]) -> MeshData:
    """The meshes of a glTF; see `buffers_of`."""
    return MeshData(container.json, buffers_of(container, beside))


def _normalized(numbers: Array, code: int) -> Array:
    """Whole numbers as shares of the largest one of their type."""
    if code == 5126:
        return numbers
    return np.maximum(numbers / np.iinfo(_TYPES[code]).max, -1.0)


def _faces(order: Indices, mode: int) -> Indices:
    """Triangles (m, 3) of a list, strip or fan of indices."""
    if mode == _LIST:
        return order[: len(order) // 3 * 3].reshape(-1, 3)
    if mode == _FAN:
        return np.column_stack([order[1:-1], order[2:], np.full(max(len(order) - 2, 0), order[:1])])
    faces = np.column_stack([order[:-2], order[1:-1], order[2:]])
    faces[1::2] = faces[1::2][:, [0, 2, 1]]
    return faces
