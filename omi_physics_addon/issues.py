"""What is wrong with a file or a scene: issues, and the list that they are added to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from .issue_codes import CATALOGUE, Code, Severity

_NODE: Final = re.compile(r"/nodes/(\d+)")


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
        derived = " (derived)" if self.is_derived else ""
        return f"{self.severity.value} {self.code} {self.pointer}: {self.message}{derived}"

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


class Issues:
    """A list of findings that grows while a file or scene is read."""

    def __init__(self) -> None:
        self.found: list[Issue] = []

    def __iter__(self) -> Iterator[Issue]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def add(self, code: Code, pointer: str, message: str, severity: Severity | None = None) -> None:
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

    def drop(self, code: Code) -> None:
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
