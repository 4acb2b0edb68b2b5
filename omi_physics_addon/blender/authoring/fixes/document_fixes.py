"""Applies the fixes of files to objects and entries of a scene.

The scene is read as a document, the fix changes the document, and what it changed is shown again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ....axes import Axes, matrices_to_blender, points_to_blender
from ....codec.convert.draft import Draft
from ....codec.values.node_tree import Tree
from ....files.fixes import FIXES
from ....files.fixes.fix import Patient
from ....issues import Issues
from ....model.bodies import Motion
from ....model.document import NewMesh, NodePhysics, PhysicsDocument
from ....model.shapes import Convex, Trimesh
from ...base import compat, groups
from ...base.hierarchy import Homes, new_empty
from ...base.mesh_arrays import new_mesh
from ...properties import names
from ...properties.entries import TREES
from ...scene import joint_settings, property_records, scene_document
from ...scene.entry_reader import read_entry
from ...scene.entry_writer import show_filter
from ...scene.scene_nodes import Target
from ...scene.scene_writer import SceneWriter
from ..joint_making import put_below


def fix_objects(code: str, objects: Sequence[Any], scene: Any) -> list[Any]:
    """Apply the fix of a code to objects; those that had something to be fixed."""
    return _Fixing(scene).run(code, objects)


def fix_entries(code: str, scene: Any, entry_names: Collection[str]) -> list[str]:
    """Apply the fix of a code to entries of a scene's lists; the names of those it changed."""
    fixed: list[str] = []
    for list_name in set(TREES).intersection(FIXES[code].where.split("|")):
        listed = getattr(groups.of_scene(scene), list_name)
        rows = list(listed)
        before = [read_entry(list_name, entry, Axes()) for entry in rows]
        lists: dict[str, Any] = {list_name: before}
        draft = Draft(PhysicsDocument(**lists), Tree((), ()), Issues())
        patient = Patient(draft, lambda _mesh: None)
        wanted = [k for k, entry in enumerate(rows) if entry.name in entry_names]
        done = [k for k in wanted if _apply(patient, code, list_name, k)]
        gone = patient.gone(list_name)
        for k, record in enumerate(getattr(draft.document, list_name)):
            if k not in gone and record != before[k]:
                _show_entry(list_name, record, rows[k])
        fixed += [rows[k].name for k in done]
        compat.remove_data(rows[k].id_data for k in gone)
    return fixed


def _apply(patient: Patient, code: str, list_name: str, at: int) -> bool:
    fix = FIXES[code]
    return patient.drop_later(list_name, at) if "|" in fix.where else fix.apply(patient, at)


def _show_entry(list_name: str, record: Any, entry: Any) -> None:
    if list_name == "joint_settings":
        joint_settings.show_in_blender(joint_settings.in_blender(record), entry)
    elif list_name == "collision_filters":
        show_filter(record, entry)
    else:
        property_records.write(record, entry, Axes(), "name")


class _Fixing:
    """The document of a scene that is being fixed."""

    def __init__(self, scene: Any) -> None:
        self._scene = scene
        objects = sorted(names.objects_of(scene), key=lambda obj: obj.name)
        self._found = scene_document.read(scene, objects)
        self._before = self._found.document
        meshes = self._found.meshes
        self._draft = Draft(self._before, self._found.tree, Issues(), len(meshes.found))
        self._patient = Patient(self._draft, meshes.triangles)

    def run(self, code: str, objects: Sequence[Any]) -> list[Any]:
        """Apply a fix to objects; those that it changed."""
        wanted = set(objects)
        fixed: dict[Any, None] = {}
        for node, _ in self._draft.nodes():
            obj = self._found.object_of(node)
            if obj in wanted and self._fix(code, node):
                fixed[obj] = None
        self._patient.drop()
        self._show()
        return list(fixed)

    def _fix(self, code: str, node: int) -> bool:
        fix = FIXES[code]
        if not fix.where:
            return fix.apply(self._patient, node)
        if fix.where == "shapes":
            users = (self._draft.of(node).collider, self._draft.of(node).trigger)
            shapes = {user.shape for user in users if user is not None and user.shape is not None}
            done = [fix.apply(self._patient, shape) for shape in sorted(shapes)]
            return any(done)
        part = getattr(self._draft.of(node), fix.where.removesuffix("s"), None)
        at = getattr(part, fix.where.removesuffix("s"), None)
        return at is not None and fix.apply(self._patient, at)

    def _show(self) -> None:
        document, targets = self._draft.document, dict[int, Target]()
        for index, _ in enumerate(self._found.names):
            targets[index] = Target(self._found.object_of(index), Axes())
        homes, made = Homes(self._scene), dict[Any, list[Any]]()
        for index, new in enumerate(document.new_nodes, self._draft.file_nodes):
            beside: Any = targets[max(new.parent, new.place)].object
            home = made.get(beside) or homes.of(beside)
            obj = new_empty(new.name, home)
            made[obj] = home
            above = targets[new.parent].object if new.parent >= 0 else None
            put_below(obj, above, self._place(index))
            targets[index] = Target(obj, Axes())
        for index, parent in document.moved_nodes.items():
            obj: Any = targets[index].object
            frame = obj.matrix_world.copy()
            put_below(obj, targets[parent].object if parent >= 0 else None, frame)
        parts = {
            i: self._changed(i, targets) for i in sorted({*self._before.nodes, *document.nodes})
        }
        writer = SceneWriter(self._scene, targets, self._mesh_data, Issues())
        nodes = {i: physics for i, physics in parts.items() if physics}
        if nodes:
            writer.write(dataclasses.replace(document, nodes=nodes, world_gravity=None, carried={}))

    def _place(self, node: int) -> Matrix:
        columns = np.array(self._draft.world(node)).reshape(4, 4).T
        return Matrix(matrices_to_blender(columns).tolist())

    def _changed(self, node: int, targets: dict[int, Target]) -> NodePhysics:
        """The parts of a node that changed and are written as in an import; others are shown."""
        old = self._before.nodes.get(node, NodePhysics())
        new = self._draft.document.nodes.get(node, NodePhysics())
        if new is old or node not in targets:
            return NodePhysics()
        group = groups.of_object(targets[node].object)
        found: dict[str, Any] = {}
        for part, was in vars(old).items():
            now = getattr(new, part)
            if part == "carried" or self._said(was) == self._said(now, self._draft.document):
                continue
            if now is None:
                setattr(group, f"use_{part}", False)
            elif isinstance(now, Motion) and isinstance(was, Motion):
                _show_motion(was, now, group.motion)
            elif not self._show_kind(was, now, getattr(group, part)):
                found[part] = now
                _clear(part, getattr(group, part))
        return NodePhysics(**found)

    def _said(self, part: Any, document: PhysicsDocument | None = None) -> Any:
        """A part with what it refers to in place of numbers that a fix may have moved."""
        document = document or self._before
        at: Any = getattr(part, "shape", None)
        for key in ("wheel", "thruster", "hover_thruster"):
            index = getattr(part, key, None)
            if index is not None:
                return part, getattr(document, f"{key}s")[index]
        if at is None:
            return part
        return dataclasses.replace(part, shape=None), document.shapes[at]

    def _show_kind(self, was: Any, now: Any, group: Any) -> bool:
        """Show that a mesh is another kind of shape now; whether nothing else is to be shown."""
        one: int | None = getattr(was, "shape", None)
        other: int | None = getattr(now, "shape", None)
        if one is None or other is None:
            return False
        old = self._before.shapes[one].geometry
        new = self._draft.document.shapes[other].geometry
        if not isinstance(old, Convex | Trimesh) or not isinstance(new, Convex | Trimesh):
            return False
        if old.mesh != new.mesh:
            return False
        group.shape.type = type(new).__name__.upper()
        return True

    def _mesh_data(self, index: int) -> bpy.types.Mesh | None:
        known = self._found.meshes.found
        if index < len(known):
            source = known[index].source
            return getattr(source, "data", source)
        new: NewMesh = self._draft.document.new_meshes[index - len(known)]
        return new_mesh(new.name, points_to_blender(new.corners), new.triangles)


def _show_motion(was: Motion, now: Motion, group: Any) -> None:
    same = [name for name, value in vars(now).items() if getattr(was, name) == value]
    property_records.write(now, group, Axes(), *same)
    if "mass" not in same:
        group.mass_mode = "ENGINE" if now.mass is None else "VALUE"
    if "inertia_diagonal" not in same:
        group.inertia_mode = "SHAPES" if now.inertia_diagonal is None else "VALUE"


def _clear(part: str, group: Any) -> None:
    """Empty the lists that are going to be filled."""
    if part == "trigger":
        group.nodes.clear()
        group.property_unset("mode")
    elif part == "gravity":
        group.line.points.clear()
