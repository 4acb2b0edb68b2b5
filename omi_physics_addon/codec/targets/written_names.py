"""The names that an engine needs otherwise than they were authored, and having them back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..engine import Named, Renamed
from ..values.json_members import animated, as_list, member
from ..values.node_tree import Tree

Json = dict[str, Any]


def of(json: Mapping[str, Any], tree: Tree) -> Named:
    """The names of a parsed glTF."""
    nodes, meshes, animations = map(as_list, map(json.get, ("nodes", "meshes", "animations")))
    return Named(
        list(map(_name, nodes)),
        [mesh if mesh < len(meshes) else -1 for mesh in tree.meshes],
        tree.parents,
        list(map(_name, meshes)),
        [(_name(animation), animated(animation)) for animation in animations],
    )


def counted(taken: Iterable[int], named: Named, names: Renamed) -> str:
    """How many objects and animations an engine takes otherwise, in words; empty for none.

    Args:
        taken: the nodes that it takes otherwise for other reasons than these names.
    """
    shows = (node for node, mesh in enumerate(named.shown) if mesh in names.meshes)
    numbers = (
        ("object", len({*taken, *names.nodes, *shows})),
        ("animation", len(names.animations)),
    )
    return " and ".join(f"{n} {word}{'s' * (n > 1)}" for word, n in numbers if n)


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
