"""Actors: the objects of the temporary scene that play the bodies of a world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from mathutils import Matrix

from ....axes import TO_GLTF, points_to_blender, points_to_gltf
from ....geometry.affine import placement
from ....geometry.rotations import quaternions
from ....simulation.bullet import collision_groups, proxies
from ....simulation.bullet.bullet_shapes import BulletShape
from ....simulation.bullet.proxies import Proxy
from ....simulation.state import Array, State
from ....simulation.world import World
from ..stage import stage

_SLEEP_SPEED: Final = 0.01  # m/s and rad/s below which Bullet may put a body to sleep.
_ANCHOR: Final = -1
_QUATERNION: Final = 0  # Of rotation modes, in Blender's files.
_UNIT: Final = np.array([[-0.5] * 3, [0.5] * 3])


class Actors:
    """The actors of all bodies of a world, and the anchor of what is held to the world itself.

    Attributes:
        owners: for every actor the index of its body, -1 for the anchor in the world.
        plans: for every actor the proxy that it is made of.
        first: for every body the number of its first actor.
        objects: only while the preview is being made; afterwards they are found by collection.
        unwanted: pairs of actors that would collide although they should not.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.plans: list[Proxy] = []
        owners: list[int] = []
        for i, found in enumerate(proxies.proxies_of(world.bodies)):
            self.plans += found
            owners += [i] * len(found)
        self.owners = np.array([*owners, _ANCHOR], dtype=np.int64)
        bodies = range(len(world.bodies))
        self.first = np.searchsorted(self.owners[:-1], bodies) if owners else np.zeros(0, int)
        self._axes = np.array([p.axes for p in self.plans]).reshape(-1, 3, 3)
        self._places = np.array([p.place for p in self.plans]).reshape(-1, 3)
        self._scales = np.array([p.scale for p in self.plans]).reshape(-1, 3)
        self.objects: list[Any] = []
        # Of each part of a compound: its object, its shape, and the actor it belongs to.
        self.parts: list[tuple[Any, BulletShape, Any]] = []
        self.matrices: Array = np.zeros((0, 4, 4))  # Of the actors as they are made.
        self.unwanted: list[tuple[int, int]] = []
        self._meshes: dict[Any, Any] = {}

    @property
    def welds(self) -> list[tuple[int, int]]:
        """The pairs of actors that are welded together, as they play one body that forces move."""
        owners: list[int] = self.owners.tolist()
        several = [i for i, plan in enumerate(self.plans) if plan.share < 1.0]
        return [(a, b) for a in several for b in several if a < b and owners[a] == owners[b]]

    @property
    def is_moved(self) -> Any:
        """(k + 1,), whether forces move each actor; the anchor is the last."""
        return np.append(self.world.forced[self.owners[:-1]], False)

    def make(self, collection: Any, names: Sequence[str]) -> None:
        """Make the objects and put them into a collection that is not linked yet.

        The children of compounds come last; Blender looks for them in the world's collection.

        Args:
            names: of the nodes that the bodies are of, for those who look into the scene.
        """
        unit = self._unit()
        owners: list[int] = self.owners[:-1].tolist()
        for owner in owners:
            obj = stage.new_object(names[self.world.bodies[owner].node], unit)
            collection.objects.link(obj)
            self.objects.append(obj)
        self._place(collection)
        anchor = stage.new_object("World", self._unit())
        anchor.rotation_mode = "QUATERNION"
        collection.objects.link(anchor)
        self.objects.append(anchor)
        for plan, obj in zip(self.plans, self.objects, strict=False):
            if plan.is_compound:
                self._make_parts(plan, obj, collection)

    def _place(self, collection: Any) -> None:
        """Put the actors, all that a collection has by now, where their bodies are at the start."""
        turned, placed = self.poses(self.world.state())
        self.matrices = placement(turned * self._scales[:, None, :], placed)
        turns = np.roll(quaternions(turned), 1, axis=1)  # Blender's begin with w.
        modes = np.full(len(self.plans), _QUATERNION, dtype=np.int32)
        collection.objects.foreach_set("rotation_mode", modes)
        for name, values in (
            ("location", placed),
            ("rotation_quaternion", turns),
            ("scale", self._scales),
        ):
            collection.objects.foreach_set(name, values.astype(np.float32).ravel())

    def _make_parts(self, plan: Proxy, parent: Any, collection: Any) -> None:
        for part in plan.parts:
            primitive = part.kind != "CONVEX_HULL"
            vertices = part.vertices
            mesh = self._two_points(vertices) if primitive else stage.new_mesh(vertices)
            obj = stage.new_object("BulletShape", mesh)
            collection.objects.link(obj)
            self.parts.append((obj, part, parent))

    def shape(self) -> None:
        """Give a mesh of its size to every actor that shows no mesh of the artist's by now."""
        unit = self._unit()
        for obj, plan in zip(self.objects, self.plans, strict=False):
            mesh = self._mesh(plan) if obj.data == unit else unit
            if mesh != unit:
                obj.data = mesh

    def _unit(self) -> Any:
        return self._two_points(_UNIT)

    def _mesh(self, plan: Proxy) -> Any:
        if plan.is_compound or not plan.parts:
            return self._unit()
        part = plan.parts[0]
        if not _is_solid(plan):
            return self._two_points(part.vertices)
        if plan not in self._meshes:
            self._meshes[plan] = stage.new_mesh(part.vertices, part.triangles)
        return self._meshes[plan]

    def _two_points(self, vertices: Array) -> Any:
        key = vertices.tobytes()
        mesh = self._meshes.get(key)
        if mesh is None:
            mesh = self._meshes[key] = stage.new_mesh(vertices)
        return mesh

    def configure(self, frictions: Array) -> None:
        """Set masses, shapes, surfaces and groups, once the actors are rigid bodies.

        Args:
            frictions: (k,), of each actor.
        """
        kinds = _CollisionKinds(self.world, self.plans, self.owners)
        owners: list[int] = self.owners.tolist()
        for i, obj in enumerate(self.objects[:-1]):
            plan, body = self.plans[i], self.world.bodies[owners[i]]
            rigid = obj.rigid_body
            rigid.collision_shape = _shape_of(plan)
            rigid.mesh_source = "BASE"  # From 4.5 on, the evaluated one is missing at times.
            rigid.use_margin, rigid.collision_margin = True, plan.margin
            rigid.friction, rigid.restitution = frictions[i], 0.0
            rigid.collision_collections = kinds.groups(i)
            if not body.is_forced:
                rigid.type = "PASSIVE"
                rigid.kinematic = body.type == "kinematic" or body.is_animated
                continue
            rigid.mass = min(max(body.mass, proxies.LIGHTEST), proxies.HEAVIEST) * plan.share
            rigid.linear_damping = rigid.angular_damping = 0.0
            rigid.deactivate_linear_velocity = rigid.deactivate_angular_velocity = _SLEEP_SPEED
        for obj, part, parent in self.parts:
            rigid = obj.rigid_body
            rigid.collision_shape = part.kind
            rigid.mesh_source = "BASE"
            rigid.type = "PASSIVE"
            rigid.use_margin, rigid.collision_margin = True, 0.0
            # Below what is no compound yet, Blender would see bodies that move each other.
            obj.parent = parent
            obj.matrix_basis = Matrix(placement(part.rotation, part.place).tolist())
        anchor = self.objects[-1].rigid_body
        anchor.type = "PASSIVE"
        anchor.collision_collections = [False] * collision_groups.GROUPS
        self.unwanted = kinds.unwanted()

    def poses(self, state: State) -> tuple[Array, Array]:
        """Rotations (k, 3, 3) and places (k, 3) of the actors, in Blender's axes."""
        owners = self.owners[:-1]
        masses = self.world.masses()
        origin = state.origin(masses)
        rotation = state.rotation[owners]
        turned = TO_GLTF.T @ rotation @ self._axes
        places = origin[owners] + np.einsum("nij,nj->ni", rotation, self._places)
        return turned, points_to_blender(places)

    def read(self, matrices: Array) -> tuple[Array, Array]:
        """Rotations (n, 3, 3) and centres of mass (n, 3) of the bodies, in glTF's axes.

        Args:
            matrices: (k, 4, 4), of the actors and the anchor, in Blender's axes.
        """
        mine = matrices[self.first]
        at = self.first
        turned = TO_GLTF @ (mine[:, :3, :3] / self._scales[at][:, None, :])
        rotation = turned @ self._axes[at].transpose(0, 2, 1)
        origin = points_to_gltf(mine[:, :3, 3])
        centers = np.array([b.center for b in self.world.bodies]).reshape(-1, 3)
        away = centers - self._places[at]
        return rotation, origin + np.einsum("nij,nj->ni", rotation, away)

    def move(self, objects: Sequence[Any], bodies: Any, state: State) -> None:
        """Put the actors of some bodies where these are in a state.

        Args:
            objects: all actors.
            bodies: indices.
        """
        turned, placed = self.poses(state)
        moved = np.flatnonzero(np.isin(self.owners[:-1], bodies))
        matrices = placement(turned[moved] * self._scales[moved, None, :], placed[moved])
        for matrix, obj in zip(matrices.tolist(), stage.picked(objects, moved), strict=True):
            obj.matrix_world = Matrix(matrix)


def _is_solid(plan: Proxy) -> bool:
    """Whether Bullet takes all points of an actor's mesh, and not its bounding box only."""
    return len(plan.parts) == 1 and not plan.is_compound and len(plan.parts[0].vertices) != 2


def _shape_of(plan: Proxy) -> str:
    """Blender's name for the collision shape of an actor."""
    if not plan.parts:
        return "BOX"
    return "COMPOUND" if plan.is_compound else plan.parts[0].kind


class _CollisionKinds:
    """The collision groups of all actors, found for each kind once."""

    def __init__(self, world: World, plans: Sequence[Proxy], owners: Any) -> None:
        self._plans = plans
        moving: list[bool] = world.forced[owners[:-1]].tolist()
        filters = [collision_groups.filters_of(plan.solids) for plan in plans]
        self._kind, sets = collision_groups.grouped_kinds(list(zip(filters, moving, strict=True)))
        self._members = [row.tolist() for row in sets.members]
        self._extra = sets.extra

    def groups(self, i: int) -> list[bool]:
        """For each collision group whether an actor is in it; in none without a solid."""
        if not self._plans[i].solids:
            return [False] * collision_groups.GROUPS
        return self._members[self._kind[i]]

    def unwanted(self) -> list[tuple[int, int]]:
        """Pairs of actors that share a group although they should not meet."""
        of_kind: dict[int, list[int]] = {}
        for i, kind in enumerate(self._kind):
            if self._plans[i].solids:
                of_kind.setdefault(kind, []).append(i)
        return [
            (a, b)
            for first, second in self._extra
            for a in of_kind.get(first, ())
            for b in of_kind.get(second, ())
            if first != second or a < b
        ]
