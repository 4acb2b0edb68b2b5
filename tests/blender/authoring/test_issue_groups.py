"""Issues by what to do about them."""

from __future__ import annotations

import pytest

from omi_physics_addon.blender.authoring.fixes import FIXES
from omi_physics_addon.blender.authoring.issue_groups import Group
from omi_physics_addon.files import fix_labels
from omi_physics_addon.issue_codes import Severity


@pytest.mark.parametrize(
    ("codes", "text"),
    [
        (("B24",), "B24, derived"),
        (("B19", "S20"), "B19, S20"),
        (("B25", "S20"), "B25, S20"),  # One of them stands in a specification.
    ],
)
def test_codes_say_when_no_specification_states_them(codes, text):
    assert Group(codes, Severity.WARNING, ()).rules == text


def test_reports_name_the_buttons_that_there_are():
    assert {code: fix.label for code, fix in FIXES.items()} == fix_labels.IN_SCENES
