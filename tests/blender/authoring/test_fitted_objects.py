"""Parts that a fit made go with the next one, unless an artist made them his own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring import fitted_objects
from omi_physics_addon.blender.authoring.fit_destinations import Plan
from tests.blender.authoring.test_mesh_colliders import put
from tests.blender.operators.test_fit import boxes_mesh
from tests.blender.support.scenes import add

CHANGES: dict[str, Callable[[Any], Any]] = {
    "custom property": lambda part: part.__setitem__("mine", 1),
    "constraint": lambda part: part.constraints.new("COPY_LOCATION"),
    "keyframe": lambda part: part.keyframe_insert("location"),
    "name": lambda part: setattr(part, "name", "Mine"),
    "size": lambda part: setattr(part.omi_physics.collider.shape.box, "size", (3.0, 3.0, 3.0)),
    "other part": lambda part: setattr(part.omi_physics, "use_seat", True),
    "user": lambda part: setattr(add("Below"), "parent", part),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_part_that_was_changed_stays(change):
    pair = add("Pair", boxes_mesh((0.0, 0.0, 0.0), (3.0, 0.0, 0.0)))
    put(Plan(kind="BOX", source="PARTS"))
    parts = [obj for obj in pair.children if obj.omi_physics.is_fitted_part]
    assert len(parts) == 2
    CHANGES[change](parts[0])
    bpy.context.view_layer.update()
    assert fitted_objects.remove_unchanged(parts, "COLLIDER") == 1
    (left,) = pair.children
    assert not left.omi_physics.is_fitted_part
