"""Pulls a body of a running preview by one of its points, as the mouse does."""

from __future__ import annotations

from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....axes import points_to_blender, points_to_gltf
from ....geometry.affine import placement
from ....simulation.pull_spring import pull
from ....simulation.state import Array, State
from ..bodies.bodies import Bodies
from ..bodies.motors import TURNS, UNREACHED
from ..bodies.rays import Rays
from ..posing.following import Following
from ..stage import stage, worlds
from ..stage.windows import scene_of

_REACH: Final = 1e5  # m, how far away a body may be that the mouse grabs.


class Grab:
    """Holds at most one body.

    It has three motors of its own, which are there from the start and are put to a body when it
    is grabbed; plain bodies have none.

    Attributes:
        body: which body is held; -1 for none.
        to: (3,), where its point is pulled to, in glTF's axes.
    """

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._names: list[str] = []
        self.body = -1
        self.to: Array = np.zeros(3)
        self._local: Array = np.zeros(3)
        self._last: Array | None = None
        self._rays: Rays | None = None
        self._freed = -1  # The frame in which it let go of a body.
        self._is_tied = False
        self._artist = 0
        self._following: Following | None = None
        self._unseen = set[int]()

    def see(self, scene: Any, following: Following, unseen: set[int]) -> None:
        """Look for bodies in the artist's scene, where these objects show all but `unseen` ones."""
        self._artist, self._following = scene.session_uid, following
        self._unseen = unseen

    def make(self, collection: Any) -> None:
        """Put the objects of its motors into the collection of the constraints."""
        for _ in range(3):
            obj = stage.new_object("Grab", None)
            collection.objects.link(obj)
            self._names.append(obj.name)

    def find(self, origin: Array, direction: Array, layer: Any) -> tuple[int, Array] | None:
        """The body that a ray in Blender's axes meets first, and the place in glTF's.

        Looks for what is seen, then for colliders that nothing is seen of; bodies that no object
        of the scene shows are found by their colliders.
        """
        bodies = self._bodies
        ray = (Vector(np.asarray(origin).tolist()), Vector(np.asarray(direction).tolist()))
        seen = bodies.scene if self._following is None else scene_of(self._artist)
        hit, place, _, _, obj, _ = seen.ray_cast(layer.depsgraph, *ray)
        if hit and obj is not None:
            body = (self._following or bodies).body_of(obj.original)
            found: Array = points_to_gltf(np.array(place, dtype=np.float64))
            nearer = self._met(origin, direction) if self._unseen else None
            if nearer is not None and nearer[0] in self._unseen:
                eye = points_to_gltf(np.asarray(origin, dtype=np.float64))
                if np.linalg.norm(nearer[1] - eye) < np.linalg.norm(found - eye):
                    return nearer
            return (body, found) if self._can_hold(body) else None
        return self._met(origin, direction)

    def _met(self, origin: Array, direction: Array) -> tuple[int, Array] | None:
        """The body whose collider a ray meets first, and where."""
        bodies = self._bodies
        if self._rays is None:
            self._rays = Rays(bodies.world)
        self._rays.place(bodies.poses(), bodies.forces.masses)
        start, along = points_to_gltf(np.array([origin, direction], dtype=np.float64))
        along /= np.linalg.norm(along)
        met = self._rays(start[None], along[None], np.array([_REACH]), np.array([-2]))
        body = int(met.body[0])
        return (body, start + along * met.distance[0]) if self._can_hold(body) else None

    def _can_hold(self, body: int) -> bool:
        return body >= 0 and self._bodies.world.bodies[body].is_forced

    def take(self, body: int, place: Array) -> None:
        """Grab a body at a place (3,) in glTF's axes."""
        self.release()
        bodies = self._bodies
        state = bodies.poses()
        self.body, self.to, self._last = body, place.copy(), None
        self._local = state.rotation[body].T @ (place - state.position[body])
        # What sleeps would not feel it.
        with worlds.unmarked():
            bodies.actor(body).rigid_body.use_deactivation = False

    def _tie(self, place: Array) -> None:
        """Put the motors to the body; Blender must have freed them from another one before."""
        bodies = self._bodies
        for obj, turn in zip(self._objects(), TURNS, strict=True):
            obj.matrix_world = Matrix(placement(turn, points_to_blender(place)).tolist())
            motor = obj.rigid_body_constraint
            motor.object1, motor.object2 = bodies.actor(-1), bodies.actor(self.body)
            motor.disable_collisions = False
            motor.use_motor_lin = True
            motor.motor_lin_max_impulse = 0.0
            motor.type = "MOTOR"
        self._is_tied = True

    def release(self) -> None:
        """Let go."""
        if self.body < 0:
            return
        with worlds.unmarked():
            self._bodies.actor(self.body).rigid_body.use_deactivation = True
            if self._is_tied:
                stage.release(obj.rigid_body_constraint for obj in self._objects())
                self._is_tied, self._freed = False, self._bodies.frame
        self.body = -1

    def point(self, state: State | None = None) -> Array:
        """Where the held point is now, (3,), in glTF's axes."""
        state = self._bodies.poses() if state is None else state
        return state.position[self.body] + state.rotation[self.body] @ self._local

    def pull(self) -> None:
        """Push for the next frame."""
        if self.body < 0:
            return
        bodies = self._bodies
        bodies.forces.disturb(self.body)
        state = bodies.poses()
        now = self.point(state)
        if not self._is_tied:
            if bodies.frame <= self._freed:
                return
            self._tie(now)
        rate = np.zeros(3) if self._last is None else (now - self._last) / bodies.step
        self._last = now
        force = pull(state, bodies.forces.masses, self.body, now, rate, self.to)
        shares = points_to_blender(force).tolist()
        for obj, value in zip(self._objects(), shares, strict=True):
            motor = obj.rigid_body_constraint
            motor.motor_lin_target_velocity = -UNREACHED if value > 0.0 else UNREACHED
            motor.motor_lin_max_impulse = abs(value)

    def _objects(self) -> list[Any]:
        return [bpy.data.objects[name] for name in self._names]
