"""The option that lets a glTF name files outside of its folder, and what is refused without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .jobs import InputError

if TYPE_CHECKING:
    import argparse
    from pathlib import Path


OPTION = "--allow-outside"


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets a file name files in other folders."""
    parser.add_argument(
        OPTION, action="store_true", help="read files outside of the folder of IN that it names"
    )


def check(json: dict[str, Any], source: Path, *, allow_outside: bool) -> None:
    """Make sure that Blender will read nothing but what is in the folder.

    Raises:
        InputError: the file names another one.
    """
    from ..codec.gltf.containers import side_files
    from ..files.beside import is_inside, path_of

    for uri in () if allow_outside else side_files(json):
        path = path_of(uri, source)
        if path is not None and not is_inside(path, source):
            why = f"{source} names {uri}, which is outside of its folder; {OPTION} reads it"
            raise InputError(why)


def lines(refused: list[str]) -> list[str]:
    """What was not read, for a person."""
    return [
        f"not read, as it is outside of the folder: {uri} ({OPTION} reads it)" for uri in refused
    ]
