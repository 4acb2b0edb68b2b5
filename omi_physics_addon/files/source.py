"""A glTF file as it was read, with what reads its meshes."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..codec.gltf import containers
from ..codec.gltf.containers import Container

if TYPE_CHECKING:
    from ..codec.gltf.mesh_data import MeshData
    from ..geometry.mesh_solids import Triangles


class SourceError(Exception):
    """A file cannot be used; the message says which and why."""


@dataclass(frozen=True)
class Source:
    """A file and what is in it."""

    path: Path
    container: Container

    @property
    def json(self) -> dict[str, Any]:
        """The parsed glTF."""
        return self.container.json

    @functools.cached_property
    def _meshes(self) -> MeshData:
        from ..codec.gltf import mesh_data

        return mesh_data.of_file(self.container, self.path.parent)

    def triangles(self, mesh: int) -> Triangles | None:
        """The corners (n, 3) and triangles (m, 3) of a mesh; None where it cannot be read."""
        return self._meshes.triangles(mesh)


def read(path: Path) -> Source:
    """Read a .glb or .gltf file.

    Numbers that JSON has no words for are read, so that checks can tell where they are.

    Raises:
        SourceError: there is no such file, or it is no glTF.
    """
    try:
        return Source(path, containers.read(path.read_bytes(), is_lenient=True))
    except OSError as problem:
        raise SourceError(f"cannot read {path}: {problem.strerror}") from problem
    except containers.ContainerError as problem:
        hint = "; a .blend file is opened by Blender" if path.suffix == ".blend" else ""
        raise SourceError(f"{path}: {problem}{hint}") from problem
