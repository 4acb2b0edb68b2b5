"""Makes objects gravity volumes, edits the points of lines, trades gravity with the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

from ..base import groups
from ..base.groups import of_scene
from ..base.hierarchy import Homes
from ..base.mesh_arrays import children_of_all, evaluated_points
from ..properties import choices, part_choices
from .chosen_objects import (
    OnScene,
    OnSelection,
    Undoable,
    can_change,
    changed,
    done,
    leave_edit_mode_data,
    lists_changed,
    refuse,
    report,
    targets,
    unavailable,
)
from .joints.joint_connect import select_only
from .vehicle_parts import AddPart

if TYPE_CHECKING:
    from ..authoring.starting_values import Children


class OMIPHYSICS_OT_add_gravity(part_choices.GravityType, AddPart, bpy.types.Operator):
    """Makes the selected objects gravity volumes."""

    bl_idname = "object.omi_physics_add_gravity"
    bl_label = "Add Gravity"
    bl_description = (
        "Add a gravity volume to the selected objects, with a fitting trigger if there is "
        "none. For bodies and colliders the volume is added as a child"
    )
    part = "gravity"
    nothing = "The selected objects already have a gravity volume on or below them"
    _solids: dict[Any, Any]

    def objects(self, context: bpy.types.Context) -> list[Any]:
        """The selection, but new empties below what is solid and has no volume there."""
        found = targets(context)
        children = children_of_all()
        solids = [obj for obj in found if _is_solid(obj) and not _has_volume(obj, children)]
        if solids and context.mode != "OBJECT":  # Its undo knows nothing of new objects.
            bpy.ops.object.mode_set(mode="OBJECT")
        homes = Homes(context.scene)
        self._solids = {_volume_below(obj, homes): obj for obj in solids}
        if solids:
            select_only(context, list(self._solids))
        return [*(obj for obj in found if not _is_solid(obj)), *self._solids]

    def start(self, context: bpy.types.Context, new: Any) -> None:
        """Size it and its trigger by the mesh, where there is one."""
        from ..authoring.gravity_forms import start_gravity

        chosen: Any = self
        forms = {obj: self._solids.get(obj, obj) for obj in new}
        leave_edit_mode_data(list(forms.values()))
        depsgraph = context.evaluated_depsgraph_get()
        for obj, form in forms.items():
            start_gravity(obj, chosen.type, evaluated_points(form, depsgraph), around=form != obj)


def _is_solid(obj: Any) -> bool:
    return groups.read(obj).use_motion or groups.read(obj).use_collider


def _has_volume(obj: Any, children: Children) -> bool:
    return any(groups.read(child).use_gravity for child in children.get(obj, ()))


def _volume_below(obj: Any, homes: Homes) -> Any:
    """A new empty, where a body or collider is."""
    volume = bpy.data.objects.new(f"{obj.name} Gravity", None)
    volume.parent = obj
    for home in homes.of(obj):
        home.objects.link(volume)
    return volume


class _OnLine(Undoable):
    """An operator on the points of the active object's line."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the object has gravity along a line."""
        shown: Any = context.object
        if shown is not None and can_change(shown) and _has_line(shown):
            return True
        return unavailable(cls, "The active object has no gravity along a line")


class _OnPoint(_OnLine):
    """An operator on the active point."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is one."""
        if not super().poll(context):
            return False
        line = _line(context)
        if 0 <= line.points_index < len(line.points):
            return True
        return unavailable(cls, "The line has no active point")


def _has_line(obj: Any) -> bool:
    return groups.read(obj).use_gravity and groups.of_object(obj).gravity.type == "LINE"


def _line(context: bpy.types.Context) -> Any:
    return groups.of_object(context.object).gravity.line


class OMIPHYSICS_OT_line_add(_OnLine, bpy.types.Operator):
    """Adds a point to the line."""

    bl_idname = "object.omi_physics_line_add"
    bl_label = "Add Line Point"
    bl_description = "Add a point after the active one, between it and the next"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """After the last point the line goes on as far as it did before."""
        line = _line(context)
        places: list[Any] = [Vector(point.location) for point in line.points]
        index = min(line.points_index, len(places) - 1)
        place = Vector()
        if 0 <= index < len(places) - 1:
            place = places[index].lerp(places[index + 1], 0.5)
        elif index >= 0:
            step = places[-1] - places[-2] if len(places) > 1 else Vector((1.0, 0.0, 0.0))
            place = places[-1] + step
        _insert(line, index + 1, place)
        changed(context.object)
        return {"FINISHED"}


class OMIPHYSICS_OT_line_duplicate(_OnPoint, bpy.types.Operator):
    """Adds the active point once more."""

    bl_idname = "object.omi_physics_line_duplicate"
    bl_label = "Duplicate Line Point"
    bl_description = "Add a point after the active one, at the same place"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Make the new one active."""
        line = _line(context)
        _insert(line, line.points_index + 1, Vector(line.points[line.points_index].location))
        changed(context.object)
        return {"FINISHED"}


class OMIPHYSICS_OT_line_remove(_OnPoint, bpy.types.Operator):
    """Removes the active point."""

    bl_idname = "object.omi_physics_line_remove"
    bl_label = "Remove Line Point"
    bl_description = "Remove the active point from the line, which needs at least two points"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Make the one after it active."""
        line = _line(context)
        line.points.remove(line.points_index)
        line.points_index = max(min(line.points_index, len(line.points) - 1), 0)
        changed(context.object)
        return {"FINISHED"}


class OMIPHYSICS_OT_line_move(choices.Direction, _OnPoint, bpy.types.Operator):
    """Moves the active point in the list."""

    bl_idname = "object.omi_physics_line_move"
    bl_label = "Move Line Point"
    bl_description = "Move the active point in the order of the line"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Stop at the ends of the list."""
        line = _line(context)
        new = line.points_index + (-1 if self.direction == "UP" else 1)
        if not 0 <= new < len(line.points):
            return refuse(self, "The point is at the end of the line")
        line.points.move(line.points_index, new)
        line.points_index = new
        changed(context.object)
        return {"FINISHED"}


class OMIPHYSICS_OT_line_from_curve(OnSelection, bpy.types.Operator):
    """Turns curves that give the points of lines into points."""

    bl_idname = "object.omi_physics_line_from_curve"
    bl_label = "Points from Curve"
    bl_description = "Copy the points of the curve to the list, and remove the curve from the line"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Lines without a curve stay as they are."""
        found = [
            obj
            for obj in targets(context)
            if _has_line(obj) and groups.of_object(obj).gravity.line.curve is not None
        ]
        if not found:
            return refuse(self, "None of the selected objects has a line with a curve")
        count = sum(_take_points(obj) for obj in found)
        return report(self, "Made {count} point", "Made {count} points", count)


def _take_points(obj: Any) -> int:
    from ..scene.feature_reader import curve_points

    line = groups.of_object(obj).gravity.line
    into = obj.matrix_world.inverted_safe() @ line.curve.matrix_world
    line.points.clear()
    for place in curve_points(line.curve.data):
        line.points.add().location = into @ place
    line.points_index, line.curve = 0, None
    changed(obj)
    return len(line.points)


def _insert(line: Any, index: int, place: Vector) -> None:
    line.points.add().location = place
    line.points.move(len(line.points) - 1, index)
    line.points_index = index


class OMIPHYSICS_OT_take_scene_gravity(OnScene, bpy.types.Operator):
    """Copies Blender's gravity to the value that is exported."""

    bl_idname = "scene.omi_physics_take_scene_gravity"
    bl_label = "Use Scene Gravity"
    bl_description = "Export the gravity of Blender's scene"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Without gravity, the direction stays."""
        scene: Any = context.scene
        world = of_scene(scene).world_gravity
        vector = Vector(scene.gravity) if scene.use_gravity else Vector()
        world.source = "VALUE"
        world.gravity = vector.length
        if vector.length:
            world.direction = vector.normalized()
        of_scene(scene).use_world_gravity = True
        lists_changed(context)
        return done(self, "Export uses the gravity of the scene")


class OMIPHYSICS_OT_give_scene_gravity(OnScene, bpy.types.Operator):
    """Copies the value that is exported to Blender's gravity."""

    bl_idname = "scene.omi_physics_give_scene_gravity"
    bl_label = "Set Scene Gravity"
    bl_description = "Set the gravity of Blender's scene to the exported gravity"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Blender's simulations then fall the same way."""
        scene: Any = context.scene
        world = of_scene(scene).world_gravity
        direction = Vector(world.direction)
        if not direction.length:
            return refuse(self, "The direction has no length")
        scene.gravity = direction.normalized() * world.gravity
        scene.use_gravity = True
        lists_changed(context)
        return done(self, "Set the gravity of the scene")
