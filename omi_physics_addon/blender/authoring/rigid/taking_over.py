"""Makes Blender's rigid bodies and constraints bodies, colliders and joints of ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ....axes import Axes
from ....issue_codes import Code, Severity
from ....issues import Issues
from ....model.bodies import Collider, Motion
from ....model.document import InternedLists, NodePhysics, PhysicsDocument
from ....model.fields import (
    FilterIndex,
    JointIndex,
    MaterialIndex,
    MeshIndex,
    NodeIndex,
    ShapeIndex,
)
from ....model.joints import Joint, turned
from ....model.shapes import Convex, Shape, Trimesh
from ....simulation.rigid import bodies, constraints, shapes
from ....simulation.rigid.values import BODY, Values, residue
from ...base import groups, mesh_arrays
from ...base.hierarchy import Homes, ancestors, new_empty
from ...scene import joint_settings
from ...scene.scene_nodes import Target
from ...scene.scene_writer import SceneWriter
from .. import joint_making
from . import blender_values as blender


@dataclass
class Taken:
    """What was taken over.

    Attributes:
        document: what our physics says now of the objects.
        objects: by node of the document; those whose physics is new.
    """

    document: PhysicsDocument = field(default_factory=PhysicsDocument)
    objects: list[Any] = field(default_factory=list[Any])
    issues: Issues = field(default_factory=Issues)


def chosen_of(scene: Any, selected: Collection[Any] | None) -> tuple[list[Any], list[Any]]:
    """The rigid bodies and the constraints to take over.

    Args:
        selected: None for all of the scene; parts of a selected compound, the bodies of a selected
            constraint and the constraints between selected bodies belong to it.
    """
    every, joints = blender.bodies_of(scene), blender.constraints_of(scene)
    if selected is None:
        return every, joints
    there = set(every)
    wanted = there.intersection(selected)
    found = [
        obj
        for obj in joints
        if obj in selected or wanted.issuperset(_ends(obj.rigid_body_constraint))
    ]
    for obj in found:
        wanted.update(there.intersection(_ends(obj.rigid_body_constraint)))
    for obj in every:  # Parts stand behind or before what they are parts of.
        if any(above in wanted for above in _compounds_above(obj, there)):
            wanted.add(obj)
    return [obj for obj in every if obj in wanted], found


def _ends(constraint: Any) -> tuple[Any, Any]:
    return constraint.object1, constraint.object2


def _compounds_above(obj: Any, there: Collection[Any]) -> list[Any]:
    found: list[Any] = []
    while blender.is_compound_part(obj, there):
        obj = obj.parent
        found.append(obj)
    return found


def take_over(scene: Any, rigid: Sequence[Any], joints: Sequence[Any]) -> Taken:
    """Write our physics for rigid bodies and constraints; Blender's own stay as they are.

    Objects that hold a constraint and nothing else go below the first of its bodies, where joints
    of ours stand, and stay where they are in the world.
    """
    return _Taking(scene).run(rigid, joints)


class _Taking:
    def __init__(self, scene: Any) -> None:
        self._scene = scene
        self._children = mesh_arrays.children_of_all()
        self._there = set(blender.bodies_of(scene))
        self._taken = Taken()
        self._lists = InternedLists(self._taken.document)
        self._nodes: dict[Any, int] = {}
        self._meshes: dict[Any, int] = {}
        self._pivots: dict[int, int] = {}
        self._bare: list[Any] = []  # Objects whose shape is their mesh without modifiers.
        self._usual: Counter[str] = Counter()  # What is kept that no artist chose.
        self._homes: Homes | None = None
        usual = BODY["collision_collections"]
        self._is_filtered = any(
            list(obj.rigid_body.collision_collections) != usual for obj in self._there
        )

    def run(self, rigid: Sequence[Any], joints: Sequence[Any]) -> Taken:
        """Read all, then write it in one go."""
        for obj in rigid:
            if not blender.stands_in(obj):
                self._take_body(obj)
        for obj in joints:
            if blender.stands_in(obj):
                self._leave_out(obj, "is the counterpart of an existing joint, which is kept")
            else:
                self._take_constraint(obj)
        self._tell_usual()
        targets = {at: Target(obj, Axes()) for obj, at in self._nodes.items()}
        meshes = list(self._meshes)
        SceneWriter(
            scene=self._scene,
            targets=targets,
            mesh_data=meshes.__getitem__,
            issues=self._taken.issues,
            pivots=self._pivots,
        ).write(self._taken.document)
        for obj in self._bare:
            shape = groups.of_object(obj).collider.shape
            shape.mesh_source, shape.mesh = "DATA", obj.data
        self._taken.objects = [t.object for i, t in targets.items() if i in self._parts()]
        return self._taken

    def _parts(self) -> dict[int, NodePhysics]:
        return self._taken.document.nodes

    def _node(self, obj: Any) -> int:
        return self._nodes.setdefault(obj, len(self._nodes))

    def _put(self, obj: Any, **parts: Any) -> None:
        group, nodes = groups.of_object(obj), self._parts()
        for part in parts:
            group.property_unset(part)
        at = self._node(obj)
        nodes[at] = replace(nodes.get(at, NodePhysics()), **parts)

    def _leave_out(self, obj: Any, why: str) -> None:
        self._taken.issues.add(Code.RIGID_BODY_LEFT_OUT, obj.name, why)

    # Bodies

    def _take_body(self, obj: Any) -> None:
        values = blender.read_body(obj.rigid_body)
        is_part = blender.is_compound_part(obj, self._there)
        motion = None if is_part else bodies.motion_of(values)
        collider, kind = self._collider(obj, values, is_part)
        kept = self._kept(obj, values, motion, kind)
        group = groups.of_object(obj)
        is_bare = motion is not None and motion.type == "static" and group.use_collider
        if is_bare and not group.use_motion and not self._is_below_body(obj):
            motion = None  # As it was: a collider that belongs to no body does not move.
        if is_part:
            group.property_unset("use_motion")
        parts: dict[str, Any] = {}
        if collider is not None:
            parts["collider"] = collider
        if motion is not None:
            parts["motion"] = self._keep(motion, blender.BODY_KEY, kept)
        elif collider is not None:
            parts["collider"] = self._keep(collider, blender.BODY_KEY, kept)
        self._put(obj, **parts)

    @staticmethod
    def _keep(record: Any, key: str, kept: Values) -> Any:
        return replace(record, carried=blender.keeping(record.carried, key, kept))

    def _is_below_body(self, obj: Any) -> bool:
        return any(a in self._there or groups.read(a).use_motion for a in ancestors(obj))

    def _collider(self, obj: Any, values: Values, is_part: bool) -> tuple[Collider | None, str]:
        """The collider of a rigid body, and the shape that Blender has for it."""
        kind: str = values["collision_shape"]
        if kind == "COMPOUND":
            stand_ins = [each for each in self._children.get(obj, ()) if blender.stands_in(each)]
            if not stand_ins:
                groups.of_object(obj).property_unset("use_collider")
            if not stand_ins and not any(
                each in self._there for each in self._children.get(obj, ())
            ):
                self._leave_out(
                    obj,
                    "the compound shape has no child shapes, so nothing collides with the "
                    "body; add child shapes",
                )
            return Collider() if is_part else None, kind
        scale = (1.0, 1.0, 1.0) if is_part else blender.scale_of(obj)
        shape = Shape(geometry=self._geometry(obj, kind, scale))
        # All of a compound has its surface and its collections.
        top = [obj, *_compounds_above(obj, self._there)][-1]
        surface = values if top is obj else blender.read_body(top.rigid_body)
        material = self._lists.physics_materials.index(bodies.material_of(surface))
        found = None
        if self._is_filtered:
            record = bodies.filter_of(surface["collision_collections"])
            found = FilterIndex(self._lists.collision_filters.index(record))
        collider = Collider(
            shape=ShapeIndex(self._lists.shapes.index(shape)),
            physics_material=MaterialIndex(material),
            collision_filter=found,
        )
        if kind in shapes.OF_MESHES:
            self._bare += [obj] if blender.takes_bare_mesh(obj) else []
            return collider, kind
        half = blender.half_of(obj)
        if shape.geometry != shapes.geometry_of(kind, half):
            return collider, kind  # Which has this size on this scale alone.
        return collider, shapes.kind_of(shape.geometry, half)

    def _geometry(self, obj: Any, kind: str, scale: shapes.Half) -> Any:
        if kind in shapes.OF_MESHES:
            record = Convex if kind == "CONVEX_HULL" else Trimesh
            return record(mesh=MeshIndex(self._meshes.setdefault(obj.data, len(self._meshes))))
        half = blender.half_of(obj)
        tell = self._taken.issues.add
        if blender.is_off_center(obj, half):
            why = (
                "the shape is centered on the object's origin, as Blender simulates it, and "
                "not on the mesh"
            )
            tell(Code.RIGID_BODY_VALUE_KEPT, obj.name, why, Severity.WARNING)
        if shapes.is_flat(kind, half):
            why = "the shape is flat, so a thickness of 1 mm is used"
            tell(Code.RIGID_BODY_VALUE_KEPT, obj.name, why)
        return shapes.taken(kind, half, scale)

    def _kept(self, obj: Any, values: Values, motion: Motion | None, kind: str) -> Values:
        said = bodies.values_of(
            motion,
            kind,
            values["friction"],
            values["restitution"],
            values["collision_collections"],
        )
        said["mesh_source"] = blender.mesh_source(obj, kind, obj in self._bare)
        kept = residue(said, values)
        self._tell_losses(obj, kept)
        return kept

    def _tell_losses(self, obj: Any, kept: Values) -> None:
        chosen, usual = bodies.losses_of(kept)
        self._usual.update(usual)
        if chosen:
            why = (
                "the values have no counterpart in glTF and are kept in extras for the "
                f"conversion back: {', '.join(chosen)}"
            )
            self._taken.issues.add(Code.RIGID_BODY_VALUE_KEPT, obj.name, why, Severity.WARNING)

    def _tell_usual(self) -> None:
        """Tell once of what all rigid bodies have that glTF does not know."""
        if self._usual:
            found = ", ".join(f"the {what} of {n}" for what, n in self._usual.items())
            why = (
                "values chosen by Blender have no counterpart in glTF and are kept in extras "
                f"for the conversion back: {found}"
            )
            self._taken.issues.add(Code.RIGID_BODY_VALUE_KEPT, self._scene.name, why)

    # Constraints

    def _take_constraint(self, obj: Any) -> None:
        constraint = obj.rigid_body_constraint
        values = blender.read_constraint(constraint)
        first, second = _ends(constraint)
        if not values["enabled"]:
            self._leave_out(obj, "the constraint is switched off")
            return
        if first is None or second is None or not self._there.issuperset((first, second)):
            self._leave_out(obj, "a constraint needs two rigid bodies")
            return
        if first == second:
            self._leave_out(obj, "the constraint joins a body to itself")
            return
        shown = constraints.settings_of(values, *blender.substep(self._scene))
        holder, is_turned = self._holder(obj, first, second)
        kept = _kept_of_constraint(values, shown)
        self._tell_losses(obj, kept)
        if is_turned:
            kept["ends"] = "turned"
            shown, second = turned(shown), first
        record = joint_settings.in_document(shown)
        pivot = -1 - len(self._pivots)
        self._pivots[pivot] = self._node(second)
        joint = Joint(
            joint=JointIndex(self._lists.joint_settings.index(record)),
            connected_node=NodeIndex(pivot),
            enable_collision=not values["disable_collisions"],
        )
        self._put(holder, joint=self._keep(joint, blender.CONSTRAINT_KEY, kept))

    def _holder(self, obj: Any, first: Any, second: Any) -> tuple[Any, bool]:
        """The object for the joint, which moves with one body, and whether that is the second."""
        known = next((e for e in self._children.get(first, ()) if _twin(e) == obj), None)
        if known is not None:
            return known, False
        above = next((a for a in (obj, *ancestors(obj)) if self._is_body(a)), None)
        if above in (first, second):
            return obj, above == second
        frame = joint_making.frame_of(obj)
        if above is None and not self._children.get(obj) and groups.can_change(obj):
            joint_making.put_below(obj, first, obj.matrix_world.copy())
            return obj, False
        self._homes = self._homes or Homes(self._scene)
        homes = self._homes.of(obj)
        made = new_empty(f"{obj.name} Joint", homes, "ARROWS", obj.empty_display_size)
        joint_making.put_below(made, first, frame)
        groups.of_object(made).counterpart = obj
        return made, False

    def _is_body(self, obj: Any) -> bool:
        return obj in self._there and not blender.is_compound_part(obj, self._there)


def _twin(obj: Any) -> Any:
    group = groups.of_object(obj)
    return group.counterpart if group.use_joint else None


def _kept_of_constraint(values: Values, shown: Any) -> Values:
    """What settings do not say of a constraint, and its type where they would choose another."""
    plan = constraints.plans_of(shown)[0][0]
    kept: Values = {}
    if plan.values["type"] != values["type"] or plan.shift:
        kept["wish"] = values["type"]
        plan = constraints.plans_of(shown, values["type"])[0][0]
    said = {**plan.values, "disable_collisions": values["disable_collisions"]}
    return {**kept, **residue(said, values)}
