"""Z up and Y up, with numbers that tell every axis and sign apart."""

from __future__ import annotations

import math
from dataclasses import is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_physics_addon.axes import LENGTHS, Axes
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
    records = [item for module in modules for item in vars(module).values() if is_dataclass(item)]
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
        (True, [((0, 2), 1.0, 3.0), ((1,), -3.0, -1.0)]),
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
