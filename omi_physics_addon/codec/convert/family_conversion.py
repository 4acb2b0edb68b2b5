"""Convert a document from one family to the other; what gets lost is reported.

Exact where nothing is reported. Both families have the same axes and units.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Final

from ...issue_codes import Code
from ...issues import Issues
from ...model.bodies import ZERO, Collider, Motion
from ...model.compounds import implied_nodes
from ...model.document import PhysicsDocument
from ...model.fields import NodeIndex
from ...model.joints import JointSettings
from ...model.shapes import Convex, Trimesh
from ..values.joint_records import with_pairs
from ..values.node_tree import Tree, from_above
from . import anchors, infinite_masses, joint_conversion, shape_conversion
from .draft import Draft

if TYPE_CHECKING:
    from .shape_conversion import MeasureMesh

_MASS: Final = 1.0  # kg, where nothing can be estimated.
_OMI_ONLY: Final = ("gravity", "vehicle_body", "wheel", "thruster", "hover_thruster")
_OMI_LISTS: Final = ("wheels", "thrusters", "hover_thrusters")
_OMI_NAMES: Final = (
    "OMI_vehicle_body",
    "OMI_vehicle_wheel",
    "OMI_vehicle_thruster",
    "OMI_vehicle_hover_thruster",
)


def to_khr(document: PhysicsDocument, tree: Tree, issues: Issues) -> PhysicsDocument:
    """A document of OMI, converted to what KHR can say; `document` is left as it is.

    World gravity and seats stay, because they need nothing else of OMI.
    """
    draft = Draft(anchors.marked(document, tree), tree, issues)
    draft.strip_faults()
    _push_down_groups(draft)
    _list_compounds(draft)
    _move_for_khr(draft)
    _drop_omi_only(draft)
    _drop_empty_shapes(draft)
    for i, settings in enumerate(draft.document.joint_settings):
        draft.document.joint_settings[i] = _with_pairs(i, settings, issues)
    _report_meanings(draft)
    draft.rename_carried(to_khr=True)
    draft.drop_orphans()
    return draft.document


def to_omi(
    document: PhysicsDocument,
    tree: Tree,
    issues: Issues,
    *,
    endless: float = shape_conversion.ENDLESS,
    measure_mesh: MeasureMesh | None = None,
) -> PhysicsDocument:
    """A document of KHR, converted to what OMI can say; `document` is left as it is.

    Args:
        endless: length of the box that stands for an infinite plane, m.
        measure_mesh: see `shape_conversion.estimate`.
    """
    draft = Draft(document, tree, issues)
    draft.strip_faults()
    joint_conversion.arrange(draft)
    _move_for_omi(draft, measure_mesh)
    shape_conversion.to_plain(draft, endless)
    _report_meanings(draft)
    draft.rename_carried(to_khr=False)
    draft.drop_orphans()
    draft.drop_planes()
    return draft.document


def without_planes(document: PhysicsDocument, tree: Tree, issues: Issues) -> PhysicsDocument:
    """A document of OMI, or of both, with boxes for the planes that only KHR has."""
    draft = Draft(document, tree, issues)
    shape_conversion.planes_to_boxes(draft)
    draft.drop_orphans()
    draft.drop_planes()
    return draft.document


def for_both(document: PhysicsDocument, tree: Tree, issues: Issues) -> PhysicsDocument:
    """A document of KHR with its joints arranged as OMI needs them, so that both families agree."""
    draft = Draft(document, tree, issues)
    joint_conversion.arrange(draft)
    draft.drop_orphans()
    return draft.document


def _push_down_groups(draft: Draft) -> None:
    """Give the material and filter of a group to the colliders in it."""
    before = dict(draft.document.nodes)
    groups: dict[int, Collider] = {}

    def group_at(node: int, above: Collider) -> Collider:
        """What a node hands down to those below it."""
        physics = before.get(node)
        if physics is None:
            return above
        own = physics.collider
        handed = _NO_GROUP if physics.motion is not None else above
        return handed if own is None or own.shape is not None else _inherited(own, handed)

    for node, physics in draft.nodes():
        collider = physics.collider
        if collider is None:
            continue
        if collider.shape is not None:
            above = draft.tree.parents.get(node, -1)
            if physics.motion is None and 0 <= above < draft.file_nodes:
                group = draft.tree.from_above(above, groups, _NO_GROUP, group_at)
                draft.change(node, collider=_inherited(collider, group))
            continue
        draft.change(node, collider=None)
        why = "the collider has no shape and is left out; the colliders below keep its material"
        draft.report(Code.COLLIDER_GROUP_LEFT_OUT, node, why)


_NO_GROUP: Final = Collider()


def _inherited(collider: Collider, group: Collider) -> Collider:
    if group.physics_material is None and group.collision_filter is None:
        return collider
    return dataclasses.replace(
        collider,
        physics_material=_first(collider.physics_material, group.physics_material),
        collision_filter=_first(collider.collision_filter, group.collision_filter),
    )


def _first(own: Any, otherwise: Any) -> Any:
    return otherwise if own is None else own


def _list_compounds(draft: Draft) -> None:
    """List the parts of compound triggers, and move their filters to the parts."""
    shaped = {i for i, p in draft.nodes() if p.trigger and p.trigger.shape is not None}
    groups = {i for i, p in draft.nodes() if p.trigger and p.trigger.shape is None}
    bodies = {i for i, p in draft.nodes() if p.motion is not None} | groups
    for node, physics in draft.nodes():
        trigger = physics.trigger
        if trigger is None or trigger.shape is not None:
            continue
        if not trigger.nodes:
            parts = implied_nodes(node, draft.tree.children, shaped, bodies)
            trigger = dataclasses.replace(trigger, nodes=tuple(NodeIndex(i) for i in parts))
            why = f"the compound trigger had no list of parts, so a list of {len(parts)} is written"
            draft.report(Code.COMPOUND_TRIGGER_LISTED, node, why)
        if trigger.collision_filter is not None:
            _filter_parts(draft, trigger.nodes, trigger.collision_filter)
            trigger = dataclasses.replace(trigger, collision_filter=None)
        draft.change(node, trigger=trigger if trigger.nodes else None)


def _filter_parts(draft: Draft, nodes: Collection[int], index: Any) -> None:
    for part in nodes:
        trigger = draft.of(part).trigger
        if trigger is not None and trigger.collision_filter is None:
            draft.change(part, trigger=dataclasses.replace(trigger, collision_filter=index))


def _move_for_khr(draft: Draft) -> None:
    anchored = draft.document.anchors
    before = {i: physics.motion for i, physics in draft.nodes() if physics.motion is not None}
    known: dict[int, bool] = {}

    def moves_at(node: int, above: bool) -> bool:
        """Whether the body of a node moves; a static one is part of that above it."""
        motion = before.get(node)
        if motion is None or (motion.type == "static" and node not in anchored):
            return above
        return motion.type != "static"

    for node, physics in draft.nodes():
        motion = physics.motion
        if motion is None:
            continue
        if motion.type == "static":
            if node not in anchored:
                moves = from_above(node, known, draft.parent_of, False, moves_at)
                draft.change(node, motion=_static_for_khr(draft, node, is_in_moving=moves))
            continue
        if motion.mass == 0.0:
            why = f"a mass of 0 means infinite in KHR, so {_MASS:g} kg is written"
            draft.report(Code.MASS_ZERO_IN_OMI, node, why)
            motion = dataclasses.replace(motion, mass=_MASS)
        if motion.inertia_diagonal is not None and not all(motion.inertia_diagonal):
            why = (
                "some moments of inertia are zero, which OMI leaves undefined; the "
                "engine computes them all"
            )
            draft.report(Code.MOMENTS_LEFT_TO_ENGINE, node, why)
            motion = dataclasses.replace(
                motion, inertia_diagonal=None, inertia_orientation=Motion.inertia_orientation
            )
        _report_velocity(draft, node, motion)
        if motion is not physics.motion:
            draft.change(node, motion=motion)


def _static_for_khr(draft: Draft, node: int, *, is_in_moving: bool) -> Motion | None:
    """The motion of a static body in KHR: None, or kinematic where a moving body is above."""
    if is_in_moving:
        why = (
            "the static body is written as kinematic, so it does not become a part of the "
            "parent body"
        )
        draft.report(Code.STATIC_BODY_AS_KINEMATIC, node, why)
        return Motion(type="kinematic")
    why = (
        "KHR has no static bodies, so the body is written without a motion; its colliders "
        "stay part of the level"
    )
    draft.report(Code.STATIC_BODY_AS_COLLIDERS, node, why)
    return None


def _report_velocity(draft: Draft, node: int, motion: Motion) -> None:
    if motion.type == "kinematic" and (
        motion.linear_velocity != ZERO or motion.angular_velocity != ZERO
    ):
        why = (
            "the kinematic body has a velocity: KHR keeps it moving, OMI leaves that open; "
            "animate the body instead"
        )
        draft.report(Code.KINEMATIC_VELOCITY_AMBIGUOUS, node, why)


def _drop_omi_only(draft: Draft) -> None:
    for node, physics in draft.nodes():
        gone = [name for name in _OMI_ONLY if getattr(physics, name) is not None]
        if gone:
            why = (
                "the target family has no place for these members, so they are left out: "
                f"{', '.join(gone).replace('_', ' ')}"
            )
            draft.report(Code.OMI_ONLY_LEFT_OUT, node, why)
            carried = tuple(item for item in physics.carried if item[0] not in _OMI_NAMES)
            draft.change(node, **dict.fromkeys(gone), carried=carried)
    for name in _OMI_LISTS:
        setattr(draft.document, name, [])
    for name in _OMI_NAMES:
        draft.document.carried.pop(name, None)


def _drop_empty_shapes(draft: Draft) -> None:
    """Remove colliders and triggers whose mesh is missing, which KHR cannot say."""
    for node, physics in draft.nodes():
        for name, _part, shape in draft.document.shaped(physics):
            geometry = shape.geometry
            if (
                isinstance(geometry, (Convex, Trimesh))
                and geometry.mesh is None
                and geometry.node is None
            ):
                why = (
                    f"the {name} has a mesh shape without a mesh, so it is left out; choose a mesh"
                )
                draft.report(Code.MEMBERS_LEFT_OUT, node, why)
                draft.change(node, **{name: None})


def _with_pairs(i: int, settings: JointSettings, issues: Issues) -> JointSettings:
    for drive in settings.drives:
        if drive.position_target is None and drive.stiffness:
            why = (
                f"the drive has a stiffness of {drive.stiffness:g} without a position target, "
                "which has no effect and is left out"
            )
            issues.add(Code.DRIVE_GAIN_LEFT_OUT, f"joint settings {i}", why)
    return with_pairs(settings)


def _report_meanings(draft: Draft) -> None:
    """Report limits and filters that both families write alike and take differently."""
    for i, settings in enumerate(draft.document.joint_settings):
        for limit in settings.limits:
            axes = max(len(limit.linear_axes), len(limit.angular_axes))
            if axes > 1 and not (limit.min == 0.0 and limit.max == 0.0):
                why = (
                    "the limit covers several axes: KHR limits the distance or cone, "
                    "importers of OMI each axis"
                )
                draft.issues.add(
                    Code.LIMIT_AXES_AMBIGUOUS, settings.name or f"joint settings {i}", why
                )
    for i, row in enumerate(draft.document.collision_filters):
        if len(row.collision_systems) > 1:
            why = (
                "with several systems KHR requires all to match and OMI any, so objects may "
                "collide differently; use one system"
            )
            draft.issues.add(Code.FILTER_SYSTEMS_AMBIGUOUS, row.name or f"filter {i}", why)


def _move_for_omi(draft: Draft, measure_mesh: MeasureMesh | None) -> None:
    large = infinite_masses.large_mass(draft)
    for node, physics in draft.nodes():
        motion = physics.motion
        if motion is None or motion.type == "static":
            continue
        _report_velocity(draft, node, motion)
        if motion.type == "dynamic":
            motion = infinite_masses.finite_mass(draft, node, motion, large)
        elif motion.mass == 0.0:
            motion = dataclasses.replace(motion, mass=None)  # What kinematic means anyway.
        if motion.type == "dynamic":
            motion = _estimated(draft, node, motion, measure_mesh)
        if motion.inertia_diagonal is not None and not all(motion.inertia_diagonal):
            motion = infinite_masses.finite_moments(draft, node, motion)
        draft.change(node, motion=motion)


def _estimated(draft: Draft, node: int, motion: Motion, measure_mesh: MeasureMesh | None) -> Motion:
    """A motion with the mass and center that an engine would find, as far as we can tell."""
    if motion.mass is not None and motion.center_of_mass is not None:
        return motion
    found = shape_conversion.estimate(draft, node, measure_mesh)
    if motion.mass is None:
        mass = found[0] if found else _MASS
        source = (
            f"at {shape_conversion.DENSITY:g} kg/m³"
            if found
            else "because the body's volume is unknown"
        )
        draft.report(Code.MASS_ESTIMATED, node, f"{mass:g} kg {source}")
        motion = dataclasses.replace(motion, mass=mass)
    if motion.center_of_mass is None:
        center = found[1] if found else ZERO
        if math.hypot(*center) > 0.0 or not found:
            source = "of the body's shapes" if found else "because the body's volume is unknown"
            draft.report(Code.CENTER_OF_MASS_ESTIMATED, node, f"{center} {source}")
        motion = dataclasses.replace(motion, center_of_mass=center)
    return motion
