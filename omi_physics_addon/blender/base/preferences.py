"""What the artist prefers in all files: the preferences of the add-on."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, cast

import bpy

from . import changes, groups

ADDON: Final = __name__.partition(".blender.")[0]
# What new files begin with, by the part of a scene that has it.
BEGINNINGS: Final = {
    "family": "export",
    "target": "export",
    "geometry": "export",
    "line_width": "overlay",
    "symbol_size": "overlay",
}
COLOR: Final = "color_{}"  # The property for the colour of a role.


def of_artist() -> Any:
    """The preferences; None where the add-on runs without being enabled, as scripts may do it."""
    addon = cast(Any, bpy.context).preferences.addons.get(ADDON)
    return None if addon is None else addon.preferences


def page_path(name: str, temporary: str) -> Path:
    """Where a page goes: into the folder that the artist chose for pages, or to temporary files.

    Args:
        name: of the page there.
        temporary: its name among the temporary files of Blender, where the next one replaces it.
    """
    preferred = of_artist()
    folder = preferred.pages_folder if preferred is not None else ""
    return Path(bpy.path.abspath(folder) or bpy.app.tempdir) / (name if folder else temporary)


def begin(scene: Any) -> None:
    """Give a scene what the artist prefers, but for what is set already."""
    preferred = of_artist()
    for name, part in BEGINNINGS.items() if preferred is not None else ():
        group, value = getattr(groups.of_scene(scene), part), getattr(preferred, name)
        if not group.is_property_set(name) and getattr(group, name) != value:
            setattr(group, name, value)


@bpy.app.handlers.persistent
def _after_load(*_args: Any) -> None:
    if not bpy.data.filepath:  # Files that were saved are as they were saved.
        for scene in bpy.data.scenes:
            begin(scene)


register, unregister = changes.watching(((bpy.app.handlers.load_post, _after_load),))
