"""One preview from its start to its stop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import bpy
from mathutils import Vector

from ...axes import points_to_blender
from ...simulation.state import State
from ...simulation.world import at_rest
from ..base import groups
from .bodies.bodies import Bodies
from .copies.animated_copies import AnimatedCopies
from .copies.armatures import Armatures
from .copies.copies import Copies, View
from .copies.wheel_copies import WheelCopies
from .input import animation, scene_input
from .input.animation import Samples
from .input.scene_input import SceneReading
from .interaction.driving import Driver
from .interaction.grab import Grab
from .interaction.live_changes import LiveChanges
from .pace import Pace
from .posing import posable
from .posing.backdrop import Backdrop, is_needed
from .posing.display import Display
from .posing.following import Following, Moving
from .stage import stage, worlds
from .stage.clock import Clock, ClockedCopies
from .stage.options import PreviewOptions
from .stage.stage import Stage
from .stage.windows import ShownScenes, layer_of, layers_of, scene_of, views_of


class Session:
    """A running preview.

    Blender's data is kept by name only, because undo may move it in memory; but see `Motors`.

    Attributes:
        bodies: what moves in it.
        world, forces, events, passed, names: those of the bodies.
        begin: the frame of the temporary scene in which the bodies are let go.
        error: what went wrong while it ran; empty for nothing.
        uids: by node, the number of that object, which no other one has.
        parents: by node, the node above, -1 for none.
        instanced: which nodes are in an instance of a collection.
        driver, grab, changes: what the artist does while it runs: drives, pulls, changes settings.
        stage: the name of the temporary scene.
        at: the frame of that which was seen last.
        shown: what windows showed before.
        display: what shows it in the artist's own scene; None where copies do.
        pace: whether it keeps up.
        why_copies: why copies do although the options say otherwise; empty for no reason.
    """

    def __init__(self, scene: Any, options: PreviewOptions) -> None:
        self._artist: int = scene.session_uid
        self.options = options
        self.pace = Pace(options.rate, options.speed)
        self.display: Display | None = None
        self.why_copies = ""
        self.shown = ShownScenes()
        self.error = ""
        self.at = 1
        read = scene_input.read(scene)
        self.world = scene_input.world_of(scene, read, options)
        if options.settles:
            self.world = at_rest(self.world)
        self.uids = tuple(obj.session_uid for obj in read.objects)
        self.parents = tuple(node.parent for node in read.nodes)
        self.instanced = read.instanced
        gravity = scene_input.gravity_of(scene)
        armatures = Armatures(read, self.world)
        is_in_place = options.place == "SCENE"
        if is_in_place:
            self.why_copies = posable.why_not(scene, read, self.world, armatures)
            is_in_place = not self.why_copies
        samples = self._sampled(scene, read, list(armatures.animated) if options.show else ())
        self.bodies = Bodies(read, self.world, gravity, samples, options)
        self.names = self.bodies.names
        self.forces, self.events = self.bodies.forces, self.bodies.events
        self.passed = self.bodies.passed
        self.begin = self.bodies.begin
        self._wheels = self._wheel_copies(read)
        self._animated = AnimatedCopies(samples)
        self.driver, self.grab = Driver(self.bodies, scene), Grab(self.bodies)
        self.changes = LiveChanges(self.bodies, scene)
        self._raise_stage(scene, read, armatures, samples, is_in_place=is_in_place)
        if is_in_place:
            self._pose(scene, read, armatures, samples)
        self.bodies.hold()

    # --- start ---

    def _sampled(self, scene: Any, read: SceneReading, armatures: Sequence[Any]) -> Samples:
        """The poses of all that the artist's keyframes move and a preview shows."""
        there = set(scene.objects)
        chosen = [
            (at, obj)
            for at, obj in enumerate(read.objects[: read.own])
            if read.nodes[at].is_animated and obj in there
        ]
        mine = [armature for armature in armatures if armature in there]
        return animation.sample(scene, chosen, mine, self.options.seconds)

    def _wheel_copies(self, read: SceneReading) -> WheelCopies | None:
        vehicles, nodes = self.forces.vehicles, self.forces.wheel_nodes
        if vehicles is None or not nodes:
            return None
        return WheelCopies(vehicles.wheels, nodes, read.nodes, self.world)

    def _raise_stage(
        self,
        scene: Any,
        read: SceneReading,
        armatures: Armatures,
        samples: Samples,
        *,
        is_in_place: bool,
    ) -> None:
        """Make the temporary scene; whatever fails, nothing of it stays."""
        try:
            layer = layer_of(scene)
            shown = Stage(scene, self.options.frames, is_shown=not is_in_place)
            self.stage = shown.name
            self.bodies.make(shown)
            clocked = ClockedCopies(Clock.of(scene, self.begin, self.options.step))
            group = shown.collection("Copies")
            view = View(layer, views_of(shown.scene), scene.camera, shown.scene.camera)
            copies = Copies(
                read, self.world, self.bodies.actors, view, self._wheels, self._animated, clocked
            )
            if self.options.show and not is_in_place:
                shown.scene.world = clocked.of(scene.world)
                copies.make(group, armatures, samples)
            self.bodies.actors.shape()
            with stage.inside(shown.scene):
                self._make_rigid(shown)
            shown.scene.collection.children.link(group)
            copies.restrict()
            if self.begin > 1:
                self.bodies.launch(1)
            shown.scene.frame_set(1)
        except BaseException:
            stage.remove(self.shown)
            raise

    def _make_rigid(self, shown: Stage) -> None:
        """Fill the rigid-body world of the temporary scene."""
        render = shown.scene.render
        render.fps, render.fps_base = self.options.rate, 1.0
        shown.scene.gravity = Vector(points_to_blender(self.bodies.gravity).tolist())
        self.bodies.make_rigid(shown)
        self.grab.make(self.bodies.constraints)
        self.bodies.constrain(shown)
        # Actors that show a mesh themselves are in the collection of the copies too.
        for child in shown.scene.view_layers[0].layer_collection.children:
            child.hide_viewport = True  # The actors; copies are what is to be seen.

    def _pose(self, scene: Any, read: SceneReading, armatures: Armatures, samples: Samples) -> None:
        """Let the artist's own objects show the preview, with nothing moved yet."""
        bodies = self.bodies
        moving = Moving(read, self.world, bodies.actors, self._wheels, samples)
        following = Following(moving)
        backdrop = None
        if self.options.show and is_needed(moving, armatures):
            backdrop = Backdrop(scene, moving, armatures)
        unseen = set[int]() if backdrop is None else backdrop.bodies
        self.grab.see(scene, following, unseen)
        for layer in layers_of(scene):
            layer.update()
        self.display = Display(scene, following, backdrop)

    # --- frames ---

    def before_frame(self, frame: int) -> None:
        """Make ready for the next frame; for one before, show it as it was."""
        before, self.at = self.at, frame
        if frame > self.frame and (before, frame) != (self.frame, self.frame + 1):
            return  # Bullet goes on from the last frame only.
        with worlds.unmarked():
            if frame <= self.frame:  # Somebody looks back; Blender keeps what it moved itself.
                self._animate(frame)
                if self._wheels is not None:
                    self._wheels.show(frame)
                return
            self.bodies.require_finite()
            self._make_ready(frame)
        self.bodies.frame = frame

    def _make_ready(self, frame: int) -> None:
        self._animate(frame)
        self.bodies.launch(frame)
        if frame > self.begin:
            self.changes.before_push()
            self.driver.drive()
            self.grab.pull()
            if self.bodies.push(frame) and self._wheels is not None:
                self._wheels.follow(frame)

    def _animate(self, frame: int) -> None:
        """Put what keyframes or constant speeds move where it is at the end of a frame."""
        time = max(frame - self.begin, 0) * self.options.step
        self.bodies.animate(time)
        self._animated.place(time)

    def after_frame(self) -> None:
        """Show a frame in the artist's own scene, where it is seen there."""
        self.pace.note()
        if self.display is not None and self.is_whole:
            self.display.show(self.bodies.matrices(), self.time)

    def step(self, frames: int = 1) -> None:
        """Go on by some frames."""
        self.come_back()
        for _ in range(frames):
            self.scene.frame_set(self.frame + 1)

    def come_back(self) -> None:
        """Show the last frame, from which alone Bullet goes on, where another one is seen."""
        if self.at != self.frame:
            self.scene.frame_set(self.frame)

    # --- for others ---

    @property
    def artist_scene(self) -> Any:
        """The scene that is previewed; None where it was removed."""
        return scene_of(self._artist)

    def can_place(self, node: int, obj: Any) -> bool:
        """Whether the object of a node can be put elsewhere.

        What is in an instance, stands for a bone, or cannot be edited, cannot.
        """
        is_own = node not in self.instanced and not groups.is_bone_proxy(obj)
        return is_own and groups.can_change(obj)

    def above(self, node: int) -> list[int]:
        """The nodes above one, the nearest first."""
        found: list[int] = []
        while (node := self.parents[node]) >= 0 and node not in found:
            found.append(node)
        return found

    @property
    def artist(self) -> str:
        """The name of the scene that is previewed; empty where it was removed."""
        scene = self.artist_scene
        return "" if scene is None else scene.name

    @property
    def seen(self) -> str:
        """The name of the scene in which it is seen: the artist's, or the temporary one."""
        return self.stage if self.display is None else self.artist

    @property
    def scene(self) -> Any:
        """The temporary scene; raises KeyError where something removed it."""
        return cast(Any, bpy.data.scenes)[self.stage]

    @property
    def frame(self) -> int:
        """The frame of the temporary scene that was last made."""
        return self.bodies.frame

    @property
    def time(self) -> float:
        """Seconds since the bodies were let go."""
        return self.bodies.time

    @property
    def is_over(self) -> bool:
        """Whether it has run for as long as it may."""
        return self.frame >= self.options.frames

    @property
    def is_whole(self) -> bool:
        """Whether nobody has removed anything that it needs."""
        is_shown = self.display is None or self.display.is_whole
        return self.stage in bpy.data.scenes and self.bodies.is_whole and is_shown

    @property
    def forgets(self) -> bool:
        """Whether Blender would make frames before the last one anew, and not as they were."""
        world = self.scene.rigidbody_world
        return world is not None and world.point_cache.is_outdated

    def hold_still(self) -> None:
        """Let Bullet take no step without what somebody removed; it would crash."""
        scene = cast(Any, bpy.data.scenes).get(self.stage)
        if scene is not None and scene.rigidbody_world is not None:
            scene.rigidbody_world.enabled = False

    @property
    def state(self) -> State:
        """See `Bodies.state`."""
        return self.bodies.state

    def poses(self) -> State:
        """See `Bodies.poses`."""
        return self.bodies.poses()


def objects_by_uid() -> dict[int, Any]:
    """All objects of the file by their numbers."""
    return {obj.session_uid: obj for obj in bpy.data.objects}
