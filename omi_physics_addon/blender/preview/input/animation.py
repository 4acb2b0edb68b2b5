"""Where keyframes, drivers and constraints of the artist put objects over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import bpy
import numpy as np

from ....axes import matrices_to_gltf
from ....simulation.state import Array
from ...base import compat
from ...base.animated import frame_rate
from ..stage import stage

_LINEAR: Final = 1  # The value of Keyframe.interpolation for straight lines.


@dataclass(eq=False)
class Samples:
    """Where objects are, frame by frame of the artist's scene.

    Attributes:
        objects: of each column, the index that the caller gave its object.
        matrices: (frames, k, 4, 4), in glTF's axes.
        per_second: frames in a second.
        first: the first of these frames.
        poses: of armatures, by their numbers: (frames, bones, 4, 4) in the armature's space, in
            Blender's axes.
    """

    objects: list[int]
    matrices: Array
    per_second: float
    first: int
    poses: dict[int, Array] = field(default_factory=dict[int, Array])

    def at(self, time: float) -> Array:
        """The matrices (k, 4, 4) at a time; before the first and after the last they rest."""
        place = min(max(time * self.per_second, 0.0), len(self.matrices) - 1.0)
        low = int(place)
        high = min(low + 1, len(self.matrices) - 1)
        part = place - low
        return self.matrices[low] * (1.0 - part) + self.matrices[high] * part


def sample(
    scene: Any, objects: Sequence[tuple[int, Any]], armatures: Sequence[Any], seconds: float
) -> Samples:
    """Follow objects, and the bones of armatures, from the scene's current frame on.

    They are evaluated in a scene of their own that no window shows, of which Blender writes
    nothing back to the objects.
    """
    per_second = frame_rate(scene)
    first = scene.frame_current
    chosen = [at for at, _ in objects]
    if not objects and not armatures:
        return Samples([], np.zeros((1, 0, 4, 4)), per_second, first)
    last = first + int(np.ceil(seconds * per_second))
    last = min(last, max(scene.frame_end, first))
    side: Any = bpy.data.scenes.new("OMI Physics Sampling")
    side[stage.TAG] = True
    side.render.fps, side.render.fps_base = scene.render.fps, scene.render.fps_base
    group: Any = bpy.data.collections.new("OMI Physics Sampling")
    group[stage.TAG] = True
    try:
        for obj in {obj for _, obj in objects}.union(armatures):
            group.objects.link(obj)
        side.collection.children.link(group)
        rows: list[Any] = []
        poses: dict[int, list[Array]] = {armature.session_uid: [] for armature in armatures}
        for frame in range(first, last + 1):
            side.frame_set(frame)
            graph = side.view_layers[0].depsgraph
            rows.append([obj.evaluated_get(graph).matrix_world.copy() for _, obj in objects])
            for armature in armatures:
                bones = armature.evaluated_get(graph).pose.bones
                poses[armature.session_uid].append(stage.matrices(bones, "matrix"))
    finally:
        compat.remove_data([side, group])
    places = matrices_to_gltf(np.array(rows, dtype=np.float64).reshape(len(rows), -1, 4, 4))
    return Samples(
        chosen, places, per_second, first, {uid: np.array(row) for uid, row in poses.items()}
    )


def set_keys(curve: Any, frames: Any, values: Any) -> None:
    """Give a new curve keys with straight lines between them."""
    points = curve.keyframe_points
    points.add(len(frames))
    points.foreach_set("co", np.column_stack([frames, values]).ravel())
    points.foreach_set("interpolation", [_LINEAR] * len(frames))
