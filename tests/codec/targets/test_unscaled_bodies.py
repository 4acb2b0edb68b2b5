"""Scaled bodies that move are not scaled in files for Godot, and all stays where it is seen."""

from __future__ import annotations

import copy

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.targets import authored, engines
from omi_physics_addon.codec.values.node_tree import IDENTITY, Tree
from omi_physics_addon.engines import engine_of
from omi_physics_addon.engines.godot import scan
from omi_physics_addon.issues import Issues

BODY = "OMI_physics_body"
BOX = {"type": "box", "box": {"size": [1, 1, 1]}}
BALL = {"type": "sphere", "sphere": {"radius": 1}}
HULL = {"type": "convex", "convex": {"mesh": 0}}
MOTION = {"type": "dynamic", "mass": 1}
SOLID = {"shape": 0}
TURNED = [0.0, 0.0, 0.3826834323650898, 0.9238795325112867]


def node(name, *children, below=None, **body):
    out = {"name": name, **(below or {})}
    if body:
        out["extensions"] = {BODY: body}
    return {**out, "children": list(children)} if children else out


def gltf(*nodes, shape=BOX, **more):
    below = {child for each in nodes for child in each.get("children", ())}
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [i for i in range(len(nodes)) if i not in below]}],
        "nodes": list(nodes),
        "meshes": [{"primitives": []}],
        "extensionsUsed": [BODY, "OMI_physics_shape"],
        "extensions": {"OMI_physics_shape": {"shapes": [shape]}},
        **more,
    }


def written(source, target="GODOT_4"):
    return rewriting.change(source, Issues(), WriteOptions(target=engine_of(target))).json


def at(json, name):
    (found,) = (i for i, each in enumerate(json["nodes"]) if each.get("name") == name)
    return found, json["nodes"][found]


def world(json, index):
    return Tree.of(dialects.gltf_file(json)).world(index)


def body(each):
    return each.get("extensions", {}).get(BODY, {})


EVEN, UNEVEN = {"scale": [2, 2, 2]}, {"scale": [1, 2, 4], "translation": [1, 2, 3]}
SCALED = gltf(node("Floor"), node("A", below=UNEVEN, motion=MOTION, collider=SOLID))


def test_a_new_node_is_the_body_and_the_old_one_hangs_below():
    ours = written(SCALED)
    index, new = at(ours, "A")
    assert ours["scenes"][0]["nodes"] == [0, index]
    assert body(new)["motion"]["type"] == "dynamic"
    assert world(ours, index)[12:15] == (1, 2, 3)
    assert world(ours, index)[:12] == IDENTITY[:12]
    old = new["children"][0]
    assert ours["nodes"][old]["name"] == "A Scaled"
    assert body(ours["nodes"][old]) == {}
    assert world(ours, old) == world(SCALED, 1)


@pytest.mark.parametrize(
    ("shape", "scale", "size"),
    [
        (BOX, [1, 2, 4], {"size": [1, 2, 4]}),
        (BALL, [2, 2, 2], {"radius": 2}),
        (BALL, [1, 1, 8], {"radius": pytest.approx(2)}),
    ],
)
def test_sizes_have_the_scale(shape, scale, size):
    source = gltf(node("A", below={"scale": scale}, motion=MOTION, collider=SOLID), shape=shape)
    ours = written(source)
    _, new = at(ours, "A")
    found = ours["extensions"]["OMI_physics_shape"]["shapes"][body(new)["collider"]["shape"]]
    assert found[shape["type"]] == size


def test_a_hull_stays_on_its_scaled_node():
    ours = written(gltf(node("A", below=EVEN, motion=MOTION, collider=SOLID), shape=HULL))
    _, new = at(ours, "A")
    assert "collider" not in body(new)
    assert body(ours["nodes"][new["children"][0]])["collider"] == SOLID


def test_the_center_of_mass_is_where_it_was():
    motion = {**MOTION, "centerOfMass": [1, 1, 1]}
    ours = written(gltf(node("A", below=UNEVEN, motion=motion, collider=SOLID)))
    assert body(at(ours, "A")[1])["motion"]["centerOfMass"] == [1, 2, 4]


def test_shapes_of_children_hang_directly_below_the_body():
    child = node("C", below={"translation": [1, 0, 0]}, collider=SOLID)
    source = gltf(node("A", 1, below=EVEN, motion=MOTION), child)
    ours = written(source)
    index, new = at(ours, "A")
    (shape,) = (i for i in new["children"] if "collider" in body(ours["nodes"][i]))
    assert world(ours, shape) == world(source, 1)
    assert index == at(ours, "C Shape")[0] - 1


def test_below_a_scaled_node_the_body_hangs_in_the_scene():
    place = {"rotation": TURNED}
    source = gltf(
        node("Empty", 1, below=UNEVEN), node("A", below={}, motion=MOTION, collider=SOLID)
    )
    ours = written(source)
    index, _ = at(ours, "A")
    assert ours["scenes"][0]["nodes"] == [0, index]
    assert world(ours, at(ours, "A Scaled")[0]) == world(source, 1)
    moved = copy.deepcopy(source)
    moved["nodes"][0] = node("Empty", 1, below=place)
    moved["nodes"][1]["scale"] = [2, 2, 2]
    ours = written(moved)
    assert at(ours, "A")[0] in ours["nodes"][0]["children"]


def animated(source, index):
    channel = {"sampler": 0, "target": {"node": index, "path": "translation"}}
    samplers = [{"input": 0, "output": 1}]
    return {**source, "animations": [{"channels": [channel], "samplers": samplers}]}


def part(name, *children, below=None, **extensions):
    """A node with other physics than a body's."""
    return {**node(name, *children, below=below), "extensions": extensions}


WHEEL = {"OMI_vehicle_wheel": {"wheel": 0}}
THRUSTER = {"OMI_vehicle_thruster": {"thruster": 0}}
VEHICLE = {
    BODY: {"motion": MOTION, "collider": SOLID},
    "OMI_vehicle_body": {"linearDampeners": True, "pilotSeat": 4},
}
SEAT = {"back": [0, 0, 0], "knee": [0, 0, 1], "foot": [0, -1, 1]}


def vehicle(above=None, wheel=None):
    """A car with a wheel, a thruster and a seat, below an empty."""
    made = gltf(
        node("Empty", 1, below=EVEN if above is None else above),
        part("Car", 2, 3, 4, below={"translation": [0, 1, 0]}, **VEHICLE),
        part("Wheel", below={"translation": [1, 0, 0], **(wheel or {})}, **WHEEL),
        part("Thruster", below={"translation": [0, 0, -1]}, **THRUSTER),
        part("Seat", OMI_seat=SEAT),
    )
    wheels = {"wheels": [{"radius": 0.5}]}
    made["extensions"] |= {
        "OMI_vehicle_wheel": wheels,
        "OMI_vehicle_thruster": {"thrusters": [{"maxForce": 10}]},
    }
    made["extensionsUsed"] += ["OMI_vehicle_body", "OMI_seat", *made["extensions"]]
    return made


@pytest.mark.parametrize(
    "source",
    [vehicle(), vehicle(UNEVEN), vehicle({}, {"scale": [2, 2, 2]})],
    ids=["scaled", "scaled unevenly", "scaled wheel"],
)
def test_vehicles_and_their_parts_have_no_scale(source):
    ours = written(source)
    car, new = at(ours, "Car")
    assert "OMI_vehicle_body" in new["extensions"]
    assert world(ours, car)[:12] == IDENTITY[:12]
    wheel, made = at(ours, "Wheel")
    assert wheel in new["children"]
    assert made["extensions"].keys() == WHEEL.keys()
    assert ours["extensions"]["OMI_vehicle_wheel"]["wheels"][0]["radius"] == 0.5
    for index, name in ((wheel, "Wheel"), (at(ours, "Thruster")[0], "Thruster")):
        assert world(ours, index)[:12] == IDENTITY[:12]
        assert world(ours, index)[12:] == pytest.approx(world(source, at(source, name)[0])[12:])
    shown = at(ours, "Wheel Scaled")[0]
    assert world(ours, shown) == pytest.approx(world(source, 2))
    pilot = new["extensions"]["OMI_vehicle_body"]["pilotSeat"]
    assert world(ours, pilot) == pytest.approx(world(source, 4))


def test_a_mirrored_wheel_stays_mirrored():
    ours = written(vehicle(wheel={"scale": [-1, 1, 1]}))
    assert world(ours, at(ours, "Wheel")[0])[:12] == (-1, *IDENTITY[1:12])


def test_a_wheel_that_is_animated_stays_where_it_is():
    source = animated(vehicle(), 2)
    ours = written(source)
    assert "OMI_vehicle_wheel" in ours["nodes"][2]["extensions"]
    assert ours["nodes"][2]["translation"] == [1, 0, 0]


MOVING = {"motion": MOTION, "collider": SOLID}
STAYS = {
    "it is animated": animated(SCALED, 1),
    "it is a bone": {**SCALED, "skins": [{"joints": [1]}]},
    "it is static": gltf(node("A", below=EVEN, motion={"type": "static"}, collider=SOLID)),
    "it is mirrored": gltf(node("A", below={"scale": [-2, 2, 2]}, **MOVING)),
    "nothing is left of it": gltf(node("A", below={"scale": [0, 2, 2]}, **MOVING)),
    "a shape of it is sheared": gltf(
        node("A", 1, below=UNEVEN, motion=MOTION),
        node("C", below={"rotation": TURNED}, collider=SOLID),
    ),
    "what it hangs on is animated": animated(
        gltf(node("Empty", 1, below=UNEVEN), node("A", motion=MOTION, collider=SOLID)), 0
    ),
}


@pytest.mark.parametrize("why", STAYS)
def test_it_stays_where(why):
    ours = written(STAYS[why])
    assert len(ours["nodes"]) == len(STAYS[why]["nodes"])
    assert not [each for each in ours["nodes"] if "Scaled" in each["name"]]


def two_scenes():
    made = gltf(node("A", below=EVEN, **MOVING), node("Other"))
    return {**made, "scenes": [{"nodes": [0]}, {"nodes": [1]}]}


SEVERAL = gltf(
    node("A", 3, below=EVEN, **MOVING),
    node("B", below=UNEVEN, **MOVING),
    node("Floor", collider=SOLID),
    node("C", 4, below={"translation": [0, 3, 0]}, **MOVING),
    node("D", below={"translation": [1, 0, 0]}, collider=SOLID),
)
NAMELESS = gltf({k: v for k, v in node("A", below=EVEN, **MOVING).items() if k != "name"})
BACK = {
    "scaled": SCALED,
    "several": SEVERAL,
    "nameless": NAMELESS,
    "two scenes": two_scenes(),
    "vehicle": vehicle(),
    "scaled wheel": vehicle({}, {"scale": [2, 2, 2]}),
}


@pytest.mark.parametrize("name", BACK)
def test_it_comes_back_as_authored(name):
    source = copy.deepcopy(BACK[name])
    ours = written(source)
    assert source == BACK[name]
    issues = Issues()
    assert authored.restore(ours, issues).json == BACK[name]
    assert list(issues) == []
    assert written(ours) == ours


@pytest.mark.parametrize("name", [*BACK, *STAYS])
def test_the_cheap_look_finds_the_same(name):
    file = dialects.gltf_file({**BACK, **STAYS}[name])
    document, tree = dialects.read(file, Issues()), Tree.of(file)
    tree.bones = {1} if name == "it is a bone" else ()
    exact = engines.taken_otherwise(engine_of("GODOT_4"), document, tree, ())
    assert sorted(scan.taken(document, tree)) == exact
