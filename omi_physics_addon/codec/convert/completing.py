"""What only one family says of a file that has both: told, or given to the other as well."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any, Final

from ...issue_codes import Code
from ...issues import Issues
from ...model.bodies import ZERO
from ...model.document import NodePhysics, PhysicsDocument
from . import family_conversion, shape_conversion
from .draft import Draft
from .merging import SHARED, Moves, collect, merge, move

if TYPE_CHECKING:
    from ..values.node_tree import Tree
    from .shape_conversion import MeasureMesh

Parts = dict[int, set[str]]  # Node → names of parts of its physics.

_PARTS: Final = ("motion", "collider", "trigger", "joint")
# Those that OMI may have on a node below, because its shapes are not scaled.
_MOVING: Final = ("collider", "trigger")


def complete(
    ours: PhysicsDocument,
    theirs: PhysicsDocument,
    merged: PhysicsDocument,
    tree: Tree,
    issues: Issues,
    measure_mesh: MeasureMesh | None = None,
) -> tuple[PhysicsDocument, PhysicsDocument]:
    """What OMI and what KHR say of a file, each with what it lacked; none is changed itself.

    Args:
        ours, theirs: what they say now.
        merged: both in one; see `merging.merge`.
        measure_mesh: see `shape_conversion.estimate`.
    """
    for_omi, for_khr = _lacking(ours, theirs, tree)
    if for_omi:
        source = family_conversion.for_both(_only(merged, for_omi), tree, issues)
        found = family_conversion.to_omi(source, tree, issues, measure_mesh=measure_mesh)
        ours = dataclasses.replace(ours, new_nodes=found.new_nodes)
        ours = merge(ours, _taken(found, for_omi, merged), issues)
    if for_khr:
        found = family_conversion.to_khr(_only(merged, for_khr), tree, issues)
        theirs = merge(theirs, _taken(found, for_khr, merged), issues)
    return ours, dataclasses.replace(theirs, new_nodes=ours.new_nodes)


def _lacking(ours: PhysicsDocument, theirs: PhysicsDocument, tree: Tree) -> tuple[Parts, Parts]:
    """What OMI lacks, and what KHR lacks."""
    for_omi: Parts = {}
    for_khr: Parts = {}
    for name in _PARTS:
        omi = {i for i, physics in ours.nodes.items() if _can_be_khr(physics, name)}
        khr = {i for i, physics in theirs.nodes.items() if getattr(physics, name) is not None}
        has = {i for i, physics in ours.nodes.items() if getattr(physics, name) is not None}
        more, less = khr - has, omi - khr
        if name in _MOVING:
            parents = {i: tree.parents.get(i, -1) for i in less}
            less = {i for i in less if parents[i] not in more}
            more -= set(parents.values())
        for parts, nodes in ((for_omi, more), (for_khr, less)):
            for i in nodes:
                parts.setdefault(i, set()).add(name)
    return for_omi, for_khr


def _can_be_khr(physics: NodePhysics, name: str) -> bool:
    """Whether OMI says something of a part that KHR has a place for."""
    part: Any = getattr(physics, name)
    if part is None or (name == "motion" and part.type == "static"):
        return False
    return name != "collider" or part.shape is not None


def _only(document: PhysicsDocument, parts: Parts) -> PhysicsDocument:
    """A document of these parts, and of all motions, which say what belongs to which body."""
    nodes: dict[int, NodePhysics] = {}
    for i, physics in document.nodes.items():
        kept = {name: getattr(physics, name) for name in parts.get(i, set()) | {"motion"}}
        if any(part is not None for part in kept.values()):
            nodes[i] = NodePhysics(**kept)
    return dataclasses.replace(document, nodes=nodes, carried={})


def _taken(found: PhysicsDocument, parts: Parts, before: PhysicsDocument) -> PhysicsDocument:
    """Of what was converted, these parts and new nodes, with the entries that they use."""
    nodes: dict[int, NodePhysics] = {}
    for i, physics in found.nodes.items():
        if i in parts:
            physics = NodePhysics(**{name: getattr(physics, name) for name in parts[i]})
        elif i in before.nodes:
            continue
        nodes[i] = physics
    used: dict[Any, set[int]] = {kind: set() for kind in SHARED}
    for physics in nodes.values():
        collect(physics, used)
    moves: Moves = {}
    lists: dict[str, Any] = {}
    for kind, name in SHARED.items():
        items: list[Any] = getattr(found, name)
        kept = sorted(used[kind])
        moves[kind] = {old: new for new, old in enumerate(kept)}
        lists[name] = [items[i] for i in kept]
    nodes = {i: move(physics, moves) for i, physics in nodes.items()}
    return dataclasses.replace(found, nodes=nodes, carried={}, **lists)


def report_centers(
    ours: PhysicsDocument, theirs: PhysicsDocument, tree: Tree, issues: Issues
) -> None:
    """Report bodies whose center of mass OMI has at their origin and KHR leaves to engines."""
    bodies = [
        i
        for i, physics in theirs.nodes.items()
        if physics.motion is not None
        and physics.motion.type == "dynamic"
        and physics.motion.center_of_mass is None
        and i in ours.nodes
        and (motion := ours.nodes[i].motion) is not None
        and motion.center_of_mass == ZERO
    ]
    draft = Draft(theirs, tree, Issues())
    for i in bodies:
        solid = [node for node in draft.part_of(i) if draft.of(node).collider is not None]
        found = shape_conversion.estimate(draft, i, None) if solid != [i] else None
        if found is not None and math.hypot(*found[1]) > 0.0:
            why = (
                f"KHR leaves the center of mass to the engine, which computes {found[1]}; the "
                "value of OMI is used"
            )
            issues.add(Code.FAMILIES_DISAGREE, f"/nodes/{i}", why)
