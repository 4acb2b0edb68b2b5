"""The one place that knows Blender is Z up and glTF is Y up, and how long a unit is.

Numbers and signs: SPEC of the extensions; the change of basis is a rotation, so cross
products and torques need no sign of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

from .model.fields import FieldInfo, Quantity

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
