"""Which of the artist's objects follow what of a preview, and where that takes them."""

from __future__ import annotations

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


class Following:
    """The objects of a scene that a preview moves.

    What stands in an instance of a collection is not among them: it goes where that object goes.

    Attributes:
        uids: (n,), the numbers of the objects.
    """

    def __init__(
        self,
        read: SceneReading,
        world: World,
        actors: Actors,
        wheels: WheelCopies | None,
        samples: Samples,
    ) -> None:
        """Take a scene as it is at the start."""
        self._wheels, self._samples = wheels, samples
        column = {node: i for i, node in enumerate(samples.objects)}
        carrier = carriers(read.nodes, world)
        held = [at for at in range(read.own) if at not in read.instanced]
        moving = {i for i, body in enumerate(world.bodies) if _moves(body)}
        on_body = [at for at in held if carrier[at] in moving]
        on_keys = [at for at in held if carrier[at] == WORLD and at in column]
        nodes = [*on_body, *on_keys]
        self.uids: Indices = np.array(
            [read.objects[at].session_uid for at in nodes], dtype=np.int64
        )
        self._body_of = {read.objects[at].session_uid: carrier[at] for at in held}
        self._actor: Indices = np.array(
            [actors.first[carrier[at]] for at in on_body], dtype=np.int64
        )
        self._columns: Indices = np.array([column[at] for at in on_keys], dtype=np.int64)
        places = np.array([read.nodes[at].matrix for at in on_body]).reshape(-1, 4, 4)
        self._start: Array = matrices_to_blender(places)
        self._back: Array = inverse(actors.matrices)[self._actor]
        turned = (
            [(i, wheels.wheel_of(at, carrier[at])) for i, at in enumerate(on_body)]
            if wheels
            else []
        )
        self._rolling = [(i, wheel) for i, wheel in turned if wheel >= 0]

    def body_of(self, obj: Any) -> int:
        """The body that an object is, or is below; -1 for none."""
        return self._body_of.get(obj.session_uid, WORLD)

    def places(self, actors: Array, time: float) -> Array:
        """Where the objects are, (n, 4, 4), in Blender's axes.

        Args:
            actors: (k, 4, 4), where the actors are.
            time: seconds since the start, for what keyframes move.
        """
        start = self._start
        if self._rolling and self._wheels is not None:
            start = start.copy()
            motions = self._wheels.motions(wheel for _, wheel in self._rolling)
            for i, wheel in self._rolling:
                start[i] = np.array(motions[wheel]) @ start[i]
        found: Array = actors[self._actor] @ (self._back @ start)
        if not len(self._columns):
            return found
        keyed = matrices_to_blender(self._samples.at(time))[self._columns]
        return np.concatenate([found, keyed])


def _moves(body: Any) -> bool:
    return body.type != "static" or body.is_animated
