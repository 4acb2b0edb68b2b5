"""Measures the fits of shapes to a mesh of many vertices, without Blender.

Run by `benchmark.py --fits N`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from omi_physics_addon.geometry.fit import mesh_volumes
from omi_physics_addon.geometry.fit.best_fit import Wish, fit_wish
from omi_physics_addon.geometry.fit.simple_hull import simple_hull

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

Found = TypeVar("Found")

VERTICES = 500_000  # Of a mesh of a million triangles.
REPEAT = 3
# Seconds of CPU time that fits to so many vertices may take.
BOUNDS = {"box": 0.1, "turned box": 1.0, "capsule": 1.0, "turned capsule": 1.0}

WISHES = {
    "box": Wish("box"),
    "turned box": Wish("box", "free"),
    "sphere": Wish("sphere"),
    "capsule": Wish("capsule"),
    "turned capsule": Wish("capsule", "free"),
    "cylinder": Wish("cylinder"),
    "turned cylinder": Wish("cylinder", "free"),
    "tapered capsule": Wish("capsule", "free", taper=True),
    "tapered cylinder": Wish("cylinder", "free", taper=True),
}


class Fitted(NamedTuple):
    """What one fit takes: seconds of CPU time, and how far a point is outside, m."""

    name: str
    seconds: float
    beyond: float


def blob(vertices: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """A bumpy, turned ellipsoid as a closed mesh: about so many vertices, twice the triangles."""
    rows = max(int((vertices / 2) ** 0.5), 3)
    columns = 2 * rows
    polar = (np.arange(rows) + 0.5) * np.pi / rows
    turn = np.arange(columns) * 2.0 * np.pi / columns
    theta, phi = (grid.ravel() for grid in np.meshgrid(polar, turn, indexing="ij"))
    radius = 1.0 + 0.1 * np.sin(5.0 * theta) * np.cos(7.0 * phi)
    ball = np.stack(
        [np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=1
    )
    points = ball * radius[:, None] * (1.0, 2.0, 3.0)
    i, j = (g.ravel() for g in np.meshgrid(np.arange(rows - 1), np.arange(columns), indexing="ij"))
    a, b = i * columns + j, i * columns + (j + 1) % columns
    c, d = a + columns, b + columns
    fan = np.arange(1, columns - 1)
    last = (rows - 1) * columns
    faces = [
        np.stack([a, c, b], axis=1),
        np.stack([b, c, d], axis=1),
        np.stack([np.zeros_like(fan), fan, fan + 1], axis=1),
        last + np.stack([np.zeros_like(fan), fan + 1, fan], axis=1),
    ]
    tilt = np.linalg.qr(np.array([[1.0, 0.4, 0.2], [0.3, 1.0, -0.5], [-0.2, 0.1, 1.0]]))[0]
    return points @ tilt.T, np.concatenate(faces)


def _fastest(function: Callable[[], Found], repeat: int) -> tuple[Found, float]:
    """What a function finds, and seconds of CPU time of the fastest of some runs."""
    times: list[float] = []
    while True:
        start = time.process_time()
        found = function()
        times.append(time.process_time() - start)
        if len(times) >= repeat:
            return found, min(times)


def measure(vertices: int, repeat: int = REPEAT) -> list[Fitted]:
    """What every fit takes."""
    points, triangles = blob(vertices)
    found: list[Fitted] = []
    for name, wish in WISHES.items():
        shape, seconds = _fastest(lambda wish=wish: fit_wish(points, wish), repeat)
        found.append(Fitted(name, seconds, float(shape.beyond(points).max())))
    for budget in (32, 256):
        hull, seconds = _fastest(lambda budget=budget: simple_hull(points, budget), repeat)
        found.append(Fitted(f"hull of {budget}", seconds, 0.0 if hull is None else hull.beyond))
    _, seconds = _fastest(lambda: mesh_volumes.mesh_volume(points, triangles), repeat)
    found.append(Fitted("volume of the mesh", seconds, 0.0))
    return found


def judge(vertices: int, repeat: int = REPEAT) -> tuple[list[str], list[str]]:
    """Measure all: the lines of the table, and what is slower than it may be."""
    found = measure(vertices, repeat)
    return table(vertices, found), exceeded(vertices, found)


def exceeded(vertices: int, found: Sequence[Fitted]) -> list[str]:
    """What is slower than it may be, in words; the bounds are those of `VERTICES`."""
    share = vertices / VERTICES
    return [
        f"fit of {name} to {vertices} vertices: {seconds:.3f} s, {BOUNDS[name] * share:.3f} s "
        "are allowed"
        for name, seconds, _ in found
        if name in BOUNDS and seconds > BOUNDS[name] * share
    ]


def table(vertices: int, found: Sequence[Fitted]) -> list[str]:
    """The lines of the table."""
    lines = [f"{'fit of':>18}  {vertices:>9} vertices"]
    for fitted in found:
        outside = "all inside" if fitted.beyond <= 1e-9 else f"{fitted.beyond:.2g} m outside"
        lines.append(f"{fitted.name:>18}  {fitted.seconds:>7.3f} s   {outside}")
    return lines
