"""One preview from its start to its stop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...model.document import PhysicsDocument
from ...simulation.build import build
from ...simulation.motion import Tracker, drifted
from ...simulation.state import Array, Flags, State
from ...simulation.trigger_watch import Event
from ...simulation.world import Body, Engine, World
from .bodies.actors import Actors, forced
from .bodies.bounce_motors import Throwing
from .bodies.constraints import Constraints
from .bodies.forces import Forces
from .bodies.motors import Motors
from .copies.armatures import Skins
from .copies.copies import Look
from .copies.wheel_copies import Rolling
from .input import animation, scene_input
from .input.animation import Samples
from .input.scene_input import TO_GLTF, SceneReading, to_blender
from .interaction.interaction import Hands
from .stage import stage
from .stage.clock import Clock, Clocked
from .stage.options import PreviewOptions
from .stage.stage import Stage
from .stage.windows import Shown, layer_of, scene_of, views_of

_SLOWEST = 1e-9  # m/s or rad/s that count as moving at the start.


class Session:
    """A running preview.

    Blender's data is kept by name only, because undo may move it in memory.

    Attributes:
        frame: the frame of the temporary scene that was last made.
        forces: what pushes the bodies; whoever drives finds the vehicles there.
        events: who entered and left triggers, and after how many seconds.
        error: what went wrong while it ran; empty for nothing.
        names: by node, the name of the object that it stands for.
        uids: by node, the number of that object, which no other one has.
        parents: by node, the node above, -1 for none.
        gravity: (3,), of the world, in glTF's axes, m/s².
        instanced: which nodes are in an instance of a collection.
        hands: what the artist does to it while it runs.
        shown: what windows showed before.
    """

    def __init__(self, scene: Any, options: PreviewOptions) -> None:
        self._artist: int = scene.session_uid
        self.options = options
        self.shown = Shown()
        self.error = ""
        self.frame = 1
        read = scene_input.read(scene)
        engine = scene_input.engine_of(scene) if options.engine == "AUTO" else options.engine
        self.world: World = build(read.document, read.nodes, read.read_mesh, engine=engine)
        self.document: PhysicsDocument = read.document
        self.names = tuple(obj.name for obj in read.objects)
        self.uids = tuple(obj.session_uid for obj in read.objects)
        self.parents = tuple(node.parent for node in read.nodes)
        self.instanced = read.instanced
        self._start = self.world.state()
        self.gravity: Array = scene_input.gravity_of(scene)
        self._is_moving = self._finds_moving()
        self.begin = 3 if self._is_moving.any() else 1
        self._has_movers = any(_is_mover(body) for body in self.world.bodies)
        skins = Skins(read, self.world)
        self._samples = self._sampled(scene, read, list(skins.animated) if options.show else ())
        actors = Actors(self.world)
        self._actors = actors
        created = drifted(self._launched(), -self.options.step) if self.begin > 1 else self._start
        per_axis = engine == "OMI"
        self.engine: Engine = engine
        constraints = Constraints(self.world, self._start, per_axis=per_axis)
        self._constraints = constraints
        self.forces = Forces(
            self.world,
            self.document,
            read.read_mesh,
            self.gravity,
            constraints.left,
            per_axis=per_axis,
            substeps=options.substeps,
        )
        self._rolling = self._made_rolling(read)
        self.events: list[tuple[float, Event]] = []
        self._motors = Motors(self.forces.bodies, self.forces.turning)
        self._throwing = Throwing(self.forces.bounces.which)
        self._tracker = Tracker(self._start, options.step, options.substeps)
        self.hands = Hands(self, scene)
        self._raise_stage(scene, read, constraints, created, skins)

    # --- start ---

    def _raise_stage(
        self,
        scene: Any,
        read: SceneReading,
        constraints: Constraints,
        created: State,
        skins: Skins,
    ) -> None:
        """Make the temporary scene; whatever fails, nothing of it stays."""
        try:
            layer = layer_of(scene)
            shown = Stage(scene, self.options.frames)
            self.stage = shown.name
            bodies, held = shown.collection("Bodies"), shown.collection("Constraints")
            self._bodies, self._held = bodies.name, held.name
            self._actors.make(bodies, self.names)
            at = self.forces.bodies
            self._motors.make(held, created.position[at], created.rotation[at])
            self._motors.make_raft(bodies)
            clocked = Clocked(Clock.of(scene, self.begin, self.options.step))
            look = Look(read, self.world, self._actors, self._rolling, clocked)
            copies = shown.collection("Copies")
            views = views_of(shown.scene)
            if self.options.show:
                shown.scene.world = clocked.of(scene.world)
                cameras = (scene.camera, shown.scene.camera)
                look.make(layer, copies, cameras, views, skins, self._samples)
            self._actors.shape()
            self._followers = look.animated
            with stage.inside(shown.scene):
                self._furnish(shown, (bodies, held), constraints)
            shown.scene.collection.children.link(copies)
            look.restrict(layer, views)
            self._counts = (len(bodies.objects), len(held.objects))
            if self.begin > 1:
                self._launch(1)
            shown.scene.frame_set(1)
        except BaseException:
            stage.remove(self.shown)
            raise

    def _furnish(self, shown: Stage, groups: tuple[Any, Any], constraints: Constraints) -> None:
        bodies, held = groups
        actors = self._actors
        render = shown.scene.render
        render.fps, render.fps_base = self.options.rate, 1.0
        shown.scene.gravity = Vector((self.gravity @ TO_GLTF).tolist())
        welds = actors.welds
        shown.make_world(bodies, self.options, bool(self.world.joints or welds))
        actors.furnish()
        constraints.exclude(actors.unwanted, actors.owners[:-1])
        constraints.weld(welds)
        constraints.make(held, actors.matrices[:, :3, 3])
        self.hands.grab.make(held)
        self._throwing.make(held)
        shown.scene.rigidbody_world.constraints = held
        self._motors.furnish([actors.objects[actors.first[i]] for i in self.forces.bodies])
        constraints.furnish(actors.first, actors.objects)
        if self.begin > 1:
            for obj, moved in zip(actors.objects, actors.is_moved, strict=True):
                if moved:
                    obj.rigid_body.kinematic = True
        # Those that show a mesh themselves are in the collection of the copies too.
        for child in shown.scene.view_layers[0].layer_collection.children:
            child.hide_viewport = True  # The stand-ins; copies are what is to be seen.
        actors.objects, actors.parts = [], []

    def _made_rolling(self, read: SceneReading) -> Rolling | None:
        vehicles, nodes = self.forces.vehicles, self.forces.wheel_nodes
        if vehicles is None or not nodes:
            return None
        return Rolling(vehicles.wheels, nodes, read.nodes, self.world)

    def _finds_moving(self) -> Flags:
        """Which bodies forces move that have a speed at the start."""
        speed = np.abs(np.concatenate([self._start.velocity, self._start.spin], axis=1))
        mine = np.array([forced(body) for body in self.world.bodies], dtype=bool)
        found: Flags = (speed.max(axis=1, initial=0.0) > _SLOWEST) & mine
        return found

    def _sampled(self, scene: Any, read: SceneReading, armatures: Sequence[Any]) -> Samples:
        """The poses of all that the artist's keyframes move and a preview shows."""
        chosen = [
            (at, obj)
            for at, obj in enumerate(read.objects[: read.own])
            if read.nodes[at].is_animated and obj.name in scene.objects
        ]
        mine = [armature for armature in armatures if armature.name in scene.objects]
        return animation.sample(scene, chosen, mine, self.options.seconds)

    def _launched(self) -> State:
        """The start, in which only what forces move is on its way."""
        moving = self._is_moving[:, None]
        state = self._start
        return State(
            state.position,
            state.rotation,
            np.where(moving, state.velocity, 0.0),
            np.where(moving, state.spin, 0.0),
        )

    # --- frames ---

    def before_frame(self, frame: int) -> None:
        """Make ready for a frame; anything but the next one is a look back."""
        if frame != self.frame + 1:
            return
        with stage.inside(self.scene):
            self._make_ready(frame)
        self.frame = frame

    def _make_ready(self, frame: int) -> None:
        self._animate(frame)
        if frame <= self.begin:
            self._launch(frame)
        elif frame == self.begin + 1 and self.begin > 1:
            self._release()
        if frame > self.begin:
            self.hands.before_push()
            self._push(frame)

    def _objects(self) -> Any:
        return cast(Any, bpy.data.collections)[self._bodies].objects

    def _launch(self, frame: int) -> None:
        """Move bodies by hand at the speed that they are to have when they are let go."""
        late = drifted(self._launched(), self.options.step * (min(max(frame, 2), 3) - 3))
        which = np.flatnonzero(self._is_moving[self._actors.owners[:-1]])
        self._actors.move(self._objects(), which, late)

    def _release(self) -> None:
        for obj, moved in zip(self._objects(), self._actors.is_moved, strict=False):
            if moved:
                obj.rigid_body.kinematic = False

    def _animate(self, frame: int) -> None:
        """Put what keyframes or constant speeds move where it is at the end of a frame."""
        time = max(frame - self.begin, 0) * self.options.step
        moved, state = self._moved_by_hand(time)
        if len(moved):
            owners = self._actors.owners[:-1]
            which = np.flatnonzero(np.isin(owners, moved))
            self._actors.move(self._objects(), which, state)
        if self._followers:
            column = {at: i for i, at in enumerate(self._samples.objects)}
            matrices = to_blender(self._samples.at(time))
            for at, name in self._followers:
                copy = bpy.data.objects.get(name)
                if copy is not None and at in column:
                    copy.matrix_world = Matrix(matrices[column[at]].tolist())

    def _moved_by_hand(self, time: float) -> tuple[Any, State]:
        """Which bodies move without forces, and a state with these where they are at a time."""
        bodies = self.world.bodies
        if not (len(self._samples.objects) or self._has_movers):
            return np.zeros(0, dtype=np.int64), self._start
        drift = drifted(self._start, time)
        animated = {body.node: i for i, body in enumerate(bodies) if body.is_animated}
        matrices = self._samples.at(time)
        turned, places = animation.poses(matrices)
        moved: list[int] = []
        for column, at in enumerate(self._samples.objects):
            i = animated.get(at)
            if i is not None:
                drift.rotation[i] = turned[column]
                drift.position[i] = places[column] + turned[column] @ bodies[i].center
                moved.append(i)
        moved += [i for i, body in enumerate(bodies) if _is_mover(body)]
        return np.array(moved, dtype=np.int64), drift

    def _push(self, frame: int) -> None:
        if not self.forces.is_watching:
            return
        if frame > self.begin + 1:
            rotation, position = self._read()
            self._tracker.follow(position, rotation)
        state = self._tracker.state
        self.events += [(self.time, event) for event in self.forces.notice(state)]
        if not self.forces.is_pushing:
            return
        step = self.options.step
        wrench = self.forces.wrench(state, step)
        self._throwing.write(self.forces.thrown(state, step, wrench), self.stand_in)
        if not len(self.forces.bodies):
            return
        if self._rolling is not None:
            self._rolling.follow()
        at = self.forces.bodies
        group = cast(Any, bpy.data.collections)[self._held]
        held: list[Any] = [obj.rigid_body_constraint for obj in group.objects]
        self._motors.write(held, wrench.force[at], wrench.torque[at], state.rotation[at])

    def _read(self) -> tuple[Array, Array]:
        """Rotations (n, 3, 3) and centres of mass (n, 3) of the bodies, in glTF's axes."""
        return self._actors.read(stage.matrices(self._objects()))

    # --- for others ---

    @property
    def artist_scene(self) -> Any:
        """The scene that is previewed; None where it was removed."""
        return scene_of(self._artist)

    @property
    def artist(self) -> str:
        """The name of the scene that is previewed; empty where it was removed."""
        scene = self.artist_scene
        return "" if scene is None else scene.name

    @property
    def is_over(self) -> bool:
        """Whether it has run for as long as it may."""
        return self.frame >= self.options.frames

    @property
    def is_whole(self) -> bool:
        """Whether nobody has removed anything that it needs."""
        groups = [bpy.data.collections.get(name) for name in (self._bodies, self._held)]
        if self.stage not in bpy.data.scenes or None in groups:
            return False
        return tuple(len(cast(Any, group).objects) for group in groups) == self._counts

    @property
    def scene(self) -> Any:
        """The temporary scene; raises KeyError where something removed it."""
        return cast(Any, bpy.data.scenes)[self.stage]

    @property
    def time(self) -> float:
        """Seconds since the bodies were let go."""
        return max(self.frame - self.begin, 0) * self.options.step

    @property
    def state(self) -> State:
        """What forces know; older than `poses` by a frame, and free."""
        return self._tracker.state

    def stand_in(self, body: int) -> Any:
        """The first object that stands for a body; the anchor in the world for -1."""
        return self._objects()[int(self._actors.first[body]) if body >= 0 else self._anchor]

    @property
    def _anchor(self) -> int:
        return len(self._actors.owners) - 1

    def body_of(self, obj: Any) -> int:
        """The body that an object of the temporary scene belongs to; -1 for none."""
        found = self._objects().find(obj.name if obj.parent is None else obj.parent.name)
        return int(self._actors.owners[found]) if 0 <= found < self._anchor else -1

    def relimit(self, world: World) -> bool:
        """Hold joints as another world of the same structure says; whether that can be exact."""
        left = Constraints(world, self._start, per_axis=self.engine == "OMI").left
        if not self.forces.relimit(left):
            return False
        joints = {joint.node: joint for joint in world.joints}
        return self._constraints.relimit(self._joint_objects(), joints, self.poses())

    def hold_again(self) -> None:
        """Hold what `relimit` let go of; at least one frame has to be between."""
        self._constraints.hold_again(self._joint_objects(), self.poses(), self.stand_in)

    def _joint_objects(self) -> list[Any]:
        groups: Any = bpy.data.collections
        found: list[Any] = groups[self._held].objects[self._motors.count :]
        return found

    def poses(self) -> State:
        """Where the bodies are, in glTF's axes; speeds are those that forces know."""
        rotation, position = self._read()
        state = self._tracker.state
        return State(position, rotation, state.velocity, state.spin)

    def step(self, frames: int = 1) -> None:
        """Go on by some frames."""
        for _ in range(frames):
            self.scene.frame_set(self.frame + 1)


def _is_mover(body: Body) -> bool:
    """Whether a body goes its way at a constant speed."""
    is_plain = body.type == "kinematic" and not body.is_animated
    return is_plain and bool(np.abs([body.velocity, body.spin]).max() > _SLOWEST)
