"""Our reader in projects of Godot, and where Godot is."""

from __future__ import annotations

from pathlib import Path

import pytest

from omi_physics_addon.engines import godot_projects
from omi_physics_addon.engines.godot_projects import PLUGIN, ProjectError

BARE = 'config_version=5\n\n[application]\n\nconfig/name="Racer"\n'
ENABLED = f'enabled=PackedStringArray("{PLUGIN}")'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project.godot").write_text(BARE, encoding="utf-8")
    return tmp_path


def settings(project: Path) -> str:
    return (project / "project.godot").read_text(encoding="utf-8")


def test_the_reader_is_copied_and_enabled(project: Path) -> None:
    godot_projects.install(project)
    place = project / "addons" / "omi_physics"
    copied = {path.relative_to(place) for path in place.rglob("*") if path.is_file()}
    own = godot_projects.READER
    assert copied == {path.relative_to(own) for path in own.rglob("*") if path.is_file()}
    assert settings(project) == f"{BARE}\n[editor_plugins]\n\n{ENABLED}\n"


def test_layers_are_those_of_3d_physics(project: Path) -> None:
    assert godot_projects.layers(project / "none") == godot_projects.layers(project) == []
    rows = ['2d_physics/layer_1="Flat"', '3d_render/layer_1="Lit"', '3d_physics/layer_1="Ground"']
    rows += ['3d_physics/layer_12="Player \\"one\\""', '3d_physics/layer_3=""']
    text = "\n".join([BARE, "[layer_names]", "", *rows, ""])
    (project / "project.godot").write_text(text, encoding="utf-8")
    assert godot_projects.layers(project) == ["Ground", 'Player "one"']


def test_a_second_time_changes_nothing_and_replaces_the_copy(project: Path) -> None:
    godot_projects.install(project)
    before = settings(project)
    reader = project / "addons" / "omi_physics" / "reader.gd"
    reader.write_text("broken", encoding="utf-8")
    (reader.parent / "old.gd").write_text("", encoding="utf-8")
    godot_projects.install(project)
    assert settings(project) == before
    assert reader.read_text(encoding="utf-8") != "broken"
    assert not (reader.parent / "old.gd").exists()


def test_ends_of_lines_stay(project: Path) -> None:
    file = project / "project.godot"
    text = f"{BARE}\n[editor_plugins]\n\n[physics]\n".replace("\n", "\r\n")
    file.write_bytes(text.encode("utf-8"))
    godot_projects.install(project)
    added = f"[editor_plugins]\n\n{ENABLED}\r\n"
    assert file.read_bytes().decode("utf-8") == text.replace("[editor_plugins]\r\n", added)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            'enabled=PackedStringArray("res://addons/a/plugin.cfg")',
            f'enabled=PackedStringArray("res://addons/a/plugin.cfg", "{PLUGIN}")',
        ),
        ("enabled=PackedStringArray()", ENABLED),
    ],
)
def test_other_plugins_stay(before: str, after: str) -> None:
    text = f"{BARE}\n[editor_plugins]\n\n{before}\n\n[physics]\n\nenabled=PackedStringArray()\n"
    assert godot_projects.with_plugin(text) == text.replace(before, after, 1)


def test_a_section_without_plugins_gets_the_reader() -> None:
    text = f"{BARE}\n[editor_plugins]\n\n[physics]\n"
    assert f"[editor_plugins]\n\n{ENABLED}\n\n[physics]" in godot_projects.with_plugin(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "project.godot is missing"),
        ("config_version=4\n", "not of Godot 4"),
        ("", "not of Godot 4"),
    ],
)
def test_what_is_no_project_is_refused(tmp_path: Path, text: str | None, words: str) -> None:
    if text is not None:
        (tmp_path / "project.godot").write_text(text, encoding="utf-8")
    with pytest.raises(ProjectError, match=words):
        godot_projects.install(tmp_path)
    assert not (tmp_path / "addons").exists()


def test_an_add_on_of_others_is_kept(project: Path) -> None:
    other = project / "addons" / "omi_physics" / "plugin.cfg"
    other.parent.mkdir(parents=True)
    other.write_text('[plugin]\nname="Mine"\n', encoding="utf-8")
    with pytest.raises(ProjectError, match="another add-on"):
        godot_projects.install(project)
    assert other.read_text(encoding="utf-8") == '[plugin]\nname="Mine"\n'


def test_the_project_to_play_in_is_made_once(tmp_path: Path) -> None:
    place = tmp_path / "stage"
    godot_projects.make(place)
    made = settings(place)
    assert ENABLED in made
    (place / "project.godot").write_text(made + "\n; mine\n", encoding="utf-8")
    godot_projects.make(place)
    assert settings(place).endswith("; mine\n")


def program(place: Path, version: str) -> Path:
    path = place / "godot"
    path.write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_godot_is_the_chosen_one_then_that_on_path(tmp_path, monkeypatch) -> None:
    found = program(tmp_path, "4.6.1.stable")
    monkeypatch.delenv("GODOT", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    assert godot_projects.find_godot() == found
    assert godot_projects.find_godot(str(tmp_path / "gone")) is None
    other = tmp_path / "Godot.app" / "Contents" / "MacOS" / "Godot"
    other.parent.mkdir(parents=True)
    other.write_text("", encoding="utf-8")
    assert godot_projects.find_godot(str(tmp_path / "Godot.app")) == other


def test_version_of_a_godot(tmp_path: Path) -> None:
    assert godot_projects.version_of(program(tmp_path, "4.6.1.stable.official")) == (4, 6)
    with pytest.raises(ProjectError, match="gives no version"):
        godot_projects.version_of(program(tmp_path, "hello"))
    with pytest.raises(ProjectError, match="does not start"):
        godot_projects.version_of(tmp_path / "gone")
