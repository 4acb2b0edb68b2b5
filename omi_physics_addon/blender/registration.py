"""What Blender must know of this add-on, in the order it must learn it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import bpy

from . import manual, operators, panels, translations
from . import preferences as preferences_panel
from .base import changes, commands, compat, keymap, preferences, redraws, report_window
from .live import follow, watch
from .operators.preview import play_in_engine
from .overlay import gizmos, overlay, symbols
from .panels import exchange, menus
from .preview import drawing, player
from .preview.stage import quiet
from .properties import (
    bodies,
    entries,
    fits,
    gravity,
    joints,
    objects,
    scenes,
    shapes,
    sidebar,
    vehicles,
)
from .scene import migrations, newcomers, report_age

_MODULES: Final[tuple[ModuleType, ...]] = (
    *(entries, shapes, bodies, joints, gravity, vehicles, objects, fits, sidebar, scenes),
    *operators.MODULES,
    *panels.MODULES,
    *(gizmos, symbols, preferences_panel, quiet),
)


def classes_of(module: ModuleType) -> list[Any]:
    """What a module has for Blender: its classes in the order of the file, then those of tables."""
    own = (each for each in vars(module).values() if isinstance(each, type))
    named = (each for each in own if each.__name__.startswith("OMIPHYSICS_"))
    written = [each for each in named if each.__module__ == module.__name__]
    return [*written, *getattr(module, "MADE", ())]


CLASSES: Final = tuple(cls for module in _MODULES for cls in classes_of(module))
# What watches files and edits or adds to Blender's menus, in the order in which it begins.
_WATCHING: Final[tuple[Any, ...]] = (
    migrations,
    newcomers,
    preferences,
    changes,
    report_age,
    watch,
    follow,
    redraws,
    menus,
    exchange,
    overlay,
    player,
    play_in_engine,
    drawing,
    keymap,
    translations,
    manual,
)


def register(run_command: Callable[[list[str]], int] | None = None) -> None:
    """Register every class, attach the property groups, start watching files.

    Args:
        run_command: runs the command line; returns the exit code. None for no command.

    Raises:
        RuntimeError: another copy of the add-on is enabled, whose classes these would replace.
    """
    _check_alone()
    for cls in CLASSES:
        translations.use_own_context(cls)
        bpy.utils.register_class(cls)
    quiet.register()
    _attach(bpy.types.Object, objects.OMIPHYSICS_PG_object, "Physics for glTF")
    _attach(bpy.types.Collection, scenes.OMIPHYSICS_PG_collection, "Physics for glTF")
    _attach(bpy.types.Material, bodies.OMIPHYSICS_PG_material, "Physics for glTF")
    _attach(bpy.types.Scene, scenes.OMIPHYSICS_PG_scene, "Physics for glTF")
    for module in _WATCHING:
        module.register()
    if run_command is not None:
        commands.register(run_command)


def unregister() -> None:
    """Undo `register`, last first."""
    commands.unregister()
    report_window.unregister()
    for module in reversed(_WATCHING):
        module.unregister()
    compat.show_in_extras()
    for owner in (bpy.types.Scene, bpy.types.Material, bpy.types.Collection, bpy.types.Object):
        delattr(owner, compat.ATTRIBUTE)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


def _check_alone() -> None:
    panel = next(cls for cls in CLASSES if issubclass(cls, bpy.types.Panel))
    enabled = getattr(bpy.types, panel.__name__, None)  # Which has no groups of properties.
    if enabled is None:
        return
    (other,), (own,) = (name.split(".blender.")[:1] for name in (enabled.__module__, __name__))
    if other != own:
        raise RuntimeError(
            f"OMI Physics is enabled already, as {other}, and two copies of it replace each other; "
            "disable that one first"
        )


def _attach(owner: Any, group: Any, text: str) -> None:
    setattr(
        owner,
        compat.ATTRIBUTE,
        bpy.props.PointerProperty(
            type=group,
            name="OMI Physics",
            description=text,
            override={"LIBRARY_OVERRIDABLE"},
        ),
    )
