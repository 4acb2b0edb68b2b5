"""Babylon.js with its loader of KHR_physics_rigid_bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.targets import Target
from .codes import BabylonCode

if TYPE_CHECKING:
    from ...codec.engine import Engine


def _load() -> Engine:
    from ...codec.engine import Engine
    from ...codec.targets.estimates import gyroscopics, stacks
    from . import deviations, repairs

    return Engine(
        TARGET,
        repair=repairs.repair,
        check=deviations.check,
        code=BabylonCode.TAKES_OTHERWISE,
        estimates=(gyroscopics.tell, stacks.tell),
        surely=repairs.has_bare_surface,
    )


TARGET = Target(
    id="BABYLON",
    number=2,
    word="babylon",
    name="Babylon.js",
    family="KHR",
    text="Write physics to behave as authored in Babylon.js with the KHR loader; remaining "
    "differences are reported",
    load=_load,
    gravity="Babylon.js reads none from files: give it to enablePhysics()",
    codes=BabylonCode,
)
