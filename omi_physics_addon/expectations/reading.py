"""Reads files of expectations, and says what is wrong in them by line and table."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from .records import (
    MEASURES,
    VECTORS,
    Bound,
    Checks,
    Expectation,
    ExpectationError,
    Expectations,
    Input,
    Passing,
    Place,
    Range,
    Rest,
    Trigger,
    Window,
)

MOST_SECONDS: Final = 3600.0
_SECONDS: Final = 5.0
_TIMES: Final = ("at_s", "within_s", "from_s", "to_s")
_TOP: Final = ("seconds", "fps", "substeps", "axes", "input", "expect")
_ENTRIES: Final = ("entered_by", "left_by", "not_entered_by", "not_left_by")
_PILOT: Final = (
    *("throttle", "steering", "brake"),
    *("linear_x", "linear_y", "linear_z", "angular_x", "angular_y", "angular_z"),
)
_TARGETS: Final = ("target_deg", "target_m", "target_deg_per_s", "target_m_per_s")
_SUBJECTS: Final = ("body", "joint", "chain", "trigger", "scene")
# By subject, the keys beside the measures and times.
_OTHERS: Final[dict[str, tuple[str, ...]]] = {
    "body": ("rests_within_s", "rest_m_per_s", "rest_deg_per_s", "to"),
    "joint": ("axis",),
    "chain": (),
    "trigger": _ENTRIES,
    "scene": ("passes_through", "worst_issue"),
}
_WORST: Final = ("none", "info", "warning")


class _Table:
    """One table of a file, with the place of each of its keys."""

    def __init__(self, file: str, name: str, values: dict[str, Any], lines: dict[str, int]) -> None:
        self.file, self.name, self.values, self._lines = file, name, values, lines
        self.place = self.at("")

    def at(self, key: str) -> Place:
        return Place(self.file, self.name, self._lines.get(key, self._lines.get("", 1)))

    def wrong(self, key: str, why: str) -> ExpectationError:
        return ExpectationError(f"{self.at(key)}: {why}")

    def only(self, known: Sequence[str]) -> None:
        for key in self.values:
            if key not in known:
                raise self.wrong(key, f"there is no key {key}{near(key, known)}")

    def number(self, key: str, low: float = -math.inf, high: float = math.inf) -> float:
        value = self.values[key]
        if not _is_number(value) or not low <= value <= high:
            span = "" if math.isinf(low) else f" of at least {low:g}"
            span += "" if math.isinf(high) else f" and at most {high:g}"
            raise self.wrong(key, f"{key} must be a number{span}")
        return float(value)

    def text(self, key: str) -> str:
        value = self.values[key]
        if not isinstance(value, str) or not value:
            raise self.wrong(key, f"{key} must be a name in quotes")
        return value

    def choice(self, key: str, known: Sequence[str]) -> str:
        value = self.values[key]
        if value not in known:
            raise self.wrong(key, f"{key} must be one of {', '.join(known)}")
        return str(value)

    def one_of(self, keys: Sequence[str], what: str) -> str:
        found = [key for key in keys if key in self.values]
        if len(found) != 1:
            told = f", not {' and '.join(found)}" if found else ""
            raise self.wrong("", f"{what} needs one of {', '.join(keys)}{told}")
        return found[0]

    def axis(self) -> int | None:
        return "xyz".index(self.choice("axis", "xyz")) if "axis" in self.values else None


def near(name: str, known: Iterable[str]) -> str:
    """A proposal for a name that is not known, as the end of a message."""
    found = difflib.get_close_matches(name, list(known), 3, 0.5)
    return f"; did you mean {' or '.join(found)}?" if found else ""


def read(text: str, file: str) -> Expectations:
    """What a file says.

    Args:
        file: its name, for messages.

    Raises:
        ExpectationError: it is no TOML, or says what cannot be.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise ExpectationError(f"{file}: this is no TOML: {problem}") from problem
    except RecursionError as problem:
        raise ExpectationError(f"{file}: this is no TOML: it is nested too deep") from problem
    lines = _lines(text)
    top = _Table(file, "top", data, lines.get(("", 0), {"": 1}))
    top.only(_TOP)
    tables = {name: _tables(top, name, lines) for name in ("input", "expect")}
    if not tables["expect"]:
        raise ExpectationError(f"{file}: there is no table [[expect]]")
    seconds = top.number("seconds", 0.001, MOST_SECONDS) if "seconds" in data else None
    last = max((_latest(table) for each in tables.values() for table in each), default=0.0)
    end = max(_SECONDS, last) if seconds is None else seconds
    axes = top.choice("axes", ("gltf", "blender")) if "axes" in data else "gltf"
    return Expectations(
        file=file,
        seconds=end,
        fps=_whole(top, "fps", 60, 960),
        substeps=_whole(top, "substeps", 4, 1000),
        is_blender=axes == "blender",
        inputs=tuple(_input(table, end) for table in tables["input"]),
        expectations=tuple(_expectation(table, end) for table in tables["expect"]),
    )


def _whole(table: _Table, key: str, usual: int, most: int) -> int:
    value = table.values.get(key, usual)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise table.wrong(key, f"{key} must be a whole number, 1 to {most}")
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _lines(text: str) -> dict[tuple[str, int], dict[str, int]]:
    """By table and its number, the lines of its keys; that of its head under an empty key."""
    found: dict[tuple[str, int], dict[str, int]] = {("", 0): {"": 1}}
    at = ("", 0)
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*\[\[\s*(\w+)\s*\]\]", line):
            at = (head[1], sum(name == head[1] for name, _ in found) + 1)
            found[at] = {"": number}
        elif key := re.match(r"\s*([\w-]+)\s*[=.]", line):
            found[at].setdefault(key[1], number)
    return found


def _tables(top: _Table, name: str, lines: dict[tuple[str, int], dict[str, int]]) -> list[_Table]:
    given = top.values.get(name, [])
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):  # pyright: ignore[reportUnknownVariableType]
        raise top.wrong(name, f"{name} must be tables, each headed by [[{name}]]")
    tables = cast("list[Any]", given)
    return [
        _Table(top.file, f"[[{name}]] {number}", each, lines.get((name, number), {"": 1}))
        for number, each in enumerate(tables, 1)
    ]


def _latest(table: _Table) -> float:
    keys = (*_TIMES, "rests_within_s")
    return max(
        (table.number(key, 0.0, MOST_SECONDS) for key in keys if key in table.values), default=0.0
    )


def _window(table: _Table, end: float, *, is_point: bool = True) -> Window:
    """When a table counts; the whole play where it does not say."""
    given = [key for key in _TIMES if key in table.values]
    for key in given:
        if table.number(key, 0.0) > end + 1e-9:
            raise table.wrong(key, f"{key} is after the end, which is at {end:g} s")
    alone = [key for key in given if key in ("at_s", "within_s")]
    if alone and (len(given) > 1 or not is_point):
        raise table.wrong(alone[0], f"{alone[0]} cannot be with {' and '.join(given)}")
    if "at_s" in given:
        return Window(table.number("at_s"), table.number("at_s"))
    if "within_s" in given:
        return Window(0.0, table.number("within_s"), is_once=True)
    start = table.number("from_s") if "from_s" in given else 0.0
    stop = table.number("to_s") if "to_s" in given else end
    if start > stop:
        raise table.wrong("from_s", f"from_s {start:g} is after the end {stop:g}")
    return Window(start, stop)


def _input(table: _Table, end: float) -> Input:
    subject = table.one_of(("vehicle", "joint"), "an input")
    told = _PILOT if subject == "vehicle" else _TARGETS
    extra = ("axis",) if subject == "joint" else ()
    table.only((subject, "from_s", "to_s", *extra, *told))
    keys = [key for key in told if key in table.values]
    if not keys:
        raise table.wrong("", f"an input of a {subject} needs one of {', '.join(told)}")
    bound = 1.0 if subject == "vehicle" else math.inf
    values = {key: table.number(key, -bound, bound) for key in keys}
    window = _window(table, end, is_point=False)
    return Input(table.place, subject, table.text(subject), window, values, table.axis())


def _expectation(table: _Table, end: float) -> Expectation:
    subject = _subject(table)
    measures = MEASURES.get(subject, ())
    table.only((subject, *_TIMES, *measures, *_OTHERS[subject]))
    choices = [*measures, *(key for key in _OTHERS[subject] if key in _WANTS)]
    key = table.one_of(choices, f"what is expected of a {subject}")
    if key in ("rests_within_s", "worst_issue", "passes_through"):
        for time in _TIMES:
            if time in table.values:
                raise table.wrong(time, f"{time} cannot be with {key}")
    window = _window(table, end)
    names = _names(table, subject)
    want = _want(table, subject, key)
    if isinstance(want, Rest):
        if want.after > end + 1e-9:
            raise table.wrong(key, f"{key} is after the end, which is at {end:g} s")
        window = Window(want.after, end)
    if isinstance(want, Trigger) and window.is_once and not want.is_wanted:
        raise table.wrong("within_s", f"within_s cannot be with {key}; use to_s")
    return Expectation(table.at(key), subject, names, want, window, _worded(names, key, table))


_WANTS: Final = ("rests_within_s", *_ENTRIES, "passes_through", "worst_issue")


def _subject(table: _Table) -> str:
    """What a table is about; the scene where it names nothing."""
    named = [key for key in _SUBJECTS[:-1] if key in table.values]
    if not named and not any(k in table.values for k in (*MEASURES["scene"], *_OTHERS["scene"])):
        known = (*_SUBJECTS[:-1], *MEASURES["scene"], *_OTHERS["scene"])
        for key in table.values:
            if hint := near(key, known):
                raise table.wrong(key, f"there is no key {key}{hint}")
    return table.one_of(_SUBJECTS[:-1], "a table") if named else "scene"


def _names(table: _Table, subject: str) -> tuple[str, ...]:
    if subject == "scene":
        return ()
    value = table.values[subject]
    names: list[Any] = cast("list[Any]", value) if isinstance(value, list) else [value]
    if not names or not all(isinstance(name, str) and name for name in names):
        raise table.wrong(subject, f"{subject} must be a name in quotes, or a list of such names")
    return tuple(names)


def _want(table: _Table, subject: str, key: str) -> Range | Rest | Trigger | Passing | Checks:
    values = table.values
    if key == "rests_within_s":
        speed = table.number("rest_m_per_s", 0.0) if "rest_m_per_s" in values else 0.05
        spin = table.number("rest_deg_per_s", 0.0) if "rest_deg_per_s" in values else 3.0
        return Rest(table.number(key, 0.0), speed, spin)
    if key in _ENTRIES:
        return Trigger(table.text(key), "entered" in key, not key.startswith("not_"))
    if key == "passes_through":
        if values[key] is not False:
            raise table.wrong(key, "passes_through must be false")
        return Passing()
    if key == "worst_issue":
        return Checks(table.choice(key, _WORST))
    if (key == "distance_m") != ("to" in values):
        raise table.wrong("to", "distance_m and to, the other body, go together")
    low, high = _bounds(table, key)
    other = table.text("to") if "to" in values else ""
    return Range(key, low, high, table.axis(), other)


def _bounds(table: _Table, key: str) -> tuple[Bound, Bound]:
    """The lowest and the highest that a measure may be."""
    given = table.values[key]
    form = "{ min = …, max = … } or { is = …, tolerance = … }"
    if not isinstance(given, dict):
        raise table.wrong(key, f"{key} must be {form}")
    span = cast("dict[str, Any]", given)
    for word in span:
        if word not in ("min", "max", "is", "tolerance"):
            raise table.wrong(key, f"{key} has no {word}; it must be {form}")
    if ("is" in span) == ("min" in span or "max" in span) or ("is" in span) != (
        "tolerance" in span
    ):
        raise table.wrong(key, f"{key} must be {form}")
    count = 3 if key in VECTORS else 1

    def numbers(word: str, without: float) -> Bound:
        value = span.get(word, without)
        row: list[Any] = (
            cast("list[Any]", value)
            if isinstance(value, list)
            else [value] * (word not in span or count == 1)
        )
        if word in span and not (len(row) == count and all(_is_number(n) for n in row)):
            what = "three numbers in brackets" if count == 3 else "a number"
            raise table.wrong(key, f"{word} of {key} must be {what}")
        return tuple(float(n) for n in (row if len(row) == count else row * count))

    if "is" in span:
        tolerance = span["tolerance"]
        if not _is_number(tolerance) or tolerance < 0.0:
            raise table.wrong(key, f"tolerance of {key} must be a number of at least 0")
        middle = numbers("is", 0.0)
        return tuple(n - tolerance for n in middle), tuple(n + tolerance for n in middle)
    low, high = numbers("min", -math.inf), numbers("max", math.inf)
    if any(least > most for least, most in zip(low, high, strict=True)):
        raise table.wrong(key, f"min of {key} is above its max")
    return low, high


def _worded(names: tuple[str, ...], key: str, table: _Table) -> str:
    """What is wanted, in words."""
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    value = table.values[key]
    if isinstance(value, dict):
        span = cast("dict[str, Any]", value)
        told = f"{key} " + " ".join(f"{word} {_shown(n)}" for word, n in span.items())
    else:
        told = f"{key} {_shown(value)}"
    times = " ".join(f"{k} {_shown(table.values[k])}" for k in _TIMES if k in table.values)
    return " ".join(word for word in (shown or "scene", told, times) if word)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return f"[{', '.join(map(_shown, items))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)
