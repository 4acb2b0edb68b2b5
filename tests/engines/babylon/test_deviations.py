"""What is told of files for Babylon.js, and how they are written for it."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.targets import engines
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.engines import engine_of
from omi_physics_addon.engines.babylon.codes import BabylonCode
from omi_physics_addon.geometry.rotations import nearest_rotation
from omi_physics_addon.issues import Issues

BABYLON = {code.value for code in BabylonCode}
KHR, SHAPES = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
BOX = {"type": "box", "box": {"size": [1, 1, 1]}}
PLANE = {"type": "plane", "plane": {}}
TAPERED = {"type": "capsule", "capsule": {"height": 1, "radiusTop": 0.1, "radiusBottom": 0.2}}
SOLID = {"geometry": {"shape": 0}}
DEFAULT = {
    "staticFriction": 0.6,
    "dynamicFriction": 0.6,
    "restitution": 0,
    "frictionCombine": "average",
    "restitutionCombine": "average",
}


def node(name, *children, below=None, **body):
    out = {"name": name, **(below or {})}
    if body:
        out["extensions"] = {KHR: body}
    return {**out, "children": list(children)} if children else out


def gltf(*nodes, shapes=(BOX,), **lists):
    below = {child for each in nodes for child in each.get("children", ())}
    root = {SHAPES: {"shapes": list(shapes)}}
    if lists:
        root[KHR] = lists
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [i for i in range(len(nodes)) if i not in below]}],
        "nodes": list(nodes),
        "extensionsUsed": [SHAPES, KHR],
        "extensions": root,
    }


def written(source, target="BABYLON"):
    issues = Issues()
    result = rewriting.change(source, issues, WriteOptions(target=engine_of(target)))
    told = [(i.code, i.pointer) for i in issues if i.code in BABYLON]
    return result.json, told


def body(json, index):
    return json["nodes"][index]["extensions"][KHR]


MOTION = {"mass": 1}
FILTERS = {"collisionFilters": [{"collisionSystems": [f"s{i}" for i in range(33)]}]}
MOTOR = {
    "limits": [],
    "drives": [{"type": "angular", "mode": "force", "axis": 0, "velocityTarget": 1, "damping": 1}],
}
FIXED = {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}
JOINED = {"joint": {"connectedNode": 0, "joint": 0}}
STRONG = {
    "drives": [
        {"type": "linear", "mode": "acceleration", "axis": 0, "positionTarget": 1, "stiffness": 9}
    ],
    "limits": [{"angularAxes": [0, 1, 2], "min": 0, "max": 0}],
}
CONE = {"limits": [{"angularAxes": [0], "min": -1, "max": 1}, {"angularAxes": [1], "max": 1}]}
TOLD = {
    "trigger": (gltf(node("A", trigger=SOLID)), [("X40", "/nodes/0")]),
    "motor": (
        gltf(node("A"), node("B", motion=MOTION, collider=SOLID, **JOINED), physicsJoints=[MOTOR]),
        [("X41", "/nodes/1"), ("X42", "/nodes/1")],
    ),
    "moments of inertia without a mass": (
        gltf(node("A", motion={"inertiaDiagonal": [1, 2, 3]}, collider=SOLID)),
        [("X58", "/nodes/0")],
    ),
    "spin": (
        gltf(node("A", motion={**MOTION, "angularVelocity": [1, 0, 0]}, collider=SOLID)),
        [("X42", "/nodes/0")],
    ),
    "many systems": (
        gltf(node("A", collider={**SOLID, "collisionFilter": 0}), **FILTERS),
        [("X43", "collision filters")],
    ),
    "drive for any mass": (
        gltf(node("A"), node("B", motion=MOTION, collider=SOLID, **JOINED), physicsJoints=[STRONG]),
        [("X55", "/nodes/1")],
    ),
    "angles about several axes": (
        gltf(node("A"), node("B", motion=MOTION, collider=SOLID, **JOINED), physicsJoints=[CONE]),
        [("X42", "/nodes/1"), ("X56", "/nodes/1")],
    ),
    "mirrored taper": (
        gltf(node("A", below={"scale": [1, -1, 1]}, collider=SOLID), shapes=[TAPERED]),
        [("X44", "/nodes/0")],
    ),
    "sheared shape": (
        gltf(
            node("A", 1, below={"scale": [1, 2, 1]}, motion=MOTION, collider=SOLID),
            node("B", below={"rotation": [0, 0, 0.6, 0.8]}, collider=SOLID),
        ),
        [("X64", "/nodes/1")],
    ),
    "combine modes": (
        gltf(
            node("A", collider={**SOLID, "physicsMaterial": 0}),
            node("B", collider={**SOLID, "physicsMaterial": 1}),
            node("C", collider={**SOLID, "physicsMaterial": 2}),
            physicsMaterials=[
                {**DEFAULT, "frictionCombine": mode} for mode in ("maximum", "minimum", "average")
            ],
        ),
        [("X59", "/nodes/0"), ("X59", "/nodes/1")],
    ),
    "nothing": (gltf(node("A", motion=MOTION, collider=SOLID)), []),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_cannot_be_written_for_it_is_told(name):
    source, codes = TOLD[name]
    assert written(source)[1] == codes
    assert written(source, "SPECIFICATION")[1] == []


@pytest.mark.parametrize("name", TOLD)
def test_what_is_written_for_it_comes_back_as_authored(name):
    source, _ = TOLD[name]
    ours, _ = written(source)
    assert written(ours, "SPECIFICATION")[0] == written(source, "SPECIFICATION")[0]


def test_colliders_without_a_material_get_that_of_the_specification():
    ours, _ = written(gltf(node("A", collider=SOLID)))
    assert body(ours, 0)["collider"]["physicsMaterial"] == 0
    assert ours["extensions"][KHR]["physicsMaterials"] == [DEFAULT]


def test_planes_are_boxes_below_them():
    ours, _ = written(gltf(node("A", collider=SOLID), shapes=[PLANE]))
    assert [shape["type"] for shape in ours["extensions"][SHAPES]["shapes"]] == ["box"]
    (below,) = ours["nodes"][0]["children"]
    assert "collider" in body(ours, below)


def test_bodies_below_bodies_hang_beside_them():
    moved = {"translation": [0, 2, 0]}
    source = gltf(
        node("A", 1, below={"translation": [1, 0, 0]}, motion=MOTION, collider=SOLID),
        node("B", below=moved, motion=MOTION, collider=SOLID),
    )
    ours, _ = written(source)
    assert ours["scenes"][0]["nodes"] == [0, 1]
    assert ours["nodes"][1]["matrix"][12:15] == [1, 2, 0]


def test_bodies_below_static_ones_hang_beside_them():
    """The loader counts the joints of such a body to the static one above it."""
    source = gltf(
        node("Wall", 1, collider=SOLID),
        node("Door", 2, motion=MOTION, collider=SOLID),
        node("Hinge", **{"joint": {"connectedNode": 0, "joint": 0}}),
        physicsJoints=[FIXED],
    )
    ours, _ = written(source)
    assert ours["scenes"][0]["nodes"] == [0, 1]
    assert written(ours, "SPECIFICATION")[0] == written(source, "SPECIFICATION")[0]


def test_a_joint_is_connected_to_a_leaf_where_no_body_is():
    """The loader makes a static body of that node, to which it counts all joints below."""
    source = gltf(
        node("Root", 1),
        node("Door", 2, motion=MOTION, collider=SOLID),
        node("Hinge", **{"joint": {"connectedNode": 0, "joint": 0}}),
        physicsJoints=[FIXED],
    )
    ours, _ = written(source)
    assert ours["nodes"][0]["children"] == [1, 3]
    assert body(ours, 2)["joint"]["connectedNode"] == 3
    assert ours["nodes"][3] == {"name": "Root Pivot"}
    assert written(ours, "SPECIFICATION")[0] == written(source, "SPECIFICATION")[0]


def test_drives_without_a_force_are_left_out():
    weak = {**FIXED, "drives": [{**MOTOR["drives"][0], "maxForce": force} for force in (0, 1)]}
    source = gltf(
        node("A"), node("B", motion=MOTION, collider=SOLID, **JOINED), physicsJoints=[weak]
    )
    ours, _ = written(source)
    (settings,) = ours["extensions"][KHR]["physicsJoints"]
    assert [drive["maxForce"] for drive in settings["drives"]] == [1]
    assert written(ours, "SPECIFICATION")[0] == written(source, "SPECIFICATION")[0]


def test_an_infinite_mass_is_a_large_one():
    """Gravity pulls nothing in Havok whose mass is 0."""
    source = gltf(
        node("A", motion={"mass": 0}, collider=SOLID), node("B", motion={"mass": 3}, collider=SOLID)
    )
    ours, _ = written(source)
    assert body(ours, 0)["motion"]["mass"] == 3e6
    assert written(ours, "SPECIFICATION")[0] == written(source, "SPECIFICATION")[0]


def test_velocities_are_divided_by_the_scale_of_the_body():
    fast = {**MOTION, "linearVelocity": [4, 0, 0]}
    source = gltf(node("A", below={"scale": [2, 2, 2]}, motion=fast, collider=SOLID))
    assert body(written(source)[0], 0)["motion"]["linearVelocity"] == [2, 0, 0]
    flat = copy.deepcopy(source)
    flat["nodes"][0]["scale"] = [1, 2, 1]
    assert body(written(flat)[0], 0)["motion"]["linearVelocity"] == [4, 0, 0]
    flat["nodes"][0]["extensions"][KHR]["motion"] |= {
        "linearVelocity": [4, 4, 4],
        "angularVelocity": [0, 6, 0],
    }
    motion = body(written(flat)[0], 0)["motion"]
    assert (motion["linearVelocity"], motion["angularVelocity"]) == ([4, 2, 4], [0, 3, 0])


def test_velocities_below_a_sheared_node_are_along_the_axes_of_the_body():
    turn = [0, 0, math.sin(0.4), math.cos(0.4)]
    source = gltf(
        node("A", 1, below={"scale": [1, 2, 1]}),
        node("B", below={"rotation": turn}, motion={**MOTION, "linearVelocity": [1, 2, 3]}),
    )
    ours, _ = written(source)
    world = Tree.of(dialects.gltf_file(source)).world(1)
    linear = np.array(world).reshape(4, 4).T[:3, :3]
    moves = linear @ body(ours, 1)["motion"]["linearVelocity"]
    assert moves == pytest.approx(nearest_rotation(linear) @ (1, 2, 3))
    assert written(ours, "SPECIFICATION")[0] == written(source, "SPECIFICATION")[0]


def test_moments_of_inertia_are_divided_by_the_mass():
    """The loader multiplies them by it."""
    motion = {"mass": 4, "inertiaDiagonal": [1, 2, 0]}
    ours, told = written(gltf(node("A", motion=motion, collider=SOLID)))
    assert body(ours, 0)["motion"]["inertiaDiagonal"] == [0.25, 0.5, 0]
    assert body(ours, 0)["motion"]["mass"] == 4
    assert told == []
    assert body(written(ours, "SPECIFICATION")[0], 0)["motion"] == motion


@pytest.mark.parametrize("mass", [6, None])
def test_moments_are_those_about_the_center_that_is_given(mass):
    """Havok takes those about the center of the shapes."""
    motion = {"centerOfMass": [0, 0.5, 0], **({} if mass is None else {"mass": mass})}
    source = gltf(node("A", below={"scale": [2, 2, 2]}, motion=motion, collider=SOLID))
    ours, told = written(source)
    found = body(ours, 0)["motion"]
    assert found["mass"] == (mass or 8000)
    assert found["inertiaDiagonal"] == pytest.approx([5 / 3, 2 / 3, 5 / 3])
    assert told == []
    assert written(ours, "SPECIFICATION")[0] == written(source, "SPECIFICATION")[0]
    motion["centerOfMass"] = [0, 0, 0]
    assert "inertiaDiagonal" not in body(written(source)[0], 0)["motion"]


@pytest.mark.parametrize("gravity", [1.6, 9.8])
def test_gravity_of_the_world_is_told_where_it_is_another(gravity):
    source = gltf(node("A", motion=MOTION, collider=SOLID))
    source["extensions"]["OMI_physics_gravity"] = {"gravity": gravity}
    source["extensionsUsed"].append("OMI_physics_gravity")
    codes = [("X54", "world gravity")] if gravity == 1.6 else []
    assert written(source)[1] == codes


def test_a_joint_that_hangs_on_no_body_gets_one_that_stands_still():
    source = gltf(
        node("A", **{"joint": {"connectedNode": 1, "joint": 0}}),
        node("B", motion=MOTION, collider=SOLID),
        physicsJoints=[{"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}],
    )
    ours, _ = written(source)
    (anchor,) = ours["nodes"][0]["children"]
    assert "extensions" not in ours["nodes"][0]
    assert body(ours, anchor)["motion"] == {"isKinematic": True}
    assert body(ours, anchor)["joint"]["connectedNode"] == 1


SLIDER = [
    {"linearAxes": [0, 2], "min": 0, "max": 0},
    {"angularAxes": [0, 1, 2], "min": 0, "max": 0},
]
RANGE = {"linearAxes": [1], "min": -2, "max": 0.5}


@pytest.mark.parametrize(
    ("limits", "motion", "is_turned"),
    [
        ([*SLIDER, RANGE], {}, True),
        (SLIDER, {}, True),
        ([*SLIDER, {**RANGE, "min": -1}], {}, False),
        ([*SLIDER, RANGE], {"motion": MOTION}, False),
        ([SLIDER[0], RANGE, {"linearAxes": [1], "max": 0}], {}, False),
    ],
    ids=["far", "without an end", "near", "between two that move", "that turns freely"],
)
def test_sliders_are_written_from_the_side_that_stands_still(limits, motion, is_turned):
    """From the other one Havok bends what goes far."""
    source = gltf(
        node("Rail", 2, collider=SOLID, **motion),
        node("Arm", 3, motion=MOTION, collider=SOLID),
        node("Pivot"),
        node("Joint", joint={"joint": 0, "connectedNode": 2, "enableCollision": True}),
        physicsJoints=[{"limits": limits}],
    )
    ours, _ = written(source)
    (holder,) = (each for each in ours["nodes"] if "joint" in body_of(each))
    joint = body_of(holder)["joint"]
    (settings,) = ours["extensions"][KHR]["physicsJoints"]
    assert joint["enableCollision"] is True
    assert (joint["connectedNode"] == 3) == is_turned
    assert (holder["name"] != "Joint") == is_turned
    if RANGE in limits:
        ends = {"min": -0.5, "max": 2} if is_turned else {"min": -2, "max": 0.5}
        assert {**RANGE, **ends} in settings["limits"]
    assert written(ours, "SPECIFICATION")[0] == written(source, "SPECIFICATION")[0]


def test_two_sliders_on_one_pivot_stay_two():
    source = gltf(
        node("Rail", 1, collider=SOLID),
        node("Pivot"),
        node("A", motion=MOTION, collider=SOLID, joint={"joint": 0, "connectedNode": 1}),
        node("B", motion=MOTION, collider=SOLID, joint={"joint": 0, "connectedNode": 1}),
        physicsJoints=[{"limits": SLIDER}],
    )
    ours, _ = written(source)
    found = [
        body_of(each)["joint"]["connectedNode"]
        for each in ours["nodes"]
        if "joint" in body_of(each)
    ]
    assert sorted(found) == [2, 3]
    assert written(ours, "SPECIFICATION")[0] == written(source, "SPECIFICATION")[0]


def body_of(each):
    return each.get("extensions", {}).get(KHR, {})


def test_what_has_no_filter_is_in_a_system_of_its_own():
    """The loader takes it for part of all systems, so that what meets only some meets it, too."""
    ghosts = {"collisionFilters": [{"collisionSystems": ["g"], "collideWithSystems": ["g"]}]}
    ghost, other = {**SOLID, "collisionFilter": 0}, node("B", collider=SOLID)
    source = gltf(node("A", motion=MOTION, collider=ghost), other, **ghosts)
    ours, _ = written(source)
    assert body(ours, 0)["collider"]["collisionFilter"] == 0
    named = ours["extensions"][KHR]["collisionFilters"][
        body(ours, 1)["collider"]["collisionFilter"]
    ]
    assert named == {"collisionSystems": ["Without Filter"]}
    assert written(ours, "SPECIFICATION")[0] == written(source, "SPECIFICATION")[0]
    taken = {"collisionFilters": [{"notCollideWithSystems": ["Without Filter"]}]}
    ours, _ = written(gltf(node("A", motion=MOTION, collider=ghost), other, **taken))
    named = ours["extensions"][KHR]["collisionFilters"][
        body(ours, 1)["collider"]["collisionFilter"]
    ]
    assert named == {"collisionSystems": ["Without Filter_"]}


def test_what_has_a_filter_without_a_system_is_in_that_system_too():
    lists = {"collisionFilters": [{"collideWithSystems": ["g"]}]}
    source = gltf(node("A", collider={**SOLID, "collisionFilter": 0}), **lists)
    ours, _ = written(source)
    (named, _) = ours["extensions"][KHR]["collisionFilters"]
    assert named == {"collideWithSystems": ["g"], "collisionSystems": ["Without Filter"]}
    assert written(ours, "SPECIFICATION")[0] == written(source, "SPECIFICATION")[0]
    file = dialects.gltf_file(source)
    document, tree = dialects.read(file, Issues()), Tree.of(file)
    assert engines.taken_otherwise(engine_of("BABYLON"), document, tree, ()) == [0]


def test_filters_that_name_nothing_to_meet_need_no_system():
    parts = {"collisionFilters": [{"collisionSystems": ["a"]}]}
    ours, _ = written(gltf(node("A", collider=SOLID), **parts))
    assert "collisionFilter" not in body(ours, 0)["collider"]
