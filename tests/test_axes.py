"""Z up and Y up, with numbers that tell every axis and sign apart."""

from __future__ import annotations

import ast
import math
import re
from dataclasses import is_dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import omi_physics_addon
from omi_physics_addon.axes import (
    LENGTHS,
    TO_GLTF,
    Y_TO_Z,
    Axes,
    matrices_to_blender,
    matrices_to_gltf,
    points_to_blender,
    points_to_gltf,
)
from omi_physics_addon.model import bodies, gravity, joints, seats, shapes, vehicles
from omi_physics_addon.model.fields import AxisIndex, FieldInfo, Quantity, row, table
from omi_physics_addon.model.gravity import GravityVolume, PointGravity, WorldGravity
from omi_physics_addon.model.joints import JointDrive, JointLimit
from omi_physics_addon.model.vehicles import HoverThruster, Thruster, VehicleBody, Wheel

CENTER = row(bodies.Motion, "center_of_mass")
LINEAR = row(bodies.Motion, "linear_velocity")
ANGULAR = row(bodies.Motion, "angular_velocity")
INERTIA = row(bodies.Motion, "inertia_diagonal")
TURN = row(bodies.Motion, "inertia_orientation")
MASS = row(bodies.Motion, "mass")
DOWN = row(gravity.WorldGravity, "direction")
SIZE = row(shapes.Box, "size")
HEIGHT = row(shapes.Capsule, "height")
NAME = row(bodies.PhysicsMaterial, "name")

# Field, Blender's value, glTF's value.
TURNED = [
    (CENTER, (1.0, 2.0, 3.0), (1.0, 3.0, -2.0)),
    (LINEAR, (1.0, 2.0, 3.0), (1.0, 3.0, -2.0)),
    (ANGULAR, (-1.0, -2.0, -3.0), (-1.0, -3.0, 2.0)),
    (DOWN, (0.0, 0.6, -0.8), (0.0, -0.8, -0.6)),
    (INERTIA, (1.0, 2.0, 3.0), (1.0, 3.0, 2.0)),
    (SIZE, (1.0, 2.0, 3.0), (1.0, 3.0, 2.0)),
    (TURN, (0.1, 0.2, 0.3, 0.9), (0.1, 0.3, -0.2, 0.9)),
    (MASS, 5.0, 5.0),
    (HEIGHT, 5.0, 5.0),
    (NAME, "ice", "ice"),
]
NAMED = {"ids": lambda value: value.name if isinstance(value, FieldInfo) else str(value)}


@pytest.mark.parametrize(("row", "blender", "gltf"), TURNED, **NAMED)
def test_blender_to_gltf(row, blender, gltf):
    assert Axes().to_gltf(row, blender) == gltf


@pytest.mark.parametrize(("row", "blender", "gltf"), TURNED, **NAMED)
def test_gltf_to_blender(row, blender, gltf):
    assert Axes().to_blender(row, gltf) == blender


@pytest.mark.parametrize(("row", "blender", "gltf"), TURNED, **NAMED)
def test_nothing_turns_without_y_up(row, blender, gltf):
    plain = Axes(y_up=False)
    assert plain.to_gltf(row, blender) == blender
    assert plain.to_blender(row, gltf) == gltf


@pytest.mark.parametrize(
    ("row", "gltf", "blender"),
    [
        (CENTER, (1.0, 3.0, -2.0), (10.0, 20.0, 30.0)),
        (LINEAR, (1.0, 3.0, -2.0), (10.0, 20.0, 30.0)),
        (SIZE, (1.0, 3.0, 2.0), (10.0, 20.0, 30.0)),
        (HEIGHT, 1.5, 15.0),
        (ANGULAR, (1.0, 3.0, -2.0), (1.0, 2.0, 3.0)),
        (DOWN, (0.0, -0.8, -0.6), (0.0, 0.6, -0.8)),
        (INERTIA, (1.0, 3.0, 2.0), (100.0, 200.0, 300.0)),
        (row(WorldGravity, "gravity"), 9.5, 95.0),
        (row(GravityVolume, "gravity"), -9.5, -95.0),
        (row(PointGravity, "unit_distance"), 2.0, 20.0),
        (row(Thruster, "max_force"), 2.0, 20.0),
        (row(Thruster, "force_change_rate"), 2.0, 20.0),
        (row(Thruster, "force_change_rate"), -1.0, -1.0),
        (row(VehicleBody, "gyro_torque"), (1.0, 3.0, 2.0), (100.0, 200.0, 300.0)),
        (row(VehicleBody, "max_speed"), 3.0, 30.0),
        (row(VehicleBody, "max_speed"), -1.0, -1.0),
        (row(HoverThruster, "max_hover_energy"), 2.0, 200.0),
        (row(HoverThruster, "hover_energy_change_rate"), 2.0, 200.0),
        (row(HoverThruster, "hover_energy_change_rate"), -2.0, -2.0),
        (row(Wheel, "braking_force"), -1.0, -1.0),
        (row(Wheel, "suspension_stiffness"), 2.0, 2.0),
        (row(Wheel, "suspension_damping_rebound"), 2.0, 2.0),
        (row(Wheel, "steering_change_rate"), 2.0, 2.0),
        (TURN, (0.1, 0.3, -0.2, 0.9), (0.1, 0.2, 0.3, 0.9)),
        (MASS, 1.5, 1.5),
        (NAME, "ice", "ice"),
    ],
    **NAMED,
)
def test_unit_scales_what_contains_lengths(row, gltf, blender):
    assert Axes(unit=10.0).to_blender(row, gltf) == blender


def test_unit_scales_without_y_up_too():
    assert Axes(y_up=False, unit=10.0).to_blender(CENTER, (1.0, 2.0, 3.0)) == (10.0, 20.0, 30.0)


@pytest.mark.parametrize(("row", "blender", "gltf"), TURNED, **NAMED)
def test_export_has_no_unit(row, blender, gltf):
    assert Axes(unit=10.0).to_gltf(row, blender) == gltf


def test_every_length_of_a_record_is_scaled():
    scaled = {
        info.name
        for record in (*shapes.TYPES.values(), bodies.Motion)
        for info in table(record)
        if info.type is float or info.length
        if Axes(y_up=False, unit=2.0).to_blender(info, _ones(info)) != _ones(info)
    }
    assert scaled == {
        "size",
        "radius",
        "height",
        "radius_bottom",
        "radius_top",
        "center_of_mass",
        "linear_velocity",
        "inertia_diagonal",
    }


def test_every_unit_has_a_power_of_length():
    modules = (shapes, bodies, gravity, joints, seats, vehicles)
    items = [item for module in modules for item in vars(module).values()]
    records = [item for item in items if isinstance(item, type) and is_dataclass(item)]
    units = {info.field.unit for record in records for info in table(record)}
    assert units == LENGTHS.keys()


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (
            JointLimit(linear_axes=(AxisIndex(0),), min=-1.0, max=2.0, stiffness=3.0, damping=4.0),
            (-10.0, 20.0, 3.0, 4.0),
        ),
        (
            JointLimit(angular_axes=(AxisIndex(0),), min=-1.0, max=2.0, stiffness=3.0, damping=4.0),
            (-1.0, 2.0, 300.0, 400.0),
        ),
        (JointLimit(linear_axes=(AxisIndex(0),)), (None, None, None, 0.0)),
        (JointLimit(angular_axes=(AxisIndex(0),)), (None, None, None, 0.0)),
    ],
)
def test_unit_scales_limits(limit, expected):
    (sized,) = Axes(unit=10.0).limit_to_blender(limit, per_axis=True)
    assert (sized.min, sized.max, sized.stiffness, sized.damping) == expected


@pytest.mark.parametrize(
    ("kind", "mode", "expected"),
    [
        ("linear", "force", (10.0, 20.0, 30.0, 4.0, 5.0)),
        ("linear", "acceleration", (10.0, 20.0, 30.0, 4.0, 5.0)),
        ("angular", "force", (100.0, 2.0, 3.0, 400.0, 500.0)),
        ("angular", "acceleration", (100.0, 2.0, 3.0, 4.0, 5.0)),
        ("magnetic", "force", (1.0, 2.0, 3.0, 4.0, 5.0)),
    ],
)
def test_unit_scales_drives(kind, mode, expected):
    names = ("max_force", "position_target", "velocity_target", "stiffness", "damping")
    numbers = dict(zip(names, (1.0, 2.0, 3.0, 4.0, 5.0), strict=True))
    drive = Axes(unit=10.0).drive_to_blender(JointDrive(type=kind, mode=mode, **numbers))
    assert tuple(getattr(drive, name) for name in names) == expected
    bare = JointDrive(type=kind, mode=mode)
    assert Axes(unit=10.0).drive_to_blender(bare) == bare


def _ones(info: FieldInfo):
    return (1.0,) * info.length if info.length else 1.0


def test_table_above_has_every_quantity():
    assert {info.field.quantity for info, _, _ in TURNED} == set(Quantity)


numbers = st.floats(allow_nan=False, allow_infinity=False)
vectors = st.tuples(numbers, numbers, numbers)


@given(st.sampled_from([CENTER, DOWN, SIZE]), vectors, st.booleans())
def test_there_and_back(row, value, y_up):
    axes = Axes(y_up=y_up)
    assert axes.to_blender(row, axes.to_gltf(row, value)) == value
    assert axes.to_gltf(row, axes.to_blender(row, value)) == value


@given(st.tuples(numbers, numbers, numbers, numbers), st.booleans())
def test_rotation_there_and_back(value, y_up):
    axes = Axes(y_up=y_up)
    assert axes.to_blender(TURN, axes.to_gltf(TURN, value)) == value
    assert axes.to_gltf(TURN, axes.to_blender(TURN, value)) == value


small = st.floats(-10.0, 10.0)


@given(st.tuples(small, small, small, small), st.tuples(small, small, small))
def test_turned_rotation_turns_the_turned_vector(quaternion, vector):
    axes = Axes()
    turned = axes.to_gltf(CENTER, rotate(quaternion, vector))
    again = rotate(axes.to_gltf(TURN, quaternion), axes.to_gltf(CENTER, vector))
    assert again == pytest.approx(turned, rel=1e-9, abs=1e-6)


def rotate(quaternion, vector):
    """q v q* of a quaternion x, y, z, w of any length."""
    *axis, w = quaternion
    twice = [2.0 * number for number in cross(axis, vector)]
    return tuple(
        (w * w + sum(a * a for a in axis)) * v + w * t + u
        for v, t, u in zip(vector, twice, cross(axis, twice), strict=True)
    )


def cross(a, b):
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def test_rotate_is_right_handed():
    half = math.sqrt(0.5)
    assert rotate((0.0, 0.0, half, half), (1.0, 0.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0))


def limit(axes: tuple[int, ...], low: float | None, high: float | None, kind: str = "linear"):
    return JointLimit(**{f"{kind}_axes": axes}, min=low, max=high, stiffness=5.0, damping=2.0)


# Blender's limit, glTF's: glTF's Z is Blender's -Y, so that one changes ends and signs.
LIMITS = [
    (((0,), -1.0, 2.0), ((0,), -1.0, 2.0)),
    (((1,), -1.0, 2.0), ((2,), -2.0, 1.0)),
    (((2,), -1.0, 2.0), ((1,), -1.0, 2.0)),
    (((1,), None, 2.0), ((2,), -2.0, None)),
    (((1,), -1.0, None), ((2,), None, 1.0)),
    (((1,), 0.0, 0.0), ((2,), 0.0, 0.0)),
    (((0, 1), -2.0, 2.0), ((0, 2), -2.0, 2.0)),
    (((0, 1, 2), 0.0, 0.0), ((0, 1, 2), 0.0, 0.0)),
]


@pytest.mark.parametrize("kind", ["linear", "angular"])
@pytest.mark.parametrize(("blender", "gltf"), LIMITS, ids=str)
def test_limit(blender, gltf, kind):
    assert Axes().limit_to_gltf(limit(*blender, kind)) == limit(*gltf, kind)
    for per_axis in (False, True):
        assert Axes().limit_to_blender(limit(*gltf, kind), per_axis=per_axis) == (
            limit(*blender, kind),
        )


@pytest.mark.parametrize(
    ("per_axis", "blender"),
    [
        (True, [((0,), 1.0, 3.0), ((1,), -3.0, -1.0), ((2,), 1.0, 3.0)]),
        (False, [((0, 1, 2), 1.0, 3.0)]),
    ],
    ids=["on each axis", "of a distance"],
)
def test_lopsided_limit_of_several_axes(per_axis, blender):
    parts = Axes().limit_to_blender(limit((0, 2, 1), 1.0, 3.0), per_axis=per_axis)
    assert parts == tuple(limit(*part) for part in blender)


@pytest.mark.parametrize(
    ("axis", "other", "sign"), [(0, 0, 1.0), (1, 2, -1.0), (2, 1, 1.0)], ids=["x", "y", "z"]
)
def test_drive(axis, other, sign):
    constant = {"max_force": 7.0, "stiffness": 5.0, "damping": 3.0, "type": "angular"}
    blender = JointDrive(axis=axis, position_target=1.0, velocity_target=-2.0, **constant)
    gltf = JointDrive(
        axis=other, position_target=sign * 1.0, velocity_target=sign * -2.0, **constant
    )
    assert Axes().drive_to_gltf(blender) == gltf
    assert Axes().drive_to_blender(gltf) == blender


def test_joints_do_not_turn_without_y_up():
    plain = Axes(y_up=False)
    one, drive = limit((1,), -1.0, 2.0), JointDrive(axis=2, position_target=1.0)
    assert plain.limit_to_gltf(one) == one
    assert plain.limit_to_blender(one, per_axis=True) == (one,)
    assert plain.drive_to_gltf(drive) == plain.drive_to_blender(drive) == drive


@pytest.mark.parametrize("y_up", [True, False])
def test_values_without_a_field_turn_as_those_of_fields_do(y_up):
    axes = Axes(y_up=y_up, unit=10.0)
    point, turn = (1.0, 2.0, 3.0), (0.1, 0.2, 0.3, 0.9)
    assert axes.point_to_gltf(point) == axes.to_gltf(CENTER, point)
    assert axes.point_to_blender(point) == axes.to_blender(CENTER, point)
    assert axes.turn_to_gltf(turn) == axes.to_gltf(TURN, turn)
    assert axes.turn_to_blender(turn) == axes.to_blender(TURN, turn)
    assert axes.size_to_gltf(point) == axes.to_gltf(SIZE, point)
    assert axes.size_to_blender(point) == axes.to_blender(SIZE, point)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(3,), (5, 3), (2, 5, 3), (0, 3)])
def test_arrays_of_points_turn_as_points_do(shape, kind):
    points = np.random.default_rng(1).normal(size=shape).astype(kind)
    turned = points_to_gltf(points)
    assert turned.dtype == kind
    assert turned == pytest.approx(points @ TO_GLTF.T)
    for one, other in zip(points.reshape(-1, 3), turned.reshape(-1, 3), strict=True):
        assert tuple(other) == Axes().point_to_gltf(one)
    assert (points_to_blender(turned) == points).all()


def test_arrays_have_no_negative_zero():
    assert not np.signbit(points_to_gltf([[0, 0, 0]])).any()
    assert not np.signbit(points_to_blender([[0, 0, 0]])).any()


@pytest.mark.parametrize("shape", [(3, 3), (4, 3, 3), (4, 4), (2, 5, 4, 4)])
def test_matrices_lead_turned_points_to_turned_points(shape):
    rng = np.random.default_rng(2)
    matrices = rng.normal(size=shape)
    turned = matrices_to_gltf(matrices)
    point = rng.normal(size=3)
    expected = points_to_gltf(matrices[..., :3, :3] @ point)
    assert turned[..., :3, :3] @ points_to_gltf(point) == pytest.approx(expected)
    if shape[-1] == 4:
        assert turned[..., :3, 3] == pytest.approx(points_to_gltf(matrices[..., :3, 3]))
        assert (turned[..., 3, 3] == matrices[..., 3, 3]).all()
    assert (matrices_to_blender(turned) == matrices).all()


def test_the_rotation_up_is_that_of_the_axes():
    x, _, _, w = Y_TO_Z
    turn = np.array([[1.0, 0.0, 0.0], [0.0, w * w - x * x, -2 * w * x], [0.0, 2 * w * x, 0.0]])
    assert turn == pytest.approx(TO_GLTF.T)


def test_nothing_else_turns_by_hand():
    found = {
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in PACKAGE.rglob("*.py")
        if path != PACKAGE / "axes.py"
        for line in _turned_by_hand(path.read_text())
    }
    assert not found, "let axes.py turn: " + ", ".join(sorted(found))


@pytest.mark.parametrize(
    "text",
    [
        "(x, z, -y)",
        "(x, -z, y)",
        "[sx, sz, sy]",
        "(v.x, v.z, -v.y, 1.0)",
        "(v[0], v[2], -v[1])",
        "(v[:, 0], v[:, 2], -v[:, 1])",
        "[x, z, -y, w]",
        "np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])",
        "Matrix(((1.0, 0, 0, 0), (0, 0, -1.0, 0), (0, 1.0, 0, 0), (0, 0, 0, 1)))",
        "Matrix.Rotation(-math.pi / 2, 4, 'X')",
        "Matrix.Rotation(radians(90.0), 3, 'X')",
        "Quaternion((math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0))",
        "Quaternion((1.0, 0.0, 0.0), math.pi / 2)",
    ],
)
def test_turning_by_hand_is_found(text):
    assert _turned_by_hand(text) == [1]


@pytest.mark.parametrize(
    "text",
    [
        "(x, y, z)",
        "(w, x, y, z)",
        "a.transpose(0, 2, 1)",
        "[[0, -z, y], [z, 0, -x], [-y, x, 0]]",
        "Matrix.Rotation(angle, 4, 'X')",
        "np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])",
    ],
)
def test_other_numbers_are_not_taken_for_turning(text):
    assert _turned_by_hand(text) == []


PACKAGE = Path(omi_physics_addon.__file__).parent


def _turned_by_hand(text: str) -> list[int]:
    """The lines on which a text in Python turns between Z up and Y up."""
    return sorted(
        node.lineno
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Tuple | ast.List) and (_is_swizzle(node) or _is_matrix(node)))
        or (isinstance(node, ast.Call) and _is_quarter_turn(node))
    )


def _is_swizzle(node: ast.Tuple | ast.List) -> bool:
    """Whether three components stand as x, z, y, with any signs."""
    return [_component(element) for element in node.elts[:3]] == ["x", "z", "y"]


def _component(node: ast.expr) -> str:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.Name):
        return node.id[-1]
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        at = node.slice.elts[-1] if isinstance(node.slice, ast.Tuple) else node.slice
        if isinstance(at, ast.Constant) and at.value in (0, 1, 2):
            return "xyz"[at.value]
    return ""


def _is_matrix(node: ast.Tuple | ast.List) -> bool:
    try:
        value = np.abs(np.array(ast.literal_eval(node), dtype=float))
    except (ValueError, TypeError):
        return False
    wide = value.ndim == 2 and value.shape[0] >= 3 and value.shape[1] >= 3
    return bool(wide and (value[:3, :3] == np.abs(TO_GLTF)).all())


def _is_quarter_turn(node: ast.Call) -> bool:
    """Whether it makes a rotation by a quarter about X."""
    text = ast.unparse(node).replace(" ", "").replace(".0", "")
    name, _, rest = text.partition("(")
    if name.split(".")[-1] not in ("Rotation", "Quaternion"):
        return False
    quarter = r"(\w+\.)?pi/2|(\w+\.)?radians\(-?90\)|(\w+\.)?sqrt\(0?\.5\)|0?\.707\d*"
    about_x = "'X'" in rest or "(1,0,0)" in rest or re.match(r"\(.*,.*,0,0\)\)$", rest)
    return bool(about_x and re.search(quarter, rest))
