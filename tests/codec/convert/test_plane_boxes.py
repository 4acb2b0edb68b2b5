"""Which boxes of OMI belong to a plane of KHR, and which are colliders of their own."""

from __future__ import annotations

import pytest

from omi_physics_addon.codec.convert.plane_boxes import without_plane_boxes
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import Collider, PhysicsMaterial, Trigger
from omi_physics_addon.model.document import GltfFile, GltfNode, NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import MaterialIndex, NodeIndex, ShapeIndex
from omi_physics_addon.model.shapes import Box, Geometry, Plane, Shape

SHAPE = ShapeIndex(0)
COLLIDER = Collider(shape=SHAPE)
PLANE = Plane(size_x=4.0, size_z=6.0)
BOX = Box(size=(4.0, 0.5, 6.0))


def document(nodes: dict[int, NodePhysics], geometry: Geometry) -> PhysicsDocument:
    return PhysicsDocument(nodes=nodes, shapes=[Shape(geometry=geometry)])


def at(x: float, y: float, z: float) -> tuple[float, ...]:
    """The matrix of a node that is moved."""
    return (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0)


def read(
    matrix: tuple[float, ...],
    box: Box = BOX,
    plane: Plane = PLANE,
    user: Collider | Trigger = COLLIDER,
) -> PhysicsDocument:
    """The document of OMI of a file with a plane on node 0 and a box on node 1 below it."""
    name = "collider" if isinstance(user, Collider) else "trigger"
    nodes = [GltfNode({}, (1,)), GltfNode({}, ())]
    part = NodePhysics(**{name: user})
    omi = document({1: part}, box)
    file = GltfFile({}, nodes, 0, matrices=(None, matrix))
    return without_plane_boxes(omi, document({0: part}, plane), file, Issues())


@pytest.mark.parametrize("plane", [PLANE, Plane(size_x=4.0), Plane()])
@pytest.mark.parametrize("user", [COLLIDER, Trigger(shape=SHAPE)])
def test_a_box_under_its_plane_is_left_out(plane, user):
    found = read(at(0.0, -0.25, 0.0), plane=plane, user=user)
    assert (found.nodes, found.shapes, found.plane_boxes) == ({}, [], [1])


@pytest.mark.parametrize(
    "place",
    [(1.0, -0.25, 0.0), (0.0, -0.25, 1.0), (4.0, -0.25, 0.0), (0.0, 0.0, 0.0), (0.0, -1.0, 0.0)],
)
def test_a_box_elsewhere_is_a_collider(place):
    """Beside the plane, around it, or deeper."""
    found = read(at(*place))
    assert found.nodes.keys() == {1}
    assert found.plane_boxes == []


def test_a_box_of_another_size_is_a_collider():
    assert read(at(0.0, -0.25, 0.0), Box(size=(4.1, 0.5, 6.0))).nodes.keys() == {1}


@pytest.mark.parametrize("friction", [0.5, 0.25])
def test_a_box_of_another_material_is_a_collider(friction):
    part = NodePhysics(collider=Collider(shape=SHAPE, physics_material=MaterialIndex(0)))
    omi, khr = document({1: part}, BOX), document({0: part}, PLANE)
    omi.physics_materials = [PhysicsMaterial(static_friction=0.5)]
    khr.physics_materials = [PhysicsMaterial(static_friction=friction)]
    matrices = (None, at(0.0, -0.25, 0.0))
    file = GltfFile({}, [GltfNode({}, (1,)), GltfNode({}, ())], 0, matrices=matrices)
    found = without_plane_boxes(omi, khr, file, Issues())
    assert found.plane_boxes == ([1] if friction == 0.5 else [])


def test_a_turned_box_is_a_collider():
    turned = (0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -0.25, 0.0, 1.0)
    assert read(turned).nodes.keys() == {1}


def test_compound_triggers_list_the_plane_instead():
    trigger = NodePhysics(trigger=Trigger(shape=SHAPE))
    nodes = [GltfNode({}, (1,)), GltfNode({}, ()), GltfNode({}, ())]
    compound = NodePhysics(trigger=Trigger(nodes=(NodeIndex(1),)))
    omi = document({1: trigger, 2: compound}, BOX)
    khr = document({0: trigger}, PLANE)
    file = GltfFile({}, nodes, 0, matrices=(None, at(0.0, -0.25, 0.0), None))
    found = without_plane_boxes(omi, khr, file, Issues())
    assert found.nodes == {2: NodePhysics(trigger=Trigger(nodes=(NodeIndex(0),)))}
