"""Documents of all extensions come back from JSON as they were, in either family and in both."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.convert import family_conversion
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.document import PhysicsDocument
from tests.codec.test_fuzz import JUNK, assert_told, fuzzed, mutate
from tests.support.documents import gltf, leads_somewhere, read, rewrite, write
from tests.support.random_documents import (
    ANY,
    FAMILIES,
    FORMS,
    NODES,
    SHORT,
    as_khr_reads,
    documents,
)

MESHES = 2
# Of members that are wrong by themselves, whatever stands around them.
VALUE_FAULTS = {"F01", "F02", "F03", "G04", "G05", "G06", "X08"}
EMPTY = gltf(*[{}] * NODES, mesh_count=MESHES)


def as_read(document: PhysicsDocument, form: str) -> PhysicsDocument:
    return as_khr_reads(document) if form == "KHR" else document


@pytest.mark.parametrize("form", FORMS)
@fuzzed(30)
@given(data=st.data())
def test_document_comes_back(form, data):
    document = as_read(data.draw(documents(ANY, form, meshes=MESHES)), form)
    json = rewrite(EMPTY, document, families=FAMILIES[form])
    again, issues = read(json)
    assert again == document
    assert VALUE_FAULTS.isdisjoint(issues.codes())
    assert rewrite(EMPTY, again, families=FAMILIES[form]) == json


forms = st.sampled_from(FORMS)
names = st.sampled_from(dialects.NAMES)
junk_names = st.sampled_from(sorted(JUNK))
mishaps = st.lists(
    st.tuples(
        st.integers(0, 10_000),
        st.sampled_from(["set", "set", "set", "delete", "key", "append", "copy"]),
        junk_names,
    ),
    min_size=1,
    max_size=4,
)
short_documents = {form: documents(SHORT, form, meshes=MESHES) for form in FORMS}


@st.composite
def faulty_files(draw: st.DrawFn) -> dict[str, Any]:
    """A file of a family or both, after some mishaps."""
    form = draw(forms)
    json = rewrite(EMPTY, draw(short_documents[form]), families=FAMILIES[form])
    json = mutate(json, draw(mishaps))
    nodes = json.get("nodes")
    if isinstance(nodes, list) and nodes and draw(st.booleans()):
        nodes.append({"extensions": {draw(names): JUNK[draw(junk_names)]()}})
    return json


@fuzzed(75)
@given(faulty_files())
def test_no_file_of_any_extension_brings_the_codec_down(json):
    document, issues = read(json)
    assert_told(json, issues)
    for options in (
        {},
        {"repair": True},
        {"target": "GODOT_4", "old_vehicle_names": True},
        {"families": ("KHR",)},
        {"families": ("OMI", "KHR"), "repair": True},
        {"families": ("KHR",), "geometry": "COLLISION_SHAPES"},
        {"families": ("KHR",), "geometry": "MESH_AND_NODE"},
    ):
        rewrite(json, document, **options)


@pytest.mark.parametrize("form", ["OMI", "KHR"])  # Both need codec.convert.
@fuzzed(30)
@given(data=st.data())
def test_second_trip_of_a_faulty_file_changes_nothing(form, data):
    json = data.draw(faulty_files())
    once = rewrite(json, read(json)[0], families=FAMILIES[form])
    twice = rewrite(once, read(once)[0], families=FAMILIES[form])
    assert rewrite(twice, read(twice)[0], families=FAMILIES[form]) == twice


@pytest.mark.parametrize("name", dialects.NAMES)
@pytest.mark.parametrize("junk", sorted(JUNK))
def test_anything_in_place_of_an_extension(name, junk):
    value = JUNK[junk]()
    json = gltf({"extensions": {name: value}}, {}, **{name: value})
    issues = Issues()
    document = dialects.read(dialects.gltf_file(json), issues)
    assert all(leads_somewhere(issue.pointer, json) for issue in issues)
    for families in FAMILIES.values():
        write(document, families=families)


def test_members_beside_a_list_of_shapes_travel_in_either_family():
    shapes = {"shapes": [{"type": "sphere", "sphere": {"radius": 1}}], "extras": {"a": 1}}
    collider = {"geometry": {"shape": 0}}
    node = {"extensions": {"KHR_physics_rigid_bodies": {"collider": collider}}}
    json = gltf(node, KHR_implicit_shapes=shapes)
    document, _ = read(json)
    assert rewrite(json, document, families=("KHR",))["extensions"]["KHR_implicit_shapes"] == shapes
    tree = Tree([[]], [None])
    there = family_conversion.to_omi(document, tree, Issues())
    omi = rewrite(json, there)["extensions"]["OMI_physics_shape"]
    assert omi["extras"] == {"a": 1}
    back = family_conversion.to_khr(there, tree, Issues())
    assert rewrite(json, back, families=("KHR",))["extensions"]["KHR_implicit_shapes"] == shapes
