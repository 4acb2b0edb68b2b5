"""A shape with its place among points: its volume, and how far points lie outside of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...model.shapes import Box, Capsule, Primitive, Sphere
from .. import inertia
from ..arrays import Array
from ..inside import beyond


@dataclass(frozen=True, eq=False)
class Placed:
    """A shape where it sits.

    Sizes may be 0 where the points are flat.

    Attributes:
        geometry: along Y of its own axes.
        center: (3,), m, in the axes of the points.
        rotation: (3, 3), from the shape's own axes to those of the points.
    """

    geometry: Primitive
    center: Array
    rotation: Array

    @property
    def volume(self) -> float:
        """The volume in m³."""
        return inertia.measure_primitive(self.geometry).mass

    def beyond(self, points: Array) -> Array:
        """How far each of the points (n, 3) lies outside, m; negative inside."""
        return beyond(self.geometry, (points - self.center) @ self.rotation)

    def grown(self, margin: float) -> Placed:
        """The shape with its surface moved outwards, or inwards where `margin` is negative.

        The margin is in metres; no size gets below zero.
        """
        return replace(self, geometry=grown(self.geometry, margin))

    def within(self, points: Array) -> Placed:
        """A capsule whose caps end where points (n, 3) do; other shapes, and short ones, as is."""
        shape = self.geometry
        if not isinstance(shape, Capsule):
            return self
        axis = self.rotation[:, 1]
        along = (points - self.center) @ axis
        low, high = float(along.min()) + shape.radius_bottom, float(along.max()) - shape.radius_top
        if not 0.0 < high - low < shape.height:
            return self
        center = self.center + (low + high) / 2.0 * axis
        return replace(self, geometry=replace(shape, height=high - low), center=center)


def largest(shape: Primitive) -> float:
    """The largest of the sizes that a shape is given by, m."""
    if isinstance(shape, Box):
        return max(shape.size)
    if isinstance(shape, Sphere):
        return shape.radius
    return max(shape.height, shape.radius_bottom, shape.radius_top)


def box_around(shape: Primitive) -> tuple[float, float, float]:
    """The edges of the smallest box about the same center that holds a shape, m."""
    if isinstance(shape, Box):
        return shape.size
    if isinstance(shape, Sphere):
        width = 2.0 * shape.radius
        return width, width, width
    width = 2.0 * max(shape.radius_bottom, shape.radius_top)
    return width, shape.height + (width if isinstance(shape, Capsule) else 0.0), width


def grown(shape: Primitive, margin: float) -> Primitive:
    """A shape with its surface moved outwards by metres; no size gets below zero.

    The cone of a tapered cylinder is moved along its radii, which is a little less than that.
    """
    if isinstance(shape, Box):
        x, y, z = (max(size + 2.0 * margin, 0.0) for size in shape.size)
        return replace(shape, size=(x, y, z))
    if isinstance(shape, Sphere):
        return replace(shape, radius=max(shape.radius + margin, 0.0))
    bottom, top = (max(r + margin, 0.0) for r in (shape.radius_bottom, shape.radius_top))
    if isinstance(shape, Capsule):
        return replace(shape, radius_bottom=bottom, radius_top=top)
    height = max(shape.height + 2.0 * margin, 0.0)
    return replace(shape, height=height, radius_bottom=bottom, radius_top=top)
