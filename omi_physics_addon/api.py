"""The functions that scripts may rely on: files everywhere, and scenes inside Blender.

Names in `__all__` stay, with what they take and give; docs/api.md shows them at work. Those for
files need no Blender. The others do: Blender itself, or its module `bpy`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .files.source import Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .blender.scripting import (
        add_bodies,
        add_colliders,
        add_joint,
        add_triggers,
        add_vehicle,
        check_scene,
        decompose,
        export_gltf,
        fit,
        import_gltf,
        simulate,
    )
    from .codec.dialects import Family
    from .files.checking import Checked
    from .files.differences import Differences
    from .files.fixing import Fixed
    from .issues import Issues
    from .model.document import PhysicsDocument

__all__ = [
    "Source",
    "SourceError",
    "add_bodies",
    "add_colliders",
    "add_joint",
    "add_triggers",
    "add_vehicle",
    "change",
    "check",
    "check_scene",
    "convert",
    "decompose",
    "diff",
    "document",
    "enable",
    "export_gltf",
    "fit",
    "fix",
    "import_gltf",
    "read",
    "simulate",
    "write",
]


def __getattr__(name: str) -> Any:
    """What works inside Blender, when it is asked for; all else is here.

    Raises:
        ImportError: there is no Blender here.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from .blender import scripting
    except ModuleNotFoundError as problem:
        if problem.name != "bpy":
            raise
        why = f"{name} needs Blender, or a Python with the module bpy"
        raise ImportError(why, name="bpy") from problem
    return getattr(scripting, name)


def read(path: str | Path, *, allow_outside: bool = False) -> Source:
    """Read a .glb or .gltf file.

    Args:
        allow_outside: it may name files outside of its folder.

    Raises:
        SourceError: there is no such file, it is no glTF, or too large.
    """
    from .files import source

    return source.read(Path(path), allow_outside=allow_outside)


def write(source: Source, path: str | Path) -> None:
    """Write a file, of the kind that was read; it is there as a whole, or as it was before.

    Raises:
        SourceError: it cannot be written, or the name is that of another kind of file.
    """
    from .cli import convert as names
    from .cli import jobs, staging
    from .codec.gltf import containers

    output = Path(path)
    try:
        names.check_kind(source.container, source.path, output)
        staging.write(output, containers.write(source.container, source.json))
    except (jobs.InputError, containers.ContainerError) as problem:
        raise SourceError(str(problem)) from problem
    except OSError as problem:
        raise SourceError(f"cannot write {path}: {problem.strerror}") from problem


def document(source: Source) -> PhysicsDocument:
    """What a file says about physics: bodies, shapes, joints and vehicles, by node."""
    from .codec import dialects
    from .issues import Issues

    return dialects.read(dialects.gltf_file(source.json), Issues())


def change(
    source: Source, revise: Callable[[PhysicsDocument], PhysicsDocument]
) -> tuple[Source, Issues]:
    """A file with another document, in the families that it has, and what is to be told of it.

    Args:
        revise: gets the document and gives the new one; it is called for each family.

    Raises:
        SourceError: the file cannot be written so.
    """
    return _rewritten(source, (), "SPECIFICATION", revise)


def check(source: Source, target: str = "SPECIFICATION") -> Checked:
    """Check a file; its `issues` have severity, code, JSON pointer and message.

    Args:
        target: SPECIFICATION, or one of `engines.TARGETS`, whose habits are told, too.
    """
    from .files import checking

    return checking.check(source, target)


def fix(source: Source, *, infos: bool = False, only: Iterable[str] = ()) -> Fixed:
    """Set a file right; the new one is the `source` of what comes back.

    Args:
        infos: set right what is merely worth knowing, too.
        only: codes that are set right; all unless given.
    """
    from .files import fixing

    return fixing.fix(source, infos=infos, only=only)


def convert(
    source: Source, *families: Family, target: str = "SPECIFICATION"
) -> tuple[Source, Issues]:
    """A file with its physics in other families, OMI or KHR or both, and what is lost.

    Args:
        families: what the file has, in today's form, unless given; an engine that reads none of
            these gets its own.
        target: the engine that it is written for, one of `engines.TARGETS`.

    Raises:
        SourceError: the file cannot be written so.
    """
    return _rewritten(source, families, target, None)


def diff(before: Source, after: Source, tolerance: float = 1e-5) -> Differences:
    """What two files mean differently: its `changes` are empty where they mean the same.

    Args:
        tolerance: by which numbers may differ, relative to the larger one.
    """
    from .files import differences

    return differences.compare(before, after, tolerance)


def enable() -> None:
    """Enable the add-on in a Python with the module `bpy`; Blender's preferences do it elsewhere.

    Raises:
        ImportError: there is no Blender here, or it is too old.
    """
    try:
        from .cli.inside import addons
    except ModuleNotFoundError as problem:
        if problem.name != "bpy":
            raise
        why = "enable needs Blender, or a Python with the module bpy"
        raise ImportError(why, name="bpy") from problem
    try:
        addons.start_addons()
    except addons.JobError as problem:
        raise ImportError(str(problem)) from problem


def _rewritten(
    source: Source,
    families: tuple[Family, ...],
    target: str,
    revise: Callable[[PhysicsDocument], PhysicsDocument] | None,
) -> tuple[Source, Issues]:
    import dataclasses

    from .cli.convert import measure_of, meshes_of
    from .codec.dialects import WriteOptions
    from .codec.gltf import containers, limits, rewriting
    from .engines import engine_of
    from .issues import Issues

    issues = Issues()
    try:
        converted = rewriting.change(
            source.json,
            issues,
            WriteOptions(target=engine_of(target)),
            families,
            measure_of(source.container, source.beside),
            None if revise is None else lambda found, _tree, _meshes: revise(found),
            meshes_of(source.container, source.beside),
        )
    except (containers.ContainerError, limits.LimitError) as problem:
        raise SourceError(f"{source.path}: {problem}") from problem
    container = dataclasses.replace(source.container, json=converted.json)
    return dataclasses.replace(source, container=container), issues
