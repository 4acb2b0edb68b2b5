"""Headers count the issues of an object and its parts; fields they are about have a warning."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring import issue_fields
from omi_physics_addon.blender.authoring.fixes import FIXES
from omi_physics_addon.blender.base import groups
from omi_physics_addon.blender.live import watch
from omi_physics_addon.blender.operators import check
from omi_physics_addon.blender.panels import marked
from omi_physics_addon.blender.scene import scene_check
from omi_physics_addon.issue_codes import CATALOGUE
from tests.blender.support.preview_scenes import joint
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh


class Recorder:
    """A layout that notes what is drawn into it, in its order."""

    def __init__(self, drawn: list[str]) -> None:
        self.drawn = drawn

    def row(self, **_: Any) -> Recorder:
        return Recorder(self.drawn)

    column = row

    def prop(self, _data: Any, name: str, **_: Any) -> None:
        self.drawn.append(name)

    def operator(self, name: str, text: str = "", icon: str = "", **_: Any) -> Any:
        self.drawn.append(f"{text}[{icon}]")
        return SimpleNamespace()

    def label(self, icon: str = "", **_: Any) -> None:
        self.drawn.append(f"[{icon}]")


@pytest.fixture
def crate() -> Any:
    obj = add("Crate", cube_mesh("Crate"))
    add_body(obj)
    add_collider(obj, "TRIMESH")
    bpy.context.view_layer.objects.active = obj
    bpy.context.view_layer.update()
    return obj


def drawn(part: str, *fields: str) -> list[str]:
    found: list[str] = []
    layout = marked.marked(Recorder(found), bpy.context, part)
    column = layout.column()
    column.use_property_split = True
    for name in fields:
        column.prop(None, name)
    return found


def header(part: str = "") -> list[str]:
    """What the header of a part shows, or that of the object."""
    found: list[str] = []
    marked.draw_count(Recorder(found), bpy.context, part)
    return found


def test_a_field_with_an_issue_has_an_icon_and_nothing_moves(crate):
    assert drawn("collider", "type", "physics_material") == ["type", "physics_material"]
    scene_check.check(bpy.context.scene)
    found = drawn("collider", "type", "physics_material")
    assert found == ["type", "[ERROR]", "physics_material"]
    assert header("collider") == ["1[ERROR]"]
    assert header("motion") == []
    assert "[ERROR]" not in drawn("motion", "gravity_factor")


def test_what_is_ignored_or_gone_is_not_marked(crate):
    report = scene_check.check(bpy.context.scene)
    crate.omi_physics.ignored_issues = "S17"
    report.set_aside()
    assert drawn("collider", "type") == ["type"]
    crate.omi_physics.ignored_issues = ""
    crate.omi_physics.collider.shape.type = "CONVEX"
    scene_check.check(bpy.context.scene)
    assert drawn("collider", "type") == ["type"]


def test_the_headers_count_every_issue_of_an_object(crate):
    crate.omi_physics.use_vehicle_body = True
    crate.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    report = scene_check.check(bpy.context.scene)
    told = report.of_object(crate.session_uid)
    assert len(told) >= 3
    parts = {issue_fields.part_of(crate, issue) for issue in told}
    for part in parts - {""}:
        of_part = issue_fields.of_object(crate, bpy.context.scene, part)
        assert header(part) == [f"{len(of_part)}[ERROR]"]
    assert header() == [f"{len(told)}[ERROR]"]


def test_what_a_file_is_opened_with_is_counted_as_after_an_edit(crate, tmp_path):
    crate.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    watch.run(bpy.context.scene)
    after_edit = header(), header("motion"), header("collider")
    path = str(tmp_path / "crate.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert header() == []  # Nobody knows yet.
    assert watch.run(bpy.context.scene)
    assert (header(), header("motion"), header("collider")) == after_edit
    assert after_edit[0] != []
    assert not watch.run(bpy.context.scene)  # It is looked at once.


def test_an_object_without_issues_is_said_to_have_none(crate):
    crate.omi_physics.collider.shape.type = "CONVEX"
    bpy.context.view_layer.update()
    assert header() == []
    watch.run(bpy.context.scene)
    assert header() == ["[CHECKMARK]"]
    assert header("collider") == []


def test_the_list_of_a_header_has_the_buttons_that_set_right(crate, monkeypatch):
    crate.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    scene_check.check(bpy.context.scene)
    told = issue_fields.of_object(crate, bpy.context.scene)
    about = check.OMIPHYSICS_OT_about_issue
    chosen = SimpleNamespace(source="CHECK", code="", object_name="Crate", part="")
    assert sorted(about._told(bpy.context, chosen), key=str) == sorted(told, key=str)
    chosen.part = "collider"
    assert [each.code for each in about._told(bpy.context, chosen)] == [
        each.code for each in told if issue_fields.part_of(crate, each) == "collider"
    ]
    found: list[str] = []
    for each in told:
        check._draw_issue(Recorder(found), each, "CHECK")  # pyright: ignore[reportPrivateUsage]
    assert f"{FIXES['B19'].label}[CHECKMARK]" in found


@pytest.mark.parametrize(("mass", "code"), [(20.0, "J40"), (200.0, "B24")])
def test_masses_that_differ_are_marked_on_their_joint_with_both_names(
    crate: Any, mass: float, code: str
) -> None:
    lid = add("Lid", cube_mesh("Lid"))
    add_body(lid)
    for obj, size in ((lid, 1.0), (crate, mass)):
        obj.omi_physics.motion.mass_mode, obj.omi_physics.motion.mass = "VALUE", size
    joint("Hinge", crate, lid, (0.0, 0.0, 0.0))
    hinge = bpy.data.objects["Hinge B"]
    told = scene_check.check(bpy.context.scene).of_object(hinge.session_uid)
    (issue,) = (each for each in told if each.code in ("J40", "B24"))
    assert issue.code == code
    assert f"connects Lid, 1 kg, to Crate, {mass:g} times as heavy" in issue.message
    assert issue_fields.part_of(hinge, issue) == "joint"


def test_every_field_with_a_warning_is_one_that_its_part_has():
    group = groups.of_object(add("Any"))
    shapes = {
        name for part in ("box", "capsule") for name in dir(getattr(group.collider.shape, part))
    }
    for code in CATALOGUE:
        part, _, name = issue_fields._FIELDS.get(code, "").partition(".")  # pyright: ignore[reportPrivateUsage]
        if part:
            holder = getattr(group, part)
            known = {*dir(holder), *shapes, *dir(getattr(holder, "shape", None))}
            known |= set(dir(getattr(holder, "point", None)))
            assert name in known or name in dir(getattr(holder, "directional", None)), (code, name)


class _Split(Recorder):
    """Notes whether a label stands beside a field."""

    use_property_split = True

    def row(self, **_: Any) -> Recorder:
        return _Split(self.drawn)

    def prop(self, _data: Any, name: str, **_: Any) -> None:
        self.drawn.append(name if self.use_property_split else f"[{name}]")


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (236, ["mass", "[gravity_factor]", "type", "linear_velocity"]),
        (400, ["mass", "gravity_factor", "type", "linear_velocity"]),
        (900, ["mass", "gravity_factor", "type", "linear_velocity"]),
    ],
)
def test_names_of_numbers_are_whole_in_a_narrow_editor(crate, width, expected):
    """As it is in a new window of 1366 pixels, whose labels have ten letters."""
    found: list[str] = []
    around = SimpleNamespace(
        object=crate,
        scene=bpy.context.scene,
        region=SimpleNamespace(width=width),
        preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)),
    )
    layout = marked.marked(_Split(found), around, "motion")
    for name in ("mass", "gravity_factor", "type", "linear_velocity"):
        layout.prop(crate.omi_physics.motion, name)
    assert found == expected
