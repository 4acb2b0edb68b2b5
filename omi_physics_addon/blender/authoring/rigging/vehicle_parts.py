"""Finds the parts of a vehicle around its chassis, and what they tell of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....geometry.arrays import Array
from ....geometry.fit.round_parts import round_part
from ....geometry.fit.wheel_sets import FoundWheel, Part, WheelSet, find_wheels
from ...base import groups
from ...base.groups import can_change
from ...base.hierarchy import Children, ancestors, is_no_body, top, with_below
from ...base.mesh_arrays import MESHLIKE, evaluated_points, moved
from .vehicle_kinds import Hull

_NEAR: Final = 0.25  # Distance from the box of the chassis, of its largest size.
_ON_IT: Final = 0.1  # The same of what hangs on the vehicle.
_FEW: Final = 2  # Wheels that are enough not to look for more elsewhere.
_SNAP: Final = 0.035  # Turn between vehicle and chassis that counts as none, rad.


@dataclass(eq=False)
class Parts:
    """The chassis of a vehicle, and what may belong to it.

    Attributes:
        chassis: the object that was chosen.
        solids: the objects that show the chassis.
        objects: those that may be wheels or other parts, in the order of `wheels`.
        wheels: what was found among them; None for nothing.
        axes: (3, 3), those of the chassis in the world, as columns.
    """

    chassis: Any
    axes: Array
    solids: list[Any] = field(default_factory=list[Any])
    objects: list[Any] = field(default_factory=list[Any])
    wheels: WheelSet | None = None
    clouds: dict[Any, Array] = field(default_factory=dict[Any, Array])

    @property
    def found(self) -> Sequence[FoundWheel]:
        """The wheels, as far as any were found."""
        return () if self.wheels is None else self.wheels.wheels

    @property
    def rolling(self) -> list[int]:
        """The numbers of the objects that wheels are made of."""
        return [i for wheel in self.found for i in wheel.parts]

    def hull(self, place: Matrix) -> Hull:
        """The box around chassis and wheels, in the axes of a place in the world."""
        turned = {*self.solids, *(self.objects[wheel.tire] for wheel in self.found)}
        found = [self.clouds[obj] for obj in turned if obj in self.clouds]
        if not found:
            return Hull(Vector((-0.5, -0.5, -0.5)), Vector((0.5, 0.5, 0.5)))
        turn = np.array(place.to_quaternion().to_matrix())
        rows = (np.concatenate(found) - np.array(place.translation)) @ turn
        return Hull(Vector(rows.min(axis=0).tolist()), Vector(rows.max(axis=0).tolist()))

    def riders(self) -> list[Any]:
        """The objects that are no wheels, stand free inside of the vehicle, and ride with it."""
        inner = set(self.rolling)
        shown = [*self.solids, *(self.objects[i] for i in inner)]
        box = _box(self.clouds[obj] for obj in shown if obj in self.clouds)
        if box is None:
            return []
        low, high = box
        more = _ON_IT * float((high - low).max())
        low, high = low - more, high + more
        known = {self.chassis, *ancestors(self.chassis), *self.solids}
        found: list[Any] = []
        for i, obj in enumerate(self.objects):
            if i in inner or obj in known or not known.isdisjoint(ancestors(obj)):
                continue
            cloud = self.clouds[obj]
            middle = (cloud.min(axis=0) + cloud.max(axis=0)) / 2.0
            is_small = bool((np.ptp(cloud, axis=0) <= high - low).all())
            if obj.parent is None and is_small and bool(((low <= middle) & (middle <= high)).all()):
                found.append(obj)
        return found


def find_parts(
    chassis: Any,
    view_layer: Any,
    children: Children,
    depsgraph: bpy.types.Depsgraph,
    given: Sequence[Any] = (),
) -> Parts:
    """The parts of a vehicle: below its chassis, else below what is above it, else around it.

    Args:
        given: the only objects that may be wheels; empty for a search.
    """
    axes = np.array(chassis.matrix_world.to_quaternion().to_matrix(), dtype=np.float64)
    parts = Parts(chassis, axes)
    seen = {obj for obj in view_layer.objects if obj.visible_get(view_layer=view_layer)}
    below = _below(chassis, children)
    root = top(chassis)
    reach: tuple[Array, Array] | None = None
    found = (lambda: below, lambda: _below(root, children), lambda: seen)
    for pool in (lambda: given,) if given else found:
        meshes = _meshes(pool, chassis, seen)
        if reach is not None:
            meshes = [obj for obj in meshes if obj in below or _is_near(obj, reach)]
        _analyze(parts, meshes, depsgraph)
        if len(parts.found) >= _FEW:
            break
        if reach is None:
            reach = _reach(parts, below, depsgraph)
            if reach is None:
                break
    rolling = {parts.objects[i] for i in parts.rolling}
    parts.solids = [obj for obj in (chassis, *below) if obj in seen and obj.type in MESHLIKE]
    parts.solids = [obj for obj in parts.solids if obj not in rolling]
    _learn(parts, parts.solids, depsgraph)
    return parts


def _below(obj: Any, children: Children) -> dict[Any, None]:
    """All that is below an object, bodies and what is below them left out."""
    return dict.fromkeys(part for part in with_below(obj, children, is_no_body) if part != obj)


def _meshes(pool: Callable[[], Iterable[Any]], chassis: Any, seen: set[Any]) -> list[Any]:
    """The objects of a pool that may be wheels."""
    above = set(ancestors(chassis))
    return [
        obj
        for obj in pool()
        if obj.type in MESHLIKE
        and obj in seen
        and obj != chassis
        and obj not in above
        and not groups.read(obj).use_motion
        and can_change(obj)
    ]


def _learn(parts: Parts, objects: Iterable[Any], depsgraph: bpy.types.Depsgraph) -> None:
    """Read the vertices of objects, in the world, once."""
    for obj in objects:
        if obj not in parts.clouds:
            points = evaluated_points(obj, depsgraph)
            if len(points):
                parts.clouds[obj] = moved(points, obj.matrix_world)


def _analyze(parts: Parts, meshes: Sequence[Any], depsgraph: bpy.types.Depsgraph) -> None:
    _learn(parts, meshes, depsgraph)
    parts.objects = [obj for obj in meshes if obj in parts.clouds]
    parts.wheels = find_wheels([_part(obj, parts) for obj in parts.objects], parts.axes)


def _part(obj: Any, parts: Parts) -> Part:
    outer = {parts.chassis, *ancestors(parts.chassis)}
    names = [obj.name, *(above.name for above in ancestors(obj) if above not in outer)]
    return part_of(" ".join(names), parts.clouds[obj], obj.matrix_world, parts.axes)


def part_of(name: str, cloud: Array, place: Matrix, axes: Array) -> Part:
    """What points may be: a wheel, a part of one, or neither.

    Args:
        cloud: (n, 3), in the world.
        place: of the object that they belong to.
        axes: (3, 3), those of the chassis in the world, as columns.
    """
    center = (cloud.min(axis=0) + cloud.max(axis=0)) / 2.0
    own = np.array(place)[:3, :3]
    lengths = np.linalg.norm(own, axis=0)
    likely = (own / np.where(lengths > 0.0, lengths, 1.0)).T
    away = float(np.linalg.norm(cloud - center, axis=1).max())
    return Part(name, center, away, round_part(cloud, np.concatenate([likely, axes.T])))


def _reach(
    parts: Parts, below: Iterable[Any], depsgraph: bpy.types.Depsgraph
) -> tuple[Array, Array] | None:
    """The box in the world where parts are looked for; None for a chassis without vertices."""
    own = [obj for obj in (parts.chassis, *below) if obj.type in MESHLIKE]
    _learn(parts, own, depsgraph)
    box = _box(parts.clouds[obj] for obj in own if obj in parts.clouds)
    if box is None:
        return None
    low, high = box
    more = _NEAR * float((high - low).max())
    return low - more, high + more


def _box(clouds: Iterator[Array]) -> tuple[Array, Array] | None:
    every = list(clouds)
    if not every:
        return None
    lows, highs = [c.min(axis=0) for c in every], [c.max(axis=0) for c in every]
    return np.min(lows, axis=0), np.max(highs, axis=0)


def _is_near(obj: Any, reach: tuple[Array, Array]) -> bool:
    middle = moved(obj.bound_box, obj.matrix_world).mean(axis=0)
    return bool(((reach[0] <= middle) & (middle <= reach[1])).all())


def turn_to(axes: Array, front: Array, up: Array) -> Matrix:
    """How a vehicle with such a front is turned in a chassis with such axes.

    A turn that is almost one by right angles becomes it.
    """
    own = np.stack([np.cross(-front, up), -front, up], axis=1)
    turn = axes.T @ own
    if np.abs(turn - np.rint(turn)).max() < _SNAP:
        turn = np.rint(turn)
    return Matrix(turn.tolist())
