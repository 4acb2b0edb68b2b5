"""What links weigh whose file says only how dense they are, or how heavy."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..axes import matrices_to_blender, points_to_blender
from ..geometry import inertia
from ..geometry.inertia import MassProperties
from ..model.shapes import Box
from ..simulation.body_solids import measure
from .robots import Link, Part


def measured(part: Part) -> MassProperties | None:
    """What a part weighs at 1 kg/m³ in its link; None where it has no volume."""
    found = measure(part.form)
    if found is None or found.mass <= 0.0 or not np.isfinite(found.tensor).all():
        return None
    if not isinstance(part.form, Box) and hasattr(part.form, "height"):  # Measured along Y.
        center, tensor = points_to_blender(found.center), matrices_to_blender(found.tensor)
        found = MassProperties(found.mass, center, tensor)
    return inertia.place(found, part.pose.rotation, part.pose.place)


def weigh(link: Link, parts: Iterable[tuple[Part, float]], mass: float | None) -> None:
    """Give a link the mass, center and inertia of its parts.

    Args:
        parts: and the density of each, kg/m³.
        mass: that the whole has, kg; None for what the densities say.
    """
    solids = [
        inertia.with_mass(found, found.mass * density)
        for part, density in parts
        if (found := measured(part)) is not None
    ]
    if not solids:
        link.mass = mass
        return
    whole = inertia.combine(solids)
    if mass is not None:
        whole = inertia.with_mass(whole, mass)
    link.mass, link.center, link.tensor = whole.mass, whole.center, whole.tensor
