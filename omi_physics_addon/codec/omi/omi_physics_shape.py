"""The list of shapes of OMI_physics_shape, in its newest form and in all older ones.

Older forms (all read, none written): the keys of a shape directly in its object; one `radius`
for a capsule or cylinder, with the capsule's whole height; the type `hull`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from ...issue_codes import Code
from ...model import fields
from ...model.document import PhysicsDocument
from ...model.shapes import (
    TYPES,
    WORDS,
    Box,
    Capsule,
    Convex,
    Cylinder,
    Geometry,
    OtherGeometry,
    Plane,
    Shape,
    Sphere,
    Trimesh,
)
from ..values import carried
from ..values.json_values import BadValueError, convert, is_text, show
from ..values.listed_shapes import tell_no_radii
from ..values.records import (
    Reading,
    Writing,
    merge_carried,
    number,
    read_lists,
    read_record,
    with_carried,
    write_record,
)
from .omi_form import OmiForm

NAME: Final = "OMI_physics_shape"

OLD_WORDS: Final[dict[str, str]] = {"hull": "convex"}
_OLD_HEIGHT: Final = 2.0  # The default of capsules and cylinders while they had one radius.
_THIN: Final = 1e-6  # m; the distance of the balls of an old capsule that is no longer than wide.
# m; heights of the boxes written for planes with edges, and for those without end.
THIN: Final = 0.1
THICK: Final = 10.0
# Keys of the flat form that say something about the collider, not about the shape.
_NOT_OURS: Final = frozenset({"isTrigger"})


def read(
    extension: Any,
    pointer: str,
    reading: Reading,
    document: PhysicsDocument,
    *,
    array: str = "shapes",
) -> None:
    """Append the shapes of the document's extension object, in the order of the file.

    What stands beside the list is carried, also beside an empty one: a shape may be added.
    """
    lists, rest = read_lists(extension, pointer, reading, {array: read_shape})
    document.shapes += lists[array]
    if rest:
        members = carried.unpack(rest) | carried.unpack(document.carried.get(NAME, ""))
        document.carried[NAME] = carried.pack(members)


def write_document(
    document: PhysicsDocument, place: Callable[[int], str], writing: Writing, form: OmiForm
) -> dict[str, Any]:
    """The document's extension object; empty when there are no shapes.

    An extension object without shapes is not allowed, so members carried beside them cannot be
    written then.

    Args:
        place: words for messages about a shape.
    """
    if not document.shapes:
        report_homeless(NAME, document, writing)
        return {}
    shapes = [write(s, place(i), writing, form) for i, s in enumerate(document.shapes)]
    out: dict[str, Any] = {"shapes": shapes}
    merge_carried(out, document.carried.get(NAME, ""))
    return out


def report_homeless(name: str, document: PhysicsDocument, writing: Writing) -> None:
    """Report that the members carried beside a list of shapes are left out with the list."""
    members = carried.unpack(document.carried.get(name, ""))
    if members:
        why = (
            "the file has no shapes, so members beside the list of shapes are left out: "
            f"{', '.join(members)}"
        )
        writing.issues.add(Code.SHAPE_LIST_MEMBERS_LEFT_OUT, f"/extensions/{name}", why)


def read_shape(json: Any, pointer: str, reading: Reading) -> Shape:
    """One shape; one of an unknown type is only carried."""
    members = reading.mapping(json, pointer)
    if members is None:
        return Shape(geometry=OtherGeometry())
    word = members.get("type")
    word = OLD_WORDS.get(word, word) if isinstance(word, str) else word
    if not isinstance(word, str) or word not in TYPES:
        why = f"the type {show(word)} is unknown, so the values are kept but not used"
        reading.issues.add(Code.SHAPE_TYPE_UNKNOWN, f"{pointer}/type", why)
        return _other(members, pointer, reading)
    geometry, used = _read_geometry(word, members, pointer, reading)
    by_hand = {"type", word, "name", *used, *_NOT_OURS}
    rest = {key: value for key, value in members.items() if key not in by_hand}
    for key in rest:
        if key in TYPES:
            why = f"the object of another type stands beside {word!r} and is ignored; remove it"
            reading.issues.add(Code.SHAPE_OBJECT_FOREIGN, f"{pointer}/{key}", why)
    shape = read_record(
        Shape,
        members,
        pointer,
        reading,
        by_hand=by_hand | TYPES.keys(),
        defaults={"geometry": geometry},
    )
    others: dict[str, Any] = {}
    for key in rest.keys() & TYPES.keys():
        carried.add(others, key, rest[key], pointer, reading.issues)
    return with_carried(shape, others) if others else shape


def _other(members: Mapping[str, Any], pointer: str, reading: Reading) -> Shape:
    rest: dict[str, Any] = {}
    texts = {"type": "", "name": ""}
    for key, value in members.items():
        if key in texts and is_text(value):
            texts[key] = value
        else:
            carried.add(rest, key, value, pointer, reading.issues)
    geometry = OtherGeometry(type=texts["type"])
    return Shape(geometry=geometry, name=texts["name"], carried=carried.pack(rest))


def _read_geometry(
    word: str, members: Mapping[str, Any], pointer: str, reading: Reading
) -> tuple[Geometry, set[str]]:
    """The geometry, and the keys of the flat form that it was read from."""
    record = TYPES[word]
    keys = {row.key for row in fields.table(record)} | {"radius"}
    # The hull of the flat form calls its mesh like everything else does: mesh.
    if word not in members and word == "convex" and "hull" in members:
        return _read_sub(record, members["hull"], f"{pointer}/hull", reading), {"hull"}
    if word in members:
        return _read_sub(record, members[word], f"{pointer}/{word}", reading), set()
    flat = {key: value for key, value in members.items() if key in keys}
    if not flat:
        if issubclass(record, (Convex, Trimesh)):
            why = (
                f"the object '{word}' and the mesh are missing, so the shape is left out; "
                "choose a mesh"
            )
            reading.issues.add(Code.SHAPE_MESH_MISSING, pointer, why)
        else:
            why = f"the object '{word}' is missing, so default values are used"
            reading.issues.add(Code.SHAPE_OBJECT_MISSING, pointer, why)
        return record(), set()
    used = set(flat)
    if issubclass(record, (Capsule, Cylinder)):
        flat.setdefault("radius", record.radius_top)  # Height means the whole one, even alone.
    return _read_sub(record, flat, pointer, reading), used


def _read_sub(record: type[Geometry], json: Any, pointer: str, reading: Reading) -> Geometry:
    if not issubclass(record, (Capsule, Cylinder)):
        geometry = read_record(record, json, pointer, reading)
        if isinstance(geometry, (Convex, Trimesh)) and geometry.mesh is None:
            why = "the mesh shape has no mesh, so nothing collides with it; choose a mesh"
            reading.issues.add(Code.SHAPE_MESH_MISSING, pointer, why)
        return geometry
    members = cast(Mapping[str, Any], json if isinstance(json, Mapping) else {})
    if "radius" in members and not {"radiusBottom", "radiusTop"} & members.keys():
        geometry = _read_one_radius(record, members, pointer, reading)
    else:
        geometry = read_record(record, json, pointer, reading, by_hand=("radius",))
    tell_no_radii(geometry, pointer, reading)
    return geometry


def _read_one_radius(
    record: type[Capsule] | type[Cylinder],
    members: Mapping[str, Any],
    pointer: str,
    reading: Reading,
) -> Capsule | Cylinder:
    """A capsule or cylinder as written until 2025-01-02, and by Godot to this day.

    Originals of faulty sizes are not carried: today's form has no place for them.
    """
    rest = {key: value for key, value in members.items() if key not in ("radius", "height")}
    geometry = read_record(record, rest, pointer, reading)
    radius = _old_size(record, "radius_top", members["radius"], f"{pointer}/radius", reading)
    height = _OLD_HEIGHT
    if "height" in members:
        height = _old_size(record, "height", members["height"], f"{pointer}/height", reading)
    if record is Capsule:
        height = max(height - 2.0 * radius, _THIN)
    why = "the shape has one radius, as in older files, and is read with equal radii"
    reading.issues.add(Code.SHAPE_OLD_RADIUS, pointer, why)
    return dataclasses.replace(geometry, height=height, radius_bottom=radius, radius_top=radius)


def _old_size(record: type[Geometry], name: str, raw: Any, pointer: str, reading: Reading) -> float:
    try:
        return convert(fields.row(record, name), raw, {})
    except BadValueError as error:
        default = _OLD_HEIGHT if name == "height" else Capsule.radius_top
        size = default if error.repaired is None else error.repaired
        reading.issues.add(error.code, pointer, f"{error}; {size:g} is used")
        return size


def write(shape: Shape, place: str, writing: Writing, form: OmiForm) -> dict[str, Any]:
    """The JSON object of one shape, with every dimension spelled out."""
    geometry = shape.geometry
    if isinstance(geometry, Plane):
        why = "OMI has no planes, so a thin box is written instead"
        writing.issues.add(Code.PLANE_AS_BOX, place, why)
        geometry = box_of(geometry)
    if isinstance(geometry, OtherGeometry):
        out: dict[str, Any] = {"type": geometry.type} if geometry.type else {}
    else:
        word = WORDS[type(geometry)]
        out = {"type": word, word: _write_geometry(geometry, place, writing, form)}
    for key, value in write_record(shape, place, writing).items():
        out.setdefault(key, value)
    return out


def box_of(plane: Plane, endless: float = 1000.0) -> Box:
    """A box whose top, moved down by half its height, is the plane, or a large part of it.

    Args:
        endless: length to write for an infinite one, m.
    """
    sizes = (plane.size_x, plane.size_z)
    x, z = (endless if size is None else size for size in sizes)
    return Box(size=(x, THICK if None in sizes else THIN, z))


def _write_geometry(
    geometry: Box | Sphere | Capsule | Cylinder | Convex | Trimesh,
    place: str,
    writing: Writing,
    form: OmiForm,
) -> dict[str, Any]:
    out = write_record(geometry, place, writing, spell_out=True)
    if not isinstance(geometry, Capsule | Cylinder):
        return out
    if form.rounds is not None:
        return form.rounds[type(geometry)](geometry, out, place, writing)
    if isinstance(geometry, Capsule):
        why = "some engines read a different capsule size; set Target in the export dialog to one"
        writing.issues.add(Code.SHAPE_SIZE_AMBIGUOUS, place, why)
    elif geometry.radius_bottom == geometry.radius_top and math.isfinite(geometry.radius_top):
        # Older readers know only this key, and take 0.5 m where it is missing.
        out["radius"] = number(geometry.radius_top)
    return out
