"""Which bodies bounce off which others, by the materials of them all."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, get_args

import numpy as np
import pytest

from omi_physics_addon.model.bodies import CombineMode, PhysicsMaterial
from omi_physics_addon.model.shapes import Sphere
from omi_physics_addon.simulation.bullet import liveliness
from omi_physics_addon.simulation.world import Body, Solid

MODES: tuple[CombineMode, ...] = get_args(CombineMode)


def body(restitution: float, mode: CombineMode, friction: float = 0.5, forced: bool = True) -> Body:
    zero = np.zeros(3)
    material = PhysicsMaterial(
        restitution=restitution, restitution_combine=mode, dynamic_friction=friction
    )
    solid = Solid(0, Sphere(), np.eye(3), zero, material)
    kind = "dynamic" if forced else "static"
    return Body(0, kind, np.eye(3), zero, (solid,), 1.0, zero, np.eye(3), zero, zero, zero)


def bounce(bodies: Sequence[Body], one: int, other: int) -> bool:
    pair = (liveliness.material_of(bodies[at]) for at in (one, other))
    return liveliness.restitution(*pair) > 0.0


@pytest.mark.parametrize("seed", range(20))
def test_a_body_is_lively_that_bounces_off_any_other(seed: int) -> None:
    chance = random.Random(seed)
    bodies = [
        body(
            chance.choice((0.0, 0.0, 0.3, 1.0)), chance.choice(MODES), forced=chance.random() < 0.6
        )
        for _ in range(chance.randint(1, 6))
    ]
    forced = np.array([each.is_forced for each in bodies])
    ground, moving = np.flatnonzero(~forced), np.flatnonzero(forced)
    wanted = [
        bool(forced[i]) and any(bounce(bodies, i, other) for other in ground)
        for i in range(len(bodies))
    ]
    assert liveliness.lively(bodies).tolist() == wanted
    wanted = [
        bool(forced[i]) and any(bounce(bodies, i, other) for other in moving if other != i)
        for i in range(len(bodies))
    ]
    assert liveliness.lively_pairs(bodies).tolist() == wanted


def test_thousands_of_materials_are_few_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def combined(*values: Any, of: Any = liveliness.combined) -> float:
        asked.append(values)
        return float(of(*values))

    monkeypatch.setattr(liveliness, "combined", combined)
    bodies = [body(0.0, MODES[i % 4], i / 2000, i % 2 == 0) for i in range(2000)]
    assert not liveliness.lively(bodies).any()
    assert not liveliness.lively_pairs(bodies).any()
    assert len(asked) <= 128
