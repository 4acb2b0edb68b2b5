"""Caches learn of changes, and Blender is asked once what an update is about."""

from __future__ import annotations

from typing import Any

import bpy

from omi_physics_addon.blender.base import changes, redraws
from omi_physics_addon.blender.live import watch
from tests.blender.support.scenes import add, cube_mesh


class Depsgraph:
    """Counts how often somebody goes through its updates."""

    walks = 0
    view_layer = None

    @property
    def updates(self) -> list[Any]:
        self.walks += 1
        return []


def test_an_update_is_gone_through_once_by_all_who_look_at_it():
    """As Blender goes through all objects of the scene for it, however few have changed."""
    first, other = Depsgraph(), Depsgraph()
    for depsgraph in (first, other):
        assert not redraws.is_due(depsgraph)
        assert watch._edited(depsgraph) == []
        assert depsgraph.walks == 1


def test_each_update_is_looked_at_anew():
    obj, other = add("Box", cube_mesh()), add("Other")
    bpy.context.view_layer.update()
    seen: list[list[str]] = []

    def note(_scene: Any, depsgraph: Any) -> None:
        seen.append([each.id.name for each in changes.updates(depsgraph) if each.id.name == "Box"])

    handlers: Any = bpy.app.handlers.depsgraph_update_post
    handlers.append(note)
    try:
        for _ in range(2):
            obj.location.x += 1.0
            bpy.context.view_layer.update()
        other.location.x += 1.0
        bpy.context.view_layer.update()
    finally:
        handlers.remove(note)
    assert seen == [["Box"], ["Box"], []]
