"""Springs and motors of joints.

Source: OMI_physics_joint, KHR_physics_rigid_bodies, drives. A drive looks at the place, or the
twist, of the connected frame against the joint's, along one of the joint's axes:

    force = stiffness * (positionTarget - position) + damping * (velocityTarget - velocity)

Without a position target only the second part acts; without a velocity target it is 0. No drive
pushes with more than its largest force; a missing or negative one is none. A drive of mode
acceleration has gains per mass of what it moves, as engines scale them, but its largest force is a
force. Twists are compared the shorter way round, as engines with angles from -π to π do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...geometry.arrays import Array, Flags
from ...model.joints import DRIVE_MODES, DRIVE_TYPES, JointDrive
from .joint_rows import Measure, RowKinds


@dataclass(frozen=True, eq=False)
class Drives:
    """The numbers of k drives.

    Attributes:
        kinds: what they look at.
        target: (k,), m or rad; any number where there is no spring.
        speed: (k,), m/s or rad/s.
        stiffness, damping: (k,).
        max_force: (k,), N or N m, inf for any.
        per_mass: (k,), whether stiffness and damping are per mass.
        is_angular: (k,).
    """

    kinds: RowKinds
    target: Array
    speed: Array
    stiffness: Array
    damping: Array
    max_force: Array
    per_mass: Flags
    is_angular: Flags

    def errors(self, values: Array) -> Array:
        """How far values (k,) lie beyond the targets."""
        away = values - self.target
        turned: Array = (away + np.pi) % (2.0 * np.pi) - np.pi
        return np.where(self.is_angular, turned, away)


def drives_of(drives: Sequence[tuple[int, JointDrive]]) -> Drives:
    """The drives of joints given by their index; those of unknown type or mode do nothing."""
    known = [
        (joint, one) for joint, one in drives if one.type in DRIVE_TYPES and one.mode in DRIVE_MODES
    ]
    records = [one for _, one in known]
    kinds = RowKinds.of(
        [
            (joint, Measure.TWIST if one.type == "angular" else Measure.OFFSET, (one.axis,))
            for joint, one in known
        ]
    )
    largest = [
        np.inf if one.max_force is None or one.max_force < 0.0 else one.max_force for one in records
    ]
    springs = [0.0 if one.position_target is None else one.stiffness for one in records]
    return Drives(
        kinds,
        target=np.array([one.position_target or 0.0 for one in records]),
        speed=np.array([one.velocity_target or 0.0 for one in records]),
        stiffness=np.array(springs),
        damping=np.array([one.damping for one in records]),
        max_force=np.array(largest),
        per_mass=np.array([one.mode == "acceleration" for one in records], dtype=np.bool_),
        is_angular=np.array([one.type == "angular" for one in records], dtype=np.bool_),
    )
