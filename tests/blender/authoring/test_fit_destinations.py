"""Fits beside others: one more of a selection, one for each material, voxels, decimated meshes."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.authoring import fit_sources
from omi_physics_addon.blender.scene import scene_document
from omi_physics_addon.geometry.fit.mesh_volumes import closed_volume
from tests.blender.operators.test_bodies import collider, run, select
from tests.blender.operators.test_fit import (
    FIT,
    PRIMITIVES,
    SIMPLEST,
    boxes_mesh,
    edit_selecting,
    parts_of,
    told,
)
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tools.bench import benchmark_fits


def volume_of(shape: Any) -> float:
    return float(np.prod(shape.box.size))


# One more


@pytest.mark.parametrize("kind", [*PRIMITIVES, "CONVEX", "TRIMESH", "VOXEL"])
def test_a_second_selection_keeps_the_first_shape(kind):
    obj = add("Chair", boxes_mesh((0, 0, 0), (5, 0, 0), (0, 5, 0)))
    add_body(obj)
    select(obj)
    for first in (0, 8, 16):
        edit_selecting(obj, range(first, first + 8))
        assert run(FIT, type=kind, source="SELECTION", one_more=True, add_missing=True) == {
            "FINISHED"
        }
    own, parts = collider(obj), parts_of(obj)
    assert obj.omi_physics.use_collider
    assert tuple(own.shape.location) == (0.0, 0.0, 0.0)
    assert [part.name for part in parts] == ["Chair Collider 1", "Chair Collider 2"]
    assert [tuple(part.location) for part in parts] == [(5.0, 0.0, 0.0), (0.0, 5.0, 0.0)]
    assert not any(part.omi_physics.is_fitted_part for part in parts)
    edit_selecting(obj, range(8))
    run(FIT, type="SPHERE", source="SELECTION")
    assert own.shape.type == "SPHERE"
    assert parts_of(obj) == parts


def test_one_more_works_on_several_objects_in_edit_mode():
    objects = [add(name, boxes_mesh((0, 0, 0), (5, 0, 0))) for name in "AB"]
    for obj in objects:
        add_collider(obj)
        edit_selecting(obj, range(8, 16))
    select(*objects)
    bpy.ops.object.mode_set(mode="EDIT")
    assert run(FIT, source="SELECTION", one_more=True) == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    assert [len(parts_of(obj)) for obj in objects] == [1, 1]


@pytest.mark.parametrize("kind", ["BOX", "CONVEX"])
def test_one_more_of_a_trigger_is_part_of_it(kind):
    obj = add("Zone", boxes_mesh((0, 0, 0), (5, 0, 0), (0, 5, 0)))
    select(obj)
    for first in (0, 8, 16):
        edit_selecting(obj, range(first, first + 8))
        options = {"part": "TRIGGER", "source": "SELECTION", "one_more": True}
        assert run(FIT, type=kind, add_missing=True, **options) == {"FINISHED"}
    trigger = obj.omi_physics.trigger
    parts = [item.object for item in trigger.nodes]
    assert trigger.mode == "LIST"
    assert [part.name for part in parts] == ["Zone Trigger 1", "Zone Trigger 2", "Zone Trigger 3"]
    bpy.context.view_layer.update()
    places = [part.matrix_world @ part.omi_physics.trigger.shape.location for part in parts]
    if kind == "BOX":
        assert [tuple(place) for place in places] == [(0, 0, 0), (5, 0, 0), (0, 5, 0)]
    document = scene_document.read(bpy.context.scene, bpy.context.scene.objects).document
    (whole,) = (n.trigger for n in document.nodes.values() if n.trigger and n.trigger.nodes)
    assert len(whole.nodes) == 3


def test_the_own_mesh_of_a_trigger_stays_when_it_gets_one_more():
    obj = add("Zone", boxes_mesh((0, 0, 0), (5, 0, 0)))
    select(obj)
    run(FIT, type="CONVEX", part="TRIGGER", add_missing=True)
    edit_selecting(obj, range(8))
    run(FIT, part="TRIGGER", source="SELECTION", one_more=True)
    first = obj.omi_physics.trigger.nodes[0].object.omi_physics.trigger.shape
    assert (first.type, first.mesh_source, first.mesh_object) == ("CONVEX", "OBJECT", obj)


# Materials


def painted(*colors: Any, name: str = "Table") -> Any:
    """Boxes beside each other, each of a Blender material."""
    mesh = boxes_mesh(*((3.0 * i, 0, 0) for i in range(len(colors))))
    names = list(dict.fromkeys(colors))
    for each in names:
        mesh.materials.append(bpy.data.materials.get(each) or bpy.data.materials.new(each))
    for i, polygon in enumerate(mesh.polygons):
        polygon.material_index = names.index(colors[i // 6])
    return add(name, mesh)


@pytest.mark.parametrize("kind", [*PRIMITIVES, "CONVEX", "TRIMESH"])
def test_each_material_gets_a_shape(kind):
    obj = painted("Ice", "Grass", "Ice")
    add_collider(obj)
    select(obj)
    assert run(FIT, type=kind, source="MATERIALS") == {"FINISHED"}
    assert [tuple(part.location) for part in parts_of(obj)] == [(3.0, 0.0, 0.0)] * 2
    assert not obj.omi_physics.use_collider
    run(FIT, type=kind, source="MATERIALS")
    assert len(parts_of(obj)) == 2


def test_slots_of_one_material_are_one_piece():
    obj = painted("Ice", "Grass")
    obj.data.materials[1] = obj.data.materials[0]
    add_collider(obj)
    select(obj)
    assert told(FIT, source="MATERIALS") == "Fitted 1 box, 100 % larger than the mesh"
    obj.material_slots[1].link = "OBJECT"
    obj.material_slots[1].material = bpy.data.materials.new("Snow")
    text = told(FIT, source="MATERIALS")
    assert text == "Fitted 2 boxes to the faces of the materials, 0 % larger than the mesh"


# Voxels


def test_voxels_of_a_table_are_boxes_that_replace_each_other():
    obj = add("L", boxes_mesh((0, 0, 0), (0, 0, 1), (1, 0, 1)))
    add_body(obj)
    add_collider(obj, "SPHERE")
    collider(obj).physics_material = "Wood"
    select(obj)
    for cells in (2, 4):
        assert told(FIT, type="VOXEL", cells=cells) == "Fitted 2 boxes, 0 % larger than the mesh"
    parts = parts_of(obj)
    assert sum(volume_of(collider(part).shape) for part in parts) == pytest.approx(3.0)
    assert {collider(part).physics_material for part in parts} == {"Wood"}
    assert not obj.omi_physics.use_collider


def test_voxels_of_a_box_are_its_own_shape():
    obj = add("A", cube_mesh())
    select(obj)
    assert run(FIT, type="VOXEL", add_missing=True) == {"FINISHED"}
    assert (collider(obj).shape.type, parts_of(obj)) == ("BOX", [])


def test_too_many_voxels_are_refused(monkeypatch):
    monkeypatch.setattr(fit_sources, "MOST_PARTS", 5)
    points, triangles = benchmark_fits.blob(200)
    mesh = bpy.data.meshes.new("Blob")
    mesh.from_pydata(points.tolist(), [], triangles.tolist())
    obj = add("Blob", mesh)
    add_collider(obj)
    select(obj)
    assert told(FIT, type="VOXEL") == "Blob would get more than 5 boxes; take fewer cells"
    assert parts_of(obj) == []


def test_gravity_gets_no_voxels():
    obj = add("A", cube_mesh())
    select(obj)
    text = "Gravity has one shape; choose a source and a type that give one"
    assert told(FIT, type="VOXEL", part="GRAVITY") == text
    assert told(FIT, source="MATERIALS", part="GRAVITY") == text


# Decimated


def test_a_decimated_trimesh_is_a_mesh_of_its_own_and_tells_its_error():
    points, triangles = benchmark_fits.blob(1500)
    mesh = bpy.data.meshes.new("Blob")
    mesh.from_pydata(points.tolist(), [], triangles.tolist())
    obj = add("Blob", mesh)
    add_collider(obj)
    select(obj)
    text = told(FIT, type="TRIMESH", use_triangles=True, triangles=300)
    shape = collider(obj).shape
    assert (shape.type, shape.mesh_source) == ("TRIMESH", "DATA")
    corners = np.array([v.co for v in shape.mesh.vertices], dtype=float)
    faces = np.array([p.vertices for p in shape.mesh.polygons])
    assert 290 <= len(faces) <= 300
    whole = closed_volume(points, triangles)
    share = closed_volume(corners, faces) / whole - 1.0
    assert text == f"Fitted 1 trimesh, {abs(100.0 * share):.1f} % smaller than the mesh"
    run(FIT, type="TRIMESH", use_triangles=True, triangles=100_000)
    assert (shape.mesh_source, shape.mesh) == ("OWN", None)


def test_the_simplest_takes_one_more_too():
    obj = add("A", boxes_mesh((0, 0, 0), (5, 0, 0)))
    add_collider(obj)
    edit_selecting(obj, range(8, 16))
    select(obj)
    assert run(SIMPLEST, source="SELECTION", one_more=True) == {"FINISHED"}
    assert [collider(part).shape.type for part in parts_of(obj)] == ["BOX"]
