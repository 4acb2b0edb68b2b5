"""Compares pictures in which every object has a flat colour of its own.

A picture is the bytes of red, green and blue of `SIZE` pixels, row by row from the top. What no
object covers is black.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

SIZE: Final = (480, 320)  # Pixels.
NOTHING, STRANGE = -1, -2  # In place of an object: none, or a colour that none has.
_LEVELS: Final = 6  # Of red, green and blue.
_STEP: Final = 255 // (_LEVELS - 1)
_NEAR: Final = 16  # How far a colour may be off, of 255.
_SPREAD: Final = 97  # Neighbours in the list so get colours that eyes tell apart.
COLORS: Final = _LEVELS**3 - 2  # Without black and white.
WHITE: Final = (255, 255, 255)  # Of what no object is known for.

Pixels = NDArray[np.uint8]
Objects = NDArray[np.int16]


def color_of(index: int) -> tuple[int, int, int]:
    """The red, green and blue of an object, 0 to 255; beyond `COLORS` objects share them."""
    code = 1 + index * _SPREAD % COLORS
    return tuple(code // _LEVELS**k % _LEVELS * _STEP for k in range(3))  # type: ignore[return-value]


def read(path: Path) -> Pixels:
    """A picture, (height, width, 3).

    Raises:
        ValueError: it has another size.
    """
    width, height = SIZE
    return np.frombuffer(path.read_bytes(), np.uint8).reshape(height, width, 3)


def objects_in(picture: Pixels) -> Objects:
    """Which object each pixel shows, (height, width), `NOTHING` and `STRANGE` included."""
    found = np.rint(picture / _STEP).astype(np.int64)
    far = np.abs(picture - found * _STEP).max(axis=2) > _NEAR
    table = np.full(_LEVELS**3, STRANGE, np.int16)
    table[0] = NOTHING
    for i in reversed(range(COLORS)):
        red, green, blue = (value // _STEP for value in color_of(i))
        table[red + _LEVELS * green + _LEVELS**2 * blue] = i
    shown = table[found @ [1, _LEVELS, _LEVELS**2]]
    return np.where(far, np.int16(STRANGE), shown)


def overlap(one: Objects, other: Objects, index: int) -> float:
    """Intersection over union of what two pictures show of an object; 1 where neither does."""
    first, second = one == index, other == index
    union = np.count_nonzero(first | second)
    return np.count_nonzero(first & second) / union if union else 1.0


def overlap_of_all(one: Objects, other: Objects) -> float:
    """Pixels that show the same object in both, of those that show one in either."""
    union = np.count_nonzero((one != NOTHING) | (other != NOTHING))
    same = np.count_nonzero((one == other) & (one != NOTHING))
    return same / union if union else 1.0


def side_by_side(pictures: Sequence[Pixels]) -> Pixels:
    """Pictures of one height beside each other, with a grey line between."""
    line = np.full((pictures[0].shape[0], 4, 3), 128, np.uint8)
    parts = [part for picture in pictures for part in (picture, line)]
    return np.concatenate(parts[:-1], axis=1)


def write_png(path: Path, picture: Pixels) -> None:
    """Write a picture, (height, width, 3), as PNG."""
    height, width = picture.shape[:2]
    rows = np.concatenate(
        [np.zeros((height, 1), np.uint8), picture.reshape(height, 3 * width)], axis=1
    )
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    with path.open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in chunks:
            crc = zlib.crc32(kind + data)
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc))
