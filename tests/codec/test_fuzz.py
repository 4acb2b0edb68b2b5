"""Documents of all kinds come back as they were, and no file of any kind brings the codec down.

`OMI_PHYSICS_TESTS=thorough` looks longer, and at other examples every time.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import math
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from omi_physics_addon.codec.values import carried
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import (
    Collider,
    CollisionFilter,
    Motion,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import (
    FilterIndex,
    MaterialIndex,
    MeshIndex,
    NodeIndex,
    ShapeIndex,
)
from omi_physics_addon.model.shapes import Box, Capsule, Convex, Cylinder, Shape, Sphere, Trimesh
from tests.support.documents import (
    BODY,
    COLLIDER,
    DATA,
    SHAPE,
    found,
    gltf,
    leads_somewhere,
    load,
    read,
    rewrite,
    through_text,
    worst,
    write,
)

TIMES = 60 if os.environ.get("OMI_PHYSICS_TESTS") == "thorough" else 1


def fuzzed(examples: int) -> settings:
    """How long to look: so many examples, or many more by request."""
    return settings(
        max_examples=examples * TIMES,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def as_written(document: PhysicsDocument) -> PhysicsDocument:
    """The same without what waits for a shape to travel beside: no file can hold it."""
    if document.shapes:
        return document
    texts = {name: text for name, text in document.carried.items() if name != SHAPE}
    return dataclasses.replace(document, carried=texts)


# (a) Valid documents.

NODES, MESHES = 5, 3
numbers = st.floats(allow_nan=False, allow_infinity=False)
positive = st.floats(min_value=0.0, exclude_min=True, allow_infinity=False)
sizes = st.floats(min_value=0.0, allow_infinity=False)
triples = st.tuples(numbers, numbers, numbers)
directions = st.tuples(*[st.floats(-1.0, 1.0)] * 4)
texts = st.text(max_size=8)
json_values = st.recursive(
    st.booleans() | st.integers(-(2**70), 2**70) | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
# No specification will ever name these.
foreign_keys = texts.map("vendor/~{}".format) | st.sampled_from(["extras", "extensions"])


carried_texts = (
    st.dictionaries(foreign_keys, json_values, max_size=2)
    .filter(lambda m: m.get("extras") != {})
    .map(carried.pack)
)


def unit(quaternion: tuple[float, ...]) -> tuple[float, ...]:
    length = math.hypot(*quaternion)
    assume(length > 1e-3)
    return tuple(number / length for number in quaternion)


# Strategies stand outside of what draws from them: Hypothesis checks each new one once more.
types = st.sampled_from(["static", "kinematic", "dynamic"])
positive_triples = st.tuples(positive, positive, positive)
units = directions.map(unit)


@st.composite
def motions(draw: st.DrawFn) -> Motion:
    turned = draw(st.booleans())
    inertia = draw(positive_triples) if turned else None
    return Motion(
        type=draw(types),
        mass=draw(positive),  # OMI gives zero no meaning.
        center_of_mass=draw(triples),
        inertia_diagonal=inertia,
        inertia_orientation=draw(units) if turned else Motion.inertia_orientation,
        linear_velocity=draw(triples),
        angular_velocity=draw(triples),
        gravity_factor=draw(numbers),
        carried=draw(carried_texts),
    )


@functools.cache
def indices(kind: Callable[[int], Any], count: int) -> st.SearchStrategy[Any]:
    """Nothing, or an index into a list."""
    return st.sampled_from([None, *map(kind, range(count))])


round_kinds = st.sampled_from([Capsule, Cylinder])
end_sizes = st.tuples(sizes, sizes).filter(any)


@st.composite
def round_shapes(draw: st.DrawFn) -> Capsule | Cylinder:
    bottom, top = draw(end_sizes)
    text = draw(carried_texts)
    kind = draw(round_kinds)
    return kind(height=draw(positive), radius_bottom=bottom, radius_top=top, carried=text)


meshes = st.integers(0, MESHES - 1).map(MeshIndex)
geometries = st.one_of(
    st.builds(Box, size=positive_triples, carried=carried_texts),
    st.builds(Sphere, radius=positive, carried=carried_texts),
    round_shapes(),
    st.builds(Convex, mesh=meshes, carried=carried_texts),
    st.builds(Trimesh, mesh=meshes, carried=carried_texts),
)
materials = st.builds(
    PhysicsMaterial,
    static_friction=sizes,
    dynamic_friction=sizes,
    restitution=sizes,
    friction_combine=st.sampled_from(["average", "minimum", "maximum", "multiply"]),
    restitution_combine=st.sampled_from(["average", "minimum", "maximum", "multiply"]),
    name=texts,
    carried=carried_texts,
)
systems = st.lists(texts, max_size=3).map(tuple)
filters = st.builds(
    CollisionFilter,
    collision_systems=systems,
    collide_with_systems=systems,
    not_collide_with_systems=systems,
    name=texts,
    carried=carried_texts,
).filter(lambda f: not (f.collide_with_systems and f.not_collide_with_systems))


shape_lists = st.lists(
    st.builds(Shape, geometry=geometries, name=texts, carried=carried_texts), max_size=3
)
material_lists = st.lists(materials, max_size=2)
filter_lists = st.lists(filters, max_size=2)
parts = st.lists(st.integers(0, NODES - 1).map(NodeIndex), min_size=1, unique=True).map(tuple)


@functools.cache
def node_lists(
    shapes: int, physics_materials: int, collision_filters: int
) -> st.SearchStrategy[dict[int, NodePhysics]]:
    """The nodes of documents with so many of each."""
    filter_ = indices(FilterIndex, collision_filters)
    colliders = st.builds(
        Collider,
        shape=indices(ShapeIndex, shapes),
        physics_material=indices(MaterialIndex, physics_materials),
        collision_filter=filter_,
        carried=carried_texts,
    )
    triggers = st.builds(Trigger, nodes=parts, carried=carried_texts)
    if shapes:
        shape = st.sampled_from([ShapeIndex(at) for at in range(shapes)])
        triggers |= st.builds(Trigger, shape=shape, collision_filter=filter_, carried=carried_texts)
    nodes = st.builds(
        NodePhysics,
        motion=st.none() | motions(),
        collider=st.none() | colliders,
        trigger=st.none() | triggers,
        carried=carried_texts.map(lambda text: ((BODY, text),) if text else ()),
    )
    return st.dictionaries(st.integers(0, NODES - 1), nodes.filter(bool), max_size=NODES)


@st.composite
def documents(draw: st.DrawFn) -> PhysicsDocument:
    document = PhysicsDocument(
        shapes=draw(shape_lists),
        physics_materials=draw(material_lists),
        collision_filters=draw(filter_lists),
        carried={name: text for name in (BODY, SHAPE) if (text := draw(carried_texts))},
    )
    if not document.shapes:
        document.carried.pop(SHAPE, None)
    counts = (document.shapes, document.physics_materials, document.collision_filters)
    document.nodes = dict(sorted(draw(node_lists(*map(len, counts))).items()))
    return document


EMPTY = gltf(*[{}] * NODES, mesh_count=MESHES)


@fuzzed(100)
@given(documents())
def test_valid_document_comes_back(document):
    json = rewrite(EMPTY, document)
    again, issues = read(json)
    assert again == document
    # A mass of nothing is allowed and told.
    assert [issue for issue in worst(issues) if issue.code != "B05z"] == []


@fuzzed(50)
@given(documents())
def test_nothing_is_written_that_no_specification_allows(document):
    encoded, _ = write(document)
    assert not {-1, math.inf, None} & set(leaves_of_ours(encoded.root, encoded.nodes))
    lists = ("shapes", "physicsMaterials", "collisionFilters")
    for extension in encoded.root.values():
        assert [key for key in lists if extension.get(key) == []] == []


def leaves_of_ours(*values: Any) -> Iterator[Any]:
    """Every index among the members of ours, and every value that no JSON holds."""
    for value in values:
        if isinstance(value, dict):
            for key, item in value.items():
                if key in ("shape", "nodes", "mesh", "physicsMaterial", "collisionFilter"):
                    yield from item if isinstance(item, list) else [item]
                yield from leaves_of_ours(item)
        elif isinstance(value, list):
            yield from leaves_of_ours(*value)
        elif value is None or (isinstance(value, float) and math.isinf(value)):
            yield value


@fuzzed(50)
@given(documents())
def test_capsules_for_godot_come_back_but_for_rounding(document):
    again, _ = read(rewrite(EMPTY, document, target="GODOT_4"))
    assert again.nodes == document.nodes
    for shape, other in zip(again.shapes, document.shapes, strict=True):
        one, two = shape.geometry, other.geometry
        if isinstance(two, Capsule):
            assert isinstance(one, Capsule)
            assert one.radius_top == two.radius_top
            full = two.height + 2.0 * two.radius_top
            assert (
                math.isclose(one.height + 2.0 * one.radius_top, full)
                or math.isinf(full)
                or (
                    one.height == 1e-6  # What is left of a capsule that is hardly longer than wide.
                )
            )
        else:
            assert one == two


# (b) Files with faults.


def deep(depth: int, wrap: Callable[[Any], Any]) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = wrap(value)
    return value


# By name, so that an example can be printed.
JUNK: dict[str, Callable[[], Any]] = {
    "null": lambda: None,
    "true": lambda: True,
    "false": lambda: False,
    "0": lambda: 0,
    "-1": lambda: -1,
    "1": lambda: 1,
    "-2": lambda: -2,
    "0.5": lambda: 0.5,
    "1.0": lambda: 1.0,
    "-0.0": lambda: -0.0,
    "99": lambda: 99,
    "2**63": lambda: 2**63,
    "10**400": lambda: 10**400,
    "-10**5000": lambda: -(10**5000),
    "1e308": lambda: 1e308,
    "5e-324": lambda: 5e-324,
    "1e400": lambda: math.inf,
    "-1e400": lambda: -math.inf,
    "NaN": lambda: math.nan,
    "empty text": lambda: "",
    "word": lambda: "trigger",
    "text": lambda: "box",
    "number as text": lambda: "1",
    "huge text": lambda: "x" * 100_000,
    "surrogate": lambda: "\ud800",
    "bytes": lambda: "\x00\xff\u202e",
    "empty list": list,
    "empty object": dict,
    "nulls": lambda: [None] * 3,
    "short list": lambda: [1],
    "long list": lambda: list(range(1000)),
    "numbers": lambda: [1, 2, 3],
    "four": lambda: [0, 0, 0, 2],
    "zeros": lambda: [0, 0, 0, 0],
    "huge numbers": lambda: [1e308] * 4,
    "tensor": lambda: [1e308] * 9,
    "infinite list": lambda: [1, math.inf, 3],
    "words": lambda: ["a", 1, None],
    "same index": lambda: [1, 1, 0, 0],
    "indices beyond": lambda: [0, 99, -1, -99],
    "shape": lambda: {"type": "capsule", "capsule": {"radius": -1}},
    "object": lambda: {"type": "rigid", "shape": 0, "nodes": [0], "extras": {"a": 1}},
    "deep list": lambda: deep(20_000, lambda value: [value]),
    "deep object": lambda: deep(20_000, lambda value: {"a": value}),
    "a bit deep": lambda: deep(carried.DEEPEST - 1, lambda value: [value]),
}
WEIRD_KEYS = [
    "", "/", "~", "~1", "a/b~c", "\x00", "\ud800", "0", "type", "extras", "extensions", "name",
    "shape", "nodes", "mesh", "motion", "radius", "hull", "box", "isTrigger", "inertiaTensor",
    "collider", "kept", "x" * 10_000,
]  # fmt: skip
EXTENSIONS = [BODY, SHAPE, COLLIDER]

FILES = {path.stem: load(path) for path in sorted(DATA.glob("*/*.gltf"))}
Step = tuple[Any, Any]


def places(json: Any) -> list[Step]:
    """Every member and item of a file that is not part of its pictures and buffers."""
    out: list[Step] = []
    stack = [json[key] for key in ("nodes", "extensions", "meshes") if key in json]
    out += [(json, key) for key in ("nodes", "extensions", "meshes") if key in json]
    while stack:
        value = stack.pop()
        keys: Any = (
            list(value)
            if isinstance(value, dict)
            else range(len(value))
            if isinstance(value, list)
            else ()
        )
        for key in keys:
            out.append((value, key))
            stack.append(value[key])
    return out


file_names = st.sampled_from(sorted(FILES))
step_lists = st.lists(
    st.tuples(
        st.integers(0, 10_000),
        st.sampled_from(["set", "set", "set", "delete", "key", "append", "copy", "extension"]),
        st.sampled_from(sorted(JUNK)),
    ),
    min_size=1,
    max_size=4,
)


@st.composite
def mutations(draw: st.DrawFn) -> tuple[str, list[tuple[int, str, str]]]:
    """A file, and what to do to it: at which place (of those there are then), what, with what."""
    return draw(file_names), draw(step_lists)


def mutate(json: dict[str, Any], steps: list[tuple[int, str, str]]) -> dict[str, Any]:
    """A copy of `json` after some mishaps."""
    json = copy.deepcopy(json)
    for at, what, junk in steps:
        found_places = places(json)
        if not found_places:
            break
        holder, key = found_places[at % len(found_places)]
        value = holder[key]
        if what == "delete":
            del holder[key]
        elif what == "key" and isinstance(value, dict):
            value[WEIRD_KEYS[at % len(WEIRD_KEYS)]] = JUNK[junk]()
        elif what == "append" and isinstance(value, list):
            value.append(JUNK[junk]())
        elif what == "copy" and isinstance(value, list):
            value.extend(list(value))
        elif what == "extension" and isinstance(value, dict):
            value[EXTENSIONS[at % len(EXTENSIONS)]] = JUNK[junk]()
        else:
            holder[key] = JUNK[junk]()
    return json


def assert_told(json: dict[str, Any], issues: Issues) -> None:
    """That every issue is short and leads into the file."""
    # Pointers spell half a surrogate pair out.
    pointers = [issue.pointer for issue in issues if "\\ud800" not in issue.pointer]
    assert [pointer for pointer in pointers if not leads_somewhere(pointer, json)] == []
    assert [issue for issue in issues if len(issue.message) > 300] == []


@fuzzed(500)
@given(mutations())
def test_no_file_brings_the_codec_down(mutation):
    name, steps = mutation
    json = mutate(FILES[name], steps)
    document, issues = read(json)
    assert_told(json, issues)

    for options in ({}, {"repair": True}, {"target": "GODOT_4"}):
        rewrite(json, document, **options)
    first = rewrite(json, document)
    assume("X17" not in write(document)[1].codes())  # What led nowhere is told and left out.
    again, _ = read(first)
    assert again == as_written(document)
    assert rewrite(json, again) == first


@fuzzed(150)
@given(mutations())
def test_a_repaired_file_needs_no_more_repair(mutation):
    name, steps = mutation
    json = mutate(FILES[name], steps)
    document, _ = read(json)
    repaired = rewrite(json, document, repair=True)
    again, _ = read(repaired)
    assert rewrite(json, again, repair=True) == repaired


# Members with a fixed type, by the places they stand in.
def known_members(json: dict[str, Any]) -> list[tuple[str, Any, str]]:
    """Pointer, holder and key of every member of ours in a valid file of today's form."""
    out: list[tuple[str, Any, str]] = []
    for i, shape in enumerate(json["extensions"].get(SHAPE, {}).get("shapes", [])):
        at = f"/extensions/{SHAPE}/shapes/{i}"
        out += [(at, shape, "type"), (at, shape, shape["type"])]
        sub = shape[shape["type"]]
        out += [(f"{at}/{shape['type']}", sub, key) for key in sub if key != "radius"]
    for key in ("physicsMaterials", "collisionFilters"):
        for i, item in enumerate(json["extensions"].get(BODY, {}).get(key, [])):
            out += [(f"/extensions/{BODY}/{key}/{i}", item, member) for member in item]
    for i, node in enumerate(json["nodes"]):
        extension = node.get("extensions", {}).get(BODY, {})
        for part, members in extension.items():
            at = f"/nodes/{i}/extensions/{BODY}"
            out.append((at, extension, part))
            out += [(f"{at}/{part}", members, key) for key in members if key != "extras"]
    return out


TODAY = load(DATA / "dialects" / "O7_materials_and_filters.expected.gltf")
KINDS = {str: "text", bool: "flag", int: "number", float: "number", list: "list", dict: "object"}


@fuzzed(250)
@given(st.integers(0, 10_000), st.sampled_from(sorted(JUNK)))
def test_a_member_of_another_type_is_always_reported(at, junk):
    json = copy.deepcopy(TODAY)
    members = known_members(json)
    pointer, holder, key = members[at % len(members)]
    value = JUNK[junk]()
    assume(KINDS.get(type(value)) != KINDS[type(holder[key])])
    holder[key] = value
    _, issues = read(json)
    assert [p for _, p in found(issues) if p.startswith(f"{pointer}/{key}") or p == pointer]


files_of_today = st.sampled_from(
    [name for name, file in FILES.items() if "G09" not in read(file)[1].codes()]
)


@fuzzed(150)
@given(files_of_today, st.data(), step_lists)
def test_other_nodes_are_read_as_without_the_fault(name, data, steps):
    json = copy.deepcopy(FILES[name])
    before, _ = read(json)
    node = data.draw(st.integers(0, len(json["nodes"]) - 1))
    part = {"nodes": [{"extensions": json["nodes"][node].get("extensions", {})}]}
    json["nodes"][node]["extensions"] = mutate(part, steps)
    after, _ = read(json)
    assert {i: p for i, p in after.nodes.items() if i != node} == {
        i: p for i, p in before.nodes.items() if i != node
    }
    assert len(after.shapes) >= len(before.shapes)


trees = st.integers(1, 6).flatmap(
    lambda count: st.lists(
        st.tuples(
            st.lists(st.integers(-1, count), max_size=4),
            st.sampled_from(
                [{}, {"type": "trigger"}, {"type": "rigid"}, {"trigger": {"nodes": [0, 1, 0]}}]
            ),
            st.sampled_from([{}, {"collider": 0}, {"collider": 1}]),
        ),
        min_size=count,
        max_size=count,
    )
)


@fuzzed(150)
@given(trees)
def test_trees_with_cycles_and_shared_children(tree):
    colliders = [{"type": "box", "size": [1, 1, 1]}, {"type": "sphere", "isTrigger": True}]
    nodes = [
        {
            "children": children,
            "extensions": {
                **({BODY: body} if body else {}),
                **({COLLIDER: collider} if collider else {}),
            },
        }
        for children, body, collider in tree
    ]
    json = gltf(*nodes, OMI_collider={"colliders": colliders})
    document, _ = read(json)
    for physics in document.nodes.values():
        nodes_below = physics.trigger.nodes if physics.trigger else ()
        assert len(set(nodes_below)) == len(nodes_below)
    again, _ = read(rewrite(json, document))
    assert again == document


@fuzzed(50)
@given(json_values)
def test_any_json_in_place_of_an_extension(value):
    for name in EXTENSIONS:
        json = gltf({"extensions": {name: value}}, {}, **{name: value})
        document, issues = read(json)
        assert all(leads_somewhere(issue.pointer, json) for issue in issues)
        assert read(rewrite(json, document))[0] == as_written(document)


def test_through_text_refuses_what_is_not_finite():
    try:
        through_text({"a": math.inf})
    except ValueError:
        return
    raise AssertionError("the tests above would not notice infinite numbers")


def node_with(**extensions: Any) -> dict[str, Any]:
    return {"extensions": extensions}


LIMIT = {"linearAxes": [0], "angularAxes": [1, 7], "min": 0, "max": 0}
FOUND = {
    "huge gimbal ratio": gltf(
        OMI_vehicle_thruster={"thrusters": [{"maxForce": 1, "targetGimbalRatio": [1e308, 1e308]}]}
    ),
    "deep object of another gravity": gltf(
        node_with(
            OMI_physics_gravity={
                "type": "point",
                "gravity": 9,
                "point": {},
                "disc": JUNK["deep object"](),
            }
        )
    ),
    "infinite object of another gravity": gltf(
        node_with(
            OMI_physics_gravity={"type": "point", "gravity": 9, "point": {}, "disc": math.inf}
        )
    ),
    "limit of two kinds of axes, one of them faulty": gltf(
        OMI_physics_joint={"physicsJoints": [{"limits": [LIMIT]}]}
    ),
    "seat that is none before a body": gltf(
        node_with(OMI_seat={"back": 1}, OMI_physics_body={"mystery": 1})
    ),
    "line of nothing": gltf(node_with(OMI_physics_gravity={"type": "line", "gravity": 9})),
    "drive of a long name": gltf(
        OMI_physics_joint={"physicsJoints": [{"drives": [{"type": "x" * 1000}]}]}
    ),
    "settings beside an unusable index": gltf(
        node_with(OMI_vehicle_wheel={"wheel": 9, "radius": 1})
    ),
}


@pytest.mark.parametrize("json", FOUND.values(), ids=FOUND)
def test_found_by_fuzzing(json):
    document, issues = read(json)
    assert_told(json, issues)
    assert len(issues)
    assert read(rewrite(json, document))[0] == document
