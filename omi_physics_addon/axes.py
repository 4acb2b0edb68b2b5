"""The one place that knows Blender is Z up and glTF is Y up, and how long a unit is.

Numbers and signs: SPEC of the extensions; the change of basis is a rotation, so cross
products and torques need no sign of their own.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

from .model.fields import AxisIndex, FieldInfo, Quantity
from .model.joints import DRIVE_TYPES, JointDrive, JointLimit

R = TypeVar("R", JointDrive, JointLimit)

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
            x, y, z, w = value
            return (x, z, -y, w)
        x, y, z = value
        return (x, z, y) if quantity is Quantity.EXTENT else (x, z, -y)

    def to_blender(self, row: FieldInfo, value: Any) -> Any:
        """The value Blender has for what glTF has as `value`."""
        if self.unit != 1.0:
            value = self._sized(row, value)
        quantity = row.field.quantity
        if quantity is Quantity.SCALAR or not self.y_up:
            return value
        if quantity is Quantity.ROTATION:
            x, y, z, w = value
            return (x, -z, y, w)
        x, y, z = value
        return (x, z, y) if quantity is Quantity.EXTENT else (x, -z, y)

    def _sized(self, row: FieldInfo, value: Any) -> Any:
        factor = self.unit ** LENGTHS[row.field.unit]
        if factor == 1.0:
            return value
        if isinstance(value, tuple):
            return tuple(factor * number for number in cast(tuple[float, ...], value))
        if _has_word(row) and value < 0.0:
            return value
        return factor * value

    def _sized_parts(self, record: R, names: tuple[str, ...], power: int) -> R:
        """A record with fields that are `unit` to the `power` times as large, None stays."""
        factor = self.unit**power
        values = {name: getattr(record, name) for name in names}
        sized = {name: factor * value for name, value in values.items() if value is not None}
        return dataclasses.replace(record, **sized)

    def sized_limit(self, limit: JointLimit) -> JointLimit:
        """A limit of the file with the sizes it has in Blender, along or about the same axes."""
        if self.unit == 1.0:
            return limit
        if limit.angular_axes:
            return self._sized_parts(limit, ("stiffness", "damping"), _TORQUE)
        return self._sized_parts(limit, ("min", "max"), 1)

    def sized_drive(self, drive: JointDrive) -> JointDrive:
        """A drive of the file with the sizes it has in Blender, along or about the same axis.

        A drive of mode acceleration has gains per mass or moment, so only its force has a length.
        """
        if self.unit == 1.0 or drive.type not in DRIVE_TYPES:
            return drive
        if drive.type == "linear":
            return self._sized_parts(drive, ("max_force", "position_target", "velocity_target"), 1)
        gains = () if drive.mode == "acceleration" else ("stiffness", "damping")
        return self._sized_parts(drive, ("max_force", *gains), _TORQUE)

    def limit_to_gltf(self, limit: JointLimit) -> JointLimit:
        """The limit glTF has for one along or about Blender's axes."""
        return self._turned_limit(limit, _FLIPPED_IN_BLENDER) if self.y_up else limit

    def limit_to_blender(self, limit: JointLimit, *, per_axis: bool) -> tuple[JointLimit, ...]:
        """The limit along or about Blender's axes, or two of them.

        Args:
            limit: with axes of one kind.
            per_axis: whether a range over several axes holds on each of them, as engines take
                OMI's; else it is one of distance, cone or whole angle, as KHR's text says.
        """
        limit = self.sized_limit(limit)
        if not self.y_up:
            return (limit,)
        axes = limit.linear_axes or limit.angular_axes
        lopsided = limit.min is None or limit.max is None or limit.min != -limit.max
        if per_axis and len(axes) > 1 and lopsided and _FLIPPED_IN_GLTF in axes:
            others = tuple(axis for axis in axes if axis != _FLIPPED_IN_GLTF)
            parts = (others, (AxisIndex(_FLIPPED_IN_GLTF),))
            return tuple(
                self._turned_limit(_with_axes(limit, part), _FLIPPED_IN_GLTF) for part in parts
            )
        return (self._turned_limit(limit, _FLIPPED_IN_GLTF),)

    def _turned_limit(self, limit: JointLimit, flipped: int) -> JointLimit:
        axes = limit.linear_axes or limit.angular_axes
        if axes == (flipped,):
            ends = {"min": _negated(limit.max), "max": _negated(limit.min)}
            limit = dataclasses.replace(limit, **ends)
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
            drive = dataclasses.replace(
                drive,
                position_target=_negated(drive.position_target),
                velocity_target=_negated(drive.velocity_target),
            )
        return dataclasses.replace(drive, axis=AxisIndex(_OTHER_AXIS[drive.axis]))


def _has_word(row: FieldInfo) -> bool:
    """Whether negative numbers are no sizes but say something else, such as "at once"."""
    return row.type is float and isinstance(row.default, float) and row.default < 0.0


def _with_axes(limit: JointLimit, axes: tuple[AxisIndex, ...]) -> JointLimit:
    if limit.linear_axes:
        return dataclasses.replace(limit, linear_axes=axes)
    return dataclasses.replace(limit, angular_axes=axes)


def _negated(value: float | None) -> float | None:
    return None if value is None else -value if value else 0.0
