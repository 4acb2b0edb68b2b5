"""Every form OMI physics was ever written in, read into today's records and written as today's."""

from __future__ import annotations

import copy
import dataclasses
from pathlib import Path
from typing import Any

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.model.bodies import Collider, Motion, Trigger
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import AxisIndex, NodeIndex, ShapeIndex
from omi_physics_addon.model.joints import JointLimit
from tests.support.documents import (
    BODY,
    COLLIDER,
    DATA,
    SHAPE,
    body,
    differences,
    found,
    gltf,
    load,
    physics_of,
    read,
    rewrite,
    shaped,
    worst,
    write,
)

JOINT = "OMI_physics_joint"
OLD = sorted(
    path for path in (DATA / "dialects").glob("*.gltf") if not path.name.endswith(".expected.gltf")
)


def expected_of(path: Path) -> Path:
    return path.with_name(f"{path.stem}.expected.gltf")


def same(one: Any, other: Any) -> list[str]:
    """Where two documents or encoded documents differ."""
    return list(differences(dataclasses.asdict(one), dataclasses.asdict(other)))


def test_every_dialect_has_a_file():
    assert {path.stem.partition("_")[0] for path in OLD} == {
        "O1", "O1b", "O2", "O3", "O4", "O5", "O7", "O8"
    }  # fmt: skip


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
class TestPair:
    def test_old_file_is_written_as_expected(self, path):
        document, _ = read(load(path))
        encoded, _ = write(document)
        assert same(encoded, physics_of(load(expected_of(path)))) == []

    def test_old_file_says_the_same_as_the_expected_one(self, path):
        document, _ = read(load(path))
        expected, _ = read(load(expected_of(path)))
        assert same(document, expected) == []

    def test_expected_file_is_written_as_it_is(self, path):
        expected = load(expected_of(path))
        document, issues = read(expected)
        assert not {"G09", "S24"} & issues.codes().keys()
        assert same(write(document)[0], physics_of(expected)) == []

    def test_expected_file_has_no_fault_of_its_own(self, path):
        _, issues = read(load(expected_of(path)))
        assert {issue.code for issue in worst(issues)} <= {"T01"}

    def test_old_file_is_not_changed_by_reading(self, path):
        json = load(path)
        before = copy.deepcopy(json)
        read(json)
        assert json == before

    def test_expected_file_differs_in_physics_only(self, path):
        trees = [
            [{k: v for k, v in node.items() if k != "extensions"} for node in load(p)["nodes"]]
            for p in (path, expected_of(path))
        ]
        assert trees[0] == trees[1]


@pytest.mark.parametrize(
    ("name", "issues"),
    [
        ("O1_below_bodies", [("G09", f"/extensions/{COLLIDER}"),
                             ("G09", f"/nodes/0/extensions/{BODY}")]),
        ("O1b_collider_on_node", [("S24", f"/nodes/2/extensions/{COLLIDER}"),
                                  ("G09", f"/nodes/0/extensions/{COLLIDER}")]),
        ("O2_body_types", [("T01", f"/nodes/6/extensions/{BODY}"),
                           ("G09", f"/nodes/0/extensions/{BODY}")]),
        ("O2_inertia_tensor", [("G09", f"/nodes/0/extensions/{BODY}")]),
        ("O4_nested_shapes_on_nodes", [
            ("S24", f"/extensions/{SHAPE}/shapes/0/capsule"),
            ("S24", f"/extensions/{SHAPE}/shapes/1/cylinder"),
            ("G09", f"/nodes/0/extensions/{BODY}"),
            ("G09", f"/nodes/1/extensions/{SHAPE}"),
        ]),
        ("O5_empty_trigger", [("G09", f"/nodes/0/extensions/{BODY}/trigger")]),
        ("O7_materials_and_filters", []),
    ],
)  # fmt: skip
def test_issues_of_an_old_file(name, issues):
    assert found(read(load(DATA / "dialects" / f"{name}.gltf"))[1]) == issues


class TestEmptyTrigger:
    """`trigger: {}` of O5, which means all triggers below that no other claims."""

    def test_the_parts_stop_at_bodies_and_other_groups(self):
        shaped = {"trigger": {"shape": 0}}
        json = gltf(
            body(1, 2, 3, trigger={}),
            body(trigger={"shape": 0}),
            body(4, motion={"type": "static"}),
            body(5, trigger={"collisionFilter": 0}),
            body(**shaped),
            body(**shaped),
            OMI_physics_shape={"shapes": [{"type": "box", "box": {}}]},
            OMI_physics_body={"collisionFilters": [{"collisionSystems": ["a"]}]},
        )
        document, issues = read(json)
        triggers = {i: physics.trigger for i, physics in document.nodes.items()}
        assert triggers[0] is not None
        assert triggers[3] is not None
        assert (triggers[0].nodes, triggers[3].nodes) == ((1,), (5,))
        assert set(issues.codes()) == {"G09"}

    def test_one_with_nothing_below_is_a_fault(self):
        document, issues = read(gltf(body(trigger={})))
        assert found(issues) == [("T01", f"/nodes/0/extensions/{BODY}/trigger")]
        assert write(document)[0].nodes[0] == {BODY: {"trigger": {}}}

    def test_a_fault_is_no_dialect(self):
        """What is below belongs to it all the same, as it would once the file is written."""
        json = gltf(body(1, trigger={"shape": 9}), body(trigger={"shape": 0}),
                    OMI_physics_shape={"shapes": [{"type": "box", "box": {}}]})  # fmt: skip
        document, issues = read(json)
        assert found(issues) == [
            ("G05", f"/nodes/0/extensions/{BODY}/trigger/shape"),
            ("T01", f"/nodes/0/extensions/{BODY}/trigger"),
        ]
        assert write(document)[0].nodes[0] == {BODY: {"trigger": {"nodes": [1]}}}


def old(*nodes: Any, colliders: Any = ({"type": "box", "size": [1, 2, 3]},)) -> dict[str, Any]:
    """A glTF with this list of OMI_collider."""
    return gltf(*nodes, OMI_collider={"colliders": list(colliders)})


def collider(*children: int, **members: Any) -> dict[str, Any]:
    """A node with an OMI_collider of these members."""
    return {"extensions": {COLLIDER: members}, "children": list(children)}


class TestOldNodes:
    def test_collider_keeps_what_today_has_beside_it(self):
        node = {"extensions": {COLLIDER: {"collider": 0}, BODY: {"motion": {"type": "static"}}}}
        document, _ = read(old(node))
        assert document.nodes[0].collider == Collider(shape=ShapeIndex(0))
        assert document.nodes[0].motion is not None

    def test_old_colliders_come_after_todays_shapes(self):
        json = old(body(collider={"shape": 0}), collider(collider=0))
        json["extensions"][SHAPE] = {"shapes": [{"type": "sphere", "sphere": {}}]}
        document, issues = read(json)
        assert [node.collider.shape for node in document.nodes.values() if node.collider] == [0, 1]
        assert found(issues) == [("G09", f"/extensions/{COLLIDER}")]

    def test_index_of_today_does_not_reach_old_colliders(self):
        _, issues = read(old(body(collider={"shape": 0})))
        assert ("G05", f"/nodes/0/extensions/{BODY}/collider/shape") in found(issues)

    @pytest.mark.parametrize(
        ("json", "code", "at"),
        [
            (5, "F01", ""),
            (None, "F01", ""),
            ({}, "F01", "/collider"),
            ({"collider": -1}, "G06", "/collider"),
            ({"collider": 1}, "G05", "/collider"),
            ({"collider": "0"}, "F01", "/collider"),
        ],
    )
    def test_collider_that_is_none(self, json, code, at):
        document, issues = read(old({"extensions": {COLLIDER: json}}))
        assert document.nodes == {}
        assert (code, f"/nodes/0/extensions/{COLLIDER}{at}") in found(issues)

    @pytest.mark.parametrize("json", [5, None, {}, {"shape": -1}, {"shape": 9}])
    def test_shape_that_is_none(self, json):
        document, issues = read(
            shaped({"type": "box", "box": {}}, nodes=[{"extensions": {SHAPE: json}}])
        )
        assert document.nodes == {}
        assert issues.codes().keys() & {"F01", "G05", "G06"}

    @pytest.mark.parametrize("value", [1, "true", None, []])
    def test_flag_of_a_trigger_that_is_none(self, value):
        flagged = {"type": "box", "size": [1, 2, 3], "isTrigger": value}
        document, issues = read(old(collider(collider=0), collider(**flagged), colliders=[flagged]))
        assert [bool(node.collider) for node in document.nodes.values()] == [True, True]
        assert found(issues)[:2] == [
            ("F01", f"/extensions/{COLLIDER}/colliders/0/isTrigger"),
            ("F01", f"/nodes/1/extensions/{COLLIDER}/isTrigger"),
        ]

    def test_members_of_old_nodes_travel_with_what_they_became(self):
        more = {"extras": {"a": 1}, "mystery": 2}
        json = old(
            collider(collider=0, **more),
            collider(collider=1, **more),
            colliders=[{"type": "box", "size": [1, 1, 1]}, {"type": "sphere", "isTrigger": True}],
        )
        json["nodes"].append({"extensions": {SHAPE: {"shape": 0, **more}}})
        json["extensions"][SHAPE] = {"shapes": [{"type": "box", "box": {}}]}
        encoded, _ = write(read(json)[0])
        assert encoded.nodes == {
            0: {BODY: {"collider": {"shape": 1, **more}}},
            1: {BODY: {"trigger": {"shape": 2, **more}}},
            2: {BODY: {"collider": {"shape": 0, **more}}},
        }

    def test_nearest_body_decides(self):
        json = old(
            {**body(1, type="trigger")},
            {**body(2, type="static")},
            {"children": [3]},
            collider(collider=0),
        )
        document, _ = read(json)
        assert document.nodes[3] == NodePhysics(collider=Collider(shape=ShapeIndex(0)))

    @pytest.mark.parametrize(
        "children",
        [[[0], []], [[1], [0]], [[1, 1], []], [[-1, 10**30, 1], []]],
        ids=["own child", "cycle", "twice", "beyond"],
    )
    def test_broken_tree(self, children):
        nodes = [body(type="trigger"), collider(collider=0)]
        for node, below in zip(nodes, children, strict=True):
            node["children"] = below
        document, _ = read(old(*nodes))
        assert document.nodes.keys() == {0, 1}

    def test_very_long_chain(self):
        count = 20_000
        chain = [{"children": [i + 1]} for i in range(count)]
        document, _ = read(old(body(1, type="trigger"), *chain[1:], collider(collider=0)))
        assert document.nodes[0].trigger == Trigger(nodes=(NodeIndex(count),))


@pytest.mark.parametrize(
    ("tensor", "issues"),
    [
        ("[1]", ["F01"]),
        ([1, 2, 3], ["B13"]),
        ([1, 0, 0, 0, "2", 0, 0, 0, 3], ["F01"]),
        ([1, 0, 0, 0, 1e400, 0, 0, 0, 3], ["G04"]),
        ([1.7e308] * 9, ["G04"]),
        ([1, 0, 0, 0, -2, 0, 0, 0, 3], ["B08"]),
        ([0, 1, 0, -1, 0, 0, 0, 0, 0], []),
        ([0] * 9, []),
        (None, ["F01"]),
    ],
    ids=["text", "short", "item", "infinite", "huge", "negative", "antisymmetric", "zero", "null"],
)
def test_tensor_that_is_none_is_left_to_the_engine(tensor, issues):
    document, found_there = read(gltf(body(type="rigid", mass=2, inertiaTensor=tensor)))
    assert document.nodes[0].motion == Motion(mass=2.0, center_of_mass=(0.0, 0.0, 0.0))
    pointers = [f"/nodes/0/extensions/{BODY}/inertiaTensor"] * len(issues)
    assert found(found_there)[:-1] == list(zip(issues, pointers, strict=True))


def test_tensor_of_a_rod_is_reported_as_incomplete():
    document, issues = read(gltf(body(type="rigid", inertiaTensor=[0, 0, 0, 0, 2, 0, 0, 0, 2])))
    assert document.nodes[0].motion is not None
    assert document.nodes[0].motion.inertia_diagonal == (0.0, 2.0, 2.0)
    assert "B10" in issues.codes()


@pytest.mark.parametrize(
    ("json", "member"),
    [
        ({"type": "character", "extras": [1]}, {"extras": [1]}),
        ({"type": "character", "extras": {"type": "mine"}}, {"extras": {"type": "mine"}}),
        ({"type": "vehicle", "extras": {}}, {"extras": {"type": "vehicle"}}),
        ({"type": "floating"}, {"type": "floating"}),
        ({"type": "rigid", "mass": -2}, {"mass": -2}),
    ],
    ids=["list", "own word", "empty", "unknown type", "negative mass"],
)
def test_what_a_flat_body_says_is_not_lost(json, member):
    encoded, _ = write(read(gltf(body(**json)))[0])
    motion = encoded.nodes[0][BODY]["motion"]
    assert {**motion, **member} == motion


def test_fields_of_today_in_an_old_trigger_body_are_no_fields():
    json = gltf(body(type="trigger", shape=0, nodes=[1], note=1))
    document, issues = read(json)
    assert write(document)[0].nodes == {0: {BODY: {"trigger": {"note": 1}}}}
    again, _ = read(rewrite(json, document))
    assert again == document
    assert {pointer.rpartition("/")[2] for code, pointer in found(issues) if code == "G07"} == {
        "shape", "nodes", "note"
    }  # fmt: skip


@pytest.mark.parametrize(
    "json",
    [
        {},
        {"nodes": None, "meshes": 5, "extensions": []},
        {"nodes": {"0": {}}, "extensions": None},
        {"nodes": [None, 5, "a", [], {"extensions": 5, "children": "b"}]},
        {"nodes": [{"extensions": [BODY]}]},
    ],
)
def test_file_without_physics(json):
    assert read(json)[0] == PhysicsDocument()


def test_children_that_are_no_indices_are_left_out():
    file = dialects.gltf_file({"nodes": [{"children": [1, "2", True, 3.0, None, -4]}]})
    assert list(file.nodes[0].children) == [1, -4]


def test_of_two_old_constraints_on_an_axis_the_later_one_counts():
    pin = {"linearAxes": [0, 1, 2], "angularAxes": [1], "lowerLimit": 0, "upperLimit": 0}
    slide = {"linearAxes": [0], "lowerLimit": -1, "upperLimit": 2}
    joint = {"constraints": [0, 1], "nodeA": 1, "nodeB": 2}
    nodes = [{"extensions": {JOINT: joint}}, body(), body()]
    document, _ = read(gltf(*nodes, **{JOINT: {"constraints": [pin, slide]}}))
    (settings,) = document.joint_settings
    assert settings.limits == (
        JointLimit(linear_axes=(AxisIndex(1), AxisIndex(2)), min=0.0, max=0.0),
        JointLimit(angular_axes=(AxisIndex(1),), min=0.0, max=0.0),
        JointLimit(linear_axes=(AxisIndex(0),), min=-1.0, max=2.0),
    )
