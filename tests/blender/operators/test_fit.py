"""Fits in Blender: sources, parts, hulls, the simplest, margins, undo, and what is exported."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Quaternion, Vector

from omi_physics_addon.blender import registration
from omi_physics_addon.blender.authoring import fitting
from omi_physics_addon.blender.operators import fit as fit_operators
from omi_physics_addon.blender.panels.sidebar import sidebar_shapes
from tests.blender.operators.test_bodies import can, cloud, collider, run, select
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

FIT = "object.omi_physics_fit_shape"
SIMPLEST = "object.omi_physics_fit_simplest"
OPERATORS = {cls.bl_idname: cls for cls in registration.classes_of(fit_operators)}
PRIMITIVES = ("BOX", "SPHERE", "CAPSULE", "CYLINDER")
TURN = Euler((0.4, 0.5, 0.6)).to_matrix()


def boxes_mesh(*places: Any, turn: Any = None, size: Any = (1.0, 1.0, 1.0)) -> Any:
    """One mesh of several boxes that do not hang together."""
    mesh = cube_mesh()
    corners = [Vector(v.co) * Vector(size) for v in mesh.vertices]
    faces = [tuple(p.vertices) for p in mesh.polygons]
    turn = turn or Matrix.Identity(3)
    points, polygons = [], []
    for place in places:
        polygons += [tuple(i + len(points) for i in face) for face in faces]
        points += [turn @ corner + Vector(place) for corner in corners]
    joined = bpy.data.meshes.new("Boxes")
    joined.from_pydata(points, [], polygons)
    return joined


def told(name: str, **options: Any) -> str:
    """What an operator says that it did."""
    space, _, operator = name.partition(".")
    rna = getattr(getattr(bpy.ops, space), operator).get_rna_type()
    cls = OPERATORS[name]
    said: list[str] = []
    fake = SimpleNamespace(report=lambda _kind, text: said.append(text))
    for prop in rna.properties:
        setattr(fake, prop.identifier, getattr(prop, "default", None))
    for key, value in options.items():
        setattr(fake, key, value)
    for mixin in cls.__mro__:
        if "_run" in vars(mixin):
            fake._run = vars(mixin)["_run"].__get__(fake)
    cls.execute(fake, bpy.context)
    return said[-1]


def parts_of(obj: Any) -> list[Any]:
    bpy.context.view_layer.update()
    return sorted(obj.children, key=lambda child: child.name)


def beyond(shape: Any, points: Any) -> float:
    stored = fitting.stored_shape(shape)
    return float(stored.beyond(fitting.to_gltf(points)).max())


# Turned and tapered


@pytest.mark.parametrize("kind", PRIMITIVES)
@pytest.mark.parametrize("taper", [False, True])
@pytest.mark.parametrize("offset", [(0, 0, 0), (50, -20, 10)])
def test_free_fits_hold_every_vertex(kind, taper, offset):
    random = np.random.default_rng(3)
    points = random.normal(size=(300, 3)) * (0.5, 1.0, 3.0) @ np.array(TURN) + offset
    obj = cloud("A", points)
    add_collider(obj)
    select(obj)
    assert run(FIT, type=kind, orientation="FREE", taper=taper) == {"FINISHED"}
    shape = collider(obj).shape
    assert shape.type == kind
    assert beyond(shape, points) <= 2e-6 * 50.0


def test_a_turned_box_is_found_again():
    obj = add("A", boxes_mesh((1, 2, 3), turn=TURN, size=(1.0, 2.0, 0.5)))
    add_collider(obj)
    select(obj)
    assert told(FIT, type="BOX", orientation="FREE").endswith(", 0 % larger than the mesh")
    shape = collider(obj).shape
    assert sorted(shape.box.size) == pytest.approx([0.5, 1.0, 2.0], rel=1e-5)
    assert tuple(shape.location) == pytest.approx((1, 2, 3), abs=1e-5)
    place = Matrix.LocRotScale(shape.location, Euler(shape.rotation), None)
    corners = [place @ (Vector(v.co) * Vector(shape.box.size)) for v in cube_mesh().vertices]
    for vertex in obj.data.vertices:
        assert min((vertex.co - corner).length for corner in corners) < 1e-5


def test_the_error_is_told():
    obj = add("A", cube_mesh())
    add_collider(obj)
    select(obj)
    assert told(FIT, type="SPHERE") == "Fitted 1 sphere, 172 % larger than the mesh"
    assert told(FIT, type="BOX", margin=-0.05) == "Fitted 1 box, 27.1 % smaller than the mesh"
    other = add("B", cube_mesh())
    add_collider(other)
    other.data.transform(Matrix.Diagonal((1.0, 1.0, 2.0, 1.0)))
    select(obj, other)
    text = told(FIT, type="SPHERE")
    assert text == "Fitted 2 spheres, 172 % to 285 % larger than the meshes"


@pytest.mark.parametrize("kind", PRIMITIVES)
def test_a_margin_grows_the_shape(kind):
    obj = add("A", cube_mesh())
    add_collider(obj)
    select(obj)
    run(FIT, type=kind)
    plain = fitting.stored_shape(collider(obj).shape)
    run(FIT, type=kind, margin=0.1)
    grown = fitting.stored_shape(collider(obj).shape)
    far = np.array([[0.0, 0.0, 9.0], [9.0, 0.0, 0.0]])
    assert plain.beyond(far) - grown.beyond(far) == pytest.approx([0.1, 0.1], abs=1e-6)
    assert run(FIT, type=kind, margin=-9.0) == {"FINISHED"}
    assert fitting.stored_shape(collider(obj).shape).volume > 0.0


# Sources


def edit_selecting(obj: Any, indices: Any) -> None:
    """Select some vertices as Edit Mode leaves them."""
    work = bmesh.new()
    work.from_mesh(obj.data)
    work.select_mode = {"VERT"}
    for vertex in work.verts:
        vertex.select = vertex.index in indices
    work.select_flush_mode()
    work.to_mesh(obj.data)
    work.free()


def test_the_selection_of_several_objects_in_edit_mode():
    objects = [add(name, boxes_mesh((0, 0, 0), (5, 0, 0))) for name in "AB"]
    for obj in objects:
        add_collider(obj)
        edit_selecting(obj, range(8, 16))
    select(*objects)
    bpy.ops.object.mode_set(mode="EDIT")
    assert run(FIT, source="SELECTION") == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    for obj in objects:
        assert tuple(collider(obj).shape.location) == (5.0, 0.0, 0.0)
        assert tuple(collider(obj).shape.box.size) == (1.0, 1.0, 1.0)


def test_nothing_selected_in_edit_mode_is_told():
    obj = add("A", cube_mesh())
    add_collider(obj, "SPHERE")
    edit_selecting(obj, ())
    select(obj)
    assert run(FIT, source="SELECTION") == {"CANCELLED"}
    assert told(FIT, source="SELECTION") == "Nothing fitted: select vertices in Edit Mode"
    assert collider(obj).shape.type == "SPHERE"


def test_the_hull_of_a_selection_is_a_mesh_of_its_own():
    obj = add("A", boxes_mesh((0, 0, 0), (5, 0, 0)))
    shape = add_collider(obj)
    edit_selecting(obj, range(8, 16))
    select(obj)
    run(FIT, type="CONVEX", source="SELECTION")
    assert (shape.mesh_source, len(shape.mesh.vertices)) == ("DATA", 8)
    assert min(v.co.x for v in shape.mesh.vertices) == 4.5
    run(FIT, type="TRIMESH", source="SELECTION")
    assert len(shape.mesh.polygons) == 12


def test_the_surface_of_selected_faces_is_that_of_no_others():
    obj = add("Shaft", cube_mesh())
    work = bmesh.new()
    work.from_mesh(obj.data)
    work.select_mode = {"FACE"}
    work.normal_update()
    for face in work.faces:
        face.select = abs(face.normal.z) < 0.5  # All but top and bottom.
    work.select_flush_mode()
    work.to_mesh(obj.data)
    work.free()
    select(obj)
    run(FIT, type="TRIMESH", source="SELECTION", add_missing=True)
    faces = collider(obj).shape.mesh.polygons
    assert len(faces) == 8
    assert all(abs(face.normal.z) < 0.5 for face in faces)


def test_children_count_where_they_are():
    parent = add("Parent")
    child = add("Child", cube_mesh(), parent=parent, location=(3.0, 0.0, 0.0))
    add("Grandchild", cube_mesh(), parent=child, location=(0.0, 0.0, 4.0))
    parent.scale = (2.0, 2.0, 2.0)
    add_collider(parent)
    select(parent)
    assert can(FIT)
    assert run(FIT, source="CHILDREN") == {"FINISHED"}
    assert tuple(collider(parent).shape.box.size) == pytest.approx((1.0, 1.0, 5.0))
    assert tuple(collider(parent).shape.location) == pytest.approx((3.0, 0.0, 2.0))


# Loose parts


@pytest.mark.parametrize("kind", [*PRIMITIVES, "CONVEX", "TRIMESH"])
def test_every_loose_part_gets_a_collider(kind):
    places = [(0, 0, 0), (3, 0, 0), (0, 5, 1)]
    obj = add("Chair", boxes_mesh(*places), location=(7.0, 8.0, 9.0))
    obj.scale = (2.0, 2.0, 2.0)
    add_collider(obj)
    select(obj)
    assert run(FIT, type=kind, source="PARTS") == {"FINISHED"}
    parts = parts_of(obj)
    assert [part.name for part in parts] == [f"Chair Collider {i}" for i in (1, 2, 3)]
    assert not obj.omi_physics.use_collider
    for part, place in zip(parts, places, strict=True):
        assert part.type == "EMPTY"
        assert collider(part).shape.type == kind
        assert not collider(part).shape.is_property_set("location")
        assert tuple(part.matrix_world.translation) == pytest.approx(
            obj.matrix_world @ Vector(place)
        )


@pytest.mark.parametrize("source", ["WHOLE", "CHILDREN"])
def test_parts_of_a_pipe_are_on_it_and_not_along_its_path(source):
    bpy.ops.curve.primitive_bezier_circle_add(location=(1.0, 2.0, 3.0), rotation=(0.3, 0.4, 0.5))
    pipe: Any = bpy.context.object
    pipe.data.bevel_depth = 0.2
    assert pipe.data.use_path  # As Blender has it: children move along the curve.
    other = add("Other", cube_mesh(), parent=pipe)
    for _ in range(2):
        run(FIT, type="VOXEL", source=source, cells=6, add_missing=True)
        parts = [part for part in parts_of(pipe) if part != other]
        found = [collider(part).shape.box.size for part in parts]
        places = [pipe.matrix_world.inverted() @ part.matrix_world for part in parts]
        pairs = zip(places, map(Vector, found), strict=True)
        low = np.min([place.translation - size / 2.0 for place, size in pairs], axis=0)
        if source == "WHOLE":
            assert tuple(low) == pytest.approx((-1.2, -1.2, -0.2), abs=1e-4)
        for place in places:
            assert place.to_quaternion().angle == pytest.approx(0.0, abs=1e-3)
    bpy.ops.object.omi_physics_refit()
    assert bpy.ops.object.omi_physics_refit() == {"CANCELLED"}


def test_parts_are_wherever_their_object_is():
    homes = [bpy.data.collections.new(name) for name in ("Set", "Export")]
    obj = add("Chair", boxes_mesh((0, 0, 0), (3, 0, 0)), collection=homes[0])
    homes[1].objects.link(obj)
    for home in homes:
        bpy.context.scene.collection.children.link(home)
    select(obj)
    run(FIT, source="PARTS", add_missing=True)
    assert [len(home.objects) for home in homes] == [3, 3]


def test_parts_are_fitted_again_and_not_piled_up():
    obj = add("Chair", boxes_mesh((0, 0, 0), (3, 0, 0), (0, 5, 1)))
    add_collider(obj)
    collider(obj).physics_material = "Wood"
    select(obj)
    run(FIT, source="PARTS")
    first = parts_of(obj)
    assert {collider(part).physics_material for part in first} == {"Wood"}
    collider(first[1]).physics_material = "Iron"
    run(FIT, type="SPHERE", source="PARTS")
    assert parts_of(obj) == first
    assert [collider(part).shape.type for part in first] == ["SPHERE"] * 3
    assert collider(first[1]).physics_material == "Iron"
    obj.data = boxes_mesh((0, 0, 0), (3, 0, 0))
    run(FIT, source="PARTS")
    assert [part.name for part in parts_of(obj)] == ["Chair Collider 1", "Chair Collider 2"]
    obj.data = boxes_mesh((0, 0, 0))
    run(FIT, source="PARTS")
    assert not parts_of(obj)
    assert obj.omi_physics.use_collider
    assert len(bpy.data.objects) == 1


def _give_child(part: Any) -> None:
    add("Lamp", parent=part)


def _join_to(part: Any) -> None:
    joint = add("Joint").omi_physics
    joint.use_joint, joint.joint.connected_object = True, part


EXTENDED: dict[str, Callable[[Any], Any]] = {
    "child": _give_child,
    "other physics": lambda part: setattr(part.omi_physics, "use_seat", True),
    "end of a joint": _join_to,
    "renamed": lambda part: setattr(part, "name", "Seat"),
    "moved": lambda part: setattr(part, "location", (0.0, 0.0, 2.0)),
    "scaled": lambda part: setattr(part, "scale", (2.0, 1.0, 1.0)),
    "resized": lambda part: setattr(collider(part).shape.box, "size", (1.0, 2.0, 3.0)),
    "other shape": lambda part: setattr(collider(part).shape, "type", "SPHERE"),
    "shape moved": lambda part: setattr(collider(part).shape, "location", (0.0, 0.1, 0.0)),
    "constraint": lambda part: part.constraints.new("COPY_SCALE"),
    "animation": lambda part: part.keyframe_insert("location"),
    "property": lambda part: part.__setitem__("mine", 1),
}


@pytest.mark.parametrize("how", EXTENDED)
@pytest.mark.parametrize("pieces", [[(0, 0, 0)], [(0, 0, 0), (3, 0, 0)]])
def test_parts_that_an_artist_worked_on_stay(how, pieces, capfd):
    obj = add("Chair", boxes_mesh((0, 0, 0), (3, 0, 0), (0, 5, 1)))
    select(obj)
    run(FIT, source="PARTS", add_missing=True)
    last = parts_of(obj)[-1]
    EXTENDED[how](last)
    bpy.context.view_layer.update()
    obj.data = boxes_mesh(*pieces)
    run(FIT, source="PARTS")
    assert "; 1 part edited by hand was kept" in capfd.readouterr().out
    assert last.parent == obj
    assert not last.omi_physics.is_fitted_part  # It is the artist's own from now on.
    assert len(parts_of(obj)) == (1 if len(pieces) == 1 else 3)
    run(FIT, source="PARTS")
    assert "kept" not in capfd.readouterr().out
    assert last.parent == obj


def test_parts_keep_their_piece_when_they_are_renamed():
    places = [(0, 0, 0), (3, 0, 0), (0, 5, 1)]
    obj = add("Chair", boxes_mesh(*places))
    select(obj)
    run(FIT, source="PARTS", add_missing=True)
    parts = parts_of(obj)
    parts[2].name = "Back"
    for _ in range(2):
        run(FIT, source="PARTS")
        found = [tuple(part.matrix_world.translation) for part in (*parts,)]
        assert found == [pytest.approx(place) for place in places]
    obj.data = boxes_mesh(*places[:2])
    run(FIT, source="PARTS")
    assert parts[2].name == "Back"


def test_parts_that_were_baked_or_copied_are_not_worked_on():
    obj = add("Chair", boxes_mesh((0, 0, 0), (3, 0, 0), (0, 5, 1)))
    obj.scale = (2.0, 2.0, 2.0)
    select(obj)
    run(FIT, source="PARTS", add_missing=True)
    add_collider(obj)
    run("object.omi_physics_bake_scale")
    select(obj, *obj.children)
    bpy.ops.object.duplicate()
    (copy,) = (each for each in bpy.context.selected_objects if each.type == "MESH")
    for each in (obj, copy):
        each.data = boxes_mesh((0, 0, 0))
        select(each)
        run(FIT, source="PARTS")
        assert not parts_of(each)


def test_hulls_of_parts_are_used_again():
    obj = add("Chair", boxes_mesh((0, 0, 0), (3, 0, 0)))
    add_collider(obj)
    select(obj)
    for _ in range(3):
        run(FIT, type="CONVEX", source="PARTS", use_budget=True)
    before = len(bpy.data.meshes)
    run(FIT, type="CONVEX", source="PARTS", use_budget=True, budget=8)
    assert len(bpy.data.meshes) == before
    run(FIT, type="BOX", source="PARTS")
    assert len(bpy.data.meshes) == before - 2


def test_a_whole_shape_takes_the_place_of_parts():
    obj = add("Chair", boxes_mesh((0, 0, 0), (3, 0, 0)))
    other = add("Lamp", parent=obj)
    add_collider(other)
    select(obj)
    run(FIT, source="PARTS", add_missing=True)
    assert len(obj.children) == 3
    run(FIT, source="WHOLE")
    assert list(obj.children) == [other]
    assert obj.omi_physics.use_collider


@pytest.mark.parametrize("part", ["COLLIDER", "TRIGGER"])
def test_material_and_filter_come_back_from_parts(part):
    bpy.ops.scene.omi_physics_add_physics_material()
    bpy.ops.scene.omi_physics_add_collision_filter()
    obj = add("Chair", boxes_mesh((0, 0, 0), (3, 0, 0)))
    select(obj)
    run(FIT, part=part, add_missing=True)
    names = {"collision_filter": "Collision Filter"}
    if part == "COLLIDER":
        names["physics_material"] = "Physics Material"
    for name, value in names.items():
        setattr(getattr(obj.omi_physics, part.lower()), name, value)
    for source in ("PARTS", "WHOLE"):
        run(FIT, part=part, source=source)
    own = getattr(obj.omi_physics, part.lower())
    assert {name: getattr(own, name) for name in names} == names


def test_triggers_of_parts_make_up_the_trigger():
    obj = add("Area", boxes_mesh((0, 0, 0), (3, 0, 0)))
    select(obj)
    run(FIT, source="PARTS", part="TRIGGER", add_missing=True)
    assert obj.omi_physics.trigger.mode == "BELOW"
    assert [part.omi_physics.trigger.mode for part in parts_of(obj)] == ["SHAPE", "SHAPE"]
    assert not any(part.omi_physics.use_collider for part in parts_of(obj))


# Gravity toward a shape


def attract(obj: Any, kind: str = "SHAPED") -> Any:
    """Make an object a gravity volume; the shape whose surface attracts."""
    obj.omi_physics.use_gravity = obj.omi_physics.use_trigger = True
    obj.omi_physics.gravity.type = kind
    return obj.omi_physics.gravity.shaped.shape


@pytest.mark.parametrize("kind", [*PRIMITIVES, "CONVEX", "TRIMESH"])
def test_the_shape_of_gravity_is_fitted_as_that_of_a_collider(kind):
    mesh = boxes_mesh((2, 0, 0), (0, 3, 1), turn=TURN)
    obj = add("Rock", mesh)
    add_collider(obj)
    shape = attract(obj)
    obj.omi_physics.gravity.shaped.use_shape = False
    select(obj)
    for part in ("COLLIDER", "GRAVITY"):
        assert run(FIT, type=kind, part=part, orientation="FREE") == {"FINISHED"}
    assert obj.omi_physics.gravity.shaped.use_shape
    assert shape.type == kind
    assert obj.omi_physics.trigger.shape.type == "BOX"  # Not touched.
    if kind in PRIMITIVES:
        found, wanted = (fitting.stored_shape(each) for each in (shape, collider(obj).shape))
        assert found.geometry == wanted.geometry
        assert found.center == pytest.approx(wanted.center)
        assert beyond(shape, [v.co for v in mesh.vertices]) < 1e-5
    else:
        assert shape.mesh_source == "OWN"


@pytest.mark.parametrize("kind", ["SPHERE", "CONVEX"])
def test_the_shape_of_gravity_below_a_planet_is_fitted_to_the_planet(kind):
    planet = add("Planet", boxes_mesh((0, 0, 0), (3, 0, 0)), location=(5.0, 0.0, 0.0))
    add_collider(planet)
    select(planet)
    run("object.omi_physics_add_gravity", type="SHAPED")
    (volume,) = planet.children
    volume.location = (1.0, 2.0, 3.0)
    select(volume)
    assert can(FIT)
    assert run(FIT, type=kind, part="GRAVITY") == {"FINISHED"}
    shape = volume.omi_physics.gravity.shaped.shape
    assert shape.type == kind
    if kind == "SPHERE":
        assert tuple(shape.location) == pytest.approx((0.5, -2.0, -3.0))
        assert shape.sphere.radius == pytest.approx((2.0**2 + 0.5**2 + 0.5**2) ** 0.5)
    else:
        assert shape.mesh_source == "DATA"
        assert min(v.co.z for v in shape.mesh.vertices) == pytest.approx(-3.5)


def test_what_has_no_shaped_gravity_is_left_alone():
    point, plain = add("Point", cube_mesh()), add("Plain", cube_mesh())
    attract(point, "POINT")
    select(point, plain)
    assert run(FIT, part="GRAVITY", add_missing=True) == {"CANCELLED"}
    assert not plain.omi_physics.use_gravity
    shaped = add("Shaped", cube_mesh())
    shape = attract(shaped)
    select(point, plain, shaped)
    assert run(SIMPLEST, part="GRAVITY") == {"FINISHED"}
    assert tuple(shape.box.size) == (1.0, 1.0, 1.0)


def test_gravity_has_one_shape(capfd):
    obj = add("Rock", boxes_mesh((0, 0, 0), (3, 0, 0)))
    attract(obj)
    select(obj)
    assert run(FIT, part="GRAVITY", source="PARTS") == {"CANCELLED"}
    assert "Gravity has one shape" in capfd.readouterr().out
    assert not obj.children


def test_hundreds_of_parts_are_refused():
    points = np.repeat(np.arange(502.0), 2)[:, None] * [1, 0, 0] + [[0, 0, 0], [0, 0, 0.4]] * 502
    mesh = bpy.data.meshes.new("Hair")
    mesh.from_pydata(points.tolist(), [(2 * i, 2 * i + 1) for i in range(502)], [])
    obj = add("Hair", mesh)
    select(obj)
    assert run(FIT, source="PARTS", add_missing=True) == {"CANCELLED"}
    assert not obj.children
    others = [add(name, boxes_mesh((0, 0, 0), (3, 0, 0))) for name in ("First", "Last")]
    select(others[0], obj, others[1])
    assert run(FIT, source="PARTS", add_missing=True) == {"FINISHED"}
    assert [len(other.children) for other in others] == [2, 2]
    assert not obj.children


def test_add_missing():
    obj = add("A", cube_mesh())
    select(obj)
    assert run(FIT) == {"CANCELLED"}
    assert run(FIT, type="SPHERE", add_missing=True) == {"FINISHED"}
    assert obj.omi_physics.use_collider
    assert collider(obj).shape.type == "SPHERE"


# Hulls


def suzanne() -> Any:
    mesh = bpy.data.meshes.new("Suzanne")
    work = bmesh.new()
    bmesh.ops.create_monkey(work)
    work.to_mesh(mesh)
    work.free()
    return add("Suzanne", mesh)


@pytest.mark.parametrize("budget", [8, 20, 64])
def test_a_hull_with_few_vertices_holds_all(budget):
    obj = suzanne()
    shape = add_collider(obj)
    select(obj)
    run(FIT, type="CONVEX", use_budget=True, budget=budget)
    mesh = shape.mesh
    assert (shape.type, shape.mesh_source, shape.mesh_object) == ("CONVEX", "DATA", None)
    assert 4 <= len(mesh.vertices) <= budget
    for polygon in mesh.polygons:
        heights = [polygon.normal @ (v.co - polygon.center) for v in obj.data.vertices]
        assert max(heights) <= 1e-5
    before = [tuple(v.co) for v in mesh.vertices]
    assert run(FIT, type="CONVEX", use_budget=True, budget=budget) == {"FINISHED"}
    assert shape.mesh == mesh
    assert [tuple(v.co) for v in mesh.vertices] == before
    assert told(FIT, type="CONVEX", use_budget=True, budget=budget).startswith(
        "Fitted 1 convex hull, "
    )


@pytest.mark.parametrize("planes", ["10", "18", "26"])
def test_a_hull_between_fixed_planes_holds_all(planes):
    obj = suzanne()
    shape = add_collider(obj)
    select(obj)
    assert run(FIT, type="CONVEX", planes=planes) == {"FINISHED"}
    mesh = shape.mesh
    assert (shape.type, shape.mesh_source) == ("CONVEX", "DATA")
    for polygon in (p for p in mesh.polygons if p.area > 1e-6):
        heights = [polygon.normal @ (v.co - polygon.center) for v in obj.data.vertices]
        assert max(heights) <= 1e-4
    normals = {tuple(round(c, 2) for c in p.normal) for p in mesh.polygons if p.area > 1e-6}
    assert 6 < len(normals) <= int(planes)
    run(FIT, type="CONVEX")
    assert shape.mesh_source == "OWN"


def test_what_sticks_out_is_told():
    obj = suzanne()
    add_collider(obj)
    select(obj)
    text = told(FIT, type="CONVEX", use_budget=True, budget=16, hold_all=False)
    assert "; vertices stick out by 0." in text
    assert "stick out" not in told(FIT, type="CONVEX", use_budget=True, budget=16, hold_all=True)


def test_the_mesh_of_a_hull_goes_with_it():
    obj = suzanne()
    add_collider(obj)
    select(obj)
    run(FIT, type="CONVEX", use_budget=True)
    assert len(bpy.data.meshes) == 2
    run(FIT, type="CAPSULE")
    assert len(bpy.data.meshes) == 1


def test_a_mesh_of_the_artist_is_left_alone():
    obj, own = suzanne(), cube_mesh("My Collision")
    own.use_fake_user = True
    shape = add_collider(obj, "CONVEX")
    shape.mesh_source, shape.mesh = "DATA", own
    select(obj)
    run(FIT, type="CONVEX", use_budget=True)
    assert shape.mesh != own
    assert len(own.vertices) == 8


def test_flat_hulls_become_thin_boxes():
    obj = cloud("Flat", [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
    add_collider(obj)
    select(obj)
    run(FIT, type="CONVEX", use_budget=True)
    assert collider(obj).shape.type == "BOX"
    assert min(collider(obj).shape.box.size) > 0.0


# The simplest


def test_the_simplest_of_several_objects():
    ball = add("Ball", bpy.data.meshes.new("Ball"))
    work = bmesh.new()
    bmesh.ops.create_icosphere(work, subdivisions=4, radius=1.0)
    work.to_mesh(ball.data)
    work.free()
    box = add("Box", boxes_mesh((0, 0, 0), turn=TURN, size=(1, 2, 3)))
    select(ball, box, suzanne())
    text = told(SIMPLEST, threshold=10.0, add_missing=True, use_budget=True)
    assert collider(ball).shape.type == "SPHERE"
    assert collider(box).shape.type == "BOX"
    assert collider(bpy.data.objects["Suzanne"]).shape.type == "CONVEX"
    assert "1 sphere" in text
    assert "1 box" in text
    assert "1 convex hull" in text
    assert run(SIMPLEST, threshold=1000.0) == {"FINISHED"}
    kinds = {collider(o).shape.type for o in bpy.context.selected_objects}
    assert kinds == {"SPHERE"}


def corner() -> Any:
    """An L of three cubes, whose hull is a sixth larger than it."""
    points = [(x, y) for x, y in ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))]
    mesh = bpy.data.meshes.new("L")
    corners = [(x, y, z) for z in (0, 1) for x, y in points]
    sides = [(i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6) for i in range(6)]
    mesh.from_pydata(corners, [], [(5, 4, 3, 2, 1, 0), (6, 7, 8, 9, 10, 11), *sides])
    return add("L", mesh)


def test_it_is_told_when_no_shape_is_near_enough(capfd):
    obj = corner()
    add_collider(obj)
    select(obj)
    run(SIMPLEST, threshold=10.0)
    assert capfd.readouterr().out.strip() == (
        "Warning: Fitted 1 convex hull, 16.7 % larger than the mesh; "
        "none is within the tolerance of 10 %, the best is 16.7 % larger"
    )
    run(SIMPLEST, threshold=17.0)
    assert "Info: Fitted 1 convex hull, 16.7 % larger than the mesh\n" in capfd.readouterr().out
    run(SIMPLEST, threshold=34.0)
    assert "Info: Fitted 1 box, 33.3 % larger than the mesh\n" in capfd.readouterr().out


def test_a_margin_is_no_miss_but_a_budget_may_be(capfd):
    obj, box = corner(), add("Box", cube_mesh())
    select(box)
    run(SIMPLEST, threshold=1.0, margin=0.1, add_missing=True)
    assert "tolerance" not in capfd.readouterr().out
    ball = add("Ball", bpy.data.meshes.new("Ball"))
    work = bmesh.new()
    bmesh.ops.create_icosphere(work, subdivisions=2, radius=1.0)
    bmesh.ops.scale(work, vec=(1.0, 0.7, 0.4), verts=work.verts)
    work.to_mesh(ball.data)
    work.free()
    select(box, obj, ball)
    run(SIMPLEST, threshold=5.0, add_missing=True, use_budget=True, budget=8)
    text = capfd.readouterr().out
    assert "; for 2 none is within the tolerance of 5 %, the best are " in text
    run(SIMPLEST, threshold=150.0, use_budget=True, budget=8)
    assert "tolerance" not in capfd.readouterr().out


def test_the_simplest_needs_something_selected():
    select()
    assert not can(SIMPLEST)
    empty = add("Empty")
    select(empty)
    assert not can(SIMPLEST)


# Undo


@pytest.mark.parametrize(
    ("name", "options"),
    [
        (FIT, {"type": "CAPSULE", "orientation": "FREE", "taper": True}),
        (FIT, {"type": "BOX", "source": "PARTS"}),
        (FIT, {"type": "CONVEX", "use_budget": True}),
        (SIMPLEST, {}),
    ],
    ids=["capsule", "parts", "hull", "simplest"],
)
def test_undo_and_redo(name, options):
    obj = add("Chair", boxes_mesh((0, 0, 0), (3, 0, 0)))
    add_collider(obj, "NONE")
    select(obj)
    bpy.ops.ed.undo_push(message="Before")
    run(name, **options)
    count, meshes = len(bpy.data.objects), len(bpy.data.meshes)
    kinds = [collider(o).shape.type for o in bpy.data.objects]
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    assert [o.name for o in bpy.data.objects] == ["Chair"]
    assert collider(bpy.data.objects["Chair"]).shape.type == "NONE"
    bpy.ops.ed.redo()
    assert (len(bpy.data.objects), len(bpy.data.meshes)) == (count, meshes)
    assert [collider(o).shape.type for o in bpy.data.objects] == kinds


# Panels


def test_the_section_keeps_its_buttons_where_nothing_is_selected():
    select()
    texts: list[str] = []

    class Layout:
        def __getattr__(self, _name: str) -> Any:
            return self

        def __call__(self, *_args: Any, text: str = "", **_options: Any) -> Any:
            texts.append(text)
            return self

    panel = SimpleNamespace(layout=Layout())
    sidebar_shapes.OMIPHYSICS_PT_sidebar_shapes.draw(panel, bpy.context)
    assert {"Box", "Trimesh"} <= set(texts)
    assert not can("object.omi_physics_fit_shape")
    assert not can("object.omi_physics_fit_simplest")


@pytest.mark.parametrize(
    ("kinds", "shown"),
    [
        ({"SPHERE"}, ["margin"]),
        ({"BOX"}, ["orientation", "margin"]),
        ({"CAPSULE"}, ["orientation", "along", "taper", "margin"]),
        ({"CONVEX"}, ["margin", "planes", "use_budget"]),
        ({"TRIMESH"}, ["use_triangles"]),
        ({"VOXEL"}, ["margin", "cells", "hold_all"]),
    ],
)
def test_only_options_that_apply(kinds, shown):
    drawn: list[str] = []
    layout = SimpleNamespace(prop=lambda _data, name, **_options: drawn.append(name))
    layout.column = lambda **_options: layout
    fit_operators.draw_options(layout, bpy.context.scene.omi_physics.fit, kinds)
    assert drawn == ["mesh_state", *shown]


def with_array(name: str = "Row") -> Any:
    """A cube that an array shows three times."""
    obj = add(name, cube_mesh(name))
    array = obj.modifiers.new("Array", "ARRAY")
    array.count = 3
    bpy.context.view_layer.update()
    return obj


def test_a_fit_takes_the_mesh_before_its_modifiers_where_that_is_asked_for():
    obj = with_array()
    (size,) = {vertex.co.x * 2.0 for vertex in obj.data.vertices if vertex.co.x > 0.0}
    select(obj)
    for state, length in (("EVALUATED", 3.0 * size), ("BASE", size)):
        assert run(FIT, type="BOX", add_missing=True, mesh_state=state) == {"FINISHED"}
        assert obj.omi_physics.collider.shape.box.size[0] == pytest.approx(length)
    obj.data.transform(Matrix.Diagonal((2.0, 1.0, 1.0, 1.0)))
    assert run("object.omi_physics_refit") == {"FINISHED"}
    assert obj.omi_physics.collider.shape.box.size[0] == pytest.approx(2.0 * size)
    assert run("object.omi_physics_fit_simplest", mesh_state="BASE") == {"FINISHED"}
    assert obj.omi_physics.collider.shape.box.size[0] == pytest.approx(2.0 * size)


@pytest.mark.parametrize("kind", ["CONVEX", "TRIMESH"])
def test_a_mesh_before_its_modifiers_is_a_mesh_of_its_own(kind: str):
    obj = with_array()
    select(obj)
    run(FIT, type=kind, add_missing=True)
    assert obj.omi_physics.collider.shape.mesh_source == "OWN"
    run(FIT, type=kind, mesh_state="BASE")
    shape = obj.omi_physics.collider.shape
    assert shape.mesh_source == "DATA"
    assert len(shape.mesh.vertices) == 8


@pytest.mark.parametrize("kind", ["CONVEX", "TRIMESH"])
def test_a_mesh_before_its_shape_keys_is_a_mesh_of_its_own(kind: str):
    """Files have what is seen, with the keys mixed in, where a shape has the mesh of its object."""
    obj = add("Bulging", cube_mesh("Bulging"))
    size = max(vertex.co.x for vertex in obj.data.vertices)
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="Big")
    for point in key.data:
        point.co *= 2.0
    key.value = 1.0
    bpy.context.view_layer.update()
    select(obj)
    run(FIT, type=kind, add_missing=True, mesh_state="BASE")
    shape = obj.omi_physics.collider.shape
    assert shape.mesh_source == "DATA"
    assert max(vertex.co.x for vertex in shape.mesh.vertices) == pytest.approx(size)
    run(FIT, type="BOX", mesh_state="EVALUATED")
    assert shape.box.size[0] == pytest.approx(4.0 * size)


# Export


def world_matrices(gltf: dict[str, Any]) -> dict[int, Any]:
    """The matrix of every node in the world."""
    found: dict[int, Any] = {}

    def walk(index: int, above: Any) -> None:
        node = gltf["nodes"][index]
        x, y, z, w = node.get("rotation", (0, 0, 0, 1))
        own = Matrix.LocRotScale(
            Vector(node.get("translation", (0, 0, 0))),
            Quaternion((w, x, y, z)),
            Vector(node.get("scale", (1, 1, 1))),
        )
        found[index] = above @ own
        for child in node.get("children", ()):
            walk(child, found[index])

    for root in gltf["scenes"][0]["nodes"]:
        walk(root, Matrix())
    return found


def vertices_in_file(gltf: dict[str, Any], folder: Any, matrices: dict[int, Any]) -> list[Any]:
    """The vertices of all meshes of a file, in the world."""
    data = (folder / gltf["buffers"][0]["uri"]).read_bytes()
    points: list[Any] = []
    for index, node in enumerate(gltf["nodes"]):
        if "mesh" not in node:
            continue
        for primitive in gltf["meshes"][node["mesh"]]["primitives"]:
            accessor = gltf["accessors"][primitive["attributes"]["POSITION"]]
            start = gltf["bufferViews"][accessor["bufferView"]].get("byteOffset", 0)
            for i in range(accessor["count"]):
                place = struct.unpack_from("<3f", data, start + 12 * i)
                points.append(matrices[index] @ Vector(place))
    return points


@pytest.mark.parametrize("source", ["WHOLE", "PARTS"])
@pytest.mark.parametrize(
    ("kind", "taper"),
    [("BOX", False), ("CAPSULE", False), ("CAPSULE", True), ("CYLINDER", True), ("SPHERE", False)],
)
def test_exported_shapes_hold_the_exported_meshes(export, tmp_path, kind, taper, source):
    random = np.random.default_rng(5)
    points = random.normal(size=(60, 3)) * (0.4, 0.8, 2.5) @ np.array(TURN)
    mesh = bpy.data.meshes.new("Rock")
    both = [*points.tolist(), *(points + (9.0, 1.0, 0.0)).tolist()]
    faces = [(i, i + 1, i + 2) for part in (0, 60) for i in range(part, part + 58)]
    mesh.from_pydata(both, [], faces)
    obj = add("Rock", mesh, location=(1.0, 2.0, 3.0))
    obj.rotation_euler = (0.3, 1.0, -0.7)
    add_body(obj)
    add_collider(obj)
    select(obj)
    run(FIT, type=kind, orientation="FREE", taper=taper, source=source)
    gltf = export()
    matrices = world_matrices(gltf)
    vertices = vertices_in_file(gltf, tmp_path, matrices)
    shapes = gltf["extensions"]["OMI_physics_shape"]["shapes"]
    least = np.full(len(vertices), np.inf)
    for index, node in enumerate(gltf["nodes"]):
        body = node.get("extensions", {}).get("OMI_physics_body", {})
        if "collider" in body:
            found = shapes[body["collider"]["shape"]]
            into = matrices[index].inverted()
            local = np.array([into @ vertex for vertex in vertices])
            least = np.minimum(least, beyond_gltf(found, local))
    assert len(vertices) >= 120
    assert least.max() <= 1e-4


def beyond_gltf(shape: dict[str, Any], local: Any) -> Any:
    """How far points lie outside a shape of a file, by its definition: along Y."""
    kind = shape["type"]
    sizes = shape.get(kind, {})
    if kind == "box":
        return (np.abs(local) - np.array(sizes.get("size", (1, 1, 1))) / 2).max(axis=1)
    if kind == "sphere":
        return np.linalg.norm(local, axis=1) - sizes.get("radius", 0.5)
    height = sizes.get("height", 1.0 if kind == "capsule" else 2.0)
    bottom, top = sizes.get("radiusBottom", 0.5), sizes.get("radiusTop", 0.5)
    share = np.linspace(0.0, 1.0, 4001)[:, None]
    along, radii = (share - 0.5) * height, bottom + (top - bottom) * share
    across = np.hypot(local[:, 0], local[:, 2])
    if kind == "capsule":  # The union of the balls between its two.
        return (np.hypot(across, local[:, 1] - along) - radii).min(axis=0)
    inside = np.interp(local[:, 1] / height + 0.5, [0.0, 1.0], [bottom, top])
    return np.maximum(np.abs(local[:, 1]) - height / 2, across - inside)


def test_a_simple_hull_is_exported_as_its_mesh(export):
    obj = suzanne()
    add_collider(obj)
    select(obj)
    run(FIT, type="CONVEX", use_budget=True, budget=16)
    gltf = export()
    (shape,) = gltf["extensions"]["OMI_physics_shape"]["shapes"]
    assert shape["type"] == "convex"
    mesh = gltf["meshes"][shape["convex"]["mesh"]]
    count = gltf["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]]["count"]
    assert json.dumps(gltf["nodes"]).count('"mesh"') == 1
    assert count >= 4
