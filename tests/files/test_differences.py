"""What two files mean differently, and what is only written differently."""

from __future__ import annotations

import copy
import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from omi_physics_addon.cli import main as cli
from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.gltf.containers import Container
from omi_physics_addon.files import differences, source
from omi_physics_addon.files.source import Source
from omi_physics_addon.issues import Issues
from tests.codec.rules import test_all_rules as rules
from tests.codec.rules.test_all_rules import BODY, HINGE, SHAPE, body, file, joined, node, solid
from tests.files.test_fixing import arrays, with_mesh
from tests.support import pace
from tools import environment

EXAMPLES = environment.ROOT / "examples"
Json = dict[str, Any]


def given(value: Json, name: str = "a.gltf") -> Source:
    return Source(Path("/nowhere") / name, Container(json={"asset": {}, **value}))


def named(value: Json, *names: str) -> Json:
    for at, name in zip(value["nodes"], names, strict=False):
        at["name"] = name
    return value


def changes(one: Json, other: Json, tolerance: float = 1e-5) -> list[str]:
    found = differences.compare(given(one), given(other), tolerance)
    return [str(change) for change in found.changes]


ROOM = named(file(body(1), solid(), body(kind="static")), "Crate", "Lid", "Floor")


def edited(change: Any, value: Json = ROOM) -> Json:
    value = copy.deepcopy(value)
    change(value)
    return value


def set_(*path: Any, to: Any) -> Any:
    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to

    return change


MOTION = ("nodes", 0, "extensions", BODY, "motion")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (set_(*MOTION, "mass", to=2.0), ["~ Crate: motion.mass: 1 -> 2"]),
        (set_(*MOTION, "type", to="kinematic"), ["~ Crate: motion.type: dynamic -> kinematic"]),
        (
            set_(*MOTION, "linearVelocity", to=[1, 0, 0]),
            ["~ Crate: motion.linearVelocity: (0, 0, 0) -> (1, 0, 0)"],
        ),
        (
            set_("nodes", 2, "translation", to=[0, 3, 0]),
            ["~ Floor: place: at (0, 0, 0) -> at (0, 3, 0)"],
        ),
        (
            set_("extensions", SHAPE, "shapes", 0, "box", to={"size": [1, 2, 1]}),
            [
                f"~ {name}: collider.shape.geometry.size: (1, 1, 1) -> (1, 2, 1)"
                for name in ("Crate", "Crate/Lid", "Floor")
            ],
        ),
        (
            set_("extensions", "OMI_physics_gravity", to={"gravity": 3.7}),
            [
                "+ (the file): worldGravity: present",
                "+ (the file): worldGravity.gravity: 3.7",
                "+ (the file): worldGravity.direction: (0, -1, 0)",
            ],
        ),
    ],
)
def test_what_differs_is_told_with_its_place(change, told):
    assert changes(ROOM, edited(change)) == told


def test_nodes_that_come_and_go():
    more = edited(lambda value: value["nodes"].append(solid() | {"name": "Vase"}))
    assert changes(ROOM, more) == ["+ Vase: collider"]
    assert changes(more, ROOM) == ["- Vase: collider"]


def test_an_extension_without_a_member_says_nothing():
    bare = edited(set_("nodes", 1, "extensions", to={}))
    empty = edited(set_("nodes", 1, "extensions", BODY, to={}))
    assert changes(empty, bare) == changes(bare, empty) == []
    assert changes(ROOM, empty) == ["- Crate/Lid: collider"]


def shuffled(value: Json) -> None:
    """Other numbers for nodes and shapes, and defaults spelled out."""
    value["nodes"] = [
        value["nodes"][2],
        value["nodes"][1],
        value["nodes"][0] | {"children": [1]},
    ]
    value["extensions"][SHAPE]["shapes"] = [
        {"type": "sphere", "sphere": {}},
        {"type": "box", "box": {"size": [1, 1, 1]}},
    ]
    for at in value["nodes"]:
        at["extensions"][BODY]["collider"]["shape"] = 1
    value["nodes"][2]["extensions"][BODY]["motion"]["linearVelocity"] = [0, 0, 0]


def test_order_and_spelling_make_no_difference():
    assert changes(ROOM, edited(shuffled)) == []


def test_numbers_within_the_tolerance_are_equal():
    near = edited(set_(*MOTION, "mass", to=1.0005))
    assert changes(ROOM, near, 1e-3) == []
    assert len(changes(ROOM, near, 1e-5)) == 1


def test_a_quaternion_and_its_negative_are_one_rotation():
    turn = [0.6, 0.0, 0.0, 0.8]
    inertia = {"inertiaDiagonal": [1, 1, 1]}
    one = file(body(motion=inertia | {"inertiaOrientation": turn}))
    other = file(body(motion=inertia | {"inertiaOrientation": [-v for v in turn]}))
    assert changes(one, other) == []


def test_joints_are_compared_by_what_they_hold():
    one = named(joined(HINGE), "A", "B", "Hinge", "End")
    other = edited(lambda value: value["nodes"].append(node() | {"name": "Else"}), one)
    other["nodes"][2]["extensions"]["OMI_physics_joint"]["connectedNode"] = 4
    assert changes(one, one) == []
    assert changes(one, other) == ["~ A/Hinge: joint.connectedNode: B/End -> Else"]


def test_a_joint_whose_end_moved_in_the_tree_with_its_body_is_the_same():
    """Ends have no physics of their own, by which they would be found again."""
    one = named(joined(HINGE), "A", "B", "Hinge", "End")
    other = edited(lambda value: value["nodes"].append({"name": "Group", "children": [1]}), one)
    assert changes(one, other) == []


def test_meshes_are_compared_by_their_corners():
    def tetrahedron(points: Any = None) -> Json:
        corners, faces = arrays(rules.tetrahedron())
        return with_mesh({"type": "convex", "convex": {"mesh": 0}}, points or corners, faces)

    corners = arrays(rules.tetrahedron())[0]
    moved = [[2.0, 0.0, 0.0], *corners[1:]]
    assert changes(tetrahedron(), tetrahedron()) == []
    (told,) = changes(tetrahedron(), tetrahedron(moved))
    assert told.startswith("~ node 0: collider.shape.geometry.mesh: mesh of 4 triangles")


def test_a_node_that_moved_in_the_tree_is_the_same():
    apart = edited(set_("nodes", 0, "children", to=[]))
    assert changes(ROOM, apart) == []


@pytest.mark.parametrize("name", ["car", "joints", "khr", "vehicles", "gravity", "everything"])
def test_a_file_written_anew_means_the_same(name):
    one = source.read(EXAMPLES / f"{name}.glb")
    new = rewriting.change(one.json, Issues(), WriteOptions()).json
    other = Source(one.path, Container(json=new, chunks=one.container.chunks))
    assert differences.compare(one, other, 1e-9).changes == ()


def test_every_change_by_chance_is_found():
    one = source.read(EXAMPLES / "vehicles.glb")
    for seed in range(20):
        chance = random.Random(seed)
        value = copy.deepcopy(one.json)
        wheels = value["extensions"]["OMI_vehicle_wheel"]["wheels"]
        settings = chance.choice(wheels)
        key = chance.choice([key for key, v in settings.items() if isinstance(v, (int, float))])
        if key == "physicsMaterial":
            continue
        settings[key] += 0.5
        found = differences.compare(one, Source(one.path, Container(json=value)), 1e-5).changes
        assert {change.key.rpartition(".")[2] for change in found} == {key}


def write(folder: Path, name: str, value: Json) -> str:
    path = folder / name
    path.write_text(json.dumps({"asset": {}, **value}))
    return str(path)


def test_exit_codes_and_json(tmp_path, capsys):
    one = write(tmp_path, "one.gltf", ROOM)
    other = write(tmp_path, "other.gltf", edited(set_(*MOTION, "mass", to=2.0)))
    assert cli.main(["diff", one, one]) == 0
    assert capsys.readouterr().out == "one.gltf and one.gltf mean the same\n"
    assert cli.main(["diff", one, other, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)["report"]
    (change,) = report["changes"]
    assert change == {
        "node": "Crate",
        "key": "motion.mass",
        "kind": "changed",
        "before": 1.0,
        "after": 2.0,
    }
    assert cli.main(["diff", one, str(tmp_path / "none.gltf")]) == 2
    assert cli.main(["diff", one, other, "--tolerance", "-1"]) == 2


def test_a_page_shows_strings_as_text(tmp_path):
    other = edited(set_("nodes", 0, "name", to="<script>alert(1)</script>"))
    one, other = write(tmp_path, "one.gltf", ROOM), write(tmp_path, "<b>.gltf", other)
    page = tmp_path / "page.html"
    assert cli.main(["diff", one, other, "--html", str(page), "--quiet"]) == 1
    text = page.read_text(encoding="utf-8")
    assert "alert(1)" in text
    assert "<td>Removed</td>" in text
    assert "<td>Added</td>" in text
    assert "<script" not in text
    assert "<b>" not in text


def seconds(count: int) -> float:
    value = file(*(body() for _ in range(count)))
    start = time.thread_time()
    assert differences.compare(given(value), given(value), 1e-5).changes == ()
    return time.thread_time() - start


def test_the_time_grows_as_the_files_do():
    seconds(20)
    pace.check_growth(seconds, 100, 1000, most=40.0)  # A square would take 100.
