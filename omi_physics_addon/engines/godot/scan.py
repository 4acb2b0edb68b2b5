"""Which nodes of a file for everybody Godot 4 takes otherwise, and would not if it were for Godot.

Every export asks, so this looks at records alone and tries no repair; see `repairs` for what
these are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...codec.convert import mesh_nodes
from ...codec.targets.nested_bodies import moves
from ...codec.targets.round_shapes import becomes_hull, is_tapered
from ...codec.targets.unscaled_bodies import part_scale, scale_to_bake
from ...codec.values.json_members import as_list, member
from ...codec.values.node_tree import Tree
from ...issues import Issues
from ...model.document import NodePhysics, PhysicsDocument
from ...model.joints import Joint
from ...model.vehicles import VehicleBody
from . import wheels
from .codes import GodotCode
from .deviations import NODES_OF_GODOT, bodies_above, is_turned
from .names import is_command
from .repairs import for_godot

# What Godot makes a node for, which then shows no mesh, camera or light.
_MADE: Final = (*NODES_OF_GODOT, "joint", "seat")
_NOT_SEEN: Final = frozenset(("colonly", "convcolonly"))  # At the end of names: only for physics.


def taken(document: PhysicsDocument, tree: Tree) -> list[int]:
    """The nodes of a document of OMI that Godot would take as they are if it were for Godot."""
    scan = _Scan(document, tree)
    return [node for node, physics in document.nodes.items() if scan.is_taken(node, physics)]


def unseen(
    document: PhysicsDocument, shows: Callable[[int], object], name_of: Callable[[int], str]
) -> list[int]:
    """The nodes with physics of which Godot does not show what they show.

    Args:
        shows: whether a node shows something itself.
    """
    return [
        node
        for node, physics in sorted(document.nodes.items())
        if shows(node)
        and any(getattr(physics, part) is not None for part in _MADE)
        and not is_command(name_of(node), _NOT_SEEN)
    ]


def tell_unseen(json: Mapping[str, Any], document: PhysicsDocument, issues: Issues) -> None:
    """Report once what of a parsed glTF, whose physics is given, Godot does not show."""
    all_nodes = as_list(json.get("nodes"))
    shows = mesh_nodes.Nodes(lambda i, name: member(all_nodes[i], name), (), (), ()).word
    nodes = unseen(document, shows, lambda i: str(member(all_nodes[i], "name")))
    if nodes:
        many = "a node that has" if len(nodes) == 1 else f"{len(nodes)} nodes that have"
        why = (
            f"Godot does not show the mesh, camera or light of {many} physics; an export or "
            f"`fix --only {GodotCode.SHOWS_NO_MESH}` moves them to children"
        )
        issues.add(GodotCode.SHOWS_NO_MESH, f"/nodes/{nodes[0]}", why)


class _Scan:
    def __init__(self, document: PhysicsDocument, tree: Tree) -> None:
        self._nodes, self._tree, self._parents = document.nodes, tree, tree.parents
        self._document = document
        self._vehicles = wheels.parts_by_body(self._nodes.items(), self._body_above)
        self._changed: dict[int, bool] = {}  # Joint settings that are written otherwise.

    def is_taken(self, node: int, physics: NodePhysics) -> bool:
        motion = physics.motion
        if motion is not None:
            if motion.type != "static" and self._moves(node, physics):
                return True
        elif physics.collider is not None and physics.collider.shape is not None:
            above = self._body_above(node)
            if above >= 0 and moves(self._nodes[above].motion) and not self._is_below(node, above):
                return True
        if self._brakes(node, physics.vehicle_body):
            return True
        is_scaled = part_scale(self._tree, node, physics) is not None
        if physics.wheel is not None or is_scaled or self._has_hull(node, physics):
            return True
        return physics.joint is not None and self._joint(node, physics, physics.joint)

    def _brakes(self, node: int, vehicle: VehicleBody | None) -> bool:
        """Whether Godot brakes a vehicle that has no brakes."""
        parts = self._vehicles.get(node, [])
        return vehicle is not None and wheels.has_idle_dampeners(vehicle, self._document, parts)

    def _is_below(self, node: int, body: int) -> bool:
        """Whether a node is directly below a body, and still is when that is not scaled."""
        if self._parents.get(node) != body:
            return False
        return scale_to_bake(self._nodes, self._tree, body) is None

    def _has_hull(self, node: int, physics: NodePhysics) -> bool:
        """Whether a shape of a node is written as a hull."""
        shapes = (shape for _name, _part, shape in self._document.shaped(physics))
        return any(
            is_tapered(shape.geometry) and becomes_hull(shape.geometry, self._tree.world(node))
            for shape in shapes
        )

    def _body_above(self, node: int) -> int:
        return next((at for at, _motion in bodies_above(self._nodes, self._tree, node)), -1)

    def _moves(self, node: int, physics: NodePhysics) -> bool:
        if any(moves(motion) for _at, motion in bodies_above(self._nodes, self._tree, node)):
            return True
        motion = physics.motion
        assert motion is not None
        if scale_to_bake(self._nodes, self._tree, node) is not None:
            return True
        velocities = [v for v in (motion.linear_velocity, motion.angular_velocity) if any(v)]
        if not velocities:
            return False
        world = self._tree.world(node)
        return any(is_turned(world, velocity) for velocity in velocities)

    def _joint(self, node: int, physics: NodePhysics, joint: Joint) -> bool:
        shares = any(getattr(physics, name) is not None for name in NODES_OF_GODOT)
        body = self._body_above(node)
        if shares or body < 0 or not self._is_below(node, body):
            return True
        other = joint.connected_node
        if other is not None and self._body_above(other) < 0:
            held = self._nodes.get(other)
            if held is None or held.motion is None:
                return True
        index, settings = joint.joint, self._document.settings_of(physics)
        if index is None or settings is None:
            return False
        if index not in self._changed:
            self._changed[index] = for_godot(settings)[0] != settings
        return self._changed[index]
