"""Turned and tapered shapes against closed formulas, brute force and hard points."""

import functools
import itertools
import math

import numpy as np
import pytest

from omi_physics_addon.geometry import inertia
from omi_physics_addon.geometry.fit import aligned_fits
from omi_physics_addon.geometry.fit.best_fit import SIMPLEST_FIRST, Wish, fit_wish, simplest
from omi_physics_addon.geometry.fit.extremes import extreme_points
from omi_physics_addon.geometry.fit.minimum_search import minimize
from omi_physics_addon.geometry.fit.oriented_box import fit_oriented_box
from omi_physics_addon.geometry.fit.placed_shape import Placed, box_around, largest
from omi_physics_addon.geometry.fit.round_fits import fit_round
from omi_physics_addon.geometry.rotations import rotations_of_vectors
from omi_physics_addon.geometry.scaled_shapes import enclosing
from omi_physics_addon.model.shapes import Box, Capsule, Cylinder, Sphere

CORNERS = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
OFFSET = np.array([3.0, -40.0, 7.0])


def turn(random):
    return rotations_of_vectors(random.normal(size=(1, 3)) * 2.0)[0]


def on_ball(random, count):
    points = random.normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1)[:, None]


def ring(count=48):
    angles = np.arange(count) * (2.0 * math.pi / count)
    return np.stack([np.cos(angles), np.zeros(count), np.sin(angles)], axis=1)


def rims(height, bottom, top):
    """The rims of a cylinder along Y, with so many points that they are as good as round."""
    half = np.array([0.0, height / 2.0, 0.0])
    return np.concatenate([ring() * bottom - half, ring() * top + half])


def capsule_points(random, height, bottom, top):
    """Points on the ends of a tapered capsule, with the places where it is touched first."""
    half = np.array([0.0, height / 2.0, 0.0])
    sine = (bottom - top) / height
    cosine = math.sqrt(1.0 - sine * sine)
    up = np.array([0.0, sine, 0.0])
    poles = np.array([[0.0, -height / 2.0 - bottom, 0.0], [0.0, height / 2.0 + top, 0.0]])
    ends = [on_ball(random, 1500) * bottom - half, on_ball(random, 1500) * top + half]
    touching = [(ring() * cosine + up) * bottom - half, (ring() * cosine + up) * top + half]
    return np.concatenate([*ends, *touching, poles])


def holds(found, points):
    """No point is outside, but for rounding in numbers as large as the points."""
    size = max(largest(found.geometry), 1e-9)
    return found.beyond(points).max() <= 1e-11 * size + 1e-15 * np.abs(points).max()


# Boxes


@pytest.mark.parametrize("seed", range(12))
def test_a_turned_box_is_found_again(seed):
    random = np.random.default_rng(seed)
    size = np.sort(random.uniform(0.3, 4.0, size=3))
    inside = random.uniform(-0.5, 0.5, size=(400, 3))
    points = np.concatenate([CORNERS, inside]) * size @ turn(random).T + OFFSET
    found = fit_oriented_box(points)
    assert sorted(found.geometry.size) == pytest.approx(size.tolist(), rel=1e-9)
    assert found.center == pytest.approx(OFFSET, abs=1e-9)
    assert found.volume == pytest.approx(size.prod(), rel=1e-9)
    assert found.rotation.T @ found.rotation == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(found.rotation) == pytest.approx(1.0)
    assert holds(found, points)


def brute_force(points, random):
    """The volume of the best of many turned boxes, the best of them improved step by step."""
    best = np.inf
    axes = rotations_of_vectors(random.normal(size=(4000, 3)) * 2.0)
    volumes = np.prod(np.ptp(axes @ points.T, axis=2), axis=1)
    for start in np.argsort(volumes)[:20]:
        kept, least, width = axes[start], volumes[start], 0.2
        while width > 1e-5:
            tried = rotations_of_vectors(random.normal(size=(60, 3)) * width) @ kept
            sizes = np.prod(np.ptp(tried @ points.T, axis=2), axis=1)
            if sizes.min() < least * (1.0 - 1e-9):
                kept, least = tried[sizes.argmin()], sizes.min()
            else:
                width *= 0.5
        best = min(best, least)
    return best


@pytest.mark.parametrize("seed", range(10))
def test_no_box_of_many_is_smaller(seed):
    random = np.random.default_rng(seed)
    points = random.normal(size=(10 + 5 * seed, 3)) * random.uniform(0.3, 2.0, size=3)
    found = fit_oriented_box(points)
    assert holds(found, points)
    assert found.volume <= brute_force(points, random) * (1.0 + 1e-3)


def test_tetrahedron():
    """Its smallest box is the cube whose corners it shares; none stands on a face."""
    points = CORNERS[[0, 3, 5, 6]] @ turn(np.random.default_rng(3)).T
    assert fit_oriented_box(points).volume == pytest.approx(1.0, rel=1e-5)


def test_boxes_along_the_axes_stay_there():
    found = fit_oriented_box(CORNERS * (1.0, 2.0, 3.0) + OFFSET)
    assert found.rotation.tolist() == np.eye(3).tolist()
    assert found.geometry == Box(size=(1.0, 2.0, 3.0))


def test_flat_points_get_the_smallest_rectangle():
    random = np.random.default_rng(5)
    square = np.array([[0, 0, 0], [2, 0, 0], [2, 0, 1], [0, 0, 1], [1, 0, 0.5]], dtype=float)
    found = fit_oriented_box(square @ turn(random).T + OFFSET)
    assert sorted(found.geometry.size) == pytest.approx([0.0, 1.0, 2.0], abs=1e-9)


# Round shapes


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("kind", "record"), [("capsule", Capsule), ("cylinder", Cylinder)])
def test_a_turned_straight_shape_is_found_again(kind, record, seed):
    random = np.random.default_rng(seed)
    rotation = turn(random)
    height, radius = 2.5, 0.4
    if kind == "capsule":
        points = capsule_points(random, height, radius, radius)
    else:
        points = rims(height, radius, radius)
    points = points @ rotation.T + OFFSET
    found = fit_round(points, kind, "free")
    assert holds(found, points)
    shape = record(height=height, radius_bottom=radius, radius_top=radius)
    wanted = Placed(shape, OFFSET, rotation)
    assert found.volume == pytest.approx(wanted.volume, rel=2e-3)
    assert found.geometry.height == pytest.approx(height, rel=3e-3)
    assert found.geometry.radius_top == pytest.approx(radius, rel=3e-3)
    assert abs(found.rotation[:, 1] @ rotation[:, 1]) == pytest.approx(1.0, abs=1e-5)
    assert found.center == pytest.approx(OFFSET, abs=5e-3)


@pytest.mark.parametrize("axis", ["free", 1])
@pytest.mark.parametrize("kind", ["capsule", "cylinder"])
@pytest.mark.parametrize(("bottom", "top"), [(0.7, 0.3), (0.2, 0.9)])
def test_a_tapered_shape_is_found_again(kind, bottom, top, axis):
    random = np.random.default_rng(1)
    height = 2.0
    points = capsule_points(random, height, bottom, top)
    if kind == "cylinder":
        points = rims(height, bottom, top)
    rotation = turn(random) if axis == "free" else np.eye(3)
    points = points @ rotation.T + OFFSET
    found = fit_round(points, kind, axis, taper=True)
    assert holds(found, points)
    measure = inertia.measure_capsule if kind == "capsule" else inertia.measure_cylinder
    assert found.volume == pytest.approx(measure(height, bottom, top).mass, rel=3e-3)
    radii = [found.geometry.radius_bottom, found.geometry.radius_top]
    assert sorted(radii) == pytest.approx(sorted([bottom, top]), rel=1e-2)
    upwards = found.rotation[:, 1] @ rotation[:, 1] > 0.0
    assert (radii[0] > radii[1]) == ((bottom > top) == upwards)


def test_a_cone_comes_to_a_point():
    points = np.concatenate([ring() * 0.5, [[0.0, 2.0, 0.0]]])
    found = fit_round(points, "cylinder", 1, taper=True)
    assert found.geometry.height == pytest.approx(2.0)
    assert found.geometry.radius_top == pytest.approx(0.0, abs=1e-4)
    assert found.volume == pytest.approx(math.pi * 0.25 * 2.0 / 3.0, rel=1e-3)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["capsule", "cylinder"])
def test_more_freedom_is_never_larger(kind, seed):
    random = np.random.default_rng(seed)
    points = random.normal(size=(60, 3)) * random.uniform(0.2, 3.0, size=3)
    plain = fit_round(points, kind, "auto")
    free = fit_round(points, kind, "free")
    tapered = fit_round(points, kind, "auto", taper=True)
    both = fit_round(points, kind, "free", taper=True)
    for found in (plain, free, tapered, both):
        assert holds(found, points)
    allowed = 1.0 + 1e-4
    assert free.volume <= plain.volume * allowed
    assert tapered.volume <= plain.volume * allowed
    assert both.volume <= free.volume * 1.005


@pytest.mark.parametrize("kind", ["capsule", "cylinder"])
def test_no_axis_of_many_is_better(kind):
    random = np.random.default_rng(9)
    for _ in range(3):
        points = random.normal(size=(40, 3)) * random.uniform(0.3, 2.0, size=3)
        turns = rotations_of_vectors(random.normal(size=(600, 3)) * 2.0)
        best = min(aligned_fits.fit_straight(points @ rows.T, kind).volume for rows in turns)
        assert fit_round(points, kind, "free").volume <= best * 1.001


def test_upright_shapes_stay_as_they_are():
    for kind in ("capsule", "cylinder"):
        found = fit_round(CORNERS, kind, "free")
        plain = fit_round(CORNERS, kind, "auto")
        if found.volume > plain.volume * (1.0 - 1e-4):
            assert found.rotation.tolist() == np.eye(3).tolist()


# Hard points

HARD = {
    "one": np.array([[1.0, 2.0, 3.0]]),
    "twice": np.array([[1.0, 2.0, 3.0]] * 7),
    "two": np.array([[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]]),
    "line": np.outer(np.arange(9.0), [1.0, -2.0, 0.5]),
    "plane": np.random.default_rng(0).normal(size=(50, 2)) @ [[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]],
    "nearly a plane": np.random.default_rng(0).normal(size=(50, 3)) * (1.0, 1.0, 1e-6),
    "doubled": np.repeat(np.random.default_rng(2).normal(size=(20, 3)), 30, axis=0),
    "grid": np.array(list(itertools.product(range(5), repeat=3)), dtype=float),
    "far": np.random.default_rng(3).normal(size=(300, 3)) + 1e6,
    "tiny": np.random.default_rng(4).normal(size=(300, 3)) * 1e-6,
    "huge": np.random.default_rng(5).normal(size=(300, 3)) * 1e6,
    "many": np.random.default_rng(6).normal(size=(20000, 3)) * (1.0, 2.0, 3.0),
    "float32": np.random.default_rng(7).normal(size=(99, 3)).astype(np.float32),
}
WISHES = [*SIMPLEST_FIRST, Wish("capsule", "auto", True), Wish("cylinder", 0, True)]


@pytest.mark.parametrize("wish", WISHES, ids=str)
@pytest.mark.parametrize("name", HARD)
def test_every_fit_holds_hard_points(name, wish):
    points = HARD[name]
    found = fit_wish(points, wish)
    assert holds(found, points.astype(np.float64))
    assert np.isfinite(found.rotation).all()
    assert found.rotation.T @ found.rotation == pytest.approx(np.eye(3), abs=1e-9)
    assert found.volume >= 0.0
    if name in ("one", "twice") or (name in ("two", "line") and wish.axis == "free"):
        assert found.volume <= 1e-9


UNEVEN = np.random.default_rng(8).normal(size=(80, 3)) * (1.0, 2.0, 3.0)
fit_uneven = functools.cache(lambda wish: fit_wish(UNEVEN, wish))


@pytest.mark.parametrize("wish", WISHES, ids=str)
@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_fits_follow_the_scale(wish, scale):
    here, there = fit_uneven(wish), fit_wish(UNEVEN * scale, wish)
    assert there.volume == pytest.approx(here.volume * scale**3, rel=1e-2)


@pytest.mark.parametrize("wish", SIMPLEST_FIRST, ids=str)
def test_the_same_points_give_the_same_shape(wish):
    points = np.random.default_rng(8).normal(size=(500, 3))
    one, two = fit_wish(points, wish), fit_wish(points.copy(), wish)
    assert one.geometry == two.geometry
    assert one.rotation.tolist() == two.rotation.tolist()


@pytest.mark.parametrize("wish", SIMPLEST_FIRST, ids=str)
@pytest.mark.parametrize("points", [np.zeros((0, 3)), np.zeros((3, 2)), np.full((2, 3), np.nan)])
def test_no_points(wish, points):
    with pytest.raises(ValueError, match="points"):
        fit_wish(points, wish)


def test_extreme_points_are_points_and_reach_as_far():
    points = np.random.default_rng(1).normal(size=(5000, 3))
    found = extreme_points(points)
    assert len(found) < 300
    assert {tuple(p) for p in found} <= {tuple(p) for p in points}
    assert np.ptp(found, axis=0) == pytest.approx(np.ptp(points, axis=0), rel=1e-6)


def test_the_search_finds_the_bottom_of_a_bent_valley():
    """Rosenbrock's function, whose valley leads most searches astray."""

    def valley(places):
        x, y = places.T
        return (1.0 - x) ** 2 + 100.0 * (y - x * x) ** 2

    place, value = minimize(valley, [-1.0, 1.0], 0.5, rounds=200)
    assert place == pytest.approx([1.0, 1.0], abs=1e-4)
    assert value < 1e-8


# The simplest


def closed_volume(points):
    from omi_physics_addon.geometry.fit.mesh_volumes import hull_volume

    return hull_volume(points)


@pytest.mark.parametrize(
    ("points", "kind", "is_turned"),
    [
        (on_ball(np.random.default_rng(0), 900), Sphere, False),
        (CORNERS * (1, 2, 3), Box, False),
        (CORNERS * (1, 2, 3) @ turn(np.random.default_rng(1)).T, Box, True),
        (rims(3.0, 0.5, 0.5), Cylinder, False),
        (rims(3.0, 0.5, 0.5) @ turn(np.random.default_rng(2)).T, Cylinder, True),
        (capsule_points(np.random.default_rng(0), 2.0, 0.5, 0.5), Capsule, False),
        (rims(2.0, 0.9, 0.2) @ turn(np.random.default_rng(4)).T, Cylinder, True),
    ],
    ids=["ball", "box", "turned box", "cylinder", "turned cylinder", "capsule", "frustum"],
)
def test_the_simplest_that_fits(points, kind, is_turned):
    volume = closed_volume(points)
    found = simplest(points, volume, 0.1)
    assert isinstance(found.geometry, kind)
    assert (not np.allclose(found.rotation, np.eye(3), atol=1e-3)) == is_turned
    assert volume * (1.0 - 1e-6) <= found.volume <= volume * 1.1


def test_the_hull_where_nothing_simpler_is_near():
    tetrahedron = CORNERS[[0, 3, 5, 6]]
    assert simplest(tetrahedron, 1.0 / 3.0, 0.1, of_hull=lambda: 1.0 / 3.0) is None
    found = simplest(tetrahedron, 1.0 / 3.0, 0.1)
    assert found.volume > 1.0 / 3.0
    assert simplest(CORNERS, 1.0, 0.1, of_hull=lambda: 1.0).geometry == Box(size=(1.0, 1.0, 1.0))


def test_flat_points_get_a_box():
    assert isinstance(simplest(CORNERS * (1, 0, 1), 0.0, 0.1).geometry, Box)


# Margins and scales

SHAPES = [
    Box(size=(1.0, 2.0, 0.5)),
    Sphere(radius=0.7),
    Capsule(height=1.5, radius_bottom=0.4, radius_top=0.4),
    Capsule(height=1.5, radius_bottom=0.6, radius_top=0.2),
    Cylinder(height=1.5, radius_bottom=0.4, radius_top=0.4),
    Cylinder(height=1.5, radius_bottom=0.0, radius_top=0.7),
]


def inside_points(shape, random):
    """Points inside a shape at the origin, many of them near its surface."""
    points = random.uniform(-2.0, 2.0, size=(40000, 3))
    return points[Placed(shape, np.zeros(3), np.eye(3)).beyond(points) <= 0.0]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_share_of_points_inside_is_the_volume(shape):
    found = inside_points(shape, np.random.default_rng(1))
    volume = Placed(shape, np.zeros(3), np.eye(3)).volume
    assert len(found) / 40000 * 64.0 == pytest.approx(volume, rel=0.1)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_box_around_a_shape_is_as_small_as_can_be(shape):
    reach = 2.0 * np.abs(inside_points(shape, np.random.default_rng(1))).max(axis=0)
    assert (reach <= box_around(shape)).all()
    assert reach == pytest.approx(box_around(shape), rel=0.1)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("margin", [0.1, -0.05])
def test_a_margin_moves_the_surface(shape, margin):
    random = np.random.default_rng(2)
    plain = Placed(shape, np.zeros(3), np.eye(3))
    points = random.uniform(-2.0, 2.0, size=(2000, 3))
    change = plain.beyond(points) - plain.grown(margin).beyond(points)
    if isinstance(shape, (Box, Sphere)) or shape.radius_bottom == shape.radius_top:
        assert change == pytest.approx(np.full(2000, margin))
    else:
        assert (np.sign(change) == np.sign(margin)).all()


@pytest.mark.parametrize("turned", ["upright", "sideways", "leaning"])
@pytest.mark.parametrize("scale", [(2, 2, 2), (1, 3, 1), (2, 0.5, 2), (1, 2, 3), (-2, -1, -3)])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_scaled_shape_holds_what_it_held(shape, scale, turned):
    random = np.random.default_rng(3)
    rotation = {
        "upright": np.eye(3),
        "sideways": np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
        "leaning": turn(random),
    }[turned]
    before = Placed(shape, OFFSET, rotation)
    points = inside_points(shape, random) @ rotation.T + OFFSET
    after, exact = enclosing(before, scale)
    assert after.beyond(points * scale).max() <= 1e-9
    volume = before.volume * abs(math.prod(scale))
    if exact:
        assert after.volume == pytest.approx(volume)
    else:
        assert after.volume > volume


def test_even_scales_are_exact():
    rotation = turn(np.random.default_rng(1))
    for shape in SHAPES:
        assert enclosing(Placed(shape, OFFSET, rotation), (2.0, 2.0, 2.0))[1]


@pytest.mark.parametrize("scale", [(1, 1), (0, 1, 1), (-1, 1, 1)])
def test_scales_that_are_none(scale):
    with pytest.raises(ValueError, match="scale"):
        enclosing(Placed(Sphere(), OFFSET, np.eye(3)), scale)
