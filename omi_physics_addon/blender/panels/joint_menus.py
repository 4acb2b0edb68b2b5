"""The submenu of joints, and the menus of their kinds and presets."""

from __future__ import annotations

from ..operators.joints.joint_presets import SUBDIR
from ..properties.joint_choices import KINDS
from .menu_rows import Button, menu, preset_menu


def _kinds(operator: str) -> list[Button]:
    """A button for each kind of joint."""
    return [Button(operator, kind[1], kind[3], {"kind": kind[0]}) for kind in KINDS]


MADE = (
    menu(
        "OMIPHYSICS_MT_joint_kinds",
        "Set Kind",
        *_kinds("object.omi_physics_set_joint_kind"),
        asks=True,
    ),
    menu(
        "OMIPHYSICS_MT_joint_settings_kinds",
        "Set Kind",
        *_kinds("scene.omi_physics_set_joint_settings_kind"),
        asks=True,
    ),
    menu(
        "OMIPHYSICS_MT_connect",
        "Connect Selected By",
        *_kinds("object.omi_physics_connect_selected"),
        asks=True,
    ),
    preset_menu("OMIPHYSICS_MT_joint_presets", SUBDIR, "joint_preset"),
    menu(
        "OMIPHYSICS_MT_joints",
        "Joints",
        "object.omi_physics_connect_selected",
        "OMIPHYSICS_MT_connect",
        "object.omi_physics_connect_row",
        Button("object.omi_physics_find_joints", "Find Joints..."),
        "object.omi_physics_rope_from_curve",
        None,
        "OMIPHYSICS_MT_joint_kinds",
        "object.omi_physics_swap_joint_ends",
        Button("object.omi_physics_pose_joint", "Pose Joint..."),
        "object.omi_physics_rest_joint",
        None,
        "object.omi_physics_copy_joint_settings",
        "object.omi_physics_single_user_joint_settings",
        "object.omi_physics_assign_joint_settings",
        "object.omi_physics_unlink_joint_settings",
        "object.omi_physics_select_same_joint_settings",
        asks=True,
    ),
)
