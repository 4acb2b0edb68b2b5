"""Rig Vehicle finds wheels and front from the chassis alone, and what it makes drives."""

from __future__ import annotations

import math
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from omi_physics_addon.blender.authoring import starting_values
from omi_physics_addon.blender.authoring.rigging import vehicle_rig
from omi_physics_addon.blender.base.mesh_arrays import children_of_all
from omi_physics_addon.blender.operators.rigging.rig_vehicle import (
    OMIPHYSICS_OT_rig_vehicle as Rig,
)
from omi_physics_addon.blender.preview import player
from tests.blender.operators.test_bodies import can, cloud, run, select
from tests.blender.support.preview_scenes import at, axes, floor, gravity, place, play
from tests.blender.support.preview_scenes import run as play_on
from tests.blender.support.scenes import add, add_body, cube_mesh
from tests.support.vehicle_shapes import VEHICLES, Shape, Vehicle

NAMES = tuple(VEHICLES)
CORPUS_RADIUS = 0.296435 / math.cos(math.pi / 12)  # Of twelve corners, none of them on top.
RIG = "object.omi_physics_rig_vehicle"


def update() -> None:
    layer: Any = bpy.context.view_layer
    layer.update()


def solid(shape: Shape, world: Matrix, own: Matrix, parent: Any = None) -> Any:
    """An object that shows a shape of a vehicle that is placed so, whatever its own place is."""
    into = np.array(own.inverted() @ world)
    points = shape.points @ into[:3, :3].T + into[:3, 3]
    obj = cloud(shape.name, points)
    obj.parent = parent
    obj.matrix_world = own
    return obj


def build(vehicle: Vehicle, world: Matrix | None = None, seed: int = 0, below: bool = False) -> Any:
    """The objects of a vehicle, their origins, turns and scales by chance; returns the chassis."""
    random = np.random.default_rng(seed)
    world = Matrix() if world is None else world
    chassis = solid(vehicle.parts[0], world, world)
    update()
    for shape in vehicle.parts[1:]:
        own = Matrix.LocRotScale(
            world @ Vector(shape.points.mean(axis=0).tolist()),
            Matrix.Rotation(random.uniform(-3.0, 3.0), 3, "X").to_quaternion(),
            Vector(random.uniform(0.5, 2.0, 3).tolist())
            * (1.0 if random.uniform() > 0.3 else -1.0),
        )
        solid(shape, world, own, chassis if below else None)
    update()
    select(chassis)
    return chassis


def every() -> list[Any]:
    return list(bpy.data.objects)


def named(name: str) -> Any:
    return bpy.data.objects[name]


def wheels_of(vehicle: Any) -> list[Any]:
    return starting_values.parts_below(vehicle, "wheel", children_of_all())


def rigged(**options: Any) -> Any:
    assert run(RIG, **options) == {"FINISHED"}
    update()
    return bpy.context.object


def check(vehicle: Any, expected: Vehicle, world: Matrix) -> None:
    """Wheel count, radii, axles and front."""
    size = world.to_scale().x
    turn = world.to_3x3().normalized()
    wheels = wheels_of(vehicle)
    radii = sorted(obj.omi_physics.wheel.radius for obj in wheels)
    assert radii == pytest.approx([abs(size) * radius for radius in expected.radii], rel=0.02)
    own = vehicle.matrix_world.to_3x3().normalized()
    assert (own @ Vector((0, -1, 0))).dot(turn @ Vector((0, 1, 0))) > 0.999
    assert (own @ Vector((0, 0, 1))).dot(turn @ Vector((0, 0, 1))) > 0.999
    assert all(abs(s - 1.0) < 1e-3 for s in vehicle.matrix_world.to_scale())
    for obj in wheels:
        axle = obj.matrix_world.to_3x3() @ Vector((1, 0, 0))
        assert axle.length == pytest.approx(1.0, abs=1e-4)
        assert abs(axle.dot(turn @ Vector((1, 0, 0)))) > 0.9


def drive(*vehicles: Any) -> None:
    """Each moves along its front after three seconds of full drive, and is upright."""
    for vehicle in vehicles:
        vehicle.omi_physics.vehicle_body.linear_activation = (0.0, -1.0, 0.0)
    update()
    session = play(show=False)
    play_on(session, 3.0)
    for vehicle in vehicles:
        x, y, z = session.state.velocity[at(session, vehicle.name)]
        front, up = -axes(session, vehicle.name)[:, 1], axes(session, vehicle.name)[:, 2]
        assert np.array([x, -z, y]) @ front > 1.0, vehicle.name
        assert up[2] > 0.95 or abs(front[2]) > 0.95, vehicle.name
    player.stop()


@pytest.mark.parametrize("name", NAMES)
def test_wheels_and_front_are_found(name: str) -> None:
    world = Matrix.LocRotScale(
        Vector((5, 1, 2)), Matrix.Rotation(0.7, 3, "Z").to_quaternion(), None
    )
    build(VEHICLES[name], world, 3, below=True)
    check(rigged(), VEHICLES[name], world)


def test_each_drives_forward() -> None:
    vehicles: list[Any] = []
    for i, name in enumerate(NAMES):
        world = Matrix.Translation((15.0 * i, 0.0, 0.0))
        build(VEHICLES[name], world, i)
        vehicles.append(rigged())
        check(vehicles[-1], VEHICLES[name], world)
    gravity()
    floor(size=600.0)
    drive(*vehicles)


def moved_up(vehicles: list[Any], seconds: float = 4.0) -> dict[str, float]:
    """How far the hubs of vehicles, once they rest, are from their height before, m."""
    session = play(show=False)
    play_on(session, seconds)
    found: dict[str, float] = {}
    for vehicle in vehicles:
        turn, origin = axes(session, vehicle.name), place(session, vehicle.name)
        into = np.array(vehicle.matrix_world.inverted())
        for obj in wheels_of(vehicle):
            node = into @ [*obj.matrix_world.translation, 1.0]
            rise = (turn @ node[:3] + origin)[2] - obj.matrix_world.translation.z
            found[vehicle.name] = max(found.get(vehicle.name, 0.0), abs(rise))
    player.stop()
    return found


def test_each_stands_where_it_is_modeled() -> None:
    vehicles: list[Any] = []
    for i, name in enumerate(NAMES):
        build(VEHICLES[name], Matrix.Translation((15.0 * i, 0.0, 0.0)), i)
        vehicles.append(rigged())
    gravity()
    floor(size=600.0)
    assert {name: far for name, far in moved_up(vehicles).items() if far > 0.01} == {}


def test_wheels_that_stay_lift_their_vehicle() -> None:
    build(VEHICLES["car"])
    vehicle = rigged(use_stand=False)
    heights = [obj.matrix_world.translation.z for obj in wheels_of(vehicle)]
    assert heights == pytest.approx([0.33] * 4, abs=1e-4)
    gravity()
    floor()
    assert moved_up([vehicle])[vehicle.name] == pytest.approx(0.25 * 2.0 / 3.0, abs=0.01)


@pytest.mark.parametrize("name", ["car", "truck", "simple"])
def test_a_scaled_and_mirrored_vehicle_is_rigged_alike(name: str) -> None:
    for scale in ((0.1, 0.1, 0.1), (-2.0, 2.0, 2.0)):
        bpy.ops.wm.read_homefile(use_empty=True)
        world = Matrix.LocRotScale(Vector((5, 1, 2)), None, Vector(scale))
        build(VEHICLES[name], world, 5, True)
        vehicle = rigged()
        assert vehicle.type == "EMPTY"
        turn = Matrix.LocRotScale(Vector((5, 1, 2)), None, Vector((abs(scale[0]),) * 3))
        check(vehicle, VEHICLES[name], turn)


def stripped(name: str, chassis: str) -> list[Any]:
    """Import a published vehicle, and take all physics from it; where its wheels were."""
    corpus = os.environ.get("OMI_PHYSICS_CORPUS")
    if not corpus:
        pytest.skip("OMI_PHYSICS_CORPUS names no folder with published examples")
    (source,) = Path(corpus).glob(f"**/{name}.gltf")
    old = set(every())
    assert bpy.ops.import_scene.gltf(filepath=str(source)) == {"FINISHED"}
    update()
    new = [obj for obj in every() if obj not in old]
    wheels = [obj for obj in new if obj.omi_physics.use_wheel]
    for obj in new:
        obj.property_unset("omi_physics")
    select(next(obj for obj in new if obj.name.partition(".")[0] == chassis))
    return [obj.matrix_world.translation.copy() for obj in wheels]


CARS = ("corpus/omi/OMI_vehicle_wheel/simple_car", "vehicle_first*/*/examples/simple_car")


@pytest.mark.parametrize("name", CARS)
def test_the_corpus_s_car_is_rigged_from_its_meshes(name: str) -> None:
    """Its wheels and front come back once all physics is taken from it."""
    before = stripped(name, "SimpleCar")
    vehicle = rigged()
    wheels = wheels_of(vehicle)
    assert len(wheels) == len(before) == 4
    for obj in wheels:
        where, travel = obj.matrix_world.translation, obj.omi_physics.wheel.suspension_travel
        assert min((where - known).xy.length for known in before) < 0.02
        assert where.z - before[0].z == pytest.approx(travel * 2.0 / 3.0, abs=0.02)
        # Its wheels are told to be larger than their meshes are.
        assert obj.omi_physics.wheel.radius == pytest.approx(CORPUS_RADIUS, rel=0.02)
    assert (vehicle.matrix_world.to_3x3() @ Vector((0, -1, 0))).y < -0.999
    gravity()
    floor().location.z = -1.0 + before[0].z - CORPUS_RADIUS
    update()
    assert moved_up([vehicle])[vehicle.name] < 0.01
    drive(vehicle)


# Name of the file, of its body, which its mesh is of, kind, and how many parts move it.
CRAFTS = (
    ("omi/OMI_vehicle_thruster/rocket_ship", "RocketShipBody", "ROCKET", 1),
    ("omi/OMI_vehicle_thruster/simple_spaceship", "SimpleSpaceshipBody", "SPACESHIP", 6),
    ("omi/OMI_vehicle_hover_thruster/hovercraft", "HovercraftBody", "HOVERCRAFT", 6),
)


@pytest.mark.parametrize(("name", "chassis", "kind", "count"), CRAFTS)
def test_the_corpus_s_crafts_are_rigged_from_their_meshes(
    name: str, chassis: str, kind: str, count: int
) -> None:
    assert stripped(name, chassis) == []
    assert run(RIG) == {"CANCELLED"}
    vehicle = rigged(kind=kind)
    assert (vehicle.matrix_world.to_3x3() @ Vector((0, -1, 0))).y < -0.999
    assert len(movers(vehicle)) == count
    if kind == "HOVERCRAFT":
        gravity()
        floor().location.z = -1.0 - 1.2
    else:
        gravity(0.0)
    drive(vehicle)


def movers(vehicle: Any) -> list[Any]:
    """The thrusters of a vehicle, of both kinds."""
    children = children_of_all()
    kinds = ("thruster", "hover_thruster")
    return [obj for kind in kinds for obj in starting_values.parts_below(vehicle, kind, children)]


def craft(size: Any = (2.0, 4.0, 1.0), at_height: float = 0.0) -> Any:
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2.0
    obj = cloud("Craft", corners * size, location=(0.0, 0.0, at_height))
    select(obj)
    return obj


@pytest.mark.parametrize(
    ("kind", "size", "count"),
    [
        ("HOVERCRAFT", (2.0, 4.0, 1.0), 6),
        ("ROCKET", (1.0, 1.0, 8.0), 1),
        ("ROCKET", (1.0, 8.0, 1.0), 1),
        ("SPACESHIP", (4.0, 6.0, 1.0), 6),
    ],
)
def test_vehicles_without_wheels_move_forward(kind: str, size: Any, count: int) -> None:
    craft(size, size[2] / 2.0 + 0.3)
    vehicle = rigged(kind=kind)
    assert len(movers(vehicle)) == count
    if kind == "SPACESHIP":
        gravity(0.0)
    else:
        gravity()
        floor()
    drive(vehicle)
    again = rigged(kind=kind)
    assert again == vehicle
    assert len(bpy.data.objects) == 1 + count + (kind != "SPACESHIP") + (vehicle.name != "Craft")


def test_a_chassis_without_wheels_is_refused_and_nothing_changes() -> None:
    obj = craft()
    add("Rod", cube_mesh(), location=(0.0, 0.0, -0.6))
    for kind in ("AUTO", "CAR"):
        select(obj)
        assert run(RIG, kind=kind) == {"CANCELLED"}
    assert not obj.omi_physics.use_vehicle_body
    assert not obj.omi_physics.use_motion
    assert len(bpy.data.objects) == 2


def test_the_front_can_be_chosen_and_the_report_says_what_told_it(capfd: Any) -> None:
    build(VEHICLES["jeep"])
    rigged()
    assert named("Fifth").parent.name == "Jeep Vehicle"
    assert (
        "Car with 4 wheels; the front is +Y, detected from the spare wheel"
        in capfd.readouterr().out
    )
    bpy.ops.wm.read_homefile(use_empty=True)
    build(VEHICLES["jeep"])
    vehicle = rigged(front="-Y", kind="TRUCK", mass=1234.0)
    assert vehicle.name == "Jeep"
    assert vehicle.omi_physics.motion.mass == 1234.0
    assert "Truck with 4 wheels; the front is -Y, as chosen" in capfd.readouterr().out


def test_what_is_in_the_vehicle_rides_along_and_others_stay() -> None:
    build(VEHICLES["car"])
    wide, far = add("Road", cube_mesh()), add("Tree", cube_mesh(), location=(9.0, 0.0, 0.0))
    wide.scale = (20.0, 20.0, 0.1)
    crate = add("Crate", cube_mesh(), location=(0.0, -1.0, 0.9))
    crate.scale = (0.2, 0.2, 0.2)
    add_body(crate)
    select(named("Car"))
    vehicle = rigged()
    assert [named(name).parent for name in ("Helm", "Lamp", "Lamp.001")] == [vehicle] * 3
    assert [obj.parent for obj in (wide, far, crate)] == [None] * 3


def test_rims_turn_with_the_wheel_and_a_second_time_adds_nothing() -> None:
    build(VEHICLES["simple"])
    vehicle = rigged()
    count, wheels = len(bpy.data.objects), set(wheels_of(vehicle))
    for end in ("FL", "FR", "RL", "RR"):
        holders = {named(f"{part}_{end}").parent for part in ("Tire", "Rim", "Disc")}
        assert len(holders) == 1
        assert holders < wheels
    for chassis in (vehicle, named("Simple")):
        select(chassis)
        assert rigged(kind="TRUCK") == vehicle
        assert (len(bpy.data.objects), set(wheels_of(vehicle))) == (count, wheels)


def test_the_wheels_of_a_car_nearby_are_left_alone() -> None:
    build(VEHICLES["car"], below=True)
    build(VEHICLES["jeep"], Matrix.Translation((2.2, 0.0, 0.0)), below=True)
    select(named("Car"))
    assert len(wheels_of(rigged())) == 4
    assert all(obj.parent.name == "Jeep" for obj in every() if obj.name == "Fifth")


def test_one_undo_step_takes_a_vehicle_back() -> None:
    build(VEHICLES["car"])
    bpy.ops.ed.undo_push(message="Before")
    count = len(bpy.data.objects)
    rigged()
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    assert len(bpy.data.objects) == count
    assert not any(obj.omi_physics.use_vehicle_body for obj in every())
    assert not any(obj.omi_physics.use_wheel for obj in every())


def test_wheels_and_linked_objects_are_no_chassis() -> None:
    wheel = add("Wheel", cube_mesh())
    wheel.omi_physics.use_wheel = True
    select(wheel)
    assert not can(RIG)
    select()
    assert not can(RIG)
    assert math.isclose(wheel.omi_physics.wheel.radius, 0.25)


def four_wheels() -> tuple[Any, list[Any]]:
    """A box and four cylinders, of which nothing tells the front, and one more beside it."""
    box = add("Object_12", cube_mesh("Box"), location=(0.0, 0.0, 0.8))
    box.data.transform(Matrix.Diagonal((1.6, 3.6, 0.6, 1.0)))
    wheels: list[Any] = []
    for i, (x, y) in enumerate([(-0.9, -1.2), (0.9, -1.2), (-0.9, 1.2), (0.9, 1.2), (2.5, 0.0)]):
        bpy.ops.mesh.primitive_cylinder_add(
            radius=0.35, depth=0.25, location=(x, y, 0.35), rotation=(0.0, math.pi / 2.0, 0.0)
        )
        bpy.context.object.name = f"Round {i}"
        wheels.append(bpy.context.object)
    update()
    return box, wheels


def test_a_front_that_nothing_tells_is_a_warning(capfd: Any) -> None:
    box, _ = four_wheels()
    select(box)
    rigged()
    told = capfd.readouterr().out
    assert "Warning: Car with 4 wheels" in told
    assert (
        "the front could not be detected, so -Y is assumed. Change Front at the lower left" in told
    )


def test_wheels_that_lie_along_the_front_are_told_with_it(capfd: Any) -> None:
    box, wheels = four_wheels()
    select(*wheels[:4], box, active=box)
    rigged(front="+X")
    told = capfd.readouterr().out
    assert "Warning: Car with 4 wheels; the front is +X, as chosen; " in told
    assert "4 not across the vehicle: choose another Front" in told


def test_wheels_that_are_selected_are_the_wheels() -> None:
    box, wheels = four_wheels()
    select(*wheels[:2], wheels[4], box, active=box)
    vehicle = rigged(kind="CAR")
    assert len(wheels_of(vehicle)) == 3
    assert wheels[2].parent is None


@pytest.mark.parametrize("turned", [False, True])
def test_only_the_vehicle_is_selected_afterwards(turned: bool) -> None:
    """Meshes of its wheels are no next step, and would be told as objects without physics."""
    box, wheels = four_wheels()
    select(*wheels[:4], box, active=box)
    vehicle = rigged(kind="CAR", front="+X" if turned else "AUTO")
    assert vehicle.omi_physics.use_vehicle_body
    assert bpy.context.selected_objects == [vehicle]
    assert bpy.context.object == vehicle


def test_the_mesh_of_a_wheel_is_no_chassis() -> None:
    """A press with the wheels selected made a motorcycle of one wheel out of them."""
    box, wheels = four_wheels()
    select(*wheels[:4], box, active=box)
    rigged(kind="CAR")
    assert all(wheel.parent.omi_physics.use_wheel for wheel in wheels[:4])
    select(*wheels[:2])
    assert not can(RIG)
    assert sum(obj.omi_physics.use_vehicle_body for obj in every()) == 1


def test_what_is_selected_is_a_wheel_even_where_it_is_not_round() -> None:
    box, _ = four_wheels()
    corners = [
        add(f"Square {i}", cube_mesh(f"Square {i}"), location=(x, y, 0.0))
        for i, (x, y) in enumerate([(-1.0, -1.5), (1.0, -1.5), (-1.0, 1.5), (1.0, 1.5)])
    ]
    select(*corners, box, active=box)
    vehicle = rigged()
    assert {obj.parent for obj in corners} | set(corners) >= set(wheels_of(vehicle))
    assert len(wheels_of(vehicle)) == 4
    select(*corners, box, active=box)
    assert rigged() == vehicle
    assert len(wheels_of(vehicle)) == 4


def join(*objects: Any) -> Any:
    """The objects as one, as Blender's Join makes it of them."""
    select(*objects, active=objects[0])
    bpy.ops.object.join()
    update()
    return objects[0]


def test_joined_wheels_are_told_and_separated_when_that_is_asked_for(capfd: Any) -> None:
    box, wheels = four_wheels()
    bpy.data.objects.remove(wheels.pop())
    tires = join(*wheels)
    tires.name = "Tires"
    twin = add("Twin", tires.data, location=(9.0, 0.0, 0.0))
    select(box)
    bpy.ops.ed.undo_push(message="Before")
    assert run(RIG) == {"CANCELLED"}
    assert "4 wheels are joined in Tires: turn on Separate Wheels" in capfd.readouterr().out
    assert not box.omi_physics.use_vehicle_body
    count, vertices = len(bpy.data.objects), len(twin.data.vertices)
    vehicle = rigged(use_separate=True)
    assert "Car with 4 wheels" in capfd.readouterr().out
    assert len(wheels_of(vehicle)) == 4
    assert len(bpy.data.objects) == count + 3 + 4  # The cylinders were turned about Y.
    for wheel in wheels_of(vehicle):
        assert wheel.omi_physics.wheel.radius == pytest.approx(0.35, rel=0.01)
        (tire,) = wheel.children
        assert len(tire.data.vertices) == vertices // 4
        assert (tire.matrix_world.translation - wheel.matrix_world.translation).length < 1e-3
    assert len(twin.data.vertices) == vertices
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    assert len(bpy.data.objects) == count
    assert len(named("Tires").data.vertices) == vertices


def test_wheels_that_are_joined_with_the_chassis_or_in_pairs_are_separated() -> None:
    box, wheels = four_wheels()
    bpy.data.objects.remove(wheels.pop())
    front = join(*wheels[:2])
    whole = join(box, *wheels[2:])
    whole.omi_physics.use_collider = True
    select(front, whole, active=whole)
    vehicle = rigged(use_separate=True)
    assert len(wheels_of(vehicle)) == 4
    assert len(whole.data.vertices) == 8
    assert [obj.name for obj in every() if obj.omi_physics.use_collider] == [whole.name]
    assert sorted(obj.name for obj in every() if obj.type == "MESH") == [
        "Object_12",
        "Object_12 Wheel",
        "Object_12 Wheel.001",
        "Round 0",
        "Round 0 Wheel",
    ]
    assert rigged(use_separate=True) == vehicle  # There is nothing left to separate.
    assert len(wheels_of(vehicle)) == 4


def test_wheels_that_were_separated_for_no_vehicle_can_be_undone(monkeypatch: Any) -> None:
    """Which needs a finished operator: Blender makes no step of what a cancelled one changed."""
    box, wheels = four_wheels()
    bpy.data.objects.remove(wheels.pop())
    join(*wheels).name = "Tires"
    count, found = len(bpy.data.objects), vehicle_rig.find_parts
    calls: list[Any] = []

    def at_first(*given: Any) -> Any:
        parts = found(*given)
        calls.append(parts)
        if len(calls) > 1:
            parts.wheels = None
        return parts

    monkeypatch.setattr(vehicle_rig, "find_parts", at_first)
    select(box)
    bpy.ops.ed.undo_push(message="Before")
    assert run(RIG, use_separate=True) == {"FINISHED"}
    assert len(calls) == 2
    assert len(bpy.data.objects) == count + 3
    assert not box.omi_physics.use_vehicle_body
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    assert len(bpy.data.objects) == count


@pytest.mark.parametrize("is_shown", [False, True])
def test_wheels_of_a_linked_mesh_leave_their_library_as_it_is(
    tmp_path: Path, is_shown: bool
) -> None:
    """Whether the linked object is there, too, or the local one is all that has the mesh."""
    _, wheels = four_wheels()
    bpy.data.objects.remove(wheels.pop())
    tires = join(*wheels)
    tires.shape_key_add(name="Basis")
    tires.shape_key_add(name="Flat")
    bpy.data.libraries.write(str(tmp_path / "tires.blend"), {tires})
    bpy.ops.wm.read_homefile(use_empty=True)
    box, wheels = four_wheels()
    for wheel in wheels:
        bpy.data.objects.remove(wheel)
    with bpy.data.libraries.load(str(tmp_path / "tires.blend"), link=True) as (given, wanted):
        wanted.objects = given.objects
    linked = wanted.objects[0]
    local = linked.copy()
    bpy.context.scene.collection.objects.link(local)
    mesh = linked.data
    if not is_shown:
        bpy.data.objects.remove(linked)
    update()
    vertices = len(mesh.vertices)
    select(box)
    vehicle = rigged(use_separate=True)
    assert len(wheels_of(vehicle)) == 4
    assert len(mesh.vertices) == vertices
    made = [obj for wheel in wheels_of(vehicle) for obj in (wheel, *wheel.children)]
    meshes = [obj.data for obj in made if obj.type == "MESH"]
    assert [len(each.vertices) for each in meshes] == [vertices // 4] * 4
    assert all(each.shape_keys.key_blocks.keys() == ["Basis", "Flat"] for each in meshes)


def test_a_press_on_joined_wheels_asks_and_separates_nothing_yet(monkeypatch: Any) -> None:
    box, wheels = four_wheels()
    join(*wheels[:4])
    select(box)
    asked: list[dict[str, Any]] = []
    chosen = SimpleNamespace(
        bl_label="Make Vehicle",
        mass=0.0,
        kind="AUTO",
        front="AUTO",
        use_collider=True,
        use_stand=True,
        use_separate=False,
    )
    chosen._make = lambda context: Rig._make(chosen, context)  # pyright: ignore
    manager = SimpleNamespace(
        invoke_confirm=lambda *_given, **how: asked.append(how) or {"RUNNING_MODAL"}
    )
    context = SimpleNamespace(
        object=box,
        scene=bpy.context.scene,
        view_layer=bpy.context.view_layer,
        selected_objects=[box],
        selected_editable_objects=[box],
        window_manager=manager,
    )
    assert Rig.invoke(chosen, context, None) == {"RUNNING_MODAL"}  # pyright: ignore
    assert asked[0]["message"] == "4 wheels are joined in Round 0"
    assert chosen.use_separate
    assert not box.omi_physics.use_vehicle_body
