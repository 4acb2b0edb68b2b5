"""The benchmark of fits measures each, and its mesh is what it says."""

import numpy as np
import pytest

from omi_physics_addon.geometry.fit import mesh_volumes
from tools.bench import benchmark, benchmark_fits


def test_every_fit_is_measured():
    fits = benchmark_fits.measure(2000, repeat=1)
    assert [fit.name for fit in fits][: len(benchmark_fits.WISHES)] == [*benchmark_fits.WISHES]
    assert all(fit.seconds > 0.0 for fit in fits)
    assert all(fit.beyond <= 1e-6 for fit in fits)
    lines = benchmark_fits.table(500, fits)
    assert len(lines) == 1 + len(fits)
    assert all(line.endswith("all inside") for line in lines[1:])


@pytest.mark.parametrize("count", [100, 5000])
def test_the_mesh_is_closed(count):
    points, triangles = benchmark_fits.blob(count)
    assert len(points) == pytest.approx(count, rel=0.2)
    assert len(triangles) == 2 * len(points) - 4
    assert mesh_volumes.closed_volume(points, triangles) == pytest.approx(25.0, rel=0.1)
    assert np.isfinite(points).all()


def test_a_slow_fit_is_told_of():
    slow = [benchmark_fits.Fitted("box", 0.2, 0.0), benchmark_fits.Fitted("sphere", 9.0, 0.0)]
    assert benchmark_fits.exceeded(benchmark_fits.VERTICES, slow) == [
        "fit of box to 500000 vertices: 0.200 s, 0.100 s are allowed"
    ]
    assert not benchmark_fits.exceeded(benchmark_fits.VERTICES * 2, slow)
    assert benchmark_fits.BOUNDS.keys() <= benchmark_fits.WISHES.keys()


def test_times_are_those_of_the_fastest_run(monkeypatch):
    clock = iter([0.0, 3.0, 10.0, 12.0, 20.0, 25.0])
    monkeypatch.setattr(benchmark_fits.time, "process_time", lambda: next(clock))
    assert benchmark_fits._fastest(lambda: "found", 3) == ("found", 2.0)


def test_the_option(monkeypatch):
    assert benchmark.parse_arguments(["--fits"]).fits == benchmark_fits.VERTICES
    assert benchmark.parse_arguments(["--fits", "9"]).fits == 9
    # Once instead of several times.
    judge = benchmark_fits.judge
    monkeypatch.setattr(benchmark_fits, "judge", lambda vertices: judge(vertices, repeat=1))
    assert benchmark.measure(benchmark.Task("fits", 300, "", addon=False))
