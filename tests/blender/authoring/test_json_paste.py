"""What Copy JSON copies makes another object the same, and no text breaks anything."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring import joint_making, json_paste
from omi_physics_addon.blender.base.roles import PARTS
from omi_physics_addon.blender.scene import object_json
from omi_physics_addon.model.joint_kinds import JointKind
from tests.blender.conftest import ROOT
from tests.blender.operators.test_bodies import can, run, select
from tests.blender.scene.test_object_json import said
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

EXAMPLES = ("everything", "khr", "joints", "gravity", "car")


def shown(obj: Any, family: Any = "OMI") -> dict[str, Any]:
    bpy.context.view_layer.update()
    return object_json.read(bpy.context.scene, obj, family).gltf


def paste(gltf: Any, *objects: Any) -> list[Any]:
    text = gltf if isinstance(gltf, str) else json.dumps(gltf)
    return json_paste.paste(json_paste.read(text), bpy.context.scene, objects)


def meaning(gltf: dict[str, Any], name: str) -> dict[str, Any]:
    """What a copy says, with one name for the object and for what is inserted for it."""
    gltf = copy.deepcopy(gltf)
    (own,) = [node for node in gltf["nodes"] if node["name"] == name]
    for child in own.get("children", []):
        inner = gltf["nodes"][child].get("extensions", {})
        part = "Trigger" if '"trigger"' in json.dumps(inner) else "Collider"
        gltf["nodes"][child]["name"] = f"{name} {part}"
    for node in gltf["nodes"]:
        if node["name"] in (f"{name} Collider", f"{name} Trigger"):
            node["name"] = f"This {node['name'].rpartition(' ')[2]}"
        if node is not own:
            for child in node.get("children", []):  # An end of a joint, whatever its name.
                gltf["nodes"][child]["name"] = "This Pivot"
    own["name"] = "This"
    return rounded(said(gltf, "This"))


def rounded(value: Any) -> Any:
    """A value with numbers as Blender stores them, in six digits."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_examples_copy_makes_another_object_the_same(name):
    bpy.ops.wm.open_mainfile(filepath=str(ROOT / "examples" / f"{name}.blend"))
    count = 0
    for obj in list(bpy.context.scene.objects):
        for family in ("OMI", "KHR"):
            before = shown(obj, family)
            if not before:
                continue
            try:
                other = obj.copy()
                other.name = "Other Thing"
                obj.users_collection[0].objects.link(other)
                for part in PARTS:
                    other.omi_physics.property_unset(f"use_{part}")
                    other.omi_physics.property_unset(part)
                paste(before, other)
                after = shown(other, family)
                assert meaning(after, other.name) == meaning(before, obj.name), (obj.name, family)
                count += 1
            finally:
                for part in [*other.children_recursive, other]:
                    bpy.data.objects.remove(part)
    assert count > 3


def test_pasting_takes_what_was_there_before():
    one, other = add("One", cube_mesh()), add("Other", cube_mesh())
    add_body(one)
    add_collider(one, "SPHERE")
    add_collider(other)
    other.omi_physics.use_seat = True
    paste(shown(one), other)
    assert not other.omi_physics.use_seat
    assert other.omi_physics.collider.shape.type == "SPHERE"
    assert shown(other)["extensions"] == shown(one)["extensions"]


def test_a_joint_without_its_other_end_is_told():
    post, door, new = (add(name, cube_mesh()) for name in ("Post", "Door", "New"))
    for obj in (post, door):
        add_body(obj)
    door.omi_physics.use_joint = True
    door.omi_physics.joint.connected_object = post
    kind = joint_making.entry_of_kind(bpy.context.scene, JointKind(kind="ball"))
    door.omi_physics.joint.settings = kind.name
    gltf = shown(door)
    assert paste(gltf, new) == []
    assert new.omi_physics.joint.connected_object == post
    post.name = "Elsewhere"
    (issue,) = paste(gltf, new)
    assert "/nodes/1" in issue.message
    assert new.omi_physics.use_joint
    assert new.omi_physics.joint.connected_object is None


FLAT = {
    "asset": {"version": "2.0"},
    "nodes": [
        {"children": [1], "extensions": {"OMI_physics_body": {"type": "dynamic", "mass": 4}}},
        {"name": "Ball", "extensions": {"OMI_physics_shape": {"shape": 0}}},
    ],
    "extensions": {"OMI_physics_shape": {"shapes": [{"type": "sphere", "radius": 0.25}]}},
}
TODAY = {
    "asset": {"version": "2.0"},
    "nodes": [
        {
            "extensions": {
                "KHR_physics_rigid_bodies": {
                    "motion": {"mass": 4},
                    "collider": {"geometry": {"shape": 0}},
                }
            }
        }
    ],
    "extensions": {
        "KHR_implicit_shapes": {"shapes": [{"type": "sphere", "sphere": {"radius": 0.25}}]}
    },
}


@pytest.mark.parametrize("gltf", [FLAT, TODAY], ids=["OMI of 2022", "KHR"])
def test_older_forms_are_pasted(gltf):
    obj = add("Crate", cube_mesh())
    paste(gltf, obj)
    assert obj.omi_physics.motion.mass == 4.0
    (ball,) = [o for o in (obj, *obj.children) if o.omi_physics.use_collider]
    assert ball.omi_physics.collider.shape.sphere.radius == 0.25


WRONG = (
    ("", "this is no glTF|JSON"),
    ("{}", "asset|/nodes/0"),
    ({"asset": {"version": "2.0"}, "nodes": [{"name": "A"}]}, "/nodes/0: it has no physics"),
    (
        {
            "asset": {"version": "2.0"},
            "nodes": [{"extensions": {"OMI_physics_body": {"motion": {"type": "liquid"}}}}],
        },
        "/nodes/0/extensions/OMI_physics_body/motion/type: ",
    ),
    (
        {
            "asset": {"version": "2.0"},
            "nodes": [{"extensions": {"OMI_physics_body": {"motion": {"type": "static"}}}}] * 2,
        },
        "/nodes/1: it is not below /nodes/0",
    ),
    (
        {
            "asset": {"version": "2.0"},
            "nodes": [{"extensions": {"OMI_physics_body": {"collider": {"shape": 0}}}}],
            "meshes": [{"name": "Gone"}],
            "extensions": {
                "OMI_physics_shape": {"shapes": [{"type": "convex", "convex": {"mesh": 0}}]}
            },
        },
        "/meshes/0: shape 0 needs it, and this file has no mesh 'Gone'",
    ),
)


@pytest.mark.parametrize(("text", "why"), WRONG)
def test_what_is_wrong_is_told_with_its_place_and_changes_nothing(text, why):
    obj = add("Crate", cube_mesh())
    add_collider(obj, "SPHERE")
    before = shown(obj)
    with pytest.raises(json_paste.PasteError, match=why):
        paste(text, obj)
    assert shown(obj) == before
    assert len(bpy.data.objects) == 1


def test_random_texts_are_pasted_or_refused():
    chance = random.Random(7)
    obj = add("Crate", cube_mesh())
    add_body(obj)
    add_collider(obj, "CAPSULE").location = (1.0, 2.0, 3.0)
    obj.omi_physics.use_joint = True
    whole = shown(obj)
    outcomes = set()
    for _ in range(150):
        text = json.dumps(spoiled(copy.deepcopy(whole), chance))
        if chance.random() < 0.3:
            at = chance.randrange(len(text))
            text = text[:at] + chance.choice(("", "}", "\ud800", "\0", "NaN")) + text[at + 1 :]
        try:
            paste(text, obj)
            outcomes.add("pasted")
        except json_paste.PasteError as problem:
            outcomes.add(f"refused {bool(str(problem))}")
    assert outcomes == {"pasted", "refused True"}


def spoiled(value: Any, chance: random.Random) -> Any:
    """A value of JSON in which something is another thing."""
    if isinstance(value, (dict, list)) and value and chance.random() < 0.9:
        key = (
            chance.choice(list(value)) if isinstance(value, dict) else chance.randrange(len(value))
        )
        value[key] = spoiled(value[key], chance)
        return value
    return chance.choice((None, True, -1, 0, 1e300, 3, "", "box", [], {}, [0], [1, 2, 3], {"a": 1}))


def test_the_operator_pastes_onto_all_that_is_selected():
    one, two, three = (add(name, cube_mesh()) for name in ("One", "Two", "Three"))
    add_body(one, "STATIC")
    add_collider(one, "CYLINDER")
    text = json.dumps(shown(one))
    select(two, three)
    assert run("object.omi_physics_paste_json", text=text) == {"FINISHED"}
    assert [o.omi_physics.collider.shape.type for o in (two, three)] == ["CYLINDER"] * 2
    assert run("object.omi_physics_paste_json", text="no JSON") == {"CANCELLED"}
    select()
    assert not can("object.omi_physics_paste_json")
