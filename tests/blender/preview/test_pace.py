"""A preview that cannot keep up says how slow it is."""

from __future__ import annotations

import itertools

import pytest

from omi_physics_addon.blender.preview.pace import Pace
from tests.blender.preview.test_speed import in_volume
from tests.blender.support.preview_scenes import play


def paced(seconds: float, frames: int, *, rate: float = 60.0, speed: float = 1.0) -> Pace:
    """After frames that took so many seconds each."""
    now = [0.0]
    pace = Pace(rate, speed, lambda: now[0])
    for _ in range(frames):
        now[0] += seconds
        pace.note()
    return pace


@pytest.mark.parametrize("speed", [1.0, 0.25])
def test_what_keeps_up_says_nothing(speed):
    assert paced(1 / 60, 200, speed=speed).slow is None
    assert paced(1 / 56, 200, speed=speed).words() == ""


@pytest.mark.parametrize("frames", [4, 30, 300])
def test_it_is_told_at_any_length(frames):
    assert paced(1 / 24, frames).slow == pytest.approx(0.4)
    assert paced(1 / 24, frames).words() == "0.4x real time"
    assert paced(0.7, frames).words() == "0.024x real time"


def test_slow_motion_that_was_asked_for_counts():
    assert paced(1 / 30, 60, speed=0.5).words() == "0.25x real time"


def test_nothing_is_told_at_once_or_after_a_pause():
    assert paced(0.7, 3).slow is None
    pace = paced(0.7, 10)
    pace.restart()
    pace.note()
    assert pace.slow is None


def test_only_the_last_second_counts():
    now = [0.0]
    pace = Pace(60.0, 1.0, lambda: now[0])
    for seconds in (*[0.5] * 10, *[1 / 60] * 90):
        now[0] += seconds
        pace.note()
    assert pace.slow is None


@pytest.mark.parametrize("place", ["COPY", "SCENE"])
def test_a_preview_notes_its_frames(stopped_preview, place):
    in_volume(1)
    session = play(place=place)
    seconds = itertools.count()
    session.pace = Pace(60.0, 1.0, lambda: float(next(seconds)))
    session.step(8)
    assert session.pace.words() == "0.017x real time"
