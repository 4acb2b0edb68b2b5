"""The processes of `batch`, with the add-on itself."""

import json
import struct
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from omi_physics_addon.cli import main as cli
from omi_physics_addon.cli.batch import server

ROOT = Path(__file__).resolve().parents[3]
CRATES = ROOT / "docs" / "commands" / "crates.gltf"
needs_bpy = pytest.mark.skipif(find_spec("bpy") is None, reason="needs bpy")


def test_an_installed_extension_does_files_in_processes_of_its_own(tmp_path):
    """In Blender its package has another name, which no process knows that it starts."""
    repository = tmp_path / "bl_ext" / "user_default"
    repository.mkdir(parents=True)
    (repository / "omi_physics_addon").symlink_to(ROOT / "omi_physics_addon")
    script = "import sys; from bl_ext.user_default.omi_physics_addon.cli import main; "
    script += "sys.exit(main.main(sys.argv[1:]))"
    words = ["batch", "convert", str(CRATES), "--into", "out", "--options=--family khr"]
    command = [sys.executable, "-c", script, *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "1/1 done crates.gltf\n")
    assert (tmp_path / "out" / "crates.gltf").is_file()


@needs_bpy
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


@needs_bpy
def test_a_file_is_done_again_when_its_library_or_picture_changed(tmp_path, capsys):
    import bpy

    folder = tmp_path / "in"
    folder.mkdir()
    library, picture = tmp_path / "library.blend", tmp_path / "picture.png"
    thing = bpy.data.objects.new("Crate", None)
    bpy.data.libraries.write(str(library), {thing})
    image = bpy.data.images.new("Picture", 2, 2)
    image.filepath_raw, image.file_format = str(picture), "PNG"
    image.save()
    for name in ("alone", "linked", "painted"):
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{name}.blend"))
        if name == "linked":
            with bpy.data.libraries.load(str(library), link=True, relative=True) as (_, wanted):
                wanted.objects = ["Crate"]
            bpy.context.scene.collection.objects.link(wanted.objects[0])
        elif name == "painted":
            bpy.data.images.load(str(picture)).use_fake_user = True
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{name}.blend"))
    words = ["batch", "export", str(folder), "--into", str(tmp_path / "out"), "--jobs", "1"]
    for changed, before in ((None, 0), (None, 3), (library, 2), (picture, 2), (None, 3)):
        if changed is not None:
            changed.write_bytes(changed.read_bytes() + b" ")
        assert cli.main(words) == 0
        assert f"3 files, 0 failed, {before} done before" in capsys.readouterr().out


@needs_bpy
def test_a_file_for_each_collection_with_its_own_settings(tmp_path, capsys):
    import addon_utils
    import bpy

    addon_utils.enable("omi_physics_addon", default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    bodies = []
    for name in ("One", "Two"):
        collection = bpy.data.collections.new(name)
        bpy.context.scene.collection.children.link(collection)
        bodies.append(bpy.data.objects.new(f"{name} Body", None))
        collection.objects.link(bodies[-1])
        bodies[-1].omi_physics.use_motion = bodies[-1].omi_physics.use_collider = True
    collection.omi_physics.use_own_export = True
    collection.omi_physics.export.family = "KHR"
    entry = bpy.context.scene.omi_physics.joint_settings.add("Hinge")
    limit = entry.limits.add()
    limit.axes, limit.use_max = (True, False, False), True
    bodies[0].omi_physics.use_joint = True
    bodies[0].omi_physics.joint.settings = "Hinge"
    bodies[0].omi_physics.joint.connected_object = bodies[1]
    (tmp_path / "in").mkdir()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "in" / "doors.blend"))
    words = ["batch", "export", str(tmp_path / "in"), "--suffix", ".gltf", "--jobs", "1"]
    for _ in range(2):  # The second run has nothing to do.
        assert cli.main([*words, "--per", "collection", "--into", str(tmp_path / "out")]) == 0
    assert "1 done before" in capsys.readouterr().out
    found = {
        path.name: sorted(json.loads(path.read_text())["extensionsUsed"])
        for path in (tmp_path / "out" / "doors").glob("*.gltf")
    }
    assert found == {
        "One.gltf": ["OMI_physics_body", "OMI_physics_shape"],
        "Two.gltf": ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"],
    }
    (file,) = json.loads((tmp_path / "out" / "batch.json").read_text())["files"]
    assert file["outputs"] == ["doors/One.gltf", "doors/Two.gltf"]
    assert [one["code"] for one in file["report"]["issues"] if one["pointer"] == "One Body"] == [
        "X04"
    ]
    assert cli.main(["batch", "check", str(tmp_path), "--per", "object", "--into", "x"]) == 2
    assert "--per is for export" in capsys.readouterr().err


def test_memory_is_known_where_there_is_no_proc(monkeypatch):
    resource = pytest.importorskip("resource")
    here = server.memory()
    assert 5e6 < here < 1e11

    def no_file(_self):
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", no_file)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert server.memory() == resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    monkeypatch.setattr(sys, "platform", "freebsd")
    assert server.memory() == 0
