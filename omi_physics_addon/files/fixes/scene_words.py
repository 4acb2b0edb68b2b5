"""What the fixes are called that Blender does in its own way; `authoring.fixes` does them."""

from __future__ import annotations

from typing import Final

from ...issue_codes import Code
from .fix import Words

_SCALED: Final = Words(
    "Bake Scale into Shape",
    "{count} object is scaled, and engines may ignore the scale",
    "{count} objects are scaled, and engines may ignore the scale",
)
WORDS: Final[dict[str, Words]] = {
    Code.BODY_WITHOUT_COLLIDER: Words(
        "Fit Simplest Shape",
        "{count} moving body has no collider and touches nothing",
        "{count} moving bodies have no collider and touch nothing",
    ),
    Code.JOINT_CONNECTED_TO_NO_BODY: Words(
        "Make a Static Body",
        "{count} joint is connected to an object without a body",
        "{count} joints are connected to objects without a body",
    ),
    Code.VEHICLE_WITHOUT_BODY: Words(
        "Make a Dynamic Body", "{count} vehicle has no body", "{count} vehicles have no body"
    ),
    Code.COLLISION_MESH_LOOKS_AWAY: Words(
        "Flip Faces",
        "{count} triangle mesh has inverted faces, and bodies may pass through them",
        "{count} triangle meshes have inverted faces, and bodies may pass through them",
    ),
    Code.TRIGGER_VISIBLE: Words(
        "Make Collision Only",
        "{count} trigger is visible in the game, as a mesh without a material",
        "{count} triggers are visible in the game, as meshes without a material",
    ),
    Code.COMPOUND_TRIGGER_FILTER: Words(
        "Remove Filter",
        "{count} compound trigger has a filter, which belongs on its parts",
        "{count} compound triggers have filters, which belong on their parts",
    ),
    Code.GRAVITY_WITHOUT_TRIGGER: Words(
        "Add Trigger",
        "{count} gravity volume has no trigger to bound the gravity",
        "{count} gravity volumes have no trigger to bound the gravity",
    ),
    Code.SHAPE_OUTDATED: Words(
        "Refit",
        "{count} shape does not match its mesh, which has changed since the fit",
        "{count} shapes do not match their meshes, which have changed since the fit",
    ),
    Code.SCENE_GRAVITY_NOT_WRITTEN: Words(
        "Write Scene Gravity",
        "The gravity of the scene is not exported, so bodies fall differently in other programs",
        "The gravity of the scene is not exported, so bodies fall differently in other programs",
    ),
    Code.NAME_NOT_IN_LIST: Words(
        "Clear Unknown Names",
        "{count} object refers to an entry missing from the lists of the scene",
        "{count} objects refer to entries missing from the lists of the scene",
    ),
    Code.BODY_SCALED: _SCALED,
    Code.SHAPE_SCALED: _SCALED,
    Code.ROUND_SHAPE_SCALED_UNEVENLY: _SCALED,
    Code.SHAPE_MIRRORED: _SCALED,
}
