"""Wheels that are joined into one mesh: finds them by loose parts, and makes objects of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import bmesh
import numpy as np
from mathutils import Matrix, Vector

from ....geometry.arrays import Array
from ....geometry.fit.loose_parts import Labels, loose_parts
from ....geometry.fit.wheel_sets import Part, find_wheels
from ...base import compat, mesh_arrays
from ...base.hierarchy import Children
from ..fit_sources import MOST_PARTS
from .vehicle_parts import part_of

_REPEATING: Final = frozenset(
    {"ARRAY", "MIRROR", "NODES"}
)  # Modifiers that may show one part twice.


@dataclass(eq=False)
class Joined:
    """A mesh with wheels in it.

    Attributes:
        wheels: the vertices of each.
    """

    obj: Any
    wheels: list[Labels]


def find(objects: Iterable[Any], axes: Array) -> list[Joined]:
    """The meshes in which there is more than one wheel.

    Args:
        axes: (3, 3), those of the chassis in the world, as columns.
    """
    places: list[tuple[Any, Labels]] = []
    parts: list[Part] = []
    for obj in objects:
        if obj.type != "MESH" or any(each.type in _REPEATING for each in obj.modifiers):
            continue
        mesh = obj.data
        pieces = loose_parts(len(mesh.vertices), mesh_arrays.edges(mesh))
        if not 1 < len(pieces) <= MOST_PARTS:
            continue
        points = mesh_arrays.moved(mesh_arrays.points(mesh), obj.matrix_world)
        places += [(obj, piece) for piece in pieces]
        parts += [part_of(obj.name, points[piece], obj.matrix_world, axes) for piece in pieces]
    found = find_wheels(parts, axes)
    if found is None or len(found.wheels) < 2:
        return []
    joined: dict[Any, Joined] = {}
    for wheel in found.wheels:
        pieces_of: dict[Any, list[Labels]] = {}
        for i in wheel.parts:
            pieces_of.setdefault(places[i][0], []).append(places[i][1])
        for obj, own in pieces_of.items():
            joined.setdefault(obj, Joined(obj, [])).wheels.append(np.concatenate(own))
    return list(joined.values())


def separate(joined: Sequence[Joined], children: Children) -> list[Any]:
    """Give each wheel an object of its own, as Blender's Separate does; returns all of them.

    What is left stays where it is; where nothing is, the object becomes the first wheel.
    """
    wheels: list[Any] = []
    for each in joined:
        obj = each.obj
        owners = np.zeros(len(obj.data.vertices), dtype=np.int64)
        for number, vertices in enumerate(each.wheels, 1):
            owners[vertices] = number
        own = 0 if (owners == 0).any() else 1
        # Before the mesh of the object itself is changed.
        made = [_copied(obj) for _ in each.wheels[own:]]
        if obj.data.users > 1 or obj.data.library is not None:
            obj.data = obj.data.copy()
        for number, wheel in enumerate(made, own + 1):
            _keep(wheel, owners == number)
            _center(wheel)
        _keep(obj, owners == own)
        if own:
            made.insert(0, obj)
            if not children.get(obj):
                _center(obj)
        wheels += made
    return wheels


def _copied(obj: Any) -> Any:
    """A copy with a mesh of its own, without physics and animation."""
    copy = obj.copy()
    copy.data = obj.data.copy()
    if "wheel" not in obj.name.lower():
        for data in (copy, copy.data):
            compat.rename(data, f"{obj.name} Wheel")
    copy.property_unset("omi_physics")
    copy.animation_data_clear()
    for collection in obj.users_collection:
        collection.objects.link(copy)
    return copy


def _keep(obj: Any, kept: Array) -> None:
    """Take all other vertices out of the mesh of an object."""
    with mesh_arrays.edited(obj.data) as work:
        gone = [vert for vert, stays in zip(work.verts, kept.tolist(), strict=True) if not stays]
        bmesh.ops.delete(work, geom=gone, context="VERTS")
    obj.data.update()


def _center(obj: Any) -> None:
    """Put the origin into the middle of the mesh; modifiers may depend on where it is."""
    if obj.modifiers:
        return
    points = mesh_arrays.points(obj.data)
    middle = Vector(((points.min(axis=0) + points.max(axis=0)) / 2.0).tolist())
    obj.data.transform(Matrix.Translation(-middle), shape_keys=True)
    obj.matrix_world = obj.matrix_world @ Matrix.Translation(middle)
