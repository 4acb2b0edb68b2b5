"""Finds the joints that the selected parts seem to have, and makes those that are ticked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import bpy
import gpu
import numpy as np
from gpu_extras import batch as gpu_batch

from ...base import groups
from ...preview import player
from ...properties.joints import OMIPHYSICS_PG_found_joint
from ..chosen_objects import (
    OnScene,
    can_change,
    chosen,
    leave_edit_mode_data,
    refuse,
    report,
    targets,
    unavailable,
)
from .joint_connect import select_only

if TYPE_CHECKING:
    from ...authoring.rigging.found_joints import Candidate

_TOO_FEW: Final = "Select two or more parts that touch"
_NOTHING: Final = "No part rotates or slides on another part, judging by the surfaces"
_COLORS: Final = {True: (1.0, 0.65, 0.1, 1.0), False: (0.6, 0.6, 0.6, 0.8)}
_LENGTH: Final = 0.6  # Of a line, of the size of its part.
_Axis = tuple[list[Any], bool]
_WIDTH: Final = 640  # Of the window with the list, pixels.
# Of a row: the first name, the kind of what is left, the second name of what is then left.
_NAME, _KIND, _OTHER = 0.42, 0.16, 0.84


class OMIPHYSICS_OT_find_joints(OnScene, bpy.types.Operator):
    """Finds joints between the selected objects."""

    bl_idname = "object.omi_physics_find_joints"
    bl_label = "Find Joints"
    bl_description = (
        "Detect by their surfaces which selected parts rotate or slide on each other, and "
        "add the checked joints; parts without a body get one"
    )

    least: bpy.props.FloatProperty(  # pyright: ignore[reportInvalidTypeForm]
        name="Confidence",
        description="Confidence above which a joint is checked at first",
        subtype="FACTOR",
        min=0.0,
        max=1.0,
        default=0.75,
    )
    found: bpy.props.CollectionProperty(  # pyright: ignore[reportInvalidTypeForm]
        type=OMIPHYSICS_PG_found_joint, options={"SKIP_SAVE"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there are two objects."""
        if not super().poll(context):
            return False
        # Afterwards the joints are selected, and the redo panel is still to be shown.
        active: Any = context.object
        is_joint = active is not None and groups.read(active).use_joint
        if is_joint or len(chosen(context)) >= 2:
            return True
        return unavailable(cls, _TOO_FEW)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Look, and show what was found: as a list, and as lines in the viewport."""
        if not self._look(context):
            return {"CANCELLED"}
        view: Any = bpy.types.SpaceView3D
        # Plain data: the rows are gone with the operator, and Blender draws when it likes.
        self._axes: list[_Axis] = _axes_of(self.found)
        self._lines = view.draw_handler_add(_draw_lines, (self._axes,), "WINDOW", "POST_VIEW")
        _redraw(context)
        manager: Any = context.window_manager
        return manager.invoke_props_dialog(self, width=_WIDTH)

    def cancel(self, context: bpy.types.Context) -> None:
        """Take the lines away."""
        self._hide(context)

    def draw(self, context: bpy.types.Context) -> None:
        """A row for each joint."""
        layout: Any = self.layout
        me: Any = self
        if getattr(self, "_lines", None) is not None:
            self._axes[:] = _axes_of(me.found)
            _redraw(context)
        for row in me.found:
            line = layout.row()
            line.prop(row, "use", text="")
            parts = line.split(factor=_NAME)
            parts.active = row.use
            parts.label(text=row.part, icon="OBJECT_DATA", translate=False)
            rest = parts.split(factor=_KIND)
            rest.label(text=row.kind.title())
            last = rest.split(factor=_OTHER)
            last.label(text=row.other, icon="EMPTY_AXIS", translate=False)
            last.label(text=f"{100.0 * row.confidence:.0f} %", translate=False)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Make those that are ticked."""
        from ...authoring.rigging import found_joints

        self._hide(context)
        me: Any = self
        if not len(me.found) and not self._look(context):
            return {"CANCELLED"}
        wanted = [each for row in me.found if row.use and (each := _candidate(row)) is not None]
        if not wanted:
            return refuse(self, "No joint is checked")
        player.hold()
        joints = found_joints.make(context.scene, context.evaluated_depsgraph_get(), wanted)
        select_only(context, joints)
        one, many = "{count} joint of {all} found", "{count} joints of {all} found"
        return report(self, one, many, len(joints), all=len(me.found))

    def _look(self, context: bpy.types.Context) -> bool:
        """Fill the list; says where there is nothing to fill it with."""
        from ...authoring.rigging import found_joints

        me: Any = self
        objects = targets(context)
        if len(objects) < 2:
            refuse(self, _TOO_FEW)
            return False
        leave_edit_mode_data(objects)
        me.found.clear()
        for each in found_joints.find(context.evaluated_depsgraph_get(), objects):
            _note(me.found.add(), each, me.least)
        if not len(me.found):
            refuse(self, _NOTHING)
        return len(me.found) > 0

    def _hide(self, context: bpy.types.Context) -> None:
        lines = getattr(self, "_lines", None)
        if lines is not None:
            view: Any = bpy.types.SpaceView3D
            view.draw_handler_remove(lines, "WINDOW")
            self._lines = None
            _redraw(context)


def _note(row: Any, candidate: Candidate, least: float) -> None:
    found = candidate.found
    row.part, row.other, row.kind = candidate.part.name, candidate.other.name, found.kind
    row.confidence, row.use = found.confidence, found.confidence >= least
    row.place = found.place.tolist()
    if found.axis is not None:
        row.axis = found.axis.tolist()
    row.has_reach = found.reach is not None
    row.reach = found.reach or (0.0, 0.0)


def _candidate(row: Any) -> Candidate | None:
    """The joint of a row; None where an object is gone or cannot be changed."""
    from ....geometry.fit.joint_finding import Found
    from ...authoring.rigging.found_joints import Candidate

    objects: Any = bpy.data.objects
    part, other = objects.get(row.part), objects.get(row.other)
    if part is None or other is None or not can_change(part):
        return None
    axis = np.array(row.axis, dtype=np.float64)
    reach = tuple(row.reach) if row.has_reach else None
    has_axis = row.kind != "ball"
    found = Found(row.kind, np.array(row.place), axis if has_axis else None, row.confidence, reach)
    return Candidate(part, other, found)


def _axes_of(rows: Any) -> list[_Axis]:
    """The ends of lines for each row, two by two, and whether it is ticked."""
    found: list[_Axis] = []
    for row in rows:
        part: Any = bpy.data.objects.get(row.part)
        half = _LENGTH * (max(part.dimensions) if part is not None else 1.0)
        place = np.array(row.place)
        axes = [row.axis] if any(row.axis) else np.eye(3)
        ends = [tuple(place + sign * half * np.array(axis)) for axis in axes for sign in (-1, 1)]
        found.append((ends, bool(row.use)))
    return found


def _draw_lines(axes: list[_Axis]) -> None:
    """The axes of all that was found; grey where it is not ticked."""
    shader: Any = gpu.shader.from_builtin("UNIFORM_COLOR")
    batches: Any = gpu_batch
    gpu.state.depth_test_set("NONE")
    gpu.state.line_width_set(3.0)
    for ends, is_ticked in axes:
        batch: Any = batches.batch_for_shader(shader, "LINES", {"pos": ends})
        shader.uniform_float("color", _COLORS[is_ticked])
        batch.draw(shader)
    gpu.state.line_width_set(1.0)


def _redraw(context: bpy.types.Context) -> None:
    screen: Any = context.screen
    for area in screen.areas if screen is not None else ():
        if area.type == "VIEW_3D":
            area.tag_redraw()
