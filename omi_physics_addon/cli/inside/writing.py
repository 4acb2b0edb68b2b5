"""Exports what is open, and saves what was imported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import bpy

from ...engines import WORDS
from .. import jobs, parts
from .addons import HOST, JobError, enabled_addons, latest_report, plain_message, start_addons
from .opening import check_gltf, open_any, open_blend

if TYPE_CHECKING:
    from collections.abc import Callable

FORMATS = {"glb": "GLB", "separate": "GLTF_SEPARATE", "embedded": "GLTF_EMBEDDED"}
OPTION = "Allow Errors in the options of the export"  # How messages call what lets errors pass.


def export_settings() -> list[Any]:
    """Those of all scenes and collections."""
    owners = [*bpy.data.scenes, *bpy.data.collections]
    return [cast("Any", owner).omi_physics.export for owner in owners if not owner.library]


def set_target(target: str | None) -> None:
    """Say for everything what the file is written for; None leaves it alone."""
    if target is not None:
        for settings in export_settings():
            settings.target = WORDS[target]


def allow_errors() -> None:
    """Let files be written whatever is wrong with the scenes."""
    for settings in export_settings():
        settings.write_anyway = True


def allow_embedded() -> None:
    """Unlock the format that the host hides behind a preference."""
    enabled_addons()[HOST].preferences.allow_embedded_format = True


def write_gltf(job: jobs.Export, collection: str = "") -> None:
    """Call the host's exporter, for what is open or one collection of it.

    Raises:
        JobError: it failed or gave up.
    """
    if job.format == "embedded":
        allow_embedded()
    export = cast("Callable[..., set[str]]", bpy.ops.export_scene.gltf)
    try:
        result = export(
            filepath=job.output,
            export_format=FORMATS[job.format],
            use_selection=job.selected and job.per == "file",
            use_active_scene=job.per != "file",
            collection=collection,
        )
    except RuntimeError as error:
        raise JobError(plain_message(error)) from error
    if "FINISHED" not in result:
        raise JobError("Blender gave up the export without saying why.")


def export(job: jobs.Export) -> jobs.Outcome:
    """Open, export and report.

    Raises:
        JobError: nothing was written, and not because of physics.
    """
    module = start_addons()
    open_blend(job.source)
    return exported(module, job)


def exported(module: str, job: jobs.Export) -> jobs.Outcome:
    """Export what is open, and report.

    Raises:
        JobError: nothing was written, and not because of physics.
    """
    set_target(job.target)
    if job.allow_errors:
        allow_errors()
    return written(job, module) if job.per == "file" else written_apart(job, module)


def written(job: jobs.Export, module: str, collection: str = "") -> jobs.Outcome:
    """Export what is open, or one collection of it, and report.

    Raises:
        JobError: nothing was written, and not because of physics.
    """
    try:
        write_gltf(job, collection)
    except JobError as error:
        report = latest_report(module)
        if report is None or not report.failed:
            raise
        why = str(error).replace(OPTION, "--allow-errors")
        return jobs.Outcome(exit_code=jobs.FAILED, error=why, report=report.to_json())
    report = latest_report(module)
    if report is None:
        raise JobError("The file was written without physics: the add-on was not asked.")
    return jobs.Outcome(
        exit_code=jobs.FAILED if report.failed else jobs.DONE,
        error="The physics was not written completely." if report.failed else "",
        lines=tuple(report.lines()),
        report=report.to_json(),
    )


def written_apart(job: jobs.Export, module: str) -> jobs.Outcome:
    """Export each part of the scene.

    Raises:
        JobError: nothing was written, and not because of physics.
    """
    scene: Any = cast("Any", bpy.context).scene
    output = Path(job.output)
    folder = output.with_suffix("")
    found = parts.parts_of(scene, job.per, selected=job.selected)
    if not found:
        raise JobError(f"There are no objects to write in the scene {scene.name}")
    folder.mkdir(exist_ok=True)
    done: list[tuple[parts.Part, jobs.Outcome]] = []
    with parts.alone(scene, bpy.data) as show:
        for part in found:
            show(part)
            path = folder / f"{part.file}{output.suffix}"
            one = written(job._replace(output=str(path)), module, part.collection)
            done.append((part, one))
    return parts.together(job.per, done)


def import_file(job: jobs.Import) -> jobs.Outcome:
    """Import into an empty file, save and report.

    Raises:
        JobError: nothing was written.
    """
    module = start_addons()
    check_gltf(job)
    open_any(job.source)
    report = latest_report(module, "IMPORT")
    try:
        bpy.ops.wm.save_as_mainfile(filepath=job.output, compress=True)
    except RuntimeError as error:
        raise JobError(f"Cannot write {job.output}: {plain_message(error)}") from error
    if report is None:
        return jobs.Outcome(lines=("no physics",), report={"counts": {}, "issues": []})
    return jobs.Outcome(
        exit_code=jobs.FAILED if report.failed else jobs.DONE,
        error="The physics was not read completely." if report.failed else "",
        lines=tuple(report.lines()),
        report=report.to_json(),
    )
