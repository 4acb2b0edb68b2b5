"""Report what Godot 4 with its OMI add-on gets wrong in a file of OMI.

Only what was seen to go wrong is reported, with Godot 4.6, Jolt and commit e421986 of the add-on;
joints were also seen with GodotPhysics3D.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from ...codec.targets import joint_ranges
from ...codec.values.node_tree import Matrix, Tree, scale_of
from ...issue_codes import IssueCode
from ...issues import Issues
from ...model.bodies import Motion
from ...model.document import NodePhysics, PhysicsDocument, entry
from ...model.fields import Vector3
from ...model.joints import JointSettings
from . import joints, shape_keys, skeletons
from .codes import GodotCode

_POSITION_TOLERANCE: Final = 1e-3  # m, between the two ends of a joint.
_DIRECTION_TOLERANCE: Final = 1e-3  # Between unit vectors, or of the vector part of a quaternion.
GRAVITY: Final = 9.8  # m/s², what Godot has unless its project says otherwise.
WHEEL_FORCE: Final = 6000.0  # N, what a suspension of Godot carries at most.
# What Godot makes a node for, so that a joint beside it on the same node gets none.
NODES_OF_GODOT: Final = (
    "motion",
    "collider",
    "trigger",
    "vehicle_body",
    "wheel",
    "thruster",
    "hover_thruster",
)
_NOTHING: Final = NodePhysics()


def check(
    document: PhysicsDocument,
    tree: Tree,
    issues: Issues,
    place: Callable[[int], str],
    *,
    is_repaired: bool = True,
) -> None:
    """Report what Godot gets wrong in a document as it is written.

    Args:
        is_repaired: it is written for Godot, see `repairs`.
        tree: all nodes of the document, new ones too.
        place: words for messages about a node.
    """
    _Check(document, tree, issues, place, is_repaired).run()


class _Check:
    def __init__(
        self,
        document: PhysicsDocument,
        tree: Tree,
        issues: Issues,
        place: Callable[[int], str],
        is_repaired: bool,
    ) -> None:
        self._is_repaired = is_repaired
        self._document, self._tree, self._issues, self._place = document, tree, issues, place
        self._findings: dict[int, list[joints.Finding]] = {}  # By joint settings.
        self._jointed: list[int] = []  # The nodes of joints that Godot makes.

    def run(self) -> None:
        for node, physics in sorted(self._document.nodes.items()):
            if physics.motion is not None:
                self._body(node, physics.motion)
            elif physics.collider is not None and physics.collider.shape is not None:
                self._collider(node)
            if physics.joint is not None:
                self._joint(node, physics)
            self._parts(node, physics)
        skeletons.check(self._document, self._tree, self._issues, self._place)
        shape_keys.check(self._tree, self._issues, self._place)
        self._shared()
        self._world_gravity()
        if self._is_repaired:
            self._everywhere()

    def _tell(self, code: IssueCode, node: int, message: str) -> None:
        self._issues.add(code, self._place(node), message)

    def _above(self, node: int) -> int:
        """The node above, -1 for none."""
        return self._tree.parents.get(node, -1)

    def _of(self, node: int) -> NodePhysics:
        return self._document.nodes.get(node, _NOTHING)

    def _collider(self, node: int) -> None:
        body = next(bodies_above(self._document.nodes, self._tree, node), None)
        if body is not None and body[1].type != "static" and body[0] != self._above(node):
            name = self._place(body[0])
            why = (
                f"the collider is not a direct child of {name}, so Godot makes a static body "
                "of it; parent it to that body"
            )
            self._tell(GodotCode.DETACHES_COLLIDER, node, why)

    def _body(self, node: int, motion: Motion) -> None:
        if motion.type == "static":
            return
        for above, other in bodies_above(self._document.nodes, self._tree, node):
            if other.type == "dynamic":
                why = (
                    f"Godot moves the body along with its parent {self._place(above)} and "
                    "simulates it as well; clear its parent"
                )
                self._tell(GodotCode.MOVES_BODY_ALONG, node, why)
                break
        if motion.type == "dynamic":
            self._motion(node, motion)
        elif any(motion.linear_velocity) or any(motion.angular_velocity):
            why = (
                "Godot ignores the velocity of a kinematic body, so it stands still; animate "
                "the body instead"
            )
            self._tell(GodotCode.STOPS_KINEMATIC, node, why)
        is_sized = self._tree.may_be_scaled(node)
        scale = scale_of(self._tree.world(node)) if is_sized else None
        if scale is not None and scale[0] < 0.0:
            why = (
                "a negative scale mirrors the body, and Godot turns it into another "
                "rotation; apply the scale"
            )
            self._tell(GodotCode.TURNS_MIRRORED, node, why)

    def _everywhere(self) -> None:
        """Tell once of what Godot does to all bodies, and to all joints."""
        moving = (
            node
            for node, physics in sorted(self._document.nodes.items())
            if physics.motion is not None and physics.motion.type == "dynamic"
        )
        first = next(moving, None)
        if first is not None:
            why = (
                "Godot damps bodies by 0.1 per second; set Default Linear Damp and Default "
                "Angular Damp to 0 in Project Settings > Physics > 3D"
            )
            self._tell(GodotCode.DAMPS_BODIES, first, why)
            why = (
                "Godot ignores physics materials of glTF, so friction is 1 and nothing "
                "bounces; set them in Godot"
            )
            self._tell(GodotCode.GIVES_FRICTION, first, why)
        if self._jointed:
            why = (
                "joints may fly apart without Jolt, as in projects from before Godot 4.6; set "
                "Physics Engine to Jolt Physics in Project Settings"
            )
            self._tell(GodotCode.BREAKS_JOINTS, min(self._jointed), why)

    def _motion(self, node: int, motion: Motion) -> None:
        velocities = (motion.linear_velocity, motion.angular_velocity)
        if any(any(velocity) for velocity in velocities):
            world = self._tree.world(node)
            scale = scale_of(world)
            is_plain = scale is not None and scale[0] > 0.0 and all(scale)
            if self._is_repaired and is_plain:
                pass  # They are written along the axes of the world.
            elif any(is_turned(world, velocity) for velocity in velocities):
                why = (
                    "Godot uses world axes for the velocity at the start, and the body is "
                    "rotated; apply the rotation"
                )
                self._tell(GodotCode.TURNS_VELOCITY, node, why)
        diagonal, turn = motion.inertia_diagonal, motion.inertia_orientation
        if (
            diagonal is not None
            and len(set(diagonal)) > 1
            and max(map(abs, turn[:3])) > _DIRECTION_TOLERANCE
        ):
            self._tell(
                GodotCode.IGNORES_INERTIA_ORIENTATION,
                node,
                "Godot ignores the inertia orientation, so the body turns about other axes; "
                "align it with the body's axes",
            )
        if motion.gravity_factor != 1.0:
            why = (
                f"Godot ignores the gravity factor of {motion.gravity_factor:g}, so the body "
                "falls as others do; set Gravity Scale in Godot"
            )
            self._tell(GodotCode.IGNORES_GRAVITY_FACTOR, node, why)

    def _parts(self, node: int, physics: NodePhysics) -> None:
        if physics.wheel is not None and self._of(self._above(node)).vehicle_body is None:
            why = (
                "the wheel is not a direct child of a vehicle, so Godot ignores it; parent "
                "it to the vehicle"
            )
            self._tell(GodotCode.DISCONNECTS_WHEEL, node, why)
        if self._is_repaired and physics.vehicle_body is not None:
            self._vehicle(node, physics)
        lost: list[str] = []
        thruster = entry(self._document.thrusters, physics.thruster and physics.thruster.thruster)
        part = physics.hover_thruster
        hover = entry(self._document.hover_thrusters, part and part.hover_thruster)
        if thruster is not None and any(thruster.target_gimbal_ratio):
            lost.append("gimbal ratio")
        if hover is not None and hover.target_hover_ratio:
            lost.append("hover ratio")
        if hover is not None and any(hover.target_gimbal_ratio):
            lost.append("gimbal ratio")
        if lost:
            self._tell(
                GodotCode.STARTS_THRUSTER_AT_ZERO,
                node,
                f"Godot ignores the {' and '.join(lost)} at the start and begins at zero; set "
                "it by code in Godot",
            )
        if physics.gravity is not None:
            self._tell(
                GodotCode.IGNORES_GRAVITY,
                node,
                "Godot ignores gravity volumes, so bodies fall as everywhere; add an Area3D "
                "in Godot",
            )

    def _vehicle(self, node: int, physics: NodePhysics) -> None:
        """Report a vehicle that is too heavy for its wheels, each of which carries so much."""
        wheels = [at for at in self._tree.children[node] if self._of(at).wheel is not None]
        mass = physics.motion.mass if physics.motion is not None else None
        if wheels and mass is not None and mass * GRAVITY > WHEEL_FORCE * len(wheels):
            most = WHEEL_FORCE * len(wheels) / GRAVITY
            why = (
                f"Godot's wheels carry {WHEEL_FORCE:g} N each, together {most:.0f} kg of the "
                f"vehicle's {mass:g} kg; add wheels or lower the mass"
            )
            self._tell(GodotCode.WEAKENS_WHEEL, node, why)

    def _shared(self) -> None:
        """Report materials and filters."""
        for node, physics in sorted(self._document.nodes.items()):
            for attribute, word in (
                ("physics_material", "physics material"),
                ("collision_filter", "collision filter"),
            ):
                if (
                    physics.collider is not None
                    and getattr(physics.collider, attribute) is not None
                ):
                    why = f"Godot ignores the {word} of the collider; set the values in Godot"
                    self._tell(GodotCode.IGNORES_SURFACES, node, why)

    def _world_gravity(self) -> None:
        gravity = self._document.world_gravity
        if gravity is not None and not gravity.is_usual:
            why = (
                f"Godot ignores world gravity in glTF and uses {GRAVITY:g} m/s² down; set "
                "Default Gravity in Project Settings"
            )
            self._issues.add(GodotCode.IGNORES_GRAVITY, "world gravity", why)

    def _joint(self, node: int, physics: NodePhysics) -> None:
        joint = physics.joint
        assert joint is not None
        why = ""
        if any(getattr(physics, name) is not None for name in NODES_OF_GODOT):
            why = "the joint shares its node with another part; give the joint its own node"
        elif self._of(self._above(node)).motion is None:
            why = "the joint's node is not a direct child of a body; parent it to one"
        if why:
            self._tell(
                GodotCode.LEAVES_JOINT_OUT, node, f"Godot leaves the joint out, because {why}"
            )
            return
        settings = self._document.settings_of(physics)
        if settings is None or joint.joint is None:
            return
        self._jointed.append(node)
        if joint.connected_node is not None:
            self._ends(node, joint.connected_node, settings)
        if joint.joint not in self._findings:
            written = joints.without_idle_motors(settings)
            found = list(joints.findings(written, counted_back=self._is_repaired))
            if joint_ranges.mixes(settings):
                found.append((GodotCode.MIXES_ANGLES, joints.MIXED))
            self._findings[joint.joint] = found
        for code, message in self._findings[joint.joint]:
            self._tell(code, node, message)

    def _ends(self, node: int, connected: int, settings: JointSettings) -> None:
        """Report a joint whose two frames differ."""
        one, other = (self._tree.world(at) for at in (node, connected))
        held = [*settings.limits, *settings.drives]
        turns = any(limit.angular_axes for limit in settings.limits) or any(
            drive.type == "angular" for drive in settings.drives
        )
        moved = math.dist(one[12:15], other[12:15]) > _POSITION_TOLERANCE
        turned = turns and any(
            math.dist(_unit(one[at : at + 3]), _unit(other[at : at + 3])) > _DIRECTION_TOLERANCE
            for at in (0, 4, 8)
        )
        if held and (moved or turned):
            name = self._place(connected)
            why = (
                f"Godot uses the joint's frame for both bodies, but {name} has another one; "
                "move or rotate it to match"
            )
            self._tell(GodotCode.MOVES_JOINT_FRAME, node, why)


def bodies_above(
    nodes: Mapping[int, NodePhysics], tree: Tree, node: int
) -> Iterator[tuple[int, Motion]]:
    """The bodies that a node is below, nearest first."""
    for at in tree.upward(node):
        motion = nodes[at].motion if at in nodes else None
        if at != node and motion is not None:
            yield at, motion


def _unit(axis: Iterable[float]) -> list[float]:
    numbers = list(axis)
    length = math.hypot(*numbers) or 1.0
    return [number / length for number in numbers]


def is_turned(world: Matrix, vector: Vector3) -> bool:
    """Whether a vector in the space of a node has another direction in that of the scene."""
    axes = [_unit(world[at : at + 3]) for at in (0, 4, 8)]
    there = [sum(v * axis[row] for v, axis in zip(vector, axes, strict=True)) for row in range(3)]
    return math.dist(there, vector) > _DIRECTION_TOLERANCE * math.hypot(*vector)
