"""The issues that an artist ignores on an object: their codes, which the object keeps.

They are taken out of what counts in a report and told beside it, so that nothing is lost.
"""

from __future__ import annotations

from typing import Any

from . import groups


def codes_of(obj: Any) -> list[str]:
    """The codes of the issues that are ignored on an object."""
    return groups.of_object(obj).ignored_issues.split()


def ignore(obj: Any, codes: set[str], *, is_ignored: bool) -> bool:
    """Ignore issues on an object from now on, or no longer; whether anything changed."""
    known = codes_of(obj)
    found = sorted({*known, *codes} if is_ignored else {*known} - codes)
    if found == known:
        return False
    groups.of_object(obj).ignored_issues = " ".join(found)
    return True
