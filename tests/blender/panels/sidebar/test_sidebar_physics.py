"""The first section of the tab: play, what is selected, what is next, check and export."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import report_window, reports, scene_outline
from omi_physics_addon.blender.panels.sidebar import sidebar_physics
from omi_physics_addon.issue_codes import Severity
from tests.blender.operators.test_bodies import run, select
from tests.blender.panels.test_panels import context, draw, panel
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.blender.support.skeletons import skeleton

FALL, REST = "object.omi_physics_add_motion", "object.omi_physics_make_rest_solid"
CONNECT = "object.omi_physics_connect_selected"
VEHICLE, FIT = "object.omi_physics_rig_vehicle", "object.omi_physics_fit_simplest"
STATES_SHOWN = ("Dynamic", "Static", "Kinematic", "Trigger")
PLAY = "scene.omi_physics_preview_start"
ENDS = ["scene.omi_physics_check", "export_scene.gltf"]
STATES = {
    "DYNAMIC": "object.omi_physics_add_motion",
    "TRIGGER": "object.omi_physics_add_trigger",
}


def crate(name: str = "Crate", kind: str = "") -> Any:
    obj = add(name, cube_mesh(name))
    if kind:
        add_body(obj, kind)
        add_collider(obj)
    return obj


def drawn(*selected: Any, last: str = "") -> Any:
    """The section, with objects selected.

    Args:
        last: the operator that ran last, as Blender notes it when a button is pressed.
    """
    select(*selected)
    scene_outline.forget()
    active = selected[0] if selected else None
    group, _, name = last.partition(".")
    ran = [SimpleNamespace(bl_idname=f"{group.upper()}_OT_{name}")] if last else []
    manager = SimpleNamespace(operators=ran)
    more = {"selected_objects": [*selected], "window_manager": manager}
    return draw(panel("sidebar_physics"), context(active, **more))


def rows(*selected: Any, last: str = "") -> list[str]:
    """What the rows say, without the arrows of menus."""
    return [text for text in drawn(*selected, last=last).texts if text]


def operators(*selected: Any, last: str = "") -> list[str]:
    return [name for kind, name in drawn(*selected, last=last).shown if kind == "operator"]


def words(*selected: Any) -> str:
    select(*selected)
    scene_outline.forget()
    active = selected[0] if selected else None
    return sidebar_physics.words(
        sidebar_physics.chosen_of(context(active, selected_objects=[*selected]))
    )


def test_a_scene_without_physics_has_three_steps():
    assert operators(crate()) == [PLAY, FALL, "object.omi_physics_rig_vehicle", REST, *ENDS]
    assert CONNECT in operators(crate("A"), crate("B"))
    layout = drawn()
    assert "Nothing is selected" in layout.texts
    assert layout.enabled_operators == {REST, ENDS[0], ENDS[1]}


def test_cameras_and_lights_do_not_fall_with_all_that_is_selected():
    """As in Blender's own first scene, after A."""
    obj, light = crate(), add("Light", bpy.data.lights.new("Light", "POINT"))
    camera = add("Camera", bpy.data.cameras.new("Camera"))
    options = drawn(obj, light, camera).options[FALL]
    select(obj, light, camera)
    assert run(FALL, **options) == {"FINISHED"}
    assert [each.omi_physics.use_motion for each in (obj, light, camera)] == [True, False, False]
    select(light)
    assert run(FALL, **options) == {"FINISHED"}  # Where nothing else is, it is meant.
    assert light.omi_physics.use_motion


def test_the_first_physics_moves_no_button():
    """Rows stay where they are: nothing comes below the pointer, and no section below jumps."""
    obj = crate()
    crate("Ground")
    assert operators(obj) == [PLAY, FALL, VEHICLE, REST, *ENDS]
    assert run(FALL, type="DYNAMIC") == {"FINISHED"}
    assert operators(obj, last=FALL) == [PLAY, FALL, FIT, REST, *ENDS]
    assert "Make the Selection Fall" in rows(obj, last=FALL)
    for last in ("view3d.select", ""):
        assert "Make the Selection Fall" not in rows(obj, last=last)
        made = operators(obj, last=last)
        assert (made[0], made[5:]) == (PLAY, [FIT, REST, *ENDS])
        assert len(made) == 1 + len(STATES_SHOWN) + 4
    other = crate("Other", "DYNAMIC")
    assert "Make the Selection Fall" not in rows(other, last=FALL)  # It was the state's button.


def test_what_is_selected_to_be_joined_is_not_made_solid():
    """A lid and its chest, in a scene with a ball that falls on nothing yet."""
    ball, lid, chest = crate("Ball", "DYNAMIC"), crate("Lid"), crate("Chest")
    assert operators(lid, chest)[-3] == CONNECT
    assert operators(ball)[-3] == REST
    assert operators(ball, crate("Bat", "DYNAMIC"))[-3] == REST


def test_new_joints_become_no_bodies_by_a_press_too_many():
    """They are what is selected after Connect, where the artist looks for the next state."""
    door, post = crate("Door"), crate("Post")
    add_body(door)
    select(door, post, active=post)
    assert run(CONNECT) == {"FINISHED"}
    joint = bpy.context.object
    assert FALL not in drawn(joint).enabled_operators
    assert FALL in drawn(joint, post).enabled_operators
    assert CONNECT not in operators(joint, *new_joints(2))
    joint.omi_physics.use_trigger = True  # It must be possible to take that away.
    assert "object.omi_physics_remove_trigger" in drawn(joint).enabled_operators


def new_joints(count: int) -> list[Any]:
    found = [add(f"Joint {i}") for i in range(count)]
    for obj in found:
        obj.omi_physics.use_joint = True
    return found


def test_a_button_that_was_pressed_stays_where_it_was():
    """What it makes is selected afterwards, which asks for other steps."""
    door, post = crate("Door"), crate("Post")
    crate("Floor")
    assert operators(door, post)[-3] == CONNECT
    assert run(CONNECT) == {"FINISHED"}
    joint = bpy.context.object
    assert joint.omi_physics.use_joint
    assert operators(joint, last=CONNECT)[-3] == CONNECT
    assert operators(joint)[-3] == REST
    skeleton, ragdoll = armature(), "object.omi_physics_make_ragdoll"
    assert ragdoll in operators(skeleton)
    assert ragdoll in operators(door, last=ragdoll)
    assert ragdoll not in operators(door)


def test_play_is_the_first_button_of_a_scene_with_physics():
    body = crate("Body", "DYNAMIC")
    for selected in ((), (body,), (body, crate())):
        assert operators(*selected)[0] == PLAY
    assert PLAY in drawn().enabled_operators


def test_the_selection_in_words():
    box, ball, ground = crate("Crate", "DYNAMIC"), crate("Ball", "KINEMATIC"), crate("Ground")
    assert words() == "Nothing is selected"
    assert words(box) == "Crate: dynamic body, box collider"
    assert words(ground) == "Ground: no physics"
    assert words(box, ball, ground) == "3 objects: 2 bodies, 1 without physics"
    add_collider(ground, "TRIMESH")
    assert words(ground) == "Ground: static trimesh collider"
    assert words(box, ground) == "2 objects: 1 body, 1 collider"
    assert words(crate("A"), crate("B")) == "2 objects: no physics"
    ground.parent = box
    assert words(ground) == "Ground: trimesh collider"
    box.omi_physics.use_vehicle_body = True
    assert words(box) == "Crate: vehicle, box collider"
    assert words(box, ball) == "2 objects: 2 bodies"


def test_a_skeleton_tells_how_many_bodies_its_bones_have():
    rig = skeleton("mixamo")
    assert words(rig) == f"{rig.name}: no physics"
    select(rig)
    assert run("object.omi_physics_make_ragdoll") == {"FINISHED"}
    assert words(rig) == f"{rig.name}: 16 bodies on bones"


@pytest.mark.parametrize("state", ["DYNAMIC", "STATIC", "KINEMATIC", "TRIGGER"])
def test_a_state_is_pressed_and_a_second_press_removes_it(state):
    obj, other = crate(), crate("Other", "KINEMATIC")
    part = "trigger" if state == "TRIGGER" else "motion"
    options = {} if state == "TRIGGER" else {"type": state}
    assert f"object.omi_physics_remove_{part}" not in operators(obj)
    assert run(f"object.omi_physics_add_{part}", **options) == {"FINISHED"}
    assert f"object.omi_physics_remove_{part}" in operators(obj)
    if state != "KINEMATIC":
        assert f"object.omi_physics_remove_{part}" not in operators(obj, other)
    select(obj)
    removed = {} if state == "TRIGGER" else {"use_collider": True}
    assert run(f"object.omi_physics_remove_{part}", **removed) == {"FINISHED"}
    assert words(obj) == "Crate: no physics"


def test_a_collider_of_no_body_is_static_and_can_be_removed_so():
    obj = crate()
    add_collider(obj)
    assert "object.omi_physics_remove_motion" in operators(obj)
    assert run("object.omi_physics_remove_motion", use_collider=True) == {"FINISHED"}
    assert not obj.omi_physics.use_collider


def unmade(*objects: Any) -> None:
    """The bodies are taken back, as by a second press on their button."""
    select(*objects)
    assert run("object.omi_physics_remove_motion", use_collider=True) == {"FINISHED"}
    assert not any(obj.omi_physics.use_motion for obj in objects)


CHANGES = {
    "size": lambda collider: setattr(collider.shape.box, "size", (1.0, 2.0, 3.0)),
    "place": lambda collider: setattr(collider.shape, "location", (0.0, 0.0, 1.0)),
    "material": lambda collider: setattr(collider, "physics_material", "Ice"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_second_press_keeps_a_collider_that_was_changed(change, capfd):
    bpy.context.scene.omi_physics.physics_materials.add().name = "Ice"
    one, two = crate(), crate("Two")
    select(one, two)
    run("object.omi_physics_add_motion", type="DYNAMIC")
    CHANGES[change](two.omi_physics.collider)
    capfd.readouterr()
    unmade(one, two)
    assert not one.omi_physics.use_collider
    assert two.omi_physics.use_collider
    told = capfd.readouterr().out
    assert "Removed 2 bodies; 1 collider stays, made or changed by hand" in told
    unmade(two)  # It is all that is solid.
    assert not two.omi_physics.use_collider


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_second_press_keeps_a_collider_that_the_artist_made(when):
    obj = crate()
    select(obj)
    steps = [
        lambda: run("object.omi_physics_fit_simplest", add_missing=True),
        lambda: run("object.omi_physics_add_motion", type="STATIC"),
    ]
    for step in steps if when == "before" else reversed(steps):
        assert step() == {"FINISHED"}
    unmade(obj)
    assert obj.omi_physics.use_collider


def armature() -> Any:
    obj = bpy.data.objects.new("Skeleton", bpy.data.armatures.new("Skeleton"))
    bpy.context.scene.collection.objects.link(obj)
    return obj


def test_what_is_next_fits_the_selection():
    ground = crate("Ground")
    add_collider(ground)
    body, bare = crate("Body", "DYNAMIC"), crate("Bare")
    light = add("Light", bpy.data.lights.new("Light", "POINT"))
    steps = {
        (): ["make_rest_solid"],
        (body,): ["fit_simplest", "make_rest_solid"],
        (ground,): ["fit_simplest", "make_rest_solid"],
        (bare,): ["rig_vehicle", "make_rest_solid"],
        (light,): ["make_rest_solid"],
        (armature(),): ["make_ragdoll", "make_rest_solid"],
        (bare, body): ["rig_vehicle", "connect_selected"],
        (body, ground): ["fit_simplest", "connect_selected"],
    }
    for selected, expected in steps.items():
        shown = operators(*selected)[1:-2]
        found = [name.removeprefix("object.omi_physics_") for name in shown]
        assert found[4:] == expected, selected


def test_what_is_pressed_keeps_its_name_and_its_place():
    ground, obj, other = crate("Ground", "STATIC"), crate(), crate("Other")
    for selected in ((obj,), (obj, other), (ground,)):
        places = [rows(*selected).index(label) for label in STATES_SHOWN]
        assert places == [1, 2, 3, 4]  # Below the words.
        for kind in ("DYNAMIC", "STATIC", "KINEMATIC"):
            select(*selected)
            run("object.omi_physics_add_motion", type=kind)
            assert [rows(*selected).index(label) for label in STATES_SHOWN] == places
    select(obj, other)
    run("object.omi_physics_remove_motion", use_collider=True)
    select(obj, other)
    run("object.omi_physics_rig_vehicle", kind="HOVERCRAFT")
    scene_outline.forget()
    made = bpy.context.object
    assert "object.omi_physics_rig_vehicle" in operators(made)


def test_the_rest_can_be_made_solid_beside_what_stands_already():
    """A chest that stands is no floor; what a body carries, and empties, are no rest."""
    crate("Chest", "STATIC")
    body, floor = crate("Body", "DYNAMIC"), crate("Floor")
    add("Empty")
    carried = crate("Carried")
    carried.parent = body
    rest = "object.omi_physics_make_rest_solid"
    assert rest in operators(body)
    floor.omi_physics.use_collider = True
    scene_outline.forget()
    assert rest not in operators(body)


def test_the_rest_is_made_solid_where_it_was_offered():
    body, floor, prop = crate("Body", "DYNAMIC"), crate("Floor"), crate("Prop", "DYNAMIC")
    rest = "object.omi_physics_make_rest_solid"
    assert rest in operators(body, prop)
    assert run(rest) == {"FINISHED"}
    assert floor.omi_physics.use_collider
    assert rest in operators(body, prop)  # As long as the same is selected.
    assert rest not in operators(body)
    assert "object.omi_physics_connect_selected" in operators(prop, body, floor)


@pytest.mark.parametrize("is_wrong", [True, False])
def test_check_shows_what_is_wrong_where_it_is_pressed(is_wrong, monkeypatch):
    """The section with the list is closed at first, and far below."""
    body = crate("Body", "DYNAMIC")
    body.scale.z = 2.0 if is_wrong else 1.0
    bpy.context.view_layer.update()
    shown = []
    monkeypatch.setattr(report_window, "bring_forward", shown.append)
    buttons = drawn(body)
    assert buttons.options["scene.omi_physics_check"] == {"show": True}
    run("scene.omi_physics_check")
    assert not shown  # As the button in that section does.
    run("scene.omi_physics_check", show=True)
    assert [report.kind for report in shown] == ["CHECK"] * is_wrong


def test_a_check_that_does_not_hold_any_more_has_no_number():
    body = crate("Body", "DYNAMIC")
    body.scale.z = 2.0
    bpy.context.view_layer.update()
    run("scene.omi_physics_check")
    assert "Check" not in drawn(body).texts
    reports.of_scene("CHECK", bpy.context.scene).is_followed = False
    assert "Check" in drawn(body).texts


def test_check_tells_how_much_is_wrong():
    body = crate("Body", "DYNAMIC")
    assert "Check" in drawn(body).texts
    body.scale = (1.0, 1.0, 2.0)
    body.omi_physics.motion.mass = 0.0
    bpy.context.view_layer.update()
    run("scene.omi_physics_check")
    issues = reports.of_scene("CHECK", bpy.context.scene).issues
    count = issues.count(Severity.ERROR) + issues.count(Severity.WARNING)
    assert count
    assert f"Check ({count})" in drawn(body).texts
