"""What the examples say of physics, against the published schemas of all extensions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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
