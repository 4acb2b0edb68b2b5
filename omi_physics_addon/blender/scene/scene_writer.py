"""From a physics document to a Blender scene."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import bpy

from ...axes import Axes
from ...codec.values import carried
from ...issue_codes import Code
from ...issues import Issues
from ...model.bodies import Collider, Motion, Trigger
from ...model.document import NodePhysics, PhysicsDocument
from ...model.shapes import WORDS, Convex, OtherGeometry, Shape, Trimesh
from ..base import groups
from . import imported_faults, migrations, property_records
from .entry_writer import write_filters, write_materials, write_settings
from .feature_writer import FeatureWriter, Write, write_world
from .scene_nodes import UPRIGHT, Target

# Of an upright shape where the frame of the object is glTF's, as those of cameras and lights are.
_ALONG_Y: Final = (-math.pi / 2.0, 0.0, 0.0)


@dataclass
class SceneWriter:
    """Puts a document onto the objects of a scene.

    Args:
        targets: objects by index of the node.
        pivots: nodes that are only the place of a joint → the node they stand below.
        axes: those of the file and the scene.
        per_axis: what limits over several axes mean; see `Axes.limit_to_blender`.
        zero_is_infinite: what a mass and moments of zero mean; they are so in KHR.
        mesh_data: mesh data by index of the mesh; None when it cannot be made.
    """

    scene: bpy.types.Scene
    targets: Mapping[int, Target]
    mesh_data: Callable[[int], bpy.types.Mesh | None]
    issues: Issues
    axes: Axes = field(default_factory=Axes)
    pivots: Mapping[int, int] = field(default_factory=dict[int, int])
    per_axis: bool = True
    zero_is_infinite: bool = False
    at: str = ""  # JSON pointer of the node that is being written.
    entries: list[Any] = field(default_factory=list[Any])  # Groups of materials and joint settings.

    def write(self, document: PhysicsDocument) -> None:
        """Write everything; what finds no object is reported."""
        lists = groups.of_scene(self.scene)
        self._materials = write_materials(lists.physics_materials, document.physics_materials)
        self._filters = write_filters(lists.collision_filters, document.collision_filters)
        settings = write_settings(
            lists.joint_settings,
            document.joint_settings,
            self.axes,
            per_axis=self.per_axis,
            issues=self.issues,
        )
        self.entries = [tree.data for tree in (*self._materials, *settings)]
        self._shapes = document.shapes
        features = FeatureWriter(
            document=document,
            targets=self.targets,
            settings=settings,
            materials=self._materials,
            pivots=self.pivots,
            issues=self.issues,
            write_shape=self._write_shape,
        )
        self._writers: dict[str, Write] = {
            "motion": self._write_motion,
            "collider": self._write_collider,
            "trigger": self._write_trigger,
            **features.writers(),
        }
        if document.world_gravity is not None:
            write_world(document.world_gravity, self.scene, self.axes)
        for index, physics in document.nodes.items():
            self.at = f"/nodes/{index}"
            target = self.targets.get(index)
            if target is None:
                why = "the node has no object in Blender, so its physics is lost"
                self.issues.add(Code.NODE_WITHOUT_OBJECT, self.at, why)
            else:
                self._write_node(target, physics)
        self.at = ""
        if document.carried:
            members = carried.unpack(lists.kept)
            members |= {name: carried.unpack(text) for name, text in document.carried.items()}
            lists.kept = carried.pack(members)

    def _write_node(self, target: Target, physics: NodePhysics) -> None:
        is_new = not groups.is_stored(target.object)
        self._write_record = property_records.write_new if is_new else property_records.write
        group = groups.of_object(target.object)
        group.version = migrations.VERSION
        for part, write in self._writers.items():
            record = getattr(physics, part)
            if record is not None:
                setattr(group, f"use_{part}", True)
                write(record, getattr(group, part), target)
        if physics.carried:
            group.kept = carried.pack(
                {name: carried.unpack(text) for name, text in physics.carried}
            )

    def _write_motion(self, motion: Motion, group: Any, target: Target) -> None:
        self._write_record(motion, group, target.axes)
        if motion.mass is None:
            group.mass_mode = "ENGINE"
        elif motion.mass == 0.0 and self.zero_is_infinite:
            group.mass_mode = "INFINITE"
        if motion.center_of_mass is None:
            group.center_of_mass_mode = "ENGINE"
        if motion.inertia_diagonal is not None:
            infinite = self.zero_is_infinite and not any(motion.inertia_diagonal)
            group.inertia_mode = "INFINITE" if infinite else "VALUE"

    def _write_collider(self, collider: Collider, group: Any, target: Target) -> None:
        if collider.shape is None:
            group.shape.type = "NONE"
        else:
            self._write_shape(self._shapes[collider.shape], group.shape, target)
        if collider.physics_material is not None:
            group.physics_material_entry = self._materials[collider.physics_material]
        if collider.collision_filter is not None:
            group.collision_filter_entry = self._filters[collider.collision_filter]
        if collider.carried:
            group.kept = collider.carried

    def _write_trigger(self, trigger: Trigger, group: Any, target: Target) -> None:
        if trigger.shape is not None:
            self._write_shape(self._shapes[trigger.shape], group.shape, target)
        elif trigger.nodes:
            group.mode = "LIST"
            for index in trigger.nodes:
                part = self.targets.get(index)
                if part is None:
                    where = target.object.name
                    self.issues.add(
                        Code.NODE_WITHOUT_OBJECT,
                        where,
                        f"/nodes/{index} is listed but has no object, so the entry is lost",
                    )
                else:
                    group.nodes.add().object = part.object
        else:
            group.mode = "BELOW"
            group.unlisted = True
        if trigger.collision_filter is not None:
            group.collision_filter_entry = self._filters[trigger.collision_filter]
        if trigger.carried:
            group.kept = trigger.carried

    def _write_shape(self, shape: Shape, group: Any, target: Target) -> None:
        geometry = shape.geometry
        if isinstance(geometry, OtherGeometry):
            group.type, group.other_type = "OTHER", geometry.type
            group.geometry_kept = geometry.carried
        else:
            word = WORDS[type(geometry)]
            if group.type != word.upper():
                group.type = word.upper()
            if isinstance(geometry, (Convex, Trimesh)):
                group.geometry_kept = geometry.carried
                self._write_mesh(geometry, group, target)
            else:
                self._write_record(geometry, getattr(group, word), target.axes)
                if not target.axes.y_up and group.type in UPRIGHT:
                    group.rotation = _ALONG_Y
        if shape.name:
            group.name = shape.name
        if shape.carried:
            group.kept = shape.carried

    def _write_mesh(self, geometry: Convex | Trimesh, group: Any, target: Target) -> None:
        if geometry.node is not None:
            source = self.targets.get(geometry.node)
            if source is not None:
                group.mesh_source, group.mesh_object = "OBJECT", source.object
                group.use_children = True
                return
        mesh = None if geometry.mesh is None else self.mesh_data(geometry.mesh)
        if mesh is None:
            group.mesh_source = "DATA"  # And no mesh: nothing else would be true.
            imported_faults.add(target.object, Code.SHAPE_MESH_MISSING)
        elif target.object.data is not mesh:
            group.mesh_source, group.mesh = "DATA", mesh
