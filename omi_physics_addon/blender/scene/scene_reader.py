"""From a Blender scene to a physics document."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import bpy
from mathutils import Euler, Quaternion, Vector

from ...axes import Y_TO_Z, Axes
from ...codec.values import carried
from ...issue_codes import Code
from ...issues import Issues
from ...model.bodies import Collider, Motion, Trigger
from ...model.compounds import below, implied_nodes
from ...model.document import InternedLists, NodePhysics, PhysicsDocument
from ...model.fields import MaterialIndex, MeshIndex, NodeIndex, ShapeIndex
from ...model.gravity import GravityVolume
from ...model.shapes import KHR_TYPES, Convex, Geometry, OtherGeometry, Shape, Trimesh
from ..base import groups
from . import property_records, shape_scales
from .derived_masses import Weighing
from .entry_reader import EntryReader
from .feature_reader import FeatureReader, read_world
from .keyed.keyframes import Keyframes
from .mesh_sources import Patch, Slots, Surfaces
from .migrations import MORE_PARTS, PARTS
from .property_records import alike
from .scene_nodes import UPRIGHT, AddedNode, SceneNode, SceneTree

Place = tuple[tuple[float, ...], Quaternion]  # On an object, in Blender's axes.
MeshOf = Callable[[SceneNode, Any, Slots | None], int | None]


@dataclass
class SceneReader:
    """Reads scenes into one document; the lists are shared between them.

    Args:
        mesh_of: the document's index of the mesh of a node and its shape's property group, or of
            the faces of some slots of it; None when there is no such mesh.
        repair: whether imported faults are written in their repaired form.
        apply: whether the export applies modifiers.
        weigh: whether masses that are left to the shapes are worked out.
        note_keyframes: whether records note what moves them, for animations that are written.
    """

    axes: Axes
    issues: Issues
    mesh_of: MeshOf
    repair: bool = False
    apply: bool = False
    weigh: bool = True
    note_keyframes: bool = True
    document: PhysicsDocument = field(default_factory=PhysicsDocument)
    added: list[AddedNode] = field(default_factory=list[AddedNode])
    weighing: Weighing | None = None  # Of what was read last.
    at: str = ""  # Name of the object that is being read.

    def __post_init__(self) -> None:
        """Index the lists that grow."""
        self._lists = InternedLists(self.document)
        self._keyframes = Keyframes(self.issues, are_noted=self.note_keyframes)
        self._entries = EntryReader(self._lists, self.issues, self._keyframes)
        self._surfaces = Surfaces(self.apply)
        self._parts = set[int]()  # Nodes of colliders whose mesh belongs to another one, too.
        self._names: dict[int, str] = {}
        self._shape_users: dict[int, str] = {}
        self._alike: dict[Any, NodePhysics] = {}
        self._tree = SceneTree((), (), self.axes)  # Of what is read.

    def name_of(self, index: int) -> str:
        """The object of a node, for messages."""
        return self._names.get(index, f"node {index}")

    def knows(self, index: int) -> bool:
        """Whether a node stands for an object with physics."""
        return index in self._names

    def user_of_shape(self, index: int) -> str:
        """The first object that has a shape, for messages."""
        return self._shape_users.get(index, f"shape {index}")

    def read(
        self, scene: bpy.types.Scene, nodes: Sequence[SceneNode], parents: Sequence[int]
    ) -> None:
        """Read the physics of `nodes`, which are all nodes that `scene` puts into the file.

        Args:
            parents: for every index that is taken, that of the node above, -1 for none;
                inserted nodes get the indices behind.
        """
        self.read_world(scene)
        tree = self._tree = SceneTree(nodes, parents, self.axes)
        reader = FeatureReader(
            lists=self._lists,
            entries=self._entries,
            tree=tree,
            issues=self.issues,
            read_shape=self._read_shape,
            added=self.added,
            repair=self.repair,
            keyframes=self._keyframes,
        )
        lists: list[tuple[SceneNode, int, Any]] = []
        automatic: list[tuple[SceneNode, Any]] = []
        for node in nodes:
            group = node.group
            if any(map(group.__getattribute__, PARTS)) or group.kept:
                self._names[node.index] = self.at = node.object.name
                self._read_node(node, group, lists, reader)
                self._keyframes.tell_others(node.object, node.object.name)
                if group.use_motion and _is_automatic(group.motion):
                    automatic.append((node, group.motion))
        roles = self._roles() if lists else (set[int](), set[int]())
        for node, index, trigger in lists:
            self.at = node.object.name
            self._read_compound(node, index, trigger, roles)
        self.weighing = Weighing(
            self.document,
            tree.nodes,
            tree.children,
            self.issues,
            y_up=self.axes.y_up,
            apply=self.apply,
            parts=self._parts,
        )
        for node, motion in automatic if self.weigh else ():
            self.at = node.object.name
            self.weighing.complete(node, motion)
        self.at = ""
        self._merge_carried(scene)

    def used(self) -> set[Any]:
        """The data-blocks of the entries that were read."""
        return self._entries.used()

    def read_world(self, scene: bpy.types.Scene) -> None:
        """Take the gravity of the world of a scene, unless one read before has it.

        A file has one; the scene that is shown is to be read first.
        """
        found, taken = read_world(scene, self.axes), self.document.world_gravity
        if taken is None:
            self.document.world_gravity = found
        elif found is not None and found != taken:
            why = (
                f"{scene.name} has another world gravity, but a file can have only one; use "
                "one value for all scenes"
            )
            self.issues.add(Code.EXPORT_OPTION_CHANGED, "export", why)

    def _merge_carried(self, scene: bpy.types.Scene) -> None:
        settings = groups.of_scene(scene)
        for name, text in carried.unpack(settings.kept).items():
            self.document.carried.setdefault(name, carried.pack(text))

    def _read_node(
        self,
        node: SceneNode,
        group: Any,
        lists: list[tuple[SceneNode, int, Any]],
        reader: FeatureReader,
    ) -> None:
        parts: dict[str, Any] = {}
        has_more = any(map(group.__getattribute__, MORE_PARTS))
        solid = self._gravity_place(node, group) if has_more else None
        if group.use_motion:
            read = functools.partial(read_motion, axes=self._tree.axes_of(node))
            parts["motion"] = self._keyframes.noted(read(group.motion), group.motion, read)
        if group.use_collider:
            self._read_collider(node, group.collider, parts)
        if group.use_trigger and solid is None:
            index = self._read_trigger(node, group.trigger, parts, group.use_gravity)
            if group.trigger.mode != "SHAPE":
                lists.append((node, index, group.trigger))
        if has_more:
            reader.read(node, group, parts)
        if solid is not None:
            self._read_placed_gravity(node, group, parts.pop("gravity"), solid)
        if group.kept:
            members = carried.unpack(group.kept)
            parts["carried"] = tuple((name, carried.pack(text)) for name, text in members.items())
        if parts:
            self.document.nodes[node.index] = self._physics(parts)

    def _physics(self, parts: dict[str, Any]) -> NodePhysics:
        """The same for all nodes whose parts are the same records, as those of most are."""
        key = tuple((name, id(part)) for name, part in parts.items())
        if key not in self._alike:
            self._alike[key] = NodePhysics(**parts)  # Which keeps the records, and so their ids.
        return self._alike[key]

    def _read_collider(self, node: SceneNode, group: Any, parts: dict[str, Any]) -> None:
        """A collider for the faces of each surface; all but the first are on nodes of their own."""
        patches = self._surfaces.patches(node.object, group.shape)
        place = self._place(node, group.shape)
        is_parted = group.shape.type == "TRIMESH" and len(patches) > 1
        pieces = [([patch], patch.slots) for patch in patches] if is_parted else [(patches, None)]
        for number, (shown, slots) in enumerate(pieces):
            shape = self._read_shape(node, group.shape, slots)
            collider = alike(
                Collider,
                shape=shape,
                physics_material=self._surface(node, group, shown),
                collision_filter=self._entries.filter(group, node.object),
                carried=group.kept,
            )
            at = node.index
            if number or place is not None:
                name = f"Collider {number + 1}" if number else "Collider"
                at = self._insert(node, place or _ORIGIN, name)
                self.document.nodes[at] = NodePhysics(collider=collider)
            else:
                parts["collider"] = collider
            if number:
                self._parts.add(at)
            self._check_scale(shape, at)

    def _surface(
        self, node: SceneNode, group: Any, patches: Sequence[Patch]
    ) -> MaterialIndex | None:
        """The physics material of a collider; what it does not say, most of what it shows says.

        The faces of a trimesh say it before the collider does.
        """
        own = self._entries.material(group, node.object)
        if (
            patches
            and patches[0].tree is not None
            and (own is None or group.shape.type == "TRIMESH")
        ):
            return self._entries.material_of(patches[0].tree, node.object)
        return own

    def _read_trigger(
        self, node: SceneNode, group: Any, parts: dict[str, Any], has_gravity: bool
    ) -> int:
        """The index of the node that holds the trigger."""
        shape = self._read_shape(node, group.shape) if group.mode == "SHAPE" else None
        trigger = alike(
            Trigger,
            shape=shape,
            collision_filter=self._entries.filter(group, node.object),
            carried=group.kept,
        )
        at = None
        if shape is not None:
            place = self._place(node, group.shape)
            at = None if place is None else self._insert(node, place, "Trigger")
            self._check_scale(shape, node.index if at is None else at)
        if at is None:
            parts["trigger"] = trigger
            self._tree.holders.setdefault(node.index, node.index)
            return node.index
        self.document.nodes[at] = NodePhysics(trigger=trigger)
        if has_gravity:
            # Gravity must stand on a trigger, and its own frame is the object's.
            parts["trigger"] = Trigger(nodes=(NodeIndex(at),))
            return node.index
        self._tree.holders[node.index] = at
        return at

    def _place(self, node: SceneNode, group: Any) -> Place | None:
        """Where a shape sits on the object of a node; None where that is the object's own place."""
        kind = group.type
        if kind == "NONE":
            return None
        lies_along_z = not self._tree.axes_of(node).y_up and kind in UPRIGHT
        location, rotation = group.location[:], group.rotation[:]
        if not any(location) and not any(rotation) and not lies_along_z:
            return None
        turn = Euler(rotation).to_quaternion()
        if lies_along_z:  # From Y, along which glTF's capsules run, to Z, where Blender's do.
            x, y, z, w = Y_TO_Z
            turn = turn @ Quaternion((w, x, y, z))
            if not any(location) and _is_unturned(turn):
                return None
        return location, turn

    def _gravity_place(self, node: SceneNode, group: Any) -> Place | None:
        """Where the shape sits whose surface attracts; None where the object itself does."""
        if not group.use_gravity or group.gravity.type != "SHAPED":
            return None
        shaped = group.gravity.shaped
        if not shaped.use_shape:
            return None
        place = self._place(node, shaped.shape)
        if place is not None and group.use_trigger and group.trigger.mode != "SHAPE":
            why = (
                "the shape of the gravity is written at the object's origin, because several "
                "triggers use that shape"
            )
            self.issues.add(Code.SHAPE_PLACE_NOT_EXPORTED, node.object.name, why)
            return None
        return place

    def _read_placed_gravity(
        self, node: SceneNode, group: Any, gravity: GravityVolume, solid: Place
    ) -> None:
        """Give gravity and its trigger to a new node: in files the shape sits on its node."""
        at = self._insert(node, solid, "Gravity")
        trigger, holder = None, at
        if group.use_trigger:
            own = group.trigger
            shape = self._read_shape(node, own.shape)
            collision_filter = self._entries.filter(own, node.object)
            trigger = Trigger(shape=shape, collision_filter=collision_filter, carried=own.kept)
            place = _seen_from(solid, self._place(node, own.shape) or _ORIGIN)
            if shape is not None and place is not None:
                holder = self._insert(self._tree.nodes[at], place, "Trigger")
                self.document.nodes[holder] = NodePhysics(trigger=trigger)
                trigger = Trigger(nodes=(NodeIndex(holder),))
            self._check_scale(shape, holder)
            self._tree.holders[node.index] = holder
        self.document.nodes[at] = NodePhysics(trigger=trigger, gravity=gravity)

    def _check_scale(self, shape: ShapeIndex | None, at: int) -> None:
        if shape is not None:
            geometry, node = self.document.shapes[shape].geometry, self._tree.nodes[at]
            axes = self._tree.axes_of(node)
            shape_scales.tell_uneven(geometry, node.matrix, axes, node.object.name, self.issues)

    def _read_shape(
        self, node: SceneNode, group: Any, slots: Slots | None = None
    ) -> ShapeIndex | None:
        geometry = self._read_geometry(node, group, slots)
        if geometry is None:
            return None
        shape = Shape(geometry=geometry, name=group.name, carried=group.kept)
        index = self._lists.shapes.index(shape)
        if index not in self._shape_users:
            self._shape_users[index] = node.object.name
        return ShapeIndex(index)

    def _read_geometry(self, node: SceneNode, group: Any, slots: Slots | None) -> Geometry | None:
        kind, word = group.type, group.type.lower()
        if word in KHR_TYPES:
            read = functools.partial(
                property_records.read, record=KHR_TYPES[word], axes=self._tree.axes_of(node)
            )
            sizes = getattr(group, word)
            return self._keyframes.noted(read(sizes), sizes, read)
        if kind == "NONE":
            return None
        if kind == "OTHER":
            return OtherGeometry(type=group.other_type, carried=group.geometry_kept)
        index = self.mesh_of(node, group, slots)
        if index is None:
            self.issues.add(
                Code.SHAPE_MESH_MISSING,
                node.object.name,
                "the shape has no mesh, so it is not written; choose a mesh",
            )
            return None
        record = Convex if kind == "CONVEX" else Trimesh
        return record(mesh=MeshIndex(index), carried=group.geometry_kept)

    def _insert(self, node: SceneNode, place: Place, suffix: str) -> int:
        axes, (location, turn) = self._tree.axes_of(node), place
        w, x, y, z = turn
        added = AddedNode(
            index=self._tree.new_index(node.index, location, turn),
            parent=node.index,
            name=f"{node.object.name} {suffix}",
            translation=axes.point_to_gltf(property_records.rounded(location)),
            rotation=axes.turn_to_gltf((x, y, z, w)),
        )
        self.added.append(added)
        self._names[added.index] = node.object.name
        return added.index

    def _read_compound(
        self, node: SceneNode, index: int, group: Any, roles: tuple[set[int], set[int]]
    ) -> None:
        name, tree = node.object.name, self._tree
        if group.mode == "LIST":
            found = [tree.find(item.object, node.index) for item in group.nodes]
            for item, at in zip(group.nodes, found, strict=True):
                if at is None:
                    what = item.object.name if item.object else "nothing"
                    self.issues.add(
                        Code.REFERENCE_NOT_EXPORTED,
                        name,
                        f"the trigger lists {what}, which is not exported",
                    )
            listed = tuple(dict.fromkeys(at for at in found if at is not None))
        elif group.unlisted and not self.repair:
            return
        else:
            listed = implied_nodes(index, tree.children, *roles)
        if not listed:
            self.issues.add(
                Code.TRIGGER_WITHOUT_SHAPE,
                name,
                "the trigger has no shape and no triggers below, so it detects nothing; "
                "add a shape",
            )
        self._check_compound(name, index, listed)
        physics = self.document.nodes[index]
        nodes = tuple(NodeIndex(at) for at in listed)
        trigger = dataclasses.replace(physics.trigger or Trigger(), nodes=nodes)
        self.document.nodes[index] = dataclasses.replace(physics, trigger=trigger)

    def _check_compound(self, name: str, index: int, listed: Sequence[int]) -> None:
        inside = set(below(index, self._tree.children))
        for at in listed:
            if at == index:
                self.issues.add(Code.TRIGGER_LISTS_ITSELF, name, "the trigger lists itself")
            elif at not in inside:
                self.issues.add(
                    Code.TRIGGER_NODE_NOT_BELOW,
                    name,
                    f"{self.name_of(at)} is not below the trigger",
                )
            physics = self.document.nodes.get(at)
            if physics is None or physics.trigger is None:
                self.issues.add(
                    Code.TRIGGER_NODE_NO_TRIGGER,
                    name,
                    f"{self.name_of(at)} is listed but no trigger",
                )

    def _roles(self) -> tuple[set[int], set[int]]:
        """The triggers with a shape, and the nodes that claim what is below them."""
        shaped, claiming = set[int](), set[int]()
        for at, physics in self.document.nodes.items():
            if physics.trigger is not None:
                (claiming if physics.trigger.shape is None else shaped).add(at)
            if physics.motion is not None:
                claiming.add(at)
        return shaped, claiming


_ORIGIN: Final = ((0.0, 0.0, 0.0), Quaternion())
# Two places are the same that are so near, m, and the cosine of half their angle is so near to 1.
_SAME_PLACE: Final = 1e-6


def read_motion(group: Any, axes: Axes) -> Motion:
    """The motion that a property group shows."""
    known: dict[str, Any] = {}
    if group.mass_mode != "VALUE":
        known["mass"] = math.inf if group.mass_mode == "INFINITE" else None
    if group.center_of_mass_mode != "VALUE":
        known["center_of_mass"] = None
    if group.inertia_mode != "VALUE":
        infinite = group.inertia_mode == "INFINITE"
        known["inertia_diagonal"] = (math.inf,) * 3 if infinite else None
        known["inertia_orientation"] = Motion.inertia_orientation
    return property_records.read(group, Motion, axes, **known)


def _seen_from(frame: Place, place: Place) -> Place | None:
    """A place against another one; None where they are the same."""
    back = frame[1].inverted()
    moved = back @ (Vector(place[0]) - Vector(frame[0]))
    turn = back @ place[1]
    if moved.length < _SAME_PLACE and _is_unturned(turn):
        return None
    return (moved.x, moved.y, moved.z), turn


def _is_unturned(turn: Quaternion) -> bool:
    return abs(turn.w) > 1.0 - _SAME_PLACE


def _is_automatic(motion: Any) -> bool:
    return (
        motion.mass_mode == "DENSITY"
        or motion.center_of_mass_mode == "SHAPES"
        or motion.inertia_mode == "SHAPES"
    )
