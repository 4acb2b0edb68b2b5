"""Reads and writes files of robots by way of glTF."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import from_gltf, to_gltf, xml_source
from .table import FORMATS, SUFFIXES, FormatError, format_of

if TYPE_CHECKING:
    from ..codec.gltf.containers import Container
    from ..files.source import Source
    from ..issues import Issues
    from .writing import Files


def read(
    path: Path, issues: Issues, *, allow_outside: bool = False, is_text: bool = False
) -> Container:
    """The glTF that a file of a robot says, in the current form of OMI.

    Args:
        allow_outside: the file may name meshes outside of its folder.
        is_text: make a .gltf.

    Raises:
        FormatError: it cannot be read.
    """
    found = format_of(path)
    if found is not None and found.root:
        root = xml_source.read(path)
        # Both have been named .xml.
        found = next((each for each in FORMATS if each.root == root.tag), None)
        if found is None:
            names = " or ".join(f"<{each.root}>" for each in FORMATS if each.root)
            raise root.error(f"the root element is <{root.tag}>, and robots begin with {names}")
    if found is None:
        raise FormatError(f"{path}: the name must end in {' or '.join(SUFFIXES)}")
    robot = _module(found.reader).read(path, issues, allow_outside=allow_outside)
    return to_gltf.container_of(robot, issues, is_text=is_text)


def write(source: Source, output: Path, issues: Issues) -> tuple[bytes, Files]:
    """What a glTF is as a file of a robot, and the files beside it.

    Raises:
        FormatError: it cannot be written.
        SourceError: its meshes are too large.
    """
    found = format_of(output)
    if found is None:
        raise FormatError(f"{output}: the name must end in {' or '.join(SUFFIXES)}")
    robot = from_gltf.robot_of(source, output.stem, issues)
    if not robot.links:
        raise FormatError(f"{source.path}: there are no bodies in it to write")
    return _module(found.writer).write(robot, output, issues)


def _module(name: str) -> Any:
    return importlib.import_module(f".{name}", __package__)
