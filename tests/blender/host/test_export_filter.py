"""Objects with physics that an export leaves out, and what is told of them."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from tests.blender.support.scenes import add, add_body, add_collider


def told() -> dict[str, str]:
    issues = reports.latest("EXPORT").issues
    return {issue.pointer: issue.message for issue in issues if issue.code == "X04"}


@pytest.fixture
def hull() -> Any:
    """A collider in a collection of its own, below a body that is in the scene."""
    body = add("Car")
    add_body(body)
    collection = bpy.data.collections.new("Hulls")
    hull = add("Hull", parent=add("Frame", parent=body), collection=collection)
    add_collider(hull)
    return hull


class TestBelowSomethingElsewhere:
    """The host looks from the top of a scene or collection down, and finds nothing of these."""

    def test_in_another_scene(self, hull, export):
        other = bpy.data.scenes.new("Other")
        other.collection.children.link(hull.users_collection[0])
        export()
        why = "the object is left out of the scene Other, because its parent Car is missing there"
        assert told() == {"Hull": f"{why}, so its physics is lost"}
        export(use_active_scene=True)
        assert not told()
        hull.parent = None
        export()
        assert not told()

    def test_what_is_not_asked_for_is_not_told(self, hull, export):
        hull.users_collection[0].objects.unlink(hull)
        bpy.context.scene.collection.objects.link(hull)
        for name in ("Car", "Frame"):
            bpy.context.scene.collection.objects.unlink(bpy.data.objects[name])
        elsewhere = bpy.data.scenes.new("Elsewhere").collection.objects
        for name in ("Car", "Frame"):
            elsewhere.link(bpy.data.objects[name])
        bpy.context.view_layer.update()
        hull.select_set(True)
        for options in ({}, {"use_selection": True}, {"use_visible": True}):
            export(use_active_scene=True, **options)
            assert list(told()) == ["Hull"]
        hull.select_set(False)
        export(use_active_scene=True, use_selection=True)
        assert not told()
        hull.hide_render = True
        export(use_active_scene=True, use_renderable=True)
        assert not told()

    @pytest.mark.parametrize("count", [1, 2])
    def test_in_instances(self, hull, count, export):
        for n in range(count):
            instance = add(f"Instance {n}")
            instance.instance_type = "COLLECTION"
            instance.instance_collection = hull.users_collection[0]
        gltf = export()
        assert [node["name"] for node in gltf["nodes"]].count("Hull") == 1  # Below the car.
        why = "in instances it is left out, as Car above it is not in the collection Hulls"
        assert told() == {"Hull": f"{why}, so its physics is lost"}
        assert reports.latest("EXPORT").issues.codes()["X04"] == 1
        bpy.context.view_layer.update()
        bpy.data.objects["Car"].select_set(True)
        export(use_selection=True)
        assert not told()
        hull.users_collection[0].objects.link(bpy.data.objects["Car"])
        hull.users_collection[0].objects.link(bpy.data.objects["Frame"])
        export()
        assert not told()
