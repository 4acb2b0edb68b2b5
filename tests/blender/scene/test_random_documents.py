"""Documents of all extensions come back from Blender's objects as they were.

Numbers are those that survive Blender's 32 bits, so that equality is exact.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import struct
from pathlib import Path
from typing import Any

import bpy
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mathutils import Matrix

from omi_physics_addon.axes import Axes
from omi_physics_addon.blender.base import groups, reports
from omi_physics_addon.blender.scene.scene_nodes import SceneNode, Target
from omi_physics_addon.blender.scene.scene_reader import SceneReader
from omi_physics_addon.blender.scene.scene_writer import SceneWriter
from omi_physics_addon.codec import dialects
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import NodeIndex
from tests.codec.test_fuzz import fuzzed
from tests.support.documents import through_text
from tests.support.random_documents import (
    FAMILIES,
    FORMS,
    NODES,
    SHORT,
    documents,
    has_listed,
    in_order,
)

LISTS = ("physics_materials", "collision_filters", "joint_settings")


def clear() -> None:
    """Forget the objects and the lists of the example before."""
    bpy.data.batch_remove([*bpy.data.objects, *bpy.data.meshes])
    lists: Any = groups.of_scene(bpy.context.scene)
    for name in LISTS:
        getattr(lists, name).clear()
    for name in ("world_gravity", "use_world_gravity", "kept", "origin", "export"):
        lists.property_unset(name)


@st.composite
def scenes(draw: st.DrawFn, form: Any, **options: Any) -> PhysicsDocument:
    """A document whose lists hold what nodes use, in the order in which a scene is read."""
    document = in_order(draw(documents(SHORT, form, **options)))
    if not document.shapes:  # Without shapes there is no extension object to travel in.
        document.carried.pop("OMI_physics_shape", None)
    if not has_listed(document):
        document.carried.pop("KHR_implicit_shapes", None)
    return document


def through_objects(
    document: PhysicsDocument, axes: Axes, *, per_axis: bool
) -> tuple[PhysicsDocument, Issues]:
    scene = bpy.context.scene
    objects = [bpy.data.objects.new(f"Node {i}", None) for i in range(NODES)]
    meshes = [bpy.data.meshes.new(f"Mesh {i}") for i in range(2)]
    for obj in objects:
        scene.collection.objects.link(obj)
    SceneWriter(
        scene=scene,
        targets={i: Target(obj, axes) for i, obj in enumerate(objects)},
        mesh_data=lambda i: meshes[i],
        issues=Issues(),
        axes=axes,
        per_axis=per_axis,
    ).write(document)
    issues = Issues()
    reader = SceneReader(
        axes=axes, issues=issues, mesh_of=lambda _node, group, _slots: meshes.index(group.mesh)
    )
    nodes = [SceneNode(i, obj, Matrix()) for i, obj in enumerate(objects)]
    reader.read(scene, nodes, [-1] * NODES)
    assert reader.added == []
    return reader.document, issues


@pytest.mark.parametrize("form", ["OMI", "KHR"])
@pytest.mark.parametrize("y_up", [True, False], ids=["y_up", "z_up"])
@fuzzed(60)
@given(data=st.data())
def test_document_comes_back_from_objects(form, y_up, data):
    # With Z up the export turns shapes that stand along an axis by a node of their own.
    document = data.draw(scenes(form, upright=y_up))
    clear()
    again, issues = through_objects(document, Axes(y_up=y_up), per_axis=data.draw(st.booleans()))
    assert again == document
    assert issues.codes().keys().isdisjoint({"X04", "X05", "X09", "S12"})


POINTS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def tetrahedron() -> dict[str, Any]:
    """The members of a glTF with one mesh in it."""
    raw = b"".join(struct.pack("<3f", *point) for point in POINTS)
    raw += b"".join(struct.pack("<3H", *face) for face in FACES)
    uri = "data:application/octet-stream;base64," + base64.b64encode(raw).decode()
    return {
        "buffers": [{"byteLength": len(raw), "uri": uri}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 24},
        ],
        "accessors": [
            {
                "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
                "min": [0, 0, 0], "max": [1, 1, 1],
            },
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    }  # fmt: skip


def file_of(document: PhysicsDocument, parents: list[int], form: Any) -> dict[str, Any]:
    """A glTF of a document, with nodes below those of lower indices."""
    issues = Issues()
    options = dialects.WriteOptions(families=FAMILIES[form])
    encoded = dialects.Writer(issues, options).document(document)
    nodes: list[dict[str, Any]] = []
    for i in range(NODES):
        children = [child for child, parent in enumerate(parents) if parent == i]
        nodes.append({"name": f"Node {i}", "extensions": encoded.nodes.get(i, {})})
        if children:
            nodes[i]["children"] = children
    return through_text(
        {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [i for i, parent in enumerate(parents) if parent < 0]}],
            "nodes": nodes,
            "extensions": encoded.root,
            "extensionsUsed": sorted(
                {*encoded.root, *(n for e in encoded.nodes.values() for n in e)}
            ),
            **tetrahedron(),
        }
    )


def read(gltf: dict[str, Any]) -> PhysicsDocument:
    """The document of a file with its nodes numbered as their names say."""
    document = dialects.read(dialects.gltf_file(gltf), Issues())
    numbers = [int(node["name"].removeprefix("Node ")) for node in gltf["nodes"]]
    nodes = {numbers[i]: renumbered(physics, numbers) for i, physics in document.nodes.items()}
    return in_order(dataclasses.replace(document, nodes=dict(sorted(nodes.items()))))


def renumbered(physics: NodePhysics, numbers: list[int]) -> NodePhysics:
    changes: dict[str, Any] = {}
    if physics.trigger is not None:
        nodes = tuple(NodeIndex(numbers[i]) for i in physics.trigger.nodes)
        changes["trigger"] = dataclasses.replace(physics.trigger, nodes=nodes)
    for part, name in ((physics.joint, "connected_node"), (physics.vehicle_body, "pilot_seat")):
        index = part and getattr(part, name)
        if index is not None:
            key = "joint" if name == "connected_node" else "vehicle_body"
            changes[key] = dataclasses.replace(part, **{name: NodeIndex(numbers[index])})
    return dataclasses.replace(physics, **changes)


@pytest.mark.parametrize("form", FORMS)
def test_file_comes_back_from_the_importer_and_exporter(form, tmp_path):
    parents = st.tuples(*(st.integers(-1, i - 1) for i in range(NODES))).map(list)

    @fuzzed(20)
    @given(scenes(form, meshes=1), parents)
    def run(document: PhysicsDocument, above: list[int]) -> None:
        triggers = [physics.trigger for physics in document.nodes.values() if physics.trigger]
        assume(all(one.shape is not None or one.nodes for one in triggers))  # Else it lists some.
        clear()
        source = file_of(document, above, form)
        assert read(source) == document
        again = trip(source, tmp_path)
        assert read(again) == document
        assert "extensionsRequired" not in again

    run()


def trip(source: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The file after an import and an export."""
    first, second = folder / "first.gltf", folder / "second.gltf"
    first.write_text(json.dumps(source))
    assert bpy.ops.import_scene.gltf(filepath=str(first)) == {"FINISHED"}
    second.unlink(missing_ok=True)
    bpy.ops.export_scene.gltf(filepath=str(second), export_format="GLTF_SEPARATE")
    assert reports.latest("EXPORT").issues.codes().keys().isdisjoint({"X04", "X05"})
    return json.loads(second.read_text())
