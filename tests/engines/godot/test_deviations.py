"""What is told of files for Godot, and how they are written for it."""

from __future__ import annotations

import dataclasses

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.convert import family_conversion
from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.engines import engine_of
from omi_physics_addon.engines.godot import deviations, repairs
from omi_physics_addon.engines.godot.codes import GodotCode
from omi_physics_addon.engines.godot.joints import kind_of, without_idle_motors
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.document import PhysicsDocument
from omi_physics_addon.model.joints import JointDrive, JointLimit, JointSettings
from tests.support.documents import body, gltf, how, read, write
from tests.support.godot_habits import HABITS

# What `deviations` tells of trees; the other codes are tried where they are found.
GODOT = {code.value for code in GodotCode if code.value < "X37"}
LINEAR = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0)


def told(json, **options):
    issues = Issues()
    rewriting.change(json, issues, how(**options))
    return [(issue.code, issue.pointer) for issue in issues if issue.code in GODOT]


def told_as_it_stands(json):
    issues, file = Issues(), dialects.gltf_file(json)
    document = dialects.read(file, Issues())
    place = "/nodes/{}".format
    deviations.check(document, Tree.of(file), issues, place, is_repaired=False)
    return [(issue.code, issue.pointer) for issue in issues]


@pytest.mark.parametrize("name", HABITS)
def test_what_godot_does_otherwise_is_known(name):
    habit = HABITS[name]
    assert told_as_it_stands(habit.json) == habit.codes


def test_moments_along_the_axes_of_the_body_need_no_orientation():
    motion = {"type": "dynamic", "mass": 1.0, "inertiaDiagonal": [1.0, 2.0, 3.0]}
    assert told_as_it_stands(gltf(body(motion=motion))) == []
    motion["inertiaOrientation"] = [0.6, 0.0, 0.0, 0.8]
    assert [code for code, _ in told_as_it_stands(gltf(body(motion=motion)))] == ["X24"]


@pytest.mark.parametrize("name", HABITS)
def test_what_cannot_be_written_for_godot_is_told(name):
    habit = HABITS[name]
    left = habit.codes if habit.left is None else habit.left
    assert told(habit.json, target="GODOT_4") == left


@pytest.mark.parametrize("name", HABITS)
def test_what_is_written_for_godot_comes_back_as_authored(name):
    plain = rewriting.change(HABITS[name].json, Issues(), WriteOptions())
    ours = rewriting.change(HABITS[name].json, Issues(), WriteOptions(target=engine_of("GODOT_4")))
    issues = Issues()
    again = rewriting.change(ours.json, issues, WriteOptions())
    assert (again.json, list(issues)) == (plain.json, [])


@pytest.mark.parametrize("name", HABITS)
def test_nothing_is_told_of_files_for_others(name):
    assert told(HABITS[name].json) == []


def test_every_habit_has_a_file():
    assert {code for habit in HABITS.values() for code, _ in habit.codes} == GODOT


def test_shared_settings_are_told_of_at_each_joint():
    json = HABITS["hinge about X"].json
    nodes = [*json["nodes"], *json["nodes"][2:]]
    nodes[4] = {**nodes[4], "children": [5]}
    assert told_as_it_stands({**json, "nodes": nodes}) == [("X32", "/nodes/3"), ("X32", "/nodes/5")]


def written(extension, target="GODOT_4", old_vehicle_names=False, **settings):
    key = {"wheel": "wheels", "thruster": "thrusters", "hover_thruster": "hoverThrusters"}
    name = f"OMI_vehicle_{extension}"
    document, _ = read(gltf(**{name: {key[extension]: [settings]}}))
    encoded, _ = write(document, target=target, old_vehicle_names=old_vehicle_names)
    again, issues = read(gltf(**encoded.root))
    assert (again, list(issues)) == (document, [])
    (out,) = encoded.root[name][key[extension]]
    return {key: value for key, value in out.items() if key not in settings}


WHEEL = {"maxPropulsionForce": 9, "targetPropulsionForceRatio": 0.5, "targetSteeringRatio": 1}
GIMBAL = {"targetGimbalRatio": [0.5, 0]}


@pytest.mark.parametrize("old_vehicle_names", [False, True])
def test_godot_gets_the_names_of_2025_that_it_can_read(old_vehicle_names):
    old = {"old_vehicle_names": old_vehicle_names}
    assert written("wheel", radius=1, **WHEEL, **old) == {
        "maxForce": 9,
        "currentForceRatio": 0.5,
        "currentSteeringRatio": 1,
    }
    thruster = {"maxForce": 5, "targetForceRatio": 0.5, **GIMBAL}
    assert written("thruster", **thruster, **old) == {"currentForceRatio": 0.5}
    assert written("hover_thruster", maxHoverEnergy=5, targetHoverRatio=0.5, **GIMBAL, **old) == {}


def test_names_of_2025_for_others_are_all_or_none():
    options = {"maxForce": 5, "targetForceRatio": 0.5, **GIMBAL, "target": "SPECIFICATION"}
    assert written("thruster", **options) == {}
    assert written("thruster", **options, old_vehicle_names=True) == {
        "currentForceRatio": 0.5,
        "currentGimbalRatio": [0.5, 0],
    }


def spring(axis=1, kind="angular", **members):
    return JointDrive(type=kind, axis=axis, position_target=1.0, stiffness=2.0, **members)


def hinge(axis, *drives):
    others = tuple(i for i in range(3) if i != axis)
    fixed = JointLimit(angular_axes=others, min=0.0, max=0.0)
    return JointSettings(limits=(LINEAR, fixed), drives=drives)


class TestIdleMotors:
    def drives(self, target, *drives, axis=1):
        document = PhysicsDocument(joint_settings=[hinge(axis, *drives)])
        encoded, _ = write(document, target=target)
        return encoded.root["OMI_physics_joint"]["physicsJoints"][0]["drives"]

    def test_only_godot_gets_springs_without_them(self):
        drive = spring(velocity_target=0.0, damping=3.0)
        (plain,) = self.drives("SPECIFICATION", drive)
        (ours,) = self.drives("GODOT_4", drive)
        assert plain.pop("velocityTarget") == 0
        assert ours == plain
        assert ours["damping"] == 3

    @pytest.mark.parametrize(
        "drive",
        [
            spring(velocity_target=2.0),
            JointDrive(type="angular", axis=1, velocity_target=0.0, damping=1.0),
            spring(),
        ],
    )
    def test_others_stay(self, drive):
        assert self.drives("GODOT_4", drive) == self.drives("SPECIFICATION", drive)

    def test_a_hinge_of_godot_keeps_it_because_it_breaks_without(self):
        settings = hinge(2, spring(2, velocity_target=0.0))
        assert kind_of(settings) == "HINGE"
        assert without_idle_motors(settings) is settings

    def test_khr_reads_the_same_of_what_godot_gets(self):
        document = PhysicsDocument(
            joint_settings=[hinge(1, spring(velocity_target=0.0, damping=3.0))]
        )
        encoded, _ = write(document, target="GODOT_4")
        again, _ = read(gltf(**encoded.root))
        assert family_conversion.to_khr(again, Tree([], []), Issues()) == document

    def test_way_between_the_families_leaves_them(self):
        drive = spring(velocity_target=0.0, damping=3.0)
        document = PhysicsDocument(joint_settings=[hinge(1, drive)])
        assert family_conversion.to_omi(document, Tree([], []), Issues()) == document


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        (JointSettings(limits=(LINEAR,)), "PIN"),
        (JointSettings(limits=(LINEAR,), drives=(spring(2),)), "GENERIC"),
        (JointSettings(limits=(LINEAR,), drives=(spring(0),)), "GENERIC"),
        (hinge(0), "SLIDER"),
        (hinge(1), "GENERIC"),
        (hinge(2), "HINGE"),
        (hinge(2, spring(2)), "HINGE"),
        (hinge(2, spring(1)), "GENERIC"),
        (hinge(0, spring(0)), "GENERIC"),
        (JointSettings(), "GENERIC"),
    ],
)
def test_joint_that_the_add_on_chooses(settings, kind):
    assert kind_of(settings) == kind


def told_codes(json, codes=("X4", "X5")):
    issues = Issues()
    rewriting.change(json, issues, WriteOptions(target=engine_of("GODOT_4")))
    return [(issue.code, issue.pointer) for issue in issues if issue.code.startswith(codes)]


def one_body(kind, **members):
    motion = {"type": kind, "mass": 1, **members.pop("motion", {})}
    node = {"name": "A", "extensions": {"OMI_physics_body": {"motion": motion}}, **members}
    return {**gltf(), "nodes": [node], "scenes": [{"nodes": [0]}]}


def test_drives_without_a_force_are_left_out():
    """Godot takes a largest force of 0 for none."""
    weak = JointDrive(type="linear", mode="force", axis=0, max_force=0.0, stiffness=9.0)
    strong = dataclasses.replace(weak, max_force=1.0)
    found, _ = repairs.for_godot(JointSettings(drives=(weak, strong)))
    assert [drive.max_force for drive in found.drives] == [1.0]


def test_what_godot_does_to_all_bodies_is_told_once():
    told = told_codes(HABITS["dynamic in dynamic"].json)
    assert told == [("X45", "/nodes/0"), ("X49", "/nodes/0")]
    assert told_codes(one_body("static")) == []


def test_joints_that_need_jolt_are_told_once():
    json = HABITS["hinge about X"].json
    more = [{**node, "name": f"Other {i}"} for i, node in enumerate(json["nodes"])]
    assert len(told_codes({**json, "nodes": [*json["nodes"], *more]}, ("X85",))) == 1
    assert not told_codes(HABITS["dynamic in dynamic"].json, ("X85",))


def test_kinematic_bodies_with_a_velocity_are_told():
    fast = {"linearVelocity": [1, 0, 0]}
    assert told_codes(one_body("kinematic", motion=fast)) == [("X46", "/nodes/0")]
    assert told_codes(one_body("kinematic")) == []


def test_mirrored_bodies_are_told():
    assert told_codes(one_body("kinematic", scale=[-1, 1, 1])) == [("X47", "/nodes/0")]
    assert told_codes(one_body("kinematic", scale=[2, 1, 1])) == []


def for_godot(json):
    return rewriting.change(json, Issues(), WriteOptions(target=engine_of("GODOT_4"))).json


WHEELS = {
    "maxPropulsionForce": 900,
    "radius": 0.3,
    "suspensionTravel": 0.3,
    "suspensionStiffness": 30000,
}


def car(mass, **settings):
    extensions = {"OMI_vehicle_wheel": {"wheel": 0}}
    wheel = {"name": "W", "translation": [1, 2, 3], "extensions": extensions}
    motion = {"type": "dynamic", "mass": mass}
    parts = {"OMI_physics_body": {"motion": motion}, "OMI_vehicle_body": {}}
    nodes = [{"name": "C", "children": [1], "extensions": parts}, wheel]
    return {
        **gltf(OMI_vehicle_wheel={"wheels": [{**WHEELS, **settings}]}),
        "nodes": nodes,
        "scenes": [{"nodes": [0]}],
    }


@pytest.mark.parametrize("mass", [300, 450])
def test_springs_of_wheels_carry_what_they_should(mass):
    """Godot's force is mass / 1000 · stiffness · how far, times (t + r) / (t + 2 r)."""
    ours = for_godot(car(mass))
    index = ours["nodes"][1]["extensions"]["OMI_vehicle_wheel"]["wheel"]
    wheel = ours["extensions"]["OMI_vehicle_wheel"]["wheels"][index]
    share = (0.3 + 0.3) / (0.3 + 2 * 0.3)
    assert wheel["suspensionStiffness"] * mass / 1000 * share == pytest.approx(30000)
    assert wheel["suspensionDampingRebound"] * mass / 1000 == pytest.approx(2000)
    back = rewriting.change(ours, Issues(), WriteOptions()).json
    assert back["extensions"]["OMI_vehicle_wheel"]["wheels"] == [WHEELS]


@pytest.mark.parametrize(("mass", "count"), [(480, 1), (520, 2), (3000, 10)])
def test_wheels_in_one_place_carry_what_one_cannot(mass, count):
    """A suspension of Godot makes 6000 N at most; each that shares is given half of that."""
    ours = for_godot(car(mass))
    places = [node for node in ours["nodes"] if "OMI_vehicle_wheel" in node.get("extensions", {})]
    assert len(places) == count
    assert len(ours["nodes"][0]["children"]) == count
    (index,) = {node["extensions"]["OMI_vehicle_wheel"]["wheel"] for node in places}
    wheel = ours["extensions"]["OMI_vehicle_wheel"]["wheels"][index]
    share = (0.3 + 0.3) / (0.3 + 2 * 0.3)
    assert count * wheel["suspensionStiffness"] * mass / 1000 * share == pytest.approx(30000)
    assert count * wheel["suspensionDampingRebound"] * mass / 1000 == pytest.approx(2000)
    assert count * wheel["maxForce"] == pytest.approx(900)
    assert [node["matrix"][12:15] for node in places[1:]] == [[1, 2, 3]] * (count - 1)
    back = rewriting.change(ours, Issues(), WriteOptions()).json
    assert back["nodes"] == rewriting.change(car(mass), Issues(), WriteOptions()).json["nodes"]
    assert back["extensions"]["OMI_vehicle_wheel"]["wheels"] == [WHEELS]


def test_a_vehicle_that_is_too_heavy_for_godots_wheels_is_told():
    """Twenty in the place of one are the most, and animated wheels stay alone."""

    def codes(json):
        issues = Issues()
        rewriting.change(json, issues, WriteOptions(target=engine_of("GODOT_4")))
        return [issue.code for issue in issues if issue.code == "X50"]

    assert codes(car(12000)) == []
    assert codes(car(12500)) == ["X50"]
    sampler = {"input": 0, "output": 1}
    channel = {"sampler": 0, "target": {"node": 1, "path": "translation"}}
    moved = {"animations": [{"samplers": [sampler], "channels": [channel]}]}
    assert codes({**car(600), **moved}) == []
    assert codes({**car(620), **moved}) == ["X50"]


def test_a_joint_to_what_is_no_body_gets_one_that_stands_still():
    """Godot takes the world for the other end, and counts angles the other way round."""
    json = HABITS["hinge about X"].json
    nodes = [*json["nodes"], {"name": "Hook"}]
    index = next(
        i for i, each in enumerate(nodes) if "OMI_physics_joint" in each.get("extensions", {})
    )
    joint = {"OMI_physics_joint": {"joint": 0, "connectedNode": len(nodes) - 1}}
    nodes[index] = {**nodes[index], "extensions": joint}
    roots = [*json["scenes"][0]["nodes"], len(nodes) - 1]
    ours = for_godot({**json, "nodes": nodes, "scenes": [{"nodes": roots}]})
    (anchor,) = (each for each in ours["nodes"] if each.get("name") == "Hook Anchor")
    assert anchor["extensions"]["OMI_physics_body"]["motion"] == {"type": "static"}


def test_angles_about_several_axes_are_told():
    cone = [{"angularAxes": [0], "min": -1, "max": 1}, {"angularAxes": [1], "max": 1}]
    json = HABITS["hinge about X"].json
    root = {"physicsJoints": [{"limits": cone}]}
    json = {**json, "extensions": {**json["extensions"], "OMI_physics_joint": root}}
    assert [code for code, _ in told_codes(json)] == ["X53", "X45", "X49"]
