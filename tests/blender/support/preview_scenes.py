"""Scenes for the preview; places are in Blender's axes, what a preview answers is in glTF's."""

from __future__ import annotations

import re
from typing import Any

import bpy
import numpy as np

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.session import Session
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from tests.blender.support import scenes

G = 9.81
STEP, SUBSTEPS = 1.0 / 60.0, 4


def of(obj: Any) -> str:
    """The name of what an object of a preview stands for or was copied from."""
    return re.sub(r"^~[0-9a-f]+ ", "", obj.name).partition(".")[0]


def shown(session: Any, name: str) -> Any:
    """What shows an object of the artist in a preview."""
    (copies,) = (group for group in bpy.data.collections if group.name.endswith("Preview Copies"))
    assert copies.name in session.scene.collection.children
    (found,) = (obj for obj in copies.objects if of(obj) == name)
    return found


def gravity(strength: float = G) -> None:
    """Gravity of the scene, downwards."""
    bpy.context.scene.gravity = (0.0, 0.0, -strength)


def body(name: str, place: Any = (0.0, 0.0, 0.0), kind: str = "BOX", **values: Any) -> Any:
    """A dynamic body with a collider of its own."""
    obj = scenes.add(name, scenes.cube_mesh(), location=place)
    if kind:
        scenes.add_collider(obj, kind)
    motion = scenes.add_body(obj)
    for key, value in values.items():
        setattr(motion, key, value)
    return obj


def floor(turn: float = 0.0, size: float = 200.0, thick: float = 2.0) -> Any:
    """A box that stands still, with its upper side through the origin, turned about Y."""
    obj = scenes.add("Floor", scenes.cube_mesh())
    scenes.add_collider(obj).box.size = (size, size, thick)
    obj.rotation_euler = (0.0, turn, 0.0)
    obj.location = (-thick / 2 * np.sin(turn), 0.0, -thick / 2 * np.cos(turn))
    return obj


def volume(name: str, kind: str, shape: str, **values: Any) -> Any:
    """A gravity volume in a shape; its object."""
    obj = scenes.add(name, None)
    group = obj.omi_physics
    group.use_trigger = group.use_gravity = True
    group.trigger.shape.type = shape
    group.gravity.type = kind
    for key, value in values.items():
        setattr(group.gravity, key, value)
    return obj


def tied(session: Session) -> list[Any]:
    """The constraints of a preview that hold two objects to each other."""
    every = (obj.rigid_body_constraint for obj in session.bodies.constraints.objects)
    return [one for one in every if one.object1 is not None]


def material(name: str, *objects: Any, **values: Any) -> Any:
    """A physics material on the colliders of objects."""
    entry = bpy.context.scene.omi_physics.physics_materials.add()
    entry.name = name
    for key, value in values.items():
        setattr(entry, key, value)
    for obj in objects:
        obj.omi_physics.collider.physics_material = name
    return entry


def collision_filter(
    name: str, *objects: Any, systems: Any = (), mode: str = "", others: Any = ()
) -> None:
    """A collision filter on the colliders of objects."""
    entry = bpy.context.scene.omi_physics.collision_filters.add()
    entry.name = name
    for system in systems:
        entry.collision_systems.add().name = system
    if mode:
        entry.mode = mode
        group = entry.collide_with_systems if mode == "ONLY" else entry.not_collide_with_systems
        for system in others:
            group.add().name = system
    for obj in objects:
        obj.omi_physics.collider.collision_filter = name


def joint(name: str, on: Any, to: Any, place: Any, turn: Any = (0.0, 0.0, 0.0)) -> Any:
    """A joint at a place of the world, of one object or the world with another; its settings.

    It stands below the second, so that its numbers say how that one moves against the first.
    """
    first = scenes.add(f"{name} A", None)
    second = scenes.add(f"{name} B", None)
    for empty, parent in ((first, on), (second, to)):
        empty.parent = parent
        if parent is not None:
            bpy.context.view_layer.update()
            empty.matrix_parent_inverse = parent.matrix_world.inverted()
        empty.location, empty.rotation_euler = place, turn
    group = second.omi_physics
    group.use_joint = True
    group.joint.connected_object = first
    entry = bpy.context.scene.omi_physics.joint_settings.add()
    entry.name = group.joint.settings = name
    return entry


def limit(entry: Any, kind: str, axes: str, low: float | None, high: float | None) -> Any:
    """A limit along or about axes of Blender."""
    row = entry.limits.add()
    row.kind = kind
    row.axes = tuple(letter in axes for letter in "XYZ")
    unit = "distance" if kind == "LINEAR" else "angle"
    for name, value in (("min", low), ("max", high)):
        setattr(row, f"use_{name}", value is not None)
        if value is not None:
            setattr(row, f"{name}_{unit}", value)
    return row


def drive(entry: Any, kind: str, axis: str, **values: Any) -> Any:
    """A drive along or about an axis of Blender; targets and largest forces are switched on."""
    row = entry.drives.add()
    row.type, row.axis = kind, axis
    unit = "angle" if kind == "ANGULAR" else "distance"
    for key, value in values.items():
        name = {"position": f"position_{unit}", "velocity": f"velocity_{unit}"}.get(key, key)
        flag = {"position": "use_position_target", "velocity": "use_velocity_target"}.get(key)
        flag = "use_max_force" if key == "max_force" else flag
        if flag:
            setattr(row, flag, True)
        setattr(row, name, value)
    return row


def play(**options: Any) -> Session:
    """Start a preview."""
    return player.start(bpy.context.scene, PreviewOptions(**options))


def run(session: Session, seconds: float) -> None:
    """Go on for some seconds after the start."""
    frames = round(seconds / session.options.step) + (session.begin if session.time == 0 else 1) - 1
    session.step(frames)
    assert session.error == ""


def at(session: Session, name: str) -> int:
    """The number of the body of an object."""
    names = [obj.name for obj in bpy.data.scenes[session.artist].objects]
    return session.world.body_of[names.index(name)]


def place(session: Session, name: str) -> Any:
    """Where the centre of mass of an object is, in Blender's axes."""
    x, y, z = session.poses().position[at(session, name)]
    return np.array([x, -z, y])


def axes(session: Session, name: str) -> Any:
    """The axes of an object as columns, in Blender's axes."""
    to = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])
    return to @ session.poses().rotation[at(session, name)] @ to.T


def fall(time: float, strength: float = G) -> float:
    """How far a thing falls in steps that first change the speed."""
    return 0.5 * strength * time * (time + STEP / SUBSTEPS)


def free_rotation(moments: Any, spin: Any, time: float) -> Any:
    """The rotation of a free body after a time, with great care (Runge and Kutta's fourth)."""
    moments, turn = np.array(moments), np.eye(3)

    def slope(turn: Any, momentum: Any) -> Any:
        about = turn @ ((turn.T @ momentum) / moments)
        x, y, z = about
        return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) @ turn

    momentum = moments * np.array(spin)
    step = 1e-4
    for _ in range(round(time / step)):
        a = slope(turn, momentum)
        b = slope(turn + step / 2 * a, momentum)
        c = slope(turn + step / 2 * b, momentum)
        turn = turn + step / 6 * (a + 2 * b + 2 * c + slope(turn + step / 2 * b, momentum))
        left, _, right = np.linalg.svd(turn)
        turn = left @ right
    return turn
