"""Writes shapes that were fitted to points into property groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal, cast

import bpy
import numpy as np
from mathutils import Euler, Matrix
from numpy.typing import ArrayLike

from ...axes import Axes, matrices_to_blender, matrices_to_gltf, points_to_gltf
from ...geometry.arrays import Array, Indices
from ...geometry.fit import placed_shape
from ...geometry.fit.best_fit import Wish, fit_wish
from ...geometry.fit.placed_shape import Placed
from ...geometry.fit.round_fits import AxisChoice
from ...geometry.fit.simple_hull import SimpleHull
from ...model.shapes import TYPES, WORDS, Box, Primitive, Sphere

Vector3 = tuple[float, float, float]
Along = Literal["AUTO", "X", "Y", "Z"]

MESHES: Final = frozenset({"CONVEX", "TRIMESH"})
# The numbers of the primitives, by type.
SIZES: Final = {
    "BOX": ("size",),
    "SPHERE": ("radius",),
    "CAPSULE": ("height", "radius_bottom", "radius_top"),
    "CYLINDER": ("height", "radius_bottom", "radius_top"),
}
PRIMITIVES: Final = SIZES.keys()

# Sizes are above zero, so what is flat gets this part of its largest size as thickness.
_THIN: Final = 1e-3
# A single point has no largest size, m.
_SMALLEST: Final = 1e-3
# Centers nearer to the origin than this part of the largest size are in the origin: an offset
# costs a node of its own in the file.
_CENTERED: Final = 1e-5
# How far outside points may be left, against the size: Blender's numbers are not more exact.
_OUTSIDE: Final = 1e-6
_STRAIGHT: Final = 1e-7  # Smaller angles are noise of the fit and become 0, rad.

_AXES: Final = Axes()
# Blender's axis → the axis of the same direction in glTF.
_ALONG: Final[dict[Along, AxisChoice]] = {"AUTO": "auto", "X": 0, "Y": 2, "Z": 1}


def wish(kind: str, along: Along = "AUTO", free: bool = False, taper: bool = False) -> Wish:
    """What to ask for, in the words of operators."""
    word: Any = kind.lower()
    return Wish(word, "free" if free else _ALONG[along], taper)


def fit_shape(shape: Any, kind: str, points: ArrayLike, along: Along = "AUTO") -> None:
    """Make the property group of a shape the smallest of its kind around points.

    Args:
        kind: BOX, SPHERE, CAPSULE or CYLINDER.
        points: (n, 3), at least one, in the object's space and Blender's axes.
        along: the object's axis a capsule or cylinder lies on.

    Raises:
        ValueError: there are no points, or one is not finite.
    """
    turned = to_gltf(points)
    write_placed(shape, fit_wish(turned, wish(kind, along)), turned)


def to_gltf(points: ArrayLike) -> Array:
    """Points (n, 3) in glTF's axes, in which shapes are fitted: Z wins where others are equal."""
    return points_to_gltf(np.asarray(points, dtype=np.float64))


def write_placed(shape: Any, found: Placed, points: Array, margin: float = 0.0) -> Placed:
    """Make a property group a shape that was fitted; returns what had to be written.

    Args:
        points: (n, 3), in glTF's axes; the shape holds them but for the last digit, unless the
            margin is negative.
        margin: how much larger it gets all around, in the units of the object.
    """
    wanted = _thickened(found.grown(margin))
    while True:
        write_stored(shape, wanted)
        stored = stored_shape(shape)
        excess = float(stored.beyond(points).max(initial=0.0)) if margin >= 0.0 else 0.0
        if excess <= _OUTSIDE * placed_shape.largest(stored.geometry):
            return wanted
        wanted = wanted.grown(1.5 * excess)


def stored_shape(shape: Any) -> Placed:
    """The shape that a property group holds, which must be a box or round, in glTF's axes."""
    word = shape.type.lower()
    values = {name: getattr(getattr(shape, word), name) for name in SIZES[shape.type]}
    if "size" in values:
        values["size"] = _AXES.size_to_gltf(values["size"])
    geometry = cast(Primitive, TYPES[word](**values))
    center = np.array(_AXES.point_to_gltf(shape.location), dtype=np.float64)
    turn = np.array(turn_of(shape), dtype=np.float64)
    return Placed(geometry, center, matrices_to_gltf(turn))


def turn_of(shape: Any) -> Matrix:
    """How a shape is turned on its object, in Blender's axes."""
    return Euler(shape.rotation).to_matrix()


def write_stored(shape: Any, found: Placed) -> None:
    """Give a property group the sizes and the place of a shape, as they are."""
    word = WORDS[type(found.geometry)]
    _write(shape, "type", word.upper())
    drop_made_mesh(shape)
    for name in SIZES[shape.type]:
        value: Any = getattr(found.geometry, name)
        value = _AXES.size_to_blender(value) if name == "size" else value
        _write(getattr(shape, word), name, value)
    _write_place(shape, found)


def use_own_mesh(shape: Any, kind: str) -> None:
    """Make the property group of a shape the hull or the surface of its object's own mesh."""
    _write(shape, "type", kind)
    drop_made_mesh(shape)
    _write(shape, "mesh_source", "OWN")
    _write_location(shape, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


_MADE: Final = " Collision"  # How the names of meshes end that fits made.


def use_mesh(
    shape: Any,
    kind: str,
    name: str,
    hull: SimpleHull,
    materials: Sequence[Any] = (),
    slots: Indices | None = None,
) -> None:
    """Make the property group of a shape a mesh of its own, in the object's space.

    A mesh that an earlier fit made for it is used again.

    Args:
        materials: Blender materials, which say what surfaces faces have.
        slots: which of them each triangle has; the first for none.
    """
    _write(shape, "type", kind)
    mesh = shape.mesh if is_made_mesh(shape.mesh) else None
    if mesh is None:
        mesh = bpy.data.meshes.new(name + _MADE)
    mesh.clear_geometry()
    mesh.from_pydata(hull.corners.tolist(), [], hull.triangles.tolist())
    mesh.materials.clear()
    for material in materials:
        mesh.materials.append(material)
    if slots is not None:
        mesh.polygons.foreach_set("material_index", slots.astype(np.int32))
    mesh.update()
    _write(shape, "mesh_source", "DATA")
    _write(shape, "mesh", mesh)
    _write_location(shape, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def is_made_mesh(mesh: Any) -> bool:
    """Whether a fit made a mesh for one shape alone."""
    if mesh is None or mesh.users != 1 or mesh.library is not None:
        return False
    return mesh.name.rstrip(".0123456789").endswith(_MADE)


def drop_made_mesh(shape: Any, dropped: list[Any] | None = None) -> None:
    """Remove the mesh that an earlier fit made for a shape, which nothing needs any more.

    Args:
        dropped: gets the mesh, to be removed with others; each removal looks through the file.
    """
    mesh = shape.mesh
    if is_made_mesh(mesh):
        shape.mesh = None
        if dropped is None:
            bpy.data.meshes.remove(mesh)
        else:
            dropped.append(mesh)


def place_of(found: Placed) -> Matrix:
    """Where a shape is in the space of its object, in Blender's axes."""
    turn = Matrix(matrices_to_blender(found.rotation).tolist())
    location = _AXES.point_to_blender(found.center.tolist())
    return Matrix.LocRotScale(location, turn.to_quaternion(), None)


def _write_place(shape: Any, found: Placed) -> None:
    place = place_of(found)
    nearest = _CENTERED * placed_shape.largest(found.geometry)
    x, y, z = (c if abs(c) > nearest else 0.0 for c in place.to_translation())
    a, b, c = (angle if abs(angle) > _STRAIGHT else 0.0 for angle in place.to_euler())
    _write_location(shape, (x, y, z), (a, b, c))


def _write_location(shape: Any, location: Vector3, rotation: Vector3) -> None:
    _write(shape, "location", location)
    _write(shape, "rotation", rotation)


def _thickened(found: Placed) -> Placed:
    """With sizes above zero, where a format asks for that."""
    shape = found.geometry
    most = placed_shape.largest(shape)
    if isinstance(shape, Box):
        x, y, z = (_thick(size, most) for size in shape.size)
        return replace(found, geometry=Box(size=(x, y, z)))
    if isinstance(shape, Sphere):
        return replace(found, geometry=Sphere(radius=_thick(shape.radius, most)))
    radii = [shape.radius_bottom, shape.radius_top]
    if max(radii) < _THIN * most or not most:
        radii = [_thick(max(radii), most)] * 2
    thick = replace(
        shape, height=_thick(shape.height, most), radius_bottom=radii[0], radius_top=radii[1]
    )
    return replace(found, geometry=thick)


def _thick(size: float, most: float) -> float:
    return max(size, _THIN * most) or _SMALLEST


def _write(group: Any, name: str, value: Any) -> None:
    """Set a property unless it has the value: Blender saves those that were set."""
    old = getattr(group, name)
    if (tuple(old) if isinstance(value, tuple) else old) != value:
        setattr(group, name, value)
