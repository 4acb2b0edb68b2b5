"""Joints, limits and drives in words, for lists, labels and tooltips.

Axes are those of the record that is told, of glTF or of Blender alike.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .joint_kinds import WITH_AXIS, JointKind, Kind, Range, recognize
from .joints import JointDrive, JointLimit, JointSettings

NAMES: Final[dict[Kind, str]] = {
    "fixed": "Fixed",
    "ball": "Ball",
    "hinge": "Hinge",
    "slider": "Slider",
    "piston": "Piston",
    "rope": "Rope",
    "cone_twist": "Cone-Twist",
    "six_dof": "6-DOF",
    "servo": "Servo",
    "motor": "Motor",
}
FREE: Final = "Free, no axis is limited"

_AXES: Final = "XYZ"
_NO_DIGITS: Final = string.ascii_letters + "µ "  # What units are written with, after a space.


def plain(value: float, unit: str) -> str:
    """A number in a unit of the specification, angles in degrees.

    Args:
        unit: m, rad, m/s, rad/s, N or N m.
    """
    if unit.startswith("rad"):
        value, unit = math.degrees(value), unit.replace("rad", "°")
    return f"{value:.4g}{'' if unit.startswith('°') else ' '}{unit}"


def same(text: str) -> str:
    """The text as it is, for lack of a translation."""
    return text


@dataclass(frozen=True)
class Speech:
    """How numbers and words are told.

    Attributes:
        number: the text of a number in a unit of the specification.
        word: the translation of a text.
    """

    number: Callable[[float, str], str] = plain
    word: Callable[[str], str] = same


PLAIN: Final = Speech()


def joint(settings: JointSettings, speech: Speech = PLAIN) -> str:
    """What a joint is, such as "Hinge about Z, 0° … 110°, soft"."""
    found = recognize(settings)
    if found is not None:
        return _named(found, speech)
    if not settings.limits and not settings.drives:
        return speech.word(FREE)
    counts = (
        _count(len(settings.limits), "1 limit", "{count} limits", speech),
        _count(len(settings.drives), "1 drive", "{count} drives", speech),
    )
    return ", ".join([speech.word("Custom"), *filter(None, counts)])


# Kind → what its moving part does; of those with two kinds of way, free or not is said by range.
_MOTIONS: Final[dict[Kind, str]] = {
    "fixed": "{mover} is fixed to {other}",
    "ball": "{mover} turns freely against {other}",
    "hinge": "{mover} turns {turn} about {axis} against {other}",
    "slider": "{mover} slides {way} along {axis} against {other}",
    "piston": "{mover} slides {way} and turns {turn} along {axis} against {other}",
    "rope": "{mover} stays {way} away from {other}",
    "cone_twist": "{mover} swings {swing} and twists {turn} about {axis} against {other}",
    "six_dof": "{mover} moves {way} and turns {turn} against {other}",
}
_TURNED: Final = "{mover} turns {drive} about {axis} against {other}"
_PUSHED: Final = "{mover} slides {drive} along {axis} against {other}"


def motion(settings: JointSettings, mover: str, other: str, speech: Speech = PLAIN) -> str:
    """Who moves how against whom, such as "Door turns 0° … 110° about Z against Post, soft".

    Args:
        settings: that measure the part that moves against the other one.
        mover: the name of that part.
        other: that of the other one.
    """
    found = recognize(settings)
    if found is None:
        template = speech.word("{mover} against {other}: {what}")
        return template.format(mover=mover, other=other, what=joint(settings, speech))
    way, turn = Range(found.min, found.max), Range(found.turn_min, found.turn_max)
    words = {
        "mover": mover,
        "other": other,
        "axis": _AXES[found.axis],
        "way": _freely(way, "m", speech),
        "turn": _freely(turn, "rad", speech),
        "swing": speech.number(found.swing, "rad"),
    }
    if found.drive is None:
        parts = [speech.word(_MOTIONS[found.kind]).format(**words)]
    else:
        turns = found.drive.type == "angular"
        words["drive"] = _driven(found.drive, turns, speech)
        template = _TURNED if turns else _PUSHED
        rest = [_maybe(way, "m", speech), _maybe(turn, "rad", speech)]
        parts = [speech.word(template).format(**words), *rest]
        if found.drive.max_force is not None:
            parts.append(_strongest(found.drive, speech))
    if found.stiffness is not None:
        parts.append(speech.word("soft"))
    return ", ".join(filter(None, parts))


def _freely(values: Range, unit: str, speech: Speech) -> str:
    return speech.word("freely") if values.is_free else _range(values, unit, speech)


def _driven(record: JointDrive, turns: bool, speech: Speech) -> str:
    """Where a drive goes, or how fast."""
    target = " ".join(_drive_words(record, turns, speech)[1:])
    if record.position_target is None and record.velocity_target is not None:
        return speech.word("at {speed}").format(speed=target)
    return target


def kind(settings: JointSettings, speech: Speech = PLAIN) -> str:
    """The bare name of what a joint is, such as "Hinge"."""
    found = recognize(settings)
    if found is not None:
        return speech.word(NAMES[found.kind])
    nothing = not settings.limits and not settings.drives
    return speech.word("Free" if nothing else "Custom")


def limit(record: JointLimit, speech: Speech = PLAIN) -> str:
    """What a limit does, such as "Angle X -90° … 0°, soft"."""
    parts: list[str] = []
    for axes, name, unit in (
        (record.linear_axes, "Distance", "m"),
        (record.angular_axes, "Angle", "rad"),
    ):
        if axes:
            values = Range(record.min, record.max, record.stiffness, record.damping)
            letters = "".join(_AXES[axis] for axis in sorted(axes))
            where = f"{speech.word(name)} {letters}"
            parts.append(f"{where} {_range(values, unit, speech)}")
    if not parts:
        return speech.word("No axes")
    if record.stiffness is not None:
        parts.append(speech.word("soft"))
    return ", ".join(parts)


def drive(record: JointDrive, speech: Speech = PLAIN) -> str:
    """What a drive does, such as "Motor about Z 2 rad/s, max 50 N m"."""
    if record.type not in ("linear", "angular"):
        return speech.word("Drive of type {type}").format(type=record.type or "?")
    turns = record.type == "angular"
    template = "{drive} about {axis}" if turns else "{drive} along {axis}"
    words = _drive_words(record, turns, speech)
    where = speech.word(template).format(drive=words[0], axis=_AXES[record.axis])
    parts = [" ".join([where, *words[1:]])]
    if record.max_force is not None:
        parts.append(_strongest(record, speech))
    return ", ".join(parts)


def _drive_words(record: JointDrive, turns: bool, speech: Speech) -> list[str]:
    """What a drive is, and its targets."""
    position, velocity = record.position_target, record.velocity_target
    to = "" if position is None else speech.number(position, "rad" if turns else "m")
    speed = "" if velocity is None else speech.number(velocity, "rad/s" if turns else "m/s")
    if to and velocity:
        return [speech.word("Spring"), speech.word("to {target}").format(target=to), speed]
    if to:
        return [speech.word("Spring"), speech.word("to {target}").format(target=to)]
    if speed:
        return [speech.word("Motor"), speed]
    return [speech.word("Drive"), speech.word("without target")]


def _strongest(record: JointDrive, speech: Speech) -> str:
    unit = "N m" if record.type == "angular" else "N"
    force = speech.number(record.max_force or 0.0, unit)
    return speech.word("max {force}").format(force=force)


def _named(joint: JointKind, speech: Speech) -> str:
    """A kind with its axis, then what is set of it."""
    name = speech.word(NAMES[joint.kind])
    if joint.kind in WITH_AXIS:
        slides = joint.kind in ("slider", "piston")
        if joint.drive is not None:
            slides = joint.drive.type == "linear"
        template = "{joint} along {axis}" if slides else "{joint} about {axis}"
        name = speech.word(template).format(joint=name, axis=_AXES[joint.axis])
    parts = [name, *_details(joint, speech)]
    if joint.stiffness is not None:
        parts.append(speech.word("soft"))
    return ", ".join(filter(None, parts))


def _details(joint: JointKind, speech: Speech) -> list[str]:
    way = _maybe(Range(joint.min, joint.max), "m", speech)
    turn = _maybe(Range(joint.turn_min, joint.turn_max), "rad", speech)
    if joint.kind == "rope":
        return [way]
    if joint.kind == "cone_twist":
        swing = speech.word("swing {angle}").format(angle=speech.number(joint.swing, "rad"))
        return [swing, turn and speech.word("twist {range}").format(range=turn)]
    if joint.kind == "piston":
        return [way, turn and speech.word("turning {range}").format(range=turn)]
    if joint.drive is None:
        return [way, turn]
    words = _drive_words(joint.drive, joint.drive.type == "angular", speech)
    strongest = "" if joint.drive.max_force is None else _strongest(joint.drive, speech)
    return [" ".join(words[1:]), way, turn, strongest]


def _maybe(values: Range, unit: str, speech: Speech) -> str:
    return "" if values.is_free else _range(values, unit, speech)


def _range(values: Range, unit: str, speech: Speech) -> str:
    low = None if values.min is None else speech.number(values.min, unit)
    high = None if values.max is None else speech.number(values.max, unit)
    if values.is_held:
        return speech.word("fixed")
    if low is None and high is None:
        return speech.word("free")
    if low is None:
        return speech.word("up to {max}").format(max=high)
    if high is None:
        return speech.word("from {min}").format(min=low)
    if values.min == values.max:
        return speech.word("held at {value}").format(value=low)
    unit = high[len(high.rstrip(_NO_DIGITS)) :]
    return f"{low.removesuffix(unit) if unit.startswith(' ') else low} … {high}"


def _count(count: int, one: str, many: str, speech: Speech) -> str:
    if not count:
        return ""
    return speech.word(one if count == 1 else many).format(count=count)
