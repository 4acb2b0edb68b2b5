from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import bpy
import environment
import make_examples
import pytest
import zstandard

from omi_physics_addon.blender import reports

from .gltf_files import read_glb, resolved

BLEND = make_examples.EXAMPLES / f"{make_examples.NAME}.blend"
GLB = BLEND.with_suffix(".glb")
LARGEST = 200_000  # Bytes of the .blend file.


def export(path: Path) -> tuple[dict[str, Any], bytes]:
    bpy.ops.export_scene.gltf(filepath=str(path))
    return read_glb(path)


def export_file(blend: Path, output: Path) -> tuple[dict[str, Any], bytes]:
    bpy.ops.wm.open_mainfile(filepath=str(blend), use_scripts=False)
    return export(output)


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return read_glb(GLB)[0]


def test_remaking_gives_the_same(tmp_path):
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    make_examples.build(bpy)
    remade = tmp_path / "remade.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(remade), copy=True)
    assert export_file(remade, tmp_path / "new.glb") == export_file(BLEND, tmp_path / "old.glb")


def test_command_makes_both_files(monkeypatch, tmp_path, shipped):
    # With the Python that runs the tests, in place of that of the oldest release.
    monkeypatch.setattr(environment, "ensure", lambda release: Path(sys.executable))
    assert make_examples.main(["--output", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {BLEND.name, GLB.name}
    assert resolved(read_glb(tmp_path / GLB.name)[0]) == resolved(shipped)


def test_shipped_glb_is_a_fresh_export(shipped, tmp_path):
    fresh, _ = export_file(BLEND, tmp_path / "fresh.glb")
    assert resolved(fresh) == resolved(shipped)
    assert fresh["extensionsUsed"] == shipped["extensionsUsed"]
    assert "extensionsRequired" not in shipped
    if bpy.app.version < (5, 2, 0):  # From then on, objects come in another order.
        assert fresh["extensions"] == shipped["extensions"]
        assert fresh["scenes"] == shipped["scenes"]


def test_export_has_nothing_to_complain_of(tmp_path):
    export_file(BLEND, tmp_path / "fresh.glb")
    report = reports.latest("EXPORT")
    assert report is not None
    assert {issue.code for issue in report.issues} == {"X01"}


def test_blend_is_small_and_names_no_folder():
    data = BLEND.read_bytes()
    assert len(data) < LARGEST
    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True)
    plain = reader.read()
    assert plain.startswith(b"BLENDER")
    for folder in (environment.ROOT, Path.home(), make_examples.EXAMPLES):
        assert str(folder).encode() not in plain


def test_every_shape_and_motion_is_shown(shipped):
    shapes = shipped["extensions"]["OMI_physics_shape"]["shapes"]
    assert {shape["type"] for shape in shapes} == {
        "box",
        "sphere",
        "capsule",
        "cylinder",
        "convex",
        "trimesh",
    }
    bodies = [node.get("extensions", {}).get("OMI_physics_body", {}) for node in shipped["nodes"]]
    motions = [body["motion"] for body in bodies if "motion" in body]
    assert {motion["type"] for motion in motions} == {"static", "kinematic", "dynamic"}
    keys = {key for motion in motions for key in motion}
    assert keys == {
        "type",
        "mass",
        "centerOfMass",
        "inertiaDiagonal",
        "linearVelocity",
        "angularVelocity",
        "gravityFactor",
    }
    triggers = [body["trigger"] for body in bodies if "trigger" in body]
    assert [len(trigger["nodes"]) for trigger in triggers if "nodes" in trigger] == [2, 2]
    assert len(shipped["animations"]) == 1


def test_opens_on_a_picture():
    bpy.ops.wm.open_mainfile(filepath=str(BLEND), use_scripts=False)
    scene = bpy.context.scene
    assert scene.camera is not None
    assert scene.world is not None
    assert any(obj.type == "LIGHT" for obj in scene.objects)
    assert not any(obj.name.endswith(".001") for obj in scene.objects)
