"""From a physics document and a tree of nodes to the bodies that a preview moves."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from ..geometry import inertia
from ..geometry.arrays import Array
from ..geometry.inertia import MassProperties
from ..geometry.rotations import nearest_rotation, nearest_rotations, rotation_matrix
from ..model.bodies import Collider, Motion, Trigger
from ..model.compounds import implied_nodes
from ..model.document import NodePhysics, PhysicsDocument
from .body_solids import ReadMesh, formed, weigh, without_noise
from .state import WORLD
from .world import Body, Engine, Form, Frame, JointFrames, Mesh, Node, Solid, Volume, World

DENSITY: Final = 1000.0  # kg/m³, of water, where KHR leaves a mass to the engine.
_DEFAULT_MASS_KG: Final = 1.0  # kg, of a body without anything to weigh; OMI's default.
_POSE_DECIMALS: Final = 6  # Decimals of places and rotations in which bodies that are alike agree.
_DEFAULT_BALL_RADIUS_M: Final = 0.5  # m, of the ball whose inertia a body without shapes gets.


def build(
    document: PhysicsDocument, nodes: Sequence[Node], read_mesh: ReadMesh, *, engine: Engine = "OMI"
) -> World:
    """The bodies of a document, in the world.

    Args:
        nodes: by index; parents may stand anywhere.
        read_mesh: corners and triangles of a mesh of the document, in the axes of its node.
        engine: whose engines decide what the specifications leave open: masses and centres that
            are not given, and in which axes velocities are.
    """
    return _Builder(document, nodes, read_mesh, engine).world()


@dataclass
class _Place:
    """A space without scale."""

    rotation: Array
    place: Array

    def inner(self, matrix: Array) -> tuple[Array, Array]:
        """The linear part (3, 3) and the place (3,) of a matrix of the world in this space."""
        back = self.rotation.T
        return back @ matrix[:3, :3], back @ (matrix[:3, 3] - self.place)


class _Builder:
    """Builds one world."""

    def __init__(
        self, document: PhysicsDocument, nodes: Sequence[Node], read_mesh: ReadMesh, engine: Engine
    ) -> None:
        self._document, self._nodes = document, nodes
        self._read_mesh = read_mesh
        self._engine: Engine = engine
        self._children: list[list[int]] = [[] for _ in nodes]
        for i, node in enumerate(nodes):
            if 0 <= node.parent < len(nodes):
                self._children[node.parent].append(i)
        self._rows = {at: i for i, at in enumerate(document.nodes)}
        linears = np.array([nodes[at].matrix[:3, :3] for at in self._rows]).reshape(-1, 3, 3)
        self._turns = nearest_rotations(linears)
        # Of each node along its own axes without scale.
        self._stretches = without_noise(np.einsum("nji,njk->nik", self._turns, linears))
        self._owners: dict[int, int] = {}
        self._body_of: dict[int, int] = {}
        self._places: list[_Place] = []
        self._forms: dict[tuple[int, bytes], tuple[Form, Array] | None] = {}
        self._meshes: dict[tuple[bytes, bytes, bool], Mesh] = {}
        self._wholes: dict[tuple[Form, bytes], MassProperties | None] = {}
        self._weights: dict[tuple[object, ...], tuple[float, Array, Array, Array]] = {}

    def world(self) -> World:
        """All of it."""
        colliders: dict[int, list[int]] = {}
        alone: list[int] = []
        for at, physics in self._document.nodes.items():
            if physics.motion is not None:
                colliders.setdefault(at, [])
        for at, physics in self._document.nodes.items():
            if physics.collider is None or physics.collider.shape is None:
                continue
            owner = self._owner(at)
            if owner == WORLD:
                alone.append(at)
            else:
                colliders[owner].append(at)
        bodies = [self._body(at, members) for at, members in colliders.items()]
        bodies += [self._static(at) for at in alone]
        self._body_of = {body.node: i for i, body in enumerate(bodies)}
        self._places = [_Place(body.rotation, body.place) for body in bodies]
        members = list(self._document.nodes)
        return World(
            bodies=tuple(bodies),
            body_of={at: i for at in members if (i := self._body_at(at)) != WORLD},
            joints=self._joints(),
            volumes=self._volumes(),
            frames={at: self._frame(at) for at in members if _is_part(self._document.nodes[at])},
            gravity=self._document.world_gravity,
            engine=self._engine,
        )

    def _owner(self, at: int) -> int:
        """The node whose motion moves a node; `WORLD` for none."""
        chain: list[int] = []
        found = WORLD
        while 0 <= at < len(self._nodes) and at not in chain:
            if at in self._owners:
                found = self._owners[at]
                break
            chain.append(at)
            physics = self._document.nodes.get(at)
            if physics is not None and physics.motion is not None:
                found = at
                break
            at = self._nodes[at].parent
        for each in chain:
            self._owners[each] = found
        return found

    def _body_at(self, at: int) -> int:
        """The index of the body that moves a node; `WORLD` for none."""
        if at in self._body_of:
            return self._body_of[at]
        return self._body_of.get(self._owner(at), WORLD)

    def _place_of(self, at: int) -> _Place:
        return _Place(self._turns[self._rows[at]], self._nodes[at].matrix[:3, 3].copy())

    def _formed(self, shape: int, stretch: Array) -> tuple[Form, Array] | None:
        """What `formed` finds, once for shapes that are alike."""
        key = (shape, stretch.tobytes())
        if key not in self._forms:
            geometry = self._document.shapes[shape].geometry
            found = formed(geometry, stretch, self._read_mesh)
            if found is not None:
                form, turn = found
                turn.flags.writeable = False  # Several bodies have it.
                found = (self._known(form) if isinstance(form, Mesh) else form, turn)
            self._forms[key] = found
        return self._forms[key]

    def _known(self, mesh: Mesh) -> Mesh:
        """The first mesh that was the same, as copies of objects have copies of meshes."""
        key = (mesh.corners.tobytes(), mesh.triangles.tobytes(), mesh.is_convex)
        return self._meshes.setdefault(key, mesh)

    def _solid(self, at: int, part: Collider | Trigger, place: _Place, whose: int) -> Solid | None:
        """The solid of a node in the space of a node without its scale."""
        if part.shape is None:
            return None
        if at == whose:
            stretch, origin = self._stretches[self._rows[at]], np.zeros(3)
        else:
            linear, origin = place.inner(self._nodes[at].matrix)
            (stretch,) = without_noise(linear[None])
        found = self._formed(part.shape, stretch)
        if found is None:
            return None
        document = self._document
        material = part.physics_material if isinstance(part, Collider) else None
        chosen = part.collision_filter
        return Solid(
            node=at,
            form=found[0],
            rotation=found[1],
            place=origin,
            material=None if material is None else document.physics_materials[material],
            filter=None if chosen is None else document.collision_filters[chosen],
        )

    def _solids(self, members: Sequence[int], place: _Place, whose: int) -> tuple[Solid, ...]:
        colliders = ((at, cast(Collider, self._document.nodes[at].collider)) for at in members)
        found = (self._solid(at, collider, place, whose) for at, collider in colliders)
        return tuple(solid for solid in found if solid is not None)

    def _body(self, at: int, members: Sequence[int]) -> Body:
        place = self._place_of(at)
        motion = cast(Motion, self._document.nodes[at].motion)
        solids = self._solids(members, place, at)
        mass, center, axes, moments = self._weigh(self._with_scaled_center(at, motion), solids)
        turn = place.rotation  # OMI does not say whose axes; KHR does.
        return Body(
            node=at,
            type=motion.type,
            rotation=place.rotation,
            place=place.place,
            solids=solids,
            mass=mass,
            center=center,
            principal_axes=axes,
            moments=moments,
            velocity=turn @ np.array(motion.linear_velocity),
            spin=turn @ np.array(motion.angular_velocity),
            gravity_factor=motion.gravity_factor,
            is_animated=self._nodes[at].is_animated,
            motion=motion,
        )

    def _with_scaled_center(self, at: int, motion: Motion) -> Motion:
        """A motion whose center is along the axes of the body's place, which has no scale."""
        if motion.center_of_mass is None or not any(motion.center_of_mass):
            return motion
        linear, _ = self._place_of(at).inner(self._nodes[at].matrix)
        x, y, z = map(float, linear @ np.array(motion.center_of_mass))
        return dataclasses.replace(motion, center_of_mass=(x, y, z))

    def _weigh(
        self, motion: Motion, solids: tuple[Solid, ...]
    ) -> tuple[float, Array, Array, Array]:
        """What `_weighed` finds, once for bodies that are alike."""
        if motion.type != "dynamic":
            return _weighed(motion, None, self._engine)
        if len(solids) != 1:
            return _weighed(motion, weigh(solids), self._engine)
        (solid,) = solids
        place = np.concatenate([solid.rotation.ravel(), solid.place]).round(_POSE_DECIMALS) + 0.0
        alike = (solid.form, place.tobytes())
        given = (motion.type, motion.mass, motion.center_of_mass, motion.inertia_diagonal)
        key = (*alike, *given, motion.inertia_orientation)
        if key not in self._weights:
            if alike not in self._wholes:
                self._wholes[alike] = weigh(solids)
            self._weights[key] = _weighed(motion, self._wholes[alike], self._engine)
        return self._weights[key]

    def _static(self, at: int) -> Body:
        """The body of a collider that no motion moves."""
        place = self._place_of(at)
        return Body(
            node=at,
            type="static",
            rotation=place.rotation,
            place=place.place,
            solids=self._solids([at], place, at),
            is_animated=self._nodes[at].is_animated,
        )

    def _frame(self, at: int) -> Frame:
        """A node's frame on the body that moves it, or in the world."""
        return self._frame_on(at, self._body_of.get(self._owner(at), WORLD))

    def _frame_on(self, at: int, body: int) -> Frame:
        place = _Place(np.eye(3), np.zeros(3)) if body == WORLD else self._places[body]
        linear, origin = place.inner(self._nodes[at].matrix)
        return Frame(body, origin, nearest_rotation(linear))

    def _end(self, at: int) -> Frame:
        """The frame of one end of a joint; that on a collider without a body is on the collider."""
        chain: list[int] = []
        above = at
        while self._owner(at) == WORLD and 0 <= above < len(self._nodes) and above not in chain:
            if above in self._body_of:
                return self._frame_on(at, self._body_of[above])
            chain.append(above)
            above = self._nodes[above].parent
        return self._frame(at)

    def _joints(self) -> tuple[JointFrames, ...]:
        """The joints that hold something: with settings, two nodes, and at least one body."""
        found: list[JointFrames] = []
        for at, physics in self._document.nodes.items():
            joint = physics.joint
            if joint is None or joint.joint is None or joint.connected_node is None:
                continue
            first, second = self._end(at), self._end(joint.connected_node)
            if first.body == second.body:
                continue
            settings = self._document.joint_settings[joint.joint]
            found.append(
                JointFrames(
                    at, first, second, settings.limits, settings.drives, joint.enable_collision
                )
            )
        return tuple(found)

    def _volumes(self) -> tuple[Volume, ...]:
        nodes = self._document.nodes
        shaped = {i for i, p in nodes.items() if p.trigger and p.trigger.shape is not None}
        claiming = {i for i, p in nodes.items() if p.motion}
        claiming |= {i for i, p in nodes.items() if p.trigger and p.trigger.shape is None}
        found: list[Volume] = []
        for at, physics in nodes.items():
            if physics.trigger is None:
                continue
            members: Sequence[int] = physics.trigger.nodes
            if physics.trigger.shape is not None:
                members = (at,)
            elif not members:
                members = implied_nodes(at, self._children, shaped, claiming)
            found.append(self._volume(at, members, physics))
        return tuple(found)

    def _volume(self, at: int, members: Sequence[int], physics: NodePhysics) -> Volume:
        place = self._place_of(at)
        solids: list[Solid] = []
        for member in members:
            other = self._document.nodes.get(member)
            if other is not None and other.trigger is not None:
                solid = self._solid(member, other.trigger, place, at)
                if solid is not None:
                    solids.append(solid)
        scale = np.linalg.norm(self._nodes[at].matrix[:3, :3], axis=0)
        return Volume(at, self._frame(at), tuple(solids), physics.gravity, scale)


def _is_part(physics: NodePhysics) -> bool:
    parts = (physics.vehicle_body, physics.wheel, physics.thruster, physics.hover_thruster)
    return any(part is not None for part in (*parts, physics.seat))


def _weighed(
    motion: Motion, whole: MassProperties | None, engine: Engine
) -> tuple[float, Array, Array, Array]:
    """Mass, centre (3,), principal axes (3, 3) and moments (3,) of a body.

    Args:
        whole: what its solids weigh at 1 kg/m³; None where none has a volume.
    """
    if motion.type != "dynamic":
        center = np.zeros(3) if motion.center_of_mass is None else np.array(motion.center_of_mass)
        return np.inf, center, np.eye(3), np.full(3, np.inf)
    mass = motion.mass
    if mass is None or mass <= 0.0:
        mass = whole.mass * DENSITY if whole is not None and engine == "KHR" else _DEFAULT_MASS_KG
    if motion.center_of_mass is not None:
        center = np.array(motion.center_of_mass)
    else:
        center = whole.center if whole is not None and engine == "KHR" else np.zeros(3)
    given = motion.inertia_diagonal
    if given is not None and all(moment > 0.0 for moment in given):
        return mass, center, rotation_matrix(motion.inertia_orientation), np.array(given)
    if whole is None:
        moments = np.full(3, 0.4 * mass * _DEFAULT_BALL_RADIUS_M**2)
        return mass, center, np.eye(3), moments
    heavy = inertia.with_mass(whole, mass if np.isfinite(mass) else 1.0)
    away = heavy.center - center
    tensor = heavy.tensor
    if away.any():
        tensor = tensor + heavy.mass * (away @ away * np.eye(3) - np.outer(away, away))
    moments, turn = inertia.principal(tensor)
    if not np.isfinite(mass):
        moments = np.full(3, np.inf)
    return mass, center, rotation_matrix(turn), moments
