"""Fix All: what it says before, and what is left of the faults that a click sets right."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import bpy
import pytest

from omi_physics_addon.blender.authoring import issue_groups
from omi_physics_addon.blender.authoring.fixes import FIXES
from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.operators import fix_issues
from omi_physics_addon.blender.panels import issue_list
from omi_physics_addon.blender.scene import report_age
from omi_physics_addon.issue_codes import CATALOGUE, Severity
from tests.blender.operators.test_bodies import run
from tests.blender.panels.sidebar.test_sidebar import FAULTS, solid, undone
from tests.blender.panels.test_panels import FakeLayout

WORST = [code for code in FAULTS if CATALOGUE[code].severity is not Severity.INFO]


def check() -> Any:
    bpy.context.view_layer.update()
    run("scene.omi_physics_check")
    return reports.of_scene("CHECK", bpy.context.scene)


@pytest.fixture
def faulty() -> Any:
    """Two solids far from each other for each fault that a click sets right."""
    for at, code in enumerate(WORST):
        for name in ("One", "Two"):
            obj = solid(f"{code} {name}")
            obj.location = (20.0 * at, 20.0 * (name == "Two"), 0.0)
            FAULTS[code](obj)
    return check()


def test_all_faults_together_are_set_right_and_nothing_new_comes(faulty):
    before = set(faulty.issues.codes())
    assert set(WORST) <= before
    assert run("object.omi_physics_fix_all") == {"FINISHED"}
    after = reports.of_scene("CHECK", bpy.context.scene)
    left = {issue.code for issue in after.issues if issue.severity is not Severity.INFO}
    assert not left & FIXES.keys()
    assert left <= before


def test_it_says_first_what_it_will_do(faulty):
    planned = fix_issues.plan(bpy.context, "CHECK")
    groups = issue_groups.groups_of(faulty)
    assert {code for group, _ in planned for code in group.codes} >= set(WORST)
    assert [group for group, _ in planned] == [
        group for group in groups if group.fix and group.severity is not Severity.INFO
    ]
    shown = FakeLayout()
    issue_list.draw_issues(bpy.context, shown, faulty, tuple(Severity))
    assert shown.texts.count("Fix All…") == 1
    layout = FakeLayout()
    lines = [(group.text, group.fix.label, len(objects)) for group, objects in planned]
    fix_issues.OMIPHYSICS_OT_fix_all.draw(SimpleNamespace(layout=layout, _lines=lines), None)
    told = [text for text in layout.texts if text]
    assert len(told) == 2 * len(planned)
    assert any(text.endswith(": 2 objects") for text in told)


def test_long_words_of_a_fix_have_a_line_of_their_own(faulty):
    lines: dict[str, set[str]] = {"row": set(), "column": set()}
    for group in issue_groups.groups_of(faulty):
        if group.fix is not None:
            layout = MagicMock()
            box = layout.box.return_value
            box.panel.return_value = MagicMock(), None
            issue_list._draw_group(bpy.context, layout, group, faulty)
            for kind, labels in lines.items():
                buttons = getattr(box, kind).return_value.operator.call_args_list
                labels.update(button.kwargs["text"] for button in buttons)
    assert lines["row"] >= {"Select", "Make Convex"}
    assert lines["column"] >= {"Select", "Take Inertia from Shapes"}
    assert lines["row"] & lines["column"] == {"Select"}


def test_what_is_ignored_or_a_remark_stays(faulty):
    run("object.omi_physics_ignore_issue", code="H08", object_name="H08 One")
    planned = {
        obj.name
        for group, objects in fix_issues.plan(bpy.context, "CHECK")
        if "H08" in group.codes
        for obj in objects
    }
    assert planned == {"H08 Two"}
    assert run("object.omi_physics_fix_all") == {"FINISHED"}
    speeds = [
        bpy.data.objects[f"H08 {name}"].omi_physics.vehicle_body.max_speed
        for name in ("One", "Two")
    ]
    assert speeds[0] == 0.0 != speeds[1]


def test_there_is_no_button_for_one_fix():
    FAULTS["S17"](solid("One"))
    layout = FakeLayout()
    issue_list.draw_issues(bpy.context, layout, check(), tuple(Severity))
    assert "Fix All…" not in layout.texts
    assert run("object.omi_physics_fix_all") == {"FINISHED"}
    assert run("object.omi_physics_fix_all") == {"CANCELLED"}


@pytest.fixture
def on_the_moon() -> Any:
    """Two bodies in the gravity of the Moon, which is not written."""
    bpy.context.scene.gravity = (0.0, 0.0, -1.62)
    for number, name in enumerate(("One", "Two")):
        solid(name, "DYNAMIC").location.x = 20.0 * number
    return check()


def test_the_gravity_of_the_scene_is_written_with_a_click(on_the_moon, export):
    settings = bpy.context.scene.omi_physics
    settings.world_gravity.source = "VALUE"
    assert on_the_moon.issues.codes()["X65"] == 1
    undone("object.omi_physics_fix_issue", code="X65")
    assert not bpy.context.scene.omi_physics.use_world_gravity
    check()
    assert run("object.omi_physics_fix_issue", code="X65") == {"FINISHED"}
    assert "X65" not in reports.of_scene("CHECK", bpy.context.scene).issues.codes()
    assert export()["extensions"]["OMI_physics_gravity"]["gravity"] == 1.62


def test_so_it_is_by_fix_all_after_an_export(on_the_moon, export):
    export()
    assert run("object.omi_physics_fix_all", source="EXPORT") == {"FINISHED"}
    assert bpy.context.scene.omi_physics.use_world_gravity
    assert "X65" not in reports.of_scene("EXPORT", bpy.context.scene).issues.codes()


def test_another_gravity_outdates_a_report(on_the_moon):
    assert not report_age.is_outdated(on_the_moon)
    bpy.context.scene.gravity = (0.0, 0.0, -9.81)
    bpy.context.scene.update_tag()
    bpy.context.view_layer.update()
    assert report_age.is_outdated(on_the_moon)
