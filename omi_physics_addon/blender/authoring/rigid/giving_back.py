"""Makes bodies, colliders and joints of ours Blender's rigid bodies and constraints."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from ....issue_codes import Code
from ....model.document import PART_WORDS
from ....simulation.state import WORLD
from ....simulation.world import JointFrames
from ...base import compat, groups
from .giving import Given, Giving
from .giving_bodies import GivingBodies
from .giving_joints import GivingJoints

_OTHERS: Final = {
    f"use_{part}": f"a {word}"
    for part, word in PART_WORDS.items()
    if part not in ("collider", "joint")
}


def give_back(scene: Any, selected: Collection[Any] | None) -> Given:
    """Make Blender's rigid bodies and constraints of ours, which stays as it is.

    Args:
        selected: None for all of the scene; the bodies of a selected joint and the joints between
            selected bodies belong to it, and a collider stands for its body.
    """
    giving = Giving(scene)
    wanted, joints = _chosen(giving, selected)
    if not wanted and not joints:
        return giving.given
    giving.begin()
    makes = GivingBodies(giving)
    chosen = [at for at in sorted(wanted) if makes.can_be(at)]
    owners = {giving.object(giving.world.bodies[at].node) for at in chosen}
    owners |= {giving.object(joint.node) for joint in joints}
    gone = [obj for owner in owners for obj in giving.old.get(owner, ()) if obj != owner]
    giving.linked.difference_update(gone)
    giving.held.difference_update(gone)
    compat.remove_data(gone)
    makes.give(chosen)
    given, ties = set(chosen), GivingJoints(giving)
    for joint in joints:
        ties.give(joint, given)
    for obj in giving.objects:
        if obj in owners or obj.parent in owners:
            _tell_others(giving, obj)
    return giving.given


def _chosen(giving: Giving, selected: Collection[Any] | None) -> tuple[set[int], list[JointFrames]]:
    """The bodies and the joints that are wanted."""
    world = giving.world
    if selected is None:
        return set(range(len(world.bodies))), list(world.joints)
    wanted, found, joints = set(selected), set[int](), list[JointFrames]()
    for at, body in enumerate(world.bodies):
        nodes = (body.node, *(solid.node for solid in body.solids))
        if not wanted.isdisjoint(map(giving.object, nodes)):
            found.add(at)
    for joint in world.joints:
        ends = {*joint.bodies} - {WORLD}
        if giving.object(joint.node) in wanted or (ends and ends <= found):
            joints.append(joint)
    for joint in joints:
        found |= {*joint.bodies} - {WORLD}
    return found, joints


def _tell_others(giving: Giving, obj: Any) -> None:
    group = groups.of_object(obj)
    found = [text for flag, text in _OTHERS.items() if getattr(group, flag)]
    if found:
        why = f"Blender's rigid bodies do not have {', '.join(found)}"
        giving.tell(obj, Code.RIGID_BODY_CANNOT_SAY, why)
