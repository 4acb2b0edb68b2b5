"""Reads and writes the values of Blender's rigid bodies and constraints, and finds them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

import bpy

from ....codec.values import carried
from ....simulation.rigid.shapes import OF_MESHES, Half
from ....simulation.rigid.values import BODY, CONSTRAINT, Values
from ...base import groups
from ...base.animated import frame_rate
from ...scene.property_records import shortest

# The member of `extras` that keeps what our physics does not say.
BODY_KEY: Final = "blender_rigid_body"
CONSTRAINT_KEY: Final = "blender_rigid_body_constraint"
_EXTRAS: Final = "extras"


def read_body(rigid: Any) -> Values:
    """The values of a rigid body, with the shortest decimals of its numbers."""
    return {name: _plain(getattr(rigid, name)) for name in BODY}


def read_constraint(constraint: Any) -> Values:
    """The values of a constraint, but for its objects."""
    return {name: _plain(getattr(constraint, name)) for name in CONSTRAINT}


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return shortest(value)
    return value if isinstance(value, (str, bool, int)) else list(value)


def write(data: Any, values: Values) -> None:
    """Give a rigid body or a constraint values; what it has already is not touched."""
    for name, value in values.items():
        if _plain(getattr(data, name)) != value:
            setattr(data, name, value)


def bodies_of(scene: Any) -> list[Any]:
    """The rigid bodies of a scene's world, in the order of its collection."""
    found = _objects_of(scene.rigidbody_world, "collection")
    return [obj for obj in found if obj.rigid_body is not None]


def constraints_of(scene: Any) -> list[Any]:
    """The objects with constraints of a scene's world, in the order of its collection."""
    found = _objects_of(scene.rigidbody_world, "constraints")
    return [obj for obj in found if obj.rigid_body_constraint is not None]


def _objects_of(world: Any, name: str) -> Any:
    """The objects in one of the collections of a world, either of which may be missing."""
    return getattr(getattr(world, name, None), "all_objects", ())


def half_of(obj: Any) -> Half:
    """Half of the bounds of an object along its axes, without its scale."""
    corners = [tuple(corner) for corner in obj.bound_box]
    x, y, z = ((max(each) - min(each)) / 2.0 for each in zip(*corners, strict=True))
    return (shortest(x), shortest(y), shortest(z))


def scale_of(obj: Any) -> Half:
    """How an object is scaled in the world along its axes."""
    x, y, z = obj.matrix_world.to_scale()
    return (shortest(x), shortest(y), shortest(z))


def is_off_center(obj: Any, half: Half) -> bool:
    """Whether the bounds of an object are not around its origin, as Blender's shapes are."""
    corners = [tuple(corner) for corner in obj.bound_box]
    largest = max(half) or 1.0
    return any(abs(max(e) + min(e)) > 1e-3 * largest for e in zip(*corners, strict=True))


# Modifiers that move vertices and make none, which Blender applies for *Deform*.
_DEFORMING: Final = frozenset(
    (
        *("ARMATURE", "CAST", "CLOTH", "CORRECTIVE_SMOOTH", "CURVE", "DISPLACE", "HOOK"),
        *("LAPLACIANDEFORM", "LAPLACIANSMOOTH", "LATTICE", "MESH_DEFORM", "SHRINKWRAP"),
        *("SIMPLE_DEFORM", "SMOOTH", "SOFT_BODY", "SURFACE_DEFORM", "WARP", "WAVE"),
    )
)


def takes_bare_mesh(obj: Any) -> bool:
    """Whether Blender makes the hull or the surface of a mesh without what modifiers add."""
    source = obj.rigid_body.mesh_source
    kinds = {each.type for each in obj.modifiers}
    return bool(kinds) and (source == "BASE" or (source == "DEFORM" and not kinds <= _DEFORMING))


def mesh_source(obj: Any, kind: str, is_bare: bool) -> str:
    """Which mesh Blender is to take for a shape: with all modifiers, or without them."""
    if kind not in OF_MESHES or not obj.modifiers:
        return str(BODY["mesh_source"])
    return "BASE" if is_bare else "FINAL"


def is_compound_part(obj: Any, bodies: Iterable[Any]) -> bool:
    """Whether a rigid body is a part of the compound above it."""
    above = obj.parent
    return above is not None and above in bodies and is_compound(above)


def is_compound(obj: Any) -> bool:
    """Whether the shape of a rigid body is made of those below it."""
    return obj.rigid_body.collision_shape == "COMPOUND"


def kept(text: str, key: str) -> Values:
    """What was kept under a key of `extras` of carried members."""
    values = _members(carried.unpack(text).get(_EXTRAS)).get(key)
    return _members(values)


def _members(value: Any) -> Values:
    """The members of what should be a JSON object; files of others may have anything there."""
    return cast(Values, value) if isinstance(value, dict) else {}


def keeping(text: str, key: str, values: Values) -> str:
    """Carried members with values under a key of `extras`."""
    members = carried.unpack(text)
    extras = dict(_members(members.get(_EXTRAS)))
    extras.pop(key, None)
    if values:
        extras[key] = values
    members.pop(_EXTRAS, None)
    return carried.pack({**members, _EXTRAS: extras} if extras else members)


def substep(scene: Any) -> tuple[float, int]:
    """How long a step of the solver of a scene's world is, s, and its iterations."""
    world = scene.rigidbody_world
    return world.time_scale / (
        frame_rate(scene) * world.substeps_per_frame
    ), world.solver_iterations


def stands_in(obj: Any) -> bool:
    """Whether an object was made for Blender's rigid bodies alone, for a body or joint of ours."""
    group = groups.of_object(obj)
    return group.counterpart is not None and not group.use_joint


def world_of(scene: Any) -> Any:
    """The rigid-body world of a scene with both of its collections; made where there is none."""
    if scene.rigidbody_world is None:
        with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
            cast(Any, bpy.ops).scene.omi_physics_add_rigid_world()
    world: Any = scene.rigidbody_world
    if world.collection is None:
        world.collection = bpy.data.collections.new("RigidBodyWorld")
    if world.constraints is None:
        world.constraints = bpy.data.collections.new("RigidBodyConstraints")
    return world


def leave_world(scene: Any, bodies: Sequence[Any], joints: Iterable[Any]) -> None:
    """Take objects out of the rigid-body world of a scene.

    Blender forgets the values of the rigid bodies; constraints keep theirs, of which it can only
    forget those of one object at a time.
    """
    world = scene.rigidbody_world
    for obj in joints:
        world.constraints.objects.unlink(obj)
    if bodies:
        with bpy.context.temp_override(selected_objects=list(bodies), object=bodies[0]):
            cast(Any, bpy.ops).scene.omi_physics_leave_rigid_world()
