"""Every form KHR physics was ever written in, read into today's records and written as today's."""

from __future__ import annotations

import copy

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.khr.khr_family import DIALECTS
from omi_physics_addon.issues import Issues
from tests.support.documents import DATA, differences, load, physics_of, read, worst, write

FOLDER = DATA / "dialects" / "khr"
OLD = sorted(path for path in FOLDER.glob("K*.gltf") if not path.name.endswith(".expected.gltf"))


def expected_of(path):
    return path.with_name(f"{path.stem}.expected.gltf")


def dialect_of(path):
    return path.stem.partition("_")[0]


def test_every_dialect_has_a_file():
    assert {dialect_of(path) for path in OLD} == {*DIALECTS, "K9"}


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
class TestPair:
    def test_old_file_is_written_as_expected(self, path):
        encoded, _ = write(read(load(path))[0], families=("KHR",))
        expected = physics_of(load(expected_of(path)))
        assert list(differences(encoded.root, expected.root)) == []
        assert list(differences(encoded.nodes, expected.nodes)) == []

    def test_old_file_says_the_same_as_the_expected_one(self, path):
        encoded, _ = write(read(load(expected_of(path)))[0], families=("KHR",))
        again, _ = write(read(load(path))[0], families=("KHR",))
        assert list(differences(encoded.nodes, again.nodes)) == []

    def test_dialect_is_told_once(self, path):
        _, issues = read(load(path))
        told = [issue.message.partition(";")[0] for issue in issues if issue.code == "G09"]
        assert told == [
            f"the file uses the older {DIALECTS[kind]}"
            for kind in (dialect_of(path),)
            if kind in DIALECTS
        ]

    def test_expected_file_has_no_fault(self, path):
        _, issues = read(load(expected_of(path)))
        assert not worst(issues)
        assert "G09" not in issues.codes()

    def test_old_file_is_not_changed_by_reading(self, path):
        json = load(path)
        before = copy.deepcopy(json)
        rewriting.change(json, Issues(), WriteOptions())
        assert json == before

    def test_whole_file_becomes_the_expected_one(self, path):
        converted = rewriting.change(load(path), Issues(), WriteOptions())
        assert list(differences(converted.json, load(expected_of(path)))) == []
        assert list(converted.json) == list(load(expected_of(path)))
        assert converted.families == ("KHR",)


def test_k5_is_written_on_request():
    json = load(FOLDER / "K5_seed_convex.gltf")
    converted = rewriting.change(json, Issues(), WriteOptions(geometry="COLLISION_SHAPES"))
    assert list(differences(converted.json, json)) == []


@pytest.mark.parametrize(
    ("form", "geometry"),
    [
        ("MESH", {"mesh": 0, "convexHull": True}),
        ("NODE", {"node": 1, "convexHull": True}),
        ("MESH_AND_NODE", {"mesh": 0, "node": 1, "convexHull": True}),
    ],
)
def test_forms_of_a_mesh(form, geometry):
    """The node that carries the mesh alone is made, because no node of the file does."""
    json = load(FOLDER / "K9_geometry_mesh.gltf")
    json["nodes"][0]["translation"] = [1, 2, 3]
    converted = rewriting.change(json, Issues(), WriteOptions(geometry=form)).json
    body = converted["nodes"][0]["extensions"]["KHR_physics_rigid_bodies"]
    assert body["collider"]["geometry"] == geometry
    assert converted["nodes"][1:] == (
        [{"name": "collision mesh 0", "mesh": 0}] if "node" in geometry else []
    )
    again = rewriting.change(converted, Issues(), WriteOptions()).json
    assert again["nodes"][0] == json["nodes"][0]


def test_forms_of_a_mesh_without_a_node_for_it():
    document, _ = read(load(FOLDER / "K9_geometry_mesh.gltf"))
    encoded, issues = write(document, families=("KHR",), geometry="NODE")
    assert encoded.nodes[0]["KHR_physics_rigid_bodies"]["collider"] == {
        "geometry": {"mesh": 0, "convexHull": True}
    }
    assert issues.codes() == {"L18": 1}


BODY = "KHR_physics_rigid_bodies"


def geometry_file(geometry, *more_nodes):
    node = {"extensions": {BODY: {"collider": {"geometry": geometry}}}}
    return {"nodes": [node, *more_nodes], "meshes": [{}, {}]}


@pytest.mark.parametrize(
    ("geometry", "nodes", "code"),
    [
        ({"node": 1}, [{"mesh": 1, "skin": 0}], "S32"),
        ({"node": 1}, [{"mesh": 1, "weights": [1]}], "S32"),
        ({"node": 1}, [{"mesh": 1, "translation": [0, 1, 0]}], "S32"),
        ({"node": 1}, [{"mesh": 1, "children": [2]}, {"mesh": 0}], "S32"),
        ({"node": 1}, [{"children": [2]}, {"mesh": 0}], "S32"),
        ({"node": 1}, [{}], "S29"),
        ({"mesh": 0, "node": 1}, [{"mesh": 1}], None),
    ],
)
@pytest.mark.parametrize("hull", [True, False])
def test_node_that_is_more_than_its_mesh_is_written_back(geometry, nodes, code, hull):
    json = geometry_file({**geometry, "convexHull": hull}, *nodes)
    document, issues = read(json)
    assert issues.codes().keys() - {"G09"} == ({code} if code else set())
    written = write(document, families=("KHR",))[0].nodes[0][BODY]["collider"]["geometry"]
    assert {**written, **geometry, "convexHull": hull} == written
    assert written.keys() - geometry.keys() <= {"mesh", "convexHull"}


@pytest.mark.parametrize(
    "nodes",
    [
        [{"mesh": 1}],
        [{"mesh": 1, "translation": [0, 0, 0], "rotation": [0, 0, 0, 1]}],
        [{"mesh": 1, "children": [2]}, {}],
    ],
)
def test_node_of_one_plain_mesh_is_that_mesh(nodes):
    document, _ = read(geometry_file({"node": 1, "convexHull": True}, *nodes))
    assert document.shapes[0].geometry.mesh == 1
    assert document.shapes[0].geometry.node is None


def test_own_node_may_have_a_place():
    json = geometry_file({"node": 0})
    json["nodes"][0] |= {"mesh": 1, "scale": [1, 2, 3]}
    document, _ = read(json)
    assert (document.shapes[0].geometry.mesh, document.shapes[0].geometry.node) == (1, None)


OF_OMI = {"extensions": {"OMI_physics_body": {"motion": {"type": "dynamic"}}}}
OF_KHR = {"extensions": {BODY: {"motion": {}}}}


class TestFamilies:
    @pytest.mark.parametrize(
        ("json", "families"),
        [
            ({}, ()),
            ({"nodes": [OF_OMI]}, ("OMI",)),
            ({"nodes": [OF_KHR]}, ("KHR",)),
            ({"nodes": [OF_KHR, OF_OMI]}, ("OMI", "KHR")),
            ({"nodes": [OF_KHR], "extensions": {"OMI_physics_gravity": {"gravity": 1}}}, ("KHR",)),
            ({"nodes": [OF_KHR, {"extensions": {"OMI_seat": {}}}]}, ("KHR",)),
            ({"nodes": [{"extensions": {"OMI_seat": {}}}]}, ("OMI",)),
            ({"scenes": [{"extensions": {"MSFT_physics": {}}}]}, ("KHR",)),
        ],
    )
    def test_families(self, json, families):
        assert dialects.families(dialects.gltf_file(json)) == families


@pytest.mark.parametrize(
    ("limit", "ends"),
    [
        ({}, (0, 0)),
        ({"min": -1}, (-1, 0)),
        ({"max": 2}, (0, 2)),
        ({"min": -1, "max": 2}, (-1, 2)),
        ({"min": 1}, (1, None)),
        ({"max": -1}, (None, -1)),
    ],
)
def test_a_limit_of_2022_without_ends_holds_its_axes(limit, ends):
    """Its author left zeros out; today a limit without ends holds nothing."""
    constraints = [{"linearAxes": [0, 1, 2], **limit}]
    joint = {"connectedNode": 1, "constraints": constraints}
    json = {"nodes": [{"extensions": {"MSFT_physics": {"joint": joint}}}, {}]}
    document, issues = read(json)
    (settings,) = document.joint_settings
    assert [(each.min, each.max) for each in settings.limits] == [ends]
    assert "J14" not in issues.codes()
