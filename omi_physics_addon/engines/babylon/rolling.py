"""Which bodies may roll, which Babylon.js slows as it slows every spin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...codec.targets.joint_ranges import turning
from ...codec.values.node_tree import Tree
from ...issues import Issues
from ...model.document import PhysicsDocument
from ...model.shapes import Box, Capsule, Cylinder, Geometry, Plane, Sphere
from .codes import BabylonCode

DAMPING: Final = 0.1  # Share of a spin that is lost in a second.
_LEVEL: Final = 0.9999  # The upward part of an axis that stands, within 0.8°.
# By kind of shape, where in a matrix the axes begin of which one stands if its top is level.
_AXES: Final[dict[type[Any], tuple[int, ...]]] = {Box: (0, 4, 8), Plane: (4,), Cylinder: (4,)}
_ALONG: Final = 1e-3  # m/s, a speed along the ground that pushes a body.


def tell(
    document: PhysicsDocument, tree: Tree, issues: Issues, place: Callable[[int], str]
) -> None:
    """Tell of each body that can roll: round ones that are pushed, or where some ground slopes.

    Bodies of which it is told for their own spin or joint are left out.

    Args:
        tree: all nodes of the document.
        place: words for messages about a node.
    """
    round_ones: dict[int, None] = {}
    body_of = tree.nearest(document.nodes, "motion")
    slopes, owners = False, {node: body_of(node) for node in document.nodes}
    for node, physics in sorted(document.nodes.items()):
        collider = physics.collider
        shape = None if collider is None else document.geometry(collider.shape)
        if shape is None:
            continue
        body = owners.get(node)
        motion = None if body is None else document.nodes[body].motion
        if body is None or motion is None or motion.type != "dynamic":
            slopes = slopes or not _is_level(shape, tree.world(node))
        elif isinstance(shape, Sphere | Capsule | Cylinder):
            round_ones[body] = None
    told = _turning_on_joints(document, owners)
    for body in round_ones:
        motion = document.nodes[body].motion
        if motion is None or body in told or any(motion.angular_velocity):
            continue
        x, _, z = motion.linear_velocity
        if motion.gravity_factor and (slopes or max(abs(x), abs(z)) > _ALONG):
            why = (
                f"Babylon.js has an angular damping of {DAMPING:g} per second, so rolling "
                "bodies lag: by 4 % in 3 s down a slope"
            )
            issues.add(BabylonCode.SLOWS_SPIN, place(body), why)


def _turning_on_joints(document: PhysicsDocument, owners: dict[int, int | None]) -> set[int]:
    """The bodies of joints that turn, of which it is told by the joint."""
    found: set[int] = set()
    for node, physics in document.nodes.items():
        joint, settings = physics.joint, document.settings_of(physics)
        if joint is None or settings is None or not turning(settings):
            continue
        other = joint.connected_node
        ends = (owners[node], None if other is None else owners.get(other))
        found.update(end for end in ends if end is not None)
    return found


def _is_level(shape: Geometry, world: tuple[float, ...]) -> bool:
    """Whether a shape that stands still has a level top; nobody knows of meshes."""
    for at in _AXES.get(type(shape), ()):
        x, y, z = world[at : at + 3]
        if y * y >= _LEVEL * _LEVEL * (x * x + y * y + z * z):
            return True
    return False
