"""Install the importer of physics into projects of engines that play scenes; needs no Blender."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...engines import PLAYERS
from .. import jobs, printing, pythons

if TYPE_CHECKING:
    from ..pythons import Environments


def add_commands(commands: Any) -> None:
    """Add a sub-command for each of these engines."""
    for player in PLAYERS.values():
        help_ = f"install the importer of physics into a project of {player.name}"
        examples = f"examples:\n  {player.example}\n"
        parser = printing.add_command(commands, player.word, run, help_, player.about, examples)
        folder = f"folder with {player.project}"
        parser.add_argument("source", metavar="PROJECT", type=Path, help=folder)
        printing.add_output_options(parser)


def run(arguments: argparse.Namespace, _environments: Environments | None) -> int:
    """Run one of them; returns the exit code."""
    pythons.check_version()
    try:
        place = PLAYERS[arguments.command].install_into(arguments.source)
    except (ValueError, OSError) as problem:
        raise jobs.InputError(str(problem)) from problem
    outcome = jobs.Outcome(lines=[f"{place}: the importer is installed and enabled"])
    printing.show(outcome, arguments, place)
    return outcome.exit_code
