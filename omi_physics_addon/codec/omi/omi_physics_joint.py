"""OMI_physics_joint: joints on nodes, their settings in the document.

Older form (read, not written): `constraints` of 2023, see omi_legacy_joints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from ...model.document import PhysicsDocument
from ..values.joint_records import read_settings, write_settings
from ..values.records import Reading, Writing, merge_carried, read_lists
from .omi_form import CURRENT, OmiForm

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
    document: PhysicsDocument, writing: Writing, form: OmiForm = CURRENT
) -> dict[str, Any]:
    """The document's extension object; empty when there is nothing to say."""
    out: dict[str, Any] = {}
    items = [form.joint(settings) for settings in document.joint_settings]
    if items:
        out["physicsJoints"] = [
            write_settings(settings, settings.name or f"joint settings {i}", writing)
            for i, settings in enumerate(items)
        ]
    merge_carried(out, document.carried.get(NAME, ""))
    return out
