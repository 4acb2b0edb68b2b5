"""The benchmark of editing measures what it says, and tells what is slow."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.bench import benchmark_editing as bench

PYTHON = Path(sys.executable)


def test_plain_objects_are_measured_with_and_without():
    without, beside = bench.plain(PYTHON, 20, 1)
    assert list(without) == list(beside)
    assert {"save", "open", "undo", "move all", "delete a tenth"} <= without.keys()
    assert bench.dearer(without, {**beside, "bytes of the file": 1e9}) != []
    lines = bench.plain_table(20, without, beside)
    assert lines[0] == "| 20 plain objects | Without | With | Ratio |"
    assert len(lines) == 2 + len(without)


@pytest.mark.parametrize("kind", ["work", "redraws"])
def test_all_that_grows_is_measured(kind: str):
    found = bench.run(PYTHON, kind, 6)
    assert all(seconds >= 0.0 for seconds in found.values())
    names = {"work": "fit shape: Box", "redraws": "overlay, moved"}
    assert names[kind] in found
    assert len(found) > 8
    if kind == "work":
        assert 0.0 < found["Blender's part of mirror"] < found["mirror"]


def test_a_process_that_fails_says_why():
    with pytest.raises(RuntimeError, match="nonsense of 1 failed"):
        bench.run(Path("/bin/false"), "nonsense", 1)


def test_what_costs_more_is_told():
    without = {"save": 1.0, "undo": 0.001, "bytes of the file": 1e6}
    assert bench.dearer(without, {"save": 1.04, "undo": 0.004, "bytes of the file": 1e6}) == []
    slow = {"save": 1.2, "undo": 0.001, "bytes of the file": 1.1e6}
    assert bench.dearer(without, slow) == [
        "save: 1.20 times as much as without the add-on",
        "bytes of the file: 1.10 times as much as without the add-on",
    ]


def test_what_grows_too_fast_is_told():
    found = {
        100: {"linear": 0.1, "square": 0.1, "short": 0.0001, "long": 6.0},
        1000: {"linear": 1.0, "square": 10.0, "short": 0.01, "long": 11.0},
    }
    assert bench.exponents(found)["short"] is None
    assert bench.steeper(found) == ["square grows with n^2.00", "long takes 11.0 s for 1000"]
    assert bench.growth_table(found)[:3] == [
        "| What | 100 | 1 000 | Blender's part of it | Grows with |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| linear | 0.100 s | 1.000 s |  | n^1.00 |",
    ]


def test_blenders_part_is_shown_beside_the_whole_which_is_judged():
    part = "Blender's part of mirror"
    found = {100: {"mirror": 0.2, part: 0.02}, 1000: {"mirror": 6.0, part: 5.0}}
    assert bench.steeper(found) == ["mirror grows with n^1.48"]
    assert bench.growth_table(found)[2:] == ["| mirror | 0.200 s | 6.000 s | 5.000 s | n^1.48 |"]


def test_tables_go_between_the_marks_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    page = tmp_path / "costs.md"
    page.write_text("before\n" + "\nold\n".join(bench.MARKS) + "\nafter\n", encoding="utf-8")
    monkeypatch.setattr(bench, "PAGE", page)
    bench.write(["new"])
    first, last = bench.MARKS
    assert page.read_text(encoding="utf-8") == f"before\n{first}\n\nnew\n\n{last}\nafter\n"


def test_the_page_has_both_tables():
    text = bench.PAGE.read_text(encoding="utf-8")
    assert all(mark in text for mark in bench.MARKS)
    assert "plain objects | Without | With | Ratio |" in text
    assert "| What | 1 000 | 5 000 | Blender's part of it | Grows with |" in text
