"""The kept results of engines, and the page that is made of them."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tools.engines import acceptance_table


def row(name: str, off: float) -> dict[str, Any]:
    cell = {"state": "same", "off": off, "codes": [], "bodies": 1, "named": 0}
    return {"part": "Joints", "name": name, **dict.fromkeys(acceptance_table.COLUMNS, cell)}


def scene(name: str) -> Any:
    return SimpleNamespace(part="Joints", name=name, steps={}, rests="", beside=("", ""))


def test_scenes_that_are_not_played_keep_what_they_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results, page = tmp_path / "engines.json", tmp_path / "engines.md"
    results.write_text(json.dumps({"scenes": [row("door", 0.1), row("gone", 0.2)]}))
    page.write_text(f"{acceptance_table.BEGIN}\n{acceptance_table.END}\n")
    monkeypatch.setattr(acceptance_table, "RESULTS", results)
    monkeypatch.setattr(acceptance_table, "PAGE", page)
    acceptance_table.keep([row("rope", 0.3)], [scene("rope"), scene("door")])
    kept = json.loads(results.read_text())["scenes"]
    assert [(each["name"], each["Godot"]["off"]) for each in kept] == [("rope", 0.3), ("door", 0.1)]
    assert "| rope | same, 0.30 m |" in page.read_text()
