"""Bodies whose moments of inertia are too small for how far from their middle they are hit."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ...geometry.arrays import Array
from ...model.shapes import Capsule, Cylinder, Sphere
from ..world import Body, Solid
from .bullet_shapes import surface_points
from .proxies import HEAVIEST

# How often as easily as its middle a point of a body gives way to a push, from which on Bullet no
# longer keeps it out of others: by experiment with boxes and capsules. A rod has 4, a cube 5.5.
_MOST_YIELDING: Final = 300.0


def gives_way(body: Body) -> bool:
    """Whether a body turns away so easily where it is hit that it sinks into others."""
    moments = body.moments
    if not (len(body.solids) and np.isfinite(moments).all() and (moments > 0.0).all()):
        return False
    mass = min(body.mass, HEAVIEST)
    most = _MOST_YIELDING * float(moments.min())
    if max(_reach(solid, body.center) for solid in body.solids) ** 2 * mass < most:
        return False
    turn = body.principal_axes
    arms = np.concatenate([_points(solid) for solid in body.solids]) - body.center
    # A push along n at an arm p moves it by n·n/m + (p x n)·I⁻¹·(p x n).
    away = np.cross((arms @ turn)[:, None, :], np.eye(3)[None]) / np.sqrt(moments)
    found = np.linalg.eigvalsh(away @ away.transpose(0, 2, 1))[:, -1]
    return bool(found.max() * mass > _MOST_YIELDING)


def _reach(solid: Solid, center: Array) -> float:
    return math.dist(solid.place, center) + float(np.linalg.norm(_ends(solid), axis=1).max())


def _ends(solid: Solid) -> Array:
    """Points (k, 3) of a solid in its own axes; for round ends their middles.

    A push onto a ball goes through its middle.
    """
    form = solid.form
    if isinstance(form, Sphere):
        return np.zeros((1, 3))
    if isinstance(form, Capsule):
        return np.array([[0.0, form.height / 2.0, 0.0], [0.0, -form.height / 2.0, 0.0]])
    if isinstance(form, Cylinder):
        radius = max(form.radius_bottom, form.radius_top)
        return np.array([[radius, form.height / 2.0, 0.0]])
    return surface_points(form)


def _points(solid: Solid) -> Array:
    ends = surface_points(solid.form) if isinstance(solid.form, Cylinder) else _ends(solid)
    points: Array = ends @ solid.rotation.T + solid.place
    return points
