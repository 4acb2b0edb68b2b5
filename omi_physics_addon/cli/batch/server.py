"""A process that does one file after the other: reads tasks as lines, answers with lines.

From the command line:

    python server.py --
    blender --background --factory-startup --python server.py --
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

if not __package__:
    # As a script it is in no package, and finds its own beside those of other extensions.
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from omi_physics_addon.cli import check, convert, export, fix, jobs

MARK = "omi-batch: "  # What Blender says before the server is up does not begin so.


def parsed(command: str, source: str, output: str | None, options: list[str]) -> Any:
    """The arguments of a command."""
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    export.add_command(commands, None)
    for module in (convert, check, fix):
        module.add_command(commands)
    paths = [source] if output is None else [source, output]
    return parser.parse_args([command, *options, "--", *paths])


def do(command: str, source: str, output: str | None, options: list[str]) -> jobs.Outcome:
    """Do one file."""
    arguments = parsed(command, source, output, options)
    if command == "export":
        from omi_physics_addon.cli import worker

        try:
            return worker.export(export.job_of(arguments))
        except worker.JobError as error:
            return jobs.Outcome(exit_code=error.exit_code, error=str(error))
        except jobs.InputError as error:
            return jobs.Outcome(exit_code=jobs.BAD_INPUT, error=str(error))
    command_of = {"convert": convert.convert, "check": check.check, "fix": fix.fix}
    return command_of[command](arguments)


def memory() -> int:
    """What this process holds, in bytes; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Serve until there are no more lines, which is also when the run that started us died."""
    sys.stdout.flush()
    # Blender writes what it likes to standard output: it goes to the log from here.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        for line in sys.stdin:
            outcome = do(**json.loads(line))
            answer = {"outcome": outcome._asdict(), "memory": memory()}
            answers.write(f"{MARK}{json.dumps(answer)}\n")
            answers.flush()


if __name__ == "__main__":
    main()
