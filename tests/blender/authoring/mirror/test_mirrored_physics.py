"""Joints of mirror images have mirrored settings, made where there are none."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_addon.blender.authoring.mirror.mirrored_physics import Reflecting
from tests.blender.support.preview_scenes import limit
from tests.blender.support.scenes import add


@pytest.mark.parametrize(
    ("name", "low", "mirrored"),
    [
        ("Door.L", -0.5, "Door.R"),
        ("Door.L", -1.0, "Door.L"),  # Which are their own mirror image.
        ("", None, ""),
        ("Gone", None, "Gone"),
    ],
)
def test_settings_of_a_joint(name, low, mirrored):
    scene = bpy.context.scene
    settings = scene.omi_physics.joint_settings
    if low is not None:
        settings.add(name)
        limit(settings[name], "ANGULAR", "Z", low, 1.0)
    joint, image = add("Joint.L"), add("Joint.R")
    for obj in (joint, image):
        obj.omi_physics.use_joint = True
    joint.omi_physics.joint.settings = name
    Reflecting(scene, lambda obj: obj, lambda mesh, _axis: mesh, set()).reflect(image, joint, 0)
    assert image.omi_physics.joint.settings == mirrored
    if mirrored == "Door.R":
        (row,) = settings["Door.R"].limits
        assert (row.min_angle, row.max_angle) == pytest.approx((-1.0, 0.5))
