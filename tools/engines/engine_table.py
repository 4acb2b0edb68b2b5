"""The table of the manual that says where the preview and engines of others differ.

A page of the manual has it between two marks. Nobody writes there but `put`, so that a test can
ask the engines again and find rows that are no longer true.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from tools import marked_pages
from tools.engines.engine_clients import TITLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tools.engines.engine_clients import Engine
    from tools.engines.engine_paths import Verdict

BEGIN = "<!-- Made by tools/engines/compare_engines.py: begin -->"
END = "<!-- Made by tools/engines/compare_engines.py: end -->"
HEAD = (
    "| File | Engine | Read | Bodies | Rest | Apart by | Go on | Apart by | Verdict | Why |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
)
UNKNOWN = "not explained"
NOTHING = "-"


class Result(NamedTuple):
    """What became of one file in the preview and in one engine.

    Attributes:
        file: its name.
        form: what the engine got, the file "as it is" or "as exported".
        left_out: what the engine does not read, and the preview did not play therefore.
        problem: why there is nothing to compare; else empty.
    """

    file: str
    engine: Engine
    form: str
    left_out: tuple[str, ...] = ()
    problem: str = ""
    verdicts: tuple[Verdict, ...] = ()

    @property
    def same(self) -> bool:
        """Whether the preview does what the engine does."""
        return not self.problem and all(one.same for one in self.verdicts)


class Row(NamedTuple):
    """A row of the table: a file in an engine, in one form or in both where they do not differ.

    Attributes:
        read: what the engine got.
        bodies: how many move.
        rest: how many come to rest in the same place in all runs of the engine.
        rest_off, other_off: m, the largest distance of the preview from the engine, of those
            that come to rest, and of the others as long as the runs of the engine agree.
        differ: how many bodies are not the same.
    """

    file: str
    engine: Engine
    read: str
    bodies: int
    rest: int
    rest_off: float
    other_off: float
    differ: int

    def text(self, why: str) -> str:
        """As Markdown."""
        others = self.bodies - self.rest
        cells = [
            self.file,
            TITLES[self.engine],
            self.read,
            str(self.bodies),
            str(self.rest),
            f"{self.rest_off:.3f} m" if self.rest else NOTHING,
            str(others),
            f"{self.other_off:.3f} m" if others else NOTHING,
            f"{self.differ} of {self.bodies} differ" if self.differ else "same",
            why,
        ]
        return f"| {' | '.join(cells)} |"


def row(result: Result) -> Row:
    """The row of a result that has something to compare."""
    rest = [one for one in result.verdicts if one.kind == "rest"]
    others = [one for one in result.verdicts if one.kind != "rest"]
    return Row(
        result.file,
        result.engine,
        result.form,
        len(result.verdicts),
        len(rest),
        max((one.off for one in rest), default=0.0),
        max((one.off for one in others), default=0.0),
        sum(not one.same for one in result.verdicts),
    )


def rows(results: Iterable[Result]) -> list[Row]:
    """The rows of all results that have bodies, two forms in one row where they agree."""
    found: list[Row] = []
    compared = (one for one in results if one.verdicts)
    for _, group in itertools.groupby(compared, lambda one: (one.file, one.engine)):
        made = [row(one) for one in group]
        counts = {(one.bodies, one.rest, one.differ) for one in made}
        if len(made) > 1 and len(counts) == 1:
            most = [max(offs) for offs in zip(*(one[5:7] for one in made), strict=True)]
            made = [made[0]._replace(read="both", rest_off=most[0], other_off=most[1])]
        found += made
    return found


def stale(results: Sequence[Result], why: Mapping[tuple[str, str], Sequence[str]]) -> list[str]:
    """Files, with their engine, that have a reason to differ but do not."""
    asked = {(one.file, one.engine) for one in results}
    differing = {(one.file, one.engine) for one in results if not one.same and not one.problem}
    return [" in ".join(key) for key in why if key in asked and key not in differing]


def table(
    results: Sequence[Result],
    why: Mapping[tuple[str, str], Sequence[str]],
    reasons: Mapping[str, str],
) -> str:
    """All that stands between the marks.

    Args:
        why: of a file and an engine, keys of `reasons`.
        reasons: why a preview differs, in a sentence or more.
    """
    lines: list[str] = [*HEAD]
    used: list[str] = []
    for one in rows(results):
        keys = why.get((one.file, one.engine), (UNKNOWN,)) if one.differ else ()
        used += [key for key in keys if key not in used]
        lines.append(one.text(", ".join(keys)))
    counts = [_summary(results)] if lines[2:] else []
    told = [f"- **{key}**: {reasons[key]}" for key in used if key != UNKNOWN]
    blocks = (
        "\n".join(block) for block in (counts, lines, told, _still(results), _failed(results))
    )
    return "\n\n".join(block for block in blocks if block)


def _summary(results: Iterable[Result]) -> str:
    same: dict[tuple[str, str, str], bool] = {}
    rest: set[tuple[str, str, str]] = set()
    for result in results:
        for one in result.verdicts:
            key = (result.file, result.engine, one.body)
            same[key] = same.get(key, True) and one.same
            rest |= {key} if one.kind == "rest" else set()
    still = sum(same[key] for key in rest)
    return (
        f"Of {len(rest)} bodies that come to rest, {still} do so in the same place; of all "
        f"{len(same)}, {sum(same.values())} do the same."
    )


def _still(results: Iterable[Result]) -> Iterator[str]:
    files = [one.file for one in results if not one.problem and not one.verdicts]
    if files:
        yield f"Nothing moves in: {', '.join(dict.fromkeys(files))}."


def _failed(results: Iterable[Result]) -> Iterator[str]:
    problems: dict[str, dict[str, None]] = {}
    for one in results:
        if one.problem:
            problems.setdefault(one.problem, {})[one.file] = None
    for problem, files in problems.items():
        yield f"- {problem}: {', '.join(files)}"


def put(page: str, content: str) -> str:
    """The page with that between its marks.

    Raises:
        PageError: it has no marks.
    """
    return marked_pages.put(page, BEGIN, END, content)


def kept(page: str) -> dict[tuple[str, str, str], str]:
    """The rows of a page, by file, title of the engine and what it read.

    Raises:
        PageError: it has no marks.
    """
    before, after = marked_pages.around(page, BEGIN, END)
    inside = page[len(before) : len(page) - len(after)]
    lines = [line for line in inside.splitlines() if line.startswith("| ") and line not in HEAD]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {(row[0], row[1], row[2]): line for row, line in zip(cells, lines, strict=True)}
