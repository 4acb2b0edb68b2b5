"""Buttons for the parts of physics: those that are pressed are there, and a press removes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..base.roles import PARTS
from ..operators.chosen_objects import has_targets
from ..translations import pgettext_iface
from .texts import letters, width_of

_COMMON: Final = ("collider", "joint", "gravity")
_OF_VEHICLES: Final = ("seat", "vehicle_body", "wheel", "thruster", "hover_thruster")
_NARROW: Final = 34  # Letters of a line, below which buttons side by side cut long names.
_LONGEST: Final = 9  # Letters of a button, of which four fit side by side into a sidebar.
_STATES: Final = {
    "DYNAMIC": "Dynamic",
    "STATIC": "Static",
    "KINEMATIC": "Kinematic",
    "TRIGGER": "Trigger",
}


def _grid(layout: Any, columns: int) -> Any:
    return layout.grid_flow(row_major=True, columns=columns, even_columns=True, align=True)


def draw_states(
    layout: Any,
    context: Any,
    is_on: Callable[[str], bool],
    *,
    columns: int = len(_STATES),
    is_enabled: bool = True,
) -> None:
    """Draw how the selection moves, and whether it is a trigger.

    Args:
        is_on: whether the selection has a role.
        columns: how many buttons are side by side; two where a language has longer words.
        is_enabled: whether that is asked of the selection; not of joints, which only hold bodies.
    """
    row = _grid(layout, columns if _are_short() else min(columns, 2))
    row.enabled = is_enabled and has_targets(context)
    for role, label in _STATES.items():
        part = "trigger" if role == "TRIGGER" else "motion"
        verb = "remove" if is_on(role) else "add"
        name = f"object.omi_physics_{verb}_{part}"
        button = row.operator(name, text=label, depress=verb == "remove")
        if name == "object.omi_physics_add_motion":
            button.type = role
        elif name == "object.omi_physics_remove_motion":
            button.use_collider = True


def state_rows() -> int:
    """How many rows the states have in a sidebar."""
    return 1 if _are_short() else len(_STATES) // 2


def _are_short() -> bool:
    """Whether all states fit side by side in the language of the interface."""
    return all(width_of(pgettext_iface(label)) <= _LONGEST for label in _STATES.values())


def draw_parts(
    layout: Any, group: Any, context: Any, *, of_vehicles: bool, columns: int = len(_COMMON)
) -> None:
    """Draw a button for each other part; gray ones for no object.

    Args:
        group: what the object has; None for no object.
        of_vehicles: whether parts of vehicles are among them.
        columns: how many buttons are side by side.
    """
    grid = _grid(layout, columns)
    grid.enabled = group is not None
    for part in (*_COMMON, *(_OF_VEHICLES if of_vehicles else ())):
        label, icon = PARTS[part]
        if part == "hover_thruster" and letters(context) < _NARROW:
            label = "Hover"  # Beside Thruster; the tooltip has the whole name.
        if group is not None and getattr(group, f"use_{part}"):
            name = f"object.omi_physics_remove_{part}"
            grid.operator(name, text=label, icon=icon, depress=True)
        elif part == "gravity":  # There are kinds, and none is the usual one.
            row = grid.row(align=True)
            row.enabled = has_targets(context)
            row.menu("OMIPHYSICS_MT_add_gravity", text=label, icon=icon)
        else:
            grid.operator(f"object.omi_physics_add_{part}", text=label, icon=icon)
