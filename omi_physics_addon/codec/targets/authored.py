"""What a file that was written for an engine says of its physics as it was authored.

Such a file has nodes and numbers that only that engine needs. Beside them, in the extras of its
asset, it holds what the specification's form would have had in their place, and reading it starts
from there. Where the physics was changed since by another program, what stands in the file counts.
"""

from __future__ import annotations

import hashlib
import json as json_text
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Final, cast

from ...issue_codes import Code
from ...issues import Issues
from .. import dialects
from ..convert import mesh_nodes
from ..dialects import ROLE_KEY as KEY
from ..values.json_members import as_object, member
from ..values.node_tree import PLACE
from . import added_meshes, idle_skins, written_names

_DIGITS: Final = 6  # Significant ones of a number that the digest takes.
_OURS: Final = frozenset(dialects.NAMES)

Json = dict[str, Any]


@dataclass(frozen=True)
class Restored:
    """A parsed glTF as it was authored.

    Attributes:
        json: the glTF; shares what did not change with the one that was read.
        added: nodes that were made for the engine, which nothing refers to any more.
        shown: nodes that showed what these nodes show now.
    """

    json: Mapping[str, Any]
    added: frozenset[int] = frozenset()
    shown: Mapping[int, int] = dataclass_field(default_factory=dict[int, int])


def note(
    target: str,
    before: Mapping[int, Json],
    after: Mapping[int, Json],
    root: tuple[Json, Json],
    *,
    added: Iterable[int],
    moved: Mapping[int, Json],
    shown: Mapping[int, int],
    meshes: Iterable[int] = (),
    skins: Mapping[str, Any] | None = None,
    names: Mapping[str, Any] | None = None,
) -> Json:
    """The member of the asset's extras that says what was authored.

    Args:
        target: the engine.
        before, after: extension objects of nodes, as authored and as written, by index of the file.
        root: those of the root, as authored and as written.
        added: nodes that were made for the engine.
        moved: for each node that hangs elsewhere, its parent (-1 for none), where it was among the
            nodes there, its local transform, and its name where it has another one.
        shown: added nodes that show what another node showed, and these nodes.
        meshes: those that were made for the engine.
        skins: those that were left out, see `idle_skins.take`.
        names: see `written_names.put`.
    """
    nodes = {
        str(i): before.get(i, {})
        for i in sorted({*before, *after})
        if before.get(i, {}) != after.get(i, {})
    }
    return {
        "target": target,
        "digest": digest(root[1], after),
        "root": root[0],
        "nodes": nodes,
        "added": sorted(added),
        "moved": {str(i): place for i, place in sorted(moved.items())},
        **({"shown": {str(i): node for i, node in sorted(shown.items())}} if shown else {}),
        **({"meshes": made} if (made := sorted(meshes)) else {}),
        **({"skins": skins} if skins else {}),
        **({"names": names} if names else {}),
    }


def written_for(json: Mapping[str, Any]) -> str:
    """The target that a parsed glTF was written for; SPECIFICATION where it does not say."""
    note = _noted(json)
    return str(note.get("target")) if note is not None else "SPECIFICATION"


def digest(root: Mapping[str, Any], nodes: Mapping[int, Mapping[str, Any]]) -> str:
    """A short text that changes when physics does, but not by rounding or empty members."""
    texts: dict[str, str] = {}  # By what it is of, as most nodes are like others.
    shared: dict[int, str] = {}  # The same by what many nodes have, as an export does.
    of_nodes: list[str] = []
    for i in sorted(nodes):
        text = shared.get(id(nodes[i]))
        if text is None:
            key = repr(nodes[i])
            if key not in texts:
                said = _plain(nodes[i])
                texts[key] = json_text.dumps(said, sort_keys=True) if said else ""
            text = shared[id(nodes[i])] = texts[key]
        if text:
            of_nodes.append(f"[{i}, {text}]")
    plain = f"[{json_text.dumps(_plain(root), sort_keys=True)}, [{', '.join(of_nodes)}]]"
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def _plain(value: Any) -> Any:
    kind = value.__class__  # Asked first, as most values are of few classes.
    if kind is str or kind is bool or value is None:
        return value
    if kind is float or kind is int:
        return f"{float(value) + 0.0:.{_DIGITS}g}"
    if kind is dict or isinstance(value, Mapping):
        members = {str(k): _plain(v) for k, v in cast(Mapping[Any, Any], value).items()}
        return {k: v for k, v in members.items() if v not in (None, {}, [])}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in cast(Collection[Any], value)]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{float(value) + 0.0:.{_DIGITS}g}"
    return value


def ours(extensions: Any) -> Json:
    """The extension objects of physics among others."""
    return {name: value for name, value in as_object(extensions).items() if name in _OURS}


def restore(json: Mapping[str, Any], issues: Issues) -> Restored:
    """A parsed glTF as it was authored; the same one where nothing says that it was otherwise."""
    found = _noted(json)
    nodes = json.get("nodes")
    if found is None or not isinstance(nodes, list):
        return Restored(json)
    items = cast(list[Any], nodes)
    written = {i: ours(node.get("extensions")) for i, node in enumerate(items) if _is_object(node)}
    if found.get("digest") != digest(ours(json.get("extensions")), written):
        why = (
            "the physics was edited after the file was written for an engine, so the file is "
            "read without undoing that"
        )
        issues.add(Code.ENGINE_FILE_CHANGED, "/asset/extras", why)
        return Restored(json)
    try:
        return _restored(json, found)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        why = (
            f"the authored values in the file cannot be read ({type(error).__name__}), so the "
            "values for the engine are used"
        )
        issues.add(Code.ENGINE_FILE_CHANGED, "/asset/extras", why)
        return Restored(json)


def _is_object(value: Any) -> bool:
    return isinstance(value, Mapping)


def _noted(json: Mapping[str, Any]) -> Json | None:
    at = member(member(json.get("asset"), "extras"), KEY)
    return cast(Json, at) if isinstance(at, dict) and "nodes" in at else None


def _restored(json: Mapping[str, Any], found: Json) -> Restored:
    json = written_names.restored(json, found.get("names", {}))
    nodes: list[Any] = [dict(node) if _is_object(node) else node for node in json["nodes"]]
    added = frozenset(int(i) for i in found["added"])
    for i, extensions in found["nodes"].items():
        _set_ours(nodes[int(i)], extensions)
    out = dict(json)
    _set_ours(out, found["root"])
    scenes = [dict(scene) for scene in cast(Any, json.get("scenes") or [])]
    for node in nodes:
        _without(node, "children", added)
    for scene in scenes:
        _without(scene, "nodes", added)
    # First those that stood first, so that each finds the others before it.
    places = sorted(found["moved"].items(), key=lambda item: item[1].get("at", len(nodes)))
    for i, place in places:
        _move_back(nodes, scenes, int(i), dict(place))
    shown = {int(child): int(node) for child, node in found.get("shown", {}).items()}
    for child, node in shown.items():
        mesh_nodes.move(nodes[child], nodes[node])
    mesh_nodes.retarget(out, shown)
    while nodes and len(nodes) - 1 in added:
        nodes.pop()
    out["nodes"] = nodes
    idle_skins.put_back(out, found.get("skins", {}))
    added_meshes.remove(out, [int(i) for i in found.get("meshes", ())])
    if scenes:
        out["scenes"] = scenes
    out["asset"] = _without_note(out["asset"])
    return Restored(out, frozenset(i for i in added if i < len(nodes)), shown)


def with_note(asset: Any, text: Json) -> Json:
    """The asset object of a glTF with a note of what was authored."""
    return {**as_object(asset), "extras": {**as_object(member(asset, "extras")), KEY: text}}


def _without_note(asset: Json) -> Json:
    extras = {key: value for key, value in asset["extras"].items() if key != KEY}
    others = {key: value for key, value in asset.items() if key != "extras"}
    return {**others, "extras": extras} if extras else others


def _set_ours(owner: Json, extensions: Mapping[str, Any]) -> None:
    old = cast(Json, owner.get("extensions") or {})
    others = {name: value for name, value in old.items() if name not in ours(old)}
    owner["extensions"] = {**others, **extensions}
    if not owner["extensions"]:
        del owner["extensions"]


def _without(owner: Any, key: str, gone: Collection[int]) -> None:
    below: list[int] = owner.get(key) or []
    if any(child in gone for child in below):
        owner[key] = [child for child in below if child not in gone]
        if not owner[key]:
            del owner[key]


def _move_back(nodes: list[Any], scenes: list[Json], node: int, place: Json) -> None:
    """Hang a node where it was, in the frame it had there."""
    for owner, key in (*((each, "children") for each in nodes), *((s, "nodes") for s in scenes)):
        _without(owner, key, (node,))
    parent = int(place.pop("parent"))
    owner, key = (nodes[parent], "children") if parent >= 0 else (scenes[0], "nodes")
    beside: list[int] = [*(owner.get(key) or [])]
    beside.insert(place.get("at", len(beside)), node)
    owner[key] = beside
    if "name" in place:
        nodes[node]["name"] = place["name"]
        if place["name"] is None:
            del nodes[node]["name"]
    for key in PLACE:
        nodes[node].pop(key, None)
    nodes[node].update({key: place[key] for key in PLACE if place.get(key)})
