"""Times that a busy or slow machine does not make longer.

A bound in milliseconds says something of one machine only. Beside each run of what is measured a
piece of known work is timed, and the run counts for as many seconds as it would take where that
work takes ``KNOWN_SECONDS``.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

KNOWN_SECONDS = 2.55e-3


def fastest(work: Callable[[], object], tries: int = 5) -> float:
    """The fastest of some runs, in CPU seconds of this thread on the known machine."""
    best, before = float("inf"), _taken(_known_work)
    for _ in range(tries):
        own = _taken(work)
        after = _taken(_known_work)
        best = min(best, own / max(before, after))
        before = after
    return best * KNOWN_SECONDS


def check_takes(work: Callable[[], object], most: float, tries: int = 20) -> None:
    """Fail unless one of some runs takes less CPU seconds on the known machine than `most`."""
    best = float("inf")
    for _ in range(tries):
        best = min(best, fastest(work, 1))
        if best < most:
            return
    raise AssertionError(f"takes {best:.3g} s, not {most:.3g} s")


def check_growth(
    seconds: Callable[[int], float], few: int, many: int, most: float, tries: int = 8
) -> None:
    """Fail unless many things take less than `most` times as long as few.

    The fastest of each. First few, three times; then both by turns, and no more runs than it
    takes to tell: what a busy machine adds to one run it does not add to all.

    Args:
        seconds: does it for so many things, and returns the CPU seconds that it took.
    """
    gc.collect()
    gc.freeze()  # What other tests left is not looked through again before each run.
    try:
        base, found = min(seconds(few) for _ in range(3)), float("inf")
        for _ in range(tries):
            gc.collect()
            found = min(found, seconds(many))
            if found < most * base:
                return
            base = min(base, seconds(few))
    finally:
        gc.unfreeze()
    raise AssertionError(f"{many} take {found / base:.1f} times as long as {few}, not {most}")


def _taken(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def _known_work() -> float:
    """Python and small arrays by halves, as in most of what is measured."""
    total = 0.0
    for number in range(25_000):
        total += number * 0.5 % 7.0
    numbers = np.linspace(0.0, 1.0, 3000).reshape(1000, 3)
    for _ in range(60):
        numbers = np.cross(numbers, numbers[::-1]) * 0.5 + 1.0
    return total + float(numbers.sum())


def memory() -> int:
    """What this process has in memory now, kB; a peak before would hide what grows below it."""
    status = Path("/proc/self/status")
    if not status.is_file():
        pytest.skip("this system does not tell how much memory a process has now")
    rows = status.read_text(encoding="utf-8").splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("VmRSS:"))
