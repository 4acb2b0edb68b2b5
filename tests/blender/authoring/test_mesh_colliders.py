"""Colliders for every mesh of a scene: which meshes, which shapes, which bodies, and how fast."""

from __future__ import annotations

import time
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring import fit_sources, mesh_colliders
from omi_physics_addon.blender.authoring.fit_destinations import Plan
from omi_physics_addon.blender.authoring.mesh_colliders import Made, Wish
from tests.blender.operators.test_fit import boxes_mesh
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.support import pace


def put(plan: Plan | None = None, objects: Any = None, **wish: Any) -> Made:
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    found = bpy.context.scene.objects if objects is None else objects
    return mesh_colliders.add(depsgraph, found, plan or Plan(kind="SIMPLEST"), Wish(**wish))


def test_every_mesh_becomes_a_static_body_with_the_simplest_shape():
    cube, empty = add("Cube", cube_mesh()), add("Empty", None)
    made = put()
    assert made.fitted == {"Cube": ["box"]}
    assert made.bodies == ["Cube"]
    assert cube.omi_physics.motion.type == "STATIC"
    assert tuple(cube.omi_physics.collider.shape.box.size) == pytest.approx((1.0, 1.0, 1.0))
    assert not empty.omi_physics.use_collider


@pytest.mark.parametrize("kind", ["BOX", "SPHERE", "CAPSULE", "CYLINDER", "CONVEX", "TRIMESH"])
def test_shapes_are_of_the_kind_that_is_asked_for(kind):
    cube = add("Cube", cube_mesh())
    put(Plan(kind=kind))
    assert cube.omi_physics.collider.shape.type == kind


def test_meshes_are_filled_with_boxes_unless_they_are_hundreds(monkeypatch):
    pair = add("Pair", boxes_mesh((0.0, 0.0, 0.0), (3.0, 0.0, 0.0)))
    assert put(Plan(kind="VOXEL", cells=4)).fitted == {"Pair": ["box", "box"]}
    assert pair.omi_physics.use_motion
    monkeypatch.setattr(fit_sources, "MOST_PARTS", 1)
    made = put(Plan(kind="VOXEL", cells=5), replace=True)
    assert made.skipped == {"Pair": "the mesh would get more than 1 boxes; take fewer cells"}
    assert made.fitted == {}


def test_a_mesh_below_a_new_body_is_a_part_of_it():
    top, below = add("Top", cube_mesh()), add("Below", cube_mesh())
    below.parent = top
    made = put(objects=[below, top], body="DYNAMIC", density=250.0)
    assert made.bodies == ["Top"]
    assert set(made.fitted) == {"Top", "Below"}
    assert (top.omi_physics.motion.type, top.omi_physics.motion.mass_mode) == ("DYNAMIC", "DENSITY")
    assert top.omi_physics.motion.density == 250.0
    assert not below.omi_physics.use_motion


def test_what_has_physics_stays_and_so_does_the_look_of_a_body():
    ready = add("Ready", cube_mesh())
    add_body(ready)
    add_collider(ready, "SPHERE")
    look, wheel = add("Look", cube_mesh()), add("Wheel", cube_mesh())
    look.parent = ready
    wheel.omi_physics.use_wheel = True
    made = put()
    assert made.fitted == {}
    assert set(made.skipped) == {"Ready", "Look", "Wheel"}
    assert put(replace=True, only=["Rea*"]).fitted == {"Ready": ["box"]}
    assert ready.omi_physics.motion.type == "DYNAMIC"


def test_a_body_without_a_shape_gets_one_and_stays_what_it_is():
    body = add("Bare", cube_mesh())
    add_body(body, "KINEMATIC")
    made = put()
    assert (made.fitted, made.bodies) == ({"Bare": ["box"]}, [])
    assert body.omi_physics.motion.type == "KINEMATIC"


def test_no_body_is_made_where_none_is_asked_for():
    cube = add("Cube", cube_mesh())
    assert put(body=None).bodies == []
    assert cube.omi_physics.use_collider
    assert not cube.omi_physics.use_motion


def test_linked_meshes_get_shapes_below_them_too(tmp_path):
    own = bpy.data.collections.new("Library")
    bpy.context.scene.collection.children.link(own)
    add("Pair", boxes_mesh((0.0, 0.0, 0.0), (3.0, 0.0, 0.0)), collection=own)
    path = str(tmp_path / "library.blend")
    bpy.data.libraries.write(path, {own})
    with bpy.data.libraries.load(path, link=True) as (_there, here):
        here.collections = ["Library"]
    bpy.context.scene.collection.children.link(here.collections[0])
    made = put(Plan(kind="BOX", source="PARTS"))
    names = {"Pair", "Pair [library.blend]"}
    assert set(made.bodies) == set(made.fitted) == names
    assert set(map(tuple, made.fitted.values())) == {("box", "box")}
    assert len(bpy.context.scene.objects) == 6


def test_names_choose_meshes_and_case_counts():
    for name in ("Wall A", "wall B", "Floor"):
        add(name, cube_mesh())
    assert set(put(only=["Wall*", "Fl??r"]).fitted) == {"Wall A", "Floor"}


def test_each_loose_part_gets_a_shape_and_replacing_makes_no_more_of_them():
    add("Boxes", boxes_mesh((0.0, 0.0, 0.0), (4.0, 0.0, 0.0)))
    plan = Plan(kind="BOX", source="PARTS")
    assert put(plan).fitted == {"Boxes": ["box", "box"]}
    count = len(bpy.data.objects)
    assert put(plan).fitted == {}
    assert put(plan, replace=True).fitted == {"Boxes": ["box", "box"]}
    assert len(bpy.data.objects) == count
    assert put(Plan(kind="CONVEX"), replace=True).fitted == {"Boxes": ["convex"]}
    assert len(bpy.data.objects) == 1


def test_a_mesh_without_vertices_is_told():
    add("Nothing", bpy.data.meshes.new("Nothing"))
    assert put().skipped == {"Nothing": "it has no vertices"}


def test_the_look_of_a_solid_body_is_no_reason_to_look_through_it_again():
    solid = add("Solid", cube_mesh())
    add_body(solid)
    add_collider(solid)
    for n in range(20):
        add(f"Look {n}", cube_mesh()).parent = solid
    assert len(put().skipped) == 21


def test_time_grows_with_the_number_of_meshes():
    mesh = cube_mesh()

    def seconds(count):
        objects = [add(f"{count} {n}", mesh) for n in range(count)]
        bpy.context.view_layer.update()
        begin = time.thread_time()
        assert len(put(objects=objects).fitted) == count
        return time.thread_time() - begin

    pace.check_growth(seconds, 100, 400, most=12.0)  # A square would take 16.
