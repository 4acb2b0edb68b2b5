"""Stand-ins that show the artist's mesh themselves, where it fills their shape.

That spares a copy that follows, which would cost as much in each frame as the stand-in.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from mathutils import Matrix

from ...simulation.proxies import Proxy
from ...simulation.state import Array
from . import stage

_SAME: Final = 1e-4  # Relative to the size: a difference of bounding boxes that does not count.
_STILL: Final = 1e-6  # Difference from no transformation at all that does not count.


class Dressing:
    """Dresses the stand-ins of one preview."""

    def __init__(self) -> None:
        self._corners: dict[Any, Array] = {}
        self._moved: dict[Any, Any] = {}
        self._dressed: set[Any] = set()
        self._fitting: dict[Any, Any] = {}

    def dress(self, actor: Any, plan: Proxy, obj: Any, into: Array) -> bool:
        """Show an object's mesh by a stand-in; says no where that would change its shape.

        Bullet takes the sizes of primitives from the bounding box of the mesh; those of compounds
        it does not.

        Args:
            into: (4, 4), from the object's space to the stand-in's.
        """
        if actor in self._dressed or not plan.parts:
            return False
        is_primitive = len(plan.parts) == 1 and len(plan.parts[0].vertices) == 2
        if not (is_primitive or plan.is_compound):
            return False
        if obj.type != "MESH" or len(obj.modifiers) or obj.data.shape_keys is not None:
            return False
        if not len(obj.data.vertices):
            return False
        key = (obj.data, plan, into.astype(np.float32).round(6).tobytes())
        if key not in self._fitting:
            self._fitting[key] = self._fitted(plan, obj.data, into)
        mesh = self._fitting[key]
        if mesh is None:
            return False
        actor.data = mesh
        self._dressed.add(actor)
        return True

    def _fitted(self, plan: Proxy, mesh: Any, into: Array) -> Any:
        """The mesh as a stand-in needs it; None where it does not fill the shape."""
        if not plan.is_compound:
            wanted = plan.parts[0].vertices
            found = self._points(mesh) @ into[:3, :3].T + into[:3, 3]
            ends = np.array([found.min(axis=0), found.max(axis=0)])
            if np.abs(ends - wanted).max() > _SAME * np.abs(wanted).max():
                return None
        return self._mesh(mesh, into)

    def _points(self, mesh: Any) -> Array:
        found = self._corners.get(mesh)
        if found is None:
            flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
            mesh.vertices.foreach_get("co", flat)
            found = self._corners[mesh] = flat.reshape(-1, 3).astype(np.float64)
        return found

    def _mesh(self, mesh: Any, into: Array) -> Any:
        """The mesh as a stand-in needs it, which is the artist's own where nothing moves it."""
        if np.abs(into - np.eye(4)).max() < _STILL:
            return mesh
        key = (mesh, into.astype(np.float32).round(6).tobytes())
        moved = self._moved.get(key)
        if moved is None:
            moved = self._moved[key] = mesh.copy()
            moved[stage.TAG] = True
            moved.transform(Matrix(into.tolist()))
            if np.linalg.det(into) < 0.0:
                moved.flip_normals()
        return moved
