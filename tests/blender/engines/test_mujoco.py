"""The preview moves random mechanisms as MuJoCo does, or tells why not."""

from __future__ import annotations

import pytest

from tests.blender.support.preview_scenes import gravity
from tools.engines import compare_mujoco

pytest.importorskip("mujoco", reason="needs mujoco; see tools/requirements/mujoco.txt")

# Some of the 40 that the tool compares: every kind of joint, up to four parts.
NUMBERS = (0, 1, 3, 4, 6, 7, 10, 18, 29, 33, 36)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_mechanism_moves_as_in_mujoco(number: int, stopped_preview: None) -> None:
    gravity()
    share, _, _ = compare_mujoco.compared(number)
    assert share <= compare_mujoco.TOLERANCE


def test_mechanisms_are_made_from_their_numbers_alone() -> None:
    assert compare_mujoco.mechanism(5) == compare_mujoco.mechanism(5)
    assert compare_mujoco.mechanism(5) != compare_mujoco.mechanism(6)
