"""What is expected of each scene of `tools/engines/scenes` that a formula says.

Heights and lengths are those of the scenes. Blender's axes x, y, z are x, -z, y here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from tools.measure.motions import (
    Motion,
    Vector,
    bounces,
    carried,
    each,
    falls,
    holds,
    lands,
    pushed,
    rests,
    rolls,
    slides,
    spins,
    strikes,
    swings,
)

_X: Final[Vector] = (1.0, 0.0, 0.0)
_UP: Final[Vector] = (0.0, 1.0, 0.0)  # Blender's Z.
_Y: Final[Vector] = (0.0, 0.0, -1.0)  # Blender's Y.
_HUNG: Final = (0.4, 0.3, 0.2)  # m, size of the box that hangs on joints, in Blender's axes.
_FREE: Final = falls()
_REACH: Final = 0.8  # m, from a joint to the box that hangs on it.


def _inertia(axis: int) -> float:
    """Of the box that hangs on joints, 1 kg, about an axis of Blender."""
    return sum(size**2 for i, size in enumerate(_HUNG) if i != axis) / 12.0


def _euler(x: float, y: float, vector: Vector) -> Vector:
    """A vector in Blender's axes, turned about X and then about Y, in glTF's."""
    a, b, c = vector
    b, c = b * math.cos(x) - c * math.sin(x), b * math.sin(x) + c * math.cos(x)
    a, c = a * math.cos(y) + c * math.sin(y), c * math.cos(y) - a * math.sin(y)
    return a, c, -b


def _leans(axis: int) -> Vector:
    """The axis of a slider that leans."""
    vector: list[float] = [0.0, 0.0, 0.0]
    vector[axis] = 1.0
    return _euler(0.6, 0.5, (vector[0], vector[1], vector[2]))


def _at_end_of_slope(axis: int, way: float) -> Motion:
    x, y, z = (part * way for part in _leans(axis))
    return rests("Slides down its axis to the end of the range, and rests.", (x, y, z))


def _at_angle(axis: Vector, angle: float) -> Motion:
    return rests("Falls to the end of the range of its hinge, and rests.", axis=axis, angle=angle)


def _servo(axis: Vector, inertia: float) -> Motion:
    return swings(
        axis,
        inertia,
        torque=lambda angle, rate: 60.0 * (0.7 - angle) - 12.0 * rate,
        words="60 (0.7 - a) - 12 a'",
        shows="A spring turns it towards 0.7 rad, against its weight where that is in the way.",
    )


def _motor(axis: Vector, inertia: float) -> Motion:
    return swings(
        axis,
        inertia,
        torque=lambda angle, rate: 500.0 * (1.0 - rate),
        words="500 (1 - a')",
        shows="A strong motor turns it by 1 rad/s.",
    )


def _spring(target: float, stiffness: float, damping: float, mass: float) -> Motion:
    return pushed(
        _UP,
        lambda way, speed: stiffness * (target - way) - damping * speed,
        f"{stiffness:g} ({target:g} - s) - {damping:g} s'",
        mass,
        shows="A spring holds it along the vertical, as far below its target as its weight says.",
    )


def _pressed(mass: float, stiffness: float) -> float:
    """By how much a car that stands is below where it begins, m.

    Its axles are 0.1 m below it, its wheels have radii of 0.35 m, its suspensions are 0.25 m long,
    and it begins 0.75 m above the ground.
    """
    return 0.75 - (0.1 + 0.35 + 0.25 - mass * 9.81 / (4.0 * stiffness))


def _on_wheels(mass: float, stiffness: float) -> Motion:
    down = _pressed(mass, stiffness)
    return rests(f"Stands on its wheels, {down:.3f} m below its start.", (0.0, -down, 0.0))


def _soft(reach: float, stiffness: float, damping: float) -> Callable[[float, float], float]:
    """The force, or torque, of a spring and a damper beyond a range of 0 +- reach."""

    def force(way: float, speed: float) -> float:
        beyond = math.copysign(max(abs(way) - reach, 0.0), way)
        return -stiffness * beyond - damping * speed if beyond else 0.0

    return force


def _soft_slide(reach: float, stiffness: float, damping: float) -> Motion:
    return pushed(
        _UP,
        _soft(reach, stiffness, damping),
        f"-{stiffness:g} b - {damping:g} s' where it is beyond {reach:g} m, by b",
        shows="Falls through the range, and a spring and a damper stop it beyond.",
    )


def _soft_turn(reach: float, stiffness: float, damping: float) -> Motion:
    return swings(
        _Y,
        _inertia(1),
        torque=_soft(reach, stiffness, damping),
        words=f"-{stiffness:g} b - {damping:g} a' where it is beyond {reach:g} rad, by b",
        shows="Falls through the range, and a spring and a damper stop it beyond.",
    )


_PENDULUM: Final = swings(_Y, _inertia(1))
_GHOST: Final = "One falls through the ground, which its filter lets it; others land."

MOTIONS: Final[dict[str, Motion]] = {
    # Shapes
    "box": lands(0.3),
    "sphere": lands(0.4, turns=False),
    "capsule, standing on its end": lands(0.8),
    "capsule, lying": lands(0.3),
    "cylinder": lands(0.4),
    "cylinder, lying": lands(0.4),
    "cylinder, tapered": lands(0.4),
    "cone": lands(0.4),
    "capsule, tapered": lands(0.8),
    "capsules, tapered, as legs": lands(0.9),
    "cylinder, tapered, on its narrow end": lands(0.4),
    "hull": lands(0.4),
    "hull of another object's mesh": lands(0.4),
    "triangle mesh that stands still": lands(0.4, turns=False),
    "hull that stands still": lands(0.5),
    "plane without an end": lands(0.5),
    "plane with ends, turned": lands(0.5 / math.cos(0.2)),
    # Places and scales
    "shape beside the origin of its body": lands(0.2),
    "shape turned on its body": lands(0.4),
    "shapes on children": lands(0.3),
    "shape beside the origin of a child": lands(0.5),
    "shape on a grandchild": lands(0.5),
    "table whose parts are fitted": lands(0.8),
    "static body with shapes on children": lands(0.5),
    "body scaled evenly": lands(1.0),
    "box scaled unevenly": lands(1.0),
    "sphere scaled evenly": lands(1.0, turns=False),
    "capsule scaled evenly": lands(0.4),
    "cylinder scaled along its axis": lands(0.5),
    "hull scaled unevenly": lands(0.6),
    "triangle mesh scaled, standing still": lands(2.4, turns=False),
    "shapes on scaled children": lands(0.75),
    "body below a scaled empty": lands(1.0),
    "body below an unevenly scaled empty": lands(0.75),
    "box mirrored": lands(0.5, turns=False),
    "body with a shape beside its origin, scaled": lands(0.8),
    # Bodies
    "free fall": _FREE,
    "throw": falls((3.0, 5.0, -1.0)),
    "start velocity of a turned body": falls((3.0, 2.0, 0.0)),
    "start velocity of a scaled body": falls((3.0, 2.0, 0.0)),
    "start velocity below a turned empty": falls((3.0, 2.0, 0.0)),
    "start velocity of a body scaled unevenly": falls((3.0, 2.0, -1.0)),
    "spin, and an arm that shows it": spins((0.5, 0.0, 0.0), 2.0),
    "gravity factor of 0": falls((1.0, 0.0, 0.0), 0.0),
    "gravity factor of 0.5": falls(gravity=9.81 / 2.0),
    "infinite mass": lands(0.5),
    "kinematic body with a velocity": carried(0.5, (0.0, -0.5, 0.0), 0.5),
    "body below a body": lands(0.5),
    "body below a body, scaled and turned": each(
        "Bodies that hang below each other in the file fall side by side, and lie.",
        Upper=lands(1.0),
        Middle=lands(0.5),
        Lower=lands(0.5),
    ),
    "body below a static one, beside it": lands(0.5),
    "kinematic body below a dynamic one": each(
        "A body falls past a kinematic one below it, which stays, and another lands on that.",
        Upper=_FREE,
        Body=lands(1.0),
    ),
    "trigger in the way": lands(0.5),
    "stack of boxes": holds("Four boxes stand on each other."),
    "impact of two balls": strikes(1.0, 2.0, (2.0, 1.0)),
    # Surfaces
    "friction, average": slides(4.0, 0.4),
    "friction, minimum": slides(4.0, 0.2),
    "friction, maximum": slides(4.0, 0.6),
    "friction, multiply": slides(4.0, 0.12),
    "friction, average and maximum": slides(4.0, 0.4),
    "friction, minimum and maximum": slides(4.0, 0.2),
    "friction, average and multiply": slides(4.0, 0.4),
    "box on a slope that holds it": lands((0.25 - 0.26 * math.sin(0.3) ** 2) / math.cos(0.3)),
    "ball that bounces": bounces(0.5, 0.7),
    "bounce, the larger of two": bounces(0.5, 0.6),
    "collision filter": each(_GHOST, Ghost=_FREE, Solid=lands(0.5)),
    "filter that meets its own system only": each(_GHOST, Ghost=_FREE, Solid=lands(0.5)),
    "filter of no system, on a ground that meets one": _FREE,
    "more than 32 collision systems": each(
        _GHOST,
        Ghost_0=_FREE,
        **{f"Ghost_{i}": lands(0.5) for i in range(1, 34)},
    ),
    # Joints
    "fixed": holds(),
    "ball": _PENDULUM,
    "hinge about X": swings(_X, _inertia(0)),
    "hinge about Y": _PENDULUM,
    "hinge about Y, with moments of inertia": swings(_Y, 1.2, 3.0),
    "hinge about Y, with moments of inertia and no mass": swings(_Y, 1.2),
    "hinge about Z, spun": swings(
        _UP,
        _inertia(2),
        rate=_REACH * 0.8 / (_inertia(2) + _REACH**2),
        shows="Turns evenly about the vertical, by the momentum of its start about the hinge.",
    ),
    "hinge about X, limited evenly": _at_angle(_X, -0.5),
    "hinge about Y, limited evenly": _at_angle(_Y, 0.5),
    "hinge about Z, limited evenly": _at_angle(_Y, 0.5),
    "hinge about X, limited to one side": _at_angle(_X, -1.0),
    "hinge about Y, limited to one side": _at_angle(_Y, 1.0),
    "hinge about Z, limited to one side": _at_angle(_Y, 0.2),
    "hinge with one end of its range": _at_angle(_Y, 0.6),
    "slider along X": falls((1.0, 0.0, 0.0), 0.0),
    "slider along Y that leans": pushed(
        _leans(1), lambda way, speed: 0.0, "0", shows="Slides down its axis by its weight."
    ),
    "slider along Y whose arm goes far": falls((0.0, 0.0, -0.5), 0.0),
    "slider along X that leans, limited": _at_end_of_slope(0, 0.4),
    "slider along Y that leans, limited": _at_end_of_slope(1, -0.3),
    "slider along Z that leans, limited": _at_end_of_slope(2, -0.4),
    "slider along Z, limited": rests("Falls to the end of its range.", (0.0, -0.7, 0.0)),
    "slider along Z with one end of its range": rests(
        "Falls to the end of its range.", (0.0, -0.7, 0.0)
    ),
    "slider along X that leans, with one end of its range": _at_end_of_slope(0, 0.4),
    "piston": rests("Falls to the end of its range.", (0.0, -0.6, 0.0)),
    "rope, hanging": rests("Falls until the rope of 1 m is tight, and hangs.", (0.0, -1.0, 0.0)),
    "cone-twist": rests(
        "Falls over to the side of the cone of 0.4 rad.", axis=(0.0, 0.0, -1.0), angle=0.4
    ),
    "cone-twist, hanging over": rests(
        "Falls over to the side of the cone of 0.4 rad.", axis=(0.0, 0.0, -1.0), angle=0.4
    ),
    "6-DOF with room to slide": rests("Falls to the end of its range.", (0.0, -0.3, 0.0)),
    "soft limit along an axis": _soft_slide(0.2, 60.0, 6.0),
    "soft limit of an angle": _soft_turn(0.1, 30.0, 4.0),
    # Ends of joints
    "joint on the body's own object": holds(),
    "joint on an object below a child of the body": holds(),
    "joint of a body below the static one that it is connected to": _PENDULUM,
    "joint that hangs on no body": _at_angle(_Y, 0.4),
    "joint to a place in the world": _at_angle(_Y, 0.4),
    "joint to a static body whose shapes are on children": holds(),
    "joint to a kinematic body": _at_angle(_Y, 0.4),
    "joint from a static body to a dynamic one": _at_angle(_Y, 0.2),
    "two dynamic bodies that fall": _FREE,
    "fixed to a heavy body that lies": holds(),
    "bodies that may collide though they are joined": lands(0.3),
    "joint on scaled bodies": _at_angle(_Y, 0.7),
    "ends in other places": rests(
        "Is brought below the other end, and rests at the end of the range.", (-0.8, -0.3, 0.0)
    ),
    "Connect Selected": holds(),
    # Drives
    "servo along Z": _spring(0.5, 200.0, 28.0, 1.0),
    "servo along Z that holds a mass from its density": _spring(0.0, 400.0, 100.0, 12.0),
    "servo about X": _servo(_X, _inertia(0)),
    "servo about Y": _servo(_Y, _inertia(1)),
    "servo about Z": _servo(_UP, _inertia(2)),
    "servo without a force": holds("Stays, because its drive has a maximum force of 0."),
    "servo for any mass": pushed(
        _UP,
        lambda way, speed: 10.0 * (40.0 * (0.5 - way) - 12.0 * speed),
        "m (40 (0.5 - s) - 12 s')",
        10.0,
        shows="A drive in acceleration mode moves a heavy body as it would a light one.",
    ),
    "motor about X": _motor(_X, _inertia(0)),
    "motor about Y": _motor(_Y, _inertia(1)),
    "motor about Z": _motor(_UP, _inertia(2)),
    "motor about Y that yields": swings(
        _Y,
        _inertia(1),
        torque=lambda angle, rate: -1.5 - rate,
        words="1 (-1.5 - a')",
        shows="A weak motor yields to the weight.",
    ),
    "motor along X": pushed(
        _X,
        lambda way, speed: 500.0 * (0.4 - speed),
        "500 (0.4 - s')",
        shows="A strong motor moves it by 0.4 m/s.",
    ),
    "motor along Z under load": pushed(
        _UP,
        lambda way, speed: 60.0 * (0.3 - speed),
        "60 (0.3 - s')",
        shows="A motor lifts it, more slowly than its target because of the weight.",
    ),
    "motor with a largest force": pushed(
        _X,
        lambda way, speed: min(max(1000.0 * (3.0 - speed), -2.0), 2.0),
        "1000 (3 - s'), 2 N at most",
        2.0,
        shows="A motor speeds it up by its maximum force.",
    ),
    # Vehicles
    "car at rest, 900 kg": _on_wheels(900.0, 30000.0),
    "car at rest, 450 kg": _on_wheels(450.0, 30000.0),
    "car at rest, 1800 kg on stiffer springs": _on_wheels(1800.0, 80000.0),
    "car of 4000 kg, which its wheels carry": _on_wheels(4000.0, 150000.0),
    "car whose wheels hang on axles": _on_wheels(900.0, 30000.0),
    "car without brakes at 10 m/s": rolls(10.0, _pressed(900.0, 30000.0)),
    "thrusters that are off": lands(0.5),
    # Gravity
    "world gravity of the Moon": falls(gravity=1.62),
    "volume without gravity": falls((0.5, 0.0, 0.0), 0.0),
}
