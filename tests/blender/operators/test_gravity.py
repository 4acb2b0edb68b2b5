from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from omi_physics_addon.blender.authoring.gravity_forms import in_words, world_gravity
from tests.blender.operators.test_bodies import can, cloud, run, select
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

TYPES = ("DIRECTIONAL", "POINT", "DISC", "TORUS", "LINE", "SHAPED")


def gravity(obj: Any) -> Any:
    return obj.omi_physics.gravity


def trigger(obj: Any) -> Any:
    return obj.omi_physics.trigger.shape


@pytest.mark.parametrize("kind", TYPES)
def test_every_kind_gets_a_trigger(kind):
    objects = [add("Empty"), add("Cube", cube_mesh())]
    select(*objects)
    assert run("object.omi_physics_add_gravity", type=kind) == {"FINISHED"}
    for obj in objects:
        assert gravity(obj).type == kind
        assert obj.omi_physics.use_trigger
        assert trigger(obj).type == {
            "POINT": "SPHERE",
            "DISC": "CYLINDER",
            "TORUS": "CYLINDER",
        }.get(kind, "BOX")


@pytest.mark.parametrize("kind", TYPES)
def test_a_trigger_that_is_there_stays(kind):
    obj = add("Area", cube_mesh())
    obj.omi_physics.use_trigger = True
    trigger(obj).type = "CAPSULE"
    select(obj)
    run("object.omi_physics_add_gravity", type=kind)
    assert trigger(obj).type == "CAPSULE"
    assert not any(trigger(obj).location)


def test_usual_sizes():
    found = {}
    for kind in TYPES:
        found[kind] = add(kind)
        select(found[kind])
        run("object.omi_physics_add_gravity", type=kind)
    assert tuple(trigger(found["DIRECTIONAL"]).box.size) == (10.0, 10.0, 10.0)
    assert trigger(found["POINT"]).sphere.radius == 5.0
    assert gravity(found["DISC"]).disc.radius == 5.0
    cylinder = trigger(found["DISC"]).cylinder
    assert (cylinder.radius_top, cylinder.height) == (7.5, 5.0)
    assert gravity(found["TORUS"]).torus.radius == 5.0
    points = [tuple(p.location) for p in gravity(found["LINE"]).line.points]
    assert points == [(-5.0, 0.0, 0.0), (5.0, 0.0, 0.0)]
    assert tuple(trigger(found["LINE"]).box.size) == (15.0, 5.0, 5.0)
    assert tuple(gravity(found["SHAPED"]).shaped.shape.box.size) == (2.0, 2.0, 2.0)
    assert tuple(trigger(found["SHAPED"]).box.size) == (3.0, 3.0, 3.0)


def ring(inner: float, outer: float) -> list[Any]:
    angles = np.linspace(0.0, 2.0 * math.pi, 32, endpoint=False)
    return [(r * math.cos(a), r * math.sin(a), 0.0) for r in (inner, outer) for a in angles]


def test_sizes_of_meshes():
    torus, disc = cloud("Torus", ring(2.0, 4.0)), cloud("Disc", ring(0.0, 3.0))
    line = cloud("Line", [(1, -4, 0), (1, 4, 1)])
    for obj, kind in ((torus, "TORUS"), (disc, "DISC"), (line, "LINE")):
        select(obj)
        run("object.omi_physics_add_gravity", type=kind)
    assert gravity(torus).torus.radius == pytest.approx(3.0)
    assert trigger(torus).cylinder.radius_top == pytest.approx(6.0)
    assert gravity(disc).disc.radius == pytest.approx(3.0)
    points = [tuple(p.location) for p in gravity(line).line.points]
    assert points == [(1.0, -4.0, 0.5), (1.0, 4.0, 0.5)]
    assert tuple(trigger(line).box.size) == (4.0, 12.0, 5.0)
    assert tuple(trigger(line).location) == (1.0, 0.0, 0.5)


def fixed(*objects: Any) -> None:
    """Take the triggers of gravity volumes away, and let the check add them again."""
    for obj in objects:
        obj.omi_physics.property_unset("trigger")
        obj.omi_physics.use_trigger = False
    bpy.context.view_layer.update()
    run("scene.omi_physics_check")
    assert run("object.omi_physics_fix_issue", code="V01") == {"FINISHED"}


def form(obj: Any) -> Any:
    """Type, size and place of the trigger of an object."""
    shape = trigger(obj)
    sizes = [*shape.box.size, shape.sphere.radius, shape.cylinder.radius_top, shape.cylinder.height]
    return (shape.type, [round(x, 5) for x in (*sizes, *shape.location, *shape.rotation)])


@pytest.mark.parametrize("kind", TYPES)
def test_the_trigger_of_a_fix_is_that_of_a_new_volume(kind):
    objects = [add("Empty"), cloud("Cloud", [*ring(2.0, 4.0), (1, -4, 0), (1, 4, 1)])]
    select(*objects)
    run("object.omi_physics_add_gravity", type=kind)
    before = [form(obj) for obj in objects]
    fixed(*objects)
    assert [form(obj) for obj in objects] == before
    assert [gravity(obj).type for obj in objects] == [kind, kind]


def test_the_trigger_of_a_fix_holds_what_the_volume_became():
    found = {kind: add(kind) for kind in TYPES}
    for kind, obj in found.items():
        select(obj)
        run("object.omi_physics_add_gravity", type=kind)
    gravity(found["DISC"]).disc.radius = 20.0
    gravity(found["TORUS"]).torus.radius = 30.0
    gravity(found["LINE"]).line.points.add().location = (5.0, 50.0, 0.0)
    solid = gravity(found["SHAPED"]).shaped.shape
    solid.type, solid.location, solid.rotation = "CAPSULE", (1.0, 2.0, 3.0), (0.5, 0.0, 0.0)
    solid.capsule.radius_bottom, solid.capsule.radius_top, solid.capsule.height = 2.0, 1.0, 6.0
    fixed(*found.values())
    assert trigger(found["DISC"]).cylinder.radius_top == 30.0
    assert trigger(found["TORUS"]).cylinder.radius_top == 45.0
    assert tuple(trigger(found["LINE"]).box.size) == (35.0, 75.0, 25.0)
    assert tuple(trigger(found["LINE"]).location) == (0.0, 25.0, 0.0)
    box = trigger(found["SHAPED"])
    assert tuple(box.box.size) == (6.0, 6.0, 15.0)
    assert (tuple(box.location), tuple(box.rotation)) == ((1.0, 2.0, 3.0), (0.5, 0.0, 0.0))


def test_the_trigger_of_a_fix_holds_what_is_below_an_empty():
    obj = add("Empty")
    add("Child", cube_mesh(), parent=obj, location=(10.0, 0.0, 0.0))
    gravity(obj).type = "DIRECTIONAL"
    obj.omi_physics.use_gravity = True
    fixed(obj)
    assert tuple(trigger(obj).box.size) == (1.0, 1.0, 1.0)
    assert tuple(trigger(obj).location) == (10.0, 0.0, 0.0)


def test_the_trigger_of_a_fix_is_larger_than_a_planet():
    obj = add("Planet", cube_mesh())
    add_collider(obj)
    gravity(obj).type = "POINT"
    obj.omi_physics.use_gravity = True
    fixed(obj)
    assert trigger(obj).sphere.radius == pytest.approx(1.5 * 0.75**0.5)


def test_a_trigger_that_was_switched_off_comes_back_as_it_was():
    obj = add("Area", cube_mesh())
    select(obj)
    run("object.omi_physics_add_gravity", type="POINT")
    trigger(obj).type = "BOX"
    trigger(obj).box.size = (7.0, 8.0, 9.0)
    obj.omi_physics.use_trigger = False
    bpy.context.view_layer.update()
    run("scene.omi_physics_check")
    run("object.omi_physics_fix_issue", code="V01")
    assert obj.omi_physics.use_trigger
    assert tuple(trigger(obj).box.size) == (7.0, 8.0, 9.0)


def test_a_curve_is_its_own_line():
    obj = add("Path", path_data())
    select(obj)
    run("object.omi_physics_add_gravity", type="LINE")
    assert gravity(obj).line.curve == obj
    assert not gravity(obj).line.points
    assert trigger(obj).box.size[0] > 3.0


def path_data() -> Any:
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("POLY")
    spline.points.add(2)
    for point, place in zip(spline.points, ((0, 0, 0), (1, 0, 0), (3, 0, 1)), strict=True):
        point.co = (*place, 1.0)
    return curve


@pytest.mark.parametrize("part", ["body", "collider"])
def test_bodies_and_colliders_get_a_volume_below(part):
    obj, free = cloud("Planet", ring(2.0, 4.0)), add("Free")
    (add_body if part == "body" else add_collider)(obj)
    obj.location, obj.scale = (5.0, 6.0, 7.0), (2.0, 2.0, 2.0)
    select(obj, free)
    assert run("object.omi_physics_add_gravity", type="TORUS") == {"FINISHED"}
    assert not obj.omi_physics.use_gravity
    assert not obj.omi_physics.use_trigger
    assert free.omi_physics.use_gravity
    (volume,) = obj.children
    assert bpy.context.selected_objects == [volume] == [bpy.context.object]
    assert volume.users_collection == obj.users_collection
    bpy.context.view_layer.update()
    assert volume.matrix_world == obj.matrix_world
    assert gravity(volume).torus.radius == pytest.approx(3.0)
    assert trigger(volume).cylinder.radius_top == pytest.approx(6.0)
    select(obj)
    assert run("object.omi_physics_add_gravity", type="TORUS") == {"CANCELLED"}
    assert len(obj.children) == 1


@pytest.mark.parametrize("kind", ["POINT", "DIRECTIONAL"])
def test_volumes_reach_beyond_what_is_solid(kind):
    obj = cloud("Planet", ring(2.0, 4.0))
    add_collider(obj)
    select(obj)
    run("object.omi_physics_add_gravity", type=kind)
    shape = trigger(obj.children[0])
    reach = shape.sphere.radius if kind == "POINT" else shape.box.size[0] / 2.0
    assert reach == pytest.approx(6.0, rel=1e-2)


def test_a_volume_below_ends_edit_mode_and_can_be_undone():
    obj = add("Planet", cube_mesh())
    add_collider(obj)
    select(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.ed.undo_push(message="Before")
    run("object.omi_physics_add_gravity", type="POINT")
    assert bpy.context.mode == "OBJECT"
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    assert not bpy.data.objects["Planet"].children
    bpy.ops.ed.redo()
    (volume,) = bpy.data.objects["Planet"].children
    assert volume.omi_physics.gravity.type == "POINT"


# Points of lines


def line_object() -> Any:
    obj = add("Line")
    select(obj)
    run("object.omi_physics_add_gravity", type="LINE")
    return obj


def xs(obj: Any) -> list[float]:
    return [round(p.location[0], 3) for p in gravity(obj).line.points]


def test_add_points_between_and_after():
    obj = line_object()
    line = gravity(obj).line
    assert run("object.omi_physics_line_add") == {"FINISHED"}
    assert (xs(obj), line.points_index) == ([-5.0, 0.0, 5.0], 1)
    line.points_index = 2
    run("object.omi_physics_line_add")
    assert (xs(obj), line.points_index) == ([-5.0, 0.0, 5.0, 10.0], 3)
    line.points.clear()
    run("object.omi_physics_line_add")
    run("object.omi_physics_line_add")
    assert xs(obj) == [0.0, 1.0]


def test_duplicate_move_and_remove_points():
    obj = line_object()
    line = gravity(obj).line
    run("object.omi_physics_line_duplicate")
    assert (xs(obj), line.points_index) == ([-5.0, -5.0, 5.0], 1)
    assert run("object.omi_physics_line_move", direction="DOWN") == {"FINISHED"}
    assert (xs(obj), line.points_index) == ([-5.0, 5.0, -5.0], 2)
    assert run("object.omi_physics_line_move", direction="DOWN") == {"CANCELLED"}
    run("object.omi_physics_line_remove")
    assert (xs(obj), line.points_index) == ([-5.0, 5.0], 1)
    run("object.omi_physics_line_remove")
    run("object.omi_physics_line_remove")
    assert not can("object.omi_physics_line_remove")
    assert not can("object.omi_physics_line_duplicate")
    assert can("object.omi_physics_line_add")


def test_line_buttons_need_a_line():
    obj = line_object()
    gravity(obj).type = "POINT"
    for name in ("add", "remove", "duplicate", "move"):
        assert not can(f"object.omi_physics_line_{name}")


def test_undo_of_a_point():
    line_object()
    bpy.ops.ed.undo_push(message="Before")
    run("object.omi_physics_line_add")
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    assert len(gravity(bpy.data.objects["Line"]).line.points) == 2
    bpy.ops.ed.redo()
    assert len(gravity(bpy.data.objects["Line"]).line.points) == 3


def test_points_from_a_curve_are_where_the_curve_is():
    path = add("Path", path_data(), location=(0.0, 2.0, 0.0))
    objects = [add("A", location=(1.0, 0.0, 0.0)), add("B"), add("C")]
    for obj in objects[:2]:
        obj.omi_physics.use_gravity = True
        gravity(obj).type = "LINE"
        gravity(obj).line.points.add()
        gravity(obj).line.curve = path
    select(*objects)
    assert run("object.omi_physics_line_from_curve") == {"FINISHED"}
    points = [tuple(p.location) for p in gravity(objects[0]).line.points]
    assert points == [(-1.0, 2.0, 0.0), (0.0, 2.0, 0.0), (2.0, 2.0, 1.0)]
    assert len(gravity(objects[1]).line.points) == 3
    assert gravity(objects[0]).line.curve is None
    assert run("object.omi_physics_line_from_curve") == {"CANCELLED"}


# World gravity


def test_take_and_give_scene_gravity():
    scene = bpy.context.scene
    world = scene.omi_physics.world_gravity
    scene.gravity = (0.0, 3.0, -4.0)
    assert run("scene.omi_physics_take_scene_gravity") == {"FINISHED"}
    assert scene.omi_physics.use_world_gravity
    assert world.source == "VALUE"
    assert world.gravity == pytest.approx(5.0)
    assert tuple(world.direction) == pytest.approx((0.0, 0.6, -0.8))
    world.gravity, world.direction = 2.0, (0.0, 0.0, -3.0)
    scene.use_gravity = False
    assert run("scene.omi_physics_give_scene_gravity") == {"FINISHED"}
    assert tuple(scene.gravity) == pytest.approx((0.0, 0.0, -2.0))
    assert scene.use_gravity
    world.direction = (0.0, 0.0, 0.0)
    assert run("scene.omi_physics_give_scene_gravity") == {"CANCELLED"}


def test_no_scene_gravity_is_taken_as_none():
    scene = bpy.context.scene
    scene.use_gravity = False
    run("scene.omi_physics_take_scene_gravity")
    assert scene.omi_physics.world_gravity.gravity == 0.0
    assert tuple(scene.omi_physics.world_gravity.direction) == (0.0, 0.0, -1.0)


def test_undo_of_world_gravity():
    bpy.ops.ed.undo_push(message="Before")
    run("scene.omi_physics_take_scene_gravity")
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    assert not bpy.context.scene.omi_physics.use_world_gravity


def test_world_gravity_is_what_is_exported(export):
    scene = bpy.context.scene
    scene.gravity = (0.0, 0.0, -1.5)
    scene.omi_physics.use_world_gravity = True
    strength, direction = world_gravity(scene)
    found = export()["extensions"]["OMI_physics_gravity"]
    assert found["gravity"] == pytest.approx(strength)
    assert direction == Vector((0.0, 0.0, -1.0))


@pytest.mark.parametrize(
    ("strength", "direction", "words"),
    [
        (9.81, (0, 0, -1), ("9.81 m/s², as on Earth", "Things fall down")),
        (-1.62, (0, 0, -2), ("1.62 m/s², as on the Moon", "Things fall up")),
        (5.0, (0, 1, 0), ("5.00 m/s²", "Things fall toward +Y")),
        (5.0, (0.6, 0, -0.8), ("5.00 m/s²", "Things fall toward 0.60, 0.00, -0.80")),
        (0.0, (0, 0, -1), ("Weightless", "")),
        (3.0, (0, 0, 0), ("Weightless", "")),
    ],
)
def test_in_words(strength, direction, words):
    assert in_words(strength, Vector(direction)) == words
