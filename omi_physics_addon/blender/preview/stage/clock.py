"""Copies of animated data, materials and worlds, with their keyframes on a preview's clock.

A preview has frames of its own, so that the light of a lamp or the shape keys of a mesh would run
at another speed in it, and from its first frame instead of the one that the artist looks at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base import compat
from ...base.animated import frame_rate
from . import stage


@dataclass(frozen=True)
class Clock:
    """Where frames of the artist's scene are among those of a preview.

    Attributes:
        shown: the frame of the artist's from which it starts.
        begin: the frame of its own that is that one.
        each: how many of its own there are in one of the artist's.
    """

    shown: float
    begin: float
    each: float

    @classmethod
    def of(cls, scene: Any, begin: int, step: float) -> Clock:
        """The clock of a preview of a scene whose frames take `step` seconds."""
        return cls(scene.frame_current_final, begin, 1.0 / (step * frame_rate(scene)))

    def at(self, frame: Any) -> Any:
        """The preview's frame for one of the artist's, or for many in an array."""
        return self.begin + (frame - self.shown) * self.each


class ClockedCopies:
    """The copies of animated data of one preview.

    Attributes:
        clock: that of the preview.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._blocks: dict[Any, Any] = {}
        self._actions: dict[Any, Any] = {}

    def of(self, block: Any) -> Any:
        """The copy of data, a material or a world; itself where no keyframes change it."""
        if block is None:
            return None
        found = self._blocks.get(block)
        if found is None:
            found = self._blocks[block] = self._clocked_copy(block) if is_on_clock(block) else block
        return found

    def _clocked_copy(self, block: Any) -> Any:
        """A copy whose keyframes are at the frames of the preview."""
        copy = block.copy()
        copy[stage.TAG] = True
        for data in _animations(copy):
            self._put_on_clock(data)
        return copy

    def _put_on_clock(self, data: Any) -> None:
        if data.use_tweak_mode:
            data.use_tweak_mode = False  # Nobody can give it another action then.
        if data.action is not None:
            slot = compat.slot_of(data)
            compat.assign_action(data, *self._action(data.action, slot))
        for track in data.nla_tracks:
            for strip in track.strips:
                self._put_strip(strip)

    def _action(self, action: Any, slot: Any) -> tuple[Any, Any]:
        """The copy of an action, and of one of its slots."""
        copy = self._actions.get(action)
        if copy is None:
            copy = self._actions[action] = action.copy()
            copy[stage.TAG] = True
            for curve in compat.all_curves(copy):
                self._put_curve(curve)
        if slot is None:
            return copy, None
        return copy, next(each for each in copy.slots if each.identifier == slot.identifier)

    def _put_curve(self, curve: Any) -> None:
        points = curve.keyframe_points
        if len(points):
            for name in ("co", "handle_left", "handle_right"):
                values = np.empty(2 * len(points), dtype=np.float32)
                points.foreach_get(name, values)
                values[::2] = self.clock.at(values[::2])
                points.foreach_set(name, values)
            periods = np.empty(len(points), dtype=np.float32)
            points.foreach_get("period", periods)
            points.foreach_set("period", periods * np.float32(self.clock.each))
            curve.update()
        for modifier in curve.modifiers:
            self._put_modifier(modifier)

    def _put_modifier(self, modifier: Any) -> None:
        clock = self.clock
        if modifier.use_restricted_range:
            _set_range(modifier, clock.at(modifier.frame_start), clock.at(modifier.frame_end))
            modifier.blend_in *= clock.each
            modifier.blend_out *= clock.each
        if modifier.type == "NOISE":  # The older kind is another one then, but as fast.
            modifier.scale *= clock.each
            modifier.offset = clock.at(modifier.offset)
        elif modifier.type == "STEPPED":
            modifier.frame_step *= clock.each
            modifier.frame_offset = clock.at(modifier.frame_offset)

    def _put_strip(self, strip: Any) -> None:
        """Put a strip of a track where it belongs; its action keeps frames of its own."""
        start, end = self.clock.at(strip.frame_start), self.clock.at(strip.frame_end)
        strip.frame_start_raw, strip.frame_end_raw = start, end
        if strip.action is not None:
            strip.scale *= self.clock.each
        strip.blend_in *= self.clock.each
        strip.blend_out *= self.clock.each
        for curve in strip.fcurves:
            self._put_curve(curve)


def is_on_clock(block: Any) -> bool:
    """Whether keyframes change data, a material or a world, its shape keys or its nodes."""
    nodes = getattr(block, "node_tree", None)
    if nodes is not None and _has_keys(nodes.animation_data):
        return compat.can_copy_animated_nodes()
    return any(_has_keys(data) for data in _animations(block))


def _has_keys(data: Any) -> bool:
    if data is None:
        return False
    return data.action is not None or any(len(track.strips) for track in data.nla_tracks)


def _animations(block: Any) -> Iterator[Any]:
    for owner in (block, getattr(block, "shape_keys", None), getattr(block, "node_tree", None)):
        data = getattr(owner, "animation_data", None)  # Images have none, and owners may be None.
        if data is not None:
            yield data


def _set_range(modifier: Any, start: float, end: float) -> None:
    """Set both ends of a range, each of which Blender keeps on its side of the other."""
    if start > modifier.frame_end:
        modifier.frame_end, modifier.frame_start = end, start
    else:
        modifier.frame_start, modifier.frame_end = start, end
