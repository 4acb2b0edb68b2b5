"""The worker of the command line: does one job inside Blender, or with the `bpy` module.

From the command line:

    python worker.py -- JOB.json OUTCOME.json
    blender --background --factory-startup --python worker.py -- JOB.json OUTCOME.json
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if not __package__:
    # As a script it is in no package, and finds its own beside those of other extensions.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import bpy

from omi_physics_addon.cli import jobs
from omi_physics_addon.cli.inside import addons, checking, fitting, playing, writing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# How each kind of job is done.
TASKS: dict[type, Callable[[Any], jobs.Outcome]] = {
    jobs.Export: writing.export,
    jobs.Import: writing.import_file,
    jobs.Simulate: playing.simulate,
    jobs.Expect: playing.expect,
    jobs.Colliders: fitting.colliders,
    jobs.Check: checking.check_scenes,
}


def main(
    arguments: Sequence[str], tasks: Mapping[type, Callable[[Any], jobs.Outcome]] = TASKS
) -> None:
    """Do the job in the first file and leave its outcome in the second."""
    job_path, outcome_path = arguments[arguments.index("--") + 1 :]
    job = jobs.read_job(Path(job_path), tasks)
    try:
        outcome = tasks[type(job)](job)
    except addons.JobError as error:
        outcome = jobs.Outcome(exit_code=error.exit_code, error=str(error))
    jobs.write_outcome(Path(outcome_path), outcome)


def leave() -> None:
    """End at once: Blender may crash (4.2) or wait without end (4.5) while it tidies up."""
    shutil.rmtree(bpy.app.tempdir, ignore_errors=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv)
    leave()
