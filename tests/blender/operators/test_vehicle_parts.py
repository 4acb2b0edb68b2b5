from __future__ import annotations

import math
from typing import Any

import bmesh
import bpy
import pytest
from mathutils import Matrix, Vector

from omi_physics_addon.blender.base.roles import PARTS
from tests.blender.operators.test_bodies import can, cloud, run, select
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

NEW_PARTS = tuple(PARTS)[3:]
VEHICLE_PARTS = ("wheel", "thruster", "hover_thruster")
EARTH = 9.81


def box(name: str, x: float, y: float, z: float, **place: Any) -> Any:
    corners = [(a * x / 2, b * y / 2, c * z / 2) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    return cloud(name, corners, **place)


def cylinder(name: str, radius: float, depth: float, **place: Any) -> Any:
    """Along Z, as Blender's own."""
    mesh = bpy.data.meshes.new(name)
    work = bmesh.new()
    bmesh.ops.create_cone(
        work, segments=32, radius1=radius, radius2=radius, depth=depth, cap_ends=True
    )
    work.to_mesh(mesh)
    work.free()
    return add(name, mesh, **place)


def vehicle(mass: float = 900.0, **place: Any) -> Any:
    obj = box("Car", 1.8, 4.0, 0.6, **place)
    add_body(obj).mass = mass
    obj.omi_physics.use_vehicle_body = True
    return obj


# All parts


@pytest.mark.parametrize("part", NEW_PARTS)
def test_add_and_remove_on_the_whole_selection(part):
    objects = [add("A", cube_mesh()), add("B"), add("C")]
    select(*objects[:2])
    flag = f"use_{part}"
    assert run(f"object.omi_physics_add_{part}") == {"FINISHED"}
    assert [getattr(o.omi_physics, flag) for o in objects] == [True, True, False]
    assert run(f"object.omi_physics_add_{part}") == {"CANCELLED"}
    objects[0].omi_physics.__getattribute__(part).kept = "{}"
    assert run(f"object.omi_physics_remove_{part}") == {"FINISHED"}
    for obj in objects:
        assert not getattr(obj.omi_physics, flag)
        assert not obj.omi_physics.is_property_set(part)
    assert run(f"object.omi_physics_remove_{part}") == {"CANCELLED"}


@pytest.mark.parametrize("part", NEW_PARTS)
def test_undo_and_redo(part):
    select(add("A", cube_mesh()))
    bpy.ops.ed.undo_push(message="Before")
    run(f"object.omi_physics_add_{part}")
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    assert not getattr(bpy.data.objects["A"].omi_physics, f"use_{part}")
    bpy.ops.ed.redo()
    assert getattr(bpy.data.objects["A"].omi_physics, f"use_{part}")


@pytest.mark.parametrize("part", NEW_PARTS)
def test_nothing_selected(part):
    select()
    assert not can(f"object.omi_physics_add_{part}")
    assert not can(f"object.omi_physics_remove_{part}")


@pytest.mark.parametrize("part", NEW_PARTS)
def test_copies(part):
    source, target = add("Source"), add("Target")
    select(source)
    run(f"object.omi_physics_add_{part}")
    select(target, source, active=source)
    assert run("object.omi_physics_copy_to_selected", **{f"use_{part}": False}) in (
        {"CANCELLED"},
        {"FINISHED"},  # A gravity volume is a trigger, too.
    )
    assert not getattr(target.omi_physics, f"use_{part}")
    assert run("object.omi_physics_copy_to_selected") == {"FINISHED"}
    assert getattr(target.omi_physics, f"use_{part}")


def test_copies_the_values_of_parts():
    source, target = add("Source"), add("Target")
    source.omi_physics.use_gravity = True
    gravity = source.omi_physics.gravity
    gravity.type = "LINE"
    gravity.line.points.add().location = (1.0, 2.0, 3.0)
    source.omi_physics.use_wheel = True
    source.omi_physics.wheel.radius = 0.7
    select(target, source, active=source)
    run("object.omi_physics_copy_to_selected")
    assert tuple(target.omi_physics.gravity.line.points[0].location) == (1.0, 2.0, 3.0)
    assert target.omi_physics.wheel.radius == pytest.approx(0.7)


# Vehicles


def test_a_vehicle_becomes_a_dynamic_body_with_a_guessed_mass():
    obj = box("Car", 2.0, 4.0, 1.0)
    select(obj)
    run("object.omi_physics_add_vehicle_body")
    motion = obj.omi_physics.motion
    assert (obj.omi_physics.use_motion, motion.type) == (True, "DYNAMIC")
    assert motion.mass == pytest.approx(1200.0)


def test_a_vehicle_takes_the_mass_that_is_asked_for():
    obj = box("Car", 2.0, 4.0, 1.0)
    select(obj)
    run("object.omi_physics_add_vehicle_body", mass=50.0)
    assert obj.omi_physics.motion.mass == 50.0


def test_a_vehicle_without_a_size_has_a_usual_mass():
    obj = add("Car")
    select(obj)
    run("object.omi_physics_add_vehicle_body")
    assert obj.omi_physics.motion.mass == 1000.0


def test_a_body_stays_as_it_is_when_it_becomes_a_vehicle():
    obj = add("Car", cube_mesh())
    add_body(obj, "KINEMATIC").mass = 7.0
    select(obj)
    run("object.omi_physics_add_vehicle_body")
    motion = obj.omi_physics.motion
    assert (motion.type, motion.mass) == ("KINEMATIC", 7.0)


@pytest.mark.parametrize(("count", "taken"), [(0, False), (1, True), (2, False)])
def test_the_only_seat_below_is_the_pilots(count, taken):
    obj = add("Car")
    between = add("Between", parent=obj)
    seats = [add(f"Seat {i}", parent=between) for i in range(count)]
    for seat in seats:
        seat.omi_physics.use_seat = True
    select(obj)
    run("object.omi_physics_add_vehicle_body")
    assert (obj.omi_physics.vehicle_body.pilot_seat in seats) == taken
    if not taken:
        assert run("object.omi_physics_find_pilot_seat") == {"CANCELLED"}


def test_find_pilot_seat():
    car = vehicle()
    seat = add("Seat", parent=car)
    seat.omi_physics.use_seat = True
    select(car)
    assert run("object.omi_physics_find_pilot_seat") == {"FINISHED"}
    assert car.omi_physics.vehicle_body.pilot_seat == seat
    assert run("object.omi_physics_find_pilot_seat") == {"CANCELLED"}


@pytest.mark.parametrize("part", VEHICLE_PARTS)
def test_a_vehicle_is_no_part_of_itself(part):
    car = vehicle()
    select(car)
    assert run(f"object.omi_physics_add_{part}") == {"CANCELLED"}
    assert not getattr(car.omi_physics, f"use_{part}")


# Wheels


@pytest.mark.parametrize("axis", "XYZ")
def test_a_wheel_is_as_large_as_its_mesh_whatever_way_it_lies(axis):
    obj = cylinder("Wheel", 0.4, 0.2)
    turn = {"X": Matrix.Rotation(math.pi / 2, 4, "Y"), "Y": Matrix.Rotation(math.pi / 2, 4, "X")}
    obj.data.transform(turn.get(axis, Matrix()))
    select(obj)
    run("object.omi_physics_add_wheel")
    wheel = obj.omi_physics.wheel
    assert (wheel.radius, wheel.width) == pytest.approx((0.4, 0.2), abs=1e-5)


def test_a_wheel_is_measured_in_metres_whatever_its_scale():
    obj = cylinder("Wheel", 1.0, 1.0)
    obj.scale = (0.5, 0.5, 0.25)
    select(obj)
    run("object.omi_physics_add_wheel")
    wheel = obj.omi_physics.wheel
    assert (wheel.radius, wheel.width) == pytest.approx((0.5, 0.25), abs=1e-5)


def test_the_suspension_of_a_small_wheel_moves_no_farther_than_its_radius():
    obj = cylinder("Wheel", 0.05, 0.02)
    select(obj)
    run("object.omi_physics_add_wheel")
    assert obj.omi_physics.wheel.suspension_travel == pytest.approx(0.05, abs=1e-6)


def test_a_wheel_without_mesh_and_vehicle_has_the_defaults():
    obj = add("Wheel")
    select(obj)
    run("object.omi_physics_add_wheel")
    assert not obj.omi_physics.is_property_set("wheel") or not any(
        obj.omi_physics.wheel.is_property_set(p.identifier)
        for p in obj.omi_physics.wheel.bl_rna.properties
        if p.identifier not in ("rna_type", "name", "physics_material") and not p.is_skip_save
    )


def sinks(wheels: list[Any], weight: float) -> list[float]:
    """How far the springs give under a weight, of their travel."""
    total = sum(w.suspension_stiffness for w in wheels)
    return [weight / total / w.suspension_travel for w in wheels]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_vehicle_sinks_by_a_third_of_the_travel(count):
    car = vehicle(900.0)
    wheels = [add(f"Wheel {i}", parent=car) for i in range(count)]
    select(*wheels)
    run("object.omi_physics_add_wheel")
    groups = [w.omi_physics.wheel for w in wheels]
    assert sinks(groups, 900.0 * EARTH) == pytest.approx([1.0 / 3.0] * count, rel=1e-3)
    assert groups[0].suspension_damping_compression < groups[0].suspension_damping_rebound


def test_wheels_added_one_by_one_carry_the_vehicle_as_well():
    car = vehicle(900.0)
    wheels = [add(f"Wheel {i}", parent=car) for i in range(4)]
    for wheel in wheels:
        select(wheel)
        run("object.omi_physics_add_wheel")
    groups = [w.omi_physics.wheel for w in wheels]
    assert sinks(groups, 900.0 * EARTH) == pytest.approx([1.0 / 3.0] * 4, rel=1e-3)


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("wheel", "suspension_stiffness"),
        ("thruster", "max_force"),
        ("hover_thruster", "max_hover_energy"),
    ],
)
def test_what_an_artist_set_stays_when_parts_are_added(part, name):
    car = vehicle(900.0)
    parts = [add(str(i), parent=car) for i in range(3)]
    for obj in parts[:2]:
        select(obj)
        run(f"object.omi_physics_add_{part}")
    groups = [getattr(obj.omi_physics, part) for obj in parts]
    assert getattr(groups[0], name) == getattr(groups[1], name)
    setattr(groups[0], name, 777.0)
    before = getattr(groups[1], name)
    select(parts[2])
    run(f"object.omi_physics_add_{part}")
    assert getattr(groups[0], name) == 777.0
    assert getattr(groups[1], name) == pytest.approx(before * 2.0 / 3.0, rel=1e-4)
    assert getattr(groups[2], name) == getattr(groups[1], name)


def test_fit_suspension_tunes_every_wheel_of_the_vehicle():
    car = vehicle(900.0)
    wheels = [add(f"Wheel {i}", parent=car) for i in range(4)]
    select(*wheels)
    run("object.omi_physics_add_wheel")
    groups = [w.omi_physics.wheel for w in wheels]
    car.omi_physics.motion.mass = 1500.0
    select(wheels[0])
    assert run("object.omi_physics_fit_suspension") == {"FINISHED"}
    assert sinks(groups, 1500.0 * EARTH) == pytest.approx([1.0 / 3.0] * 4, rel=1e-3)
    lone = add("Lone")
    lone.omi_physics.use_wheel = True
    select(lone)
    assert run("object.omi_physics_fit_suspension") == {"CANCELLED"}


@pytest.mark.parametrize(
    ("shape", "volume"),
    [
        ("BOX", 1.0),
        ("SPHERE", 4.0 / 3.0 * math.pi * 0.5**3),
        ("CYLINDER", math.pi * 0.25 * 2.0),
        ("CONVEX", 1.0),
    ],
)
def test_the_mass_of_a_density_carries_springs_too(shape, volume):
    car = add("Car", cube_mesh())
    motion = add_body(car)
    motion.mass_mode, motion.density = "DENSITY", 500.0
    car.omi_physics.use_vehicle_body = True
    solid = add("Solid", cube_mesh(), parent=car)
    solid.scale = (2.0, 2.0, 2.0)
    group = add_collider(solid, shape)
    group.cylinder.height = 2.0
    group.cylinder.radius_bottom = group.cylinder.radius_top = 0.5
    wheel = add("Wheel", parent=car)
    select(wheel)
    run("object.omi_physics_add_wheel")
    weight = 500.0 * 8.0 * volume * EARTH
    assert sinks([wheel.omi_physics.wheel], weight)[0] == pytest.approx(1.0 / 3.0, rel=1e-3)


def test_gravity_of_the_world_counts():
    settings = bpy.context.scene.omi_physics
    settings.use_world_gravity, settings.world_gravity.source = True, "VALUE"
    settings.world_gravity.gravity = 1.6
    car = vehicle(900.0)
    wheel = add("Wheel", parent=car)
    select(wheel)
    run("object.omi_physics_add_wheel")
    assert sinks([wheel.omi_physics.wheel], 900.0 * 1.6)[0] == pytest.approx(1.0 / 3.0, rel=1e-3)


# Thrusters


def test_thrusters_share_one_and_a_half_times_the_weight():
    car = vehicle(900.0)
    parts = [add("A", parent=car), add("B", parent=car)]
    select(*parts)
    run("object.omi_physics_add_thruster")
    force = sum(p.omi_physics.thruster.max_force for p in parts)
    assert force == pytest.approx(1.5 * 900.0 * EARTH, rel=1e-3)


def test_half_of_the_hover_energy_keeps_the_vehicle_at_the_height():
    car = vehicle(900.0)
    parts = [add(str(i), parent=car) for i in range(4)]
    select(*parts)
    run("object.omi_physics_add_hover_thruster", height=0.5)
    energy = sum(p.omi_physics.hover_thruster.max_hover_energy for p in parts)
    assert energy / 2.0 / 0.5 == pytest.approx(900.0 * EARTH, rel=1e-3)


def test_thrusters_without_a_vehicle_push_all_the_same():
    obj = add("A")
    select(obj)
    run("object.omi_physics_add_thruster")
    run("object.omi_physics_add_hover_thruster")
    assert obj.omi_physics.thruster.max_force == 1000.0
    assert obj.omi_physics.hover_thruster.max_hover_energy == 2000.0


# Seats


def test_a_seat_keeps_its_size_on_a_scaled_object():
    obj = add("Seat")
    obj.scale = (2.0, 2.0, 4.0)
    select(obj)
    run("object.omi_physics_add_seat", size=0.5)
    assert tuple(obj.omi_physics.seat.foot) == pytest.approx((0.0, -0.0625, -0.05625))


def test_a_usual_seat_has_the_defaults():
    obj = add("Seat")
    select(obj)
    run("object.omi_physics_add_seat")
    assert not obj.omi_physics.seat.is_property_set("foot")


def test_a_new_seat_becomes_the_pilots():
    car = vehicle()
    seat = add("Seat", parent=car)
    select(seat)
    run("object.omi_physics_add_seat")
    assert car.omi_physics.vehicle_body.pilot_seat == seat
    other = add("Other", parent=car)
    select(other)
    run("object.omi_physics_add_seat")
    assert car.omi_physics.vehicle_body.pilot_seat == seat


# Parenting


def test_parent_to_the_only_vehicle_keeps_the_place():
    car = vehicle(location=(5.0, 0.0, 0.0))
    part = add("Wheel", location=(1.0, 2.0, 3.0))
    part.omi_physics.use_wheel = True
    select(part)
    assert run("object.omi_physics_parent_to_vehicle") == {"FINISHED"}
    bpy.context.view_layer.update()
    assert part.parent == car
    assert tuple(part.matrix_world.translation) == pytest.approx((1.0, 2.0, 3.0))
    assert run("object.omi_physics_parent_to_vehicle") == {"CANCELLED"}


def test_parent_to_the_active_one_of_several():
    first, second = vehicle(), vehicle()
    part = add("Seat")
    part.omi_physics.use_seat = True
    select(part)
    assert run("object.omi_physics_parent_to_vehicle") == {"CANCELLED"}
    select(part, second, active=second)
    assert run("object.omi_physics_parent_to_vehicle") == {"FINISHED"}
    assert part.parent == second
    assert first.parent is None


# Make vehicle with wheels


def four_wheels(turn: Matrix | None = None, **place: Any) -> list[Any]:
    found = []
    for x in (-0.9, 0.9):
        for y in (-1.3, 1.3):
            wheel = cylinder(f"Wheel {x} {y}", 0.35, 0.2, **place)
            wheel.matrix_world = Matrix.Translation((x, y, -0.2)) @ (
                turn or Matrix.Rotation(math.pi / 2, 4, "Y")
            )
            found.append(wheel)
    return found


def test_a_car_from_a_chassis_and_four_cylinders():
    chassis = box("Chassis", 1.8, 4.0, 0.6)
    wheels = four_wheels()
    bpy.context.view_layer.update()
    before = {w: w.matrix_world.copy() for w in wheels}
    select(chassis, *wheels, active=chassis)
    assert run("object.omi_physics_make_wheels", use_stand=False) == {"FINISHED"}
    bpy.context.view_layer.update()
    group = chassis.omi_physics
    assert group.use_vehicle_body
    assert group.motion.type == "DYNAMIC"
    assert tuple(group.collider.shape.box.size) == pytest.approx((1.8, 4.0, 0.6))
    holders = [w.parent for w in wheels]
    for wheel, holder in zip(wheels, holders, strict=True):
        assert holder.parent == chassis
        assert holder.omi_physics.use_wheel
        assert not wheel.omi_physics.use_wheel
        assert near(wheel.matrix_world, before[wheel])
        assert near(holder.matrix_world, Matrix.Translation(before[wheel].translation))
        settings = holder.omi_physics.wheel
        assert (settings.radius, settings.width) == pytest.approx((0.35, 0.2), abs=1e-5)
        front = before[wheel].translation.y < 0.0
        assert (settings.max_steering_angle > 0.0) == front
        assert (settings.max_propulsion_force > 0.0) != front
    settings = [h.omi_physics.wheel for h in holders]
    weight = group.motion.mass * EARTH
    assert sinks(settings, weight) == pytest.approx([1.0 / 3.0] * 4, rel=1e-3)
    force = sum(w.max_propulsion_force for w in settings)
    assert force == pytest.approx(5.0 * group.motion.mass)


def near(a: Matrix, b: Matrix) -> bool:
    return all((x - y).length < 1e-4 for x, y in zip(a, b, strict=True))


def test_meshes_that_are_right_are_wheels_themselves():
    chassis = box("Chassis", 1.8, 4.0, 0.6, location=(3.0, 1.0, 1.0))
    chassis.rotation_euler = (0.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    wheel = cylinder("Wheel", 0.35, 0.2)
    wheel.data.transform(Matrix.Rotation(math.pi / 2, 4, "Y"))
    wheel.matrix_world = chassis.matrix_world @ Matrix.Translation((0.9, -1.3, 0.0))
    select(chassis, wheel, active=chassis)
    before = wheel.matrix_world.copy()
    run("object.omi_physics_make_wheels", use_stand=False)
    bpy.context.view_layer.update()
    assert wheel.parent == chassis
    assert wheel.omi_physics.use_wheel
    assert near(wheel.matrix_world, before)
    assert wheel.omi_physics.wheel.max_steering_angle > 0.0


@pytest.mark.parametrize("fault", ["turn", "scale", "origin", "axis"])
def test_what_is_not_right_gets_an_empty(fault):
    chassis = box("Chassis", 1.8, 4.0, 0.6)
    wheel = cylinder("Wheel", 0.35, 0.2, location=(0.9, -1.3, 0.0))
    if fault != "axis":
        wheel.data.transform(Matrix.Rotation(math.pi / 2, 4, "Y"))
    if fault == "turn":
        wheel.rotation_euler = (0.5, 0.0, 0.0)
    if fault == "scale":
        wheel.scale = (2.0, 2.0, 2.0)
    if fault == "origin":
        wheel.data.transform(Matrix.Translation((0.0, 0.5, 0.0)))
    if fault == "axis":
        wheel.rotation_euler = (0.0, math.pi / 2, 0.0)
    select(chassis, wheel, active=chassis)
    before = wheel.matrix_world.copy()
    run("object.omi_physics_make_wheels", use_stand=False)
    bpy.context.view_layer.update()
    holder = wheel.parent
    assert holder.type == "EMPTY"
    assert near(wheel.matrix_world, before)
    place = (0.9, -0.8 if fault == "origin" else -1.3, 0.0)
    assert near(holder.matrix_world, Matrix.Translation(place))
    radius = 0.7 if fault == "scale" else 0.35
    assert holder.omi_physics.wheel.radius == pytest.approx(radius, abs=1e-5)


@pytest.mark.parametrize(
    ("mesh", "empty"),
    [
        ("Front Left", "Front Left Wheel"),
        ("Wheel FL", "Wheel FL Hub"),
        ("front_wheel.001", "front_wheel.001 Hub"),
    ],
)
def test_the_empty_of_a_wheel_says_so_once(mesh, empty):
    chassis, wheel = box("Chassis", 1.8, 4.0, 0.6), cylinder(mesh, 0.35, 0.2)
    select(chassis, wheel, active=chassis)
    run("object.omi_physics_make_wheels")
    assert (wheel.name, wheel.parent.name) == (mesh, empty)


def test_the_empty_of_a_scaled_vehicle_has_no_scale():
    chassis = box("Chassis", 1.0, 1.0, 1.0)
    chassis.scale = (1.8, 4.0, 0.6)
    wheels = four_wheels()
    select(chassis, *wheels, active=chassis)
    run("object.omi_physics_make_wheels")
    bpy.context.view_layer.update()
    for wheel in wheels:
        assert tuple(wheel.parent.matrix_world.to_scale()) == pytest.approx((1, 1, 1), abs=1e-5)
        assert tuple(wheel.matrix_world.to_scale()) == pytest.approx((1, 1, 1), abs=1e-5)


def test_camber_is_kept():
    chassis = box("Chassis", 1.8, 4.0, 0.6)
    wheel = cylinder("Wheel", 0.35, 0.2)
    wheel.matrix_world = Matrix.Rotation(math.radians(80.0), 4, "Y")
    select(chassis, wheel, active=chassis)
    run("object.omi_physics_make_wheels")
    bpy.context.view_layer.update()
    axle = wheel.matrix_world.to_3x3() @ Vector((0.0, 0.0, 1.0))
    x = wheel.parent.matrix_world.to_3x3() @ Vector((1.0, 0.0, 0.0))
    assert abs(axle.dot(x)) == pytest.approx(1.0)
    assert x.x > 0.9


def test_cylinders_that_lie_flat_are_told_and_get_the_turn_of_the_vehicle(capfd):
    chassis = box("Chassis", 1.8, 4.0, 0.6)
    wheels = four_wheels(Matrix())
    select(chassis, *wheels, active=chassis)
    assert run("object.omi_physics_make_wheels") == {"FINISHED"}
    bpy.context.view_layer.update()
    assert tuple(wheels[0].parent.matrix_world.to_euler()) == pytest.approx((0, 0, 0), abs=1e-5)
    assert "4 not round about an axle across the front -Y" in capfd.readouterr().out


@pytest.mark.parametrize(("drive", "driven"), [("FRONT", 2), ("REAR", 2), ("ALL", 4)])
def test_drive(drive, driven):
    chassis = box("Chassis", 1.8, 4.0, 0.6)
    wheels = four_wheels()
    select(chassis, *wheels, active=chassis)
    run("object.omi_physics_make_wheels", drive=drive, steering=0.5, use_collider=False)
    settings = {w: w.parent.omi_physics.wheel for w in wheels}
    pushing = [w for w, s in settings.items() if s.max_propulsion_force > 0.0]
    assert len(pushing) == driven
    if drive == "FRONT":
        assert all(w.matrix_world.translation.y < 0.0 for w in pushing)
    assert {round(s.max_steering_angle, 4) for s in settings.values()} == {0.0, 0.5}
    assert not chassis.omi_physics.use_collider


def test_make_wheels_twice_adds_nothing():
    chassis = box("Chassis", 1.8, 4.0, 0.6)
    wheels = four_wheels()
    select(chassis, *wheels, active=chassis)
    run("object.omi_physics_make_wheels")
    count = len(bpy.data.objects)
    holders = [w.parent for w in wheels]
    for again in (wheels, holders, wheels + holders):
        select(chassis, *again, active=chassis)
        assert run("object.omi_physics_make_wheels", drive="ALL") == {"FINISHED"}
        assert len(bpy.data.objects) == count
        assert [w.parent for w in wheels] == holders
    assert all(h.omi_physics.wheel.max_propulsion_force > 0.0 for h in holders)


def test_make_wheels_leaves_out_what_cannot_be_one():
    chassis = box("Chassis", 1.8, 4.0, 0.6)
    above, body = add("Above"), add("Body")
    chassis.parent = above
    add_body(body)
    select(chassis, above, body, active=chassis)
    assert run("object.omi_physics_make_wheels") == {"CANCELLED"}
    assert not chassis.omi_physics.use_vehicle_body
    select(chassis)
    assert not can("object.omi_physics_make_wheels")
    select()
    assert not can("object.omi_physics_make_wheels")


def test_undo_of_a_car():
    chassis = box("Chassis", 1.8, 4.0, 0.6)
    wheels = four_wheels()
    select(chassis, *wheels, active=chassis)
    bpy.ops.ed.undo_push(message="Before")
    run("object.omi_physics_make_wheels")
    bpy.ops.ed.undo_push(message="After")
    assert len(bpy.data.objects) == 9
    bpy.ops.ed.undo()
    assert len(bpy.data.objects) == 5
    assert not bpy.data.objects["Chassis"].omi_physics.use_vehicle_body
    bpy.ops.ed.redo()
    assert len(bpy.data.objects) == 9


def test_empties_can_be_wheels():
    chassis = box("Chassis", 1.8, 4.0, 0.6)
    wheel = add("Wheel", location=(0.9, 1.3, 0.0))
    select(chassis, wheel, active=chassis)
    assert run("object.omi_physics_make_wheels") == {"FINISHED"}
    assert (wheel.parent, wheel.omi_physics.use_wheel) == (chassis, True)


def test_the_mass_of_a_new_chassis_can_be_chosen():
    chassis = box("Chassis", 1.8, 4.0, 0.6)
    wheels = four_wheels()
    select(chassis, *wheels, active=chassis)
    run("object.omi_physics_make_wheels", mass=1234.0)
    assert chassis.omi_physics.motion.mass == 1234.0


def test_a_wheel_is_no_chassis():
    wheels = four_wheels()
    wheels[0].omi_physics.use_wheel = True
    select(*wheels, active=wheels[0])
    assert run("object.omi_physics_make_wheels") == {"CANCELLED"}
    assert not wheels[0].omi_physics.use_vehicle_body


def test_wheels_of_another_vehicle_are_taken_over():
    first, second = box("First", 1.8, 4.0, 0.6), box("Second", 1.8, 4.0, 0.6)
    wheels = four_wheels()
    select(first, *wheels, active=first)
    run("object.omi_physics_make_wheels")
    holders = [w.parent for w in wheels]
    select(second, *wheels, active=second)
    assert run("object.omi_physics_make_wheels") == {"FINISHED"}
    assert [w.parent for w in wheels] == holders
    assert {h.parent for h in holders} == {second}
