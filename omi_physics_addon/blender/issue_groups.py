"""The issues of a report by their rule, for lists of them."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Final

from ..issues import CATALOGUE, Issue, Severity
from . import reports, scene_check
from .reports import Kind, Report

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
    return scene_check.latest(scene) if kind == "CHECK" else reports.latest(kind)


_groups: Final[dict[Kind, tuple[Report, int, list[Group]]]] = {}


def groups_of(report: Report) -> list[Group]:
    """The issues of a report by rule, worst first; sorted once."""
    known = _groups.get(report.kind)
    if known is None or known[0] is not report or known[1] != len(report.issues):
        known = _groups[report.kind] = (report, len(report.issues), _grouped(report))
    return known[2]


def _grouped(report: Report) -> list[Group]:
    found: dict[tuple[Severity, str], list[Issue]] = {}
    for issue in report.issues:
        found.setdefault((issue.severity, issue.code), []).append(issue)
    order = list(Severity)
    keys = sorted(found, key=lambda key: (order.index(key[0]), key[1]))
    return [Group(code, severity, tuple(found[severity, code])) for severity, code in keys]
