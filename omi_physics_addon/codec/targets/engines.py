"""The engines that files can be written for, by the name of their target."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from ...issues import Issues
from ...model.document import PhysicsDocument
from ..convert.draft import Draft
from ..dialects import Family
from ..values.node_tree import Tree
from . import babylon, babylon_repairs, godot, godot_repairs

Repair = Callable[[Draft, Callable[[int], str], Collection[int]], None]
Check = Callable[[PhysicsDocument, Tree, Issues, Callable[[int], str]], None]


@dataclass(frozen=True)
class Engine:
    """An engine that reads one of the families.

    Attributes:
        repair: changes a document so that the engine does what it says.
        check: tells what it does otherwise all the same.
    """

    family: Family
    repair: Repair
    check: Check


@dataclass(frozen=True)
class Written:
    """What is written: one document, and another for KHR where the two differ."""

    first: PhysicsDocument
    for_khr: PhysicsDocument | None = None

    def of(self, family: Family) -> PhysicsDocument:
        """The document of a family."""
        return self.first if family == "OMI" or self.for_khr is None else self.for_khr


def _check_babylon(
    document: PhysicsDocument, _tree: Tree, issues: Issues, place: Callable[[int], str]
) -> None:
    babylon.check(document, issues, place)


ENGINES: Final[dict[str, Engine]] = {
    "GODOT_4": Engine("OMI", godot_repairs.repair, godot.check),
    "BABYLON": Engine("KHR", babylon_repairs.repair, _check_babylon),
}


def engine_of(target: str, families: Collection[str]) -> Engine | None:
    """The engine that a file is written for, if it reads what is written."""
    engine = ENGINES.get(target)
    return engine if engine is not None and engine.family in families else None


def repaired(
    engine: Engine,
    written: Written,
    tree: Tree,
    issues: Issues,
    name_of: Callable[[int], str],
    animated: Collection[int],
) -> Written:
    """What is written so that an engine does what the documents say.

    New and moved nodes stand in the first document, whichever needs them.
    """
    source = dataclasses.replace(written.of(engine.family), new_nodes=list(written.first.new_nodes))
    draft = Draft(source, tree, issues)
    engine.repair(draft, name_of, animated)
    done = draft.document
    if engine.family == "OMI" or written.for_khr is None:
        return Written(done, written.for_khr)
    first = dataclasses.replace(
        written.first, new_nodes=done.new_nodes, moved_nodes=done.moved_nodes
    )
    return Written(first, done)
