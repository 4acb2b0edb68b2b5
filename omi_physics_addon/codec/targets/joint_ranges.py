"""What joint settings leave free to turn, of which engines make something of their own."""

from __future__ import annotations

from ...model.joints import JointSettings


def turning(settings: JointSettings) -> frozenset[int]:
    """The axes about which a joint can turn."""
    held = {
        axis
        for limit in settings.limits
        if limit.min == limit.max == 0.0 and limit.stiffness is None
        for axis in limit.angular_axes
    }
    return frozenset(range(3)) - held


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
