"""Animated physics: what KHR_animation_pointer moves is noted beside the property that it moves.

Pointers count nodes and items of lists, and a file that is written anew counts others. So each
animation is noted on the JSON object that has the property, below its `extensions`, where it
travels as all members do that no record knows. What is written then says where it has come to.
"""

from __future__ import annotations

import copy
import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, cast

from ...model import fields
from ...model.document import LISTS, PARTS, PhysicsDocument
from .. import dialects
from ..dialects import Encoded
from ..values.carried import escape
from ..values.json_members import as_list, as_object, member, objects

POINTER: Final = "KHR_animation_pointer"
KEY: Final = "OMI_PHYSICS_ADDON_animated"  # Below `extensions`, the list of notes.
PROPERTY: Final = "property"  # Of a note: the way from the object that has it to the property.
MOVED_FROM: Final = "writtenAt"  # Of a note on what was authored: the pointer in the file.
# Of a note that Blender keeps: name of the animation, and what its sampler says.
NAME, LIKE, TYPE = "animation", "interpolation", "type"
COMPONENT, TIMES, VALUES = "componentType", "times", "values"
FLOAT: Final = 5126
_INDEX: Final = re.compile("0|[1-9][0-9]{0,11}")  # Source: RFC 6901, 4; no list is longer.
_OURS: Final = frozenset(dialects.NAMES)
_ROOT, _NODE = 2, 4  # Steps to an extension of the root or a shape of the core, and of a node.
# Sizes of shapes that one family has, and what another shape or family has instead.
_SAID_SO: Final = {"radius": "radiusTop", "sizeX": "size", "sizeZ": "size"}
_ONLY_KHR: Final = ("isKinematic",)

Json = dict[str, Any]


class Channel(NamedTuple):
    """A channel of an animation of a file that moves a property of physics."""

    animation: int
    channel: int
    pointer: str


class Found(NamedTuple):
    """A note where it has come to.

    Attributes:
        pointer: to the property.
        note: what moves it.
        owner: the JSON object that has the note.
    """

    pointer: str
    note: Mapping[str, Any]
    owner: Json


def sampled(
    name: str | None,
    interpolation: str,
    kind: str,
    times: list[float],
    values: list[float],
    component: int = FLOAT,
) -> Json:
    """What a note says of a channel and its sampler.

    Args:
        name: of the animation.
        kind: of the accessor, such as "VEC3".
        times: s.
        values: one after another.
    """
    return {
        NAME: name,
        LIKE: interpolation,
        TYPE: kind,
        COMPONENT: component,
        TIMES: times,
        VALUES: values,
    }


def pointer_of(target: Any) -> str:
    """The pointer of the target of a channel; empty for none."""
    pointer = member(member(member(target, "extensions"), POINTER), "pointer")
    return pointer if isinstance(pointer, str) else ""


def channels(json: Mapping[str, Any], *, with_core: bool = False) -> Iterator[Channel]:
    """The channels of a parsed glTF that move physics.

    Args:
        with_core: the core's shapes are physics.
    """
    for i, animation in enumerate(as_list(json.get("animations"))):
        for j, channel in enumerate(as_list(member(animation, "channels"))):
            pointer = pointer_of(member(channel, "target"))
            if is_ours(pointer, with_core=with_core):
                yield Channel(i, j, pointer)


def is_ours(pointer: str, *, with_core: bool = False) -> bool:
    """Whether a pointer leads to a property of physics."""
    steps = pointer.split("/")[1:]
    if steps[:1] == ["shapes"]:
        return with_core and len(steps) > _ROOT
    if steps[:1] == ["nodes"]:
        steps = steps[2:]
    return len(steps) > 1 and steps[0] == "extensions" and steps[1] in _OURS


class Notes:
    """A parsed glTF in which notes are put; the one that was read is left as it is.

    Attributes:
        json: with the notes.
    """

    def __init__(self, json: Mapping[str, Any]) -> None:
        """Start without new notes."""
        self.json: Json = dict(json)
        self._own = {id(self.json)}

    def add(self, pointer: str, note: Mapping[str, Any]) -> bool:
        """Put a note where a pointer leads; False where it leads nowhere."""
        steps = [_unescape(step) for step in pointer.split("/")[1:]]
        at: Any = self.json
        for depth, step in enumerate(steps):
            rest = steps[depth:]
            inner = self._inner(at, step) if len(rest) > 1 else None
            if inner is not None:
                at = inner
                continue
            known = depth >= (_NODE if steps[0] == "nodes" else _ROOT)
            if not known or not isinstance(at, dict) or any(map(_INDEX.fullmatch, rest[:-1])):
                return False
            extensions = self._inner(at, "extensions")
            if extensions is None and "extensions" not in at:
                extensions = at["extensions"] = cast(Json, {})
                self._own.add(id(extensions))
            if not isinstance(extensions, dict):
                return False
            notes = as_list(extensions.get(KEY))
            extensions[KEY] = [*notes, {**note, PROPERTY: "/".join(map(escape, rest))}]
            return True
        return False

    def _inner(self, at: Any, step: str) -> Any:
        """The object or list below one, which is ours to change; None where there is none."""
        if isinstance(at, list):
            key: Any = int(step) if _INDEX.fullmatch(step) else -1
            value = cast(list[Any], at)[key] if 0 <= key < len(cast(list[Any], at)) else None
        else:
            key, value = step, at.get(step)
        if not isinstance(value, (dict, list)):
            return None
        if id(cast(Any, value)) not in self._own:
            value = cast(Any, value).copy()
            at[key] = value
            self._own.add(id(value))
        return cast(Any, value)


def claim(json: Mapping[str, Any], noted: Mapping[str, list[Json]]) -> tuple[Json, set[str]]:
    """A parsed glTF with notes on what its animations move.

    What was authored of a file that was written for an engine has notes already, which say what
    the pointer in the file is.

    Args:
        noted: by pointer, a note for each channel that has it.

    Returns:
        The glTF, and the pointers that lead nowhere.
    """
    nodes = as_list(json.get("nodes"))
    before = find(
        as_object(json.get("extensions")),
        {i: as_object(member(node, "extensions")) for i, node in enumerate(nodes)},
    )
    if before:
        ours = {key: copy.deepcopy(json[key]) for key in ("extensions", "nodes") if key in json}
        remove(ours.values())
        json = {**json, **ours}
    notes, claimed = Notes(json), set[str]()
    for old in before:
        source = old.note.get(MOVED_FROM)
        for note in noted.get(source, []) if isinstance(source, str) else []:
            if notes.add(old.pointer, note):
                claimed.add(cast(str, source))
    lost = {
        pointer
        for pointer, some in noted.items()
        if pointer not in claimed and not all(notes.add(pointer, note) for note in some)
    }
    return notes.json, lost


def find(
    root: Mapping[str, Any], nodes: Mapping[int, Mapping[str, Any]], shapes: Iterable[Any] = ()
) -> list[Found]:
    """The notes in the extension objects of a root and of nodes, and where they are.

    Args:
        shapes: of the core, which may have notes as well.
    """
    found: list[Found] = []
    stack: list[tuple[Any, str]] = [
        *((value, f"/extensions/{escape(name)}") for name, value in root.items()),
        *(
            (value, f"/nodes/{i}/extensions/{escape(name)}")
            for i, extensions in nodes.items()
            for name, value in extensions.items()
        ),
        *((value, f"/shapes/{i}") for i, value in enumerate(shapes)),
    ]
    stack.reverse()
    while stack:
        value, at = stack.pop()
        if isinstance(value, list):
            items = enumerate(cast(list[Any], value))
            stack += [(x, f"{at}/{i}") for i, x in items if isinstance(x, (dict, list))]
        elif isinstance(value, dict):
            owner = cast(Json, value)
            for note in as_list(member(owner.get("extensions"), KEY)):
                name = member(note, PROPERTY)
                if isinstance(name, str) and _stands(owner, at, name):
                    found.append(Found(f"{at}/{name}", note, owner))
            inner = ((key, x) for key, x in owner.items() if key != "extensions")
            stack += [(x, f"{at}/{escape(k)}") for k, x in inner if isinstance(x, (dict, list))]
    return found


def _unescape(step: str) -> str:
    """The key that a step of a JSON pointer means (RFC 6901)."""
    return step.replace("~1", "/").replace("~0", "~")


def _stands(owner: Mapping[str, Any], at: str, name: str) -> bool:
    """Whether an object still has a property that was noted on it."""
    first, *rest = name.split("/")
    if rest:
        return _unescape(first) in owner or owner.get("type") == first
    if first not in owner and _SAID_SO.get(first) in owner:
        return False
    return first not in _ONLY_KHR or "/KHR_" in at


def refer(authored: Encoded, pointer_of: Callable[[Mapping[str, Any]], str | None]) -> None:
    """Let the notes on what was authored say what the pointers in the file are.

    Args:
        pointer_of: the pointer that a note has come to; None where it is not written.
    """
    found = find(authored.root, authored.nodes)
    remove((authored.root, *authored.nodes.values()))
    for _, note, owner in found:
        pointer = pointer_of(note)
        if pointer is not None:
            notes = owner.setdefault("extensions", {}).setdefault(KEY, [])
            notes.append({PROPERTY: note[PROPERTY], MOVED_FROM: pointer})


def moved_nodes(document: PhysicsDocument) -> list[int]:
    """The nodes with notes on their physics, or on what it refers to."""
    noted = {
        kind: {i for i, record in enumerate(getattr(document, name)) if _is_noted(record)}
        for kind, name in LISTS.items()
    }
    refers = any(noted.values())

    def is_moved(part: Any) -> bool:
        """Whether a part of a node's physics has notes, or what it refers to."""
        rows = fields.table(part.__class__) if refers else ()
        return (part.carried and KEY in part.carried) or any(
            getattr(part, row.name) in noted.get(row.type, ()) for row in rows
        )

    found: list[int] = []
    for node, physics in document.nodes.items():
        parts = [part for name in PARTS if (part := getattr(physics, name)) is not None]
        field = physics.gravity and physics.gravity.field
        if any(map(is_moved, parts)) or _is_noted(field) or _is_noted(physics.carried):
            found.append(node)
    return found


def _is_noted(record: Any) -> bool:
    """Whether a record, or one inside of it, has a note."""
    if isinstance(record, str):
        return KEY in record
    if isinstance(record, tuple):
        return any(map(_is_noted, cast(tuple[Any, ...], record)))
    if not dataclasses.is_dataclass(record):
        return False
    return any(_is_noted(getattr(record, field.name)) for field in dataclasses.fields(record))


def remove(values: Iterable[Any]) -> None:
    """Take all notes out of JSON values."""
    for owner in objects([*values]):
        extensions = owner.get("extensions")
        if isinstance(extensions, dict) and extensions.pop(KEY, None) and not extensions:
            del owner["extensions"]
