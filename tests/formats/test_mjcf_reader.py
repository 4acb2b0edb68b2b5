"""MJCF as it is read: what MuJoCo's compiler makes of it, what is told, what is refused."""

from __future__ import annotations

import builtins
import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.formats import mjcf_reader, turns
from omi_physics_addon.formats.robots import Link, Robot
from omi_physics_addon.formats.table import FormatError
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.filters import meets
from omi_physics_addon.simulation.world import Mesh
from tests.support.robot_models import WEDGE

GEOM = '<geom size="0.1"/>'


def of(text: str, folder: Path, issues: Issues | None = None, **options: bool) -> Robot:
    pytest.importorskip("mujoco")
    path = folder / "r.xml"
    path.write_text(text, encoding="utf-8")
    return mjcf_reader.read(path, Issues() if issues is None else issues, **options)


def model(bodies: str, more: str = "") -> str:
    return f'<mujoco model="r"><worldbody>{bodies}</worldbody>{more}</mujoco>'


def hung(joints: str = '<joint name="j" axis="0 1 0"/>', more: str = "", geoms: str = GEOM) -> str:
    return model(f'<body name="a" pos="0 0 1">{joints}{geoms}</body>', more)


def named(robot: Robot, name: str) -> Link:
    (found,) = (link for link in robot.links if link.name == name)
    return found


def test_without_mujoco_the_way_to_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.import_module

    def without(name: str, package: str | None = None) -> Any:
        if name == "mujoco":
            raise ModuleNotFoundError(name)
        return found(name, package)

    monkeypatch.setattr(importlib, "import_module", without)
    path = tmp_path / "r.xml"
    path.write_text(hung())
    why = r"MJCF is read by MuJoCo's compiler, which this Python lacks; convert .* pip install"
    with pytest.raises(FormatError, match=why):
        mjcf_reader.read(path, Issues())
    assert builtins.__import__ is not without


REFUSED = {
    "an entity": ('<!DOCTYPE m [<!ENTITY a "b">]><mujoco/>', r"r\.xml:1: the file declares"),
    "no XML": ("<mujoco>", r"r\.xml:1: the file is no XML"),
    "an unknown element": (
        model("\n<thing/>"),
        r"r\.xml: MuJoCo refuses the file: XML Error.*unrecognized element Element 'thing', line 2",
    ),
    "no mass": (model('<body name="a"><joint/></body>'), "mass and inertia of moving bodies"),
    "a missing mesh": (
        model("", '<asset><mesh file="none.stl"/></asset>'), "MuJoCo refuses the file: .*none.stl"
    ),
    "a mesh outside": (
        model("", '\n<asset><mesh file="../x.stl"/></asset>'),
        r'r\.xml:2: "\.\./x\.stl" is outside of the folder of r\.xml; --allow-outside reads it',
    ),
    "a folder outside": (
        '<mujoco><compiler meshdir=".."/><asset><mesh file="x.stl"/></asset></mujoco>',
        r'r\.xml:1: "x\.stl" is outside of the folder',
    ),
    "an absolute path": (
        model("", '<asset><texture type="2d" file="/etc/passwd"/></asset>'),
        r'r\.xml:1: "/etc/passwd" is outside of the folder',
    ),
    "an include outside": (
        '<mujoco><include file="../more.xml"/></mujoco>', r"is outside of the folder"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "why"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_says_where_and_why(text: str, why: str, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    with pytest.raises(FormatError, match=why):
        of(text, inside)


def test_warnings_are_told_and_leave_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    issues = Issues()
    of(hung(geoms='<geom size="0.1" mass="nan"/>'), tmp_path, issues)
    (told,) = issues
    assert told.message.startswith("MuJoCo warns of the file, so what it read may differ: XML")
    assert capfd.readouterr() == ("", "")
    assert [path.name for path in tmp_path.iterdir()] == ["r.xml"]


def test_an_included_file_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "more.xml").write_text('<mujoco>\n<asset><mesh file="/x.stl"/></asset></mujoco>')
    with pytest.raises(FormatError, match=r'more\.xml:2: "/x\.stl" is outside of the folder'):
        of('<mujoco><include file="more.xml"/></mujoco>', tmp_path)


MESH = '<asset><mesh name="x" file="{}"/></asset>'
ATTACH = (
    '<mujoco>{}<asset><model name="s" file="{}"/></asset><worldbody><frame>'
    '<attach model="s" body="a" prefix="p"/></frame></worldbody></mujoco>'
)
OUTSIDE = {
    "a mesh of an attached model": ({"r.xml": ATTACH.format("", "sub/s.xml"),
                                     "sub/s.xml": model("", MESH.format("../../x.obj"))}, "s.xml"),
    "a mesh of a model attached by a model": (
        {"r.xml": ATTACH.format("", "sub/s.xml"), "sub/s.xml": ATTACH.format("", "t.xml"),
         "sub/t.xml": model("", MESH.format("../../x.obj"))}, "t.xml",
    ),
    "a model in a folder of assets": (
        {"r.xml": ATTACH.format('<compiler assetdir="sub"/>', "s.xml"),
         "sub/s.xml": model("", MESH.format("../../x.obj"))}, "s.xml",
    ),
    "a mesh of an include, as seen from the file": (
        {"r.xml": '<mujoco><include file="sub/i.xml"/></mujoco>',
         "sub/i.xml": f"<mujoco>{MESH.format('../x.obj')}</mujoco>"}, "i.xml",
    ),
    "a folder that another file names": (
        {"r.xml": '<mujoco><compiler meshdir=".."/><include file="i.xml"/></mujoco>',
         "i.xml": f"<mujoco>{MESH.format('x.obj')}</mujoco>"}, "i.xml",
    ),
    "an include beside an include": (
        {"r.xml": '<mujoco><include file="sub/i.xml"/></mujoco>',
         "sub/i.xml": '<mujoco><include file="j.xml"/></mujoco>',
         "sub/j.xml": f"<mujoco>{MESH.format('/x.obj')}</mujoco>"}, "j.xml",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "place"), OUTSIDE.values(), ids=OUTSIDE)
def test_all_that_mujoco_reads_stays_in_the_folder(
    files: dict[str, str], place: str, tmp_path: Path
) -> None:
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    for name, text in files.items():
        (inside / name).write_text(text)
    with pytest.raises(FormatError, match=rf'^{place}:1: ".*" is outside of the folder of r\.xml'):
        mjcf_reader.read(inside / "r.xml", Issues())


def test_an_attached_model_declares_no_entities(tmp_path: Path) -> None:
    (tmp_path / "s.xml").write_text(f'<!DOCTYPE m [<!ENTITY a "b">]>{hung()}')
    with pytest.raises(FormatError, match=r"s\.xml:1: the file declares a document type"):
        of(ATTACH.format("", "s.xml"), tmp_path)


def test_models_that_attach_each_other_are_looked_at_once(tmp_path: Path) -> None:
    (tmp_path / "s.xml").write_text(
        ATTACH.format("", "r.xml").replace("</m", '<include file="s.xml"/></m')
    )
    with pytest.raises(FormatError, match="MuJoCo refuses the file"):
        of(ATTACH.format("", "s.xml"), tmp_path)


def test_attached_models_inside_are_read(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "x.obj").write_text(WEDGE)
    (tmp_path / "sub/s.xml").write_text(
        hung(geoms='<geom type="mesh" mesh="x"/>', more=MESH.format("../x.obj"))
    )
    robot = of(ATTACH.format("", "sub/s.xml"), tmp_path)
    assert [part.name for part in named(robot, "pa").parts] == ["pa_geom_1"]


def test_a_name_that_no_file_can_have_is_left_to_mujoco(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="MuJoCo refuses the file"):
        of(f'<mujoco><include file="{"a" * 5000}"/></mujoco>', tmp_path, allow_outside=True)


def test_colors_are_from_0_to_1(tmp_path: Path) -> None:
    robot = of(hung(geoms='<geom size="0.1" rgba="2 -1 0.5 1"/>'), tmp_path)
    assert named(robot, "a").parts[0].color == (1.0, 0.0, 0.5, 1.0)


TOLD = {
    "armature": (
        hung('<joint name="j" axis="0 1 0" armature="0.1"/>'),
        'X82 r.xml joint "j": the armature of the joint "j" has no counterpart in glTF, so the '
        "joint turns without the motor's inertia; the value is kept for export",
    ),
    "friction": (
        hung('<joint name="j" axis="0 1 0" frictionloss="0.1"/>'),
        'X82 r.xml joint "j": the friction of the joint "j" has no counterpart in glTF, so the '
        "joint has no dry friction; the value is kept for export",
    ),
    "motor": (
        hung(more='<actuator><motor name="m" joint="j"/></actuator>'),
        'X80 r.xml actuator "m": the actuator "m" is left out, because glTF has no counterpart, '
        "so nothing moves its joint",
    ),
    "motor of a ball": (
        hung(
            '<joint name="j" type="ball"/>', '<actuator><position name="p" joint="j"/></actuator>'
        ),
        'X80 r.xml actuator "p": the actuator "p" is left out, because glTF has no counterpart, '
        "so nothing moves its joint",
    ),
    "a ball and a slide": (
        hung('<joint name="k" type="slide"/><joint name="j" type="ball"/>'),
        'X80 r.xml joint "k": the joint "k" is left out, because glTF has no counterpart, so "a" '
        "has another one beside it and stays fixed",
    ),
    "tendon": (
        hung(more='<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>'),
        'X80 r.xml tendon "t": the tendon "t" is left out, because glTF has no counterpart, so it '
        "pulls nothing",
    ),
    "sensor": (
        hung(more='<sensor><jointpos name="s" joint="j"/></sensor>'),
        'X80 r.xml sensor "s": the sensor "s" is left out, because glTF has no counterpart, so '
        "nothing is measured",
    ),
    "keyframe": (
        hung(more='<keyframe><key name="k" qpos="1"/></keyframe>'),
        'X80 r.xml keyframe "k": the keyframe "k" is left out, because glTF has no counterpart, '
        "so the robot starts in its reference pose",
    ),
    "joint equality": (
        hung(more='<equality><joint name="e" joint1="j"/></equality>'),
        'X80 r.xml equality "e": the constraint "e" is left out, because glTF has no counterpart, '
        "so it holds nothing",
    ),
    "ellipsoid": (
        hung(geoms='<geom name="g" type="ellipsoid" size="1 2 3"/>'),
        'X81 r.xml geom "g": the ellipsoid "g" is written as a convex hull, because glTF has none',
    ),
    "rolling friction": (
        hung(geoms='<geom name="g" size="1" condim="6"/>'),
        'X80 r.xml geom "g": the rolling friction of "g" is left out, because glTF has no '
        "counterpart, so the geom rolls freely",
    ),
    "two hinges": (
        hung('<joint name="j" axis="0 1 0"/><joint name="k" axis="1 0 0"/>'),
        'X81 r.xml body "a": the hinges of "a" are written as one joint, whose ranges differ far '
        "from 0",
    ),
    "leaning hinges": (
        hung('<joint name="j" axis="0 1 0"/><joint name="k" axis="1 1 0"/>'),
        'X80 r.xml joint "k": the joint "k" is left out, because glTF has no counterpart, so "a" '
        "has another one beside it and stays fixed",
    ),
    "air": (
        '<mujoco><option density="1.2"/></mujoco>',
        'X80 r.xml option "density": the density of the air of "density" is left out, because '
        "glTF has no counterpart, so nothing slows bodies",
    ),
}


@pytest.mark.parametrize(("text", "told"), TOLD.values(), ids=TOLD)
def test_what_gltf_cannot_say_is_told_once(text: str, told: str, tmp_path: Path) -> None:
    issues = Issues()
    of(text, tmp_path, issues)
    assert [f"{each.code} {each.pointer}: {each.message}" for each in issues] == [told]


def test_masks_become_filters(tmp_path: Path) -> None:
    masks = [(1, 1), (2, 1), (4, 8), (8, 4), (2, 2)]
    geoms = "".join(
        f'<geom name="g{k}" size="0.1" contype="{a}" conaffinity="{b}"/>'
        for k, (a, b) in enumerate(masks)
    )
    parts = of(model(geoms), tmp_path).links[0].parts
    for one, part in zip(masks, parts, strict=True):
        for other, beside in zip(masks, parts, strict=True):
            hits = bool(one[0] & other[1] or other[0] & one[1])
            assert meets(part.filter, beside.filter, "OMI") == hits, (one, other)
            assert meets(part.filter, beside.filter, "KHR") == hits, (one, other)
    assert of(model(GEOM * 2), tmp_path).links[0].parts[0].filter is None


def test_an_axis_that_overflows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="the axis of a joint is too long"):
        of(hung('<joint axis="1e300 0 0"/>'), tmp_path)


def test_joints_start_at_their_reference(tmp_path: Path) -> None:
    robot = of(
        hung('<joint axis="0 0 -1" ref="30" range="-10 60"/>').replace(
            "<worldbody>", '<compiler angle="degree" autolimits="true"/><worldbody>'
        ),
        tmp_path,
    )
    (joint,) = robot.joints
    free = turns.freedom(joint.settings)
    assert free is not None
    assert [*free.turns.values()] == [pytest.approx((np.radians(-10), np.radians(60)))]
    parent, child = robot.links[joint.parent], robot.links[joint.child]
    ends = (parent.pose @ joint.frame).inverse() @ child.pose @ joint.child_frame
    assert turns.start_of(ends.rotation, ends.place)[3:] == pytest.approx([np.radians(30), 0, 0])


def test_a_mesh_has_the_corners_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "wedge.obj").write_text(WEDGE)
    text = hung(
        more='<asset><mesh name="w" file="wedge.obj"/></asset>',
        geoms='<geom name="g" type="mesh" mesh="w" pos="1 0 0"/>',
    )
    (part,) = named(of(text, tmp_path), "a").parts
    assert isinstance(part.form, Mesh)
    expected = {(0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)}
    assert {tuple(row) for row in np.round(part.form.corners, 6).tolist()} == expected
    assert part.pose.place == pytest.approx([1, 0, 0], abs=1e-6)
    assert part.pose.rotation == pytest.approx(np.eye(3), abs=1e-6)


def test_only_what_is_seen_is_no_collider(tmp_path: Path) -> None:
    geoms = GEOM + '<geom size="0.2" contype="0" conaffinity="0" rgba="1 0 0 1"/>'
    parts = named(of(hung(geoms=geoms), tmp_path), "a").parts
    assert [(part.is_visual, part.material is None) for part in parts] == [
        (False, False), (True, True)
    ]  # fmt: skip
    assert parts[1].color == (1.0, 0.0, 0.0, 1.0)


def test_exclusions_are_those_of_joints(tmp_path: Path) -> None:
    excluded = '<contact><exclude body1="world" body2="a"/></contact>'
    assert of(hung(), tmp_path).joints[0].enable_collision
    assert not of(hung(more=excluded), tmp_path).joints[0].enable_collision
    two = model(f'<body name="a"><freejoint/>{GEOM}</body><body name="b">{GEOM}</body>',
                '<contact><exclude body1="a" body2="b"/></contact>')  # fmt: skip
    issues = Issues()
    of(two, tmp_path, issues)
    assert [each.message for each in issues] == [
        'the exclusion "a and b" is left out, because glTF has no counterpart, so these bodies '
        "collide"
    ]


def test_loops_are_joints(tmp_path: Path) -> None:
    bodies = "".join(
        f'<body name="{name}" pos="{k} 0 0"><freejoint/>{GEOM}</body>'
        for k, name in enumerate("ab")
    )
    for tag, count in (('connect anchor="0.5 0 0"', 3), ("weld", 0)):
        robot = of(
            model(bodies, f'<equality><{tag} name="e" body1="a" body2="b"/></equality>'), tmp_path
        )
        (joint,) = robot.joints
        free = turns.freedom(joint.settings)
        assert free is not None
        assert (len(free.slides), len(free.turns)) == (0, count)
        ends = [
            robot.links[link].pose @ frame
            for link, frame in ((joint.parent, joint.frame), (joint.child, joint.child_frame))
        ]
        assert ends[0].place == pytest.approx(ends[1].place, abs=1e-9)
        assert ends[0].rotation == pytest.approx(ends[1].rotation, abs=1e-9)
    turned = bodies.replace('name="b" pos="1 0 0"', 'name="b" pos="1 0 0" euler="30 40 50"')
    robot = of(
        model(turned, '<equality><weld anchor="1 2 3" body1="a" body2="b"/></equality>'), tmp_path
    )
    (joint,) = robot.joints
    one = robot.links[joint.parent].pose @ joint.frame
    other = robot.links[joint.child].pose @ joint.child_frame
    assert one.place == pytest.approx(other.place, abs=1e-9)
    assert one.rotation == pytest.approx(other.rotation, abs=1e-9)


def test_drives_of_one_joint_are_one(tmp_path: Path) -> None:
    joints = '<joint name="j" axis="0 0 1" stiffness="2" springref="0.5" damping="1"/>'
    actuators = '<actuator><position joint="j" kp="6" kv="1"/></actuator>'
    head = '<compiler angle="radian"/>'
    robot = of(hung(joints, actuators).replace("<worldbody>", f"{head}<worldbody>"), tmp_path)
    (drive,) = robot.joints[0].settings.drives
    assert (drive.stiffness, drive.damping) == (8.0, 2.0)
    assert drive.position_target == pytest.approx(2.0 * 0.5 / 8.0)
