"""Rotations as matrices, quaternions (x, y, z, w) and rotation vectors, alone or many at once."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array

_IDENTITY: Final = np.eye(3)
# Cosine between two columns that counts as a right angle: what 32-bit numbers leave of one.
_RIGHT_ANGLE_TOLERANCE: Final = 2e-6
_FLATNESS: Final = 1e-7  # Thickness, relative to the extent, of which the sign is noise.


def skew(vectors: Array) -> Array:
    """The matrices whose product with a vector is the cross product: (3, 3) or (n, 3, 3).

    Args:
        vectors: (3,) or (n, 3), the left factors.
    """
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    result: Array = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]])
    return result if vectors.ndim == 1 else result.transpose(2, 0, 1)


def crossed(one: Array, other: Array) -> Array:
    """The cross products of vectors (…, 3), bit for bit NumPy's, which is slow for few."""
    a, b, c = one[..., 0], one[..., 1], one[..., 2]
    x, y, z = other[..., 0], other[..., 1], other[..., 2]
    result: Array = np.empty(np.broadcast(one, other).shape)
    result[..., 0] = b * z - c * y
    result[..., 1] = c * x - a * z
    result[..., 2] = a * y - b * x
    return result


def dotted(one: Array, other: Array) -> Array:
    """The dot products (n,) of vectors (n, k)."""
    return np.einsum("ni,ni->n", one, other)


def turned(axes: Array, vectors: Array) -> Array:
    """Each of the vectors (n, k), given along the columns of its matrix (n, k, k), outside."""
    return np.einsum("nij,nj->ni", axes, vectors)


def turned_back(axes: Array, vectors: Array) -> Array:
    """Each of the vectors (n, k) along the columns of its matrix (n, k, k)."""
    return np.einsum("nji,nj->ni", axes, vectors)


def least_rotation(start: Array, end: Array) -> Array:
    """The rotation (3, 3) by the smallest angle from a unit vector to one not opposite to it.

    Source: Rodrigues' formula, with the sine and cosine taken from the two vectors.
    """
    cross = skew(np.asarray(np.cross(start, end), dtype=np.float64))
    return np.eye(3) + cross + cross @ cross / (1.0 + float(start @ end))


def rotation_matrix(quaternion: ArrayLike) -> Array:
    """The rotation (3, 3) of a quaternion (4,), x, y, z, w, of any length.

    Raises:
        ValueError: the quaternion is zero or not finite.
    """
    numbers = np.asarray(quaternion, dtype=np.float64)
    length = math.hypot(*numbers.tolist())
    if numbers.shape != (4,) or not (0.0 < length < math.inf):
        raise ValueError("a rotation needs a quaternion of four numbers, not all zero")
    vector, w = numbers[:3] / length, float(numbers[3]) / length
    cross = skew(vector)
    return np.eye(3) + 2.0 * (w * cross + cross @ cross)


def quaternions(rotations: Array) -> Array:
    """Quaternions (n, 4), x, y, z, w with w not negative, of rotations (n, 3, 3).

    Source: Shepperd 1978, "Quaternion from Rotation Matrix".
    """
    m = rotations
    xx, yy, zz = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    xy, xz, yz = m[:, 0, 1] + m[:, 1, 0], m[:, 0, 2] + m[:, 2, 0], m[:, 1, 2] + m[:, 2, 1]
    xw, yw, zw = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    rows = np.array(
        [
            [1.0 + xx - yy - zz, xy, xz, xw],
            [xy, 1.0 - xx + yy - zz, yz, yw],
            [xz, yz, 1.0 - xx - yy + zz, zw],
            [xw, yw, zw, 1.0 + xx + yy + zz],
        ]
    )
    best = np.argmax(np.array([rows[i, i] for i in range(4)]), axis=0)
    found = rows[best, :, np.arange(len(m))]
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    found[found[:, 3] < 0.0] *= -1.0
    return found


def rotation_vectors(turns: Array) -> Array:
    """The rotation vectors (n, 3), rad, of rotations (n, 3, 3)."""
    doubled = np.stack(
        [
            turns[:, 2, 1] - turns[:, 1, 2],
            turns[:, 0, 2] - turns[:, 2, 0],
            turns[:, 1, 0] - turns[:, 0, 1],
        ],
        axis=1,
    )
    sine = np.linalg.norm(doubled, axis=1) / 2.0
    cosine = (np.trace(turns, axis1=1, axis2=2) - 1.0) / 2.0
    angle = np.arctan2(sine, cosine)
    factor = np.where(sine > 1e-9, angle / np.maximum(2.0 * sine, 1e-30), 0.5)
    return doubled * factor[:, None]


def rotations_of_vectors(vectors: Array) -> Array:
    """The rotations (n, 3, 3) of rotation vectors (n, 3), rad."""
    angle = np.linalg.norm(vectors, axis=1)
    axis = vectors / np.maximum(angle, 1e-30)[:, None]
    cross = np.ascontiguousarray(skew(axis))
    sine, rest = np.sin(angle)[:, None, None], (1.0 - np.cos(angle))[:, None, None]
    return np.eye(3) + sine * cross + rest * (cross @ cross)


def nearest_rotation(linear: Array) -> Array:
    """The rotation (3, 3) nearest to a matrix that may also scale, mirror and shear.

    A matrix that mirrors has that of its opposite, as Blender and files take it apart: all of its
    three scales are negative then.
    """
    scales = np.diag(linear)
    if (scales > 0.0).all() and (linear == np.diag(scales)).all():
        return _IDENTITY.copy()  # So are most, and the rest takes time.
    left, sizes, right = np.linalg.svd(linear)
    if np.linalg.det(left @ right) < 0.0:
        is_flat = sizes[2] <= _FLATNESS * sizes[0]
        left = left * (np.array([1.0, 1.0, -1.0]) if is_flat else -1.0)
    return np.asarray(left @ right, dtype=np.float64)


def nearest_rotations(linears: Array) -> Array:
    """What `nearest_rotation` gives for each of several matrices (n, 3, 3), far faster for many.

    Where nothing is sheared or mirrored, the columns along their own lengths are the rotation, but
    for what 32-bit numbers leave of right angles; two steps of Newton's method take that away
    (Higham, Computing the Polar Decomposition, 1986).
    """
    lengths = np.sqrt(np.einsum("nij,nij->nj", linears, linears))
    plain = lengths.all(axis=1)
    turned = linears / np.where(plain[:, None], lengths, 1.0)[:, None, :]
    errors = np.einsum("nji,njk->nik", turned, turned) - _IDENTITY
    right = np.cross(turned[:, :, 0], turned[:, :, 1])
    plain &= np.abs(errors).max(axis=(1, 2)) < _RIGHT_ANGLE_TOLERANCE
    plain &= np.einsum("ni,ni->n", right, turned[:, :, 2]) > 0.0
    for _ in range(2):
        turned = turned - 0.5 * np.einsum("nij,njk->nik", turned, errors)
        errors = np.einsum("nji,njk->nik", turned, turned) - _IDENTITY
    for i in np.flatnonzero(~plain):
        turned[i] = nearest_rotation(linears[i])
    return turned
