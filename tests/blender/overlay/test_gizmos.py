"""When handles are shown, and what they look like."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.overlay import gizmos
from omi_physics_addon.blender.preview import player
from tests.blender.operators.test_bodies import select
from tests.blender.support.scenes import add, add_collider, cube_mesh


def polls(obj: Any, overlays: bool = True) -> bool:
    space = SimpleNamespace(overlay=SimpleNamespace(show_overlays=overlays))
    context: Any = SimpleNamespace(scene=bpy.context.scene, space_data=space, object=obj)
    return gizmos.OMIPHYSICS_GGT_handles.poll(context)


def test_handles_are_shown_with_the_overlay(monkeypatch):
    obj = add("A", cube_mesh())
    add_collider(obj)
    settings = bpy.context.scene.omi_physics.overlay
    select(obj)
    assert polls(obj)
    assert not polls(None)
    assert not polls(obj, overlays=False)
    for name in ("enabled", "handles", "colliders"):
        setattr(settings, name, False)
        assert not polls(obj)
        setattr(settings, name, True)
    monkeypatch.setattr(player, "running", object)  # What plays is not to be pulled.
    assert not polls(obj)
    monkeypatch.undo()
    obj.select_set(False)
    assert not polls(obj)
    select(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    assert not polls(obj)
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.hide_set(True)
    assert not polls(obj)


def test_shapes_of_other_files_have_no_handles(tmp_path):
    add_collider(add("A", cube_mesh()))
    path = tmp_path / "library.blend"
    bpy.data.libraries.write(str(path), {bpy.data.objects["A"]})
    bpy.data.objects.remove(bpy.data.objects["A"])
    with bpy.data.libraries.load(str(path), link=True) as (_there, here):
        here.objects = ["A"]
    obj = bpy.data.objects["A"]
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    assert not polls(obj)


@pytest.mark.parametrize("form", gizmos._FORMS)
def test_the_forms_are_closed_and_differ(form: str):
    triangles = gizmos._FORMS[form]
    assert len(triangles) % 3 == 0
    faces = [
        [tuple(round(x, 6) for x in corner) for corner in triangles[i : i + 3]]
        for i in range(0, len(triangles), 3)
    ]
    edges = [
        frozenset((face[i], face[(i + 1) % 3]))
        for face in faces
        for i in range(3)
        if face[i] != face[(i + 1) % 3]
    ]
    assert all(edges.count(edge) % 2 == 0 for edge in edges)
    assert sum(found == triangles for found in gizmos._FORMS.values()) <= 2
