"""What the meshes of shapes are made of, and their indices in a document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


def source_of(obj: Any, shape: Any) -> Any:
    """The mesh data or the object that the mesh of a shape of an object is made of.

    None where the artist has not chosen one.
    """
    if shape.mesh_source == "DATA":
        return shape.mesh
    return obj if shape.mesh_source == "OWN" else shape.mesh_object


def is_joined(shape: Any) -> bool:
    """Whether the meshes of what is below the source belong to it, too."""
    return shape.mesh_source == "OBJECT" and shape.use_children


class MeshIndices(Generic[T]):
    """Gives meshes their indices in a document, in the order in which shapes ask for them.

    Attributes:
        found: what is known of each mesh, by index.
    """

    def __init__(self) -> None:
        self.found: list[T] = []
        self._indices: dict[Any, int] = {}

    def index(self, key: Any, make: Callable[[], T]) -> int:
        """The index of the mesh that a key identifies; makes what is known of a new one."""
        at = self._indices.get(key)
        if at is None:
            at = self._indices[key] = len(self.found)
            self.found.append(make())
        return at
