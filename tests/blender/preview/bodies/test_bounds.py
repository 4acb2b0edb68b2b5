"""Numbers beyond what can be computed end a preview with a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import player, recorder
from omi_physics_addon.blender.preview.stage import stage
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body, gravity, play


def huge(kind: str, size: float) -> Any:
    obj = body("Huge", kind=kind)
    shape = obj.omi_physics.collider.shape
    if kind == "SPHERE":
        shape.sphere.radius = size
    else:
        shape.box.size = (size,) * 3
    body("Small", (0.0, 0.0, 5.0))
    return obj


@pytest.mark.parametrize(
    ("kind", "size"), [("SPHERE", 1e20), ("BOX", 1e30), ("BOX", 1e38), ("SPHERE", 6e5)]
)
def test_what_is_too_large_is_named(kind: str, size: float, tmp_path: Path) -> None:
    huge(kind, size)
    with pytest.raises(ValueError, match=r"Huge cannot be played: too large"):
        play()
    assert not stage.is_left()
    path = tmp_path / "poses.json"
    with pytest.raises(RuntimeError, match="Huge cannot be played"):
        bpy.ops.scene.omi_physics_record(filepath=str(path), seconds=0.1)
    assert not path.exists()


def test_what_is_too_far_away_is_named() -> None:
    body("Far", (1e30, 0.0, 0.0))
    body("Near")
    with pytest.raises(ValueError, match=r"^Far cannot be played"):
        play()


def test_planets_play() -> None:
    planet = scenes.add("Planet", None, location=(0.0, 0.0, -6.4e6))
    scenes.add_collider(planet, "SPHERE").sphere.radius = 6.4e6
    body("Box", (0.0, 0.0, 3.0))
    session = play()
    session.step(10)
    assert session.error == ""


def test_what_becomes_too_fast_ends_with_its_name() -> None:
    gravity(1e38)
    body("Falls")
    with pytest.raises(RuntimeError, match=r"^Falls went too fast or too far to be computed$"):
        recorder.record(bpy.context.scene, PreviewOptions(show=False), 30.0)
    assert player.running() is None
    assert not stage.is_left()
    assert np.isfinite(bpy.data.objects["Falls"].location).all()
