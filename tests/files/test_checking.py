"""One small file for each of many rules reports its rule, and files without a fault report none."""

from __future__ import annotations

import pytest

from omi_physics_addon.files import checking, source
from omi_physics_addon.issue_codes import CATALOGUE, Severity
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
