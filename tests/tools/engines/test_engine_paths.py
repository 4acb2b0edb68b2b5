"""What counts as the same path of a body in the preview and in an engine."""

import math

import pytest

from tools.engines import engine_paths
from tools.engines.engine_paths import HIGH, NEAR, SHARE, TURNED, Path

STRAIGHT = (0.0, 0.0, 0.0, 1.0)
STILL = (0.0, 0.0, 0.0)
TIMES = [i / 10.0 for i in range(101)]


def path(place, turn=STRAIGHT, spin=STILL, kind="dynamic"):
    """A path from a function of the time."""
    return Path(kind, TIMES, [tuple(place(time)) for time in TIMES], turn, spin)


def lying(x=0.0, y=0.0, **others):
    """Falls from 10 m above the ground for one second, and lies there."""
    return path(lambda t: (x, y + max(10.0 * (1.0 - t), 0.0), 0.0), **others)


def compare(mine, *theirs):
    (verdict,) = engine_paths.compare({"A": mine}, [{"A": one} for one in theirs])
    return verdict


def about_x(angle):
    return (math.sin(angle / 2.0), 0.0, 0.0, math.cos(angle / 2.0))


ALLOWED = NEAR + SHARE * 10.0


@pytest.mark.parametrize(
    ("x", "same"), [(0.0, True), (ALLOWED - 0.001, True), (ALLOWED + 0.001, False)]
)
def test_the_same_rest_is_within_the_tolerance_of_its_way(x, same):
    verdict = compare(lying(x), lying(), lying(), lying())
    assert (verdict.kind, verdict.same) == ("rest", same)
    assert verdict.off == pytest.approx(x)
    assert verdict.allowed == pytest.approx(ALLOWED)


def test_a_place_between_those_of_the_runs_is_no_distance():
    verdict = compare(lying(0.05), lying(0.1), lying(0.04), lying(0.0))
    assert (verdict.kind, verdict.off) == ("rest", 0.0)


def test_a_body_that_goes_on_does_not_rest_where_the_engine_rests():
    swaying = path(lambda t: (0.3 * math.sin(6.0 * t), max(10.0 - 10.0 * t, 0.0), 0.0))
    verdict = compare(swaying, lying(), lying())
    assert (verdict.kind, verdict.same) == ("rest", False)
    assert verdict.off == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize(("angle", "same"), [(0.9 * TURNED, True), (1.1 * TURNED, False)])
def test_it_must_lie_on_the_same_side(angle, same):
    verdict = compare(lying(turn=about_x(angle)), lying(), lying())
    assert verdict.turned == pytest.approx(angle)
    assert verdict.same == same


def test_the_side_does_not_count_where_the_engine_does_not_agree_with_itself():
    verdict = compare(lying(turn=about_x(2.0)), lying(turn=about_x(1.0)), lying())
    assert (verdict.turned, verdict.same) == (None, True)


@pytest.mark.parametrize(("spin", "same"), [(2.1, True), (3.0, False)])
def test_what_spins_must_spin_as_fast(spin, same):
    verdict = compare(lying(spin=(0, spin, 0)), lying(spin=(0, 2.0, 0)), lying(spin=(0, 2.0, 0)))
    assert verdict.turned is None
    assert verdict.spun == pytest.approx(spin - 2.0)
    assert verdict.same == same


def gliding(speed):
    return path(lambda t: (speed * t, 0.0, 0.0))


@pytest.mark.parametrize(("speed", "same"), [(1.01, True), (1.05, False)])
def test_what_never_rests_must_follow_all_the_way(speed, same):
    verdict = compare(gliding(speed), gliding(1.0), gliding(1.001), gliding(1.0))
    assert (verdict.kind, verdict.until, verdict.same) == ("path", 10.0, same)


def test_after_the_runs_part_only_heights_count():
    def parting(side):
        return path(lambda t: (t + side * max(t - 5.0, 0.0), 1.0, 0.0))

    verdict = compare(parting(-1.0), parting(0.0), parting(1.0))
    assert (verdict.kind, verdict.same) == ("chance", True)
    assert 5.0 <= verdict.until < 5.5
    high = parting(-1.0)._replace(
        places=[
            (x, y if t < 6.0 else y + 2.0 * HIGH, z)
            for t, (x, y, z) in zip(TIMES, parting(-1.0).places, strict=True)
        ]
    )
    assert not compare(high, parting(0.0), parting(1.0)).same
    early = parting(-1.0)._replace(places=[(x, y, 0.5) for x, y, _ in parting(-1.0).places])
    assert not compare(early, parting(0.0), parting(1.0)).same


def test_a_body_that_only_one_of_them_moves_differs():
    verdicts = engine_paths.compare(
        {"A": lying(), "B": lying(kind="static"), "C": lying(kind="static")},
        [{"A": lying(kind="static"), "B": lying(), "C": lying(kind="static")}] * 2,
    )
    assert [(one.body, one.kind, one.same) for one in verdicts] == [
        ("A", "missing", False),
        ("B", "missing", False),
    ]
