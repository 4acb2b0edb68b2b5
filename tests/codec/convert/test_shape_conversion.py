"""What bodies weigh by their shapes, and boxes in place of planes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from omi_physics_addon.codec.convert.draft import Draft
from omi_physics_addon.codec.convert.shape_conversion import planes_to_boxes, weighed
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import Trigger
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import NodeIndex, ShapeIndex
from omi_physics_addon.model.shapes import Box, Plane, Shape, Trimesh
from tests.codec.convert.test_family_conversion import body, collider, tree

PLACE = {
    "translation": [9, 8, 7],
    "rotation": [0, math.sin(0.5), 0, math.cos(0.5)],
    "scale": [2, 2, 2],
    "children": [1],
}


def draft(*geometries: Box | Trimesh) -> Draft:
    """A body that is moved, turned and scaled, with a shape on a node below, one above that."""
    nodes = {0: body(), 1: collider(0), 2: collider(1)}
    shapes = [Shape(geometry=geometry) for geometry in geometries]
    below = {"translation": [0, 1, 0], "children": [2]}
    return Draft(PhysicsDocument(nodes=nodes, shapes=shapes), tree(PLACE, below, {}), Issues())


def test_a_body_is_weighed_along_its_own_axes_in_the_sizes_of_the_scene():
    """A box of 2, 4 and 6 m whose middle is 2 m up, and one of half of that in its middle."""
    found = weighed(draft(Box(size=(1.0, 2.0, 3.0)), Box(size=(0.5, 1.0, 1.5))), 0, None)
    assert found is not None
    assert found.mass == pytest.approx(48.0 + 6.0)
    assert found.center == pytest.approx([0.0, 2.0, 0.0], abs=1e-9)
    across = np.array([52.0, 40.0, 20.0]) / 12.0
    assert found.tensor == pytest.approx(np.diag((48.0 + 6.0 / 4.0) * across), abs=1e-9)


def test_a_body_with_a_shape_that_nobody_measures_is_not_weighed():
    assert weighed(draft(Box(), Trimesh()), 0, None) is None


def test_compound_triggers_list_the_box_of_a_plane():
    nodes = {
        0: NodePhysics(trigger=Trigger(shape=ShapeIndex(0))),
        1: NodePhysics(trigger=Trigger(nodes=(NodeIndex(0),))),
    }
    shapes = [Shape(geometry=Plane(size_x=2.0, size_z=3.0))]
    made = Draft(PhysicsDocument(nodes=nodes, shapes=shapes), tree({}, {}), Issues())
    planes_to_boxes(made)
    box = made.of(2).trigger
    assert box is not None
    assert isinstance(made.document.shapes[box.shape].geometry, Box)
    assert made.of(1).trigger == Trigger(nodes=(NodeIndex(2),))
