"""One button for each part of physics, which adds it or removes it."""

from __future__ import annotations

from typing import Any, Final

from ..operators.chosen_objects import has_targets

# Part, label, icon; in rows that belong together.
ROWS: Final = (
    (("motion", "Body", "RIGID_BODY"),),
    (
        ("collider", "Collider", "MESH_CUBE"),
        ("trigger", "Trigger", "SELECT_INTERSECT"),
    ),
    (
        ("joint", "Joint", "RIGID_BODY_CONSTRAINT"),
        ("gravity", "Gravity", "FORCE_FORCE"),
    ),
    (
        ("vehicle_body", "Vehicle", "AUTO"),
        ("wheel", "Wheel", "MESH_TORUS"),
        ("thruster", "Thruster", "FORCE_WIND"),
    ),
    (
        ("hover_thruster", "Hover Thruster", "TRIA_UP_BAR"),
        ("seat", "Seat", "USER"),
    ),
)
PARTS: Final = tuple(part for row in ROWS for part, _, _ in row)


def has_physics(group: Any) -> bool:
    """Whether an object has any part."""
    return any(getattr(group, f"use_{part}") for part in PARTS)


def draw_buttons(layout: Any, group: Any, context: Any) -> None:
    """Draw a button for each part, as Blender's own physics has them; gray ones for no object."""
    column = layout.column(align=True)
    column.enabled = group is not None
    for parts in ROWS:
        grid = column.grid_flow(row_major=True, columns=len(parts), even_columns=True, align=True)
        for part, label, icon in parts:
            if group is not None and getattr(group, f"use_{part}"):
                grid.operator(f"object.omi_physics_remove_{part}", text=label, icon="X")
            elif part == "gravity":  # There are kinds, and none is the usual one.
                row = grid.row(align=True)
                row.enabled = has_targets(context)
                row.menu("OMIPHYSICS_MT_add_gravity", text=label, icon=icon)
            elif part == "motion":
                row = grid.row(align=True)
                operator = "object.omi_physics_add_motion"
                row.operator(operator, text="Dynamic Body", icon=icon).type = "DYNAMIC"
                row.enabled = has_targets(context)
                row.menu("OMIPHYSICS_MT_add_motion", text="", icon="DOWNARROW_HLT")
            else:
                grid.operator(f"object.omi_physics_add_{part}", text=label, icon=icon)
