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
