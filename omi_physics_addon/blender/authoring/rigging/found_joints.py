"""Finds the joints that objects seem to have by their surfaces, and makes those that are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import bpy
from mathutils import Matrix, Vector

from ....geometry.fit import joint_finding
from ....geometry.fit.joint_surfaces import surfaces_of
from ....model.joint_kinds import JointKind
from ...base.hierarchy import Homes, body_of
from ...base.mesh_arrays import moved
from .. import joint_making
from ..fit_sources import Sources
from ..starting_shapes import make_bodies

MOST_TRIANGLES: Final = 200_000  # Of a part; more are no machine part, and take long.


@dataclass(frozen=True, eq=False)
class Candidate:
    """A joint that two objects seem to have: the part that moves, the other one, what it is."""

    part: Any
    other: Any
    found: joint_finding.Found


def find(depsgraph: bpy.types.Depsgraph, objects: Sequence[Any]) -> list[Candidate]:
    """The joints that objects seem to have, surest first.

    What has a body already moves if the body is dynamic; else the smaller one of two does.
    """
    sources = Sources(depsgraph, {})
    chosen: list[Any] = []
    parts = list[Any]()
    for obj in objects:
        pieces = sources.pieces(obj, "WHOLE")
        if pieces and 0 < len(pieces[0].triangles) <= MOST_TRIANGLES:
            chosen.append(obj)
            points = moved(pieces[0].points, obj.matrix_world)
            flips = obj.matrix_world.is_negative
            faces = pieces[0].triangles[:, ::-1] if flips else pieces[0].triangles
            parts.append(surfaces_of(points, faces))
    candidates: list[Candidate] = []
    for one, two, found in joint_finding.find(parts):
        part, other = chosen[one], chosen[two]
        body = body_of(part)
        if body is not None and body == body_of(other):
            continue
        moves = [body_of(each) is None or joint_making.is_dynamic(each) for each in (part, other)]
        if moves == [False, True]:
            again = joint_finding.joint_of(parts[two], parts[one])
            if again is not None:
                candidates.append(Candidate(other, part, again))
            continue
        candidates.append(Candidate(part, other, found))
    return candidates


def make(scene: Any, depsgraph: bpy.types.Depsgraph, wanted: Sequence[Candidate]) -> list[Any]:
    """Make joints; objects without a body become bodies, dynamic ones where they move."""
    kinds: dict[Any, str] = {}
    movers = {each.part for each in wanted}
    for each in wanted:
        for obj in (each.part, each.other):
            if body_of(obj) is None:
                kinds[obj] = "DYNAMIC" if obj in movers else "STATIC"
    if kinds:
        make_bodies(depsgraph, kinds)
    homes = Homes(scene)
    joints: list[Any] = []
    for each in wanted:
        found = each.found
        frame = Matrix.Translation(Vector(found.place.tolist()))
        if found.axis is not None:
            frame = joint_making.turned_to(frame, 2, Vector(found.axis.tolist()))
        low, high = found.reach or (None, None)
        axis = 0 if found.kind == "ball" else 2
        kind = JointKind(kind=found.kind, axis=axis, min=low, max=high)
        entry = joint_making.entry_of_kind(scene, kind)
        homes_of = homes.of(each.part)
        joints.append(joint_making.add_joint(each.part, each.other, frame, entry.name, homes_of))
    return joints
