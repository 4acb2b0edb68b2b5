"""Convert shapes that KHR has and OMI has not: planes, scaled shapes, geometry of nodes.

Also the mass that engines compute of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from ...geometry.scaled_shapes import exact, is_one
from ...issue_codes import Code
from ...model.bodies import SHAPE_USERS, ShapeUser
from ...model.document import NewNode
from ...model.fields import ShapeIndex, Vector3
from ...model.shapes import Box, Convex, Geometry, Plane, Primitive, Shape, Sphere, Trimesh
from ..omi.omi_physics_shape import box_of
from ..values import carried
from ..values.listed_shapes import DEFORMING
from ..values.node_tree import scale_of
from .draft import Draft

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ...geometry.inertia import MassProperties

MeasureMesh = Callable[[int, bool, "ArrayLike"], "MassProperties | None"]

DENSITY: Final = 1000.0  # kg/m³, of water, for masses that the file leaves to the engine.
ENDLESS: Final = 1000.0  # m, what is written for infinite.
_LARGEST: Final = 1e30  # Of a number that a file can mean.


def to_plain(draft: Draft, endless: float = ENDLESS) -> None:
    """Write planes as boxes and scaled shapes with their true sizes, on new nodes."""
    for node, physics in draft.nodes():
        for name in SHAPE_USERS:
            part: ShapeUser | None = getattr(physics, name)
            if part is not None:
                _to_plain(draft, node, name, _without_geometry(draft, node, part), endless)
    draft.list_moved_triggers()
    shapes = draft.document.shapes
    for i, shape in enumerate(shapes):
        shapes[i] = _without_node(shape)


def bake_scale(draft: Draft, node: int) -> None:
    """Give the scaled shapes of one node their true sizes, on a new node; meshes stay."""
    for name, _part, shape in draft.document.shaped(draft.of(node)):
        scale = scale_of(draft.tree.world(node)) if node < draft.file_nodes else None
        if isinstance(shape.geometry, (Convex, Trimesh, Plane)) or scale is None:
            continue
        scaled = exact(shape.geometry, scale) if all(scale) else None
        if scaled is not None and _is_sane(*scale, *(1.0 / size for size in scale)):
            sized = dataclasses.replace(shape, geometry=scaled)
            _move(draft, node, name, sized, scale, ENDLESS)


def plane_to_box(draft: Draft, node: int) -> None:
    """Write the plane of one node as a box on a new node."""
    for name, part, _shape in draft.document.shaped(draft.of(node)):
        _to_plain(draft, node, name, _without_geometry(draft, node, part), ENDLESS)


def planes_to_boxes(draft: Draft, endless: float = ENDLESS) -> None:
    """Write planes as boxes on new nodes, and leave all else as it is."""
    for node, physics in draft.nodes():
        for name, part, shape in draft.document.shaped(physics):
            if isinstance(shape.geometry, Plane):
                _to_plain(draft, node, name, _without_geometry(draft, node, part), endless)
    draft.list_moved_triggers()


def _without_geometry(draft: Draft, node: int, part: Any) -> Any:
    """A collider or trigger without what KHR's `geometry` says beside its shape."""
    members = carried.unpack(part.carried)
    if "geometry" not in members:
        return part
    rest = cast(dict[str, Any], members.pop("geometry") or {})
    if rest.keys() - {"convexHull"}:
        why = (
            "the geometry has members without a place in OMI, which are left out: "
            f"{', '.join(rest)}"
        )
        draft.report(Code.MEMBERS_LEFT_OUT, node, why)
    return dataclasses.replace(part, carried=carried.pack(members))


def _without_node(shape: Shape) -> Shape:
    geometry = shape.geometry
    if not isinstance(geometry, (Convex, Trimesh)):
        return shape
    members = carried.unpack(geometry.carried)
    left = carried.pack({key: v for key, v in members.items() if key not in DEFORMING})
    return dataclasses.replace(
        shape, geometry=dataclasses.replace(geometry, node=None, carried=left)
    )


def _to_plain(draft: Draft, node: int, name: str, part: ShapeUser, endless: float) -> None:
    if part.shape is None:
        draft.change(node, **{name: part if name == "trigger" else None})
        return
    shape = draft.document.shapes[part.shape]
    scale = scale_of(draft.tree.world(node)) if node < draft.file_nodes else (1.0, 1.0, 1.0)
    draft.change(node, **{name: part})
    if isinstance(shape.geometry, (Convex, Trimesh)):
        if not _check_mesh(draft, node, shape.geometry, scale):
            draft.change(node, **{name: None})
        return
    if scale is not None and 0.0 in scale:
        why = f"a scale of zero switches the shape off, so the {name} is left out"
        draft.report(Code.SHAPE_SCALE_NOT_APPLIED, node, why)
        draft.change(node, **{name: None})
        return
    sizes = scale or (1.0, 1.0, 1.0)
    scaled = exact(shape.geometry, sizes)
    if scale is None or scaled is None or not _is_sane(*scale, *(1.0 / size for size in scale)):
        why = "the scale turns this shape into another one, so it stays scaled; apply the scale"
        draft.report(Code.SHAPE_SCALE_NOT_APPLIED, node, why)
        sizes, scaled = (1.0, 1.0, 1.0), shape.geometry
    if isinstance(scaled, Plane) or not is_one(_absolute(sizes)):
        _move(draft, node, name, dataclasses.replace(shape, geometry=scaled), sizes, endless)


def _check_mesh(draft: Draft, node: int, geometry: Convex | Trimesh, scale: Vector3 | None) -> bool:
    """Report what OMI cannot say of a mesh shape; False when nothing is left of it."""
    if geometry.mesh is None:
        why = (
            "the geometry's node has no mesh of its own, so the collider is left out; choose "
            "a node with a mesh"
        )
        draft.report(Code.NODE_GEOMETRY_AS_MESH, node, why)
        return False
    if geometry.node is not None:
        why = f"only the mesh of node {geometry.node} is used, without skin or children"
        draft.report(Code.NODE_GEOMETRY_AS_MESH, node, why)
    if carried.unpack(geometry.carried).keys() & set(DEFORMING):
        why = (
            "skin and morph weights of the collision mesh are left out, so the mesh is not deformed"
        )
        draft.report(Code.MEMBERS_LEFT_OUT, node, why)
    if scale is None or not is_one(_absolute(scale)):
        why = "the collision mesh stays scaled by its node; apply the scale"
        draft.report(Code.SHAPE_SCALE_NOT_APPLIED, node, why)
    return True


def _absolute(scale: Vector3) -> Vector3:
    x, y, z = scale
    return (abs(x), abs(y), abs(z))


def _move(draft: Draft, node: int, name: str, shape: Shape, scale: Vector3, endless: float) -> None:
    """Move a collider or trigger with a scaled shape to a new node that undoes the scale."""
    geometry, offset = shape.geometry, 0.0
    words: list[str] = []
    if isinstance(geometry, Plane):
        box = box_of(geometry, endless)
        offset = -box.size[1] / 2.0
        words.append("a box below the plane")
        why = f"OMI has no planes, so a box of {box.size} is written"
        draft.report(Code.PLANE_AS_BOX, node, why)
        geometry = dataclasses.replace(box, carried=geometry.carried)
    x, y, z = scale
    if not is_one(_absolute(scale)):
        words.append("its scaled size")
        why = f"the shape is scaled by {x:g}, {y:g}, {z:g} and written in its final size"
        draft.report(Code.SHAPE_SCALE_APPLIED, node, why)
    index = ShapeIndex(draft.add("shapes", dataclasses.replace(shape, geometry=geometry)))
    place = NewNode(
        node,
        node,
        f"{name} {node}",
        translation=(0.0, offset / y + 0.0, 0.0),
        scale=(1.0 / x, 1.0 / y, 1.0 / z),
    )
    new = draft.add_node(place)
    part = dataclasses.replace(getattr(draft.of(node), name), shape=index)
    draft.change(node, **{name: None})
    draft.change(new, **{name: part})
    if name == "trigger":
        draft.moved_triggers[node] = new


def estimate(
    draft: Draft, body: int, measure_mesh: MeasureMesh | None
) -> tuple[float, Vector3] | None:
    """Mass, kg, and center, in the node's space, at the density of water; None where unknown.

    Args:
        measure_mesh: mass properties at 1 kg/m³ of a mesh or of its hull, after a matrix (3, 3)
            that may scale; None if unknown.
    """
    whole = _whole(draft, body, measure_mesh)
    if whole is None:
        return None
    mass, center = whole.mass * DENSITY, _to_local(draft, body, whole)
    return (mass, center) if mass > 0.0 and _is_sane(mass, *center) else None


def weighed(draft: Draft, body: int, measure_mesh: MeasureMesh | None) -> MassProperties | None:
    """A body of 1 kg/m³ along its own axes, without its scale; None where unknown."""
    import numpy as np

    from ...geometry import inertia
    from ...geometry.rotations import nearest_rotation

    whole = _whole(draft, body, measure_mesh)
    if whole is None or whole.mass <= 0.0:
        return None
    linear = np.array(draft.tree.world(body)).reshape(4, 4).T[:3, :3]
    return inertia.place(whole, nearest_rotation(linear).T, np.zeros(3))


def _whole(draft: Draft, body: int, measure_mesh: MeasureMesh | None) -> MassProperties | None:
    """A body of 1 kg/m³ along the axes of the scene, from its origin; None where unknown."""
    from ...geometry import inertia

    origin = draft.tree.world(body)[12:15]  # What is far from the scene's is measured as well.
    parts = [_measure(draft, *found, origin, measure_mesh) for found in _solids(draft, body)]
    solids = [part for part in parts if part is not None]
    if not solids or len(solids) < len(parts):
        return None
    if any(not _is_sane(*part.center, part.mass) for part in solids):
        return None
    return inertia.combine(solids)


def _is_sane(*numbers: float) -> bool:
    """Whether numbers are small enough that products of a few of them are finite."""
    return all(abs(number) < _LARGEST for number in numbers)


def _solids(draft: Draft, body: int) -> Iterator[tuple[int, Geometry]]:
    for node in draft.part_of(body):
        collider = draft.of(node).collider
        geometry = None if collider is None else draft.document.geometry(collider.shape)
        if geometry is not None:
            yield node, geometry


def _measure(
    draft: Draft,
    node: int,
    geometry: Geometry,
    origin: Sequence[float],
    measure_mesh: MeasureMesh | None,
) -> MassProperties | None:
    """The mass properties of a shape along the axes of the scene, from an origin."""
    import numpy as np

    from ...geometry import inertia

    matrix = np.array(draft.tree.world(node)).reshape(4, 4).T
    scale = scale_of(draft.tree.world(node))
    if (scale and 0.0 in scale) or not _is_sane(*(scale or ()), *matrix.ravel().tolist()):
        return None
    offset = matrix[:3, 3] - origin
    if isinstance(geometry, (Convex, Trimesh)):
        if measure_mesh is None or geometry.mesh is None:
            return None
        mesh = measure_mesh(geometry.mesh, isinstance(geometry, Convex), matrix[:3, :3])
        return None if mesh is None else inertia.place(mesh, np.eye(3), offset)
    if scale is None:
        return None
    scaled = exact(geometry, scale)
    if not isinstance(scaled, Primitive) or not _is_sane(*_sizes(scaled)):
        return None
    turn = matrix[:3, :3] / np.array(_absolute(scale))
    return inertia.place(inertia.measure_primitive(scaled), turn, offset)


def _sizes(shape: Primitive) -> Vector3:
    if isinstance(shape, Box):
        return shape.size
    if isinstance(shape, Sphere):
        return (shape.radius, shape.radius, shape.radius)
    return (shape.height, shape.radius_bottom, shape.radius_top)


def _to_local(draft: Draft, body: int, whole: MassProperties) -> Vector3:
    import numpy as np

    matrix = np.array(draft.tree.world(body)).reshape(4, 4).T[:3, :3]
    if abs(np.linalg.det(matrix)) < 1e-30:
        return (0.0, 0.0, 0.0)
    local = np.linalg.inv(matrix) @ whole.center
    x, y, z = (round(float(value), 9) + 0.0 for value in local)
    return (x, y, z)
