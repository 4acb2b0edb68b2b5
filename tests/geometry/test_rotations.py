"""Rotations as matrices, quaternions and vectors say the same."""

import math

import numpy as np
import pytest

from omi_physics_addon.geometry import rotations

RANDOM = np.random.default_rng(3)
# By chance, none, and half turns, which have no sure sign.
QUATERNIONS = np.concatenate([RANDOM.normal(size=(50, 4)), np.eye(4), -np.eye(4)])
MATRICES = np.array([rotations.rotation_matrix(each) for each in QUATERNIONS])


def test_a_quaternion_of_a_matrix_is_of_length_one_and_gives_it_back():
    found = rotations.quaternions(MATRICES)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1.0)
    assert (found[:, 3] >= 0.0).all()
    units = QUATERNIONS / np.linalg.norm(QUATERNIONS, axis=1, keepdims=True)
    assert np.abs((found * units).sum(axis=1)) == pytest.approx(1.0)


def test_a_vector_is_along_the_axis_and_as_long_as_the_angle():
    axis = np.array((0.48, -0.6, 0.64))
    angles = np.array((0.0, 1e-9, 0.5, 2.0, math.pi - 1e-6))
    turns = [rotations.rotation_matrix((*np.sin(a / 2) * axis, np.cos(a / 2))) for a in angles]
    found = rotations.rotation_vectors(np.array(turns))
    assert found == pytest.approx(angles[:, None] * axis, abs=1e-9)
