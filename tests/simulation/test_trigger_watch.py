"""Overlaps of solids against sampling and closed cases; who enters and leaves triggers."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence

import numpy as np
import pytest

from omi_physics_addon.model.shapes import Box, Capsule, Cylinder, Plane, Sphere
from omi_physics_addon.simulation.overlap import Hull, Hulls, Placed, contains, hull_of, overlapping
from omi_physics_addon.simulation.state import WORLD, Array
from omi_physics_addon.simulation.trigger_watch import Event, Triggers
from omi_physics_addon.simulation.world import Body, Form, Frame, Mesh, Solid, Volume
from tests.support import pace
from tests.support.rigid_bodies import about, resting, solids

ROCK = np.random.default_rng(5).normal(size=(40, 3)) * (0.7, 0.5, 0.3)
FORMS: list[Form] = [
    Box(size=(1.0, 2.0, 0.5)),
    Sphere(radius=0.7),
    Capsule(height=1.2, radius_bottom=0.4, radius_top=0.4),
    Capsule(height=1.0, radius_bottom=0.2, radius_top=0.6),
    Capsule(height=0.3, radius_bottom=0.2, radius_top=0.7),
    Cylinder(height=1.5, radius_bottom=0.5, radius_top=0.5),
    Cylinder(height=1.0, radius_bottom=0.7, radius_top=0.0),
    Mesh(ROCK, np.zeros((0, 3), dtype=np.int64), True),
]


def solid(form: Form, place: Sequence[float] = (0, 0, 0), turn: Array | None = None) -> Solid:
    return Solid(0, form, np.eye(3) if turn is None else turn, np.array(place, dtype=float))


def body(*parts: Solid) -> Body:
    zero = np.zeros(3)
    return Body(0, "dynamic", np.eye(3), zero, parts, 1.0, zero, np.eye(3), np.ones(3), zero, zero)


def zone(*parts: Solid, on: int = WORLD, place: Sequence[float] = (0, 0, 0)) -> Volume:
    return Volume(0, Frame(on, np.array(place, dtype=float), np.eye(3)), parts, None, np.ones(3))


hull_known = functools.cache(hull_of)


def meet(left: Form, right: Form, turn: Array, place: Sequence[float]) -> bool:
    hulls = Hulls([hull_known(left), hull_known(right)])
    one = Placed(np.array([0]), np.eye(3)[None], np.zeros((1, 3)))
    other = Placed(np.array([1]), turn[None], np.array([place], dtype=float))
    return bool(overlapping(hulls, one, other)[0])


def surface(form: Form, count: int = 6000) -> Array:
    """Points of a form: farthest ones along many directions, and all between them."""
    random = np.random.default_rng(0)
    hulls = Hulls([hull_of(form)])
    directions = random.normal(size=(count, 3))
    eye = np.tile(np.eye(3), (count, 1, 1))
    outer = hulls.farthest(np.zeros(count, dtype=np.int64), eye, directions)
    weights = random.dirichlet(np.full(4, 0.3), count)
    mixed = np.einsum("nk,nki->ni", weights, outer[random.integers(0, count, (count, 4))])
    return np.concatenate([outer, mixed])


def lowest(points: Array, axes: Array) -> Array:
    """The least height of points along each of the axes, a few at a time for the sake of memory."""
    parts = np.array_split(axes, 30)
    return np.concatenate([(points @ part.T).min(axis=0) for part in parts])


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_a_form_contains_the_hull_of_its_farthest_points_and_nothing_else(form):
    hull, points = hull_of(form), surface(form)
    assert contains(form, hull, points * (1.0 - 1e-9)).all()
    random = np.random.default_rng(1)
    tried = random.uniform(-1.5, 1.5, (3000, 3))
    inside = contains(form, hull, tried)
    # GJK knows nothing of `contains`; a ball of a hundredth of a millimetre is all but a point.
    hulls = Hulls([hull, hull_of(Sphere(radius=1e-5))])
    eye = np.tile(np.eye(3), (len(tried), 1, 1))
    many = np.zeros(len(tried), dtype=np.int64)
    left = Placed(many, eye, np.zeros_like(tried))
    assert (overlapping(hulls, left, Placed(many + 1, eye, tried)) == inside).mean() > 0.999
    assert 20 < inside.sum() < 2900


@pytest.mark.parametrize("left", range(len(FORMS)))
@pytest.mark.parametrize("right", range(len(FORMS)))
def test_overlaps_are_those_that_sampling_finds(left, right):
    """A point in both proves an overlap, a plane between both the contrary; most cases have one."""
    random = np.random.default_rng(left * 10 + right)
    one, other = FORMS[left], FORMS[right]
    inner, outer = surface(one, 1500), surface(other, 1500)
    # The first half of them are those that lie farthest out.
    corners, other_corners = (np.unique(points[:1500], axis=0) for points in (inner, outer))
    axes = random.normal(size=(3000, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    highest = -lowest(-corners, axes)
    decided = 0
    for _ in range(12):
        turn = about(random.normal(size=3), random.uniform(0, 3))
        place = random.normal(size=3) * 0.9
        moved = outer @ turn.T + place
        back = (inner - place) @ turn
        shared = contains(one, hull_known(one), moved).any()
        shared = shared or contains(other, hull_known(other), back).any()
        parted = (lowest(other_corners @ turn.T + place, axes) > highest + 0.05).any()
        found = meet(one, other, turn, place)
        assert not (shared and parted)
        if shared or parted:
            decided += 1
            assert found == shared
    assert decided >= 6


@pytest.mark.parametrize(
    ("left", "right", "touch"),
    [
        (Sphere(radius=1.0), Sphere(radius=0.5), 1.5),
        (Box(size=(2, 2, 2)), Sphere(radius=0.5), 1.5),
        (Box(size=(2, 2, 2)), Box(size=(1, 1, 1)), 1.5),
        (Capsule(height=2.0, radius_bottom=0.5, radius_top=0.5), Sphere(radius=0.25), 0.75),
        (Cylinder(height=2.0, radius_bottom=0.5, radius_top=0.5), Box(size=(2, 2, 2)), 1.5),
        (Cylinder(height=2.0, radius_bottom=1.0, radius_top=0.0), Box(size=(2, 0, 2)), 1.5),
    ],
)
def test_a_hair_decides(left, right, touch):
    assert meet(left, right, np.eye(3), (touch - 1e-6, 0, 0))
    assert not meet(left, right, np.eye(3), (touch + 1e-6, 0, 0))


def test_one_inside_the_other_and_at_the_same_place():
    large, small = Box(size=(9, 9, 9)), Sphere(radius=0.1)
    assert meet(large, small, np.eye(3), (1, 2, 3))
    assert meet(large, small, np.eye(3), (0, 0, 0))
    assert meet(small, large, np.eye(3), (3, 0, 0))
    assert meet(large, large, np.eye(3), (0, 0, 0))


def test_planes_are_half_spaces_unless_double_sided():
    ball = Sphere(radius=0.5)
    assert meet(Plane(), ball, np.eye(3), (300.0, -40.0, 7.0))
    assert meet(Plane(), ball, np.eye(3), (0.0, 0.49, 0.0))
    assert not meet(Plane(), ball, np.eye(3), (0.0, 0.51, 0.0))
    assert not meet(Plane(size_x=2.0), ball, np.eye(3), (1.6, 0.0, 0.0))
    assert not meet(Plane(double_sided=True), ball, np.eye(3), (0.0, -0.6, 0.0))


def test_bodies_enter_and_leave_with_events():
    bodies = [body(solid(Sphere(radius=0.5))), body(solid(Box()))]
    state, masses = resting((-3, 0, 0), (9, 0, 0)), solids([1, 1])
    triggers = Triggers([zone(solid(Box(size=(2, 2, 2))))], bodies)
    assert triggers.update(state, masses) == []
    state.position[0] = (-1.4, 0, 0)
    assert triggers.update(state, masses) == [Event(0, 0, True)]
    assert triggers.inside.tolist() == [[True, False]]
    assert triggers.update(state, masses) == []
    state.position = np.array([[5.0, 0, 0], [1.4, 0, 0]])
    assert triggers.update(state, masses) == [Event(0, 0, False), Event(0, 1, True)]


def standing(*parts: Solid) -> Body:
    return dataclasses.replace(body(*parts), type="static")


def test_what_stands_still_stays_in_the_triggers_that_do() -> None:
    """Zones of the world, on what stands, and on what moves, over a floor, with a body above."""
    floor, ball = standing(solid(Box(size=(50, 1, 50)))), body(solid(Sphere(radius=0.5)))
    pillar = standing(solid(Box()))
    cube = solid(Box(size=(2, 2, 2)))
    zones = [zone(cube), zone(cube, on=2), zone(cube, on=1), zone(cube, place=(0, 9, 0))]
    triggers = Triggers(zones, [floor, ball, pillar])
    state, masses = resting((0, 0, 0), (0, 5, 0), (8, 0, 0)), solids([1, 1, 1])
    first = triggers.update(state, masses)
    assert first == [Event(0, 0, True), Event(1, 0, True)]
    state.position[1] = (0, 1, 0)
    assert triggers.update(state, masses) == [Event(0, 1, True), Event(2, 0, True)]
    state.position[1] = (0, 9, 0)
    events = [Event(0, 1, False), Event(2, 0, False), Event(3, 1, True)]
    assert triggers.update(state, masses) == events
    assert triggers.inside[:, 0].tolist() == [True, True, False, False]


def test_what_stands_still_is_looked_at_once() -> None:
    floor = standing(solid(Box(size=(200, 1, 200))))
    zones = [zone(solid(Box(), (i % 40, 0.0, i // 40))) for i in range(1000)]
    triggers = Triggers(zones, [floor, body(solid(Sphere()))])
    state, masses = resting((0, 0, 0), (0, 50, 0)), solids([1, 1])
    assert len(triggers.update(state, masses)) == len(zones)
    pace.check_takes(lambda: triggers.update(state, masses), 5e-3)
    assert triggers.update(state, masses) == []


def test_compound_triggers_and_bodies_and_rotated_parts():
    """Two zones with a gap; a body of two balls on a turning bar reaches one of them."""
    triggers = Triggers(
        [zone(solid(Box(), (-3, 0, 0)), solid(Box(), (3, 0, 0)))],
        [body(solid(Sphere(), (2.6, 0, 0)), solid(Sphere(), (-2.6, 0, 0)))],
    )
    state, masses = resting((0, 0, 0)), solids([1])
    assert triggers.overlaps(state, masses).tolist() == [[True]]
    state.rotation[0] = about((0, 1, 0), math.pi / 2)
    assert triggers.overlaps(state, masses).tolist() == [[False]]


def test_triggers_move_with_bodies_and_do_not_notice_their_own():
    bodies = [body(solid(Box())), body(solid(Box()))]
    triggers = Triggers([zone(solid(Sphere(radius=2.0)), on=0, place=(0, 3, 0))], bodies)
    state, masses = resting((0, -3, 0), (9, 0, 0)), solids([1, 1])
    assert triggers.overlaps(state, masses).tolist() == [[False, False]]
    state.position[0] = (9.0, -3.0, 0.0)
    assert triggers.overlaps(state, masses).tolist() == [[False, True]]
    state.rotation[0] = about((0, 0, 1), math.pi)
    assert triggers.overlaps(state, masses).tolist() == [[False, False]]


def test_filters_and_bodies_without_solids():
    bodies = [body(solid(Box())), body(), body(solid(Box()))]
    allowed = np.array([[False, True, True]])
    triggers = Triggers([zone(solid(Box(size=(9, 9, 9))))], bodies, allowed)
    state, masses = resting((0, 0, 0), (0, 0, 0), (1, 0, 0)), solids([1, 1, 1])
    assert triggers.overlaps(state, masses).tolist() == [[False, False, True]]
    assert not Triggers([], bodies).overlaps(state, masses).size
    assert not Triggers([zone()], bodies).overlaps(state, masses).any()


def test_hulls_of_flat_meshes():
    square = Mesh(np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1.0]]), np.zeros((0, 3)), True)
    assert isinstance(hull_of(square), Hull)
    assert meet(square, Sphere(radius=0.5), np.eye(3), (0.5, 0.4, 0.5))
    assert not meet(square, Sphere(radius=0.5), np.eye(3), (0.5, 0.6, 0.5))


@pytest.mark.parametrize("spread", [0.0, 6.0, 40.0])
def test_a_thousand_bodies_and_twenty_triggers_take_less_than_60_ms(spread):
    """Everything in one place, half at the borders, and most far away."""
    random = np.random.default_rng(3)
    bodies = [body(solid(FORMS[at % len(FORMS)])) for at in range(1000)]
    zones = [zone(solid(Sphere(radius=5.0), random.normal(size=3) * spread)) for _ in range(20)]
    state, masses = resting(*(random.normal(size=(1000, 3)) * 4.0)), solids([1.0] * 1000)
    triggers = Triggers(zones, bodies)
    pace.check_takes(lambda: triggers.overlaps(state, masses), 0.06)


def crossed(start, end, *, on=WORLD, moved=(0.0, 0.0, 0.0)):
    """What a ball of radius 0.1 passes of a zone on its way between two moments."""
    watch = Triggers(
        [zone(solid(Box(size=(0.2, 2.0, 2.0))), on=on)], [body(solid(Sphere(radius=0.1))), body()]
    )
    masses = solids([1.0, 1.0])
    before, after = resting(start, (0, 0, 0)), resting(end, moved)
    watch.update(before, masses)
    return watch.passed(before, after, masses)


def test_what_comes_through_between_two_moments_enters_and_leaves():
    found = crossed((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert [(one.trigger, one.body, one.entered) for one in found] == [(0, 0, True), (0, 0, False)]
    # It touches from -0.2 to 0.2, on a way of 2.
    assert [one.late for one in found] == pytest.approx([0.6, 0.4], abs=0.01)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ((-1.0, 1.2, 0.0), (1.0, 1.2, 0.0)),  # Beside it.
        ((-1.0, 0.0, 0.0), (-0.3, 0.0, 0.0)),  # Not there yet.
        ((-1.0, 0.0, 0.0), (0.0, 0.0, 0.0)),  # In it now, which `update` tells.
        ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),  # In it before.
        ((-0.25, 0.0, 0.0), (-0.25, 0.15, 0.0)),  # Slow.
    ],
)
def test_what_does_not_pass_is_no_event(start, end):
    assert crossed(start, end) == []


def test_a_thin_zone_that_moves_passes_what_stands():
    watch = Triggers([zone(solid(Box(size=(0.1, 2, 2))), on=1)], [body(solid(Sphere())), body()])
    masses = solids([1.0, 1.0])
    before, after = resting((0, 0, 0), (-2, 0, 0)), resting((0, 0, 0), (2, 0, 0))
    watch.update(before, masses)
    assert [one.entered for one in watch.passed(before, after, masses)] == [True, False]
