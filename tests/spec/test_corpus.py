"""Files of ours and of others: read in every form, written in today's, and the same after it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from omi_physics_addon.codec.dialects import NAMES
from omi_physics_addon.issue_codes import Severity
from omi_physics_addon.model.shapes import TYPES
from tests.spec.corpus import complaints, files, name_of, needs_corpus, own_files, schema
from tests.support.documents import (
    BODY,
    SHAPE,
    differences,
    leads_somewhere,
    load,
    physics_of,
    read,
    rewrite,
    write,
)

# Warnings of which the schema thinks otherwise than the text.
DISPUTED = {"T05": "only the schema forbids a filter on a compound trigger"}
UNREPAIRABLE = {
    **DISPUTED,
    "C08": "which of its lists a filter means, nobody knows",
    "T02": "whether a trigger means its shape or its nodes, nobody knows",
    "S01": "a shape of another type only travels through",
    "T01": "which triggers belong to one without shape and nodes, the scene reader lists",
}


def is_omi(path: Path) -> bool:
    """Whether the physics of a file is OMI's alone; what else there is would be converted."""
    others = ("KHR_", "MSFT_")
    used = load(path).get("extensionsUsed", [])
    return not any(name.startswith(others) and name in NAMES for name in used)


ALL = [
    path
    for path in (
        *own_files("dialects", "faults"),
        *files("corpus/omi", "corpus/history/omi", "fixtures"),
    )
    if is_omi(path)
]
NEWEST = [
    *(path for path in own_files("dialects") if path.suffixes[0] == ".expected" and is_omi(path)),
    *files("corpus/omi/OMI_physics_shape", "corpus/omi/OMI_physics_body"),
]


@needs_corpus
def test_there_are_files():
    assert len(ALL) > 100
    assert len(NEWEST) > 15


@pytest.mark.parametrize("path", ALL, ids=name_of)
class TestEveryFile:
    def test_is_read_and_written_without_an_exception(self, path):
        json = load(path)
        document, issues = read(json)
        assert [i for i in issues if not leads_somewhere(i.pointer, json)] == []
        assert bool(document.nodes or document.shapes or issues) >= says_something(json)

    def test_is_written_as_the_newest_schemas_want_it(self, path):
        document, issues = read(load(path))
        if issues.count(Severity.ERROR) or issues.codes().keys() & DISPUTED.keys():
            pytest.skip("the file itself has a fault that is written back")
        encoded, _ = write(document)
        assert list(complaints(encoded.root, encoded.nodes)) == []

    def test_is_written_as_the_newest_schemas_want_it_by_request(self, path):
        """With faults repaired, but for those that nobody can repair without a guess."""
        document, issues = read(load(path))
        if issues.codes().keys() & UNREPAIRABLE.keys():
            pytest.skip("the file itself has a fault that only its author can repair")
        encoded, _ = write(document, repair=True)
        assert list(complaints(encoded.root, encoded.nodes)) == []

    def test_says_the_same_after_writing(self, path):
        json = load(path)
        document, _ = read(json)
        assert bodies(read(rewrite(json, document))[0]) == bodies(document)


def bodies(document: Any) -> Any:
    """The part of a document that OMI_physics_shape and OMI_physics_body say."""
    nodes = {i: (p.motion, p.collider, p.trigger) for i, p in document.nodes.items()}
    lists = (document.shapes, document.physics_materials, document.collision_filters)
    return ({i: parts for i, parts in nodes.items() if any(parts)}, lists)


def says_something(json: dict[str, Any]) -> bool:
    """Whether a file has an object of an extension that we read."""
    places = [json, *json.get("nodes", [])]
    return any(place.get("extensions", {}).get(name) for place in places for name in NAMES)


@pytest.mark.parametrize("path", NEWEST, ids=name_of)
class TestNewestFile:
    def test_documents_are_equal_after_writing(self, path):
        json = load(path)
        document, _ = read(json)
        again, _ = read(rewrite(json, document))
        assert again == document

    def test_json_is_equal_up_to_defaults(self, path):
        json = load(path)
        document, _ = read(json)
        ours, theirs = full(rewrite(json, document)), full(json)
        # An empty trigger is the form of 2023 for all triggers below it, which are listed today.
        told = {
            f"/nodes/{at}/trigger/nodes: only in the second"
            for at, node in theirs["nodes"].items()
            if node.get("trigger") == {}
        }
        assert set(differences(theirs, ours)) <= told


def full(json: dict[str, Any]) -> dict[str, Any]:
    """What a glTF says of shapes and bodies, with every default of the schemas spelled out."""
    encoded = copy.deepcopy(physics_of(json))
    out: dict[str, Any] = {"shapes": [], "nodes": {}}
    for shape in encoded.root.get(SHAPE, {}).get("shapes", []):
        word = shape["type"]
        sub = shape.setdefault(word, {})
        complete(sub, f"glTF.OMI_physics_shape.shape.{word}")
        if word == "cylinder" and "radius" in sub:
            assert sub.pop("radius") == sub["radiusBottom"] == sub["radiusTop"]
        out["shapes"].append(shape)
    for i, extensions in encoded.nodes.items():
        out["nodes"][i] = extensions.get(BODY, {})
        for part, members in out["nodes"][i].items():
            complete(members, f"node.OMI_physics_body.{part}")
    return out


def complete(members: dict[str, Any], name: str) -> None:
    """Add the defaults that a schema gives to absent members, but not those that it forbids."""
    for key, says in schema(name)["properties"].items():
        if says.get("default", -1) != -1:
            members.setdefault(key, says["default"])


def test_full_knows_every_type():
    for word in TYPES:
        assert "properties" in schema(f"glTF.OMI_physics_shape.shape.{word}")


def test_schemas_refuse_what_is_wrong():
    wrong = {
        SHAPE: {"shapes": [{"type": "box", "box": {"size": [1, 2, 0]}}]},
        BODY: {"physicsMaterials": [{"restitution": -1}]},
    }
    nodes = {0: {BODY: {"collider": {"shape": -1}, "trigger": {}}}, 1: {SHAPE: {"shape": 0}}}
    assert len(list(complaints(wrong, nodes))) == 5
