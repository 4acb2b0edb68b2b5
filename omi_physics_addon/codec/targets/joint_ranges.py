"""What joint settings leave free and move, of which engines make something of their own."""

from __future__ import annotations

from typing import Final

from ...model.joints import JointDrive, JointSettings

_FAR: Final = 1.0  # m
_AXES: Final = range(3)


def turning(settings: JointSettings) -> frozenset[int]:
    """The axes about which a joint can turn."""
    held = {
        axis
        for limit in settings.limits
        if limit.min == limit.max == 0.0 and limit.stiffness is None
        for axis in limit.angular_axes
    }
    return frozenset(_AXES) - held


def mixes(settings: JointSettings) -> bool:
    """Whether a joint turns about several axes, of which one at least has a range."""
    free = turning(settings)
    ranged = {
        axis
        for limit in settings.limits
        if (limit.min, limit.max) != (None, None)
        for axis in limit.angular_axes
    }
    return len(free) > 1 and bool(free & ranged)


def spans(settings: JointSettings) -> bool:
    """Whether a joint has one range along several axes that leaves it room."""
    return any(
        len(limit.linear_axes) > 1 and (limit.min, limit.max) not in ((None, None), (0.0, 0.0))
        for limit in settings.limits
    )


def strong_drives(settings: JointSettings) -> tuple[JointDrive, ...]:
    """The drives of a joint without those whose largest force is 0, which engines take for none."""
    return tuple(drive for drive in settings.drives if drive.max_force != 0.0)


def goes_far(settings: JointSettings) -> bool:
    """Whether a joint lets something slide by more than a meter, and turn about one axis at most.

    What drives move is left out.
    """
    near = {
        axis
        for limit in settings.limits
        if limit.min is not None and limit.max is not None
        if max(abs(limit.min), abs(limit.max)) <= _FAR
        for axis in limit.linear_axes
    }
    return len(near) < len(_AXES) and len(turning(settings)) < 2 and not settings.drives
