"""What the cheap look at a document finds is what the repairs would change."""

from __future__ import annotations

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.targets import engines, godot_otherwise
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.issues import Issues
from tests.codec.targets.test_godot import car
from tests.support.godot_habits import HABITS

FILES = {name: habit.json for name, habit in HABITS.items()} | {"car": car(900)}


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
