"""Tells which parts an export writes elsewhere than below the bodies that they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ...issue_codes import Code
from ...issues import Issues
from ...model.document import PART_WORDS
from ..base import groups, hierarchy
from ..scene.scene_nodes import SceneNode

# What is part of the body above it, and what messages call it.
_PARTS: Final = {
    f"use_{part}": word
    for part, word in PART_WORDS.items()
    if part not in ("gravity", "vehicle_body")
}
# Options of the host that put objects elsewhere than below their parents, and what they are called.
_TAKING_APART: Final = {
    "gltf_flatten_obj_hierarchy": "Flatten Object Hierarchy",
    "gltf_hierarchy_full_collections": "Full Collection Hierarchy",
}
_NAMED: Final = 2  # Parts that are named where there are many.

Parts = dict[str, str]  # What each is called → what kind of part it is.
Doing = tuple[str, str]  # What one part does, and what several do.


def tell(nodes: Sequence[SceneNode], above: Sequence[int], settings: Any, issues: Issues) -> None:
    """Compare the body of each part in Blender with the one that it is below in the file.

    Args:
        nodes: those of a scene that stand for objects.
        above: for every index, that of the node above, which is lower; -1 for none.
        settings: the host's.
    """
    if not nodes:
        return
    exported = {node.object for node in nodes}
    told = {i.pointer for i in issues if i.code == Code.REFERENCE_NOT_EXPORTED.value}
    lost: dict[tuple[Any, Doing], Parts] = {}
    for node, word, body, written in _parts(nodes, above):
        for owner, doing in _lacking(node, body, written, exported):
            if owner in exported or owner.name not in told:
                lost.setdefault((owner, doing), {})[node.object.name] = word
    for (owner, doing), parts in lost.items():
        where, advice = _advice(owner, settings, is_exported=owner in exported)
        why = _sentence(parts, doing, where, advice)
        issues.add(Code.PART_WITHOUT_BODY, owner.name, why)


def _parts(
    nodes: Sequence[SceneNode], above: Sequence[int]
) -> Iterator[tuple[SceneNode, str, Any, Any]]:
    """Each part that is no body, what it is called, its body, and the one its node is below."""
    objects = {node.index: node.object for node in nodes}
    of = {node.object: node.group for node in nodes}
    bodies = {obj for obj, group in of.items() if group.use_motion}
    carriers: dict[int, Any] = {}  # The body of each node, which may be its own.
    showing: dict[int, int] = {}  # The node above each that shows a collection.
    for i in range(min(objects), len(above)):
        obj, up = objects.get(i), above[i]
        carriers[i] = obj if obj in bodies else carriers.get(up)
        is_shown = up in objects and objects[up].instance_type == "COLLECTION"
        showing[i] = up if is_shown else showing.get(up, -1)
    ends = {group.joint.connected_object for group in of.values() if group.use_joint}
    for node in nodes:
        if node.instance is not None or node.object in bodies:
            continue
        group = of[node.object]
        words = [word for flag, word in _PARTS.items() if getattr(group, flag)]
        if words or node.object in ends:
            at, body = node.index, _body_of(node.object, carriers[node.index])
            while body is None and showing[at] >= 0:
                at = showing[at]
                body = hierarchy.body_of(objects[at])
            yield node, words[0] if words else "part", body, carriers[node.index]


def _body_of(obj: Any, written: Any) -> Any:
    """See `hierarchy.body_of`; mostly the one above, which the node is below, too."""
    if written is not None and obj.parent == written and obj.parent_type == "OBJECT":
        return written
    return hierarchy.body_of(obj)


def _lacking(
    node: SceneNode, body: Any, written: Any, exported: set[Any]
) -> Iterator[tuple[Any, Doing]]:
    """What a part is not below in the file, and what it does so.

    Args:
        body: that it belongs to; written: that it is below in the file.
    """
    if body is not None and body != written:
        if _moves(written):
            yield body, (f"moves with {written.name} instead", f"move with {written.name} instead")
        elif _moves(body):
            yield body, ("does not move with it", "do not move with it")
    compound = _compound_of(node.object) if node.group.use_trigger else None
    if compound is not None and compound not in exported:
        yield compound, ("acts alone", "act alone")


def _moves(body: Any) -> bool:
    return body is not None and groups.read(body).motion.type != "STATIC"


def _compound_of(obj: Any) -> Any:
    """The trigger that a trigger is a part of; None for none, and for one that is a body."""
    for above in hierarchy.ancestors(obj):
        group = groups.of_object(above)
        if group.use_motion:
            return None
        if group.use_trigger and group.trigger.mode != "SHAPE":
            listed = (item.object for item in group.trigger.nodes)
            return above if group.trigger.mode == "BELOW" or obj in listed else None
    return None


def _sentence(parts: Parts, doing: Doing, where: str, advice: str) -> str:
    names, words = list(parts), set(parts.values())
    word = words.pop() if len(words) == 1 else "part"
    if len(names) == 1:
        return f"its {word} {names[0]} is {where} and {doing[0]}{advice}"
    left = len(names) - _NAMED
    listed = names if left <= 0 else [*names[:_NAMED], f"{left} more"]
    told = f"{', '.join(listed[:-1])} and {listed[-1]}"
    return f"its {len(names)} {word}s ({told}) are {where} and {doing[1]}{advice}"


def _advice(owner: Any, settings: Any, *, is_exported: bool) -> tuple[str, str]:
    """Where the parts of a body are written, and what helps."""
    if is_exported:
        options = (words for option, words in _TAKING_APART.items() if settings.get(option))
        return "not below it in the file", "".join(f"; switch {words} off" for words in options)
    advice = f"export {owner.name}, too"
    if settings.get("gltf_collection"):
        advice = f"put {owner.name} into the collection {settings['gltf_collection']}, too"
    elif settings.get("gltf_selected") and not owner.select_get():
        advice = f"select {owner.name}, too"
    elif settings.get("gltf_active_collection"):
        advice = f"put {owner.name} into the active collection, too"
    return "written without it", f"; {advice}"
