"""Masses, centers and inertias that are worked out from the shapes of a body."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import bmesh
import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...axes import TO_GLTF
from ...geometry import inertia
from ...geometry.arrays import Array
from ...geometry.hull import is_flat
from ...geometry.inertia import MassProperties
from ...geometry.scaled_shapes import of_same_volume
from ...issue_codes import Code
from ...issues import Issues
from ...model.bodies import Motion
from ...model.compounds import below
from ...model.document import PhysicsDocument
from ...model.shapes import Box, Convex, Geometry, Primitive, Trimesh
from ..base import groups, mesh_arrays
from ..base.hierarchy import unscaled
from . import property_records
from .mesh_sources import Slots, is_joined, mesh_of, source_of
from .scene_nodes import SceneNode

_NOISE: Final = 1e-7  # Numbers up to this part of the largest one are 0.
_STRAIGHT: Final = 1e-6  # Difference from a matrix that leaves all as it is.
_FLAT: Final = 1e-30  # Volume of a scaled cube that counts as none.
_UNEVEN: Final = 1e-3  # Difference of the largest and the smallest scale, of their mean.


@dataclasses.dataclass
class Weighing:
    """Works out what the artist left to the shapes.

    Attributes:
        nodes: by index, inserted ones too.
        children: indices of the nodes below, by index.
        y_up: whether the document has glTF's axes.
        apply: whether the export applies modifiers.
        parts: colliders whose mesh is that of another one, too, which counts as a whole.
    """

    document: PhysicsDocument
    nodes: Mapping[int, SceneNode]
    children: Sequence[Sequence[int]]
    issues: Issues
    y_up: bool
    apply: bool
    parts: Collection[int] = ()

    @functools.cached_property
    def _bodies(self) -> set[int]:
        return {i for i, physics in self.document.nodes.items() if physics.motion}

    def complete(self, body: SceneNode, group: Any) -> None:
        """Fill in the motion of a body as its property group asks for."""
        physics = self.document.nodes[body.index]
        motion = physics.motion
        if motion is None:
            return
        whole = self.whole(body.index)
        if whole is None:
            self.issues.add(
                Code.AUTOMATIC_VALUE_FAILED,
                body.object.name,
                "no shape to compute mass properties from",
            )
        else:
            motion = self.filled(body.index, motion, group, whole)
            self.document.nodes[body.index] = dataclasses.replace(physics, motion=motion)

    def whole(self, body: int) -> MassProperties | None:
        """The shapes of a body together, for a density of 1 kg/m³; None without any volume."""
        solids = self._solids(self.nodes[body])
        whole = inertia.combine(solids) if solids else None
        return None if whole is None or whole.mass <= 0.0 else whole

    def filled(self, body: int, motion: Motion, group: Any, whole: MassProperties) -> Motion:
        """The motion of a body with what its property group leaves to the shapes."""
        changes: dict[str, Any] = {}
        if group.mass_mode == "DENSITY":
            changes["mass"] = property_records.shortest(group.density * whole.mass)
        mass = changes.get("mass", motion.mass)
        if group.center_of_mass_mode == "SHAPES":
            changes["center_of_mass"] = _numbers(self._center(self.nodes[body], whole))
        if group.inertia_mode == "SHAPES" and mass == math.inf:
            changes["inertia_diagonal"] = (math.inf,) * 3
        elif group.inertia_mode == "SHAPES" and mass is not None:  # Else the engine finds both.
            heavy = inertia.with_mass(whole, mass)
            diagonal, orientation = inertia.principal(heavy.tensor)
            changes["inertia_diagonal"] = _numbers(diagonal)
            changes["inertia_orientation"] = _numbers(orientation)
        return dataclasses.replace(motion, **changes)

    def _center(self, body: SceneNode, whole: MassProperties) -> Array:
        """The center of a body in the space of its node, which may be scaled."""
        into = self._axes(body)
        linear: Array = into @ np.array(_frame(body) @ body.matrix)[:3, :3] @ into.T
        if np.abs(linear - np.eye(3)).max() < _STRAIGHT or abs(np.linalg.det(linear)) < _FLAT:
            return whole.center
        return np.linalg.solve(linear, whole.center)

    def _solids(self, body: SceneNode) -> list[MassProperties]:
        """The solids of a body in its own frame without scale, for a density of 1 kg/m³."""
        bodies = self._bodies
        frame = _frame(body)
        solids: list[MassProperties] = []
        for index in (body.index, *below(body.index, self.children, bodies)):
            physics = self.document.nodes.get(index)
            if physics is None or physics.collider is None or index in self.parts:
                continue
            if index in bodies and index != body.index:
                continue
            if physics.collider.shape is not None:
                geometry = self.document.shapes[physics.collider.shape].geometry
                solid = self._measure(geometry, self.nodes[index], body, frame)
                if solid is not None:
                    solids.append(solid)
        return solids

    def _axes(self, node: SceneNode) -> Array:
        """From Blender's axes to those that the numbers of a node have in the document."""
        return TO_GLTF if self.y_up and not node.turned else np.eye(3)

    def _measure(
        self, geometry: Geometry, node: SceneNode, body: SceneNode, frame: Matrix
    ) -> MassProperties | None:
        matrix: Array = np.array(frame @ node.matrix, dtype=np.float64)
        into = self._axes(body)
        linear: Array = into @ matrix[:3, :3] @ self._axes(node).T
        place: Array = into @ matrix[:3, 3]
        if isinstance(geometry, (Convex, Trimesh)):
            return self._measure_mesh(geometry, node, linear, place)
        scale: Array = np.linalg.norm(linear, axis=0)
        if not scale.all() or not isinstance(geometry, Primitive):
            return None
        part = self._measure_primitive(geometry, scale, node.object.name)
        return inertia.place(part, _rotation(linear), place)

    def _measure_primitive(self, shape: Primitive, scale: Array, name: str) -> MassProperties:
        if not isinstance(shape, Box) and np.ptp(scale) > _UNEVEN * np.cbrt(scale.prod()):
            self.issues.add(
                Code.AUTOMATIC_VALUE_FAILED,
                name,
                "a round shape has uneven scale, so an even scale is assumed; apply the scale",
            )
        return inertia.measure_primitive(of_same_volume(shape, scale.tolist()))

    def _measure_mesh(
        self, geometry: Convex | Trimesh, node: SceneNode, linear: Array, place: Array
    ) -> MassProperties | None:
        shape = groups.of_object(node.object).collider.shape
        found = self.triangles(node.object, shape)
        if found is None:
            return None
        vertices, triangles = found
        vertices = vertices @ self._axes(node).T @ linear.T + place
        if isinstance(geometry, Trimesh):
            try:
                return inertia.measure_mesh(vertices, triangles)
            except ValueError as error:
                why = f"the mesh has no volume ({error}), so its convex hull is used"
                self.issues.add(Code.AUTOMATIC_VALUE_FAILED, node.object.name, why)
        hull = hull_of(vertices)
        return None if hull is None else inertia.measure_mesh(*hull)

    @functools.cached_property
    def _below(self) -> dict[Any, list[Any]]:
        return mesh_arrays.children_of_all()

    def triangles(
        self, obj: bpy.types.Object, shape: Any, slots: Slots | None = None
    ) -> tuple[Array, NDArray[np.int64]] | None:
        """The mesh of a shape, in Blender's axes; None where it has none.

        Args:
            slots: whose faces are meant; None for all.
        """
        source = source_of(obj, shape)
        if source is None:
            return None
        if is_joined(shape) and source in self._below:
            with mesh_arrays.joined_faces(source, self._below, self.apply) as faces:
                return _arrays_of_faces(faces)
        with mesh_of(source, self.apply) as mesh:
            return None if mesh is None else mesh_arrays.triangles(mesh, slots)


def _rotation(linear: Array) -> Array:
    """The rotation nearest to a matrix that may also scale and shear."""
    left, _, right = np.linalg.svd(linear)
    return np.asarray(left @ right, dtype=np.float64)


def _frame(body: SceneNode) -> Matrix:
    """From the world into the place of a body, which has no scale."""
    return unscaled(body.matrix).inverted()


def _numbers(values: Array) -> tuple[float, ...]:
    """Rounded as Blender would, so that noise in the last digits does not reach the file."""
    size = float(np.abs(values).max())
    return tuple(
        0.0 if math.isclose(v, 0.0, abs_tol=_NOISE * size) else property_records.shortest(float(v))
        for v in values
    )


def _arrays_of_faces(faces: Any) -> tuple[Array, NDArray[np.int64]]:
    """The vertices and triangles of a BMesh."""
    faces.verts.index_update()
    vertices = np.array([vertex.co[:] for vertex in faces.verts], dtype=np.float64)
    corners = [[loop.vert.index for loop in loops] for loops in faces.calc_loop_triangles()]
    triangles = np.array(corners, dtype=np.int64)
    return vertices.reshape(-1, 3), triangles.reshape(-1, 3)


def hull_of(vertices: Array) -> tuple[Array, NDArray[np.int64]] | None:
    """The convex hull of points as triangles; None where it has no volume."""
    if is_flat(vertices):
        return None
    with mesh_arrays.edited() as mesh:
        for vertex in vertices:
            mesh.verts.new(vertex)
        bmesh.ops.convex_hull(mesh, input=list(mesh.verts), use_existing_faces=False)
        bmesh.ops.delete(mesh, geom=[v for v in mesh.verts if not v.link_faces], context="VERTS")
        bmesh.ops.triangulate(mesh, faces=list(mesh.faces))
        mesh.verts.index_update()
        points = np.array([vertex.co[:] for vertex in mesh.verts], dtype=np.float64)
        faces = np.array([[v.index for v in face.verts] for face in mesh.faces], dtype=np.int64)
    return (points, faces) if len(faces) >= 4 else None
