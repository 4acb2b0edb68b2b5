"""Bodies whose moments of inertia are too small for how far from their middle they are hit."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..world import Body
from .bullet_shapes import rounded
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
    # A push onto a ball goes through its middle.
    arms = rounded(body.solids)[0] - body.center
    if float((arms * arms).sum(axis=1).max()) * mass < _MOST_YIELDING * float(moments.min()):
        return False
    turn = body.principal_axes
    # A push along n at an arm p moves it by n·n/m + (p x n)·I⁻¹·(p x n).
    away = np.cross((arms @ turn)[:, None, :], np.eye(3)[None]) / np.sqrt(moments)
    found = np.linalg.eigvalsh(away @ away.transpose(0, 2, 1))[:, -1]
    return bool(found.max() * mass > _MOST_YIELDING)
