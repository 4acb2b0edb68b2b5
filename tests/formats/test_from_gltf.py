"""Robots found in a glTF: what of it is usable, and what the formats make of that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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


def made(folder: Path) -> dict[str, Any]:
    """The parsed glTF of a red base with an arm."""
    path = folder / "made.urdf"
    path.write_text(
        f'<robot name="r">{LOOK}{link("arm")}{joint("j", "fixed", "base", "arm")}</robot>'
    )
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
