"""A shape with its place among points: its volume, and how far points lie outside of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...model.shapes import Box, Capsule, Cylinder, Sphere
from .. import inertia
from ..arrays import Array

Primitive = Box | Sphere | Capsule | Cylinder


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
        return volume(self.geometry)

    def beyond(self, points: Array) -> Array:
        """How far each of the points (n, 3) lies outside, m; negative inside."""
        return _beyond(self.geometry, (points - self.center) @ self.rotation)

    def grown(self, margin: float) -> Placed:
        """The shape with its surface moved outwards, or inwards where `margin` is negative.

        The margin is in metres; no size gets below zero.
        """
        return replace(self, geometry=grown(self.geometry, margin))


def volume(shape: Primitive) -> float:
    """The volume of a shape in m³."""
    if isinstance(shape, Box):
        return inertia.measure_box(shape.size).mass
    if isinstance(shape, Sphere):
        return inertia.measure_sphere(shape.radius).mass
    sizes = (shape.height, shape.radius_bottom, shape.radius_top)
    if isinstance(shape, Capsule):
        return inertia.measure_capsule(*sizes).mass
    return inertia.measure_cylinder(*sizes).mass


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


def _beyond(shape: Primitive, local: Array) -> Array:
    if isinstance(shape, Box):
        return np.max(np.abs(local) - np.array(shape.size) / 2.0, axis=1)
    if isinstance(shape, Sphere):
        return np.linalg.norm(local, axis=1) - shape.radius
    along, across = local[:, 1], np.hypot(local[:, 0], local[:, 2])
    half = shape.height / 2.0
    change = shape.radius_top - shape.radius_bottom
    if isinstance(shape, Cylinder):
        share = np.clip(along / shape.height + 0.5, 0.0, 1.0) if shape.height else 0.5
        cosine = shape.height / np.hypot(shape.height, change) if shape.height else 1.0
        aside = (across - shape.radius_bottom - change * share) * cosine
        return np.maximum(np.abs(along) - half, aside)
    if abs(change) >= shape.height:  # One ball holds the other.
        middle = np.full_like(along, half if change > 0.0 else -half)
    else:
        sine = -change / shape.height
        middle = np.clip(along - across * sine / np.sqrt(1.0 - sine * sine), -half, half)
    share = middle / shape.height + 0.5 if shape.height else 0.5
    return np.hypot(along - middle, across) - (shape.radius_bottom + change * share)
