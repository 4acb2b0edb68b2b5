"""Mass, center and inertia of a body as its shapes give them, to compare and to take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

from ....axes import Axes
from ....model.bodies import Motion
from ....model.shapes import Convex, Trimesh
from ...base import changes, groups, mesh_arrays
from ...base.hierarchy import Children
from ...scene import property_records, scene_document

Vector3 = tuple[float, float, float]

MOST_TRIANGLES: Final = 50_000  # Of a body that is weighed again after each change.
_AXES: Final = Axes()


@dataclass(frozen=True)
class Computed:
    """What the shapes of a body say, in its own space and Blender's axes.

    Attributes:
        mass: volume of the shapes times the density of the body, kg.
        center: of mass, m.
        moments: principal ones for each kg, m².
        orientation: of the principal axes, w x y z.
    """

    mass: float
    center: Vector3
    moments: Vector3
    orientation: tuple[float, float, float, float]

    def diagonal(self, motion: Any) -> Vector3:
        """The principal moments for the mass that a body has, kg m²."""
        mass = motion.mass if motion.mass_mode == "VALUE" else self.mass
        x, y, z = (property_records.shortest(mass * each) for each in self.moments)
        return (x, y, z)


@changes.kept
def shown(scene: Any, obj: Any) -> Computed | None:
    """What the shapes of a body say, worked out after changes only; None where it is too large.

    Of one body at a time: the one that is looked at.
    """
    return of_body(scene, obj, None, MOST_TRIANGLES)


def of_body(
    scene: Any, obj: Any, children: Children | None = None, most: float = math.inf
) -> Computed | None:
    """What the shapes of a body say; None without shapes that have a volume.

    Args:
        children: of every object; None to look for them.
        most: triangles, of the shapes together, from which on none are measured.
    """
    motion = groups.of_object(obj).motion
    read = scene_document.read(scene, _members(obj, children), world=False, weigh=False)
    geometries = (shape.geometry for shape in read.document.shapes)
    used = {each.mesh for each in geometries if isinstance(each, (Convex, Trimesh))}
    if sum(max(read.meshes.count(mesh), 0) for mesh in used if mesh is not None) > most:
        return None
    weighing = read.reader.weighing
    whole = None if weighing is None else weighing.whole(0)
    if weighing is None or whole is None:
        return None
    wish = SimpleNamespace(mass_mode="VALUE", center_of_mass_mode="SHAPES", inertia_mode="SHAPES")
    found = weighing.filled(0, Motion(mass=1.0), wish, whole)
    x, y, z, w = _AXES.turn_to_blender(found.inertia_orientation)
    return Computed(
        mass=property_records.shortest(motion.density * whole.mass),
        center=_AXES.point_to_blender(found.center_of_mass or (0.0, 0.0, 0.0)),
        moments=_AXES.size_to_blender(found.inertia_diagonal or (0.0, 0.0, 0.0)),
        orientation=(w, x, y, z),
    )


def take(obj: Any, what: str, found: Computed) -> None:
    """Give a body what its shapes say.

    Args:
        what: MASS, CENTER, INERTIA or ALL.
    """
    motion = groups.of_object(obj).motion
    if what in ("MASS", "ALL"):
        motion.mass_mode, motion.mass = "VALUE", found.mass
    if what in ("CENTER", "ALL"):
        motion.center_of_mass_mode, motion.center_of_mass = "VALUE", found.center
    if what in ("INERTIA", "ALL"):
        motion.inertia_mode = "VALUE"
        motion.inertia_diagonal = found.diagonal(motion)
        motion.inertia_orientation = found.orientation


def _members(obj: Any, children: Children | None) -> list[Any]:
    """A body, first, and what is below it."""
    below = mesh_arrays.children_of_all() if children is None else children
    found = [obj]
    for each in found:
        found += below.get(each, ())
    return found
