"""An engine is a row in its own module; all lists of engines come from these rows."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import omi_physics_addon
from omi_physics_addon import api, engines
from omi_physics_addon.codec.engine import Engine

PACKAGE = Path(omi_physics_addon.__file__).parent
FOLDER = PACKAGE / "engines"
NAMES = re.compile("|".join(path.stem for path in FOLDER.iterdir() if path.stem[0] != "_"), re.I)


def test_what_is_stored_stays():
    """Words in .blend files, written files and scripts of users."""
    rows = [(row.id, row.number, row.word) for row in engines.TARGETS.values()]
    assert rows[:2] == [("GODOT_4", 1, "godot4"), ("BABYLON", 2, "babylon")]
    named = [(row.id, row.number) for row in engines.CONVENTIONS.values()]
    assert named[:2] == [("GODOT", 1), ("UNREAL", 2)]


def test_every_row_is_a_row_of_its_own():
    for rows in (engines.TARGETS, engines.CONVENTIONS):
        numbers = [row.number for row in rows.values()]
        assert numbers == sorted(set(numbers))
        assert numbers[0] > 0
    assert len(engines.WORDS) == len(engines.TARGETS) + 1


@pytest.mark.parametrize("target", engines.TARGETS)
def test_every_row_has_an_engine(target: str):
    engine = engines.engine_of(target)
    assert isinstance(engine, Engine)
    assert engine.target is engines.TARGETS[target]


def test_a_target_that_nobody_knows_is_an_error():
    assert engines.engine_of("SPECIFICATION") is None
    with pytest.raises(KeyError, match="NOBODY"):
        engines.engine_of("NOBODY")


def test_the_target_of_the_guide_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    guide = (PACKAGE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (text,) = re.findall(r'```python\n(""".*?)```', guide, re.DOTALL)
    module: dict[str, Any] = {"__package__": engines.__name__}
    exec(text, module)
    row = module["TARGET"]
    # Else whoever copies it has the number of another engine.
    assert row.number not in {each.number for each in engines.TARGETS.values()}
    monkeypatch.setitem(engines.TARGETS, row.id, row)
    path = tmp_path / "can.gltf"
    shapes = [{"type": "cylinder", "cylinder": {}}]
    can = {"motion": {}, "collider": {"geometry": {"shape": 0}}}
    path.write_text(
        json.dumps(
            {
                "asset": {"version": "2.0"},
                "extensionsUsed": ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"],
                "extensions": {"KHR_implicit_shapes": {"shapes": shapes}},
                "nodes": [{"extensions": {"KHR_physics_rigid_bodies": can}}],
            }
        )
    )
    found = api.check(api.read(path), row.id).issues
    told = [(issue.code, issue.pointer) for issue in found if row.name in issue.message]
    assert told == [("X51", "/nodes/0")]


def prose(tree: ast.Module) -> set[int]:
    """The constants of a module that are docstrings."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, owners) and node.body and isinstance(node.body[0], ast.Expr)
    }


def words(path: Path) -> Iterator[str]:
    """The names and texts of a module, but for its docstrings; comments are no part of it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    passed = prose(tree)
    yield path.relative_to(PACKAGE).as_posix()
    for node in ast.walk(tree):
        if id(node) not in passed:
            for _, value in ast.iter_fields(node):
                yield from (value,) if isinstance(value, str) else ()


def test_names_of_engines_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tests.engines.test_rows.PACKAGE", tmp_path)
    path = tmp_path / "module.py"
    path.write_text('"""Of Godot."""\nA_UNREAL = f"babylon {1}"  # Godot\nfrom . import godot\n')
    found = [NAMES.findall(word) for word in words(path)]
    assert sorted(name for each in found for name in each) == ["UNREAL", "babylon", "godot"]


def test_no_other_module_names_an_engine():
    paths = [path for path in PACKAGE.rglob("*.py") if FOLDER not in path.parents]
    assert len(paths) > 100
    told = {(str(path), word) for path in paths for word in words(path) if NAMES.search(word)}
    assert told == set()
