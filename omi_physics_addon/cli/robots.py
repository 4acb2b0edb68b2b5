"""What `convert` does with files of robots: reads them as glTF, and writes them from it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..engines import WORDS
from ..formats.table import SUFFIXES, FormatError, format_of
from . import jobs, printing, side_paths, staging
from .jobs import InputError

if TYPE_CHECKING:
    import argparse

    from ..codec.gltf.containers import Container
    from ..issues import Issues

__all__ = ["SUFFIXES", "is_robot", "read", "write"]


def is_robot(path: Path) -> bool:
    """Whether the name of a file is that of a robot."""
    return format_of(path) is not None


def read(arguments: argparse.Namespace, issues: Issues) -> Container:
    """The glTF that a file of a robot says.

    Raises:
        InputError: it cannot be read.
    """
    from ..formats import files

    is_text = Path(arguments.output).suffix.lower() == ".gltf"
    try:
        return files.read(
            Path(arguments.source), issues, allow_outside=arguments.allow_outside, is_text=is_text
        )
    except FormatError as problem:
        raise InputError(str(problem)) from problem


def write(arguments: argparse.Namespace, container: Container, issues: Issues) -> jobs.Outcome:
    """Write a glTF as a file of a robot, and the meshes beside it; returns what is told.

    Raises:
        InputError: it cannot be written, or there is an option that is for glTF.
    """
    from ..files.source import Source, SourceError
    from ..formats import files
    from ..issue_codes import Severity
    from ..issues import lines_of

    output = Path(arguments.output)
    _check_options(arguments)
    source = Source(Path(arguments.source), container, arguments.allow_outside)
    try:
        content, beside = files.write(source, output, issues)
    except (FormatError, SourceError) as problem:
        raise InputError(str(problem)) from problem
    with staging.Staging(output) as place:
        for name, mesh in beside.items():
            path = place.path.parent / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(mesh)
        place.path.write_bytes(content)
        place.put()
    found = format_of(output)
    lines = [
        f"{found.name if found else ''}: {printing.counted(len(beside), 'mesh file')} beside it"
    ]
    lines += side_paths.lines(source.beside.refused)
    lines += lines_of(issues)
    report = {
        "sideFiles": sorted(beside),
        "notRead": source.beside.refused,
        "issues": [issue.to_json() for issue in issues],
    }
    failed = issues.count(Severity.ERROR) > 0
    exit_code = jobs.FAILED if failed else jobs.DONE
    return jobs.Outcome(exit_code, lines=tuple(lines), report=report)


def _check_options(arguments: argparse.Namespace) -> None:
    """Refuse what only glTF has.

    Raises:
        InputError: there is such an option.
    """
    given = {
        "--family": arguments.family is not None,
        "--target": WORDS[arguments.target] != WORDS["specification"],
        "--geometry": arguments.geometry != "mesh",
        "--repair": arguments.repair,
        "--old-vehicle-names": arguments.old_vehicle_names,
    }
    for option, is_given in given.items():
        if is_given:
            raise InputError(f"{option} is for glTF, and {arguments.output} is none")
