"""What is wrong with a file or a scene: issues, the list they are added to, and how it is told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from .issue_codes import CATALOGUE, IssueCode, Severity

_NODE: Final = re.compile(r"/nodes/(\d+)")
_IN_NODE: Final = re.compile(r"/nodes/(\d+)(?:/|$)")
_NAMED: Final = 3  # Places of what is alike that are named; the rest is counted.
_LINES: Final = 11  # Kinds of findings that are told in full, where errors do not need more.
_ERRORS: Final = 20  # Errors that are told in full.
_ORDER: Final = tuple(Severity)
_NO_ACTIONS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True)
class Issue:
    """One finding.

    Attributes:
        code: key of `CATALOGUE`.
        pointer: JSON pointer into the file, or the name of a Blender object.
        message: what is wrong and what was done about it, one sentence.
    """

    code: str
    pointer: str
    message: str
    severity: Severity

    @property
    def is_derived(self) -> bool:
        """Whether mechanics and practice state the rule, and no specification."""
        return CATALOGUE[self.code].is_derived

    def __str__(self) -> str:
        return f"{self.severity.value} {self.code} {self.pointer}: {self.message}{self.mark}"

    @property
    def mark(self) -> str:
        """What follows its sentence."""
        return " (derived)" if self.is_derived else ""

    def to_json(self) -> dict[str, str | bool]:
        """The finding, for a program."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "derived": self.is_derived,
            "pointer": self.pointer,
            "message": self.message,
        }


def node_of(pointer: str) -> int | None:
    """The node that a pointer leads to; None for what is in a node, and for all else."""
    found = _NODE.fullmatch(pointer)
    return int(found[1]) if found else None


def node_around(pointer: str) -> int | None:
    """The node that a pointer leads to or into; None for all else."""
    found = _IN_NODE.match(pointer)
    return int(found[1]) if found else None


class Issues:
    """A list of findings that grows while a file or scene is read."""

    def __init__(self) -> None:
        self.found: list[Issue] = []

    def __iter__(self) -> Iterator[Issue]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def add(
        self, code: IssueCode, pointer: str, message: str, severity: Severity | None = None
    ) -> None:
        """Append a finding; the severity is the catalogue's unless given.

        Raises:
            ValueError: `code` is not in the catalogue.
        """
        if code not in CATALOGUE:
            raise ValueError(f"unknown issue code {code!r}")
        row = CATALOGUE[code]
        severity = severity or row.severity
        self.found.append(Issue(row.value, _storable(pointer), _storable(message), severity))

    def take(self, issue: Issue, pointer: str) -> None:
        """Append a finding of another list, as one about another place."""
        self.found.append(replace(issue, pointer=_storable(pointer)))

    def drop(self, code: IssueCode) -> None:
        """Take the findings with a code out again."""
        self.found = [issue for issue in self.found if issue.code != code.value]

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(issue.severity is severity for issue in self.found)

    def codes(self) -> Counter[str]:
        """How often each code was found."""
        return Counter(issue.code for issue in self.found)


def _storable(text: str) -> str:
    """`text` with halves of surrogate pairs spelled out, which neither files nor Blender take."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def alike(
    issues: Iterable[Issue],
    actions: Collection[str] = (),
    kind: Callable[[Issue], Hashable] = lambda issue: issue.code,
) -> list[list[Issue]]:
    """Findings by their kind, in the order in which somebody should read them.

    First come errors, then what one action sets right, what is wrong otherwise, facts about
    engines, and what is worth knowing.

    Args:
        actions: codes of what one action sets right.
        kind: what is the same of findings that are told together.
    """
    found: dict[tuple[int, Hashable], list[Issue]] = {}
    for issue in issues:
        found.setdefault((_rank(issue, actions), kind(issue)), []).append(issue)
    return sorted(
        found.values(),
        key=lambda one: (_rank(one[0], actions), _ORDER.index(one[0].severity), one[0].code),
    )


def _rank(issue: Issue, actions: Collection[str]) -> int:
    row = CATALOGUE[issue.code]
    is_info = issue.severity is Severity.INFO
    ranks = (
        issue.severity is Severity.ERROR,
        row.names_action or (issue.code in actions and not is_info),
        not (row.is_fact or is_info),
        row.is_fact,
    )
    return ranks.index(True) if any(ranks) else len(ranks)


def lines_of(issues: Iterable[Issue], actions: Mapping[str, str] = _NO_ACTIONS) -> list[str]:
    """Findings as people read them: what is alike is one line with its first places and a count.

    Args:
        actions: by code, what sets all findings of that code right.
    """
    kinds = alike(issues, actions, _told_as)
    errors = sum(one[0].severity is Severity.ERROR for one in kinds)
    most = max(_LINES, min(errors, _ERRORS))
    shown = kinds if len(kinds) <= most else kinds[: most - 1]
    lines = [f"  {_line(one, actions.get(one[0].code, ''))}" for one in shown]
    rest = [issue for one in kinds[len(shown) :] for issue in one]
    if rest:
        codes = ", ".join(dict.fromkeys(issue.code for issue in rest))
        lines.append(f"  … and {len(rest)} more of {codes}")
    return lines


def _told_as(issue: Issue) -> tuple[str, ...]:
    """What is one line: errors have one for each sentence, so that none is lost."""
    return (issue.code, issue.message) if issue.severity is Severity.ERROR else (issue.code,)


def _line(found: Sequence[Issue], action: str) -> str:
    first = found[0]
    row = CATALOGUE[first.code]
    places = _places(list(dict.fromkeys(issue.pointer for issue in found)))
    text = first.message
    if row.is_fact and len(found) > 1:
        text = row.text
    elif any(issue.message != text for issue in found):
        text = f"{row.text}; the first: {text}"
    told = f"{text} ({places})" if row.is_fact else f"{places}: {text}"
    is_fixed = action and first.severity is not Severity.INFO
    end = f"{first.mark}; to fix it: {action}" if is_fixed else first.mark
    return f"{first.severity.value} {first.code} {told}{end}".replace("\n", "\\n")


def _places(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    if len(names) > _NAMED:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
