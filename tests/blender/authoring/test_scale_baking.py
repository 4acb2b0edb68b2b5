"""Baking a scale keeps all where it looks to be, and the shapes as large as they were."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Vector

from omi_physics_addon import api
from omi_physics_addon.blender.authoring import fitted_objects, fitting
from tests.blender.operators.test_bodies import can, collider, run, select
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

BAKE = "object.omi_physics_bake_scale"


def corners(obj):
    """The vertices of an object in the world."""
    bpy.context.view_layer.update()
    return np.array([obj.matrix_world @ vertex.co for vertex in obj.data.vertices])


def box_corners(obj):
    """The corners of the box of a collider in the world, in no order."""
    bpy.context.view_layer.update()
    shape = collider(obj).shape
    place = obj.matrix_world @ Matrix.LocRotScale(shape.location, Euler(shape.rotation), None)
    size = Vector(shape.box.size)
    found = [place @ (Vector(v.co) * size) for v in cube_mesh().vertices]
    return sorted(tuple(round(x, 4) + 0.0 for x in corner) for corner in found)


def scaled_box(scale=(2.0, 3.0, 0.5), parent=None):
    obj = add("Crate", cube_mesh(), location=(1.0, 2.0, 3.0), parent=parent)
    obj.rotation_euler = (0.3, 0.4, 0.5)
    obj.scale = scale
    shape = add_collider(obj)
    shape.box.size, shape.location = (1.0, 2.0, 3.0), (0.5, 0.25, 0.0)
    return obj


@pytest.mark.parametrize("scale", [(2, 2, 2), (2, 3, 0.5), (-1, 2, 1), (-2, -1, -1), (-1, -1, 2)])
def test_boxes_and_meshes_look_as_before(scale):
    obj = scaled_box(scale)
    before, box = corners(obj), box_corners(obj)
    select(obj)
    run(BAKE)
    assert corners(obj) == pytest.approx(before, abs=1e-5)
    assert box_corners(obj) == box
    assert tuple(obj.matrix_world.to_scale()) == pytest.approx((1.0, 1.0, 1.0), abs=1e-5)


def test_twice_is_once():
    obj = scaled_box()
    select(obj)
    assert run(BAKE) == {"FINISHED"}
    assert tuple(obj.scale) == (1.0, 1.0, 1.0)
    assert tuple(collider(obj).shape.box.size) == pytest.approx((2.0, 6.0, 1.5))
    assert run(BAKE) == {"CANCELLED"}
    assert tuple(collider(obj).shape.box.size) == pytest.approx((2.0, 6.0, 1.5))


def test_children_stay_where_they_are():
    obj = scaled_box()
    child = add("Child", cube_mesh(), parent=obj, location=(1.0, 1.0, 1.0))
    child.rotation_euler = (1.0, 0.0, 0.0)
    before = corners(child)
    select(obj)
    run(BAKE)
    assert corners(child) == pytest.approx(before, abs=1e-5)


def _curve(kind):
    data = bpy.data.curves.new("Line", "CURVE")
    data.dimensions = "3D"
    for start in (0.0, 3.0):
        spline = data.splines.new(kind)
        points = spline.bezier_points if kind == "BEZIER" else spline.points
        points.add(2 - len(points) + 1)
        for i, point in enumerate(points):
            point.co[:3] = (start + i, i * i, 0.5 * i)
    obj = add("Line", data, location=(1.0, 2.0, 3.0))
    add_collider(obj)
    return obj


@pytest.mark.parametrize("below", ["VERTEX", "VERTEX_3"])
@pytest.mark.parametrize("scale", [(2, 2, 2), (2, 3, 0.5), (-1, 2, 1)])
@pytest.mark.parametrize("on", ["MESH", "BEZIER", "POLY"])
def test_children_on_vertices_stay_where_they_are(on, scale, below):
    if on == "MESH":
        obj = scaled_box(scale)
    else:
        obj = _curve(on)
        obj.scale, obj.rotation_euler = scale, (0.3, 0.4, 0.5)
    child = add("Child", cube_mesh(), parent=obj, location=(1.0, 1.0, 1.0))
    child.rotation_euler = (1.0, 0.5, 0.0)
    child.parent_type, child.parent_vertices = below, (5, 1, 3)
    child.matrix_parent_inverse = Matrix.LocRotScale((0.1, 0.2, 0.3), Euler((0.1, 0.5, 0.2)), None)
    before = corners(child)
    select(obj)
    assert run(BAKE) == {"FINISHED"}
    assert corners(child) == pytest.approx(before, abs=1e-5)


def test_selected_children_take_the_scale_from_above():
    obj = scaled_box((2.0, 2.0, 2.0))
    child = add("Child", cube_mesh(), parent=obj, location=(1.0, 1.0, 1.0))
    child.rotation_euler = (1.0, 0.0, 0.0)
    add_collider(child, "SPHERE").sphere.radius = 0.25
    before = corners(child)
    select(child, obj)
    run(BAKE)
    assert corners(child) == pytest.approx(before, abs=1e-5)
    assert collider(child).shape.sphere.radius == pytest.approx(0.5)
    assert tuple(child.matrix_world.to_scale()) == pytest.approx((1.0, 1.0, 1.0), abs=1e-5)


def test_fitted_parts_are_baked_with_their_object():
    obj = scaled_box((2.0, 2.0, 2.0))
    mesh = bpy.data.meshes.new("Two")
    other = cube_mesh()
    points = [v.co + Vector((5 * i, 0, 0)) for i in (0, 1) for v in other.vertices]
    faces = [tuple(8 * i + v for v in p.vertices) for i in (0, 1) for p in other.polygons]
    mesh.from_pydata(points, [], faces)
    obj.data = mesh
    select(obj)
    run("object.omi_physics_fit_shape", source="PARTS")
    assert len(obj.children) == 2
    assert can(BAKE)
    places = [box_corners(part) for part in obj.children]
    run(BAKE)
    assert [box_corners(part) for part in obj.children] == places
    assert [tuple(part.scale) for part in obj.children] == [(1.0, 1.0, 1.0)] * 2


@pytest.mark.parametrize("source", ["WHOLE", "PARTS", "CHILDREN"])
@pytest.mark.parametrize("kind", ["BOX", "SPHERE", "CONVEX", "VOXEL"])
def test_fits_follow_their_mesh_after_a_bake(kind, source):
    obj, stale = scaled_box((2.0, -3.0, 2.0)), scaled_box((2.0, 2.0, 2.0))
    for each in (obj, stale):
        below = bpy.data.objects.new("Below", cube_mesh())
        below.parent, below.location = each, (0.3, 2.0, 0.1)
        bpy.context.scene.collection.objects.link(below)
    select(obj, stale)
    run("object.omi_physics_fit_shape", type=kind, source=source, margin=0.125)
    stale.data.vertices[0].co.x -= 1.0
    run(BAKE)
    assert [tuple(each.scale) for each in (obj, stale)] == [(1.0, 1.0, 1.0)] * 2
    told = [i.pointer for i in api.check_scene().issues if i.code == "S36"]
    assert told == [stale.name]
    obj.data.transform(Matrix.Diagonal((2.0, 2.0, 2.0, 1.0)))
    select(obj)
    assert run("object.omi_physics_refit") == {"FINISHED"}
    plan = fitted_objects.recipes(obj)["COLLIDER"]["plan"]
    assert plan["margin"] == pytest.approx(0.375)


def test_what_is_below_a_pipe_stays_where_it_is():
    bpy.ops.curve.primitive_bezier_circle_add(location=(1.0, 2.0, 3.0), rotation=(0.3, 0.4, 0.5))
    pipe = bpy.context.object
    pipe.data.bevel_depth, pipe.scale = 0.2, (2.0, 2.0, 2.0)
    lamp = add("Lamp", parent=pipe, location=(0.5, 0.0, 0.0))
    bpy.context.view_layer.update()
    run("object.omi_physics_fit_shape", type="VOXEL", cells=6, add_missing=True)
    bpy.context.view_layer.update()
    parts = [child for child in pipe.children if child != lamp]
    before = [box_corners(part) for part in parts], lamp.matrix_world.copy()
    run(BAKE)
    assert [np.array(box_corners(part)) for part in parts] == [
        pytest.approx(np.array(corners), abs=1e-3) for corners in before[0]
    ]
    assert np.array(lamp.matrix_world) == pytest.approx(np.array(before[1]), abs=1e-4)
    assert not [i for i in api.check_scene().issues if i.code == "S36"]


def test_delta_scales_count_once():
    obj = scaled_box()
    obj.delta_scale = (1.5, 2.0, 1.5)
    obj.delta_location = (3.0, 0.0, 0.0)
    before, box = corners(obj), box_corners(obj)
    select(obj)
    run(BAKE)
    assert corners(obj) == pytest.approx(before, abs=1e-5)
    assert box_corners(obj) == box
    assert tuple(obj.delta_scale) == (1.0, 1.0, 1.0)
    assert tuple(obj.delta_location) == (3.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("scale", "radius", "height"),
    [((2, 2, 2), 1.0, 2.0), ((2, 2, 3), 1.0, 4.0), ((1, 3, 1), 1.5, 1.0)],
)
def test_round_shapes_take_the_larger_radius(scale, radius, height):
    obj = add("Post", cube_mesh())
    obj.scale = scale
    shape = add_collider(obj, "CAPSULE")
    shape.capsule.height = 1.0
    points = np.random.default_rng(0).normal(size=(500, 3))
    points = points[fitting.stored_shape(shape).beyond(fitting.to_gltf(points)) <= 0.0]
    select(obj)
    assert run(BAKE) == {"FINISHED"}
    assert shape.capsule.radius_top == pytest.approx(radius)
    assert shape.capsule.height == pytest.approx(height)
    stored = fitting.stored_shape(shape)
    assert stored.beyond(fitting.to_gltf(points * scale)).max() <= 1e-6


def test_shared_meshes():
    mesh = cube_mesh()
    twins = [add(name, mesh) for name in "AB"]
    other = add("Other", mesh)
    for obj in twins:
        obj.scale = (2.0, 2.0, 2.0)
        add_collider(obj)
    select(*twins)
    run(BAKE)
    assert twins[0].data == twins[1].data != mesh
    assert other.data == mesh
    assert mesh.vertices[0].co.x == -0.5
    assert twins[0].data.vertices[0].co.x == -1.0
    bpy.data.objects.remove(other)
    for obj in twins:
        obj.scale = (0.5, 0.5, 0.5)
    shared = twins[0].data
    run(BAKE)
    assert twins[0].data == twins[1].data == shared
    assert shared.vertices[0].co.x == -0.5


def test_meshes_of_shapes_and_centers_of_mass():
    obj = scaled_box((1.0, 2.0, 3.0))
    shape = collider(obj).shape
    shape.type, shape.mesh_source, shape.mesh = "CONVEX", "DATA", cube_mesh()
    own = shape.mesh
    motion = add_body(obj)
    motion.center_of_mass_mode = "VALUE"
    motion.center_of_mass = (1.0, 1.0, 1.0)
    select(obj)
    run(BAKE)
    assert own.vertices[7].co.to_tuple(5) == (0.5, 1.0, 1.5)
    assert tuple(motion.center_of_mass) == pytest.approx((1.0, 2.0, 3.0))


def test_what_cannot_be_baked_stays():
    zero = scaled_box((0.0, 1.0, 1.0))
    text = add("Text", bpy.data.curves.new("Text", "FONT"))
    text.scale = (2.0, 2.0, 2.0)
    add_collider(text)
    other = scaled_box()
    shape = collider(other).shape
    shape.type, shape.mesh_source, shape.mesh_object = "TRIMESH", "OBJECT", zero
    select(zero, text, other)
    assert run(BAKE) == {"CANCELLED"}
    assert tuple(text.scale) == (2.0, 2.0, 2.0)
    good = scaled_box()
    plain = add("Plain", cube_mesh())
    plain.scale = (2.0, 2.0, 2.0)
    select(zero, good, plain)
    assert run(BAKE) == {"FINISHED"}
    assert tuple(good.scale) == (1.0, 1.0, 1.0)
    assert tuple(plain.scale) == (2.0, 2.0, 2.0)


def test_poll_and_edit_mode():
    select()
    assert not can(BAKE)
    obj = scaled_box()
    select(obj)
    assert can(BAKE)
    bpy.ops.object.mode_set(mode="EDIT")
    assert run(BAKE) == {"CANCELLED"}
    bpy.ops.object.mode_set(mode="OBJECT")


def test_undo_and_redo():
    select(scaled_box())
    bpy.ops.ed.undo_push(message="Before")
    run(BAKE)
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Crate"]
    assert tuple(obj.scale) == (2.0, 3.0, 0.5)
    assert tuple(collider(obj).shape.box.size) == (1.0, 2.0, 3.0)
    bpy.ops.ed.redo()
    obj = bpy.data.objects["Crate"]
    assert tuple(obj.scale) == (1.0, 1.0, 1.0)
    assert tuple(collider(obj).shape.box.size) == pytest.approx((2.0, 6.0, 1.5))


def test_instances_and_meshes_that_others_use_keep_their_scale():
    group = bpy.data.collections.new("Crates")
    group.objects.link(bpy.data.objects.new("Inside", cube_mesh()))
    shown = add("Shown")
    shown.instance_type, shown.instance_collection = "COLLECTION", group
    source, user = add("Source", cube_mesh()), add("User")
    shape = add_collider(user, "CONVEX")
    shape.mesh_source, shape.mesh_object = "OBJECT", source
    for obj in (shown, source):
        add_collider(obj)
        obj.scale = (2.0, 2.0, 2.0)
        select(obj)
        assert run(BAKE) == {"CANCELLED"}
        assert tuple(obj.scale) == (2.0, 2.0, 2.0)
    assert source.data.vertices[0].co.x == -0.5


def volume(kind, scale):
    obj = add("Volume")
    select(obj)
    run("object.omi_physics_add_gravity", type=kind)
    obj.scale = scale
    return obj, obj.omi_physics.gravity


def test_gravity_stays_where_it_looks_to_be():
    obj, gravity = volume("LINE", (2.0, 3.0, -1.0))
    gravity.line.points[1].location = (5.0, 1.0, 2.0)
    run(BAKE)
    bpy.context.view_layer.update()
    points = [tuple(obj.matrix_world @ point.location) for point in gravity.line.points]
    assert points[0] == pytest.approx((-10.0, 0.0, 0.0), abs=1e-5)
    assert points[1] == pytest.approx((10.0, 3.0, -2.0), abs=1e-5)
    obj, gravity = volume("DIRECTIONAL", (2.0, 2.0, -2.0))
    run(BAKE)
    bpy.context.view_layer.update()
    toward = obj.matrix_world.to_3x3() @ gravity.directional.direction
    assert tuple(toward) == pytest.approx((0.0, 0.0, 1.0), abs=1e-6)
    for kind in ("DISC", "TORUS", "SHAPED"):
        obj, gravity = volume(kind, (2.0, 2.0, 2.0))
        field = getattr(gravity, kind.lower())
        field.unit_distance = 3.0
        run(BAKE)
        assert field.unit_distance == 6.0
        assert tuple(obj.scale) == (1.0, 1.0, 1.0)
        if kind == "SHAPED":
            assert tuple(field.shape.box.size) == (4.0, 4.0, 4.0)
        else:
            assert field.radius == 10.0


def test_round_gravity_keeps_an_uneven_scale():
    obj, gravity = volume("DISC", (2.0, 2.0, 3.0))
    assert run(BAKE) == {"CANCELLED"}
    assert tuple(obj.scale) == (2.0, 2.0, 3.0)
    assert gravity.disc.radius == 5.0


def test_points_of_seats_stay_where_they_look_to_be():
    obj = scaled_box((2.0, 1.0, 4.0))
    obj.omi_physics.use_seat = True
    seat = obj.omi_physics.seat
    seat.foot = (0.5, -0.25, -0.5)
    select(obj)
    run(BAKE)
    assert tuple(seat.foot) == pytest.approx((1.0, -0.25, -2.0))
