"""Robots found in a glTF: what of it is usable, and what the formats make of that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from omi_physics_addon.files import source
from omi_physics_addon.formats import files, from_gltf
from omi_physics_addon.formats.robots import Robot
from omi_physics_addon.issues import Issues
from tests.support.robot_models import joint, link

LOOK = (
    '<link name="base"><visual name="look"><geometry><box size="1 1 1"/></geometry>'
    '<material name="red"><color rgba="1 0 0 1"/></material></visual></link>'
)


def made(folder: Path, kind: str = "fixed") -> dict[str, Any]:
    """The parsed glTF of a red base with an arm."""
    path = folder / "made.urdf"
    path.write_text(f'<robot name="r">{LOOK}{link("arm")}{joint("j", kind, "base", "arm")}</robot>')
    return dict(files.read(path, Issues(), is_text=True).json)


def of(text: str, folder: Path) -> Robot:
    path = folder / "robot.gltf"
    path.write_text(text, encoding="utf-8")
    return from_gltf.robot_of(source.read(path), "robot", Issues())


@pytest.mark.parametrize("part", ["1e999", "NaN", "1.5", "-1", f"1{'0' * 400}", '"red"', "null"])
def test_a_color_that_is_none_is_left_out(part: str, tmp_path: Path) -> None:
    text = json.dumps(made(tmp_path))
    good = '"baseColorFactor": [1.0, 0.0, 0.0, 1.0]'
    assert of(text, tmp_path).links[0].parts[0].color == (1.0, 0.0, 0.0, 1.0)
    bad = text.replace(good, good.replace("1.0", part, 1))
    assert of(bad, tmp_path).links[0].parts[0].color is None
    for suffix in ("urdf", "xml"):
        files.write(source.read(tmp_path / "robot.gltf"), tmp_path / f"r.{suffix}", Issues())


@pytest.mark.parametrize("suffix", ["urdf", "xml", "usda"])
def test_names_have_letters_that_the_formats_have(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("pxr")
    gltf = made(tmp_path)
    for node in gltf["nodes"]:
        node["name"] += "\x01\ud800\ufffe"
    of(json.dumps(gltf), tmp_path)
    path = tmp_path / f"r.{suffix}"
    content, _ = files.write(source.read(tmp_path / "robot.gltf"), path, Issues())
    path.write_bytes(content)
    pytest.importorskip("mujoco")
    names = {node["name"] for node in files.read(path, Issues()).json["nodes"]}
    assert {"base\ufffd\ufffd\ufffd", "arm\ufffd\ufffd\ufffd"} <= names


def test_only_names_of_xml_are_kept(tmp_path: Path) -> None:
    gltf = made(tmp_path)
    (at,) = (i for i, node in enumerate(gltf["nodes"]) if node["name"] == "j")
    gltf["nodes"][at]["extras"] = {"robot": {
        "mimic": {"joint": "k\x00", "1": "a", "a b": "c", "xmlns": "d", "a:b": "e", "": "f"},
        "a b": {}, "1": {}, "<x/>": {}, "": {}, "xmlFoo": {}, "limit": 3,
    }}  # fmt: skip
    (found,) = of(json.dumps(gltf), tmp_path).joints
    assert found.kept == {"mimic": {"joint": "k\ufffd"}}
    content, _ = files.write(source.read(tmp_path / "robot.gltf"), tmp_path / "r.urdf", Issues())
    assert [each.attrib for each in ElementTree.fromstring(content).iter("mimic")] == [
        {"joint": "k\ufffd"}
    ]


@pytest.mark.parametrize("number", ["nan", "inf", "-1", "a", "", "1 2", "1e30", None, True])
def test_only_numbers_of_friction_and_armature_are_kept(number: object, tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    gltf = made(tmp_path, "continuous")
    (at,) = (i for i, node in enumerate(gltf["nodes"]) if node["name"] == "j")
    for value, kept in ((0.5, {"dynamics": {"friction": "0.5"}, "mjcf": {"armature": "0.5"}}),
                        (number, {"dynamics": {}, "mjcf": {}})):  # fmt: skip
        gltf["nodes"][at]["extras"] = {
            "robot": {"dynamics": {"friction": value}, "mjcf": {"armature": value}}
        }
        (found,) = of(json.dumps(gltf), tmp_path).joints
        assert found.kept == kept
        content, _ = files.write(source.read(tmp_path / "robot.gltf"), tmp_path / "r.xml", Issues())
        model = mujoco.MjModel.from_xml_string(content.decode())
        assert model.dof_frictionloss[0] == model.dof_armature[0] == (0.5 if value == 0.5 else 0)
