"""What the bodies of a draft weigh, from what is given and from their shapes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...convert.draft import Draft
from ...convert.shape_conversion import DENSITY

if TYPE_CHECKING:
    from ....geometry.arrays import Array


@dataclass(frozen=True, eq=False)
class WeighedBody:
    """A body in the scene, without its scale.

    Attributes:
        mass: kg.
        origin, center: (3,), m, of its node and of its mass.
        axes: (3, 3), of its node as columns.
        tensor: (3, 3), kg m², about the center of mass, along the axes.
    """

    mass: float
    origin: Array
    center: Array
    axes: Array
    tensor: Array


def weighed(draft: Draft, node: int) -> WeighedBody | None:
    """A dynamic body of finite mass; None for others, and where its shapes are unknown."""
    import numpy as np

    from ....geometry import inertia
    from ....geometry.rotations import nearest_rotation

    motion = draft.of(node).motion
    if motion is None or motion.type != "dynamic" or motion.mass in (0.0, math.inf):
        return None
    matrix = np.array(draft.world(node)).reshape(4, 4).T
    linear: Array = matrix[:3, :3]
    origin: Array = matrix[:3, 3]
    axes = nearest_rotation(linear)
    given = motion.center_of_mass, motion.inertia_diagonal
    if motion.mass is not None and given[0] is not None and given[1] is not None:
        tensor = inertia.tensor(given[1], motion.inertia_orientation)
        return WeighedBody(motion.mass, origin, origin + linear @ np.array(given[0]), axes, tensor)
    whole = None if draft.weigh is None else draft.weigh(node)
    if whole is None:
        return None
    mass = whole.mass * DENSITY if motion.mass is None else motion.mass
    center = whole.center if given[0] is None else axes.T @ linear @ np.array(given[0])
    if given[1] is None:
        away = whole.center - center
        tensor = inertia.with_mass(whole, mass).tensor
        tensor = tensor + mass * (away @ away * np.eye(3) - np.outer(away, away))
    else:
        tensor = inertia.tensor(given[1], motion.inertia_orientation)
    return WeighedBody(mass, origin, origin + axes @ center, axes, tensor)
