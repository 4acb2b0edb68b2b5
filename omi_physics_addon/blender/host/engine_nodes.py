"""What a file for an engine needs of the exporter's nodes: some hang elsewhere, some are added.

Before the exporter numbers its nodes they are objects in lists of children; afterwards the lists
hold indices. Repairs happen before, the note of what was authored is written after.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...codec.convert import mesh_nodes
from ...codec.dialects import Encoded
from ...codec.gltf import node_places
from ...codec.targets import authored, shape_key_starts
from ...codec.targets.engines import Written
from ...codec.values.node_tree import PLACE, Tree
from ...issues import Issues
from ...model.document import NewNode, PhysicsDocument
from . import engine_skins
from .engine_names import EngineNames


@dataclass
class EngineNodes:
    """The nodes of one export for an engine.

    Attributes:
        nodes: of the export, by index of the document, before anything is added.
        written: the physics as it was authored.
        places: where the nodes hung that were moved: parent node, None for a scene, and transform.
        added: the exporter's nodes that the engine needs.
        added_meshes: indices of the document of meshes that it needs.
        shown: added nodes that show what others showed, and these.
        names: what has another name for the engine; None for nothing.
    """

    target: str
    nodes: Sequence[Any]
    written: Written
    places: dict[int, tuple[Any, dict[str, Any]]] = field(
        default_factory=dict[int, tuple[Any, dict[str, Any]]]
    )
    added: list[Any] = field(default_factory=list[Any])
    added_meshes: list[int] = field(default_factory=list[int])
    shown: list[tuple[Any, Any]] = field(default_factory=list[tuple[Any, Any]])
    names: EngineNames | None = None

    def move(self, document: PhysicsDocument, tree: Tree, scenes: Sequence[Any]) -> None:
        """Hang nodes below other ones or into their scene; they stay in their places."""
        moved = document.moved_nodes
        found = {
            index: scene_of(self.nodes, index, tree, scenes)
            for index, parent in moved.items()
            if parent < 0 or tree.parents.get(index, -1) < 0
        }
        lists: dict[int, list[Any]] = {}
        added = {id(node) for node in self.added}
        for index in moved:
            node, above = self.nodes[index], tree.parents.get(index, -1)
            owner = self.nodes[above] if above >= 0 else None
            lists[index] = beside = found[index].nodes if owner is None else owner.children
            own = [each for each in beside if id(each) not in added]
            place = {key: getattr(node, key) for key in PLACE}
            more = {"name": node.name} if index in document.renamed_nodes else {}
            self.places[index] = owner, {**place, "at": own.index(node), **more}
        for index, parent in moved.items():
            node = self.nodes[index]
            lists[index].remove(node)
            (self.nodes[parent].children if parent >= 0 else found[index].nodes).append(node)
            new = node_places.transform(NewNode(parent, index, ""), tree)
            for key in PLACE:
                setattr(node, key, new.get(key))
            node.name = document.renamed_nodes.get(index, node.name)

    def note_shown(self, children: Mapping[int, int]) -> None:
        """Take children that show what nodes of the document showed for added ones."""
        self.shown = [(self.nodes[child], self.nodes[node]) for node, child in children.items()]
        self.added += [child for child, _ in self.shown]

    def note(
        self,
        gltf: Any,
        before: Encoded,
        after: Encoded,
        index_of: Callable[[int], int],
        meshes: Sequence[int],
        skins: Mapping[str, Any],
    ) -> None:
        """Write beside the physics what was authored.

        Args:
            gltf: the exporter's finished file.
            before, after: what was authored and what is written, by index of the document.
            index_of: the index in the file of a node of the document.
            meshes: the index in the file of each mesh of the document.
            skins: those that were left out, by where they were.
        """
        indices = {id(node): i for i, node in enumerate(gltf.nodes)}
        moved = {
            index_of(i): {
                "parent": -1 if owner is None else indices[id(owner)],
                # The exporter has an empty matrix on nodes without one.
                **{key: list(value) for key, value in place.items() if key in PLACE and value},
                **{key: value for key, value in place.items() if key not in PLACE},
            }
            for i, (owner, place) in self.places.items()
        }
        text = authored.note(
            self.target,
            {index_of(i): extensions for i, extensions in before.nodes.items()},
            {index_of(i): extensions for i, extensions in after.nodes.items()},
            (before.root, after.root),
            added=[indices[id(node)] for node in self.added],
            moved=moved,
            shown={indices[id(child)]: indices[id(node)] for child, node in self.shown},
            meshes=[meshes[i] for i in self.added_meshes],
            skins=skins,
            names=None if self.names is None else self.names.noted(gltf),
        )
        gltf.asset.extras = {**(gltf.asset.extras or {}), authored.KEY: text}


def reshaped(nodes: Sequence[Any], animations: Sequence[Any], reset: str) -> frozenset[int]:
    """The exporter's nodes whose shape keys an engine starts at 0; see `shape_key_starts`."""
    indices = {id(node): i for i, node in enumerate(nodes)}
    return shape_key_starts.reshaped(
        (
            getattr(node, "weights", None) or getattr(getattr(node, "mesh", None), "weights", None)
            for node in nodes
        ),
        (
            (
                animation.name,
                [
                    indices.get(id(channel.target.node))
                    for channel in animation.channels
                    if channel.target.path == "weights"
                ],
            )
            for animation in animations
        ),
        reset,
    )


def scene_of(nodes: Sequence[Any], node: int, tree: Tree, scenes: Sequence[Any]) -> Any:
    """The exporter's scene that a node is in."""
    roots = {id(nodes[at]) for at in tree.upward(node)}
    return next(s for s in scenes if any(id(root) in roots for root in s.nodes))


def restore(gltf: Any, issues: Issues) -> tuple[frozenset[int], Mapping[int, int]]:
    """Let a parsed file be as it was authored before objects are made of it.

    Returns:
        Nodes that were made for an engine, which no object should stay of, and of these the ones
        that showed what others show now, with the others.
    """
    data = gltf.data
    if authored.KEY not in ((getattr(data.asset, "extras", None) or {}) if data.asset else {}):
        return frozenset(), {}
    nodes: list[Any] = data.nodes or []
    scenes: list[Any] = data.scenes or []
    others: dict[str, list[Any]] = {
        "meshes": data.meshes or [],
        "animations": data.animations or [],
    }
    members = ("extensions", "children", "name", *PLACE, *mesh_nodes.MEMBERS)
    json: dict[str, Any] = {
        "asset": {"extras": data.asset.extras},
        "extensions": data.extensions,
        "nodes": [_plain(node, members) for node in nodes],
        "scenes": [_plain(scene, ("nodes",)) for scene in scenes],
        "skins": engine_skins.plain(data),
        **{kind: [_plain(item, ("name",)) for item in items] for kind, items in others.items()},
    }
    restored = authored.restore(json, issues)
    if restored.json is json:
        return frozenset(), {}
    for i in restored.shown:
        for member in mesh_nodes.MEMBERS:
            setattr(nodes[i], member, None)
    for node, plain in zip(nodes, restored.json["nodes"], strict=False):
        for member in members:
            setattr(node, member, plain.get(member))
    for scene, plain in zip(scenes, restored.json.get("scenes", []), strict=False):
        scene.nodes = plain.get("nodes", [])
    engine_skins.put_back(data, restored.json.get("skins", []))
    for kind, items in others.items():
        for item, plain in zip(items, restored.json.get(kind, ()), strict=False):
            item.name = plain.get("name")
    data.extensions = restored.json.get("extensions")
    kept = len(restored.json["nodes"])
    gone = restored.added | frozenset(range(kept, len(nodes)))
    for i in gone:
        # Objects are made of them for a while, which must not take what belongs to others.
        nodes[i].name, nodes[i].children = f"{authored.KEY} {i}", None
    # Below a node of the scene; the host makes a collection for those that are nowhere.
    root = next((at for scene in scenes for at in scene.nodes or ()), None)
    if root is not None:
        nodes[root].children = [*(nodes[root].children or []), *sorted(gone)]
    return gone, restored.shown


def _plain(owner: Any, members: Sequence[str]) -> dict[str, Any]:
    found = {member: getattr(owner, member, None) for member in members}
    return {member: value for member, value in found.items() if value is not None}
