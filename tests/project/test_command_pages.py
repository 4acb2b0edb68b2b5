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
    told = capsys.readouterr().out
    assert f"examples:\n  {name} " in told
    assert "Exit codes: 0 " in told


PYTHON = (command_pages.ROOT / "docs" / "command_line.md").read_text(encoding="utf-8")


def test_the_script_on_the_page_about_the_command_line_works(capsys):
    script = PYTHON.partition("```python\n")[2].partition("```")[0]
    with command_pages.playground():
        exec(compile(script, "command_line.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ERROR B05 /nodes/1")
    assert lines[-1] == "3 set right"


def test_the_page_about_the_command_line_names_every_command(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    told = capsys.readouterr().out.partition("COMMAND\n")[2].partition("\n\n")[0]
    commands = {line.split()[0] for line in told.splitlines() if line.startswith("    ")}
    commands -= {line.split()[0] for line in told.splitlines() if line.startswith("     ")}
    assert {name for name in commands if name not in PYTHON} == set()
    assert set(PAGES) <= commands


def test_other_programs_are_not_run():
    with pytest.raises(ValueError, match="does not begin"):
        command_pages.printed("rm -r /")
