"""Metaballs as the meshes of shapes; Blender makes their meshes only when it evaluates them."""

import bpy
import pytest

from omi_physics_addon.blender.base import mesh_arrays
from omi_physics_addon.blender.properties import shapes as properties
from tests.blender.support.scenes import add, add_body, add_collider, body, shapes


@pytest.fixture
def blob():
    data = bpy.data.metaballs.new("Blob")
    data.elements.new().radius = 2.0
    return add("Blob", data)


def height(gltf):
    """Of the mesh of the only shape."""
    (shape,) = shapes(gltf)
    mesh = gltf["meshes"][shape[shape["type"]]["mesh"]]
    accessor = gltf["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]]
    return accessor["max"][1] - accessor["min"][1]


@pytest.mark.parametrize("kind", sorted(mesh_arrays.MESHLIKE))
def test_every_kind_with_a_mesh_can_be_chosen(kind):
    made = {
        "MESH": lambda: bpy.data.meshes.new("Mesh"),
        "META": lambda: bpy.data.metaballs.new("Blob"),
    }
    data = made.get(kind, lambda: bpy.data.curves.new("Curve", kind))()
    obj = add("Object", data)
    assert obj.type == kind
    assert properties._is_meshlike(obj.omi_physics.collider.shape, obj)
    assert not properties._is_meshlike(obj.omi_physics.collider.shape, add("Empty"))


@pytest.mark.parametrize("apply", [True, False])
@pytest.mark.parametrize("use_children", [True, False])
def test_shape_of_another_object(blob, export, apply, use_children):
    shape = add_collider(add("Collider"), "CONVEX")
    shape.mesh_source, shape.mesh_object, shape.use_children = "OBJECT", blob, use_children
    add("Below", parent=blob)
    gltf = export(export_apply=apply)
    assert body(gltf, "Collider")["collider"] == {"shape": 0}
    assert 1.0 < height(gltf) < 4.0


@pytest.mark.parametrize("apply", [True, False])
def test_own_shape(blob, export, apply):
    add_collider(blob, "CONVEX")
    gltf = export(export_apply=apply)
    assert body(gltf, "Blob")["collider"] == {"shape": 0}
    assert 1.0 < height(gltf) < 4.0


@pytest.mark.parametrize("apply", [True, False])
def test_mass_of_a_metaball(blob, export, apply):
    add_collider(blob, "CONVEX")
    motion = add_body(blob)
    motion.mass_mode, motion.density = "DENSITY", 2.0
    gltf = export(export_apply=apply)
    size = height(gltf)
    assert size**3 / 3 < body(gltf, "Blob")["motion"]["mass"] / 2.0 < size**3
