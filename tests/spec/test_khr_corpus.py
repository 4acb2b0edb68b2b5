"""Every KHR file, of ours and of others, there and back; and all from one family to the other."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.document import PhysicsDocument
from omi_physics_addon.model.fields import INDEX_TYPES, NodeIndex, table
from tests.spec.corpus import files, name_of, needs_corpus, own_files, validator
from tests.support.documents import load

BODY = "KHR_physics_rigid_bodies"
FORMS = ("MESH", "MESH_AND_NODE", "NODE", "COLLISION_SHAPES", "CORE")


def families(path: Path) -> tuple[str, ...]:
    return dialects.families(dialects.gltf_file(load(path)))


ALL = [
    *own_files("dialects"),
    *files("corpus", "fixtures/good", "fixtures/dialects", "fixtures/rules"),
]
KHR = [path for path in ALL if families(path) == ("KHR",)]
OMI = [path for path in ALL if families(path) == ("OMI",)]
SOUND = [path for path in (*KHR, *OMI) if "rules" not in path.parts]


def read(value: Any) -> PhysicsDocument:
    return dialects.read(dialects.gltf_file(value), Issues())


@needs_corpus
def test_corpus_is_there():
    assert len(KHR) >= 60
    assert len(OMI) >= 60


@pytest.mark.parametrize("path", KHR, ids=name_of)
class TestThereAndBack:
    @pytest.mark.parametrize("form", FORMS)
    def test_nothing_is_lost(self, path, form):
        value = load(path)
        document = read(value)
        converted = rewriting.change(value, Issues(), WriteOptions(geometry=form))
        again = read(converted.json)
        count = len(value["nodes"])
        assert {i: p for i, p in again.nodes.items() if i < count}.keys() == document.nodes.keys()
        assert facts(again, {}) == facts(document, {})
        assert without_carried(again.joint_settings) == without_carried(document.joint_settings)
        assert again.physics_materials == document.physics_materials
        assert again.collision_filters == document.collision_filters
        assert again.world_gravity == document.world_gravity

    def test_second_time_changes_nothing(self, path):
        once = rewriting.change(load(path), Issues(), WriteOptions()).json
        assert rewriting.change(once, Issues(), WriteOptions()).json == once

    def test_rest_of_the_file_stays(self, path):
        value = load(path)
        new = rewriting.change(value, Issues(), WriteOptions()).json
        ours = {"nodes", "scenes", "extensions", "extensionsUsed", "extensionsRequired"}
        assert {k: v for k, v in new.items() if k not in ours} == {
            k: v for k, v in value.items() if k not in ours
        }
        for old, node in zip(value["nodes"], new["nodes"], strict=True):
            assert {**old, "extensions": 0} == {**node, "extensions": 0}


def without_carried(records: Any) -> Any:
    """Records without what travels beside their fields."""
    if isinstance(records, (list, tuple)):
        return [without_carried(record) for record in records]
    if dataclasses.is_dataclass(records):
        return {
            item.name: without_carried(getattr(records, item.name))
            for item in dataclasses.fields(records)
            if item.name != "carried"
        }
    return records


def schema_errors(value: Any) -> Iterator[tuple[str, str]]:
    """Where our objects of a glTF do not follow the newest schemas, and what is there."""
    places = [
        (value, f"glTF.{BODY}", BODY),
        (value, "glTF.KHR_implicit_shapes", "KHR_implicit_shapes"),
    ]
    places += [(node, f"node.{BODY}", BODY) for node in value.get("nodes", [])]
    for owner, schema, extension in places:
        members = owner.get("extensions", {}).get(extension)
        if members is not None:
            for error in validator(schema).iter_errors(members):
                yield ".".join(str(step) for step in error.absolute_path), error.message


@pytest.mark.parametrize("path", SOUND, ids=name_of)
def test_written_objects_follow_the_schemas(path):
    converted = rewriting.change(load(path), Issues(), WriteOptions(), ("KHR",))
    # The text gives zero the meaning infinite, the schema forbids it.
    infinite = re.compile(r"motion\.(mass|inertiaDiagonal\.\d)")
    errors = [
        (place, message)
        for place, message in schema_errors(converted.json)
        if not (infinite.fullmatch(place) and "exclusive minimum" in message)
        and not ("is less than or equal to the minimum of 0" in message and infinite.match(place))
    ]
    assert errors == []


def facts(document: PhysicsDocument, homes: dict[int, int]) -> dict[tuple[int, str], Any]:
    """What each node is, in records without indices.

    Args:
        homes: node that physics needed → the node of the file in whose frame it stands.
    """

    def plain(record: Any) -> Any:
        if isinstance(record, (list, tuple)):
            return tuple(plain(item) for item in record)
        if not dataclasses.is_dataclass(record):
            return record
        kinds = {row.name: row.item or row.type for row in table(type(record))}
        out: dict[str, Any] = {"is": type(record).__name__}
        for item in dataclasses.fields(record):
            value, kind = getattr(record, item.name), kinds.get(item.name)
            if kind in (NodeIndex,) and value is not None:
                many = value if isinstance(value, tuple) else (value,)
                out[item.name] = tuple(homes.get(node, node) for node in many)
            elif kind in INDEX_TYPES and kind.__name__ in LISTS and value is not None:
                out[item.name] = plain(getattr(document, LISTS[kind.__name__])[value])
            elif item.name not in ("carried", "node"):
                out[item.name] = plain(value)
        return out

    found: dict[tuple[int, str], Any] = {}
    for i, physics in document.nodes.items():
        for part in PARTS:
            record = getattr(physics, part)
            if record is not None:
                found[homes.get(i, i), part] = plain(record)
    return found


PARTS = (
    "motion", "collider", "trigger", "joint", "gravity", "vehicle_body", "wheel", "thruster",
    "hover_thruster", "seat",
)  # fmt: skip
LISTS = {
    "ShapeIndex": "shapes",
    "MaterialIndex": "physics_materials",
    "FilterIndex": "collision_filters",
    "JointIndex": "joint_settings",
    "WheelIndex": "wheels",
    "ThrusterIndex": "thrusters",
    "HoverThrusterIndex": "hover_thrusters",
}


def homes_of(value: dict[str, Any], count: int) -> dict[int, int]:
    """For nodes behind the first `count` that stand where their parents do, those parents."""
    parents = {c: i for i, node in enumerate(value["nodes"]) for c in node.get("children", [])}
    moved = {"translation", "rotation", "scale", "matrix"}
    return {
        i: parents[i]
        for i, node in enumerate(value["nodes"])
        if i >= count and i in parents and not moved & node.keys()
    }


def explained(issues: Issues, value: dict[str, Any]) -> set[int]:
    """The nodes that an issue tells a loss of, and what is below a group that went."""
    nodes: set[int] = set()
    for issue in issues:
        if issue.pointer.startswith("/nodes/"):
            node = int(issue.pointer.split("/")[2])
            nodes.add(node)
            if issue.code == "L09":
                nodes |= below(node, value)
            if issue.code == "L13":
                nodes.add(int(re.findall(r"node (\d+)", issue.message)[0]))
    return nodes


def below(node: int, value: dict[str, Any]) -> set[int]:
    children = value["nodes"][node].get("children", [])
    return set(children).union(*(below(child, value) for child in children))


def same_motion(one: Any, other: Any) -> bool:
    """Whether two motions say the same, but for what is left to the engine or means nothing."""
    if one["type"] == other["type"] == "kinematic":
        unused = dict.fromkeys(("mass", "center_of_mass"))
        return {**one, **unused} == {**other, **unused}
    if one["center_of_mass"] is None:
        one = {**one, "center_of_mass": (0.0, 0.0, 0.0)}
    return one == other


@pytest.mark.parametrize("path", SOUND, ids=name_of)
def test_other_family_and_back(path):
    """What differs after the way there and back was told; what was not told is the same."""
    first = rewriting.change(load(path), Issues(), WriteOptions(repair=True)).json
    start, *_ = dialects.families(dialects.gltf_file(first)) or ("OMI",)
    other = "KHR" if start == "OMI" else "OMI"
    issues = Issues()
    there = rewriting.change(first, issues, WriteOptions(), (other,))
    assert dialects.families(dialects.gltf_file(there.json)) in ((other,), (start,), ())
    back = rewriting.change(there.json, issues, WriteOptions(), (start,)).json
    count = len(first["nodes"])
    before = facts(read(first), {})
    after = facts(read(back), homes_of(back, count))
    told = explained(issues, first)
    for key in before.keys() | after.keys():
        node, part = key
        if node in told or node >= count:
            continue
        one, two = before.get(key), after.get(key)
        if part == "motion" and one and two:
            assert same_motion(one, two), key
        else:
            assert one == two, key


@pytest.mark.parametrize("path", SOUND, ids=name_of)
def test_both_families_keep_the_first(path):
    """Adding a family leaves what the file says in its own."""
    value = rewriting.change(load(path), Issues(), WriteOptions()).json
    own = dialects.families(dialects.gltf_file(value))
    both = rewriting.change(value, Issues(), WriteOptions(), ("OMI", "KHR")).json
    if own == ("OMI",):
        for old, new in zip(value["nodes"], both["nodes"], strict=False):
            extensions = old.get("extensions", {})
            carried = {k: new["extensions"][k] for k in extensions} if extensions else {}
            assert carried == extensions
    assert set(dialects.families(dialects.gltf_file(both))) >= set(own)
