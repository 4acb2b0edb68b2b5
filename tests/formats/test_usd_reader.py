"""UsdPhysics as it is read: units, axes, shapes, joints, and what is told or refused."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.formats import turns, usd_reader
from omi_physics_addon.formats.robots import Robot
from omi_physics_addon.formats.table import FormatError
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.filters import meets
from omi_physics_addon.model.shapes import Box, Cylinder, Sphere
from omi_physics_addon.simulation.world import Mesh

HEAD = '#usda 1.0\n( defaultPrim = "r"\n{} )\n'
METERS = 'metersPerUnit = 1\nupAxis = "Z"'
SCALE = 'double3 xformOp:scale = ({})\nuniform token[] xformOpOrder = ["xformOp:scale"]'
SCHEMAS = '"PhysicsRigidBodyAPI", "PhysicsMassAPI"'
MASS = "float physics:mass = 2\nfloat3 physics:diagonalInertia = (1, 2, 2.5)"


def of(text: str, folder: Path, issues: Issues | None = None, head: str = METERS) -> Robot:
    pytest.importorskip("pxr")
    path = folder / "r.usda"
    for sign, broken in (("def ", "\ndef "), ("{", "{\n"), ("}", "\n}\n")):
        text = text.replace(sign, broken)  # USD wants lines.
    path.write_text(HEAD.format(head) + f'def Xform "r" {{\n{text}\n}}\n', encoding="utf-8")
    return usd_reader.read(path, Issues() if issues is None else issues)


def body(text: str = MASS, name: str = "a") -> str:
    return f'def Xform "{name}" (prepend apiSchemas = [{SCHEMAS}]) {{\n{text}\n}}'


def solid(kind: str, text: str, more: str = "", name: str = "c") -> str:
    schemas = f'"PhysicsCollisionAPI"{more}'
    return f'def {kind} "{name}" (prepend apiSchemas = [{schemas}]) {{ {text} }}'


def joint(kind: str, text: str = "", more: str = "") -> str:
    ends = "rel physics:body0 = </r/a>\nrel physics:body1 = </r/b>"
    return f'def {kind} "j" {more} {{ {ends}\n{text} }}'


def test_without_openusd_the_way_to_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.import_module

    def without(name: str, package: str | None = None) -> Any:
        if name.startswith("pxr"):
            raise ModuleNotFoundError(name)
        return found(name, package)

    monkeypatch.setattr(importlib, "import_module", without)
    why = "USD is read and written by the library of OpenUSD, which this Python lacks; .* pip"
    with pytest.raises(FormatError, match=why):
        usd_reader.read(tmp_path / "r.usda", Issues())


def test_what_is_refused_says_where(tmp_path: Path) -> None:
    pytest.importorskip("pxr")
    path = tmp_path / "r.usda"
    for missing in (path, tmp_path / f"{'a' * 5000}.usda"):
        with pytest.raises(FormatError, match="there is no file"):
            usd_reader.read(missing, Issues())
    path.write_text('#usda 1.0\ndef Xform "a" {')
    with pytest.raises(FormatError, match=r"r\.usda: OpenUSD refuses the file: .*r\.usda:2:"):
        usd_reader.read(path, Issues())
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "other.usda").write_text('#usda 1.0\ndef Xform "a" {}')
    path = inside / "r.usda"
    path.write_text("#usda 1.0\n( subLayers = [@../other.usda@] )")
    with pytest.raises(FormatError, match=r"the layer .*other\.usda\" is outside of the folder"):
        usd_reader.read(path, Issues())
    assert usd_reader.read(path, Issues(), allow_outside=True).links == []
    path.write_text('#usda 1.0\ndef Xform "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) '
                    '{\n double3 xformOp:translate = (nan, 0, 0)\n'
                    'uniform token[] xformOpOrder = ["xformOp:translate"]\n}')  # fmt: skip
    with pytest.raises(FormatError, match="its place is not one that a file can mean"):
        usd_reader.read(path, Issues())


def test_units_and_axes_are_those_of_the_stage(tmp_path: Path) -> None:
    place = "double3 xformOp:translate = (100, 200, 300)\n"
    place += 'uniform token[] xformOpOrder = ["xformOp:translate"]'
    robot = of(
        body(f"{MASS}\npoint3f physics:centerOfMass = (0, 10, 0)\n{place}\n"
             + solid("Sphere", "double radius = 50")),
        tmp_path,
        head='metersPerUnit = 0.01\nkilogramsPerUnit = 0.001\nupAxis = "Y"',
    )  # fmt: skip
    (link,) = robot.links
    assert link.pose.place == pytest.approx([1.0, -3.0, 2.0])
    assert link.pose.rotation @ [0, 1, 0] == pytest.approx([0, 0, 1])
    assert link.mass == pytest.approx(0.002)
    assert link.center == pytest.approx([0, 0.1, 0])
    assert link.tensor == pytest.approx(np.diag([1, 2, 2.5]) * 1e-3 * 1e-4)
    assert link.parts[0].form == Sphere(radius=0.5)


def test_gravity_is_down_unless_it_is_said(tmp_path: Path) -> None:
    assert of('def PhysicsScene "s" {}', tmp_path).gravity == (0.0, 0.0, -9.81)
    said = "vector3f physics:gravityDirection = (2, 0, 0)\nfloat physics:gravityMagnitude = 3"
    assert of(f'def PhysicsScene "s" {{ {said} }}', tmp_path).gravity == (3.0, 0.0, 0.0)


def test_masses_follow_from_densities(tmp_path: Path) -> None:
    cube = solid("Cube", "double size = 1")
    assert of(body(cube), tmp_path).links[0].mass == pytest.approx(1000.0)
    link = of(body(f"float physics:density = 12\n{cube}"), tmp_path).links[0]
    assert link.mass == pytest.approx(12.0)
    assert link.tensor == pytest.approx(np.eye(3) * 2.0)
    link = of(body(f"float physics:mass = 6\n{cube}"), tmp_path).links[0]
    assert link.tensor == pytest.approx(np.eye(3))
    tube = solid("Cylinder", 'double height = 2\ndouble radius = 1\nuniform token axis = "X"')
    link = of(body(f"float physics:mass = 12\n{tube}"), tmp_path).links[0]
    assert link.tensor == pytest.approx(np.diag([6.0, 7.0, 7.0]))
    issues = Issues()
    assert of(body(""), tmp_path, issues).links[0].mass is None
    assert [each.code for each in issues] == ["X84"]


def test_shapes_have_the_scale_in_their_sizes(tmp_path: Path) -> None:
    scale = SCALE.format("2, 4, 6")
    (part,) = of(body(MASS + solid("Cube", f"double size = 0.5\n{scale}")), tmp_path).links[0].parts
    assert part.form == Box(size=(1.0, 2.0, 3.0))
    issues = Issues()
    of(body(MASS + solid("Sphere", scale)), tmp_path, issues)
    assert [each.code for each in issues] == ["X81"]
    (part,) = (
        of(body(MASS + solid("Cone", "double height = 2\ndouble radius = 1")), tmp_path)
        .links[0]
        .parts
    )
    assert part.form == Cylinder(height=2.0, radius_bottom=1.0, radius_top=0.0)


@pytest.mark.parametrize("radius", ["inf", "0", "-1"])
def test_a_shape_of_no_finite_size_is_left_out_and_told(radius: str, tmp_path: Path) -> None:
    issues = Issues()
    (link,) = of(body(solid("Sphere", f"double radius = {radius}")), tmp_path, issues).links
    assert link.parts == []
    assert "it has no size, or one that is too large" in issues.found[0].message


def test_meshes_are_triangles(tmp_path: Path) -> None:
    points = "point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]\n"
    square = points + "int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0, 1, 2, 3]"
    for word, is_convex in (("convexHull", True), ("none", False)):
        text = f'{square}\nuniform token physics:approximation = "{word}"'
        more = ', "PhysicsMeshCollisionAPI"'
        (part,) = of(body(MASS + solid("Mesh", text, more)), tmp_path).links[0].parts
        assert isinstance(part.form, Mesh)
        assert part.form.is_convex == is_convex
        assert part.form.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]
    for bad, why in (
        (square.replace("2, 3]", "2, 9]"), "its points or faces do not fit together"),
        (square.replace("1,0,0", "1e20,0,0") + f"\n{SCALE.format('1e20, 1, 1')}", "not a number"),
        (square.replace("[4]", "[2, 2]"), "a mesh has no triangles"),
    ):
        issues = Issues()
        assert of(body(MASS + solid("Mesh", bad)), tmp_path, issues).links[0].parts == []
        assert [each.code for each in issues] == ["X83"]
        assert why in issues.found[0].message


def test_colors_are_from_0_to_1(tmp_path: Path) -> None:
    color = "color3f[] primvars:displayColor = [(nan, 5, 0.5)]"
    look = f'def Cube "c" {{ {color}\nfloat[] primvars:displayOpacity = [inf] }}'
    (part,) = of(body(look), tmp_path).links[0].parts
    assert part.color == (0.0, 1.0, 0.5, 1.0)


def test_what_no_body_moves_is_on_the_world(tmp_path: Path) -> None:
    off = "bool physics:rigidBodyEnabled = 0"
    robot = of(
        solid("Cube", "") + body(off, "b") + body("bool physics:kinematicEnabled = 1", "k"),
        tmp_path,
    )
    assert [(link.name, link.type) for link in robot.links] == [
        ("b", "static"), ("k", "kinematic"), ("world", "static")
    ]  # fmt: skip
    assert len(robot.links[2].parts) == 1


def free_of(robot: Robot) -> turns.Freedom:
    free = turns.freedom(robot.joints[0].settings)
    assert free is not None
    return free


def test_joints_are_those_of_the_schema(tmp_path: Path) -> None:
    two = body(name="a") + body(name="b")
    limits = "float physics:lowerLimit = -90\nfloat physics:upperLimit = 45"
    axis = 'uniform token physics:axis = "Y"\n'
    free = free_of(of(two + joint("PhysicsRevoluteJoint", axis + limits), tmp_path))
    assert free.slides == {}
    assert free.turns == {1: pytest.approx((-math.pi / 2, math.pi / 4))}
    free = free_of(of(two + joint("PhysicsPrismaticJoint", axis + limits), tmp_path))
    assert (free.slides, free.turns) == ({1: (-90.0, 45.0)}, {})
    assert free_of(of(two + joint("PhysicsFixedJoint"), tmp_path)).turns == {}
    assert len(free_of(of(two + joint("PhysicsSphericalJoint"), tmp_path)).turns) == 3
    more = '(prepend apiSchemas = ["PhysicsLimitAPI:transX", "PhysicsLimitAPI:rotZ"])'
    held = ("float limit:transX:physics:low = 1\nfloat limit:transX:physics:high = -1\n"
            "float limit:rotZ:physics:low = -90\nfloat limit:rotZ:physics:high = 90")  # fmt: skip
    free = free_of(of(two + joint("PhysicsJoint", held, more), tmp_path))
    assert list(free.slides) == [1, 2]
    assert free.turns[2] == pytest.approx((-math.pi / 2, math.pi / 2))


def test_cones_and_ropes_are_limits(tmp_path: Path) -> None:
    two = body(name="a") + body(name="b")
    cone = "float physics:coneAngle0Limit = 30\nfloat physics:coneAngle1Limit = 30"
    limit = of(two + joint("PhysicsSphericalJoint", cone), tmp_path).joints[0].settings.limits[-1]
    assert (limit.angular_axes, limit.max) == ((1, 2), pytest.approx(math.pi / 6))
    rope = "float physics:maxDistance = 2"
    limit = of(two + joint("PhysicsDistanceJoint", rope), tmp_path).joints[0].settings.limits[-1]
    assert (limit.linear_axes, limit.max) == ((0, 1, 2), 2.0)


def test_drives_are_in_radians(tmp_path: Path) -> None:
    drive = ("float drive:angular:physics:stiffness = 2\nfloat drive:angular:physics:damping = 1\n"
             "float drive:angular:physics:targetPosition = 90\n"
             "float drive:angular:physics:maxForce = 5")  # fmt: skip
    more = '(prepend apiSchemas = ["PhysicsDriveAPI:angular"])'
    two = body(name="a") + body(name="b")
    (found,) = (
        of(two + joint("PhysicsRevoluteJoint", drive, more), tmp_path).joints[0].settings.drives
    )
    assert found.stiffness == pytest.approx(2 * 180 / math.pi)
    assert found.position_target == pytest.approx(math.pi / 2)
    assert (found.type, found.max_force) == ("angular", 5.0)


def test_groups_are_filters(tmp_path: Path) -> None:
    parts = "".join(solid("Cube", "", name=f"c{k}") for k in range(3))
    groups = "".join(
        f'def PhysicsCollisionGroup "g{k}" (prepend apiSchemas = ["CollectionAPI:colliders"]) {{'
        f" rel collection:colliders:includes = </r/c{k}>\n"
        f" rel physics:filteredGroups = {filtered} }}"
        for k, filtered in enumerate(("</r/g1>", "[]"))
    )
    filters = [part.filter for part in of(parts + groups, tmp_path).links[0].parts]
    assert not meets(filters[0], filters[1])
    assert not meets(filters[1], filters[0])
    assert meets(filters[0], filters[2])
    assert meets(filters[0], filters[0])


def test_what_gltf_cannot_say_is_told_once(tmp_path: Path) -> None:
    two = body(f"{MASS}\nvector3f physics:velocity = (1, 0, 0)") + body(name="b")
    joined = body(name="a") + body(name="b")
    broken = joint("PhysicsFixedJoint", "float physics:breakForce = 3")
    off = joint("PhysicsFixedJoint", "bool physics:jointEnabled = 0")
    cases = {
        two: "the velocity at the start",
        joined + broken: "the force that breaks",
        joined + off: "the joint of",
        body().replace('"PhysicsMassAPI"', '"PhysicsMassAPI", "PhysicsFilteredPairsAPI"'):
            "the filtered pairs",
        body().replace('"PhysicsMassAPI"', '"PhysicsMassAPI", "PhysxRigidBodyAPI"'):
            "the schema PhysxRigidBodyAPI",
    }  # fmt: skip
    for text, what in cases.items():
        issues = Issues()
        of(text, tmp_path, issues)
        assert [(each.code, each.message.startswith(what)) for each in issues] == [("X80", True)]
        assert issues.found[0].pointer.startswith("r.usda /r/")
