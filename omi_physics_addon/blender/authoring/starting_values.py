"""Starting values of vehicles and their parts: what fits the mass and the meshes there are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Vector

from ...geometry import inertia
from ...model.gravity import EARTH
from ...model.vehicles import Wheel
from ..base import groups, mesh_arrays
from ..base.groups import of_scene, scene_gravity
from ..base.hierarchy import Children, ancestors, is_no_body, with_below
from ..base.mesh_arrays import Points
from ..scene import derived_masses
from ..scene.mesh_sources import source_of
from .fitting import PRIMITIVES, stored_shape

_CAR_DENSITY: Final = 150.0  # Of the box around a car, kg/m³.
_USUAL_MASS: Final = 1000.0  # Of a vehicle without a size, kg.
_SMALLEST: Final = 1e-3  # Of a wheel, m.
_SINK: Final = 1.0 / 3.0  # Of the travel, under the weight of the vehicle.
# Shares of critical damping; dampers resist more while they extend.
_COMPRESSION: Final = 0.3
_REBOUND: Final = 0.5
_PUSH: Final = 1.5  # Of the weight, by all thrusters together.
_LIFT: Final = 2.0  # Of the weight at the chosen height, by all hover thrusters together.
_USUAL_FORCE: Final = 1000.0  # Of a thruster without a vehicle, N.
_ALMOST_ROUND: Final = 0.1  # Difference of sizes that the place on a vehicle may outweigh.
_UNCHANGED: Final = 1e-4  # Relative difference of a value that was set from what it was set to.
PARTS: Final = ("wheel", "thruster", "hover_thruster")


def vehicle_above(obj: Any) -> Any:
    """The nearest vehicle above an object; None for none."""
    return next((a for a in ancestors(obj) if groups.read(a).use_vehicle_body), None)


def parts_below(vehicle: Any, part: str, children: Children) -> list[Any]:
    """The objects below a vehicle that have a part, those of vehicles below it left out."""
    found: list[Any] = []
    waiting = list(children.get(vehicle, ()))
    while waiting:
        obj = waiting.pop()
        group = groups.of_object(obj)
        if getattr(group, f"use_{part}"):
            found.append(obj)
        if not group.use_vehicle_body:
            waiting.extend(children.get(obj, ()))
    return found


def gravity_of(scene: bpy.types.Scene) -> float:
    """How strongly a scene pulls, m/s²; where it does not, Earth's."""
    settings = of_scene(scene)
    if settings.use_world_gravity and settings.world_gravity.source == "VALUE":
        return abs(settings.world_gravity.gravity) or EARTH
    return scene_gravity(scene).length or EARTH


def mass_of(body: Any, children: Children) -> float | None:
    """The mass of a body, kg; None where it is left to the engine, infinite or zero."""
    group = groups.of_object(body)
    if not group.use_motion:
        return None
    if group.motion.mass_mode == "VALUE":
        return group.motion.mass or None
    if group.motion.mass_mode == "DENSITY":
        return group.motion.density * _volume(body, children) or None
    return None


def guess_mass(obj: Any) -> float:
    """What a vehicle as large as an object weighs, kg, in two digits."""
    x, y, z = obj.dimensions
    guess = _CAR_DENSITY * x * y * z
    return float(f"{guess:.2g}") if guess > 0.0 else _USUAL_MASS


def _volume(body: Any, children: Children) -> float:
    total = 0.0
    for part in with_below(body, children, is_no_body):
        group = groups.of_object(part)
        if group.use_collider:
            stretch = abs(part.matrix_world.to_3x3().determinant())
            total += stretch * _shape_volume(part, group.collider.shape)
    return total


def _shape_volume(obj: Any, shape: Any) -> float:
    """The volume of a shape without the scale of its object, m³; meshes count as their hulls."""
    if shape.type in PRIMITIVES:
        return stored_shape(shape).volume
    if shape.type not in ("CONVEX", "TRIMESH"):
        return 0.0
    hull = derived_masses.hull_of(_own_points(obj, shape).astype(np.float64))
    return 0.0 if hull is None else inertia.measure_mesh(*hull).mass


def _own_points(obj: Any, shape: Any) -> Points:
    source = source_of(obj, shape)
    if source is not None:
        with mesh_arrays.temporary_mesh(source, None) as mesh:
            if mesh is not None:
                return mesh_arrays.points(mesh)
    return np.zeros((0, 3), dtype=np.float32)


@dataclass(frozen=True, kw_only=True)
class WheelSize:
    """How large a wheel is, in the world, m."""

    radius: float
    width: float


@dataclass(frozen=True, kw_only=True)
class WheelForm(WheelSize):
    """How large a wheel is that a mesh shows.

    Attributes:
        center: of the mesh, in the space of its object.
        axle: axis of the object that it turns about, 0 for X.
    """

    center: Vector
    axle: int


def measure_wheel(obj: Any, points: Points, across: Vector | None = None) -> WheelForm:
    """The wheel that a mesh shows: round about the axis where its other two sizes are alike.

    Args:
        points: (n, 3), at least one, in the object's space.
        across: direction in the object's space that axles should have; X where it is left out.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    sizes = [abs(float(s)) for s in (high - low) * np.array(obj.matrix_world.to_scale())]
    wanted = (across or Vector((1.0, 0.0, 0.0))).normalized()

    def unlike(axis: int) -> float:
        one, other = (sizes[i] for i in range(3) if i != axis)
        largest = max(one, other)
        oval = abs(one - other) / largest if largest else 0.0
        return oval + _ALMOST_ROUND * (1.0 - abs(wanted[axis]))

    axle = min(range(3), key=unlike)
    radius = max(size for axis, size in enumerate(sizes) if axis != axle) / 2.0
    center = Vector([float(c) for c in (low + high) / 2.0])
    width = max(sizes[axle], _SMALLEST)
    return WheelForm(center=center, axle=axle, radius=max(radius, _SMALLEST), width=width)


def set_wheel_size(wheel: Any, form: WheelSize) -> None:
    """Give a wheel the size of a mesh; a small one gets a suspension that is no longer."""
    wheel.radius, wheel.width = _steady(form.radius), _steady(form.width)
    if wheel.radius < wheel.suspension_travel:
        wheel.suspension_travel = wheel.radius


def set_springs(wheel: Any, load: float, gravity: float) -> None:
    """Let a wheel carry its share of a vehicle.

    Args:
        load: what presses on the wheel, N.
        gravity: m/s².
    """
    stiffness = load / (_SINK * (wheel.suspension_travel or Wheel.suspension_travel))
    critical = 2.0 * math.sqrt(stiffness * load / gravity)
    wheel.suspension_stiffness = _steady(stiffness)
    wheel.suspension_damping_compression = _steady(_COMPRESSION * critical)
    wheel.suspension_damping_rebound = _steady(_REBOUND * critical)


@dataclass(frozen=True)
class Sharing:
    """What the parts of one kind of a vehicle share.

    Attributes:
        part: one of `PARTS`.
        weight: of the vehicle, N; None where there is none, or its mass is unknown.
        gravity: m/s².
        height: at which half of the energy of hover thrusters carries the vehicle, m.
    """

    part: str
    weight: float | None
    gravity: float
    height: float = 1.0

    def divide(self, new: Sequence[Any], every: Sequence[Any]) -> list[Any]:
        """Set the share of new parts, and of those that still have a share as it was before.

        Args:
            every: all of the vehicle, the new ones too.

        Returns:
            What was set.
        """
        fresh = set(new)
        old = [obj for obj in every if obj not in fresh]
        found = [*new, *(obj for obj in old if self._has_share(obj, len(old)))]
        for obj in found:
            self._set_share(obj, len(every))
        return found

    def _share(self, group: Any, count: int) -> tuple[str, float]:
        """The property that tells the share of one of so many parts, and its value."""
        if self.part == "thruster":
            force = _USUAL_FORCE if self.weight is None else _PUSH * self.weight / count
            return "max_force", force
        if self.part == "hover_thruster":
            load = _USUAL_FORCE if self.weight is None else self.weight / count
            return "max_hover_energy", _LIFT * self.height * load
        travel = group.suspension_travel or Wheel.suspension_travel
        return "suspension_stiffness", (self.weight or 0.0) / count / (_SINK * travel)

    def _has_share(self, obj: Any, count: int) -> bool:
        group = getattr(groups.of_object(obj), self.part)
        name, value = self._share(group, count)
        return math.isclose(getattr(group, name), value, rel_tol=_UNCHANGED)

    def _set_share(self, obj: Any, count: int) -> None:
        group = getattr(groups.of_object(obj), self.part)
        if self.part != "wheel":
            name, value = self._share(group, count)
            setattr(group, name, _steady(value))
        elif self.weight is not None:
            set_springs(group, self.weight / count, self.gravity)


def set_seat(obj: Any, size: float) -> None:
    """Give a seat the points for a character of a size, whatever the scale of its object."""
    group = groups.of_object(obj).seat
    scale = obj.matrix_world.to_scale()
    if size == 1.0 and all(abs(s - 1.0) < 1e-6 for s in scale):
        return
    for name in SEAT_POINTS:
        group.property_unset(name)
        usual = getattr(group, name)
        place = [p * size / abs(s) if s else p * size for p, s in zip(usual, scale, strict=True)]
        setattr(group, name, place)


SEAT_POINTS: Final = ("back", "foot", "knee")


def _steady(value: float) -> float:
    """A value in six digits: what is measured has no more."""
    return float(f"{value:.6g}")


def front_ones(vehicle: Any, wheels: Sequence[Any]) -> set[Any]:
    """The wheels in front of the middle of all; where all are in one row, of the vehicle."""
    into = vehicle.matrix_world.inverted_safe()
    along = {obj: (into @ obj.matrix_world.translation).y for obj in wheels}
    first, last = min(along.values()), max(along.values())
    if last - first > max(groups.of_object(obj).wheel.radius for obj in wheels):
        middle = (first + last) / 2.0
    else:
        corners = [corner[1] for corner in vehicle.bound_box]
        middle = (min(corners) + max(corners)) / 2.0
    return {obj for obj, y in along.items() if y < middle}
