"""Blender's exporters of collections, each with physics as its collection says."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.panels import exchange
from tests.blender.panels.test_panels import FakeLayout, context
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh


def collection_with(name: str) -> Any:
    """A collection of the scene with a body in it."""
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    move(add_body_named(name), collection)
    return collection


def add_body_named(name: str) -> Any:
    obj = add(f"{name} Body", cube_mesh())
    add_body(obj)
    add_collider(obj)
    return obj


def move(obj: Any, collection: Any) -> None:
    for each in obj.users_collection:
        each.objects.unlink(obj)
    collection.objects.link(obj)


def exported(collection: Any, path: Any, **options: Any) -> dict[str, Any]:
    """What Blender's own exporter of a collection writes."""
    layers = bpy.context.view_layer.layer_collection.children
    bpy.context.view_layer.active_layer_collection = layers[collection.name]
    with bpy.context.temp_override(collection=collection):
        bpy.ops.collection.exporter_add(name="IO_FH_gltf2")
        exporter = collection.exporters[len(collection.exporters) - 1]
        settings = exporter.export_properties
        settings.filepath, settings.export_format = str(path), "GLTF_SEPARATE"
        for name, value in options.items():
            setattr(settings, name, value)
        bpy.ops.collection.exporter_export(index=len(collection.exporters) - 1)
    return json.loads(path.read_text())


def extensions(gltf: dict[str, Any]) -> list[str]:
    return sorted(gltf.get("extensionsUsed", []))


def drawn(collection: Any) -> FakeLayout:
    """Our panel in the exporters of a collection."""
    layout = FakeLayout()
    space = SimpleNamespace(type="PROPERTIES")
    exchange.draw_export(context(space_data=space, collection=collection), layout)
    return layout


def test_each_collection_is_written_as_it_says_or_else_as_the_scene_says(tmp_path):
    scene = bpy.context.scene.omi_physics.export
    one, two, three = (collection_with(name) for name in ("One", "Two", "Three"))
    two.omi_physics.use_own_export = True
    two.omi_physics.export.family = "KHR"
    two.omi_physics.export.geometry = "COLLISION_SHAPES"
    three.omi_physics.use_own_export = True
    three.omi_physics.export.enabled = False
    two.omi_physics.export.target = "SPECIFICATION"
    used = {
        each.name: extensions(exported(each, tmp_path / f"{each.name}.gltf"))
        for each in (one, two, three)
    }
    assert used == {
        "One": ["OMI_physics_body", "OMI_physics_shape"],
        "Two": ["KHR_collision_shapes", "KHR_physics_rigid_bodies"],
        "Three": [],
    }
    scene.family = "KHR"
    used = exported(one, tmp_path / "again.gltf")
    assert extensions(used) == ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"]
    # What the scene writes is as the scene says.
    two.omi_physics.export.family = "OMI"
    path = tmp_path / "scene.gltf"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    assert "OMI_physics_body" not in path.read_text()


def test_each_collection_keeps_its_report_and_shows_it(tmp_path):
    one, two = collection_with("One"), collection_with("Two")
    exported(one, tmp_path / "one.gltf")
    move(add_body_named("More"), two)
    exported(two, tmp_path / "two.gltf")
    for collection, file, bodies in ((one, "one.gltf", 1), (two, "two.gltf", 2)):
        report = reports.of_collection(collection)
        assert (report.file, report.counts["dynamic body"]) == (file, bodies)
        assert any(file in text for text in drawn(collection).texts)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    fresh = bpy.data.collections.new("Fresh")
    assert reports.of_collection(fresh) is None


@pytest.mark.parametrize("own", [False, True])
def test_the_settings_that_count_are_drawn(own, monkeypatch):
    collection = collection_with("One")
    collection.omi_physics.use_own_export = own
    owners = []
    monkeypatch.setattr(
        FakeLayout, "_do_prop", lambda _, data, name, **options: owners.append((data, name))
    )
    drawn(collection)
    found = [owner for owner, name in owners if name == "family"]
    chosen = collection if own else bpy.context.scene
    assert found == [chosen.omi_physics.export]


def test_a_joint_that_leads_out_of_a_collection_is_told(tmp_path):
    one, two = collection_with("One"), collection_with("Two")
    door = one.objects[0]
    door.omi_physics.use_joint = True
    door.omi_physics.joint.connected_object = two.objects[0]
    one.omi_physics.use_own_export = True
    one.omi_physics.export.write_anyway = True
    exported(one, tmp_path / "one.gltf")
    told = [str(issue) for issue in reports.of_collection(one).issues]
    assert any("Two Body" in line for line in told), told


@pytest.mark.parametrize("target", ["SPECIFICATION", "GODOT_4", "BABYLON"])
def test_what_stands_for_joints_moves_along_to_the_centre_of_a_collection(tmp_path, target):
    """Blender can write a collection around its centre; engines get nodes for joints at the top."""
    collection = collection_with("Door")
    (door,) = collection.objects
    door.location = (10.0, 0.0, 2.0)
    frame = add_body_named("Frame")
    frame.location = (12.0, 0.0, 2.0)
    move(frame, collection)
    entry = bpy.context.scene.omi_physics.joint_settings.add("Hinge")
    limit = entry.limits.add()
    limit.axes, limit.use_max = (True, False, False), True
    door.omi_physics.use_joint = True
    door.omi_physics.joint.settings = "Hinge"
    door.omi_physics.joint.connected_object = frame
    own = collection.omi_physics
    own.use_own_export, own.export.target = True, target
    own.export.family = "KHR" if target == "BABYLON" else "OMI"

    def roots(gltf: dict[str, Any]) -> dict[str, Any]:
        tops = [gltf["nodes"][index] for index in gltf["scenes"][0]["nodes"]]
        return {node["name"]: node.get("translation", [0, 0, 0]) for node in tops}

    there = roots(exported(collection, tmp_path / "there.gltf"))
    around = roots(exported(collection, tmp_path / "around.gltf", at_collection_center=True))
    assert len(there) >= 2
    assert around == {name: [x - 11, y - 2, z] for name, (x, y, z) in there.items()}


def test_the_settings_are_saved_and_copied_with_the_collection(tmp_path):
    collection = collection_with("One")
    collection.omi_physics.use_own_export = True
    collection.omi_physics.export.family = "BOTH"
    assert collection.copy().omi_physics.export.family == "BOTH"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    kept = bpy.data.collections["One"].omi_physics
    assert (kept.use_own_export, kept.export.family) == (True, "BOTH")
