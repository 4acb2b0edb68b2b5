"""Scales that shapes do not follow: of round ones, and of instances of collections."""

from __future__ import annotations

import math
from typing import Any

import bpy
import pytest

from omi_physics_addon import api
from omi_physics_addon.blender.base import reports
from tests.blender.operators.test_bodies import run, select
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, node

SCALES = ("S20", "S21", "S22", "S23", "S34", "S38")
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


def instance(group: Any, name: str, scale: tuple[float, float, float]) -> Any:
    obj = add(name)
    obj.instance_type, obj.instance_collection = "COLLECTION", group
    obj.scale = scale
    bpy.context.view_layer.update()
    return obj


def crates(kind: str = "BOX", scale: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Any:
    """A collection with a collider, in no scene."""
    group = bpy.data.collections.new("Crates")
    door = add("Door", cube_mesh(), location=(2.0, 0.0, 0.0))
    add_collider(door, kind)
    door.scale = scale
    for other in door.users_collection:
        other.objects.unlink(door)
    group.objects.link(door)
    return group


def codes_told(issues: Any) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for issue in issues:
        if issue.code in SCALES:
            found.setdefault(issue.pointer, set()).add(issue.code)
    return found


@pytest.mark.parametrize("family", ["OMI", "KHR", "BOTH"])
@pytest.mark.parametrize(
    ("kind", "scale", "what"),
    [
        ("BOX", (-1.0, 1.0, 1.0), "mirrors the shapes of Door"),
        ("BOX", (1.0, 2.0, 3.0), "scales the shapes of Door"),
        ("SPHERE", (1.0, 2.0, 3.0), "makes ellipsoids of the round shapes of Door"),
        ("BOX", (1.0, 0.0, 1.0), "leaves the shapes of Door no volume"),
    ],
)
def test_check_and_export_name_the_instance(
    export: Any, kind: str, scale: tuple[float, float, float], what: str, family: str
) -> None:
    bpy.context.scene.omi_physics.export.family = family
    group = crates(kind)
    instance(group, "Plain", (1.0, 1.0, 1.0))
    instance(group, "Scaled", scale)
    checked = api.check_scene()
    assert codes_told(checked.issues) == {"Scaled": {"S38"}}
    [message] = [issue.message for issue in checked.issues if issue.code == "S38"]
    assert what in message
    export()
    written = reports.latest("EXPORT").issues
    assert codes_told(written) == {"Scaled": {"S38"}}
    assert [issue.message for issue in written if issue.code == "S38"] == [message]


def test_what_holds_without_the_instance_stays_with_the_object(export: Any) -> None:
    group = crates(scale=(2.0, 3.0, 4.0))
    instance(group, "Scaled", (1.0, 2.0, 3.0))
    export()
    assert codes_told(api.check_scene().issues) == {"Door": {"S20"}}
    assert codes_told(reports.latest("EXPORT").issues) == {"Door": {"S20"}}


def test_an_engine_for_which_the_scale_is_baked_has_nothing_to_tell(export: Any) -> None:
    bpy.context.scene.omi_physics.export.target = "BABYLON"
    instance(crates(), "Scaled", (1.0, 2.0, 3.0))
    export()
    assert codes_told(reports.latest("EXPORT").issues) == {}


def test_the_advice_works() -> None:
    group = crates()
    shown = instance(group, "Mirrored", (-1.0, 1.0, 1.0))
    select(shown)
    bpy.ops.object.duplicates_make_real()
    real = next(obj for obj in bpy.context.scene.objects if obj.name.startswith("Door"))
    select(real)
    assert run("object.omi_physics_bake_scale") == {"FINISHED"}
    bpy.context.view_layer.update()
    assert codes_told(api.check_scene().issues) == {}
    assert tuple(real.matrix_world.translation) == pytest.approx((-2.0, 0.0, 0.0))
