"""Gives every mesh a collider."""

from __future__ import annotations

import importlib
from typing import Any, cast

import bpy

from .. import jobs, printing
from .addons import JobError, start_addons
from .opening import check_gltf, open_any
from .writing import exported


def colliders(job: jobs.Colliders) -> jobs.Outcome:
    """Open, give every mesh a collider, export and report."""
    module = start_addons()
    check_gltf(job)
    open_any(job.source)
    made = with_colliders(module, job)
    options = (job.format, job.target, False, job.allow_errors)
    done = exported(module, jobs.Export(job.source, job.output, *options))
    fitted = sum(map(len, made.fitted.values()))
    numbers = ((fitted, "shape"), (len(made.fitted), "object"), (len(made.bodies), "new body"))
    shapes, objects, bodies = (printing.counted(*each) for each in numbers)
    lines = [f"{shapes} on {objects}, {bodies}"]
    lines += printing.first([f"skipped: {name}, {why}" for name, why in made.skipped.items()])
    return done._replace(
        lines=(*lines, *done.lines),
        report={
            **(done.report or {}),
            "fitted": [{"object": name, "shapes": kinds} for name, kinds in made.fitted.items()],
            "skipped": [{"object": name, "why": why} for name, why in made.skipped.items()],
            "newBodies": made.bodies,
        },
    )


def with_colliders(module: str, job: jobs.Colliders) -> Any:
    """What came of the meshes of the scene that is open.

    Raises:
        JobError: no mesh has such a name, or one cannot be cut into convex hulls.
    """
    authoring: Any = importlib.import_module(f"{module}.blender.authoring.mesh_colliders")
    plans: Any = importlib.import_module(f"{module}.blender.authoring.fit_destinations")
    depsgraph = cast("Any", bpy.context).evaluated_depsgraph_get()
    objects = cast("Any", bpy.context).scene.objects
    cutting: Any = importlib.import_module(f"{module}.blender.authoring.decomposition.cutting")
    sources_of: Any = importlib.import_module(f"{module}.blender.authoring.fit_sources")
    values = dict(job.plan)
    if "cuts" in values:
        values["cuts"] = sources_of.Cuts(*values["cuts"])
    plan, wish = plans.Plan(**values), authoring.Wish(**job.wish)
    try:
        made = authoring.add(depsgraph, objects, plan, wish)
    except cutting.CutError as problem:
        raise JobError(str(problem)) from problem
    if not made.fitted and not made.skipped:
        named = " with such a name" if wish.only else ""
        raise JobError(f"{job.source} has no mesh{named}")
    return made
