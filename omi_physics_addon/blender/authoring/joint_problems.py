"""What is wrong with a joint, or worth knowing about it, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..base import groups
from ..base.hierarchy import body_of
from .joint_making import is_dynamic, settings_of


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a joint, or worth knowing about it.

    Attributes:
        text: in English; it ends with what to do.
        name: for the place of `{name}` in it.
        is_fault: whether the joint cannot work like this; else it is only worth knowing.
        can_swap: whether swapping its ends helps.
    """

    text: str
    name: str = ""
    is_fault: bool = True
    can_swap: bool = False


def of_ends(obj: Any) -> Problem | None:
    """The first problem with the two ends of a joint; None when all is well."""
    to = groups.read(obj).joint.connected_object
    if to is None:
        return Problem("Choose the connected object")
    if to == obj:
        return Problem("The joint is connected to itself; choose another object")
    mine, other = body_of(obj), body_of(to)
    if mine is None and other is None:
        return Problem(
            "Neither end has a body; add a body to the parent or to the connected object"
        )
    if mine is not None and mine == other:
        return Problem(
            "Both ends belong to {name}; connect the joint to another body", name=mine.name
        )
    if not is_dynamic(obj) and not is_dynamic(to):
        return Problem("Neither body is dynamic, so nothing moves; make one of them dynamic")
    if not is_dynamic(obj):
        if mine is None:
            return Problem(
                "No body is above the joint; OMI needs the joint below the moving body",
                can_swap=True,
            )
        return Problem(
            "The body above the joint is not dynamic; OMI needs the joint below the moving body",
            can_swap=True,
        )
    if other is None:
        return Problem(
            "{name} has no body, so the joint attaches to the world. For OMI, make {name} a "
            "static body",
            name=to.name,
            is_fault=False,
        )
    return None


def of_settings(obj: Any, scene: Any) -> Problem | None:
    """The first problem with the settings of a joint; None when all is well."""
    name = groups.read(obj).joint.settings
    if not name:
        return Problem("Choose settings, or add new ones")
    entry = settings_of(obj, scene)
    if entry is None:
        return Problem(
            "The scene has no joint settings {name}; choose others, or add new ones", name=name
        )
    if not entry.limits and not entry.drives:
        return Problem("No limits set; choose a kind of joint, or add limits")
    return None
