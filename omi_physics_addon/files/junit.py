"""What came of files as JUnit XML, which servers for continuous integration read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree

# What XML cannot hold at all.
_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Case:
    """One test; `failure` is empty where it is passed."""

    name: str
    failure: str = ""


@dataclass(frozen=True)
class Suite:
    """Tests of one thing, such as a file; `error` tells why they could not be made.

    Attributes:
        seconds: how long it took; None where nobody looked, or reports are to be alike.
    """

    name: str
    seconds: float | None
    cases: Sequence[Case]
    error: str = ""


def to_xml(suites: Sequence[Suite]) -> str:
    """The text of a file."""
    root = ElementTree.Element("testsuites", _counts(suites))
    for suite in suites:
        counts = {"name": clean(suite.name), **_counts([suite])}
        if suite.seconds is not None:
            counts["time"] = f"{suite.seconds:.3f}"
        element = ElementTree.SubElement(root, "testsuite", counts)
        cases = [*suite.cases, *([Case("played")] if suite.error else [])]
        for case in cases:
            names = {"classname": clean(suite.name), "name": clean(case.name)}
            made = ElementTree.SubElement(element, "testcase", names)
            if case.failure:
                _tell(made, "failure", case.failure)
            elif suite.error:
                _tell(made, "error", suite.error)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _counts(suites: Sequence[Suite]) -> dict[str, str]:
    errors = sum(bool(suite.error) for suite in suites)
    return {
        "tests": str(sum(len(suite.cases) for suite in suites) + errors),
        "failures": str(sum(bool(case.failure) for suite in suites for case in suite.cases)),
        "errors": str(errors),
    }


def _tell(parent: ElementTree.Element, kind: str, message: str) -> None:
    first = message.splitlines()[0]
    ElementTree.SubElement(parent, kind, message=clean(first)).text = clean(message)


def clean(text: str) -> str:
    """Text with another letter for those that XML cannot hold."""
    return _FORBIDDEN.sub("\ufffd", text)
