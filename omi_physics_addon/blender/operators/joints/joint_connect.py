"""Joins objects: each selected one to the active one, or neighbors in a row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...base import groups
from ...base.hierarchy import Homes, ancestors, body_of
from ...base.mesh_arrays import MESHLIKE, moved, values
from ...preview import player
from ...properties import joint_choices
from ..chosen_objects import (
    OnScene,
    can_change,
    counted,
    finished,
    pgettext_rpt,
    refuse,
    split,
    unavailable,
)
from .joint_set_kind import Preset

if TYPE_CHECKING:
    from ....geometry.fit import pivots

_EMPTY: Final = "Select a face, edges or vertices in Edit Mode first"
_TOO_FEW: Final = "Select the objects to connect, then the object to connect them to"
_SAME: Final = "All selected objects belong to one body; add a body to each moving part"


@dataclass(eq=False)
class _Made:
    """What an operator did, for its report."""

    joints: list[Any]
    bodies: int = 0
    shapes: str = ""  # What they collide with.
    skipped: int = 0
    still: int = 0
    uneven: list[str] = field(default_factory=list[str])  # Names of ends that turn its axes.


class _Connecting(Preset, joint_choices.JointPlace, joint_choices.NewBodies, OnScene):
    """An operator that makes joints between pairs of objects."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an active object and another one that can be changed.

        A joint will do, too: new joints are what is selected afterwards, and Blender shows no redo
        panel of operators that cannot run any more.
        """
        active: Any = context.object
        if not super().poll(context):
            return False
        if active is not None and (groups.read(active).use_joint or _has_others(context)):
            return True
        return unavailable(cls, _TOO_FEW)

    def pairs(self, context: bpy.types.Context) -> list[tuple[Any, Any]]:
        """Who is joined to whom."""
        active: Any = context.object
        return [(obj, active) for obj in _others(context) if can_change(obj)]

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Edit Mode ends, because its undo knows nothing of new objects."""
        from ...authoring.fit_destinations import Plan
        from ...authoring.starting_shapes import make_bodies
        from ..fit import shapes_in_words

        player.hold()
        if not _has_others(context):
            return refuse(self, _TOO_FEW)
        by_elements = self.pivot in ("AUTO", "ELEMENTS")
        found = chosen_elements(context) if by_elements else None
        if found is None and self.pivot == "ELEMENTS":
            return refuse(self, _EMPTY)
        pairs = self.pairs(context)
        wanted = self._lacking(context, pairs) if self.make_bodies else {}
        if not wanted and all(_is_one_body(*pair) for pair in pairs):
            return refuse(self, _SAME)
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        made = _Made([], len(wanted))
        if wanted:
            outcome = make_bodies(context.evaluated_depsgraph_get(), wanted, within=True)
            made.shapes = shapes_in_words(outcome, Plan.threshold) if outcome.kinds else ""
        apart = [pair for pair in pairs if not _is_one_body(*pair)]
        made.skipped = len(pairs) - len(apart)
        if not apart:  # What could not become a body of its own is linked from another file.
            return finished(self, pgettext_rpt(_SAME), warns=True)
        self._join(context, apart, found, made)
        select_only(context, made.joints)
        return self._tell(context, made)

    def _lacking(
        self, context: bpy.types.Context, pairs: Sequence[tuple[Any, Any]]
    ) -> dict[Any, str]:
        """The objects that must become bodies, and of which type."""
        chosen: Any = self
        wanted: dict[Any, str] = {}
        for pair in pairs:
            for obj in pair:
                if body_of(obj) is None and can_change(obj):
                    is_active = obj == context.object
                    wanted[obj] = chosen.active_type if is_active else "DYNAMIC"
        for obj, other in pairs:
            # What hangs below the other one would move with it.
            inner = obj if other in ancestors(obj) else other if obj in ancestors(other) else None
            shared = body_of(obj) == body_of(other)
            if inner is not None and (shared or other in wanted or obj in wanted):
                kind = "DYNAMIC" if inner != context.object else chosen.active_type
                if not groups.read(inner).use_motion and can_change(inner):
                    wanted[inner] = kind
        return wanted

    def _join(
        self,
        context: bpy.types.Context,
        pairs: Sequence[tuple[Any, Any]],
        found: pivots.Pivot | None,
        made: _Made,
    ) -> None:
        from ...authoring import joint_making
        from ...scene.feature_reader import lies_otherwise

        entry: str = joint_making.entry_of_kind(context.scene, joint_making.asked(self)).name
        homes = Homes(context.scene)
        # All of them first: Blender goes through the scene for its context once objects are added.
        frames = [self._frame(context, obj, other, found) for obj, other in pairs]
        for (obj, other), frame in zip(pairs, frames, strict=True):
            below, to = obj, other
            if not joint_making.is_dynamic(obj) and joint_making.is_dynamic(other):
                below, to = other, obj  # The joint must stand below what moves.
            made.still += not joint_making.is_dynamic(below)
            joint = joint_making.add_joint(below, to, frame, entry, homes.of(below))
            groups.of_object(joint).joint.enable_collision = self.enable_collision
            made.joints.append(joint)
            ends = [end for end in (below, to) if lies_otherwise(end.matrix_world, frame)]
            made.uneven += [end.name for end in ends if end.name not in made.uneven]

    def _frame(
        self, context: bpy.types.Context, obj: Any, other: Any, found: pivots.Pivot | None
    ) -> Matrix:
        from ...authoring import joint_making

        chosen: Any = self
        cursor: Any = cast(Any, context.scene).cursor
        frames = {
            "GLOBAL": Matrix(),
            "SELECTED": joint_making.frame_of(obj),
            "ACTIVE": joint_making.frame_of(context.object),
            "CURSOR": cursor.matrix,
        }
        frame = frames[chosen.orientation].copy()
        middle = (_place(obj) + _place(other)) / 2.0
        places = {
            "AUTO": _where_they_meet(obj, other),
            "MIDPOINT": middle,
            "ACTIVE": _place(context.object),
            "SELECTED": _place(obj),
            "CURSOR": cursor.location.copy(),
        }
        if found is None and (chosen.kind, chosen.pivot) == ("HINGE", "AUTO"):
            found = _where_it_opens(obj, other)
        if found is None:
            frame.translation = places[chosen.pivot]
            return frame
        frame.translation = Vector(found.place.tolist())
        if found.axis is None:
            return frame
        direction = Vector(found.axis.tolist())
        return joint_making.turned_to(frame, "XYZ".index(chosen.axis), direction)

    def _tell(self, context: bpy.types.Context, made: _Made) -> set[Any]:
        """Say how many joints there are now, and what else happened."""
        from ...authoring import joint_making

        count = len(made.joints)
        settings = joint_making.settings_of(made.joints[0], context.scene)
        sentences = [counted("{count} joint", "{count} joints", count)]
        sentences[0] += ": " + _told(made.joints, settings, context.scene)
        if made.bodies:
            sentences.append(counted("{count} new body", "{count} new bodies", made.bodies))
        sentences += [made.shapes] if made.shapes else []
        if made.skipped:
            one, many = "skipped {count} pair of one body", "skipped {count} pairs of one body"
            sentences.append(counted(one, many, made.skipped))
        if made.still:
            sentences.append(pgettext_rpt("no joint has a dynamic body, so nothing moves"))
        if made.uneven:
            why = "axes differ in files because of uneven scale on {names}; apply the scale"
            sentences.append(pgettext_rpt(why).format(names=", ".join(made.uneven[:5])))
        return finished(self, "; ".join(sentences), warns=made.still or made.uneven)

    def draw(self, context: bpy.types.Context) -> None:
        """The kind, then the place, then the bodies."""
        super().draw(context)
        layout = cast(Any, self).layout
        column = layout.column()
        column.prop(self, "pivot")
        column.prop(self, "orientation")
        column.prop(self, "enable_collision")
        column = layout.column()
        column.prop(self, "make_bodies")
        shown = column.column()
        shown.enabled = cast(Any, self).make_bodies
        shown.prop(self, "active_type")


class OMIPHYSICS_OT_connect_selected(_Connecting, bpy.types.Operator):
    """Joins the selected objects to the active one."""

    bl_idname = "object.omi_physics_connect_selected"
    bl_label = "Connect Selected"
    bl_description = "Connect each selected object to the active object with a new joint"


class OMIPHYSICS_OT_connect_row(
    joint_choices.RowOrder, joint_choices.ChainLink, _Connecting, bpy.types.Operator
):
    """Joins the selected objects to their neighbors."""

    bl_idname = "object.omi_physics_connect_row"
    bl_label = "Connect in a Row"
    bl_description = (
        "Connect the selected objects in a chain, each to the next, starting at the active object"
    )

    def pairs(self, context: bpy.types.Context) -> list[tuple[Any, Any]]:
        """Each to the one before it."""
        from ....geometry.fit import pivots

        active: Any = context.object
        objects = [active, *(obj for obj in _others(context) if can_change(obj))]
        places = np.array([obj.matrix_world.translation for obj in objects])
        if self.order == "ROW":
            row = [objects[i] for i in pivots.in_row(places, 0)]
        elif self.order == "DISTANCE":
            away = np.linalg.norm(places - places[0], axis=1)
            row = [objects[i] for i in np.argsort(away, kind="stable")]
        else:
            row = sorted(objects, key=lambda obj: obj.name)
        return list(zip(row[1:], row[:-1], strict=True))

    def draw(self, context: bpy.types.Context) -> None:
        """The order first."""
        layout = split(cast(Any, self).layout)
        layout.prop(self, "order")
        super().draw(context)


def _told(joints: Sequence[Any], entry: Any, scene: Any) -> str:
    """Who moves how against whom; of several joints only what they are."""
    from ...authoring import joint_texts

    if len(joints) > 1:
        return joint_texts.name_of_kind(entry, scene)
    return joint_texts.motion(joints[0], entry, scene)


def chosen_elements(context: bpy.types.Context) -> pivots.Pivot | None:
    """The place and axis, in the world, of what is selected in Edit Mode; None for nothing."""
    from ....geometry.fit import pivots

    edited = [obj for obj in context.objects_in_mode if obj.type == "MESH" and obj.mode == "EDIT"]
    for obj in edited:
        cast(Any, obj).update_from_editmode()
    faces = [_faces(obj) for obj in edited]
    if any(len(part[0]) for part in faces):
        centers, normals, areas = (np.concatenate(part) for part in zip(*faces, strict=True))
        return pivots.of_faces(centers, normals, areas)
    edges = [_edges(obj) for obj in edited]
    if any(map(len, edges)):
        ends = np.concatenate(edges)
        return pivots.of_edges(ends[:, 0], ends[:, 1])
    corners = [_world(obj)[_selected(cast(Any, obj.data).vertices)] for obj in edited]
    if any(map(len, corners)):
        return pivots.of_corners(np.concatenate(corners))
    return None


def _selected(items: Any) -> Any:
    return values(items, "select", bool)


def _vectors(items: Any, name: str) -> Any:
    return values(items, name, np.float32, 3).astype(np.float64)


def _world(obj: Any) -> Any:
    return moved(_vectors(obj.data.vertices, "co"), obj.matrix_world)


def _faces(obj: Any) -> tuple[Any, Any, Any]:
    """Centers (n, 3), normals (n, 3) and areas (n,) of the selected faces, in the world."""
    polygons = obj.data.polygons
    chosen = _selected(polygons)
    turn = np.array(obj.matrix_world.to_3x3().inverted_safe())
    areas = values(polygons, "area", np.float32)
    normals = _vectors(polygons, "normal")[chosen] @ turn
    lengths = np.linalg.norm(normals, axis=1)
    normals[lengths > 0.0] /= lengths[lengths > 0.0, None]
    centers = moved(_vectors(polygons, "center")[chosen], obj.matrix_world)
    return centers, normals, areas[chosen]


def _edges(obj: Any) -> Any:
    """Both ends (n, 2, 3) of the selected edges, in the world."""
    edges = obj.data.edges
    return _world(obj)[values(edges, "vertices", np.int32, 2)[_selected(edges)]]


def select_only(context: bpy.types.Context, objects: Sequence[Any]) -> None:
    """Select new objects, so that their panels are at hand; the last one is the active one."""
    view_layer: Any = context.view_layer
    for obj in context.selected_objects:
        obj.select_set(False)
    there = set(view_layer.objects)
    shown = [obj for obj in objects if obj in there]
    for obj in shown:
        obj.select_set(True)
    if shown:
        view_layer.objects.active = shown[-1]


def _others(context: bpy.types.Context) -> list[Any]:
    return [obj for obj in context.selected_editable_objects if obj != context.object]


def _has_others(context: bpy.types.Context) -> bool:
    return any(map(can_change, _others(context)))


def _is_one_body(obj: Any, other: Any) -> bool:
    body = body_of(obj)
    return body is not None and body == body_of(other)


def _place(obj: Any) -> Vector:
    return obj.matrix_world.translation.copy()


def _where_they_meet(obj: Any, other: Any) -> Vector:
    from ....geometry.fit import pivots

    return Vector(pivots.between(_corners(obj), _corners(other)).tolist())


def _where_it_opens(obj: Any, other: Any) -> pivots.Pivot | None:
    """Where and about what a lid, a door or a flap turns, in the world; None for others."""
    from ....geometry.fit import pivots

    for of_contact in (pivots.of_leaf, pivots.of_seam):
        for leaf, base in ((obj, other), (other, obj)):
            way = leaf.matrix_world.col[0]
            turn = np.array(Matrix.Rotation(math.atan2(way[1], way[0]), 3, "Z"))
            found = of_contact(_corners(leaf) @ turn, _corners(base) @ turn)
            if found is not None and found.axis is not None:
                return pivots.Pivot(turn @ found.place, turn @ found.axis)
    return None


def _corners(obj: Any) -> Any:
    """The corners (n, 3) in the world of the box around an object; its origin without a form."""
    if obj.type not in MESHLIKE:
        return np.array(obj.matrix_world.translation)[None]
    return moved(obj.bound_box, obj.matrix_world)
