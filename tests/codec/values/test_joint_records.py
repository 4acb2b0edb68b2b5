"""What is told of joint settings while they are read."""

from __future__ import annotations

from typing import Any

import pytest

from omi_physics_addon.codec.values.joint_records import read_settings
from omi_physics_addon.codec.values.records import Reading
from omi_physics_addon.issues import Issues

LIMIT = {"linearAxes": [0], "min": 0, "max": 0}
DRIVE = {"type": "linear", "mode": "force", "axis": 0}


def codes_of(**members: Any) -> list[str]:
    issues = Issues()
    read_settings(members, "", Reading(issues, {}))
    return [issue.code for issue in issues]


def test_settings_need_a_limit_or_a_drive():
    assert codes_of() == ["J10"]
    assert codes_of(limits=[LIMIT]) == []
    assert codes_of(drives=[DRIVE]) == []
    assert codes_of(limits=[LIMIT], drives=[DRIVE]) == []


@pytest.mark.parametrize(
    ("kind", "mode", "codes"),
    [
        ("linear", "force", []),
        ("angular", "acceleration", []),
        ("magnetic", "force", ["J23"]),
        ("linear", "impulse", ["J23"]),
        ("magnetic", "impulse", ["J23"]),
    ],
)
def test_drives_have_a_known_type_and_mode(kind: str, mode: str, codes: list[str]):
    assert codes_of(drives=[{**DRIVE, "type": kind, "mode": mode}]) == codes
