"""Fixes of files: their issues go, and nothing new comes."""

from __future__ import annotations

import base64
import copy
import functools
import struct
import time
from pathlib import Path
from typing import Any

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.convert.draft import Draft
from omi_physics_addon.codec.gltf.containers import Container
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.files import checking, fixing, source
from omi_physics_addon.files.fixes import FIXES
from omi_physics_addon.files.fixes.fix import Patient
from omi_physics_addon.files.source import Source
from omi_physics_addon.issue_codes import CATALOGUE, Severity
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.document import PhysicsDocument
from tests.codec.rules import test_all_rules as rules
from tests.simulation.start.test_start_check import STARTING_BADLY
from tests.support import pace
from tests.support.documents import DATA, load
from tools.random_runs import random_fixes

PATHS = [*(DATA / "specified" / "rules").glob("*.gltf"), *(DATA / "faults").glob("*.gltf")]
Json = dict[str, Any]

# Codes of files that no fix of theirs can mend without another fault, and why.
KEPT = {
    "B03": "there is no mesh that could be solid",
    "J11": "without its only limit the settings say nothing",
    "J14": "without its only limit the settings say nothing",
    "S22": "without its shape the body has none",
    "E07": "its trigger is scaled with it",
    "V02": "the triggers that it lists would not be below the new node",
    "V12": "two points that are one are no line",
    "S31": "the numbers of the mesh are not there",
    "S15": "the numbers of the mesh are not there",
}


def given(json: Json) -> Source:
    """A file of a parsed glTF, whose nodes are all in a scene."""
    json = {"asset": {"version": "2.0"}, **copy.deepcopy(json)}
    json.pop("arrays", None)
    nodes = json.get("nodes", [])
    below = {child for node in nodes for child in node.get("children", [])}
    json.setdefault("scenes", [{"nodes": [k for k in range(len(nodes)) if k not in below]}])
    return Source(Path("/nowhere/file.gltf"), Container(json=json))


def files() -> dict[str, Source]:
    """The files of all tests of rules, by a name that begins with the code they are about."""
    found = {path.stem: given(load(path)) for path in sorted(PATHS) if path.stem != "G04"}
    found["G04"] = source.read(DATA / "specified" / "rules" / "G04.gltf")
    found |= {f"{code}_rule": given(make()) for code, make in rules.BROKEN.items()}
    return found | {f"{code}_start": given(make()) for code, (make, _) in STARTING_BADLY.items()}


FILES = files()


def codes(issues: Any) -> dict[str, int]:
    return dict(issues.codes())


@functools.cache
def fixed_file(name: str, *, infos: bool) -> fixing.Fixed:
    return fixing.fix(FILES[name], infos=infos)


@pytest.mark.parametrize("name", FILES)
def test_a_fix_takes_its_issue_away_and_brings_no_new_one(name):
    code = name.partition("_")[0]
    before = codes(checking.check(FILES[name]).issues)
    fixed = fixed_file(name, infos=True)
    after = codes(fixed.left)
    assert {c for c in after if after[c] > before.get(c, 0)} <= NEW.get(name, set())
    if code in FIXES and before.get(code):
        assert after.get(code, 0) == 0 or code in KEPT
    if code not in after and code in before:
        assert code in {repair.issue.code for repair in fixed.repairs}


@pytest.mark.parametrize("name", FILES)
def test_one_call_does_all_that_can_be_done_and_a_second_one_changes_nothing(name):
    for infos in (False, True):
        once = fixed_file(name, infos=infos)
        twice = fixing.fix(once.source, infos=infos)
        assert twice.repairs == []
        assert twice.source.json == once.source.json


def test_examples_are_mended_once():
    for path in sorted((random_fixes.ROOT / "examples").glob("*.glb")):
        once = fixing.fix(source.read(path), infos=True)
        assert fixing.fix(once.source, infos=True).source.json == once.source.json


def doors(count: int) -> Source:
    """Joints of which each has a limit without axes; every third has another one that holds."""
    empty, good = {"min": 0, "max": 0}, {"min": 0, "max": 0, "linearAxes": [0, 1, 2]}
    json = load(DATA / "specified" / "rules" / "J11.gltf")
    kinds = [{"limits": [empty, good] if k % 3 == 0 else [empty]} for k in range(count)]
    json["extensions"][rules.JOINT]["physicsJoints"] = kinds
    for k in range(1, count):
        joint = copy.deepcopy(json["nodes"][3])
        joint["extensions"][rules.JOINT]["joint"] = k
        json["nodes"][1]["children"].append(len(json["nodes"]))
        json["nodes"].append(joint)
    return given(json)


def test_what_can_be_mended_is_mended_beside_what_cannot_in_few_tries(monkeypatch):
    tries: list[int] = []
    check = checking.check
    monkeypatch.setattr(checking, "check", lambda *given: tries.append(0) or check(*given))
    spent: list[int] = []
    for count in (8, 32):
        file = doors(count)
        assert codes(check(file).issues)["J11"] == count
        tries.clear()
        fixed = fixing.fix(file)
        spent.append(len(tries))
        assert codes(fixed.left)["J11"] == sum(k % 3 != 0 for k in range(count))
    assert spent[1] <= spent[0] + 2 * 2 * 2  # Two for each doubling, at most in two rounds.


@pytest.mark.parametrize(
    "children", [[[0], {}, "x"], [0], [7.5, 10**400]], ids=["lists", "itself", "numbers"]
)
def test_children_that_are_none_do_not_end_it(children):
    """Looked through where a fix is to blame for something below a node."""
    file = doors(4)
    file.json["nodes"][0]["children"] = children
    file.json["nodes"].append({"children": [len(file.json["nodes"]) - 1]})
    assert codes(fixing.fix(file).left)["J11"] == 2


# Infos that come with a fix, as nothing can be said for both.
NEW: dict[str, set[str]] = {"V03": {"V24"}, "V03_rule": {"V24"}}


def test_the_file_that_is_given_stays_as_it_was():
    for name in ("C07", "B19", "J15_min_above_max"):
        if name in FILES:
            before = copy.deepcopy(FILES[name].json)
            fixing.fix(FILES[name])
            assert FILES[name].json == before


def test_what_is_right_is_not_written_anew():
    for path in sorted((DATA / "specified" / "good").glob("*.gltf")):
        file = source.read(path)
        fixed = fixing.fix(file)
        assert fixed.source is file
        assert fixed.repairs == []


def test_a_body_is_unparented_in_a_file_without_scenes():
    file = given(rules.BROKEN["B04"]())
    del file.json["scenes"]
    fixed = fixing.fix(file, infos=True)
    assert "B04" not in codes(fixed.left)
    assert "scenes" not in fixed.source.json


def test_infos_are_left_unless_asked_for():
    file = FILES["J36_rule"]
    assert fixing.fix(file).repairs == []
    (repair,) = fixing.fix(file, infos=True).repairs
    assert str(repair).endswith(
        "nothing in the file uses this entry; it can be removed: remove them"
    )


def test_only_some_codes():
    json = rules.material(staticFriction=0.1, dynamicFriction=0.2)
    json["nodes"].append(rules.body(kind="static", motion={"linearVelocity": [1, 0, 0]}))
    fixed = fixing.fix(given(json), only=["C07"])
    assert [repair.issue.code for repair in fixed.repairs] == ["C07"]
    assert codes(fixed.left).keys() >= {"B14"}


def test_both_families_are_set_right():
    json = rules.two_families()
    json["extensions"]["OMI_physics_body"]["physicsMaterials"][0]["dynamicFriction"] = 0.9
    other = json["extensions"]["KHR_physics_rigid_bodies"]["physicsMaterials"][0]
    other["dynamicFriction"] = 0.9
    fixed = fixing.fix(given(json))
    for name in ("OMI_physics_body", "KHR_physics_rigid_bodies"):
        row, other = fixed.source.json["extensions"][name]["physicsMaterials"]
        assert (row["staticFriction"], row.get("dynamicFriction", 0.6)) == (0.9, 0.6)
        assert (other["staticFriction"], other.get("dynamicFriction", 0.6)) == (0.7, 0.6)


def with_mesh(shape: Json, points: Any, faces: Any, *, pieces: int = 1) -> Json:
    """A solid of a mesh whose numbers stand in the file."""
    data = struct.pack(f"<{3 * len(points)}f", *(x for p in points for x in p))
    order = struct.pack(f"<{3 * len(faces)}I", *(i for f in faces for i in f))
    uri = base64.b64encode(data + order).decode()
    json = rules.file(rules.solid(rules.CONVEX))
    json["extensions"][rules.SHAPE]["shapes"][-1] = shape
    json["buffers"] = [
        {"byteLength": len(data + order), "uri": f"data:application/octet-stream;base64,{uri}"}
    ]
    json["bufferViews"] = [
        {"buffer": 0, "byteLength": len(data)},
        {"buffer": 0, "byteOffset": len(data), "byteLength": len(order)},
    ]
    json["accessors"] = [
        {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3"},
        {"bufferView": 1, "componentType": 5125, "count": 3 * len(faces), "type": "SCALAR"},
    ]
    json["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}] * pieces}]
    return json


CONVEX = {"type": "convex", "convex": {"mesh": 0}}
TRIMESH = {"type": "trimesh", "trimesh": {"mesh": 0}}


@pytest.mark.parametrize(
    ("code", "json"),
    [
        ("S14", lambda: with_mesh(CONVEX, *arrays(rules.ball(300)))),
        ("S15", lambda: with_mesh(TRIMESH, *arrays(rules.tetrahedron()), pieces=2)),
        ("S37", lambda: with_mesh(TRIMESH, *arrays(rules.tetrahedron(inward=True)))),
    ],
)
def test_collision_meshes_are_made_anew_beside_the_old_ones(code, json):
    file = given(json())
    assert code in codes(checking.check(file).issues)
    fixed = fixing.fix(file)
    assert codes(fixed.left).keys() <= {"S25", "S27"}
    assert fixed.source.json["meshes"][0] == file.json["meshes"][0]
    assert len(fixed.source.json["meshes"]) == 2
    assert fixed.source.json["buffers"][0] == file.json["buffers"][0]


def arrays(mesh: Any) -> tuple[Any, Any]:
    return mesh[0].tolist(), mesh[1].tolist()


def test_an_infinite_body_becomes_kinematic():
    motion = {"mass": 0, "inertiaDiagonal": [0, 0, 0]}
    fixed = fixing.fix(given(rules.khr(motion=motion)))
    assert "B07" not in codes(fixed.left)
    motion = fixed.source.json["nodes"][0]["extensions"][rules.KHR_BODY]["motion"]
    assert motion == {"isKinematic": True}


@pytest.mark.parametrize("code", sorted(FIXES))
def test_every_fix_has_words_and_a_code(code):
    assert code in CATALOGUE
    assert len(FIXES[code].words) > 5
    assert FIXES[code].words[-1] not in ".\n"


def test_spoiled_examples_are_mended_without_harm():
    assert [wrong for *_, wrong in random_fixes.run(seed=11, count=6) if wrong] == []


def test_the_random_run_tells_what_a_fix_must_not_do(monkeypatch):
    file = FILES["C07_rule"]
    assert random_fixes.faults(file) == []
    unmended = fixing.Fixed(
        file,
        [fixing.Repair(i, "") for i in checking.check(file).issues],
        checking.check(file).issues,
    )
    monkeypatch.setattr(fixing, "fix", lambda *_, **__: unmended)
    assert random_fixes.faults(file)[0] == "not mended: C07"


def test_severities_are_in_the_order_of_their_weight():
    fixed = fixing.fix(FILES["B19_rule"], infos=True)
    order = list(Severity)
    found = [order.index(repair.issue.severity) for repair in fixed.repairs]
    assert found == sorted(found)


def many(code: str, count: int) -> Json:
    """A file in which a fix has something to do at each of so many places."""
    made = list(range(1, count + 1))
    if code == "S27":
        json = rules.file(*(rules.solid() for _ in range(count)))
        json["extensions"][rules.SHAPE]["shapes"] *= count
        for k, node in enumerate(json["nodes"]):
            node["extensions"][rules.BODY]["collider"]["shape"] = k
        return json
    if code == "V03":
        return rules.file(rules.group(*made, children=tuple(made)), *(volume() for _ in made))
    if code == "V14":
        return rules.file(*(volume() for _ in made))
    joints = {rules.JOINT: {"physicsJoints": [rules.HINGE]}}
    ends = [
        rules.body(**{rules.JOINT: {"joint": 0, "connectedNode": (k + 1) % count}})
        for k in range(count)
    ]
    return rules.file(*ends, **joints)


def volume() -> Json:
    gravity = {"type": "point", "point": {"unitDistance": 1.0}, "gravity": 1.0}
    return rules.area(**{rules.GRAVITY: gravity})


def applied(code: str, count: int) -> tuple[PhysicsDocument, float]:
    """What a fix makes of so many places, and the seconds that it took."""
    file = dialects.gltf_file(given(many(code, count)).json)
    draft = Draft(dialects.read(file, Issues()), Tree.of(file), Issues())
    patient = Patient(draft, lambda _mesh: None)
    fix = FIXES[code]
    start = time.thread_time()
    done = [fix.apply(patient, at) for at in range(count)]
    assert sum(done) >= count - 1
    patient.drop()
    return draft.document, time.thread_time() - start


@pytest.mark.parametrize("code", ["S27", "V03", "V14", "J07"])
def test_the_time_of_fixes_grows_with_their_number(code):
    pace.check_growth(lambda count: applied(code, count)[1], 100, 1000, most=30.0)  # A square: 100.


def test_what_other_places_name_follows():
    count = 5
    alike, _ = applied("S27", count)
    assert len(alike.shapes) == 1
    assert [node.collider.shape for node in alike.nodes.values()] == [0] * count
    volumes, _ = applied("V14", count)
    assert sorted(node.gravity.priority for node in volumes.nodes.values()) == [1, 2, 3, 4, 5]
    joined, _ = applied("J07", count)
    joints = {at: node.joint for at, node in joined.nodes.items() if node.joint}
    assert sorted(joints) == [5, 6, 7, 8, 9]
    assert sorted(joint.connected_node for joint in joints.values()) == [5, 6, 7, 8, 9]


def test_meshes_on_bodies_are_put_on_children_where_it_is_asked_for():
    node = {"mesh": 0, "extensions": {"OMI_physics_body": {"collider": {"shape": 0}}}}
    shapes = {"OMI_physics_shape": {"shapes": [{"type": "box", "box": {"size": [1, 1, 2]}}]}}
    used = ["OMI_physics_body", "OMI_physics_shape"]
    json = {"nodes": [node], "meshes": [{"primitives": []}], "extensions": shapes}
    source = given({**json, "extensionsUsed": used})
    assert fixing.fix(source).source is source
    fixed = fixing.fix(source, only=["X74"])
    (repair,) = fixed.repairs
    assert (repair.issue.code, repair.words) == ("X74", "write it anew")
    body, child = fixed.source.json["nodes"]
    assert ("mesh" in body, child["mesh"], body["children"]) == (False, 0, [1])
    assert "X74" not in {issue.code for issue in fixed.left}
