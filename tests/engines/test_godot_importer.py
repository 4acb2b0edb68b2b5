"""Files for Godot with our reader."""

from __future__ import annotations

import pytest

from omi_physics_addon.codec.targets import engines
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.engines import engine_of, godot_importer
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import Motion
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import AxisIndex, JointIndex, NodeIndex
from omi_physics_addon.model.joints import Joint, JointLimit, JointSettings

AXES = tuple(map(AxisIndex, range(3)))


def document(*limits: JointLimit) -> PhysicsDocument:
    joint = Joint(joint=JointIndex(0), connected_node=NodeIndex(1))
    made = PhysicsDocument(joint_settings=[JointSettings(limits=limits)])
    made.nodes = {
        0: NodePhysics(motion=Motion(type="dynamic", gravity_factor=0.5), joint=joint),
        1: NodePhysics(motion=Motion(type="static")),
    }
    return made


def test_nothing_is_bent():
    engine = engine_of("GODOT_READER")
    assert engine is not None
    given = document(JointLimit(angular_axes=AXES[:1], min=-0.2, max=0.5))
    tree = Tree([[], []], [])
    done = engines.repaired(engine, engines.Written(given), tree, Issues(), str, ())
    assert done.first.nodes == given.nodes
    assert done.first.joint_settings == given.joint_settings
    assert not engines.taken_otherwise(engine, given, tree, ())


@pytest.mark.parametrize(
    ("limits", "codes"),
    [
        ((JointLimit(linear_axes=AXES, min=0.0, max=0.0),), []),
        ((JointLimit(linear_axes=AXES, max=1.0),), ["X48"]),
        ((JointLimit(angular_axes=AXES, min=-0.4, max=0.4),), ["X53"]),
        ((JointLimit(angular_axes=AXES, min=0.0, max=0.0),), []),
    ],
)
def test_ranges_over_several_axes_are_told(limits, codes):
    issues = Issues()
    godot_importer.check(document(*limits), Tree([[], []], []), issues, "/nodes/{}".format)
    assert [issue.code for issue in issues] == codes
