"""Makes Blender's rigid bodies of bodies and colliders of ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix

from ....axes import matrices_to_blender, points_to_blender
from ....issue_codes import Code
from ....simulation.bullet import bullet_shapes
from ....simulation.rigid import bodies, shapes, surfaces
from ....simulation.rigid.surfaces import Surface
from ....simulation.rigid.values import BODY, completed
from ....simulation.state import Array
from ....simulation.world import Body, Mesh, Solid
from ...base import groups
from . import blender_values as blender
from .giving import Giving, box

_CLOSE: Final = 1e-4  # m: nearer to the origin, a center is in it.
_HEAVY: Final = 1e6  # Stands for an infinite mass, kg.


class GivingBodies:
    """Makes rigid bodies, and objects that stand in for shapes that meshes do not have."""

    def __init__(self, giving: Giving) -> None:
        self._giving = giving
        self._meshes: dict[Any, Any] = {}

    def can_be(self, at: int) -> bool:
        """Whether a body of the world can be one of Blender's; tells why not."""
        obj = self._giving.object(self._giving.world.bodies[at].node)
        if obj.type == "MESH" and groups.can_change(obj):
            return True
        why = (
            "cannot be edited"
            if obj.type == "MESH"
            else "is not a mesh, which Blender's rigid bodies require"
        )
        self._giving.tell(obj, Code.RIGID_BODY_LEFT_OUT, f"it {why}")
        return False

    def give(self, chosen: Sequence[int]) -> None:
        """Make rigid bodies of some bodies of the world."""
        of_body: dict[int, Surface] = {at: _surface(self._giving.world.bodies[at]) for at in chosen}
        contacts = surfaces.contacts_of(list(of_body.values()))
        for at in chosen:
            body = self._giving.world.bodies[at]
            contact, obj = contacts[of_body[at]], self._giving.object(body.node)
            kind = self._shape(body, obj)
            collections = contact.collections if body.solids else [False] * len(contact.collections)
            values = bodies.values_of(
                body.motion, kind, contact.friction, contact.bounce, collections
            )
            values["mesh_source"] = _mesh_source(obj, kind)
            if body.type == "dynamic":
                values["mass"] = min(body.mass, _HEAVY)
            group = groups.of_object(obj)
            text = group.motion.kept if group.use_motion else group.collider.kept
            self._giving.write_body(obj, completed(values, blender.kept(text, blender.BODY_KEY)))
            self._giving.given.bodies.append(obj)
            losses = [*_losses(body), *contact.differs]
            if losses:
                why = f"Blender's rigid body does not have {', '.join(losses)}"
                self._giving.tell(obj, Code.RIGID_BODY_CANNOT_SAY, why)

    def _shape(self, body: Body, obj: Any) -> str:
        """The collision shape of a body; makes the parts of a compound."""
        if len(body.solids) == 1:
            kind = self._own_kind(body.solids[0], obj)
            if kind:
                return kind
        for solid in body.solids:
            part = self._giving.object(solid.node)
            between = _between(part, obj)
            kind = self._own_kind(solid, part) if part != obj and between is not None else ""
            if kind and part.type == "MESH":
                self._write_part(part, kind)
                for group in between or ():
                    self._write_part(group, "COMPOUND")
            else:
                self._stand_in(body, solid, obj)
        return "COMPOUND" if body.solids else "BOX"

    def _write_part(self, part: Any, kind: str) -> None:
        values = bodies.values_of(
            None, kind, BODY["friction"], BODY["restitution"], BODY["collision_collections"]
        )
        values["mesh_source"] = _mesh_source(part, kind)
        text = groups.of_object(part).collider.kept
        self._giving.write_body(part, completed(values, blender.kept(text, blender.BODY_KEY)))

    def _own_kind(self, solid: Solid, obj: Any) -> str:
        """The shape that Blender makes of the mesh of an object itself, if a solid is that."""
        if solid.node >= len(self._giving.objects) or self._giving.object(solid.node) != obj:
            return ""
        group = groups.of_object(obj).collider.shape
        if isinstance(solid.form, Mesh):
            own = group.mesh_source == "OWN" or (
                group.mesh_source == "DATA" and group.mesh == obj.data
            )
            return ("CONVEX_HULL" if solid.form.is_convex else "MESH") if own else ""
        return shapes.kind_of(solid.form, blender.half_of(obj), blender.scale_of(obj))

    def _stand_in(self, body: Body, solid: Solid, obj: Any) -> None:
        """Make an object below a body that has a shape which the body's own mesh does not make."""
        form = solid.form
        if isinstance(form, Mesh):
            kind = "CONVEX_HULL" if form.is_convex else "MESH"
        else:
            kind = shapes.native_kind(form) or "CONVEX_HULL"
        made = bpy.data.objects.new(f"{obj.name} Shape", self._mesh(solid, kind))
        for home in self._giving.homes.of(obj):
            home.objects.link(made)
        made.display_type, made.hide_render = "WIRE", True
        group = groups.of_object(made)
        group.counterpart, group.is_collision_only = obj, True
        made.parent = obj
        matrix = _matrix(body.rotation, body.place) @ _matrix(solid.rotation, solid.place)
        place = Matrix(matrices_to_blender(matrix).tolist())
        made.matrix_basis = obj.matrix_world.inverted_safe() @ place
        self._write_part(made, kind)
        self._giving.given.made.append(made)

    def _mesh(self, solid: Solid, kind: str) -> Any:
        """A mesh whose bounds or hull or surface are a solid's."""
        half = None if isinstance(solid.form, Mesh) else shapes.bounds_of(solid.form)
        is_native = half is not None and kind not in shapes.OF_MESHES
        key = half if is_native else id(solid.form)
        if key not in self._meshes:
            mesh = self._meshes[key] = bpy.data.meshes.new("Rigid Body Shape")
            if half is not None and is_native:
                box(mesh, half)
            else:
                _solid(mesh, solid)
        return self._meshes[key]


def _between(part: Any, body: Any) -> list[Any] | None:
    """The groups of colliders between a part and its body; None where something else is there."""
    found: list[Any] = []
    while part.parent is not None and part.parent != body:
        part = part.parent
        group = groups.of_object(part)
        is_group = group.use_collider and group.collider.shape.type == "NONE"
        if not is_group or part.type != "MESH":
            return None
        found.append(part)
    return found


def _surface(body: Body) -> Surface:
    """The surface of the first solid of a body, and the filters of all."""
    material = body.solids[0].material if body.solids else None
    filters = frozenset(solid.filter for solid in body.solids) or frozenset((None,))
    return material, body.type == "dynamic", filters


def _losses(body: Body) -> list[str]:
    """What of a body no rigid body of Blender's has, in words."""
    motion = body.motion
    found: dict[str, bool] = {
        "several surfaces": len({solid.material for solid in body.solids}) > 1,
        "an infinite mass": body.type == "dynamic" and body.mass > _HEAVY,
        "infinite planes": any(bullet_shapes.Plane is type(solid.form) for solid in body.solids),
    }
    if motion is not None and body.type == "dynamic":
        found |= {
            "a center of mass away from its origin": bool(np.abs(body.center).max() > _CLOSE),
            "custom moments of inertia": motion.inertia_diagonal is not None,
            "a velocity at the start": any((*motion.linear_velocity, *motion.angular_velocity)),
            "a gravity factor": motion.gravity_factor != 1.0,
        }
    return [text for text, is_so in found.items() if is_so]


def _matrix(rotation: Array, place: Array) -> Array:
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = rotation, place
    return found


def _mesh_source(obj: Any, kind: str) -> str:
    is_bare = groups.of_object(obj).collider.shape.mesh_source == "DATA"
    return blender.mesh_source(obj, kind, is_bare)


def _solid(mesh: Any, solid: Solid) -> None:
    """Give a mesh the surface of a solid, or the corners that its hull is made of."""
    form = solid.form
    points = form.corners if isinstance(form, Mesh) else bullet_shapes.surface_points(form)
    faces: list[list[int]] = form.triangles.tolist() if isinstance(form, Mesh) else []
    mesh.from_pydata(points_to_blender(points).tolist(), [], faces)
    mesh.update()
