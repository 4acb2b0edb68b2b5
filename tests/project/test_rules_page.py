"""The page of rules is that of the catalogue."""

from __future__ import annotations

from omi_physics_addon.issue_codes import CATALOGUE
from tools import rules_page


def test_the_page_is_that_of_the_catalogue():
    assert rules_page.PAGE.read_text(encoding="utf-8") == rules_page.page()


def test_every_code_has_a_row():
    text = rules_page.page()
    assert [code.value for code in CATALOGUE.values() if f"| {code.value} |" not in text] == []
    assert text.count("| derived |") == sum(code.is_derived for code in CATALOGUE.values())
