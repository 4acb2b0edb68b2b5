"""Arrange joints of KHR as OMI needs them.

They stand below a dynamic body, on a node of their own, and connect to a node below a body.
"""

from __future__ import annotations

import dataclasses
from typing import Final, Literal

from ...issue_codes import Code
from ...model.bodies import Motion
from ...model.document import NewNode, NodePhysics
from ...model.fields import JointIndex, NodeIndex
from ...model.joints import Joint, JointSettings, mirrored
from .draft import Draft

_AXES: Final = (0, 1, 2)
Kind = Literal["linear_axes", "angular_axes"]


def arrange(draft: Draft) -> None:
    """Change every joint so that OMI allows it; KHR allows the result, too."""
    ends: dict[int, int] = {}
    for node, physics in draft.nodes():
        joint = physics.joint
        if joint is not None and joint.connected_node is not None and joint.joint is not None:
            _arrange(draft, node, joint, joint.connected_node, ends)


def arrange_one(draft: Draft, node: int) -> None:
    """Change one joint so that OMI allows it."""
    joint = draft.of(node).joint
    if joint is not None and joint.connected_node is not None and joint.joint is not None:
        _arrange(draft, node, joint, joint.connected_node, {})


def _arrange(draft: Draft, node: int, joint: Joint, connected: int, ends: dict[int, int]) -> None:
    swapped: Joint | None = None
    if not draft.is_dynamic(node):
        if not draft.is_dynamic(connected):
            why = (
                "neither end of the joint is on a dynamic body, so the joint has no effect; "
                "make one of them dynamic"
            )
            draft.report(Code.JOINT_NOT_SWAPPABLE, node, why)
            return
        swapped = _swap(draft, node, joint)
    draft.change(node, joint=None)
    if swapped is not None:
        node, connected, joint = connected, node, swapped
        why = f"the joint of node {connected} is written on this node, below the dynamic body"
        draft.report(Code.JOINT_SWAPPED, node, why)
    end = _end(draft, connected, ends)
    holder = _holder(draft, node)
    draft.change(holder, joint=dataclasses.replace(joint, connected_node=NodeIndex(end)))


def _swap(draft: Draft, node: int, joint: Joint) -> Joint | None:
    """The joint from its other side; None where it cannot be expressed from there."""
    assert joint.joint is not None
    settings = draft.document.joint_settings[joint.joint]
    if not is_symmetric(settings):
        why = (
            "the joint's axes turn with its connected body, so its ends cannot be swapped; "
            "it is left unchanged"
        )
        draft.report(Code.JOINT_NOT_SWAPPABLE, node, why)
        return None
    index = JointIndex(draft.add("joint_settings", mirrored(settings)))
    return dataclasses.replace(joint, joint=index)


def _holder(draft: Draft, node: int) -> int:
    """A node for the joint alone, in the frame of `node`."""
    has_mesh = node < len(draft.tree.meshes) and draft.tree.meshes[node] >= 0
    if not has_mesh and draft.of(node) == NodePhysics(carried=draft.of(node).carried):
        return node
    draft.report(Code.JOINT_END_ADDED, node, "the joint is moved to a new node, as OMI requires")
    return draft.add_node(NewNode(node, node, f"joint {node}"))


def _end(draft: Draft, node: int, ends: dict[int, int]) -> int:
    """A node below a body, in the frame of `node`, for a joint to end on."""
    body = draft.body_of(node)
    if body is None:
        anchor = _anchor(draft, node)
        draft.change(anchor, motion=Motion(type="static"))
        why = "the node becomes a static body, so a joint can connect to it"
        draft.report(Code.JOINT_END_ADDED, anchor, why)
    else:
        anchor = body[0]
    if anchor != node:
        return node
    if node not in ends:
        ends[node] = draft.add_node(NewNode(node, node, f"joint end {node}"))
        why = "a new node is added below the body, so joints can connect to it"
        draft.report(Code.JOINT_END_ADDED, node, why)
    return ends[node]


def _anchor(draft: Draft, node: int) -> int:
    """The node that becomes a static body.

    The topmost collider above, or the node above, or the node itself when it is at the top.
    """
    above = [at for at in draft.upward(node) if at != node]
    colliders = [at for at in above if draft.of(at).collider is not None]
    return (colliders[-1:] or above[:1] or [node])[0]


def is_symmetric(settings: JointSettings) -> bool:
    """Whether a joint can be written from its other side and do the same.

    Linear limits and drives act along the axes of the joint's side. They are the same from the
    other one while both stay parallel, or where nothing can slide, or for a distance in space,
    or if what slides turns about that same axis alone.
    """
    free_linear = [axis for axis in _AXES if not _is_fixed(settings, "linear_axes", axis)]
    free_angular = [axis for axis in _AXES if not _is_fixed(settings, "angular_axes", axis)]
    if not free_angular or not free_linear:
        return True
    drives = any(drive.type == "linear" for drive in settings.drives)
    ranged = [limit for limit in settings.limits if limit.linear_axes]
    if not drives and all(len(limit.linear_axes) == len(_AXES) for limit in ranged):
        return True
    return free_linear == free_angular and len(free_linear) == 1


def turns_symmetrically(settings: JointSettings) -> bool:
    """Whether the turns of a joint can be written from its other side and be the same.

    Angles about several axes come one after the other, in the other order from there. A single
    axis, the angle between two directions, and the whole turn are the same from both.
    """
    free = [axis for axis in _AXES if not _is_fixed(settings, "angular_axes", axis)]
    limits = [limit for limit in settings.limits if limit.angular_axes]
    if len(free) < 2 or (not limits and all(d.type == "linear" for d in settings.drives)):
        return True
    return (
        len(limits) == 1
        and len(limits[0].angular_axes) > 1
        and not any(drive.type == "angular" for drive in settings.drives)
    )


def _is_fixed(settings: JointSettings, kind: Kind, axis: int) -> bool:
    return any(
        axis in getattr(limit, kind)
        and limit.min == 0.0
        and limit.max == 0.0
        and limit.stiffness is None
        for limit in settings.limits
    )
