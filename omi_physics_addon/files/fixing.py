"""Sets right what is wrong in a file, as far as there is one way to do it.

Everything is read, changed as records, and written in today's form of its families; all that is
no physics stays as it was. A fix is kept only where its issues go and no other comes. As each try
reads the whole file, the fixes of a code are tried together; where some of them are to blame for a
failure, these are told apart in few tries.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ..codec.convert.draft import Draft
from ..codec.dialects import WriteOptions
from ..codec.gltf import rewriting
from ..codec.gltf.containers import ContainerError
from ..codec.values.node_tree import Tree
from ..engines import TARGETS
from ..issue_codes import Severity
from ..issues import Issue, Issues
from ..model.document import PhysicsDocument
from ..model.targets import SPECIFICATION
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
_Place: TypeAlias = tuple[str, int]


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
        # What an engine makes otherwise is mended where it is asked for by name.
        rows = (row for row in TARGETS.values() if self._only.intersection(row.codes or ()))
        self._target = next((row.id for row in rows), SPECIFICATION)
        self._given_issues = list(checking.check(source, self._target).issues)
        self._now, self._issues = source, self._given_issues
        self._repairs: list[Repair] = []

    def run(self) -> Fixed:
        """All of it."""
        if any(self._wanted(issue) for issue in self._issues):
            self._write_anew()
            while self._mend() or self._clean_up():
                pass  # One fix may uncover what another one mends.
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
        written = self._attempt(None)
        if written is not None and not self._worse(self._issues, written.issues, None):
            self._keep(written, "", _ANEW)

    def _mend(self) -> bool:
        """Set right what is wanted, code by code; whether anything was."""
        codes = sorted({i.code for i in self._issues if self._wanted(i)} & FIXES.keys())
        done = [
            self._search([i for i in self._issues if i.code == code and self._wanted(i)])
            for code in codes
        ]
        return any(done)

    def _clean_up(self) -> bool:
        """Set right what was not there before and is left by other fixes; whether anything was."""
        was = Counter(issue.code for issue in self._given_issues)
        now = Counter(issue.code for issue in self._issues)
        codes = sorted(code for code in now.keys() & FIXES.keys() if now[code] > was[code])
        done = [self._search([i for i in self._issues if i.code == code]) for code in codes]
        return any(done)

    def _search(self, found: list[Issue]) -> bool:
        """Apply the fix of a code at as many places as do no harm; whether there are any."""
        found = self._still(found)
        tried = self._attempt(found) if found else None
        if tried is None:
            return False
        if self._is_better(tried):
            self._keep(tried, found[0].code, FIXES[found[0].code].words)
            return True
        found = tried.applied
        if len(found) == 1:
            return False
        blamed, innocent = self._blamed(tried)
        if not blamed:
            half = len(found) // 2
            return self._search_each([found[:half], found[half:]])
        return self._search_each([innocent]) | self._tell_apart(blamed)

    def _search_each(self, parts: list[list[Issue]]) -> bool:
        done = [self._search(part) for part in parts]
        return any(done)

    def _tell_apart(self, blamed: list[Issue]) -> bool:
        """Search among fixes whose places failed, without trying each by itself.

        Of any two there is a try with the one and without the other, so that what fails in all of
        its tries fails by itself.
        """
        done = False
        for bit in range((len(blamed) - 1).bit_length()):
            for side in (0, 1):
                part = self._still([i for k, i in enumerate(blamed) if k >> bit & 1 == side])
                tried = self._attempt(part) if part else None
                if tried is not None:
                    good = part if self._is_better(tried) else self._blamed(tried)[1]
                    done |= self._search(good)
        return done

    def _still(self, found: list[Issue]) -> list[Issue]:
        """Those of some issues that are still there."""
        there = {(issue.code, issue.pointer) for issue in self._issues}
        return [issue for issue in found if (issue.code, issue.pointer) in there]

    def _attempt(self, found: list[Issue] | None) -> _Attempt | None:
        """Write the file with some fixes, and check it; None where there is nothing to do."""
        applied: dict[Issue, None] = {}
        revise = None if found is None else self._reviser(found, applied)
        try:
            json = rewriting.change(
                self._now.json, Issues(), WriteOptions(repair=True), revise=revise
            ).json
        except ContainerError:
            return None
        if found is not None and not applied:
            return None
        container = dataclasses.replace(self._given.container, json=json)
        new = Source(self._given.path, container, self._given.allow_outside)
        checked = checking.check(new, self._target)
        return _Attempt(new, checked.tree, list(checked.issues), list(applied))

    def _is_better(self, tried: _Attempt) -> bool:
        """Whether there are fewer issues of the code that was to be mended, and no worse ones."""
        code = tried.applied[0].code
        mended = _count(tried.issues, code) < _count(self._issues, code)
        return mended and not self._worse(self._issues, tried.issues, tried.applied)

    def _blamed(self, tried: _Attempt) -> tuple[list[Issue], list[Issue]]:
        """The fixes at or above whose places something is new or as wrong as before; the others."""
        new = Counter((issue.code, issue.pointer) for issue in tried.issues)
        new.subtract((issue.code, issue.pointer) for issue in self._issues)
        wrong = {issue.pointer for issue in tried.issues if new[issue.code, issue.pointer] > 0}
        left = {(issue.code, issue.pointer) for issue in tried.issues}
        wrong |= {i.pointer for i in tried.applied if (i.code, i.pointer) in left}
        places = {_place(issue.pointer) for issue in tried.applied}
        guilty = {
            next((at for at in _upward(_place(pointer), tried.tree) if at in places), None)
            for pointer in wrong
        }
        blamed = [issue for issue in tried.applied if _place(issue.pointer) in guilty]
        return blamed, [issue for issue in tried.applied if _place(issue.pointer) not in guilty]

    def _keep(self, tried: _Attempt, code: str, words: str) -> None:
        gone = _gone(self._issues, tried.issues, code)
        self._now, self._issues = tried.source, tried.issues
        self._repairs += [Repair(issue, words) for issue in gone]

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
        self, found: list[Issue], applied: dict[Issue, None]
    ) -> Callable[[PhysicsDocument, Tree, int], PhysicsDocument]:
        def revise(document: PhysicsDocument, tree: Tree, meshes: int) -> PhysicsDocument:
            draft = Draft(document, tree, Issues(), meshes)
            patient = Patient(draft, self._now.triangles)
            done = [issue for issue in found if _apply(patient, issue)]
            if not done:
                return document
            applied.update(dict.fromkeys(done))
            patient.drop()
            draft.drop_orphans()
            return draft.document

        return revise


@dataclass(frozen=True)
class _Attempt:
    """A file with some fixes, its nodes, its issues, and the issues that the fixes are for."""

    source: Source
    tree: Tree
    issues: list[Issue]
    applied: list[Issue]


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


def _place(pointer: str) -> _Place | None:
    """The list and the index at which a pointer begins; the same for both families."""
    found = _PLACE.match(pointer)
    return None if found is None else (found[1], int(found[2]))


def _upward(place: _Place | None, tree: Tree) -> Iterator[_Place | None]:
    """A place and, above a node, its ancestors."""
    yield place
    if place is not None and place[0] == "nodes":
        yield from (("nodes", node) for node in tree.upward(place[1]))


def _count(issues: Iterable[Issue], code: str) -> int:
    return sum(issue.code == code for issue in issues)


def _apply(patient: Patient, issue: Issue) -> bool:
    """Apply the fix of an issue at its place; whether there was something to do."""
    chosen = FIXES[issue.code]
    if chosen.where == "document":
        return chosen.apply(patient, 0)
    place = _place(issue.pointer)
    key = _KEYS.get(place[0]) if place is not None else None
    if place is None or key is None or key not in chosen.where.split("|"):
        return False
    at = place[1]
    if key and key != "meshes" and at >= len(getattr(patient.draft.document, key)):
        return False
    if "|" in chosen.where:
        return patient.drop_later(key, at)
    return chosen.apply(patient, at)
