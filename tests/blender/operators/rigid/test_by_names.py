"""Physics that names ask for, by the conventions of Godot and Unreal."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.engines import is_unknown
from omi_physics_addon.engines import tag_of as parse
from tests.blender.support.operator_scenes import physics
from tests.blender.support.scenes import add, cube_mesh


def run(**options: Any) -> set[str]:
    bpy.context.view_layer.update()
    return bpy.ops.object.omi_physics_physics_by_names(**{"scope": "SCENE", **options})


def told() -> dict[str, str]:
    found = reports.latest("IMPORT").issues
    return {issue.pointer: issue.message for issue in found if issue.code == "X63"}


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Rock-col", "-col"),
        ("Rock_colonly", "-colonly"),
        ("Rock$convcol", "-convcol"),
        ("Rock-CONVCOLONLY", "-convcolonly"),
        ("Crate-rigid.001", "-rigid"),
        ("Rock-col01", "-col"),
        ("UBX_Crate", "UBX_"),
        ("USP_Ball_01", "USP_"),
        ("UCP_Post_02.001", "UCP_"),
        ("UCX_Rock", "UCX_"),
    ],
)
def test_names_that_ask(name, word):
    assert parse(name).word == word
    assert not is_unknown(name)


@pytest.mark.parametrize("name", ["Rock", "protocol", "colonly", "ucx_Rock", "UCX", "Rigid", "a-b"])
def test_names_that_do_not(name):
    assert parse(name) is None
    assert not is_unknown(name)


@pytest.mark.parametrize("name", ["UMX_Rock", "Floor-navmesh", "Car-vehicle", "Tree-noimp"])
def test_names_that_are_not_understood(name):
    add(name, cube_mesh())
    assert parse(name) is None
    assert run() == {"FINISHED"}
    assert "is unknown" in told()[name]
    assert not physics(name).use_collider


@pytest.mark.parametrize(
    ("suffix", "shape", "motion", "only"),
    [
        ("col", "TRIMESH", "STATIC", False),
        ("convcol", "CONVEX", "STATIC", False),
        ("colonly", "TRIMESH", "STATIC", True),
        ("convcolonly", "CONVEX", "STATIC", True),
        ("rigid", "CONVEX", "DYNAMIC", False),
    ],
)
def test_godot(suffix, shape, motion, only):
    add(f"Rock-{suffix}", cube_mesh())
    run()
    found = physics(f"Rock-{suffix}")
    assert found.use_motion
    assert found.use_collider
    assert (found.collider.shape.type, found.motion.type) == (shape, motion)
    assert found.is_collision_only == only


def test_colliders_below_a_body_are_its_own():
    body = add("Crate-rigid", cube_mesh())
    add("Side-convcolonly", cube_mesh(), parent=body)
    run()
    side = physics("Side-convcolonly")
    assert side.use_collider
    assert not side.use_motion


def test_empties_are_what_they_are_drawn_as():
    for kind in ("CUBE", "SPHERE", "ARROWS"):
        add(f"{kind}-colonly", None).empty_display_type = kind
        bpy.data.objects[f"{kind}-colonly"].empty_display_size = 0.5
    run()
    cube, ball = (physics(f"{kind}-colonly").collider.shape for kind in ("CUBE", "SPHERE"))
    assert tuple(cube.box.size) == (1.0, 1.0, 1.0)
    assert ball.sphere.radius == 0.5
    assert list(told()) == ["ARROWS-colonly"]


@pytest.mark.parametrize("kind", ["UBX", "USP", "UCP", "UCX"])
def test_unreal(kind):
    shape = {"UBX": "BOX", "USP": "SPHERE", "UCP": "CAPSULE", "UCX": "CONVEX"}[kind]
    add("Crate", cube_mesh(), location=(5.0, 0.0, 0.0))
    for number in ("", "_01"):
        add(f"{kind}_Crate{number}", cube_mesh(), location=(5.0, 1.0, 0.0))
    add(f"{kind}_Nothing", cube_mesh())
    run()
    bpy.context.view_layer.update()
    for name in (f"{kind}_Crate", f"{kind}_Crate_01"):
        found, obj = physics(name), bpy.data.objects[name]
        assert found.collider.shape.type == shape
        assert found.is_collision_only
        assert not found.use_motion
        assert obj.parent == bpy.data.objects["Crate"]
        assert tuple(obj.matrix_world.translation) == pytest.approx((5.0, 1.0, 0.0))
    assert "the object Nothing for this collider does not exist" in told()[f"{kind}_Nothing"]


def test_what_has_physics_stays():
    add("Ball-rigid", cube_mesh())
    physics("Ball-rigid").use_motion = True
    physics("Ball-rigid").motion.type = "KINEMATIC"
    assert run() == {"CANCELLED"}
    assert physics("Ball-rigid").motion.type == "KINEMATIC"


@pytest.mark.parametrize("wanted", [False, True])
def test_at_import(wanted, export, tmp_path):
    """As an option, off at first."""
    add("Rock-col", cube_mesh())
    add("Crate", cube_mesh())
    add("UBX_Crate", cube_mesh(), location=(3.0, 0.0, 0.0))
    add("UMX_Crate", cube_mesh())
    export()
    bpy.data.batch_remove(list(bpy.data.objects))
    options = bpy.context.scene.omi_physics.import_
    assert not options.by_names
    options.by_names = wanted
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "scene.gltf"))
    bpy.context.view_layer.update()
    assert physics("Rock-col").use_collider == wanted
    assert physics("UBX_Crate").use_collider == wanted
    place = bpy.data.objects["UBX_Crate"].matrix_world.translation
    assert tuple(place) == pytest.approx((3.0, 0.0, 0.0))
    assert (told().keys() == {"UMX_Crate"}) == wanted
