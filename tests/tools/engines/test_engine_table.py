"""The table of the manual about engines of others."""

from pathlib import Path

import pytest

from tools.engines import engine_clients, engine_reasons, engine_table
from tools.engines.engine_paths import Verdict
from tools.engines.engine_table import Result
from tools.marked_pages import PageError

PAGE = f"# Title\n\nText.\n\n{engine_table.BEGIN}\nold\n{engine_table.END}\n\n## More\n"
REASONS = {"ice": "Its ice is warm.", "sand": "It has no sand."}


def verdict(body, kind="rest", off=0.0, *, same=True):
    return Verdict(body, kind, 10.0, off, 0.1, None, None, same=same)


SAME = Result("a.gltf", "godot", "as it is", (), "", (verdict("A", off=0.01), verdict("B")))
BOTH = SAME._replace(form="as exported", verdicts=(verdict("A", off=0.02), verdict("B")))
OTHER = Result(
    "b.gltf",
    "babylon",
    "as exported",
    verdicts=(verdict("A", off=0.5, same=False), verdict("B", "path", 0.3, same=False)),
)


def lines(results, why=None):
    """What is there from the head of the table on."""
    found = engine_table.table(results, why or {}, REASONS).splitlines()
    return found[found.index(engine_table.HEAD[0]) :]


def test_two_forms_that_agree_share_a_row():
    assert lines([SAME, BOTH])[2:] == [
        "| a.gltf | Godot, Jolt | both | 2 | 2 | 0.020 m | 0 | - | same |  |"
    ]


def test_bodies_are_counted():
    found = engine_table.table([SAME, BOTH, OTHER], {}, REASONS).splitlines()
    told = "Of 3 bodies that come to rest, 2 do so in the same place; of all 4, 2 do the same."
    assert found[0] == told


def test_forms_that_do_not_agree_have_their_own_rows():
    worse = BOTH._replace(verdicts=(verdict("A", same=False), verdict("B")))
    assert [row.read for row in engine_table.rows([SAME, worse])] == ["as it is", "as exported"]


def test_what_differs_says_why():
    found = lines([SAME, OTHER], {("b.gltf", "babylon"): ("sand",), ("a.gltf", "godot"): ("ice",)})
    begin = "| b.gltf | Babylon.js, Havok | as exported | 2 | 1 | 0.500 m | 1 | 0.300 m | "
    assert found[3] == begin + "2 of 2 differ | sand |"
    assert found[5:] == ["- **sand**: It has no sand."]


def test_what_nobody_explained_is_told():
    assert lines([OTHER])[2].endswith("| 2 of 2 differ | not explained |")


def test_a_reason_for_what_is_the_same_is_stale():
    why = {
        ("a.gltf", "godot"): ("ice",),
        ("b.gltf", "babylon"): ("sand",),
        ("c", "godot"): ("ice",),
    }
    assert engine_table.stale([SAME, OTHER], why) == ["a.gltf in godot"]


def test_files_without_a_row_are_named():
    still = Result("still.gltf", "godot", "as it is")
    failed = Result("bad.gltf", "godot", "as it is", problem="x.bin is missing")
    found = lines([still, failed, failed._replace(engine="babylon")])
    assert found[2:] == [
        "",
        "Nothing moves in: still.gltf.",
        "",
        "- x.bin is missing: bad.gltf",
    ]


def test_a_page_gets_its_table_and_keeps_the_rest():
    content = engine_table.table([SAME, OTHER], {}, REASONS)
    page = engine_table.put(PAGE, content)
    assert page.startswith("# Title\n\nText.\n\n")
    assert page.endswith("\n\n## More\n")
    assert "old" not in page
    assert engine_table.put(page, content) == page
    assert engine_table.kept(page) == {
        ("a.gltf", "Godot, Jolt", "as it is"): lines([SAME])[2],
        ("b.gltf", "Babylon.js, Havok", "as exported"): lines([OTHER])[2],
    }


@pytest.mark.parametrize("page", ["nothing", engine_table.BEGIN, PAGE + PAGE])
def test_a_page_without_its_marks_is_refused(page):
    with pytest.raises(PageError, match="has not one line"):
        engine_table.put(page, "")


def test_every_reason_is_written_and_used():
    used = {key for keys in engine_reasons.WHY.values() for key in keys}
    assert used == set(engine_reasons.REASONS)


def test_what_differs_in_the_manual_has_the_reasons_that_are_known():
    page = Path(engine_table.__file__).parents[2] / "docs" / "preview.md"
    text = page.read_text(encoding="utf-8")
    engines = {title: engine for engine, title in engine_clients.TITLES.items()}
    kept = engine_table.kept(text)
    assert len(kept) > 80
    for (file, title, _), line in kept.items():
        *_, verdict, why = (cell.strip() for cell in line.strip("|").split("|"))
        known = engine_reasons.WHY.get((file, engines[title]), (engine_table.UNKNOWN,))
        assert why == ("" if verdict == "same" else ", ".join(known))
    for key, reason in engine_reasons.REASONS.items():
        assert f"- **{key}**: {reason}" in text
