"""Godot 4 with its OMI add-on, and its names for physics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.targets import NameConvention, Target
from . import name_tags
from .codes import GodotCode

if TYPE_CHECKING:
    from ...codec.engine import Engine


def _load() -> Engine:
    from ...codec.engine import Engine
    from ...codec.targets.estimates import gyroscopics, stacks
    from . import deviations, names, omi, repairs, rolling_vehicles, scan, shape_keys
    from .yielding_motors import tell as tell_motors

    return Engine(
        TARGET,
        repair=repairs.repair,
        check=deviations.check,
        code=GodotCode.TAKES_OTHERWISE,
        estimates=(gyroscopics.tell, stacks.tell, rolling_vehicles.tell, tell_motors),
        scan=scan.taken,
        has_skeletons=True,
        rename=names.renamed,
        tell_names=names.tell,
        unseen=scan.unseen,
        check_json=scan.tell_unseen,
        reset_animation=shape_keys.RESET,
        omi=omi.FORM,
    )


TARGET = Target(
    id="GODOT_4",
    number=1,
    word="godot4",
    name="Godot 4",
    family="OMI",
    text="Write bodies, joints and vehicles to behave as authored in Godot 4 with the OMI add-on; "
    "remaining differences are reported",
    load=_load,
    gravity="Godot reads none from files: set Project Settings > Physics > 3D > Default Gravity",
    codes=GodotCode,
    blend_imports="/.godot/imported/",
    has_old_names=True,
)
NAMES = NameConvention(
    id="GODOT",
    number=1,
    engine="Godot",
    words="-col, -colonly, -convcol, -convcolonly, -rigid",
    text="-col, -convcol, -colonly, -convcolonly and -rigid behind the names of meshes with "
    "colliders",
    parse=name_tags.parse,
    is_unknown=name_tags.is_unknown,
    name=name_tags.name,
)
