"""Fixes of shapes."""

from __future__ import annotations

import dataclasses
from typing import Any, Final, cast

import numpy as np

from ...codec.convert import shape_conversion
from ...codec.values.node_tree import inverse
from ...geometry.fit.simple_hull import simple_hull
from ...geometry.mesh_sides import look
from ...geometry.mesh_solids import Triangles
from ...issue_codes import Code
from ...model.document import NewMesh
from ...model.fields import Vector3
from ...model.shapes import TYPES, WORDS, Box, Capsule, Convex, Cylinder, Sphere, Trimesh
from .fix import Fix, Patient, dropping, removing, without

_MOST_CORNERS: Final = 255
_FEW_CORNERS: Final = 64  # For meshes that are too dense.


def _box(patient: Patient, at: int) -> bool:
    shape = patient.draft.document.shapes[at]
    plain = without(shape, getattr(shape.geometry, "type", ""))
    return patient.swap_entry("shapes", at, dataclasses.replace(plain, geometry=Box()))


def _own_object_only(patient: Patient, at: int) -> bool:
    shape = patient.draft.document.shapes[at]
    others = [word for word in TYPES if word != WORDS.get(type(shape.geometry))]
    return patient.swap_entry("shapes", at, without(shape, *others))


def _default_radii(patient: Patient, at: int) -> bool:
    shape = patient.draft.document.shapes[at]
    if not isinstance(shape.geometry, (Capsule, Cylinder)):
        return False
    geometry = dataclasses.replace(shape.geometry, radius_bottom=0.5, radius_top=0.5)
    return patient.swap_entry("shapes", at, dataclasses.replace(shape, geometry=geometry))


def _sphere(patient: Patient, node: int) -> bool:
    done = False
    for part, geometry in patient.shapes_of(node):
        if isinstance(geometry, Capsule):
            radius = max(geometry.radius_bottom, geometry.radius_top)
            done |= patient.use_shape(node, part, Sphere(radius=radius))
    return done


def _no_shape(patient: Patient, at: int) -> bool:
    for i in patient.users("shapes", at):
        for part in ("collider", "trigger"):
            user = getattr(patient.draft.of(i), part)
            if user is not None and user.shape == at:
                patient.draft.change(i, **{part: None})
    return patient.drop_later("shapes", at)


def _convex(patient: Patient, node: int) -> bool:
    done = False
    for part, geometry in patient.shapes_of(node):
        if isinstance(geometry, Trimesh) and geometry.mesh is not None:
            done |= patient.use_shape(node, part, Convex(mesh=geometry.mesh))
    return done


def _bake_scale(patient: Patient, node: int) -> bool:
    before = len(patient.draft.document.new_nodes)
    shape_conversion.bake_scale(patient.draft, node)
    return len(patient.draft.document.new_nodes) > before


def _plane_to_box(patient: Patient, node: int) -> bool:
    shape_conversion.plane_to_box(patient.draft, node)
    return True


def _merge(patient: Patient, at: int) -> bool:
    first = patient.first_alike(patient.draft.document.shapes[at])
    return first != at and patient.drop_later("shapes", at, first)


def _simpler(patient: Patient, node: int) -> bool:
    """Give a shape a mesh of its own that is a simpler hull, or all parts in one."""
    done = False
    for part, geometry in patient.shapes_of(node):
        if isinstance(geometry, (Convex, Trimesh)) and geometry.mesh is not None:
            found = patient.read_mesh(geometry.mesh)
            most = _MOST_CORNERS if isinstance(geometry, Convex) else _FEW_CORNERS
            hull = None if found is None else simple_hull(found[0], most)
            if hull is not None:
                mesh = _mesh(patient, f"hull {node}", (hull.corners, hull.triangles))
                done |= patient.use_shape(node, part, Convex(mesh=mesh))
    return done


def _flip(patient: Patient, node: int) -> bool:
    """Turn the triangles that look away, in a mesh of its own."""
    done, back = False, inverse(patient.draft.world(node))
    for part, geometry in patient.shapes_of(node):
        if isinstance(geometry, Trimesh) and geometry.mesh is not None:
            found = patient.read_mesh(geometry.mesh)
            if found is not None and back is not None:
                turned = look(*found).turned(back[4:7])
                faces = np.where(turned[:, None], found[1][:, ::-1], found[1])
                mesh = _mesh(patient, f"collision mesh {node}", (found[0], faces))
                done |= patient.use_shape(node, part, Trimesh(mesh=mesh))
    return done


def _join(patient: Patient, mesh: int) -> bool:
    """Give shapes of a mesh of several primitives one of a single one."""
    found = patient.read_mesh(mesh)
    if found is None or not len(found[1]):
        return False
    shapes = patient.draft.document.shapes
    for k, shape in enumerate(shapes):
        geometry = shape.geometry
        if isinstance(geometry, (Convex, Trimesh)) and geometry.mesh == mesh:
            new = _mesh(patient, f"collision mesh {mesh}", found)
            joined = dataclasses.replace(geometry, mesh=new)
            shapes[k] = dataclasses.replace(shape, geometry=joined)
    return True


def _mesh(patient: Patient, name: str, mesh: Triangles) -> Any:
    corners, triangles = mesh
    points = cast("list[Vector3]", [tuple(row) for row in np.asarray(corners).tolist()])
    faces = cast("list[tuple[int, int, int]]", [tuple(row) for row in triangles.tolist()])
    return patient.draft.add_mesh(NewMesh(name, tuple(points), tuple(faces)))


def _no_hull_of_shape(patient: Patient, node: int) -> bool:
    done = False
    for part in ("collider", "trigger"):
        user = getattr(patient.draft.of(node), part)
        if user is not None:
            patient.draft.change(node, **{part: without(user, "geometry")})
            done = True
    return done


_BODY_CONVEX: Final = Fix(
    "Make Convex",
    _convex,
    one="{count} moving body is a trimesh, which most engines cannot move",
    many="{count} moving bodies are trimeshes, which most engines cannot move",
)
_BAKED: Final = Fix("Bake Scale into Shape", _bake_scale)
FIXES: Final[dict[str, Fix]] = {
    Code.SHAPE_TYPE_UNKNOWN: Fix("make it a box", _box, "shapes"),
    Code.SHAPE_OBJECT_FOREIGN: Fix("remove the other object", _own_object_only, "shapes"),
    Code.SHAPE_RADII_ZERO: Fix("set its radii to 0.5 m", _default_radii, "shapes"),
    Code.CAPSULE_IS_SPHERE: Fix("make it a sphere", _sphere),
    Code.SHAPE_MESH_MISSING: Fix("remove the shape", _no_shape, "shapes"),
    Code.HULL_LARGE: Fix("simplify its hull to 255 vertices", _simpler),
    Code.COLLISION_MESH_OF_PARTS: Fix("join its primitives in a new mesh", _join, "meshes"),
    Code.COLLISION_MESH_LARGE: Fix("replace it with a hull of 64 vertices", _simpler),
    Code.COLLISION_MESH_LOOKS_AWAY: Fix("flip the inverted triangles", _flip),
    Code.TRIMESH_ON_DYNAMIC_BODY: _BODY_CONVEX,
    Code.TRIMESH_ON_KINEMATIC_BODY: _BODY_CONVEX,
    Code.TRIMESH_TRIGGER: Fix(
        _BODY_CONVEX.words,
        _convex,
        one="{count} trigger is a trimesh, which has no inside",
        many="{count} triggers are trimeshes, which have no inside",
    ),
    Code.SHAPE_SCALED: _BAKED,
    Code.SHAPE_SCALED_IN_KHR: _BAKED,
    Code.SHAPE_MIRRORED: _BAKED,
    Code.SHAPE_SCALED_TO_NOTHING: Fix("remove the shape", removing("collider", "trigger")),
    Code.SHAPE_UNUSED: Fix("remove the shape", dropping("shapes"), "shapes"),
    Code.SHAPES_ALIKE: Fix("use the other shape", _merge, "shapes"),
    Code.CONVEX_HULL_OF_NO_MESH: Fix("remove convexHull", _no_hull_of_shape),
    Code.PLANE_ON_MOVING_BODY: Fix("make it a box", _plane_to_box),
}
