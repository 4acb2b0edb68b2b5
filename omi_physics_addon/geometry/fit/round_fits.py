"""Capsules and cylinders around points, on any axis, straight or tapered."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...model.shapes import Capsule, Cylinder
from ..arrays import Array, Indices, face_normals
from ..hull import convex_hull
from ..inertia import measure_mesh
from ..rotations import crossed, least_rotation
from . import aligned_fits
from .aligned_fits import Kind, Straight
from .extremes import extreme_points, half_ball
from .minimum_search import minimize
from .oriented_box import box_axes
from .placed_shape import Placed

# Corners (n, 3) and triangles (m, 3) of the hull of points; None where they are flat.
Hull = tuple[Array, Indices] | None
AxisChoice = Literal[0, 1, 2, "auto", "free"]

_SEARCHED_AXES: Final = 5  # Axes from which a better one is looked for.
_SEARCH_STEP: Final = 0.15  # How far from them: slopes, and parts of the cloud's size.
_EVEN_DIRECTIONS: Final = 60  # Directions that are tried whatever the points are.
_MAX_FACES: Final = 16  # Of the hull, on which a cylinder may stand.
_MAX_ROUNDS: Final = 3  # In which points that stand out of the shape are added.
_SAME_AXIS_COSINE: Final = 0.99  # Cosine between axes that are the same to begin with.
_VOLUME_TOLERANCE: Final = 1e-5  # Relative difference of volumes that counts as none.
_MAX_SLOPE_RAD: Final = 1.5  # Of a capsule's side against its axis, rad.
# Relative difference of volumes for which no more points are added.
_VOLUME_GOOD_ENOUGH: Final = 1e-3
_TIE_DECIMALS: Final = 10
# Of the radius along the axis, that are tried where a guess is enough.
_ROUGH_SLOPES: Final = tuple(
    sign * slope
    for slope in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0, 1.25)
    for sign in (1, -1)
)
_LEVEL_TOLERANCE: Final = 1e-9  # Rise of an axis that counts as none.
# Which way shapes along the axes point.
_Y: Final = np.array([0.0, 1.0, 0.0])
_UPWARDS: Final = np.diag([1.0, 1.0, -1.0])


@dataclass(frozen=True, eq=False)
class _Line:
    """Where the axis of a shape lies, and how the radius changes along it.

    Attributes:
        direction: (3,), unit vector.
        origin: (3,), a point of the axis.
        slope: of the radius along the axis: a tangent for cylinders, an angle in rad for capsules.
    """

    direction: Array
    origin: Array
    slope: float = 0.0


def fit_round(points: ArrayLike, kind: Kind, axis: AxisChoice, taper: bool = False) -> Placed:
    """A capsule or cylinder around points, of the smallest volume that was found.

    A straight one has the smallest circle around the points seen along its axis as its radius,
    and no more height than that needs. Tapered and free ones are never larger than those.

    Args:
        points: (n, 3), metres.
        axis: 0, 1 or 2 for X, Y or Z; "auto" for the best of them; "free" for any direction.
        taper: whether the two radii may differ.

    Raises:
        ValueError: there are no points, one is not finite, or there is no such axis.
    """
    cloud = aligned_fits.checked(points)
    upright: aligned_fits.AxisChoice = "auto" if axis == "free" else axis
    plain = _placed_straight(aligned_fits.fit_straight(cloud, kind, upright))
    middle, half = aligned_fits.bounds(cloud)
    scale = float(half.max())
    if scale == 0.0 or (axis != "free" and not taper):
        return plain
    scaled = (cloud - middle) / scale
    fixed = axis if axis in (0, 1, 2) else None
    found = _search(scaled, kind, free=axis == "free", taper=taper, only=fixed)
    # Divided first, as the cube of a tiny or huge scale has no place in a float.
    least = _scaled(plain, 1.0 / scale).volume
    if found.volume >= least * (1.0 - _VOLUME_TOLERANCE):
        return plain
    found = _scaled(found, scale)
    return replace(found, center=found.center + middle)


def rough_round_volume(core: Array, hull: Hull, kind: Kind, taper: bool) -> float:
    """About the volume of the smallest capsule or cylinder around a few points, on any axis.

    Its axis is one of those that the points suggest, and runs through the middle of their hull.
    """
    middle = core.mean(axis=0) if hull is None else measure_mesh(*hull).center
    directions = np.array(_likely_directions(core, hull))
    squares = (core * core).sum(axis=1)
    along, across = _profile(core, squares, directions, np.tile(middle, (len(directions), 1)))
    slopes = _ROUGH_SLOPES if taper else (0.0,)
    measure = _MEASURES[kind]
    return min(
        float(measure(along, across, np.full(len(directions), slope))[-1].min()) for slope in slopes
    )


def _search(points: Array, kind: Kind, free: bool, taper: bool, only: int | None) -> Placed:
    """The best shape around points that fill -1 to 1.

    Looks at the points that stand out, then at those that stand out of the shape, too.
    """
    core = extreme_points(points)
    lines = _starts(core, kind, free, only)
    found: list[Placed] = []
    for _ in range(_MAX_ROUNDS):
        if free:
            lines = [_improved(core, kind, line, free=True, taper=False) for line in lines]
        if taper:
            found.append(_finished(points, kind, _best(core, kind, lines)[0]))
            lines = [_improved(core, kind, line, free, taper=True) for line in lines]
        line, inner = _best(core, kind, lines)
        found.append(_finished(points, kind, line))
        if found[-1].volume <= inner.volume * (1.0 + _VOLUME_GOOD_ENOUGH):
            break
        outer = np.argpartition(inner.beyond(points), -8)[-8:]
        core, lines = np.concatenate([core, points[outer]]), [replace(line, slope=0.0)]
    return min(found, key=_rank)


def _best(points: Array, kind: Kind, lines: list[_Line]) -> tuple[_Line, Placed]:
    """The axis of the smallest shape, and that shape."""
    found = [(line, _finished(points, kind, line)) for line in lines]
    return min(found, key=lambda each: _rank(each[1]))


def _rank(found: Placed) -> tuple[float, float]:
    """Volume, then radius, without the noise of rounding; smaller is better."""
    _, *radii = _sizes(found)
    return round(found.volume, _TIE_DECIMALS), round(max(radii), _TIE_DECIMALS)


def _starts(core: Array, kind: Kind, free: bool, only: int | None) -> list[_Line]:
    """Axes that are worth a closer look, straight."""
    directions = [np.eye(3)[i] for i in ((1, 0, 2) if only is None else (only,))]
    if free:
        directions += _natural_directions(core)
    ranked: list[tuple[tuple[float, float], _Line]] = []
    for direction in directions:
        line = _centered(core, direction)
        ranked.append((_rank(_around(core, kind, line)), line))
    ranked.sort(key=lambda entry: entry[0])
    chosen: list[_Line] = []
    for _, line in ranked:
        if all(abs(line.direction @ other.direction) < _SAME_AXIS_COSINE for other in chosen):
            chosen.append(line)
    return chosen[:_SEARCHED_AXES]


def _natural_directions(core: Array) -> list[Array]:
    """Axes of the box and of inertia, the longest distance, normals of large faces, and others."""
    return [*box_axes(core), *_likely_directions(core, convex_hull(core))]


def _likely_directions(core: Array, hull: Hull) -> list[Array]:
    """Those of `_natural_directions` but for the box, as unit vectors."""
    own: Array = np.asarray(np.linalg.svd(core - core.mean(axis=0))[2], dtype=np.float64)
    found: list[Array] = [*own, *half_ball(_EVEN_DIRECTIONS).astype(np.float64)]
    apart = core[:, None] - core[None]
    farthest = int(np.einsum("ijk,ijk->ij", apart, apart).argmax())
    found.append(apart.reshape(-1, 3)[farthest])
    if hull is not None:
        normals = face_normals(*hull)
        found += list(normals[np.argsort(-np.linalg.norm(normals, axis=1))[:_MAX_FACES]])
    return [each / np.linalg.norm(each) for each in found if np.linalg.norm(each) > 0.0]


def _centered(points: Array, direction: Array) -> _Line:
    """The straight axis in a direction around which all is nearest."""
    first, second = _across(direction)
    flat = np.stack([points @ first, points @ second], axis=1)
    (x, y), _ = aligned_fits.smallest_ball(flat)
    return _Line(direction, x * first + y * second)


def _improved(points: Array, kind: Kind, line: _Line, free: bool, taper: bool) -> _Line:
    """An axis near another that makes the shape smaller."""
    first, second = _across(line.direction)
    measure, squares = _MEASURES[kind], np.sum(points * points, axis=1)

    def unpack(places: Array) -> tuple[Array, Array, Array]:
        rest = places
        turn, slope = np.zeros((len(places), 2)), np.zeros(len(places))
        if free:
            turn, rest = rest[:, :2], rest[:, 2:]
        if taper:
            slope = line.slope + rest[:, 2]
        directions = line.direction + turn[:, :1] * first + turn[:, 1:] * second
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        origins = line.origin + rest[:, :1] * first + rest[:, 1:2] * second
        return directions, origins, slope

    def volumes(places: Array) -> Array:
        directions, origins, slopes = unpack(places)
        along, across = _profile(points, squares, directions, origins)
        return measure(along, across, slopes)[-1]

    size = 2 + 2 * free + taper
    place, _ = minimize(volumes, np.zeros(size), _SEARCH_STEP, rounds=80, precision=1e-8)
    directions, origins, slopes = unpack(place[None])
    return _Line(directions[0], origins[0], float(slopes[0]))


def _profile(
    points: Array, squares: Array, directions: Array, origins: Array
) -> tuple[Array, Array]:
    """How far along each of k axes the points (n, 3) lie, and how far from it: (k, n) each.

    Args:
        squares: (n,), of the lengths of the points.
    """
    along = directions @ points.T - (directions * origins).sum(axis=1)[:, None]
    away = squares - 2.0 * origins @ points.T + (origins * origins).sum(axis=1)[:, None]
    return along, np.sqrt(np.maximum(away - along * along, 0.0))


# Low end, high end, radius at each, volume; all (k,).
_Measured = tuple[Array, Array, Array, Array, Array]


def _measure_cylinders(along: Array, across: Array, slopes: Array) -> _Measured:
    """The frustums of given slopes around k profiles (k, n)."""
    low, high = along.min(axis=1), along.max(axis=1)
    level = (across - slopes[:, None] * along).max(axis=1)
    bottom, top = level + slopes * low, level + slopes * high
    volume = math.pi / 3.0 * (high - low) * (bottom**2 + bottom * top + top**2)
    return low, high, bottom, top, volume


def _measure_capsules(along: Array, across: Array, slopes: Array) -> _Measured:
    """The tapered capsules of given slopes around k profiles (k, n).

    They are swept by a ball around t on the axis, of radius c + t sin(slope), which touches the
    cone around all points. Each point is in the balls between two values of t.
    """
    angle = np.clip(slopes, -_MAX_SLOPE_RAD, _MAX_SLOPE_RAD)
    sine, cosine = np.sin(angle), np.cos(angle)
    level = (cosine[:, None] * across - sine[:, None] * along).max(axis=1)
    at, beside = level[:, None] + sine[:, None] * along, cosine[:, None] * across
    reach = np.sqrt(np.maximum((at - beside) * (at + beside), 0.0))
    middle = along + level[:, None] * sine[:, None]
    square = (cosine**2)[:, None]
    high = ((middle - reach) / square).max(axis=1)
    low = ((middle + reach) / square).min(axis=1)
    # Where one ball holds all, the smallest that does.
    one = np.where(sine > 0.0, high, np.where(sine < 0.0, low, (high + low) / 2.0))
    low, high = np.where(high < low, one, low), np.where(high < low, one, high)
    bottom, top = np.maximum(level + low * sine, 0.0), np.maximum(level + high * sine, 0.0)
    narrow, wide = bottom * cosine, top * cosine
    side = (high - low) * cosine**2 / 3.0 * (narrow**2 + narrow * wide + wide**2)
    lower, upper = bottom * (1.0 - sine), top * (1.0 + sine)
    caps = lower**2 * (bottom - lower / 3.0) + upper**2 * (top - upper / 3.0)
    return low, high, bottom, top, math.pi * (side + caps)


_MEASURES: Final[dict[Kind, Callable[[Array, Array, Array], _Measured]]] = {
    "capsule": _measure_capsules,
    "cylinder": _measure_cylinders,
}


def _finished(points: Array, kind: Kind, line: _Line) -> Placed:
    """The shape on an axis around all points; a straight one may move to the smallest circle."""
    if line.slope == 0.0:
        lines = (line, _centered(points, line.direction))
        return min((_around(points, kind, each) for each in lines), key=_rank)
    return _around(points, kind, line)


def _around(points: Array, kind: Kind, line: _Line) -> Placed:
    # Not by squares, as `_profile`: a point on the axis would seem to be 1e-8 away from it.
    local = points - line.origin
    along = local @ line.direction
    across = np.linalg.norm(local - along[:, None] * line.direction, axis=1)
    measured = _MEASURES[kind](along[None], across[None], np.array([line.slope]))
    low, high, bottom, top = (float(each[0]) for each in measured[:4])
    return _placed(kind, line, (low, high), (bottom, top))


def _placed(
    kind: Kind, line: _Line, ends: tuple[float, float], radii: tuple[float, float]
) -> Placed:
    """A shape along the axis, or against it where that turns it less from upright."""
    direction = line.direction
    center = line.origin + direction * (sum(ends) / 2.0)
    x, y, z = direction.tolist()
    if y < -_LEVEL_TOLERANCE or (y <= _LEVEL_TOLERANCE and x < z):
        direction, radii = -direction, (radii[1], radii[0])
    record = Capsule if kind == "capsule" else Cylinder
    shape = record(height=ends[1] - ends[0], radius_bottom=radii[0], radius_top=radii[1])
    return Placed(shape, center, upright_rotation(direction))


def _placed_straight(found: Straight) -> Placed:
    record = Capsule if found.kind == "capsule" else Cylinder
    shape = record(height=found.height, radius_bottom=found.radius, radius_top=found.radius)
    return Placed(shape, np.array(found.center), upright_rotation(_UPWARDS[found.axis]))


def upright_rotation(direction: Array) -> Array:
    """The rotation (3, 3) by the smallest angle from Y to a unit vector that is not -Y."""
    return least_rotation(_Y, direction)


def _across(direction: Array) -> tuple[Array, Array]:
    """Two unit vectors across a direction and each other."""
    other = np.eye(3)[int(np.abs(direction).argmin())]
    first = crossed(direction, other)
    first /= np.linalg.norm(first)
    return first, crossed(direction, first)


def _scaled(found: Placed, scale: float) -> Placed:
    height, bottom, top = (size * scale for size in _sizes(found))
    shape = replace(found.geometry, height=height, radius_bottom=bottom, radius_top=top)
    return Placed(shape, found.center * scale, found.rotation)


def _sizes(found: Placed) -> tuple[float, float, float]:
    """Height and radii."""
    shape = found.geometry
    if not isinstance(shape, (Capsule, Cylinder)):
        raise TypeError(f"{shape} is not round")
    return shape.height, shape.radius_bottom, shape.radius_top
