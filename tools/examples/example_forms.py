"""The simple meshes that the example scenes are made of: plain lists of points and faces, Z up."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Point = tuple[float, float, float]
Triangle = tuple[int, int, int]
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
CROWN: Profile = ((0.0, 0.0), (0.95, 0.0), (0.45, 0.85), (0.7, 0.85), (0.0, 2.3))
FIR: Profile = ((0.0, 0.0), (0.3, 0.0), (0.15, 0.28), (0.22, 0.28), (0.0, 0.8))
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


def frustum(bottom: tuple[float, float], top: tuple[float, float], height: float) -> Form:
    """A box that gets narrower or wider toward its top; the middle of its bottom is the origin."""
    form = box((1.0, 1.0, height), (0.0, 0.0, 0.5 * height))
    vertices: list[Point] = [
        (x * (top if z > 0.0 else bottom)[0], y * (top if z > 0.0 else bottom)[1], z)
        for x, y, z in form.vertices
    ]
    return Form(vertices, form.faces)


def sheet(
    xs: tuple[float, float],
    ys: tuple[float, float],
    step: float,
    height: Callable[[float, float], float],
) -> Form:
    """A ground between two places along X and along Y, of squares of about the size of a step."""
    columns, rows = (round((high - low) / step) for low, high in (xs, ys))
    vertices: list[Point] = []
    for row in range(rows + 1):
        for column in range(columns + 1):
            x = xs[0] + (xs[1] - xs[0]) * column / columns
            y = ys[0] + (ys[1] - ys[0]) * row / rows
            vertices.append((x, y, height(x, y)))
    return Form(vertices, _squares(columns, rows))


def _squares(columns: int, rows: int) -> list[tuple[int, ...]]:
    faces: list[tuple[int, ...]] = []
    for row in range(rows):
        for column in range(columns):
            first = row * (columns + 1) + column
            faces.append((first, first + 1, first + columns + 2, first + columns + 1))
    return faces


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


def tire(width: float, radius: float) -> Profile:
    """The profile of a wheel around the origin, with round shoulders."""
    half, low = 0.5 * width, 0.82 * radius
    return (
        (0.0, -half),
        (low, -half),
        (radius, -0.6 * half),
        (radius, 0.6 * half),
        (low, half),
        (0.0, half),
    )


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


def globe(radius: float, rounds: int) -> Form:
    """A ball of triangles of nearly one size: 20, and four times as many with every round."""
    long = 0.5 * (1.0 + math.sqrt(5.0))
    signs = [(a, b) for a in (-1.0, 1.0) for b in (-long, long)]
    vertices: list[Point] = [(0.0, a, b) for a, b in signs]
    vertices += [(a, b, 0.0) for a, b in signs]
    vertices += [(b, 0.0, a) for a, b in signs]
    vertices = [_on_ball(point) for point in vertices]
    near = 1.1  # Longer than the edges, shorter than anything else between two points.
    faces = [
        face
        for face in itertools.combinations(range(12), 3)
        if all(
            math.dist(vertices[a], vertices[b]) < near for a, b in itertools.combinations(face, 2)
        )
    ]
    faces = [_outward(vertices, face) for face in faces]
    for _ in range(rounds):
        faces = _divided(vertices, faces)
    return Form([(radius * x, radius * y, radius * z) for x, y, z in vertices], [*faces])


def _on_ball(point: Point) -> Point:
    length = math.hypot(*point)
    return (point[0] / length, point[1] / length, point[2] / length)


def _outward(points: list[Point], face: Triangle) -> Triangle:
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (points[index] for index in face)
    volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return face if volume > 0.0 else (face[2], face[1], face[0])


def _divided(points: list[Point], faces: list[Triangle]) -> list[Triangle]:
    """Four triangles for each; the middles of their edges are added to the points."""
    middles: dict[tuple[int, int], int] = {}

    def between(a: int, b: int) -> int:
        key = (min(a, b), max(a, b))
        if key not in middles:
            middles[key] = len(points)
            (ax, ay, az), (bx, by, bz) = points[a], points[b]
            points.append(_on_ball((ax + bx, ay + by, az + bz)))
        return middles[key]

    found: list[Triangle] = []
    for a, b, c in faces:
        ab, bc, ca = between(a, b), between(b, c), between(c, a)
        found += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return found


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
    return Form(vertices, _squares(count, count))
