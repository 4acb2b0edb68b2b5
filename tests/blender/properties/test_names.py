"""What fields of names suggest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy

from omi_physics_addon.blender.properties import names


def suggested() -> list[str]:
    return names.known_systems(None, bpy.context, "")


def test_systems_are_those_of_filters_and_layers_of_the_project(tmp_path: Path) -> None:
    scene: Any = bpy.context.scene
    assert suggested() == []
    entry = scene.omi_physics.collision_filters.add()
    entry.collision_systems.add().name = "Crates"
    entry.not_collide_with_systems.add().name = "Ghosts"
    assert suggested() == ["Crates", "Ghosts"]
    scene.omi_physics.preview.engine_project = str(tmp_path)
    assert suggested() == ["Crates", "Ghosts"]
    text = 'config_version=5\n\n[layer_names]\n\n3d_physics/layer_2="Players"\n'
    (tmp_path / "project.godot").write_text(text, encoding="utf-8")
    assert suggested() == ["Crates", "Ghosts", "Players"]
