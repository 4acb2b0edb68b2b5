"""Which bodies of a world may touch each other: by their filters and by their joints."""

from __future__ import annotations

from ..state import WORLD
from ..world import Solid, World
from .collision_groups import Filters, may_meet, sets_meet


class Meetings:
    """Knows who may touch whom, wherever they are."""

    def __init__(self, world: World) -> None:
        """Take a world."""
        self._filters: list[Filters] = [
            frozenset(solid.filter for solid in body.solids) for body in world.bodies
        ]
        joined = [(j.first.body, j.second.body) for j in world.joints if not j.enable_collision]
        self._joined = {frozenset(pair) for pair in joined if WORLD not in pair}

    def of(self, body: int, other: int) -> bool:
        """Whether a body may touch another one."""
        return self._are_apart(body, other) and sets_meet(self._filters[body], self._filters[other])

    def of_solid(self, body: int, other: int, solid: Solid) -> bool:
        """Whether a body may touch a solid of another one."""
        return self._are_apart(body, other) and any(
            may_meet(mine, solid.filter) for mine in self._filters[body]
        )

    def _are_apart(self, body: int, other: int) -> bool:
        return body != other and frozenset((body, other)) not in self._joined
