"""Exports and imports of scenes that are put together in less usual ways."""

from __future__ import annotations

import gc
import json
import math

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.scene.scene_writer import SceneWriter
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


def _delete(obj):
    with bpy.context.temp_override(selected_objects=[obj], active_object=obj):
        bpy.ops.object.delete()


def _codes(direction="EXPORT"):
    return [(issue.code, issue.pointer) for issue in reports.latest(direction).issues]


class TestSeveralScenes:
    def test_the_shown_scene_decides(self, export):
        shown = bpy.context.scene
        other = bpy.data.scenes.new("A scene before it by name")
        add_collider(add("Shown", cube_mesh()))
        add_collider(add("Other", cube_mesh(), collection=other.collection))
        shown.omi_physics.export.family = "KHR"
        gltf = export()
        assert "KHR_physics_rigid_bodies" in node(gltf, "Shown")["extensions"]
        assert "KHR_physics_rigid_bodies" in node(gltf, "Other")["extensions"]
        shown.omi_physics.export.enabled = False
        assert "extensionsUsed" not in export()

    def test_its_world_gravity_wins(self, export):
        shown = bpy.context.scene
        other = bpy.data.scenes.new("A scene before it by name")
        for scene, strength in ((shown, 3.0), (other, 1.5)):
            scene.omi_physics.use_world_gravity = True
            scene.omi_physics.world_gravity.source = "VALUE"
            scene.omi_physics.world_gravity.gravity = strength
        gltf = export()
        assert gltf["extensions"]["OMI_physics_gravity"]["gravity"] == 3
        assert _codes() == [("X07", "export")]


class TestDeletedObjects:
    """Our pointers keep an object in the file, and Blender keeps it below its parent."""

    @pytest.mark.parametrize("pointer", ["trigger", "mesh", "joint"])
    def test_are_not_exported(self, export, pointer):
        parent = add("Parent", cube_mesh())
        gone = add("Gone", cube_mesh("Gone"), parent=parent)
        user = add("User")
        if pointer == "trigger":
            gone.omi_physics.use_trigger = user.omi_physics.use_trigger = True
            user.omi_physics.trigger.mode = "LIST"
            user.omi_physics.trigger.nodes.add().object = gone
        elif pointer == "mesh":
            shape = add_collider(user, "TRIMESH")
            shape.mesh_source, shape.mesh_object = "OBJECT", gone
        else:
            add_body(gone)
            user.omi_physics.use_joint = True
            user.omi_physics.joint.connected_object = gone
        _delete(gone)
        write_anyway()
        assert gone.name in bpy.data.objects
        assert {n["name"] for n in export()["nodes"]} == {"Parent", "User"}
        if pointer != "mesh":
            assert ("X04", "User") in _codes()


class TestMeshesOfOtherObjects:
    def test_linked_duplicates_with_other_modifiers(self, export):
        mesh = cube_mesh()
        for i, count in enumerate((1, 3, 5)):
            source = add(f"Source {count}", mesh, location=(0.0, 9.0 * i, 0.0))
            if count > 1:
                source.modifiers.new("Array", "ARRAY").count = count
            shape = add_collider(add(f"User {count}"), "TRIMESH")
            shape.mesh_source, shape.mesh_object = "OBJECT", source
        bpy.context.view_layer.update()
        gltf = export(export_apply=True)
        widths = [
            gltf["accessors"][
                gltf["meshes"][shape["trimesh"]["mesh"]]["primitives"][0]["attributes"]["POSITION"]
            ]["max"][0]
            for shape in shapes(gltf)
        ]
        assert sorted(widths) == pytest.approx([0.5, 2.5, 4.5])

    def test_empty_as_source(self, export):
        user = add("User")
        shape = add_collider(user, "TRIMESH")
        shape.mesh_source, shape.mesh_object = "OBJECT", add("Nothing")
        add_body(user).mass_mode = "DENSITY"
        write_anyway()
        export()
        assert {"S12", "X06"} <= {code for code, _ in _codes()}

    @pytest.mark.parametrize("first_has_mesh", [True, False])
    def test_everything_below_is_weighed(self, export, first_has_mesh):
        source = add("Source", cube_mesh() if first_has_mesh else None)
        for x in (3.0, 6.0):
            add("Below", cube_mesh(), location=(x, 0.0, 0.0), parent=source)
        user = add("User")
        shape = add_collider(user, "TRIMESH")
        shape.mesh_source, shape.mesh_object, shape.use_children = "OBJECT", source, True
        motion = add_body(user)
        motion.mass_mode, motion.density = "DENSITY", 2.0
        bpy.context.view_layer.update()
        mass = body(export(), "User")["motion"]["mass"]
        assert mass == pytest.approx(6.0 if first_has_mesh else 4.0)


class TestHidden:
    def _scene(self):
        hidden = add("Body", cube_mesh())
        add_body(hidden)
        hidden.hide_render = True
        part = add("Part", cube_mesh(), parent=hidden)
        add_collider(part)
        add("Other", cube_mesh())
        return part

    def test_parts_of_a_hidden_body_go_with_it(self, export):
        self._scene().hide_render = True
        gltf = export(use_renderable=True)
        assert [n["name"] for n in gltf["nodes"]] == ["Other"]
        assert _codes() == [("X04", "Body")]

    def test_a_visible_part_of_it_is_told(self, export):
        self._scene()
        assert "extensions" in node(export(use_renderable=True), "Part")
        assert _codes() == [("X04", "Body")]


def test_shape_keys_of_a_mesh_for_collisions_only(export):
    obj = add("Wall", cube_mesh())
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="Wide")
    for frame, value in ((1, 0.0), (20, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    obj.omi_physics.is_collision_only = True
    add_collider(obj)
    gltf = export()
    assert "animations" not in gltf
    assert "weights" not in node(gltf, "Wall")
    assert _codes() == [("X07", "Wall")]


def test_mass_properties_of_a_camera_are_in_its_own_axes(export):
    camera = add("Camera", bpy.data.cameras.new("Camera"))
    motion = add_body(camera)
    motion.mass_mode = "DENSITY"
    motion.center_of_mass_mode = motion.inertia_mode = "SHAPES"
    shape = add_collider(camera)
    shape.location = (1.0, 2.0, 3.0)
    shape.box.size = (1.0, 2.0, 3.0)
    bpy.context.view_layer.update()
    gltf = export(export_cameras=True)
    part = node(gltf, "Camera Collider")
    written = body(gltf, "Camera")["motion"]
    assert part["translation"] == written["centerOfMass"] == [1, 2, 3]
    x, y, z = shapes(gltf)[0]["box"]["size"]
    moments = [(y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12]
    assert written["inertiaDiagonal"] == pytest.approx([written["mass"] * m for m in moments])


class TestSimulated:
    def _simulate(self, obj, frames=24):
        scene = bpy.context.scene
        bpy.ops.rigidbody.world_add()
        scene.rigidbody_world.collection = bpy.data.collections.new("Bodies")
        scene.rigidbody_world.collection.objects.link(obj)
        for frame in range(1, frames + 1):
            scene.frame_set(frame)

    def test_instances_go_back_to_where_they_start(self, export):
        inside = bpy.data.collections.new("Inside")
        bpy.context.scene.collection.children.link(inside)
        obj = add("Falling", cube_mesh(), location=(0.0, 0.0, 5.0), collection=inside)
        add_body(obj)
        instance = add("Instance", location=(10.0, 0.0, 0.0))
        instance.rotation_euler.z = 1.5
        instance.instance_type, instance.instance_collection = "COLLECTION", inside
        self._simulate(obj)
        gltf = export(export_current_frame=True, export_animations=False)
        places = [n["translation"] for n in gltf["nodes"] if n["name"] == "Falling"]
        assert len(places) == 2
        for place in places:
            assert place == pytest.approx([0.0, 5.0, 0.0], abs=1e-5)

    def test_a_constraint_is_left_alone(self, export):
        target = add("Target", location=(5.0, 0.0, 0.0))
        obj = add("Held", cube_mesh())
        add_body(obj)
        obj.constraints.new("COPY_LOCATION").target = target
        self._simulate(obj, 1)
        assert node(export(), "Held")["translation"] == pytest.approx([5.0, 0.0, 0.0])
        assert _codes() == [("B03", "Held")]
        bpy.context.scene.frame_set(2)
        export(export_current_frame=True, export_animations=False)
        assert _codes() == [("X07", "Held"), ("B03", "Held")]


class TestBones:
    def _stand_in(self, name, armature):
        obj = add(name, parent=armature)
        obj.parent_type, obj.parent_bone = "BONE", "Bone"
        obj.matrix_parent_inverse.identity()
        obj.location = (0.0, -1.0, 0.0)  # From the tail of the bone to its head.
        obj.rotation_euler.x = -math.pi / 2  # A bone runs along Y in glTF as it does in Blender.
        obj.omi_physics.is_bone_stand_in = True
        add_collider(obj)
        return obj

    def _armature(self):
        armature = add("Armature", bpy.data.armatures.new("Armature"))
        bpy.context.view_layer.objects.active = armature
        bpy.ops.object.mode_set(mode="EDIT")
        bone = armature.data.edit_bones.new("Bone")
        bone.head, bone.tail = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
        bpy.ops.object.mode_set(mode="OBJECT")
        return armature

    def test_a_stand_in_becomes_its_bone(self, export):
        self._stand_in("Bone Physics", self._armature())
        bpy.context.view_layer.update()
        gltf = export()
        assert "OMI_physics_body" in node(gltf, "Bone")["extensions"]
        assert "Bone Physics" not in {n["name"] for n in gltf["nodes"]}

    @pytest.mark.parametrize("why", ["below", "second", "moved"])
    def test_but_takes_nothing_with_it(self, export, why):
        armature = self._armature()
        first = self._stand_in("Bone Physics", armature)
        if why == "below":
            add("Below", cube_mesh(), parent=first)
        elif why == "second":
            self._stand_in("Second", armature)
        else:
            first.location.x = 0.5
        bpy.context.view_layer.update()
        gltf = export()
        names = {n["name"] for n in gltf["nodes"]}
        apart = "Second" if why == "second" else "Bone Physics"
        assert apart in names
        assert ("Below" in names) == (why == "below")
        assert ("extensions" in node(gltf, "Bone")) == (why == "second")
        assert ("X07", apart) in _codes()


class TestSeveralFiles:
    def _import(self, tmp_path, *names):
        for name in names:
            collider = {"OMI_physics_body": {"collider": {"shape": 0}}}
            gltf = {
                "asset": {"version": "2.0"},
                "scene": 0,
                "scenes": [{"nodes": [0]}],
                "nodes": [{"name": name, "extensions": collider}],
                "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape"],
                "extensions": {
                    "OMI_physics_shape": {"shapes": [{"type": "box", "box": {"size": [1, 2, 0]}}]}
                },
            }
            (tmp_path / f"{name}.gltf").write_text(json.dumps(gltf))
        files = [{"name": f"{name}.gltf"} for name in names]
        where = {"directory": f"{tmp_path}/"} if bpy.app.version >= (4, 3, 0) else {}
        first = str(tmp_path / files[0]["name"])
        bpy.ops.import_scene.gltf(filepath=first, files=files, **where)

    def test_each_has_its_own_report(self, tmp_path):
        self._import(tmp_path, "One", "Two")
        assert len(_codes("IMPORT")) == len(set(_codes("IMPORT")))
        assert reports.latest("IMPORT").counts

    def test_a_broken_one_leaves_the_collector_as_it_was(self, tmp_path):
        usual = gc.get_threshold()
        (tmp_path / "broken.gltf").write_text('{"asset": {"version": "2.0"}, "nodes": 5')
        with pytest.raises(RuntimeError, match="json"):
            bpy.ops.import_scene.gltf(filepath=str(tmp_path / "broken.gltf"))
        assert (gc.get_freeze_count(), gc.get_threshold()) == (0, usual)

    def test_one_that_fails_does_not_stop_the_others(self, tmp_path, monkeypatch):
        def fail_at_first(self, document, write=SceneWriter.write):
            if "One" in bpy.data.objects and "Two" not in bpy.data.objects:
                raise ValueError("out of luck")
            write(self, document)

        monkeypatch.setattr(SceneWriter, "write", fail_at_first)
        usual = gc.get_threshold()
        with pytest.raises(RuntimeError, match="out of luck"):
            self._import(tmp_path, "One", "Two")
        assert (gc.get_freeze_count(), gc.get_threshold()) == (0, usual)
        assert not bpy.data.objects["One"].omi_physics.use_collider
        assert bpy.data.objects["Two"].omi_physics.use_collider


def test_renaming_reaches_instanced_collections():
    inside = bpy.data.collections.new("Inside")
    obj = add("Inside", collection=inside)
    add_collider(obj)
    instance = add("Instance")
    instance.instance_type, instance.instance_collection = "COLLECTION", inside
    lists = bpy.context.scene.omi_physics
    bpy.ops.scene.omi_physics_add_physics_material()
    entry = lists.physics_materials[0]
    obj.omi_physics.collider.physics_material = entry.name
    entry.name = "Snow"
    assert obj.omi_physics.collider.physics_material == "Snow"
