"""The errors that objects were imported with, so that an export lets them come back.

What a single member has wrong is kept with it and written back as it was; here is what needs the
whole file to be seen, such as a joint of a body with itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import bpy

from ...issue_codes import Severity
from ...issues import Issue, node_around
from ..base import groups
from .scene_nodes import Target


def note(issues: Iterable[Issue], targets: Mapping[int, Target]) -> None:
    """Note on objects the codes of the errors that their nodes have."""
    for issue in issues:
        at = node_around(issue.pointer)
        if issue.severity is Severity.ERROR and at is not None and at in targets:
            add(targets[at].object, issue.code)


def add(obj: bpy.types.Object, code: str) -> None:
    """Note that an object was imported with an error."""
    if not has_fault(obj, code):
        group = groups.of_object(obj)
        group.imported_faults = f"{group.imported_faults} {code}".strip()


def has_fault(obj: bpy.types.Object, code: str) -> bool:
    """Whether an object was imported with this error."""
    return code in groups.of_object(obj).imported_faults.split()
