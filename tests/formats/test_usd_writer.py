"""UsdPhysics as it is written: the same robot again, and what is told that it cannot say."""

from __future__ import annotations

from pathlib import Path

import pytest

from omi_physics_addon.files import source
from omi_physics_addon.formats import files, turns, usd_writer
from omi_physics_addon.formats.robots import Part, Pose, Robot
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import PhysicsMaterial
from omi_physics_addon.model.joints import JointDrive, JointSettings
from tests.formats.test_files import ALL, apart, as_gltf, needs_mujoco, written
from tests.formats.test_urdf_writer import BALL, HINGE, JOINTS, SHAPES, driven, made
from tests.support import robot_models

pytest.importorskip("pxr")


def told(robot: Robot) -> list[str]:
    issues = Issues()
    usd_writer.write(robot, Path("r.usda"), issues)
    return [f"{each.code} {each.pointer}: {each.message}" for each in issues]


@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
@pytest.mark.parametrize("name", ALL)
def test_a_robot_is_the_same_as_usd(name: str, suffix: str, tmp_path: Path) -> None:
    """Gravity factors, materials and filters aside, which USD says in another way or not."""
    needs_mujoco(name)
    first = as_gltf(robot_models.write(name, tmp_path))
    issues = Issues()
    usd = written(first, tmp_path / f"robot{suffix}", issues)
    again = as_gltf(usd)
    (tmp_path / "first.glb").write_bytes((tmp_path / "robot.glb").read_bytes())
    others = (": collider.", ": motion.gravityFactor")
    changes = apart(first, again)
    assert [each for each in changes if not any(word in each for word in others)] == []
    back = written(again, tmp_path / f"back{suffix}")
    assert apart(source.read(tmp_path / "first.glb"), as_gltf(back)) == []


@pytest.mark.parametrize("settings", [HINGE, JOINTS["ball"], JOINTS["piston"], driven(damping=1.0)])
def test_joints_of_usd_are_written(settings: JointSettings) -> None:
    assert told(made(settings)) == []


@pytest.mark.parametrize("name", ["soft", "rope"])
def test_joints_that_usd_lacks_are_told(name: str) -> None:
    assert told(made(JOINTS[name])) == [
        'X80 /nodes/2: the joint "j" is left out, because USD has no soft limits, and cones and '
        "distances of other kinds; its ends are free"
    ]


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_are_all_written(name: str) -> None:
    assert told(made(HINGE, SHAPES[name][0])) == []


def test_what_usd_cannot_say_is_told() -> None:
    robot = made(HINGE)
    robot.links[1].gravity_factor = 0.5
    material = PhysicsMaterial(friction_combine="maximum", name="rubber")
    robot.links[1].parts[:] = [
        type(robot.links[1].parts[0])(name, BALL, robot.links[1].pose, material) for name in "ab"
    ]
    drive = JointDrive(type="angular", damping=1.0)
    twice = JointSettings(limits=HINGE.limits, drives=(drive, drive))
    robot.joints += made(twice).joints
    assert [each.partition(": ")[2] for each in told(robot)] == [
        'the gravity factor of "arm" is left out, because USD lets all bodies fall alike',
        'the combine mode of the friction of "rubber" is left out, because USD has no place for it',
        'a second drive of the joint "j" is left out, because USD has one drive for each axis',
    ]


def test_names_of_any_letters_come_back(tmp_path: Path) -> None:
    robot = made(turns.settings({}, {}))
    robot.links[1].name = "Arm 1 / größer"
    content, _ = usd_writer.write(robot, Path("r.usda"), Issues())
    path = tmp_path / "r.usda"
    path.write_bytes(content)
    container = files.read(path, Issues())
    assert "Arm 1 / größer" in [node["name"] for node in container.json["nodes"]]


def test_materials_have_names_that_usd_can_hold() -> None:
    robot = made(HINGE)
    robot.links[1].parts[:] = [Part("a", BALL, Pose(), PhysicsMaterial(name="rubber\ud800"))]
    content, _ = usd_writer.write(robot, Path("r.usda"), Issues())
    assert 'displayName = "rubber\ufffd"' in content.decode()
