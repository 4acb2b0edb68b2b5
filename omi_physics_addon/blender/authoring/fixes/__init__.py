"""What can be set right with a click, by the code of the issue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

import bmesh
import bpy
import numpy as np

from ....files.fixes import IN_SCENES
from ....files.fixes.fix import Words
from ....issue_codes import Code
from ...base import groups
from ...base.hierarchy import Children, ancestors
from ...base.mesh_arrays import edited, evaluated_points
from ...properties import entries, names
from ..gravity_forms import add_trigger


def _make_dynamic(obj: Any) -> bool:
    group = groups.of_object(obj)
    group.use_motion, group.motion.type = True, "DYNAMIC"
    return True


def _no_filter(obj: Any) -> bool:
    groups.of_object(obj).trigger.collision_filter = ""
    return True


def _no_unknown_names(obj: Any) -> bool:
    """Clear the names that no entry has."""
    group = groups.of_object(obj)
    found = False
    for list_name, referrers in names.REFERRERS.items():
        for part, attribute in referrers:
            holder = getattr(group, part)
            name = getattr(holder, attribute)
            if name and entries.named(list_name, name) is None:
                setattr(holder, attribute, "")
                found = True
    return found


def _hold_still(obj: Any) -> bool:
    """Make what a joint is held to a static body."""
    to = groups.read(obj).joint.connected_object
    if to is None or not groups.can_change(to) or groups.read(to).use_motion:
        return False
    groups.of_object(to).use_motion = True
    groups.of_object(to).motion.type = "STATIC"
    return True


# Of objects, with their forms; those that were changed.
Together = Callable[[Sequence[Any], bpy.types.Depsgraph, Children], list[Any]]


def _on_each(fix: Callable[[Any], bool]) -> Together:
    """What fixes one object, and says whether there was something to do, for several."""
    return lambda objects, _depsgraph, _children: [obj for obj in objects if fix(obj)]


def _fit_colliders(
    objects: Sequence[Any], depsgraph: bpy.types.Depsgraph, children: Children
) -> list[Any]:
    """Make objects solid, as they look, or as what is below them looks."""
    from .. import fit_destinations, fit_sources

    fixed: list[Any] = []
    for obj in objects:
        found = fit_sources.pieces(obj, "WHOLE", depsgraph, children)
        source = "WHOLE" if found else "CHILDREN"
        found = found or fit_sources.pieces(obj, source, depsgraph, children)
        if found:
            groups.of_object(obj).use_collider = True
            plan = fit_destinations.Plan(kind="SIMPLEST", source=source)
            outcome = fit_destinations.Outcome()
            fit_destinations.fit_own(obj, found[0], plan, outcome)
            outcome.remove_dropped()
            fixed.append(obj)
    return fixed


def _bake_scale(
    objects: Sequence[Any], _depsgraph: bpy.types.Depsgraph, children: Children
) -> list[Any]:
    """Bake the scale of objects, and of what is above them and scales them."""
    from .. import scale_baking

    chosen: dict[Any, None] = {}
    for obj in objects:
        chosen |= dict.fromkeys(takewhile(groups.can_change, (obj, *ancestors(obj))))
    return scale_baking.bake(list(chosen), children).objects


def _collision_only(obj: Any) -> bool:
    groups.of_object(obj).is_collision_only = True
    return True


def _add_triggers(
    objects: Sequence[Any], depsgraph: bpy.types.Depsgraph, children: Children
) -> list[Any]:
    """Add triggers; one that was only switched off comes back as it was."""
    from ..fit_sources import pieces

    for obj in objects:
        group = groups.of_object(obj)
        if group.is_property_set("trigger") and group.trigger.shape.type != "NONE":
            group.use_trigger = True
            continue
        points = evaluated_points(obj, depsgraph)
        if not len(points):
            below = pieces(obj, "CHILDREN", depsgraph, children)
            points = below[0].points.astype(np.float32) if below else points
        add_trigger(obj, points, around=group.use_motion or group.use_collider)
    return list(objects)


def _flip_faces(
    objects: Sequence[Any], _depsgraph: bpy.types.Depsgraph, _children: Children
) -> list[Any]:
    """Turn the faces that look away; objects may share a mesh."""
    from ...scene.mesh_sources import faces_away, trimesh_data

    flipped: dict[Any, bool] = {}
    for obj in objects:
        mesh = trimesh_data(obj)
        if mesh is not None and mesh not in flipped and groups.can_change(mesh):
            faces = faces_away(obj, mesh)
            flipped[mesh] = bool(faces)
            with edited(mesh) as work:
                work.faces.ensure_lookup_table()
                bmesh.ops.reverse_faces(work, faces=[work.faces[k] for k in faces])
    return [obj for obj in objects if flipped.get(trimesh_data(obj))]


def _refit(
    objects: Sequence[Any], depsgraph: bpy.types.Depsgraph, _children: Children
) -> list[Any]:
    from ..fit_destinations import Outcome
    from ..following import refitting

    return refitting.refit(objects, depsgraph, Outcome()).objects


def _write_gravity(
    objects: Sequence[Any], depsgraph: bpy.types.Depsgraph, _children: Children
) -> list[Any]:
    """Let the file have the gravity of Blender's scene, by which the objects fall."""
    scene: Any = depsgraph.scene
    settings = groups.of_scene(scene)
    settings.use_world_gravity, settings.world_gravity.source = True, "SCENE"
    scene.update_tag()
    return list(objects)


@dataclass(frozen=True)
class Fix:
    """What a click fixes.

    Attributes:
        words: what the button says, and what is wrong.
        action: fixes objects; None where they are fixed as in files.
    """

    words: Words
    action: Together | None = None

    @property
    def label(self) -> str:
        """What the button says."""
        return self.words.label

    def run(
        self, code: str, objects: Sequence[Any], depsgraph: Any, children: Children
    ) -> list[Any]:
        """Fix a code on objects; those that were changed."""
        if self.action is not None:
            return self.action(objects, depsgraph, children)
        from .document_fixes import fix_objects

        return fix_objects(code, objects, depsgraph.scene)


_ACTIONS: Final[dict[str, Together]] = {
    Code.JOINT_CONNECTED_TO_NO_BODY: _on_each(_hold_still),
    Code.VEHICLE_WITHOUT_BODY: _on_each(_make_dynamic),
    Code.TRIGGER_VISIBLE: _on_each(_collision_only),
    Code.COMPOUND_TRIGGER_FILTER: _on_each(_no_filter),
    Code.NAME_NOT_IN_LIST: _on_each(_no_unknown_names),
    Code.BODY_WITHOUT_COLLIDER: _fit_colliders,
    Code.BODY_SCALED: _bake_scale,
    Code.SHAPE_SCALED: _bake_scale,
    Code.ROUND_SHAPE_SCALED_UNEVENLY: _bake_scale,
    Code.SHAPE_MIRRORED: _bake_scale,
    Code.COLLISION_MESH_LOOKS_AWAY: _flip_faces,
    Code.GRAVITY_WITHOUT_TRIGGER: _add_triggers,
    Code.SHAPE_OUTDATED: _refit,
    Code.SCENE_GRAVITY_NOT_WRITTEN: _write_gravity,
}
# What has no action here is fixed as in files. Equal fixes stand for all that they fix, which
# reports tell as one.
FIXES: Final[dict[str, Fix]] = {
    code: Fix(words, _ACTIONS.get(code)) for code, words in IN_SCENES.items()
}


def codes_of(code: str) -> set[str]:
    """All codes that are fixed together with one."""
    fix = FIXES.get(code)
    return {code} if fix is None else {str(other) for other in FIXES if FIXES[other] == fix}
