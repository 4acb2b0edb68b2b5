"""Writes a document so that Godot 4 with its OMI add-on does what the document says.

Seen with Godot 4.6 with Jolt and commit e421986 of the add-on. What cannot be written so
is left for `deviations.check` to tell. The original is kept beside it in the file, see `authored`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Collection
from typing import Final

from ...codec.convert.draft import Draft
from ...codec.targets import round_shapes, unscaled_bodies
from ...codec.targets.joint_ranges import strong_drives
from ...codec.targets.nested_bodies import free, is_steady, moves
from ...codec.values.node_tree import Matrix, inverse, multiply, scale_of
from ...model.bodies import ZERO, Collider, Motion
from ...model.document import NewNode, NodePhysics, entry
from ...model.fields import AxisIndex, JointIndex, NodeIndex, Quaternion, Vector3
from ...model.joints import Joint, JointDrive, JointLimit, JointSettings, mirrored_drive
from ...model.shapes import Capsule, Cylinder
from . import both_sides, joints, wheels
from .deviations import NODES_OF_GODOT

_UNTURNED: Final[Quaternion] = (0.0, 0.0, 0.0, 1.0)
# Frames whose X, Y and Z are the joint's axes of these numbers, and how they are turned.
_TURNS: Final[tuple[tuple[tuple[int, int, int], Quaternion], ...]] = (
    ((0, 1, 2), _UNTURNED),
    ((1, 2, 0), (0.5, 0.5, 0.5, 0.5)),
    ((2, 0, 1), (-0.5, -0.5, -0.5, 0.5)),
)


def repair(draft: Draft, name_of: Callable[[int], str], animated: Collection[int] = ()) -> None:
    """Change a document of OMI so that Godot does what it says.

    Args:
        name_of: the name of a node, from which those of added nodes are made.
        animated: nodes that animations move; what hangs on them stays where it is.
    """
    repairs = _Repairs(draft, name_of, animated)
    free(draft, animated)
    round_shapes.tapered_as_hulls(draft, (Capsule, Cylinder), ("collider", "trigger"), name_of)
    both_sides.write(draft, name_of)
    repairs.turn_velocities()
    unscaled_bodies.bake(draft, name_of, animated)
    repairs.hang_colliders_on_bodies()
    repairs.hang_wheels_on_vehicles()
    wheels.fit(draft, name_of, animated)
    repairs.place_joints()
    draft.drop_orphans()


class _Repairs:
    def __init__(
        self, draft: Draft, name_of: Callable[[int], str], animated: Collection[int]
    ) -> None:
        self._draft, self._name_of = draft, name_of
        self._animated = frozenset(animated)
        self._settings: dict[JointIndex | None, tuple[JointIndex | None, Quaternion]] = {}

    def _above(self, node: int) -> int:
        """The node above, -1 for none, with the bodies freed so far beside each other."""
        return self._draft.parent_of(node)

    def _body_above(self, node: int) -> tuple[int, Motion] | None:
        """The nearest body above a node, not the node itself."""
        at = self._above(node)
        return None if at < 0 else self._draft.body_of(at)

    def _is_steady(self, node: int, body: int) -> bool:
        return is_steady(self._draft, node, body, self._animated)

    def hang_colliders_on_bodies(self) -> None:
        """Give colliders below children a node directly below their body."""
        for node, physics in self._draft.nodes():
            collider = physics.collider
            if physics.motion is not None or collider is None or collider.shape is None:
                continue
            body = self._body_above(node)
            if body is None or not moves(body[1]) or body[0] == self._above(node):
                continue
            if self._is_steady(node, body[0]) and self._is_straight(node, body[0]):
                self._hang(node, body[0], collider)

    def _is_straight(self, node: int, body: int) -> bool:
        """Whether a node can stand directly below a body: glTF has no words for sheared nodes."""
        back = inverse(self._draft.world(body))
        return back is not None and scale_of(multiply(back, self._draft.world(node))) is not None

    def _hang(self, node: int, body: int, collider: Collider) -> None:
        new = NewNode(body, node, f"{self._name_of(node)} Shape")
        at = self._draft.add_node(new)
        self._draft.change(node, collider=None)
        self._draft.change(at, collider=collider)

    def hang_wheels_on_vehicles(self) -> None:
        """Hang wheels directly below their vehicle, with what they show."""
        for node, physics in self._draft.nodes():
            body = None if physics.wheel is None else self._body_above(node)
            if body is None or body[0] == self._above(node) or physics.motion is not None:
                continue
            is_vehicle = self._draft.of(body[0]).vehicle_body is not None
            if is_vehicle and self._is_steady(node, body[0]) and self._is_straight(node, body[0]):
                self._draft.move_node(node, body[0])

    def turn_velocities(self) -> None:
        """Give velocities in the axes of the world, in which Godot takes them."""
        for node, physics in self._draft.nodes():
            motion = physics.motion
            if motion is None or not moves(motion):
                continue
            if motion.linear_velocity == motion.angular_velocity == ZERO:
                continue
            matrix = self._draft.world(node)
            scale = scale_of(matrix)
            if scale is None or scale[0] <= 0.0 or not all(scale):
                continue
            turned = dataclasses.replace(
                motion,
                linear_velocity=_turned(matrix, motion.linear_velocity),
                angular_velocity=_turned(matrix, motion.angular_velocity),
            )
            self._draft.change(node, motion=turned)

    def place_joints(self) -> None:
        """Give each joint a node of its own below a body, in a frame that Godot understands."""
        for node, physics in self._draft.nodes():
            if physics.joint is not None:
                self._place(node, physics, physics.joint)

    def _place(self, node: int, physics: NodePhysics, joint: Joint) -> None:
        index, turn = self._written(joint.joint)
        body = self._draft.body_of(node)
        shares = any(getattr(physics, name) is not None for name in NODES_OF_GODOT)
        stays = body is not None and body[0] == self._above(node) and not shares
        connected = joint.connected_node
        if connected is not None:
            connected = NodeIndex(self._connected(connected, turn))
        written = dataclasses.replace(joint, joint=index, connected_node=connected)
        if stays and turn == _UNTURNED:
            self._draft.change(node, joint=written)
            return
        if body is not None and not self._is_steady(node, body[0]):
            return
        name = f"{self._name_of(node)} Joint"
        if body is None:
            anchor = self._anchor(node)
            new = NewNode(anchor, anchor, name, rotation=turn)
        else:
            new = NewNode(body[0], node, name, rotation=turn)
        self._draft.change(node, joint=None)
        self._draft.change(self._draft.add_node(new), joint=written)

    def _is_held(self, node: int) -> bool:
        """Whether Godot makes a body of a node or of one above it; of lone colliders it does."""
        parts = map(self._draft.of, self._draft.upward(node))
        return any(p.motion is not None or p.collider is not None for p in parts)

    def _connected(self, node: int, turn: Quaternion) -> int:
        """The node to connect a joint to in place of one: on a body, and turned as the joint is."""
        name = f"{self._name_of(node)} Pivot"
        held = node if self._is_held(node) else self._anchor(node)
        if turn == _UNTURNED:
            return held
        return self._draft.add_node(NewNode(held, held, name, rotation=turn))

    def _anchor(self, node: int) -> int:
        """A static body for a joint that hangs on none."""
        anchor = NewNode(node, node, f"{self._name_of(node)} Anchor")
        at = self._draft.add_node(anchor)
        self._draft.change(at, motion=Motion(type="static"))
        return at

    def _written(self, index: JointIndex | None) -> tuple[JointIndex | None, Quaternion]:
        """Joint settings as they are written, and how the frame of the joint turns for them."""
        authored = entry(self._draft.document.joint_settings, index)
        if index is None or authored is None:
            return index, _UNTURNED
        if index not in self._settings:
            settings, turn = for_godot(authored)
            self._settings[index] = JointIndex(self._draft.add("joint_settings", settings)), turn
        return self._settings[index]


def _turned(matrix: Matrix, vector: Vector3) -> Vector3:
    """A vector of a node in the axes of the world, as long as before."""
    columns = [matrix[at : at + 3] for at in (0, 4, 8)]
    units = [[part / math.hypot(*column) for part in column] for column in columns]
    x, y, z = (
        sum(v * unit[row] for v, unit in zip(vector, units, strict=True)) for row in range(3)
    )
    return (x, y, z)


def for_godot(settings: JointSettings) -> tuple[JointSettings, Quaternion]:
    """Settings in which Godot moves a joint as it should, and the turn of the frame they are for.

    Godot counts angles from the connected node to the joint, the other way round. It makes hinges
    about Z only, and loses the body where such a hinge has a spring or a limit with one end.
    """
    counted = dataclasses.replace(
        settings,
        limits=tuple(map(_limit_counted_back, settings.limits)),
        drives=tuple(map(_drive_counted_back, strong_drives(settings))),
    )
    tried = [(_renumbered(counted, axes), turn) for axes, turn in _TURNS]

    def faults(found: tuple[JointSettings, Quaternion]) -> int:
        """How much Godot does otherwise with settings in one frame."""
        written = joints.without_idle_motors(found[0])
        return len(list(joints.findings(written, counted_back=True)))

    return min(tried, key=faults)


def _limit_counted_back(limit: JointLimit) -> JointLimit:
    if not limit.angular_axes:
        return limit
    low, high = (None if end is None else 0.0 - end for end in (limit.max, limit.min))
    if limit.linear_axes:
        return limit  # One range for both; only a symmetric one means the same to both.
    return dataclasses.replace(limit, min=low, max=high)


def _drive_counted_back(drive: JointDrive) -> JointDrive:
    return mirrored_drive(drive) if drive.type == "angular" else drive


def _renumbered(settings: JointSettings, axes: tuple[int, int, int]) -> JointSettings:
    """Settings for a frame whose X, Y and Z are the axes of these numbers."""
    new = {old: AxisIndex(at) for at, old in enumerate(axes)}
    limits = tuple(
        dataclasses.replace(
            limit,
            linear_axes=tuple(sorted(new[axis] for axis in limit.linear_axes)),
            angular_axes=tuple(sorted(new[axis] for axis in limit.angular_axes)),
        )
        for limit in settings.limits
    )
    drives = tuple(dataclasses.replace(drive, axis=new[drive.axis]) for drive in settings.drives)
    return dataclasses.replace(settings, limits=limits, drives=drives)
