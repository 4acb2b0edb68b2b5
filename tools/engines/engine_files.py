"""Copies of glTF files whose nodes can be told apart, whatever a reader makes of their names."""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import unquote

_MAGIC = b"glTF"
_HEADER = struct.Struct("<4sII")
_MESHED = ("convex", "hull", "trimesh", "geometry", "shapes", "mesh")
_CHUNK = struct.Struct("<I4s")
_FAMILIES = {
    "KHR": ("KHR_physics_rigid_bodies", "KHR_rigid_bodies", "MSFT_rigid_bodies", "MSFT_physics"),
    "OMI": ("OMI_physics_body", "OMI_collider"),
}


class IncompleteError(Exception):
    """A file cannot be simulated; the message says what it lacks."""


class Copy(NamedTuple):
    """A copy of a file.

    Attributes:
        names: by the name of a node in the copy, that in the file, or the other where it has none.
        families: "OMI" and "KHR", those whose bodies it has.
    """

    path: Path
    names: dict[str, str]
    families: tuple[str, ...]


def copy(source: Path, folder: Path) -> Copy:
    """Copy a file, with what it refers to, and give its nodes names of their own.

    What the specification says where the file says nothing is written too, because readers have
    other ideas about it.

    Raises:
        IncompleteError: it lacks a buffer that shapes are made of, or has no physics.
    """
    json_value, rest = read(source)
    nodes: list[dict[str, Any]] = json_value.get("nodes", [])
    names: dict[str, str] = {}
    for at, node in enumerate(nodes):
        own = f"n{at}"
        names[own] = str(node.get("name") or own)
        node["name"] = own
    used = json_value.get("extensionsUsed", [])
    families = tuple(
        family for family, known in _FAMILIES.items() if any(name in used for name in known)
    )
    if not families:
        raise IncompleteError("it has no physics")
    _copy_resources(json_value, source.parent, folder)
    _complete(json_value)
    path = folder / source.name
    write(path, json_value, rest)
    return Copy(path, names, families)


def put(source: Path, folder: Path) -> None:
    """Copy a file with what it refers to; only what is there.

    Raises:
        IncompleteError: it refers to another folder, or lacks a buffer that shapes are made of.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, folder / source.name)
    if source.suffix in (".glb", ".gltf"):
        _copy_resources(read(source)[0], source.parent, folder)


def read(path: Path) -> tuple[dict[str, Any], bytes | None]:
    """The JSON of a .gltf or .glb file, and the chunks behind it of the latter."""
    data = path.read_bytes()
    if data[:4] != _MAGIC:
        return json.loads(data.decode("utf-8-sig")), None
    length, _ = _CHUNK.unpack_from(data, _HEADER.size)
    start = _HEADER.size + _CHUNK.size
    return json.loads(data[start : start + length]), data[start + length :]


def write(path: Path, json_value: dict[str, Any], rest: bytes | None) -> None:
    """Undo `read`."""
    text = json.dumps(json_value).encode()
    if rest is None:
        path.write_bytes(text)
        return
    text += b" " * (-len(text) % 4)
    size = _HEADER.size + _CHUNK.size + len(text) + len(rest)
    head = _HEADER.pack(_MAGIC, 2, size) + _CHUNK.pack(len(text), b"JSON")
    path.write_bytes(head + text + rest)


def digest(path: Path) -> str:
    """A text that two files share only if all is equal in them and in their buffers."""
    found = hashlib.sha256(path.read_bytes())
    for block in read(path)[0].get("buffers", []):
        uri = block.get("uri", "")
        if uri and not uri.startswith("data:"):
            found.update((path.parent / unquote(uri)).read_bytes())
    return found.hexdigest()


def _copy_resources(json_value: dict[str, Any], source: Path, folder: Path) -> None:
    for kind in ("buffers", "images"):
        for block in json_value.get(kind, []):
            uri = block.get("uri", "")
            if not uri or uri.startswith("data:"):
                continue
            found, wanted = source / unquote(uri), folder / unquote(uri)
            if not wanted.resolve().is_relative_to(folder.resolve()):
                raise IncompleteError(f"{uri} lies in another folder")
            wanted.parent.mkdir(parents=True, exist_ok=True)
            if found.is_file():
                shutil.copyfile(found, wanted)
            elif kind == "buffers":
                if _has_meshes(json_value):
                    raise IncompleteError(f"{uri} is missing")
                wanted.write_bytes(bytes(block["byteLength"]))  # Only what is to be seen is there.


def _has_meshes(value: Any, within: str = "") -> bool:
    """Whether a shape is made of a mesh, or of a node that has one."""
    if isinstance(value, list):
        return any(_has_meshes(one, within) for one in cast("list[Any]", value))
    if not isinstance(value, dict):
        return False
    members = cast("dict[str, Any]", value)
    if within in _MESHED and ("mesh" in members or "node" in members):
        return True
    return any(_has_meshes(one, key) for key, one in members.items())


def _complete(json_value: dict[str, Any]) -> None:
    physics = json_value.get("extensions", {}).get("KHR_physics_rigid_bodies", {})
    for material in physics.get("physicsMaterials", []):
        for key in ("frictionCombine", "restitutionCombine"):
            material.setdefault(key, "average")
