"""The commands on physics in files, and their exit codes.

For example:

    export scene.blend scene.glb
    export scene.blend scene.gltf --target godot4 --json
    convert omi.glb khr.glb --family khr
    simulate scene.blend --seconds 5 --out poses.json
    check scene.glb
    fix scene.glb mended.glb
    inspect scene.glb --html scene.html
    diff before.glb after.glb

Exit codes: 0 done, 1 failed, 2 the command or its input is wrong; `check` fails where it finds
errors.

The code from here to a command's work is readable by old Pythons, so that they get a message
that helps instead of a syntax error.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from . import check, convert, diff, export, fix, inspect_file, jobs, pythons, simulate
from .printing import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .pythons import Environments


def make_parser(environments: Environments | None) -> argparse.ArgumentParser:
    """The command line and its sub-commands."""
    parser = argparse.ArgumentParser(
        prog=None if environments else f"python -m {__package__}",
        description="Physics in glTF files, on the command line.",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    export.add_command(commands, environments)
    simulate.add_command(commands, environments)
    convert.add_command(commands)
    check.add_command(commands)
    fix.add_command(commands)
    inspect_file.add_command(commands)
    diff.add_command(commands)
    return parser


def main(arguments: Sequence[str] | None = None, environments: Environments | None = None) -> int:
    """Run from the command line; returns the exit code.

    Args:
        arguments: those of the program when left out.
        environments: further Pythons to do the work; an installed extension has none.
    """
    parsed = make_parser(environments).parse_args(arguments)
    try:
        return parsed.run(parsed, environments)
    except jobs.InputError as problem:
        say(f"error: {problem}")
        return jobs.BAD_INPUT
    except pythons.UnfitError as problem:
        return pythons.run_again(environments, str(problem))
    except ModuleNotFoundError as missing:
        # Only masses and old inertia tensors need it; most files do without.
        if missing.name != "numpy":
            raise
        return pythons.run_again(environments, "this file needs NumPy, which this Python lacks")
