"""Makes objects wheels of a vehicle, turned as the specification has them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

import bpy
from mathutils import Matrix, Quaternion, Vector

from ..base import groups
from ..base.hierarchy import new_empty
from ..base.mesh_arrays import Points, evaluated_points
from .starting_values import WheelForm, WheelSize, measure_wheel, set_wheel_size, vehicle_above

# Cosine of half the angle to the vehicle that needs no object of its own; 0.02 rad.
_SAME_TURN: Final = math.cos(0.01)
_SAME_PLACE: Final = 0.05  # Distance of the origin from the middle, of the radius.
_SAME_SCALE: Final = 1e-3  # Difference of the scale from 1.
_ACROSS: Final = 0.7  # Cosine of the angle between an axle and the X axis of its vehicle.
_X: Final = Vector((1.0, 0.0, 0.0))


class Wheels:
    """Makes objects wheels of one vehicle.

    A wheel turns about its X axis, and its suspension moves along Z. The mesh of an object that
    has other axes, another origin or a scale goes below an empty that is the wheel.

    Attributes:
        made: the objects that are wheels now.
        new: those that were none before, and have a size.
        askew: how many meshes are not round about the X axis of the vehicle.
    """

    def __init__(self, vehicle: Any, place: Matrix, depsgraph: bpy.types.Depsgraph) -> None:
        """Start without any.

        Args:
            place: of the vehicle in the world; it may be so new that Blender does not know it.
        """
        self.made: list[Any] = []
        self.new: list[Any] = []
        self.askew = 0
        self._vehicle = vehicle
        self._depsgraph = depsgraph
        self._place = place
        self._turn = self._place.to_quaternion()

    def make(self, obj: Any) -> None:
        """Make an object, or an empty above it, a wheel."""
        points = evaluated_points(obj, self._depsgraph)
        old = obj.matrix_world.copy()
        if not len(points):
            self._parent(obj)
            self._flag(obj, None)
            return
        form = _form(obj, points, self._turn @ _X)
        self.put(obj, old @ form.center, _axle(old.to_quaternion(), form), form)

    def put(self, obj: Any, center: Vector, axle: Vector, size: WheelSize) -> Any:
        """Make an object, or an empty above it, a wheel of known form; returns what is the wheel.

        Args:
            center, axle: in the world; the axle of length one.
        """
        old = obj.matrix_world.copy()
        turn = self._wheel_turn(axle)
        if self._is_right(old, turn, center, axle, size.radius):
            self._parent(obj)
            self._flag(obj, size)
            return obj
        place = Matrix.LocRotScale(center, turn, None)
        holder = self._holder(obj, size.radius)
        keep_place(holder, self._vehicle, self._place, place)
        groups.of_object(obj).property_unset("wheel")
        groups.of_object(obj).property_unset("use_wheel")
        keep_place(obj, holder, place, old)
        self._flag(holder, size)
        return holder

    def _wheel_turn(self, axle: Vector) -> Quaternion:
        """How the wheel is turned: as the vehicle, but along its axle where that lies across."""
        across = self._turn @ _X
        cosine = axle.dot(across)
        if abs(cosine) < _ACROSS:
            self.askew += 1
            return self._turn
        return across.rotation_difference(axle if cosine > 0.0 else -axle) @ self._turn

    @staticmethod
    def _is_right(
        old: Matrix, turn: Quaternion, center: Vector, axle: Vector, radius: float
    ) -> bool:
        """Whether the object can be the wheel itself."""
        return (
            abs((old.to_quaternion() @ _X).dot(axle)) > _SAME_TURN
            and abs(old.to_quaternion().dot(turn)) > _SAME_TURN
            and all(abs(s - 1.0) < _SAME_SCALE for s in old.to_scale())
            and (old.to_translation() - center).length < _SAME_PLACE * radius
        )

    def _parent(self, obj: Any) -> None:
        if vehicle_above(obj) != self._vehicle:
            keep_place(obj, self._vehicle, self._place)

    def _holder(self, obj: Any, radius: float) -> Any:
        """An empty in the collections of an object."""
        word = "Hub" if "wheel" in obj.name.lower() else "Wheel"
        return new_empty(f"{obj.name} {word}", obj.users_collection, size=radius)

    def _flag(self, obj: Any, size: WheelSize | None) -> None:
        group = groups.of_object(obj)
        if size is not None:
            set_wheel_size(group.wheel, size)
            if not group.use_wheel:
                self.new.append(obj)
        group.use_wheel = True
        self.made.append(obj)


def count_askew(objects: Iterable[Any], turn: Quaternion, depsgraph: bpy.types.Depsgraph) -> int:
    """How many meshes are not round about the X axis of a vehicle that is turned so."""
    across = turn @ _X
    count = 0
    for obj in objects:
        points = evaluated_points(obj, depsgraph)
        if len(points):
            axle = _axle(obj.matrix_world.to_quaternion(), _form(obj, points, across))
            count += abs(axle.dot(across)) < _ACROSS
    return count


def _form(obj: Any, points: Points, across: Vector) -> WheelForm:
    """The wheel that a mesh shows; where that leaves a choice, along an axis of the world."""
    return measure_wheel(obj, points, obj.matrix_world.to_quaternion().inverted() @ across)


def _axle(turn: Quaternion, form: WheelForm) -> Vector:
    """The direction of an axle in the world."""
    axis = Vector((0.0, 0.0, 0.0))
    axis[form.axle] = 1.0
    return turn @ axis


def keep_place(obj: Any, parent: Any, parent_place: Matrix, place: Matrix | None = None) -> None:
    """Parent an object and leave it where it is, as Blender's Keep Transform does.

    Args:
        parent_place: of the parent in the world; it may be so new that Blender does not know it.
        place: where the object goes; where it is for none.
    """
    world = obj.matrix_world.copy() if place is None else place
    obj.parent = parent
    obj.parent_type = "OBJECT"
    obj.matrix_parent_inverse = parent_place.inverted_safe()
    obj.matrix_world = world
