"""The table of parts that are switched off tells what their tests need them for."""

import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tools.bench import stand_ins, switched_off, switching

needs_bpy = pytest.mark.skipif(find_spec("bpy") is None, reason="needs bpy")
BOUNDS = "blender.preview.bodies.bounds"
FAR = "tests/blender/preview/bodies/test_bounds.py::test_what_is_too_far_away_is_named"


def test_every_row_has_a_test_that_runs():
    rows = switched_off.rows_of(switched_off.ROWS.read_text(encoding="utf-8"))
    text = "".join(Path(switched_off.ROOT, path).read_text() for path in switched_off.files())
    assert len(rows) > 60
    assert not [test for test in rows if f"def {test}(" not in text]


@pytest.mark.parametrize("part", stand_ins.PARTS, ids=lambda part: part.name)
def test_what_is_switched_off_is_there(part):
    pytest.importorskip("bpy")
    for off in part.offs:
        module, _, path = off.place.partition(":")
        found = stand_ins.module_of(module)
        for name in path.split("."):
            found = getattr(found, name)
        assert callable(found)


def test_every_module_for_bullet_can_be_switched_off_or_says_why_not():
    folder = Path(switched_off.ROOT, "omi_physics_addon", "simulation", "bullet")
    modules = {path.stem for path in folder.glob("*.py") if path.stem != "__init__"}
    parts = [*(part.name for part in stand_ins.PARTS), *switched_off.STRUCTURAL]
    assert modules == {
        part.partition(":")[0].rpartition(".")[2] for part in parts if "bullet" in part
    }


@needs_bpy
def test_tests_fail_without_what_they_need_and_pass_with_all():
    whole = switched_off.run(Path(sys.executable), [FAR], "", most=3600.0)
    assert [*whole.seconds] == [FAR]
    assert not whole.failed
    assert [*whole.used] == [part.name for part in stand_ins.PARTS]
    assert whole.used[BOUNDS] == [FAR]
    assert not whole.used["simulation.bullet.bounces"]
    without = switched_off.run(Path(sys.executable), [FAR], BOUNDS, most=3600.0)
    assert without.failed == {FAR}


def test_results_are_compared_by_what_is_in_them():
    one, other = np.arange(3.0), np.arange(3.0)
    assert switching.same([one, (1, one)], [other, (1, other)])
    assert not switching.same([one], [other + 1.0])
    assert not switching.same([one], [])
    assert switching.same({}, {})
    assert not switching.same(None, [])
    off = stand_ins.Off("axes:Axes", lambda: None)
    assert switching.same(off, stand_ins.Off("axes:Axes", off.instead))


def test_the_table_counts_what_it_does_not_name():
    need = switched_off.Need(BOUNDS, 3, 4, ["a", "b", "c", "d", "e"], ["test_other"])
    heading, _, line, *others = switched_off.table([need])
    assert line.startswith("| `bodies/bounds` | ")
    assert line.endswith(" | 5: a; b; c; d; 1 more | 1 | 3 of 4 |")
    assert line.count("|") == heading.count("|")
    assert len(others) == len(switched_off.STRUCTURAL)


def test_a_quick_test_of_each_function_comes_first():
    seconds = {"f::test_a": 3.0, "f::test_b[1]": 2.0, "f::test_b[2]": 1.0, "f::test_c": 0.1}
    rows = {"test_a": "A", "test_b": "B"}
    expected = ["f::test_b[2]", "f::test_a", "f::test_c", "f::test_b[1]"]
    assert switched_off.in_order(seconds, rows, seconds) == expected
