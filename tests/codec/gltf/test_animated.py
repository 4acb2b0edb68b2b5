"""Animations of physics move the same properties when a file is written anew."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import animated, rewriting
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues
from tests.codec.test_fuzz import fuzzed
from tests.support import pace
from tests.support.animations import Binary, channel, properties, value_at
from tests.support.documents import gltf, rewrite
from tests.support.random_documents import ANY, FAMILIES, FORMS, NODES, documents
from tools.environment import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.glb"))
SHAPES, BODY = "OMI_physics_shape", "OMI_physics_body"


def animate(json: dict[str, Any], pointers: list[str]) -> dict[str, Any]:
    """Each pointer gets an animation of its own, so that it is known by its number."""
    return {**json, "animations": [{"channels": [channel(pointer)]} for pointer in pointers]}


def pointers(json: dict[str, Any]) -> list[str]:
    return [each.pointer for each in animated.channels(json)]


def change(json: dict[str, Any], target: Any = "SPECIFICATION", *families: Any) -> Any:
    issues = Issues()
    converted = rewriting.change(json, issues, WriteOptions(target=engine_of(target)), families)
    told = [issue.message for issue in issues if issue.code == "L26"]
    return converted.json, told


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_all_properties_of_the_examples_stay_animated(path):
    before = Binary(path).json
    all_of_them = properties(before)
    assert len(all_of_them) > 30
    before = animate(before, all_of_them)
    after, told = change(before)
    assert told == []
    for old, new in zip(all_of_them, pointers(after), strict=True):
        assert value_at(after, new) == pytest.approx(value_at(before, old))
        assert old.rsplit("/", 1)[1] == new.rsplit("/", 1)[1]
    assert animated.KEY not in json.dumps(after)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("families", [["OMI"], ["KHR"], ["OMI", "KHR"]], ids="+".join)
def test_in_other_families_they_move_the_same_or_are_told(path, families):
    before = Binary(path).json
    all_of_them = properties(before)
    samplers = [{"input": 0, "output": i} for i in range(len(all_of_them))]
    channels = [channel(pointer, i) for i, pointer in enumerate(all_of_them)]
    before["animations"] = [{"channels": channels, "samplers": samplers}]
    after, told = change(before, "SPECIFICATION", *families)
    led: dict[int, list[str]] = {i: [] for i in range(len(all_of_them))}
    for each in animated.channels(after):
        led[after["animations"][0]["channels"][each.channel]["sampler"]].append(each.pointer)
    for i, old in enumerate(all_of_them):
        assert led[i] or any(old in message for message in told)
        for new in led[i]:
            found, expected = value_at(after, new), value_at(before, old)
            if found is None:  # Left out as the default.
                assert new.endswith(("/centerOfMass", "/inertiaDiagonal"))
                assert expected == [0.0, 0.0, 0.0]
            elif not (new.endswith("/mass") and expected == 0):  # Without an end in KHR alone.
                assert found == pytest.approx(expected)


def test_one_of_two_families_goes_without_a_word():
    mass = "/nodes/0/extensions/{}/motion/mass".format
    motion = {"motion": {"type": "dynamic", "mass": 2}}
    before = {"asset": {"version": "2.0"}, "nodes": [{"extensions": {BODY: motion}}]}
    before["animations"] = [{"channels": [channel(mass(BODY))], "samplers": [{"input": 0}]}]
    both, _ = change(before, "SPECIFICATION", "OMI", "KHR")
    assert pointers(both) == [mass(BODY), mass("KHR_physics_rigid_bodies")]
    for family, name in (("OMI", BODY), ("KHR", "KHR_physics_rigid_bodies")):
        after, told = change(both, "SPECIFICATION", family)
        assert (pointers(after), told) == ([mass(name)], [])


@pytest.mark.parametrize("form", FORMS)
@fuzzed(20)
@given(data=st.data())
def test_random_documents_keep_their_animations(form, data):
    document = data.draw(documents(ANY, form, meshes=2))
    before = rewrite(gltf(*[{}] * NODES, mesh_count=2), document, families=FAMILIES[form])
    before, _ = change(before)
    # Where extensions are no object, nothing can be noted.
    all_of_them = [each for each in properties(before) if animated.Notes(before).add(each, {})]
    after, told = change(animate(before, all_of_them))
    assert told == []
    for old, new in zip(all_of_them, pointers(after), strict=False):
        assert value_at(after, new) == pytest.approx(value_at(before, old))


def test_pointers_follow_shapes_that_get_other_numbers():
    """The first shape is used by nobody and goes, and the two others say the same but for that."""
    box = {"type": "box", "box": {"size": [2, 2, 2]}}
    nodes = [{"extensions": {BODY: {"collider": {"shape": i}}}} for i in (2, 1)]
    shapes = [{"type": "sphere", "sphere": {"radius": 3}}, box, box]
    before = {
        "asset": {"version": "2.0"},
        "nodes": nodes,
        "extensions": {SHAPES: {"shapes": shapes}},
    }
    before = animate(before, [f"/extensions/{SHAPES}/shapes/2/box/size"])
    after, told = change(before, "SPECIFICATION", "KHR")
    (pointer,) = pointers(after)
    assert told == []
    index = int(pointer.split("/")[4])
    khr = "KHR_physics_rigid_bodies"
    users = [node["extensions"][khr]["collider"]["geometry"]["shape"] for node in after["nodes"]]
    assert pointer == f"/extensions/KHR_implicit_shapes/shapes/{index}/box/size"
    assert [user == index for user in users] == [True, False]


def test_what_only_one_family_has_is_told_and_left_out():
    part = {"motion": {"isKinematic": True, "mass": 2.0}}
    khr = "KHR_physics_rigid_bodies"
    before = {"asset": {"version": "2.0"}, "nodes": [{"extensions": {khr: part}}]}
    before["extensionsUsed"] = [khr]
    wanted = [f"/nodes/0/extensions/{khr}/motion/{key}" for key in ("isKinematic", "mass")]
    after, told = change(animate(before, wanted), "SPECIFICATION", "OMI")
    assert pointers(after) == ["/nodes/0/extensions/OMI_physics_body/motion/mass"]
    assert told == [
        f"an animation targets {wanted[0]}, which no longer exists, so the channel is left out"
    ]
    assert len(after["animations"]) == 1


@pytest.mark.parametrize("lost", ["/nodes/7/extensions/OMI_physics_body/motion/mass", "/x", "/"])
def test_pointers_that_lead_nowhere_stay_as_they_are(lost):
    before = {"nodes": [{"extensions": {BODY: {"motion": {"type": "dynamic"}}}}]}
    before = {"asset": {"version": "2.0"}, **animate(before, [lost])}
    after, told = change(before)
    assert (after["animations"], told) == (before["animations"], [])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_files_for_an_engine_come_back_with_their_animations(path):
    """Hulls stand for tapered shapes in Godot, so their radii cannot be animated there."""
    before = Binary(path).json
    all_of_them = properties(before)
    written, told = change(animate(before, all_of_them), "GODOT_4")
    gone = {message.split()[3].rstrip(",") for message in told}
    assert all("/shapes/" in pointer or "isKinematic" in pointer for pointer in gone)
    back, told = change(written)
    if path.stem not in ("everything", "khr"):  # Which lose KHR.
        assert sorted(pointers(back)) == sorted(set(all_of_them) - gone)
    assert told == []


def test_time_grows_as_the_animations_do():
    def seconds(count: int) -> float:
        shapes = [{"type": "sphere", "sphere": {"radius": i + 1}} for i in range(count)]
        nodes = [{"extensions": {BODY: {"collider": {"shape": i}}}} for i in range(count)]
        before = {
            "asset": {"version": "2.0"},
            "nodes": nodes,
            "extensions": {SHAPES: {"shapes": shapes}},
        }
        wanted = [f"/extensions/{SHAPES}/shapes/{i}/sphere/radius" for i in range(count)]
        before = animate(before, wanted)
        start = time.thread_time()
        after, _ = change(before)
        passed = time.thread_time() - start
        assert len(pointers(after)) == count
        return passed

    pace.check_growth(seconds, 1_000, 4_000, most=8.0)  # A square would take 16.
