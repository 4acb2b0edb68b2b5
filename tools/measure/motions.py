"""How bodies move by themselves, over time: closed formulas, and equations of motion.

All is in glTF's axes (Y is up), in metres, radians, kilograms and seconds. Nothing here knows an
engine, or anything of ours that simulates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

Pose = tuple[float, ...]  # Place x, y, z, and rotation x, y, z, w.
Vector = tuple[float, float, float]
Poses = dict[str, list[Pose]]
G: Final = 9.81  # m/s², of Earth in the scenes.
LATE: Final = 2.8  # s, from when on only the place counts where a body comes to rest.
STEP: Final = 5e-4  # s, of an equation of motion.


class Motion(NamedTuple):
    """What is expected of a scene.

    Attributes:
        shows: what is to be seen, in a sentence.
        formula: why, in symbols and words.
        move: poses at times from those of the start, by the names of bodies.
        first: s, from when on they count.
        turns: whether rotations count.
    """

    shows: str
    formula: str
    move: Callable[[Mapping[str, Pose], Sequence[float]], Poses]
    first: float = 0.0
    turns: bool = True


# Rotations


def multiply(one: Pose, other: Pose) -> Pose:
    """The rotation by `other`, and then by `one`; x, y, z, w."""
    ax, ay, az, aw = one
    bx, by, bz, bw = other
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def about(axis: Vector, angle: float) -> Pose:
    """The rotation about an axis of length 1 by an angle, rad; x, y, z, w."""
    sine = math.sin(angle / 2.0)
    return (*(sine * part for part in axis), math.cos(angle / 2.0))


def turn(rotation: Pose, vector: Sequence[float]) -> Vector:
    """A vector, rotated by x, y, z, w."""
    x, y, z, w = rotation
    back = (-x, -y, -z, w)
    found = multiply(multiply(rotation, (*vector, 0.0)), back)
    return found[0], found[1], found[2]


def _moved(place: Sequence[float], way: Sequence[float]) -> Vector:
    x, y, z = (a + b for a, b in zip(place, way, strict=True))
    return x, y, z


# Without joints


def lands(height: float, *, turns: bool = True) -> Motion:
    """Bodies fall from where they are, and lie when their origin is at a height.

    Args:
        height: m.
        turns: whether rotations count.
    """

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        return {
            name: [(x, max(height, y - G * t * t / 2.0), z, *rotation) for t in times]
            for name, (x, y, z, *rotation) in starts.items()
        }

    return Motion(
        f"Falls onto what is below and lies there, its origin at a height of {height:.3g} m.",
        f"y = max({height:.3g}, y0 - g t^2 / 2); x and z stay",
        move,
        turns=turns,
    )


def falls(velocity: Vector = (0.0, 0.0, 0.0), gravity: float = G) -> Motion:
    """Bodies fly freely.

    Args:
        velocity: m/s, at the start, along the axes of the body.
        gravity: m/s².
    """

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        return {
            name: [_flown(start, velocity, gravity, t) for t in times]
            for name, start in starts.items()
        }

    return Motion(
        "Flies freely, and keeps its rotation.",
        f"p = p0 + q0 v t - g t^2 / 2, v = {velocity} m/s along the body's axes, g = {gravity:g}",
        move,
    )


def _flown(start: Pose, velocity: Vector, gravity: float, t: float) -> Pose:
    x, y, z = turn(start[3:], velocity)
    way = (x * t, y * t - gravity * t * t / 2.0, z * t)
    return (*_moved(start[:3], way), *start[3:])


def holds(shows: str = "Stays where it is.") -> Motion:
    """Bodies stay."""

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        return {name: [start] * len(times) for name, start in starts.items()}

    return Motion(shows, "p = p0", move)


def each(shows: str, **motions: Motion) -> Motion:
    """Every body has a motion of its own, by its name; underscores are spaces."""
    named = {name.replace("_", " "): motion for name, motion in motions.items()}

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        return {
            name: named[name].move({name: start}, times)[name] for name, start in starts.items()
        }

    formulas = "; ".join(f"{name}: {motion.formula}" for name, motion in named.items())
    return Motion(shows, formulas, move, turns=all(each.turns for each in motions.values()))


def spins(center: Vector, rate: float) -> Motion:
    """A body falls while it turns about its center of mass.

    Args:
        center: m, in the body's own axes.
        rate: rad/s, about Y.
    """

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        found: Poses = {}
        for name, start in starts.items():
            rows: list[Pose] = []
            for t in times:
                rotation = about((0.0, 1.0, 0.0), rate * t)
                arm = [-part for part in turn(rotation, center)]
                middle = _moved(_moved(start[:3], center), (0.0, -G * t * t / 2.0, 0.0))
                rows.append((*_moved(middle, arm), *rotation))
            found[name] = rows
        return found

    return Motion(
        "Turns about its center of mass, which falls; its origin goes round.",
        f"c = c0 - g t^2 / 2, turned by {rate:g} t about Y, p = c - R (c0 - p0)",
        move,
    )


def slides(velocity: float, friction: float) -> Motion:
    """A body on a level ground slides along X until friction has stopped it."""

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        ends = velocity / (friction * G)
        found: Poses = {}
        for name, (x, y, z, *rotation) in starts.items():
            until = [min(t, ends) for t in times]
            found[name] = [
                (x + velocity * t - friction * G * t * t / 2.0, y, z, *rotation) for t in until
            ]
        return found

    return Motion(
        f"Slides, and is stopped by a friction of {friction:g}, which both surfaces together make.",
        f"x = v t - m g t^2 / 2 until v = m g t; v = {velocity:g} m/s, m = {friction:g}",
        move,
    )


def bounces(height: float, restitution: float) -> Motion:
    """A body falls onto level ground, again and again.

    Args:
        height: m, of its origin when it touches.
        restitution: share of the speed that it keeps.
    """

    def at(t: float, drop: float) -> float:
        speed = math.sqrt(2.0 * G * drop)
        t -= speed / G
        if t <= 0.0:
            return height + drop - G * (t + speed / G) ** 2 / 2.0
        speed *= restitution
        while t > 2.0 * speed / G and speed > 1e-6:
            t -= 2.0 * speed / G
            speed *= restitution
        return height + max(speed * t - G * t * t / 2.0, 0.0)

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        return {
            name: [(x, at(t, y - height), z) for t in times]
            for name, (x, y, z, *_) in starts.items()
        }

    return Motion(
        f"Bounces; each time it keeps {restitution:g} of its speed.",
        f"free fall between hits; v' = -{restitution:g} v",
        move,
        turns=False,
    )


def strikes(gap: float, velocity: float, masses: tuple[float, float]) -> Motion:
    """A body strikes another one that is at rest, and they go on together, while both fall.

    Args:
        gap: m, that the first goes until it touches.
        velocity: m/s, of the first, along X.
        masses: kg.
    """
    when, after = gap / velocity, velocity * masses[0] / sum(masses)

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        before = dict(zip(starts, (velocity, 0.0), strict=True))
        return {
            name: [
                (
                    x + before[name] * min(t, when) + after * max(t - when, 0.0),
                    y - G * t * t / 2.0,
                    z,
                )
                for t in times
            ]
            for name, (x, y, z, *_) in starts.items()
        }

    return Motion(
        "Strikes the other, which was at rest, without a bounce: they go on with one speed.",
        f"m1 v1 = (m1 + m2) v; v = {after:g} m/s",
        move,
        turns=False,
    )


def carried(lift: float, plate: Vector, top: float) -> Motion:
    """A plate goes up, and carries what falls onto it.

    Args:
        lift: m/s, of *Plate*.
        plate: m, where that begins.
        top: m, height of *Body* when it touches the plate at the start.
    """

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        x, y, z, *body = starts["Body"]
        upright = (0.0, 0.0, 0.0, 1.0)
        return {
            "Plate": [(*_moved(plate, (0.0, lift * t, 0.0)), *upright) for t in times],
            "Body": [(x, max(top + lift * t, y - G * t * t / 2.0), z, *body) for t in times],
        }

    return Motion(
        "A kinematic plate goes up by itself, and carries the body that falls onto it.",
        f"plate: y = y0 + {lift:g} t; body: y = max({top:g} + {lift:g} t, y0 - g t^2 / 2)",
        move,
    )


# With joints


def rests(
    shows: str, way: Vector = (0.0, 0.0, 0.0), axis: Vector = (0.0, 0.0, 1.0), angle: float = 0.0
) -> Motion:
    """A body comes to rest where a joint ends.

    Args:
        way: m, from the start.
        axis: through the origin of the scene, about which it turns there.
        angle: rad.
    """

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        by = about(axis, angle)
        found: Poses = {}
        for name, start in starts.items():
            place = _moved(turn(by, start[:3]), way)
            found[name] = [(*place, *multiply(by, start[3:]))] * len(times)
        return found

    where = f"p = p0 + {way}" if any(way) else f"turned by {angle:g} rad about {axis}"
    return Motion(shows, f"{where}, in the end", move, LATE)


def rolls(speed: float, down: float) -> Motion:
    """A body rolls evenly along Z, lower than at its start; the way there counts in the end.

    Args:
        speed: m/s.
        down: m.
    """

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        return {
            name: [(*_moved(start[:3], (0.0, -down, speed * t)), *start[3:]) for t in times]
            for name, start in starts.items()
        }

    return Motion(
        f"Rolls on at {speed:g} m/s.", f"z = z0 + {speed:g} t, y = y0 - {down:.3f}", move, LATE
    )


def swings(
    about_axis: Vector,
    inertia: float,
    mass: float = 1.0,
    torque: Callable[[float, float], float] = lambda angle, rate: 0.0,
    *,
    rate: float = 0.0,
    words: str = "",
    shows: str = "Swings as a pendulum about the joint.",
) -> Motion:
    """A body turns about an axis through the origin of the scene, by its weight and a torque.

    Args:
        about_axis: of length 1.
        inertia: kg m², about the center of mass, which is the origin of the body.
        torque: Nm, by angle, rad, and rate, rad/s.
        rate: rad/s, at the start.
        words: the torque, for the formula.
    """

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        found: Poses = {}
        for name, start in starts.items():
            along = sum(a * b for a, b in zip(about_axis, start[:3], strict=True))
            arm = [p - along * a for p, a in zip(start[:3], about_axis, strict=True)]
            whole = inertia + mass * sum(part * part for part in arm)

            def speeds(
                angle: float, speed: float, at: Pose = start, all_of_it: float = whole
            ) -> float:
                x, _, z = turn(about(about_axis, angle), at[:3])
                weight = mass * G * (about_axis[0] * z - about_axis[2] * x)
                return (weight + torque(angle, speed)) / all_of_it

            found[name] = []
            for angle in solved(speeds, 0.0, rate, times):
                by = about(about_axis, angle)
                found[name].append((*turn(by, start[:3]), *multiply(by, start[3:])))
        return found

    more = f" + {words}" if words else ""
    return Motion(
        shows,
        f"(I + m r^2) a'' = torque of the weight{more}; I = {inertia:.4g} kg m^2, m = {mass:g} kg",
        move,
    )


def pushed(
    axis: Vector,
    force: Callable[[float, float], float],
    words: str,
    mass: float = 1.0,
    *,
    shows: str,
) -> Motion:
    """A body slides along an axis, by its weight and a force.

    Args:
        axis: of length 1.
        force: N, by way, m, and speed, m/s.
        words: the force, for the formula.
    """

    def move(starts: Mapping[str, Pose], times: Sequence[float]) -> Poses:
        def speeds(way: float, speed: float) -> float:
            return (force(way, speed) - mass * G * axis[1]) / mass

        ways = solved(speeds, 0.0, 0.0, times)
        return {
            name: [(*_moved(start[:3], [w * a for a in axis]), *start[3:]) for w in ways]
            for name, start in starts.items()
        }

    return Motion(shows, f"m s'' = weight along the axis + {words}; m = {mass:g} kg", move)


def solved(
    acceleration: Callable[[float, float], float],
    value: float,
    rate: float,
    times: Sequence[float],
) -> list[float]:
    """Values over time by Runge and Kutta's method of fourth order.

    Args:
        acceleration: by value and rate.
        times: s, from 0 on, multiples of `STEP`.
    """
    found: list[float] = []
    done = 0
    h = STEP
    for until in (round(time / STEP) for time in times):
        for _ in range(until - done):
            a1 = acceleration(value, rate)
            a2 = acceleration(value + rate * h / 2.0, rate + a1 * h / 2.0)
            r2 = rate + a1 * h / 2.0
            a3 = acceleration(value + r2 * h / 2.0, rate + a2 * h / 2.0)
            r3 = rate + a2 * h / 2.0
            a4 = acceleration(value + r3 * h, rate + a3 * h)
            r4 = rate + a3 * h
            value += h * (rate + 2.0 * r2 + 2.0 * r3 + r4) / 6.0
            rate += h * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0
        done = until
        found.append(value)
    return found
