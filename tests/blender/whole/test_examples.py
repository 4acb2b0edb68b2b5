from __future__ import annotations

import functools
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import pytest
import zstandard

from omi_physics_addon.blender.base import reports
from omi_physics_addon.issue_codes import Severity
from omi_physics_addon.issues import Issue
from tests.blender.support.gltf_files import read_glb, resolved
from tools import environment
from tools.examples import make_examples

NAMES = tuple(make_examples.ALL)
SHIPPED = "SPECIFICATION"  # The target of all examples.
LARGEST = 150_000  # Bytes of the .blend file; the first example has more in it.
# What the export of each says.
# Beside infos.
CODES = {
    "shapes_and_bodies": {"T09"},  # One trigger is left out of a list on purpose.
    "everything": {"L15"},  # KHR has neither gravity nor vehicles.
}
EXTENSIONS = {
    "joints": {"OMI_physics_joint"},
    "gravity": {"OMI_physics_gravity"},
    "vehicles": {
        "OMI_vehicle_body",
        "OMI_vehicle_wheel",
        "OMI_vehicle_thruster",
        "OMI_vehicle_hover_thruster",
        "OMI_seat",
    },
    "car": {"OMI_vehicle_body", "OMI_vehicle_wheel", "OMI_seat"},
    "planet": {"OMI_physics_gravity"},
    "robot": {"OMI_physics_joint"},
    "rope_bridge": {"OMI_physics_joint"},
    "khr": {"KHR_physics_rigid_bodies", "KHR_implicit_shapes"},
    "everything": {
        "KHR_physics_rigid_bodies",
        "KHR_implicit_shapes",
        "OMI_physics_body",
        "OMI_physics_gravity",
        "OMI_physics_joint",
        "OMI_physics_shape",
        "OMI_seat",
        "OMI_vehicle_body",
        "OMI_vehicle_hover_thruster",
        "OMI_vehicle_thruster",
        "OMI_vehicle_wheel",
    },
}


@pytest.fixture(params=NAMES)
def name(request) -> str:
    return request.param


def blend_of(name: str) -> Path:
    return make_examples.EXAMPLES / f"{name}.blend"


def shipped_of(name: str) -> dict[str, Any]:
    return read_glb(blend_of(name).with_suffix(".glb"))[0]


def nodes_of(gltf: dict[str, Any]) -> list[dict[str, Any]]:
    """The nodes, with names of their meshes: other parts of a file differ between releases."""
    meshes = [mesh["name"] for mesh in gltf["meshes"]]
    return [
        {**node, "mesh": meshes[node["mesh"]]} if "mesh" in node else node for node in gltf["nodes"]
    ]


def export(path: Path) -> tuple[dict[str, Any], bytes]:
    bpy.ops.export_scene.gltf(filepath=str(path))
    return read_glb(path)


def export_file(blend: Path, output: Path) -> tuple[dict[str, Any], bytes]:
    bpy.ops.wm.open_mainfile(filepath=str(blend), use_scripts=False)
    return export(output)


class Exported(NamedTuple):
    """What an export of an example has written, and what it said."""

    file: tuple[dict[str, Any], bytes]
    issues: list[Issue]
    lines: list[str]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Exported]:
    """Exports an example for a target; once, as many tests look at the same export."""
    path = tmp_path_factory.mktemp("exported") / "out.glb"

    @functools.cache
    def get(name: str, target: str) -> Exported:
        bpy.ops.wm.open_mainfile(filepath=str(blend_of(name)), use_scripts=False)
        bpy.context.scene.omi_physics.export.target = target
        file, report = export(path), reports.latest("EXPORT")
        assert report is not None
        return Exported(file, list(report.issues), report.lines())

    return get


def test_remaking_gives_the_same(name, exported, tmp_path):
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    make_examples.build(bpy, name)
    remade = tmp_path / "remade.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(remade), copy=True)
    assert export_file(remade, tmp_path / "new.glb") == exported(name, SHIPPED).file


def test_command_makes_both_files(monkeypatch, tmp_path):
    # With the Python that runs the tests, in place of that of the oldest release.
    monkeypatch.setattr(environment, "ensure", lambda release: Path(sys.executable))
    names = ("shapes_and_bodies", "joints")
    assert make_examples.main([*names, "--output", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        f"{name}{suffix}" for name in names for suffix in (".blend", ".glb")
    }
    for name in names:
        assert resolved(read_glb(tmp_path / f"{name}.glb")[0]) == resolved(shipped_of(name))


def test_unknown_name(capsys):
    with pytest.raises(SystemExit, match="2"):
        make_examples.main(["nothing"])
    assert "there is no example nothing" in capsys.readouterr().err


def test_shipped_glb_is_a_fresh_export(name, exported):
    shipped = shipped_of(name)
    fresh, _ = exported(name, SHIPPED).file
    assert set(fresh["extensionsUsed"]) == set(shipped["extensionsUsed"])
    assert "extensionsRequired" not in shipped
    assert resolved(fresh) == resolved(shipped)
    if bpy.app.version < (5, 2, 0):  # From then on, objects come in another order.
        assert nodes_of(fresh) == nodes_of(shipped)
        assert fresh["extensions"] == shipped["extensions"]
        assert fresh["scenes"] == shipped["scenes"]


def test_export_has_little_to_complain_of(name, exported):
    issues = exported(name, SHIPPED).issues
    found = {issue.code for issue in issues if issue.severity is not Severity.INFO}
    assert found == CODES.get(name, set())


def test_blend_is_small_and_names_no_folder(name):
    data = blend_of(name).read_bytes()
    assert len(data) < (200_000 if name == "shapes_and_bodies" else LARGEST)
    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True)
    plain = reader.read()
    assert plain.startswith(b"BLENDER")
    for folder in (environment.ROOT, Path.home(), make_examples.EXAMPLES):
        assert str(folder).encode() not in plain


def test_extensions(name):
    shipped = shipped_of(name)
    assert set(shipped["extensionsUsed"]) >= EXTENSIONS.get(name, set())
    is_khr = name in ("khr", "everything")
    assert ("KHR_physics_rigid_bodies" in shipped["extensionsUsed"]) is is_khr
    assert ("OMI_physics_body" in shipped["extensionsUsed"]) is (name != "khr")


def extensions_of(gltf: dict[str, Any], name: str) -> dict[str, dict[str, Any]]:
    """By name of node what stands in one extension."""
    return {
        node["name"]: node["extensions"][name]
        for node in gltf["nodes"]
        if name in node.get("extensions", {})
    }


def test_joints_are_below_their_bodies():
    shipped = shipped_of("joints")
    nodes = shipped["nodes"]
    joints = extensions_of(shipped, "OMI_physics_joint")
    assert len(joints) == 7
    for body in nodes:
        motion = body.get("extensions", {}).get("OMI_physics_body", {}).get("motion", {})
        for child in body.get("children", []):
            if nodes[child]["name"] in joints:
                assert motion["type"] == "dynamic"
    settings = [joints[f"Chain Joint {number}"]["joint"] for number in range(1, 5)]
    assert len(set(settings)) == 1
    ends = {nodes[joint["connectedNode"]]["name"] for joint in joints.values()}
    assert ends == {f"{joint} Pivot" for joint in joints}


def test_every_gravity_is_shown():
    shipped = shipped_of("gravity")
    volumes = extensions_of(shipped, "OMI_physics_gravity")
    types = {volume["type"] for volume in volumes.values()}
    assert types == {"directional", "point", "disc", "torus", "line", "shaped"}
    assert len(volumes["Path Gravity"]["line"]["points"]) == 12
    assert shipped["extensions"]["OMI_physics_gravity"]["gravity"] == pytest.approx(9.81)


def test_khr_says_what_only_khr_can():
    shipped = shipped_of("khr")
    bodies = extensions_of(shipped, "KHR_physics_rigid_bodies")
    assert bodies["Flywheel"]["motion"]["mass"] == 0
    assert bodies["Flywheel"]["motion"]["inertiaDiagonal"] == [0, 0, 0]
    shapes = shipped["extensions"]["KHR_implicit_shapes"]["shapes"]
    assert {"type": "plane"}.items() <= shapes[
        bodies["Floor"]["collider"]["geometry"]["shape"]
    ].items()
    assert bodies["Hill"]["collider"]["geometry"]["convexHull"] is False
    assert bodies["Rock"]["collider"]["geometry"]["convexHull"] is True
    hook = bodies["Lamp Cord"]["joint"]["connectedNode"]
    assert shipped["nodes"][hook]["name"] == "Lamp Hook"
    assert "Lamp Hook" not in bodies


def test_every_shape_and_motion_is_shown():
    shipped = shipped_of("shapes_and_bodies")
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


def test_opens_on_a_picture(name):
    bpy.ops.wm.open_mainfile(filepath=str(blend_of(name)), use_scripts=False)
    scene = bpy.context.scene
    assert scene.omi_physics.export.target == SHIPPED
    assert scene.camera is not None
    assert scene.world is not None
    assert any(obj.type == "LIGHT" for obj in scene.objects)
    assert not any(obj.name.endswith(".001") for obj in scene.objects)


@pytest.mark.parametrize("target", ["SPECIFICATION", "GODOT_4", "BABYLON"])
def test_the_report_of_an_export_is_short(name, target, exported):
    _, issues, lines = exported(name, target)
    assert len(lines) <= 12
    assert {issue.code for issue in issues if issue.code not in "\n".join(lines)} == set()
