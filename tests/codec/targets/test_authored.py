"""Files written for an engine are read as they were authored, unless they were changed since."""

from __future__ import annotations

import copy
import json

import pytest

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.targets import authored
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues
from tests.support.godot_habits import HABITS

NESTED, DEEP = HABITS["dynamic in dynamic"].json, HABITS["collider deep below"].json


def for_godot(source):
    return rewriting.change(source, Issues(), WriteOptions(target=engine_of("GODOT_4"))).json


def restored(source):
    issues = Issues()
    found = authored.restore(source, issues)
    return found, [issue.code for issue in issues]


def test_added_nodes_are_gone_and_moved_ones_hang_where_they_hung():
    found, codes = restored(for_godot(DEEP))
    assert codes == []
    assert found.json["nodes"] == DEEP["nodes"]
    moved = for_godot(NESTED)
    assert moved["scenes"][0]["nodes"] == [0, 1]
    assert "children" not in moved["nodes"][0]
    assert restored(moved)[0].json == NESTED


def test_nodes_that_are_not_last_stay_and_are_named():
    source = for_godot(DEEP)
    source["nodes"].append({"name": "Later"})
    source["scenes"][0]["nodes"].append(4)
    found, _ = restored(source)
    assert found.added == {3}
    assert found.json["nodes"][0]["children"] == [1]
    assert "extensions" not in found.json["nodes"][3]


def test_rounding_and_empty_members_are_no_change():
    source = for_godot(DEEP)
    body = source["nodes"][0]["extensions"]["OMI_physics_body"]
    body["motion"]["mass"] = 1.0000000001
    body["more"] = {}
    assert restored(source)[1] == []


@pytest.mark.parametrize("where", ["node", "root"])
def test_what_another_program_changed_counts(where):
    source = for_godot(DEEP)
    if where == "node":
        source["nodes"][0]["extensions"]["OMI_physics_body"]["motion"]["mass"] = 2
    else:
        source["extensions"]["OMI_physics_shape"]["shapes"][0]["box"]["size"] = [2, 2, 2]
    found, codes = restored(source)
    assert found.json is source
    assert codes == ["X37"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda note: note["nodes"].update({"99": {}}),
        lambda note: note.pop("added"),
        lambda note: note.update(moved={"x": 1}),
        lambda note: note.update(root=5),
    ],
)
def test_a_broken_note_is_told_and_the_file_counts(spoil):
    source = copy.deepcopy(for_godot(DEEP))
    spoil(source["asset"]["extras"][authored.KEY])
    found, codes = restored(source)
    assert found.json is source
    assert codes == ["X37"]


@pytest.mark.parametrize("asset", [None, 5, {}, {"extras": 3}, {"extras": {authored.KEY: "x"}}])
def test_files_without_a_note_are_read_as_they_stand(asset):
    source = {"asset": asset, "nodes": []}
    assert restored(source) == (authored.Restored(source), [])


def test_other_extras_stay():
    source = copy.deepcopy(DEEP)
    source["asset"]["extras"] = {"mine": 1}
    written = for_godot(source)
    assert written["asset"]["extras"].keys() == {"mine", authored.KEY}
    assert restored(written)[0].json["asset"] == source["asset"]


def test_empty_members_of_a_place_are_none():
    """Blender's exporter had them in files that were written before."""
    written = for_godot(NESTED)
    for place in written["asset"]["extras"][authored.KEY]["moved"].values():
        place["matrix"] = []
    assert restored(written)[0].json["nodes"] == NESTED["nodes"]


def test_writing_twice_for_an_engine_is_writing_once():
    once = for_godot(NESTED)
    assert json.dumps(for_godot(once)) == json.dumps(once)


def test_what_is_animated_stays_and_is_told():
    source = copy.deepcopy(NESTED)
    channel = {"sampler": 0, "target": {"node": 1, "path": "translation"}}
    source["animations"] = [{"channels": [channel], "samplers": [{"input": 0, "output": 1}]}]
    issues = Issues()
    written = rewriting.change(source, issues, WriteOptions(target=engine_of("GODOT_4")))
    assert written.json["nodes"] == source["nodes"]
    assert [issue.code for issue in issues] == ["X22", "X45", "X49"]
