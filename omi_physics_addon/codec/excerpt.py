"""What one node of a document says, with all that it refers to and nothing else."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..issues import Issues
from ..model.document import LISTS, NodePhysics, PhysicsDocument
from ..model.fields import MeshIndex, NodeIndex
from .convert.merging import indices, move
from .dialects import WriteOptions, Writer
from .values import core_shapes


@dataclass(frozen=True)
class Excerpt:
    """A part of a document with indices of its own.

    Attributes:
        nodes: the index in the whole document of each node of the part; those that say something
            come first, then those that are only referred to.
        meshes: the same of each mesh.
    """

    document: PhysicsDocument
    nodes: Sequence[int]
    meshes: Sequence[int]


def excerpt(document: PhysicsDocument, speaking: Sequence[int]) -> Excerpt:
    """The part of a document that some nodes say, and the entries of lists they refer to."""
    found = {i: document.nodes[i] for i in speaking if i in document.nodes}
    owners: list[Any] = list(found.values())
    moves: dict[Any, dict[int, int | None]] = {}
    part = PhysicsDocument()
    for kind, name in LISTS.items():
        used = sorted({at for owner in owners for at in indices(owner, kind)})
        moves[kind] = {old: new for new, old in enumerate(used)}
        items = [getattr(document, name)[at] for at in used]
        getattr(part, name).extend(items)
        owners += items
    meshes = list(dict.fromkeys(at for owner in owners for at in indices(owner, MeshIndex)))
    nodes = list(dict.fromkeys((*speaking, *(at for each in found.values() for at in _ends(each)))))
    moves[MeshIndex] = {old: new for new, old in enumerate(meshes)}
    moves[NodeIndex] = {old: new for new, old in enumerate(nodes)}
    for name in LISTS.values():
        items: list[Any] = getattr(part, name)
        items[:] = [move(item, moves) for item in items]
    for i, physics in found.items():
        part.nodes[nodes.index(i)] = _renumbered(physics, moves)
    part.anchors = frozenset(nodes.index(i) for i in found if i in document.anchors)
    return Excerpt(part, nodes, meshes)


def _ends(physics: NodePhysics) -> Iterator[int]:
    """The nodes that the physics of one refers to."""
    yield from indices(physics, NodeIndex)
    if physics.trigger is not None:
        yield from physics.trigger.nodes


def _renumbered(physics: NodePhysics, moves: dict[Any, dict[int, int | None]]) -> NodePhysics:
    physics = move(physics, moves)
    if physics.trigger is None or not physics.trigger.nodes:
        return physics
    nodes = tuple(NodeIndex(cast(int, moves[NodeIndex][at])) for at in physics.trigger.nodes)
    trigger = dataclasses.replace(physics.trigger, nodes=nodes)
    return dataclasses.replace(physics, trigger=trigger)


def to_gltf(
    part: Excerpt,
    issues: Issues,
    options: WriteOptions,
    *,
    node: Callable[[int], dict[str, Any]],
    mesh: Callable[[int], str],
    parent: Callable[[int], int | None],
) -> dict[str, Any]:
    """A glTF with nothing but an excerpt in it.

    Args:
        node: name and place of a node, by its index in the whole document.
        mesh: name of a mesh, by its index in the whole document.
        parent: the node above one that is inserted, None for all others.
    """
    encoded = Writer(issues, options, place=lambda i: node(part.nodes[i])["name"]).document(
        part.document
    )
    known = list(part.nodes)
    known += [up for at in part.nodes if (up := parent(at)) is not None and up not in part.nodes]
    nodes: list[dict[str, Any]] = [dict(node(at)) for at in dict.fromkeys(known)]
    for i, at in enumerate(part.nodes):
        up = parent(at)
        if up is not None:
            nodes[known.index(up)].setdefault("children", []).append(i)
        if i in encoded.nodes:
            nodes[i]["extensions"] = encoded.nodes[i]
    used = {name for each in (encoded.root, *encoded.nodes.values()) for name in each}
    whole: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "extensionsUsed": sorted(used),
        "extensions": encoded.root,
        "nodes": nodes,
        "meshes": [{"name": mesh(at)} for at in part.meshes],
    }
    core_shapes.put(whole, encoded.shapes)
    return {key: value for key, value in whole.items() if value}
