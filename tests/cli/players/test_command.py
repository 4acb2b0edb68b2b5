"""`godot`: the reader in a project, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from omi_physics_addon.cli import jobs
from omi_physics_addon.cli.main import main


def test_the_reader_is_installed(tmp_path: Path, capsys) -> None:
    (tmp_path / "project.godot").write_text("config_version=5\n", encoding="utf-8")
    assert main(["godot", str(tmp_path)]) == jobs.DONE
    assert "installed and enabled" in capsys.readouterr().out
    assert (tmp_path / "addons" / "omi_physics" / "reader.gd").is_file()
    assert main(["godot", str(tmp_path), "--json"]) == jobs.DONE
    said = json.loads(capsys.readouterr().out)
    assert Path(said["output"]) == tmp_path / "addons" / "omi_physics"


def test_a_folder_without_a_project_is_refused(tmp_path: Path, capsys) -> None:
    assert main(["godot", str(tmp_path)]) == jobs.BAD_INPUT
    assert "is no Godot project" in capsys.readouterr().err
