from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.panels import create_menus
from omi_physics_addon.blender.properties import part_choices
from tests.blender.operators.test_bodies import can, run, select
from tests.blender.operators.test_vehicle_parts import vehicle
from tests.blender.panels.test_panels import FakeLayout
from tests.blender.support.scenes import add, body, node

GRAVITIES = tuple(f"{item[0]}_GRAVITY" for item in part_choices.GRAVITIES)
KINDS = (*(item[0] for item in part_choices.NEW_OBJECTS), *GRAVITIES)
NEW = "object.omi_physics_new"
PARTS = {
    "BODY": {"use_motion", "use_collider"},
    "COLLIDER": {"use_collider"},
    "VEHICLE": {"use_motion", "use_collider", "use_vehicle_body"},
    **{kind: {"use_gravity", "use_trigger"} for kind in GRAVITIES},
}


def new(kind: str, **options: Any) -> Any:
    assert run(NEW, kind=kind, **options) == {"FINISHED"}
    return bpy.context.object


def used(obj: Any) -> set[str]:
    group = obj.omi_physics
    flags = [p.identifier for p in group.bl_rna.properties if p.identifier.startswith("use_")]
    return {flag for flag in flags if getattr(group, flag)}


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_object_has_its_parts_and_is_the_selection(kind):
    other = add("Other")
    select(other)
    bpy.context.scene.cursor.location = (1.0, 2.0, 3.0)
    obj = new(kind)
    assert obj != other
    assert bpy.context.selected_objects == [obj]
    assert used(obj) == PARTS.get(kind, {f"use_{kind.lower()}"})
    assert tuple(obj.location) == (1.0, 2.0, 3.0)
    assert (obj.type == "MESH") == (kind in ("BODY", "COLLIDER", "VEHICLE"))
    again = new(kind)
    assert again.name == f"{obj.name}.001"


@pytest.mark.parametrize("kind", KINDS)
def test_undo_and_redo(kind):
    bpy.ops.ed.undo_push(message="Before")
    name = new(kind).name
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    assert not bpy.data.objects
    bpy.ops.ed.redo()
    assert used(bpy.data.objects[name])


@pytest.mark.parametrize("kind", KINDS)
def test_size(kind):
    small, large = new(kind), new(kind, factor=3.0)
    if small.type == "MESH":
        assert tuple(large.dimensions) == pytest.approx([3.0 * s for s in small.dimensions])
        sizes = [obj.omi_physics.collider.shape.box.size for obj in (small, large)]
        assert tuple(sizes[1]) == pytest.approx([3.0 * s for s in sizes[0]])
    else:
        assert large.empty_display_size == pytest.approx(3.0 * small.empty_display_size)


def test_sizes_of_parts():
    assert tuple(new("TRIGGER", factor=2.0).omi_physics.trigger.shape.box.size) == (4.0, 4.0, 4.0)
    wheel = new("WHEEL", factor=2.0).omi_physics.wheel
    assert (wheel.radius, wheel.width) == (0.5, 0.25)
    assert new("SEAT", factor=2.0).omi_physics.seat.foot[2] == pytest.approx(-0.9)
    assert new("POINT_GRAVITY", factor=2.0).omi_physics.trigger.shape.sphere.radius == 10.0


@pytest.mark.parametrize("align", ["WORLD", "CURSOR", "VIEW"])
def test_align(align):
    bpy.context.scene.cursor.rotation_euler = (0.0, 0.0, 1.0)
    obj = new("BODY", align=align)
    turn = (0.0, 0.0, 1.0) if align == "CURSOR" else (0.0, 0.0, 0.0)  # No viewport without window.
    assert tuple(obj.rotation_euler) == pytest.approx(turn, abs=1e-6)


def test_location_and_rotation_of_the_redo_panel():
    obj = new("BODY", align="WORLD", location=(1.0, 0.0, 0.0), rotation=(0.5, 0.0, 0.0))
    assert tuple(obj.location) == (1.0, 0.0, 0.0)
    assert tuple(obj.rotation_euler) == pytest.approx((0.5, 0.0, 0.0))


def test_the_preference_for_alignment():
    edit = bpy.context.preferences.edit
    bpy.context.scene.cursor.rotation_euler = (0.0, 0.0, 1.0)
    old = edit.object_align
    try:
        edit.object_align = "CURSOR"
        assert new("BODY").rotation_euler.z == pytest.approx(1.0)
    finally:
        edit.object_align = old


@pytest.mark.parametrize("kind", ["WHEEL", "THRUSTER", "HOVER_THRUSTER", "SEAT"])
def test_parts_go_below_the_active_vehicle(kind):
    car = vehicle(900.0, location=(0.0, 5.0, 0.0))
    car.rotation_euler = (0.0, 0.0, 0.7)
    select(car)
    bpy.context.scene.cursor.location = (1.0, 2.0, 3.0)
    obj = new(kind)
    bpy.context.view_layer.update()
    assert obj.parent == car
    assert tuple(obj.matrix_world.translation) == pytest.approx((1.0, 2.0, 3.0), abs=1e-5)
    turn = obj.matrix_world.to_quaternion()
    if kind == "HOVER_THRUSTER":
        assert (turn.to_matrix() @ obj.matrix_world.to_3x3().inverted()).is_orthogonal
        assert -obj.matrix_world.col[1].z == pytest.approx(1.0)
    else:
        assert turn.rotation_difference(car.matrix_world.to_quaternion()).angle < 1e-3
    # The next one goes below the same vehicle, while the first is active.
    assert new(kind).parent == car
    assert new(kind, use_vehicle=False).parent is None


def test_other_objects_stay_on_their_own():
    select(vehicle())
    for kind in ("BODY", "TRIGGER", "JOINT", "POINT_GRAVITY"):
        assert new(kind).parent is None


def test_new_wheels_carry_the_vehicle_and_new_seats_are_the_pilots():
    car = vehicle(900.0)
    select(car)
    wheel = new("WHEEL").omi_physics.wheel
    weight = 900.0 * 9.81
    assert weight / wheel.suspension_stiffness == pytest.approx(0.25 / 3.0, rel=1e-3)
    assert new("THRUSTER").omi_physics.thruster.max_force == pytest.approx(1.5 * weight, rel=1e-3)
    seat = new("SEAT")
    assert car.omi_physics.vehicle_body.pilot_seat == seat


def test_a_new_vehicle_drives_out_into_the_file(export):
    car = new("VEHICLE")
    wheel = new("WHEEL")
    gltf = export()
    assert body(gltf, car.name)["motion"]["mass"] == pytest.approx(648.0, rel=0.02)
    assert "OMI_vehicle_body" in node(gltf, car.name)["extensions"]
    assert "OMI_vehicle_wheel" in node(gltf, wheel.name)["extensions"]


def test_a_new_hover_thruster_pushes_up():
    obj = new("HOVER_THRUSTER")
    assert tuple(obj.rotation_euler) == pytest.approx((-math.pi / 2, 0.0, 0.0))


def test_not_in_edit_mode():
    obj = new("BODY")
    assert can(NEW)
    bpy.ops.object.mode_set(mode="EDIT")
    assert not can(NEW)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert obj.mode == "OBJECT"


def test_the_menu_is_in_the_add_menu_once_and_has_every_kind():
    drawn = bpy.types.VIEW3D_MT_add._dyn_ui_initialize()
    assert drawn.count(create_menus.draw_add_menu) == 1
    layout = FakeLayout()
    create_menus.draw_add_menu(SimpleNamespace(layout=layout), bpy.context)
    for cls in (bpy.types.OMIPHYSICS_MT_new, bpy.types.OMIPHYSICS_MT_new_gravity):
        cls.draw(SimpleNamespace(layout=layout), bpy.context)
    assert layout.shown.count(("operator", NEW)) == len(KINDS)
    assert ("menu", "OMIPHYSICS_MT_new") in layout.shown


def test_tooltips_tell_the_kind():
    cls = bpy.types.OBJECT_OT_omi_physics_new
    told = {cls.description(bpy.context, SimpleNamespace(kind=kind)) for kind in KINDS}
    assert len(told) == len(KINDS)
