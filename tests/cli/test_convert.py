"""The sub-command `convert`: files in, files out, all but physics as it was."""

import json
import os
import struct
import subprocess
import sys

import pytest

from omi_physics_addon.cli import jobs, pythons, staging
from omi_physics_addon.codec.gltf import containers
from tests.support.documents import DATA
from tools import environment, omi_physics

OMI = {
    "asset": {"version": "2.0", "generator": "né"},
    "extensionsUsed": ["EXT_mine", "OMI_physics_body", "OMI_physics_shape"],
    "extensionsRequired": ["OMI_physics_body"],
    "nodes": [
        {
            "name": "Ball",
            "extensions": {
                "EXT_mine": {"a": 1.50},
                "OMI_physics_body": {
                    "motion": {"type": "dynamic", "mass": 2},
                    "collider": {"shape": 0},
                },
                "EXT_last": {},
            },
            "translation": [1, 2, 3],
        },
        {"name": "Floor", "extensions": {"OMI_physics_body": {"motion": {"type": "static"}}}},
    ],
    "extensions": {
        "OMI_physics_shape": {"shapes": [{"type": "sphere", "sphere": {"radius": 2}}]},
        "EXT_mine": {"b": [1, {"c": None}]},
    },
    "buffers": [{"byteLength": 4, "uri": "data%20.bin"}],
    "scene": 0,
}


def glb(value, *chunks, text=None):
    body = text or json.dumps(value).encode()
    body += b" " * (-len(body) % 4)
    parts = [struct.pack("<II", len(body), 0x4E4F534A) + body, *chunks]
    return struct.pack("<4sII", b"glTF", 2, 12 + sum(map(len, parts))) + b"".join(parts)


def chunk(kind, content):
    return struct.pack("<II", len(content), kind) + content


BINARY = chunk(0x004E4942, bytes(range(256)))
STRANGE = chunk(0x12345678, b"abcd")


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.gltf"
    path.write_text(json.dumps(OMI, indent=1), encoding="utf-8")
    return path


def run(*arguments):
    return omi_physics.main(["convert", *map(str, arguments)])


def test_all_but_physics_stays(source, tmp_path, capsys):
    assert run(source, tmp_path / "out.gltf", "--family", "khr") == jobs.DONE
    text = (tmp_path / "out.gltf").read_text(encoding="utf-8")
    new = json.loads(text)
    assert list(new) == [key for key in OMI if key != "extensionsRequired"]
    assert [node["name"] for node in new["nodes"]] == ["Ball", "Floor"]
    assert list(new["nodes"][0]) == ["name", "extensions", "translation"]
    assert list(new["nodes"][0]["extensions"]) == [
        "EXT_mine", "EXT_last", "KHR_physics_rigid_bodies"
    ]  # fmt: skip
    assert "extensions" not in new["nodes"][1]
    assert new["extensionsUsed"] == ["EXT_mine", "KHR_implicit_shapes", "KHR_physics_rigid_bodies"]
    assert new["extensions"]["EXT_mine"] == OMI["extensions"]["EXT_mine"]
    for key in ("asset", "buffers", "scene"):
        assert new[key] == OMI[key]
    assert '\n "asset": {\n' in text
    out = capsys.readouterr()
    assert out.out.startswith("KHR: 1 dynamic body, 1 collider, 1 shape\n  INFO L01 /nodes/1: ")
    assert out.err == ""


def test_without_a_family_the_file_keeps_its_own(source, tmp_path):
    assert run(source, tmp_path / "out.gltf") == jobs.DONE
    new = json.loads((tmp_path / "out.gltf").read_text(encoding="utf-8"))
    assert new["nodes"] == OMI["nodes"]
    assert new["extensionsUsed"] == OMI["extensionsUsed"]
    assert "extensionsRequired" not in new


def test_what_an_engine_reads_is_written_and_nothing_else_for_it(source, tmp_path, capsys):
    """The file has OMI, which Babylon.js does not read."""
    output = tmp_path / "out.gltf"
    assert run(source, output, "--target", "babylon") == jobs.DONE
    assert "KHR_physics_rigid_bodies" in json.loads(output.read_text())["extensionsUsed"]
    output.unlink()
    assert run(source, output, "--target", "babylon", "--family", "omi") == jobs.BAD_INPUT
    assert "Babylon.js reads KHR: give --family khr, or none" in capsys.readouterr().err
    assert not output.exists()


def test_json_report(source, tmp_path, capsys):
    output = tmp_path / "out.gltf"
    assert run(source, output, "--family", "both", "--json") == jobs.DONE
    report = json.loads(capsys.readouterr().out)
    assert report["output"] == str(output)
    assert report["error"] == ""
    assert report["report"]["families"] == ["OMI", "KHR"]
    assert report["report"]["counts"]["collider"] == 1
    assert [issue["code"] for issue in report["report"]["issues"]] == ["L01"]


def test_quiet(source, tmp_path, capsys):
    assert run(source, tmp_path / "out.gltf", "--quiet") == jobs.DONE
    assert capsys.readouterr() == ("", "")


def test_file_in_place(source, tmp_path):
    os.chmod(source, 0o640)
    assert run(source, source, "--family", "khr") == jobs.DONE
    assert "KHR_physics_rigid_bodies" in source.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["in.gltf"]
    assert source.stat().st_mode & 0o777 == 0o640


TAPERED = {"type": "capsule", "capsule": {"height": 1, "radiusTop": 0.1, "radiusBottom": 0.2}}
MESH = {"primitives": [{"attributes": {"POSITION": 0}}]}


def with_taper(**buffer):
    """A file with a buffer, a mesh in it, and a shape of which Babylon.js gets a hull."""
    return {
        **OMI,
        "extensions": {"OMI_physics_shape": {"shapes": [TAPERED]}},
        "meshes": [MESH],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, **buffer}],
    }


@pytest.mark.parametrize("kind", ["embedded", "beside", "glb"])
def test_hulls_for_an_engine_come_and_go_in_every_kind_of_file(tmp_path, kind):
    uris = {"embedded": {"uri": "data:,"}, "beside": {"uri": "data.bin"}, "glb": {}}
    source, suffix = with_taper(**uris[kind]), ".glb" if kind == "glb" else ".gltf"
    name = (tmp_path / "in").with_suffix(suffix)
    raw = (
        glb(source, chunk(0x004E4942, bytes(36))) if kind == "glb" else json.dumps(source).encode()
    )
    name.write_bytes(raw)
    khr, ours, again = (tmp_path / f"{word}{suffix}" for word in ("khr", "ours", "again"))
    assert run(name, khr, "--family", "khr") == jobs.DONE
    assert run(khr, ours, "--target", "babylon") == jobs.DONE
    assert run(ours, again) == jobs.DONE
    made, plain = (containers.read(path.read_bytes()) for path in (ours, khr))
    assert len(made.json["meshes"]) == 2
    assert made.json["buffers"][0] == source["buffers"][0]
    assert made.json["meshes"][0] == MESH
    assert made.chunks == plain.chunks
    back = containers.read(again.read_bytes())
    assert {**back.json, "extensionsUsed": 0} == {**plain.json, "extensionsUsed": 0}
    assert back.chunks == plain.chunks


def test_binary_chunks_stay_byte_for_byte(tmp_path):
    (tmp_path / "in.glb").write_bytes(glb(OMI, BINARY, STRANGE))
    assert run(tmp_path / "in.glb", tmp_path / "out.glb", "--family", "khr") == jobs.DONE
    raw = (tmp_path / "out.glb").read_bytes()
    assert raw.endswith(BINARY + STRANGE)
    assert struct.unpack_from("<I", raw, 8)[0] == len(raw)
    size = struct.unpack_from("<I", raw, 12)[0]
    assert size % 4 == 0
    assert "KHR_physics_rigid_bodies" in json.loads(raw[20 : 20 + size])["extensionsUsed"]


@pytest.mark.parametrize(
    "layout",
    [
        {"indent": 2},
        {"indent": "\t"},
        {"indent": 4, "ensure_ascii": False},
        {},
        {"separators": (",", ":")},
        {"separators": (",", ":"), "ensure_ascii": False},
    ],
    ids=str,
)
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_layout_of_the_text_stays(layout, end, tmp_path):
    raw = (json.dumps(OMI, **layout) + end).encode()
    container = containers.read(raw)
    assert containers.write(container, container.json) == raw


def test_letters_that_no_file_may_hold_are_escaped():
    container = containers.read(b'{"asset": {"a": "\\ud800", "b": "\xc3\xa9"}}')
    assert json.loads(containers.write(container, container.json)) == container.json


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[]", "not that of a JSON object"),
        (b'{"nodes": []}', "no asset"),
        (b'{"asset": {}, "a": NaN}', "NaN is no number"),
        (b"[" * 100_000, "too deeply"),
        (b"glTF", "ends in its header"),
        (b"glTF" + bytes([1, 0, 0, 0, 12, 0, 0, 0]), "version 1"),
        (glb(OMI)[:-8], "were announced"),
        (struct.pack("<4sIIII", b"glTF", 2, 20, 99, 0x4E4F534A), "longer than the file"),
        (struct.pack("<4sII", b"glTF", 2, 20) + chunk(0x004E4942, b""), "not text"),
        (glb(OMI, text=b"nonsense"), "not JSON"),
    ],
)
def test_file_that_is_none(raw, message, tmp_path, capsys):
    (tmp_path / "in.gltf").write_bytes(raw)
    (tmp_path / "out.gltf").write_text("old")
    assert run(tmp_path / "in.gltf", tmp_path / "out.gltf", "--family", "khr") == jobs.BAD_INPUT
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert message in error
    assert (tmp_path / "out.gltf").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("out.glb", "another container"),
        ("out.obj", "must end in .glb or .gltf"),
        ("missing/out.gltf", "no folder"),
    ],
)
def test_wrong_names(source, tmp_path, output, message, capsys):
    assert run(source, tmp_path / output) == jobs.BAD_INPUT
    assert message in capsys.readouterr().err
    assert run(tmp_path / "none.gltf", tmp_path / "out.gltf") == jobs.BAD_INPUT
    assert "there is no file" in capsys.readouterr().err


def test_number_that_is_too_large_beside_the_physics(tmp_path, capsys):
    (tmp_path / "in.gltf").write_text('{"asset": {"a": 1e999}}')
    assert run(tmp_path / "in.gltf", tmp_path / "out.gltf") == jobs.BAD_INPUT
    assert "too large for any file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code"),
    [([], jobs.FAILED), (["--repair"], jobs.DONE), (["--family", "khr"], jobs.DONE)],
    ids=["kept", "repaired", "of no meaning in the other family"],
)
def test_errors_that_are_left_in_what_was_written(tmp_path, options, code, capsys):
    bad = {"motion": {"type": "dynamic", "mass": -1}, "collider": {"shape": 0}}
    node = {"extensions": {"OMI_physics_body": bad}}
    shapes = {"OMI_physics_shape": {"shapes": [{"type": "box", "box": {}}]}}
    used = ["OMI_physics_body", "OMI_physics_shape"]
    value = {"asset": {"version": "2.0"}, "extensionsUsed": used, "nodes": [node]}
    (tmp_path / "in.gltf").write_text(json.dumps(value | {"extensions": shapes}))
    out = tmp_path / "out.gltf"
    assert run(tmp_path / "in.gltf", out, *options) == code
    assert "ERROR B05" in capsys.readouterr().out
    assert omi_physics.main(["check", str(out)]) == code


def test_failed_write_leaves_the_old_file(source, tmp_path, monkeypatch, capsys):
    def fail(*_paths):
        raise OSError(28, "No space left on device")

    (tmp_path / "out.gltf").write_text("old")
    monkeypatch.setattr(staging.os, "replace", fail)
    assert run(source, tmp_path / "out.gltf") == jobs.BAD_INPUT
    assert "No space left on device" in capsys.readouterr().err
    assert (tmp_path / "out.gltf").read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"in.gltf", "out.gltf"}


def test_files_that_the_output_lacks_are_named(source, tmp_path, capsys):
    other = tmp_path / "other"
    other.mkdir()
    assert run(source, other / "out.gltf") == jobs.DONE
    assert "needs beside it: data .bin\n" in capsys.readouterr().out
    (other / "data .bin").touch()
    run(source, other / "out.gltf")
    assert "needs beside it" not in capsys.readouterr().out


def test_animations_move_the_same_in_another_family(tmp_path, capsys):
    def channel(pointer):
        target = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}
        return {"sampler": 0, "target": target}

    pointers = ["/nodes/0/extensions/OMI_physics_body/motion/mass", "/nodes/0/translation", "/x"]
    animated = {**OMI, "animations": [{"channels": [channel(pointer) for pointer in pointers]}]}
    (tmp_path / "in.gltf").write_text(json.dumps(animated))
    assert run(tmp_path / "in.gltf", tmp_path / "out.gltf", "--family", "khr") == jobs.DONE
    assert "L26" not in capsys.readouterr().out
    (moved, *others) = json.loads((tmp_path / "out.gltf").read_text())["animations"][0]["channels"]
    assert moved == channel("/nodes/0/extensions/KHR_physics_rigid_bodies/motion/mass")
    assert others == [channel(pointer) for pointer in pointers[1:]]
    assert run(tmp_path / "in.gltf", tmp_path / "out.gltf") == jobs.DONE
    assert json.loads((tmp_path / "out.gltf").read_text())["animations"] == animated["animations"]


def test_animation_of_what_is_gone_is_told(tmp_path, capsys):
    khr = "KHR_physics_rigid_bodies"
    pointer = f"/nodes/0/extensions/{khr}/motion/isKinematic"
    target = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}
    node = {"extensions": {khr: {"motion": {"isKinematic": True}}}}
    animated = {
        "asset": {"version": "2.0"},
        "nodes": [node],
        "animations": [{"channels": [{"sampler": 0, "target": target}]}],
    }
    (tmp_path / "in.gltf").write_text(json.dumps(animated))
    assert run(tmp_path / "in.gltf", tmp_path / "out.gltf", "--family", "omi") == jobs.DONE
    told = (
        f"WARNING L26 /animations/0/channels/0: an animation targets {pointer}, which no "
        "longer exists, so the channel is left out"
    )
    assert capsys.readouterr().out.count(told) == 1
    assert "animations" not in json.loads((tmp_path / "out.gltf").read_text())


def test_file_without_physics(tmp_path, capsys):
    plain = {"asset": {"version": "2.0"}, "nodes": [{"extensions": {}}], "extensionsUsed": []}
    (tmp_path / "in.gltf").write_text(json.dumps(plain))
    assert run(tmp_path / "in.gltf", tmp_path / "out.gltf", "--family", "both") == jobs.DONE
    assert json.loads((tmp_path / "out.gltf").read_text()) == plain
    assert capsys.readouterr().out == "OMI and KHR: no physics\n"


def test_options_reach_the_writer(tmp_path):
    nodes = [{"mesh": 0, "extensions": {"OMI_physics_body": {"collider": {"shape": 0}}}}]
    hull = {"shapes": [{"type": "convex", "convex": {"mesh": 0}}]}
    value = {
        "asset": {"version": "2.0"}, "nodes": nodes, "meshes": [{}],
        "extensions": {"OMI_physics_shape": hull},
    }  # fmt: skip
    (tmp_path / "in.gltf").write_text(json.dumps(value))
    output = tmp_path / "out.gltf"
    for form, names in {
        "mesh": {"mesh"}, "node": {"node"}, "mesh+node": {"mesh", "node"}
    }.items():  # fmt: skip
        run(tmp_path / "in.gltf", output, "--family", "khr", "--geometry", form)
        body = json.loads(output.read_text())["nodes"][0]["extensions"]["KHR_physics_rigid_bodies"]
        assert body["collider"]["geometry"].keys() == names | {"convexHull"}
    run(tmp_path / "in.gltf", output, "--family", "khr", "--geometry", "collision-shapes")
    assert json.loads(output.read_text())["extensions"] == {"KHR_collision_shapes": hull}


@pytest.mark.parametrize("first", ["core", "mesh"])
def test_shapes_of_gltf_2_1_there_and_back_mean_the_same(first, tmp_path, capsys):
    """From a file of the draft with every shape, and from one of today."""
    given = DATA / "gltf_2_1" / "khr" / "core_shapes.gltf"
    if first == "mesh":
        value = json.loads(given.read_text())
        del value["nodes"][0]["boundingVolume"]
        (tmp_path / "in.gltf").write_text(json.dumps(value))
        run(tmp_path / "in.gltf", tmp_path / "today.gltf")
        given = tmp_path / "today.gltf"
    forms = ("mesh", "core", "mesh") if first == "core" else ("core", "mesh", "core")
    paths = [given]
    for i, form in enumerate(forms):
        paths.append(tmp_path / f"{i}.gltf")
        # One shape is of a type that nobody knows.
        assert run(paths[-2], paths[-1], "--geometry", form) == jobs.FAILED
        capsys.readouterr()
        assert omi_physics.main(["diff", str(given), str(paths[-1])]) == 0
    read = [json.loads(path.read_text()) for path in paths]
    assert read[3] == read[1]
    if first == "mesh":
        assert read[2] == read[0]
        assert [each["asset"]["version"] for each in read] == ["2.0", "2.1", "2.0", "2.1"]
        return
    names = [[*each.get("extensions", {})] for each in read]
    assert names == [[], ["KHR_implicit_shapes"], [], ["KHR_implicit_shapes"]]
    for each in read:  # Others than physics refer to the list.
        assert each["shapes"] == read[0]["shapes"]
        assert each["nodes"][0]["boundingVolume"] == read[0]["nodes"][0]["boundingVolume"]


def test_no_engine_reads_shapes_of_gltf_2_1(source, tmp_path, capsys):
    options = ("--family", "khr", "--geometry", "core", "--target", "babylon")
    assert run(source, tmp_path / "out.gltf", *options) == jobs.BAD_INPUT
    assert "Babylon.js does not read shapes of glTF 2.1: leave out --target" in (
        capsys.readouterr().err
    )
    assert not (tmp_path / "out.gltf").exists()


def test_references_that_lead_nowhere_stay(tmp_path, capsys):
    khr = "KHR_physics_rigid_bodies"
    bodies = [
        {khr: {"collider": {"geometry": {"shape": 0}, "physicsMaterial": 4}}},
        {khr: {"trigger": {"geometry": {"shape": 9}}}},
        {khr: {"collider": {"geometry": {"mesh": 7, "convexHull": True}}}},
        {khr: {"joint": {"joint": 3, "connectedNode": 40}}},
    ]
    value = {
        "asset": {"version": "2.0"}, "extensionsUsed": [khr],
        "nodes": [{"extensions": each} for each in bodies],
    }  # fmt: skip
    (tmp_path / "in.gltf").write_text(json.dumps(value))
    assert run(tmp_path / "in.gltf", tmp_path / "out.gltf") == jobs.FAILED
    assert json.loads((tmp_path / "out.gltf").read_text())["nodes"] == value["nodes"]
    out = capsys.readouterr().out
    assert "KHR: 2 colliders, 1 trigger, 1 joint, 1 shape\n" in out
    assert out.count("A fault of the imported file was written back unchanged") == 1
    run(tmp_path / "in.gltf", tmp_path / "out.gltf", "--repair")
    assert '"shape"' not in (tmp_path / "out.gltf").read_text()


def test_as_a_program(source, tmp_path):
    tool = environment.ROOT / "tools" / "omi_physics.py"
    command = [sys.executable, tool, "convert", source, tmp_path / "out.gltf", "--family", "khr"]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("KHR: 1 dynamic body")


def test_numpy_is_not_needed_for_most_files(source, tmp_path):
    script = (
        "import sys; sys.modules['numpy'] = None; sys.path.insert(0, sys.argv.pop(1));"
        "import omi_physics; sys.exit(omi_physics.main(sys.argv[1:]))"
    )
    tools = environment.ROOT / "tools"
    for family in ("khr", "omi", "both"):
        command = [sys.executable, "-c", script, tools, "convert", source, tmp_path / "out.gltf"]
        done = subprocess.run(
            [*map(str, command), "--family", family], capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")


class Done:
    returncode = 42


def test_another_python_takes_over_where_numpy_is_needed(tmp_path, monkeypatch):
    nodes = [{"extensions": {"KHR_physics_rigid_bodies": {"motion": {}}}}]
    (tmp_path / "in.gltf").write_text(json.dumps({"asset": {}, "nodes": nodes}))
    monkeypatch.setitem(sys.modules, "omi_physics_addon.geometry", None)
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "omi_physics_addon.geometry.inertia", raising=False)
    monkeypatch.delitem(sys.modules, "omi_physics_addon.geometry")
    calls = []
    monkeypatch.setattr(environment, "ensure", lambda _release: "python")
    monkeypatch.setattr(pythons.subprocess, "run", lambda command: calls.append(command) or Done())
    assert run(tmp_path / "in.gltf", tmp_path / "out.gltf", "--family", "omi") == 42
    assert calls == [["python", *sys.argv]]
    monkeypatch.setattr(pythons, "OLDEST_PYTHON", (4, 0))
    assert run(tmp_path / "in.gltf", tmp_path / "out.gltf") == 42


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("data:application/octet-stream;base64,AAEC", b"\x00\x01\x02"),
        ("data:application/octet-stream;base64,AAE!", None),
        ("data:,abc", None),
        ("mine.bin", b"beside"),
        (7, None),
    ],
)
def test_buffer_of_text(uri, expected):
    container = containers.Container({"buffers": [{"uri": uri}, 5]})
    assert containers.buffer(container, 0, {"mine.bin": b"beside"}.get) == expected
    assert containers.buffer(container, 1, {}.get) is None
    assert containers.buffer(container, 2, {}.get) is None


def test_buffer_of_chunks():
    container = containers.read(glb({"asset": {}, "buffers": [{}, {}]}, STRANGE, BINARY))
    assert containers.buffer(container, 0, {}.get) == bytes(range(256))
    assert containers.buffer(container, 1, {}.get) is None
    assert containers.buffer(containers.Container({"buffers": [{}]}), 0, {}.get) is None
