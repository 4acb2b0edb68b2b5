"""What becomes of shapes under a scale, by three policies for what no shape of their kind is.

`exact` refuses, as the specification's conversion must; `enclosing` holds all of it, as fits do;
`of_same_volume` keeps what it weighs, for masses and previews. Importing this needs no numpy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar, cast

from ..model.fields import Vector3
from ..model.shapes import Box, Capsule, Cylinder, Geometry, Plane, Primitive, Sphere

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .arrays import Array
    from .fit.placed_shape import Placed

_TOLERANCE: Final = 1e-4  # Relative difference between scales that count as equal in a file.
_SAME: Final = 1e-5  # Relative difference of scales that counts as none for what is enclosed.

Sized = TypeVar("Sized", bound=Primitive | Plane)
Round = TypeVar("Round", bound=Capsule | Cylinder)


def is_even(scale: Vector3) -> bool:
    """Whether all axes are scaled alike, but for mirroring."""
    sizes = [abs(size) for size in scale]
    return max(sizes) - min(sizes) <= _TOLERANCE * max(sizes)


def is_one(scale: Vector3) -> bool:
    """Whether nothing is scaled."""
    return all(abs(size - 1.0) <= _TOLERANCE for size in scale)


def exact(geometry: Geometry, scale: Vector3) -> Geometry | None:
    """What a scale makes of a shape, negative ones count as positive; None for another shape."""
    x, y, z = (abs(size) for size in scale)
    even = is_even(scale)
    if isinstance(geometry, Box):
        a, b, c = geometry.size
        return replace(geometry, size=(a * x, b * y, c * z))
    if isinstance(geometry, Plane):
        return replace(
            geometry,
            size_x=None if geometry.size_x is None else geometry.size_x * x,
            size_z=None if geometry.size_z is None else geometry.size_z * z,
        )
    if isinstance(geometry, Sphere) and even:
        return replace(geometry, radius=geometry.radius * x)
    round_across = is_even((x, x, z))
    if (isinstance(geometry, Cylinder) and round_across) or (
        isinstance(geometry, Capsule) and even
    ):
        return resized(geometry, x, y)
    return geometry if is_one((x, y, z)) else None


def resized(shape: Round, across: float, along: float) -> Round:
    """A round shape with other sizes across and along its axis, as shares of those that it has."""
    return replace(
        shape,
        height=shape.height * along,
        radius_bottom=shape.radius_bottom * across,
        radius_top=shape.radius_top * across,
    )


def of_same_volume(shape: Sized, scale: Sequence[float]) -> Sized:
    """A shape under a positive scale; another shape takes the even scale of the same volume."""
    x, y, z = scale
    same = exact(shape, (x, y, z))
    if same is not None:
        return cast(Sized, same)
    if isinstance(shape, (Box, Plane)):  # Any scale leaves them what they are.
        return shape
    even = math.cbrt(x * y * z)
    if isinstance(shape, Sphere):
        return replace(shape, radius=shape.radius * even)
    return resized(shape, even, even)


def enclosing(found: Placed, scale: ArrayLike) -> tuple[Placed, bool]:
    """A shape under a scale, and whether it is exactly that.

    Where no shape of its kind is, it is one that holds all of it: round shapes take the largest
    scale across, turned boxes get larger.

    Args:
        scale: (3,), along the axes of the points; all above zero or all below.

    Raises:
        ValueError: the scale has another form.
    """
    import numpy as np

    from .fit.placed_shape import Placed

    factors = np.asarray(scale, dtype=np.float64)
    if factors.shape != (3,) or not (np.all(factors > 0.0) or np.all(factors < 0.0)):
        raise ValueError("a scale has three factors of one sign, not 0")
    center = found.center * factors
    size = np.diag(np.abs(factors))
    shape = found.geometry
    is_even = bool(np.ptp(np.abs(factors)) <= _SAME * np.abs(factors).max())
    if isinstance(shape, Sphere):
        return Placed(Sphere(radius=shape.radius * size.max()), center, found.rotation), is_even
    if factors[0] < 0.0 and not isinstance(shape, Box):  # Seen in a point, top is bottom.
        top, bottom = shape.radius_bottom, shape.radius_top
        shape = type(shape)(height=shape.height, radius_bottom=bottom, radius_top=top)
    own = found.rotation.T @ size @ found.rotation
    aligned = bool(np.abs(own - np.diag(np.diag(own))).max() <= _SAME * size.max())
    if isinstance(shape, Box):
        x, y, z = (np.abs(own) @ np.array(shape.size)).tolist()
        return Placed(Box(size=(x, y, z)), center, found.rotation), aligned
    if aligned:
        across, along = float(max(own[0, 0], own[2, 2])), float(own[1, 1])
        is_round = bool(abs(own[0, 0] - own[2, 2]) <= _SAME * across)
        if isinstance(shape, Cylinder):
            return Placed(resized(shape, across, along), center, found.rotation), is_round
        return Placed(_capsule(shape, along, across), center, found.rotation), is_even
    return Placed(*_leaning(shape, found.rotation, size, center)), is_even


def _capsule(shape: Capsule, along: float, across: float) -> Capsule:
    """As wide and as long as the scaled one, which a straight capsule holds then."""
    bottom, top = shape.radius_bottom, shape.radius_top
    if bottom != top:
        across = max(across, along)
    longer = (bottom + top) * max(along - across, 0.0)
    return replace(resized(shape, across, along), height=shape.height * along + longer)


def _leaning(
    shape: Capsule | Cylinder, rotation: Array, size: Array, center: Array
) -> tuple[Capsule | Cylinder, Array, Array]:
    """A round shape whose axis the scale turns."""
    import numpy as np

    axis = rotation[:, 1]
    turned: Array = size @ axis
    along = float(np.linalg.norm(turned))
    turned = turned / along
    most = float(size.max())
    larger = resized(shape, most, along)
    if isinstance(larger, Cylinder):  # Its ends do not stay upright on its axis.
        lean: Array = size @ turned
        lean = lean - axis * (axis @ lean)
        radius = max(shape.radius_bottom, shape.radius_top)
        height = larger.height + 2.0 * radius * float(np.linalg.norm(lean))
        larger = Cylinder(height=height, radius_bottom=radius * most, radius_top=radius * most)
    from .rotations import least_rotation

    return larger, center, least_rotation(axis, turned) @ rotation
