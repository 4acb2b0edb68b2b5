"""Joint settings of a scene in words, with the numbers in the units of the scene."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Final

import bpy

from ...model import joint_words
from ...model.joints import mirrored
from ..base import groups
from ..base.hierarchy import body_of, connected_moves
from ..scene import joint_settings
from ..translations import pgettext_iface

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


def name_of_kind(entry: Any, scene: Any) -> str:
    """What joints with these settings are, such as "Hinge about Z, 0° … 110°, soft"."""
    return joint_words.joint(joint_settings.read_in_blender(entry), speech(scene))


def motion(obj: Any, entry: Any, scene: Any) -> str:
    """Who moves, how and against whom: "Door turns 0° … 110° about Z against Post"."""
    own, other = obj.parent or obj, groups.read(obj).joint.connected_object
    settings = joint_settings.read_in_blender(entry)
    if other is None:
        return joint_words.joint(settings, speech(scene))
    mover, held_to = body_of(own) or own, body_of(other) or other
    if connected_moves(obj):
        mover, held_to, settings = held_to, mover, mirrored(settings)
    return joint_words.motion(settings, mover.name, held_to.name, speech(scene))


def short_name(entry: Any) -> str:
    """The bare name of what joints with these settings are, such as "Hinge"."""
    return joint_words.kind(joint_settings.read_in_blender(entry), speech(groups.current_scene()))


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


def speech(scene: Any) -> joint_words.Speech:
    """How a scene wants numbers to be told."""
    settings = scene.unit_settings

    def number(value: float, unit: str) -> str:
        if unit.startswith("rad"):
            return _angle(value, unit, settings)
        if unit in ("m", "m/s"):
            return length(value, settings) + unit[1:]
        return joint_words.plain(value, unit)

    return joint_words.Speech(number, pgettext_iface)


def _angle(value: float, unit: str, settings: Any) -> str:
    if settings.system_rotation == "RADIANS":
        return f"{value:.{_LETTERS}g} {unit}"
    return f"{math.degrees(value):.{_LETTERS}g}°{unit[3:]}"


def length(value: float, settings: Any, precision: int = 3) -> str:
    """A length with the unit that a scene shows lengths in.

    Args:
        settings: of the units of the scene.
        precision: digits where Blender chooses the unit.
    """
    if settings.system == "NONE":
        return f"{value:.{_LETTERS}g}"
    scaled = value * settings.scale_length
    if settings.length_unit in _LENGTHS:
        factor, name = _LENGTHS[settings.length_unit]
        return f"{scaled * factor:.{_LETTERS}g}{name}"
    return str(bpy.utils.units.to_string(settings.system, "LENGTH", scaled, precision=precision))


def typed_length(number: float, settings: Any) -> float:
    """What a number means that is typed without a unit, as in Blender's own fields."""
    if settings.system == "NONE":
        return number
    if settings.length_unit in _LENGTHS:
        metres = number / _LENGTHS[settings.length_unit][0]
    else:
        metres = bpy.utils.units.to_value(settings.system, "LENGTH", repr(number))
    return metres / settings.scale_length
