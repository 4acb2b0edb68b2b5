"""Shapes that follow their mesh: refit by a button and by itself, kept by hand, undo, many."""

from __future__ import annotations

import time
from typing import Any

import bpy
import pytest
from mathutils import Matrix

from omi_physics_addon import api
from omi_physics_addon.blender.authoring import fitted_objects
from omi_physics_addon.blender.authoring.fit_destinations import Outcome
from omi_physics_addon.blender.authoring.fit_sources import Sources
from omi_physics_addon.blender.authoring.following import refitting
from omi_physics_addon.blender.live import follow
from omi_physics_addon.blender.scene import scene_document
from tests.blender.authoring.test_fit_destinations import painted
from tests.blender.operators.test_bodies import collider, run, select
from tests.blender.operators.test_fit import FIT, PRIMITIVES, SIMPLEST, boxes_mesh, parts_of
from tests.blender.scene.test_mesh_sources import field
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.support import pace

REFIT = "object.omi_physics_refit"


def fitted(kind: str = "BOX", mesh: Any = None, name: str = "A", **options: Any) -> Any:
    obj = add(name, mesh or boxes_mesh((0, 0, 0), (3, 0, 0)))
    add_collider(obj)
    select(obj)
    assert run(FIT, type=kind, **options) == {"FINISHED"}
    return obj


def grow(obj: Any, by: float = 2.0) -> None:
    for vertex in obj.data.vertices:
        vertex.co *= by
    obj.data.update()
    bpy.context.view_layer.update()


def state(obj: Any) -> Any:
    objects = [obj, *parts_of(obj)]
    return [
        (fitted_objects._form(each, "COLLIDER"), each.omi_physics.use_collider) for each in objects
    ]


def told() -> list[str]:
    found = api.check_scene().issues
    return [issue.pointer for issue in found if issue.code == "S36"]


def test_check_tells_of_shapes_whose_mesh_has_changed_and_refit_mends_them():
    one, other, kept = fitted(name="One"), fitted(name="Other"), fitted(name="Kept")
    assert told() == []
    grow(one)
    grow(other)
    kept.omi_physics.collider.shape.box.size = (9.0, 9.0, 9.0)
    grow(kept)  # By hand, which no refit undoes.
    assert sorted(told()) == ["One", "Other"]
    assert run("scene.omi_physics_check") == {"FINISHED"}
    assert run("object.omi_physics_fix_issue", code="S36", source="CHECK") == {"FINISHED"}
    assert told() == []
    assert tuple(kept.omi_physics.collider.shape.box.size) == (9.0, 9.0, 9.0)
    bpy.context.scene.collection.objects.unlink(other)  # Nothing evaluates it then.
    grow(other)
    assert told() == []


def outdated(*objects: Any) -> list[Any]:
    return refitting.outdated(objects, Sources(bpy.context.evaluated_depsgraph_get(), {}))


@pytest.mark.parametrize("kind", [*PRIMITIVES, "CONVEX", "VOXEL"])
@pytest.mark.parametrize("source", ["WHOLE", "PARTS", "MATERIALS", "CHILDREN"])
@pytest.mark.parametrize("margin", [0.0, 0.2])
def test_a_refit_is_what_the_fit_would_be(kind, source, margin):
    options: Any = {"source": source, "margin": margin, "taper": True, "cells": 5}
    one = painted("Ice", "Grass", name="One")
    other = painted("Ice", "Grass", name="One2")
    add_collider(one)
    add_collider(other)
    select(one)
    run(FIT, type=kind, **options)
    grow(one)
    grow(other)
    if kind != "CONVEX" or margin or source == "CHILDREN":
        assert outdated(one) == [one]
    assert run(REFIT) == {"FINISHED"}
    assert outdated(one) == []
    select(other)
    run(FIT, type=kind, **options)
    refitted, again = (repr(state(obj)).replace("One2", "One") for obj in (one, other))
    assert refitted == again
    select(one)
    assert run(REFIT) == {"CANCELLED"}


def test_modifiers_count():
    obj = fitted()
    modifier = obj.modifiers.new("Array", "ARRAY")
    modifier.count = 3
    run(REFIT)
    assert tuple(collider(obj).shape.box.size) == pytest.approx((12.0, 1.0, 1.0))


def test_what_was_changed_by_hand_stays():
    obj = fitted()
    collider(obj).shape.box.size = (9.0, 9.0, 9.0)
    grow(obj)
    assert outdated(obj) == []
    assert run(REFIT) == {"CANCELLED"}
    assert tuple(collider(obj).shape.box.size) == (9.0, 9.0, 9.0)
    run(FIT, type="BOX")
    grow(obj)
    assert run(REFIT) == {"FINISHED"}


@pytest.mark.parametrize("how", ["size", "place"])
def test_parts_that_were_changed_by_hand_stay(how):
    obj = fitted(source="PARTS")
    part = parts_of(obj)[1]
    if how == "size":
        collider(part).shape.box.size = (2.0, 2.0, 2.0)
    else:
        part.location.z += 1.0
    before = state(obj)
    grow(obj)
    assert told() == []
    bpy.context.scene.omi_physics.fit.follow = True
    grow(obj)
    assert follow.run(bpy.context.scene) == []
    assert run(REFIT) == {"CANCELLED"}
    assert state(obj) == before
    run(FIT, source="PARTS")  # What is asked for, however.
    grow(obj)
    assert follow.run(bpy.context.scene) == [obj]


@pytest.mark.parametrize("source", ["WHOLE", "PARTS"])
@pytest.mark.parametrize("kind", ["BOX", "CONVEX", "VOXEL"])
def test_mirror_images_follow_their_own_mesh(kind, source):
    obj = fitted(kind, boxes_mesh((2, 0, 0), (5, 0, 1)), name="Arm.L", source=source)
    other = fitted(kind, boxes_mesh((2, 4, 0), (5, 4, 1)), name="Leg.L", source=source)
    for part in (other, *parts_of(other)):
        collider(part).shape.location.z += 1.0
    grow(other)
    for _ in range(2):  # Once new, once there already.
        select(obj, other)
        assert run("object.omi_physics_mirror") == {"FINISHED"}
        bpy.context.view_layer.update()
        assert told() == []
    image, changed = bpy.data.objects["Arm.R"], bpy.data.objects["Leg.R"]
    before = state(changed)
    for each in (image, changed):
        grow(each)
    assert told() == ["Arm.R"]
    run(REFIT, scope="ALL")
    assert told() == []
    assert state(changed) == before
    if source == "PARTS":
        image.data = boxes_mesh((-2, 0, 0))
        select(image)
        run(REFIT)
        assert not parts_of(image)


def test_a_selection_is_not_remembered_and_one_more_keeps_the_first():
    obj = fitted()
    run(FIT, source="SELECTION", one_more=True)
    assert obj.omi_physics.fit_recipe
    run(FIT, source="SELECTION")
    assert not obj.omi_physics.fit_recipe
    assert run(REFIT) == {"CANCELLED"}


def test_new_bodies_and_the_simplest_are_remembered():
    obj = add("A", cube_mesh())
    select(obj)
    run("object.omi_physics_add_motion")
    grow(obj)
    run(REFIT)
    assert tuple(collider(obj).shape.box.size) == (2.0, 2.0, 2.0)
    run(SIMPLEST)
    obj.data.transform(Matrix.Diagonal((1.0, 1.0, 3.0, 1.0)))
    run(REFIT)
    assert tuple(collider(obj).shape.box.size) == (2.0, 2.0, 6.0)


def test_all_of_the_scene_but_what_is_linked_or_still_fits():
    objects = [fitted(name=name) for name in "ABC"]
    select()
    for obj in objects[:2]:
        grow(obj)
    assert run(REFIT, scope="ALL") == {"FINISHED"}
    sizes = [collider(obj).shape.box.size[0] for obj in objects]
    assert sizes == pytest.approx([8.0, 8.0, 4.0])


def test_copies_follow_their_own_mesh():
    obj = fitted()
    copy = obj.copy()
    copy.data = obj.data.copy()
    bpy.context.scene.collection.objects.link(copy)
    grow(copy)
    run(REFIT, scope="ALL")
    assert [collider(each).shape.box.size[0] for each in (obj, copy)] == pytest.approx([4.0, 8.0])


def test_a_trigger_and_a_collider_are_two_fits():
    obj = fitted("SPHERE")
    obj.omi_physics.use_trigger = True
    run(FIT, type="BOX", part="TRIGGER", margin=1.0)
    grow(obj)
    run(REFIT)
    assert collider(obj).shape.type == "SPHERE"
    assert tuple(obj.omi_physics.trigger.shape.box.size) == pytest.approx((10.0, 4.0, 4.0))
    obj.omi_physics.use_trigger = False
    grow(obj)
    run(REFIT)
    assert not obj.omi_physics.use_trigger


def test_it_follows_by_itself_where_that_is_asked_for():
    obj = fitted()
    assert follow.run(bpy.context.scene) == []
    bpy.context.scene.omi_physics.fit.follow = True
    bpy.context.view_layer.update()
    grow(obj)
    assert follow.run(bpy.context.scene) == [obj]
    assert collider(obj).shape.box.size[0] == pytest.approx(8.0)
    bpy.context.view_layer.update()
    assert follow.run(bpy.context.scene) == []
    select(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.resize(value=(2.0, 2.0, 2.0))
    bpy.context.view_layer.update()
    assert follow.run(bpy.context.scene) == []
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert follow.run(bpy.context.scene) == [obj]
    assert collider(obj).shape.box.size[0] == pytest.approx(16.0)


def test_a_fit_with_children_follows_them_and_not_the_whole():
    obj, below = add("Cart", cube_mesh()), add("Load", cube_mesh(), location=(3.1, 0.2, 0.3))
    below.parent = obj
    below.rotation_euler = (0.4, 0.5, 0.6)
    add_collider(obj)
    select(obj)
    bpy.context.scene.omi_physics.fit.follow = True
    run(FIT, source="CHILDREN")
    bpy.context.view_layer.update()
    follow.run(bpy.context.scene)
    obj.location, obj.rotation_euler = (7.3, 5.1, 2.2), (0.1, 0.7, 1.3)
    bpy.context.view_layer.update()
    assert told() == []
    assert follow.run(bpy.context.scene) == []
    before = collider(obj).shape.box.size[0]
    below.location.x += 3.0
    bpy.context.view_layer.update()
    assert told() == ["Cart"]
    assert follow.run(bpy.context.scene) == [obj]
    assert collider(obj).shape.box.size[0] == pytest.approx(before + 3.0)
    grow(below)
    assert follow.run(bpy.context.scene) == [obj]


def test_the_gravity_of_a_planet_is_fitted_to_it_again():
    planet = add("Planet", cube_mesh())
    gravity = add("Gravity", parent=planet).omi_physics
    gravity.use_gravity, gravity.gravity.type = True, "SHAPED"
    gravity.gravity.shaped.use_shape = True
    select(gravity.id_data)
    run(FIT, part="GRAVITY")
    assert told() == []
    grow(planet)
    assert told() == ["Gravity"]
    assert run(REFIT) == {"FINISHED"}
    assert tuple(gravity.gravity.shaped.shape.box.size) == (2.0, 2.0, 2.0)


def test_an_undo_brings_the_shape_of_its_mesh():
    obj = fitted()
    bpy.context.scene.omi_physics.fit.follow = True
    bpy.ops.ed.undo_push(message="before")
    grow(obj)
    follow.run(bpy.context.scene)
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    obj = bpy.data.objects["A"]
    follow.run(bpy.context.scene)
    assert collider(obj).shape.box.size[0] == pytest.approx(4.0)
    assert outdated(obj) == []


def test_time_of_an_edit_does_not_grow_with_the_scene():
    def seconds(count: int) -> float:
        bpy.ops.wm.read_homefile(use_empty=True)
        mesh = cube_mesh()
        for number in range(count):
            obj = add(f"Prop {number}", mesh)
            add_body(obj)
            add_collider(obj)
        own, spent = fitted(), list[float]()
        bpy.context.scene.omi_physics.fit.follow = True
        for _ in range(5):
            grow(own, 1.5)
            begin = time.thread_time()
            assert follow.run(bpy.context.scene) == [own]
            spent.append(time.thread_time() - begin)
        return min(spent) + 0.005  # So that many may take 5 times as long and 20 ms.

    pace.check_growth(seconds, 100, 1000, most=5.0)


def test_recipes_travel_with_their_object(tmp_path):
    obj = fitted()
    path = str(tmp_path / "one.blend")
    bpy.data.libraries.write(path, {obj})
    with bpy.data.libraries.load(path) as (_there, here):
        here.objects = ["A"]
    (copy,) = here.objects
    bpy.context.scene.collection.objects.link(copy)
    grow(copy)
    found = refitting.refit([copy], bpy.context.evaluated_depsgraph_get(), Outcome())
    assert found.objects == [copy]
    assert collider(copy).shape.box.size[0] == pytest.approx(8.0)


@pytest.mark.parametrize("kind", [*PRIMITIVES, "CONVEX"])
@pytest.mark.parametrize("source", ["WHOLE", "PARTS"])
def test_mirror_images_count_as_fitted_and_follow_their_own_mesh(kind, source):
    leg = fitted(kind, boxes_mesh((0, 0, 0), (3, 0.5, 0.2)), "Leg.L", source=source, taper=True)
    leg.location = (2.0, 1.0, 0.0)
    select(leg)
    assert run("object.omi_physics_mirror") == {"FINISHED"}
    assert told() == []
    image = bpy.data.objects["Leg.R"]
    count = len(parts_of(image))
    assert count == len(parts_of(leg))
    select(image)
    assert run(REFIT) == {"CANCELLED"}
    grow(image)
    assert run(REFIT) == {"FINISHED"}
    assert len(parts_of(image)) == count
    assert told() == []


@pytest.mark.parametrize(
    ("kind", "options", "follows"),
    [
        ("BOX", {}, False),  # Its surface is looked up when it is needed.
        ("TRIMESH", {}, False),
        ("CONVEX", {"use_budget": True, "budget": 8}, True),
        ("TRIMESH", {"use_triangles": True, "triangles": 20}, True),
        ("BOX", {"source": "PARTS"}, True),
    ],
)
def test_surfaces_of_painted_faces_are_followed(kind, options, follows):
    obj = field("Ice", "Grass", "Ice", name="A", kind="BOX")
    select(obj)
    assert run(FIT, type=kind, **options) == {"FINISHED"}
    assert told() == []
    for polygon in obj.data.polygons:
        polygon.material_index = 1
    obj.data.update()
    bpy.context.view_layer.update()
    assert told() == (["A"] if follows else [])
    select(obj)
    run(REFIT)
    assert told() == []
    document = scene_document.read(bpy.context.scene, bpy.context.scene.objects).document
    assert [entry.name for entry in document.physics_materials] == ["Grass"]


@pytest.mark.parametrize("link", [True, False])
def test_fits_with_surfaces_are_none_the_older_for_travelling(link, tmp_path):
    """The surface has another name there: that of its library, or a number."""
    obj = field("Ice", "Grass", "Ice", name="A", kind="BOX")
    select(obj)
    assert run(FIT, type="CONVEX", use_budget=True, budget=8) == {"FINISHED"}
    path = str(tmp_path / "one.blend")
    bpy.data.libraries.write(path, {obj})
    for entry in bpy.context.scene.omi_physics.physics_materials:
        entry.dynamic_friction = 0.123
    with bpy.data.libraries.load(path, link=link) as (_there, here):
        here.objects = ["A"]
    bpy.context.scene.collection.objects.link(here.objects[0])
    bpy.context.view_layer.update()
    assert here.objects[0].omi_physics.fit_recipe
    assert told() == []
