"""What OMI's extensions are for an engine that reads another form of them than the current one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...model.joints import JointSettings
from ...model.shapes import Capsule, Cylinder
from ..values.records import Writing

# The JSON object of a geometry as the engine reads it; it gets the current one, and the words for
# messages about the shape.
WriteRound = Callable[[Any, dict[str, Any], str, Writing], dict[str, Any]]


@dataclass(frozen=True)
class OmiForm:
    """What OMI's extensions are for an engine; all as the specifications have it unless given.

    Attributes:
        rounds: how capsules and cylinders are written.
        joint: joint settings that mean the same to the engine as the given ones to others.
        vehicle_keys: by extension, the keys of 2025 that are written beside today's, and no others.
    """

    rounds: Mapping[type[Capsule] | type[Cylinder], WriteRound] | None = None
    joint: Callable[[JointSettings], JointSettings] = lambda settings: settings
    vehicle_keys: Mapping[str, tuple[str, ...]] | None = None


CURRENT = OmiForm()
