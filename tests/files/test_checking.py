"""One small file for each of many rules reports its rule, and files without a fault report none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given as given_by

from omi_physics_addon.codec.gltf.containers import Container
from omi_physics_addon.files import (
    checking,
    differences,
    drawing,
    fixing,
    inspecting,
    pages,
    source,
)
from omi_physics_addon.issue_codes import CATALOGUE, Severity
from tests.codec.test_fuzz import fuzzed
from tests.codec.test_random_documents import faulty_files
from tests.support.documents import DATA

RULES = sorted((DATA / "specified" / "rules").glob("*.gltf"))
GOOD = sorted((DATA / "specified" / "good").glob("*.gltf"))


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_the_rule_is_reported(path):
    found = {issue.code: issue for issue in checking.check(source.read(path)).issues}
    assert found[path.stem].severity is CATALOGUE[path.stem].severity or path.stem in SOFTER


# Severities that depend on the file: today's keys beside those of 2025.
SOFTER = {"W11"}


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_nothing_is_wrong_with_what_is_right(path):
    issues = checking.check(source.read(path)).issues
    assert [str(issue) for issue in issues if issue.severity is not Severity.INFO] == []


def test_there_are_as_many_as_there_were():
    assert (len(RULES), len(GOOD)) == (86, 7)


DIALECTS = sorted((DATA / "dialects").glob("*.gltf"))


@pytest.mark.parametrize("path", DIALECTS, ids=lambda path: path.stem)
def test_older_forms_are_checked_told_mended_and_compared(path):
    """Some of them need nodes that the file does not have."""
    given = source.read(path)
    told, checked = inspecting.inspect(given)
    assert pages.inspection_page(told, drawing.draw(checked, given))
    fixed = fixing.fix(given, infos=True)
    assert "G09" not in fixed.left.codes()
    assert differences.compare(given, given, 0.0).changes == ()


@fuzzed(15)
@given_by(faulty_files())
def test_no_file_brings_a_check_down(json):
    given = source.Source(Path("/nowhere/file.gltf"), Container(json={"asset": {}, **json}))
    told, checked = inspecting.inspect(given)
    pages.inspection_page(told, drawing.draw(checked, given))
    fixing.fix(given, infos=True)
    differences.compare(given, given, 0.0)


HUGE = {
    "box": {"size": [1e308, 1e308, 1e308]},
    "sphere": {"radius": 1e308},
    "capsule": {"height": 2.59, "radiusBottom": 429.18, "radiusTop": 1e308},
    "long capsule": {"height": 1e308, "radiusBottom": 1, "radiusTop": 1e307},
    "cylinder": {"height": 1e308, "radiusBottom": 1e308, "radiusTop": 1e308},
}


@pytest.mark.parametrize("place", [[], [1.0, 2.0, 3.0]], ids=["alone", "beside another"])
@pytest.mark.parametrize("name", HUGE)
def test_a_shape_beyond_all_numbers_is_checked_and_left_out_of_the_drawing(name, place):
    """Found by damaging files: a capsule and a ball ended the check with an exception."""
    kind = name.rpartition(" ")[2]
    part = {"collider": {"geometry": {"shape": 0}}}
    nodes = [{"extensions": {"KHR_physics_rigid_bodies": {"motion": {}, **part}}}]
    if place:
        nodes[0]["children"] = [1]
        nodes.append({"translation": place, "extensions": {"KHR_physics_rigid_bodies": part}})
    json = {
        "asset": {"version": "2.0"},
        "nodes": nodes,
        "extensions": {"KHR_implicit_shapes": {"shapes": [{"type": kind, kind: HUGE[name]}]}},
    }
    given = source.Source(Path("/nowhere/file.gltf"), Container(json=json))
    assert drawing.draw(checking.check(given), given).lines == {}
