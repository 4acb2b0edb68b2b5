"""Writes the joints, gravity volumes, vehicles, their parts and seats of objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import bpy

from ...axes import Axes
from ...issue_codes import Code
from ...issues import Issues
from ...model.document import NodePhysics, PhysicsDocument
from ...model.fields import row
from ...model.gravity import (
    DirectionalGravity,
    DiscGravity,
    GravityVolume,
    LineGravity,
    OtherGravity,
    PointGravity,
    ShapedGravity,
    TorusGravity,
    WorldGravity,
)
from ...model.joints import Joint
from ...model.shapes import Shape
from ...model.vehicles import VehicleBody
from ..base import groups
from . import property_records
from .scene_nodes import Target

_FIELDS: Final[dict[type, tuple[str, str]]] = {
    DirectionalGravity: ("DIRECTIONAL", "directional"),
    PointGravity: ("POINT", "point"),
    DiscGravity: ("DISC", "disc"),
    TorusGravity: ("TORUS", "torus"),
}
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

    def write(self, target: Target, group: Any, physics: NodePhysics) -> None:
        """Show the records of a node on its object."""
        if physics.joint is not None:
            group.use_joint = True
            self._write_joint(physics.joint, group.joint, target)
        if physics.gravity is not None:
            group.use_gravity = True
            self._write_gravity(physics.gravity, group.gravity, target)
            if group.gravity.priority != physics.gravity.priority:
                why = f"priority {physics.gravity.priority:g} is larger than Blender can store"
                self.issues.add(Code.PRIORITY_NOT_WHOLE, target.object.name, why)
        if physics.vehicle_body is not None:
            group.use_vehicle_body = True
            self._write_vehicle_body(physics.vehicle_body, group.vehicle_body, target)
        self._write_vehicle_parts(target, group, physics)
        if physics.seat is not None:
            group.use_seat = True
            property_records.write(physics.seat, group.seat, target.axes)

    def _write_vehicle_parts(self, target: Target, group: Any, physics: NodePhysics) -> None:
        document = self.document
        parts: tuple[tuple[str, Any, str, Sequence[Any]], ...] = (
            ("wheel", physics.wheel, "wheel", document.wheels),
            ("thruster", physics.thruster, "thruster", document.thrusters),
            (
                "hover_thruster",
                physics.hover_thruster,
                "hover_thruster",
                document.hover_thrusters,
            ),
        )
        for attribute, part, key, settings in parts:
            if part is None:
                continue
            setattr(group, f"use_{attribute}", True)
            shown = getattr(group, attribute)
            index = getattr(part, key)
            if index is not None:
                property_records.write(settings[index], shown, target.axes)
                material = cast(Any, settings[index]).__dict__.get("physics_material")
                if material is not None:
                    shown.physics_material_entry = self.materials[material]
            if part.carried:
                shown.part_kept = part.carried

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
        if type(field) in _FIELDS:
            group.type, attribute = _FIELDS[field.__class__]
            property_records.write(field, getattr(group, attribute), target.axes)
        elif isinstance(field, LineGravity):
            group.type = "LINE"
            property_records.write(field, group.line, target.axes)
            for point in field.points:
                group.line.points.add().location = target.axes.point_to_blender(point)
        elif isinstance(field, ShapedGravity):
            group.type = "SHAPED"
            property_records.write(field, group.shaped, target.axes)
            group.shaped.use_shape = field.shape is not None
            if field.shape is not None:
                self.write_shape(self.document.shapes[field.shape], group.shaped.shape, target)
        elif isinstance(field, OtherGravity):
            group.type, group.other_type = "OTHER", field.type
        group.gravity = target.axes.to_blender(_STRENGTH, volume.gravity)
        group.priority = max(-_MOST_WHOLE - 1, min(_MOST_WHOLE, volume.priority))
        group.replace, group.stop = volume.replace, volume.stop
        group.kept = volume.carried


def write_world(world: WorldGravity, scene: bpy.types.Scene, axes: Axes) -> None:
    """Make the world gravity of a file that of a scene; Blender's own stays as it is."""
    settings = groups.of_scene(scene)
    settings.use_world_gravity = True
    settings.world_gravity.source = "VALUE"
    property_records.write(world, settings.world_gravity, axes)
