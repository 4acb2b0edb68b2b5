"""Assemblies of parts with known joints, as points and triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.support.meshes import FACES

Mesh = tuple[Any, Any]


def block(low: Any, high: Any) -> Mesh:
    """A box between two corners."""
    low, high = np.array(low, dtype=float), np.array(high, dtype=float)
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    return low + corners * (high - low), FACES.astype(np.int64)


def _turned(points: Any, axis: int) -> Any:
    """Points about Z, about another axis."""
    return np.roll(points, (axis + 1) % 3, axis=1)


def rod(center: Any, radius: float, length: float, axis: int = 2, count: int = 24) -> Mesh:
    """A cylinder about an axis."""
    angles = np.arange(count) * (2.0 * np.pi / count)
    circle = np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)
    low = np.column_stack([circle, np.full(count, -length / 2.0)])
    high = np.column_stack([circle, np.full(count, length / 2.0)])
    points = np.vstack([low, high, [[0, 0, -length / 2.0], [0, 0, length / 2.0]]])
    at = np.arange(count)
    after = (at + 1) % count
    sides = [(at, after, after + count), (at, after + count, at + count)]
    caps = [(after, at, np.full(count, 2 * count))]
    caps += [(at + count, after + count, np.full(count, 2 * count + 1))]
    triangles = np.concatenate([np.stack(each, axis=1) for each in (*sides, *caps)])
    return _turned(points, axis) + np.array(center), triangles.astype(np.int64)


def tube(
    center: Any, inner: float, outer: float, length: float, axis: int = 2, count: int = 24
) -> Mesh:
    """A pipe about an axis, open at both ends."""
    angles = np.arange(count) * (2.0 * np.pi / count)
    rings = [(inner, -0.5), (inner, 0.5), (outer, 0.5), (outer, -0.5)]
    points = np.vstack(
        [
            np.column_stack([r * np.cos(angles), r * np.sin(angles), np.full(count, z * length)])
            for r, z in rings
        ]
    )
    at = np.arange(count)
    after = (at + 1) % count
    triangles: list[Any] = []
    for one in range(4):
        a, b = one * count, ((one + 1) % 4) * count
        triangles += [np.stack([a + at, b + after, a + after], axis=1)]
        triangles += [np.stack([a + at, b + at, b + after], axis=1)]
    faces = _outward(points, np.concatenate(triangles))
    return _turned(points, axis) + np.array(center), faces


def ball(center: Any, radius: float, *, is_hole: bool = False, count: int = 16) -> Mesh:
    """A ball, or one that is seen from inside."""
    turns = np.arange(2 * count) * (np.pi / count)
    rows = [
        np.column_stack(
            [
                np.sin(tilt) * np.cos(turns),
                np.sin(tilt) * np.sin(turns),
                np.full(2 * count, np.cos(tilt)),
            ]
        )
        for tilt in np.arange(1, count) * (np.pi / count)
    ]
    points = np.vstack([*rows, [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]]) * radius
    at = np.arange(2 * count)
    after = (at + 1) % (2 * count)
    top, bottom = len(points) - 2, len(points) - 1
    triangles = [np.stack([at, after, np.full(2 * count, top)], axis=1)]
    for row in range(count - 2):
        a, b = 2 * count * row, 2 * count * (row + 1)
        triangles += [np.stack([a + at, b + at, b + after], axis=1)]
        triangles += [np.stack([a + at, b + after, a + after], axis=1)]
    last = 2 * count * (count - 2)
    triangles += [np.stack([last + after, last + at, np.full(2 * count, bottom)], axis=1)]
    faces = _outward(points, np.concatenate(triangles))
    return points + np.array(center), faces[:, ::-1] if is_hole else faces


def _outward(points: Any, triangles: Any) -> Any:
    """Triangles whose normals point outwards."""
    a, b, c = points[triangles[:, 0]], points[triangles[:, 1]], points[triangles[:, 2]]
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum()
    return triangles.astype(np.int64) if volume > 0.0 else triangles[:, ::-1].astype(np.int64)


def together(*meshes: Mesh) -> Mesh:
    """One part of several meshes."""
    points, triangles, first = [], [], 0
    for each, faces in meshes:
        points.append(each)
        triangles.append(faces + first)
        first += len(each)
    return np.concatenate(points), np.concatenate(triangles)


def socket(center: Any, inner: float, outer: float) -> Mesh:
    """A ball with a ball inside of it that is empty."""
    return together(ball(center, outer), ball(center, inner, is_hole=True))


# Name → the part that moves, what it moves on, and the joint: kind, a point of it, its axis.
ASSEMBLIES: dict[str, tuple[Mesh, Mesh, tuple[str, Any, int | None]]] = {
    "wheel on an axle": (
        tube((0, 0, 0), 0.05, 0.4, 0.2, axis=0),
        together(rod((0.5, 0, 0), 0.048, 1.6, axis=0), block((0.4, -1, -0.3), (1.2, 1, 0.5))),
        ("hinge", (0, 0, 0), 0),
    ),
    "door with knuckles": (
        together(
            block((0.02, -0.02, 0), (0.9, 0.02, 2)),
            *(rod((0, 0, z), 0.02, 0.1) for z in (0.4, 1.6)),
        ),
        together(
            block((-0.3, -0.1, 0), (-0.02, 0.1, 2.1)),
            *(rod((0, 0, z), 0.02, 0.1) for z in (0.3, 0.5, 1.5, 1.7)),
        ),
        ("hinge", (0, 0, 1), 2),
    ),
    "rotor in a bearing": (
        together(rod((0, 0.2, 3), 0.03, 0.8, axis=1), block((-1, 0.5, 2.9), (1, 0.55, 3.1))),
        together(
            tube((0, 0, 3), 0.031, 0.08, 0.3, axis=1), block((-0.3, -0.3, 0), (0.3, 0.3, 2.9))
        ),
        ("hinge", (0, 0, 3), 1),
    ),
    "drawer in a cabinet": (
        block((-0.39, -0.5, 0.1), (0.39, 0, 0.29)),
        together(
            block((-0.42, -0.5, 0), (-0.39, 0.03, 0.4)),
            block((0.39, -0.5, 0), (0.42, 0.03, 0.4)),
            block((-0.39, -0.5, 0.07), (0.39, 0.03, 0.1)),
            block((-0.39, 0, 0.1), (0.39, 0.03, 0.4)),
        ),
        ("slider", None, 1),
    ),
    "carriage on a rail": (
        together(
            block((-0.1, -0.1, 0.05), (0.1, 0.1, 0.1)),
            block((-0.1, -0.1, -0.05), (-0.05, 0.1, 0.05)),
            block((0.05, -0.1, -0.05), (0.1, 0.1, 0.05)),
        ),
        block((-0.05, -1, -0.05), (0.05, 1, 0.05)),
        ("slider", None, 1),
    ),
    "bolt in a guide": (
        block((-0.3, -0.02, -0.02), (0.3, 0.02, 0.02)),
        together(
            block((-0.1, -0.05, 0.02), (0.1, 0.05, 0.05)),
            block((-0.1, -0.05, -0.05), (0.1, 0.05, -0.02)),
            block((-0.1, 0.02, -0.02), (0.1, 0.05, 0.02)),
            block((-0.1, -0.05, -0.02), (0.1, -0.02, 0.02)),
        ),
        ("slider", None, 0),
    ),
    "piston in a cylinder": (
        rod((0, 0, 0.6), 0.098, 1.0),
        tube((0, 0, 0), 0.1, 0.14, 1.0),
        ("piston", (0, 0, 0), 2),
    ),
    "piston on its rod": (
        together(rod((0, 0, 0.2), 0.098, 0.1), rod((0, 0, 0.7), 0.02, 1.0)),
        together(tube((0, 0, 0.5), 0.1, 0.14, 1.0), rod((0, 0, -0.05), 0.14, 0.1)),
        ("piston", (0, 0, 0), 2),
    ),
    "lamp on a ball": (
        together(ball((0, 0, 1), 0.1), rod((0, 0, 1.4), 0.02, 0.62)),
        together(socket((0, 0, 1), 0.102, 0.15), rod((0, 0, 0.4), 0.05, 0.75)),
        ("ball", (0, 0, 1), None),
    ),
    "lever on a pin": (
        together(
            tube((0, 0, 0), 0.051, 0.1, 0.1, axis=1), block((0.08, -0.05, -0.04), (1, 0.05, 0.04))
        ),
        together(rod((0, 0.05, 0), 0.05, 0.3, axis=1), block((-1, 0.08, -1), (1, 0.2, 1))),
        ("hinge", (0, 0, 0), 1),
    ),
    "gear on a shaft": (
        tube((1, 2, 3), 0.2, 0.6, 0.15),
        rod((1, 2, 3), 0.2, 2.0),
        ("hinge", (1, 2, 3), 2),
    ),
}  # fmt: skip


def cup(center: Any, inner: float, outer: float, height: float) -> Mesh:
    """A pipe with a bottom, which stands at a place."""
    x, y, z = center
    thick = outer - inner
    return together(
        tube((x, y, z + height / 2.0), inner, outer, height),
        rod((x, y, z + thick / 2.0), inner, thick),
    )


def half(mesh: Mesh, axis: int) -> Mesh:
    """The triangles of a mesh whose corners are not above its origin along an axis."""
    points, triangles = mesh
    return points, triangles[(points[triangles][:, :, axis] <= 1e-9).all(axis=1)]


# Name → two parts that touch and have no joint, or none that is sure.
NONE: dict[str, tuple[Mesh, Mesh]] = {
    "crate on a floor": (block((-0.5, -0.5, 0), (0.5, 0.5, 1)), block((-5, -5, -0.2), (5, 5, 0))),
    "crate in a corner": (
        block((0, 0, 0), (1, 1, 1)),
        together(
            block((-0.2, -0.2, -0.2), (5, 5, 0)),
            block((-0.2, 0, 0), (0, 5, 3)),
            block((-0.2, -0.2, 0), (5, 0, 3)),
        ),
    ),
    "crate along a wall": (
        block((0, 1, 0), (1, 2, 1)),
        together(block((-0.2, -5, -0.2), (5, 5, 0)), block((-0.2, -5, 0), (0, 5, 3))),
    ),
    "cans on each other": (rod((0, 0, 1.5), 0.5, 1.0), rod((0, 0, 0.5), 0.5, 1.0)),
    "table on its leg": (rod((0, 0, 1.02), 0.6, 0.04), rod((0, 0, 0.5), 0.05, 1.0)),
    "pipes side by side": (rod((0, 0, 0), 0.1, 2.0), rod((0.2, 0, 0), 0.1, 2.0)),
    "pillars in one line": (rod((0, 0, 0), 0.1, 1.0), rod((0, 0, 5), 0.1, 1.0)),
    "two bolts": (
        together(
            block((-1, -0.2, 0), (1, 0.2, 0.1)),
            *(tube((x, 0, 0.3), 0.05, 0.08, 0.3) for x in (-0.8, 0.8)),
        ),
        together(
            block((-1, -0.2, 0.5), (1, 0.2, 0.6)),
            *(rod((x, 0, 0.3), 0.05, 0.4) for x in (-0.8, 0.8)),
        ),
    ),
    "panel in a frame": (
        block((-0.5, 0, 0), (0.5, 0.04, 2)),
        together(
            block((-0.6, 0, 0), (-0.5, 0.04, 2)),
            block((0.5, 0, 0), (0.6, 0.04, 2)),
            block((-0.6, 0, 2), (0.6, 0.04, 2.1)),
        ),
    ),
    "brick between two bricks": (
        block((-0.1, -0.05, 0), (0.1, 0.05, 0.06)),
        together(
            block((-0.3, -0.05, 0), (-0.1, 0.05, 0.06)),
            block((0.1, -0.05, 0), (0.3, 0.05, 0.06)),
            block((-0.3, -0.05, -0.06), (0.3, 0.05, 0)),
        ),
    ),
    "brick in a wall": (
        block((-0.1, -0.05, 0), (0.1, 0.05, 0.06)),
        together(
            block((-0.3, -0.05, 0), (-0.1, 0.05, 0.06)),
            block((0.1, -0.05, 0), (0.3, 0.05, 0.06)),
            block((-0.3, -0.05, -0.06), (0.3, 0.05, 0)),
            block((-0.3, -0.05, 0.06), (0.3, 0.05, 0.12)),
        ),
    ),
    "crate in a hall": (
        block((-0.5, -0.5, 0), (0.5, 0.5, 1)),
        together(
            block((-0.7, -4, -0.2), (0.7, 4, 0)),
            block((-0.7, -4, 0), (-0.5, 4, 2)),
            block((0.5, -4, 0), (0.7, 4, 2)),
        ),
    ),
    "shelf on two sides": (
        block((-0.5, -0.15, 0.5), (0.5, 0.15, 0.53)),
        together(
            block((-0.53, -0.15, 0), (-0.5, 0.15, 2)),
            block((0.5, -0.15, 0), (0.53, 0.15, 2)),
            block((-0.5, -0.15, 0.48), (-0.47, 0.15, 0.5)),
            block((0.47, -0.15, 0.48), (0.5, 0.15, 0.5)),
        ),
    ),
    "book beside books": (
        block((0, 0, 0), (0.03, 0.15, 0.2)),
        together(
            block((-0.03, 0, 0), (0, 0.15, 0.2)),
            block((0.03, 0, 0), (0.06, 0.15, 0.2)),
            block((-0.3, 0, -0.02), (0.3, 0.15, 0)),
        ),
    ),
    "crates on each other": (block((0.1, 0, 1), (1.1, 1, 2)), block((0, 0, 0), (1, 1, 1))),
    "plank on two supports": (
        block((-1, -0.1, 0.5), (1, 0.1, 0.55)),
        together(block((-0.9, -0.1, 0), (-0.8, 0.1, 0.5)), block((0.8, -0.1, 0), (0.9, 0.1, 0.5))),
    ),
    "post in a socket": (
        block((-0.05, -0.05, 0), (0.05, 0.05, 1)),
        together(
            block((-0.1, -0.1, -0.05), (0.1, 0.1, 0)),
            block((-0.1, -0.1, 0), (-0.05, 0.1, 0.1)),
            block((0.05, -0.1, 0), (0.1, 0.1, 0.1)),
            block((-0.05, -0.1, 0), (0.05, -0.05, 0.1)),
            block((-0.05, 0.05, 0), (0.05, 0.1, 0.1)),
        ),
    ),
    "man on a chess board": (
        together(rod((0.5, 0.5, 0.05), 0.3, 0.1), rod((0.5, 0.5, 0.5), 0.15, 0.8)),
        together(*(block((x, y, -0.1), (x + 1, y + 1, 0)) for x in (-1, 0, 1) for y in (-1, 0, 1))),
    ),
    "ring around a post": (tube((0, 0, 0.1), 0.13, 0.2, 0.1), rod((0, 0, 0.5), 0.1, 1.0)),
    "cup in a cup": (cup((0, 0, 0.01), 0.038, 0.0395, 0.1), cup((0, 0, 0), 0.04, 0.05, 0.1)),
    "candle in a holder": (rod((0, 0, 0.11), 0.01, 0.2), cup((0, 0, 0), 0.0102, 0.02, 0.04)),
    "lid on a jar": (
        together(tube((0, 0, 0.98), 0.052, 0.055, 0.06), rod((0, 0, 1.005), 0.055, 0.01)),
        rod((0, 0, 0.9), 0.05, 0.2),
    ),
    "lid in a pot": (
        together(rod((0, 0, 0.11), 0.21, 0.02), rod((0, 0, 0.085), 0.178, 0.03)),
        cup((0, 0, 0), 0.18, 0.2, 0.1),
    ),
    "bowl in a bowl": (
        half(socket((0, 0, 0), 0.095, 0.098), 2),
        half(socket((0, 0, 0), 0.1, 0.105), 2),
    ),
    "orange in a bowl": (ball((0, 0, -0.02), 0.08), half(socket((0, 0, 0), 0.1, 0.105), 2)),
    "log in a cradle": (
        rod((0, 0, 0), 0.1, 1.0, axis=0),
        half(tube((0, 0, 0), 0.1, 0.15, 0.5, 0), 2),
    ),
    "table top sunk on its leg": (rod((0, 0, 1.0), 0.6, 0.04), rod((0, 0, 0.5), 0.05, 1.01)),
    "tires on each other": (tube((0, 0, 0.3), 0.2, 0.4, 0.2), tube((0, 0, 0.1), 0.2, 0.4, 0.2)),
    "picture in a frame": (
        block((-0.5, 0, -0.3), (0.5, 0.02, 0.3)),
        together(
            block((-0.6, 0, -0.4), (-0.5, 0.03, 0.4)),
            block((0.5, 0, -0.4), (0.6, 0.03, 0.4)),
            block((-0.5, 0, 0.3), (0.5, 0.03, 0.4)),
            block((-0.5, 0, -0.4), (0.5, 0.03, -0.3)),
            block((-0.6, 0.02, -0.4), (0.6, 0.03, 0.4)),
        ),
    ),
}  # fmt: skip
