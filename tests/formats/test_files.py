"""Robots read as glTF and written again mean the same, and are what MuJoCo reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from omi_physics_addon.codec.gltf import containers
from omi_physics_addon.files import differences, source
from omi_physics_addon.files.source import Source
from omi_physics_addon.formats import files, from_gltf
from omi_physics_addon.formats.robots import Robot
from omi_physics_addon.formats.table import FormatError
from omi_physics_addon.issues import Issues
from tests.support import robot_models
from tools import environment

ALL = [*robot_models.URDF, *robot_models.MJCF]
TOLERANCE = 1e-6


def needs_mujoco(name: str) -> None:
    if name in robot_models.MJCF:
        pytest.importorskip("mujoco")


def as_gltf(path: Path, issues: Issues | None = None) -> Source:
    """The glTF of a robot, written and read."""
    container = files.read(path, issues or Issues())
    output = path.with_suffix(".glb")
    output.write_bytes(containers.write(container, container.json))
    return source.read(output)


def written(gltf: Source, output: Path, issues: Issues | None = None) -> Path:
    content, beside = files.write(gltf, output, issues or Issues())
    output.write_bytes(content)
    for name, mesh in beside.items():
        (output.parent / name).parent.mkdir(exist_ok=True)
        (output.parent / name).write_bytes(mesh)
    return output


def apart(one: Source, other: Source) -> list[str]:
    return [str(change) for change in differences.compare(one, other, TOLERANCE).changes]


@pytest.mark.parametrize("name", ALL)
def test_there_and_back_is_the_same(name: str, tmp_path: Path) -> None:
    needs_mujoco(name)
    path = robot_models.write(name, tmp_path)
    first = as_gltf(path)
    back = written(first, tmp_path / f"back{path.suffix}")
    assert apart(first, as_gltf(back)) == []


@pytest.mark.parametrize("name", ALL)
def test_the_gltf_says_what_mujoco_reads(name: str, tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    path = robot_models.write(name, tmp_path)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    robot = from_gltf.robot_of(as_gltf(path), "", Issues())
    compared = 0
    for link in robot.links:
        if link.mass is None:
            continue
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, link.name)
        assert link.mass == pytest.approx(model.body_mass[body])
        assert link.pose.place == pytest.approx(data.xpos[body], abs=1e-6)
        turn = data.xmat[body].reshape(3, 3)
        assert np.abs(link.pose.rotation - turn).max() < 1e-6
        center = link.pose.rotation @ link.center + link.pose.place
        assert center == pytest.approx(data.xipos[body], abs=1e-6)
        axes = turn.T @ data.ximat[body].reshape(3, 3)
        tensor = axes * model.body_inertia[body] @ axes.T
        assert link.tensor is not None
        assert np.abs(link.tensor - tensor).max() < 1e-6 * tensor.max()
        compared += 1
    is_moving = (model.body_mass > 0.0) & (model.body_weldid > 0)
    assert compared == is_moving.sum() > 0


@pytest.mark.parametrize("name", robot_models.URDF)
def test_mujoco_reads_a_robot_from_mjcf_as_from_urdf(name: str, tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    path = robot_models.write(name, tmp_path)
    as_mjcf = written(as_gltf(path), tmp_path / "robot.xml")
    one, other = (mujoco.MjModel.from_xml_path(str(each)) for each in (path, as_mjcf))
    speeds = []
    for model in (one, other):
        data = mujoco.MjData(model)
        data.qpos[:] = 0.1
        mujoco.mj_forward(model, data)
        by_joint = {model.joint(i).name: data.qacc[model.jnt_dofadr[i]] for i in range(model.njnt)}
        speeds.append(by_joint)
    assert speeds[0].keys() == speeds[1].keys()
    assert speeds[0] == pytest.approx(speeds[1], rel=1e-4, abs=1e-6)


def test_the_first_element_tells_the_format(tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(robot_models.URDF["pendulum"]())
    assert len(robot_of(path).joints) == 1
    path.write_text("<sdf/>")
    with pytest.raises(FormatError, match=r"robot\.xml:1: the root element is <sdf>, and robots"):
        files.read(path, Issues())


def robot_of(path: Path) -> Robot:
    return from_gltf.robot_of(as_gltf(path), "", Issues())


def test_what_is_no_robot_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bare.gltf"
    path.write_text('{"asset": {"version": "2.0"}, "nodes": [{"name": "a"}]}')
    with pytest.raises(FormatError, match="there are no bodies in it to write"):
        files.write(source.read(path), tmp_path / "bare.urdf", Issues())
    with pytest.raises(FormatError, match="the name must end in"):
        files.write(source.read(path), tmp_path / "bare.sdf", Issues())
    with pytest.raises(FormatError, match="the name must end in"):
        files.read(tmp_path / "bare.sdf", Issues())


def test_a_gltf_of_text_holds_its_meshes(tmp_path: Path) -> None:
    path = robot_models.write("pan_tilt", tmp_path)
    container = files.read(path, Issues(), is_text=True)
    output = tmp_path / "text.gltf"
    output.write_bytes(containers.write(container, container.json))
    assert apart(source.read(output), as_gltf(path)) == []


EXAMPLES = sorted((environment.ROOT / "examples").glob("*.glb"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_robots_as_well(path: Path, tmp_path: Path) -> None:
    """What no format has is told; what is written is read again, with as many bodies."""
    gltf, issues = source.read(path), Issues()
    again = files.read(written(gltf, tmp_path / "robot.urdf", issues), Issues())
    assert issues.codes().keys() <= {"X80", "X81", "L04", "L08", "B07", "B10k"}
    names = {node["name"] for node in again.json["nodes"]}
    moving = [link for link in from_gltf.robot_of(gltf, "", Issues()).links if link.mass]
    assert {link.name for link in moving} <= names
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_path(str(written(gltf, tmp_path / "robot.xml")))
    still = {model.body(at).name for at in np.flatnonzero(model.body_dofnum == 0)}
    for link in moving:
        assert model.body(link.name).mass[0] == pytest.approx(link.mass)
        assert link.name not in still or model.body(link.name).weldid[0] > 0
    for link in from_gltf.robot_of(gltf, "", Issues()).links:
        assert link.type == "dynamic" or link.name in still | {"world"}
