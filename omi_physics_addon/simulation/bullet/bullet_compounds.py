"""Several shapes of Bullet that move as one, with an inertia that is given.

Bullet takes the inertia of the box around a compound before that is scaled, and then scales each
shape along the axes of the shape itself. So the scale is sought with which that box has the sizes
wanted, while every shape becomes what it shall be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...geometry.arrays import Array
from ..world import Form
from .bullet_shapes import (
    UPRIGHT,
    BulletShape,
    Kind,
    corners,
    primitive,
    straightened,
    surface_points,
)

_MAX_ITERATIONS: Final = 40
_SIZE_TOLERANCE: Final = 1e-7  # Relative difference of sizes that does not count.
_SCALE_STEP: Final = 1e-6  # Relative change of a scale that shows what it does.
_SCALE_STEPS: Final = np.exp(_SCALE_STEP * np.eye(3))
# Relative difference of two scales with which a cylinder stays round.
_ROUND_SCALE_TOLERANCE: Final = 1e-3
# Scale along a capsule, of that across it, beyond which it has no length left to be scaled.
_MOST_STRETCHED: Final = 1e3
# What becomes hulls, one after the other, as long as there is no scale for all shapes.
_HULLS_IN_TURN: Final = (("CYLINDER",), ("SPHERE", "CAPSULE"), ("BOX",))

PlacedForm = tuple[Form, Array, Array]  # A form, its rotation (3, 3) and its place (3,).


@dataclass(frozen=True, eq=False)
class _Piece:
    """A shape as it shall be.

    Attributes:
        half: (3,), half of its size along its own axes.
        rotation, place: (3, 3) and (3,), in the compound.
        points: (k, 3), of a hull, in the compound; else empty.
    """

    kind: Kind
    half: Array
    rotation: Array
    place: Array
    points: Array

    def base(self, scale: Array) -> Array:
        """Half of its size (3,) before it is scaled, by the rules of Bullet."""
        if self.kind == "SPHERE":
            return self.half / scale[0]
        if self.kind == "CAPSULE":
            radius = self.half[1] / scale[1]
            return np.array([radius, radius, radius + (self.half[2] - self.half[1]) / scale[2]])
        if self.kind == "CYLINDER":
            return self.half / np.array([scale[0], scale[0], scale[2]])
        return self.half / scale

    def ends(self, scale: Array) -> tuple[Array, Array]:
        """The lowest and the highest corner (3,) of the box around it before it is scaled."""
        if self.kind == "CONVEX_HULL":
            return self.points.min(axis=0) / scale, self.points.max(axis=0) / scale
        base, middle = self.base(scale), self.place / scale
        # Bullet turns the box of a capsule, too, which is larger than the box around it.
        around = base if self.kind == "SPHERE" else np.abs(self.rotation) @ base
        return middle - around, middle + around

    def part(self, scale: Array) -> BulletShape:
        """What becomes this piece by the scale."""
        if self.kind == "CONVEX_HULL":
            return BulletShape(self.kind, self.points / scale)
        vertices = corners(2.0 * self.base(scale))
        return BulletShape(self.kind, vertices, None, self.rotation, self.place / scale)


def assembled(
    solids: Sequence[PlacedForm], size: Array, thinnest: float
) -> tuple[tuple[BulletShape, ...], Array]:
    """The parts of a compound, and the scale (3,) that it needs.

    Args:
        solids: at least one, in the axes of the compound.
        size: (3,), of the box whose inertia it shall have.
        thinnest: extent along an axis, relative to the largest, that a flat one gets.
    """
    pieces = [_piece(*solid) for solid in solids]
    for spoilt in _HULLS_IN_TURN:
        pieces = _thickened(pieces, thinnest)
        scale = _scale(pieces, size)
        if scale is not None:
            return tuple(piece.part(scale) for piece in pieces), scale
        pieces = [
            _hull(*solid) if piece.kind in spoilt else piece
            for piece, solid in zip(pieces, solids, strict=True)
        ]
    pieces = _thickened(pieces, thinnest)
    scale = _first(pieces, size)
    return tuple(piece.part(scale) for piece in pieces), scale


def _thickened(pieces: Sequence[_Piece], thinnest: float) -> Sequence[_Piece]:
    """Hulls of which at least one is thick along each axis; Bullet does not turn what is flat."""
    if any(piece.kind != "CONVEX_HULL" for piece in pieces):
        return pieces
    extent = _extent(pieces, np.ones(3))
    least = thinnest * extent.max()
    away = np.where(extent < least, least / 2.0, 0.0)
    if not away.any():
        return pieces
    return [
        replace(piece, points=np.concatenate([piece.points - away, piece.points + away]))
        for piece in pieces
    ]


def _piece(form: Form, rotation: Array, place: Array) -> _Piece:
    found = primitive(form)
    if found is None or found.kind == "CONE":
        return _hull(form, rotation, place)
    turn, half = rotation @ UPRIGHT, np.ptp(found.vertices, axis=0) / 2.0
    if found.kind == "BOX":
        turn, half = straightened(turn, half)
    return _Piece(found.kind, half, turn, place, np.zeros((0, 3)))


def _hull(form: Form, rotation: Array, place: Array) -> _Piece:
    points = surface_points(form) @ rotation.T + place
    return _Piece("CONVEX_HULL", np.zeros(3), np.eye(3), np.zeros(3), points)


def _extent(pieces: Sequence[_Piece], scale: Array) -> Array:
    ends = [piece.ends(scale) for piece in pieces]
    low = np.min([each[0] for each in ends], axis=0)
    high = np.max([each[1] for each in ends], axis=0)
    return high - low


def _first(pieces: Sequence[_Piece], size: Array) -> Array:
    """The scale for shapes that are scaled along the axes of the compound."""
    return _extent(pieces, np.ones(3)) / size


def _scale(pieces: Sequence[_Piece], size: Array) -> Array | None:
    """The scale for all shapes, by Newton's method; None where there is none."""
    scale = _first(pieces, size)
    if all(piece.kind == "CONVEX_HULL" for piece in pieces):
        return scale
    for _ in range(_MAX_ITERATIONS):
        off = np.log(_extent(pieces, scale) / size)
        if np.abs(off).max() < _SIZE_TOLERANCE:
            break
        columns = [np.log(_extent(pieces, scale * step) / size) - off for step in _SCALE_STEPS]
        slope = np.array(columns).T / _SCALE_STEP
        change = np.linalg.lstsq(slope, -off, rcond=None)[0]
        scale = scale * np.exp(np.clip(change, -1.0, 1.0))
    else:
        return None
    kinds = {piece.kind for piece in pieces}
    if "CYLINDER" in kinds and scale[1] < scale[0] * (1.0 - _ROUND_SCALE_TOLERANCE):
        return None
    if "CAPSULE" in kinds and scale[2] > _MOST_STRETCHED * scale[1]:
        return None
    return scale
