"""Nodes whose physics is the same share what is written of it, where nothing tells them apart."""

from __future__ import annotations

import dataclasses
import math

import pytest

from omi_physics_addon.codec.dialects import Encoded, WriteOptions, Writer
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import Collider, Motion, Trigger
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import NodeIndex, ShapeIndex
from omi_physics_addon.model.joints import Joint
from omi_physics_addon.model.shapes import Box, Convex, Shape
from omi_physics_addon.model.vehicles import VehicleBody

BODY = NodePhysics(motion=Motion(type="dynamic"), collider=Collider(shape=ShapeIndex(0)))
SHAPES = [Shape(geometry=Box()), Shape(geometry=Convex(mesh=0))]
FAMILIES = (("OMI",), ("KHR",), ("OMI", "KHR"))


def written(
    physics: NodePhysics, families: tuple[str, ...], **more: object
) -> tuple[Encoded, Issues]:
    """Two nodes with the same physics."""
    document = PhysicsDocument(nodes={0: physics, 1: physics}, shapes=SHAPES, **more)
    issues = Issues()
    options = WriteOptions(families=families)
    return Writer(issues, options, node_ref=lambda i: i + 10).document(document), issues


@pytest.mark.parametrize("families", FAMILIES)
def test_alike_nodes_share(families: tuple[str, ...]):
    encoded, _ = written(BODY, families)
    assert encoded.nodes[0]
    assert encoded.nodes[0] is encoded.nodes[1]


@pytest.mark.parametrize("families", FAMILIES)
@pytest.mark.parametrize(
    "part",
    [
        {"joint": Joint(connected_node=NodeIndex(1))},
        {"trigger": Trigger(nodes=(NodeIndex(1),))},
        {"vehicle_body": VehicleBody(pilot_seat=NodeIndex(1))},
        {"carried": (("OMI_physics_body", '{"extensions": {"VENDOR_x": {}}}'),)},
        {"motion": Motion(carried='{"extensions": {"VENDOR_x": {}}}')},
    ],
    ids=lambda part: next(iter(part)),
)
def test_what_others_may_change_is_not_shared(part: dict[str, object], families: tuple[str, ...]):
    encoded, _ = written(dataclasses.replace(BODY, **part), families)
    if families == ("KHR",) and ("vehicle_body" in part or "carried" in part):
        assert "VENDOR_x" not in str(encoded)  # OMI's own.
        return
    assert encoded.nodes[0] == encoded.nodes[1]
    assert encoded.nodes[0] is not encoded.nodes[1]


def test_meshes_of_nodes_are_not_shared():
    hull = NodePhysics(collider=Collider(shape=ShapeIndex(1)))
    encoded, _ = written(hull, ("KHR",))
    assert encoded.nodes[0] == encoded.nodes[1]
    assert encoded.nodes[0] is not encoded.nodes[1]


def test_anchors_are_written_for_themselves():
    still = dataclasses.replace(BODY, motion=Motion(type="static"))
    encoded, _ = written(still, ("KHR",), anchors=frozenset({1}))
    assert encoded.nodes[0] != encoded.nodes[1]


def test_what_is_told_is_told_of_each():
    odd = NodePhysics(motion=Motion(type="dynamic", mass=math.inf))
    _, issues = written(odd, ("OMI",))
    assert [issue.pointer for issue in issues] == ["/nodes/0", "/nodes/1"]


def test_other_physics_for_khr_is_told_apart():
    plain = PhysicsDocument(nodes={0: BODY, 1: BODY}, shapes=SHAPES)
    heavy = dataclasses.replace(BODY, motion=Motion(type="dynamic", mass=5.0))
    for_khr = dataclasses.replace(plain, nodes={0: BODY, 1: heavy})
    writer = Writer(Issues(), WriteOptions(families=("OMI", "KHR")))
    encoded = writer.document(plain, for_khr=for_khr)
    omi = [node["OMI_physics_body"] for node in encoded.nodes.values()]
    khr = [node["KHR_physics_rigid_bodies"] for node in encoded.nodes.values()]
    assert omi[0] == omi[1]
    assert [node["motion"].get("mass") for node in khr] == [None, 5.0]
