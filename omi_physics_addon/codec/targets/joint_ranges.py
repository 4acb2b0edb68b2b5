"""What joint settings leave free and move, of which engines make something of their own."""

from __future__ import annotations

from ...model.joints import JointDrive, JointSettings


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


def strong_drives(settings: JointSettings) -> tuple[JointDrive, ...]:
    """The drives of a joint without those whose largest force is 0, which engines take for none."""
    return tuple(drive for drive in settings.drives if drive.max_force != 0.0)
