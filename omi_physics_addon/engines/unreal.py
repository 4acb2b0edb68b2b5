"""The names of Unreal Engine for colliders; files are not written for it.

Source: Unreal Engine's manual, "FBX Static Mesh Pipeline", section "Collision".
"""

from __future__ import annotations

import re

from ..model.targets import NameConvention, NamedMesh, Tag

_TAGGED = re.compile(r"^(?P<tag>U[A-Z]{2})_(?P<owner>.+)$")
_COPY = re.compile(r"\.\d{3,}$")
_PART = re.compile(r"_\d+$")
_PREFIXES = {"UBX": "BOX", "USP": "SPHERE", "UCP": "CAPSULE", "UCX": "CONVEX"}


def _parse(name: str) -> Tag | None:
    found = _TAGGED.match(_COPY.sub("", name))
    if found is None or found["tag"] not in _PREFIXES:
        return None
    owner = found["owner"]
    owners = tuple(dict.fromkeys((_PART.sub("", owner), owner)))
    return Tag(f"{found['tag']}_", _PREFIXES[found["tag"]], "", True, owners)


def _is_unknown(name: str) -> bool:
    found = _TAGGED.match(name)
    return found is not None and found["tag"] not in _PREFIXES


def _name(name: str, mesh: NamedMesh) -> str:
    """The name with which Unreal takes a mesh for a collider of the one that it is below."""
    if not (mesh.is_collision_only and mesh.owner):
        return name
    words = {kind: word for word, kind in _PREFIXES.items()}
    return f"{words.get(mesh.shape, 'UCX')}_{mesh.owner}_{mesh.number:02}"


NAMES = NameConvention(
    id="UNREAL",
    number=2,
    engine="Unreal",
    words="UBX_, USP_, UCP_, UCX_",
    text="UBX_, USP_, UCP_ and UCX_ before the names of collision-only meshes that are below "
    "others",
    parse=_parse,
    is_unknown=_is_unknown,
    name=_name,
)
