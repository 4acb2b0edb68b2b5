"""Shapes that move as one, with the inertia wanted, and hulls that are boxes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_physics_addon.model.shapes import Box, Capsule, Cylinder, Sphere
from omi_physics_addon.simulation.bullet.bullet_compounds import assembled
from omi_physics_addon.simulation.bullet.bullet_shapes import (
    UPRIGHT,
    BulletShape,
    as_box,
    surface_points,
)
from omi_physics_addon.simulation.state import Array
from omi_physics_addon.simulation.world import Form, Mesh, Solid
from tests.support.meshes import FACES, POINTS
from tests.support.rigid_bodies import about

FORMS: list[Form] = [
    Box(size=(1.0, 0.5, 2.0)),
    Sphere(radius=0.7),
    Capsule(height=1.0, radius_bottom=0.3, radius_top=0.3),
    Cylinder(height=1.5, radius_bottom=0.4, radius_top=0.4),
    Cylinder(height=1.5, radius_bottom=0.4, radius_top=0.2),
]


def scaled(part: BulletShape, scale: Array) -> Array:
    """The size that Blender and Bullet make of a part: its box, with their rules for round ones."""
    size = np.ptp(part.vertices, axis=0)
    if part.kind == "SPHERE":
        return np.full(3, size.max() * scale[0])
    if part.kind == "CAPSULE":
        across = max(size[:2])
        return np.array([across * scale[1]] * 2 + [(size[2] - across) * scale[2]])
    if part.kind == "CYLINDER":
        return np.array([max(size[:2]) * scale[0]] * 2 + [size[2] * scale[2]])
    return size * scale


def true_size(form: Form) -> Array:
    if isinstance(form, Box):
        return np.array(form.size)
    if isinstance(form, Sphere):
        return np.full(3, 2.0 * form.radius)
    assert isinstance(form, (Capsule, Cylinder))
    return np.array([2.0 * form.radius_bottom] * 2 + [form.height])


def around(parts: tuple[BulletShape, ...]) -> Array:
    """The size of the box around parts before they are scaled, as Bullet finds it."""
    ends = []
    for part in parts:
        size = np.ptp(part.vertices, axis=0)
        half = size / 2.0 if part.kind == "SPHERE" else np.abs(part.rotation) @ (size / 2.0)
        if part.kind == "CONVEX_HULL":
            ends += [part.vertices.min(axis=0), part.vertices.max(axis=0)]
        else:
            ends += [part.place - half, part.place + half]
    return np.ptp(np.array(ends), axis=0)


@given(
    which=st.lists(st.integers(0, len(FORMS) - 1), min_size=1, max_size=4),
    seed=st.integers(0, 2**16),
    straight=st.booleans(),
)
def test_parts_get_their_sizes_and_the_whole_its_inertia(which, seed, straight):
    random = np.random.default_rng(seed)
    size = random.uniform(0.5, 3.0, 3)
    solids = [
        (
            FORMS[at],
            np.eye(3) if straight else about(random.normal(size=3), random.uniform(0, 3)),
            random.uniform(-1.5, 1.5, 3),
        )
        for at in which
    ]
    parts, scale = assembled(solids, size, 1e-3)
    assert around(parts) == pytest.approx(size, rel=1e-6)
    for part, (form, rotation, place) in zip(parts, solids, strict=True):
        if part.kind == "CONVEX_HULL":
            expected = surface_points(form) @ rotation.T + place
            assert part.vertices * scale == pytest.approx(expected)
            continue
        assert part.place * scale == pytest.approx(place)
        assert sorted(scaled(part, scale)) == pytest.approx(sorted(true_size(form)))
        assert np.linalg.det(part.rotation) == pytest.approx(1.0)


def test_primitives_stay_what_they_are_where_that_can_be():
    """A cylinder can only be stretched along its own length, a tapered one is a hull."""
    forms = [Box(size=(3.0, 0.2, 3.0)), *FORMS[1:]]
    solids = [(form, UPRIGHT.T, np.array([0.1 * i, 0.0, 0.0])) for i, form in enumerate(forms)]
    hull = "CONVEX_HULL"
    for size, kinds in (
        ((3.0, 2.0, 2.0), ["BOX", "SPHERE", "CAPSULE", "CYLINDER", hull]),
        ((2.0, 3.0, 2.0), ["BOX", "SPHERE", "CAPSULE", hull, hull]),
        ((3.0, 1.0, 1.0), ["BOX", hull, hull, hull, hull]),
    ):
        parts, _ = assembled(solids, np.array(size), 1e-3)
        assert [part.kind for part in parts] == kinds


@pytest.mark.parametrize("size", [1.0, 0.03, 2.0])
def test_a_capsule_that_turns_alike_about_all_axes_is_a_hull(size):
    """Before it is scaled it would have to be a ball, which nothing makes long."""
    turn, place = about((1, 2, 3), 0.7), np.array([0.1, 0.2, 0.3])
    for rotation in (UPRIGHT.T, turn):
        parts, scale = assembled([(FORMS[2], rotation, place)], np.full(3, size), 1e-3)
        assert [part.kind for part in parts] == ["CONVEX_HULL"]
        assert scale.max() < 10.0 * scale.min()
        assert around(parts) == pytest.approx(np.full(3, size))
    almost = np.array([size, size, 1.05 * size])
    parts, _ = assembled([(FORMS[2], UPRIGHT.T, place)], almost, 1e-3)
    assert [part.kind for part in parts] == ["CAPSULE"]


def hull(points: Array) -> Solid:
    return Solid(0, Mesh(points, FACES, True), about((0, 0, 1), 0.3), np.array([1.0, 2.0, 3.0]))


def test_flat_hulls_get_a_thickness_that_turns():
    """Bullet takes moments from the box around them, which must not be flat before it is scaled."""
    flat = Mesh(np.array(POINTS, dtype=np.float64) * (1.0, 0.0, 1.0), np.array(FACES), True)
    solids = [(flat, np.eye(3), np.array((x, 0.0, 0.0))) for x in (0.0, 3.0)]
    size = np.array((1.0, 2.0, 1.5))
    parts, scale = assembled(solids, size, 1e-3)
    assert around(parts) == pytest.approx(size)
    for part in parts:
        assert np.ptp(part.vertices[:, 1]) * scale[1] < 0.01


def test_a_hull_that_is_a_box_becomes_one():
    turn = about((1, 2, 3), 0.7)
    points = (POINTS - 0.25) @ turn.T
    solid = hull(points)
    found = as_box(solid)
    assert isinstance(found.form, Box)
    assert sorted(found.form.size) == pytest.approx([1.0, 2.0, 3.0])
    corners = surface_points(found.form) @ found.rotation.T + found.place
    expected = points @ solid.rotation.T + solid.place
    away = np.linalg.norm(corners[:, None] - expected[None], axis=2)
    assert away.min(axis=1).max() < 1e-9
    assert np.linalg.det(found.rotation) == pytest.approx(1.0)


def test_a_box_of_a_file_has_each_corner_three_times():
    points = POINTS.astype(np.float64)
    apart = np.concatenate([points, points + 1e-9, points - 1e-9])
    faces = np.concatenate([FACES, FACES + len(points), FACES + 2 * len(points)])
    found = as_box(Solid(0, Mesh(apart, faces, True), np.eye(3), np.zeros(3)))
    assert isinstance(found.form, Box)
    assert sorted(found.form.size) == pytest.approx([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    "change",
    [
        lambda points: points + np.array([[0.01, 0, 0]] + [[0, 0, 0]] * 7),
        lambda points: points @ np.array([[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]),
        lambda points: points * (0.0, 1.0, 1.0),
    ],
    ids=["a corner away", "sheared", "flat"],
)
def test_other_hulls_stay_as_they_are(change):
    solid = hull(change(POINTS.astype(np.float64)))
    assert as_box(solid) is solid


def test_a_mesh_that_is_no_hull_stays_as_it_is():
    solid = Solid(0, Mesh(POINTS.astype(np.float64), FACES, False), np.eye(3), np.zeros(3))
    assert as_box(solid) is solid
