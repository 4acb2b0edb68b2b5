"""MJCF as it is written: MuJoCo takes it, and what it cannot say is told."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from omi_physics_addon.formats import mjcf_writer, turns
from omi_physics_addon.formats.robots import Link, Part, Pose, Robot, RobotJoint
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import CollisionFilter, PhysicsMaterial
from omi_physics_addon.model.joints import JointSettings
from omi_physics_addon.model.shapes import Capsule, Plane
from omi_physics_addon.simulation.world import Mesh
from tests.formats.test_urdf_writer import BALL, HINGE, JOINTS, OPEN, SHAPES, driven, made


def written(robot: Robot) -> tuple[ElementTree.Element, list[str]]:
    """The root of what is written, which MuJoCo takes, and what is told."""
    mujoco = pytest.importorskip("mujoco")
    issues = Issues()
    content, files = mjcf_writer.write(robot, Path("r.xml"), issues)
    mujoco.MjModel.from_xml_string(content.decode())
    assert files == {}
    told = [f"{each.code} {each.pointer}: {each.message}" for each in issues]
    return ElementTree.fromstring(content), told


@pytest.mark.parametrize(
    ("settings", "kinds"),
    [
        (turns.settings({}, {}), []),
        (turns.settings({}, {1: (-1.0, 2.0)}), ["hinge"]),
        (turns.settings({2: (0.0, 2.0)}, {}), ["slide"]),
        (turns.settings({0: OPEN, 1: OPEN}, {2: OPEN}), ["slide", "slide", "hinge"]),
        (JOINTS["ball"], ["ball"]),
        (JOINTS["piston"], ["slide", "hinge"]),
    ],
)
def test_joints_are_those_of_mujoco(settings: JointSettings, kinds: list[str]) -> None:
    root, told = written(made(settings))
    assert [each.get("type") for each in root.iter("joint")] == kinds
    assert told == []


@pytest.mark.parametrize("name", ["soft", "rope"])
def test_joints_that_mjcf_lacks_are_told(name: str) -> None:
    root, told = written(made(JOINTS[name]))
    assert [*root.iter("joint")] == []
    assert len([*root.iter("freejoint")]) == 1
    assert told == [
        'X80 /nodes/2: the joint "j" is left out, because MJCF has no soft limits, distances or '
        "cones; its link moves freely"
    ]


@pytest.mark.parametrize(("form", "code", "_tags"), SHAPES.values(), ids=SHAPES)
def test_shapes_are_those_of_mujoco(form: object, code: str, _tags: object) -> None:
    _, told = written(made(HINGE, form))  # type: ignore[arg-type]
    is_known = isinstance(form, Capsule)
    assert [each.partition(" ")[0] for each in told] == ([code] if code and not is_known else [])


def test_a_plane_that_rests_stays_one() -> None:
    robot = made(HINGE)
    robot.links[0].parts.append(Part("ground", Plane(size_x=4.0), Pose()))
    root, told = written(robot)
    assert next(each.get("size") for each in root.iter("geom")) == "2 0 1"
    assert told == []


def test_drives_are_springs_or_actuators() -> None:
    root, _ = written(made(driven(stiffness=3.0, position_target=0.5, damping=1.0)))
    (joint,) = root.iter("joint")
    assert (joint.get("stiffness"), joint.get("springref"), joint.get("damping")) == (
        "3", "0.5", "1"
    )  # fmt: skip
    root, _ = written(made(driven(damping=2.0, velocity_target=4.0, max_force=5.0)))
    (actuator,) = root.iter("general")
    assert (actuator.get("biasprm"), actuator.get("forcerange")) == ("8 0 -2", "-5 5")


def test_filters_become_masks() -> None:
    robot = made(HINGE)
    one = CollisionFilter(collision_systems=("a",), not_collide_with_systems=("b",))
    other = CollisionFilter(collision_systems=("b",))
    robot.links[1].parts += [
        Part("one", BALL, Pose(), filter=one),
        Part("other", BALL, Pose(), filter=other),
    ]
    root, _ = written(robot)
    masks = {
        each.get("name"): (int(each.get("contype", "1")), int(each.get("conaffinity", "1")))
        for each in root.iter("geom")
    }

    def hits(a: str, b: str) -> bool:
        return bool(masks[a][0] & masks[b][1] or masks[b][0] & masks[a][1])

    assert hits("shape", "one")
    assert hits("shape", "other")
    assert hits("one", "one")
    assert not hits("one", "other")


def test_surfaces_are_told() -> None:
    robot = made(HINGE)
    rough = PhysicsMaterial(restitution=0.5, static_friction=0.9, name="rubber")
    robot.links[1].parts.append(Part("pad", BALL, Pose(), rough))
    root, told = written(robot)
    assert [each.get("friction") for each in root.iter("geom")][-1] == "0.6"
    assert told == [
        f'X80 /nodes/1: the {what} of the physics material "rubber" of "pad" is left out, because '
        "MJCF has no place for it"
        for what in ("restitution", "static friction", "combine mode")
    ]


@pytest.mark.parametrize(
    ("settings", "tags"),
    [
        (turns.settings({}, {}), ["weld"]),
        (turns.settings({}, {0: OPEN}), ["connect", "connect"]),
        (JOINTS["ball"], ["connect"]),
        (turns.settings({0: OPEN}, {}), []),
    ],
)
def test_loops_are_constraints(settings: JointSettings, tags: list[str]) -> None:
    robot = made(HINGE)
    robot.joints.append(RobotJoint("k", "/nodes/3", 0, 1, Pose(), Pose(), settings))
    root, told = written(robot)
    found = root.find("equality")
    assert [each.tag for each in (found if found is not None else ())] == tags
    assert bool(told) == (not tags)


def test_a_bridge_between_two_that_stand_ends_in_a_constraint() -> None:
    robot = made(HINGE)
    robot.links.append(Link("pier", Pose(), "/nodes/4", "static"))
    far = RobotJoint("k", "/nodes/5", 1, 2, Pose(), Pose(), JOINTS["ball"])
    robot.joints.append(far)
    root, told = written(robot)
    assert [each.get("name") for each in root.iter("joint")] == ["j"]
    assert [(each.get("body1"), each.get("body2")) for each in root.iter("connect")] == [
        ("arm", "pier")
    ]
    assert told == []


def test_a_body_without_a_joint_is_free() -> None:
    root, told = written(made())
    assert [each.get("name") for each in root.iter("freejoint")] == ["arm_free"]
    assert told == []


def test_gravity_is_written() -> None:
    robot = made(HINGE)
    robot.gravity = (0.0, 1.0, -1.6)
    robot.links[1].gravity_factor = 0.25
    root, told = written(robot)
    assert [each.get("gravity") for each in root.iter("option")] == ["0 1 -1.6"]
    assert [each.get("gravcomp") for each in root.iter("body")] == [None, "0.75"]
    assert told == []


def test_an_impossible_inertia_is_balanced_and_told() -> None:
    robot = made(HINGE)
    robot.links[1].tensor = np.diag([1.0, 1.0, 4.0])
    _, told = written(robot)
    assert [each.partition(" ")[0] for each in told] == ["B09"]


def test_a_trimesh_is_told() -> None:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    robot = made(HINGE, Mesh(corners, faces, is_convex=False))
    _, told = written(robot)
    assert told == [
        'X81 /nodes/1: the trimesh "shape" is written as its convex hull, because MJCF has none'
    ]


def test_a_link_named_like_another_thing_is_found() -> None:
    robot = Robot("r", [Link("j", Pose(), "/nodes/0", mass=1.0, tensor=np.eye(3))])
    robot.links[0].parts += [Part("j", BALL, Pose()), Part("j", BALL, Pose())]
    root, _ = written(robot)
    assert [each.get("name") for each in root.iter("geom")] == ["j", "j_2"]


def test_a_link_that_moves_is_not_named_as_the_world() -> None:
    robot = made(HINGE)
    robot.links[1].name = "world"
    robot.links.append(Link("world_2", Pose(), "/nodes/3", mass=1.0, tensor=np.eye(3)))
    root, _told = written(robot)
    assert [each.get("name") for each in root.iter("body")] == ["base", "world_2", "world_2_2"]
