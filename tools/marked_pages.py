"""Pages of which a tool makes the part between two marks."""

from __future__ import annotations


class PageError(Exception):
    """A page has not the marks that it should have."""


def around(page: str, begin: str, end: str) -> tuple[str, str]:
    """What stands before the first mark, and behind the last one.

    Raises:
        PageError: a mark is missing, or there more than once.
    """
    for mark in (begin, end):
        if page.count(mark) != 1:
            raise PageError(f"the page has not one line {mark}")
    return page.partition(begin)[0], page.partition(end)[2]


def put(page: str, begin: str, end: str, content: str) -> str:
    """The page with that between its marks.

    Raises:
        PageError: it has not both of them, once.
    """
    before, after = around(page, begin, end)
    return f"{before}{begin}\n\n{content}\n\n{end}{after}"
