"""Hiding and showing many objects, and what stays as it was."""

from __future__ import annotations

import time
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import groups, selection
from tests.support import pace


def made(count: int) -> list[Any]:
    """New objects in the scene of a file that has a 3D Viewport."""
    bpy.ops.wm.read_homefile(use_empty=False, use_factory_startup=False)
    objects = [bpy.data.objects.new(f"o{i}", None) for i in range(count)]
    for obj in objects:
        bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    return objects


def hidden(objects: list[Any]) -> list[int]:
    return [i for i, obj in enumerate(objects) if obj.hide_get()]


@pytest.mark.parametrize("many", [1, 1000], ids=["operator", "each"])
def test_only_what_is_meant_is_hidden_and_shown(monkeypatch: Any, many: int) -> None:
    monkeypatch.setattr(selection, "_MANY", many)
    objects, view_layer = made(8), bpy.context.view_layer
    objects[0].hide_set(True)  # By hand.
    objects[1].hide_select = True
    for i in (2, 6):
        objects[i].select_set(True)
    view_layer.objects.active = objects[6]
    apart = bpy.data.collections.new("apart")
    bpy.context.scene.collection.children.link(apart)
    apart.objects.link(objects[3])
    bpy.context.scene.collection.objects.unlink(objects[3])
    view_layer.layer_collection.children["apart"].hide_viewport = True

    assert selection.hide(view_layer, objects[:5]) == 4
    assert hidden(objects) == [0, 1, 2, 3, 4]
    assert [groups.read(obj).hidden_in for obj in objects] == ["", *["ViewLayer"] * 4, "", "", ""]
    assert [obj for obj in objects if obj.select_get()] == [objects[6]]
    assert view_layer.objects.active == objects[6]

    assert selection.show(view_layer, objects[3:]) == 2
    assert hidden(objects) == [0, 1, 2]
    assert selection.show_again(view_layer) == 2
    assert hidden(objects) == [0]
    assert [obj for obj in objects if obj.select_get()] == [objects[6]]
    assert view_layer.objects.active == objects[6]


def test_without_a_viewport_each_is_hidden(monkeypatch: Any) -> None:
    objects = made(3)
    monkeypatch.setattr(selection, "_MANY", 1)
    for area in bpy.context.window.screen.areas:
        if area.type == "VIEW_3D":
            area.type = "INFO"
    assert selection.hide(bpy.context.view_layer, objects[:2]) == 2
    assert hidden(objects) == [0, 1]


def seconds_for(count: int) -> float:
    """CPU time to hide and to show objects."""
    objects, view_layer = made(count), bpy.context.view_layer
    start = time.thread_time()
    selection.hide(view_layer, objects)
    selection.show_again(view_layer)
    taken = time.thread_time() - start
    assert hidden(objects) == []
    return taken


def test_time_grows_with_the_objects() -> None:
    pace.check_growth(seconds_for, 1000, 4000, most=8.0)  # One call for each takes 40 times.
