"""What the cheap look at a document finds is what the repairs would change."""

from __future__ import annotations

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting, target_check
from omi_physics_addon.codec.targets import engines
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.engines import engine_of
from omi_physics_addon.engines.godot import scan
from omi_physics_addon.issue_codes import Severity
from omi_physics_addon.issues import Issues
from tests.engines.godot.test_deviations import car
from tests.support.godot_habits import HABITS

TAPERED = {"type": "cylinder", "cylinder": {"height": 1, "radiusTop": 0.1, "radiusBottom": 0.2}}


def tapered(part, **place):
    node = {**place, "extensions": {"OMI_physics_body": {part: {"shape": 0}}}}
    root = {"OMI_physics_shape": {"shapes": [TAPERED]}}
    return {"asset": {"version": "2.0"}, "nodes": [node], "extensions": root}


FILES = {
    **{name: habit.json for name, habit in HABITS.items()},
    "car": car(900),
    "car without brakes": car(900, brakingForce=0.0),
    "tapered": tapered("collider"),
    "tapered trigger": tapered("trigger", scale=[1, 2, 1]),
    "tapered and mirrored": tapered("collider", scale=[-1, 1, 1]),
    "tapered and tiny": tapered("collider", scale=[1e-9, 1e-9, 1e-9]),
}


@pytest.mark.parametrize("name", FILES)
def test_it_finds_what_is_written_otherwise(name):
    file = dialects.gltf_file(FILES[name])
    document = dialects.read(file, Issues())
    tree = Tree.of(file)
    exact = engines.taken_otherwise(engine_of("GODOT_4"), document, tree, ())
    assert sorted(scan.taken(document, tree)) == exact


def test_some_are_found_and_some_are_not():
    found = []
    for json in FILES.values():
        file = dialects.gltf_file(json)
        found.append(bool(scan.taken(dialects.read(file, Issues()), Tree.of(file))))
    assert any(found)
    assert not all(found)


def test_shapes_that_are_not_tapered_cost_no_matrix(monkeypatch):
    """Every export asks this of every shape."""
    json = tapered("collider")
    json["extensions"]["OMI_physics_shape"]["shapes"] = [{"type": "box"}]
    file = dialects.gltf_file(json)
    document, tree = dialects.read(file, Issues()), Tree.of(file)
    monkeypatch.setattr(Tree, "world", lambda *_: pytest.fail("a matrix was made"))
    assert list(scan.taken(document, tree)) == []


def showing(*members, name="Crate", body=None):
    """Nodes with physics that show something themselves."""
    solid = {"OMI_physics_body": {"collider": {"shape": 0}} if body is None else body}
    nodes = [
        {"name": name, **each, "extensions": {**each.get("extensions", {}), **solid}}
        for each in members
    ]
    return {
        "asset": {"version": "2.0"},
        "nodes": nodes,
        "meshes": [{"primitives": []}],
        "extensions": {"OMI_physics_shape": {"shapes": [{"type": "box"}]}},
    }


LIGHT = {"extensions": {"KHR_lights_punctual": {"light": 0}}}


def x74(json):
    issues = Issues()
    document = dialects.read(dialects.gltf_file(json), Issues())
    target_check.check_target(json, document, engine_of("GODOT_4"), issues)
    return [issue for issue in issues if issue.code == "X74"]


def test_what_nodes_with_physics_show_is_told_once():
    (issue,) = x74(showing({"mesh": 0}, {}, {"camera": 0}, LIGHT))
    assert (issue.pointer, issue.severity) == ("/nodes/0", Severity.WARNING)
    assert "3 nodes that have physics" in issue.message
    (issue,) = x74(showing({}, {"mesh": 0}))
    assert issue.pointer == "/nodes/1"
    assert "a node that has physics" in issue.message


@pytest.mark.parametrize(
    "json",
    [
        showing({}),
        showing({"mesh": 0}, name="Wall-colonly"),
        showing({"mesh": 0}, body={}),
        rewriting.change(showing({"mesh": 0}), Issues(), WriteOptions()).json,
    ],
    ids=["nothing is shown", "for collisions only", "no physics", "on a child"],
)
def test_what_is_seen_or_not_to_be_seen_is_not_told(json):
    assert x74(json) == []
