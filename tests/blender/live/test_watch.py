"""Edits are checked by themselves, and as Check Scene would."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.live import watch
from omi_physics_addon.blender.live.neighbours import MOST, Neighbours
from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.scene import near_check, report_age, scene_check
from tests.blender.operators.test_bodies import run
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.support import pace
from tests.support.documents import DATA


def told(code: str) -> list[str]:
    report = reports.latest("CHECK")
    return [] if report is None else [i.pointer for i in report.issues if i.code == code]


def edit(obj: Any) -> bool:
    """Tell Blender that an object was edited, as its interface does, and pause."""
    obj.update_tag(refresh={"OBJECT", "DATA"})
    bpy.context.view_layer.update()
    return watch.run(bpy.context.scene)


def body(name: str, **options: Any) -> Any:
    obj = add(name, options.pop("mesh", None) or cube_mesh(name), **options)
    add_body(obj)
    add_collider(obj)
    return obj


def issues(found: Any) -> dict[str, set[tuple[str, str]]]:
    by_place: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for issue in found:
        if near_check.is_near(issue.code):
            by_place[issue.pointer].add((issue.code, issue.message))
    return by_place


@pytest.mark.parametrize("name", ["joints", "robot", "everything", "khr", "vehicles", "gravity"])
def test_what_is_told_of_an_edited_object_is_what_check_scene_tells(name):
    bpy.ops.wm.open_mainfile(filepath=str(DATA.parents[1] / "examples" / f"{name}.blend"))
    scene = bpy.context.scene
    for number, obj in enumerate(scene.objects):  # Examples are right; something is to be wrong.
        if number % 3 == 0:
            obj.scale *= 1.5
        elif number % 7 == 0:
            obj.omi_physics.use_motion = not obj.omi_physics.use_motion
    bpy.context.view_layer.update()
    whole = issues(scene_check.check(scene).issues)
    assert sum(map(len, whole.values())) > 5
    neighbours = Neighbours()
    for obj in scene.objects:
        near = neighbours.near([obj.session_uid])
        assert near is not None
        assert obj in near.told
        found = near_check.check(scene, near.objects, near.told)
        here = issues(found.issues)
        for place in (*(each.name for each in near.told), *found.entries):
            assert here[place] == whole[place], (obj.name, place)


def test_an_issue_appears_and_goes_with_the_edits_that_make_and_mend_it():
    crate = body("Crate")
    assert not edit(crate)
    assert reports.latest("CHECK") is None  # Nothing is wrong, so nothing appears.
    crate.scale = (2.0, 2.0, 2.0)
    assert edit(crate)
    assert told("B19") == ["Crate"]
    assert reports.latest("CHECK").title().startswith("Edits, Scene, ")
    crate.name = "Box"
    crate.scale = (1.0, 1.0, 1.0)
    assert edit(crate)
    assert told("B19") == []


def test_edits_renew_the_report_of_check_scene_and_leave_the_rest_of_it():
    one, two = body("One"), body("Two", location=(0.5, 0.0, 0.0))
    report = scene_check.check(bpy.context.scene)
    assert told("B25")
    two.scale = (2.0, 2.0, 2.0)
    assert edit(two)
    assert reports.latest("CHECK") is report
    assert told("B19") == ["Two"]
    assert told("B25")  # Which only Check Scene can tell.
    assert report.is_outdated
    assert report.is_followed
    one.omi_physics.ignored_issues = "B19"
    one.scale = (2.0, 2.0, 2.0)
    assert edit(one)
    assert told("B19") == ["Two"]
    assert [i.pointer for i in report.ignored if i.code == "B19"] == ["One"]


def test_what_an_edit_does_to_joints_of_other_objects_is_told():
    crate, frame = body("Crate"), body("Frame", location=(9.0, 0.0, 0.0))
    hinge = add("Hinge", parent=crate)
    hinge.omi_physics.use_joint = True
    hinge.omi_physics.joint.connected_object = frame
    hinge.omi_physics.joint.settings = "Fixed"
    bpy.context.scene.omi_physics.joint_settings.add().name = "Fixed"
    scene_check.check(bpy.context.scene)
    before = issues(reports.latest("CHECK").issues)["Hinge"]
    frame.omi_physics.use_motion = False
    edit(frame)
    now = issues(reports.latest("CHECK").issues)["Hinge"]
    assert now != before
    whole = issues(scene_check.check(bpy.context.scene).issues)
    assert now == whole["Hinge"]


def test_an_entry_that_is_edited_at_its_user_is_checked():
    crate = body("Crate")
    ice = bpy.context.scene.omi_physics.physics_materials.add()
    ice.name = crate.omi_physics.collider.physics_material = "Ice"
    bpy.context.view_layer.objects.active = crate
    bpy.context.view_layer.update()
    watch.run(bpy.context.scene)
    assert told("C05") == []
    ice.restitution = 1.5
    ice.id_data.update_tag()
    bpy.context.view_layer.update()
    assert watch.run(bpy.context.scene)
    assert told("C05") == ["Ice"]


def test_another_engine_leaves_no_half_of_a_report():
    """Issues of objects that were not edited are for the engine that was chosen before."""
    export = bpy.context.scene.omi_physics.export
    crates = [body(f"Crate {i}") for i in range(2)]
    for crate in crates:
        crate.scale = (1.0, 1.0, 2.0)
    bpy.context.view_layer.update()
    run("scene.omi_physics_check")
    report = reports.latest("CHECK")
    before = [issue.pointer for issue in report.issues]
    assert {crate.name for crate in crates} <= set(before)
    export.target = "GODOT_4"
    edit(crates[0])
    assert [issue.pointer for issue in report.issues] == before
    assert not report.is_followed
    run("scene.omi_physics_check")
    assert reports.latest("CHECK").is_followed


def test_it_can_be_switched_off_and_does_nothing_during_a_preview(stopped_preview):
    crate = body("Crate")
    crate.scale = (2.0, 2.0, 2.0)
    sidebar = bpy.context.scene.omi_physics.sidebar
    sidebar.check_edits = False
    assert not edit(crate)
    sidebar.check_edits = True
    assert edit(crate)
    report = reports.latest("CHECK")
    crate.scale = (1.0, 1.0, 1.0)
    bpy.context.view_layer.update()
    watch.run(bpy.context.scene)
    run("scene.omi_physics_preview_start")
    assert player.running() is not None
    crate.scale = (2.0, 2.0, 2.0)
    assert not edit(crate)
    assert not report.is_followed
    assert report_age.is_outdated(report)


def test_what_is_deleted_renamed_or_undone_is_not_looked_for():
    crate, other = body("Crate"), body("Other", location=(9.0, 0.0, 0.0))
    crate.scale = other.scale = (2.0, 2.0, 2.0)
    edit(crate)
    edit(other)
    assert told("B19") == ["Crate", "Other"]
    uid = crate.session_uid
    bpy.data.objects.remove(crate)
    watch._waiting[uid] = None  # pyright: ignore[reportPrivateUsage]
    other.name = "Renamed"
    other.scale = (1.0, 1.0, 1.0)
    assert edit(other)
    assert "Renamed" not in told("B19")
    watch._after_undo(bpy.context.scene)  # pyright: ignore[reportPrivateUsage]
    watch.run(bpy.context.scene)


def test_large_families_are_left_to_check_scene():
    mesh = cube_mesh()
    top = body("Top", mesh=mesh)
    for k in range(MOST):
        add(f"Part {k}", parent=top)
    report = scene_check.check(bpy.context.scene)
    top.scale = (2.0, 2.0, 2.0)
    assert not edit(top)
    assert not report.is_followed


def crowd(count: int) -> Any:
    mesh = cube_mesh()
    for k in range(count):
        body(f"Body {k}", mesh=mesh, location=(2.0 * k, 0.0, 0.0))
    bpy.context.view_layer.update()
    watch.run(bpy.context.scene)
    return bpy.data.objects["Body 7"]


def cost(obj: Any) -> float:
    """CPU seconds of what follows an edit, the best of some."""
    spent: list[float] = []
    for k in range(8):
        obj.scale = (1.0 + k % 2,) * 3
        obj.update_tag(refresh={"OBJECT", "DATA"})
        bpy.context.view_layer.update()
        begin = time.thread_time()
        watch.run(bpy.context.scene)
        spent.append(time.thread_time() - begin)
    return min(spent)


def test_an_edit_costs_as_much_among_many_bodies_as_among_few():
    def seconds(count: int) -> float:
        bpy.ops.wm.read_homefile(use_empty=True)
        spent = cost(crowd(count))
        assert told("B19") == ["Body 7"]
        return spent + 0.001 / 3.0  # So that many may take 4 times as long and 1 ms.

    pace.check_growth(seconds, 100, 1000, most=4.0)
