"""What Blender and the extension platform read about us."""

import re
import tomllib

import pytest

from omi_physics_addon.cli import main
from tools import environment

ROOT = environment.ROOT


@pytest.fixture(scope="module")
def manifest():
    return tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("schema_version", "1.0.0"),
        ("id", "omi_physics_addon"),
        ("name", "OMI Physics"),
        ("maintainer", "OMI Physics contributors"),
        ("type", "add-on"),
        ("tags", ["Import-Export", "Physics", "Game Engine", "Pipeline"]),
        ("blender_version_min", "4.2.0"),
        ("license", ["SPDX:GPL-3.0-or-later"]),
    ],
)
def test_field(manifest, key, value):
    assert manifest[key] == value


def test_short_texts_are_short(manifest):
    for text in (manifest["tagline"], *manifest["permissions"].values()):
        assert len(text) <= 64
        assert not text.endswith(".")


# What code does that needs a permission of the platform.
NEEDS = {
    "files": r"\b(write_bytes|write_text|open)\(",
    "clipboard": r"\.clipboard\b",
    "network": r"\b(urllib\.request|http\.client|urlopen)\b|\bimport requests\b",
    "camera": r"\bcv2\b",
    "microphone": r"\bsounddevice\b",
}


def test_permissions_are_those_that_the_code_needs(manifest):
    package = ROOT / "omi_physics_addon"
    text = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    needed = [name for name, pattern in NEEDS.items() if re.search(pattern, text)]
    assert list(manifest["permissions"]) == needed == ["files", "clipboard"]


def test_project_file_says_the_same(manifest):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == manifest["version"]
    assert f"SPDX:{project['license']}" in manifest["license"]


def test_pip_installs_a_typed_package_and_a_program():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"] == {"omi-physics": "omi_physics_addon.cli.main:main"}
    assert callable(main.main)
    assert any(name.startswith("numpy") for name in project["project"]["dependencies"])
    package = ROOT / "omi_physics_addon"
    files = {path for path in package.rglob("*") if path.is_file()}
    left = {path for path in files if path.suffix not in (".py", ".pyc", ".md")}
    for name in project["tool"]["setuptools"]["package-data"]["omi_physics_addon"]:
        found = {path for path in package.glob(name) if path.is_file()}
        assert found
        left -= found
    assert not left, "pip leaves these out"


def test_package_is_named_like_the_manifest(manifest):
    assert (ROOT / manifest["id"] / "__init__.py").is_file()


def test_oldest_blender_is_tested_first(manifest):
    assert manifest["blender_version_min"].startswith(environment.RELEASES[0].bpy + ".")


def test_licence_is_the_gpl():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.split()[:5] == ["GNU", "GENERAL", "PUBLIC", "LICENSE", "Version"]
    assert "END OF TERMS AND CONDITIONS" in text
