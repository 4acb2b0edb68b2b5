"""The pages about commands show what these print."""

from __future__ import annotations

import pytest

from omi_physics_addon.cli import main as cli
from tools import command_pages

PAGES = {path.stem: path for path in command_pages.pages()}


@pytest.mark.parametrize("name", PAGES)
def test_output_is_that_of_today(name):
    text = PAGES[name].read_text(encoding="utf-8")
    assert command_pages.filled(text) == text


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_about_a_command(name, capsys):
    with pytest.raises(SystemExit) as end:
        cli.main([name, "--help"])
    assert end.value.code == 0
    assert PAGES[name].read_text(encoding="utf-8").startswith(f"# {name}\n")
    assert capsys.readouterr().out


def test_other_programs_are_not_run():
    with pytest.raises(ValueError, match="does not begin"):
        command_pages.printed("rm -r /")
