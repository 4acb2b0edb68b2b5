"""What a record says about one of its fields, besides its type and default."""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
import typing
from dataclasses import dataclass
from typing import Any, Final, NewType, TypeVar

from ..issue_codes import Code

T = TypeVar("T")
Vector3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

# Indices into the lists of a document, or into the nodes and meshes of the glTF.
NodeIndex = NewType("NodeIndex", int)
MeshIndex = NewType("MeshIndex", int)
ShapeIndex = NewType("ShapeIndex", int)
MaterialIndex = NewType("MaterialIndex", int)
FilterIndex = NewType("FilterIndex", int)
JointIndex = NewType("JointIndex", int)
WheelIndex = NewType("WheelIndex", int)
ThrusterIndex = NewType("ThrusterIndex", int)
HoverThrusterIndex = NewType("HoverThrusterIndex", int)
INDEX_TYPES: Final = frozenset(
    {
        NodeIndex,
        MeshIndex,
        ShapeIndex,
        MaterialIndex,
        FilterIndex,
        JointIndex,
        WheelIndex,
        ThrusterIndex,
        HoverThrusterIndex,
    }
)

AxisIndex = NewType("AxisIndex", int)  # 0, 1, 2 for X, Y, Z.

# JSON text of the members of an object that its record has no field for, and of those whose
# value could not be used as it was; see codec/values/carried.py. Text keeps records hashable.
Carried = str


class Quantity(enum.Enum):
    """How the value of a field changes with the axes it is written in."""

    SCALAR = enum.auto()  # A number, a flag, a name: the same in all axes.
    VECTOR = enum.auto()  # A position or velocity: turns with the axes.
    DIRECTION = enum.auto()  # A vector of length 1.
    EXTENT = enum.auto()  # Sizes along the axes: trade places, never change sign.
    ROTATION = enum.auto()  # A quaternion (x, y, z, w).


@dataclass(frozen=True)
class Field:
    """The meaning of one field; the tooltip, the docs and the codec read it.

    Attributes:
        rule: code of the issue that a bad value raises; OUT_OF_BOUNDS where none is named.
        negative_is_none: a negative value stands for none, so it is not taken for a mistake in
            the sign.
        length_rule: code of the issue that a list of another length raises.
        unpublished: why no published schema has the field; empty where the schemas must have it.
    """

    text: str
    unit: str = ""
    quantity: Quantity = Quantity.SCALAR
    minimum: float | None = None
    above: float | None = None
    maximum: float | None = None
    rule: Code | None = None
    negative_is_none: bool = False
    length_rule: Code = Code.ARRAY_LENGTH_WRONG
    unpublished: str = ""


_FIELD: Final = "field"  # The key of a meaning in the metadata of a field.


def meaning(field: Field) -> dict[str, Field]:
    """The metadata of a field of a record."""
    return {_FIELD: field}


def of(default: T, field: Field) -> T:
    """A field of a record with a meaning that others share."""
    return dataclasses.field(default=default, metadata=meaning(field))


def described(
    default: T,
    text: str,
    unit: str = "",
    quantity: Quantity = Quantity.SCALAR,
    *,
    minimum: float | None = None,
    above: float | None = None,
    maximum: float | None = None,
    rule: Code | None = None,
    negative_is_none: bool = False,
    length_rule: Code = Code.ARRAY_LENGTH_WRONG,
    unpublished: str = "",
) -> T:
    """A field of a record, with its default and what `Field` says of it."""
    bounds = (minimum, above, maximum, rule, negative_is_none, length_rule, unpublished)
    return of(default, Field(text, unit, quantity, *bounds))


@dataclass(frozen=True, eq=False)
class FieldInfo:
    """One row of a record's field table.

    `type` is what a present value has: for `float | None` it is float.
    """

    name: str
    key: str
    type: Any
    default: Any
    field: Field

    @property
    def required(self) -> bool:
        """Whether a record cannot be made without it."""
        return self.default is dataclasses.MISSING

    @property
    def fault(self) -> Code:
        """The code of the issue that a value out of bounds or of the wrong form raises."""
        return self.field.rule or Code.OUT_OF_BOUNDS

    @property
    def words(self) -> tuple[str, ...]:
        """The allowed words of an enumeration; empty for anything else."""
        return typing.get_args(self.type) if typing.get_origin(self.type) is typing.Literal else ()

    @property
    def length(self) -> int:
        """How many numbers a vector has; 0 for anything else."""
        args = typing.get_args(self.type) if typing.get_origin(self.type) is tuple else ()
        return len(args) if args and args[0] is float and args[-1] is not Ellipsis else 0

    @property
    def item(self) -> Any:
        """The type of the items of a list of any length; None for anything else."""
        args = typing.get_args(self.type) if typing.get_origin(self.type) is tuple else ()
        return args[0] if len(args) == 2 and args[1] is Ellipsis else None


@functools.cache
def table(record: type) -> tuple[FieldInfo, ...]:
    """The described fields of `record`, in the order they are written in."""
    kinds = typing.get_type_hints(record)
    return tuple(
        FieldInfo(at.name, camel(at.name), _bare(kinds[at.name]), at.default, at.metadata[_FIELD])
        for at in dataclasses.fields(record)
        if _FIELD in at.metadata
    )


@functools.cache
def row(record: type, name: str) -> FieldInfo:
    """The row of the field called `name`.

    Raises:
        KeyError: `record` has no such field.
    """
    for info in table(record):
        if info.name == name:
            return info
    raise KeyError(f"{record.__name__} has no field {name}")


def camel(name: str) -> str:
    """The JSON key of a field name: center_of_mass becomes centerOfMass."""
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


def _bare(kind: Any) -> Any:
    """`X` for `X | None`."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return next(arg for arg in typing.get_args(kind) if arg is not type(None))
    return kind
