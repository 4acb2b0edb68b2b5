"""What suffixes of names say about physics, by the convention of Godot.

Source: Godot's manual, "Node type customization using name suffixes".
"""

from __future__ import annotations

import re

from ...model.targets import NamedMesh, Tag

_NUMBER = re.compile(r"[\s.]*\d*\s*$")  # Behind a suffix, as copies have it.
_TAGGED = re.compile(r"^(?P<stem>.*)[-$_](?P<tag>[A-Za-z]+)$")
_SUFFIXES = {
    "col": ("TRIMESH", "STATIC", False),
    "convcol": ("CONVEX", "STATIC", False),
    "colonly": ("TRIMESH", "STATIC", True),
    "convcolonly": ("CONVEX", "STATIC", True),
    "rigid": ("CONVEX", "DYNAMIC", False),
}
# About other things than bodies and colliders.
_OTHERS = frozenset(("navmesh", "occ", "occonly", "vehicle", "wheel", "noimp"))


def _suffix(name: str) -> str:
    found = _TAGGED.match(_NUMBER.sub("", name))
    return "" if found is None else found["tag"].lower()


def parse(name: str) -> Tag | None:
    """What a name asks for; None for nothing."""
    suffix = _suffix(name)
    return Tag(f"-{suffix}", *_SUFFIXES[suffix]) if suffix in _SUFFIXES else None


def is_unknown(name: str) -> bool:
    """Whether a name has a suffix of Godot's that asks for no body or collider."""
    return _suffix(name) in _OTHERS


def name(name: str, mesh: NamedMesh) -> str:
    """A name with the suffix with which Godot makes such a body of the mesh.

    Shapes but trimeshes become hulls. What a moving body has below it stays as it is.
    """
    if mesh.motion == "KINEMATIC" or (mesh.motion == "DYNAMIC" and not mesh.is_body):
        return name
    if mesh.motion == "DYNAMIC":
        return f"{name}-rigid"
    word = "col" if mesh.shape == "TRIMESH" else "convcol"
    return f"{name}-{word}only" if mesh.is_collision_only else f"{name}-{word}"
