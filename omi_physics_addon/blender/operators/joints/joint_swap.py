"""Lets joints stand on the other one of the bodies they hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import bpy
from mathutils import Matrix

from ....model.joints import turned
from ...base import groups
from ...base.groups import is_bone_proxy
from ...base.hierarchy import Homes, ancestors, new_empty
from ...properties import names
from ...properties.entries import is_editable
from ...scene.migrations import PARTS
from ..chosen_objects import can_change, changed, counted, finished, pgettext_rpt, refuse
from .chosen_joints import OnJoints, joint_targets

_CLOSE: Final = 1e-5  # Of places and turns that count as one.


class OMIPHYSICS_OT_swap_joint_ends(OnJoints, bpy.types.Operator):
    """Swaps the ends of the selected joints."""

    bl_idname = "object.omi_physics_swap_joint_ends"
    bl_label = "Swap Joint Ends"
    bl_description = (
        "Swap the parent and the connected object of the selected joints, and reverse limits "
        "and drives to keep the motion"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Settings that other joints share stay; these ones get turned copies."""
        found = [obj for obj in joint_targets(context) if _can_swap(obj)]
        if not found:
            return refuse(self, "No joint has both a parent and a connected object to swap")
        view_layer: Any = context.view_layer
        view_layer.update()
        swapping = _Swapping(Homes(context.scene), _needed(), _bone_proxies())
        for obj in found:
            swapping.swap(obj)
        sliding, turning = _turn_settings(context.scene, found)
        one, many = "Swapped the ends of {count} joint", "Swapped the ends of {count} joints"
        text = counted(one, many, len(found))
        for why, inexact in (
            ("{names} slide along axes that now follow the other body", sliding),
            ("{names} rotate about several axes, which now follow the other body", turning),
        ):
            if inexact:
                text += "; " + pgettext_rpt(why).format(names=", ".join(inexact))
        return finished(self, text, warns=sliding or turning)


def _can_swap(obj: Any) -> bool:
    to = groups.read(obj).joint.connected_object
    return obj.parent is not None and to is not None and to != obj and obj not in ancestors(to)


def _needed() -> set[Any]:
    """The objects that must stay for others: those below them, or several joints they end."""
    counts = Counter(
        groups.read(obj).joint.connected_object
        for obj in bpy.data.objects
        if groups.read(obj).use_joint
    )
    shared = {obj for obj, count in counts.items() if count > 1}
    return shared.union(obj.parent for obj in bpy.data.objects)


def _bone_proxies() -> dict[tuple[Any, str], Any]:
    """The objects whose physics is that of a bone, by armature and bone."""
    return {
        (obj.parent, obj.parent_bone): obj
        for obj in bpy.data.objects
        if is_bone_proxy(obj) and not groups.read(obj).use_joint
    }


@dataclass(eq=False)
class _Swapping:
    """Swaps the ends of joints.

    Attributes:
        needed: objects that must stay for others.
        bone_proxies: see `_bone_proxies`.
    """

    homes: Homes
    needed: set[Any]
    bone_proxies: dict[tuple[Any, str], Any]

    def swap(self, obj: Any) -> None:
        """Both frames stay where they are in the world; the joint goes to the other one."""
        from ...authoring import joint_making

        joint = groups.of_object(obj).joint
        end, to = self._held(obj), joint.connected_object
        here, there = joint_making.frame_of(obj), joint_making.frame_of(to)
        is_one_place = joint.pivot_at_joint or _close(here, there)
        if is_one_place and end is not None:
            joint.connected_object, joint.pivot_at_joint = end, True
            _hang(obj, to, here)
        elif obj.parent_type == "OBJECT" and to not in self.needed and _is_bare(to):
            above = to.parent
            joint_making.put_below(to, obj.parent, here)
            joint_making.put_below(obj, above, there)
        else:
            joint.connected_object, joint.pivot_at_joint = self._pivot(obj, here), False
            _hang(obj, to, here if is_one_place else there)
        groups.of_object(obj).is_bone_stand_in = False
        changed(obj)

    def _held(self, obj: Any) -> Any:
        """What moves as the end does that a joint hangs on; None where no object does."""
        if obj.parent_type == "OBJECT":
            return obj.parent
        if obj.parent_type != "BONE":
            return None
        return self.bone_proxies.get((obj.parent, obj.parent_bone))

    def _pivot(self, obj: Any, frame: Matrix) -> Any:
        """An empty that hangs where a joint did."""
        homes = self.homes.of(obj)
        pivot = new_empty(f"{obj.name} Pivot", homes, "ARROWS", obj.empty_display_size)
        _hang_beside(pivot, obj, frame)
        return pivot


def _hang(obj: Any, end: Any, frame: Matrix) -> None:
    """Put an object below an end; on the bone itself if the end stands for one."""
    from ...authoring import joint_making

    if is_bone_proxy(end):
        _hang_beside(obj, end, frame)
    else:
        joint_making.put_below(obj, end, frame)


def _hang_beside(obj: Any, other: Any, frame: Matrix) -> None:
    """Parent an object as another one is, to an object, a bone or vertices."""
    from ...authoring import joint_making

    if other.parent_type == "OBJECT":
        joint_making.put_below(obj, other.parent, frame)
        return
    obj.parent, obj.parent_type = other.parent, other.parent_type
    obj.parent_bone, obj.parent_vertices = other.parent_bone, other.parent_vertices
    obj.matrix_parent_inverse = Matrix()
    # Blender itself would leave out where vertices are until the scene is evaluated again.
    above = other.matrix_world @ (other.matrix_parent_inverse @ other.matrix_basis).inverted_safe()
    obj.matrix_basis = above.inverted_safe() @ frame
    obj.update_tag(refresh={"OBJECT"})


def _is_bare(obj: Any) -> bool:
    """Whether an object is nothing but a frame below another one, which can go elsewhere."""
    if obj.type != "EMPTY" or obj.parent is None or obj.parent_type != "OBJECT":
        return False
    group = groups.of_object(obj)
    return can_change(obj) and not any(getattr(group, part) for part in PARTS)


def _close(a: Any, b: Any) -> bool:
    return all(
        abs(x - y) < _CLOSE for p, q in zip(a, b, strict=True) for x, y in zip(p, q, strict=True)
    )


def _turn_settings(scene: Any, found: list[Any]) -> tuple[list[str], list[str]]:
    """Turn the settings of swapped joints around.

    Returns:
        The names of those that cannot be exact: where they slide, and where they turn.
    """
    from ....codec.convert.joint_conversion import is_symmetric, turns_symmetrically
    from ...authoring import joint_making
    from ...scene import joint_settings

    swapped = set(found)
    used = {groups.read(obj).joint.settings for obj in found}
    shared: set[str] = set()
    for obj in names.objects_of(scene):
        group = groups.of_object(obj)
        if group.use_joint and obj not in swapped and group.joint.settings in used:
            shared.add(group.joint.settings)
    sliding, turning = list[str](), list[str]()
    for name in sorted(used):
        entry = groups.of_scene(scene).joint_settings.get(name) if name else None
        if entry is None:
            continue
        before = joint_settings.read_in_blender(entry)
        if not is_symmetric(before):
            sliding.append(name)
        after = turned(before)
        if not turns_symmetrically(after):
            turning.append(name)
        if after == before:
            continue
        if name not in shared and is_editable(entry):
            joint_settings.show_in_blender(after, entry)
            continue
        copy: str = joint_making.new_entry(scene, after, name).name
        for obj in found:
            if groups.read(obj).joint.settings == name:
                groups.of_object(obj).joint.settings = copy
    return sliding, turning
