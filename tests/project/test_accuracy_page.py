"""The page of how exact the preview is names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "preview_accuracy.md"


def rows() -> list[list[str]]:
    """The cells of the table, without its head."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]
    return [[cell.strip() for cell in row] for row in cells[2:]]


def test_every_named_test_exists_once() -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "tests" / "blender").rglob("test_*.py")]
    named = [row[-1].strip("`") for row in rows()]
    assert len(named) > 20
    assert len(set(named)) == len(named)
    for name in named:
        assert sum(len(re.findall(rf"^def {name}\(", text, re.M)) for text in texts) == 1, name


def test_every_row_has_a_formula_and_a_tolerance() -> None:
    for row in rows():
        assert len(row) == 4
        assert all(row), row
