"""Godot 4 with our importer, `godot/addons/omi_physics`, for which nothing needs to be bent.

The importer makes of Godot's nodes what the specification says. What is left is told: ranges over
several axes, whose meaning OMI leaves open and which Jolt measures in its own way, and bodies that
are mirrored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model.targets import Target
from .godot.codes import GodotCode

if TYPE_CHECKING:
    from ..codec.engine import Engine, Place
    from ..codec.values.node_tree import Tree
    from ..issues import Issues
    from ..model.document import PhysicsDocument


def _load() -> Engine:
    from ..codec.engine import Engine
    from ..codec.omi.omi_form import OmiForm
    from ..model.shapes import Capsule, Cylinder

    return Engine(
        TARGET,
        check=check,
        scan=lambda _document, _tree: (),  # No node is taken otherwise as nobody writes for it.
        has_skeletons=True,
        omi=OmiForm(rounds={Capsule: _as_it_is, Cylinder: _as_it_is}),
    )


def _as_it_is(_shape: Any, written: dict[str, Any], _place: str, _writing: Any) -> dict[str, Any]:
    return written


def check(document: PhysicsDocument, tree: Tree, issues: Issues, place: Place) -> None:
    """Report mirrored bodies, and joints whose ranges Godot measures in its own way."""
    from ..codec.targets import joint_ranges
    from ..codec.targets.nested_bodies import moves
    from ..codec.values.node_tree import scale_of
    from .godot import joints

    for node, physics in sorted(document.nodes.items()):
        if moves(physics.motion) and tree.may_be_scaled(node):
            scale = scale_of(tree.world(node))
            if scale is not None and scale[0] < 0.0:
                why = (
                    "a negative scale mirrors the body, so it may turn differently in Godot; "
                    "apply the scale"
                )
                issues.add(GodotCode.TURNS_MIRRORED, place(node), why)
        settings = document.settings_of(physics)
        if settings is None:
            continue
        if joint_ranges.mixes(settings):
            issues.add(GodotCode.MIXES_ANGLES, place(node), joints.MIXED)
        if joint_ranges.spans(settings):
            why = (
                "Godot limits each axis separately, but the limit is one range along several "
                "axes; use one limit for each axis"
            )
            issues.add(GodotCode.SPLITS_RANGE, place(node), why)


TARGET = Target(
    id="GODOT_READER",
    number=3,
    word="godot-importer",
    name="Godot 4 with Importer",
    family="OMI",
    text="Write the scene as authored, for Godot 4 projects with this add-on's importer; Install "
    "Godot Importer adds it",
    load=_load,
    codes=GodotCode,
)
