"""The boxes that OMI has for the planes of KHR in a file of both families, found again.

OMI has no planes, so a box on a node below is written for it, whose top is the plane. Read as
they stand, the plane and its box would be two colliders, and a conversion would add a third.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Final

from ...issues import Issues
from ...model.bodies import ShapeUser
from ...model.document import GltfFile, NodePhysics, PhysicsDocument, entry
from ...model.fields import NodeIndex
from ...model.shapes import Box, Plane
from ..values.node_tree import IDENTITY, Matrix, Tree
from .draft import Draft

# Difference of lengths that count as equal, relative to them or to the longest edge of the box.
_LENGTH_TOLERANCE: Final = 1e-4
_OFF_DIAGONAL_TOLERANCE: Final = 1e-4  # Size of members that count as 0.
_OFF_DIAGONAL: Final = (1, 2, 4, 6, 8, 9)  # Members of a matrix that only turns and shears have.


def without_plane_boxes(
    omi: PhysicsDocument, khr: PhysicsDocument, file: GltfFile, issues: Issues
) -> PhysicsDocument:
    """The document of OMI without the boxes for planes of KHR; it lists their nodes instead."""
    found = {
        child: (node, name)
        for node, physics in khr.nodes.items()
        if node < len(file.nodes)
        for name, user, shape in khr.shaped(physics)
        if isinstance(plane := shape.geometry, Plane)
        and getattr(omi.nodes.get(node, _NOTHING), name) is None
        for child in file.nodes[node].children
        if child < len(file.nodes)
        and child not in khr.nodes
        and _says_the_same(omi, child, khr, user, name)
        and _is_plane_box(omi, getattr(omi.nodes[child], name), file.matrix(child), plane)
    }
    if not found:
        return omi
    draft = Draft(omi, Tree.of(file), issues)
    for child, (_, name) in found.items():
        draft.change(child, **{name: None})
    for i, physics in draft.nodes():
        trigger = physics.trigger
        if trigger is not None and found.keys() & set(trigger.nodes):
            nodes = tuple(NodeIndex(found[at][0]) if at in found else at for at in trigger.nodes)
            draft.change(i, trigger=dataclasses.replace(trigger, nodes=nodes))
    draft.drop_orphans()
    draft.document.plane_boxes += sorted(found)
    return draft.document


_NOTHING: Final = NodePhysics()


def _says_the_same(
    omi: PhysicsDocument, child: int, khr: PhysicsDocument, theirs: Any, name: str
) -> bool:
    """Whether a node has one collider or trigger alone, with the material and filter of KHR's."""
    physics = omi.nodes.get(child, _NOTHING)
    ours = getattr(physics, name)
    if ours is None or ours.shape is None or physics != NodePhysics(**{name: ours}):
        return False
    return not (ours.carried and ours.carried != theirs.carried) and all(
        entry(getattr(omi, entries), getattr(ours, field))
        == entry(getattr(khr, entries), getattr(theirs, field))
        for field, entries in (
            ("physics_material", "physics_materials"),
            ("collision_filter", "collision_filters"),
        )
        if hasattr(ours, field)
    )


def _is_plane_box(
    omi: PhysicsDocument, user: ShapeUser, matrix: Matrix | None, plane: Plane
) -> bool:
    """Whether the shape is a box as large as the plane, with its top where the plane is."""
    box = omi.geometry(user.shape)
    if not isinstance(box, Box):
        return False
    local = matrix or IDENTITY
    x, y, z = (
        size * abs(scale)
        for size, scale in zip(box.size, (local[0], local[5], local[10]), strict=True)
    )
    beside = _LENGTH_TOLERANCE * max(x, y, z)  # How far the box may stand from the middle.
    return (
        not any(abs(local[i]) > _OFF_DIAGONAL_TOLERANCE for i in _OFF_DIAGONAL)
        and abs(local[12]) <= beside
        and abs(local[14]) <= beside
        and math.isclose(abs(local[13]), y / 2.0, rel_tol=_LENGTH_TOLERANCE)
        and (plane.size_x is None or math.isclose(x, plane.size_x, rel_tol=_LENGTH_TOLERANCE))
        and (plane.size_z is None or math.isclose(z, plane.size_z, rel_tol=_LENGTH_TOLERANCE))
    )
