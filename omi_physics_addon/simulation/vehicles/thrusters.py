"""Thrusters and hover thrusters.

Source: OMI_vehicle_thruster, OMI_vehicle_hover_thruster. Both push along their own +Z, which turns
with the gimbal: by an angle |(a, b)| about (a, b, 0). A hover thruster's force is its energy over
the distance to what its nozzle, at -Z, points to.

Parts of a vehicle do as it tells them, as in the Godot add-on of the same authors, whatever the
file says of their targets: they thrust as far as the linear command is along their thrust, and
turn their gimbals so that angular commands are answered, which depends on whether they push from
behind the centre of mass or pull from before it. A hover thruster also lifts harder where that
helps to turn. Parts of other bodies keep the targets of the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags
from ...geometry.rotations import rotations_of_vectors
from ...model.vehicles import HoverThruster, Thruster
from ..gravity_forces import middle
from ..state import Masses, State, Wrench
from .vehicle_control import Commands
from .vehicle_frames import Cast, Places, approach

HOVER_REACH: Final = 1000.0  # m; farther from the ground a hover thruster has nothing to push.
_MIN_GROUND_DISTANCE_M: Final = 0.1  # m, the least distance to the ground that counts.
# Cosine between a ray and the ground, below which it is not smaller.
_MIN_GROUND_COSINE: Final = 0.1
_STEADYING: Final = 0.5  # How much of an angular command goes into lifting harder.


@dataclass(frozen=True, eq=False)
class Nozzles:
    """The numbers of k thrusters of either kind.

    Attributes:
        most: (k,), N or J.
        rate: (k,), N/s or J/s; negative for at once.
        gimbal_rate: (k,), rad/s; negative for at once.
        max_gimbal: (k,), rad.
        adjust: (k,), the share of the gimbal that linear commands use.
        ratio: (k,), of `most`, in the file.
        gimbal_ratio: (k, 2), in the file.
        is_hover: (k,).
    """

    most: Array
    rate: Array
    gimbal_rate: Array
    max_gimbal: Array
    adjust: Array
    ratio: Array
    gimbal_ratio: Array
    is_hover: Flags

    @classmethod
    def of(cls, records: Sequence[Thruster | HoverThruster]) -> Nozzles:
        """From the records of the file."""
        rows = [_row(record) for record in records]
        return cls(
            *np.array(rows, dtype=float).reshape(len(rows), 6).T,
            gimbal_ratio=np.array([one.target_gimbal_ratio for one in records]).reshape(-1, 2),
            is_hover=np.array([isinstance(one, HoverThruster) for one in records], dtype=np.bool_),
        )


def _row(one: Thruster | HoverThruster) -> tuple[float, ...]:
    if isinstance(one, HoverThruster):
        most, rate, ratio = (
            one.max_hover_energy,
            one.hover_energy_change_rate,
            one.target_hover_ratio,
        )
    else:
        most, rate, ratio = one.max_force, one.force_change_rate, one.target_force_ratio
    adjust = one.linear_gimbal_adjust_ratio
    return (most, rate, one.gimbal_change_rate, one.max_gimbal, adjust, ratio)


class Thrusters:
    """What k thrusters of either kind do; they remember their gimbals and forces.

    Attributes:
        gimbal: (k, 2), rad, as they are turned now.
        power: (k,), N or J, what they have now.
    """

    def __init__(
        self, places: Places, nozzles: Nozzles, masses: Masses, *, substeps: int = 1
    ) -> None:
        """Take thrusters that begin as the file says.

        Args:
            substeps: how many the integrator takes while forces stay the same.
        """
        self._places, self._nozzles = places, nozzles
        self._ahead = middle(substeps)
        center = masses.center_local[places.body] if len(places) else np.zeros((0, 3))
        self._arm = places.place - center
        behind = np.einsum("ni,ni->n", self._arm, places.axes[:, :, 2]) < 0.0
        self._sign = np.where(behind, -1.0, 1.0)[:, None]
        self.gimbal = limited(nozzles.gimbal_ratio) * nozzles.max_gimbal[:, None]
        self.power = np.clip(nozzles.ratio, 0.0, 1.0) * nozzles.most

    def directions_local(self) -> Array:
        """Where they push now, (k, 3), in their bodies."""
        turned = gimbal_direction(self.gimbal)
        return np.einsum("nij,nj->ni", self._places.axes, turned)

    def strength(self, count: int) -> Array:
        """The most that plain thrusters of `count` vehicles push: (count, 2, 3), N."""
        found = np.zeros((count, 2, 3))
        mine = (self._places.vehicle >= 0) & ~self._nozzles.is_hover
        push = (self.directions_local() * self._nozzles.most[:, None])[mine]
        at = self._places.vehicle[mine]
        both = np.stack([np.maximum(-push, 0.0), np.maximum(push, 0.0)], axis=1)
        np.add.at(found, at, both)
        return found

    def apply(
        self, state: State, masses: Masses, dt: float, wrench: Wrench, told: Commands, cast: Cast
    ) -> None:
        """Follow the commands as fast as the rates allow, and push."""
        places, nozzles = self._places, self._nozzles
        if not len(places):
            return
        nothing = np.zeros((len(places), 3))
        angular = places.told(told.angular, nothing)
        linear = places.told(told.linear, nothing)
        mine = places.vehicle >= 0
        wanted = np.where(mine[:, None], self._gimbals(angular, linear), nozzles.gimbal_ratio)
        target = limited(wanted) * nozzles.max_gimbal[:, None]
        self.gimbal = approach(self.gimbal, target, nozzles.gimbal_rate, dt)
        direction = self.directions_local()
        ratio = np.where(mine, self._ratios(angular, linear, direction), nozzles.ratio)
        target = np.clip(ratio, 0.0, 1.0) * nozzles.most
        self.power = approach(self.power, target, nozzles.rate, dt)
        points = places.points(state, masses)
        way = state.directions(places.body, direction)
        ahead = state.point_velocities(places.body, points) * (self._ahead * dt)
        force = self.power * self._per_power(points, way, cast, ahead)
        wrench.push(state, places.body, points, way * force[:, None])

    def _gimbals(self, angular: Array, linear: Array) -> Array:
        """The shares (k, 2) of the gimbals that answer commands (k, 3) in the bodies' axes."""
        turning = limited(self._sign * self._places.local(angular)[:, :2])
        back = gimbal_rotation(self.gimbal).transpose(0, 2, 1)
        local = np.einsum("nij,nj->ni", back, self._places.local(linear))
        aside = limited(np.stack([-local[:, 1], local[:, 0]], axis=1))
        return limited(turning + aside * self._nozzles.adjust[:, None])

    def _ratios(self, angular: Array, linear: Array, direction: Array) -> Array:
        """The shares (k,) of their power that answer commands (k, 3)."""
        along = np.maximum(np.einsum("ni,ni->n", linear, direction), 0.0)
        lever = np.cross(self._arm, direction)
        helps = np.maximum(_STEADYING * np.einsum("ni,ni->n", angular, lever), 0.0)
        return along + np.where(self._nozzles.is_hover, helps, 0.0)

    def _per_power(self, points: Array, way: Array, cast: Cast, ahead: Array) -> Array:
        """Newtons (k,) for a power of one: 1, or 1 / distance for those that hover.

        Args:
            ahead: (k, 3), m, how far they go until the middle of the step, where the distance is
                taken, so that swings keep their height; see `middle`.
        """
        found = np.ones(len(points))
        hovers = np.flatnonzero(self._nozzles.is_hover)
        if len(hovers):
            reach = np.full(len(hovers), HOVER_REACH)
            hits = cast(points[hovers], -way[hovers], reach, self._places.body[hovers])
            rise = np.einsum("ni,ni->n", ahead[hovers], hits.normal)
            slant = np.einsum("ni,ni->n", way[hovers], hits.normal)
            rise = np.where(np.isfinite(hits.distance), rise, 0.0) / np.maximum(
                slant, _MIN_GROUND_COSINE
            )
            found[hovers] = 1.0 / np.maximum(hits.distance + rise, _MIN_GROUND_DISTANCE_M)
        return found


def limited(vectors: Array) -> Array:
    """Vectors (k, d) cut to length 1."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1.0)


def gimbal_rotation(angles: Array) -> Array:
    """The rotations (k, 3, 3) by |(a, b)| about (a, b, 0), for angles (k, 2) in rad."""
    return rotations_of_vectors(np.pad(angles, ((0, 0), (0, 1))))


def gimbal_direction(angles: Array) -> Array:
    """Where +Z points after the gimbal, (k, 3), for angles (k, 2) in rad."""
    return gimbal_rotation(angles)[:, :, 2]
