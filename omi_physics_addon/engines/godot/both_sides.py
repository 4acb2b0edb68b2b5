"""Writes triangle meshes for engines that hold bodies only on the front of their triangles.

Seen in Godot 4.6 with Jolt and with GodotPhysics3D: bodies pass triangles from behind. Triangles of
both sides hold them as well as those of one, and what rolls over them goes the same way.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from ...codec.convert.draft import Draft
from ...codec.targets.round_shapes import shapes_of, use_shape
from ...codec.values.node_tree import scale_of
from ...model.document import NewMesh
from ...model.fields import MeshIndex
from ...model.shapes import Trimesh
from .codes import GodotCode

if TYPE_CHECKING:
    from ...geometry.mesh_solids import Triangles


def write(draft: Draft, name_of: Callable[[int], str]) -> None:
    """Give trimesh colliders that bodies can meet from behind meshes with both sides there.

    Closed meshes that look outward stay, but for mirrored ones, which GodotPhysics3D turns inside
    out. What cannot be read stays, and is told.

    Args:
        name_of: the name of a node, from which those of meshes are made.
    """
    if draft.read_mesh is None:
        return
    made: dict[tuple[int, bool], MeshIndex | None] = {}
    for node, part, shape in shapes_of(draft, ("collider",)):
        if not isinstance(shape.geometry, Trimesh) or shape.geometry.mesh is None:
            continue
        scale = scale_of(draft.world(node))
        key = (shape.geometry.mesh, scale is not None and min(scale) < 0.0)
        if key not in made:
            found = draft.read_mesh(key[0])
            if found is None:
                why = (
                    "the trimesh cannot be read, so faces that point inward are not known, "
                    "and Godot lets bodies through there"
                )
                draft.report(GodotCode.HOLDS_FRONT_ONLY, node, why)
            name = f"{shape.name or name_of(node)} Both Sides"
            new = None if found is None else _with_backs(name, found, is_mirrored=key[1])
            made[key] = None if new is None else draft.add_mesh(new)
        mesh = made[key]
        if mesh is not None:
            use_shape(draft, node, part, dataclasses.replace(shape, geometry=Trimesh(mesh=mesh)))


def _with_backs(name: str, mesh: Triangles, *, is_mirrored: bool) -> NewMesh | None:
    """A mesh with the backs of what bodies can meet from behind; None where there is no such."""
    import numpy as np

    from ...geometry.mesh_sides import look

    corners, triangles = mesh
    sides = look(corners, triangles)
    seen = sides.away | sides.open | is_mirrored
    if not seen.any():
        return None
    points, numbers = np.unique(corners, axis=0, return_inverse=True)
    whole = numbers.reshape(-1)[np.concatenate([triangles, triangles[seen][:, ::-1]])]
    rows: Any = (map(tuple, array.tolist()) for array in (points, whole))
    return NewMesh(name, *cast("tuple[Any, Any]", map(tuple, rows)))
