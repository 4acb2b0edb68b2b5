"""Writes a document of KHR so that Babylon.js does what the document says.

Seen with Babylon.js 9.34 with Havok and commit a920d07 of the loader. What cannot be written so is
left for `deviations.check` to tell. The original is kept beside it in the file, see `authored`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final, cast

from ...codec.convert import infinite_masses, joint_conversion, shape_conversion
from ...codec.convert.draft import Draft
from ...codec.targets import round_shapes
from ...codec.targets.joint_ranges import goes_far, strong_drives
from ...codec.targets.nested_bodies import free, moves
from ...codec.values.node_tree import Matrix, scale_of
from ...geometry.scaled_shapes import is_one
from ...issue_codes import Code, Severity
from ...model.bodies import SHAPE_USERS, ZERO, Collider, CollisionFilter, Motion, PhysicsMaterial
from ...model.document import NewNode, NodePhysics
from ...model.fields import FilterIndex, JointIndex, MaterialIndex, NodeIndex, Vector3
from ...model.joints import mirrored
from ...model.shapes import Box, Capsule, Cylinder, Sphere

if TYPE_CHECKING:
    from ...geometry.inertia import MassProperties

_SYSTEM: Final = "Without Filter"  # Of what is of no other.
_NEAR: Final = 0.01  # Of the size of a body, by which its center does not matter.
_FLAT: Final = 1e-30  # Volume of a scaled cube that counts as none.


def repair(draft: Draft, name_of: Callable[[int], str], animated: Collection[int] = ()) -> None:
    """Change a document of KHR so that Babylon.js does what it says.

    Args:
        name_of: the name of a node, from which those of added nodes are made.
        animated: nodes that animations move; what hangs on them stays where it is.
    """
    free(draft, animated, _is_body)
    _write_inertia(draft)
    shape_conversion.planes_to_boxes(draft)
    round_shapes.tapered_as_hulls(draft, (Capsule,), ("collider",), name_of)
    round_shapes.unscale(draft, name_of)
    _unscale_velocities(draft)
    _weigh_infinite(draft)
    _divide_inertia(draft)
    _name_materials(draft)
    _name_systems(draft)
    _drop_drives(draft)
    _turn_sliders(draft, name_of)
    _hold_joints(draft, name_of)
    _connect_leaves(draft, name_of)
    draft.drop_orphans()
    draft.drop_planes()


def _is_body(physics: NodePhysics) -> bool:
    """Whether the loader makes a body of a node, to which it counts all joints below."""
    collider = physics.collider
    return physics.motion is not None or (collider is not None and collider.shape is not None)


def _unscale_velocities(draft: Draft) -> None:
    """Take the scale of their bodies off velocities, with which the loader multiplies them."""
    for node, physics in draft.nodes():
        motion = physics.motion
        if motion is None or not moves(motion):
            continue
        velocities = (motion.linear_velocity, motion.angular_velocity)
        world = draft.world(node)
        scale = scale_of(world)
        if velocities == (ZERO, ZERO) or (scale is not None and (is_one(scale) or not all(scale))):
            continue
        if scale is None or scale[0] < 0.0:
            linear, angular = (_unsheared(world, velocity) for velocity in velocities)
        else:
            linear, angular = (round_shapes.divided(velocity, scale) for velocity in velocities)
        written = dataclasses.replace(motion, linear_velocity=linear, angular_velocity=angular)
        draft.change(node, motion=written)


def _unsheared(world: Matrix, velocity: Vector3) -> Vector3:
    """Of what a matrix that shears or mirrors makes a velocity along the axes of its body."""
    import numpy as np

    from ...geometry.rotations import nearest_rotation

    linear = np.array(world).reshape(4, 4).T[:3, :3]
    with np.errstate(over="ignore", invalid="ignore"):
        if abs(np.linalg.det(linear)) < _FLAT:
            return velocity
        turned = nearest_rotation(linear) @ np.array(velocity)
        x, y, z = map(float, np.linalg.solve(linear, turned))
    return (x, y, z)


def _write_inertia(draft: Draft) -> None:
    """Give moments of inertia to bodies whose center of mass is not that of their shapes.

    Havok would take the moments about the center of the shapes for those about the given one.
    """
    for node, physics in draft.nodes():
        motion = physics.motion
        if motion is None or motion.type != "dynamic" or draft.weigh is None:
            continue
        if motion.center_of_mass is None or motion.inertia_diagonal is not None:
            continue
        if motion.mass in (0.0, math.inf) or _is_centered(draft, node, motion):
            continue
        whole = draft.weigh(node)
        if whole is not None:
            written = _with_inertia(motion, whole, draft.world(node))
            if written is None:
                why = (
                    "the moments of inertia are too large for a file and are left out; the "
                    "engine computes others"
                )
                draft.report(Code.NUMBER_NOT_FINITE, node, why, Severity.WARNING)
            else:
                draft.change(node, motion=written)


def _is_centered(draft: Draft, node: int, motion: Motion) -> bool:
    """Whether a body is a shape alone that balances on its origin, for sure and at a glance."""
    collider = draft.of(node).collider
    geometry = None if collider is None else draft.document.geometry(collider.shape)
    is_plain = isinstance(geometry, (Box, Sphere, Capsule, Cylinder))
    if motion.center_of_mass != ZERO or not is_plain or round_shapes.is_tapered(geometry):
        return False
    if node < draft.file_nodes and not draft.tree.children[node]:  # As of most.
        return True
    parts = (draft.of(at).collider for at in draft.part_of(node) if at != node)
    return all(part is None or part.shape is None for part in parts)


def _with_inertia(motion: Motion, whole: MassProperties, world: Matrix) -> Motion | None:
    """A motion with the moments of a whole about its own center, where that is elsewhere.

    None where they are not finite.
    """
    import numpy as np

    from ...geometry import inertia
    from ...geometry.rotations import nearest_rotation

    linear = np.array(world).reshape(4, 4).T[:3, :3]
    center = nearest_rotation(linear).T @ linear @ np.array(motion.center_of_mass)
    away = whole.center - center
    if np.linalg.norm(away) < _NEAR * np.cbrt(whole.mass):
        return motion
    mass = whole.mass * shape_conversion.DENSITY if motion.mass is None else motion.mass
    with np.errstate(over="ignore", invalid="ignore"):
        heavy = inertia.with_mass(whole, mass)
        shifted = heavy.tensor + mass * (away @ away * np.eye(3) - np.outer(away, away))
    if not np.isfinite(shifted).all():
        return None
    moments, turn = inertia.principal(shifted)
    a, b, c = map(float, moments)
    x, y, z, w = map(float, turn)
    return dataclasses.replace(
        motion, mass=mass, inertia_diagonal=(a, b, c), inertia_orientation=(x, y, z, w)
    )


def _weigh_infinite(draft: Draft) -> None:
    """Give infinite masses large ones, as Havok pulls nothing whose mass is 0."""
    large = infinite_masses.large_mass(draft)
    for node, physics in draft.nodes():
        motion = physics.motion
        if motion is not None and motion.type == "dynamic" and motion.mass in (0.0, math.inf):
            draft.change(node, motion=dataclasses.replace(motion, mass=large))


def _divide_inertia(draft: Draft) -> None:
    """Divide moments of inertia by the mass, with which the loader multiplies them."""
    for node, physics in draft.nodes():
        motion = physics.motion
        if motion is not None and motion.inertia_diagonal is not None and motion.mass:
            mass = motion.mass
            moments = round_shapes.divided(motion.inertia_diagonal, (mass, mass, mass))
            draft.change(node, motion=dataclasses.replace(motion, inertia_diagonal=moments))


def _name_materials(draft: Draft) -> None:
    """Give colliders without a material that of the specification; the loader has another one."""
    default: MaterialIndex | None = None
    for node, physics in draft.nodes():
        if has_bare_surface(physics):
            if default is None:
                default = MaterialIndex(draft.add("physics_materials", PhysicsMaterial()))
            named = dataclasses.replace(cast(Collider, physics.collider), physics_material=default)
            draft.change(node, collider=named)


def has_bare_surface(physics: NodePhysics) -> bool:
    """Whether the loader takes friction and restitution from a material of its own."""
    collider = physics.collider
    return collider is not None and collider.shape is not None and collider.physics_material is None


def _name_systems(draft: Draft) -> None:
    """Give what is of no system one of its own; the loader takes it for part of all systems."""
    named = {
        system
        for row in draft.document.collision_filters
        for names in (row.collide_with_systems, row.not_collide_with_systems)
        for system in names
    }
    if not named:
        return
    name = _SYSTEM
    while name in named:
        name += "_"
    rows = draft.document.collision_filters
    rows[:] = [
        row if row.collision_systems else dataclasses.replace(row, collision_systems=(name,))
        for row in rows
    ]
    other = CollisionFilter(collision_systems=(name,))
    index = FilterIndex(draft.add("collision_filters", other))
    for node, physics in draft.nodes():
        for part in SHAPE_USERS:
            record = getattr(physics, part)
            if record is not None and record.collision_filter is None:
                changed = dataclasses.replace(record, collision_filter=index)
                draft.change(node, **{part: changed})


def _drop_drives(draft: Draft) -> None:
    """Leave out drives without a force, of which the loader makes drives without a largest one."""
    for node, physics in draft.nodes():
        joint, settings = physics.joint, draft.document.settings_of(physics)
        if joint is None or settings is None:
            continue
        strong = strong_drives(settings)
        if strong != settings.drives:
            kept = dataclasses.replace(settings, drives=strong)
            index = JointIndex(draft.add("joint_settings", kept))
            draft.change(node, joint=dataclasses.replace(joint, joint=index))


def _turn_sliders(draft: Draft, name_of: Callable[[int], str]) -> None:
    """Write sliders from the side that stands still.

    On the side that moves, Havok takes what holds them for a lever that grows with the way: at 60
    steps a second an arm that goes 1.5 m on a level rail falls by 0.4 m.
    """
    for node, physics in draft.nodes():
        joint, settings = physics.joint, draft.document.settings_of(physics)
        if joint is None or settings is None or joint.connected_node is None:
            continue
        to = int(joint.connected_node)
        if not 0 <= to < draft.file_nodes:
            continue
        turns = draft.is_dynamic(node) and not draft.is_dynamic(to)
        if turns and goes_far(settings) and joint_conversion.is_symmetric(settings):
            index = JointIndex(draft.add("joint_settings", mirrored(settings)))
            if draft.of(to).joint is not None:
                to = draft.add_node(NewNode(to, to, f"{name_of(to)} Slider"))
            other = dataclasses.replace(joint, joint=index, connected_node=NodeIndex(node))
            draft.change(to, joint=other)
            draft.change(node, joint=None)


def _hold_joints(draft: Draft, name_of: Callable[[int], str]) -> None:
    """Give joints that hang on no body a kinematic one that stands still."""
    for node, physics in draft.nodes():
        joint = physics.joint
        if joint is not None and draft.body_of(node) is None:
            anchor = draft.add_node(NewNode(node, node, f"{name_of(node)} Anchor"))
            draft.change(anchor, motion=Motion(type="kinematic"), joint=joint)
            draft.change(node, joint=None)


def _connect_leaves(draft: Draft, name_of: Callable[[int], str]) -> None:
    """Connect joints to nodes without a body through nodes of their own.

    The loader makes a static body of such a node, to which it counts all joints below.
    """
    leaves: dict[int, NodeIndex] = {}
    for node, physics in draft.nodes():
        joint = physics.joint
        to = None if joint is None else joint.connected_node
        if joint is None or to is None or not 0 <= to < draft.file_nodes:
            continue
        if not draft.tree.children[to] or any(_is_body(draft.of(at)) for at in draft.upward(to)):
            continue
        if to not in leaves:
            leaves[to] = NodeIndex(draft.add_node(NewNode(to, to, f"{name_of(to)} Pivot")))
        draft.change(node, joint=dataclasses.replace(joint, connected_node=leaves[to]))
