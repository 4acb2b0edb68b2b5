"""Joints between bodies, and the settings they share.

Source: OMI_physics_joint, KHR_physics_rigid_bodies.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Final

from ..issue_codes import Code
from .fields import AxisIndex, Carried, JointIndex, NodeIndex, described

_X: Final = AxisIndex(0)


@dataclass(frozen=True, kw_only=True)
class JointLimit:
    """How far the connected frame may move against the joint's, along or about some axes.

    A missing end is unbounded; a missing stiffness is infinite.
    Source: OMI_physics_joint, `limits[]`.
    """

    linear_axes: tuple[AxisIndex, ...] = described(
        (), "Axes with limited translation", rule=Code.LIMIT_AXIS_INVALID
    )
    angular_axes: tuple[AxisIndex, ...] = described(
        (), "Axes with limited rotation", rule=Code.LIMIT_AXIS_INVALID
    )
    min: float | None = described(None, "Minimum of the range, in m or rad")
    max: float | None = described(None, "Maximum of the range, in m or rad")
    stiffness: float | None = described(
        None,
        "Stiffness of the spring beyond the range; without a value the limit is hard",
        minimum=0.0,
        rule=Code.LIMIT_STIFFNESS_NEGATIVE,
        negative_is_none=True,  # So the text of OMI; its schema forbids it.
    )
    damping: float = described(
        0.0,
        "Damping beyond the range of a soft limit",
        minimum=0.0,
        rule=Code.LIMIT_DAMPING_NEGATIVE,
    )
    carried: Carried = ""

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends of the range; infinite for one that is missing."""
        return (
            -math.inf if self.min is None else self.min,
            math.inf if self.max is None else self.max,
        )

    @property
    def is_hard(self) -> bool:
        """Whether nothing gives way beyond the range; negative numbers stand for that, too."""
        return self.stiffness is None or self.stiffness < 0.0


@dataclass(frozen=True, kw_only=True)
class JointDrive:
    """A spring or motor along or about one axis. Source: OMI_physics_joint, `drives[]`."""

    type: str = described(
        "linear", "Linear drives push, angular drives turn", rule=Code.DRIVE_KIND_UNKNOWN
    )
    mode: str = described(
        "force",
        "Force is used as is; acceleration is scaled by the moved mass",
        rule=Code.DRIVE_KIND_UNKNOWN,
    )
    axis: AxisIndex = described(_X, "Axis that the drive acts on", rule=Code.DRIVE_AXIS_INVALID)
    max_force: float | None = described(
        None,
        "Maximum force, in N or N m; unlimited if not set",
        minimum=0.0,
        rule=Code.DRIVE_MAX_FORCE_NEGATIVE,
        negative_is_none=True,  # As above.
    )
    position_target: float | None = described(None, "Rest position of the spring, in m or rad")
    velocity_target: float | None = described(None, "Speed of the motor, in m/s or rad/s")
    stiffness: float = described(
        0.0, "Force per distance from the position target", minimum=0.0, rule=Code.OUT_OF_BOUNDS
    )
    damping: float = described(
        0.0, "Force per difference from the velocity target", minimum=0.0, rule=Code.OUT_OF_BOUNDS
    )
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class JointSettings:
    """What joints of one kind allow and do. Source: OMI_physics_joint, `physicsJoints[]`."""

    limits: tuple[JointLimit, ...] = ()
    drives: tuple[JointDrive, ...] = ()
    name: str = described("", "Name of the joint settings")
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Joint:
    """A joint on a node, whose frame is held to that of the connected node.

    Source: OMI_physics_joint on the node.
    """

    joint: JointIndex | None = described(
        None, "Settings of the joint", rule=Code.JOINT_WITHOUT_SETTINGS
    )
    connected_node: NodeIndex | None = described(
        None, "Node that the joint connects to", rule=Code.JOINT_WITHOUT_CONNECTION
    )
    enable_collision: bool = described(
        False, "The two connected bodies may collide with each other"
    )
    carried: Carried = ""


DRIVE_TYPES: Final = ("linear", "angular")
DRIVE_MODES: Final = ("force", "acceleration")


def mirrored(settings: JointSettings) -> JointSettings:
    """The settings of the same motion, measured from the other one of the two nodes."""
    return dataclasses.replace(
        settings,
        limits=tuple(mirrored_limit(limit) for limit in settings.limits),
        drives=tuple(mirrored_drive(drive) for drive in settings.drives),
    )


def turned(settings: JointSettings) -> JointSettings:
    """What a joint does, said from its other end.

    A range over several axes that reaches below zero and is not even cannot be one of a distance
    or a cone, which look the same from both ends: it holds on each axis, and turns around on each.
    """
    limits = tuple(part for limit in settings.limits for part in _on_each_axis(limit))
    return mirrored(dataclasses.replace(settings, limits=limits))


def _on_each_axis(limit: JointLimit) -> tuple[JointLimit, ...]:
    axes = limit.linear_axes or limit.angular_axes
    uneven = limit.min is None or limit.max is None or limit.min != -limit.max
    if len(axes) < 2 or not uneven or (limit.min is not None and limit.min >= 0.0):
        return (limit,)
    if limit.min is None and (limit.max is None or limit.max >= 0.0):
        return (limit,)  # Up to a distance.
    name = "linear_axes" if limit.linear_axes else "angular_axes"
    return tuple(dataclasses.replace(limit, **{name: (axis,)}) for axis in axes)


def reflected(settings: JointSettings, axis: int) -> JointSettings:
    """The settings of the mirror image of a joint, whose frame is mirrored along one of its axes.

    Moves along that axis turn round, and so do turns about the other two.
    """
    limits = tuple(part for limit in settings.limits for part in _on_each_axis(limit))
    return dataclasses.replace(
        settings,
        limits=tuple(
            mirrored_limit(limit)
            if axis in limit.linear_axes or set(limit.angular_axes) - {axis}
            else limit
            for limit in limits
        ),
        drives=tuple(
            mirrored_drive(drive) if (drive.axis == axis) == (drive.type == "linear") else drive
            for drive in settings.drives
        ),
    )


def mirrored_limit(limit: JointLimit) -> JointLimit:
    """The limit of the same motion, measured from the other node.

    Over several axes it is one of a distance or a cone, which are the same from both sides.
    """
    if len(limit.linear_axes) + len(limit.angular_axes) != 1:
        return limit
    return dataclasses.replace(limit, min=_negative(limit.max), max=_negative(limit.min))


def mirrored_drive(drive: JointDrive) -> JointDrive:
    """The drive that does the same, measured from the other node."""
    return dataclasses.replace(
        drive,
        position_target=_negative(drive.position_target),
        velocity_target=_negative(drive.velocity_target),
    )


def _negative(value: float | None) -> float | None:
    return None if value is None else 0.0 - value  # Never -0.0.
