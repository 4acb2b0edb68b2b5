"""Wheels are found among the parts of a vehicle, and tell its front."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.geometry.fit.round_parts import round_part
from omi_physics_addon.geometry.fit.wheel_sets import Part, WheelSet, find_wheels
from tests.support.vehicle_shapes import VEHICLES, Shape, Vehicle, X, Y, box, ring

NAMES = tuple(VEHICLES)


def part(name: str, points: Any, axes: Any) -> Part:
    center = (points.min(axis=0) + points.max(axis=0)) / 2.0
    reach = float(np.linalg.norm(points - center, axis=1).max())
    return Part(name, center, reach, round_part(points, axes.T))


def found(shapes: Sequence[Shape], linear: Any = None, axes: Any = None) -> WheelSet | None:
    """What is found once the points are moved so, for a chassis with such axes."""
    linear = np.eye(3) if linear is None else linear
    axes = np.eye(3) if axes is None else axes
    return find_wheels([part(s.name, s.points @ linear.T, axes) for s in shapes[1:]], axes)


def check(vehicle: Vehicle, result: WheelSet | None, scale: float, ahead: Any, up: Any) -> None:
    shapes = vehicle.parts[1:]
    assert result is not None
    tires = [shapes[wheel.tire] for wheel in result.wheels]
    assert [tire.name for tire in tires] == [s.name for s in shapes if s.wheel]
    for wheel, tire in zip(result.wheels, tires, strict=True):
        assert wheel.form.radius == pytest.approx(tire.wheel * scale, rel=0.02)
    assert result.front @ ahead > 0.999
    assert result.up @ up > 0.999
    assert result.evidence == vehicle.evidence


@pytest.mark.parametrize("name", NAMES)
def test_wheels_axles_and_front_are_found(name: str) -> None:
    check(VEHICLES[name], found(VEHICLES[name].parts), 1.0, (0, 1, 0), (0, 0, 1))


@pytest.mark.parametrize("name", NAMES)
def test_turned_scaled_and_mirrored_vehicles_are_the_same(name: str) -> None:
    random = np.random.default_rng(18)
    for mirror in (1.0, -1.0):
        yaw, lean = random.uniform(-math.pi, math.pi), random.uniform(-0.3, 0.3)
        around = np.array(
            [(math.cos(yaw), -math.sin(yaw), 0), (math.sin(yaw), math.cos(yaw), 0), (0, 0, 1)]
        )
        tilt = np.array(
            [(1, 0, 0), (0, math.cos(lean), -math.sin(lean)), (0, math.sin(lean), math.cos(lean))]
        )
        turn, scale = tilt @ around, float(np.exp(random.uniform(-3.0, 3.0)))
        result = found(VEHICLES[name].parts, scale * turn * (mirror, 1.0, 1.0), turn)
        check(VEHICLES[name], result, scale, turn[:, 1], turn[:, 2])


@pytest.mark.parametrize("name", NAMES)
def test_vehicles_in_meshes_that_look_aside_are_the_same(name: str) -> None:
    """Their chassis is turned by a quarter or lies on its side, as other programs leave it."""
    for axes in (np.eye(3)[:, [1, 2, 0]], np.array([(0, -1, 0), (1, 0, 0), (0, 0, 1.0)])):
        check(VEHICLES[name], found(VEHICLES[name].parts, axes=axes), 1.0, (0, 1, 0), (0, 0, 1))


def test_without_evidence_the_front_is_the_usual_one() -> None:
    shapes = [s for s in VEHICLES["car"].parts if s.name not in ("Helm", "Lamp")]
    ahead, aside = found(shapes), found(shapes, axes=np.eye(3)[:, [1, 0, 2]] * (1, -1, 1))
    assert ahead is not None
    assert aside is not None
    assert (ahead.evidence, aside.evidence) == ("USUAL", "USUAL")
    np.testing.assert_allclose(ahead.front, (0, -1, 0), atol=1e-9)
    np.testing.assert_allclose(aside.front, (0, 1, 0), atol=1e-9)  # The +X axis of its chassis.


def test_rims_turn_with_their_tires() -> None:
    vehicle = VEHICLES["simple"]
    result, names = found(vehicle.parts), [s.name for s in vehicle.parts[1:]]
    assert result is not None
    for wheel in result.wheels:
        end = names[wheel.tire].partition("_")[2]
        assert {names[i] for i in wheel.others} == {f"Rim_{end}", f"Disc_{end}"}


def test_nothing_round_is_no_vehicle() -> None:
    crate = Shape("Crate", box((1, 1, 1), (0, 0, 0)))
    table = Shape("Table", ring(0.5, 0.1, (0, 0, 1), (0, 0, 1)))
    assert found([crate, crate, table]) is None
    assert found([crate]) is None


def test_a_propeller_is_no_wheel() -> None:
    """It is larger than all three wheels of a plane, and above them."""
    shapes = [
        Shape("Plane", box((1.2, 9.0, 1.4), (0.0, 0.0, 1.6))),
        Shape("Nose", ring(0.2, 0.12, X, (0.0, -3.0, 0.2)), 0.2),
        Shape("Main", ring(0.3, 0.15, X, (1.2, 0.6, 0.3)), 0.3),
        Shape("Main", ring(0.3, 0.15, X, (-1.2, 0.6, 0.3)), 0.3),
        Shape("Propeller", ring(0.9, 0.05, Y, (0.0, -4.6, 1.6))),
    ]
    result = found(shapes)
    assert result is not None
    assert [wheel.form.radius for wheel in result.wheels] == pytest.approx(
        [0.2, 0.3, 0.3], rel=0.02
    )
    assert result.front @ (0, -1, 0) > 0.999


def test_bolts_below_a_car_are_no_wheels() -> None:
    car = VEHICLES["car"].parts
    bolt = [Shape("Bolt", ring(0.01, 0.01, X, (0.1, y, 0.2))) for y in np.linspace(-1, 1, 40)]
    result = found([*car, *bolt])
    assert result is not None
    assert [car[1 + w.tire].name for w in result.wheels] == [f"Wheel {i}" for i in range(4)]
