"""The physics of a mirror image: directions, turns, shapes, and the signs of what moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import bpy
from mathutils import Matrix

from ....model.joints import reflected
from ...base import compat, groups
from ...scene import joint_settings
from .. import fitting, joint_making
from ..starting_values import vehicle_above
from .side_names import mirrored_name

_ROUND: Final = frozenset({"CAPSULE", "CYLINDER"})
_X, _Z = 0, 2
# Parts with a front and an upper side of their own, which a mirror image keeps.
_FACING: Final = ("use_vehicle_body", "use_wheel", "use_thruster", "use_hover_thruster", "use_seat")


def axis_of(obj: Any, axis: int) -> int:
    """The axis of an object along which its own space is mirrored."""
    group = groups.of_object(obj)
    return _X if any(getattr(group, flag) for flag in _FACING) else axis


def reflection(axis: int) -> Matrix:
    """The reflection (4, 4) along an axis."""
    matrix = Matrix.Identity(4)
    matrix[axis][axis] = -1.0
    return matrix


@dataclass
class Reflecting:
    """Turns the physics of copies into that of mirror images.

    Attributes:
        scene: whose lists the joints use.
        image_of: the mirror image of an object, or the object itself where it has none.
        mesh_of: the mirror image of mesh data along an axis.
        are_images: what is mirrored together.
    """

    scene: Any
    image_of: Callable[[Any], Any]
    mesh_of: Callable[[Any, int], Any]
    are_images: set[Any]
    _settings: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])

    def reflect(self, obj: Any, source: Any, axis: int, *, is_copy: bool = False) -> None:
        """Make the physics of an object the mirror image of another one's.

        Args:
            axis: of the object, along which its own space is mirrored.
            is_copy: the object has the other one's physics already.
        """
        group = groups.of_object(obj)
        if not is_copy:
            groups.copy_group(groups.of_object(source), group)
        group.counterpart = None
        _reflect_motion(group.motion, axis)
        self._reflect_shape(group.collider.shape, source, axis)
        self._reflect_shape(group.trigger.shape, source, axis)
        for item in group.trigger.nodes:
            item.object = self._image(item.object)
        joint = group.joint
        joint.connected_object = self._image(joint.connected_object)
        if joint.settings:
            joint.settings = self._reflected_settings(joint.settings, axis)
        self._reflect_gravity(group.gravity, source, axis)
        self._reflect_vehicle(group, source)
        for point in (group.seat.back, group.seat.foot, group.seat.knee):
            _turn_round(point, axis)

    def _image(self, obj: Any) -> Any:
        return None if obj is None else self.image_of(obj)

    def _reflect_shape(self, shape: Any, source: Any, axis: int) -> None:
        turn = fitting.turn_of(shape)
        own = axis
        if (shape.type in _ROUND and not _is_even(shape)) or shape.type == "PLANE":
            own = axis if axis != _Z else _X  # Whose ends differ along Z.
        change = reflection(axis).to_3x3() @ turn @ reflection(own).to_3x3()
        _turn_round(shape.location, axis)
        if any(shape.rotation) or own != axis:
            shape.rotation = change.to_euler()
        if shape.type in fitting.MESHES and shape.mesh_source == "DATA" and shape.mesh is not None:
            shape.mesh = self.mesh_of(shape.mesh, axis)
        elif shape.type in fitting.MESHES and shape.mesh_source == "OBJECT":
            other = shape.mesh_object
            if other is not None and other in self.are_images:
                shape.mesh_object = self.image_of(other)
            elif other is not None and other.type == "MESH" and not shape.use_children:
                shape.mesh_source, shape.mesh = "DATA", self.mesh_of(other.data, axis)

    def _reflected_settings(self, name: str, axis: int) -> str:
        """The name of settings that are the mirror image of others, made where there are none."""
        key = (name, axis)
        entries = groups.of_scene(self.scene).joint_settings
        entry = entries.get(name)
        if entry is None:
            return name
        if key not in self._settings:
            before = joint_settings.read_in_blender(entry)
            after = reflected(before, axis)
            self._settings[key] = name
            if not _same(after, before):
                found = joint_making.entry_like(self.scene, after, mirrored_name(name))
                self._settings[key] = found.name
        return self._settings[key]

    def _reflect_gravity(self, gravity: Any, source: Any, axis: int) -> None:
        _turn_round(gravity.directional.direction, axis)
        for point in gravity.line.points:
            _turn_round(point.location, axis)
        gravity.line.curve = self._image(gravity.line.curve)
        self._reflect_shape(gravity.shaped.shape, source, axis)

    def _reflect_vehicle(self, group: Any, source: Any) -> None:
        body = group.vehicle_body
        _turn_round(body.linear_activation, _X)
        for at in (1, 2):
            _turn_round(body.angular_activation, at)
        body.pilot_seat = self._image(body.pilot_seat)
        for part in (group.thruster, group.hover_thruster):
            # About glTF's X, which stays, and about another axis across it.
            _turn_round(part.target_gimbal_ratio, 1)
        wheel = group.wheel
        if vehicle_above(source) in self.are_images and wheel.target_steering_ratio:
            wheel.target_steering_ratio *= -1.0  # Else both steer the same vehicle.


def _reflect_motion(motion: Any, axis: int) -> None:
    for vector in (motion.center_of_mass, motion.linear_velocity):
        _turn_round(vector, axis)
    for at in {0, 1, 2} - {axis}:
        _turn_round(motion.angular_velocity, at)
        _turn_round(motion.inertia_orientation, at + 1)  # w, x, y, z


def _is_even(shape: Any) -> bool:
    group = getattr(shape, shape.type.lower())
    return bool(group.radius_bottom == group.radius_top)


def _same(first: Any, second: Any) -> bool:
    return {*first.limits} == {*second.limits} and first.drives == second.drives


def _turn_round(vector: Any, at: int) -> None:
    """Turn a number of a vector round; what is zero is not touched, so that it is not saved."""
    if vector[at]:
        vector[at] = -vector[at]


def mirrored_mesh(mesh: Any, axis: int) -> Any:
    """A copy of mesh data that is mirrored along an axis, with its faces seen from outside."""
    made: bpy.types.Mesh = mesh.copy()
    compat.rename(made, mirrored_name(mesh.name))
    made.transform(reflection(axis), shape_keys=True)
    made.flip_normals()
    return made
