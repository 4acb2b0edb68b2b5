"""Bodies with and without their gyroscopic torque, against closed formulas."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.gyroscopic_ways import Turning, strayed
from omi_physics_addon.geometry.rotations import rotations_of_vectors


def turning(moments, spin, *, arm=(0, 0, 0), weight=(0, 0, 0), room=np.inf, mass=1.0):
    one = [np.array([value], dtype=float) for value in (mass, np.diag(moments), arm)]
    return Turning(*one, *(np.array([value], dtype=float) for value in (spin, weight, room)))


def away(what, point, seconds=3.0, near=0.0, share=0.0):
    return float(strayed(what, np.array([[point]], dtype=float), seconds, near, share)[0])


def test_a_free_symmetrical_body_precesses_about_its_angular_momentum() -> None:
    """It turns about L by |L|/I and about its axis by (1 - Iz/I)·wz; without torque about w."""
    moments, spin, point = np.array([0.2, 0.2, 0.3]), np.array([1.0, 0.0, 3.0]), [0.0, 0.0, 1.0]
    momentum = moments * spin
    wanted = 0.0
    for time in np.linspace(0.0, 2.0, 2001):
        turns = np.array([momentum / 0.2 * time, spin * time])
        true, other = rotations_of_vectors(turns) @ point  # The point is on the axis.
        wanted = max(wanted, float(np.linalg.norm(true - other)))
    assert wanted > 0.3
    assert away(turning(moments, spin), point, 2.0) == pytest.approx(wanted, rel=1e-3)


def test_equal_moments_and_spins_about_principal_axes_have_no_such_torque() -> None:
    assert away(turning([1, 1, 1], [1, 2, 3]), [1, 0, 0]) == pytest.approx(0.0, abs=1e-9)
    assert away(turning([1, 2, 3], [0, 0, 5]), [1, 0, 0]) == pytest.approx(0.0, abs=1e-9)


def test_a_rod_that_swings_in_a_plane_has_none() -> None:
    rod = turning([0.3, 0.3, 0.001], [0, 0, 0], arm=[0, 0.1, 0.9], weight=[0, -9.8, 0])
    assert away(rod, [0, 0, 1]) == pytest.approx(0.0, abs=1e-9)


def test_a_top_on_a_pivot_falls_only_without_it() -> None:
    """At 60 rad/s it circles by m·g·r/(Iz·w) and stays up; without the torque it falls."""
    top = turning([0.02, 0.02, 0.03], [0, 0, 60.0], arm=[0, 0, 0.4], weight=[0, -9.81, 0])
    assert 0.5 < away(top, [0, 0, 0.4]) < 0.8


def test_what_is_allowed_is_no_straying() -> None:
    spinning = turning([0.2, 0.2, 0.3], [0.01, 0.0, 1.0])
    assert 0.0 < away(spinning, [0, 0, 1]) < 0.05
    assert away(spinning, [0, 0, 1], near=0.05) == 0.0
    assert away(turning([0.2, 0.2, 0.3], [1, 0, 3]), [0, 0, 1], near=0.05, share=9.0) == 0.0


def test_what_comes_to_the_end_of_its_room_is_not_followed_on() -> None:
    free = turning([0.2, 0.2, 0.3], [1, 0, 3])
    held = turning([0.2, 0.2, 0.3], [1, 0, 3], room=0.3)
    assert away(held, [0, 0, 1]) < 0.05 < away(free, [0, 0, 1])
