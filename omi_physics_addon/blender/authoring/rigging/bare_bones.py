"""How thick the bones of a figure without a mesh are: as people are there.

Source of the shares of mass and of the lengths of limbs: Winter 2009, "Biomechanics and Motor
Control of Human Movement", table 4.1 (after Dempster 1955) and figure 4.1 (after Drillis and
Contini 1966).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from ....geometry.arrays import Array
from ....geometry.fit.bone_capsules import BoneCapsule, bone_capsule, capsule_of
from .bone_parts import BonePart
from .bone_roles import NEXT

# Of the mass of a person, each part alone.
_SHARES: Final = {
    "upper_arm": 0.028,
    "lower_arm": 0.016,
    "hand": 0.006,
    "upper_leg": 0.1,
    "lower_leg": 0.0465,
    "foot": 0.0145,
}
_HEAD: Final = 0.081  # With the neck.
_HEADS: Final = frozenset({"neck", "head"})
_TRUNK: Final = 0.497  # With the pelvis, and about as much of it everywhere along it.
_ROOTS: Final = frozenset({"upper_arm", "upper_leg"})
# Of the stature, what tells it.
_LENGTHS: Final = {"upper_arm": 0.186, "lower_arm": 0.146, "upper_leg": 0.245, "lower_leg": 0.246}
_VOLUME: Final = 70.0 / 1000.0 / 1.75**3  # Of 70 kg of water at 1.75 m, for a stature of 1 m.
_UPRIGHT: Final = -0.5  # Cosine of the angle of legs and trunk, above which nobody stands.


def capsules_of(parts: Sequence[BonePart], lateral: Array) -> list[BoneCapsule]:
    """The capsules of bones that no mesh tells about.

    The parts of people have their shares. Animals are slim, but for a trunk as wide as what hangs
    on it, and so are bones of no known role. Bones of the trunk are turned about themselves where
    their capsules lie across.

    Args:
        lateral: (3,), from one side of the figure to the other, of length one.
    """
    figure = _Figure(parts, lateral)
    return [figure.capsule(part) for part in parts]


class _Figure:
    def __init__(self, parts: Sequence[BonePart], lateral: Array) -> None:
        self._lateral = lateral
        self._below: dict[BonePart | None, list[BonePart]] = {}
        for part in parts:
            self._below.setdefault(part.above, []).append(part)
        self._limbs = {  # What hangs on each bone of the trunk.
            part: limbs
            for part in parts
            if (limbs := [p for p in self._below.get(part, ()) if p.role in _ROOTS])
        }
        self._trunk = _between(self._limbs)
        self._lengths = {part: self._reach(part) for part in parts}
        self._stature = self._stature_of_person(parts)
        self._trunk_length = sum(self._lengths[part] for part in self._trunk)
        self._head_length = sum(self._lengths[part] for part in parts if part.role in _HEADS)
        wide = [self._spread(limbs) for limbs in self._limbs.values() if len(limbs) > 1]
        self._width = float(np.mean(wide)) if wide else 0.0

    def capsule(self, part: BonePart) -> BoneCapsule:
        """The capsule of a bone, in its axes."""
        length = self._lengths[part]
        if part in self._trunk and self._width:
            width = self._width_at(part)
            if width > length:
                self._turn_across(part)
            return capsule_of(self._trunk_volume(length, width), length, width)
        if self._stature and (part.role in _SHARES or part.role in _HEADS):
            return capsule_of(self._share(part, length) * self._volume, length)
        return bone_capsule(np.zeros((0, 3)), length)

    def _reach(self, part: BonePart) -> float:
        """How far it is from the head of a bone to the last of what goes on from there, m."""
        below = self._below.get(part, [])
        if part in self._trunk:
            after = [p for p in below if p in self._trunk or p.role in _ROOTS]
        else:
            after = [p for p in below if p.role in NEXT.get(part.role, ())]
        return max([part.length, *(float((p.head - part.head) @ part.along) for p in after)])

    def _stature_of_person(self, parts: Sequence[BonePart]) -> float:
        """How tall a person of these bones is, m; 0 for what has not two arms above two legs."""
        arms = [part for part in parts if part.role == "upper_arm"]
        legs = [part for part in parts if part.role == "upper_leg"]
        if (len(arms), len(legs)) != (2, 2):
            return 0.0
        up = np.mean([p.head for p in arms], axis=0) - np.mean([p.head for p in legs], axis=0)
        down: Array = np.sum([part.along for part in legs], axis=0)
        if up @ down > _UPRIGHT * float(np.linalg.norm(up) * np.linalg.norm(down)):
            return 0.0
        long = [part for part in parts if part.role in _LENGTHS]
        return sum(self._lengths[p] for p in long) / sum(_LENGTHS[p.role] for p in long)

    @property
    def _volume(self) -> float:
        """Of a whole person, m³."""
        return _VOLUME * self._stature**3

    def _share(self, part: BonePart, length: float) -> float:
        """Of the mass of a person; the head and the neck share one."""
        return _SHARES.get(part.role) or _HEAD * length / self._head_length

    def _trunk_volume(self, length: float, width: float) -> float:
        """In m³; that of animals is round."""
        if not self._stature:
            return math.pi / 4.0 * width**2 * length
        return _TRUNK * length / self._trunk_length * self._volume

    def _width_at(self, part: BonePart) -> float:
        """How wide the trunk is: as what hangs on it, elsewhere as the rest of it, m."""
        limbs = self._limbs.get(part, [])
        return self._spread(limbs) if len(limbs) > 1 else self._width

    def _spread(self, limbs: Sequence[BonePart]) -> float:
        """From one side to the other, m: between shoulders, and with the thighs below hips."""
        wide = float(np.ptp([limb.head @ self._lateral for limb in limbs]))
        thighs = [p for p in limbs if p.role == "upper_leg"]
        return wide + 2.0 * max((self.capsule(p).radius for p in thighs), default=0.0)

    def _turn_across(self, part: BonePart) -> None:
        """Turn the axes of a bone about it, so that X leads to a side."""
        along = part.along
        side = self._lateral - (self._lateral @ along) * along
        size = float(np.linalg.norm(side))
        if size > 0.0:
            side = side / size
            axes = np.stack([side, along, np.cross(side, along)], axis=1)
            part.turn = part.place[:3, :3].T @ axes


def _between(carriers: Collection[BonePart]) -> set[BonePart]:
    """Bones on which limbs hang, and those between them."""
    ways = [[*part.upward()] for part in carriers]
    counts = Counter(part for way in ways for part in way)
    shared = next((p for way in ways for p in way if counts[p] == len(ways)), None)
    return {part for part in counts if counts[part] < len(ways) or part is shared}
