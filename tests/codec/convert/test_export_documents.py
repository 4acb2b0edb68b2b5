"""Which documents OMI and KHR are written from, by the family that a scene came from."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from omi_physics_addon.codec.convert import export_documents
from omi_physics_addon.codec.values.node_tree import Tree, compose
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import Collider, Motion
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import ShapeIndex
from omi_physics_addon.model.shapes import Box, Geometry, Plane, Shape

BOX = Box()
TREE = Tree([()], [None])


def scene(geometry: Geometry = BOX, **motion: object) -> PhysicsDocument:
    physics = NodePhysics(
        motion=Motion(**motion) if motion else None, collider=Collider(shape=ShapeIndex(0))
    )
    return PhysicsDocument(nodes={0: physics}, shapes=[Shape(geometry=geometry)])


def documents(document: PhysicsDocument, origin: str, family: str):
    issues = Issues()
    found = export_documents.for_families(document, TREE, origin, family, issues)
    return *found, issues.codes()


@pytest.mark.parametrize("family", ["OMI", "KHR", "BOTH"])
@pytest.mark.parametrize("origin", ["same", "BOTH"])
def test_a_scene_goes_back_to_its_family_as_it_is(origin, family):
    before = scene(type="dynamic", mass=2.0)
    first, for_khr, codes = documents(before, family if origin == "same" else origin, family)
    assert first is before
    assert for_khr is None
    assert codes == {}


def test_a_new_scene_is_one_of_omi():
    before = scene(type="static")
    first, for_khr, codes = documents(before, "NONE", "BOTH")
    assert first is before
    assert for_khr.nodes[0].motion is None  # KHR has no static bodies.
    assert codes == {"L01": 1}
    assert documents(before, "NONE", "KHR")[:2] == (for_khr, None)
    assert documents(before, "NONE", "OMI")[:2] == (before, None)


def test_a_scene_of_khr_is_converted_for_omi():
    before = scene(type="dynamic")
    first, for_khr, codes = documents(before, "KHR", "BOTH")
    assert first.nodes[0].motion.mass == 1000.0  # A cube of water.
    assert for_khr.nodes[0].motion.mass is None
    assert codes["L04"] == 1
    assert documents(before, "KHR", "OMI")[:2] == (first, None)


@pytest.mark.parametrize("origin", ["NONE", "OMI", "KHR", "BOTH"])
def test_planes_are_boxes_for_omi_and_planes_for_khr(origin):
    before = scene(Plane())
    first, for_khr, codes = documents(before, origin, "BOTH")
    assert [type(shape.geometry) for shape in first.shapes] == [Box]
    assert [type(shape.geometry) for shape in for_khr.shapes] == [Plane]
    assert codes["L08"] == 1
    assert documents(before, origin, "KHR")[0].shapes == before.shapes


@pytest.mark.parametrize("origin", ["NONE", "OMI", "KHR", "BOTH"])
def test_infinite_masses_are_large_for_omi_and_zero_for_khr(origin):
    before = scene(type="dynamic", mass=math.inf)
    first, for_khr, codes = documents(before, origin, "BOTH")
    assert first.nodes[0].motion.mass == 1e6
    assert for_khr.nodes[0].motion.mass == 0.0
    assert codes["L06"] == 1
    assert documents(before, origin, "KHR")[0].nodes[0].motion.mass == 0.0
    assert documents(before, origin, "OMI")[0].nodes[0].motion.mass == 1e6


def test_tree_of_nodes_of_the_exporter():
    nothing = {"matrix": None, "translation": None, "rotation": None, "scale": None}
    matrix = compose((1.0, 2.0, 3.0), None, None)
    tree = export_documents.tree_of(
        [
            SimpleNamespace(**nothing),
            SimpleNamespace(**{**nothing, "translation": [1.0, 2.0, 3.0]}),
            SimpleNamespace(**{**nothing, "matrix": list(matrix)}),
        ],
        [-1, 0, 1],
    )
    assert [list(below) for below in tree.children] == [[1], [2], []]
    assert tree.world(1) == matrix
    assert tree.world(2)[12:15] == (2.0, 4.0, 6.0)
