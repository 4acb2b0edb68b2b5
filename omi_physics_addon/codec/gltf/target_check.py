"""Tells what an engine makes otherwise of a file as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...issue_codes import CATALOGUE, Code
from ...issues import Issues
from ...model.document import PhysicsDocument
from .. import dialects
from ..convert.draft import ReadMesh
from ..dialects import WriteOptions
from ..engine import Engine
from ..targets import authored, engines
from ..values.node_tree import Tree
from . import rewriting


def check_target(
    json: Mapping[str, Any],
    document: PhysicsDocument,
    engine: Engine,
    issues: Issues,
    read_mesh: ReadMesh | None = None,
) -> None:
    """Add what an engine makes otherwise of a parsed glTF, and what helps, to the issues.

    Args:
        document: what was read of it.
        read_mesh: see `engines.repaired`.
    """
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
    engine.check_json(json, document, issues)
    if authored.written_for(json) != engine.target.id:
        word = engine.target.word
        why = f"{engine.name} interprets this differently; convert the file with --target {word}"
        tree, count = Tree.of(file), file.mesh_count
        for node in engines.taken_otherwise(engine, document, tree, (), count, read_mesh):
            issues.add(Code.ENGINE_TAKES_OTHERWISE, f"/nodes/{node}", why)
    found = Issues()
    options = WriteOptions(target=engine)
    rewriting.change(json, found, options, read_mesh=read_mesh)
    for issue in found:
        if CATALOGUE[issue.code].is_of_engine:
            issues.add(CATALOGUE[issue.code], issue.pointer, issue.message, issue.severity)
