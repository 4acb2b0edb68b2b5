"""Makes joints, the settings they share, and the bodies they hold."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from mathutils import Matrix, Vector

from ...model import joint_kinds, joint_words
from ...model.fields import AxisIndex
from ...model.joint_kinds import JointKind
from ...model.joints import JointDrive, JointSettings
from ..base import changes, groups
from ..base.hierarchy import body_of, keep_off_path, new_empty, unscaled
from ..properties import names
from ..scene import joint_settings

_SIZE: Final = 0.3  # Of a joint's arrows, relative to the largest extent of its body.
_LEAST: Final = 0.25  # Where that has none, m.


# Settings


def asked(operator: Any) -> JointKind:
    """The kind of joint that the properties of an operator ask for; see `JointPreset`."""
    kind = operator.kind.lower()
    values: dict[str, Any] = {}
    linear = kind in ("slider", "piston")
    if kind in ("servo", "motor"):
        linear = operator.drive_type == "LINEAR"
        values["drive"] = _asked_drive(operator, kind, linear)
    if kind in joint_kinds.WITH_AXIS:
        values["axis"] = "XYZ".index(operator.axis)
        if operator.use_range and linear:
            values |= {"min": operator.min_distance, "max": operator.max_distance}
        if operator.use_turn and (kind == "piston" or not linear):
            values |= {"turn_min": operator.min_angle, "turn_max": operator.max_angle}
    if kind == "rope":
        values |= {"min": operator.min_length or None, "max": operator.length}
    elif kind == "cone_twist":
        values["swing"] = operator.swing
    elif kind == "six_dof":
        reach, tilt = operator.reach, operator.tilt
        values |= {"min": 0.0 - reach, "max": reach, "turn_min": 0.0 - tilt, "turn_max": tilt}
    if operator.is_soft:
        values |= {"stiffness": operator.stiffness, "damping": operator.damping}
    return JointKind(kind=kind, **values)


def _asked_drive(operator: Any, kind: str, linear: bool) -> JointDrive:
    unit = "distance" if linear else "angle"
    values: dict[str, Any] = {"damping": operator.drive_damping}
    if kind == "servo":
        values["position_target"] = getattr(operator, f"target_{unit}")
        values["stiffness"] = operator.drive_stiffness
    else:
        values["velocity_target"] = getattr(operator, f"speed_{unit}")
    if operator.use_max_force:
        values["max_force"] = operator.max_force
    return JointDrive(
        type=operator.drive_type.lower(),
        mode=operator.drive_mode.lower(),
        axis=AxisIndex("XYZ".index(operator.axis)),
        **values,
    )


def new_entry(scene: Any, settings: JointSettings, name: str) -> Any:
    """A new entry of the scene's list; it becomes the active one."""
    lists = groups.of_scene(scene)
    entry = lists.joint_settings.add(name)
    lists.joint_settings_index = len(lists.joint_settings) - 1
    joint_settings.show_in_blender(settings, entry)
    return entry


def entry_of_kind(scene: Any, kind: JointKind) -> Any:
    """An entry of the scene's list with just this kind of joint, a new one if there is none.

    One that carries more of an imported file, which Blender does not show, is another one.
    """
    return entry_like(scene, joint_kinds.make(kind), joint_words.NAMES[kind.kind])


def entry_like(scene: Any, settings: JointSettings, name: str) -> Any:
    """An entry of the scene's list with just these settings, a new one if there is none."""
    lists = groups.of_scene(scene)
    wanted = dataclasses.replace(joint_settings.stored(settings), name="")
    for i, entry in enumerate(lists.joint_settings):
        if _said(entry) == wanted:
            lists.joint_settings_index = i
            return entry
    return new_entry(scene, settings, name)


def _said(entry: Any) -> JointSettings:
    return dataclasses.replace(joint_settings.read_in_blender(entry), name="")


def settings_of(obj: Any, scene: Any) -> Any:
    """The entry of the scene's list that a joint uses; None for none."""
    name = groups.read(obj).joint.settings
    return groups.of_scene(scene).joint_settings.get(name) if name else None


def users(scene: Any, name: str) -> Iterator[Any]:
    """The joints of a scene that use an entry of its list."""
    for obj in names.objects_of(scene):
        group = groups.of_object(obj)
        if group.use_joint and group.joint.settings == name:
            yield obj


def count_users(scene: Any, name: str) -> int:
    """How many joints of a scene use an entry of its list; counted once after each change."""
    return _counted(scene)[name]


@changes.kept
def _counted(scene: Any) -> Counter[str]:
    physics = map(groups.of_object, names.objects_of(scene))
    return Counter(group.joint.settings for group in physics if group.use_joint)


# Bodies


def is_dynamic(obj: Any) -> bool:
    """Whether the body of an object moves by the simulation."""
    body = body_of(obj)
    return body is not None and groups.read(body).motion.type == "DYNAMIC"


# Joints


def add_joint(
    below: Any,
    to: Any,
    frame: Matrix,
    settings: str,
    homes: Sequence[Any],
    size: float | None = None,
) -> Any:
    """A new empty below an object that joins it to another one.

    Args:
        frame: where it sits and how it is turned in the world; not scaled.
        settings: name of an entry of the scene's list.
        homes: collections to link it to.
        size: of the arrows, m.
    """
    shown = size or _SIZE * max(below.dimensions) or _LEAST
    obj = new_empty(f"{below.name} to {to.name}", homes, "ARROWS", shown)
    put_below(obj, below, frame)
    group = groups.of_object(obj)
    group.use_joint = True
    group.joint.settings = settings
    group.joint.connected_object = to
    group.joint.pivot_at_joint = True
    return obj


def put_below(obj: Any, parent: Any, frame: Matrix) -> None:
    """Parent an object and let it stay at a place in the world, as Blender's own operator does."""
    obj.parent = parent
    obj.parent_type = "OBJECT"
    if parent is not None:
        obj.matrix_parent_inverse = parent.matrix_world.inverted_safe()
    obj.matrix_basis = frame
    keep_off_path(obj)
    obj.update_tag(refresh={"OBJECT"})


def frame_of(obj: Any) -> Matrix:
    """Where an object is and how it is turned in the world, without its scale."""
    return unscaled(obj.matrix_world)


def turned_to(frame: Matrix, axis: int, direction: Vector) -> Matrix:
    """A frame that is turned as little as needed for one of its axes to lie along a direction."""
    own: Any = frame.to_3x3().col[axis]
    turn = own.rotation_difference(direction)
    return Matrix.LocRotScale(frame.to_translation(), turn @ frame.to_quaternion(), None)
