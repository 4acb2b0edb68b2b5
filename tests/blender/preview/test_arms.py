"""Motors of bodies that hang on each other: an arm of three links, held out level."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.blender.support.preview_scenes import (
    STEP,
    SUBSTEPS,
    G,
    axes,
    body,
    drive,
    gravity,
    joint,
    limit,
    play,
    run,
)

MASS = 2.0
LINKS = ("upper", "middle", "lower")


pytestmark = pytest.mark.usefixtures("standard_gravity")


def arm(**values: Any) -> list[Any]:
    """Links of 1 m along X on hinges about Y; the settings of these, each with a servo."""
    before, found = None, []
    for number, name in enumerate(LINKS):
        link = body(name, (number + 0.5, 0.0, 0.0), mass=MASS)
        link.omi_physics.collider.shape.box.size = (1.0, 0.2, 0.2)
        entry = joint(f"hinge {name}", before, link, (float(number), 0.0, 0.0))
        limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
        limit(entry, "ANGULAR", "XZ", 0.0, 0.0)
        drive(entry, "ANGULAR", "Y", position=0.0, **values)
        found.append(entry)
        before = link
    return found


def angles(session: Any) -> Any:
    """Of the hinges; down is positive."""
    turns = [axes(session, name)[:, 0] for name in LINKS]
    return np.diff([math.atan2(-x[2], x[0]) for x in turns], prepend=0.0)


def weights(stretched: float = 1.0) -> Any:
    """The torques at the hinges of what hangs on them."""
    places = np.arange(3) + 0.5
    return np.array([MASS * G * (places[at:] - at).sum() * stretched for at in range(3)])


@pytest.mark.parametrize("stiffness", [2e3, 1e4, 1e5])
def test_servos_carry_the_whole_arm(stiffness: float) -> None:
    """Each gives way by torque / stiffness, to a torque of all that hangs on it."""
    arm(stiffness=stiffness, damping=0.2 * stiffness)
    session = play()
    run(session, 2.0)
    found = []
    for _ in range(60):
        session.step()
        found.append(angles(session))
    # Bullet's solver shakes them by less than a tenth of a degree.
    assert np.mean(found, axis=0) == pytest.approx(weights() / stiffness, rel=0.02, abs=1e-5)
    assert np.std(found, axis=0).max() < 1e-3


@pytest.mark.parametrize("lag", [0.2, 0.5])
def test_a_servo_moves_the_arm_as_fast_as_its_damper_allows(lag: float) -> None:
    gravity(0.0)
    shoulder, *_ = arm(stiffness=2e4, damping=2e4 * lag)
    shoulder.drives[0].position_angle = 0.4
    session = play()
    run(session, lag)
    found = angles(session)
    assert found[0] == pytest.approx(0.4 * (1.0 - math.exp(-1.0)), rel=0.06)
    assert np.abs(found[1:]).max() < 0.02, "the others hold"
    run(session, 8.0 * lag)
    assert angles(session) == pytest.approx((0.4, 0.0, 0.0), abs=1e-3)


def test_a_weak_servo_lets_the_arm_down() -> None:
    shoulder, *_ = arm(stiffness=1e5, damping=2e4)
    shoulder.drives[0].use_max_force = True
    shoulder.drives[0].max_force = 0.5 * float(weights()[0])
    session = play()
    # It begins as a stiff arm of 6 kg and 3 m with half of its weight.
    run(session, 0.2)
    inertia = 3.0 * MASS * (3.0**2 / 3.0 + 0.2**2 / 12.0)
    assert angles(session)[0] == pytest.approx(
        0.25 * weights()[0] / inertia * (0.2 + STEP / SUBSTEPS) * 0.2, rel=0.05
    )
    run(session, 1.5)
    assert angles(session)[0] > 0.5
    assert np.abs(angles(session)[1:]).max() < 0.01


def test_motors_of_a_chain_reach_their_speeds() -> None:
    gravity(0.0)
    for at, entry in enumerate(arm(damping=1e3)):
        row = entry.drives[0]
        row.use_position_target, row.use_velocity_target = False, True
        row.velocity_angle = (0.5, -1.0, 2.0)[at]
    session = play()
    run(session, 0.5)
    before = angles(session)
    run(session, 0.5)
    assert angles(session) - before == pytest.approx((0.25, -0.5, 1.0), rel=0.02)
