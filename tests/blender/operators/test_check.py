"""What is done with the issues of a report: ignoring them where they are."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import ignored, reports
from omi_physics_addon.blender.scene import report_age, scene_check
from tests.blender.operators.test_bodies import run
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, write_anyway


@pytest.fixture
def crates() -> list[Any]:
    """Two scaled bodies, of which the second has gravity without a trigger, which is an error."""
    found: list[Any] = []
    for name in ("One", "Two"):
        obj = add(name, cube_mesh(name), location=(9.0 * len(found), 0.0, 0.0))
        add_body(obj)
        add_collider(obj)
        obj.scale = (2.0, 2.0, 2.0)
        found.append(obj)
    found[1].omi_physics.use_gravity = True
    bpy.context.view_layer.update()
    return found


def told(report: Any, code: str) -> list[str]:
    return [issue.pointer for issue in report.issues if issue.code == code]


def set_aside(report: Any) -> list[tuple[str, str]]:
    return [(issue.code, issue.pointer) for issue in report.ignored]


def ignore(code: str, name: str = "", **options: Any) -> set[str]:
    return run("object.omi_physics_ignore_issue", code=code, object_name=name, **options)


def test_what_is_ignored_here_is_told_as_ignored_and_counts_elsewhere(crates):
    before = scene_check.check(bpy.context.scene)
    assert sorted(told(before, "B19")) == ["One", "Two"]
    assert ignore("B19", "One") == {"FINISHED"}
    for report in (before, scene_check.check(bpy.context.scene)):
        assert told(report, "B19") == ["Two"]
        assert ("B19", "One") in set_aside(report)
        assert "ignored" in report.headline()
        assert any(line.startswith("  ignored: WARNING B19 One: ") for line in report.lines())
        assert {"B19"} <= {issue["code"] for issue in report.to_json()["ignored"]}


def test_only_what_the_object_has_is_kept_with_it(crates):
    scene_check.check(bpy.context.scene)
    crates[1].omi_physics.collider.shape.type = "NONE"
    scene_check.check(bpy.context.scene)
    ignore("B19")
    assert "S20" not in ignored.codes_of(crates[1])
    assert {"B19"} <= set(ignored.codes_of(crates[1]))


def test_to_ignore_an_issue_does_not_outdate_the_report(crates):
    report = scene_check.check(bpy.context.scene)
    ignore("B19")
    assert not report_age.is_outdated(report)


def test_ignoring_can_be_taken_back_and_undone(crates):
    scene_check.check(bpy.context.scene)
    ignore("B19")
    assert told(scene_check.check(bpy.context.scene), "B19") == []
    ignore("B19", "Two", is_ignored=False)
    assert told(reports.latest("CHECK"), "B19") == ["Two"]
    ignore("B19", "Two")
    assert told(reports.latest("CHECK"), "B19") == []
    crates[0].omi_physics.ignored_issues = ""  # As an undo does, after which reports look again.
    reports.latest("CHECK").set_aside()
    assert told(reports.latest("CHECK"), "B19") == ["One"]


def test_errors_and_entries_of_lists_cannot_be_ignored(crates):
    bpy.context.scene.omi_physics.physics_materials.add().name = "Unused"
    report = scene_check.check(bpy.context.scene)
    errors = {issue.code for issue in report.issues if issue.severity.value == "ERROR"}
    assert errors
    for code in (*errors, "C13"):
        assert ignore(code) == {"CANCELLED"}
    crates[1].omi_physics.ignored_issues = " ".join(errors)
    again = scene_check.check(bpy.context.scene)
    assert {issue.code for issue in again.issues if issue.severity.value == "ERROR"} == errors


def test_exports_tell_what_is_ignored_and_copies_and_files_keep_it(crates, export, tmp_path):
    scene_check.check(bpy.context.scene)
    ignore("B19", "One")
    write_anyway()
    export("crates.gltf")
    report = reports.latest("EXPORT")
    assert told(report, "B19") == ["Two"]
    assert ("B19", "One") in set_aside(report)
    assert ignored.codes_of(crates[0].copy()) == ignored.codes_of(crates[0])
    path = str(tmp_path / "crates.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    again = scene_check.check(bpy.context.scene)
    assert told(again, "B19") == ["Two"]
    assert ("B19", "One") in set_aside(again)


def trimesh(name: str, *wrong: int, shared: Any = None) -> Any:
    """A cube as a static triangle mesh, some faces of which are turned."""
    obj = add(name, shared or cube_mesh(name))
    add_collider(obj, "TRIMESH")
    for k in wrong:
        obj.data.polygons[k].flip()
    obj.data.update()
    return obj


def chosen_faces(obj: Any) -> list[int]:
    obj.update_from_editmode()
    return [face.index for face in obj.data.polygons if face.select]


@pytest.fixture
def _object_mode() -> Any:
    yield
    if bpy.context.object is not None and bpy.context.object.mode == "EDIT":
        bpy.ops.object.mode_set(mode="OBJECT")


@pytest.mark.usefixtures("_object_mode")
def test_faces_that_look_away_are_selected_in_the_meshes():
    one, two, good = trimesh("One", 2), trimesh("Two", 0, 5), trimesh("Good")
    bpy.context.view_layer.update()
    assert sorted(told(scene_check.check(bpy.context.scene), "S37")) == ["One", "Two"]
    faces = "object.omi_physics_select_faces"
    assert run(faces, code="S37") == {"FINISHED"}
    assert [obj.mode for obj in (one, two, good)] == ["EDIT", "EDIT", "OBJECT"]
    assert (chosen_faces(one), chosen_faces(two)) == ([2], [0, 5])
    assert tuple(bpy.context.scene.tool_settings.mesh_select_mode) == (False, False, True)
    assert not getattr(bpy.ops.object, "omi_physics_select_faces").poll()  # noqa: B009
    bpy.ops.mesh.flip_normals()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert told(scene_check.check(bpy.context.scene), "S37") == []
    assert run(faces, code="S37") == {"CANCELLED"}


@pytest.mark.usefixtures("_object_mode")
def test_faces_are_selected_where_they_can_be_edited():
    one, hidden = trimesh("One", 2), trimesh("Hidden", 2)
    hidden.hide_set(True)
    bpy.context.view_layer.update()
    scene_check.check(bpy.context.scene)
    choice = {"code": "S37", "object_name": "Hidden"}
    assert run("object.omi_physics_select_faces", **choice) == {"CANCELLED"}
    assert one.mode == "OBJECT"
    assert run("object.omi_physics_select_faces", code="S37") == {"FINISHED"}
    assert (one.mode, hidden.mode) == ("EDIT", "OBJECT")


def test_objects_that_share_a_mesh_have_its_faces_flipped_once():
    one = trimesh("One", 0, 1, 2, 3, 4, 5)
    two = trimesh("Two", shared=one.data)
    two.location.x = 5.0
    bpy.context.view_layer.update()
    assert sorted(told(scene_check.check(bpy.context.scene), "S37")) == ["One", "Two"]
    assert run("object.omi_physics_fix_issue", code="S37") == {"FINISHED"}
    assert told(reports.of_scene("CHECK", bpy.context.scene), "S37") == []


def test_a_mesh_that_looks_down_is_flipped_where_it_stands():
    mesh = bpy.data.meshes.new("Sheet")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [], [(3, 2, 1, 0)])
    sheet = trimesh("Sheet", shared=mesh)
    bpy.context.view_layer.update()
    assert told(scene_check.check(bpy.context.scene), "S37") == ["Sheet"]
    sheet.rotation_euler.x = 3.0
    bpy.context.view_layer.update()
    assert told(scene_check.check(bpy.context.scene), "S37") == []
    sheet.omi_physics.collider.shape.rotation.x = 3.0
    bpy.context.view_layer.update()
    assert told(scene_check.check(bpy.context.scene), "S37") == ["Sheet"]
    assert run("object.omi_physics_fix_issue", code="S37") == {"FINISHED"}
    assert told(scene_check.check(bpy.context.scene), "S37") == []
    assert mesh.polygons[0].normal.z > 0.9
