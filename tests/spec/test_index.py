"""What the index of the files of others says that checks find in each."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from omi_physics_addon.files import checking, source
from tests.spec.corpus import CORPUS, needs_corpus
from tests.support.documents import load


def _rows() -> list[Any]:
    index = None if CORPUS is None else CORPUS / "INDEX.tsv"
    if index is None or not index.is_file():
        return []
    with index.open(encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [
            pytest.param(CORPUS / row["path"], set(row["lint_rules_hit"].split()), id=row["path"])
            for row in rows
        ]


def _explained(path: Path) -> set[str]:
    """What the index has of a file and we do not tell, for a reason."""
    physics = load(path).get("extensions", {}).get("KHR_physics_rigid_bodies", {})
    drives = [
        drive for joint in physics.get("physicsJoints", []) for drive in joint.get("drives", [])
    ]
    weak = [each for each in drives if "positionTarget" in each and not each.get("stiffness")]
    return {
        # The index counts the vertices of what is seen; we count the corners of the hull of these.
        "S14",
        # An empty trigger is a form of 2023, which we read and call by that name, G09.
        "T01",
        # A target of 0 without a spring is how writers say that there is none: both or neither.
        *(["J25"] if not any(each["positionTarget"] for each in weak) else []),
    }


@needs_corpus
def test_there_is_an_index():
    assert len(_rows()) > 150


@pytest.mark.parametrize(("path", "known"), _rows())
def test_what_the_index_knows_of_a_file_is_told(path, known):
    found = set(checking.check(source.read(path), "SPECIFICATION").issues.codes())
    assert known - found <= _explained(path)
    if "T01" in known - found:
        assert "G09" in found
