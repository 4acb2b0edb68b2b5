"""The bodies of a running preview, with all that joins, pushes and moves them."""

from __future__ import annotations

from typing import Any, Final, cast

import bpy
import numpy as np

from ....simulation.bullet.materials import Frictions
from ....simulation.bullet.meetings import Meetings
from ....simulation.bullet.passing import Passed, Passing
from ....simulation.motion import Tracker
from ....simulation.rest import LANDING_DAMPING, SoftLanding
from ....simulation.start.soft_start import SoftStart
from ....simulation.state import Array, Indices, State
from ....simulation.trigger_watch import Event
from ....simulation.world import World
from ...base import groups
from ..input.animation import Samples
from ..input.scene_input import SceneReading
from ..stage import stage
from ..stage.options import PreviewOptions
from ..stage.stage import Stage
from . import bounds
from .actors import Actors
from .constraints import Constraints
from .effort import iterations, joint_iterations
from .forces import Forces
from .kinematics import Kinematics
from .motors import Motors
from .push_motors import PushMotors

_AHEAD: Final = 4  # Frames for which frictions are fitted to what comes near.
_STILL_M: Final = 1e-3  # How far things may move that need no other frictions.
_OTHER_FRICTION: Final = 1e-3  # Share by which a friction must change to be written.


class Bodies:
    """The bodies of one preview.

    Blender's data is kept by name only, because undo may move it in memory; but see `Motors`.

    Attributes:
        world: what was built of the scene.
        document: the physics of the scene.
        names: by node, the name of the object that it stands for.
        settings: by node of a joint, the name of the settings that its object refers to.
        gravity: (3,), of the world, in glTF's axes, m/s².
        actors: the objects that play the bodies.
        forces: what pushes the bodies; whoever drives finds the vehicles there.
        events: who entered and left triggers, and after how many seconds.
        passed: who came through what should have stopped it, and after how many seconds.
        begin: the frame of the temporary scene in which the bodies are let go.
        frame: the frame of the temporary scene that was last made.
        step: seconds of the preview in one frame.
    """

    def __init__(
        self,
        read: SceneReading,
        world: World,
        gravity: Array,
        samples: Samples,
        options: PreviewOptions,
    ) -> None:
        """Take a scene and what was built of it; `samples` are of what keyframes move.

        Raises:
            ValueError: something is too large to be played.
        """
        self.world, self.gravity = world, gravity
        self.document = read.document
        self.names = tuple(obj.name for obj in read.objects)
        parts = ((at, groups.read(obj)) for at, obj in enumerate(read.objects))
        self.settings = {at: part.joint.settings for at, part in parts if part.use_joint}
        self._options, self.step = options, options.step
        self._kinematics = Kinematics(world, samples, options.step)
        self.begin = self._kinematics.begin
        self.frame = 1
        self.actors = Actors(world)
        bounds.require_playable(self.actors, read.nodes, self.names)
        start = self._kinematics.start
        self._joints = Constraints(world, start)
        self.forces = Forces(
            world,
            self.document,
            read.read_mesh,
            gravity,
            self._joints.left,
            self._joints.braked,
            per_axis=world.per_axis,
            substeps=options.substeps,
        )
        self.events: list[tuple[float, Event]] = []
        self.passed: list[tuple[float, Passed]] = []
        meetings = Meetings(world)
        self._passing = Passing(world.bodies, meetings.of_solid, substeps=options.substeps)
        self._landing = SoftLanding(world, meetings) if options.settles else None
        self._start = SoftStart(world, meetings, options.step, options.substeps)
        self._frictions = Frictions(world)
        self._rubbed: Array = np.array(np.inf)  # The matrices for which frictions were fitted.
        self._falling = world.forced[:, None] * np.outer(self.forces.masses.gravity_factor, gravity)
        self._is_led = ~self.actors.is_moved
        self._seen: list[Array] = []  # The matrices of the actors, the last two times.
        self._now: Array | None = None  # Those read last, while nothing has moved.
        self._motors = Motors(self.forces.bodies, self.forces.turning)
        self._push_motors = PushMotors(self.forces.short_pushes)
        self._damping = np.zeros((2, len(self.actors.owners) - 1))  # Linear, angular; of actors.
        self._tracker = Tracker(start, options.step, options.substeps)

    # --- start, in this order ---

    def make(self, temporary: Stage) -> None:
        """Make the actors and the motors of forces, in collections that are linked nowhere yet."""
        bodies, held = temporary.collection("Bodies"), temporary.collection("Constraints")
        self._stage, self._acting, self._constrained = temporary.name, bodies.name, held.name
        self.actors.make(bodies, self.names)
        self._motors.make(held)
        self._motors.make_raft(bodies)

    def make_rigid(self, temporary: Stage) -> None:
        """Make the actors rigid bodies, and the objects of the constraints between them."""
        actors, constraints = self.actors, self._joints
        welds = actors.welds
        bodies = cast(Any, bpy.data.collections)[self._acting]
        count = iterations(self.world, bool(self.world.joints or welds))
        temporary.make_world(bodies, self._options, count)
        start = self._kinematics.start
        self._frictions.look(start, self.forces.masses, [self._ways(start.velocity)])
        actors.configure(self._frictions.values)
        constraints.exclude(actors.unwanted, actors.owners[:-1])
        constraints.weld(welds)
        constraints.link(actors.first, self.forces.bodies.tolist())
        constraints.make(self.constraints, actors.matrices[:, :3, 3])

    def constrain(self, temporary: Stage) -> None:
        """Make constraints of all objects in their collection, which may have got others by now.

        They are the world's again from `hold` on.
        """
        actors, held = self.actors, self.constraints
        self._push_motors.make(held)
        world = temporary.scene.rigidbody_world
        world.constraints = held
        self._motors.configure()
        # Bullet takes the frames of joints from where bodies are when it makes them.
        self._joints.configure(actors.first, actors.objects, late=self.begin > 1)
        self._work_harder(world.solver_iterations)
        if self.begin > 1:
            for obj, moved in zip(actors.objects, actors.is_moved, strict=True):
                if moved:
                    obj.rigid_body.kinematic = True
        actors.objects, actors.parts = [], []
        self._counts = (len(self._objects()), len(held.objects))
        world.constraints = None  # So that the dependency graph is built without them.

    def hold(self) -> None:
        """Let Bullet have the constraints, once the dependency graph has been built without them.

        Bullet asks for nothing but where their objects are, and these never move by themselves.
        Blender would evaluate them all the same, three for each body that forces push. It does so
        when something is linked or made while the preview runs, as it builds the graph again then.
        """
        scene = self.scene
        scene.view_layers[
            0
        ].update()  # What showed the preview may have left the graph to be built.
        scene.rigidbody_world.constraints = self.constraints

    def _work_harder(self, least: int) -> None:
        """Let the solver go through joints as often as they need, but not through contacts."""
        count = joint_iterations(self.world, self.gravity, self.step / self._options.substeps)
        if count <= least:
            return
        for obj in self._joint_objects():
            held = obj.rigid_body_constraint
            held.use_override_solver_iterations, held.solver_iterations = True, count

    # --- frames ---

    def animate(self, time: float) -> None:
        """Put what keyframes or constant speeds move where it is at a time."""
        moved, state = self._kinematics.at(time)
        if len(moved):
            self._now = None
            self.actors.move(self._objects(), moved, state)

    def launch(self, frame: int) -> None:
        """Move bodies by hand at their speed at the start, and let them go behind that."""
        if frame <= self.begin:
            self._now = None
            self.actors.move(self._objects(), *self._kinematics.launched(frame))
        elif frame == self.begin + 1 and self.begin > 1:
            for obj, moved in zip(self._objects(), self.actors.is_moved, strict=False):
                if moved:
                    obj.rigid_body.kinematic = False
            self._joints.tie(self._joint_objects(), self.actor)

    def push(self, frame: int) -> bool:
        """Let forces push in a frame; whether they may push more than bounces."""
        forces = self.forces
        slows = bool(self._landing) or self._start.is_open
        if not (forces.is_watching or self._passing.is_needed or slows):
            return False
        before = self._tracker.state
        self._look(is_new=frame <= self.begin + 1)
        if len(self._seen) > 1 and (frame - self.begin) % _AHEAD == 0:
            self._rub()
        state = self._tracker.state
        if forces.is_watching:
            noticed = forces.notice(before, state)
            if frame > self.begin + 1:  # Who is inside from the start has not entered.
                self.events += [(self.time - one.late * self.step, one) for one in noticed]
        has_begun = frame > self.begin + 1
        if not forces.is_pushing:
            self._slow(None, has_begun=has_begun)
            return False
        wrench = forces.wrench(state, self.step)
        if forces.pull is not None:
            self._tracker.pulled(forces.pull)
        pushes = forces.pushes(state, self.step, wrench)
        self._slow(forces.keep, has_begun=has_begun)
        self._push_motors.write(pushes, state.rotation, self.actor)
        if not len(forces.bodies):
            return False
        self._motors.write(wrench, state, self._first)
        return True

    def _first(self, bodies: Indices) -> list[Any]:
        """The first actors of some bodies."""
        return stage.picked(self._objects(), self.actors.first[bodies])

    def _rub(self) -> None:
        """Fit frictions to what comes near in the next frames."""
        if self._frictions.is_exact:
            return
        before, now = self._seen
        if max(np.abs(now - each).max() for each in (before, self._rubbed)) < _STILL_M:
            return
        self._rubbed = now
        state, used = self._moving(), self._frictions.values
        if not self._frictions.look(state, self.forces.masses, [self._ways(state.velocity)]):
            return
        values = self._frictions.values
        changed = np.flatnonzero(np.abs(values - used) > _OTHER_FRICTION * used)
        for i, obj in zip(changed, stage.picked(self._objects(), changed), strict=True):
            obj.rigid_body.friction = values[i]

    def _moving(self) -> State:
        """Where the bodies are, and how fast they went in the last frame; not how they turned."""
        (_, old), (rotation, position) = map(self.actors.read, self._seen)
        velocity = (position - old) / self.step
        return State(position, rotation, velocity, velocity)

    def _ways(self, velocity: Array) -> Array:
        """How far bodies with velocities (n, 3) go until frictions are fitted again, (n, 3)."""
        span = _AHEAD * self.step
        return velocity * span + self._falling * (span * span / 2.0)

    def _slow(self, keep: Array | None, *, has_begun: bool) -> None:
        """Let Bullet's own damping leave shares (n,) of speeds in the next frame.

        What is about to land keeps less of its velocity, if that is wanted, and what overlaps at
        the start keeps none until it has come out.
        """
        if keep is None and self._landing is None and not self._start.is_open:
            return
        owners = self.actors.owners[:-1]
        # Bullet leaves (1 - damping) to the power of the seconds.
        lost = 0.0 if keep is None else 1.0 - keep[owners] ** (1.0 / self.step)
        wanted = np.empty_like(self._damping)
        wanted[:] = lost
        if self._landing is not None and len(self._seen) > 1:
            lands = self._landing.about_to_land(self._moving(), self.forces.masses)[owners]
            wanted[0, lands] = np.maximum(wanted[0, lands], LANDING_DAMPING)
        if self._start.is_open:
            ways = (
                self._moving().velocity * self.step if has_begun and len(self._seen) > 1 else None
            )
            wanted[:, self._start.held(ways)[owners]] = 1.0
        changed = np.flatnonzero((wanted != self._damping).any(axis=0))
        self._damping = wanted
        for i, obj in zip(changed, stage.picked(self._objects(), changed), strict=True):
            obj.rigid_body.linear_damping, obj.rigid_body.angular_damping = wanted[:, i]

    def _look(self, *, is_new: bool) -> None:
        """See where the bodies are, who passed whom, and follow those on which forces depend."""
        now = (self.matrices() if self._now is None else self._now)[: len(self._is_led)]
        seen, self._seen = self._seen, [*self._seen[-1:], now]
        if is_new or not seen:
            return
        if self.forces.is_watching:
            rotation, position = self.actors.read(now)
            self._tracker.follow(position, rotation)
        at, before = self.actors.first, seen[-1]
        if self._passing.is_needed and self._passing.is_open(now[at, :3, 3] - before[at, :3, 3]):
            # What keyframes move has been put where it is at the end of the next frame.
            led, still = self._is_led[:, None, None], np.zeros((len(at), 3))
            moments = np.where(led, seen[0], before), np.where(led, before, now)
            old, new = (
                State(position, rotation, still, still)
                for rotation, position in map(self.actors.read, moments)
            )
            found = self._passing.look(old, new, self.forces.masses)
            self.passed += [(self.time, one) for one in found]

    def require_finite(self) -> None:
        """Refuse to go on where numbers have become too large, by an `OutOfBoundsError`."""
        self._now = self.matrices()
        bounds.require_finite(self._now, self.actors, self.names)

    # --- for others ---

    @property
    def scene(self) -> Any:
        """The temporary scene; raises KeyError where something removed it."""
        return cast(Any, bpy.data.scenes)[self._stage]

    @property
    def is_whole(self) -> bool:
        """Whether nobody has removed an actor or a constraint."""
        groups = [bpy.data.collections.get(name) for name in (self._acting, self._constrained)]
        if None in groups:
            return False
        return tuple(len(cast(Any, group).objects) for group in groups) == self._counts

    @property
    def time(self) -> float:
        """Seconds since the bodies were let go."""
        return max(self.frame - self.begin, 0) * self.step

    @property
    def state(self) -> State:
        """The state that forces were last made for; a frame older than `poses`, at no cost."""
        return self._tracker.state

    def poses(self) -> State:
        """Where the bodies are now, in glTF's axes; their speeds are those of `state`."""
        rotation, position = self.actors.read(self.matrices())
        state = self._tracker.state
        return State(position, rotation, state.velocity, state.spin)

    def actor(self, body: int) -> Any:
        """The first actor of a body; the anchor in the world below 0."""
        return self._objects()[int(self.actors.first[body]) if body >= 0 else self._anchor]

    def body_of(self, obj: Any) -> int:
        """The body that an object of the temporary scene belongs to; -1 for none."""
        found = self._objects().find(obj.name if obj.parent is None else obj.parent.name)
        return int(self.actors.owners[found]) if 0 <= found < self._anchor else -1

    def relimit(self, world: World) -> bool:
        """Hold joints as another world of the same structure says; whether that can be exact."""
        wanted = Constraints(world, self._kinematics.start)
        if not self.forces.relimit(wanted.left, wanted.braked):
            return False
        joints = {joint.node: joint for joint in world.joints}
        return self._joints.relimit(self._joint_objects(), joints, self.poses())

    def hold_again(self) -> None:
        """Hold what `relimit` let go of; at least one frame has to be between."""
        self._joints.hold_again(self._joint_objects(), self.poses(), self.actor)

    def matrices(self) -> Array:
        """Where the actors are now, (k, 4, 4), in Blender's axes."""
        return stage.matrices(self._objects())

    @property
    def constraints(self) -> Any:
        """The collection of the objects that carry constraints."""
        return cast(Any, bpy.data.collections)[self._constrained]

    def _objects(self) -> Any:
        """The actors, the anchor, and what else is in their collection behind them."""
        return cast(Any, bpy.data.collections)[self._acting].objects

    def _joint_objects(self) -> list[Any]:
        return self.constraints.objects[self._motors.count :]

    @property
    def _anchor(self) -> int:
        return len(self.actors.owners) - 1
