"""Handles of shapes: where they sit, and what a pull makes of the shape."""

from __future__ import annotations

from typing import Any

import pytest
from mathutils import Euler, Matrix, Vector

from omi_physics_addon.blender.overlay.handles import handle as pulls
from omi_physics_addon.blender.overlay.handles import shape_handles
from omi_physics_addon.blender.overlay.handles.handle import Handle
from tests.blender.support.scenes import add, add_collider, cube_mesh

KINDS = {
    "BOX": {"size": (1.0, 2.0, 3.0)},
    "SPHERE": {"radius": 1.5},
    "CAPSULE": {"height": 2.0, "radius_bottom": 0.5, "radius_top": 0.5},
    "CYLINDER": {"height": 2.0, "radius_bottom": 0.5, "radius_top": 0.5},
    "TAPERED_CAPSULE": {"height": 3.0, "radius_bottom": 0.5, "radius_top": 0.25},
    "TAPERED_CYLINDER": {"height": 3.0, "radius_bottom": 0.5, "radius_top": 0.25},
}
every_handle = pytest.mark.parametrize("index", range(shape_handles.SIZES))
every_kind = pytest.mark.parametrize("kind", KINDS)


def shape_of(kind: str) -> Any:
    """A shape that is elsewhere than its object, and turned."""
    shape = add_collider(add("A", cube_mesh()), kind.removeprefix("TAPERED_"))
    for name, value in KINDS[kind].items():
        setattr(getattr(shape, shape.type.lower()), name, value)
    shape.location, shape.rotation = (1.0, 2.0, 3.0), (0.3, 0.4, 0.5)
    return shape


def values(shape: Any) -> tuple[Any, ...]:
    group = getattr(shape, shape.type.lower())
    sizes = [getattr(group, name) for name in KINDS["BOX" if shape.type == "BOX" else shape.type]]
    return (shape.type, *(tuple(s) if hasattr(s, "__len__") else s for s in sizes))


def handles(shape: Any) -> list[Handle]:
    """Those of an object that is in the origin."""
    return list(shape_handles.size_handles(shape, Matrix(), "COLLIDER"))


def near(a: Any, b: Any) -> bool:
    return (Vector(a) - Vector(b)).length < 1e-5


@every_kind
def test_handles_are_on_the_surface_and_look_outwards(kind: str):
    shape = shape_of(kind)
    turn, center = Euler(shape.rotation).to_matrix(), Vector(shape.location)
    found = handles(shape)
    assert len(found) == shape_handles.SIZES
    for index, handle in enumerate(found):
        local = turn.transposed() @ (handle.place - center)
        outward = turn.transposed() @ handle.way
        assert near(outward, [(-1.0) ** (index % 2) * (i == index // 2) for i in range(3)])
        reach = {
            "BOX": [0.5, 1.0, 1.5][index // 2],
            "SPHERE": 1.5,
            "CAPSULE": [0.5, 0.5, 1.5][index // 2],
            "CYLINDER": [0.5, 0.5, 1.0][index // 2],
            "TAPERED_CAPSULE": [0.5, 0.25, 2.0 if index % 2 else 1.75][index // 2],
            "TAPERED_CYLINDER": [0.5, 0.25, 1.5][index // 2],
        }[kind]
        assert local.dot(outward) == pytest.approx(reach)


@every_handle
@every_kind
@pytest.mark.parametrize("by", [0.5, -0.2])
def test_a_handle_follows_and_the_other_side_stays(kind: str, index: int, by: float):
    shape = shape_of(kind)
    before = handles(shape)
    pulls.pull(before[index], pulls.start(before[index]), by)
    after = handles(shape)
    if kind.startswith("TAPERED") and index < 4:
        same = {0: (0, 1), 1: (0, 1)}.get(index, (2, 3))
        assert after[index].value == pytest.approx(before[index].value + by)
        assert near(after[index].place, before[index].place + before[index].way * by)
        others = [i for i in range(4) if i not in same]
        assert all(near(after[i].place, before[i].place) for i in others)
        return
    assert near(after[index].place, before[index].place + before[index].way * by)
    opposite = index ^ 1
    is_round = kind == "SPHERE" or (kind != "BOX" and index < 4)
    moved = before[opposite].way * by if is_round else Vector()
    assert near(after[opposite].place, before[opposite].place + moved)


@every_handle
@every_kind
def test_both_sides_move_when_wanted(kind: str, index: int):
    shape = shape_of(kind)
    before = handles(shape)
    pulls.pull(before[index], pulls.start(before[index]), 0.2, even=True)
    after = handles(shape)
    assert near(shape.location, (1.0, 2.0, 3.0))
    assert near(after[index].place, before[index].place + before[index].way * 0.2)


@every_handle
@every_kind
def test_nothing_gets_smaller_than_a_little_and_all_can_go_back(kind: str, index: int):
    shape = shape_of(kind)
    begun = pulls.start(handles(shape)[index])
    was, place = values(shape), tuple(shape.location)
    for by in (-9.0, 3.0, -2.0):  # A pull that goes on, always from where it began.
        pulls.pull(handles(shape)[index], begun, by)
        assert all(handle.value >= 0.0 for handle in handles(shape))
        least = 0.0 if kind.startswith("TAPERED") or kind == "CAPSULE" else 9e-4
        sizes = values(shape)[1:]
        assert min(sizes[0] if kind == "BOX" else sizes) >= least
    assert values(shape) != was
    pulls.go_back(handles(shape)[index], begun)
    assert (values(shape), tuple(shape.location)) == (was, place)


def test_no_round_shape_loses_both_radii():
    shape = shape_of("TAPERED_CYLINDER")
    for index in (0, 2):
        pulled = handles(shape)[index]
        pulls.pull(pulled, pulls.start(pulled), -9.0)
    assert shape.cylinder.radius_bottom == 0.0
    assert shape.cylinder.radius_top > 0.0


def test_even_pulls_that_end_go_back_to_one_side():
    """Alt may be let go while the mouse is still pressed."""
    shape = shape_of("BOX")
    pulled = handles(shape)[0]
    begun = pulls.start(pulled)
    pulls.pull(pulled, begun, 0.5, even=True)
    pulls.pull(handles(shape)[0], begun, 0.5)
    assert shape.box.size[0] == pytest.approx(1.5)
    assert near(handles(shape)[1].place, pulled.place - pulled.way)


def test_a_size_can_be_typed():
    shape = shape_of("BOX")
    pulled = handles(shape)[2]
    assert pulls.put(pulled, pulls.start(pulled), 5.0) == 5.0
    assert shape.box.size[1] == 5.0
    assert near(handles(shape)[3].place, pulled.place - pulled.way * 2.0)


@pytest.mark.parametrize("axis", range(3))
def test_shapes_are_turned_about_their_own_axes(axis: int):
    shape = shape_of("BOX")
    before = Euler(shape.rotation).to_matrix()
    ring = [h for h in shape_handles.place_handles(shape, Matrix(), "COLLIDER") if h.center][axis]
    begun = pulls.start(ring)
    assert pulls.pull(ring, begun, 0.6) == pytest.approx(0.6)
    turned = Euler(shape.rotation).to_matrix()
    assert near((turned @ before.transposed()).to_quaternion().axis, ring.way)
    assert (turned @ before.transposed()).to_quaternion().angle == pytest.approx(0.6, abs=1e-5)
    pulls.go_back(ring, begun)
    assert near(shape.rotation, (0.3, 0.4, 0.5))


@pytest.mark.parametrize("axis", range(3))
def test_shapes_are_moved_along_the_axes_of_their_object(axis: int):
    shape = shape_of("BOX")
    matrix = Matrix.LocRotScale((5.0, 0.0, 0.0), Euler((0.0, 0.0, 0.7)), (2.0, 3.0, 4.0))
    found = shape_handles.place_handles(shape, matrix, "COLLIDER")
    arrow = [handle for handle in found if not handle.center][axis]
    assert arrow.way.length == pytest.approx((2.0, 3.0, 4.0)[axis])
    pulls.pull(arrow, pulls.start(arrow), 0.5)
    assert shape.location[axis] == pytest.approx((1.0, 2.0, 3.0)[axis] + 0.5)
