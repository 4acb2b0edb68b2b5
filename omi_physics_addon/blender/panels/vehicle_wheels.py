"""Properties > Physics > Vehicle > Wheels: all wheels of a vehicle as one table."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ..base import changes, groups
from ..base.mesh_arrays import children_of_all
from .tabs import Part
from .texts import and_more

_MOST: Final = 32  # Wheels in a table that can still be read.
# Column, property of a wheel.
COLUMNS: Final = (
    ("Radius", "radius"),
    ("Travel", "suspension_travel"),
    ("Steering", "max_steering_angle"),
    ("Drive", "max_propulsion_force"),
)


def wheels_of(vehicle: Any) -> list[Any]:
    """The wheels of a vehicle, from the front to the rear; looked for once after each change."""
    objects: Any = bpy.data.objects
    known = (objects.get(name) for name in _names(vehicle))
    return [obj for obj in known if obj is not None and groups.read(obj).use_wheel]


@changes.kept
def _names(vehicle: Any) -> list[str]:
    from ..authoring.starting_values import parts_below

    into = vehicle.matrix_world.inverted_safe()

    def place(obj: Any) -> tuple[float, float]:
        x, y, _ = into @ obj.matrix_world.translation
        return round(y, 2), round(-x, 2)

    return [obj.name for obj in sorted(parts_below(vehicle, "wheel", children_of_all()), key=place)]


class OMIPHYSICS_PT_vehicle_wheels(Part, bpy.types.Panel):
    """All wheels of a vehicle."""

    bl_parent_id = "OMIPHYSICS_PT_vehicle_body"
    bl_label = "Wheels"
    part = "vehicle_body"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the vehicle has wheels."""
        return super().poll(context) and bool(wheels_of(context.object))

    def draw(self, context: bpy.types.Context) -> None:
        """The name of each wheel, which selects it, above its values: editors are narrow."""
        layout: Any = self.layout
        wheels = wheels_of(context.object)
        layout.use_property_decorate = False
        header = layout.row(align=True)
        for label, _ in COLUMNS:
            header.label(text=label)
        for obj in wheels[:_MOST]:
            column = layout.column(align=True)
            button = column.operator(
                "object.omi_physics_outliner_select", text=obj.name, translate=False
            )
            button.uid = obj.session_uid
            row = column.row(align=True)
            for _, name in COLUMNS:
                row.prop(groups.of_object(obj).wheel, name, text="")
        if len(wheels) > _MOST:
            layout.label(text=and_more(len(wheels) - _MOST), translate=False)
        layout.operator("object.omi_physics_fit_suspension")
