"""The code is formatted, linted and typed, and pure code stays pure."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "omi_physics_addon"
PURE = (
    "axes",
    "issue_codes",
    "issues",
    "model",
    "codec",
    "engines",
    "geometry",
    "simulation",
    "cli",
)
IN_BLENDER = (PACKAGE / "cli" / "worker.py", PACKAGE / "cli" / "inside")

BLOCKED_IMPORT = """
import importlib, importlib.abc, sys

class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"bpy", "mathutils", "io_scene_gltf2"}:
            raise ImportError(f"pure code imports {name}")

sys.meta_path.insert(0, Blocker())
for name in sys.argv[1:]:
    importlib.import_module(name)
"""


def tool(name: str) -> str:
    """A linter of the environment that runs the tests; skips where it has none."""
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip(f"{name} is not installed in this environment, only in that of bpy 4.2")
    return found


def check(*command: str) -> None:
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout


def pure_modules() -> dict[str, Path]:
    """Every module of the pure packages, by dotted name."""
    paths = [path for name in PURE for path in (PACKAGE / f"{name}.py",) if path.is_file()]
    paths += [path for name in PURE for path in sorted((PACKAGE / name).rglob("*.py"))]
    paths = [path for path in paths if not {path, path.parent} & {*IN_BLENDER}]
    names = {}
    for path in paths:
        parts = path.relative_to(ROOT).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return names


def test_ruff_check():
    check(tool("ruff"), "check", "--no-cache")


def test_ruff_format():
    check(tool("ruff"), "format", "--check", "--no-cache")


def test_pyright():
    check(tool("pyright"), "--pythonpath", sys.executable)


def test_pure_modules_import_without_blender():
    names = pure_modules()
    assert {name.split(".")[1] for name in names} == set(PURE)
    check(sys.executable, "-c", BLOCKED_IMPORT, *names)


def test_hints_fit_the_default_width_of_panels():
    """Measured in Blender 5.2 at the default widths: longer texts end in three dots."""
    too_long: list[str] = []
    for path in sorted((PACKAGE / "blender" / "panels").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            too_long += [f"{path.name}: {text}" for text in shown_texts(node) if len(text) > 38]
    assert not too_long


def shown_texts(node: ast.AST) -> list[str]:
    """The texts that a call of `label` or `hint` shows as they are."""
    if not isinstance(node, ast.Call):
        return []
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name not in {"label", "hint"}:
        return []
    values = [*node.args, *(each.value for each in node.keywords if each.arg == "text")]
    return [
        each.value for each in values if isinstance(each, ast.Constant) and type(each.value) is str
    ]
