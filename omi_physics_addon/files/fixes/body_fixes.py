"""Fixes of bodies, triggers and filters."""

from __future__ import annotations

import dataclasses
import math
from typing import Final

from ...codec.targets import unscaled_bodies
from ...issue_codes import Code
from ...model.bodies import IDENTITY, ZERO, Collider, Motion
from ...model.compounds import below, implied_nodes
from ...model.fields import NodeIndex, ShapeIndex
from ...model.shapes import Convex, Shape
from .fix import Fix, Patient, dropping, giving, removing, setting, without

_INFINITE: Final = (0.0, math.inf)  # What KHR writes for it, and what it means.


def _automatic_inertia(patient: Patient, node: int) -> bool:
    motion = patient.draft.of(node).motion
    if motion is None:
        return False
    motion = without(motion, "inertiaDiagonal", "inertiaOrientation")
    automatic = dataclasses.replace(motion, inertia_diagonal=None, inertia_orientation=IDENTITY)
    patient.draft.change(node, motion=automatic)
    return True


def _infinite(patient: Patient, node: int) -> bool:
    """Make what nothing can push or turn kinematic."""
    motion = patient.draft.of(node).motion
    if motion is None or motion.inertia_diagonal is None:
        return False
    if not all(value in _INFINITE for value in (motion.mass, *motion.inertia_diagonal)):
        return False
    return patient.change(node, "motion", type="kinematic", mass=None, inertia_diagonal=None)


def _add_collider(patient: Patient, node: int) -> bool:
    """Make the mesh of a body solid."""
    meshes = patient.draft.tree.meshes
    if not node < len(meshes) or meshes[node] < 0 or patient.draft.of(node).collider is not None:
        return False
    shape = Shape(geometry=Convex(mesh=meshes[node]))  # type: ignore[arg-type]
    index = ShapeIndex(patient.draft.add("shapes", shape))
    patient.draft.change(node, collider=Collider(shape=index))
    return True


def _unparent(patient: Patient, node: int) -> bool:
    if patient.draft.parent_of(node) < 0:
        return False
    patient.draft.move_node(node, -1)
    return True


def _unscale(patient: Patient, node: int) -> bool:
    draft = patient.draft
    if node >= draft.file_nodes or not draft.of(node).motion:
        return False
    before = len(draft.document.new_nodes)
    unscaled_bodies.bake_one(draft, node, f"body {node}")
    return len(draft.document.new_nodes) > before


def _split(patient: Patient, node: int) -> bool:
    """Put the trigger of a collider on a node of its own."""
    trigger = patient.draft.of(node).trigger
    if trigger is None:
        return False
    patient.draft.change(node, trigger=None)
    patient.draft.change(patient.new_child(node, "trigger"), trigger=trigger)
    return True


def _swap_frictions(patient: Patient, at: int) -> bool:
    old = patient.draft.document.physics_materials[at]
    new = dataclasses.replace(
        old, static_friction=old.dynamic_friction, dynamic_friction=old.static_friction
    )
    return patient.swap_entry("physics_materials", at, new)


def _one_list(patient: Patient, at: int) -> bool:
    old = patient.draft.document.collision_filters[at]
    new = dataclasses.replace(old, not_collide_with_systems=())
    return patient.swap_entry("collision_filters", at, new)


def _unify(patient: Patient, _at: int) -> bool:
    """Give systems whose names differ in case or spaces only the first of these names."""
    first: dict[str, str] = {}

    def one(names: tuple[str, ...]) -> tuple[str, ...]:
        found = (first.setdefault("".join(name.split()).casefold(), name) for name in names)
        return tuple(dict.fromkeys(found))

    rows = patient.draft.document.collision_filters
    for k, row in enumerate(rows):
        rows[k] = dataclasses.replace(
            row,
            collision_systems=one(row.collision_systems),
            collide_with_systems=one(row.collide_with_systems),
            not_collide_with_systems=one(row.not_collide_with_systems),
        )
    return True


def _list_all(patient: Patient, node: int) -> bool:
    """Let a trigger without a shape list those below it, or be none."""
    draft, nodes = patient.draft, patient.draft.document.nodes
    shaped = {i for i, p in nodes.items() if p.trigger and p.trigger.shape is not None}
    claiming = {i for i, p in nodes.items() if p.motion or (p.trigger and i not in shaped)}
    found = implied_nodes(node, draft.tree.children, shaped, claiming)
    if not found:
        draft.change(node, trigger=None)
        return True
    return patient.change(node, "trigger", nodes=tuple(map(NodeIndex, found)))


def _shape_to_child(patient: Patient, node: int) -> bool:
    trigger = patient.draft.of(node).trigger
    if trigger is None or trigger.shape is None:
        return False
    new = NodeIndex(patient.new_child(node, "trigger"))
    patient.draft.change(new, trigger=dataclasses.replace(trigger, nodes=()))
    return patient.change(node, "trigger", shape=None, nodes=(*trigger.nodes, new))


def _right_nodes(patient: Patient, node: int) -> bool:
    """Leave out of a trigger's list what is no trigger below it, and flatten other lists."""
    draft = patient.draft
    trigger = draft.of(node).trigger
    if trigger is None:
        return False
    inside = set(below(node, draft.tree.children))
    found: dict[NodeIndex, None] = {}
    for at in trigger.nodes:
        other = draft.of(at).trigger
        if at == node or at not in inside or other is None:
            continue
        if other.nodes:
            found.update(dict.fromkeys(part for part in other.nodes if part != node))
            draft.change(at, trigger=None)
        else:
            found[at] = None
    if not found:
        draft.change(node, trigger=None)
        return True
    return patient.change(node, "trigger", nodes=tuple(found))


def _add_to_list(patient: Patient, node: int) -> bool:
    """List a trigger in the next compound one above it."""
    draft = patient.draft
    for at in draft.upward(node):
        trigger = draft.of(at).trigger
        if at != node and trigger is not None and trigger.nodes:
            nodes = tuple(sorted({*trigger.nodes, NodeIndex(node)}))
            return patient.change(at, "trigger", nodes=nodes)
    return False


def _filter_to_parts(patient: Patient, node: int) -> bool:
    draft = patient.draft
    trigger = draft.of(node).trigger
    if trigger is None or trigger.collision_filter is None:
        return False
    for at in trigger.nodes:
        other = draft.of(at).trigger
        if other is not None and other.collision_filter is None:
            patient.change(at, "trigger", collision_filter=trigger.collision_filter)
    draft.change(node, trigger=dataclasses.replace(trigger, collision_filter=None))
    return True


FIXES: Final[dict[str, Fix]] = {
    Code.BODY_WITHOUT_COLLIDER: Fix("make its mesh a convex collider", _add_collider),
    Code.BODY_BELOW_BODY: Fix(
        "parent it to the other body's parent, keeping its transform", _unparent
    ),
    Code.MASS_ZERO_IN_OMI: Fix("set its mass to 1 kg", setting("motion", mass=1.0)),
    Code.STATIC_BODY_MASS: Fix("remove its mass", setting("motion", mass=None)),
    Code.MASS_ZERO_IS_INFINITE: Fix("make it kinematic", _infinite),
    Code.MOMENT_TOO_LARGE: Fix(
        "Take Inertia from Shapes",
        _automatic_inertia,
        one="{count} body has impossible moments of inertia",
        many="{count} bodies have impossible moments of inertia",
    ),
    Code.MOMENTS_PARTLY_ZERO: Fix("Take Inertia from Shapes", _automatic_inertia),
    Code.INERTIA_ORIENTATION_ALONE: Fix("Take Inertia from Shapes", _automatic_inertia),
    Code.STATIC_BODY_VELOCITY: Fix(
        "Clear Velocity",
        setting("motion", linear_velocity=ZERO, angular_velocity=ZERO),
        one="{count} static body has a velocity, which has no effect",
        many="{count} static bodies have a velocity, which has no effect",
    ),
    Code.DYNAMIC_BODY_ANIMATED: Fix(
        "Make Kinematic",
        setting("motion", type="kinematic"),
        one="{count} dynamic body is animated, so the simulation does not move it",
        many="{count} dynamic bodies are animated, so the simulation does not move them",
    ),
    Code.DYNAMIC_BODY_ON_BONE: Fix("Make Kinematic", setting("motion", type="kinematic")),
    Code.BODY_SCALED: Fix("add an unscaled parent body", _unscale),
    Code.COLLIDER_GROUP_EMPTY: Fix("remove the collider", removing("collider")),
    Code.COLLIDER_AND_TRIGGER: Fix("move the trigger to its own node", _split),
    Code.DYNAMIC_FRICTION_ABOVE_STATIC: Fix(
        "swap the two frictions", _swap_frictions, "physics_materials"
    ),
    Code.FILTER_ALLOWS_AND_FORBIDS: Fix(
        "keep the systems that it collides with", _one_list, "collision_filters"
    ),
    Code.FILTER_EMPTY: Fix("remove the filter", dropping("collision_filters"), "collision_filters"),
    Code.SYSTEM_NAMES_ALIKE: Fix(
        "rename them to the first of these names", _unify, "collision_filters"
    ),
    Code.TRIGGER_WITHOUT_SHAPE: Fix("list the triggers below it", _list_all),
    Code.TRIGGER_SHAPE_AND_NODES: Fix("move its shape to its own node", _shape_to_child),
    Code.TRIGGER_NODE_NOT_BELOW: Fix("remove entries that are not below it", _right_nodes),
    Code.TRIGGER_NODE_NO_TRIGGER: Fix("remove entries without a trigger", _right_nodes),
    Code.COMPOUND_TRIGGER_NESTED: Fix("list the parts of that trigger", _right_nodes),
    Code.TRIGGER_LISTS_ITSELF: Fix("remove itself from its list", _right_nodes),
    Code.TRIGGER_NOT_LISTED: Fix("add it to the list", _add_to_list),
    Code.COMPOUND_TRIGGER_FILTER: Fix("move the filter to its parts", _filter_to_parts),
    Code.VEHICLE_WITHOUT_BODY: Fix(
        "Make a Dynamic Body", giving(motion=Motion(type="dynamic", mass=1.0))
    ),
    Code.VEHICLE_NOT_DYNAMIC: Fix(
        "Make Dynamic",
        setting("motion", type="dynamic"),
        one="{count} vehicle is not dynamic, so wheels and thrusters cannot move it",
        many="{count} vehicles are not dynamic, so wheels and thrusters cannot move them",
    ),
}
