"""Reads glTF files for tests."""

from __future__ import annotations

import copy
import dataclasses
import json
import struct
from pathlib import Path
from typing import Any, Final

from omi_physics_addon.codec import dialects
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.document import PhysicsDocument
from omi_physics_addon.model.fields import (
    INDEX_TYPES,
    FilterIndex,
    HoverThrusterIndex,
    JointIndex,
    MaterialIndex,
    MeshIndex,
    NodeIndex,
    ShapeIndex,
    ThrusterIndex,
    WheelIndex,
    table,
)


def read_glb(path: Path) -> tuple[dict[str, Any], bytes]:
    """The JSON and the binary part of a .glb file."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    (size,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + size]), data[20 + size + 8 :]


def folded(gltf: dict[str, Any]) -> dict[str, Any]:
    """The same file with what nodes with physics show on these nodes, as files of KHR have it.

    Children that were made for that are the last nodes, so that no index changes.
    """
    out = copy.deepcopy(gltf)
    nodes = out["nodes"]
    while nodes:
        above = next((n for n in nodes if len(nodes) - 1 in n.get("children", ())), None)
        kinds = ("Mesh", "Camera", "Light")
        if above is None or nodes[-1]["name"] not in [f"{above['name']} {kind}" for kind in kinds]:
            break
        assert above.get("extensions")
        child = nodes.pop()
        above["children"].remove(len(nodes))
        if not above["children"]:
            del above["children"]
        above["extensions"] |= child.get("extensions", {})
        above |= {k: v for k, v in child.items() if k in ("mesh", "skin", "camera")}
    return out


def resolved(gltf: dict[str, Any]) -> dict[str, Any]:
    """Nodes by name, with names or contents for every index: no order of lists shows any more.

    Blender 5.2 writes objects in alphabetical order, older ones as they were added.
    """
    names = [node["name"] for node in gltf["nodes"]]
    assert len(set(names)) == len(names)
    nodes = {}
    for node in gltf["nodes"]:
        place = {key: node[key] for key in ("translation", "rotation", "scale") if key in node}
        nodes[node["name"]] = {
            **place,
            "children": sorted(names[i] for i in node.get("children", [])),
            "mesh": gltf["meshes"][node["mesh"]]["name"] if "mesh" in node else None,
        }
    return {
        "nodes": nodes,
        "roots": sorted(names[i] for i in gltf["scenes"][0]["nodes"]),
        "physics": physics_by_name(gltf),
    }


class _Meanings:
    """What a document says, with names or contents in place of every index."""

    def __init__(self, document: PhysicsDocument, nodes: list[str], meshes: list[str]) -> None:
        self.document = document
        self._names: dict[Any, list[str]] = {NodeIndex: nodes, MeshIndex: meshes}

    def of(self, record: Any) -> Any:
        """The meaning of a record, of a tuple of them, or of a plain value."""
        if isinstance(record, tuple):
            return tuple(self.of(item) for item in record)
        if not dataclasses.is_dataclass(record) or isinstance(record, type):
            return record
        rows = {row.name: row for row in table(type(record))}
        out: dict[str, Any] = {"record": type(record).__name__}
        for field in dataclasses.fields(record):
            value, row = getattr(record, field.name), rows.get(field.name)
            if row is not None and row.type in INDEX_TYPES:
                out[field.name] = None if value is None else self._item(row.type, value)
            elif row is not None and row.item in INDEX_TYPES:
                out[field.name] = sorted(repr(self._item(row.item, index)) for index in value)
            else:
                out[field.name] = self.of(value)
        return out

    def _item(self, kind: Any, index: int) -> Any:
        if kind in self._names:
            return self._names[kind][index]
        return self.of(getattr(self.document, _LISTS[kind])[index])

    def lists(self) -> dict[str, Any]:
        """What the file says once for all nodes, entries that nothing uses too."""
        out: dict[str, Any] = {
            name: sorted(repr(self.of(item)) for item in getattr(self.document, name))
            for name in _LISTS.values()
        }
        return {**out, "gravity": self.document.world_gravity, "carried": self.document.carried}


_LISTS: Final[dict[Any, str]] = {
    ShapeIndex: "shapes",
    MaterialIndex: "physics_materials",
    FilterIndex: "collision_filters",
    JointIndex: "joint_settings",
    WheelIndex: "wheels",
    ThrusterIndex: "thrusters",
    HoverThrusterIndex: "hover_thrusters",
}


def physics_by_name(gltf: dict[str, Any]) -> dict[str, Any]:
    """All that a file says of physics, as the codec reads it, for each family."""
    nodes = [node["name"] for node in gltf["nodes"]]
    meshes = [mesh["name"] for mesh in gltf.get("meshes", [])]
    issues = Issues()
    documents = dialects.read_each(dialects.gltf_file(gltf), issues)
    out: dict[str, Any] = {"issues": issues.codes()}
    for family, document in zip(("OMI", "KHR"), documents, strict=True):
        meanings = _Meanings(document, nodes, meshes)
        out[family] = {
            "lists": meanings.lists(),
            "nodes": {nodes[i]: meanings.of(part) for i, part in document.nodes.items()},
        }
    return out
