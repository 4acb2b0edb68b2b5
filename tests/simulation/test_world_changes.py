"""Which changes of a world a running preview cannot follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from omi_physics_addon.model.bodies import Collider, Motion
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import JointIndex, NodeIndex, ShapeIndex
from omi_physics_addon.model.joints import Joint, JointLimit, JointSettings
from omi_physics_addon.model.shapes import Box, Shape
from omi_physics_addon.model.vehicles import Wheel
from omi_physics_addon.simulation.build import build
from omi_physics_addon.simulation.world_changes import structure
from tests.simulation.test_build import at

BODY = NodePhysics(motion=Motion(mass=1.0), collider=Collider(shape=ShapeIndex(0)))
HINGE = JointLimit(angular_axes=(0,), min=-1.0, max=1.0)


def document(**changes: Any) -> PhysicsDocument:
    """Two bodies on a joint, and a wheel in the list."""
    joint = Joint(joint=JointIndex(0), connected_node=NodeIndex(1))
    lists = {
        "nodes": {0: replace(BODY, joint=joint), 1: BODY},
        "shapes": [Shape(geometry=Box())],
        "joint_settings": [JointSettings(limits=(HINGE,))],
        "wheels": [Wheel()],
    }
    return PhysicsDocument(**{**lists, **changes})


def seen(made: PhysicsDocument) -> Any:
    return structure(build(made, [at(), at(3.0)], lambda _: None), made)


def limits(limit: JointLimit) -> PhysicsDocument:
    return document(joint_settings=[JointSettings(limits=(limit,))])


def heavier(**more: Any) -> PhysicsDocument:
    nodes = document().nodes
    return document(nodes=nodes | {1: replace(BODY, motion=Motion(mass=2.0, **more))})


CHANGES: dict[str, tuple[Callable[[], PhysicsDocument], bool]] = {
    "nothing": (document, False),
    "a mass": (heavier, False),
    "the ends of a limit": (lambda: limits(replace(HINGE, min=-2.0)), False),
    "moments without their mass": (lambda: heavier(inertia_diagonal=(1.0, 2.0, 2.0)), True),
    "one end less": (lambda: limits(replace(HINGE, min=None)), True),
    "a limit about another axis": (lambda: limits(replace(HINGE, angular_axes=(1,))), True),
    "the size of a shape": (
        lambda: document(shapes=[Shape(geometry=Box(size=(1.0, 1.0, 2.0)))]),
        True,
    ),
    "the radius of a wheel": (lambda: document(wheels=[Wheel(radius=0.7)]), True),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_what_stays_is_seen(change):
    make, is_seen = CHANGES[change]
    assert (seen(make()) != seen(document())) is is_seen
