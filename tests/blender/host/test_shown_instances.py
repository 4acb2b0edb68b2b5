"""Exports with instances on vertices, faces, particles and of Geometry Nodes carry physics."""

from __future__ import annotations

import math
import random
import time
from typing import Any

import bpy
import pytest
from mathutils import Matrix, Quaternion, Vector

from omi_physics_addon.blender.base import reports
from tests.blender.support.gltf_files import folded
from tests.blender.support.instancers import by_faces, by_nodes, by_particles, by_vertices
from tests.blender.support.scenes import (
    add,
    add_body,
    add_collider,
    cube_mesh,
    node,
    shapes,
    write_anyway,
)
from tests.support import pace

BODY, JOINT = "OMI_physics_body", "OMI_physics_joint"


def _physics(gltf: dict[str, Any], name: str) -> list[Any]:
    """What the nodes directly below a node say of bodies; None for nothing."""
    nodes = gltf["nodes"]
    below = (nodes[at] for at in node(gltf, name).get("children", ()))
    return [each.get("extensions", {}).get(BODY) for each in below]


def _told() -> dict[str, str]:
    return {i.pointer: i.message for i in reports.latest("EXPORT").issues if i.code == "X04"}


def _use_joint(obj: Any, connected: Any) -> None:
    group = obj.omi_physics
    group.use_joint = True
    group.joint.connected_object = connected
    bpy.context.scene.omi_physics.joint_settings.add().name = "Fixed"
    group.joint.settings = "Fixed"


def _stone(**options: Any) -> Any:
    stone = add("Stone", cube_mesh(), **options)
    add_body(stone).mass = 2.0
    add_collider(stone)
    return stone


def test_an_object_shown_by_geometry_nodes_is_a_body_each_time(export):
    by_nodes("Scatter", _stone(), 3)
    gltf = export(export_gn_mesh=True)
    own = node(gltf, "Stone")["extensions"][BODY]
    assert own["motion"]["mass"] == 2
    assert _physics(gltf, "Scatter") == [own] * 3
    assert not _told()


def test_geometry_nodes_that_are_not_exported_name_the_physics_they_show(export):
    by_nodes("Scatter", _stone())
    gltf = export()
    assert "children" not in node(gltf, "Scatter")
    assert list(_told()) == ["Stone"]
    assert "Geometry Nodes Instances" in _told()["Stone"]


def _words(**options: Any) -> Any:
    """A text with a body, which Blender lists beside the mesh that it makes of it."""
    data: Any = bpy.data.curves.new("Words", "FONT")
    data.body, data.extrude = "A", 0.1
    words = add("Words", data, **options)
    add_body(words)
    words.omi_physics.use_collider = True
    words.omi_physics.collider.shape.type = "BOX"
    return words


def test_a_text_in_an_instance_is_exported_and_nothing_is_told(export):
    kit = bpy.data.collections.new("Kit")
    _words(collection=kit)
    instance = add("Instance")
    instance.instance_type, instance.instance_collection = "COLLECTION", kit
    (body,) = _physics(export(), "Instance")
    assert "motion" in body
    assert not _told()


@pytest.mark.parametrize("by", [by_nodes, by_vertices])
def test_a_text_that_is_shown_is_one_body_each_time(export, by):
    by("Scatter", _words(), 2)
    gltf = export(export_gn_mesh=by is by_nodes)
    bodies = [gltf["nodes"][at] for at in node(gltf, "Scatter")["children"]]
    assert ["motion" in each["extensions"][BODY] for each in bodies] == [True, True]
    below = [gltf["nodes"][at] for each in bodies for at in each["children"]]
    assert [each.get("mesh") is not None for each in below] == [True, True]
    assert not any("extensions" in each for each in below)
    assert not _told()


def test_parts_of_a_collection_stay_below_their_body_and_joints_among_them(export):
    kit = bpy.data.collections.new("Kit")
    part = add("Part", cube_mesh(), location=(0.0, 0.0, 1.0), collection=kit)
    frame, other = add("Frame", collection=kit), add("Other", collection=kit)
    part.parent = frame
    for obj in (frame, other):
        add_body(obj)
    for obj in (part, other):
        add_collider(obj)
    hinge = add("Hinge", parent=frame, collection=kit)
    _use_joint(hinge, other)
    by_nodes("Scatter", kit, 2)
    gltf = export(export_gn_mesh=True)
    nodes = gltf["nodes"]
    top = [nodes[at] for at in node(gltf, "Scatter")["children"]]
    assert [each["extensions"][BODY]["motion"]["type"] for each in top] == ["dynamic"] * 4
    frames = [each for each in top if "children" in each]
    assert len(frames) == 2
    connected: list[int] = []
    for each in frames:
        below = [nodes[at] for at in each["children"]]
        (solid,) = [n for n in below if "collider" in n["extensions"].get(BODY, {})]
        assert solid["translation"] == [0, 1, 0]
        (joint,) = [n for n in below if JOINT in n["extensions"]]
        connected.append(joint["extensions"][JOINT]["connectedNode"])
    places = [nodes[at].get("translation", [0])[0] for at in connected]
    assert places == [each.get("translation", [0])[0] for each in frames] == [0, 3]
    assert not _told()


def test_parts_in_a_collection_that_a_part_of_a_body_shows_are_its_parts(export):
    inner, kit = bpy.data.collections.new("Inner"), bpy.data.collections.new("Kit")
    add_collider(add("Part", cube_mesh(), location=(0.0, 0.0, 1.0), collection=inner))
    frame = add("Frame", collection=kit)
    add_body(frame)
    holder = add("Holder", parent=frame, collection=kit, location=(0.0, 0.0, 2.0))
    holder.instance_type, holder.instance_collection = "COLLECTION", inner
    by_nodes("Scatter", kit, 2)
    gltf = export(export_gn_mesh=True)
    nodes = folded(gltf)["nodes"]
    frames = [each for each in nodes if "motion" in each.get("extensions", {}).get(BODY, {})]
    assert len(frames) == 2
    for each in frames:
        (part,) = [nodes[at] for at in each["children"] if "mesh" in nodes[at]]
        assert (part["translation"], "collider" in part["extensions"][BODY]) == ([0, 3, 0], True)


def test_a_joint_to_one_of_several_instances_is_named(export):
    stone = _stone(collection=bpy.data.collections.new("Hidden"))
    by_nodes("Scatter", stone)
    joint = add("Joint")
    _use_joint(joint, stone)
    gltf = export(export_gn_mesh=True)
    assert "extensions" not in node(gltf, "Joint")
    assert "several instances" in _told()["Joint"]


def test_meshes_that_no_object_owns_are_named_where_physics_might_be_meant(export):
    add_collider(by_nodes("Bare", None))
    by_nodes("Decor", None)
    gltf = export(export_gn_mesh=True)
    assert _physics(gltf, "Bare") == [None, None]
    assert list(_told()) == ["Bare"]


@pytest.mark.parametrize("on", [False, True], ids=["alone", "with geometry nodes"])
def test_vertices_faces_and_particles_carry_physics_once(export, on):
    by_vertices("Vertices", _stone())
    by_faces("Faces", _stone(), cube_mesh())
    by_particles("Hairs", _stone(), cube_mesh())
    gltf = export(export_gn_mesh=on)
    for name, count in (("Vertices", 2), ("Faces", 6), ("Hairs", 3)):
        found = [each for each in _physics(gltf, name) if each is not None]
        assert [each["motion"]["mass"] for each in found] == [2] * count
    assert not _told()


def test_joints_tie_what_is_on_the_same_vertex(export):
    load, hook = _stone(), add("Hook")
    _use_joint(hook, load)
    by_vertices("Vertices", load, 3)
    hook.parent = load.parent
    gltf = export()
    nodes = gltf["nodes"]
    below = [nodes[at] for at in node(gltf, "Vertices")["children"]]
    hooks = [each for each in below if each["name"] == "Hook"]
    ends = [nodes[each["extensions"][JOINT]["connectedNode"]] for each in hooks]
    assert [each.get("translation") for each in ends] == [None, [3, 0, 0], [6, 0, 0]]
    assert [each.get("translation") for each in hooks] == [None, [3, 0, 0], [6, 0, 0]]


def test_shapes_shown_by_a_body_are_its_compound(export):
    stone = add("Stone", cube_mesh())
    add_collider(stone)
    add_body(by_nodes("Wall", stone, 3)).mass = 5.0
    gltf = export(export_gn_mesh=True)
    assert node(gltf, "Wall")["extensions"][BODY]["motion"]["mass"] == 5
    assert _physics(gltf, "Wall") == [{"collider": {"shape": 0}}] * 3


def test_mirrored_and_scaled_instances_keep_their_shape(export):
    stone = add("Stone", cube_mesh())
    add_collider(stone)
    scatter = by_nodes("Scatter", stone)
    scatter.scale = (-1.0, 2.0, 3.0)
    gltf = export(export_gn_mesh=True)
    assert _physics(gltf, "Scatter") == [{"collider": {"shape": 0}}] * 2
    assert [shape["type"] for shape in shapes(gltf)] == ["box"]
    scale = node(gltf, "Scatter")["scale"]
    assert (math.prod(scale), [abs(axis) for axis in scale]) == (-6, [1, 3, 2])


def test_what_is_shown_inside_of_an_instance_of_a_collection_is_named(export):
    for name, make in (("Vertices", by_vertices), ("Nodes", by_nodes)):
        inner = bpy.data.collections.new(name)
        stone = _stone(collection=inner)
        stone.name = f"Stone of {name}"
        make(name, stone, 2, collection=inner)
        outer = add(f"Instance of {name}")
        outer.instance_type, outer.instance_collection = "COLLECTION", inner
    export(export_gn_mesh=True)
    assert sorted(_told()) == ["Stone of Nodes", "Stone of Vertices"]


def test_what_is_below_an_object_with_particles_is_named(export):
    emitter = by_particles("Hairs", _stone(), cube_mesh())
    below = add("Below", parent=add("Between", parent=emitter))
    add_collider(below)
    gltf = export()
    assert "Below" not in {each["name"] for each in gltf["nodes"]}
    assert list(_told()) == ["Below"]


def test_gpu_instances_do_not_swallow_what_geometry_nodes_show(export):
    by_nodes("Scatter", _stone(), 3)
    gltf = export(export_gn_mesh=True, export_gpu_instances=True)
    assert "EXT_mesh_gpu_instancing" not in gltf["extensionsUsed"]
    assert None not in _physics(gltf, "Scatter")
    assert "X07" in reports.latest("EXPORT").issues.codes()


def test_instances_cost_what_their_number_says(export):
    scatter = by_nodes("Scatter", _stone(), 500)
    line = scatter.modifiers[0].node_group.nodes["Mesh Line"]

    def seconds(count: int) -> float:
        line.inputs["Count"].default_value = count
        start = time.thread_time()
        assert len(_physics(export(export_gn_mesh=True), "Scatter")) == count
        return time.thread_time() - start

    pace.check_growth(seconds, 100, 400, most=8.0)


def _places(gltf: dict[str, Any]) -> list[tuple[float, ...]]:
    """Where in the world the nodes with colliders are, in Blender's axes."""
    nodes, found = gltf["nodes"], list[tuple[float, ...]]()

    def walk(at: int, above: Matrix) -> None:
        x, y, z, w = nodes[at].get("rotation", (0.0, 0.0, 0.0, 1.0))
        place = Vector(nodes[at].get("translation", (0.0, 0.0, 0.0)))
        scale = Vector(nodes[at].get("scale", (1.0, 1.0, 1.0)))
        matrix = above @ Matrix.LocRotScale(place, Quaternion((w, x, y, z)), scale)
        if "collider" in nodes[at].get("extensions", {}).get(BODY, {}):
            x, y, z = matrix.translation
            found.append(tuple(round(value, 2) + 0.0 for value in (x, -z, y)))
        for child in nodes[at].get("children", ()):
            walk(child, matrix)

    for at in gltf["scenes"][0]["nodes"]:
        walk(at, Matrix())
    return sorted(found)


@pytest.mark.parametrize("seed", range(6))
def test_colliders_are_where_blender_shows_them_however_instances_are_nested(export, seed):
    chance = random.Random(seed)
    kits, shown = list[Any](), list[Any]()
    for i in range(5):
        kit = bpy.data.collections.new(f"Kit {i}")
        above = None
        for j in range(chance.randint(1, 3)):
            name, at = f"{i} {j}", (0.0, chance.randint(0, 3), chance.randint(0, 9) * 0.1)
            obj = add(name, cube_mesh(), location=at, parent=above, collection=kit)
            if chance.random() < 0.7:
                add_collider(obj)
            if chance.random() < 0.5:
                add_body(obj)
            above = chance.choice([above, obj])
            shown.append(obj)
        if i:  # In what it shows there may be others that show something.
            by_nodes(f"Inner {i}", chance.choice(kits), 2, 7.0, collection=kit)
            holder = add(f"Holder {i}", location=(0.0, 0.0, 11.0), collection=kit, parent=above)
            holder.instance_type, holder.instance_collection = "COLLECTION", chance.choice(kits)
        kits.append(kit)
    shown += kits[2:] * 5
    for i in range(3):
        obj = by_nodes(f"Outer {i}", chance.choice(shown), 2, 31.0, location=(i, 100.0 * i, 0.0))
        obj.rotation_euler.z = chance.choice((0.0, 0.5))
        obj.scale = (chance.choice((-1.0, 1.0)),) * 3
    bpy.context.view_layer.update()
    wanted = [
        tuple(round(value, 2) + 0.0 for value in each.matrix_world.translation)
        for each in bpy.context.evaluated_depsgraph_get().object_instances
        if each.object.original.omi_physics.use_collider
    ]
    write_anyway()
    found = _places(export(export_gn_mesh=True))
    assert len(found) == len(wanted)
    for first, second in zip(found, sorted(wanted), strict=True):
        assert first == pytest.approx(second, abs=0.03)
    assert not _told()


def test_instances_of_collections_that_full_hierarchy_leaves_out_are_told(export):
    kit = bpy.data.collections.new("Kit")
    _stone(collection=kit)
    for name in ("Shown", "Kit"):  # Blender looks for one with the name of the collection.
        shown = add(name)
        shown.instance_type, shown.instance_collection = "COLLECTION", kit
    export()
    assert not _told()
    gltf = export(export_hierarchy_full_collections=True)
    assert len(gltf["nodes"][[n["name"] for n in gltf["nodes"]].index("Stone")]["extensions"]) == 1
    assert list(_told()) == ["Stone"]
    assert "the instance Shown shows the object" in _told()["Stone"]
