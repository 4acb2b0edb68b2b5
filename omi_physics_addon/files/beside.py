"""The files that a glTF names beside itself, which stay in its folder unless it is allowed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from pathlib import Path


def path_of(uri: str, source: Path) -> Path | None:
    """The file that an address in a glTF means; None for none that there can be here."""
    name = unquote(uri)
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return None
    return None if is_on_net(uri) or "\0" in name else source.parent / name


def is_on_net(uri: str) -> bool:
    """Whether an address means something on another machine."""
    return "://" in uri


def is_inside(path: Path, source: Path) -> bool:
    """Whether a path stays in the folder of a file, also where symbolic links lead."""
    try:
        return path.resolve().is_relative_to(source.absolute().parent.resolve())
    except (OSError, RuntimeError, ValueError):  # Too long, links in a circle, or no name at all.
        return False


def is_there(path: Path) -> bool:
    """Whether there is such a file; not where its name is none that files have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


class Beside:
    """Reads the files that a glTF names, and remembers those that it must not read."""

    def __init__(self, source: Path, *, allow_outside: bool) -> None:
        self._source, self._allowed = source, allow_outside
        self.refused: list[str] = []

    def read(self, uri: str) -> bytes | None:
        """The content of a file; None for one that cannot or must not be read."""
        path = path_of(uri, self._source)
        if path is None:
            return None
        if not self._allowed and not is_inside(path, self._source):
            if uri not in self.refused:
                self.refused.append(uri)
            return None
        return path.read_bytes() if is_there(path) else None
