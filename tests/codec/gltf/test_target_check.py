"""What `check --target` tells of files as they stand."""

from __future__ import annotations

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting, target_check
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues
from tests.engines.babylon.test_deviations import MOTION, SOLID, node
from tests.engines.babylon.test_deviations import gltf as khr
from tests.support.godot_habits import HABITS


def told(json, target):
    issues = Issues()
    document = dialects.read(dialects.gltf_file(json), Issues())
    target_check.check_target(json, document, engine_of(target), issues)
    return [(issue.code, issue.pointer) for issue in issues]


def codes(json, target):
    return {code for code, _ in told(json, target)}


@pytest.mark.parametrize(
    "name", ["hinge about Y, motor", "wheels deep below", "dynamic in dynamic"]
)
def test_what_godot_takes_otherwise_is_told_until_it_is_written_for_it(name):
    json = HABITS[name].json
    assert "X51" in codes(json, "GODOT_4")
    written = rewriting.change(json, Issues(), WriteOptions(target=engine_of("GODOT_4"))).json
    assert "X51" not in codes(written, "GODOT_4")


def test_a_plain_joint_is_the_same_to_godot():
    assert "X51" not in codes(HABITS["joint"].json, "GODOT_4")


def test_what_cannot_be_written_is_told_in_the_words_of_an_export():
    source = khr(node("A", motion={**MOTION, "angularVelocity": [1, 0, 0]}, collider=SOLID))
    assert told(source, "BABYLON") == [("X51", "/nodes/0"), ("X42", "/nodes/0")]
    written = rewriting.change(source, Issues(), WriteOptions(target=engine_of("BABYLON"))).json
    assert told(written, "BABYLON") == [("X42", "/nodes/0")]


def test_an_engine_of_the_other_family_is_told():
    source = khr(node("A", motion=MOTION, collider=SOLID))
    assert told(source, "GODOT_4") == [("X52", "/extensionsUsed")]
    assert told(HABITS["joint"].json, "BABYLON") == [("X52", "/extensionsUsed")]
