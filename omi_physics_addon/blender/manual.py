"""F1 on a field or a button of ours: the row of the manual that is about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import bpy

from .base import preferences

FOLDER: Final = Path(__file__).parent.parent / "manual"  # Made by tools/manual/local_pages.py.
FIELDS: Final = "f1"
_GROUPS: Final = (
    "omiphysics_"  # The names of files about properties begin so, others are operators.
)


def prefix_of(folder: Path) -> str:
    """The address of a folder on this machine, with the slash behind it."""
    return f"{folder.as_uri()}/"


def identifier(name: str) -> str:
    """What Blender asks for, in lower case, by the name of the file that answers."""
    return f"bpy.types.{name}" if name.startswith(_GROUPS) else f"bpy.ops.{name}"


def manual_map() -> tuple[str, tuple[tuple[str, str], ...]]:
    """What Blender asks at F1: the address of the pages, and the page of each identifier.

    The pages are those of the site that the preferences name, else those of the extension. A copy
    of the add-on without pages, such as that of developers, knows none.
    """
    preferred = preferences.of_artist()
    site = "" if preferred is None else preferred.manual_site.strip()
    prefix = f"{site.rstrip('/')}/{FIELDS}/" if site else prefix_of(FOLDER / FIELDS)
    pages = sorted((FOLDER / FIELDS).glob("*.html"))
    return prefix, tuple((identifier(page.stem), page.name) for page in pages)


def register() -> None:
    """Let Blender ask us, too."""
    utils: Any = bpy.utils
    utils.register_manual_map(manual_map)


def unregister() -> None:
    """Undo `register`."""
    utils: Any = bpy.utils
    utils.unregister_manual_map(manual_map)
