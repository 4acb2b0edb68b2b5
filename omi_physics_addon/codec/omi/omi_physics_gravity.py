"""OMI_physics_gravity: world gravity of the document, gravity volumes on nodes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final, cast

from ...issue_codes import Code
from ...model.bodies import Motion
from ...model.fields import Vector3, row
from ...model.gravity import (
    TYPES,
    WORDS,
    GravityField,
    GravityVolume,
    LineGravity,
    OtherGravity,
    ShapedGravity,
    WorldGravity,
)
from ..values import carried
from ..values.json_members import as_list, as_object
from ..values.json_values import BadValueError, convert, is_text, show
from ..values.records import Reading, Writing, number, read_record, with_carried, write_record

NAME: Final = "OMI_physics_gravity"
_POINT: Final = row(Motion, "center_of_mass")  # Any vector without bounds will do.


def read_world(extension: Any, reading: Reading) -> WorldGravity | None:
    """The world gravity of the document's extension object."""
    pointer = f"/extensions/{NAME}"
    members = reading.mapping(extension, pointer)
    if members is None:
        return None
    world = read_record(WorldGravity, members, pointer, reading)
    if "gravity" not in members:
        why = f"the gravity strength is missing, so {world.gravity:g} m/s² is used; set one"
        reading.issues.add(Code.WORLD_GRAVITY_STRENGTH_MISSING, pointer, why)
        world = with_carried(world, {"gravity": None})
    return world


def write_world(world: WorldGravity, writing: Writing) -> dict[str, Any]:
    """The document's extension object."""
    always = ("gravity", "direction")
    return write_record(world, f"/extensions/{NAME}", writing, always=always)


def read_volume(json: Mapping[str, Any], pointer: str, reading: Reading) -> GravityVolume:
    """The gravity volume of a node; the field of an unknown type is only carried."""
    word = json.get("type")
    known = isinstance(word, str) and word in TYPES
    keys: set[str] = {"type", *(TYPES if known else ())}
    if known:
        field = _read_field(cast(str, word), json, pointer, reading)
    else:
        why = f"the type {show(word)} is unknown, so the values are kept but not used"
        reading.issues.add(Code.GRAVITY_TYPE_UNKNOWN, f"{pointer}/type", why)
        field = OtherGravity(type=cast(str, word) if is_text(word) else "")
    volume = read_record(
        GravityVolume, json, pointer, reading, by_hand=keys, defaults={"field": field}
    )
    if "gravity" not in json:
        why = f"the gravity strength is missing, so {volume.gravity:g} m/s² is used; set one"
        reading.issues.add(Code.GRAVITY_STRENGTH_MISSING, pointer, why)
        volume = with_carried(volume, {"gravity": None})
    others: dict[str, Any] = {}
    if not is_text(word):
        carried.add(others, "type", word, pointer, reading.issues)
    for key in [key for key in json if known and key in TYPES and key != word]:
        why = f"the object of another type stands beside {word!r} and is ignored; remove it"
        reading.issues.add(Code.GRAVITY_OBJECT_FOREIGN, f"{pointer}/{key}", why)
        carried.add(others, key, json[key], pointer, reading.issues)
    return with_carried(volume, others) if others else volume


def _read_field(word: str, json: Mapping[str, Any], pointer: str, reading: Reading) -> GravityField:
    record = TYPES[word]
    if word not in json:
        why = f"the object '{word}' is missing, so default values are used"
        reading.issues.add(Code.GRAVITY_OBJECT_MISSING, pointer, why)
    members = json.get(word, {})
    at = f"{pointer}/{word}"
    if record is LineGravity:
        return _read_line(members, at, reading)
    field = read_record(record, members, at, reading)
    if isinstance(field, ShapedGravity) and field.shape is None:
        why = "shaped gravity has no valid shape, so it has no effect; choose a shape"
        reading.issues.add(Code.GRAVITY_SHAPE_MISSING, at, why)
    return field


def _read_line(json: Any, pointer: str, reading: Reading) -> LineGravity:
    line = read_record(LineGravity, json, pointer, reading, by_hand=("points",))
    members = as_object(json)
    raw = members.get("points", [])
    numbers = as_list(raw)
    if len(numbers) < 6 or len(numbers) % 3:
        why = (
            f"the line has {len(numbers)} numbers and needs at least 6, three for each point, "
            "so gravity has no effect; add points"
        )
        if "points" not in members:
            reading.issues.add(Code.LINE_POINTS_INVALID, pointer, why)
            return line
        reading.issues.add(Code.LINE_POINTS_INVALID, f"{pointer}/points", why)
        return with_carried(line, _keepable(raw, pointer, reading))
    points: list[Vector3] = []
    for i in range(0, len(numbers), 3):
        try:
            points.append(convert(_POINT, numbers[i : i + 3], {}))
        except BadValueError as error:
            reading.issues.add(
                error.code, f"{pointer}/points", f"{error}, so the gravity line has no effect"
            )
            return with_carried(line, _keepable(raw, pointer, reading))
    return dataclasses.replace(line, points=tuple(points))


def _keepable(raw: Any, pointer: str, reading: Reading) -> dict[str, Any]:
    members: dict[str, Any] = {}
    carried.add(members, "points", raw, pointer, reading.issues)
    return members


def write_volume(volume: GravityVolume, place: str, writing: Writing) -> dict[str, Any]:
    """The JSON object of a gravity volume, its type's object spelled out."""
    field = volume.field
    word = field.type if isinstance(field, OtherGravity) else WORDS[type(field)]
    typed = {"type": word} if word else {}
    out = {**typed, **write_record(volume, place, writing, always=("gravity",)), **typed}
    if not isinstance(field, OtherGravity):
        out[WORDS[type(field)]] = _write_field(field, place, writing)
    return out


def _write_field(field: GravityField, place: str, writing: Writing) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if isinstance(field, LineGravity) and field.points:
        out["points"] = [number(value) for point in field.points for value in point]
    return out | write_record(field, place, writing, spell_out=True)
