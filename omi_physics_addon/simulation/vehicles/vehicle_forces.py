"""Vehicles with all their parts, as one force maker.

Parts that are on no vehicle, but on a plain body, act by the targets that the file gives them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...geometry.arrays import Array
from ..state import Masses, State, Wrench
from .thrusters import Nozzles, Thrusters
from .vehicle_control import Vehicles, commands
from .vehicle_frames import Cast, Places
from .wheels import WheelNumbers, Wheels

Gravity = Callable[[State, Masses], Array]


class VehicleForces:
    """Pushes bodies by gyroscopes, thrusters and wheels, as activations say.

    Attributes:
        vehicles: whose `angular_activation` and `linear_activation` a pilot sets at any time.
        thrusters, wheels: what they do now, for what is shown.
    """

    def __init__(
        self,
        vehicles: Vehicles,
        thrusters: tuple[Places, Nozzles],
        wheels: tuple[Places, WheelNumbers],
        masses: Masses,
        gravity: Gravity,
        cast: Cast,
        *,
        substeps: int = 1,
    ) -> None:
        """Take vehicles and the parts of these and other bodies.

        Args:
            gravity: the gravity (n, 3) at all bodies, such as `VolumeGravity.accelerations`.
            cast: sends the rays of wheels and hover thrusters.
            substeps: how many the integrator takes while forces stay the same.
        """
        self.vehicles = vehicles
        self.thrusters = Thrusters(*thrusters, masses, substeps=substeps)
        self.wheels = Wheels(*wheels, substeps=substeps)
        self._gravity, self._cast = gravity, cast
        for places, flags, chosen in (
            (wheels[0], vehicles.has_wheels, np.ones(len(wheels[0]), dtype=np.bool_)),
            (thrusters[0], vehicles.has_hover, thrusters[1].is_hover),
        ):
            flags[places.vehicle[(places.vehicle >= 0) & chosen]] = True

    def apply(
        self,
        state: State,
        masses: Masses,
        dt: float,
        wrench: Wrench,
        falling: Array | None = None,
    ) -> None:
        """Add what vehicles and their parts do.

        Args:
            falling: (n, 3), accelerations that the integrator itself adds, such as gravity.
        """
        vehicles = self.vehicles
        strength = self.thrusters.strength(len(vehicles))
        gravity = self._gravity(state, masses)
        told = commands(vehicles, state, masses, gravity, strength, dt)
        torque = state.directions(vehicles.body, vehicles.gyro_torque * told.angular)
        wrench.turn(vehicles.body, torque)
        self.thrusters.apply(state, masses, dt, wrench, told, self._cast)
        self.wheels.apply(state, masses, dt, wrench, told, self._cast, falling)
