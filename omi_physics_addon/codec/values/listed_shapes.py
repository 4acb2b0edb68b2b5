"""Entries of lists of shapes, as KHR's extensions and the core of glTF have them.

Source of the core's list: draft of glTF 2.1, `shapes`; see docs/gltf_2_1.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Final, cast

from ...issue_codes import Code
from ...model.shapes import (
    KHR_TYPES,
    Capsule,
    Convex,
    Cylinder,
    Geometry,
    OtherGeometry,
    Shape,
    Trimesh,
)
from . import carried
from .json_members import as_object
from .json_values import show
from .records import Reading, read_record, with_carried

# The members that make a hull of a mesh stand in this extension of a shape of 2024-07.
_BODY: Final = "KHR_physics_rigid_bodies"
# What changes the mesh in the forms of 2024; today's names a mesh and no more.
DEFORMING: Final = ("skin", "weights", "useNodeWeights")


@dataclass(frozen=True)
class ShapeList:
    """What a kind of list has.

    Attributes:
        types: the record for each word.
        defaults: what is meant by absent sizes, where that is not what OMI means.
        is_spelled_out: each shape has the object named like its type.
        has_flags: `convexHull` makes a hull of a mesh.
    """

    types: Mapping[str, type[Geometry]]
    defaults: Mapping[type, Mapping[str, object]] = field(default_factory=dict[type, Any])
    is_spelled_out: bool = True
    has_flags: bool = False


# The draft called shapes of meshes `convex` and `concave` first, then `convexMesh` and `mesh`.
CORE: Final = ShapeList(
    {**KHR_TYPES, "convex": Convex, "concave": Trimesh, "convexMesh": Convex, "mesh": Trimesh},
    is_spelled_out=False,
)
CORE_WORDS: Final[dict[type, str]] = {Convex: "convex", Trimesh: "concave"}  # As they are written.


def read_shape(json: Any, pointer: str, reading: Reading, kind: ShapeList) -> Shape:
    """One shape; one of an unknown type is only carried."""
    members = reading.mapping(json, pointer)
    if members is None:
        return Shape(geometry=OtherGeometry())
    known = kind.types.keys()
    word = members.get("type")
    if not isinstance(word, str) or word not in known:
        why = f"the type {show(word)} is unknown, so the values are kept but not used"
        reading.issues.add(Code.SHAPE_TYPE_UNKNOWN, f"{pointer}/type", why)
        return _other(members, pointer, reading)
    if kind.is_spelled_out and word not in members:
        why = f"the object '{word}' is missing, so default values are used"
        reading.issues.add(Code.SHAPE_OBJECT_MISSING, pointer, why)
    record, sub = kind.types[word], members.get(word, {})
    if record is not Convex and record is not Trimesh:
        geometry = read_sub(record, sub, f"{pointer}/{word}", reading, kind.defaults)
    elif kind.has_flags:
        members, geometry = _read_flagged(record, word, members, pointer, reading)
    else:
        geometry = read_mesh(record, sub, f"{pointer}/{word}", reading)
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
        why = f"the object of another type stands beside {word!r} and is ignored; remove it"
        reading.issues.add(Code.SHAPE_OBJECT_FOREIGN, f"{pointer}/{key}", why)
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


def read_sub(
    record: type[Geometry],
    json: Any,
    pointer: str,
    reading: Reading,
    defaults: Mapping[type, Mapping[str, object]],
) -> Geometry:
    """The geometry that the object named like its type describes."""
    geometry = read_record(record, json, pointer, reading, defaults=defaults.get(record, {}))
    if isinstance(geometry, (Capsule, Cylinder)):
        tell_no_radii(geometry, pointer, reading)
    return geometry


def tell_no_radii(geometry: Capsule | Cylinder, pointer: str, reading: Reading) -> None:
    """Tell of a round shape both radii of which are zero."""
    if geometry.radius_bottom == 0.0 and geometry.radius_top == 0.0:
        why = "both radii are zero, so the shape has no volume; set a radius"
        reading.issues.add(Code.SHAPE_RADII_ZERO, pointer, why)


def _read_flagged(
    record: type[Convex] | type[Trimesh],
    word: str,
    members: Mapping[str, Any],
    pointer: str,
    reading: Reading,
) -> tuple[Mapping[str, Any], Convex | Trimesh]:
    """The members without what was read, and the geometry of a mesh in a list of shapes."""
    sub = members.get(word, {})
    flag, members = _take_flag(members)
    if isinstance(sub, Mapping):
        inner = cast(Mapping[str, Any], sub)
        flag = inner.get("convexHull", flag)
        sub = {key: value for key, value in inner.items() if key != "convexHull"}
    if word == "mesh" and flag is True:
        record = Convex
    if flag is not None and not isinstance(flag, bool):
        why = f"convexHull is {show(flag)}, not true or false"
        reading.issues.add(Code.TYPE_WRONG, pointer, why)
    return members, read_mesh(record, sub, f"{pointer}/{word}", reading)


def read_mesh(
    record: type[Convex] | type[Trimesh], json: Any, pointer: str, reading: Reading
) -> Convex | Trimesh:
    """The geometry of an object that names a mesh."""
    geometry = read_record(record, json, pointer, reading, by_hand=DEFORMING)
    members = as_object(json)
    deforming = {key: members[key] for key in DEFORMING if key in members}
    if deforming:
        why = (
            f"{', '.join(deforming)} are kept in the file but not used, so the collision mesh "
            "is not deformed"
        )
        reading.issues.add(Code.GEOMETRY_NOT_PLAIN_MESH, pointer, why)
        geometry = with_carried(geometry, deforming)
    if geometry.mesh is None:
        why = "the mesh shape has no mesh, so nothing collides with it; choose a mesh"
        reading.issues.add(Code.SHAPE_MESH_MISSING, pointer, why)
    return geometry


def _take_flag(members: Mapping[str, Any]) -> tuple[Any, Mapping[str, Any]]:
    """`convexHull` of a shape's extension, and the members without it."""
    extensions = as_object(members.get("extensions"))
    ours = as_object(extensions.get(_BODY))
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
