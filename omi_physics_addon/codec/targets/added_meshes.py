"""The meshes that a parsed glTF gets for an engine, and taking them out again.

Their numbers stand in a buffer of their own inside the text, so that all other buffers stay as
they are, whether they are in the file or beside it.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from ...model.document import NewMesh
from ..values.json_members import as_list, as_object

_DATA: Final = "data:application/octet-stream;base64,"
_FLOAT, _SHORT, _LONG = 5126, 5123, 5125  # Types of numbers, and what is bound to what.
_VERTICES, _INDICES = 34962, 34963
_FEW: Final = 65535  # Corners whose numbers fit into two bytes.

Json = dict[str, Any]


def append(json: Json, meshes: Sequence[NewMesh]) -> range:
    """Add meshes to a parsed glTF, whose lists are replaced and not changed.

    Returns:
        Their indices.
    """
    first = len(as_list(json.get("meshes")))
    if not meshes:
        return range(first, first)
    data = bytearray()
    lists: dict[str, list[Any]] = {
        name: list(as_list(json.get(name)))
        for name in ("buffers", "bufferViews", "accessors", "meshes")
    }
    for mesh in meshes:
        kind, letter = (_SHORT, "H") if len(mesh.corners) <= _FEW else (_LONG, "I")
        corners = struct.pack(f"<{3 * len(mesh.corners)}f", *_flat(mesh.corners))
        order = struct.pack(f"<{3 * len(mesh.triangles)}{letter}", *_flat(mesh.triangles))
        numbers = list(struct.iter_unpack("<3f", corners))
        bounds: Json = {
            "min": [min(axis) for axis in zip(*numbers, strict=True)],
            "max": [max(axis) for axis in zip(*numbers, strict=True)],
        }
        count = len(mesh.triangles) * 3
        points = {"componentType": _FLOAT, "count": len(numbers), "type": "VEC3", **bounds}
        turns = {"componentType": kind, "count": count, "type": "SCALAR"}
        at = [
            _add(lists, data, corners, _VERTICES, points),
            _add(lists, data, order, _INDICES, turns),
        ]
        primitive = {"attributes": {"POSITION": at[0]}, "indices": at[1]}
        lists["meshes"].append({"name": mesh.name, "primitives": [primitive]})
    uri = _DATA + base64.b64encode(bytes(data)).decode("ascii")
    lists["buffers"].append({"byteLength": len(data), "uri": uri})
    json.update(lists)
    return range(first, first + len(meshes))


def _flat(rows: Iterable[Iterable[Any]]) -> Iterator[Any]:
    return (number for row in rows for number in row)


def _add(
    lists: dict[str, list[Any]], data: bytearray, part: bytes, use: int, accessor: Json
) -> int:
    """Put numbers behind the others; returns the index of their accessor."""
    place = {"buffer": len(lists["buffers"]), "byteOffset": len(data), "byteLength": len(part)}
    data += part + bytes(-len(part) % 4)
    lists["bufferViews"].append({**place, "target": use})
    lists["accessors"].append({"bufferView": len(lists["bufferViews"]) - 1, **accessor})
    return len(lists["accessors"]) - 1


def remove(json: Json, added: Collection[int]) -> None:
    """Take meshes out of a parsed glTF, as far as they are the last ones and nothing uses them.

    Buffers beside the text stay as they are.
    """
    shown = {as_object(node).get("mesh") for node in as_list(json.get("nodes"))}
    gone = _drop_last(json, "meshes", set(added) - shown)
    if not gone:
        return
    kept = set(_values(json.get("meshes")))
    gone = _drop_last(json, "accessors", set(_values(gone)) - kept)
    kept = set(_views(json.get("accessors"))) | set(_views(json.get("images")))
    gone = _drop_last(json, "bufferViews", set(_views(gone)) - kept)
    used = {as_object(view).get("buffer") for view in as_list(json.get("bufferViews"))}
    inside = {
        i
        for i, buffer in enumerate(as_list(json.get("buffers")))
        if str(as_object(buffer).get("uri")).startswith("data:")
    }
    ours = {as_object(view).get("buffer") for view in gone}
    _drop_last(json, "buffers", (ours & inside) - used)


def _drop_last(json: Json, name: str, gone: Collection[Any]) -> list[Any]:
    """Take the last items of a list away while their indices are among some; returns them."""
    items, dropped = list(as_list(json.get(name))), list[Any]()
    while items and len(items) - 1 in gone:
        dropped.append(items.pop())
    if dropped:
        json[name] = items
        if not items:
            del json[name]
    return dropped


def _values(value: Any) -> Iterator[Any]:
    """All whole numbers in a mesh, among which are its accessors."""
    if isinstance(value, Mapping):
        value = list(cast(Mapping[Any, Any], value).values())
    if isinstance(value, list):
        for item in cast(list[Any], value):
            yield from _values(item)
    elif isinstance(value, int):
        yield value


def _views(items: Any) -> Iterator[Any]:
    """The buffer views of accessors or images."""
    for item in as_list(items):
        sparse = as_object(as_object(item).get("sparse"))
        for owner in (as_object(item), *(as_object(sparse.get(k)) for k in ("indices", "values"))):
            if "bufferView" in owner:
                yield owner["bufferView"]
