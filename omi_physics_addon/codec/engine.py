"""How an engine reads files, where that is not what they say, and how they are written for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from ..issue_codes import Code, IssueCode
from ..issues import Issues
from ..model.document import NodePhysics, PhysicsDocument
from ..model.targets import Family, Target
from .convert.draft import Draft
from .omi.omi_form import CURRENT, OmiForm
from .values.node_tree import Tree

Place = Callable[[int], str]


@dataclass(frozen=True)
class Named:
    """What of a file has a name, by index; that of a nameless one is empty.

    Attributes:
        shown: index of the mesh of each node; -1 for none.
        parents: of nodes that are below another one.
        animations: the name of each, and the nodes that it moves.
    """

    nodes: Sequence[str]
    shown: Sequence[int]
    parents: Mapping[int, int]
    meshes: Sequence[str]
    animations: Sequence[tuple[str, Collection[int]]]

    def name(self, kind: str, index: int) -> str:
        """That of an item of one of glTF's lists."""
        return self.animations[index][0] if kind == "animations" else getattr(self, kind)[index]


@dataclass(frozen=True)
class Renamed:
    """New names of some items of glTF's lists, by index."""

    nodes: dict[int, str] = dataclass_field(default_factory=dict[int, str])
    meshes: dict[int, str] = dataclass_field(default_factory=dict[int, str])
    animations: dict[int, str] = dataclass_field(default_factory=dict[int, str])

    def lists(self) -> Iterator[tuple[str, dict[int, str]]]:
        """The names of each list, with its own name."""
        return ((kind, names) for kind, names in vars(self).items() if names)


def _nothing(*_given: Any) -> None:
    """Change nothing, and report nothing."""


@dataclass(frozen=True)
class Engine:
    """An engine that reads one of the families; all but its row may be left out.

    Attributes:
        repair: changes a document so that the engine does what it says. It gets the draft, what
            finds the name of a node, and the nodes that animations move.
        check: reports what the engine does otherwise with a document that is written for it, by
            codes of `codes` or `Code.ENGINE_TAKES_OTHERWISE`. It gets the tree of all nodes and
            what finds the place of a node for an issue.
        code: says that it takes objects otherwise while nobody writes for it.
        estimates: report of what was authored what moves otherwise by more than can be allowed.
        scan: finds the nodes that it takes otherwise faster than a repair; None for none such.
        surely: whether it takes a node otherwise, of those of which that is seen at a glance.
        has_skeletons: whether it makes skeletons of all skins, see `idle_skins`.
        rename: finds names that it takes for something else, of nodes with physics and of what
            belongs to them; it gets the `NameConvention` that nodes are named by, or an empty text.
        tell_names: reports these names; it gets what finds the words for an item of a list.
        unseen: finds the nodes with physics of which it does not show the mesh, camera or light;
            None for an engine that shows all.
        check_json: reports what it does otherwise with a parsed glTF.
        reset_animation: the name of the animation that it applies to shape keys at the import,
            which all begin at 0 without it; empty where they begin as the file says.
        omi: what OMI's extensions are for it.
    """

    target: Target
    repair: Callable[[Draft, Callable[[int], str], Collection[int]], None] = _nothing
    check: Callable[[PhysicsDocument, Tree, Issues, Place], None] = _nothing
    code: IssueCode = Code.ENGINE_TAKES_OTHERWISE
    estimates: tuple[Callable[[Draft, str, Place], None], ...] = ()
    scan: Callable[[PhysicsDocument, Tree], Collection[int]] | None = None
    surely: Callable[[NodePhysics], bool] | None = None
    has_skeletons: bool = False
    rename: Callable[[Named, Collection[int], str], Renamed] = (
        lambda _named, _physics, _convention: Renamed()
    )
    tell_names: Callable[[Named, Renamed, Issues, Callable[[str, int], str]], None] = _nothing
    unseen: Callable[[PhysicsDocument, Callable[[int], object], Place], list[int]] | None = None
    check_json: Callable[[Mapping[str, Any], PhysicsDocument, Issues], None] = _nothing
    reset_animation: str = ""
    omi: OmiForm = CURRENT

    @property
    def name(self) -> str:
        """As its makers write it."""
        return self.target.name

    @property
    def family(self) -> Family:
        """The extensions that it reads."""
        return self.target.family
