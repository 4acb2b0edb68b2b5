"""Blender properties that take their numbers and tooltips from a record's field table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, cast

import bpy

from ...axes import Axes
from ...model import fields
from ...model.fields import FieldInfo, Quantity

# For pointers that lead from one part of an asset to another, and for every group on the way to
# one; without it a file forgets that an override points to an override.
OVERRIDABLE: Any = {"LIBRARY_OVERRIDABLE"}

_Unit = Literal["NONE", "LENGTH", "ROTATION", "MASS", "VELOCITY", "ACCELERATION"]
_UNITS: Final[dict[str, _Unit]] = {
    "m": "LENGTH",
    "rad": "ROTATION",
    "rad/s": "ROTATION",
    "kg": "MASS",
    "m/s": "VELOCITY",
    "m/s²": "ACCELERATION",
}


def number(record: type, name: str, *, default: float | None = None, **options: Any) -> Any:
    """A FloatProperty for the number `name` of `record`.

    Args:
        default: where the record's default is None, and for options of operators; anywhere else
            the record decides.

    Raises:
        TypeError: there is no default; a number that may be left out is declared by `optional`.
    """
    info = fields.row(record, name)
    start = info.default if default is None else default
    if start is None:
        raise TypeError(f"{record.__name__}.{name} may be left out: declare it by optional()")
    return bpy.props.FloatProperty(
        name=_label(info, options),
        description=_text(info),
        default=float(start),
        unit=options.pop("unit", _UNITS.get(info.field.unit, "NONE")),
        **_bounds(info),
        **options,
    )


@dataclass(frozen=True)
class _Optional:
    """A number that may be left out, and the flag that says whether it is there."""

    number: Any
    flag: Any


class RecordGroup:
    """A property group with the numbers of a record, some of which may be left out.

    A group with an `optional()` number has this beside Blender's PropertyGroup. Its number gets a
    second property, the flag `use_<number>`.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        """Put two properties in the place of each optional number."""
        super().__init_subclass__(**options)
        for name, prop in list(cls.__annotations__.items()):
            if isinstance(prop, _Optional):
                cls.__annotations__[name] = prop.number
                cls.__annotations__[f"use_{name}"] = prop.flag


def optional(record: type, name: str, text: str, start: float, **options: Any) -> Any:
    """A FloatProperty for a number of `record` that may be left out, with a flag `use_<name>`.

    Args:
        text: the tooltip of the flag: what it means that the number is given.
        start: the number when it is switched on for the first time.
    """
    words = f"Use {options.get('label', name.replace('_', ' ').title())}"
    given = number(record, name, default=start, **options)
    return _Optional(given, bpy.props.BoolProperty(name=words, description=text))


def whole(record: type, name: str, **options: Any) -> Any:
    """An IntProperty for the whole number `name` of `record`."""
    info = fields.row(record, name)
    return bpy.props.IntProperty(
        name=_label(info, options), description=_text(info), default=info.default, **options
    )


def vector(record: type, name: str, *, default: Any = None, **options: Any) -> Any:
    """A FloatVectorProperty, in Blender's axes, for the vector or rotation `name` of `record`."""
    info = fields.row(record, name)
    # A given default is in Blender's axes already; the record's is in glTF's.
    value = Axes().to_blender(info, info.default) if default is None else default
    rotation = info.field.quantity is Quantity.ROTATION
    if rotation:
        x, y, z, w = value
        value = (w, x, y, z)
    return bpy.props.FloatVectorProperty(
        name=_label(info, options),
        description=_text(info),
        size=info.length,
        default=value,
        subtype="QUATERNION" if rotation else "XYZ" if info.length == 3 else "NONE",
        unit=_UNITS.get(info.field.unit, "NONE"),
        **_bounds(info),
        **options,
    )


def flag(record: type, name: str, **options: Any) -> Any:
    """A BoolProperty for the flag `name` of `record`.

    Raises:
        TypeError: it is no flag; a number that may be left out is declared by `optional`.
    """
    info = fields.row(record, name)
    if info.type is not bool:
        raise TypeError(f"{record.__name__}.{name} is no flag; declare an optional number instead")
    return bpy.props.BoolProperty(
        name=_label(info, options), description=info.field.text, default=info.default, **options
    )


def word(record: type, name: str, texts: dict[str, str], **options: Any) -> Any:
    """An EnumProperty for the word `name` of `record`; `texts` are the tooltips by word."""
    info = fields.row(record, name)
    items = [(w.upper(), w.title(), texts[w], i) for i, w in enumerate(info.words)]
    return bpy.props.EnumProperty(
        name=_label(info, options),
        description=info.field.text,
        items=items,
        default=info.default.upper(),
        **options,
    )


def use_of_field(record: type, name: str, text: str, start: float | str) -> Any:
    """`use_of` for the number `name` of `record`, which is negative where none is given.

    Args:
        text: what it means that it is given.
        start: what it is at first; another number of the group where that is its name.
    """
    return use_of(name, text, start, none=-1.0, default=fields.row(record, name).default)


def use_of(name: str, text: str, start: Any, *, none: Any = 0, default: Any = 0) -> Any:
    """A BoolProperty `use_<name>`: whether a number is given, which the number itself stores.

    Args:
        name: of the number.
        text: what it means that it is given.
        start: what it is at first; another number of the group where that is its name.
        none: the largest number that stands for none if it is zero, and such a number otherwise.
        default: of the number.
    """

    def says(value: Any) -> bool:
        return bool(value > 0 if none == 0 else value >= 0)

    def give(group: Any, wanted: bool) -> None:
        if wanted != says(getattr(group, name)):
            first = getattr(group, start) if isinstance(start, str) else start
            setattr(group, name, (first or 1.0) if wanted else none)

    return bpy.props.BoolProperty(
        name=f"Use {name.replace('_', ' ').title()}",
        description=text,
        default=says(default),
        get=lambda group: says(getattr(group, name)),
        set=give,
        options={"SKIP_SAVE"},  # In presets, which have the number.
    )


def hidden_text(name: str, text: str) -> Any:
    """A text that Blender keeps and shows nowhere."""
    return bpy.props.StringProperty(name=name, description=text, options={"HIDDEN"})


def kept() -> Any:
    """A hidden text for the `carried` members of a record."""
    return hidden_text("Kept", "Unknown data of the imported file, as JSON")


def made_up_name() -> Any:
    """A hidden text: the name that the import made up for an entry; see `names.written`."""
    text = "Name given at import; while unchanged, the name in the file is exported"
    return hidden_text("Made-Up Name", text)


def name_in_file() -> Any:
    """A hidden text: the name of an entry in the imported file, where Blender has a made-up one."""
    return hidden_text("Name in File", "Name in the imported file, empty for none")


def to_object(name: str, text: str, **options: Any) -> Any:
    """A pointer to another object."""
    return bpy.props.PointerProperty(
        name=name, description=text, type=bpy.types.Object, override=OVERRIDABLE, **options
    )


def _label(info: FieldInfo, options: dict[str, Any]) -> str:
    return cast(str, options.pop("label", info.name.replace("_", " ").title()))


def _text(info: FieldInfo) -> str:
    unit = info.field.unit
    # Blender shows the units it knows beside the number; the others are told in the tooltip.
    return info.field.text if not unit or unit in _UNITS else f"{info.field.text}, in {unit}"


def _bounds(info: FieldInfo) -> dict[str, float]:
    """Hard limits; what a file holds beyond them is repaired and kept when it is read."""
    lowest = info.field.above if info.field.minimum is None else info.field.minimum
    bounds: dict[str, float] = {}
    if lowest is not None:
        bounds["min"] = lowest
    if info.field.maximum is not None:
        bounds["max"] = info.field.maximum
    return bounds
