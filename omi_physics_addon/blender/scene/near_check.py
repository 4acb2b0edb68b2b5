"""Checks a few objects and what touches them, with the rules that need no more of the scene."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...issue_codes import Code
from ...issues import Issue
from ..base.reports import OF_ENTRIES
from ..properties.entries import TREES
from . import scene_check

# What only the whole scene, the numbers of meshes or the solids of all bodies can tell, and what is
# told once of what objects share.
_NOT_NEAR: Final = frozenset(
    {
        Code.BODIES_OVERLAP,
        Code.JOINED_MASSES_DIFFER,
        Code.JOINED_MASSES_UNEQUAL,
        Code.JOINT_ENDS_APART,
        Code.FIXED_JOINT_ENDS_APART,
        Code.HOVER_TOO_WEAK,
        Code.GRAVITY_ORDER_OPEN,
        Code.HULL_LARGE,
        Code.COLLISION_MESH_NOT_SOLID,
        Code.COLLISION_MESH_LOOKS_AWAY,
        Code.AUTOMATIC_VALUE_FAILED,
        Code.SURFACE_ENTRY_UNUSED,
        Code.JOINT_SETTINGS_UNUSED,
        Code.FILTER_SYSTEM_UNUSED,
        Code.SYSTEM_NAMES_ALIKE,
        Code.TOO_MANY_SYSTEMS,
        Code.SHAPES_ALIKE,
        Code.WORLD_GRAVITY_IN_PROP,
        Code.SCENE_GRAVITY_NOT_WRITTEN,
        Code.CENTER_OF_MASS_MOVED,
        Code.CYLINDER_USED,
        Code.SHAPE_SIZE_AMBIGUOUS,
        Code.FAULT_WRITTEN_BACK,
        Code.DRIVE_DAMPING_WITHOUT_VELOCITY,
    }
)


@dataclass(frozen=True)
class NearIssues:
    """What is wrong with some objects, and with the entries of lists that they name.

    Attributes:
        entries: names of those entries.
    """

    issues: list[Issue]
    entries: set[str]


def is_near(code: str) -> bool:
    """Whether an issue is found where only a few objects are looked at."""
    return code not in _NOT_NEAR


def check(scene: Any, objects: Sequence[Any], told: Collection[Any]) -> NearIssues:
    """Check some objects of a scene as if there were no others.

    Args:
        objects: with all that decides about `told`.
        told: those whose issues are asked for.
    """
    found = scene_check.find(scene, objects, near=True)
    names = {obj.name for obj in told}
    entries = {entry.name for name in TREES for entry in getattr(found.document, name)} - {""}
    issues = [
        issue
        for issue in scene_check.once(found)
        if is_near(issue.code) and issue.pointer in (entries if issue.code in OF_ENTRIES else names)
    ]
    return NearIssues(issues, entries)
