"""OMI_physics_joint: joints on nodes, their settings in the document.

Older form (read, not written): `constraints` of 2023, see omi_legacy_joints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from ...model.document import PhysicsDocument
from ...model.targets import Target
from ..values.document_lists import read_lists
from ..values.joint_records import read_settings, write_settings
from ..values.records import Reading, Writing, merge_carried
from . import godot_joints

NAME: Final = "OMI_physics_joint"


def read_document(extension: Any, reading: Reading, document: PhysicsDocument) -> None:
    """Read the joint settings of the document's extension object."""
    readers = {"physicsJoints": read_settings}
    if isinstance(extension, Mapping):
        members = cast(Mapping[str, Any], extension)
        extension = {key: value for key, value in members.items() if key != "constraints"}
    lists, rest = read_lists(extension, f"/extensions/{NAME}", reading, readers)
    document.joint_settings = lists["physicsJoints"]
    if rest:
        document.carried[NAME] = rest


def write_document(
    document: PhysicsDocument, writing: Writing, target: Target = "SPECIFICATION"
) -> dict[str, Any]:
    """The document's extension object; empty when there is nothing to say.

    Args:
        target: for Godot, springs get no velocity target of zero, which changes nothing in OMI.
    """
    out: dict[str, Any] = {}
    items = document.joint_settings
    if target == "GODOT_4":
        items = [godot_joints.without_idle_motors(settings) for settings in items]
    if items:
        out["physicsJoints"] = [
            write_settings(settings, settings.name or f"joint settings {i}", writing)
            for i, settings in enumerate(items)
        ]
    merge_carried(out, document.carried.get(NAME, ""))
    return out
