"""The command line as a command of Blender: `blender --command omi_physics check scene.glb`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import bpy

NAME: Final = "omi_physics"

_registered: list[Any] = []


def register(run: Callable[[list[str]], int]) -> None:
    """Let Blender know the command.

    Args:
        run: takes what stands behind the name; returns the exit code.
    """
    utils: Any = bpy.utils
    _registered.append(utils.register_cli_command(NAME, run))


def unregister() -> None:
    """Undo `register`."""
    utils: Any = bpy.utils
    while _registered:
        utils.unregister_cli_command(_registered.pop())
