"""Makes ropes of curves: a row of bodies held to each other by joints."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...base import groups
from ...base.hierarchy import body_of
from ...preview import player
from ...properties import joint_choices
from ..chosen_objects import (
    OnScene,
    can_change,
    finished,
    pgettext_rpt,
    refuse,
    report,
    unavailable,
)
from .joint_connect import select_only

_AXIS: Final = 2  # Segments lie along their Z.
_SHORTEST: Final = 1e-3  # Of a capsule without its caps, relative to its radius.
# Radius of what would be shorter than thick, relative to its length.
_SLIM: Final = 0.25
_SIDES: Final = 10
_RINGS: Final = 3


@dataclass(eq=False)
class _Rope:
    """A rope in the making: its segments and where each begins and ends in the world."""

    segments: list[Any]
    ends: list[Vector]
    joints: list[Any]
    is_closed: bool
    entry: str
    size: float
    home: Any


class OMIPHYSICS_OT_rope_from_curve(joint_choices.Rope, OnScene, bpy.types.Operator):
    """Makes a rope along the active curve."""

    bl_idname = "object.omi_physics_rope_from_curve"
    bl_label = "Rope from Curve"
    bl_description = (
        "Create a chain of capsule bodies with joints along the active curve, and attach the "
        "ends to other selected objects"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active object is a curve, in Object Mode."""
        obj = context.object
        if not super().poll(context):
            return False
        if obj is not None and obj.type == "CURVE" and context.mode == "OBJECT":
            return True
        return unavailable(cls, "Select a curve in Object Mode")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """The curve stays as it is."""
        from ....geometry.fit import pivots

        player.hold()
        chosen: Any = self
        curve: Any = context.object
        line = _line(curve)
        length = pivots.length(line) if len(line) > 1 else 0.0
        if length <= 0.0:
            return refuse(self, "The curve has no length")
        count: int = chosen.count
        if chosen.divide_by == "LENGTH":
            count = min(max(round(length / chosen.segment_length), 1), 1000)
        radius: float = chosen.radius
        is_thinned = length / count <= 2.0 * radius
        if is_thinned:  # Refusing would leave no redo panel to take fewer in.
            radius = _SLIM * length / count
        ends = [Vector(place) for place in pivots.evenly(line, count)]
        helpers = [o for o in context.selected_objects if o != curve and o.type != "CURVE"]
        rope = self._segments(context, curve, ends, radius)
        self._join(rope)
        if not rope.is_closed:
            self._hold(context, rope, helpers)
        # The curve stays the active one: without it Blender would show no redo panel.
        select_only(context, [*rope.segments, curve])
        if is_thinned:
            text = (
                "{count} segments are too short for the thickness and were made thinner; use "
                "fewer segments"
            )
            return finished(self, pgettext_rpt(text).format(count=count), warns=True)
        one, many = "A rope of {count} segment", "A rope of {count} segments"
        return report(self, one, many, count)

    def _segments(
        self, context: bpy.types.Context, curve: Any, ends: list[Vector], radius: float
    ) -> _Rope:
        """Capsules of one size, which share mesh and shape."""
        from ....model.joint_kinds import JointKind
        from ...authoring import joint_making

        chosen: Any = self
        lengths = [(b - a).length for a, b in itertools.pairwise(ends)]
        height = max(min(lengths) - 2.0 * radius, _SHORTEST * radius)
        mesh = bpy.data.meshes.new(f"{curve.name} Segment")
        mesh.from_pydata(*_capsule(height, radius))
        cast(Any, mesh).shade_smooth()
        home = bpy.data.collections.new(f"{curve.name} Rope")
        cast(Any, context.scene).collection.children.link(home)
        segments: list[Any] = []
        turn = Quaternion()
        for i, (start, end) in enumerate(itertools.pairwise(ends)):
            obj = bpy.data.objects.new(f"{curve.name} {i + 1}", mesh)
            home.objects.link(obj)
            own: Any = turn @ Vector((0.0, 0.0, 1.0))
            turn = own.rotation_difference(end - start) @ turn  # No more twist than the line has.
            obj.matrix_basis = Matrix.LocRotScale((start + end) / 2.0, turn, None)
            _make_solid(obj, height, radius, chosen.mass / (len(ends) - 1))
            segments.append(obj)
        closed = len(segments) > 2 and (ends[0] - ends[-1]).length < radius
        kind = JointKind(kind="ball")
        if chosen.use_swing:
            bend: float = chosen.swing
            kind = JointKind(
                kind="cone_twist", axis=_AXIS, swing=bend, turn_min=-bend, turn_max=bend
            )
        entry: str = joint_making.entry_of_kind(context.scene, kind).name
        return _Rope(segments, ends, [], closed, entry, 2.0 * radius, home)

    def _join(self, rope: _Rope) -> None:
        """Each segment at its start to the end of the one before it."""
        pairs = list(zip(rope.segments[1:], rope.segments[:-1], rope.ends[1:-1], strict=True))
        if rope.is_closed:
            pairs.append((rope.segments[0], rope.segments[-1], rope.ends[0]))
        for segment, before, place in pairs:
            _add_joint(rope, segment, before, place)

    def _hold(self, context: bpy.types.Context, rope: _Rope, helpers: Sequence[Any]) -> None:
        """Hold the ends to the nearest of the other selected objects, each to another one."""
        from ...authoring.starting_shapes import make_bodies

        chosen: Any = self
        free = list(helpers)
        for wanted, segment, place in (
            (chosen.hold_start, rope.segments[0], rope.ends[0]),
            (chosen.hold_end, rope.segments[-1], rope.ends[-1]),
        ):
            if not wanted:
                continue
            if free:
                to = min(free, key=lambda obj: (obj.matrix_world.translation - place).length)
                free.remove(to)
                if body_of(to) is None and can_change(to):
                    make_bodies(context.evaluated_depsgraph_get(), {to: "STATIC"})
            else:
                to = _anchor(rope, segment, place)
            _add_joint(rope, segment, to, place)


def _make_solid(obj: Any, height: float, radius: float, mass: float) -> None:
    group = groups.of_object(obj)
    group.use_motion = True
    group.motion.mass = mass
    group.use_collider = True
    shape = group.collider.shape
    shape.type = "CAPSULE"
    shape.capsule.height = height
    shape.capsule.radius_bottom = shape.capsule.radius_top = radius


def _add_joint(rope: _Rope, segment: Any, to: Any, place: Vector) -> None:
    # What was made just now has its place in its basis only.
    from ...authoring import joint_making

    frame = Matrix.LocRotScale(place, segment.matrix_basis.to_quaternion(), None)
    joint = joint_making.add_joint(segment, to, frame, rope.entry, [rope.home], rope.size)
    joint.matrix_parent_inverse = Matrix()
    joint.matrix_basis = segment.matrix_basis.inverted() @ frame
    rope.joints.append(joint)


def _anchor(rope: _Rope, segment: Any, place: Vector) -> Any:
    """A static body without a shape, that an end hangs from."""
    obj = bpy.data.objects.new(f"{segment.name} Anchor", None)
    obj.empty_display_type, obj.empty_display_size = "CUBE", rope.size
    rope.home.objects.link(obj)
    obj.location = place
    groups.of_object(obj).use_motion = True
    groups.of_object(obj).motion.type = "STATIC"
    return obj


def _line(curve: Any) -> Any:
    """The points (n, 3) of the first spline in the world; along the curve, not its control cage."""
    from ...scene.feature_reader import curve_points

    data = curve.data
    if not data.splines:
        return np.zeros((0, 3))
    matrix = curve.matrix_world
    if data.splines[0].type != "NURBS":
        return np.array([matrix @ point for point in curve_points(data)]).reshape(-1, 3)
    return _nurbs_line(data, matrix)


def _nurbs_line(data: Any, matrix: Matrix) -> Any:
    bare = data.copy()
    bare.bevel_depth = bare.extrude = 0.0
    bare.bevel_object = bare.taper_object = None
    for spline in list(bare.splines)[1:]:
        bare.splines.remove(spline)
    probe = bpy.data.objects.new("Line", bare)
    try:
        mesh: Any = probe.to_mesh()
        points = [matrix @ vert.co for vert in mesh.vertices]
        if data.splines[0].use_cyclic_u and points:
            points.append(points[0].copy())
    finally:
        probe.to_mesh_clear()
        bpy.data.objects.remove(probe)
        bpy.data.curves.remove(bare)
    return np.array(points).reshape(-1, 3)


def _capsule(height: float, radius: float) -> tuple[Any, list[Any], Any]:
    from ....geometry.fit import pivots

    corners, faces = pivots.capsule_mesh(height, radius, _SIDES, _RINGS)
    return corners, [], faces
