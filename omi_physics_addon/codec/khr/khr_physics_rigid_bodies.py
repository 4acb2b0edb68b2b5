"""KHR_physics_rigid_bodies: motion, collider, trigger, joint of a node; lists of the document.

Older forms (read, not written): the names KHR_rigid_bodies and MSFT_rigid_bodies of 2023, the
keys `jointLimits` and `physicsJointLimits`, and all that joints.py and khr_geometry.py know.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Final, cast, get_args

from ...issue_codes import Code
from ...model.bodies import (
    Collider,
    CollisionFilter,
    CombineMode,
    Motion,
    PhysicsMaterial,
    ShapeUser,
    Trigger,
)
from ...model.document import NodePhysics, PhysicsDocument
from ..values import carried
from ..values.joint_records import read_joint, read_settings, write_settings
from ..values.json_values import show
from ..values.records import (
    Reading,
    Writing,
    leads_nowhere,
    merge_carried,
    read_lists,
    read_record,
    with_carried,
    write_record,
)
from .khr_geometry import GeometryReader

NAME: Final = "KHR_physics_rigid_bodies"
# Older names, newest first, and the dialects they stand for.
OLD_NAMES: Final[dict[str, str]] = {"KHR_rigid_bodies": "K4", "MSFT_rigid_bodies": "K3"}

# What a body of 2023 weighed that did not say it. The text of then had a center and moments of
# inertia for such a body, too, but its own examples meant what today's text says: the engine's.
OLD_DEFAULTS: Final[dict[str, object]] = {"mass": 1.0}
_COMBINE: Final = ("frictionCombine", "restitutionCombine")
_COMBINE_WORDS: Final = get_args(CombineMode)
_SHAPE_KEYS: Final = ("geometry", "shape", "collider")
_NODE_KEYS: Final = frozenset({"motion", "collider", "trigger", "joint"})
_BY_HAND: Final = frozenset({"isKinematic", "type"})
_WRITTEN_IF_GIVEN: Final = ("mass", "center_of_mass", "inertia_diagonal")


def read_document(name: str, extension: Any, reading: Reading, document: PhysicsDocument) -> None:
    """Read the lists of the document's extension object."""
    readers: dict[str, Callable[[Any, str, Reading], Any]] = {
        "physicsMaterials": read_material,
        "collisionFilters": read_filter,
        "physicsJoints": read_settings,
    }
    if name != NAME:
        readers["physicsJointLimits"] = readers.pop("physicsJoints")
    lists, rest = read_lists(extension, f"/extensions/{name}", reading, readers)
    document.physics_materials = lists["physicsMaterials"]
    document.collision_filters = lists["collisionFilters"]
    document.joint_settings = lists["physicsJoints" if name == NAME else "physicsJointLimits"]
    if rest:
        document.carried[NAME] = rest


def read_material(json: Any, pointer: str, reading: Reading) -> PhysicsMaterial:
    """One material; the words of 2023 are in capitals."""
    if isinstance(json, Mapping):
        members = dict(cast(Mapping[str, Any], json))
        for key in _COMBINE:
            if isinstance(members.get(key), str) and members[key].lower() in _COMBINE_WORDS:
                members[key] = members[key].lower()
        absent = [key for key in _COMBINE if key not in members]
        if absent:
            why = (
                f"the material has no {' and no '.join(absent)}; 'average' is used, the "
                "default of OMI"
            )
            reading.issues.add(Code.COMBINE_MODE_MISSING, pointer, why)
        json = members
    return read_record(PhysicsMaterial, json, pointer, reading)


def read_filter(json: Any, pointer: str, reading: Reading) -> CollisionFilter:
    """One filter."""
    found = read_record(CollisionFilter, json, pointer, reading)
    if found.collide_with_systems and found.not_collide_with_systems:
        why = (
            "the filter lists systems to collide with and systems not to; only one list "
            "is allowed, so remove one"
        )
        reading.issues.add(Code.FILTER_ALLOWS_AND_FORBIDS, pointer, why)
    return found


def read_node(
    name: str, node: int, extension: Mapping[str, Any], reading: Reading, geometries: GeometryReader
) -> NodePhysics:
    """The physics in a node's extension object."""
    pointer = f"/nodes/{node}/extensions/{name}"
    parts: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for key, value in extension.items():
        where = f"{pointer}/{key}"
        if key not in _NODE_KEYS:
            carried.add_unknown(rest, key, value, pointer, reading.issues)
        elif (members := reading.mapping(value, where)) is not None:
            if key == "motion":
                old = OLD_DEFAULTS if name != NAME else {}
                parts[key] = read_motion(members, where, reading, old)
            elif key == "collider":
                parts[key] = _read_collider(members, where, node, reading, geometries)
            elif key == "trigger":
                parts[key] = _read_trigger(members, where, node, reading, geometries)
            else:
                parts[key] = read_joint(members, where, reading, settings_key="jointLimits")
        else:
            carried.add(rest, key, value, pointer, reading.issues)
    # An object of nothing, as files of 2023 and 2024 have it, is carried as well.
    texts = ((NAME, carried.pack(rest) or "{}"),) if rest or not parts else ()
    return NodePhysics(**parts, carried=texts)


def read_motion(
    json: Mapping[str, Any], pointer: str, reading: Reading, defaults: Mapping[str, object]
) -> Motion:
    """The motion of a body; what the file leaves to the engine stays so.

    A mass or moment of 0 means infinite and stays 0.
    """
    flag = json.get("isKinematic", False)
    kind = "kinematic" if flag is True else "dynamic"
    members = json
    if "type" in json:
        members = {key: value for key, value in json.items() if key != "type"}
    motion = read_record(
        Motion, members, pointer, reading, by_hand=_BY_HAND, defaults={**defaults, "type": kind}
    )
    if "type" in json:
        why = "the key 'type' is unknown, so it is left out"
        reading.issues.add(Code.KEY_UNKNOWN, f"{pointer}/type", why)
    if flag is not True and flag is not False:
        why = f"{show(flag)} is not true or false; the default is used"
        reading.issues.add(Code.TYPE_WRONG, f"{pointer}/isKinematic", why)
    return _check(motion, pointer, reading)


def _check(motion: Motion, pointer: str, reading: Reading) -> Motion:
    if motion.mass == 0.0:
        why = (
            "a mass of zero means infinite in KHR, so nothing can push the body; set a "
            "mass if that is not meant"
        )
        reading.issues.add(Code.MASS_ZERO_IS_INFINITE, f"{pointer}/mass", why)
    if motion.inertia_diagonal is None:
        if motion.inertia_orientation != Motion.inertia_orientation:
            why = (
                "the inertia orientation has no effect without an inertia diagonal; set the "
                "diagonal, or remove it"
            )
            reading.issues.add(Code.INERTIA_ORIENTATION_ALONE, pointer, why)
    elif not all(motion.inertia_diagonal):
        why = (
            "a moment of inertia of zero means infinite in KHR, so the body cannot turn "
            "about that axis"
        )
        reading.issues.add(Code.MOMENT_ZERO_IS_INFINITE, f"{pointer}/inertiaDiagonal", why)
    return motion


def _without_shape(json: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in json.items() if key not in _SHAPE_KEYS}


def _read_collider(
    json: Mapping[str, Any], pointer: str, node: int, reading: Reading, geometries: GeometryReader
) -> Collider:
    more = _without_shape(json)
    collider = read_record(Collider, more, pointer, reading) if more else None
    shape, rest = geometries.read(json, pointer, node, reading)
    if not any(key in json for key in _SHAPE_KEYS):
        why = "the collider has no geometry, so nothing collides with it; choose a shape"
        reading.issues.add(Code.COLLIDER_WITHOUT_GEOMETRY, pointer, why)
        rest = {"geometry": None}
    if collider is None:
        collider = Collider(shape=shape)
    else:
        collider = dataclasses.replace(collider, shape=shape)
    return with_carried(collider, rest) if rest else collider


def _read_trigger(
    json: Mapping[str, Any], pointer: str, node: int, reading: Reading, geometries: GeometryReader
) -> Trigger:
    trigger = read_record(Trigger, _without_shape(json), pointer, reading)
    shape, rest = geometries.read(json, pointer, node, reading)
    if trigger.nodes and any(key in json for key in _SHAPE_KEYS):
        why = (
            "the trigger has both a geometry and a list of nodes, which is not allowed; "
            "keep one of them"
        )
        reading.issues.add(Code.TRIGGER_SHAPE_AND_NODES, pointer, why)
    elif not trigger.nodes and not any(key in json for key in _SHAPE_KEYS):
        why = (
            "the trigger has neither a geometry nor a list of nodes, so it notices nothing; add one"
        )
        reading.issues.add(Code.TRIGGER_WITHOUT_SHAPE, pointer, why)
    if trigger.nodes and trigger.collision_filter is not None:
        why = (
            "the compound trigger has a collision filter, which belongs on its parts; "
            "move the filter there"
        )
        reading.issues.add(Code.COMPOUND_TRIGGER_FILTER, pointer, why)
    trigger = dataclasses.replace(trigger, shape=shape)
    return with_carried(trigger, rest) if rest else trigger


def write_document(document: PhysicsDocument, writing: Writing) -> dict[str, Any]:
    """The document's extension object; empty when there is nothing to say."""
    out: dict[str, Any] = {}
    if document.physics_materials:
        out["physicsMaterials"] = [
            _named(write_record(item, _place(item, f"material {i}"), writing, spell_out=True))
            for i, item in enumerate(document.physics_materials)
        ]
    if document.collision_filters:
        out["collisionFilters"] = [
            _named(write_record(item, _place(item, f"filter {i}"), writing))
            for i, item in enumerate(document.collision_filters)
        ]
    if document.joint_settings:
        out["physicsJoints"] = [
            write_settings(item, _place(item, f"joint settings {i}"), writing, in_pairs=True)
            for i, item in enumerate(document.joint_settings)
        ]
    merge_carried(out, document.carried.get(NAME, ""))
    return out


def _place(item: Any, otherwise: str) -> str:
    return item.name or otherwise


def _named(out: dict[str, Any]) -> dict[str, Any]:
    if not out.get("name"):
        out.pop("name", None)
    return out


def write_node(
    physics: NodePhysics,
    place: str,
    writing: Writing,
    write_shaped: Callable[[ShapeUser, str], dict[str, Any]],
) -> dict[str, Any] | None:
    """A node's extension object, or None when the node needs none.

    Args:
        write_shaped: from a collider or trigger and its place to the members that stand for it.
    """
    out: dict[str, Any] = {}
    if physics.motion is not None and physics.motion.type != "static":
        out["motion"] = writing.once(physics.motion, place, _write_motion)
    collider, trigger = physics.collider, physics.trigger
    if collider is not None and (collider.shape is not None or _is_faulty(collider, writing)):
        out["collider"] = write_shaped(collider, place)
    if trigger is not None:
        out["trigger"] = write_shaped(trigger, place)
    if physics.joint is not None:
        out["joint"] = write_record(physics.joint, place, writing)
    for name, text in physics.carried:
        if name == NAME:
            merge_carried(out, text)
            return out
    return out or None


def _is_faulty(collider: Collider, writing: Writing) -> bool:
    """Whether a collider had no geometry in a KHR file, or none anywhere, and shall be left so.

    One of an OMI file groups the colliders below it; KHR has no such thing.
    """
    members = carried.unpack(collider.carried)
    return not writing.repair and not members.keys().isdisjoint(("geometry", "shape"))


def _write_motion(motion: Motion, place: str, writing: Writing) -> dict[str, Any]:
    members = carried.unpack(motion.carried)
    if "type" in members:  # OMI's.
        members.pop("type")
        motion = dataclasses.replace(motion, carried=carried.pack(members))
    plain = {"type": motion.type}
    out = write_record(motion, place, writing, always=_WRITTEN_IF_GIVEN, defaults=plain)
    return {"isKinematic": True, **out} if motion.type == "kinematic" else out


def write_shaped(
    record: ShapeUser,
    place: str,
    writing: Writing,
    write_geometry: Callable[[int], Mapping[str, Any]],
    listed: int,
) -> dict[str, Any]:
    """A collider or trigger: what stands for its shape, and then the rest.

    Args:
        write_geometry: from the index of a shape to the members that stand for it.
        listed: how many shapes the list has that it may point into.
    """
    out: dict[str, Any] = {}
    if record.shape is not None:
        out |= write_geometry(record.shape)
    if not record.carried:
        plain = write_record(record, place, writing)
        plain.pop("shape", None)
        return out | plain
    rest = carried.unpack(record.carried)
    more, lost = rest.pop("geometry", None), rest.pop("shape", None)
    if record.shape is None and leads_nowhere("shape", lost, listed, place, writing):
        out["geometry"] = {"shape": lost}
    bare = dataclasses.replace(record, shape=None, carried=carried.pack(rest))
    if isinstance(more, dict) and isinstance(out.get("geometry"), dict):
        out["geometry"] = {**cast(dict[str, Any], more), **out["geometry"]}
    return out | write_record(bare, place, writing)
