"""Members of parsed JSON of any form; what has another type than the one asked for is empty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast


def as_list(value: Any) -> list[Any]:
    """A JSON array; empty for anything else."""
    return cast(list[Any], value) if isinstance(value, list) else []


def as_object(value: Any) -> Mapping[str, Any]:
    """A JSON object; empty for anything else."""
    if value.__class__ is dict:  # Which is quick, and what parsers make.
        return value
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def member(value: Any, key: str) -> Any:
    """A member of a JSON object; None where it is absent and for anything else."""
    return as_object(value).get(key)


def words(value: Any) -> list[str]:
    """The strings of a JSON array; what else stands in it is left out."""
    return [item for item in as_list(value) if isinstance(item, str)]


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """All objects in a JSON value; each may be changed before the next one is asked for."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            owner = cast(dict[str, Any], each)
            yield owner
            waiting += owner.values()
        elif isinstance(each, list):
            waiting += cast(list[Any], each)


def targets(*animations: Any) -> Iterator[Mapping[str, Any]]:
    """What the channels of animations of a parsed glTF move."""
    for animation in animations:
        for channel in as_list(member(animation, "channels")):
            yield as_object(member(channel, "target"))


def animated(*animations: Any) -> set[int]:
    """The nodes that animations of a parsed glTF move, whatever of them."""
    nodes = (target.get("node") for target in targets(*animations))
    return {node for node in nodes if isinstance(node, int)}


def bones(gltf: Any) -> Iterator[int]:
    """The nodes that the skins of a parsed glTF hang on."""
    for skin in as_list(member(gltf, "skins")):
        yield from (node for node in as_list(member(skin, "joints")) if isinstance(node, int))
