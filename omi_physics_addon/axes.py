"""The one place that knows Blender is Z up and glTF is Y up, and how long a unit is.

Numbers and signs: SPEC of the extensions; the change of basis is a rotation, so cross
products and torques need no sign of their own.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Final, cast

from .model.fields import AxisIndex, FieldInfo, Quantity
from .model.joints import JointDrive, JointLimit

_OTHER_AXIS: Final = (0, 2, 1)  # Blender's axis for glTF's, and the other way around.
_FLIPPED_IN_GLTF: Final = 2  # glTF's Z is Blender's -Y; the other two keep their sign.
_FLIPPED_IN_BLENDER: Final = 1
_LENGTHS: Final = frozenset({"m", "m/s"})


@dataclass(frozen=True)
class Axes:
    """How numbers of the document relate to Blender's.

    Attributes:
        y_up: the glTF option "+Y Up"; off means that nothing turns.
        unit: Blender units per metre, by which the importer multiplies lengths.
    """

    y_up: bool = True
    unit: float = 1.0

    def to_gltf(self, row: FieldInfo, value: Any) -> Any:
        """The value glTF has for what Blender has as `value`; lengths stay as they are.

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
        if self.unit != 1.0 and row.field.unit in _LENGTHS:
            value = self._scaled(value)
        quantity = row.field.quantity
        if quantity is Quantity.SCALAR or not self.y_up:
            return value
        if quantity is Quantity.ROTATION:
            x, y, z, w = value
            return (x, -z, y, w)
        x, y, z = value
        return (x, z, y) if quantity is Quantity.EXTENT else (x, -z, y)

    def _scaled(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(self.unit * number for number in cast(tuple[float, ...], value))
        return self.unit * value

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
        if self.unit != 1.0 and limit.linear_axes:
            ends = {"min": limit.min, "max": limit.max}
            scaled = {key: end if end is None else self.unit * end for key, end in ends.items()}
            limit = dataclasses.replace(limit, **scaled)
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
        if self.unit != 1.0 and drive.type == "linear":
            targets = {
                name: target if target is None else self.unit * target
                for name in ("position_target", "velocity_target")
                for target in (getattr(drive, name),)
            }
            drive = dataclasses.replace(drive, **targets)
        return self._turned_drive(drive, _FLIPPED_IN_GLTF) if self.y_up else drive

    def _turned_drive(self, drive: JointDrive, flipped: int) -> JointDrive:
        if drive.axis == flipped:
            drive = dataclasses.replace(
                drive,
                position_target=_negated(drive.position_target),
                velocity_target=_negated(drive.velocity_target),
            )
        return dataclasses.replace(drive, axis=AxisIndex(_OTHER_AXIS[drive.axis]))


def _with_axes(limit: JointLimit, axes: tuple[AxisIndex, ...]) -> JointLimit:
    if limit.linear_axes:
        return dataclasses.replace(limit, linear_axes=axes)
    return dataclasses.replace(limit, angular_axes=axes)


def _negated(value: float | None) -> float | None:
    return None if value is None else -value if value else 0.0
