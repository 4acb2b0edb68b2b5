"""Ten vehicles as clouds of points, in the axes of Blender: their wheels are known.

All look along +Y, which is not the usual front, so that only what there is to see tells it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

X, Y, Z = np.eye(3)


@dataclass(frozen=True)
class Shape:
    """A part, and the radius of the wheel that it is; zero for none."""

    name: str
    points: Any
    wheel: float = 0.0


@dataclass(frozen=True)
class Vehicle:
    """The parts of a vehicle; the first one is the chassis."""

    parts: tuple[Shape, ...]
    evidence: str

    @property
    def radii(self) -> list[float]:
        return sorted(part.wheel for part in self.parts if part.wheel)


def ring(radius: float, width: float, axle: Any, place: Any, corners: int = 16) -> Any:
    """The points of a wheel: two outlines with chamfers, and a hub."""
    axle = np.asarray(axle, dtype=float) / np.linalg.norm(axle)
    first = np.cross(axle, Z if abs(axle[2]) < 0.9 else X)
    first /= np.linalg.norm(first)
    second = np.cross(axle, first)
    turns = np.arange(corners) * (2.0 * math.pi / corners)
    circle = np.cos(turns)[:, None] * first + np.sin(turns)[:, None] * second
    loops = [(1.0, 0.35), (1.0, -0.35), (0.9, 0.5), (0.9, -0.5), (0.3, 0.4), (0.3, -0.4)]
    rows = [radius * size * circle + width * along * axle for size, along in loops]
    return np.concatenate(rows) + np.asarray(place, dtype=float)


def box(size: Any, place: Any) -> Any:
    """The corners of a box, and more points on its faces."""
    steps = np.stack(np.meshgrid(*[(-0.5, 0.0, 0.5)] * 3), axis=-1).reshape(-1, 3)
    return steps * size + np.asarray(place, dtype=float)


def _four(radius: float, width: float, half: float, ahead: float, **more: Any) -> list[Shape]:
    return [
        Shape(f"Wheel {i}", ring(radius, width, X, (x, y, radius), **more), radius)
        for i, (x, y) in enumerate((x, y) for y in (ahead, -ahead) for x in (half, -half))
    ]


def _wheel(name: str, radius: float, width: float, place: Any, axle: Any = X) -> Shape:
    return Shape(name, ring(radius, width, axle, (*place, radius)), radius)


def _steering(place: Any) -> Shape:
    return Shape("Helm", ring(0.19, 0.03, (0.0, -0.8, 0.6), place))


def _car() -> Vehicle:
    lamps = [Shape("Lamp", ring(0.1, 0.05, Y, (x, 2.0, 0.6))) for x in (-0.6, 0.6)]
    chassis = Shape("Car", box((1.8, 4.2, 0.7), (0.0, 0.0, 0.75)))
    return Vehicle(
        (chassis, *_four(0.33, 0.22, 0.8, 1.3), _steering((0.35, 0.5, 1.0)), *lamps),
        "STEERING_WHEEL",
    )


def _jeep() -> Vehicle:
    chassis = Shape("Jeep", box((1.7, 3.6, 0.8), (0.0, 0.0, 0.9)))
    spare = Shape("Fifth", ring(0.4, 0.25, Y, (0.2, -2.0, 1.1)))
    return Vehicle((chassis, *_four(0.4, 0.25, 0.75, 1.2), spare), "SPARE_WHEEL")


def _truck() -> Vehicle:
    places = [(x, y) for y in (2.6, -1.6, -2.9) for x in (-1.0, 1.0)]
    wheels = [_wheel(f"Wheel {i}", 0.52, 0.35, place) for i, place in enumerate(places)]
    chassis = Shape("Truck", box((2.4, 7.0, 2.0), (0.0, 0.0, 1.6)))
    return Vehicle((chassis, *wheels), "AXLES")


def _motorcycle() -> Vehicle:
    frame = Shape("Bike", box((0.3, 1.4, 0.6), (0.0, 0.0, 0.6)))
    front, back = (
        _wheel("WheelFront", 0.3, 0.1, (0, 0.7)),
        _wheel("WheelBack", 0.31, 0.16, (0, -7e-1)),
    )
    lamp = Shape("Lamp", ring(0.09, 0.08, Y, (0.0, 0.75, 0.9)))
    return Vehicle((frame, front, back, lamp), "NAMES")


def _tricycle() -> Vehicle:
    frame = Shape("Tricycle", box((0.5, 1.2, 0.3), (0.0, 0.0, 0.5)))
    rear = [_wheel(f"rear {x}", 0.2, 0.06, (x, -0.5)) for x in (-0.35, 0.35)]
    return Vehicle((frame, _wheel("Wheel", 0.25, 0.06, (0.0, 0.6)), *rear), "NAMES")


def _tractor() -> Vehicle:
    chassis = Shape("Tractor", box((1.2, 3.0, 1.0), (0.0, 0.0, 1.2)))
    wheels = [
        _wheel("W", radius, 0.5 * radius, (x, y))
        for radius, y in ((0.45, 1.2), (0.85, -0.9))
        for x in (-0.8, 0.8)
    ]
    return Vehicle((chassis, *wheels), "RADII")


def _simple() -> Vehicle:
    """Wheels of eight corners, with rims and brake discs, and names that tell."""
    chassis = Shape("Simple", box((1.6, 3.5, 0.6), (0.0, 0.0, 0.7)))
    parts: list[Shape] = []
    for side, x in (("L", -0.7), ("R", 0.7)):
        for end, y in (("F", 1.1), ("R", -1.1)):
            name, out = f"{end}{side}", math.copysign(0.05, x)
            parts.append(Shape(f"Tire_{name}", ring(0.3, 0.2, X, (x, y, 0.3), 8), 0.3))
            parts.append(Shape(f"Rim_{name}", ring(0.18, 0.12, X, (x + out, y, 0.3))))
            parts.append(Shape(f"Disc_{name}", ring(0.12, 0.02, X, (x - out, y, 0.3))))
    return Vehicle((chassis, *parts), "NAMES")


def _kart() -> Vehicle:
    """Wide wheels, those in front steered by 25 degrees."""
    chassis = Shape("Kart", box((0.8, 1.6, 0.15), (0.0, 0.0, 0.15)))
    turn = math.radians(25.0)
    steered = (math.cos(turn), math.sin(turn), 0.0)
    front = [_wheel(f"W {x}", 0.13, 0.13, (x, 0.55), steered) for x in (-0.55, 0.55)]
    rear = [_wheel(f"W {x}", 0.14, 0.2, (x, -0.5)) for x in (-0.6, 0.6)]
    helm = Shape("Helm", ring(0.12, 0.03, (0.0, -0.7, 0.7), (0.0, 0.3, 0.5)))
    return Vehicle((chassis, *front, *rear, helm), "STEERING_WHEEL")


def _vintage() -> Vehicle:
    """A spare wheel on the running board, whose axle lies as those of the others do."""
    chassis = Shape("Vintage", box((1.2, 3.8, 0.8), (0.0, 0.0, 0.9)))
    spare = Shape("Fifth", ring(0.36, 0.12, X, (0.7, 0.4, 0.8)))
    return Vehicle(
        (chassis, *_four(0.36, 0.12, 0.65, 1.4), spare, _steering((0.3, 0.2, 1.3))),
        "STEERING_WHEEL",
    )


def _trailer() -> Vehicle:
    """Twin tires at the rear, a spare wheel below, a tank along and a muffler across."""
    chassis = Shape("Tractor Unit", box((2.3, 6.0, 1.8), (0.0, 0.0, 1.7)))
    places = [(-1.0, 2.2), (1.0, 2.2)]
    places += [(x, y) for y in (-1.0, -2.3) for x in (-1.1, -0.75, 0.75, 1.1)]
    wheels = [_wheel(f"Wheel {i}", 0.5, 0.28, place) for i, place in enumerate(places)]
    spare = Shape("Eleventh", ring(0.5, 0.28, Z, (0.0, 0.6, 0.8)))
    tank = Shape("Tank", ring(0.35, 1.2, Y, (-0.9, 0.6, 0.7)))
    muffler = Shape("Muffler", ring(0.15, 0.35, X, (0.0, 1.2, 0.75)))
    return Vehicle((chassis, *wheels, spare, tank, muffler), "AXLES")


VEHICLES = {
    "car": _car(),
    "jeep": _jeep(),
    "truck": _truck(),
    "motorcycle": _motorcycle(),
    "tricycle": _tricycle(),
    "tractor": _tractor(),
    "simple": _simple(),
    "kart": _kart(),
    "vintage": _vintage(),
    "trailer": _trailer(),
}
