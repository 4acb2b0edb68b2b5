"""The functions for scripts inside Blender: what they make, and what they refuse."""

from __future__ import annotations

import math
import time
from typing import Any

import bpy
import pytest

from omi_physics_addon import api
from omi_physics_addon.blender.authoring import fit_sources
from omi_physics_addon.engines import WORDS
from tests.blender.operators.test_fit import boxes_mesh
from tests.blender.support.scenes import add, cube_mesh
from tests.support import pace
from tests.test_api import EXAMPLES


def placed(*names: str, **where: Any) -> list[Any]:
    objects = [add(name, cube_mesh(), **where) for name in names]
    bpy.context.view_layer.update()
    return objects


def test_the_example_about_scenes_works(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(EXAMPLES[2], "api.md", "exec"), {})
    assert (tmp_path / "door.glb").is_file()
    document = api.document(api.read(tmp_path / "door.glb"))
    assert sum(node.motion is not None for node in document.nodes.values()) == 3
    assert sum(node.joint is not None for node in document.nodes.values()) == 1
    assert not bpy.context.scene.omi_physics.export.write_anyway
    assert "Cube" in capsys.readouterr().out


def test_bodies_get_their_type_mass_and_shape():
    one, other = placed("One", "Other")
    api.add_bodies([one, other], "KINEMATIC", mass=7.5)
    for obj in (one, other):
        group = obj.omi_physics
        assert (group.motion.type, group.motion.mass) == ("KINEMATIC", 7.5)
        assert group.collider.shape.type == "BOX"
    (bare,) = placed("Bare")
    api.add_bodies([bare], fit=False)
    assert (bare.omi_physics.use_motion, bare.omi_physics.use_collider) == (True, False)


def test_colliders_and_triggers_get_shapes_of_a_kind():
    solid, noticing = placed("Solid", "Noticing")
    api.add_colliders([solid], "SPHERE")
    api.add_triggers([noticing])
    assert solid.omi_physics.collider.shape.type == "SPHERE"
    assert noticing.omi_physics.trigger.shape.type == "BOX"


def test_a_fit_replaces_a_shape_and_tells_it():
    (cube,) = placed("Cube")
    empty = add("Empty")
    api.add_colliders([cube], "SPHERE")
    assert api.fit([cube, empty], "CONVEX", planes=18) == {"Cube": ["convex"]}
    assert api.fit([cube]) == {"Cube": ["box"]}
    assert api.fit([cube], "CONVEX", vertices=8, free=True) == {"Cube": ["convex"]}
    assert api.fit([cube], "TRIMESH", triangles=4) == {"Cube": ["trimesh"]}
    assert len(cube.omi_physics.collider.shape.mesh.polygons) <= 4


def test_voxels_and_parts_are_on_objects_below():
    two = boxes_mesh((0.0, 0.0, 0.0), (3.0, 0.0, 0.0))
    pair = add("Pair", two)
    assert api.fit([pair], source="PARTS") == {"Pair": ["box", "box"]}
    assert api.fit([pair], "VOXEL", cells=4) == {"Pair": ["box", "box"]}
    assert sorted(child.name for child in pair.children) == ["Pair Collider 1", "Pair Collider 2"]
    assert api.fit([pair]) == {"Pair": ["box"]}
    assert not pair.children


def test_too_many_voxels_are_told_and_nothing_old_is_left(monkeypatch):
    pair = add("Pair", boxes_mesh((0.0, 0.0, 0.0), (3.0, 0.0, 0.0)))
    changed = add("Changed", pair.data)
    api.fit([changed], source="PARTS")
    changed.data = cube_mesh()
    monkeypatch.setattr(fit_sources, "MOST_PARTS", 1)
    with pytest.raises(ValueError, match="Pair would get more than 1 boxes"):
        api.fit([changed, pair], "VOXEL")
    assert changed.omi_physics.collider.shape.type == "BOX"
    assert not changed.children


def test_each_material_has_a_shape():
    pair = add("Pair", boxes_mesh((0.0, 0.0, 0.0), (3.0, 0.0, 0.0)))
    for name in ("Ice", "Grass"):
        pair.data.materials.append(bpy.data.materials.new(name))
    for face in pair.data.polygons:
        face.material_index = int(face.center.x > 1.5)
    assert api.fit([pair], source="MATERIALS") == {"Pair": ["box", "box"]}


def test_a_joint_has_its_ends_and_equal_ones_share_settings():
    post, door, gate = placed("Post", "Door", "Gate")
    api.add_bodies([post], "STATIC")
    api.add_bodies([door, gate])
    ends = {"turn_min": 0.0, "turn_max": math.radians(110.0)}
    first = api.add_joint(door, post, "hinge", axis="Z", place=(1, 2, 3), **ends)
    second = api.add_joint(gate, post, "hinge", axis="Z", **ends)
    assert first.omi_physics.joint.connected_object == post
    assert first.omi_physics.joint.settings == second.omi_physics.joint.settings
    bpy.context.view_layer.update()
    assert tuple(first.matrix_world.translation) == pytest.approx((1, 2, 3))
    assert first.parent == door


def test_a_vehicle_gets_its_wheels_without_a_selection():
    chassis, *wheels = placed("Chassis", "A", "B", "C", "D")
    chassis.scale = (2.0, 4.0, 1.0)
    for wheel, place in zip(wheels, ((1, 1), (1, -1), (-1, 1), (-1, -1)), strict=True):
        wheel.location = (place[0], 1.5 * place[1], -0.5)
    bpy.context.view_layer.update()
    made = api.add_vehicle(chassis, wheels, mass=900.0, drive="ALL", front="AUTO")
    assert len(made) == 4
    assert all(obj.omi_physics.wheel.max_propulsion_force > 0.0 for obj in made)
    vehicle = made[0].parent
    assert vehicle.omi_physics.use_vehicle_body
    assert vehicle.omi_physics.motion.mass == pytest.approx(900.0)


def test_a_file_comes_back_as_it_was_written(tmp_path):
    (crate,) = placed("Crate")
    api.add_bodies([crate], mass=3.0)
    assert api.export_gltf(tmp_path / "a.gltf", target="GODOT_4").counts["dynamic body"] == 1
    assert bpy.context.scene.omi_physics.export.target == "SPECIFICATION"
    bpy.data.objects.remove(crate)
    api.import_gltf(tmp_path / "a.gltf")
    assert bpy.data.objects["Crate"].omi_physics.motion.mass == 3.0


def test_a_played_body_falls_and_the_scene_stays():
    (crate,) = placed("Crate")
    api.add_bodies([crate])
    played = api.simulate(0.5, fps=60)
    assert played.names == ("Crate",)
    assert played.places[-1][0][1] == pytest.approx(-0.5 * 9.81 * 0.25, rel=0.05)
    assert tuple(crate.location) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("work", "why"),
    [
        (lambda one, other: api.add_bodies([one], "SOFT"), "kind is 'SOFT', and must be one of"),
        (lambda one, other: api.add_bodies([one], mass=math.nan), "mass is nan"),
        (lambda one, other: api.add_colliders([one], "CONE"), "shape is 'CONE'"),
        (lambda one, other: api.fit([one], planes=9), "planes is '9'"),
        (lambda one, other: api.fit([one], vertices=3), "vertices is 3"),
        (lambda one, other: api.fit([one], "VOXEL", cells=65), "cells is 65"),
        (lambda one, other: api.fit([one], "TRIMESH", triangles=3), "triangles is 3"),
        (lambda one, other: api.fit([one], source="SELECTION"), "source is 'SELECTION'"),
        (lambda one, other: api.fit([one], tolerance=-1.0), "tolerance is -1.0"),
        (lambda one, other: api.add_joint(one, other, "glue"), "kind is 'glue'"),
        (lambda one, other: api.add_joint(one, other), "One is in no body"),
        (lambda one, other: api.add_joint(one, other, stretch=1.0), "end is 'stretch'"),
        (lambda one, other: api.add_vehicle(one, []), "One becomes no vehicle"),
        (lambda one, other: api.export_gltf("a.obj"), "the end of the name is '.obj'"),
        (lambda one, other: api.export_gltf("a.glb", target="UNITY"), "target is 'UNITY'"),
        (lambda one, other: api.simulate(0.0), "seconds is 0.0"),
        (lambda one, other: api.simulate(1.0), "no bodies to simulate"),
    ],
)
def test_what_cannot_be_done_says_why_and_changes_nothing(work, why):
    one, other = placed("One", "Other")
    with pytest.raises(ValueError, match=why):
        work(one, other)
    assert not one.omi_physics.use_motion
    assert not one.omi_physics.use_collider


def test_errors_of_a_file_are_told(tmp_path):
    with pytest.raises(RuntimeError, match=r"there is no file .*none\.glb"):
        api.import_gltf(tmp_path / "none.glb")
    (crate,) = placed("Crate")
    api.add_bodies([crate])
    crate.omi_physics.collider.shape.type = "CONVEX"  # Of a mesh that it has not.
    crate.data.clear_geometry()
    assert any(issue.pointer == "Crate" for issue in api.check_scene().issues)
    with pytest.raises(RuntimeError, match="Crate"):
        api.export_gltf(tmp_path / "a.glb")
    assert not (tmp_path / "a.glb").exists()
    api.export_gltf(tmp_path / "a.glb", allow_errors=True)
    assert (tmp_path / "a.glb").exists()


def test_time_grows_with_the_number_of_objects():
    mesh = cube_mesh()

    def seconds(count):
        objects = [add(f"{count} {n}", mesh) for n in range(count)]
        bpy.context.view_layer.update()
        begin = time.thread_time()
        api.add_bodies(objects)
        api.fit(objects, "SPHERE")
        return time.thread_time() - begin

    pace.check_growth(seconds, 100, 400, most=12.0)  # A square would take 16.


def test_targets_of_scenes_are_those_of_scripts_and_commands():
    items = bpy.context.scene.omi_physics.export.bl_rna.properties["target"].enum_items
    assert [item.identifier for item in items] == [*WORDS.values()]
