"""What can be set right with a click, by the code of the issue."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import bmesh
import bpy
import numpy as np

from ...files import fix_labels as labels
from ...issue_codes import Code
from ..base import groups
from ..base.mesh_arrays import Points, evaluated_points
from ..properties import entries, names
from .gravity_forms import add_trigger


def _to_convex(obj: Any) -> bool:
    group = groups.of_object(obj)
    found = False
    for part in ("collider", "trigger"):
        shape = getattr(group, part).shape
        if getattr(group, f"use_{part}") and shape.type == "TRIMESH":
            shape.type = "CONVEX"
            found = True
    return found


def _trigger_to_convex(obj: Any) -> bool:
    shape = groups.of_object(obj).trigger.shape
    if shape.type != "TRIMESH":
        return False
    shape.type = "CONVEX"
    return True


def _automatic_inertia(obj: Any) -> bool:
    groups.of_object(obj).motion.inertia_mode = "SHAPES"
    return True


def _no_velocity(obj: Any) -> bool:
    motion = groups.of_object(obj).motion
    motion.property_unset("linear_velocity")
    motion.property_unset("angular_velocity")
    return True


def _make_dynamic(obj: Any) -> bool:
    group = groups.of_object(obj)
    group.use_motion, group.motion.type = True, "DYNAMIC"
    return True


def _add_trigger(obj: Any, points: Points) -> bool:
    """Add a trigger; one that was only switched off comes back as it was."""
    group = groups.of_object(obj)
    if group.is_property_set("trigger") and group.trigger.shape.type != "NONE":
        group.use_trigger = True
    else:
        add_trigger(obj, points, around=group.use_motion or group.use_collider)
    return True


def _no_filter(obj: Any) -> bool:
    groups.of_object(obj).trigger.collision_filter = ""
    return True


def _stop(obj: Any) -> bool:
    groups.of_object(obj).gravity.stop = True
    return True


def _priority_zero(obj: Any) -> bool:
    groups.of_object(obj).gravity.priority = 0
    return True


def _any_speed(obj: Any) -> bool:
    groups.of_object(obj).vehicle_body.property_unset("max_speed")
    return True


def _no_activation(obj: Any) -> bool:
    body = groups.of_object(obj).vehicle_body
    body.property_unset("angular_activation")
    body.property_unset("linear_activation")
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


def _kinematic(obj: Any) -> bool:
    groups.of_object(obj).motion.type = "KINEMATIC"
    return True


def _hold_still(obj: Any) -> bool:
    """Make what a joint is held to a static body."""
    to = groups.read(obj).joint.connected_object
    if to is None or not groups.can_change(to) or groups.read(to).use_motion:
        return False
    groups.of_object(to).use_motion = True
    groups.of_object(to).motion.type = "STATIC"
    return True


Children = Mapping[Any, Sequence[Any]]


def _fit_collider(obj: Any, depsgraph: bpy.types.Depsgraph, children: Children) -> bool:
    """Make an object solid, as it looks, or as what is below it looks."""
    from . import fit_destinations, fit_sources

    found = fit_sources.pieces(obj, "WHOLE", depsgraph, children)
    source = "WHOLE" if found else "CHILDREN"
    found = found or fit_sources.pieces(obj, source, depsgraph, children)
    if not found:
        return False
    groups.of_object(obj).use_collider = True
    plan = fit_destinations.Plan(kind="SIMPLEST", source=source)
    fit_destinations.fit_own(obj, found[0], plan, fit_destinations.Outcome())
    return True


def _fit_colliders(
    objects: Sequence[Any], depsgraph: bpy.types.Depsgraph, children: Children
) -> list[Any]:
    return [obj for obj in objects if _fit_collider(obj, depsgraph, children)]


def _bake_scale(
    objects: Sequence[Any], _depsgraph: bpy.types.Depsgraph, children: Children
) -> list[Any]:
    """Bake the scale of objects, and of what is above them and scales them."""
    from . import scale_baking

    chosen: dict[Any, None] = {}
    for obj in objects:
        above = obj
        while above is not None and groups.can_change(above):
            chosen[above] = None
            above = above.parent
    return scale_baking.bake(list(chosen), children).objects


def _collision_only(obj: Any) -> bool:
    groups.of_object(obj).is_collision_only = True
    return True


def _add_triggers(
    objects: Sequence[Any], depsgraph: bpy.types.Depsgraph, children: Children
) -> list[Any]:
    from .fit_sources import pieces

    fixed: list[Any] = []
    for obj in objects:
        points = evaluated_points(obj, depsgraph)
        if not len(points):
            below = pieces(obj, "CHILDREN", depsgraph, children)
            points = below[0].points.astype(np.float32) if below else points
        if _add_trigger(obj, points):
            fixed.append(obj)
    return fixed


def _flip_faces(
    objects: Sequence[Any], _depsgraph: bpy.types.Depsgraph, _children: Children
) -> list[Any]:
    """Turn the faces that look away; objects may share a mesh."""
    from ..scene.mesh_sources import faces_away, trimesh_data

    flipped: dict[Any, bool] = {}
    for obj in objects:
        mesh = trimesh_data(obj)
        if mesh is not None and mesh not in flipped and groups.can_change(mesh):
            flipped[mesh] = _flip(mesh, faces_away(obj, mesh))
    return [obj for obj in objects if flipped.get(trimesh_data(obj))]


def _flip(mesh: bpy.types.Mesh, faces: Sequence[int]) -> bool:
    work: Any = bmesh.new()
    try:
        work.from_mesh(mesh)
        work.faces.ensure_lookup_table()
        bmesh.ops.reverse_faces(work, faces=[work.faces[k] for k in faces])
        work.to_mesh(mesh)
    finally:
        work.free()
    return bool(faces)


def _refit(
    objects: Sequence[Any], depsgraph: bpy.types.Depsgraph, _children: Children
) -> list[Any]:
    from .fit_destinations import Outcome
    from .following import refitting

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


@dataclass(frozen=True, eq=False)
class Fix:
    """What a click sets right.

    Attributes:
        label: what the button says.
        one, many: what is wrong with one object, and with several: {count}.
        each: sets one object right; whether there was something to do.
        together: the same for several objects, with their forms; those that were changed.
    """

    label: str
    one: str
    many: str
    each: Callable[[Any], bool] | None = None
    together: Callable[[Sequence[Any], bpy.types.Depsgraph, Children], list[Any]] | None = None

    def run(self, objects: Sequence[Any], depsgraph: Any, children: Children) -> list[Any]:
        """Set objects right; those that were changed."""
        if self.together is not None:
            return self.together(objects, depsgraph, children)
        return [obj for obj in objects if self.each is not None and self.each(obj)]


_SCALE: Final = Fix(
    labels.SCALE,
    "{count} object is scaled, and engines may ignore the scale",
    "{count} objects are scaled, and engines may ignore the scale",
    together=_bake_scale,
)
_TRIMESH: Final = Fix(
    labels.CONVEX,
    "{count} moving body is a trimesh, which most engines cannot move",
    "{count} moving bodies are trimeshes, which most engines cannot move",
    _to_convex,
)
# The same fix stands for all that it sets right, which reports tell as one.
FIXES: Final[dict[str, Fix]] = {
    Code.BODY_WITHOUT_COLLIDER: Fix(
        labels.FIT,
        "{count} moving body has no collider and touches nothing",
        "{count} moving bodies have no collider and touch nothing",
        together=_fit_colliders,
    ),
    Code.BODY_SCALED: _SCALE,
    Code.SHAPE_SCALED: _SCALE,
    Code.ROUND_SHAPE_SCALED_UNEVENLY: _SCALE,
    Code.SHAPE_MIRRORED: _SCALE,
    Code.JOINT_CONNECTED_TO_NO_BODY: Fix(
        labels.STATIC,
        "{count} joint is connected to an object without a body",
        "{count} joints are connected to objects without a body",
        _hold_still,
    ),
    Code.MOMENT_TOO_LARGE: Fix(
        labels.INERTIA,
        "{count} body has impossible moments of inertia",
        "{count} bodies have impossible moments of inertia",
        _automatic_inertia,
    ),
    Code.STATIC_BODY_VELOCITY: Fix(
        labels.VELOCITY,
        "{count} static body has a velocity, which has no effect",
        "{count} static bodies have a velocity, which has no effect",
        _no_velocity,
    ),
    Code.DYNAMIC_BODY_ANIMATED: Fix(
        labels.KINEMATIC,
        "{count} dynamic body is animated, so the simulation does not move it",
        "{count} dynamic bodies are animated, so the simulation does not move them",
        _kinematic,
    ),
    Code.VEHICLE_WITHOUT_BODY: Fix(
        labels.BODY,
        "{count} vehicle has no body",
        "{count} vehicles have no body",
        _make_dynamic,
    ),
    Code.VEHICLE_NOT_DYNAMIC: Fix(
        labels.DYNAMIC,
        "{count} vehicle is not dynamic, so wheels and thrusters cannot move it",
        "{count} vehicles are not dynamic, so wheels and thrusters cannot move them",
        _make_dynamic,
    ),
    Code.ACTIVATION_AT_START: Fix(
        labels.ACTIVATION,
        "{count} vehicle drives off at the start",
        "{count} vehicles drive off at the start",
        _no_activation,
    ),
    Code.VEHICLE_MAX_SPEED_ZERO: Fix(
        labels.SPEED,
        "{count} vehicle has a maximum speed of zero",
        "{count} vehicles have a maximum speed of zero",
        _any_speed,
    ),
    Code.TRIMESH_ON_DYNAMIC_BODY: _TRIMESH,
    Code.TRIMESH_ON_KINEMATIC_BODY: _TRIMESH,
    Code.COLLISION_MESH_LOOKS_AWAY: Fix(
        labels.FLIP,
        "{count} triangle mesh has inverted faces, and bodies may pass through them",
        "{count} triangle meshes have inverted faces, and bodies may pass through them",
        together=_flip_faces,
    ),
    Code.TRIMESH_TRIGGER: Fix(
        labels.CONVEX,
        "{count} trigger is a trimesh, which has no inside",
        "{count} triggers are trimeshes, which have no inside",
        _trigger_to_convex,
    ),
    Code.TRIGGER_VISIBLE: Fix(
        labels.HIDE,
        "{count} trigger is visible in the game, as a mesh without a material",
        "{count} triggers are visible in the game, as meshes without a material",
        _collision_only,
    ),
    Code.COMPOUND_TRIGGER_FILTER: Fix(
        labels.FILTER,
        "{count} compound trigger has a filter, which belongs on its parts",
        "{count} compound triggers have filters, which belong on their parts",
        _no_filter,
    ),
    Code.GRAVITY_WITHOUT_TRIGGER: Fix(
        labels.TRIGGER,
        "{count} gravity volume has no trigger to bound the gravity",
        "{count} gravity volumes have no trigger to bound the gravity",
        together=_add_triggers,
    ),
    Code.GRAVITY_STOP_BELOW_WORLD: Fix(
        labels.PRIORITY,
        "{count} gravity volume stops others below priority 0, so world gravity may apply or not",
        "{count} gravity volumes stop others below priority 0, so world gravity may apply or not",
        _priority_zero,
    ),
    Code.GRAVITY_ZERO: Fix(
        labels.STOP,
        "{count} gravity volume of strength zero has no effect",
        "{count} gravity volumes of strength zero have no effect",
        _stop,
    ),
    Code.SHAPE_OUTDATED: Fix(
        labels.REFIT,
        "{count} shape does not match its mesh, which has changed since the fit",
        "{count} shapes do not match their meshes, which have changed since the fit",
        together=_refit,
    ),
    Code.SCENE_GRAVITY_NOT_WRITTEN: Fix(
        labels.GRAVITY,
        "The gravity of the scene is not exported, so bodies fall differently in other programs",
        "The gravity of the scene is not exported, so bodies fall differently in other programs",
        together=_write_gravity,
    ),
    Code.NAME_NOT_IN_LIST: Fix(
        labels.NAMES,
        "{count} object refers to an entry missing from the lists of the scene",
        "{count} objects refer to entries missing from the lists of the scene",
        _no_unknown_names,
    ),
}


def codes_of(code: str) -> set[str]:
    """All codes that are set right together with one."""
    fix = FIXES.get(code)
    return {code} if fix is None else {str(other) for other in FIXES if FIXES[other] is fix}
