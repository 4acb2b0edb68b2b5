from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Matrix

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.host import gltf_export, rest_places
from tests.blender.support.gltf_files import folded
from tests.blender.support.scenes import (
    add,
    add_body,
    add_collider,
    body,
    cube_mesh,
    node,
    shapes,
    write_anyway,
)

FORMATS = [
    pytest.param("GLB", "scene.glb", id="glb"),
    pytest.param("GLTF_SEPARATE", "scene.gltf", id="separate"),
]


def _glb_json(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length])


def test_numbers_in_gltf_axes(export):
    obj = add("Body", cube_mesh(), location=(1.0, 2.0, 3.0))
    motion = add_body(obj)
    motion.mass = 2.5
    motion.center_of_mass = (0.1, 0.2, 0.3)
    motion.inertia_mode = "VALUE"
    motion.inertia_diagonal = (1.0, 2.0, 3.0)
    motion.inertia_orientation = (0.5, 0.5, 0.5, -0.5)
    motion.linear_velocity = (4.0, 5.0, 6.0)
    motion.angular_velocity = (7.0, 8.0, 9.0)
    motion.gravity_factor = -0.5
    add_collider(obj).box.size = (1.0, 2.0, 3.0)
    assert body(export(), "Body") == {
        "motion": {
            "type": "dynamic",
            "mass": 2.5,
            "centerOfMass": [0.1, 0.3, -0.2],
            "inertiaDiagonal": [1, 3, 2],
            "inertiaOrientation": [0.5, -0.5, -0.5, 0.5],
            "linearVelocity": [4, 6, -5],
            "angularVelocity": [7, 9, -8],
            "gravityFactor": -0.5,
        },
        "collider": {"shape": 0},
    }


def test_khr_of_meshes_only_has_an_object_of_the_document_too(export):
    """Babylon.js fails on files without it."""
    bpy.context.scene.omi_physics.export.family = "KHR"
    add_collider(add("Rock", cube_mesh()), "CONVEX")
    gltf = export()
    assert gltf["extensions"] == {"KHR_physics_rigid_bodies": {}}
    assert gltf["extensionsUsed"] == ["KHR_physics_rigid_bodies"]


def test_z_up_turns_nothing(export):
    obj = add("Body", cube_mesh())
    add_body(obj).linear_velocity = (4.0, 5.0, 6.0)
    add_collider(obj).box.size = (1.0, 2.0, 3.0)
    gltf = export(export_yup=False)
    assert body(gltf, "Body")["motion"]["linearVelocity"] == [4, 5, 6]
    assert shapes(gltf)[0]["box"]["size"] == [1, 2, 3]


def test_z_up_keeps_capsules_upright(export):
    obj = add("Pill")
    add_collider(obj, "CAPSULE")
    gltf = export(export_yup=False)
    half = math.sqrt(0.5)
    assert node(gltf, "Pill Collider")["rotation"] == pytest.approx([half, 0.0, 0.0, half])


def test_shape_apart_from_its_object_gets_a_node(export):
    obj = add("Body", cube_mesh(), location=(1.0, 0.0, 0.0))
    add_body(obj)
    shape = add_collider(obj, "CYLINDER")
    shape.location = (0.0, 0.5, 2.0)
    shape.rotation = (math.pi / 2, 0.0, 0.0)
    gltf = export()
    assert set(body(gltf, "Body")) == {"motion"}
    child = node(gltf, "Body Collider")
    assert child["translation"] == pytest.approx([0.0, 2.0, -0.5])
    half = math.sqrt(0.5)
    assert child["rotation"] == pytest.approx([half, 0.0, 0.0, half])
    index = gltf["nodes"].index(child)
    assert folded(gltf)["nodes"][1]["children"] == [index]
    assert shapes(gltf)[0]["cylinder"]["radius"] == 0.5


@pytest.mark.parametrize(("format_", "name"), FORMATS)
def test_formats(tmp_path, format_, name):
    add_collider(add("Hull", cube_mesh()), "CONVEX")
    path = tmp_path / name
    bpy.ops.export_scene.gltf(filepath=str(path), export_format=format_)
    gltf = _glb_json(path) if name.endswith("glb") else json.loads(path.read_text())
    assert body(gltf, "Hull") == {"collider": {"shape": 0}}
    assert gltf["extensionsUsed"] == ["OMI_physics_body", "OMI_physics_shape"]
    assert "extensionsRequired" not in gltf


def test_embedded(tmp_path):
    preferences = bpy.context.preferences.addons["io_scene_gltf2"].preferences
    preferences.allow_embedded_format = True
    try:
        add_collider(add("Hull", cube_mesh()), "CONVEX")
        path = tmp_path / "scene.gltf"
        bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_EMBEDDED")
    finally:
        preferences.allow_embedded_format = False
    gltf = json.loads(path.read_text())
    assert gltf["buffers"][0]["uri"].startswith("data:")
    assert shapes(gltf) == [{"type": "convex", "convex": {"mesh": 0}}]


def test_same_input_same_bytes(tmp_path):
    for i in range(5):
        add_collider(add(f"Box {i}", cube_mesh()), "CONVEX").name = f"shape {i % 2}"
    contents = []
    for name in ("first.glb", "second.glb"):
        bpy.ops.export_scene.gltf(filepath=str(tmp_path / name), export_format="GLB")
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]


def test_without_physics_nothing_is_added(export):
    add("Cube", cube_mesh())
    gltf = export()
    assert "extensionsUsed" not in gltf
    assert "extensions" not in gltf
    assert "extensions" not in gltf["nodes"][0]


def test_switched_off(export):
    add_collider(add("Cube", cube_mesh()))
    bpy.context.scene.omi_physics.export.enabled = False
    assert "extensions" not in export()


def test_empty_objects_survive(export):
    add_collider(add("Group"), "NONE")
    assert body(export(), "Group") == {"collider": {}}


def test_nothing_of_ours_in_extras(export):
    obj = add("Cube", cube_mesh())
    obj["mine"] = 3
    add_collider(obj)
    bpy.context.scene["also mine"] = 4
    bpy.context.scene.omi_physics.export.target = "GODOT_4"
    gltf = export(export_extras=True)
    assert node(gltf, "Cube")["extras"] == {"mine": 3}
    assert gltf["scenes"][0]["extras"] == {"also mine": 4}


def test_equal_shapes_materials_and_filters_are_shared(export):
    lists = bpy.context.scene.omi_physics
    for name in ("Ice", "Wood", "Unused"):
        lists.physics_materials.add().name = name
    lists.collision_filters.add().name = "Players"
    lists.collision_filters["Players"].collision_systems.add().name = "player"
    mesh = cube_mesh()
    for i in range(4):
        obj = add(f"Box {i}", mesh)
        add_collider(obj, "CONVEX" if i % 2 else "BOX")
        obj.omi_physics.collider.physics_material = "Wood" if i else "Ice"
        obj.omi_physics.collider.collision_filter = "Players"
    gltf = export()
    assert [shape["type"] for shape in shapes(gltf)] == ["box", "convex"]
    lists = gltf["extensions"]["OMI_physics_body"]
    assert [material["name"] for material in lists["physicsMaterials"]] == ["Ice", "Wood"]
    assert lists["collisionFilters"] == [{"collisionSystems": ["player"], "name": "Players"}]
    assert body(gltf, "Box 3")["collider"] == {
        "shape": 1,
        "physicsMaterial": 1,
        "collisionFilter": 0,
    }
    assert len(gltf["meshes"]) == 1


def test_a_name_that_is_not_in_the_list_is_told(export):
    obj = add("Cube", cube_mesh())
    add_collider(obj)
    obj.omi_physics.collider.physics_material = "Gone"
    assert body(export(), "Cube") == {"collider": {"shape": 0}}
    (issue,) = [i for i in reports.latest("EXPORT").issues if i.code == "X05"]
    assert issue.pointer == "Cube"


def test_what_a_family_cannot_say_is_told_by_object(export):
    for name in ("Planet", "Moon"):
        group = add(name, location=(1.0, 0.0, 0.0)).omi_physics
        group.use_trigger = group.use_gravity = True
        group.trigger.shape.location = (0.0, 0.0, 1.0)  # On a node of its own.
    bpy.context.scene.omi_physics.export.family = "KHR"
    export()
    issues = [(issue.code, issue.pointer) for issue in reports.latest("EXPORT").issues]
    assert issues == [("L15", "Planet"), ("L15", "Moon"), ("X70", "export")]


def test_renaming_a_material_keeps_its_users(export):
    lists = bpy.context.scene.omi_physics
    lists.physics_materials.add().name = "Ice"
    lists.physics_materials.add().name = "Ice"
    assert [m.name for m in lists.physics_materials] == ["Ice", "Ice.001"]
    obj = add("Cube", cube_mesh())
    add_collider(obj)
    obj.omi_physics.collider.physics_material = "Ice"
    lists.physics_materials[0].name = "Snow"
    assert obj.omi_physics.collider.physics_material == "Snow"
    gltf = export()
    assert gltf["extensions"]["OMI_physics_body"]["physicsMaterials"][0]["name"] == "Snow"


class TestMeshes:
    def test_collision_only_mesh_is_not_rendered(self, export):
        obj = add("Hull", cube_mesh())
        add_collider(obj, "CONVEX")
        obj.omi_physics.is_collision_only = True
        gltf = export()
        assert "mesh" not in node(gltf, "Hull")
        assert shapes(gltf) == [{"type": "convex", "convex": {"mesh": 0}}]
        assert len(gltf["meshes"]) == 1

    def test_collision_only_box_writes_no_mesh(self, export):
        obj = add("Wall", cube_mesh())
        add_collider(obj)
        obj.omi_physics.is_collision_only = True
        assert "meshes" not in export()

    def test_mesh_of_an_object_that_is_not_exported(self, export):
        other = add("Source", cube_mesh("Other"))
        user = add("User")
        shape = add_collider(user, "TRIMESH")
        shape.mesh_source, shape.mesh_object = "OBJECT", other
        user.select_set(True)
        gltf = export(use_selection=True)
        assert [n["name"] for n in gltf["nodes"]] == ["User"]
        assert gltf["meshes"][0]["name"] == "Other"
        assert shapes(gltf) == [{"type": "trimesh", "trimesh": {"mesh": 0}}]

    def test_mesh_data_that_a_node_uses_too_is_written_once(self, export):
        mesh = cube_mesh()
        add("Shown", mesh)
        shape = add_collider(add("Solid"), "CONVEX")
        shape.mesh_source, shape.mesh = "DATA", mesh
        gltf = export()
        assert len(gltf["meshes"]) == 1
        assert node(gltf, "Shown")["mesh"] == shapes(gltf)[0]["convex"]["mesh"]

    @pytest.mark.parametrize("source", ["OWN", "OBJECT"])
    @pytest.mark.parametrize("apply", [False, True])
    def test_modifiers_are_applied_when_the_export_does(self, export, source, apply):
        obj = add("Round", cube_mesh())
        obj.modifiers.new("Subdivision", "SUBSURF").levels = 2
        holder = obj if source == "OWN" else add("Holder")
        shape = add_collider(holder, "CONVEX")
        shape.mesh_source, shape.mesh_object = source, obj
        gltf = export(export_apply=apply)
        mesh = gltf["meshes"][shapes(gltf)[0]["convex"]["mesh"]]
        count = gltf["accessors"][mesh["primitives"][0]["indices"]]["count"]
        assert count == (96 * 6 if apply else 36)

    def test_no_mesh_is_told_and_leaves_no_shape(self, export):
        add_collider(add("Empty"), "CONVEX")
        write_anyway()
        assert body(export(), "Empty") == {"collider": {}}
        assert "S12" in reports.latest("EXPORT").issues.codes()

    def test_curves_give_their_mesh(self, export):
        curve = bpy.data.curves.new("Bar", "CURVE")
        curve.dimensions, curve.bevel_depth = "3D", 0.1
        spline = curve.splines.new("POLY")
        spline.points.add(1)
        spline.points[1].co = (1.0, 0.0, 0.0, 1.0)
        add_collider(add("Bar", curve), "CONVEX")
        gltf = export()
        assert gltf["meshes"][shapes(gltf)[0]["convex"]["mesh"]]["name"] == "Bar"


class TestWhatIsExported:
    def test_selected_only_tells_what_a_trigger_loses(self, export):
        group = add("Group")
        group.omi_physics.use_trigger = True
        group.omi_physics.trigger.mode = "LIST"
        parts = [add(name, parent=group) for name in ("In", "Out")]
        for part in parts:
            part.omi_physics.use_trigger = True
            group.omi_physics.trigger.nodes.add().object = part
        group.select_set(True)
        parts[0].select_set(True)
        gltf = export(use_selection=True)
        index = gltf["nodes"].index(node(gltf, "In"))
        assert body(gltf, "Group") == {"trigger": {"nodes": [index]}}
        (issue,) = [i for i in reports.latest("EXPORT").issues if i.code == "X04"]
        assert issue.pointer == "Group"
        assert "Out" in issue.message

    def test_active_collection(self, export):
        inside = bpy.data.collections.new("Inside")
        bpy.context.scene.collection.children.link(inside)
        add_collider(add("Kept", cube_mesh(), collection=inside))
        add_collider(add("Left", cube_mesh()), "SPHERE")
        layer = bpy.context.view_layer
        layer.active_layer_collection = layer.layer_collection.children["Inside"]
        gltf = export(use_active_collection=True)
        assert [n["name"] for n in gltf["nodes"]] == ["Kept", "Kept Mesh"]
        assert [s["type"] for s in shapes(gltf)] == ["box"]

    def test_collection_exporter(self, tmp_path):
        inside = bpy.data.collections.new("Inside")
        bpy.context.scene.collection.children.link(inside)
        add_collider(add("Kept", cube_mesh(), collection=inside))
        add_collider(add("Left", cube_mesh()), "SPHERE")
        path = tmp_path / "inside.gltf"
        bpy.ops.export_scene.gltf(
            filepath=str(path), export_format="GLTF_SEPARATE", collection="Inside"
        )
        gltf = json.loads(path.read_text())
        assert [n["name"] for n in gltf["nodes"]] == ["Kept", "Kept Mesh"]
        assert body(gltf, "Kept") == {"collider": {"shape": 0}}

    @pytest.mark.parametrize("include", [True, False], ids=["kept", "left out"])
    @pytest.mark.parametrize(
        ("option", "hide"), [("use_visible", "hide_viewport"), ("use_renderable", "hide_render")]
    )
    def test_hidden_colliders(self, export, option, hide, include):
        obj = add("Body", cube_mesh())
        add_body(obj)
        hull = add("Hull", cube_mesh("Hull"), parent=obj)
        add_collider(hull, "CONVEX")
        setattr(hull, hide, True)
        shown = add("Decoration", cube_mesh("Decoration"), parent=obj)
        setattr(shown, hide, True)
        bpy.context.scene.omi_physics.export.include_hidden = include
        bpy.context.view_layer.update()
        gltf = export(**{option: True})
        names = {n["name"] for n in gltf["nodes"]}
        assert names == {"Body", "Body Mesh", *(["Hull"] if include else [])}
        if include:
            assert "mesh" not in node(gltf, "Hull")
            assert gltf["meshes"][shapes(gltf)[0]["convex"]["mesh"]]["name"] == "Hull"

    def test_linked_duplicates(self, export):
        mesh = cube_mesh()
        for i in range(3):
            add_collider(add(f"Copy {i}", mesh), "TRIMESH")
        gltf = export()
        assert shapes(gltf) == [{"type": "trimesh", "trimesh": {"mesh": 0}}]
        assert {n["mesh"] for n in folded(gltf)["nodes"]} == {0}

    def test_collection_instances_refer_to_their_own_parts(self, export):
        prop = bpy.data.collections.new("Prop")
        group = add("Group", collection=prop)
        group.omi_physics.use_trigger = True
        group.omi_physics.trigger.mode = "LIST"
        part = add("Part", parent=group, collection=prop)
        part.omi_physics.use_trigger = True
        part.omi_physics.trigger.shape.location = (0.0, 0.0, 1.0)
        group.omi_physics.trigger.nodes.add().object = part
        for i in range(3):
            instancer = add(f"Instance {i}", location=(float(i), 0.0, 0.0))
            instancer.instance_type, instancer.instance_collection = "COLLECTION", prop
        bpy.context.view_layer.update()
        gltf = export()
        groups = [n for n in gltf["nodes"] if n["name"] == "Group"]
        assert len(groups) == 3
        for n in groups:
            (listed,) = n["extensions"]["OMI_physics_body"]["trigger"]["nodes"]
            (part_index,) = n["children"]
            assert gltf["nodes"][part_index]["children"] == [listed]
            assert gltf["nodes"][listed]["name"] == "Part Trigger"

    def test_cameras_and_lights_have_axes_of_their_own(self, export):
        camera = add("Camera", bpy.data.cameras.new("Camera"))
        add_body(camera).linear_velocity = (1.0, 2.0, 3.0)
        light = add("Light", bpy.data.lights.new("Light", "POINT"))
        add_body(light).linear_velocity = (1.0, 2.0, 3.0)
        gltf = export(export_cameras=True, export_lights=True)
        for name in ("Camera", "Light"):
            assert body(gltf, name)["motion"]["linearVelocity"] == [1, 2, 3]
        assert {i.code for i in reports.latest("EXPORT").issues} == {"B03", "X57"}

    def test_a_camera_that_is_left_out_takes_its_physics_with_it(self, export):
        add_body(add("Camera", bpy.data.cameras.new("Camera")))
        assert "nodes" not in export(export_cameras=False)
        (issue,) = reports.latest("EXPORT").issues
        assert (issue.code, issue.pointer) == ("X04", "Camera")

    def test_gpu_instances_do_not_swallow_bodies(self, export):
        mesh, parent = cube_mesh(), add("Parent")
        for i in range(3):
            add_collider(add(f"Box {i}", mesh, parent=parent))
        gltf = export(export_gpu_instances=True)
        assert "EXT_mesh_gpu_instancing" not in gltf["extensionsUsed"]
        assert body(gltf, "Box 2") == {"collider": {"shape": 0}}
        assert "X07" in reports.latest("EXPORT").issues.codes()

    def test_all_scenes_have_their_own_lists(self, export):
        first = bpy.context.scene
        second = bpy.data.scenes.new("Second")
        for scene, friction in ((first, 0.25), (second, 0.75)):
            material = scene.omi_physics.physics_materials.add()
            material.name, material.static_friction = "Floor", friction
            obj = add(f"Box in {scene.name}", cube_mesh(), collection=scene.collection)
            add_collider(obj)
            obj.omi_physics.collider.physics_material = material.name
        gltf = export(use_active_scene=False)
        materials = gltf["extensions"]["OMI_physics_body"]["physicsMaterials"]
        used = {
            n["name"]: materials[
                n["extensions"]["OMI_physics_body"]["collider"]["physicsMaterial"]
            ]["staticFriction"]
            for n in folded(gltf)["nodes"]
        }
        assert used == {f"Box in {first.name}": 0.25, "Box in Second": 0.75}
        assert len(shapes(gltf)) == 1


def test_current_frame_writes_no_simulated_pose(export):
    scene = bpy.context.scene
    obj = add("Falling", cube_mesh(), location=(0.0, 0.0, 5.0))
    add_body(obj)
    add_collider(obj)
    child = add("Child", cube_mesh(), location=(1.0, 0.0, 0.0), parent=obj)
    add_collider(child)
    bpy.ops.rigidbody.world_add()
    scene.rigidbody_world.collection = bpy.data.collections.new("Bodies")
    scene.rigidbody_world.collection.objects.link(obj)
    for frame in range(1, 25):
        scene.frame_set(frame)
    assert obj.matrix_world.translation.z < 4.5, "Blender should have let it fall"
    gltf = export(export_current_frame=True, export_animations=False)
    assert node(gltf, "Falling")["translation"] == pytest.approx([0.0, 5.0, 0.0])
    assert node(gltf, "Child")["translation"] == pytest.approx([1.0, 0.0, 0.0])
    assert scene.frame_current == 24


class TestAutomaticMass:
    def test_density_center_and_inertia_of_a_compound(self, export):
        obj = add("Body")
        motion = add_body(obj)
        motion.mass_mode, motion.density = "DENSITY", 500.0
        motion.center_of_mass_mode = motion.inertia_mode = "SHAPES"
        add_collider(add("Left", location=(-1.0, 0.0, 0.0), parent=obj))
        right = add("Right", location=(1.0, 0.0, 0.0), parent=obj)
        add_collider(right).box.size = (1.0, 1.0, 3.0)
        own = add("Own body", location=(0.0, 5.0, 0.0), parent=obj)
        add_body(own)
        add_collider(own)
        bpy.context.view_layer.update()
        written = body(export(), "Body")["motion"]
        assert written["mass"] == pytest.approx(2000.0)
        assert written["centerOfMass"] == pytest.approx([0.5, 0.0, 0.0])
        # Parallel axis theorem: boxes of 500 and 1500 kg, 1.5 m and 0.5 m from the center.
        across = 500 * 2 / 12 + 1500 * 2 / 12 + 500 * 1.5**2 + 1500 * 0.5**2
        along = 500 * 2 / 12 + 1500 * 10 / 12
        deep = 500 * 2 / 12 + 1500 * 10 / 12 + 500 * 1.5**2 + 1500 * 0.5**2
        assert written["inertiaDiagonal"] == pytest.approx([along, across, deep])

    def test_moments_without_a_mass_are_left_to_the_engine(self, export):
        """Engines without one take 1 kg, or the density of water, and the moments for it."""
        obj = add("Body")
        motion = add_body(obj)
        motion.mass_mode, motion.inertia_mode = "ENGINE", "SHAPES"
        add_collider(obj)
        assert "inertiaDiagonal" not in body(export(), "Body")["motion"]

    @pytest.mark.parametrize("kind", ["CONVEX", "TRIMESH"])
    def test_scaled_mesh(self, export, kind):
        obj = add("Body", cube_mesh())
        obj.scale = (1.0, 2.0, 3.0)
        motion = add_body(obj)
        motion.mass_mode, motion.density = "DENSITY", 10.0
        add_collider(obj, kind)
        bpy.context.view_layer.update()
        assert body(export(), "Body")["motion"]["mass"] == pytest.approx(60.0)

    def test_nothing_to_weigh_is_told(self, export):
        obj = add("Ghost")
        add_body(obj).mass_mode = "DENSITY"
        assert body(export(), "Ghost")["motion"]["mass"] == 1
        assert "X06" in reports.latest("EXPORT").issues.codes()


class TestFailure:
    @pytest.mark.parametrize(
        "method", ["_start", "_writer", "_attach"], ids=["reading", "encoding", "attaching"]
    )
    @pytest.mark.parametrize(("format_", "name"), FORMATS)
    def test_is_loud_and_leaves_old_files_alone(
        self, tmp_path, monkeypatch, capfd, method, format_, name
    ):
        add_collider(add("Cube", cube_mesh()))
        path = tmp_path / name
        bpy.ops.export_scene.gltf(filepath=str(path), export_format=format_)
        before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
        add("More", cube_mesh("More"))

        def fail(*_args: Any, **_options: Any) -> None:
            raise KeyError("broken")

        monkeypatch.setattr(gltf_export.ExportHooks, method, fail)
        with pytest.raises(RuntimeError, match=r"OMI Physics: .*KeyError: 'broken'"):
            bpy.ops.export_scene.gltf(filepath=str(path), export_format=format_)
        after = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
        if method == "_attach" and format_ == "GLTF_SEPARATE":
            # The host has written the buffer by then; the file that refers to it is untouched.
            before.pop("scene.bin")
            after.pop("scene.bin")
        assert after == before
        assert reports.latest("EXPORT").failed
        assert "Traceback" in capfd.readouterr().err

    def test_names_the_object(self, tmp_path):
        obj = add("Culprit", cube_mesh())
        add_collider(obj, "OTHER").kept = "not JSON"
        with pytest.raises(RuntimeError, match="object 'Culprit'"):
            bpy.ops.export_scene.gltf(filepath=str(tmp_path / "scene.glb"))
        assert not list(tmp_path.iterdir())

    def test_leaves_no_mesh_behind(self, export, monkeypatch):
        source = add("Source", cube_mesh())
        add("Part", cube_mesh("Part"), parent=source)
        shape = add_collider(add("Solid"), "CONVEX")
        shape.mesh_source, shape.mesh_object, shape.use_children = "OBJECT", source, True
        before = set(bpy.data.meshes.keys())
        gltf = export()
        (mesh,) = [m for m in gltf["meshes"] if m["name"] == "Source and below"]
        assert gltf["accessors"][mesh["primitives"][0]["indices"]]["count"] == 72
        assert set(bpy.data.meshes.keys()) == before
        with monkeypatch.context() as patch:
            patch.setattr(gltf_export.ExportHooks, "_writer", None)
            with pytest.raises(RuntimeError):
                export()
        assert set(bpy.data.meshes.keys()) == before

    def test_the_next_export_is_fine(self, tmp_path, monkeypatch, export):
        add_collider(add("Cube", cube_mesh()))
        with monkeypatch.context() as patch:
            patch.setattr(gltf_export.ExportHooks, "_start", None)
            with pytest.raises(RuntimeError):
                export()
        assert body(export(), "Cube") == {"collider": {"shape": 0}}


def test_summary_in_the_report(export, capfd):
    obj = add("Cube", cube_mesh())
    add_body(obj)
    add_collider(obj)
    export()
    report = reports.latest("EXPORT")
    assert report.headline() == "OMI Physics wrote 1 dynamic body, 1 collider, 1 box shape"
    assert not report.failed
    assert report.to_json()["counts"] == {"dynamic body": 1, "collider": 1, "box shape": 1}


def test_rest_matrix_follows_the_transform_channels():
    parent = add("Parent", location=(1.0, 0.0, 0.0))
    child = add("Child", location=(0.0, 2.0, 0.0), parent=parent)
    child.matrix_parent_inverse = Matrix.Translation((-1.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    assert rest_places.rest_matrix(child).translation == child.matrix_world.translation
