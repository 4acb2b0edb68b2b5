"""Round shapes on objects with uneven scales."""

from __future__ import annotations

import math

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, node

ROUND = ("SPHERE", "CAPSULE", "CYLINDER")


def told():
    issues = reports.latest("EXPORT").issues
    return [issue.pointer for issue in issues if issue.code == "S21"]


def crate(kind, scale):
    obj = add("Crate", cube_mesh("Crate"))
    shape = add_collider(obj, kind)
    obj.scale = scale
    bpy.context.view_layer.update()
    return obj, shape


@pytest.mark.parametrize("family", ["OMI", "KHR"])
@pytest.mark.parametrize("y_up", [True, False])
@pytest.mark.parametrize("kind", [*ROUND, "BOX", "CONVEX"])
@pytest.mark.parametrize("scale", [(2, 1, 1), (1, 1, 2), (2, 2, 2), (-1, 1, 1)])
def test_scale_of_a_collider(export, kind, scale, y_up, family):
    bpy.context.scene.omi_physics.export.family = family
    crate(kind, scale)
    export(export_yup=y_up)
    even = len({abs(size) for size in scale}) == 1
    stays = even or kind not in ROUND or (kind == "CYLINDER" and scale == (1, 1, 2))
    assert told() == ([] if stays else ["Crate"])


@pytest.mark.parametrize("y_up", [True, False])
def test_shape_that_lies_along_another_axis(export, y_up):
    _, shape = crate("CYLINDER", (2, 1, 1))
    shape.rotation = (0.0, math.pi / 2, 0.0)  # Along the axis that is scaled.
    export(export_yup=y_up)
    assert told() == []
    shape.rotation = (0.0, math.pi / 4, 0.0)  # Sheared.
    export(export_yup=y_up)
    assert told() == ["Crate"]


def test_scale_above_a_collider_and_a_trigger(export):
    parent = add("Parent")
    add_body(parent)
    parent.scale = (1.0, 3.0, 1.0)
    ball = add("Ball", cube_mesh("Ball"), parent=parent)
    add_collider(ball, "SPHERE")
    zone = add("Zone", parent=parent)
    zone.omi_physics.use_trigger = True
    zone.omi_physics.trigger.shape.type = "SPHERE"
    bpy.context.view_layer.update()
    export()
    assert sorted(told()) == ["Ball", "Zone"]


def test_scale_of_a_body_is_written_as_it_is(export):
    obj, _ = crate("SPHERE", (1, 1, 2))
    add_body(obj)
    gltf = export()
    assert told() == ["Crate"]
    assert node(gltf, "Crate")["scale"] == [1, 2, 1]
