"""URDF as it is read: what it means, what is told, and what is refused with its line."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from omi_physics_addon.formats import urdf_reader
from omi_physics_addon.formats.robots import Robot
from omi_physics_addon.formats.table import FormatError
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.shapes import Box, Capsule, Cylinder, Sphere
from omi_physics_addon.simulation.world import Mesh
from tests.support.robot_models import WEDGE, joint, link

INERTIA = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
HEAVY = f'<inertial><mass value="2"/>{INERTIA}</inertial>'


def of(text: str, folder: Path, issues: Issues | None = None) -> Robot:
    path = folder / "r.urdf"
    path.write_text(text, encoding="utf-8")
    return urdf_reader.read(path, Issues() if issues is None else issues)


def robot(*lines: str) -> str:
    """A robot with each part on a line of its own, the first on line 2."""
    return "\n".join(['<robot name="r">', *lines, "</robot>"])


def shown(shape: str, tag: str = "collision", more: str = "") -> str:
    return f'<link name="a"><{tag} name="c">{more}<geometry>{shape}</geometry></{tag}></link>'


REFUSED = {
    "no XML": ("<robot><link", r"r\.urdf:1: the file is no XML: unclosed token"),
    "nothing": ("", r"r\.urdf:1: the file is no XML: no element found"),
    "an entity": (
        '<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>\n<robot name="&b;"/>',
        r"r\.urdf:1: the file declares a document type or entities.* remove the declaration",
    ),
    "a file as an entity": (
        '<!DOCTYPE r SYSTEM "file:///etc/passwd">\n<robot/>',
        r"r\.urdf:1: the file declares a document type",
    ),
    "another root": ("<mujoco/>", r"r\.urdf:1: the root element is <mujoco>, and URDF has <robot>"),
    "no links": (robot(), r"r\.urdf:1: the robot has no links"),
    "a link without a name": (robot("<link/>"), r'r\.urdf:2: <link> has no "name"'),
    "two links of a name": (
        robot('<link name="a"/>', '<link name="a"/>'),
        r'r\.urdf:3: two links are named "a", the other one at r\.urdf:2',
    ),
    "two joints of a name": (
        robot(
            *(f'<link name="{name}"/>' for name in "abc"),
            joint("j", "fixed", "a", "b"),
            joint("j", "fixed", "b", "c"),
        ),
        r'r\.urdf:6: two joints are named "j", the other one at r\.urdf:5',
    ),
    "two roots": (
        robot('<link name="a"/>', '<link name="b"/>'),
        r'r\.urdf:3: "a" and "b" have no parent, and URDF has one root; connect them by a joint',
    ),
    "two parents": (
        robot(
            *(f'<link name="{name}"/>' for name in "abc"),
            joint("j", "fixed", "a", "c"),
            joint("k", "fixed", "b", "c"),
        ),
        r'r\.urdf:6: the link "c" has two parents, by the joints "j" and "k"; remove one of them',
    ),
    "a circle": (
        robot(
            *(f'<link name="{name}"/>' for name in "abc"),
            joint("j", "fixed", "b", "c"),
            joint("k", "fixed", "c", "b"),
        ),
        r'r\.urdf:6: the links "b", "c" hang on each other in a circle; remove a joint',
    ),
    "a link of itself": (
        robot('<link name="a"/>', joint("j", "fixed", "a", "a")),
        r'r\.urdf:3: the links "a" hang on each other in a circle',
    ),
    "a missing link": (
        robot('<link name="a"/>', joint("j", "fixed", "a", "b")),
        r'r\.urdf:3: the child link "b" is missing',
    ),
    "a joint without a parent": (
        robot('<link name="a"/>', '<joint name="j" type="fixed"><child link="a"/></joint>'),
        r"r\.urdf:3: the joint has no parent",
    ),
    "a joint of an unknown type": (
        robot('<link name="a"/>', joint("j", "ball", "a", "a")),
        r'r\.urdf:3: the joint type "ball" is not one of revolute, continuous',
    ),
    "no limit": (
        robot(
            '<link name="a"/>',
            link("b"),
            joint("j", "revolute", "a", "b").replace("<limit", "<no"),
        ),
        r"r\.urdf:4: the revolute joint has no <limit>",
    ),
    "limits the wrong way": (
        robot(
            '<link name="a"/>',
            link("b"),
            joint("j", "revolute", "a", "b", more='<limit lower="2" upper="1"/>'),
        ),
        r"r\.urdf:4: the lower limit 2 is above the upper limit 1",
    ),
    "no axis": (
        robot('<link name="a"/>', link("b"), joint("j", "continuous", "a", "b", axis=(0, 0, 0))),
        r"r\.urdf:4: the axis of the joint is zero",
    ),
    "words for numbers": (
        robot(shown('<box size="1 two 3"/>')),
        r'r\.urdf:2: "size" of <box> is "1 two 3", which is not 3 numbers',
    ),
    "too few numbers": (robot(shown('<box size="1 2"/>')), "which is not 3 numbers"),
    "not a number": (robot(shown('<sphere radius="nan"/>')), "which is not a number"),
    "an infinite number": (robot(shown('<sphere radius="1e999"/>')), "which is not a number"),
    "no size": (robot(shown("<box/>")), r'r\.urdf:2: <box> has no "size"'),
    "a negative size": (
        robot(shown('<sphere radius="-1"/>')),
        r"r\.urdf:2: the radius of <sphere> is not above zero",
    ),
    "no geometry": (robot('<link name="a"><collision/></link>'), "<collision> has no geometry"),
    "a shape of no kind": (robot(shown("<torus/>")), "the geometry <torus> is not known"),
    "negative damping": (
        robot(
            '<link name="a"/>',
            link("b"),
            joint("j", "continuous", "a", "b", more='<dynamics damping="-1"/>'),
        ),
        r"r\.urdf:4: the damping -1 is negative",
    ),
    "nested": ("<robot>" + "<a>" * 300 + "</a>" * 300 + "</robot>", "more than 200 deep"),
}


@pytest.mark.parametrize(("text", "why"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_says_where_and_why(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=why):
        of(text, tmp_path)


TOLD = {
    "mimic": (
        joint("j", "continuous", "a", "b", more='<mimic joint="k" multiplier="2"/>'),
        'X82 r.urdf:4: the mimic of the joint "j" has no counterpart in glTF, so the joint does '
        "not follow the other one; the value is kept for export",
    ),
    "calibration": (
        joint("j", "continuous", "a", "b", more='<calibration rising="0"/>'),
        'X82 r.urdf:4: the calibration of the joint "j" has no counterpart in glTF, so simulation '
        "has no use for it; the value is kept for export",
    ),
    "safety controller": (
        joint("j", "continuous", "a", "b", more='<safety_controller k_velocity="1"/>'),
        'X82 r.urdf:4: the safety controller of the joint "j" has no counterpart in glTF, so its '
        "soft limits are not simulated; the value is kept for export",
    ),
    "friction": (
        joint("j", "continuous", "a", "b", more='<dynamics friction="0.5"/>'),
        'X82 r.urdf:4: the friction of the joint "j" has no counterpart in glTF, so the joint has '
        "no dry friction; the value is kept for export",
    ),
    "effort": (
        joint("j", "continuous", "a", "b", more='<limit effort="3"/>'),
        'X82 r.urdf:4: the effort of the joint "j" has no counterpart in glTF, so it limits a '
        "controller, which the file does not have; the value is kept for export",
    ),
    "transmission": (
        joint("j", "continuous", "a", "b") + '<transmission name="t"><type/></transmission>',
        'X80 r.urdf:4: <transmission> "t" is left out, because glTF\'s physics has no '
        "counterpart, so it has no effect",
    ),
    "simulator": (
        joint("j", "continuous", "a", "b") + '<gazebo reference="b"><mu1>1</mu1></gazebo>',
        'X80 r.urdf:4: <gazebo> "b" is left out, because glTF\'s physics has no counterpart, so '
        "it has no effect",
    ),
}


@pytest.mark.parametrize(("text", "told"), TOLD.values(), ids=TOLD)
def test_what_gltf_cannot_say_is_told_once(text: str, told: str, tmp_path: Path) -> None:
    issues = Issues()
    of(robot('<link name="a"/>', link("b"), text), tmp_path, issues)
    assert [f"{each.code} {each.pointer}: {each.message}" for each in issues] == [told]


FAULTS = {
    "no inertia": ('<inertial><mass value="1"/></inertial>', []),
    "zero inertia": (
        HEAVY.replace('"1"', '"0"'),
        ['X84 r.urdf:2: the inertia of the link "b" is zero, so it is computed from the '
         "colliders; write positive moments"],
    ),
    "negative inertia": (
        HEAVY.replace('ixx="1"', 'ixx="-1"'),
        ['X84 r.urdf:2: the inertia of the link "b" is impossible, with a moment of -1, so it is '
         "computed from the colliders; write positive moments"],
    ),
    "inertia of no solid": (
        HEAVY.replace('ixx="1"', 'ixx="3"'),
        ['B09 r.urdf:2: a moment of inertia of the link "b" is larger than the sum of the others, '
         "so no solid has it; correct the inertia"],
    ),
    "no mass": (
        "",
        ['X84 r.urdf:2: the link "b" moves and has no mass, so each engine assumes another one; '
         "add an inertial element"],
    ),
    "negative mass": (
        HEAVY.replace('"2"', '"-2"'),
        ['B05 r.urdf:2: the mass of the link "b" is -2 kg, so none is set',
         'X84 r.urdf:2: the link "b" moves and has no mass, so each engine assumes another one; '
         "add an inertial element"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("inertial", "told"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_move_is_told(inertial: str, told: list[str], tmp_path: Path) -> None:
    issues = Issues()
    text = robot(f'<link name="b">{inertial}</link>', '<link name="a"/>')
    text = text.replace("</robot>", joint("j", "continuous", "a", "b") + "</robot>")
    made = of(text, tmp_path, issues)
    assert [f"{each.code} {each.pointer}: {each.message}" for each in issues] == told
    assert (made.links[1].tensor is None) == ((told[:1] != [] and "B09" not in told[0]) or not told)


def test_meshes_that_are_not_there_are_told(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.obj").write_text(WEDGE)
    (inside / "bad.obj").write_text("v 1 2\n")
    (inside / "shape.dae").write_text("<COLLADA/>")
    cases = {
        "none.stl": 'the file "none.stl" is missing; put it beside r.urdf',
        "http://a/b.stl": "is missing",
        "package://robots/none.stl": "is missing",
        "../secret.obj": "is outside of the folder of r.urdf; --allow-outside reads it",
        "package://inside/../secret.obj": "is outside of the folder of r.urdf",
        str(tmp_path / "secret.obj"): "is outside of the folder of r.urdf",
        "bad.obj": "bad.obj is damaged",
        "shape.dae": "shape.dae",
    }
    for name, why in cases.items():
        issues = Issues()
        made = of(robot(shown(f'<mesh filename="{name}"/>')), inside, issues)
        assert made.links[0].parts == []
        (told,) = issues
        assert (told.code, told.pointer) == ("X83", "r.urdf:2")
        assert told.message.startswith('"c" is left out, because ')
        assert why in told.message
    path = inside / "r.urdf"
    path.write_text(robot(shown('<mesh filename="../secret.obj"/>')))
    assert urdf_reader.read(path, Issues(), allow_outside=True).links[0].parts


def test_a_mesh_that_its_scale_makes_too_large_is_left_out_and_told(tmp_path: Path) -> None:
    (tmp_path / "far.obj").write_text(WEDGE.replace("0.1", "1e20"))
    issues = Issues()
    mesh = '<mesh filename="far.obj" scale="1e20 1 1"/>'
    assert of(robot(shown(mesh)), tmp_path, issues).links[0].parts == []
    assert [f"{each.code} {each.pointer}: {each.message}" for each in issues] == [
        'X83 r.urdf:2: "c" is left out, because a corner of a mesh is not a number that a file can '
        "mean"
    ]


@pytest.mark.parametrize("length", ["1e-200", "1e29"])
def test_an_axis_has_any_length(length: str, tmp_path: Path) -> None:
    hinge = joint("j", "continuous", "a", "b", axis=(0, length, 0))
    (found,) = of(robot('<link name="a"/>', '<link name="b"/>', hinge), tmp_path).joints
    assert found.frame.rotation[:, 0] == pytest.approx([0.0, 1.0, 0.0])


def test_a_package_is_found_above_the_file(tmp_path: Path) -> None:
    package = tmp_path / "my_robot"
    (package / "urdf").mkdir(parents=True)
    (package / "meshes").mkdir()
    (package / "meshes" / "wedge.obj").write_text(WEDGE)
    text = robot(shown('<mesh filename="package://my_robot/meshes/wedge.obj"/>'))
    issues = Issues()
    assert of(text, package / "urdf", issues).links[0].parts == []
    (package / "package.xml").write_text("<package/>")
    assert len(of(text, package / "urdf").links[0].parts) == 1


def test_shapes_are_along_z(tmp_path: Path) -> None:
    cases = {
        '<box size="1 2 3"/>': Box(size=(1.0, 2.0, 3.0)),
        '<sphere radius="0.5"/>': Sphere(radius=0.5),
        '<cylinder radius="0.5" length="2"/>': Cylinder(
            height=2.0, radius_bottom=0.5, radius_top=0.5
        ),
        '<capsule radius="0.5" length="2"/>': Capsule(
            height=2.0, radius_bottom=0.5, radius_top=0.5
        ),
    }
    for text, shape in cases.items():
        (part,) = of(robot(shown(text)), tmp_path).links[0].parts
        assert part.form == shape
    (tmp_path / "wedge.obj").write_text(WEDGE)
    mesh = '<mesh filename="wedge.obj" scale="2 1 -1"/>'
    (part,) = of(robot(shown(mesh)), tmp_path).links[0].parts
    assert isinstance(part.form, Mesh)
    assert part.form.is_convex
    assert part.form.corners.tolist() == [[0, 0, 0], [0.2, 0, 0], [0, 0.1, 0], [0, 0, -0.1]]
    assert part.form.triangles.tolist()[0] == [1, 2, 0]
    (part,) = of(robot(shown(mesh, "visual")), tmp_path).links[0].parts
    assert isinstance(part.form, Mesh)
    assert part.is_visual
    assert not part.form.is_convex


def test_colors_are_found_by_name(tmp_path: Path) -> None:
    red = '<material name="red"><color rgba="1 0 0 2"/></material>'
    text = shown('<sphere radius="1"/>', "visual", '<material name="red"/>')
    (part,) = of(robot(red, text), tmp_path).links[0].parts
    assert part.color == (1.0, 0.0, 0.0, 1.0)


def test_frames_follow_from_each_other(tmp_path: Path) -> None:
    text = robot(
        '<link name="base"/>',
        link("b"),
        '<link name="tool"/>',
        joint("j", "continuous", "base", "b", (1, 0, 0), (0, 1, 0), turn=(0, 0, math.pi / 2)),
        joint("t", "fixed", "b", "tool", (2, 0, 0)),
    )
    made = of(text, tmp_path)
    assert [each.name for each in made.links] == ["base", "b"]
    assert [each.type for each in made.links] == ["static", "dynamic"]
    assert made.links[1].pose.place.tolist() == [1.0, 0.0, 0.0]
    assert made.links[1].pose.rotation @ [1, 0, 0] == pytest.approx([0, 1, 0])
    ((name, pose, by),) = made.links[1].frames
    assert (name, pose.place.tolist(), by) == ("tool", [2.0, 0.0, 0.0], "t")
    (found,) = made.joints
    assert found.frame.place.tolist() == [1.0, 0.0, 0.0]
    assert found.child_frame.rotation[:, 0] == pytest.approx([0, 1, 0])
    assert found.frame.rotation[:, 0] == pytest.approx([-1, 0, 0])


def test_the_inertia_is_turned_with_its_frame(tmp_path: Path) -> None:
    half = math.pi / 2
    made = of(
        robot(
            f'<link name="a"><inertial><origin xyz="1 2 3" rpy="0 0 {half}"/>'
            '<mass value="2"/><inertia ixx="1" iyy="2" izz="2.5"/></inertial></link>'
        ),
        tmp_path,
    )
    (found,) = made.links
    assert found.type == "dynamic"
    assert found.center.tolist() == [1.0, 2.0, 3.0]
    assert found.tensor is not None
    assert np.abs(found.tensor - np.diag([2.0, 1.0, 2.5])).max() < 1e-12


@pytest.mark.parametrize(
    ("kind", "slides", "turns"),
    [("fixed", 0, 0), ("revolute", 0, 1), ("continuous", 0, 1), ("prismatic", 1, 0),
     ("planar", 2, 1)],
)  # fmt: skip
def test_joints_leave_free_what_their_type_says(
    kind: str, slides: int, turns: int, tmp_path: Path
) -> None:
    from omi_physics_addon.formats.turns import freedom

    made = of(robot('<link name="a"/>', link("b"), joint("j", kind, "a", "b")), tmp_path)
    free = freedom(made.joints[0].settings)
    assert free is not None
    assert (len(free.slides), len(free.turns)) == (slides, turns)
    if kind in ("revolute", "prismatic"):
        assert [*free.slides.values(), *free.turns.values()] == [(-20.0, 20.0)]


def test_a_floating_link_has_no_joint(tmp_path: Path) -> None:
    made = of(
        robot('<link name="a"/>', link("b"), joint("j", "floating", "a", "b", (0, 0, 4))), tmp_path
    )
    assert made.joints == []
    assert made.links[1].pose.place.tolist() == [0.0, 0.0, 4.0]
