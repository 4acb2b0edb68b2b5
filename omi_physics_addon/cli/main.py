"""The commands on physics in files, and their exit codes.

For example:

    export scene.blend scene.glb
    export scene.blend scene.gltf --target godot4 --json
    import crate.glb crate.blend
    convert omi.glb khr.glb --family khr
    simulate scene.blend --seconds 5 --out poses.json
    expect door.glb --junit door.xml
    check scene.glb
    fix scene.glb mended.glb
    inspect scene.glb --html scene.html
    diff before.glb after.glb
    batch export scenes --into built
    colliders crate.glb solid.glb --fit box
    page crate.glb crate.html

How they end is in `jobs`. The code from here to a command's work is readable by old Pythons, so
that they get a message that helps instead of a syntax error.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from typing import TYPE_CHECKING

from ..engines import EXAMPLE, PLAYERS
from . import (
    check,
    colliders,
    convert,
    diff,
    expect,
    export,
    fix,
    import_file,
    inspect_file,
    jobs,
    printing,
    pythons,
    simulate,
)
from .batch import command as batch
from .pages import page
from .players import command as players

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from .pythons import Environments


_CONVERT = f"convert assets {EXAMPLE} --target {EXAMPLE}"
COMMANDS = (
    *("export", "import", "simulate", "expect", "convert"),
    *("check", "fix", "inspect", "diff", "batch", "colliders", "page", *PLAYERS),
)
EPILOG = f"""\
examples:
  check assets                              what is wrong with the files of a folder
  inspect crate.glb --html crate.html       what a file says, as a page
  export door.blend door.glb                by way of Blender
  {_CONVERT:<40}  every file of a folder
  COMMAND --help                            what a command takes, with examples

"""
TRACEBACK = "OMI_PHYSICS_TRACEBACK"  # A variable of the shell.


class UsageError(Exception):
    """The command line cannot be read; the message says why."""

    def __init__(self, parser: Parser, message: str) -> None:
        """Keep the parser, which knows how the command is used."""
        super().__init__(message)
        self.parser = parser


class Parser(argparse.ArgumentParser):
    """A parser that leaves it to the caller to tell what is wrong."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line.

        Raises:
            UsageError: always.
        """
        raise UsageError(self, message)

    def tell(self, message: str) -> NoReturn:
        """Print how the command is used and what is wrong, and end the program."""
        super().error(message)


def make_parser(environments: Environments | None, program: str | None = None) -> Parser:
    """The command line and its sub-commands."""
    is_module = sys.argv[0].endswith("__main__.py")
    parser = Parser(
        prog=program or (f"python -m {__package__}" if is_module else None),
        description="Physics in glTF files, on the command line.",
        epilog=EPILOG + jobs.EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    export.add_command(commands, environments)
    import_file.add_command(commands, environments)
    simulate.add_command(commands, environments)
    expect.add_command(commands, environments)
    convert.add_command(commands)
    check.add_command(commands, environments)
    fix.add_command(commands)
    inspect_file.add_command(commands, environments)
    diff.add_command(commands, environments)
    batch.add_command(commands, environments)
    colliders.add_command(commands, environments)
    page.add_command(commands, environments)
    players.add_commands(commands)
    for command in commands.choices.values():
        command.epilog = f"{command.epilog}\n{jobs.EXIT_CODES}"
    return parser


def in_blender(arguments: Sequence[str]) -> int:
    """Run as a command of Blender, which has its own way to end; returns the exit code."""
    try:
        return main(arguments, program="blender --command omi_physics")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else jobs.DONE


def main(
    arguments: Sequence[str] | None = None,
    environments: Environments | None = None,
    program: str | None = None,
) -> int:
    """Run from the command line; returns the exit code.

    Args:
        arguments: those of the program when left out.
        environments: further Pythons to do the work; an installed extension has none.
        program: what helps call the program; its own name when left out.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = make_parser(environments, program)
    try:
        parsed = parser.parse_args(words)
        if any(not word and words[i - 1 : i] != ["--options"] for i, word in enumerate(words)):
            # A variable of a shell that is not set; as a path it would be this folder.
            raise UsageError(parser, "an argument is empty")
    except UsageError as problem:
        if "--json" in words:
            fail(words, str(problem), jobs.BAD_INPUT, is_told=True)
        problem.parser.tell(str(problem))
    try:
        if batch.is_over_many(parsed):
            return batch.run_many(parsed, environments)
        return parsed.run(parsed, environments)
    except jobs.InputError as problem:
        outcome = jobs.not_done(str(problem))
        printing.show(outcome, parsed, getattr(parsed, "output", None))
        return jobs.BAD_INPUT
    except pythons.UnfitError as problem:
        return run_again(words, environments, str(problem))
    except MemoryError:
        return fail(words, f"there is not enough memory for {parsed.source}", jobs.BAD_INPUT)
    except ModuleNotFoundError as missing:
        # Only masses and old inertia tensors need it; most files do without.
        if missing.name != "numpy":
            raise
        why = "this file needs NumPy, which this Python lacks"
        return run_again(words, environments, why)
    except OSError as problem:
        return fail(words, no_access(problem), jobs.BAD_INPUT)
    except Exception as problem:  # noqa: BLE001 - a fault of ours, which is told and not hidden.
        return fail(words, fault(problem), jobs.BAD_INPUT)


def fault(problem: Exception) -> str:
    """What is told of an exception that nobody foresaw; prints where it was for who asks."""
    what = f"{type(problem).__name__}: {problem}"
    if os.environ.get(TRACEBACK):
        traceback.print_exc()
        return what
    return f"{what}; this is a fault of OMI Physics: set {TRACEBACK}=1 to see where, and report it"


def no_access(problem: OSError) -> str:
    """What is told of a file, a folder or a program that cannot be used."""
    if problem.filename is None:
        return problem.strerror or str(problem)
    return f"cannot use {problem.filename}: {problem.strerror}"


def run_again(words: Sequence[str], environments: Environments | None, lack: str) -> int:
    """Run this very command with a Python of the project; returns its exit code.

    Args:
        lack: what is told where there is none.
    """
    if environments is None:
        return fail(words, lack, jobs.BAD_INPUT)
    try:
        return pythons.run_again(environments)
    except jobs.InputError as problem:
        return fail(words, str(problem), jobs.BAD_INPUT)
    except OSError as problem:
        return fail(words, no_access(problem), jobs.BAD_INPUT)


def fail(words: Sequence[str], message: str, exit_code: int, *, is_told: bool = False) -> int:
    """Tell why a command line came to nothing; returns the exit code.

    Args:
        is_told: only programs are told; people are by somebody else.
    """
    if "--json" in words:
        command = next((word for word in words if word in COMMANDS), None)
        outcome = jobs.Outcome(exit_code=exit_code, error=message)
        printing.put_json(printing.as_json(outcome, command))
    if not is_told:
        printing.say(f"error: {message}")
    return exit_code
