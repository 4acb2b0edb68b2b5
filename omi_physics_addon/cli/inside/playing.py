"""Plays what is open, and records or judges it."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, cast

import bpy

from .. import jobs
from .addons import JobError, plain_message, start_addons
from .opening import check_gltf, open_any


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
        raise JobError(plain_message(error), jobs.FAILED) from error


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
