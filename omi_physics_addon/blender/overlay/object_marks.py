"""The marks of motion, vehicle parts and seats."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...axes import points_to_blender
from ...geometry.lines import curves, motion_lines, seat_lines, vehicle_lines
from ...model.seats import Seat
from ...model.vehicles import HoverThruster, Thruster, Wheel
from ..scene import property_records
from .marks import AXES, ORIGIN, Anchor, Lines, Mark, MarkContext, Role, frozen

if TYPE_CHECKING:
    from ..authoring.following.body_masses import Computed


def object_marks(obj: Any, group: Any, context: MarkContext) -> Iterator[Mark]:
    """The marks of what an object is besides a shape, a joint and a gravity volume."""
    size = context.size_of(obj)
    if group.use_motion:
        yield from _motion_marks(group.motion, size)
    if group.use_vehicle_body:
        yield Mark(Role.VEHICLE, _front(_reach(obj), context.size), ORIGIN)
    if group.use_wheel:
        wheel = property_records.read(group.wheel, Wheel, AXES, physics_material=None)
        yield Mark(Role.VEHICLE, _wheel(wheel), ORIGIN)
    if group.use_thruster:
        thruster = property_records.read(group.thruster, Thruster, AXES)
        yield Mark(Role.VEHICLE, _thruster(thruster, size), ORIGIN)
    if group.use_hover_thruster:
        hover = property_records.read(group.hover_thruster, HoverThruster, AXES)
        yield Mark(Role.VEHICLE, _hover_thruster(hover, size), ORIGIN)
    if group.use_seat:
        yield Mark(Role.SEAT, _seat(property_records.read(group.seat, Seat, AXES)))


def _motion_marks(motion: Any, size: float) -> Iterator[Mark]:
    """Velocities where the mass is, and the mass as far as it is given.

    What is worked out from shapes is not: that would weigh all meshes again and again.
    """
    if motion.type == "STATIC":
        return
    given = motion.center_of_mass_mode == "VALUE"
    center: Anchor = tuple(motion.center_of_mass) if given else ORIGIN
    linear, angular = tuple(motion.linear_velocity), tuple(motion.angular_velocity)
    if any(linear):
        yield Mark(Role.VELOCITY, motion_lines.velocity_lines(linear, size), center)
    if any(angular):
        yield Mark(Role.VELOCITY, motion_lines.spin_lines(angular, size), center)
    if given:
        yield Mark(Role.MASS, _center(size), center)
    if motion.type == "DYNAMIC" and motion.inertia_mode == motion.mass_mode == "VALUE":
        w, x, y, z = motion.inertia_orientation
        diagonal = tuple(motion.inertia_diagonal)
        yield Mark(Role.MASS, _inertia(motion.mass, diagonal, (x, y, z, w)), center)


def computed_marks(motion: Any, found: Computed, size: float) -> Iterator[Mark]:
    """The mass as the shapes of a body give it, and how far what is given is from that."""
    yield Mark(Role.MASS, _center(0.6 * size), found.center)
    mass = motion.mass if motion.mass_mode == "VALUE" else found.mass
    w, x, y, z = found.orientation
    yield Mark(Role.MASS, _inertia(mass, found.diagonal(motion), (x, y, z, w)), found.center)
    if motion.center_of_mass_mode == "VALUE":
        yield Mark(Role.MASS, curves.line(tuple(motion.center_of_mass), found.center))


def _reach(vehicle: Any) -> float:
    """How far a vehicle goes to its front, so that nothing of it hides the arrow."""
    if vehicle.type == "EMPTY":  # Make Vehicle gives it half the size of the chassis below.
        return float(vehicle.empty_display_size)
    return max(-min(corner[1] for corner in vehicle.bound_box), 0.0)


@lru_cache(maxsize=256)
def _front(reach: float, size: float) -> Lines:
    return frozen(points_to_blender(vehicle_lines.front_lines(reach, size * (reach or 1.0))))


@lru_cache(maxsize=1024)
def _wheel(wheel: Wheel) -> Lines:
    return frozen(points_to_blender(vehicle_lines.wheel_lines(wheel)))


@lru_cache(maxsize=1024)
def _thruster(thruster: Thruster, size: float) -> Lines:
    return frozen(points_to_blender(vehicle_lines.thruster_lines(thruster, size)))


@lru_cache(maxsize=1024)
def _hover_thruster(thruster: HoverThruster, size: float) -> Lines:
    return frozen(points_to_blender(vehicle_lines.hover_thruster_lines(thruster, size)))


@lru_cache(maxsize=1024)
def _seat(seat: Seat) -> Lines:
    return frozen(points_to_blender(seat_lines.seat_lines(seat)))


@lru_cache(maxsize=256)
def _center(size: float) -> Lines:
    return frozen(motion_lines.center_lines(0.3 * size))


@lru_cache(maxsize=1024)
def _inertia(mass: float, diagonal: Anchor, orientation: tuple[float, ...]) -> Lines:
    return frozen(motion_lines.inertia_lines(mass, diagonal, orientation))
