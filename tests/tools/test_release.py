"""A release is a commit, a tag and files that say its version; where it fails nothing is left."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from tools import build_extension, environment, release

FILES = ("blender_manifest.toml", "pyproject.toml", "CHANGELOG.md", "LICENSE", "README.md")


def git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A repository with what a release is made of, and a change log for version 7.8.9."""
    root = tmp_path / "project"
    shutil.copytree(
        build_extension.PACKAGE,
        root / "omi_physics_addon",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for name in FILES:
        shutil.copyfile(environment.ROOT / name, root / name)
    log = f"# Changelog\n\n## 7.8.9 ({release.WAITING})\n\n- All is new.\n\n## 1.0.0\n\n- Old.\n"
    (root / "CHANGELOG.md").write_text(log, encoding="utf-8")
    git(tmp_path, "init", "--quiet", str(root))
    for key, value in (("user.name", "Somebody"), ("user.email", "somebody@example.org")):
        git(root, "config", key, value)
    git(root, "config", "commit.gpgsign", "false")
    git(root, "config", "tag.gpgsign", "false")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Begin")
    monkeypatch.setattr(environment, "ROOT", root)
    monkeypatch.setattr(build_extension, "PACKAGE", root / "omi_physics_addon")
    monkeypatch.setattr(build_extension, "MANIFEST", root / "blender_manifest.toml")
    monkeypatch.setattr(release, "PLACES", [root / path.name for path in release.PLACES])
    monkeypatch.setattr(release, "CHANGES", root / "CHANGELOG.md")
    return root


def test_one_command_makes_it(project, tmp_path, capsys):
    assert release.main(["7.8.9", f"--output={tmp_path / 'dist'}"]) == 0
    files = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert [path.name for path in files] == [
        "omi_physics_addon-7.8.9.zip",
        "physics-measure-7.8.9.zip",
        "omi_physics_addon-7.8.9-py3-none-any.whl",
        "notes-7.8.9.md",
    ]
    manifest = zipfile.ZipFile(files[0]).read("blender_manifest.toml").decode()
    assert tomllib.loads(manifest)["version"] == "7.8.9"
    assert "omi_physics_addon/cli/main.py" in zipfile.ZipFile(files[2]).namelist()
    assert files[3].read_text(encoding="utf-8") == "- All is new.\n"
    assert git(project, "describe") == "v7.8.9"
    assert git(project, "log", "-1", "--format=%s") == "Release 7.8.9"
    assert not git(project, "status", "--porcelain", "--untracked-files=no")
    assert release.WAITING not in (project / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("version", "edit", "why"),
    [
        ("7.8", "", "three numbers"),
        ("7.9.0", "", "no section 7.9.0"),
        ("7.8.9", "README.md", "not committed"),
    ],
)
def test_what_is_against_it_is_told_and_changes_nothing(project, capsys, version, edit, why):
    if edit:
        (project / edit).write_text("Edited", encoding="utf-8")
    before = git(project, "diff")
    assert release.main([version]) == 1
    assert why in capsys.readouterr().err
    assert git(project, "diff") == before
    assert not git(project, "tag")


def test_a_version_is_released_once(project, capsys):
    git(project, "tag", "v7.8.9")
    assert release.main(["7.8.9"]) == 1
    assert "a tag v7.8.9 already" in capsys.readouterr().err


def test_where_a_file_cannot_be_built_all_is_as_before(project, tmp_path, capsys, monkeypatch):
    def refuse(*_: object, **__: object) -> Path:
        raise build_extension.BuildError("no")

    monkeypatch.setattr(build_extension, "build", refuse)
    assert release.main(["7.8.9", f"--output={tmp_path / 'dist'}"]) == 1
    assert capsys.readouterr().err == "error: no\n"
    assert not git(project, "status", "--porcelain")
    assert not git(project, "tag")
    assert git(project, "log", "-1", "--format=%s") == "Begin"
