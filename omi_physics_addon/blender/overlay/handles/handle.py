"""One handle: its place, along or about what it is pulled, and the numbers that a pull changes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from mathutils import Euler, Matrix, Vector

Start = tuple[float, tuple[Any, ...]]  # The value of a handle, and the numbers it changes.


class Field(NamedTuple):
    """A number of a property group that follows a handle.

    Attributes:
        name: of the property.
        at: which number of a vector; None where the property is one number.
        factor: how much it changes for each unit of the handle's value.
        one_sided: it stays where it is while both sides are pulled.
        about: the property is an Euler rotation, which turns about this of its own axes.
    """

    group: Any
    name: str
    at: int | None = None
    factor: float = 1.0
    one_sided: bool = False
    about: Vector | None = None

    def read(self) -> Any:
        """What it is now."""
        value = getattr(self.group, self.name)
        if self.about is not None:
            return tuple(value)
        return value if self.at is None else value[self.at]

    def write(self, begun: Any, by: float) -> None:
        """Make it what it was when the pull began, and so much more."""
        if self.about is not None:
            turned = Euler(begun).to_matrix() @ Matrix.Rotation(by * self.factor, 3, self.about)
            euler: Any = turned.to_euler("XYZ", Euler(begun))
            self._set(tuple(euler) if by else begun)
        else:
            self._set(begun + by * self.factor if by else begun)

    def _set(self, value: Any) -> None:
        """What does not change stays untouched: Blender saves all that was ever set."""
        if value == self.read():
            return
        if self.at is None:
            setattr(self.group, self.name, value)
        else:
            getattr(self.group, self.name)[self.at] = value


class Handle(NamedTuple):
    """A place in the viewport that can be pulled.

    Attributes:
        key: what tells it from others of the object, the same in every redraw.
        form: how it looks: COLLIDER, TRIGGER, KNOB, ARROW, RING or DOT.
        label: name of what a pull changes.
        value: what that is now, in the units of its property; angles in rad.
        place: in the world.
        way: where it moves for one unit of the value, in the world; about what it turns, of
            length 1, where there is a center.
        center: about which it turns, in the world; None for what moves along a line.
        two_sided: with both sides pulled its value changes twice as much.
        axis: X, Y or Z as 0, 1 or 2, for its colour; None for none.
        locked: there is nothing to pull, unless a pull led there and still goes on.
    """

    key: str
    form: str
    label: str
    value: float
    fields: tuple[Field, ...]
    place: Vector
    way: Vector
    center: Vector | None = None
    two_sided: bool = False
    least: float = -math.inf
    most: float = math.inf
    axis: int | None = None
    locked: bool = False


def unit(axis: int, length: float = 1.0) -> Vector:
    """A vector along an axis; X follows Z."""
    return Vector([length * (i == axis % 3) for i in range(3)])


class Space(NamedTuple):
    """Where the numbers of a property group are measured.

    Attributes:
        matrix: to the world.
    """

    matrix: Matrix

    def along(
        self, key: str, label: str, fields: Iterable[Field], place: Any, way: Any, **more: Any
    ) -> Handle:
        """A handle that moves along a line; place and way are in this space."""
        way = self.matrix.to_3x3() @ Vector(way)
        return _handle(key, label, fields, self.matrix @ Vector(place), way, more)

    def arrows(
        self,
        key: str,
        label: str,
        group: Any,
        name: str,
        axes: Iterable[int] = (0, 1, 2),
    ) -> Iterator[Handle]:
        """Arrows that move a point along axes.

        Args:
            name: of the vector of the group that says where it is.
        """
        place = Vector(getattr(group, name))
        for axis in axes:
            fields = [Field(group, name, axis)]
            said = f"{label} {'XYZ'[axis]}"
            yield self.along(
                f"{key} {axis}", said, fields, place, unit(axis), form="ARROW", axis=axis
            )

    def about(
        self,
        key: str,
        label: str,
        fields: Iterable[Field],
        place: Any,
        way: Any,
        center: Any = (0.0, 0.0, 0.0),
        **more: Any,
    ) -> Handle:
        """A handle that turns about an axis; place, way and center are in this space."""
        turn = self.matrix.to_3x3()
        sense = -1.0 if turn.determinant() < 0.0 else 1.0  # What is mirrored turns the other way.
        way = (turn @ Vector(way)).normalized() * sense
        place, middle = self.matrix @ Vector(place), self.matrix @ Vector(center)
        return _handle(key, label, fields, place, way, {**more, "center": middle})


def _handle(
    key: str, label: str, fields: Iterable[Field], place: Vector, way: Vector, more: dict[str, Any]
) -> Handle:
    """Its value is that of its first field, unless it is told."""
    fields = tuple(fields)
    rest: dict[str, Any] = {"form": "KNOB", **more}
    if "value" not in rest:
        rest["value"] = fields[0].read()
    return Handle(key=key, label=label, fields=fields, place=place, way=way, **rest)


def start(handle: Handle) -> Start:
    """What a handle changes, to start a pull from."""
    return handle.value, tuple(field.read() for field in handle.fields)


def pull(handle: Handle, begun: Start, by: float, *, even: bool = False) -> float:
    """Pull a handle so far along or about its way; its value then.

    Args:
        begun: what it changes, as it was before.
        by: in the units of its value.
        even: the opposite side moves, too.
    """
    value, fields = begun
    wanted = value + by * (2.0 if even and handle.two_sided else 1.0)
    return _put(handle, value, fields, wanted, even)


def put(handle: Handle, begun: Start, wanted: float, *, even: bool = False) -> float:
    """Give the value of a handle, as if it was pulled there; its value then."""
    return _put(handle, *begun, wanted, even)


def _put(handle: Handle, value: float, fields: tuple[Any, ...], wanted: float, even: bool) -> float:
    given = min(max(wanted, handle.least), handle.most)
    for field, old in zip(handle.fields, fields, strict=True):
        field.write(old, 0.0 if even and field.one_sided else given - value)
    return given


def choose(handle: Handle) -> None:
    """Make what a dot stands for the active one: its value is its place in a list."""
    for field in handle.fields:
        setattr(field.group, field.name, round(handle.value))


def go_back(handle: Handle, begun: Start) -> None:
    """Make everything what it was before the pull."""
    for field, old in zip(handle.fields, begun[1], strict=True):
        field.write(old, 0.0)
