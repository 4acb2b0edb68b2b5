"""The newest KHR form: what is read, what is written, what travels, and both families at once."""

from __future__ import annotations

from typing import Any

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.dialects import WriteOptions, Writer
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import Collider, Motion
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import NodeIndex, ShapeIndex
from omi_physics_addon.model.shapes import (
    KHR_TYPES,
    TYPES,
    Box,
    Capsule,
    Convex,
    Cylinder,
    Plane,
    Shape,
    Sphere,
)
from tests.support.documents import found, gltf, read, through_text, write

BODY = "KHR_physics_rigid_bodies"
SHAPES = "KHR_implicit_shapes"


def node(*children: int, **members: Any) -> dict[str, Any]:
    return {"extensions": {BODY: members}, "children": list(children)}


def shaped(*shapes: Any) -> dict[str, Any]:
    nodes = [node(collider={"geometry": {"shape": i}}) for i in range(len(shapes))]
    return gltf(*nodes, **{SHAPES: {"shapes": list(shapes)}})


def written(json: Any, **options: Any) -> dialects.Encoded:
    return write(read(json)[0], families=("KHR",), **options)[0]


def again(json: Any) -> tuple[PhysicsDocument, PhysicsDocument]:
    """The document of a file, and that of what is written of it."""
    document, _ = read(json)
    encoded = written(json)
    nodes = [
        {**{k: v for k, v in old.items() if k != "extensions"}, "extensions": encoded.nodes.get(i)}
        for i, old in enumerate(json["nodes"])
    ]
    new = {**json, "nodes": nodes, "extensions": encoded.root}
    return document, read(through_text(new))[0]


class TestShapes:
    @pytest.mark.parametrize(
        ("json", "geometry"),
        [
            ({"type": "box", "box": {}}, Box(size=(1.0, 1.0, 1.0))),
            ({"type": "sphere", "sphere": {}}, Sphere(radius=0.5)),
            (
                {"type": "capsule", "capsule": {}},
                Capsule(height=0.5, radius_bottom=0.25, radius_top=0.25),
            ),
            (
                {"type": "cylinder", "cylinder": {"radiusTop": 0}},
                Cylinder(height=0.5, radius_bottom=0.25, radius_top=0.0),
            ),
            ({"type": "plane", "plane": {}}, Plane()),
            (
                {"type": "plane", "plane": {"sizeX": 2, "doubleSided": True}},
                Plane(size_x=2.0, double_sided=True),
            ),
        ],
    )
    def test_defaults_are_those_of_khr(self, json, geometry):
        assert read(shaped(json))[0].shapes == [Shape(geometry=geometry)]

    def test_every_size_is_written(self):
        encoded = written(shaped(*({"type": word, word: {}} for word in KHR_TYPES)))
        assert encoded.root[SHAPES]["shapes"] == [
            {"type": "box", "box": {"size": [1, 1, 1]}},
            {"type": "sphere", "sphere": {"radius": 0.5}},
            {
                "type": "capsule",
                "capsule": {"height": 0.5, "radiusBottom": 0.25, "radiusTop": 0.25},
            },
            {
                "type": "cylinder",
                "cylinder": {"height": 0.5, "radiusBottom": 0.25, "radiusTop": 0.25},
            },
            {"type": "plane", "plane": {"doubleSided": False}},
        ]

    def test_tables_of_the_families(self):
        assert "plane" not in TYPES
        assert not {"convex", "trimesh"} & KHR_TYPES.keys()

    @pytest.mark.parametrize(
        ("json", "codes"),
        [
            ({"type": "cone"}, {"S01"}),
            ({"type": "convex", "convex": {"mesh": 0}}, {"S01"}),
            ({"type": "box"}, {"S02"}),
            ({"type": "box", "box": {}, "sphere": {}}, {"S03"}),
            ({"type": "plane", "plane": {"sizeX": -1}}, {"S26"}),
            ({"type": "plane", "plane": {"sizeZ": 0}}, {"S26"}),
            ({"type": "capsule", "capsule": {"radiusTop": 0, "radiusBottom": 0}}, {"S08"}),
            (5, {"F01"}),
        ],
    )
    def test_faults(self, json, codes):
        assert read(shaped(json))[1].codes().keys() == codes

    @pytest.mark.parametrize(
        "json",
        [
            {"type": "cone", "cone": {"radius": 2}, "name": "c", "extras": {"a": 1}},
            {"type": "box", "box": {"size": [1, 2, 3], "note": 1}, "name": "b", "extras": [1]},
            {"type": "plane", "plane": {"sizeX": -1, "doubleSided": False}},
        ],
    )
    def test_what_is_not_ours_travels(self, json):
        assert written(shaped(json)).root[SHAPES]["shapes"] == [json]


class TestMeshes:
    def test_equal_meshes_are_one_shape(self):
        mesh = {"geometry": {"mesh": 1, "convexHull": True}}
        json = gltf(node(collider=mesh), node(trigger=mesh), mesh_count=2)
        document, _ = read(json)
        assert document.shapes == [Shape(geometry=Convex(mesh=1))]
        assert written(json).nodes == {
            0: {BODY: {"collider": mesh}},
            1: {BODY: {"trigger": mesh}},
        }

    def test_meshes_are_not_in_the_list(self):
        json = gltf(
            node(collider={"geometry": {"mesh": 0}}),
            node(collider={"geometry": {"shape": 0}}),
            mesh_count=1,
            **{SHAPES: {"shapes": [{"type": "box", "box": {}}]}},
        )
        document = read(json)[0]
        document.shapes.reverse()
        for i, physics in document.nodes.items():
            swapped = Collider(shape=ShapeIndex(1 - physics.collider.shape))
            document.nodes[i] = NodePhysics(collider=swapped)
        encoded = write(document, families=("KHR",))[0]
        assert len(encoded.root[SHAPES]["shapes"]) == 1
        assert encoded.nodes[1][BODY]["collider"] == {"geometry": {"shape": 0}}

    def test_name_and_extras_of_a_shape_travel(self):
        geometry = {"mesh": 0, "convexHull": False, "name": "n", "extras": {"a": 1}, "skin": 3}
        encoded = written(gltf(node(collider={"geometry": geometry}), mesh_count=1))
        assert encoded.nodes[0][BODY]["collider"]["geometry"] == geometry

    def test_members_of_a_geometry_travel(self):
        geometry = {"shape": 0, "extras": {"a": 1}, "convexHull": True}
        json = shaped({"type": "box", "box": {}})
        json["nodes"][0] = node(collider={"geometry": geometry})
        assert written(json).nodes[0][BODY]["collider"]["geometry"] == geometry
        assert found(read(json)[1]) == [
            ("S30", f"/nodes/0/extensions/{BODY}/collider/geometry/convexHull")
        ]

    @pytest.mark.parametrize(
        ("geometry", "codes"),
        [
            ({}, {"S28"}),
            ({"shape": 0, "mesh": 0}, {"S28"}),
            ({"shape": 5}, {"G05"}),
            ({"mesh": 5}, {"G05", "S12"}),
            ({"node": 5}, {"G05", "S12", "G09"}),
            ({"mesh": 0, "convexHull": 1}, {"F01"}),
            (5, {"F01"}),
        ],
    )
    def test_faults(self, geometry, codes):
        json = shaped({"type": "box", "box": {}}) | {"meshes": [{}]}
        json["nodes"] = [node(collider={"geometry": geometry})]
        assert read(json)[1].codes().keys() == codes

    def test_collider_without_geometry(self):
        json = gltf(node(collider={"physicsMaterial": 0}))
        assert read(json)[1].codes().keys() == {"C02", "G05"}
        assert written(json).nodes == {0: {BODY: {"collider": {"physicsMaterial": 0}}}}
        assert written(json, repair=True).nodes == {}


class TestMotion:
    @pytest.mark.parametrize(
        "motion",
        [
            {},
            {"isKinematic": True},
            {"mass": 0},
            {"mass": 2, "inertiaDiagonal": [0, 0, 0]},
            {"inertiaDiagonal": [1, 0, 1], "inertiaOrientation": [0.5, 0.5, 0.5, 0.5]},
            {"centerOfMass": [0, 0, 0], "gravityFactor": -1},
            {"linearVelocity": [1, 2, 3], "angularVelocity": [0, 0, 1], "extras": {"a": 1}},
        ],
    )
    def test_there_and_back(self, motion):
        json = gltf(node(motion=motion))
        assert written(json).nodes == {0: {BODY: {"motion": motion}}}
        assert again(json)[0] == again(json)[1]

    def test_what_is_left_to_the_engine_stays_so(self):
        assert read(gltf(node(motion={})))[0].nodes[0].motion == Motion()

    @pytest.mark.parametrize(
        ("motion", "codes"),
        [
            ({"mass": 0}, {"B07"}),
            ({"mass": -1}, {"B05"}),
            ({"inertiaDiagonal": [0, 1, 1]}, {"B10k"}),
            ({"inertiaOrientation": [1, 0, 0, 0]}, {"B12"}),
            ({"isKinematic": "yes"}, {"F01"}),
            ({"type": "dynamic"}, {"G07"}),
        ],
    )
    def test_faults(self, motion, codes):
        assert read(gltf(node(motion=motion)))[1].codes().keys() == codes

    def test_static_body_has_no_motion(self):
        document = PhysicsDocument(nodes={0: NodePhysics(motion=Motion(type="static"))})
        assert write(document, families=("KHR",))[0].nodes == {}


class TestLists:
    def test_material_is_spelled_out(self):
        json = gltf(**{BODY: {"physicsMaterials": [{"restitutionCombine": "MAXIMUM"}]}})
        assert written(json).root[BODY]["physicsMaterials"] == [
            {
                "staticFriction": 0.6,
                "dynamicFriction": 0.6,
                "restitution": 0,
                "frictionCombine": "average",
                "restitutionCombine": "maximum",
            }
        ]
        assert read(json)[1].codes() == {"C15": 1}

    def test_only_lists_of_something_are_written(self):
        json = gltf(**{BODY: {"collisionFilters": [{"collisionSystems": ["a"]}]}})
        assert written(json).root == {BODY: {"collisionFilters": [{"collisionSystems": ["a"]}]}}

    def test_drives_are_written_in_pairs(self):
        drive = {"type": "linear", "mode": "force", "axis": 0}
        drives = [{**drive, "positionTarget": 1}, {**drive, "velocityTarget": 0}]
        json = gltf(**{BODY: {"physicsJoints": [{"drives": drives}]}})
        assert written(json).root[BODY]["physicsJoints"] == [
            {
                "limits": [],
                "drives": [{**drives[0], "stiffness": 0}, {**drives[1], "damping": 0}],
            }
        ]

    def test_unknown_members_travel(self):
        json = gltf(
            {"extensions": {BODY: {"extras": {"a": 1}}}}, {"extensions": {BODY: {}}},
            **{BODY: {"extras": {"b": 2}, "new": 3}},
        )  # fmt: skip
        encoded = written(json)
        assert encoded.root == json["extensions"]
        assert encoded.nodes == {0: json["nodes"][0]["extensions"], 1: {BODY: {}}}

    @pytest.mark.parametrize(
        ("trigger", "codes"),
        [
            ({}, {"T01"}),
            ({"nodes": [1], "geometry": {"mesh": 0}}, {"T02"}),
            ({"nodes": [1], "collisionFilter": 0}, {"T05"}),
            ({"nodes": [1]}, set()),
        ],
    )
    def test_triggers(self, trigger, codes):
        json = gltf(
            node(1, trigger=trigger),
            node(trigger={"geometry": {"mesh": 0}}),
            mesh_count=1,
            **{BODY: {"collisionFilters": [{}]}},
        )
        assert read(json)[1].codes().keys() == codes
        document, second = again(json)
        assert document.nodes == second.nodes


class TestNoJsonRaises:
    @pytest.mark.parametrize("value", [None, 5, "a", [], [5], {}, {"motion": 5}, {"collider": []}])
    def test_anything_anywhere(self, value):
        for name in (BODY, SHAPES, "KHR_collision_shapes", "MSFT_physics", "KHR_rigid_bodies"):
            json = gltf({"extensions": {name: value}}, **{name: value})
            json["scenes"] = [{"extensions": {name: value}}]
            written(json)

    @pytest.mark.parametrize("key", ["motion", "collider", "trigger", "joint", "rigidBody"])
    @pytest.mark.parametrize("value", [None, 5, {"geometry": None}, {"constraints": 5}, {"a": 1}])
    def test_anything_in_a_node(self, key, value):
        for name in (BODY, "MSFT_physics", "MSFT_rigid_bodies"):
            written(gltf({"extensions": {name: {key: value}}}))


class TestBothFamilies:
    """One file, both families: equal records become one, OMI's word counts."""

    def both(self, omi: Any, khr: Any, **root: Any) -> dict[str, Any]:
        return gltf({"extensions": {"OMI_physics_body": omi, BODY: khr}}, mesh_count=1, **root)

    def test_equal_records_are_one(self):
        box = [{"type": "box", "box": {"size": [1, 2, 3]}}]
        json = self.both(
            {"motion": {"type": "dynamic", "mass": 2}, "collider": {"shape": 0}},
            {"motion": {"mass": 2}, "collider": {"geometry": {"shape": 0}}},
            OMI_physics_shape={"shapes": box},
            **{SHAPES: {"shapes": box}},
        )
        document, issues = read(json)
        assert len(document.shapes) == 1
        assert not issues.codes()

    def test_omi_counts(self):
        document, issues = read(
            self.both({"motion": {"type": "kinematic"}}, {"motion": {"mass": 2}})
        )
        assert document.nodes[0].motion.type == "kinematic"
        assert issues.codes() == {"G08": 1}
        assert "type, mass of the motion" in next(iter(issues)).message

    def test_what_only_khr_says_is_added(self):
        json = self.both(
            {"motion": {"type": "dynamic", "mass": 2}},
            {
                "motion": {"mass": 2, "inertiaDiagonal": [1, 2, 3]},
                "collider": {"geometry": {"mesh": 0, "convexHull": True}},
            },
        )
        document, issues = read(json)
        assert document.nodes[0].motion.inertia_diagonal == (1.0, 2.0, 3.0)
        assert document.shapes == [Shape(geometry=Convex(mesh=0))]
        assert not issues.codes()

    def test_both_are_written_with_indices_of_their_own(self):
        hull, box = Shape(geometry=Convex(mesh=0)), Shape(geometry=Box())
        document = PhysicsDocument(
            nodes={0: NodePhysics(collider=Collider(shape=ShapeIndex(1)))}, shapes=[hull, box]
        )
        encoded, _ = write(document, families=("OMI", "KHR"))
        assert encoded.nodes[0] == {
            "OMI_physics_body": {"collider": {"shape": 1}},
            BODY: {"collider": {"geometry": {"shape": 0}}},
        }
        assert len(encoded.root["OMI_physics_shape"]["shapes"]) == 2
        assert len(encoded.root[SHAPES]["shapes"]) == 1

    def test_plane_is_a_box_for_omi(self):
        document = PhysicsDocument(shapes=[Shape(geometry=Plane(size_x=2.0, size_z=3.0))])
        encoded, issues = write(document)
        assert encoded.root["OMI_physics_shape"]["shapes"] == [
            {"type": "box", "box": {"size": [2, 0.1, 3]}}
        ]
        assert issues.codes() == {"L08": 1}


class TestWriter:
    document = PhysicsDocument(
        nodes={
            0: NodePhysics(collider=Collider(shape=ShapeIndex(0))),
            1: NodePhysics(collider=Collider(shape=ShapeIndex(1))),
        },
        shapes=[Shape(geometry=Convex(mesh=0)), Shape(geometry=Box())],
    )

    def test_references(self):
        writer = Writer(Issues(), WriteOptions(families=("KHR",)), mesh_ref=lambda i: f"mesh {i}")
        writer.prepare(self.document)
        nodes = self.document.nodes
        assert [writer.has_references(i) for i in nodes] == [True, False]
        geometry = writer.node(0)[BODY]["collider"]["geometry"]
        assert geometry == {"mesh": "mesh 0", "convexHull": True}

    def test_shapes_must_be_known(self):
        writer = Writer(Issues(), WriteOptions(families=("KHR",)))
        with pytest.raises(ValueError, match="prepare"):
            writer.node(0)

    def test_omi_has_no_meshes_on_nodes(self):
        writer = Writer(Issues(), WriteOptions())
        writer.prepare(self.document)
        assert not writer.has_references(0)


class TestOldForm:
    """KHR_collision_shapes of 2024-03, on request."""

    @staticmethod
    def of(geometry: Any) -> tuple[dialects.Encoded, Issues]:
        document = PhysicsDocument(
            nodes={0: NodePhysics(collider=Collider(shape=ShapeIndex(0)))},
            shapes=[Shape(geometry=geometry)],
        )
        return write(document, families=("KHR",), geometry="COLLISION_SHAPES")

    def test_meshes_are_in_the_list(self):
        encoded, issues = self.of(Convex(mesh=0))
        shape = {"type": "convex", "convex": {"mesh": 0}}
        assert encoded.root == {"KHR_collision_shapes": {"shapes": [shape]}}
        assert encoded.nodes == {0: {BODY: {"collider": {"shape": 0}}}}
        assert not issues.codes()

    @pytest.mark.parametrize(
        ("geometry", "code"), [(Plane(), "L16"), (Convex(mesh=0, node=NodeIndex(0)), "L17")]
    )
    def test_what_it_has_no_words_for(self, geometry, code):
        assert self.of(geometry)[1].codes() == {code: 1}


def test_body_that_is_switched_off():
    body = {"rigidBody": {"isEnabled": False, "mass": 2}, "collider": {"box": {}}}
    document, issues = read(gltf({"extensions": {"MSFT_physics": body}}))
    assert document.nodes[0].motion is None
    assert "L19" in issues.codes()


def test_nodes_that_are_alike_share_their_physics_and_faults_are_told_of_each():
    motions = [{"mass": 2.0}, {"mass": 2.0}, {"mass": 3.0}, {"mass": -1.0}, {"mass": -1.0}]
    document, issues = read(gltf(*(node(motion=motion) for motion in motions)))
    assert [document.nodes[i].motion.mass for i in range(3)] == [2.0, 2.0, 3.0]
    assert document.nodes[0] is document.nodes[1]
    places = [pointer for _, pointer in found(issues)]
    for i in (3, 4):
        assert f"/nodes/{i}/extensions/{BODY}/motion/mass" in places
        assert document.nodes[i].motion == document.nodes[3].motion


def test_nodes_that_are_alike_may_have_meshes_of_their_own():
    """The form of 2024-03 takes the mesh of the node."""
    nodes = [
        {"mesh": i, "extensions": {BODY: {"collider": {"geometry": {"node": i}}}}} for i in (0, 1)
    ]
    document, _ = read(gltf(*nodes, mesh_count=2))
    shapes = [document.shapes[document.nodes[i].collider.shape].geometry for i in (0, 1)]
    assert shapes[0] != shapes[1]


def deep(levels: int) -> list:
    value: list = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("extras", [10**5000, deep(5000)], ids=["digits", "levels"])
def test_nodes_that_have_no_text_are_read_one_by_one(extras):
    document, _ = read(gltf(*(node(motion={"mass": 2.0}, extras=extras) for _ in range(2))))
    assert [document.nodes[i].motion.mass for i in range(2)] == [2.0, 2.0]
