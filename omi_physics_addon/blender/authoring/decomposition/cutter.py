"""Cuts one mesh into convex parts, in a process of its own, which can be ended at any time.

From the command line:

    python cutter.py IN.npz OUT.npz

What it has done so far goes to standard output, in the words of CoACD, "Processing [50.0%]".
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_VERTICES = 256  # Of a hull, by CoACD; with fewer it makes hulls simpler.


def main(arguments: Sequence[str]) -> None:
    """Read a mesh and what is asked for, and write the parts."""
    library: Any = importlib.import_module("coacd")
    source, output = arguments
    with np.load(source) as given:
        mesh = library.Mesh(given["points"], given["triangles"])
        vertices = int(given["vertices"])
        library.set_log_level("info")
        parts = library.run_coacd(
            mesh,
            threshold=float(given["concavity"]),
            max_convex_hull=int(given["hulls"]) or -1,
            decimate=vertices < MOST_VERTICES,
            max_ch_vertex=vertices,
            seed=int(given["seed"]),
        )
    arrays: dict[str, Any] = {}
    for number, (points, triangles) in enumerate(parts):
        arrays[f"points{number}"] = points
        arrays[f"triangles{number}"] = triangles
    np.savez(output, count=len(parts), **arrays)


if __name__ == "__main__":
    main(sys.argv[1:])
