"""Reads the glTF that a command is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .jobs import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from ..codec.gltf.containers import Container


def read(source: Path) -> Container:
    """The glTF in a file.

    Raises:
        InputError: there is no such file, it is no glTF, or too large.
    """
    from ..codec.gltf import containers, limits

    try:
        limits.check_size(source.stat().st_size)
        return containers.read(source.read_bytes())
    except OSError as problem:
        raise InputError(f"cannot read {source}: {problem.strerror}") from problem
    except (containers.ContainerError, limits.LimitError) as problem:
        raise InputError(f"{source}: {problem}") from problem
