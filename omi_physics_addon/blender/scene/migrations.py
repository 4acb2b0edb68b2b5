"""Lifts physics data of .blend files that an older version of the add-on saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import bpy

from ..base import changes, groups, roles
from ..properties import entries
from ..properties.objects import VERSION
from . import older_lists

# The flags of an object's group, each of which says that a part is there.
PARTS: Final = tuple(f"use_{part}" for part in roles.PARTS)
MORE_PARTS: Final = PARTS[3:]  # Beside bodies, colliders and triggers.
# Version → function that lifts an object's property group from it to the next one.
STEPS: Final[dict[int, Callable[[Any], None]]] = {}


def migrate(obj: Any) -> None:
    """Lift the data of one object to today's version."""
    if not has_physics(obj):
        return
    group = groups.of_object(obj)
    for version in range(group.version or VERSION, VERSION):
        STEPS[version](group)
    stamp(obj)


def stamp(obj: Any) -> None:
    """Note on an object which version its data has; linked objects stay as they are."""
    if obj.library is None and groups.read(obj).version != VERSION:
        groups.of_object(obj).version = VERSION


def has_physics(obj: bpy.types.Object | None) -> bool:
    """Whether there is an object, and it has any part of physics."""
    if obj is None or not groups.is_stored(obj):
        return False
    group = groups.of_object(obj)
    return any(getattr(group, name) for name in PARTS)


@bpy.app.handlers.persistent
def after_load(*_args: Any) -> None:
    """Lift every object of the file that was opened, or appended from, if there is anything to."""
    for obj in bpy.data.objects if STEPS else ():
        migrate(obj)
    older_lists.lift_file()


@bpy.app.handlers.persistent
def before_save(*_args: Any) -> None:
    """Note the version of joint settings that will be saved."""
    from . import joint_settings

    for tree in entries.all_of("joint_settings"):
        if tree.library is None:
            tree.data.version = joint_settings.VERSION


register, unregister = changes.watching(
    ((bpy.app.handlers.load_post, after_load), (bpy.app.handlers.save_pre, before_save))
)
