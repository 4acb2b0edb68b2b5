"""URDF as it is written: what it says, and what is told that it cannot say."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from omi_physics_addon.formats import turns, urdf_reader, urdf_writer
from omi_physics_addon.formats.robots import Link, Part, Pose, Robot, RobotJoint
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import CollisionFilter, PhysicsMaterial
from omi_physics_addon.model.fields import AxisIndex
from omi_physics_addon.model.joints import JointDrive, JointLimit, JointSettings
from omi_physics_addon.model.shapes import Box, Capsule, Cylinder, Plane, Sphere
from omi_physics_addon.simulation.world import Form, Mesh

OPEN = (None, None)
BALL = Sphere(radius=0.1)


def made(
    settings: JointSettings | None = None, form: Form = BALL, child: Pose | None = None
) -> Robot:
    """A base and an arm with one collider."""
    arm = Link("arm", child or Pose(), "/nodes/1", mass=2.0, tensor=np.diag([1.0, 2.0, 2.5]))
    arm.parts.append(Part("shape", form, Pose(np.array([0.0, 0.0, 1.0]))))
    robot = Robot("r", [Link("base", Pose(), "/nodes/0", "static"), arm])
    if settings is not None:
        robot.joints.append(RobotJoint("j", "/nodes/2", 0, 1, Pose(), Pose(), settings))
    return robot


HINGE = turns.settings({}, {0: (-1.0, 2.0)})


def written(robot: Robot) -> tuple[ElementTree.Element, list[str], dict[str, bytes]]:
    issues = Issues()
    content, files = urdf_writer.write(robot, Path("r.urdf"), issues)
    told = [f"{each.code} {each.pointer}: {each.message}" for each in issues]
    return ElementTree.fromstring(content), told, files


@pytest.mark.parametrize(
    ("settings", "kind", "limit"),
    [
        (turns.settings({}, {}), "fixed", None),
        (turns.settings({}, {1: OPEN}), "continuous", None),
        (turns.settings({}, {1: (-1.0, 2.0)}), "revolute", ("-1", "2")),
        (turns.settings({2: (0.0, 2.0)}, {}), "prismatic", ("0", "2")),
        (turns.settings({0: OPEN, 1: OPEN}, {2: OPEN}), "planar", None),
    ],
)
def test_joints_have_the_type_that_says_the_same(
    settings: JointSettings, kind: str, limit: tuple[str, str] | None
) -> None:
    root, told, _ = written(made(settings))
    joint = root.find("joint")
    assert joint is not None
    assert joint.get("type") == kind
    found = joint.find("limit")
    assert (None if found is None else (found.get("lower"), found.get("upper"))) == limit
    assert told == []


def driven(**values: float) -> JointSettings:
    drive = JointDrive(type="angular", axis=AxisIndex(0), **values)
    return JointSettings(limits=HINGE.limits, drives=(drive,))


SOFT = JointLimit(angular_axes=(AxisIndex(0),), min=0.0, max=1.0, stiffness=5.0)
JOINTS = {
    "ball": turns.settings({}, turns.open_ranges()),
    "piston": turns.settings({0: OPEN}, {0: OPEN}),
    "soft": JointSettings(limits=(SOFT,)),
    "rope": JointSettings(limits=(JointLimit(linear_axes=turns.AXES, min=0.0, max=1.0),)),
}


@pytest.mark.parametrize("settings", JOINTS.values(), ids=JOINTS)
def test_joints_that_urdf_lacks_are_told(settings: JointSettings) -> None:
    root, told, _ = written(made(settings))
    assert [each.get("type") for each in root.findall("joint")] == ["floating"]
    assert told == [
        'X80 /nodes/2: the joint "j" is left out, because URDF has no such kind, so its link '
        "moves freely"
    ]


def test_dampers_are_written_and_drives_are_told() -> None:
    root, told, _ = written(made(driven(damping=0.5, velocity_target=0.0)))
    assert [each.get("damping") for each in root.iter("dynamics")] == ["0.5"]
    assert told == []
    for values in ({"stiffness": 1.0}, {"damping": 1.0, "max_force": 2.0},
                   {"damping": 1.0, "velocity_target": 3.0}):  # fmt: skip
        root, told, _ = written(made(driven(**values)))
        assert [*root.iter("dynamics")] == []
        assert told == [
            'X80 /nodes/2: a drive of "j" is left out, because URDF has no motors or springs'
        ]


def test_an_open_end_is_told() -> None:
    root, told, _ = written(made(turns.settings({}, {0: (None, 2.0)})))
    assert [(each.get("lower"), each.get("upper")) for each in root.iter("limit")] == [
        ("-1000", "2")
    ]
    assert told == ['X81 /nodes/2: the open end of "j" is written as 1000, because URDF has none']


def test_a_start_away_from_zero_is_told() -> None:
    turn = Pose(np.zeros(3), turns.of_angles(0.5, 0.0, 0.0))
    root, told, _ = written(made(HINGE, child=turn))
    assert root.find("joint/origin") is None
    assert told == [
        'X80 /nodes/2: the start of the joint "j", 0.5 m or rad from its zero, is left out, '
        "because URDF has joints that start at zero"
    ]


SHAPES = {
    "plane": (Plane(), "L08", ["box"]),
    "capsule": (Capsule(), "X81", ["cylinder", "sphere", "sphere"]),
    "cone": (Cylinder(radius_top=0.1), "X81", ["mesh"]),
    "box": (Box(), None, ["box"]),
    "ball": (Sphere(), None, ["sphere"]),
    "cylinder": (Cylinder(), None, ["cylinder"]),
}


@pytest.mark.parametrize(("form", "code", "tags"), SHAPES.values(), ids=SHAPES)
def test_shapes_are_written_as_urdf_has_them(form: Form, code: str, tags: list[str]) -> None:
    root, told, _ = written(made(HINGE, form))
    assert [each[0].tag for each in root.iter("geometry")] == tags
    assert [each.partition(" ")[0] for each in told] == ([code] if code else [])


def test_surfaces_and_filters_are_told_once() -> None:
    robot = made(HINGE)
    material, group = PhysicsMaterial(restitution=1.0, name="rubber"), CollisionFilter()
    for name in ("one", "two"):
        robot.links[1].parts.append(Part(name, BALL, Pose(), material, group))
    _, told, _ = written(robot)
    assert told == [
        'X80 /nodes/1: the physics material "rubber" of "one" is left out, because URDF has no '
        "place for it",
        'X80 /nodes/1: the filter of "one" is left out, because URDF has no place for it',
    ]


def test_what_no_link_can_say_is_told() -> None:
    robot = made(HINGE)
    robot.links[0].type = "kinematic"
    robot.links[1].gravity_factor = 0.5
    robot.gravity = (0.0, 0.0, -1.6)
    _, told, _ = written(robot)
    assert told == [
        'X81 /nodes/0: the kinematic body "base" is written as a static link, because URDF has '
        "none",
        'X80 /nodes/1: the gravity factor of "arm" is left out, because URDF lets all links fall '
        "alike",
        "X80 /extensions: the gravity of the file is left out, because URDF has no place for it",
    ]


def test_a_loop_is_told_and_opened() -> None:
    robot = made(HINGE)
    robot.joints.append(RobotJoint("k", "/nodes/3", 0, 1, Pose(), Pose(), HINGE))
    root, told, _ = written(robot)
    assert [each.get("name") for each in root.findall("joint")] == ["j"]
    assert told == [
        'X80 /nodes/3: the joint "k" is left out, because URDF has a tree of links, and it closes '
        "a loop, which is open in the output"
    ]


def test_several_robots_hang_on_one_world(tmp_path: Path) -> None:
    robot = made(child=Pose(np.array([1.0, 2.0, 3.0])))
    robot.links.append(Link("ground", Pose(np.array([0.0, 0.0, -1.0])), "/nodes/4", "static"))
    root, _, _ = written(robot)
    joints = {each.get("name"): each.get("type") for each in root.findall("joint")}
    assert joints == {"base_to_ground": "fixed", "base_to_arm": "floating"}
    path = tmp_path / "r.urdf"
    path.write_bytes(ElementTree.tostring(root))
    links = {link.name: link for link in urdf_reader.read(path, Issues()).links}
    assert links["arm"].pose.place.tolist() == [1.0, 2.0, 3.0]


def test_a_link_begins_at_its_joint(tmp_path: Path) -> None:
    """What URDF demands; the mass and the colliders stay where they are in the world."""
    robot = made(child=Pose(np.array([0.0, 0.0, 5.0])))
    pivot = Pose(np.array([0.0, 0.0, 2.0]))
    robot.joints.append(
        RobotJoint("j", "/nodes/2", 0, 1, Pose(np.array([0.0, 0.0, 7.0])), pivot, HINGE)
    )
    root, told, _ = written(robot)
    assert told == []
    path = tmp_path / "r.urdf"
    path.write_bytes(ElementTree.tostring(root))
    arm = urdf_reader.read(path, Issues()).links[1]
    assert arm.pose.place.tolist() == [0.0, 0.0, 7.0]
    assert arm.center.tolist() == [0.0, 0.0, -2.0]
    assert arm.parts[0].pose.place.tolist() == [0.0, 0.0, -1.0]


def test_equal_meshes_are_one_file() -> None:
    robot = made(HINGE)
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    mesh = Mesh(corners, np.array([[0, 2, 1], [0, 1, 3]]), is_convex=True)
    robot.links[1].parts += [Part(f"a b/{k}", mesh, Pose()) for k in range(2)]
    root, _, files = written(robot)
    assert list(files) == ["r_meshes/a_b_0.obj"]
    assert [each.get("filename") for each in root.iter("mesh")] == list(files) * 2


def test_other_readers_take_it(tmp_path: Path) -> None:
    yourdfpy = pytest.importorskip("yourdfpy")
    robot = made(HINGE, Capsule())
    path = tmp_path / "r.urdf"
    path.write_bytes(ElementTree.tostring(written(robot)[0]))
    found = yourdfpy.URDF.load(str(path))
    assert found.validate()
    assert list(found.joint_map) == ["j"]


def test_no_two_links_or_joints_have_one_name() -> None:
    robot = Robot("r", [Link(name, Pose(), "/nodes/0") for name in ("a", "b")])
    robot.links[0].frames.append(("world", Pose(), "world_2_to_b"))
    root, _told, _files = written(robot)
    assert [each.get("name") for each in root.findall("link")] == ["world_2", "a", "world", "b"]
    assert [(each.get("name"), each[0].get("link"), each[1].get("link")) for each in
            root.findall("joint")] == [
        ("world_2_to_b", "a", "world"),
        ("world_2_to_a", "world_2", "a"),
        ("world_2_to_b_2", "world_2", "b"),
    ]  # fmt: skip
