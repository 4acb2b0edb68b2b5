"""Bodies that are alike are recognised wherever they are and however they are turned."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.rotations import (
    nearest_rotation,
    nearest_rotations,
    rotation_matrix,
)
from omi_physics_addon.model.bodies import Collider, Motion
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import MeshIndex, ShapeIndex
from omi_physics_addon.model.shapes import Box, Convex, Geometry, Shape
from omi_physics_addon.simulation import build as building
from omi_physics_addon.simulation.body_solids import without_noise
from omi_physics_addon.simulation.build import build
from omi_physics_addon.simulation.bullet.proxies import proxies_of
from omi_physics_addon.simulation.world import Node, World
from tests.support import pace

CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]])


def turns(count: int) -> np.ndarray:
    """Rotations at random, as exact as 32-bit numbers can be."""
    random = np.random.default_rng(4)
    found = [rotation_matrix(random.normal(size=4)) for _ in range(count)]
    return np.array(found, dtype=np.float32).astype(np.float64)


def scattered(count: int, scale: float, *geometries: Geometry) -> World:
    """Bodies alike, turned and placed at random by 32-bit matrices."""
    random = np.random.default_rng(5)
    nodes: list[Node] = []
    for turn in turns(count):
        matrix = np.eye(4)
        matrix[:3, :3] = (turn * scale).astype(np.float32)
        matrix[:3, 3] = random.uniform(-50.0, 50.0, 3).astype(np.float32)
        nodes.append(Node(-1, matrix))
    one = NodePhysics(motion=Motion(mass=2.0), collider=Collider(shape=ShapeIndex(0)))
    document = PhysicsDocument(
        nodes=dict.fromkeys(range(count), one),
        shapes=[Shape(geometry=geometry) for geometry in geometries],
    )
    return build(document, nodes, lambda _: (CUBE, FACES))


@pytest.mark.parametrize("scale", [1.0, 0.013, 2.7, 1000.0])
@pytest.mark.parametrize("geometry", [Box(size=(0.3, 1.0, 2.0)), Convex(mesh=MeshIndex(0))])
def test_turned_bodies_share_what_stands_for_them(geometry: Geometry, scale: float) -> None:
    world = scattered(50, scale, geometry)
    assert len(set(map(id, proxies_of(world.bodies)))) == 1
    (solid,) = world.bodies[17].solids
    if isinstance(geometry, Box):
        assert isinstance(solid.form, Box)
        assert solid.form.size == pytest.approx(np.array(geometry.size) * scale, rel=2e-6)
    np.testing.assert_allclose(solid.rotation, np.eye(3), atol=1e-12)


def test_bodies_of_different_sizes_share_nothing() -> None:
    sizes = np.linspace(0.5, 0.50005, 6)
    nodes = [Node(-1, np.diag([size, size, size, 1.0])) for size in sizes]
    one = NodePhysics(motion=Motion(), collider=Collider(shape=ShapeIndex(0)))
    document = PhysicsDocument(
        nodes=dict.fromkeys(range(len(nodes)), one), shapes=[Shape(geometry=Box())]
    )
    world = build(document, nodes, lambda _: None)
    assert len(set(map(id, proxies_of(world.bodies)))) == len(nodes)


def test_all_of_a_compound_stands_for_it_though_its_first_part_is_in_the_middle() -> None:
    collider = NodePhysics(collider=Collider(shape=ShapeIndex(0)))
    whole = NodePhysics(motion=Motion(), collider=Collider(shape=ShapeIndex(0)))
    above, low, high = np.eye(4), np.eye(4), np.eye(4)
    low[1, 3], high[1, 3] = -3.0, 3.0
    document = PhysicsDocument(
        nodes={0: whole, 1: collider, 2: collider}, shapes=[Shape(geometry=Box())]
    )
    nodes = [Node(-1, above), Node(0, low), Node(0, high)]
    ((proxy,),) = proxies_of(build(document, nodes, lambda _: None).bodies)
    assert len(proxy.solids) == len(proxy.parts) == 3


def test_small_bodies_of_different_inertia_share_nothing() -> None:
    """Moments of things of a centimetre are below a millionth."""
    motions = [Motion(mass=0.01, inertia_diagonal=(1e-7 * i,) * 3) for i in (1, 2, 3)]
    physics = [NodePhysics(motion=m, collider=Collider(shape=ShapeIndex(0))) for m in motions]
    document = PhysicsDocument(
        nodes=dict(enumerate(physics)), shapes=[Shape(geometry=Box(size=(0.01, 0.01, 0.01)))]
    )
    world = build(document, [Node(-1, np.eye(4))] * 3, lambda _: None)
    assert len(set(map(id, proxies_of(world.bodies)))) == 3


def test_rotations_are_those_of_each_matrix() -> None:
    random = np.random.default_rng(6)
    scaled = turns(40) * random.uniform(1e-3, 1e3, (40, 1, 3))
    mirrored = turns(5) * (1.0, -2.0, 3.0)
    sheared = random.normal(size=(20, 3, 3))
    flat = turns(5) * (1.0, 0.0, 1.0)
    linears = np.concatenate([scaled, mirrored, sheared, flat, np.eye(3)[None]])
    found = nearest_rotations(linears)
    for matrix, turn in zip(linears, found, strict=True):
        np.testing.assert_allclose(turn, nearest_rotation(matrix), atol=3e-6)
        np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
        assert np.linalg.det(turn) == pytest.approx(1.0)
    np.testing.assert_array_equal(found[-1], np.eye(3))
    assert nearest_rotations(np.zeros((0, 3, 3))).shape == (0, 3, 3)


@pytest.mark.parametrize("scales", [(-1.0, -1.0, -1.0), (-2.0, -1.0, -3.0)])
def test_what_is_mirrored_along_all_axes_keeps_its_rotation(scales: tuple[float, ...]) -> None:
    """All of three equal sizes are the smallest; which of them was turned round was noise."""
    for turn in turns(20):
        mirrored = (turn * np.array(scales)).astype(np.float32).astype(np.float64)
        np.testing.assert_allclose(nearest_rotation(mirrored), turn, atol=1e-6)
        np.testing.assert_allclose(nearest_rotations(mirrored[None])[0], turn, atol=1e-6)


def test_only_digits_that_are_noise_go() -> None:
    random = np.random.default_rng(7)
    linears = random.normal(size=(30, 3, 3)) * 10.0 ** random.uniform(-6, 6, (30, 1, 1))
    error = np.abs(without_noise(linears) - linears).max(axis=1)
    assert (error <= 1e-6 * np.abs(linears).max(axis=1)).all()
    np.testing.assert_array_equal(without_noise(np.zeros((2, 3, 3))), np.zeros((2, 3, 3)))
    noisy = 3.0 * np.eye(3)[None] * (1.0 + 1e-7) + 1e-7
    np.testing.assert_array_equal(without_noise(noisy), 3.0 * np.eye(3)[None])


@pytest.mark.parametrize("scale", [(1000.0, 0.0004, 1000.0), (0.013, 0.5, 100.3)])
def test_what_is_thin_stays_as_thin(scale: tuple[float, float, float]) -> None:
    matrix = np.eye(4)
    matrix[:3, :3] = (turns(1)[0] * scale).astype(np.float32)
    document = PhysicsDocument(
        nodes={0: NodePhysics(collider=Collider(shape=ShapeIndex(0)))},
        shapes=[Shape(geometry=Box(size=(1.0, 1.0, 1.0)))],
    )
    (body,) = build(document, [Node(-1, matrix)], lambda _: None).bodies
    (solid,) = body.solids
    assert isinstance(solid.form, Box)
    assert solid.form.size == pytest.approx(scale, rel=2e-6)


def test_each_hull_is_weighed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    weighed: list[object] = []
    real = building.weigh
    monkeypatch.setattr(building, "weigh", lambda solids: weighed.append(1) or real(solids))
    scattered(30, 1.5, Convex(mesh=MeshIndex(0)))
    assert len(weighed) == 1


def test_turned_bodies_are_built_as_fast_as_others() -> None:
    pace.check_takes(lambda: scattered(1000, 0.7, Box()), 0.2)
