"""The worker of the command line: does one job inside Blender, or with the `bpy` module.

From the command line:

    python worker.py -- JOB.json OUTCOME.json
    blender --background --factory-startup --python worker.py -- JOB.json OUTCOME.json
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

if not __package__:
    # As a script it is in no package, and finds its own beside those of other extensions.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import bpy

from omi_physics_addon.cli import check, jobs, parts, printing, side_paths, sources

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ADDON = "omi_physics_addon"
HOST = "io_scene_gltf2"
OLDEST_BLENDER = (4, 2, 0)
FORMATS = {"glb": "GLB", "separate": "GLTF_SEPARATE", "embedded": "GLTF_EMBEDDED"}
OPTION = "Write Anyway in the options of the export"  # How messages call what lets errors pass.
TARGETS = {"specification": "SPECIFICATION", "godot4": "GODOT_4", "babylon": "BABYLON"}


class JobError(Exception):
    """A job cannot be done; the message is for the user."""

    def __init__(self, message: str, exit_code: int = jobs.FAILED) -> None:
        """Keep the exit code beside the message."""
        super().__init__(message)
        self.exit_code = exit_code


class Report(Protocol):
    """What the add-on remembers of an export."""

    failed: bool

    def lines(self) -> list[str]:
        """The summary for a person."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The summary for a program."""
        ...


def plain_message(error: Exception) -> str:
    """What an operator's error says, without Blender's prefix and without a traceback."""
    text = str(error).strip().removeprefix("Error: ")
    if "Traceback (most recent call last):" not in text:
        return text
    # Blender adds where the operator was called; the last frame is the last indented line.
    lines = text.partition("\nLocation:")[0].splitlines()
    frames = [number for number, line in enumerate(lines) if line.startswith("  ")]
    return "\n".join(lines[frames[-1] + 1 :] if frames else lines[-1:])


def enabled_addons() -> Any:
    """The add-ons that the preferences hold, by module name; the stubs do not know them."""
    return cast("Any", bpy.context).preferences.addons


def enable(module: str) -> None:
    """Start an add-on, so that the host looks for its hooks.

    Raises:
        JobError: the add-on does not start.
    """
    # The bpy module brings addon_utils along; before it there is none to import.
    import addon_utils

    problems: list[Exception] = []
    check = cast("Callable[[str], tuple[bool, bool]]", addon_utils.check)
    if all(check(module)):
        return
    # The host asks the preferences which add-ons have hooks, hence default_set.
    addon_utils.enable(module, default_set=True, handle_error=problems.append)
    if problems:
        error = problems[0]
        raise JobError(f"{module} does not start: {type(error).__name__}: {error}") from error


def installed_addon() -> str | None:
    """The module name of our extension when this Blender has it enabled already."""
    for name in cast("list[str]", enabled_addons().keys()):
        if name.rpartition(".")[2] == ADDON and name in sys.modules:
            return name
    return None


def start_addons() -> str:
    """Start the host and our add-on; returns the module name of ours."""
    if bpy.app.version < OLDEST_BLENDER:
        raise JobError(f"Blender {bpy.app.version_string} is too old; 4.2 is the oldest.")
    enable(HOST)
    module = installed_addon()
    if module is None:
        enable(ADDON)
        module = ADDON
    return module


def open_blend(source: str) -> None:
    """Open a .blend file without running the scripts in it.

    Raises:
        JobError: Blender cannot read it.
    """
    if not Path(source).is_file():
        raise JobError(f"There is no file {source}", jobs.BAD_INPUT)
    try:
        bpy.ops.wm.open_mainfile(filepath=source, use_scripts=False)
    except RuntimeError as error:
        raise JobError(f"Cannot open {source}: {plain_message(error)}", jobs.BAD_INPUT) from error
    check_libraries(source)


def check_libraries(source: str) -> None:
    """Make sure that all that a .blend file links to is there.

    Raises:
        JobError: it is not, so that physics would be lost without a word.
    """
    lost: dict[str, list[str]] = {}
    for data_block in cast("Any", bpy.data).user_map():
        if data_block.is_missing and data_block.library is not None:
            path = str(bpy.path.abspath(data_block.library.filepath))
            lost.setdefault(path, []).append(data_block.name)
    for library in bpy.data.libraries:
        path = bpy.path.abspath(library.filepath)
        if not library.packed_file and not Path(path).is_file():
            lost.setdefault(path, [])
    if lost:
        parts = [
            f"{path} ({', '.join(sorted(names)[:5]) or 'all'})" for path, names in lost.items()
        ]
        raise JobError(f"{source} links to what is not there: {'; '.join(parts)}", jobs.BAD_INPUT)


def export_settings() -> list[Any]:
    """Those of all scenes and collections."""
    owners = [*bpy.data.scenes, *bpy.data.collections]
    return [cast("Any", owner).omi_physics.export for owner in owners if not owner.library]


def set_target(target: str | None) -> None:
    """Say for everything what the file is written for; None leaves it alone."""
    if target is not None:
        for settings in export_settings():
            settings.target = TARGETS[target]


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


def latest_report(module: str, kind: str = "EXPORT") -> Report | None:
    """What our add-on remembers of what just ended; None where it took no part.

    Args:
        kind: EXPORT or IMPORT.
    """
    reports: Any = importlib.import_module(f"{module}.blender.base.reports")
    report: Report | None = reports.latest(kind)
    return report


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


def open_any(source: str) -> None:
    """Open a .blend file, or import a glTF into an empty one.

    Raises:
        JobError: Blender cannot read it.
    """
    if Path(source).suffix.lower() == ".blend":
        open_blend(source)
        return
    if not Path(source).is_file():
        raise JobError(f"There is no file {source}", jobs.BAD_INPUT)
    # Nothing of the start-up file is to be played along, and add-ons stay enabled.
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    read = cast("Callable[..., set[str]]", bpy.ops.import_scene.gltf)
    try:
        read(filepath=source)
    except RuntimeError as error:
        message = f"Cannot import {source}: {why_not_imported(error, source)}"
        raise JobError(message, jobs.BAD_INPUT) from error
    # The start of glTF's animations is frame 0, and Blender's files begin at frame 1.
    cast("Any", bpy.context).scene.frame_set(0)


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


def check_gltf(job: jobs.Import | jobs.Simulate | jobs.Colliders) -> None:
    """Make sure that a glTF is one, and names no file that it must not.

    Raises:
        JobError: it is none, or does.
    """
    source = Path(job.source)
    if source.suffix.lower() == ".blend":
        return
    try:
        json = sources.read(source).json
        side_paths.check(json, source, allow_outside=job.allow_outside)
    except jobs.InputError as problem:
        raise JobError(f"Cannot import {problem}", jobs.BAD_INPUT) from problem


def why_not_imported(error: Exception, source: str) -> str:
    """Why the host could not read a glTF."""
    message = plain_message(error)
    if not message.startswith("RecursionError"):
        return message
    from omi_physics_addon.codec.gltf import containers, limits

    levels = limits.depth(containers.read(Path(source).read_bytes()).json)
    return f"its nodes are nested {levels} deep, which is more than Blender reads"


def recorded(module: str, job: jobs.Simulate) -> tuple[Any, Any]:
    """The recorder of a preview that has run, and what the preview does not do exactly.

    Raises:
        JobError: there is nothing to play, or it failed.
    """
    limits: Any = importlib.import_module(f"{module}.blender.preview.limitations")
    recorder: Any = importlib.import_module(f"{module}.blender.preview.recorder")
    scene: Any = cast("Any", bpy.context).scene
    options = recorder.options(job.fps, job.substeps, job.seconds)
    try:
        found = limits.of_scene(scene, options)
        return recorder.record(scene, options, job.seconds), found
    except (ValueError, RuntimeError) as error:
        raise JobError(plain_message(error)) from error


def summary(recorder: Any, found: Any) -> tuple[list[str], dict[str, Any]]:
    """What was simulated, for a person and for a program."""
    recording = recorder.recording
    passages = recorder.passages()
    lines = [
        f"{len(recording.names)} bodies, {len(recording)} frames, "
        f"{recording.times[-1]:g} s, {len(passages)} trigger events"
    ]
    passed = recorder.passed_by()
    lines += [f"passed: {one.body} through {one.through}, {one.time:.3f} s" for one in passed]
    lines += [f"not exact: {limit.text} ({', '.join(limit.objects)})" for limit in found]
    report = {
        "bodies": len(recording.names),
        "frames": len(recording),
        "seconds": recording.times[-1],
        "events": len(passages),
        "passedThrough": [
            {"time": one.time, "body": one.body, "through": one.through} for one in passed
        ],
        "notExact": [{"text": limit.text, "objects": list(limit.objects)} for limit in found],
    }
    return lines, report


def simulate(job: jobs.Simulate) -> jobs.Outcome:
    """Open, play, record and report."""
    module = start_addons()
    check_gltf(job)
    open_any(job.source)
    recorder, found = recorded(module, job)
    files: Any = importlib.import_module(f"{module}.blender.preview.recorder")
    try:
        files.write(Path(job.output), recorder, found)
    except OSError as error:
        raise JobError(f"Cannot write {job.output}: {error.strerror}") from error
    lines, report = summary(recorder, found)
    return jobs.Outcome(lines=tuple(lines), report=report)


def expect(job: jobs.Expect) -> jobs.Outcome:
    """Play each file, and report which expectations it kept; one that cannot be played is told."""
    module = start_addons()
    played: list[dict[str, Any]] = []
    for source, file in job.files:
        found: dict[str, Any] = {"source": source, "expectations": file, "error": ""}
        try:
            found |= kept(module, jobs.Simulate(source, "", 0.0, 0, 0, job.allow_outside), file)
        except JobError as error:
            found |= {"error": str(error), "seconds": 0.0, "verdicts": []}
        played.append(found)
    return jobs.Outcome(report={"played": played})


def kept(module: str, job: jobs.Simulate, file: str) -> dict[str, Any]:
    """Which expectations a file kept.

    Raises:
        JobError: it cannot be played, or they cannot be read.
    """
    check_gltf(job)
    open_any(job.source)
    filming: Any = importlib.import_module(f"{module}.blender.preview.filming")
    scene: Any = cast("Any", bpy.context).scene
    try:
        return filming.expect(scene, Path(job.source), file, allow_outside=job.allow_outside)
    except (ValueError, RuntimeError) as error:
        raise JobError(plain_message(error)) from error
    except OSError as error:
        raise JobError(f"cannot read {file}: {error.strerror}") from error


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


# How each kind of job is done.
TASKS: dict[type, Callable[[Any], jobs.Outcome]] = {
    jobs.Export: export,
    jobs.Import: import_file,
    jobs.Simulate: simulate,
    jobs.Expect: expect,
    jobs.Colliders: colliders,
    jobs.Check: check_scenes,
}


def main(
    arguments: Sequence[str], tasks: Mapping[type, Callable[[Any], jobs.Outcome]] = TASKS
) -> None:
    """Do the job in the first file and leave its outcome in the second."""
    job_path, outcome_path = arguments[arguments.index("--") + 1 :]
    job = jobs.read_job(Path(job_path), tasks)
    try:
        outcome = tasks[type(job)](job)
    except JobError as error:
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
