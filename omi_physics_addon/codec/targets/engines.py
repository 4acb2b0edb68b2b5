"""What is written for an engine, and what engines make of files that are written for everybody."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

from ...issue_codes import Severity
from ...issues import Issues, node_of
from ...model.document import NodePhysics, PhysicsDocument
from ..convert.draft import Draft, ReadMesh, Weigh
from ..dialects import Family
from ..engine import Engine
from ..values.node_tree import Tree


@dataclass(frozen=True)
class Written:
    """What is written: one document, and another for KHR where the two differ."""

    first: PhysicsDocument
    for_khr: PhysicsDocument | None = None

    def of(self, family: Family) -> PhysicsDocument:
        """The document of a family."""
        return self.first if family == "OMI" or self.for_khr is None else self.for_khr


# Part of a node, its reference, and the list that it leads into.
_REFERENCES: Final = (
    ("collider", "shape", "shapes"),
    ("collider", "collision_filter", "collision_filters"),
    ("trigger", "shape", "shapes"),
    ("trigger", "collision_filter", "collision_filters"),
    ("joint", "joint", "joint_settings"),
    ("wheel", "wheel", "wheels"),
)
_NUMBERS: Final = {
    part: frozenset(attribute for of, attribute, _ in _REFERENCES if of == part)
    for part, _, _ in _REFERENCES
}


def repaired(
    engine: Engine,
    written: Written,
    tree: Tree,
    issues: Issues,
    name_of: Callable[[int], str],
    animated: Collection[int],
    file_meshes: int = 0,
    weigh: Weigh | None = None,
    read_mesh: ReadMesh | None = None,
    place: Callable[[int], str] = "/nodes/{}".format,
) -> Written:
    """What is written so that an engine does what the documents say.

    New and moved nodes stand in the first document, whichever needs them; so do new meshes.

    Args:
        file_meshes: how many meshes the file has without new ones.
        weigh: what a body is at 1 kg/m³, along its axes without its scale, if that is known.
        read_mesh: the corners (n, 3) and triangles (m, 3) of a mesh, None for one that cannot be
            read; None for nobody.
        place: words for messages about a node.
    """
    source = dataclasses.replace(written.of(engine.family), new_nodes=list(written.first.new_nodes))
    draft = Draft(source, tree, issues, file_meshes)
    draft.is_shared = written.for_khr is not None
    draft.weigh, draft.read_mesh = weigh, read_mesh
    for estimate in engine.estimates:
        estimate(draft, engine.name, place)
    engine.repair(draft, name_of, animated)
    done = draft.document
    if engine.family == "OMI" or written.for_khr is None:
        return Written(done, written.for_khr)
    first = dataclasses.replace(
        written.first,
        new_nodes=done.new_nodes,
        new_meshes=done.new_meshes,
        moved_nodes=done.moved_nodes,
        renamed_nodes=done.renamed_nodes,
    )
    return Written(first, done)


def taken_otherwise(
    engine: Engine,
    document: PhysicsDocument,
    tree: Tree,
    animated: Collection[int],
    file_meshes: int = 0,
    read_mesh: ReadMesh | None = None,
) -> list[int]:
    """The nodes of which an engine makes something else, unless they are written for it.

    Args:
        file_meshes, read_mesh: see `repaired`.
    """
    draft = Draft(document, tree, Issues(), file_meshes)
    draft.read_mesh = read_mesh
    engine.repair(draft, str, animated)
    done = draft.document
    changed = {
        i
        for i, physics in document.nodes.items()
        if (now := done.nodes.get(i)) is not physics
        and (
            now is None
            or (engine.surely and engine.surely(physics))
            or not _is_same(document, physics, done, now)
        )
    }
    return sorted(changed.union(done.moved_nodes))


def tell_everybody(
    engines: Iterable[Engine],
    written: Written,
    families: Collection[Family],
    tree: Tree,
    counted: Callable[[Engine, Collection[int]], str],
    issues: Issues,
    place: str,
) -> None:
    """Say in a line for each engine how much it takes otherwise of what nobody is written for.

    Args:
        families: those that are written.
        tree: may get the nodes that an engine would need.
        counted: how much some nodes are, with what else the engine takes otherwise; empty for
            nothing.
        place: where this is told.
    """
    for engine in engines:
        if engine.family in families:
            scan = engine.scan or functools.partial(_otherwise, engine)
            found = counted(engine, scan(written.of(engine.family), tree))
            if found:
                why = f"{engine.name} interprets {found} differently; choose Target: {engine.name}"
                issues.add(engine.code, place, why, Severity.INFO)


def _otherwise(engine: Engine, document: PhysicsDocument, tree: Tree) -> set[int]:
    """The nodes of which an engine makes something else, whether a repair could help or not."""
    if engine.surely and all(map(engine.surely, document.nodes.values())):
        return set(document.nodes)
    told = Issues()
    engine.check(document, tree, told, "/nodes/{}".format)
    found = {node_of(issue.pointer) for issue in told if issue.severity is Severity.WARNING}
    found.update(taken_otherwise(engine, document, tree, ()))
    return {node for node in found if node is not None}


def _is_same(
    document: PhysicsDocument, physics: NodePhysics, done: PhysicsDocument, now: NodePhysics
) -> bool:
    """Whether two documents say the same of a node, whatever the numbers of the entries are."""
    whole = ("motion", "vehicle_body", "gravity")
    if any(getattr(physics, part) != getattr(now, part) for part in whole):
        return False
    return all(
        _entry(document, getattr(physics, part), attribute, name)
        == _entry(done, getattr(now, part), attribute, name)
        for part, attribute, name in _REFERENCES
    ) and all(
        _is_alike(getattr(physics, part), getattr(now, part), numbers)
        for part, numbers in _NUMBERS.items()
    )


def _entry(document: PhysicsDocument, record: Any, attribute: str, name: str) -> Any:
    """What a record refers to; its number where there is no such entry."""
    index = None if record is None else getattr(record, attribute)
    entries = getattr(document, name)
    return entries[index] if index is not None and 0 <= index < len(entries) else index


def _is_alike(was: Any, now: Any, numbers: Collection[str]) -> bool:
    """Whether two records are the same but for the numbers of entries."""
    if was is now or was == now:
        return True
    if type(was) is not type(now):
        return False
    names = (field.name for field in dataclasses.fields(was))
    return all(getattr(was, name) == getattr(now, name) for name in names if name not in numbers)
