"""What a trip through Blender kept hold of, changed or lost without a word."""

from __future__ import annotations

import math
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from tests.blender.support.gltf_files import folded
from tests.blender.support.scenes import node

OMI, OMI_SHAPE, OMI_JOINT = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"
KHR, KHR_SHAPE = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
BOX: dict[str, Any] = {"type": "box", "box": {}}
SIZES = {"radiusTop": 0.5, "radiusBottom": 0.5}
Json = dict[str, Any]


def file(*nodes: Json, **members: Any) -> Json:
    extensions = members.pop("extensions", {})
    used = {name for one in nodes for name in one.get("extensions", ())} | extensions.keys()
    return {
        "extensionsUsed": sorted(used),
        "extensions": extensions,
        "nodes": list(nodes),
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "scene": 0,
        **members,
    }


def told(kind: str) -> list[tuple[str, str]]:
    return [(issue.code, issue.pointer) for issue in reports.latest(kind).issues]


CAMERA = {"cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]}
UPRIGHT: list[Json] = [
    {"type": "capsule", "capsule": {"height": 2, **SIZES}},
    {"type": "cylinder", "cylinder": {"height": 2, **SIZES}},
]


@pytest.mark.parametrize("shape", UPRIGHT, ids=lambda shape: shape["type"])
def test_upright_shapes_stay_on_cameras(import_json, export, shape):
    owner = {"name": "Eye", "camera": 0, "rotation": [0, 0.6, 0, 0.8]}
    owner["extensions"] = {OMI: {"collider": {"shape": 0}, "trigger": {"shape": 0}}}
    given = file(owner, extensions={OMI_SHAPE: {"shapes": [shape]}}, **CAMERA)
    eye = import_json(given)["Eye"]
    # Shapes of Blender stand along Z, and those of glTF along Y, which is the camera's here.
    turn = eye.omi_physics.collider.shape.rotation.to_matrix()
    assert tuple(turn.col[2]) == pytest.approx((0, 1, 0), abs=1e-6)
    written = export(export_cameras=True)
    written = folded(written)
    assert len(written["nodes"]) == 1
    assert written["nodes"][0]["extensions"][OMI] == owner["extensions"][OMI]


def test_an_upright_shape_turned_by_the_artist_goes_onto_a_node(import_json, export):
    owner = {"name": "Eye", "camera": 0, "extensions": {OMI: {"collider": {"shape": 0}}}}
    eye = import_json(file(owner, extensions={OMI_SHAPE: {"shapes": [UPRIGHT[0]]}}, **CAMERA))
    eye["Eye"].omi_physics.collider.shape.rotation = (0.0, 0.0, 0.0)
    written = export(export_cameras=True)
    turn = node(written, "Eye Collider")["rotation"]
    assert turn == pytest.approx([math.sqrt(0.5), 0, 0, math.sqrt(0.5)])


def test_extensions_of_others_inside_of_ours_are_declared(import_json, export):
    collider = {"shape": 0, "extensions": {"EXT_bar": {"x": [1]}}}
    shape = {**BOX, "extensions": {"EXT_foo": {"a": 1}}}
    owner = {"name": "Box", "extensions": {OMI: {"collider": collider}}}
    import_json(file(owner, extensions={OMI_SHAPE: {"shapes": [shape]}}))
    assert export()["extensionsUsed"] == [OMI, OMI_SHAPE, "EXT_bar", "EXT_foo"]


@pytest.mark.parametrize("name", [KHR_SHAPE, "KHR_collision_shapes"])
def test_an_unused_shape_is_named_where_it_is(import_json, name):
    shapes = {KHR_SHAPE: {"shapes": [BOX]}, name: {"shapes": [BOX, {"type": "sphere"}]}}
    collider = {"shape": 0} if name != KHR_SHAPE else {"geometry": {"shape": 0}}
    import_json(file({"name": "A", "extensions": {KHR: {"collider": collider}}}, extensions=shapes))
    assert ("S25", f"/extensions/{name}/shapes/1") in told("IMPORT")


def test_unused_entries_are_named_by_the_export(import_json, export):
    lists = {
        "physicsMaterials": [{"staticFriction": 0.1}],
        "collisionFilters": [{"collisionSystems": ["a"]}],
        "physicsJoints": [{"limits": [{"linearAxes": [0], "min": 0, "max": 0}]}],
    }
    owner = {"name": "A", "extensions": {KHR: {"collider": {"geometry": {"shape": 0}}}}}
    import_json(file(owner, extensions={KHR: lists, KHR_SHAPE: {"shapes": [BOX]}}))
    export()
    assert sorted(code for code, _ in told("EXPORT")) == ["C13", "C13", "J36", "X70"]


def test_a_center_of_mass_that_khr_leaves_to_engines_is_told(import_json):
    both = {OMI: {"motion": {"type": "dynamic"}}, KHR: {"motion": {}}}
    solid = {OMI: {"collider": {"shape": 0}}, KHR: {"collider": {"geometry": {"shape": 0}}}}
    nodes: list[Json] = [
        {"name": "A", "children": [1], "extensions": both},
        {"name": "B", "translation": [0, 3, 0], "extensions": solid},
    ]
    shapes = {OMI_SHAPE: {"shapes": [BOX]}, KHR_SHAPE: {"shapes": [BOX]}}
    given = file(*nodes, extensions=shapes, scenes=[{"nodes": [0]}])
    import_json(given)
    assert ("G08", "/nodes/0") in told("IMPORT")


def test_an_old_joint_on_its_own_end_adds_one_node(import_json, export):
    nodes: list[Json] = [
        {"name": name, "extensions": {OMI: {"type": "rigid"}}} for name in ("A", "B")
    ]
    nodes[0]["extensions"][OMI_JOINT] = {"constraints": [0], "nodeA": 0, "nodeB": 1}
    import_json(file(*nodes, extensions={OMI_JOINT: {"constraints": [{"linearAxes": [0, 1, 2]}]}}))
    written = export()
    assert sorted(one["name"] for one in written["nodes"]) == ["A", "B", "joint 0 B"]
    assert OMI_JOINT in node(written, "A")["extensions"]


def thing(**parts: bool) -> Any:
    obj = bpy.data.objects.new("Thing", None)
    bpy.context.scene.collection.objects.link(obj)
    physics = obj.omi_physics
    for name in parts:
        setattr(physics, f"use_{name}", True)
    physics.collider.shape.type = "BOX"
    return obj


def set_material(physics: Any) -> None:
    entry = bpy.context.scene.omi_physics.physics_materials.add()
    entry.name, entry.static_friction = "Ice", math.nan
    physics.collider.physics_material = "Ice"


NO_NUMBERS: dict[str, Any] = {
    "Thing: .*'mass' is nan": lambda p: setattr(p.motion, "mass", math.nan),
    "Thing: .*'linearVelocity' is nan": lambda p: setattr(
        p.motion, "linear_velocity", [math.nan] * 3
    ),
    "Thing: .*'size' is nan": lambda p: setattr(p.collider.shape.box, "size", (1.0, math.nan, 1.0)),
    "the transform of Thing Collider": lambda p: setattr(
        p.collider.shape, "location", [math.nan] * 3
    ),
    "'staticFriction' is nan": set_material,
}


@pytest.mark.parametrize("words", NO_NUMBERS)
def test_a_number_that_is_none_ends_the_export_and_is_named(export, tmp_path, words):
    path = tmp_path / "scene.gltf"
    path.write_text("{}")
    NO_NUMBERS[words](thing(motion=True, collider=True).omi_physics)
    with pytest.raises(RuntimeError, match=words):
        export()
    assert reports.latest("EXPORT").failed
    assert path.read_text() == "{}"


def test_an_end_of_a_joint_in_another_scene_is_told(export):
    other, end = bpy.data.scenes.new("Other"), bpy.data.objects.new("End", None)
    other.collection.objects.link(end)
    end.omi_physics.use_motion = True
    settings = bpy.context.scene.omi_physics.joint_settings.add()
    settings.name = "Free"
    settings.limits.add()
    joint = thing(joint=True).omi_physics.joint
    joint.settings, joint.connected_object = "Free", end
    export()
    (issue,) = (one for one in reports.latest("EXPORT").issues if one.code == "X04")
    assert issue.message == "its connected object End is in another scene; the joint is not written"
