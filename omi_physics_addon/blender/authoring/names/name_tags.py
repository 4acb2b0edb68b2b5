"""What names of objects say about physics, by the conventions of Godot and Unreal.

Source: Godot's manual, "Node type customization using name suffixes"; Unreal Engine's manual, "FBX
Static Mesh Pipeline", section "Collision".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_NUMBER: Final = re.compile(r"[\s.]*\d*\s*$")  # Behind a suffix, as copies have it.
_GODOT: Final = re.compile(r"^(?P<stem>.*)[-$_](?P<tag>[A-Za-z]+)$")
_UNREAL: Final = re.compile(r"^(?P<tag>U[A-Z]{2})_(?P<owner>.+)$")
_COPY: Final = re.compile(r"\.\d{3,}$")
_PART: Final = re.compile(r"_\d+$")


@dataclass(frozen=True)
class Tag:
    """What a name asks for.

    Attributes:
        word: the suffix or prefix itself.
        shape: type of the collider.
        motion: of the body; empty where the object is no body of its own.
        is_collision_only: whether its mesh is for collisions alone.
        owners: names that the object may have that it is a collider of, the likeliest first.
    """

    word: str
    shape: str
    motion: str = ""
    is_collision_only: bool = False
    owners: tuple[str, ...] = ()


_SUFFIXES: Final[dict[str, tuple[str, str, bool]]] = {
    "col": ("TRIMESH", "STATIC", False),
    "convcol": ("CONVEX", "STATIC", False),
    "colonly": ("TRIMESH", "STATIC", True),
    "convcolonly": ("CONVEX", "STATIC", True),
    "rigid": ("CONVEX", "DYNAMIC", False),
}
_PREFIXES: Final = {"UBX": "BOX", "USP": "SPHERE", "UCP": "CAPSULE", "UCX": "CONVEX"}
# Of Godot's, too, but about other things than bodies and colliders.
_OTHERS: Final = frozenset(("navmesh", "occ", "occonly", "vehicle", "wheel", "noimp"))


def parse(name: str) -> Tag | None:
    """What a name asks for; None for nothing."""
    unreal = _UNREAL.match(_COPY.sub("", name))
    if unreal is not None and unreal["tag"] in _PREFIXES:
        owner = unreal["owner"]
        owners = tuple(dict.fromkeys((_PART.sub("", owner), owner)))
        return Tag(f"{unreal['tag']}_", _PREFIXES[unreal["tag"]], "", True, owners)
    godot = _GODOT.match(_NUMBER.sub("", name))
    found = _SUFFIXES.get(godot["tag"].lower()) if godot else None
    return None if godot is None or found is None else Tag(f"-{godot['tag'].lower()}", *found)


def suffixed(name: str, shape: str, motion: str, *, is_collision_only: bool) -> str:
    """A name with the suffix with which Godot makes such a body of the mesh.

    Args:
        shape: type of the collider; all but trimeshes become hulls.
        motion: STATIC or DYNAMIC.
    """
    if parse(name) is not None:
        return name
    if motion == "DYNAMIC":
        return f"{name}-rigid"
    word = "col" if shape == "TRIMESH" else "convcol"
    return f"{name}-{word}only" if is_collision_only else f"{name}-{word}"


def prefixed(owner: str, shape: str, number: int) -> str:
    """The name with which Unreal takes a mesh for a collider of another one.

    Args:
        owner: the name of the other one.
        number: of the collider, from 1.
    """
    words = {kind: word for word, kind in _PREFIXES.items()}
    return f"{words.get(shape, 'UCX')}_{owner}_{number:02}"


def is_unknown(name: str) -> bool:
    """Whether a name looks like one of a convention, but asks for nothing that is known here."""
    unreal = _UNREAL.match(name)
    if unreal is not None:
        return unreal["tag"] not in _PREFIXES
    godot = _GODOT.match(_NUMBER.sub("", name))
    return godot is not None and godot["tag"].lower() in _OTHERS
