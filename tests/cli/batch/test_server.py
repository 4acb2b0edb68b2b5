"""The processes of `batch`, with the add-on itself."""

import json
import struct
from importlib.util import find_spec

import pytest

from omi_physics_addon.cli import main as cli


@pytest.mark.skipif(find_spec("bpy") is None, reason="needs bpy")
def test_one_blender_exports_several_files_of_their_own(tmp_path):
    import bpy

    (tmp_path / "in").mkdir()
    for name in ("one", "two"):
        bpy.ops.wm.read_homefile(use_empty=True)
        thing = bpy.data.objects.new(name, None)
        bpy.context.scene.collection.objects.link(thing)
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "in" / f"{name}.blend"))
    (tmp_path / "in" / "bad.blend").write_bytes(b"no file of Blender")
    words = ["batch", "export", str(tmp_path / "in"), "--into", str(tmp_path / "out")]
    assert cli.main([*words, "--jobs", "1"]) == 1
    for name in ("one", "two"):
        data = (tmp_path / "out" / f"{name}.glb").read_bytes()
        size = struct.unpack_from("<I", data, 12)[0]
        assert [node["name"] for node in json.loads(data[20 : 20 + size])["nodes"]] == [name]
    files = json.loads((tmp_path / "out" / "batch.json").read_text())["files"]
    assert [(each["source"], each["exitCode"] > 0, each["crashed"]) for each in files] == [
        ("bad.blend", True, False),
        ("one.blend", False, False),
        ("two.blend", False, False),
    ]
