"""Exports that stop at errors before they touch a file, and tell what Check tells."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import compat, reports
from omi_physics_addon.blender.host import export_check, gltf_export, host_save
from omi_physics_addon.blender.scene import scene_check
from omi_physics_addon.cli.inside import writing
from omi_physics_addon.issue_codes import Severity
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, write_anyway
from tests.simulation.start.test_start_check import STARTING_BADLY

ROOT = Path(__file__).resolve().parents[3]
FORMATS = [
    ("GLB", "scene.glb"),
    ("GLTF_SEPARATE", "scene.gltf"),
    ("GLTF_EMBEDDED", "scene.gltf"),
]


def crate(name: str = "Crate", kind: str = "DYNAMIC", **options: Any) -> Any:
    obj = add(name, cube_mesh(name), **options)
    add_body(obj, kind)
    add_collider(obj)
    return obj


def paint(color: tuple[float, ...]) -> Any:
    """A picture of one colour, packed."""
    image = bpy.data.images.get("Paint") or bpy.data.images.new("Paint", 4, 4)
    image.pixels = color * 16
    image.pack()
    return image


def textured(obj: Any) -> None:
    """Give an object a picture, which an export writes beside the file."""
    material = bpy.data.materials.new("Paint")
    if material.node_tree is None:  # Up to 4.5.
        material.use_nodes = True
    tree = material.node_tree
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image = paint((1.0, 0.0, 0.0, 1.0))
    shader = next(n for n in tree.nodes if n.type == "BSDF_PRINCIPLED")
    tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    obj.data.uv_layers.new()
    obj.data.materials.append(material)


def break_it() -> Any:
    """A shape without a mesh: nothing can be written for it."""
    obj = add("Hollow")
    add_collider(obj, "CONVEX")
    return obj


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def embedded():
    preferences = bpy.context.preferences.addons["io_scene_gltf2"].preferences
    preferences.allow_embedded_format = True
    yield
    preferences.allow_embedded_format = False


@pytest.mark.usefixtures("embedded")
@pytest.mark.parametrize(("format_", "name"), FORMATS)
def test_errors_stop_before_a_file_is_touched(tmp_path, capfd, format_, name):
    box = crate()
    textured(box)
    path = str(tmp_path / name)
    bpy.ops.export_scene.gltf(filepath=path, export_format=format_)
    before = files(tmp_path)
    assert len(before) == (3 if format_ == "GLTF_SEPARATE" else 1)
    paint((0.0, 1.0, 0.0, 1.0))
    for vertex in box.data.vertices:
        vertex.co *= 2.0
    break_it()
    capfd.readouterr()
    with pytest.raises(RuntimeError, match=r"Hollow: A convex or trimesh shape has no valid mesh"):
        bpy.ops.export_scene.gltf(filepath=path, export_format=format_)
    assert files(tmp_path) == before
    said = capfd.readouterr()
    assert "Traceback" not in said.out + said.err
    report = reports.latest("EXPORT")
    assert report.failed
    assert not report.counts

    write_anyway()
    assert bpy.ops.export_scene.gltf(filepath=path, export_format=format_) == {"FINISHED"}
    after = files(tmp_path)
    assert after.keys() == before.keys()
    assert all(after[name] != before[name] for name in before)
    assert not reports.latest("EXPORT").failed
    assert reports.latest("EXPORT").issues.count(Severity.ERROR) == 1


def test_a_new_file_or_folder_is_not_made(tmp_path):
    break_it()
    with pytest.raises(RuntimeError, match="Allow Errors"):
        bpy.ops.export_scene.gltf(filepath=str(tmp_path / "new" / "scene.glb"))
    assert not list(tmp_path.iterdir())


def test_a_collection_exporter_stops_too(tmp_path):
    collection = bpy.data.collections.new("Props")
    bpy.context.scene.collection.children.link(collection)
    crate(collection=collection)
    layer = bpy.context.view_layer.layer_collection.children["Props"]
    bpy.context.view_layer.active_layer_collection = layer
    bpy.ops.collection.exporter_add(name="IO_FH_gltf2")
    collection.exporters[0].export_properties.filepath = str(tmp_path / "props.glb")
    bpy.ops.collection.exporter_export(index=0)
    before = files(tmp_path)
    assert before
    hollow = add("Hollow", collection=collection)
    add_collider(hollow, "CONVEX")
    bpy.ops.collection.exporter_export(index=0)  # Which passes on no report.
    assert "Hollow" in reports.latest("EXPORT").failure
    assert files(tmp_path) == before
    write_anyway()
    bpy.ops.collection.exporter_export(index=0)
    assert files(tmp_path) != before


def test_the_operator_ends_as_cancelled_and_the_next_one_is_fine(tmp_path, monkeypatch):
    """Blender raises for scripts what the operator has reported; here is what it returned."""
    hollow = break_it()
    scene = bpy.context.scene
    scene.frame_set(7)
    module = compat.host_module("blender.exp.export", "blender.exp.gltf2_blender_export")
    plain, ended = module.save, []
    prepare = host_save.prepare_save

    def watched(late: host_save.Late, after: Callable[[], None]) -> None:
        prepare(late, after)
        inner = module.save

        def save(context: Any, settings: Any) -> Any:
            ended.append(inner(context, settings))
            return ended[-1]

        module.save = save

    monkeypatch.setattr(host_save, "prepare_save", watched)
    with pytest.raises(RuntimeError, match="errors were found"):
        bpy.ops.export_scene.gltf(filepath=str(tmp_path / "a.glb"))
    monkeypatch.undo()
    assert ended == [{"CANCELLED"}]
    assert module.save is plain
    assert scene.frame_current == 7
    bpy.data.objects.remove(hollow)
    crate()
    assert bpy.ops.export_scene.gltf(filepath=str(tmp_path / "a.glb")) == {"FINISHED"}
    assert module.save is plain


def test_an_export_that_never_began_leaves_nothing_to_the_next(tmp_path):
    crate()
    gltf_export.ExportHooks()
    assert bpy.ops.export_scene.gltf(filepath=str(tmp_path / "a.glb")) == {"FINISHED"}
    assert b"OMI_physics_body" in (tmp_path / "a.glb").read_bytes()


def test_the_message_names_some_objects_and_counts_the_rest():
    for i in range(8):
        add_collider(add(f"Hollow {i}"), "CONVEX")
    with pytest.raises(RuntimeError) as caught:
        bpy.ops.export_scene.gltf(filepath="/nowhere/scene.glb")
    assert str(caught.value).count("Hollow") == 5
    assert "and 3 more" in str(caught.value)


def test_nothing_stops_where_physics_is_not_written(tmp_path):
    break_it()
    bpy.context.scene.omi_physics.export.enabled = False
    assert bpy.ops.export_scene.gltf(filepath=str(tmp_path / "a.glb")) == {"FINISHED"}


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "omi_physics_addon.cli", "export", *arguments]
    return subprocess.run(
        line, cwd=ROOT, capture_output=True, text=True, check=False, env=dict(os.environ)
    )


def test_the_command_line_stops_unless_errors_are_allowed(tmp_path):
    crate()
    break_it()
    blend, out = str(tmp_path / "scene.blend"), tmp_path / "out.glb"
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    out.write_bytes(b"old")
    done = command(blend, str(out))
    assert done.returncode == 1
    assert "Hollow: A convex or trimesh shape has no valid mesh" in done.stderr
    assert "--allow-errors" in done.stderr
    assert "Traceback" not in done.stderr
    assert out.read_bytes() == b"old"
    done = command(blend, str(out), "--json")
    assert done.returncode == 1
    issues = json.loads(done.stdout)["report"]["issues"]
    assert [issue["pointer"] for issue in issues if issue["severity"] == "ERROR"] == ["Hollow"]
    done = command(blend, str(out), "--allow-errors")
    assert done.returncode == 0, done.stderr
    assert out.read_bytes().startswith(b"glTF")
    assert "ERROR S12 Hollow" in done.stdout


def test_the_command_line_names_its_own_option():
    assert writing.OPTION in export_check.why_not(_one_error())


def _one_error() -> Any:
    break_it()
    return scene_check.check(bpy.context.scene).issues


# Faults of files


def faulty() -> dict[str, Any]:
    """A joint of a body with itself, as a file of somebody else has it."""
    node = {"extensions": {"OMI_physics_joint": {"joint": 0, "connectedNode": 0}}, "name": "Hinge"}
    body = {"motion": {"type": "dynamic", "mass": 1}, "collider": {"shape": 0}}
    above = {"extensions": {"OMI_physics_body": body}, "name": "Door", "children": [1]}
    return {
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_joint", "OMI_physics_shape"],
        "extensions": {
            "OMI_physics_shape": {"shapes": [{"type": "box", "box": {}}]},
            "OMI_physics_joint": {"physicsJoints": [{"limits": [{"linearAxes": [0], "max": 0}]}]},
        },
        "nodes": [above, node],
        "scenes": [{"nodes": [0]}],
        "scene": 0,
    }


def test_what_was_imported_with_a_fault_comes_back(import_json, export, tmp_path):
    import_json(faulty())
    path = str(tmp_path / "kept.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    gltf = export()
    assert gltf["nodes"][0]["extensions"]["OMI_physics_joint"]["connectedNode"] == 1
    (issue,) = (i for i in reports.latest("EXPORT").issues if i.code == "J05")
    assert (issue.pointer, issue.severity) == ("Hinge", Severity.WARNING)
    assert issue.message.endswith("as in the imported file")


def test_a_new_fault_of_an_imported_object_stops(import_json, export):
    objects = import_json(faulty())
    objects["Hinge"].omi_physics.use_vehicle_body = True
    with pytest.raises(RuntimeError, match="Hinge: A vehicle has no body"):
        export()


# What Check tells, too


@pytest.mark.parametrize("family", ["OMI", "KHR", "BOTH"])
def test_an_export_tells_what_check_tells_in_the_same_words(export, family):
    chassis = crate("Chassis")
    chassis.scale = (0.8, 1.6, 0.3)
    add_body(add("Ghost", cube_mesh("Ghost")))
    mirrored = crate("Mirrored", kind="STATIC")
    mirrored.scale = (-1.0, 1.0, 1.0)
    mesh = crate("Mesh")
    mesh.omi_physics.collider.shape.type = "TRIMESH"
    lift = crate("Lift")
    lift.keyframe_insert("location", frame=1)
    lift.location.x = 3.0
    lift.keyframe_insert("location", frame=20)
    compound = add("Compound")
    compound.omi_physics.use_trigger = True
    compound.omi_physics.trigger.mode = "BELOW"
    part = add("Part", cube_mesh("Part"), parent=compound)
    part.omi_physics.use_trigger = True
    scene = bpy.context.scene
    for name in ("Doors", "Unused"):
        scene.omi_physics.collision_filters.add().name = name
    compound.omi_physics.trigger.collision_filter = "Doors"
    hinge = add("Hinge", cube_mesh("Hinge"), parent=mesh)
    add_collider(hinge)
    hinge.omi_physics.use_joint = True
    hinge.omi_physics.joint.connected_object = chassis
    hinge.omi_physics.joint.settings = scene.omi_physics.joint_settings.add().name = "Hinge"
    bpy.context.view_layer.update()
    scene.omi_physics.export.family = family
    export()
    from_export = {
        (i.code, i.pointer, i.message)
        for i in reports.latest("EXPORT").issues
        if not i.code.startswith(("X", "L"))
    }
    from_check = {
        (i.code, i.pointer, i.message)
        for i in scene_check.check(scene).issues
        if not i.code.startswith(("X", "L"))
    }
    if family == "KHR":  # Which has no static bodies, and filters of compounds elsewhere.
        from_check -= {issue for issue in from_check if issue[0] == "T05"}
        from_check -= {issue for issue in from_check if issue[:2] == ("B19", "Mirrored")}
    starts = {issue for issue in from_check if issue[0] in STARTING_BADLY}
    assert {issue[0] for issue in starts} >= {"B25"}
    assert from_export == from_check - starts  # How bodies begin is told by Check alone.
    found = {code for code, _, _ in from_export}
    wanted = {"B03", "B18", "B19", "C09", "C13", "S17", "S23"}
    assert found >= (wanted | {"S20", "J07", "T05"} if family != "KHR" else wanted)


@pytest.mark.parametrize(("family", "target"), [("OMI", "GODOT_4"), ("KHR", "BABYLON")])
def test_cubes_that_are_scaled_deserve_no_look_where_their_engine_is_known(export, family, target):
    settings = bpy.context.scene.omi_physics.export
    settings.family, settings.target = family, target
    wall = add("Wall", cube_mesh("Wall"))
    wall.scale = (1.0, 2.0, 3.0)
    add_collider(wall)
    crate().scale = (2.0, 1.0, 1.0)
    check = scene_check.check(bpy.context.scene)
    export()
    found = reports.latest("EXPORT")
    for report in (check, found):
        assert not {"S20", "S34"} & {issue.code for issue in report.issues}


def test_what_only_a_part_of_the_scene_uses_is_not_called_unused(export):
    scene = bpy.context.scene
    scene.omi_physics.physics_materials.add().name = "Ice"
    crate().select_set(True)
    crate("Other").omi_physics.collider.physics_material = "Ice"
    export(use_selection=True)
    assert "C13" not in reports.latest("EXPORT").issues.codes()


def test_what_an_engine_gets_repaired_is_not_told(export):
    outer = crate("Outer")
    crate("Inner", parent=outer, location=(0.0, 0.0, 3.0))
    export()
    assert "B04" in reports.latest("EXPORT").issues.codes()
    bpy.context.scene.omi_physics.export.target = "GODOT_4"
    export("godot.gltf")
    assert "B04" not in reports.latest("EXPORT").issues.codes()


def test_triangles_of_what_is_written_are_counted(export, monkeypatch):
    from omi_physics_addon.codec.rules import body_rules

    monkeypatch.setattr(body_rules, "_MANY_TRIANGLES", 11)
    crate(kind="STATIC").omi_physics.collider.shape.type = "TRIMESH"
    export()
    (issue,) = (i for i in reports.latest("EXPORT").issues if i.code == "S31")
    assert "12 triangles" in issue.message
