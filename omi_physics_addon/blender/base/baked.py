"""Which objects have keyframes that were baked from physics."""

from __future__ import annotations

from typing import Any, Final

import bpy

from .groups import can_change

BAKED: Final = "omi_physics_baked"  # On the actions of bakes: the track of the action before.


def is_any_baked() -> bool:
    """Whether there is any action that a bake made."""
    return any(BAKED in action for action in bpy.data.actions)


def is_baked(obj: Any) -> bool:
    """Whether the active action of an object was made by a bake."""
    data = obj.animation_data
    action = None if data is None else data.action
    return action is not None and BAKED in action and can_change(obj)
