"""Reads glTF files for tests."""

from __future__ import annotations

import copy
import json
import struct
from pathlib import Path
from typing import Any


def read_glb(path: Path) -> tuple[dict[str, Any], bytes]:
    """The JSON and the binary part of a .glb file."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    (size,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + size]), data[20 + size + 8 :]


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
            "physics": _physics(gltf, node, names),
        }
    return {"nodes": nodes, "roots": sorted(names[i] for i in gltf["scenes"][0]["nodes"])}


def _physics(gltf: dict[str, Any], node: dict[str, Any], names: list[str]) -> dict[str, Any]:
    physics = copy.deepcopy(node.get("extensions", {}))
    body = physics.get("OMI_physics_body", {})
    lists = gltf["extensions"]["OMI_physics_body"]
    for part in (body.get("collider", {}), body.get("trigger", {})):
        if "shape" in part:
            part["shape"] = _shape(gltf, part["shape"])
        if "physicsMaterial" in part:
            part["physicsMaterial"] = lists["physicsMaterials"][part["physicsMaterial"]]
        if "collisionFilter" in part:
            part["collisionFilter"] = lists["collisionFilters"][part["collisionFilter"]]
        if "nodes" in part:
            part["nodes"] = sorted(names[i] for i in part["nodes"])
    return physics


def _shape(gltf: dict[str, Any], index: int) -> dict[str, Any]:
    shape = copy.deepcopy(gltf["extensions"]["OMI_physics_shape"]["shapes"][index])
    dimensions = shape[shape["type"]]
    if "mesh" in dimensions:
        dimensions["mesh"] = gltf["meshes"][dimensions["mesh"]]["name"]
    return shape
