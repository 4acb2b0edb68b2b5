"""Measures convex decomposition beside other fits: volume, hulls, seconds.

From the command line, with a Python that has the bpy module and CoACD:

    .venv/bpy-5.0/bin/python tools/bench/measure_cuts.py
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from omi_physics_addon.blender.authoring.decomposition.cutting import Cutting
from omi_physics_addon.blender.authoring.fit_sources import Cuts, Piece
from omi_physics_addon.geometry.fit.decimation import decimate
from omi_physics_addon.geometry.fit.k_dop import Planes, k_dop
from omi_physics_addon.geometry.fit.voxels import voxel_boxes

if TYPE_CHECKING:
    from collections.abc import Callable

Mesh = tuple[NDArray[np.float64], NDArray[np.int64]]
BOX: Final[NDArray[np.int64]] = np.array(
    [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
     (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
)  # fmt: skip
CELLS: Final = (12, 24)
TRIANGLES: Final = 500
DIRECTIONS: Final[tuple[Planes, ...]] = (10, 18, 26)


def tube(around: int, across: int, radius: Callable[[Any, Any], Any]) -> Mesh:
    """A torus of 1 m about Z, whose tube has a radius that depends on both angles."""
    turn, roll = (np.arange(count) * (2.0 * np.pi / count) for count in (around, across))
    turns, rolls = np.meshgrid(turn, roll, indexing="ij")
    tubes = radius(turns, rolls)
    reach = 1.0 + tubes * np.cos(rolls)
    points = np.stack(
        (reach * np.cos(turns), reach * np.sin(turns), tubes * np.sin(rolls)), axis=-1
    )
    numbers = np.arange(around * across).reshape(around, across)
    right, above = np.roll(numbers, -1, axis=0), np.roll(numbers, -1, axis=1)
    both = np.roll(right, -1, axis=1)
    halves = [(numbers, right, both), (numbers, both, above)]
    triangles: Any = np.concatenate([np.stack(each, axis=-1).reshape(-1, 3) for each in halves])
    corners: Any = points.reshape(-1, 3)
    return corners, triangles


def chair() -> Mesh:
    """A seat, a back and four legs, which overlap a little."""
    places = [((0, 0, 0.45), (0.5, 0.5, 0.06)), ((0, 0.23, 0.75), (0.5, 0.04, 0.6))]
    places += [((x, y, 0.22), (0.05, 0.05, 0.46)) for x in (-0.21, 0.21) for y in (-0.21, 0.21)]
    corners = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    points: list[Any] = [corners * size + center for center, size in places]
    triangles = [BOX + 8 * number for number in range(len(places))]
    join: Any = np.concatenate
    return join(points), join(triangles)


def scan() -> Mesh:
    """A bumpy ring of 100 000 triangles, with noise as a scanner has it."""
    chance = cast(Any, np.random.default_rng(7))

    def radius(turns: Any, rolls: Any) -> Any:
        bumps: Any = 0.08 * np.sin(3.0 * turns + 2.0 * rolls) + 0.04 * np.cos(5.0 * turns - rolls)
        noise = chance.normal(scale=0.001, size=turns.shape)
        return 0.4 + bumps + noise

    return tube(250, 200, radius)


def main() -> None:
    """Print a table as the page about it has it."""
    meshes: dict[str, Mesh] = {
        "Torus": tube(64, 32, lambda turns, _rolls: np.full(turns.shape, 0.3)),
        "Chair": chair(),
        "Scan": scan(),
    }
    print("| Mesh | Triangles | Kind | Hulls | Vertices | Volume | Seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, mesh in meshes.items():
        piece = Piece(*mesh)
        row = f"| {name} | {len(piece.triangles)} |"
        print(f"{row} convex | 1 | | {piece.hull_volume / piece.volume - 1:+.0%} | |")
        for count in DIRECTIONS:
            found = k_dop(piece.points, count, 0.0)
            if found is not None:
                size, more = len(found.corners), found.volume / piece.volume - 1
                print(f"{row} {count} planes | 1 | {size} | {more:+.0%} | |")
        for cells in CELLS:
            begin = time.monotonic()
            boxes = voxel_boxes(piece.points, piece.triangles, cells)
            seconds, more = time.monotonic() - begin, boxes.volume / piece.volume - 1
            size = 8 * len(boxes.low)
            print(
                f"{row} voxels, {cells} | {len(boxes.low)} | {size} | {more:+.0%} | {seconds:.1f} |"
            )
        begin = time.monotonic()
        few = Piece(*decimate(piece.points, piece.triangles, TRIANGLES))
        seconds, more = time.monotonic() - begin, few.volume / piece.volume - 1
        kind = f"trimesh, {len(few.triangles)} triangles"
        print(f"{row} {kind} | | {len(few.points)} | {more:+.1%} | {seconds:.1f} |")
        for concavity in (0.1, 0.05, 0.02):
            begin = time.monotonic()
            (parts,) = Cutting([piece], Cuts(concavity, 0, 64)).wait()
            seconds = time.monotonic() - begin
            more = sum(part.hull_volume for part in parts) / piece.volume - 1
            size = sum(len(part.points) for part in parts)
            kind = f"hulls, {100 * concavity:g} %"
            print(f"{row} {kind} | {len(parts)} | {size} | {more:+.1%} | {seconds:.1f} |")


if __name__ == "__main__":
    main()
