"""Which vehicles Godot drives and brakes otherwise, so that their wheels carry them elsewhere.

Wheels of Godot's OMI add-on have no brakes: with linear dampeners and without a command, their
motors push back with their largest force for each m/s of the speed. A command against the motion is
no brake either, the largest speed counts with a throttle only, and motors have their force at once.
Both ways are followed along the axis in which wheels roll, from the speed of the start, on a ground
as tilted as the vehicle; pilots, bends and other slopes are not known.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ...codec.convert.draft import Draft
from ...codec.targets.estimates.weighed_bodies import weighed
from ...model.gravity import DOWN, EARTH
from ...model.tolerance import NEAR, SECONDS, SHARE
from ...model.vehicles import VehicleBody
from .codes import GodotCode
from .wheels import Parts, by_vehicle, has_idle_dampeners, wheels_of

_STEP: Final = 1.0 / 60.0  # s.
_IDLE: Final = 1e-5  # A command, m/s or m/s², below that does nothing.
_STANDING: Final = 0.01  # m/s, below which nothing moves against its command.
_GODOT_GRIP: Final = 2.0  # Its wheels halve what they push ahead before they compare it with grip.
_FADE: Final = 0.02  # Share of the largest speed over which the preview gives its drive up.


@dataclass(frozen=True)
class _Run:
    """A vehicle along the axis in which its wheels roll; accelerations by its mass, in m/s².

    Attributes:
        speed: m/s, of the start.
        pull: of gravity.
        grip: the most that wheels can do.
        motor, brake: of all wheels.
        rate: m/s³, how fast the motors change; inf for at once.
        drive: of the motors at the start.
        dampens: whether linear dampeners are on in Godot.
    """

    vehicle: VehicleBody
    speed: float
    pull: float
    grip: float
    motor: float
    brake: float
    rate: float
    drive: float
    dampens: bool

    @property
    def stands(self) -> bool:
        """Whether nothing moves it, as is so of most."""
        return max(map(abs, (self.speed, self.pull, self.drive, self.told))) < _IDLE

    @property
    def told(self) -> float:
        """What the vehicle is told to drive, -1 to 1."""
        return min(max(self.vehicle.linear_activation[2], -1.0), 1.0)

    @property
    def is_throttled(self) -> bool:
        """Whether the command is a share of the largest speed."""
        return self.vehicle.use_throttle and self.vehicle.max_speed >= 0.0

    def driven(self, speed: float) -> float:
        """What the preview leaves of the command at a speed."""
        most = self.vehicle.max_speed
        if self.is_throttled:
            return min(max(self.told - speed / (most or 1.0), -1.0), 1.0)
        if most >= 0.0 and self.told * speed > 0.0:
            left = (most - abs(speed)) / max(_FADE * most, 1e-6)
            return self.told * min(max(left, 0.0), 1.0)
        return self.told

    def as_specified(self) -> float:
        """Where it is after the time, m, with brakes and the largest speed."""
        place, speed, drive = 0.0, self.speed, self.drive
        for _ in range(round(SECONDS / _STEP)):
            driven = self.driven(speed)
            is_against = driven * speed < 0.0 and abs(speed) > _STANDING
            brakes = self.vehicle.linear_dampeners and (abs(driven) <= _IDLE or is_against)
            wanted = 0.0 if brakes else driven * self.motor
            change = self.rate * _STEP
            drive = min(max(wanted, drive - change), drive + change)
            free = speed + self.pull * _STEP
            pushed = free + drive * _STEP
            held = min(abs(pushed), self.brake * _STEP * brakes)
            speed = self._gripped(free, pushed - math.copysign(held, pushed))
            place += speed * _STEP
        return place

    def as_in_godot(self) -> tuple[float, float]:
        """Where it is after the time, and how long its way is, m."""
        place, way, speed = 0.0, 0.0, self.speed
        most = self.vehicle.max_speed or 1.0
        for _ in range(round(SECONDS / _STEP)):
            told, slows = self.told, 0.0
            if self.is_throttled:
                slows = 1.0 / most
            elif self.dampens and abs(told) <= _IDLE:
                slows = 1.0
            free = speed + self.pull * _STEP
            pushed = (free + told * self.motor * _STEP) / (1.0 + slows * self.motor * _STEP)
            speed = self._gripped(free, pushed, _GODOT_GRIP)
            place, way = place + speed * _STEP, way + abs(speed) * _STEP
        return place, way

    def _gripped(self, free: float, pushed: float, share: float = 1.0) -> float:
        """The speed to which wheels bring what would have another one without them."""
        most = share * self.grip * _STEP
        return free + min(max(pushed - free, -most), most)

    def why(self) -> str:
        """What Godot does otherwise, and what helps."""
        if self.is_throttled or abs(self.told) <= _IDLE:
            return (
                "has no wheel brakes, so motors brake with their maximum force per m/s; to "
                "roll freely in both, turn off Dampeners > Linear"
            )
        if self.told * self.speed < 0.0:
            return (
                "does not brake a vehicle that drives against its motion; start it slower, "
                "or brake in the game's code"
            )
        if self.vehicle.max_speed >= 0.0:
            return (
                "ignores the vehicle's maximum speed; turn on Control > Throttle to have it in both"
            )
        return "applies the full force immediately; set Change Rate to -1 to have that in both"


def tell(draft: Draft, _engine: str, place: Callable[[int], str]) -> None:
    """Report the vehicles of a document, as it was authored, that Godot carries elsewhere.

    Args:
        place: words for messages about a node.
    """
    for body, parts in by_vehicle(draft).items():
        run = _run(draft, body, parts)
        if run is None or run.stands:
            continue
        there, way = run.as_in_godot()
        away = abs(there - run.as_specified())
        if away > NEAR + SHARE * way:
            why = (
                f"Godot {run.why()}; after {SECONDS:g} s the vehicle is about {away:.1g} m "
                "away from where the preview has it"
            )
            draft.issues.add(GodotCode.ROLLS_VEHICLE, place(body), why)


def _run(draft: Draft, body: int, parts: Parts) -> _Run | None:
    physics, found = draft.of(body), weighed(draft, body)
    vehicle, motion = physics.vehicle_body, physics.motion
    if vehicle is None or motion is None or found is None:
        return None
    wheels = [wheel for *_, wheel in wheels_of(draft.document, parts)]
    gravity = draft.document.world_gravity
    down, strength = (DOWN, EARTH) if gravity is None else (gravity.direction, gravity.gravity)
    grip = strength * motion.gravity_factor
    forces = [wheel.max_propulsion_force for wheel in wheels]
    ratios = [wheel.target_propulsion_force_ratio for wheel in wheels]
    rates = [w.propulsion_force_change_rate for w in wheels if w.max_propulsion_force]
    rate = math.inf if min(rates, default=-1.0) < 0.0 else sum(rates)
    return _Run(
        vehicle,
        motion.linear_velocity[2],
        grip * float(found.axes[:, 2] @ down),
        abs(grip),
        sum(forces) / found.mass,
        sum(wheel.largest_brake for wheel in wheels) / found.mass,
        rate / found.mass,
        sum(map(operator.mul, forces, ratios)) / found.mass,
        vehicle.linear_dampeners and not has_idle_dampeners(vehicle, draft.document, parts),
    )
