"""The one place that knows Blender is Z up and glTF is Y up, and how long a unit is.

`Axes` turns what an export, import or check reads and writes, with the options that it has; the
functions turn arrays where glTF's axes are always Y up, as in shapes, marks and the preview.

Numbers and signs: SPEC of the extensions; the change of basis is a rotation, so cross
products and torques need no sign of their own.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .model.fields import AxisIndex, FieldInfo, Quantity, Quaternion, Vector3, table
from .model.joints import DRIVE_TYPES, JointDrive, JointLimit, mirrored_drive, mirrored_limit

R = TypeVar("R", JointDrive, JointLimit)
Array = NDArray[np.float64]

# (3, 3), turns columns from Blender's axes to glTF's.
TO_GLTF: Final[Array] = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
_TO_GLTF_4: Final[Array] = np.block([[TO_GLTF, np.zeros((3, 1))], [np.zeros((1, 3)), np.eye(1)]])
# The rotation x, y, z, w from glTF's up to Blender's, about X.
Y_TO_Z: Final[Quaternion] = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))

_OTHER_AXIS: Final = (0, 2, 1)  # Blender's axis for glTF's, and the other way around.
_FLIPPED_IN_GLTF: Final = 2  # glTF's Z is Blender's -Y; the other two keep their sign.
_FLIPPED_IN_BLENDER: Final = 1
# How often each unit contains a length. Where lengths are numbers u times as large and times and
# masses stay, a quantity of power n must be u to the n times as large, and all moves as before.
LENGTHS: Final = {
    "": 0,
    "kg": 0,
    "kg/s": 0,
    "kg/s²": 0,
    "rad": 0,
    "rad/s": 0,
    "m": 1,
    "m/s": 1,
    "m/s²": 1,
    "N": 1,
    "N/s": 1,
    "N m": 2,
    "N m/s": 2,
    "N m/rad": 2,
    "kg m²": 2,
}
_TORQUE: Final = 2  # The same for what an angular spring, damper or motor has.


@dataclass(frozen=True)
class Axes:
    """How numbers of the document relate to Blender's.

    Attributes:
        y_up: the glTF option "+Y Up"; off means that nothing turns.
        unit: Blender units per metre, by which the importer multiplies lengths; the other
            quantities follow, so that the import is the same physical system.
    """

    y_up: bool = True
    unit: float = 1.0

    def to_gltf(self, row: FieldInfo, value: Any) -> Any:
        """The value glTF has for what Blender has as `value`; no number gets another size.

        Blender's exporter applies no unit factor to locations, so neither do we.
        """
        quantity = row.field.quantity
        if quantity is Quantity.SCALAR or not self.y_up:
            return value
        if quantity is Quantity.ROTATION:
            return self.turn_to_gltf(value)
        if quantity is Quantity.EXTENT:
            return self.size_to_gltf(value)
        return self.point_to_gltf(value)

    def to_blender(self, row: FieldInfo, value: Any) -> Any:
        """The value Blender has for what glTF has as `value`."""
        if self.unit != 1.0:
            value = self._sized(row, value)
        quantity = row.field.quantity
        if quantity is Quantity.SCALAR or not self.y_up:
            return value
        if quantity is Quantity.ROTATION:
            return _turn_to_blender(value)
        return _size_to_blender(value) if quantity is Quantity.EXTENT else _point_to_blender(value)

    def point_to_gltf(self, point: Iterable[float]) -> Vector3:
        """The point, or the direction, that glTF has for one of Blender's."""
        x, y, z = point
        return (x, z, -y) if self.y_up else (x, y, z)

    def point_to_blender(self, point: Iterable[float]) -> Vector3:
        """The point that Blender has for one of glTF's, in Blender's units."""
        x, y, z = self._lengths(point)
        return _point_to_blender((x, y, z)) if self.y_up else (x, y, z)

    def turn_to_gltf(self, turn: Iterable[float]) -> Quaternion:
        """The rotation x, y, z, w that glTF has for one of Blender's."""
        x, y, z, w = turn
        return (x, z, -y, w) if self.y_up else (x, y, z, w)

    def turn_to_blender(self, turn: Iterable[float]) -> Quaternion:
        """The rotation x, y, z, w that Blender has for one of glTF's."""
        x, y, z, w = turn
        return _turn_to_blender((x, y, z, w)) if self.y_up else (x, y, z, w)

    def size_to_gltf(self, size: Iterable[float]) -> Vector3:
        """The lengths or scales along glTF's axes for those along Blender's."""
        x, y, z = size
        return (x, z, y) if self.y_up else (x, y, z)

    def size_to_blender(self, size: Iterable[float]) -> Vector3:
        """The lengths along Blender's axes, in Blender's units, for those along glTF's."""
        x, y, z = self._lengths(size)
        return _size_to_blender((x, y, z)) if self.y_up else (x, y, z)

    def _lengths(self, lengths: Iterable[float]) -> Iterable[float]:
        return lengths if self.unit == 1.0 else [self.unit * length for length in lengths]

    def _sized(self, row: FieldInfo, value: Any) -> Any:
        factor = self.unit ** LENGTHS[row.field.unit]
        if factor == 1.0:
            return value
        if isinstance(value, tuple):
            return tuple(factor * number for number in cast(tuple[float, ...], value))
        if _has_word(row) and value < 0.0:
            return value
        return factor * value

    def _sized_record(self, record: R, names: tuple[str, ...], power: int) -> R:
        """A record with the sizes it has in Blender; what is None stays.

        Args:
            names: the fields whose unit is another one along axes than about them, and thus not
                in the table.
            power: that of the length in their unit.
        """
        sized: dict[str, Any] = {}
        for row in table(type(record)):
            value = getattr(record, row.name)
            if value is None:
                continue
            if row.name in names:
                sized[row.name] = self.unit**power * value
            elif row.field.unit:
                sized[row.name] = self._sized(row, value)
        return dataclasses.replace(record, **sized)

    def sized_limit(self, limit: JointLimit) -> JointLimit:
        """A limit of the file with the sizes it has in Blender, along or about the same axes."""
        if self.unit == 1.0:
            return limit
        if limit.angular_axes:
            return self._sized_record(limit, ("stiffness", "damping"), _TORQUE)
        return self._sized_record(limit, ("min", "max"), 1)

    def sized_drive(self, drive: JointDrive) -> JointDrive:
        """A drive of the file with the sizes it has in Blender, along or about the same axis.

        A drive of mode acceleration has gains per mass or moment, so only its force has a length.
        """
        if self.unit == 1.0 or drive.type not in DRIVE_TYPES:
            return drive
        if drive.type == "linear":
            return self._sized_record(drive, ("max_force", "position_target", "velocity_target"), 1)
        gains = () if drive.mode == "acceleration" else ("stiffness", "damping")
        return self._sized_record(drive, ("max_force", *gains), _TORQUE)

    def limit_to_gltf(self, limit: JointLimit) -> JointLimit:
        """The limit glTF has for one along or about Blender's axes."""
        return self._turned_limit(limit, _FLIPPED_IN_BLENDER) if self.y_up else limit

    def limit_to_blender(self, limit: JointLimit, *, per_axis: bool) -> tuple[JointLimit, ...]:
        """The limit along or about Blender's axes, or one for each of them.

        Args:
            limit: with axes of one kind.
            per_axis: whether a range over several axes holds on each of them, as engines take
                OMI's; else it is one of distance, cone or whole angle, as KHR's text says.
        """
        limit = self.sized_limit(limit)
        axes = limit.linear_axes or limit.angular_axes
        lopsided = limit.min is None or limit.max is None or limit.min != -limit.max
        if per_axis and len(axes) > 1 and lopsided:
            parts = tuple(_with_axes(limit, (axis,)) for axis in axes)
        else:
            parts = (limit,)
        if not self.y_up:
            return parts
        return tuple(self._turned_limit(part, _FLIPPED_IN_GLTF) for part in parts)

    def _turned_limit(self, limit: JointLimit, flipped: int) -> JointLimit:
        axes = limit.linear_axes or limit.angular_axes
        if axes == (flipped,):
            limit = mirrored_limit(limit)
        turned = sorted(_OTHER_AXIS[axis] for axis in axes)
        return _with_axes(limit, tuple(AxisIndex(axis) for axis in turned))

    def drive_to_gltf(self, drive: JointDrive) -> JointDrive:
        """The drive glTF has for one along or about an axis of Blender."""
        return self._turned_drive(drive, _FLIPPED_IN_BLENDER) if self.y_up else drive

    def drive_to_blender(self, drive: JointDrive) -> JointDrive:
        """The drive along or about an axis of Blender."""
        drive = self.sized_drive(drive)
        return self._turned_drive(drive, _FLIPPED_IN_GLTF) if self.y_up else drive

    def _turned_drive(self, drive: JointDrive, flipped: int) -> JointDrive:
        if drive.axis == flipped:
            drive = mirrored_drive(drive)
        return dataclasses.replace(drive, axis=AxisIndex(_OTHER_AXIS[drive.axis]))


def points_to_gltf(points: ArrayLike) -> Any:
    """Points or directions (..., 3) in glTF's axes that are given in Blender's."""
    given = np.asarray(points)
    turned = _like(given)
    turned[..., 0], turned[..., 1] = given[..., 0], given[..., 2]
    np.subtract(0.0, given[..., 1], out=turned[..., 2])  # Where a minus would make -0 of 0.
    return turned


def points_to_blender(points: ArrayLike) -> Any:
    """Points or directions (..., 3) in Blender's axes that are given in glTF's."""
    given = np.asarray(points)
    turned = _like(given)
    turned[..., 0], turned[..., 2] = given[..., 0], given[..., 1]
    np.subtract(0.0, given[..., 2], out=turned[..., 1])
    return turned


def _like(points: NDArray[Any]) -> NDArray[Any]:
    return np.empty(points.shape, dtype=points.dtype if points.dtype.kind == "f" else float)


def matrices_to_gltf(matrices: ArrayLike) -> Array:
    """Matrices (..., 3, 3) or (..., 4, 4) between glTF's axes, given between Blender's."""
    given = np.asarray(matrices, dtype=np.float64)
    turn = TO_GLTF if given.shape[-1] == len(TO_GLTF) else _TO_GLTF_4
    result: Array = turn @ given @ turn.T
    return result


def matrices_to_blender(matrices: ArrayLike) -> Array:
    """Matrices (..., 3, 3) or (..., 4, 4) between Blender's axes, given between glTF's."""
    given = np.asarray(matrices, dtype=np.float64)
    turn = TO_GLTF if given.shape[-1] == len(TO_GLTF) else _TO_GLTF_4
    result: Array = turn.T @ given @ turn
    return result


def _point_to_blender(point: Vector3) -> Vector3:
    x, y, z = point
    return (x, -z, y)


def _turn_to_blender(turn: Quaternion) -> Quaternion:
    x, y, z, w = turn
    return (x, -z, y, w)


def _size_to_blender(size: Vector3) -> Vector3:
    x, y, z = size
    return (x, z, y)


def _has_word(row: FieldInfo) -> bool:
    """Whether negative numbers are no sizes but say something else, such as "at once"."""
    return row.type is float and isinstance(row.default, float) and row.default < 0.0


def _with_axes(limit: JointLimit, axes: tuple[AxisIndex, ...]) -> JointLimit:
    if limit.linear_axes:
        return dataclasses.replace(limit, linear_axes=axes)
    return dataclasses.replace(limit, angular_axes=axes)
