"""Names that Godot reads as commands, as its editor was seen to; tests/blender/engines asks it."""

from __future__ import annotations

import pytest

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.targets import authored
from omi_physics_addon.codec.targets.written_names import Named, Renamed
from omi_physics_addon.engines import engine_of
from omi_physics_addon.engines.godot import names as godot_names
from omi_physics_addon.issues import Issues
from tests.support.godot_names import LOOPS, WORDS, body, scene

SPECIFICATION = WriteOptions()
GODOT = WriteOptions(target=engine_of("GODOT_4"))


def written(json, options=GODOT):
    issues = Issues()
    return rewriting.change(json, issues, options).json, issues


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("form", ["X-{}", "X_{}", "x.{}", "X:{}.001", "X-{} 3_", "${}s X", "X-{}/"])
def test_commands_are_found_and_have_names_without(word, form):
    for name in (form.format(word), form.format(word.upper())):
        assert godot_names.is_command(name)
        new = godot_names.safe(name, {})
        assert not godot_names.is_command(new)
        assert word in new.lower()


@pytest.mark.parametrize(
    "name",
    ["wheel", "Wheel", "Steering Wheel", "Steeringwheel", "A-wheel-b", "A-wheel.L", "A-wheel٣",
     "A-wheel\xa0", "$", "Wall-coll", "A-2", "", "-", "cold-", "A,wheel"],
)  # fmt: skip
def test_other_names_are_none(name):
    assert not godot_names.is_command(name)


@pytest.mark.parametrize(
    ("name", "new"),
    [("Wall-col", "Wall col"), ("Steering_Wheel.001", "Steering Wheel.001"), ("-col", "col"),
     ("Big$wheeled", "Big wheeled"), ("$rigid", "rigid"), ("A-col-col", "A-col col")],
)  # fmt: skip
def test_new_names_stay_readable(name, new):
    assert godot_names.safe(name, {}) == new


def test_new_names_are_not_taken():
    taken = {"A_b wheel": 1}
    made = [godot_names.safe("A.b-wheel", taken) for _ in range(3)]
    assert made == ["A.b wheel 2", "A.b wheel 3", "A.b wheel 4"]


@pytest.mark.parametrize("name", LOOPS)
def test_animations_that_repeat_get_names_that_do_not(name):
    assert godot_names.is_loop(name)
    assert not godot_names.is_loop(godot_names.safe_animation(name, {}))


@pytest.mark.parametrize("name", ["A loop_", "_Loop a", "A-noimp", "Fall", "A loop b", ""])
def test_other_animations_do_not(name):
    assert not godot_names.is_loop(name)


def names(nodes, parents, shown=(), meshes=(), animations=()):
    count = len(nodes)
    return Named(nodes, shown or [-1] * count, parents, meshes, animations)


class TestRenamed:
    def test_what_has_physics_on_or_below_it(self):
        named = names(["A-noimp", "B_vehicle", "C-wheel", "D-wheel"], {1: 0})
        assert godot_names.renamed(named, {1}).nodes == {0: "A noimp", 1: "B vehicle"}

    def test_words_for_meshes_count_where_one_is_shown(self):
        named = names(["A-col", "B-col"], {}, [-1, 0], ["M"])
        assert godot_names.renamed(named, {0, 1}).nodes == {1: "B col"}

    def test_below_a_body_what_makes_another_one(self):
        nodes = ["Body", "Steering_Wheel", "Hull-col", "Sketch-noimp", "Mask-occ", "Deep-wheel"]
        named = names(nodes, {1: 0, 2: 0, 3: 0, 4: 0, 5: 3}, [-1, 0, 0, 0, 0, -1], ["M"])
        found = godot_names.renamed(named, {0}).nodes
        assert found == {1: "Steering Wheel", 2: "Hull col", 5: "Deep wheel"}

    def test_what_is_below_a_body_and_has_another_one_below(self):
        named = names(["Body", "Between", "Other", "Part-wheel"], {1: 0, 2: 1, 3: 1})
        assert godot_names.renamed(named, {0, 2}).nodes == {3: "Part wheel"}

    def test_meshes_of_bodies_and_of_what_is_below(self):
        meshes = ["A-col", "col", "A col", "Free-col", "A-wheel"]
        named = names(list("abcde"), {1: 0}, [0, 1, 2, 3, 4], meshes)
        assert godot_names.renamed(named, {0, 4}).meshes == {0: "A col 2", 1: "mesh col"}

    def test_animations_that_move_physics(self):
        animations = [("Lift-loop", {1}), ("Walk cycle", {2}), ("Door", {0}), ("Loop", {0, 2})]
        named = names(["a", "b", "c"], {0: 1}, (), (), animations)
        found = godot_names.renamed(named, {0})
        assert found == Renamed(animations={0: "(Lift-loop)", 3: "(Loop)"})

    def test_words_that_are_meant_stay(self):
        named = names(["A-col", "B-wheel"], {}, [0, 0], ["M-convcol"])
        assert godot_names.renamed(named, {0, 1}, "GODOT") == Renamed({1: "B wheel"})

    def test_circles_end(self):
        named = names(["A-wheel", "B-wheel", "C"], {0: 1, 1: 0})
        assert godot_names.renamed(named, {2}).nodes == {}


class TestFiles:
    def test_names_are_written_and_told_and_come_back(self):
        source = scene({"X-wheel": body("X-wheel"), "P": {"name": "P-wheel"}})
        source["meshes"] = [{"name": "M-col", "primitives": [{"attributes": {}}]}]
        source["nodes"][0]["mesh"] = 0
        target = {"node": 0, "path": "translation"}
        channels = [{"sampler": 0, "target": target}]
        source["animations"] = [{"name": "Up-loop", "channels": channels, "samplers": [{}]}]
        out, issues = written(source)
        assert [node["name"] for node in out["nodes"]][:2] == ["X wheel", "P-wheel"]
        assert (out["meshes"][0]["name"], out["animations"][0]["name"]) == ("M col", "(Up-loop)")
        told = [issue.pointer for issue in issues if issue.code == "X68"]
        assert told == ["/nodes/0", "/meshes/0", "/animations/0"]
        back, _ = written(out, SPECIFICATION)
        for kind in ("nodes", "meshes", "animations"):
            before = [item["name"] for item in source[kind]]
            assert [item["name"] for item in back[kind]][: len(before)] == before
        assert authored.KEY not in back["asset"].get("extras", {})

    def test_a_name_that_was_changed_since_stays(self):
        out, _ = written(scene({"X-wheel": body("X-wheel")}))
        out["nodes"][0]["name"] = "Mine"
        assert authored.restore(out, Issues()).json["nodes"][0]["name"] == "Mine"

    def test_the_specification_keeps_names(self):
        source = scene({"X-wheel": body("X-wheel")})
        out, issues = written(source, SPECIFICATION)
        assert out["nodes"][0]["name"] == "X-wheel"
        assert "X68" not in issues.codes()

    def test_faulty_items_have_no_names(self):
        source = scene({"X-wheel": {**body("X-wheel"), "mesh": 7}})
        source["animations"] = [5, {"name": 3, "channels": [{"target": {"node": []}}]}]
        assert written(source)[0]["nodes"][0]["name"] == "X wheel"
