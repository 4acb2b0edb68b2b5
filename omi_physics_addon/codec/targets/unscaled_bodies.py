"""Writes scaled bodies for Godot so that no body is scaled, and all that is seen stays.

Jolt plays a scaled body with the scale; GodotPhysics3D takes the scale off the body, and what is
seen with it. A new node that is not scaled becomes the body, and the node that was it hangs below.
Godot puts the wheels of a scaled vehicle elsewhere, takes the scale off wheels, and multiplies the
forces of thrusters with it, so these get nodes of their own, too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from ...geometry.scaled_shapes import is_one, of_same_volume
from ...model.bodies import Collider, Motion
from ...model.document import NewNode, NodePhysics
from ...model.fields import ShapeIndex, Vector3
from ...model.shapes import Box, Capsule, Cylinder, Sphere
from ..convert.draft import Draft
from ..values.node_tree import Tree, inverse, multiply, scale_of
from .nested_bodies import is_steady, moves

_PARTS: Final = ("wheel", "thruster", "hover_thruster")
_ROUND_OR_BOX: Final = (Box, Sphere, Capsule, Cylinder)  # They take a scale into their sizes.


def bake(draft: Draft, name_of: Callable[[int], str], animated: Collection[int]) -> None:
    """Give scaled bodies that move a node without the scale.

    Args:
        animated: nodes that animations move, which stay bodies themselves.
    """
    if draft.is_shared:  # Then the old node is a body still, for those who read the other one.
        return
    for node, physics in draft.nodes():
        if node >= draft.file_nodes or physics.motion is None:
            continue
        scale = scale_to_bake(draft.document.nodes, draft.tree, node)
        if scale is None or node in animated:
            continue
        parent = _parent(draft, node, animated)
        if parent is not None:
            _bake(draft, node, physics.motion, scale, parent, name_of(node))
    _free_parts(draft, name_of, animated)


def _free_parts(draft: Draft, name_of: Callable[[int], str], animated: Collection[int]) -> None:
    """Give scaled wheels and thrusters nodes without the scale, directly below their vehicle."""
    for node, physics in draft.nodes():
        size = part_scale(draft.tree, node, physics) if node < draft.file_nodes else None
        body = None if size is None else draft.body_of(node)
        if size is None or body is None or draft.of(body[0]).vehicle_body is None:
            continue
        above = scale_of(draft.world(body[0]))
        if above is None or not is_one(above) or not is_steady(draft, node, body[0], animated):
            continue
        new = _without_scale(draft, node, size, body[0], name_of(node))
        found = {part: getattr(physics, part) for part in _PARTS}
        draft.change(new, **found)
        draft.change(node, **dict.fromkeys(found))


def part_scale(tree: Tree, node: int, physics: NodePhysics) -> Vector3 | None:
    """The sizes by which a part of a vehicle is scaled; None where it has none, or keeps them."""
    is_part = any(getattr(physics, part) is not None for part in _PARTS)
    if not is_part or physics.motion is not None or not tree.may_be_scaled(node):
        return None
    scale = scale_of(tree.world(node))
    if scale is None or not all(scale):
        return None
    size = (abs(scale[0]), scale[1], scale[2])  # What is mirrored stays so.
    return None if is_one(size) else size


def bake_one(draft: Draft, node: int, name: str) -> None:
    """Give one scaled body a node without the scale, if it can be taken off it."""
    motion = draft.of(node).motion
    scale = scale_to_bake(draft.document.nodes, draft.tree, node)
    parent = None if scale is None else _parent(draft, node, ())
    if motion is not None and scale is not None and parent is not None:
        _bake(draft, node, motion, scale, parent, name)


def scale_to_bake(nodes: Mapping[int, NodePhysics], tree: Tree, node: int) -> Vector3 | None:
    """The scale of a body that can be taken off it; None where it has none, or keeps it."""
    physics = nodes[node]
    if not moves(physics.motion) or node in tree.bones or not tree.may_be_scaled(node):
        return None
    scale = scale_of(tree.world(node))
    if scale is None or is_one(scale) or not all(size > 0.0 for size in scale):
        return None
    parts = [at for at in _part_of(nodes, tree, node) if nodes[at].collider is not None]
    return scale if all(scale_of(tree.world(at)) is not None for at in parts) else None


def _part_of(nodes: Mapping[int, NodePhysics], tree: Tree, body: int) -> Iterator[int]:
    """The nodes of a body that have physics, without those of other bodies."""
    seen, waiting = {body}, [body]
    while waiting:
        at = waiting.pop()
        if at in nodes:
            yield at
        for child in tree.children[at] if at < len(tree.children) else ():
            if child not in seen and (child not in nodes or nodes[child].motion is None):
                seen.add(child)
                waiting.append(child)


def _parent(draft: Draft, node: int, animated: Collection[int]) -> int | None:
    """Where the new body hangs: beside the old one, or in the scene; None for nowhere."""
    parent = draft.parent_of(node)
    if parent < 0:
        return -1
    back = inverse(draft.world(parent))
    if back is not None and _is_straight(multiply(back, draft.world(node)), draft.world(parent)):
        return parent
    return -1 if is_steady(draft, node, -1, animated) else None


def _is_straight(local: tuple[float, ...], above: tuple[float, ...]) -> bool:
    """Whether a node without scale in the world is neither sheared nor scaled below another."""
    scale = scale_of(above)
    return scale is not None and is_one(scale) and scale_of(local) is not None


def _bake(draft: Draft, node: int, motion: Motion, scale: Vector3, parent: int, name: str) -> None:
    new = _without_scale(draft, node, scale, parent, name)
    vehicle = draft.of(node).vehicle_body
    draft.change(node, motion=None, vehicle_body=None)
    center = motion.center_of_mass
    if center is not None:
        (a, b, c), (x, y, z) = center, scale
        motion = dataclasses.replace(motion, center_of_mass=(a * x, b * y, c * z))
    draft.change(new, motion=motion, vehicle_body=vehicle)
    collider = draft.of(node).collider
    if collider is not None and collider.shape is not None:
        _move_collider(draft, node, new, collider, scale)


def _without_scale(draft: Draft, node: int, scale: Vector3, parent: int, name: str) -> int:
    """A new node in the place of one without its scale; the old one hangs below."""
    x, y, z = scale
    back = (1.0 / x, 1.0 / y, 1.0 / z)
    new = draft.add_node(NewNode(parent, node, name, scale=back, stands_for=node))
    draft.move_node(node, new)
    # Godot knows nodes by their names, of which it gives each once.
    draft.document.renamed_nodes[node] = f"{name} Scaled"
    return new


def _move_collider(draft: Draft, node: int, new: int, collider: Collider, scale: Vector3) -> None:
    """Put a shape onto the new body with the scale in its sizes; meshes stay on their node."""
    assert collider.shape is not None
    shapes = draft.document.shapes
    shape = shapes[collider.shape] if collider.shape < len(shapes) else None
    if shape is None or not isinstance(shape.geometry, _ROUND_OR_BOX):
        return
    sized = dataclasses.replace(shape, geometry=of_same_volume(shape.geometry, scale))
    index = ShapeIndex(draft.add("shapes", sized))
    draft.change(node, collider=None)
    draft.change(new, collider=dataclasses.replace(collider, shape=index))
