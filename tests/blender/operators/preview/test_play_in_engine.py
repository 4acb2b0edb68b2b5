"""Play in Godot and Install Godot Importer.

Covers omi_physics_play_in_engine and omi_physics_install_importer.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest

from omi_physics_addon.blender.operators.preview import play_in_engine
from omi_physics_addon.blender.preview import player
from tests.blender.support.scenes import add, add_body, cube_mesh

pytestmark = pytest.mark.usefixtures("_empty_file")


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A program in the place of Godot, which writes what it is told into this file and waits."""
    words, program = tmp_path / "told", tmp_path / "godot"
    program.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo 4.6.1.stable && exit\n'
        f'echo "$@" >> {words}\nexec sleep 60\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    monkeypatch.setenv("GODOT", str(program))
    yield words
    for process, _ in play_in_engine._playing:
        process.terminate()
        process.wait()
    play_in_engine._playing.clear()


def lines(words: Path, count: int) -> list[str]:
    for _ in range(600):
        if words.is_file() and len(words.read_text().splitlines()) >= count:
            break
        time.sleep(0.1)
    return words.read_text().splitlines()


def test_the_scene_plays_in_a_project_with_the_reader(told: Path) -> None:
    add_body(add("Crate", cube_mesh()))
    assert bpy.ops.scene.omi_physics_play_in_engine() == {"FINISHED"}
    (line,) = lines(told, 1)
    words = line.split()
    project, file = Path(words[words.index("--path") + 1]), Path(words[-1])
    assert (project / "addons" / "omi_physics" / "reader.gd").is_file()
    assert b"OMI_physics_body" in file.read_bytes()


def test_a_second_play_writes_the_file_anew_and_starts_nothing(told: Path) -> None:
    add_body(add("Crate", cube_mesh()))
    bpy.ops.scene.omi_physics_play_in_engine()
    file = Path(lines(told, 1)[0].split()[-1])
    before = file.stat().st_mtime_ns
    time.sleep(0.02)
    add_body(add("Second", cube_mesh()))
    bpy.ops.scene.omi_physics_play_in_engine()
    assert file.stat().st_mtime_ns > before
    assert b"Second" in file.read_bytes()
    assert len(lines(told, 1)) == 1


@pytest.mark.parametrize("live", [True, False])
def test_a_save_is_played_when_it_is_to(told: Path, tmp_path: Path, live: bool) -> None:
    add_body(add("Crate", cube_mesh()))
    bpy.context.scene.omi_physics.preview.engine_live = live
    bpy.ops.scene.omi_physics_play_in_engine()
    file = Path(lines(told, 1)[0].split()[-1])
    add_body(add("Second", cube_mesh()))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"), copy=True)
    assert (b"Second" in file.read_bytes()) is live


def test_a_save_that_cannot_be_played_is_told_in_the_panel(
    told: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_body(add("Crate", cube_mesh()))
    bpy.ops.scene.omi_physics_play_in_engine()
    assert lines(told, 1)

    def full(_scene: object) -> Path:
        raise OSError("no space left")

    monkeypatch.setattr(player, "message", "")
    monkeypatch.setattr(play_in_engine, "export", full)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"), copy=True)
    assert (tmp_path / "scene.blend").is_file()
    assert player.message == "Godot does not show this save: no space left"


def test_the_project_of_the_scene_is_used(told: Path, tmp_path: Path) -> None:
    project = tmp_path / "game"
    project.mkdir()
    (project / "project.godot").write_text("config_version=5\n", encoding="utf-8")
    add_body(add("Crate", cube_mesh()))
    bpy.context.scene.omi_physics.preview.engine_project = str(project)
    bpy.ops.scene.omi_physics_play_in_engine()
    assert f"--path {project}" in lines(told, 1)[0]
    assert (project / "addons" / "omi_physics").is_dir()


def test_without_godot_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT", os.devnull + "/none")
    add_body(add("Crate", cube_mesh()))
    assert bpy.ops.scene.omi_physics_play_in_engine() == {"CANCELLED"}


def test_the_importer_is_installed(tmp_path: Path) -> None:
    (tmp_path / "project.godot").write_text("config_version=5\n", encoding="utf-8")
    result = bpy.ops.scene.omi_physics_install_importer(directory=str(tmp_path))
    assert result == {"FINISHED"}
    assert (tmp_path / "addons" / "omi_physics" / "plugin.cfg").is_file()


def test_a_folder_without_a_project_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"project\.godot is missing"):
        bpy.ops.scene.omi_physics_install_importer(directory=str(tmp_path))
