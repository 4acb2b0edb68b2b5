"""What buttons and sentences call the fixes, and which of them scenes have for what."""

from __future__ import annotations

from typing import Final

from ..issue_codes import Code

INERTIA: Final = "Take Inertia from Shapes"
VELOCITY: Final = "Clear Velocity"
KINEMATIC: Final = "Make Kinematic"
BODY: Final = "Make a Dynamic Body"
DYNAMIC: Final = "Make Dynamic"
CONVEX: Final = "Make Convex"
SCALE: Final = "Bake Scale into Shape"
STATIC: Final = "Make a Static Body"
ACTIVATION: Final = "Clear Activation"
SPEED: Final = "Allow Any Speed"
TRIGGER: Final = "Add Trigger"
PRIORITY: Final = "Set Priority to 0"
STOP: Final = "Stop Other Gravity"
FIT: Final = "Fit Simplest Shape"
FILTER: Final = "Remove Filter"
REFIT: Final = "Refit"
FLIP: Final = "Flip Faces"
GRAVITY: Final = "Write Scene Gravity"
NAMES: Final = "Clear Unknown Names"
HIDE: Final = "Make Collision Only"

# What a click sets right in a scene; `authoring.fixes` does it.
IN_SCENES: Final[dict[str, str]] = {
    Code.BODY_WITHOUT_COLLIDER: FIT,
    Code.BODY_SCALED: SCALE,
    Code.SHAPE_SCALED: SCALE,
    Code.ROUND_SHAPE_SCALED_UNEVENLY: SCALE,
    Code.SHAPE_MIRRORED: SCALE,
    Code.JOINT_CONNECTED_TO_NO_BODY: STATIC,
    Code.MOMENT_TOO_LARGE: INERTIA,
    Code.STATIC_BODY_VELOCITY: VELOCITY,
    Code.DYNAMIC_BODY_ANIMATED: KINEMATIC,
    Code.VEHICLE_WITHOUT_BODY: BODY,
    Code.VEHICLE_NOT_DYNAMIC: DYNAMIC,
    Code.ACTIVATION_AT_START: ACTIVATION,
    Code.VEHICLE_MAX_SPEED_ZERO: SPEED,
    Code.TRIMESH_ON_DYNAMIC_BODY: CONVEX,
    Code.TRIMESH_ON_KINEMATIC_BODY: CONVEX,
    Code.TRIMESH_TRIGGER: CONVEX,
    Code.TRIGGER_VISIBLE: HIDE,
    Code.COMPOUND_TRIGGER_FILTER: FILTER,
    Code.GRAVITY_WITHOUT_TRIGGER: TRIGGER,
    Code.GRAVITY_STOP_BELOW_WORLD: PRIORITY,
    Code.GRAVITY_ZERO: STOP,
    Code.SHAPE_OUTDATED: REFIT,
    Code.COLLISION_MESH_LOOKS_AWAY: FLIP,
    Code.SCENE_GRAVITY_NOT_WRITTEN: GRAVITY,
    Code.NAME_NOT_IN_LIST: NAMES,
}
