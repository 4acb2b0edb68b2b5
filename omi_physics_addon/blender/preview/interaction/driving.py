"""Keys that drive a vehicle of a running preview."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....simulation.vehicles.pilot import KEYS, Scheme, activations, scheme_of
from ....simulation.vehicles.vehicle_control import Vehicles
from ..bodies.bodies import Bodies
from ..stage.windows import layer_of

# Blender's names for keys that have other ones with pilots.
_NAMES: Final = {
    "LEFT_SHIFT": "SHIFT",
    "RIGHT_SHIFT": "SHIFT",
    "LEFT_CTRL": "CTRL",
    "RIGHT_CTRL": "CTRL",
}
# What is shown of the keys of each scheme.
HINTS: Final[dict[Scheme, tuple[tuple[str, str], ...]]] = {
    Scheme.CAR: (("W S", "Drive"), ("A D", "Steer"), ("Space", "Coast")),
    Scheme.FREE: (
        ("W S", "Forward, Back"),
        ("A D", "Left, Right"),
        ("R F", "Rise, Sink"),
        ("Q E", "Roll"),
        ("I K", "Pitch"),
        ("J L", "Yaw"),
        ("Space", "Stop"),
    ),
    Scheme.THROTTLE: (
        ("Shift Ctrl", "Throttle"),
        ("W S", "Pitch"),
        ("A D", "Yaw"),
        ("Q E", "Roll"),
        ("I K", "Rise, Sink"),
        ("J L", "Left, Right"),
        ("Space", "Stop"),
    ),
}


class Driver:
    """Holds down keys for one vehicle at a time.

    Attributes:
        names: of the objects of the vehicles.
        at: which of them is driven; -1 for none.
        pressed: the keys that are down, by the names that pilots know.
    """

    def __init__(self, bodies: Bodies, scene: Any) -> None:
        self._bodies = bodies
        self.pressed: set[str] = set()
        self._is_driven = False
        made = bodies.forces.vehicles
        self._vehicles: Vehicles | None = None if made is None else made.vehicles
        driven: list[int] = [] if made is None else made.vehicles.body.tolist()
        self.names = tuple(bodies.names[bodies.world.bodies[i].node] for i in driven)
        self.at = self._first(driven, scene)

    def _first(self, driven: list[int], scene: Any) -> int:
        """The active object's vehicle, else the first that somebody sits in, else the first.

        Args:
            driven: the bodies of the vehicles.
        """
        bodies = self._bodies
        active = layer_of(scene).objects.active
        if active is not None and active.name in bodies.names:
            body = bodies.world.body_of.get(bodies.names.index(active.name))
            if body in driven:
                return driven.index(body)
        for i, body in enumerate(driven):
            vehicle = bodies.document.nodes[bodies.world.bodies[body].node].vehicle_body
            if vehicle is not None and vehicle.pilot_seat is not None:
                return i
        return 0 if driven else -1

    @property
    def scheme(self) -> Scheme | None:
        """Which keys do what now; None where nothing is driven."""
        if self._vehicles is None or self.at < 0:
            return None
        return scheme_of(
            use_throttle=bool(self._vehicles.use_throttle[self.at]),
            has_wheels=bool(self._vehicles.has_wheels[self.at]),
            has_hover=bool(self._vehicles.has_hover[self.at]),
        )

    def hints(self) -> tuple[tuple[str, str], ...]:
        """Keys and what they do."""
        scheme = self.scheme
        return () if scheme is None else HINTS[Scheme.FREE if scheme is Scheme.LEVEL else scheme]

    def choose(self, at: int) -> None:
        """Drive another vehicle, or none for -1; the one before is let go."""
        self.let_go()
        self.at = at
        self._is_driven = False

    def key(self, name: str, *, is_down: bool) -> bool:
        """Take a key of Blender's; whether a vehicle listens to it."""
        name = _NAMES.get(name, name)
        if self.at < 0 or name not in KEYS:
            return False
        if is_down:
            self.pressed.add(name)
            self._is_driven = True
            return True
        was_down = name in self.pressed
        self.pressed.discard(name)
        return was_down

    def let_go(self) -> None:
        """Release all keys, and what they told."""
        self.pressed.clear()
        if self._is_driven and self._vehicles is not None and self.at >= 0:
            self._vehicles.angular_activation[self.at] = 0.0
            if not self._vehicles.use_throttle[self.at]:
                self._vehicles.linear_activation[self.at] = 0.0

    def drive(self) -> None:
        """Tell the vehicle; until the first key it does what the file says."""
        vehicles, scheme = self._vehicles, self.scheme
        if vehicles is None or scheme is None or not self._is_driven:
            return
        at, bodies = self.at, self._bodies
        angular, linear = activations(
            scheme,
            self.pressed,
            np.array(vehicles.linear_activation[at]),
            bodies.state.rotation[vehicles.body[at]],
            bodies.step,
            use_throttle=bool(vehicles.use_throttle[at]),
        )
        vehicles.angular_activation[at], vehicles.linear_activation[at] = angular, linear
