"""Files of the draft of glTF 2.1 go through Blender, whose importer refuses them."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import compat, reports
from omi_physics_addon.blender.host import host_load
from omi_physics_addon.files import differences, source
from tests.support.animations import Binary
from tests.support.documents import DATA

pytestmark = pytest.mark.usefixtures("_empty_file")
KHR = "KHR_physics_rigid_bodies"
ALL = DATA / "gltf_2_1" / "khr" / "core_shapes.gltf"
Json = dict[str, Any]


def imported(path: Path) -> list[tuple[str, str]]:
    """Read a file into an empty scene; code and place of what was found."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    bpy.ops.import_scene.gltf(filepath=str(path))
    return [(issue.code, issue.pointer) for issue in reports.latest("IMPORT").issues]


def exported(path: Path) -> Json:
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    return json.loads(path.read_text())


def told() -> list[str]:
    return [issue.code for issue in reports.latest("EXPORT").issues]


def write(path: Path, value: Json) -> Path:
    path.write_text(json.dumps(value))
    return path


def crate(**asset: Any) -> Json:
    body = {"motion": {"mass": 2}, "collider": {"geometry": {"shape": 0}}}
    return {
        "asset": {"version": "2.1", **asset},
        "extensionsUsed": [KHR],
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Crate", "extensions": {KHR: body}}],
        "shapes": [{"type": "box", "box": {"size": [1, 2, 3]}}],
    }


def test_every_shape_of_the_draft_comes_back(tmp_path):
    found = imported(ALL)
    assert [code for code, _ in found if code in ("G11", "S01", "X18")] == ["G11", "S01", "X18"]
    settings = bpy.context.scene.omi_physics.export
    settings.geometry = "CORE"
    core = exported(tmp_path / "core.gltf")
    assert core["asset"]["version"] == "2.1"
    assert "KHR_implicit_shapes" not in core["extensionsUsed"]
    words = {shape["type"] for shape in core["shapes"]}
    assert words == {
        "box", "capsule", "concave", "convex", "cylinder", "plane", "sphere", "torus"
    }  # fmt: skip
    settings.geometry = "MESH"
    plain = exported(tmp_path / "plain.gltf")
    assert plain["asset"]["version"] == "2.0"
    assert "shapes" not in plain
    same = differences.compare(
        source.read(tmp_path / "core.gltf"), source.read(tmp_path / "plain.gltf"), 1e-5
    )
    assert (same.changes, same.compared > 50) == ((), True)
    imported(tmp_path / "core.gltf")
    again = exported(tmp_path / "again.gltf")
    assert again["extensions"] == plain["extensions"]
    bodies = [node.get("extensions") for node in again["nodes"]]
    assert bodies == [node.get("extensions") for node in plain["nodes"]]


@pytest.mark.parametrize(
    ("asset", "is_read"),
    [
        ({"version": "2.1"}, True),
        ({"version": "2.7"}, True),
        ({"version": "2.7", "minVersion": "2.7"}, False),
        ({"version": "3.0"}, False),
        ({"version": "2.0"}, True),
    ],
)
def test_versions_that_are_read(asset, is_read, tmp_path):
    path = write(tmp_path / "in.gltf", crate(**asset))
    if is_read:
        assert ("G12", "/asset/version") in imported(path) or asset["version"] != "2.7"
        assert list(bpy.context.scene.objects[0].omi_physics.collider.shape.box.size) == [1, 3, 2]
    else:
        with pytest.raises(RuntimeError, match=r"version must be 2\.0"):
            imported(path)


def test_the_host_is_as_before_when_nothing_is_imported(tmp_path):
    owner = compat.host_module("io.imp.gltf2_io_gltf").glTFImporter
    imported(write(tmp_path / "in.gltf", crate()))
    gc.collect()
    assert not isinstance(owner.check_version, host_load._Check)
    with pytest.raises(RuntimeError, match=r"version must be 2\.0"):
        owner.check_version({"asset": {"version": "2.1"}})
    bpy.context.scene.omi_physics.import_.enabled = False
    with pytest.raises(RuntimeError, match=r"version must be 2\.0"):
        bpy.ops.import_scene.gltf(filepath=str(tmp_path / "in.gltf"))


def test_several_files_of_one_import_have_their_own_shapes(tmp_path):
    names: list[Json] = []
    for i in range(1, 4):
        value = crate()
        value["nodes"][0]["name"] = f"Crate {i}"
        value["shapes"][0]["box"]["size"] = [i, i, i]
        names.append({"name": write(tmp_path / f"{i}.gltf", value).name})
    # Blender 4.2 has no `directory`, and takes that of the file.
    has_folder = "directory" in bpy.ops.import_scene.gltf.get_rna_type().properties
    where = {"directory": str(tmp_path)} if has_folder else {}
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "1.gltf"), files=names, **where)
    sizes = {o.name: o.omi_physics.collider.shape.box.size[0] for o in bpy.context.scene.objects}
    assert sizes == {"Crate 1": 1, "Crate 2": 2, "Crate 3": 3}


def test_an_engine_gets_the_current_form(tmp_path):
    imported(write(tmp_path / "in.gltf", crate()))
    settings = bpy.context.scene.omi_physics.export
    settings.geometry, settings.target = "CORE", "BABYLON"
    written = exported(tmp_path / "out.gltf")
    assert ("shapes" in written, "KHR_implicit_shapes" in written["extensions"]) == (False, True)
    assert told().count("X07") == 1
    imported(tmp_path / "out.gltf")
    assert list(bpy.context.scene.objects[0].omi_physics.collider.shape.box.size) == [1, 3, 2]


def test_animated_sizes_find_their_shape(tmp_path):
    binary = Binary(Path(__file__).parents[3] / "examples" / "joints.glb")
    binary.json = crate()
    binary.data.clear()
    binary.animate(["/shapes/0/box/size"])
    binary.write(tmp_path / "in.glb")
    assert "X11" not in dict(imported(tmp_path / "in.glb"))
    for form, pointer in (
        ("CORE", "/shapes/0/box/size"),
        ("MESH", "/extensions/KHR_implicit_shapes/shapes/0/box/size"),
    ):
        bpy.context.scene.omi_physics.export.geometry = form
        bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.glb"))
        (track,) = Binary(tmp_path / "out.glb").tracks()
        assert (track.pointer, track.value) == (pointer, pytest.approx([1, 2, 3]))


def test_references_that_lead_nowhere_come_back(tmp_path):
    value = crate(version="2.0") | {"shapes": []}
    body = value["nodes"][0]["extensions"][KHR]
    body["collider"] |= {"geometry": {"shape": 5}, "physicsMaterial": 4}
    value["nodes"].append(
        {"name": "Pin", "extensions": {KHR: {"joint": {"joint": 3, "connectedNode": 40}}}}
    )
    value["scenes"][0]["nodes"].append(1)
    codes = [code for code, _ in imported(write(tmp_path / "in.gltf", value))]
    assert codes.count("G05") == 4
    written = exported(tmp_path / "out.gltf")
    assert [node["extensions"] for node in written["nodes"]] == [
        node["extensions"] for node in value["nodes"]
    ]
    report = reports.latest("EXPORT")
    assert (report.counts["collider"], report.counts["joint"]) == (1, 1)
    assert len([line for line in report.lines() if "X08" in line]) == 1
    bpy.context.scene.omi_physics.export.repair = True
    bpy.context.scene.omi_physics.export.write_anyway = True
    assert '"shape": 5' not in json.dumps(exported(tmp_path / "out.gltf"))
    # With six shapes the index would mean another one.
    bpy.context.scene.omi_physics.export.repair = False
    for i in range(6):
        obj = bpy.data.objects.new(f"Ball {i}", None)
        bpy.context.scene.collection.objects.link(obj)
        obj.omi_physics.use_collider = True
        obj.omi_physics.collider.shape.type = "SPHERE"
        obj.omi_physics.collider.shape.sphere.radius = i + 1.0
    crate_node = exported(tmp_path / "out.gltf")["nodes"][0]
    assert "geometry" not in crate_node["extensions"][KHR]["collider"]
    assert "X17" in told()
