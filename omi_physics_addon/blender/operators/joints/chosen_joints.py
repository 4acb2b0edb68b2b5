"""Which joints and joint settings an operator works on."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ...base import groups
from ..chosen_objects import (
    OnScene,
    active_entry,
    has_targets,
    targets,
    unavailable,
)

NO_JOINT: Final = "Select objects that are joints"


def joint_targets(context: bpy.types.Context) -> list[Any]:
    """The joints among the objects an operator works on."""
    return [obj for obj in targets(context) if groups.read(obj).use_joint]


class OnJoints(OnScene):
    """An operator on the selected joints and the list of settings of the scene."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the object that is shown is a joint, or another one is selected."""
        if not super().poll(context):
            return False
        shown: Any = context.object
        if shown is not None and groups.read(shown).use_joint and has_targets(context):
            return True
        if any(groups.read(obj).use_joint for obj in context.selected_editable_objects):
            return True
        return unavailable(cls, NO_JOINT)


def entry_named(context: bpy.types.Context, name: str) -> Any:
    """The entry of the scene's list with a name, the active one without; None for none."""
    if not name:
        return active_entry(context, "joint_settings")
    return groups.of_scene(context.scene).joint_settings.get(name)
