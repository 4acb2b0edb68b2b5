"""The simple meshes that the example scenes are made of: plain lists of points and faces, Z up."""

from __future__ import annotations

import math
from typing import NamedTuple

Point = tuple[float, float, float]
Profile = tuple[tuple[float, float], ...]  # Radius and height, from bottom to top.


class Form(NamedTuple):
    """A mesh: points, and faces as indices of points, counter-clockwise from outside."""

    vertices: list[Point]
    faces: list[tuple[int, ...]]


BARREL: Profile = (
    (0.0, -0.55),
    (0.36, -0.55),
    (0.40, -0.30),
    (0.42, 0.0),
    (0.40, 0.30),
    (0.36, 0.55),
    (0.0, 0.55),
)
CONE: Profile = ((0.0, 0.0), (0.35, 0.0), (0.35, 0.06), (0.24, 0.06), (0.06, 0.8), (0.0, 0.8))
TOP: Profile = (
    (0.0, 0.0),
    (0.02, 0.02),
    (0.4, 0.34),
    (0.4, 0.4),
    (0.05, 0.4),
    (0.05, 0.55),
    (0.0, 0.55),
)
PAWN: Profile = (
    (0.0, 0.0),
    (0.75, 0.0),
    (0.75, 0.2),
    (0.55, 0.35),
    (0.32, 0.8),
    (0.25, 1.3),
    (0.45, 1.4),
    (0.28, 1.5),
    (0.40, 1.65),
    (0.44, 1.85),
    (0.36, 2.1),
    (0.18, 2.25),
    (0.0, 2.28),
)
PAWN_HULL: Profile = ((0.0, 0.0), (0.78, 0.0), (0.78, 0.25), (0.48, 1.85), (0.2, 2.28), (0.0, 2.28))
VASE: Profile = (
    (0.0, 0.0),
    (0.13, 0.0),
    (0.15, 0.03),
    (0.24, 0.2),
    (0.25, 0.3),
    (0.18, 0.45),
    (0.09, 0.52),
    (0.10, 0.57),
    (0.14, 0.62),
    (0.0, 0.6),
)
VASE_HULL: Profile = ((0.0, 0.0), (0.15, 0.0), (0.27, 0.25), (0.15, 0.62), (0.0, 0.62))
BALLOON: Profile = (
    (0.0, 0.0),
    (0.05, 0.0),
    (0.02, 0.05),
    (0.2, 0.18),
    (0.38, 0.35),
    (0.45, 0.55),
    (0.40, 0.78),
    (0.24, 0.91),
    (0.0, 0.95),
)
GHOST: Profile = (
    (0.0, -0.5),
    (0.38, -0.62),
    (0.42, -0.25),
    (0.36, 0.1),
    (0.32, 0.3),
    (0.22, 0.48),
    (0.0, 0.55),
)


def box(size: Point, center: Point = (0.0, 0.0, 0.0)) -> Form:
    """A box with edges along the axes."""
    signs = [(x, y, z) for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)]
    vertices: list[Point] = [
        (center[0] + x * size[0], center[1] + y * size[1], center[2] + z * size[2])
        for x, y, z in signs
    ]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return Form(vertices, [tuple(face) for face in faces])


def wedge(length: float, width: float, height: float) -> Form:
    """A ramp on the ground that rises towards -X."""
    x, y = 0.5 * length, 0.5 * width
    vertices = [(-x, -y, 0.0), (x, -y, 0.0), (-x, -y, height), (-x, y, 0.0), (x, y, 0.0)]
    vertices.append((-x, y, height))
    return Form(vertices, [(0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (0, 2, 5, 3), (1, 4, 5, 2)])


def turned(profile: Profile, count: int) -> Form:
    """What a lathe makes: a profile that begins and ends on the Z axis, turned about it."""
    (_, low), *rings, (_, high) = profile
    vertices: list[Point] = [(0.0, 0.0, low), (0.0, 0.0, high)]
    for radius, height in rings:
        for step in range(count):
            angle = 2.0 * math.pi * step / count
            vertices.append((radius * math.cos(angle), radius * math.sin(angle), height))
    faces: list[tuple[int, ...]] = []
    for step in range(count):
        here, there = 2 + step, 2 + (step + 1) % count
        last = count * (len(rings) - 1)
        faces.append((0, there, here))
        faces.append((1, here + last, there + last))
        for ring in range(0, last, count):
            lower, upper = (here + ring, there + ring), (there + ring + count, here + ring + count)
            faces.append((*lower, *upper))
    return Form(vertices, faces)


def cylinder(height: float, radius: float) -> Profile:
    """The profile of a cylinder around the origin."""
    half = 0.5 * height
    return ((0.0, -half), (radius, -half), (radius, half), (0.0, half))


def capsule(height: float, radius: float, steps: int = 6) -> Profile:
    """The profile of a capsule around the origin; `height` is that of its straight part."""
    angles = [0.5 * math.pi * step / steps for step in range(steps + 1)]
    cap = [(radius * math.cos(angle), 0.5 * height + radius * math.sin(angle)) for angle in angles]
    cap[-1] = (0.0, 0.5 * height + radius)
    return (*[(r, -z) for r, z in reversed(cap)], *cap)


def ball(radius: float) -> Form:
    """A ball around the origin."""
    steps = 12
    angles = [math.pi * (step / steps - 0.5) for step in range(steps + 1)]
    profile = [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]
    return turned(tuple(profile), 24)


def laid_along_x(form: Form) -> Form:
    """The same form, with what was up now along X."""
    return Form([(z, y, -x) for x, y, z in form.vertices], form.faces)


def laid_along_y(form: Form) -> Form:
    """The same form, with what was up now along Y."""
    return Form([(-x, z, y) for x, y, z in form.vertices], form.faces)


def ring(radius: float, thickness: float, count: int, sides: int) -> Form:
    """A ring about the Z axis; `thickness` is the radius of the tube."""
    vertices: list[Point] = []
    for step in range(count):
        angle = 2.0 * math.pi * step / count
        for side in range(sides):
            turn = 2.0 * math.pi * side / sides
            reach = radius + thickness * math.cos(turn)
            height = thickness * math.sin(turn)
            vertices.append((reach * math.cos(angle), reach * math.sin(angle), height))
    faces: list[tuple[int, ...]] = []
    for step in range(count):
        here, there = step * sides, (step + 1) % count * sides
        for side in range(sides):
            after = (side + 1) % sides
            faces.append((here + side, there + side, there + after, here + after))
    return Form(vertices, faces)


def rock(radius: float) -> Form:
    """A ball with dents, always the same."""
    form = turned(tuple((r, z) for r, z in capsule(0.0, 1.0, 3) if r or z), 7)
    vertices: list[Point] = []
    for number, (x, y, z) in enumerate(form.vertices):
        size = radius * (1.0 + 0.16 * math.sin(2.7 * number) + 0.08 * math.cos(5.1 * number))
        vertices.append((1.15 * size * x, size * y, 0.8 * size * z))
    return Form(vertices, form.faces)


def hill(length: float, width: float, count: int) -> Form:
    """A bumpy sheet of `count` by `count` squares that lies flat at its rim."""
    vertices: list[Point] = []
    for row in range(count + 1):
        for column in range(count + 1):
            x, y = column / count, row / count
            rim = math.sin(math.pi * x) * math.sin(math.pi * y)
            bumps = 1.0 + 0.25 * math.sin(9.0 * x) * math.cos(7.0 * y)
            vertices.append((length * (x - 0.5), width * (y - 0.5), 0.95 * rim * bumps))
    faces: list[tuple[int, ...]] = []
    for row in range(count):
        for column in range(count):
            first = row * (count + 1) + column
            faces.append((first, first + 1, first + count + 2, first + count + 1))
    return Form(vertices, faces)
