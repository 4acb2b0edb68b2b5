"""Bakes a recorded preview to keyframes of the artist's objects, and removes such a bake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...axes import matrices_to_blender
from ...simulation.local_poses import Keys, moves
from ..base import compat, groups
from ..base.baked import BAKED, is_baked
from ..base.local_transforms import keys_of, matrices_of, rotation_path, rotations_of
from . import player
from .input.animation import set_keys
from .recorder import Recorder
from .session import Session, objects_by_uid
from .stage.options import PreviewOptions
from .stage.unkeyed import UnkeyedValues
from .stage.windows import layers_of, scene_of


@dataclass(frozen=True, kw_only=True)
class Span:
    """Which frames get keys: from start to end, every so many."""

    start: int
    end: int
    step: int = 1

    @property
    def frames(self) -> list[int]:
        """All of them."""
        return list(range(self.start, self.end + 1, self.step))


@dataclass(frozen=True)
class BakeResult:
    """What was baked.

    Attributes:
        objects: names of those that have keys now.
        sheared: of these, those below uneven scales, which keys cannot follow exactly.
        skipped: of bodies that are left out, as they are in instances, stand for bones, or cannot
            be edited.
    """

    objects: tuple[str, ...]
    sheared: tuple[str, ...]
    skipped: tuple[str, ...]


class Bake:
    """One bake: starts a preview, takes its frames, and writes keys at the end.

    Until `finish` nothing of the artist's changes that `cancel` does not bring back.
    """

    def __init__(self, scene: Any, span: Span, chosen: Sequence[Any] | None) -> None:
        """Start.

        Args:
            chosen: the objects that may get keys; None for all.

        Raises:
            ValueError: there are no frames, or nothing can be baked.
        """
        if not span.frames:
            raise ValueError("the frame range is empty")
        self._scene: int = scene.session_uid
        self._span = span
        self._at: tuple[int, float] = (scene.frame_current, scene.frame_subframe)
        self._unkeyed = UnkeyedValues.take()
        self._is_outdated = _is_outdated(scene)
        self._suspended: dict[int, _Suspended] = {}
        self._has_ended = False
        self._chosen = None if chosen is None else {obj.session_uid for obj in chosen}
        try:
            self._suspend(scene)
            if self._at != (span.start, 0.0):
                scene.frame_set(span.start)
            options, each = _options(scene, span)
            self._recorder = Recorder(player.start(scene, options), each)
            player.at_stop(self._bring_back)
            self._bodies = self._found(self._recorder.session)
            if not self._bodies:
                raise ValueError("no selected object is a dynamic body")
        except BaseException:
            self.cancel()
            raise

    def _suspend(self, scene: Any) -> None:
        """Take off what was baked before, so that forces move it again."""
        for obj in scene.objects:
            if self._chosen is None or obj.session_uid in self._chosen:
                found = _suspended(obj)
                if found is not None:
                    self._suspended[obj.session_uid] = found

    def _found(self, session: Session) -> dict[int, int]:
        """The bodies to bake by the numbers of their objects."""
        found: dict[int, int] = {}
        self._skipped: list[str] = []
        objects = objects_by_uid()
        for i, body in enumerate(session.world.bodies):
            uid = session.uids[body.node]
            moves_alone = body.type == "kinematic" and not body.is_animated
            if not body.is_forced and not (
                moves_alone and (body.velocity.any() or body.spin.any())
            ):
                continue
            if self._chosen is not None and uid not in self._chosen:
                continue
            obj = objects[uid]
            if session.can_place(body.node, obj):
                found[uid] = i
            else:
                self._skipped.append(session.names[body.node])
        return found

    @property
    def count(self) -> int:
        """How many frames have to be recorded."""
        return len(self._span.frames)

    @property
    def done(self) -> int:
        """How many frames have been recorded."""
        return len(self._recorder.recording)

    @property
    def is_over(self) -> bool:
        """Whether all frames have been recorded."""
        return self.done >= self.count

    def step(self) -> None:
        """Record one more; raises RuntimeError where the preview fails."""
        self._recorder.step()

    def cancel(self) -> None:
        """Stop, and bring back what was before."""
        player.stop()
        self._bring_back()

    def _bring_back(self) -> None:
        """Undo what this has done to the scene, once, unless it is finished."""
        if self._has_ended:
            return
        self._has_ended = True
        for obj, suspended in self._had():
            suspended.restore(obj)
        self._show_frame()

    def _had(self) -> Iterator[tuple[Any, _Suspended]]:
        """The objects that had a bake before, as far as they are still there."""
        objects = objects_by_uid()
        for uid, suspended in self._suspended.items():
            if uid in objects:
                yield objects[uid], suspended

    def _show_frame(self) -> None:
        """Show the frame that was shown before."""
        scene = scene_of(self._scene)
        if scene is None:
            return
        if (scene.frame_current, scene.frame_subframe) != self._at:
            frame, subframe = self._at
            scene.frame_set(frame, subframe=subframe)
        if self._is_outdated and not _is_outdated(scene):
            world = scene.rigidbody_world
            world.substeps_per_frame = world.substeps_per_frame  # Which marks the cache.
        for layer in layers_of(scene):  # Else keyframes that came back would count after this.
            layer.update()
        self._unkeyed.restore()

    def finish(self) -> BakeResult:
        """Stop, and write the keys."""
        session, recording = self._recorder.session, self._recorder.recording
        self._has_ended = True
        player.stop()
        for obj, suspended in self._had():
            suspended.drop(obj)
        objects = objects_by_uid()
        places, rotations, _, _ = recording.stacked()
        paths = {
            uid: matrices_to_blender(moves(places[:, i], matrices_of(rotations[:, i])))
            for uid, i in self._bodies.items()
        }
        nodes = {session.world.bodies[i].node: uid for uid, i in self._bodies.items()}
        made: dict[int, Keys] = {}
        for node, uid in nodes.items():
            if uid in objects:
                above = (nodes[at] for at in session.above(node) if at in nodes)
                made[uid] = keys_of(objects[uid], paths[uid], paths.get(next(above, -1)))
        for uid, keys in made.items():
            _write(objects[uid], self._span.frames, keys)
            self._unkeyed.forget("objects", objects[uid].name)
        self._show_frame()
        names = {uid: str(objects[uid].name) for uid in made}
        sheared = tuple(names[uid] for uid, keys in made.items() if keys.is_sheared)
        return BakeResult(tuple(names.values()), sheared, tuple(self._skipped))


def _options(scene: Any, span: Span) -> tuple[PreviewOptions, int]:
    """Options of the preview, and how many of its frames there are from key to key."""
    group = groups.of_scene(scene).preview
    fps, base = scene.render.fps, scene.render.fps_base
    each = max(1, -(-group.rate // fps))
    seconds = (span.end - span.start + 2) * base / fps
    options = PreviewOptions(
        rate=fps * each, substeps=group.substeps, speed=base, seconds=seconds + 1.0
    )
    return options, each * span.step


def _is_outdated(scene: Any) -> bool:
    """Whether the rigid-body cache of the artist's own world is outdated.

    Blender takes that back where it goes from the cache's first frame to its second one.
    """
    world = scene.rigidbody_world
    return world is not None and bool(world.point_cache.is_outdated)


def _write(obj: Any, frames: Sequence[int], keys: Keys) -> None:
    """Give an object a new action with keys; the one it has plays on from a track."""
    data = obj.animation_data
    track = compat.push_down(data) if data is not None and data.action is not None else ""
    path, width = rotation_path(obj)
    action, curve = compat.new_action(obj, f"{obj.name} Physics")
    action[BAKED] = track
    columns = [("location", i, keys.places[:, i] - obj.delta_location[i]) for i in range(3)]
    rows = np.array(rotations_of(obj, keys.turns)).reshape(-1, width)
    columns += [(path, i, rows[:, i]) for i in range(width)]
    for name, index, values in columns:
        set_keys(curve(name, index), frames, values)


class _Suspended:
    """A bake that is taken off an object for a while."""

    def __init__(self, obj: Any) -> None:
        data = obj.animation_data
        self._action: Any = data.action
        self._slot: Any = compat.slot_of(data)
        self._values = _first_values(data)
        self._before = {path: tuple(getattr(obj, path)) for path, _, _ in self._values}
        self._is_kept = self._action.use_fake_user
        self._action.use_fake_user = True  # Nobody else uses it, and Blender may clean up.
        data.action = None
        for path, index, value in self._values:
            getattr(obj, path)[index] = value

    def restore(self, obj: Any) -> None:
        """Put it on again."""
        compat.assign_action(obj.animation_data, self._action, self._slot)
        self._action.use_fake_user = self._is_kept
        for path, value in self._before.items():
            setattr(obj, path, value)

    def drop(self, obj: Any) -> None:
        """Remove it for good; what animated the object before does so again."""
        track = self._action[BAKED]
        self._action.use_fake_user = self._is_kept
        if self._action.users == 0:
            bpy.data.actions.remove(self._action)
        if track:
            compat.pull_up(obj.animation_data, track)


def _first_values(data: Any) -> list[tuple[str, int, float]]:
    """Path, index and first value of each curve of a bake."""
    return [
        (curve.data_path, curve.array_index, curve.keyframe_points[0].co[1])
        for curve in compat.curves(data)
        if len(curve.keyframe_points)
    ]


def _suspended(obj: Any) -> _Suspended | None:
    """Take a bake off an object; None where it has none."""
    return _Suspended(obj) if is_baked(obj) else None


def remove(obj: Any) -> bool:
    """Take a bake off an object, which is again where it began; whether there was one."""
    found = _suspended(obj)
    if found is None:
        return False
    found.drop(obj)
    return True
