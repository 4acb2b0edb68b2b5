"""Rules about the meshes that shapes are made of, as the file has them."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from ...issue_codes import Code
from ...issues import Issues
from ...model.document import PhysicsDocument
from ...model.shapes import Convex, Trimesh
from ..values.json_members import as_list, member

_TRIANGLES: Final = (4, 5, 6)  # Modes of primitives: list, strip and fan.
_WORDS: Final = {0: "points", 1: "lines", 2: "lines", 3: "lines"}
_TYPES: Final = {5121: "B", 5123: "H", 5125: "I"}  # Component types of indices, for `array`.

Buffer = Callable[[int], bytes | None]  # From its index to its bytes, None for one not there.


def check(
    json: Mapping[str, Any], document: PhysicsDocument, issues: Issues, buffer: Buffer | None
) -> None:
    """Look at every mesh that a shape is made of.

    Args:
        buffer: what gives the numbers in meshes; None for nobody.
    """
    meshes = as_list(json.get("meshes"))
    for mesh in sorted(set(_used(document))):
        if 0 <= mesh < len(meshes):
            primitives = as_list(member(meshes[mesh], "primitives"))
            if not primitives:
                why = (
                    "the collision mesh has no primitives, so nothing collides with it; "
                    "export the mesh again"
                )
                issues.add(Code.COLLISION_MESH_EMPTY, f"/meshes/{mesh}", why)
            for k, primitive in enumerate(primitives):
                _check_primitive(json, primitive, f"/meshes/{mesh}/primitives/{k}", issues, buffer)


def _used(document: PhysicsDocument) -> Iterator[int]:
    """The meshes of the shapes of colliders and triggers."""
    for physics in document.nodes.values():
        for _name, _part, shape in document.shaped(physics):
            geometry = shape.geometry
            if isinstance(geometry, (Convex, Trimesh)) and geometry.mesh is not None:
                yield geometry.mesh


def _check_primitive(
    json: Mapping[str, Any], primitive: Any, at: str, issues: Issues, buffer: Buffer | None
) -> None:
    mode = member(primitive, "mode")
    if mode is not None and mode not in _TRIANGLES:
        word = (
            _WORDS.get(mode, "an unknown primitive type")
            if isinstance(mode, int)
            else "an unknown primitive type"
        )
        why = (
            f"the collision mesh is made of {word} and not of triangles, so engines cannot "
            "use it; use triangles"
        )
        issues.add(Code.COLLISION_MESH_NOT_TRIANGLES, at, why)
        return
    position = member(member(primitive, "attributes"), "POSITION")
    if position is None:
        why = (
            "the collision mesh has no vertex positions, so engines cannot use it; export "
            "the mesh again"
        )
        issues.add(Code.COLLISION_MESH_EMPTY, at, why)
        return
    points = _accessor(json, position, f"{at}/attributes/POSITION", issues)
    index = member(primitive, "indices")
    if index is None or points is None:
        return
    order = _accessor(json, index, f"{at}/indices", issues)
    count = member(points, "count")
    if order is None or buffer is None or not isinstance(count, int):
        return
    largest = _largest(json, order, buffer)
    if largest is not None and largest >= count:
        why = (
            f"an index refers to vertex {largest}, but there are {count} positions, so the "
            "mesh cannot be read"
        )
        issues.add(Code.INDEX_BEYOND_ARRAY, f"{at}/indices", why)


def _accessor(json: Mapping[str, Any], index: Any, at: str, issues: Issues) -> Any:
    """An accessor; None where there is none, which is told."""
    accessors = as_list(json.get("accessors"))
    if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(accessors):
        return accessors[index]
    why = (
        f"the mesh refers to an accessor that does not exist; the file has {len(accessors)} "
        "accessors"
    )
    issues.add(Code.INDEX_BEYOND_ARRAY, at, why)
    return None


def _largest(json: Mapping[str, Any], accessor: Any, buffer: Buffer) -> int | None:
    """The largest of the indices of a mesh; None where they cannot be read."""
    count, start = member(accessor, "count"), member(accessor, "byteOffset") or 0
    kind, at = member(accessor, "componentType"), member(accessor, "bufferView")
    views = as_list(json.get("bufferViews"))
    plain = all(isinstance(number, int) for number in (count, start, kind, at))
    if not plain or kind not in _TYPES or member(accessor, "sparse") is not None:
        return None
    if not (0 <= at < len(views) and count > 0 and start >= 0):
        return None
    first, owner = member(views[at], "byteOffset") or 0, member(views[at], "buffer")
    if not isinstance(first, int) or not isinstance(owner, int) or first < 0:
        return None
    numbers: array[int] = array(_TYPES[kind])
    data = buffer(owner)
    size, first = count * numbers.itemsize, first + start
    if data is None or first + size > len(data):
        return None
    numbers.frombytes(memoryview(data)[first : first + size])
    if sys.byteorder == "big":
        numbers.byteswap()
    return max(numbers)
