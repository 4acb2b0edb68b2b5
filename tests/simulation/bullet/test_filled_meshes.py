"""Static meshes that are flat, or boxes, are solids for Bullet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from omi_physics_addon.geometry.rotations import rotation_matrix
from omi_physics_addon.model.bodies import Collider, Motion
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import MeshIndex, ShapeIndex
from omi_physics_addon.model.shapes import Box, Shape, Sphere, Trimesh
from omi_physics_addon.simulation.build import build
from omi_physics_addon.simulation.bullet.filled_meshes import filled
from omi_physics_addon.simulation.world import Mesh, Node
from tests.support import pace

TURN = np.array(rotation_matrix(np.array([0.3, -0.5, 0.7, 0.2])))


def grid(count: int, x: float = 4.0, z: float = 6.0) -> tuple[Any, Any]:
    """A rectangle whose front is up, Y, with triangles twice a side squared."""
    side = np.linspace(-0.5, 0.5, count + 1)
    points = np.array([(a * x, 0.0, b * z) for a in side for b in side])
    at = [i * (count + 1) + k for i in range(count) for k in range(count)]
    down = [(i, i + 1, i + count + 1) for i in at]
    return points, np.array(down + [(i + 1, i + count + 2, i + count + 1) for i in at])


def cube() -> tuple[Any, Any]:
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))])


def solid_of(mesh: Any, ball: Any = (0.0, 5.0, 0.0), kind: str = "static", turn: Any = TURN) -> Any:
    """What stands for a mesh that is turned, with a ball of 0.5 m at a place before it."""
    matrix, ahead = np.eye(4), np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn, (1.0, 2.0, 3.0)
    ahead[:3, 3] = matrix[:3, :3] @ ball + matrix[:3, 3]
    motion = None if kind == "static" else Motion(type=kind)
    document = PhysicsDocument(
        nodes={
            0: NodePhysics(motion=motion, collider=Collider(shape=ShapeIndex(0))),
            1: NodePhysics(motion=Motion(), collider=Collider(shape=ShapeIndex(1))),
        },
        shapes=[
            Shape(geometry=Trimesh(mesh=MeshIndex(0))),
            Shape(geometry=Sphere(radius=0.5)),
        ],
    )
    world = build(document, [Node(-1, matrix), Node(-1, ahead)], lambda _: mesh)
    body = next(each for each in filled(world.bodies) if each.node == 0)
    (solid,) = body.solids
    return solid


@pytest.mark.parametrize("count", [1, 2, 7])
def test_a_rectangle_is_a_box_behind_its_front(count: int) -> None:
    solid = solid_of(grid(count))
    assert isinstance(solid.form, Box)
    assert sorted(solid.form.size) == pytest.approx([0.05, 4.0, 6.0])
    np.testing.assert_allclose(solid.place, (0.0, -0.025, 0.0), atol=1e-9)


def test_the_skin_of_a_box_is_that_box() -> None:
    solid = solid_of(cube(), (0.0, 1.6, 0.0))
    assert isinstance(solid.form, Box)
    assert solid.form.size == pytest.approx((2.0, 2.0, 2.0))


def inside_out() -> tuple[Any, Any]:
    corners, triangles = cube()
    return corners, triangles[:, ::-1]


def open_box() -> tuple[Any, Any]:
    corners, triangles = cube()
    return corners, triangles[2:]


def uneven() -> tuple[Any, Any]:
    points, triangles = grid(4)
    points[7, 1] = 0.01
    return points, triangles


def with_hole() -> tuple[Any, Any]:
    points, triangles = grid(4)
    return points, triangles[1:]


def both_sides() -> tuple[Any, Any]:
    points, triangles = grid(1)
    return points, np.concatenate([triangles, triangles[:, ::-1]])


def triangle() -> tuple[Any, Any]:
    points, triangles = grid(1)
    return points, triangles[:1]


def nothing() -> tuple[Any, Any]:
    return np.zeros((3, 3)), np.zeros((0, 3), dtype=np.int64)


@pytest.mark.parametrize(
    "make", [inside_out, open_box, uneven, with_hole, both_sides, triangle, nothing]
)
def test_what_is_neither_stays_a_mesh(make: Any) -> None:
    mesh = make()
    if len(mesh[1]):
        assert isinstance(solid_of(mesh).form, Mesh)


@pytest.mark.parametrize(
    ("mesh", "ball"),
    [
        (grid(2), (0.0, 0.0, 0.0)),
        (grid(2), (1.9, -0.4, 2.0)),
        (cube(), (0.0, 0.0, 0.0)),
        (cube(), (0.0, 1.3, 0.0)),
    ],
)
def test_where_something_begins_inside_the_mesh_stays_one(mesh: Any, ball: Any) -> None:
    assert isinstance(solid_of(mesh, ball).form, Mesh)


def test_what_moves_stays_a_mesh() -> None:
    assert isinstance(solid_of(grid(1), kind="kinematic").form, Mesh)


def test_the_time_grows_as_the_scene_does() -> None:
    def seconds(count: int) -> float:
        nodes, parts = [], {}
        for i in range(count):
            for k, height in enumerate((0.0, 0.51)):
                matrix = np.eye(4)
                matrix[:3, 3] = (7.0 * i, height, 0.0)
                nodes.append(Node(-1, matrix))
                motion = Motion() if k else None
                collider = Collider(shape=ShapeIndex(k))
                parts[2 * i + k] = NodePhysics(motion=motion, collider=collider)
        shapes = [Shape(geometry=Trimesh(mesh=MeshIndex(0))), Shape(geometry=Sphere(radius=0.5))]
        world = build(PhysicsDocument(nodes=parts, shapes=shapes), nodes, lambda _: grid(1))
        return pace.fastest(lambda: filled(world.bodies))

    pace.check_growth(seconds, 200, 1600, most=12.0)
