"""What the dialog with a report shows, and what its buttons do; in_window.py clicks them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import report_window, reports
from omi_physics_addon.blender.host import hooks
from omi_physics_addon.blender.panels import report_dialog
from omi_physics_addon.blender.scene import report_age
from tests.blender.operators.test_bodies import run
from tests.blender.panels.test_panels import FakeLayout
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, write_anyway


def shown() -> list[str]:
    """The texts of the dialog of `scene.omi_physics_report`, whose layout Blender makes."""
    dialog: Any = SimpleNamespace(layout=FakeLayout(), kind="EXPORT")
    report_dialog.OMIPHYSICS_OT_report.draw(dialog, bpy.context)
    return dialog.layout.texts


def car() -> Any:
    chassis = add("Chassis", cube_mesh("Chassis"))
    add_body(chassis)
    add_collider(chassis)
    chassis.scale = (0.8, 1.6, 0.3)
    bpy.context.view_layer.update()
    return chassis


def test_the_scaled_car_is_told_with_its_fix_and_set_right(export):
    chassis = car()
    gltf = export()
    assert gltf["nodes"][0]["scale"] == pytest.approx([0.8, 0.3, 1.6])
    texts = shown()
    wrong = texts.index("1 object is scaled, and engines may ignore the scale")
    assert texts[wrong + 1 :].index("Bake Scale into Shape") < texts[wrong + 1 :].index("B19, S20")
    assert run("object.omi_physics_fix_issue", source="EXPORT", code="B19") == {"FINISHED"}
    assert tuple(chassis.scale) == (1.0, 1.0, 1.0)
    assert tuple(chassis.omi_physics.collider.shape.box.size) == pytest.approx((0.8, 1.6, 0.3))
    assert "1 object is scaled, and engines may ignore the scale" not in shown()
    gltf = export("again.gltf")
    assert "scale" not in gltf["nodes"][0]
    size = gltf["extensions"]["OMI_physics_shape"]["shapes"][0]["box"]["size"]
    assert size == pytest.approx([0.8, 0.3, 1.6])
    assert not len(reports.latest("EXPORT").issues)


def test_a_scale_above_a_body_is_baked_too(export):
    root = add("Root")
    root.scale = (2.0, 2.0, 2.0)
    chassis = car()
    chassis.scale = (1.0, 1.0, 1.0)
    chassis.parent = root
    bpy.context.view_layer.update()
    export()
    assert run("object.omi_physics_fix_issue", source="EXPORT", code="S20") == {"FINISHED"}
    assert tuple(chassis.matrix_world.to_scale()) == pytest.approx((1.0, 1.0, 1.0))
    assert tuple(chassis.omi_physics.collider.shape.box.size) == pytest.approx((2.0, 2.0, 2.0))
    export("again.gltf")
    assert not len(reports.latest("EXPORT").issues)


@pytest.mark.parametrize("below", [False, True])
def test_a_body_that_touches_nothing_gets_a_collider(export, below):
    ghost = add("Ghost", None if below else cube_mesh("Ghost"))
    add_body(ghost)
    if below:
        add("Look", cube_mesh("Look"), parent=ghost, location=(1.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    export()
    assert "1 moving body has no collider and touches nothing" in " ".join(shown())
    assert run("object.omi_physics_fix_issue", source="EXPORT", code="B03") == {"FINISHED"}
    shape = ghost.omi_physics.collider.shape
    assert ghost.omi_physics.use_collider
    assert (shape.type, tuple(shape.box.size)) == ("BOX", pytest.approx((1.0, 1.0, 1.0)))
    assert tuple(shape.location) == pytest.approx((1.0 if below else 0.0, 0.0, 0.0))
    export("again.gltf")
    assert not len(reports.latest("EXPORT").issues)


def test_three_objects_are_counted_and_selected_in_one_group(export):
    for name in ("A", "B", "C"):
        car().name = name
    export()
    assert "3 objects are scaled, and engines may ignore the scale" in " ".join(shown())
    assert run("object.omi_physics_select_issue", source="EXPORT", code="S20") == {"FINISHED"}
    assert len(bpy.context.selected_objects) == 3
    only = {"source": "EXPORT", "code": "S20", "object_name": "B"}
    assert run("object.omi_physics_fix_issue", **only) == {"FINISHED"}
    assert "2 objects are scaled, and engines may ignore the scale" in " ".join(shown())


def test_what_stops_an_export_is_shown(tmp_path):
    add_collider(add("Hollow"), "CONVEX")
    with pytest.raises(RuntimeError):
        bpy.ops.export_scene.gltf(filepath=str(tmp_path / "level.glb"))
    texts = " ".join(shown())
    assert "Export of level.glb, Scene, " in texts
    assert "Errors were found, so nothing was written" in texts
    assert "A convex or trimesh shape has no valid mesh" in texts


def test_remarks_are_only_counted(export):
    ball = add("Pill", cube_mesh("Pill"))
    add_collider(ball, "CAPSULE").capsule.radius_top = 0.2
    write_anyway()
    export()
    texts = " ".join(shown())
    assert "in the sidebar, OMI Physics > Check" in texts
    assert "tapered" not in texts


def test_a_report_that_is_gone(export):
    assert [text for text in shown() if text] == ["The report no longer exists"]


def test_the_only_button_closes_it(monkeypatch):
    """Nothing is to be confirmed or canceled once the file is written."""
    buttons = list[Any]()

    def confirm(_layout: Any, operator: str, **texts: Any) -> None:
        buttons.append((operator, texts["text"], texts["cancel_text"]))

    monkeypatch.setattr(FakeLayout, "_do_template_popup_confirm", confirm, raising=False)
    shown()
    assert buttons == [("", "", "Close")]


def test_blender_tells_one_line_beside_the_dialog(export, monkeypatch):
    """Of more it opens a window of its own, which the dialog would lie over."""
    car()
    export()
    report, told, shown_reports = reports.latest("EXPORT"), list[Any](), list[Any]()

    def log(kind: str) -> Any:
        return lambda text, popup=False: told.append((kind, text.count("\n"), popup))

    host = SimpleNamespace(log=SimpleNamespace(info=log("INFO"), warning=log("WARNING")))
    has_window = SimpleNamespace(app=SimpleNamespace(background=False))
    monkeypatch.setattr(hooks, "bpy", has_window)
    monkeypatch.setattr(report_window, "bring_forward", shown_reports.append)
    hooks.tell(report, host)
    assert [(kind, lines) for kind, lines, popup in told if popup] == [("INFO", 0)]
    assert shown_reports == [report]


def test_nothing_waits_for_a_window_that_there_is_not(export):
    car()
    export()
    assert not report_window._waiting
    assert bpy.context.scene.omi_physics.sidebar.issues_of == "CHECK"


def test_a_report_that_is_outdated_says_so(export):
    chassis = car()
    export()
    assert "Outdated" not in " ".join(shown())
    chassis.location.x = 4.0
    bpy.context.view_layer.update()
    assert report_age.is_outdated(reports.latest("EXPORT"))
    assert "Outdated: physics was edited since" in " ".join(shown())
