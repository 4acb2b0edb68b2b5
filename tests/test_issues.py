"""The catalogue of codes, and a test file for each code that the codec raises."""

from __future__ import annotations

import ast
import functools
import inspect
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import omi_physics_addon
from omi_physics_addon.engines import TARGETS
from omi_physics_addon.issue_codes import CATALOGUE, Code, IssueCode, Severity
from omi_physics_addon.issues import Issue, Issues, lines_of
from tests.codec.rules.test_all_rules import BROKEN
from tests.simulation.start.test_start_check import STARTING_BADLY
from tests.support.documents import DATA, found, leads_somewhere, load, read, write

FAULTS = sorted((DATA / "faults").glob("*.gltf"))
PACKAGE = Path(omi_physics_addon.__file__).parent

# Codes that only the Blender side raises; tests/blender provokes them.
BLENDER_ONLY = {
    "J37", "X04", "X05", "X06", "X07", "X09", "X11", "X12",
    "S36", "S38", "T10", "X15", "X16", "X18", "X60", "X61", "X62", "X63", "X65", "X66",
}  # fmt: skip
# Codes that nothing raises yet: checks of whole documents that are still to come.
RAISED_BY_NOTHING: set[str] = set()
# Raised by the codec for KHR and by the way from one family to the other; no file of OMI's can
# provoke them.
RULES = BROKEN.keys()  # Of whole documents; test_rules.py has a file for each.
KHR = {
    "B07", "B10k", "C02", "C15", "G08", "L01", "L02", "L03", "L04", "L05", "L06", "L07",
    "L08", "L09", "L10", "L11", "L12", "L13", "L14", "L15", "L16", "L17", "L18", "L19", "L20",
    "L21", "L22", "L23", "L24", "L25", "L26", "L27", "X17", "S26", "S28", "S29", "S30", "S32",
}  # fmt: skip
# What engines do otherwise, and files for an engine that others read or changed.
ENGINES = {code for code, row in CATALOGUE.items() if row.is_of_engine} | {"X37", "X52"}
# What files of robots say; tests/formats has a file for each.
FORMATS = {"X80", "X81", "X82", "X83", "X84"}
# How bodies begin, which needs their shapes; tests/simulation/start/test_start_check.py has files.
STARTS = set(STARTING_BADLY)
QUOTED = re.compile(r"\b[A-Z]\d\d\b")
NOT_IN_A_FILE = BLENDER_ONLY | RAISED_BY_NOTHING

# What writing reports depends on how it writes.
WRITING_OPTIONS = {"X02": {"target": "GODOT_4"}}


def code_of(path: Path) -> str:
    return path.stem.partition("_")[0]


CATALOGUES = {
    each.__name__: each for each in (Code, *filter(None, (t.codes for t in TARGETS.values())))
}


@functools.cache
def named_in(path: Path) -> tuple[set[str], set[str]]:
    """The words that stand in a module, and the codes that it names."""
    words: set[str] = set()
    codes: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Constant(value=str(word)):
                words.add(word)
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in CATALOGUES:
                codes.add(CATALOGUES[owner][name].value)
            case _:
                pass
    return words, codes


def raised_in(*folders: str) -> set[str]:
    """The codes that the modules below these folders name."""
    paths = [path for folder in folders for path in (PACKAGE / folder).rglob("*.py")]
    return set().union(*(named_in(path)[1] for path in paths))


def test_every_code_has_one_name():
    codes = [code for each in CATALOGUES.values() for code in each]
    assert len(codes) == len(set(codes)) == len(CATALOGUE)
    assert all(CATALOGUE[code.value] is code for code in codes)


def test_a_code_of_two_rows_is_refused():
    with pytest.raises(ValueError, match="the code X20 has two rows"):
        IssueCode("Again", {"JOINT": ("X20", Severity.INFO, "A joint")})


def test_modules_use_names_of_codes():
    rows = {Path(inspect.getfile(each)) for each in CATALOGUES.values()}
    paths = set(PACKAGE.rglob("*.py")) - rows
    assert len(rows) < 9 < len(paths)
    bare = {path: named_in(path)[0] & CATALOGUE.keys() for path in paths}
    assert {path: found for path, found in bare.items() if found} == {}


def test_every_code_has_a_file_or_a_reason():
    # A fault of KHR may have a file too.
    found = {code_of(path) for path in FAULTS}
    assert found | KHR | ENGINES | RULES | STARTS | FORMATS == CATALOGUE.keys() - NOT_IN_A_FILE


def test_every_code_of_an_engine_is_tried():
    paths = set(Path(__file__).parent.rglob("*.py")) - {Path(__file__)}
    tried = {word for path in paths for word in QUOTED.findall(path.read_text(encoding="utf-8"))}
    assert tried >= ENGINES


def test_reasons_are_true():
    pure = raised_in("codec", "engines", "model")
    assert not pure & NOT_IN_A_FILE
    assert pure >= KHR | ENGINES
    assert raised_in("blender") >= BLENDER_ONLY
    assert raised_in("simulation") == STARTS
    assert raised_in("formats") >= FORMATS
    elsewhere = raised_in("blender", "formats", "geometry", "simulation")
    assert CATALOGUE.keys() - pure - elsewhere == RAISED_BY_NOTHING


@pytest.mark.parametrize("path", FAULTS, ids=lambda path: path.stem)
class TestFaults:
    def test_file_has_exactly_the_issues_beside_it(self, path):
        expected = json.loads(path.with_suffix(".issues.json").read_text(encoding="utf-8"))
        code = code_of(path)
        document, issues = read(load(path))
        if code.startswith("X"):
            _, issues = write(document, **WRITING_OPTIONS.get(code, {}))
        assert [{"code": c, "pointer": p} for c, p in found(issues)] == expected
        assert code in issues.codes()

    def test_pointers_lead_into_the_file(self, path):
        file = load(path)
        _, issues = read(file)
        assert [i for i in issues if not leads_somewhere(i.pointer, file)] == []

    def test_message_says_what_is_wrong(self, path):
        document, issues = read(load(path))
        _, more = write(document)
        assert not [i for i in (*issues, *more) if len(i.message) < 5 or i.message[-1] in ".\n"]


def test_every_issues_file_belongs_to_a_gltf():
    names = {path.name.removesuffix(".issues.json") for path in (DATA / "faults").glob("*.json")}
    assert names == {path.stem for path in FAULTS}


@pytest.mark.parametrize("code", CATALOGUE)
def test_catalogue(code):
    assert re.fullmatch(r"[A-Z]\d\d[a-z]?", code)
    text = CATALOGUE[code].text
    assert text[0].isupper()
    assert not text.endswith(".")


class TestIssues:
    def test_severity_is_the_catalogues_unless_given(self):
        issues = Issues()
        issues.add("B05", "/a", "b")
        issues.add("B05", "/a", "b", Severity.INFO)
        assert [issue.severity for issue in issues] == [Severity.ERROR, Severity.INFO]

    def test_unknown_code_is_an_error(self):
        with pytest.raises(ValueError, match="unknown issue code 'Z99'"):
            Issues().add("Z99", "", "")

    def test_counts(self):
        issues = Issues()
        for code in ("B05", "B05", "G06", "G09"):
            issues.add(code, "/a", "b")
        assert len(issues) == 4
        assert issues.codes() == {"B05": 2, "G06": 1, "G09": 1}
        assert [issues.count(s) for s in Severity] == [2, 1, 1]

    def test_text(self):
        issue = Issue("B05", "/nodes/0", "-1 is not at least 0", Severity.ERROR)
        assert str(issue) == "ERROR B05 /nodes/0: -1 is not at least 0"
        assert str(replace(issue, code="B09")).endswith("at least 0 (derived)")

    def test_text_can_always_be_shown_and_saved(self):
        issues = Issues()
        issues.add("G07", "/\ud800/ü", "about '\udfff'")
        assert str(next(iter(issues))).encode("utf-8") == (
            "INFO G07 /\\ud800/ü: about '\\udfff' (derived)".encode()
        )


class TestLines:
    """How findings are told: what is alike is one line, and what to do first comes first."""

    @staticmethod
    def told(*rows, **actions):
        issues = Issues()
        for code, pointer, message in rows:
            issues.add(code, pointer, message)
        return [line.strip() for line in lines_of(issues, actions)]

    def test_one_finding_is_as_it_is(self):
        assert self.told(("B19", "A", "it is scaled")) == ["WARNING B19 A: it is scaled"]

    def test_what_is_alike_has_a_count_and_the_first_names(self):
        two, five = ([("X51", f"Box {k}", "convert it") for k in range(n)] for n in (2, 5))
        assert self.told(*two) == ["WARNING X51 Box 0 and Box 1: convert it"]
        assert self.told(*five) == ["WARNING X51 Box 0, Box 1, Box 2 and 2 more: convert it"]

    def test_sentences_that_differ_are_told_by_the_first(self):
        (line,) = self.told(("B16", "A", "0.2 m away"), ("B16", "B", "0.3 m away"))
        assert line == f"INFO B16 A and B: {CATALOGUE['B16'].text}; the first: 0.2 m away"

    def test_no_sentence_of_an_error_is_lost(self):
        rows = [("B05", "A", "-1"), ("B05", "B", "-2"), ("B05", "C", "-1")]
        assert self.told(*rows) == ["ERROR B05 A and C: -1", "ERROR B05 B: -2"]

    def test_a_fact_about_an_engine_is_told_once(self):
        rows = [
            ("X26", "A", "its material"),
            ("X26", "A", "its filter"),
            ("X26", "B", "its filter"),
        ]
        assert self.told(*rows) == [f"WARNING X26 {CATALOGUE['X26'].text} (A and B)"]

    def test_what_to_do_first_comes_first(self):
        rows = [(code, "A", "why") for code in ("B16", "X26", "T09", "B19", "X57", "B05")]
        codes = [line.split()[1] for line in self.told(*rows, B19="Bake")]
        assert codes == ["B05", "B19", "X57", "T09", "X26", "B16"]

    def test_a_remark_is_not_to_be_fixed(self):
        rows = [("B19", "A", "why"), ("B16", "A", "why")]
        assert self.told(*rows, B19="Bake", B16="Move") == [
            "WARNING B19 A: why; to fix it: Bake",
            "INFO B16 A: why",
        ]

    def test_few_lines_are_enough_and_errors_are_told_first(self):
        infos = (code for code, row in CATALOGUE.items() if row.severity is Severity.INFO)
        kinds = sorted(code for code in infos if not CATALOGUE[code].names_action)[:20]
        lines = self.told(*((code, "A", "why") for code in kinds))
        assert len(lines) == 11
        assert lines[-1] == f"… and 10 more of {', '.join(kinds[10:])}"
        errors = self.told(*((("B05", f"{k}", f"-{k}")) for k in range(30)))
        assert len(errors) == 20
        assert errors[-1] == "… and 11 more of B05"

    def test_a_name_cannot_make_a_line_of_its_own(self):
        assert self.told(("B05", "A\nERROR", "why")) == [r"ERROR B05 A\nERROR: why"]
