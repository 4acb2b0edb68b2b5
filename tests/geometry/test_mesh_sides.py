"""Which way triangles look, on meshes of which it is known."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.geometry import mesh_sides
from omi_physics_addon.geometry.mesh_sides import look
from tests.support import pace

UP = (0.0, 1.0, 0.0)
_QUADS = ((0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6))
BOX = np.array([t for a, b, c, d in _QUADS for t in ((a, b, c), (a, c, d))])


def box(size: float = 1.0, at: float = 0.0) -> tuple[Any, Any]:
    """A closed box that looks outward."""
    corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], dtype=float)
    return (corners - 0.5) * size + (at, 0.0, 0.0), BOX.copy()


def sheet(count: int = 4) -> tuple[Any, Any]:
    """A square of 1 m that looks up."""
    numbers = np.arange((count + 1) ** 2)
    corners = np.column_stack([numbers % (count + 1), 0 * numbers, numbers // (count + 1)]) / count
    first = numbers.reshape(count + 1, -1)[:-1, :-1].ravel()
    a, b, c, d = first, first + 1, first + count + 1, first + count + 2
    return corners, np.concatenate([np.column_stack([a, c, b]), np.column_stack([b, c, d])])


def flip(triangles: Any, *which: int) -> Any:
    """The same triangles, of which some are turned; all where none is named."""
    found = triangles.copy()
    rows = list(which) or slice(None)
    found[rows] = found[rows][:, ::-1]
    return found


def joined(*meshes: tuple[Any, Any]) -> tuple[Any, Any]:
    starts = np.cumsum([0, *(len(corners) for corners, _ in meshes)])
    faces = [faces + start for (_, faces), start in zip(meshes, starts, strict=False)]
    return np.concatenate([corners for corners, _ in meshes]), np.concatenate(faces)


def split(mesh: tuple[Any, Any]) -> tuple[Any, Any]:
    """The same mesh with corners of its own for each triangle, as glTF splits them."""
    corners, faces = mesh
    return corners[faces.ravel()], np.arange(faces.size).reshape(-1, 3)


def away(mesh: tuple[Any, Any]) -> list[int]:
    return np.flatnonzero(look(*mesh).away).tolist()


@pytest.mark.parametrize(
    "mesh",
    [
        box(),
        split(box()),
        joined(box(), box(at=3.0)),
        joined(box(3.0), box()),
        joined(box(3.0), (box()[0], flip(BOX))),
        joined(box(), (box()[0], flip(BOX))),
        joined(sheet(), (sheet()[0], flip(sheet()[1]))),
        joined(box(), (np.zeros((3, 3)), np.array([[0, 1, 2]]))),
        (np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)),
    ],
    ids=["box", "split", "two", "inner", "cavity", "both_box", "both_sheet", "point", "nothing"],
)
def test_nothing_to_tell(mesh):
    sides = look(*mesh)
    assert not sides.away.any()
    assert not sides.open.any()
    assert not sides.looks_down(UP)


def test_a_closed_mesh_inside_out_looks_away_all_over():
    assert away((box()[0], flip(BOX))) == list(range(12))
    assert away(joined((box()[0], flip(BOX)), box(at=5.0))) == list(range(12))


@pytest.mark.parametrize("wrong", [[3], [0, 1], [2, 5, 11], list(range(8))])
def test_single_triangles_of_a_closed_mesh_are_found(wrong):
    for mesh in (box()[0], flip(BOX, *wrong)), split((box()[0], flip(BOX, *wrong))):
        assert away(mesh) == wrong
        turned = flip(mesh[1], *wrong)
        assert not look(mesh[0], turned).away.any()


def test_the_fewer_are_wrong_in_an_open_mesh():
    corners, faces = sheet()
    sides = look(corners, flip(faces, 4, 9))
    assert np.flatnonzero(sides.away).tolist() == [4, 9]
    assert sides.open.all()
    assert sides.lean == pytest.approx(UP)


def test_an_open_mesh_looks_down_where_its_normals_do():
    corners, faces = sheet()
    assert not look(corners, faces).looks_down(UP)
    below = look(corners, flip(faces))
    assert below.looks_down(UP)
    assert not below.looks_down((0.0, -2.0, 0.0))
    assert not below.looks_down((1.0, 0.0, 0.0))
    assert below.turned(UP).all()


def test_a_box_without_a_lid_looks_down_where_it_looks_outward():
    corners, faces = box()
    without = faces[[k for k in range(12) if k not in (6, 7)]]
    assert look(corners, without).looks_down(UP)
    assert not look(corners, flip(without)).looks_down(UP)


def test_turning_what_is_to_be_turned_leaves_nothing():
    corners, faces = sheet()
    faces = flip(flip(faces), 3, 7)
    sides = look(corners, faces)
    assert sides.turned(UP).sum() == len(faces) - 2
    again = look(corners, flip(faces, *np.flatnonzero(sides.turned(UP)).tolist()))
    assert not again.turned(UP).any()


def test_a_strip_of_one_side_has_no_triangles_that_look_away():
    angles = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    middle = np.column_stack([np.cos(angles), 0.0 * angles, np.sin(angles)])
    across = middle * np.cos(angles / 2)[:, None] + np.outer(np.sin(angles / 2), UP)
    corners = np.concatenate([middle + 0.2 * across, middle - 0.2 * across])
    faces = [t for k in range(11) for t in ((k, k + 12, k + 1), (k + 1, k + 12, k + 13))]
    faces += [(11, 23, 12), (12, 23, 0)]
    sides = look(corners, np.array(faces))
    assert sides.open.all()
    assert not sides.away.any()


def test_three_walls_on_one_edge_are_open_and_right():
    corners = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1], [-1, 0, 0]], dtype=float)
    sides = look(corners, np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4]]))
    assert sides.open.all()
    assert not sides.away.any()


def test_two_boxes_that_share_an_edge_are_closed():
    one, other = box(), box()
    corners, faces = joined(one, (other[0] + (1.0, 1.0, 0.0), other[1]))
    sides = look(corners, faces)
    assert not sides.open.any()
    assert not sides.away.any()


def test_the_time_grows_with_the_triangles():
    def seconds(count: int) -> float:
        corners, faces = sheet(count)
        start = time.thread_time()
        mesh_sides.look(corners, faces)
        return time.thread_time() - start

    pace.check_growth(seconds, 40, 160, most=16 * 3.0)
