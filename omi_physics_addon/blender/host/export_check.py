"""Runs the rules of Check over what an export is about to write."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import bpy

from ...codec.convert import export_documents
from ...codec.dialects import Family
from ...codec.rules import all_rules
from ...codec.rules.subject import Subject
from ...codec.targets.engines import Written
from ...codec.values.node_tree import Tree
from ...issue_codes import CATALOGUE, Severity
from ...issues import Issues
from ...model.document import PhysicsDocument
from ..scene import scene_rules
from ..scene.imported_faults import has_fault

_SHOWN: Final = 5  # Errors that are told in full where nothing is written.
_PLACES: Final = ("translation", "rotation", "scale")


def check(
    written: Written,
    families: Sequence[Family],
    target: str,
    nodes: Sequence[Any],
    parents: Sequence[int],
    animations: Iterable[Any],
    *,
    place: Callable[[int], str],
    triangles: Callable[[int], int],
    issues: Issues,
) -> Tree:
    """Add what the rules find to the issues, unless they tell of it already.

    Args:
        nodes: the exporter's, by index of the document; parents: of each, -1 for none.
        place: the object of a node, for messages.

    Returns:
        The tree of what is written.
    """
    tree = export_documents.tree_of(nodes, parents, settled=True)
    moving = {
        id(channel.target.node)
        for animation in animations
        for channel in animation.channels
        if channel.target.path in _PLACES
    }
    animated = {i for i, node in enumerate(nodes) if id(node) in moving} if moving else set[int]()
    found = Issues()
    for document, spoken in _documents(written, families):
        subject = Subject(
            document,
            tree,
            found,
            place=place,
            entry=lambda name, k, of=document: getattr(of, name)[k].name,
            families=spoken,
            target=target,
            animated=animated,
            triangles=triangles,
        )
        all_rules.check(subject)
        scene_rules.check_compounds(document, place, found)
    known = {(issue.code, issue.pointer) for issue in issues}
    for issue in found:
        key = (issue.code, issue.pointer)
        if key not in known:
            known.add(key)
            issues.found.append(issue)
    return tree


def excuse_imported(issues: Issues, *, is_imported: bool) -> None:
    """Take errors for warnings that objects were imported with, as they are to come back.

    Args:
        is_imported: the lists of the scene are those of a file; what is wrong there was so.
    """
    for k, issue in enumerate(issues.found):
        if issue.severity is not Severity.ERROR:
            continue
        obj = bpy.data.objects.get(issue.pointer)
        kept = is_imported if obj is None else has_fault(obj, issue.code)
        if kept:
            why = f"{issue.message}, as in the imported file"
            issues.found[k] = dataclasses.replace(issue, severity=Severity.WARNING, message=why)


def why_not(issues: Issues) -> str:
    """Why the export is not to be, with the objects; empty when there is no error."""
    errors = [issue for issue in issues if issue.severity is Severity.ERROR]
    if not errors:
        return ""
    places = [
        f"{issue.pointer}: {CATALOGUE[issue.code].text} ({issue.message})"
        for issue in errors[:_SHOWN]
    ]
    if len(errors) > _SHOWN:
        places.append(f"and {len(errors) - _SHOWN} more")
    return "\n".join(
        [
            "errors were found, so nothing was written",
            *places,
            "The sidebar, OMI Physics > Check, lists them",
            "To export despite errors, use Allow Errors in the options of the export",
        ]
    )


def _documents(
    written: Written, families: Sequence[Family]
) -> list[tuple[PhysicsDocument, Sequence[Family]]]:
    if written.for_khr is None:
        return [(written.first, families)]
    return [(written.first, ("OMI",)), (written.for_khr, ("KHR",))]
