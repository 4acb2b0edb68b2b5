"""What the examples say of physics, against the published schemas of all extensions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.blender.support.gltf_files import read_glb, resolved
from tests.spec.corpus import complaints, table
from tests.support.documents import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ALL = sorted(EXAMPLES.glob("*.glb"))
DISPUTED = (
    # The text gives zero the meaning infinite, the schema forbids it.
    re.compile(r".*KHR_physics_rigid_bodies/motion/(mass|inertiaDiagonal/\d): 0"),
    # The schema still requires the list of an older form, which the text has no more.
    re.compile(r"/extensions/OMI_physics_joint: 'constraints' is a required property"),
)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_examples_follow_every_schema(path):
    gltf = load(path)
    nodes = {i: node.get("extensions", {}) for i, node in enumerate(gltf["nodes"])}
    names = table().keys() & set(gltf["extensionsUsed"])
    assert names
    said = list(complaints(gltf["extensions"], nodes, names))
    assert [text for text in said if not any(known.match(text) for known in DISPUTED)] == []


def test_the_examples_have_every_extension():
    used = set().union(*(load(path)["extensionsUsed"] for path in ALL))
    assert table().keys() - {"glTF"} <= used


def sizes_in(value: Any) -> list[tuple[Any, str]]:
    """Where numbers stand in objects of JSON, but for indices and whole lists."""
    if isinstance(value, list):
        return [place for item in value for place in sizes_in(item)]
    if not isinstance(value, dict):
        return []
    own = [(value, key) for key, item in value.items() if type(item) in (int, float)]
    own = [place for place in own if place[1] not in ("axis", "mesh", "physicsMaterial")]
    if "radiusTop" in value:  # The radius is for older readers and says nothing else.
        own = [place for place in own if place[1] != "radius"]
    return own + [place for item in value.values() for place in sizes_in(item)]


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_comparison_sees_every_part_and_size(path):
    """By `resolved`, with which exports of examples are compared."""
    shipped, _ = read_glb(path)
    first = resolved(shipped)
    places = sizes_in(shipped["extensions"])
    assert places
    for owner, key in places:
        old, owner[key] = owner[key], owner[key] + 0.0625
        assert resolved(shipped) != first, key
        owner[key] = old
    for node in shipped["nodes"]:
        if "extensions" in node:
            taken = node.pop("extensions")
            assert resolved(shipped) != first, node["name"]
            node["extensions"] = taken
    assert resolved(shipped) == first
