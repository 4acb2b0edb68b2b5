"""Rules about triggers, and the gravity that stands on them."""

from __future__ import annotations

import math
from collections.abc import Iterator

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
    for i, trigger in _compounds(subject):
        compound_of |= dict.fromkeys(trigger.nodes, i)
        _check_listed(subject, i, trigger)
        listed = set(trigger.nodes)
        for at in implied_nodes(i, subject.tree.children, shaped, claiming):
            if at not in listed:
                why = f"it is below the trigger {subject.place(i)}, which omits it"
                subject.add(Code.TRIGGER_NOT_LISTED, at, why)
    for i, physics in subject.having("gravity"):
        if physics.gravity is not None:
            _check_gravity(subject, i, physics, physics.gravity, compound_of.get(i))
    if subject.document.world_gravity is not None and _is_prop(subject):
        why = "it belongs into the file of a world, not into that of a thing in it"
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
        subject.add(
            Code.GRAVITY_WITHOUT_TRIGGER, i, "it needs a trigger, inside which its gravity acts"
        )
    if physics.motion is not None or physics.collider is not None:
        subject.add(
            Code.GRAVITY_ON_SOLID, i, "its gravity needs a node that is no body and not solid"
        )
    if above is not None:
        why = f"its gravity belongs on {subject.place(above)}, whose trigger it is part of"
        subject.add(Code.GRAVITY_IN_COMPOUND, i, why)
    if physics.trigger is not None and physics.trigger.shape is None:
        why = "its gravity acts in the triggers below, which some readers do not look for"
        subject.add(Code.GRAVITY_ON_COMPOUND, i, why)
    if subject.scale(i) is not None:
        subject.add(
            Code.GRAVITY_SCALED, i, "no text says whether its distances follow the scale; apply it"
        )
    _check_values(subject, i, gravity)


def _compounds(subject: Subject) -> Iterator[tuple[int, Trigger]]:
    for i, physics in subject.having("trigger"):
        if physics.trigger is not None and physics.trigger.nodes:
            yield i, physics.trigger


def _check_listed(subject: Subject, i: int, trigger: Trigger) -> None:
    for at in trigger.nodes:
        physics = subject.document.nodes.get(at)
        if at == i:
            subject.add(Code.TRIGGER_LISTS_ITSELF, i, "the trigger lists itself")
            continue
        if not subject.tree.is_below(at, i):
            subject.add(
                Code.TRIGGER_NODE_NOT_BELOW, i, f"{subject.place(at)} is not below the trigger"
            )
        if physics is None or physics.trigger is None:
            subject.add(
                Code.TRIGGER_NODE_NO_TRIGGER, i, f"{subject.place(at)} is listed but no trigger"
            )
        elif physics.trigger.nodes:
            subject.add(
                Code.COMPOUND_TRIGGER_NESTED,
                i,
                f"{subject.place(at)} is made of others itself; list those",
            )


def _check_values(subject: Subject, i: int, volume: GravityVolume) -> None:
    if volume.gravity == 0.0 and not (volume.replace or volume.stop):
        subject.add(Code.GRAVITY_ZERO, i, "zero gravity adds nothing; set Stop or Replace")
    if volume.stop and volume.priority < 0:
        subject.add(
            Code.GRAVITY_STOP_BELOW_WORLD,
            i,
            "whether the world still counts is unclear below priority 0",
        )
    if volume.stop and volume.replace:
        subject.add(
            Code.GRAVITY_REPLACES_AND_STOPS,
            i,
            "it throws away all other gravity, above and below it",
        )
    field = volume.field
    if isinstance(field, LineGravity):
        pairs = zip(field.points, field.points[1:], strict=False)
        if any(math.dist(a, b) == 0.0 for a, b in pairs):
            subject.add(
                Code.LINE_PIECE_WITHOUT_LENGTH,
                i,
                "two points of its line that follow each other are the same",
            )
    if isinstance(field, (DirectionalGravity, OtherGravity)):
        return
    if field.unit_distance == 0.0:
        subject.add(
            Code.GRAVITY_CONSTANT, i, "its unit distance is 0, so it is as strong far away as near"
        )
