"""The scenes that `benchmark.py` measures: many objects, each with physics of some kind.

Without the add-on the same objects are made, plain.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

SPACING = 1.5  # m between the middles of neighbours.
SHARED = 8  # Different settings among the objects of a kind.


def cube_mesh(bpy: Any) -> Any:
    """A cube with edges of 1 m."""
    corners = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new("Cube")
    mesh.from_pydata(corners, [], sides)
    return mesh


class Crowd:
    """Adds objects to the scene, side by side in a large cube."""

    def __init__(self, bpy: Any, n: int) -> None:
        self._bpy = bpy
        self._side = max(1, math.ceil(n ** (1.0 / 3.0)))
        self._mesh = cube_mesh(bpy)
        self.physics = getattr(bpy.context.scene, "omi_physics", None)

    def add(self, kind: str, number: int, above: Any = None) -> tuple[Any, Any]:
        """A cube at its own place, or at that of the one above; and its physics, if any."""
        obj = self._bpy.data.objects.new(f"{kind} {number:05d}", self._mesh)
        if above is None:
            side = self._side
            steps = (number % side, number // side % side, number // side**2)
            obj.location = [SPACING * step for step in steps]
        obj.parent = above
        self._bpy.context.scene.collection.objects.link(obj)
        return obj, getattr(obj, "omi_physics", None)


def make_body(physics: Any, number: int) -> None:
    """A dynamic box."""
    physics.use_motion = physics.use_collider = True
    physics.motion.type = "DYNAMIC"
    physics.motion.mass = 1.0 + number % 5
    physics.collider.shape.type = "BOX"
    physics.collider.shape.box.size = (1.0, 1.0, 1.0)


def add_boxes(crowd: Crowd, n: int, first: int = 0) -> None:
    """Dynamic boxes that share a mesh."""
    for number in range(first, first + n):
        _, physics = crowd.add("Box", number)
        if physics is not None:
            make_body(physics, number)


def add_joints(crowd: Crowd, n: int, first: int = 0) -> None:
    """Boxes in turn with joints below them, each to the box before; they share settings."""
    if crowd.physics is not None:
        for number in range(SHARED):
            settings = crowd.physics.joint_settings.add()
            settings.name = f"Joint {number}"
            limit = settings.limits.add()
            limit.axes = (True, True, True)
            limit.use_min = limit.use_max = True
            limit.min_distance, limit.max_distance = -0.1 * number, 0.1 * number
    body = before = first_joint = None
    for number in range(first, first + n):
        if (number - first) % 2 == 0:
            before = body
            body, physics = crowd.add("Body", number)
            if physics is not None:
                make_body(physics, number)
            if first_joint is not None:  # Which has no box before its own.
                first_joint.connected_object, first_joint = body, None
            continue
        _, physics = crowd.add("Joint", number, body)
        if physics is not None:
            physics.use_joint = True
            physics.joint.settings = f"Joint {number // 2 % SHARED}"
            physics.joint.connected_object = before
            first_joint = physics.joint if before is None else None


def add_gravity(crowd: Crowd, n: int, first: int = 0) -> None:
    """Triggers with gravity of three types in turn."""
    for number in range(first, first + n):
        _, physics = crowd.add("Gravity", number)
        if physics is not None:
            physics.use_trigger = physics.use_gravity = True
            physics.trigger.shape.type = "SPHERE"
            physics.trigger.shape.sphere.radius = 1.0 + number % SHARED
            physics.gravity.type = ("POINT", "DIRECTIONAL", "DISC")[number % 3]
            physics.gravity.gravity = 1.0 + number % SHARED


def add_vehicles(crowd: Crowd, n: int, first: int = 0) -> None:
    """Vehicles of eight objects: a body, a seat, four wheels and two thrusters."""
    body = group = None
    for number in range(first, first + n):
        part = (number - first) % 8
        if part == 0:
            body, group = crowd.add("Vehicle", number)
            if group is not None:
                make_body(group, number)
                group.use_vehicle_body = True
            continue
        obj, physics = crowd.add("Part", number, body)
        if physics is None or group is None:
            continue
        if part == 1:
            physics.use_seat = True
            group.vehicle_body.pilot_seat = obj
        elif part < 6:
            physics.use_wheel = True
            physics.wheel.radius = 0.25 + 0.125 * (part % 2)
        elif part == 6:
            physics.use_thruster = True
            physics.thruster.max_force = 100.0 * (1 + number % SHARED)
        else:
            physics.use_hover_thruster = True
            physics.hover_thruster.max_hover_energy = 100.0 * (1 + number % SHARED)


def _scene(*parts: Callable[[Crowd, int, int], None]) -> Callable[[Any, int], None]:
    def build(bpy: Any, n: int) -> None:
        crowd = Crowd(bpy, n)
        for i, add in enumerate(parts):
            first, last = n * i // len(parts), n * (i + 1) // len(parts)
            add(crowd, last - first, first)
        bpy.context.view_layer.update()

    return build


boxes = _scene(add_boxes)
SCENES: dict[str, Callable[[Any, int], None]] = {
    "boxes": boxes,
    "joints": _scene(add_joints),
    "gravity": _scene(add_gravity),
    "vehicles": _scene(add_vehicles),
    "mixed": _scene(add_boxes, add_joints, add_gravity, add_vehicles),
}
