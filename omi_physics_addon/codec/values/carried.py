"""Carried members: what a JSON object has and its record has no field for, written back as read.

They are unknown members and the originals of faulty values. A record's `carried` holds them as
the JSON text of an object. A member whose key belongs to a field is the original of a value that
had to be repaired, or null where a required member was absent; it is written back as long as the
field still has the repaired value.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from ...issue_codes import Code
from ...issues import Issues
from ...model.fields import Carried
from .json_values import is_finite, show

DEEPEST: Final = 64  # Levels of nesting; deeper JSON is an attack or a mistake.


def pack(members: Mapping[str, Any]) -> Carried:
    """The text that carries `members`, in ASCII and sorted by key; empty for none.

    Sorted, so that records stay equal whatever order a file has its members in.
    """
    return json.dumps(dict(sorted(members.items())), separators=(",", ":")) if members else ""


def unpack(text: Carried) -> dict[str, Any]:
    """The members that `text` carries.

    Raises:
        ValueError: the text is not that of a JSON object.
    """
    if not text:
        return {}
    members = json.loads(text)
    if not isinstance(members, dict):
        raise ValueError(f"the value is not a JSON object and is left out: {text!r}")
    return cast(dict[str, Any], members)


def add(members: dict[str, Any], key: str, value: Any, pointer: str, issues: Issues) -> None:
    """Add a member to the carried ones, unless no JSON file could hold it.

    Null says no more than an absent member does, and exporters drop it.
    """
    if value is None:
        return
    code = _unfit(value)
    where = f"{pointer}/{escape(key)}"
    if code is None:
        members[key] = value
    elif code is Code.NESTED_TOO_DEEPLY:
        why = f"the value is nested more than {DEEPEST} levels deep and is left out"
        issues.add(code, where, why)
    else:
        issues.add(code, where, "the number is not finite and is left out")


def add_unknown(
    members: dict[str, Any], key: str, value: Any, pointer: str, issues: Issues
) -> None:
    """Add a member that no specification names; reported, but for `extras` and `extensions`."""
    if key == "extras" and value == {}:
        return  # How the exporter keeps an otherwise empty object alive; it says nothing.
    if key not in ("extras", "extensions"):
        why = f"the key {show(key)} is unknown; its value is kept but not used"
        issues.add(Code.KEY_UNKNOWN, f"{pointer}/{escape(key)}", why)
    add(members, key, value, pointer, issues)


def escape(key: str) -> str:
    """A key as a step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def _unfit(value: Any) -> Code | None:
    """The code of why no JSON file could hold a value; None if one could. Does not recurse."""
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for item in level:
            if isinstance(item, (int, float)) and not is_finite(item):
                return Code.NUMBER_NOT_FINITE
            if isinstance(item, dict):
                below.extend(cast(dict[str, Any], item).values())
            elif isinstance(item, list):
                below.extend(cast(list[Any], item))
        if not below:
            return None
        level = below
    return Code.NESTED_TOO_DEEPLY
