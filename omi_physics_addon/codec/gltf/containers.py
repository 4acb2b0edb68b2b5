"""The two containers of glTF: text, and chunks of which the first is text.

What is no text stays as it is, byte for byte.
"""

from __future__ import annotations

import base64
import json
import re
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

from ..values.json_members import as_list, member
from . import indented_json, limits

_MAGIC: Final = b"glTF"
_JSON: Final = 0x4E4F534A
_BINARY: Final = 0x004E4942
_HEADER: Final = struct.Struct("<4sII")
_CHUNK: Final = struct.Struct("<II")


class ContainerError(Exception):
    """The bytes are no glTF; the message says why."""


@dataclass(frozen=True)
class Container:
    """A glTF as it was read.

    Attributes:
        json: what its text says.
        indent: what one level of its text is indented with; None for all on one line.
        is_spaced: a space follows the colons and, on one line, the commas.
        is_ascii: other characters are escaped.
        end: what follows the text: a line break or nothing.
        chunks: type and content of all chunks but the text; None where the text is the file.
    """

    json: dict[str, Any]
    indent: str | None = None
    is_spaced: bool = False
    is_ascii: bool = False
    end: str = ""
    chunks: tuple[tuple[int, bytes], ...] | None = None

    @property
    def suffix(self) -> str:
        """The end of the name of such a file."""
        return ".gltf" if self.chunks is None else ".glb"


def read(raw: bytes, *, is_lenient: bool = False) -> Container:
    """The glTF in the bytes of a file.

    Args:
        is_lenient: NaN and infinity are numbers, which JSON has no words for.

    Raises:
        ContainerError: there is none.
    """
    if raw[:4] != _MAGIC:
        return _read_text(raw, None, is_lenient)
    if len(raw) < _HEADER.size:
        raise ContainerError("the file ends in its header")
    _magic, version, length = _HEADER.unpack_from(raw)
    if version != 2:
        raise ContainerError(f"the container has version {version} instead of 2")
    if length > len(raw):
        raise ContainerError(f"{length} bytes were announced, {len(raw)} are there")
    chunks: list[tuple[int, bytes]] = []
    at = _HEADER.size
    while at + _CHUNK.size <= length:
        size, kind = _CHUNK.unpack_from(raw, at)
        at += _CHUNK.size
        if at + size > length:
            raise ContainerError("a chunk is longer than the file")
        chunks.append((kind, raw[at : at + size]))
        at += size
    if not chunks or chunks[0][0] != _JSON:
        raise ContainerError("the first chunk is not text")
    return _read_text(chunks[0][1], tuple(chunks[1:]), is_lenient)


def _read_text(
    raw: bytes, chunks: tuple[tuple[int, bytes], ...] | None, is_lenient: bool
) -> Container:
    try:
        text = raw.decode("utf-8-sig")
        parsed = json.loads(text, parse_constant=float if is_lenient else _refuse)
    except (UnicodeDecodeError, ValueError) as error:
        raise ContainerError(f"the text is not JSON: {error}") from error
    except RecursionError as error:
        most = sys.getrecursionlimit()
        why = f"the text is nested too deeply; about {most} levels are the most"
        raise ContainerError(why) from error
    if not isinstance(parsed, dict):
        raise ContainerError("the text is not that of a JSON object")
    members = cast(dict[str, Any], parsed)
    if not isinstance(members.get("asset"), dict):
        raise ContainerError("there is no asset in it, so it is no glTF")
    try:
        limits.check(members)
    except limits.LimitError as error:
        raise ContainerError(str(error)) from error
    body = text.rstrip()
    first = re.match(r"\{\r?\n([ \t]+)", body)
    return Container(
        json=members,
        indent=first[1] if first else "" if "\n" in body else None,
        is_spaced=re.search(r'^\s*\{\s*"[^"]*": ', body) is not None,
        is_ascii=body.isascii() and "\\u" in body,
        end="" if chunks is not None else text[len(body) :],
        chunks=chunks,
    )


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def write(container: Container, new: dict[str, Any]) -> bytes:
    """The bytes of a file that says `new`, in the layout of `container`.

    Raises:
        ContainerError: JSON has no words for it.
    """
    comma = ", " if container.is_spaced and container.indent is None else ","
    encoder = json.JSONEncoder(
        indent=container.indent,
        separators=(comma, ": " if container.is_spaced else ":"),
        ensure_ascii=container.is_ascii,
        allow_nan=False,
    )
    try:
        text = indented_json.encode(encoder, new)
    except ValueError as error:
        why = "a number beside the physics is too large for any file"
        raise ContainerError(why) from error
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        encoder.ensure_ascii = True
        text = indented_json.encode(encoder, new)
    raw = (text + container.end).encode("utf-8")
    return raw if container.chunks is None else _pack(raw, container.chunks)


def _pack(text: bytes, chunks: tuple[tuple[int, bytes], ...]) -> bytes:
    padded = text + b" " * (-len(text) % 4)
    parts = [
        _CHUNK.pack(len(content), kind) + content for kind, content in ((_JSON, padded), *chunks)
    ]
    length = _HEADER.size + sum(len(part) for part in parts)
    return b"".join([_HEADER.pack(_MAGIC, 2, length), *parts])


def with_binary_buffer(json_value: dict[str, Any]) -> Container:
    """A .glb of a parsed glTF, whose one buffer, if it has one, leaves the text."""
    holder = Container(json_value)
    content = buffer(holder, 0, lambda _uri: None)
    if content is None:
        return Container(json_value, chunks=())
    kept = {"byteLength": len(content)}
    return Container({**json_value, "buffers": [kept]}, chunks=((_BINARY, content),))


def side_files(json_value: dict[str, Any]) -> list[str]:
    """The addresses of buffers and images that stand in files of their own."""
    items = (item for key in ("buffers", "images") for item in as_list(json_value.get(key)))
    uris = (member(item, "uri") for item in items)
    return [uri for uri in uris if isinstance(uri, str) and not uri.startswith("data:")]


def buffer(container: Container, index: int, beside: Callable[[str], bytes | None]) -> bytes | None:
    """The bytes of a buffer; None where they are not there.

    Args:
        beside: what reads a file by its address, None for one that cannot be read.
    """
    items = as_list(container.json.get("buffers"))
    if not 0 <= index < len(items) or not isinstance(items[index], dict):
        return None
    uri = items[index].get("uri")
    if uri is None:
        parts = [content for kind, content in container.chunks or () if kind == _BINARY]
        return parts[0] if parts and index == 0 else None
    if not isinstance(uri, str):
        return None
    if not uri.startswith("data:"):
        return beside(uri)
    head, _comma, content = uri.partition(",")
    if not head.endswith(";base64"):
        return None
    try:
        return base64.b64decode(content, validate=True)
    except ValueError:
        return None
