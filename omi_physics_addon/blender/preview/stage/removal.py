"""The tagged datablocks of previews, and how they are removed."""

from __future__ import annotations

from typing import Any, Final

import bpy

# On every datablock that a preview makes; on the scene, the full name of the artist's.
TAG: Final = "omi_physics_preview"
BLOCKS: Final = (
    "objects",
    "meshes",
    "collections",
    "scenes",
    "curves",
    "metaballs",
    "lights",
    "cameras",
    "materials",
    "worlds",
    "actions",
)


def tagged(name: str) -> list[Any]:
    """The datablocks of a kind that previews made."""
    return [block for block in getattr(bpy.data, name) if block.get(TAG)]


def remove_all() -> None:
    """Remove all tagged datablocks but scenes, which are gone by now."""
    groups = tagged("collections")
    if groups:
        bpy.data.batch_remove(groups)  # Which use the objects, and are few.
    for name in BLOCKS if bpy.app.background else ():
        _remove_unseen(name)
    blocks = [block for name in BLOCKS for block in tagged(name)]
    if blocks:
        bpy.data.batch_remove(blocks)


def _remove_unseen(name: str) -> None:
    """Remove tagged blocks of a kind that nobody else uses, where there is no window.

    For each block that it removes, Blender looks through all its notes of changes. Windows read
    these and take them away; without one they pile up, and a stop takes longer by the square of
    the number of bodies. What nobody shows needs no such look. What remains is that Blender numbers
    the objects of all scenes anew for each object that goes (`BKE_main_collection_sync_remap`).
    """
    data: Any = bpy.data
    collection: Any = getattr(data, name)
    blocks = [block for block in tagged(name) if not block.users]
    users: dict[Any, set[Any]] = data.user_map(subset=blocks) if blocks else {}
    gone: set[Any] = set()
    for block in reversed(blocks):  # What points to others was made behind them.
        if users[block] <= gone:
            gone.add(block)
    for block in reversed(blocks):
        if block in gone:
            collection.remove(block, do_unlink=False, do_ui_user=False)
