"""Which of the artist's objects follow what of a preview, and where that takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....axes import matrices_to_blender
from ....geometry.affine import inverse
from ....simulation.state import WORLD, Array, Indices
from ....simulation.world import World
from ..bodies.actors import Actors
from ..copies.wheel_copies import WheelCopies
from ..input.animation import Samples
from ..input.scene_input import SceneReading
from ..input.tree import carriers


@dataclass(frozen=True, eq=False)
class Moving:
    """What a preview moves, and what moves it."""

    read: SceneReading
    world: World
    actors: Actors
    wheels: WheelCopies | None
    samples: Samples


class Carried:
    """Things that bodies, their wheels and keyframes carry along.

    Attributes:
        bodies: (n,), which body carries each; `WORLD` for none.
    """

    def __init__(self, moving: Moving, nodes: Sequence[int], start: Array) -> None:
        """Take things at places (n, 4, 4) in Blender's axes, each of which a node carries."""
        self._wheels, self._samples = moving.wheels, moving.samples
        column = {node: i for i, node in enumerate(moving.samples.objects)}
        carrier = carriers(moving.read.nodes, moving.world)
        self.bodies: Indices = np.array([carrier[at] for at in nodes], dtype=np.int64)
        self._start = start
        self._on_body = np.flatnonzero(self.bodies != WORLD)
        self._actor: Indices = moving.actors.first[self.bodies[self._on_body]]
        self._back: Array = inverse(moving.actors.matrices)[self._actor]
        keyed = [
            (i, column[at])
            for i, at in enumerate(nodes)
            if self.bodies[i] == WORLD and at in column
        ]
        self._keyed, self._column = np.array(keyed, dtype=np.int64).reshape(-1, 2).T
        turned = (
            [(i, moving.wheels.wheel_of(at, carrier[at])) for i, at in enumerate(nodes)]
            if moving.wheels is not None
            else []
        )
        self._rolling = [(i, wheel) for i, wheel in turned if wheel >= 0]

    def places(self, actors: Array, time: float) -> Array:
        """Where they are, (n, 4, 4), in Blender's axes.

        Args:
            actors: (k, 4, 4), where the actors are.
            time: seconds since the start, for what keyframes move.
        """
        found = self._start.copy()
        if self._rolling and self._wheels is not None:
            motions = self._wheels.motions(wheel for _, wheel in self._rolling)
            for i, wheel in self._rolling:
                found[i] = np.array(motions[wheel]) @ found[i]
        found[self._on_body] = actors[self._actor] @ (self._back @ found[self._on_body])
        if len(self._keyed):
            found[self._keyed] = matrices_to_blender(self._samples.at(time))[self._column]
        return found


class Following(Carried):
    """The objects of a scene that a preview moves.

    What stands in an instance of a collection is not among them: it goes where that object goes.

    Attributes:
        uids: (n,), the numbers of the objects.
    """

    def __init__(self, moving: Moving) -> None:
        """Take a scene as it is at the start."""
        read, bodies = moving.read, moving.world.bodies
        carrier = carriers(read.nodes, moving.world)
        keyed = set(moving.samples.objects)
        held = [at for at in range(read.own) if at not in read.instanced]
        nodes = [at for at in held if carrier[at] != WORLD and not bodies[carrier[at]].stands]
        nodes += [at for at in held if carrier[at] == WORLD and at in keyed]
        places = np.array([read.nodes[at].matrix for at in nodes]).reshape(-1, 4, 4)
        super().__init__(moving, nodes, matrices_to_blender(places))
        self.uids: Indices = np.array(
            [read.objects[at].session_uid for at in nodes], dtype=np.int64
        )
        self._body_of = {read.objects[at].session_uid: carrier[at] for at in held}

    def body_of(self, obj: Any) -> int:
        """The body that an object is, or is below; -1 for none."""
        return self._body_of.get(obj.session_uid, WORLD)
