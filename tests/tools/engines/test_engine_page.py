"""The tables of the page on engines are those of the runs that are kept."""

from __future__ import annotations

import json

from tests.blender.support.engine_cases import CASES
from tools.engines import engine_page
from tools.examples import make_examples


def test_the_page_has_the_tables_of_the_runs():
    text = engine_page.PAGE.read_text(encoding="utf-8")
    assert engine_page.with_tables(text) == text


def test_every_scene_and_example_was_run():
    wanted = {*CASES, *(f"example {name}" for name in make_examples.ALL)}
    for client in engine_page.CLIENTS:
        assert engine_page.runs(client).keys() == wanted


def test_what_is_elsewhere_is_told_of_or_lost(tmp_path):
    rows = [
        {"case": "fine", "bodies": {"A": [0.0, []], "B": [0.0, ["X26"]]}},
        {"case": "away", "bodies": {"A": [0.12, ["X26"]], "B": [0.0, ["X34"]]}},
        {"case": "gone", "bodies": {"A": [999.0, []]}},
    ]
    for client in engine_page.CLIENTS:
        path = tmp_path / f"{client}.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    text = engine_page.tables(tmp_path)
    assert "| fine | same | same |" in text
    assert "| away | 0.12 m X26 | 0.12 m X26 |" in text
    assert "| gone | lost | lost |" in text
    assert "| X26 | Godot does not read materials and filters |" in text
    assert "X34" not in text
