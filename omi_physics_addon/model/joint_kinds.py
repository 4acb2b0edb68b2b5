"""The kinds of joints people have names for: from a name to joint settings, and back.

Axes are those of the settings, of glTF or of Blender alike.
Source: OMI_physics_joint, "friendly names"; KHR_physics_rigid_bodies, the metrics of limits.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from .fields import AxisIndex
from .joints import DRIVE_TYPES, JointDrive, JointLimit, JointSettings

Kind = Literal[
    "fixed", "ball", "hinge", "slider", "piston", "rope", "cone_twist", "six_dof", "servo", "motor"
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
WITH_AXIS: Final = frozenset({"hinge", "slider", "piston", "cone_twist", "servo", "motor"})

_ALL: Final = (AxisIndex(0), AxisIndex(1), AxisIndex(2))
_CLOSE: Final = 1e-6  # Relative; 32-bit numbers are no more precise.


@dataclass(frozen=True, kw_only=True)
class JointKind:
    """A joint by its name, and what is still open about it.

    Attributes:
        axis: about which it turns or along which it slides; 0 where the kind has none.
        min, max: ends of the way along the axis, or of the distance, m; None for unbounded.
        turn_min, turn_max: ends of the turn about the axis, rad; None for unbounded.
        swing: how far the axis of a cone-twist joint may tilt, rad.
        stiffness, damping: of the ends; a stiffness of None makes them hard.
        drive: of servos and motors.
    """

    kind: Kind
    axis: int = 0
    min: float | None = None
    max: float | None = None
    turn_min: float | None = None
    turn_max: float | None = None
    swing: float = 0.0
    stiffness: float | None = None
    damping: float = 0.0
    drive: JointDrive | None = None


@dataclass(frozen=True)
class Range:
    """What one or several degrees of freedom may do; a missing end is unbounded."""

    min: float | None = None
    max: float | None = None
    stiffness: float | None = None
    damping: float = 0.0

    @property
    def is_held(self) -> bool:
        """Whether it cannot leave its place, or is pulled to it."""
        return self.min == 0.0 and self.max == 0.0

    @property
    def is_fixed(self) -> bool:
        """Whether it cannot leave its place at all."""
        return self.is_held and self.stiffness is None

    @property
    def is_free(self) -> bool:
        """Whether nothing holds it."""
        return self.min is None and self.max is None


_FIXED: Final = Range(0.0, 0.0)
_FREE: Final = Range()


def make(joint: JointKind) -> JointSettings:
    """The settings of a joint of some kind, without a name."""
    one = (AxisIndex(joint.axis),)
    others = tuple(axis for axis in _ALL if axis != joint.axis)
    along = _limit("linear", one, _ranged(joint, joint.min, joint.max))
    about = _limit("angular", one, _ranged(joint, joint.turn_min, joint.turn_max))
    still, upright = _limit("linear", _ALL, _FIXED), _limit("angular", _ALL, _FIXED)
    hinge = (*still, *_limit("angular", others, _FIXED), *about)
    slider = (*_limit("linear", others, _FIXED), *along)
    if joint.kind == "fixed":
        held = _ranged(joint, 0.0, 0.0)
        limits = (*_limit("linear", _ALL, held), *_limit("angular", _ALL, held))
    elif joint.kind == "ball":
        limits = _limit("linear", _ALL, _ranged(joint, 0.0, 0.0))
    elif joint.kind == "piston":
        limits = (*slider, *_limit("angular", others, _FIXED), *about)
    elif joint.kind == "rope":
        limits = _limit("linear", _ALL, _rope_range(joint))
    elif joint.kind == "cone_twist":
        swing = _ranged(joint, -joint.swing, joint.swing)
        limits = (*still, *_limit("angular", others, swing), *about)
    elif joint.kind == "six_dof":
        limits = _six(joint)
    elif joint.kind == "slider" or (joint.drive is not None and joint.drive.type == "linear"):
        limits = (*slider, *upright)
    else:
        limits = hinge
    drives = ()
    if joint.drive is not None:
        drives = (dataclasses.replace(joint.drive, axis=AxisIndex(joint.axis)),)
    return JointSettings(limits=limits, drives=drives)


def _six(joint: JointKind) -> tuple[JointLimit, ...]:
    """A limit for each degree of freedom, so that each can be changed for itself."""
    way = _ranged(joint, joint.min, joint.max)
    turn = _ranged(joint, joint.turn_min, joint.turn_max)
    return tuple(
        limit
        for kind, values in (("linear", way), ("angular", turn))
        for axis in _ALL
        for limit in _limit(kind, (axis,), values)
    )


def _rope_range(joint: JointKind) -> Range:
    """The range of a distance.

    With the same length on both sides of zero it means the same to engines that hold each axis
    for itself as to those that take it for a distance, and does not change with the axes.
    """
    if joint.min is None and joint.max is not None:
        return _ranged(joint, -joint.max, joint.max)
    return _ranged(joint, joint.min, joint.max)


def _ranged(joint: JointKind, low: float | None, high: float | None) -> Range:
    return Range(low, high, joint.stiffness, 0.0 if joint.stiffness is None else joint.damping)


def _limit(kind: str, axes: tuple[AxisIndex, ...], values: Range) -> tuple[JointLimit, ...]:
    if values.is_free:
        return ()
    limit = JointLimit(**vars(values))
    if kind == "linear":
        return (dataclasses.replace(limit, linear_axes=axes),)
    return (dataclasses.replace(limit, angular_axes=axes),)


@dataclass
class _Freedom:
    """What limits leave of the degrees of freedom.

    Attributes:
        linear, angular: by axis, what holds on it alone.
        distances, cones: what holds on several axes together.
    """

    linear: list[Range]
    angular: list[Range]
    distances: list[tuple[tuple[AxisIndex, ...], Range]]
    cones: list[tuple[tuple[AxisIndex, ...], Range]]


def recognize(settings: JointSettings) -> JointKind | None:
    """The kind of joint that settings make; None where there is no name for it."""
    freedom = _freedom(settings.limits)
    if freedom is None or len(settings.drives) > 1:
        return None
    if settings.drives:
        return _driven(freedom, settings.drives[0])
    for find in (_as_fixed_or_ball, _as_hinge, _as_slider, _as_rope, _as_cone, _as_six):
        found = find(freedom)
        if found is not None:
            return found
    return None


def _freedom(limits: Sequence[JointLimit]) -> _Freedom | None:
    """What limits leave free; None where two of them say different things about one degree."""
    out = _Freedom([_FREE] * 3, [_FREE] * 3, [], [])
    for limit in limits:
        hard = limit.stiffness is None
        values = Range(limit.min, limit.max, limit.stiffness, 0.0 if hard else limit.damping)
        if values.is_free:
            continue
        for axes, single, several in (
            (limit.linear_axes, out.linear, out.distances),
            (limit.angular_axes, out.angular, out.cones),
        ):
            if len(axes) > 1 and not values.is_held:
                several.append((tuple(sorted(axes)), values))
                continue
            for axis in axes:
                if single[axis] not in (_FREE, values):
                    return None
                single[axis] = values
    return out


def _same(ranges: Sequence[Range]) -> bool:
    return all(each == ranges[0] for each in ranges)


def _all_fixed(ranges: Sequence[Range]) -> bool:
    return all(each.is_fixed for each in ranges)


def _open_axis(ranges: Sequence[Range]) -> int | None:
    """The one axis that is not fixed; None where there is none, or more than one."""
    found = [i for i, each in enumerate(ranges) if not each.is_fixed]
    return found[0] if len(found) == 1 else None


def _as_fixed_or_ball(freedom: _Freedom) -> JointKind | None:
    linear, angular = freedom.linear, freedom.angular
    if freedom.distances or freedom.cones or not (_same(linear) and linear[0].is_held):
        return None
    soft = _softness(linear[0])
    if not any(not each.is_free for each in angular):
        return JointKind(kind="ball", **soft)
    return JointKind(kind="fixed", **soft) if _same([linear[0], *angular]) else None


def _as_hinge(freedom: _Freedom) -> JointKind | None:
    axis = _open_axis(freedom.angular)
    if freedom.distances or freedom.cones or axis is None or not _all_fixed(freedom.linear):
        return None
    turn = freedom.angular[axis]
    return JointKind(
        kind="hinge", axis=axis, turn_min=turn.min, turn_max=turn.max, **_softness(turn)
    )


def _as_slider(freedom: _Freedom) -> JointKind | None:
    """A slider, or a piston, which also turns about its axis."""
    axis = _open_axis(freedom.linear)
    if freedom.distances or freedom.cones or axis is None:
        return None
    way, turn = freedom.linear[axis], freedom.angular[axis]
    if not _all_fixed([each for i, each in enumerate(freedom.angular) if i != axis]):
        return None
    if turn.is_fixed:
        return JointKind(kind="slider", axis=axis, min=way.min, max=way.max, **_softness(way))
    soft = _one_softness([way, turn])
    if soft is None:
        return None
    return JointKind(
        kind="piston",
        axis=axis,
        min=way.min,
        max=way.max,
        turn_min=turn.min,
        turn_max=turn.max,
        **_softness(soft),
    )


def _as_rope(freedom: _Freedom) -> JointKind | None:
    if freedom.cones or len(freedom.distances) != 1:
        return None
    axes, way = freedom.distances[0]
    if axes != _ALL or not all(each.is_free for each in (*freedom.linear, *freedom.angular)):
        return None
    if way.max is None or way.max <= 0.0:
        return None
    low = None if not way.min or _close(-way.min, way.max) else way.min
    if low is not None and low < 0.0:
        return None
    return JointKind(kind="rope", min=low, max=way.max, **_softness(way))


def _as_cone(freedom: _Freedom) -> JointKind | None:
    if freedom.distances or len(freedom.cones) != 1 or not _all_fixed(freedom.linear):
        return None
    axes, swing = freedom.cones[0]
    if len(axes) != 2 or any(not freedom.angular[axis].is_free for axis in axes):
        return None
    (axis,) = (each for each in _ALL if each not in axes)
    turn = freedom.angular[axis]
    soft = _one_softness([swing, turn])
    if swing.max is None or swing.max <= 0.0 or soft is None:
        return None
    if swing.min and not _close(-swing.min, swing.max):
        return None
    return JointKind(
        kind="cone_twist",
        axis=axis,
        swing=swing.max,
        turn_min=turn.min,
        turn_max=turn.max,
        **_softness(soft),
    )


def _as_six(freedom: _Freedom) -> JointKind | None:
    if freedom.distances or freedom.cones:
        return None
    if not (_same(freedom.linear) and _same(freedom.angular)):
        return None
    way, turn = freedom.linear[0], freedom.angular[0]
    soft = _one_softness([way, turn])
    if soft is None or (way.is_free and turn.is_free):
        return None
    return JointKind(
        kind="six_dof",
        min=way.min,
        max=way.max,
        turn_min=turn.min,
        turn_max=turn.max,
        **_softness(soft),
    )


def _driven(freedom: _Freedom, drive: JointDrive) -> JointKind | None:
    """A hinge or slider with one drive about or along its axis."""
    if drive.type not in DRIVE_TYPES:
        return None
    base = _as_hinge(freedom) if drive.type == "angular" else _as_slider(freedom)
    if base is None or base.kind == "piston" or base.axis != drive.axis:
        return None
    if drive.position_target is not None:
        return dataclasses.replace(base, kind="servo", drive=drive)
    if drive.velocity_target is not None:
        return dataclasses.replace(base, kind="motor", drive=drive)
    return None


def _softness(values: Range) -> dict[str, Any]:
    """The stiffness and damping of a soft range, by field of `JointKind`."""
    if values.stiffness is None:
        return {}
    return {"stiffness": values.stiffness, "damping": values.damping}


def _one_softness(ranges: Sequence[Range]) -> Range | None:
    """The first range that holds something; None where others are as hard or soft as it is not."""
    held = [each for each in ranges if not each.is_free]
    if not held:
        return _FREE
    ways = {(each.stiffness, each.damping) for each in held}
    return held[0] if len(ways) == 1 else None


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=_CLOSE)
