"""Gravity of volumes: fields, order, orbits, cost."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omi_physics_addon.geometry import gravity_field
from omi_physics_addon.model.gravity import (
    DirectionalGravity,
    DiscGravity,
    GravityField,
    GravityVolume,
    LineGravity,
    PointGravity,
    ShapedGravity,
    TorusGravity,
)
from omi_physics_addon.model.shapes import Sphere
from omi_physics_addon.simulation.gravity_forces import VolumeGravity, middle
from omi_physics_addon.simulation.state import WORLD, Array, Masses, State, Wrench
from omi_physics_addon.simulation.trigger_watch import Triggers
from omi_physics_addon.simulation.world import Frame, Volume
from tests.simulation.test_trigger_watch import body, solid
from tests.support import pace
from tests.support.rigid_bodies import STEP, about, resting, run, solids, step

DOWN = np.array([0.0, -9.8, 0.0])
NOTHING = np.zeros(3)


def volume(
    field: GravityField,
    gravity: float = 1.0,
    *,
    place: Sequence[float] = (0, 0, 0),
    axes: Array | None = None,
    on: int = WORLD,
    scale: float = 1.0,
    radius: float = 100.0,
    priority: int = 0,
    replace: bool = False,
    stop: bool = False,
) -> Volume:
    record = GravityVolume(
        field=field, gravity=gravity, priority=priority, replace=replace, stop=stop
    )
    frame = Frame(on, np.array(place, dtype=float), np.eye(3) if axes is None else axes)
    return Volume(0, frame, (solid(Sphere(radius=radius)),), record, np.full(3, scale))


def everywhere(volumes: Sequence[Volume]):
    def inside(state: State, _masses: Masses) -> np.ndarray:
        return np.ones((len(volumes), len(state)), dtype=bool)

    return inside


def pulls(one: Volume, points: Array, world: Array = NOTHING, **how: object) -> Array:
    state = resting(*points)
    maker = VolumeGravity([one], world, everywhere([one]), **how)  # type: ignore[arg-type]
    return maker.accelerations(state, solids([1.0] * len(points)))


def cloud(seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=(100, 3)) * 5.0


def toward(points: Array, targets: Array, gravity: float, unit: float) -> Array:
    """The formula of the specification: g·(unit/d)², toward the nearest place."""
    away = targets - points
    distance = np.linalg.norm(away, axis=1, keepdims=True)
    return away / distance * gravity * (unit / distance) ** 2 if unit else away / distance * gravity


def on_segment(points: Array, start: Array, end: Array) -> Array:
    along = end - start
    share = np.clip((points - start) @ along / (along @ along), 0.0, 1.0)
    return start + share[:, None] * along


def flat(points: Array) -> tuple[Array, Array]:
    ground = points * (1.0, 0.0, 1.0)
    return ground, np.linalg.norm(ground, axis=1, keepdims=True)


@pytest.mark.parametrize("unit", [0.0, 3.0])
@pytest.mark.parametrize("gravity", [7.0, -2.0])
def test_each_type_at_100_points_in_a_turned_and_moved_frame(unit, gravity):
    axes, place, points = about((1, 2, 3), 1.0), np.array([2.0, -1.0, 0.5]), cloud()
    local = (points - place) @ axes
    ground, away = flat(local)
    line = ((0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, 3.0, 1.0))
    parts = [on_segment(local, np.array(a), np.array(b)) for a, b in itertools.pairwise(line)]
    gaps = np.linalg.norm(np.array(parts) - local, axis=2)
    nearest = np.where((gaps[0] < gaps[1])[:, None], parts[0], parts[1])
    cases: list[tuple[GravityField, Array]] = [
        (PointGravity(unit_distance=unit), np.zeros_like(local)),
        (DiscGravity(radius=4.0, unit_distance=unit), ground * np.minimum(1.0, 4.0 / away)),
        (TorusGravity(radius=4.0, unit_distance=unit), ground * (4.0 / away)),
        (LineGravity(points=line, unit_distance=unit), nearest),
        (
            ShapedGravity(unit_distance=unit),
            2.0 * local / np.linalg.norm(local, axis=1, keepdims=True),
        ),
    ]

    def ball(places: Array) -> Array:
        return 2.0 * places / np.linalg.norm(places, axis=1, keepdims=True)

    for field, targets in cases:
        expected = toward(local, targets, gravity, unit) @ axes.T
        one = volume(field, gravity, place=place, axes=axes)
        assert pulls(one, points, surfaces=[ball]) == pytest.approx(expected)
    one = volume(DirectionalGravity(direction=(0.6, 0.8, 0.0)), gravity, place=place, axes=axes)
    expected = np.tile(gravity * axes @ (0.6, 0.8, 0.0), (100, 1))
    assert pulls(one, points) == pytest.approx(expected)


def test_the_scale_of_the_node_scales_distances():
    points = cloud(1)
    for field, scaled in (
        (PointGravity(unit_distance=1.0), PointGravity(unit_distance=2.0)),
        (DiscGravity(radius=1.5), DiscGravity(radius=3.0)),
        (LineGravity(points=((0, 0, 0), (1, 1, 0))), LineGravity(points=((0, 0, 0), (2, 2, 0)))),
    ):
        assert pulls(volume(field, 5.0, scale=2.0), points) == pytest.approx(
            pulls(volume(scaled, 5.0), points)
        )
    assert not pulls(volume(PointGravity(), scale=0.0), points).any()


def plain(volumes: Sequence[tuple[int, bool, bool, float, bool]], world: float) -> float:
    """The text of the specification, one volume after the other, for one body."""
    total = 0.0
    for priority in sorted({one[0] for one in volumes}, reverse=True):
        same = [one for one in volumes if one[0] == priority and one[4]]
        if any(replace for _, replace, _, _, _ in same):
            total = 0.0
        total += sum(strength for *_, strength, _ in same)
        if any(stop for _, _, stop, _, _ in same):
            return total
    return total + world


@settings(max_examples=150, deadline=None)
@given(
    volumes=st.lists(
        st.tuples(
            st.integers(-2, 2),
            st.booleans(),
            st.booleans(),
            st.integers(-9, 9).map(float),
            st.lists(st.booleans(), min_size=3, max_size=3),
        ),
        max_size=6,
    ),
    world=st.integers(-9, 9).map(float),
)
def test_priority_replace_and_stop_are_those_of_a_plain_evaluator(volumes, world):
    made = [
        volume(
            DirectionalGravity(direction=(0.0, 1.0, 0.0)),
            strength,
            priority=priority,
            replace=replace,
            stop=stop,
        )
        for priority, replace, stop, strength, _ in volumes
    ]
    held = np.array([where for *_, where in volumes], dtype=bool).reshape(len(volumes), 3)
    maker = VolumeGravity(made, np.array([0.0, world, 0.0]), lambda _state, _masses: held)
    found = maker.accelerations(resting(*np.zeros((3, 3))), solids([1.0] * 3))
    for at in range(3):
        mine = [(p, r, s, g, where[at]) for p, r, s, g, where in volumes]
        assert found[at] == pytest.approx([0.0, plain(mine, world), 0.0])


@pytest.mark.parametrize("native", [True, False])
def test_weight_has_mass_and_factor_and_leaves_out_what_the_integrator_adds(native):
    one = volume(DirectionalGravity(direction=(1.0, 0.0, 0.0)), 3.0)
    masses = solids([2.0, 5.0, 7.0], gravity_factor=[1.0, -0.5, 1.0], dynamic=[True, True, False])
    wrench = Wrench.zero(3)
    maker = VolumeGravity([one], DOWN, everywhere([one]), native=native)
    maker.apply(resting(*np.zeros((3, 3))), masses, STEP, wrench)
    rest = 0.0 if native else -9.8
    assert wrench.force[0] == pytest.approx([6.0, 2.0 * rest, 0.0])
    assert wrench.force[1] == pytest.approx([-7.5, -2.5 * rest, 0.0])
    assert wrench.force[2] == pytest.approx([0.0, 0.0, 0.0])


def test_volumes_bound_their_effect_and_move_with_their_bodies():
    bodies = [body(solid(Sphere(radius=0.5))), body(solid(Sphere(radius=0.5)))]
    one = volume(PointGravity(), 4.0, on=0, radius=2.0)
    maker = VolumeGravity([one], NOTHING, Triggers([one], bodies).overlaps)
    state, masses = resting((0, 0, 0), (2.4, 0, 0)), solids([1, 1])
    assert maker.accelerations(state, masses)[1] == pytest.approx([-4.0, 0.0, 0.0])
    assert not maker.accelerations(state, masses)[0].any()
    state.position[1] = (2.6, 0, 0)
    assert not maker.accelerations(state, masses)[1].any()
    state.position[0] = (2.6, 1.0, 0)
    assert maker.accelerations(state, masses)[1] == pytest.approx([0.0, 4.0, 0.0])


@pytest.mark.parametrize("substeps", [1, 2, 4, 10])
def test_an_orbit_keeps_its_radius_over_ten_periods(substeps):
    """Radius within 0.5 % from four substeps of 1/240 s on; the period is that of Kepler."""
    radius, gravity = 5.0, 9.8
    one = volume(PointGravity(unit_distance=radius), gravity)
    speed = math.sqrt(gravity * radius)
    period = 2.0 * math.pi * radius / speed
    state, masses = resting((radius, 0, 0)), solids([3.0])
    state.velocity[0] = (0.0, 0.0, speed)
    maker = VolumeGravity([one], NOTHING, everywhere([one]), substeps=substeps)
    steps = round(10 * period / STEP)
    path = []
    for _ in range(steps):
        step(state, masses, [maker.apply], substeps=substeps)
        path.append(state.position[0].copy())
    found = np.linalg.norm(path, axis=1)
    share = {1: 0.03, 2: 0.01}.get(substeps, 0.005)
    assert np.abs(found / radius - 1.0).max() < share
    turned = np.unwrap(np.arctan2(*np.array(path)[:, [2, 0]].T))[-1]
    assert turned == pytest.approx(2.0 * math.pi * steps * STEP / period, rel=2e-3)


def test_taken_at_the_start_of_a_step_the_orbit_would_grow():
    """The reason for `middle`: the same orbit gains more than a tenth of its radius."""
    radius, gravity = 5.0, 9.8
    one = volume(PointGravity(unit_distance=radius), gravity)
    state, masses = resting((radius, 0, 0)), solids([3.0])
    state.velocity[0] = (0.0, 0.0, math.sqrt(gravity * radius))
    maker = VolumeGravity([one], NOTHING, everywhere([one]), substeps=1)  # As if at the start.
    for _ in range(2700):
        step(state, masses, [maker.apply], substeps=10)
    assert np.linalg.norm(state.position[0]) > 1.1 * radius
    assert middle(1) == 0.0
    assert middle(10) == pytest.approx(0.45)


@pytest.mark.parametrize(("rate", "substeps"), [(60, 4), (120, 8)])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_what_passes_the_middle_of_a_field_is_not_thrown_away(rate, substeps, scale):
    """Within 5 cm and 2 % of its way of the capped field; energy within 2 % behind each pass."""
    unit, strength, dt = 5.0, 9.0, 1.0 / rate
    one = volume(PointGravity(unit_distance=unit / scale), strength, scale=scale)
    core = scale * gravity_field.core_of(PointGravity(unit_distance=unit / scale), 9.0, scale, dt)
    assert 0.3 < core < 0.7
    state, masses = resting((3.0, 0.3, 0.0), (3.0, 0.3, 0.0), (6.0, 0.0, 0.0)), solids([2.0] * 3)
    state.velocity[:, 1] = (0.0, 1.5, 2.0)
    maker = VolumeGravity([one], NOTHING, everywhere([one]), substeps=substeps)
    exact, speed = state.position.copy(), state.velocity.copy()
    way, least = np.zeros(3), strength * unit * unit
    start = 0.5 * (speed * speed).sum(axis=1) - least / np.linalg.norm(exact, axis=1)
    behind = np.zeros(3, dtype=bool)
    for _ in range(3 * rate):
        step(state, masses, [maker.apply], dt=dt, substeps=substeps)
        for _ in range(50):
            h = dt / 50
            away = np.maximum(np.linalg.norm(exact, axis=1, keepdims=True), core)
            speed = speed - h * least * exact / away**3
            exact = exact + h * speed
            way += h * np.linalg.norm(speed, axis=1)
        assert (np.linalg.norm(state.position - exact, axis=1) < 0.05 + 0.02 * way).all()
        distance = np.linalg.norm(state.position, axis=1)
        energy = 0.5 * (state.velocity**2).sum(axis=1) - least / distance
        far = distance > 2.5
        assert (energy < start + 0.02 * np.abs(start))[far].all()
        behind |= far
    assert behind.all()


@pytest.mark.parametrize(
    ("field", "place"),
    [
        (DiscGravity(radius=2.0, unit_distance=4.0), (0.5, 3.0, 0.2)),
        (TorusGravity(radius=2.0, unit_distance=4.0), (2.0, 3.0, 0.0)),
        (LineGravity(points=((0, 0, -9), (0, 0, 9)), unit_distance=4.0), (0.3, 3.0, 0.5)),
        (PointGravity(unit_distance=0.0), (0.0, 3.0, 0.0)),
        (ShapedGravity(unit_distance=4.0), (0.0, 3.0, 0.0)),
    ],
)
def test_through_the_middle_of_each_field_nothing_gets_higher_than_it_began(field, place):
    one = volume(field, 9.0)
    state, masses = resting(place, place), solids([2.0, 2.0], gravity_factor=[1.0, 0.5])
    flat = [lambda points: points * (1.0, 0.0, 1.0)]
    maker = VolumeGravity([one], NOTHING, everywhere([one]), flat, substeps=4)
    paths = run(state, masses, [maker.apply], 10.0, substeps=4)[:, :, 1]
    assert np.abs(paths).max() < 3.0 * 1.02
    assert (paths.min(axis=0) < -2.5).all()


def test_a_body_that_a_volume_moves_along_with_keeps_its_energy_in_there():
    """A ship that flies on at 7 m/s: what falls in it does so as in one that stands."""
    one = volume(PointGravity(unit_distance=4.0), 9.0, on=0)
    state = resting((0, 0, 0), (3.0, 0.2, 0.0))
    masses = solids([1.0, 2.0], gravity_factor=[0.0, 1.0])
    state.velocity[:] = (0.0, 0.0, 7.0)
    maker = VolumeGravity([one], NOTHING, everywhere([one]), substeps=4)
    path = run(state, masses, [maker.apply], 10.0, substeps=4)
    away = np.linalg.norm(path[:, 1] - path[:, 0], axis=1)
    assert away.max() < 3.01 * 1.02
    assert (away < 0.6).any()


def test_a_thousand_bodies_in_volumes_take_less_than_10_ms():
    random = np.random.default_rng(0)
    points = random.normal(size=(1000, 3)) * 3.0
    volumes = [
        volume(PointGravity(unit_distance=2.0), radius=50.0),
        volume(TorusGravity(radius=4.0), radius=50.0, priority=5),
    ]
    bodies = [body(solid(Sphere())) for _ in range(1000)]
    state, masses = resting(*points), solids([1.0] * 1000)
    maker = VolumeGravity(volumes, DOWN, Triggers(volumes, bodies).overlaps, substeps=2)
    wrench = Wrench.zero(1000)
    pace.check_takes(lambda: maker.apply(state, masses, STEP, wrench), 0.01)
