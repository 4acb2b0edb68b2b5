"""Actors that show a copy of the artist's mesh themselves, where it fills their shape.

That spares an object that follows, which would cost as much in each frame as the actor.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from mathutils import Matrix

from ....simulation.bullet.bullet_shapes import BulletShape
from ....simulation.bullet.proxies import Proxy
from ....simulation.state import Array
from ..stage import stage

# Of the places of corners, relative to the size of a shape.
_CORNER_TOLERANCE: Final = 1e-4
# Of the numbers of a matrix and of the identity: such a matrix moves nothing.
_IDENTITY_TOLERANCE: Final = 1e-6
# Of the numbers of two matrices, relative to the largest of them.
_MATRIX_TOLERANCE: Final = 1e-5
# Of scales along two axes, relative to the larger one; more is seen in smooth shading.
_SCALE_TOLERANCE: Final = 1e-2


class MeshReuse:
    """Gives actors of one preview copies of the artist's meshes to show."""

    def __init__(self) -> None:
        self._corners: dict[Any, Array] = {}
        self._moved: dict[Any, Any] = {}
        self._reusing: set[Any] = set()
        # Of an artist's mesh and a shape, by the way from one into the other, which is the same
        # for bodies that are alike but for the last digits.
        self._fitting: dict[Any, list[tuple[Array, Any]]] = {}
        self._smooth: dict[Any, bool] = {}

    def reuse(self, actor: Any, plan: Proxy, obj: Any, into: Array) -> bool:
        """Let an actor show a copy of a mesh; False where that would change how the actor collides.

        Bullet takes the sizes of primitives from the bounding box of the mesh, and those of hulls
        and meshes from all of it; those of compounds it does not.

        Args:
            into: (4, 4), from the object's space to the actor's.
        """
        if actor in self._reusing or not plan.parts:
            return False
        if obj.type != "MESH" or len(obj.modifiers) or obj.data.shape_keys is not None:
            return False
        if not len(obj.data.vertices):
            return False
        mesh = self._known(plan, obj.data, into)
        if mesh is None:
            return False
        actor.data = mesh
        self._reusing.add(actor)
        return True

    def _known(self, plan: Proxy, mesh: Any, into: Array) -> Any:
        """What `_fitted` returns, found once for bodies that are alike."""
        found = self._fitting.setdefault((mesh, plan), [])
        for way, fitted in found:
            if np.abs(way - into).max() < _MATRIX_TOLERANCE * np.abs(way).max():
                return fitted
        fitted = self._fitted(plan, mesh, into)
        found.append((into, fitted))
        return fitted

    def _fitted(self, plan: Proxy, mesh: Any, into: Array) -> Any:
        """The mesh in the axes of an actor; None where it does not fill the actor's shape."""
        if not plan.is_compound:
            (part,) = plan.parts
            found = self._points(mesh) @ into[:3, :3].T + into[:3, 3]
            if len(part.vertices) == 2:
                if not _fills(part, found):
                    return None
            elif not _is_same(part, found, mesh) or self._is_bent(plan, mesh):
                return None
        return self._mesh(mesh, into)

    def _is_bent(self, plan: Proxy, mesh: Any) -> bool:
        """Whether an uneven scale of the actor would change the smooth shading of the mesh."""
        if np.ptp(plan.scale) < _SCALE_TOLERANCE * plan.scale.max():
            return False
        if mesh not in self._smooth:
            smooth = np.empty(len(mesh.polygons), dtype=np.bool_)
            mesh.polygons.foreach_get("use_smooth", smooth)
            self._smooth[mesh] = bool(smooth.any())
        return self._smooth[mesh]

    def _points(self, mesh: Any) -> Array:
        found = self._corners.get(mesh)
        if found is None:
            flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
            mesh.vertices.foreach_get("co", flat)
            found = self._corners[mesh] = flat.reshape(-1, 3).astype(np.float64)
        return found

    def _mesh(self, mesh: Any, into: Array) -> Any:
        """A copy of the mesh in the axes of an actor.

        Never the artist's own: who removes that removes all objects that show it, and Blender
        crashes when it next looks at the constraints of bodies that are no more.
        """
        key = (mesh, into.astype(np.float32).round(6).tobytes())
        moved = self._moved.get(key)
        if moved is None:
            moved = self._moved[key] = mesh.copy()
            moved[stage.TAG] = True
            if np.abs(into - np.eye(4)).max() > _IDENTITY_TOLERANCE:
                moved.transform(Matrix(into.tolist()))
            if np.linalg.det(into) < 0.0:
                moved.flip_normals()
        return moved


def _fills(part: BulletShape, points: Array) -> bool:
    """Whether Bullet finds the sizes of a primitive in the bounding box of points (k, 3).

    Boxes have to fill it. Of what is round it takes the largest radius, so a ball of few faces may
    lie inside (rigidbody_validate_sim_shape in Blender's rigidbody.cc).
    """
    wanted = part.vertices
    ends = np.array([points.min(axis=0), points.max(axis=0)])
    least = _CORNER_TOLERANCE * np.abs(wanted).max()
    off = np.abs(ends - wanted)
    if part.kind == "BOX":
        return bool(off.max() <= least)
    beyond = (ends - wanted) * ((-1.0,), (1.0,))
    across = np.ptp(wanted, axis=0) - np.ptp(ends, axis=0)
    along = () if part.kind == "SPHERE" else off[:, 2]
    around = across if part.kind == "SPHERE" else across[:2]
    return bool(max(beyond.max(), *along, np.abs(around).min()) <= least)


def _is_same(part: BulletShape, points: Array, mesh: Any) -> bool:
    """Whether a hull or a mesh has the points (k, 3) of an artist's mesh, and its triangles."""
    if points.shape != part.vertices.shape:
        return False
    triangles = len(mesh.loops) - 2 * len(mesh.polygons)
    if part.triangles is not None and len(part.triangles) != triangles:
        return False
    least = _CORNER_TOLERANCE * np.abs(part.vertices).max()
    return bool(np.abs(points - part.vertices).max() <= least)
