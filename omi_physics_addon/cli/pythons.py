"""Which Python does the work: this one, or one that the project made for itself."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OLDEST_PYTHON = (3, 11)


class Environments(NamedTuple):
    """The Pythons with `bpy` that a clone of the project makes for itself.

    Attributes:
        names: the Blender releases they are for, "4.2".
        python: the Python for a release, made where it has to be; None is the newest that fits.
    """

    names: tuple[str, ...]
    python: Callable[[str | None], Path]


class UnfitError(Exception):
    """This Python cannot do the work; the message says what it lacks."""


def check_version() -> None:
    """Make sure that this Python can read the code that does the work.

    Raises:
        UnfitError: it is too old.
    """
    if sys.version_info[:2] < OLDEST_PYTHON:
        needed, here = (".".join(map(str, v)) for v in (OLDEST_PYTHON, sys.version_info[:2]))
        raise UnfitError(f"Python {needed} or newer is needed; this is Python {here}")


def run_again(environments: Environments) -> int:
    """Run this very command with a Python of the project; returns its exit code."""
    python = environments.python(None)
    return subprocess.run([str(python), *sys.argv]).returncode
