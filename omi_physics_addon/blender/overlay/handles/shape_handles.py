"""The handles of shapes: sizes on their surface, and where they sit on their object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mathutils import Matrix, Vector

from .handle import Field, Handle, Space, unit

_SMALLEST: Final = 1e-3  # Of a size that was pulled, in the units of the object.
_OUTWARD: Final = tuple(unit(axis, sign) for axis in range(3) for sign in (1.0, -1.0))
SIZES: Final = len(_OUTWARD)  # Handles of a size: +X, -X, +Y, -Y, +Z, -Z.
_ROUND: Final = ("height", "radius_bottom", "radius_top")


def size_handles(shape: Any, matrix: Matrix, form: str) -> Iterator[Handle]:
    """The handles of a box or round shape, one on each side; none for others.

    Args:
        matrix: of its object.
        form: how they look, and what tells the shapes of an object apart.
    """
    from ...authoring import fitting

    if shape.type not in fitting.PRIMITIVES:
        return
    turn, center, space = fitting.turn_of(shape), Vector(shape.location), Space(matrix)
    for index, outward in enumerate(_OUTWARD):
        label, pulled, place = _side(shape, index)
        fields = [_sizes(shape)[at] for at in pulled]
        way = turn @ outward
        has_sides = shape.type == "BOX" or (shape.type != "SPHERE" and pulled == (0,))
        if has_sides:  # The opposite side stays where it is, but that of what is round.
            fields += [
                Field(shape, "location", axis, way[axis] / 2.0, one_sided=True)
                for axis in range(3)
                if abs(way[axis]) > 1e-9
            ]
        yield space.along(
            f"{form} size {index}",
            label,
            fields,
            center + turn @ place,
            way,
            form=form,
            two_sided=has_sides,
            least=_least(shape, pulled),
        )


def place_handles(shape: Any, matrix: Matrix, form: str) -> Iterator[Handle]:
    """Arrows that move a shape on its object, and rings that turn it."""
    from ...authoring import fitting

    space, turn, center = Space(matrix), fitting.turn_of(shape), Vector(shape.location)
    for axis, letter in enumerate("XYZ"):
        yield from space.arrows(f"{form} offset", "Offset", shape, "location", (axis,))
        about = unit(axis)
        yield space.about(
            f"{form} turn {axis}",
            f"Turn {letter}",
            [Field(shape, "rotation", about=about)],
            center,
            turn @ about,
            center,
            form="RING",
            axis=axis,
            value=0.0,
        )


def _side(shape: Any, index: int) -> tuple[str, tuple[int, ...], Vector]:
    """Label of a handle, the sizes that it changes, and its place in the axes of the shape."""
    outward, axis = _OUTWARD[index], index // 2
    if shape.type == "BOX":
        return f"Size {'XYZ'[axis]}", (axis,), outward * (shape.box.size[axis] / 2.0)
    if shape.type == "SPHERE":
        return "Radius", (0,), outward * shape.sphere.radius
    height, bottom, top = (field.read() for field in _sizes(shape))
    if axis == 2:
        end = top if outward.z > 0.0 else bottom
        reach = height / 2.0 + (end if shape.type == "CAPSULE" else 0.0)
        return "Height", (0,), outward * reach
    if bottom == top:
        return "Radius", (1, 2), outward * bottom
    label, radius, at = ("Radius Bottom", bottom, -1.0) if axis == 0 else ("Radius Top", top, 1.0)
    return label, (1 + axis,), outward * radius + Vector((0.0, 0.0, at * height / 2.0))


def _least(shape: Any, pulled: Sequence[int]) -> float:
    """How small a size may get."""
    if shape.type == "CAPSULE" and 0 in pulled:
        return 0.0  # Only a ball is left.
    if shape.type not in ("BOX", "SPHERE") and len(pulled) == 1 and pulled[0]:
        return 0.0 if _sizes(shape)[3 - pulled[0]].read() else _SMALLEST  # A cone has a point.
    return _SMALLEST


def _sizes(shape: Any) -> list[Field]:
    if shape.type == "BOX":
        return [Field(shape.box, "size", axis) for axis in range(3)]
    if shape.type == "SPHERE":
        return [Field(shape.sphere, "radius")]
    group = getattr(shape, shape.type.lower())
    return [Field(group, name) for name in _ROUND]
