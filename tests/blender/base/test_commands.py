"""The command line as a command of Blender."""

from __future__ import annotations

import json
from types import SimpleNamespace

import bpy
import pytest

import omi_physics_addon
from omi_physics_addon.blender.base import commands
from tests.cli.test_check import BAD, GOOD


@pytest.fixture
def utils(monkeypatch):
    """Notes what Blender is told; the module `bpy` has no commands to run."""
    told: dict[object, object] = {}
    fake = SimpleNamespace(
        register_cli_command=lambda name, run: told.setdefault(name, run) and name,
        unregister_cli_command=told.pop,
    )
    monkeypatch.setattr(commands.bpy, "utils", fake)
    monkeypatch.setattr(commands, "_registered", [])
    return told


def test_blender_knows_the_command_until_it_is_taken_back(utils):
    commands.register(omi_physics_addon.run_command)
    assert utils == {"omi_physics": omi_physics_addon.run_command}
    commands.unregister()
    assert utils == {}
    commands.unregister()


@pytest.mark.parametrize(("value", "code"), [(GOOD, 0), (BAD, 1)])
def test_it_ends_with_the_codes_of_the_program(tmp_path, capsys, value, code):
    path = tmp_path / "in.gltf"
    path.write_text(json.dumps(value))
    assert omi_physics_addon.run_command(["check", str(path)]) == code
    assert capsys.readouterr().out.startswith("OMI: ")


@pytest.mark.parametrize(("arguments", "code"), [(["--help"], 0), (["nonsense"], 2)])
def test_it_returns_where_a_program_would_end(capsys, arguments, code):
    assert omi_physics_addon.run_command(arguments) == code
    told = capsys.readouterr()
    assert (told.out + told.err).startswith("usage: blender --command omi_physics")


def test_this_blender_has_commands():
    assert callable(bpy.utils.register_cli_command)
