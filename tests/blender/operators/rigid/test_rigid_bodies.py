"""Blender's rigid bodies and constraints become ours and come back equal; both play alike."""

from __future__ import annotations

import math
import random
import time
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.authoring.rigid import giving_back, taking_over
from omi_physics_addon.blender.base import reports
from tests.blender.support.preview_scenes import place, play, run
from tests.blender.support.rigid_worlds import (
    SHAPES,
    TYPES,
    constraint,
    dump,
    forget,
    give,
    rigid,
    take,
    world,
)
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.support import pace

SIZES = {"CAPSULE": (1.0, 1.0, 3.0), "BOX": (1.0, 2.0, 0.5)}
UPRIGHT = (0.0, math.pi / 2.0, 0.0)  # The X axis of a constraint points down.


def issues(kind: Any) -> list[tuple[str, str, str]]:
    """Code, object and message of what the last run told."""
    return [(i.code, i.pointer, i.message) for i in reports.latest(kind).issues]


def there_and_back() -> tuple[Any, Any]:
    """What Blender has, and what it has again after all of it was ours alone."""
    before = dump()
    assert take() == {"FINISHED"}
    forget()
    assert give() == {"FINISHED"}
    return before, dump()


@pytest.mark.parametrize("kind", SHAPES)
def test_shapes_come_back(kind):
    values = {"mass": 3.5, "friction": 0.25, "restitution": 0.75, "linear_damping": 0.3}
    rigid("Body", size=SIZES.get(kind, (1.0, 1.0, 1.0)), collision_shape=kind, **values)
    before, after = there_and_back()
    assert after == before
    assert before["body Body"]["collision_shape"] == kind


@pytest.mark.usefixtures("stopped_preview")
@pytest.mark.parametrize("kind", ["SPHERE", "CAPSULE", "CYLINDER", "CONE", "BOX"])
@pytest.mark.parametrize("scale", [(1.0, 1.5, 2.5), (-1.2, 1.2, 0.8)])
def test_shapes_with_an_uneven_scale_keep_the_size_that_blender_plays(kind, scale):
    floor = rigid("Floor", (0.0, 0.0, -1.0), (40.0, 40.0, 1.0), type="PASSIVE")
    body = rigid("Body", (0.0, 0.0, 6.0), (0.4, 0.5, 2.0), collision_shape=kind)
    floor.rigid_body.collision_shape = "BOX"
    body.rigid_body.angular_damping = 1.0
    for obj in (floor, body):
        obj.rigid_body.use_margin, obj.rigid_body.collision_margin = True, 0.0
    body.rotation_euler, body.scale = (math.pi / 2.0, 0.0, 0.0), scale
    scene = bpy.context.scene
    for frame in range(1, 80):
        scene.frame_set(frame)
    lies = body.matrix_world.translation.z
    scene.frame_set(1)
    before, after = there_and_back()
    assert after == before
    forget()
    session = play()
    run(session, 3.0)
    assert place(session, "Body")[2] == pytest.approx(lies, abs=0.02)


def test_every_value_comes_back():
    margin = {"use_margin": True, "collision_margin": 0.01, "mesh_source": "BASE"}
    idle = {"use_deactivation": True, "use_start_deactivated": True}
    idle |= {"deactivate_linear_velocity": 0.1, "deactivate_angular_velocity": 0.2}
    rigid("Sleepy", angular_damping=0.7, **margin, **idle)
    rigid("Moved", type="PASSIVE", kinematic=True, mass=4.0)
    rigid("Animated", kinematic=True)
    rigid("Off", enabled=False)
    rigid("Flat", size=(1.0, 1.0, 0.0), collision_shape="BOX", type="PASSIVE")
    rigid("Ball", size=(1.0, 1.0, 0.5), collision_shape="CAPSULE")
    rigid("Elsewhere", collision_collections=[False, True, True] + [False] * 17)
    rigid("Nowhere", collision_collections=[False] * 20)
    before, after = there_and_back()
    assert after == before


@pytest.mark.parametrize("kind", ["CONVEX_HULL", "MESH", "BOX"])
@pytest.mark.parametrize("source", ["BASE", "DEFORM", "FINAL"])
@pytest.mark.parametrize("modifier", ["SUBSURF", "SMOOTH"])
def test_modifiers_count_as_blender_counts_them(kind, source, modifier):
    obj = rigid("Body", collision_shape=kind, mesh_source=source, type="PASSIVE")
    obj.modifiers.new("Change", modifier)
    bpy.context.view_layer.update()
    before, after = there_and_back()
    assert after == before
    shape = obj.omi_physics.collider.shape
    is_bare = source == "BASE" or (source == "DEFORM" and modifier == "SUBSURF")
    if kind != "BOX":
        assert shape.mesh_source == ("DATA" if is_bare else "OWN")
        assert shape.mesh == (obj.data if is_bare else None)
    obj.omi_physics.property_unset("collider")
    obj.omi_physics.property_unset("motion")
    add_collider(obj, "CONVEX")  # Ours, with all modifiers.
    give()
    assert obj.rigid_body.mesh_source == "FINAL"


def test_compound_comes_back():
    second = [False, True] + [False] * 18
    whole = rigid("Whole", collision_shape="COMPOUND", friction=0.9, collision_collections=second)
    for number, kind in enumerate(("BOX", "SPHERE", "COMPOUND")):
        part = rigid(f"Part {number}", (0.0, 0.0, 2.0 * number), collision_shape=kind)
        part.parent = whole
    below = rigid("Below", (1.0, 0.0, 0.0), collision_shape="CYLINDER")
    below.parent = part
    before, after = there_and_back()
    assert after == before
    physics = {obj.name: obj.omi_physics for obj in bpy.context.scene.objects}
    assert [name for name, group in physics.items() if group.use_motion] == ["Whole"]
    parts = {"Part 0": "BOX", "Part 1": "SPHERE", "Part 2": "NONE", "Below": "CYLINDER"}
    colliders = {name: group.collider for name, group in physics.items() if group.use_collider}
    assert {name: collider.shape.type for name, collider in colliders.items()} == parts
    of_whole = {"Part 0", "Part 1", "Below"}  # What has a shape is in the collection of the whole.
    assert {n for n, c in colliders.items() if c.collision_filter == "Collision 2"} == of_whole


@pytest.mark.parametrize("kind", TYPES)
def test_constraints_come_back(kind):
    ends = rigid("A"), rigid("B", (2.0, 0.0, 0.0))
    tie = constraint("Tie", kind, ends, (1.0, 0.0, 0.0), disable_collisions=False)
    tie.rotation_euler = (0.1, 0.2, 0.3)
    before, after = there_and_back()
    assert after == before
    assert bpy.data.objects["Tie"].parent == ends[0]


@pytest.mark.parametrize("seed", range(6))
def test_any_world_comes_back(seed):
    """Bodies and constraints with any values, on empties, on their bodies, and in hierarchies."""
    chance = random.Random(seed)
    bodies = [rigid(f"Body {n}", (3.0 * n, 0.0, 0.0)) for n in range(4)]
    for obj in bodies:
        _shake(chance, obj.rigid_body, leave=("enabled",))
        obj.rigid_body.collision_shape = chance.choice(SHAPES)
    for number in range(8):
        ends = chance.sample(bodies, 2)
        tie = constraint(f"Tie {number}", chance.choice(TYPES), ends)
        kind = tie.rigid_body_constraint.type
        _shake(chance, tie.rigid_body_constraint, leave=("enabled", "type"))
        assert tie.rigid_body_constraint.type == kind
        tie.location = [chance.uniform(-1.0, 1.0) for _ in range(3)]
        if chance.random() < 0.4:
            tie.parent = chance.choice(bodies)
    on_body = bodies[0]
    world().constraints.objects.link(on_body)
    on_body.rigid_body_constraint.object1, on_body.rigid_body_constraint.object2 = bodies[1::-1]
    before, after = there_and_back()
    assert after == before
    take()
    give()
    assert dump() == before


def _shake(chance: random.Random, data: Any, leave: tuple[str, ...]) -> None:
    """Give all properties values by chance."""
    for prop in data.bl_rna.properties:
        name = prop.identifier
        if prop.is_readonly or name in leave or chance.random() < 0.5:
            continue
        if prop.type == "BOOLEAN" and prop.is_array:
            setattr(data, name, [chance.random() < 0.3 for _ in range(prop.array_length)])
        elif prop.type == "BOOLEAN":
            setattr(data, name, chance.random() < 0.5)
        elif prop.type == "FLOAT":
            low, high = max(prop.hard_min, -3.0), min(prop.hard_max, 3.0)
            setattr(data, name, chance.uniform(low, high))
        elif prop.type == "ENUM" and name != "collision_shape":
            setattr(data, name, chance.choice([item.identifier for item in prop.enum_items]))


def test_values_travel_through_a_file(export, tmp_path):
    """What glTF does not know travels in extras."""
    ends = rigid("A", linear_damping=0.2), rigid("B", (2.0, 0.0, 0.0), collision_shape="BOX")
    constraint("Tie", "HINGE", ends, use_breaking=True, breaking_threshold=3.0)
    before = dump()
    take()
    export()
    bpy.data.batch_remove(list(bpy.data.objects))
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "scene.gltf"))
    give()
    assert dump() == before


def test_losses_are_told_by_object():
    box = rigid("Box", use_start_deactivated=True, collision_shape="BOX")
    for vertex in box.data.vertices:
        vertex.co.x += 3.0
    rigid("Empty Compound", collision_shape="COMPOUND")
    ends = box, rigid("Floor", type="PASSIVE")
    constraint("Off", "HINGE", ends, enabled=False)
    constraint("Loose", "HINGE", (box, None))
    constraint("Same", "HINGE", (box, box))
    constraint("Weak", "FIXED", ends, use_breaking=True)
    take()
    told = {(code, name): text for code, name, text in issues("IMPORT")}
    texts = [text for code, name, text in issues("IMPORT") if name == "Box"]
    assert any("deactivated at the start" in text for text in texts)
    assert any("centered on the object's origin" in text for text in texts)
    assert "no child shapes" in told["X61", "Empty Compound"]
    assert "switched off" in told["X61", "Off"]
    assert "two rigid bodies" in told["X61", "Loose"]
    assert "to itself" in told["X61", "Same"]
    assert "breaking" in told["X60", "Weak"]
    assert "collision margin" in told["X60", bpy.context.scene.name]
    with_joints = [o.name for o in bpy.context.scene.objects if o.omi_physics.use_joint]
    assert with_joints == ["Weak"]


def test_selection_brings_what_belongs_to_it():
    whole = rigid("Whole", collision_shape="COMPOUND")
    rigid("Part").parent = whole
    other = rigid("Other")
    constraint("Tie", "POINT", (whole, other))
    rigid("Rest")
    bpy.data.objects["Tie"].select_set(True)
    take("SELECTED")
    found = {o.name for o in bpy.context.scene.objects if o.omi_physics.version}
    assert found == {"Whole", "Part", "Other", "Tie"}


def test_leaving_the_world():
    ends = rigid("A"), rigid("B")
    constraint("Tie", "POINT", ends)
    take(leave_world=True)
    assert dump() == {}
    assert bpy.data.objects["A"].omi_physics.use_motion
    assert bpy.data.objects["A"].rigid_body is None


def ours(name: str, kind: str = "BOX", **options: Any) -> Any:
    """A dynamic body of ours with a collider."""
    obj = add(name, cube_mesh(), **options)
    add_body(obj)
    add_collider(obj, kind)
    return obj


def test_ours_that_no_mesh_shows_get_objects_that_stand_in():
    body = ours("Body", "CAPSULE")
    body.omi_physics.collider.shape.location = (0.0, 0.0, 2.0)
    cone = ours("Taper", "CYLINDER", location=(5.0, 0.0, 0.0))
    cone.omi_physics.collider.shape.cylinder.radius_top = 0.2
    give()
    names = sorted(obj.name for obj in bpy.context.scene.objects)
    assert names == ["Body", "Body Shape", "Taper", "Taper Shape"]
    part, taper = bpy.data.objects["Body Shape"], bpy.data.objects["Taper Shape"]
    assert body.rigid_body.collision_shape == cone.rigid_body.collision_shape == "COMPOUND"
    assert part.rigid_body.collision_shape == "CAPSULE"
    assert taper.rigid_body.collision_shape == "CONVEX_HULL"
    bpy.context.view_layer.update()
    assert tuple(part.matrix_world.translation) == (0.0, 0.0, 2.0)
    assert tuple(part.dimensions) == pytest.approx((1.0, 1.0, 2.0))
    give()  # Again: those of before are replaced.
    assert sorted(obj.name for obj in bpy.context.scene.objects) == names
    take()  # Ours stays as it is.
    assert body.omi_physics.collider.shape.type == "CAPSULE"
    assert not bpy.data.objects["Body Shape"].omi_physics.use_collider


def test_what_rigid_bodies_cannot_do_is_told():
    body = ours("Body")
    body.omi_physics.motion.linear_velocity = (1.0, 0.0, 0.0)
    body.omi_physics.motion.gravity_factor = 0.5
    body.omi_physics.motion.center_of_mass = (0.0, 0.0, 0.5)
    body.omi_physics.use_vehicle_body = True
    add_body(add("Empty"))
    give()
    told = {(name, text) for _, name, text in issues("EXPORT")}
    text = next(text for name, text in told if name == "Body" and "velocity" in text)
    assert "a gravity factor" in text
    assert "center of mass" in text
    assert any(name == "Body" and "a vehicle" in text for name, text in told)
    assert any(name == "Empty" and "is not a mesh" in text for name, text in told)


def fill(count: int) -> None:
    mesh = cube_mesh()
    before = None
    for number in range(count):
        obj = add(f"Body {number:05d}", mesh, location=(2.0 * number, 0.0, 0.0))
        world().collection.objects.link(obj)
        if number % 4 == 1:
            constraint(f"Tie {number:05d}", "HINGE", (before, obj), (2.0 * number, 0.0, 0.0))
        before = obj
    bpy.context.view_layer.update()


@pytest.mark.parametrize("way", ["take", "give"])
def test_the_time_grows_as_the_scene_does(way):
    scene = bpy.context.scene

    def seconds(count):
        bpy.data.batch_remove(list(bpy.data.objects))
        fill(count)
        if way == "give":
            taking_over.take_over(scene, *taking_over.chosen_of(scene, None))
        begin = time.thread_time()
        if way == "take":
            taking_over.take_over(scene, *taking_over.chosen_of(scene, None))
        else:
            giving_back.give_back(scene, None)
        return time.thread_time() - begin

    pace.check_growth(seconds, 150, 600, most=12.0)  # A square would take 16.


def test_both_play_alike():
    """Three seconds of Blender's own world and of our preview, within 5 cm."""
    scene = bpy.context.scene
    scene.render.fps, scene.frame_end = 60, 300
    scene.gravity = (0.0, 0.0, -9.81)
    world().point_cache.frame_end = 300
    watched = _falling() + _held()
    bpy.context.view_layer.update()
    theirs: list[Any] = []
    for frame in range(1, 182):
        scene.frame_set(frame)
        if frame > 1 and frame % 20 == 1:
            theirs.append([tuple(scene.objects[n].matrix_world.translation) for n in watched])
    scene.frame_set(1)
    take()
    session = play(rate=60, substeps=10, seconds=20.0)
    for wanted in theirs:
        run(session, 20.0 / 60.0)
        found = np.array([place(session, name) for name in watched])
        off = np.linalg.norm(found - np.array(wanted), axis=1)
        assert dict(zip(watched, off.round(3), strict=True)) == {
            name: pytest.approx(0.0, abs=0.05) for name in watched
        }


def _falling() -> list[str]:
    """A body of each shape, half a metre above the ground."""
    rigid("Ground", (0.0, 0.0, -0.5), (200.0, 50.0, 1.0), type="PASSIVE", collision_shape="BOX")
    for number, kind in enumerate(SHAPES[:-1]):
        size = SIZES.get(kind, (1.0, 1.0, 1.0))
        # The usual margin of 4 cm lifts cones, which ours does not do.
        margin = {"use_margin": True, "collision_margin": 0.0} if kind == "CONE" else {}
        place_of = (5.0 * number, 0.0, size[2] / 2.0 + 0.5)
        rigid(kind, place_of, size, collision_shape=kind, **margin)
    rigid("Shelf", (0.0, 20.0, 3.0), (5.0, 5.0, 1.0), type="PASSIVE", collision_shape="MESH")
    rigid("On Shelf", (0.0, 20.0, 4.1), collision_shape="BOX")
    whole = rigid("Whole", (10.0, 20.0, 1.0), collision_shape="COMPOUND")
    for number in range(2):
        part = rigid(f"Part {number}", (float(number), 0.0, 0.0), collision_shape="BOX")
        part.parent = whole
    return [*SHAPES[:-1], "On Shelf", "Whole"]


def _held() -> list[str]:
    """Bodies on constraints of all types, each with the moving one first and second."""
    ends = {"use_limit_lin_x": True, "limit_lin_x_lower": -0.4, "limit_lin_x_upper": 0.3}
    turns = {f"use_limit_ang_{axis}": True for axis in "xz"}
    turns |= {
        f"limit_ang_{axis}_{end}": v
        for axis in "xz"
        for end, v in (("lower", -0.4), ("upper", 0.6))
    }
    still = {f"use_limit_lin_{axis}": True for axis in "xyz"}
    still |= {f"limit_lin_{axis}_{end}": 0.0 for axis in "xyz" for end in ("lower", "upper")}
    stiff = {f"use_limit_ang_{axis}": True for axis in "xyz"}
    stiff |= {f"limit_ang_{axis}_{end}": 0.0 for axis in "xyz" for end in ("lower", "upper")}
    hinge = {**still, **stiff, "limit_ang_y_lower": 0.0, "limit_ang_y_upper": 0.0}
    hinge |= {"limit_ang_z_lower": -0.3, "limit_ang_z_upper": 0.7}
    spring = {**still, **stiff, "use_limit_lin_x": False, "use_spring_x": True}
    spring |= {"spring_stiffness_x": 50.0, "spring_damping_x": 0.5}
    motor = {"motor_lin_max_impulse": 60.0, "motor_lin_target_velocity": 0.5, "use_motor_lin": True}
    tilted, level = (0.0, 0.7, 0.0), (math.pi / 2.0, 0.0, 0.0)
    cases: list[tuple[str, Any, float, dict[str, Any]]] = [
        ("FIXED", (0.0, 0.0, 0.0), 1.5, {}),
        ("POINT", (0.0, 0.0, 0.0), 1.5, {}),
        ("HINGE", level, 1.5, {}),
        ("HINGE", level, 1.5, turns),
        ("SLIDER", tilted, 0.0, ends),
        ("PISTON", tilted, 0.0, {**ends, **turns}),
        ("GENERIC", level, 1.5, hinge),
        ("GENERIC_SPRING", UPRIGHT, 0.0, spring),
        ("GENERIC_SPRING", UPRIGHT, 0.0, {**spring, "spring_type": "SPRING1"}),
        ("MOTOR", (0.0, 0.0, 0.0), 0.0, motor),
        ("MOTOR", (0.0, 0.0, 0.0), 0.0, {"use_motor_ang": True, "motor_ang_max_impulse": 5.0}),
    ]
    watched: list[str] = []
    for number, (kind, turn, away, values) in enumerate(cases):
        for order in (1, -1):
            x, y = 6.0 * number, -40.0 - 10.0 * order
            still_one = rigid(f"{kind} {number} {order} Post", (x, y, 60.0), type="PASSIVE")
            moving = rigid(f"{kind} {number} {order}", (x + away, y, 60.0), mass=2.0)
            pair = (still_one, moving)[::order]
            tie = constraint(f"{moving.name} Tie", kind, pair, (x, y, 60.0), **values)
            tie.rotation_euler = turn
            watched.append(moving.name)
    return watched
