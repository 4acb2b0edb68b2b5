"""MSFT_physics of 2022-10 to 2023-01, read into today's records (K1).

Body, collider and joint stand in one object of the node, everything written out in place:
colliders with one radius and the middle height, filters as a system and layers, joints with their
constraints, inertia as a tensor. The scene says how strong gravity is.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, Final, TypeVar, cast

from ...issue_codes import Code
from ...model.bodies import Collider, CollisionFilter, Motion
from ...model.document import GltfFile, Interned, NodePhysics, PhysicsDocument
from ...model.fields import FilterIndex, JointIndex, ShapeIndex, row
from ...model.gravity import WorldGravity
from ...model.joints import Joint
from ...model.shapes import Convex, Geometry, Shape, Trimesh
from ..values import carried
from ..values.joint_records import read_joint, read_settings
from ..values.json_members import as_object, member
from ..values.json_values import BadValueError, convert, show
from ..values.records import Reading, read_lists, read_record
from .khr_physics_rigid_bodies import OLD_DEFAULTS, read_material, read_motion
from .khr_shapes import DEFAULTS, KHR_TYPES

NAME: Final = "MSFT_physics"
R = TypeVar("R")

_MESHES: Final[dict[str, type[Convex] | type[Trimesh]]] = {
    "convex": Convex,
    "mesh": Trimesh,
    "trimesh": Trimesh,  # Since 2022-12.
}
_SHAPES: Final = (*KHR_TYPES, *_MESHES)
_FILTER: Final = (
    "collisionSystem",
    "collideWithLayers",
    "collideWithSystems",
    "notCollideWithLayers",
    "notCollideWithSystems",
)
_JOINT: Final = ("connectedNode", "enableCollision")
_VECTOR: Final = row(Motion, "center_of_mass")
_TENSOR: Final = dataclasses.replace(_VECTOR, type=tuple[(float,) * 9], key="inertiaTensor")
_SYSTEMS: Final = row(CollisionFilter, "collision_systems")


def read_document(extension: Any, reading: Reading, document: PhysicsDocument) -> None:
    """Read the materials of the document's extension object."""
    readers = {"physicsMaterials": read_material}
    lists, _rest = read_lists(extension, f"/extensions/{NAME}", reading, readers)
    document.physics_materials = lists["physicsMaterials"]


def read_gravity(file: GltfFile, reading: Reading) -> WorldGravity | None:
    """The gravity of the scene to show, or of the first that has one."""
    for extensions in file.scenes:
        raw = member(extensions.get(NAME), "gravity")
        if raw is None:
            continue
        try:
            vector: tuple[float, ...] = convert(_VECTOR, raw, {})
        except BadValueError as error:
            reading.issues.add(error.code, "/scenes", f"the gravity is left out: {error}")
            continue
        strength = math.hypot(*vector)
        if strength == 0.0:
            return WorldGravity(gravity=0.0)
        x, y, z = (value / strength + 0.0 for value in vector)
        return WorldGravity(gravity=strength, direction=(x, y, z))
    return None


class NodeReader:
    """Reads nodes; what they write out in place goes into the document's lists."""

    def __init__(self, document: PhysicsDocument, reading: Reading) -> None:
        self._reading = reading
        self._shapes = Interned(document.shapes)
        self._filters = Interned(document.collision_filters)
        self._joints = Interned(document.joint_settings)

    def read(self, node: int, extension: Mapping[str, Any]) -> NodePhysics:
        """The physics of a node."""
        pointer = f"/nodes/{node}/extensions/{NAME}"
        parts: dict[str, Any] = {}
        readers = {
            "rigidBody": ("motion", self._read_body),
            "collider": ("collider", self._read_collider),
            "joint": ("joint", self._read_joint),
        }
        for key, value in extension.items():
            if key not in readers:
                if key not in ("extras", "extensions"):
                    where = f"{pointer}/{carried.escape(key)}"
                    why = f"the key {key!r} is unknown, so it is left out"
                    self._reading.issues.add(Code.KEY_UNKNOWN, where, why)
            elif (members := self._reading.mapping(value, f"{pointer}/{key}")) is not None:
                name, read = readers[key]
                parts[name] = read(members, f"{pointer}/{key}")
        return NodePhysics(**parts)

    def _read_body(self, json: Mapping[str, Any], pointer: str) -> Motion | None:
        if json.get("isEnabled") is False:
            why = "the body is switched off, so it is not imported"
            self._reading.issues.add(Code.BODY_SWITCHED_OFF, f"{pointer}/isEnabled", why)
            return None
        tensor = json.get("inertiaTensor")
        left_out = {"isEnabled", "inertiaTensor"}
        if json.get("isKinematic") is True and json.get("mass") == 0:
            left_out.add("mass")  # As the exporter of then wrote it; it is what kinematic means.
        members = {key: value for key, value in json.items() if key not in left_out}
        defaults = {key: value for key, value in OLD_DEFAULTS.items() if key not in left_out}
        motion = read_motion(members, pointer, self._reading, defaults)
        if tensor is not None:
            motion = self._with_tensor(motion, tensor, f"{pointer}/inertiaTensor")
        return motion

    def _with_tensor(self, motion: Motion, tensor: Any, pointer: str) -> Motion:
        try:
            values = convert(_TENSOR, tensor, {})
        except BadValueError as error:
            why = f"{error}, so the engine computes the inertia"
            self._reading.issues.add(error.code, pointer, why)
            return motion
        import numpy as np

        from ...geometry import inertia

        matrix = np.array(values, dtype=np.float64).reshape(3, 3)
        diagonal, orientation = inertia.principal((matrix + matrix.T) / 2.0)
        if not matrix.any() or bool((diagonal < 0.0).any()):
            code = Code.MOMENT_NEGATIVE if matrix.any() else Code.MOMENT_ZERO_IS_INFINITE
            why = "the value is not an inertia tensor of a body, so the engine computes it"
            self._reading.issues.add(code, pointer, why)
            return motion
        return dataclasses.replace(
            motion,
            inertia_diagonal=tuple(float(value) for value in diagonal),
            inertia_orientation=tuple(float(value) for value in orientation),
        )

    def _read_collider(self, json: Mapping[str, Any], pointer: str) -> Collider:
        rest = {
            key: value for key, value in json.items() if key not in (*_SHAPES, *_FILTER, "shape")
        }
        collider = read_record(Collider, rest, pointer, self._reading)
        geometry = self._read_geometry(json, pointer)
        if geometry is None:
            why = "the collider has no shape, so nothing collides with it; choose a shape"
            self._reading.issues.add(Code.COLLIDER_WITHOUT_GEOMETRY, pointer, why)
        else:
            index = ShapeIndex(self._shapes.index(Shape(geometry=geometry)))
            collider = dataclasses.replace(collider, shape=index)
        found = self._read_filter(json, pointer)
        if found == CollisionFilter():
            return collider
        index = FilterIndex(self._filters.index(found))
        return dataclasses.replace(collider, collision_filter=index)

    def _read_geometry(self, json: Mapping[str, Any], pointer: str) -> Geometry | None:
        for word in _SHAPES:
            if word not in json:
                continue
            sub, at = json[word], f"{pointer}/{word}"
            if word in _MESHES:
                return read_record(_MESHES[word], sub, at, self._reading)
            record = KHR_TYPES[word]
            if word in ("capsule", "cylinder") and "radius" in as_object(sub):
                # One radius; the height was that of the middle part already.
                radius = sub["radius"]
                rest = {key: value for key, value in sub.items() if key != "radius"}
                sub = {"radiusBottom": radius, "radiusTop": radius, **rest}
            defaults = DEFAULTS.get(record, {})
            return read_record(record, sub, at, self._reading, defaults=defaults)
        return None

    def _read_filter(self, json: Mapping[str, Any], pointer: str) -> CollisionFilter:
        """The filter of a collider. Blender's layers were meant: who shares one, meets."""
        own = json.get("collisionSystem")
        layers = self._read_words(json, "collideWithLayers", pointer)
        met = self._read_words(json, "collideWithSystems", pointer)
        unmet = [
            word
            for key in ("notCollideWithSystems", "notCollideWithLayers")
            for word in self._read_words(json, key, pointer)
        ]
        systems = [own] if isinstance(own, str) else []
        if own is not None and not systems:
            why = f"{show(own)} is not a string, so it is ignored"
            self._reading.issues.add(Code.TYPE_WRONG, f"{pointer}/collisionSystem", why)
        return CollisionFilter(
            collision_systems=_once([*systems, *layers]),
            collide_with_systems=_once([*met, *layers]),
            not_collide_with_systems=_once(unmet),
        )

    def _read_words(self, json: Mapping[str, Any], key: str, pointer: str) -> tuple[str, ...]:
        if key not in json:
            return ()
        try:
            return convert(_SYSTEMS, json[key], {})
        except BadValueError as error:
            self._reading.issues.add(error.code, f"{pointer}/{key}", str(error))
            return error.repaired or ()

    def _read_joint(self, json: Mapping[str, Any], pointer: str) -> Joint:
        limits = json.get("constraints", [])
        members = {key: value for key, value in json.items() if key != "constraints"}
        # A settings index of 0 is there so that nobody misses one; it is replaced below.
        one = self._reading.with_counts({JointIndex: 1})
        joint = read_joint({**members, "joint": 0}, pointer, one)
        if isinstance(limits, list):
            limits = [_with_zeros(limit) for limit in cast(list[Any], limits)]
        settings = read_settings({"limits": limits}, f"{pointer}/constraints", self._reading)
        return dataclasses.replace(joint, joint=JointIndex(self._joints.index(settings)))


def _with_zeros(limit: Any) -> Any:
    """A limit with the zeros that its author left out, as far as they fit what is there."""
    if not isinstance(limit, Mapping):
        return limit
    out = dict(cast(Mapping[str, Any], limit))
    low, high = out.get("min"), out.get("max")
    if low is None and (high is None or (isinstance(high, (int, float)) and high >= 0)):
        out["min"] = 0
    if high is None and (low is None or (isinstance(low, (int, float)) and low <= 0)):
        out["max"] = 0
    return out


def _once(words: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
