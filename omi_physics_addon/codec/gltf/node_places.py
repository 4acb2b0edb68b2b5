"""Where nodes of a parsed glTF stand: new ones, those that move, and where these were before."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...issue_codes import Code
from ...issues import Issues
from ...model.document import NewNode, PhysicsDocument
from ..values.json_members import as_list, member
from ..values.node_tree import IDENTITY, PLACE, Tree, compose, inverse, multiply


def move_nodes(json: dict[str, Any], moved: Mapping[int, int], tree: Tree, issues: Issues) -> None:
    """Hang nodes below other ones, where they stay in their places in the world."""
    if not moved:
        return
    nodes, scenes = list(json["nodes"]), list(as_list(json.get("scenes")))
    for i, node in enumerate(nodes):
        below = as_list(member(node, "children"))
        left = _left(below, moved)
        if len(left) < len(below):
            nodes[i] = {**{k: v for k, v in node.items() if k != "children" or left}}
            if left:
                nodes[i]["children"] = left
    for i, scene in enumerate(scenes):
        if isinstance(scene, Mapping):
            roots = _left(as_list(member(scene, "nodes")), moved)
            scenes[i] = {**cast(Mapping[str, Any], scene), "nodes": roots}
    no_scene: Any = {}
    shown = next((scene for scene in scenes if scene.__class__ is dict), no_scene)
    for node, parent in moved.items():
        owner, key = (nodes[parent], "children") if parent >= 0 else (shown, "nodes")
        owner[key] = [*as_list(owner.get(key)), node]
        plain = {k: v for k, v in nodes[node].items() if k not in PLACE}
        nodes[node] = {**plain, **transform(NewNode(parent, node, ""), tree, issues, node)}
    json["nodes"] = nodes
    if scenes:
        json["scenes"] = scenes


def _left(below: list[Any], moved: Mapping[int, int]) -> list[Any]:
    """The indices of nodes that do not move, and what else stands among them."""
    return [child for child in below if child.__class__ is not int or child not in moved]


def places(
    json: Mapping[str, Any], document: PhysicsDocument, tree: Tree
) -> dict[int, dict[str, Any]]:
    """Where moved nodes hung, and their transforms and names there."""
    nodes = as_list(json.get("nodes"))
    scene = next(iter(as_list(json.get("scenes"))), None)

    def index(node: int) -> dict[str, int]:
        above = tree.parents.get(node, -1)
        beside = as_list(member(nodes[above], "children") if above >= 0 else member(scene, "nodes"))
        return {"at": beside.index(node)} if node in beside else {}

    return {
        node: {
            "parent": tree.parents.get(node, -1),
            **index(node),
            **{key: nodes[node][key] for key in PLACE if key in nodes[node]},
            **({"name": nodes[node].get("name")} if node in document.renamed_nodes else {}),
        }
        for node in document.moved_nodes
    }


def hang_in_scenes(
    out: dict[str, Any], first: int, new_nodes: Sequence[NewNode], tree: Tree
) -> None:
    """Put new nodes that have no parent into the scenes of those that they stand for."""
    free = [
        (index, new.stands_for)
        for index, new in enumerate(new_nodes, first)
        if new.parent < 0 <= new.stands_for
    ]
    for scene in as_list(out.get("scenes")) if free else ():
        # Each root hands itself down.
        roots = as_list(member(scene, "nodes"))
        known = {root: True for root in roots if isinstance(root, int)}
        more = [i for i, node in free if tree.from_above(node, known, False, lambda _, up: up)]
        if more:
            scene["nodes"] = [*roots, *more]


def transform(
    new: NewNode, tree: Tree, issues: Issues | None = None, index: int = -1
) -> dict[str, Any]:
    """The members of a new node that place it: translation, rotation and scale, or a matrix.

    Where they are too large for any file, the node stands where its parent does.

    Args:
        issues: where that is told; index: of the node there.
    """
    out = _transform(new, tree)
    if all(math.isfinite(value) for values in out.values() for value in values):
        return out
    if issues is not None:
        why = "the node's position is too large for a file; it is placed at its parent"
        issues.add(Code.NUMBER_NOT_FINITE, f"/nodes/{index}", why)
    return {}


def _transform(new: NewNode, tree: Tree) -> dict[str, list[float]]:
    if new.parent == new.place or (new.parent < 0 and new.place < 0):
        out: dict[str, list[float]] = {}
        if any(new.translation):
            out["translation"] = list(new.translation)
        if any(new.rotation[:3]):
            out["rotation"] = list(new.rotation)
        if new.scale != (1.0, 1.0, 1.0):
            out["scale"] = list(new.scale)
        return out
    above = tree.world(new.parent) if new.parent >= 0 else IDENTITY
    place = tree.world(new.place)
    back = inverse(above)
    local = compose(new.translation, new.rotation, new.scale)
    matrix = place if back is None else multiply(back, place)
    matrix = tuple(round(value, 9) + 0.0 for value in multiply(matrix, local))
    return {} if matrix == IDENTITY else {"matrix": list(matrix)}
