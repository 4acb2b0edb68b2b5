"""A glTF file as it was read, with what reads its meshes."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..codec.gltf import containers, limits
from ..codec.gltf.containers import Container
from .beside import Beside

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..codec.gltf.mesh_data import MeshData
    from ..geometry.mesh_solids import Triangles


class SourceError(Exception):
    """A file cannot be used; the message says which and why."""


@dataclass(frozen=True)
class Source:
    """A file and what is in it."""

    path: Path
    container: Container
    allow_outside: bool = False  # It may name files outside of its folder.

    @property
    def json(self) -> dict[str, Any]:
        """The parsed glTF."""
        return self.container.json

    @functools.cached_property
    def beside(self) -> Beside:
        """What reads the files that it names, and knows those that it must not read."""
        return Beside(self.path, allow_outside=self.allow_outside)

    @functools.cached_property
    def _meshes(self) -> MeshData:
        from ..codec.gltf import mesh_data

        return mesh_data.MeshData(self.json, self.buffer)

    @functools.cached_property
    def buffer(self) -> Callable[[int], bytes | None]:
        """What gives the buffers by their index."""
        from ..codec.gltf import mesh_data

        return mesh_data.buffers_of(self.container, self.beside.read)

    def triangles(self, mesh: int) -> Triangles | None:
        """The corners (n, 3) and triangles (m, 3) of a mesh; None where it cannot be read.

        Raises:
            SourceError: there are too many numbers in all meshes that were asked for.
        """
        try:
            return self._meshes.triangles(mesh)
        except limits.LimitError as problem:
            raise SourceError(f"{self.path}: {problem}") from problem


def read(path: Path, *, allow_outside: bool = False) -> Source:
    """Read a .glb or .gltf file.

    Numbers that JSON has no words for are read, so that checks can tell where they are.

    Args:
        allow_outside: it may name files outside of its folder.

    Raises:
        SourceError: there is no such file, or it is no glTF, or too large.
    """
    try:
        limits.check_size(path.stat().st_size)
        container = containers.read(path.read_bytes(), is_lenient=True)
        return Source(path, container, allow_outside)
    except limits.LimitError as problem:
        raise SourceError(f"{path}: {problem}") from problem
    except OSError as problem:
        raise SourceError(f"cannot read {path}: {problem.strerror}") from problem
    except containers.ContainerError as problem:
        hint = "; a .blend file is opened by Blender" if path.suffix == ".blend" else ""
        raise SourceError(f"{path}: {problem}{hint}") from problem
