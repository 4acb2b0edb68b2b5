"""Writes round shapes for engines that do not read them as they stand: as hulls, or unscaled."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection
from typing import Final, TypeGuard

from ...geometry.round_hulls import round_mesh
from ...geometry.scaled_shapes import exact, of_same_volume
from ...model.document import NewMesh, NewNode
from ...model.fields import ShapeIndex, Vector3
from ...model.shapes import Capsule, Convex, Cylinder, Geometry, Shape, Sphere
from ..convert.draft import Draft
from ..values.node_tree import Matrix, scale_of

Tapered = Capsule | Cylinder

_SIZES: Final = (1e-6, 1e6)  # m, of what is written as a mesh; beyond, engines lose digits.
_LARGEST: Final = 1e30  # m, of a mesh before it is scaled.


def is_tapered(geometry: Geometry) -> TypeGuard[Tapered]:
    """Whether a shape is thinner at one end."""
    is_round = isinstance(geometry, (Capsule, Cylinder))
    return is_round and geometry.radius_bottom != geometry.radius_top


def becomes_hull(geometry: Geometry, world: Matrix) -> bool:
    """Whether a shape on a node with this matrix is one that `tapered_as_hulls` writes."""
    return is_tapered(geometry) and _sized(geometry, world) is not None


def tapered_as_hulls(
    draft: Draft, kinds: tuple[type, ...], parts: Collection[str], name_of: Callable[[int], str]
) -> None:
    """Write tapered shapes of some kinds as the hulls of new meshes.

    Args:
        parts: whose shapes: "collider", "trigger".
        name_of: the name of a node, from which those of meshes are made.
    """
    for node, part, shape in shapes_of(draft, parts):
        if not isinstance(shape.geometry, kinds) or not is_tapered(shape.geometry):
            continue
        found = _sized(shape.geometry, draft.world(node))
        if found is None:
            continue
        sized, scale = found
        corners, triangles = round_mesh(sized)
        named = f"{shape.name or name_of(node)} Hull"
        mesh = NewMesh(named, tuple(divided(at, scale) for at in corners), triangles)
        same = next((m for m in draft.document.new_meshes if m.corners == mesh.corners), mesh)
        hull = dataclasses.replace(shape, geometry=Convex(mesh=draft.add_mesh(same)))
        use_shape(draft, node, part, hull)


def unscale(draft: Draft, name_of: Callable[[int], str]) -> None:
    """Give round colliders whose scale makes another shape of them a node without that scale.

    They get the even scale of the same volume, as in masses and previews.
    """
    for node, part, shape in shapes_of(draft, ("collider",)):
        geometry, scale = shape.geometry, _scale(draft.world(node))
        if not isinstance(geometry, (Sphere, Capsule, Cylinder)) or scale is None:
            continue
        if exact(geometry, scale) is not None:
            continue
        x, y, z = scale
        back = (1.0 / x, 1.0 / y, 1.0 / z)
        new = draft.add_node(NewNode(node, node, f"{name_of(node)} Shape", scale=back))
        collider = draft.of(node).collider
        draft.change(node, collider=None)
        draft.change(new, collider=collider)
        use_shape(
            draft, new, part, dataclasses.replace(shape, geometry=of_same_volume(geometry, scale))
        )


def shapes_of(draft: Draft, parts: Collection[str]) -> list[tuple[int, str, Shape]]:
    """Nodes of the file, their parts, and the shapes of these."""
    return [
        (node, name, shape)
        for node, physics in draft.nodes()
        if node < draft.file_nodes
        for name, _part, shape in draft.document.shaped(physics)
        if name in parts
    ]


def _sized(geometry: Tapered, world: Matrix) -> tuple[Tapered, Vector3] | None:
    """A shape in its size in the world, and its scale; None where no mesh can be made of it."""
    scale = _scale(world)
    if scale is None:
        return None
    sized = of_same_volume(geometry, scale)
    sizes = (sized.height, max(sized.radius_bottom, sized.radius_top))
    own = max(sizes) / min(scale)  # The mesh is that of a node with the scale.
    fits = all(_SIZES[0] <= size <= _SIZES[1] for size in sizes) and own < _LARGEST
    return (sized, scale) if fits else None


def _scale(world: Matrix) -> Vector3 | None:
    """The scale of a matrix; None where it shears, mirrors or leaves nothing."""
    scale = scale_of(world)
    return scale if scale is not None and all(size > 0.0 for size in scale) else None


def use_shape(draft: Draft, node: int, part: str, shape: Shape) -> None:
    """Give a part of a node another shape."""
    record = getattr(draft.of(node), part)
    index = ShapeIndex(draft.add("shapes", shape))
    draft.change(node, **{part: dataclasses.replace(record, shape=index)})


def divided(vector: Vector3, scale: Vector3) -> Vector3:
    """A vector without the sizes of a scale along its axes."""
    x, y, z = (part / abs(size) for part, size in zip(vector, scale, strict=True))
    return (x, y, z)
