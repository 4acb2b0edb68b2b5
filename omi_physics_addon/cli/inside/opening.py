"""Opens .blend files, and glTFs as new ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import bpy

from .. import jobs, side_paths, sources
from .addons import JobError, plain_message

if TYPE_CHECKING:
    from collections.abc import Callable


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
            path = os.path.normpath(bpy.path.abspath(data_block.library.filepath))
            lost.setdefault(path, []).append(data_block.name)
    for library in bpy.data.libraries:
        path = os.path.normpath(bpy.path.abspath(library.filepath))
        if not library.packed_file and not Path(path).is_file():
            lost.setdefault(path, [])
    if lost:
        parts = [
            f"{path} ({', '.join(sorted(names)[:5]) or 'all'})" for path, names in lost.items()
        ]
        raise JobError(f"{source} links to what is not there: {'; '.join(parts)}", jobs.BAD_INPUT)


def files_besides(source: str) -> list[str]:
    """The other files that a .blend file needs which is open: libraries, pictures, caches."""
    if os.path.abspath(cast("Any", bpy.data).filepath) != os.path.abspath(source):
        return []
    paths: list[str] = bpy.utils.blend_paths(absolute=True)
    return sorted({os.path.abspath(path) for path in paths})


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


def why_not_imported(error: Exception, source: str) -> str:
    """Why the host could not read a glTF."""
    message = plain_message(error)
    if not message.startswith("RecursionError"):
        return message
    from ...codec.gltf import containers, limits

    levels = limits.depth(containers.read(Path(source).read_bytes()).json)
    return f"its nodes are nested {levels} deep, which is more than Blender reads"
