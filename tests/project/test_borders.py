"""Imports point one way, in every folder of the package, and names of tests tell their place."""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "omi_physics_addon"
TESTS = ROOT / "tests"
MOST_MODULES = 22

# Folder → its rooms, lowest first: a room may use those of the lines below its own.
LAYERS: dict[str, list[set[str]]] = {
    "": [
        {"issue_codes"},
        {"issues"},
        {"model"},
        {"axes", "geometry"},
        {"codec"},
        {"engines"},
        {"simulation"},
        {"expectations", "files"},
        {"formats"},
        {"blender"},
        {"cli"},
        {"api"},
        {"__main__"},
        {"__init__"},
    ],
    "blender": [
        {"base", "translations"},
        {"properties"},
        {"scene"},
        {"authoring", "preview"},
        {"host", "live"},
        {"manual", "overlay", "scripting"},
        {"operators"},
        {"panels", "preferences"},
        {"registration"},
        {"__init__"},
    ],
}
# What of the command line runs inside Blender.
IN_BLENDER = ("cli/worker.py", "cli/inside/")
BLENDER = {"bpy", "mathutils", "io_scene_gltf2"}
# Folders of tests that no folder of the package answers to.
THEME_FOLDERS = {"blender/engines", "blender/whole"}
# Tests of a theme rather than of one module, by the folder whose work they are about.
THEMES: dict[str, set[str]] = {
    "engines": {"rows"},
    "codec": {"overflow", "fuzz", "growth", "random_documents"},
    "blender/scene": {"entries_elsewhere", "random_documents"},
    "blender/host": {
        "collection_exporters",
        "export_godot",
        "found_files",
        "infinite_masses",
        "planes",
        "trips",
        "unfinished_joints",
        "unit_scale",
        "unusual_scenes",
    },
    "blender/overlay": {"handles_in_window"},
    "blender/preview": {
        "accuracy",
        "arms",
        "ends",
        "extremes",
        "fast_bodies",
        "in_window",
        "landings",
        "looking_back",
        "losses",
        "meanwhile",
        "messages",
        "mirrored_scale",
        "neighbors",
        "passing",
        "ragdolls",
        "rest",
        "speed",
        "sunk",
        "together",
        "undo",
    },
    "blender/preview/bodies": {"compounds", "gravity", "pair_bounces", "slack"},
    "blender/preview/interaction": {"interaction"},
    "blender/preview/stage": {"restores"},
    "blender/operators": {"every_operator"},
    "blender/panels": {"panel_caches", "panels", "part_panels"},
    "blender/panels/sidebar": {"sidebar"},
}


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def module_of(parts: list[str]) -> Path | None:
    """The file of the longest beginning of a dotted name below the package."""
    for count in range(len(parts), -1, -1):
        place = PACKAGE.joinpath(*parts[:count])
        if count and place.with_suffix(".py").is_file():
            return place.with_suffix(".py")
        if (place / "__init__.py").is_file():
            return place / "__init__.py"
    return None


@functools.cache
def imported(path: Path) -> frozenset[Path]:
    """The modules of the package that a module imports."""
    return frozenset(imported_by(parsed(path), path))


def imported_by(tree: ast.Module, path: Path) -> Iterator[Path]:
    """The same of its parsed text, for types only or late too."""
    package = list(path.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            inner = node.module.split(".") if node.module else []
            if node.level:
                inner = package[: len(package) + 1 - node.level] + inner
            elif inner[:1] == [PACKAGE.name]:
                inner = inner[1:]
            else:
                continue
            for alias in node.names:
                found = module_of([*inner, alias.name])
                assert found is not None
                yield found
        elif isinstance(node, ast.Import):
            for alias in node.names:
                inner = alias.name.split(".")
                if inner[0] == PACKAGE.name:
                    found = module_of(inner[1:])
                    assert found is not None
                    yield found


def folders() -> dict[str, Path]:
    """Every folder of the package, by its path below it."""
    found = sorted({path.parent for path in PACKAGE.rglob("*.py")})
    return {"" if path == PACKAGE else path.relative_to(PACKAGE).as_posix(): path for path in found}


def room(folder: Path, path: Path) -> str | None:
    """The sub-folder or module of a folder in which a module lies; None for one elsewhere."""
    if not path.is_relative_to(folder):
        return None
    return Path(path.relative_to(folder).parts[0]).stem


def graph(folder: Path) -> dict[str, dict[str, set[str]]]:
    """Room → rooms that it imports → the imports themselves, in words."""
    out: dict[str, dict[str, set[str]]] = {}
    for path in sorted(folder.rglob("*.py")):
        own = room(folder, path)
        assert own is not None
        uses = out.setdefault(own, {})
        for target in imported(path):
            other = room(folder, target)
            if other not in (None, own):
                names = [each.relative_to(PACKAGE).as_posix() for each in (path, target)]
                uses.setdefault(other, set()).add(" imports ".join(names))
    return out


def circle(uses: dict[str, dict[str, set[str]]]) -> list[str]:
    """Imports that lead from a room back to it; empty when there are none."""
    done: set[str] = set()

    def search(name: str, way: list[str]) -> list[str]:
        if name in way:
            steps = [*way[way.index(name) :], name]
            return [
                text for one, two in itertools.pairwise(steps) for text in sorted(uses[one][two])
            ]
        if name in done:
            return []
        for other in uses.get(name, {}):
            found = search(other, [*way, name])
            if found:
                return found
        done.add(name)
        return []

    for name in uses:
        found = search(name, [])
        if found:
            return found
    return []


def upward(uses: dict[str, dict[str, set[str]]], layers: list[set[str]]) -> list[str]:
    """Imports of a room that does not lie on a layer below."""
    height = {name: i for i, names in enumerate(layers) for name in names}
    return [
        text
        for name, others in uses.items()
        for other, texts in others.items()
        if height[other] >= height[name]
        for text in sorted(texts)
    ]


@pytest.mark.parametrize("name", folders())
def test_no_imports_go_in_a_circle(name: str) -> None:
    assert circle(graph(folders()[name])) == []


@pytest.mark.parametrize("name", LAYERS)
def test_no_import_points_up(name: str) -> None:
    uses = graph(folders()[name])
    assert uses.keys() <= set().union(*LAYERS[name])
    assert upward(uses, LAYERS[name]) == []


@pytest.mark.parametrize("name", folders())
def test_no_folder_is_overfull(name: str) -> None:
    assert len(list(folders()[name].glob("*.py"))) - 1 <= MOST_MODULES


def outsiders(path: Path) -> set[str]:
    """The packages of others that a module imports."""
    names: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names.add(node.module.partition(".")[0])
    return names


def test_only_the_worker_and_its_jobs_run_in_blender() -> None:
    for path in (PACKAGE / "cli").rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        uses = {room(PACKAGE, target) for target in imported(path)}
        if not name.startswith(IN_BLENDER):
            assert not outsiders(path) & BLENDER, name
            assert "blender" not in uses, name


# That it sees what it looks for


def test_imports_for_types_and_late_ones_count() -> None:
    text = """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from ..scene.scene_reader import SceneReader
def late():
    from . import reports
    import omi_physics_addon.issues
    from omi_physics_addon.model import shapes
"""
    found = imported_by(ast.parse(text), PACKAGE / "blender" / "base" / "changes.py")
    assert {path.relative_to(PACKAGE).as_posix() for path in found} == {
        "blender/scene/scene_reader.py",
        "blender/base/reports.py",
        "issues.py",
        "model/shapes.py",
    }


def test_a_circle_is_found() -> None:
    uses: dict[str, dict[str, set[str]]] = {
        "a": {"b": {"a uses b"}},
        "b": {"c": {"b uses c"}, "d": {"b uses d"}},
        "c": {},
        "d": {"b": {"d uses b"}},
    }
    assert circle(uses) == ["b uses d", "d uses b"]
    del uses["d"]["b"]
    assert circle(uses) == []


def test_an_import_up_or_sideways_is_found() -> None:
    uses = {"low": {"high": {"up"}}, "left": {"right": {"sideways"}, "low": {"down"}}}
    assert upward(uses, [{"low"}, {"left", "right"}, {"high"}]) == ["up", "sideways"]


# Tests


def mirrored() -> list[Path]:
    """The files of tests that lie in a folder named like one of the package, or beside them."""
    tops = {name.partition("/")[0] for name in folders()}
    return [
        path
        for path in sorted(TESTS.rglob("test_*.py"))
        if path.parent == TESTS or path.relative_to(TESTS).parts[0] in tops
    ]


def test_tests_lie_in_folders_of_the_package() -> None:
    """Each is named after a module or folder that lies there, or after a theme."""
    lost: list[str] = []
    for test in mirrored():
        place, name = test.relative_to(TESTS).parent, test.stem.removeprefix("test_")
        modules = {path.stem for path in (PACKAGE / place).glob("*.py")}
        modules |= {path.name for path in (PACKAGE / place).glob("*/")}
        themes = THEMES.get(place.as_posix(), set())
        if place.as_posix() not in THEME_FOLDERS and name not in modules | themes:
            lost.append(test.relative_to(TESTS).as_posix())
    assert lost == []


def test_themes_are_tests_and_no_modules() -> None:
    for place, names in THEMES.items():
        tests = {path.stem.removeprefix("test_") for path in (TESTS / place).glob("test_*.py")}
        assert names <= tests, place
        assert names.isdisjoint(path.stem for path in (PACKAGE / place).glob("*.py")), place
    for place in THEME_FOLDERS:
        assert not (PACKAGE / place).exists()
