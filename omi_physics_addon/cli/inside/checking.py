"""Checks the scenes of .blend files."""

from __future__ import annotations

import importlib
from typing import Any, cast

import bpy

from .. import check, jobs
from .addons import JobError, start_addons
from .opening import open_blend
from .writing import set_target


def check_scenes(job: jobs.Check) -> jobs.Outcome:
    """Check the scenes of each file; one that cannot be opened is told."""
    module = start_addons()
    scripting: Any = importlib.import_module(f"{module}.blender.scripting")
    told: list[dict[str, Any]] = []
    for source in job.sources:
        try:
            open_blend(source)
            if job.target != "specification":
                set_target(job.target)
            outcome = scenes_checked(scripting, strict=job.strict)
        except JobError as error:
            outcome = jobs.Outcome(exit_code=error.exit_code, error=str(error))
        told.append(outcome._asdict())
    return jobs.Outcome(report={"files": told})


def scenes_checked(scripting: Any, *, strict: bool) -> jobs.Outcome:
    """What is wrong with the scenes of the open file, each issue once."""
    families: dict[str, None] = {}
    issues: dict[Any, None] = {}
    for scene in cast("list[Any]", list(bpy.data.scenes)):
        report = scripting.check_scene(scene)
        if report.counts:
            written = scripting.groups.families_written(scene.omi_physics.export)
            families |= dict.fromkeys(written)
        issues |= dict.fromkeys(report.issues)
    return check.summary(tuple(families), list(issues), [], strict=strict)
