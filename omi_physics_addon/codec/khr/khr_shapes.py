"""The lists of shapes of the KHR family, in its newest form and in all older ones.

KHR_implicit_shapes holds what needs no mesh. Older forms, read:

MSFT_collision_primitives of 2023-07 calls its list `colliders`.
KHR_collision_shapes has shapes of meshes, too: `convex` and `trimesh` until 2024-06 (also
written on request), then `mesh`, with `convexHull` inside and a month later in the shape's
`extensions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...issue_codes import Code
from ...model.shapes import (
    KHR_TYPES,
    WORDS,
    Capsule,
    Convex,
    Cylinder,
    OtherGeometry,
    Plane,
    Shape,
    Trimesh,
)
from ..values.json_members import as_list, as_object, member
from ..values.listed_shapes import CORE_WORDS, ShapeList, read_shape
from ..values.records import Reading, Writing, merge_carried, write_record

IMPLICIT: Final = "KHR_implicit_shapes"
COLLISION: Final = "KHR_collision_shapes"
PRIMITIVES: Final = "MSFT_collision_primitives"
ARRAYS: Final[dict[str, str]] = {IMPLICIT: "shapes", COLLISION: "shapes", PRIMITIVES: "colliders"}

# All families disagree on these; no writer relies on any.
DEFAULTS: Final[dict[type, dict[str, object]]] = {
    Capsule: {"height": 0.5, "radius_bottom": 0.25, "radius_top": 0.25},
    Cylinder: {"height": 0.5, "radius_bottom": 0.25, "radius_top": 0.25},
}
_CORE_WORDS: Final = WORDS | CORE_WORDS
_IMPLICIT: Final = ShapeList(KHR_TYPES, DEFAULTS)
_COLLISION: Final = ShapeList(
    {**KHR_TYPES, "convex": Convex, "trimesh": Trimesh, "mesh": Trimesh}, DEFAULTS, has_flags=True
)


def read(name: str, extension: Any, reading: Reading) -> list[Shape]:
    """The shapes of an extension object of the document, in the order of the file."""
    pointer, array = f"/extensions/{name}", ARRAYS[name]
    members = reading.mapping(extension, pointer) or {}
    at = f"{pointer}/{array}"
    kind = _IMPLICIT if name == IMPLICIT else _COLLISION
    items = reading.sequence(members.get(array, []), at)
    return [read_shape(item, f"{at}/{i}", reading, kind) for i, item in enumerate(items)]


def dialect(name: str, extension: Any) -> str:
    """The code of the dialect that a list of shapes is written in; empty where it shows none."""
    if name == PRIMITIVES:
        return "K3"
    shapes = as_list(member(extension, ARRAYS[name]))
    meshes = [shape for shape in shapes if member(shape, "type") == "mesh"]
    if any("convexHull" in as_object(member(shape, "mesh")) for shape in meshes):
        return "K6"
    return "K7" if meshes else "K5"


def write(
    shape: Shape, place: str, writing: Writing, words: Mapping[type, str] = WORDS
) -> dict[str, Any]:
    """The JSON object of one entry of a list of shapes, with every dimension spelled out."""
    geometry = shape.geometry
    if isinstance(geometry, OtherGeometry):
        out: dict[str, Any] = {"type": geometry.type} if geometry.type else {}
    else:
        word = words[type(geometry)]
        out = {"type": word, word: write_record(geometry, place, writing, spell_out=True)}
    if shape.name:
        out["name"] = shape.name
    merge_carried(out, shape.carried)
    return out


def write_core(shape: Shape, place: str, writing: Writing) -> dict[str, Any]:
    """The JSON object of one entry of the core's list of shapes."""
    out = write(shape, place, writing, _CORE_WORDS)
    if isinstance(shape.geometry, Plane):
        if shape.geometry.double_sided:
            why = (
                "planes of the glTF 2.1 draft have one side, so its importers ignore 'doubleSided'"
            )
            writing.issues.add(Code.PLANE_IN_CORE, place, why)
        else:
            del out["plane"]["doubleSided"]
    return out
