"""What the JSON panel shows of an object is what the export writes for its node."""

from __future__ import annotations

import copy
import json
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base.json_text import pretty
from omi_physics_addon.blender.scene import object_json
from tests.blender.conftest import ROOT
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.support.documents import differences

# Key → the list of the file that its index points into, by the extension the list is in.
LISTS = {
    "physicsMaterial": (
        ("OMI_physics_body", "physicsMaterials"),
        ("KHR_physics_rigid_bodies", "physicsMaterials"),
    ),
    "collisionFilter": (
        ("OMI_physics_body", "collisionFilters"),
        ("KHR_physics_rigid_bodies", "collisionFilters"),
    ),
    "joint": (
        ("OMI_physics_joint", "physicsJoints"),
        ("KHR_physics_rigid_bodies", "physicsJoints"),
    ),
    "shape": (("OMI_physics_shape", "shapes"), ("KHR_implicit_shapes", "shapes")),
    "wheel": (("OMI_vehicle_wheel", "wheels"),),
    "thruster": (("OMI_vehicle_thruster", "thrusters"),),
    "hoverThruster": (("OMI_vehicle_hover_thruster", "hoverThrusters"),),
}
NODES = ("connectedNode", "pilotSeat", "node")


def entry(gltf: dict[str, Any], places: Any, index: int, prefer: str) -> Any:
    for extension, name in sorted(places, key=lambda place: place[0][:3] != prefer):
        found = gltf.get("extensions", {}).get(extension, {}).get(name)
        if found is not None:
            return resolved(gltf, found[index], extension[:3])
    raise AssertionError(f"no list for {places}")


def resolved(gltf: dict[str, Any], value: Any, prefer: str = "OMI") -> Any:
    """A value with what its indices mean in place of them."""
    if isinstance(value, list):
        return [resolved(gltf, item, prefer) for item in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for key, item in value.items():
        whole = isinstance(item, int) and not isinstance(item, bool)
        if key in LISTS and whole:
            out[key] = entry(gltf, LISTS[key], item, prefer)
        elif key == "mesh" and whole:
            out[key] = gltf["meshes"][item]["name"]
        elif key in NODES and whole:
            out[key] = place_of(gltf, item)
        elif key == "nodes":
            out[key] = sorted(place_of(gltf, i) for i in item)
        else:
            out[key] = resolved(gltf, item, key[:3] if key[:3] in ("OMI", "KHR") else prefer)
    return out


def place_of(gltf: dict[str, Any], index: int) -> str:
    node = gltf["nodes"][index]
    above = [n["name"] for n in gltf["nodes"] if index in n.get("children", [])]
    inserted = node["name"].endswith((" Pivot", " Collider", " Trigger"))
    place = [node.get(key) for key in ("translation", "rotation", "scale")] if inserted else []
    return f"{above if inserted else ''}/{node['name']}{json.dumps(place)}"


def said(gltf: dict[str, Any], name: str) -> dict[str, Any]:
    """What a file says of a node and of the nodes inserted below it."""
    (own,) = [n for n in gltf["nodes"] if n["name"] == name]
    nodes = {name: own}
    for child in own.get("children", []):
        node = gltf["nodes"][child]
        if node["name"] in (f"{name} Collider", f"{name} Trigger"):
            nodes[node["name"]] = node
    out = {}
    for key, node in nodes.items():
        physics = {k: v for k, v in node.get("extensions", {}).items() if is_ours(k)}
        place = {k: node[k] for k in ("translation", "rotation") if k in node and node is not own}
        out[key] = {**place, **resolved(gltf, physics)}
    return out


def is_ours(name: str) -> bool:
    return name.startswith(("OMI_", "KHR_physics", "KHR_implicit", "KHR_collision"))


def compare(export, families=("OMI", "KHR")) -> int:
    """Compare every object of the scene with a real export, in both families."""
    scene = bpy.context.scene
    count = 0
    for family in families:
        scene.omi_physics.export.family = family
        gltf = export(export_apply=False)
        for obj in scene.objects:
            if obj.name not in {n["name"] for n in gltf["nodes"]}:
                continue
            shown = object_json.read(scene, obj, family).gltf
            expected = said(gltf, obj.name)
            if not shown:
                assert expected == {obj.name: {}}, obj.name
                continue
            found = said(shown, obj.name)
            assert list(differences(found, expected)) == [], (family, obj.name)
            count += bool(expected[obj.name])
    return count


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("everything", 20),
        ("gravity", 10),
        ("joints", 10),
        ("khr", 8),
        ("shapes_and_bodies", 30),
        ("vehicles", 10),
    ],
)
def test_examples_are_shown_as_they_are_exported(export, name, least):
    bpy.ops.wm.open_mainfile(filepath=str(ROOT / "examples" / f"{name}.blend"))
    assert compare(export) >= least


def test_shared_entries_come_along_and_no_others(export):
    crate, other = add("Crate", cube_mesh()), add("Other", cube_mesh())
    add_body(crate)
    for obj, kind in ((other, "SPHERE"), (crate, "BOX")):
        add_collider(obj, kind)
    for name in ("Ice", "Rubber"):
        bpy.ops.scene.omi_physics_add_physics_material()
        bpy.context.scene.omi_physics.physics_materials[-1].name = name
    crate.omi_physics.collider.physics_material = "Rubber"
    other.omi_physics.collider.physics_material = "Ice"
    for family in ("OMI", "KHR"):
        gltf = object_json.read(bpy.context.scene, crate, family).gltf
        text = json.dumps(gltf)
        assert "Rubber" in text
        assert "box" in text
        assert "Ice" not in text
        assert "sphere" not in text
        assert [n["name"] for n in gltf["nodes"]] == ["Crate"]
    assert compare(export) == 4


def test_a_shape_beside_its_object_is_a_node_of_its_own(export):
    crate = add("Crate", cube_mesh())
    add_collider(crate).location = (1.0, 2.0, 3.0)
    gltf = object_json.read(bpy.context.scene, crate, "OMI").gltf
    assert [n["name"] for n in gltf["nodes"]] == ["Crate", "Crate Collider"]
    assert gltf["nodes"][0]["children"] == [1]
    assert gltf["nodes"][1]["translation"] == [1.0, 3.0, -2.0]
    said_by_export = said(export(), "Crate")
    assert said(gltf, "Crate") == said_by_export


def test_what_is_referred_to_is_there_by_name():
    door, frame = add("Door", cube_mesh()), add("Frame", cube_mesh())
    add_body(door)
    add_body(frame, "STATIC")
    hinge = add("Hinge", parent=door)
    hinge.omi_physics.use_joint = True
    bpy.context.scene.omi_physics.joint_settings.add("Free").limits.add()
    hinge.omi_physics.joint.settings = "Free"
    hinge.omi_physics.joint.connected_object = frame
    gltf = object_json.read(bpy.context.scene, hinge, "OMI").gltf
    joint = gltf["nodes"][0]["extensions"]["OMI_physics_joint"]
    name = gltf["nodes"][joint["connectedNode"]]["name"]
    assert name in ("Frame", "Hinge Pivot")
    assert gltf["nodes"][0]["name"] == "Hinge"


def test_issues_of_the_object_alone():
    good, bad = add("Good", cube_mesh()), add("Bad", cube_mesh())
    for obj in (good, bad):
        add_collider(obj)
    bad.omi_physics.collider.physics_material = "Nowhere"
    assert not object_json.read(bpy.context.scene, good, "OMI").issues
    (issue,) = object_json.read(bpy.context.scene, bad, "OMI").issues
    assert (issue.code, issue.pointer) == ("X05", "Bad")


def test_an_object_without_physics_says_nothing():
    assert object_json.read(bpy.context.scene, add("Empty"), "OMI").gltf == {}


def test_reading_changes_nothing():
    crate = add("Crate", cube_mesh())
    add_body(crate).mass_mode = "DENSITY"
    add_collider(crate, "CONVEX")
    before = len(bpy.data.meshes), len(bpy.data.objects)
    object_json.read(bpy.context.scene, crate, "KHR")
    assert (len(bpy.data.meshes), len(bpy.data.objects)) == before


VALUES = [
    {},
    [],
    {"a": 1},
    {"a": {"b": [1, 2, 3]}, "c": [{"d": "é"}, {}], "e": None},
    {"points": [[0.25, 1.5, -3.0]] * 12},
    "text",
]


@pytest.mark.parametrize("width", [1, 20, 38, 200])
@pytest.mark.parametrize("value", VALUES, ids=str)
def test_pretty_text_is_the_same_json(value, width):
    assert json.loads(pretty(copy.deepcopy(value), width)) == value


def test_pretty_text_keeps_short_things_on_a_line():
    text = pretty({"size": [1, 2, 3], "box": {"a": 1, "b": 2}, "deep": {"x": {"y": 1}}}, 30)
    assert text.split("\n") == [
        "{",
        '  "size": [1, 2, 3],',
        '  "box": {"a": 1, "b": 2},',
        '  "deep": {',
        '    "x": {"y": 1}',
        "  }",
        "}",
    ]
