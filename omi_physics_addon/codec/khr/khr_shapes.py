"""The lists of shapes of the KHR family, in its newest form and in all older ones.

KHR_implicit_shapes holds what needs no mesh. Older forms, read:

MSFT_collision_primitives of 2023-07 calls its list `colliders`.
KHR_collision_shapes has shapes of meshes, too: `convex` and `trimesh` until 2024-06 (also
written on request), then `mesh`, with `convexHull` inside and a month later in the shape's
`extensions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, Final, cast

from ...issue_codes import Code
from ...model.shapes import (
    KHR_TYPES,
    WORDS,
    Capsule,
    Convex,
    Cylinder,
    Geometry,
    OtherGeometry,
    Shape,
    Trimesh,
)
from ..values import carried
from ..values.json_values import show
from ..values.records import (
    Reading,
    Writing,
    merge_carried,
    read_record,
    with_carried,
    write_record,
)

IMPLICIT: Final = "KHR_implicit_shapes"
COLLISION: Final = "KHR_collision_shapes"
PRIMITIVES: Final = "MSFT_collision_primitives"
ARRAYS: Final[dict[str, str]] = {
    IMPLICIT: "shapes",
    COLLISION: "shapes",
    PRIMITIVES: "colliders",
}

# The members that make a hull of a mesh stand in this extension of a shape of 2024-07.
_BODY: Final = "KHR_physics_rigid_bodies"
_MESH_TYPES: Final[dict[str, type[Convex] | type[Trimesh]]] = {
    "convex": Convex,
    "trimesh": Trimesh,
    "mesh": Trimesh,
}
# What changes the mesh in the forms of 2024; today's names a mesh and no more.
DEFORMING: Final = ("skin", "weights", "useNodeWeights")

# All families disagree on these; no writer relies on any.
DEFAULTS: Final[dict[type, dict[str, object]]] = {
    Capsule: {"height": 0.5, "radius_bottom": 0.25, "radius_top": 0.25},
    Cylinder: {"height": 0.5, "radius_bottom": 0.25, "radius_top": 0.25},
}


def read(name: str, extension: Any, reading: Reading) -> list[Shape]:
    """The shapes of an extension object of the document, in the order of the file."""
    pointer, array = f"/extensions/{name}", ARRAYS[name]
    if not isinstance(extension, Mapping):
        reading.issues.add(
            Code.TYPE_WRONG, pointer, f"{show(extension)} is not an object, so it is ignored"
        )
        return []
    items = cast(Mapping[str, Any], extension).get(array, [])
    if not isinstance(items, list):
        reading.issues.add(
            Code.TYPE_WRONG, f"{pointer}/{array}", f"{show(items)} is not a list, so it is ignored"
        )
        return []
    return [
        read_shape(item, f"{pointer}/{array}/{i}", reading, with_meshes=name != IMPLICIT)
        for i, item in enumerate(cast(list[Any], items))
    ]


def dialect(name: str, extension: Any) -> str:
    """The code of the dialect that a list of shapes is written in; empty where it shows none."""
    if name == PRIMITIVES:
        return "K3"
    items = _object(extension).get(ARRAYS[name])
    shapes = [
        cast(Mapping[str, Any], item)
        for item in (cast(list[Any], items) if isinstance(items, list) else [])
        if isinstance(item, Mapping)
    ]
    meshes = [shape for shape in shapes if shape.get("type") == "mesh"]
    if any("convexHull" in _object(shape.get("mesh")) for shape in meshes):
        return "K6"
    return "K7" if meshes else "K5"


def _object(value: Any) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def read_shape(json: Any, pointer: str, reading: Reading, *, with_meshes: bool) -> Shape:
    """One shape; one of an unknown type is only carried."""
    if not isinstance(json, Mapping):
        reading.issues.add(
            Code.TYPE_WRONG, pointer, f"{show(json)} is not an object, so it is ignored"
        )
        return Shape(geometry=OtherGeometry())
    members = cast(Mapping[str, Any], json)
    known = KHR_TYPES.keys() | (_MESH_TYPES.keys() if with_meshes else ())
    word = members.get("type")
    if not isinstance(word, str) or word not in known:
        reading.issues.add(
            Code.SHAPE_TYPE_UNKNOWN,
            f"{pointer}/type",
            f"the type {show(word)} is unknown, so the values are kept but not used",
        )
        return _other(members, pointer, reading)
    if word not in members:
        reading.issues.add(
            Code.SHAPE_OBJECT_MISSING,
            pointer,
            f"the object '{word}' is missing, so default values are used",
        )
    if word in _MESH_TYPES:
        members, geometry = _read_mesh(word, members, pointer, reading)
    else:
        geometry = read_sub(KHR_TYPES[word], members.get(word, {}), f"{pointer}/{word}", reading)
    return _dress(geometry, word, known, members, pointer, reading)


def _dress(
    geometry: Geometry,
    word: str,
    known: Set[str],
    members: Mapping[str, Any],
    pointer: str,
    reading: Reading,
) -> Shape:
    """The shape around a geometry: its name, and what is carried with it."""
    others = {key: value for key, value in members.items() if key in known and key != word}
    for key in others:
        reading.issues.add(
            Code.SHAPE_OBJECT_FOREIGN,
            f"{pointer}/{key}",
            f"the object of another type stands beside {word!r} and is ignored; remove it",
        )
    plain = {"geometry": geometry}
    by_hand = {"type", *known}
    shape = read_record(Shape, members, pointer, reading, by_hand=by_hand, defaults=plain)
    return with_carried(shape, others) if others else shape


def _other(members: Mapping[str, Any], pointer: str, reading: Reading) -> Shape:
    rest: dict[str, Any] = {}
    for key, value in members.items():
        if key not in ("type", "name"):
            carried.add(rest, key, value, pointer, reading.issues)
    word, name = members.get("type"), members.get("name")
    return Shape(
        geometry=OtherGeometry(type=word if isinstance(word, str) else ""),
        name=name if isinstance(name, str) else "",
        carried=carried.pack(rest),
    )


def read_sub(record: type[Geometry], json: Any, pointer: str, reading: Reading) -> Geometry:
    """The geometry that the object named like its type describes."""
    defaults = DEFAULTS.get(record, {})
    geometry = read_record(record, json, pointer, reading, defaults=defaults)
    if (
        isinstance(geometry, (Capsule, Cylinder))
        and geometry.radius_bottom == 0.0
        and geometry.radius_top == 0.0
    ):
        reading.issues.add(
            Code.SHAPE_RADII_ZERO,
            pointer,
            "both radii are zero, so the shape has no volume; set a radius",
        )
    return geometry


def _read_mesh(
    word: str, members: Mapping[str, Any], pointer: str, reading: Reading
) -> tuple[Mapping[str, Any], Convex | Trimesh]:
    """The members without what was read, and the geometry of a mesh in a list of shapes."""
    sub = members.get(word, {})
    flag, members = _take_flag(members)
    record = _MESH_TYPES[word]
    if isinstance(sub, Mapping):
        inner = cast(Mapping[str, Any], sub)
        flag = inner.get("convexHull", flag)
        sub = {key: value for key, value in inner.items() if key != "convexHull"}
    if word == "mesh" and flag is True:
        record = Convex
    if flag is not None and not isinstance(flag, bool):
        reading.issues.add(
            Code.TYPE_WRONG, pointer, f"convexHull is {show(flag)}, not true or false"
        )
    return members, read_mesh(record, sub, f"{pointer}/{word}", reading)


def read_mesh(
    record: type[Convex] | type[Trimesh], json: Any, pointer: str, reading: Reading
) -> Convex | Trimesh:
    """The geometry of an object that names a mesh."""
    geometry = read_record(record, json, pointer, reading, by_hand=DEFORMING)
    members = _object(json)
    deforming = {key: members[key] for key in DEFORMING if key in members}
    if deforming:
        why = (
            f"{', '.join(deforming)} are kept in the file but not used, so the collision mesh "
            "is not deformed"
        )
        reading.issues.add(Code.GEOMETRY_NOT_PLAIN_MESH, pointer, why)
        geometry = with_carried(geometry, deforming)
    if geometry.mesh is None:
        reading.issues.add(
            Code.SHAPE_MESH_MISSING,
            pointer,
            "the mesh shape has no mesh, so nothing collides with it; choose a mesh",
        )
    return geometry


def _take_flag(members: Mapping[str, Any]) -> tuple[Any, Mapping[str, Any]]:
    """`convexHull` of a shape's extension, and the members without it."""
    extensions = _object(members.get("extensions"))
    ours = _object(extensions.get(_BODY))
    if "convexHull" not in ours:
        return None, members
    rest: dict[str, Any] = {key: value for key, value in extensions.items() if key != _BODY}
    left = {key: value for key, value in ours.items() if key != "convexHull"}
    if left:
        rest[_BODY] = left
    plain = {key: value for key, value in members.items() if key != "extensions"}
    if rest:
        plain["extensions"] = rest
    return ours["convexHull"], plain


def is_mesh(shape: Shape) -> bool:
    """Whether today's form names the shape beside the list, not in it."""
    return isinstance(shape.geometry, (Convex, Trimesh))


def write(shape: Shape, place: str, writing: Writing) -> dict[str, Any]:
    """The JSON object of one entry of a list of shapes, with every dimension spelled out."""
    geometry = shape.geometry
    if isinstance(geometry, OtherGeometry):
        out: dict[str, Any] = {"type": geometry.type} if geometry.type else {}
    else:
        word = WORDS[type(geometry)]
        out = {"type": word, word: write_record(geometry, place, writing, spell_out=True)}
    if shape.name:
        out["name"] = shape.name
    merge_carried(out, shape.carried)
    return out
