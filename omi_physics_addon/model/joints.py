"""Joints between bodies, and the settings they share.

Source: OMI_physics_joint, KHR_physics_rigid_bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from .fields import AxisIndex, Field, JointIndex, Kept, NodeIndex

_X: Final = AxisIndex(0)


@dataclass(frozen=True, kw_only=True)
class JointLimit:
    """How far the connected frame may move against the joint's, along or about some axes.

    A missing end is unbounded; a missing stiffness is infinite.
    Source: OMI_physics_joint, `limits[]`.
    """

    linear_axes: Annotated[
        tuple[AxisIndex, ...], Field("Axes along which the limit holds", rule="J13")
    ] = ()
    angular_axes: Annotated[
        tuple[AxisIndex, ...], Field("Axes about which the limit holds", rule="J13")
    ] = ()
    min: Annotated[float | None, Field("Lower end of the range, in m or rad")] = None
    max: Annotated[float | None, Field("Upper end of the range, in m or rad")] = None
    stiffness: Annotated[
        float | None,
        Field("Spring beyond the range; without it the range is hard", minimum=0.0, rule="J18"),
    ] = None
    damping: Annotated[
        float, Field("Damping beyond the range of a soft limit", minimum=0.0, rule="J19")
    ] = 0.0
    kept: Kept = ""


@dataclass(frozen=True, kw_only=True)
class JointDrive:
    """A spring or motor along or about one axis. Source: OMI_physics_joint, `drives[]`."""

    type: Annotated[str, Field("Linear drives push, angular drives turn", rule="J23")] = "linear"
    mode: Annotated[
        str,
        Field("Force is what it says; acceleration is scaled by the moved mass", rule="J23"),
    ] = "force"
    axis: Annotated[AxisIndex, Field("Axis along or about which it acts", rule="J24")] = _X
    max_force: Annotated[
        float | None,
        Field("Largest force, in N or N m; without it any", minimum=0.0, rule="J31n"),
    ] = None
    position_target: Annotated[float | None, Field("Where the spring rests, in m or rad")] = None
    velocity_target: Annotated[float | None, Field("Speed of the motor, in m/s or rad/s")] = None
    stiffness: Annotated[
        float, Field("Force per distance from the position target", minimum=0.0, rule="F02")
    ] = 0.0
    damping: Annotated[
        float, Field("Force per difference from the velocity target", minimum=0.0, rule="F02")
    ] = 0.0
    kept: Kept = ""


@dataclass(frozen=True, kw_only=True)
class JointSettings:
    """What joints of one kind allow and do. Source: OMI_physics_joint, `physicsJoints[]`."""

    limits: tuple[JointLimit, ...] = ()
    drives: tuple[JointDrive, ...] = ()
    name: Annotated[str, Field("Name of the joint settings")] = ""
    kept: Kept = ""


@dataclass(frozen=True, kw_only=True)
class Joint:
    """A joint on a node, whose frame is held to that of the connected node.

    Source: OMI_physics_joint on the node.
    """

    joint: Annotated[JointIndex | None, Field("Settings of the joint", rule="J01")] = None
    connected_node: Annotated[
        NodeIndex | None, Field("Node whose frame is held to that of the joint", rule="J02")
    ] = None
    enable_collision: Annotated[
        bool, Field("The two connected bodies may collide with each other")
    ] = False
    kept: Kept = ""


DRIVE_TYPES: Final = ("linear", "angular")
DRIVE_MODES: Final = ("force", "acceleration")
