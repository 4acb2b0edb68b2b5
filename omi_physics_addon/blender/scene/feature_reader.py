"""Reads the joints, gravity volumes, vehicles, their parts and seats of objects."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

import bpy
from mathutils import Matrix, Vector
from mathutils.geometry import interpolate_bezier

from ...axes import Axes
from ...codec.values import carried
from ...issue_codes import Code
from ...issues import Issues
from ...model.document import InternedLists
from ...model.fields import (
    HoverThrusterIndex,
    NodeIndex,
    ShapeIndex,
    ThrusterIndex,
    Vector3,
    WheelIndex,
)
from ...model.gravity import TYPES, GravityField, GravityVolume, OtherGravity, WorldGravity
from ...model.joints import Joint
from ...model.seats import Seat
from ...model.vehicles import (
    HoverThruster,
    HoverThrusterPart,
    Thruster,
    ThrusterPart,
    VehicleBody,
    Wheel,
    WheelPart,
)
from ..base import groups
from ..base.hierarchy import is_sheared
from . import property_records
from .entry_reader import EntryReader
from .keyed.keyframes import Keyframes
from .property_records import alike
from .scene_nodes import AddedNode, SceneNode, SceneTree

R = TypeVar("R")

_DIGITS: Final = 6  # Decimals of the place of a pivot; a thousandth of a millimetre.
# How much a number of a 3x3 matrix may differ from that of a matrix without shear, against the
# largest number; far below a degree.
_SHEAR: Final = 1e-3
_SCALE_ROUNDING: Final = 2e-6  # Difference of a scale from 1 that is not written.


@dataclass
class FeatureReader:
    """Reads what the objects of one scene are besides bodies, colliders and triggers.

    Attributes:
        lists: of the document, into which other scenes may be read, too.
        entries: of the lists of the scene.
        read_shape: the index of the shape of a property group.
        repair: whether imported faults are written in their repaired form.
        added: where inserted nodes are noted.
        keyframes: of the objects.
    """

    lists: InternedLists
    entries: EntryReader
    tree: SceneTree
    issues: Issues
    read_shape: Callable[[SceneNode, Any], ShapeIndex | None]
    added: list[AddedNode]
    keyframes: Keyframes
    repair: bool = False

    def read(self, node: SceneNode, group: Any, parts: dict[str, Any]) -> None:
        """Add the records of an object to `parts`, which become those of its node."""
        axes = self.tree.axes_of(node)
        if group.use_joint:
            joint = self._read_joint(node, group.joint)
            if joint is not None:
                parts["joint"] = joint
        if group.use_gravity:
            parts["gravity"] = self._read_gravity(node, group.gravity)
        if group.use_vehicle_body:
            body = group.vehicle_body
            seat = self._node_of(body.pilot_seat, node, "pilot seat")
            parts["vehicle_body"] = self._read(body, VehicleBody, axes, pilot_seat=seat)
        if group.use_wheel:
            material = self.entries.material(group.wheel, node.object)
            wheel = self._read(group.wheel, Wheel, axes, physics_material=material)
            index = WheelIndex(self.lists.wheels.index(wheel))
            parts["wheel"] = alike(WheelPart, wheel=index, carried=group.wheel.part_kept)
        if group.use_thruster:
            thruster = self._read(group.thruster, Thruster, axes)
            index = ThrusterIndex(self.lists.thrusters.index(thruster))
            kept = group.thruster.part_kept
            parts["thruster"] = alike(ThrusterPart, thruster=index, carried=kept)
        if group.use_hover_thruster:
            hover = self._read(group.hover_thruster, HoverThruster, axes)
            index = HoverThrusterIndex(self.lists.hover_thrusters.index(hover))
            kept = group.hover_thruster.part_kept
            parts["hover_thruster"] = alike(HoverThrusterPart, hover_thruster=index, carried=kept)
        if group.use_seat:
            parts["seat"] = self._read(group.seat, Seat, axes)

    def _read(self, group: Any, record: type[R], axes: Axes, **known: Any) -> R:
        """The record of a group, with notes on the keyframes that move it."""

        def read(at: Any) -> R:
            return property_records.read(at, record, axes, **known)

        return self.keyframes.noted(read(group), group, read)

    @cached_property
    def _scenes(self) -> list[set[Any]]:
        """The objects of each scene."""
        return [set(scene.objects) for scene in bpy.data.scenes]

    def _node_of(self, obj: Any, near: SceneNode, what: str, so: str = "") -> NodeIndex | None:
        if obj is None:
            return None
        index = self.tree.find_node(obj, near.index)
        if index is None:
            scenes = [objects for objects in self._scenes if obj in objects]
            is_beside = any(near.object in objects for objects in scenes)
            where = "is in another scene" if scenes and not is_beside else "is not exported"
            if self.tree.is_only_shown(obj):
                where = "is exported as several instances, so the node is ambiguous"
            why = f"its {what} {obj.name} {where}"
            self.issues.add(Code.REFERENCE_NOT_EXPORTED, near.object.name, f"{why}{so}")
            return None
        return NodeIndex(index)

    def _read_joint(self, node: SceneNode, group: Any) -> Joint | None:
        """The joint of an object; None for one that is not finished, which no file can say."""
        so = "; the joint is not written"
        connected = self._node_of(group.connected_object, node, "connected object", so)
        lacking = _lacking(group)
        if lacking:
            why = " and ".join(lacking.values())
            if self.repair or not lacking.keys() <= carried.unpack(group.kept).keys():
                self.issues.add(
                    Code.JOINT_UNFINISHED, node.object.name, f"it {why}; the joint is not written"
                )
                return None
            self.issues.add(
                Code.FAULT_WRITTEN_BACK, node.object.name, f"the joint {why}, as it was imported"
            )
        if connected is None and group.connected_object is not None:
            return None
        settings = self.entries.settings(group, node.object, self.tree.axes_of(node))
        if settings is None and group.settings:
            return None
        self._tell_shear(node, self.tree.above(node.index))
        if connected is not None and group.pivot_at_joint:
            self._tell_shear(node, self.tree.nodes[connected])
            connected = self._add_pivot(node, self.tree.nodes[connected])
        return Joint(
            joint=settings,
            connected_node=connected,
            enable_collision=group.enable_collision,
            carried=group.kept,
        )

    def _tell_shear(self, node: SceneNode, above: SceneNode | None) -> None:
        """Tell of a joint whose frame below a node is more than a place, a turn and a scale."""
        if above is not None and lies_otherwise(above.matrix, node.matrix):
            why = f"the uneven scale of {above.object.name} changes the joint's axes in glTF"
            self.issues.add(Code.JOINT_SCALED, node.object.name, f"{why}; apply that scale")

    def _add_pivot(self, node: SceneNode, connected: SceneNode) -> NodeIndex:
        """A node below the connected one, in the frame of the joint."""
        axes = self.tree.axes_of(connected)
        local = connected.matrix.inverted_safe() @ node.matrix
        location, rotation, scale = local.decompose()
        w, x, y, z = rotation
        uneven = any(abs(size - 1.0) > _SCALE_ROUNDING for size in scale)
        added = AddedNode(
            index=self.tree.new_index(connected.index, location, rotation),
            parent=connected.index,
            name=f"{node.object.name} Pivot",
            translation=axes.point_to_gltf(_steady(location)),
            rotation=axes.turn_to_gltf(_steady((x, y, z, w))),
            scale=axes.size_to_gltf(_steady(scale)) if uneven else None,
            role="pivot",
        )
        self.added.append(added)
        return NodeIndex(added.index)

    def _read_gravity(self, node: SceneNode, group: Any) -> GravityVolume:
        def read(at: Any) -> GravityVolume:
            return dataclasses.replace(volume, gravity=property_records.shortest(at.gravity))

        volume = alike(
            GravityVolume,
            field=self._read_field(node, group),
            gravity=property_records.shortest(group.gravity),
            priority=group.priority,
            replace=group.replace,
            stop=group.stop,
            carried=group.kept,
        )
        return self.keyframes.noted(volume, group, read)

    def _read_field(self, node: SceneNode, group: Any) -> GravityField:
        axes, word = self.tree.axes_of(node), group.type.lower()
        if word not in TYPES:
            return OtherGravity(type=group.other_type)
        shown, known = getattr(group, word), dict[str, Any]()
        if word == "line":
            known["points"] = self._line_points(node, shown, axes)
        elif word == "shaped":
            known["shape"] = self.read_shape(node, shown.shape) if shown.use_shape else None
        return property_records.read(shown, TYPES[word], axes, **known)

    def _line_points(self, node: SceneNode, line: Any, axes: Axes) -> tuple[Vector3, ...]:
        if line.curve is None:
            found: list[Any] = [point.location for point in line.points]
        else:
            into = node.matrix.inverted_safe() @ line.curve.matrix_world
            found = [into @ point for point in curve_points(line.curve.data)]
        return tuple(axes.point_to_gltf(property_records.rounded(point)) for point in found)


def lies_otherwise(above: Matrix, frame: Matrix) -> bool:
    """Whether a frame below a matrix is more than the place, turn and scale that glTF can say."""
    if _is_turned_only(above) and _is_turned_only(frame):
        return False
    return is_sheared(above.inverted_safe() @ frame, _SHEAR)


def _is_turned_only(matrix: Matrix) -> bool:
    """Whether a matrix neither scales nor shears; asking so costs next to nothing."""
    return bool(matrix.to_3x3().is_orthogonal)


def _lacking(group: Any) -> dict[str, str]:
    """What a joint still needs, by the key of the file's format, and how to tell it."""
    needs = {
        "connectedNode": ("is connected to nothing", group.connected_object is None),
        "joint": ("has no settings", not group.settings),
    }
    return {key: text for key, (text, lacks) in needs.items() if lacks}


def _steady(values: Any) -> tuple[float, ...]:
    """Numbers of matrices, rounded: their last digits change in every export and import."""
    return tuple(round(float(value), _DIGITS) + 0.0 for value in values)


def curve_points(curve: Any) -> list[Vector]:
    """The points along the first spline of a curve, those between the handles of a Bézier too."""
    if not curve.splines:
        return []
    spline: Any = curve.splines[0]
    if spline.type != "BEZIER":
        points: list[Any] = [Vector(point.co[:3]) for point in spline.points]
    else:
        knots: list[Any] = list(spline.bezier_points)
        ends = zip(
            knots, [*knots[1:], knots[0]] if spline.use_cyclic_u else knots[1:], strict=False
        )
        points = [knots[0].co.copy()]
        for a, b in ends:
            count = spline.resolution_u + 1
            between: Any = interpolate_bezier(a.co, a.handle_right, b.handle_left, b.co, count)
            points += between[1:]
        return points
    return [*points, points[0].copy()] if spline.use_cyclic_u else points


def read_world(scene: bpy.types.Scene, axes: Axes) -> WorldGravity | None:
    """The world gravity of a scene, if it is to be written."""
    settings = groups.of_scene(scene)
    if not settings.use_world_gravity:
        return None
    group = settings.world_gravity
    if group.source == "VALUE":
        return property_records.read(group, WorldGravity, axes)
    return dataclasses.replace(blenders_gravity(scene, axes), carried=group.kept)


def blenders_gravity(scene: bpy.types.Scene, axes: Axes) -> WorldGravity:
    """The gravity of Blender's scene, which a preview plays where no world gravity is set."""
    vector = groups.scene_gravity(scene)
    if not vector.length:
        return WorldGravity(gravity=0.0)
    direction = property_records.rounded(vector.normalized())
    return WorldGravity(
        gravity=property_records.shortest(vector.length),
        direction=axes.point_to_gltf(direction),
    )
