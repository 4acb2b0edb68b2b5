"""Starts add-ons, and says what they and Blender said."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any, Protocol, cast

import bpy

from .. import jobs

if TYPE_CHECKING:
    from collections.abc import Callable

ADDON = "omi_physics_addon"
HOST = "io_scene_gltf2"
OLDEST_BLENDER = (4, 2, 0)


class JobError(Exception):
    """A job cannot be done; the message is for the user."""

    def __init__(self, message: str, exit_code: int = jobs.BAD_INPUT) -> None:
        """Keep the exit code beside the message."""
        super().__init__(message)
        self.exit_code = exit_code


class Report(Protocol):
    """What the add-on remembers of an export."""

    failed: bool

    def lines(self) -> list[str]:
        """The summary for a person."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The summary for a program."""
        ...


def plain_message(error: Exception) -> str:
    """What an operator's error says, without Blender's prefix and without a traceback."""
    text = str(error).strip().removeprefix("Error: ")
    if "Traceback (most recent call last):" not in text:
        return text
    # Blender adds where the operator was called; the last frame is the last indented line.
    lines = text.partition("\nLocation:")[0].splitlines()
    frames = [number for number, line in enumerate(lines) if line.startswith("  ")]
    return "\n".join(lines[frames[-1] + 1 :] if frames else lines[-1:])


def enabled_addons() -> Any:
    """The add-ons that the preferences hold, by module name; the stubs do not know them."""
    return cast("Any", bpy.context).preferences.addons


def enable(module: str) -> None:
    """Start an add-on, so that the host looks for its hooks.

    Raises:
        JobError: the add-on does not start.
    """
    # The bpy module brings addon_utils along; before it there is none to import.
    import addon_utils

    problems: list[Exception] = []
    check = cast("Callable[[str], tuple[bool, bool]]", addon_utils.check)
    if all(check(module)):
        return
    # The host asks the preferences which add-ons have hooks, hence default_set.
    addon_utils.enable(module, default_set=True, handle_error=problems.append)
    if problems:
        error = problems[0]
        raise JobError(f"{module} does not start: {type(error).__name__}: {error}") from error


def installed_addon() -> str | None:
    """The module name of our extension when this Blender has it enabled already."""
    for name in cast("list[str]", enabled_addons().keys()):
        if name.rpartition(".")[2] == ADDON and name in sys.modules:
            return name
    return None


def start_addons() -> str:
    """Start the host and our add-on; returns the module name of ours."""
    if bpy.app.version < OLDEST_BLENDER:
        raise JobError(f"Blender {bpy.app.version_string} is too old; 4.2 is the oldest.")
    enable(HOST)
    module = installed_addon()
    if module is None:
        enable(ADDON)
        module = ADDON
    return module


def latest_report(module: str, kind: str = "EXPORT") -> Report | None:
    """What our add-on remembers of what just ended; None where it took no part.

    Args:
        kind: EXPORT or IMPORT.
    """
    reports: Any = importlib.import_module(f"{module}.blender.base.reports")
    report: Report | None = reports.latest(kind)
    return report
