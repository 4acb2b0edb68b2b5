from __future__ import annotations

import base64
import json
import math
import struct
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.scene import scene_writer
from omi_physics_addon.codec.dialects import NAMES
from tests.blender.support.scenes import body, node, shapes

USED = ["OMI_physics_body", "OMI_physics_shape"]


def omi(nodes: list[dict[str, Any]], shape_list: Any = None, **lists: Any) -> dict[str, Any]:
    """A glTF whose nodes have OMI_physics_body objects under `omi`."""
    out: dict[str, Any] = {
        "scene": 0,
        "scenes": [{"nodes": []}],
        "nodes": [],
        "extensionsUsed": USED,
    }
    children = {child for n in nodes for child in n.get("children", [])}
    for i, n in enumerate(nodes):
        extension = n.pop("omi", None)
        if extension is not None:
            n["extensions"] = {"OMI_physics_body": extension}
        out["nodes"].append({"name": f"Node {i}", **n})
        if i not in children:
            out["scenes"][0]["nodes"].append(i)
    out["extensions"] = {}
    if shape_list:
        out["extensions"]["OMI_physics_shape"] = {"shapes": shape_list}
    if lists:
        out["extensions"]["OMI_physics_body"] = lists
    return out


def triangle(count: int = 1) -> dict[str, Any]:
    """Buffers and `count` meshes of one tetrahedron each."""
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
    data = b"".join(struct.pack("<3f", *p) for p in points) + struct.pack("<12H", *faces)
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    primitive = {"attributes": {"POSITION": 0}, "indices": 1}
    return {
        "buffers": [{"byteLength": len(data), "uri": uri}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 24},
        ],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": 4,
                "type": "VEC3",
                "min": [0, 0, 0],
                "max": [1, 1, 1],
            },
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
        "meshes": [{"name": f"Mesh {i}", "primitives": [primitive]} for i in range(count)],
    }


def test_numbers_in_blender_axes(import_json):
    motion = {
        "type": "kinematic",
        "mass": 2.5,
        "centerOfMass": [1, 2, 3],
        "inertiaDiagonal": [1, 2, 3],
        "inertiaOrientation": [0.5, -0.5, -0.5, 0.5],
        "linearVelocity": [4, 5, 6],
        "angularVelocity": [7, 8, 9],
        "gravityFactor": -2,
    }
    box = {"type": "box", "box": {"size": [1, 2, 3]}}
    objects = import_json(omi([{"omi": {"motion": motion, "collider": {"shape": 0}}}], [box]))
    group = objects["Node 0"].omi_physics
    assert group.use_motion
    assert group.use_collider
    assert not group.use_trigger
    assert group.motion.type == "KINEMATIC"
    assert group.motion.mass == 2.5
    assert tuple(group.motion.center_of_mass) == (1, -3, 2)
    assert group.motion.inertia_mode == "VALUE"
    assert tuple(group.motion.inertia_diagonal) == (1, 3, 2)
    assert tuple(group.motion.inertia_orientation) == (0.5, 0.5, 0.5, -0.5)
    assert tuple(group.motion.linear_velocity) == (4, -6, 5)
    assert tuple(group.motion.angular_velocity) == (7, -9, 8)
    assert group.motion.gravity_factor == -2
    assert tuple(group.collider.shape.box.size) == (1, 3, 2)


def test_lengths_follow_the_unit_scale(import_json):
    bpy.context.scene.unit_settings.scale_length = 0.01
    motion = {"type": "dynamic", "mass": 3, "centerOfMass": [1, 0, 0], "linearVelocity": [2, 0, 0]}
    ball = {"type": "sphere", "sphere": {"radius": 0.5}}
    node_ = {"translation": [1, 0, 0], "omi": {"motion": motion, "collider": {"shape": 0}}}
    obj = import_json(omi([node_], [ball]))["Node 0"]
    assert obj.location.x == pytest.approx(100)
    assert obj.omi_physics.motion.center_of_mass[0] == pytest.approx(100)
    assert obj.omi_physics.motion.linear_velocity[0] == pytest.approx(200)
    assert obj.omi_physics.collider.shape.sphere.radius == pytest.approx(50)
    assert obj.omi_physics.motion.mass == 3


def test_required_extensions_do_not_stop_the_import(import_json):
    gltf = omi([{"omi": {"motion": {"type": "static"}}}])
    gltf["extensionsUsed"] = gltf["extensionsRequired"] = list(NAMES)
    assert import_json(gltf)["Node 0"].omi_physics.use_motion


def test_extensions_that_are_not_read_are_named(import_json):
    gltf = omi([{"omi": {"motion": {"type": "static"}}}])
    gltf["extensionsUsed"] = [*USED, "KHR_lights_punctual", "OMI_seat", "EXT_unheard_of"]
    import_json(gltf)
    unread = [i.message for i in reports.latest("IMPORT").issues if i.code == "X03"]
    assert unread == ["EXT_unheard_of was not read"]


def test_meshes_that_no_node_uses_become_mesh_data(import_json):
    hull = {"type": "convex", "convex": {"mesh": 0}}
    surface = {"type": "trimesh", "trimesh": {"mesh": 1}}
    gltf = omi(
        [
            {"omi": {"collider": {"shape": 0}}},
            {"omi": {"collider": {"shape": 0}}},
            {"mesh": 1, "omi": {"collider": {"shape": 1}}},
        ],
        [hull, surface],
    )
    objects = import_json({**gltf, **triangle(2)})
    assert len(objects) == 3
    assert objects["Node 0"].data is None
    group = objects["Node 0"].omi_physics.collider.shape
    assert (group.type, group.mesh_source, group.mesh.name) == ("CONVEX", "DATA", "Mesh 0")
    assert len(group.mesh.vertices) == 4
    assert objects["Node 1"].omi_physics.collider.shape.mesh == group.mesh
    assert objects["Node 2"].omi_physics.collider.shape.mesh_source == "OWN"
    assert len(bpy.data.meshes) == 2


def test_materials_and_filters_join_the_lists_of_the_scene(import_json):
    lists = bpy.context.scene.omi_physics
    lists.physics_materials.add().name = "Ice"
    materials = [{"name": "Ice", "staticFriction": 0.1}, {"name": "Ice"}, {"restitution": 1}]
    filters = [{"collisionSystems": ["a", "b"], "notCollideWithSystems": ["c"]}]
    colliders = [{"physicsMaterial": i, "collisionFilter": 0} for i in range(3)]
    gltf = omi(
        [{"omi": {"collider": c}} for c in colliders],
        physicsMaterials=materials,
        collisionFilters=filters,
    )
    objects = import_json(gltf)
    used = [objects[f"Node {i}"].omi_physics.collider.physics_material for i in range(3)]
    assert used == ["Ice.001", "Ice", "Physics Material"]
    assert lists.physics_materials["Ice.001"].static_friction == pytest.approx(0.1)
    assert lists.physics_materials["Physics Material"].restitution == 1
    (entry,) = lists.collision_filters
    assert entry.mode == "NOT"
    assert [s.name for s in entry.collision_systems] == ["a", "b"]
    assert [s.name for s in entry.not_collide_with_systems] == ["c"]


def test_compound_triggers(import_json):
    ball = {"type": "sphere", "sphere": {"radius": 2}}
    gltf = omi(
        [
            {"children": [1, 2], "omi": {"trigger": {"nodes": [1, 2]}}},
            {"omi": {"trigger": {"shape": 0}}},
            {"omi": {"trigger": {"shape": 0}}},
            {"children": [4], "omi": {"trigger": {}}},
            {"omi": {"trigger": {"shape": 0}}},
        ],
        [ball],
    )
    objects = import_json(gltf)
    listed = objects["Node 0"].omi_physics.trigger
    assert listed.mode == "LIST"
    assert [item.object.name for item in listed.nodes] == ["Node 1", "Node 2"]
    implied = objects["Node 3"].omi_physics.trigger
    assert (implied.mode, implied.unlisted) == ("LIST", False)
    assert [item.object.name for item in implied.nodes] == ["Node 4"]


def test_a_faulty_file_is_read_as_far_as_it_goes(import_json):
    gltf = omi(
        [
            {"omi": {"motion": {"type": "dynamic", "mass": "heavy"}, "collider": {"shape": 7}}},
            {"omi": {"trigger": {"nodes": [1, 99, "x"]}}},
            {"omi": {"motion": {"type": "dynamic", "mass": 5}}},
        ],
        [{"type": "box", "box": {"size": [1, 2]}}],
    )
    objects = import_json(gltf)
    assert objects["Node 2"].omi_physics.motion.mass == 5
    pointers = {i.pointer for i in reports.latest("IMPORT").issues}
    assert "/nodes/0/extensions/OMI_physics_body/motion/mass" in pointers
    assert "/nodes/0/extensions/OMI_physics_body/collider/shape" in pointers
    assert "/extensions/OMI_physics_shape/shapes/0/box/size" in pointers


def test_nodes_that_become_cameras_and_lights(import_json):
    motion = {"motion": {"type": "dynamic", "linearVelocity": [1, 2, 3]}}
    gltf = omi([{"camera": 0, "omi": motion}])
    gltf["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
    obj = import_json(gltf)["Node 0"]
    assert obj.type == "CAMERA"
    assert tuple(obj.omi_physics.motion.linear_velocity) == (1, 2, 3)


def test_switched_off(import_json):
    bpy.context.scene.omi_physics.import_.enabled = False
    objects = import_json(omi([{"omi": {"motion": {"type": "static"}}}]))
    assert not objects["Node 0"].omi_physics.use_motion


def test_a_failure_is_loud_and_names_the_node(import_json, monkeypatch):
    def fail(*_args: Any) -> None:
        raise KeyError("broken")

    monkeypatch.setattr(scene_writer.SceneWriter, "_write_motion", fail)
    gltf = omi([{}, {"omi": {"motion": {"type": "static"}}}])
    with pytest.raises(RuntimeError, match="OMI Physics: /nodes/1: KeyError: 'broken'"):
        import_json(gltf)
    assert reports.latest("IMPORT").failed


def test_files_without_physics_leave_no_report_behind(import_json):
    import_json({"nodes": [{"name": "Plain"}], "scenes": [{"nodes": [0]}]})
    report = reports.latest("IMPORT")
    assert not report.counts
    assert not len(report.issues)


UNUSUAL = {
    "motion": {
        "type": "dynamic",
        "mass": 0.1,
        "centerOfMass": [0.1, -0.2, 0.3],
        "inertiaDiagonal": [0.11, 0.22, 0.33],
        "inertiaOrientation": [0.1, 0.2, 0.3, 0.9273618495495704],
        "linearVelocity": [1.5, -2.5, 3.5],
        "angularVelocity": [-0.7, 0.8, 0.9],
        "gravityFactor": -0.3,
        "extras": {"note": {"deep": [1, {}, None]}},
        "extensions": {"EXT_other": {"a": 1}},
        "unheardOf": [1, 2],
    },
    "collider": {"shape": 0, "physicsMaterial": 0, "collisionFilter": 0, "extras": {"c": 1}},
    "somethingElse": {"x": 1},
}
SHAPES = [
    {"type": "box", "box": {"size": [0.1, 0.2, 0.3], "extras": {"b": 2}}, "name": "Crate"},
    {"type": "sphere", "sphere": {"radius": 0.7}, "extras": {"round": True}},
    {"type": "capsule", "capsule": {"height": 0.4, "radiusBottom": 0.3, "radiusTop": 0.2}},
    {"type": "cylinder", "cylinder": {"height": 0.9, "radiusBottom": 0.8, "radiusTop": 0}},
    {"type": "donut", "donut": {"radius": 1}, "name": "Sweet"},
]


def unusual() -> dict[str, Any]:
    """A file in which nothing has its default."""
    nodes = [{"omi": json.loads(json.dumps(UNUSUAL)), "children": [1, 2, 3, 4]}]
    nodes += [{"omi": {"collider": {"shape": i}}} for i in range(1, 5)]
    material = {
        "name": "Ice",
        "staticFriction": 0.11,
        "dynamicFriction": 0.07,
        "restitution": 0.31,
        "frictionCombine": "minimum",
        "restitutionCombine": "multiply",
        "extras": {"cold": True},
    }
    filter_ = {"name": "F", "collisionSystems": ["a"], "collideWithSystems": ["b", "c"]}
    gltf = omi(nodes, SHAPES, physicsMaterials=[material], collisionFilters=[filter_])
    gltf["extensions"]["OMI_physics_body"]["extras"] = {"document": True}
    return gltf


def approx(value: Any) -> Any:
    """Numbers as they come back from 32-bit storage."""
    if isinstance(value, dict):
        return {key: approx(item) for key, item in value.items()}
    if isinstance(value, list):
        return [approx(item) for item in value]
    return pytest.approx(value, rel=1e-6) if isinstance(value, float) else value


def test_round_trip_keeps_everything(import_json, export):
    source = unusual()
    import_json(source)
    gltf = export()
    assert body(gltf, "Node 0") == approx(UNUSUAL)
    assert shapes(gltf) == approx(SHAPES)
    assert gltf["extensions"]["OMI_physics_body"] == approx(
        source["extensions"]["OMI_physics_body"]
    )


def test_second_round_trip_gives_the_same_bytes(import_json, export, tmp_path):
    import_json(unusual())
    texts = []
    for i in range(3):
        export(f"{i}.gltf")
        texts.append((tmp_path / f"{i}.gltf").read_text())
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=str(tmp_path / f"{i}.gltf"))
    assert texts[1] == texts[0]
    assert texts[2] == texts[0]


def test_faults_come_back_unless_repaired_or_changed(import_json, export):
    faulty = {"motion": {"mass": -2, "inertiaOrientation": [0, 0, 0, 2]}}
    objects = import_json(omi([{"omi": faulty}]))
    assert body(export(), "Node 0") == faulty
    bpy.context.scene.omi_physics.export.repair = True
    assert body(export(), "Node 0") == {"motion": {"type": "dynamic", "mass": 2}}
    bpy.context.scene.omi_physics.export.repair = False
    objects["Node 0"].omi_physics.motion.mass = 3
    assert body(export(), "Node 0")["motion"]["mass"] == 3


def test_a_trigger_that_says_nothing_comes_back_with_its_parts(import_json, export):
    ball = {"type": "sphere", "sphere": {"radius": 2}}
    gltf = omi(
        [{"children": [1], "omi": {"trigger": {}}}, {"omi": {"trigger": {"shape": 0}}}], [ball]
    )
    import_json(gltf)
    again = export()
    index = again["nodes"].index(node(again, "Node 1"))
    assert body(again, "Node 0") == {"trigger": {"nodes": [index]}}


def test_offset_shapes_add_no_node_the_second_time(export, import_json, tmp_path):
    from tests.blender.support.scenes import add, add_body, add_collider

    obj = add("Body")
    add_body(obj)
    shape = add_collider(obj)
    shape.location, shape.rotation = (0, 0, 1), (math.pi / 4, 0, 0)
    first = export("1.gltf")
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "1.gltf"))
    second = export("2.gltf")
    assert len(second["nodes"]) == len(first["nodes"]) == 2
    assert body(second, "Body Collider") == body(first, "Body Collider")
    assert node(second, "Body Collider")["rotation"] == pytest.approx(
        node(first, "Body Collider")["rotation"]
    )


def test_saved_files_keep_the_data(import_json, export, tmp_path):
    import_json(unusual())
    before = export("before.gltf")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    assert bpy.data.objects["Node 0"].omi_physics.version == 1
    assert export("after.gltf") == before


@pytest.mark.parametrize(
    ("change", "code"),
    [
        pytest.param(lambda g: g["accessors"][1].update(count=2), "S13", id="no triangle"),
        pytest.param(lambda g: g["meshes"][0]["primitives"][0].update(mode=1), "S16", id="lines"),
        pytest.param(
            lambda g: g["meshes"][0]["primitives"][0].update(indices=9), "G05", id="no accessor"
        ),
        pytest.param(
            lambda g: g["meshes"][0]["primitives"][0].update(attributes={}), "S13", id="no points"
        ),
    ],
)
def test_collision_meshes_that_are_none(import_json, export, change, code):
    gltf = omi([{"omi": {"collider": {"shape": 0}}}], [{"type": "convex", "convex": {"mesh": 0}}])
    gltf = {**gltf, **triangle()}
    change(gltf)
    objects = import_json(gltf)
    assert objects["Node 0"].omi_physics.collider.shape.mesh is None
    assert code in reports.latest("IMPORT").issues.codes()
    assert body(export(), "Node 0") == {"collider": {}}


@pytest.mark.parametrize("list_", [[], [{"type": "box", "box": {"size": [1, 1, 1]}}]])
def test_members_beside_shapes_wait_for_a_shape(list_, import_json, export):
    gltf = omi([{"omi": {"motion": {"type": "static"}}}])
    gltf["extensions"]["OMI_physics_shape"] = {"shapes": list_, "extras": {"author": "somebody"}}
    obj = import_json(gltf)["Node 0"]
    assert "OMI_physics_shape" not in export().get("extensions", {})
    (issue,) = [i for i in reports.latest("EXPORT").issues if i.code == "X13"]
    assert "extras" in issue.message
    obj.omi_physics.use_collider = True
    obj.omi_physics.collider.shape.type = "SPHERE"
    assert export()["extensions"]["OMI_physics_shape"]["extras"] == {"author": "somebody"}
    assert "X13" not in reports.latest("EXPORT").issues.codes()
