"""Writes the joints, gravity volumes, vehicles, their parts and seats of objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import bpy

from ...axes import Axes
from ...issue_codes import Code
from ...issues import Issues
from ...model.document import PhysicsDocument
from ...model.fields import row
from ...model.gravity import WORDS, GravityVolume, OtherGravity, ShapedGravity, WorldGravity
from ...model.joints import Joint
from ...model.shapes import Shape
from ...model.vehicles import VehicleBody
from ..base import groups
from . import property_records
from .scene_nodes import Target

Write = Callable[[Any, Any, Target], None]  # Of a record, to its property group.
_STRENGTH: Final = row(GravityVolume, "gravity")
_MOST_WHOLE: Final = 2**31 - 1  # Of whole-number properties of Blender.


@dataclass
class FeatureWriter:
    """Writes what the nodes of one document are besides bodies, colliders and triggers.

    Attributes:
        settings: data-blocks of joint settings by index in the document.
        materials: data-blocks of physics materials by index in the document.
        pivots: nodes that stand for nothing but the place of the joint that connects to them.
        write_shape: shows a shape in a property group.
    """

    document: PhysicsDocument
    targets: Mapping[int, Target]
    settings: Sequence[Any]
    materials: Sequence[Any]
    pivots: Mapping[int, int]
    issues: Issues
    write_shape: Callable[[Shape, Any, Target], None]

    def writers(self) -> dict[str, Write]:
        """What shows the record of each part of a node in its property group."""
        document = self.document
        lists: dict[str, Sequence[Any]] = {
            "wheel": document.wheels,
            "thruster": document.thrusters,
            "hover_thruster": document.hover_thrusters,
        }
        return {
            "joint": self._write_joint,
            "gravity": self._write_gravity,
            "vehicle_body": self._write_vehicle_body,
            **{part: partial(self._write_part, part, settings) for part, settings in lists.items()},
            "seat": lambda seat, group, target: property_records.write(seat, group, target.axes),
        }

    def _write_part(
        self, name: str, settings: Sequence[Any], part: Any, group: Any, target: Target
    ) -> None:
        """Show a wheel or thruster.

        Args:
            name: of the part, and of its index in the list of settings.
        """
        index = getattr(part, name)
        if index is not None:
            property_records.write(settings[index], group, target.axes)
            material = getattr(settings[index], "physics_material", None)
            if material is not None:
                group.physics_material_entry = self.materials[material]
        if part.carried:
            group.part_kept = part.carried

    def _object(self, index: int, where: Target) -> bpy.types.Object | None:
        target = self.targets.get(index)
        if target is None:
            why = f"/nodes/{index} is referred to but has no object, so the reference is lost"
            self.issues.add(Code.NODE_WITHOUT_OBJECT, where.object.name, why)
            return None
        return target.object

    def _write_joint(self, joint: Joint, group: Any, target: Target) -> None:
        if joint.joint is not None:
            group.settings_entry = self.settings[joint.joint]
        if joint.connected_node is not None:
            index: int = joint.connected_node
            if index in self.pivots:
                group.pivot_at_joint = True
                index = self.pivots[index]
            group.connected_object = self._object(index, target)
        group.enable_collision = joint.enable_collision
        group.kept = joint.carried

    def _write_vehicle_body(self, body: VehicleBody, group: Any, target: Target) -> None:
        property_records.write(body, group, target.axes)
        if body.pilot_seat is not None:
            group.pilot_seat = self._object(body.pilot_seat, target)

    def _write_gravity(self, volume: GravityVolume, group: Any, target: Target) -> None:
        field = volume.field
        if isinstance(field, OtherGravity):
            group.type, group.other_type = "OTHER", field.type
        else:
            word = WORDS[type(field)]
            group.type, shown = word.upper(), getattr(group, word)
            property_records.write(field, shown, target.axes)
            for point in getattr(field, "points", ()):
                shown.points.add().location = target.axes.point_to_blender(point)
            if isinstance(field, ShapedGravity):
                shown.use_shape = field.shape is not None
                if field.shape is not None:
                    self.write_shape(self.document.shapes[field.shape], shown.shape, target)
        group.gravity = target.axes.to_blender(_STRENGTH, volume.gravity)
        group.priority = max(-_MOST_WHOLE - 1, min(_MOST_WHOLE, volume.priority))
        if group.priority != volume.priority:
            why = f"priority {volume.priority:g} is larger than Blender can store"
            self.issues.add(Code.PRIORITY_NOT_WHOLE, target.object.name, why)
        group.replace, group.stop = volume.replace, volume.stop
        group.kept = volume.carried


def write_world(world: WorldGravity, scene: bpy.types.Scene, axes: Axes) -> None:
    """Make the world gravity of a file that of a scene; Blender's own stays as it is."""
    settings = groups.of_scene(scene)
    settings.use_world_gravity = True
    settings.world_gravity.source = "VALUE"
    property_records.write(world, settings.world_gravity, axes)
