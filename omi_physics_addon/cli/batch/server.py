"""Does one file after the other: reads tasks as lines, answers with lines; see `serve.py`."""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from pathlib import Path
from typing import Any

from .. import check, colliders, convert, export, fix, import_file, jobs, simulate
from . import plan

MARK = "omi-batch: "  # What Blender says before the server is up does not begin so.
# Files after which garbage is looked for: what an export leaves refers to itself, and to much.
ROUND = 8


def parsed(command: str, source: str, output: str | None, options: list[str]) -> Any:
    """The arguments of a command."""
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    for module in (export, import_file, colliders, simulate):
        module.add_command(commands, None)
    for module in (convert, check, fix):
        module.add_command(commands)
    words = [command, *options]
    if command == "simulate":
        return parser.parse_args([*words, f"--out={output}", "--", source])
    paths = [source] if output is None else [source, output]
    return parser.parse_args([*words, "--", *paths])


def do(command: str, source: str, output: str | None, options: list[str]) -> jobs.Outcome:
    """Do one file."""
    arguments = parsed(command, source, output, options)
    if command in plan.WRITTEN:
        from ..inside import addons, fitting, playing, writing

        try:
            if command == "export":
                return writing.export(export.job_of(arguments))
            if command == "import":
                return writing.import_file(import_file.job_of(arguments))
            if command == "simulate":
                return playing.simulate(simulate.job_of(arguments))
            return fitting.colliders(colliders.job_of(arguments))
        except addons.JobError as error:
            return jobs.Outcome(exit_code=error.exit_code, error=str(error))
        except jobs.InputError as error:
            return jobs.not_done(str(error))
    command_of = {"convert": convert.convert, "check": check.check, "fix": fix.fix}
    return command_of[command](arguments)


def read_besides(source: str) -> list[str]:
    """The other files that the source needed, once Blender has done it."""
    from ..inside import opening

    return opening.files_besides(source)


def memory() -> int:
    """What this process holds, in bytes; on macOS the most that it ever held.

    0 on other systems than Linux, macOS and Windows.
    """
    system: str = sys.platform
    if system == "win32":
        return _memory_on_windows()
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if system == "darwin" else 0  # Other systems do not agree on the unit.
    return pages * os.sysconf("SC_PAGE_SIZE")


def _memory_on_windows() -> int:
    """The working set, bytes. Source: PROCESS_MEMORY_COUNTERS in Microsoft's psapi.h."""
    import ctypes

    libraries: Any = ctypes  # Which other systems lack.

    class Counters(ctypes.Structure):
        _fields_ = (
            ("cb", ctypes.c_uint32),
            ("page_faults", ctypes.c_uint32),
            ("peak_working_set", ctypes.c_size_t),
            ("working_set", ctypes.c_size_t),
            ("rest", ctypes.c_size_t * 6),
        )

    kernel = libraries.WinDLL("kernel32")
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    counters = Counters(cb=ctypes.sizeof(Counters))
    process = ctypes.c_void_p(kernel.GetCurrentProcess())
    done = kernel.K32GetProcessMemoryInfo(process, ctypes.byref(counters), counters.cb)
    return int(counters.working_set) if done else 0


def main() -> None:
    """Serve until there are no more lines, which is also when the run that started us died."""
    sys.stdout.flush()
    # Blender writes what it likes to standard output: it goes to the log from here.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        for number, line in enumerate(sys.stdin, 1):
            task = json.loads(line)
            outcome = do(**task)
            if number % ROUND == 0:
                gc.collect()
            answer = {
                "outcome": outcome._asdict(),
                "memory": memory(),
                "reads": read_besides(task["source"]) if task["command"] in plan.WRITTEN else [],
            }
            answers.write(f"{MARK}{json.dumps(answer)}\n")
            answers.flush()
