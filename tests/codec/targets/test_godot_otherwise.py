"""What the cheap look at a document finds is what the repairs would change."""

from __future__ import annotations

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.targets import engines, godot_otherwise
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.issues import Issues
from tests.codec.targets.test_godot import car
from tests.support.godot_habits import HABITS

TAPERED = {"type": "cylinder", "cylinder": {"height": 1, "radiusTop": 0.1, "radiusBottom": 0.2}}


def tapered(part, **place):
    node = {**place, "extensions": {"OMI_physics_body": {part: {"shape": 0}}}}
    root = {"OMI_physics_shape": {"shapes": [TAPERED]}}
    return {"asset": {"version": "2.0"}, "nodes": [node], "extensions": root}


FILES = {
    **{name: habit.json for name, habit in HABITS.items()},
    "car": car(900),
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
    exact = engines.taken_otherwise(engines.ENGINES["GODOT_4"], document, tree, ())
    assert sorted(godot_otherwise.taken(document, tree)) == exact


def test_some_are_found_and_some_are_not():
    found = []
    for json in FILES.values():
        file = dialects.gltf_file(json)
        found.append(bool(godot_otherwise.taken(dialects.read(file, Issues()), Tree.of(file))))
    assert any(found)
    assert not all(found)
