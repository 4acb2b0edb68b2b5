"""The shapes that colliders and triggers are made of.

All along the shape's own Y axis; sizes are whole, not half.
Source: OMI_physics_shape, KHR_implicit_shapes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..issue_codes import Code
from .fields import Carried, MeshIndex, NodeIndex, Quantity, Vector3, described


@dataclass(frozen=True, kw_only=True)
class Box:
    """A box around the origin. Source: OMI_physics_shape, `box`."""

    size: Vector3 = described(
        (1.0, 1.0, 1.0),
        "Length of the edges",
        "m",
        Quantity.EXTENT,
        above=0.0,
        rule=Code.BOX_SIZE_INVALID,
    )
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Sphere:
    """A ball around the origin. Source: OMI_physics_shape, `sphere`."""

    radius: float = described(
        0.5, "Radius of the sphere", "m", above=0.0, rule=Code.SPHERE_RADIUS_NOT_POSITIVE
    )
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Capsule:
    """The hull of two balls above each other. Source: OMI_physics_shape, `capsule`."""

    height: float = described(
        1.0,
        "Distance between the centers of the two spheres",
        "m",
        above=0.0,
        rule=Code.SHAPE_HEIGHT_NOT_POSITIVE,
    )
    radius_bottom: float = described(
        0.5, "Radius of the lower sphere", "m", minimum=0.0, rule=Code.SHAPE_RADIUS_NEGATIVE
    )
    radius_top: float = described(
        0.5, "Radius of the upper sphere", "m", minimum=0.0, rule=Code.SHAPE_RADIUS_NEGATIVE
    )
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Cylinder:
    """The hull of two discs above each other. Source: OMI_physics_shape, `cylinder`."""

    height: float = described(
        2.0, "Distance between the two discs", "m", above=0.0, rule=Code.SHAPE_HEIGHT_NOT_POSITIVE
    )
    radius_bottom: float = described(
        0.5, "Radius of the lower disc", "m", minimum=0.0, rule=Code.SHAPE_RADIUS_NEGATIVE
    )
    radius_top: float = described(
        0.5, "Radius of the upper disc", "m", minimum=0.0, rule=Code.SHAPE_RADIUS_NEGATIVE
    )
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Plane:
    """A rectangle across Y, or all of the plane. Source: KHR_implicit_shapes, `plane`.

    A size of None is infinite. OMI has no planes.
    """

    size_x: float | None = described(
        None, "Size along X; infinite if not set", "m", above=0.0, rule=Code.PLANE_SIZE_NOT_POSITIVE
    )
    size_z: float | None = described(
        None, "Size along Z; infinite if not set", "m", above=0.0, rule=Code.PLANE_SIZE_NOT_POSITIVE
    )
    double_sided: bool = described(False, "Collide from both sides")
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Convex:
    """The convex hull of a mesh. Source: OMI_physics_shape, `convex`.

    `node` is there where KHR's geometry of 2025 names a node that is more than its plain mesh:
    its children's meshes, a skin, weights or a place of its own belong to the geometry.
    """

    mesh: MeshIndex | None = described(
        None, "Mesh to use the convex hull of", rule=Code.SHAPE_MESH_MISSING
    )
    node: NodeIndex | None = None
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Trimesh:
    """The surface of a mesh. Source: OMI_physics_shape, `trimesh`.

    `node` as in `Convex`.
    """

    mesh: MeshIndex | None = described(
        None, "Mesh to use the surface of", rule=Code.SHAPE_MESH_MISSING
    )
    node: NodeIndex | None = None
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class OtherGeometry:
    """A shape of a type that no specification we read names; it only travels through."""

    type: str = ""
    carried: Carried = ""


Primitive = Box | Sphere | Capsule | Cylinder
Geometry = Box | Sphere | Capsule | Cylinder | Plane | Convex | Trimesh | OtherGeometry

# The words of the families' lists of shapes; KHR names meshes elsewhere.
TYPES: Final[dict[str, type[Geometry]]] = {
    "box": Box,
    "sphere": Sphere,
    "capsule": Capsule,
    "cylinder": Cylinder,
    "convex": Convex,
    "trimesh": Trimesh,
}
KHR_TYPES: Final[dict[str, type[Geometry]]] = {
    "box": Box,
    "sphere": Sphere,
    "capsule": Capsule,
    "cylinder": Cylinder,
    "plane": Plane,
}
WORDS: Final[dict[type, str]] = {record: word for word, record in (TYPES | KHR_TYPES).items()}


@dataclass(frozen=True, kw_only=True)
class Shape:
    """One entry of the list of shapes; `carried` are the members beside the geometry's own."""

    geometry: Geometry
    name: str = described("", "Name of the shape")
    carried: Carried = ""
