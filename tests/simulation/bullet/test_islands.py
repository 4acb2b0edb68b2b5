"""Which bodies are linked so that an engine solves them together."""

from __future__ import annotations

from omi_physics_addon.simulation.bullet.islands import links


def test_many_that_hang_on_nothing_that_moves_become_one_chain() -> None:
    found = links([(i,) for i in range(200)], ())
    assert found == [(i, i + 1) for i in range(199)]


def test_what_is_together_already_needs_no_link_of_its_own() -> None:
    pairs = [(2 * i, 2 * i + 1) for i in range(100)]
    found = links(pairs, range(1000, 1500))
    assert len(found) == 100
    ends = [body // 2 if body < 1000 else 100 for pair in found for body in pair]
    assert sorted(set(ends)) == list(range(101))


def test_few_come_to_rest_one_by_one() -> None:
    assert links([(i,) for i in range(20)], ()) == []
    assert links([], ()) == []
