"""Where bodies are that no forces move: by keyframes, at constant speeds, or before the start."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from ....geometry.rotations import nearest_rotations
from ....simulation.motion import drifted
from ....simulation.state import Flags, State
from ....simulation.world import Body, World
from ..input.animation import Samples

_SLOWEST: Final = 1e-9  # m/s or rad/s; a body that is slower stands still at the start.


class Kinematics:
    """Where the bodies of a world are that Blender moves by hand.

    A rigid body of Blender has no speed to be set. One that forces move and that has a speed at
    the start is moved by hand at that speed for two frames, and let go then.

    Attributes:
        start: where the bodies are, and how fast, when they are let go.
        begin: the frame of the temporary scene in which they are let go.
    """

    def __init__(self, world: World, samples: Samples, step: float) -> None:
        """Take a world.

        Args:
            samples: of what keyframes move, by node.
            step: seconds of a frame.
        """
        self._world, self._samples, self._step = world, samples, step
        self.start = world.state()
        self._is_launched = self._finds_launched()
        self.begin = 3 if self._is_launched.any() else 1
        self._drifting = [i for i, body in enumerate(world.bodies) if _drifts(body)]

    def _finds_launched(self) -> Flags:
        """Which bodies forces move that have a speed at the start."""
        speed = np.abs(np.concatenate([self.start.velocity, self.start.spin], axis=1))
        mine = self._world.forced
        return (speed.max(axis=1, initial=0.0) > _SLOWEST) & mine

    def _launch(self) -> State:
        """The start, in which only what forces move is on its way."""
        velocity, spin = (
            np.where(self._is_launched[:, None], each, 0.0)
            for each in (self.start.velocity, self.start.spin)
        )
        return replace(self.start, velocity=velocity, spin=spin)

    def launched(self, frame: int) -> tuple[Any, State]:
        """The bodies on their way to the start, and a state with their places in a frame."""
        late = drifted(self._launch(), self._step * (min(max(frame, 2), 3) - 3))
        return np.flatnonzero(self._is_launched), late

    def at(self, time: float) -> tuple[Any, State]:
        """The bodies that no forces move, and a state with their places at a time."""
        bodies = self._world.bodies
        if not (len(self._samples.objects) or self._drifting):
            return np.zeros(0, dtype=np.int64), self.start
        state = drifted(self.start, time)
        animated = {body.node: i for i, body in enumerate(bodies) if body.is_animated}
        matrices = self._samples.at(time)
        turned, places = nearest_rotations(matrices[:, :3, :3]), matrices[:, :3, 3]
        moved: list[int] = []
        for column, node in enumerate(self._samples.objects):
            i = animated.get(node)
            if i is not None:
                state.rotation[i] = turned[column]
                state.position[i] = places[column] + turned[column] @ bodies[i].center
                moved.append(i)
        return np.array(moved + self._drifting, dtype=np.int64), state


def _drifts(body: Body) -> bool:
    """Whether a body goes its way at a constant speed."""
    is_plain = body.type == "kinematic" and not body.is_animated
    return is_plain and bool(np.abs([body.velocity, body.spin]).max() > _SLOWEST)
