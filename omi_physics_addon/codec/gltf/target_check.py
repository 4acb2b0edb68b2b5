"""Tells what an engine makes otherwise of a file as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...issue_codes import Code
from ...issues import Issues
from ...model.document import PhysicsDocument
from ...model.targets import Target, word_of
from .. import dialects
from ..convert.draft import ReadMesh
from ..dialects import WriteOptions
from ..targets import authored, engines, godot_otherwise
from ..values.node_tree import Tree
from . import rewriting

_OF_ENGINES: Final = ("GODOT_", "BABYLON_", "ENGINE_LEAVES_")  # How the names of their codes begin.


def check_target(
    json: Mapping[str, Any],
    document: PhysicsDocument,
    target: Target,
    issues: Issues,
    read_mesh: ReadMesh | None = None,
) -> None:
    """Add what an engine makes otherwise of a parsed glTF, and what helps, to the issues.

    Args:
        document: what was read of it.
        target: one of `engines.ENGINES`.
        read_mesh: see `engines.repaired`.
    """
    engine = engines.ENGINES[target]
    file = dialects.gltf_file(json)
    families = dialects.families(file)
    if engine.family not in families:
        others = " and ".join(families) or "nothing"
        why = (
            f"{engine.name} reads {engine.family}, but the file has {others}, so no physics "
            "is imported; convert the file for this engine"
        )
        issues.add(Code.ENGINE_READS_OTHER_FAMILY, "/extensionsUsed", why)
        return
    if target == "GODOT_4":
        godot_otherwise.tell_unseen(json, document, issues)
    if authored.written_for(json) != target:
        word = word_of(target)
        why = f"{engine.name} interprets this differently; convert the file with --target {word}"
        tree, count = Tree.of(file), file.mesh_count
        for node in engines.taken_otherwise(engine, document, tree, (), count, read_mesh):
            issues.add(Code.ENGINE_TAKES_OTHERWISE, f"/nodes/{node}", why)
    found = Issues()
    options = WriteOptions(target=target)
    rewriting.change(json, found, options, read_mesh=read_mesh)
    for issue in found:
        if Code(issue.code).name.startswith(_OF_ENGINES):
            issues.add(Code(issue.code), issue.pointer, issue.message, issue.severity)
