from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import ArrayLike, NDArray

from omi_physics_addon.geometry.inertia import (
    MassProperties,
    combine,
    inspect_mesh,
    measure_box,
    measure_capsule,
    measure_cylinder,
    measure_mesh,
    measure_sphere,
    place,
    principal,
    tensor,
    with_mass,
)
from omi_physics_addon.geometry.rotations import rotation_matrix
from tests.support import pace

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])
TURN_X = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])

sizes = st.floats(0.01, 10.0)
moments = arrays(np.float64, 3, elements=st.floats(0.01, 100.0))
vectors = arrays(np.float64, 3, elements=st.floats(-10.0, 10.0))
quaternions = arrays(np.float64, 4, elements=st.floats(-1.0, 1.0)).filter(
    lambda quaternion: float(np.linalg.norm(quaternion)) > 0.1
)
symmetric = arrays(np.float64, (3, 3), elements=st.floats(-10.0, 10.0)).map(
    lambda matrix: matrix @ matrix.T
)


def assert_same(found: MassProperties, expected: MassProperties, rel: float = 1e-9) -> None:
    size = max(float(np.abs(expected.center).max()), expected.mass ** (1 / 3), 1e-12)
    assert found.mass == pytest.approx(expected.mass, rel=rel)
    np.testing.assert_allclose(found.center, expected.center, atol=rel * size)
    scale = max(float(np.abs(expected.tensor).max()), 1e-300)
    np.testing.assert_allclose(found.tensor, expected.tensor, atol=rel * scale)


def cuboid(size: ArrayLike, center: ArrayLike = (0.0, 0.0, 0.0)) -> tuple[Array, Integers]:
    corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3)), dtype=np.float64)
    squares = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [t for a, b, c, d in squares for t in ((a, b, c), (a, c, d))]
    return corners * np.asarray(size) + np.asarray(center), np.array(triangles, dtype=np.int64)


def lathe(radii: Array, heights: Array, around: int) -> tuple[Array, Integers]:
    """A closed mesh around Y whose first and last radius are zero, given at n heights."""
    angles = np.arange(around) * (2.0 * np.pi / around)
    circle = np.stack([np.cos(angles), np.zeros(around), np.sin(angles)], axis=1)
    vertices = circle[None] * radii[:, None, None]
    vertices[:, :, 1] = heights[:, None]
    index = np.arange(len(radii) * around).reshape(len(radii), around)
    low, high = index[:-1], index[1:]
    low_next, high_next = np.roll(low, -1, axis=1), np.roll(high, -1, axis=1)
    quads = [np.stack([low, high, low_next], -1), np.stack([low_next, high, high_next], -1)]
    return vertices.reshape(-1, 3), np.concatenate(quads).reshape(-1, 3)


def tapered_profile(height: float, bottom: float, top: float, count: int) -> tuple[Array, Array]:
    """Heights and radii of a tapered capsule as the union of all the balls between its ends."""
    low, high = -height / 2.0 - bottom, height / 2.0 + top
    heights = (low + high) / 2.0 - (high - low) / 2.0 * np.cos(np.linspace(0.0, np.pi, count))
    part = np.linspace(0.0, 1.0, 2001)[None, :]
    squares = (bottom + (top - bottom) * part) ** 2 - (
        heights[:, None] - (part - 0.5) * height
    ) ** 2
    radii = np.sqrt(np.maximum(squares.max(axis=1), 0.0))
    radii[[0, -1]] = 0.0
    return heights, radii


class TestBox:
    def test_formula(self) -> None:
        box = measure_box((1.0, 2.0, 3.0))
        assert box.mass == 6.0
        np.testing.assert_array_equal(box.center, 0.0)
        np.testing.assert_allclose(box.tensor, np.diag([6.5, 5.0, 2.5]))


class TestSphere:
    def test_formula(self) -> None:
        sphere = measure_sphere(2.0)
        assert sphere.mass == pytest.approx(4.0 / 3.0 * math.pi * 8.0)
        np.testing.assert_allclose(sphere.tensor, np.eye(3) * 0.4 * sphere.mass * 4.0)


class TestCylinder:
    @settings(deadline=None)
    @given(sizes, sizes)
    def test_straight(self, height: float, radius: float) -> None:
        cylinder = measure_cylinder(height, radius, radius)
        mass = math.pi * radius**2 * height
        across = mass * (3.0 * radius**2 + height**2) / 12.0
        expected = np.diag([across, mass * radius**2 / 2.0, across])
        assert_same(cylinder, MassProperties(mass, np.zeros(3), expected))

    @settings(deadline=None)
    @given(sizes, sizes)
    def test_cone(self, height: float, radius: float) -> None:
        # A solid cone: centre of mass a quarter up, moments about it 3/80 m (4 r² + h²), 3/10 m r².
        mass = math.pi * radius**2 * height / 3.0
        across = 3.0 / 80.0 * mass * (4.0 * radius**2 + height**2)
        expected = np.diag([across, 0.3 * mass * radius**2, across])
        center = np.array([0.0, -height / 4.0, 0.0])
        assert_same(measure_cylinder(height, radius, 0.0), MassProperties(mass, center, expected))
        assert_same(measure_cylinder(height, 0.0, radius), MassProperties(mass, -center, expected))

    @settings(deadline=None)
    @given(sizes, sizes, sizes)
    def test_frustum_is_a_cone_without_its_tip(self, height: float, r: float, more: float) -> None:
        whole = height * (r + more) / more
        low = whole / 2.0 - height / 2.0
        tip = (height + whole) / 2.0 - height / 2.0
        cone = place(measure_cylinder(whole, r + more, 0.0), np.eye(3), [0.0, low, 0.0])
        frustum = measure_cylinder(height, r + more, r)
        cut = place(measure_cylinder(whole - height, r, 0.0), np.eye(3), [0.0, tip, 0.0])
        assert_same(combine([frustum, cut]), cone, rel=1e-8)

    def test_frustum_volume(self) -> None:
        volume = math.pi * 3.0 / 3.0 * (4.0 + 2.0 + 1.0)
        assert measure_cylinder(3.0, 2.0, 1.0).mass == pytest.approx(volume)


class TestCapsule:
    @settings(deadline=None)
    @given(sizes, sizes)
    def test_straight(self, height: float, radius: float) -> None:
        # A cylinder, and two half balls whose centres of mass are 3/8 r from their flat sides.
        tube = math.pi * radius**2 * height
        ball = 4.0 / 3.0 * math.pi * radius**3
        along = tube * radius**2 / 2.0 + 0.4 * ball * radius**2
        across = tube * (3.0 * radius**2 + height**2) / 12.0 + ball * (
            0.4 * radius**2 + height**2 / 4.0 + 3.0 / 8.0 * height * radius
        )
        expected = MassProperties(tube + ball, np.zeros(3), np.diag([across, along, across]))
        assert_same(measure_capsule(height, radius, radius), expected)

    @pytest.mark.parametrize(
        ("height", "bottom", "top"),
        [(2.0, 1.0, 0.5), (1.0, 0.2, 1.1), (3.0, 0.0, 1.0), (0.5, 0.5, 0.0), (1.0, 0.9, 0.0)],
    )
    def test_tapered_against_the_union_of_balls(
        self, height: float, bottom: float, top: float
    ) -> None:
        heights, radii = tapered_profile(height, bottom, top, 400)
        mesh = measure_mesh(*lathe(radii, heights, 128))
        assert_same(measure_capsule(height, bottom, top), mesh, rel=2e-3)

    def test_tapered_against_random_points(self) -> None:
        height, bottom, top = 1.5, 1.0, 0.4
        random = np.random.default_rng(7)
        low, high = np.array([-1.0, -1.75, -1.0]), np.array([1.0, 1.15, 1.0])
        points = random.uniform(low, high, size=(200_000, 3))
        inside = np.zeros(len(points), dtype=bool)
        for part in np.linspace(0.0, 1.0, 201):
            center = np.array([0.0, (part - 0.5) * height, 0.0])
            radius = bottom + (top - bottom) * part
            inside |= np.sum((points - center) ** 2, axis=1) <= radius**2
        cloud = points[inside]
        volume = float(np.prod(high - low)) * len(cloud) / len(points)
        second = np.cov(cloud.T, bias=True) * volume
        capsule = measure_capsule(height, bottom, top)
        assert capsule.mass == pytest.approx(volume, rel=0.01)
        np.testing.assert_allclose(capsule.center, cloud.mean(axis=0), atol=0.01)
        expected = np.trace(second) * np.eye(3) - second
        np.testing.assert_allclose(capsule.tensor, expected, atol=0.02 * expected.max())

    @settings(deadline=None)
    @given(sizes, sizes, sizes)
    def test_turned_over(self, height: float, bottom: float, top: float) -> None:
        there = measure_capsule(height, top, bottom)
        turned = place(there, TURN_X @ TURN_X, np.zeros(3))
        assert_same(measure_capsule(height, bottom, top), turned)

    @pytest.mark.parametrize(("bottom", "top", "y"), [(2.0, 0.5, -0.5), (0.5, 2.0, 0.5)])
    def test_one_ball_holds_the_other(self, bottom: float, top: float, y: float) -> None:
        capsule = measure_capsule(1.0, bottom, top)
        assert_same(capsule, place(measure_sphere(2.0), np.eye(3), [0.0, y, 0.0]))

    def test_is_continuous_where_one_ball_begins_to_hold_the_other(self) -> None:
        # What sticks out shrinks with the square root of the distance that is missing.
        assert_same(measure_capsule(1.0 + 1e-9, 2.0, 1.0), measure_capsule(1.0, 2.0, 1.0), 1e-7)

    @settings(deadline=None)
    @given(sizes, sizes)
    def test_without_height_is_a_ball(self, bottom: float, top: float) -> None:
        assert_same(measure_capsule(0.0, bottom, top), measure_sphere(max(bottom, top)))


class TestEveryShape:
    @settings(deadline=None)
    @given(sizes, sizes, sizes, st.floats(0.01, 100.0))
    def test_grows_with_the_fifth_power(self, h: float, a: float, b: float, k: float) -> None:
        for measure in (measure_capsule, measure_cylinder):
            small, large = measure(h, a, b), measure(k * h, k * a, k * b)
            grown = MassProperties(small.mass * k**3, small.center * k, small.tensor * k**5)
            assert_same(large, grown, rel=1e-8)

    def test_nothing_weighs_nothing(self) -> None:
        for empty in (
            measure_box((1.0, 0.0, 1.0)),
            measure_sphere(0.0),
            measure_capsule(1.0, 0.0, 0.0),
            measure_cylinder(0.0, 1.0, 1.0),
            measure_cylinder(1.0, 0.0, 0.0),
        ):
            assert empty.mass == 0.0
            np.testing.assert_array_equal(empty.center, 0.0)
            np.testing.assert_array_equal(empty.tensor, 0.0)

    @pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf])
    def test_refuses(self, bad: float) -> None:
        with pytest.raises(ValueError, match="sizes"):
            measure_box((1.0, bad, 1.0))
        with pytest.raises(ValueError, match="sizes"):
            measure_sphere(bad)
        for measure in (measure_capsule, measure_cylinder):
            for numbers in itertools.permutations((1.0, 1.0, bad)):
                with pytest.raises(ValueError, match="sizes"):
                    measure(*numbers)


class TestMesh:
    @settings(deadline=None)
    @given(arrays(np.float64, 3, elements=sizes), vectors)
    def test_cuboid(self, size: Array, center: Array) -> None:
        expected = place(measure_box(size), np.eye(3), center)
        assert_same(measure_mesh(*cuboid(size, center)), expected, rel=1e-8)

    def test_far_from_the_origin(self) -> None:
        vertices, triangles = cuboid((1.0, 2.0, 3.0), (1e6, -1e6, 1e6))
        expected = place(measure_box((1.0, 2.0, 3.0)), np.eye(3), [1e6, -1e6, 1e6])
        assert_same(measure_mesh(vertices, triangles), expected)

    @settings(deadline=None)
    @given(arrays(np.float64, (4, 3), elements=st.floats(-5.0, 5.0)))
    def test_tetrahedron(self, corners: Array) -> None:
        # Second moments of a simplex about its centroid: V/20 times those of its corners.
        with np.errstate(all="ignore"):
            volume = abs(float(np.linalg.det(corners[1:] - corners[0]))) / 6.0
        if volume < 0.01:
            return
        offsets = corners - corners.mean(axis=0)
        second = offsets.T @ offsets * (volume / 20.0)
        expected = np.trace(second) * np.eye(3) - second
        triangles = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
        center = corners.mean(axis=0)
        assert_same(
            measure_mesh(corners, triangles), MassProperties(volume, center, expected), 1e-7
        )

    def test_inside_out_is_turned(self) -> None:
        vertices, triangles = cuboid((1.0, 2.0, 3.0))
        assert not inspect_mesh(vertices, triangles).inside_out
        assert inspect_mesh(vertices, triangles[:, ::-1]).inside_out
        assert_same(measure_mesh(vertices, triangles[:, ::-1]), measure_box((1.0, 2.0, 3.0)))

    def test_split_vertices_count_as_one(self) -> None:
        vertices, triangles = cuboid((1.0, 2.0, 3.0))
        loose = np.arange(triangles.size).reshape(-1, 3)
        assert_same(measure_mesh(vertices[triangles.ravel()], loose), measure_box((1, 2, 3)))

    def test_negative_zero_is_zero(self) -> None:
        vertices = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
        triangles = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
        loose = vertices[triangles.ravel()]
        loose[:6][loose[:6] == 0.0] = -0.0
        assert inspect_mesh(loose, np.arange(12).reshape(4, 3)).closed

    def test_cavity_and_two_shells(self) -> None:
        outer, faces = cuboid((4.0, 4.0, 4.0))
        inner, _ = cuboid((2.0, 2.0, 2.0), (1.0, 0.0, 0.0))
        hollow = measure_mesh(
            np.concatenate([outer, inner]), np.concatenate([faces, faces[:, ::-1] + 8])
        )
        hole = place(measure_box((2.0, 2.0, 2.0)), np.eye(3), [1.0, 0.0, 0.0])
        assert_same(combine([hollow, hole]), measure_box((4.0, 4.0, 4.0)))

    def test_cubes_that_touch_in_an_edge(self) -> None:
        one, faces = cuboid((1.0, 1.0, 1.0))
        vertices, triangles = (
            np.concatenate([one, one + np.array([1.0, 1.0, 0.0])]),
            np.concatenate([faces, faces + 8]),
        )
        assert measure_mesh(vertices, triangles).mass == pytest.approx(2.0)

    def test_open(self) -> None:
        vertices, triangles = cuboid((1.0, 1.0, 1.0))
        surface = inspect_mesh(vertices, triangles[1:])
        assert (surface.closed, surface.oriented, surface.inside_out) == (False, True, False)
        with pytest.raises(ValueError, match="not closed"):
            measure_mesh(vertices, triangles[1:])

    def test_not_consistently_oriented(self) -> None:
        vertices, triangles = cuboid((1.0, 1.0, 1.0))
        triangles[3] = triangles[3, ::-1]
        surface = inspect_mesh(vertices, triangles)
        assert (surface.closed, surface.oriented, surface.inside_out) == (True, False, False)
        with pytest.raises(ValueError, match="not consistently oriented"):
            measure_mesh(vertices, triangles)

    def test_degenerate_triangles_do_not_matter(self) -> None:
        vertices, triangles = cuboid((1.0, 2.0, 3.0))
        triangles = np.concatenate([triangles, [(0, 0, 1), (5, 5, 5)]])
        assert_same(measure_mesh(vertices, triangles), measure_box((1.0, 2.0, 3.0)))

    def test_flat_closed_mesh_weighs_nothing(self) -> None:
        flat = measure_mesh([[1, 1, 0], [3, 1, 0], [1, 3, 0]], [(0, 1, 2), (0, 2, 1)])
        assert flat.mass == 0.0
        np.testing.assert_allclose(flat.center, [2.0, 2.0, 0.0])

    @pytest.mark.parametrize(
        ("vertices", "triangles", "message"),
        [
            (np.zeros((3, 3)), np.zeros((0, 3), dtype=int), "triangles"),
            (np.zeros((3, 3)), [(0, 1)], "triangles"),
            (np.zeros((3, 3)), [(0.0, 1.0, 2.0)], "whole"),
            (np.zeros((3, 3)), [(0, 1, 3)], "does not exist"),
            (np.zeros((3, 3)), [(0, 1, -1)], "does not exist"),
            (np.full((3, 3), np.nan), [(0, 1, 2)], "finite"),
            (np.zeros((3, 2)), [(0, 1, 2)], "shape"),
        ],
    )
    def test_refuses(self, vertices: Array, triangles: ArrayLike, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            measure_mesh(vertices, triangles)

    def test_speed(self) -> None:
        heights = -np.cos(np.linspace(0.0, np.pi, 250))
        vertices, triangles = lathe(np.sqrt(1.0 - heights**2), heights, 200)
        pace.check_takes(lambda: measure_mesh(vertices, triangles), 1.0)
        ball = measure_mesh(vertices, triangles)
        assert_same(ball, measure_sphere(1.0), rel=1e-3)


class TestPlaceAndCombine:
    @settings(deadline=None)
    @given(arrays(np.float64, 3, elements=sizes), st.floats(0.1, 0.9), quaternions, vectors)
    def test_two_halves_are_a_whole(
        self, size: Array, cut: float, turn: Array, shift: Array
    ) -> None:
        rotation = rotation_matrix(turn)
        parts: list[MassProperties] = []
        for width, x in ((cut, (cut - 1.0) / 2.0), (1.0 - cut, cut / 2.0)):
            part = measure_box(size * [width, 1.0, 1.0])
            offset = rotation @ np.array([x * size[0], 0.0, 0.0]) + shift
            parts.append(place(part, rotation, offset))
        assert_same(combine(parts), place(measure_box(size), rotation, shift), rel=1e-8)

    @settings(deadline=None)
    @given(moments, vectors, quaternions)
    def test_parallel_axis_theorem(self, size: Array, shift: Array, turn: Array) -> None:
        box = place(measure_box(size), rotation_matrix(turn), shift)
        # A body that is far heavier stands still: what is left is the moment about its centre.
        anchor = MassProperties(1e12, np.zeros(3), np.zeros((3, 3)))
        both = combine([anchor, box])
        steiner = box.mass * (shift @ shift * np.eye(3) - np.outer(shift, shift))
        np.testing.assert_allclose(
            both.tensor, box.tensor + steiner, atol=1e-4 * float(np.abs(steiner).max() + 1.0)
        )

    def test_dumbbell(self) -> None:
        ball = MassProperties(3.0, np.zeros(3), np.zeros((3, 3)))
        pair = combine([place(ball, np.eye(3), [x, 1.0, 0.0]) for x in (0.0, 4.0)])
        assert pair.mass == 6.0
        np.testing.assert_allclose(pair.center, [2.0, 1.0, 0.0])
        np.testing.assert_allclose(pair.tensor, np.diag([0.0, 24.0, 24.0]))

    def test_turned_box(self) -> None:
        turned = place(measure_box((1.0, 2.0, 3.0)), TURN_X, [1.0, 0.0, 0.0])
        np.testing.assert_allclose(turned.tensor, measure_box((1.0, 3.0, 2.0)).tensor)
        np.testing.assert_allclose(turned.center, [1.0, 0.0, 0.0])

    def test_parts_without_mass(self) -> None:
        parts = [MassProperties(0.0, np.full(3, x), np.zeros((3, 3))) for x in (1.0, 3.0)]
        both = combine(parts)
        assert both.mass == 0.0
        np.testing.assert_allclose(both.center, 2.0)

    def test_refuses(self) -> None:
        with pytest.raises(ValueError, match="no parts"):
            combine([])
        with pytest.raises(ValueError, match="rotation"):
            place(measure_sphere(1.0), np.eye(3) * 2.0, [0.0, 0.0, 0.0])
        with pytest.raises(ValueError, match="without volume"):
            with_mass(measure_sphere(0.0), 1.0)

    def test_with_mass(self) -> None:
        ball = with_mass(measure_sphere(2.0), 5.0)
        assert ball.mass == 5.0
        np.testing.assert_allclose(ball.tensor, np.eye(3) * 0.4 * 5.0 * 4.0)


class TestPrincipal:
    @settings(deadline=None)
    @given(symmetric)
    def test_tensor_is_the_way_back(self, matrix: Array) -> None:
        diagonal, quaternion = principal(matrix)
        scale = float(np.abs(matrix).max())
        found = tensor(diagonal, quaternion)
        np.testing.assert_allclose(found, matrix, atol=2e-6 * scale + 1e-300)
        assert np.linalg.norm(quaternion) == pytest.approx(1.0)
        assert (diagonal >= -1e-12 * scale).all()

    @settings(deadline=None)
    @given(symmetric)
    def test_is_exact_where_moments_differ(self, matrix: Array) -> None:
        values: Array = np.linalg.eigvalsh(matrix)
        if np.diff(values).min() > 1e-5 * values.max():
            found = tensor(*principal(matrix))
            np.testing.assert_allclose(found, matrix, atol=1e-12 * float(values.max()) + 1e-300)

    @settings(deadline=None)
    @given(moments, quaternions)
    def test_finds_the_moments(self, diagonal: Array, quaternion: Array) -> None:
        found, _ = principal(tensor(diagonal, quaternion))
        tolerance = 2e-6 * float(diagonal.max())
        np.testing.assert_allclose(np.sort(found), np.sort(diagonal), atol=tolerance + 1e-300)

    @settings(deadline=None)
    @given(symmetric)
    def test_turns_as_little_as_it_can(self, matrix: Array) -> None:
        # No two sets of axes are more than 62.8° apart: Mackenzie and Thomson 1957.
        assert principal(matrix)[1][3] >= math.cos(math.radians(62.8) / 2.0) - 1e-4

    @settings(deadline=None)
    @given(moments | arrays(np.float64, 3, elements=st.sampled_from([0.0, 1.0, 2.0])))
    def test_diagonal_needs_no_rotation(self, diagonal: Array) -> None:
        found, quaternion = principal(np.diag(diagonal))
        np.testing.assert_array_equal(quaternion, IDENTITY)
        np.testing.assert_allclose(found, diagonal, rtol=1e-9)

    def test_noise_beside_the_diagonal_does_not_turn_equal_moments(self) -> None:
        # As much as 32-bit vertices bring.
        noise = np.array([[0.0, 1.0, -2.0], [1.0, 0.0, 3.0], [-2.0, 3.0, 0.0]]) * 3e-8
        for diagonal in ((1.0, 1.0, 1.0), (2.0, 1.0, 2.0), (1.0, 1.0, 3.0), (3.0, 3.0, 0.0)):
            found, quaternion = principal(np.diag(diagonal) + noise)
            np.testing.assert_allclose(quaternion, IDENTITY, atol=1e-6)
            np.testing.assert_allclose(found, diagonal, atol=1e-6)

    def test_small_rotation_is_found_again(self) -> None:
        for diagonal in ((1.0, 2.0, 3.0), (3.0, 1.0, 2.0), (5.0, 4.0, 1.0)):
            for turn in ((0.1, 0.2, -0.1, 1.0), (-0.2, 0.0, 0.0, 1.0), (0.0, 0.1, 0.3, 1.0)):
                found, quaternion = principal(tensor(diagonal, turn))
                np.testing.assert_allclose(found, diagonal)
                np.testing.assert_allclose(
                    quaternion, np.array(turn) / math.hypot(*turn), atol=1e-12
                )

    def test_axis_of_a_body_of_revolution(self) -> None:
        # A rod leaning by 30° about Z: the answer leans as much and does not spin the rod.
        turn = np.array([0.0, 0.0, math.sin(math.pi / 12.0), math.cos(math.pi / 12.0)])
        spin = rotation_matrix(turn) @ rotation_matrix((0.0, 1.0, 0.0, 0.3))
        leaning = place(measure_cylinder(4.0, 0.2, 0.2), spin, np.zeros(3))
        diagonal, quaternion = principal(leaning.tensor)
        np.testing.assert_allclose(quaternion, turn, atol=1e-9)
        assert diagonal[1] == diagonal.min()

    @settings(deadline=None)
    @given(moments, quaternions)
    def test_quaternion_belongs_to_the_moments(self, diagonal: Array, turn: Array) -> None:
        matrix = tensor(diagonal, turn)
        found, quaternion = principal(matrix)
        axes = rotation_matrix(quaternion)
        np.testing.assert_allclose(matrix @ axes, axes * found, atol=2e-6 * float(found.max()))
        assert np.linalg.det(axes) == pytest.approx(1.0)

    def test_zero(self) -> None:
        diagonal, quaternion = principal(np.zeros((3, 3)))
        np.testing.assert_array_equal(diagonal, 0.0)
        np.testing.assert_array_equal(quaternion, IDENTITY)

    def test_refuses(self) -> None:
        with pytest.raises(ValueError, match="finite"):
            principal(np.full((3, 3), np.nan))
        with pytest.raises(ValueError, match="finite"):
            principal(np.eye(2))
        for bad in ((0.0, 0.0, 0.0, 0.0), (math.nan, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0)):
            with pytest.raises(ValueError, match="quaternion"):
                tensor((1.0, 1.0, 1.0), bad)


class TestRotationMatrix:
    def test_quarter_turn(self) -> None:
        np.testing.assert_allclose(rotation_matrix((2.0, 0.0, 0.0, 2.0)), TURN_X, atol=1e-15)

    @settings(deadline=None)
    @given(quaternions)
    def test_is_a_rotation(self, quaternion: Array) -> None:
        matrix = rotation_matrix(quaternion)
        np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=1e-12)
        assert np.linalg.det(matrix) == pytest.approx(1.0)


@pytest.mark.parametrize("size", [1e-4, 1.0, 1e4])
def test_a_center_is_at_the_origin_in_spite_of_noise(size):
    """Sums of products end in other digits on other processors; files must not."""
    ball = measure_sphere(size)
    noisy = MassProperties(ball.mass, np.array([0.0, 1e-17 * size, -3e-16 * size]), ball.tensor)
    assert combine([noisy]).center.tolist() == [0.0, 0.0, 0.0]
    aside = MassProperties(ball.mass, np.array([0.0, 1e-6 * size, 0.0]), ball.tensor)
    assert combine([aside]).center.tolist() == [0.0, 1e-6 * size, 0.0]


def test_both_sides_of_a_sheet_that_is_flat_but_for_rounding_enclose_nothing():
    random = np.random.default_rng(2)
    for _ in range(200):
        corners = np.concatenate([random.normal(size=(4, 2)), np.zeros((4, 1))], axis=1)
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
        points = (corners @ turn.T).astype(np.float32)
        found = measure_mesh(points, [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])
        assert found.mass == 0.0 or np.linalg.eigvalsh(found.tensor)[0] > 0.0
        assert np.isfinite(combine([found]).center).all()
