"""Tells of round shapes on objects with an uneven scale, which makes other shapes of them."""

from __future__ import annotations

from typing import Any, Final

from mathutils import Matrix

from ...axes import Axes
from ...codec.values.node_tree import scale_of
from ...geometry.scaled_shapes import exact
from ...issue_codes import Code
from ...issues import Issues
from ...model.shapes import Capsule, Cylinder, Geometry, Sphere

ROUND: Final = (Sphere, Capsule, Cylinder)
_WHY: Final = (
    "its scale is uneven, of which engines make round shapes of different sizes: "
    "apply the scale and fit the shape again, or use a convex shape"
)


def tell(geometry: Geometry, matrix: Matrix, axes: Axes, name: str, issues: Issues) -> None:
    """Tell of a sphere, capsule or cylinder that stops being one on a node.

    Args:
        matrix: of the node in the world, in Blender's axes.
    """
    if not isinstance(geometry, ROUND):
        return
    if matrix.to_3x3().is_orthogonal:  # Nothing is scaled; asking so costs next to nothing.
        return
    columns: Any = matrix.transposed()
    scale = scale_of(tuple(number for column in columns for number in column))
    if scale is None or exact(geometry, axes.size_to_gltf(scale)) is None:
        issues.add(Code.ROUND_SHAPE_SCALED_UNEVENLY, name, _WHY)
