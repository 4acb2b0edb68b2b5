"""Which bodies engines move elsewhere as they leave the gyroscopic torque out.

Jolt as Godot has it, and Havok, leave out w x (I w) about the center of mass. It turns what has
unequal moments of inertia and spins, or swings about a pivot: free bodies that begin with a spin,
and those that hang on one joint that turns about several axes. What hits them, drives, and how what
they hang on moves are not known here; bodies whose joints have drives are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ....issue_codes import Code
from ....model.gravity import DOWN, EARTH
from ....model.joints import JointSettings
from ....model.tolerance import NEAR, SECONDS, SHARE
from ...convert.draft import Draft
from ..joint_ranges import turning
from .weighed_bodies import weighed

if TYPE_CHECKING:
    from ....geometry.arrays import Array

_EQUAL: Final = 0.01  # Relative difference of moments that turns nothing.
_FULL: Final = 1.7320508  # Half the side of a box by its radius of gyration along it.


@dataclass(frozen=True)
class _Pivot:
    """Where a body hangs: a place in the scene, and the angle by which it can turn, rad."""

    place: tuple[float, ...]
    room: float


def tell(draft: Draft, engine: str, place: Callable[[int], str]) -> None:
    """Report the bodies that move elsewhere in an engine, because it has no gyroscopic torque.

    Args:
        engine: its name.
        place: words for messages about a node.
    """
    found = _candidates(draft)
    if not found or draft.weigh is None:
        return
    import numpy as np

    from ....geometry.gyroscopic_ways import Turning, strayed

    rows = [row for node, pivot in found.items() if (row := _row(draft, node, pivot)) is not None]
    if not rows:
        return
    nodes, values, points = zip(*rows, strict=True)
    turning = Turning(*(np.array(column) for column in zip(*values, strict=True)))
    away: Array = strayed(turning, np.array(points), SECONDS, NEAR, SHARE)
    for node, distance in zip(nodes, away.tolist(), strict=True):
        if distance:
            why = (
                f"{engine} ignores the gyroscopic torque of unequal moments of inertia, so in "
                f"{SECONDS:g} s parts of the body are off by {distance:.2g} m"
            )
            draft.issues.add(Code.ENGINE_LEAVES_GYROSCOPIC_OUT, place(node), why)


def _candidates(draft: Draft) -> dict[int, _Pivot | None]:
    """The nodes of bodies that may turn so, and where those hang that do; None for free ones."""
    pivots: dict[int, list[_Pivot | None]] = {}
    for node, physics in draft.nodes():
        joint = physics.joint
        settings = draft.document.settings_of(physics)
        if joint is None or settings is None:
            continue
        found = _pivot(draft, node, settings)
        for body in {*draft.joined(node, joint)}:
            pivots.setdefault(body, []).append(found)
    result: dict[int, _Pivot | None] = {}
    for node, physics in draft.nodes():
        motion = physics.motion
        if motion is None or motion.type != "dynamic":
            continue
        held = pivots.get(node, [])
        if len(held) == 1 and held[0] is not None:
            result[node] = held[0]
        elif not held and any(motion.angular_velocity):
            result[node] = None
    return result


def _pivot(draft: Draft, node: int, settings: JointSettings) -> _Pivot | None:
    """The pivot that a joint makes; None where it slides, is driven, or turns about one axis."""
    limits = [limit for limit in settings.limits if limit.stiffness is None]
    held = {axis for x in limits if x.min == x.max == 0.0 for axis in x.linear_axes}
    if len(held) < 3 or len(turning(settings)) < 2 or settings.drives:
        return None
    ends = [
        max(abs(limit.min), abs(limit.max))
        for limit in limits
        if limit.angular_axes and limit.min is not None and limit.max is not None
    ]
    room = min((end for end in ends if end > 0.0), default=float("inf"))
    return _Pivot(tuple(draft.world(node)[12:15]), room)


def _row(draft: Draft, node: int, pivot: _Pivot | None) -> tuple[int, Any, Any] | None:
    """What `Turning` has of a body and points of it (4, 3) from its pivot; None for even ones."""
    import numpy as np

    motion, body = draft.of(node).motion, weighed(draft, node)
    if motion is None or body is None:
        return None
    moments, principal = np.linalg.eigh(body.tensor)
    if not moments[0] > 0.0 or np.ptp(moments) <= _EQUAL * moments[2]:
        return None
    gravity = draft.document.world_gravity
    down = np.array(DOWN if gravity is None else gravity.direction)
    weight = down * (EARTH if gravity is None else gravity.gravity) * motion.gravity_factor
    hung = body.center if pivot is None else np.array(pivot.place)
    origin, arm = ((place - hung) @ body.axes for place in (body.origin, body.center))
    reach = _FULL * np.sqrt(np.maximum(moments.sum() / 2.0 - moments, 0.0) / body.mass)
    points = np.concatenate([origin[None], arm + (principal * reach).T])
    room = np.inf if pivot is None else pivot.room
    spin = np.array(motion.angular_velocity)
    return node, (body.mass, body.tensor, arm, spin, weight @ body.axes, room), points
