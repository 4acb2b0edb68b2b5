"""Starting values of shapes: the smallest one around the vertices of its object."""

from __future__ import annotations

import math
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..axes import Axes
from ..geometry import fit
from ..model.bodies import Motion
from ..model.fields import row
from .mesh_arrays import Points

Vector3 = tuple[float, float, float]
Along = Literal["AUTO", "X", "Y", "Z"]

PRIMITIVES: Final = frozenset({"BOX", "SPHERE", "CAPSULE", "CYLINDER"})
MESHES: Final = frozenset({"CONVEX", "TRIMESH"})

# Sizes are above zero, so what is flat gets this part of its largest size as thickness.
_THIN: Final = 1e-3
# A single point has no largest size, m.
_SMALLEST: Final = 1e-3
# Centers nearer to the origin than this part of the largest size are in the origin: an offset
# costs a node of its own in the file.
_CENTERED: Final = 1e-5

_POINT: Final = row(Motion, "center_of_mass")  # How places change with the axes.
_AXES: Final = Axes()
# Blender's axis → the axis of the same direction in glTF.
_ALONG: Final[dict[Along, fit.AxisChoice]] = {"AUTO": "auto", "X": 0, "Y": 2, "Z": 1}
# glTF's axis → the turn in Blender that lays a shape along Z on it.
_TURNS: Final[dict[fit.Axis, Vector3]] = {
    0: (0.0, math.pi / 2.0, 0.0),
    1: (0.0, 0.0, 0.0),
    2: (-math.pi / 2.0, 0.0, 0.0),
}


def fit_shape(shape: Any, kind: str, points: Points, along: Along = "AUTO") -> None:
    """Make the property group of a shape the smallest of its kind around points.

    Args:
        kind: BOX, SPHERE, CAPSULE or CYLINDER.
        points: (n, 3), at least one, in the object's space and Blender's axes.
        along: the object's axis a capsule or cylinder lies on.

    Raises:
        ValueError: there are no points, or one is not finite.
    """
    _write(shape, "type", kind)
    if kind == "BOX":
        _fit_box(shape, points)
    elif kind == "SPHERE":
        _fit_sphere(shape, points)
    else:
        _fit_round(shape, kind, points, along)


def use_own_mesh(shape: Any, kind: str) -> None:
    """Make the property group of a shape the hull or the surface of its object's own mesh."""
    _write(shape, "type", kind)
    _write(shape, "mesh_source", "OWN")
    _place(shape, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0)


def _fit_box(shape: Any, points: Points) -> None:
    found = fit.fit_box(points)
    largest = max(found.size)
    x, y, z = (_thick(size, largest) for size in found.size)
    _write(shape.box, "size", (x, y, z))
    _place(shape, found.center, _TURNS[1], largest)


def _fit_sphere(shape: Any, points: Points) -> None:
    found = fit.fit_sphere(points)
    _write(shape.sphere, "radius", _thick(found.radius, found.radius))
    _place(shape, found.center, _TURNS[1], found.radius)


def _fit_round(shape: Any, kind: str, points: Points, along: Along) -> None:
    """A capsule or cylinder; fitted in glTF's axes, so that Z wins where others are as good."""
    turned = _stack(_AXES.to_gltf(_POINT, points.T))
    function = fit.fit_capsule if kind == "CAPSULE" else fit.fit_cylinder
    found = function(turned, _ALONG[along])
    largest = max(found.height, found.radius)
    group = shape.capsule if kind == "CAPSULE" else shape.cylinder
    _write(group, "height", _thick(found.height, largest))
    radius = _thick(found.radius, largest)
    _write(group, "radius_bottom", radius)
    _write(group, "radius_top", radius)
    _place(shape, _AXES.to_blender(_POINT, found.center), _TURNS[found.axis], largest)


def _thick(size: float, largest: float) -> float:
    return max(size, _THIN * largest) or _SMALLEST


def _place(shape: Any, center: Vector3, turn: Vector3, largest: float) -> None:
    x, y, z = (c if abs(c) > _CENTERED * largest else 0.0 for c in center)
    _write(shape, "location", (x, y, z))
    _write(shape, "rotation", turn)


def _write(group: Any, name: str, value: Any) -> None:
    """Set a property unless it has the value: Blender saves those that were set."""
    old = getattr(group, name)
    if (tuple(old) if isinstance(value, tuple) else old) != value:
        setattr(group, name, value)


def _stack(coordinates: tuple[Any, Any, Any]) -> NDArray[np.float32]:
    """Points (n, 3) for their x, y and z."""
    return np.stack(coordinates, axis=1)
