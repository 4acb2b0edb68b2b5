"""The property groups that hang on Blender's objects and scenes, past what the stubs know."""

from __future__ import annotations

from typing import Any, cast

import bpy


def of_object(obj: bpy.types.Object) -> Any:
    """The `OMIPHYSICS_PG_object` of an object."""
    return cast(Any, obj).omi_physics


def of_scene(scene: bpy.types.Scene) -> Any:
    """The `OMIPHYSICS_PG_scene` of a scene."""
    return cast(Any, scene).omi_physics


def current_scene() -> bpy.types.Scene | None:
    """The scene that Blender shows, for hooks, which get no context; the stubs misname it."""
    return cast(Any, bpy.context).scene


def current_view_layer() -> bpy.types.ViewLayer | None:
    """The view layer that Blender shows, for callbacks of properties, which get no context."""
    return cast(Any, bpy.context).view_layer
