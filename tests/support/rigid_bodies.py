"""A plain integrator of rigid bodies, to try force makers without Blender.

Semi-implicit Euler: forces stay the same during a step, which is done in substeps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from omi_physics_addon.geometry.rotations import crossed
from omi_physics_addon.simulation.state import Array, Masses, State, Wrench, turned
from omi_physics_addon.simulation.world import Frame, JointFrames

STEP = 1.0 / 60.0
SUBSTEPS = 2

Maker = Callable[[State, Masses, float, Wrench], None]


def solids(
    mass: Sequence[float],
    inertia: Sequence[Sequence[float]] | None = None,
    center: Sequence[Sequence[float]] | None = None,
    dynamic: Sequence[bool] | None = None,
    gravity_factor: Sequence[float] | None = None,
) -> Masses:
    """Masses of bodies with principal moments along the axes of their nodes, 1 unless given."""
    count = len(mass)
    moments = np.ones((count, 3)) if inertia is None else np.array(inertia, dtype=float)
    moves = np.ones(count, dtype=bool) if dynamic is None else np.array(dynamic)
    return Masses(
        mass=np.array(mass, dtype=float),
        inverse_mass=np.where(moves, 1.0 / np.array(mass, dtype=float), 0.0),
        inertia_local=moments[:, :, None] * np.eye(3),
        inverse_inertia_local=np.where(moves[:, None], 1.0 / moments, 0.0)[:, :, None] * np.eye(3),
        center_local=np.zeros((count, 3)) if center is None else np.array(center, dtype=float),
        is_dynamic=moves,
        gravity_factor=np.ones(count) if gravity_factor is None else np.array(gravity_factor),
    )


def resting(*places: Sequence[float]) -> State:
    """Upright bodies with their centres of mass there."""
    at = np.array(places, dtype=float)
    upright = np.tile(np.eye(3), (len(at), 1, 1))
    return State(at, upright, np.zeros_like(at), np.zeros_like(at))


def about(axis: Sequence[float], angle: float) -> Array:
    """The rotation (3, 3) about an axis, by Rodrigues."""
    x, y, z = np.array(axis, dtype=float) / np.linalg.norm(axis)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def frame(body: int, place: Sequence[float] = (0, 0, 0), axes: Array | None = None) -> Frame:
    return Frame(body, np.array(place, dtype=float), np.eye(3) if axes is None else axes)


def joint(first: Frame, second: Frame) -> JointFrames:
    return JointFrames(0, first, second, (), (), False)


def step(
    state: State,
    masses: Masses,
    makers: Sequence[Maker],
    *,
    dt: float = STEP,
    substeps: int = SUBSTEPS,
    falling: Array | None = None,
    after: Callable[[State], None] | None = None,
) -> Wrench:
    """Move bodies by a step, and give what pushed them.

    Args:
        falling: (n, 3), accelerations beside the makers' forces.
        after: called after every substep, to hold what the integrator does not know.
    """
    wrench = Wrench.zero(len(state))
    for make in makers:
        make(state, masses, dt, wrench)
    h = dt / substeps
    for _ in range(substeps):
        free = wrench.force * masses.inverse_mass[:, None]
        if falling is not None:
            free = free + np.where(masses.is_dynamic[:, None], falling, 0.0)
        inertia = state.inertia(masses)
        gyroscopic = crossed(state.spin, np.einsum("nij,nj->ni", inertia, state.spin))
        turning = turned(state.inverse_inertia(masses), wrench.torque - gyroscopic)
        state.velocity = state.velocity + h * free
        state.spin = state.spin + h * turning
        state.position = state.position + h * state.velocity
        _turn(state, h)
        if after is not None:
            after(state)
    return wrench


def _turn(state: State, h: float) -> None:
    for at, spin in enumerate(state.spin):
        speed = float(np.linalg.norm(spin))
        if speed:
            state.rotation[at] = about(spin, speed * h) @ state.rotation[at]


def run(state: State, masses: Masses, makers: Sequence[Maker], seconds: float, **how: object):
    """Move bodies for some time, and give the positions (steps, n, 3) after every step."""
    path = []
    dt = float(how.get("dt", STEP))  # type: ignore[arg-type]
    for _ in range(round(seconds / dt)):
        step(state, masses, makers, **how)  # type: ignore[arg-type]
        path.append(state.position.copy())
    return np.array(path)
