"""What hangs on what, and how much of it the solver holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from omi_physics_addon.model.joints import JointDrive, JointLimit
from omi_physics_addon.simulation.bullet.convergence import (
    hanging,
    needed_iterations,
    spun,
    stretch,
    sunk,
)
from omi_physics_addon.simulation.state import WORLD
from omi_physics_addon.simulation.world import Body, Frame, JointFrames, World

PIN = (JointLimit(linear_axes=(0, 1, 2), angular_axes=(), min=0.0, max=0.0),)


def body(height: float, mass: float) -> Body:
    zero, place = np.zeros(3), np.array([0.0, height, 0.0])
    moments = np.full(3, 0.01 * mass)
    return Body(0, "dynamic", np.eye(3), place, (), mass, zero, np.eye(3), moments, zero, zero)


def pin(first: int, second: int, places: tuple[float, float]) -> JointFrames:
    frames = [
        Frame(at, np.array([0.0, place, 0.0]), np.eye(3))
        for at, place in zip((first, second), places, strict=True)
    ]
    return JointFrames(0, frames[0], frames[1], PIN, (), False)


def chain() -> World:
    """Two bodies of 1 kg below each other, and one of 8 kg below these; arms of 0.5 m."""
    bodies = (body(-0.5, 1.0), body(-1.5, 1.0), body(-2.5, 8.0))
    joints = (pin(1, 2, (-0.5, 0.5)), pin(WORLD, 0, (0.0, 0.5)), pin(0, 1, (-0.5, 0.5)))
    return World(bodies, {}, joints, (), {}, None)


def test_what_hangs_carries_what_is_below_it() -> None:
    found = hanging(chain())
    assert [(one.body, one.joint, one.above) for one in found] == [
        (0, 1, WORLD),
        (1, 2, 0),
        (2, 0, 1),
    ]
    assert [one.carried for one in found] == pytest.approx([10.0, 9.0, 8.0])
    assert [one.lightness for one in found] == pytest.approx([2.0, 1.0, 2.0 / (1.0 + 1.0 / 8.0)])
    assert [one.pivot[1] for one in found] == pytest.approx([0.0, -1.0, -2.0])


def test_joints_stretch_by_their_loads() -> None:
    world = chain()
    found = stretch(world, hanging(world), 10.0, 0.01, 100.0)
    each = 4.35 * 10.0 * 1e-4 / 100.0
    assert found[0] == pytest.approx(each * 5.0 / 0.5)
    assert found[2] == pytest.approx(each * (5.0 + 9.0 + 4.5) / 2.5)


def test_what_stands_and_loops_hold_nothing_up() -> None:
    still = tuple(replace(each, type="static") for each in chain().bodies)
    assert hanging(replace(chain(), bodies=still)) == []
    loop = (*chain().joints, pin(WORLD, 2, (-3.0, -0.5)))
    world = World(chain().bodies, {}, loop, (), {}, None)
    assert sorted(one.body for one in hanging(world)) == [0, 1, 2]


def test_levers_and_loads_need_iterations() -> None:
    """An arm of 0.5 m at a radius of gyration of 0.1 m is 1 + 25."""
    world = chain()
    assert needed_iterations(world, 0.0, 0.01) == pytest.approx(26.0)
    # Without end, a load of 10 kg at 1 kg stretches more.
    assert needed_iterations(world, 10.0, 0.1) > 100.0


DOWN = np.array([0.0, 0.0, -9.81])
MOMENTS = np.array([0.0165, 0.03125, 0.0165])


def top(spin: float = 60.0, **other: object) -> Body:
    """A top whose arm of 0.4 m below the pin is level: gravity is along Z."""
    made = replace(body(-0.4, 1.0), moments=MOMENTS, spin=np.array([0.0, spin, 0.0]))
    return replace(made, **other)  # type: ignore[arg-type]


def hung(*bodies: Body, limits: tuple[JointLimit, ...] = PIN, drives=()) -> World:
    joints = [replace(pin(WORLD, 0, (0.0, 0.4)), limits=limits, drives=drives)]
    joints += [pin(i - 1, i, (-0.4, 0.4)) for i in range(1, len(bodies))]
    return World(bodies, {}, tuple(joints), (), {}, None)


def found(made: World, step: float = 1.0 / 240.0) -> dict[int, tuple[float, float]]:
    return sunk(made, spun(made, hanging(made)), DOWN, step)


def test_a_fast_top_sinks_by_what_was_measured_in_the_preview() -> None:
    assert found(hung(top()))[0][0] == pytest.approx(0.31, abs=0.02)
    assert found(hung(top()), 1.0 / 960.0)[0][0] == pytest.approx(0.126, abs=0.01)
    assert found(hung(top()), 1.0 / 12000.0) == {}


@pytest.mark.parametrize(
    "made",
    [
        hung(top(0.0)),
        hung(top(moments=np.full(3, 0.03))),
        hung(top(gravity_factor=0.0)),
        hung(top(), limits=(*PIN, JointLimit(linear_axes=(), angular_axes=(0,), min=0, max=1))),
        hung(top(), drives=(JointDrive(type="angular", axis=1, damping=1.0),)),
        hung(top(), top(0.0)),
    ],
)
def test_what_has_no_such_way_is_left_out(made: World) -> None:
    assert found(made) == {}


def test_a_speed_against_the_pin_is_taken_off_before() -> None:
    """The pin stops the arm first, so both ways begin alike."""
    aside = found(hung(top(velocity=np.array([0.3, 0.0, 0.0]))))
    assert aside[0][0] < 0.6
