"""Transforms of objects below their parents, in the kind of rotation that each has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...simulation.local_poses import Keys, keyed
from ...simulation.state import Array

_PATHS: Final = {
    "QUATERNION": ("rotation_quaternion", 4),
    "AXIS_ANGLE": ("rotation_axis_angle", 4),
}


def rotation_path(obj: Any) -> tuple[str, int]:
    """The property that holds the rotation of an object, and how many numbers it has."""
    return _PATHS.get(obj.rotation_mode, ("rotation_euler", 3))


def matrices_of(quaternions: Array) -> Array:
    """Rotations (k, 3, 3) of quaternions (k, 4), x, y, z, w."""
    rows = [Quaternion((w, x, y, z)).to_matrix() for x, y, z, w in quaternions.tolist()]
    return np.array(rows, dtype=np.float64).reshape(-1, 3, 3)


def keys_of(obj: Any, own: Array, above: Array | None) -> Keys:
    """The keys of an object that is where it was at the start."""
    basis = obj.matrix_basis
    parent = np.array(obj.matrix_world @ basis.inverted_safe(), dtype=np.float64)
    return keyed(own, above, parent, np.array(basis.translation, dtype=np.float64))


def rotations_of(obj: Any, turns: Array) -> list[Any]:
    """The values of the object's kind of rotation, which do not jump."""
    mode = obj.rotation_mode
    # What is added to axis and angle is beyond Python's reach, and old files' only.
    delta = Matrix.Identity(3)
    if mode == "QUATERNION":
        delta = obj.delta_rotation_quaternion.to_matrix()
    elif mode not in _PATHS:
        delta = obj.delta_rotation_euler.to_matrix()
    start = delta @ _own_rotation(obj)
    back = delta.inverted()
    rows: list[Any] = []
    last = obj.rotation_euler.copy() if mode not in _PATHS else None
    before = _own_rotation(obj).to_quaternion()
    for turn in turns.tolist():
        matrix = back @ Matrix(turn) @ start
        if last is not None:
            last = matrix.to_euler(mode, last)
            rows.append(tuple(last))
            continue
        now = matrix.to_quaternion()
        if now.dot(before) < 0.0:
            now.negate()
        before = now
        rows.append(tuple(now) if mode == "QUATERNION" else _axis_angle(now, rows))
    return rows


def _own_rotation(obj: Any) -> Any:
    if obj.rotation_mode == "QUATERNION":
        return obj.rotation_quaternion.normalized().to_matrix()
    if obj.rotation_mode == "AXIS_ANGLE":
        angle, *axis = obj.rotation_axis_angle
        return Quaternion(axis, angle).to_matrix()
    return obj.rotation_euler.to_matrix()


def _axis_angle(quaternion: Any, rows: Sequence[Any]) -> tuple[float, float, float, float]:
    """Angle and axis, near those of the row before."""
    axis, angle = quaternion.to_axis_angle()
    if rows:
        before = rows[-1]
        if abs(angle) < 1e-6:
            axis = Vector(before[1:])
        elif axis.dot(Vector(before[1:])) < 0.0:
            axis, angle = -axis, -angle
        angle += round((before[0] - angle) / (2.0 * np.pi)) * 2.0 * np.pi
    return (angle, axis.x, axis.y, axis.z)
