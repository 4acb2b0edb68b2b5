from __future__ import annotations

import itertools

import numpy as np
import pytest

from omi_physics_addon.geometry import gravity_field, nearest
from omi_physics_addon.geometry.gravity_field import Influence, acceleration, combine, surface_of
from omi_physics_addon.model.gravity import (
    DirectionalGravity,
    DiscGravity,
    GravityField,
    LineGravity,
    OtherGravity,
    PointGravity,
    ShapedGravity,
    TorusGravity,
)
from omi_physics_addon.model.shapes import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    OtherGeometry,
    Plane,
    Sphere,
    Trimesh,
)

LINE = ((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (4.0, 4.0, 0.0))


@pytest.mark.parametrize("unit", [0.0, 2.0])
@pytest.mark.parametrize("gravity", [9.0, -9.0])
def test_the_potential_rises_as_much_as_weight_pulls(unit, gravity):
    field, core, step = PointGravity(unit_distance=unit), 0.5, 1e-6
    distance = np.linspace(0.6, 7.0, 20)
    ahead, behind = (
        gravity_field.potential(field, gravity, distance + way, core) for way in (step, -step)
    )
    pull = acceleration(field, gravity, distance[:, None] * (1.0, 0.0, 0.0))[:, 0]
    assert (ahead - behind) / (2.0 * step) == pytest.approx(-pull, rel=1e-6)


@pytest.mark.parametrize(
    ("field", "gravity", "point", "expected"),
    [
        (DirectionalGravity(), 9.0, (5.0, 5.0, 5.0), (0.0, -9.0, 0.0)),
        (DirectionalGravity(direction=(0.0, 0.0, 2.0)), -3.0, (1.0, 0.0, 0.0), (0.0, 0.0, -3.0)),
        (DirectionalGravity(direction=(0.0, 0.0, 0.0)), 9.0, (0.0, 0.0, 0.0), (0.0, -9.0, 0.0)),
        # Constant without a unit distance, else the square of their ratio.
        (PointGravity(), 10.0, (3.0, 0.0, 4.0), (-6.0, 0.0, -8.0)),
        (PointGravity(unit_distance=10.0), 8.0, (0.0, 20.0, 0.0), (0.0, -2.0, 0.0)),
        (PointGravity(unit_distance=10.0), 8.0, (0.0, 5.0, 0.0), (0.0, -32.0, 0.0)),
        (PointGravity(unit_distance=10.0), -8.0, (0.0, 20.0, 0.0), (0.0, 2.0, 0.0)),
        (PointGravity(), 10.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        # Straight down onto the disc, and from beyond its edge to the edge.
        (DiscGravity(radius=2.0), 5.0, (1.0, 3.0, 1.0), (0.0, -5.0, 0.0)),
        (DiscGravity(radius=2.0), 5.0, (1.0, -3.0, 1.0), (0.0, 5.0, 0.0)),
        (DiscGravity(radius=2.0), 5.0, (5.0, 4.0, 0.0), (-3.0, -4.0, 0.0)),
        (DiscGravity(radius=2.0, unit_distance=10.0), 1.0, (5.0, 4.0, 0.0), (-2.4, -3.2, 0.0)),
        # To the circle from inside, from above the middle of its ring, and with falling strength.
        (TorusGravity(radius=2.0), 5.0, (0.0, 0.0, 1.0), (0.0, 0.0, 5.0)),
        (TorusGravity(radius=2.0), 5.0, (2.0, 3.0, 0.0), (0.0, -5.0, 0.0)),
        (TorusGravity(radius=2.0, unit_distance=1.0), 4.0, (0.0, 0.0, 4.0), (0.0, 0.0, -1.0)),
        # To a segment, to its end, and to the second segment.
        (LineGravity(points=LINE), 2.0, (2.0, -3.0, 0.0), (0.0, 2.0, 0.0)),
        (LineGravity(points=LINE), 5.0, (-3.0, -4.0, 0.0), (3.0, 4.0, 0.0)),
        (LineGravity(points=LINE, unit_distance=1.0), 8.0, (6.0, 3.0, 0.0), (-2.0, 0.0, 0.0)),
        (LineGravity(points=LINE[:1]), 5.0, (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        (LineGravity(), 5.0, (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        (ShapedGravity(), 5.0, (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        (OtherGravity(type="helix"), 5.0, (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ],
)
def test_every_type_by_hand(field: GravityField, gravity, point, expected):
    assert acceleration(field, gravity, [point])[0] == pytest.approx(expected)


def no_mesh(_shape: object) -> None:
    return None


@pytest.mark.parametrize(
    ("geometry", "point", "expected"),
    [
        (Box(size=(2.0, 2.0, 2.0)), (4.0, 5.0, 0.0), (-3.0, -4.0, 0.0)),
        (Box(size=(2.0, 2.0, 2.0)), (0.5, 0.0, 0.0), (5.0, 0.0, 0.0)),  # From inside, outwards.
        (Sphere(radius=1.0), (0.0, 0.0, 3.0), (0.0, 0.0, -5.0)),
        (Sphere(radius=4.0), (0.0, 0.0, 3.0), (0.0, 0.0, 5.0)),
        (Capsule(height=2.0), (3.0, 0.5, 0.0), (-5.0, 0.0, 0.0)),
        (Capsule(height=2.0), (0.0, 5.0, 0.0), (0.0, -5.0, 0.0)),
        (Cylinder(height=2.0, radius_bottom=1.0, radius_top=0.0), (0.0, 4.0, 0.0), (0, -5, 0)),
        (Cylinder(height=2.0), (0.2, 9.0, 0.1), (0.0, -5.0, 0.0)),
        (Plane(), (7.0, -2.0, 1.0), (0.0, 5.0, 0.0)),
        (Plane(size_x=2.0, size_z=2.0), (4.0, 4.0, 0.0), (-3.0, -4.0, 0.0)),
    ],
)
def test_shaped_gravity_for_every_shape(geometry, point, expected):
    surface = surface_of(geometry, no_mesh)
    assert acceleration(ShapedGravity(), 5.0, [point], surface)[0] == pytest.approx(expected)
    # The distance is that to the surface, not to the origin.
    hit = surface(np.array([point]))[0]
    distance = np.linalg.norm(hit - point)
    field = ShapedGravity(unit_distance=2.0 * distance)
    assert acceleration(field, 5.0, [point], surface)[0] == pytest.approx(
        4.0 * np.array(expected, dtype=float)
    )


def test_shaped_gravity_of_meshes():
    corners = [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 0.0, 4.0)]
    surface = nearest.MeshSurface(corners, [(0, 1, 2)])
    for shape in (Convex(), Trimesh()):
        found = surface_of(shape, lambda given, wanted=shape: surface if given is wanted else None)
        assert acceleration(ShapedGravity(), 2.0, [(1.0, 3.0, 1.0)], found)[0] == pytest.approx(
            (0.0, -2.0, 0.0)
        )
    assert surface_of(OtherGeometry(), no_mesh) is None


def test_a_surface_elsewhere():
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # X becomes Y.
    box = surface_of(Box(size=(4.0, 2.0, 2.0)), no_mesh)
    moved = gravity_field.placed(box, quarter, (10.0, 0.0, 0.0))
    assert moved(np.array([(10.0, 9.0, 0.0)]))[0] == pytest.approx((10.0, 2.0, 0.0))


def test_many_points_at_once_are_each_as_alone():
    points = np.random.default_rng(3).normal(size=(50, 3))
    field = TorusGravity(radius=0.7, unit_distance=1.3)
    whole = acceleration(field, 9.0, points)
    assert whole == pytest.approx(np.array([acceleration(field, 9.0, [p])[0] for p in points]))


# Several volumes


def plain(volumes: list[tuple[int, bool, bool, float]], world: float) -> float:
    """The text of the extension, step by step, for one point in all volumes; along one axis."""
    total = 0.0
    for priority in sorted({volume[0] for volume in volumes}, reverse=True):
        here = [volume for volume in volumes if volume[0] == priority]
        if any(volume[1] for volume in here):
            total = 0.0
        total += sum(volume[3] for volume in here)
        if any(volume[2] for volume in here):
            return total
    return total + world


def test_priorities_against_the_text_in_every_combination():
    kinds = list(itertools.product((-1, 0, 1000), (False, True), (False, True)))
    for chosen in itertools.combinations_with_replacement(kinds, 3):
        volumes = [(*kind, 10.0**i) for i, kind in enumerate(chosen)]
        inside = np.ones(1, dtype=bool)
        for order in itertools.permutations(volumes):
            influences = [
                Influence(np.array([[0.0, amount, 0.0]]), inside, priority, replace, stop)
                for priority, replace, stop, amount in order
            ]
            found = combine(influences, (0.0, -5.0, 0.0), 1)
            assert found[0] == pytest.approx((0.0, plain(volumes, -5.0), 0.0)), volumes


def test_volumes_act_where_they_are_only():
    one = np.tile([1.0, 0.0, 0.0], (3, 1))
    stop = Influence(one, np.array([True, False, False]), 10, stop=True)
    replace = Influence(4.0 * one, np.array([True, True, False]), 5, replace=True)
    first = Influence(2.0 * one, np.array([True, True, True]), 20)
    found = combine([replace, first, stop], (0.0, -9.0, 0.0), 3)
    assert found == pytest.approx(np.array([(3.0, 0.0, 0.0), (4.0, -9.0, 0.0), (2.0, -9.0, 0.0)]))


def test_without_volumes_there_is_the_world():
    assert combine([], (0.0, -9.0, 0.0), 2) == pytest.approx(np.tile((0.0, -9.0, 0.0), (2, 1)))
