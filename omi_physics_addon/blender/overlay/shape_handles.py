"""Where the shapes of colliders and triggers can be pulled, and what a pull makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from mathutils import Vector

from ..base import groups

_SMALLEST: Final = 1e-3  # Of a size that was pulled, in the units of the object.
_OUTWARD: Final = tuple(
    Vector([sign * (i == axis) for i in range(3)]) for axis in range(3) for sign in (1.0, -1.0)
)
COUNT: Final = len(_OUTWARD)  # Handles of a shape: +X, -X, +Y, -Y, +Z, -Z.
_ROUND: Final = ("height", "radius_bottom", "radius_top")


class Handle(NamedTuple):
    """A place on the surface of a shape.

    Attributes:
        label: name of what a pull changes.
        value: what that is now, in the units of the object.
        place: in the axes of the object.
        direction: outwards, of length 1, in the axes of the object.
    """

    label: str
    value: float
    place: Vector
    direction: Vector


class Start(NamedTuple):
    """The size and place of a shape before a pull."""

    sizes: tuple[float, ...]
    location: tuple[float, ...]


def shown(obj: Any, settings: Any) -> list[tuple[str, Any]]:
    """The shapes of an object that have handles: COLLIDER or TRIGGER, and the property group.

    Args:
        settings: of the overlay.
    """
    from ..authoring import fitting

    group = groups.of_object(obj)
    found: list[tuple[str, Any]] = []
    if group.use_collider and settings.colliders:
        found.append(("COLLIDER", group.collider.shape))
    if group.use_trigger and settings.triggers and group.trigger.mode == "SHAPE":
        found.append(("TRIGGER", group.trigger.shape))
    return [(part, shape) for part, shape in found if shape.type in fitting.PRIMITIVES]


def handles(shape: Any) -> list[Handle]:
    """The handles of a box or round shape, as many as COUNT."""
    from ..authoring import fitting

    turn, center = fitting.turn_of(shape), Vector(shape.location)
    found: list[Handle] = []
    for index, outward in enumerate(_OUTWARD):
        label, value, place = _handle(shape, index)
        found.append(Handle(label, value, center + turn @ place, turn @ outward))
    return found


def start(shape: Any) -> Start:
    """The size and place of a shape, to start a pull from."""
    return Start(_sizes(shape), tuple(shape.location))


def pull(shape: Any, begun: Start, index: int, by: float, *, even: bool = False) -> None:
    """Pull a handle outwards; the opposite side stays where it is, but that of what is round.

    Args:
        begun: what the shape was before.
        by: how far, in the units of the object.
        even: both sides move.
    """
    from ..authoring import fitting

    sizes, shift = [*begun.sizes], 0.0
    pulled = _pulled(shape, index, begun.sizes)
    has_sides = shape.type == "BOX" or (shape.type != "SPHERE" and pulled == (0,))
    for at in pulled:
        size = begun.sizes[at] + by * (2.0 if even and has_sides else 1.0)
        sizes[at] = max(size, _least(shape, at, begun.sizes, pulled))
        if has_sides and not even:
            shift = (sizes[at] - begun.sizes[at]) / 2.0
    _write(shape, sizes)
    _set_place(shape, Vector(begun.location) + fitting.turn_of(shape) @ (_OUTWARD[index] * shift))


def go_back(shape: Any, begun: Start) -> None:
    """Make a shape what it was before it was pulled."""
    _write(shape, begun.sizes)
    _set_place(shape, Vector(begun.location))


def _set_place(shape: Any, place: Vector) -> None:
    if place != Vector(shape.location):
        shape.location = place


def _handle(shape: Any, index: int) -> tuple[str, float, Vector]:
    """Label, value and place in the axes of the shape."""
    outward = _OUTWARD[index]
    axis = index // 2
    if shape.type == "BOX":
        size = shape.box.size[axis]
        return f"Size {'XYZ'[axis]}", size, outward * (size / 2.0)
    if shape.type == "SPHERE":
        return "Radius", shape.sphere.radius, outward * shape.sphere.radius
    height, bottom, top = _sizes(shape)
    if axis == 2:
        end = top if outward.z > 0.0 else bottom
        reach = height / 2.0 + (end if shape.type == "CAPSULE" else 0.0)
        return "Height", height, outward * reach
    if bottom == top:
        return "Radius", bottom, outward * bottom
    label, radius, at = ("Radius Bottom", bottom, -1.0) if axis == 0 else ("Radius Top", top, 1.0)
    return label, radius, outward * radius + Vector((0.0, 0.0, at * height / 2.0))


def _pulled(shape: Any, index: int, sizes: Sequence[float]) -> tuple[int, ...]:
    """The sizes that a handle changes."""
    axis = index // 2
    if shape.type == "BOX":
        return (axis,)
    if shape.type == "SPHERE" or axis == 2:
        return (0,)
    return (1, 2) if sizes[1] == sizes[2] else (1 + axis,)


def _least(shape: Any, at: int, sizes: Sequence[float], pulled: Sequence[int]) -> float:
    """How small a size may get."""
    if shape.type == "CAPSULE" and at == 0:
        return 0.0  # Only a ball is left.
    if shape.type != "BOX" and at and len(pulled) == 1:
        return 0.0 if sizes[3 - at] else _SMALLEST  # A cone may come to a point.
    return _SMALLEST


def _sizes(shape: Any) -> tuple[float, ...]:
    if shape.type == "BOX":
        return tuple(shape.box.size)
    if shape.type == "SPHERE":
        return (shape.sphere.radius,)
    group = getattr(shape, shape.type.lower())
    return tuple(getattr(group, name) for name in _ROUND)


def _write(shape: Any, sizes: Sequence[float]) -> None:
    if shape.type == "BOX":
        shape.box.size = sizes
    elif shape.type == "SPHERE":
        shape.sphere.radius = sizes[0]
    else:
        group = getattr(shape, shape.type.lower())
        for name, size in zip(_ROUND, sizes, strict=True):
            setattr(group, name, size)
