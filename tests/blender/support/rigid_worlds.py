"""Rigid bodies and constraints of Blender's own, for tests that bring them over."""

from __future__ import annotations

from typing import Any

import bpy

from omi_physics_addon.blender.authoring.rigid import blender_values as blender
from tests.blender.support.scenes import add, cube_mesh

SHAPES = ("BOX", "SPHERE", "CAPSULE", "CYLINDER", "CONE", "CONVEX_HULL", "MESH")
TYPES = ("FIXED", "POINT", "HINGE", "SLIDER", "PISTON", "GENERIC", "GENERIC_SPRING", "MOTOR")


def world() -> Any:
    """Blender's rigid-body world of the scene."""
    return blender.world_of(bpy.context.scene)


def rigid(
    name: str, place: Any = (0.0, 0.0, 0.0), size: Any = (1.0, 1.0, 1.0), **values: Any
) -> Any:
    """A rigid body on a box of a size; without damping, so that it moves as ours do."""
    mesh = cube_mesh(name)
    for vertex in mesh.vertices:
        vertex.co = [c * s for c, s in zip(vertex.co, size, strict=True)]
    obj = add(name, mesh, location=place)
    world().collection.objects.link(obj)
    values = {"linear_damping": 0.0, "angular_damping": 0.0, **values}
    blender.write(obj.rigid_body, values)
    return obj


def constraint(name: str, kind: str, ends: Any, place: Any = (0.0, 0.0, 0.0), **values: Any) -> Any:
    """A constraint between two rigid bodies, on an empty."""
    obj = add(name, None, location=place)
    world().constraints.objects.link(obj)
    held = obj.rigid_body_constraint
    held.type = kind
    held.object1, held.object2 = ends
    for key, value in values.items():
        setattr(held, key, value)
    return obj


def dump() -> dict[str, Any]:
    """All values of the rigid bodies and constraints of the scene, and where these are."""
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    found = {f"body {o.name}": blender.read_body(o.rigid_body) for o in blender.bodies_of(scene)}
    for obj in blender.constraints_of(scene):
        held = obj.rigid_body_constraint
        place = [round(number, 4) for row in obj.matrix_world for number in row]
        ends = [held.object1.name, held.object2.name]
        found[f"constraint {obj.name}"] = (blender.read_constraint(held), ends, place)
    return found


def forget() -> None:
    """Set every value of Blender's rigid bodies and constraints to what it is at first."""
    for obj in bpy.context.scene.objects:
        for data in (obj.rigid_body, obj.rigid_body_constraint):
            for prop in data.bl_rna.properties if data is not None else ():
                if not prop.is_readonly and prop.type != "POINTER":
                    array = getattr(prop, "is_array", False)
                    setattr(data, prop.identifier, prop.default_array if array else prop.default)
    bpy.context.scene.rigidbody_world.collection = bpy.data.collections.new("Others")
    bpy.context.scene.rigidbody_world.constraints = bpy.data.collections.new("Other Ties")


def take(scope: str = "SCENE", **options: Any) -> set[str]:
    """Make our physics of Blender's."""
    return bpy.ops.object.omi_physics_from_rigid_bodies(scope=scope, **options)


def give(scope: str = "SCENE") -> set[str]:
    """Make Blender's rigid bodies of our physics."""
    return bpy.ops.object.omi_physics_to_rigid_bodies(scope=scope)
