"""Says which expectations a play kept, and what was measured where one was not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from ..geometry.arrays import Array, Flags
from ..issue_codes import Severity
from .film import Film, UnmeasurableError
from .records import (
    Checks,
    Expectation,
    ExpectationError,
    Expectations,
    Passing,
    Range,
    Rest,
    Trigger,
    Window,
)

_SHOWN: Final = 5  # Names in one message.
_WORSE: Final = {
    "none": (Severity.ERROR, Severity.WARNING, Severity.INFO),
    "info": (Severity.ERROR, Severity.WARNING),
    "warning": (Severity.ERROR,),
}


@dataclass(frozen=True)
class Verdict:
    """Whether an expectation was kept.

    Attributes:
        failures: what was measured, where and when; empty where it was kept.
    """

    expectation: Expectation
    failures: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether it was kept."""
        return not self.failures

    def to_json(self) -> dict[str, Any]:
        """The verdict, for a program."""
        place = self.expectation.place
        return {
            "holds": self.holds,
            "text": self.expectation.text,
            "table": place.table,
            "line": place.line,
            "failures": list(self.failures),
        }


def judge(expectations: Expectations, film: Film) -> list[Verdict]:
    """What came of each expectation.

    Raises:
        ExpectationError: one names what is not there, or what cannot be measured.
    """
    found: list[Verdict] = []
    for one in expectations.expectations:
        try:
            failures = tuple(_failures(one, film, is_blender=expectations.is_blender))
        except UnmeasurableError as problem:
            raise ExpectationError(f"{one.place}: {problem}") from problem
        found.append(Verdict(one, failures))
    return found


def _failures(one: Expectation, film: Film, *, is_blender: bool) -> Iterator[str]:
    want, names = one.want, one.names
    if isinstance(want, Passing):
        for each in film.passed[:_SHOWN]:
            yield f"{each.body} passed through {each.through} at {each.time:.2f} s"
    elif isinstance(want, Checks):
        worse = [issue for issue in film.issues if issue.severity in _WORSE[want.worst]]
        yield from (str(issue) for issue in worse[:_SHOWN])
    elif isinstance(want, Trigger):
        for name in film.trigger_names(names):
            yield from _passages(name, want, one.window, film)
    elif isinstance(want, Rest):
        for name in film.bodies(names):
            yield from _unrest(name, want, one.window, film)
    elif one.subject == "body":
        for name in film.bodies(names):
            series = film.of_body(name, want, is_blender=is_blender)
            place = Range("place_m", (), ())
            places = partial(film.of_body, name, place, is_blender=is_blender)
            told = None if want.measure == place.measure else places
            yield from _range(name, film, series, want, one.window, told)
    elif one.subject == "joint":
        for name in film.joint_names(names):
            series = film.of_joint(name, want, is_blender=is_blender)
            yield from _range(name, film, series, want, one.window)
    elif one.subject == "chain":
        chosen = film.bodies(names)
        if len(chosen) < 2:
            raise UnmeasurableError("a chain needs at least two bodies")
        name = f"{chosen[0]} to {chosen[-1]}"
        yield from _range(name, film, film.length(chosen), want, one.window)
    else:
        yield from _range("scene", film, film.energy_gain(), want, one.window)


def _range(
    name: str,
    film: Film,
    series: Array,
    want: Range,
    window: Window,
    places: Callable[[], Array] | None = None,
) -> Iterator[str]:
    """What was measured at the moment that tells most, and what was wanted.

    Args:
        places: gives (k, 3), m, of what is measured, where that is worth telling.
    """
    at = _broken(film.times, series, want, window)
    if at is None:
        return
    measure, unit = _unit(want.measure)
    value = f"{_numbers(series[at])} {unit}"
    nearest = "came nearest with" if window.is_once else "was"
    where = "" if places is None else f", at {_numbers(places()[at])} m"
    when = f"{film.times[at]:.2f} s{where}"
    yield f"{name}: {measure} {nearest} {value} at {when}; wanted {_wanted(want, unit)}"


def _chosen(times: Array, window: Window) -> Flags:
    """Which moments count: at least the one that is nearest."""
    middle = 0.5 * (window.start + window.end)
    half = 0.5 * (window.end - window.start)
    away = np.abs(times - middle)
    return away <= max(half + 1e-6, float(away.min()))


def _outside(series: Array, want: Range) -> Array:
    """How far a measure is out of its bounds, (k,); 0 within them."""
    rows = series.reshape(len(series), -1)
    beyond = np.maximum(np.array(want.low) - rows, rows - np.array(want.high))
    return np.maximum(beyond, 0.0).max(axis=1)


def _broken(times: Array, series: Array, want: Range, window: Window) -> int | None:
    """The moment that tells most about a range that was not kept; None where it was.

    That is the one farthest out of the bounds, or nearest to them where one moment is enough.
    """
    outside = _outside(series, want)
    at = np.flatnonzero(_chosen(times, window))
    if window.is_once:
        best = int(at[outside[at].argmin()])
        return best if outside[best] > 0.0 else None
    worst = int(at[outside[at].argmax()])
    return worst if outside[worst] > 0.0 else None


def _unit(measure: str) -> tuple[str, str]:
    """The words of a measure, and its unit."""
    for end, unit in (
        ("_m_per_s", "m/s"),
        ("_deg_per_s", "deg/s"),
        ("_deg", "deg"),
        ("_m", "m"),
        ("_j", "J"),
    ):
        if measure.endswith(end):
            return measure.removesuffix(end).replace("_", " "), unit
    raise ValueError(f"{measure} has no unit")


def _wanted(want: Range, unit: str) -> str:
    low, high = np.array(want.low), np.array(want.high)
    parts: list[str] = []
    if np.isfinite(low).any():
        parts.append(f"at least {_numbers(low)} {unit}")
    if np.isfinite(high).any():
        parts.append(f"at most {_numbers(high)} {unit}")
    return " and ".join(parts)


def _numbers(value: Any) -> str:
    numbers = np.atleast_1d(np.asarray(value, dtype=float)) + 0.0
    shown = [f"{round(float(n), 4):.4g}" for n in numbers]
    return shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]"


def _unrest(name: str, want: Rest, window: Window, film: Film) -> Iterator[str]:
    speed = film.of_body(name, Range("speed_m_per_s", (), ()), is_blender=False)
    spin = film.of_body(name, Range("spin_deg_per_s", (), ()), is_blender=False)
    moves = _chosen(film.times, window) & ((speed > want.speed) | (spin > want.spin))
    if moves.any():
        at = int(np.flatnonzero(moves)[-1])
        yield (
            f"{name}: moved at {film.times[at]:.2f} s by {_numbers(speed[at])} m/s and "
            f"{_numbers(spin[at])} deg/s; wanted rest from {window.start:g} s on"
        )


def _passages(name: str, want: Trigger, window: Window, film: Film) -> Iterator[str]:
    """Whether the bodies that a trigger names came or went; each of them must, or must not."""
    did = "entered" if want.is_entered else "left"
    for body in film.bodies([want.body]):
        times = [
            one.time
            for one in film.passages
            if (one.trigger, one.body, one.entered) == (name, body, want.is_entered)
        ]
        inside = _within(times, window, film)
        if want.is_wanted and not inside:
            when = f"only at {', '.join(f'{time:.2f} s' for time in times[:3])}"
            told = when if times else "at no time"
            yield f"{name}: {body} {did} it {told}; wanted {_span(window)}"
        if not want.is_wanted and inside:
            yield f"{name}: {body} {did} it at {inside[0]:.2f} s; wanted never {_span(window)}"


def _within(times: Sequence[float], window: Window, film: Film) -> list[float]:
    slack = 0.5 * float(film.times[1] - film.times[0]) if len(film.times) > 1 else 0.0
    return [time for time in times if window.start - slack <= time <= window.end + slack]


def _span(window: Window) -> str:
    if window.start == window.end:
        return f"at {window.start:g} s"
    return f"from {window.start:g} s to {window.end:g} s"
