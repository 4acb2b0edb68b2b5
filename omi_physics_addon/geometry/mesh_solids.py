"""Mass properties of solid meshes, under any scale."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from . import inertia
from .arrays import Array, Indices
from .hull import convex_hull
from .inertia import MassProperties

Triangles = tuple[Array, Indices]  # Corners (n, 3) and triangles (m, 3) of them.


Hull = Callable[[Array], Triangles | None]


def solid_of(mesh: Triangles, convex: bool, hull: Hull = convex_hull) -> Triangles | None:
    """The closed surface of a mesh, or its hull; None where it has no volume.

    Args:
        convex: whether the hull is wanted; it also serves where the mesh is not closed.
        hull: what makes the hull of points, None where they are flat.
    """
    corners, triangles = mesh
    if not len(triangles):
        return None
    surface = inertia.inspect_mesh(corners, triangles)
    if not convex and surface.closed and surface.oriented:
        return mesh
    return hull(corners[np.unique(triangles)])


class Solids:
    """Measures the meshes of a file, each of which is read once."""

    def __init__(self, read: Callable[[int], Triangles | None], hull: Hull = convex_hull) -> None:
        """Take what reads a mesh by its index, None for one that cannot be read."""
        self._read, self._hull = read, hull
        self._found: dict[tuple[int, bool], Triangles | None] = {}

    def measure(self, mesh: int, convex: bool, linear: ArrayLike) -> MassProperties | None:
        """Mass properties at 1 kg/m³ of a mesh or its hull; None where it has no volume.

        Args:
            linear: (3, 3), from the axes of the mesh to those of the result; may scale, mirror
                and shear.
        """
        key = (mesh, convex)
        if key not in self._found:
            triangles = self._read(mesh)
            self._found[key] = (
                None if triangles is None else solid_of(triangles, convex, self._hull)
            )
        solid = self._found[key]
        if solid is None:
            return None
        corners, triangles = solid
        matrix = np.asarray(linear, dtype=np.float64)
        return inertia.measure_mesh(corners @ matrix.T, triangles)
