"""JSON with line breaks, as `json` writes it, in a third of the time.

`json` has its fast encoder for text without line breaks only.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any, cast


def encode(encoder: json.JSONEncoder, value: Any, shared: Collection[int] = ()) -> str:
    """What a `json.JSONEncoder` makes of a value.

    Args:
        shared: identities of objects that are in many places of it, and are written once.

    Raises:
        ValueError: a number is not finite, and the encoder does not allow that; or a list or an
            object is inside of itself.
        TypeError: the encoder knows no way to write a value or a key.
    """
    indent = cast(int | str | None, encoder.indent)  # Which is None in most.
    if indent is None or encoder.sort_keys or encoder.skipkeys:
        return json.JSONEncoder.encode(encoder, value)
    step = " " * indent if isinstance(indent, int) else indent
    quoted = encode_basestring_ascii if encoder.ensure_ascii else encode_basestring
    comma, colon = encoder.item_separator, encoder.key_separator

    def text(value: Any, line: str) -> str:
        kind: type[Any] = value.__class__
        if kind is str:
            return quoted(value)
        if kind is int:
            return repr(value)
        if kind is float and value - value == 0.0:
            return repr(value)
        if issubclass(kind, dict):
            if id(value) not in shared:
                return members_of(value, line)
            at = id(value), line
            if at not in written:
                written[at] = members_of(value, line)
            return written[at]
        if issubclass(kind, (list, tuple)):
            below = line + step
            entries = [text(entry, below) for entry in value]
            return f"[{below}{f'{comma}{below}'.join(entries)}{line}]" if entries else "[]"
        if value is None or isinstance(value, (bool, int, float, str)):
            return flat.encode(value)
        return text(encoder.default(value), line)

    def members_of(value: dict[Any, Any], line: str) -> str:
        below = line + step
        members = [f"{key(name)}{colon}{text(value[name], below)}" for name in value]
        return f"{{{below}{f'{comma}{below}'.join(members)}{line}}}" if members else "{}"

    def key(name: Any) -> str:
        if name.__class__ is str:
            return quoted(name)
        [known] = json.loads(flat.encode({name: 0}))
        return quoted(known)

    written: dict[tuple[int, str], str] = {}
    flat = json.JSONEncoder(ensure_ascii=encoder.ensure_ascii, allow_nan=encoder.allow_nan)
    try:
        return text(value, "\n")
    except RecursionError:  # `json` gets twice as deep.
        return "".join(encoder.iterencode(value))
