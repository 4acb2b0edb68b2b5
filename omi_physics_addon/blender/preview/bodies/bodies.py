"""The bodies of a running preview, with all that joins, pushes and moves them."""

from __future__ import annotations

from typing import Any, Final, cast

import bpy
import numpy as np

from ....simulation.bullet.proxies import LIGHTEST
from ....simulation.motion import Tracker
from ....simulation.state import Array, State
from ....simulation.trigger_watch import Event
from ....simulation.world import Engine, World
from ...base import groups
from ..input.animation import Samples
from ..input.scene_input import SceneReading
from ..stage import stage
from ..stage.options import PreviewOptions
from ..stage.stage import Stage
from . import bounds
from .actors import Actors, forced
from .bounce_motors import BounceMotors
from .constraints import Constraints
from .forces import Forces
from .kinematics import Kinematics
from .motors import Motors

_LEAST: Final = 10
_CHAINED: Final = 30  # Motors of forces need no agreement between bodies, but chains of joints do.
_MOST: Final = 1000  # Blender allows no more.
_PER_RATIO: Final = 0.3  # For each time that one body is as heavy as another.
_BUDGET: Final = 300_000  # Iterations times bodies, above which a preview is too slow to use.


def iterations(world: World, has_joints: bool) -> int:
    """How often the solver of Bullet goes through all contacts and joints in a substep.

    With fewer, what is heavy sinks into what is light; see `heaviest_carried`.
    """
    masses = _masses(world)
    least = _CHAINED if has_joints else _LEAST
    if not len(masses):
        return least
    most = max(least, min(_MOST, _BUDGET // len(masses)))
    return int(np.clip(_PER_RATIO * masses.max() / masses.min(), least, most))


def heaviest_carried(world: World, has_joints: bool) -> float:
    """The largest mass that the lightest body carries in a stack, kg."""
    masses = _masses(world)
    return iterations(world, has_joints) / _PER_RATIO * float(masses.min(initial=np.inf))


def _masses(world: World) -> Array:
    """Of the bodies that forces move, kg."""
    found = (max(body.mass, LIGHTEST) for body in world.bodies if forced(body))
    return np.array([mass for mass in found if np.isfinite(mass)])


class Bodies:
    """The bodies of one preview.

    Blender's data is kept by name only, because undo may move it in memory.

    Attributes:
        world: what was built of the scene.
        document: the physics of the scene.
        names: by node, the name of the object that it stands for.
        settings: by node of a joint, the name of the settings that its object refers to.
        engine: whose engines decide what the specifications leave open.
        gravity: (3,), of the world, in glTF's axes, m/s².
        actors: the objects that play the bodies.
        forces: what pushes the bodies; whoever drives finds the vehicles there.
        events: who entered and left triggers, and after how many seconds.
        begin: the frame of the temporary scene in which the bodies are let go.
        frame: the frame of the temporary scene that was last made.
        step: seconds of the preview in one frame.
    """

    def __init__(
        self,
        read: SceneReading,
        world: World,
        gravity: Array,
        engine: Engine,
        samples: Samples,
        options: PreviewOptions,
    ) -> None:
        """Take a scene and what was built of it; `samples` are of what keyframes move.

        Raises:
            ValueError: something is too large to be played.
        """
        self.world, self.gravity = world, gravity
        self.engine: Engine = engine
        self.document = read.document
        self.names = tuple(obj.name for obj in read.objects)
        parts = ((at, groups.of_object(obj)) for at, obj in enumerate(read.objects))
        self.settings = {at: part.joint.settings for at, part in parts if part.use_joint}
        self._options, self.step = options, options.step
        self._kinematics = Kinematics(world, samples, options.step)
        self.begin = self._kinematics.begin
        self.frame = 1
        self.actors = Actors(world)
        bounds.require_playable(self.actors, read.nodes, self.names)
        start, created = self._kinematics.start, self._kinematics.created
        per_axis = engine == "OMI"
        # Bullet takes the frames of joints from where bodies are when it makes them.
        self._joints = Constraints(world, created, per_axis=per_axis)
        self.forces = Forces(
            world,
            self.document,
            read.read_mesh,
            gravity,
            self._joints.left,
            per_axis=per_axis,
            substeps=options.substeps,
        )
        self.events: list[tuple[float, Event]] = []
        self._motors = Motors(self.forces.bodies, self.forces.turning)
        self._bounce_motors = BounceMotors(self.forces.bounces.which)
        self._tracker = Tracker(start, options.step, options.substeps)

    # --- start, in this order ---

    def make(self, temporary: Stage) -> None:
        """Make the actors and the motors of forces, in collections that are linked nowhere yet."""
        bodies, held = temporary.collection("Bodies"), temporary.collection("Constraints")
        self._stage, self._acting, self._constrained = temporary.name, bodies.name, held.name
        self.actors.make(bodies, self.names)
        created, at = self._kinematics.created, self.forces.bodies
        self._motors.make(held, created.position[at], created.rotation[at])
        self._motors.make_raft(bodies)

    def make_rigid(self, temporary: Stage) -> None:
        """Make the actors rigid bodies, and the objects of the constraints between them."""
        actors, constraints = self.actors, self._joints
        welds = actors.welds
        bodies = cast(Any, bpy.data.collections)[self._acting]
        count = iterations(self.world, bool(self.world.joints or welds))
        temporary.make_world(bodies, self._options, count)
        actors.configure()
        constraints.exclude(actors.unwanted, actors.owners[:-1])
        constraints.weld(welds)
        constraints.make(self.constraints, actors.matrices[:, :3, 3])

    def constrain(self, temporary: Stage) -> None:
        """Make constraints of all objects in their collection, which may have got others by now."""
        actors, held = self.actors, self.constraints
        self._bounce_motors.make(held)
        temporary.scene.rigidbody_world.constraints = held
        self._motors.configure([actors.objects[actors.first[i]] for i in self.forces.bodies])
        self._joints.configure(actors.first, actors.objects)
        if self.begin > 1:
            for obj, moved in zip(actors.objects, actors.is_moved, strict=True):
                if moved:
                    obj.rigid_body.kinematic = True
        actors.objects, actors.parts = [], []
        self._counts = (len(self._objects()), len(held.objects))

    # --- frames ---

    def animate(self, time: float) -> None:
        """Put what keyframes or constant speeds move where it is at a time."""
        moved, state = self._kinematics.at(time)
        if len(moved):
            self.actors.move(self._objects(), moved, state)

    def launch(self, frame: int) -> None:
        """Move bodies by hand at their speed at the start, and let them go behind that."""
        if frame <= self.begin:
            self.actors.move(self._objects(), *self._kinematics.launched(frame))
        elif frame == self.begin + 1 and self.begin > 1:
            for obj, moved in zip(self._objects(), self.actors.is_moved, strict=False):
                if moved:
                    obj.rigid_body.kinematic = False

    def push(self, frame: int) -> bool:
        """Let forces push in a frame; whether they may push more than bounces."""
        forces = self.forces
        if not forces.is_watching:
            return False
        if frame > self.begin + 1:
            rotation, position = self._read()
            self._tracker.follow(position, rotation)
        state = self._tracker.state
        noticed = forces.notice(state)
        if frame > self.begin + 1:  # Who is inside from the start has not entered.
            self.events += [(self.time, event) for event in noticed]
        if not forces.is_pushing:
            return False
        wrench = forces.wrench(state, self.step)
        self._bounce_motors.write(forces.bounce_pushes(state, self.step, wrench), self.actor)
        if not len(forces.bodies):
            return False
        at = forces.bodies
        constraints: list[Any] = [obj.rigid_body_constraint for obj in self.constraints.objects]
        self._motors.write(constraints, wrench.force[at], wrench.torque[at], state.rotation[at])
        return True

    def require_finite(self) -> None:
        """Refuse to go on where numbers have become too large, by an `OutOfBoundsError`."""
        bounds.require_finite(self.matrices(), self.actors, self.names)

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
        rotation, position = self._read()
        state = self._tracker.state
        return State(position, rotation, state.velocity, state.spin)

    def actor(self, body: int) -> Any:
        """The first actor of a body; the anchor in the world for -1."""
        return self._objects()[int(self.actors.first[body]) if body >= 0 else self._anchor]

    def body_of(self, obj: Any) -> int:
        """The body that an object of the temporary scene belongs to; -1 for none."""
        found = self._objects().find(obj.name if obj.parent is None else obj.parent.name)
        return int(self.actors.owners[found]) if 0 <= found < self._anchor else -1

    def relimit(self, world: World) -> bool:
        """Hold joints as another world of the same structure says; whether that can be exact."""
        per_axis = self.engine == "OMI"
        left = Constraints(world, self._kinematics.created, per_axis=per_axis).left
        if not self.forces.relimit(left):
            return False
        joints = {joint.node: joint for joint in world.joints}
        return self._joints.relimit(self._joint_objects(), joints, self.poses())

    def hold_again(self) -> None:
        """Hold what `relimit` let go of; at least one frame has to be between."""
        self._joints.hold_again(self._joint_objects(), self.poses(), self.actor)

    def _read(self) -> tuple[Array, Array]:
        """Rotations (n, 3, 3) and centres of mass (n, 3) of the bodies, in glTF's axes."""
        return self.actors.read(self.matrices())

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
        found: list[Any] = self.constraints.objects[self._motors.count :]
        return found

    @property
    def _anchor(self) -> int:
        return len(self.actors.owners) - 1
