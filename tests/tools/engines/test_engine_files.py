"""Copies of glTF files for engines of others."""

import json

import pytest

from tests.cli.test_convert import glb
from tools.engines import engine_files

GLTF = {
    "asset": {"version": "2.0"},
    "extensionsUsed": ["OMI_physics_body", "KHR_physics_rigid_bodies"],
    "nodes": [{"name": "Same"}, {"name": "Same"}, {}],
    "extensions": {
        "KHR_physics_rigid_bodies": {
            "physicsMaterials": [{}, {"frictionCombine": "minimum"}],
        }
    },
}
BUFFER = {"uri": "a%20b.bin", "byteLength": 8}
MESHED = {"OMI_physics_shape": {"shapes": [{"type": "convex", "convex": {"mesh": 0}}]}}


def written(folder, value, name="in.gltf"):
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return path


@pytest.fixture
def made(tmp_path):
    def copy(value, name="in.gltf"):
        (tmp_path / "copies").mkdir(exist_ok=True)
        return engine_files.copy(written(tmp_path, value, name), tmp_path / "copies")

    return copy


@pytest.mark.parametrize("name", ["in.gltf", "in.glb"])
def test_nodes_get_names_of_their_own(made, name):
    copied = made(GLTF if name.endswith("gltf") else glb(GLTF, b"1234"), name)
    assert copied.names == {"n0": "Same", "n1": "Same", "n2": "n2"}
    assert copied.families == ("KHR", "OMI")
    value, rest = engine_files.read(copied.path)
    assert [node["name"] for node in value["nodes"]] == ["n0", "n1", "n2"]
    assert (rest is None) == name.endswith("gltf")
    if rest:
        assert b"1234" in rest


def test_how_materials_meet_is_written_out(made):
    value, _ = engine_files.read(made(GLTF).path)
    materials = value["extensions"]["KHR_physics_rigid_bodies"]["physicsMaterials"]
    assert materials == [
        {"frictionCombine": "average", "restitutionCombine": "average"},
        {"frictionCombine": "minimum", "restitutionCombine": "average"},
    ]


def test_a_file_without_physics_is_refused(made):
    with pytest.raises(engine_files.IncompleteError, match="no physics"):
        made(GLTF | {"extensionsUsed": []})


def test_buffers_come_along(made, tmp_path):
    (tmp_path / "a b.bin").write_bytes(b"12345678")
    copied = made(GLTF | {"buffers": [BUFFER]})
    assert (copied.path.parent / "a b.bin").read_bytes() == b"12345678"


def test_a_missing_buffer_matters_for_shapes_only(made):
    copied = made(GLTF | {"buffers": [BUFFER]})
    assert (copied.path.parent / "a b.bin").read_bytes() == bytes(8)
    with pytest.raises(engine_files.IncompleteError, match=r"a%20b\.bin is missing"):
        made(GLTF | {"buffers": [BUFFER], "extensions": MESHED})


def test_nothing_is_written_elsewhere(made, tmp_path):
    with pytest.raises(engine_files.IncompleteError, match="another folder"):
        made(GLTF | {"buffers": [BUFFER | {"uri": "../x.bin"}]})
    assert not (tmp_path / "x.bin").exists()


def test_digests_tell_buffers_apart(made, tmp_path):
    found = set()
    for content in (b"12345678", b"12345679", b"12345678"):
        (tmp_path / "a b.bin").write_bytes(content)
        found.add(engine_files.digest(made(GLTF | {"buffers": [BUFFER]}).path))
    assert len(found) == 2
