"""The issues of a report by their rule, for lists of them."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import bpy

from ...issue_codes import CATALOGUE, Severity
from ...issues import Issue
from ..base import changes, reports
from ..base.reports import Kind, Report

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
    """The issues of one rule and severity."""

    code: str
    severity: Severity
    issues: tuple[Issue, ...]

    @property
    def text(self) -> str:
        """What the rule is about."""
        return CATALOGUE[self.code].text

    @functools.cached_property
    def places(self) -> list[str]:
        """Names of objects or pointers, once each."""
        return list(dict.fromkeys(issue.pointer for issue in self.issues))


def report_of(scene: Any, kind: Kind) -> Report | None:
    """The latest report of a kind; a check only if it was of this scene."""
    if kind != "CHECK":
        return reports.latest(kind)
    from . import scene_check  # All rules, which only those need who check.

    return scene_check.latest(scene)


_groups: Final[dict[Kind, tuple[Report, int, list[Group]]]] = {}


def groups_of(report: Report) -> list[Group]:
    """The issues of a report by rule, worst first; sorted once."""
    known = _groups.get(report.kind)
    if known is None or known[0] is not report or known[1] != len(report.issues):
        known = _groups[report.kind] = (report, len(report.issues), _grouped(report))
    return known[2]


def counts_of(report: Report) -> Counter[Severity]:
    """How many issues of each severity a report has."""
    found: Counter[Severity] = Counter()
    for group in groups_of(report):
        found[group.severity] += len(group.issues)
    return found


_objects: tuple[int, set[str]] = (-1, set())  # Number of the change, names.


def objects_of(names: Iterable[str]) -> list[str]:
    """The names that objects have; Blender goes through all objects to find one by its name."""
    global _objects
    if _objects[0] != changes.count():
        _objects = changes.count(), set(bpy.data.objects.keys())
    return [name for name in names if name in _objects[1]]


def _grouped(report: Report) -> list[Group]:
    found: dict[tuple[Severity, str], list[Issue]] = {}
    for issue in report.issues:
        found.setdefault((issue.severity, issue.code), []).append(issue)
    order = list(Severity)
    keys = sorted(found, key=lambda key: (order.index(key[0]), key[1]))
    return [Group(code, severity, tuple(found[severity, code])) for severity, code in keys]
