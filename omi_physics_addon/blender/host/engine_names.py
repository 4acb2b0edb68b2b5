"""The names that an engine needs otherwise, of an exporter's nodes, meshes and animations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from ...codec.engine import Engine, Named, Renamed
from ...codec.targets import written_names
from ...issues import Issues
from ...model.document import PhysicsDocument


class EngineNames:
    """What has a name in one export, before the exporter numbers it.

    Attributes:
        named: the names as they were authored.
    """

    def __init__(
        self,
        nodes: Sequence[Any],
        parents: Sequence[int],
        animations: Sequence[Any],
        physics: Collection[int],
        children: Mapping[int, int],
        convention: str,
    ) -> None:
        """Take the exporter's nodes and animations; nodes may be None, parents -1 for none.

        Args:
            physics: the nodes that have some.
            children: those that are going to show what these nodes show.
            convention: by which nodes are named for their physics; empty for none.
        """
        self._physics, self._convention = physics, convention
        shown = [getattr(node, "mesh", None) for node in nodes]
        meshes = {id(mesh): mesh for mesh in shown if mesh is not None}
        numbers = {key: i for i, key in enumerate(meshes)}
        shows = [numbers.get(id(mesh), -1) for mesh in shown]
        for node, child in children.items():
            shows[node], shows[child] = -1, shows[node]
        indices = {id(node): i for i, node in enumerate(nodes)}
        self._lists = {"nodes": nodes, "meshes": [*meshes.values()], "animations": animations}
        self.named = Named(
            list(map(_name, nodes)),
            shows,
            {i: parent for i, parent in enumerate(parents) if parent >= 0},
            list(map(_name, meshes.values())),
            [
                (_name(each), {indices.get(id(c.target.node), -1) for c in each.channels})
                for each in animations
            ],
        )
        self._renamed = Renamed()

    def otherwise(self, engine: Engine, document: PhysicsDocument, taken: Iterable[int]) -> str:
        """See `written_names.counted`."""
        if engine.unseen is not None:  # Those that keep what they show, for their names.
            shown, nodes = self.named.shown, self.named.nodes
            unseen = engine.unseen(document, lambda i: shown[i] >= 0, lambda i: nodes[i])
            taken = [*taken, *unseen]
        names = engine.rename(self.named, self._physics, self._convention)
        return written_names.counted(taken, self.named, names)

    def rename(self, engine: Engine, issues: Issues, owner: Callable[[int], str]) -> None:
        """Give all the names that an engine needs, and tell which.

        Args:
            owner: the object of a node, for messages.
        """
        self._renamed = engine.rename(self.named, self._physics, self._convention)
        for kind, names in self._renamed.lists():
            for i, name in names.items():
                self._lists[kind][i].name = name
        engine.tell_names(
            self.named,
            self._renamed,
            issues,
            lambda kind, i: owner(i) if kind == "nodes" else self.named.name(kind, i),
        )

    def noted(self, gltf: Any) -> dict[str, Any]:
        """See `written_names.put`; for the exporter's finished file."""
        noted: dict[str, Any] = {}
        for kind, names in self._renamed.lists():
            indices = {id(item): i for i, item in enumerate(getattr(gltf, kind))}
            noted[kind] = {
                str(indices[id(self._lists[kind][i])]): [name, self.named.name(kind, i)]
                for i, name in names.items()
            }
        return noted


def _name(item: Any) -> str:
    return getattr(item, "name", None) or ""
