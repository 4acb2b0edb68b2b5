"""The time of checks and conversions grows as their files do, however these are made."""

from __future__ import annotations

import pytest

from tools.bench import benchmark_files
from tools.bench.benchmark_files import CASES

FEW, MANY = 100, 500
# Linear work takes 5 times as long, a square 25 times.
MOST = (MANY / FEW) ** 1.5


@pytest.mark.parametrize("name", CASES)
def test_the_time_grows_as_the_file_does(name):
    make, families, target = CASES[name]
    more = 3 if "triggers" in name else 1  # So that a square shows beside what each takes.
    few, many = make(FEW * more), make(MANY * more)
    benchmark_files.measure(few, families, target)
    base = max(benchmark_files.measure(few, families, target) for _ in range(2))
    # What another program has done to the caches it does not do each time.
    times = (benchmark_files.measure(many, families, target) for _ in range(2))
    assert any(seconds < MOST * base for seconds in times), name
