"""Physics materials by Blender materials: split meshes at export, both families, preview, trips."""

from __future__ import annotations

import json
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.scene import mesh_sources, scene_check, scene_document
from tests.blender.operators.test_bodies import collider, run, select
from tests.blender.operators.test_fit import FIT, boxes_mesh, parts_of
from tests.blender.support import preview_scenes
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

FRICTION = {"Ice": 0.0, "Grass": 1.0}


def surface(name: str, **values: Any) -> Any:
    """A Blender material with a physics material of its name."""
    friction = dict.fromkeys(("static_friction", "dynamic_friction"), FRICTION[name])
    preview_scenes.material(name, friction_combine="MINIMUM", **friction)
    material = bpy.data.materials.new(name)
    material.omi_physics.physics_material = name
    return material


def field(*names: Any, name: str = "Field", kind: str = "TRIMESH") -> Any:
    """Boxes beside each other along X, each of a Blender material."""
    mesh = boxes_mesh(*((2.0 * i, 0, 0) for i in range(len(names))))
    known = {each: bpy.data.materials.get(each) for each in names}
    for each in known:
        mesh.materials.append(known[each] or (surface(each) if each in FRICTION else None))
    for i, polygon in enumerate(mesh.polygons):
        polygon.material_index = list(known).index(names[i // 6])
    obj = add(name, mesh)
    add_collider(obj, kind)
    return obj


def exported(tmp_path: Any, family: str = "OMI", **options: Any) -> dict[str, Any]:
    bpy.context.scene.omi_physics.export.family = family
    path = tmp_path / "field.gltf"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE", **options)
    return json.loads(path.read_text())


def colliders(gltf: dict[str, Any], family: str) -> dict[str, tuple[str, int]]:
    """Names of nodes with a collider: its physics material, and the triangles of its mesh."""
    khr = "KHR_physics_rigid_bodies"
    of_omi = gltf.get("extensions", {}).get("OMI_physics_body", {})
    materials = of_omi.get("physicsMaterials", [])
    if family == "KHR":
        materials = gltf["extensions"][khr].get("physicsMaterials", [])
    found: dict[str, tuple[str, int]] = {}
    for node in gltf["nodes"]:
        extensions = node.get("extensions", {})
        if family == "KHR":
            collider = extensions.get(khr, {}).get("collider")
            mesh = None
            if collider is not None:
                mesh = collider["geometry"]["mesh"]
        else:
            collider = extensions.get("OMI_physics_body", {}).get("collider")
            shapes = gltf["extensions"].get("OMI_physics_shape", {}).get("shapes", [])
            mesh = None if collider is None else shapes[collider["shape"]]["trimesh"]["mesh"]
        if collider is not None:
            at = collider.get("physicsMaterial")
            name = "" if at is None else materials[at].get("name", "")
            primitives = gltf["meshes"][mesh]["primitives"]
            count = sum(gltf["accessors"][each["indices"]]["count"] for each in primitives) // 3
            found[node["name"]] = (name, count)
    return found


@pytest.mark.parametrize("family", ["OMI", "KHR"])
@pytest.mark.parametrize("modifier", [False, True])
def test_a_mesh_of_ice_and_grass_becomes_two_colliders(tmp_path, family, modifier):
    obj = field("Ice", "Grass", "Ice")
    if modifier:
        obj.modifiers.new("Array", "ARRAY").count = 2
    many = 2 if modifier else 1
    found = colliders(exported(tmp_path, family, export_apply=True), family)
    assert sorted(found.values()) == [("Grass", 12 * many), ("Ice", 24 * many)]


def paint_by_nodes(obj: Any, material: Any, count: int) -> None:
    """Give the first faces of an object a material by geometry nodes, which adds a slot."""
    tree = bpy.data.node_groups.new("Paint", "GeometryNodeTree")
    for direction in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
    start, end, paint, index, compare = (
        tree.nodes.new(kind)
        for kind in (
            *("NodeGroupInput", "NodeGroupOutput", "GeometryNodeSetMaterial"),
            *("GeometryNodeInputIndex", "FunctionNodeCompare"),
        )
    )
    paint.inputs["Material"].default_value = material
    compare.data_type, compare.operation = "INT", "LESS_THAN"
    compare.inputs[3].default_value = count
    tree.links.new(index.outputs[0], compare.inputs[2])
    tree.links.new(compare.outputs[0], paint.inputs["Selection"])
    tree.links.new(start.outputs[0], paint.inputs["Geometry"])
    tree.links.new(paint.outputs[0], end.inputs[0])
    obj.modifiers.new("Paint", "NODES").node_group = tree


def test_materials_of_modifiers_count(tmp_path):
    obj = field("Ice", "Ice", "Ice")
    paint_by_nodes(obj, surface("Grass"), 6)
    gltf = exported(tmp_path, export_apply=True)
    assert colliders(gltf, "OMI") == {"Field": ("Ice", 24), "Field Collider 2": ("Grass", 12)}
    select(obj)
    run(FIT, source="MATERIALS")
    assert [part.location.x for part in parts_of(obj)] == [3.0, 0.0]


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"type": "CONVEX", "use_budget": True}, ["Ice"]),
        ({"type": "CONVEX", "planes": "18"}, ["Ice"]),
        ({"type": "TRIMESH", "use_triangles": True, "triangles": 12}, ["Grass", "Ice"]),
        ({"type": "VOXEL"}, ["Ice", "Grass", "Ice"]),
        *(
            ({"type": kind, "source": source}, names)
            for kind in ("BOX", "CONVEX", "TRIMESH")
            for source, names in (
                ("PARTS", ["Ice", "Grass", "Ice"]),
                ("MATERIALS", ["Ice", "Grass"]),
            )
        ),
        ({"type": "TRIMESH", "source": "CHILDREN"}, ["Grass", "Ice"]),
    ],
)
def test_what_fits_make_has_the_surfaces_of_the_mesh(options, names):
    obj = field("Ice", "Grass", "Ice")
    select(obj)
    for _ in range(2):  # A second fit changes nothing.
        run(FIT, **options)
        read = scene_document.read(bpy.context.scene, [obj, *obj.children]).document
        found = [node.collider for node in read.nodes.values() if node.collider is not None]
        used = [read.physics_materials[each.physics_material].name for each in found]
        assert sorted(used) == sorted(names)
    run(FIT, type="BOX")
    assert collider(obj).physics_material == ""  # The mesh goes on saying it.


def test_the_artists_surface_stays_on_fitted_parts():
    obj = field("Ice", "Grass")
    preview_scenes.material("Own", obj)
    select(obj)
    for source in ("PARTS", "MATERIALS"):
        run(FIT, source=source)
        assert [collider(part).physics_material for part in parts_of(obj)] == ["Own"] * 2
    run(FIT)
    assert collider(obj).physics_material == "Own"


def test_one_surface_stays_one_collider_and_none_changes_nothing(tmp_path):
    obj = field("Ice", "Ice")
    assert list(colliders(exported(tmp_path), "OMI").values()) == [("Ice", 24)]
    obj.data.materials[0].omi_physics.physics_material = ""
    assert list(colliders(exported(tmp_path), "OMI").values()) == [("", 24)]
    obj.omi_physics.collider.physics_material = "Ice"
    assert list(colliders(exported(tmp_path), "OMI").values()) == [("Ice", 24)]


def test_faces_without_surface_have_that_of_the_collider(tmp_path):
    obj = field("Ice", "Plain")
    preview_scenes.material("Own", obj)
    assert sorted(colliders(exported(tmp_path), "OMI").values()) == [("Ice", 12), ("Own", 12)]


@pytest.mark.parametrize("kind", ["BOX", "CONVEX"])
def test_other_shapes_have_the_surface_of_most_of_what_they_show(kind):
    obj = field("Ice", "Grass", "Ice", kind=kind)

    def name() -> Any:
        read = scene_document.read(bpy.context.scene, [obj]).document
        at = read.nodes[0].collider.physics_material
        return None if at is None else read.physics_materials[at].name

    assert name() == "Ice"
    preview_scenes.material("Own", obj)
    assert name() == "Own"


def test_a_placed_shape_and_another_objects_mesh_are_split(tmp_path):
    obj = field("Ice", "Grass")
    obj.omi_physics.collider.shape.location = (0.0, 0.0, 3.0)
    other = add("Other")
    shape = add_collider(other, "TRIMESH")
    shape.mesh_source, shape.mesh_object = "OBJECT", obj
    third = add("Third")
    shape = add_collider(third, "TRIMESH")
    shape.mesh_source, shape.mesh = "DATA", obj.data
    gltf = exported(tmp_path)
    found = colliders(gltf, "OMI")
    assert sorted(found.values()) == [("Grass", 12)] * 3 + [("Ice", 12)] * 3
    assert len(gltf["extensions"]["OMI_physics_shape"]["shapes"]) == 2
    places = [node.get("translation") for node in gltf["nodes"] if node["name"] in found]
    assert places.count([0, 3, 0]) == 2


def test_instances_are_split_each(tmp_path):
    obj = field("Ice", "Grass")
    group = bpy.data.collections.new("Group")
    group.objects.link(obj)
    bpy.context.scene.collection.objects.unlink(obj)
    for x in (0.0, 10.0):
        place = add("Place", location=(x, 0.0, 0.0))
        place.instance_type, place.instance_collection = "COLLECTION", group
    gltf = exported(tmp_path)
    assert len(gltf["extensions"]["OMI_physics_shape"]["shapes"]) == 2
    owners = [n for n in gltf["nodes"] if "OMI_physics_body" in n.get("extensions", {})]
    assert len(owners) == 4


@pytest.mark.parametrize("mode", ["SHAPES", "ENGINE"])
def test_the_mass_of_the_body_stays(mode):
    obj = field("Ice", "Grass", "Ice")
    motion = add_body(obj)
    motion.mass_mode, motion.inertia_mode, motion.center_of_mass_mode = "DENSITY", mode, "SHAPES"

    def read() -> Any:
        return scene_document.read(bpy.context.scene, [obj]).document.nodes[0].motion

    split = read()
    for material in obj.data.materials:
        material.omi_physics.physics_material = ""
    assert split == read()
    assert split.mass == pytest.approx(3000.0)


@pytest.mark.parametrize("family", ["OMI", "KHR"])
def test_it_comes_back_from_a_file(tmp_path, family):
    field("Ice", "Grass", "Plain")
    before = sorted(colliders(exported(tmp_path, family), family).values())
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "field.gltf"))
    after = sorted(colliders(exported(tmp_path, family), family).values())
    assert before == after == [("", 12), ("Grass", 12), ("Ice", 12)]


def test_surfaces_come_along_with_their_mesh(tmp_path):
    obj = field("Ice", "Grass")
    path = str(tmp_path / "one.blend")
    bpy.data.libraries.write(path, {obj})
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_there, here):
        here.objects = ["Field"]
    bpy.context.scene.collection.objects.link(here.objects[0])
    assert sorted(colliders(exported(tmp_path), "OMI").values()) == [("Grass", 12), ("Ice", 12)]


def test_what_a_blender_material_uses_is_used():
    field("Ice", "Grass")
    found = scene_check.check(bpy.context.scene)
    issues = [
        issue for issue in getattr(found, "issues", found) if "no object uses" in issue.message
    ]
    assert issues == []


def test_the_preview_slides_on_ice_and_stops_on_grass():
    mesh = bpy.data.meshes.new("Ground")
    corners = [(x, y, 0.0) for x in (-20.0, 20.0) for y in (-20.0, 0.0, 20.0)]
    mesh.from_pydata(corners, [], [(0, 3, 4, 1), (1, 4, 5, 2)])
    ground = add("Ground", mesh)
    add_collider(ground, "TRIMESH")
    for i, name in enumerate(FRICTION):
        mesh.materials.append(surface(name))
        mesh.polygons[i].material_index = i
    for y, name in ((-3.0, "Slides"), (3.0, "Stops")):
        crate = preview_scenes.body(name, (0.0, y, 0.5))
        crate.omi_physics.motion.linear_velocity = (2.0, 0.0, 0.0)
        preview_scenes.material(f"{name} Side", crate, friction_combine="MINIMUM")
    preview_scenes.gravity()
    session = preview_scenes.play()
    preview_scenes.run(session, 1.0)
    far = {name: float(preview_scenes.place(session, name)[0]) for name in ("Slides", "Stops")}
    assert far["Slides"] == pytest.approx(2.0, abs=0.05)
    assert far["Stops"] < 0.8


def test_chance_mixes_slots_faces_and_modifiers():
    random = np.random.default_rng(5)
    for _ in range(15):
        names = random.choice(["Ice", "Grass", "Plain"], size=int(random.integers(1, 5))).tolist()
        obj = field(*names, name="Any")
        if random.random() < 0.5:
            obj.modifiers.new("Triangles", "TRIANGULATE")
        read = scene_document.read(bpy.context.scene, [obj])
        parts = [p.collider for p in read.document.nodes.values() if p.collider is not None]
        assert len(parts) == len({name if name in FRICTION else None for name in names})
        meshes = [read.meshes.triangles(read.document.shapes[p.shape].geometry.mesh) for p in parts]
        assert sum(len(faces) for _points, faces in meshes) == 12 * len(names)
        bpy.data.objects.remove(obj)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize(
    ("turn", "own", "away"),
    [(2.0, 0.0, [0]), (-2.0, 0.0, [0]), (1.0, 1.0, [0]), (1.0, -1.0, []), (-1.0, 0.0, [])],
)
def test_a_sheet_looks_up_in_the_world(axis, turn, own, away):
    mesh = bpy.data.meshes.new("Sheet")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [], [(0, 1, 2, 3)])
    obj = add("Sheet", mesh)
    add_collider(obj, "TRIMESH").rotation[axis] = own
    obj.rotation_euler[axis] = turn
    bpy.context.view_layer.update()
    assert mesh_sources.faces_away(obj, mesh) == away


def test_an_object_without_faces_is_left_alone():
    obj = add("Lines", bpy.data.meshes.new("Lines"))
    obj.data.materials.append(surface("Ice"))
    add_collider(obj, "TRIMESH")
    assert scene_document.read(bpy.context.scene, [obj, add("B", cube_mesh())]).document


def test_who_removes_a_physics_material_is_told_of_blender_materials(capfd):
    field("Ice", "Grass")
    other = bpy.data.materials.new("Rink")
    other.omi_physics.physics_material = "Ice"
    scene = bpy.context.scene
    scene.omi_physics.physics_materials_index = scene.omi_physics.physics_materials.find("Ice")
    bpy.ops.scene.omi_physics_remove_physics_material()
    assert "Removed Ice; used by 2 Blender materials\n" in capfd.readouterr().out
    assert not other.omi_physics.physics_material
    scene.omi_physics.physics_materials_index = 0
    box = add("Box", cube_mesh())
    add_collider(box, "BOX")
    collider(box).physics_material = "Grass"
    bpy.ops.scene.omi_physics_remove_physics_material()
    assert "Removed Grass; used by 1 object, 1 Blender material\n" in capfd.readouterr().out
