"""The solids that shapes of nodes are in the space of a body, and what they weigh."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from ..geometry import inertia
from ..geometry.arrays import Array
from ..geometry.hull import convex_hull
from ..geometry.inertia import MassProperties
from ..geometry.mesh_solids import Triangles, solid_of
from ..geometry.rotations import nearest_rotation
from ..geometry.scaled_shapes import of_same_volume
from ..model.shapes import Convex, Geometry, OtherGeometry, Plane, Primitive, Trimesh
from .world import Form, Mesh, Solid

ReadMesh = Callable[[int], Triangles | None]

UNEVEN: Final = 1e-3  # Relative difference of scales that counts as an uneven scale.
_TURNED_OVER: Final = np.array([1.0, -1.0, -1.0])
_KEPT: Final = 20  # Binary digits of a stretch that count; 32-bit numbers have 24.


def formed(geometry: Geometry, linear: Array, read_mesh: ReadMesh) -> tuple[Form, Array] | None:
    """A shape in the sizes it has in the world, and its rotation (3, 3) there.

    A round shape on an uneven scale gets the even scale of the same volume.

    Args:
        linear: (3, 3), from the axes of the shape's node to those of the result; may scale.

    Returns:
        None for a shape without volume or of no finite size, without a mesh, or of an unknown type.
    """
    if isinstance(geometry, OtherGeometry):
        return None
    if isinstance(geometry, (Convex, Trimesh)):
        mesh = None if geometry.mesh is None else read_mesh(geometry.mesh)
        return None if mesh is None else _mesh(mesh, linear, isinstance(geometry, Convex))
    with np.errstate(over="ignore", invalid="ignore"):
        scale: Array = np.linalg.norm(linear, axis=0)
    if not (scale.all() and np.isfinite(scale).all()):
        return None
    turn = nearest_rotation(linear)
    if np.linalg.det(linear) < 0.0:
        turn = turn * _TURNED_OVER  # What is up in a cone stays up where it is mirrored sideways.
    return of_same_volume(geometry, scale.tolist()), turn


def _mesh(mesh: Triangles, linear: Array, is_convex: bool) -> tuple[Form, Array] | None:
    corners, triangles = mesh
    if not len(triangles):
        return None
    if np.linalg.det(linear) < 0.0:
        triangles = triangles[:, ::-1]
    return Mesh(corners @ linear.T, triangles, is_convex), np.eye(3)


def measure(form: Form) -> MassProperties | None:
    """What a solid weighs at 1 kg/m³, in its own axes; None where it has no volume."""
    if isinstance(form, Plane):
        return None
    if isinstance(form, Primitive):
        return inertia.measure_primitive(form)
    found = solid_of((form.corners, form.triangles), form.is_convex, convex_hull)
    return None if found is None else inertia.measure_mesh(*found)


def weigh(solids: tuple[Solid, ...]) -> MassProperties | None:
    """What several solids weigh together at 1 kg/m³; None where none has a volume.

    Those whose moments are beyond all numbers do not count.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        parts = [
            inertia.place(part, solid.rotation, solid.place)
            for solid in solids
            if (part := measure(solid.form)) is not None
            and part.mass > 0.0
            and np.isfinite(part.tensor).all()
        ]
    return inertia.combine(parts) if parts else None


def without_noise(linears: Array) -> Array:
    """Matrices (n, 3, 3) without the digits that are noise where they come from 32-bit numbers.

    So a body that is turned has the same sizes as one like it that is not, to the last digit, and
    what was found for one is known for all that are alike. Each column has noise of its own size,
    as a thing may be far thinner than it is long.
    """
    exponents = np.frexp(np.abs(linears).max(axis=1, initial=0.0))[1]
    with np.errstate(over="ignore", invalid="ignore"):  # Such shapes are left out later.
        digits: Array = np.ldexp(1.0, _KEPT - exponents)[:, None, :]
        result: Array = np.round(linears * digits) / digits + 0.0
    return result
