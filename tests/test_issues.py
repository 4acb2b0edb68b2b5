"""The catalogue of codes, and a test file for each code that the codec raises."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import omi_physics_addon
from omi_physics_addon.issue_codes import CATALOGUE, Code, Severity
from omi_physics_addon.issues import Issue, Issues
from tests.codec.rules.test_all_rules import BROKEN
from tests.simulation.test_start_check import STARTING_BADLY
from tests.support.documents import DATA, found, leads_somewhere, load, read, write

FAULTS = sorted((DATA / "faults").glob("*.gltf"))
PACKAGE = Path(omi_physics_addon.__file__).parent

# Codes that only the Blender side raises; tests/blender provokes them.
BLENDER_ONLY = {
    "J37", "X03", "X04", "X05", "X06", "X07", "X09", "X11", "X12",
    "S36", "X15", "X16", "X57", "X60", "X61", "X62", "X63", "X65", "X66",
}  # fmt: skip
# Codes that nothing raises yet: checks of whole documents that are still to come.
RAISED_BY_NOTHING: set[str] = set()
# Raised by the codec for KHR and by the way from one family to the other; no file of OMI's can
# provoke them.
RULES = BROKEN.keys()  # Of whole documents; test_rules.py has a file for each.
KHR = {
    "B07", "B10k", "C02", "C15", "G08", "L01", "L02", "L03", "L04", "L05", "L06", "L07",
    "L08", "L09", "L10", "L11", "L12", "L13", "L14", "L15", "L16", "L17", "L18", "L19", "L20",
    "L21", "L22", "L23", "L24", "L25", "L26", "S26", "S28", "S29", "S30", "S32",
}  # fmt: skip
# What Godot does otherwise, which depends on the tree; test_godot.py has a file for each.
GODOT = {code for code in CATALOGUE if re.fullmatch(r"X[23]\d", code)} - {"X37"}
# What Babylon.js does otherwise, and files for an engine that were changed; tests/codec/targets has
# a file for each.
ENGINES = {code for code in CATALOGUE if re.fullmatch(r"X[45]\d", code)}
ENGINES |= {"X37", "X64", "X67", "X68", "X69"}
ENGINES -= BLENDER_ONLY
# How bodies begin, which needs their shapes; tests/simulation/test_start_check.py has files.
STARTS = set(STARTING_BADLY)
NOT_IN_A_FILE = BLENDER_ONLY | RAISED_BY_NOTHING

# What writing reports depends on how it writes.
WRITING_OPTIONS = {"X02": {"target": "GODOT_4"}}


def code_of(path: Path) -> str:
    return path.stem.partition("_")[0]


def literals(path: Path) -> set[str]:
    """The words that stand in a module."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return {value for value in constants if isinstance(value, str)}


def codes_in(path: Path) -> set[str]:
    """The codes that a module names."""
    return {
        Code[node.attr].value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "Code"
    }


def raised_in(*folders: str) -> set[str]:
    """The codes that the modules below these folders name."""
    paths = [path for folder in folders for path in (PACKAGE / folder).rglob("*.py")]
    return set().union(*map(codes_in, paths))


def test_every_code_has_one_name():
    assert len(Code.__members__) == len(set(Code)) == len(CATALOGUE)
    assert all(CATALOGUE[code.value] is code for code in Code)


def test_modules_use_names_of_codes():
    paths = set(PACKAGE.rglob("*.py")) - {PACKAGE / "issue_codes.py"}
    bare = {path: literals(path) & CATALOGUE.keys() for path in paths}
    assert {path: found for path, found in bare.items() if found} == {}


def test_every_code_has_a_file_or_a_reason():
    # A fault of KHR may have a file too.
    found = {code_of(path) for path in FAULTS}
    assert found | KHR | GODOT | ENGINES | RULES | STARTS == CATALOGUE.keys() - NOT_IN_A_FILE


def test_reasons_are_true():
    pure = raised_in("codec", "model")
    assert not pure & NOT_IN_A_FILE
    assert pure >= KHR | GODOT | ENGINES
    assert raised_in("blender") >= BLENDER_ONLY
    assert raised_in("simulation") == STARTS
    elsewhere = raised_in("blender", "geometry", "simulation")
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
