"""The parts of the codec import one another in one direction."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import omi_physics_addon.codec

CODEC = Path(omi_physics_addon.codec.__file__).parent
# Each may import those before it.
ORDER = ("values", "omi", "khr", "convert", "dialects", "rules", "excerpt", "gltf")


def imported(path: Path) -> Iterator[str]:
    """The folders and modules of the codec that a module imports."""
    package = path.relative_to(CODEC.parent).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            for alias in node.names:
                full = (*base, *(node.module or "").split("."), alias.name)
                parts = [part for part in full if part]
                if parts[0] == "codec" and len(parts) > 1:
                    yield parts[1]


@pytest.mark.parametrize("name", ORDER)
def test_imports_point_one_way(name):
    paths = [CODEC / f"{name}.py"] if (CODEC / f"{name}.py").is_file() else (CODEC / name).glob("*")
    found = {other for path in paths if path.suffix == ".py" for other in imported(path)}
    assert found <= set(ORDER[: ORDER.index(name) + 1])


def test_every_part_has_its_place():
    parts = {path.stem for path in CODEC.iterdir() if path.stem not in ("__init__", "__pycache__")}
    assert parts == set(ORDER)
