"""Copies of what cannot be posed in the artist's scene, drawn behind it.

Bones have no evaluated copy that could be posed, and what they bend has to be evaluated; nor has
what stands in an instance of a collection. So a scene of copies is drawn as the background of the
artist's own one, where what they stand for has no size meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix

from ....axes import matrices_to_blender
from ....simulation.state import WORLD, Array
from ..copies.armatures import Armatures, Track, bare
from ..copies.copies import View, can_be_copied
from ..stage import stage
from ..stage.windows import layer_of, scene_of, views_of
from .following import Carried, Moving

_NAME: Final = "OMI Physics Preview Copies"


def is_needed(moving: Moving, armatures: Armatures) -> bool:
    """Whether anything of a scene cannot be posed."""
    return armatures.are_any or bool(instancers(moving))


def instancers(moving: Moving) -> set[int]:
    """The nodes of the artist's objects that show bodies which move, in instances."""
    read, found = moving.read, set[int]()
    for body in moving.world.bodies:
        if body.node in read.instanced and body.type != "static":
            found.add(_instancer(moving, body.node))
    return found


def _instancer(moving: Moving, at: int) -> int:
    read = moving.read
    while at in read.instanced and read.nodes[at].parent >= 0:
        at = read.nodes[at].parent
    return at


class Backdrop:
    """The copies of one preview; keeps Blender's data by name and number only.

    Attributes:
        hidden: where the objects that copies stand for have no size, by their numbers.
        bodies: the bodies that only copies show.
    """

    def __init__(self, scene: Any, moving: Moving, armatures: Armatures) -> None:
        """Make the copies, and draw them behind a scene."""
        self._artist: int = scene.session_uid
        self._read = moving.read
        self._visible = View(layer_of(scene), views_of(scene), None, None).visible()
        self._per_second = moving.samples.per_second
        self._nodes: list[int] = []
        self._start: list[Matrix] = []
        side: Any = bpy.data.scenes.new(_NAME)
        side[stage.TAG] = scene.name_full
        group: Any = bpy.data.collections.new(_NAME)
        group[stage.TAG] = True
        group.hide_select = True
        self._group: str = group.name
        side.collection.children.link(group)
        armatures.make(group, self._is_shown, self._attach)
        self._tracks: dict[str, Track] = armatures.tracks(moving.samples)
        stand_for = {*armatures.copied}
        for at, copy, stands_for in (*self._bent(armatures), *self._instanced(moving)):
            group.objects.link(copy)
            place = matrices_to_blender(self._read.nodes[at].matrix)
            self._attach(copy, at, Matrix(place.tolist()))
            stand_for.add(stands_for)
        self.hidden = {obj.session_uid: _without_size(obj) for obj in stand_for}
        start = np.array(self._start, dtype=np.float64).reshape(-1, 4, 4)
        self._carried = Carried(moving, self._nodes, start)
        self.bodies: set[int] = {*self._carried.bodies.tolist()} - {WORLD}
        self.show(moving.actors.matrices, 0.0)
        side.background_set = scene.background_set
        scene.background_set = side

    @property
    def is_whole(self) -> bool:
        """Whether nobody has removed anything of it."""
        group = bpy.data.collections.get(self._group)
        return group is not None and len(group.objects) == len(self._nodes)

    def show(self, actors: Array, time: float) -> None:
        """Put the copies where actors (k, 4, 4) and keyframes take them after some seconds."""
        if not self.is_whole:
            return
        objects: Any = bpy.data.collections[self._group].objects
        places = self._carried.places(actors, time).transpose(0, 2, 1)
        objects.foreach_set("matrix_basis", places.astype(np.float32).ravel())
        for obj in objects:
            track = self._tracks.get(obj.name)
            if track is not None:
                track.pose(obj, time * self._per_second)
            obj.update_tag(refresh={"OBJECT"} if track is None else {"OBJECT", "DATA"})

    def hide(self, *, is_hidden: bool) -> None:
        """Draw nothing of it for a while, or draw it again."""
        if self.is_whole:
            bpy.data.collections[self._group].hide_viewport = is_hidden

    def stop(self) -> None:
        """Let the scene have the background again that it had."""
        scene = scene_of(self._artist)
        if scene is not None:
            stage.restore_background(scene)

    # --- start ---

    def _bent(self, armatures: Armatures) -> Iterator[tuple[int, Any, Any]]:
        """Of what bones bend: nodes, copies, and what these stand for."""
        for at, obj in enumerate(self._read.objects[: self._read.own]):
            copy = armatures.copy(obj) if self._is_shown(obj, at) else None
            if copy is not None:
                yield at, copy, obj

    def _instanced(self, moving: Moving) -> Iterator[tuple[int, Any, Any]]:
        """Of what stands in instances with bodies that move: the same."""
        movers = instancers(moving)
        for at, obj in enumerate(self._read.objects[: self._read.own]):
            if at not in self._read.instanced or obj.hide_viewport or not can_be_copied(obj):
                continue
            mover = _instancer(moving, at)
            shows = self._read.objects[mover]
            if mover in movers and shows in self._visible:
                # Blender puts copies of rigid bodies into the artist's rigid-body world.
                is_rigid = obj.rigid_body is not None
                yield at, stage.new_object(obj.name, obj.data) if is_rigid else bare(obj), shows

    def _is_shown(self, obj: Any, at: int) -> bool:
        return obj in self._visible and at not in self._read.instanced

    def _attach(self, _copy: Any, at: int, matrix: Matrix) -> None:
        """Note which node carries a copy, the last one of the group, and from where on."""
        self._nodes.append(at)
        self._start.append(matrix.copy())


def _without_size(obj: Any) -> Array:
    place = np.zeros((4, 4))
    place[:, 3] = (*obj.matrix_world.translation, 1.0)
    return place
