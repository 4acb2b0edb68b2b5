"""The time of checks and conversions grows as their files do, however these are made."""

from __future__ import annotations

import pytest

from tests.support import pace
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

    def seconds(count: int) -> float:
        return benchmark_files.measure(few if count == FEW else many, families, target)

    pace.check_growth(seconds, FEW, MANY, MOST)
