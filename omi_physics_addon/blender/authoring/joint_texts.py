"""Joint settings of a scene as records in Blender's axes, and in the words and units of Blender."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, Final, cast

import bpy
from bpy.app import translations

from ...axes import Axes
from ...model import joint_words
from ...model.joints import JointSettings
from ..scene import joint_settings

_PLAIN: Final = Axes(y_up=False)
_TURNED: Final = Axes()
_LETTERS: Final = 4  # Digits of numbers in texts.
# Unit of length of a scene → how many of them are a metre, and how it is written.
_LENGTHS: Final[dict[str, tuple[float, str]]] = {
    "KILOMETERS": (1e-3, " km"),
    "METERS": (1.0, " m"),
    "CENTIMETERS": (1e2, " cm"),
    "MILLIMETERS": (1e3, " mm"),
    "MICROMETERS": (1e6, " µm"),
    "MILES": (1.0 / 1609.344, " mi"),
    "FEET": (1.0 / 0.3048, "'"),
    "INCHES": (1.0 / 0.0254, '"'),
    "THOU": (1e3 / 0.0254, " thou"),
}


def record(entry: Any) -> JointSettings:
    """What an entry of the scene's list says, in Blender's axes.

    Limits that an import had to split are one again, so that joints are known by name.
    """
    if not any(group.split_from for group in entry.limits):
        return joint_settings.read_settings(entry, _PLAIN)
    there = joint_settings.read_settings(entry, _TURNED)
    return dataclasses.replace(
        there,
        limits=tuple(
            part
            for limit in there.limits
            for part in _TURNED.limit_to_blender(limit, per_axis=False)
        ),
        drives=tuple(_TURNED.drive_to_blender(drive) for drive in there.drives),
    )


def name_of_kind(entry: Any, scene: Any) -> str:
    """What joints with these settings are, such as "Hinge about Z, 0° … 110°, soft"."""
    return joint_words.joint(record(entry), speech(scene))


def short_name(entry: Any) -> str:
    """The bare name of what joints with these settings are, such as "Hinge"."""
    return joint_words.kind(record(entry), speech(entry.id_data))


def text_of_limit(group: Any, scene: Any) -> str:
    """What a row of the list of limits does."""
    return joint_words.limit(joint_settings.read_limit(group), speech(scene))


def text_of_drive(group: Any, scene: Any) -> str:
    """What a row of the list of drives does, without what the narrow list has no room for."""
    drive = joint_settings.read_drive(group)
    springs = drive.position_target is not None
    speed = None if springs else drive.velocity_target
    shown = dataclasses.replace(drive, velocity_target=speed, max_force=None)
    return joint_words.drive(shown, speech(scene))


def is_reversed(group: Any) -> bool:
    """Whether a limit has its ends in the wrong order."""
    limit = joint_settings.read_limit(group)
    return limit.min is not None and limit.max is not None and limit.min > limit.max


def speech(scene: Any) -> joint_words.Speech:
    """How a scene wants numbers to be told."""
    settings = scene.unit_settings
    word: Callable[[str], str] = cast("Any", translations).pgettext_iface

    def number(value: float, unit: str) -> str:
        if unit.startswith("rad"):
            return _angle(value, unit, settings)
        if unit in ("m", "m/s"):
            return _length(value, settings) + unit[1:]
        return joint_words.plain(value, unit)

    return joint_words.Speech(number, word)


def _angle(value: float, unit: str, settings: Any) -> str:
    if settings.system_rotation == "RADIANS":
        return f"{value:.{_LETTERS}g} {unit}"
    return f"{math.degrees(value):.{_LETTERS}g}°{unit[3:]}"


def _length(value: float, settings: Any) -> str:
    if settings.system == "NONE":
        return f"{value:.{_LETTERS}g}"
    scaled = value * settings.scale_length
    if settings.length_unit in _LENGTHS:
        factor, name = _LENGTHS[settings.length_unit]
        return f"{scaled * factor:.{_LETTERS}g}{name}"
    return str(bpy.utils.units.to_string(settings.system, "LENGTH", scaled, precision=3))
