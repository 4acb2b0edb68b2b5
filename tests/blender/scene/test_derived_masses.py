"""Masses that KHR leaves to the engine and OMI does not: the export weighs what it writes."""

import json
import math

import bpy
import pytest
from mathutils import Euler, Vector

from omi_physics_addon.cli import jobs
from tests.blender.support.gltf_files import read_glb
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tools import omi_physics

DENSITY = 1000.0


def engine_body(obj):
    """A body whose mass and center are left to the engine."""
    motion = add_body(obj)
    motion.mass_mode = motion.center_of_mass_mode = "ENGINE"
    return motion


def wedge_mesh():
    """A wedge with its right angle in the origin; its hull is itself."""
    mesh = bpy.data.meshes.new("Wedge")
    corners = [(x, y, z) for x in (0, 2) for y, z in ((0, 0), (3, 0), (0, 1))]
    faces = [(0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (0, 2, 5, 3), (1, 4, 5, 2)]
    mesh.from_pydata(corners, [], faces)
    return mesh


def dented_mesh():
    """A closed cube with a dent, which its hull does not have."""
    mesh = cube_mesh("Dented")
    corners = [vertex.co[:] for vertex in mesh.vertices]
    faces = [tuple(face.vertices) for face in mesh.polygons]
    top = next(face for face in faces if all(corners[i][2] > 0 for i in face))
    faces.remove(top)
    middle = len(corners)
    ring = zip(top, (*top[1:], top[0]), strict=True)
    faces += [(a, b, middle) for a, b in ring]
    mesh.clear_geometry()
    mesh.from_pydata([*corners, (0.0, 0.0, 0.0)], [], faces)
    return mesh


def convex():
    add_collider(made := add("Body", wedge_mesh()), "CONVEX")
    engine_body(made)
    return 3.0, (2 / 2, 1.0, 1 / 3)


def trimesh():
    add_collider(made := add("Body", dented_mesh()), "TRIMESH")
    engine_body(made)
    # A pyramid of a third of half the cube is missing; its center is at 3/8 above the middle.
    volume = 1.0 - 1.0 / 6.0
    return volume, (0.0, 0.0, -(0.375 / 6.0) / volume)


def open_trimesh():
    mesh = bpy.data.meshes.new("Open")
    mesh.from_pydata([(0, 0, 0), (3, 0, 0), (0, 3, 0), (0, 0, 3)], [], [(0, 2, 1), (0, 1, 3)])
    add_collider(made := add("Body", mesh), "TRIMESH")
    engine_body(made)
    return 4.5, (0.75, 0.75, 0.75)


def scaled_part():
    made = add("Body", location=(5, 6, 7))
    made.rotation_euler = Euler((0.3, 0.2, 1.1))
    engine_body(made)
    part = add("Part", wedge_mesh(), location=(1, 0, 0), parent=made)
    part.scale = (2, 3, 4)
    add_collider(part, "CONVEX")
    return 3.0 * 24, (1 + 2, 3.0, 4 / 3)


def mirrored_part():
    engine_body(made := add("Body"))
    part = add("Part", wedge_mesh(), parent=made)
    part.scale = (-1, 1, 1)
    add_collider(part, "TRIMESH")
    return 3.0, (-1.0, 1.0, 1 / 3)


def scaled_body():
    made = add("Body", wedge_mesh())
    made.scale = (2, 2, 2)
    add_collider(made, "CONVEX")
    engine_body(made)
    return 3.0 * 8, (1.0, 1.0, 1 / 3)


def compound():
    engine_body(made := add("Body", location=(0, 9, 0)))
    for x in (0.0, 4.0):
        part = add(f"Cube {x}", cube_mesh(), location=(x, 0, 1), parent=made)
        add_collider(part, "CONVEX")
    ball = add("Ball", location=(2, 0, 0), parent=made)
    add_collider(ball, "SPHERE").sphere.radius = 1.0
    sphere = 4 / 3 * math.pi
    return 2 + sphere, (2.0, 0.0, 2 / (2 + sphere))


def turned_cone():
    engine_body(made := add("Body"))
    part = add("Cone", location=(1, 0, 0), parent=made)
    part.rotation_euler = turn = Euler((0.3, 0.2, 1.1))
    cone = add_collider(part, "CYLINDER").cylinder
    cone.height, cone.radius_bottom, cone.radius_top = 4.0, 1.0, 0.0
    return 4 / 3 * math.pi, tuple(Vector((1, 0, 0)) + turn.to_matrix() @ Vector((0, 0, -1)))


def shared_data():
    engine_body(made := add("Body"))
    shape = add_collider(made, "CONVEX")
    shape.mesh_source, shape.mesh = "DATA", wedge_mesh()
    return 3.0, (1.0, 1.0, 1 / 3)


def moved_shape():
    add_collider(made := add("Body", wedge_mesh()), "CONVEX").location = (1, 2, 3)
    engine_body(made)
    return 3.0, (2.0, 3.0, 3 + 1 / 3)


def two_materials():
    mesh = wedge_mesh()
    for name in ("One", "Two"):
        mesh.materials.append(bpy.data.materials.new(name))
    mesh.polygons[0].material_index = mesh.polygons[2].material_index = 1
    add_collider(made := add("Body", mesh), "TRIMESH")
    engine_body(made)
    return 3.0, (1.0, 1.0, 1 / 3)


def modified():
    made = add("Body", cube_mesh())
    modifier = made.modifiers.new("Array", "ARRAY")
    modifier.count, modifier.relative_offset_displace = 3, (1, 0, 0)
    add_collider(made, "CONVEX")
    engine_body(made)
    return 3.0, (1.0, 0.0, 0.0)


SCENES = (
    convex,
    trimesh,
    open_trimesh,
    scaled_part,
    mirrored_part,
    scaled_body,
    compound,
    turned_cone,
    shared_data,
    moved_shape,
    two_materials,
    modified,
)


def export_as(path, family, **options):
    settings = bpy.context.scene.omi_physics
    settings.origin, settings.export.family = "KHR", family
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLB", export_apply=True, **options)
    return read_glb(path)[0]


def motion_of(gltf):
    (found,) = [node for node in gltf["nodes"] if node["name"] == "Body"]
    return found["extensions"]["OMI_physics_body"]["motion"]


def converted(source, output, family="omi"):
    assert omi_physics.main(["convert", str(source), str(output), "--family", family]) == jobs.DONE
    return read_glb(output)[0]


@pytest.mark.parametrize("y_up", [True, False])
@pytest.mark.parametrize("make", SCENES)
def test_export_weighs_what_it_writes(make, y_up, tmp_path):
    volume, (x, y, z) = make()
    khr = tmp_path / "khr.glb"
    before = export_as(khr, "KHR", export_yup=y_up)
    (body,) = [node for node in before["nodes"] if node["name"] == "Body"]
    assert "mass" not in body["extensions"]["KHR_physics_rigid_bodies"]["motion"]
    motion = motion_of(export_as(tmp_path / "omi.glb", "OMI", export_yup=y_up))
    assert motion.get("mass", 1.0) == pytest.approx(volume * DENSITY, rel=1e-4)
    center = (x, z, -y) if y_up else (x, y, z)
    assert motion.get("centerOfMass", (0, 0, 0)) == pytest.approx(center, rel=1e-4, abs=1e-5)
    same = motion_of(converted(khr, tmp_path / "converted.glb"))
    assert motion.keys() == same.keys()
    for key in motion.keys() - {"type"}:
        assert motion[key] == pytest.approx(same[key], rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("y_up", [True, False])
@pytest.mark.parametrize("make", SCENES)
def test_center_of_shapes_is_in_the_space_of_the_node(make, y_up, tmp_path):
    _, (x, y, z) = make()
    bpy.data.objects["Body"].omi_physics.motion.center_of_mass_mode = "SHAPES"
    motion = motion_of(export_as(tmp_path / "omi.glb", "OMI", export_yup=y_up))
    center = (x, z, -y) if y_up else (x, y, z)
    assert motion.get("centerOfMass", (0, 0, 0)) == pytest.approx(center, rel=1e-4, abs=1e-5)


def test_both_families_say_the_same(tmp_path):
    volume, _ = compound()
    motion = motion_of(export_as(tmp_path / "both.glb", "BOTH"))
    assert motion["mass"] == pytest.approx(volume * DENSITY, rel=1e-4)
    alone = motion_of(export_as(tmp_path / "omi.glb", "OMI"))
    assert motion == alone


def test_moments_that_were_given_stay(tmp_path):
    convex()
    motion = bpy.data.objects["Body"].omi_physics.motion
    motion.inertia_mode, motion.inertia_diagonal = "VALUE", (1, 2, 3)
    khr = tmp_path / "khr.glb"
    export_as(khr, "KHR")
    exported = motion_of(export_as(tmp_path / "omi.glb", "OMI"))
    assert exported["inertiaDiagonal"] == [1, 3, 2]
    assert motion_of(converted(khr, tmp_path / "back.glb"))["inertiaDiagonal"] == [1, 3, 2]


def test_imported_khr_is_weighed_too(tmp_path):
    volume, _ = scaled_part()
    khr = tmp_path / "khr.glb"
    export_as(khr, "KHR")
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    bpy.context.scene.omi_physics.origin = "NONE"
    bpy.ops.import_scene.gltf(filepath=str(khr))
    assert bpy.context.scene.omi_physics.origin == "KHR"
    motion = motion_of(export_as(tmp_path / "omi.glb", "OMI"))
    assert motion["mass"] == pytest.approx(volume * DENSITY, rel=1e-4)


def test_compression_leaves_the_mass(tmp_path):
    volume, _ = convex()
    try:
        gltf = export_as(tmp_path / "omi.glb", "OMI", export_draco_mesh_compression_enable=True)
    except RuntimeError as error:  # Of a bpy without the library.
        pytest.skip(f"no Draco: {error}")
    if "KHR_draco_mesh_compression" not in gltf.get("extensionsUsed", []):
        pytest.skip("this bpy has no Draco")
    assert motion_of(gltf)["mass"] == pytest.approx(volume * DENSITY, rel=1e-4)


def test_mesh_in_a_buffer_beside_the_file(tmp_path):
    volume, _ = convex()
    settings = bpy.context.scene.omi_physics
    settings.origin, settings.export.family = "KHR", "KHR"
    path = tmp_path / "a b.gltf"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    output = tmp_path / "out.gltf"
    assert omi_physics.main(["convert", str(path), str(output), "--family", "omi"]) == jobs.DONE
    assert motion_of(json.loads(output.read_text()))["mass"] == pytest.approx(volume * DENSITY)


def test_converter_does_without_a_lost_buffer(tmp_path, capsys):
    convex()
    settings = bpy.context.scene.omi_physics
    settings.origin, settings.export.family = "KHR", "KHR"
    path = tmp_path / "scene.gltf"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    (tmp_path / "scene.bin").unlink()
    output = tmp_path / "out.gltf"
    assert omi_physics.main(["convert", str(path), str(output), "--family", "omi"]) == jobs.DONE
    assert motion_of(json.loads(output.read_text())).get("mass", 1.0) == 1.0
    assert "L04 /nodes/0: 1 kg because the body's volume is unknown" in capsys.readouterr().out


@pytest.mark.parametrize("turn", [0.0, 0.4])
@pytest.mark.parametrize("kind", ["CONVEX", "TRIMESH"])
def test_what_is_flat_weighs_nothing_and_is_written(kind, turn, tmp_path):
    """Blender's hull of a polygon is not closed, or has a volume by rounding only."""
    mesh = bpy.data.meshes.new("Disc")
    angles = [math.tau * i / 12 for i in range(12)]
    slope = Euler((turn, 2.0 * turn, 0.0)).to_matrix()
    corners = [slope @ Vector((math.cos(angle), math.sin(angle), 0.0)) for angle in angles]
    mesh.from_pydata(corners, [], [range(12)])
    obj = add("Body", mesh)
    add_collider(obj, kind)
    add_body(obj).mass_mode = "DENSITY"
    assert motion_of(export_as(tmp_path / "omi.glb", "OMI"))["mass"] == 1.0
    part = add("Part", cube_mesh(), parent=obj)
    add_collider(part)
    assert motion_of(export_as(tmp_path / "omi.glb", "OMI"))["mass"] == pytest.approx(DENSITY)
