from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Vector

from omi_physics_addon.blender.base import mesh_arrays
from omi_physics_addon.blender.operators import chosen_objects
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

FITTED = ("BOX", "SPHERE", "CAPSULE", "CYLINDER")


def select(*objects: Any, active: Any = None) -> None:
    bpy.context.view_layer.update()  # New objects are in its list only after this.
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj in objects)
    bpy.context.view_layer.objects.active = active or (objects[0] if objects else None)
    bpy.context.view_layer.update()


def cloud(name: str, points: Any, **options: Any) -> Any:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(map(float, p)) for p in points], [], [])
    return add(name, mesh, **options)


def collider(obj: Any) -> Any:
    return obj.omi_physics.collider


def run(name: str, **options: Any) -> set[str]:
    space, _, operator = name.partition(".")
    return getattr(getattr(bpy.ops, space), operator)(**options)


def can(name: str) -> bool:
    space, _, operator = name.partition(".")
    return getattr(getattr(bpy.ops, space), operator).poll()


def holds(shape: Any, points: Any) -> float:
    """How far the farthest of the points lies outside a fitted shape, m."""
    place = Matrix.LocRotScale(Vector(shape.location), Euler(shape.rotation), None).inverted()
    local = np.array([place @ Vector(p) for p in points])
    if shape.type == "BOX":
        return float((np.abs(local) - np.array(shape.box.size) / 2.0).max())
    if shape.type == "SPHERE":
        return float(np.linalg.norm(local, axis=1).max() - shape.sphere.radius)
    group = shape.capsule if shape.type == "CAPSULE" else shape.cylinder
    assert group.radius_bottom == group.radius_top
    half = group.height / 2.0
    if shape.type == "CYLINDER":
        across = np.linalg.norm(local[:, :2], axis=1).max() - group.radius_top
        return float(max(across, np.abs(local[:, 2]).max() - half))
    local[:, 2] -= np.clip(local[:, 2], -half, half)
    return float(np.linalg.norm(local, axis=1).max() - group.radius_top)


def mesh_object(kind: str) -> Any:
    """What one of Blender's own operators makes."""
    makers: Any = bpy.ops.mesh
    getattr(makers, f"primitive_{_PRIMITIVES[kind]}_add")()
    return bpy.context.object


_PRIMITIVES = {
    "ball": "uv_sphere",
    "ico": "ico_sphere",
    "cube": "cube",
    "rod": "cylinder",
    "cone": "cone",
    "monkey": "monkey",
}


# Parts


@pytest.mark.parametrize("kind", ["STATIC", "KINEMATIC", "DYNAMIC"])
def test_add_motion_makes_every_selected_object_a_body(kind):
    objects = [add("A", cube_mesh()), add("B"), add("C")]
    select(*objects[:2])
    assert run("object.omi_physics_add_motion", type=kind) == {"FINISHED"}
    assert [o.omi_physics.use_motion for o in objects] == [True, True, False]
    assert objects[1].omi_physics.motion.type == kind


def test_add_motion_changes_the_type_of_a_body():
    obj = add("A")
    add_body(obj, "DYNAMIC").mass = 5.0
    select(obj)
    run("object.omi_physics_add_motion", type="STATIC")
    assert obj.omi_physics.motion.type == "STATIC"
    assert obj.omi_physics.motion.mass == 5.0


def test_a_collider_is_as_large_as_the_mesh():
    obj = cloud("A", [(1, 0, 0), (3, 4, 6)])
    select(obj)
    run("object.omi_physics_add_collider", shape_type="BOX")
    shape = collider(obj).shape
    assert obj.omi_physics.use_collider
    assert tuple(shape.box.size) == (2.0, 4.0, 6.0)
    assert tuple(shape.location) == (2.0, 2.0, 3.0)


def test_a_body_gets_the_simplest_collider():
    ball, crate = mesh_object("ball"), add("Crate", cube_mesh())
    select(ball, crate)
    run("object.omi_physics_add_motion", type="DYNAMIC")
    assert [collider(o).shape.type for o in (ball, crate)] == ["SPHERE", "BOX"]
    assert ball.omi_physics.use_collider
    assert crate.omi_physics.use_collider


def test_a_body_without_the_tick_gets_no_collider():
    crate = add("Crate", cube_mesh())
    select(crate)
    run("object.omi_physics_add_motion", type="STATIC", use_collider=False)
    assert crate.omi_physics.use_motion
    assert not crate.omi_physics.use_collider


def test_a_body_that_has_a_shape_gets_no_other():
    own, notices, above, wheel = (add(name, cube_mesh()) for name in "ABCD")
    add_collider(own, "CAPSULE")
    notices.omi_physics.use_trigger = True
    add_collider(add("Hull", parent=add("Between", parent=above)))
    wheel.omi_physics.use_wheel = True
    empty = add("Empty")
    select(own, notices, above, wheel, empty)
    run("object.omi_physics_add_motion", type="KINEMATIC")
    found = [o.omi_physics.use_collider for o in (own, notices, above, wheel, empty)]
    assert found == [True, False, False, False, False]
    assert collider(own).shape.type == "CAPSULE"


def test_the_shape_of_a_body_below_is_not_that_of_the_body_above():
    above = add("Above", cube_mesh())
    below = add("Below", cube_mesh(), parent=above)
    add_body(below)
    add_collider(below)
    select(above)
    run("object.omi_physics_add_motion", type="DYNAMIC")
    assert above.omi_physics.use_collider


def test_marbles_become_spheres_at_any_even_scale():
    balls = [mesh_object(kind) for kind in ("ball", "ico")]
    marbles = [add(f"Marble {i}", balls[i % 2].data) for i in range(20)]
    for i, marble in enumerate(marbles):
        marble.scale = (0.1 * (i + 1),) * 3
    select(*marbles)
    assert run("object.omi_physics_add_collider") == {"FINISHED"}
    assert {collider(o).shape.type for o in marbles} == {"SPHERE"}
    assert {round(collider(o).shape.sphere.radius, 5) for o in marbles} == {1.0}


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [("cube", "BOX"), ("rod", "CYLINDER"), ("cone", "CYLINDER"), ("monkey", "CONVEX")],
)
def test_a_collider_is_what_fit_simplest_gives(kind, wanted):
    one, other = mesh_object(kind), mesh_object(kind)
    select(one)
    run("object.omi_physics_add_collider")
    select(other)
    run("object.omi_physics_fit_simplest", add_missing=True)
    assert collider(one).shape.type == collider(other).shape.type == wanted
    assert tuple(collider(one).shape.location) == tuple(collider(other).shape.location)


def test_equal_meshes_are_fitted_once(monkeypatch):
    """Whether objects share them, have copies of them, or make them by modifiers."""
    from omi_physics_addon.blender.authoring import fit_destinations

    fits: list[int] = []
    original = fit_destinations.simplest

    def counted(*args: Any) -> Any:
        fits.append(1)
        return original(*args)

    monkeypatch.setattr(fit_destinations, "simplest", counted)
    ball = mesh_object("ball")
    objects = [ball, *(add(f"Same {i}", ball.data) for i in range(5))]
    objects += [add(f"Copy {i}", ball.data.copy()) for i in range(5)]
    for i in range(2):
        doubled = add(f"Double {i}", ball.data)
        doubled.modifiers.new("Array", "ARRAY")
        objects.append(doubled)
    select(*objects)
    run("object.omi_physics_add_motion", type="DYNAMIC")
    assert len(fits) == 2
    assert all(o.omi_physics.use_collider for o in objects)
    assert collider(objects[-1]).shape.type != "SPHERE"
    sizes = {round(holds(collider(o).shape, [(1, 0, 0)]), 9) for o in objects[:11]}
    assert len(sizes) == 1


@pytest.mark.parametrize(("editor", "count"), [("VIEW_3D", 0), ("PROPERTIES", 1), ("", 1)])
def test_an_active_object_that_is_not_selected_counts_where_it_is_shown(editor, count):
    """The sidebar says that nothing is selected, so its buttons must not change anything."""
    obj = add("Crate", cube_mesh())
    select(obj)
    obj.select_set(False)
    area = SimpleNamespace(type=editor) if editor else None
    around = SimpleNamespace(
        object=obj,
        area=area,
        view_layer=bpy.context.view_layer,
        selected_editable_objects=bpy.context.selected_editable_objects,
    )
    assert len(chosen_objects.chosen(around)) == count
    assert chosen_objects.has_targets(around) is (count > 0)
    obj.select_set(True)
    around.selected_editable_objects = bpy.context.selected_editable_objects
    assert chosen_objects.chosen(around) == [obj]
    assert chosen_objects.has_targets(around)


def test_the_kind_of_a_collider_can_be_chosen():
    obj = mesh_object("ball")
    select(obj)
    run("object.omi_physics_add_collider", shape_type="BOX")
    assert tuple(collider(obj).shape.box.size) == pytest.approx((2.0, 2.0, 2.0), abs=1e-5)


def test_add_collider_takes_each_object_for_itself():
    objects = [cloud(str(i), [(0, 0, 0), (i, i, i)]) for i in range(1, 4)]
    select(*objects)
    run("object.omi_physics_add_collider", shape_type="SPHERE")
    radii = [collider(o).shape.sphere.radius for o in objects]
    assert radii == pytest.approx([math.sqrt(3.0) / 2.0 * i for i in range(1, 4)])


def test_add_collider_on_an_empty_has_the_default_size():
    obj = add("Empty")
    select(obj)
    run("object.omi_physics_add_collider", shape_type="CAPSULE")
    assert collider(obj).shape.type == "CAPSULE"
    assert not collider(obj).shape.capsule.is_property_set("height")


def test_add_collider_on_an_empty_mesh_has_the_default_size():
    obj = add("Nothing", bpy.data.meshes.new("Nothing"))
    select(obj)
    run("object.omi_physics_add_collider")
    assert tuple(collider(obj).shape.box.size) == (1.0, 1.0, 1.0)


def test_add_collider_leaves_colliders_alone():
    old, new = add("Old", cube_mesh()), add("New", cube_mesh())
    add_collider(old, "SPHERE")
    select(old, new)
    assert run("object.omi_physics_add_collider") == {"FINISHED"}
    assert collider(old).shape.type == "SPHERE"
    assert run("object.omi_physics_add_collider") == {"CANCELLED"}


def test_add_trigger_without_a_shape_is_made_of_those_below():
    obj = add("Area")
    select(obj)
    run("object.omi_physics_add_trigger", shape_type="NONE")
    assert obj.omi_physics.trigger.mode == "BELOW"


@pytest.mark.parametrize("part", ["motion", "collider", "trigger"])
def test_remove_takes_the_values_too(part):
    obj = add("A", cube_mesh())
    select(obj)
    run(f"object.omi_physics_add_{part}")
    group = obj.omi_physics
    group.motion.mass, group.collider.physics_material = 7.0, "Ice"
    group.trigger.nodes.add().object = obj
    assert run(f"object.omi_physics_remove_{part}") == {"FINISHED"}
    assert not getattr(group, f"use_{part}")
    assert not group.is_property_set(part)
    assert run(f"object.omi_physics_remove_{part}") == {"CANCELLED"}
    assert run(f"object.omi_physics_add_{part}") == {"FINISHED"}
    empty = {"motion": group.motion.mass == 1.0, "collider": not group.collider.physics_material}
    assert empty.get(part, not group.trigger.nodes)


def test_an_active_object_that_is_not_selected_is_worked_on_when_nothing_is():
    obj = add("A")
    select(active=obj)
    run("object.omi_physics_add_motion", type="STATIC")
    assert obj.omi_physics.use_motion


def test_nothing_selected():
    select()
    for name in ("add_motion", "add_collider", "remove_trigger", "fit_shape", "copy_to_selected"):
        assert not can(f"object.omi_physics_{name}")


# Fitting


@pytest.mark.parametrize("kind", FITTED)
@pytest.mark.parametrize("stretch", [(4, 1, 1), (1, 4, 1), (1, 1, 4)], ids="XYZ")
def test_fit_holds_every_vertex_tightly_whatever_axis_is_longest(kind, stretch):
    rng = np.random.default_rng(1)
    ball = rng.normal(size=(400, 3))
    points = ball / np.linalg.norm(ball, axis=1)[:, None] * np.array(stretch) + (5.0, -3.0, 2.0)
    obj = cloud("A", points.round(4))
    add_collider(obj)
    select(obj)
    assert run("object.omi_physics_fit_shape", type=kind) == {"FINISHED"}
    shape = collider(obj).shape
    assert shape.type == kind
    assert -1e-3 < holds(shape, points) < 1e-3
    assert tuple(shape.location) == pytest.approx((5.0, -3.0, 2.0), abs=0.1)
    if kind in ("CAPSULE", "CYLINDER"):
        along = Euler(shape.rotation).to_matrix() @ Vector((0.0, 0.0, 1.0))
        assert np.argmax(np.abs(along)) == np.argmax(stretch)
        assert shape.is_property_set("rotation") == (stretch[2] == 1)


@pytest.mark.parametrize("along", "XYZ")
def test_fit_along_a_chosen_axis(along):
    obj = add("A", cube_mesh())
    add_collider(obj)
    select(obj)
    run("object.omi_physics_fit_shape", type="CYLINDER", along=along)
    shape = collider(obj).shape
    direction = Euler(shape.rotation).to_matrix() @ Vector((0.0, 0.0, 1.0))
    assert np.argmax(np.abs(direction)) == "XYZ".index(along)
    assert shape.cylinder.height == pytest.approx(1.0)
    assert shape.cylinder.radius_top == pytest.approx(math.sqrt(0.5))


def test_fit_prefers_z_and_no_offset():
    obj = add("A", cube_mesh(), location=(1.0, 2.0, 3.0))
    add_collider(obj)
    select(obj)
    for kind in FITTED:
        run("object.omi_physics_fit_shape", type=kind)
        assert not any(collider(obj).shape.location)
        assert not any(collider(obj).shape.rotation)
    assert not collider(obj).shape.is_property_set("location")


def test_fit_takes_modifiers_into_account_but_not_the_place_of_the_object():
    obj = add("A", cube_mesh(), location=(9.0, 9.0, 9.0))
    obj.scale = (2.0, 2.0, 2.0)
    array = obj.modifiers.new("Array", "ARRAY")
    array.count = 3
    add_collider(obj)
    select(obj)
    run("object.omi_physics_fit_shape")
    assert tuple(collider(obj).shape.box.size) == (3.0, 1.0, 1.0)
    assert tuple(collider(obj).shape.location) == (1.0, 0.0, 0.0)


def test_fit_in_edit_mode_takes_what_is_being_edited():
    obj = add("A", cube_mesh())
    add_collider(obj)
    select(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.resize(value=(3.0, 1.0, 1.0))
    run("object.omi_physics_fit_shape")
    bpy.ops.object.mode_set(mode="OBJECT")
    assert tuple(collider(obj).shape.box.size) == pytest.approx((3.0, 1.0, 1.0))


def test_fit_curves_and_texts():
    curve = bpy.data.curves.new("Curve", "CURVE")
    spline = curve.splines.new("POLY")
    spline.points.add(1)
    spline.points[1].co = (4.0, 0.0, 0.0, 1.0)
    text = bpy.data.curves.new("Text", "FONT")
    text.body = "Physics"
    objects = [add("Curve", curve), add("Text", text)]
    for obj in objects:
        add_collider(obj)
    select(*objects)
    assert run("object.omi_physics_fit_shape") == {"FINISHED"}
    # A straight line has a thickness all the same: sizes are above zero.
    assert tuple(collider(objects[0]).shape.box.size) == pytest.approx((4.0, 0.004, 0.004))
    assert collider(objects[1]).shape.box.size[0] > collider(objects[1]).shape.box.size[1] > 0.1


@pytest.mark.parametrize("kind", FITTED)
@pytest.mark.parametrize(
    "points",
    [[(1, 2, 3)], [(0, 0, 0), (0, 0, 2)], [(0, 0, 0), (1, 0, 0), (0, 1, 0)]],
    ids=["point", "line", "plane"],
)
def test_sizes_of_degenerate_meshes_are_above_zero(kind, points):
    obj = cloud("A", points)
    add_collider(obj)
    select(obj)
    assert run("object.omi_physics_fit_shape", type=kind) == {"FINISHED"}
    shape = collider(obj).shape
    sizes = {
        "BOX": tuple(shape.box.size),
        "SPHERE": (shape.sphere.radius,),
        "CAPSULE": (shape.capsule.height, shape.capsule.radius_top),
        "CYLINDER": (shape.cylinder.height, shape.cylinder.radius_top),
    }
    assert min(sizes[kind]) > 0.0
    assert holds(shape, points) < 1e-6


def test_objects_without_vertices_are_skipped():
    no_text = bpy.data.curves.new("No text", "FONT")
    no_text.body = ""
    others = [
        add("Nothing", bpy.data.meshes.new("Nothing")),
        add("No curve", bpy.data.curves.new("No curve", "CURVE")),
        add("No text", no_text),
        add("Empty"),
        add("Light", bpy.data.lights.new("Light", "POINT")),
        add("Camera", bpy.data.cameras.new("Camera")),
        add("Lattice", bpy.data.lattices.new("Lattice")),
    ]
    for obj in others:
        add_collider(obj)
        collider(obj).shape.box.size = (7.0, 7.0, 7.0)
    good = add("Good", cube_mesh())
    add_collider(good)
    no_collider = add("No collider", cube_mesh())
    select(good, no_collider, *others)
    for kind in (*FITTED, "CONVEX", "TRIMESH"):
        assert run("object.omi_physics_fit_shape", type=kind) == {"FINISHED"}
        assert collider(good).shape.type == kind
        assert {collider(o).shape.type for o in others} == {"BOX"}
        assert {tuple(collider(o).shape.box.size) for o in others} == {(7.0, 7.0, 7.0)}
    assert not no_collider.omi_physics.use_collider
    select(*others, active=others[0])
    assert run("object.omi_physics_fit_shape") == {"CANCELLED"}


def test_fit_is_greyed_out_on_an_empty():
    obj = add("Empty")
    add_collider(obj)
    select(obj)
    assert not can("object.omi_physics_fit_shape")


def test_fit_the_shape_of_a_trigger():
    obj = add("A", cube_mesh())
    add_collider(obj)
    obj.omi_physics.use_trigger = True
    obj.omi_physics.trigger.mode = "BELOW"
    select(obj)
    run("object.omi_physics_fit_shape", type="SPHERE", part="TRIGGER")
    assert obj.omi_physics.trigger.mode == "SHAPE"
    assert obj.omi_physics.trigger.shape.sphere.radius == pytest.approx(math.sqrt(0.75))
    assert collider(obj).shape.type == "BOX"


def test_fit_a_mesh_shape_chooses_the_own_mesh():
    obj = add("A", cube_mesh())
    shape = add_collider(obj)
    shape.location, shape.mesh_source = (1.0, 2.0, 3.0), "DATA"
    select(obj)
    run("object.omi_physics_fit_shape", type="CONVEX")
    assert (shape.type, shape.mesh_source) == ("CONVEX", "OWN")
    assert not any(shape.location)


def test_the_hull_of_a_cube_has_twelve_edges():
    mesh = bpy.data.meshes.new("A")
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    mesh.from_pydata([*corners, (0.0, 0.0, 0.0), (0.3, 0.2, 0.1)], [], [])
    points, edges = mesh_arrays.hull(mesh)
    lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    assert lengths == pytest.approx(np.full(12, 2.0))


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_the_hull_of_a_few_points_does_no_harm(count):
    mesh = bpy.data.meshes.new("A")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)][:count], [], [])
    points, edges = mesh_arrays.hull(mesh)
    assert points.shape[1:] == (3,)
    assert edges.shape[1:] == (2,)


# Copying


def test_copy_takes_everything_with_it():
    source, target = add("Source", cube_mesh()), add("Target", cube_mesh())
    child = add("Child", parent=source)
    shape = add_collider(source, "CONVEX")
    shape.mesh_source, shape.mesh_object, shape.location = "OBJECT", child, (1.0, 2.0, 3.0)
    collider(source).physics_material = "Ice"
    add_body(source, "KINEMATIC").linear_velocity = (1.0, 2.0, 3.0)
    group = source.omi_physics
    group.use_trigger = True
    group.trigger.mode = "LIST"
    group.trigger.nodes.add().object = child
    group.trigger.nodes.add().object = target
    target.omi_physics.trigger.nodes.add()
    target.omi_physics.motion.mass = 9.0
    select(target, source, active=source)
    assert run("object.omi_physics_copy_to_selected") == {"FINISHED"}
    copy = target.omi_physics
    assert copy.use_motion
    assert copy.use_collider
    assert copy.use_trigger
    assert (copy.motion.type, copy.motion.mass) == ("KINEMATIC", 1.0)
    assert tuple(copy.motion.linear_velocity) == (1.0, 2.0, 3.0)
    assert copy.collider.shape.mesh_object == child
    assert tuple(copy.collider.shape.location) == (1.0, 2.0, 3.0)
    assert copy.collider.physics_material == "Ice"
    assert [item.object for item in copy.trigger.nodes] == [child, target]
    assert not copy.motion.is_property_set("mass")


def test_copy_only_the_chosen_parts_that_are_there():
    source, target = add("Source"), add("Target")
    add_collider(source, "SPHERE")
    add_body(source, "STATIC")
    target.omi_physics.use_trigger = True
    select(target, source, active=source)
    assert run("object.omi_physics_copy_to_selected", use_motion=False) == {"FINISHED"}
    assert not target.omi_physics.use_motion
    assert collider(target).shape.type == "SPHERE"
    assert target.omi_physics.use_trigger
    only = {"use_motion": False, "use_collider": False}
    assert run("object.omi_physics_copy_to_selected", **only) == {"CANCELLED"}


def test_copy_needs_something_to_copy_and_someone_to_copy_to():
    source, target = add("Source"), add("Target")
    select(target, source, active=source)
    assert not can("object.omi_physics_copy_to_selected")
    add_collider(source)
    assert can("object.omi_physics_copy_to_selected")
    select(source)
    assert not can("object.omi_physics_copy_to_selected")


# Lists of the scene


def entries(list_name: str) -> list[str]:
    return [e.name for e in getattr(bpy.context.scene.omi_physics, list_name)]


@pytest.mark.parametrize("what", ["physics_material", "collision_filter"])
def test_add_move_and_remove_entries(what):
    select()
    settings = bpy.context.scene.omi_physics
    default = what.replace("_", " ").title()
    assert not can(f"scene.omi_physics_remove_{what}")
    for _ in range(3):
        assert run(f"scene.omi_physics_add_{what}") == {"FINISHED"}
    assert entries(f"{what}s") == [default, f"{default}.001", f"{default}.002"]
    assert getattr(settings, f"{what}s_index") == 2
    assert run(f"scene.omi_physics_move_{what}", direction="DOWN") == {"CANCELLED"}
    run(f"scene.omi_physics_move_{what}", direction="UP")
    assert entries(f"{what}s") == [default, f"{default}.002", f"{default}.001"]
    assert getattr(settings, f"{what}s_index") == 1
    run(f"scene.omi_physics_remove_{what}")
    assert entries(f"{what}s") == [default, f"{default}.001"]
    assert getattr(settings, f"{what}s_index") == 1
    run(f"scene.omi_physics_remove_{what}")
    run(f"scene.omi_physics_remove_{what}")
    assert not can(f"scene.omi_physics_remove_{what}")


def test_a_removed_entry_is_taken_from_its_users():
    solid, area, other = add("Solid"), add("Area"), add("Other")
    add_collider(solid)
    add_collider(other)
    area.omi_physics.use_trigger = True
    select(solid, area)
    run("scene.omi_physics_add_collision_filter", assign=True)
    assert collider(solid).collision_filter == "Collision Filter"
    assert area.omi_physics.trigger.collision_filter == "Collision Filter"
    assert collider(other).collision_filter == ""
    collider(other).collision_filter = "Something else"
    run("scene.omi_physics_remove_collision_filter")
    assert collider(solid).collision_filter == ""
    assert area.omi_physics.trigger.collision_filter == ""
    assert collider(other).collision_filter == "Something else"


def test_assign_and_select_users():
    solids = [add(str(i)) for i in range(3)]
    for obj in solids:
        add_collider(obj)
    area = add("Area")
    area.omi_physics.use_trigger = True
    hidden = add("Hidden")
    add_collider(hidden)
    run("scene.omi_physics_add_physics_material")
    select(*solids[:2], area)
    assert run("object.omi_physics_assign_physics_material") == {"FINISHED"}
    assert [collider(o).physics_material for o in solids] == ["Physics Material"] * 2 + [""]
    collider(hidden).physics_material = "Physics Material"
    hidden.hide_set(True)
    select(area)
    assert run("object.omi_physics_assign_physics_material") == {"CANCELLED"}
    run("object.omi_physics_select_physics_material", extend=True)
    assert set(bpy.context.selected_objects) == {area, *solids[:2]}
    run("object.omi_physics_select_physics_material")
    assert set(bpy.context.selected_objects) == set(solids[:2])


def test_systems():
    assert not can("scene.omi_physics_add_system")
    run("scene.omi_physics_add_collision_filter")
    for _ in range(2):
        run("scene.omi_physics_add_system", systems="collide_with_systems")
    entry = bpy.context.scene.omi_physics.collision_filters[0]
    assert [s.name for s in entry.collide_with_systems] == ["System", "System.001"]
    remove = "scene.omi_physics_remove_system"
    assert run(remove, systems="collision_systems", index=0) == {"CANCELLED"}
    assert run(remove, systems="collide_with_systems", index=0) == {"FINISHED"}
    assert [s.name for s in entry.collide_with_systems] == ["System.001"]


# Lists of triggers


def test_list_of_a_compound_trigger():
    area = add("Area")
    inner = add("Inner", parent=area)
    parts = [add("A", parent=area), add("B", parent=inner)]
    outside = add("Outside")
    for obj in (area, outside, *parts):
        obj.omi_physics.use_trigger = True
    trigger = area.omi_physics.trigger
    select(area, inner, outside, *parts)
    assert run("object.omi_physics_trigger_add_selected") == {"FINISHED"}
    assert trigger.mode == "LIST"
    assert {item.object for item in trigger.nodes} == set(parts)
    assert run("object.omi_physics_trigger_add_selected") == {"CANCELLED"}
    assert len(trigger.nodes) == 2
    assert run("object.omi_physics_trigger_remove") == {"FINISHED"}
    assert (len(trigger.nodes), trigger.nodes_index) == (1, 0)
    assert run("object.omi_physics_trigger_clear") == {"FINISHED"}
    assert not trigger.nodes
    assert run("object.omi_physics_trigger_clear") == {"CANCELLED"}
    assert run("object.omi_physics_trigger_remove") == {"CANCELLED"}
    select(inner)
    assert not can("object.omi_physics_trigger_clear")


def test_undo_takes_a_collider_away_again():
    obj = add("A", cube_mesh())
    select(obj)
    bpy.ops.ed.undo_push(message="Before")
    run("object.omi_physics_add_collider")
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    assert not bpy.data.objects["A"].omi_physics.use_collider


def test_library_overrides_are_refused(tmp_path):
    """Blender drops what is set on them when the file is loaded again."""
    add("Linked", cube_mesh())
    library = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.objects = ["Linked"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])
    override = wanted.objects[0].override_create(remap_local_usages=True)
    bpy.context.view_layer.objects.active = override
    override.select_set(True)
    assert override.is_editable
    assert not bpy.ops.object.omi_physics_add_collider.poll()


REST = "object.omi_physics_make_rest_solid"


def room() -> Any:
    """A cube of which one side is open."""
    obj = add("Room", cube_mesh("Room"))
    bm = bmesh.new()
    bm.from_mesh(obj.data)
    bm.faces.ensure_lookup_table()
    bmesh.ops.delete(bm, geom=[bm.faces[0]], context="FACES_ONLY")
    bm.to_mesh(obj.data)
    bm.free()
    return obj


def test_the_rest_becomes_solid():
    body, box, hall = add("Body", cube_mesh()), add("Box", cube_mesh("Box")), room()
    add_body(body)
    add_collider(body)
    hidden, wheel, skin = (add(name, cube_mesh(name)) for name in ("Hidden", "Wheel", "Skin"))
    hidden.hide_set(True)
    wheel.parent = body
    skin.modifiers.new("Armature", "ARMATURE")
    points, marker = cloud("Nothing", []), add("Empty")
    select(body)
    assert run(REST) == {"FINISHED"}
    assert (box.omi_physics.use_collider, box.omi_physics.use_motion) == (True, False)
    assert (collider(box).shape.type, collider(hall).shape.type) == ("BOX", "TRIMESH")
    for obj in (hidden, wheel, skin, points, marker):
        assert not obj.omi_physics.use_collider, obj.name
    assert run(REST) == {"CANCELLED"}


def test_what_is_selected_is_not_the_rest_before_anything_falls():
    crate, floor = add("Crate", cube_mesh()), add("Floor", cube_mesh("Floor"))
    select(crate)
    assert run(REST) == {"FINISHED"}
    assert (crate.omi_physics.use_collider, floor.omi_physics.use_collider) == (False, True)
    add_body(add("Body", cube_mesh("Body")))
    assert run(REST) == {"FINISHED"}
    assert crate.omi_physics.use_collider
