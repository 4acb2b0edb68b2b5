"""The issues of a report by what to do about them, for lists of them."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import bpy

from ...issue_codes import CATALOGUE, Severity
from ...issues import Issue, alike
from ..base import changes
from ..base.reports import Kind, Report
from ..translations import pgettext_iface
from .fixes import FIXES, Fix

ICONS: Final = {
    Severity.ERROR: "CANCEL",
    Severity.WARNING: "ERROR",
    Severity.INFO: "INFO",
}
FLAGS: Final = {
    Severity.ERROR: "show_errors",
    Severity.WARNING: "show_warnings",
    Severity.INFO: "show_remarks",
}


@dataclass(frozen=True)
class Group:
    """The issues of one severity that the same sentence tells, and the same click sets right.

    Attributes:
        codes: of their rules; the first stands for the group.
    """

    codes: tuple[str, ...]
    severity: Severity
    issues: tuple[Issue, ...]

    @functools.cached_property
    def fix(self) -> Fix | None:
        """What sets it right."""
        return FIXES.get(self.codes[0])

    @functools.cached_property
    def text(self) -> str:
        """What is wrong, with how many."""
        count = len(self.places)
        if self.fix is not None:
            words = self.fix.words
            return pgettext_iface(words.one if count == 1 else words.many).format(count=count)
        text = CATALOGUE[self.codes[0]].text
        return text if count == 1 else f"{text} ({count} times)"

    @functools.cached_property
    def rules(self) -> str:
        """The codes, and whether no specification states any of them."""
        derived = all(CATALOGUE[code].is_derived for code in self.codes)
        return ", ".join((*self.codes, "derived") if derived else self.codes)

    @functools.cached_property
    def places(self) -> list[str]:
        """Names of objects or pointers, once each."""
        return list(dict.fromkeys(issue.pointer for issue in self.issues))


_groups: Final[dict[Kind, tuple[Report, int, list[Group]]]] = {}


def groups_of(report: Report) -> list[Group]:
    """The issues of a report by rule, worst first; sorted once."""
    known = _groups.get(report.kind)
    if known is None or known[0] is not report or known[1] != report.number:
        known = _groups[report.kind] = (report, report.number, _grouped(report))
    return known[2]


def counts_of(report: Report) -> Counter[Severity]:
    """How many issues of each severity a report has."""
    found: Counter[Severity] = Counter()
    for group in groups_of(report):
        found[group.severity] += len(group.issues)
    return found


@changes.kept
def _names() -> dict[int, str]:
    """The names of all objects by their identities."""
    return {obj.session_uid: obj.name for obj in bpy.data.objects}


def names_of(report: Report, issues: Iterable[Issue]) -> dict[str, str]:
    """What the object at the place of each issue is called now; without those that are gone.

    The objects are gone through once after every change of data.
    """
    known, found = _names(), dict[str, str]()
    for issue in issues:
        for uid in report.identities(issue):
            if uid in known:
                found.setdefault(issue.pointer, known[uid])
    return found


def _grouped(report: Report) -> list[Group]:
    def kind(issue: Issue) -> tuple[Severity, Fix | str]:
        return issue.severity, FIXES.get(issue.code, issue.code)

    return [
        Group(tuple(sorted({issue.code for issue in found})), found[0].severity, tuple(found))
        for found in alike(report.issues, FIXES, kind)
    ]
