"""The volume error of every fit, by closed formulas, for forms that are turned at random."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.geometry.fit import best_fit
from omi_physics_addon.geometry.fit.best_fit import (
    SIMPLEST_FIRST,
    Wish,
    fit_wish,
    simplest,
    volume_error,
)
from omi_physics_addon.geometry.fit.extremes import extreme_points
from omi_physics_addon.geometry.fit.mesh_volumes import hull_volume
from omi_physics_addon.geometry.fit.oriented_box import rough_box_volume
from omi_physics_addon.geometry.fit.placed_shape import Placed
from omi_physics_addon.geometry.fit.round_fits import rough_round_volume
from omi_physics_addon.geometry.fit.simple_hull import simple_hull
from omi_physics_addon.geometry.hull import convex_hull
from omi_physics_addon.geometry.rotations import rotations_of_vectors

CORNERS = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
SIDES = 48  # Of rims; a polygon with so many is smaller than its circle by a part of 3e-3.
ROUND = 8e-3  # What that, and the rings of a ball, leave open.


def rim(radius: float, height: float) -> Any:
    angles = np.arange(SIDES) * (2.0 * math.pi / SIDES)
    return np.stack(
        [radius * np.cos(angles), np.full(SIDES, height), radius * np.sin(angles)], axis=1
    )


def ball(radius: float) -> Any:
    angles = np.linspace(-math.pi / 2.0, math.pi / 2.0, SIDES // 2 + 1).tolist()
    return np.concatenate([rim(radius * math.cos(a), radius * math.sin(a)) for a in angles])


def capsule(radius: float, height: float) -> Any:
    half = np.array([0.0, height / 2.0, 0.0])
    caps = ball(radius)
    return np.concatenate([caps[caps[:, 1] >= 0.0] + half, caps[caps[:, 1] <= 0.0] - half])


def around_box(a: float, b: float, c: float) -> float:
    """The ball around a box, compared with it."""
    return math.pi / 6.0 * math.hypot(a, b, c) ** 3 / (a * b * c) - 1.0


BALL, CONE = 4.0 / 3.0 * math.pi, math.pi / 3.0
# Form → its points and its volume.
FORMS: dict[str, tuple[Any, float]] = {
    "box": (CORNERS * (1.0, 2.0, 3.0), 6.0),
    "pillar": (CORNERS * (1.0, 6.0, 1.0), 6.0),
    "ball": (ball(1.0), BALL),
    "rod": (np.concatenate([rim(0.5, -3.0), rim(0.5, 3.0)]), 1.5 * math.pi),
    "pill": (capsule(0.5, 4.0), math.pi + BALL / 8.0),
    "cone": (np.concatenate([rim(1.0, 0.0), [[0.0, 4.0, 0.0]]]), 4.0 * CONE),
}
# Fit and form → the error that the smallest shape has, however the form is turned.
EXACT: dict[tuple[Wish, str], float] = {
    (Wish("sphere"), "box"): around_box(1.0, 2.0, 3.0),
    (Wish("sphere"), "pillar"): around_box(1.0, 6.0, 1.0),
    (Wish("sphere"), "ball"): 0.0,
    (Wish("sphere"), "rod"): BALL * math.hypot(0.5, 3.0) ** 3 / (1.5 * math.pi) - 1.0,
    (Wish("sphere"), "pill"): BALL * 2.5**3 / (math.pi + BALL / 8.0) - 1.0,
    # Through the rim and the tip: r = (h² + 1) / 2h.
    (Wish("sphere"), "cone"): BALL * (17.0 / 8.0) ** 3 / (4.0 * CONE) - 1.0,
    (Wish("box", "free"), "box"): 0.0,
    (Wish("box", "free"), "pillar"): 0.0,
    (Wish("box", "free"), "ball"): 8.0 / BALL - 1.0,
    (Wish("box", "free"), "rod"): 4.0 / math.pi - 1.0,
    (Wish("box", "free"), "pill"): 5.0 / (math.pi + BALL / 8.0) - 1.0,
    (Wish("capsule", "free"), "ball"): 0.0,
    (Wish("capsule", "free"), "pill"): 0.0,
    (Wish("capsule", "free", taper=True), "pill"): 0.0,
    (Wish("cylinder", "free"), "pillar"): math.pi / 2.0 - 1.0,
    (Wish("cylinder", "free"), "ball"): 1.5 - 1.0,
    (Wish("cylinder", "free"), "rod"): 0.0,
    (Wish("cylinder", "free", taper=True), "rod"): 0.0,
    (Wish("cylinder", "free", taper=True), "cone"): 0.0,
}
ALL = [Wish("sphere")] + [
    Wish(kind, axis, taper)
    for kind in ("box", "capsule", "cylinder")
    for axis in ("auto", "free")
    for taper in ((False,) if kind == "box" else (False, True))
]


def turned(points: Any, seed: int) -> tuple[Any, Any]:
    """Points elsewhere and turned at random, and how they are turned."""
    random = np.random.default_rng(seed)
    rotation = rotations_of_vectors(random.normal(size=(1, 3)) * 2.0)[0]
    return points @ rotation.T + random.uniform(-50.0, 50.0, size=3), rotation


@functools.cache
def fitted(form: str, seed: int, wish: Wish) -> Placed:
    """A fit around a form that is turned; many tests look at the same ones."""
    return fit_wish(turned(FORMS[form][0], seed)[0], wish)


def error_of(volume: float, of_form: float) -> float:
    error = volume_error(volume, of_form)
    assert error is not None
    return error


@pytest.mark.parametrize("seed", range(2))  # As below, where the same fits are looked at.
@pytest.mark.parametrize(("wish", "form"), EXACT, ids=lambda part: str(part))
def test_the_error_is_that_of_the_formula(wish: Wish, form: str, seed: int):
    volume = FORMS[form][1]
    found = fitted(form, seed, wish)
    assert error_of(found.volume, volume) == pytest.approx(EXACT[wish, form], abs=2.0 * ROUND)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [(1.0, 2.0, 3.0), (1.0, 6.0, 1.0), (4.0, 0.5, 1.0)])
def test_an_upright_box_around_a_turned_one(size: Any, seed: int):
    """Along each axis it reaches as far as the edges of the other one do together."""
    points, rotation = turned(CORNERS * size, seed)
    volume = math.prod(size)
    wanted = math.prod(np.abs(rotation) @ size) / volume - 1.0
    error = error_of(fit_wish(points, Wish("box")).volume, volume)
    assert error == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("wish", ALL, ids=str)
def test_every_fit_holds_every_form_and_freedom_costs_nothing(wish: Wish, form: str, seed: int):
    points, volume = FORMS[form]
    points = turned(points, seed)[0]
    found = fitted(form, seed, wish)
    assert found.beyond(points).max() <= 1e-12
    error = error_of(found.volume, volume)
    assert error >= -ROUND
    if wish.axis == "free":
        upright = fitted(form, seed, Wish(wish.kind, "auto", wish.taper))
        assert error <= error_of(upright.volume, volume) + 1e-6
    if wish.taper:
        straight = fitted(form, seed, Wish(wish.kind, wish.axis))
        assert error <= error_of(straight.volume, volume) + 1e-6


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("form", FORMS)
def test_a_hull_has_no_error_and_a_small_one_little(form: str, seed: int):
    points, volume = FORMS[form]
    points = turned(points, seed)[0]
    whole = simple_hull(points)
    assert whole is not None
    assert error_of(whole.volume, volume) == pytest.approx(0.0, abs=ROUND)
    last = math.inf
    for budget in (8, 32, 128):
        hull = simple_hull(points, budget)
        assert hull is not None
        error = error_of(hull.volume, volume)
        assert -ROUND <= error <= last + 1e-6
        last = error
    assert last < 0.06


# Form → what the simplest is that is hardly larger; the error of each is 0 but for the rims.
SIMPLEST = {
    "box": "Box",
    "pillar": "Box",
    "ball": "Sphere",
    "rod": "Cylinder",
    "pill": "Capsule",
    "cone": "Cylinder",
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("form", SIMPLEST)
def test_the_simplest_is_within_its_tolerance(
    form: str, seed: int, monkeypatch: pytest.MonkeyPatch
):
    points, volume = FORMS[form]
    points = turned(points, seed)[0]
    of_hull = hull_volume(points)
    # The same fits for each threshold.
    monkeypatch.setattr(best_fit, "fit_wish", lambda _, wish: fitted(form, seed, wish))
    for threshold in (100.0, 1.0, 0.3, 0.01):
        found = simplest(points, volume, threshold, lambda: of_hull)
        assert found is not None
        assert error_of(found.volume, volume) <= threshold
        if threshold == 100.0:
            assert type(found.geometry).__name__ == "Sphere"
        if threshold == 0.01:
            assert type(found.geometry).__name__ == SIMPLEST[form]


@pytest.mark.parametrize("concave", [False, True])
def test_free_axes_are_not_searched_where_only_the_hull_is_near_enough(
    concave: bool, monkeypatch: pytest.MonkeyPatch
):
    """A rock takes a moment, not the seconds of a search that cannot find anything."""
    random = np.random.default_rng(5)
    points = random.normal(size=(60, 3))
    points *= (random.uniform(0.8, 1.2, 60) / np.linalg.norm(points, axis=1))[:, None]
    points *= (1.0, 0.8, 0.6)
    of_hull = hull_volume(points)
    asked: list[Wish] = []

    def noted(cloud: Any, wish: Wish) -> Placed:
        asked.append(wish)
        return fit_wish(cloud, wish)

    monkeypatch.setattr(best_fit, "fit_wish", noted)
    of_mesh = of_hull / 2.0 if concave else of_hull
    assert simplest(points, of_mesh, 0.2, lambda: of_hull) is None
    assert all(wish.axis != "free" for wish in asked)
    assert len(asked) == 4


@pytest.mark.parametrize("form", FORMS)
def test_a_rough_volume_is_near_that_of_the_best_shape_of_its_form(form: str):
    """So that what is worth a search is found."""
    points, _ = FORMS[form]
    points = turned(points, 1)[0]
    core = extreme_points(points)
    hull = convex_hull(core)
    assert hull is not None
    rough = [rough_box_volume(*hull)]
    rough += [
        rough_round_volume(core, hull, kind, taper)
        for kind in ("capsule", "cylinder")
        for taper in (False, True)
    ]
    best = [fitted(form, 1, wish).volume for wish in SIMPLEST_FIRST[4:]]
    for guess, least in zip(rough, (best[0], best[1], best[3], best[2], best[4]), strict=True):
        assert guess < 1.25 * least
