"""Tapered shapes are hulls in files for engines, and round ones with an uneven scale unscaled."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.codec.convert.draft import Draft, NewNode
from omi_physics_addon.codec.dialects import WriteOptions, gltf_file
from omi_physics_addon.codec.gltf import containers, rewriting
from omi_physics_addon.codec.gltf.mesh_data import MeshData
from omi_physics_addon.codec.targets.round_shapes import shapes_of
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import Collider
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import ShapeIndex
from omi_physics_addon.model.shapes import Shape, Sphere
from tests.engines.babylon.test_deviations import KHR, SHAPES, SOLID, TAPERED, body, gltf, node

SPHERE = {"type": "sphere", "sphere": {"radius": 1}}
BODY = "OMI_physics_body"
SIZES = {"radiusTop": 0.1, "radiusBottom": 0.2}
CYLINDER = {"type": "cylinder", "cylinder": {"height": 1, **SIZES}}


def omi(*nodes, shapes):
    made = gltf(*nodes)
    made["extensions"] = {"OMI_physics_shape": {"shapes": list(shapes)}}
    made["extensionsUsed"] = ["OMI_physics_body", "OMI_physics_shape"]
    for each in made["nodes"]:
        each["extensions"] = {BODY: each.pop("extensions")[KHR]}
    return made


def written(source, target="BABYLON"):
    issues = Issues()
    return rewriting.change(source, issues, WriteOptions(target=engine_of(target))).json, issues


def points(json, mesh):
    container = containers.Container(json)
    data = MeshData(json, lambda i: containers.buffer(container, i, lambda _uri: None))
    found = data.triangles(mesh)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (2.0, 2.0, 2.0)])
def test_a_tapered_capsule_is_a_hull_for_babylon(scale):
    source = gltf(node("A", below={"scale": list(scale)}, collider=SOLID), shapes=[TAPERED])
    ours, issues = written(source)
    assert body(ours, 0)["collider"]["geometry"] == {"mesh": 0, "convexHull": True}
    assert SHAPES not in ours["extensions"]
    corners = points(ours, 0)
    assert corners[:, 1].min() == pytest.approx(-0.7)
    assert corners[:, 1].max() == pytest.approx(0.6)
    assert np.hypot(corners[:, 0], corners[:, 2]).max() == pytest.approx(0.2, rel=0.03)
    assert ours["meshes"][0]["name"] == "A Hull"
    bounds = ours["accessors"][0]
    assert bounds["min"] == corners.min(axis=0).tolist()
    assert bounds["max"] == corners.max(axis=0).tolist()
    assert "X44" not in issues.codes()


def test_equal_shapes_share_a_mesh():
    both = gltf(node("A", collider=SOLID), node("B", collider=SOLID), shapes=[TAPERED])
    ours, _ = written(both)
    assert len(ours["meshes"]) == len(ours["buffers"]) == 1
    assert [body(ours, i)["collider"]["geometry"]["mesh"] for i in (0, 1)] == [0, 0]


def test_an_uneven_scale_is_in_the_hull_of_the_same_volume():
    scale = {"scale": [1, 8, 1]}
    ours, _ = written(gltf(node("A", below=scale, collider=SOLID), shapes=[TAPERED]))
    corners = points(ours, 0) * (1.0, 8.0, 1.0)
    assert corners[:, 1].min() == pytest.approx(2.0 * -0.7)


def test_a_round_shape_with_an_uneven_scale_stands_on_a_node_without_it():
    scale = {"scale": [1, 8, 1]}
    source = gltf(node("A", below=scale, motion={"mass": 1}, collider=SOLID), shapes=[SPHERE])
    ours, _ = written(source)
    (below,) = ours["nodes"][0]["children"]
    assert "collider" not in body(ours, 0)
    assert ours["nodes"][below]["scale"] == [1.0, 0.125, 1.0]
    assert ours["extensions"][SHAPES]["shapes"][0]["sphere"]["radius"] == pytest.approx(2.0)


@pytest.mark.parametrize("part", ["collider", "trigger"])
@pytest.mark.parametrize("shape", [TAPERED, CYLINDER])
def test_tapered_shapes_are_hulls_for_godot(part, shape):
    source = omi(node("A", **{part: {"shape": 0}}), shapes=[shape])
    ours, issues = written(source, "GODOT_4")
    (entry,) = ours["extensions"]["OMI_physics_shape"]["shapes"]
    assert entry == {"type": "convex", "convex": {"mesh": 0}}
    assert points(ours, 0)[:, 1].min() < -0.49
    assert not {"X01", "X02"} & set(issues.codes())


@pytest.mark.parametrize("scale", [[-1, 1, 1], [0, 1, 1], [1e9, 1e9, 1e9]])
def test_what_cannot_be_a_hull_stays_and_is_told(scale):
    source = omi(node("A", below={"scale": scale}, collider={"shape": 0}), shapes=[CYLINDER])
    ours, issues = written(source, "GODOT_4")
    assert "meshes" not in ours
    assert "X02" in issues.codes()


@pytest.mark.parametrize("target", ["GODOT_4", "BABYLON"])
@pytest.mark.parametrize("scale", [[1, 1, 1], [1, 2, 1]])
@pytest.mark.parametrize("shape", [TAPERED, CYLINDER, SPHERE])
def test_it_comes_back_as_authored(target, scale, shape):
    scaled = {"scale": scale}
    if target == "BABYLON":
        source = gltf(node("A", below=scaled, collider=SOLID), shapes=[shape])
    else:
        source = omi(node("A", below=scaled, collider={"shape": 0}), shapes=[shape])
    plain, _ = written(source, "SPECIFICATION")
    ours, _ = written(source, target)
    again, issues = written(ours, "SPECIFICATION")
    plain["extensionsUsed"].sort()
    again["extensionsUsed"].sort()
    assert (again, issues.codes()["X37"]) == (plain, 0)
    assert written(ours, target)[0] == ours


def test_shapes_of_nodes_that_were_added_are_left_as_they_are():
    part = NodePhysics(collider=Collider(shape=ShapeIndex(0)))
    document = PhysicsDocument(nodes={0: part}, shapes=[Shape(geometry=Sphere())])
    draft = Draft(document, Tree.of(gltf_file({"nodes": [{}]})), Issues())
    draft.change(draft.add_node(NewNode(0, 0, "Shape")), collider=part.collider)
    assert [node for node, _ in draft.nodes()] == [0, 1]
    assert shapes_of(draft, ("collider", "trigger")) == [(0, "collider", document.shapes[0])]
