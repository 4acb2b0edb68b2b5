"""The names that an engine needs otherwise than they were authored, and having them back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from ..values.json_members import as_list, member
from ..values.node_tree import Tree

Json = dict[str, Any]


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


def of(json: Mapping[str, Any], tree: Tree) -> Named:
    """The names of a parsed glTF."""
    nodes, meshes, animations = map(as_list, map(json.get, ("nodes", "meshes", "animations")))
    return Named(
        list(map(_name, nodes)),
        [mesh if mesh < len(meshes) else -1 for mesh in tree.meshes],
        tree.parents,
        list(map(_name, meshes)),
        [(_name(animation), set(_moved(animation))) for animation in animations],
    )


def _moved(animation: Any) -> Iterator[int]:
    for channel in as_list(member(animation, "channels")):
        node = member(member(channel, "target"), "node")
        if isinstance(node, int):
            yield node


def _name(item: Any) -> str:
    name = member(item, "name")
    return name if isinstance(name, str) else ""


def put(json: Json, found: Renamed) -> Json:
    """Give items of a parsed glTF, whose lists are replaced, their new names.

    Returns:
        What to note of them: by list and index, the name that is written and the authored one.
    """
    noted: Json = {}
    for kind, names in found.lists():
        items = json[kind] = list(json[kind])
        noted[kind] = {str(i): [name, items[i]["name"]] for i, name in sorted(names.items())}
        for i, name in names.items():
            items[i] = {**items[i], "name": name}
    return noted


def restored(json: Mapping[str, Any], noted: Mapping[str, Any]) -> Json:
    """A parsed glTF with the authored names, but for those that were changed since."""
    out = dict(json)
    for kind, names in noted.items():
        items = out[kind] = list(out[kind])
        for i, (written, name) in names.items():
            if items[int(i)].get("name") == written:
                items[int(i)] = {**items[int(i)], "name": name}
    return out
