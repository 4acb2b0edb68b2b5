"""OMI_physics_body: motion, collider, trigger of a node; materials, filters of the document."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from ...issue_codes import Code
from ...model.bodies import ZERO, Collider, CollisionFilter, Motion, PhysicsMaterial, Trigger
from ...model.document import NodePhysics, PhysicsDocument
from ...model.fields import Carried
from ..values import carried
from ..values.json_members import as_object
from ..values.records import (
    Reading,
    Writing,
    merge_carried,
    read_record,
    report_original,
    with_carried,
    write_record,
)

NAME: Final = "OMI_physics_body"
R = TypeVar("R")

# Words of 2022 and 2023 for `type`, and what their own text tells engines without them to do.
OLD_TYPES: Final[dict[str, str]] = {
    "rigid": "dynamic",
    "character": "kinematic",
    "vehicle": "dynamic",
}
_MASS: Final = 1.0  # kg, of a body that names no mass.
_DEFAULTS: Final[dict[str, object]] = {"mass": _MASS, "center_of_mass": ZERO}


def read_document(extension: Any, reading: Reading, document: PhysicsDocument) -> None:
    """Read the materials and filters of the document's extension object."""
    pointer = f"/extensions/{NAME}"
    rest: dict[str, Any] = {}
    for key, value in (reading.mapping(extension, pointer) or {}).items():
        if key == "physicsMaterials":
            document.physics_materials = _list(PhysicsMaterial, value, f"{pointer}/{key}", reading)
        elif key == "collisionFilters":
            document.collision_filters = _list(CollisionFilter, value, f"{pointer}/{key}", reading)
        else:
            carried.add_unknown(rest, key, value, pointer, reading.issues)
    for i, row in enumerate(document.collision_filters):
        if row.collide_with_systems and row.not_collide_with_systems:
            where = f"{pointer}/collisionFilters/{i}"
            why = (
                "the filter lists systems to collide with and systems not to; only one "
                "list is allowed, so remove one"
            )
            reading.issues.add(Code.FILTER_ALLOWS_AND_FORBIDS, where, why)
    if rest:
        document.carried[NAME] = carried.pack(rest)


def _list(record: type[R], value: Any, pointer: str, reading: Reading) -> list[R]:
    items = reading.sequence(value, pointer)
    return [read_record(record, item, f"{pointer}/{i}", reading) for i, item in enumerate(items)]


def read_node(extension: Mapping[str, Any], pointer: str, reading: Reading) -> NodePhysics:
    """The physics in a node's extension object of the form used since 2023-09."""
    parts: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for key, value in extension.items():
        if key not in _READERS:
            carried.add_unknown(rest, key, value, pointer, reading.issues)
        elif (members := reading.mapping(value, f"{pointer}/{key}")) is not None:
            parts[key] = _READERS[key](members, f"{pointer}/{key}", reading)
        else:
            carried.add(rest, key, value, pointer, reading.issues)
    return NodePhysics(**parts, carried=((NAME, carried.pack(rest)),) if rest else ())


def read_motion(json: Mapping[str, Any], pointer: str, reading: Reading) -> Motion:
    """The motion of a body; OMI's defaults of mass and center stand for absent ones."""
    word = json.get("type")
    if isinstance(word, str) and word in OLD_TYPES:
        why = f"{word!r} is a motion type of 2022, so it is read as {OLD_TYPES[word]!r}"
        reading.issues.add(Code.MOTION_TYPE_UNKNOWN, f"{pointer}/type", why)
        json = {**json, "type": OLD_TYPES[word]}
    motion = read_record(Motion, json, pointer, reading, defaults=_DEFAULTS)
    if json.get("type") is None:
        why = "the motion has no type and is read as dynamic; set a type"
        reading.issues.add(Code.MOTION_TYPE_MISSING, pointer, why)
        motion = with_carried(motion, {"type": None})
    if motion.mass == 0.0 and motion.type != "static":
        why = "the mass is 0, which OMI leaves undefined, so engines differ; set a mass"
        reading.issues.add(Code.MASS_ZERO_IN_OMI, f"{pointer}/mass", why)
    return check_inertia(motion, pointer, reading)


def check_inertia(motion: Motion, pointer: str, reading: Reading) -> Motion:
    """`motion` without an inertia of nothing; reports what is incomplete."""
    diagonal = motion.inertia_diagonal
    if diagonal is None:
        if "inertiaOrientation" in carried.unpack(motion.carried) or (
            motion.inertia_orientation != Motion.inertia_orientation
        ):
            why = (
                "the inertia orientation has no effect without an inertia diagonal; set the "
                "diagonal, or remove it"
            )
            reading.issues.add(Code.INERTIA_ORIENTATION_ALONE, pointer, why)
        return motion
    if not any(diagonal):
        return dataclasses.replace(motion, inertia_diagonal=None)  # Left to the engine.
    if not all(diagonal):
        why = (
            "some but not all moments of inertia are zero, which engines read differently; "
            "set all or none"
        )
        reading.issues.add(Code.MOMENTS_PARTLY_ZERO, pointer, why)
    return motion


def _read_trigger(json: Mapping[str, Any], pointer: str, reading: Reading) -> Trigger:
    trigger = read_record(Trigger, json, pointer, reading)
    if trigger.shape is not None and trigger.nodes:
        why = (
            "the trigger has both a shape and a list of nodes, which is not allowed; "
            "keep one of them"
        )
        reading.issues.add(Code.TRIGGER_SHAPE_AND_NODES, pointer, why)
    elif trigger.shape is None and not trigger.nodes and not _PARTS.isdisjoint(json):
        why = (
            "the trigger has neither a shape nor nodes, so all triggers below are its parts; "
            "list them"
        )
        reading.issues.add(Code.TRIGGER_WITHOUT_SHAPE, pointer, why)
    if trigger.nodes and trigger.collision_filter is not None:
        why = (
            "the compound trigger has a collision filter, which belongs on its parts; "
            "move the filter there"
        )
        reading.issues.add(Code.COMPOUND_TRIGGER_FILTER, pointer, why)
    return trigger


_PARTS: Final = frozenset(("shape", "nodes"))


def says_nothing(json: Mapping[str, Any]) -> bool:
    """Whether a trigger names no parts as in 2023, and not by a fault."""
    return _PARTS.isdisjoint(as_object(json.get("trigger")))


_READERS: Final[dict[str, Callable[[Any, str, Reading], Any]]] = {
    "motion": read_motion,
    "collider": functools.partial(read_record, Collider),
    "trigger": _read_trigger,
}


def write_document(
    document: PhysicsDocument, place: Callable[[str, int], str], writing: Writing
) -> dict[str, Any]:
    """The document's extension object; empty when there is nothing to say.

    Args:
        place: from a list's key and an index to words for messages.
    """
    out: dict[str, Any] = {}
    lists = {
        "physicsMaterials": (document.physics_materials, PhysicsMaterial),
        "collisionFilters": (document.collision_filters, CollisionFilter),
    }
    for key, (items, record) in lists.items():
        if items:
            spell_out = record is PhysicsMaterial
            out[key] = [
                _write_named(item, place(key, i), writing, spell_out)
                for i, item in enumerate(items)
            ]
    merge_carried(out, document.carried.get(NAME, ""))
    return out


def _write_named(item: Any, place: str, writing: Writing, spell_out: bool) -> dict[str, Any]:
    out = write_record(item, place, writing, spell_out=spell_out)
    if out.get("name") == "":
        del out["name"]
    return out


def write_node(physics: NodePhysics, place: str, writing: Writing) -> dict[str, Any] | None:
    """A node's extension object, or None when the node needs none."""
    out: dict[str, Any] = {}
    if physics.motion is not None:
        out["motion"] = writing.once(physics.motion, place, _write_motion)
    if physics.collider is not None:
        out["collider"] = writing.once(physics.collider, place, write_record)
    if physics.trigger is not None:
        out["trigger"] = writing.once(physics.trigger, place, write_record)
    for name, text in physics.carried:
        if name == NAME:
            _restore_members(out, text, place, writing)
    return out or None


def _restore_members(out: dict[str, Any], text: Carried, place: str, writing: Writing) -> None:
    """Add what was carried beside the parts, and what stood in place of a part."""
    for key, value in carried.unpack(text).items():
        if key in out or (key in _READERS and writing.repair):
            continue
        out[key] = value
        if key in _READERS:
            report_original(key, value, place, writing)


def _write_motion(motion: Motion, place: str, writing: Writing) -> dict[str, Any]:
    """Type always, and the mass of what can move."""
    always = ("type",) if motion.type == "static" else ("type", "mass")
    if motion.mass is None or motion.center_of_mass is None:
        motion = dataclasses.replace(
            motion,
            mass=_MASS if motion.mass is None else motion.mass,
            center_of_mass=motion.center_of_mass or ZERO,
        )
    return write_record(motion, place, writing, always=always, defaults=_DEFAULTS)
