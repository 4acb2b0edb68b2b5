"""All that pushes bodies in a preview besides what Blender itself does."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ....geometry import gravity_field
from ....geometry.hull import convex_hull
from ....geometry.nearest import MeshSurface
from ....model.document import PhysicsDocument
from ....model.gravity import ShapedGravity
from ....model.joints import JointLimit
from ....model.shapes import Convex, Trimesh
from ....simulation.body_solids import ReadMesh
from ....simulation.bullet.bounces import Bounces
from ....simulation.bullet.bullet_shapes import reach
from ....simulation.bullet.collision_groups import filters_of, sets_meet
from ....simulation.bullet.meetings import Meetings
from ....simulation.bullet.pair_bounces import PairBounces
from ....simulation.bullet.proxies import HEAVIEST
from ....simulation.gravity_forces import VolumeGravity
from ....simulation.joints.drives import Drives, drives_of
from ....simulation.joints.joint_forces import JointForces
from ....simulation.joints.joint_rows import Linkage, locked_axes
from ....simulation.joints.soft_limits import limits_of
from ....simulation.pushes import Push
from ....simulation.state import WORLD, Array, Flags, Indices, Masses, State, Wrench
from ....simulation.trigger_watch import Event, Triggers
from ....simulation.vehicles.thrusters import Nozzles
from ....simulation.vehicles.vehicle_control import Vehicles
from ....simulation.vehicles.vehicle_forces import VehicleForces
from ....simulation.vehicles.vehicle_frames import Places
from ....simulation.vehicles.wheels import WheelNumbers
from ....simulation.world import World
from .rays import Rays

_MOST_BRAKES: Final = 256  # Pushes of brakes in a step; the weakest go without.


class Forces:
    """All forces on the bodies of a world that Blender itself does not make.

    Attributes:
        bodies: (k,), which bodies they may push.
        turning: (k,), which of them they may turn.
        triggers: who is in which volume; None where there are no volumes.
        bounces: finds the pushes that make bodies bounce off what forces do not move.
        pair_bounces: finds those that make bodies bounce off each other.
        short_pushes: how many of these, and of brakes before the ends of ranges, there may be in
            one step.
        vehicles: what drives; None where nothing does.
        wheel_nodes: the nodes of the wheels of `vehicles`, in their order.
    """

    def __init__(
        self,
        world: World,
        document: PhysicsDocument,
        read_mesh: ReadMesh,
        gravity: Array,
        left: Sequence[tuple[int, JointLimit]],
        braked: Sequence[tuple[int, JointLimit]],
        *,
        per_axis: bool,
        substeps: int,
    ) -> None:
        self._world, self._document = world, document
        self.masses = world.masses(HEAVIEST)
        self._gravity, self._substeps, self._per_axis = gravity, substeps, per_axis
        self._falling = np.where(self.masses.is_dynamic[:, None], gravity, 0.0)
        count = len(world.bodies)
        self._pushed, self._turned = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        self._rays = Rays(world)
        self.triggers = self._made_triggers()
        self._volumes = self._made_gravity(read_mesh)
        self._weight = self._made_weight()
        self.short_pushes = 0
        self._joints = self._made_joints(left, braked)
        self.wheel_nodes: tuple[int, ...] = ()
        self.vehicles = self._made_vehicles()
        mine = world.forced
        self._still = Rays(world, ~mine)
        anchors = itertools.count(WORLD - 1, -1)
        self.bounces = Bounces(world.bodies, self._still, anchors, substeps=substeps)
        held = {end.body for joint in world.joints for end in (joint.first, joint.second)}
        self.pair_bounces = PairBounces(
            world.bodies, Meetings(world), held, anchors, substeps=substeps
        )
        self.short_pushes += 2 * len(self.bounces.which) + self.pair_bounces.most
        self.bodies: Indices = np.flatnonzero((self._pushed | self._turned) & mine)
        self.turning: Flags = self._turned[self.bodies]

    @property
    def is_watching(self) -> bool:
        """Whether anything must know where bodies are."""
        return self.is_pushing or self.triggers is not None

    @property
    def is_pushing(self) -> bool:
        """Whether anything may ever push a body."""
        return bool(len(self.bodies)) or bool(self.short_pushes)

    def retarget(self, drives: Drives) -> bool:
        """Give the drives of joints other numbers; whether they are the same drives."""
        return self._joints is not None and self._joints.retarget(drives)

    def relimit(
        self,
        left: Sequence[tuple[int, JointLimit]],
        braked: Sequence[tuple[int, JointLimit]],
    ) -> bool:
        """Give the limits that forces make other numbers; whether they are the same limits."""
        if self._joints is None:
            return not left and not braked
        return self._joints.relimit(limits_of(left, braked, per_axis=self._per_axis))

    def _made_triggers(self) -> Triggers | None:
        volumes, bodies = self._world.volumes, self._world.bodies
        if not volumes:
            return None
        zones, things = ([filters_of(each.solids) for each in some] for some in (volumes, bodies))
        allowed = np.array([[sets_meet(zone, thing) for thing in things] for zone in zones], bool)
        return Triggers(volumes, bodies, allowed.reshape(len(volumes), len(bodies)))

    def _made_gravity(self, read_mesh: ReadMesh) -> VolumeGravity | None:
        volumes = self._world.volumes
        if not any(volume.gravity for volume in volumes):
            return None
        self._pushed |= self.masses.is_dynamic & (self.masses.gravity_factor != 0.0)
        return VolumeGravity(
            volumes,
            self._gravity,
            lambda _state, _masses: self._inside(),
            [self._surface(volume.gravity, read_mesh) for volume in volumes],
            substeps=self._substeps,
        )

    def _inside(self) -> Flags:
        assert self.triggers is not None
        return self.triggers.inside

    def _surface(self, gravity: Any, read_mesh: ReadMesh) -> Any:
        """The surface of shaped gravity."""
        if gravity is None or not isinstance(gravity.field, ShapedGravity):
            return None
        if gravity.field.shape is None:
            return None
        geometry = self._document.shapes[gravity.field.shape].geometry
        return gravity_field.surface_of(geometry, lambda shape: _mesh_surface(shape, read_mesh))

    def _made_weight(self) -> bool:
        """Whether any body has a gravity factor that needs forces."""
        other = self.masses.is_dynamic & (self.masses.gravity_factor != 1.0)
        if not self._gravity.any() or not other.any():
            return False
        self._pushed |= other
        return True

    def _made_joints(
        self,
        left: Sequence[tuple[int, JointLimit]],
        braked: Sequence[tuple[int, JointLimit]],
    ) -> JointForces | None:
        joints = self._world.joints
        drives = [(i, drive) for i, joint in enumerate(joints) for drive in joint.drives]
        if not (drives or left or braked):
            return None
        linkage = Linkage(joints, [locked_axes(joint.limits) for joint in joints])
        limits = limits_of(left, braked, per_axis=self._per_axis)
        self.short_pushes += min(_MOST_BRAKES, 4 * int(limits.brakes.sum()))
        reaches = np.array([reach(body) for body in self._world.bodies])
        made = JointForces(
            linkage, drives_of(drives), limits, substeps=self._substeps, reach=reaches
        )
        at = made.pushed(self.masses)
        self._pushed[at] = self._turned[at] = True
        return made

    def _made_vehicles(self) -> VehicleForces | None:
        document, frames = self._document, self._world.frames
        on_body = [at for at, frame in frames.items() if frame.body != WORLD]
        nodes = [(frames[at], document.nodes[at]) for at in on_body]
        bodies = [(f.body, p.vehicle_body) for f, p in nodes if p.vehicle_body is not None]
        wheels_at = {
            at: p.wheel.wheel
            for at, (_, p) in zip(on_body, nodes, strict=True)
            if p.wheel is not None and p.wheel.wheel is not None
        }
        self.wheel_nodes = tuple(wheels_at)
        wheels = [(frames[at], document.wheels[wheel]) for at, wheel in wheels_at.items()]
        thrusters: list[tuple[Any, Any]] = [
            (f, document.thrusters[p.thruster.thruster])
            for f, p in nodes
            if p.thruster is not None and p.thruster.thruster is not None
        ]
        thrusters += [
            (f, document.hover_thrusters[p.hover_thruster.hover_thruster])
            for f, p in nodes
            if p.hover_thruster is not None and p.hover_thruster.hover_thruster is not None
        ]
        if not (bodies or wheels or thrusters):
            return None
        for at in {b for b, _ in bodies} | {f.body for f, _ in (*wheels, *thrusters)}:
            self._pushed[at] = self._turned[at] = True
        vehicles = Vehicles.of(bodies)
        tires = [
            None if w.physics_material is None else document.physics_materials[w.physics_material]
            for _, w in wheels
        ]
        return VehicleForces(
            vehicles,
            (
                Places.of([f for f, _ in thrusters], vehicles.body),
                Nozzles.of([one for _, one in thrusters]),
            ),
            (
                Places.of([f for f, _ in wheels], vehicles.body),
                WheelNumbers.of([one for _, one in wheels], tires),
            ),
            self.masses,
            self._pull,
            self._rays,
            substeps=self._substeps,
        )

    def _pull(self, state: State, masses: Masses) -> Array:
        """The gravity (n, 3) at all bodies."""
        if self._volumes is None:
            return np.tile(self._gravity, (len(state), 1))
        return self._volumes.accelerations(state, masses)

    def notice(self, before: State, state: State) -> list[Event]:
        """Who has entered or left triggers since the last call, when bodies were as before."""
        if self.triggers is None:
            return []
        passed = self.triggers.passed(before, state, self.masses)
        return passed + self.triggers.update(state, self.masses)

    def wrench(self, state: State, dt: float) -> Wrench:
        """The force and torque on each body in a step of `dt` seconds; `notice` comes before."""
        wrench = self._free(state, dt)
        if self._joints is not None:
            self._joints.apply(state, self.masses, dt, wrench, self._falling)
        return wrench

    @property
    def keep(self) -> Array | None:
        """The share (n,) of its speed that each body may keep in this step; None for all."""
        return None if self._joints is None else self._joints.keep

    @property
    def pull(self) -> Array | None:
        """What volumes accelerate bodies by in this step (n, 3), m/s²; None without any."""
        return None if self._volumes is None else self._volumes.latest

    def disturb(self, body: int) -> None:
        """Take note that somebody else moves a body in this step."""
        if self._joints is not None:
            self._joints.disturbed.add(body)

    def free_accelerations(self, state: State, dt: float) -> Array:
        """What accelerates each body at the start, (n, 3), but for joints and hits."""
        self.notice(state, state)
        forces = self._free(state, dt).force
        return self._falling + forces * self.masses.inverse_mass[:, None]

    def _free(self, state: State, dt: float) -> Wrench:
        """The force and torque on each body but for those of joints."""
        wrench = Wrench.zero(len(self.masses))
        if self._weight:
            extra = (self.masses.gravity_factor - 1.0) * np.where(
                self.masses.is_dynamic, self.masses.mass, 0.0
            )
            wrench.force += extra[:, None] * self._gravity
        if self._volumes is not None:
            self._volumes.apply(state, self.masses, dt, wrench)
        if self.vehicles is not None:
            self._rays.place(state, self.masses)
            self.vehicles.apply(state, self.masses, dt, wrench, self._falling)
        return wrench

    def pushes(self, state: State, dt: float, wrench: Wrench) -> list[Push]:
        """The pushes in a step of `dt` seconds besides `wrench`, which was made before."""
        found = [] if self._joints is None else list(self._joints.brakes)
        masses, falling, pairs = self.masses, self._falling, self.pair_bounces
        struck = pairs.follow(state, masses, dt) if len(pairs.which) else pairs.which
        if len(self.bounces.which):
            self.bounces.forget(struck, pairs.leaving(struck))
            self._still.place(state, masses)
            found += self.bounces.pushes(state, masses, dt, wrench, falling)
        if len(pairs.which):
            known = dict(zip(struck.tolist(), pairs.velocities(struck), strict=True))
            grounded = {i: self.bounces.stopped(i, known.get(i)) for i in self.bounces.begun}
            pairs.redirect(self.bounces.left)
            carried = self.bounces.carried
            more = pairs.pushes(state, masses, dt, (wrench, found), falling, grounded, carried)
            self.bounces.expect(more, masses, dt, struck, pairs.velocities(struck))
            found += more
        return found


def _mesh_surface(shape: Convex | Trimesh, read_mesh: ReadMesh) -> MeshSurface | None:
    """The surface of a mesh, or of its hull; None where it is empty."""
    mesh = None if shape.mesh is None else read_mesh(shape.mesh)
    if mesh is not None and isinstance(shape, Convex):
        mesh = convex_hull(mesh[0])
    return None if mesh is None or not len(mesh[1]) else MeshSurface(*mesh)
