"""Rules about triggers, and the gravity that stands on them."""

from __future__ import annotations

import math

from ...issue_codes import Code
from ...model.bodies import Trigger
from ...model.compounds import implied_nodes
from ...model.document import NodePhysics
from ...model.gravity import DirectionalGravity, GravityVolume, LineGravity, OtherGravity
from .subject import Subject


def check(subject: Subject) -> None:
    """Look at every compound trigger and every gravity volume."""
    compound_of: dict[int, int] = {}
    triggers = dict(subject.having("trigger"))
    shaped = {at for at, p in triggers.items() if p.trigger and p.trigger.shape is not None}
    claiming = {at for at, _ in subject.having("motion")} | (triggers.keys() - shaped)
    for i, trigger in [
        (i, p.trigger) for i, p in triggers.items() if p.trigger and p.trigger.nodes
    ]:
        compound_of |= dict.fromkeys(trigger.nodes, i)
        _check_listed(subject, i, trigger)
        listed = set(trigger.nodes)
        for at in implied_nodes(i, subject.tree.children, shaped, claiming):
            if at not in listed:
                why = (
                    f"the trigger is below the compound trigger {subject.place(i)} but not in "
                    "its list, so it may be ignored; add it to the list"
                )
                subject.add(Code.TRIGGER_NOT_LISTED, at, why)
    for i, physics in subject.having("gravity"):
        if physics.gravity is not None:
            _check_gravity(subject, i, physics, physics.gravity, compound_of.get(i))
    if subject.document.world_gravity is not None and _is_prop(subject):
        why = (
            "a file of a single moving body sets world gravity, so importing it may change "
            "the game's; leave it out"
        )
        subject.issues.add(Code.WORLD_GRAVITY_IN_PROP, "/extensions/OMI_physics_gravity", why)


def _is_prop(subject: Subject) -> bool:
    """Whether all that a file has is one body that moves."""
    bodies = subject.having("motion")
    if len(bodies) != 1:
        return False
    (body, physics), nodes = bodies[0], subject.nodes
    moves = physics.motion is not None and physics.motion.type == "dynamic"
    return moves and all(subject.body_of(i) == body for i, _ in nodes)


def _check_gravity(
    subject: Subject, i: int, physics: NodePhysics, gravity: GravityVolume, above: int | None
) -> None:
    if physics.trigger is None:
        why = "the gravity volume has no trigger, so nothing bounds it; add a trigger to this node"
        subject.add(Code.GRAVITY_WITHOUT_TRIGGER, i, why)
    if physics.motion is not None or physics.collider is not None:
        why = (
            "the gravity volume is also a body or a collider, but OMI allows neither; "
            "move the volume to a child node"
        )
        subject.add(Code.GRAVITY_ON_SOLID, i, why)
    if above is not None:
        why = (
            f"the gravity volume is a part of the compound trigger {subject.place(above)}; "
            "put the gravity on that trigger instead"
        )
        subject.add(Code.GRAVITY_IN_COMPOUND, i, why)
    if physics.trigger is not None and physics.trigger.shape is None:
        why = (
            "the gravity volume has no shape and uses the triggers below, which some "
            "importers ignore; add a shape"
        )
        subject.add(Code.GRAVITY_ON_COMPOUND, i, why)
    if subject.scale(i) is not None:
        why = (
            "the gravity volume is scaled, and engines disagree on whether distances "
            "scale too; apply the scale"
        )
        subject.add(Code.GRAVITY_SCALED, i, why)
    _check_values(subject, i, gravity)


def _check_listed(subject: Subject, i: int, trigger: Trigger) -> None:
    for at in trigger.nodes:
        physics = subject.document.nodes.get(at)
        if at == i:
            why = "the trigger lists itself, which adds nothing; remove the entry from its list"
            subject.add(Code.TRIGGER_LISTS_ITSELF, i, why)
            continue
        if not subject.tree.is_below(at, i):
            why = (
                f"the trigger lists {subject.place(at)}, which is not below it, so "
                "importers may skip that; parent it, or remove the entry"
            )
            subject.add(Code.TRIGGER_NODE_NOT_BELOW, i, why)
        if physics is None or physics.trigger is None:
            why = (
                f"the trigger lists {subject.place(at)}, which has no trigger, so that "
                "entry has no effect; add a trigger, or remove the entry"
            )
            subject.add(Code.TRIGGER_NODE_NO_TRIGGER, i, why)
        elif physics.trigger.nodes:
            why = (
                f"the trigger lists the compound trigger {subject.place(at)}, which importers "
                f"may skip; list the parts of {subject.place(at)} instead"
            )
            subject.add(Code.COMPOUND_TRIGGER_NESTED, i, why)


def _check_values(subject: Subject, i: int, volume: GravityVolume) -> None:
    if volume.gravity == 0.0 and not (volume.replace or volume.stop):
        why = (
            "the gravity volume has a strength of zero and no effect; turn on Stop or "
            "Replace, or set a strength"
        )
        subject.add(Code.GRAVITY_ZERO, i, why)
    if volume.stop and volume.priority < 0:
        why = (
            "the volume stops lower priorities but is itself below 0, so world gravity may "
            "apply or not; use 0 or more"
        )
        subject.add(Code.GRAVITY_STOP_BELOW_WORLD, i, why)
    if volume.stop and volume.replace:
        why = (
            "the volume replaces higher and stops lower priorities, so no other gravity acts "
            "here; turn one off if unwanted"
        )
        subject.add(Code.GRAVITY_REPLACES_AND_STOPS, i, why)
    field = volume.field
    if isinstance(field, LineGravity):
        pairs = zip(field.points, field.points[1:], strict=False)
        if any(math.dist(a, b) == 0.0 for a, b in pairs):
            why = (
                "two successive points of the gravity line are equal, so its direction there "
                "is undefined; remove one"
            )
            subject.add(Code.LINE_PIECE_WITHOUT_LENGTH, i, why)
    if isinstance(field, (DirectionalGravity, OtherGravity)):
        return
    if field.unit_distance == 0.0:
        why = (
            "the unit distance is 0, so gravity is equally strong at any distance; set a "
            "distance to let it fade"
        )
        subject.add(Code.GRAVITY_CONSTANT, i, why)
