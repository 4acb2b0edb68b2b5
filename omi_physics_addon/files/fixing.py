"""Sets right what is wrong in a file, as far as there is one way to do it.

Everything is read, changed as records, and written in today's form of its families; all that is
no physics stays as it was. A fix is kept only where its issues go and no other comes.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from ..codec.convert.draft import Draft
from ..codec.dialects import WriteOptions
from ..codec.gltf import rewriting
from ..codec.gltf.containers import ContainerError
from ..codec.values.node_tree import Tree
from ..issue_codes import Severity
from ..issues import Issue, Issues
from ..model.document import PhysicsDocument
from . import checking
from .fixes import FIXES
from .fixes.fix import Patient
from .source import Source

_PLACE: Final = re.compile(r"/(?:extensions/\w+/)?(\w+)/(\d+)")
_KEYS: Final = {
    "shapes": "shapes",
    "physicsMaterials": "physics_materials",
    "collisionFilters": "collision_filters",
    "physicsJoints": "joint_settings",
    "thrusters": "thrusters",
    "hoverThrusters": "hover_thrusters",
    "wheels": "wheels",
    "meshes": "meshes",
    "nodes": "",
}
_ANEW: Final = "write it anew"
_ROUNDS: Final = 3  # One fix may uncover what another one mends.


@dataclass(frozen=True)
class Repair:
    """What was done about an issue."""

    issue: Issue
    words: str

    def __str__(self) -> str:
        return f"{self.issue.code} {self.issue.pointer}: {self.issue.message}: {self.words}"

    def to_json(self) -> dict[str, Any]:
        """The same for a program."""
        return {**self.issue.to_json(), "fix": self.words}


@dataclass(frozen=True)
class Fixed:
    """A file that was set right.

    Attributes:
        source: with the new text; the one that was given where nothing was to be done.
        repairs: in the order of the issues.
        left: what is still wrong.
    """

    source: Source
    repairs: list[Repair]
    left: Issues


def fix(source: Source, *, infos: bool = False, only: Iterable[str] = ()) -> Fixed:
    """Set a file right.

    Args:
        infos: set right what is merely worth knowing, too.
        only: codes that are set right; all unless given.
    """
    return _Fixing(source, infos, frozenset(only)).run()


class _Fixing:
    """Sets one file right."""

    def __init__(self, source: Source, infos: bool, only: frozenset[str]) -> None:
        self._given = source
        self._infos, self._only = infos, only
        self._given_issues = list(checking.check(source).issues)
        self._now, self._issues = source, self._given_issues
        self._repairs: list[Repair] = []

    def run(self) -> Fixed:
        """All of it."""
        if any(self._wanted(issue) for issue in self._issues):
            self._write_anew()
            for _ in range(_ROUNDS):
                codes = sorted({i.code for i in self._issues if self._wanted(i)} & FIXES.keys())
                done = [self._try(code) for code in codes]
                if not any(done):
                    break
            self._clean_up()
        order = list(Severity)
        self._repairs.sort(key=lambda repair: order.index(repair.issue.severity))
        left = Issues()
        left.found = self._issues
        return Fixed(self._now, self._repairs, left)

    def _wanted(self, issue: Issue) -> bool:
        if self._only:
            return issue.code in self._only
        return self._infos or issue.severity is not Severity.INFO

    def _write_anew(self) -> None:
        """Write what reading repairs; old dialects become today's by that."""
        self._take(None, "", _ANEW)

    def _clean_up(self) -> None:
        """Set right what was not there before and is left by other fixes."""
        was = Counter(issue.code for issue in self._given_issues)
        now = Counter(issue.code for issue in self._issues)
        for code in sorted(now.keys() & FIXES.keys()):
            if now[code] > was[code]:
                found = [issue for issue in self._issues if issue.code == code]
                self._take(found, code, FIXES[code].words)

    def _try(self, code: str) -> bool:
        """Apply the fix of a code everywhere, or at one place if that brings something new."""
        found = [i for i in self._issues if i.code == code and self._wanted(i)]
        words = FIXES[code].words
        return self._take(found, code, words) or (
            len(found) > 1 and self._take(found[:1], code, words)
        )

    def _take(self, found: list[Issue] | None, code: str, words: str) -> bool:
        """Write the file with some fixes, and keep it if it is better."""
        before = self._issues
        revise = None if found is None else self._reviser(found)
        try:
            json = rewriting.change(
                self._now.json, Issues(), WriteOptions(repair=True), revise=revise
            ).json
        except (ContainerError, _NothingToDoError):
            return False
        container = dataclasses.replace(self._given.container, json=json)
        new = Source(self._given.path, container, self._given.allow_outside)
        issues = list(checking.check(new).issues)
        worse = self._worse(before, issues, found)
        mended = found is None or _count(issues, code) < _count(before, code)
        if worse or not mended:
            return False
        self._now, self._issues = new, issues
        self._repairs += [Repair(issue, words) for issue in _gone(before, issues, code)]
        return True

    def _worse(self, before: list[Issue], after: list[Issue], found: list[Issue] | None) -> bool:
        """Whether there is a new error or warning, or a new info where but infos were mended."""
        order = list(Severity)
        only_infos = found and all(issue.severity is Severity.INFO for issue in found)
        mended = order.index(Severity.INFO if only_infos else Severity.WARNING)
        was = Counter(issue.code for issue in before)
        now = Counter(issue.code for issue in after)
        return any(
            now[issue.code] > was[issue.code] and order.index(issue.severity) <= mended
            for issue in after
        )

    def _reviser(
        self, found: list[Issue]
    ) -> Callable[[PhysicsDocument, Tree, int], PhysicsDocument]:
        def revise(document: PhysicsDocument, tree: Tree, meshes: int) -> PhysicsDocument:
            draft = Draft(document, tree, Issues(), meshes)
            patient = Patient(draft, self._now.triangles)
            done = [_apply(patient, issue) for issue in found]
            if not any(done):
                raise _NothingToDoError
            patient.drop()
            draft.drop_orphans()
            return draft.document

        return revise


class _NothingToDoError(Exception):
    """A fix found nothing to do."""


def _gone(before: list[Issue], after: list[Issue], code: str) -> list[Issue]:
    """The issues that went: first those of a code, then others that went with them."""
    left = Counter(issue.code for issue in after)
    was = Counter(issue.code for issue in before)
    places = {(issue.code, issue.pointer) for issue in after}
    found: list[Issue] = []
    for issue in sorted(before, key=lambda issue: issue.code != code):
        is_fewer = left[issue.code] < was[issue.code]
        if is_fewer and (not left[issue.code] or (issue.code, issue.pointer) not in places):
            found.append(issue)
    return found


def _count(issues: Iterable[Issue], code: str) -> int:
    return sum(issue.code == code for issue in issues)


def _apply(patient: Patient, issue: Issue) -> bool:
    """Apply the fix of an issue at its place; whether there was something to do."""
    chosen = FIXES[issue.code]
    if chosen.where == "document":
        return chosen.apply(patient, 0)
    place = _PLACE.match(issue.pointer)
    key = _KEYS.get(place[1]) if place is not None else None
    if place is None or key is None or key not in chosen.where.split("|"):
        return False
    at = int(place[2])
    if key and key != "meshes" and at >= len(getattr(patient.draft.document, key)):
        return False
    if "|" in chosen.where:
        return patient.drop_later(key, at)
    return chosen.apply(patient, at)
