"""Reports know their scene, their objects and their age."""

from __future__ import annotations

import gc
import re
import weakref
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.scene import report_age, scene_check
from tests.blender.operators.test_bodies import run
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh


@pytest.fixture
def crate() -> Any:
    obj = add("Crate", cube_mesh("Crate"))
    add_body(obj)
    add_collider(obj)
    obj.scale = (2.0, 2.0, 2.0)
    add("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    scene = bpy.context.scene
    scene.omi_physics.physics_materials.add().name = "Ice"
    obj.omi_physics.collider.physics_material = "Ice"
    bpy.context.view_layer.update()
    return obj


def checked() -> Any:
    return scene_check.check(bpy.context.scene)


def after(change: Any, tag: Any = None) -> bool:
    """Whether a report is outdated by a change, which Blender's interface tells it like this."""
    report = checked()
    assert not report_age.is_outdated(report)
    change()
    if tag is not None:
        tag.update_tag(refresh={"OBJECT", "DATA"}) if tag.id_type == "OBJECT" else tag.update_tag()
    bpy.context.view_layer.update()
    return report_age.is_outdated(report)


def test_titles_tell_file_scene_and_time(crate, export, tmp_path):
    export("level.gltf")
    assert re.fullmatch(
        r"Export of level\.gltf, Scene, \d\d:\d\d", reports.latest("EXPORT").title()
    )
    assert re.fullmatch(r"Check, Scene, \d\d:\d\d", checked().title())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "level.blend"))
    assert re.fullmatch(r"Check of level\.blend, Scene, \d\d:\d\d", checked().title())
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "level.gltf"))
    assert reports.latest("IMPORT").title().startswith("Import of level.gltf, Scene, ")


def test_edits_of_physics_count(crate):
    scene = bpy.context.scene
    motion, ice = crate.omi_physics.motion, scene.omi_physics.physics_materials[0]
    assert after(lambda: setattr(crate, "location", (1.0, 2.0, 3.0)))
    assert after(lambda: setattr(motion, "mass", 7.0), crate)
    assert after(lambda: setattr(ice, "restitution", 0.75), ice.id_data)
    assert after(lambda: setattr(scene.omi_physics.export, "family", "KHR"), scene)
    assert after(lambda: add_collider(add("New", cube_mesh("New"))))
    assert after(lambda: bpy.data.objects.remove(bpy.data.objects["New"]))


def test_looking_selecting_and_playing_do_not(crate):
    scene, lamp = bpy.context.scene, bpy.data.objects["Lamp"]
    lamp.keyframe_insert("location", frame=1)
    crate.keyframe_insert("location", frame=1)
    crate.keyframe_insert("location", frame=9)
    bpy.context.view_layer.update()
    assert not after(lambda: crate.select_set(True))
    assert not after(lambda: setattr(bpy.context.view_layer.objects, "active", crate))
    assert not after(lambda: crate.hide_set(True))
    assert not after(lambda: crate.hide_set(False))
    assert not after(lambda: setattr(lamp, "location", (1.0, 2.0, 3.0)))
    assert not after(lambda: [scene.frame_set(frame) for frame in range(1, 9)])
    sidebar = scene.omi_physics.sidebar
    assert not after(lambda: setattr(sidebar, "show_errors", not sidebar.show_errors), scene)
    assert not after(lambda: setattr(scene.omi_physics.overlay, "colliders", False), scene)


def test_the_preview_does_not(crate, stopped_preview):
    report = checked()
    assert run("scene.omi_physics_preview_start") == {"FINISHED"}
    session = player.running()
    for _ in range(3):
        session.scene.frame_set(session.scene.frame_current + 1)
    player.stop()
    bpy.context.view_layer.update()
    assert not report_age.is_outdated(report)


def test_many_objects_cost_no_more_than_some(crate, monkeypatch):
    objects = [add(f"Plain {i}") for i in range(200)]
    bpy.context.view_layer.update()
    report = checked()
    looked_at = []
    monkeypatch.setattr(report_age, "has_physics", lambda obj: looked_at.append(obj))
    for obj in objects:
        obj.location.x = 1.0
    bpy.context.view_layer.update()
    assert report_age.is_outdated(report)
    assert len(looked_at) == 64
    for obj in objects:
        obj.location.x = 2.0
    bpy.context.view_layer.update()
    assert len(looked_at) == 64  # What is outdated is not looked at again.


def test_undo_and_redo_count(crate):
    bpy.ops.ed.undo_push(message="Before")
    crate.omi_physics.motion.mass = 9.0
    bpy.ops.ed.undo_push(message="After")
    report = checked()
    bpy.ops.ed.undo()
    assert report_age.is_outdated(report)
    report = checked()
    bpy.ops.ed.redo()
    assert report_age.is_outdated(report)


def test_a_fix_makes_the_check_anew_and_outdates_the_export(crate, export):
    export()
    checked()
    assert run("object.omi_physics_fix_issue", code="B19") == {"FINISHED"}
    bpy.context.view_layer.update()
    scene = bpy.context.scene
    assert not report_age.is_outdated(reports.of_scene("CHECK", scene))
    assert report_age.is_outdated(reports.of_scene("EXPORT", scene))


def test_an_import_is_not_outdated_by_itself(crate, export, tmp_path):
    export()
    checked()
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "scene.gltf"))
    bpy.context.view_layer.update()
    report_age.settle()
    scene = bpy.context.scene
    report = reports.of_scene("IMPORT", scene)
    assert not report_age.is_outdated(report)
    assert report_age.is_outdated(reports.of_scene("CHECK", scene))
    crate.location.x = 9.0
    bpy.context.view_layer.update()
    assert report_age.is_outdated(report)


def test_each_scene_has_its_own(crate):
    first = bpy.context.scene
    report = checked()
    other = bpy.data.scenes.new("Other")
    assert reports.of_scene("CHECK", other) is None
    scene_check.check(other)
    assert reports.of_scene("CHECK", first) is report
    first.name = "Renamed"
    assert reports.of_scene("CHECK", first) is report
    bpy.data.scenes.remove(other)
    assert [each.scene for each in reports.of_scenes()] == [first.session_uid]


def test_another_file_takes_them_away(crate, tmp_path):
    checked()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    assert reports.latest("CHECK") is not None
    imported = weakref.ref(report_age.start("IMPORT", bpy.context.scene))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    assert reports.latest("CHECK") is None
    assert list(reports.of_scenes()) == []
    gc.collect()
    assert imported() is None


@pytest.mark.parametrize("source", ["CHECK", "EXPORT"])
def test_objects_are_found_by_identity(crate, export, source):
    export()
    checked()
    crate.name = "Box"
    add("Crate", cube_mesh("Other"))
    bpy.context.view_layer.update()
    choice = {"source": source, "code": "B19"}
    assert run("object.omi_physics_select_issue", **choice, object_name="Crate") == {"FINISHED"}
    assert [obj.name for obj in bpy.context.selected_objects] == ["Box"]
    bpy.data.objects.remove(crate)
    assert run("object.omi_physics_select_issue", **choice) == {"CANCELLED"}


def test_issues_of_an_import_lead_to_their_objects(import_json):
    extension = {"motion": {"type": "dynamic", "mass": -1}}
    import_json(
        {
            "extensionsUsed": ["OMI_physics_body"],
            "nodes": [{"name": "Heavy", "extensions": {"OMI_physics_body": extension}}],
            "scenes": [{"nodes": [0]}],
        }
    )
    choice = {"source": "IMPORT", "code": "B05"}
    assert run("object.omi_physics_select_issue", **choice) == {"FINISHED"}
    assert [obj.name for obj in bpy.context.selected_objects] == ["Heavy"]


def test_an_entry_is_no_object_of_its_name(crate):
    bpy.context.scene.omi_physics.collision_filters.add().name = "Crate"
    report = checked()
    assert {"C09", "C13"} & set(report.issues.codes())
    assert run("object.omi_physics_select_issue", code="C13") == {"CANCELLED"}


def test_many_entries_are_not_compared(crate, monkeypatch):
    monkeypatch.setattr(report_age, "_ENTRIES", 0)
    scene = bpy.context.scene
    assert after(lambda: setattr(scene.omi_physics.sidebar, "show_errors", False), scene)


def test_of_many_imports_one_report_is_kept() -> None:
    scene = bpy.context.scene
    first = weakref.ref(report_age.start("IMPORT", scene))
    for _ in range(3):
        last = report_age.start("IMPORT", scene)
    gc.collect()
    assert first() is None
    assert reports.of_scene("IMPORT", scene) is last
