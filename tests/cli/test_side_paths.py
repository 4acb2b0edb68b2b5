"""Files that a glTF names: none outside of its folder is opened, unless it is allowed."""

from __future__ import annotations

import json

import pytest

from omi_physics_addon.cli import jobs, side_paths
from omi_physics_addon.files import beside
from tools import omi_physics

KHR = "KHR_physics_rigid_bodies"


def hull(uri, **accessor):
    """A body without a mass, whose hull is in a buffer of its own."""
    part = {"motion": {}, "collider": {"geometry": {"mesh": 0, "convexHull": True}}}
    points = {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"} | accessor
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [KHR],
        "nodes": [{"extensions": {KHR: part}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{key: value for key, value in points.items() if value is not None}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}],
        "buffers": [{"byteLength": 48, "uri": uri}],
    }


@pytest.fixture
def folder(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "out.bin").write_bytes(bytes(48))
    (home / "in.bin").write_bytes(bytes(48))
    (home / "link.bin").symlink_to(tmp_path / "out.bin")
    return home


def convert(folder, value, *options):
    (folder / "in.gltf").write_text(json.dumps(value))
    words = ["convert", folder / "in.gltf", folder / "out.gltf", "--family", "omi", *options]
    return omi_physics.main([str(word) for word in words])


@pytest.mark.parametrize("uri", ["../out.bin", "{folder}/out.bin", "link.bin", "%2e%2e/out.bin"])
def test_what_is_outside_is_not_opened(folder, capsys, monkeypatch, uri):
    uri = uri.format(folder=folder.parent)
    opened = []
    monkeypatch.setattr(beside, "is_there", lambda path: opened.append(path) or False)
    assert convert(folder, hull(uri), "--json") == jobs.DONE
    assert json.loads(capsys.readouterr().out)["report"]["notRead"] == [uri]
    assert opened == []
    assert convert(folder, hull(uri)) == jobs.DONE
    line = f"not read, as it is outside of the folder: {uri} (--allow-outside reads it)\n"
    assert line in capsys.readouterr().out
    assert convert(folder, hull(uri), "--allow-outside") == jobs.DONE
    assert len(opened) == 1
    assert "not read" not in capsys.readouterr().out


def test_what_is_beside_is_read(folder, capsys):
    assert convert(folder, hull("in.bin"), "--json") == jobs.DONE
    assert json.loads(capsys.readouterr().out)["report"]["notRead"] == []


@pytest.mark.parametrize("uri", ["a" * 300 + ".bin", "\ud800.bin", "a%00b.bin", "../out.bin"])
def test_strange_names_do_not_end_a_run(folder, capsys, uri):
    (folder / "other").mkdir()
    (folder / "in.gltf").write_text(json.dumps(hull(uri)))
    words = ["convert", str(folder / "in.gltf"), str(folder / "other" / "out.gltf"), "--json"]
    assert omi_physics.main([*words, "--family", "omi"]) == jobs.DONE
    assert len(json.loads(capsys.readouterr().out)["report"]["missingFiles"]) == 1


def test_blender_is_kept_inside_too(folder, capsys):
    with pytest.raises(jobs.InputError, match=r"names \.\./out\.bin, which is outside"):
        side_paths.check(hull("../out.bin"), folder / "in.gltf", allow_outside=False)
    side_paths.check(hull("../out.bin"), folder / "in.gltf", allow_outside=True)
    side_paths.check(hull("in.bin"), folder / "in.gltf", allow_outside=False)


SPARSE = {
    "count": 1,
    "indices": {"bufferView": 0, "componentType": 5125},
    "values": {"bufferView": 0},
}


def test_numbers_that_no_buffer_holds_are_limited(folder, capsys):
    """Few bytes that announce many numbers."""
    value = hull("in.bin", bufferView=None, count=2_000_000, sparse=SPARSE)
    value["meshes"][0]["primitives"] *= 3
    assert convert(folder, value) == jobs.BAD_INPUT
    assert capsys.readouterr().err == (
        f"error: {folder / 'in.gltf'}: its collision meshes have 18000008 numbers or more; "
        "16000000 are the most\n"
    )
    assert not (folder / "out.gltf").exists()
