"""Which motors and springs of joints are stronger in Godot than they are meant.

A motor pushes with its damping times what it lacks of its speed, so a load L slows it by L divided
by the damping, up to its largest force. Godot takes the largest force alone. The weight of what the
motor moves is the load that is known: along the axis, or at its arm about the axis.

A drive to a position is a spring that pulls with its stiffness times the way to its target, up to
its largest force, which Godot leaves out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from ...codec.convert.draft import Draft
from ...codec.targets.estimates.weighed_bodies import weighed
from ...model.gravity import DOWN, EARTH
from ...model.joints import JointDrive
from .codes import GodotCode

_SHARE: Final = 0.02  # Of its speed or force, by which a motor or a spring may differ.
_WHOLE: Final = 100.0  # From here on numbers are told without decimals.


def tell(draft: Draft, _engine: str, place: Callable[[int], str]) -> None:
    """Report the joints of a document, as it was authored, whose drives Godot makes too strong.

    Motors without a largest force are told of by `joints`.

    Args:
        place: words for messages about a node.
    """
    for node, physics in draft.nodes():
        settings = draft.document.settings_of(physics)
        for drive in () if settings is None else settings.drives:
            if drive.max_force and drive.velocity_target and drive.position_target is None:
                _motor(draft, node, drive, place)
            elif drive.max_force and drive.velocity_target is None and drive.position_target:
                _spring(draft, node, drive, place)


def _motor(draft: Draft, node: int, drive: JointDrive, place: Callable[[int], str]) -> None:
    joint, speed = draft.of(node).joint, abs(drive.velocity_target or 0.0)
    assert joint is not None
    bodies = draft.joined(node, joint)
    loads = [load for body in bodies if (load := _load(draft, node, drive, body)) is not None]
    slower = min(loads, default=0.0) / drive.damping if drive.damping else math.inf
    if slower <= _SHARE * speed:
        return
    unit = "m/s" if drive.type == "linear" else "rad/s"
    how = f"slows it by {slower:.2g} {unit}" if slower < speed else "stops or reverses it"
    why = (
        f"Godot runs the {drive.type} drive of axis {'XYZ'[drive.axis]} at {speed:.3g} {unit} "
        f"and ignores its damping; with damping, the load {how}"
    )
    draft.issues.add(GodotCode.STIFFENS_MOTOR, place(node), why)


def _spring(draft: Draft, node: int, drive: JointDrive, place: Callable[[int], str]) -> None:
    """Report a spring that pulls with more than its largest force at the start, where it is 0."""
    most, target = drive.max_force or 0.0, abs(drive.position_target or 0.0)
    pull = drive.stiffness * target
    if drive.mode == "acceleration" or pull <= (1.0 + _SHARE) * most:
        return  # Another issue is about what is to count for any mass.
    unit = "N" if drive.type == "linear" else "N m"
    why = (
        f"Godot ignores the maximum force of the {drive.type} drive of axis {'XYZ'[drive.axis]}, "
        f"so it pulls with up to {_short(pull)} {unit} and not {_short(most)} {unit}; lower its "
        f"stiffness to {_short(most / target)}"
    )
    draft.issues.add(GodotCode.CHANGES_DRIVE, place(node), why)


def _short(number: float) -> str:
    return f"{number:.0f}" if number >= _WHOLE else f"{number:.3g}"


def _load(draft: Draft, node: int, drive: JointDrive, body: int) -> float | None:
    """The most that the weight of a body does to a drive, N or N m; None for what stands.

    Of drives for any mass it is that of 1 kg, or of 1 kg m².
    """
    found = weighed(draft, body)
    if found is None:
        return None
    import numpy as np

    motion, gravity = draft.of(body).motion, draft.document.world_gravity
    matrix = np.array(draft.world(node)).reshape(4, 4).T
    axis = matrix[:3, drive.axis] / np.linalg.norm(matrix[:3, drive.axis])
    down = np.array(DOWN if gravity is None else gravity.direction)
    factor = 1.0 if motion is None else motion.gravity_factor
    weight = found.mass * factor * down * (EARTH if gravity is None else gravity.gravity)
    if drive.type == "linear":
        size, inertia = abs(weight @ axis), found.mass
    else:
        arm = np.linalg.norm(np.cross(axis, found.center - matrix[:3, 3]))
        size = arm * np.linalg.norm(np.cross(axis, weight))
        along = axis @ found.axes
        inertia = along @ found.tensor @ along + found.mass * arm * arm
    return float(size / inertia if drive.mode == "acceleration" else size)
