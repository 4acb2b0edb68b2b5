"""Makes Blender's rigid-body constraints of joints of ours."""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix

from ....axes import points_to_blender
from ....issue_codes import Code
from ....model.joints import JointLimit, JointSettings, turned
from ....simulation.rigid import bodies, constraints
from ....simulation.rigid.values import BODY, CONSTRAINT, Values, completed
from ....simulation.state import WORLD
from ....simulation.world import JointFrames
from ...base import groups
from ...base.hierarchy import new_empty
from ...scene import joint_settings
from .. import joint_making
from . import blender_values as blender
from .giving import Giving, box

_CLOSE: Final = 1e-4  # m, and of an axis: frames that are no farther apart are one place.


class GivingJoints:
    """Makes constraints, on the objects of joints where these have the right axes."""

    def __init__(self, giving: Giving) -> None:
        self._giving = giving

    def give(self, joint: JointFrames, given: Collection[int]) -> None:
        """Make the constraints of a joint between bodies that were given."""
        obj = self._giving.object(joint.node)
        ends = [joint.first, joint.second]
        if any(end.body != WORLD and end.body not in given for end in ends):
            self._giving.tell(
                obj, Code.RIGID_BODY_LEFT_OUT, "one of the connected bodies is not a rigid body"
            )
            return
        if ends[0].body == ends[1].body:
            self._giving.tell(obj, Code.RIGID_BODY_LEFT_OUT, "both ends are on the same body")
            return
        shown = joint_settings.in_blender(JointSettings(limits=joint.limits, drives=joint.drives))
        kept = blender.kept(groups.of_object(obj).joint.kept, blender.CONSTRAINT_KEY)
        shown, losses = self._closed(joint, shown)
        objects = [self._end(end.body) for end in ends]
        if kept.get("ends") == "turned":
            shown = turned(shown)
            objects.reverse()
        wish = kept.get("wish", "")
        plans, more = constraints.plans_of(shown, wish if isinstance(wish, str) else "")
        for number, plan in enumerate(plans):
            values = {**plan.values, "disable_collisions": not joint.enable_collision}
            if number == 0:
                values = completed(values, kept)
            self._write_constraint(
                obj, plan.shift if number or plan.shift else None, values, objects
            )
        self._giving.given.constraints.append(obj)
        losses += more
        if losses:
            why = f"Blender's constraint does not have {', '.join(losses)}"
            self._giving.tell(obj, Code.RIGID_BODY_CANNOT_SAY, why)

    def _closed(self, joint: JointFrames, shown: JointSettings) -> tuple[JointSettings, list[str]]:
        """Settings that are measured from where the bodies are, and what that leaves out."""
        (place_a, axes_a), (place_b, axes_b) = map(
            self._giving.world.placed, (joint.first, joint.second)
        )
        losses: list[str] = []
        if np.abs(axes_a - axes_b).max() > _CLOSE:
            losses.append("the rotation between its two frames")
        offset = points_to_blender(axes_a.T @ (place_b - place_a))
        if np.abs(offset).max() <= _CLOSE:
            return shown, losses
        limits: list[JointLimit] = []
        for limit in shown.limits:
            ends = (limit.min, limit.max)
            if not limit.linear_axes or limit.stiffness is not None:
                limits.append(limit)
                continue
            for axis in limit.linear_axes:
                low, high = (None if e is None else e + float(offset[axis]) for e in ends)
                limits.append(replace(limit, linear_axes=(axis,), min=low, max=high))
        return replace(shown, limits=tuple(limits)), losses

    def _end(self, at: int) -> Any:
        return (
            self._anchor if at == WORLD else self._giving.object(self._giving.world.bodies[at].node)
        )

    @functools.cached_property
    def _anchor(self) -> Any:
        """The rigid body that stands for the world where a joint has no body at one end."""
        known = next((o for o in self._giving.linked if groups.read(o).counterpart == o), None)
        if known is not None:
            return known
        mesh = bpy.data.meshes.new("Rigid Body Anchor")
        box(mesh, (0.05, 0.05, 0.05))
        made = bpy.data.objects.new("Rigid Body Anchor", mesh)
        made.display_type, made.hide_render = "WIRE", True
        self._giving.scene.collection.objects.link(made)
        group = groups.of_object(made)
        group.counterpart, group.is_collision_only = made, True
        nobody = [False] * len(BODY["collision_collections"])
        self._giving.write_body(made, bodies.values_of(None, "BOX", 0.5, 0.0, nobody))
        self._giving.given.made.append(made)
        return made

    def _write_constraint(
        self, obj: Any, shift: int | None, values: Values, ends: Sequence[Any]
    ) -> None:
        """Write a constraint on a joint, or on an object of its own whose axes are shifted."""
        holder = groups.read(obj).counterpart or obj
        if shift is not None:
            if holder in self._giving.held:
                self._giving.world_of_blender.constraints.objects.unlink(holder)
                self._giving.held.discard(holder)
            name, homes = f"{obj.name} {values['type'].title()}", self._giving.homes.of(obj)
            holder = new_empty(name, homes, "ARROWS", obj.empty_display_size)
            frame = joint_making.frame_of(obj)
            axes = [frame.col[(i + shift) % 3] for i in range(3)]
            holder.matrix_basis = Matrix((*axes, frame.col[3])).transposed()
            groups.of_object(holder).counterpart = obj
            self._giving.given.made.append(holder)
        if holder not in self._giving.held:
            self._giving.world_of_blender.constraints.objects.link(holder)
            self._giving.held.add(holder)
        constraint: Any = holder.rigid_body_constraint
        if (constraint.object1, constraint.object2) != tuple(ends):
            constraint.object1, constraint.object2 = ends
        blender.write(constraint, {**CONSTRAINT, **values})
